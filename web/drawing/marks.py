"""What is pointed out on a board. Each mark has a form of its own, not only a color."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.messages import term
from web.drawing.shapes import outline
from web.drawing.sheet import Board, Square, use, word


class Marks(NamedTuple):
    """Squares by name, as the game's moves write them."""

    last: tuple[str, ...] = ()  # the last move
    can: tuple[str, ...] = ()  # what may be chosen
    wrong: tuple[str, ...] = ()  # what is not as it should be
    hint: tuple[str, ...] = ()
    won: tuple[str, ...] = ()  # what decided the game
    labels: Mapping[str, str] = {}  # a short text on a square

    @property
    def squares(self) -> set[str]:
        return {*self.last, *self.can, *self.wrong, *self.hint, *self.won, *self.labels}


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


def _chip(text: str) -> str:
    """A short text on a dark chip, made narrower until it fits the square."""
    size = min(28.0, 130 / max(len(text), 1))
    width = max(34.0, 0.64 * size * len(text) + 14)
    return (
        f'<g class="label"><rect x="{-width / 2:g}" y="13" width="{width:g}" height="36" rx="10" fill="#16181c" '
        f'fill-opacity=".9" stroke="#fff" stroke-width="2.5"/><text y="{31 + 0.36 * size:g}" fill="#fff" '
        f'font-family="sans-serif" font-weight="700" font-size="{size:g}" text-anchor="middle">{word(text)}</text></g>'
    )
