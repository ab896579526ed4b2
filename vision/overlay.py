"""Draws a reading on its picture: the field's outline, each cell's code, doubts and hidden cells."""

from __future__ import annotations

import cv2
import numpy as np

from vision.fields import Floats
from vision.picture import within_reason
from vision.pose import Image, find_markers, turned_back
from vision.reading import Reading

SURE, DOUBTFUL, HIDDEN, OUTLINE = (120, 255, 120), (60, 180, 255), (255, 120, 255), (255, 200, 0)


SHORT = 3  # letters that people can make something of: "w5", "rK"


def overlay(image: Image, reading: Reading, plainly: bool = False) -> Image:
    """A copy of the picture with the reading on it; one that is mirrored is turned back. `plainly`: for people
    who play, without what only the reader's makers want to know."""
    small = within_reason(image)[0]
    out = turned_back(small) if reading.mirrored else small.copy()
    scale = max(1.0, out.shape[1] / 1280)
    pose, look = reading.pose, reading.look
    room = 0.94 * pose.cell_pixels
    for marker in reading.markers:
        _polygon(out, marker.corners, (0, 255, 255), scale)
        _write(out, marker.corners.mean(axis=0), str(marker.id), (0, 255, 255), room)
    _polygon(out, pose.corners, OUTLINE, 2 * scale)
    if look is None:
        return out
    doubts = set(look.doubtful())
    if look.field == "planks":
        for text, centre, square in _plank_labels(reading):
            _write(out, centre, text, DOUBTFUL if square in doubts else SURE, room)
    else:
        rows = look.visible()["rows"]
        wide, high = pose.field.columns, pose.field.rows
        for n, square in enumerate(look.squares):
            x, y = n % wide, n // wide
            corners = np.array([[x + i, y + j, pose.field.surface] for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
            color = HIDDEN if look.hidden[n] > 0.5 else DOUBTFUL if square in doubts else SURE
            _polygon(out, pose.project(corners), color, scale * (2 if square in doubts else 0.6))
            code = rows[high - 1 - y][x].partition(":")[0] if plainly else rows[high - 1 - y][x]
            if code not in (".", "empty") and not (plainly and len(code) > SHORT):
                at = np.array([[x + 0.5, y + 0.13, pose.field.surface]])  # at the cell's south edge
                _write(out, pose.project(at)[0], code, color, room)
        for name, square in look.visible().get("pawns", {}).items():
            n = look.squares.index(square)
            at = np.array([[n % wide + 0.5, n // wide + 0.85, 0.0]])
            called = name.rstrip("0123456789") if plainly else name
            _write(out, pose.project(at)[0], called, DOUBTFUL if name in doubts else (255, 200, 120), room)
    if look.hand and not plainly:  # the page says so beside it, in its own language
        _write(out, np.array([120 * scale, 30 * scale]), "something is in the way", HIDDEN, 200 * scale)
    return out


def markers_on(image: Image) -> Image:
    """A copy of the picture with the markers that are found in it, where no field could be read."""
    out = within_reason(image)[0].copy()
    gray = np.asarray(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    for marker in find_markers(gray):
        _polygon(out, marker.corners, (0, 255, 255), 2 * max(1.0, out.shape[1] / 1280))
        _write(out, marker.corners.mean(axis=0), str(marker.id), (0, 255, 255), 60)
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


def _polygon(out: Image, corners: Floats, color: tuple[int, int, int], thick: float) -> None:
    points = np.round(corners * 8).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(out, [points], True, color, max(1, round(thick)), cv2.LINE_AA, shift=3)


def _write(out: Image, centre: Floats, text: str, color: tuple[int, int, int], room: float) -> None:
    """A label on a dark ground, no wider than `room` pixels, so that it can be read on anything."""
    size = min(1.6, 0.017 * room)  # letters a third of a cell high
    (wide, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    size *= min(1.0, room / max(1, wide + 4))
    thick = max(1, round(1.9 * size))
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    x, y = round(float(centre[0]) - wide / 2), round(float(centre[1]) + high / 2)
    ground = out[max(0, y - high - 3) : y + 4, max(0, x - 3) : x + wide + 3]
    ground //= 6
    cv2.putText(out, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, color, thick, cv2.LINE_AA)
