"""What a request has at hand in a hall: its desk, who asks, and whether he may."""

from __future__ import annotations

from enum import StrEnum
from typing import cast

from flask import current_app, request

from companion.hall.desk import Desk
from companion.hall.keys import read_key
from companion.hall.state import Person, Place, Role
from web import safety
from web.hall.broadcast import Broadcast
from web.hall.people import People, Session
from web.safety import Refused


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
    found = cast(Session | None, safety.person())
    return desk().state.persons.get(found.person) if found else None


def people() -> People:
    return cast(People, current_app.extensions["people"])


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
