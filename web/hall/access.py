"""What a request to the hall needs: the desk, who sent it, and whether he may do it."""

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


class Access(StrEnum):
    """Who may use an endpoint: persons by their role, or tables by their key."""

    VIEWER = Role.VIEWER
    REFEREE = Role.REFEREE
    ARBITER = Role.ARBITER
    TABLE = "table"


def desk() -> Desk:
    return cast(Desk, current_app.extensions["desk"])


def broadcast() -> Broadcast:
    return cast(Broadcast, current_app.extensions["broadcast"])


def person() -> Person | None:
    """The person of the desk who sent the request. None for everybody else, and at once for one who was removed."""
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


def require_access(access: Access) -> None:
    if access is Access.TABLE:
        place()
    elif not role().may(Role(access)):
        raise Refused(401, "needs-pin") if role() is Role.VIEWER else Refused(403, "hall-needs-arbiter")


def place() -> Place:
    """The table that sent the request, by its key."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    key = read_key(token) if scheme == "Bearer" else None
    found = desk().place_of(key) if key else None
    if found is None:
        raise Refused(401, "hall-wrong-key")
    return found
