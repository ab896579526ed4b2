"""Sessions: people sign in by a PIN, by an invitation, or as the user of this machine.

Sessions live only in memory and use only the monotonic clock. A restart, a new PIN, signing out and the referee each
end a session at once; setting back the clock ends none. A browser holds only a long random token.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from itertools import count

from companion.errors import BadInput
from companion.games.position import Seat
from companion.rights import Role, Who
from web.clients import Priority

DIGITS = 8  # of a PIN: with one attempt in half a minute guessing takes centuries
IDLE_TIMEOUT = 12 * 3600.0  # seconds without a request after which a session ends
MAX_SESSIONS, MAX_INVITATIONS = 500, 100
MAX_ADDRESSES = 10_000  # whose failed attempts are remembered
RESET_AFTER = 3600.0  # seconds without a failure after which an address starts from zero


class LoginSource(StrEnum):
    """Where an attempt to sign in comes from. Failures from one source do not throttle the others."""

    REMOTE = "remote"
    SIGNED_IN = "signed-in"  # from a browser that is signed in already
    LOCAL_USER = "local-user"  # from this machine


@dataclass
class Failures:
    """A number of failed attempts, and the time of the last one."""

    count: int = 0
    at: float = 0.0

    def wait(self, now: float, free: int, first: float, longest: float) -> float:
        """Seconds until the next attempt is allowed: exponential backoff after `free` attempts."""
        if self.count < free:
            return 0.0
        return max(0.0, self.at + min(first * 2.0 ** min(self.count - free, 30), longest) - now)


class LoginThrottle:
    """Exponential backoff for wrong PINs: for each address, and for all together, so that changing the address does
    not help."""

    FREE, FIRST, LONGEST = 5, 10.0, 600.0  # for one address: free attempts, first and longest wait in seconds
    ALL_FREE, ALL_FIRST, ALL_LONGEST = 20, 0.5, 30.0  # for all addresses together
    RECOVERY = 60.0  # seconds after which one failure of all together is forgotten

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._addresses: dict[tuple[LoginSource, str], Failures] = {}
        self._all = {source: Failures() for source in LoginSource}

    def wait(self, source: LoginSource, address: str) -> float:
        """Seconds until the next attempt from there is allowed."""
        now = self._clock()
        one, all_of = self._of(source, address, now), self._recovered(source, now)
        own = one.wait(now, self.FREE, self.FIRST, self.LONGEST)
        return max(own, all_of.wait(now, self.ALL_FREE, self.ALL_FIRST, self.ALL_LONGEST))

    def left(self, source: LoginSource, address: str) -> int:
        return max(0, self.FREE - self._of(source, address, self._clock()).count)

    def record_failure(self, source: LoginSource, address: str) -> None:
        now = self._clock()
        one, all_of = self._of(source, address, now), self._recovered(source, now)
        self._addresses.pop((source, _network(address)), None)
        self._addresses[source, _network(address)] = Failures(one.count + 1, now)
        if len(self._addresses) > MAX_ADDRESSES:
            del self._addresses[next(iter(self._addresses))]
        self._all[source] = Failures(all_of.count + 1, now)

    def reset(self, source: LoginSource, address: str) -> None:
        self._addresses.pop((source, _network(address)), None)

    def _of(self, source: LoginSource, address: str, now: float) -> Failures:
        found = self._addresses.get((source, _network(address)), Failures())
        return found if now - found.at < RESET_AFTER else Failures()

    def _recovered(self, source: LoginSource, now: float) -> Failures:
        found = self._all[source]
        return Failures(max(0, found.count - int((now - found.at) / self.RECOVERY)), found.at)


def _network(address: str) -> str:
    """The address; for IPv6 its /64 network, of which one person has all addresses."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else address


@dataclass
class Person:
    """A session: somebody who is signed in with one browser."""

    number: int
    who: Who
    address: str
    agent: str
    since: float  # wall-clock time, for display
    seen: float  # time.monotonic() of his last request
    pin: str = ""  # by which he signed in
    game: int | None = None  # the game for which he took his seats; in the next one they are free

    @property
    def priority(self) -> Priority:
        return Priority.REFEREE if self.who.role is Role.REFEREE else Priority.SIGNED_IN


@dataclass
class Invitation:
    who: Who
    uses: int
    until: float  # time.monotonic()


@dataclass
class People:
    player: str = ""
    referee: str = ""
    clock: Callable[[], float] = time.monotonic
    game: Callable[[], int | None] = lambda: None  # the number of the game in play
    on_pins: Callable[[People], None] = lambda people: None  # called after a PIN was changed
    throttle: LoginThrottle = field(init=False)

    def __post_init__(self) -> None:
        self.throttle = LoginThrottle(self.clock)
        self._lock = threading.Lock()
        self._people: dict[bytes, Person] = {}  # by the hash of the browser's token
        self._invitations: dict[bytes, Invitation] = {}
        self._numbers = count(1)
        self.player = self.player or _pin()
        self.referee = self.referee or _pin(self.player)

    # --- signing in; each returns the browser's new token

    def sign_in_by_pin(self, pin: str, source: LoginSource, address: str, agent: str = "") -> str:
        """BadInput if the PIN is wrong, or after too many wrong ones."""
        given = "".join(pin.split()).encode("utf-8", "replace")
        with self._lock:
            if (wait := self.throttle.wait(source, address)) > 0:
                raise BadInput("", "pin-locked", seconds=max(1, round(wait)))
            for role, right in ((Role.REFEREE, self.referee), (Role.PLAYER, self.player)):
                if hmac.compare_digest(given, right.encode()):
                    self.throttle.reset(source, address)
                    return self._start_session(Who(role), address, agent, right)
            self.throttle.record_failure(source, address)
            raise BadInput("", "wrong-pin", left=self.throttle.left(source, address))

    def sign_in_by_invitation(self, token: str, address: str, agent: str = "") -> str:
        """An invitation is too long to be guessed, so attempts are not throttled."""
        with self._lock:
            found = self._invitations.get(_hash(token))
            if found is None or found.until < self.clock():
                raise BadInput("", "no-invitation")
            found.uses -= 1
            if found.uses <= 0:
                del self._invitations[_hash(token)]
            seats = found.who.seats - self._taken()
            return self._start_session(found.who._replace(seats=seats), address, agent)

    def sign_in_local_user(self, address: str, agent: str = "") -> str:
        """The user of this machine controls the companion anyway, so he needs no PIN."""
        with self._lock:
            return self._start_session(Who(Role.REFEREE), address, agent)

    def _start_session(self, who: Who, address: str, agent: str, pin: str = "") -> str:
        token, now = secrets.token_urlsafe(32), self.clock()
        for old in [key for key, person in self._people.items() if now - person.seen > IDLE_TIMEOUT]:
            del self._people[old]
        if len(self._people) >= MAX_SESSIONS:
            del self._people[self._session_to_replace(who.role)]
        self._people[_hash(token)] = Person(
            next(self._numbers), who, address, agent[:200], round(time.time(), 3), now, pin, self.game()
        )
        return token

    def _session_to_replace(self, role: Role) -> bytes:
        """The session that ends for a new one of this role: none of a higher role, and first of the address with the
        most sessions, so that signing in over and over ends nobody else's."""
        candidates = {key: one for key, one in self._people.items() if role.may(one.who.role)} or self._people
        held = Counter(one.address for one in candidates.values())
        return min(
            candidates,
            key=lambda key: (-held[candidates[key].address], bool(candidates[key].who.seats), candidates[key].seen),
        )

    def invite(self, who: Who, uses: int, seconds: float) -> str:
        """Create an invitation and return its token."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._invitations[_hash(token)] = Invitation(who, uses, self.clock() + seconds)
            if len(self._invitations) > MAX_INVITATIONS:
                del self._invitations[next(iter(self._invitations))]
        return token

    # --- sessions

    def find(self, token: str) -> Person | None:
        """The session of a token, if it has not ended."""
        if not token:
            return None
        with self._lock:
            found, now = self._people.get(_hash(token)), self.clock()
            if found is None or now - found.seen > IDLE_TIMEOUT:
                return None
            found.seen = now
            return found

    def who(self, person: Person) -> Who:
        """The person's rights now: seats taken in an earlier game do not count."""
        return person.who if person.game == self.game() else person.who._replace(seats=frozenset())

    def priority(self, token: str) -> Priority:
        """The priority of a request, by its browser's token."""
        found = self._people.get(_hash(token)) if token else None
        return found.priority if found else Priority.STRANGER

    def all_people(self) -> list[Person]:
        with self._lock:
            return sorted(self._people.values(), key=lambda person: person.number)

    def taken(self) -> frozenset[Seat]:
        """The seats that somebody has."""
        with self._lock:
            return self._taken()

    def _taken(self) -> frozenset[Seat]:
        now = self.clock()
        candidates = [person for person in self._people.values() if now - person.seen <= IDLE_TIMEOUT]
        return frozenset(seat for person in candidates for seat in self.who(person).seats)

    def sit(self, person: Person, seats: frozenset[Seat]) -> None:
        """Give a person exactly these seats. BadInput if somebody else has one."""
        with self._lock:
            others = self._taken() - self.who(person).seats
            if lost := sorted(seats & others):
                raise BadInput("seats", "seat-taken", seat=lost[0])
            person.who, person.game = person.who._replace(seats=seats), self.game()

    # --- signing out

    def sign_out(self, token: str) -> None:
        with self._lock:
            self._people.pop(_hash(token), None)

    def remove(self, number: int) -> None:
        with self._lock:
            for key, person in self._people.items():
                if person.number == number:
                    del self._people[key]
                    return
        raise BadInput("number", "no-such-person")

    def change_pin(self, role: Role, but: Person | None = None) -> None:
        """Change a PIN. Sessions started with the old one end, except `but`, and so do invitations for this role."""
        with self._lock:
            old = self.referee if role is Role.REFEREE else self.player
            if role is Role.REFEREE:
                self.referee = _pin(self.player)
            else:
                self.player = _pin(self.referee)
            self._people = {key: one for key, one in self._people.items() if one.pin != old or one is but}
            self._invitations = {key: one for key, one in self._invitations.items() if one.who.role is not role}
        self.on_pins(self)


def _pin(other: str = "") -> str:
    """A random PIN that does not start with zero and differs from the other one."""
    while (pin := str(secrets.randbelow(9 * 10 ** (DIGITS - 1)) + 10 ** (DIGITS - 1))) == other:
        pass
    return pin


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()
