"""Who is connected, and who has to go when there are too many.

Somebody who only holds connections must not keep others out. So nobody is turned away as long as somebody waits idly:
of those whose address holds the most connections, the one who has waited longest goes. Who is signed in never has to.
Answers without end are seats of their own: when all are taken, somebody whose address has fewer takes one over from the
address that has the most.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from tornado.iostream import IOStream

MOST = 4000  # connections
MOST_FILES = 16_384  # that we ask the system for
OTHER_FILES = 96  # for the log, cameras, LEDs and pictures
MOST_STREAMS = 500
MOST_ASKING = 600  # requests of strangers under way or waiting for their turn
SHARE = 2  # of which one address may have one part in so many


class Doing(Enum):
    WAITING = "waiting"  # it has not asked for anything yet, or not again
    ASKING = "asking"
    WATCHING = "watching"  # an answer without end


@dataclass(eq=False)
class Guest:
    """One connection."""

    stream: IOStream
    address: str
    port: int
    known: bool = False  # whoever it is, is signed in
    doing: Doing = Doing.WAITING
    sent_at: float | None = None  # since when it has not taken what it was sent


@dataclass
class Crowd:
    most: int = MOST
    most_streams: int = MOST_STREAMS
    most_asking: int = MOST_ASKING
    guests: dict[Guest, None] = field(default_factory=dict)  # in the order in which they came, or last had an answer
    asking: Counter[str] = field(default_factory=Counter)  # requests of strangers, by address

    # --- connections

    def come(self, guest: Guest) -> bool:
        """Room is made if there is none; False if that cannot be done."""
        if len(self.guests) >= self.most:
            idle = (one for one in self.guests if one.doing is Doing.WAITING and not one.known)
            if not (leaving := self._of_greediest(idle)):
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

    def _of_greediest(self, among: Iterable[Guest]) -> Guest | None:
        """The first of those whose address has most of them."""
        by_address: dict[str, list[Guest]] = {}
        for guest in among:
            by_address.setdefault(guest.address, []).append(guest)
        return max(by_address.values(), key=len)[0] if by_address else None

    # --- requests

    def may_ask(self, guest: Guest) -> bool:
        """Whether a request is taken on; who is signed in is always heard."""
        if guest.known:
            return True
        own = self.asking[guest.address]
        return self.asking.total() < self.most_asking and own < max(1, self.most_asking // SHARE)

    # --- answers without end

    @property
    def watching(self) -> list[Guest]:
        return [guest for guest in tuple(self.guests) if guest.doing is Doing.WATCHING]  # others may ask meanwhile

    def has_seat(self, address: str, known: bool) -> bool:
        """Whether there is a seat for another, be it another's now."""
        taken = self.watching
        if len(taken) < self.most_streams:
            return True
        strangers = Counter(guest.address for guest in taken if not guest.known)
        most = max(strangers.values(), default=0)
        return most > 0 and (known or most > strangers[address] + 1)

    def watch(self, guest: Guest) -> bool:
        """It is sent an answer without end from now on, if there is a seat."""
        if not self.has_seat(guest.address, guest.known):
            return False
        taken = self.watching
        if len(taken) >= self.most_streams and (leaving := self._of_greediest(one for one in taken if not one.known)):
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
