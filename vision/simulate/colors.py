"""Sets in colors outside the kit's: what persons paint, print or buy, and can tell apart themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.fields import Floats
from vision.simulate.style import Color, Rng, Style, shade

APART, CONTRAST = 0.35, 0.45  # as a picture shows colors, 0 to 1: what persons choose, they can tell apart
PRINTED = 0.22  # the least contrast of marks that are sunk into a piece of one color


def strange(rng: Rng, style: Style) -> Style:
    """The same maker's work in colors that nobody expects."""
    wood = [style.wood_light]
    blue = _chosen(rng, wood)
    black = _chosen(rng, [*wood, blue])
    mushroom = _chosen(rng, [*wood, blue])
    card_white = _chosen(rng, wood)
    card_blue = _chosen(rng, [*wood, card_white], card_white)
    peg = _chosen(rng, [*wood, card_white, card_blue])
    die_white = _chosen(rng, [*wood, style.check_dark])
    die_red = _chosen(rng, [*wood, style.check_dark, die_white])
    mat = [style.mat_color]
    tile = _chosen(rng, mat)
    neutral = _chosen(rng, [*mat, tile])
    down = _chosen(rng, [*mat, tile, neutral])
    ink = _chosen(rng, [tile], tile)
    red = _chosen(rng, mat)
    white = _chosen(rng, [*mat, red])
    plank_blue = _chosen(rng, [*mat, red, white])
    return replace(
        style,
        blue=blue,
        black=black,
        mushroom=mushroom,
        peg=peg,
        card_white=card_white,
        card_blue=card_blue,
        die_white=die_white,
        die_red=die_red,
        pip_on_white=_chosen(rng, [die_white], die_white),
        pip_on_red=_chosen(rng, [die_red], die_red),
        tile_white=tile,
        tile_ink=ink,
        tile_green=_chosen(rng, [tile], tile),
        tile_neutral=neutral,
        tile_down=down,
        tile_dot=_chosen(rng, [tile, ink], tile),
        plank_red=red,
        plank_white=white,
        plank_blue=plank_blue,
        letter_black=_chosen(rng, [white], white),
        letter_white=_chosen(rng, [red, plank_blue], red),
    )


def printed(rng: Rng, style: Style) -> Style:
    """Pieces from a printer of solids: each of one color throughout, its marks sunk into it, so that they are only as
    dark as their own shadow."""
    mat = [style.mat_color]
    bodies = strange(rng, style)
    white, red = _sunk(rng, bodies.die_white), _sunk(rng, bodies.die_red)
    tile, plank = _sunk(rng, bodies.tile_white), _chosen(rng, [*mat, bodies.plank_red, bodies.plank_blue])
    return replace(
        bodies,
        pip_on_white=white,
        pip_on_red=red,
        tile_ink=tile,
        tile_green=tile,
        tile_dot=tile,
        plank_white=plank,
        letter_black=_sunk(rng, plank),
        letter_white=_sunk(rng, bodies.plank_red),
        layers=float(rng.uniform(0.02, 0.06)),
    )


def _sunk(rng: Rng, body: Color) -> Color:
    """The same color in its own shadow, or filled with paint where the shadow would not be seen."""
    dark = tuple(level * float(rng.uniform(0.1, 0.3)) for level in body)
    if float((_shown(body) - _shown((dark[0], dark[1], dark[2]))).mean()) >= PRINTED:
        return dark[0], dark[1], dark[2]
    return _chosen(rng, [body], body)


def _shown(color: Color) -> Floats:
    return np.asarray(np.asarray(color, np.float64) ** (1 / 2.2))


def _chosen(rng: Rng, others: list[Color], contrast: Color | None = None) -> Color:
    """A color that differs from the others, and in brightness from one of them."""
    best, most = (0.5, 0.5, 0.5), -1.0
    for _ in range(60):
        color = shade(rng, (0, 360), (0.0, 0.95), (0.08, 0.97))
        apart = min((float(np.linalg.norm(_shown(color) - _shown(other))) for other in others), default=1.0)
        bright = 1.0 if contrast is None else abs(float(_shown(color).mean() - _shown(contrast).mean()))
        good = min(apart / APART, bright / CONTRAST)
        if good >= 1:
            return color
        if good > most:
            best, most = color, good
    return best
