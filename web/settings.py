"""The settings as the page shows and changes them, and the camera that is chosen there."""

from __future__ import annotations

from typing import Any

from companion.games import GAME_IDS
from companion.games.position import BadInput
from companion.host import BROWSER, NO_CAMERA, Host
from companion.leds.link import Wanted
from companion.messages import LANGUAGES, help_text, term
from companion.settings import SETTINGS, write_settings
from companion.simulated import Simulation
from vision.cameras import ADDRESSES, list_cameras, without_password
from web.safety import Refused

LEDS = ("leds_kind", "leds_size", "leds_layout", "leds_brightness", "leds_current", "leds_never")
AT_ONCE = ("camera", "size", "still", "surface", "keep_pictures", "lang", *LEDS)
AT_START = ("game", "table", "port")  # they hold from the next start on
CHANGEABLE = (*AT_ONCE, *AT_START)  # files and folders of this machine are not for the page


def plain(value: Any) -> Any:
    if not isinstance(value, str | int | float) or isinstance(value, bool) or len(str(value)) > 300:
        raise BadInput("", "not-a-text")
    return value


def shown_settings(host: Host, language: str) -> list[dict[str, Any]]:
    held = host.settings._asdict() | {"camera": without_password(host.source)}
    choices = {
        "lang": [
            ("", term("settings.any", language)),
            *((tongue, term(f"lang.{tongue}", language)) for tongue in LANGUAGES),
        ],
        "game": [("", term("settings.any", language)), *((one, term(f"game.{one}", language)) for one in GAME_IDS)],
    }
    return [
        {
            "name": name,
            "value": _written(name, held[name]),
            "default": setting.default,
            "changeable": name in AT_ONCE or (name in AT_START and host.keeps_settings),
            "when": "now" if name in AT_ONCE else "start",
            "choices": [{"value": value, "label": label} for value, label in choices.get(name, ())],
            "help": help_text(setting.help, language),
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


def change_settings(host: Host, given: dict[str, Any]) -> None:
    """What was given holds at once, or from the next start on, and is kept where there is a file of settings."""
    written = {name: value for name, value in given.items() if value is not None}
    checked = {}
    for name, value in written.items():
        try:
            checked[name] = SETTINGS[name].check(value)
        except BadInput as bad:
            raise BadInput(name, bad.code, **bad.params) from None
    Wanted.of(host.settings._replace(**checked))  # refused before anything is kept
    if "camera" in written:
        use_camera(host, checked.pop("camera"))
        del written["camera"]
    if host.keeps_settings and written:
        write_settings(written)
    if checked:
        host.do(lambda: host.use(host.settings._replace(**checked)))


def use_camera(host: Host, source: str) -> None:
    """Change over to this camera, now and from now on."""
    if source != host.source:
        _must_be_allowed(source)
        host.do(lambda: host.use_camera(source))
    if host.keeps_settings:
        write_settings({"camera": source})


def _must_be_allowed(source: str) -> None:
    """A camera by its number, address or device, or a simulated one. Files of this machine are not for the page."""
    plain = source in (BROWSER, NO_CAMERA) or (source.isascii() and source.isdecimal() and len(source) < 3)
    address = source.partition("://")[0].lower() in ADDRESSES and "://" in source
    simulated = source.startswith("sim:") and not Simulation.parse(source).record
    if not (plain or address or simulated or source in list_cameras()):
        raise Refused(422, "camera-source", "source", source=source)
