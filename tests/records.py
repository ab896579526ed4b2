"""What the tests share: playing records and drawing random set-ups."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from companion.errors import Reason
from companion.games import game
from companion.games.position import Position
from companion.judge import judge
from companion.record import Replay, read_record, replay

# Every game with every option that changes its rules; the dealt set-up is left out where the players lay it out.
VARIANTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("hepta", {}, {}),
    ("hepta-solo", {}, {}),
    ("tetrods", {}, {}),
    ("t-for-two", {}, {}),
    ("pegs", {}, {}),
    ("pegs", {}, {"deal": False}),
    ("pegs-solo", {}, {}),
    ("six-faces", {}, {}),
    ("six-faces", {"handedness": "left"}, {}),
    ("six-faces", {"home": "king", "repetition": True}, {}),
    ("plank", {}, {"players": 2}),
    ("plank", {"repetition": True}, {"players": 2}),
    ("plank", {"repetition": True}, {"players": 3}),
    ("plank", {"repetition": True, "talk": True}, {"players": 4}),
    ("trippples", {}, {}),
    ("trippples", {}, {"deal": False}),
    ("trippples", {"wild": True}, {}),
    ("trippples", {"hidden": True}, {}),
    ("trippples", {"hidden": True}, {"deal": False}),
    ("trippples", {"layout": "inset"}, {}),
    ("trippples", {"layout": "centre", "wild": True}, {}),
    ("trippples", {"players": 4}, {}),
    ("trippples", {"players": 4, "wild": True}, {"deal": False}),
    ("trippples", {"players": 4, "hidden": True, "layout": "inset"}, {}),
    (
        "trippples",
        {"starts": {"square": "c1", "round": "f1"}, "finishes": {"square": "c8", "round": "f8"}, "indirect": False},
        {},
    ),
]


def deal(
    game_id: str, chance: Random, options: dict[str, Any] | None = None, players: int | None = None
) -> dict[str, Any]:
    """A set-up as the players would deal it."""
    return game(game_id).dealt(chance, options or {}, players)


def names(variant: tuple[str, dict[str, Any], dict[str, Any]]) -> str:
    game_id, options, how = variant
    return "-".join([game_id, *(f"{k}={v}" for k, v in {**options, **how}.items() if not isinstance(v, dict))])


def new_record(variant: tuple[str, dict[str, Any], dict[str, Any]], seed: int) -> dict[str, Any]:
    """A record of this variant before the first move."""
    game_id, options, how = variant
    setup = deal(game_id, Random(seed), options, how.get("players")) if how.get("deal", True) else {}
    return {"game": game_id, "options": json.loads(json.dumps(options)), "setup": setup, "moves": []}


def played(record: dict[str, Any]) -> Replay:
    return replay(read_record(json.dumps(record)))


def position(game_id: str, moves: list[Any], options: Any = None, setup: Any = None) -> Position[Any]:
    """The position after these legal moves."""
    found = played({"game": game_id, "options": options or {}, "setup": setup or {}, "moves": moves})
    assert found.illegal is None, found.illegal
    return found.position


def refusal(game_id: str, moves: list[Any], options: Any = None, setup: Any = None) -> Reason:
    """Why the last of these moves is refused."""
    found = played({"game": game_id, "options": options or {}, "setup": setup or {}, "moves": moves})
    assert found.illegal is not None, f"{moves[-1]} was accepted"
    assert found.illegal.ply == len(moves) - 1, found.illegal
    return found.illegal.reason


def verdict(game_id: str, moves: list[Any], options: Any = None, setup: Any = None, **more: Any) -> dict[str, Any]:
    return judge(
        read_record(
            json.dumps({"game": game_id, "options": options or {}, "setup": setup or {}, "moves": moves, **more})
        )
    )


def legal(at: Position[Any]) -> list[str]:
    return sorted(map(str, at.moves()))


def read(game_id: str, text: str) -> Any:
    return game(game_id).read(text)
