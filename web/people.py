"""Who is signed in: by a PIN, by an invitation, or because he sits at this machine.

Nothing of it outlives the process, and nothing of it asks the wall's clock: a restart, a new PIN, signing out and the
referee each end a session at once, and a clock that is set back ends none. A browser holds nothing but a long random
word; what that word is good for is known here alone.
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
from web.crowd import Rank

DIGITS = 8  # of a PIN: at one try in half a minute, centuries
IDLE = 12 * 3600.0  # seconds after which who did not ask for anything is forgotten
MOST_PEOPLE, MOST_INVITATIONS = 500, 100
MOST_ADDRESSES = 10_000  # whose wrong tries are remembered
FORGIVEN = 3600.0  # seconds without a wrong try after which an address begins anew


class Door(StrEnum):
    """Where somebody stands who tries a PIN. What happens at one door locks no other."""

    OUTSIDE = "outside"
    INSIDE = "inside"  # he is signed in already
    HERE = "here"  # he sits at this machine


@dataclass
class Wrong:
    """Wrong tries, and when the last of them was."""

    tries: int = 0
    at: float = 0.0

    def wait(self, now: float, free: int, first: float, longest: float) -> float:
        """Seconds until another try counts: none at first, then twice as many each time."""
        if self.tries < free:
            return 0.0
        return max(0.0, self.at + min(first * 2.0 ** min(self.tries - free, 30), longest) - now)


class Tries:
    """Limits on wrong PINs: for each address, and for all of them together, so that changing addresses is no use."""

    FREE, FIRST, LONGEST = 5, 10.0, 600.0  # of one address: tries, and seconds to wait after them
    ALL_FREE, ALL_FIRST, ALL_LONGEST = 20, 0.5, 30.0  # of all together
    RECOVERY = 60.0  # seconds in which one wrong try of all together is forgiven

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._addresses: dict[tuple[Door, str], Wrong] = {}
        self._all = {door: Wrong() for door in Door}

    def wait(self, door: Door, address: str) -> float:
        """Seconds for which nothing is tried from there."""
        now = self._clock()
        one, all_of = self._of(door, address, now), self._recovered(door, now)
        own = one.wait(now, self.FREE, self.FIRST, self.LONGEST)
        return max(own, all_of.wait(now, self.ALL_FREE, self.ALL_FIRST, self.ALL_LONGEST))

    def left(self, door: Door, address: str) -> int:
        return max(0, self.FREE - self._of(door, address, self._clock()).tries)

    def was_wrong(self, door: Door, address: str) -> None:
        now = self._clock()
        one, all_of = self._of(door, address, now), self._recovered(door, now)
        self._addresses.pop((door, _network(address)), None)
        self._addresses[door, _network(address)] = Wrong(one.tries + 1, now)
        if len(self._addresses) > MOST_ADDRESSES:
            del self._addresses[next(iter(self._addresses))]
        self._all[door] = Wrong(all_of.tries + 1, now)

    def was_right(self, door: Door, address: str) -> None:
        self._addresses.pop((door, _network(address)), None)

    def _of(self, door: Door, address: str, now: float) -> Wrong:
        found = self._addresses.get((door, _network(address)), Wrong())
        return found if now - found.at < FORGIVEN else Wrong()

    def _recovered(self, door: Door, now: float) -> Wrong:
        found = self._all[door]
        return Wrong(max(0, found.tries - int((now - found.at) / self.RECOVERY)), found.at)


def _network(address: str) -> str:
    """Addresses that one person can have as many of as he likes count as one."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else address


@dataclass
class Person:
    """Somebody who is signed in, with one browser."""

    number: int
    who: Who
    address: str
    agent: str
    since: float  # by the wall's clock, to be shown
    seen: float  # time.monotonic() when he last asked for something
    pin: str = ""  # by which he came in
    game: int | None = None  # during which he sat down: the next one finds the seats free

    @property
    def rank(self) -> Rank:
        return Rank.REFEREE if self.who.role is Role.REFEREE else Rank.SIGNED_IN


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
    on_pins: Callable[[People], None] = lambda people: None  # they were changed
    tries: Tries = field(init=False)

    def __post_init__(self) -> None:
        self.tries = Tries(self.clock)
        self._guard = threading.Lock()
        self._people: dict[bytes, Person] = {}  # by the hash of the word that the browser holds
        self._invitations: dict[bytes, Invitation] = {}
        self._numbers = count(1)
        self.player = self.player or _pin()
        self.referee = self.referee or _pin(self.player)

    # --- coming in; each gives the word that the browser is to keep

    def enter_by_pin(self, pin: str, door: Door, address: str, agent: str = "") -> str:
        """BadInput if it is nobody's PIN, or if too many were tried."""
        given = "".join(pin.split()).encode("utf-8", "replace")
        with self._guard:
            if (wait := self.tries.wait(door, address)) > 0:
                raise BadInput("", "pin-locked", seconds=max(1, round(wait)))
            for role, right in ((Role.REFEREE, self.referee), (Role.PLAYER, self.player)):
                if hmac.compare_digest(given, right.encode()):
                    self.tries.was_right(door, address)
                    return self._enter(Who(role), address, agent, right)
            self.tries.was_wrong(door, address)
            raise BadInput("", "wrong-pin", left=self.tries.left(door, address))

    def enter_by_invitation(self, word: str, address: str, agent: str = "") -> str:
        """An invitation is too long to be guessed: nobody has to wait because of others' tries."""
        with self._guard:
            found = self._invitations.get(_hash(word))
            if found is None or found.until < self.clock():
                raise BadInput("", "no-invitation")
            found.uses -= 1
            if found.uses <= 0:
                del self._invitations[_hash(word)]
            seats = found.who.seats - self._taken()
            return self._enter(found.who._replace(seats=seats), address, agent)

    def enter_here(self, address: str, agent: str = "") -> str:
        """Who sits at the machine that the companion runs on could do anything to it anyway."""
        with self._guard:
            return self._enter(Who(Role.REFEREE), address, agent)

    def _enter(self, who: Who, address: str, agent: str, pin: str = "") -> str:
        word, now = secrets.token_urlsafe(32), self.clock()
        for old in [key for key, person in self._people.items() if now - person.seen > IDLE]:
            del self._people[old]
        if len(self._people) >= MOST_PEOPLE:
            del self._people[self._least_needed(who.role)]
        self._people[_hash(word)] = Person(
            next(self._numbers), who, address, agent[:200], round(time.time(), 3), now, pin, self.game()
        )
        return word

    def _least_needed(self, coming: Role) -> bytes:
        """Who has to go for somebody who comes: nobody who may do more than he, and of the address with the most
        sessions first, so that signing in over and over shows nobody else out."""
        there = {key: one for key, one in self._people.items() if coming.may(one.who.role)} or self._people
        held = Counter(one.address for one in there.values())
        return min(there, key=lambda key: (-held[there[key].address], bool(there[key].who.seats), there[key].seen))

    def invite(self, who: Who, uses: int, seconds: float) -> str:
        """The word that lets somebody in."""
        word = secrets.token_urlsafe(24)
        with self._guard:
            self._invitations[_hash(word)] = Invitation(who, uses, self.clock() + seconds)
            if len(self._invitations) > MOST_INVITATIONS:
                del self._invitations[next(iter(self._invitations))]
        return word

    # --- who is in

    def find(self, word: str) -> Person | None:
        """Whose word it is, if he is still signed in."""
        if not word:
            return None
        with self._guard:
            found, now = self._people.get(_hash(word)), self.clock()
            if found is None or now - found.seen > IDLE:
                return None
            found.seen = now
            return found

    def who(self, person: Person) -> Who:
        """What he is now; the seats of a former game are not his."""
        return person.who if person.game == self.game() else person.who._replace(seats=frozenset())

    def rank(self, word: str) -> Rank:
        """Whom to serve first, by the word that his browser holds."""
        found = self._people.get(_hash(word)) if word else None
        return found.rank if found else Rank.STRANGER

    def listed(self) -> list[Person]:
        with self._guard:
            return sorted(self._people.values(), key=lambda person: person.number)

    def taken(self) -> frozenset[Seat]:
        """The seats at which somebody sits."""
        with self._guard:
            return self._taken()

    def _taken(self) -> frozenset[Seat]:
        now = self.clock()
        there = [person for person in self._people.values() if now - person.seen <= IDLE]
        return frozenset(seat for person in there for seat in self.who(person).seats)

    def sit(self, person: Person, seats: frozenset[Seat]) -> None:
        """He sits there, and nowhere else. BadInput if somebody else does."""
        with self._guard:
            others = self._taken() - self.who(person).seats
            if lost := sorted(seats & others):
                raise BadInput("seats", "seat-taken", seat=lost[0])
            person.who, person.game = person.who._replace(seats=seats), self.game()

    # --- going out

    def sign_out(self, word: str) -> None:
        with self._guard:
            self._people.pop(_hash(word), None)

    def show_out(self, number: int) -> None:
        with self._guard:
            for key, person in self._people.items():
                if person.number == number:
                    del self._people[key]
                    return
        raise BadInput("number", "no-such-person")

    def change_pin(self, role: Role, but: Person | None = None) -> None:
        """A new PIN; whoever came in by the old one is out, and so are invitations for this role."""
        with self._guard:
            old = self.referee if role is Role.REFEREE else self.player
            if role is Role.REFEREE:
                self.referee = _pin(self.player)
            else:
                self.player = _pin(self.referee)
            self._people = {key: one for key, one in self._people.items() if one.pin != old or one is but}
            self._invitations = {key: one for key, one in self._invitations.items() if one.who.role is not role}
        self.on_pins(self)


def _pin(other: str = "") -> str:
    """Of figures, all of which may be anything but the first zero; never the same as the other."""
    while (pin := str(secrets.randbelow(9 * 10 ** (DIGITS - 1)) + 10 ** (DIGITS - 1))) == other:
        pass
    return pin


def _hash(word: str) -> bytes:
    return sha256(word.encode("utf-8", "replace")).digest()
