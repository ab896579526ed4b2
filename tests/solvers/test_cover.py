"""The solitaires solved, against plain play-outs of every order and plain square-by-square filling."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import combinations, islice
from math import comb
from random import Random
from typing import Any

import pytest

from companion.games import hepta, pegs, tetrods
from companion.games.position import Position
from companion.games.squares import SEVEN, bits, union
from companion.solvers import compiled
from companion.solvers.cover import (
    UNLIMITED,
    Count,
    Problem,
    SearchResult,
    all_solutions,
    count,
    problem_of,
    solve,
    think,
)
from companion.solvers.hint import Budget, Stop
from companion.solvers.pegs_solo import PegsProblem
from companion.solvers.puzzles import LEVELS, Puzzle, effort, puzzles, symmetries
from companion.solvers.structs import Tally
from tests.solvers.positions import core
from tests.solvers.positions import think as any_think

GAMES = {"hepta-solo": hepta.HEPTA_SOLO, "tetrods": tetrods.TETRODS_GAME, "pegs-solo": pegs.PEGS_SOLO}


@pytest.fixture(params=["compiled", "pure"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "pure":
        monkeypatch.setattr(compiled, "core", None)
    else:
        core()
    return str(request.param)


def hepta_of(chance: Random) -> hepta.HeptaSolo:
    blockers = sum(1 << n for n in chance.sample(range(SEVEN.size), 7))
    return hepta.HeptaSolo(blockers, taken=blockers)


def tetrods_of(chance: Random) -> tetrods.Tetrods:
    return tetrods.Tetrods(sum(1 << n for n in chance.sample(range(SEVEN.size), 13)))


def solvable(kind: Any, chance: Random) -> Any:
    return next(position for position in iter(lambda: kind(chance), None) if solve(position).solutions)


def played(position: Any, moves: Any, game_id: str) -> Any:
    for text in moves:
        move = GAMES[game_id].read(text)
        assert position.why_not(move) is None, text
        position = position.play(move)
    return position


def by_playing(position: Position[Any]) -> set[frozenset[str]]:
    """Every set of moves that solves it, by playing all there is."""
    found, seen = set(), set()

    def go(at: Any, laid: frozenset[str]) -> None:
        if laid in seen:
            return
        seen.add(laid)
        if at.solved:
            found.add(laid)
        for move in at.moves():
            go(at.play(move), laid | {str(move)})

    go(position, frozenset())
    return found


def by_filling(free: int, pieces: dict[str, list[tuple[int, str]]], most: dict[str, int], bare: int) -> int:
    """Ways to fill the free squares, always the lowest first, which alone may also stay bare if it is in `bare`."""
    if not free:
        return 1
    square = free & -free
    ways = by_filling(free ^ square, pieces, most, 0) if square & bare else 0
    for name, left in most.items():
        if left:
            for squares, _ in pieces[name]:
                if squares & square and not squares & ~free:
                    ways += by_filling(free & ~squares, pieces, {**most, name: left - 1}, bare)
    return ways


def filled(position: Any) -> int:
    """The number of solutions of Hepta or Tetrods by plain filling."""
    if isinstance(position, hepta.HeptaSolo):
        lays = {s: [(squares, str(lay)) for lay, squares in hepta.LAYS[s].items()] for s in "IL"}
        left = {shape: 7 - sum(piece.shape == shape for piece in position.pieces) for shape in "IL"}
        return by_filling(SEVEN.all & ~position.taken, lays, left, 0)
    over: dict[str, list[tuple[int, str]]] = {name: [] for name in tetrods.TETRODS}
    for hole in bits(position.mushrooms):
        for lay, squares in tetrods.lays_over(hole).items():
            if squares & position.mushrooms == 1 << hole:
                over[lay.name].append((squares, str(lay)))
    used = {lay.name for lay in position.laid}
    most = {name: int(name not in used) for name in tetrods.TETRODS}
    return by_filling(SEVEN.all & ~position.covered, over, most, position.mushrooms)


def covers(known: int, covered: int, cards: frozenset[str], left: int, barred: frozenset[pegs.Cover]) -> int:
    """Ways to cover the board with different cards, all pegs standing; each set of blocks counted once."""
    bare = SEVEN.all & ~covered
    blocks = [block for block in pegs.BLOCKS if block not in barred]
    if not bare:
        free = [(block, card) for block in blocks if (card := shown(block, known)) not in cards | {pegs.BLANK}]
        return sum(
            len({card for _, card in extra}) == size for size in range(left + 1) for extra in combinations(free, size)
        )
    if bare.bit_count() > 6 * left:
        return 0
    ways, tried = 0, barred
    for block in blocks:
        if pegs.BLOCK_SQUARES[block] & bare & -bare:
            tried |= {block}
            if (card := shown(block, known)) not in cards | {pegs.BLANK}:
                ways += covers(known, covered | pegs.BLOCK_SQUARES[block], cards | {card}, left - 1, tried)
    return ways


def shown(block: pegs.Cover, known: int) -> str:
    return pegs.SHOWS["blue"][pegs.holes_needed(block, known)]


# --- half-filled boards against playing every order


@pytest.mark.parametrize(("game_id", "kind", "left"), [("hepta-solo", hepta_of, 5), ("tetrods", tetrods_of, 6)])
def test_half_filled_boards(way: str, game_id: str, kind: Any, left: int) -> None:
    chance = Random(4)
    several = 0
    for _ in range(6):
        start = solvable(kind, chance)
        moves = list(solve(start).solutions[0])
        chance.shuffle(moves)
        position = played(start, moves[left:], game_id)
        found = by_playing(position)
        assert {frozenset(solution) for solution in all_solutions(position, 1000)} == found
        assert count(position) == Count(len(found), True)
        assert frozenset(solve(position).solutions[0]) in found
        several += len(found) > 1
        spoilt = position.play(chance.choice(list(position.moves())))
        assert bool(solve(spoilt).solutions) == bool(by_playing(spoilt))
    assert several or game_id == "tetrods"


def pegs_boards(chance: Random, how_many: int) -> Iterator[list[str]]:
    """Solutions of Pegs from an empty board."""
    empty = PegsProblem.of(pegs.PegsSolo())
    seeds = iter(lambda: chance.randrange(1, 2**32), None)
    found = (empty.shuffled(seed, UNLIMITED._replace(work=1000)) for seed in seeds)
    return islice((list(solutions[0]) for solutions in found if solutions), how_many)


@pytest.fixture(scope="module")
def boards() -> list[list[str]]:
    return list(pegs_boards(Random(1), 6))


def test_half_filled_pegs_boards(way: str, boards: list[list[str]]) -> None:
    chance = Random(2)
    several = 0
    for solution in boards:
        cards = [move for move in solution if not move.startswith("o")]
        chance.shuffle(cards)
        under = union(pegs.BLOCK_SQUARES[pegs.read_solo(card)] for card in cards[2:])  # type: ignore[index]
        standing = [m for m in solution if m.startswith("o") and (SEVEN.bit[m[1:]] & under or chance.random() < 0.8)]
        position = played(pegs.PegsSolo(), [*standing, *cards[2:]], "pegs-solo")
        found = by_playing(position)
        assert {frozenset(moves) for moves in all_solutions(position, 10_000)} == found
        assert count(position) == Count(len(found), True)
        moves = solve(position).solutions[0]
        assert frozenset(moves) in found
        assert played(position, moves, "pegs-solo").solved
        several += len(found) > 1
    assert several


def test_nothing_is_laid_after_the_last_card(way: str, boards: list[list[str]]) -> None:
    """A card too many may be laid before it, but two that cover the last square cannot both be laid."""
    for solution in boards:
        last = played(pegs.PegsSolo(), solution[:-1], "pegs-solo")
        assert last.covered.bit_count() < SEVEN.size
        found = by_playing(last)
        assert count(last) == Count(len(found), True)
        assert {frozenset(moves) for moves in all_solutions(last, 100)} == found


# --- whole problems against plain filling, and turned


@pytest.mark.parametrize(("kind", "boards_checked"), [(hepta_of, 4), (tetrods_of, 25)])
def test_whole_problems(kind: Any, boards_checked: int) -> None:
    chance = Random(8)
    counts = []
    for _ in range(boards_checked):
        position = kind(chance)
        counts.append(count(position).solutions)
        assert counts[-1] == filled(position)
    assert any(counts)


@pytest.mark.parametrize("game_id", ["hepta-solo", "tetrods"])
def test_turned_problems_have_as_many_solutions(game_id: str) -> None:
    chance = Random(5)
    sign = {"hepta-solo": "#", "tetrods": "o"}[game_id]
    for _ in range(5):
        start = solvable({"hepta-solo": hepta_of, "tetrods": tetrods_of}[game_id], chance)
        counts = set()
        for rows in symmetries(tuple(map(tuple, start.visible()["rows"]))):
            squares = SEVEN.set_of(
                SEVEN.names[(6 - y) * 7 + x] for y, row in enumerate(rows) for x, c in enumerate(row) if c == sign
            )
            if game_id == "hepta-solo":
                counts.add(count(hepta.HeptaSolo(squares, taken=squares)).solutions)
            else:
                counts.add(count(tetrods.Tetrods(squares)).solutions)
        assert len(counts) == 1


def test_turned_pegs_have_as_many_solutions(boards: list[list[str]]) -> None:
    for solution in boards[:4]:
        standing = {move[1:] for move in solution if move.startswith("o")}
        counts = set()
        for turn in range(8):
            turned = [_turned(square, turn) for square in sorted(standing)[1:]]
            counts.add(count(pegs.PegsSolo(SEVEN.set_of(turned))).solutions)
        assert len(counts) == 1
        assert counts != {0}


def _turned(square: str, turn: int) -> str:
    x, y = "abcdefg".index(square[0]), int(square[1]) - 1
    for _ in range(turn % 4):
        x, y = y, 6 - x
    return SEVEN.names[y * 7 + (6 - x if turn > 3 else x)]


# --- the two ways are one


def test_pure_and_compiled_find_the_same_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    core()
    chance = Random(6)
    problems: list[Problem] = [problem_of(kind(chance)) for kind in (hepta_of, tetrods_of) for _ in range(8)]
    for solution in pegs_boards(chance, 3):
        standing = [move for move in solution if move.startswith("o")]
        given = [chance.sample(standing, fewer) for fewer in (41, 39, 37)]
        problems += [problem_of(played(pegs.PegsSolo(), moves, "pegs-solo")) for moves in given]

    def told(problem: Problem) -> list[Any]:
        found: list[Any] = []
        for search in (
            lambda tally: problem.first(UNLIMITED._replace(work=300), tally),
            lambda tally: problem.search(10**9, False, UNLIMITED._replace(work=1000), tally),
            lambda tally: problem.search(20, True, UNLIMITED._replace(work=1000), tally),
        ):
            tally = Tally()
            found.append((search(tally), tally.found, tally.nodes, round(tally.done, 9)))
        if isinstance(problem, PegsProblem):
            found += [problem.shuffled(seed, UNLIMITED._replace(work=400)) for seed in (1, 2, 3)]
        return found

    fast = [told(problem) for problem in problems]
    monkeypatch.setattr(compiled, "core", None)
    assert fast == [told(problem) for problem in problems]
    assert any(searched.solutions for found in fast for searched, *_ in found[:1])


def test_puzzles_are_the_same_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    core()
    wanted = {"hepta-solo": "hard", "tetrods": "easy", "pegs-solo": "easy"}

    def made() -> list[list[Puzzle | None]]:
        return [list(islice(puzzles(game_id, level, 3), 6)) for game_id, level in wanted.items()]

    fast = made()
    monkeypatch.setattr(compiled, "core", None)
    assert made() == fast


# --- limits, cancelling, hints


def test_the_empty_pegs_board_is_solved() -> None:
    solution = solve(pegs.PegsSolo()).solutions[0]
    assert played(pegs.PegsSolo(), solution, "pegs-solo").solved


def test_a_limit_tells_whether_there_are_more(way: str) -> None:
    position = solvable(hepta_of, Random(3))
    solutions = count(position).solutions
    assert solutions > 3
    assert count(position, 3) == Count(3, False)
    assert count(position, solutions) == Count(solutions, True)
    assert len(all_solutions(position, 3)) == 3
    many = pegs.PegsSolo()
    assert count(many, 2, UNLIMITED._replace(work=50)) == Count(0, False)


def test_a_finished_search_has_done_all_of_it(way: str) -> None:
    for kind in (tetrods_of, hepta_of):
        tally = Tally()
        problem = problem_of(solvable(kind, Random(1)))._replace(alike=0)  # type: ignore[attr-defined]
        problem.search(10**9, False, UNLIMITED._replace(work=3000), tally)
        assert 0 < tally.done <= 1.000001
    tally = Tally()
    assert problem_of(tetrods_of(Random(12))).search(10**9, False, UNLIMITED, tally).finished
    assert tally.done == pytest.approx(1)


def test_a_search_can_be_stopped(way: str) -> None:
    stop, tally = Stop(), Tally()
    found: list[Count] = []

    def search() -> None:
        found.append(count(pegs.PegsSolo(), budget=UNLIMITED._replace(stop=stop), tally=tally))

    worker = threading.Thread(target=search)
    worker.start()
    while not tally.nodes:
        worker.join(0.001)
    stop.set()
    worker.join(10)
    assert found
    assert not found[0].complete


def test_hints_lie_on_a_solution(way: str) -> None:
    chance = Random(9)
    for game_id, kind in (("hepta-solo", hepta_of), ("tetrods", tetrods_of)):
        position = solvable(kind, chance)
        hint = list(any_think(position, Budget(5)))[-1]
        assert (hint.value, hint.exact) == (1.0, True)
        assert hint.move == hint.line[0]
        assert played(position, hint.line, game_id).solved
        assert list(think(played(position, hint.line, game_id), Budget(5))) == []
    lost = next(p for p in iter(lambda: tetrods_of(chance), None) if any(p.moves()) and not solve(p).solutions)
    assert [(hint.value, hint.exact) for hint in think(lost, Budget(5))] == [(0.0, True)]


def test_a_hint_that_is_not_sure_says_so() -> None:
    hints = list(think(pegs.PegsSolo(), Budget(5, work=10)))
    assert {hint.exact for hint in hints} == {False}
    assert all(pegs.PegsSolo().why_not(pegs.read_solo(hint.move)) is None for hint in hints)


def test_what_stood_is_taken_as_it_is(way: str) -> None:
    """A board with a plate of no tromino, or tetrods that no tetrod explains, and boards with nothing left to do."""
    empty = [["."] * 7 for _ in range(7)]
    odd = [["x", "x", *["."] * 5], *empty[1:]]
    start = hepta_of(Random(1)).accept_as_seen({"rows": odd}, "solver")
    assert start.blockers == 0
    assert solve(start) == SearchResult([], True)
    mushrooms = tetrods_of(Random(1)).accept_as_seen({"rows": odd}, "solver")
    assert solve(mushrooms) == SearchResult([], True)
    assert count(mushrooms) == Count(0, True)
    full = hepta.HeptaSolo(0, taken=SEVEN.all)
    assert (solve(full), count(full)) == (SearchResult([()], True), Count(1, True))


def test_games_for_two_are_no_problems() -> None:
    with pytest.raises(LookupError):
        problem_of(hepta.Hepta())


# --- new problems


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game_id", ["hepta-solo", "tetrods"])
def test_new_problems_have_one_solution(game_id: str, level: str) -> None:
    core()  # the pure way takes minutes
    wanted = 1 if level == "fiendish" else 3
    made = list(islice(filter(None, puzzles(game_id, level, 1)), wanted))
    looks = set()
    for puzzle in made:
        position = played(GAMES[game_id].start({}, puzzle.setup), puzzle.moves, game_id)
        assert filled(position) == 1
        least, most = LEVELS[level]
        assert least < puzzle.effort <= most
        assert effort(problem_of(position), most) == puzzle.effort
        looks.add(min(symmetries(tuple(map(tuple, position.visible()["rows"])))))
    assert len(looks) == wanted


@pytest.mark.parametrize("level", LEVELS)
def test_new_pegs_problems_have_one_solution(level: str) -> None:
    core()
    given_cards = set()
    for puzzle in islice(filter(None, puzzles("pegs-solo", level, 2)), 6):
        position = played(pegs.PegsSolo(), puzzle.moves, "pegs-solo")
        assert LEVELS[level][0] < puzzle.effort <= LEVELS[level][1]
        assert count(position) == Count(1, True)
        given_cards.add(bool(position.cards))
        free = [1 << n for n in bits(SEVEN.all & ~position.pegs & ~position.covered)]
        missing = 41 - position.pegs.bit_count()
        if comb(len(free), missing) <= (400 if len(position.cards) > 3 else 4):  # else the plain way takes too long
            cards = frozenset(placed.card for placed in position.cards)
            ways = sum(
                covers(position.pegs | sum(more), position.covered, cards, 11 - len(cards), frozenset())
                for more in combinations(free, missing)
            )
            assert ways == 1
    assert given_cards == {False, True}
