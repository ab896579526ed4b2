"""How other devices come to the table: the address of the page, and a QR code of it."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import NamedTuple, cast

import segno
from flask import Response, current_app

from web import answers
from web.certificate import own_addresses
from web.inputs import JoinQuery
from web.safety import LOCAL

MARKERS = "/api/kit/markers.pdf"  # to print, where the kit can be printed here


class Reach(NamedTuple):
    """What the server is bound to."""

    host: str
    port: int
    secure: bool

    @property
    def is_open(self) -> bool:
        """Whether other devices can come."""
        return self.host not in LOCAL

    @property
    def address(self) -> str:
        """Where they find it; a server that listens everywhere is found at the machine's own address."""
        everywhere = self.host in ("", "0.0.0.0", "::")
        name = next(iter(own_addresses()), "127.0.0.1") if everywhere else self.host
        name = f"[{name}]" if ":" in name else name
        return f"http{'s' if self.secure else ''}://{name}:{self.port}/"


def _reach() -> Reach:
    return cast(Reach, current_app.extensions["reach"])


def where() -> answers.Joining:
    return {"address": _reach().address, "open": _reach().is_open}


def told(_: str | None, __: str) -> dict[str, object]:
    """What a page says of how to join, and whether the markers can be printed from here."""
    rules = (str(rule) for rule in current_app.url_map.iter_rules())
    return {**where(), "markers": MARKERS if MARKERS in rules else ""}


def code(query: JoinQuery) -> Response:
    page = {"table": "", "setup": "setup#camera"}[query.page]
    return Response(_drawn(_reach().address + page), mimetype="image/svg+xml")


@lru_cache(maxsize=8)
def _drawn(address: str) -> bytes:
    drawn = BytesIO()
    segno.make(address, error="m").save(drawn, kind="svg", border=3, scale=8, dark="#16181c", light="#fff")
    return drawn.getvalue()
