"""Matches at a table: which game of a match comes next, and how it stands, by what the log keeps.

The event that begins a game says which game of which match it is; a match is known by the number of its first game.
Everything else follows from how its games ended.
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
    """The game after the one with this number in the log."""
    return MatchGame(first=of["first"] or number, number=of["number"] + 1, games=of["games"], names=of["names"])


def match_before(store: Store, number: int) -> Match | None:
    """The match of a game, with the games that were played before it; None if it belongs to none. A game that was
    played again, or removed, counts as it was played last. The first may have begun as a single game, which its return
    leg made a match."""
    kept = store.game(number)
    if kept.match is None:
        return None
    of, first = kept.match, kept.match["first"] or number
    earlier: dict[int, int] = {0: first} if first < number and not store.game(first).shelf.removed else {}
    for event in store.events(kinds=(EventKind.NEW,)):
        if event.game < number and "match" in event.data:
            other = store.game(event.game)
            told = other.match
            if told and (told["first"] or event.game) == first and not other.shelf.removed:
                earlier[told["number"]] = event.game
    found = match(game(kept.record["game"]), tuple(of["names"]), of["games"])
    for place in sorted(place for place in earlier if place < of["number"]):
        record = store.record(earlier[place])
        if outcome := outcome_of(record):
            found = found.after(outcome, seated(record, found))
    return found


def outcome_of(record: Mapping[str, Any]) -> Outcome | None:
    """How a game ended; None if it has not, or if it makes no sense today."""
    try:
        played = replay(read_record(json.dumps(record)))
    except BadInput:
        return None
    return None if played.illegal else played.outcome


def seated(record: Mapping[str, Any], played: Match) -> dict[Seat, str] | None:
    """Who sat where by the record itself; None if it does not say it of everybody."""
    names = players(record.get("about"), lambda: record)
    seats = played.game.seats[len(played.names)]
    return dict(zip(seats, names, strict=True)) if sorted(names) == sorted(played.names) else None
