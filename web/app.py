"""The dashboard's Flask app. It knows no rules: it asks the host, and says what it hears."""

from __future__ import annotations

import gzip
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.games.position import BadInput, Reason
from companion.host import Host
from companion.messages import say_bad, say_reason
from vision.trouble import CannotRead
from web import doing, leds, looking
from web.live import Made, Newest, Pictures, Seats
from web.safety import Pins, Refused, make_safe
from web.viewers import Viewers

# What a refusal is over HTTP, where it is not simply something that makes no sense (422).
STATUS = {
    "illegal-move": 409,
    "no-table": 409,
    "no-clock": 409,
    "hints-locked": 403,
    "no-camera": 404,
    "leds-off": 404,
    "no-picture": 404,
    "no-game": 404,
    "no-such-question": 409,
    "nothing-to-take-back": 409,
    "nothing-seen": 409,
    "table-closed": 409,
}
CODES = {404: "not-found", 405: "not-this-way", 413: "body-too-large", 500: "our-fault"}
SCRIPTS = {"text/javascript", "application/javascript"}  # as this machine calls them
PACKED = {"text/html", "text/css", "application/json", "image/svg+xml"} | SCRIPTS
PAGES = {"/": "table", "/games": "games", "/new": "new", "/setup": "setup", "/settings": "settings"}


def create_app(
    host: Host,
    pins: Pins | None = None,
    *,
    address: str = "127.0.0.1",
    port: int = 8000,
    secure: bool = False,
) -> Flask:
    """The app before one host. `address` is what it is bound to; `secure` when it is served by HTTPS."""
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["host"] = host
    app.extensions["pins"] = pins or Pins()
    app.extensions["newest"] = Newest(host)
    app.extensions["viewers"] = Viewers(app.extensions["newest"])
    app.extensions["made"] = Made()
    app.extensions["pictures"] = Pictures(host)
    app.extensions["seats"] = Seats()
    make_safe(app, address, secure, f"companion_{port}")  # ports share their cookies: each table has its own
    app.register_blueprint(looking.routes)
    app.register_blueprint(doing.routes)
    app.register_blueprint(leds.routes)
    for path, name in PAGES.items():
        app.add_url_rule(path, f"page-{name}", _page(name))
    app.add_url_rule("/replay/<int(max=999999999):number>", "page-replay", _page("replay"))
    app.after_request(_packed)
    app.register_error_handler(BadInput, _refused)
    app.register_error_handler(CannotRead, _cannot_read)
    app.register_error_handler(HTTPException, _http)
    return app


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


def _page(name: str) -> Any:
    def page(number: int | None = None) -> str:
        language = looking.language()
        return render_template(f"{name}.html", lang=language, text=looking.page_texts(language), number=number)

    return page


def _refused(bad: BadInput) -> tuple[Response, int]:
    language = looking.language()
    told: dict[str, Any] = {"error": bad.code, "reason": say_bad(bad, language)}
    status = bad.status if isinstance(bad, Refused) else STATUS.get(bad.code, 422)
    if isinstance(reason := bad.params.get("reason"), Reason):
        told |= {"rule": reason.rule, "move": bad.params["move"], "reason": say_reason(reason, language)}
        status = 422 if reason.rule == "format" else status
    response = jsonify(told)
    if status == 429:
        response.headers["Retry-After"] = str(bad.params.get("seconds", 10))
    return response, status


def _cannot_read(trouble: CannotRead) -> tuple[Response, int]:
    return _refused(BadInput("", trouble.code, **trouble.params))


def _http(error: HTTPException) -> Any:
    """What Flask itself refuses, as JSON under /api and as a line of text elsewhere."""
    status = error.code or 500
    if status < 400:  # a redirect
        return error
    refused = Refused(status, CODES.get(status, "not-json-body"))
    if request.path.startswith("/api/"):
        answer, _ = _refused(refused)
    else:
        answer = Response(say_bad(refused, looking.language()) + "\n", mimetype="text/plain")
    answer.headers.extend((name, value) for name, value in error.get_headers() if name == "Allow")
    return answer, status
