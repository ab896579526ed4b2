"""The camera's pictures for the page, encoded once for all viewers."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any, cast

import cv2
import numpy as np

from companion.errors import BadInput
from companion.games import game
from companion.labels import labels_of
from companion.learned import learned_sets
from companion.lens import lens_of
from companion.table.host import Host
from vision.check import Finding, check
from vision.errors import UnreadablePicture
from vision.overlay import markers_on, overlay
from vision.pose import Image
from vision.reading import How, read_picture
from web.broadcast import SEND_TIMEOUT, Connection, Leave

FRAME_INTERVAL = 0.2  # seconds between two pictures of a stream
RETRY_INTERVAL = 1.0  # seconds until a lost camera is tried again
WIDTH = 960  # pixels
CHECK_INTERVAL = 1.0  # seconds between checks of the light
CACHE_TIME = 0.15  # seconds for which a picture is reused


class Pictures:
    def __init__(self, host: Host) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._cache: dict[bool, tuple[float, object, bytes]] = {}
        self._found: tuple[float, object, list[Finding]] = (0.0, None, [])

    def newest(self, with_reading: bool) -> bytes:
        """The camera's newest picture as JPEG."""
        camera = self._host.camera.device
        if camera is None:
            raise BadInput("", "no-camera")
        with self._lock:
            at, source, jpeg = self._cache.get(with_reading, (0.0, None, b""))
            if source is camera and time.monotonic() - at < CACHE_TIME:
                return jpeg
            frame = camera.newest(0, 1.0)
            if frame is None:
                raise BadInput("", "no-picture")
            image = frame.image
            if with_reading:
                reading = self._host.camera.reading
                image = overlay(image, reading, plainly=True) if reading else markers_on(image)
            # Corners are clicked on the plain picture, so it must keep the camera's resolution.
            jpeg = as_jpeg(image, WIDTH if with_reading else None)
            self._cache[with_reading] = (time.monotonic(), camera, jpeg)
            return jpeg

    def findings(self) -> list[Finding]:
        """Whether the table can be read well, by the newest picture; computed once for all viewers."""
        camera = self._host.camera.device
        if camera is None:
            raise BadInput("", "no-camera")
        with self._lock:
            at, source, found = self._found
            if source is not camera or time.monotonic() - at > CHECK_INTERVAL:
                frame = camera.newest(0, 1.0)
                if frame is None:
                    raise BadInput("", "no-picture")
                found = check(frame.image, learned_sets(self._host.settings))
                self._found = (time.monotonic(), camera, found)
            return found

    def corners(self, game_id: str | None) -> tuple[list[list[float]] | None, How | None]:
        """The field's corners in the plain picture, and how they were found. If the camera does not follow a game yet,
        the field of this game is searched in the newest picture."""
        camera, table = self._host.camera.device, self._host.camera
        if (known := table.corners) is not None:
            reading = table.reading
            return known, "corners" if self._host.settings.corners else reading.found if reading else None
        if camera is None or game_id is None or (frame := camera.newest(0, 1.0)) is None:
            return None, None
        with self._lock:
            try:
                found = read_picture(frame.image, labels_of(game(game_id)), lens=lens_of(self._host.settings.lens))
            except UnreadablePicture as doubts:
                likely = doubts.params.get("corners")  # a guess for a board without markers, for a person to check
                return (cast(Any, likely), "lattice") if likely else (None, None)
        return found.corners.tolist(), found.found

    # --- in the server's event loop

    def follow(self, connection: Connection, with_reading: bool) -> Leave:
        """Send a viewer a stream of pictures (multipart/x-mixed-replace)."""
        sending = asyncio.get_running_loop().create_task(self._send(connection, with_reading))

        def leave() -> None:
            sending.cancel()

        return leave

    async def _send(self, connection: Connection, with_reading: bool) -> None:
        while not connection.closed():
            try:
                jpeg = await asyncio.to_thread(self.newest, with_reading)
            except BadInput:  # it may come back
                await asyncio.sleep(RETRY_INTERVAL)
                continue
            head = b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg)
            try:
                async with asyncio.timeout(SEND_TIMEOUT):
                    await connection.write(head + jpeg + b"\r\n")
            except TimeoutError:
                connection.close()
            await asyncio.sleep(FRAME_INTERVAL)


def as_jpeg(image: Image, wide: int | None = WIDTH) -> bytes:
    if wide and image.shape[1] > wide:
        high = round(image.shape[0] * wide / image.shape[1])
        image = np.asarray(cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()
