"""Validators for values from the command line and the settings file. Each returns the converted value, or raises
BadInput with an empty field, which the caller fills in. A command line gives only text, a file also numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from companion.errors import BadInput

T = TypeVar("T")
MAX_LEDS = 255  # of one board


def text(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(showable(value))
    if not isinstance(value, str) or "\0" in value:
        raise BadInput("", "not-a-text")
    return value


def optional(check: Callable[[Any], T]) -> Callable[[Any], T | None]:
    """An empty text means None."""
    return lambda value: None if value == "" else check(value)


def whole_number(least: int, most: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        try:
            found = None if isinstance(value, bool | float) else int(value)
        except (TypeError, ValueError, OverflowError):
            found = None
        if found is None or not least <= found <= most:
            raise BadInput("", "not-a-whole-number", value=showable(value), least=least, most=most)
        return found

    return check


def number(least: float, most: float) -> Callable[[Any], float]:
    def check(value: Any) -> float:
        try:
            found = None if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            found = None
        if found is None or not least <= found <= most:
            raise BadInput("", "not-a-number", value=showable(value), least=least, most=most)
        return found

    return check


def one_of(choices: tuple[str, ...]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in choices:
            raise BadInput("", "not-one-of", value=showable(value), choices=", ".join(choices))
        return str(value)

    return check


def four_corners(value: Any) -> list[list[float]]:
    """Four points: north-west, north-east, south-east, south-west."""
    try:
        numbers = [float(part) for part in value.split(",")]
    except (AttributeError, ValueError):
        numbers = []
    if len(numbers) != 8 or not all(abs(part) < 1e6 for part in numbers):
        raise BadInput("--corners", "not-corners", text=showable(value))
    return [numbers[n : n + 2] for n in range(0, 8, 2)]


def picture_size(value: Any) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d{2,3})[x×]([1-9]\d{2,3})", value, re.ASCII) if isinstance(value, str) else None
    if not found:
        raise BadInput("", "not-a-size", value=showable(value))
    return int(found[1]), int(found[2])


def matrix_size(value: Any) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d{0,2})[x×]([1-9]\d{0,2})", value, re.ASCII) if isinstance(value, str) else None
    if not found or int(found[1]) * int(found[2]) > MAX_LEDS:
        raise BadInput("", "not-a-matrix", value=showable(value), most=MAX_LEDS)
    return int(found[1]), int(found[2])


def showable(value: object) -> object:
    """The value if it can be shown in a message, else its type: TOML has dates, and numbers of any length."""
    plain = isinstance(value, str | float) or (isinstance(value, int) and abs(value) < 1e15)
    return value if plain else type(value).__name__
