"""The turns behind a look at Pegs, and at its solitaire.

Draws and discards are not seen, and the cards of a turn may come all at once, over one another. Which cards were laid
is told by the squares that show a player's face, and by how the marks on them lie: a card lies askew as a whole.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator
from functools import cache
from heapq import heappop, heappush, nsmallest
from itertools import chain, pairwise, permutations
from math import inf
from typing import Any, NamedTuple

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
from companion.games.position import AnyPosition, Seat
from companion.games.squares import SEVEN, bits, union
from companion.games.value import replace
from companion.referee.evidence import Evidence, LookEvidence
from companion.referee.explanations import LEGAL, Line
from companion.referee.search import PUT_ONLY, Reached

LAYING = (Phase.CARDS, Phase.REDRAW, Phase.LAST)  # when cards may come next
# What a look shows of a peg, and of a player's cards.
PEGGED = frozenset("oBW")
FACES: dict[Seat, frozenset[str]] = {"blue": frozenset("bB"), "white": frozenset("wW")}

# All of these were chosen by trial on simulated games; costs are natural logarithms.
# Cards of one turn that are searched for, at most. Who lays more than these before the camera looks is not followed.
MOST_CARDS = 8
# Turns without cards that may have been made before anybody knew that the first pegs were all put.
MOST_UNSEEN = 4
# How many arrangements of cards are gone into, and how many the search for them may meet before it gives up.
MOST_ARRANGEMENTS, MOST_TRIED = 24, 3000
# How many arrangements with the same number of cards are gone on with while only what is plain is gone into.
MOST_PLAIN = 80
# With how many of its parts a card is gone on with then.
MOST_PARTS = 3
# How much worse than the best arrangement one may be that is still gone into.
FAR = 8.0
# What each further card costs: a card that only the lie of marks tells of needs much proof.
ANOTHER_CARD = 5.0

# How much less it costs at best that a mark lies as it does where others of its card are known.
IN_PIECE = 5.0
# How much more a square may cost of which the card is known, so that what explains most is gone into first.
FORWARD = 2.5
# How much worse than its squares, each for itself, an old card may lie before a new one is looked for on it.
ODD = 1.0

UNKNOWN = "?"  # a card of which it is not clear which one it is
Cards = tuple[Cover, ...]  # blocks that cards lie on, the lowest first


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
    sure, perhaps = _pegs_seen(position.free, evidence)
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
    rest = _turn_by_turn(after, pegs[len(first) :], (), set())
    return None if rest is None else (*first, *rest)


def _pegs_seen(free: int, evidence: Evidence) -> tuple[tuple[Peg, ...], list[Peg]]:
    """The pegs that surely stand on these squares, and those that may."""
    possible = evidence.possible
    squares = [square for square in SEVEN.named(free) if possible[square] & PEGGED]
    sure = tuple(Peg(square) for square in squares if possible[square] <= PEGGED)
    return sure, [Peg(square) for square in squares if not possible[square] <= PEGGED]


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
    sure, perhaps = _pegs_seen(SEVEN.all & ~position.pegs & ~position.covered, evidence)
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
    for piece in _shown(old):
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
        lies = sum(map(piece_cost, _shown(new)))
        lies += sum([old_piece_cost(piece & ~above) for piece in old_shown if piece & ~above])
        return lies + ANOTHER_CARD * (len(laid) + (left.bit_count() + 5) // 6)

    old_shown = list(_shown(old))
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


def _shown(cards: list[int]) -> Iterator[int]:
    """What is seen of each card, the topmost first."""
    above = 0
    for squares in reversed(cards):
        if squares & ~above:
            yield squares & ~above
        above |= squares


# --- several turns


class Laid(NamedTuple):
    """A card that was laid since the last look."""

    owner: Seat
    block: Cover
    shows: int = 0  # the squares on which it is seen: it lies above all other cards there


class Arranged(NamedTuple):
    """Cards that may have been laid, the lowest first."""

    at_best: float  # what it costs how they lie, with as many more as one likes
    cost: float = inf  # what it costs without any more; inf where that is impossible
    cards: tuple[Laid, ...] = ()


def several_turns(
    position: Pegs | PegsSolo, evidence: Evidence, turns: int, thoroughly: bool
) -> Generator[Reached | None, None, bool]:
    """Every turn puts a peg, so the new pegs tell how many turns there were. The cards are found by what
    shows of them, and then put into an order in which the players can have laid them."""
    if turns != PUT_ONLY or position.outcome() or _is_taken_away(position, evidence):
        return False
    sure, perhaps = _pegs_seen(SEVEN.all & ~position.pegs, evidence)
    best, count, after_first = inf, 0, 0
    for arranged in (_all_arranged if thoroughly else _plainly_arranged)(_Table(position, evidence)):
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


class _Shown(NamedTuple):
    """A card, by its number, and the squares on which it shows."""

    card: int
    squares: int


class _Partly(NamedTuple):
    """Cards of which it is known what they show, while there are others below them."""

    first: float  # what is gone into first
    number: int
    at_best: float
    cost: float = 0.0
    seen: int = 0  # squares that these cards show on
    need: int = 0  # squares of which it must be known which card shows there
    shown: tuple[_Shown, ...] = ()


def _plainly_arranged(table: _Table) -> Iterator[Arranged]:
    """The cards that may have been laid, if each shows as much as it can, a few with each number of cards.

    Every square that shows something new shows it of some card, of which more or less is covered by others. What a card
    does not show, others show that lie above it. Cards of which nothing is seen are left out.
    """
    level = [table.untouched]
    while level:
        below: list[_Partly] = []
        for partly in level:
            yield table.arranged(partly)
            below += table.with_another(partly, plainly=True)
        level = nsmallest(MOST_PLAIN, below)


def _all_arranged(table: _Table) -> Iterator[Arranged]:
    """All the cards that may have been laid; what may lie better comes first."""
    waiting = [table.untouched]
    while waiting:
        partly = heappop(waiting)
        yield table.arranged(partly)
        for n, more in enumerate(table.with_another(partly, plainly=False)):
            heappush(waiting, more)
            if not n % 16:
                yield Arranged(partly.at_best)


def _cards_left(position: Pegs | PegsSolo, owner: Seat) -> frozenset[str]:
    """The cards that a player may still have laid."""
    if isinstance(position, PegsSolo):
        return position.unused
    return position.unseen | frozenset(position.hands[owner == "white"].drawn)


class _Table:
    """What a look tells of the cards, as sets of squares."""

    def __init__(self, position: Pegs | PegsSolo, evidence: Evidence) -> None:
        possible = evidence.possible
        own = {"blue": position.covered}
        if isinstance(position, Pegs):
            own = {"blue": position.blue, "white": position.white}
        may = {owner: SEVEN.set_of(s for s, codes in possible.items() if codes & FACES[owner]) for owner in own}
        sure = {owner: SEVEN.set_of(s for s, codes in possible.items() if codes <= FACES[owner]) for owner in own}
        self.must = union(sure[owner] & ~own[owner] for owner in own)  # where something new is seen
        carded = union(may.values())
        sure_pegs, perhaps = _pegs_seen(SEVEN.all & ~position.pegs, evidence)
        pegs = position.pegs | SEVEN.set_of(peg.square for peg in sure_pegs)
        doubtful = SEVEN.set_of(peg.square for peg in perhaps)

        def pattern(card: Laid) -> str:
            """Which card it would be: pegs stand under it as they stand in the end."""
            if BLOCK_SQUARES[card.block] & doubtful:
                return UNKNOWN
            return SHOWS[card.owner][holes_needed(card.block, pegs)]

        left = {owner: _cards_left(position, owner) | {UNKNOWN} for owner in own}
        cards = [Laid(owner, block) for owner in own for block in BLOCK_SQUARES if not BLOCK_SQUARES[block] & ~carded]
        self.cards = [card for card in cards if pattern(card) in left[card.owner]]
        self.pattern = [pattern(card) for card in self.cards]
        self.squares = [BLOCK_SQUARES[card.block] for card in self.cards]
        self.may = [may[card.owner] for card in self.cards]
        self.old = list(_shown([BLOCK_SQUARES[placed.block] for placed in position.cards]))
        self.piece_cost = cache(lambda squares: evidence.cost_as_piece(SEVEN.named(squares)))
        self.old_piece_cost = cache(lambda squares: evidence.cost_as_old_piece(SEVEN.named(squares)))
        self.is_broken = cache(lambda squares: evidence.is_broken(SEVEN.named(squares)))
        self.count = 0  # of all that was gone into
        self.single = [self.piece_cost(1 << n) for n in range(SEVEN.size)]
        self.at_best = [cost - IN_PIECE if cost else 0.0 for cost in self.single]

    @property
    def untouched(self) -> _Partly:
        return _Partly(0.0, 0, self.at_best_below(0, self.must), need=self.must)

    def arranged(self, partly: _Partly) -> Arranged:
        """These cards in layers, where they can lie like this."""
        laid = self.in_layers(partly.shown)
        if laid is None or partly.need & ~partly.seen:
            return Arranged(partly.at_best)
        return Arranged(partly.at_best, partly.cost + self.as_it_lay(partly.seen), laid)

    def with_another(self, partly: _Partly, plainly: bool) -> Iterator[_Partly]:
        """One card more, where it is not known which card shows; `plainly`: of it shows as much as can."""
        if self.in_layers(partly.shown) is None:
            return
        pending = partly.need & ~partly.seen
        more = self.showing(pending & -pending, partly.seen, plainly) if pending else self.over_odd_pieces(partly.seen)
        used = {self.pattern[card.card] for card in partly.shown} - {UNKNOWN}
        for card in more:
            if self.pattern[card.card] not in used:
                self.count += 1
                cost = partly.cost + self.piece_cost(card.squares) + ANOTHER_CARD
                seen, need = partly.seen | card.squares, partly.need | self.squares[card.card]
                total = cost + self.at_best_below(seen, need)
                first = total - FORWARD * seen.bit_count()
                yield _Partly(first, self.count, total, cost, seen, need, (*partly.shown, card))

    def showing(self, square: int, seen: int, plainly: bool) -> Iterator[_Shown]:
        """Every card that may show on a square, with as much of it as one likes where nothing else is known to show;
        `plainly`: with what lies most like one piece."""
        for n, squares in enumerate(self.squares):
            if squares & square and square & self.may[n]:
                shown = [part for part in _parts(squares & ~seen & self.may[n], square) if not self.is_broken(part)]
                if plainly:
                    shown = nsmallest(MOST_PARTS, shown, key=self.as_one_piece)
                yield from (_Shown(n, part) for part in shown)

    def as_one_piece(self, squares: int) -> float:
        """How much better than each for itself these squares lie as one piece, as a cost."""
        return self.piece_cost(squares) - sum([self.single[n] for n in bits(squares)])

    def over_odd_pieces(self, seen: int) -> Iterator[_Shown]:
        """Cards wholly on their owner's squares, where the old cards do not lie as they should."""
        odd = union(left for piece in self.old if (left := piece & ~seen) and self.is_odd(left))
        for n, squares in enumerate(self.squares if odd else ()):
            shows = squares & ~seen
            if shows & odd and not shows & ~self.may[n] and not self.is_broken(shows):
                yield _Shown(n, shows)

    def in_layers(self, shown: tuple[_Shown, ...]) -> tuple[Laid, ...] | None:
        """These cards from the lowest to the topmost; None if they cannot lie like this."""
        waiting, laid = list(shown), list[Laid]()
        while waiting:
            lowest = next((c for c in waiting if not any(self._covers(c, d) for d in waiting if d is not c)), None)
            if lowest is None:
                return None
            waiting.remove(lowest)
            laid.append(self.cards[lowest.card]._replace(shows=lowest.squares))
        return tuple(laid)

    def _covers(self, upper: _Shown, lower: _Shown) -> bool:
        return bool(upper.squares & self.squares[lower.card])

    def as_it_lay(self, seen: int) -> float:
        """What it costs how the old cards lie where no new one shows."""
        return sum([self.old_piece_cost(left) for piece in self.old if (left := piece & ~seen)])

    def is_odd(self, squares: int) -> bool:
        """Whether an old card lies so badly that another may have come over it."""
        return self.old_piece_cost(squares) > sum([self.single[n] for n in bits(squares)]) + ODD

    def at_best_below(self, seen: int, need: int) -> float:
        """What it costs at best how all lies of which it is not known to which card it belongs."""
        cost, ask = 0.0, need & ~seen
        for piece in self.old:
            if left := piece & ~seen & ~need:
                if self.is_odd(left):
                    ask |= left
                else:
                    cost += self.old_piece_cost(left)
        at_best = sum([self.at_best[n] for n in bits(ask)])
        return cost + at_best + (ANOTHER_CARD + IN_PIECE) * ((ask.bit_count() + 5) // 6)


def _parts(squares: int, square: int) -> Iterator[int]:
    """Every part of these squares to which the one square belongs."""
    rest = free = squares & ~square
    while True:
        yield rest | square
        if not rest:
            return
        rest = (rest - 1) & free


def _in_turns(position: Pegs | PegsSolo, pegs: tuple[Peg, ...], cards: tuple[Laid, ...]) -> tuple[Move, ...] | None:
    """These pegs put and cards laid, each on those it lies on, in turns that the rules allow; None if there are none.

    A card is laid as soon as it can be: all pegs under it stand by then, so that it is in nobody's way.
    """
    if isinstance(position, PegsSolo):
        return _solo_in_order(position, pegs, cards)
    if position.phase is Phase.FIRST_PEGS:
        return _from_first_pegs(position, pegs, cards)
    return _turn_by_turn(position, pegs, cards, set())


def _turn_by_turn(
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
                rest = _turn_by_turn(after.play(peg), others, cards, hopeless)
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
        rest = _turn_by_turn(after, tuple(order[count:]), cards, set())
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


# --- cards of earlier looks


def mended_lines(line: Line, evidence: LookEvidence) -> Iterator[Line | None]:
    """The line with cards of an earlier look laid otherwise, where a look asks for cards that are taken by it.

    Which cards were laid is not always seen. Cards that lie there for sure are not to be had twice; of others it may
    turn out later that they were others, which show the same.
    """
    position = line.position
    if not isinstance(position, Pegs) or position.deck or not position.cards:
        return
    laid = frozenset([placed.card for placed in position.cards])
    loose = replace(position, unseen=position.unseen | laid)
    for moves in _explaining(loose, evidence):
        yield None
        taken = _cards_laid(loose, moves) & laid
        for n in range(len(line.evidence) - 1, -1, -1):
            made, then = line.looks[n : n + 2]
            if taken & _cards_laid(line.positions[made], line.moves[made:then]):
                yield from _laid_otherwise(line, n, taken, moves, evidence)


def _laid_otherwise(
    line: Line, look: int, taken: frozenset[str], moves: tuple[Move, ...], evidence: LookEvidence
) -> Iterator[Line | None]:
    """Without these cards at one look, and then as it went on."""
    begun = line.before(len(line.moves) - line.looks[look])
    assert isinstance(begun.position, Pegs)
    spared = replace(begun.position, unseen=begun.position.unseen - taken)
    later = [line.moves[made:then] for made, then in pairwise(line.looks[look + 1 :])]
    for otherwise in _explaining(spared, line.evidence[look]):
        yield None
        after: Line | None = begun
        for part, seen in zip((otherwise, *later, moves), (*line.evidence[look:], evidence), strict=True):
            after = after and _gone_on(after, part, seen)
        if after:
            yield after._replace(paces=line.paces)


def _explaining(position: Pegs, evidence: LookEvidence) -> Iterator[tuple[Move, ...]]:
    """Moves that lead to what is seen."""
    several = several_turns(position, evidence, PUT_ONLY, False)
    for moves in chain(candidate_turns(position, evidence), (found.moves for found in several if found)):
        after = position
        for move in moves or ():
            after = after.play(move)
        if moves and evidence.cost(after.visible()) - evidence.free <= LEGAL:
            yield moves


def _cards_laid(position: AnyPosition, moves: Iterable[Any]) -> frozenset[str]:
    """The cards that are laid with these moves."""
    assert isinstance(position, Pegs)
    after = position
    for move in moves:
        after = after.play(move)
    return frozenset([placed.card for placed in after.cards[len(position.cards) :]])


def _gone_on(line: Line, moves: Iterable[Any], evidence: LookEvidence) -> Line | None:
    """The line with what was seen of these moves, and draws and discards as they have to be; None if it is illegal."""
    for move in moves:
        position = line.position
        assert isinstance(position, Pegs)
        if not position.is_seen(move):
            continue
        unseen: tuple[Move, ...] = ()
        if isinstance(move, Peg):
            unseen, position = position.until_next_peg()
        while position.phase is Phase.REDRAW:
            unseen, position = (*unseen, Draw(UNKNOWN)), position.play(Draw(UNKNOWN))
        if position.why_not(move):
            return None
        line = line.then([*unseen, move])
    return line.seen_after(1, line.rarity, evidence)
