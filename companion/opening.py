"""How a game begins: with options, and a set-up that is given, dealt, or seen by the camera."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from companion.dealing import deal
from companion.games.position import BadInput, Visible
from companion.games.six_faces import face_seen
from companion.games.trippples import TILES
from companion.record import read_record
from companion.referee import Wrong

PLAYERS = (2, 3, 4)  # of Plank
DEALT = ("plank",)  # without a set-up the companion deals; all other games begin with what lies there or is played


LAID = {"hepta-solo": ("#", 7), "tetrods": ("o", 13)}  # what the players put on squares of their own choice, before


class Lacking(NamedTuple):
    """Pieces of which any squares will do: how many lie there, and how many are needed."""

    code: str
    there: int
    needed: int


class Hidden(NamedTuple):
    """A die that does not stand as in the opening: which face may look south, as far as can be seen."""

    square: str
    die: str
    south: tuple[int, ...]
    unmoved: bool  # it stands where one like it stands in the opening


class Start(NamedTuple):
    """What lies on the table before a game: why it cannot begin so, if it cannot, and what would put it right."""

    missing: BadInput | None
    seen: Visible
    should: Visible | None = None  # how it should look; what may lie anywhere is left as it is seen
    wrong: tuple[Wrong, ...] = ()
    lacking: Lacking | None = None
    hidden: tuple[Hidden, ...] = ()


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


def check(game_id: str, options: Mapping[str, Any], setup: Mapping[str, Any] | None, seen: Visible) -> Start:
    """Whether a game could begin with what is seen, and if not, what must be done."""
    try:
        opening(game_id, options, setup, seen)
    except BadInput as why:
        missing = why
    else:
        return Start(None, seen)
    if "planks" in seen:  # before the game none lies there
        wrong = tuple(Wrong(f"b{n}", ".", plank["colors"]) for n, plank in enumerate(seen["planks"]))
        return Start(missing, seen, seen, wrong)
    if game_id in LAID and not (setup or {}):
        code, needed = LAID[game_id]
        should: Visible = {"rows": [[cell if cell == code else "." for cell in row] for row in seen["rows"]]}
        lacking = Lacking(code, len(_squares(seen, code)), needed)
        return Start(missing, seen, should, differences(should, seen), lacking)
    try:
        should = _start(game_id, options, setup)
        if game_id == "trippples" and sum(len(_squares(seen, tile)) for tile in TILES) > len(TILES) // 2:
            should = _start(game_id, options, {"tiles": _every_tile(should, seen)})
    except BadInput:  # what was agreed makes no sense
        return Start(missing, seen)
    handedness = str(options.get("handedness", "right"))
    hidden = _hidden(should, seen, handedness) if missing.code == "hidden-face" else ()
    return Start(missing, seen, should, differences(should, seen), hidden=hidden)


def _start(game_id: str, options: Mapping[str, Any], setup: Mapping[str, Any] | None) -> Visible:
    return read_record(json.dumps(opening(game_id, options, setup))).start.visible()


def differences(should: Visible, seen: Visible) -> tuple[Wrong, ...]:
    """The squares that do not show what they should, on fields that have fixed squares."""
    high = len(should["rows"])
    wrong = [
        Wrong(f"{'abcdefghi'[column]}{high - n}", right, there)
        for n, (row, rows_seen) in enumerate(zip(should["rows"], seen["rows"], strict=True))
        for column, (right, there) in enumerate(zip(row, rows_seen, strict=True))
        if right != there
    ]
    there = seen.get("pawns", {})
    pawns = should.get("pawns", {}).items()
    wrong += [Wrong(square, pawn, there.get(pawn, "–")) for pawn, square in pawns if there.get(pawn) != square]
    return tuple(wrong)


def _every_tile(frame: Visible, seen: Visible) -> dict[str, str]:
    """Each tile once: where it lies if it lies well, the others where there is room."""
    placed: dict[str, str] = {}
    lies = {square: tile for tile in TILES for code in (tile, f"{tile}~") for square in _squares(seen, code)}
    room = _squares(frame, "empty")
    for square in room:
        if square in lies and lies[square] not in placed.values():
            placed[square] = lies[square]
    left = (tile for tile in TILES if tile not in placed.values())
    return {square: placed.get(square) or next(left) for square in room}


def _hidden(should: Visible, seen: Visible, handedness: str) -> tuple[Hidden, ...]:
    return tuple(
        Hidden(square, code[:2], _souths(code, handedness), square in _squares(should, code))
        for code in sorted({code for row in seen["rows"] for code in row if code != "." and code[1] != "K"})
        for square in _squares(seen, code)
    )


def _souths(code: str, handedness: str) -> tuple[int, ...]:
    """The faces that may look south when a die is seen like this."""
    top = int(code[1])
    sides = [face for face in range(1, 7) if face not in (top, 7 - top)]
    return tuple(face for face in sides if face_seen(f"{code[0]}{top}/{face}", handedness) == code)


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
