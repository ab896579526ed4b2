"""The table as it changes, for any number of viewers: none of them ever makes the referee wait.

The host's thread only puts the newest state down and wakes the server's event loop, where each state is put into
words once for all who read the same language, and written to each of them. A viewer is shown one state after another;
one who takes nothing makes nobody wait: what he has not taken stays with him, those who fall too far behind miss the
states in between, never the newest, and who is stuck too long is sent home. A crowd of hundreds is shown the newest
state a few times a second.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from companion.rights import Role
from companion.table.host import Host
from companion.table.state import TableState
from web.summaries import state_of

BEHIND = 32  # states by which a viewer may be late and still be shown each
HEARTBEAT = 1.0  # seconds without anything new after which a sign of life is sent: pages miss it within three
STUCK = 30.0  # seconds in which a viewer must have taken what he was sent
MANY, BETWEEN_PASSES = 250, 0.25  # viewers, and seconds between what so many of them are shown
AT_ONCE = 20  # viewers who are shown a state before whoever asks for something is heard
GREETING = b"retry: 1000\n\n"
ALIVE = b"event: alive\ndata:\n\n"


class Connection(Protocol):
    """To a viewer, in the server's event loop."""

    def write(self, data: bytes) -> asyncio.Future[None]: ...

    def closed(self) -> bool: ...

    def close(self) -> None: ...


Leave = Callable[[], None]  # to be called when the viewer has gone


@dataclass(eq=False)
class Viewer:
    connection: Connection
    language: str
    role: Role
    after: int | None  # the number of the state that was shown to him last
    sending: Awaitable[None] | None = None  # what he has not taken yet
    since: float = 0.0  # when he was last sent something


class Broadcast:
    """The newest states, and those who follow them."""

    def __init__(self, host: Host) -> None:
        self._guard = threading.Lock()
        self._wording = threading.Lock()
        self._recent = deque([host.state], maxlen=BEHIND)
        self._first, self._same_event = True, 1
        self._worded: dict[tuple[int, str], bytes] = {}
        self._events: dict[tuple[int, str, Role], bytes] = {}
        self._viewers: dict[Viewer, None] = {}  # in the order in which they came
        self._loop: asyncio.AbstractEventLoop | None = None
        self._next_pass, self._pass_due = 0.0, False
        self.closed = False
        host.on_change = self.put

    def put(self, state: TableState) -> None:
        with self._guard:
            self._first = False
            self._same_event = self._same_event + 1 if state.event == self._recent[-1].event else 1
            self._recent.append(state)
        self._wake_later()

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """The loop in which viewers are served; None: it ends."""
        self._loop = loop
        if loop:
            self._keep_alive(loop)

    def close(self) -> None:
        """All viewers are sent home."""
        self.closed = True
        self._wake_later()

    def _wake_later(self) -> None:
        if self._loop:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(self._serve_all)

    def following(self, after: int | None) -> TableState | None:
        """The state that comes after the one with this number; the newest if that one is long gone, or if there was
        none."""
        newest = self._recent[-1]
        if newest.changes == after:
            return None
        if after is None or newest.changes == after + 1:
            return newest
        with self._guard:
            return next((s for s in self._recent if s.changes == after + 1), newest)

    def seen_by(self, last_event: str | None) -> int | None:
        """The number of the state that a viewer who comes back has seen, if it is the newest for sure."""
        with self._guard:
            newest, surely = self._recent[-1], not self._first and self._same_event == 1
            return newest.changes if surely and last_event == str(newest.event) else None

    def json(self, state: TableState, language: str, role: Role) -> bytes:
        """A state as JSON for one reader."""
        with self._wording:
            text = self._worded.get((state.changes, language))
            if text is None:
                text = json.dumps(state_of(state, language), separators=(",", ":")).encode()[:-1]
                self._worded[state.changes, language] = text
                if len(self._worded) > 2 * BEHIND:
                    del self._worded[next(iter(self._worded))]
        return text + b',"role":"' + role.encode() + b'"}'

    # --- in the server's event loop

    def follow(self, connection: Connection, last_event: str | None, language: str, role: Role) -> Leave:
        """Show a viewer each state as a server-sent event, under the number of the log's last event."""
        viewer = Viewer(connection, language, role, self.seen_by(last_event))
        self._viewers[viewer] = None
        self._send(viewer, GREETING)
        self._serve(viewer)
        return lambda: self._viewers.pop(viewer, None)

    def _serve_all(self) -> None:
        """What is new, to all of them. Where they are very many it is the newest, a few times a second."""
        newest, now = self._recent[-1], time.monotonic()
        many = len(self._viewers) > MANY and not self.closed
        if many and now < self._next_pass:
            if not self._pass_due and self._loop:
                self._pass_due = True
                self._loop.call_later(self._next_pass - now, self._pass)
            return
        self._next_pass = now + BETWEEN_PASSES
        self._serve_some(tuple(self._viewers), newest, many)

    def _serve_some(self, viewers: tuple[Viewer, ...], newest: TableState, many: bool) -> None:
        """A few now, the others as soon as those who ask for something have been heard."""
        before = newest.changes - 1
        for viewer in viewers[:AT_ONCE]:
            skips = many and viewer.after is not None and viewer.after < before
            if viewer.sending or self.closed or not (skips or viewer.after == before):
                self._serve(viewer)
            else:
                viewer.after = newest.changes
                self._send(viewer, self._event(newest, viewer.language, viewer.role))
        if (rest := viewers[AT_ONCE:]) and self._loop:
            self._loop.call_soon(self._serve_some, rest, newest, many)

    def _pass(self) -> None:
        self._pass_due = False
        self._serve_all()

    def _serve(self, viewer: Viewer) -> None:
        """What is new, if he has taken all that came before."""
        if self.closed:
            viewer.connection.close()
        while not viewer.sending and not viewer.connection.closed():
            state = self.following(viewer.after)
            if state is None:
                return
            viewer.after = state.changes
            self._send(viewer, self._event(state, viewer.language, viewer.role))

    def _send(self, viewer: Viewer, data: bytes) -> None:
        if viewer.connection.closed():
            return
        sent = viewer.connection.write(data)
        viewer.since = time.monotonic()
        if not sent.done():
            viewer.sending = sent
            sent.add_done_callback(lambda _: self._taken(viewer))

    def _taken(self, viewer: Viewer) -> None:
        viewer.sending = None
        self._serve(viewer)

    def _event(self, state: TableState, language: str, role: Role) -> bytes:
        key = (state.changes, language, role)
        found = self._events.get(key)
        if found is None:
            told = self.json(state, language, role)
            found = self._events[key] = b"event: table\nid: %d\ndata: %s\n\n" % (state.event, told)
            if len(self._events) > 2 * BEHIND:
                del self._events[next(iter(self._events))]
        return found

    def _keep_alive(self, loop: asyncio.AbstractEventLoop) -> None:
        """Signs of life for those who see nothing new; whoever takes nothing is sent home."""
        now = time.monotonic()
        for viewer in tuple(self._viewers):
            if viewer.sending and now - viewer.since > STUCK:
                viewer.connection.close()
            elif not viewer.sending and now - viewer.since > HEARTBEAT:
                self._send(viewer, ALIVE)
        if self._loop is loop:
            loop.call_later(HEARTBEAT / 3, self._keep_alive, loop)
