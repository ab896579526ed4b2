"""The dashboard's Flask app, and how errors become HTTP responses."""

from __future__ import annotations

import gzip
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.errors import BadInput, Reason
from companion.messages import say_bad, say_reason, spaced, term
from companion.table.host import Host
from vision.errors import UnreadablePicture
from web.access import ResponseCache, language
from web.answers import Error
from web.api import add_routes
from web.broadcast import Broadcast
from web.catalogue import page_texts
from web.kit import Printer
from web.people import People
from web.pictures import Pictures
from web.reviews import Reviews
from web.safety import Refused, add_security

# The HTTP status of a BadInput by its code. All others are 422.
STATUS = {
    "illegal-move": 409,
    "no-table": 409,
    "no-clock": 409,
    "clock-needs-move": 409,
    "needs-pin": 401,
    "needs-referee": 403,
    "needs-seat": 403,
    "own-clock": 403,
    "hints-locked": 403,
    "wrong-pin": 401,
    "pin-locked": 429,
    "no-invitation": 401,
    "seat-taken": 409,
    "no-such-person": 404,
    "secret-running": 403,
    "only-this-machine": 409,
    "no-camera": 404,
    "leds-off": 404,
    "leds-not-ready": 409,
    "nothing-asked": 409,
    "no-layout-yet": 409,
    "no-checkup": 404,
    "no-picture": 404,
    "no-head": 404,
    "no-game": 404,
    "no-looks": 404,
    "no-such-question": 409,
    "nothing-to-take-back": 409,
    "nothing-seen": 409,
    "table-closed": 409,
    "kit-missing": 404,
    "no-hall": 409,
    "hall-database": 503,
    "hall-busy": 503,
    "hall-no-such": 404,
    "hall-not-its-log": 403,
    "match-over": 409,
    "not-over": 409,
    "no-solver": 409,
    "game-in-play": 409,
}
# The message code for errors of Flask itself. Others are 400 or 500 by their hundred.
HTTP_CODES = {
    400: "bad-request",
    404: "not-found",
    405: "not-this-way",
    408: "too-slow",
    413: "body-too-large",
    414: "address-too-long",
    415: "wrong-type",
    416: "no-such-range",
    431: "headers-too-long",
    500: "our-fault",
    503: "busy",
}
FORMS = ("/api/new", "/api/clock")  # endpoints of forms, besides the settings
CLOCK_PARTS = ("main", "more", "periods")
HARMFUL_PICTURES = (
    "picture-huge",
    "picture-harmful",
    "picture-unknown",
)  # after these the connection is closed
SCRIPTS = {"text/javascript", "application/javascript"}  # depending on the system
COMPRESSED = {"text/html", "text/css", "application/json", "image/svg+xml"} | SCRIPTS


def create_app(
    host: Host,
    people: People | None = None,
    *,
    address: str = "127.0.0.1",
    port: int = 8000,
    secure: bool = False,
    printer: Printer | None = None,
) -> Flask:
    """Create the app for a host. `address`: what the server is bound to; `secure`: it is served by HTTPS."""
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["host"] = host
    app.extensions["printer"] = printer
    app.extensions["people"] = people = people or People()
    host.taken, people.game = people.taken, lambda: host.state.number
    app.extensions["bound"] = address, port
    app.extensions["broadcast"] = Broadcast(host)
    app.extensions["cache"] = ResponseCache()
    app.extensions["pictures"] = Pictures(host)
    app.extensions["reviews"] = Reviews()
    app.extensions["language"] = lambda: host.settings.lang
    add_security(app, address, secure, f"companion_{port}")  # cookies are shared by all ports of a host
    add_routes(app)
    add_response_handlers(app)
    return app


def add_response_handlers(app: Flask) -> None:
    """Compress responses, and turn errors into JSON or pages."""
    app.add_template_filter(spaced)
    app.after_request(_compress)
    app.register_error_handler(BadInput, _refused)
    app.register_error_handler(UnreadablePicture, _unreadable_picture)
    app.register_error_handler(HTTPException, _http_error)


def _compress(response: Response) -> Response:
    """Compress texts with gzip if the browser accepts it."""
    if response.status_code == 200 and response.mimetype in COMPRESSED and request.accept_encodings["gzip"]:
        response.direct_passthrough = False  # files must be read to be compressed
        content = response.get_data()
        if len(content) > 1000:
            response.set_data(gzip.compress(content, 5, mtime=0))
            response.content_encoding = "gzip"
        response.vary.add("Accept-Encoding")
    return response


def _refused(bad: BadInput) -> tuple[Response, int]:
    tongue = language()
    body: Error = {"error": bad.code, "reason": say_bad(_with_page_label(bad, tongue), tongue)}
    if bad.field:
        body["field"] = bad.field
    status = bad.status if isinstance(bad, Refused) else STATUS.get(bad.code, 422)
    if isinstance(reason := bad.params.get("reason"), Reason):
        body["rule"], body["move"] = reason.rule, str(bad.params["move"])
        body["reason"] = say_reason(reason, tongue)
        status = 422 if reason.rule == "format" else status
    response = jsonify(body)
    if status == 429:
        response.headers["Retry-After"] = str(bad.params.get("seconds", 10))
    return response, status


def _with_page_label(bad: BadInput, tongue: str) -> BadInput:
    """The error with its field named by the label on the page."""
    first, _, rest = bad.field.partition(".")
    first, texts = first.partition("[")[0], page_texts(tongue)
    if request.path == "/api/settings":
        label = texts.get(f"setting.{first}", "")
    elif request.path in FORMS:
        label = term(f"clock.{rest}", tongue) if first == "clock" and rest in CLOCK_PARTS else texts.get(first, "")
    else:
        label = ""
    return BadInput(label[:1].upper() + label[1:], bad.code, **bad.params) if label else bad


def _unreadable_picture(trouble: UnreadablePicture) -> tuple[Response, int]:
    answer, status = _refused(BadInput("", trouble.code, **trouble.params))
    if trouble.code in HARMFUL_PICTURES:
        answer.headers["Connection"] = "close"
    return answer, status


def _http_error(error: HTTPException) -> Any:
    """An error of Flask itself: JSON under /api, a page for a browser that asks for one, else a line of text."""
    status = error.code or 500
    if status < 400:  # a redirect
        return error
    refused = Refused(status, HTTP_CODES.get(status, "our-fault" if status >= 500 else "bad-request"))
    if request.path.startswith("/api/"):
        answer, _ = _refused(refused)
    elif status == 404 and "text/html" in request.headers.get("Accept", ""):
        said, tongue = say_bad(refused, language()), language()
        page = render_template("lost.html", lang=tongue, text=page_texts(tongue), said=f"{said[:1].upper()}{said[1:]}.")
        answer = Response(page, mimetype="text/html")
    else:
        answer = Response(say_bad(refused, language()) + "\n", mimetype="text/plain")
    answer.headers.extend((name, value) for name, value in error.get_headers() if name == "Allow")
    return answer, status
