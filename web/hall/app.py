"""The hall's Flask app, which serves the desks' browsers, spectators and tables."""

from __future__ import annotations

from flask import Flask

from companion.hall.desk import Desk
from web.access import ResponseCache
from web.api import add_routes
from web.app import add_response_handlers
from web.hall.api import ENDPOINTS, require_access_to
from web.hall.broadcast import Broadcast
from web.hall.people import People
from web.hall.queries import Printer
from web.hall.words import card
from web.safety import add_security

MAX_STREAMS = 3000  # tables and desks at once


def create_hall_app(
    desk: Desk,
    *,
    address: str = "127.0.0.1",
    port: int = 8100,
    secure: bool = False,
    fingerprint: str = "",
    language: str | None = None,
    printer: Printer | None = None,
) -> Flask:
    """Create the app for a desk. `fingerprint`: of the certificate with HTTPS; `printer`: makes PDFs of pairings and
    slips, if the extra part `kit` is installed."""
    app = Flask("web")  # its templates and static files are beside those of a table
    app.json.sort_keys = False  # type: ignore[attr-defined]
    broadcast = Broadcast(desk, lambda place, lang: card(desk, broadcast.last_seen, place, lang))
    app.extensions |= {
        "desk": desk,
        "people": People(desk),
        "broadcast": broadcast,
        "cache": ResponseCache(),
        "language": lambda: language,
        "bound": address,
        "fingerprint": fingerprint,
        "printer": printer,
        "most_streams": MAX_STREAMS,
    }
    add_security(app, address, secure, f"hall_{port}")
    add_routes(app, ENDPOINTS, require_access_to)
    add_response_handlers(app)
    broadcast.start()
    return app
