"""The cards that may have been laid since the last look, told by what shows of them, from the topmost down.

A card on top shows on all its six squares, and the marks there lie as one piece. Once it is known, anything may lie
below it; the next card shows wherever it is not below those that are known. So a card is what shows of it. On which
block it lies, and with that which card it is, stays open where nobody can see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

from companion.games.pegs import BLOCK_SQUARES, SHOWS, Cover, Pegs, PegsSolo, holes_needed
from companion.games.position import Seat
from companion.games.squares import SEVEN, bits, union
from companion.referee.evidence import BROKEN, Evidence
from companion.referee.pegs.patterns import cards_left, one_each
from companion.referee.pegs.sight import ANOTHER_CARD, FACES, FAR, pegs_seen, shown_of

# All of these were chosen by trial on simulated games; costs are natural logarithms.
# What a square costs of which it is not known yet what card shows there: so much less than with a card of its own. Of
# ways that are only begun, the one that explains most best is gone on with first. Without marks the cards are counted.
AHEAD, AHEAD_UNMARKED = -1.5, 1.0
# How much worse than its squares, each for itself, an old card may lie before a new one is looked for on it.
ODD = 1.0
# What it costs to pass over the likeliest card for one that shows elsewhere: another must be found for its squares.
PASSED = 6.0
# Ways that are gone into at most: in all, and after one was found.
MOST_BEGUN, MOST_TRIED = 400, 60


class Shown(NamedTuple):
    """What shows of a card that was laid since the last look, and every block on which it may lie."""

    owner: Seat
    squares: int
    blocks: tuple[Cover, ...]


class Arranged(NamedTuple):
    """Cards that may have been laid, the topmost first."""

    cost: float
    cards: tuple[Shown, ...] = ()


class _Begun(NamedTuple):
    """The topmost cards. What was gone into before is not gone into again below them."""

    cost: float
    known: int = 0  # squares that these cards show on
    cards: tuple[Shown, ...] = ()
    passed: frozenset[tuple[Seat, int]] = frozenset()


class _Next(NamedTuple):
    """One card more, the n-th of those that may come next, the likeliest first."""

    begun: _Begun
    more: list[tuple[float, float, Shown]]  # how likely it is, what the cards cost then, the card
    worse: float  # how much worse than the likeliest were the cards that were taken
    n: int = 0

    @property
    def priority(self) -> float:
        """How much worse that is with this card."""
        (best, _, first), (cost, _, card) = self.more[0], self.more[self.n]
        elsewhere = PASSED if self.n and not (card.squares & first.squares) else 0.0
        return self.worse + cost - best + elsewhere


class Table:
    """What a look tells of the cards, as sets of squares."""

    def __init__(self, position: Pegs | PegsSolo, evidence: Evidence, by_marks: bool = True) -> None:
        """`by_marks`: marks tell which squares one card shows on; else only the faces tell of cards."""
        possible = evidence.possible
        own: Mapping[Seat, int] = {"blue": position.covered}
        if isinstance(position, Pegs):
            own = {"blue": position.blue, "white": position.white}
        self._evidence, self._by_marks = evidence, by_marks
        self._may = {owner: SEVEN.set_of(s for s, codes in possible.items() if codes & FACES[owner]) for owner in own}
        sure = {owner: SEVEN.set_of(s for s, codes in possible.items() if codes <= FACES[owner]) for owner in own}
        self._must = union(sure[owner] & ~own[owner] for owner in own)  # where something new is seen
        pegs, perhaps = pegs_seen(SEVEN.all & ~position.pegs, evidence)
        self._pegs = position.pegs | SEVEN.set_of(peg.square for peg in pegs)
        self._doubtful = SEVEN.set_of(peg.square for peg in perhaps)
        self._left = {owner: cards_left(position, owner) for owner in own}
        self._old = list(shown_of([BLOCK_SQUARES[placed.block] for placed in position.cards])) if by_marks else []
        self.is_through = True  # all ways were gone into, or one was found
        self._piece_costs: dict[int, float] = {}
        self._old_costs: dict[int, float] = {}
        self._reach: dict[int, int] = {}
        self._cost_pieces([1 << n for n in range(SEVEN.size)])
        self._single = [self._piece_costs[1 << n] for n in range(SEVEN.size)]
        self._ahead = [cost + AHEAD if cost else AHEAD_UNMARKED for cost in self._single]
        may = union(self._may.values())
        self._blocks = [(block, squares) for block, squares in BLOCK_SQUARES.items() if not squares & ~may]
        self._patterns = {(owner, block): self._pattern(owner, block) for owner in own for block, _ in self._blocks}

    def _pattern(self, owner: Seat, block: Cover) -> str | None:
        """Which card lies there: pegs stand under it as they stand in the end; None where that is not clear."""
        return None if BLOCK_SQUARES[block] & self._doubtful else SHOWS[owner][holes_needed(block, self._pegs)]

    def ways(self) -> Iterator[Arranged | None]:
        """The ways to lay cards so that what is seen shows, the likelier first; None where one is only begun."""
        after: _Begun | None = _Begun(0.0)
        waiting: list[tuple[float, int, _Next]] = []
        best, worse, begun, tried = inf, 0.0, 0, 0
        while after:
            begun += 1
            cost = inf if self._must & ~after.known else after.cost + self._as_it_lay(after.known)
            best = min(best, cost)
            yield Arranged(cost, after.cards) if cost < inf and cost <= best + FAR else None
            if more := self._with_another(after):
                heappush(waiting, (worse, -begun, _Next(after, more, worse)))
            after = None
            while waiting and not after and begun < MOST_BEGUN and tried < MOST_TRIED:
                worse, number, coming = heappop(waiting)
                if best < inf and worse > FAR:
                    return
                tried += best < inf
                after = self._taken(coming)
                if coming.n + 1 < len(coming.more):
                    other = coming._replace(n=coming.n + 1)
                    heappush(waiting, (other.priority, number, other))
        self.is_through = self.is_through and (best < inf or not waiting)

    def _taken(self, coming: _Next) -> _Begun | None:
        """With the card that comes next; None where there are not so many different ones."""
        begun, (_, cost, card) = coming.begun, coming.more[coming.n]
        cards = (*begun.cards, card)
        if one_each([sorted(may_be) for shown in cards if (may_be := self._may_be(shown))]) is None:
            return None
        passed = begun.passed | {(other.owner, other.squares) for _, _, other in coming.more[: coming.n]}
        return _Begun(cost, begun.known | card.squares, cards, passed)

    def _may_be(self, card: Shown) -> set[str]:
        """The cards that it may be; none where that is not clear."""
        patterns = {self._patterns[card.owner, block] for block in card.blocks}
        return set() if None in patterns else {pattern for pattern in patterns if pattern}

    def _with_another(self, begun: _Begun) -> list[tuple[float, float, Shown]]:
        """Every card that may show next below these, the likeliest first."""
        known = begun.known
        odd = union(left for piece in self._old if (left := piece & ~known & ~self._must) and self._is_odd(left))
        wanted = (self._must | odd) & ~known
        found: dict[tuple[Seat, int], list[Cover]] = {}
        for block, squares in self._blocks if wanted else ():
            shows = squares & ~known
            if shows & wanted:
                for owner, may in self._may.items():
                    if not shows & ~may and (owner, shows) not in begun.passed:
                        pattern = self._patterns[owner, block]
                        if pattern is None or pattern in self._left[owner]:
                            found.setdefault((owner, shows), []).append(block)
        self._cost_pieces([shows for _, shows in found])
        whole = {(owner, shows): blocks for (owner, shows), blocks in found.items() if not self._is_broken(shows)}
        longer = {
            key: [key[1] | 1 << n for n in bits(self._near(key[1]) & self._may[key[0]] & ~known)] for key in whole
        }
        self._cost_pieces([squares for pieces in longer.values() for squares in pieces])
        more = []
        for (owner, shows), blocks in whole.items():
            cost = begun.cost + self._piece_costs[shows] + ANOTHER_CARD
            likely = cost + self._below(known | shows) + self._cut_off(shows, longer[owner, shows])
            more.append((likely, cost, Shown(owner, shows, tuple(blocks))))
        return sorted(more, key=lambda one: one[0])

    def _cut_off(self, squares: int, longer: list[int]) -> float:
        """How much better a piece lies with one square more: then it likely goes on there, once it is known what lies
        above it."""
        costs = [self._piece_costs[more] - self._single[(more & ~squares).bit_length() - 1] for more in longer]
        return max(0.0, self._piece_costs[squares] - min(costs, default=inf))

    def _near(self, squares: int) -> int:
        """Where a card that shows on these squares may lie besides."""
        if squares not in self._reach:
            self._reach[squares] = (
                union(all_of for all_of in BLOCK_SQUARES.values() if not squares & ~all_of) & ~squares
            )
        return self._reach[squares]

    # --- how cards lie

    def _as_it_lay(self, known: int) -> float:
        """What it costs how the old cards lie where no new one shows."""
        return sum([self._old_cost(left) for piece in self._old if (left := piece & ~known)])

    def _below(self, known: int) -> float:
        """What may be expected to come yet: of the new cards, and of the old ones that something else still covers, at
        some of their squares."""
        cost = sum([self._ahead[n] for n in bits(self._must & ~known)])
        for piece in self._old:
            if left := piece & ~known & ~self._must:
                if self._is_odd(left):
                    cost += sum([min(self._ahead[n], self._old_cost(1 << n)) for n in bits(left)])
                else:
                    cost += self._old_cost(left)
        return cost

    def _cost_pieces(self, pieces: list[int]) -> None:
        new = [squares for squares in pieces if squares not in self._piece_costs]
        costs = self._evidence.costs_as_pieces([SEVEN.named(squares) for squares in new])
        self._piece_costs.update(zip(new, costs if self._by_marks else [0.0] * len(new), strict=True))

    def _old_cost(self, squares: int) -> float:
        if squares not in self._old_costs:
            self._old_costs[squares] = self._evidence.cost_as_old_piece(SEVEN.named(squares)) if squares else 0.0
        return self._old_costs[squares]

    def _is_broken(self, squares: int) -> bool:
        return self._piece_costs[squares] > sum([self._single[n] for n in bits(squares)]) + BROKEN

    def _is_odd(self, squares: int) -> bool:
        """Whether an old card lies so badly that another may have come over it."""
        return self._old_cost(squares) > sum([self._single[n] for n in bits(squares)]) + ODD
