"""The table as it changes, for any number of viewers: none of them ever makes the referee wait.

The host's thread only puts the newest snapshot down and wakes who serves the viewers. It is worded once for all who
read the same language. A viewer is shown one state after another; one who falls too far behind misses those in between,
never the newest.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np

from companion.games.position import BadInput
from companion.host import Host, Snapshot
from vision.overlay import markers_on, overlay
from vision.pose import Image
from web.state import state_of

KEPT = 64  # answers
BEHIND = 32  # states by which a viewer may be late and still be shown each
HEARTBEAT = 15.0  # seconds
GREETING = b"retry: 1000\n\n"
MOST = 224  # streams that hold a thread; the server's other threads are for those who ask
FASTEST = 0.2  # seconds between two pictures of a stream
WIDE = 960  # pixels
FRESH = 0.15  # seconds for which a picture is good enough for the next who asks
STUCK = 30.0  # seconds in which a viewer must have taken what he was sent


class Newest:
    """The newest snapshot, in words."""

    def __init__(self, host: Host) -> None:
        self._came = threading.Condition()
        self._wording = threading.Lock()
        self._recent = deque([host.snapshot], maxlen=BEHIND)
        self._first, self._same_event = True, 1
        self._worded: dict[tuple[int, str], bytes] = {}
        self.closed = False
        host.on_change = self.put

    def put(self, snapshot: Snapshot) -> None:
        with self._came:
            self._first = False
            self._same_event = self._same_event + 1 if snapshot.event == self._recent[-1].event else 1
            self._recent.append(snapshot)
            self._came.notify_all()

    def close(self) -> None:
        """All viewers are sent home."""
        with self._came:
            self.closed = True
            self._came.notify_all()

    def wake(self) -> None:
        with self._came:
            self._came.notify_all()

    def wait_for(self, after: int | None, timeout: float, otherwise: Callable[[], bool] = lambda: False) -> None:
        """Until there is something newer than the snapshot with this number, or something else to do."""
        with self._came:
            self._came.wait_for(lambda: self.closed or self.last != after or otherwise(), timeout)

    @property
    def last(self) -> int:
        return self._recent[-1].changes

    def following(self, after: int | None) -> Snapshot | None:
        """The snapshot that comes after the one with this number; the newest if that one is long gone, or if there was
        none."""
        with self._came:
            newest = self._recent[-1]
            if self.closed or newest.changes == after:
                return None
            return next((s for s in self._recent if after is not None and s.changes == after + 1), newest)

    def seen_by(self, last_event: str | None) -> int | None:
        """The number of the state that a viewer who comes back has seen, if it is the newest for sure."""
        with self._came:
            newest, surely = self._recent[-1], not self._first and self._same_event == 1
            return newest.changes if surely and last_event == str(newest.event) else None

    def json(self, snapshot: Snapshot, language: str, role: str) -> bytes:
        """A state as JSON for one reader."""
        with self._wording:
            text = self._worded.get((snapshot.changes, language))
            if text is None:
                text = json.dumps(state_of(snapshot, language), separators=(",", ":")).encode()[:-1]
                self._worded[snapshot.changes, language] = text
                if len(self._worded) > 2 * BEHIND:
                    del self._worded[next(iter(self._worded))]
        return text + b',"role":"' + role.encode() + b'"}'

    def stream(self, last_event: str | None, language: str, role: str) -> Iterator[bytes]:
        """The live stream for one viewer, in a thread of his own."""
        after = self.seen_by(last_event)
        yield GREETING
        while not self.closed:
            self.wait_for(after, HEARTBEAT)
            snapshot = self.following(after)
            if snapshot is None:
                yield b": still here\n\n"
                continue
            after = snapshot.changes
            yield event(snapshot.event, self.json(snapshot, language, role))


def event(number: int, told: bytes) -> bytes:
    """A server-sent event: a state under the number of the log's last event."""
    return b"event: table\nid: %d\ndata: %s\n\n" % (number, told)


class Made:
    """Answers that are alike for all who ask the same of the same state: made once, for as long as it is asked."""

    def __init__(self) -> None:
        self._making = threading.Lock()
        self._made: dict[object, str] = {}

    def of(self, what: object, make: Callable[[], str]) -> str:
        with self._making:
            found = self._made.get(what)
            if found is None:
                found = self._made[what] = make()
                if len(self._made) > KEPT:
                    del self._made[next(iter(self._made))]
            return found


class Pictures:
    """The camera's newest picture as JPEG, made once for all who look at it."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._making = threading.Lock()
        self._made: dict[bool, tuple[float, object, bytes]] = {}

    def newest(self, with_reading: bool) -> bytes:
        camera = self._host.camera
        if camera is None:
            raise BadInput("", "no-camera")
        with self._making:
            at, source, jpeg = self._made.get(with_reading, (0.0, None, b""))
            if source is camera and time.monotonic() - at < FRESH:
                return jpeg
            frame = camera.newest(0, 1.0)
            if frame is None:
                raise BadInput("", "no-picture")
            image, live = frame.image, self._host.live
            if with_reading:
                reading = live.read.reading if live and live.read and not live.trouble else None
                image = overlay(image, reading) if reading else markers_on(image)
            # corners are clicked on the plain picture, so that its pixels must be the camera's own
            jpeg = as_jpeg(image, WIDE if with_reading else None)
            self._made[with_reading] = (time.monotonic(), camera, jpeg)
            return jpeg

    def stream(self, with_reading: bool, newest: Newest) -> Iterator[bytes]:
        """Pictures without end, as browsers show them in an image (multipart/x-mixed-replace)."""
        while not newest.closed:
            try:
                jpeg = self.newest(with_reading)
            except BadInput:  # it may come back
                time.sleep(1.0)
                continue
            yield b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg)
            time.sleep(FASTEST)


def as_jpeg(image: Image, wide: int | None = WIDE) -> bytes:
    if wide and image.shape[1] > wide:
        high = round(image.shape[0] * wide / image.shape[1])
        image = np.asarray(cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


class Seats:
    """How many streams there are; when all are taken, the next one is refused."""

    def __init__(self, most: int = MOST) -> None:
        self._guard = threading.Lock()
        self._left = most

    def take(self) -> bool:
        with self._guard:
            if self._left <= 0:
                return False
            self._left -= 1
            return True

    def give_back(self) -> None:
        with self._guard:
            self._left += 1


def patient_no_longer_than(environ: dict[str, Any], seconds: float = STUCK) -> None:
    """A viewer who takes nothing any more, and does not leave either, is sent home."""
    if connection := environ.get("gunicorn.socket"):
        connection.settimeout(seconds)
