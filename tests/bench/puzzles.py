"""Tetrods and Hepta problems beside general solvers: the first solution, and all solutions counted.

Each solver gets the problem in its own form before the clock runs. exact-cover and xcover know no limit on a kind of
piece: they cover Hepta's squares with any trominoes, and the solutions with seven I are picked from theirs; xcover
counts them in its decision diagram, which is much faster than listing them.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np

warnings.filterwarnings("ignore", module="xcover")  # numba's remarks on its types

import exact_cover  # noqa: E402
import xcover  # noqa: E402
from exact_cover_impl import get_all_solutions as list_covers  # noqa: E402
from ortools.sat.python import cp_model  # noqa: E402

from companion.games import hepta, tetrods  # noqa: E402
from companion.games.squares import SEVEN, bits  # noqa: E402
from companion.solvers import compiled  # noqa: E402
from companion.solvers.cover import KIND_A, KIND_B, NO_LIMIT, UNLIMITED, Cover, count, problem_of  # noqa: E402
from companion.solvers.structs import Tally  # noqa: E402
from tests.bench.table import Row  # noqa: E402

PROBLEMS = 50  # of each game
RUNS = 3  # of each solver; the best counts
PATIENCE = 1.0  # seconds that CP-SAT may take for each problem and question


class Problem(NamedTuple):
    cover: Cover  # ours
    plain: Cover  # as it is stated, without what we know of its colors
    matrix: Any
    flags: Any
    i_pieces: int | None  # how many I lie in a solution


def rows() -> list[Row]:
    if compiled.core is None:
        raise SystemExit("the compiled core is not there: a C compiler is needed")
    found, ours_in_all, theirs_in_all, sat_in_all, unfinished = [], 0.0, 0.0, 0.0, 0
    for game, problems in (("Tetrods", tetrods_problems()), ("Hepta", hepta_problems())):
        for what, ours, peers, sat in (
            ("first solution", our_first, {"exact-cover": exact_first, "xcover": xcover_first}, sat_first),
            ("all counted", our_count, {"exact-cover": exact_count, "xcover": xcover_count}, sat_count),
        ):
            took, answers = best(ours, problems)
            times = {}
            for name, peer in peers.items():
                peer(problems[0])  # what it compiles or prepares once does not count
                times[name], same = best(peer, problems)
                if same != answers:
                    raise SystemExit(f"{name} does not agree on {game}, {what}")
            better = min(times, key=times.__getitem__)
            sat_took, sat_answers = best(sat, problems, 1)
            given_up = [answer is None for answer in sat_answers]
            if any(a != b for a, b in zip(sat_answers, answers, strict=True) if a is not None):
                raise SystemExit(f"CP-SAT does not agree on {game}, {what}")
            ours_in_all, theirs_in_all = ours_in_all + took, theirs_in_all + times[better]
            sat_in_all, unfinished = sat_in_all + sat_took, unfinished + sum(given_up)
            others = ", ".join(f"{name} {seconds(other)}" for name, other in times.items())
            found.append(_row(f"{PROBLEMS} {game}: {what}", took, f"{others}; better: {better}", times[better], None))
            late = f" ({sum(given_up)} given up after {PATIENCE:g} s)" if any(given_up) else ""
            found.append(_row(f"{PROBLEMS} {game}: {what}", took, f"CP-SAT{late}", sat_took, None))
    in_all = f"all of it, {2 * PROBLEMS} problems"
    late = f" ({unfinished} given up)" if unfinished else ""
    found.append(_row(in_all, ours_in_all, "the better of exact-cover and xcover", theirs_in_all, 5))
    found.append(_row(in_all, ours_in_all, f"CP-SAT{late}", sat_in_all, 5))
    return found


def _row(what: str, ours: float, peer: str, theirs: float, bar: int | None) -> Row:
    ratio = theirs / ours
    return Row(what, seconds(ours), peer, seconds(theirs), ratio, f"≥ {bar}" if bar else "", not bar or ratio >= bar)


def seconds(took: float) -> str:
    return f"{1000 * took:.1f} ms"


def best(solver: Callable[[Problem], Any], problems: Sequence[Problem], runs: int = RUNS) -> tuple[float, list[Any]]:
    """The shortest time for all problems, and the answers."""
    shortest, answers = float("inf"), list[Any]()
    for _ in range(runs):
        began = time.perf_counter()
        answers = [solver(problem) for problem in problems]
        shortest = min(shortest, time.perf_counter() - began)
    return shortest, answers


# --- the problems: at random, but those that have solutions


def tetrods_problems() -> list[Problem]:
    chance, found = Random(1), list[Problem]()
    while len(found) < PROBLEMS:
        mushrooms = sum(1 << n for n in chance.sample(range(SEVEN.size), tetrods.MUSHROOMS))
        position = tetrods.Tetrods(mushrooms)
        if count(position, 1).solutions:
            cover = problem_of(position)
            assert isinstance(cover, Cover)
            bare = next(mask for mask in cover.options if mask.bit_count() == 2) & ~SEVEN.all
            options = [mask for mask in cover.options if not mask & bare] + [1 << n | bare for n in bits(mushrooms)]
            found.append(_problem(cover, [mask & ~(KIND_A | KIND_B) for mask in options], None))
    return found


def hepta_problems() -> list[Problem]:
    chance, found = Random(1), list[Problem]()
    while len(found) < PROBLEMS:
        blockers = sum(1 << n for n in chance.sample(range(SEVEN.size), hepta.BLOCKERS))
        position = hepta.HeptaSolo(blockers, taken=blockers)
        if count(position, 1).solutions:
            cover = problem_of(position)
            assert isinstance(cover, Cover)
            found.append(_problem(cover, list(cover.options), hepta.PIECES))
    return found


def _problem(cover: Cover, options: list[int], i_pieces: int | None) -> Problem:
    items = list(bits(cover.must))
    matrix = np.array([[mask >> item & 1 for item in items] for mask in options], dtype=np.int32)
    return Problem(cover, cover._replace(options=tuple(options)), matrix, matrix.astype(bool), i_pieces)


def fits(problem: Problem, chosen: Sequence[int]) -> bool:
    """Whether a cover is a solution: the number of I is right."""
    i_pieces = sum(bool(problem.plain.options[n] & KIND_A) for n in chosen)
    return problem.i_pieces is None or i_pieces == problem.i_pieces


# --- the solvers: whether there is a solution, and how many


def our_first(problem: Problem) -> bool:
    return bool(problem.cover.first(UNLIMITED, Tally()).solutions)


def our_count(problem: Problem) -> int:
    tally = Tally()
    problem.cover.search(NO_LIMIT, False, UNLIMITED, tally)
    return tally.found


def exact_first(problem: Problem) -> bool:
    if fits(problem, exact_cover.get_exact_cover(problem.flags)):
        return True
    return exact_count(problem, 64) > 0 or exact_count(problem) > 0


def exact_count(problem: Problem, most: int | None = None) -> int:
    if problem.i_pieces is None:
        return int(exact_cover.get_solution_count(problem.flags))
    most = most or int(exact_cover.get_solution_count(problem.flags))
    listed = list_covers(problem.flags, most)  # by itself: the package's own call makes slow sets of them
    i_pieces = np.array([bool(mask & KIND_A) for mask in problem.plain.options] + [False])  # −1 ends a row
    return int((i_pieces[listed].sum(axis=1) == problem.i_pieces).sum())


def xcover_first(problem: Problem) -> bool:
    return any(fits(problem, chosen) for chosen in xcover.covers_bool(problem.matrix))


def xcover_count(problem: Problem) -> int:
    if problem.i_pieces is None:
        return sum(1 for _ in xcover.covers_bool(problem.matrix))
    ways = {0: [0] * 15, 1: [1] + [0] * 14}  # by node of the diagram, how many solutions with how many I
    node = 1
    for node, option, low, high in xcover.covers_bool_zdd(problem.matrix, True, "leftmost"):
        shift = bool(problem.plain.options[option] & KIND_A)
        with_it = [0, *ways[high][:-1]] if shift else ways[high]
        ways[node] = [a + b for a, b in zip(ways[low], with_it, strict=True)]
    return ways[node][problem.i_pieces]


def sat_first(problem: Problem) -> bool | None:
    solver = _sat_solver()
    status = solver.solve(_model(problem)[0])
    return None if status == cp_model.UNKNOWN else status in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def sat_count(problem: Problem) -> int | None:
    solver = _sat_solver()
    solver.parameters.enumerate_all_solutions = True
    counter = _Counter()
    status = solver.solve(_model(problem)[0], counter)
    return counter.found if status == cp_model.OPTIMAL else None


class _Counter(cp_model.CpSolverSolutionCallback):
    def __init__(self) -> None:
        super().__init__()
        self.found = 0

    def on_solution_callback(self) -> None:
        self.found += 1


def _sat_solver() -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = PATIENCE
    return solver


def _model(problem: Problem) -> tuple[cp_model.CpModel, list[Any]]:
    model = cp_model.CpModel()
    laid = [model.new_bool_var("") for _ in problem.plain.options]
    for item in bits(problem.plain.must):
        model.add_exactly_one(laid[n] for n, mask in enumerate(problem.plain.options) if mask >> item & 1)
    if problem.i_pieces is not None:
        chosen = [laid[n] for n, mask in enumerate(problem.plain.options) if mask & KIND_A]
        model.add(sum(chosen) == problem.i_pieces)
    return model, laid


if __name__ == "__main__":
    from tests.bench.table import show

    raise SystemExit(not show("Solitaires", rows()))
