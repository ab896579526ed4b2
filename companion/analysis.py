"""What a played game was worth at every move, and the moves that threw away a won or a drawn position.

`companion judge --analyse` tells the mistakes; the review of a game shows them all over its moves. It takes a while: as
a process of its own (`python -m companion.analysis`) it is sent one game as JSON and tells each position as a line.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Seat
from companion.record import Record, Stood, read_record, replay
from companion.solvers.hint import Budget, Hint, think
from companion.solvers.levels import allied

Result = Literal["loss", "draw", "win"]
RESULTS: tuple[Result, ...] = ("loss", "draw", "win")  # by `_standing`
SECONDS = 0.2  # for each position, unless told otherwise
LIKELY = 0.8  # a search that expects more calls it won; less than the rest to 1, lost
NICE = 10  # whoever plays comes first


class Thrown(NamedTuple):
    """A move after which the player's result is worse than it was."""

    ply: int
    move: str
    player: Seat
    threw_away: Result  # the better one that he had
    value: float  # before, for the player
    after: float
    better: str
    exact: bool  # proved; else by search


class Assessed(NamedTuple):
    """What a position is worth."""

    ply: int  # after so many moves
    side: Seat  # to whom: always the same where two sides play
    value: float | None  # None: it is not known
    exact: bool
    thrown: Thrown | None  # the mistake that led here


def thrown_away(record: Record, seconds: float, told: Callable[[int, int], None] = lambda at, of: None) -> list[Thrown]:
    """The mistakes of a record, as far as it is legal. `told` hears of each position: its number, and of how many."""
    plies = replay(record).plies
    found = []
    for assessed in assess(record, seconds):
        if assessed.ply:
            told(assessed.ply, plies)
        if assessed.thrown:
            found.append(assessed.thrown)
    return found


def assess(record: Record, seconds: float) -> Iterator[Assessed]:
    """Every position of a record from the start on, as far as it is legal."""
    positions = replay(record).positions
    before: Hint | None = None
    for ply, position in enumerate(positions):
        hint = _thought(record.game, position, seconds)
        thrown = _thrown(record, positions[ply - 1], position, ply - 1, before, hint) if ply else None
        side = _watched(positions[: ply + 1])
        value, exact = _value_to(side, position, hint) or (None, False)
        yield Assessed(ply, position.side(side), value, exact, thrown)
        before = hint


def _watched(positions: list[AnyPosition]) -> Seat:
    """For whom a position is valued: the first seat; with three sides who is to move, at the end who moved last."""
    if len(positions[-1].players) != 3:
        return positions[-1].seats[0]
    return next(position.to_move for position in reversed(positions) if position.to_move)


def _thrown(
    record: Record, position: AnyPosition, after: AnyPosition, ply: int, before: Hint | None, then: Hint | None
) -> Thrown | None:
    entry = record.moves[ply]
    value = _value_to(position.to_move, after, then)
    if not before or not value or isinstance(entry, Stood) or entry == before.move or not position.to_move:
        return None
    was, now = _standing(before.value, before.exact), _standing(*value)
    if now >= was:
        return None
    exact = before.exact and value[1]
    return Thrown(ply, entry, position.to_move, RESULTS[was], before.value, value[0], before.move, exact)


def _thought(game: AnyGame, position: AnyPosition, seconds: float) -> Hint | None:
    hint = None
    for better in think(game, position, Budget(seconds)):
        hint = better
    return hint


def _value_to(player: Seat | None, position: AnyPosition, hint: Hint | None) -> tuple[float, bool] | None:
    """What a position is worth to one who may not be to move, and whether that is sure; None if it is not known."""
    mover = position.to_move
    if player is None:
        return None
    if outcome := position.outcome():
        if outcome.winner is None:
            return (0.5, True) if outcome.draw else (0.0, True) if len(position.players) == 1 else None
        return float(allied(position, outcome.winner, player)), True
    if hint is None or mover is None:
        return None
    if allied(position, mover, player):
        return hint.value, hint.exact
    if len(position.players) == 3:  # what is not his need not be mine
        return (0.0, True) if hint.exact and hint.value == 1 else None
    return 1 - hint.value, hint.exact


def _standing(value: float, exact: bool) -> int:
    """0 lost, 1 drawn or open, 2 won."""
    sure = 1.0 if exact else LIKELY
    return 2 if value >= sure else 0 if value <= 1 - sure else 1


# --- the process


def main() -> None:
    """Reads one question, `{"record", "seconds"}`, and tells every position; ends when its asker does."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_asker, daemon=True).start()
    for assessed in assess(read_record(json.dumps(asked["record"])), asked["seconds"]):
        print(json.dumps(assessed), flush=True)


def _end_with_asker() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
