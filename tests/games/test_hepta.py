"""Hepta, rule by rule."""

from random import Random

import pytest

from companion.games.hepta import BLOCKERS, LAYS, room
from tests.records import legal, position, refusal, verdict

BLOCKED = ["#a1", "#b1", "#c1", "#d1", "#e1", "#f1", "#g1"]


def test_the_pieces() -> None:
    assert len(LAYS["I"]) == 2 * 5 * 7
    assert len(LAYS["L"]) == 4 * 6 * 6


def test_hepta_1_seven_blockers_one_by_one() -> None:
    for n in range(1, BLOCKERS):
        at = position("hepta", BLOCKED[:n])
        assert at.to_move == "first"
        assert at.mid_turn
        assert len(legal(at)) == 49 - n
    assert position("hepta", BLOCKED).to_move == "second"


def test_hepta_2_second_chooses_and_begins() -> None:
    assert legal(position("hepta", BLOCKED)) == ["=I", "=L"]
    at = position("hepta", [*BLOCKED, "=L"])
    assert at.to_move == "second"
    assert {move[0] for move in legal(at)} == {"L"}
    assert {move[0] for move in legal(position("hepta", [*BLOCKED, "=L", "La2a3b2"]))} == {"I"}


@pytest.mark.parametrize(
    ("moves", "rule", "code"),
    [
        (["#a1", "#a1"], "hepta.1", "square-taken"),
        (["#h1"], "hepta.1", "outside"),
        (["#a8"], "hepta.1", "outside"),
        (["=I"], "turn", "wrong-phase"),
        (["Ia1a2a3"], "turn", "wrong-phase"),
        ([*BLOCKED, "#a2"], "turn", "wrong-phase"),
        ([*BLOCKED, "La2a3b2"], "turn", "wrong-phase"),
        ([*BLOCKED, "=L", "=I"], "turn", "wrong-phase"),
        ([*BLOCKED, "=L", "Ia2a3a4"], "turn", "not-your-shape"),
        ([*BLOCKED, "=L", "Ia2a3z9"], "turn", "not-your-shape"),
        ([*BLOCKED, "=L", "La1a2b2"], "hepta.3", "overlap"),
        ([*BLOCKED, "=L", "Lg6g7h7"], "hepta.3", "outside"),
        ([*BLOCKED, "=L", "La2a3a4"], "hepta.3", "not-that-shape"),
        ([*BLOCKED, "=L", "La2a3c3"], "hepta.3", "not-that-shape"),
        ([*BLOCKED, "=L", "La2a2a3"], "hepta.3", "not-that-shape"),
        ([*BLOCKED, "=L", "La2b2a3"], "format", "cells-unsorted"),
        ([*BLOCKED, "=L", "La2b2"], "format", "unreadable"),
        ([*BLOCKED, "=T"], "format", "unreadable"),
        (["d4"], "format", "unreadable"),
        (["#d4 "], "format", "unreadable"),
        ([""], "format", "unreadable"),
    ],
)
def test_why_not(moves: list[str], rule: str, code: str) -> None:
    reason = refusal("hepta", moves)
    assert (reason.rule, reason.code) == (rule, code)


def test_hepta_4_who_is_out_is_out_and_the_other_goes_on() -> None:
    alone = 0
    for seed in range(20):
        chance, at = Random(seed), position("hepta", [*BLOCKED, "=I"])
        while at.to_move:
            before, at = at, at.play(chance.choice(list(at.moves())))
            if at.to_move == before.to_move:
                other = "first" if at.to_move == "second" else "second"
                assert not any(room(at.shape(other), at.taken)) or at.laid[other == "second"] == 7
                alone += 1
        for player in at.players:
            assert not any(room(at.shape(player), at.taken))
    assert alone > 0


def test_hepta_5_points_decide() -> None:
    at = position("hepta", [*BLOCKED, "=L"])
    moves = [*BLOCKED, "=L"]
    while at.to_move:
        move = max(at.moves(), key=str)
        moves.append(str(move))
        at = at.play(move)
    found = verdict("hepta", moves)
    assert found["over"]
    assert found["to_move"] is None
    assert found["why"] == "most-pieces"
    first, second = found["scores"]["first"], found["scores"]["second"]
    assert first + second == len(moves) - 8
    assert found["winner"] == (None if first == second else "first" if first > second else "second")
    assert found["draw"] == (first == second)
    assert refusal("hepta", [*moves, "La1a2b1"]).rule == "over"
    assert refusal("hepta", [*moves, "nonsense"]).rule == "format"


SOLO = {"blockers": ["a1", "b3", "c7", "d4", "e2", "f5", "g6"]}
SOLUTION = [
    "Ib1c1d1",
    "Ie1f1g1",
    "Ia2a3a4",
    "Ib2c2d2",
    "Lf2g2g3",
    "Ic3c4c5",
    "Id3e3f3",
    "La5b4b5",
    "Ld5e4e5",
    "Lf4g4g5",
    "La6a7b7",
    "Ib6c6d6",
    "Ld7e6e7",
    "Lf6f7g7",
]


def test_hepta_7_solved() -> None:
    assert not verdict("hepta-solo", SOLUTION[:-1], setup=SOLO)["over"]
    found = verdict("hepta-solo", SOLUTION, setup=SOLO)
    assert found["ok"], found["illegal"]
    assert (found["over"], found["winner"], found["scores"]) == (True, "solver", {"solver": 1})


def test_hepta_7_no_move_left_is_not_solved() -> None:
    at = position("hepta-solo", [], setup=SOLO)
    while at.to_move:
        at = at.play(min(at.moves(), key=str))
    outcome = at.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.draw, outcome.why) == (None, False, "stuck")


@pytest.mark.parametrize(
    ("moves", "rule", "code"),
    [
        (["#b1"], "format", "unreadable"),
        (["La1b1b2"], "hepta.7", "overlap"),
        (["Lb1b2c3"], "hepta.7", "not-that-shape"),
        (["Lg5g7h7"], "hepta.7", "outside"),
        ([*(move for move in SOLUTION if move[0] == "I"), "Ie5e6e7"], "hepta.7", "used-up"),
    ],
)
def test_hepta_7_why_not(moves: list[str], rule: str, code: str) -> None:
    reason = refusal("hepta-solo", moves, setup=SOLO)
    assert (reason.rule, reason.code) == (rule, code)


def test_a_plate_of_four_that_stood_counts_as_a_piece() -> None:
    at = position("hepta", [*BLOCKED, "=L", "La2a3b2"])
    seen = at.visible()
    for column in range(4):
        seen["rows"][0][column] = "x"
    entry = {"stood": seen, "to_move": "second", "note": "four squares"}
    found = verdict("hepta", [*BLOCKED, "=L", "La2a3b2", entry, "Lc2c3d2"])
    assert found["ok"], found["illegal"]
    assert found["stood"] == [9]
    assert found["plies"] == 11
    assert found["scores"] == {"first": 1, "second": 2}
    assert found["visible"]["rows"][0] == ["x", "x", "x", "x", ".", ".", "."]
    assert refusal("hepta", [*BLOCKED, "=L", "La2a3b2", entry, "La6a7b7"]).code == "overlap"
