"""What each network's outputs mean; readers and training share these tables."""

from __future__ import annotations

from itertools import combinations

# One list for all games of the seven field; each game uses its part.
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
SEVEN_CODES: dict[str, dict[str, str]] = {
    "hepta": {".": "bare", "#": "blocker", "x": "tromino"},
    "tetrods": {".": "bare", "o": "mushroom", "x": "tetrod", "@": "tetrod+mushroom"},
    "pegs": {".": "bare", "o": "peg", "b": "card b", "w": "card w", "B": "card b+peg", "W": "card w+peg"},
}
SEVEN_CODES["hepta-solo"] = SEVEN_CODES["hepta"]
SEVEN_CODES["t-for-two"] = SEVEN_CODES["tetrods"]
SEVEN_CODES["pegs-solo"] = SEVEN_CODES["pegs"]

DIE_COLOURS = (".", "w", "r")
DIE_FACES = ("1", "2:ne", "2:nw", "3:ne", "3:nw", "4", "5", "6:ns", "6:ew", "K")

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
DOT_SIDES = ("S", "E", "N", "W")
PAWNS = ("square1", "square2", "round1", "round2")

COLOURS = ("R", "W", "B")
OWNERS = ("A", "B", "C", "D")

# Lengths of the parts of each network's output, in order; every network ends with one logit for "hidden".
OUTPUTS = {
    "seven": {"state": len(SEVEN_STATES), "hidden": 1},
    "faces": {"colour": len(DIE_COLOURS), "face": len(DIE_FACES), "hidden": 1},
    "tiles": {"kind": len(TILE_KINDS), "arrows": 8, "dot": 4, "pawn": 1 + len(PAWNS), "hidden": 1},
    "planks": {"colour": 3, "token": 4, "letter": 4, "hidden": 1},
}
