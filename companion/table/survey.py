"""A camera finds how the LEDs are wired: they are lit one by one in the dark, and it tells where each of them is."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.leds.survey import Point, wiring_from_points
from companion.leds.wiring import Wiring
from companion.table.watching import Device
from vision.errors import UnreadablePicture
from vision.pose import Image, Pose, find_markers, pose_from_markers
from vision.spots import find_spot, on_plane

AFRESH = 12  # LEDs, then it is looked again what is bright without them
COMES = 8.0  # seconds in which a camera must show something new


def survey(
    count: int,
    light: Callable[[int | None], None],
    look: Callable[[], Image],
    pose: Pose,
    told: Callable[[int, Point | None], None] = lambda place, point: None,
) -> Wiring:
    """The layout of so many LEDs. `light` lights one of them alone, or none; `look` sees what is lit by then; `told`
    hears where each was seen. BadInput if no layout can be like that."""
    points: list[Point | None] = []
    for place in range(count):
        if place % AFRESH == 0:
            light(None)
            dark = look()
        light(place)
        spot = find_spot(dark, look())
        points.append(spot and on_plane(pose, spot, pose.field.surface))
        told(place, points[-1])
    light(None)
    return wiring_from_points(points)


def fresh_looks(camera: Device, hold: float) -> Callable[[], Image]:
    """Pictures that were begun when what was lit last has burned so long. UnreadablePicture if none come.

    The first picture that comes after that may have been begun before, and be late: a phone sends its own over the air.
    """

    def look() -> Image:
        until = time.monotonic() + hold
        number, late = 0, True
        while True:
            frame = camera.newest(number, COMES)
            if frame is None:
                raise UnreadablePicture("no-camera", source=camera.source)
            number = frame.number
            if frame.at < until:
                continue
            if not late:
                return frame.image
            late = False

    return look


def pose_by_day(picture: Image) -> Pose:
    """Where the camera is, while the markers can be seen. UnreadablePicture if they cannot."""
    gray = picture.max(axis=2)
    return pose_from_markers(find_markers(gray), gray)
