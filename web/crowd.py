"""Who is connected, and who has to go when there are too many.

Somebody who only holds connections must not keep others out. So nobody is turned away as long as somebody waits idly:
of those whose address holds the most connections, the one who has waited longest goes. Who is signed in goes after all
strangers, and only for those who are signed in; the referee goes for nobody. Answers without end are seats of their
own: when all are taken, whoever may do more, or whose address has fewer, takes one over from the address that has the
most. So a player with a hundred browsers keeps out neither the other players nor the referee.

The table shares one interpreter with all answers. So strangers who ask without end are answered at a pace: all of them
together take at most a part of its time, a rush at the door aside.
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

MOST = 4000  # connections
MOST_FILES = 16_384  # that we ask the system for
OTHER_FILES = 96  # for the log, cameras, LEDs and pictures
MOST_STREAMS = 500
MOST_ASKING = 600  # requests under way or waiting for their turn, of strangers, and as many of who is signed in
SHARE = 2  # of which one address may have one part in so many


MANY = 32  # connections of one address, beyond which it is too many even for somebody who is signed in


PART = 0.4  # of the time, that strangers' requests may take for long
RUSH = 15.0  # seconds' worth of which they may take at once: a hall full of people opens the page
PATIENCE = 4.0  # seconds that a stranger waits for his turn; who would wait longer is refused
FEW = 16  # requests of one address at once, with which it waits half as long: the greediest is refused first
BESIDES = 0.0005  # seconds that reading a request and sending its answer take, about


class Doing(Enum):
    WAITING = "waiting"  # it has not asked for anything yet, or not again
    ASKING = "asking"
    WATCHING = "watching"  # an answer without end


class Rank(IntEnum):
    """Who is served before whom."""

    STRANGER = 0
    SIGNED_IN = 1
    REFEREE = 2


@dataclass(eq=False)
class Guest:
    """One connection."""

    stream: IOStream
    address: str
    port: int
    rank: Rank = Rank.STRANGER  # by its last request
    doing: Doing = Doing.WAITING
    sent_at: float | None = None  # since when it has not taken what it was sent


@dataclass
class Pace:
    """When the next stranger's request is answered."""

    due: float = 0.0  # on the monotonic clock
    usual: float = 0.003  # seconds that a request has taken lately

    def turn(self, now: float, under_way: int = 0) -> float | None:
        """How long this one waits, whose address has so many others under way; nothing if that is too long."""
        self.due = max(self.due, now - RUSH)
        wait = max(0.0, self.due - now)
        if wait > PATIENCE / (1 + under_way / FEW):
            return None
        self.due += self.usual / PART
        return wait

    def took(self, computed: float) -> None:
        """What it has taken in truth."""
        more = computed + BESIDES - self.usual
        self.due += more / PART
        self.usual += more / 16


@dataclass
class Crowd:
    most: int = MOST
    most_streams: int = MOST_STREAMS
    most_asking: int = MOST_ASKING
    guests: dict[Guest, None] = field(default_factory=dict)  # in the order in which they came, or last had an answer
    asking: dict[Rank, Counter[str]] = field(default_factory=lambda: {rank: Counter() for rank in Rank})  # by address

    pace: Pace = field(default_factory=Pace)

    # --- connections

    def come(self, guest: Guest) -> bool:
        """Room is made if there is none; False if that cannot be done."""
        if len(self.guests) >= self.most:
            idle = [one for one in self.guests if one.doing is Doing.WAITING]
            # who comes has not said yet who he is
            leaving = self._of_greediest(one for one in idle if one.rank is Rank.STRANGER)
            leaving = leaving or self._of_greediest((one for one in idle if one.rank is Rank.SIGNED_IN), MANY)
            if leaving is None:
                return False
            self.leave(leaving)
            leaving.stream.close()
        self.guests[guest] = None
        return True

    def leave(self, guest: Guest) -> None:
        self.guests.pop(guest, None)

    def answered(self, guest: Guest) -> None:
        """It waits for the next request, behind all who have waited longer."""
        if guest in self.guests and guest.doing is Doing.ASKING:
            guest.doing = Doing.WAITING
            del self.guests[guest]
            self.guests[guest] = None

    def _of_greediest(self, among: Iterable[Guest], least: int = 1) -> Guest | None:
        """The first of those whose address has most of them, if it has at least so many."""
        by_address: dict[str, list[Guest]] = {}
        for guest in among:
            by_address.setdefault(guest.address, []).append(guest)
        greediest = max(by_address.values(), key=len, default=[])
        return greediest[0] if len(greediest) >= least else None

    # --- requests

    def may_ask(self, guest: Guest) -> bool:
        """Whether a request is taken on; the referee is always heard, and who is signed in beside all strangers."""
        if guest.rank is Rank.REFEREE:
            return True
        asking = self.asking[guest.rank]
        return asking.total() < self.most_asking and asking[guest.address] < max(1, self.most_asking // SHARE)

    @contextmanager
    def asks(self, guest: Guest) -> Iterator[None]:
        """A request is under way."""
        asking, address = self.asking[guest.rank], guest.address
        asking[address] += 1
        try:
            yield
        finally:
            asking[address] -= 1
            if not asking[address]:
                del asking[address]

    # --- answers without end

    @property
    def watching(self) -> list[Guest]:
        return [guest for guest in tuple(self.guests) if guest.doing is Doing.WATCHING]  # others may ask meanwhile

    def has_seat(self, address: str, rank: Rank) -> bool:
        """Whether there is a seat for another, be it another's now."""
        return len(self.watching) < self.most_streams or self._giving_way(address, rank) is not None

    def _giving_way(self, address: str, rank: Rank) -> Guest | None:
        """Who leaves a seat to somebody: one of those who may do less, else of his equals at a greedier address."""
        taken = self.watching
        for lower in (one for one in Rank if one < rank):
            if leaving := self._of_greediest(guest for guest in taken if guest.rank is lower):
                return leaving
        equals = [guest for guest in taken if guest.rank is rank]
        own = sum(guest.address == address for guest in equals)
        return self._of_greediest(equals, own + 2)

    def watch(self, guest: Guest) -> bool:
        """It is sent an answer without end from now on, if there is a seat."""
        if len(self.watching) >= self.most_streams:
            leaving = self._giving_way(guest.address, guest.rank)
            if leaving is None:
                return False
            self.leave(leaving)
            leaving.stream.close()
        guest.doing = Doing.WATCHING
        return True


def crowd(most_streams: int | None = None) -> Crowd:
    """As large as the system lets it be, with the usual number of seats if no other is given."""
    files = _file_limit()
    most = max(16, min(MOST, files - OTHER_FILES - _open_files()))
    return Crowd(most, min(most_streams or MOST_STREAMS, most // 2), min(MOST_ASKING, max(16, most // 2)))


def _file_limit() -> int:
    """How many files this process may have open; raised as far as we may."""
    if sys.platform == "win32":
        return MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):  # a system that promises more than it gives
            pass
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


def _open_files() -> int:
    listed = Path("/proc/self/fd")
    return len(os.listdir(listed)) if listed.is_dir() else 32
