"""A game that nothing in the tree knows: four in a row, mushrooms against blockers, on the 7×7 field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from companion.errors import Reason, UnreadableMove
from companion.games.game import Game, Words
from companion.games.position import Outcome, Piece, Position, Seat, Trace, Visible
from companion.games.squares import SEVEN
from companion.games.value import value

CODES = ("o", "#")
LINES = [
    [n for k in range(4) if (n := SEVEN.at(x + k * dx, y + k * dy)) is not None]
    for x in range(7)
    for y in range(7)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
]


@value
class Put:
    square: str

    def __str__(self) -> str:
        return self.square


def read(text: str) -> Put:
    if not re.fullmatch("[a-z][0-9]", text):
        raise UnreadableMove(text=text)
    return Put(text)


@value
class Four(Position[Put]):
    cells: str = "." * 49
    turn: int = 0

    @property
    def players(self) -> tuple[Seat, ...]:
        return ("mushrooms", "blockers")

    @property
    def to_move(self) -> Seat | None:
        return None if self.outcome() else self.players[self.turn]

    def moves(self) -> Iterator[Put]:
        return iter([] if self.outcome() else [Put(SEVEN.names[n]) for n in range(49) if self.cells[n] == "."])

    def why_not(self, move: Put) -> Reason | None:
        free = move.square in SEVEN.number and self.cells[SEVEN.number[move.square]] == "."
        return None if free else Reason("four.1", "square-taken", {"square": move.square})

    def play(self, move: Put) -> Four:
        n = SEVEN.number[move.square]
        return Four(self.cells[:n] + CODES[self.turn] + self.cells[n + 1 :], 1 - self.turn)

    def outcome(self) -> Outcome | None:
        for player, code in zip(self.players, CODES, strict=True):
            if any(len(line) == 4 and all(self.cells[n] == code for n in line) for line in LINES):
                return self.ended(player, "four")
        return None if "." in self.cells else self.ended(None, "full")

    def trace(self, move: Put) -> Trace:
        return Trace(to=(move.square,), pieces=(Piece(("mushroom", "blocker")[self.turn]),))

    def visible(self) -> Visible:
        return SEVEN.picture(self.cells.__getitem__)

    def explain_illegal(self, seen: Visible) -> Reason:
        return Reason("four.1", "unexplained", {})

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> Four:
        return Four("".join(SEVEN.seen(seen, lambda code: code in ".o#")), self.players.index(to_move))


def start(options: Mapping[str, Any], setup: Mapping[str, Any]) -> Four:
    return Four()


WORDS = Words("Four", "four in a row")
FOUR = Game(
    "four",
    "seven",
    ("mushrooms", "blockers"),
    start,
    read,
    {"en": WORDS, "fr": WORDS},
    pieces={".": "bare", "o": "mushroom", "#": "blocker"},
)
