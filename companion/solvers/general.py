"""For games that have no solver of their own: a search over the rules alone, and play that is good enough to watch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from companion.games.position import AnyPosition, Seat
from companion.solvers import pure
from companion.solvers.hint import Budget, Hint
from companion.solvers.levels import allied

Move = Any
LOOKED_AT = 40  # moves of which it is asked whether they let another win


def think(position: AnyPosition, budget: Budget) -> Iterator[Hint]:
    return pure.think(position, budget)


def sensible(position: AnyPosition, chance: Random, tired: bool = False) -> Move:
    """A legal move by chance, but a winning one where there is one, and none that lets another win at once.

    Who is tired overlooks the latter, so that games come to an end.
    """
    moves = list(position.moves())
    won = winning(position, moves)
    if won is not None:
        return won
    chance.shuffle(moves)
    return careful(position, moves, tired)


def winning(position: AnyPosition, moves: Iterable[Move]) -> Move | None:
    """The first of these moves that wins at once."""
    return next((move for move in moves if _wins(position, move)), None)


def careful(position: AnyPosition, moves: Sequence[Move], tired: bool) -> Move:
    """The first of these moves after which nobody else can win at once; the very first if there is none."""
    safe = (move for move in moves[:LOOKED_AT] if tired or not _lets_win(position.play(move), position.to_move))
    return next(safe, moves[0])


def _wins(position: AnyPosition, move: Move) -> bool:
    outcome, mover = position.play(move).outcome(), position.to_move
    return bool(outcome and outcome.winner and mover and allied(position, outcome.winner, mover))


def _lets_win(position: AnyPosition, mover: Seat | None) -> bool:
    """Whether the next one can win who is not on the side of him who moved."""
    then = position.to_move
    if then is None or mover is None or allied(position, then, mover):
        return False
    return winning(position, position.moves()) is not None
