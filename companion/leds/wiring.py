"""Wiring: panels and strips of any size, wound in any way and chained one after another.

A layout is written in words, panel by panel in the order of the wire: `8x8 nw serpentine + 1x8 columns at=8:0`.

| word | meaning |
|---|---|
| `8x8` | columns and rows of the panel, as it lies before it is turned |
| `sw` `se` `nw` `ne` | the corner of its first LED (usually `sw`) |
| `rows` `columns` | the wire runs along rows (usually) or along columns |
| `plain` `serpentine` | each row begins at the same side (usually), or the wire goes back and forth |
| `turn=90` | the panel is mounted turned clockwise |
| `at=8:0` | where its south-west corner lies in the matrix (usually to the right of the panel before it) |
| `arrows` | this panel is not under the board: it shows the arrows by which a pawn may move |
| `a1=0:1` | where the board's square a1 lies in the matrix (usually 0:0), said once |
"""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.checks import MAX_LEDS
from companion.errors import BadInput
from companion.leds.picture import ARROWS, Cell, Light, Picture, Scene, Size, arrows, board_size, paint

DEFAULT_SIZE = (8, 8)  # the most common matrix; smaller boards fit on it too
LAYOUT_WORDS = "8x8, sw, se, nw, ne, rows, columns, plain, serpentine, turn=90, at=8:0, arrows, a1=0:1"


class Panel(NamedTuple):
    columns: int
    rows: int
    corner: str = "sw"
    by_columns: bool = False
    serpentine: bool = False
    turn: int = 0  # degrees, clockwise
    at: Cell = (0, 0)
    arrows: bool = False

    @property
    def size(self) -> Size:
        """Columns and rows as it is mounted."""
        return (self.columns, self.rows) if self.turn % 180 == 0 else (self.rows, self.columns)

    def wire(self) -> list[Cell]:
        """The cells of the matrix in the order of the wire."""
        lines, length = (self.columns, self.rows) if self.by_columns else (self.rows, self.columns)
        found = []
        for line in range(lines):
            for step in range(length) if not (self.serpentine and line % 2) else reversed(range(length)):
                x, y = (line, step) if self.by_columns else (step, line)
                x = self.columns - 1 - x if "e" in self.corner else x
                y = self.rows - 1 - y if "n" in self.corner else y
                found.append(self._place(x, y))
        return found

    def _place(self, x: int, y: int) -> Cell:
        wide, high = self.columns, self.rows
        for _ in range(self.turn // 90):
            x, y, wide, high = y, wide - 1 - x, high, wide
        return self.at[0] + x, self.at[1] + y


class Wiring(NamedTuple):
    panels: tuple[Panel, ...]
    a1: Cell = (0, 0)

    @property
    def size(self) -> Size:
        """The smallest matrix that holds all panels."""
        return _bounds(self.panels)

    @property
    def board(self) -> Size:
        """The smallest matrix that holds the panels under the board, without displays for arrows."""
        return _bounds([panel for panel in self.panels if not panel.arrows])

    def wire(self) -> list[Cell]:
        return [cell for panel in self.panels for cell in panel.wire()]


def _bounds(panels: list[Panel] | tuple[Panel, ...]) -> Size:
    wide = max((panel.at[0] + panel.size[0] for panel in panels), default=0)
    high = max((panel.at[1] + panel.size[1] for panel in panels), default=0)
    return wide, high


def wiring_for(size: Size | None, words: str, board: Size) -> Wiring:
    """The layout in the settings. Without a size: one panel that fits the game's board."""
    fits_usual = board[0] <= DEFAULT_SIZE[0] and board[1] <= DEFAULT_SIZE[1]
    return parse_wiring(words, size or (DEFAULT_SIZE if fits_usual or "+" in words else board))


def parse_wiring(words: str, size: Size = DEFAULT_SIZE) -> Wiring:
    """Parse a layout. `size`: of the first panel, unless the words say it. BadInput if it is not valid."""
    panels: list[Panel] = []
    a1: Cell = (0, 0)
    for n, part in enumerate(words.split("+")):
        panel, placed = Panel(*size) if n == 0 else None, False
        attributes: dict[str, object] = {}
        for word in part.replace(",", " ").split():
            if found := re.fullmatch(r"([1-9]\d{0,2})[x×]([1-9]\d{0,2})", word, re.ASCII):
                panel = Panel(int(found[1]), int(found[2]))
            elif word in ("sw", "se", "nw", "ne"):
                attributes["corner"] = word
            elif word in ("rows", "columns"):
                attributes["by_columns"] = word == "columns"
            elif word in ("plain", "serpentine"):
                attributes["serpentine"] = word == "serpentine"
            elif word == "arrows":
                attributes["arrows"] = True
                panel = panel or Panel(*ARROWS)
            elif found := re.fullmatch("turn=(0|90|180|270)", word):
                attributes["turn"] = int(found[1])
            elif found := re.fullmatch(r"(at|a1)=(\d{1,3}):(\d{1,3})", word, re.ASCII):
                place = int(found[2]), int(found[3])
                if found[1] == "a1":
                    a1 = place
                else:
                    attributes["at"], placed = place, True
            else:
                raise BadInput("", "no-such-layout-word", word=word, choices=LAYOUT_WORDS)
        if panel is None:
            raise BadInput("", "panel-without-size", panel=n + 1)
        panel = panel._replace(**attributes)  # type: ignore[arg-type]
        if panels and not placed:
            panel = panel._replace(at=(_bounds(panels)[0] + (1 if panel.arrows else 0), 0))
        panels.append(panel)
    return _checked(Wiring(tuple(panels), a1))


def _checked(layout: Wiring) -> Wiring:
    wire = layout.wire()
    if len(wire) > MAX_LEDS:
        raise BadInput("", "too-many-leds", count=len(wire), most=MAX_LEDS)
    if twice := next((cell for n, cell in enumerate(wire) if cell in wire[:n]), None):
        raise BadInput("", "panels-overlap", place=f"{twice[0]}:{twice[1]}")
    if not any(not panel.arrows for panel in layout.panels):
        raise BadInput("", "no-board-panel")
    return layout


def paint_matrix(scene: Scene, layout: Wiring) -> dict[Cell, Light]:
    """The lights of the whole matrix: the board, and the arrows if there is a display for them."""
    x0, y0 = layout.a1
    planks = "planks" in scene.position.visible()
    board = paint(scene, (3, max(1, layout.board[1] - y0)) if planks else board_size(scene.position))
    there = {cell for panel in layout.panels if not panel.arrows for cell in panel.wire()}
    lights = {cell: light for (x, y), light in board.items() if (cell := (x + x0, y + y0)) in there}
    glyphs: Picture = arrows(scene) if any(panel.arrows for panel in layout.panels) else {}
    for panel in layout.panels:
        if panel.arrows:
            own = set(panel.wire())
            shifted = {(x + panel.at[0], y + panel.at[1]): light for (x, y), light in glyphs.items()}
            lights |= {cell: light for cell, light in shifted.items() if cell in own}
    return lights
