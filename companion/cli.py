"""The `companion` command. Each command says what it answers; bad input is one line and exit status 2."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from companion import __version__
from companion.games import GAME_IDS
from companion.games.position import BadInput
from companion.messages import LANGUAGES, help_text, language_of, say_bad, say_reason
from companion.record import Record, Replay, read_record, replay

T = TypeVar("T")
OPEN_FAILURES = {FileNotFoundError: "no-file", IsADirectoryError: "a-directory"}


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    for stream in filter(None, (sys.stdout, sys.stderr)):
        # lone surrogates of a record come out as JSON escapes, not as a crash
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    language = _language(arguments)
    try:
        only = arguments[0] if arguments and arguments[0] in COMMANDS else None
        given = _parser(language, only).parse_args(arguments)
        given.command(given, language)
        if sys.stdout:
            sys.stdout.flush()
    except BadInput as bad:
        return _complain(bad, language)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left in the buffer goes nowhere
        if not isinstance(error, BrokenPipeError):  # there, whoever read our output has seen enough
            return _complain(BadInput("", "cannot-write", error=error.strerror), language)
    except KeyboardInterrupt:
        return 130
    return 0


def _complain(bad: BadInput, language: str) -> int:
    print(f"companion: {say_bad(bad, language)}", file=sys.stderr)
    return 2


def _moves(given: argparse.Namespace, language: str) -> None:
    played = _played(given.record, language)
    moves = [] if played.outcome else sorted(map(str, played.position.moves()))
    print(json.dumps(moves, ensure_ascii=False))


def _perft(given: argparse.Namespace, language: str) -> None:
    from companion.games.position import perft

    if not given.depth.isascii() or not given.depth.isdigit() or len(given.depth) > 9:
        raise BadInput("--depth", "not-a-depth", value=given.depth)
    depth = int(given.depth)
    played = _played(given.record, language)
    try:
        print(0 if played.outcome and depth else perft(played.position, depth, {}))
    except RecursionError:
        raise BadInput("--depth", "too-deep", value=given.depth) from None


def _judge(given: argparse.Namespace, language: str) -> None:
    from companion.judge import judge

    print(json.dumps(_checked(given.record, lambda record: judge(record, language)), ensure_ascii=False))


def _demo(given: argparse.Namespace, language: str) -> None:
    import random

    from companion.terminal import demo

    seed = random.randrange(10_000) if given.seed is None else given.seed
    colored = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for line in demo((given.game,) if given.game else GAME_IDS, seed, language, colored):
        print(line, flush=True)


COMMANDS: dict[str, Callable[[argparse.Namespace, str], None]] = {
    "judge": _judge,
    "moves": _moves,
    "perft": _perft,
    "demo": _demo,
}


# --- reading what was given


def _checked(source: str, use: Callable[[Record], T]) -> T:
    """Read a record and use it; whatever is wrong with it is said with the file's name."""
    name = "standard input" if source == "-" else source
    try:
        return use(read_record(_text(source)))
    except BadInput as bad:
        raise BadInput(f"{name}: {bad.field}" if bad.field else name, bad.code, **bad.params) from None


def _text(source: str) -> str:
    try:
        if source == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(source, "rb") as file:
                data = file.read()
    except OSError as error:
        code = OPEN_FAILURES.get(type(error), "cannot-open")
        raise BadInput("", code, error=error.strerror) from None
    except ValueError as error:  # a name with a null character
        raise BadInput("", "cannot-open", error=str(error)) from None
    if not data.strip():
        raise BadInput("", "empty")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("", "not-utf8") from None


def _played(source: str, language: str) -> Replay:
    """A record played to its end; here an illegal move is bad input."""

    def play(record: Record) -> Replay:
        played = replay(record)
        if illegal := played.illegal:
            reason = say_reason(illegal.reason, language)
            params = {"move": illegal.move, "rule": illegal.reason.rule, "reason": reason}
            raise BadInput(f"moves[{illegal.ply}]", "illegal-move", **params)
        return played

    return _checked(source, play)


# --- the command line


class _Parser(argparse.ArgumentParser):
    """Bad usage is bad input like any other: one line."""

    def error(self, message: str) -> NoReturn:
        raise BadInput("", "usage", error=message)


def _language(arguments: list[str]) -> str:
    """Known before the arguments are parsed, so that help and errors can use it."""
    for n, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            value = value or (arguments[n + 1] if n + 1 < len(arguments) else "")
            if value in LANGUAGES:
                return value
    return language_of()


def _parser(language: str, only: str | None = None) -> _Parser:
    """The command line. With `only`, just that command's part of it: the others need not be built to run it."""

    def text(code: str) -> str:
        return help_text(code, language)

    shape: dict[str, Any] = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
    parser = _Parser("companion", description=text("program"), epilog=text("program-examples"), **shape)
    parser.add_argument("--lang", choices=LANGUAGES, help=text("lang"))
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    # with its name given, argparse need not lay out a page of help to find it
    commands = parser.add_subparsers(prog="companion", metavar="COMMAND", required=True)
    for name, run in COMMANDS.items():
        if only not in (None, name):
            continue
        examples = text(f"{name}-examples")
        command = commands.add_parser(name, help=text(name), description=text(name), epilog=examples, **shape)
        command.add_argument("--lang", choices=LANGUAGES, help=text("lang"))
        command.set_defaults(command=run)
        if name == "demo":
            games = f"{text('demo-game')}: {', '.join(GAME_IDS)}"
            command.add_argument("--game", choices=GAME_IDS, metavar="ID", help=games)
            command.add_argument("--seed", type=int, metavar="N", help=text("demo-seed"))
            continue
        command.add_argument("record", metavar="RECORD", help=text("record"))
        if name == "perft":
            command.add_argument("--depth", metavar="N", required=True, help=text("depth"))
        else:
            command.add_argument("--json", action="store_true", help=argparse.SUPPRESS)  # it is JSON anyway
    return parser
