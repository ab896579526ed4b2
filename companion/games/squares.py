"""Boards of named squares. A square is known by name (`c4`), by number, or as one bit of a set held in an int."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

from companion.errors import BadInput, UnreadableMove
from companion.games.position import Visible

Point = tuple[int, int]
DIRECTIONS = {  # clockwise from north: one step as columns to the east and rows to the north
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}
SQUARE = "[a-z][1-9][0-9]?"  # a regular expression for square names; the rules check whether it is on the board


class Grid:
    """Columns a, b, c … from the west and rows 1, 2, 3 … from the south; numbers run along the rows from a1."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.size = columns * rows
        self.all = (1 << self.size) - 1
        self.names = [chr(ord("a") + n % columns) + str(n // columns + 1) for n in range(self.size)]
        self.number = {name: n for n, name in enumerate(self.names)}
        self.bit = {name: 1 << n for n, name in enumerate(self.names)}
        self._west_edge = sum(1 << n for n in range(0, self.size, columns))
        self._east_edge = self._west_edge << columns - 1
        self._by_name = sorted(range(self.size), key=self.names.__getitem__)

    def at(self, column: int, row: int) -> int | None:
        """The square's number, None off the board."""
        return row * self.columns + column if 0 <= column < self.columns and 0 <= row < self.rows else None

    def named(self, squares: int) -> tuple[str, ...]:
        """The names of a set of squares, in alphabetical order."""
        return tuple(self.names[n] for n in self._by_name if squares >> n & 1)

    def set_of(self, names: Iterable[str]) -> int:
        squares = 0
        for name in names:
            squares |= self.bit[name]
        return squares

    def outside(self, names: Iterable[str]) -> str | None:
        """The first of these squares that is not on the board."""
        return next((name for name in names if name not in self.bit), None)

    def laid(self, ways: Sequence[Sequence[Point]], square: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """A shape with its first point on a square, in all orientations that fit on the board.

        Its squares by name, in alphabetical order, and as a set.
        """
        x0, y0 = square % self.columns, square // self.columns
        for way in ways:
            cells = [self.at(x0 + x, y0 + y) for x, y in way]
            if None not in cells:
                on_board = [n for n in cells if n is not None]
                yield tuple([self.names[n] for n in on_board]), sum([1 << n for n in on_board])

    def groups(self, squares: int) -> Iterator[int]:
        """The connected components of a set of squares."""
        while squares:
            group = squares & -squares
            while (grown := group | self.beside(group) & squares) != group:
                group = grown
            squares &= ~group
            yield group

    def beside(self, squares: int) -> int:
        """The orthogonal neighbors of a set of squares."""
        east = (squares & ~self._east_edge) << 1 | squares << self.columns
        west = (squares & ~self._west_edge) >> 1 | squares >> self.columns
        return (east | west) & self.all

    def picture(self, cell: Callable[[int], str]) -> Visible:
        """`visible` rows, from north to south and west to east."""
        return {"rows": [[cell(y * self.columns + x) for x in range(self.columns)] for y in reversed(range(self.rows))]}

    def seen(self, visible: Visible, codes: Callable[[str], bool]) -> list[str]:
        """The codes of a `visible` by square number. BadInput if its size or a code is wrong."""
        rows: object = visible.get("rows") if isinstance(visible, dict) else None
        if not isinstance(rows, list) or len(rows) != self.rows:
            raise BadInput("stood.rows", "not-rows", rows=self.rows, columns=self.columns)
        cells = []
        for row in reversed(rows):
            if not isinstance(row, list) or len(row) != self.columns:
                raise BadInput("stood.rows", "not-rows", rows=self.rows, columns=self.columns)
            cells += row
        for n, cell in enumerate(cells):
            if not isinstance(cell, str) or not codes(cell):
                raise BadInput(f"stood.{self.names[n]}", "no-such-code", seen=cell)
        return cells

    def one(self, value: object, field: str) -> str:
        """Parse a square in a setup."""
        if not isinstance(value, str) or value not in self.bit:
            raise BadInput(field, "no-such-square", square=value)
        return value

    def listed(self, value: object, field: str, count: int) -> int:
        """Parse a list of `count` different squares in a setup, as a set."""
        if not isinstance(value, list):
            raise BadInput(field, "not-a-list")
        if len(value) != count:
            raise BadInput(field, "wrong-count", count=count, got=len(value))
        squares = 0
        for name in value:
            self.one(name, field)
            if squares & self.bit[name]:
                raise BadInput(field, "square-twice", square=name)
            squares |= self.bit[name]
        return squares


SEVEN = Grid(7, 7)


def codes_by_square(visible: Visible) -> dict[str, str]:
    """The codes of a `visible` with rows, by square name."""
    rows = visible["rows"]
    return {f"{chr(97 + x)}{len(rows) - n}": code for n, row in enumerate(rows) for x, code in enumerate(row)}


def squares_showing(visible: Visible, code: str) -> list[str]:
    """The squares that show this code, in alphabetical order."""
    return sorted(square for square, shown in codes_by_square(visible).items() if shown == code)


def bits(squares: int) -> Iterator[int]:
    """The numbers in a set of squares."""
    while squares:
        low = squares & -squares
        yield low.bit_length() - 1
        squares ^= low


def union(sets: Iterable[int]) -> int:
    """All squares of several sets."""
    return reduce(or_, sets, 0)


def cells_of(text: str) -> tuple[str, ...]:
    """The squares written one after the other; they must be in alphabetical order, so that a move has one text."""
    cells = tuple(re.findall(SQUARE, text))
    if list(cells) != sorted(cells):
        raise UnreadableMove("cells-unsorted", cells="".join(sorted(cells)))
    return cells


def turned(shape: Sequence[Point]) -> list[list[Point]]:
    """The distinct rotations and reflections of a shape around its first point (a tetrod's hole)."""
    x0, y0 = shape[0]
    points = [(x - x0, y - y0) for x, y in shape]
    found: dict[frozenset[Point], list[Point]] = {}
    for _ in range(2):
        for _ in range(4):
            points = [(y, -x) for x, y in points]
            found.setdefault(frozenset(points), points)
        points = [(-x, y) for x, y in points]
    return [sorted(way) for way in found.values()]
