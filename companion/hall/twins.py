"""One game at two tables, which play against each other through the hall.

Each table has the whole game in its own log. A player's own table decides his moves: where the other table's log
differs, its move is taken back there; where a move is missing, it is shown there until somebody makes it by hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.games import game
from companion.hall.live import LiveTable
from companion.hall.state import Twin
from companion.table.aids import twin_of

BOTH = 2


class TwinCommand(NamedTuple):
    """A command that one of the two tables needs."""

    kind: str  # start, far
    data: str  # JSON
    changes: int = 0  # how often the table's record had changed: after a change the same command is sent again


def start_command(twin: Twin, at: int, setup: dict[str, Any] | None = None) -> dict[str, Any]:
    """The data of the command that starts the game at the first table (0), or with that table's setup at the second
    (1)."""
    first, second = game(twin.data["game"]).seats[BOTH]
    found = {
        **{name: twin.data[name] for name in ("game", "options", "players", "clock")},
        "count": BOTH,
        "first": first,
        "twin": twin.id,
        "far": [second if at == 0 else first],
    }
    return found if setup is None else {**found, "setup": setup}


def pending_commands(twin: Twin, tables: Sequence[LiveTable | None]) -> list[TwinCommand | None]:
    """For each of the two tables the command that it needs now, or None."""
    playing = [live if live and twin_of(live.record) == twin.id else None for live in tables]
    one, other = playing
    if one is None:
        return [TwinCommand("start", json.dumps(start_command(twin, 0))), None]
    if other is None:
        begun = start_command(twin, 1, dict(one.record.get("setup") or {}))
        return [None, TwinCommand("start", json.dumps(begun))]  # sent twice, it still starts only once
    return [_pending_for(twin, one, other, 0), _pending_for(twin, other, one, 1)]


def _pending_for(twin: Twin, mine: LiveTable, theirs: LiveTable, at: int) -> TwinCommand | None:
    """Find the first ply at which the two records differ. If the other table's player was to move, send that move."""
    here, there = mine.record["moves"], theirs.record["moves"]
    same = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    mover = theirs.positions[same].to_move if same < len(theirs.positions) else None
    own = game(twin.data["game"]).seats[BOTH][at]
    if same == len(here) == len(there):
        ended = theirs.record.get("result")
        if ended and mine.outcome is None:
            return _far_command(twin, mine, same, None, {"winner": ended["winner"], "why": ended["why"]})
        return None
    if mover == own:
        return None
    move = there[same] if same < len(there) else None
    return _far_command(twin, mine, same, move if isinstance(move, str) else None)


def _far_command(
    twin: Twin, to: LiveTable, ply: int, move: str | None, result: dict[str, Any] | None = None
) -> TwinCommand:
    data = {"twin": twin.id, "ply": ply, "move": move, "result": result}
    return TwinCommand("far", json.dumps(data), to.record_changes)
