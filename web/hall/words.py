"""The hall in words: tables, tournaments and standings, in the reader's language."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from companion.games import game, is_game
from companion.games.position import Outcome
from companion.hall import reports
from companion.hall.desk import Desk
from companion.hall.live import ONLINE, Assigned, Live
from companion.hall.standings import Played, Reported, Standing, standings, tie_break_names
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
        "online": time.time() - alive < ONLINE,
        "trouble": live.trouble(alive) if live else [],
        "trouble_text": "",
        "game": None,
        "game_name": "",
        "players": [],
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
    told["turn_text"] = result(live.outcome, position, language)
    told["moves"] = len(live.positions) - 1
    moves = live.record.get("moves") or []
    told["last_move"] = _last_move(live, moves[-1], language) if moves and len(live.positions) > 1 else ""
    told["over"] = live.outcome is not None
    if live.clock:
        told["clock"] = {
            "at": live.clock_at,
            "running": live.clock.get("running"),
            "seats": live.clock.get("seats", {}),
        }
    if played := live.assigned:
        told["pairing"] = played.pairing
        held = state.pairing(played.pairing)
        if held:
            tournament, pairing = held
            told["round"] = next(r.number for r in tournament.rounds if pairing in r.pairings)
            if tournament.rules.match_length > 1:
                told["match"] = f"{played.number + 1}/{tournament.rules.match_length}"


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
        return f"{said}: {verdict_text(live.verdict.data, language)}"
    return said


def verdict_text(judged: Mapping[str, Any], language: str) -> str:
    """What a table's verdict says, by what its event holds."""
    from companion.errors import Reason

    reason = judged.get("reason")
    try:
        if reason:
            rule, code, params = (reason[name] for name in Reason._fields)
            return f"{say_reason(Reason(rule, code, params), language)} ({rule})"
        return say("VERDICTS", str(judged.get("code")), {"moves": " ".join(judged.get("moves") or ())}, language)
    except (KeyError, TypeError, ValueError, IndexError):  # what another companion says
        return str(judged.get("code"))


def rule_text(rule: str, language: str) -> str:
    """What a rule says, as the game's sheet has it."""
    name = rule.rpartition(".")[0]
    sheet = game(name).words[language].sheet if is_game(name) else None
    return sheet.rules.get(rule, "") if sheet else ""


# --- tournaments


def tournament(desk: Desk, held: Tournament, language: str, reported: Reported, drafts: bool) -> answers.TournamentTold:
    state, rules = desk.state, held.rules
    ratings = desk.ratings()
    rows = standings(held, reported)
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
        "standings": [standing(state, held, row, language) for row in rows],
        "tie_breaks": [explained(name, language) for name in rules.tie_breaks or tie_break_names()],
        "corrections": [
            {
                "pairing": pairing,
                "who": entered.who,
                "at": entered.at,
                "reason": entered.reason,
                "scores": {str(n): value for n, value in entered.scores.items()},
            }
            for pairing, all_entered in held.by_desk.items()
            for entered in all_entered
        ]
        if drafts
        else [],
    }


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
    entered = held.by_desk.get(one.id)
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
            "scores": {str(n): value for n, value in entered[-1].scores.items()},
            "who": entered[-1].who,
            "at": entered[-1].at,
            "reason": entered[-1].reason,
        }
        if entered
        else None,
        "by_table": {str(n): value for n, value in by_table.scores.items()} if by_table else None,
        "differs": bool(entered and by_table and dict(entered[-1].scores) != dict(by_table.scores)),
        "games": f"{len(outcomes)}/{held.rules.match_length}",
    }


def standing(state: State, held: Tournament, row: Standing, language: str) -> answers.StandingTold:
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
        "rounds": [_cell(one, held) for one in row.rounds],
    }


def _cell(one: Played, held: Tournament) -> str:
    """A round in a crosstable: against whom by his number, as what, and what came of it."""
    if one.pairing is None:
        return "–"
    if not one.against:
        return "+"
    order = {n: place for place, n in enumerate(sorted(held.entries), 1)}
    against = ",".join(str(order[n]) for n in one.against)
    role = "ab"[min(one.place, 1)] if held.rules.has_roles and held.rules.system is not System.KNOCK_OUT else ""
    return f"{against}{role}{'' if one.score is None else ' ' + number(one.score)}"


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
