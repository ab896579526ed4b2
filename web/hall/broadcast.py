"""The hall as it changes: a thread that follows the database, and those who are told.

The desks' pages are sent each table that has changed, in their language; tables are sent a wake-up when there is a
command for them. Nothing is queued for anybody: whoever falls behind is sent the newest of each table.
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
from companion.hall.live import ONLINE
from web.broadcast import HEARTBEAT, STUCK, Connection, Leave

POLL = 1.0  # seconds after which the database is asked even if nobody woke us
Tell = Callable[[int, str], object]  # a table in words: its place, the language


@dataclass(eq=False)
class Follower:
    """Somebody who is told: a page of the desk, or a table."""

    connection: Connection
    language: str = "en"
    place: int | None = None  # a table
    news: set[int] = field(default_factory=set)  # places that have changed since he was told
    hall: bool = True  # something else has
    sending: asyncio.Future[None] | None = None
    since: float = 0.0


class Broadcast:
    def __init__(self, desk: Desk, tell: Tell) -> None:
        self.desk, self._tell = desk, tell
        self.trouble: BadInput | None = None
        self.heard: dict[int, float] = {}  # when a table gave a sign of life, to any desk
        self._noted: dict[int, float] = {}  # when that was told to the other desks
        self._commands: dict[int, int] = {}  # up to which command each table was woken
        self.closed = False
        self._guard = threading.Lock()
        self._followers: dict[Follower, None] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told: dict[tuple[int, str], tuple[int, bytes]] = {}
        self._offline: set[int] = set()
        self._thread = threading.Thread(target=self._follow, name="hall", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self.closed = True
        self.desk.database.wake()
        self._later(self._serve_all)

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        self._loop = loop
        if loop:
            loop.call_later(HEARTBEAT / 3, self._keep_alive, loop)

    # --- the thread that follows

    def _follow(self) -> None:
        deeds = -1
        while not self.closed:
            try:
                self.desk.catch_up()
                self.desk.go_on()
                self.desk.tell_twins()
                self._wake_for_commands()
                self.trouble = None
                last = self.desk.state.last
                changed = self.desk.tables.take_changed() | self._gone_or_back()
                deeds, before = last.number if last else 0, deeds
                if changed or deeds != before:
                    self._later(self._serve_all, changed, deeds != before)
                self.desk.database.waits(POLL)
            except Unavailable as trouble:
                if self.trouble is None:
                    self.trouble = trouble
                    self._later(self._serve_all, set(), True)
                time.sleep(POLL / 4)
            except Exception:  # one odd event must not end the desk
                import logging

                logging.getLogger("companion.hall").exception("the hall's follower stumbled")
                time.sleep(POLL)

    def _wake_for_commands(self) -> None:
        """Also for those that another desk gave."""
        for place, number in reports.newest_commands(self.desk.database).items():
            if self._commands.get(place) != number:
                self._commands[place] = number
                self._later(self._wake_tables, place)

    def _gone_or_back(self) -> set[int]:
        now = time.time()
        for place, heard in reports.heard(self.desk.database).items():
            self.heard[place] = max(heard, self.heard.get(place, 0))
        offline = {place for place in self.desk.state.places if now - self.heard.get(place, 0) > ONLINE}
        changed, self._offline = offline ^ self._offline, offline
        return changed

    def hear(self, place: int) -> None:
        """A table gave a sign of life."""
        now = self.heard[place] = time.time()
        if now - self._noted.get(place, 0) > ONLINE / 3:
            self._noted[place] = now
            reports.hear(self.desk.database, place, now)

    def _later(self, call: Callable[..., object], *given: object) -> None:
        if self._loop:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(call, *given)

    # --- in the server's event loop

    def follow(self, connection: Connection, language: str) -> Leave:
        """A page of the desk."""
        follower = Follower(connection, language, news=set(self.desk.state.places))
        self._followers[follower] = None
        self._serve(follower)
        return lambda: self._followers.pop(follower, None)

    def follow_table(self, connection: Connection, place: int) -> Leave:
        """A table that waits for commands. Those that another desk gives wake it too, by the database."""
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
        known = self._told.get((place, language))
        if known is None or known[0] != version:
            told = json.dumps(self._tell(place, language), separators=(",", ":")).encode()
            known = self._told[place, language] = version, b"event: table\ndata: %s\n\n" % told
        return known[1]

    def _send(self, follower: Follower, data: bytes) -> None:
        sent = follower.connection.write(data)
        follower.since = time.monotonic()
        if not sent.done():
            follower.sending = sent
            sent.add_done_callback(lambda _: self._taken(follower))

    def _taken(self, follower: Follower) -> None:
        follower.sending = None
        self._serve(follower)

    def _keep_alive(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        for follower in tuple(self._followers):
            if follower.sending and now - follower.since > STUCK:
                follower.connection.close()
            elif not follower.sending and now - follower.since > HEARTBEAT and not follower.connection.closed():
                self._send(follower, b": still here\n\n")
        if self._loop is loop:
            loop.call_later(HEARTBEAT / 3, self._keep_alive, loop)
