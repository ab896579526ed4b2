"""The desk's log: every decision of a person in the hall, with name and time, numbered without gaps and hash-chained.

Entries are never changed; a mistake is corrected by a later entry. Several desks may append to one log: the one that
loses the race gets a `Conflict`, reads what the other has appended, and tries again. The log is the table `deeds`.
"""

from __future__ import annotations

import json
import time
from hashlib import sha256
from typing import Any, NamedTuple

from companion.hall.database import Database, Transaction

GENESIS = sha256(b"board-companion deeds 1").hexdigest()


class LogEntry(NamedTuple):
    number: int
    at: float
    who: str
    kind: str
    text: str  # the data as JSON, as it was hashed
    hash: str

    @property
    def data(self) -> dict[str, Any]:
        parsed: dict[str, Any] = json.loads(self.text)
        return parsed


def next_entry(before: LogEntry | None, who: str, kind: str, data: dict[str, Any]) -> LogEntry:
    number, at = before.number + 1 if before else 1, round(time.time(), 3)
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return LogEntry(
        number, at, who, kind, text, seal_of(number, before.hash if before else GENESIS, at, who, kind, text)
    )


def seal_of(number: int, before: str, at: float, who: str, kind: str, text: str) -> str:
    return sha256(json.dumps([number, before, at, who, kind, text], separators=(",", ":")).encode()).hexdigest()


def append(transaction: Transaction, entry: LogEntry) -> None:
    """Raises `Conflict` if another desk has appended an entry with this number."""
    transaction.execute("INSERT INTO deeds VALUES (:number, :at, :who, :kind, :text, :hash)", **entry._asdict())


def read(database: Database, after: int = 0) -> list[LogEntry]:
    query = "SELECT number, at, who, kind, data, hash FROM deeds WHERE number > :after ORDER BY number"
    with database.transaction() as transaction:
        return [LogEntry(*row) for row in transaction.execute(query, after=after)]


def first_broken(entries: list[LogEntry]) -> int | None:
    """The number of the first entry that is missing, or whose hash does not follow from the one before."""
    before = GENESIS
    for expected, entry in enumerate(entries, 1):
        if entry.number != expected or entry.hash != seal_of(entry.number, before, *entry[1:5]):
            return expected
        before = entry.hash
    return None
