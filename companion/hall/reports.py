"""What tables report: batches of sealed events, each kept once and for good before it is acknowledged.

A table says whose log it is by the seal of its first event. The hall answers up to which number it has that log; the
table
goes on from there. What came already is dropped, what would leave a gap is left and asked for again, and an event whose
seal does not follow is refused, noted, and shown at the desk: from then on nothing of that log is taken.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.hall.database import Database, Taken, Transaction
from companion.sealing import Head, read_head
from companion.store import FAR, GENESIS, Sealed, picture_seal, seal_of

MOST = 500  # events in one batch
LONGEST = 200_000  # characters of one event's data
MOST_WANTED = 8  # pictures asked for at once


class Have(NamedTuple):
    """Up to which event the hall has a log, and from which on it was refused, if it was."""

    number: int
    broken: int | None = None


class Refusal(NamedTuple):
    log: str
    number: int
    place: int
    at: float
    why: str


def take(database: Database, place: int, log: str, events: Sequence[Sealed]) -> Have:
    """Keep what is new of a table's log. When this returns, it is on disk for good."""
    _check_form(log, events)
    for _ in range(3):
        with suppress(Taken):  # another of our own requests was faster: what it put there is looked at anew
            return _take(database, place, log, events)
    raise BadInput("", "hall-busy")


def _take(database: Database, place: int, log: str, events: Sequence[Sealed]) -> Have:
    now = time.time()
    with database.transaction() as asked:
        found = asked.ask_to_change("SELECT place, have, seal, broken FROM logs WHERE log = :log", log=log)
        if not found:
            if not events or events[0].number != 1:
                return Have(0)
            if events[0].hash != log:
                raise BadInput("log", "hall-not-its-log")
            asked.ask(
                "INSERT INTO logs VALUES (:log, :place, 0, :seal, :now, :now, NULL)",
                log=log, place=place, seal=GENESIS, now=now,
            )  # fmt: skip
            found = [(place, 0, GENESIS, None)]
        owner, have, seal, broken = found[0]
        if owner != place:
            raise BadInput("log", "hall-not-its-log")
        new: list[Sealed] = []
        known = _known(asked, log, [event for event in events if event.number <= have])
        for event in () if broken else events:
            if event.number <= have:
                if known.get(event.number) != event.hash:
                    broken = _refuse(asked, place, log, event, "otherwise", now)
                    break
            elif event.number > have + 1:
                break  # a gap: we say what we have
            elif event.hash != seal_of(event.number, seal, event.game, event.at, event.kind, event.text):
                broken = _refuse(asked, place, log, event, "seal", now)
                break
            else:
                new.append(event)
                have, seal = event.number, event.hash
        if new:
            asked.put(
                "INSERT INTO events VALUES (:log, :number, :game, :at, :kind, :text, :hash)",
                [{"log": log, **event._asdict()} for event in new],
            )
        if new or broken:
            asked.ask(
                "UPDATE logs SET have = :have, seal = :seal, last = :now, broken = :broken WHERE log = :log",
                have=have, seal=seal, now=now, broken=broken, log=log,
            )  # fmt: skip
    return Have(have, broken)


def _known(asked: Transaction, log: str, doubles: Sequence[Sealed]) -> dict[int, str]:
    if not doubles:
        return {}
    numbers = [event.number for event in doubles]
    query = "SELECT number, hash FROM events WHERE log = :log AND number BETWEEN :first AND :last"
    return dict(asked.ask(query, log=log, first=min(numbers), last=max(numbers)))


def _refuse(asked: Transaction, place: int, log: str, event: Sealed, why: str, now: float) -> int:
    asked.ask(
        "INSERT INTO refusals VALUES (:log, :number, :place, :now, :why, :hash) ON CONFLICT DO NOTHING",
        log=log, number=event.number, place=place, now=now, why=why, hash=event.hash,
    )  # fmt: skip
    return event.number


def _check_form(log: str, events: Sequence[Sealed]) -> None:
    if not is_seal(log):
        raise BadInput("log", "hall-odd-report")
    before = None
    for event in events:
        number, game, at, kind, text, seal = event
        whole = all(type(n) is int and 0 <= n < 1 << 53 for n in (number, game)) and number > 0
        timely = isinstance(at, float | int) and not isinstance(at, bool) and 0 <= at < FAR
        worded = isinstance(kind, str) and 0 < len(kind) <= 40 and isinstance(text, str) and len(text) <= LONGEST
        if not (whole and timely and worded and is_seal(seal) and "\0" not in kind + text):
            raise BadInput("events", "hall-odd-report")
        if before is not None and number != before + 1:
            raise BadInput("events", "hall-odd-report")
        before = number


def is_seal(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


def refusals(database: Database) -> list[Refusal]:
    with database.transaction() as asked:
        return [Refusal(*row) for row in asked.ask("SELECT log, number, place, at, why FROM refusals ORDER BY at")]


# --- signed heads


def take_head(database: Database, place: int, log: str, text: str) -> None:
    """Keep what a table has signed of its log, whatever becomes of the table; it comes after the events that it is of.
    BadInput if nobody signed it."""
    head = read_head(text)
    with database.transaction() as asked:
        found = asked.ask("SELECT place, have FROM logs WHERE log = :log", log=log)
        if not found or found[0][0] != place or head.number > found[0][1]:
            raise BadInput("log", "hall-not-its-log")
        asked.ask(
            "INSERT INTO heads VALUES (:log, :number, :head, :now) ON CONFLICT DO NOTHING",
            log=log, number=head.number, head=head.text(), now=time.time(),
        )  # fmt: skip


def heads(database: Database, log: str) -> list[Head]:
    """All that were signed of a log, the newest last."""
    query = "SELECT head FROM heads WHERE log = :log ORDER BY number, at"
    with database.transaction() as asked:
        found = asked.ask(query, log=log)
    return [read_head(text) for (text,) in found]


# --- pictures


def want_picture(database: Database, log: str, number: int) -> None:
    """Ask the table for the picture of an event, the next time that it reports."""
    with database.transaction() as asked:
        asked.ask("INSERT INTO wanted VALUES (:log, :number) ON CONFLICT DO NOTHING", log=log, number=number)


def wanted_pictures(database: Database, log: str) -> list[int]:
    query = "SELECT number FROM wanted WHERE log = :log ORDER BY number LIMIT :most"
    with database.transaction() as asked:
        return [number for (number,) in asked.ask(query, log=log, most=MOST_WANTED)]


def take_picture(database: Database, place: int, log: str, number: int, jpeg: bytes | None) -> None:
    """Keep the picture that was asked for, if it is the one that was sealed; None: the table has it no more."""
    with database.transaction() as asked:
        query = (
            "SELECT e.data, l.place FROM events e JOIN logs l ON l.log = e.log WHERE e.log = :log AND number = :number"
        )
        found = asked.ask(query, log=log, number=number)
        if not found or found[0][1] != place:
            raise BadInput("log", "hall-not-its-log")
        if jpeg is not None:
            if json.loads(found[0][0]).get("picture") != picture_seal(jpeg):
                raise BadInput("picture", "hall-other-picture")
            query = "INSERT INTO pictures VALUES (:log, :number, :jpeg) ON CONFLICT DO NOTHING"
            asked.ask(query, log=log, number=number, jpeg=jpeg)
        asked.ask("DELETE FROM wanted WHERE log = :log AND number = :number", log=log, number=number)


def picture(database: Database, log: str, number: int) -> bytes | None:
    with database.transaction() as asked:
        found = asked.ask("SELECT jpeg FROM pictures WHERE log = :log AND number = :number", log=log, number=number)
    return bytes(found[0][0]) if found else None


# --- commands


class Command(NamedTuple):
    """What the hall wants of a table, by a number of its own."""

    number: int
    who: str
    kind: str
    data: str


def command(database: Database, place: int, who: str, kind: str, data: str) -> int:
    """Put a command there for a table; its number."""
    while True:
        try:
            with database.transaction() as asked:
                found = asked.ask("SELECT max(number) FROM commands WHERE place = :place", place=place)
                number = (found[0][0] or 0) + 1
                asked.ask(
                    "INSERT INTO commands VALUES (:place, :number, :at, :who, :kind, :data)",
                    place=place, number=number, at=time.time(), who=who, kind=kind, data=data,
                )  # fmt: skip
            return int(number)
        except Taken:
            continue


def commands(database: Database, place: int, after: int) -> list[Command]:
    query = "SELECT number, who, kind, data FROM commands WHERE place = :place AND number > :after ORDER BY number"
    with database.transaction() as asked:
        return [Command(*row) for row in asked.ask(query, place=place, after=after)]


def commanded(database: Database, place: int, kind: str) -> list[dict[str, Any]]:
    """What a table was told of a kind, in order."""
    query = "SELECT data FROM commands WHERE place = :place AND kind = :kind ORDER BY number"
    with database.transaction() as asked:
        return [json.loads(data) for (data,) in asked.ask(query, place=place, kind=kind)]


def last_commanded(database: Database, kind: str) -> dict[int, dict[str, Any]]:
    """For each table what it was told of a kind last."""
    query = "SELECT place, data FROM commands WHERE kind = :kind ORDER BY number"
    with database.transaction() as asked:
        return {place: json.loads(data) for place, data in asked.ask(query, kind=kind)}


def newest_commands(database: Database) -> dict[int, int]:
    """For each table the number of its newest command."""
    with database.transaction() as asked:
        return dict(asked.ask("SELECT place, max(number) FROM commands GROUP BY place"))


# --- signs of life


def hear(database: Database, place: int, at: float) -> None:
    """A table gave a sign of life; all desks are to know."""
    query = "INSERT INTO heard VALUES (:place, :at) ON CONFLICT (place) DO UPDATE SET at = excluded.at"
    with database.transaction() as asked:
        asked.ask(query, place=place, at=at)


def heard(database: Database) -> dict[int, float]:
    with database.transaction() as asked:
        return dict(asked.ask("SELECT place, at FROM heard"))
