"""In which turns pegs were put and cards laid: an order that the rules allow.

Every turn puts one peg, so the pegs tell how many turns there were, and with that whose each was. Cards are given to
the turns from the last one back: each to the last turn of its owner in which it does not hide what was laid before it.
That leaves least to the turns before, so that order is found if there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from companion.games.pegs import (
    BLOCK_SQUARES,
    FIRST_PEGS,
    HAND,
    SHOWS,
    Cover,
    Draw,
    Move,
    Peg,
    Pegs,
    PegsSolo,
    Phase,
    SoloMove,
    holes_needed,
)
from companion.games.position import Seat
from companion.games.squares import SEVEN, union
from companion.referee.pegs.cards import Shown
from companion.referee.pegs.patterns import cards_left, one_each
from companion.referee.pegs.sight import LAYING

# Where the pack's order is known, cards of one turn that are tried in every order, at most.
MOST_ORDERED = 6


class _Turn(NamedTuple):
    owner: Seat
    peg: Peg | None  # none where it was put before
    blocks: tuple[Cover, ...]  # from the lowest to the topmost


class _Card(NamedTuple):
    shown: Shown
    blocks: dict[str, Cover]  # where it may lie, by which card it is there


def orders(position: Pegs | PegsSolo, pegs: Sequence[Peg], cards: Sequence[Shown]) -> Iterator[tuple[Move, ...]]:
    """These pegs put and these cards laid (the topmost first), in turns that the rules allow.

    Several where nobody saw how many of the pegs were the first ones: that decides whose turn it is.
    """
    pegs_then = position.pegs | SEVEN.set_of(peg.square for peg in pegs)
    found = [_Card(card, _blocks(position, card, pegs_then)) for card in cards]
    if not all(card.blocks for card in found):
        return
    if isinstance(position, PegsSolo):
        yield from _alone(position, pegs, found)
    elif position.phase is Phase.FIRST_PEGS:
        yield from _from_first_pegs(position, pegs, found)
    elif (moves := _in_turns(position, pegs, found)) is not None:
        yield moves


def _blocks(position: Pegs | PegsSolo, card: Shown, pegs: int) -> dict[str, Cover]:
    """Where a card may lie, by which card it is there; first what its owner is known to have."""
    left, blocks = cards_left(position, card.owner), dict[str, Cover]()
    for block in card.blocks:
        pattern = SHOWS[card.owner][holes_needed(block, pegs)]
        if pattern in left:
            blocks.setdefault(pattern, block)
    if isinstance(position, Pegs) and position.deck:
        held = (*position.hands[card.owner == "white"].drawn, *position.deck)
        return {pattern: blocks[pattern] for pattern in held if pattern in blocks}
    return blocks


def _alone(position: PegsSolo, pegs: Sequence[Peg], cards: Sequence[_Card]) -> Iterator[tuple[SoloMove, ...]]:
    """All pegs, then all cards: nothing is in anybody's way, since no peg stands on an old card."""
    named = one_each([list(card.blocks) for card in cards])
    if named is None:
        return
    blocks = [card.blocks[name] for card, name in zip(cards, named, strict=True)]
    moves: tuple[SoloMove, ...] = (*pegs, *reversed(blocks))
    after = position
    for move in moves:
        if after.why_not(move):
            return
        after = after.play(move)
    yield moves


def _from_first_pegs(position: Pegs, pegs: Sequence[Peg], cards: Sequence[_Card]) -> Iterator[tuple[Move, ...]]:
    """From the first pegs on: those under cards were put first, for any of them may have been among White's."""
    covered = union(card.shown.squares for card in cards)
    in_order = sorted(pegs, key=lambda peg: not covered & SEVEN.bit[peg.square])
    put = position.pegs.bit_count()
    for count in range(min(len(pegs), 2 * FIRST_PEGS - put), -1, -1):
        after, first = position, tuple(in_order[:count])
        for peg in first:
            after = after.play(peg)
        if not cards and count == len(pegs):
            yield first
        elif put + count < FIRST_PEGS:
            return
        elif (rest := _in_turns(after, in_order[count:], cards)) is not None:
            yield (*first, *rest)


def _in_turns(position: Pegs, pegs: Sequence[Peg], cards: Sequence[_Card]) -> tuple[Move, ...] | None:
    """The moves of these turns; None if the rules allow none. The game's last turn has no more cards than a hand."""
    for most in (len(cards), HAND) if len(cards) > HAND else (len(cards),):
        turns = _given_to_turns(position, pegs, cards, most)
        if turns and (moves := _played(position, turns)) is not None:
            return moves
    return None


def _given_to_turns(position: Pegs, pegs: Sequence[Peg], cards: Sequence[_Card], most: int) -> list[_Turn] | None:
    """Every peg and every card in its turn, the first turn first; not more than `most` cards in the last one."""
    after = position.until_next_peg()[1] if pegs else position
    owners: list[Seat | None] = [position.to_move] if position.phase in LAYING else []
    if pegs and after.to_move is None:
        return None
    first = after.players.index(after.to_move or "blue")
    owners += [after.players[(first + n) % 2] for n in range(len(pegs))]
    left, pegs_left, turns = list(cards), list(pegs), list[_Turn]()
    sets = {id(card): list(card.blocks) for card in cards}
    later = 0  # squares of pegs that were put in later turns
    for n, owner in reversed(list(enumerate(owners))):
        assert owner is not None
        blocks: list[Cover] = []
        limit = most if n == len(owners) - 1 else len(cards)
        while len(blocks) < limit and (last := _last_laid(owner, left, later, sets)) is not None:
            card, block = last
            left.remove(card)
            blocks.append(block)
        peg = None
        if n >= len(owners) - len(pegs):
            peg = _last_put(pegs_left, left)
            if peg is None:
                return None
            pegs_left.remove(peg)
            later |= SEVEN.bit[peg.square]
        turns.append(_Turn(owner, peg, tuple(reversed(blocks))))
    return None if left else turns[::-1]


def _last_laid(owner: Seat, left: list[_Card], later: int, sets: dict[int, list[str]]) -> tuple[_Card, Cover] | None:
    """The topmost card of this player's that hides none of the others, and where it lies; None if there is none.

    `sets` holds for each card which it may be, and from now on this one's place.
    """
    for card in left:
        if card.shown.owner != owner:
            continue
        others = later | union(other.shown.squares for other in left if other is not card)
        may_be = sets[id(card)]
        for pattern in may_be:
            if BLOCK_SQUARES[card.blocks[pattern]] & others:
                continue
            sets[id(card)] = [pattern]
            if one_each(list(sets.values())) is not None:
                return card, card.blocks[pattern]
        sets[id(card)] = may_be
    return None


def _last_put(pegs: list[Peg], left: list[_Card]) -> Peg | None:
    """A peg that may be put after these cards were laid: none of them lies over it, nor had better lie there."""
    under = union(card.shown.squares for card in left)
    perhaps = union(BLOCK_SQUARES[block] for card in left for block in card.blocks.values())
    free = [peg for peg in pegs if not under & SEVEN.bit[peg.square]]
    return min(free, key=lambda peg: perhaps & SEVEN.bit[peg.square] > 0, default=None)


def _played(position: Pegs, turns: list[_Turn]) -> tuple[Move, ...] | None:
    """The moves of these turns, with what nobody sees between them; None if the rules do not allow them."""
    moves: list[Move] = []
    for turn in turns:
        if turn.peg:
            ended, position = position.until_next_peg()
            if position.why_not(turn.peg):
                return None
            moves += [*ended, turn.peg]
            position = position.play(turn.peg)
        laid = _laid(position, turn.blocks)
        if laid is None:
            return None
        for move in laid:
            position = position.play(move)
        moves += laid
    return tuple(moves)


def _laid(position: Pegs, blocks: tuple[Cover, ...]) -> list[Move] | None:
    """These cards laid, with the draws between them, in an order in which the player can have had them."""
    is_known = position.deck is not None and len(blocks) <= MOST_ORDERED
    for order in permutations(blocks) if is_known else [blocks]:
        if _hides_another(order, blocks):
            continue
        moves: list[Move] = []
        now = position
        for block in order:
            while now.phase is Phase.REDRAW:
                moves.append(Draw("?"))
                now = now.play(Draw("?"))
            if now.why_not(block):
                break
            moves.append(block)
            now = now.play(block)
        else:
            return moves
    return None


def _hides_another(order: tuple[Cover, ...], blocks: tuple[Cover, ...]) -> bool:
    """Whether an order lays a card before another that it lies on."""
    return order is not blocks and any(
        order.index(upper) < order.index(lower) and BLOCK_SQUARES[upper] & BLOCK_SQUARES[lower]
        for n, lower in enumerate(blocks)
        for upper in blocks[n + 1 :]
    )
