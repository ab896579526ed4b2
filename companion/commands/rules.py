"""The commands that need nothing but the rules: judge, moves, perft."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from companion.commands import Argument, Command
from companion.games.position import BadInput, perft
from companion.record import Record, Replay, illegal_move, read_record, replay

T = TypeVar("T")
LARGEST = 16 << 20  # bytes of a record; a game of a million moves is smaller
OPEN_FAILURES = {FileNotFoundError: "no-file", IsADirectoryError: "a-directory"}


def _judge(given: argparse.Namespace, language: str) -> int:
    from companion.judge import judge

    def answer(record: Record) -> dict[str, Any]:
        return judge(record, language) | ({"analysis": _analysed(record, given.seconds)} if given.analyse else {})

    print(json.dumps(checked(given.record, answer), ensure_ascii=False))
    return 0


def _analysed(record: Record, seconds: str | None) -> list[dict[str, Any]]:
    from companion.analysis import SECONDS, thrown_away
    from companion.commands.thinking import seconds_of

    def told(at: int, of: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{at}/{of}", end="\n" if at == of else "", file=sys.stderr, flush=True)

    return [mistake._asdict() for mistake in thrown_away(record, seconds_of(seconds, SECONDS), told)]


def _moves(given: argparse.Namespace, language: str) -> int:
    played = legal(given.record)
    moves = [] if played.outcome else sorted(map(str, played.position.moves()))
    print(json.dumps(moves, ensure_ascii=False))
    return 0


def _perft(given: argparse.Namespace, language: str) -> int:
    if not given.depth.isascii() or not given.depth.isdigit() or len(given.depth) > 9:
        raise BadInput("--depth", "not-a-depth", value=given.depth)
    depth = int(given.depth)
    played = legal(given.record)
    try:
        print(0 if played.outcome and depth else perft(played.position, depth, {}))
    except RecursionError:
        raise BadInput("--depth", "too-deep", value=given.depth) from None
    return 0


RECORD = Argument("record", "record", {"metavar": "RECORD"})
AS_JSON = Argument("--json", "json", {"action": "store_true"})
COMMANDS = {
    "judge": Command(
        _judge,
        (
            RECORD,
            Argument("--analyse", "judge-analyse", {"action": "store_true"}),
            Argument("--seconds", "judge-seconds", {"metavar": "S"}),
            AS_JSON,
        ),
    ),
    "moves": Command(_moves, (RECORD, AS_JSON)),
    "perft": Command(_perft, (RECORD, Argument("--depth", "depth", {"metavar": "N", "required": True}))),
}


# --- reading records


def checked(source: str, use: Callable[[Record], T]) -> T:
    """Read a record and use it; whatever is wrong with it is said with the file's name."""
    name = "standard input" if source == "-" else source
    try:
        return use(read_record(text_of(source)))
    except BadInput as bad:
        raise BadInput(f"{name}: {bad.field}" if bad.field else name, bad.code, **bad.params) from None


def legal(source: str) -> Replay:
    """A record played to its end; here an illegal move is bad input."""
    return checked(source, must_be_legal)


def must_be_legal(record: Record) -> Replay:
    played = replay(record)
    if played.illegal:
        raise illegal_move(played.illegal)
    return played


def text_of(source: str) -> str:
    try:
        if source == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(LARGEST + 1)
    except OSError as error:
        code = OPEN_FAILURES.get(type(error), "cannot-open")
        raise BadInput("", code, error=error.strerror) from None
    except ValueError as error:  # a name with a null character
        raise BadInput("", "cannot-open", error=str(error)) from None
    if len(data) > LARGEST:
        raise BadInput("", "too-large", most=LARGEST >> 20)
    if not data.strip():
        raise BadInput("", "empty")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("", "not-utf8") from None
