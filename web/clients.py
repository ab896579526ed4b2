"""Limits on connected clients: which to close when there are too many, and a rate limit for requests of strangers.

Idle connections must not keep others out. When all places are taken, the connection of the address with the most idle
connections that was idle longest is closed. Signed-in clients are closed only after all strangers, and the referee
never. Streams (responses without end) have a limit of their own: when it is reached, a client with a higher priority,
or from an address with fewer streams, replaces a stream of the address with the most. So a player with a hundred
browsers keeps out neither the other players nor the referee.

The table's own thread shares one interpreter with all requests. So requests of strangers are rate-limited: together
they get at most a fixed share of the time, after a burst.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from pathlib import Path

from tornado.iostream import IOStream

MAX_CLIENTS = 4000  # connections
MAX_FILES = 16_384  # open files that we ask the system for
OTHER_FILES = 96  # files for the log, cameras, LEDs and pictures
MAX_STREAMS = 500
MAX_REQUESTS = 600  # requests in flight or delayed, of strangers; and as many of signed-in clients
SHARE = 2  # one address may have at most this fraction (1/SHARE) of the requests


MAX_PER_ADDRESS = 32  # from so many idle connections of one address on even signed-in ones are closed


STRANGERS_SHARE = 0.4  # of the time: what requests of strangers may use in the long run
BURST = 15.0  # seconds of computing that they may use at once, as when a hall full of people opens the page
MAX_DELAY = 4.0  # seconds; a stranger's request that would wait longer is refused
FEW = 16  # with so many requests of one address in flight its maximum delay is halved
OVERHEAD = 0.0005  # seconds for reading a request and sending the response, roughly


class Activity(Enum):
    IDLE = "idle"  # before the first request, or between two
    REQUESTING = "requesting"
    STREAMING = "streaming"


class Priority(IntEnum):
    """Clients with a higher priority are served first."""

    STRANGER = 0
    SIGNED_IN = 1
    REFEREE = 2


@dataclass(eq=False)
class Client:
    """One connection."""

    stream: IOStream
    address: str
    port: int
    priority: Priority = Priority.STRANGER  # by its last request
    activity: Activity = Activity.IDLE
    sent_at: float | None = None  # when a response was sent that it has not received completely


@dataclass
class RateLimiter:
    """Spreads the requests of strangers over time."""

    due: float = 0.0  # when the next request may be handled, on the monotonic clock
    average: float = 0.003  # seconds that recent requests have computed

    def delay(self, now: float, in_flight: int = 0) -> float | None:
        """Seconds for which to delay a request. None: refuse it. `in_flight`: other requests of its address."""
        self.due = max(self.due, now - BURST)
        wait = max(0.0, self.due - now)
        if wait > MAX_DELAY / (1 + in_flight / FEW):
            return None
        self.due += self.average / STRANGERS_SHARE
        return wait

    def record(self, computed: float) -> None:
        """Correct the estimate by the time that a request has really computed."""
        more = computed + OVERHEAD - self.average
        self.due += more / STRANGERS_SHARE
        self.average += more / 16


@dataclass
class Clients:
    max_clients: int = MAX_CLIENTS
    max_streams: int = MAX_STREAMS
    max_requests: int = MAX_REQUESTS
    connected: dict[Client, None] = field(default_factory=dict)  # ordered by arrival or by their last response
    requesting: dict[Priority, Counter[str]] = field(
        default_factory=lambda: {priority: Counter() for priority in Priority}
    )  # by address

    limiter: RateLimiter = field(default_factory=RateLimiter)

    # --- connections

    def admit(self, client: Client) -> bool:
        """Admit a client, closing an idle one if all places are taken. False if that is not possible."""
        if len(self.connected) >= self.max_clients:
            idle = [one for one in self.connected if one.activity is Activity.IDLE]
            # The priority of the new client is not known before its first request.
            replaced = self._from_busiest_address(one for one in idle if one.priority is Priority.STRANGER)
            replaced = replaced or self._from_busiest_address(
                (one for one in idle if one.priority is Priority.SIGNED_IN), MAX_PER_ADDRESS
            )
            if replaced is None:
                return False
            self.remove(replaced)
            replaced.stream.close()
        self.connected[client] = None
        return True

    def remove(self, client: Client) -> None:
        self.connected.pop(client, None)

    def finished(self, client: Client) -> None:
        """A response was sent: the client is idle again, and the most recent of the idle ones."""
        if client in self.connected and client.activity is Activity.REQUESTING:
            client.activity = Activity.IDLE
            del self.connected[client]
            self.connected[client] = None

    def _from_busiest_address(self, among: Iterable[Client], least: int = 1) -> Client | None:
        """The first client of the address that has most of them, if it has at least `least`."""
        by_address: dict[str, list[Client]] = {}
        for client in among:
            by_address.setdefault(client.address, []).append(client)
        greediest = max(by_address.values(), key=len, default=[])
        return greediest[0] if len(greediest) >= least else None

    # --- requests

    def may_request(self, client: Client) -> bool:
        """Whether a request is accepted. The referee's always is; strangers and signed-in clients have own limits."""
        if client.priority is Priority.REFEREE:
            return True
        requesting = self.requesting[client.priority]
        return requesting.total() < self.max_requests and requesting[client.address] < max(
            1, self.max_requests // SHARE
        )

    @contextmanager
    def request(self, client: Client) -> Iterator[None]:
        """Count a request while it is in flight."""
        requesting, address = self.requesting[client.priority], client.address
        requesting[address] += 1
        try:
            yield
        finally:
            requesting[address] -= 1
            if not requesting[address]:
                del requesting[address]

    # --- streams

    @property
    def streaming(self) -> list[Client]:
        return [
            client for client in tuple(self.connected) if client.activity is Activity.STREAMING
        ]  # others may ask meanwhile

    def can_stream(self, address: str, priority: Priority) -> bool:
        """Whether a stream can start, if need be by replacing another."""
        return len(self.streaming) < self.max_streams or self._replaceable(address, priority) is not None

    def _replaceable(self, address: str, priority: Priority) -> Client | None:
        """The stream to replace: one of lower priority, else of the same priority from an address with more."""
        taken = self.streaming
        for lower in (one for one in Priority if one < priority):
            if replaced := self._from_busiest_address(client for client in taken if client.priority is lower):
                return replaced
        equals = [client for client in taken if client.priority is priority]
        own = sum(client.address == address for client in equals)
        return self._from_busiest_address(equals, own + 2)

    def start_stream(self, client: Client) -> bool:
        """Turn a client into a stream, replacing another if need be. False if that is not possible."""
        if len(self.streaming) >= self.max_streams:
            replaced = self._replaceable(client.address, client.priority)
            if replaced is None:
                return False
            self.remove(replaced)
            replaced.stream.close()
        client.activity = Activity.STREAMING
        return True


def open_clients(max_streams: int | None = None) -> Clients:
    """The limits that the system's number of open files allows."""
    files = _file_limit()
    max_clients = max(16, min(MAX_CLIENTS, files - OTHER_FILES - _open_files()))
    return Clients(
        max_clients, min(max_streams or MAX_STREAMS, max_clients // 2), min(MAX_REQUESTS, max(16, max_clients // 2))
    )


def _file_limit() -> int:
    """The number of files that this process may have open, after raising the limit as far as allowed."""
    if sys.platform == "win32":
        return MAX_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):  # some systems refuse a value below their hard limit
            pass
    return MAX_FILES if soft == resource.RLIM_INFINITY else soft


def _open_files() -> int:
    listed = Path("/proc/self/fd")
    return len(os.listdir(listed)) if listed.is_dir() else 32
