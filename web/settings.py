"""The settings as the page shows and changes them, and the camera that is chosen there.

Whatever is changed is used first and written into the file afterwards: what is refused is not kept.
"""

from __future__ import annotations

from typing import Any

from flask import current_app

from companion.errors import BadInput
from companion.games import game_ids
from companion.leds.link import Wanted
from companion.messages import LANGUAGES, help_text, name_of, term
from companion.rights import Action, claim, may
from companion.settings import SETTINGS, write_settings
from companion.simulation.source import Simulation
from companion.table.camera import BROWSER
from companion.table.state import NO_CAMERA
from vision.cameras import ADDRESSES, list_cameras, without_secrets
from web import answers, joining
from web.access import host, language
from web.inputs import AT_ONCE, AT_START
from web.safety import Refused, who

OWN = ("data", "camera", "lens", "leds", "leds_only", "leds_never")  # what this machine has is nobody else's business

MARKERS = "/api/kit/markers.pdf"
GROUPS = {  # in which settings are shown; what is in none is about this machine
    "table": ("game", "table", "lang", "keep_pictures"),
    "camera": ("camera", "size", "still", "corners", "surface", "lens"),
    "lights": tuple(name for name in SETTINGS if name.startswith("leds")),
}


def settings() -> list[answers.Setting]:
    mine, tongue = host(), language()
    held = mine.settings._asdict() | {"camera": without_secrets(mine.camera.source)}
    if not may(who(), claim(Action.SET_UP), mine.situation()):
        held |= dict.fromkeys(OWN)
    choices = {
        "lang": [
            ("", term("settings.any", tongue)),
            *((other, term(f"lang.{other}", tongue)) for other in LANGUAGES),
        ],
        "shared_machine": [(answer, term(f"answer.{answer}", tongue)) for answer in ("no", "yes")],
        "game": [("", term("settings.any", tongue)), *((one, name_of(one, tongue)) for one in game_ids())],
    }
    return [
        {
            "name": name,
            "value": _written(name, held[name]),
            "default": setting.default,
            "changeable": name in AT_ONCE or (name in AT_START and mine.keeps_settings),
            "group": next((group for group, names in GROUPS.items() if name in names), "machine"),
            "when": "now" if name in AT_ONCE else "start",
            "choices": [{"value": value, "label": label} for value, label in choices.get(name, ())],
            "help": help_text(setting.help, tongue),
        }
        for name, setting in SETTINGS.items()
    ]


def _written(name: str, value: Any) -> Any:
    """As it stands in the file."""
    if name in ("size", "leds_size") and value:
        return "x".join(map(str, value))
    if name == "keep_pictures" and value is None:
        return "all"
    if name == "corners" and value:
        return ",".join(f"{part:g}" for point in value for part in point)
    return "" if value is None else value


def setup_told(_: str | None, __: str) -> dict[str, object]:
    """For the set-up page: where the markers can be printed, if they can be here, and whether a phone can come in."""
    rules = {str(rule) for rule in current_app.url_map.iter_rules()}
    return {"markers": MARKERS if MARKERS in rules else "", **joining.told()}


def set_settings(body: dict[str, str | float]) -> list[answers.Setting]:
    """Apply what was sent, at once or after a restart, and keep it where there is a file of settings."""
    checked: dict[str, Any] = {}
    for name, value in body.items():
        try:
            checked[name] = SETTINGS[name].check(value)
        except BadInput as bad:
            raise BadInput(name, bad.code, **bad.params) from None
    Wanted.of(host().settings._replace(**checked))  # refused before anything is changed
    if "camera" in checked:
        use_camera(checked.pop("camera"))
    change({name: value for name, value in body.items() if name != "camera"}, checked)
    return settings()


def change(written: dict[str, Any], checked: dict[str, Any]) -> None:
    """Settings as they stand in the file, and as they hold."""
    mine = host()
    if checked:
        mine.do(lambda: mine.use(mine.settings._replace(**checked)))
    if mine.keeps_settings and written:
        write_settings(written)


def use_corners(corners: list[list[float]] | None) -> None:
    change({"corners": _written("corners", corners)}, {"corners": corners})


def use_camera(source: str) -> None:
    """Change over to this camera, now and from now on."""
    mine = host()
    if source != mine.camera.source:
        _must_be_allowed(source)
        mine.do(lambda: mine.camera.use(source))
    change({"camera": source}, {})


def _must_be_allowed(source: str) -> None:
    """A camera by its number, address or device, or a simulated one. Files of this machine are not for the page."""
    plain = source in (BROWSER, NO_CAMERA) or (source.isascii() and source.isdecimal() and len(source) < 3)
    address = source.partition("://")[0].lower() in ADDRESSES and "://" in source
    simulated = source.startswith("sim:") and not Simulation.parse(source).record
    if not (plain or address or simulated or source in list_cameras()):
        raise Refused(422, "camera-source", "source", source=source)
