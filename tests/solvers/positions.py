"""Positions of random games, for tests of those who think about them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.dealing import deal
from companion.games.position import Position
from companion.record import read_record, replay
from companion.solvers import compiled

PERFT = json.loads((Path(__file__).parent.parent / "games" / "perft.json").read_text())
HOMES = Path(compiled.__file__).parent


def position_of(record: dict[str, Any]) -> Position[Any]:
    played = replay(read_record(json.dumps(record)))
    assert played.illegal is None
    return played.position


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


def core() -> Any:
    """The compiled core; a test that needs it says so where there is none, and fails where all must be tested."""
    if compiled.core is None:
        assert "CI" not in os.environ, "the compiled core is not built"
        pytest.skip("the compiled core is not built: make compiler setup")
    return compiled.core
