"""What a look at Pegs shows of pegs and cards, and what the search for turns takes for granted."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.pegs import Peg, Phase
from companion.games.position import Seat
from companion.games.squares import SEVEN
from companion.referee.evidence import Evidence

LAYING = (Phase.CARDS, Phase.REDRAW, Phase.LAST)  # when cards may come next
# What a look shows of a peg, and of a player's cards.
PEGGED = frozenset("oBW")
FACES: dict[Seat, frozenset[str]] = {"blue": frozenset("bB"), "white": frozenset("wW")}

# All of these were chosen by trial on simulated games; costs are natural logarithms.
# How much worse than the best way to lay the cards one may be that is still gone into.
FAR = 8.0
# What each further card costs: a card that only the lie of marks tells of needs much proof.
ANOTHER_CARD = 5.0

UNKNOWN = "?"  # a card of which it is not clear which one it is


def pegs_seen(free: int, evidence: Evidence) -> tuple[tuple[Peg, ...], list[Peg]]:
    """The pegs that surely stand on these squares, and those that may."""
    possible = evidence.possible
    squares = [square for square in SEVEN.named(free) if possible[square] & PEGGED]
    sure = tuple(Peg(square) for square in squares if possible[square] <= PEGGED)
    return sure, [Peg(square) for square in squares if not possible[square] <= PEGGED]


def shown_of(cards: list[int]) -> Iterator[int]:
    """What is seen of each card, the topmost first."""
    above = 0
    for squares in reversed(cards):
        if squares & ~above:
            yield squares & ~above
        above |= squares
