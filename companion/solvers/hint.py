"""Hints: what to play and what it is worth, better and better while there is time."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from companion.games.game import AnyGame
from companion.games.position import AnyPosition


class Hint(NamedTuple):
    move: str
    value: float  # the result that the player to move (or his team) can expect: 1 a win, 0.5 a draw, 0 a loss
    line: tuple[str, ...]  # how play may go on, this move first
    exact: bool  # proved, not searched


class Stop:
    """Ends a search from outside, within 20 ms: an int32 that compiled code looks at as well."""

    def __init__(self) -> None:
        self.flag = ctypes.c_int32(0)

    def set(self) -> None:
        self.flag.value = 1

    def __bool__(self) -> bool:
        return bool(self.flag.value)


NEVER = Stop()  # is never set: for searches that nobody stops


class Budget(NamedTuple):
    """What may be spent on a position. Work is counted in each search's own nodes: the same answer on any machine."""

    seconds: float
    seed: int = 0
    stop: Stop = NEVER
    work: int = 0  # 0: as much as there is time for


def think(game: AnyGame, position: AnyPosition, budget: Budget) -> Iterator[Hint]:
    """Better and better hints, the first at once; ends when one is exact or the budget is spent.

    At least one, but none when the game is over. How to think about its positions the game's solver knows.
    """
    hint = None
    for hint in import_module(game.solver).think(position, budget):
        yield hint
    if hint is None and not position.outcome():  # there was no time at all
        move = str(next(position.moves()))
        yield Hint(move, 0.5, (move,), False)
