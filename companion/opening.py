"""How a game begins: with options, and a set-up that is given, dealt, or seen by the camera."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from companion.dealing import deal
from companion.games.position import BadInput, Visible
from companion.games.trippples import TILES
from companion.record import read_record

PLAYERS = (2, 3, 4)  # of Plank
DEALT = ("plank",)  # without a set-up the companion deals; all other games begin with what lies there or is played


def opening(
    game_id: str,
    options: Mapping[str, Any],
    setup: Mapping[str, Any] | None = None,
    seen: Visible | None = None,
    chance: Random | None = None,
    about: Mapping[str, Any] | None = None,
    south: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """A record before the first move. BadInput says what is missing, or what lies on the table that cannot be."""
    record: dict[str, Any] = {"game": game_id, "options": dict(options), "setup": dict(setup or {}), "moves": []}
    if about:
        record["about"] = dict(about)
    if seen is not None:
        _as_seen(record, seen, south or {})
    if game_id in DEALT and "hands" not in record["setup"]:
        players = record["setup"].get("players", 2)
        if players not in PLAYERS or not isinstance(players, int):
            raise BadInput("setup.players", "not-one-of", value=players, choices=", ".join(map(str, PLAYERS)))
        record["setup"] |= deal(game_id, chance or Random(), dict(options), players)
    started = read_record(json.dumps(record)).start
    if seen is not None and started.visible() != seen:
        raise BadInput("camera", "not-a-start", game=game_id)
    return record


def _as_seen(record: dict[str, Any], seen: Visible, south: Mapping[str, str]) -> None:
    """Fills in what the set-up lacks from what the camera sees."""
    match record["game"]:
        case "hepta-solo":
            record["setup"].setdefault("blockers", _squares(seen, "#"))
        case "tetrods":
            record["setup"].setdefault("mushrooms", _squares(seen, "o"))
        case "trippples":
            _tiles(record, seen)
        case "six-faces":
            _dice(record, seen, south)


def _squares(seen: Visible, code: str) -> list[str]:
    rows = seen["rows"]
    return sorted(
        f"{'abcdefghi'[column]}{len(rows) - n}"
        for n, row in enumerate(rows)
        for column, cell in enumerate(row)
        if cell == code
    )


def _tiles(record: dict[str, Any], seen: Visible) -> None:
    """Tiles, starts, finishes and neutral squares as they lie; with hidden or no tiles only the latter."""
    options = record["options"]
    places = {code: _squares(seen, code) for code in ("start-square", "start-round", "finish-square", "finish-round")}
    if all(len(squares) == 1 for squares in places.values()) and options.get("players", 2) == 2:
        for kind, name in (("start", "starts"), ("finish", "finishes")):
            options.setdefault(name, {pawn: places[f"{kind}-{pawn}"][0] for pawn in ("square", "round")})
        if len(neutral := _squares(seen, "neutral")) == 4:
            options.setdefault("neutral", neutral)
    arrows = {square: tile for tile in TILES for square in _squares(seen, tile)}
    if len(arrows) == len(TILES):
        record["setup"].setdefault("tiles", dict(sorted(arrows.items())))


def _dice(record: dict[str, Any], seen: Visible, south: Mapping[str, str]) -> None:
    """The opening rows need nothing; elsewhere the dice's south faces cannot be seen and must be told."""
    setup = record["setup"]
    if "dice" in setup or seen == read_record(json.dumps(record)).start.visible():
        return
    dice = {}
    for code in sorted({code for row in seen["rows"] for code in row if code != "."}):
        die = code.partition(":")[0]
        for square in _squares(seen, code):
            if die[1] != "K" and square not in south:
                raise BadInput("--south", "hidden-face", square=square, die=die)
            dice[square] = die if die[1] == "K" else f"{die}/{south[square]}"
    setup["dice"] = dict(sorted(dice.items()))
