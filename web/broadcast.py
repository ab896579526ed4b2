"""The live stream of the table's states, for any number of viewers, without ever delaying the table's thread.

The host's thread only stores the newest state and wakes the server's event loop. There each state is serialized once
for each language and written to the viewers. A slow viewer delays nobody: if he falls too far behind he misses states
in between, but never the newest, and if he receives nothing for too long his connection is closed. With hundreds of
viewers only the newest state is sent, a few times a second.
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

MAX_BACKLOG = 32  # states by which a viewer may be late and still get each of them
HEARTBEAT = 1.0  # seconds without a new state after which a heartbeat is sent; pages notice within three if it stops
SEND_TIMEOUT = 30.0  # seconds in which a viewer must receive what was sent
CROWD, BETWEEN_PASSES = 250, 0.25  # from so many viewers on, states are sent with so many seconds in between
BATCH = 20  # viewers served in a row before the event loop handles other requests
GREETING = b"retry: 1000\n\n"
HEARTBEAT_EVENT = b"event: alive\ndata:\n\n"


class Connection(Protocol):
    """The sending side of a viewer's connection, in the server's event loop."""

    def write(self, data: bytes) -> asyncio.Future[None]: ...

    def closed(self) -> bool: ...

    def close(self) -> None: ...


Leave = Callable[[], None]  # to call when the viewer has disconnected


@dataclass(eq=False)
class Viewer:
    connection: Connection
    language: str
    role: Role
    after: int | None  # the number of the last state sent to him
    sending: Awaitable[None] | None = None  # a write that is not complete
    since: float = 0.0  # when something was last sent


class Broadcast:
    """The newest states, and the viewers who follow them."""

    def __init__(self, host: Host) -> None:
        self._lock = threading.Lock()
        self._json_lock = threading.Lock()
        self._recent = deque([host.state], maxlen=MAX_BACKLOG)
        self._first, self._same_event = True, 1
        self._json_cache: dict[tuple[int, str], bytes] = {}
        self._event_cache: dict[tuple[int, str, Role], bytes] = {}
        self._viewers: dict[Viewer, None] = {}  # in the order in which they came
        self._loop: asyncio.AbstractEventLoop | None = None
        self._next_pass, self._pass_due = 0.0, False
        self.closed = False
        host.on_change = self.publish

    def publish(self, state: TableState) -> None:
        with self._lock:
            self._first = False
            self._same_event = self._same_event + 1 if state.event == self._recent[-1].event else 1
            self._recent.append(state)
        self._schedule()

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Set the event loop that serves viewers; None: it ends."""
        self._loop = loop
        if loop:
            self._heartbeat(loop)

    def close(self) -> None:
        """Close the connections of all viewers."""
        self.closed = True
        self._schedule()

    def _schedule(self) -> None:
        if self._loop:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(self._serve_all)

    def next_state(self, after: int | None) -> TableState | None:
        """The state after the one with this number; the newest one if that is not stored any more, or `after` is
        None."""
        newest = self._recent[-1]
        if newest.changes == after:
            return None
        if after is None or newest.changes == after + 1:
            return newest
        with self._lock:
            return next((s for s in self._recent if s.changes == after + 1), newest)

    def resume_after(self, last_event: str | None) -> int | None:
        """The state that a reconnecting viewer has already, if it is certainly the newest. `last_event`: the log's
        event in his Last-Event-ID header."""
        with self._lock:
            newest, surely = self._recent[-1], not self._first and self._same_event == 1
            return newest.changes if surely and last_event == str(newest.event) else None

    def json(self, state: TableState, language: str, role: Role) -> bytes:
        """A state as JSON, in a language and for a role."""
        with self._json_lock:
            text = self._json_cache.get((state.changes, language))
            if text is None:
                text = json.dumps(state_of(state, language), separators=(",", ":")).encode()[:-1]
                self._json_cache[state.changes, language] = text
                if len(self._json_cache) > 2 * MAX_BACKLOG:
                    del self._json_cache[next(iter(self._json_cache))]
        return text + b',"role":"' + role.encode() + b'"}'

    # --- in the server's event loop

    def follow(self, connection: Connection, last_event: str | None, language: str, role: Role) -> Leave:
        """Send each state to a viewer as a server-sent event, with the number of the log's last event as its id."""
        viewer = Viewer(connection, language, role, self.resume_after(last_event))
        self._viewers[viewer] = None
        self._send(viewer, GREETING)
        self._serve(viewer)
        return lambda: self._viewers.pop(viewer, None)

    def _serve_all(self) -> None:
        """Send new states to all viewers; with a crowd only the newest, a few times a second."""
        newest, now = self._recent[-1], time.monotonic()
        crowded = len(self._viewers) > CROWD and not self.closed
        if crowded and now < self._next_pass:
            if not self._pass_due and self._loop:
                self._pass_due = True
                self._loop.call_later(self._next_pass - now, self._delayed_pass)
            return
        self._next_pass = now + BETWEEN_PASSES
        self._serve_some(tuple(self._viewers), newest, crowded)

    def _serve_some(self, viewers: tuple[Viewer, ...], newest: TableState, crowded: bool) -> None:
        """Serve a batch now, and the rest after the event loop has handled other requests."""
        before = newest.changes - 1
        for viewer in viewers[:BATCH]:
            skips = crowded and viewer.after is not None and viewer.after < before
            if viewer.sending or self.closed or not (skips or viewer.after == before):
                self._serve(viewer)
            else:
                viewer.after = newest.changes
                self._send(viewer, self._event(newest, viewer.language, viewer.role))
        if (rest := viewers[BATCH:]) and self._loop:
            self._loop.call_soon(self._serve_some, rest, newest, crowded)

    def _delayed_pass(self) -> None:
        self._pass_due = False
        self._serve_all()

    def _serve(self, viewer: Viewer) -> None:
        """Send a viewer the new states, if he has received the earlier ones."""
        if self.closed:
            viewer.connection.close()
        while not viewer.sending and not viewer.connection.closed():
            state = self.next_state(viewer.after)
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
            sent.add_done_callback(lambda _: self._on_sent(viewer))

    def _on_sent(self, viewer: Viewer) -> None:
        viewer.sending = None
        self._serve(viewer)

    def _event(self, state: TableState, language: str, role: Role) -> bytes:
        key = (state.changes, language, role)
        found = self._event_cache.get(key)
        if found is None:
            data = self.json(state, language, role)
            found = self._event_cache[key] = b"event: table\nid: %d\ndata: %s\n\n" % (state.event, data)
            if len(self._event_cache) > 2 * MAX_BACKLOG:
                del self._event_cache[next(iter(self._event_cache))]
        return found

    def _heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        """Send heartbeats to viewers without new states, and close connections that receive nothing."""
        now = time.monotonic()
        for viewer in tuple(self._viewers):
            if viewer.sending and now - viewer.since > SEND_TIMEOUT:
                viewer.connection.close()
            elif not viewer.sending and now - viewer.since > HEARTBEAT:
                self._send(viewer, HEARTBEAT_EVENT)
        if self._loop is loop:
            loop.call_later(HEARTBEAT / 3, self._heartbeat, loop)
