"""Several turns behind a look at Pegs: what was put and laid, in an order that the rules allow."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from math import inf

from companion.games.pegs import BLOCK_SQUARES, FIRST_PEGS, Draw, Move, Peg, Pegs, PegsSolo, Phase, SoloMove
from companion.games.squares import SEVEN, union
from companion.referee.evidence import Evidence
from companion.referee.pegs.cards import Laid, Table, all_arranged, plainly_arranged
from companion.referee.pegs.sight import FACES, FAR, LAYING, MOST_ARRANGEMENTS, PEGGED, pegs_seen
from companion.referee.search import PUT_ONLY, Reached


def several_turns(
    position: Pegs | PegsSolo, evidence: Evidence, turns: int, thoroughly: bool
) -> Generator[Reached | None, None, bool]:
    """Every turn puts a peg, so the new pegs tell how many turns there were. The cards are found by what
    shows of them, and then put into an order in which the players can have laid them."""
    if turns != PUT_ONLY or position.outcome() or _is_taken_away(position, evidence):
        return False
    sure, perhaps = pegs_seen(SEVEN.all & ~position.pegs, evidence)
    best, count, after_first = inf, 0, 0
    for arranged in (all_arranged if thoroughly else plainly_arranged)(Table(position, evidence)):
        yield None
        after_first += best < inf
        if after_first > 4 * MOST_ARRANGEMENTS or count == MOST_ARRANGEMENTS:
            break
        cards, is_near = arranged.cards, arranged.cost < inf and arranged.cost <= best + FAR
        for pegs in (sure, *((*sure, peg) for peg in perhaps)) if is_near else ():
            if (pegs or cards) and (moves := _in_turns(position, pegs, cards)) is not None:
                best, count = min(best, arranged.cost), count + 1
                after: Pegs | PegsSolo = position
                for move in moves:
                    after = after.play(move)  # type: ignore[arg-type]
                yield Reached(after, moves)
    return False


def _is_taken_away(position: Pegs | PegsSolo, evidence: Evidence) -> bool:
    """Whether a peg or a card is gone: no play explains that."""
    possible, faces = evidence.possible, frozenset[str]().union(*FACES.values())
    pegs, cards = SEVEN.named(position.pegs), SEVEN.named(position.covered)
    return not all(possible[s] & PEGGED for s in pegs) or not all(possible[s] & faces for s in cards)


def _in_turns(position: Pegs | PegsSolo, pegs: tuple[Peg, ...], cards: tuple[Laid, ...]) -> tuple[Move, ...] | None:
    """These pegs put and cards laid, each on those it lies on, in turns that the rules allow; None if there are none.

    A card is laid as soon as it can be: all pegs under it stand by then, so that it is in nobody's way.
    """
    if isinstance(position, PegsSolo):
        return _solo_in_order(position, pegs, cards)
    if position.phase is Phase.FIRST_PEGS:
        return _from_first_pegs(position, pegs, cards)
    return turn_by_turn(position, pegs, cards, set())


def turn_by_turn(
    position: Pegs, pegs: tuple[Peg, ...], cards: tuple[Laid, ...], hopeless: set[Hashable]
) -> tuple[Move, ...] | None:
    """`hopeless`: the pegs and cards that were left, and whose turn it was, where it did not come out."""
    played: list[Move] = []
    if position.phase in LAYING:
        laid, position, cards = _laid_now(position, pegs, cards)
        played += laid
    if not pegs and not cards:
        return tuple(played)
    state = (pegs, cards, position.to_move)
    ended, after = position.until_next_peg()
    if after.to_move and state not in hopeless:
        for peg in pegs:
            if after.free & SEVEN.bit[peg.square]:
                others = tuple([other for other in pegs if other != peg])
                rest = turn_by_turn(after.play(peg), others, cards, hopeless)
                if rest is not None:
                    return (*played, *ended, peg, *rest)
    hopeless.add(state)
    return None


def _laid_now(
    position: Pegs, pegs: tuple[Peg, ...], cards: tuple[Laid, ...]
) -> tuple[list[Move], Pegs, tuple[Laid, ...]]:
    """The cards that the player can lay before the other pegs are put."""
    missing = SEVEN.set_of(peg.square for peg in pegs)
    played: list[Move] = []
    waiting: list[Laid] = []
    under = 0  # squares on which cards lie below that are still to be laid
    for card in cards:
        squares = BLOCK_SQUARES[card.block]
        if card.owner != position.to_move or squares & missing or card.shows & under:
            waiting.append(card)
            under |= squares
            continue
        drawn: list[Move] = []
        now = position
        while now.phase is Phase.REDRAW:
            drawn.append(Draw("?"))
            now = now.play(Draw("?"))
        if now.why_not(card.block):
            waiting.append(card)
            under |= squares
            continue
        played += [*drawn, card.block]
        position = now.play(card.block)
    return played, position, tuple(waiting)


def _from_first_pegs(position: Pegs, pegs: tuple[Peg, ...], cards: tuple[Laid, ...]) -> tuple[Move, ...] | None:
    """From the first pegs on: those under cards were put first, for any of them may have been among White's."""
    covered = union(BLOCK_SQUARES[card.block] for card in cards)
    order = sorted(pegs, key=lambda peg: not covered & SEVEN.bit[peg.square])
    least = max(0, FIRST_PEGS - position.pegs.bit_count())
    for count in range(min(len(pegs), 2 * FIRST_PEGS - position.pegs.bit_count()), least - 1, -1):
        after = position
        for peg in order[:count]:
            after = after.play(peg)
        if not cards and count == len(pegs):
            return tuple(order)
        if after.pegs.bit_count() < FIRST_PEGS:
            return None
        rest = turn_by_turn(after, tuple(order[count:]), cards, set())
        if rest is not None:
            return (*order[:count], *rest)
    return None


def _solo_in_order(position: PegsSolo, pegs: tuple[Peg, ...], cards: tuple[Laid, ...]) -> tuple[Move, ...] | None:
    """All pegs, then all cards: nothing is in anybody's way, since no peg stands on an old card."""
    after = position
    moves: tuple[SoloMove, ...] = (*pegs, *(card.block for card in cards))
    for move in moves:
        if after.why_not(move):
            return None
        after = after.play(move)
    return moves
