"""The row of planks, with the players' tokens on it."""

from __future__ import annotations

from companion.games.position import PlankSeen, Visible
from companion.messages import term
from companion.messages.seen import say_plank_square
from web.drawing import marks, shapes
from web.drawing.letters import lettered
from web.drawing.shapes import lit, shadow
from web.drawing.sheet import BORDER, Board, Square, View, use

COLUMNS = "abc"
LEAST = 3  # rows that are shown, so that a short row is not drawn large
INK = {"R": "#fff", "W": "#141416", "B": "#fff"}


def _token(rim: str, light: str, deep: str) -> str:
    return (
        f'<g stroke="none"><circle cx="2" cy="5" r="47" fill="url(#§shade)"/><circle r="41.5" fill="#0c0c0e"/>'
        f'<circle r="38.6" fill="{rim}"/><circle r="38.6" cx=".8" cy="1.2" fill="{deep}"/>'
        f'<circle r="37" fill="{light}"/></g>'
    )


SHAPES = {
    **shapes.SHAPES,
    **marks.SHAPES,
    "plank": f'<g fill="#000">{shadow(-150, -48.5, 300, 97, 5, 1.1)}'
    '<rect x="-150" y="-48.5" width="300" height="97" rx="5" fill="#0c0c0e"/></g>',
    "on-R": '<rect x="-47" y="-45.5" width="94" height="91" rx="2" fill="#c9231f"/>',
    "on-W": '<rect x="-47" y="-45.5" width="94" height="91" rx="2" fill="#f6f3ea"/>',
    "on-B": '<rect x="-47" y="-45.5" width="94" height="91" rx="2" fill="#2457ad"/>',
    "token-R": _token("#ff9186", "#dd3a31", "#8f120f"),
    "token-W": _token("#fff", "#fffdf7", "#c9c2b0"),
    "token-B": _token("#8fb5ee", "#3a70c9", "#153a78"),
    "place": '<rect x="-46" y="-46" width="92" height="92" rx="6" fill="#fff" fill-opacity=".06" stroke="#fff" '
    'stroke-opacity=".6" stroke-width="2.5" stroke-dasharray="9 8"/>',
}


def board(visible: Visible, south: int, language: str, flipped: bool, named: set[str]) -> Board:
    """The row from the plank with the number `south` on, with the place beyond either end if it is pointed at."""
    planks = visible["planks"]
    ends = {south - 1, south + len(planks)} if planks else {0}
    pointed = [row for row in ends if named & {f"{column}{row}" for column in COLUMNS}]
    first = min([south if planks else -1, *pointed])
    last = max([south + len(planks) - 1, first + LEAST - 1, *pointed])
    view = View(len(COLUMNS), last - first + 1, flipped)
    laid = {south + n: plank for n, plank in enumerate(planks)}
    squares = [
        _square(f"{column}{row}", x, row - first, laid.get(row), language)
        for row in range(first, last + 1)
        for x, column in enumerate(COLUMNS)
        if row in laid or row in pointed or (not laid and row == 0)
    ]
    ground = _mat(view) + "".join(use("plank", *view.middle(1, row - first)) for row in laid)
    names = [str(row) if any(s.row == row - first for s in squares) else "" for row in range(first, last + 1)]
    return Board(view, ground, squares, SHAPES, names, "#dfe8dc")


def _mat(view: View) -> str:
    """Cloth with a seam."""
    width, height = view.width + 2 * BORDER, view.height + 2 * BORDER
    return (
        shadow(-BORDER, -BORDER, width, height, 22)
        + f'<rect x="{-BORDER}" y="{-BORDER}" width="{width}" height="{height}" rx="22" fill="#2f4f43"/>'
        + lit(-BORDER, -BORDER, width, height, 22)
        + f'<rect x="{6 - BORDER}" y="{6 - BORDER}" width="{width - 12}" height="{height - 12}" rx="17" fill="none" '
        'stroke="#7f9c8e" stroke-width="1.8" stroke-dasharray="7 5" stroke-opacity=".7"/>'
    )


def _square(name: str, column: int, row: int, plank: PlankSeen | None, language: str) -> Square:
    if plank is None:
        return Square(name, column, row, use("place"), term("seen.no-plank", language), True)
    color, code = plank["colors"][column], plank["tokens"][column]
    return Square(name, column, row, lone(color + code), say_plank_square(color + code, language), code == ".")


def lone(code: str) -> str:
    """A square of a plank by its color, with its token: `R.`, `RA`, `RA:B`."""
    color, owner, own = code[0], *code[1:].partition(":")[::2]
    return use(f"on-{color}") + ("" if owner in ("", ".") else token(owner, own or color))


def token(owner: str, color: str) -> str:
    """A player's token with his letter."""
    if not owner:
        return use(f"token-{color}")
    return use(f"token-{color}") + (
        f'<g fill="none" stroke="{INK[color]}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">'
        f"{lettered(owner, 0, 0, 2.9)}</g>"
    )
