"""The desk's log: whatever persons decide in the hall, numbered without gaps and sealed, with name and time.

Nothing in it is changed. What was wrong is put right by a later deed, so that no correction is silent. Several desks
may write into one log: whoever is second looks again at what the first has done, and only then decides.
"""

from __future__ import annotations

import json
import time
from hashlib import sha256
from typing import Any, NamedTuple

from companion.hall.database import Database, Transaction

GENESIS = sha256(b"board-companion deeds 1").hexdigest()


class Deed(NamedTuple):
    number: int
    at: float
    who: str
    kind: str
    text: str  # its data, as it is sealed
    hash: str

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found


def next_deed(before: Deed | None, who: str, kind: str, data: dict[str, Any]) -> Deed:
    number, at = before.number + 1 if before else 1, round(time.time(), 3)
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return Deed(number, at, who, kind, text, seal_of(number, before.hash if before else GENESIS, at, who, kind, text))


def seal_of(number: int, before: str, at: float, who: str, kind: str, text: str) -> str:
    return sha256(json.dumps([number, before, at, who, kind, text], separators=(",", ":")).encode()).hexdigest()


def write(asked: Transaction, deed: Deed) -> None:
    """`Taken` if another desk was faster."""
    asked.ask("INSERT INTO deeds VALUES (:number, :at, :who, :kind, :text, :hash)", **deed._asdict())


def read(database: Database, after: int = 0) -> list[Deed]:
    query = "SELECT number, at, who, kind, data, hash FROM deeds WHERE number > :after ORDER BY number"
    with database.transaction() as asked:
        return [Deed(*row) for row in asked.ask(query, after=after)]


def first_broken(found: list[Deed]) -> int | None:
    """The first deed whose seal does not follow, or that is missing."""
    before = GENESIS
    for expected, deed in enumerate(found, 1):
        if deed.number != expected or deed.hash != seal_of(deed.number, before, *deed[1:5]):
            return expected
        before = deed.hash
    return None
