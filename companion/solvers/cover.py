"""The solitaires solved exactly: a first solution, all solutions counted, and what to lay next.

A position becomes a **problem** that can be searched. Hepta and Tetrods are exact covers: every square, and every
tetrod, once, by options that are sets of items. Pegs, where cards may lie on cards, has a module of its own
(`pegs_solo`). The compiled core does the searching; where it is missing, the same search in Python finds the same, in
the same order.
"""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Iterator
from math import inf
from random import Random
from typing import Any, NamedTuple, Protocol

from companion.games import hepta, tetrods
from companion.games.position import AnyPosition
from companion.games.squares import SEVEN, bits
from companion.solvers import compiled
from companion.solvers.hint import Budget, Hint
from companion.solvers.structs import CoverProblem, CoverSolution, Tally

Solution = tuple[str, ...]  # the moves that are left, in an order that may be played
AT_WILL = Budget(inf)
EVERY = 2**63 - 1  # more solutions than any problem has
KIND_A, KIND_B = 1 << 62, 1 << 63  # bits that are no items but an option's kind: only so many of a kind may be used
AT_ONCE = 0.1  # seconds after which `think` says something while it goes on


class Searched(NamedTuple):
    solutions: list[Solution]
    finished: bool  # the search came to its end: there are no others


class Problem(Protocol):
    """A position that can be searched for solutions."""

    def first(self, budget: Budget, tally: Tally) -> Searched:
        """One solution, if there is any."""

    def search(self, most: int, listed: bool, budget: Budget, tally: Tally) -> Searched:
        """All solutions, counted in the tally and, where wanted, listed; it ends when there are `most`."""


class Count(NamedTuple):
    solutions: int
    complete: bool  # all are counted


# --- the questions that are asked of a position


def problem_of(position: AnyPosition) -> Problem:
    """The problem that a position poses; LookupError if it is of no solitaire."""
    if isinstance(position, hepta.HeptaSolo):
        return hepta_problem(position)
    if isinstance(position, tetrods.Tetrods):
        return tetrods_problem(position)
    from companion.games.pegs import PegsSolo

    if isinstance(position, PegsSolo):
        from companion.solvers.pegs_solo import PegsProblem

        return PegsProblem.of(position)
    raise LookupError(type(position).__name__)


def solve(position: AnyPosition, budget: Budget = AT_WILL, tally: Tally | None = None) -> Searched:
    """The first solution found."""
    if position.outcome() is not None:
        return Searched([()] if getattr(position, "solved", False) else [], True)
    return problem_of(position).first(budget, tally or Tally())


def count(position: AnyPosition, limit: int = EVERY, budget: Budget = AT_WILL, tally: Tally | None = None) -> Count:
    """How many solutions there are, as sets of placements; more than `limit` are not counted."""
    if position.outcome() is not None:
        found, finished = int(getattr(position, "solved", False)), True
    else:
        tally = tally or Tally()
        finished = problem_of(position).search(limit + 1, False, budget, tally).finished
        found = tally.found
    return Count(min(found, limit), finished and found <= limit)


def every(position: AnyPosition, limit: int, budget: Budget = AT_WILL) -> list[Solution]:
    """The solutions themselves, at most so many."""
    if position.outcome() is not None:
        return solve(position).solutions[:limit]
    return problem_of(position).search(limit, True, budget, Tally()).solutions


def think(position: AnyPosition, budget: Budget) -> Iterator[Hint]:
    """What to lay next: a piece of a solution, or any at all where there is none any more."""
    if position.outcome() is not None:
        return
    began = time.monotonic()
    any_move = str(next(iter(position.moves())))
    for seconds in (min(AT_ONCE, budget.seconds), budget.seconds - AT_ONCE):
        if seconds <= 0 or budget.stop:
            return
        found = solve(position, budget._replace(seconds=seconds))
        if found.solutions:
            line = found.solutions[0]
            yield Hint(line[0], 1.0, line, True)
            return
        if found.finished:
            yield Hint(any_move, 0.0, (any_move,), True)
            return
        if time.monotonic() - began < budget.seconds:
            yield Hint(any_move, 0.5, (any_move,), False)


def sensible(position: AnyPosition, chance: Random, tired: bool) -> Any:
    """How a simulated player likes to move: in Pegs not just by chance, lest no card be laid."""
    from companion.games.pegs import PegsSolo
    from companion.solvers import general, pegs

    if isinstance(position, PegsSolo):
        return pegs.sensible(position, chance, tired)
    return general.sensible(position, chance, tired)


# --- Hepta and Tetrods as exact covers


class Cover(NamedTuple):
    must: int  # the items to be covered
    options: tuple[int, ...]  # each a set of items, with its kind
    moves: tuple[str, ...]  # what each option is on the board; nothing for a square that stays bare
    left: tuple[int, int]  # how many options of kind A and of kind B may be used
    bare: int = 0  # the squares that an option can cover alone
    alike: int = 0  # the squares of a piece, where all are alike but for their kind: then they are counted in one go

    def first(self, budget: Budget, tally: Tally) -> Searched:
        return self.search(1, True, budget, tally)

    def search(self, most: int, listed: bool, budget: Budget, tally: Tally) -> Searched:
        if self.alike and not listed:
            return Searched([], (_counted_compiled if compiled.core else _counted_pure)(self, budget, tally))
        found, finished = (_compiled if compiled.core else _pure)(self, most, listed, budget, tally)
        return Searched([tuple(self.moves[n] for n in chosen if self.moves[n]) for chosen in found], finished)


NO_COVER = Cover(1, (), (), (0, 0))  # nothing can be laid, but something must


def hepta_problem(position: hepta.HeptaSolo) -> Cover:
    free = SEVEN.all & ~position.taken
    left_i, left_l = (
        max(hepta.PIECES - sum(piece.shape == shape for piece in position.pieces), 0) for shape in ("I", "L")
    )
    if free.bit_count() % 3 or free.bit_count() > 3 * (left_i + left_l):
        return NO_COVER  # something stood that was no piece
    options, moves = [], []
    for shape, kind in (("I", KIND_A), ("L", KIND_B)):
        for lay, squares in hepta.LAYS[shape].items():
            if not squares & position.taken:
                options.append(squares | kind)
                moves.append(str(lay))
    return Cover(free, tuple(options), tuple(moves), (left_i, left_l), alike=3)


DARK = sum(1 << n for n in range(SEVEN.size) if (n % 7 + n // 7) % 2 == 0)
ITEM = {name: 1 << SEVEN.size + n for n, name in enumerate(tetrods.TETRODS)}
BARE = 1 << SEVEN.size + len(ITEM)  # the right to leave a square bare


def tetrods_problem(position: tetrods.Tetrods) -> Cover:
    """Each tetrod and each square once, and one square that stays bare.

    On a board colored like a chessboard all tetrods cover two and two, but a T covers three of one color: so the
    colors of the free squares tell how many T lie on three dark ones, and the color of the square that stays bare.
    """
    free = SEVEN.all & ~position.covered
    unused = {name for name in ITEM if all(lay.name != name for lay in position.laid)}
    mushrooms = (position.mushrooms & free).bit_count()
    if free.bit_count() != 4 * len(unused) + 1 or not 0 <= mushrooms - len(unused) <= 1:
        return NO_COVER  # something stood that no tetrods explain, or too few mushrooms
    ts = sum(name.startswith("T") for name in unused)
    surplus = 2 * (free & DARK).bit_count() - free.bit_count()  # of dark squares
    bare_is_dark = (surplus - 1) % 4 == 2 * ts % 4
    more_dark = (surplus + (-1 if bare_is_dark else 1)) // 2  # T on three dark squares, less those on three light ones
    if abs(more_dark) > ts:
        return NO_COVER
    options, moves = [], []
    for hole in bits(position.mushrooms & free):
        for lay, squares in tetrods.lays_over(hole).items():
            if lay.name in unused and not squares & position.covered and squares & position.mushrooms == 1 << hole:
                kind = (KIND_A if (squares & DARK).bit_count() == 3 else KIND_B) if lay.name.startswith("T") else 0
                options.append(squares | ITEM[lay.name] | kind)
                moves.append(str(lay))
    bare = position.mushrooms if mushrooms > len(unused) else ~position.mushrooms
    bare &= free & (DARK if bare_is_dark else ~DARK)
    for square in bits(bare):
        options.append(1 << square | BARE)
        moves.append("")
    must = free | sum(ITEM[name] for name in unused) | BARE
    return Cover(must, tuple(options), tuple(moves), ((ts + more_dark) // 2, (ts - more_dark) // 2), bare)


# --- the search: always the item with the fewest options left, the lowest among equals


_Found = tuple[list[list[int]], bool]  # solutions by the options' numbers, and whether the search came to its end


def _as_struct(cover: Cover) -> CoverProblem:
    options = (ctypes.c_uint64 * len(cover.options)).from_buffer(array("Q", cover.options))
    return CoverProblem(cover.must, cover.bare, cover.left, cover.alike, len(cover.options), options)


def _compiled(cover: Cover, most: int, listed: bool, budget: Budget, tally: Tally) -> _Found:
    assert compiled.core
    room = (CoverSolution * most)() if listed else None
    finished = compiled.core.cover_search(
        ctypes.byref(_as_struct(cover)),
        most,
        room,
        ctypes.byref(tally),
        ctypes.byref(budget.stop.flag),
        budget.seconds,
        budget.work,
    )
    if finished < 0:
        raise MemoryError
    rows = [solution.option[:] for solution in room[: tally.found]] if room else []
    return [row[: row.index(-1)] for row in rows], bool(finished)


def _counted_compiled(cover: Cover, budget: Budget, tally: Tally) -> bool:
    assert compiled.core
    finished = compiled.core.cover_count(
        ctypes.byref(_as_struct(cover)),
        ctypes.byref(tally),
        ctypes.byref(budget.stop.flag),
        budget.seconds,
        budget.work,
    )
    if finished < 0:
        raise MemoryError
    return bool(finished)


class Over(Exception):
    """Told to stop, out of time or work, or enough is found."""


class Pace:
    """The limits of a search in Python, the same as the core's; to be asked at every node."""

    def __init__(self, budget: Budget) -> None:
        self.stop, self.work, self.nodes = budget.stop, budget.work, 0
        self.deadline = time.monotonic() + budget.seconds

    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    def over(self) -> bool:
        self.nodes += 1
        return self.nodes == self.work or bool(self.stop) or (self.nodes % 64 == 0 and self.seconds_left() <= 0)


def _pure(cover: Cover, most: int, listed: bool, budget: Budget, tally: Tally) -> _Found:
    pace, found = Pace(budget), list[list[int]]()
    numbers = {mask: n for n, mask in enumerate(cover.options)}

    def below(live: list[int], used: int, left: tuple[int, int], chosen: list[int], share: float) -> None:
        if pace.over():
            raise Over
        tally.nodes += 1
        open_items = cover.must & ~used
        if not open_items:
            if listed:
                found.append([numbers[mask] for mask in chosen])
            tally.found += 1
            tally.done += share
            if tally.found >= most:
                raise Over
            return
        live = [] if _walled_in(cover, open_items & SEVEN.all) else [mask for mask in live if not mask & used]
        item = _fewest(live, open_items)
        ways = [mask for mask in live if mask & item]
        for mask in ways:
            a, b = left[0] - bool(mask & KIND_A), left[1] - bool(mask & KIND_B)
            after = used | mask & ~(KIND_A | KIND_B) | (0 if a else KIND_A) | (0 if b else KIND_B)
            below(live, after, (a, b), [*chosen, mask], share / len(ways))
        if not ways:
            tally.done += share

    try:
        used = (0 if cover.left[0] else KIND_A) | (0 if cover.left[1] else KIND_B)
        below(list(cover.options), used, cover.left, [], 1.0)
    except Over:
        return found, False
    return found, True


def _counted_pure(cover: Cover, budget: Budget, tally: Tally) -> bool:
    """Square by square; what follows a set of squares is counted once, by how many of kind A it takes."""
    pace, known = Pace(budget), dict[int, list[int]]()
    by_square = [[mask for mask in cover.options if mask & -mask == 1 << n] for n in range(SEVEN.size)]

    def ways_from(used: int) -> list[int]:
        if used in known:
            return known[used]
        ways = [0] * (cover.left[0] + 1)
        open_items = cover.must & ~used
        if not open_items:
            return [1, *ways[1:]]
        if _walled_in(cover, open_items):
            return ways
        if pace.over():
            raise Over
        tally.nodes += 1
        for mask in by_square[(open_items & -open_items).bit_length() - 1]:
            if not mask & used:
                is_a = bool(mask & KIND_A)
                rest = ways_from(used | mask & ~(KIND_A | KIND_B))
                for a in range(len(ways) - is_a):
                    ways[a + is_a] += rest[a]
        known[used] = ways
        return ways

    try:
        found = ways_from(SEVEN.all & ~cover.must)
    except Over:
        return False
    pieces = cover.must.bit_count() // cover.alike
    tally.found += sum(ways for a, ways in enumerate(found) if pieces - a <= cover.left[1])
    return True


def _walled_in(cover: Cover, squares: int) -> bool:
    """Whether a free square has no free neighbor and cannot stay bare, or two such squares would have to."""
    alone = squares & ~SEVEN.beside(squares)
    return bool(alone & ~cover.bare or alone & alone - 1)


def _fewest(live: list[int], open_items: int) -> int:
    """The open item that the fewest options have."""
    at_least = [0, 0, 0]  # the items that one option, two, three have
    for mask in live:
        at_least[2] |= at_least[1] & mask
        at_least[1] |= at_least[0] & mask
        at_least[0] |= mask
    for items in at_least:
        if rare := open_items & ~items:
            return rare & -rare
    counts = [(sum(mask >> n & 1 for mask in live), n) for n in bits(open_items)]
    return 1 << min(counts)[1]
