"""Color vision deficiency: which lights can be confused, and from which brightness on they are distinct.

The simulation is that of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
Deficiency" (2009), for dichromats, on linear light (LEDs are driven linearly). Differences are distances in CIELAB.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import dist
from typing import NamedTuple

from companion.leds.lighting import dimmed
from companion.leds.picture import KINDS

Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
Linear = tuple[float, float, float]  # red, green, blue, 0 to 1

VISIONS: dict[str, Matrix] = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ: Matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
CLEAR_DIFFERENCE = 15.0  # in CIELAB; 2.3 is just noticeable
# Kinds of light that are shown at the same time: in play, when something lies wrong, and at the end.
SHOWN_TOGETHER = (
    ("turn", "last", "from", "can", "route", "to", "unkept"),
    ("from", "can", "to", "blocked"),  # arrows
    ("wrong", "put-back"),
    ("won", "last", "unkept"),
    ("over", "last", "unkept"),
)


class Confusable(NamedTuple):
    """Two kinds of light whose colors are hard to tell apart with this kind of color vision."""

    vision: str
    one: str
    other: str


def as_perceived(color: Linear, vision: str) -> Linear:
    """The color as somebody with this kind of color vision perceives it."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in _multiply(VISIONS[vision], color))
    return red, green, blue


def difference(one: Linear, other: Linear, vision: str) -> float:
    return dist(_lab(as_perceived(one, vision)), _lab(as_perceived(other, vision)))


def adapted_color(kind: str, brightness: float) -> Linear:
    """A light's color as LEDs show it at this brightness, for an adapted eye. Strong dimming leaves few color steps."""
    red, green, blue, _ = dimmed(KINDS[kind], brightness)
    return red / 255 / brightness, green / 255 / brightness, blue / 255 / brightness


def confusable_pairs(brightness: float) -> Iterator[Confusable]:
    """The pairs of lights, of those shown together, that are hard to tell apart at a brightness from 0 to 1."""
    if not brightness:
        return
    pairs = {pair for kinds in SHOWN_TOGETHER for pair in combinations(kinds, 2)}
    for vision in VISIONS:
        for one, other in sorted(pairs):
            if difference(adapted_color(one, brightness), adapted_color(other, brightness), vision) <= CLEAR_DIFFERENCE:
                yield Confusable(vision, one, other)


def least_brightness() -> float:
    """The lowest brightness, in whole per cent, at which everybody can tell all lights apart."""
    return next((percent / 100 for percent in range(100, 0, -1) if any(confusable_pairs((percent - 1) / 100))), 0.01)


def _multiply(matrix: Matrix, color: Linear) -> Linear:
    one, two, three = (sum(share * part for share, part in zip(row, color, strict=True)) for row in matrix)
    return one, two, three


def _lab(color: Linear) -> Linear:
    x, y, z = (
        _lab_curve(part / white) for part, white in zip(_multiply(XYZ, color), _multiply(XYZ, (1, 1, 1)), strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _lab_curve(part: float) -> float:
    return float(part ** (1 / 3)) if part > 0.008856 else 7.787 * part + 16 / 116
