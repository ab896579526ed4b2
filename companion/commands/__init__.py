"""The commands, one module a room. What a command needs beyond the rules is loaded when it runs."""

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple


class Argument(NamedTuple):
    """An argument as argparse takes it, with a short name before its name if it has one (`-o, --output`); its help is
    the code of a text in the message catalogues."""

    name: str
    help: str
    settings: dict[str, Any]


class Command(NamedTuple):
    run: Callable[[argparse.Namespace, str], int]  # with the user's language; the exit status
    arguments: tuple[Argument, ...]


def setting_arguments(*names: str) -> tuple[Argument, ...]:
    """These settings as a command's arguments. They are checked by `settings_for`."""
    from companion.settings import SETTINGS, option  # most commands have none

    return tuple(Argument(option(name), SETTINGS[name].help, {"metavar": SETTINGS[name].metavar}) for name in names)


# Which module has a command, in the order in which `companion --help` lists them.
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
