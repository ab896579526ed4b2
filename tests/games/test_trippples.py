"""Trippples, rule by rule."""

import json
from random import Random
from typing import Any

import pytest

from companion.errors import BadInput
from companion.games.trippples import TILES
from companion.record import read_record
from tests.records import deal, legal, position, read, refusal, verdict

DEALT = deal("trippples", Random(5))


def with_tiles(**tiles: str) -> dict[str, Any]:
    """A full frame with these tiles where they are asked for, the others as dealt."""
    laid = dict(DEALT["tiles"])
    for square, tile in tiles.items():
        other = next(s for s, t in laid.items() if t == tile)
        laid[square], laid[other] = tile, laid[square]
    return {"tiles": laid}


def stood(pawns: dict[str, str], to_move: str, setup: dict[str, Any], options: Any = None) -> dict[str, Any]:
    """A step that puts the pawns anywhere: the shortest way to a position."""
    seen = position("trippples", [], options, setup).visible()
    return {"stood": {"rows": seen["rows"], "pawns": pawns}, "to_move": to_move}


def test_the_56_tiles() -> None:
    assert len(TILES) == 56
    assert "N-E-SW" in TILES
    assert all(bits.bit_count() == 3 for bits in TILES.values())


def test_trippples_1_the_layouts() -> None:
    def special(options: dict[str, Any]) -> dict[str, str]:
        rows = position("trippples", [], options).visible()["rows"]
        cells = {"abcdefgh"[x] + str(8 - y): cell for y, row in enumerate(rows) for x, cell in enumerate(row)}
        return {square: cell for square, cell in cells.items() if cell != "empty"}

    neutral = dict.fromkeys(["d4", "e4", "d5", "e5"], "neutral")
    corner = {"a1": "start-square", "h8": "finish-square", "h1": "start-round", "a8": "finish-round", **neutral}
    assert special({}) == corner
    assert special({"players": 4}) == corner
    assert special({"layout": "inset"}) == {
        "b2": "start-square",
        "g7": "finish-square",
        "g2": "start-round",
        "b7": "finish-round",
        **neutral,
    }
    assert special({"layout": "centre"}) == {
        "a1": "start-square",
        "h1": "start-round",
        "e5": "finish-square",
        "d5": "finish-round",
        **dict.fromkeys(["d4", "e4", "a8", "h8"], "neutral"),
    }
    mine = {"starts": {"square": "c1", "round": "f1"}, "neutral": ["a1", "h1", "d4", "e4"]}
    assert special(mine)["c1"] == "start-square"
    assert special(mine)["a1"] == "neutral"


def test_trippples_2_placing() -> None:
    start = position("trippples", [])
    assert start.count() == len(list(start.moves())) == 56 * 56
    assert "pawns" not in start.visible()
    after = position("trippples", ["N-E-SW@c3"])
    assert after.to_move == "round"
    assert after.count() == 55 * 55
    teams = position("trippples", ["N-E-SW@c3", "N-E-S@c4"], {"players": 4})
    assert teams.to_move == "square2"
    tiles = DEALT["tiles"]
    placed = [f"{tile}@{square}" for square, tile in tiles.items()]
    full = position("trippples", placed)
    assert full.to_move == "square"
    assert full == position("trippples", [], setup=DEALT)


def test_trippples_3_the_first_move_goes_to_any_neighbor() -> None:
    assert legal(position("trippples", [], setup=DEALT)) == ["a2", "b1", "b2"]
    found = verdict("trippples", [], setup=DEALT)
    assert found["visible"]["pawns"] == {"square1": "a1", "round1": "h1"}


def test_trippples_3_by_the_arrows_under_the_opponent() -> None:
    setup = with_tiles(b2="N-NE-W")
    assert legal(position("trippples", ["b2"], setup=setup)) == ["g1", "h2"]  # from h1: west, north; NE is off
    assert refusal("trippples", ["b2", "g2"], setup=setup).code == "no-such-arrow"
    assert refusal("trippples", ["b2", "g2"], setup=setup).params["open"] == ["way.N", "way.NE", "way.W"]


@pytest.mark.parametrize(
    ("moves", "rule", "code"),
    [
        (["c3"], "trippples.3", "not-a-neighbor"),
        (["a1"], "trippples.3", "not-a-neighbor"),
        (["b2=N-E-SW"], "trippples.9", "lies-open"),
        (["N-E-SW@c3"], "turn", "wrong-phase"),
        (["a0"], "format", "unreadable"),
        (["b2?"], "format", "unreadable"),
        (["b2!!"], "format", "unreadable"),
        (["b2=E-N-SW"], "format", "tile-clockwise"),
        (["b2=N-N-E"], "format", "unreadable"),
        (["b2=nothing"], "format", "unreadable"),
    ],
)
def test_why_not(moves: list[str], rule: str, code: str) -> None:
    reason = refusal("trippples", moves, setup=DEALT)
    assert (reason.rule, reason.code) == (rule, code)


@pytest.mark.parametrize(
    ("moves", "rule", "code"),
    [
        (["b2"], "turn", "wrong-phase"),
        (["N-E-SW@a1"], "trippples.2", "square-has-tile"),
        (["N-E-SW@d4"], "trippples.2", "square-has-tile"),
        (["N-E-SW@i1"], "trippples.2", "outside"),
        (["N-E-SW@c3", "N-E-S@c3"], "trippples.2", "square-has-tile"),
        (["N-E-SW@c3", "N-E-SW@c4"], "trippples.2", "used-up"),
        (["E-N-SW@c3"], "format", "tile-clockwise"),
    ],
)
def test_why_not_while_placing(moves: list[str], rule: str, code: str) -> None:
    reason = refusal("trippples", moves)
    assert (reason.rule, reason.code) == (rule, code)


def test_trippples_4_never_onto_an_occupied_or_a_neutral_square() -> None:
    setup = with_tiles(c3="N-NE-E")
    at = stood({"square1": "c3", "round1": "d3"}, "round", setup)
    assert refusal("trippples", [at, "d4"], setup=setup).code == "neutral"
    into = with_tiles(b7="N-NE-W")
    beside = stood({"square1": "b7", "round1": "a6"}, "round", into)
    assert refusal("trippples", [beside, "b7"], setup=into).code == "square-taken"


def test_trippples_4_out_of_the_frame() -> None:
    setup = with_tiles(b2="N-NE-E")
    assert refusal("trippples", ["b2", "i2"], setup=setup).code == "outside"
    assert refusal("trippples", ["b2", "i1"], setup=setup).rule == "trippples.4"
    assert refusal("trippples", ["b2", "j1"], setup=setup).rule == "trippples.3"


def test_trippples_5_who_cannot_move_passes() -> None:
    setup = with_tiles(b2="NE-E-SE")  # round on h1 can go nowhere
    found = verdict("trippples", ["b2"], setup=setup)
    assert found["to_move"] == "square"
    # and moves again by the same arrows: round stands on its start, so everywhere
    assert len(legal(position("trippples", ["b2"], setup=setup))) == 8


def test_trippples_6_the_first_on_his_finish_wins() -> None:
    setup = with_tiles(b2="N-NE-E")
    at = stood({"square1": "g8", "round1": "h1"}, "square", setup)
    found = verdict("trippples", [at, "h8"], setup=setup)
    assert (found["winner"], found["why"], found["scores"]) == ("square", "finish", {"square": 1, "round": 0})
    other = stood({"square1": "b8", "round1": "h1"}, "square", setup)
    assert not verdict("trippples", [other, "a8"], setup=setup)["over"]  # the other's finish is a square like any


def test_trippples_7_wild() -> None:
    setup = DEALT
    at = stood({"square1": "c3", "round1": "h1"}, "square", setup, {"wild": True})
    here = position("trippples", [at, "d4"], {"wild": True}, setup)
    assert here.to_move == "square"
    assert here.mid_turn
    assert legal(here) == sorted(["c3", "c4", "c5", "d3", "e3", "d5", "e4", "e5"])
    assert position("trippples", [at, "d4", "e5"], {"wild": True}, setup).to_move == "square"  # and so on
    assert position("trippples", [at, "d4", "c5"], {"wild": True}, setup).to_move == "round"
    assert refusal("trippples", [at, "d4"], setup=setup).code == "neutral"
    # the opponent of a pawn on a neutral square goes anywhere
    around = stood({"square1": "d4", "round1": "g2"}, "round", setup, {"wild": True})
    assert len(legal(position("trippples", [around], {"wild": True}, setup))) == 8


def test_trippples_8_frozen() -> None:
    # Round on a7 points NE E SE, off the frame for square on h6; h6 points SW W NW, off the frame for a7.
    setup = with_tiles(h6="SW-W-NW", a7="NE-E-SE")
    at = stood({"square1": "g5", "round1": "a7"}, "square", setup)
    for text, winner, draw, why in [("h6!", "square", False, "frozen"), ("h6", None, True, "freeze")]:
        found = verdict("trippples", [at, text], setup=setup)
        assert found["ok"], found["illegal"]
        assert (found["over"], found["winner"], found["draw"], found["why"]) == (True, winner, draw, why)
    off = verdict("trippples", [at, "h6!"], {"frozen": False}, setup)
    assert (off["winner"], off["draw"]) == (None, True)
    # announced and wrong: no effect
    wrong = verdict("trippples", ["b2!"], setup=DEALT)
    assert wrong["ok"]
    assert not wrong["over"]
    assert not any("!" in move for move in legal(position("trippples", [], setup=DEALT)))


def test_trippples_9_hidden() -> None:
    options = {"hidden": True}
    given = position("trippples", [], options, DEALT)
    tiles = DEALT["tiles"]
    assert legal(given) == sorted(f"{square}={tiles[square]}" for square in ("a2", "b1", "b2"))
    rows = given.visible()["rows"]
    assert sum(cell == "down" for row in rows for cell in row) == 60
    assert given.visible()["pawns"] == {"square1": "a1", "round1": "h1"}
    free = position("trippples", [], options)
    assert free.count() == 3 * 56
    move = f"b2={tiles['b2']}"
    after = position("trippples", [move], options, DEALT)
    assert after.visible()["rows"][6][1] == tiles["b2"]
    for text, code in [
        ("b2", "turn-it-up"),
        (f"b2={tiles['b1']}", "shows-other"),
        ("b2=neutral", "shows-other"),
        ("h1", "not-a-neighbor"),
    ]:
        assert refusal("trippples", [text], options, DEALT).code == code
    assert refusal("trippples", ["b2=neutral"], options).code == "not-neutral"
    assert refusal("trippples", ["b2=N-NE-W", "h2=N-NE-W"], options).code == "used-up"


def test_trippples_9_a_neutral_square_turned_up_gives_a_second_move() -> None:
    options = {"hidden": True}
    seen = position("trippples", [], options).visible()
    at = {"stood": {"rows": seen["rows"], "pawns": {"square1": "c3", "round1": "h1"}}, "to_move": "square"}
    here = position("trippples", [at, "d4=neutral"], options)
    assert here.to_move == "square"
    assert "e5=neutral" in legal(here)
    assert refusal("trippples", [at, "d4"], options).code == "turn-it-up"
    assert refusal("trippples", [at, "d4=N-E-SW"], options).code == "shows-other"


def test_trippples_10_teams() -> None:
    setup = with_tiles(g2="N-W-NW", b7="NE-E-SE")
    here = position("trippples", [], {"players": 4}, setup)
    assert here.to_move == "square1"
    seen = here.visible()["pawns"]
    assert seen == {"square1": "a1", "round1": "h1", "square2": "h8", "round2": "a8"}
    pawns = {"square1": "d2", "round1": "g2", "square2": "h8", "round2": "b7"}
    at = {"stood": {"rows": here.visible()["rows"], "pawns": pawns}, "to_move": "square1"}
    # by either opponent: N W NW under round1, NE E SE under round2
    assert legal(position("trippples", [at], {"players": 4}, setup)) == sorted(["d3", "c2", "c3", "e3", "e2", "e1"])
    home = stood({**pawns, "square2": "b2"}, "square2", with_tiles(g2="SW-W-NW"), {"players": 4})
    found = verdict("trippples", [home, "a1"], {"players": 4}, setup)
    assert (found["winner"], found["scores"]) == ("square", {"square": 1, "round": 0})


def test_a_pawn_in_the_hand_is_half_a_move() -> None:
    here = position("trippples", [], setup=DEALT)
    (lifted,) = here.steps(read("trippples", "b2"))
    assert lifted["pawns"] == {"round1": "h1"}
    hidden = position("trippples", [], {"hidden": True}, DEALT)
    assert len(hidden.steps(read("trippples", f"b2={DEALT['tiles']['b2']}"))) == 4


def test_agreed_draw() -> None:
    found = verdict("trippples", ["b2"], setup=DEALT, result={"winner": None, "why": "agreed"})
    assert (found["over"], found["draw"], found["why"]) == (True, True, "agreed")
    assert found["scores"] == {"square": 0.5, "round": 0.5}


@pytest.mark.parametrize(
    ("options", "setup", "field", "code"),
    [
        ({}, {"tiles": {"b1": "N-E-SW"}}, "setup.tiles", "wrong-count"),
        ({}, {"tiles": {**DEALT["tiles"], "b1": DEALT["tiles"]["c1"]}}, "setup.tiles", "tile-twice"),
        ({}, {"tiles": {**DEALT["tiles"], "d4": "N-E-SW"}}, "setup.tiles.d4", "special-square"),
        ({}, {"tiles": {**DEALT["tiles"], "b1": "E-N-SW"}}, "setup.tiles.b1", "no-such-tile"),
        ({}, {"tiles": {**DEALT["tiles"], "b1": ["N"]}}, "setup.tiles.b1", "no-such-tile"),
        ({"layout": "centre", "players": 4}, {}, "options.layout", "centre-for-two"),
        ({"players": 3}, {}, "options.players", "not-one-of"),
        ({"wild": 1}, {}, "options.wild", "not-one-of"),
        ({"neutral": ["d4"]}, {}, "options.neutral", "wrong-count"),
        ({"neutral": ["a1", "e4", "d5", "e5"]}, {}, "options.neutral", "square-twice"),
        ({"starts": {"square": "a1"}}, {}, "options.starts", "not-the-pawns"),
        ({"starts": {"square": "a1", "round": "a1"}}, {}, "options.starts", "square-twice"),
        ({"starts": {"square": "h8", "round": "h1"}}, {}, "options", "not-eight-special"),
        ({"finishes": {"square": "z1", "round": "h1"}}, {}, "options.finishes.square", "no-such-square"),
        ({"finishes": {"square": [1], "round": "h1"}}, {}, "options.finishes.square", "no-such-square"),
    ],
)
def test_impossible_frames(options: dict[str, Any], setup: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(BadInput) as bad:
        read_record(json.dumps({"game": "trippples", "options": options, "setup": setup, "moves": []}))
    assert bad.value.code == code
    assert bad.value.field.startswith(field)
