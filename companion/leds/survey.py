"""Finds the wiring of the LEDs from their positions, as seen by a camera or as told by a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import atan2, cos, floor, hypot, pi, sin
from statistics import median

from companion.errors import BadInput
from companion.leds.picture import Cell, Size
from companion.leds.wiring import Panel, Wiring

Point = tuple[float, float]
MOST_PANELS = 6
UNDER = (0.85, 1.15)  # the pitch, in cells, of LEDs that lie under the board's squares
STRAIGHT = 0.2  # radians


@cache
def windings(size: Size) -> tuple[tuple[Panel, tuple[Cell, ...]], ...]:
    """Every distinct way in which a wire can run over a panel, the simpler ones first."""
    found: dict[tuple[Cell, ...], Panel] = {}
    for by_columns, serpentine, corner in product((False, True), (False, True), ("sw", "se", "nw", "ne")):
        panel = Panel(*size, corner, by_columns, serpentine)
        found.setdefault(tuple(panel.wire()), panel)
    return tuple((panel, wire) for wire, panel in found.items())


# --- by places


def fit_wiring(cells: Sequence[Cell | None], a1: Cell = (0, 0)) -> Wiring:
    """The layout with the fewest panels that puts each LED of the wire in its cell (None: not seen). BadInput if there
    is none."""
    seen = [cell for cell in cells if cell is not None]
    if twice := next((cell for cell, times in Counter(seen).items() if times > 1), None):
        both = [n for n, cell in enumerate(cells) if cell == twice]
        raise BadInput("", "leds-in-one-place", first=both[0], second=both[1])
    for many in range(1, MOST_PANELS + 1):
        if panels := _fit_panels(tuple(cells), many):
            return Wiring(panels, a1)
    raise BadInput("", "no-layout-fits")


def _fit_panels(cells: tuple[Cell | None, ...], many: int) -> tuple[Panel, ...] | None:
    """Split the wire into exactly `many` panels."""
    sizes = [(w, h) for w in range(1, 33) for h in range(1, 33) if w * h <= len(cells)]
    if many == 1:
        sizes = [size for size in sizes if size[0] * size[1] == len(cells)]
    for size in sorted(sizes, key=lambda size: -size[0] * size[1]):
        count = size[0] * size[1]
        for panel in _matching_panels(cells[:count], size):
            if many == 1:
                return (panel,)
            if len(cells) > count and (rest := _fit_panels(cells[count:], many - 1)):
                return panel, *rest
    return None


def _matching_panels(cells: Sequence[Cell | None], size: Size) -> Iterator[Panel]:
    first = next((n for n, cell in enumerate(cells) if cell is not None), None)
    if first is None:
        return
    x, y = cells[first] or (0, 0)
    for panel, wire in windings(size):
        dx, dy = x - wire[first][0], y - wire[first][1]
        if dx < 0 or dy < 0:
            continue
        if all(cell is None or cell == (at[0] + dx, at[1] + dy) for cell, at in zip(cells, wire, strict=True)):
            yield panel._replace(at=(dx, dy))


def format_wiring(layout: Wiring) -> str:
    """A layout in the words of the settings."""
    parts = []
    for panel in layout.panels:
        words = [f"{panel.columns}x{panel.rows}", panel.corner]
        words += ["columns"] * panel.by_columns + ["serpentine"] * panel.serpentine
        words += [f"turn={panel.turn}"] * bool(panel.turn) + ["arrows"] * panel.arrows
        words += [f"at={panel.at[0]}:{panel.at[1]}"] * (len(layout.panels) > 1 or panel.at != (0, 0))
        parts.append(" ".join(words))
    if layout.a1 != (0, 0):
        parts[0] += f" a1={layout.a1[0]}:{layout.a1[1]}"
    return " + ".join(parts)


def wiring_from_points(points: Sequence[Point | None]) -> Wiring:
    """The layout of LEDs seen at these points, in cells from the board's south-west corner.

    LEDs with the pitch of the squares belong to the squares above them; another matrix has a grid of its own.
    """
    seen = [point for point in points if point is not None]
    if 2 * len(seen) < len(points) or len(seen) < 2:
        raise BadInput("", "too-few-leds-seen", seen=len(seen), count=len(points))
    near = [min((hypot(x - u, y - v), u - x, v - y) for u, v in seen if (u, v) != (x, y)) for x, y in seen]
    pitch = median(apart for apart, _, _ in near)
    turns = [4 * atan2(dy, dx) for apart, dx, dy in near if apart < 1.3 * pitch]
    turn = atan2(sum(map(sin, turns)), sum(map(cos, turns))) / 4
    if UNDER[0] < pitch < UNDER[1] and abs(turn) < STRAIGHT:
        cells = [point and (floor(point[0]), floor(point[1])) for point in points]
        west, south = (min(cell[axis] for cell in cells if cell) for axis in (0, 1))
        a1 = max(0, -west), max(0, -south)
        return fit_wiring([cell and (cell[0] + a1[0], cell[1] + a1[1]) for cell in cells], a1)
    turned = [
        point
        and (
            (point[0] * cos(turn) + point[1] * sin(turn)) / pitch,
            (point[1] * cos(turn) - point[0] * sin(turn)) / pitch,
        )
        for point in points
    ]
    along = [_to_grid([place and place[axis] for place in turned]) for axis in (0, 1)]
    return fit_wiring(
        [None if x is None or y is None else (x, y) for x, y in zip(along[0], along[1], strict=True)],
    )


def _to_grid(places: Sequence[float | None]) -> list[int | None]:
    """Round coordinates that are whole steps apart to numbers from 0."""
    known = [place for place in places if place is not None]
    shift = atan2(sum(sin(2 * pi * p) for p in known), sum(cos(2 * pi * p) for p in known)) / (2 * pi)
    steps = [None if place is None else round(place - shift) for place in places]
    least = min(step for step in steps if step is not None)
    return [None if step is None else step - least for step in steps]


# --- by questions


def cell_of(square: str) -> Cell:
    """The cell of a square such as c4. BadInput if it is not a square."""
    if not re.fullmatch(r"[a-zA-Z]\d{1,2}", square, re.ASCII):
        raise BadInput("", "not-a-square", value=square)
    return ord(square[0].lower()) - ord("a"), int(square[1:]) - 1


class Questions:
    """Finds the wiring of one panel by asking for the square of one lit LED after another."""

    def __init__(self, size: Size) -> None:
        self._left = list(windings(size))
        self.asked: list[tuple[int, Cell]] = []

    @property
    def place(self) -> int:
        """The LED to light next: the one whose square distinguishes most wirings."""
        wires = [wire for _, wire in self._left]
        return max(range(len(wires[0])), key=lambda n: (len({wire[n] for wire in wires}), -n))

    def answer(self, cell: Cell) -> None:
        """The lit LED is at this cell. BadInput, without a change, if that contradicts earlier answers."""
        place = self.place
        left = [(panel, wire) for panel, wire in self._left if wire[place] == cell]
        if not left:
            raise BadInput("", "led-not-there", place=place)
        self._left = left
        self.asked.append((place, cell))

    @property
    def found(self) -> Wiring | None:
        return Wiring((self._left[0][0],)) if len(self._left) == 1 else None
