"""Games of the log: the list, each with its moves, its record, and the pictures that were kept."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, cast

from flask import Response

from companion.events import Ply
from companion.messages import name_of
from companion.record import read_record, replay
from companion.rights import Action, claim, may
from companion.summaries import ending, players
from companion.table.state import TableState
from web import answers
from web.access import host, language, table_state
from web.safety import Refused, who


def games() -> list[answers.KeptGame]:
    """The newest first."""
    store, tongue = host().store, language()
    return [
        {
            "id": summary.id,
            "game": summary.game,
            "name": name_of(summary.game, tongue),
            "began": summary.began,
            "last": summary.last,
            "moves": summary.moves,
            "result": _result(summary.result, tongue),
            "about": summary.about,
            "players": players(summary.about, partial(store.record, summary.id)),
        }
        for summary in reversed(store.games())
    ]


def one_game(number: int) -> answers.Game:
    tongue = language()
    kept = host().store.game(number)
    record = without_secrets(number, kept.record)
    return {
        "id": number,
        "game": record["game"],
        "name": name_of(record["game"], tongue),
        "players": players(record.get("about"), lambda: record),
        "record": cast(answers.Record, record),
        "result": _result(kept.ended, tongue),
        "began": kept.began,
        "last": kept.last,
        "plies": [_ply(n, ply) for n, ply in enumerate(kept.plies(), 1)],
    }


def without_secrets(number: int, record: dict[str, Any]) -> dict[str, Any]:
    """A record as who asks may see it: of a game that is being played without what nobody knows yet."""
    now = table_state()
    is_played = number == now.number and not now.outcome
    secrets = now.game.secrets(record) if is_played and now.game else None
    if not secrets or may(who(), claim(Action.SEE_SECRETS), host().situation()):
        return record
    return {**record, "setup": {name: value for name, value in record["setup"].items() if name not in secrets}}


def _result(ended: dict[str, Any] | None, tongue: str) -> answers.Result | None:
    return cast(answers.Result, {**ended, "text": ending(ended, tongue)}) if ended else None


def _ply(number: int, ply: Ply) -> answers.KeptPly:
    url = None if ply.picture is None else f"/api/pictures/{ply.picture}.jpg"
    return {"ply": number, "move": ply.entry, "time": ply.at, "by": ply.by, "picture": url}


def record(number: int) -> Response:
    found = host().store.record(number)
    if without_secrets(number, found) is not found:
        raise Refused(403, "secret-running")
    answer = Response(json.dumps(found, indent=1) + "\n", mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{found["game"]}-{number}.json"'
    return answer


def kept_picture(number: int) -> Response:
    found = host().store.picture(number)
    if found is None:
        raise Refused(404, "no-picture")
    answer = Response(found, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return answer


def past(number: int) -> TableState:
    """A game of the log as it stood at its end."""
    found = host().store.record(number)
    read = read_record(json.dumps(found))
    played = replay(read)
    return TableState(0, 0, number, read.game, found, tuple(played.positions), played.outcome)
