"""Shows and changes the settings, and the camera chosen on the page.

A change is applied first and written to the file afterwards, so that a refused value is never saved.
"""

from __future__ import annotations

from typing import Any

from flask import current_app

from companion.errors import BadInput
from companion.games import game_ids
from companion.leds.link import LedSettings
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

PRIVATE = ("data", "camera", "lens", "leds", "leds_only", "leds_never")  # shown only to those who may change them

MARKERS = "/api/kit/markers.pdf"
GROUPS = {  # of settings on the page; all others are in the group `machine`
    "table": ("game", "table", "lang", "keep_pictures"),
    "camera": ("camera", "size", "still", "corners", "surface", "lens"),
    "lights": tuple(name for name in SETTINGS if name.startswith("leds")),
}


def settings() -> list[answers.Setting]:
    mine, tongue = host(), language()
    values = mine.settings._asdict() | {"camera": without_secrets(mine.camera.source)}
    if not may(who(), claim(Action.SET_UP), mine.situation()):
        values |= dict.fromkeys(PRIVATE)
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
            "value": _as_written(name, values[name]),
            "default": setting.default,
            "changeable": name in AT_ONCE or (name in AT_START and mine.keeps_settings),
            "group": next((group for group, names in GROUPS.items() if name in names), "machine"),
            "when": "now" if name in AT_ONCE else "start",
            "choices": [{"value": value, "label": label} for value, label in choices.get(name, ())],
            "help": help_text(setting.help, tongue),
        }
        for name, setting in SETTINGS.items()
    ]


def _as_written(name: str, value: Any) -> Any:
    """A value as it is written in the file."""
    if name in ("size", "leds_size") and value:
        return "x".join(map(str, value))
    if name == "keep_pictures" and value is None:
        return "all"
    if name == "corners" and value:
        return ",".join(f"{part:g}" for point in value for part in point)
    return "" if value is None else value


def setup_view(_: str | None, __: str) -> dict[str, object]:
    """The set-up page's variables: where to print markers, and whether a phone can join."""
    rules = {str(rule) for rule in current_app.url_map.iter_rules()}
    return {"markers": MARKERS if MARKERS in rules else "", **joining.invite_view()}


def set_settings(body: dict[str, str | float]) -> list[answers.Setting]:
    """Change settings, now or for the next start, and save them if there is a settings file."""
    checked: dict[str, Any] = {}
    for name, value in body.items():
        try:
            checked[name] = SETTINGS[name].check(value)
        except BadInput as bad:
            raise BadInput(name, bad.code, **bad.params) from None
    LedSettings.of(host().settings._replace(**checked))  # BadInput before anything is changed
    if "camera" in checked:
        set_camera(checked.pop("camera"))
    change({name: value for name, value in body.items() if name != "camera"}, checked)
    return settings()


def change(written: dict[str, Any], checked: dict[str, Any]) -> None:
    """Apply and save settings: `written` as in the file, `checked` as converted values."""
    mine = host()
    if checked:
        mine.do(lambda: mine.use(mine.settings._replace(**checked)))
    if mine.keeps_settings and written:
        write_settings(written)


def set_corners(corners: list[list[float]] | None) -> None:
    change({"corners": _as_written("corners", corners)}, {"corners": corners})


def set_camera(source: str) -> None:
    """Switch to this camera and save it."""
    mine = host()
    if source != mine.camera.source:
        _require_allowed(source)
        mine.do(lambda: mine.camera.use(source))
    change({"camera": source}, {})


def _require_allowed(source: str) -> None:
    """BadInput unless it is a camera's number, address or device, or a simulated one: the page must not open files."""
    plain = source in (BROWSER, NO_CAMERA) or (source.isascii() and source.isdecimal() and len(source) < 3)
    address = source.partition("://")[0].lower() in ADDRESSES and "://" in source
    simulated = source.startswith("sim:") and not Simulation.parse(source).record
    if not (plain or address or simulated or source in list_cameras()):
        raise Refused(422, "camera-source", "source", source=source)
