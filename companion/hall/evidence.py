"""What a verdict rests on, and whether anything was changed since it was reported."""

from __future__ import annotations

import json
from typing import NamedTuple

from companion.errors import BadInput
from companion.events import Event, EventKind
from companion.hall import deeds
from companion.hall.database import Database, Row
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


def verify(database: Database) -> Verified:
    """Go through all logs from their first event on, and through the desk's."""
    findings: list[Finding] = []
    with database.transaction() as asked:
        logs = asked.ask("SELECT log, have, seal, broken FROM logs ORDER BY began")
        refused = asked.ask("SELECT log, number FROM refusals ORDER BY at")
    events = 0
    for log, have, seal, _ in logs:
        count, broken = _first_broken(database, log, have, seal)
        events += count
        if broken is not None:
            findings.append(Finding(log, broken, "chain.broken"))
    findings += [Finding(log, number, "hall.refused") for log, number in refused]
    done = deeds.read(database)
    if (odd := deeds.first_broken(done)) is not None:
        findings.append(Finding("", odd, "hall.deeds-broken"))
    return Verified(len(logs), events, len(done), findings)


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
