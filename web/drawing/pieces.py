"""The kit's pieces one by one: small pictures for hands, trays and lists of moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.games.hepta import SHAPES as TROMINOES
from companion.games.pegs import CARDS, turned_over
from companion.games.position import Piece
from companion.games.squares import DIRECTIONS, Point
from companion.games.tetrods import TETRODS
from vision.codes import PIPS
from web.drawing import faces, planks, seven, tiles
from web.drawing.shapes import plate
from web.drawing.sheet import Shapes, U, picture, use

AIR = 8  # around a piece


class Drawn(NamedTuple):
    """A piece around its middle, on so many columns and rows."""

    size: tuple[float, float]
    shows: str
    shapes: Shapes


def piece_svg(piece: Piece, words: str = "") -> str | None:
    """A piece as SVG; None for what the kit does not have."""
    make = KINDS.get(piece.kind)
    drawn = make(piece) if make else None
    if drawn is None:
        return None
    wide, high = (U * side + 2 * AIR for side in drawn.size)
    return picture(words, (-wide / 2, -high / 2, wide, high), drawn.shows, drawn.shapes)


def _standing(shape: str) -> Callable[[Piece], Drawn | None]:
    return lambda piece: Drawn((1, 1), seven.standing(shape), seven.SHAPES)


def _plate(kind: str, cells: list[Point], hole: Point | None) -> Drawn:
    """A plate of several squares, lying along the longer side."""
    if max(y for _, y in cells) > max(x for x, _ in cells):
        cells = [(y, x) for x, y in cells]
        hole = (hole[1], hole[0]) if hole else None
    wide, high = max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1
    shows = plate(tuple((x, high - 1 - y) for x, y in cells), *seven.PLATES[kind])
    if hole:
        shows += use("wide-hole", (hole[0] + 0.5) * U, (high - 0.5 - hole[1]) * U)
    return Drawn(
        (wide, high), f'<g transform="translate({-wide * U / 2:g} {-high * U / 2:g})">{shows}</g>', seven.SHAPES
    )


def _tromino(piece: Piece) -> Drawn | None:
    return _plate("tromino", list(TROMINOES[piece.name]), None) if piece.name in TROMINOES else None


def _tetrod(piece: Piece) -> Drawn | None:
    cells = TETRODS.get(piece.name)
    return _plate("tetrod", list(cells), cells[0]) if cells else None


def _card(piece: Piece) -> Drawn | None:
    """As it lies before its player: from White's side its holes are mirrored."""
    if piece.name not in CARDS:
        return None
    white = piece.face == "w"
    holes = turned_over(piece.name) if white else piece.name
    punched = [use("punched", (n % 3 - 1) * U, (n // 3 - 0.5) * U) for n, hole in enumerate(holes) if hole == "1"]
    return Drawn((3, 2), use("white-h" if white else "blue-h") + "".join(punched), seven.SHAPES)


def _tile(piece: Piece) -> Drawn | None:
    ways = piece.name.split("-")
    known = piece.name in ("down", "neutral") or (len(ways) == 3 and all(way in DIRECTIONS for way in ways))
    return Drawn((1, 1), tiles.tile(piece.name, False), tiles.SHAPES) if known else None


def _pawn(piece: Piece) -> Drawn | None:
    return Drawn((1, 1), use(piece.name), tiles.SHAPES) if piece.name in tiles.PAWNS else None


def _plank(piece: Piece) -> Drawn | None:
    if sorted(piece.name) != sorted(planks.INK):
        return None
    colors = "".join(use(f"on-{color}", (n - 1) * U) for n, color in enumerate(piece.name))
    return Drawn((3, 1), use("plank") + colors, planks.SHAPES)


def _token(piece: Piece) -> Drawn | None:
    if piece.name not in planks.INK or piece.face not in ("", *"ABCD"):
        return None
    return Drawn((1, 1), planks.token(piece.face, piece.name), planks.SHAPES)


def _die(piece: Piece) -> Drawn | None:
    known = piece.name[:1] in ("w", "r") and (piece.name[1:] == "K" or piece.name[1:] in PIPS)
    return Drawn((1, 1), faces.die(piece.name), faces.SHAPES) if known else None


KINDS: dict[str, Callable[[Piece], Drawn | None]] = {
    "peg": _standing("peg"),
    "mushroom": _standing("mushroom"),
    "blocker": _standing("blocker"),
    "tromino": _tromino,
    "tetrod": _tetrod,
    "card": _card,
    "tile": _tile,
    "pawn": _pawn,
    "plank": _plank,
    "token": _token,
    "die": _die,
}
