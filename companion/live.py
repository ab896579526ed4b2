"""The loop that never waits for anybody: camera → watch → table. Persons' commands come in between looks."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from companion.simulated import Player
from companion.table import Table
from vision.cameras import Camera
from vision.watch import Seen, Watch

T = TypeVar("T")
WAITED = 8.0  # seconds
RETRY = 5.0  # seconds between attempts to write to a disk that failed


class Live:
    """A table before a camera. `step` belongs to one thread; `do` may be called from any."""

    def __init__(self, table: Table, camera: Camera, watch: Watch, player: Player | None = None) -> None:
        self.table, self.camera, self.watch, self.player = table, camera, watch, player
        self.seen: Seen | None = None  # the newest frame, and what came of it
        self.trouble = ""  # why a board at rest cannot be read: a code of the message catalogues
        self.latency: list[float] = []  # seconds from a board at rest to its verdict
        self._number = 0
        self._looked, self._played = False, time.monotonic()
        self._commands: SimpleQueue[tuple[Callable[[Table], Any], Future[Any]]] = SimpleQueue()
        self._retried = time.monotonic()

    def do(self, command: Callable[[Table], T]) -> Future[T]:
        """Have the loop's thread do something with the table; what comes of it is in the future's result."""
        future: Future[T] = Future()
        self._commands.put((command, future))
        return future

    def step(self, patience: float = 0.1) -> None:
        """Take in the newest frame, if one comes in time, and what persons want."""
        self._do_commands()
        self._let_play()
        frame = self.camera.newest(self._number, patience)
        self.table.camera_is(self.camera.state.code, self.camera.state.reason)
        if frame:
            self._number = frame.number
            if self.table.wants_look:
                self.watch.again()
            self._look(self.watch.see(frame))
        self._keep_safe()

    def _let_play(self) -> None:
        """The simulated player, like a polite one, waits until his last action has been looked at; not for ever."""
        if self.player:
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
            self._looked = self._looked or not self.camera.busy
            self.table.see(seen.reading, seen.image)
            self.latency.append(seen.reading.ms / 1000 + time.perf_counter() - began)
            del self.latency[:-1000]

    def _do_commands(self) -> None:
        while True:
            try:
                command, future = self._commands.get_nowait()
            except Empty:
                return
            try:
                future.set_result(command(self.table))
            except Exception as error:  # whoever asked is told
                future.set_exception(error)

    def _keep_safe(self) -> None:
        if self.table.store.trouble and time.monotonic() - self._retried > RETRY:
            self._retried = time.monotonic()
            self.table.store.retry()
