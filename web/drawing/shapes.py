"""Shapes that several boards share: wood, shadows, coordinates, mushrooms, and the outline of plates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import sin

from web.drawing.letters import lettered
from web.drawing.sheet import BORDER, Board, U, View

Cell = tuple[int, int]  # on the screen, from the upper left corner

SHAPES = {
    # soft shadows without filters: they cost nothing to draw, however large
    "shade": '<radialGradient r=".5"><stop offset=".55" stop-opacity=".5"/><stop offset="1" stop-opacity="0"/>'
    "</radialGradient>",
    # over boards: a window at the upper left
    "daylight": '<linearGradient x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".24"/>'
    '<stop offset=".42" stop-color="#fff" stop-opacity="0"/><stop offset=".6" stop-color="#4a2400" stop-opacity="0"/>'
    '<stop offset="1" stop-color="#4a2400" stop-opacity=".16"/></linearGradient>',
    "cap": '<radialGradient cx=".36" cy=".3" r=".75"><stop offset="0" stop-color="#8b8d93"/>'
    '<stop offset=".28" stop-color="#3c3d42"/><stop offset=".8" stop-color="#131316"/>'
    '<stop offset="1" stop-color="#000"/></radialGradient>',
    "mushroom": '<g stroke="none"><circle cx="5" cy="7" r="27" fill="url(#§shade)"/>'
    '<circle r="20" fill="url(#§cap)"/><ellipse cx="-7" cy="-8.5" rx="5" ry="3" fill="#fff" fill-opacity=".4" '
    'transform="rotate(-38 -7 -8.5)"/></g>',
    "hole": '<g stroke="none"><circle cy="1.6" r="9.4" fill="#fff3d6" fill-opacity=".65"/>'
    '<circle r="9" fill="#4a2f17"/><path d="M-8.2 2a8.4 8.4 0 0 0 16.4 0a9.5 10 0 0 1-16.4 0" fill="#8a6238"/></g>',
    "hit": '<rect x="-50" y="-50" width="100" height="100" fill="#fff" fill-opacity="0"/>',
}


def shadow(x: float, y: float, width: float, height: float, corner: float, depth: float = 1) -> str:
    """Under a thing that lies flat: a few rectangles, wider and fainter."""
    rings = []
    for grow in (1, 3, 5.5):
        grown = grow * depth
        rings.append(
            f'<rect x="{x - grown + 1.5 * depth:g}" y="{y - grown + 3 * depth:g}" width="{width + 2 * grown:g}" '
            f'height="{height + 2 * grown:g}" rx="{corner + grown:g}" fill-opacity=".13"/>'
        )
    return "".join(rings)


@lru_cache(maxsize=32)  # every board of a game has the same
def slab(view: View, wood: str, edge: str, grain: str) -> str:
    """The board itself: a slab of wood that reaches beyond the cells, glued from boards of which each is a little
    lighter or darker than the next."""
    wide, high = view.width + 2 * BORDER, view.height + 2 * BORDER
    ends = [round(high * part) for part in (0, 0.19, 0.44, 0.61, 0.83, 1)]
    boards = "".join(
        f'<rect x="{2 - BORDER}" y="{top - BORDER}" width="{wide - 4}" height="{end - top}" fill="{tone}"/>'
        for n, (top, end) in enumerate(pairwise(ends))
        if (tone := ("", "#7a4a14", "#fff", "", "#7a4a14")[n])
    )
    return (
        _lying(view, wood)
        + f'<g fill-opacity=".05">{boards}</g>'
        + grained(view, grain)
        + lit(-BORDER, -BORDER, wide, high, 16)
        + _edged(view, edge)
    )


@lru_cache(maxsize=32)
def frame(view: View, wood: str, edge: str, grain: str) -> str:
    """Four rails around the cells, mitered at the corners; the light falls on the far and the left one."""
    left, top, right, low = -BORDER, -BORDER, view.width + BORDER, view.height + BORDER
    wide, high = view.width, view.height
    x0, y0, x1, y1 = left + 5, top + 5, right - 5, low - 5  # the corners are round
    rails = (
        (f"M{left + 16} {top}H{right - 16}L{x1} {y0}L{wide} 0H0L{x0} {y0}z", "#fff", ".1"),
        (f"M{left} {top + 16}L{x0} {y0}L0 0V{high}L{x0} {y1}L{left} {low - 16}z", "#fff", ".04"),
        (f"M{right} {top + 16}L{x1} {y0}L{wide} 0V{high}L{x1} {y1}L{right} {low - 16}z", "#000", ".1"),
        (f"M{left + 16} {low}H{right - 16}L{x1} {y1}L{wide} {high}H0L{x0} {y1}z", "#000", ".16"),
    )
    joints = f"M{x0} {y0}L0 0M{x1} {y0}L{wide} 0M{x0} {y1}L0 {high}M{x1} {y1}L{wide} {high}"
    lines = []
    for n, depth in enumerate((7, 15, 20, 29, 36, 41)):
        bend = 3 * sin(2.3 * n)
        near, far, west, east = low - depth, top + depth, left + depth, right - depth
        across, down = east - west, near - far
        lines += [
            f"M{west} {far}q{across / 2:g} {bend:.1f} {across} 0M{west} {near}q{across / 2:g} {-bend:.1f} {across} 0",
            f"M{west} {far}q{bend:.1f} {down / 2:g} 0 {down}M{east} {far}q{-bend:.1f} {down / 2:g} 0 {down}",
        ]
    return (
        _lying(view, wood)
        + "".join(f'<path d="{path}" fill="{tone}" fill-opacity="{depth}"/>' for path, tone, depth in rails)
        + f'<path d="{"".join(lines)}" fill="none" stroke="{grain}" stroke-width="1.8" stroke-opacity=".3"/>'
        + f'<path d="{joints}" stroke="{edge}" stroke-width="1.6" stroke-opacity=".75"/>'
        + _edged(view, edge)
    )


def _lying(view: View, wood: str) -> str:
    wide, high = view.width + 2 * BORDER, view.height + 2 * BORDER
    return (
        shadow(-BORDER, -BORDER, wide, high, 16, 1.2)
        + f'<rect x="{-BORDER}" y="{-BORDER}" width="{wide}" height="{high}" rx="16" fill="{wood}"/>'
    )


def _edged(view: View, edge: str) -> str:
    """Its rounded upper edge, on which the light lies, and the line around it."""
    wide, high = view.width + 2 * BORDER, view.height + 2 * BORDER
    far, near = view.width + BORDER - 18, view.height + BORDER - 18
    return (
        f'<path d="M{4 - BORDER} {near}V{18 - BORDER}a14 14 0 0 1 14-14H{far}" fill="none" '
        'stroke="#fff" stroke-opacity=".34" stroke-width="2.4" stroke-linecap="round"/>'
        f'<rect x="{-BORDER}" y="{-BORDER}" width="{wide}" height="{high}" rx="16" fill="none" stroke="{edge}" '
        'stroke-width="3"/>'
    )


def lit(x: float, y: float, width: float, height: float, corner: float = 0) -> str:
    """The light of a window at the upper left, over something flat."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{corner:g}" fill="url(#§daylight)" '
        'pointer-events="none"/>'
    )


def grained(view: View, color: str) -> str:
    """The grain: long wavy lines from west to east, closer here and wider there."""
    left, right = -BORDER + 4, view.width + BORDER - 4
    step = (right - left) / 4
    lines = []
    y, n = -BORDER + 9.0, 0
    while y < view.height + BORDER - 6:
        bend = [y + 5 * sin(0.9 * n + 1.7 * k) * sin(0.35 * n) for k in range(5)]
        curves = "".join(
            f"S{left + (k - 0.4) * step:.0f} {bend[k]:.0f} {left + k * step:.0f} {bend[k]:.0f}" for k in range(1, 5)
        )
        lines.append(f"M{left} {bend[0]:.0f}{curves}")
        n += 1
        y += 11 + 8 * sin(2.1 * n) ** 2 + 9 * sin(0.23 * n) ** 2
    return f'<path d="{"".join(lines)}" fill="none" stroke="{color}" stroke-width="2" stroke-opacity=".22"/>'


def engraved(view: View, dark: str, light: str) -> str:
    """The grid, cut into the wood: a dark groove and the light on its lower edge."""
    across = "".join(f"M0 {n * U}H{view.width}" for n in range(view.rows + 1))
    down = "".join(f"M{n * U} 0V{view.height}" for n in range(view.columns + 1))
    lines = across + down
    return (
        f'<path d="{lines}" stroke="{light}" stroke-width="3" stroke-opacity=".7" transform="translate(1.6 1.6)"/>'
        f'<path d="{lines}" stroke="{dark}" stroke-width="2.6"/>'
    )


def coordinates(board: Board) -> str:
    """Letters and numbers along the near and the left edge, where chess players look for them."""
    view = board.view
    letters = [
        lettered("abcdefghi"[column], view.middle(column, 0)[0], view.height + BORDER / 2 - 2, 1.6)
        for column in range(view.columns)
    ]
    numbers = [
        lettered(name, -BORDER / 2, view.middle(0, row)[1], 1.6 if len(name) < 2 else 1.3)
        for row, name in enumerate(board.rows)
    ]
    return (
        f'<g aria-hidden="true" fill="none" stroke="{board.ink}" stroke-width="2.4" stroke-linecap="round" '
        f'stroke-linejoin="round">{"".join(letters + numbers)}</g>'
    )


def outline(cells: Iterable[Cell], inset: float) -> str:
    """The path around cells that lie side by side, this far inside their edges; around holes in them too."""
    taken = set(cells)
    onward: dict[Cell, list[Cell]] = {}  # clockwise, the plate on the right hand
    for x, y in sorted(taken):
        for beside, start, end in (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        ):
            if beside not in taken:
                onward.setdefault(start, []).append(end)
    loops = []
    while onward:
        loop = [next(iter(onward))]
        way: Cell = (0, 0)
        while len(loop) == 1 or loop[-1] != loop[0]:
            x, y = loop[-1]
            ends = onward[x, y]
            # where two cells touch at a corner only, stay with the same cell: turn right
            end = (x - way[1], y + way[0]) if (x - way[1], y + way[0]) in ends else ends[0]
            ends.remove(end)
            if not ends:
                del onward[x, y]
            way = end[0] - x, end[1] - y
            loop.append(end)
        loops.append(f"M{'L'.join(_corners(loop[:-1], inset))}z")
    return "".join(loops)


def _corners(loop: list[Cell], inset: float) -> Iterator[str]:
    """Where a loop turns, each corner moved inwards: to the right of the way there and of the way on."""
    for n, (x, y) in enumerate(loop):
        (x0, y0), (x1, y1) = loop[n - 1], loop[(n + 1) % len(loop)]
        before, after = (x - x0, y - y0), (x1 - x, y1 - y)
        if before != after:
            yield f"{x * U - inset * (before[1] + after[1]):g} {y * U + inset * (before[0] + after[0]):g}"


@lru_cache(maxsize=1024)  # it lies there in one position after another
def plate(cells: tuple[Cell, ...], top: str, side: str, shine: str) -> str:
    """A plate of several cells, 0.03 inside their edges, with rounded corners, a side and a worn upper edge."""
    path, upper = outline(cells, 11), outline(cells, 13)
    return (
        f'<g stroke-linejoin="round"><path d="{path}" stroke="#000" stroke-opacity=".22" fill-opacity=".22" '
        'stroke-width="20" transform="translate(2 5)"/>'
        f'<path d="{path}" fill="{side}" stroke="{side}" stroke-width="16"/>'
        f'<path d="{upper}" fill="{shine}" stroke="{shine}" stroke-width="14" transform="translate(-.7 -.9)"/>'
        f'<path d="{upper}" fill="{top}" stroke="{top}" stroke-width="13" transform="translate(.5 .7)"/></g>'
    )
