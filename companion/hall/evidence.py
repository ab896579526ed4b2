"""The evidence of a verdict, and the check that nothing in the hall's logs was changed since it was reported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from companion.errors import BadInput
from companion.events import Event, EventKind
from companion.hall import desk_log, reports
from companion.hall.database import Database, Row
from companion.sealing import Head, compare
from companion.store import GENESIS, seal_of

SELECT = "SELECT number, game, at, kind, data, hash FROM events WHERE log = :log"
BATCH = 5000


class Proof(NamedTuple):
    event: Event
    before: int | None  # the event whose picture shows the last position that was accepted
    after: int | None  # the event whose picture shows what the verdict is about
    seals: list[tuple[int, str]]  # the hashes of the event before it, of itself, and of the newest event
    sealed: bool  # the verdict's hash follows from the one before


class Finding(NamedTuple):
    log: str
    number: int
    code: str


class Verified(NamedTuple):
    logs: int
    events: int
    deeds: int
    heads: int  # signed heads that were compared
    findings: list[Finding]


def newest(database: Database, log: str, most: int) -> list[Event]:
    """The newest events without those of the clock, the newest first."""
    query = f"{SELECT} AND kind <> :clock ORDER BY number DESC LIMIT :most"
    with database.transaction() as transaction:
        return [_event(row) for row in transaction.execute(query, log=log, clock=EventKind.CLOCK, most=most)]


def verdict_proof(database: Database, log: str, number: int) -> Proof:
    with database.transaction() as transaction:
        rows = transaction.execute(
            f"{SELECT} AND number BETWEEN :first AND :last ORDER BY number", log=log, first=number - 1, last=number
        )
        if not rows or rows[-1][0] != number:
            raise BadInput("number", "hall-no-such", value=number)
        found = _event(rows[-1])
        earlier = transaction.execute(
            f"{SELECT} AND game = :game AND number < :number AND kind IN (:move, :stood) ORDER BY number DESC LIMIT 20",
            log=log,
            game=found.game,
            number=number,
            move=EventKind.MOVE,
            stood=EventKind.STOOD,
        )
        last = transaction.execute(f"{SELECT} ORDER BY number DESC LIMIT 1", log=log)[0]
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
    """Check the hash chains of all logs and of the desk's own, and compare them with the tables' signed heads.
    `kept`: heads from outside the database, as from a result slip; each must belong to one of these logs."""
    findings: list[Finding] = []
    with database.transaction() as transaction:
        logs = transaction.execute("SELECT log, have, seal, broken FROM logs ORDER BY began")
        refused = transaction.execute("SELECT log, number FROM refusals ORDER BY at")
    events, heads, given = 0, 0, set(kept)
    signers: dict[bytes, tuple[str, int]] = {}  # by a table's public key: its newest log, and how long it is
    for log, have, seal, _ in logs:
        count, broken = _check_chain(database, log, have, seal)
        events += count
        if broken is not None:
            findings.append(Finding(log, broken, "chain.broken"))
        signed = reports.heads(database, log)
        keys = frozenset(head.key for head in signed[:1])  # a table has one key
        signers |= dict.fromkeys(keys, (log, have))
        mine = {head for head in given if head.key in keys and _hash_of(database, log, head.number) == head.hash}
        given -= mine
        heads += len(mine.union(signed))
        findings += _compare_heads(database, log, have, signed, keys)
    for head in sorted(given):
        if head.key in signers:
            findings += _compare_heads(database, *signers[head.key], [head], frozenset((head.key,)))
        else:
            findings.append(Finding("", head.number, "hall.head.nobody"))
    findings += [Finding(log, number, "hall.refused") for log, number in refused]
    done = desk_log.read(database)
    if (odd := desk_log.first_broken(done)) is not None:
        findings.append(Finding("", odd, "hall.deeds-broken"))
    return Verified(len(logs), events, len(done), heads, findings)


def _compare_heads(
    database: Database, log: str, have: int, heads: Iterable[Head], keys: frozenset[bytes]
) -> Iterator[Finding]:
    """A finding for each signed head that the log contradicts."""
    for head, code, since in compare(heads, partial(_hash_of, database, log), have, keys):
        if code != "head.good":
            yield Finding(log, head.number if code == "head.truncated" else since, f"hall.{code}")


def _hash_of(database: Database, log: str, number: int) -> str | None:
    with database.transaction() as transaction:
        found = transaction.execute(
            "SELECT hash FROM events WHERE log = :log AND number = :number", log=log, number=number
        )
    return str(found[0][0]) if found else None


def _check_chain(database: Database, log: str, have: int, last: str) -> tuple[int, int | None]:
    """How many events form an intact chain from the first, and the number of the event that breaks it, if any."""
    before, count = GENESIS, 0
    while True:
        with database.transaction() as transaction:
            rows = transaction.execute(
                f"{SELECT} AND number > :after ORDER BY number LIMIT :most", log=log, after=count, most=BATCH
            )
        for row in rows:
            if row[0] != count + 1 or row[5] != seal_of(row[0], before, *row[1:5]):
                return count, count + 1
            before, count = row[5], row[0]
        if not rows:
            whole = count == have and before == last
            return count, None if whole else count + 1
