"""The lights in the board on the page: how they burn, where they are plugged in, and trying them out."""

from __future__ import annotations

from flask import Response

from companion.errors import BadInput
from companion.leds.lighting import pixels_of
from companion.leds.link import AUTO, OFF, VIRTUAL, VIRTUAL_MONO
from companion.leds.picture import board_size
from companion.leds.ports import list_ports
from companion.leds.wled import PREFIX
from companion.rights import Action, claim
from web import answers
from web.access import allow, do, host, language, state, table_state
from web.drawing.leds import leds_svg
from web.inputs import LedsQuery, UseLeds
from web.settings import change
from web.summaries import leds_of


def drawn(query: LedsQuery) -> Response:
    """The LEDs as they burn now."""
    now = table_state()
    if (leds := now.lights) is None:
        raise BadInput("", "leds-off")
    wanted, mono, link = leds.wanted, leds.state.mono, host().lights.link
    board = board_size(now.position) if now.game else leds.layout.board
    pixels = pixels_of(leds.lights, leds.layout, wanted.brightness, wanted.limit, mono)
    if link.testing and len(link.shown) == len(pixels):
        pixels = link.shown
    told = "; ".join(f"{one['text']}: {' '.join(one['squares'])}" for one in leds_of(now, language())["meanings"])
    svg = leds_svg(pixels, leds.layout, board, brightness=wanted.brightness, mono=mono, still=query.still, title=told)
    return Response(svg, mimetype="image/svg+xml")


def ports() -> list[answers.LedPort]:
    """Where LEDs may be plugged in."""
    chosen = host().settings.leds
    listed = {port.path: port.about for port in list_ports() if port.usb}
    plain = (AUTO, OFF, VIRTUAL, VIRTUAL_MONO, PREFIX)
    if chosen not in (*listed, *plain):
        listed[chosen] = ""
    listed |= dict.fromkeys(plain, "")
    return [{"port": path, "about": about, "used": path == chosen} for path, about in listed.items()]


def use(body: UseLeds) -> Response:
    """Switching them on and off is the players'; everything else is set-up, and the referee's."""
    mine = host()
    if body.do in ("on", "off"):
        return do(lambda: claim(Action.SWITCH_LEDS), lambda: mine.lights.switch(body.do == "on"))
    allow(claim(Action.SET_UP))
    match body.do:
        case "walk":
            mine.do(lambda: mine.lights.walk(body.place))
        case "stop":
            mine.do(lambda: mine.lights.walk(None))
        case "test":
            mine.do(mine.lights.test)
        case "flash":
            mine.do(mine.lights.flash)
        case "dim":
            _set("leds_brightness", body.brightness)
        case "use":
            _must_be_allowed(body.port)
            _set("leds", body.port)
    return state()


def _set(name: str, value: str | float) -> None:
    change({name: value}, {name: value})


def _must_be_allowed(port: str) -> None:
    """A serial port of this machine. Other files are not for the page."""
    known = [found.path for found in list_ports()] + [AUTO, OFF, VIRTUAL, VIRTUAL_MONO, PREFIX, host().settings.leds]
    if port not in known:
        raise BadInput("port", "no-such-port", port=port, choices=", ".join(known))
