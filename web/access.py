"""What a request has at hand: the table's host, the reader's language, and answers that are alike for many."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from flask import Response, current_app, request

from companion.messages import LANGUAGES
from companion.rights import Claim, must
from companion.table.host import Host
from companion.table.state import TableState
from web.broadcast import Broadcast, Connection, Leave
from web.crowd import Crowd, Rank
from web.pictures import Pictures
from web.safety import Refused, person, who

KEPT = 64  # answers
STREAM = "companion.stream"  # in the WSGI environment: a list, for what sends an answer without end


def host() -> Host:
    return cast(Host, current_app.extensions["host"])


def table_state() -> TableState:
    """The table as it stands."""
    return host().state


def do(wanted: Callable[[], Claim], command: Callable[[], object]) -> Response:
    """Have something done for who asks, if he may; the table as it then stands."""
    host().do_as(who(), wanted, command)
    return state()


def allow(wanted: Claim) -> None:
    """Refused if who asks may not do this as the table stands now."""
    must(who(), wanted, host().situation())


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
    return Response(broadcast().json(table_state(), language(), who().role), mimetype="application/json")


class AnswerCache:
    """Answers that are alike for all who ask the same of the same state: they wait for one another, and for nobody who
    asks something else."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._kept: dict[object, _Kept] = {}

    def get(self, key: object, make: Callable[[], str]) -> str:
        with self._guard:
            kept = self._kept.setdefault(key, _Kept())
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
        with kept.making:
            if kept.text is None:
                kept.text = make()
            return kept.text


@dataclass
class _Kept:
    making: threading.Lock = field(default_factory=threading.Lock)
    text: str | None = None


def cached(make: Callable[[], str], mimetype: str) -> Response:
    """An answer that depends on the table's state, the address and the language alone."""
    cache = cast(AnswerCache, current_app.extensions["cache"])
    return Response(cache.get((table_state().changes, request.full_path, language()), make), mimetype=mimetype)


Follow = Callable[[Connection], Leave]  # begins to send, in the server's event loop


def has_seat() -> bool:
    """Whether who asks can be sent an answer without end."""
    crowd = cast(Crowd | None, current_app.extensions.get("crowd"))
    found = person()
    return crowd is None or crowd.has_seat(request.remote_addr or "", found.rank if found else Rank.STRANGER)


def stream(follow: Follow, content_type: str) -> Response:
    """An answer without end. Our server has it sent by `follow`; one that does not know how sends nothing."""
    if not has_seat():
        raise Refused(429, "too-many-viewers", seconds=10)
    request.environ.get(STREAM, []).append(follow)
    return Response(content_type=content_type, headers={"X-Accel-Buffering": "no"})
