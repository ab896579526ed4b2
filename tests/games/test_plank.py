"""Plank, rule by rule."""

import json
from typing import Any

import pytest

from companion.errors import BadInput
from companion.games.plank import PlankGame
from companion.record import read_record
from tests.records import legal, position, read, refusal, verdict

TWO = {"players": 2, "hands": {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}}
THREE = {"players": 3, "hands": {"A": {"R": 4}, "B": {"W": 4}, "C": {"B": 4}}}
FOUR = {
    "players": 4,
    "hands": {"A": {"R": 3}, "B": {"W": 3}, "C": {"B": 3}, "D": {"R": 1, "W": 1, "B": 1}},
}


def test_plank_1_the_first_turn_lays_a_plank() -> None:
    moves = legal(position("plank", [], setup=TWO))
    assert len(moves) == 3 * 2 * 3  # a model, either way round, a token of any color
    assert all("^ " in move for move in moves)
    assert position("plank", [], setup={**TWO, "first": "B"}).to_move == "B"


def test_plank_2_either_end_either_way_round() -> None:
    after = position("plank", ["RBW^ B@b0"], setup=TWO)
    assert after.to_move == "B"
    moves = legal(after)
    assert {move.split()[0] for move in moves if " " in move} == {
        model + end for model in ("RWB", "BWR", "WRB", "BRW", "RBW", "WBR") for end in "^v"
    }
    assert "RWBv W@b-1" in moves
    assert "R@a0" in moves
    assert "B@b0" not in moves
    south = position("plank", ["RBW^ B@b0", "RWBv W@b-1"], setup=TWO)
    assert [plank["colors"] for plank in south.visible()["planks"]] == ["RWB", "RBW"]


@pytest.mark.parametrize(
    ("moves", "rule", "code"),
    [
        (["B@b0"], "plank.3", "first-lays-a-plank"),
        (["RBW^"], "plank.2", "plank-without-token"),
        (["RRW^ R@a0"], "plank.2", "no-such-plank"),
        (["RBWv B@b0"], "format", "first-plank-north"),
        (["BBWv W@c0"], "format", "first-plank-north"),
        (["RBW^ B@b1"], "plank.2", "token-not-on-new-plank"),
        (["RBW^ B@a0"], "plank.3", "wrong-color"),
        (["RBW^ B@d0"], "plank.2", "token-not-on-new-plank"),
        (["RBW^ B@b0", "RWB^ R@a0"], "plank.2", "token-not-on-new-plank"),
        (["RBW^ B@b0", "B@b0"], "plank.3", "square-taken"),
        (["RBW^ B@b0", "R@c0"], "plank.3", "wrong-color"),
        (["RBW^ B@b0", "R@a1"], "plank.3", "no-plank-there"),
        (["RBW^ B@b0", "b0>b1"], "turn", "wrong-phase"),
        (["RBW^ B@b0", "RBW^ B@b1", "RBW^ B@b2", "R@a0", "RBW^ R@a3"], "plank.2", "no-plank-left"),
        (["RBW^ B@b0", "RBW^ B@b1", "RBW^ B@b2", "R@a0", "WRB^ B@c3"], "plank.3", "no-token-left"),
        (["RBW B@b0"], "format", "unreadable"),
        (["RBW^ "], "format", "unreadable"),
        ([" B@b0"], "format", "unreadable"),
        (["B@b-0"], "format", "unreadable"),
        (["B@b00"], "format", "unreadable"),
        (["b0>"], "format", "unreadable"),
    ],
)
def test_why_not(moves: list[str], rule: str, code: str) -> None:
    reason = refusal("plank", moves, setup=TWO)
    assert (reason.rule, reason.code) == (rule, code)


ALL_OUT = [
    "RBW^ B@b0",
    "BRW^ B@a1",
    "RBW^ R@a2",
    "BRW^ R@b3",
    "WRB^ B@c4",
    "BWR^ W@b5",
    "R@b1",
    "W@c0",
    "W@c2",
    "B@b2",
    "W@c3",
    "R@a0",
]


def test_plank_3_when_all_six_are_out_one_moves() -> None:
    after = position("plank", ALL_OUT, setup=TWO)
    assert after.to_move == "A"
    moves = legal(after)
    assert all(">" in move for move in moves)
    assert "b0>a3" in moves
    assert "BRW^ b0>a6" in moves
    for move, rule, code in [
        ("B@a3", "turn", "wrong-phase"),
        ("a1>b2", "turn", "not-your-token"),
        ("a4>c1", "plank.3", "no-token"),
        ("b0>b0", "plank.3", "square-taken"),
        ("b0>c1", "plank.3", "wrong-color"),
        ("b0>b9", "plank.3", "no-plank-there"),
        ("BRW^ b0>a3", "plank.2", "token-not-on-new-plank"),
        ("RBW^ b0>b6", "plank.2", "no-plank-left"),
    ]:
        reason = refusal("plank", [*ALL_OUT, move], setup=TWO)
        assert (reason.rule, reason.code) == (rule, code), move
    moved = verdict("plank", [*ALL_OUT, "BRW^ b0>a6"], setup=TWO)
    assert moved["visible"]["planks"][0]["tokens"] == ["B", ".", "B"]
    assert moved["visible"]["planks"][6] == {"colors": "BRW", "tokens": ["A", ".", "."]}


def test_plank_4_a_plank_full_of_ones_own_wins() -> None:
    moves = ["RBW^ B@b0", "RWB^ W@b1", "R@a0", "R@a1", "W@c0"]
    found = verdict("plank", moves, setup=TWO)
    assert (found["over"], found["winner"], found["why"], found["to_move"]) == (True, "A", "line", None)
    assert found["scores"] == {"A": 1, "B": 0}
    assert refusal("plank", [*moves, "B@c1"], setup=TWO).rule == "over"


def test_plank_4_a_column_of_three_neighbors_wins_and_a_diagonal_does_not() -> None:
    column = ["RBW^ R@a0", "WRB^ R@b1", "W@a1", "B@c1", "BWR^ B@a2"]
    assert verdict("plank", column, setup=TWO)["winner"] == "A"
    same = ["RBW^ R@a0", "RWB^ W@b1", "R@a1", "B@c1", "BWR^ B@a2"]
    assert not verdict("plank", same, setup=TWO)["over"]  # two reds and a blue
    diagonal = ["RBW^ R@a0", "RBW^ R@a1", "B@b1", "WRB^ B@c2", "W@a2"]
    assert not verdict("plank", diagonal, setup=TWO)["over"]


def test_plank_5_repetition_is_an_option() -> None:
    here = position("plank", ALL_OUT, {"repetition": True}, TWO)
    assert isinstance(here, PlankGame)
    there = next(move for move in legal(here) if " " not in move and move.startswith("b0>"))
    theirs = next(move for move in legal(here.play(read("plank", there))) if " " not in move and move.startswith("a1>"))
    dance = [there, theirs, _back(there), _back(theirs)]
    assert verdict("plank", ALL_OUT + dance * 3, setup=TWO)["ok"]
    assert not verdict("plank", ALL_OUT + (dance * 2)[:-1], {"repetition": True}, TWO)["over"]
    found = verdict("plank", ALL_OUT + dance * 2, {"repetition": True}, TWO)
    assert (found["over"], found["draw"], found["why"]) == (True, True, "repetition")
    assert found["scores"] == {"A": 0.5, "B": 0.5}


def _back(move: str) -> str:
    source, to = move.split(">")
    return f"{to}>{source}"


def test_plank_5_who_can_do_nothing_passes() -> None:
    seen: dict[str, Any] = {"planks": [{"colors": "RWB", "tokens": ["A", "A", "B"]}]}
    here = position("plank", ["RWB^ R@a0"], setup=TWO)
    assert isinstance(here, PlankGame)
    from companion.games.plank import Owned
    from companion.games.value import replace

    empty = Owned((0, 0, 0), (1, 1, 1))
    stuck = replace(here.accept_as_seen(seen, "B"), hands=(Owned((1, 0, 0), (1, 1, 1)), empty))
    assert stuck._then("B").to_move == "A"  # B has no plank and finds no free square
    nobody = replace(stuck, hands=(empty, empty))._then("B")
    outcome = nobody.outcome()
    assert outcome is not None
    assert (outcome.draw, outcome.why, outcome.scores) == (True, "no-move", {"A": 0.5, "B": 0.5})


def test_plank_6_marks_at_three() -> None:
    moves = ["WRB^ R@b0", "RWB^ W@b1", "RBW^ B@b2", "W@a0", "R@a1", "R@a2", "B@c0"]
    found = verdict("plank", moves, setup=THREE)
    assert found["winner"] == "A"
    assert found["scores"] == {"A": 0, "B": 2, "C": 1}
    resigned = verdict("plank", moves[:-1], setup=THREE, result={"winner": "B", "why": "referee"})
    assert resigned["scores"] == {"A": 1, "B": 0, "C": 2}
    drawn = verdict("plank", moves[:-1], setup=THREE, result={"winner": None, "why": "agreed"})
    assert (drawn["draw"], drawn["scores"]) == (True, {"A": 0, "B": 0, "C": 0})


def test_plank_6_partners_at_four() -> None:
    moves = ["WRB^ R@b0", "RWB^ W@b1", "RBW^ B@b2", "RBW^ W@c3", "W@a0", "R@a1", "R@a2", "R@a3", "B@c0"]
    found = verdict("plank", moves, setup=FOUR)
    assert found["winner"] == "A"
    assert found["scores"] == {"A": 1, "B": 0, "C": 1, "D": 0}


def test_a_line_must_be_one_players_own() -> None:
    moves = ["WRB^ R@b0", "RWB^ W@b1", "W@a0", "RBW^ W@c2", "RBW^ B@b3"]
    moves[4:] = ["B@c0"]
    found = verdict("plank", moves, setup=FOUR)
    assert found["visible"]["planks"][0]["tokens"] == ["C", "A", "A"]
    assert not found["over"]  # partners do not share a line


def test_the_plank_is_seen_before_its_token() -> None:
    here = position("plank", ["RBW^ B@b0"], setup=TWO)
    (step,) = here.steps(read("plank", "RWBv W@b-1"))
    assert step["planks"] == [
        {"colors": "RWB", "tokens": [".", ".", "."]},
        {"colors": "RBW", "tokens": [".", "A", "."]},
    ]
    moving = position("plank", ALL_OUT, setup=TWO)
    assert len(moving.steps(read("plank", "BRW^ b0>a6"))) == 3


def test_two_tokens_in_one_turn_that_stood() -> None:
    seen = {"planks": [{"colors": "RBW", "tokens": ["B:W", "A", "B"]}]}
    entry = {"stood": seen, "to_move": "A", "note": "two tokens, one on the wrong color"}
    found = verdict("plank", ["RBW^ B@b0", entry, "RWB^ W@b1"], setup=TWO)
    assert found["ok"], found["illegal"]
    assert found["visible"]["planks"][0] == {"colors": "RBW", "tokens": ["B:W", "A", "B"]}
    assert refusal("plank", ["RBW^ B@b0", entry, "RWB^ W@b1", "W@b1"], setup=TWO).code == "no-token-left"


@pytest.mark.parametrize(
    ("setup", "field", "code"),
    [
        ({"hands": TWO["hands"]}, "setup.players", "missing"),
        ({"players": 2}, "setup.hands", "missing"),
        ({**TWO, "players": 5}, "setup.players", "not-one-of"),
        ({**TWO, "players": True}, "setup.players", "not-one-of"),
        ({**TWO, "players": [2]}, "setup.players", "not-one-of"),
        ({**TWO, "players": 3}, "setup.hands", "not-the-players"),
        ({**TWO, "first": "C"}, "setup.first", "not-one-of"),
        (
            {"players": 2, "hands": {"A": {"R": 3, "W": 2, "B": 2}, "B": TWO["hands"]["B"]}},
            "setup.hands.A",
            "wrong-count",
        ),
        (
            {"players": 2, "hands": {"A": {"R": 3, "W": 1, "B": 2}, "B": TWO["hands"]["B"]}},
            "setup.hands",
            "wrong-model-count",
        ),
        ({"players": 2, "hands": {"A": {"R": -1}, "B": {}}}, "setup.hands.A.R", "not-a-count"),
        ({"players": 2, "hands": {"A": {"G": 6}, "B": {}}}, "setup.hands.A", "not-planks-by-color"),
    ],
)
def test_impossible_hands(setup: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(BadInput) as bad:
        read_record(json.dumps({"game": "plank", "setup": setup, "moves": []}))
    assert (bad.value.field, bad.value.code) == (field, code)
