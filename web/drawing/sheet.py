"""What every board drawing is made of: squares on a ground, shapes that are drawn once and used often.

A cell is `U` units wide. Shapes are kept in tables by name, as markup around their middle; an id is written `§name`,
and `§` becomes a prefix of the drawing's own, so that several drawings can stand in one page.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

U = 100
BORDER = 46  # around the cells, where the coordinates are
AIR = 8  # around it all, for the shadow
SMALL = 0.22  # pixels a unit, where something is drawn alone
Shapes = Mapping[str, str]


class View(NamedTuple):
    """Where a cell lies on the screen. Columns count from the west, rows from the south; flipped, south is up."""

    columns: int
    rows: int
    flipped: bool = False

    def cell(self, column: int, row: int) -> tuple[int, int]:
        """Counted from the upper left corner."""
        if self.flipped:
            return self.columns - 1 - column, row
        return column, self.rows - 1 - row

    def middle(self, column: int, row: int) -> tuple[int, int]:
        x, y = self.cell(column, row)
        return x * U + U // 2, y * U + U // 2

    @property
    def width(self) -> int:
        return self.columns * U

    @property
    def height(self) -> int:
        return self.rows * U


class Square(NamedTuple):
    """A square of the board: what stands on it, drawn around its middle, and the same in words."""

    name: str
    column: int
    row: int
    shows: str
    says: str
    free: bool


class Board(NamedTuple):
    """A position laid out: the ground and what lies across several squares, then the squares one by one."""

    view: View
    ground: str
    squares: list[Square]
    shapes: Shapes
    rows: list[str]  # their names, from the south
    ink: str  # in which the coordinates are written


def use(name: str, x: float = 0, y: float = 0, turn: float = 0) -> str:
    """A shape from the tables, put somewhere and turned."""
    at = f' x="{x:g}"' * (x != 0) + f' y="{y:g}"' * (y != 0)
    turned = f' transform="rotate({turn:g})"' if turn else ""
    return f'<use href="#§{name}"{at}{turned}/>'


def word(text: str) -> str:
    """Somebody's words between tags; what XML cannot hold is left out."""
    return escape("".join(filter(str.isprintable, text))).replace("§", "&#167;")


def attribute(text: str) -> str:
    """The same as an attribute, quotes included."""
    return quoteattr("".join(filter(str.isprintable, text))).replace("§", "&#167;")


def document(title: str, language: str, view: View, parts: Iterable[str], shapes: Shapes) -> str:
    """The whole drawing, with those shapes that it uses."""
    body = "".join(parts)
    edge = BORDER + AIR
    size = f"{-edge} {-edge} {view.width + 2 * edge} {view.height + 2 * edge}"
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" lang="{language}" role="group" '
        f"aria-label={attribute(title)}>"
        f"<defs>{_needed(body, shapes)}</defs>{body}</svg>"
    )
    return drawn.replace("§", f"b{zlib.crc32(drawn.encode()):08x}-")


def picture(title: str, box: tuple[float, float, float, float], body: str, shapes: Shapes) -> str:
    """A drawing that is no board: what lies in a box."""
    size = " ".join(f"{side:g}" for side in box)
    wide, high = (round(SMALL * side) for side in box[2:])
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" width="{wide}" height="{high}" role="img" '
        f"aria-label={attribute(title)}>"
        f"<defs>{_needed(body, shapes)}</defs>{body}</svg>"
    )
    return drawn.replace("§", f"p{zlib.crc32(drawn.encode()):08x}-")


def _needed(body: str, shapes: Shapes) -> str:
    found: dict[str, str] = {}
    waiting = [body]
    while waiting:
        for name in re.findall("#§([a-zA-Z0-9-]+)", waiting.pop()):
            if name not in found:
                found[name] = shapes[name].replace(" ", f' id="§{name}" ', 1)
                waiting.append(shapes[name])
    return "".join(found.values())
