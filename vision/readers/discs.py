"""Where the printed discs of Pegs cards lie, to a fraction of a pixel.

A card lies a little askew, and its six discs lie askew with it: discs that share one shift and turn are on one
card. That tells cards of one color apart where their edges can hardly be seen.
"""

from __future__ import annotations

import warnings
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.fields import Floats
from vision.pose import Image, Pose

RADIUS = 0.33
_ANGLES, _RADII = np.linspace(0, 2 * np.pi, 48, endpoint=False), np.linspace(0.17, 0.47, 31)
_AROUND = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_ALONG = np.linspace(-1, 1, 31)[:, None]
_BENT = np.concatenate([_ALONG * (_ALONG - 1) / 2, 1 - _ALONG**2, _ALONG * (_ALONG + 1) / 2], axis=1)  # a parabola
LEAST = 14  # directions in which the edge must be seen
BEST = 0.0025  # cells: no disc is known better than this
FAINT = 20  # levels between a disc and its card
_INSIDE, _OUTSIDE = slice(4, 11), slice(22, 29)


def disc_offsets(image: Image, pose: Pose, cells: npt.NDArray[np.intp], lift: float = 0.02) -> Floats:
    """Per cell (column, row) how far its disc lies east and north of the middle, how well that is known, and how
    much further east and north it would seem to lie if it lay higher by the side of a cell.

    Cells where no disc can be made out have an uncertainty of infinity.
    """
    if not len(cells):
        return np.zeros((0, 5))
    # Along a ray of half a cell a picture bends too little to be seen: three points tell all the others.
    points = np.empty((len(cells), _ANGLES.size, 3, 3))
    points[..., :2] = cells[:, None, None, :] + 0.5 + _AROUND[None, :, None, :] * _RADII[[0, 15, 30], None]
    points[..., 2] = pose.field.surface + lift
    known = pose.project(points).reshape(-1, 3, 2)
    along = (known[..., axis] @ _BENT.T for axis in (0, 1))
    x, y = (pixels.reshape(len(cells), -1).astype(np.float32) for pixels in along)
    # blue and white differ most in red
    seen = cv2.remap(image[..., 2], x, y, cv2.INTER_LINEAR).astype(np.float32)
    seen = seen.reshape(len(cells), _ANGLES.size, _RADII.size)
    inside, outside = (np.median(seen[..., part], axis=(1, 2))[:, None, None] for part in (_INSIDE, _OUTSIDE))
    step = np.where(np.abs(outside - inside) < FAINT, np.inf, outside - inside)
    east, north, height = pose.eye
    lean = (cells + 0.5 - [east, north]) / (height - pose.field.surface)
    return np.column_stack([_fit((seen - inside) / step), lean])  # 0 on the disc, 1 around it


def _fit(share: npt.NDArray[np.floating[Any]]) -> Floats:
    """The shifts that explain at which radius each direction leaves the disc."""
    over = share > 0.5
    crosses = over[..., 1:] & ~over[..., :-1]
    crosses[..., :8] = False  # a peg's edge
    found = crosses.sum(axis=2) == 1
    k = crosses.argmax(axis=2)[..., None]
    a, b = (np.take_along_axis(share, k + n, axis=2)[..., 0] for n in (0, 1))
    radius = _RADII[k[..., 0]] + (0.5 - a) / np.maximum(b - a, 1e-6) * (_RADII[1] - _RADII[0])
    model = np.column_stack([np.ones(_ANGLES.size), _AROUND])
    squares = (model[:, :, None] * model[:, None, :]).reshape(_ANGLES.size, 9)
    weight = found.astype(np.float64)
    for _ in range(6):  # a peg, its shadow and glare hide parts of the edge: what does not fit counts less
        normal = (weight @ squares).reshape(-1, 3, 3) + 1e-9 * np.eye(3)
        shift = np.linalg.solve(normal, (weight * radius @ model)[..., None])[..., 0]
        off = np.where(found, np.abs(radius - shift @ model.T), np.nan)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a cell with no edge at all has no median
            spread = np.maximum(1.5 * np.nan_to_num(np.nanmedian(off, axis=1), nan=1.0), 0.002)
        weight = np.where(found, 1 / (1 + (np.nan_to_num(off) / (2 * spread[:, None])) ** 2), 0.0)
    count = weight.sum(axis=1)
    known = np.hypot(BEST, spread * np.sqrt(2 / np.maximum(count, 1)))
    known[(count < LEAST) | (np.abs(shift[:, 0] - RADIUS) > 0.06)] = np.inf
    return np.column_stack([shift[:, 1:], known])
