"""Hepta: what to play. Alpha-beta on the pieces' lead in the compiled core, exact towards the end.

Before that the first player's blockers: sets of seven are tried and bettered, each judged by the same search.
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
CHOICE, LAY = 1 << 20, 1 << 21  # a move, as core/hepta.c has it
LEAD = 70  # in hundredths of a piece; one of so much wins three games out of four or so
AHEAD = 4  # moves that a set of blockers is judged by, the choice of I or L among them
TRIES = 12  # sets of blockers from one hint to the next


def think(position: Hepta, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    if compiled.core is None:
        yield from pure.think(position, budget)
    elif position.to_move == "first" and not position.second_has:
        yield from _block(position, budget)
    else:
        for answer in deepen("hepta", state_of(position), budget):
            line = tuple(map(text_of, answer.line))
            yield Hint(line[0], value(answer, LEAD), line, bool(answer.exact))


def _block(position: Hepta, budget: Budget) -> Iterator[Hint]:
    """The blockers still to be put: any at first, then with one changed at a time, those that leave the other least."""
    random = Random(budget.seed)
    left = BLOCKERS - position.blockers.bit_count()
    with Search("hepta", state_of(position), budget) as search:

        def judged(blockers: frozenset[int]) -> tuple[float, bool]:
            taken = position.taken | sum(1 << n for n in blockers)
            search.restart(HeptaState(taken, CHOOSING, 1, 0, (0, 0)))
            answer = search.to(AHEAD)
            return -answer.score, bool(answer.finished)

        def some() -> frozenset[int]:
            return frozenset(random.sample(list(bits(SEVEN.all & ~position.taken)), left))

        best = some()
        most, whole = judged(best)
        for tries in count(1):
            if (tries - 1) % TRIES == 0 or not whole:
                line = tuple(f"#{SEVEN.names[n]}" for n in sorted(best))
                yield Hint(line[0], chance(most, LEAD), line, False)
            if not whole:
                return
            free = list(bits(SEVEN.all & ~position.taken & ~sum(1 << n for n in best)))
            other = best - {random.choice(sorted(best))} | {random.choice(free)} if tries % 10 else some()
            worth, whole = judged(other)
            if whole and worth >= most:
                best, most = other, worth


def state_of(position: Hepta) -> HeptaState:
    """The position as the core holds it."""
    if position.to_move is None:
        phase = OVER
    elif position.second_has:
        phase = LAYING
    else:
        phase = BLOCKING if position.to_move == "first" else CHOOSING
    second_has = SHAPES.index(position.second_has) if position.second_has else 0
    return HeptaState(position.taken, phase, position.to_move == "second", second_has, position.laid)


def text_of(move: int) -> str:
    """A move of the core in the game's own words."""
    if move & LAY:
        cells = sorted(SEVEN.names[move >> shift & 63] for shift in (0, 6, 12))
        return SHAPES[move >> 18 & 1] + "".join(cells)
    return f"={SHAPES[move & 1]}" if move & CHOICE else f"#{SEVEN.names[move]}"
