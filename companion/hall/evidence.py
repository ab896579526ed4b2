"""What a verdict rests on, and whether anything was changed since it was reported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from companion.errors import BadInput
from companion.events import Event, EventKind
from companion.hall import deeds, reports
from companion.hall.database import Database, Row
from companion.sealing import Head, compare
from companion.store import GENESIS, seal_of

SELECT = "SELECT number, game, at, kind, data, hash FROM events WHERE log = :log"
BATCH = 5000


class Proof(NamedTuple):
    event: Event
    before: int | None  # the event whose picture shows the board as it last was right
    after: int | None
    seals: list[tuple[int, str]]  # of the event before it, its own, and the newest
    sealed: bool  # the seals follow on one another


class Finding(NamedTuple):
    log: str
    number: int
    code: str


class Verified(NamedTuple):
    logs: int
    events: int
    deeds: int
    heads: int  # that the tables signed, or that somebody else kept
    findings: list[Finding]


def newest(database: Database, log: str, most: int) -> list[Event]:
    """The newest first, but for those of the clock."""
    query = f"{SELECT} AND kind <> :clock ORDER BY number DESC LIMIT :most"
    with database.transaction() as asked:
        return [_event(row) for row in asked.ask(query, log=log, clock=EventKind.CLOCK, most=most)]


def of_verdict(database: Database, log: str, number: int) -> Proof:
    with database.transaction() as asked:
        rows = asked.ask(
            f"{SELECT} AND number BETWEEN :first AND :last ORDER BY number", log=log, first=number - 1, last=number
        )
        if not rows or rows[-1][0] != number:
            raise BadInput("number", "hall-no-such", value=number)
        found = _event(rows[-1])
        earlier = asked.ask(
            f"{SELECT} AND game = :game AND number < :number AND kind IN (:move, :stood) ORDER BY number DESC LIMIT 20",
            log=log,
            game=found.game,
            number=number,
            move=EventKind.MOVE,
            stood=EventKind.STOOD,
        )
        last = asked.ask(f"{SELECT} ORDER BY number DESC LIMIT 1", log=log)[0]
    before = next((row[0] for row in earlier if "picture" in _event(row).data), None)
    previous = rows[0][5] if len(rows) == 2 else GENESIS
    sealed = rows[-1][5] == seal_of(number, previous, *rows[-1][1:5])
    seals = [(row[0], row[5]) for row in (*rows, last)]
    return Proof(found, before, number if "picture" in found.data else None, seals, sealed)


def _event(row: Row) -> Event:
    number, game, at, kind, text, seal = row
    data = json.loads(text)
    return Event(number, game, at, kind, data if isinstance(data, dict) else {}, seal)


def verify(database: Database, kept: Iterable[Head] = ()) -> Verified:
    """Go through all logs from their first event on, and through the desk's; hold them against what the tables signed.
    `kept`: heads that somebody else kept, as on a result slip; each must be of one of these logs."""
    findings: list[Finding] = []
    with database.transaction() as asked:
        logs = asked.ask("SELECT log, have, seal, broken FROM logs ORDER BY began")
        refused = asked.ask("SELECT log, number FROM refusals ORDER BY at")
    events, heads, given = 0, 0, set(kept)
    signers: dict[bytes, tuple[str, int]] = {}  # the newest log of each table's key
    for log, have, seal, _ in logs:
        count, broken = _first_broken(database, log, have, seal)
        events += count
        if broken is not None:
            findings.append(Finding(log, broken, "chain.broken"))
        signed = reports.heads(database, log)
        keys = frozenset(head.key for head in signed[:1])  # a table has one key
        signers |= dict.fromkeys(keys, (log, have))
        mine = {head for head in given if head.key in keys and _seal(database, log, head.number) == head.hash}
        given -= mine
        heads += len(mine.union(signed))
        findings += _held_against(database, log, have, signed, keys)
    for head in sorted(given):
        if head.key in signers:
            findings += _held_against(database, *signers[head.key], [head], frozenset((head.key,)))
        else:
            findings.append(Finding("", head.number, "hall.head.nobody"))
    findings += [Finding(log, number, "hall.refused") for log, number in refused]
    done = deeds.read(database)
    if (odd := deeds.first_broken(done)) is not None:
        findings.append(Finding("", odd, "hall.deeds-broken"))
    return Verified(len(logs), events, len(done), heads, findings)


def _held_against(
    database: Database, log: str, have: int, heads: Iterable[Head], keys: frozenset[bytes]
) -> Iterator[Finding]:
    """What a log said when it was signed, and does not say any more."""
    for head, code, since in compare(heads, partial(_seal, database, log), have, keys):
        if code != "head.good":
            yield Finding(log, head.number if code == "head.truncated" else since, f"hall.{code}")


def _seal(database: Database, log: str, number: int) -> str | None:
    with database.transaction() as asked:
        found = asked.ask("SELECT hash FROM events WHERE log = :log AND number = :number", log=log, number=number)
    return str(found[0][0]) if found else None


def _first_broken(database: Database, log: str, have: int, last: str) -> tuple[int, int | None]:
    """How many events there are that follow on one another, and where they cease to."""
    before, count = GENESIS, 0
    while True:
        with database.transaction() as asked:
            rows = asked.ask(
                f"{SELECT} AND number > :after ORDER BY number LIMIT :most", log=log, after=count, most=BATCH
            )
        for row in rows:
            if row[0] != count + 1 or row[5] != seal_of(row[0], before, *row[1:5]):
                return count, count + 1
            before, count = row[5], row[0]
        if not rows:
            whole = count == have and before == last
            return count, None if whole else count + 1
