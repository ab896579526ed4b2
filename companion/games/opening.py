"""How a game begins in front of a camera: the setup is read from the table, and the players are told what is wrong."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.games.position import AnyPosition, Visible
from companion.games.squares import squares_showing

Options = Mapping[str, Any]  # by name
Setup = Mapping[str, Any]  # by field, as in a record
Start = Callable[[Options, Setup], AnyPosition]


class Lacking(NamedTuple):
    """Pieces that may be on any squares: how many are there, and how many are needed."""

    code: str
    there: int
    needed: int


class Hidden(NamedTuple):
    """A die whose orientation a camera cannot see: the possible south faces."""

    square: str
    die: str
    south: tuple[int, ...]
    usual: int | None  # the south face in the opening, if the opening has such a die here


class Opening:
    """The default: the board must look as at the start of the game."""

    def from_look(
        self, options: Options, setup: Setup, seen: Visible, told: Mapping[str, str]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Options and setup, completed from the table. `told`: by square, the south faces of dice that a person has
        entered. BadInput if more must be entered."""
        return dict(options), dict(setup)

    def should_be(self, start: Start, options: Options, setup: Setup, seen: Visible) -> Visible:
        """The view that is expected; pieces that may be anywhere are expected where they are seen."""
        return start(options, setup).visible()

    def lacking(self, setup: Setup, seen: Visible) -> Lacking | None:
        """How many pieces that may be anywhere are there, and how many are needed; None if there are no such pieces."""
        return None

    def hidden(self, should: Visible, seen: Visible, options: Options) -> tuple[Hidden, ...]:
        """The dice whose south face a person must enter before the game can begin."""
        return ()


class ChosenSquares(Opening):
    """A number of pieces of one kind, on squares that the players choose."""

    def __init__(self, field: str, code: str, count: int) -> None:
        self.field, self.code, self.count = field, code, count

    def from_look(
        self, options: Options, setup: Setup, seen: Visible, told: Mapping[str, str]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        return dict(options), {self.field: squares_showing(seen, self.code), **setup}

    def should_be(self, start: Start, options: Options, setup: Setup, seen: Visible) -> Visible:
        if self.field in setup:
            return super().should_be(start, options, setup, seen)
        return {"rows": [[cell if cell == self.code else "." for cell in row] for row in seen["rows"]]}

    def lacking(self, setup: Setup, seen: Visible) -> Lacking | None:
        if self.field in setup:
            return None
        return Lacking(self.code, len(squares_showing(seen, self.code)), self.count)
