"""The lights in the board on the page: how they burn, where they are plugged in, and trying them out."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from companion.games.position import BadInput
from companion.host import Leds, Snapshot
from companion.leds.lighting import pixels_of
from companion.leds.link import AUTO, OFF, VIRTUAL, VIRTUAL_MONO
from companion.leds.picture import board_size
from companion.leds.ports import list_ports
from companion.settings import write_settings
from web.drawing.leds import leds_svg
from web.looking import host, language, state
from web.safety import json_body, maybe, must_be, number, one_of, text, whole
from web.state import leds_of

routes = Blueprint("leds", __name__)


@routes.get("/api/leds.svg")
def drawn() -> Response:
    """The LEDs as they burn now; `still`: without blinking."""
    snapshot = host().snapshot
    leds = _there(snapshot)
    wanted, mono = leds.wanted, leds.state.mono
    board = board_size(snapshot.position) if snapshot.read else leds.layout.board
    pixels = pixels_of(leds.lights, leds.layout, wanted.brightness, wanted.limit, mono)
    if host().leds.testing and len(host().leds.shown) == len(pixels):
        pixels = host().leds.shown
    told = "; ".join(f"{one['text']}: {' '.join(one['squares'])}" for one in leds_of(snapshot, language())["meanings"])
    still = "still" in request.args
    svg = leds_svg(pixels, leds.layout, board, brightness=wanted.brightness, mono=mono, still=still, title=told)
    return Response(svg, mimetype="image/svg+xml")


@routes.get("/api/leds/ports")
def ports() -> Response:
    """Where LEDs may be plugged in."""
    must_be("referee")
    chosen = host().settings.leds
    listed = {port.path: port.about for port in list_ports() if port.usb}
    plain = (AUTO, OFF, VIRTUAL, VIRTUAL_MONO)
    if chosen not in (*listed, *plain):
        listed[chosen] = ""
    found = [{"port": path, "about": about, "used": path == chosen} for path, about in listed.items()]
    return jsonify([*found, *({"port": name, "about": "", "used": name == chosen} for name in plain)])


@routes.post("/api/leds")
def change() -> Response:
    """Switching them on and off is the players'; everything else is set-up, and the referee's."""
    must_be("player")
    given = json_body(
        do=one_of("on", "off", "walk", "test", "stop", "dim", "use"),
        place=maybe(whole(0, 254), 0),
        brightness=maybe(number(0, 100), 30.0),
        port=maybe(text(300), OFF),
    )
    mine, what = host(), given["do"]
    if what not in ("on", "off"):
        must_be("referee")
    if what in ("on", "off"):
        mine.do(lambda: mine.light(what == "on"))
    elif what in ("walk", "stop"):
        mine.do(lambda: mine.walk(given["place"] if what == "walk" else None))
    elif what == "test":
        mine.do(mine.test_leds)
    elif what == "dim":
        _set(leds_brightness=given["brightness"])
    else:
        _set(leds=_allowed(given["port"]))
    return state()


def _set(**changes: object) -> None:
    mine = host()
    mine.do(lambda: mine.use(mine.settings._replace(**changes)))  # type: ignore[arg-type]
    if mine.keeps_settings:
        write_settings(changes)


def _allowed(port: str) -> str:
    """A serial port of this machine. Other files are not for the page."""
    known = [found.path for found in list_ports()] + [AUTO, OFF, VIRTUAL, VIRTUAL_MONO, host().settings.leds]
    if port not in known:
        raise BadInput("port", "no-such-port", port=port, choices=", ".join(known))
    return port


def _there(snapshot: Snapshot) -> Leds:
    if snapshot.leds is None:
        raise BadInput("", "leds-off")
    return snapshot.leds
