"""What lies on a simulated field: the visible state, and the pieces where that does not tell them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from vision.codes import Labels
from vision.fields import usual_field

Cell = tuple[int, int]  # column and row, both from 0, from the south-west
Visible = dict[str, Any]
PLATES = ("tromino", "tetrod", "tetrod+mushroom")  # what shows on a square that a plate of several squares covers


@dataclass(frozen=True)
class Card:
    """A card on the block whose south-west cell is `at`; cards lie in the order of the list."""

    at: Cell
    size: tuple[int, int]
    face: str  # b or w

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple((self.at[0] + i, self.at[1] + j) for i in range(self.size[0]) for j in range(self.size[1]))


@dataclass(frozen=True)
class Layout:
    labels: Labels
    visible: Visible
    plates: tuple[tuple[Cell, ...], ...] = ()
    cards: tuple[Card, ...] = ()  # from the lowest to the topmost
    open_holes: tuple[Cell, ...] = ()
    south: int = 0  # the southernmost plank's number: a row keeps its numbers while it grows both ways
    motley: bool = False  # each piece is from another kit

    @property
    def cells(self) -> dict[Cell, str]:
        """The codes of all squares, row by row from the north."""
        rows = self.visible["rows"]
        return {(c, len(rows) - 1 - r): code for r, row in enumerate(rows) for c, code in enumerate(row)}

    def piece(self, code: str) -> str:
        """Which of the kit's pieces a code shows, on the seven field."""
        return self.labels.pieces[code]

    def with_cells(self, codes: Mapping[Cell, str], **pieces: Any) -> Layout:
        """The same table with other codes on some squares, and with these pieces."""
        rows = [list(row) for row in self.visible["rows"]]
        for (column, row), code in codes.items():
            rows[len(rows) - 1 - row][column] = code
        return replace(self, visible={**self.visible, "rows": rows}, **pieces)


def bare_layout(labels: Labels) -> Layout:
    """A field on which nothing lies."""
    if labels.field == "planks":
        return Layout(labels, {"planks": []})
    field = usual_field(labels.field)
    return Layout(labels, {"rows": [[labels.empty] * field.columns for _ in range(field.rows)]})


def completed(layout: Layout) -> Layout:
    """The same table, where every square that shows a plate or a card has one: what a layout's pieces leave out is laid
    as plates over squares that touch, and as cards of one square below the others. Pieces that do not show as they
    should are left out before."""
    if layout.labels.field != "seven":
        return layout
    shown = {cell: layout.piece(code) for cell, code in layout.cells.items()}
    plated = {cell for cell, piece in shown.items() if piece in PLATES}
    faces = {cell: piece.removeprefix("card ")[0] for cell, piece in shown.items() if piece.startswith("card")}
    plates = [plate for plate in layout.plates if plated.issuperset(plate)]
    plates += _groups(plated.difference(*plates))
    cards: list[Card] = []
    hidden: set[Cell] = set()
    for card in reversed(layout.cards):
        if all(faces.get(cell) == card.face for cell in card.cells if cell not in hidden):
            cards.insert(0, card)
            hidden.update(card.cells)
    single = [Card(cell, (1, 1), face) for cell, face in sorted(faces.items()) if cell not in hidden]
    return replace(layout, plates=tuple(plates), cards=(*single, *cards))


def neighbors(cell: Cell) -> list[Cell]:
    return [(cell[0] + 1, cell[1]), (cell[0] - 1, cell[1]), (cell[0], cell[1] + 1), (cell[0], cell[1] - 1)]


def _groups(cells: set[Cell]) -> list[tuple[Cell, ...]]:
    """The parts of a set of squares that hang together side by side."""
    left, groups = set(cells), []
    while left:
        group = [min(left)]
        left.remove(group[0])
        for cell in group:
            near = [other for other in neighbors(cell) if other in left]
            group += near
            left.difference_update(near)
        groups.append(tuple(sorted(group)))
    return groups
