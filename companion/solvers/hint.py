"""Hints: the best move with its expected result, improving while there is time."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from companion.games.game import AnyGame
from companion.games.position import AnyPosition


class Hint(NamedTuple):
    move: str
    value: float  # the expected result for the player to move (or his team): 1 a win, 0.5 a draw, 0 a loss
    line: tuple[str, ...]  # the principal variation, this move first
    exact: bool  # the value is proved


class Stop:
    """A flag that stops a search within 20 ms; an int32, since compiled code reads it too."""

    def __init__(self) -> None:
        self.flag = ctypes.c_int32(0)

    def set(self) -> None:
        self.flag.value = 1

    def __bool__(self) -> bool:
        return bool(self.flag.value)


NEVER = Stop()  # never set: for searches that are not stopped


class Budget(NamedTuple):
    """The limits of a search. Work is counted in nodes, so that results with such a limit are reproducible."""

    seconds: float
    seed: int = 0
    stop: Stop = NEVER
    work: int = 0  # 0: unlimited


def think(game: AnyGame, position: AnyPosition, budget: Budget) -> Iterator[Hint]:
    """Improving hints by the game's solver, the first at once, until one is exact or the budget is spent.

    There is at least one, unless the game is over.
    """
    hint = None
    for hint in import_module(game.solver).think(position, budget):
        yield hint
    if hint is None and not position.outcome():  # the budget was too small
        move = str(next(position.moves()))
        yield Hint(move, 0.5, (move,), False)
