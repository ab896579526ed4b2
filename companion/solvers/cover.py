"""Exact solvers for the solitaires: a first solution, the number of solutions, and hints.

Hepta and Tetrods are exact cover problems: every square, and every tetrod, is an item to be covered once by options,
which are sets of items. Pegs, where cards may overlap, has a module of its own (`pegs_solo`). The search runs in the
compiled core; without it the same search in Python finds the same solutions in the same order.
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

Solution = tuple[str, ...]  # the remaining moves, in an order in which they can be played
UNLIMITED = Budget(inf)
NO_LIMIT = 2**63 - 1  # more solutions than any problem has
KIND_A, KIND_B = 1 << 62, 1 << 63  # bits for an option's kind; the number of options of each kind is limited
FIRST_SLICE = 0.1  # seconds after which `think` has its first hint


class SearchResult(NamedTuple):
    solutions: list[Solution]
    finished: bool  # the whole tree was searched: there are no other solutions


class Problem(Protocol):
    """A position that can be searched for solutions."""

    def first(self, budget: Budget, tally: Tally) -> SearchResult:
        """One solution, if there is any."""

    def search(self, most: int, listed: bool, budget: Budget, tally: Tally) -> SearchResult:
        """Find all solutions, at most `most`. They are counted in the tally, and returned if `listed`."""


class Count(NamedTuple):
    solutions: int
    complete: bool  # all solutions were counted


# --- queries about a position


def problem_of(position: AnyPosition) -> Problem:
    """The problem of a position. LookupError if it is not a solitaire's."""
    if isinstance(position, hepta.HeptaSolo):
        return hepta_problem(position)
    if isinstance(position, tetrods.Tetrods):
        return tetrods_problem(position)
    from companion.games.pegs import PegsSolo

    if isinstance(position, PegsSolo):
        from companion.solvers.pegs_solo import PegsProblem

        return PegsProblem.of(position)
    raise LookupError(type(position).__name__)


def solve(position: AnyPosition, budget: Budget = UNLIMITED, tally: Tally | None = None) -> SearchResult:
    """The first solution found."""
    if position.outcome() is not None:
        return SearchResult([()] if getattr(position, "solved", False) else [], True)
    return problem_of(position).first(budget, tally or Tally())


def count(
    position: AnyPosition, limit: int = NO_LIMIT, budget: Budget = UNLIMITED, tally: Tally | None = None
) -> Count:
    """The number of solutions as sets of placements, at most `limit`."""
    if position.outcome() is not None:
        found, finished = int(getattr(position, "solved", False)), True
    else:
        tally = tally or Tally()
        finished = problem_of(position).search(limit + 1, False, budget, tally).finished
        found = tally.found
    return Count(min(found, limit), finished and found <= limit)


def all_solutions(position: AnyPosition, limit: int, budget: Budget = UNLIMITED) -> list[Solution]:
    """All solutions, at most `limit`."""
    if position.outcome() is not None:
        return solve(position).solutions[:limit]
    return problem_of(position).search(limit, True, budget, Tally()).solutions


def think(position: AnyPosition, budget: Budget) -> Iterator[Hint]:
    """Hints: a move of a solution, or any move if there is no solution."""
    if position.outcome() is not None:
        return
    began = time.monotonic()
    any_move = str(next(iter(position.moves())))
    for seconds in (min(FIRST_SLICE, budget.seconds), budget.seconds - FIRST_SLICE):
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
    """A move for a simulated player. In Pegs it is not uniformly random, or hardly any card would be laid."""
    from companion.games.pegs import PegsSolo
    from companion.solvers import general, pegs

    if isinstance(position, PegsSolo):
        return pegs.sensible(position, chance, tired)
    return general.sensible(position, chance, tired)


# --- Hepta and Tetrods as exact covers


class Cover(NamedTuple):
    must: int  # the items to cover
    options: tuple[int, ...]  # sets of items, with a bit for the kind
    moves: tuple[str, ...]  # the move of each option; empty for a square that stays bare
    left: tuple[int, int]  # the number of options of kinds A and B that may be used
    bare: int = 0  # the squares that have an option of their own
    alike: int = 0  # the size of all pieces, if they differ only in kind: then solutions can be counted faster

    def first(self, budget: Budget, tally: Tally) -> SearchResult:
        return self.search(1, True, budget, tally)

    def search(self, most: int, listed: bool, budget: Budget, tally: Tally) -> SearchResult:
        if self.alike and not listed:
            return SearchResult([], (_count_compiled if compiled.core else _count_pure)(self, budget, tally))
        found, finished = (_compiled if compiled.core else _pure)(self, most, listed, budget, tally)
        return SearchResult([tuple(self.moves[n] for n in chosen if self.moves[n]) for chosen in found], finished)


NO_COVER = Cover(1, (), (), (0, 0))  # a problem without a solution: an item without options


def hepta_problem(position: hepta.HeptaSolo) -> Cover:
    free = SEVEN.all & ~position.taken
    left_i, left_l = (
        max(hepta.PIECES - sum(piece.shape == shape for piece in position.pieces), 0) for shape in ("I", "L")
    )
    if free.bit_count() % 3 or free.bit_count() > 3 * (left_i + left_l):
        return NO_COVER  # possible after an illegal step that stood
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
    """Items are the tetrods, the squares, and the one square that stays bare.

    On a chessboard coloring every tetrod covers two squares of each color, except a T, which covers three of one. So
    the colors of the free squares determine how many T cover three dark ones, and the color of the bare square.
    """
    free = SEVEN.all & ~position.covered
    unused = {name for name in ITEM if all(lay.name != name for lay in position.laid)}
    mushrooms = (position.mushrooms & free).bit_count()
    if free.bit_count() != 4 * len(unused) + 1 or not 0 <= mushrooms - len(unused) <= 1:
        return NO_COVER  # possible after an illegal step that stood, or with too few mushrooms
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


# --- the search: it branches on the item with the fewest options, the lowest of equals


_Found = tuple[list[list[int]], bool]  # solutions as option numbers, and whether the whole tree was searched


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


def _count_compiled(cover: Cover, budget: Budget, tally: Tally) -> bool:
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


class LimitReached(Exception):
    """The search was stopped, a limit was reached, or enough solutions were found."""


class Limit:
    """The limits of a search in Python, as in the core (core.h). Call `over` at every node."""

    def __init__(self, budget: Budget) -> None:
        self.stop, self.work, self.nodes = budget.stop, budget.work, 0
        self.deadline = time.monotonic() + budget.seconds

    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    def over(self) -> bool:
        self.nodes += 1
        return self.nodes == self.work or bool(self.stop) or (self.nodes % 64 == 0 and self.seconds_left() <= 0)


def _pure(cover: Cover, most: int, listed: bool, budget: Budget, tally: Tally) -> _Found:
    limits, found = Limit(budget), list[list[int]]()
    numbers = {mask: n for n, mask in enumerate(cover.options)}

    def below(live: list[int], used: int, left: tuple[int, int], chosen: list[int], share: float) -> None:
        if limits.over():
            raise LimitReached
        tally.nodes += 1
        open_items = cover.must & ~used
        if not open_items:
            if listed:
                found.append([numbers[mask] for mask in chosen])
            tally.found += 1
            tally.done += share
            if tally.found >= most:
                raise LimitReached
            return
        live = [] if _has_isolated_square(cover, open_items & SEVEN.all) else [mask for mask in live if not mask & used]
        item = _most_constrained(live, open_items)
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
    except LimitReached:
        return found, False
    return found, True


def _count_pure(cover: Cover, budget: Budget, tally: Tally) -> bool:
    """Count solutions by dynamic programming over sets of used squares, for each number of options of kind A."""
    limits, known = Limit(budget), dict[int, list[int]]()
    by_square = [[mask for mask in cover.options if mask & -mask == 1 << n] for n in range(SEVEN.size)]

    def ways_from(used: int) -> list[int]:
        if used in known:
            return known[used]
        ways = [0] * (cover.left[0] + 1)
        open_items = cover.must & ~used
        if not open_items:
            return [1, *ways[1:]]
        if _has_isolated_square(cover, open_items):
            return ways
        if limits.over():
            raise LimitReached
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
    except LimitReached:
        return False
    pieces = cover.must.bit_count() // cover.alike
    tally.found += sum(ways for a, ways in enumerate(found) if pieces - a <= cover.left[1])
    return True


def _has_isolated_square(cover: Cover, squares: int) -> bool:
    """Whether a free square without free neighbors cannot stay bare, or there are two such squares."""
    alone = squares & ~SEVEN.beside(squares)
    return bool(alone & ~cover.bare or alone & alone - 1)


def _most_constrained(live: list[int], open_items: int) -> int:
    """The open item with the fewest options."""
    at_least = [0, 0, 0]  # the items with at least one, two, three options
    for mask in live:
        at_least[2] |= at_least[1] & mask
        at_least[1] |= at_least[0] & mask
        at_least[0] |= mask
    for items in at_least:
        if rare := open_items & ~items:
            return rare & -rare
    counts = [(sum(mask >> n & 1 for mask in live), n) for n in bits(open_items)]
    return 1 << min(counts)[1]
