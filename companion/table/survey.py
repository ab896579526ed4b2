"""A camera finds how the LEDs are wired: they are lit one by one in the dark, and it tells where each of them is."""

from __future__ import annotations

from collections.abc import Callable

from companion.leds.survey import Point, surveyed
from companion.leds.wiring import Wiring
from vision.pose import Image, Pose
from vision.spots import find_spot, on_plane

AFRESH = 12  # LEDs, then it is looked again what is bright without them


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
    return surveyed(points)
