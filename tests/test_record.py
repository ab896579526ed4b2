"""Records: every wrong one gets a reason that names the field, and nothing else ever comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadInput, UnreadableMove
from companion.games import game, game_ids
from companion.judge import judge
from companion.messages import say_bad, say_reason
from companion.record import read_record
from tests.records import VARIANTS, new_record, verdict


@pytest.mark.parametrize(
    ("text", "field", "code"),
    [
        ("", "", "not-json"),
        ("{", "", "not-json"),
        ("[" * 100_000, "", "not-json"),
        ("[]", "", "not-an-object"),
        ("null", "", "not-an-object"),
        ("{}", "game", "missing"),
        ('{"game": "chess"}', "game", "not-one-of"),
        ('{"game": ["hepta"]}', "game", "not-one-of"),
        ('{"game": "hepta", "movse": []}', "movse", "unknown-field"),
        ('{"game": "hepta", "game": "hepta"}', "game", "key-twice"),
        ('{"game": "hepta", "moves": "#a1"}', "moves", "not-a-list"),
        ('{"game": "hepta", "moves": [7]}', "moves[0]", "not-a-move"),
        ('{"game": "hepta", "moves": [{}]}', "moves[0].stood", "missing"),
        ('{"game": "hepta", "moves": [{"stood": [], "to_move": "first"}]}', "moves[0].stood", "not-an-object"),
        ('{"game": "hepta", "moves": [{"stood": {}, "to_move": "third"}]}', "moves[0].to_move", "not-one-of"),
        ('{"game": "hepta", "options": {"wild": true}}', "options.wild", "unknown-option"),
        ('{"game": "hepta", "setup": {"blockers": []}}', "setup.blockers", "unknown-field"),
        ('{"game": "hepta-solo"}', "setup.blockers", "missing"),
        ('{"game": "hepta-solo", "setup": {"blockers": ["a1"]}}', "setup.blockers", "wrong-count"),
        ('{"game": "hepta-solo", "setup": {"blockers": "a1"}}', "setup.blockers", "not-a-list"),
        ('{"game": "six-faces", "options": {"repetition": "on"}}', "options.repetition", "not-one-of"),
        ('{"game": "six-faces", "options": []}', "options", "not-an-object"),
        ('{"game": "six-faces", "result": {"winner": "white"}}', "result.why", "missing"),
        ('{"game": "six-faces", "result": {"winner": "blue", "why": "time"}}', "result.winner", "not-one-of"),
        ('{"game": "six-faces", "result": {"winner": null, "why": "tired"}}', "result.why", "not-one-of"),
    ],
)
def test_bad_records_name_the_field(text: str, field: str, code: str) -> None:
    with pytest.raises(BadInput) as bad:
        read_record(text)
    assert (bad.value.field, bad.value.code) == (field, code)
    for language in ("en", "fr"):
        line = say_bad(bad.value, language)
        assert field in line
        assert "\n" not in line


def test_eight_blockers() -> None:
    with pytest.raises(BadInput) as bad:
        read_record(json.dumps({"game": "hepta-solo", "setup": {"blockers": [f"{c}1" for c in "abcdefg"] + ["a2"]}}))
    assert say_bad(bad.value, "en") == "setup.blockers: there must be 7, not 8"


def test_what_may_be_left_out() -> None:
    assert verdict("six-faces", [])["to_move"] == "white"
    assert judge(read_record('{"game": "six-faces", "about": {"white": "Ann"}}'))["ok"]
    assert judge(read_record('{"game": "six-faces", "setup": null, "result": null}'))["ok"]


@pytest.mark.parametrize("why", ["agreed", "resigned", "time", "forfeit", "referee"])
def test_a_result_is_honoured(why: str) -> None:
    found = verdict("six-faces", ["b1-b2"], result={"winner": "red", "why": why})
    assert (found["over"], found["to_move"], found["winner"], found["draw"]) == (True, None, "red", False)
    assert found["scores"] == {"white": 0, "red": 1}
    drawn = verdict("six-faces", ["b1-b2"], result={"winner": None, "why": why})
    assert (drawn["over"], drawn["winner"], drawn["draw"]) == (True, None, True)
    assert drawn["scores"] == {"white": 0.5, "red": 0.5}


def test_a_result_keeps_the_points_of_games_with_points() -> None:
    moves = ["#a1", "#b1", "#c1", "#d1", "#e1", "#f1", "#g1", "=L", "La2a3b2"]
    found = verdict("hepta", moves, result={"winner": "first", "why": "resigned"})
    assert (found["winner"], found["scores"]) == ("first", {"first": 0, "second": 1})


def test_an_illegal_move_stops_the_play_there() -> None:
    found = verdict("six-faces", ["b1-b2", "b8-b5", "c1-c3"])
    assert (found["ok"], found["plies"], found["to_move"]) == (False, 1, "red")
    assert found["illegal"] == {
        "ply": 1,
        "move": "b8-b5",
        "rule": "six-faces.3",
        "reason": "the 1 on b8 must roll exactly one square; b8 → b5 is 3",
    }


def test_a_step_cannot_stand_after_the_end() -> None:
    moves = [{"stood": verdict("six-faces", [])["visible"], "to_move": "white"}]
    won = {"dice": {"e1": "wK", "e8": "rK", "e6": "w2/3"}, "to_move": "white"}
    found = verdict("six-faces", ["e6-e8", *moves], setup=won)
    assert found["illegal"]["rule"] == "over"


def test_impossible_things_do_not_stand() -> None:
    seen = verdict("hepta", [])["visible"]
    seen["rows"][0] = ["#"] * 7
    seen["rows"][1][0] = "#"
    with pytest.raises(BadInput) as bad:
        verdict("hepta", ["#a1", {"stood": seen, "to_move": "first"}])
    assert bad.value.field == "moves[1].stood"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(game_ids()), st.text(max_size=14))
def test_any_text_is_a_move_or_cannot_be_read(game_id: str, text: str) -> None:
    try:
        move = game(game_id).read(text)
        assert game(game_id).read(str(move)) == move
    except UnreadableMove as error:
        sentences = [say_reason(error.reason, language) for language in ("en", "fr")]
        if error.reason.rule != "format" or not all(sentences):
            pytest.fail(f"{error.reason} is not said")


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_any_json_in_place_of_any_field_is_judged_or_refused(data: st.DataObject) -> None:
    """Put anything anywhere into a good record: it is judged, or refused in one line."""
    record: Any = new_record(data.draw(st.sampled_from(VARIANTS)), 1)
    record["result"] = None
    start = judge(read_record(json.dumps(record)))
    record["moves"] = [{"stood": start["visible"], "to_move": start["to_move"]}]
    where, key = record, data.draw(st.sampled_from(sorted(record)))
    while isinstance(where[key], dict | list) and where[key] and data.draw(st.booleans()):
        where = where[key]
        key = data.draw(st.sampled_from(list(where) if isinstance(where, dict) else range(len(where))))
    where[key] = data.draw(JSON)
    try:
        judge(read_record(json.dumps(record)))
    except BadInput as bad:
        line = say_bad(bad, data.draw(st.sampled_from(["en", "fr"])))
        assert line
        assert "\n" not in line
