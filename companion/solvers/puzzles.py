"""Generates problems for the solitaires, each with exactly one solution, graded by effort.

**Effort** is the number of nodes of a complete backtracking search that branches on the square (in Tetrods also the
piece) with the fewest options: it grows with every step that is not forced. If all steps are forced it is little more
than the number of pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from random import Random
from typing import Any, NamedTuple

from companion.games import hepta, pegs, tetrods
from companion.games.position import AnyPosition
from companion.games.squares import SEVEN, bits, union
from companion.solvers.cover import UNLIMITED, Cover, Problem, all_solutions, count, problem_of
from companion.solvers.pegs_solo import PegsProblem
from companion.solvers.structs import Tally

# The range of effort: above the first number, up to the second.
LEVELS = {"easy": (0, 150), "medium": (150, 500), "hard": (500, 1000), "fiendish": (1000, 20_000)}
STEPS = 150  # of a local search for Hepta's blockers before it restarts
PEGS_WORK = 1000  # nodes of a search for a covered Pegs board before it restarts


class Puzzle(NamedTuple):
    setup: dict[str, Any]
    moves: tuple[str, ...]  # pieces that are on the board already
    effort: int


def puzzles(game_id: str, level: str, seed: int) -> Iterator[Puzzle | None]:
    """An endless stream of problems that are distinct under symmetry; None for each failed attempt."""
    chance = Random(f"{game_id} {level} {seed}")
    least, most = LEVELS[level]
    seen = set()
    while True:
        made = GENERATORS[game_id](chance, least, most)
        if made is None:
            yield None
            continue
        puzzle, position = made
        look = min(symmetries(tuple(map(tuple, position.visible()["rows"]))))
        yield puzzle if look not in seen else None
        seen.add(look)


def problem_record(game_id: str, puzzle: Puzzle, level: str, seed: int, number: int = 1) -> dict[str, Any]:
    """A problem as a record."""
    about = {"level": level, "effort": puzzle.effort, "seed": seed, "number": number}
    return {"game": game_id, "setup": puzzle.setup, "moves": list(puzzle.moves), "about": about}


def first_problem(game_id: str, level: str, seed: int) -> dict[str, Any]:
    """The first problem of this seed, the same on any machine."""
    return problem_record(game_id, next(filter(None, puzzles(game_id, level, seed))), level, seed)


def problem_of_the_day(game_id: str, level: str, day: date) -> dict[str, Any]:
    """The problem of a date, which is the seed: the same for everybody."""
    record = first_problem(game_id, level, int(f"{day:%Y%m%d}"))
    record["about"]["day"] = day.isoformat()
    return record


def effort(problem: Problem, most: int) -> int | None:
    """The effort of a problem. None if it does not have exactly one solution, or takes more than `most`."""
    if isinstance(problem, Cover):
        problem = problem._replace(alike=0)
    tally = Tally()
    finished = problem.search(2, False, UNLIMITED._replace(work=most + 1), tally).finished
    return tally.nodes if finished and tally.found == 1 else None


Rows = tuple[tuple[str, ...], ...]


def symmetries(rows: Rows) -> list[Rows]:
    """The eight rotations and reflections of a board."""
    found = []
    for _ in range(4):
        rows = tuple(zip(*rows[::-1], strict=True))
        found += [rows, rows[::-1]]
    return found


Made = tuple[Puzzle, AnyPosition]


def _tetrods(chance: Random, least: int, most: int) -> Made | None:
    """Random mushrooms: about one setup in thirty has exactly one solution."""
    squares = chance.sample(range(SEVEN.size), tetrods.MUSHROOMS)
    position = tetrods.Tetrods(sum(1 << n for n in squares))
    taken = effort(problem_of(position), most)
    if taken is None or taken <= least:
        return None
    return Puzzle({"mushrooms": list(SEVEN.named(position.mushrooms))}, (), taken), position


def _hepta(chance: Random, least: int, most: int) -> Made | None:
    """Random blockers have hundreds of solutions, so a local search moves them one by one to reduce the number.

    Problems with one solution are hard; for easier levels some pieces are laid already.
    """
    blockers = sum(1 << n for n in chance.sample(range(SEVEN.size), hepta.BLOCKERS))
    ways = _ways(blockers)
    for _ in range(STEPS if ways else 0):
        if ways == 1:
            break
        old, new = 1 << chance.choice(list(bits(blockers))), 1 << chance.choice(list(bits(SEVEN.all & ~blockers)))
        fewer = count(_solo(blockers ^ old ^ new), ways)
        if fewer.complete and fewer.solutions:
            blockers, ways = blockers ^ old ^ new, fewer.solutions
    if ways != 1:
        return None
    position, moves = _solo(blockers), list[str]()
    pieces = list(all_solutions(position, 1)[0])
    chance.shuffle(pieces)
    taken = effort(problem_of(position), most)
    while taken is None and most == LEVELS["easy"][1]:
        moves.append(pieces.pop())
        position = position.play(hepta.read_solo(moves[-1]))
        taken = effort(problem_of(position), most)
    if taken is None or taken <= least:
        return None
    return Puzzle({"blockers": list(SEVEN.named(blockers))}, tuple(moves), taken), position


def _solo(blockers: int) -> hepta.HeptaSolo:
    return hepta.HeptaSolo(blockers, taken=blockers)


def _ways(blockers: int) -> int:
    return count(_solo(blockers)).solutions


def _pegs(chance: Random, least: int, most: int) -> Made | None:
    """A covered board, of which as much is taken away as leaves one way back: cards and then pegs, or cards with the
    pegs that no other card needs."""
    empty = PegsProblem.of(pegs.PegsSolo())
    budget = UNLIMITED._replace(work=PEGS_WORK)
    covered = empty.shuffled(chance.randrange(1, 2**32), budget)
    if not covered:
        return None
    solution = [pegs.read_solo(move) for move in covered[0]]
    given: list[pegs.SoloMove] = [move for move in solution if isinstance(move, pegs.Peg)]
    from_cards = chance.random() < 0.5
    if from_cards:
        given = [move for move in solution if isinstance(move, pegs.Cover)]
    chance.shuffle(given)
    taken = None
    for move in list(given):
        fewer = [other for other in given if other != move]
        less = effort(PegsProblem.of(_laid(fewer, solution)), most)
        if less is not None:
            given, taken = fewer, less
    if taken is None or taken <= least:
        return None
    position = _laid(given, solution)
    moves = [f"o{square}" for square in SEVEN.named(position.pegs)]
    return Puzzle({}, (*moves, *(str(placed.block) for placed in position.cards)), taken), position


def _laid(given: list[pegs.SoloMove], solution: list[pegs.SoloMove]) -> pegs.PegsSolo:
    """The given pegs and cards on the board, with the pegs of the solution that stand under these cards."""
    cards = [move for move in given if isinstance(move, pegs.Cover)]
    under = union(pegs.BLOCK_SQUARES[card] for card in cards)
    position = pegs.PegsSolo()
    for move in solution:
        if isinstance(move, pegs.Peg) and (move in given or SEVEN.bit[move.square] & under):
            position = position.play(move)
    for card in cards:
        position = position.play(card)
    return position


GENERATORS: dict[str, Callable[[Random, int, int], Made | None]] = {
    "hepta-solo": _hepta,
    "tetrods": _tetrods,
    "pegs-solo": _pegs,
}
