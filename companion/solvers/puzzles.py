"""New problems for the solitaires, each with exactly one solution, graded by the effort that they take.

**Effort** is the number of positions that a patient solver looks at who always turns to the square (in Tetrods also the
piece) with the fewest ways left, tries these ways one after the other, takes back what leads nowhere, and stops when
there is nothing left to try: so it grows with every place where the board does not tell at once what to lay. With all
steps forced it is little more than the number of pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from random import Random
from typing import Any, NamedTuple

from companion.games import hepta, pegs, tetrods
from companion.games.position import AnyPosition
from companion.games.squares import SEVEN, bits, union
from companion.solvers.cover import AT_WILL, Cover, Problem, count, every, problem_of
from companion.solvers.pegs_solo import PegsProblem
from companion.solvers.structs import Tally

# Effort above the first number, up to the second.
LEVELS = {"easy": (0, 150), "medium": (150, 500), "hard": (500, 1000), "fiendish": (1000, 20_000)}
STEPS = 150  # that a search for Hepta's blockers goes before it begins anew
PEGS_WORK = 1000  # nodes of a search for a covered Pegs board before it begins anew


class Puzzle(NamedTuple):
    setup: dict[str, Any]
    moves: tuple[str, ...]  # what lies already
    effort: int


def puzzles(game_id: str, level: str, seed: int) -> Iterator[Puzzle | None]:
    """Problems without end, no two alike when the board is turned or flipped; None for each attempt that failed."""
    chance = Random(f"{game_id} {level} {seed}")
    least, most = LEVELS[level]
    seen = set()
    while True:
        made = MAKERS[game_id](chance, least, most)
        if made is None:
            yield None
            continue
        puzzle, position = made
        look = min(turns(tuple(map(tuple, position.visible()["rows"]))))
        yield puzzle if look not in seen else None
        seen.add(look)


def problem_record(game_id: str, puzzle: Puzzle, level: str, seed: int, number: int = 1) -> dict[str, Any]:
    """A problem as a record to begin with."""
    about = {"level": level, "effort": puzzle.effort, "seed": seed, "number": number}
    return {"game": game_id, "setup": puzzle.setup, "moves": list(puzzle.moves), "about": about}


def first_problem(game_id: str, level: str, seed: int) -> dict[str, Any]:
    """The first problem of this seed, the same on any machine."""
    return problem_record(game_id, next(filter(None, puzzles(game_id, level, seed))), level, seed)


def problem_of_the_day(game_id: str, level: str, day: date) -> dict[str, Any]:
    """The same for everybody on that date: the day itself is the seed."""
    record = first_problem(game_id, level, int(f"{day:%Y%m%d}"))
    record["about"]["day"] = day.isoformat()
    return record


def effort(problem: Problem, most: int) -> int | None:
    """The effort that a problem takes; None if it has not just one solution, or takes more than `most`."""
    if isinstance(problem, Cover):
        problem = problem._replace(alike=0)
    tally = Tally()
    finished = problem.search(2, False, AT_WILL._replace(work=most + 1), tally).finished
    return tally.nodes if finished and tally.found == 1 else None


Rows = tuple[tuple[str, ...], ...]


def turns(rows: Rows) -> list[Rows]:
    """A board turned and flipped in all eight ways."""
    found = []
    for _ in range(4):
        rows = tuple(zip(*rows[::-1], strict=True))
        found += [rows, rows[::-1]]
    return found


Made = tuple[Puzzle, AnyPosition]


def _tetrods(chance: Random, least: int, most: int) -> Made | None:
    """One in thirty of all ways to put the mushrooms has just one solution: they are found by trying."""
    squares = chance.sample(range(SEVEN.size), tetrods.MUSHROOMS)
    position = tetrods.Tetrods(sum(1 << n for n in squares))
    taken = effort(problem_of(position), most)
    if taken is None or taken <= least:
        return None
    return Puzzle({"mushrooms": list(SEVEN.named(position.mushrooms))}, (), taken), position


def _hepta(chance: Random, least: int, most: int) -> Made | None:
    """Blockers at random leave hundreds of solutions, so they are moved one by one to where there are ever fewer.

    Even those that leave just one are no easy problems: for these, some of the pieces are laid already.
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
    pieces = list(every(position, 1)[0])
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
    budget = AT_WILL._replace(work=PEGS_WORK)
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


MAKERS: dict[str, Callable[[Random, int, int], Made | None]] = {
    "hepta-solo": _hepta,
    "tetrods": _tetrods,
    "pegs-solo": _pegs,
}
