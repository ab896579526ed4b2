"""Tetrods and T for Two, rule by rule."""

import pytest

from companion.games.squares import SEVEN
from companion.games.t_for_two import TForTwo
from companion.games.tetrods import TETRODS, lays_over
from tests.records import legal, position, refusal, verdict

PROBLEM = {"mushrooms": ["a2", "a6", "b1", "b5", "b6", "c4", "d3", "e2", "f3", "f6", "g1", "g4", "g7"]}
SOLUTION = [
    "L2e7f7g6g7@g7",
    "L3f5g3g4g5@g4",
    "S1e4e5f3f4@f3",
    "I2a1b1c1d1@b1",
    "S2c2c3d3d4@d3",
    "I1a3a4a5a6@a6",
    "L1b2b3b4c4@c4",
    "T2b5c5c6d5@b5",
    "T1a7b6b7c7@b6",
    "O1f1f2g1g2@g1",
    "T3d2e1e2e3@e2",
    "L4d6d7e6f6@f6",
]


def test_twelve_tetrods_lie_in_2288_ways() -> None:
    assert len(TETRODS) == 12
    lays = [lay for hole in range(SEVEN.size) for lay in lays_over(hole)]
    assert len(set(lays)) == len(lays) == 2288
    assert {name: sum(lay.name == name for lay in lays) for name in ("I1", "I2", "O1")} == {
        "I1": 2 * 2 * 4 * 7,
        "I2": 2 * 2 * 4 * 7,
        "O1": 4 * 36,
    }


def test_tetrods_3_solved_with_all_twelve() -> None:
    before = verdict("tetrods", SOLUTION[:-1], setup=PROBLEM)
    assert (before["over"], before["scores"]) == (False, {"solver": 0})
    found = verdict("tetrods", SOLUTION, setup=PROBLEM)
    assert found["ok"], found["illegal"]
    assert (found["over"], found["winner"], found["draw"]) == (True, "solver", False)
    assert found["scores"] == {"solver": 1}
    assert [row[0] for row in found["visible"]["rows"]] == ["x", "@", "x", "x", "x", "o", "x"]  # the 13th on bare a2
    assert sum(row.count("@") for row in found["visible"]["rows"]) == 12


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("L5e7f7g6g7@g7", "no-such-piece"),
        ("X1e7f7g6g7@g7", "no-such-piece"),
        ("L1e7f7g6g7@g7", "not-that-tetrod"),
        ("L2e7f7g6g7@a1", "not-that-tetrod"),
        ("L2f8f7g7h7@g7", None),
        ("L2f7f8g7h7@f7", "outside"),
        ("I1a1b1c1d1@d1", "hole-without-mushroom"),
        ("I1a1a2a3a4@a1", "hole-without-mushroom"),
        ("I2a4a5a6a7@a6", None),
        ("T2b5b6b7c6@b5", "mushroom-under-tetrod"),
    ],
)
def test_tetrods_2_why_not(move: str, code: str | None) -> None:
    if code is None:
        if move.startswith("L2f8"):
            assert refusal("tetrods", [move], setup=PROBLEM).rule == "format"
        else:
            assert move in legal(position("tetrods", [], setup=PROBLEM))
        return
    reason = refusal("tetrods", [move], setup=PROBLEM)
    assert (reason.rule, reason.code) == ("tetrods.2", code)


def test_tetrods_2_each_once_and_no_overlap() -> None:
    assert refusal("tetrods", ["L2e7f7g6g7@g7", "L2f5f6g5g6@f6"], setup=PROBLEM).code == "not-that-tetrod"
    assert refusal("tetrods", ["L2e7f7g6g7@g7", "L2f6f7e6d6@f6"], setup=PROBLEM).rule == "format"
    assert refusal("tetrods", ["L2e7f7g6g7@g7", "L4d7e7f6f7@f6"], setup=PROBLEM).code != "overlap"
    assert refusal("tetrods", ["L2e7f7g6g7@g7", "S1e6f6f7g7@e6"], setup=PROBLEM).code == "overlap"
    assert refusal("tetrods", ["O1f1f2g1g2@g1", "O1f6f7g6g7@f6"], setup=PROBLEM).code == "used-up"


def test_t_for_two_1_and_2() -> None:
    assert len(legal(TForTwo())) == 49
    at = position("t-for-two", ["@a1"])
    assert at.to_move == "tetrods"
    assert all(move.endswith("@a1") for move in legal(at))
    assert "I1a1b1c1d1@a1" in legal(at)
    after = position("t-for-two", ["@a1", "I1a1b1c1d1@a1"])
    assert after.to_move == "mushrooms"
    assert len(legal(after)) == 45


@pytest.mark.parametrize(
    ("moves", "rule", "code"),
    [
        (["I1a1b1c1d1@a1"], "turn", "wrong-phase"),
        (["@a1", "@b1"], "turn", "wrong-phase"),
        (["@a8"], "t-for-two.1", "outside"),
        (["@a1", "I1a1b1c1d1@a1", "@a1"], "t-for-two.1", "square-taken"),
        (["@a1", "I1a1b1c1d1@a1", "@b1"], "t-for-two.1", "covered"),
        (["@a1", "I1a1b1c1d1@a1", "@e1", "I1e1e2e3e4@e1"], "t-for-two.2", "used-up"),
        (["@a1", "I1a1b1c1d1@a1", "@e1", "I2d1e1f1g1@e1"], "t-for-two.2", "overlap"),
        (["@a1", "I1a1b1c1d1@a1", "@e1", "T2e2e3e4f3@e2"], "t-for-two.2", "hole-not-on-last"),
        (["@a1", "I1b1c1d1e1@b1"], "t-for-two.2", "hole-not-on-last"),
        (["@a1", "I1a1b1c1e1@a1"], "t-for-two.2", "not-that-tetrod"),
        (["@z"], "format", "unreadable"),
    ],
)
def test_t_for_two_why_not(moves: list[str], rule: str, code: str) -> None:
    reason = refusal("t-for-two", moves)
    assert (reason.rule, reason.code) == (rule, code)


def test_t_for_two_4_the_sheets_example() -> None:
    groups = ["a1 a2 a3 a4", "c1 c2 c3", "e1 e2", "g1", "g3", "g5"]  # 4, 3, 2, 1, 1, 1
    mushrooms = SEVEN.set_of(square for group in groups for square in group.split())
    assert TForTwo(mushrooms=mushrooms).points() == {"mushrooms": 22, "tetrods": 0}


def test_t_for_two_3_a_leg_ends_with_scores_and_no_winner() -> None:
    at, moves = TForTwo(), []
    while at.to_move:
        move = max(at.moves(), key=str)
        moves.append(str(move))
        at = at.play(move)
    found = verdict("t-for-two", moves)
    assert (found["over"], found["winner"], found["draw"], found["why"]) == (True, None, False, "leg-over")
    assert moves[-1].startswith("@")  # the last mushroom stays and counts
    assert found["scores"]["mushrooms"] >= sum(move.startswith("@") for move in moves)


def test_two_mushrooms_that_stood_may_both_be_covered() -> None:
    seen = position("t-for-two", ["@a1"]).visible()
    seen["rows"][0][6] = "o"
    entry = {"stood": seen, "to_move": "tetrods"}
    before = {"stood": position("t-for-two", []).visible(), "to_move": "mushrooms"}
    for move in ("I1a1b1c1d1@a1", "I1d7e7f7g7@g7"):
        found = verdict("t-for-two", [before, entry, move])
        assert found["ok"], found["illegal"]
        assert found["to_move"] == "mushrooms"
