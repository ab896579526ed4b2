"""The hall's Flask app: many desks and all tables ask it, and it asks the desk."""

from __future__ import annotations

from flask import Flask

from companion.hall.desk import Desk
from web.access import AnswerCache
from web.api import add_routes
from web.app import answer_well
from web.hall.api import ENDPOINTS, must_for
from web.hall.broadcast import Broadcast
from web.hall.looking import Printer
from web.hall.people import People
from web.hall.words import card
from web.safety import make_safe

MOST_STREAMS = 3000  # tables and desks at once


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
    """The app before one desk. `fingerprint`: of the certificate, where it is served by HTTPS; `printer`: what makes
    PDFs of pairings and slips, where that is installed."""
    app = Flask("web")  # the pages lie beside those of a table
    app.json.sort_keys = False  # type: ignore[attr-defined]
    broadcast = Broadcast(desk, lambda place, tongue: card(desk, broadcast.heard, place, tongue))
    app.extensions |= {
        "desk": desk,
        "people": People(desk),
        "broadcast": broadcast,
        "cache": AnswerCache(),
        "language": lambda: language,
        "bound": address,
        "fingerprint": fingerprint,
        "printer": printer,
        "most_streams": MOST_STREAMS,
    }
    make_safe(app, address, secure, f"hall_{port}")
    add_routes(app, ENDPOINTS, must_for)
    answer_well(app)
    broadcast.start()
    return app
