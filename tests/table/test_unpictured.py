"""Whole games of which not every turn is seen, without pictures: hands stay over the board for two or three turns, the
camera goes away for ten seconds twice a game, and nobody answers anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.position import AnyPosition
from companion.referee import Referee, Verdict, VerdictKind
from companion.referee.explanations import NOTHING, Unseen, rarity_of, room_for
from companion.referee.referee import alike
from companion.simulation.source import Trouble
from tests.records import new_record, position, read
from tests.referee.looks import look_of
from tests.referee.test_referee import SEVEN_TURNS, referee, seen, with_codes
from tests.simulation.unpictured import Followed, followed
from tests.table.test_watching import KINDS

TROUBLES: tuple[tuple[Trouble, ...], ...] = (("half", "reach", "light"), (), ("half", "slide", "illegal"))


def game(number: int, folder: Path) -> Followed:
    """One of two hundred games: every game and option in turn."""
    played, options, players = KINDS[number % len(KINDS)]
    return followed(played, options, players, 3000 + number, TROUBLES[number // 5 % 3], folder, unseen=True)


# Hepta, Tetrods, T for Two, Plank, Trippples with wild squares (among cheats) and with four players; pawns that went
# back and forth unseen, so often that the game may have been over; 6 Faces with twice seven turns unseen.
@pytest.mark.parametrize("number", [0, 2, 3, 9, 13, 50, 117, 126])
def test_a_game_of_which_not_everything_is_seen(number: int, tmp_path: Path) -> None:
    found = game(number, tmp_path)
    assert found.right, (found.truth[-5:], found.record[-5:])
    assert not found.alarms
    assert found.standing <= 1
    assert set(found.cheats) <= {"illegal"}


@pytest.mark.soak
@pytest.mark.parametrize("number", range(200))
def test_each_of_two_hundred_games_of_which_not_everything_is_seen(number: int, tmp_path: Path) -> None:
    found = game(number, tmp_path)
    assert found.right, (found.truth[-5:], found.record[-5:])
    assert not found.alarms
    assert found.standing <= 1


def test_as_many_turns_as_there_was_time_for_are_not_rare() -> None:
    assert [room_for(seconds) for seconds in (0.5, 2.2, 4.0, 12.0)] == [0, 0, 1, 5]
    away = Unseen(room=5, is_timed=True)
    paces = (1,) * 12
    assert rarity_of(6, paces, away) < rarity_of(2, paces, Unseen(is_timed=True))
    assert rarity_of(2, paces, Unseen(is_timed=True)) == rarity_of(2, paces, NOTHING)


def test_lines_of_which_one_only_adds_to_the_other_can_be_asked_about() -> None:
    assert alike([("a", "b", "c"), ("a", "b", "d")]) == 2
    assert alike([("a", "b"), ("a", "b", "c")]) == 1  # "b", or "b" and "c"


def lifted(moves: list[str], square: str) -> tuple[Referee, AnyPosition]:
    """A look at 6 Faces after these moves, with a die in somebody's hand."""
    judge, after = referee("six-faces", []), position("six-faces", moves)
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    assert judge.see(with_codes("six-faces", after, {square: "."}), disturbed=6.0).kind == "partial"
    return judge, after


@pytest.mark.parametrize("square", ["h1", "b2"])
def test_a_die_in_a_hand_after_turns_that_went_unseen(square: str) -> None:
    """Nothing is told before it is put down: neither of a die that stood all the while, nor of one that had moved."""
    judge, after = lifted(["b1-b2", "b8-b7"], square)
    assert not judge.line.moves
    verdict = judge.see(seen("six-faces", after), disturbed=1.5)
    assert (verdict.kind, verdict.moves) == ("move", ("b1-b2", "b8-b7"))


def test_a_die_in_a_hand_that_left_a_square_seen_with_doubt() -> None:
    judge, after = referee("six-faces", []), position("six-faces", ["b1-b2", "b8-b7"])
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    look = with_codes("six-faces", after, {"b2": "."})
    left = look.squares.index("b1")
    look.likelihood[left, [look.codes.index("."), look.codes.index("w3:ne")]] = 0.94, 0.06
    assert judge.see(look, disturbed=6.0).kind == "partial"


def test_a_die_in_a_hand_after_as_many_turns_as_there_was_time_for() -> None:
    """Four turns while the camera was away, and a die that is taken up for the fifth."""
    judge, after = referee("six-faces", []), position("six-faces", SEVEN_TURNS[:4])
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    look = with_codes("six-faces", after, {"a1": "."})
    verdict = judge.see(look, disturbed=13.0)
    while judge.is_searching:
        judge.think(1.0)
        verdict = judge.see(look, disturbed=0.0)
    assert (verdict.kind, judge.line.moves) == ("partial", ())


def test_a_short_time_leaves_no_room_for_many_turns() -> None:
    """Four turns would explain it, and two seconds are not enough for them."""
    after = position("six-faces", ["b1-b2", "b8-b7", "h1-h2", "h8-h7"])
    quick, slow = referee("six-faces", []), referee("six-faces", [])
    for judge in (quick, slow):
        judge.see(seen("six-faces", judge.position), disturbed=0.0)
    assert slow.see(seen("six-faces", after), disturbed=8.0).kind == "move"
    assert quick.see(seen("six-faces", after), disturbed=1.5).kind == "illegal"


HANDS = {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}
PLANKS = {"players": 2, "hands": HANDS}
ROW = ["BRW^ W@c0", "RWBv B@c-1"]


def half_a_turn(moves: list[str], half: str, step: int) -> tuple[Referee, str]:
    """What a table that knows the first two planks says of these moves, made unseen, and a turn that is half made."""
    judge, before = referee("plank", ROW, setup=PLANKS), position("plank", [*ROW, *moves], setup=PLANKS)
    judge.see(seen("plank", judge.position), disturbed=0.0)
    picture = before.steps(read("plank", half))[step]
    return judge, judge.see(look_of("plank", picture), disturbed=6.0).kind  # type: ignore[arg-type]


@pytest.mark.parametrize("half", ["WRB^ W@a2", "WRBv W@a-2"])
def test_a_plank_without_its_token_after_turns_that_went_unseen(half: str) -> None:
    """At either end: nothing is told before the token is put."""
    moves = ["BWR^ B@a1", "R@b0"]
    judge, kind = half_a_turn(moves, half, 0)
    assert (kind, len(judge.line.moves)) == ("partial", 2)
    after = position("plank", [*ROW, *moves, half], setup=PLANKS)
    verdict = judge.see(seen("plank", after), disturbed=1.5)
    assert verdict.kind in ("move", "unsure")
    assert any(line.position.future() == after.future() for line in judge.lines)


def test_what_legal_play_explains_was_not_taken_back() -> None:
    """A cheat among unseen turns was taken for a turn that leads to the same board, and is put back."""
    moves = ["b1-b2", "b8-b7"]
    judge = referee("six-faces", [])
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    assert judge.see(seen("six-faces", position("six-faces", [*moves, "h1-h2"])), disturbed=8.0).kind == "move"
    verdict = judge.see(seen("six-faces", position("six-faces", moves)), disturbed=2.0)
    assert verdict.kind == "move"
    assert judge.line.texts() == tuple(moves)


def test_what_only_looks_put_right_may_still_have_been_something_else() -> None:
    """The table follows a turn that was made otherwise without asking; that makes no look before it certain."""
    judge = referee("six-faces", [])
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    after = position("six-faces", ["b1-b2", "b8-b7", "h1-h2"])
    assert judge.see(seen("six-faces", after), disturbed=8.0).kind == "move"
    judge.correct(Verdict(VerdictKind.ILLEGAL, ("d1-d3-h3",), back=1))
    assert judge.line.texts()[-1] == "d1-d3-h3"
    assert judge.see(seen("six-faces", position("six-faces", ["b1-b2", "b8-b7"])), disturbed=2.0).kind != "illegal"


@pytest.mark.parametrize("step", range(4))
def test_a_tile_that_is_being_turned_up_after_a_turn_that_went_unseen(step: int) -> None:
    """The pawn in a hand, the tile turned up before it comes or before it is taken up, the pawn there before that."""
    setup = new_record(("trippples", {"hidden": True}, {}), 4)["setup"]
    judge = referee("trippples", [], {"hidden": True}, setup)
    judge.see(seen("trippples", judge.position), disturbed=0.0)
    first = next(iter(judge.position.moves()))
    before = judge.position.play(first)
    second = next(iter(before.moves()))
    look = look_of("trippples", before.steps(second)[step])  # type: ignore[arg-type]
    kinds = [judge.see(look, disturbed=seconds).kind for seconds in (6.0, 0.0)]
    assert kinds in (["partial", "partial"], ["unsure", "partial"])  # a pawn may have been overlooked once
    assert not judge.line.moves
    verdict = judge.see(seen("trippples", before.play(second)), disturbed=1.5)
    assert (verdict.kind, verdict.moves) == ("move", (str(first), str(second)))


def test_a_pawn_may_have_come_back_where_there_was_time_for_it(tmp_path: Path) -> None:
    """With wild squares a pawn enters one and comes back in one turn: the board shows what it showed before."""
    found = followed("trippples", {"wild": True}, 2, 7013, ("half", "slide", "illegal"), tmp_path, unseen=True)
    assert found.right, (found.truth[-5:], found.record[-5:])
    assert not found.alarms


@pytest.mark.parametrize("step", [0, 2])
def test_a_die_and_the_one_that_it_takes_are_in_hands_after_turns_that_went_unseen(step: int) -> None:
    setup = {"dice": {"a1": "w1/3", "a2": "r1/4", "b1": "w1/3", "e1": "wK", "e8": "rK", "i8": "r1/4"}}
    moves = ["b1-b2", "i8-i7"]
    judge, before = referee("six-faces", [], setup=setup), position("six-faces", moves, setup=setup)
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    taken = read("six-faces", "a1-a2")
    look = look_of("six-faces", before.steps(taken)[step])  # type: ignore[arg-type]
    assert judge.see(look, disturbed=6.0).kind == "partial"
    after = before.play(taken)
    assert judge.see(seen("six-faces", after), disturbed=1.5).kind in ("move", "unsure")
    assert judge.position.future() == after.future()


# A cheat that another line explains than the one that was told, put back again; a pawn in a hand near its finish.
@pytest.mark.parametrize("number", [118, 149])
def test_cheats_after_unseen_turns_accuse_nobody_of_what_follows(number: int, tmp_path: Path) -> None:
    found = game(number, tmp_path)
    assert found.right, (found.truth[-5:], found.record[-5:])
    assert not found.alarms


def test_nobody_is_accused_by_a_story_that_is_hardly_to_be_believed() -> None:
    """Five turns in the time of two explain what was seen; what comes after that accuses nobody."""
    judge, after = referee("six-faces", []), position("six-faces", SEVEN_TURNS[:5])
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    assert judge.see(seen("six-faces", after), disturbed=4.0).kind == "move"
    astray = with_codes("six-faces", after, {"e8": ".", "e5": "rK"})
    assert {judge.see(astray, disturbed=seconds).kind for seconds in (1.5, 0.0, 0.0)} == {"unsure"}


def test_a_die_in_a_hand_was_not_taken(tmp_path: Path) -> None:
    """After two turns that went unseen a die is taken up that moved with the first of them: that the second took it
    explains the board as well, until it is put down."""
    trouble: tuple[Trouble, ...] = ("half", "reach", "light")
    found = followed("six-faces", {"handedness": "left"}, 2, 9092, trouble, tmp_path, unseen=True)
    assert found.right, (found.truth[-5:], found.record[-5:])
    assert not found.alarms


@pytest.mark.soak
@pytest.mark.parametrize(("options", "seed"), [({}, 5176), ({"handedness": "left"}, 5194)])
def test_a_story_hardly_to_be_believed_is_given_up_for_a_likelier_one(
    options: dict[str, str], seed: int, tmp_path: Path
) -> None:
    """Eight turns in the time of seven, where it was a die in a hand after four; a cheat among unseen turns that three
    others explain, put back with more of them."""
    found = followed("six-faces", options, 2, seed, ("half", "slide", "illegal"), tmp_path, unseen=True)
    assert found.right, (found.truth[-5:], found.record[-5:])
    assert not found.alarms


def test_what_was_read_with_doubt_and_is_gone_again_was_never_played() -> None:
    """A die that was put down turned, read as if it were not: when it is put back nobody took back a move."""
    judge, after = referee("six-faces", []), position("six-faces", ["b1-b2"])
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    look = with_codes("six-faces", after, {})
    at, code = look.squares.index("b2"), after.visible()["rows"][-2][1]
    look.likelihood[at] = 0.0
    look.likelihood[at, [look.codes.index(code), look.codes.index("w1")]] = 0.3, 0.7
    assert judge.see(look, disturbed=2.0).kind == "move"
    verdict = judge.see(seen("six-faces", position("six-faces", [])), disturbed=2.0)
    assert (verdict.kind, verdict.settled, judge.line.moves) == ("move", 1, ())
