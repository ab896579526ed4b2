"""The hall in words: tables, tournaments and standings, in the reader's language."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from companion.games import game, is_game
from companion.games.position import Outcome
from companion.hall import reports
from companion.hall.desk import Desk
from companion.hall.live import ONLINE, Assigned, Live
from companion.hall.standings import Played, Reported, Standing, standings
from companion.hall.state import State
from companion.hall.tournament import Pairing, Round, System, Tournament
from companion.messages import name_of, say, say_move, say_reason, term
from companion.summaries import players
from companion.terminal import result
from web.hall import answers


def number(value: float) -> str:
    """With a half as people write it."""
    whole, half = divmod(round(value * 2), 2)
    if abs(value * 2 - round(value * 2)) > 1e-9:
        return f"{value:.2f}"
    return f"{whole}½" if half and whole else "½" if half else str(whole)


# --- tables


def card(desk: Desk, heard: Mapping[int, float], place: int, language: str) -> answers.Card:
    state, live = desk.state, desk.tables.live.get(place)
    found = state.places.get(place)
    alive = heard.get(place, 0)
    told: answers.Card = {
        "place": place,
        "name": found.name if found else "",
        "joined": live is not None,
        "revoked": found is not None and found.key is None,
        "online": time.time() - alive < ONLINE,
        "trouble": live.trouble(alive) if live else [],
        "trouble_text": "",
        "game": None,
        "game_name": "",
        "players": [],
        "turn": None,
        "turn_text": "",
        "moves": 0,
        "last_move": "",
        "over": False,
        "clock": None,
        "event": live.have if live else 0,
        "log": live.log if live else "",
        "pairing": None,
        "round": None,
        "match": "",
        "refused": live.refused if live else None,
        "waits": 0,
    }
    if live:
        told["trouble_text"] = trouble_text(live, told["trouble"], language)
        if live.read:
            _add_game(told, live, state, language)
    return told


def _add_game(told: answers.Card, live: Live, state: State, language: str) -> None:
    assert live.read is not None
    game, position = live.read.game, live.positions[-1]
    told["game"], told["game_name"] = game.id, name_of(game.id, language)
    told["players"] = players(live.record.get("about"), lambda: live.record)
    told["turn"] = None if live.outcome else position.to_move
    told["turn_text"] = result(live.outcome, position, language)
    told["moves"] = len(live.positions) - 1
    moves = live.record.get("moves") or []
    told["last_move"] = _last_move(live, moves[-1], language) if moves and len(live.positions) > 1 else ""
    told["over"] = live.outcome is not None
    if live.clock:
        told["clock"] = {
            "at": live.clock_at,
            "more": (live.clock.get("control") or {}).get("more", 0),
            "running": live.clock.get("running"),
            "seats": {seat: _left(held) for seat, held in live.clock.get("seats", {}).items()},
        }
    if played := live.assigned:
        told["pairing"] = played.pairing
        held = state.pairing(played.pairing)
        if held:
            tournament, pairing = held
            told["round"] = next(r.number for r in tournament.rounds if pairing in r.pairings)
            if tournament.rules.match_length > 1:
                told["match"] = f"{played.number + 1}/{tournament.rules.match_length}"


def _left(held: Mapping[str, Any]) -> answers.Left:
    return {"left": held["main"], "periods": held["periods"], "flag": held["flag"]}


def _last_move(live: Live, entry: Any, language: str) -> str:
    if not isinstance(entry, str) or live.read is None:
        return term("hall.stood", language)
    before = live.positions[-2]
    return say_move(before.describe(live.read.game.read(entry)), language)


def trouble_text(live: Live, trouble: list[str], language: str) -> str:
    if not trouble:
        return ""
    said = term(f"hall.trouble.{trouble[0]}", language)
    if trouble[0] in ("illegal", "unsure") and live.verdict:
        return say("PAGE", "hall.of", {"what": said, "text": verdict_text(live.verdict.data, language)}, language)
    if trouble[0] == "refused" and live.refused:
        with suppress(KeyError, IndexError):  # what another companion says, or what wants to be told of more
            why = say("BAD", live.refused, {}, language)
            return say("PAGE", "hall.of", {"what": said, "text": why}, language)
    return said


def verdict_text(judged: Mapping[str, Any], language: str) -> str:
    """What a table's verdict says, by what its event holds."""
    from companion.errors import Reason

    reason = judged.get("reason")
    try:
        if reason:
            rule, code, params = (reason[name] for name in Reason._fields)
            return f"{say_reason(Reason(rule, code, params), language)} ({rule})"
        told = {"moves": " ".join(judged.get("moves") or ()), "squares": ", ".join(judged.get("on") or ())}
        return say("VERDICTS", str(judged.get("code")), told, language)
    except (KeyError, TypeError, ValueError, IndexError):  # what another companion says
        return str(judged.get("code"))


def rule_text(rule: str, language: str) -> str:
    """What a rule says, as the game's sheet has it."""
    name = rule.rpartition(".")[0]
    sheet = game(name).sheet(language) if is_game(name) else None
    return sheet.rules.get(rule, "") if sheet else ""


# --- tournaments


def tournament(desk: Desk, held: Tournament, language: str, reported: Reported, drafts: bool) -> answers.TournamentTold:
    state, rules = desk.state, held.rules
    ratings = desk.ratings()
    rows = standings(held, reported)
    places = {row.entry: place for place, row in enumerate(rows, 1)}
    return {
        "id": held.id,
        "name": rules.name,
        "game": rules.game,
        "game_name": name_of(rules.game, language),
        "system": rules.system,
        "system_text": term(f"hall.system.{rules.system}", language),
        "seats": rules.seats,
        "team": rules.team,
        "length": held.length,
        "closed": held.closed,
        "entries": [
            {
                "id": entry.id,
                "name": state.entry_name(held, entry.id),
                "players": list(entry.players),
                "clubs": [state.players[n].club for n in entry.players],
                "since": entry.since,
                "here": entry.here,
                "gone": entry.gone is not None,
                "rating": round(sum(ratings[n].rating for n in entry.players) / len(entry.players)),
            }
            for entry in held.entries.values()
        ],
        "forbidden": [sorted(pair) for pair in held.forbidden],
        "rounds": [round_told(state, held, found, reported) for found in held.rounds if found.published or drafts],
        "standings": [standing(state, held, row, places, language) for row in rows],
        "tie_breaks": [explained(name, language) for name in rules.tie_breaks],
        "corrections": corrections(state, held, desk.tables.reported) if drafts else [],
    }


def corrections(state: State, held: Tournament, reported: Reported) -> list[answers.Correction]:
    """All that the desk has entered, in that order, each with what counted before."""
    found: list[answers.Correction] = []
    for round_ in held.rounds:
        for one in round_.pairings:
            by_table = None if one.is_bye else held.table_score(one, reported.get(one.id, {}))
            own = by_table.scores if by_table else None
            before = own
            for entered in held.by_desk.get(one.id, ()):
                after = own if entered.scores is None else entered.scores
                found.append(
                    {
                        "pairing": one.id,
                        "round": round_.number,
                        "name": pairing_name(state, held, one),
                        "who": entered.who,
                        "at": entered.at,
                        "reason": entered.reason,
                        "before": result_text(one, before),
                        "after": result_text(one, after),
                    }
                )
                before = after
    return sorted(found, key=lambda told: told["at"])


def pairing_name(state: State, held: Tournament, one: Pairing) -> str:
    return " – ".join(state.entry_name(held, n) for n in one.entries)


def result_text(one: Pairing, scores: Mapping[int, float] | None) -> str:
    return " : ".join(number(scores[n]) for n in one.entries) if scores else "–"


def done(held: Tournament, reported: Reported) -> int:
    """How many results of the newest round are in."""
    pairings = held.published[-1].pairings if held.published else []
    return sum(not one.is_bye and held.score(one, reported) is not None for one in pairings)


def explained(name: str, language: str) -> answers.Explained:
    return {
        "name": name,
        "label": term(f"hall.tie.{name}", language),
        "text": term(f"hall.tie-why.{name}", language),
    }


def round_told(state: State, held: Tournament, found: Round, reported: Reported) -> answers.RoundTold:
    return {
        "number": found.number,
        "published": found.published,
        "by_hand": found.by_hand,
        "pairings": [pairing_told(state, held, one, reported) for one in found.pairings],
    }


def pairing_told(state: State, held: Tournament, one: Pairing, reported: Reported) -> answers.PairingTold:
    counts = held.score(one, reported)
    outcomes: Mapping[int, Outcome] = reported.get(one.id, {})
    by_table = None if one.is_bye else held.table_score(one, outcomes)
    entered = held.entered(one)
    by_desk = entered.scores if entered else None
    return {
        "id": one.id,
        "place": one.place,
        "table": state.places[one.place].name if one.place in state.places else "",
        "sides": [
            {"entry": n, "name": state.entry_name(held, n), "score": counts.scores.get(n) if counts else None}
            for n in one.entries
        ],
        "bye": one.is_bye,
        "done": counts is not None,
        "by_desk": {
            "scores": {str(n): value for n, value in by_desk.items()},
            "who": entered.who,
            "at": entered.at,
            "reason": entered.reason,
        }
        if entered and by_desk
        else None,
        "by_table": {str(n): value for n, value in by_table.scores.items()} if by_table else None,
        "differs": bool(by_desk and by_table and dict(by_desk) != dict(by_table.scores)),
        "games": f"{len(outcomes)}/{held.rules.match_length}",
    }


def standing(
    state: State, held: Tournament, row: Standing, places: Mapping[int, int], language: str
) -> answers.StandingTold:
    clubs = [state.players[n].club for n in held.entries[row.entry].players]
    return {
        "rank": row.rank,
        "entry": row.entry,
        "name": state.entry_name(held, row.entry),
        "club": ", ".join(filter(None, clubs)),
        "score": row.score,
        "tie_breaks": [
            {
                "name": broken.name,
                "label": term(f"hall.tie.{broken.name}", language),
                "value": broken.value,
                "made_of": " + ".join(
                    f"{number(part.value)}" + (f" ({state.entry_name(held, part.entry)})" if part.entry else "")
                    for part in broken.parts
                ),
            }
            for broken in row.tie_breaks
        ],
        "rounds": [_cell(one, state, held, places) for one in row.rounds],
    }


def _cell(one: Played, state: State, held: Tournament, places: Mapping[int, int]) -> answers.Cell:
    """A round in the crosstable: against whom by his line, as what, and what came of it."""
    role = "ab"[min(one.place, 1)] if held.rules.has_roles and held.rules.system is not System.KNOCK_OUT else ""
    text = "–" if one.pairing is None else ", ".join(str(places[n]) for n in one.against) + role if one.against else "+"
    return {
        "text": text,
        "against": ", ".join(state.entry_name(held, n) for n in one.against),
        "score": one.score if one.pairing is not None else None,
    }


def delayed(desk: Desk) -> Reported:
    """What spectators may know: results that are older than the delay."""
    until = time.time() - desk.state.delay
    if not desk.state.delay:
        return desk.tables.reported
    return {
        pairing: {n: outcome for n, outcome in games.items() if desk.tables.ended.get(Assigned(pairing, n), 0) <= until}
        for pairing, games in desk.tables.reported.items()
    }


def refusals(desk: Desk) -> list[dict[str, Any]]:
    return [one._asdict() for one in reports.refusals(desk.database)]
