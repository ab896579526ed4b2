"""The light on the table, measured on the markers: their white margins and black squares are gray references.

White is fitted as a smooth fall-off over the field, per color, so dividing by it balances the colors too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.fields import MARKER_MARGIN, MARKER_SIDE, Field, Floats
from vision.pose import Image, Marker, Pose
from vision.translation import Translation

WHITE = 200.0  # what paper white is brought to
STEADY = 3.0  # how strongly a slope of the light must be shown before it is believed, in cells squared per marker


@dataclass(frozen=True)
class Lighting:
    """Paper white over the field: the logarithm is a plane per color (blue, green, red)."""

    level: Floats  # 3
    slope_x: Floats  # 3, per cell, from the field's middle
    slope_y: Floats
    black: float  # the markers' black over their white, 0 to 1: glare and haze lift it
    translation: Translation | None = None  # of a set that has other colors than the kit's

    def gain(self, field: Field, xs: Floats, ys: Floats) -> Floats:
        """What to multiply a picture by, on a grid of world positions, to bring white to WHITE."""
        x, y = xs - field.columns / 2, ys - field.rows / 2
        along_x = (WHITE * np.exp(-self.level - x[:, None] * self.slope_x)).astype(np.float32)
        along_y = np.exp(-y[:, None] * self.slope_y).astype(np.float32)
        # color by color: three at a time take many times as long
        return np.asarray(cv2.merge([np.outer(along_y[:, color], along_x[:, color]) for color in range(3)]), np.float32)


def _ring(offset: float, count: int = 10) -> Floats:
    """Points on a square around a marker's middle, `offset` outside its black edge."""
    r = MARKER_SIDE / 2 + offset
    side = np.linspace(-r, r, count, endpoint=False)
    one = np.full(count, r)
    return np.concatenate([np.stack(p, axis=1) for p in ((side, one), (one, -side), (-side, -one), (-one, side))])


_WHITE_RING, _BLACK_RING = _ring(MARKER_MARGIN * 0.5), _ring(-MARKER_SIDE / 12)


def _at(image: Image, pose: Pose, points: Floats) -> Floats:
    flat = np.concatenate([points, np.zeros((len(points), 1))], axis=1)
    pixels = pose.project(flat).astype(np.float32)
    found = cv2.remap(image, pixels[None, :, 0], pixels[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found[0], dtype=np.float32)


def measure(image: Image, pose: Pose, markers: Sequence[Marker]) -> Lighting:
    """The light from the markers that are seen; the brighter half of each margin, as shadows lie on some."""
    field = pose.field
    mine = [marker.id for marker in markers if marker.id in field.markers]
    if not mine:
        return measure_without_markers(image, pose)
    middles = np.array([field.marker_corners(marker)[:, :2].mean(axis=0) for marker in mine])
    rings = middles[:, None, None] + np.stack([_WHITE_RING, _BLACK_RING])  # marker, ring, point, place
    seen = _at(image, pose, rings.reshape(-1, 2)).reshape(*rings.shape[:3], 3)
    whites, blacks = np.percentile(seen[:, 0], 65, axis=1), np.median(seen[:, 1], axis=1)
    haze = blacks.mean(axis=1) / np.maximum(whites.mean(axis=1), 8.0)
    xy, logs = middles - [field.columns / 2, field.rows / 2], np.log(np.clip(whites, 8.0, 255.0))
    design = np.concatenate([np.ones((len(xy), 1)), xy], axis=1)
    ridge = np.diag([1e-6, STEADY * len(xy), STEADY * len(xy)])
    fit = np.linalg.solve(design.T @ design + ridge, design.T @ logs)
    return Lighting(fit[0], fit[1], fit[2], float(np.median(haze)))


def measure_without_markers(image: Image, pose: Pose) -> Lighting:
    """For boards without markers: the brightest tenth of what lies on the field stands for white."""
    outline = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(outline, np.round(pose.corners).astype(np.int32), 255)
    inside = image[outline > 0]
    white = np.percentile(inside, 92, axis=0) if len(inside) else np.full(3, 200.0)
    # Wood is yellow: half-way to gray is the better guess of the lamp's color.
    level = np.log(np.clip(white, 8.0, 255.0))
    return Lighting((level + level.mean()) / 2 + 0.1, np.zeros(3), np.zeros(3), 0.15)
