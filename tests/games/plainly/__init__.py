"""The rules read a second time, plainly and slowly, to hold the companion's own reading against.

Written from the rules, the formats and the kit alone (docs/): nothing here may be taken from `companion`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrows import Trippples
from .cards import Pegs, PegsSolo
from .common import Plain
from .dice import SixFaces
from .pieces import Hepta, HeptaSolo, Tetrods, TForTwo
from .planks import Plank

GAMES: dict[str, Callable[[dict[str, Any], dict[str, Any]], Plain]] = {
    "hepta": Hepta,
    "hepta-solo": HeptaSolo,
    "tetrods": Tetrods,
    "t-for-two": TForTwo,
    "pegs": Pegs,
    "pegs-solo": PegsSolo,
    "six-faces": SixFaces,
    "plank": Plank,
    "trippples": Trippples,
}


def plainly(record: dict[str, Any]) -> Plain:
    """The game of a record, its moves played."""
    game = GAMES[record["game"]](record.get("options", {}), record.get("setup", {}))
    for text in record.get("moves", []):
        game.play(text)
    return game
