"""The referee on looks made without pictures: what explains them, what does not, and when he must not guess."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.games.position import Position
from companion.record import read_record, replay
from companion.referee import Referee, line_of
from tests.records import VARIANTS, names, new_record, position, read
from tests.referee.looks import discs_of, look_of

Variant = tuple[str, dict[str, Any], dict[str, Any]]


def referee(game: str, moves: list[Any], options: Any = None, setup: Any = None) -> Referee:
    record = {"game": game, "options": options or {}, "setup": setup or {}, "moves": moves}
    begun = read_record(json.dumps(record))
    return Referee(line_of(begun, replay(begun)))


def seen(game: str, at: Position[Any], **more: Any) -> Any:
    return look_of(game, at.visible(), **more)  # type: ignore[arg-type]


def with_codes(game: str, at: Position[Any], changes: dict[str, str], **more: Any) -> Any:
    """A look at a position with some squares otherwise."""
    visible = json.loads(json.dumps(at.visible()))
    for square, code in changes.items():
        if square in visible.get("pawns", {}):
            visible["pawns"][square] = code
        else:
            rows = visible["rows"]
            rows[len(rows) - int(square[1:])]["abcdefghi".index(square[0])] = code
    return look_of(game, visible, **more)


def pegs_as_laid(texts: list[str], rng: np.random.Generator) -> np.ndarray:
    return discs_of([text for text in texts if len(text) == 4], rng)


def is_wasted(game: str, here: Position[Any], move: Any) -> bool:
    """A card wholly on its owner's squares: that can be told, but not several of them in one look."""
    return game.startswith("pegs") and len(str(move)) == 4 and here.play(move).visible() == here.visible()


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_random_games_are_followed_move_by_move(variant: Variant) -> None:
    game, chance, rng = variant[0], Random(5), np.random.default_rng(5)
    record = new_record(variant, 5)
    if game == "pegs":
        record["setup"] = {}
    judge = referee(game, [], record["options"], record["setup"])
    here, laid = judge.position, list[str]()
    count = 0
    while not here.outcome() and count < 40:
        before, moves = here.visible(), []
        while not here.outcome() and here.visible() == before:
            move = chance.choice([move for move in here.moves() if not is_wasted(game, here, move)])
            moves.append(str(move))
            here = here.play(move)
        laid += moves
        count += 1
        askew = pegs_as_laid(laid, rng) if game.startswith("pegs") else None
        verdict = judge.see(look_of(game, here.visible(), rng, 0.02, askew=askew))  # type: ignore[arg-type]
        if verdict.code == "several":
            continue
        assert verdict.kind == "move", (moves, verdict)
    assert judge.position.visible() == here.visible()


def test_nothing_happened() -> None:
    judge = referee("six-faces", [])
    assert [judge.see(seen("six-faces", judge.position)).kind for _ in range(3)] == ["same"] * 3


def test_a_hand_in_the_way_is_waited_for() -> None:
    judge = referee("six-faces", [])
    after = position("six-faces", ["b1-b2"])
    assert judge.see(seen("six-faces", after, hand=True)).kind == "hand"
    assert judge.see(seen("six-faces", after)).moves == ("b1-b2",)


def test_turns_missed_behind_a_hand_are_recovered() -> None:
    judge = referee("six-faces", [])
    moves = ["b1-b2", "b8-b7", "h1-h2"]
    for count in (1, 2):
        judge.see(seen("six-faces", position("six-faces", moves[:count]), hand=True))
    verdict = judge.see(seen("six-faces", position("six-faces", moves[:3])))
    assert (verdict.kind, verdict.moves) == ("move", tuple(moves[:3]))


SEVEN_TURNS = ["b1-b2", "b8-b7", "h1-h2", "h8-h7", "e1-e2", "e8-e7", "d1-d4-g4"]
TWELVE_TURNS = [*SEVEN_TURNS, "f8-f3-g3", "i1-i5-h5", "c8-c7-d7", "f1-f6-g6", "g8-e8"]


def test_where_hands_were_in_the_way_more_turns_are_looked_for() -> None:
    judge, after = referee("six-faces", []), position("six-faces", SEVEN_TURNS)
    judge.see(seen("six-faces", after, hand=True))
    verdict = judge.see(seen("six-faces", after))
    assert (verdict.kind, sorted(verdict.moves)) == ("move", sorted(SEVEN_TURNS))


def test_when_too_much_was_missed_nobody_is_accused() -> None:
    judge = referee("six-faces", [])
    after = position("six-faces", TWELVE_TURNS)
    for _ in range(5):
        judge.see(seen("six-faces", after, hand=True))
    verdict = judge.see(seen("six-faces", after))
    assert (verdict.kind, verdict.code) == ("unsure", "missed")


def test_a_missed_ply_is_recovered() -> None:
    judge = referee("six-faces", [])
    verdict = judge.see(seen("six-faces", position("six-faces", ["b1-b2", "b8-b7"])))
    assert (verdict.kind, verdict.moves) == ("move", ("b1-b2", "b8-b7"))


def test_a_turn_in_progress_is_waited_for() -> None:
    judge = referee("six-faces", [])
    lifted = with_codes("six-faces", judge.position, {"b1": "."})
    assert judge.see(lifted).kind == "partial"
    hands = {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}
    judge = referee("plank", [], setup={"players": 2, "hands": hands})
    assert judge.see(look_of("plank", {"planks": [{"colors": "RBW", "tokens": [".", ".", "."]}]})).kind == "partial"
    verdict = judge.see(look_of("plank", {"planks": [{"colors": "RBW", "tokens": [".", "A", "."]}]}))
    assert verdict.moves == ("RBW^ B@b0",)


ILLEGAL = [
    ("six-faces", [], {"a1": ".", "a2": "w1"}, "six-faces.3"),  # a five that goes one square
    ("six-faces", [], {"b1": ".", "b2": "w1"}, "six-faces.3"),  # a one that rolls without turning
    ("six-faces", [], {"b8": ".", "b7": "r5"}, "turn"),  # the other player's die
    ("t-for-two", [], {"c3": "o", "d4": "o"}, "t-for-two.1"),
    ("t-for-two", ["@c3"], {"c3": "x", "c4": "@", "c5": "x", "c6": "x"}, "t-for-two.1"),
    ("hepta", [*(f"#{c}1" for c in "abcdefg"), "=I"], dict.fromkeys(("a2", "a3", "a4", "a5"), "x"), "hepta.3"),
    ("hepta", [*(f"#{c}1" for c in "abcdefg"), "=I"], dict.fromkeys(("a2", "a3", "b2"), "x"), "turn"),
    ("hepta", [*(f"#{c}1" for c in "abcdefg"), "=I"], {"a1": ".", "a2": "#"}, "hepta.1"),
]


@pytest.mark.parametrize(("game", "moves", "changes", "rule"), ILLEGAL)
def test_what_no_move_shows_is_illegal_and_the_rule_is_named(
    game: str, moves: list[str], changes: dict[str, str], rule: str
) -> None:
    judge = referee(game, moves)
    judge.see(seen(game, judge.position))
    verdict = judge.see(with_codes(game, judge.position, changes))
    assert verdict.kind == "illegal", verdict
    assert verdict.reason is not None
    assert verdict.reason.rule == rule, verdict.reason
    assert {wrong.square for wrong in verdict.wrong} == set(changes)
    assert judge.see(seen(game, judge.position)).kind == "same"  # put back


def test_a_pawn_that_its_finish_hides_is_found_there() -> None:
    record = new_record(("trippples", {}, {}), 3)
    line = referee("trippples", [], {}, record["setup"]).line
    chance = Random(5)
    while True:  # until a pawn can go to its finish
        moves = list(line.position.moves())
        last = [move for move in moves if (end := line.position.play(move).outcome()) and end.winner]
        if last:
            break
        line = line.then([chance.choice(moves)])
    judge, over = Referee(line), line.then(last[:1]).position
    judge.see(seen("trippples", line.position))
    shows: Any = over.visible()
    del shows["pawns"][f"{line.position.to_move}1"]
    look = look_of("trippples", shows)
    told = [judge.see(look) for _ in range(6)]
    kinds = [verdict.kind for verdict in told]
    assert set(kinds[:2]) <= {"unsure", "partial"}  # it may be in somebody's hand
    assert kinds.count("move") == 1
    assert kinds[-1] in ("move", "same")
    assert judge.position == over


def test_a_pawn_against_the_arrows_is_illegal(trippples: Referee) -> None:
    start = trippples.position
    legal = {str(move) for move in start.moves()}
    assert "d7" not in legal
    trippples.see(seen("trippples", start))
    verdict = trippples.see(with_codes("trippples", start, {"square1": "d7"}))
    assert verdict.kind == "illegal"
    assert verdict.reason is not None
    assert verdict.reason.rule == "trippples.3"
    other = trippples.see(with_codes("trippples", start, {"round1": "g2"}))
    assert other.reason is not None
    assert other.reason.rule == "turn"


@pytest.fixture
def trippples() -> Referee:
    record = new_record(("trippples", {}, {}), 3)
    return referee("trippples", [], {}, record["setup"])


def test_a_takeback_is_recognized_and_asked_about() -> None:
    judge = referee("six-faces", ["b1-b2", "b8-b7"])
    judge.see(seen("six-faces", judge.position))
    verdict = judge.see(seen("six-faces", position("six-faces", ["b1-b2"])))
    assert (verdict.kind, verdict.code, verdict.back, verdict.moves) == ("illegal", "taken-back", 1, ())
    judge.take_back(1)
    assert judge.see(seen("six-faces", position("six-faces", ["b1-b2"]))).kind == "same"


def test_the_last_turn_made_otherwise_is_recognized() -> None:
    judge = referee("six-faces", ["b1-b2"])
    judge.see(seen("six-faces", judge.position))
    verdict = judge.see(seen("six-faces", position("six-faces", ["h1-h2"])))
    assert (verdict.kind, verdict.code, verdict.back, verdict.moves) == ("illegal", "otherwise", 1, ("h1-h2",))


def test_nobody_else_is_at_the_table() -> None:
    """A letter of a player who does not play is one that was misread."""
    hands = {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}
    judge = referee("plank", ["RBW^ B@b0"], setup={"players": 2, "hands": hands})
    judge.see(seen("plank", judge.position))
    look = look_of("plank", {"planks": [{"colors": "RBW", "tokens": ["D", "A", "."]}]})
    look.likelihood[0, look.codes.index("RB")] = 0.01
    assert judge.see(look).moves == ("R@a0",)


def test_evidence_adds_up_over_looks() -> None:
    judge = referee("t-for-two", [])
    judge.see(seen("t-for-two", judge.position))
    after = position("t-for-two", ["@c3"])
    verdicts = []
    for n in range(8):
        look = seen("t-for-two", after, rng=np.random.default_rng(n))
        at = look.squares.index("c3")
        look.likelihood[at] = [0.35, 0.62, 0.02, 0.01]  # bare or a mushroom: hardly to be told
        verdicts.append(judge.see(look))
        if verdicts[-1].kind == "move":
            break
    assert verdicts[0].kind == "unsure"
    assert verdicts[-1].moves == ("@c3",)


def test_what_is_hidden_is_not_guessed() -> None:
    judge = referee("t-for-two", [])
    judge.see(seen("t-for-two", judge.position))
    after = position("t-for-two", ["@c3"])
    verdict = judge.see(seen("t-for-two", after, hidden=("c3",)))
    assert verdict.kind == "unsure"
    assert verdict.code == "hidden"
    assert judge.see(seen("t-for-two", after)).moves == ("@c3",)


def test_a_square_that_always_reads_wrong_does_not_stop_the_game() -> None:
    judge = referee("hepta", [*(f"#{c}1" for c in "abcdefg"), "=I"])
    wrong = {"g7": "x"}
    first = judge.see(with_codes("hepta", judge.position, wrong))
    assert first.kind == "unsure"
    assert [w.square for w in first.wrong] == ["g7"]
    assert judge.see(with_codes("hepta", judge.position, wrong)).kind == "same"
    after = position("hepta", [*(f"#{c}1" for c in "abcdefg"), "=I", "Ia2a3a4"])
    assert judge.see(with_codes("hepta", after, wrong)).moves == ("Ia2a3a4",)


def test_the_choice_of_a_shape_shows_in_the_piece() -> None:
    blocked = [f"#{c}1" for c in "abcdefg"]
    judge = referee("hepta", blocked)
    judge.see(seen("hepta", judge.position))
    assert judge.see(seen("hepta", position("hepta", [*blocked, "=L", "La2a3b2"]))).moves == ("=L", "La2a3b2")


def test_moves_that_look_alike_stay_open_until_a_look_settles_them() -> None:
    """Did White put another of his first pegs, or was he done and Blue began? The first card tells."""
    first = ["oa1", "ob2", "oc3", "od4", "oe5", "of6", "og7", "oa7"]
    judge = referee("pegs", first)
    judge.see(seen("pegs", judge.position))
    begun = [*first, ".", "+?", "+?", "+?", "oa3"]
    verdict = judge.see(seen("pegs", position("pegs", begun)))
    assert verdict.moves == ("oa3",)
    assert len(verdict.open) == 1
    laid = position("pegs", [*begun, "a1b3"])
    verdict = judge.see(seen("pegs", laid, askew=discs_of(["a1b3"], np.random.default_rng(0))))
    assert (verdict.kind, verdict.settled) == ("move", 1)
    assert verdict.moves == (".", "+?", "+?", "+?", "oa3", "a1b3")
    assert verdict.open == ()


def test_a_person_settles_which_it_was() -> None:
    first = ["oa1", "ob2", "oc3", "od4", "oe5", "of6", "og7", "oa7"]
    judge = referee("pegs", first)
    judge.see(seen("pegs", judge.position))
    judge.see(seen("pegs", position("pegs", [*first, "oa3"])))
    choices = judge.choices()
    assert set(choices) == {"oa3", "., +?, +?, +?, oa3"}
    told = judge.settle(choices["., +?, +?, +?, oa3"])
    assert (told.moves, told.settled) == ((".", "+?", "+?", "+?", "oa3"), 1)
    assert judge.position.to_move == "blue"


def test_routes_that_leave_a_die_the_same_are_told_as_twins() -> None:
    moves = ["d1-d3-h3", "a8-a4-b4", "f1-f4-c4", "f8-f2", "c4-c2-f2"]
    judge = referee("six-faces", moves)
    judge.see(seen("six-faces", judge.position))
    verdict = judge.see(seen("six-faces", position("six-faces", [*moves, "b4-b2-f2"])))
    assert verdict.kind == "move"
    assert {verdict.moves[0], *judge.line.twins} == {"b4-b2-f2", "b4-f4-f2"}


def test_cards_wholly_on_own_squares_are_told_by_how_they_lie() -> None:
    pegs = ["oa1", "ob2", "oc3", "od4", "oe5", "of6", "og7", "."]
    drawn = ["+?", "+?", "+?"]
    first = [*pegs, *drawn, "oa3", "a1b3", "+?", "b1c3"]
    here = position("pegs", first)
    rng = np.random.default_rng(1)
    judge = referee("pegs", first)
    laid = ["a1b3", "b1c3"]
    assert judge.see(seen("pegs", here, askew=discs_of(laid, rng))).kind == "same"
    on_top = next(
        str(move)
        for move in here.play(read("pegs", "+?")).moves()
        if len(str(move)) == 4 and here.play(read("pegs", "+?")).play(move).visible() == here.visible()
    )
    verdict = judge.see(seen("pegs", here, askew=discs_of([*laid, on_top], rng)))
    assert verdict.kind == "move", verdict
    assert verdict.moves[-1] == on_top


def test_persons_decide() -> None:
    judge = referee("six-faces", [])
    judge.play([read("six-faces", "b1-b2")])
    assert judge.see(seen("six-faces", position("six-faces", ["b1-b2"]))).kind == "same"
    visible = json.loads(json.dumps(judge.position.visible()))
    visible["rows"][0][0] = "."
    judge.accept_as_seen(visible, "white")
    assert judge.position.to_move == "white"
    assert judge.see(look_of("six-faces", visible)).kind == "same"


def test_noise_alone_never_makes_a_move() -> None:
    """Looks with much doubt, also on wrong codes, are the same, unsure, or nothing."""
    rng = np.random.default_rng(3)
    for game, moves in (("hepta", [f"#{c}1" for c in "abcdefg"]), ("six-faces", []), ("t-for-two", ["@c3"])):
        judge = referee(game, moves)
        kinds: set[str] = set()
        for _ in range(40):
            kinds.add(judge.see(seen(game, judge.position, rng=rng, doubt=0.6)).kind)
        assert kinds <= {"same", "unsure"}
        assert len(judge.line.moves) == len(moves)


def test_a_tile_that_was_placed_raises_no_question_of_its_route() -> None:
    judge = referee("trippples", [])
    judge.see(seen("trippples", judge.position))
    assert judge.see(seen("trippples", position("trippples", ["N-NE-E@c3"]))).moves == ("N-NE-E@c3",)
    assert judge.line.twins == ()


def test_tiles_may_come_several_at_a_time() -> None:
    judge = referee("trippples", [])
    judge.see(seen("trippples", judge.position))
    moves = ["N-NE-E@b3", "N-NE-SE@c3", "N-NE-S@d3"]
    assert judge.see(seen("trippples", position("trippples", moves))).moves == tuple(moves)


def test_more_blockers_than_there_are_were_never_put() -> None:
    judge = referee("hepta", [f"#{c}1" for c in "abcdef"])
    judge.see(seen("hepta", judge.position))
    verdict = judge.see(with_codes("hepta", judge.position, {"g1": "#", "g2": "#"}))
    assert verdict.kind == "illegal", verdict


def test_what_is_possible_is_told_by_all_looks_together() -> None:
    """Two blockers, each of which one look does not see well: together the looks show both, put at one go."""
    judge = referee("hepta", [])
    judge.see(seen("hepta", judge.position))
    after = position("hepta", ["#b2", "#f6"])
    unclear = seen("hepta", after)
    for square in ("b2", "f6"):
        unclear.likelihood[unclear.squares.index(square)] = [0.45, 0.5, 0.05]
    assert judge.see(unclear).kind == "unsure"
    assert judge.see(seen("hepta", after)).moves == ("#b2", "#f6")
