"""How LEDs are wired, from where each of them is seen: by a camera, or by a person who is asked."""

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
UNDER = (0.85, 1.15)  # cells between two LEDs that lie under the board's squares
STRAIGHT = 0.2  # radians


@cache
def windings(size: Size) -> tuple[tuple[Panel, tuple[Cell, ...]], ...]:
    """Every way to wind a wire over a panel, each once, the plainer first."""
    found: dict[tuple[Cell, ...], Panel] = {}
    for by_columns, serpentine, corner in product((False, True), (False, True), ("sw", "se", "nw", "ne")):
        panel = Panel(*size, corner, by_columns, serpentine)
        found.setdefault(tuple(panel.wire()), panel)
    return tuple((panel, wire) for wire, panel in found.items())


# --- by places


def wiring_of(cells: Sequence[Cell | None], a1: Cell = (0, 0)) -> Wiring:
    """The layout of as few panels as can be whose LEDs lie so, in the order of the wire; None: one that was not seen.

    BadInput if there is none.
    """
    seen = [cell for cell in cells if cell is not None]
    if twice := next((cell for cell, times in Counter(seen).items() if times > 1), None):
        both = [n for n, cell in enumerate(cells) if cell == twice]
        raise BadInput("", "leds-in-one-place", first=both[0], second=both[1])
    for many in range(1, MOST_PANELS + 1):
        if panels := _joined(tuple(cells), many):
            return Wiring(panels, a1)
    raise BadInput("", "no-layout-fits")


def _joined(cells: tuple[Cell | None, ...], many: int) -> tuple[Panel, ...] | None:
    """Exactly so many panels, one after another."""
    sizes = [(w, h) for w in range(1, 33) for h in range(1, 33) if w * h <= len(cells)]
    if many == 1:
        sizes = [size for size in sizes if size[0] * size[1] == len(cells)]
    for size in sorted(sizes, key=lambda size: -size[0] * size[1]):
        count = size[0] * size[1]
        for panel in _fitting(cells[:count], size):
            if many == 1:
                return (panel,)
            if len(cells) > count and (rest := _joined(cells[count:], many - 1)):
                return panel, *rest
    return None


def _fitting(cells: Sequence[Cell | None], size: Size) -> Iterator[Panel]:
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


def words_of(layout: Wiring) -> str:
    """A layout as it is written in the settings."""
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


def surveyed(points: Sequence[Point | None]) -> Wiring:
    """The layout of LEDs that were seen at these places of the board, in cells from its south-west corner.

    LEDs as far apart as the squares belong to the squares over them; a matrix beside the board counts for itself.
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
        return wiring_of([cell and (cell[0] + a1[0], cell[1] + a1[1]) for cell in cells], a1)
    turned = [
        point
        and (
            (point[0] * cos(turn) + point[1] * sin(turn)) / pitch,
            (point[1] * cos(turn) - point[0] * sin(turn)) / pitch,
        )
        for point in points
    ]
    along = [_steps([place and place[axis] for place in turned]) for axis in (0, 1)]
    return wiring_of(
        [None if x is None or y is None else (x, y) for x, y in zip(along[0], along[1], strict=True)],
    )


def _steps(places: Sequence[float | None]) -> list[int | None]:
    """Whole numbers from 0 for places that are whole steps apart."""
    known = [place for place in places if place is not None]
    shift = atan2(sum(sin(2 * pi * p) for p in known), sum(cos(2 * pi * p) for p in known)) / (2 * pi)
    steps = [None if place is None else round(place - shift) for place in places]
    least = min(step for step in steps if step is not None)
    return [None if step is None else step - least for step in steps]


# --- by questions


def cell_of(square: str) -> Cell:
    """The place of a square such as c4. BadInput if it is none."""
    if not re.fullmatch(r"[a-zA-Z]\d{1,2}", square, re.ASCII):
        raise BadInput("", "not-a-square", value=square)
    return ord(square[0].lower()) - ord("a"), int(square[1:]) - 1


class Questions:
    """One panel, found by asking for the place of one lit LED after another."""

    def __init__(self, size: Size) -> None:
        self._left = list(windings(size))
        self.asked: list[tuple[int, Cell]] = []

    @property
    def place(self) -> int:
        """The LED to light now: the one whose place tells most."""
        wires = [wire for _, wire in self._left]
        return max(range(len(wires[0])), key=lambda n: (len({wire[n] for wire in wires}), -n))

    def answer(self, cell: Cell) -> None:
        """It is the one at this place. BadInput, and nothing changes, if that cannot be after what was said before."""
        place = self.place
        left = [(panel, wire) for panel, wire in self._left if wire[place] == cell]
        if not left:
            raise BadInput("", "led-not-there", place=place)
        self._left = left
        self.asked.append((place, cell))

    @property
    def found(self) -> Wiring | None:
        return Wiring((self._left[0][0],)) if len(self._left) == 1 else None
