"""One step after another, never waiting for anybody: camera → watch → table."""

from __future__ import annotations

import time

from companion.simulated import Player
from companion.table import Table
from vision.cameras import Camera
from vision.handed import HandedCamera
from vision.watch import Seen, Watch

WAITED = 8.0  # seconds
RETRY = 5.0  # seconds between attempts to write to a disk that failed


class Live:
    """A table before a camera, or without one. `step` belongs to one thread."""

    def __init__(
        self,
        table: Table,
        camera: Camera | HandedCamera | None = None,
        watch: Watch | None = None,
        player: Player | None = None,
    ) -> None:
        self.table, self.camera, self.watch, self.player = table, camera, watch, player
        self.paused = False  # nothing is looked at meanwhile
        self.seen: Seen | None = None  # the newest frame, and what came of it
        self.read: Seen | None = None  # the newest one that was read
        self.number = 0  # of the newest frame
        self.trouble = ""  # why a board at rest cannot be read: a code of the message catalogues
        self.latency: list[float] = []  # seconds from a board at rest to its verdict
        self._looked, self._played = False, time.monotonic()
        self._retried = time.monotonic()

    def step(self, patience: float = 0.1) -> None:
        """Take in the newest frame, if one comes in time."""
        if self.camera and self.watch:
            self._let_play()
            frame = self.camera.newest(self.number, patience)
            self.table.camera_is(self.camera.state.code, self.camera.state.reason)
            if frame:
                self.number = frame.number
                if self.paused:
                    self.seen = Seen(None, None, False, False, frame.image)
                else:
                    if self.table.wants_look:
                        self.watch.again()
                    self._look(self.watch.see(frame))
        self._keep_safe()

    def _let_play(self) -> None:
        """The simulated player, like a polite one, waits until his last action has been looked at; not for ever."""
        if self.player and not self.paused:
            now, done = time.monotonic(), len(self.player.log)
            if not done or self._looked or now - self._played > WAITED:
                self.player.tick(now)
            if len(self.player.log) > done:
                self._looked, self._played = False, now

    def _look(self, seen: Seen) -> None:
        began = time.perf_counter()
        self.seen = seen
        if seen.bumped:
            self.table.bumped()
        trouble = seen.trouble.code if seen.trouble else "" if seen.reading else self.trouble
        if trouble != self.trouble:
            self.trouble = trouble
            self.table.changes += 1
        if seen.reading:
            self.read = seen
            self._looked = self._looked or self.camera is None or not self.camera.busy
            self.table.see(seen.reading, seen.image)
            self.latency.append(seen.reading.ms / 1000 + time.perf_counter() - began)
            del self.latency[:-1000]

    def _keep_safe(self) -> None:
        if self.table.store.trouble and time.monotonic() - self._retried > RETRY:
            self._retried = time.monotonic()
            self.table.store.retry()
