"""Who is signed in at this desk: by a PIN or password that says which person it is."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

from companion.errors import BadInput
from companion.hall.desk import Desk
from web.crowd import Rank
from web.people import IDLE, MOST_PEOPLE, Door, Tries


@dataclass
class Session:
    """One browser of a person of the desk."""

    person: int
    seen: float
    rank: ClassVar = Rank.REFEREE  # nobody of the desk is served before another


class People:
    """Nothing of it outlives the process; whoever is taken off the desk is out at once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tries = Tries()
        self._guard = threading.Lock()
        self._sessions: dict[bytes, Session] = {}  # by the hash of the word that the browser holds

    def enter_by_pin(self, pin: str, address: str) -> str:
        """The word that the browser is to keep. BadInput if it is nobody's PIN, or if too many were tried."""
        with self._guard:
            if (wait := self._tries.wait(Door.OUTSIDE, address)) > 0:
                raise BadInput("", "pin-locked", seconds=max(1, round(wait)))
            found = self._desk.person_of(pin)
            if found is None:
                self._tries.was_wrong(Door.OUTSIDE, address)
                raise BadInput("", "wrong-pin", left=self._tries.left(Door.OUTSIDE, address))
            self._tries.was_right(Door.OUTSIDE, address)
            word, now = secrets.token_urlsafe(32), time.monotonic()
            if len(self._sessions) >= MOST_PEOPLE:
                del self._sessions[min(self._sessions, key=lambda key: self._sessions[key].seen)]
            self._sessions[_hash(word)] = Session(found.id, now)
            return word

    def find(self, word: str) -> Session | None:
        with self._guard:
            found, now = self._sessions.get(_hash(word)), time.monotonic()
            if found is None or now - found.seen > IDLE:
                return None
            found.seen = now
            return found

    def rank(self, word: str) -> Rank:
        """Whom to serve first, by the word that his browser holds."""
        found = self._sessions.get(_hash(word)) if word else None
        return found.rank if found else Rank.STRANGER

    def sign_out(self, word: str) -> None:
        with self._guard:
            self._sessions.pop(_hash(word), None)


def _hash(word: str) -> bytes:
    return sha256(word.encode("utf-8", "replace")).digest()
