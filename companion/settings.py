"""The settings: one TOML file, and for each setting its twin on the command line, which goes before the file."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.commands import Argument
from companion.games import GAME_IDS
from companion.games.position import BadInput
from companion.messages import LANGUAGES, help_text, term

LARGEST = 1 << 20  # bytes of a settings file
LED_KINDS = ("AUTO", "adalight")
MOST_LEDS = 255


class Settings(NamedTuple):
    """What holds, checked."""

    data: str  # the folder
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
    """As it stands in the file when nobody changed it; its check makes the value of it, or raises BadInput."""

    default: str | float
    check: Callable[[Any], Any]
    help: str
    metavar: str


class Held(NamedTuple):
    """A setting as it was written, what that means, and where it comes from: `default`, `file` or `command-line`."""

    written: Any
    value: Any
    source: str


def home(kind: str, platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> str:
    """Where this system keeps a user's `data` or `config`."""
    user = os.path.expanduser("~")
    if platform == "win32":
        name = {"data": "LOCALAPPDATA", "config": "APPDATA"}[kind]
        return os.path.join(environment.get(name) or os.path.join(user, "AppData"), "Board Companion")
    if platform == "darwin":
        return os.path.join(user, "Library", "Application Support", "Board Companion")
    name, usual = {"data": ("XDG_DATA_HOME", ".local/share"), "config": ("XDG_CONFIG_HOME", ".config")}[kind]
    return os.path.join(environment.get(name) or os.path.join(user, usual), "board-companion")


def settings_file() -> str:
    return os.path.join(home("config"), "settings.toml")


def settings_for(given: argparse.Namespace) -> Settings:
    """What holds for a command: what its command line says, else the file, else the defaults."""
    return Settings(**{name: held.value for name, held in held_settings(given).items()})


def held_settings(given: argparse.Namespace) -> dict[str, Held]:
    file, written = settings_file(), _read(settings_file())
    for name in written:
        if name not in SETTINGS:
            raise BadInput(f"{file}: {name}", "unknown-setting", choices=", ".join(SETTINGS))
    held = {}
    for name, setting in SETTINGS.items():
        if (value := getattr(given, name, None)) is not None:
            field, source = _option(name), "command-line"
        elif name in written:
            value, field, source = written[name], f"{file}: {name}", "file"
        else:
            value, field, source = setting.default, name, "default"
        try:
            held[name] = Held(value, setting.check(value), source)
        except BadInput as bad:
            raise BadInput(field, bad.code, **bad.params) from None
    return held


def language_in_file() -> str | None:
    """The language that the file asks for, for messages that come before the settings are looked at in earnest."""
    file = settings_file()
    try:
        found: str | None = _language(_read(file).get("lang", "")) if os.path.isfile(file) else None
    except BadInput:
        return None
    return found


def arguments(*names: str) -> tuple[Argument, ...]:
    """These settings as a command's arguments. They are checked by `settings_for`."""
    return tuple(Argument(_option(name), SETTINGS[name].help, {"metavar": SETTINGS[name].metavar}) for name in names)


def as_toml(language: str, held: Mapping[str, Held] | None = None) -> str:
    """The settings as a file with comments: as they hold, each with where it comes from; without `held` the defaults,
    commented out."""
    parts = []
    for name, setting in SETTINGS.items():
        lines = [f"# {help_text(setting.help, language)}"]
        if held is None:
            lines.append(f"# {name} = {_toml(setting.default)}")
        else:
            written, value, source = held[name]
            shown = value if isinstance(value, int | float) or written == "" else written
            lines.append(f"{name} = {_toml('' if shown is None else shown)}  # {term(f'settings.{source}', language)}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def write_settings(changes: Mapping[str, Any]) -> None:
    """Put some settings into the file; everything else in it, comments too, stays as it is."""
    file = settings_file()
    _read(file)  # a file that makes no sense is not written into
    try:
        with open(file, encoding="utf-8-sig") as opened:
            lines = opened.read().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        lines = []
    for name, value in changes.items():
        line = f"{name} = {_toml(value)}"
        place = next((n for n, old in enumerate(lines) if re.match(rf"\s*#?\s*{name}\s*=", old)), None)
        if place is None:
            lines.append(line)
        else:
            lines[place] = line
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(f"{file}.new", "w", encoding="utf-8") as aside:
            aside.write("\n".join(lines) + "\n")
        os.replace(f"{file}.new", file)
    except OSError as error:
        raise BadInput(file, "cannot-open", error=error.strerror) from None


# --- checks: from the command line everything comes as text, from the file also as numbers


def four_corners(value: Any) -> list[list[float]]:
    try:
        numbers = [float(number) for number in value.split(",")]
    except (AttributeError, ValueError):
        numbers = []
    if len(numbers) != 8 or not all(abs(number) < 1e6 for number in numbers):
        raise BadInput("--corners", "not-corners", text=_shown(value))
    return [numbers[n : n + 2] for n in range(0, 8, 2)]


def _text(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(_shown(value))
    if not isinstance(value, str) or "\0" in value:
        raise BadInput("", "not-a-text")
    return value


def _or_none(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Left empty, it is not set."""
    return lambda value: None if value == "" else check(value)


def _number(least: float, most: float, kind: type[int] | type[float]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        try:
            if isinstance(value, bool) or (kind is int and isinstance(value, float)):
                raise ValueError
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            number = None
        if number is None or not least <= number <= most:
            code = "not-a-whole-number" if kind is int else "not-a-number"
            raise BadInput("", code, value=_shown(value), least=least, most=most)
        return number

    return check


def _one_of(choices: tuple[str, ...]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in choices:
            raise BadInput("", "not-one-of", value=_shown(value), choices=", ".join(choices))
        return str(value)

    return check


def _folder(value: Any) -> str:
    text = _text(value)
    return os.path.expanduser(text) if text else home("data")


def _table(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\w-]{1,60}", value):
        raise BadInput("", "not-a-table", value=_shown(value))
    return value


def _size(value: Any) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d{2,3})[x×]([1-9]\d{2,3})", value, re.ASCII) if isinstance(value, str) else None
    if not found:
        raise BadInput("", "not-a-size", value=_shown(value))
    return int(found[1]), int(found[2])


def _matrix(value: Any) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d{0,2})[x×]([1-9]\d{0,2})", value, re.ASCII) if isinstance(value, str) else None
    if not found or int(found[1]) * int(found[2]) > MOST_LEDS:
        raise BadInput("", "not-a-matrix", value=_shown(value), most=MOST_LEDS)
    return int(found[1]), int(found[2])


def _layout(value: Any) -> str:
    words = _text(value)
    if words:
        from companion.leds.layouts import read_layout  # only for those who have one: it knows the games

        read_layout(words)
    return words


def _days(value: Any) -> int | None:
    if value == "all":
        return None
    try:
        days: int = _number(0, 36_500, int)(value)
    except BadInput:
        raise BadInput("", "not-days", value=_shown(value)) from None
    return days


_language = _or_none(_one_of(LANGUAGES))

SETTINGS = {
    "data": Setting("", _folder, "setting-data", "DIR"),
    "table": Setting("table", _table, "setting-table", "NAME"),
    "camera": Setting("0", _text, "setting-camera", "SOURCE"),
    "game": Setting("", _or_none(_one_of(GAME_IDS)), "setting-game", "ID"),
    "size": Setting("1280x720", _size, "setting-size", "WxH"),
    "still": Setting(0.25, _number(0.05, 10, float), "setting-still", "SECONDS"),
    "lens": Setting("", _or_none(_text), "read-lens", "FILE"),
    "corners": Setting("", _or_none(four_corners), "read-corners", "x,y,x,y,x,y,x,y"),
    "surface": Setting("", _or_none(_number(0, 3, float)), "setting-surface", "CELLS"),
    "keep_pictures": Setting(30, _days, "setting-keep-pictures", "DAYS"),
    "port": Setting(8000, _number(0, 65_535, int), "setting-port", "N"),
    "leds": Setting("OFF", _text, "setting-leds", "PORT"),
    "leds_kind": Setting("AUTO", _one_of(LED_KINDS), "setting-leds-kind", "KIND"),
    "leds_size": Setting("", _or_none(_matrix), "setting-leds-size", "WxH"),
    "leds_layout": Setting("", _layout, "setting-leds-layout", "WORDS"),
    "leds_brightness": Setting(30, _number(0, 100, float), "setting-leds-brightness", "PERCENT"),
    "leds_current": Setting(450, _number(0, 20_000, int), "setting-leds-current", "MA"),
    "leds_only": Setting("", _text, "setting-leds-only", "PORT,PORT"),
    "leds_never": Setting("", _text, "setting-leds-never", "PORT,PORT"),
    "lang": Setting("", _language, "lang", "LANG"),
}


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _read(file: str) -> dict[str, Any]:
    import tomllib

    try:
        with open(file, "rb") as opened:
            content = opened.read(LARGEST)
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


def _shown(value: Any) -> Any:
    """Fit to be shown in a message: TOML knows dates, and numbers of any length."""
    plain = isinstance(value, str | float) or (isinstance(value, int) and abs(value) < 1e15)
    return value if plain else type(value).__name__
