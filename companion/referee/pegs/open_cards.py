"""What a line of play leaves open: of many cards that were laid nobody can see which they are.

What counts is what shows of them. On which block each lies, and with that which card it is, the record says in one way
of several; and says it in another where a later look shows that a card lies elsewhere. So nobody is accused of laying a
card that was only thought to be used up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from companion.games.pegs import BLOCK_SQUARES, CARDS, SHOWS, Cover, Peg, Pegs, PegsSolo, holes_needed
from companion.games.position import AnyPosition, Seat
from companion.games.squares import union
from companion.games.value import replace
from companion.referee.evidence import LookEvidence
from companion.referee.explanations import Line
from companion.referee.pegs.cards import Arranged, Shown, Table
from companion.referee.pegs.in_turns import orders
from companion.referee.pegs.patterns import doubtful_of, one_each
from companion.referee.pegs.sight import UNKNOWN

Moves = tuple[Any, ...]

# What shows on so many squares at most as one card may belong to others: marks tell little there.
FEW_SQUARES = 4
# Looks of which the ways to lay their cards are kept.
MOST_LOOKS = 64


class _Laid(NamedTuple):
    """What shows of a card, and the blocks on which it may lie, by which card it is there; first as the line says."""

    owner: Seat
    squares: int
    blocks: dict[str, tuple[Cover, ...]]


class _Look(NamedTuple):
    """The cards that were laid between two looks."""

    covered: int  # squares that they lie on
    pegs: int
    to_be_had: frozenset[str]
    cards: list[_Laid]
    is_new: bool = False  # they are others than the line says

    def blocks(self, owner: Seat, squares: int, said: Cover | None = None) -> dict[str, tuple[Cover, ...]]:
        """Where a card may lie of which this shows: what does not show of it is below others."""
        found: dict[str, tuple[Cover, ...]] = {}
        if said:
            found[SHOWS[owner][holes_needed(said, self.pegs)]] = (said,)
        for block, under in BLOCK_SQUARES.items():
            if block != said and not squares & ~under and not under & ~self.covered:
                card = SHOWS[owner][holes_needed(block, self.pegs)]
                if card in self.to_be_had:
                    found[card] = (*found.get(card, ()), block)
        return found

    def otherwise(self, way: Arranged) -> _Look:
        """With other cards, of which the same shows."""
        look = self._replace(covered=union(card.squares for card in way.cards))
        cards = [_Laid(owner, squares, look.blocks(owner, squares)) for owner, squares, _ in way.cards]
        return look._replace(cards=cards, is_new=True)


def left_open(line: Line) -> AnyPosition:
    """The position, in which every card may still be had that may turn out not to have been laid."""
    position = line.position
    if not isinstance(position, Pegs | PegsSolo) or not line.looks or (isinstance(position, Pegs) and position.deck):
        return position
    laid = [card for look in _laid_by_looks(line.looks, line.moves, line.positions) for card in look.cards]
    doubtful = doubtful_of([list(card.blocks) for card in laid])
    doubtful |= {next(iter(card.blocks)) for card in laid if card.squares.bit_count() <= FEW_SQUARES}
    if not doubtful:
        return position
    if isinstance(position, Pegs):
        return replace(position, unseen=position.unseen | doubtful)
    cards = [replace(placed, card=UNKNOWN) if placed.card in doubtful else placed for placed in position.cards]
    return replace(position, cards=tuple(cards))


def gone_on(line: Line, moves: Sequence[Any]) -> Line | None:
    """The line with these moves, and with those cards before them that they leave; None if there are none."""
    if is_legal(line.position, moves):
        return line.then(moves)
    position = left_open(line)
    positions, all_moves = list(line.positions), (*line.moves, *moves)
    for move in moves:
        position = position.play(move)
        positions.append(position)
    made = (*line.looks, len(all_moves))
    looks = _made_possible(line, _laid_by_looks(made, all_moves, positions))
    found = one_each(_sets(looks or []))
    if looks is None or found is None:
        return None
    names = iter(found)
    named = [[(card, next(names)) for card in look.cards] for look in looks]
    changed = [
        n for n, cards in enumerate(named) if looks[n].is_new or any(name != next(iter(c.blocks)) for c, name in cards)
    ]
    first = min(changed, default=len(line.looks) - 1)
    after = line._replace(moves=all_moves[: made[first]], positions=tuple(positions[: made[first] + 1]))
    made_then = list(made[:first])
    for n in range(first, len(named)):
        made_then.append(len(after.moves))
        part: Moves | None = all_moves[made[n] : made[n + 1]]
        if part and n in changed:
            part = _laid_otherwise(after.position, part, named[n], positions[made[n + 1]])
        if part is None or not is_legal(after.position, part):
            return None
        after = after.then(part)
    return after._replace(looks=tuple(made_then))


def _made_possible(line: Line, looks: list[_Look]) -> list[_Look] | None:
    """The cards of these looks, those of one look others than the line says where two of them would have to be the
    same; None if that does not help."""
    if one_each(_sets(looks)) is not None:
        return looks
    for n in range(len(line.evidence) - 1, -1, -1):
        begun = line.positions[line.looks[n]]
        assert isinstance(begun, Pegs | PegsSolo)
        for way in _ways(_all_to_be_had(begun, looks[n].to_be_had), line.evidence[n]):
            others = [*looks[:n], looks[n].otherwise(way), *looks[n + 1 :]]
            if one_each(_sets(others)) is not None:
                return others
    return None


def _all_to_be_had(position: Pegs | PegsSolo, cards: frozenset[str]) -> Pegs | PegsSolo:
    return replace(position, unseen=cards) if isinstance(position, Pegs) else position


@lru_cache(MOST_LOOKS)
def _ways(position: Pegs | PegsSolo, evidence: LookEvidence) -> list[Arranged]:
    return sorted([way for way in Table(position, evidence).ways() if way], key=lambda way: way.cost)


def _sets(looks: Iterable[_Look]) -> list[list[str]]:
    return [list(card.blocks) for look in looks for card in look.cards]


def _laid_otherwise(
    position: AnyPosition, moves: Moves, named: Iterable[tuple[_Laid, str]], then: AnyPosition
) -> Moves | None:
    """The moves of a look with these cards, that lead to what was seen then; None if there are none."""
    assert isinstance(position, Pegs | PegsSolo)
    pegs = [move for move in moves if isinstance(move, Peg)]
    cards = [Shown(card.owner, card.squares, card.blocks[name]) for card, name in named]
    for order in orders(position, pegs, cards):
        after: AnyPosition = position
        for move in order:
            after = after.play(move)
        if after.stands() == then.stands():
            return order
    return None


def is_legal(position: AnyPosition, moves: Iterable[Any]) -> bool:
    for move in moves:
        if move is None or position.why_not(move):
            return False
        position = position.play(move)
    return True


def _laid_by_looks(made: Sequence[int], moves: Sequence[Any], positions: Sequence[AnyPosition]) -> list[_Look]:
    """The cards that were laid between these looks."""
    begun = positions[made[0]]
    assert isinstance(begun, Pegs | PegsSolo)
    to_be_had = begun.unused if isinstance(begun, PegsSolo) else _to_be_had(begun)
    return [_look(moves[n:then], positions[n : then + 1], to_be_had) for n, then in pairwise(made)]


def _look(moves: Sequence[Any], positions: Sequence[AnyPosition], to_be_had: frozenset[str]) -> _Look:
    seen = positions[-1]
    assert isinstance(seen, Pegs | PegsSolo)
    covers = [(move, positions[n].to_move) for n, move in enumerate(moves) if isinstance(move, Cover)]
    look = _Look(union(BLOCK_SQUARES[move] for move, _ in covers), seen.pegs, to_be_had, [])
    above = 0
    for move, seat in reversed(covers):
        owner, squares = "white" if seat == "white" else "blue", BLOCK_SQUARES[move] & ~above
        look.cards.append(_Laid(owner, squares, look.blocks(owner, squares, move)))
        above |= squares
    return look


def _to_be_had(position: Pegs) -> frozenset[str]:
    return (position.unseen | {card for hand in position.hands for card in hand.drawn}) & CARDS
