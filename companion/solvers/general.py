"""The solver for games without one of their own: a search over the rules, and moves for simulated players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from companion.games.position import AnyPosition, Seat
from companion.solvers import pure
from companion.solvers.hint import Budget, Hint
from companion.solvers.levels import allied

Move = Any
CHECKED_MOVES = 40  # moves that are checked for letting an opponent win


def think(position: AnyPosition, budget: Budget) -> Iterator[Hint]:
    return pure.think(position, budget)


def sensible(position: AnyPosition, chance: Random, tired: bool = False) -> Move:
    """A winning move if there is one, else a random move that does not let an opponent win at once.

    A tired player does not check the latter, so that games end.
    """
    moves = list(position.moves())
    won = winning(position, moves)
    if won is not None:
        return won
    chance.shuffle(moves)
    return careful(position, moves, tired)


def winning(position: AnyPosition, moves: Iterable[Move]) -> Move | None:
    """The first of these moves that wins at once, or None."""
    return next((move for move in moves if _wins(position, move)), None)


def careful(position: AnyPosition, moves: Sequence[Move], tired: bool) -> Move:
    """The first of these moves after which no opponent can win at once; the first of all if there is none."""
    safe = (move for move in moves[:CHECKED_MOVES] if tired or not _allows_win(position.play(move), position.to_move))
    return next(safe, moves[0])


def _wins(position: AnyPosition, move: Move) -> bool:
    outcome, mover = position.play(move).outcome(), position.to_move
    return bool(outcome and outcome.winner and mover and allied(position, outcome.winner, mover))


def _allows_win(position: AnyPosition, mover: Seat | None) -> bool:
    """Whether the next player can win at once and is an opponent of the one who moved."""
    then = position.to_move
    if then is None or mover is None or allied(position, then, mover):
        return False
    return winning(position, position.moves()) is not None
