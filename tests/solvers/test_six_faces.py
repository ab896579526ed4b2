"""6 Faces in the compiled core: the rules of companion.games move by move, and a search that proves what it claims."""

from __future__ import annotations

from ctypes import addressof, byref, string_at
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.games.six_faces import BOARD, SixFaces, read
from companion.solvers.compiled import rules_of
from companion.solvers.hint import Budget, Hint
from companion.solvers.six_faces import CODES, hashes, roll_of, search, state_of
from tests.solvers.positions import PERFT, core, legal, position_of, random_game, think

OPTIONS = [
    {"handedness": hand, "home": home, "repetition": repetition}
    for hand, home, repetition in product(("right", "left"), ("any", "king"), (False, True))
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_core_plays_by_the_same_rules(options: dict[str, Any]) -> None:
    rules, checked = rules_of(core(), "six_faces"), 0
    for seed in range(3):
        chance = Random(seed)
        position: Any = position_of({"game": "six-faces", "options": options})
        before = hashes(position)
        state = state_of(position, before)
        while checked < 300 * (seed + 1):
            moves = {str(roll_of(move)): move for move in legal(rules, state)}
            assert sorted(moves) == sorted(map(str, position.moves()))
            assert rules.side(addressof(state)) == (position.turn == "red")
            assert string_at(state, BOARD.size) == _slots(position, string_at(state, BOARD.size))
            outcome = position.outcome()
            if outcome:
                assert rules.value(addressof(state)) == outcome.scores["white"]
                break
            text = chance.choice(sorted(moves))
            rules.play(addressof(state), moves[text])
            position = position.play(read(text))
            checked += 1
    assert checked > 60


def _slots(position: SixFaces, found: bytes) -> bytes:
    """Where the core has pieces, the position has dice of the same side."""
    return bytes(
        slot if die and (slot > 9) == (die[0] == "r") else 255 if die else 0
        for slot, die in zip(found, position.dice, strict=True)
    )


@pytest.mark.parametrize(
    "case", [case for case in PERFT if case["record"]["game"] == "six-faces"], ids=lambda c: c["about"]
)
def test_the_core_counts_as_the_table(case: dict[str, Any]) -> None:
    rules = rules_of(core(), "six_faces")
    position: Any = position_of(case["record"])
    before = hashes(position)
    state = state_of(position, before)
    for depth, count in enumerate(case["perft"], 1):
        assert core().core_perft(byref(rules), state, depth) == count


def last(position: Any, budget: Budget) -> Hint:
    *_, hint = think(position, budget)
    return hint


@cache
def plainly(position: SixFaces, depth: int) -> int:
    """1 if who is to move can win within so many moves, -1 if he must lose within them, else 0."""
    outcome = position.outcome()
    if outcome:
        return 0 if outcome.winner is None else 1 if outcome.winner == position.turn else -1
    if depth == 0:
        return 0
    best = -1
    for move in position.moves():
        best = max(best, -plainly(position.play(move), depth - 1))
        if best == 1:
            break
    return best


def few_dice(chance: Random, **options: Any) -> dict[str, Any]:
    """A position with two dice a side, anywhere."""
    squares = chance.sample(BOARD.names, 6)
    dice = dict(zip(squares, ["wK", "rK"], strict=False))
    for square, side in zip(squares[2:], "wwrr", strict=True):
        dice[square] = chance.choice([die for die in CODES if die[:1] == side and "/" in die])
    return {
        "game": "six-faces",
        "options": options,
        "setup": {"dice": dice, "to_move": chance.choice(("white", "red"))},
    }


@pytest.mark.parametrize("home", ["any", "king"])
def test_wins_and_losses_are_those_of_brute_force(home: str) -> None:
    core()
    seen = set()
    for seed in range(25):
        position: Any = position_of(few_dice(Random(seed), home=home))
        if position.outcome():
            continue
        plain = plainly(position, 3)
        hint = last(position, Budget(5, work=20_000))
        if plain:
            assert hint.exact, seed
            assert hint.value == (plain + 1) / 2, seed
            after = position.play(read(hint.move))
            assert plain == -1 or plainly(after, 2) == -1 or len(hint.line) > 3
        seen.add(plain)
    assert {0, 1} <= seen
    plainly.cache_clear()


def test_a_win_at_once_and_a_win_in_two_are_always_found() -> None:
    core()
    at_once = in_two = 0
    for seed in range(12):
        chance = Random(seed)
        for position in random_game({"game": "six-faces"}, chance, 60):
            plays = [position.play(move) for move in position.moves()]
            wins = any((end := after.outcome()) and end.winner == position.to_move for after in plays)
            if wins:
                at_once += 1
                hint = last(position, Budget(1))
                assert (hint.value, hint.exact, len(hint.line)) == (1, True, 1)
                end = position.play(read(hint.move)).outcome()
                assert end
                assert end.winner == position.to_move
    for seed in range(70):
        position = position_of(few_dice(Random(seed)))
        if plainly(position, 1) != 1 and plainly(position, 3) == 1:  # type: ignore[arg-type]
            in_two += 1
            hint = last(position, Budget(1))
            assert (hint.value, hint.exact) == (1, True)
            assert plainly(position.play(read(hint.move)), 2) == -1
    plainly.cache_clear()
    assert at_once > 5
    assert in_two > 2


def turned(position: SixFaces) -> SixFaces:
    """The same position seen from the other side of the table, colors exchanged."""

    def die(code: str) -> str:
        if not code:
            return ""
        side = {"w": "r", "r": "w"}[code[0]]
        return side + (code[1] if code[1] == "K" else f"{code[1]}/{7 - int(code[3])}")

    dice = {BOARD.names[BOARD.size - 1 - n]: die(code) for n, code in enumerate(position.dice) if code}
    other = {"white": "red", "red": "white"}[position.turn]
    found: Any = position_of({"game": "six-faces", "setup": {"dice": dice, "to_move": other}})
    return found


def test_the_board_turned_round_is_worth_the_same() -> None:
    """Wins and losses exactly; what is only searched may differ by what the order of moves leaves out."""
    core()
    proved = 0
    for seed in range(40):
        *_, position = random_game({"game": "six-faces"} if seed % 2 else few_dice(Random(seed)), Random(seed), 12)
        if position.outcome():
            continue
        boards: Any = (position, turned(position))  # type: ignore[arg-type]
        one, other = ([*search(board, Budget(20, work=30_000))] for board in boards)
        assert abs(one[0].score - other[0].score) <= 60
        if one[-1].exact and one[-1].depth <= 6:
            proved += 1
            assert (other[-1].exact, other[-1].score > 0) == (1, one[-1].score > 0)
    assert proved > 5


def test_the_same_seed_and_work_give_the_same_hints() -> None:
    core()
    position = position_of({"game": "six-faces", "moves": ["b1-b2", "b8-b7"]})
    runs = [list(think(position, Budget(60, seed=7, work=50_000))) for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 3


def test_a_position_that_would_come_a_third_time_is_a_draw() -> None:
    """The computer that is losing goes for it; the one that is winning does not."""
    core()
    (case,) = [case for case in PERFT if case["about"] == "six-faces, one move from a third occurrence"]
    position: Any = position_of(case["record"])
    hint = last(position, Budget(0.3))
    assert hint.move in map(str, position.moves())
