"""Whether everybody can tell the lights apart: their colors as those see them who lack one kind of cone.

After Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
for the whole lack of a cone, on linear light; LEDs are driven linearly. Distances are CIELAB's.
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

EYES: dict[str, Matrix] = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ: Matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
CLEARLY = 15.0  # of CIELAB's units; 2.3 can just be seen
# Lights that may burn at the same time: in play, when something lies wrong, and at the end.
TOGETHER = (
    ("turn", "last", "from", "can", "route", "to", "unkept"),
    ("from", "can", "to", "blocked"),  # arrows
    ("wrong", "put-back"),
    ("won", "last", "unkept"),
    ("over", "last", "unkept"),
)


class Alike(NamedTuple):
    """Two kinds of light that an eye hardly tells apart by color; they still blink differently where they blink."""

    eye: str
    one: str
    other: str


def seen(color: Linear, eye: str) -> Linear:
    """The color that looks the same to everybody as this one does to such an eye."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(EYES[eye], color))
    return red, green, blue


def apart(one: Linear, other: Linear, eye: str) -> float:
    return dist(_lab(seen(one, eye)), _lab(seen(other, eye)))


def burning(kind: str, brightness: float) -> Linear:
    """A kind's color as LEDs show it at this brightness, to an eye that has got used to it: few steps are left of a
    color that is dimmed far."""
    red, green, blue, _ = dimmed(KINDS[kind], brightness)
    return red / 255 / brightness, green / 255 / brightness, blue / 255 / brightness


def alike(brightness: float) -> Iterator[Alike]:
    """What is hard to tell apart at a brightness, 0 to 1, of all that may burn together."""
    if not brightness:
        return
    pairs = {pair for kinds in TOGETHER for pair in combinations(kinds, 2)}
    for eye in EYES:
        for one, other in sorted(pairs):
            if apart(burning(one, brightness), burning(other, brightness), eye) <= CLEARLY:
                yield Alike(eye, one, other)


def least_brightness() -> float:
    """From which brightness on, in whole per cent, everybody tells all lights apart."""
    return next((percent / 100 for percent in range(100, 0, -1) if any(alike((percent - 1) / 100))), 0.01)


def _times(matrix: Matrix, color: Linear) -> Linear:
    one, two, three = (sum(share * part for share, part in zip(row, color, strict=True)) for row in matrix)
    return one, two, three


def _lab(color: Linear) -> Linear:
    x, y, z = (_root(part / white) for part, white in zip(_times(XYZ, color), _times(XYZ, (1, 1, 1)), strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(part: float) -> float:
    return float(part ** (1 / 3)) if part > 0.008856 else 7.787 * part + 16 / 116
