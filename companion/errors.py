"""Errors as codes with parameters. The message catalogs turn them into sentences."""

from collections.abc import Mapping
from typing import NamedTuple


class Reason(NamedTuple):
    """Why a move is illegal: the rule's number, and a message code with parameters."""

    rule: str
    code: str
    params: Mapping[str, object]


class UnreadableMove(Exception):
    """A text that is not a move of this game."""

    def __init__(self, code: str = "unreadable", **params: object) -> None:
        super().__init__(code)
        self.reason = Reason("format", code, params)


class BadInput(Exception):
    """A value, record, file or request that is refused. `field` says where, `code` why."""

    def __init__(self, field: str, code: str, /, **params: object) -> None:
        super().__init__(f"{field}: {code}")
        self.field, self.code, self.params = field, code, params


class MoreThanTheKit(BadInput):
    """More pieces of a kind than the kit has. If a camera shows this, the look was misread."""
