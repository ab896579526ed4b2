"""What a line of play leaves open: of many cards that were laid nobody can see which they are.

What counts is what shows of them. On which block each lies, and with that which card it is, the record says in one way
of several; and says it in another where a later look shows that a card lies elsewhere. So nobody is accused of laying a
card that was only thought to be used up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from companion.games.pegs import BLOCK_SQUARES, CARDS, SHOWS, Cover, Peg, Pegs, PegsSolo, holes_needed
from companion.games.position import AnyPosition, Seat
from companion.games.squares import union
from companion.games.value import replace
from companion.referee.explanations import Line
from companion.referee.pegs.cards import Shown
from companion.referee.pegs.in_turns import orders
from companion.referee.pegs.patterns import doubtful_of, one_each
from companion.referee.pegs.sight import UNKNOWN

Moves = tuple[Any, ...]


class _Laid(NamedTuple):
    """What shows of a card, and the blocks on which it may lie, by which card it is there; first as the line says."""

    owner: Seat
    squares: int
    blocks: dict[str, tuple[Cover, ...]]


def left_open(line: Line) -> AnyPosition:
    """The position, in which every card may still be had that may turn out not to have been laid."""
    position = line.position
    if not isinstance(position, Pegs | PegsSolo) or not line.looks or (isinstance(position, Pegs) and position.deck):
        return position
    laid = [card for part in _laid_by_looks(line.looks, line.moves, line.positions) for card in part]
    doubtful = doubtful_of([list(card.blocks) for card in laid])
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
    looks = (*line.looks, len(all_moves))
    laid = _laid_by_looks(looks, all_moves, positions)
    found = one_each([list(card.blocks) for cards in laid for card in cards])
    if found is None:
        return None
    names = iter(found)
    named = [[(card, next(names)) for card in cards] for cards in laid]
    changed = [n for n, cards in enumerate(named) if any(name != next(iter(card.blocks)) for card, name in cards)]
    first = min(changed, default=len(line.looks) - 1)
    after = line._replace(moves=all_moves[: looks[first]], positions=tuple(positions[: looks[first] + 1]))
    made = list(looks[:first])
    for n in range(first, len(named)):
        made.append(len(after.moves))
        part: Moves | None = all_moves[looks[n] : looks[n + 1]]
        if part and n in changed:
            part = _laid_otherwise(after.position, part, named[n], positions[looks[n + 1]])
        if part is None or not is_legal(after.position, part):
            return None
        after = after.then(part)
    return after._replace(looks=tuple(made))


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


def _laid_by_looks(looks: Sequence[int], moves: Sequence[Any], positions: Sequence[AnyPosition]) -> list[list[_Laid]]:
    """The cards that were laid between these looks, for each the topmost first."""
    to_be_had = _to_be_had(positions[looks[0]])
    return [list(_laid(moves[made:then], positions[made : then + 1], to_be_had)) for made, then in pairwise(looks)]


def _laid(moves: Sequence[Any], positions: Sequence[AnyPosition], to_be_had: frozenset[str]) -> Iterator[_Laid]:
    covers = [(move, positions[n].to_move) for n, move in enumerate(moves) if isinstance(move, Cover)]
    new, above, pegs = union(BLOCK_SQUARES[move] for move, _ in covers), 0, _pegs(positions[-1])
    for move, seat in reversed(covers):
        owner = "white" if seat == "white" else "blue"
        squares = BLOCK_SQUARES[move] & ~above
        above |= squares
        blocks: dict[str, tuple[Cover, ...]] = {SHOWS[owner][holes_needed(move, pegs)]: (move,)}
        for block, covered in BLOCK_SQUARES.items():
            if block != move and not squares & ~covered and not covered & ~new:
                card = SHOWS[owner][holes_needed(block, pegs)]
                if card in to_be_had:
                    blocks[card] = (*blocks.get(card, ()), block)
        yield _Laid(owner, squares, blocks)


def _pegs(position: AnyPosition) -> int:
    assert isinstance(position, Pegs | PegsSolo)
    return position.pegs


def _to_be_had(position: AnyPosition) -> frozenset[str]:
    if isinstance(position, PegsSolo):
        return position.unused
    assert isinstance(position, Pegs)
    return (position.unseen | {card for hand in position.hands for card in hand.drawn}) & CARDS
