"""Finds the planks on their mat, wherever the row lies."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.fields import Floats
from vision.light import Lighting
from vision.memory import Memory
from vision.network import run, sigmoid
from vision.patches import Patches, mat_color, nearest_scale, rectify
from vision.pose import Image, Pose

HEIGHT = 0.07  # the planks' upper side
PPU = 12.0
MARGIN = 0.5
STEP = 4 / PPU  # the network's grid, in cells
FOUND, IN_LINE = 0.4, 0.25  # the heat from which a plank is believed in, anywhere or in line with others
PLANKS = 12  # in the kit
APART = 0.6  # planks lie in one row: no two are nearer than this along it
SIDEWAYS = 0.5  # nor does one lie further than this beside its neighbor


def sheet_of(image: Image, pose: Pose, light: Lighting) -> Patches:
    """The mat from above, and how far each point is from the mat's own color: six channels, rows, columns."""
    small, scale = nearest_scale(image, pose, PPU)
    sheet = rectify(small, pose, light, pose.field.surface + HEIGHT, PPU, MARGIN, scale)
    mat = mat_color(image, pose, light)
    if light.translation:
        sheet, mat = light.translation.of_sheet(sheet), light.translation.of_sheet(mat)
    away = cv2.absdiff(sheet, np.broadcast_to(mat, sheet.shape))
    return np.ascontiguousarray(np.concatenate([sheet, away], axis=2).transpose(2, 0, 1))


@dataclass(frozen=True)
class Row:
    """Planks from south to north."""

    places: Floats  # x, y, turn
    heat: Floats  # how certain each is
    beyond: float  # how likely another lies south of them all: then every row's number is wrong
    covered: Floats  # a map of what is hidden, north up


def find_planks(image: Image, pose: Pose, light: Lighting, memory: Memory) -> Row:
    sheet = sheet_of(image, pose, light)[None]
    out = memory.recall("row", sheet, lambda _: {"out": run("row", sheet)})["out"][0]
    heat = sigmoid(out[0])
    rows, columns = np.unravel_index(np.argsort(-heat, axis=None)[:200], heat.shape)
    x = (columns + 0.5 + out[1, rows, columns]) * STEP - MARGIN
    y = pose.field.rows + MARGIN - (rows + 0.5 + out[2, rows, columns]) * STEP
    found = np.stack([x, y, heat[rows, columns]], axis=1)
    planks = _one_row(_apart(found[found[:, 2] > FOUND]))
    beyond = 0.0
    if len(planks):
        # What lies in line with the others needs less proof.
        planks = _one_row(_apart(found[(found[:, 2] > IN_LINE) & (_aside(planks, found) < SIDEWAYS / 2)]))
        south = (_aside(planks, found) < SIDEWAYS / 2) & (np.abs(planks[0, 1] - 1 - found[:, 1]) < 0.4)
        beyond = float(found[south, 2].max(initial=0.0))
    planks = _no_more_than_there_are(planks)
    turn = np.full(len(planks), _turn(planks))
    return Row(np.stack([planks[:, 0], planks[:, 1], turn], axis=1), planks[:, 2], beyond, sigmoid(out[3]))


def _apart(found: Floats) -> Floats:
    """The hottest of what was found (hottest first) that do not lie on one another, from south to north."""
    kept: list[Floats] = []
    for place in found:
        if all(abs(place[1] - other[1]) > APART for other in kept):
            kept.append(place)
    kept.sort(key=lambda place: float(place[1]))
    return np.array(kept, dtype=np.float64).reshape(-1, 3)


def _aside(planks: Floats, found: Floats) -> Floats:
    """How far places lie beside the line of a row."""
    lean = -float(np.tan(np.radians(_turn(planks))))
    return np.asarray(np.abs(found[:, 0] - planks[:, 0].mean() - lean * (found[:, 1] - planks[:, 1].mean())))


def _one_row(found: Floats) -> Floats:
    """The part of what was found that hangs together: side by side, no gap between, no plank far aside."""
    if len(found) < 2:
        return found
    steps = np.diff(found[:, :2], axis=0)
    broken = np.flatnonzero((steps[:, 1] > 1.5) | (np.abs(steps[:, 0]) > SIDEWAYS))
    runs = np.split(np.arange(len(found)), broken + 1)
    return found[max(runs, key=lambda run: float(found[run, 2].sum()))]


def _no_more_than_there_are(found: Floats) -> Floats:
    """Of too long a row the colder end is something else: a shadow, a token beside it, a patch of light."""
    while len(found) > PLANKS:
        found = found[1:] if found[0, 2] < found[-1, 2] else found[:-1]
    return found


def _turn(found: Floats) -> float:
    """The row's slant in degrees: how its middle line leans from north, as planks lie square to it."""
    if len(found) < 3:
        return 0.0
    y = found[:, 1] - found[:, 1].mean()
    lean = float((y * (found[:, 0] - found[:, 0].mean())).sum() / (y * y).sum())
    return float(np.clip(-np.degrees(np.arctan(lean)), -8, 8))
