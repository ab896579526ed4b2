"""Teaching the reader a table's set: which position is known, and what came of a picture of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.errors import BadInput
from companion.games.game import AnyGame
from companion.games.position import Visible
from companion.labels import labels_of
from companion.lens import lens_of
from companion.record import read_record
from companion.settings import Settings
from companion.table.opening import new_record
from vision.codes import TRIPLES, Labels
from vision.errors import UnreadablePicture
from vision.fields import COLUMNS, usual_field
from vision.learning import Lesson, learn
from vision.pose import Image, turned_back
from vision.reading import read_picture
from vision.translation import Translation

# Where the kit's pieces are asked for, those that a game has; a plate or a card covers all its squares.
ASKED = {
    "blocker": ("e1", "g1", "g3"),
    "tromino": ("a1", "b1", "c1"),
    "tetrod": ("a1", "b1", "a2"),
    "tetrod+mushroom": ("b2",),
    "mushroom": ("a7", "d4", "g7"),
    "card b": ("a1", "b1", "a2", "a3", "b3"),
    "card b+peg": ("b2",),
    "card w": ("d1", "e1", "d2", "d3", "e3"),
    "card w+peg": ("e2",),
    "peg": ("a7", "d6", "g7"),
}
ASKED_PLANKS = (("WRB", "A.C"), ("RWB", "B.D"), ("RBW", "CA."), ("BRW", ".DB"))
# Tiles beside those that lie there when the game begins, and pawns on two of them.
ASKED_TILES = {
    **dict(zip(("b1", "c1", "d1", "e1", "f1", "g1"), TRIPLES[::9], strict=False)),
    **dict(zip(("b8", "c8", "d8", "e8", "f8", "g8"), TRIPLES[4::9], strict=False)),
    **dict.fromkeys(("a4", "h5"), "down"),
}
ASKED_PAWNS = {"square1": "c1", "round1": "f1"}

ENOUGH = 0.9  # of the squares that must be read as they are, or the picture shows something else
NAMED = 6  # squares that are named at most


@dataclass(frozen=True)
class Taught:
    """What was learned, and how many squares are read right before and after."""

    learned: Translation | None
    squares: int
    before: int
    after: int

    @property
    def code(self) -> str:
        return "learn.known" if self.learned is None else "learn.done"

    def as_json(self) -> dict[str, Any]:
        moved = [] if self.learned is None else [t for t in self.learned.tints if t.meant != t.color]
        return {
            "learned": self.learned is not None,
            "colors": len(moved),
            "squares": self.squares,
            "right_before": self.before,
            "right_after": self.after,
        }


def known_position(played: AnyGame) -> Visible:
    """How the game begins, where that teaches anything."""
    if not start_teaches(played):
        raise BadInput("--record", "learn-no-start", game=played.id)
    return _start(played)


def start_teaches(played: AnyGame) -> bool:
    """Whether the game always begins the same way, with its pieces on the board."""
    with suppress(BadInput):
        return _laid(played, _start(played)) >= _laid(played, asked_position(played))
    return False


def _start(played: AnyGame) -> Visible:
    return read_record(json.dumps(new_record(played, {}, None, deals=False))).start.visible()


def _laid(played: AnyGame, visible: Visible) -> int:
    """On how many squares something lies."""
    empty = labels_of(played).empty
    return sum(code != empty for row in visible["rows"] for code in row)


def asked_position(played: AnyGame) -> Visible:
    """A few pieces on squares of our choice, all kinds of them where the field allows it."""
    labels = labels_of(played)
    if labels.field == "planks":
        return {"planks": [{"colors": colors, "tokens": list(tokens)} for colors, tokens in ASKED_PLANKS]}
    if labels.field == "faces":
        return _start(played)
    field = usual_field(labels.field)
    rows = [[labels.empty] * field.columns for _ in range(field.rows)]
    if labels.field == "tiles":
        rows = [list(row) for row in _start(played)["rows"]]
    for code, square in asked_squares(labels):
        rows[field.rows - int(square[1:])][COLUMNS.index(square[0])] = code
    return {"rows": rows, "pawns": dict(ASKED_PAWNS)} if labels.field == "tiles" else {"rows": rows}


def asked_squares(labels: Labels) -> list[tuple[str, str]]:
    if labels.field == "tiles":
        return [(code, square) for square, code in ASKED_TILES.items()]
    return [(code, square) for code, piece in labels.pieces.items() for square in ASKED.get(piece, ())]


def taught(image: Image, labels: Labels, visible: Mapping[str, Any], settings: Settings) -> Taught:
    """Learn from a picture in which this lies on the table. Raises UnreadablePicture, also where something else lies
    there as far as it can be told, or too much stays unclear: then nothing is learned."""
    corners = None if settings.corners is None else np.array(settings.corners)
    reading = read_picture(image, labels, corners, lens_of(settings.lens), settings.surface)
    shown = turned_back(image) if reading.mirrored else image
    lesson = Lesson(shown, reading.pose, reading.light, labels, dict(visible))
    learned = learn(lesson)
    told = Taught(learned, len(lesson.codes()), lesson.right(None), lesson.right(learned))
    if otherwise := lesson.otherwise(learned):
        raise UnreadablePicture("learn-otherwise", squares=", ".join(otherwise[:NAMED]), count=len(otherwise))
    if told.after < ENOUGH * told.squares:
        raise UnreadablePicture("learn-poor", **told.as_json())
    return told
