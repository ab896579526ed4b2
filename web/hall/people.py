"""The sessions at this desk. Each person has a PIN or password of his own."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

from companion.errors import BadInput
from companion.hall.desk import Desk
from web.clients import Priority
from web.people import IDLE_TIMEOUT, MAX_SESSIONS, LoginSource, LoginThrottle


@dataclass
class Session:
    """A browser in which a person of the desk is signed in."""

    person: int
    seen: float
    priority: ClassVar = Priority.REFEREE  # all persons of the desk have the same priority


class People:
    """The sessions live only in memory. A person who is removed from the desk is signed out at once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._throttle = LoginThrottle()
        self._lock = threading.Lock()
        self._sessions: dict[bytes, Session] = {}  # by the hash of the browser's token

    def sign_in_by_pin(self, pin: str, address: str) -> str:
        """Sign in and return the browser's token. BadInput if the PIN is wrong, or after too many wrong ones."""
        with self._lock:
            if (wait := self._throttle.wait(LoginSource.REMOTE, address)) > 0:
                raise BadInput("", "pin-locked", seconds=max(1, round(wait)))
            found = self._desk.person_of(pin)
            if found is None:
                self._throttle.record_failure(LoginSource.REMOTE, address)
                raise BadInput("", "wrong-pin", left=self._throttle.left(LoginSource.REMOTE, address))
            self._throttle.reset(LoginSource.REMOTE, address)
            token, now = secrets.token_urlsafe(32), time.monotonic()
            if len(self._sessions) >= MAX_SESSIONS:
                del self._sessions[min(self._sessions, key=lambda key: self._sessions[key].seen)]
            self._sessions[_hash(token)] = Session(found.id, now)
            return token

    def find(self, token: str) -> Session | None:
        with self._lock:
            found, now = self._sessions.get(_hash(token)), time.monotonic()
            if found is None or now - found.seen > IDLE_TIMEOUT:
                return None
            found.seen = now
            return found

    def priority(self, token: str) -> Priority:
        """The priority of a request, by its browser's token."""
        found = self._sessions.get(_hash(token)) if token else None
        return found.priority if found else Priority.STRANGER

    def sign_out(self, token: str) -> None:
        with self._lock:
            self._sessions.pop(_hash(token), None)


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()
