"""A camera whose pictures are handed in one by one: a phone's or a laptop's, sent by its browser."""

from __future__ import annotations

import threading
import time
from typing import Self

import cv2
import numpy as np

from vision.cameras import PATIENCE, State
from vision.errors import UnreadablePicture
from vision.frame_buffer import Frame
from vision.picture import SMALLEST
from vision.pose import Image

LARGEST = 4096  # pixels a side that a picture may have


class BrowserCamera:
    """Like `Camera`: the newest frame only, live while frames come."""

    source = "browser"
    busy = False

    def __init__(self) -> None:
        self._came = threading.Condition()
        self._frame: Frame | None = None
        self._began = time.monotonic()

    def hand(self, jpeg: bytes) -> int:
        """Take a picture in; its number. Raises UnreadablePicture if it is none."""
        image = decoded(jpeg)
        with self._came:
            number = self._frame.number + 1 if self._frame else 1
            self._frame = Frame(image, number, time.monotonic())
            self._came.notify_all()
        return number

    def newest(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        with self._came:
            self._came.wait_for(lambda: self._frame is not None and self._frame.number > after, timeout)
            return self._frame if self._frame and self._frame.number > after else None

    @property
    def state(self) -> State:
        if self._frame is None:
            return State("starting", self._began, "")
        if time.monotonic() - self._frame.at < PATIENCE:
            return State("live", self._began, "")
        return State("lost", self._frame.at + PATIENCE, "camera-browser")

    def close(self) -> None:
        """There is nothing to let go of."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def decoded(jpeg: bytes) -> Image:
    """A JPEG as a picture; its size is looked at before it is unpacked, so that no small file fills the memory."""
    wide, high = _size(jpeg)
    if min(wide, high) < SMALLEST:
        raise UnreadablePicture("picture-small", width=wide, height=high)
    if max(wide, high) > LARGEST:
        raise UnreadablePicture("picture-huge", width=wide, height=high, most=LARGEST)
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise UnreadablePicture("picture-unknown")
    return np.asarray(image, dtype=np.uint8)


def _size(jpeg: bytes) -> tuple[int, int]:
    """Width and height by the JPEG's frame header."""
    at = 2
    if jpeg[:2] == b"\xff\xd8":
        while at + 9 <= len(jpeg) and jpeg[at] == 0xFF:
            marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4], "big")
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                return int.from_bytes(jpeg[at + 7 : at + 9], "big"), int.from_bytes(jpeg[at + 5 : at + 7], "big")
            at += 1 if marker == 0xFF else 2 + length
    raise UnreadablePicture("picture-unknown")
