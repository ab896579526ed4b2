"""Reports of the tables: batches of hash-chained events, each stored once and committed before it is acknowledged.

A log is identified by the hash of its first event. The hall acknowledges the number of the last event that it has, and
the table goes on from there. Duplicates are dropped, events after a gap are left to be sent again, and an event whose
hash does not follow is refused, recorded and shown at the desk: from then on no event of that log is accepted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.hall.database import Conflict, Database, Transaction
from companion.sealing import Head, read_head
from companion.store import FAR, GENESIS, Sealed, picture_seal, seal_of

MAX_BATCH = 500  # events in one batch
MAX_DATA = 200_000  # characters of one event's data
MAX_REQUESTED = 8  # pictures requested at once


class Acknowledged(NamedTuple):
    """The last event of a log that the hall has, and the first one that it refused, if any."""

    number: int
    broken: int | None = None


class Refusal(NamedTuple):
    log: str
    number: int
    place: int
    at: float
    why: str


def receive(database: Database, place: int, log: str, events: Sequence[Sealed]) -> Acknowledged:
    """Store the new events of a table's log. They are committed when this returns."""
    _validate(log, events)
    for _ in range(3):
        with suppress(Conflict):  # a parallel request stored the same events: check again which ones are new
            return _receive(database, place, log, events)
    raise BadInput("", "hall-busy")


def _receive(database: Database, place: int, log: str, events: Sequence[Sealed]) -> Acknowledged:
    now = time.time()
    with database.transaction() as transaction:
        found = transaction.execute_for_update("SELECT place, have, seal, broken FROM logs WHERE log = :log", log=log)
        if not found:
            if not events or events[0].number != 1:
                return Acknowledged(0)
            if events[0].hash != log:
                raise BadInput("log", "hall-not-its-log")
            transaction.execute(
                "INSERT INTO logs VALUES (:log, :place, 0, :seal, :now, :now, NULL)",
                log=log, place=place, seal=GENESIS, now=now,
            )  # fmt: skip
            found = [(place, 0, GENESIS, None)]
        owner, have, seal, broken = found[0]
        if owner != place:
            raise BadInput("log", "hall-not-its-log")
        new: list[Sealed] = []
        stored = _stored_hashes(transaction, log, [event for event in events if event.number <= have])
        for event in () if broken else events:
            if event.number <= have:
                if stored.get(event.number) != event.hash:
                    broken = _refuse(transaction, place, log, event, "otherwise", now)
                    break
            elif event.number > have + 1:
                break  # a gap: the answer says what is missing
            elif event.hash != seal_of(event.number, seal, event.game, event.at, event.kind, event.text):
                broken = _refuse(transaction, place, log, event, "seal", now)
                break
            else:
                new.append(event)
                have, seal = event.number, event.hash
        if new:
            transaction.execute_many(
                "INSERT INTO events VALUES (:log, :number, :game, :at, :kind, :text, :hash)",
                [{"log": log, **event._asdict()} for event in new],
            )
        if new or broken:
            transaction.execute(
                "UPDATE logs SET have = :have, seal = :seal, last = :now, broken = :broken WHERE log = :log",
                have=have, seal=seal, now=now, broken=broken, log=log,
            )  # fmt: skip
    return Acknowledged(have, broken)


def _stored_hashes(transaction: Transaction, log: str, duplicates: Sequence[Sealed]) -> dict[int, str]:
    if not duplicates:
        return {}
    numbers = [event.number for event in duplicates]
    query = "SELECT number, hash FROM events WHERE log = :log AND number BETWEEN :first AND :last"
    return dict(transaction.execute(query, log=log, first=min(numbers), last=max(numbers)))


def _refuse(transaction: Transaction, place: int, log: str, event: Sealed, why: str, now: float) -> int:
    transaction.execute(
        "INSERT INTO refusals VALUES (:log, :number, :place, :now, :why, :hash) ON CONFLICT DO NOTHING",
        log=log, number=event.number, place=place, now=now, why=why, hash=event.hash,
    )  # fmt: skip
    return event.number


def _validate(log: str, events: Sequence[Sealed]) -> None:
    if not is_seal(log):
        raise BadInput("log", "hall-odd-report")
    before = None
    for event in events:
        number, game, at, kind, text, seal = event
        whole = all(type(n) is int and 0 <= n < 1 << 53 for n in (number, game)) and number > 0
        timely = isinstance(at, float | int) and not isinstance(at, bool) and 0 <= at < FAR
        worded = isinstance(kind, str) and 0 < len(kind) <= 40 and isinstance(text, str) and len(text) <= MAX_DATA
        if not (whole and timely and worded and is_seal(seal) and "\0" not in kind + text):
            raise BadInput("events", "hall-odd-report")
        if before is not None and number != before + 1:
            raise BadInput("events", "hall-odd-report")
        before = number


def is_seal(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


def refusals(database: Database) -> list[Refusal]:
    with database.transaction() as transaction:
        return [
            Refusal(*row) for row in transaction.execute("SELECT log, number, place, at, why FROM refusals ORDER BY at")
        ]


# --- signed heads


def store_head(database: Database, place: int, log: str, text: str) -> None:
    """Store a signed head of a table's log. Its events must have been reported before. BadInput if the signature is
    not valid."""
    head = read_head(text)
    with database.transaction() as transaction:
        found = transaction.execute("SELECT place, have FROM logs WHERE log = :log", log=log)
        if not found or found[0][0] != place or head.number > found[0][1]:
            raise BadInput("log", "hall-not-its-log")
        transaction.execute(
            "INSERT INTO heads VALUES (:log, :number, :head, :now) ON CONFLICT DO NOTHING",
            log=log, number=head.number, head=head.text(), now=time.time(),
        )  # fmt: skip


def heads(database: Database, log: str) -> list[Head]:
    """All signed heads of a log, the newest last."""
    query = "SELECT head FROM heads WHERE log = :log ORDER BY number, at"
    with database.transaction() as transaction:
        found = transaction.execute(query, log=log)
    return [read_head(text) for (text,) in found]


# --- pictures


def request_picture(database: Database, log: str, number: int) -> None:
    """Request the picture of an event from the table: the answer to its next report asks for it."""
    with database.transaction() as transaction:
        transaction.execute("INSERT INTO wanted VALUES (:log, :number) ON CONFLICT DO NOTHING", log=log, number=number)


def requested_pictures(database: Database, log: str) -> list[int]:
    query = "SELECT number FROM wanted WHERE log = :log ORDER BY number LIMIT :most"
    with database.transaction() as transaction:
        return [number for (number,) in transaction.execute(query, log=log, most=MAX_REQUESTED)]


def store_picture(database: Database, place: int, log: str, number: int, jpeg: bytes | None) -> None:
    """Store a picture if its hash is the one in the event. None: the table does not have it any more."""
    with database.transaction() as transaction:
        query = (
            "SELECT e.data, l.place FROM events e JOIN logs l ON l.log = e.log WHERE e.log = :log AND number = :number"
        )
        found = transaction.execute(query, log=log, number=number)
        if not found or found[0][1] != place:
            raise BadInput("log", "hall-not-its-log")
        if jpeg is not None:
            if json.loads(found[0][0]).get("picture") != picture_seal(jpeg):
                raise BadInput("picture", "hall-other-picture")
            query = "INSERT INTO pictures VALUES (:log, :number, :jpeg) ON CONFLICT DO NOTHING"
            transaction.execute(query, log=log, number=number, jpeg=jpeg)
        transaction.execute("DELETE FROM wanted WHERE log = :log AND number = :number", log=log, number=number)


def picture(database: Database, log: str, number: int) -> bytes | None:
    with database.transaction() as transaction:
        found = transaction.execute(
            "SELECT jpeg FROM pictures WHERE log = :log AND number = :number", log=log, number=number
        )
    return bytes(found[0][0]) if found else None


# --- commands


class Command(NamedTuple):
    """A command to a table. Each table's commands are numbered from 1."""

    number: int
    who: str
    kind: str
    data: str


def command(database: Database, place: int, who: str, kind: str, data: str) -> int:
    """Queue a command for a table and return its number."""
    while True:
        try:
            with database.transaction() as transaction:
                found = transaction.execute("SELECT max(number) FROM commands WHERE place = :place", place=place)
                number = (found[0][0] or 0) + 1
                transaction.execute(
                    "INSERT INTO commands VALUES (:place, :number, :at, :who, :kind, :data)",
                    place=place, number=number, at=time.time(), who=who, kind=kind, data=data,
                )  # fmt: skip
            return int(number)
        except Conflict:
            continue


def commands(database: Database, place: int, after: int) -> list[Command]:
    query = "SELECT number, who, kind, data FROM commands WHERE place = :place AND number > :after ORDER BY number"
    with database.transaction() as transaction:
        return [Command(*row) for row in transaction.execute(query, place=place, after=after)]


def sent_commands(database: Database, place: int, kind: str) -> list[dict[str, Any]]:
    """The data of all commands of a kind that a table was sent, in order."""
    query = "SELECT data FROM commands WHERE place = :place AND kind = :kind ORDER BY number"
    with database.transaction() as transaction:
        return [json.loads(data) for (data,) in transaction.execute(query, place=place, kind=kind)]


def last_sent_commands(database: Database, kind: str) -> dict[int, dict[str, Any]]:
    """For each table the data of the last command of a kind."""
    query = "SELECT place, data FROM commands WHERE kind = :kind ORDER BY number"
    with database.transaction() as transaction:
        return {place: json.loads(data) for place, data in transaction.execute(query, kind=kind)}


def newest_commands(database: Database) -> dict[int, int]:
    """For each table the number of its newest command."""
    with database.transaction() as transaction:
        return dict(transaction.execute("SELECT place, max(number) FROM commands GROUP BY place"))


# --- heartbeats


def record_heartbeat(database: Database, place: int, at: float) -> None:
    """Store when a table was last heard of, for all desks."""
    query = "INSERT INTO heard VALUES (:place, :at) ON CONFLICT (place) DO UPDATE SET at = excluded.at"
    with database.transaction() as transaction:
        transaction.execute(query, place=place, at=at)


def last_heartbeats(database: Database) -> dict[int, float]:
    with database.transaction() as transaction:
        return dict(transaction.execute("SELECT place, at FROM heard"))
