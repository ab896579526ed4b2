"""The endpoints for tables: they send reports and pictures, and get the hall's commands."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any, NamedTuple

from flask import Response

from companion.hall import reports
from companion.store import Sealed
from web.access import stream
from web.hall import answers
from web.hall.access import broadcast, desk, place
from web.safety import Refused
from web.schema import About, Between, CheckedBy, MaxLength

MAX_REPORT = 8 << 20  # bytes
SEAL = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
EVENTS = {
    "type": "array",
    "maxItems": reports.MAX_BATCH,
    "items": {"type": "array", "description": "number, game, at, kind, data as it was sealed, seal"},
}


def _sealed(value: Any) -> list[Sealed]:
    if not isinstance(value, list) or len(value) > reports.MAX_BATCH:
        raise Refused(422, "hall-odd-report")
    for one in value:
        if not isinstance(one, list) or len(one) != len(Sealed._fields):
            raise Refused(422, "hall-odd-report")
    return [Sealed(*one) for one in value]


def _seal(value: Any) -> str:
    if not reports.is_seal(value):
        raise Refused(422, "hall-odd-report")
    return str(value)


Seal = Annotated[str, CheckedBy(_seal, SEAL)]


class Report(NamedTuple):
    events: Annotated[list[Sealed], CheckedBy(_sealed, EVENTS)]
    done: Annotated[int, Between(0, 1 << 40)]
    log: Seal = ""
    head: Annotated[str, MaxLength(400), About("what the table has signed of its log since it reported last")] = ""


class PictureQuery(NamedTuple):
    log: Annotated[str, MaxLength(64)] = ""
    number: Annotated[int, Between(0, 999_999_999)] = 0


def report(body: Report) -> answers.Reported:
    """Receive new events of the table's log. They are committed before the response."""
    hall_desk, table = desk(), place()
    have = reports.Acknowledged(0)
    wanted: list[int] = []
    if body.log:
        have = reports.receive(hall_desk.database, table.id, body.log, body.events)
        wanted = reports.requested_pictures(hall_desk.database, body.log)
        if body.head:
            reports.store_head(hall_desk.database, table.id, body.log, body.head)
        if body.events:
            hall_desk.database.notify()
    broadcast().record_heartbeat(table.id)
    return {
        "have": have.number,
        "refused": have.broken,
        "wanted": wanted,
        "commands": [
            {"number": one.number, "who": one.who, "kind": one.kind, "data": json.loads(one.data)}
            for one in reports.commands(hall_desk.database, table.id, body.done)
        ],
    }


def picture(query: PictureQuery, body: bytes) -> answers.Done:
    """Receive a requested picture. An empty body: the table does not have it any more."""
    jpeg = body if body.startswith(b"\xff\xd8") else None
    reports.store_picture(desk().database, place().id, query.log, query.number, jpeg)
    return {"id": query.number}


def wake() -> Response:
    """A stream of wake-ups for a table."""
    table = place()
    broadcast().record_heartbeat(table.id)
    follow = partial(broadcast().follow_table, place=table.id)
    return stream(follow, "text/event-stream; charset=utf-8")
