"""Who asks, and what keeps other web sites from asking through us. What he may do is told by `companion.rights`."""

from __future__ import annotations

import json
import socket
from typing import Any, cast
from urllib.parse import urlsplit

from flask import Flask, Request, Response, after_this_request, current_app, g, request

from companion.errors import BadInput
from companion.rights import VIEWER, Who
from web.certificate import is_address
from web.here import is_here
from web.people import People, Person
from web.schema import check

MOST_JSON, MOST_PICTURE = 64 << 10, 3 << 20  # bytes
DEEPEST = 32  # brackets inside one another
LOCAL = ("localhost", "127.0.0.1", "::1")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; media-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


class Refused(BadInput):
    """A request that is turned away, with the status that says so."""

    def __init__(self, status: int, code: str, field: str = "", **params: object) -> None:
        super().__init__(field, code, **params)
        self.status = status


def people() -> People:
    return cast(People, current_app.extensions["people"])


def own_word() -> str:
    """What the browser that asks holds."""
    return request.cookies.get(current_app.extensions["cookie"], "")


def person() -> Person | None:
    """Who asks now, if he is signed in."""
    if "person" not in g:
        g.person = people().find(own_word())
    return cast(Person | None, g.person)


def who() -> Who:
    found = person()
    return people().who(found) if found else VIEWER


def here() -> bool:
    """Whether who asks sits at this machine, and that counts."""
    if current_app.extensions["host"].settings.shared_machine == "yes":
        return False
    own = request.environ
    return is_here(request.headers, request.remote_addr or "", int(own.get("REMOTE_PORT", 0)), int(own["SERVER_PORT"]))


def enter(word: str) -> None:
    """From now on this browser is the one that holds this word, and no more the one that it was."""
    name, secure = current_app.extensions["cookie"], current_app.extensions["secure"]
    people().sign_out(own_word())
    g.person = people().find(word)

    @after_this_request
    def keep(response: Response) -> Response:
        response.set_cookie(name, word, httponly=True, samesite="Strict", secure=secure)
        return response


def make_safe(app: Flask, host: str, secure: bool, name: str) -> None:
    """Checks before each request, headers after it, and cookies that no script and no other site can use."""
    app.extensions |= {"cookie": name, "secure": secure}
    app.config.update(MAX_CONTENT_LENGTH=MOST_JSON)
    names = known_names(host)

    @app.before_request
    def check() -> None:
        asked_for = request.headers.get("Host", "")
        if not is_known_host(asked_for, names, host):
            raise Refused(403, "wrong-host", host=asked_for)
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_own_origin(request):
            raise Refused(403, "wrong-origin")

    @app.after_request
    def seal(response: Response) -> Response:
        for header, value in HEADERS.items():
            response.headers.setdefault(header, value)
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def known_names(host: str) -> frozenset[str]:
    """The names under which this machine may be asked for. A name that somebody else made point here is none of
    them, so that his pages cannot read ours."""
    names = {*LOCAL, host.lower()}
    if host not in LOCAL:
        own = socket.gethostname().lower()
        names |= {own, own.partition(".")[0], f"{own.partition('.')[0]}.local", socket.getfqdn().lower()}
    return frozenset(names - {""})


def is_known_host(given: str, names: frozenset[str], bound: str) -> bool:
    """Addresses in figures cannot be made to point elsewhere, so they are good wherever we are open to the network."""
    try:
        name = (urlsplit(f"//{given}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name in names:
        return True
    return bound not in LOCAL and is_address(name)


def is_own_origin(asked: Request) -> bool:
    """Whether a request that does something comes from our own pages, or from no web page at all."""
    origin = asked.headers.get("Origin")
    if origin is not None:
        return origin.lower() == f"{asked.scheme}://{asked.host}".lower()
    return asked.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


# --- what is sent to us


def json_body(kind: Any, most: int = MOST_JSON) -> Any:
    """The request's JSON object as this type."""
    if request.mimetype != "application/json":
        raise Refused(415, "not-json-type")
    text = _body(most)
    try:
        if _depth(text) > DEEPEST:
            raise ValueError
        found = json.loads(text or b"{}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Refused(400, "not-json-body") from None
    if not isinstance(found, dict):
        raise Refused(400, "not-an-object")
    try:
        return check(kind, found)
    except BadInput as bad:
        raise Refused(422, bad.code, bad.field, **bad.params) from None


def picture_body() -> bytes:
    if request.mimetype != "image/jpeg":
        raise Refused(415, "not-jpeg-type")
    return _body(MOST_PICTURE)


def _body(most: int) -> bytes:
    request.max_content_length = most
    found = request.get_data(cache=False)
    if request.content_length is None and len(found) >= most:  # sent in chunks, it is cut off there
        raise Refused(413, "body-too-large")
    return found


def _no_number(_: str) -> None:
    raise ValueError


def _depth(text: bytes) -> int:
    """At least as deep as the brackets go."""
    deep = deepest = 0
    for sign in text:
        if sign in b"[{":
            deep += 1
            deepest = max(deepest, deep)
        elif sign in b"]}":
            deep -= 1
    return deepest
