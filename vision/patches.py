"""Cells cut out of a picture: the field is rectified on the planes that a reader wants, light-corrected, and
cut into one patch per cell. Tall things stand in the middle of the patch only on the plane of their own
height, so two planes together tell how tall a thing is."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.fields import Field, Floats
from vision.light import WHITE, Lighting
from vision.pose import Image, Pose

Patches = npt.NDArray[np.uint8]  # cell, plane × color, row, column

SIDE = 32
DARK = 6.0  # no color is known of what is darker


@dataclass(frozen=True)
class Cut:
    """How cells are cut out: heights above the surface, and how many cells a patch of SIDE pixels spans."""

    heights: tuple[float, ...]
    span: float
    mat: bool = False  # add three channels of the mat's own color, to know bare mat by

    @property
    def ppu(self) -> float:
        return SIDE / self.span

    @property
    def channels(self) -> int:
        return 3 * len(self.heights) + (3 if self.mat else 0)


CUTS = {
    "seven": Cut((0.08, 0.42), 1.36),
    "faces": Cut((0.72, 0.0), 0.98),
    "tiles": Cut((0.07, 0.37), 1.06, mat=True),
    "planks": Cut((0.17, 0.07), 0.94),
}


def nearest_scale(image: Image, pose: Pose, ppu: float) -> tuple[Image, float]:
    """The picture halved while a cell has far more pixels than the patch, lest fine detail flicker.

    Halving is many times faster than shrinking by an odd factor.
    """
    scale = 1.0
    while pose.cell_pixels * scale > 1.7 * ppu:
        image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        scale /= 2
    return image, scale


def map_to_picture(pose: Pose, height: float, ppu: float, margin: float, scale: float) -> Floats:
    """From pixels of a rectified plane (north up, `margin` cells around the field) to the picture's."""
    to_world = np.array(
        [
            [1 / ppu, 0, 0.5 / ppu - margin],
            [0, -1 / ppu, pose.field.rows + margin - 0.5 / ppu],
            [0, 0, 1],
        ]
    )
    shrink = np.array([[scale, 0, 0.5 * scale - 0.5], [0, scale, 0.5 * scale - 0.5], [0, 0, 1]])
    return np.asarray(shrink @ pose.plane_to_picture(height, margin) @ to_world, dtype=np.float64)


def rectify(
    image: Image, pose: Pose, light: Lighting, height: float, ppu: float, margin: float, scale: float = 1.0
) -> Image:
    """A plane of the field seen from above, north up, its light evened out."""
    field = pose.field
    size = (round((field.columns + 2 * margin) * ppu), round((field.rows + 2 * margin) * ppu))
    found = cv2.warpPerspective(
        image,
        map_to_picture(pose, height, ppu, margin, scale),
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    xs = (np.arange(size[0]) + 0.5) / ppu - margin
    ys = field.rows + margin - (np.arange(size[1]) + 0.5) / ppu
    gain = light.gain(field, xs, ys)
    return np.asarray(cv2.multiply(found, gain, dtype=cv2.CV_8U), dtype=np.uint8)


def cut_cells(image: Image, pose: Pose, light: Lighting, cut: Cut, side: int = SIDE) -> Patches:
    """A patch per cell, rows from the south, columns from the west; `side` > SIDE gives room to shift in."""
    field: Field = pose.field
    ppu = cut.ppu
    margin = max(0.0, (side / ppu - 1) / 2) + 2 / ppu
    small, scale = nearest_scale(image, pose, ppu)
    tops = [round((field.rows - row - 0.5 + margin) * ppu - side / 2) for row in range(field.rows)]
    lefts = [round((column + 0.5 + margin) * ppu - side / 2) for column in range(field.columns)]
    patches = np.empty((field.rows, field.columns, cut.channels, side, side), np.uint8)
    if cut.mat:
        patches[:, :, -3:] = mat_color(image, pose, light)[:, None, None]
    for k, above in enumerate(cut.heights):
        sheet = rectify(small, pose, light, field.surface + above, ppu, margin, scale)
        for color, plane in enumerate(cv2.split(sheet)):
            windows = np.lib.stride_tricks.sliding_window_view(np.asarray(plane), (side, side))
            patches[:, :, 3 * k + color] = windows[np.ix_(tops, lefts)]
    found = patches.reshape(-1, cut.channels, side, side)
    return light.translation.of_patches(found) if light.translation else found


def against_mat(patches: Patches | npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Patches whose last three channels, the mat's color, become how the first plane differs from it: in blue
    and in red against green, and in brightness, each strengthened. Bare mat is even there, whatever its color,
    and a gray tile on a gray mat is not quite."""
    out = patches.astype(np.float32)
    logs = np.log(np.maximum(out[:, :3], DARK)) - np.log(np.maximum(out[:, -3:, :1, :1], DARK))
    out[:, -3] = 100 + 400 * (logs[:, 0] - logs[:, 1])
    out[:, -2] = 100 + 400 * (logs[:, 2] - logs[:, 1])
    out[:, -1] = 100 + 150 * logs.mean(axis=1)
    return np.clip(out, 0, 255, out=out)


def mat_color(image: Image, pose: Pose, light: Lighting) -> npt.NDArray[np.uint8]:
    """The mat's color around the field, its light evened out."""
    w, h, out = pose.field.columns, pose.field.rows, 0.28
    along_x, along_y = np.linspace(0.5, w - 0.5, 12), np.linspace(0.5, h - 0.5, 12)
    sides = [(along_x, np.full(12, y)) for y in (-out, h + out)] + [(np.full(12, x), along_y) for x in (-out, w + out)]
    xy = np.concatenate([np.stack(side, axis=1) for side in sides])
    pixels = pose.project(np.concatenate([xy, np.zeros((len(xy), 1))], axis=1)).astype(np.float32)
    seen = cv2.remap(image, pixels[None, :, 0], pixels[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[
        0
    ]
    median = np.median(seen * gain_at(light, pose.field, xy), axis=0)
    return np.asarray(np.clip(median, 0, 255), dtype=np.uint8)


def gain_at(light: Lighting, field: Field, xy: Floats) -> Floats:
    """The light's gain at single places, one row each."""
    middle = np.array([field.columns / 2, field.rows / 2])
    away = xy - middle
    logs = light.level + away[:, :1] * light.slope_x + away[:, 1:2] * light.slope_y
    return np.asarray(WHITE * np.exp(-logs), dtype=np.float32)


def cut_at(image: Image, pose: Pose, light: Lighting, cut: Cut, places: Floats, side: int = SIDE) -> Patches:
    """Patches around free places (rows of x, y and the turn in degrees): pieces that lie where they like."""
    ppu = cut.ppu
    small, scale = nearest_scale(image, pose, ppu)
    patches = np.empty((len(places), cut.channels, side, side), np.uint8)
    shrink = np.array([[scale, 0, 0.5 * scale - 0.5], [0, scale, 0.5 * scale - 0.5], [0, 0, 1]])
    planes = [shrink @ pose.plane_to_picture(pose.field.surface + above, 0.5) for above in cut.heights]
    for n, (x, y, turn) in enumerate(places):
        c, s = np.cos(np.radians(turn)) / ppu, np.sin(np.radians(turn)) / ppu
        m = (side - 1) / 2
        to_world = np.array([[c, s, x - c * m - s * m], [s, -c, y - s * m + c * m], [0, 0, 1]])
        gain = gain_at(light, pose.field, np.array([[x, y]]))[0]
        for k, plane in enumerate(planes):
            found = cv2.warpPerspective(
                small,
                plane @ to_world,
                (side, side),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
            lit = cv2.multiply(found, np.broadcast_to(gain, found.shape).astype(np.float32), dtype=cv2.CV_8U)
            patches[n, 3 * k : 3 * k + 3] = lit.transpose(2, 0, 1)
    return light.translation.of_patches(patches) if light.translation else patches
