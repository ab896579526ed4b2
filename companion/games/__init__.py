"""The registry of games: the seven of the kit with their solitaires, and those of other packages.

A game from outside is an entry point of the group `companion.games` that names its `Game`:

    [project.entry-points."companion.games"]
    five = "five_in_a_row:FIVE"
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module

from companion.games.game import AnyGame

GROUP = "companion.games"
# The kit's own games. A module is imported when its game is needed; entry points are searched only for other games,
# since that takes longer than judging a record.
_OWN = {
    "hepta": "companion.games.hepta:HEPTA",
    "hepta-solo": "companion.games.hepta:HEPTA_SOLO",
    "tetrods": "companion.games.tetrods:TETRODS_GAME",
    "t-for-two": "companion.games.t_for_two:T_FOR_TWO",
    "pegs": "companion.games.pegs:PEGS_GAME",
    "pegs-solo": "companion.games.pegs:PEGS_SOLO",
    "six-faces": "companion.games.six_faces:SIX_FACES",
    "plank": "companion.games.plank:PLANK",
    "trippples": "companion.games.trippples:TRIPPPLES",
}
_loaded: dict[str, AnyGame] = {}


def game(game_id: str) -> AnyGame:
    """The game with this id; KeyError if there is none."""
    if game_id not in _loaded:
        place = _OWN.get(game_id) or _from_outside()[game_id]
        module, _, name = place.partition(":")
        _loaded[game_id] = getattr(import_module(module), name)
        loaded_games.cache_clear()
    return _loaded[game_id]


def game_ids() -> tuple[str, ...]:
    """The ids of all games, the kit's own first."""
    return (*_OWN, *_from_outside())


def is_game(game_id: object) -> bool:
    return isinstance(game_id, str) and (game_id in _OWN or game_id in _from_outside())


def games_on(field: str) -> list[AnyGame]:
    """The games that are played on a field of the kit."""
    return [found for found in map(game, game_ids()) if found.field == field]


@cache
def loaded_games() -> tuple[AnyGame, ...]:
    """The games that have been imported so far. Message codes of games belong to one of these."""
    return tuple(_loaded.values())


def _has_games(folder: str) -> bool:
    """Whether a package installed in this folder has entry points for games."""
    try:
        installed = [
            found.path for found in os.scandir(folder or ".") if found.name.endswith((".dist-info", ".egg-info"))
        ]
    except OSError:
        return False
    return any(f"[{GROUP}]".encode() in _content(os.path.join(path, "entry_points.txt")) for path in installed)


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return b""


@cache
def _from_outside() -> dict[str, str]:
    """The games of other packages: the entry point of each. They cannot replace the kit's games."""
    if not any(map(_has_games, sys.path)):  # importing importlib.metadata takes longer than judging a record
        return {}
    from importlib.metadata import entry_points

    return {found.name: found.value for found in entry_points(group=GROUP) if found.name not in _OWN}
