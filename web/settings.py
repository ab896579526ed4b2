"""The settings as the page shows and changes them."""

from __future__ import annotations

from typing import Any

from companion.games.position import BadInput
from companion.host import Host
from companion.leds.link import Wanted
from companion.messages import help_text
from companion.settings import SETTINGS, write_settings
from vision.cameras import without_password

LEDS = ("leds_kind", "leds_size", "leds_layout", "leds_brightness", "leds_current", "leds_never")
# The others need a new start, are chosen elsewhere, or name files of this machine.
CHANGEABLE = ("still", "surface", "keep_pictures", "lang", "size", "camera", "game", *LEDS)


def plain(value: Any) -> Any:
    if not isinstance(value, str | int | float) or isinstance(value, bool) or len(str(value)) > 300:
        raise BadInput("", "not-a-text")
    return value


def shown_settings(host: Host, language: str) -> list[dict[str, Any]]:
    held = host.settings._asdict()
    told = []
    for name, setting in SETTINGS.items():
        value = held[name]
        if name == "camera":
            value = without_password(value)
        elif name in ("size", "leds_size") and value:
            value = "x".join(map(str, value))
        elif name == "keep_pictures" and value is None:
            value = "all"
        told.append(
            {
                "name": name,
                "value": value,
                "default": setting.default,
                "changeable": name in CHANGEABLE,
                "help": help_text(setting.help, language),
            }
        )
    return told


def change_settings(host: Host, given: dict[str, Any]) -> None:
    """What was given holds at once and, where there is a file of settings to keep it in, from now on."""
    written = {name: value for name, value in given.items() if value is not None}
    checked = {}
    for name, value in written.items():
        try:
            checked[name] = SETTINGS[name].check(value)
        except BadInput as bad:
            raise BadInput(name, bad.code, **bad.params) from None
    Wanted.of(host.settings._replace(**checked))  # refused before anything is kept
    if host.keeps_settings:
        write_settings(written)
    host.do(lambda: host.use(host.settings._replace(**checked)))
