"""The endpoints for the LEDs: their drawing, ports, colors, tests and settings."""

from __future__ import annotations

import json
from typing import Any, cast

from flask import Response

from companion.checks import matrix_size
from companion.errors import BadInput
from companion.leds.color_vision import VISIONS, Linear, adapted_color, as_perceived, confusable_pairs, least_brightness
from companion.leds.doctor import Diagnosis
from companion.leds.lighting import pixels_of
from companion.leds.link import AUTO, OFF, VIRTUAL, VIRTUAL_MONO
from companion.leds.picture import KINDS, board_size
from companion.leds.ports import list_ports
from companion.leds.wled import PREFIX
from companion.messages import say, term
from companion.rights import Action, claim
from web import answers
from web.access import check_right, execute, host, language, state, table_state
from web.drawing.leds import as_seen, leds_svg
from web.inputs import LedsQuery, UseLeds
from web.settings import change
from web.summaries import leds_of


def drawn(query: LedsQuery) -> Response:
    """A drawing of the LEDs as they are lit now."""
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
    """The ports that can be chosen."""
    chosen = host().settings.leds
    listed = {port.path: port.about for port in list_ports() if port.usb}
    plain = (AUTO, OFF, VIRTUAL, VIRTUAL_MONO, PREFIX)
    if chosen not in (*listed, *plain):
        listed[chosen] = ""
    listed |= dict.fromkeys(plain, "")
    return [{"port": path, "about": about, "used": path == chosen} for path, about in listed.items()]


def log() -> Response:
    """The result of the last checkup as a file, for a bug report."""
    lights = table_state().lights
    if lights is None or not isinstance(lights.examined, Diagnosis):
        raise BadInput("", "no-checkup")
    told = json.dumps(lights.examined.log(), indent=1) + "\n"
    name = {"Content-Disposition": 'attachment; filename="leds.json"'}
    return Response(told, mimetype="application/json", headers=name)


def colors() -> answers.LedColors:
    """The lights' colors at the brightness that is set, as everybody sees them."""
    brightness, tongue = host().settings.leds_brightness / 100 or 0.01, language()
    found = list(confusable_pairs(brightness))
    least = round(100 * least_brightness())
    return {
        "kinds": [term(f"light.{kind}", tongue) for kind in KINDS],
        "eyes": [
            {
                "eye": cast(Any, eye),
                "text": term(f"eye.{eye}", tongue),
                "colors": [_on_screen(as_perceived(adapted_color(kind, brightness), eye)) for kind in KINDS],
                "alike": [
                    [term(f"light.{one.one}", tongue), term(f"light.{one.other}", tongue)]
                    for one in found
                    if one.vision == eye
                ],
            }
            for eye in VISIONS
        ],
        "text": say("FINDINGS", "leds.alike" if found else "leds.told-apart", {"least": least}, tongue),
        "least": least,
    }


def _on_screen(color: Linear) -> str:
    red, green, blue = (round(255 * part) for part in color)
    return as_seen((red, green, blue))


def use(body: UseLeds) -> Response:
    """Players may switch the LEDs on and off; everything else needs the right to set up."""
    mine = host()
    if body.do in ("on", "off"):
        return execute(lambda: claim(Action.SWITCH_LEDS), lambda: mine.lights.switch(body.do == "on"))
    check_right(claim(Action.SET_UP))
    match body.do:
        case "walk":
            mine.do(lambda: mine.lights.walk(body.place))
        case "stop":
            mine.do(lambda: mine.lights.walk(None))
        case "test":
            mine.do(mine.lights.test)
        case "flash":
            mine.do(mine.lights.flash)
        case "examine":
            mine.do(mine.lights.examine)
        case "ask" | "look":
            size, by_camera = matrix_size(body.size), body.do == "look"
            mine.do(lambda: mine.lights.begin_guide(size, mine.camera.device, by_camera))
        case "answer":
            mine.do(lambda: mine.lights.answer(body.square))
        case "dark":
            mine.do(mine.lights.go_on)
        case "keep":
            words = mine.lights.words_found()
            change({"leds_layout": words, "leds_size": ""}, {"leds_layout": words, "leds_size": None})
            mine.do(lambda: mine.lights.walk(None))
        case "dim":
            _set("leds_brightness", body.brightness)
        case "limit":
            _set("leds_current", body.limit)
        case "use":
            _require_allowed(body.port)
            _set("leds", body.port)
    return state()


def _set(name: str, value: str | float) -> None:
    change({name: value}, {name: value})


def _require_allowed(port: str) -> None:
    """BadInput unless it is a known port: the page must not open other files."""
    known = [found.path for found in list_ports()] + [AUTO, OFF, VIRTUAL, VIRTUAL_MONO, PREFIX, host().settings.leds]
    if port not in known:
        raise BadInput("port", "no-such-port", port=port, choices=", ".join(known))
