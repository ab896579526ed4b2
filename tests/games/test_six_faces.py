"""6 Faces, rule by rule."""

import json

import pytest

from companion.errors import BadInput
from companion.games.position import perft
from companion.games.six_faces import DICE, SixFaces, east_face, face_seen, rolled_once
from companion.messages import say_reason
from companion.record import read_record
from tests.records import legal, position, refusal, verdict

KINGS = {"e1": "wK", "e8": "rK"}


def at(dice: dict[str, str], to_move: str = "white", **options: object) -> SixFaces:
    found = position("six-faces", [], options, {"dice": {**KINGS, **dice}, "to_move": to_move})
    assert isinstance(found, SixFaces)
    return found


def test_six_faces_1_the_opening() -> None:
    rows = position("six-faces", []).visible()["rows"]
    assert rows[7] == ["w5", "w1", "w2:nw", "w6:ew", "wK", "w6:ew", "w2:nw", "w1", "w5"]
    assert rows[0] == ["r5", "r1", "r2:nw", "r6:ew", "rK", "r6:ew", "r2:nw", "r1", "r5"]
    assert position("six-faces", []).to_move == "white"


def test_perft_from_the_start() -> None:
    assert [perft(position("six-faces", []), depth) for depth in range(4)] == [1, 37, 1293, 47873]
    assert perft(position("six-faces", [], {"handedness": "left"}), 3) == 47873  # the start is a palindrome


@pytest.mark.parametrize(
    ("handedness", "top", "south", "east"),
    [("right", 1, 2, 3), ("right", 5, 3, 6), ("left", 1, 2, 4), ("left", 5, 3, 1), ("right", 6, 5, 3)],
)
def test_six_faces_2_handedness(handedness: str, top: int, south: int, east: int) -> None:
    assert east_face(top, south, handedness) == east


@pytest.mark.parametrize("handedness", ["right", "left"])
def test_six_faces_2_all_orientations_against_a_cube_turned_in_space(handedness: str) -> None:
    """Each of the 24 dice as six faces by direction, rolled face by face."""

    def cube(die: str) -> dict[str, int]:
        top, south = int(die[1]), int(die[3])
        east = east_face(top, south, handedness)
        return {"U": top, "D": 7 - top, "S": south, "N": 7 - south, "E": east, "W": 7 - east}

    cycles = {"N": "SUND", "S": "NUSD", "E": "WUED", "W": "EUWD"}  # each face goes where the next one was
    seen = set()
    for die in DICE:
        if die[1] == "K":
            assert rolled_once(die, "N", handedness) == die
            continue
        faces = cube(die)
        corner = (faces["U"], faces["S"], faces["E"])
        seen.add(corner)
        for way, cycle in cycles.items():
            turned = dict(faces)
            for a, b in zip(cycle, cycle[1:] + cycle[0], strict=True):
                turned[b] = faces[a]
            assert cube(rolled_once(die, way, handedness)) == turned, (die, way)
    assert len(seen) == 24  # one die, in all its positions; White's and Red's are alike


def test_the_documented_roll() -> None:
    die = "w5/3"
    for way in "NNNNE":
        die = rolled_once(die, way, "right")
    assert die == "w1/3"
    assert east_face(1, 3, "right") == 5


@pytest.mark.parametrize(
    ("die", "handedness", "seen"),
    [
        # right-handed, 2 on top and 1 to the north: 3 is to the east, and the 2's pips run through that corner
        ("w2/6", "right", "w2:ne"),
        ("w2/6", "left", "w2:nw"),
        ("r3/1", "right", "r3:nw"),
        ("w6/2", "right", "w6:ns"),
        ("w6/3", "right", "w6:ew"),
        ("w6/5", "left", "w6:ns"),
        ("w5/1", "right", "w5"),
        ("rK", "right", "rK"),
    ],
)
def test_which_way_the_pips_lie(die: str, handedness: str, seen: str) -> None:
    assert face_seen(die, handedness) == seen


def test_six_faces_3_a_two_rolls_straight_or_round_a_corner() -> None:
    moves = [move for move in legal(at({"c4": "w2/3"})) if move.startswith("c4")]
    assert moves == sorted(
        [
            "c4-c6",
            "c4-e4",
            "c4-c2",
            "c4-a4",
            "c4-c5-b5",
            "c4-c5-d5",
            "c4-d4-d5",
            "c4-d4-d3",
            "c4-c3-b3",
            "c4-c3-d3",
            "c4-b4-b5",
            "c4-b4-b3",
        ]
    )


def test_six_faces_3_captures_at_the_end_only() -> None:
    moves = legal(at({"a1": "w2/3", "a3": "r4/1", "b1": "r1/2"}))
    assert "a1-a3" in moves
    assert "a1-c1" not in moves
    after = position("six-faces", ["a1-a3"], setup={"dice": {**KINGS, "a1": "w2/3", "a3": "r4/1"}, "to_move": "white"})
    assert sum(cell != "." for row in after.visible()["rows"] for cell in row) == 3


@pytest.mark.parametrize(
    ("move", "rule", "code"),
    [
        ("a1-a4", "six-faces.3", "wrong-distance"),
        ("a1-a4-b4", "six-faces.3", "wrong-distance"),
        ("e1-e3", "six-faces.3", "king-distance"),
        ("a1-b1-b5", "six-faces.3", "blocked"),
        ("d1-g1-g4", "six-faces.3", "blocked"),
        ("b1-c1", "six-faces.3", "own-piece"),
        ("a1-a5-a4", "six-faces.3", "went-back"),
        ("c1-c2-d2-d3", "six-faces.3", "turned-twice"),
        ("c1-d2", "six-faces.3", "not-straight"),
        ("c1-c1", "six-faces.3", "not-straight"),
        ("a1-a9", "six-faces.3", "outside"),
        ("a3-a4", "six-faces.3", "no-die"),
        ("a8-a3", "turn", "not-your-die"),
        ("a8-a9", "turn", "not-your-die"),
        ("a1-a3-a6", "six-faces.6", "turn-straight-on"),
        ("a1", "format", "unreadable"),
        ("a1a4", "format", "unreadable"),
        ("A1-A6", "format", "unreadable"),
        ("a1-a01", "format", "unreadable"),
        (".", "format", "unreadable"),
    ],
)
def test_why_not(move: str, rule: str, code: str) -> None:
    reason = refusal("six-faces", [move])
    assert (reason.rule, reason.code) == (rule, code)


def test_the_sentence_of_the_issue() -> None:
    reason = refusal("six-faces", ["a1-a4"])
    assert say_reason(reason, "en") == "the 5 on a1 must roll exactly 5 squares; a1 → a4 is 3"
    assert say_reason(reason, "fr").startswith("le 5 en a1 doit rouler d'exactement 5 cases")


def test_six_faces_4_taking_the_king() -> None:
    setup = {"dice": {"e1": "wK", "d6": "rK", "d4": "w2/3"}, "to_move": "white"}
    found = verdict("six-faces", ["d4-d6"], setup=setup)
    assert (found["over"], found["winner"], found["why"]) == (True, "white", "king-taken")
    assert found["scores"] == {"white": 1, "red": 0}
    assert refusal("six-faces", ["d4-d6", "e1-e2"], setup=setup).rule == "over"


def test_six_faces_4_the_home_square() -> None:
    setup = {"dice": {"a1": "wK", "a8": "rK", "e6": "w2/3", "d8": "w1/2"}, "to_move": "white"}
    found = verdict("six-faces", ["e6-e8"], setup=setup)
    assert (found["over"], found["winner"], found["why"]) == (True, "white", "home-reached")
    assert not verdict("six-faces", ["e6-e8"], {"home": "king"}, setup)["over"]
    king = {"dice": {"a1": "wK", "e2": "rK", "i1": "r1/2"}, "to_move": "red"}
    assert verdict("six-faces", ["e2-e1"], {"home": "king"}, king)["winner"] == "red"
    own = {"dice": {"e2": "wK", "a8": "rK"}, "to_move": "white"}
    assert not verdict("six-faces", ["e2-e1"], setup=own)["over"]  # one's own home is no goal


def test_six_faces_5_no_move_is_a_draw() -> None:
    shut = {"a1": "wK", "b1": "w6/3", "a2": "w6/3", "a3": "r2/3", "c1": "r2/3", "b2": "r2/3", "e8": "rK"}
    found = verdict("six-faces", [], setup={"dice": shut, "to_move": "white"})
    assert (found["over"], found["draw"], found["why"]) == (True, True, "no-move")
    assert found["scores"] == {"white": 0.5, "red": 0.5}


def test_six_faces_5_repetition_is_an_option() -> None:
    dance = ["e1-e2", "e8-e7", "e2-e1", "e7-e8"]
    assert not verdict("six-faces", dance * 3)["over"]
    assert not verdict("six-faces", (dance * 2)[:-1], {"repetition": True})["over"]
    found = verdict("six-faces", dance * 2, {"repetition": True})
    assert (found["over"], found["draw"], found["why"]) == (True, True, "repetition")


def test_a_half_made_move_is_known() -> None:
    here = at({"a1": "w2/3", "a3": "r4/1"})
    move = next(m for m in here.moves() if str(m) == "a1-a3")
    lifted, taken, both = (step["rows"] for step in here.steps(move))
    assert (lifted[7][0], lifted[5][0]) == (".", "r4")
    assert (taken[7][0], taken[5][0]) == (here.visible()["rows"][7][0], ".")
    assert (both[7][0], both[5][0]) == (".", ".")


def test_an_illegal_step_that_stood_keeps_the_other_dice() -> None:
    start = position("six-faces", [])
    seen = start.visible()
    seen["rows"][7][0], seen["rows"][4][0] = ".", "w4"  # the 5 rolled three squares: 3 to the south comes up after 1
    entry = {"stood": seen, "to_move": "red", "note": "three squares"}
    found = verdict("six-faces", [entry, "b8-b7"])
    assert found["ok"], found["illegal"]
    after = start.accept_as_seen(seen, "red")
    assert isinstance(after, SixFaces)
    assert after.dice[27] == "w4/5"  # a1 N N N from 5/3: 3/2, 2/4, 4/5
    assert after.visible() == seen


@pytest.mark.parametrize(
    ("dice", "field", "code"),
    [
        ({"a1": "w3/3"}, "setup.dice.a1", "impossible-die"),
        ({"a1": "w3/4"}, "setup.dice.a1", "impossible-die"),
        ({"a1": "w7/4"}, "setup.dice.a1", "no-such-die"),
        ({"a1": "w5"}, "setup.dice.a1", "no-such-die"),
        ({"a1": 5}, "setup.dice.a1", "no-such-die"),
        ({"a1": ["w5/3"]}, "setup.dice.a1", "no-such-die"),
        ({"a9": "w5/3"}, "setup.dice", "no-such-square"),
        ({"a1": "wK"}, "setup.dice", "one-king"),
        ({f"{c}2": "w5/3" for c in "abcdefghi"}, "setup.dice", "too-many-dice"),
    ],
)
def test_impossible_dice(dice: dict[str, object], field: str, code: str) -> None:
    with pytest.raises(BadInput) as bad:
        read_record(json.dumps({"game": "six-faces", "setup": {"dice": {**KINGS, **dice}}, "moves": []}))
    assert (bad.value.field, bad.value.code) == (field, code)
