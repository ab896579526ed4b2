"""The `companion` command: parsing, help, language and errors. Bad input is one line and exit status 2."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import Any, NoReturn

from companion import __version__
from companion.commands import HOMES, Command
from companion.errors import BadInput
from companion.messages import LANGUAGES, argparse_words, help_text, language_of, say_bad
from companion.places import settings_file


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    for stream in filter(None, (sys.stdout, sys.stderr)):
        # lone surrogates of a record come out as JSON escapes, not as a crash
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    language = _language(arguments)
    status = 0
    try:
        given = _parser(language, _command_name(arguments)).parse_args(arguments)
        status = given.command(given, language)
        if sys.stdout:
            sys.stdout.flush()
    except BadInput as bad:
        return _print_error(bad, language)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # discard what is left in the buffer
        if not isinstance(error, BrokenPipeError):  # a closed pipe, as by `head`, is not an error
            return _print_error(BadInput("", "cannot-write", error=error.strerror), language)
    except KeyboardInterrupt:
        return 130
    return status


def entry() -> NoReturn:
    """The installed entry point. `os._exit` skips the interpreter's shutdown, which takes 8 ms."""
    status = main()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    os._exit(status)


def _print_error(bad: BadInput, language: str) -> int:
    print(f"companion: {say_bad(bad, language)}", file=sys.stderr)
    return 2


class _Parser(argparse.ArgumentParser):
    """Bad usage is bad input like any other: one line."""

    def error(self, message: str) -> NoReturn:
        raise BadInput("", "usage", error=message, command=self.prog)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Passes the width to argparse, which would import `shutil` for it, for every argument of every command."""

    def __init__(self, prog: str) -> None:
        try:
            width = int(os.environ.get("COLUMNS", "")) or 80
        except ValueError:
            width = os.get_terminal_size().columns if sys.stdout and sys.stdout.isatty() else 80
        super().__init__(prog, width=max(width - 2, 40))


def _language(arguments: list[str]) -> str:
    """The language, found before the arguments are parsed, since help and errors need it."""
    for n, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            value = value or (arguments[n + 1] if n + 1 < len(arguments) else "")
            if value in LANGUAGES:
                return value
    if os.path.isfile(settings_file()):
        from companion.settings import language_in_file  # most have no such file

        return language_in_file() or language_of()
    return language_of()


def _command_name(arguments: list[str]) -> str | None:
    """The command's name, found before the arguments are parsed, so that only its parser is built."""
    words = iter(arguments)
    for word in words:
        if word == "--lang":
            next(words, None)
        elif not word.startswith("-"):
            return word if word in HOMES else None
    return None


def _games(line: str) -> str:
    """The line of help that lists the games, those of other packages too."""
    from textwrap import fill

    from companion.games import game_ids

    return fill(line.format(games=", ".join(game_ids())), 78, subsequent_indent="  ")


def _parser(language: str, chosen: str | None) -> _Parser:
    """The parser with the arguments of one command, or without a command with the list of all commands."""

    def text(code: str) -> str:
        return help_text(code, language)

    words = argparse_words(language)
    vars(argparse)["_"] = lambda word: words.get(word, word)  # translate argparse's own words: it calls gettext as `_`
    shape: dict[str, Any] = {"formatter_class": _Help, "allow_abbrev": False}
    about = text("program") if chosen else f"{text('program')}\n\n{_games(text('program-games'))}"
    parser = _Parser("companion", description=about, epilog=text("program-examples"), **shape)
    parser.add_argument("--lang", choices=LANGUAGES, help=text("lang"))
    parser.add_argument("--version", action="version", version=f"companion {__version__}", help=text("version"))
    # With `prog` given, argparse does not format a page of help to find it.
    commands = parser.add_subparsers(prog="companion", metavar="COMMAND", required=True)
    if chosen is None:
        for name in HOMES:
            commands.add_parser(name, help=text(name), **shape)
        return parser
    command: Command = import_module(f"companion.commands.{HOMES[chosen]}").COMMANDS[chosen]
    examples = text(f"{chosen}-examples")
    added = commands.add_parser(chosen, help=text(chosen), description=text(chosen), epilog=examples, **shape)
    for argument in command.arguments:
        added.add_argument(*argument.name.split(", "), help=text(argument.help), **argument.settings)
    added.add_argument("--lang", choices=LANGUAGES, help=text("lang"))
    added.set_defaults(command=command.run)
    return parser
