"""Who may do what: looking is free, doing needs a PIN. And what keeps other web sites from doing it through us."""

from __future__ import annotations

import hmac
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request, session

from companion.errors import BadInput
from web.certificate import is_address
from web.schema import check

TRIES, LOCKED = 5, 60.0  # wrong PINs, and seconds for which an address is then refused
MOST_ADDRESSES = 10_000  # that are remembered
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


class Role(StrEnum):
    """Who asks; each may do what those before him may."""

    VIEWER = "viewer"
    PLAYER = "player"
    REFEREE = "referee"

    def may(self, needed: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Pins:
    """The PINs of player and referee, new at every start; five wrong tries lock an address for a minute."""

    def __init__(
        self,
        player: str | None = None,
        referee: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.player = player or _pin()
        self.referee = referee or _pin()
        while self.referee == self.player:
            self.referee = _pin()
        self._clock = clock
        self._wrong: dict[str, tuple[int, float]] = {}  # tries, and since when the last of them counts
        self._guard = threading.Lock()

    def role(self, pin: str, address: str) -> Role:
        """Whose PIN it is. Refused if it is nobody's, or if too many were tried."""
        with self._guard:
            now = self._clock()
            tries, last = self._wrong.get(address, (0, now))
            if now - last >= LOCKED:
                tries = 0
            if tries >= TRIES:
                raise Refused(429, "pin-locked", seconds=round(LOCKED - (now - last)) or 1)
            given = pin.encode("utf-8", "replace")
            for role, right in ((Role.REFEREE, self.referee), (Role.PLAYER, self.player)):
                if hmac.compare_digest(given, right.encode()):
                    self._wrong.pop(address, None)
                    return role
            self._wrong.pop(address, None)
            self._wrong[address] = (tries + 1, now)
            if len(self._wrong) > MOST_ADDRESSES:
                del self._wrong[next(iter(self._wrong))]
            raise Refused(401, "wrong-pin", left=TRIES - tries - 1)


def _pin() -> str:
    return f"{secrets.randbelow(900_000) + 100_000}"


def role() -> Role:
    """The role of who asks now."""
    found = session.get("role")
    return Role(found) if found in tuple(Role) else Role.VIEWER


def must_be(needed: Role) -> None:
    if not role().may(needed):
        raise Refused(403, "needs-referee") if role() is Role.PLAYER else Refused(401, "needs-pin")


def make_safe(app: Flask, host: str, secure: bool, name: str) -> None:
    """Checks before each request, headers after it, and cookies that no script and no other site can use."""
    app.secret_key = secrets.token_bytes(32)
    app.config.update(
        SESSION_COOKIE_NAME=name,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_SECURE=secure,
        MAX_CONTENT_LENGTH=MOST_JSON,
    )
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
