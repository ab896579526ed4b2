"""How a game begins: with options, and a set-up that is given, dealt, or seen by the camera."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.games.game import AnyGame, Dealing, Where
from companion.games.opening import Hidden, Lacking
from companion.games.position import Visible
from companion.record import checked_options, read_record
from companion.referee import Wrong


class StartCheck(NamedTuple):
    """What lies on the table before a game: why it cannot begin so, if it cannot, and what would put it right."""

    missing: BadInput | None
    seen: Visible
    should: Visible | None = None  # how it should look; what may lie anywhere is left as it is seen
    wrong: tuple[Wrong, ...] = ()
    lacking: Lacking | None = None
    hidden: tuple[Hidden, ...] = ()


def new_record(
    played: AnyGame,
    options: Mapping[str, Any],
    setup: Mapping[str, Any] | None = None,
    *,
    seen: Visible | None = None,
    told: Mapping[str, str] | None = None,
    deals: bool | None = None,
    chance: Random | None = None,
    about: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A record before the first move. BadInput says what is missing, or what lies on the table that cannot be.

    `seen` is what lies on the table, `told` what a person says of it that cannot be seen. `deals`: chance fills in what
    the set-up lacks; None: only where the game cannot begin otherwise.
    """
    setup = dict(setup or {})
    if seen is not None:
        options, setup = played.opening.from_look(options, setup, seen, told or {})
    if played.deal and (played.dealing is Dealing.NEEDED if deals is None else deals):
        agreed = checked_options(played, options)
        setup = {**played.dealt(chance or Random(), agreed, _number(played, agreed, setup)), **setup}
    record: dict[str, Any] = {"game": played.id, "options": dict(options), "setup": setup, "moves": []}
    if about:
        record["about"] = dict(about)
    start = read_record(json.dumps(record)).start
    if seen is not None and start.visible() != seen:
        raise BadInput("camera", "not-a-start", game=played.id)
    return record


def _number(played: AnyGame, options: Mapping[str, Any], setup: Mapping[str, Any]) -> int:
    """How many play, for those who deal."""
    number = setup.get("players")
    said = played.players_in is Where.SETUP and number is not None
    if said and (type(number) is not int or number not in played.seats):
        raise BadInput("setup.players", "not-one-of", value=number, choices=", ".join(map(str, played.seats)))
    return played.number(options, setup)


def check(played: AnyGame, options: Mapping[str, Any], setup: Mapping[str, Any] | None, seen: Visible) -> StartCheck:
    """Whether a game could begin with what is seen, and if not, what must be done."""
    setup = setup or {}
    try:
        new_record(played, options, setup, seen=seen)
    except BadInput as why:
        missing = why
    else:
        return StartCheck(None, seen)
    if "planks" in seen:  # before the game none lies there
        wrong = tuple(Wrong(f"b{n}", ".", plank["colors"]) for n, plank in enumerate(seen["planks"]))
        return StartCheck(missing, seen, seen, wrong)
    opening = played.opening
    try:
        should = opening.should_be(played.start, checked_options(played, options), setup, seen)
    except BadInput:  # what was agreed makes no sense
        return StartCheck(missing, seen)
    hidden = opening.hidden(should, seen, options) if missing.code == "hidden-face" else ()
    return StartCheck(missing, seen, should, differences(should, seen), opening.lacking(setup, seen), hidden)


def differences(should: Visible, seen: Visible) -> tuple[Wrong, ...]:
    """The squares that do not show what they should, on fields that have fixed squares."""
    high = len(should["rows"])
    wrong = [
        Wrong(f"{chr(ord('a') + column)}{high - n}", right, there)
        for n, (row, rows_seen) in enumerate(zip(should["rows"], seen["rows"], strict=True))
        for column, (right, there) in enumerate(zip(row, rows_seen, strict=True))
        if right != there
    ]
    there = seen.get("pawns", {})
    pawns = should.get("pawns", {}).items()
    wrong += [Wrong(square, pawn, there.get(pawn, "–")) for pawn, square in pawns if there.get(pawn) != square]
    return tuple(wrong)
