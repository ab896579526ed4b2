"""Every page in every state of every game: people are told in words; only the second line of a move is notation."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.messages import LANGUAGES
from companion.solvers.playing import sensible_move
from companion.table.host import Host
from companion.table.table import STUCK, Question, QuestionCode
from tests.records import VARIANTS, names, new_record
from tests.referee.looks import look_of
from tests.web.browser import Person
from tests.web.serving import Place
from tests.web.test_move_views import RAW, spoken
from tests.web.test_review import finish, moves_to_the_end, reviewed
from vision.reading import read_picture
from vision.training.sample import random_sample

VARIANT = {names(variant): variant for variant in VARIANTS}
PLACES = ("/wall", "/overlay", "/")
SETTLES = 0.4  # seconds, for what is fetched


class Camera:
    """Looks at boards that a test puts together, and the referee is told of them."""

    def __init__(self, host: Host) -> None:
        sample = random_sample(1, "dice", hand=0.0, size=(640, 480))
        self.host, self.image = host, sample.image
        self.reading = read_picture(sample.image, sample.layout.labels)

    def sees(self, visible: Any, **how: Any) -> None:
        table = self.host.game
        straight = np.full((49, 5), np.nan) if len(visible.get("rows", ())) == 7 else None  # no card lies askew
        look = replace(self.reading, look=look_of(table.game.id, visible, askew=straight, **how))
        self.host.do(lambda: [table.see(look, self.image) for _ in range(3)])


def confused(visible: Any) -> Any:
    """The same board with two of its squares exchanged, or with tokens where none were put."""
    found = json.loads(json.dumps(visible))
    if "planks" in found:
        for plank in found["planks"]:
            plank["tokens"] = ["A" if token == "." else token for token in plank["tokens"]]
        return found
    rows = found["rows"]
    codes = [(row, column) for row, line in enumerate(rows) for column, _ in enumerate(line)]
    here = codes[0]
    there = next(at for at in codes if rows[at[0]][at[1]] != rows[here[0]][here[1]])
    rows[here[0]][here[1]], rows[there[0]][there[1]] = rows[there[0]][there[1]], rows[here[0]][here[1]]
    return found


def states(host: Host, chance: Random) -> Iterator[str]:
    """One state of a game after the other: its table is in that state when its name comes."""

    def plays(count: int) -> None:
        for _ in range(count):
            if not host.state.outcome:
                move = sensible_move(host.game.game, host.game.position, chance)
                host.do(lambda move=move: host.game.play([str(move)]))

    def after(count: int) -> Any:
        at = host.game.position
        for _ in range(count):
            if not at.outcome():
                at = at.play(sensible_move(host.game.game, at, chance))
        return at.visible()

    camera = Camera(host)
    yield "begun"
    plays(len(moves_to_the_end(host)) // 2)
    yield "played"
    before = host.game.position.visible()
    for count in (1, 2):
        camera.sees(after(count))
        yield f"so many turns at once: {count}"
    camera.sees(after(1), doubt=0.7)
    yield "hardly anything is seen"
    camera.sees(before)
    yield "turns are taken back"
    camera.sees(confused(host.game.position.visible()))
    yield "something stands wrong"
    host.game._unclear_since = host.game._clock() - STUCK - 1
    host.do(host.game.update)
    yield "nothing explains it"
    plays(1)
    if host.state.outcome:
        return
    table, line = host.game, host.game.referee.line
    before_it = line.before(1)
    lines = [before_it.then([move]) for move in (line.moves[-1], *before_it.position.moves()) if move][:3]
    host.do(lambda: (setattr(table.referee, "lines", lines), table._ask_which()))
    yield "which of several"
    asked = ("taken-back", [], 1), ("otherwise", [str(next(table.position.moves()))], 1), ("stood", [], 0)
    for code, moves, count in asked:
        params = {"moves": moves, "count": count, "seen": table.position.visible()}
        question = Question(f"{code}-1", QuestionCode(code), params, ("yes", "no"))
        host.do(
            lambda question=question: (
                setattr(table, "question", question),
                setattr(table, "changes", table.changes + 1),
            )
        )
        yield f"asked: {code}"
    host.do(lambda: setattr(table, "question", None))
    host.do(lambda: host.aids.set_hints(True, None, "referee"))
    yield "a hint"
    host.do(lambda: host.aids.set_hints(False, None, "referee"))


def told(person: Person, page: str) -> str:
    """All that a page says, once it shows the table as it is."""
    person.goes_to(page)
    person.until(lambda: person.all("#board svg"))
    if page == "/":
        person.until(lambda: person.run("return document.querySelector('#hand').dataset.at") or person.text("#ending"))
        person.run("const all = document.querySelector('.all-moves'); if (all) all.open = true")
        for question in person.all('.question [data-answer="put-back"], .question [data-answer="agreed"]'):
            question.click()
    time.sleep(SETTLES)
    return spoken(person)


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANT)
def test_nothing_is_told_in_notation(
    referee: Person, table: Place, tmp_path: Path, variant: str, language: str
) -> None:
    host = table.host
    referee.speaks(language)
    record = new_record(VARIANT[variant], 3) | {"about": {"players": ["Ann", "Bob"]}}
    host.do(lambda: host.begin(record))
    said: dict[str, str] = {}
    for state in states(host, Random(3)):
        for page in PLACES:
            said[f"{state}, on {page}"] = told(referee, page)
        if state in ("begun", "played"):
            said[f"{state}, touched"] = touched(referee)
    finish(host)
    for page in (*PLACES, "/games", f"/rules/{host.game.game.id}"):
        said[f"ended, on {page}"] = told(referee, page) if page in PLACES else visited(referee, page)
    assert host.state.number
    reviewed(referee, host.state.number)
    for mistake in referee.all("#mistakes button")[:3]:
        mistake.click()
        said["a mistake"] = said.get("a mistake", "") + spoken(referee)
    said["the review"] = spoken(referee)
    shared = tmp_path / "shared.html"
    _, content, _ = table.browser().ask("GET", f"/api/games/{host.state.number}/shared.html", decode=False)
    shared.write_bytes(content)
    referee.driver.get(shared.as_uri())
    said["what is shared"] = spoken(referee)
    referee.chooses(host.game.game.id)
    said["a new game"] = spoken(referee)
    assert {where: RAW.findall(words) for where, words in said.items() if RAW.search(words)} == {}


def visited(person: Person, page: str) -> str:
    person.goes_to(page)
    time.sleep(SETTLES)
    return spoken(person)


def touched(person: Person) -> str:
    """What is said of squares that were touched, whether a move begins there or not."""
    heard = ""
    for square in person.run(
        "return [...document.querySelectorAll('#board [data-square]')].map((one) => one.dataset.square)"
    )[::9]:
        person.run(
            """document.querySelector(`#board [data-square="${arguments[0]}"]`)
            .dispatchEvent(new MouseEvent("click", {bubbles: true}))""",
            square,
        )
        time.sleep(SETTLES / 2)
        heard += spoken(person)
    return heard
