"""One game, two boards: two tables in different places play against each other through the hall.

Each table has the whole game in its own log. A move is the word of the table at which its player sits: what the other
has otherwise is taken back there, what it lacks is announced, drawn and lit until it is made by hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.games import game
from companion.hall.live import Live
from companion.hall.state import Twin
from companion.table.aids import twin_of

BOTH = 2


class Follow(NamedTuple):
    """What a table of the game is to be told."""

    kind: str  # of a command: start, far
    data: str  # JSON
    changes: int = 0  # of the game there by then: what was undone and made again is told again


def start_of(twin: Twin, at: int, setup: dict[str, Any] | None = None) -> dict[str, Any]:
    """The command that begins the game at the first table (0) or, as that one has begun, at the second (1)."""
    first, second = game(twin.data["game"]).seats[BOTH]
    found = {
        **{name: twin.data[name] for name in ("game", "options", "players", "clock")},
        "count": BOTH,
        "first": first,
        "twin": twin.id,
        "far": [second if at == 0 else first],
    }
    return found if setup is None else {**found, "setup": setup}


def wanted_of(twin: Twin, tables: Sequence[Live | None]) -> list[Follow | None]:
    """For each of the two tables what it lacks; None: nothing now."""
    playing = [live if live and twin_of(live.record) == twin.id else None for live in tables]
    one, other = playing
    if one is None:
        return [Follow("start", json.dumps(start_of(twin, 0))), None]
    if other is None:
        begun = start_of(twin, 1, dict(one.record.get("setup") or {}))
        return [None, Follow("start", json.dumps(begun))]  # told twice, it is begun once
    return [_lacks(twin, one, other, 0), _lacks(twin, other, one, 1)]


def _lacks(twin: Twin, mine: Live, theirs: Live, at: int) -> Follow | None:
    """Up to where both say the same; the next move, if it is for the other table to make, is what counts there."""
    here, there = mine.record["moves"], theirs.record["moves"]
    same = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    mover = theirs.positions[same].to_move if same < len(theirs.positions) else None
    own = game(twin.data["game"]).seats[BOTH][at]
    if same == len(here) == len(there):
        ended = theirs.record.get("result")
        if ended and mine.outcome is None:
            return _far(twin, mine, same, None, {"winner": ended["winner"], "why": ended["why"]})
        return None
    if mover == own:
        return None
    move = there[same] if same < len(there) else None
    return _far(twin, mine, same, move if isinstance(move, str) else None)


def _far(twin: Twin, to: Live, ply: int, move: str | None, result: dict[str, Any] | None = None) -> Follow:
    told = {"twin": twin.id, "ply": ply, "move": move, "result": result}
    return Follow("far", json.dumps(told), to.record_changes)
