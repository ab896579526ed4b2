"""Evaluates every position of a game, and finds the moves that threw away a won or a drawn position.

`companion judge --analyse` lists the mistakes; the review page shows the evaluations too. As it is slow, it also runs
as a process (`python -m companion.analysis`), which reads one game as JSON and writes one line for each position.
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
RESULTS: tuple[Result, ...] = ("loss", "draw", "win")  # indexed by `_result_of`
SECONDS = 0.2  # for each position, by default
DECISIVE = 0.8  # a search value from here on counts as won, from 1 - 0.8 down as lost
NICE = 10  # games in play have priority


class Mistake(NamedTuple):
    """A move after which the player's expected result is worse than before. The fields are part of the JSON output."""

    ply: int
    move: str
    player: Seat
    threw_away: Result  # the result before the move
    value: float  # before the move, for the player
    after: float
    better: str
    exact: bool  # proved, not estimated by search


class Evaluation(NamedTuple):
    """The value of a position."""

    ply: int  # the number of moves before it
    side: Seat  # whose value it is: always the same with two sides
    value: float | None  # None: unknown
    exact: bool
    thrown: Mistake | None  # the mistake that led here


def find_mistakes(
    record: Record, seconds: float, progress: Callable[[int, int], None] = lambda at, of: None
) -> list[Mistake]:
    """The mistakes in a record, as far as it is legal. `progress` is called with each ply and the number of plies."""
    plies = replay(record).plies
    found = []
    for evaluation in evaluate(record, seconds):
        if evaluation.ply:
            progress(evaluation.ply, plies)
        if evaluation.thrown:
            found.append(evaluation.thrown)
    return found


def evaluate(record: Record, seconds: float) -> Iterator[Evaluation]:
    """Evaluate every position of a record, as far as it is legal."""
    positions = replay(record).positions
    before: Hint | None = None
    for ply, position in enumerate(positions):
        hint = _best_hint(record.game, position, seconds)
        thrown = _mistake(record, positions[ply - 1], position, ply - 1, before, hint) if ply else None
        side = _point_of_view(positions[: ply + 1])
        value, exact = _value_to(side, position, hint) or (None, False)
        yield Evaluation(ply, position.side(side), value, exact, thrown)
        before = hint


def _point_of_view(positions: list[AnyPosition]) -> Seat:
    """The seat whose value is given: the first one; with three sides the one to move, at the end the last mover."""
    if len(positions[-1].players) != 3:
        return positions[-1].seats[0]
    return next(position.to_move for position in reversed(positions) if position.to_move)


def _mistake(
    record: Record, position: AnyPosition, after: AnyPosition, ply: int, before: Hint | None, then: Hint | None
) -> Mistake | None:
    entry = record.moves[ply]
    value = _value_to(position.to_move, after, then)
    if not before or not value or isinstance(entry, Stood) or entry == before.move or not position.to_move:
        return None
    was, now = _result_of(before.value, before.exact), _result_of(*value)
    if now >= was:
        return None
    exact = before.exact and value[1]
    return Mistake(ply, entry, position.to_move, RESULTS[was], before.value, value[0], before.move, exact)


def _best_hint(game: AnyGame, position: AnyPosition, seconds: float) -> Hint | None:
    hint = None
    for better in think(game, position, Budget(seconds)):
        hint = better
    return hint


def _value_to(player: Seat | None, position: AnyPosition, hint: Hint | None) -> tuple[float, bool] | None:
    """The value of a position for a player who need not be to move, and whether it is exact. None if unknown."""
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
    if len(position.players) == 3:  # what the mover does not win may go to the third player
        return (0.0, True) if hint.exact and hint.value == 1 else None
    return 1 - hint.value, hint.exact


def _result_of(value: float, exact: bool) -> int:
    """0 lost, 1 drawn or open, 2 won."""
    sure = 1.0 if exact else DECISIVE
    return 2 if value >= sure else 0 if value <= 1 - sure else 1


# --- the process


def main() -> None:
    """Read one request, `{"record", "seconds"}`, and write every evaluation. Exits when the parent process does."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    for evaluation in evaluate(read_record(json.dumps(request["record"])), request["seconds"]):
        print(json.dumps(evaluation), flush=True)


def _exit_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
