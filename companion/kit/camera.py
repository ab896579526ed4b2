"""The page that says where the camera goes: its height, its angle and its lens, for each field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from companion.kit.mats import mat_field
from companion.kit.sheets import Format, Page
from companion.messages import say
from vision.check import LEAST_PIXELS, MOST_TILT
from vision.fields import Field
from vision.pose import Pose
from vision.simulate.camera import look_at
from web.drawing.letters import lettered

SHOWN = 52.0  # how wide the sketch is, in millimetres
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

    lead = {"kind": "lead", "text": told("camera.lead", tilt=f"{TILT:.0f}", most=MOST_TILT)}
    hints = {"kind": "list", "items": told("camera.hints", least=LEAST_PIXELS, most=MOST_TILT).split("\n")}
    sketch = {"kind": "pictures", "pictures": [{"svg": from_the_side(), "text": "", "width": SHOWN}]}
    story: list[dict[str, Any]] = [
        {"kind": "title", "text": told("sheets.camera")},
        {"kind": "beside", "width": SHOWN, "left": [lead, hints], "right": [sketch]},
    ]
    head = [told("camera.camera"), told("camera.height"), told("camera.back"), told("camera.pixels")]
    for name in dict.fromkeys(fields):
        rows = [_row(name, camera, wanted) for camera in CAMERAS]
        side = f", {told('camera.long')}" if is_long(mat_field(name)) else ""
        story.append({"kind": "heading", "text": told(f"mat.{name}") + side})
        story.append({"kind": "table", "columns": [5, 2, 2, 3], "head": head, "rows": rows, "size": 9})
    return Page(story=story)


def _row(name: str, camera: Camera, wanted: Format) -> list[str]:
    pose = stands(name, camera)
    height, back = place(pose, wanted.cell)
    title = say("KIT", f"camera.{camera.code}", {"angle": f"{camera.angle:.0f}"}, wanted.language)
    return [title, f"{height / 10:.0f} cm", f"{back / 10:.0f} cm", f"{pose.cell_pixels:.0f}"]


def is_long(field: Field) -> bool:
    """Whether it fills a picture only when seen from a long side."""
    return field.rows > field.columns + 2


def stands(name: str, camera: Camera) -> Pose:
    """The camera so that it sees the whole mat; the long one from its side."""
    field = mat_field(name)
    side = 90.0 if is_long(field) else 0.0
    return look_at(field, camera.size, camera.angle, TILT, side, 0.0, FILL)


def from_the_side() -> str:
    """The mat, the camera over it, and what the columns of the tables measure."""
    middle, ground, high, turn = 44.0, 76.0, 62.0, np.radians(TILT)
    x, y, back = middle + high * np.tan(turn), ground - high, high * np.tan(turn)
    arc = f"M{middle} {ground - 30}A30 30 0 0 1 {middle + 30 * np.sin(turn):.2f} {ground - 30 * np.cos(turn):.2f}"
    sides = f"M{x + 11.5:.2f} {y}h3m-1.5 0v{high}m-1.5 0h3M{middle} {ground + 2.5}v3m0 -1.5h{back:.2f}m0 -1.5v3"
    letters = lettered("A", x + 19, ground - high / 2, 0.45) + lettered("B", middle + back / 2, ground + 9, 0.45)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 92"><g fill="none" stroke="#333" stroke-width="0.7">'
        f'<path d="M4 {ground}H96" stroke="#999"/><path d="M12 {ground - 0.8}H76" stroke="#a8713d" stroke-width="1.6"/>'
        f'<path d="M{middle} {y}V{ground}L{x:.2f} {y}" stroke="#777" stroke-dasharray="2 1.6"/>'
        f'<path d="{arc}" stroke="#777"/><path d="{sides}"/>'
        f'<path d="M-4 -11H4V-3H2L5 3H-5L-2 -3H-4z" transform="translate({x:.2f} {y}) rotate({TILT})" fill="#333"/>'
        f'<g stroke="#222" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">{letters}</g></g></svg>'
    )


def place(pose: Pose, cell: float) -> tuple[float, float]:
    """Its height over the mat, and how far it stands back from the middle of the mat, in millimetres."""
    middle = np.array([pose.field.columns / 2, pose.field.rows / 2])
    return float(pose.eye[2]) * cell, float(np.linalg.norm(pose.eye[:2] - middle)) * cell
