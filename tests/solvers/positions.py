"""Positions of random games, for tests of those who think about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from ctypes import addressof, c_uint32
from pathlib import Path
from random import Random
from typing import Any

from companion.games import game
from companion.games.position import Position
from companion.record import read_record, replay
from companion.solvers import compiled, hint
from companion.solvers.hint import Budget, Hint
from companion.solvers.structs import Rules
from tests.parts import lacking
from tests.records import deal

PERFT = json.loads((Path(__file__).parent.parent / "games" / "perft.json").read_text())
HOMES = Path(compiled.__file__).parent
GAME_OF = {
    "Hepta": "hepta",
    "HeptaSolo": "hepta-solo",
    "Tetrods": "tetrods",
    "TForTwo": "t-for-two",
    "Pegs": "pegs",
    "PegsSolo": "pegs-solo",
    "SixFaces": "six-faces",
    "PlankGame": "plank",
    "Trippples": "trippples",
}


def position_of(record: dict[str, Any]) -> Position[Any]:
    played = replay(read_record(json.dumps(record)))
    assert played.illegal is None
    return played.position


def think(position: Position[Any], budget: Budget) -> Iterator[Hint]:
    """Hints for a position of whichever game."""
    return hint.think(game(GAME_OF[type(position).__name__]), position, budget)


def random_game(record: dict[str, Any], chance: Random, longest: int = 200) -> Iterator[Position[Any]]:
    """The positions of a game played at random from a record's."""
    position = position_of(record)
    for _ in range(longest):
        yield position
        moves = list(position.moves())
        if not moves:
            return
        position = position.play(chance.choice(moves))


def dealt(game_id: str, chance: Random, **options: Any) -> dict[str, Any]:
    players = chance.choice((2, 3, 4)) if game_id == "plank" else 2
    return {"game": game_id, "options": options, "setup": deal(game_id, chance, options, players)}


def legal(rules: Rules, state: Any) -> list[int]:
    """The moves of a state of the core."""
    moves = (c_uint32 * rules.most_moves)()
    return moves[: rules.moves(addressof(state), moves)]


def core() -> Any:
    """The compiled core."""
    if compiled.core is None:
        assert not compiled.refused, compiled.refused
        lacking("the compiled core is not built: make compiler setup")
    return compiled.core
