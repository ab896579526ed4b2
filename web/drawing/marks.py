"""What is pointed out on a board. Each mark has a form of its own, not only a colour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from web.drawing.sheet import Square, use, word


class Marks(NamedTuple):
    """Squares by name, as the game's moves write them."""

    last: tuple[str, ...] = ()  # the last move
    can: tuple[str, ...] = ()  # what may be chosen
    wrong: tuple[str, ...] = ()  # what is not as it should be
    hint: tuple[str, ...] = ()
    labels: Mapping[str, str] = {}  # a short text on a square

    @property
    def squares(self) -> set[str]:
        return {*self.last, *self.can, *self.wrong, *self.hint, *self.labels}


SHAPES = {
    "last": '<g fill="none" stroke="#ffae00">'
    '<rect x="-44" y="-44" width="88" height="88" rx="12" stroke-width="16" stroke-opacity=".28"/>'
    '<rect x="-45" y="-45" width="90" height="90" rx="11" stroke="#6b4300" stroke-width="8" stroke-opacity=".55"/>'
    '<rect x="-45" y="-45" width="90" height="90" rx="11" stroke-width="5.5"/></g>',
    "can-go": '<g fill="#0b7a5b" stroke="#fff" stroke-width="4"><circle r="13"/></g>',
    "can-take": '<g fill="none"><circle r="43" stroke="#fff" stroke-width="10"/>'
    '<circle r="43" stroke="#0b7a5b" stroke-width="6"/></g>',
    "hatch": '<pattern width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="14" height="14" fill="#fff"/><rect width="8" height="14" fill="#c8102e"/></pattern>',
    "wrong": '<g fill="none"><rect x="-43" y="-43" width="86" height="86" rx="8" stroke="#7d0016" stroke-width="15"/>'
    '<rect x="-43" y="-43" width="86" height="86" rx="8" stroke="url(#§hatch)" stroke-width="11"/></g>',
    "hint": '<g fill="none"><rect x="-42" y="-42" width="84" height="84" rx="14" stroke="#fff" stroke-width="9"/>'
    '<rect x="-42" y="-42" width="84" height="84" rx="14" stroke="#6a1fd0" stroke-width="6" '
    'stroke-dasharray="17 9"/></g>',
}


def marked(square: Square, marks: Marks) -> str:
    """The marks on one square, and its label on top of them."""
    name = square.name
    can = "can-go" if square.free else "can-take"
    drawn = [
        f'<g class="mark {kind}">{use(shape)}</g>'
        for kind, shape in (("last", "last"), ("hint", "hint"), ("wrong", "wrong"), ("can", can))
        if name in getattr(marks, kind)
    ]
    if label := marks.labels.get(name):
        drawn.append(_chip(label))
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
