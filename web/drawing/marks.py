"""What is pointed out on a board. Each mark has a form of its own, not only a color."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, degrees, hypot
from typing import Literal, NamedTuple

from companion.games.squares import DIRECTIONS
from companion.messages import term
from web.drawing.shapes import outline
from web.drawing.sheet import Board, Square, use, word


class Arrow(NamedTuple):
    """A way over the board, from where something stands, over where it turns, to where it goes."""

    kind: Literal["last", "hint", "wrong", "why"]
    squares: tuple[str, ...]
    label: str = ""  # its number, where several follow each other


class Marks(NamedTuple):
    """Squares by name, as the game's moves write them."""

    last: tuple[str, ...] = ()  # the last move
    can: tuple[str, ...] = ()  # what may be chosen
    wrong: tuple[str, ...] = ()  # what is not as it should be
    hint: tuple[str, ...] = ()
    won: tuple[str, ...] = ()  # what decided the game
    labels: Mapping[str, str] = {}  # a short text on a square
    arrows: tuple[Arrow, ...] = ()
    ghosts: Mapping[str, str] = {}  # what a camera sees where something else should be, by its code
    ways: bool = False  # show the directions that are open to the one who moves, in games that know arrows

    @property
    def squares(self) -> set[str]:
        pointed = (square for arrow in self.arrows for square in arrow.squares)
        return {*self.last, *self.can, *self.wrong, *self.hint, *self.won, *self.labels, *self.ghosts, *pointed}


NONE = Marks()
SHAPES = {
    "can-go": '<g fill="#0b7a5b" stroke="#fff" stroke-width="4"><circle r="13"/></g>',
    "can-take": '<g fill="none"><circle r="43" stroke="#fff" stroke-width="10"/>'
    '<circle r="43" stroke="#0b7a5b" stroke-width="6"/></g>',
    "hatch": '<pattern width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="14" height="14" fill="#fff"/><rect width="8" height="14" fill="#c8102e"/></pattern>',
    "wrong": '<g fill="none"><rect x="-43" y="-43" width="86" height="86" rx="8" stroke="#7d0016" stroke-width="15"/>'
    '<rect x="-43" y="-43" width="86" height="86" rx="8" stroke="url(#§hatch)" stroke-width="11"/></g>',
}
# Around squares that belong together: strokes from the widest to the narrowest.
LINES = {
    "last": (
        'stroke="#ffae00" stroke-width="18" stroke-opacity=".3"',
        'stroke="#5c3a00" stroke-width="9" stroke-opacity=".6"',
        'stroke="#ffb413" stroke-width="6"',
    ),
    "hint": (
        'stroke="#fff" stroke-width="10"',
        'stroke="#6a1fd0" stroke-width="6.5" stroke-dasharray="18 10"',
    ),
    "won": (
        'stroke="#fff" stroke-width="16"',
        'stroke="#0b7a5b" stroke-width="11"',
        'stroke="#ffe27a" stroke-width="4"',
    ),
}


def marked(square: Square, marks: Marks) -> str:
    """The marks on one square, and its label on top of them."""
    name = square.name
    can = "can-go" if square.free else "can-take"
    drawn = [
        f'<g class="mark {kind}">{use(shape)}</g>'
        for kind, shape in (("wrong", "wrong"), ("can", can))
        if name in getattr(marks, kind)
    ]
    if label := marks.labels.get(name):
        drawn.append(_chip(label))
    return "".join(drawn)


def said(square: str, marks: Marks, language: str) -> list[str]:
    """The marks on a square in words, and its label."""
    kinds = [kind for kind in ("last", "can", "wrong", "hint", "won") if square in getattr(marks, kind)]
    label = marks.labels.get(square)
    return [term(f"mark.{kind}", language) for kind in kinds] + ([label] if label else [])


def ringed(board: Board, marks: Marks) -> str:
    """A line around the last move and one around the hint; squares side by side have one line around them all."""
    drawn = []
    for kind, strokes in LINES.items():
        squares = [square for square in board.squares if square.name in getattr(marks, kind)]
        if squares:
            path = outline((board.view.cell(square.column, square.row) for square in squares), 6)
            lines = "".join(f'<path d="{path}" {stroke}/>' for stroke in strokes)
            names = " ".join(square.name for square in squares)
            drawn.append(
                f'<g class="mark {kind}" data-squares="{names}" fill="none" stroke-linejoin="round" '
                f'pointer-events="none">{lines}</g>'
            )
    return "".join(drawn)


INKS = {  # of arrows: the line, and what surrounds it
    "last": ("#ffb413", "#5c3a00"),
    "hint": ("#6a1fd0", "#fff"),
    "wrong": ("#c8102e", "#fff"),
    "why": ("#0f6f7a", "#fff"),
}
HEAD = 30  # of an arrow: how long
SHORT = {"last": 34, "hint": 0, "wrong": 0, "why": 0}  # what has arrived is not hidden


def pointed(board: Board, marks: Marks) -> str:
    """The arrows; one that stays on its square is a number on it."""
    middles = {square.name: board.view.middle(square.column, square.row) for square in board.squares}
    drawn = []
    for arrow in marks.arrows:
        points = [middles[square] for square in arrow.squares if square in middles]
        if points:
            drawn.append(_arrow(arrow, points))
    return "".join(drawn)


def _arrow(arrow: Arrow, points: list[tuple[int, int]]) -> str:
    ink, around = INKS[arrow.kind]
    body = ""
    if len(points) > 1:
        (x0, y0), (x1, y1) = points[-2:]
        far = hypot(x1 - x0, y1 - y0)
        dx, dy = ((x1 - x0) / far, (y1 - y0) / far) if far else (0.0, 0.0)
        tip = (x1 - SHORT[arrow.kind] * dx, y1 - SHORT[arrow.kind] * dy)
        neck = (tip[0] - HEAD * dx, tip[1] - HEAD * dy)
        line = "L".join(f"{x:g} {y:g}" for x, y in (*points[:-1], neck))
        wide = HEAD * 0.62
        head = (
            f"M{tip[0]:g} {tip[1]:g}L{neck[0] - wide * dy:g} {neck[1] + wide * dx:g}"
            f"L{neck[0] + wide * dy:g} {neck[1] - wide * dx:g}z"
        )
        body = (
            f'<g fill="{around}" stroke="{around}" stroke-width="7" stroke-linejoin="round"><path d="{head}"/>'
            f'<path d="M{line}" fill="none" stroke-width="19" stroke-linecap="round"/></g>'
            f'<path d="{head}" fill="{ink}"/>'
            f'<path d="M{line}" fill="none" stroke="{ink}" stroke-width="12" stroke-linecap="round" '
            'stroke-linejoin="round"/>'
        )
    if arrow.label:
        x, y = points[0]
        body += (
            f'<circle cx="{x}" cy="{y}" r="21" fill="{ink}" stroke="{around}" stroke-width="3"/>'
            f'<text x="{x}" y="{y + 10}" fill="{around}" font-family="sans-serif" font-weight="700" font-size="28" '
            f'text-anchor="middle">{word(arrow.label)}</text>'
        )
    names = " ".join(arrow.squares)
    return f'<g class="arrow {arrow.kind}" data-squares="{names}" opacity=".88" pointer-events="none">{body}</g>'


def open_ways(board: Board, ways: Mapping[str, str | None], start: str) -> str:
    """The directions open to the piece that moves, around its square: those that lead somewhere, and fainter those
    that lead nowhere."""
    stands = next((square for square in board.squares if square.name == start), None)
    if stands is None:
        return ""
    x, y = board.view.middle(stands.column, stands.row)
    drawn = []
    for way, to in ways.items():
        east, north = DIRECTIONS[way]
        turn = degrees(atan2(east, north)) + (180 if board.view.flipped else 0)
        far = 58 if 0 in (east, north) else 76
        ink = 'fill="#1f6bff" stroke="#fff" stroke-width="5"' if to else 'fill="#9aa3ad" fill-opacity=".75"'
        drawn.append(
            f'<g class="way {"open" if to else "blocked"}" data-way="{way}" transform="rotate({turn:g}) '
            f'translate(0 {-far})"><path d="M0-17L16 10H-16z" {ink} stroke-linejoin="round"/></g>'
        )
    return f'<g class="ways" transform="translate({x} {y})" pointer-events="none">{"".join(drawn)}</g>'


def _chip(text: str) -> str:
    """A short text on a dark chip, made narrower until it fits the square."""
    size = min(28.0, 130 / max(len(text), 1))
    width = max(34.0, 0.64 * size * len(text) + 14)
    return (
        f'<g class="label"><rect x="{-width / 2:g}" y="13" width="{width:g}" height="36" rx="10" fill="#16181c" '
        f'fill-opacity=".9" stroke="#fff" stroke-width="2.5"/><text y="{31 + 0.36 * size:g}" fill="#fff" '
        f'font-family="sans-serif" font-weight="700" font-size="{size:g}" text-anchor="middle">{word(text)}</text></g>'
    )
