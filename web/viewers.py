"""All who look at the live stream, served by one thread: a state is worded once, and written to each of them.

A viewer who takes nothing never makes another wait: what he has not taken stays with him, and he is sent home when it
stays too long. gunicorn's thread that greeted a viewer is free again at once; without gunicorn each viewer holds a
thread (`Newest.stream`).
"""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from socket import socket
from ssl import SSLWantReadError, SSLWantWriteError
from weakref import WeakSet

from web.live import GREETING, HEARTBEAT, STUCK, Newest, event

MOST = 500  # viewers at once
AGAIN = 0.05  # seconds until one who could not take all is tried again


@dataclass(eq=False)
class Viewer:
    connection: socket
    chunked: bool  # as HTTP/1.1 sends what has no known end
    language: str
    role: str
    after: int | None  # the number of the state that was shown to him last
    rest: bytes = b""  # what he has not taken yet
    since: float = 0.0  # when he last took something, or was sent something


class Viewers:
    def __init__(self, newest: Newest) -> None:
        self._newest = newest
        self._guard = threading.Lock()
        self._coming: list[Viewer] = []
        self._here: list[Viewer] = []
        self._taken_over: WeakSet[socket] = WeakSet()
        self._thread: threading.Thread | None = None

    @property
    def full(self) -> bool:
        return len(self._here) + len(self._coming) >= MOST

    def has_taken_over(self, connection: socket) -> bool:
        """Whether this connection is ours, or was: the server must leave it alone."""
        return connection in self._taken_over

    def greet(
        self, connection: socket, chunked: bool, last_event: str | None, language: str, role: str
    ) -> Iterator[bytes]:
        """The beginning of the answer; then the connection is taken over, and the server believes it has broken."""
        after = self._newest.seen_by(last_event)
        yield GREETING
        connection.setblocking(False)
        viewer = Viewer(connection, chunked, language, role, after, since=time.monotonic())
        with self._guard:
            self._taken_over.add(connection)
            self._coming.append(viewer)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="viewers", daemon=True)
                self._thread.start()
        self._newest.wake()
        raise BrokenPipeError(errno.EPIPE, "taken over")

    def _run(self) -> None:
        shown: int | None = None
        while not self._newest.closed:
            waiting = any(viewer.rest for viewer in self._here)
            self._newest.wait_for(shown, AGAIN if waiting else HEARTBEAT / 3, lambda: bool(self._coming))
            with self._guard:
                self._here += self._coming
                self._coming.clear()
            shown = self._newest.last
            self._serve()
        for viewer in self._here:
            self._leave(viewer)

    def _serve(self) -> None:
        """What is new goes to everybody who has taken all that came before."""
        made: dict[tuple[int, str, str, bool], bytes] = {}
        now, staying = time.monotonic(), []
        for viewer in self._here:
            try:
                self._send(viewer, made, now)
            except OSError:
                self._leave(viewer)
            else:
                staying.append(viewer)
        self._here = staying

    def _send(self, viewer: Viewer, made: dict[tuple[int, str, str, bool], bytes], now: float) -> None:
        while True:
            if not viewer.rest:
                snapshot = self._newest.following(viewer.after)
                if snapshot:
                    key = (snapshot.changes, viewer.language, viewer.role, viewer.chunked)
                    if key not in made:
                        told = event(snapshot.event, self._newest.json(snapshot, viewer.language, viewer.role))
                        made[key] = _framed(told, viewer.chunked)
                    viewer.rest, viewer.after = made[key], snapshot.changes
                elif now - viewer.since > HEARTBEAT:
                    viewer.rest = _framed(b": still here\n\n", viewer.chunked)
                else:
                    return
            try:
                sent = viewer.connection.send(viewer.rest)
            except (BlockingIOError, SSLWantReadError, SSLWantWriteError):
                if now - viewer.since > STUCK:
                    raise TimeoutError from None
                return
            viewer.rest, viewer.since = viewer.rest[sent:], now

    def _leave(self, viewer: Viewer) -> None:
        with suppress(OSError):
            if viewer.chunked and not viewer.rest:
                viewer.connection.send(b"0\r\n\r\n")
        with suppress(OSError):
            viewer.connection.close()


def _framed(told: bytes, chunked: bool) -> bytes:
    return b"%X\r\n%s\r\n" % (len(told), told) if chunked else told
