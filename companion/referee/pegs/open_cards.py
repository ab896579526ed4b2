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
    positions, looks = list(line.positions), (*line.looks, len(line.moves) + len(moves))
    for move in moves:
        position = position.play(move)
        positions.append(position)
    all_moves = (*line.moves, *moves)
    laid = _laid_by_looks(looks, all_moves, positions)
    cards = one_each([list(card.blocks) for part in laid for card in part])
    if cards is None:
        return None
    said, named = iter(cards), list[list[tuple[_Laid, str]]]()
    for part in laid:
        named.append([(card, next(said)) for card in part])
    changed = [n for n, part in enumerate(named) if any(name != next(iter(card.blocks)) for card, name in part)]
    first = min(changed, default=len(named) - 1)
    after = line._replace(moves=all_moves[: looks[first]], positions=tuple(positions[: looks[first] + 1]))
    made = list(looks[: first + 1])
    for n, (begun, then) in list(enumerate(pairwise(looks)))[first:]:
        part: Moves | None = all_moves[begun:then]
        if n in changed:
            part = _laid_otherwise(after.position, part, named[n], positions[then])
        if part is None or not is_legal(after.position, part):
            return None
        after = after.then(part)
        made.append(len(after.moves))
    return after._replace(looks=tuple(made[:-1]))


def _laid_otherwise(
    position: AnyPosition, moves: Moves, named: Iterable[tuple[_Laid, str]], then: AnyPosition
) -> Moves | None:
    """The moves of a look with these cards, that lead to what was seen then; None if there are none."""
    pegs = [move for move in moves if isinstance(move, Peg)]
    cards = [Shown(card.owner, card.squares, card.blocks[name]) for card, name in named]
    for order in orders(position, pegs, cards):
        after = position
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


def _laid_by_looks(
    looks: Sequence[int], moves: Sequence[Any], positions: Sequence[AnyPosition]
) -> list[list[_Laid]]:
    """The cards that were laid between these looks, for each the topmost first."""
    to_be_had = _to_be_had(positions[looks[0]])
    return [
        list(_laid(moves[made:then], positions[made : then + 1], to_be_had)) for made, then in pairwise(looks)
    ]


def _laid(moves: Sequence[Any], positions: Sequence[AnyPosition], to_be_had: frozenset[str]) -> Iterator[_Laid]:
    covers = [(move, positions[n].to_move) for n, move in enumerate(moves) if isinstance(move, Cover)]
    new, above, pegs = union(BLOCK_SQUARES[move] for move, _ in covers), 0, positions[-1].pegs
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


def _to_be_had(position: AnyPosition) -> frozenset[str]:
    if isinstance(position, PegsSolo):
        return position.unused
    assert isinstance(position, Pegs)
    return (position.unseen | {card for hand in position.hands for card in hand.drawn}) & CARDS
