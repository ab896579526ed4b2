"""Hints for Hepta: alpha-beta on the lead in pieces, in the compiled core; exact towards the end.

The first player's blockers are chosen by local search over sets of seven, each evaluated by a short alpha-beta search.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

from companion.games.hepta import BLOCKERS, Hepta
from companion.games.squares import SEVEN, bits
from companion.solvers import compiled, pure
from companion.solvers.deepening import Search, chance, deepen, value
from companion.solvers.hint import Budget, Hint
from companion.solvers.structs import HeptaState

BLOCKING, CHOOSING, LAYING, OVER = range(4)
SHAPES = "IL"
CHOICE, LAY = 1 << 20, 1 << 21  # the encoding of moves in core/hepta.c
LEAD = 70  # in hundredths of a piece: a lead that wins about three games out of four
JUDGING_DEPTH = 4  # plies of the search that evaluates a set of blockers, including the choice of I or L
TRIES = 12  # sets of blockers between two hints


def think(position: Hepta, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    if compiled.core is None:
        yield from pure.think(position, budget)
    elif position.to_move == "first" and not position.second_has:
        yield from _choose_blockers(position, budget)
    else:
        for answer in deepen("hepta", state_of(position), budget):
            line = tuple(map(text_of, answer.line))
            yield Hint(line[0], value(answer, LEAD), line, bool(answer.exact))


def _choose_blockers(position: Hepta, budget: Budget) -> Iterator[Hint]:
    """The remaining blockers: hill climbing from a random set, mostly by moving one blocker."""
    random = Random(budget.seed)
    left = BLOCKERS - position.blockers.bit_count()
    with Search("hepta", state_of(position), budget) as search:

        def judge(blockers: frozenset[int]) -> tuple[float, bool]:
            taken = position.taken | sum(1 << n for n in blockers)
            search.restart(HeptaState(taken, CHOOSING, 1, 0, (0, 0)))
            answer = search.to(JUDGING_DEPTH)
            return -answer.score, bool(answer.finished)

        def some() -> frozenset[int]:
            return frozenset(random.sample(list(bits(SEVEN.all & ~position.taken)), left))

        best = some()
        most, whole = judge(best)
        for tries in count(1):
            if (tries - 1) % TRIES == 0 or not whole:
                line = tuple(f"#{SEVEN.names[n]}" for n in sorted(best))
                yield Hint(line[0], chance(most, LEAD), line, False)
            if not whole:
                return
            free = list(bits(SEVEN.all & ~position.taken & ~sum(1 << n for n in best)))
            other = best - {random.choice(sorted(best))} | {random.choice(free)} if tries % 10 else some()
            worth, whole = judge(other)
            if whole and worth >= most:
                best, most = other, worth


def state_of(position: Hepta) -> HeptaState:
    """The position as a state of the core."""
    if position.to_move is None:
        phase = OVER
    elif position.second_has:
        phase = LAYING
    else:
        phase = BLOCKING if position.to_move == "first" else CHOOSING
    second_has = SHAPES.index(position.second_has) if position.second_has else 0
    return HeptaState(position.taken, phase, position.to_move == "second", second_has, position.laid)


def text_of(move: int) -> str:
    """The notation of a move of the core."""
    if move & LAY:
        cells = sorted(SEVEN.names[move >> shift & 63] for shift in (0, 6, 12))
        return SHAPES[move >> 18 & 1] + "".join(cells)
    return f"={SHAPES[move & 1]}" if move & CHOICE else f"#{SEVEN.names[move]}"
