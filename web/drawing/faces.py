"""The checkered 9×8 board, and dice on it."""

from __future__ import annotations

from functools import lru_cache

from companion.games.position import Visible
from companion.games.squares import Grid
from companion.messages.seen import say_die
from vision.codes import PIPS
from web.drawing import marks, shapes
from web.drawing.shapes import frame
from web.drawing.sheet import Board, Square, U, View, use

BOARD = Grid(9, 8)
STEP = 18
WOODS = (("#b98552", "#b27d49", "#c18f5d"), ("#ecd5ab", "#e7cc9c", "#f1ddb9"))  # dark and light


def _die(edge: str, side: str, top: str, shine: str) -> str:
    """A rounded cube from above: its shadow, its sides falling away, its top."""
    return (
        '<g stroke="none"><path d="M-30 38L-16 47Q0 54 26 52Q46 50 48 34L46-10L34-30z" fill-opacity=".16"/>'
        '<path d="M-30 36L-20 43Q0 48 24 46Q40 44 42 30L42-12L34-30z" fill-opacity=".24"/>'
        f'<rect x="-36" y="-36" width="72" height="72" rx="15" fill="{edge}"/>'
        f'<rect x="-35.5" y="-35.5" width="69.5" height="69.5" rx="14.5" fill="url(#§{side})"/>'
        f'<rect x="-30" y="-30.5" width="60" height="60" rx="13" fill="{shine}"/>'
        f'<rect x="-29.5" y="-29.5" width="59.5" height="59.5" rx="13" fill="url(#§{top})"/></g>'
    )


def _shaded(first: str, last: str) -> str:
    return (
        f'<linearGradient x1=".1" y1="0" x2=".9" y2="1"><stop offset="0" stop-color="{first}"/>'
        f'<stop offset="1" stop-color="{last}"/></linearGradient>'
    )


def _pip(rim: str, deep: str, floor: str) -> str:
    """Sunk: dark under the near edge of the light, bright on the far rim."""
    return (
        f'<g stroke="none"><circle r="7.4" cx=".7" cy="1" fill="{rim}"/><circle r="7" fill="{deep}"/>'
        f'<circle r="5.2" cx="1" cy="1.4" fill="{floor}"/></g>'
    )


SHAPES = {
    **shapes.SHAPES,
    **marks.SHAPES,
    "w-side": _shaded("#f3efe2", "#b9b19c"),
    "w-top": _shaded("#fffdf6", "#f1ebdb"),
    "w-die": _die("#8f8874", "w-side", "w-top", "#fff"),
    "w-pip": _pip("#fff", "#000", "#2b2b2e"),
    "w-ring": '<circle r="16.2" fill="none" stroke="#17171a" stroke-width="4.6"/>',
    "r-side": _shaded("#d8453b", "#7c0d0d"),
    "r-top": _shaded("#e0453b", "#c22722"),
    "r-die": _die("#590707", "r-side", "r-top", "#f0786c"),
    "r-pip": _pip("#f0786c", "#b9a9a0", "#fffaf2"),
    "r-ring": '<circle r="16.2" fill="none" stroke="#fff6ee" stroke-width="4.6"/>',
}


def board(visible: Visible, language: str, flipped: bool) -> Board:
    view = View(BOARD.columns, BOARD.rows, flipped)
    cells = [cell for row in reversed(visible["rows"]) for cell in row]
    squares = [
        Square(name, n % 9, n // 9, die(cells[n]), say_die(cells[n], language), cells[n] == ".")
        for n, name in enumerate(BOARD.names)
    ]
    ground = frame(view, "#8a5a34", "#4b2d15", "#3f240f") + _checkered(view)
    return Board(view, ground, squares, SHAPES, [str(n + 1) for n in range(8)], "#f3dcb4")


@lru_cache(maxsize=2)
def _checkered(view: View) -> str:
    """Squares of dark and of light wood, no two neighbors cut from quite the same board, a step below the frame."""
    tones: dict[str, str] = {}
    for n in range(BOARD.size):
        column, row = n % 9, n // 9
        wood = WOODS[(column + row) % 2][(5 * column + 3 * row + column * row) % 3]  # a1 is dark
        x, y = view.cell(column, row)
        tones[wood] = tones.get(wood, "") + f"M{U * x} {U * y}h{U}v{U}h-{U}z"
    squares = "".join(f'<path d="{path}" fill="{wood}"/>' for wood, path in tones.items())
    return (
        f'{squares}<g transform="translate(3 4)">{_veins(view)}</g>{shapes.lit(0, 0, view.width, view.height)}'
        '<g fill="none" stroke="#000">'
        f'<path d="M5 {view.height}V5H{view.width}" stroke-width="10" stroke-opacity=".1"/>'
        f'<path d="M2 {view.height}V2H{view.width}" stroke-width="5" stroke-opacity=".2"/></g>'
        f'<rect x="-2" y="-2" width="{view.width + 4}" height="{view.height + 4}" fill="none" stroke="#3f240f" '
        'stroke-width="4"/>'
    )


def _veins(view: View) -> str:
    """The grain of the inlaid squares: it runs on from square to square of a row, but each row is another board."""
    rows = (
        f"M0 {y + 21}q{view.width / 2:g} {-9 + 5 * (y % 3)} {view.width - 6} 3M0 {y + 49}q{view.width / 3:g} 11 "
        f"{view.width - 6}-2M0 {y + 76}q{view.width / 1.5:g}-12 {view.width - 6} 4"
        for y in range(0, view.height, U)
    )
    return f'<path d="{"".join(rows)}" fill="none" stroke="#6d4218" stroke-width="2" stroke-opacity=".13"/>'


def die(code: str) -> str:
    """A die or a King as the camera sees it."""
    if code == ".":
        return ""
    color, face = code[0], code[1:]
    if face == "K":
        return use(f"{color}-die") + use(f"{color}-ring") + use(f"{color}-pip")
    return use(f"{color}-die") + "".join(use(f"{color}-pip", x * STEP, -y * STEP) for x, y in PIPS[face])
