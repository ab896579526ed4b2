"""What the referee says of a look."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from companion.errors import Reason


class VerdictKind(StrEnum):
    SAME = "same"  # nothing has changed
    MOVE = "move"  # moves were made
    PARTIAL = "partial"  # a turn is being made
    ILLEGAL = "illegal"  # no legal turn leads to what is seen
    UNSURE = "unsure"  # the look does not decide
    HAND = "hand"  # something is in the way


class Wrong(NamedTuple):
    """A square that is not as it should be. For a pawn: its name, and where it should be and is seen."""

    square: str
    should: str
    seen: str


class Verdict(NamedTuple):
    kind: VerdictKind
    moves: tuple[str, ...] = ()  # new ones, unseen draws and discards included
    reason: Reason | None = None  # why illegal
    code: str = ""  # why unsure, or what else there is to say; a code of the message catalogues
    wrong: tuple[Wrong, ...] = ()  # what to put right
    back: int = 0  # so many moves were taken back before `moves` were made; a person must agree to it
    settled: int = 0  # so many of the moves told before are replaced by `moves`, since the camera knows better now
    earlier: int = 0  # so many of `moves` were made before the last look that was told: they replace what was told then
    open: tuple[tuple[str, ...], ...] = ()  # other moves that explain the looks as well
    on: tuple[str, ...] = ()  # squares on which something stands that is no part of the game
    order_open: bool = False  # the moves may have been made in another order, or otherwise: the game goes on alike
