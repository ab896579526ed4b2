"""A move's squares by the way it is written: where its piece comes from, what it passes, and where it ends.

Moves of all games are told apart by their form alone, so that a new game whose moves are written like those of an old
one needs nothing here.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple

from companion.games.position import Position

SQUARE = "[a-z][1-9]"
PLACE = "[abc](?:0|-?[1-9][0-9]?)"  # on a row of planks
ROLL = re.compile(f"{SQUARE}(?:-{SQUARE})+")
STEP = re.compile(f"({SQUARE})(?:=[A-Za-z-]+)?!?")
CARD = re.compile(f"({SQUARE})({SQUARE})")
TURN = re.compile(rf"(?:[RWB]{{3}}([v^])(?: |$))?(?:[RWB]@({PLACE})|({PLACE})>({PLACE}))?")


class Trace(NamedTuple):
    start: tuple[str, ...] = ()
    route: tuple[str, ...] = ()  # passed on the way
    laid: tuple[str, ...] = ()  # a plank's squares, on which something is put in the same turn
    to: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """Where one sees afterwards that the move was made."""
        return *self.start, *self.laid, *self.to


def trace(text: str, position: Position[Any] | None = None) -> Trace:
    """Of a move, before the position in which it is made if that still stands: then it is known which pawn steps.

    What shows nowhere on the board leaves no trace.
    """
    if ROLL.fullmatch(text):
        squares = text.split("-")
        passed = [square for a, b in pairwise(squares) for square in _between(a, b)]
        return Trace((squares[0],), tuple(passed[:-1]), (), (squares[-1],))
    if found := STEP.fullmatch(text):
        return Trace(_pawn_to_move(position) if position else (), (), (), (found[1],))
    if found := CARD.fullmatch(text):
        return Trace(to=_block(found[1], found[2]))
    if text and (found := TURN.fullmatch(text)):
        end, put, source, moved = found.groups()
        to = put or moved or ""
        laid = tuple(f"{column}{to[1:]}" for column in "abc") if end and to else ()  # a new plank takes the token
        return Trace((source,) if source else (), (), laid, (to,) if to else ())
    return Trace(to=tuple(dict.fromkeys(re.findall(SQUARE, text))))


def _between(a: str, b: str) -> list[str]:
    """The squares after one, up to another of the same row or column."""
    (x, y), (x1, y1) = (ord(a[0]), int(a[1:])), (ord(b[0]), int(b[1:]))
    dx, dy = (x1 > x) - (x1 < x), (y1 > y) - (y1 < y)
    return [f"{chr(x + n * dx)}{y + n * dy}" for n in range(1, max(abs(x1 - x), abs(y1 - y)) + 1)]


def _block(south_west: str, north_east: str) -> tuple[str, ...]:
    columns = range(ord(south_west[0]), ord(north_east[0]) + 1)
    return tuple(f"{chr(x)}{y}" for x in columns for y in range(int(south_west[1]), int(north_east[1]) + 1))


def _pawn_to_move(position: Position[Any]) -> tuple[str, ...]:
    pawns, turn = position.visible().get("pawns", {}), position.to_move or ""
    square = pawns.get(turn) or pawns.get(f"{turn}1")
    return (square,) if square else ()


def planks_of(position: Position[Any]) -> tuple[int, int]:
    """The number of the southernmost plank, and how many there are."""
    return getattr(position, "south", 0), len(position.visible().get("planks", ()))
