"""Moves of an average player, for the simulated table and for sample games."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

from companion.games.game import AnyGame
from companion.games.position import AnyPosition
from companion.solvers import general


def sensible_move(game: AnyGame, position: AnyPosition, chance: Random, tired: bool = False) -> Any:
    """A legal move, by `sensible` of the game's solver if it has one, else by the general one.

    A tired player is less careful, so that games end.
    """
    choose = getattr(import_module(game.solver), "sensible", general.sensible)
    return choose(position, chance, tired)
