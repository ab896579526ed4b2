"""How somebody plays who is neither strong nor foolish: the players of the simulated table, and of examples."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

from companion.games.game import AnyGame
from companion.games.position import AnyPosition
from companion.solvers import general


def sensible_move(game: AnyGame, position: AnyPosition, chance: Random, tired: bool = False) -> Any:
    """A legal move, such that games come to an end: as the game's own solver likes it, or as anybody would.

    Who is tired cares less.
    """
    choose = getattr(import_module(game.solver), "sensible", general.sensible)
    return choose(position, chance, tired)
