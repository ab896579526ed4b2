"""Bare squares that seem hidden and are not: shadows of dice fall on them, and low lamps draw hard ones.

What lies over a board hides its wood. Where the middles of all squares that seem hidden together are as those of bare
squares of their color, only darker, nothing lies there.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.fields import Field, Floats
from vision.look import HIDDEN
from vision.patches import DARK, SIDE, Patches

MIDDLE = slice(SIDE * 7 // 32, SIDE * 25 // 32, 2)  # of a square, on its own plane: every second pixel is enough
BARE, OPEN, FEW = 0.95, 0.2, 4  # how surely squares are bare and not hidden that tell how bare ones look; so few do not
# How far blue and red against green may be from theirs, as logarithms, how much darker and brighter the square may be,
# and how much less even its color. Chosen on 12 drawn pictures with hands and 18 in lamplight without; of 24 hands
# found in others all still are.
ALIKE, DARKER, BRIGHTER, AS_EVEN = 0.08, 0.6, 0.2, 3.0
LEAST_SPREAD = 0.01


def without_shadows(hidden: Floats, bare: Floats, patches: Patches, field: Field) -> Floats:
    """How likely each square is hidden, where `bare` is how likely it is bare and patches end with its own plane."""
    seems = hidden > HIDDEN
    if not seems.any():
        return hidden
    logs = np.log(np.maximum(patches[:, -3:, MIDDLE, MIDDLE].astype(np.float32), DARK)).reshape(len(patches), 3, -1)
    hue = logs[:, [0, 2]] - logs[:, 1:2]
    usual, bright = np.median(hue, axis=2), np.median(logs.mean(axis=1), axis=1)
    spread = np.abs(hue - usual[:, :, None]).mean(axis=(1, 2))
    cells = np.arange(len(patches))
    dark = (cells % field.columns + cells // field.columns) % 2
    like_bare = np.zeros(len(patches), bool)
    for color in (0, 1):
        known = (bare > BARE) & (hidden < OPEN) & (dark == color)
        if known.sum() < FEW:
            continue
        off = np.linalg.norm(usual - np.median(usual[known], axis=0), axis=1)
        by = bright - np.median(bright[known])
        even = spread < AS_EVEN * max(float(np.median(spread[known])), LEAST_SPREAD)
        like_bare |= (dark == color) & (off < ALIKE) & (by > -DARKER) & (by < BRIGHTER) & even
    count, piece = cv2.connectedComponents(seems.reshape(-1, field.columns).astype(np.uint8), connectivity=8)
    out = hidden.copy()
    for n in range(1, count):
        mine = np.ravel(piece == n)
        if like_bare[mine].all():
            out[mine] = np.minimum(out[mine], HIDDEN)
    return out
