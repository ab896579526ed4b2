"""The settings: one TOML file, and for each setting a command-line option, which overrides the file."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.checks import (
    four_corners,
    matrix_size,
    number,
    one_of,
    optional,
    picture_size,
    showable,
    text,
    whole_number,
)
from companion.errors import BadInput
from companion.games import game_ids, is_game
from companion.messages import LANGUAGES, help_text, term
from companion.places import home, settings_file

MAX_SIZE = 1 << 20  # bytes of a settings file
LED_KINDS = ("AUTO", "adalight")


class Settings(NamedTuple):
    """The validated settings."""

    data: str  # the data folder
    table: str
    camera: str
    game: str | None
    size: tuple[int, int]
    still: float
    lens: str | None
    corners: list[list[float]] | None  # NW, NE, SE, SW
    surface: float | None  # in cells; None: as the markers say
    keep_pictures: int | None  # days; 0: none are kept, None: all are
    port: int
    shared_machine: str  # yes: browsers on this machine need a PIN too
    leds: str  # a serial port, AUTO, OFF or virtual
    leds_kind: str
    leds_size: tuple[int, int] | None  # None: by the game's board
    leds_layout: str
    leds_brightness: float  # per cent
    leds_current: int  # mA
    leds_only: str
    leds_never: str
    lang: str | None  # None: by the environment


class Setting(NamedTuple):
    """The definition of a setting. `check` converts a value from the file or the command line, or raises BadInput."""

    default: str | float
    check: Callable[[Any], Any]
    help: str
    metavar: str


class ResolvedSetting(NamedTuple):
    """A setting as it was written, its converted value, and its source: `default`, `file` or `command-line`."""

    written: Any
    value: Any
    source: str


def settings_for(given: argparse.Namespace) -> Settings:
    """The settings for a command: from its command line, else from the file, else the defaults."""
    return Settings(**{name: resolved.value for name, resolved in resolve_settings(given).items()})


def resolve_settings(given: argparse.Namespace) -> dict[str, ResolvedSetting]:
    file, written = settings_file(), _read(settings_file())
    for name in written:
        if name not in SETTINGS:
            raise BadInput(f"{file}: {name}", "unknown-setting", choices=", ".join(SETTINGS))
    resolved = {}
    for name, setting in SETTINGS.items():
        if (value := getattr(given, name, None)) is not None:
            field, source = option(name), "command-line"
        elif name in written:
            value, field, source = written[name], f"{file}: {name}", "file"
        else:
            value, field, source = setting.default, name, "default"
        try:
            resolved[name] = ResolvedSetting(value, setting.check(value), source)
        except BadInput as bad:
            raise BadInput(field, bad.code, **bad.params) from None
    return resolved


def language_in_file() -> str | None:
    """The language set in the file, for messages before the settings are validated. None if the file is not valid."""
    file = settings_file()
    try:
        found: str | None = _language(_read(file).get("lang", "")) if os.path.isfile(file) else None
    except BadInput:
        return None
    return found


def as_toml(language: str, resolved: Mapping[str, ResolvedSetting] | None = None) -> str:
    """The settings as a TOML file with comments: the resolved values with their sources, or the defaults commented
    out."""
    parts = []
    for name, setting in SETTINGS.items():
        lines = [f"# {help_text(setting.help, language)}"]
        if resolved is None:
            lines.append(f"# {name} = {_toml(setting.default)}")
        else:
            written, value, source = resolved[name]
            shown = value if isinstance(value, int | float) or written == "" else written
            lines.append(f"{name} = {_toml('' if shown is None else shown)}  # {term(f'settings.{source}', language)}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def write_settings(changes: Mapping[str, Any]) -> None:
    """Change some settings in the file. Everything else in it, comments too, stays as it is."""
    import tomlkit  # only here: reading is faster without it

    file = settings_file()
    _read(file)  # BadInput if the file is not valid: then it is not changed
    try:
        with open(file, encoding="utf-8-sig", newline="") as opened:
            text = opened.read()
    except (FileNotFoundError, NotADirectoryError):
        text = ""
    for name, value in changes.items():
        document = tomlkit.parse(text)
        switched_on = None if name in document else _uncommented(text, name, value)
        if switched_on is None:
            document[name] = value
        text = switched_on or tomlkit.dumps(document)
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        with open(f"{file}.new", "w", encoding="utf-8", newline="", opener=_private) as aside:  # cameras have passwords
            aside.write(text)
        os.replace(f"{file}.new", file)
    except OSError as error:
        raise BadInput(file, "cannot-open", error=error.strerror) from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _uncommented(text: str, name: str, value: Any) -> str | None:
    """The text with this setting set in the line where it is commented out, as `as_toml` writes it. None if there is
    no such line.

    A line inside a multi-line string may look like a comment; it is skipped, since changing it would change another
    setting."""
    import tomllib

    meant = {**tomllib.loads(text), name: value}
    for found in re.finditer(rf"^[ \t]*#[ \t]*{name}[ \t]*=[^\r\n]*", text, re.MULTILINE):
        changed = f"{text[: found.start()]}{name} = {_toml(value)}{text[found.end() :]}"
        try:
            if tomllib.loads(changed) == meant:
                return changed
        except ValueError:
            continue
    return None


# --- validators used only here


def _folder(value: Any) -> str:
    name = text(value)
    return os.path.expanduser(name) if name else home("data")


def _table(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\w-]{1,60}", value):
        raise BadInput("", "not-a-table", value=showable(value))
    return value


def _layout(value: Any) -> str:
    words = text(value)
    if words:
        from companion.leds.wiring import parse_wiring  # imported only if needed, since it loads the games

        parse_wiring(words)
    return words


def _days(value: Any) -> int | None:
    if value == "all":
        return None
    try:
        return whole_number(0, 36_500)(value)
    except BadInput:
        raise BadInput("", "not-days", value=showable(value)) from None


_language = optional(one_of(LANGUAGES))


def _game(value: Any) -> str:
    if not is_game(value):  # listing all games is slow, as it looks for other packages: only for the error
        return one_of(game_ids())(value)
    return str(value)


SETTINGS = {
    "data": Setting("", _folder, "setting-data", "DIR"),
    "table": Setting("table", _table, "setting-table", "NAME"),
    "camera": Setting("0", text, "setting-camera", "SOURCE"),
    "game": Setting("", optional(_game), "setting-game", "ID"),
    "size": Setting("1280x720", picture_size, "setting-size", "WxH"),
    "still": Setting(0.25, number(0.05, 10), "setting-still", "SECONDS"),
    "lens": Setting("", optional(text), "read-lens", "FILE"),
    "corners": Setting("", optional(four_corners), "read-corners", "x,y,x,y,x,y,x,y"),
    "surface": Setting("", optional(number(0, 3)), "setting-surface", "CELLS"),
    "keep_pictures": Setting(30, _days, "setting-keep-pictures", "DAYS"),
    "port": Setting(8000, whole_number(0, 65_535), "setting-port", "N"),
    "shared_machine": Setting("no", one_of(("no", "yes")), "setting-shared-machine", "yes|no"),
    "leds": Setting("OFF", text, "setting-leds", "PORT"),
    "leds_kind": Setting("AUTO", one_of(LED_KINDS), "setting-leds-kind", "KIND"),
    "leds_size": Setting("", optional(matrix_size), "setting-leds-size", "WxH"),
    "leds_layout": Setting("", _layout, "setting-leds-layout", "WORDS"),
    "leds_brightness": Setting(30, number(0, 100), "setting-leds-brightness", "PERCENT"),
    "leds_current": Setting(450, whole_number(0, 20_000), "setting-leds-current", "MA"),
    "leds_only": Setting("", text, "setting-leds-only", "PORT,PORT"),
    "leds_never": Setting("", text, "setting-leds-never", "PORT,PORT"),
    "lang": Setting("", _language, "lang", "LANG"),
}


def option(name: str) -> str:
    """The command-line option of a setting."""
    return f"--{name.replace('_', '-')}"


def _read(file: str) -> dict[str, Any]:
    import tomllib

    try:
        with open(file, "rb") as opened:
            content = opened.read(MAX_SIZE)
        return tomllib.loads(content.decode("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise BadInput(file, "cannot-open", error=error.strerror) from None
    except UnicodeDecodeError:
        raise BadInput(file, "not-utf8") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(file, "not-toml", error=str(error)) from None


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
