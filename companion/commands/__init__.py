"""The commands, grouped in modules by topic. A command imports what it needs when it runs, so that start-up is fast."""

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple


class Argument(NamedTuple):
    """An argument for argparse. `name` may contain a short form (`-o, --output`); `help` is a message code; `settings`
    are the keyword arguments of `add_argument`."""

    name: str
    help: str
    settings: dict[str, Any]


class Command(NamedTuple):
    run: Callable[[argparse.Namespace, str], int]  # takes the arguments and the language; returns the exit status
    arguments: tuple[Argument, ...]


def setting_arguments(*names: str) -> tuple[Argument, ...]:
    """These settings as arguments of a command. `settings_for` validates them."""
    from companion.settings import SETTINGS, option  # imported only by commands that have settings

    return tuple(Argument(option(name), SETTINGS[name].help, {"metavar": SETTINGS[name].metavar}) for name in names)


# The module of each command, in the order of `companion --help`.
HOMES = {
    "demo": "table",
    "run": "table",
    "new": "table",
    "judge": "rules",
    "match": "rules",
    "moves": "rules",
    "perft": "rules",
    "hint": "thinking",
    "play": "thinking",
    "solve": "puzzling",
    "puzzle": "puzzling",
    "draw": "drawing",
    "kit": "kit",
    "booklet": "kit",
    "leds": "leds",
    "follow": "table",
    "read": "pictures",
    "dice": "pictures",
    "check": "pictures",
    "learn": "pictures",
    "calibrate": "pictures",
    "games": "keeping",
    "export": "keeping",
    "verify": "keeping",
    "backup": "keeping",
    "restore": "keeping",
    "settings": "keeping",
    "hall": "hall",
    "service": "service",
}
