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
from companion.hall.live import OFFLINE_AFTER, Assigned, LiveTable
from companion.hall.standings import Reported, RoundResult, Standing, standings
from companion.hall.state import State
from companion.hall.tournament import Pairing, Round, System, Tournament
from companion.messages import name_of, say, say_move, say_reason, term
from companion.summaries import players
from companion.terminal import result
from web.hall import answers


def number(value: float) -> str:
    """A score as people write it: 2½."""
    whole, half = divmod(round(value * 2), 2)
    if abs(value * 2 - round(value * 2)) > 1e-9:
        return f"{value:.2f}"
    return f"{whole}½" if half and whole else "½" if half else str(whole)


# --- tables


def card(desk: Desk, last_seen: Mapping[int, float], place: int, language: str) -> answers.Card:
    state, live = desk.state, desk.tables.live.get(place)
    found = state.places.get(place)
    seen = last_seen.get(place, 0)
    card: answers.Card = {
        "place": place,
        "name": found.name if found else "",
        "joined": live is not None,
        "revoked": found is not None and found.key is None,
        "online": time.time() - seen < OFFLINE_AFTER,
        "trouble": live.trouble(seen) if live else [],
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
        card["trouble_text"] = trouble_text(live, card["trouble"], language)
        if live.parsed:
            _add_game(card, live, state, language)
    return card


def _add_game(card: answers.Card, live: LiveTable, state: State, language: str) -> None:
    assert live.parsed is not None
    game, position = live.parsed.game, live.positions[-1]
    card["game"], card["game_name"] = game.id, name_of(game.id, language)
    card["players"] = players(live.record.get("about"), lambda: live.record)
    card["turn"] = None if live.outcome else position.to_move
    card["turn_text"] = result(live.outcome, position, language)
    card["moves"] = len(live.positions) - 1
    moves = live.record.get("moves") or []
    card["last_move"] = _last_move(live, moves[-1], language) if moves and len(live.positions) > 1 else ""
    card["over"] = live.outcome is not None
    if live.clock:
        card["clock"] = {
            "at": live.clock_at,
            "more": (live.clock.get("control") or {}).get("more", 0),
            "running": live.clock.get("running"),
            "seats": {seat: _seat_clock(data) for seat, data in live.clock.get("seats", {}).items()},
        }
    if played := live.assigned:
        card["pairing"] = played.pairing
        if found := state.pairing(played.pairing):
            tournament, pairing = found
            card["round"] = next(r.number for r in tournament.rounds if pairing in r.pairings)
            if tournament.rules.match_length > 1:
                card["match"] = f"{played.number + 1}/{tournament.rules.match_length}"


def _seat_clock(data: Mapping[str, Any]) -> answers.Left:
    return {"left": data["main"], "periods": data["periods"], "flag": data["flag"]}


def _last_move(live: LiveTable, entry: Any, language: str) -> str:
    if not isinstance(entry, str) or live.parsed is None:
        return term("hall.stood", language)
    before = live.positions[-2]
    return say_move(before.describe(live.parsed.game.read(entry)), language)


def trouble_text(live: LiveTable, trouble: list[str], language: str) -> str:
    if not trouble:
        return ""
    text = term(f"hall.trouble.{trouble[0]}", language)
    if trouble[0] in ("illegal", "unsure") and live.verdict:
        return say("PAGE", "hall.of", {"what": text, "text": verdict_text(live.verdict.data, language)}, language)
    if trouble[0] == "refused" and live.refused:
        with suppress(KeyError, IndexError):  # a code of another version, or one that needs parameters
            why = say("BAD", live.refused, {}, language)
            return say("PAGE", "hall.of", {"what": text, "text": why}, language)
    return text


def verdict_text(judged: Mapping[str, Any], language: str) -> str:
    """A verdict as a sentence, from the data of its event."""
    from companion.errors import Reason

    reason = judged.get("reason")
    try:
        if reason:
            rule, code, params = (reason[name] for name in Reason._fields)
            return f"{say_reason(Reason(rule, code, params), language)} ({rule})"
        card = {"moves": " ".join(judged.get("moves") or ()), "squares": ", ".join(judged.get("on") or ())}
        return say("VERDICTS", str(judged.get("code")), card, language)
    except (KeyError, TypeError, ValueError, IndexError):  # a code of another version
        return str(judged.get("code"))


def rule_text(rule: str, language: str) -> str:
    """The text of a rule, from the game's rule sheet."""
    name = rule.rpartition(".")[0]
    sheet = game(name).sheet(language) if is_game(name) else None
    return sheet.rules.get(rule, "") if sheet else ""


# --- tournaments


def tournament(
    desk: Desk, tournament: Tournament, language: str, reported: Reported, drafts: bool
) -> answers.TournamentTold:
    state, rules = desk.state, tournament.rules
    ratings = desk.ratings()
    rows = standings(tournament, reported)
    places = {row.entry: place for place, row in enumerate(rows, 1)}
    return {
        "id": tournament.id,
        "name": rules.name,
        "game": rules.game,
        "game_name": name_of(rules.game, language),
        "system": rules.system,
        "system_text": term(f"hall.system.{rules.system}", language),
        "seats": rules.seats,
        "team": rules.team,
        "length": tournament.length,
        "closed": tournament.closed,
        "entries": [
            {
                "id": entry.id,
                "name": state.entry_name(tournament, entry.id),
                "players": list(entry.players),
                "clubs": [state.players[n].club for n in entry.players],
                "since": entry.since,
                "here": entry.here,
                "gone": entry.gone is not None,
                "rating": round(sum(ratings[n].rating for n in entry.players) / len(entry.players)),
            }
            for entry in tournament.entries.values()
        ],
        "forbidden": [sorted(pair) for pair in tournament.forbidden],
        "rounds": [
            round_told(state, tournament, found, reported) for found in tournament.rounds if found.published or drafts
        ],
        "standings": [standing(state, tournament, row, places, language) for row in rows],
        "tie_breaks": [explained(name, language) for name in rules.tie_breaks],
        "corrections": corrections(state, tournament, desk.tables.reported) if drafts else [],
    }


def corrections(state: State, tournament: Tournament, reported: Reported) -> list[answers.Correction]:
    """All results that the desk entered, in order, each with the result that counted before."""
    found: list[answers.Correction] = []
    for round_ in tournament.rounds:
        for one in round_.pairings:
            by_table = None if one.is_bye else tournament.table_score(one, reported.get(one.id, {}))
            own = by_table.scores if by_table else None
            before = own
            for entered in tournament.by_desk.get(one.id, ()):
                after = own if entered.scores is None else entered.scores
                found.append(
                    {
                        "pairing": one.id,
                        "round": round_.number,
                        "name": pairing_name(state, tournament, one),
                        "who": entered.who,
                        "at": entered.at,
                        "reason": entered.reason,
                        "before": result_text(one, before),
                        "after": result_text(one, after),
                    }
                )
                before = after
    return sorted(found, key=lambda card: card["at"])


def pairing_name(state: State, tournament: Tournament, one: Pairing) -> str:
    return " – ".join(state.entry_name(tournament, n) for n in one.entries)


def result_text(one: Pairing, scores: Mapping[int, float] | None) -> str:
    return " : ".join(number(scores[n]) for n in one.entries) if scores else "–"


def done(tournament: Tournament, reported: Reported) -> int:
    """The number of results that are in, of the newest round."""
    pairings = tournament.published[-1].pairings if tournament.published else []
    return sum(not one.is_bye and tournament.score(one, reported) is not None for one in pairings)


def explained(name: str, language: str) -> answers.Explained:
    return {
        "name": name,
        "label": term(f"hall.tie.{name}", language),
        "text": term(f"hall.tie-why.{name}", language),
    }


def round_told(state: State, tournament: Tournament, found: Round, reported: Reported) -> answers.RoundTold:
    return {
        "number": found.number,
        "published": found.published,
        "by_hand": found.by_hand,
        "pairings": [pairing_told(state, tournament, one, reported) for one in found.pairings],
    }


def pairing_told(state: State, tournament: Tournament, one: Pairing, reported: Reported) -> answers.PairingTold:
    counts = tournament.score(one, reported)
    outcomes: Mapping[int, Outcome] = reported.get(one.id, {})
    by_table = None if one.is_bye else tournament.table_score(one, outcomes)
    entered = tournament.entered(one)
    by_desk = entered.scores if entered else None
    return {
        "id": one.id,
        "place": one.place,
        "table": state.places[one.place].name if one.place in state.places else "",
        "sides": [
            {"entry": n, "name": state.entry_name(tournament, n), "score": counts.scores.get(n) if counts else None}
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
        "games": f"{len(outcomes)}/{tournament.rules.match_length}",
    }


def standing(
    state: State, tournament: Tournament, row: Standing, places: Mapping[int, int], language: str
) -> answers.StandingTold:
    clubs = [state.players[n].club for n in tournament.entries[row.entry].players]
    return {
        "rank": row.rank,
        "entry": row.entry,
        "name": state.entry_name(tournament, row.entry),
        "club": ", ".join(filter(None, clubs)),
        "score": row.score,
        "tie_breaks": [
            {
                "name": tie_break.name,
                "label": term(f"hall.tie.{tie_break.name}", language),
                "value": tie_break.value,
                "made_of": " + ".join(
                    f"{number(part.value)}" + (f" ({state.entry_name(tournament, part.entry)})" if part.entry else "")
                    for part in tie_break.parts
                ),
            }
            for tie_break in row.tie_breaks
        ],
        "rounds": [_cell(one, state, tournament, places) for one in row.rounds],
    }


def _cell(one: RoundResult, state: State, tournament: Tournament, places: Mapping[int, int]) -> answers.Cell:
    """A cell of the crosstable: the opponent's line, the role, the score."""
    role = (
        "ab"[min(one.place, 1)]
        if tournament.rules.has_roles and tournament.rules.system is not System.KNOCK_OUT
        else ""
    )
    text = "–" if one.pairing is None else ", ".join(str(places[n]) for n in one.against) + role if one.against else "+"
    return {
        "text": text,
        "against": ", ".join(state.entry_name(tournament, n) for n in one.against),
        "score": one.score if one.pairing is not None else None,
    }


def delayed(desk: Desk) -> Reported:
    """The results that spectators may see: those older than the delay."""
    until = time.time() - desk.state.delay
    if not desk.state.delay:
        return desk.tables.reported
    return {
        pairing: {n: outcome for n, outcome in games.items() if desk.tables.ended.get(Assigned(pairing, n), 0) <= until}
        for pairing, games in desk.tables.reported.items()
    }


def refusals(desk: Desk) -> list[dict[str, Any]]:
    return [one._asdict() for one in reports.refusals(desk.database)]
