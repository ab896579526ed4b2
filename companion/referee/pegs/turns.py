"""The turns behind a look at Pegs, and what was put and laid behind one at its solitaire."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import repeat

from companion.games.pegs import FIRST_PEGS, Move, Pegs, PegsSolo, Phase
from companion.games.squares import SEVEN
from companion.referee.evidence import Evidence
from companion.referee.explanations import count_turns
from companion.referee.pegs.cards import Table
from companion.referee.pegs.in_turns import orders
from companion.referee.pegs.sight import FACES, PEGGED, pegs_seen
from companion.referee.search import PUT_ONLY, Reached

# Ways to lay the cards that are told of one look at most.
MOST_WAYS = 12
# As many positions of another game take as long as a way to lay the cards that is only begun, and as one that is found.
BEGUN, FOUND = 10, 25
# Turns that may have been made before anybody knew that the first pegs were all put.
MOST_UNSEEN = 4


def candidate_turns(position: Pegs | PegsSolo, evidence: Evidence) -> Iterator[tuple[Move, ...]]:
    """One turn at most, the rest of the one before included; alone, all that was put and laid."""
    if position.outcome() or (isinstance(position, Pegs) and _are_several_turns(position, evidence)):
        return
    for moves in _plays(position, evidence, Table(position, evidence)):
        if moves and (isinstance(position, PegsSolo) or count_turns(position, moves) <= _most_turns(position)):
            yield moves


def several_turns(
    position: Pegs | PegsSolo, evidence: Evidence, turns: int, thoroughly: bool
) -> Generator[Reached | None, None, bool]:
    """Any number of turns. `thoroughly`: however the marks seem to lie."""
    if turns == PUT_ONLY and not position.outcome() and (thoroughly or isinstance(position, Pegs)):
        table = Table(position, evidence, by_marks=not thoroughly)
        for moves in _plays(position, evidence, table):
            if moves is None:
                yield from repeat(None, BEGUN)
                continue
            after: Pegs | PegsSolo = position
            for move in moves:
                after = after.play(move)  # type: ignore[arg-type]
            yield Reached(after, moves)
            yield from repeat(None, FOUND)
        if thoroughly and not table.is_through:  # there are more ways than can be gone into: that never ends
            yield from repeat(None)
    return False


def _plays(position: Pegs | PegsSolo, evidence: Evidence, table: Table) -> Iterator[tuple[Move, ...] | None]:
    """All that legal play may have put and laid, the likelier first; None after each way that is only begun."""
    if _is_taken_away(position, evidence):
        return
    sure, perhaps = pegs_seen(SEVEN.all & ~position.pegs, evidence)
    count = 0
    for way in table.ways():
        found = 0
        for pegs in (sure, *((*sure, peg) for peg in perhaps)) if way else ():
            if pegs or (way and way.cards):
                for moves in orders(position, pegs, way.cards if way else ()):
                    found = 1
                    yield moves
        if not found:
            # For pegs of several turns not every order is tried.
            table.is_through = table.is_through and not (way and len(sure) > 1)
            yield None
        count += found
        if count == MOST_WAYS:
            return


def _are_several_turns(position: Pegs, evidence: Evidence) -> bool:
    """Whether more pegs are seen than one turn puts."""
    pegs, _ = pegs_seen(SEVEN.all & ~position.pegs, evidence)
    if position.phase is Phase.FIRST_PEGS:
        return len(pegs) > 2 * FIRST_PEGS - position.pegs.bit_count() + MOST_UNSEEN
    return len(pegs) > 1


def _most_turns(position: Pegs) -> int:
    """So many turns count as one: nobody sees where White's first pegs end."""
    return MOST_UNSEEN if position.phase is Phase.FIRST_PEGS else 1


def _is_taken_away(position: Pegs | PegsSolo, evidence: Evidence) -> bool:
    """Whether a peg or a card is gone: no play explains that."""
    possible, faces = evidence.possible, frozenset[str]().union(*FACES.values())
    pegs, cards = SEVEN.named(position.pegs), SEVEN.named(position.covered)
    return not all(possible[s] & PEGGED for s in pegs) or not all(possible[s] & faces for s in cards)
