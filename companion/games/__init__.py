"""The seven games and their solitaires, one module a game, all behind the interface in `position`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from companion.games.position import Game

# Where each game lives; a module is loaded when its game is asked for.
_MODULES = {
    "hepta": ("hepta", "HEPTA"),
    "hepta-solo": ("hepta", "HEPTA_SOLO"),
    "tetrods": ("tetrods", "TETRODS_GAME"),
    "t-for-two": ("t_for_two", "T_FOR_TWO"),
    "pegs": ("pegs", "PEGS_GAME"),
    "pegs-solo": ("pegs", "PEGS_SOLO"),
    "six-faces": ("six_faces", "SIX_FACES"),
    "plank": ("plank", "PLANK"),
    "trippples": ("trippples", "TRIPPPLES"),
}
GAME_IDS = tuple(_MODULES)


def game(game_id: str) -> Game[Any]:
    """The game with this id; KeyError if there is none."""
    module, name = _MODULES[game_id]
    found: Game[Any] = getattr(import_module(f"companion.games.{module}"), name)
    return found
