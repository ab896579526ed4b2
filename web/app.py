"""The dashboard's Flask app. It knows no rules: it asks the host, and says what it hears."""

from __future__ import annotations

import gzip
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.errors import BadInput, Reason
from companion.messages import say_bad, say_reason, spaced, term
from companion.table.host import Host
from vision.errors import UnreadablePicture
from web.access import AnswerCache, language
from web.answers import Error
from web.api import add_routes
from web.broadcast import Broadcast
from web.catalogue import page_texts
from web.kit import Printer
from web.people import People
from web.pictures import Pictures
from web.reviews import Reviews
from web.safety import Refused, make_safe

# What a refusal is over HTTP, where it is not simply something that makes no sense (422).
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
# What Flask itself refuses, in our words; others of its statuses are told by their hundred.
CODES = {
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
FORMS = ("/api/new", "/api/clock")  # what people fill in, beside the settings
CLOCK_PARTS = ("main", "more", "periods")
COSTLY = ("picture-huge", "picture-harmful", "picture-unknown")  # whoever sends such a picture has to come anew
SCRIPTS = {"text/javascript", "application/javascript"}  # as this machine calls them
PACKED = {"text/html", "text/css", "application/json", "image/svg+xml"} | SCRIPTS


def create_app(
    host: Host,
    people: People | None = None,
    *,
    address: str = "127.0.0.1",
    port: int = 8000,
    secure: bool = False,
    printer: Printer | None = None,
) -> Flask:
    """The app before one host. `address` is what it is bound to; `secure` when it is served by HTTPS."""
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["host"] = host
    app.extensions["printer"] = printer
    app.extensions["people"] = people = people or People()
    host.taken, people.game = people.taken, lambda: host.state.number
    app.extensions["bound"] = address, port
    app.extensions["broadcast"] = Broadcast(host)
    app.extensions["cache"] = AnswerCache()
    app.extensions["pictures"] = Pictures(host)
    app.extensions["reviews"] = Reviews()
    app.extensions["language"] = lambda: host.settings.lang
    make_safe(app, address, secure, f"companion_{port}")  # ports share their cookies: each table has its own
    add_routes(app)
    answer_well(app)
    return app


def answer_well(app: Flask) -> None:
    """Answers travel packed, and what is refused is told with a reason."""
    app.add_template_filter(spaced)
    app.after_request(_packed)
    app.register_error_handler(BadInput, _refused)
    app.register_error_handler(UnreadablePicture, _cannot_read)
    app.register_error_handler(HTTPException, _http)


def _packed(response: Response) -> Response:
    """Texts travel packed where the browser can unpack them; pictures and streams as they are."""
    if response.status_code == 200 and response.mimetype in PACKED and request.accept_encodings["gzip"]:
        response.direct_passthrough = False  # a file too is read and packed
        content = response.get_data()
        if len(content) > 1000:
            response.set_data(gzip.compress(content, 5, mtime=0))
            response.content_encoding = "gzip"
        response.vary.add("Accept-Encoding")
    return response


def _refused(bad: BadInput) -> tuple[Response, int]:
    tongue = language()
    told: Error = {"error": bad.code, "reason": say_bad(_named_as_on_the_page(bad, tongue), tongue)}
    if bad.field:
        told["field"] = bad.field
    status = bad.status if isinstance(bad, Refused) else STATUS.get(bad.code, 422)
    if isinstance(reason := bad.params.get("reason"), Reason):
        told["rule"], told["move"] = reason.rule, str(bad.params["move"])
        told["reason"] = say_reason(reason, tongue)
        status = 422 if reason.rule == "format" else status
    response = jsonify(told)
    if status == 429:
        response.headers["Retry-After"] = str(bad.params.get("seconds", 10))
    return response, status


def _named_as_on_the_page(bad: BadInput, tongue: str) -> BadInput:
    """The same, its field called as the page calls it where somebody fills it in."""
    first, _, rest = bad.field.partition(".")
    first, texts = first.partition("[")[0], page_texts(tongue)
    if request.path == "/api/settings":
        label = texts.get(f"setting.{first}", "")
    elif request.path in FORMS:
        label = term(f"clock.{rest}", tongue) if first == "clock" and rest in CLOCK_PARTS else texts.get(first, "")
    else:
        label = ""
    return BadInput(label[:1].upper() + label[1:], bad.code, **bad.params) if label else bad


def _cannot_read(trouble: UnreadablePicture) -> tuple[Response, int]:
    answer, status = _refused(BadInput("", trouble.code, **trouble.params))
    if trouble.code in COSTLY:
        answer.headers["Connection"] = "close"
    return answer, status


def _http(error: HTTPException) -> Any:
    """What Flask itself refuses: as JSON under /api, as a page for people who are lost, as a line of text elsewhere."""
    status = error.code or 500
    if status < 400:  # a redirect
        return error
    refused = Refused(status, CODES.get(status, "our-fault" if status >= 500 else "bad-request"))
    if request.path.startswith("/api/"):
        answer, _ = _refused(refused)
    elif status == 404 and "text/html" in request.headers.get("Accept", ""):  # somebody's browser asks for a page
        said, tongue = say_bad(refused, language()), language()
        page = render_template("lost.html", lang=tongue, text=page_texts(tongue), said=f"{said[:1].upper()}{said[1:]}.")
        answer = Response(page, mimetype="text/html")
    else:
        answer = Response(say_bad(refused, language()) + "\n", mimetype="text/plain")
    answer.headers.extend((name, value) for name, value in error.get_headers() if name == "Allow")
    return answer, status
