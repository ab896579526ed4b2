"""One turn behind a look at Pegs, or what was put at one go in its solitaire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import permutations
from math import inf

from companion.games.pegs import (
    BLOCK_SQUARES,
    FIRST_PEGS,
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
from companion.games.squares import SEVEN, union
from companion.referee.evidence import Evidence
from companion.referee.pegs.sight import (
    ANOTHER_CARD,
    FACES,
    FAR,
    LAYING,
    MOST_ARRANGEMENTS,
    PEGGED,
    Cards,
    pegs_seen,
    shown_of,
)
from companion.referee.pegs.unseen_turns import turn_by_turn

# All of these were chosen by trial on simulated games.
# Cards of one turn that are searched for, at most. Who lays more than these before the camera looks is not followed.
MOST_CARDS = 8
# Turns without cards that may have been made before anybody knew that the first pegs were all put.
MOST_UNSEEN = 4
# How many arrangements the search for them may meet before it gives up.
MOST_TRIED = 3000


def candidate_turns(position: Pegs | PegsSolo, evidence: Evidence) -> Iterator[tuple[Move, ...]]:
    if isinstance(position, PegsSolo):
        yield from _solo_turns(position, evidence)
        return
    if position.phase is Phase.FIRST_PEGS:
        yield from _first_pegs(position, evidence)
        if position.pegs.bit_count() < FIRST_PEGS:
            return
    if position.to_move is None:
        return
    if position.phase in LAYING:
        yield from (cards for cards in _placed(position, _cards_seen(position, evidence)) if cards)
    ended, after = position.until_next_peg()
    pegs = [Peg(square) for square in SEVEN.named(after.free) if evidence.possible[square] & PEGGED]
    if after.to_move and pegs:
        cards_seen = _cards_seen(after, evidence)
        for peg in pegs:
            yield from ((*ended, peg, *cards) for cards in _placed(after.play(peg), cards_seen))


def _first_pegs(position: Pegs, evidence: Evidence) -> Iterator[tuple[Move, ...]]:
    """Several at a time; pegs have no owner, so it makes no difference which were Blue's."""
    room = 2 * FIRST_PEGS - position.pegs.bit_count()
    sure, perhaps = pegs_seen(position.free, evidence)
    if 0 < len(sure) <= room:
        yield sure
    # The last of several may be those of the first turns: nobody sees where White's first pegs end.
    for turns in range(1, min(len(sure), MOST_UNSEEN + 1)):
        if (moves := _turn_by_turn_after(position, sure, turns)) is not None:
            yield moves
    yield from ((*sure, peg) for peg in perhaps if len(sure) < room)


def _turn_by_turn_after(position: Pegs, pegs: tuple[Peg, ...], turns: int) -> tuple[Move, ...] | None:
    """Pegs put first, and then as many turns in each of which one is put; None if so many cannot be the first ones."""
    first, after = pegs[: len(pegs) - turns], position
    if not FIRST_PEGS <= position.pegs.bit_count() + len(first) <= 2 * FIRST_PEGS:
        return None
    for peg in first:
        after = after.play(peg)
    rest = turn_by_turn(after, pegs[len(first) :], (), set())
    return None if rest is None else (*first, *rest)


def _cards_seen(position: Pegs, evidence: Evidence) -> list[Cards]:
    """The cards that the player may have placed by what is seen."""
    assert position.to_move is not None
    own = position.blue if position.to_move == "blue" else position.white
    old = [BLOCK_SQUARES[placed.block] & own for placed in position.cards if placed.owner == position.to_move]
    return arrangements(evidence, FACES[position.to_move], own, old)


def _placed(position: Pegs, arranged: Iterable[Cards]) -> Iterator[tuple[Move, ...]]:
    """Arrangements that the player can have had the cards for, with the draws between the cards."""
    return (played for cards in arranged if (played := _in_order(position, cards)) is not None)


def _in_order(position: Pegs, cards: Cards) -> tuple[Move, ...] | None:
    """These cards placed in an order in which the player can have had them; None if there is none."""
    for order in permutations(cards) if position.deck else [cards]:
        if position.deck and _upper_first(order, cards):
            continue
        played: list[Move] = []
        now = position
        for block in order:
            while now.phase is Phase.REDRAW:
                played.append(Draw("?"))
                now = now.play(Draw("?"))
            if now.why_not(block):
                break
            played.append(block)
            now = now.play(block)
        else:
            return tuple(played)
    return None


def _upper_first(order: Cards, cards: Cards) -> bool:
    """Whether an order lays a card before another that it lies on."""
    return any(
        order.index(upper) < order.index(lower) and BLOCK_SQUARES[upper] & BLOCK_SQUARES[lower]
        for n, lower in enumerate(cards)
        for upper in cards[n + 1 :]
    )


def _solo_turns(position: PegsSolo, evidence: Evidence) -> Iterator[tuple[SoloMove, ...]]:
    """Pegs and cards as they come; pegs that stand under new cards were put before them."""
    sure, perhaps = pegs_seen(SEVEN.all & ~position.pegs & ~position.covered, evidence)
    old = [BLOCK_SQUARES[placed.block] for placed in position.cards]
    arranged = arrangements(evidence, FACES["blue"], position.covered, old)
    for pegs in (sure, *((*sure, peg) for peg in perhaps)):
        after = position
        for peg in pegs:
            after = after.play(peg)
        for blocks in arranged:
            cards = {SHOWS["blue"][holes_needed(block, after.pegs)] for block in blocks}
            if (pegs or blocks) and len(cards) == len(blocks) and cards <= after.unused:
                yield (*pegs, *blocks)


def arrangements(evidence: Evidence, face: frozenset[str], own: int, old: list[int]) -> list[Cards]:
    """The cards that one player may have laid so that his face shows where it is seen.

    `old` are his cards that lay there before, the lowest first, on the squares that he owned. Likelier arrangements
    are gone into first: what shows of a card must lie as one piece. A card wholly on its owner's squares is told by
    that alone, where it breaks the pieces that showed there before.
    """
    may = SEVEN.set_of(square for square, codes in evidence.possible.items() if codes & face)
    must = SEVEN.set_of(square for square, codes in evidence.possible.items() if codes <= face) & ~own
    changed = must
    for piece in shown_of(old):
        if evidence.is_old_broken(SEVEN.named(piece)):
            changed |= piece
    blocks = [block for block, squares in BLOCK_SQUARES.items() if squares & changed and not squares & ~may]
    found = _likeliest(evidence, must, old, blocks)
    # The plainest ways, however they seem to lie: marks may be seen badly, and the rules rule out much.
    plainest: list[Cards] = [(block,) for block in blocks if not must & ~BLOCK_SQUARES[block]]
    if must and not plainest:
        pairs = permutations(blocks, 2)
        plainest = [pair for pair in pairs if not must & ~BLOCK_SQUARES[pair[0]] & ~BLOCK_SQUARES[pair[1]]]
    return found + [cards for cards in plainest[:MOST_ARRANGEMENTS] if must and cards not in found]


def _likeliest(evidence: Evidence, must: int, old: list[int], blocks: list[Cover]) -> list[Cards]:
    """The cards on these blocks that cover all that must be covered, those that lie best first."""
    piece_cost = cache(lambda squares: evidence.cost_as_piece(SEVEN.named(squares)))
    old_piece_cost = cache(lambda squares: evidence.cost_as_old_piece(SEVEN.named(squares)))

    def cost(laid: Cards) -> float:
        new = [BLOCK_SQUARES[block] for block in laid]
        left, above = must & ~union(old) & ~union(new), union(new)
        lies = sum(map(piece_cost, shown_of(new)))
        lies += sum([old_piece_cost(piece & ~above) for piece in old_shown if piece & ~above])
        return lies + ANOTHER_CARD * (len(laid) + (left.bit_count() + 5) // 6)

    old_shown = list(shown_of(old))
    found: list[Cards] = []
    waiting: list[tuple[float, int, Cards]] = [(cost(()), 0, ())]
    met: set[Cards] = {()}
    best = inf
    while waiting and len(met) < MOST_TRIED and len(found) < MOST_ARRANGEMENTS:
        total, _, laid = heappop(waiting)
        if total > best + FAR:
            break
        if not must & ~union(BLOCK_SQUARES[block] for block in laid):
            found.append(laid)
            best = min(best, total)
        if len(laid) == MOST_CARDS:
            continue
        for block in blocks:
            # Below a card that it does not touch, a card lies as above it.
            places = [n for n, other in enumerate(laid) if BLOCK_SQUARES[other] & BLOCK_SQUARES[block]]
            for at in (*places, len(laid)) if block not in laid else ():
                longer = (*laid[:at], block, *laid[at:])
                if longer not in met:
                    met.add(longer)
                    heappush(waiting, (cost(longer), len(met), longer))
    return found
