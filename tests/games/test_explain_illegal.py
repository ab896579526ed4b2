"""What no legal move shows: which rule is broken, said of squares where it happened."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.errors import BadInput
from companion.games.position import Visible
from companion.games.squares import codes_by_square
from companion.messages import LANGUAGES, say_reason
from tests.records import VARIANTS, names, new_record, played, position

Variant = tuple[str, dict[str, Any], dict[str, Any]]
BLOCKED = [*(f"#{c}1" for c in "abcdefg"), "=I"]


def otherwise(seen: Visible, changes: dict[str, str]) -> Visible:
    """A picture with some squares, or pawns, otherwise."""
    changed: Visible = json.loads(json.dumps(seen))
    for place, code in changes.items():
        if place in changed.get("pawns", {}):
            changed["pawns"][place] = code
        else:
            rows = changed["rows"]
            rows[len(rows) - int(place[1:])][ord(place[0]) - ord("a")] = code
    return changed


EXAMPLES = [
    # a die that came from nowhere was not turned: no die stood there
    ("six-faces", [], {"a4": "w1"}, "six-faces.3", "not-rolled-there", {"square": "a4"}),
    # nor where one of the other color stood
    ("six-faces", [], {"b8": "w1"}, "six-faces.3", "not-rolled-there", {"square": "b8"}),
    ("six-faces", [], {"b1": "w2:nw"}, "six-faces.3", "die-turned", {"square": "b1"}),
    ("six-faces", [], {"b1": "."}, "six-faces.3", "taken-away", {"square": "b1"}),
    ("six-faces", [], {"b1": ".", "h1": ".", "b2": "w5"}, "six-faces.3", "one-die", {}),
    ("six-faces", [], {"b1": ".", "b2": "w1"}, "six-faces.3", "wrong-top", {"square": "b2", "top": "1"}),
    ("hepta", BLOCKED, dict.fromkeys(("a2", "a3", "b3", "b4"), "x"), "hepta.3", "not-a-tromino", {}),
    ("hepta", BLOCKED, dict.fromkeys(("a2", "b2", "a3"), "x"), "turn", "not-your-shape", {}),
    ("t-for-two", [], {"c3": "o", "d4": "o"}, "t-for-two.1", "one-mushroom", {}),
    ("t-for-two", ["@c3"], {"c3": "."}, "t-for-two.1", "taken-away", {"square": "c3"}),
    ("pegs", ["oa1"], {"a1": "."}, "pegs.3", "taken-away", {"square": "a1"}),
    ("pegs-solo", ["oa1"], {"c3": "w"}, "pegs.7", "not-your-face", {"square": "c3"}),
    # nothing at all is different: then no square is named
    ("trippples", [], {}, "trippples.2", "unexplained", {}),
    ("trippples", [], {"c3": "N-NE-E~"}, "trippples.2", "tile-turned", {"square": "c3"}),
]


@pytest.mark.parametrize(("game", "moves", "changes", "rule", "code", "params"), EXAMPLES)
def test_the_rule_that_is_broken(
    game: str, moves: list[str], changes: dict[str, str], rule: str, code: str, params: dict[str, str]
) -> None:
    here = position(game, moves)
    reason = here.explain_illegal(otherwise(here.visible(), changes))
    assert (reason.rule, reason.code) == (rule, code), reason
    assert params.items() <= dict(reason.params).items()


def test_the_pawn_that_is_not_to_move_has_the_name_of_its_player() -> None:
    record = new_record(("trippples", {}, {}), 3)
    begun = played(record).position
    reason = begun.explain_illegal(otherwise(begun.visible(), {"round1": "g2"}))
    assert (reason.code, reason.params["pawn"]) == ("not-your-pawn", "round")
    assert say_reason(reason, "fr") == "le pion carré doit jouer, et non le pion rond"


def test_a_peg_in_the_last_turn_does_not_mean_that_the_game_was_over() -> None:
    here, chance = played(new_record(("pegs", {}, {}), 7)).position, Random(7)
    while here.phase != "last":  # type: ignore[attr-defined]
        here = here.play(chance.choice(list(here.moves())))
    with_peg = {".": "o", "b": "B", "w": "W"}
    square, code = next((s, with_peg[code]) for s, code in codes_by_square(here.visible()).items() if code in with_peg)
    reason = here.explain_illegal(otherwise(here.visible(), {square: code}))
    assert (reason.rule, reason.code, reason.params["now"]) == ("turn", "wrong-phase", "pegs.last")


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_whatever_is_seen_can_be_explained_or_cannot_be(variant: Variant) -> None:
    """Random changes of random positions: a reason of the game in both languages, or the kit cannot show it."""
    game_id, chance = variant[0], Random(7)
    here = played(new_record(variant, 7)).position
    explained = 0
    for _ in range(60):
        moves = list(here.moves())
        if not moves:
            break
        seen = here.visible()
        if "planks" in seen:
            changed: Visible = json.loads(json.dumps(seen))
            for plank in chance.sample(changed["planks"], min(1, len(changed["planks"]))):
                plank["tokens"][chance.randrange(3)] = chance.choice([".", "A", "B", "A:R"])
        else:
            codes = codes_by_square(seen)
            squares = chance.sample(sorted(codes), chance.choice((1, 2, 3)))
            changed = otherwise(seen, {square: chance.choice(sorted({*codes.values(), "."})) for square in squares})
            if "pawns" in seen and chance.random() < 0.5:
                changed = otherwise(changed, {chance.choice(list(seen["pawns"])): chance.choice(sorted(codes))})
        try:
            reason = here.explain_illegal(changed)
        except BadInput:
            continue
        explained += 1
        prefix = game_id.removesuffix("-solo")
        assert reason.rule in ("turn", "format") or reason.rule.startswith(f"{prefix}."), reason
        assert all("{" not in say_reason(reason, language) for language in LANGUAGES)
        here = here.play(chance.choice(moves))
    assert explained > 0
