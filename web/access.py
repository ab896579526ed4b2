"""What a request has at hand: the table's host, the reader's language, and answers that are alike for many."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

from flask import Response, current_app, request

from companion.messages import LANGUAGES
from companion.table.host import Host
from companion.table.state import TableState
from web.broadcast import Broadcast, Connection, Leave
from web.pictures import Pictures
from web.safety import Refused, role

KEPT = 64  # answers
MOST_STREAMS = 500  # at once
STREAM = "companion.stream"  # in the WSGI environment: a list, for what sends an answer without end


def host() -> Host:
    return cast(Host, current_app.extensions["host"])


def table_state() -> TableState:
    """The table as it stands."""
    return host().state


def broadcast() -> Broadcast:
    return cast(Broadcast, current_app.extensions["broadcast"])


def pictures() -> Pictures:
    return cast(Pictures, current_app.extensions["pictures"])


def language() -> str:
    """As the address says, else as this browser was told, else what it prefers."""
    for wanted in (request.args.get("lang"), request.cookies.get("lang")):
        if wanted in LANGUAGES:
            return wanted
    preferred = (wanted.partition("-")[0].lower() for wanted, _ in request.accept_languages)
    return next((wanted for wanted in preferred if wanted in LANGUAGES), usual_language())


def usual_language() -> str:
    """Of those whose browser prefers none that we speak."""
    found: str | None = current_app.extensions["language"]()
    return found or "en"


def state() -> Response:
    """The table as it stands, for who asks."""
    return Response(broadcast().json(table_state(), language(), role()), mimetype="application/json")


class AnswerCache:
    """Answers that are alike for all who ask the same of the same state."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._kept: dict[object, str] = {}

    def get(self, key: object, make: Callable[[], str]) -> str:
        with self._guard:
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = make()
                if len(self._kept) > KEPT:
                    del self._kept[next(iter(self._kept))]
            return found


def cached(make: Callable[[], str], mimetype: str) -> Response:
    """An answer that depends on the table's state, the address and the language alone."""
    cache = cast(AnswerCache, current_app.extensions["cache"])
    return Response(cache.get((table_state().changes, request.full_path, language()), make), mimetype=mimetype)


Streams = set[Connection]  # over which answers without end are being sent
Follow = Callable[[Connection], Leave]  # begins to send, in the server's event loop


def stream(follow: Follow, content_type: str) -> Response:
    """An answer without end. Our server has it sent by `follow`; one that does not know how sends nothing."""
    most = current_app.extensions.get("most_streams", MOST_STREAMS)
    if len(cast(Streams, current_app.extensions["streams"])) >= most:
        raise Refused(429, "too-many-viewers", seconds=10)
    request.environ.get(STREAM, []).append(follow)
    return Response(content_type=content_type, headers={"X-Accel-Buffering": "no"})
