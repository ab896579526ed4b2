"""How a game begins with what a camera sees: what the set-up lacks is filled in from the table, and who lays the pieces
is told what is still to be done."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.games.position import AnyPosition, Visible
from companion.games.squares import squares_showing

Options = Mapping[str, Any]  # what was agreed before the game, by name
Setup = Mapping[str, Any]  # what lies where, and what was dealt, as a record has it
Start = Callable[[Options, Setup], AnyPosition]


class Lacking(NamedTuple):
    """Pieces that may lie on any squares: how many lie there, and how many are needed."""

    code: str
    there: int
    needed: int


class Hidden(NamedTuple):
    """A die of which it cannot be seen how it stands: the faces that may look south."""

    square: str
    die: str
    south: tuple[int, ...]
    usual: int | None  # the face that looks south in the opening, where a die that looks like this stands here


class Opening:
    """The plain way: the board must look as it does at the start of the game."""

    def from_look(
        self, options: Options, setup: Setup, seen: Visible, told: Mapping[str, str]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Options and set-up, with what they lack taken from the table. `told` is what a person says of dice whose
        south face cannot be seen, by square. Raises BadInput where more must be told."""
        return dict(options), dict(setup)

    def should_be(self, start: Start, options: Options, setup: Setup, seen: Visible) -> Visible:
        """How the table should look; what may lie anywhere is left where it is seen."""
        return start(options, setup).visible()

    def lacking(self, setup: Setup, seen: Visible) -> Lacking | None:
        """Pieces that may lie anywhere, counted."""
        return None

    def hidden(self, should: Visible, seen: Visible, options: Options) -> tuple[Hidden, ...]:
        """What a person must tell before the game can begin as the pieces lie."""
        return ()


class ChosenSquares(Opening):
    """So many pieces of one kind, on squares of the players' choice."""

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
