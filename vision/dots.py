"""The sides on which the dots of a learned set's tiles are, by those that were shown.

Tiles lie with their dots to the south, so one look at a board shows what an edge with a dot looks like, and three times
as many without, with and without arrows that point there. The two are told apart by a linear discriminant; all is
measured against the tile's own border, so that another light changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.codes import TRIPLES
from vision.fields import Floats
from vision.patches import SIDE, Patches

SIDES = 4  # south, east, north, west
ROWS, COLUMNS = slice(24, 31), slice(10, 22)  # of a patch whose side lies in the south: where its dot may be
BLOCKS = (3, 4)  # averages that are taken there
VEIL = 30.0  # levels: darker colors differ in noise only
ENOUGH = 12  # tiles from which it is learned
EVEN = 0.01  # variance by which blocks may always differ
SAYS, MOST_SAID = 0.5, 5.0  # of what the discriminant says, as a logarithm: it was fitted to few tiles

_AXIS = np.abs((np.arange(SIDE) + 0.5) / SIDE - 0.5)
_EDGE = np.maximum(_AXIS[:, None], _AXIS[None])
_BORDER = (_EDGE > 0.365) & (_EDGE < 0.44)

Dots = tuple[float, ...]  # the discriminant: a weight for each average and color, and what is added


def signs_of(patches: Patches) -> npt.NDArray[np.float64]:
    """Per tile and side what its edge looks like."""
    logs = np.log(patches[:, :3].astype(np.float64) + VEIL)
    logs -= np.median(logs[:, :, _BORDER], axis=2)[:, :, None, None]
    sides = [np.rot90(logs, -side, axes=(2, 3))[:, :, ROWS, COLUMNS] for side in range(SIDES)]
    seen = np.stack(sides, axis=1)  # tile, side, color, row, column
    rows = np.array_split(seen, BLOCKS[0], axis=3)
    blocks = [part.mean(axis=(3, 4)) for row in rows for part in np.array_split(row, BLOCKS[1], axis=4)]
    return np.concatenate(blocks, axis=2)


def shown_by(patches: Patches, codes: Sequence[str]) -> Dots:
    """What tells the edge with the dot, by tiles that lie upright; nothing where there are too few."""
    upright = np.array([code in TRIPLES for code in codes])
    if upright.sum() < ENOUGH:
        return ()
    signs = signs_of(patches[upright])
    dotted, plain = signs[:, 0], signs[:, 1:].reshape(-1, signs.shape[2])
    means = dotted.mean(axis=0), plain.mean(axis=0)
    spread = np.concatenate([dotted - means[0], plain - means[1]])
    varied = spread.T @ spread / len(spread) + EVEN * np.eye(signs.shape[2])
    weights = np.linalg.solve(varied, means[0] - means[1])
    added = -float(weights @ (means[0] + means[1])) / 2
    return tuple(round(float(weight), 3) for weight in (*weights, added))


def said_by(dots: Dots, patches: Patches) -> Floats:
    """Per tile and side how likely its dot is there, as a logarithm: 0 for the likeliest."""
    told = SAYS * (signs_of(patches) @ np.array(dots[:-1]) + dots[-1])
    return np.asarray(np.maximum(told - told.max(axis=1, keepdims=True), -MOST_SAID), np.float32)
