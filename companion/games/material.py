"""The contents of a game's box besides the board, for printing and cutting."""

from collections.abc import Mapping
from typing import NamedTuple

Point = tuple[int, int]


class Plate(NamedTuple):
    """A flat piece of several squares."""

    piece: str  # of the kit: tromino or tetrod
    name: str  # by which players call it
    cells: tuple[Point, ...]
    hole: Point | None = None


class Material(NamedTuple):
    plates: tuple[Plate, ...] = ()
    cards: tuple[
        str, ...
    ] = ()  # of two rows of three squares: six digits, 1 for a hole, as they lie with Blue's face up
    pieces: Mapping[str, int] = {}  # how many of all else, by what the camera calls it on the game's field
