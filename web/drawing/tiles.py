"""The 8×8 frame: tiles with arrows, and the clear pawns through which they are seen."""

from __future__ import annotations

from companion.games.position import Visible
from companion.games.squares import DIRECTIONS, Grid
from companion.messages import term
from companion.messages.seen import say_tile
from web.drawing import marks, shapes
from web.drawing.shapes import frame
from web.drawing.sheet import Board, Square, View, use

FRAME = Grid(8, 8)
GREEN = "#16803c"
OPPOSITE = {way: list(DIRECTIONS)[n - 4] for n, way in enumerate(DIRECTIONS)}


def _card(fill: str, edge: str) -> str:
    return (
        f'<g fill="{fill}"><rect x="-48" y="-48" width="96" height="96" rx="5" fill="{edge}"/>'
        '<rect x="-47.5" y="-48" width="95" height="94.5" rx="4.5"/></g>'
    )


def _pawn(shape: str, light: str, deep: str) -> str:
    """Clear tinted plastic: its color lies over the arrows, its edges are darker, the light runs along its rim."""
    return (
        f'<g stroke="none"><g transform="translate(4 6)" fill="{deep}" fill-opacity=".3">{shape}</g>'
        f'<g fill="{light}" fill-opacity=".42" stroke="{deep}" stroke-width="5">{shape}</g>'
        f'<g fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="1.8" transform="scale(.87)">'
        f"{shape}</g></g>"
    )


_SQUARE = '<rect x="-30" y="-30" width="60" height="60" rx="5"/>'
_ROUND = '<circle r="33"/>'
PAWNS = ("square1", "square2", "round1", "round2")
SHAPES = {
    **shapes.SHAPES,
    **marks.SHAPES,
    "card": _card("#fdfbf5", "#b9b3a4"),
    **{
        way: f'<path d="M-4.8 3V-22H-11L0-39.5L11-22H4.8V3z" fill="#141416" transform="rotate({45 * n})"/>'
        for n, way in enumerate(DIRECTIONS)
    },
    "hub": '<circle r="6.6" fill="#141416"/>',
    "dot": '<circle cy="43" r="4" fill="#d3202a"/>',
    "start-square": f'<rect x="-27" y="-27" width="54" height="54" fill="none" stroke="{GREEN}" stroke-width="8"/>',
    "finish-square": f'<rect x="-31" y="-31" width="62" height="62" fill="{GREEN}"/>',
    "start-round": f'<circle r="29" fill="none" stroke="{GREEN}" stroke-width="8"/>',
    "finish-round": f'<circle r="33" fill="{GREEN}"/>',
    "neutral": _card("#8d8f92", "#66686b"),
    "down": _card("#8b5a35", "#5f3a1e"),
    # the bed, so that one sees where a tile goes
    "empty": '<rect x="-45" y="-45" width="90" height="90" rx="5" fill="#fff" fill-opacity=".05" stroke="#fff" '
    'stroke-opacity=".22" stroke-width="2"/>',
    "square1": _pawn(_SQUARE, "#ffb21e", "#b36b00"),
    "square2": _pawn(_SQUARE, "#ff5a4d", "#a3140f"),
    "round1": _pawn(_ROUND, "#3f8cff", "#0b469c"),
    "round2": _pawn(_ROUND, "#33c46a", "#0a6a32"),
}


def board(visible: Visible, language: str, flipped: bool) -> Board:
    view = View(FRAME.columns, FRAME.rows, flipped)
    cells = [cell for row in reversed(visible["rows"]) for cell in row]
    pawns = {square: pawn for pawn, square in visible.get("pawns", {}).items()}
    squares = [
        Square(
            name,
            n % 8,
            n // 8,
            tile(cells[n], flipped, pawns.get(name, "")),
            _said(cells[n], pawns.get(name), language),
            cells[n] == "empty",
        )
        for n, name in enumerate(FRAME.names)
    ]
    return Board(view, _frame(view), squares, SHAPES, [str(n + 1) for n in range(8)], "#f0dcc0")


def _frame(view: View) -> str:
    """A wooden frame around a dark bed in which the tiles lie."""
    return frame(view, "#6f4a2d", "#3a2412", "#2d1a0b") + (
        f'<rect x="-4" y="-4" width="{view.width + 8}" height="{view.height + 8}" rx="6" fill="#2a211b"/>'
        f'<path d="M-4 {view.height + 4}V-4H{view.width + 4}" fill="none" stroke="#000" stroke-width="5" '
        'stroke-opacity=".45"/>'
    )


def tile(code: str, flipped: bool, pawn: str = "") -> str:
    """A tile as it lies; from the other side its arrows and its dot point the other way. A pawn is clear: the arrows
    under it are drawn over it, so that it hides none."""
    name, stands = code.removesuffix("~"), use(pawn) if pawn else ""
    if name in ("neutral", "down", "empty"):
        return use(name) + stands
    dot = use("dot", turn=180 if flipped != code.endswith("~") else 0)
    ways = name.split("-")
    if ways[0] not in DIRECTIONS:
        return use("card") + use(name) + stands + dot
    arrows = (use(OPPOSITE[way] if flipped else way) for way in ways)
    return use("card") + stands + "".join(arrows) + use("hub") + dot


def _said(code: str, pawn: str | None, language: str) -> str:
    return ", ".join([say_tile(code, language), *([term(pawn, language)] if pawn else [])])
