"""Which cards are used up, where it is not seen which cards were laid: for each of them the set of those that it may be.

Two cards are never the same one. So what is seen of a later card rules it out for those before it, and where a card may
have been one of several, the record names one of them: another when a later look asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from companion.games.pegs import BLOCK_SQUARES, CARDS, SHOWS, Cover, Peg, Pegs, PegsSolo, holes_needed
from companion.games.position import AnyPosition
from companion.games.squares import SEVEN
from companion.games.value import replace
from companion.referee.explanations import Line
from companion.referee.pegs.sight import UNKNOWN


class _Laid(NamedTuple):
    """A card of a line: which move it is, and the blocks on which it may lie by what shows of it, each with the card
    that it is there; the one that the line names comes first."""

    at: int
    blocks: dict[str, Cover]


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


def left_open(line: Line) -> AnyPosition:
    """The position, in which all cards may still be had that may turn out not to have been laid."""
    position = line.position
    if not isinstance(position, Pegs | PegsSolo) or (isinstance(position, Pegs) and position.deck):
        return position
    sets = [list(card.blocks) for card in _laid(line.looks, line.moves, line.positions)]
    free = {
        card for card, *others in sets if others and one_each([[c for c in may_be if c != card] for may_be in sets])
    }
    if not free:
        return position
    if isinstance(position, Pegs):
        return replace(position, unseen=position.unseen | free)
    cards = [replace(placed, card=UNKNOWN) if placed.card in free else placed for placed in position.cards]
    return replace(position, cards=tuple(cards))


def gone_on(line: Line, moves: Sequence[Any]) -> Line | None:
    """The line with these moves, and with those cards before them that they leave; None if there are none."""
    if _is_legal(line.position, moves):
        return line.then(moves)
    position = left_open(line)
    all_moves, positions = (*line.moves, *moves), list(line.positions)
    for move in moves:
        position = position.play(move)
        positions.append(position)
    laid = list(_laid((*line.looks, len(all_moves)), all_moves, positions))
    cards = one_each([list(card.blocks) for card in laid])
    if cards is None:
        return None
    named = {slot.at: slot.blocks[card] for slot, card in zip(laid, cards, strict=True)}
    told = tuple([named.get(at, move) for at, move in enumerate(all_moves)])
    first = next((at for at, move in enumerate(line.moves) if told[at] != move), len(line.moves))
    if None in told[first:] or not _is_legal(line.positions[first], told[first:]):
        return None
    return line._replace(moves=line.moves[:first], positions=line.positions[: first + 1]).then(told[first:])


def _is_legal(position: AnyPosition, moves: Iterable[Any]) -> bool:
    for move in moves:
        if position.why_not(move):
            return False
        position = position.play(move)
    return True


def _laid(looks: Sequence[int], moves: Sequence[Any], positions: Sequence[AnyPosition]) -> Iterator[_Laid]:
    """The cards that were laid between these looks."""
    if not looks:
        return
    to_be_had = _to_be_had(positions[looks[0]])
    for made, then in pairwise(looks):
        pegs = positions[then].pegs
        above = later = 0  # squares below cards that were laid later, and squares of pegs that were put later
        for at in range(then - 1, made - 1, -1):
            move = moves[at]
            if isinstance(move, Peg):
                later |= SEVEN.bit[move.square]
            elif isinstance(move, Cover):
                squares, owner = BLOCK_SQUARES[move], positions[at].to_move
                shows = SHOWS["white" if owner == "white" else "blue"]
                blocks = {shows[holes_needed(move, pegs)]: move}
                for block, others in BLOCK_SQUARES.items():
                    if others & ~above == squares & ~above and not others & later:
                        if (card := shows[holes_needed(block, pegs)]) in to_be_had:
                            blocks.setdefault(card, block)
                yield _Laid(at, blocks)
                above |= squares


def _to_be_had(position: AnyPosition) -> frozenset[str]:
    if isinstance(position, PegsSolo):
        return position.unused
    assert isinstance(position, Pegs)
    return (position.unseen | {card for hand in position.hands for card in hand.drawn}) & CARDS
