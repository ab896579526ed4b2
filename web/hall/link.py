"""The door for tables: they report here by their keys, and are told what is wanted of them."""

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
from web.schema import About, Between, CheckedBy, Longest

MOST_REPORT = 8 << 20  # bytes
SEAL = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
EVENTS = {
    "type": "array",
    "maxItems": reports.MOST,
    "items": {"type": "array", "description": "number, game, at, kind, data as it was sealed, seal"},
}


def _sealed(value: Any) -> list[Sealed]:
    if not isinstance(value, list) or len(value) > reports.MOST:
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
    head: Annotated[str, Longest(400), About("what the table has signed of its log since it reported last")] = ""


class PictureQuery(NamedTuple):
    log: Annotated[str, Longest(64)] = ""
    number: Annotated[int, Between(0, 999_999_999)] = 0


def report(body: Report) -> answers.Reported:
    """What is new of the table's log; answered when it is kept for good."""
    mine, there = desk(), place()
    have = reports.Have(0)
    wanted: list[int] = []
    if body.log:
        have = reports.take(mine.database, there.id, body.log, body.events)
        wanted = reports.wanted_pictures(mine.database, body.log)
        if body.head:
            reports.take_head(mine.database, there.id, body.log, body.head)
        if body.events:
            mine.database.wake()
    broadcast().hear(there.id)
    return {
        "have": have.number,
        "refused": have.broken,
        "wanted": wanted,
        "commands": [
            {"number": one.number, "who": one.who, "kind": one.kind, "data": json.loads(one.data)}
            for one in reports.commands(mine.database, there.id, body.done)
        ],
    }


def picture(query: PictureQuery, body: bytes) -> answers.Done:
    """A picture that was asked for, or an empty body if the table has it no more."""
    jpeg = body if body.startswith(b"\xff\xd8") else None
    reports.take_picture(desk().database, place().id, query.log, query.number, jpeg)
    return {"id": query.number}


def wake() -> Response:
    """A table waits here for being woken."""
    there = place()
    broadcast().hear(there.id)
    follow = partial(broadcast().follow_table, place=there.id)
    return stream(follow, "text/event-stream; charset=utf-8")
