"""What a request has at hand in a hall: its desk, who asks, and whether he may."""

from __future__ import annotations

import threading
import time
from enum import StrEnum
from typing import cast

from flask import current_app, request, session

from companion.hall.desk import Desk
from companion.hall.keys import read_key
from companion.hall.state import Person, Place, Role
from web.hall.broadcast import Broadcast
from web.safety import LOCKED, MOST_ADDRESSES, TRIES, Refused


class Door(StrEnum):
    """Who may come in: persons by their role, and tables by their key."""

    VIEWER = Role.VIEWER
    REFEREE = Role.REFEREE
    ARBITER = Role.ARBITER
    TABLE = "table"


def desk() -> Desk:
    return cast(Desk, current_app.extensions["desk"])


def broadcast() -> Broadcast:
    return cast(Broadcast, current_app.extensions["broadcast"])


def person() -> Person | None:
    """Who asks, if he is of the desk; whoever was taken off it is nobody from that moment on."""
    found = session.get("person")
    return desk().state.persons.get(found) if isinstance(found, int) else None


def role() -> Role:
    found = person()
    return found.role if found else Role.VIEWER


def who() -> str:
    found = person()
    return found.name if found else ""


def must(door: Door) -> None:
    if door is Door.TABLE:
        place()
    elif not role().may(Role(door)):
        raise Refused(401, "needs-pin") if role() is Role.VIEWER else Refused(403, "hall-needs-arbiter")


def place() -> Place:
    """The table that asks, by its key."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    key = read_key(given) if scheme == "Bearer" else None
    found = desk().place_of(key) if key else None
    if found is None:
        raise Refused(401, "hall-wrong-key")
    return found


class Tries:
    """Five wrong PINs lock an address for a minute."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._wrong: dict[str, tuple[int, float]] = {}

    def person(self, pin: str, address: str) -> Person:
        with self._guard:
            now = time.monotonic()
            tries, last = self._wrong.pop(address, (0, now))
            tries = 0 if now - last >= LOCKED else tries
            if tries >= TRIES:
                self._wrong[address] = tries, last
                raise Refused(429, "pin-locked", seconds=round(LOCKED - (now - last)) or 1)
            if found := desk().person_of(pin):
                return found
            self._wrong[address] = tries + 1, now
            if len(self._wrong) > MOST_ADDRESSES:
                del self._wrong[next(iter(self._wrong))]
            raise Refused(401, "wrong-pin", left=TRIES - tries - 1)
