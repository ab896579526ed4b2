"""A browser's own camera, for every game: chromium plays pictures of a board, the page sends them, the companion reads
them, guides the set-up square by square, and the game begins with what they show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import pytest
from selenium.webdriver.common.by import By

from companion.games import game as game_of
from companion.games import game_ids
from companion.games.position import Position
from companion.labels import labels_of
from companion.record import read_record
from companion.simulation.laying import layout_of
from tests.bench.strange import start_picture
from tests.records import deal
from tests.web.browser import Person, chromium
from tests.web.serving import REFEREE, Place, served
from vision.pose import Image
from vision.simulate.layout import Layout
from vision.simulate.plan import StagePlan
from vision.simulate.stage import Stage

SIZE = (960, 540)


class Film:
    """What chromium takes for its camera: the file is opened anew whenever the page asks for the camera."""

    def __init__(self, file: Path, person: Person, place: Place) -> None:
        self.file, self.person, self.place = file, person, place

    def shows(self, layout: Layout) -> None:
        """This lies before the camera, and its pictures are sent by a page that is open in another tab."""
        stage = Stage(StagePlan(layout.labels, seed=2, size=SIZE))
        stage.show(layout)
        image = stage.frame(0.0)
        assert image is not None
        self.plays(image)

    def plays(self, image: Image) -> None:
        """The camera sees this picture."""
        # chromium maps the file into its memory: cut short while the camera is on, it would end the browser
        fresh = self.file.with_suffix(".new")
        fresh.write_bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() * 20)
        fresh.replace(self.file)
        person = self.person
        sending, looking = person.driver.window_handles
        person.driver.switch_to.window(sending)
        person.goes_to("/setup")
        person.clicks("#own-start")
        person.until(lambda: any(number in person.text("#own-state") for number in "23456789"), "no picture was sent")
        person.driver.switch_to.window(looking)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Film]:
    folder = tmp_path_factory.mktemp("camera")
    file = folder / "board.mjpeg"
    fake = ("ui-for-media-stream", "device-for-media-stream")
    arguments = (*(f"--use-fake-{part}" for part in fake), f"--use-file-for-fake-video-capture={file}")
    with served(folder) as place, chromium(*arguments) as running:
        person = Person(running, place)
        person.asks("/api/login", {"pin": REFEREE})
        running.switch_to.new_window("tab")
        person.goes_to("/games")
        yield Film(file, person, place)
        assert person.complaints() == []


def start(game: str, **setup: Any) -> Position[Any]:
    record = {"game": game, "setup": setup or deal(game, Random(5)), "moves": []}
    record["setup"].pop("deck", None)
    return read_record(json.dumps(record)).start


def lying(position: Position[Any], game: str = "six-faces") -> Layout:
    return layout_of(labels_of(game_of(game)), position)


def checks(film: Film, game: str) -> Person:
    """Somebody who lets the camera look before the game begins."""
    person = film.person
    person.chooses(game)
    person.until(lambda: not person.run("return document.querySelector('#from-camera').disabled"))
    person.run("document.querySelector('#from-camera').click()")
    person.clicks("#check")
    return person


# boards that begin bare look alike: one of them will do every time
BARE = ("t-for-two", "pegs", "pegs-solo")


@pytest.mark.parametrize("game", [pytest.param(g, marks=pytest.mark.soak) if g in BARE else g for g in game_ids()])
def test_a_game_begins_with_what_the_camera_sees(film: Film, game: str) -> None:
    begun = start(game)
    film.shows(lying(begun, game))
    person = checks(film, game)
    person.sees("#checked", "All is in its place")
    person.clicks("#begin")
    person.until(lambda: person.run("return document.body.dataset.page") == "table" and person.all("#board svg"))
    snapshot = film.place.host.state
    assert snapshot.game
    assert snapshot.game.id == game
    assert snapshot.positions[0].visible() == begun.visible()
    assert person.asks("/api/table")["camera"]["source"] == "browser"


def test_what_is_wrong_is_marked_and_put_right_step_by_step(film: Film) -> None:
    """6 Faces with two dice where they should not be, then with all in its place: the page sees it by itself."""
    dice = {square: die for square, die in OPENING.items() if square not in ("a1", "g8")}
    film.shows(lying(start("six-faces", dice={**dice, "a3": "w5/3"})))
    person = checks(film, "six-faces")
    person.sees("#check-next", "g8")
    assert marked(person) == ["a1", "a3", "g8"]
    assert "a3" in person.text("#check-squares")
    film.shows(lying(start("six-faces")))
    person.sees("#checked", "All is in its place")
    assert marked(person) == []


def marked(person: Person) -> list[str]:
    told: list[str] = person.run(
        """return [...document.querySelectorAll("#check-board .mark.wrong")]
        .map((mark) => mark.closest(".square").dataset.square).sort()"""
    )
    return told


@pytest.mark.parametrize(("game", "piece", "said"), [("hepta-solo", "#", "5 of 7"), ("tetrods", "o", "11 of 13")])
def test_what_is_still_missing_is_counted(film: Film, game: str, piece: str, said: str) -> None:
    seen = json.loads(json.dumps(start(game).visible()))
    for _ in range(2):
        row = next(row for row in seen["rows"] if piece in row)
        row[row.index(piece)] = "."
    film.shows(Layout(labels_of(game_of(game)), seen))
    checks(film, game).sees("#checked", said)


def test_hidden_faces_are_asked_for(film: Film) -> None:
    """A position of 6 Faces in the middle: which faces look south cannot be seen, so the page asks."""
    dice = {"b3": "w2/3", "e1": "wK", "e8": "rK", "h6": "r1/4"}
    film.shows(lying(start("six-faces", dice=dice)))
    person = checks(film, "six-faces")
    person.clicks("#check-dice summary")
    asked = person.until(lambda: {field.get_attribute("data-south"): field for field in person.all("[data-south]")})
    assert sorted(asked) == ["b3", "h6"]
    assert [option.text for option in asked["b3"].find_elements(By.CSS_SELECTOR, "option")] == ["–", "3", "4"]
    for field, value in (("[data-south=b3]", "3"), ("[data-south=h6]", "4"), ("#first", "red")):
        person.finds(field).find_element(By.CSS_SELECTOR, f"[value='{value}']").click()
    person.clicks("#begin")
    person.until(lambda: person.run("return document.body.dataset.page") == "table" and person.all("#board svg"))
    record = film.place.host.state.record
    assert record["setup"]["dice"] == dice
    assert film.place.host.state.position.to_move == "red"


_TOPS = "5126K6215"
OPENING = {
    **{f"{column}1": "wK" if top == "K" else f"w{top}/3" for column, top in zip("abcdefghi", _TOPS, strict=True)},
    **{f"{column}8": "rK" if top == "K" else f"r{top}/4" for column, top in zip("abcdefghi", _TOPS, strict=True)},
}


def test_a_set_in_its_own_colors_is_learned_and_forgotten(film: Film) -> None:
    film.plays(start_picture(3))
    person = film.person
    person.goes_to("/setup#pieces")
    person.until(lambda: person.all("#game option"))
    person.run("document.querySelector('#game').value = 'six-faces'")
    person.run("document.querySelector('#game').dispatchEvent(new Event('change'))")
    person.clicks("#own-set summary")
    person.until(lambda: person.all("#asked-for svg"), "it is not shown how to lay the pieces")
    person.clicks("#learn-start")
    person.until(lambda: "72 of 72 squares" in person.text("#learn-said"), "the set was not learned")
    assert person.asks("/api/learn?game=six-faces")["learned"]
    person.clicks("#learn-forget")
    person.until(lambda: "forgotten" in person.text("#learn-said"), "the set was not forgotten")
    assert not person.asks("/api/learn?game=six-faces")["learned"]
    assert not person.finds("#own-set").find_element(By.ID, "learn-forget").is_displayed()
