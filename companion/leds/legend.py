"""The legend of the lights: which kinds are lit, and on which squares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.leds.picture import KINDS, Cell, Light, Size
from companion.leds.wiring import Wiring


class Meaning(NamedTuple):
    kind: str  # the term `light.KIND` is its name
    light: Light
    squares: tuple[str, ...]  # of the board; rows of planks count from the matrix's south


def meanings(lights: Mapping[Cell, Light], layout: Wiring, board: Size) -> list[Meaning]:
    """The kinds that are lit now, the most urgent first."""
    found = []
    for kind in ("wrong", "put-back", "unkept", "won", "over", "from", "to", "route", "can", "blocked", "last", "turn"):
        cells = [cell for cell, light in lights.items() if light == KINDS[kind]]
        if cells:
            names = sorted(filter(None, (square_at(cell, layout, board) for cell in cells)))
            found.append(Meaning(kind, KINDS[kind], tuple(names)))
    return found


def square_at(cell: Cell, layout: Wiring, board: Size) -> str:
    """The board's square over a cell of the matrix; nothing beside the board."""
    x, y = cell[0] - layout.a1[0], cell[1] - layout.a1[1]
    under = any(cell in panel.wire() for panel in layout.panels if not panel.arrows)
    return f"{chr(ord('a') + x)}{y + 1}" if under and 0 <= x < board[0] and 0 <= y < board[1] else ""
