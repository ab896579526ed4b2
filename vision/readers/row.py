"""Finds the planks on their mat, wherever the row lies."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.fields import Floats
from vision.light import Light
from vision.network import run, sigmoid
from vision.patches import Patches, mat_colour, nearest_scale, rectify
from vision.pose import Image, Pose

HEIGHT = 0.07  # the planks' upper side
PPU = 12.0
MARGIN = 0.5
STEP = 4 / PPU  # the network's grid, in cells
FOUND = 0.4  # the heat from which a plank is believed in
APART = 0.6  # planks lie in one row: no two are nearer than this along it
SIDEWAYS = 0.5  # nor does one lie further than this beside its neighbour


def sheet_of(image: Image, pose: Pose, light: Light) -> Patches:
    """The mat from above, and how far each point is from the mat's own colour: six channels, rows, columns."""
    small, scale = nearest_scale(image, pose, PPU)
    sheet = rectify(small, pose, light, pose.field.surface + HEIGHT, PPU, MARGIN, scale)
    away = cv2.absdiff(sheet, np.broadcast_to(mat_colour(image, pose, light), sheet.shape))
    return np.ascontiguousarray(np.concatenate([sheet, away], axis=2).transpose(2, 0, 1))


def find_planks(image: Image, pose: Pose, light: Light) -> tuple[Floats, Floats, npt.NDArray[np.float64]]:
    """Planks from south to north as (x, y, turn), their certainty, and a map of what is hidden, north up."""
    sheet = sheet_of(image, pose, light)
    out = run("row", sheet[None])[0]
    heat = sigmoid(out[0])
    places: list[tuple[float, float, float]] = []
    for row, column in zip(*np.unravel_index(np.argsort(-heat, axis=None)[:80], heat.shape), strict=True):
        if heat[row, column] < FOUND / 2:
            break
        x = (column + 0.5 + float(out[1, row, column])) * STEP - MARGIN
        y = pose.field.rows + MARGIN - (row + 0.5 + float(out[2, row, column])) * STEP
        if all(abs(y - py) > APART for _, py, _ in places):
            places.append((x, y, float(heat[row, column])))
    places.sort(key=lambda place: place[1])
    found = _one_row(np.array(places, dtype=np.float64).reshape(-1, 3))
    turn = _turn(found)
    return (
        np.stack([found[:, 0], found[:, 1], np.full(len(found), turn)], axis=1),
        found[:, 2],
        sigmoid(out[3]),
    )


def _one_row(found: Floats) -> Floats:
    """The part of what was found that hangs together: side by side, no gap between, no plank far aside."""
    if len(found) < 2:
        return found
    steps = np.diff(found[:, :2], axis=0)
    broken = np.flatnonzero((steps[:, 1] > 1.5) | (np.abs(steps[:, 0]) > SIDEWAYS))
    runs = np.split(np.arange(len(found)), broken + 1)
    return found[max(runs, key=lambda run: float(found[run, 2].sum()))]


def _turn(found: Floats) -> float:
    """The row's slant in degrees: how its middle line leans from north, as planks lie square to it."""
    if len(found) < 3:
        return 0.0
    y = found[:, 1] - found[:, 1].mean()
    lean = float((y * (found[:, 0] - found[:, 0].mean())).sum() / (y * y).sum())
    return float(np.clip(-np.degrees(np.arctan(lean)), -8, 8))
