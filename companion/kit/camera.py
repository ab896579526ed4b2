"""The page that says where the camera goes: its height, its angle and its lens, for each field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from companion.kit.mats import mat_field
from companion.kit.sheets import Format, Page
from companion.messages import say
from vision.check import LEAST_PIXELS, MOST_TILT
from vision.pose import Pose
from vision.simulate.camera import look_at

FILL, TILT = 0.9, 20.0  # how much of the picture the mat takes, and how far off the vertical one looks


class Camera(NamedTuple):
    """How wide a camera sees, from side to side of its picture, and how many pixels it has in a film."""

    code: str
    angle: float
    size: tuple[int, int]


CAMERAS = (
    Camera("laptop", 56.0, (1280, 720)),
    Camera("webcam", 70.0, (1920, 1080)),
    Camera("wide-webcam", 82.0, (1920, 1080)),
    Camera("phone", 60.0, (1920, 1080)),
    Camera("phone-wide", 100.0, (1920, 1080)),
)


def camera_page(fields: Iterable[str], wanted: Format) -> Page:
    def told(code: str, **params: object) -> str:
        return say("KIT", code, params, wanted.language)

    story: list[dict[str, Any]] = [
        {"kind": "title", "text": told("sheets.camera")},
        {"kind": "lead", "text": told("camera.lead", tilt=f"{TILT:.0f}", most=MOST_TILT)},
    ]
    head = [told("camera.camera"), told("camera.height"), told("camera.back"), told("camera.pixels")]
    for name in dict.fromkeys(fields):
        rows = [_row(name, camera, wanted) for camera in CAMERAS]
        story.append({"kind": "heading", "text": told(f"mat.{name}")})
        story.append({"kind": "table", "columns": [5, 2, 2, 3], "head": head, "rows": rows, "size": 9})
    story.append({"kind": "list", "items": told("camera.hints", least=LEAST_PIXELS, most=MOST_TILT).split("\n")})
    return Page(story=story)


def _row(name: str, camera: Camera, wanted: Format) -> list[str]:
    pose = stands(name, camera)
    height, back = place(pose, wanted.cell)
    title = say("KIT", f"camera.{camera.code}", {"angle": f"{camera.angle:.0f}"}, wanted.language)
    return [title, f"{height / 10:.0f} cm", f"{back / 10:.0f} cm", f"{pose.cell_pixels:.0f}"]


def stands(name: str, camera: Camera) -> Pose:
    """The camera so that it sees the whole mat; the long one from its side."""
    field = mat_field(name)
    side = 90.0 if field.rows > field.columns + 2 else 0.0
    return look_at(field, camera.size, camera.angle, TILT, side, 0.0, FILL)


def place(pose: Pose, cell: float) -> tuple[float, float]:
    """Its height over the mat, and how far it stands back from the middle of the mat, in millimetres."""
    middle = np.array([pose.field.columns / 2, pose.field.rows / 2])
    return float(pose.eye[2]) * cell, float(np.linalg.norm(pose.eye[:2] - middle)) * cell
