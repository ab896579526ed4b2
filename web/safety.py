"""Security of requests: the session, host and origin checks against other web sites, headers, limits of bodies.

What a person may do is decided by `companion.rights`.
"""

from __future__ import annotations

import json
import socket
from typing import Any, cast
from urllib.parse import urlsplit

from flask import Flask, Request, Response, after_this_request, current_app, g, request

from companion.errors import BadInput
from companion.rights import VIEWER, Who
from web.certificate import is_address
from web.local_user import is_local_user
from web.people import People, Person
from web.schema import check

MAX_JSON, MAX_PICTURE = 64 << 10, 3 << 20  # bytes
MAX_DEPTH = 32  # nested brackets in JSON
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
    """A request that is refused with an HTTP status."""

    def __init__(self, status: int, code: str, field: str = "", **params: object) -> None:
        super().__init__(field, code, **params)
        self.status = status


def people() -> People:
    return cast(People, current_app.extensions["people"])


def own_token() -> str:
    """The session token in the browser's cookie."""
    return request.cookies.get(current_app.extensions["cookie"], "")


def person() -> Person | None:
    """The person who sent the request, if he is signed in."""
    if "person" not in g:
        g.person = people().find(own_token())
    return cast(Person | None, g.person)


def who() -> Who:
    found = person()
    return people().who(found) if found else VIEWER


def is_local() -> bool:
    """Whether the request comes from this machine's own user, and the machine is not shared."""
    if current_app.extensions["host"].settings.shared_machine == "yes":
        return False
    own = request.environ
    return is_local_user(
        request.headers, request.remote_addr or "", int(own.get("REMOTE_PORT", 0)), int(own["SERVER_PORT"])
    )


def sign_in(token: str) -> None:
    """Give this browser a session token; its old session ends."""
    name, secure = current_app.extensions["cookie"], current_app.extensions["secure"]
    people().sign_out(own_token())
    g.person = people().find(token)

    @after_this_request
    def keep(response: Response) -> Response:
        response.set_cookie(name, token, httponly=True, samesite="Strict", secure=secure)
        return response


def add_security(app: Flask, host: str, secure: bool, name: str) -> None:
    """Add host and origin checks before each request and security headers after it. `name`: of the cookie."""
    app.extensions |= {"cookie": name, "secure": secure}
    app.config.update(MAX_CONTENT_LENGTH=MAX_JSON)
    names = known_names(host)

    @app.before_request
    def check() -> None:
        asked_for = request.headers.get("Host", "")
        if not is_known_host(asked_for, names, host):
            raise Refused(403, "wrong-host", host=asked_for)
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_own_origin(request):
            raise Refused(403, "wrong-origin")

    @app.after_request
    def add_headers(response: Response) -> Response:
        for header, value in HEADERS.items():
            response.headers.setdefault(header, value)
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def known_names(host: str) -> frozenset[str]:
    """The host names under which this machine is served. Other names that resolve to it are refused, against DNS
    rebinding."""
    names = {*LOCAL, host.lower()}
    if host not in LOCAL:
        own = socket.gethostname().lower()
        names |= {own, own.partition(".")[0], f"{own.partition('.')[0]}.local", socket.getfqdn().lower()}
    return frozenset(names - {""})


def is_known_host(given: str, names: frozenset[str], bound: str) -> bool:
    """Whether the Host header is ours. A numeric address cannot be rebound, so it is always fine on the network."""
    try:
        name = (urlsplit(f"//{given}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name in names:
        return True
    return bound not in LOCAL and is_address(name)


def is_own_origin(request: Request) -> bool:
    """Whether a request comes from our own pages, or not from a web page at all."""
    origin = request.headers.get("Origin")
    if origin is not None:
        return origin.lower() == f"{request.scheme}://{request.host}".lower()
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


# --- bodies


def json_body(kind: Any, most: int = MAX_JSON) -> Any:
    """Parse and check the request's JSON object."""
    if request.mimetype != "application/json":
        raise Refused(415, "not-json-type")
    text = _body(most)
    try:
        if _depth(text) > MAX_DEPTH:
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
    return _body(MAX_PICTURE)


def _body(most: int) -> bytes:
    request.max_content_length = most
    found = request.get_data(cache=False)
    if request.content_length is None and len(found) >= most:  # a chunked body is cut off at `most`
        raise Refused(413, "body-too-large")
    return found


def _no_number(_: str) -> None:
    raise ValueError


def _depth(text: bytes) -> int:
    """An upper bound of the nesting: it also counts brackets in strings."""
    deep = deepest = 0
    for sign in text:
        if sign in b"[{":
            deep += 1
            deepest = max(deepest, deep)
        elif sign in b"]}":
            deep -= 1
    return deepest
