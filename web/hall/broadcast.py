"""Live updates of the hall: a thread that polls the database, and the followers who are sent what changed.

The desks' pages are sent each table that has changed, in their language. Tables are sent a wake-up when there is a
command for them. Nothing is queued: a follower who falls behind is sent only the newest state of each table.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from companion.errors import BadInput
from companion.hall import reports
from companion.hall.database import Unavailable
from companion.hall.desk import Desk
from companion.hall.live import OFFLINE_AFTER
from web.broadcast import HEARTBEAT, SEND_TIMEOUT, Connection, Leave

POLL = 1.0  # seconds after which the database is read even without a notification
CardOf = Callable[[int, str], object]  # the card of a table: takes its place and the language


@dataclass(eq=False)
class Follower:
    """A connected client: a page of the desk, or a table."""

    connection: Connection
    language: str = "en"
    place: int | None = None  # of a table; None: a page of the desk
    news: set[int] = field(default_factory=set)  # places that changed since the last message
    hall: bool = True  # something else changed
    sending: asyncio.Future[None] | None = None
    since: float = 0.0


class Broadcast:
    def __init__(self, desk: Desk, tell: CardOf) -> None:
        self.desk, self._card = desk, tell
        self.trouble: BadInput | None = None
        self.last_seen: dict[int, float] = {}  # by place: the last heartbeat, at any desk
        self._recorded: dict[int, float] = {}  # by place: the last heartbeat that we wrote to the database
        self._commands: dict[int, int] = {}  # by place: the newest command for which the table was woken
        self.closed = False
        self._guard = threading.Lock()
        self._followers: dict[Follower, None] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._cache: dict[tuple[int, str], tuple[int, bytes]] = {}
        self._offline: set[int] = set()
        self._thread = threading.Thread(target=self._follow, name="hall", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self.closed = True
        self.desk.database.notify()
        self._later(self._serve_all)

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        self._loop = loop
        if loop:
            loop.call_later(HEARTBEAT / 3, self._heartbeat, loop)

    # --- the polling thread

    def _follow(self) -> None:
        deeds = -1
        while not self.closed:
            try:
                self.desk.catch_up()
                self.desk.send_pending()
                self.desk.sync_twins()
                self._wake_for_commands()
                self.trouble = None
                last = self.desk.state.last
                changed = self.desk.tables.take_changed() | self._connection_changes()
                deeds, before = last.number if last else 0, deeds
                if changed or deeds != before:
                    self._later(self._serve_all, changed, deeds != before)
                self.desk.database.wait(POLL)
            except Unavailable as trouble:
                if self.trouble is None:
                    self.trouble = trouble
                    self._later(self._serve_all, set(), True)
                time.sleep(POLL / 4)
            except Exception:  # one malformed event must not stop the desk
                import logging

                logging.getLogger("companion.hall").exception("the hall's follower stumbled")
                time.sleep(POLL)

    def _wake_for_commands(self) -> None:
        """Wake the tables that have new commands, from any desk."""
        for place, number in reports.newest_commands(self.desk.database).items():
            if self._commands.get(place) != number:
                self._commands[place] = number
                self._later(self._wake_tables, place)

    def _connection_changes(self) -> set[int]:
        now = time.time()
        for place, last_seen in reports.last_heartbeats(self.desk.database).items():
            self.last_seen[place] = max(last_seen, self.last_seen.get(place, 0))
        offline = {place for place in self.desk.state.places if now - self.last_seen.get(place, 0) > OFFLINE_AFTER}
        changed, self._offline = offline ^ self._offline, offline
        return changed

    def record_heartbeat(self, place: int) -> None:
        """A table was heard of. Other desks are told by the database, but not each time."""
        now = self.last_seen[place] = time.time()
        if now - self._recorded.get(place, 0) > OFFLINE_AFTER / 3:
            self._recorded[place] = now
            reports.record_heartbeat(self.desk.database, place, now)

    def _later(self, call: Callable[..., object], *given: object) -> None:
        if self._loop:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(call, *given)

    # --- in the server's event loop

    def follow(self, connection: Connection, language: str) -> Leave:
        """Connect a page of the desk."""
        follower = Follower(connection, language, news=set(self.desk.state.places))
        self._followers[follower] = None
        self._serve(follower)
        return lambda: self._followers.pop(follower, None)

    def follow_table(self, connection: Connection, place: int) -> Leave:
        """Connect a table, which waits for commands."""
        follower = Follower(connection, place=place, news={place})
        self._followers[follower] = None
        self._serve(follower)
        return lambda: self._followers.pop(follower, None)

    def _serve_all(self, changed: set[int] = frozenset(), hall: bool = False) -> None:  # type: ignore[assignment]
        for follower in tuple(self._followers):
            if follower.place is None:
                follower.news |= changed
                follower.hall |= hall
            self._serve(follower)

    def _wake_tables(self, place: int) -> None:
        for follower in tuple(self._followers):
            if follower.place == place:
                follower.news = {place}
                self._serve(follower)

    def _serve(self, follower: Follower) -> None:
        if self.closed:
            follower.connection.close()
        if follower.sending or follower.connection.closed():
            return
        if follower.place is not None:
            if follower.news:
                follower.news = set()
                self._send(follower, b"data: wake\n\n")
            return
        parts = []
        if follower.hall:
            follower.hall = False
            trouble = self.trouble.code if self.trouble else None
            parts.append(b"event: hall\ndata: %s\n\n" % json.dumps({"trouble": trouble}).encode())
        places, follower.news = follower.news, set()
        parts += [self._event(place, follower.language) for place in sorted(places)]
        if parts:
            self._send(follower, b"".join(parts))

    def _event(self, place: int, language: str) -> bytes:
        live = self.desk.tables.live.get(place)
        version = (live.changes if live else 0) * 2 + (place in self._offline)
        known = self._cache.get((place, language))
        if known is None or known[0] != version:
            card = json.dumps(self._card(place, language), separators=(",", ":")).encode()
            known = self._cache[place, language] = version, b"event: table\ndata: %s\n\n" % card
        return known[1]

    def _send(self, follower: Follower, data: bytes) -> None:
        sent = follower.connection.write(data)
        follower.since = time.monotonic()
        if not sent.done():
            follower.sending = sent
            sent.add_done_callback(lambda _: self._on_sent(follower))

    def _on_sent(self, follower: Follower) -> None:
        follower.sending = None
        self._serve(follower)

    def _heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        for follower in tuple(self._followers):
            if follower.sending and now - follower.since > SEND_TIMEOUT:
                follower.connection.close()
            elif not follower.sending and now - follower.since > HEARTBEAT and not follower.connection.closed():
                self._send(follower, b": still here\n\n")
        if self._loop is loop:
            loop.call_later(HEARTBEAT / 3, self._heartbeat, loop)
