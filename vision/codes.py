"""What can be seen on the kit's fields: what each network's outputs mean, and by which codes a game calls it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

# What a square of the seven field can show: the kit's pieces for it, in the order of the network's outputs.
SEVEN_STATES = (
    "bare",
    "blocker",
    "tromino",
    "mushroom",
    "tetrod",
    "tetrod+mushroom",
    "peg",
    "card b",
    "card w",
    "card b+peg",
    "card w+peg",
)

DIE_COLORS = (".", "w", "r")
DIE_FACES = ("1", "2:ne", "2:nw", "3:ne", "3:nw", "4", "5", "6:ns", "6:ew", "K")
# Where pips sit, in steps from the middle of the face to the east and north.
_CORNERS = ((-1, 1), (1, 1), (-1, -1), (1, -1))
_RISING, _FALLING = ((-1, -1), (1, 1)), ((-1, 1), (1, -1))
PIPS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "1": ((0, 0),),
    "2:ne": _RISING,
    "2:nw": _FALLING,
    "3:ne": (*_RISING, (0, 0)),
    "3:nw": (*_FALLING, (0, 0)),
    "4": _CORNERS,
    "5": (*_CORNERS, (0, 0)),
    "6:ns": (*_CORNERS, (-1, 0), (1, 0)),
    "6:ew": (*_CORNERS, (0, -1), (0, 1)),
}

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
TRIPLES = tuple("-".join(three) for three in combinations(DIRECTIONS, 3))
TILE_KINDS = (
    "arrows",
    "start-square",
    "start-round",
    "finish-square",
    "finish-round",
    "neutral",
    "down",
    "empty",
)
PAWN_OUTPUTS = ("square1", "square2", "round1", "round2")  # by shape, as the network was trained; play goes by pairs

COLORS = ("R", "W", "B")
OWNERS = ("A", "B", "C", "D")
TOKENS = 2  # of each color, for each owner

_TILES = {"kind": len(TILE_KINDS), "arrows": 8, "dot": 4, "pawn": 1 + len(PAWN_OUTPUTS), "hidden": 1}
_PLANKS = {"color": 3, "token": 4, "letter": 4, "hidden": 1}
# Lengths of the parts of each network's output, in order; every network of a field ends with one logit for "hidden".
# Those named "any" read sets of any colors, as black on white; "arrows" tells nothing but a tile's arrows.
OUTPUTS = {
    "seven": {"state": len(SEVEN_STATES), "hidden": 1},
    "faces": {"color": len(DIE_COLORS), "face": len(DIE_FACES), "hidden": 1},
    "tiles": _TILES,
    "arrows": {"arrows": _TILES["arrows"]},
    "tiles-any": _TILES,
    "planks": _PLANKS,
    "planks-any": _PLANKS,
}

_EMPTY = {"faces": ".", "tiles": "empty"}  # fields whose codes are the same in every game


@dataclass(frozen=True)
class Labels:
    """What a game calls the things that can be seen on its field: all that is known of a game here.

    Only on the seven field games differ: `pieces` says which of the kit's pieces each of their codes shows.
    """

    game: str  # its id, which is only passed on
    field: str
    pieces: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        shown = list(self.pieces.values())
        unknown = set(shown) - set(SEVEN_STATES)
        if unknown or len(set(shown)) < len(shown) or (self.field == "seven" and "bare" not in shown):
            raise ValueError(f"{self.game}: no reader can tell {dict(self.pieces)} apart")

    def code_of(self, piece: str) -> str | None:
        """The code under which a piece of the kit is seen; None if it has none in this game."""
        return next((code for code, shown in self.pieces.items() if shown == piece), None)

    @property
    def empty(self) -> str:
        """The code of a square on which nothing lies, on fields that have squares."""
        return self.code_of("bare") or _EMPTY[self.field]

    @property
    def has_cards(self) -> bool:
        return any(piece.startswith("card") for piece in self.pieces.values())
