"""A game's course as a graph: what every position was worth, the mistakes, and the time that each move took.

It is drawn for a page that gives its classes their colors, and readable without.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from web.drawing.sheet import attribute

WIDE, HIGH, BELOW, GAP = 600, 120, 34, 8  # the values, below them the times


class Point(NamedTuple):
    ply: int
    side: str
    value: float


def graph_svg(
    label: str,
    plies: int,
    points: Sequence[Point],
    mistakes: Sequence[int],
    times: Sequence[tuple[str | None, float]] = (),
) -> str:
    """`mistakes`: the moves by their number. `times`: of each move whose it was, and the seconds it took."""
    sides = list(dict.fromkeys(point.side for point in points))
    drawn = [_middle(plies)]
    for number, side in enumerate(sides):
        own = [point for point in points if point.side == side]
        drawn += [_area(own, plies)] if len(sides) == 1 else []
        drawn.append(_line(own, plies, f"line side{number}"))
    at = {point.ply: point for point in points}
    drawn += [_dot(at[ply], plies) for ply in mistakes if ply in at]
    drawn += _bars(plies, times)
    high = HIGH + (GAP + BELOW if times else 0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" viewBox="-6 -6 {WIDE + 12} {high + 12}" role="img" '
        f'aria-label={attribute(label)} preserveAspectRatio="none">{"".join(drawn)}</svg>'
    )


def _x(ply: int, plies: int) -> float:
    return round(WIDE * ply / max(plies, 1), 1)


def _y(value: float) -> float:
    return round(HIGH * (1 - value), 1)


def _middle(plies: int) -> str:
    return (
        f'<rect class="ground" width="{WIDE}" height="{HIGH}" rx="4" fill="#888" fill-opacity=".12"/>'
        f'<path class="middle" d="M0 {HIGH / 2:g}H{WIDE}" stroke="#888" stroke-dasharray="4 4" fill="none"/>'
    )


def _path(points: Sequence[Point], plies: int) -> str:
    return "L".join(f"{_x(point.ply, plies):g} {_y(point.value):g}" for point in points)


def _area(points: Sequence[Point], plies: int) -> str:
    if not points:
        return ""
    first, last = _x(points[0].ply, plies), _x(points[-1].ply, plies)
    shape = f"M{first:g} {HIGH}L{_path(points, plies)}L{last:g} {HIGH}Z"
    return f'<path class="area" d="{shape}" fill="#17616b" fill-opacity=".22"/>'


def _line(points: Sequence[Point], plies: int, kind: str) -> str:
    return (
        f'<path class="{kind}" d="M{_path(points, plies)}" fill="none" stroke="#17616b" stroke-width="2.5" '
        f'stroke-linejoin="round" vector-effect="non-scaling-stroke"/>'
    )


def _dot(point: Point, plies: int) -> str:
    x, y = _x(point.ply, plies), _y(point.value)
    return f'<circle class="mistake" data-ply="{point.ply}" cx="{x:g}" cy="{y:g}" r="5" fill="#c8402a"/>'


def _bars(plies: int, times: Sequence[tuple[str | None, float]]) -> list[str]:
    """The longest move is as high as there is room."""
    longest = max((seconds for _, seconds in times), default=0)
    if not longest:
        return []
    seats = list(dict.fromkeys(seat for seat, _ in times))
    wide = max(1.0, 0.8 * WIDE / max(plies, 1))
    drawn = []
    for ply, (seat, seconds) in enumerate(times, 1):
        high = round(max(0.6, BELOW * seconds / longest), 1)
        x, y = _x(ply, plies) - wide / 2, HIGH + GAP + BELOW - high
        kind = f"time seat{seats.index(seat)}"
        fill = ("#8a7a64", "#c9b48f")[seats.index(seat) % 2]
        drawn.append(
            f'<rect class="{kind}" x="{max(-6, x):g}" y="{y:g}" width="{wide:.1f}" height="{high:g}" fill="{fill}"/>'
        )
    return drawn
