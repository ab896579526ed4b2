"""Pegs solitaire as a search problem: which pegs and which cards cover the board.

A solution is a set of pegs and a set of cards. Pegs under cards stay, so all pegs can be put before the first card. The
only condition on the order is that the last card must complete the cover, since the game ends then.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import NamedTuple

from companion.games.pegs import BLOCK_SQUARES, BLOCKS, CARDS, PEGS, SHOWS, SOLO_CARDS, PegsSolo, card_of
from companion.games.squares import SEVEN, bits
from companion.solvers import compiled
from companion.solvers.cover import Limit, LimitReached, SearchResult, Solution
from companion.solvers.hint import Budget
from companion.solvers.structs import PegsCards, PegsStart, Tally

EMPTY = SEVEN.size - PEGS
CELLS, NOISE = 6, 4
NAMES = [str(block) for block in BLOCKS]
SQUARES_OF = list(BLOCKS.values())
SETS = list(BLOCK_SQUARES.values())
OVER = [sum(1 << b for b, squares in enumerate(SETS) if squares >> n & 1) for n in range(SEVEN.size)]
# For each pattern the card that shows it, by the smaller of its two patterns; 0 is the blank card.
CARD = [int(card, 2) for card in SHOWS["blue"]]
ORDER = sorted(range(64), key=lambda pattern: (-pattern.bit_count(), pattern))  # most holes first
OF_HOLES = [sum(1 << card for card in {CARD[p] for p in range(64) if p.bit_count() == n}) for n in range(CELLS + 1)]
TRIES, FIRST_TRY = 24, 1000  # randomized searches in each round, and their nodes in the first round; they double


class PegsProblem(NamedTuple):
    pegs: int
    covered: int
    cards: int  # on the board
    left: int  # how many more may be laid

    @classmethod
    def of(cls, position: PegsSolo) -> PegsProblem:
        laid = {card_of(placed.card) for placed in position.cards} & CARDS
        left = max(SOLO_CARDS - len(position.cards), 0)
        return cls(position.pegs, position.covered, sum(1 << int(card, 2) for card in laid), left)

    def first(self, budget: Budget, tally: Tally) -> SearchResult:
        """Short randomized searches with restarts find a solution if there are many. Between them an ordered search,
        each time longer, finishes if there are few or none."""
        work = FIRST_TRY
        limits = Limit(budget)
        seed = 0
        while True:
            for shuffled in (*[True] * TRIES, False):
                seed += shuffled
                most = work if shuffled else TRIES * work
                rest = budget._replace(
                    seconds=limits.seconds_left(), work=min(most, budget.work - tally.nodes) if budget.work else most
                )
                found = self._searched(1, True, rest, tally, seed if shuffled else 0)
                if found.solutions or found.finished or budget.stop or limits.seconds_left() <= 0:
                    return found
                if budget.work and tally.nodes + 1 >= budget.work:
                    return found
            work *= 2

    def search(self, most: int, listed: bool, budget: Budget, tally: Tally) -> SearchResult:
        return self._searched(most, listed, budget, tally, 0)

    def shuffled(self, seed: int, budget: Budget) -> list[Solution]:
        """A solution by a randomized search, if one is found within the budget."""
        return self._searched(1, True, budget, Tally(), seed).solutions

    def _searched(self, most: int, listed: bool, budget: Budget, tally: Tally, seed: int) -> SearchResult:
        found, finished = (_compiled if compiled.core else _pure)(self, most, listed, budget, tally, seed)
        return SearchResult([self._moves(pegs, blocks) for pegs, blocks in found], finished)

    def _moves(self, pegs: int, blocks: int) -> Solution:
        """The pegs, then the cards; last a card that covers a square which no other card covers."""
        cards = list(bits(blocks))
        once = twice = 0
        for b in cards:
            twice |= once & SETS[b]
            once |= SETS[b]
        once &= ~twice & ~self.covered
        last = next(b for b in reversed(cards) if SETS[b] & once)
        new = SEVEN.named(pegs & ~self.pegs)
        return (*(f"o{square}" for square in new), *(NAMES[b] for b in cards if b != last), NAMES[last])


_Found = tuple[list[tuple[int, int]], bool]  # solutions as pegs and blocks, and whether the search came to its end


# --- compiled


@cache
def _geometry() -> PegsCards:
    return PegsCards(tuple(SQUARES_OF), tuple(CARD))


def _compiled(problem: PegsProblem, most: int, listed: bool, budget: Budget, tally: Tally, seed: int) -> _Found:
    assert compiled.core
    numbers = (ctypes.c_uint64 * (2 * most))() if listed else None
    before = tally.found
    finished = compiled.core.pegs_solo_search(
        ctypes.byref(PegsStart(*problem)),
        ctypes.byref(_geometry()),
        most,
        numbers,
        ctypes.byref(tally),
        ctypes.byref(budget.stop.flag),
        budget.seconds,
        budget.work,
        seed,
    )
    found = [(numbers[2 * n], numbers[2 * n + 1]) for n in range(tally.found - before)] if numbers else []
    return found, bool(finished)


# --- the same in Python


class _Chance:
    """The core's random number generator."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        self.state = n = self.state + 0x9E3779B97F4A7C15 & 2**64 - 1
        n = (n ^ n >> 30) * 0xBF58476D1CE4E5B9 & 2**64 - 1
        n = (n ^ n >> 27) * 0x94D049BB133111EB & 2**64 - 1
        return ((n ^ n >> 31) >> 32) * bound >> 32


def pattern_of(block: int, squares: int) -> int:
    """The pattern of a block: which of its squares are in the set."""
    pattern = 0
    for n in SQUARES_OF[block]:
        pattern = pattern << 1 | squares >> n & 1
    return pattern


class _Search:
    def __init__(self, problem: PegsProblem, most: int, listed: bool, budget: Budget, tally: Tally, seed: int) -> None:
        self.fresh = SEVEN.all & ~problem.covered
        self.most, self.listed, self.tally = most, listed, tally
        self.limits = Limit(budget)
        self.chance = _Chance(seed) if seed else None
        self.found: list[tuple[int, int]] = []

    def report(self, count: int, pegs: int, placed: int) -> None:
        if self.listed:
            self.found.append((pegs, placed))
        self.tally.found += count
        if self.tally.found >= self.most:
            raise LimitReached

    def with_more(self, pegs: int, may: int, cards: int, left: int, placed: int, once: int, twice: int) -> None:
        """The board is covered: enumerate the further cards that can be added."""
        self.node()
        free = [(b, card) for b in bits(may) if (card := CARD[pattern_of(b, pegs)]) and not cards >> card & 1]
        if not left:
            free = []
        if not self.listed and (once & self.fresh).bit_count() > CELLS * left:
            self.report(_sets_of([card for _, card in free], left), pegs, placed)
            return
        if once & self.fresh:
            self.report(1, pegs, placed)
        for n, (b, card) in enumerate(free):
            both = twice | once & SETS[b]
            rest = sum(1 << other for other, _ in free[n + 1 :])
            self.with_more(pegs, rest, cards | 1 << card, left - 1, placed | 1 << b, (once | SETS[b]) & ~both, both)

    def node(self) -> None:
        if self.limits.over():
            raise LimitReached
        self.tally.nodes += 1

    def below(
        self, pegs: int, none: int, covered: int, cards: int, barred: int, left: int, placed: int, share: float
    ) -> None:
        self.node()
        may = (1 << len(SETS)) - 1 & ~barred & ~placed
        if covered == SEVEN.all:
            once = twice = 0
            for b in bits(placed):
                twice |= once & SETS[b]
                once = (once | SETS[b]) & ~twice
            self.with_more(pegs, may, cards, left, placed, once, twice)
            self.tally.done += share
            return
        if none.bit_count() == EMPTY:
            pegs = SEVEN.all & ~none
        if pegs.bit_count() == PEGS:
            none = SEVEN.all & ~pegs
        square = None
        if not _too_few_holes(pegs & covered, cards, left):
            square = _hardest(pegs, none, SEVEN.all & ~covered, cards, may, left)
        options = [] if square is None else list(_options(OVER[square] & may, pegs, none, cards))
        if not options or square is None:
            self.tally.done += share
            return
        if self.chance:
            ranks = [_rank(b, p, pegs, none, covered) + self.chance.below(NOISE) for b, p in options]
            options = [options[n] for n in sorted(range(len(options)), key=ranks.__getitem__)]
        for b, p in options:
            holes = sum(1 << n for i, n in enumerate(SQUARES_OF[b]) if p >> CELLS - 1 - i & 1)
            # find each set of cards only once: by the lowest of its blocks over this square
            lower = 0 if self.chance else OVER[square] & (1 << b) - 1
            self.below(
                pegs | holes,
                none | SETS[b] & ~holes,
                covered | SETS[b],
                cards | 1 << CARD[p],
                barred | lower,
                left - 1,
                placed | 1 << b,
                share / len(options),
            )


def _sets_of(cards: list[int], left: int) -> int:
    """The number of sets of at most `left` of these cards, without duplicates."""
    sets = [1] + [0] * left
    for card in set(cards):
        for size in range(left, 0, -1):
            sets[size] += sets[size - 1] * cards.count(card)
    return sum(sets)


def _too_few_holes(covered_pegs: int, cards: int, left: int) -> bool:
    """Whether the remaining cards have too few holes for the pegs that are not covered yet."""
    need = PEGS - covered_pegs.bit_count()
    for holes in range(CELLS, 0, -1):
        have = min((OF_HOLES[holes] & ~cards).bit_count(), left)
        need -= have * holes
        left -= have
    return need > 0


def _hardest(pegs: int, none: int, bare: int, cards: int, may: int, left: int) -> int | None:
    """The bare square with the fewest options; None if one has none, or the remaining cards cannot cover all."""
    ways = dict.fromkeys(bits(bare), 0)
    gains, best = [0] * (CELLS + 1), dict[int, int]()
    for b in bits(may):
        gain = SETS[b] & bare
        if not gain:
            continue
        count = 1
        if unknown := (SETS[b] & ~pegs & ~none).bit_count():
            count = 1 << unknown
            gains[gain.bit_count()] += 1
        else:
            card = CARD[pattern_of(b, pegs)]
            if not card or cards >> card & 1:
                continue
            best[card] = max(best.get(card, 0), gain.bit_count())
        for n in bits(gain):
            ways[n] += count
    for most in best.values():  # a card can be laid only once: count its best place
        gains[most] += 1
    need = bare.bit_count()
    for size in range(CELLS, 0, -1):
        have = min(gains[size], left)
        need -= have * size
        left -= have
    square = min(ways, key=ways.__getitem__)
    return square if need <= 0 and ways[square] else None


def _options(blocks: int, pegs: int, none: int, cards: int) -> list[tuple[int, int]]:
    """The options: blocks with the patterns of the cards that fit there."""
    found = []
    for b in bits(blocks):
        must = pattern_of(b, pegs)
        free = pattern_of(b, SEVEN.all & ~none) & ~must
        found += [
            (b, p)
            for p in ORDER
            if p & must == must and not p & ~must & ~free and CARD[p] and not cards >> CARD[p] & 1
            if (p & free).bit_count() <= PEGS - pegs.bit_count()
            if (free & ~p).bit_count() <= EMPTY - none.bit_count()
        ]
    return found


def _rank(block: int, pattern: int, pegs: int, none: int, covered: int) -> int:
    """The rank of an option, lower is better: holes are scarce and should not lie over covered pegs."""
    again = SETS[block] & covered
    return 2 * (again & pegs).bit_count() - (again & none).bit_count() - pattern.bit_count()


def _pure(problem: PegsProblem, most: int, listed: bool, budget: Budget, tally: Tally, seed: int) -> _Found:
    search = _Search(problem, most, listed, budget, tally, seed)
    pegs, covered, cards, left = problem
    none = covered & ~pegs
    try:
        if none.bit_count() <= EMPTY and pegs.bit_count() <= PEGS:
            search.below(pegs, none, covered, cards, 0, left, 0, 1.0)
    except LimitReached:
        return search.found, False
    return search.found, True
