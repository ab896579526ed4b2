"""Pegs, rule by rule."""

import json
from random import Random

import pytest

from companion.errors import BadInput
from companion.games.pegs import BLOCKS, CARDS, SHOWS, Cover, Hand, card_of, holes_needed, turned_over
from companion.games.squares import SEVEN
from companion.record import read_record
from tests.records import deal, legal, position, refusal, verdict

BLUE_PEGS = ["oa1", "ob1", "oc1", "oa2", "ob2", "oc2", "og7"]  # a full block in the corner
START = [*BLUE_PEGS, "."]
DECK = ["111111", *sorted(CARDS - {"111111"})]  # Blue's first hand: 111111 000001 000010


def test_the_35_cards() -> None:
    assert len(CARDS) == 35
    by_holes = [sum(card.count("1") == holes for card in CARDS) for holes in range(1, 7)]
    assert by_holes == [3, 9, 10, 9, 3, 1]
    assert all(card == card_of(card) == card_of(card[::-1]) for card in CARDS)
    assert turned_over("110010") == "011010"
    assert {card_of(turned_over(card)) for card in CARDS} == CARDS
    assert len(BLOCKS) == 2 * 5 * 6


def test_pegs_1_seven_pegs_then_none_to_seven() -> None:
    at = position("pegs", BLUE_PEGS)
    assert at.to_move == "white"
    assert "." in legal(at)
    white = ["od4", "oe4", "of4", "og4", "od5", "oe5", "of5"]
    assert position("pegs", [*BLUE_PEGS, *white[:6]]).to_move == "white"
    assert position("pegs", [*BLUE_PEGS, *white[:6], "."]).to_move == "blue"
    assert position("pegs", [*BLUE_PEGS, *white]).to_move == "blue"  # seven need no full stop


def test_pegs_2_draws_are_moves_without_a_deck() -> None:
    at = position("pegs", START)
    assert legal(at) == sorted(f"+{card}" for card in CARDS)
    at = position("pegs", [*START, "+111111", "+000001"])
    assert len(legal(at)) == 33
    assert legal(position("pegs", [*START, "+111111", "+000001", "+000010"]))[0] == "oa3"


def test_pegs_2_draws_happen_by_themselves_with_a_deck() -> None:
    at = position("pegs", START, setup={"deck": DECK})
    assert len(legal(at)) == 49 - 7
    at = position("pegs", [*START, "od1"], setup={"deck": DECK})
    assert "a1c2" in legal(at)
    assert [move for move in legal(at) if move[0] == "-"] == ["-000001", "-000010", "-111111"]
    after = position("pegs", [*START, "od1", "a1c2"], setup={"deck": DECK})
    assert [move for move in legal(after) if move[0] == "-"] == ["-000001", "-000010", "-000011"]


def test_pegs_3_a_turn() -> None:
    turn = [*START, "+111111", "+000001", "+000010", "od1", "a1c2", "+000011", "-000001"]
    assert position("pegs", turn).to_move == "white"
    assert position("pegs", turn[:-3]).mid_turn
    later = [*turn, "+000100", "+000101", "+000110", "oe1", "-000100"]
    at = position("pegs", later)
    assert at.to_move == "blue"
    assert all(move.startswith("+") for move in legal(at))  # a third card
    assert all(move.startswith("o") for move in legal(at.play(next(at.moves()))))


def test_pegs_4_the_mirror_on_whites_face() -> None:
    # One peg in the south-west of a block: Blue needs 000100, White 000001, which turned over is 000100.
    first = ["oa1", *[f"o{c}7" for c in "abcdef"], "."]
    blue = [*first, "+000100", "+000101", "+000111", "og7"]
    assert "a1c2" in legal(position("pegs", blue))
    white = [*blue, "-000111", "+000010", "+000011"]
    assert "a1c2" in legal(position("pegs", [*white, "+000001", "og6"]))
    assert "a1c2" not in legal(position("pegs", [*white, "+000110", "og6"]))


@pytest.mark.parametrize("face", ["blue", "white"])
@pytest.mark.parametrize("pegs", [["b1"], ["a1", "c2"], ["a2", "b2", "c1"]])
def test_pegs_4_a_card_fits_in_just_the_ways_its_cardboard_can_lie(face: str, pegs: list[str]) -> None:
    """Against little grids that are turned and flipped like cardboard."""
    grid = [[int(f"{c}{r}" in pegs) for c in "abc"] for r in (2, 1)]  # north row first, seen from above
    if face == "white":
        grid = [row[::-1] for row in grid]  # seen from the other side
    name = min("".join(str(h) for row in g for h in row) for g in (grid, [row[::-1] for row in grid[::-1]]))
    assert SHOWS[face][holes_needed(Cover("a1", "c2"), SEVEN.set_of(pegs))] == name
    # the same cardboard a quarter turn clockwise: the north row goes to the east column, from north to south
    turned = {f"{'ba'[y]}{3 - x}" for x, c in enumerate("abc") for y, r in enumerate((2, 1)) if f"{c}{r}" in pegs}
    assert SHOWS[face][holes_needed(Cover("a1", "b3"), SEVEN.set_of(turned))] == name


@pytest.mark.parametrize(
    ("moves", "rule", "code"),
    [
        (["oa8"], "pegs.1", "outside"),
        (["oa1", "oa1"], "pegs.1", "square-taken"),
        (["."], "turn", "wrong-phase"),
        (["a1c2"], "turn", "wrong-phase"),
        ([*START, "oa3"], "turn", "wrong-phase"),
        ([*START, "+111111", "+111111"], "pegs.2", "card-is-out"),
        ([*START, "+000000"], "pegs.2", "blank-card"),
        ([*START, "+000001", "+100000"], "pegs.2", "card-is-out"),
        ([*START, "+111111", "+000001", "+000010", "+000011"], "turn", "wrong-phase"),
        ([*START, "+111111", "+000001", "+000010", "a1c2"], "turn", "wrong-phase"),
        ([*START, "+111111", "+000001", "+000010", "oa1"], "pegs.3", "square-taken"),
        ([*START, "+111111", "+000001", "+000010", "oh1"], "pegs.3", "outside"),
        ([*START, "+111111", "+000001", "+000010", "od1", "od2"], "turn", "wrong-phase"),
        ([*START, "+111111", "+000001", "+000010", "od1", "."], "turn", "wrong-phase"),
        ([*START, "+111111", "+000001", "+000010", "od1", "-000011"], "pegs.3", "not-in-hand"),
        ([*START, "+111111", "+000001", "+000010", "od1", "a1d2"], "pegs.4", "not-a-block"),
        ([*START, "+111111", "+000001", "+000010", "od1", "f1h2"], "pegs.4", "outside"),
        ([*START, "+111111", "+000001", "+000010", "od1", "b1d2"], "pegs.4", "hole-without-peg"),
        ([*START, "+000011", "+000001", "+000010", "od1", "b1d2"], "pegs.4", "peg-without-hole"),
        ([*START, "+111111", "+000001", "+000010", "od1", "a1c2", "-000001"], "turn", "wrong-phase"),
        ([*START, "+111111", "+000001", "+000010", "od1", "a1c2", "+000011", "a1c2"], "pegs.4", "peg-without-hole"),
        ([*START, "+111111", "+000001", "+000010", "od1", "a1c2", "+000011", "-111111"], "pegs.3", "not-in-hand"),
        (["x"], "format", "unreadable"),
        ([*START, "+1111"], "format", "unreadable"),
    ],
)
def test_why_not(moves: list[str], rule: str, code: str) -> None:
    reason = refusal("pegs", moves)
    assert (reason.rule, reason.code) == (rule, code)


def test_the_square_that_does_not_fit_is_named() -> None:
    reason = refusal("pegs", [*START, "+111111", "+000001", "+000010", "od1", "b1d2"])
    assert reason.params["card"] == "111111"
    assert reason.params["square"] == "d2"


def test_pegs_3_covered_squares_take_no_peg() -> None:
    turn = [*START, "+111111", "+000001", "+000010", "od1", "a1c2", "+000100", "e7g6"]
    assert refusal("pegs", turn).code == "not-a-block"  # north-west to south-east
    turn[-1:] = ["e6g7", "+000011", "-000011", "+000101", "+000110", "+000111", "oe7"]
    assert refusal("pegs", turn).code == "covered"


def random_game(seed: int, deck: bool) -> list[str]:
    chance = Random(seed)
    at, moves = position("pegs", [], setup=deal("pegs", Random(seed)) if deck else {}), []
    while at.to_move:
        move = chance.choice(list(at.moves()))
        moves.append(str(move))
        at = at.play(move)
    return moves


@pytest.mark.parametrize("seed", range(8))
def test_pegs_5_the_last_turn_ends_with_a_full_stop(seed: int) -> None:
    moves = random_game(seed, deck=False)
    found = verdict("pegs", moves)
    assert found["over"]
    drawn = sum(move[0] == "+" for move in moves)
    if moves[-1] == ".":
        last = moves[len(moves) - 1 - next(n for n, m in enumerate(reversed(moves)) if m[0] == "-") :]
        assert drawn == 35 or sum(move[0] == "o" for move in last) == 1
    else:
        assert moves[-1][0] == "-"  # every square was covered or pegged when the next turn began
        assert not any("." in row for row in found["visible"]["rows"])
    assert found["scores"]["blue"] + found["scores"]["white"] == sum(
        cell in "bBwW" for row in found["visible"]["rows"] for cell in row
    )


def test_pegs_5_the_last_card_drawn_first_still_lets_a_peg_in() -> None:
    # Nobody places anything: 6 draws, then one a turn, so the 35th card is drawn at the beginning of a turn.
    moves, deck = list(START), sorted(CARDS)
    hands: list[list[str]] = [[], []]
    free = [f"{c}{r}" for r in (3, 4, 5, 6) for c in "abcdefg"] + ["d1", "e1", "f1", "g1", "d2"]
    n = 0
    while deck:
        hand = hands[n % 2]
        while len(hand) < 3 and deck:
            hand.append(deck.pop(0))
            moves.append(f"+{hand[-1]}")
        moves.append(f"o{free.pop(0)}")
        if deck:
            moves.append(f"-{hand.pop(0)}")
        n += 1
    at = position("pegs", moves)
    assert "." in legal(at)
    assert not any(move[0] in "-+o" for move in legal(at))
    assert verdict("pegs", [*moves, "."])["over"]
    assert refusal("pegs", [*moves, "-111111"]).rule == "turn"
    assert refusal("pegs", [*moves, ".", "od2"]).rule == "over"


def test_pegs_6_the_topmost_card_owns_the_square() -> None:
    moves = [*START, "+111111", "+000001", "+000010", "od1", "a1c2", "+000011", "-000001"]
    found = verdict("pegs", moves)
    assert found["scores"] == {"blue": 6, "white": 0}
    assert found["visible"]["rows"][6] == ["B", "B", "B", "o", ".", ".", "."]
    # White covers b1 c1 d1 with b2 c2 d2: pegs on all but d2, mirrored 110111 -> 011111
    white = [*moves, "+011111", "+000100", "+000101", "oe1", "b1d2", "+000110", "-000100"]
    found = verdict("pegs", white)
    assert found["ok"], found["illegal"]
    assert found["scores"] == {"blue": 2, "white": 6}
    assert found["visible"]["rows"][5][:4] == ["B", "W", "W", "w"]


def test_unseen_cards_are_held_against_what_can_be_contradicted() -> None:
    turn = [*START, "+?", "+?", "+?", "od1", "a1c2", "+?", "-?"]
    assert verdict("pegs", turn)["ok"]
    # 111111 lies on the board, so nobody can draw or discard it again
    assert refusal("pegs", [*turn, "+111111"]).code == "card-is-out"
    # three known cards, one thrown away unseen: two of them can still be there, the third cannot
    known = [*START, "+111111", "+000001", "+000010", "od1", "-?", "+?", "+?", "+?", "oe7", "-?", "+000100", "of7"]
    assert verdict("pegs", [*known, "a1c2", "+?", "-000001"])["ok"]
    gone = [*known, "a1c2", "+?", "-000001", "+?", "+?", "oe6", "-?"]
    assert not verdict("pegs", gone)["ok"]  # White has two cards and draws only a third


def test_hands_as_far_as_they_were_seen() -> None:
    unseen = frozenset({"111111", "011111"})
    hand = Hand(("000001", "000010", "000011"))
    after = hand.without("?", unseen)
    assert after is not None
    assert after.size == 2
    two = after.without("000001", unseen)
    assert two is not None
    one = two.without("000010", unseen)
    assert one is not None
    assert one.size == 0
    assert one.without("000011", unseen) is None  # it must have been the one thrown away
    assert not hand.may_hold("111111", unseen)
    assert Hand(("?",)).may_be(unseen) == ["011111", "111111"]
    assert Hand(("?",)).without("?", unseen) == Hand()
    assert Hand().without("?", unseen) is None


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        (DECK[:-1], "wrong-count"),
        ([*DECK[:-1], DECK[0]], "card-twice"),
        (["000000", *DECK[1:]], "no-such-card"),
        (["100000", *DECK[1:]], "card-twice"),
        ([7, *DECK[1:]], "no-such-card"),
        ("111111", "not-a-list"),
    ],
)
def test_impossible_decks(deck: object, code: str) -> None:
    with pytest.raises(BadInput) as bad:
        read_record(json.dumps({"game": "pegs", "setup": {"deck": deck}, "moves": []}))
    assert (bad.value.field, bad.value.code) == ("setup.deck", code)


def test_a_peg_taken_away_that_stood() -> None:
    moves = [*START, "+?", "+?", "+?", "od1", "-?"]
    seen = position("pegs", moves).visible()
    seen["rows"][0][6] = "."
    entry = {"stood": seen, "to_move": "blue", "note": "a peg was taken away"}
    found = verdict("pegs", [*moves, "+?", "+?", "+?", "oe1", entry, "+?", "og7", "-?"])
    assert found["ok"], found["illegal"]
    assert found["to_move"] == "white"
    assert found["visible"]["rows"][6][4] == "."  # what stood counts: e1 was not seen


SOLO_MOVES = ["oa1", "ob1", "oc1", "oa2", "ob2", "oc2", "a1c2"]


def test_pegs_7_pegs_and_cards_in_any_order_that_fits() -> None:
    at = position("pegs-solo", SOLO_MOVES)
    assert at.to_move == "solver"
    assert "a1c2" not in legal(at)  # 111111 is used


def test_pegs_7_solved() -> None:
    bare = {"a4", "b4", "c6", "c7", "e1", "e3", "e7", "f4"}
    pegs = [f"o{square}" for square in SEVEN.names if square not in bare]
    cards = ["a1c2", "e1g2", "a6c7", "e6g7", "d1e3", "a3c4", "f3g5", "d3f4", "c5d7", "a3b5", "e3f5"]
    assert not verdict("pegs-solo", pegs + cards[:-1])["over"]
    found = verdict("pegs-solo", pegs + cards)
    assert found["ok"], found["illegal"]
    assert (found["over"], found["winner"], found["scores"]) == (True, "solver", {"solver": 1})
    assert refusal("pegs-solo", [*pegs, "oa4"]).code == "used-up"


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ([*SOLO_MOVES, "oa1"], "square-taken"),
        (["a1c2"], "blank-card"),
        ([*SOLO_MOVES, "a1c2"], "used-up"),
        (["oa1", "a1c2", "ob1"], "covered"),
        (["oh9"], "outside"),
        (["oa1", "a1b2"], "not-a-block"),
    ],
)
def test_pegs_7_why_not(moves: list[str], code: str) -> None:
    reason = refusal("pegs-solo", moves)
    assert (reason.rule, reason.code) == ("pegs.7", code)
