"""Reads records from files or from standard input (`-`), with errors that name the file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from companion.errors import BadInput
from companion.record import Record, Replay, illegal_move, read_record, replay

T = TypeVar("T")
MAX_SIZE = 16 << 20  # bytes; a game of a million moves is smaller
OPEN_FAILURES = {FileNotFoundError: "no-file", IsADirectoryError: "a-directory"}


def use_record(source: str, use: Callable[[Record], T]) -> T:
    """Read a record and pass it to `use`. The file's name is added to any BadInput."""
    name = "standard input" if source == "-" else source
    try:
        return use(read_record(read_text(source)))
    except BadInput as bad:
        raise BadInput(f"{name}: {bad.field}" if bad.field else name, bad.code, **bad.params) from None


def read_legal(source: str) -> Replay:
    """Read and replay a record. BadInput if a move is illegal."""
    return use_record(source, require_legal)


def require_legal(record: Record) -> Replay:
    played = replay(record)
    if played.illegal:
        raise illegal_move(played.illegal)
    return played


def read_text(source: str) -> str:
    """The text of a file, without a byte order mark."""
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_SIZE + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(MAX_SIZE + 1)
    except OSError as error:
        code = OPEN_FAILURES.get(type(error), "cannot-open")
        raise BadInput("", code, error=error.strerror) from None
    except ValueError as error:  # a name with a null character
        raise BadInput("", "cannot-open", error=str(error)) from None
    if len(data) > MAX_SIZE:
        raise BadInput("", "too-large", most=MAX_SIZE >> 20)
    if not data.strip():
        raise BadInput("", "empty")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("", "not-utf8") from None
