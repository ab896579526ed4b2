"""Evidence of looks: what it costs that a square shows something, and that marks lie on one piece."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.position import Visible
from companion.referee.evidence import CONFIDENTLY_WRONG, OTHER_LENGTH, STANDS, LookEvidence, visible_pieces
from companion.referee.trippples import finishes
from tests.records import new_record, position
from tests.referee.looks import discs_of, look_of

BARE = position("t-for-two", []).visible()
PLANTED = position("t-for-two", ["@c3"]).visible()


def doubtful(square: str, shares: list[float]) -> LookEvidence:
    """A bare board, but for one square of which the look is not sure: bare, mushroom, tetrod, both."""
    look = look_of("t-for-two", BARE)
    look.likelihood[look.squares.index(square)] = shares
    return LookEvidence(look)


def test_the_best_reading_costs_nothing_and_no_square_costs_more_than_a_sure_mistake() -> None:
    evidence = LookEvidence(look_of("t-for-two", BARE, doubt=0.0))
    assert evidence.cost(BARE) == pytest.approx(0)
    assert evidence.free == pytest.approx(0)
    assert evidence.cost(PLANTED) == pytest.approx(-np.log(CONFIDENTLY_WRONG), abs=1e-3)
    assert [wrong.square for wrong in evidence.against(PLANTED)] == ["c3"]


def test_more_evidence_leaves_what_was_there_as_it_was() -> None:
    one, other = doubtful("c3", [0.4, 0.58, 0.01, 0.01]), doubtful("c3", [0.3, 0.68, 0.01, 0.01])
    before = (one.cost(BARE), one.possible["c3"], other.cost(BARE))
    both = one.plus(other)
    excused = both.excusing(BARE, one)
    assert (one.cost(BARE), one.possible["c3"], other.cost(BARE)) == before
    assert both.cost(BARE) == pytest.approx(one.cost(BARE) + other.cost(BARE))
    assert excused.cost(BARE) <= both.cost(BARE)


def test_what_is_possible_follows_from_all_looks() -> None:
    one = doubtful("c3", [0.3, 0.6, 0.05, 0.05])
    assert one.possible["c3"] == {".", "o", "x", "@"}
    both = one.plus(LookEvidence(look_of("t-for-two", PLANTED)))
    assert both.possible["c3"] == {"o"}
    assert both.possible["d4"] == {"."}


def test_a_square_that_has_changed_between_looks_does_not_agree() -> None:
    bare, planted = LookEvidence(look_of("t-for-two", BARE)), LookEvidence(look_of("t-for-two", PLANTED))
    assert not bare.agrees(planted)
    assert bare.agrees(doubtful("c3", [0.4, 0.58, 0.01, 0.01]))


def test_what_was_misread_before_and_reads_the_same_again_is_excused() -> None:
    """A speck on g7 that always reads as a mushroom."""
    before = doubtful("g7", [0.01, 0.98, 0.005, 0.005])
    again = doubtful("g7", [0.01, 0.98, 0.005, 0.005])
    assert again.cost(BARE) > 3
    assert again.excusing(BARE, before).cost(BARE) == pytest.approx(0)
    fresh = doubtful("c3", [0.01, 0.98, 0.005, 0.005])
    assert fresh.excusing(BARE, before).cost(BARE) == pytest.approx(fresh.cost(BARE))


def test_what_was_misread_with_doubt_may_be_so_more_and_for_longer() -> None:
    """In worse light, look after look; but what is read without doubt has changed."""
    before, now = doubtful("g7", [0.38, 0.6, 0.01, 0.01]), doubtful("g7", [0.15, 0.83, 0.01, 0.01])
    assert now.plus(now).plus(now).excusing(BARE, before).cost(BARE) == pytest.approx(0)
    changed = doubtful("g7", [0.01, 0.97, 0.01, 0.01])
    assert changed.excusing(BARE, before).cost(BARE) > 2


def planks(*rows: str, misread: int | None = None, doubt: float = 0.0) -> LookEvidence:
    """A row of planks, from the south; of one token another player's is read as well as its own."""
    picture: Visible = {"planks": [{"colors": row[:3], "tokens": list(row[3:])} for row in rows]}
    look = look_of("plank", picture)
    if misread is not None:
        own, other = (look.codes.index(code) for code in ("WA", "WB"))
        look.likelihood[misread, [own, other]] = 0.5 - doubt, 0.5 + doubt
    return LookEvidence(look)


@pytest.mark.parametrize(("rows", "at"), [(("RWB.A.", "BRW..B"), 1), (("BRW..B", "RWB.A."), 4)])
def test_what_was_misread_in_a_row_of_planks_is_excused_when_the_row_has_grown(rows: tuple[str, ...], at: int) -> None:
    known: Visible = {"planks": [{"colors": "RWB", "tokens": [".", "A", "."]}]}
    longer: Visible = {"planks": [{"colors": row[:3], "tokens": list(row[3:])} for row in rows]}
    before, now = planks("RWB.A.", misread=1, doubt=0.2), planks(*rows, misread=at, doubt=0.3)
    assert now.cost(longer) > 1
    assert now.excusing(known, before).cost(longer) == pytest.approx(0)


def test_codes_that_this_game_has_not_are_never_read() -> None:
    look = look_of("plank", {"planks": [{"colors": "RBW", "tokens": ["D", ".", "."]}]})
    evidence = LookEvidence(look, lambda code: code[1] in ".AB")
    assert "D" not in evidence.reading["planks"][0]["tokens"]


def test_a_row_of_planks_of_another_length_is_not_compared_square_by_square() -> None:
    evidence = LookEvidence(look_of("plank", {"planks": [{"colors": "RBW", "tokens": [".", ".", "."]}]}))
    assert evidence.cost({"planks": []}) == OTHER_LENGTH
    assert evidence.possible == {}


def test_the_topmost_card_shows_first_and_hides_what_lies_under_it() -> None:
    first = ["oa1", "ob2", "oc3", "od4", "oe5", "of6", "og7", ".", "+?", "+?", "+?", "oa3", "a1b3", "+?", "b1c3"]
    assert visible_pieces(position("pegs", first)) == [("b1", "b2", "b3", "c1", "c2", "c3"), ("a1", "a2", "a3")]
    assert visible_pieces(position("six-faces", [])) == []


def test_marks_tell_what_lies_on_one_card() -> None:
    seen = position("pegs", []).visible()
    look = look_of("pegs", seen, askew=discs_of(["a1b3", "d4e6"], np.random.default_rng(2)))
    evidence = LookEvidence(look)
    card, other = ("a1", "a2", "a3", "b1", "b2", "b3"), ("d4", "d5", "d6", "e4", "e5", "e6")
    mixed = (*card[:3], *other[:3])
    assert evidence.tells_pieces
    assert not evidence.is_broken(card)
    assert evidence.is_broken(mixed)
    assert evidence.cost_as_pieces([card, other]) < evidence.cost_as_pieces([mixed])
    assert not LookEvidence(look_of("pegs", seen)).tells_pieces


def test_marks_that_lie_as_they_lay_were_not_covered() -> None:
    seen = position("pegs", []).visible()
    rng = np.random.default_rng(2)
    before = LookEvidence(look_of("pegs", seen, askew=discs_of(["a1b3", "d4e6"], rng)))
    after = LookEvidence(look_of("pegs", seen, askew=discs_of(["a1b3", "d4e6", "e4g5"], rng))).lying_as_in(before)
    lay, left = ("a1", "a2", "a3", "b1", "b2", "b3"), ("d4", "d5", "d6", "e6")
    assert after.cost_as_old_piece(lay) < after.cost_as_piece(lay)
    assert after.cost_as_old_piece(left) < after.cost_as_piece(left)
    # A part of an old card that another one lies on now: it lies otherwise, though two marks alone fit any card.
    covered = ("e4", "e5")
    assert after.cost_as_old_piece(covered) > after.cost_as_piece(covered)
    assert after.is_old_broken((*left, *covered))


def test_looks_of_a_camera_that_moved_are_not_compared() -> None:
    seen = position("pegs", []).visible()
    rng = np.random.default_rng(2)
    before = LookEvidence(look_of("pegs", seen, askew=discs_of(["a1b3"], rng)))
    askew = discs_of(["a1b3"], rng)
    askew[:, :2] += 0.03
    moved = LookEvidence(look_of("pegs", seen, askew=askew))
    assert moved.lying_as_in(before) is moved
    assert moved.lying_as_in(LookEvidence(look_of("pegs", seen))) is moved


LAID = ["oa1", "ob2", "oc3", "od4", "oe5", "of6", "og7", ".", "+?", "+?", "+?", "oa3", "a1b3"]


def through_holes(moves: list[str], shares: dict[str, float]) -> LookEvidence:
    """Pegs in the holes of cards that a look sees only with so much likelihood."""
    look = look_of("pegs", position("pegs", moves).visible())  # type: ignore[arg-type]
    for square, share in shares.items():
        row = look.likelihood[look.squares.index(square)]
        row[:] = 0.0
        row[[look.codes.index("B"), look.codes.index("b")]] = share, 1 - share
    return LookEvidence(look)


def test_where_known_pegs_are_overlooked_others_are_too() -> None:
    before, after = position("pegs", LAID), position("pegs", [*LAID, "+?", "c3d5"])
    both = through_holes([*LAID, "+?", "c3d5"], {"a1": 0.25, "b2": 0.3, "c3": 0.25, "d4": 0.3})
    both = both.plus(both).plus(both)
    assert both.cost(after.visible()) > 10
    assert both.overlooking_pegs(before.visible()).cost(after.visible()) < 0.1


def test_a_peg_that_is_clearly_gone_is_not_overlooked() -> None:
    known = position("pegs", LAID)
    gone = through_holes(LAID, {"b2": 0.001})
    assert gone.overlooking_pegs(known.visible()) is gone


def test_where_known_pegs_are_seen_well_none_is_overlooked() -> None:
    before, after = position("pegs", LAID), position("pegs", [*LAID, "+?", "c3d5"])
    look = through_holes([*LAID, "+?", "c3d5"], {"d4": 0.05})
    assert look.overlooking_pegs(before.visible()).cost(after.visible()) == pytest.approx(look.cost(after.visible()))


@pytest.mark.parametrize("players", [2, 4])
def test_only_its_own_finish_hides_a_pawn(players: int) -> None:
    """A pawn that is seen nowhere for some looks may stand where its own mark hides it; else it is in a hand."""
    options = {"players": players} if players > 2 else {}
    at = position("trippples", [], options, new_record(("trippples", options, {}), 3)["setup"])
    shown, ends = at.visible(), finishes(at)  # type: ignore[arg-type]
    others = {name: square for name, square in shown["pawns"].items() if name != "square1"}
    look = look_of("trippples", {**shown, "pawns": others})  # type: ignore[arg-type]
    evidence = LookEvidence(look)
    for _ in range(STANDS):
        evidence = evidence.plus(LookEvidence(look))
    told = evidence.with_pawns_on(ends)
    ours, theirs = (told.cost({**shown, "pawns": {**others, "square1": ends[name]}}) for name in ("square1", "round1"))
    in_hand = told.cost({**shown, "pawns": others})
    assert ours < in_hand < theirs
    assert told.free == pytest.approx(in_hand)  # what else explains that it is seen nowhere is held against this, too


def test_what_is_seen_with_doubt_may_be_nearly_anything_but_not_where_a_verdict_is_built_on_it() -> None:
    look = look_of("six-faces", position("six-faces", []).visible(), doubt=0.0)  # type: ignore[arg-type]
    look.hidden[look.squares.index("d4")] = 0.2
    evidence = LookEvidence(look)
    assert evidence.possible["d4"] == set(look.codes)
    assert evidence.sharp().possible["d4"] == {"."}
    assert evidence.sharp().possible["a1"] == evidence.possible["a1"]
