"""Draws a reading on its picture: the field's outline, each cell's code, doubts and hidden cells."""

from __future__ import annotations

import cv2
import numpy as np

from vision.fields import Floats
from vision.picture import within_reason
from vision.pose import Image
from vision.reading import Reading

SURE, DOUBTFUL, HIDDEN, OUTLINE = (90, 220, 60), (0, 150, 255), (200, 60, 220), (255, 200, 0)


def overlay(image: Image, reading: Reading) -> Image:
    """A copy of the picture with the reading on it."""
    out = within_reason(image)[0].copy()
    scale = max(1.0, out.shape[1] / 1280)
    pose, look = reading.pose, reading.look
    for marker in reading.markers:
        _polygon(out, marker.corners, (0, 255, 255), scale)
        _write(out, marker.corners.mean(axis=0), str(marker.id), (0, 0, 255), scale)
    _polygon(out, pose.corners, OUTLINE, 2 * scale)
    if look is None:
        return out
    doubts = set(look.doubtful())
    if look.field == "planks":
        for text, centre, square in _plank_labels(reading):
            _write(out, centre, text, DOUBTFUL if square in doubts else SURE, scale)
    else:
        rows = look.visible()["rows"]
        wide, high = pose.field.columns, pose.field.rows
        for n, square in enumerate(look.squares):
            x, y = n % wide, n // wide
            corners = np.array([[x + i, y + j, pose.field.surface] for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
            colour = HIDDEN if look.hidden[n] > 0.5 else DOUBTFUL if square in doubts else SURE
            _polygon(out, pose.project(corners), colour, scale * (2 if square in doubts else 0.6))
            code = rows[high - 1 - y][x]
            if code not in (".", "empty"):
                lift = 0.72 if look.field == "faces" else 0.07
                centre = pose.project(np.array([[x + 0.5, y + 0.5, pose.field.surface + lift]]))[0]
                _write(out, centre, code, colour, scale)
        for name, square in look.visible().get("pawns", {}).items():
            n = look.squares.index(square)
            at = np.array([[n % wide + 0.5, n // wide + 0.15, 0.37]])
            _write(out, pose.project(at)[0], name, DOUBTFUL if name in doubts else (255, 120, 0), scale)
    if look.hand:
        _write(out, np.array([90 * scale, 30 * scale]), "in the way", HIDDEN, 2 * scale)
    return out


def _plank_labels(reading: Reading) -> list[tuple[str, Floats, str]]:
    look = reading.look
    assert look is not None
    labels = []
    for square, place in zip(look.squares, look.places, strict=True):
        plank = look.visible()["planks"][int(square[1:])]
        column = "abc".index(square[0])
        text = plank["colors"][column] + plank["tokens"][column]
        labels.append((text, reading.pose.project(np.array([[place[0], place[1], 0.17]]))[0], square))
    return labels


def _polygon(out: Image, corners: Floats, colour: tuple[int, int, int], thick: float) -> None:
    points = np.round(corners * 8).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(out, [points], True, colour, max(1, round(thick)), cv2.LINE_AA, shift=3)


def _write(out: Image, centre: Floats, text: str, colour: tuple[int, int, int], scale: float) -> None:
    size = 0.4 * scale
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    at = (round(float(centre[0]) - wide / 2), round(float(centre[1]) + high / 2))
    cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), max(2, round(3 * scale)), cv2.LINE_AA)
    cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, max(1, round(scale)), cv2.LINE_AA)
