"""Why something is refused. Codes and parameters only: the message catalogues make sentences of them."""

from collections.abc import Mapping
from typing import NamedTuple


class Reason(NamedTuple):
    """Why a move is refused: the rule's number, and a code with parameters for the message catalogues."""

    rule: str
    code: str
    params: Mapping[str, object]


class UnreadableMove(Exception):
    """Text that is no move of this game."""

    def __init__(self, code: str = "unreadable", **params: object) -> None:
        super().__init__(code)
        self.reason = Reason("format", code, params)


class BadInput(Exception):
    """A set-up, option, record or file that cannot be; `field` says where, the code says what."""

    def __init__(self, field: str, code: str, /, **params: object) -> None:
        super().__init__(f"{field}: {code}")
        self.field, self.code, self.params = field, code, params


class MoreThanTheKit(BadInput):
    """More pieces of a kind than there are: where a camera shows this, it is misread somewhere."""
