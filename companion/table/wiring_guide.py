"""The guided set-up of the wiring at the table: one question at a time, or the camera looks for itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, NamedTuple

from companion.errors import BadInput
from companion.leds.link import Link
from companion.leds.picture import Size
from companion.leds.survey import Point, Questions, cell_of, format_wiring
from companion.leds.wiring import Panel, Wiring
from companion.table.survey import fresh_looks, pose_by_day, survey
from companion.table.watching import Device
from vision.errors import UnreadablePicture

HOLD = 0.3  # seconds for which an LED burns before it is looked at
LIT = 3.0  # seconds in which a board that is there has lit an LED


class GuideState(NamedTuple):
    step: Literal["asking", "seeking", "dark", "looking", "found", "failed"]
    size: Size
    place: int | None = None  # the LED that burns
    done: int = 0  # LEDs that were asked for or looked at
    seen: int = 0  # of them by the camera
    wiring: Wiring | None = None
    trouble: BadInput | None = None


class AskedGuide:
    """A person tells on which square an LED burns; two or three of them are enough."""

    def __init__(self, link: Link, size: Size) -> None:
        self._link, self._questions = link, Questions(size)
        self._size = size
        self.layout = Wiring((Panel(*size),))
        self._ask()

    def answer(self, square: str) -> None:
        """BadInput, and the same is asked again, if that cannot be."""
        if self._questions.found is None:
            self._questions.answer(cell_of(square))
        self._ask()

    def _ask(self) -> None:
        done, found = len(self._questions.asked), self._questions.found
        place = None if found else self._questions.place
        self.state = GuideState("found" if found else "asking", self._size, place, done, wiring=found)
        self._link.show({}, self.layout)
        self._link.walk(place)

    def close(self) -> None:
        self._link.walk(None)


class SeenGuide:
    """A camera sees the markers while there is light; told that it is dark, it looks where each LED burns."""

    def __init__(self, link: Link, size: Size, camera: Device) -> None:
        self._link, self._size, self._count, self._camera = link, size, size[0] * size[1], camera
        self.layout = Wiring((Panel(self._count, 1),))
        self.state = GuideState("seeking", size)
        self._dark, self._closed = threading.Event(), threading.Event()
        link.show({}, self.layout)
        link.walk(None)
        threading.Thread(target=self._run, name="survey", daemon=True).start()

    def go_on(self) -> None:
        """It is dark now."""
        self._dark.set()

    def close(self) -> None:
        self._closed.set()
        self._dark.set()
        self._link.walk(None)

    def _run(self) -> None:
        with suppress(_Closed):
            try:
                look = fresh_looks(self._camera, HOLD)
                pose = pose_by_day(look())
                self.state = GuideState("dark", self._size)
                self._dark.wait()
                self.state = GuideState("looking", self._size)
                found = survey(self._count, self._light, look, pose, self._told)
                self.state = GuideState("found", self._size, None, self._count, self.state.seen, found)
            except UnreadablePicture as error:
                self._fail(BadInput("camera", error.code, **error.params))
            except BadInput as bad:
                self._fail(bad)

    def _fail(self, why: BadInput) -> None:
        self.state = self.state._replace(step="failed", place=None, trouble=why)
        self._link.walk(None)

    def _light(self, place: int | None) -> None:
        if self._closed.is_set():
            raise _Closed
        self._link.walk(place)
        until = time.monotonic() + LIT
        while time.monotonic() < until and not _burns(self._link, place):
            time.sleep(0.005)
        self.state = self.state._replace(place=place)

    def _told(self, place: int, point: Point | None) -> None:
        self.state = self.state._replace(done=place + 1, seen=self.state.seen + (point is not None))


class _Closed(Exception):
    """Nobody wants to know any more."""


Guide = AskedGuide | SeenGuide


def _burns(link: Link, place: int | None) -> bool:
    """Whether this LED burns alone, or none does."""
    lit = [at for at, pixel in enumerate(link.shown) if any(pixel[:3])]
    return lit == ([] if place is None else [place])


def guide(link: Link, size: Size, camera: Callable[[], Device | None] | None = None) -> Guide:
    """Begin: by questions, or by a camera. BadInput where that cannot be."""
    if not link.state.ready:
        raise BadInput("", "leds-not-ready")
    if camera is None:
        return AskedGuide(link, size)
    if (device := camera()) is None:
        raise BadInput("camera", "no-camera")
    return SeenGuide(link, size, device)


def words_found(guide: Guide | None) -> str:
    """The layout that a guide has found, as it is written in the settings."""
    if guide is None or guide.state.wiring is None:
        raise BadInput("", "no-layout-yet")
    return format_wiring(guide.state.wiring)
