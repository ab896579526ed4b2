"""The cards that may have been laid in several turns, told by what shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush, nsmallest
from math import inf
from typing import NamedTuple

from companion.games.pegs import BLOCK_SQUARES, SHOWS, Cover, Pegs, PegsSolo, holes_needed
from companion.games.position import Seat
from companion.games.squares import SEVEN, bits, union
from companion.referee.evidence import Evidence
from companion.referee.pegs.sight import ANOTHER_CARD, FACES, UNKNOWN, pegs_seen, shown_of

# All of these were chosen by trial on simulated games; costs are natural logarithms.
# How many arrangements with the same number of cards are gone on with while only what is plain is gone into.
MOST_PLAIN = 80
# With how many of its parts a card is gone on with then.
MOST_PARTS = 3
# How much less it costs at best that a mark lies as it does where others of its card are known.
IN_PIECE = 5.0
# How much more a square may cost of which the card is known, so that what explains most is gone into first.
FORWARD = 2.5
# How much worse than its squares, each for itself, an old card may lie before a new one is looked for on it.
ODD = 1.0


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


def plainly_arranged(table: Table) -> Iterator[Arranged]:
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


def all_arranged(table: Table) -> Iterator[Arranged]:
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


class Table:
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
        sure_pegs, perhaps = pegs_seen(SEVEN.all & ~position.pegs, evidence)
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
        self.old = list(shown_of([BLOCK_SQUARES[placed.block] for placed in position.cards]))
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
