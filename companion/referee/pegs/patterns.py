"""Which of the 35 cards each card can be, where that is not seen. No two are the same one: so what is known of one
rules it out for all others."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.pegs import CARDS, Pegs, PegsSolo
from companion.games.position import Seat


def cards_left(position: Pegs | PegsSolo, owner: Seat) -> frozenset[str]:
    """The cards that a player may still lay."""
    if isinstance(position, PegsSolo):
        return position.unused
    return (position.unseen | frozenset(position.hands[owner == "white"].drawn)) & CARDS


def one_each(sets: Sequence[Sequence[str]]) -> list[str] | None:
    """A card of each of these sets, no two the same, the first ones where that is possible; None if it is not."""
    owner: dict[str, int] = {}

    def take(n: int, asked: set[str]) -> bool:
        for card in sets[n]:
            if card not in asked:
                asked.add(card)
                if card not in owner or take(owner[card], asked):
                    owner[card] = n
                    return True
        return False

    if not all(take(n, set()) for n in range(len(sets))):
        return None
    taken = {n: card for card, n in owner.items()}
    return [taken[n] for n in range(len(sets))]


def doubtful_of(sets: Sequence[Sequence[str]]) -> set[str]:
    """The cards that may turn out to be none of these, of those that come first in their sets."""
    known: set[str] = set()
    left = sets
    while sure := {may_be[0] for may_be in left if len(may_be) == 1}:
        known |= sure
        left = [[card for card in may_be if card not in sure] for may_be in left if len(may_be) > 1]
    first = {may_be[0] for may_be in sets} - known
    return {card for card in first if one_each([[c for c in may_be if c != card] for may_be in left]) is not None}
