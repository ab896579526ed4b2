"""What views need in a request: the host, the language, rights, streams and cached responses."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from flask import Response, current_app, request

from companion.messages import LANGUAGES
from companion.rights import Claim, require
from companion.table.host import Host
from companion.table.state import TableState
from web.broadcast import Broadcast, Connection, Leave
from web.clients import Clients, Priority
from web.pictures import Pictures
from web.safety import Refused, person, who

MAX_CACHED = 64  # responses
STREAM = "companion.stream"  # key in the WSGI environment: a list to which a view appends the sender of a stream


def host() -> Host:
    return cast(Host, current_app.extensions["host"])


def table_state() -> TableState:
    """The table's current state."""
    return host().state


def execute(wanted: Callable[[], Claim], command: Callable[[], object]) -> Response:
    """Execute a command for the person who asks, if he has the right. Responds with the table's new state."""
    host().do_as(who(), wanted, command)
    return state()


def check_right(wanted: Claim) -> None:
    """BadInput if the person who asks does not have this right now."""
    require(who(), wanted, host().situation())


def broadcast() -> Broadcast:
    return cast(Broadcast, current_app.extensions["broadcast"])


def pictures() -> Pictures:
    return cast(Pictures, current_app.extensions["pictures"])


def language() -> str:
    """The language of the query, else of the cookie, else the browser's preference."""
    for wanted in (request.args.get("lang"), request.cookies.get("lang")):
        if wanted in LANGUAGES:
            return wanted
    preferred = (wanted.partition("-")[0].lower() for wanted, _ in request.accept_languages)
    return next((wanted for wanted in preferred if wanted in LANGUAGES), default_language())


def default_language() -> str:
    """The language for browsers that prefer none of ours."""
    setting: str | None = current_app.extensions["language"]()
    return setting or "en"


def state() -> Response:
    """The table's current state, for the person who asks."""
    return Response(broadcast().json(table_state(), language(), who().role), mimetype="application/json")


class ResponseCache:
    """Caches responses that are the same for everybody. Requests for the same key wait for one another, requests for
    other keys do not."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[object, _CacheEntry] = {}

    def get(self, key: object, make: Callable[[], str]) -> str:
        with self._lock:
            entry = self._entries.setdefault(key, _CacheEntry())
            if len(self._entries) > MAX_CACHED:
                del self._entries[next(iter(self._entries))]
        with entry.making:
            if entry.text is None:
                entry.text = make()
            return entry.text


@dataclass
class _CacheEntry:
    making: threading.Lock = field(default_factory=threading.Lock)
    text: str | None = None


def cached(make: Callable[[], str], mimetype: str) -> Response:
    """A response that depends only on the table's state, the URL and the language."""
    cache = cast(ResponseCache, current_app.extensions["cache"])
    return Response(cache.get((table_state().changes, request.full_path, language()), make), mimetype=mimetype)


Follow = Callable[[Connection], Leave]  # starts a stream in the server's event loop


def can_stream() -> bool:
    """Whether the person who asks can get a stream."""
    crowd = cast(Clients | None, current_app.extensions.get("clients"))
    found = person()
    return crowd is None or crowd.can_stream(request.remote_addr or "", found.priority if found else Priority.STRANGER)


def stream(follow: Follow, content_type: str) -> Response:
    """A response without end. Our server lets `follow` send it; another WSGI server sends an empty body."""
    if not can_stream():
        raise Refused(429, "too-many-viewers", seconds=10)
    request.environ.get(STREAM, []).append(follow)
    return Response(content_type=content_type, headers={"X-Accel-Buffering": "no"})
