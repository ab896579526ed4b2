"""A table: looks and persons' decisions become events, questions are asked and answered, nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import BadInput
from companion.games import game as game_of
from companion.messages import say_verdict
from companion.record import read_record, replay
from companion.referee import Referee, line_of
from companion.store import Store, open_store
from companion.table.kept_looks import evidence_of, look_as_json, look_from_json, seen_from_json
from companion.table.opening import new_record as opening
from companion.table.table import BETWEEN_LOOKS, CORRECTION, NOT_SEEN, STUCK, Question, Table
from tests.records import new_record, position
from tests.referee.looks import discs_of, look_of
from vision.reading import Reading, read_picture
from vision.training.sample import random_sample


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def picture() -> tuple[Reading, Any]:
    sample = random_sample(3, "trominoes", "kitchen", hand=0.0, size=(640, 480))
    return read_picture(sample.image, sample.layout.labels), sample.image


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path) as opened:
        yield opened


class Seat:
    """A table of a game, and looks at it."""

    def __init__(self, store: Store, picture: tuple[Reading, Any], record: dict[str, Any]) -> None:
        self.clock = Clock()
        self.reading, self.image = picture
        self.table = Table(store, store.new_game(record, "test"), clock=self.clock)
        self.game, self.played = record["game"], self.table.game

    def see(self, visible: Any, times: int = 1, disturbed: float | None = None, **more: Any) -> str:
        look = look_of(self.game, visible, **more)
        for _ in range(times):
            kind = self.table.see(replace(self.reading, look=look), self.image, disturbed).kind
        return kind

    def kinds(self) -> list[str]:
        return [event.kind for event in self.table.store.events(self.table.number)]


@pytest.fixture
def faces(store: Store, picture: tuple[Reading, Any]) -> Seat:
    return Seat(store, picture, {"game": "six-faces", "options": {}, "setup": {}, "moves": []})


def asked(seat: Seat) -> Question:
    """The question that stands."""
    assert seat.table.question is not None
    return seat.table.question


def code_of(question: Question | None) -> str | None:
    return question and question.code


def at(*moves: str) -> Any:
    return position("six-faces", list(moves)).visible()


def test_a_move_is_kept_with_its_picture(faces: Seat) -> None:
    assert faces.see(at()) == "same"
    assert faces.see(at("b1-b2")) == "move"
    assert faces.table.moves == ["b1-b2"]
    event = faces.table.store.events(1, kinds=("move",))[0]
    jpeg = faces.table.store.picture(event.number)
    assert jpeg is not None
    kept = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    # the field and its surroundings, not the room
    assert kept.shape[0] * kept.shape[1] < 0.95 * faces.image.shape[0] * faces.image.shape[1]
    assert faces.table.store.record(1)["moves"] == ["b1-b2"]


def test_a_game_that_was_only_thought_to_be_over_goes_on(store: Store, picture: tuple[Reading, Any]) -> None:
    """Nobody saw how often the Kings went back and forth: twice ended it."""
    options, there_and_back = {"repetition": True}, ["e1-e2", "e8-e7", "e2-e1", "e7-e8"]
    seat = Seat(store, picture, {"game": "six-faces", "options": options, "setup": {}, "moves": []})
    seat.table.play([*there_and_back, *there_and_back])
    seat.table.referee.lines.append(seat.table.referee.line.before(4))
    assert seat.table.outcome is not None
    assert seat.see(at(*there_and_back)) == "same"
    seat.see(at(*there_and_back, "h1-h2"))
    assert seat.table.outcome is None
    assert seat.table.moves == [*there_and_back, "h1-h2"]
    assert seat.kinds()[-3:] == ["over", "back", "move"]


def test_what_is_done_with_the_pieces_of_a_game_that_is_over_concerns_nobody(
    store: Store, picture: tuple[Reading, Any]
) -> None:
    options, there_and_back = {"repetition": True}, ["e1-e2", "e8-e7", "e2-e1", "e7-e8"]
    seat = Seat(store, picture, {"game": "six-faces", "options": options, "setup": {}, "moves": []})
    seat.table.play([*there_and_back, *there_and_back])
    seat.see(at("h1-h2"), times=3)
    assert seat.table.verdict.kind == "same"
    assert seat.table.outcome is not None


def test_what_is_illegal_is_told_when_a_second_look_agrees(faces: Seat) -> None:
    faces.see(at())
    wrong = json.loads(json.dumps(at()))
    wrong["rows"][7][1], wrong["rows"][6][1] = ".", "w1"
    faces.see(wrong)
    assert faces.table.verdict.kind == "same"
    faces.clock.now += 1
    assert faces.table.wants_look
    faces.see(wrong)
    assert faces.table.verdict.kind == "illegal"
    assert code_of(faces.table.question) == "stood"
    faces.see(at())
    assert faces.table.verdict.kind == "same"
    assert faces.table.question is None
    assert faces.kinds() == ["new", "verdict", "question", "verdict"]


def test_an_illegal_step_that_stood_is_kept_and_play_goes_on(faces: Seat) -> None:
    faces.see(at())
    wrong = json.loads(json.dumps(at()))
    wrong["rows"][7][1], wrong["rows"][6][1] = ".", "w1"
    faces.see(wrong, times=2)
    question = asked(faces).id
    with pytest.raises(BadInput, match="not-one-of"):
        faces.table.answer(question, "perhaps")
    faces.table.answer(question, "yes")
    assert faces.table.moves[0]["stood"] == wrong
    assert faces.table.position.to_move == "red"
    assert faces.see(wrong) == "same"
    assert json.loads(json.dumps(faces.table.store.record(1))) == json.loads(json.dumps(faces.table.record))
    with pytest.raises(BadInput, match="no-such-question"):
        faces.table.answer(question, "yes")


def test_a_turn_made_otherwise_at_once_is_put_right_later_it_is_asked(faces: Seat) -> None:
    faces.see(at())
    faces.see(at("b1-b2"))
    faces.see(at("h1-h2"))
    assert faces.table.moves == ["h1-h2"]
    faces.clock.now += CORRECTION + 1
    faces.see(at("b1-b2"), times=2)
    assert faces.table.moves == ["h1-h2"]
    question = asked(faces)
    assert question.code == "otherwise"
    faces.table.answer(question.id, "yes")
    assert faces.table.moves == ["b1-b2"]
    assert faces.table.store.record(1)["moves"] == ["b1-b2"]


def test_a_takeback_is_asked_about(faces: Seat) -> None:
    faces.see(at())
    faces.see(at("b1-b2"))
    faces.see(at(), times=2)
    assert faces.table.moves == ["b1-b2"]
    question = asked(faces)
    assert (question.code, question.params["count"]) == ("taken-back", 1)
    faces.table.answer(question.id, "yes")
    assert faces.table.moves == []
    assert faces.see(at()) == "same"


def test_persons_correct_the_record_only_by_the_rules(faces: Seat) -> None:
    faces.table.play(["b1-b2", "b8-b7"])
    before = faces.table.store.last
    with pytest.raises(BadInput, match="illegal-move"):
        faces.table.play(["a1-a2"])
    with pytest.raises(BadInput, match="nothing-to-take-back"):
        faces.table.take_back(3)
    assert faces.table.store.last == before
    assert faces.table.moves == ["b1-b2", "b8-b7"]
    faces.table.take_back(1)
    faces.table.end("white", "resigned")
    assert faces.table.outcome is not None
    assert faces.table.outcome.winner == "white"
    faces.table.open_again()
    assert faces.table.outcome is None
    assert faces.table.store.record(1)["moves"] == ["b1-b2"]


def test_a_move_is_played_without_the_game_being_played_again(faces: Seat) -> None:
    read: list[str] = []
    table = faces.table
    table.game = table.game._replace(read=lambda text: read.append(text) or faces.played.read(text))  # type: ignore[func-returns-value]
    moves = ["b1-b2", "b8-b7", "h1-h2", "h8-h7"]
    for move in moves:
        table.play([move])
    assert read == moves
    table.take_back(2)
    assert read == moves
    assert table.moves == moves[:2]
    assert table.position == position("six-faces", moves[:2])
    assert [*table.positions] == [position("six-faces", moves[:n]) for n in range(3)]


def test_a_game_goes_on_from_the_store(faces: Seat, store: Store) -> None:
    faces.see(at())
    faces.see(at("b1-b2"))
    again = Table(store, 1)
    assert again.moves == ["b1-b2"]
    assert again.position == faces.table.position


def test_routes_that_come_to_the_same_are_not_asked_about_but_may_be_filled_in(faces: Seat) -> None:
    moves = ["d1-d3-h3", "a8-a4-b4", "f1-f4-c4", "f8-f2", "c4-c2-f2"]
    faces.table.play(moves)
    faces.see(at(*moves))
    faces.see(at(*moves, "b4-b2-f2"))
    assert faces.table.question is None
    (question,) = faces.table.unsaid.values()
    assert set(question.choices) == {"b4-b2-f2", "b4-f4-f2"}
    other = next(choice for choice in question.choices if choice != faces.table.moves[-1])
    faces.table.answer(question.id, other)
    assert faces.table.store.record(1)["moves"] == [*moves, other]


def test_cards_that_nobody_saw_are_not_asked_for_but_may_be_filled_in(
    store: Store, picture: tuple[Reading, Any]
) -> None:
    pegs = [f"o{square}" for square in ("a1", "b2", "c3", "d4", "e5", "f6", "g7")]
    seat = Seat(store, picture, {"game": "pegs", "options": {}, "setup": {}, "moves": [*pegs, "."]})
    seat.see(position("pegs", [*pegs, "."]).visible())
    seat.see(position("pegs", [*pegs, ".", "+?", "+?", "+?", "oa3"]).visible())
    assert seat.table.question is None
    unseen = list(seat.table.unsaid.values())
    assert len(unseen) == 3
    with pytest.raises(BadInput):
        seat.table.answer(unseen[0].id, "what?")
    seat.table.answer("unseen-8", "010011")
    assert seat.table.store.record(1)["moves"][8] == "+010011"
    assert len(seat.table.unsaid) == 2


def test_an_order_that_may_have_been_another_is_marked(faces: Seat) -> None:
    faces.see(at())
    faces.see(at("b1-b2", "b8-b7", "h1-h2"))
    event = faces.table.store.events(1, kinds=("move",))[0]
    assert event.data["order_open"]
    faces.see(at("b1-b2", "b8-b7", "h1-h2", "h8-h7"))
    assert "order_open" not in faces.table.store.events(1, kinds=("move",))[1].data


# --- a board that nothing explains


def wrong_board() -> Any:
    wrong = json.loads(json.dumps(at()))
    wrong["rows"][7][1], wrong["rows"][6][1] = ".", "w1"
    return wrong


def test_ways_out_are_offered_when_nothing_explains_the_board_for_long(faces: Seat) -> None:
    faces.see(at())
    faces.see(wrong_board(), times=2)
    faces.table.update()
    assert code_of(faces.table.question) == "stood"
    faces.clock.now += STUCK + 1
    faces.table.update()
    question = asked(faces)
    assert (question.code, question.choices) == ("stuck", ("stands", "put-back", "agreed"))
    faces.table.update()
    assert asked(faces) is question  # asked once
    faces.table.answer(question.id, "stands")
    assert faces.table.moves[0]["note"] == NOT_SEEN
    assert faces.see(wrong_board()) == "same"
    assert faces.table.question is None


def test_a_board_that_was_put_back_is_asked_about_no_more(faces: Seat) -> None:
    faces.see(at())
    faces.see(wrong_board(), times=2)
    faces.clock.now += STUCK + 1
    faces.table.update()
    faces.see(at())
    assert faces.table.question is None
    assert faces.see(at("b1-b2", "b8-b7")) == "move"
    assert faces.table.moves == ["b1-b2", "b8-b7"]


# --- what was seen is kept


def test_a_look_is_kept_as_it_was(faces: Seat) -> None:
    rng = np.random.default_rng(3)
    for game, made in (
        ("six-faces", look_of("six-faces", at(), rng, 0.1)),
        ("trippples", look_of("trippples", played_trippples().visible(), rng, 0.1)),
        ("pegs", look_of("pegs", position("pegs", []).visible(), rng, 0.1, askew=discs_of(["a1c2"], rng))),
    ):
        again = look_from_json(json.loads(json.dumps(look_as_json(made))), game)
        assert (again.squares, again.codes, again.reading) == (made.squares, made.codes, made.reading)
        assert np.allclose(again.likelihood, made.likelihood, atol=2e-5)
        assert all(np.allclose(again.pawns[name], share, atol=2e-5) for name, share in made.pawns.items())
        assert np.allclose(again.askew, made.askew, atol=1e-5)


def played_trippples() -> Any:
    record = new_record(("trippples", {}, {}), 1)
    return position("trippples", [], {}, record["setup"])


def test_the_looks_around_an_event_tell_it_again(faces: Seat) -> None:
    faces.see(at())
    faces.see(at("b1-b2"))
    faces.see(wrong_board(), times=2)
    evidence = json.loads(json.dumps(evidence_of(faces.table.store, 1)))
    record = read_record(json.dumps(evidence["record"]))
    judge = Referee(line_of(record, replay(record)))
    told = [judge.see(look_from_json(look, "six-faces")).kind for look in evidence["looks"]]
    assert told[0] == "move"
    assert told[-1] == evidence["looks"][-1]["told"]["verdict"] == "illegal"
    with pytest.raises(BadInput, match="no-event"):
        evidence_of(faces.table.store, 1, 999)


@pytest.mark.parametrize(("seconds", "verdict"), [(8.0, "move"), (1.5, "illegal")])
def test_the_evidence_tells_for_how_long_the_board_was_disturbed(faces: Seat, seconds: float, verdict: str) -> None:
    """Four turns explain what is seen, if there was time for them."""
    faces.see(at(), disturbed=0.0)
    after = at("b1-b2", "b8-b7", "h1-h2", "h8-h7")
    assert faces.see(after, disturbed=seconds) == verdict
    faces.see(after, times=6, disturbed=0.0)
    looks = json.loads(json.dumps(evidence_of(faces.table.store, 1)["looks"]))
    judge = Referee(line_of(faces.table.opened, replay(faces.table.opened)))
    told = [judge.see(*seen_from_json(look, "six-faces")).kind for look in looks]
    assert set(told) == {verdict}
    for wrong in ({"disturbed": "8"}, {"disturbed": -1}, {"past_hands": 1}):
        with pytest.raises(BadInput, match="not-a-look"):
            seen_from_json({**looks[0], **wrong}, "six-faces")


def test_the_end_by_the_rules_is_kept(store: Store, picture: tuple[Reading, Any]) -> None:
    seat = Seat(store, picture, new_record(("hepta-solo", {}, {}), 1))
    chance = Random(0)
    while not seat.table.outcome:
        seat.table.play([str(chance.choice(list(seat.table.position.moves())))])
    assert seat.kinds()[-1] == "over"
    assert store.games()[0].result is not None


# --- how a game begins


@pytest.mark.parametrize(
    "game", ["hepta", "hepta-solo", "tetrods", "t-for-two", "pegs", "pegs-solo", "six-faces", "plank"]
)
def test_a_game_begins_with_what_the_camera_sees(game: str) -> None:
    start = read_record(json.dumps({**new_record((game, {}, {}), 2), "moves": []})).start
    begun = read_record(json.dumps(opening(game_of(game), {}, seen=start.visible(), chance=Random(1)))).start
    assert begun.visible() == start.visible()


def test_trippples_needs_nothing_but_a_look() -> None:
    for options in ({}, {"layout": "inset"}, {"layout": "centre"}):
        record = new_record(("trippples", options, {}), 4)
        start = read_record(json.dumps(record)).start
        begun = opening(game_of("trippples"), {}, seen=start.visible())
        assert begun["setup"]["tiles"] == record["setup"]["tiles"]
        assert sorted(map(str, read_record(json.dumps(begun)).start.moves())) == sorted(map(str, start.moves()))


def test_six_faces_asks_for_hidden_faces() -> None:
    there = position("six-faces", ["a1-a5-b5", "b8-b7"])
    with pytest.raises(BadInput, match="hidden-face") as refused:
        opening(game_of("six-faces"), {}, seen=there.visible())
    assert refused.value.params["die"][0] in "wr"
    south = {
        square: die[3]
        for square, die in zip(
            [f"{c}{r}" for r in range(1, 9) for c in "abcdefghi"], getattr(there, "dice", ()), strict=True
        )
        if die and die[1] != "K"
    }
    begun = opening(game_of("six-faces"), {}, seen=there.visible(), told=south)
    assert read_record(json.dumps(begun)).start.visible() == there.visible()


def test_a_board_that_is_no_start_is_refused() -> None:
    with pytest.raises(BadInput, match="not-a-start"):
        opening(game_of("hepta"), {}, seen=position("hepta", ["#a1"]).visible())


def test_a_cup_on_the_board_is_told_by_its_square_and_the_game_goes_on(faces: Seat) -> None:
    faces.see(at())
    cup: dict[str, Any] = {"hand": True, "hidden": ("c3",)}
    assert faces.see(at(), 4, **cup) == "hand"
    assert faces.table.verdict.code == "hand"  # it may still be a hand
    faces.see(at(), **cup)
    assert (faces.table.verdict.code, faces.table.verdict.on) == ("stands", ("c3",))
    assert "c3" in say_verdict(faces.table.verdict, "en")
    assert "c3" in say_verdict(faces.table.verdict, "fr")
    assert faces.see(at("b1-b2"), **cup) == "move"
    reaching = {"hand": True, "hidden": ("c3", "g3", "g4", "g5")}
    faces.see(at("b1-b2"), **reaching)
    assert faces.table.verdict.code == "hand"
    faces.see(at("b1-b2"), **cup)  # the arm is gone, the cup is known
    assert faces.table.verdict.code == "stands"
    assert faces.see(at("b1-b2")) == "same"


def test_shine_that_is_there_from_the_first_look_on_holds_nobody_up(faces: Seat) -> None:
    shine: dict[str, Any] = {"hand": True, "hidden": ("d4", "d5")}
    began = faces.clock.now
    while faces.see(at(), **shine) == "hand":
        faces.clock.now += BETWEEN_LOOKS
        assert faces.table.wants_look
    assert faces.clock.now - began < 2  # seconds
    assert faces.table.verdict.kind == "same"
    assert faces.see(at(), hand=True, hidden=("d4", "d5", "e5")) == "same"  # it flickers
    assert faces.see(at()) == "same"
    faces.see(at("b1-b2"))
    assert faces.table.moves == ["b1-b2"]
