"""Records in files: read, and played to their end where only a legal one will do. `-` is standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from companion.errors import BadInput
from companion.record import Record, Replay, illegal_move, read_record, replay

T = TypeVar("T")
LARGEST = 16 << 20  # bytes of a record; a game of a million moves is smaller
OPEN_FAILURES = {FileNotFoundError: "no-file", IsADirectoryError: "a-directory"}


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
    """The text of a file, with a byte order mark or without."""
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
