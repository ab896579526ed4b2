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
from companion.record import read_record
from companion.store import Store, open_store
from companion.table.opening import new_record as opening
from companion.table.table import CORRECTION, Table
from tests.records import new_record, position
from tests.referee.looks import look_of
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

    def see(self, visible: Any, times: int = 1, **more: Any) -> str:
        look = look_of(self.game, visible, **more)
        for _ in range(times):
            kind = self.table.see(replace(self.reading, look=look), self.image).kind
        return kind

    def kinds(self) -> list[str]:
        return [event.kind for event in self.table.store.events(self.table.number)]


@pytest.fixture
def faces(store: Store, picture: tuple[Reading, Any]) -> Seat:
    return Seat(store, picture, {"game": "six-faces", "options": {}, "setup": {}, "moves": []})


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
    assert [question.code for question in faces.table.questions.values()] == ["stood"]
    faces.see(at())
    assert faces.table.verdict.kind == "same"
    assert not faces.table.questions
    assert faces.kinds() == ["new", "verdict", "question", "verdict"]


def test_an_illegal_step_that_stood_is_kept_and_play_goes_on(faces: Seat) -> None:
    faces.see(at())
    wrong = json.loads(json.dumps(at()))
    wrong["rows"][7][1], wrong["rows"][6][1] = ".", "w1"
    faces.see(wrong, times=2)
    (question,) = faces.table.questions
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
    (question,) = faces.table.questions.values()
    assert question.code == "otherwise"
    faces.table.answer(question.id, "yes")
    assert faces.table.moves == ["b1-b2"]
    assert faces.table.store.record(1)["moves"] == ["b1-b2"]


def test_a_takeback_is_asked_about(faces: Seat) -> None:
    faces.see(at())
    faces.see(at("b1-b2"))
    faces.see(at(), times=2)
    assert faces.table.moves == ["b1-b2"]
    (question,) = faces.table.questions.values()
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


def test_routes_that_come_to_the_same_are_asked_about_and_settled(faces: Seat) -> None:
    moves = ["d1-d3-h3", "a8-a4-b4", "f1-f4-c4", "f8-f2", "c4-c2-f2"]
    faces.table.play(moves)
    faces.see(at(*moves))
    faces.see(at(*moves, "b4-b2-f2"))
    (question,) = faces.table.questions.values()
    assert set(question.choices) == {"b4-b2-f2", "b4-f4-f2"}
    other = next(choice for choice in question.choices if choice != faces.table.moves[-1])
    faces.table.answer(question.id, other)
    assert faces.table.store.record(1)["moves"] == [*moves, other]


def test_cards_that_nobody_saw_are_asked_for_and_the_game_goes_on(store: Store, picture: tuple[Reading, Any]) -> None:
    pegs = [f"o{square}" for square in ("a1", "b2", "c3", "d4", "e5", "f6", "g7")]
    seat = Seat(store, picture, {"game": "pegs", "options": {}, "setup": {}, "moves": [*pegs, "."]})
    seat.see(position("pegs", [*pegs, "."]).visible())
    seat.see(position("pegs", [*pegs, ".", "+?", "+?", "+?", "oa3"]).visible())
    unseen = [question for question in seat.table.questions.values() if question.code == "unseen"]
    assert len(unseen) == 3
    with pytest.raises(BadInput):
        seat.table.answer(unseen[0].id, "what?")
    seat.table.answer("unseen-8", "010011")
    assert seat.table.store.record(1)["moves"][8] == "+010011"
    assert len([q for q in seat.table.questions.values() if q.code == "unseen"]) == 2


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
