"""Turns that no look showed by themselves: what legal play explains is never called illegal."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.games.position import Position
from companion.record import read_record, replay
from companion.referee import Referee, Verdict, line_of, search, trippples
from companion.referee.evidence import LookEvidence, visible_pieces
from tests.records import VARIANTS, names, new_record, position
from tests.referee.looks import discs_of, look_of
from tests.referee.skipping import HARDLY_ENOUGH, Variant, cheated, followed, look_at, random_game
from tests.referee.test_referee import referee, seen, with_codes

MOST = 12  # turns of a game


@pytest.mark.parametrize("step", [1, 2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_a_legal_game_is_never_called_illegal(variant: Variant, step: int) -> None:
    found = followed(variant, 2, step, MOST)
    assert not found.counted["alarm"], found.odd
    assert not found.counted["wrong"], found.odd
    understood = found.counted["right"] + found.counted["open"]
    assert understood >= (0.5 if step > 2 else 0.7) * found.counted["looks"], found.odd


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v[0] in ("trippples", "six-faces")], ids=names)
def test_that_a_board_is_watched_accuses_nobody(variant: Variant) -> None:
    """Four turns between two looks are rare at a board that is watched: not rare enough for an accusation."""
    found = followed(variant, 500, 4, MOST, watches=True)
    assert not found.counted["alarm"], found.odd


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_a_cheat_is_caught_where_every_turn_is_seen(variant: Variant) -> None:
    told = [found for seed in range(3) if (found := cheated(variant, seed, 1, MOST))]
    assert [found for found in told if found.verdict != "illegal"] == []


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v[0] in ("hepta", "tetrods", "plank")], ids=names)
def test_a_cheat_among_unseen_turns_is_not_taken_for_legal(variant: Variant) -> None:
    told = [found for seed in range(3) for step in (2, 3) if (found := cheated(variant, seed, step, MOST))]
    assert [found for found in told if found.verdict not in ("illegal", "unsure")] == []


@pytest.mark.parametrize("game", ["six-faces", "trippples", "t-for-two"])
def test_a_cheat_is_taken_for_legal_only_where_legal_play_leads_to_the_same_board(game: str) -> None:
    told = [found for seed in range(2) for step in (2, 4) if (found := cheated((game, {}, {}), seed, step, MOST))]
    assert [found for found in told if found.verdict in ("move", "same") and not found.reached] == []


@pytest.mark.parametrize(
    ("variant", "seed", "step"),
    [(("pegs", {}, {}), 100, 2), (("pegs", {}, {}), 3, 3), (("trippples", {"wild": True}, {}), 3, 2)],
    ids=str,
)
def test_what_looks_before_contradict_is_not_taken_for_legal(variant: Variant, seed: int, step: int) -> None:
    """A peg or a pawn that was moved: that looks before were at something illegal is no legal play."""
    found = cheated(variant, seed, step)
    assert found
    assert found.verdict in ("illegal", "unsure")


def at_once(game: str, moves: list[str], known: int = 0) -> tuple[Verdict, Position[Any]]:
    """The verdict on a look after so many moves that are known and all others at one go."""
    judge, after = referee(game, moves[:known]), position(game, moves)
    judge.see(seen(game, judge.position))
    verdict = judge.see(seen(game, after))
    assert judge.position.visible() == after.visible()
    assert judge.position.to_move == after.to_move
    return verdict, after


def test_any_number_of_pieces_may_have_been_laid() -> None:
    moves = ["@f5", "L1f5g5g6g7@f5", "@f6", "L4d5d6e6f6@f6", "@f7", "I1c7d7e7f7@f7", "@f4", "T1e3e4e5f4@f4", "@g4"]
    verdict, _ = at_once("t-for-two", moves)
    assert sorted(verdict.moves) == sorted(moves)
    assert verdict.moves[-1] == "@g4"  # no tetrod lies over it
    assert verdict.order_open


def test_an_order_that_makes_no_difference_is_not_asked_about() -> None:
    verdict, _ = at_once("six-faces", ["b1-b2", "b8-b7", "h1-h2"])
    assert (verdict.kind, verdict.order_open, verdict.open) == ("move", True, ())


def test_an_order_that_is_the_only_one_is_not_marked() -> None:
    verdict, _ = at_once("six-faces", ["b1-b2", "b8-b7"])
    assert (verdict.moves, verdict.order_open) == (("b1-b2", "b8-b7"), False)


def test_planks_come_at_either_end() -> None:
    hands = {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}
    setup = {"players": 2, "hands": hands}
    moves = ["BRW^ W@c0", "RWBv B@c-1", "BWR^ B@a1", "R@b0"]
    judge, after = referee("plank", [], setup=setup), position("plank", moves, setup=setup)
    judge.see(seen("plank", judge.position))
    assert judge.see(seen("plank", after)).kind in ("move", "unsure")
    assert any(line.texts() == tuple(moves) for line in judge.lines) or judge.position.future() == after.future()


def test_tiles_turned_up_on_the_way_are_found() -> None:
    record = new_record(("trippples", {"hidden": True}, {}), 4)
    begun = read_record(json.dumps(record))
    line = line_of(begun, replay(begun))
    judge = Referee(line)
    judge.see(seen("trippples", line.position))
    for _ in range(4):
        line = line.then([next(iter(line.position.moves()))])
    verdict = judge.see(seen("trippples", line.position))
    assert verdict.kind == "move"
    assert judge.position.visible() == line.position.visible()


def test_an_illegal_look_does_not_spoil_the_next() -> None:
    judge = referee("hepta", [*(f"#{c}1" for c in "abcdefg"), "=I"])
    judge.see(seen("hepta", judge.position))
    assert judge.see(with_codes("hepta", judge.position, dict.fromkeys(("a2", "a3", "b2"), "x"))).kind == "illegal"
    moves = ["Ia2a3a4", "Lb2b3c2", "Ig2g3g4"]
    after = position("hepta", [*(f"#{c}1" for c in "abcdefg"), "=I", *moves])
    verdict = judge.see(seen("hepta", after))
    assert (verdict.kind, sorted(verdict.moves)) == ("move", sorted(moves))


def test_a_search_goes_on_from_look_to_look() -> None:
    moves = ["@f5", "L1f5g5g6g7@f5", "@f6", "L4d5d6e6f6@f6"]
    start = referee("t-for-two", []).line
    judge, after = Referee(start, patience=2), seen("t-for-two", position("t-for-two", moves))
    judge.see(seen("t-for-two", start.position))
    verdicts = [judge.see(after)]
    while verdicts[-1].kind == "unsure" and len(verdicts) < 40:
        verdicts.append(judge.see(after))
    assert len(verdicts) > 2
    assert {verdict.code for verdict in verdicts[:-1]} == {"missed"}
    assert sorted(verdicts[-1].moves) == sorted(moves)


def test_a_die_that_another_one_replaced_was_moved() -> None:
    """A die leaves its square and one that looks alike comes there: the square shows what it showed."""
    dice = {"a1": "w1/3", "b1": "w1/3", "e1": "wK", "e8": "rK", "i8": "r1/4"}
    setup = {"dice": dice}
    moves = ["b1-b2", "i8-i7", "a1-b1"]
    judge = referee("six-faces", [], setup=setup)
    judge.see(seen("six-faces", judge.position))
    after = position("six-faces", moves, setup=setup)
    assert judge.see(seen("six-faces", after)).kind in ("move", "unsure")


def test_a_die_that_another_one_replaced_is_likelier_than_a_turn_more_than_usual() -> None:
    variant = next(v for v in VARIANTS if v[1] == {"handedness": "left"})
    found = followed(variant, 3, 4)
    assert not found.counted["wrong"], found.odd


def test_a_pawn_that_moved_is_another_board() -> None:
    """What one look at the pawns left open says nothing of the next, when a pawn stands elsewhere."""
    record = new_record(("trippples", {}, {}), 3)
    judge = referee("trippples", [], {}, record["setup"])
    start = judge.position
    judge.see(seen("trippples", start))
    first = start.play(next(iter(start.moves())))
    unclear = look_of("trippples", first.visible())  # type: ignore[arg-type]
    unclear.pawns["square1"][:] = 0.4 / 64
    for square in (start.visible()["pawns"]["square1"], first.visible()["pawns"]["square1"]):
        unclear.pawns["square1"][unclear.squares.index(square)] = 0.3
    assert judge.see(unclear).kind == "unsure"
    second = first.play(next(iter(first.moves())))
    assert judge.see(seen("trippples", second)).kind == "move"
    assert judge.position.visible() == second.visible()


def test_looks_that_leave_lines_open_still_show_the_board() -> None:
    """What was misread is told by the newest board that is known, not by one from before the open looks."""
    variant = next(v for v in VARIANTS if v[0] == "six-faces" and not v[1])
    found = followed(variant, 100, 4)
    assert not found.counted["alarm"], found.odd
    assert found.counted["right"] + found.counted["open"] == found.counted["looks"], found.odd


def test_what_a_rare_number_of_turns_explains_was_something_else_before() -> None:
    """A pawn went away and came back before the first look, which a single move explained as well."""
    variant = next(v for v in VARIANTS if v[0] == "trippples" and v[1].get("indirect") is False)
    found = followed(variant, 103, 4)
    assert not found.counted["alarm"], found.odd
    assert not found.counted["wrong"], found.odd
    assert found.counted["open"] <= 1, found.odd  # nobody can know it at the first look
    assert found.counted["right"] + found.counted["open"] == found.counted["looks"], found.odd


@pytest.mark.parametrize("step", [2, 3, 4])
def test_a_second_move_that_led_back_was_a_turn(step: int) -> None:
    """With wild squares a pawn enters one and comes back in one turn, which no look shows: only whose turn it is has
    changed. Looks after it are explained by that alone."""
    variant = next(v for v in VARIANTS if v[0] == "trippples" and v[1] == {"wild": True})
    found = followed(variant, 1, step)
    assert not found.counted["alarm"], found.odd
    assert not found.counted["wrong"], found.odd


@pytest.mark.parametrize(("seed", "watches"), [(621, True), (1, False)])
def test_a_turn_that_shows_nothing_accuses_nobody(seed: int, watches: bool) -> None:
    """The same where every other turn was seen by itself."""
    variant = next(v for v in VARIANTS if v[0] == "trippples" and v[1] == {"wild": True})
    found = followed(variant, seed, 1, watches=watches)
    assert not found.counted["alarm"], found.odd


def test_the_pawns_search_finds_what_the_search_for_all_games_finds() -> None:
    for variant in [v for v in VARIANTS if v[0] == "trippples" and not v[1].get("hidden")]:
        start, turns = random_game(variant, Random(5), 12)
        lines = [start, *(turn.after for turn in turns)]
        for before, after in zip(lines[::3], lines[2::3], strict=False):
            if before.position.placing:
                continue
            evidence = LookEvidence(look_at(variant, after, np.random.default_rng(0)))
            for turns_made in (1, 2, 3, 4):
                ends = [
                    {found.position.future() for found in several(before.position, evidence, turns_made, True) if found}
                    for several in (search.several_turns, trippples.several_turns)
                ]
                assert ends[0] == ends[1]


def test_a_die_that_came_back_was_taken_for_another_number_of_turns() -> None:
    """A die went away and came back, which four other turns explain as well. Then White moves: it was his turn."""
    dice = {
        "a1": "r6/4",
        "b1": "r3/1",
        "c1": "w5/4",
        "e2": "wK",
        "h2": "w3/6",
        "d3": "r6/5",
        "e3": "w1/2",
        "h3": "w4/2",
        "e4": "w5/6",
        "b5": "w1/3",
        "c5": "r4/2",
        "f5": "w5/6",
        "d7": "rK",
        "g7": "r4/5",
    }
    options, setup = {"handedness": "left"}, {"dice": dice, "to_move": "red"}
    moves = ["c5-c7-a7", "e4-g4-g7", "a7-c7-c5", "f5-i5-i7"]
    judge = referee("six-faces", [], options, setup)
    judge.see(seen("six-faces", judge.position))
    assert len(judge.see(seen("six-faces", position("six-faces", moves[:3], options, setup))).moves) == 4
    verdict = judge.see(seen("six-faces", position("six-faces", moves, options, setup)))
    assert (verdict.kind, list(verdict.moves)) == ("move", moves)


LAID = [
    "og4",
    "od1",
    "d1e3",
    "od6",
    "e3g4",
    "oc4",
    "b4d5",
    "c4d6",
    "og2",
    "f2g4",
    "oe5",
    "oa5",
    "of5",
    "og1",
    "d4e6",
    "c4e5",
    "e1g2",
    "d4f5",
    "oc7",
    "oc3",
    "ob7",
    "oc2",
    "of6",
]


@pytest.mark.parametrize("hand", [1, 6])
def test_two_new_cards_on_an_old_one_are_told_apart(hand: int) -> None:
    """The upper one covers much of the lower, which covers a corner of an old card: the rest of that lies as it lay."""
    judge, after = referee("pegs-solo", LAID), position("pegs-solo", [*LAID, "od7", "oe7", "f4g6", "e6g7"])
    blocks, rng = [move for move in LAID if len(move) == 4], np.random.default_rng(0)
    judge.see(seen("pegs-solo", judge.position, askew=discs_of(blocks, rng, hand=hand)))
    judge.see(seen("pegs-solo", after, askew=discs_of([*blocks, "f4g6", "e6g7"], rng, hand=hand)))
    assert sorted(visible_pieces(judge.position)) == sorted(visible_pieces(after))


PEGS: Variant = next(v for v in VARIANTS if v[0] == "pegs")


@pytest.mark.parametrize(("seed", "step"), [(1, 1), (3, 2), (12, 3)])
def test_turns_of_very_many_cards_are_followed(seed: int, step: int) -> None:
    """Up to a dozen cards a turn, most of them covered by others: what lies on top tells enough to go on."""
    found = followed(PEGS, seed, step, enough=HARDLY_ENOUGH)
    assert not found.counted["alarm"], found.odd
    assert not found.counted["wrong"], found.odd
    assert found.counted["right"] + found.counted["open"] == found.counted["looks"], found.odd


@pytest.mark.parametrize(("seed", "step"), [(0, 1), (1, 1), (5, 2), (1, 4)])
def test_what_is_told_of_cards_that_cover_each_other_is_a_legal_record(seed: int, step: int) -> None:
    """Each card at most once in the whole game, though many of them are hardly seen."""
    found = followed(PEGS, seed, step, enough=HARDLY_ENOUGH)
    record = {"game": "pegs", "options": {}, "setup": {}, "moves": found.told}
    assert replay(read_record(json.dumps(record))).illegal is None


def test_the_last_turn_has_no_more_cards_than_a_hand() -> None:
    """No peg can be put after it, so its player draws no more: cards that may be older were laid before."""
    found = followed(PEGS, 6, 3)
    assert found.counted["right"] == found.counted["looks"], found.odd


def test_a_card_that_was_only_thought_to_be_used_up_may_be_laid() -> None:
    """Of an earlier card so little shows that it may be one of several. A later card shows which one it was not: it is
    told anew, and what was made since the last look is told apart from that."""
    chance, rng = Random(0), np.random.default_rng(0)
    start, turns = random_game(PEGS, chance, 6, HARDLY_ENOUGH)
    judge = Referee(start, watches=False)
    judge.see(look_at(PEGS, start, rng))
    verdicts = [judge.see(look_at(PEGS, turn.after, rng)) for turn in turns]
    assert [verdict.kind for verdict in verdicts] == ["move"] * 6
    assert verdicts[-1].settled == verdicts[-1].earlier > 0
    made = judge.seen_moves(len(verdicts[-1].moves) - verdicts[-1].earlier)
    assert made[0] == "og1"
    assert set(made) <= set(turns[-1].moves)
    assert judge.position.visible() == turns[-1].after.position.visible()


def test_cards_of_an_earlier_look_may_have_been_others() -> None:
    """The last turn lays a card that was said to lie elsewhere already: that one was another, which shows the same."""
    found = followed(next(v for v in VARIANTS if v[0] == "pegs"), 2, 1)
    assert found.counted["right"] + found.counted["open"] == found.counted["looks"], found.odd
