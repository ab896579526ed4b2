"""A camera whose pictures are handed in one by one: a phone's or a laptop's, sent by its browser.

Strangers' bytes are unpacked where they can do no harm: in the camera's own process, which may have so many pixels, so
much memory and so much time for each. One that takes more is ended, and the next picture finds another in its place.
"""

from __future__ import annotations

import threading
import time
from typing import Self

from vision.cameras import PATIENCE, Reader, State
from vision.errors import UnreadablePicture
from vision.frame_buffer import Frame
from vision.picture import LARGEST_SENT

STARTING = 20.0  # seconds that the process may take to its first picture, on a slow machine
UNPACKING = 3.0  # seconds that it may take to each
POLL = 0.002  # seconds


class BrowserCamera:
    """Like `Camera`: the newest frame only, live while frames come."""

    source = "browser"
    busy = False

    def __init__(self) -> None:
        self._came = threading.Condition()
        self._unpacking = threading.Lock()
        self._reader: Reader | None = None
        self._frame: Frame | None = None
        self._began = time.monotonic()

    def hand(self, jpeg: bytes) -> int:
        """Take a picture in; its number. Raises UnreadablePicture if it is none."""
        with self._unpacking:
            frame = self._unpacked(jpeg)
        with self._came:
            number = self._frame.number + 1 if self._frame else 1
            self._frame = Frame(frame.image, number, time.monotonic())
            self._came.notify_all()
        return number

    def _unpacked(self, jpeg: bytes) -> Frame:
        patience = UNPACKING
        if self._reader is None:
            self._reader, patience = Reader(("handed", ())), STARTING
        reader, until, wanted = self._reader, time.monotonic() + patience, self._reader.told + 1
        # one that hangs does not even take the picture: nobody waits for that here
        threading.Thread(target=reader.tell, args=("hand", (jpeg,)), daemon=True).start()
        while reader.frames.told < wanted:
            if not reader.running or time.monotonic() > until:
                self.close()
                raise UnreadablePicture("picture-harmful")
            time.sleep(POLL)
        code, *size = reader.frames.reason.split()
        if code != "good":
            params = dict(zip(("width", "height"), size, strict=False))
            raise UnreadablePicture(code, **params, most=LARGEST_SENT)
        frame = reader.frames.get()
        assert frame is not None
        return frame

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
        reader, self._reader = self._reader, None
        if reader:
            reader.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
