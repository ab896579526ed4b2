"""Matches at a table: the next game of a match and the match's score, derived from the log.

The event that begins a game says which game of which match it is. A match is identified by the number of its first
game. Everything else follows from the games' results.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.errors import BadInput
from companion.events import EventKind, MatchGame
from companion.games import game
from companion.games.match import Match, match
from companion.games.position import Outcome, Seat
from companion.record import read_record, replay
from companion.store import Store
from companion.summaries import players


def first_game(played: Match) -> MatchGame:
    return MatchGame(first=None, number=0, games=played.games, names=list(played.names))


def next_game(of: MatchGame, number: int) -> MatchGame:
    """The match data of the next game. `number`: the log's number of the game before it."""
    return MatchGame(first=of["first"] or number, number=of["number"] + 1, games=of["games"], names=of["names"])


def match_before(store: Store, number: int) -> Match | None:
    """The match of a game, with the games played before it; None if it belongs to none. If a game was repeated, the
    last repetition counts; removed games do not count. The first game may have begun as a single game."""
    kept = store.game(number)
    if kept.match is None:
        return None
    of, first = kept.match, kept.match["first"] or number
    earlier: dict[int, int] = {0: first} if first < number and not store.game(first).shelf.removed else {}
    for event in store.events(kinds=(EventKind.NEW,)):
        if event.game < number and "match" in event.data:
            other = store.game(event.game)
            match_data = other.match
            if match_data and (match_data["first"] or event.game) == first and not other.shelf.removed:
                earlier[match_data["number"]] = event.game
    found = match(game(kept.record["game"]), tuple(of["names"]), of["games"])
    for place in sorted(place for place in earlier if place < of["number"]):
        record = store.record(earlier[place])
        if outcome := outcome_of(record):
            found = found.after(outcome, seating_in(record, found))
    return found


def outcome_of(record: Mapping[str, Any]) -> Outcome | None:
    """The outcome of a game; None if it has not ended, or its record is not valid."""
    try:
        played = replay(read_record(json.dumps(record)))
    except BadInput:
        return None
    return None if played.illegal else played.outcome


def seating_in(record: Mapping[str, Any], played: Match) -> dict[Seat, str] | None:
    """The player in each seat, by the record; None if it does not name all of them."""
    names = players(record.get("about"), lambda: record)
    seats = played.game.seats[len(played.names)]
    return dict(zip(seats, names, strict=True)) if sorted(names) == sorted(played.names) else None
