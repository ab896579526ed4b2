"""The endpoints that only read: the hall, tables, boards, tournaments, evidence and files. Spectators see less than the
desk, and later."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from flask import Response, current_app, render_template

from companion.errors import BadInput
from companion.events import Event
from companion.hall import desk_log, reports
from companion.hall import evidence as proofs
from companion.hall.files import EXPORTS
from companion.hall.live import LiveTable
from companion.hall.standings import DEFAULT_TIE_BREAKS, tie_break_names
from companion.hall.state import Role
from companion.messages import name_of, say, term
from companion.messages.seen import say_seen
from web.access import language, stream
from web.catalogue import page_texts
from web.drawing import Marks, board_svg
from web.hall import answers, inputs, log_text, words
from web.hall.access import broadcast, desk, role, who
from web.joining import code_svg
from web.safety import Refused

MAX_LISTED = 40  # events on a table's page
# Makes a PDF from what is to be printed, the tournament, its tables' heads, paper size and language.
Printer = Callable[[str, answers.TournamentTold, dict[int, answers.HeadTold], str, str], bytes]
MEDIA = {"csv": "text/csv", "json": "application/json", "trf": "text/plain"}


def page(name: str) -> Callable[..., str]:
    def show(number: int | None = None) -> str:
        lang = language()
        return render_template(
            f"hall/{name}.html", lang=lang, text=page_texts(lang), number=number, hall=desk().state.name
        )

    return show


def is_desk() -> bool:
    return role().may(Role.REFEREE)


# --- the hall


def hall() -> answers.Hall:
    hall_desk, lang = desk(), language()
    state, at_desk = hall_desk.state, is_desk()
    ratings = hall_desk.ratings() if at_desk else {}
    return {
        "name": state.name,
        "role": role(),
        "who": who(),
        "tournaments": [
            {
                "id": tournament.id,
                "name": tournament.rules.name,
                "game": tournament.rules.game,
                "game_name": name_of(tournament.rules.game, lang),
                "system_text": term(f"hall.system.{tournament.rules.system}", lang),
                "rounds": len(tournament.published),
                "draft": tournament.draft.number if at_desk and tournament.draft else None,
                "team": tournament.rules.team,
                "length": tournament.length,
                "entries": len(tournament.entries),
                "pairings": sum(not one.is_bye for one in tournament.published[-1].pairings)
                if tournament.published
                else 0,
                "done": words.done(tournament, hall_desk.tables.reported if at_desk else words.delayed(hall_desk)),
                "closed": tournament.closed,
            }
            for tournament in state.tournaments.values()
        ],
        "tables": [_card(place, lang) for place in state.places],
        "delay": state.delay,
        "hints_locked": state.hints_locked,
        "tie_breaks": [
            words.explained(name, lang) for name in dict.fromkeys((*DEFAULT_TIE_BREAKS, *tie_break_names()))
        ],
        "usual_tie_breaks": list(DEFAULT_TIE_BREAKS),
        "trouble": broadcast().trouble.code if at_desk and broadcast().trouble else None,  # type: ignore[union-attr]
        "fingerprint": str(current_app.extensions["fingerprint"]),
        "persons": [{"id": one.id, "name": one.name, "role": one.role} for one in state.persons.values()]
        if role().may(Role.ARBITER)
        else [],
        "players": [
            {
                "id": one.id,
                "name": one.name,
                "club": one.club,
                "rating": round(ratings[one.id].rating),
                "deviation": round(ratings[one.id].deviation),
            }
            for one in state.players.values()
        ]
        if at_desk
        else [],
        "refusals": words.refusals(hall_desk) if at_desk else [],
    }


def _card(place: int, lang: str) -> answers.Card:
    told = words.card(desk(), broadcast().last_seen, place, lang)
    live = desk().tables.live.get(place)
    if not is_desk():
        told["trouble"], told["trouble_text"], told["refused"], told["log"] = [], "", None, ""
        if live and desk().state.delay and live.parsed:
            shown = _shown_to_spectators(live)
            late = shown < len(live.positions) - 1
            told["moves"] = shown
            if late:
                told["last_move"], told["over"], told["turn_text"], told["clock"] = "", False, "", None
                told["turn"] = None
    return told


def events() -> Response:
    return stream(partial(broadcast().follow, language=language()), "text/event-stream; charset=utf-8")


# --- a table


def _live(place: int) -> LiveTable:
    if place not in desk().state.places:
        raise BadInput("table", "hall-no-such", value=place)
    live = desk().tables.live.get(place)
    if live is None or live.parsed is None:
        raise Refused(409, "no-table")
    return live


def _shown_to_spectators(live: LiveTable) -> int:
    """The number of the last position that is older than the delay."""
    until = time.time() - desk().state.delay
    return max((n for n, at in enumerate(live.times) if at <= until), default=0)


def board(number: int, query: inputs.BoardQuery) -> Response:
    live = _live(number)
    assert live.parsed is not None
    last = len(live.positions) - 1 if is_desk() else min(_shown_to_spectators(live), len(live.positions) - 1)
    at = last if query.ply is None else query.ply
    if at > last:
        raise BadInput("ply", "not-a-whole-number", value=at, least=0, most=last)
    position, entries = live.positions[at], live.record["moves"]
    text = entries[at - 1] if 0 < at <= len(entries) else None
    shown = live.positions[at - 1].trace(live.parsed.game.read(text)).shown if isinstance(text, str) else ()
    wrong: tuple[str, ...] = ()
    if is_desk() and at == last and live.verdict:
        wrong = tuple(str(one.get("square")) for one in live.verdict.data.get("squares") or ())
    drawn = board_svg(
        live.parsed.game,
        position,
        position.visible(),
        marks=Marks(last=shown, wrong=wrong),
        language=language(),
        flipped=query.flip,
    )
    return Response(drawn, mimetype="image/svg+xml")


def table(number: int) -> answers.TablePage:
    if number not in desk().state.places:
        raise BadInput("table", "hall-no-such", value=number)
    live, lang = desk().tables.live.get(number), language()
    happened = proofs.newest(desk().database, live.log, MAX_LISTED) if live else []
    return {
        "card": _card(number, lang),
        "happened": [
            {
                "id": n,
                "log": live.log if live else "",
                "event": event.number,
                "at": event.at,
                "kind": event.kind,
                "text": _in_words(event, lang),
                "picture": "picture" in event.data,
            }
            for n, event in enumerate(happened)
        ],
        "decisions": [
            {"at": one.at, "who": one.who, "text": one.text} for one in desk().state.decisions if one.place == number
        ],
        "head": _head(live.log) if live else None,
    }


def _head(log: str) -> answers.HeadTold | None:
    found = reports.heads(desk().database, log)
    if not found:
        return None
    last = found[-1]
    code = code_svg(last.text())
    return {"number": last.number, "at": last.at, "words": last.words(), "text": last.text(), "code": code}


def _in_words(event: Event, lang: str) -> str:
    if event.kind == "verdict":
        return words.verdict_text(event.data, lang)
    if event.kind == "move":
        return " ".join(map(str, event.data.get("moves") or ()))
    if event.kind == "command":
        done = term(f"hall.command.{event.data.get('do')}", lang)
        done += " ✕" if event.data.get("refused") else ""
        return say("PAGE", "hall.of", {"what": event.data.get("who"), "text": done}, lang)
    if event.kind == "new":
        record = event.data.get("record") or {}
        about = record.get("about") or {}
        return " – ".join(map(str, about.get("players") or ())) if isinstance(about, dict) else ""
    if event.kind in ("result", "flag"):
        return str(term(str(event.data.get("winner") or event.data.get("seat") or "–"), lang))
    return str(event.data.get("text") or event.data.get("state") or "")


def evidence(number: int, query: inputs.PictureQuery) -> answers.Evidence:
    """A verdict with the pictures before and after it, what was read, the rule's text and the hashes."""
    live, hall_desk, lang = _live(number), desk(), language()
    found = proofs.verdict_proof(hall_desk.database, live.log, query.number)
    reason = found.event.data.get("reason")
    rule = reason.get("rule") if isinstance(reason, dict) else None
    addresses = []
    for picture in (found.before, found.after):
        if picture is not None and reports.picture(hall_desk.database, live.log, picture) is None:
            reports.request_picture(hall_desk.database, live.log, picture)
            hall_desk.database.notify()
        addresses.append(None if picture is None else f"/api/tables/{number}/picture.jpg?number={picture}")
    return {
        "log": live.log,
        "event": found.event.number,
        "at": found.event.at,
        "text": words.verdict_text(found.event.data, lang),
        "rule": rule,
        "rule_text": words.rule_text(rule, lang) if rule else "",
        "squares": [_square(live, one, lang) for one in found.event.data.get("squares") or ()],
        "before": addresses[0],
        "after": addresses[1],
        "seals": [{"event": number, "seal": seal} for number, seal in found.seals],
        "sealed": found.sealed,
    }


def _square(live: LiveTable, one: Mapping[str, object], lang: str) -> dict[str, str]:
    """What should be on a square, and what was seen there, in words."""
    told = {name: str(value or "–") for name, value in one.items()}
    if live.parsed:
        for name in ("should", "seen"):
            with suppress(KeyError, ValueError, IndexError):  # a pawn, or a code of another version
                told[name] = say_seen(live.parsed.game, told[name], lang)
    return told


def picture(number: int, query: inputs.PictureQuery) -> Response:
    found = reports.picture(desk().database, _live(number).log, query.number)
    if found is None:
        raise Refused(404, "no-picture")
    return Response(found, mimetype="image/jpeg")


# --- tournaments


def tournament(number: int) -> answers.TournamentTold:
    hall_desk, at_desk = desk(), is_desk()
    reported = hall_desk.tables.reported if at_desk else words.delayed(hall_desk)
    return words.tournament(hall_desk, hall_desk.state.tournament(number), language(), reported, at_desk)


def export(number: int, query: inputs.ExportQuery) -> Response:
    """Spectators get it too, unless a delay hides a running tournament from them."""
    tournament = desk().state.tournament(number)
    if desk().state.delay and not is_desk() and not tournament.closed:
        raise Refused(401, "needs-pin")
    made = EXPORTS[query.kind](desk(), tournament)
    name = f"attachment; filename=tournament-{number}.{query.kind}"
    return Response(made, mimetype=MEDIA[query.kind], headers={"Content-Disposition": name})


def paper(number: int, query: inputs.PaperQuery) -> Response:
    """A PDF of what is published; for spectators without results that are newer than the delay."""
    printer: Printer | None = current_app.extensions["printer"]
    if printer is None:
        raise BadInput("", "kit-missing")
    hall_desk, lang = desk(), language()
    reported = hall_desk.tables.reported if is_desk() else words.delayed(hall_desk)
    told = words.tournament(hall_desk, hall_desk.state.tournament(number), lang, reported, drafts=False)
    places = [one["place"] for one in told["rounds"][-1]["pairings"]] if told["rounds"] else []
    found = ((place, hall_desk.tables.live.get(place)) for place in places if place is not None)
    heads = {place: head for place, live in found if live and (head := _head(live.log))}
    made = printer(query.what, told, heads if is_desk() else {}, query.paper, lang)
    headers = {"Content-Disposition": f'inline; filename="tournament-{number}-{query.what}.pdf"'}
    return Response(made, mimetype="application/pdf", headers=headers)


def verify() -> answers.Verified:
    """Check the hash chains of all logs, the desk's too."""
    found, lang = proofs.verify(desk().database), language()
    return {
        "ok": not found.findings,
        "logs": found.logs,
        "events": found.events,
        "deeds": found.deeds,
        "heads": found.heads,
        "findings": [
            say("FINDINGS", one.code, {"number": one.number, "table": one.log[:8]}, lang) for one in found.findings
        ],
    }


def deeds() -> list[answers.LogEntryTold]:
    """The desk's log with names and times, without secrets."""
    return list(log_text.described(desk_log.read(desk().database), language()))


def heads(number: int) -> Response:
    """The table's signed heads, for `companion verify --head`."""
    found = reports.heads(desk().database, _live(number).log)
    return Response("".join(f"{head.text()}\n" for head in found), mimetype="text/plain")
