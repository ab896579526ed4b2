"""What is printed comes to the page and back: markers and mats from the API, problems by the codes of a booklet."""

from __future__ import annotations

import builtins
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
import requests
from selenium.webdriver.common.by import By

from companion.commands.table import _printed
from companion.games import game
from companion.kit.booklets import address_of
from companion.kit.mats import mat_field
from companion.labels import labels_of
from companion.simulation.laying import layout_of
from companion.solvers.cover import UNLIMITED, solve
from companion.solvers.puzzles import Puzzle, puzzles
from tests.kit.printed import PrintedKit, Table
from tests.web.browser import Person
from tests.web.serving import Place, served
from vision.reading import read_picture
from vision.simulate.still import friendly_room


@pytest.fixture(scope="module")
def printing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with served(tmp_path_factory.mktemp("printing"), printer=_printed) as place:
        yield place


def test_markers_and_mats_come_as_pages_to_print(printing: Place) -> None:
    for path, pages in (("markers.pdf?paper=A4", 2), ("mat.pdf?game=six-faces&paper=A3", 2), ("mat.pdf?game=plank", 3)):
        answered = requests.get(f"http://127.0.0.1:{printing.port}/api/kit/{path}&lang=fr", timeout=60)
        assert answered.status_code == 200, answered.text
        assert answered.headers["Content-Type"] == "application/pdf"
        with pikepdf.open(io.BytesIO(answered.content)) as document:
            assert len(document.pages) == pages, path
    for path in ("markers.pdf?paper=B5", "mat.pdf", "mat.pdf?game=chess"):
        answered = requests.get(f"http://127.0.0.1:{printing.port}/api/kit/{path}", timeout=60)
        assert answered.status_code == 422
        assert answered.json()["reason"]


def test_where_nothing_prints_the_page_is_told_why(printing: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **named: Any) -> Any:
        if name in ("typst", "pikepdf"):
            raise ImportError(name)
        return real(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    answered = requests.get(f"http://127.0.0.1:{printing.port}/api/kit/markers.pdf", timeout=60)
    assert answered.status_code == 404
    assert answered.json()["error"] == "kit-missing"
    assert "pip install" in answered.json()["reason"]


def first(game_id: str, level: str) -> Puzzle:
    return next(puzzle for puzzle in puzzles(game_id, level, 3) if puzzle)


@pytest.mark.parametrize(("game_id", "level"), [("tetrods", "easy"), ("hepta-solo", "easy"), ("pegs-solo", "easy")])
def test_a_booklets_code_opens_its_problem(referee: Person, game_id: str, level: str) -> None:
    puzzle = first(game_id, level)
    referee.goes_to(address_of("", game(game_id), puzzle))
    referee.until(lambda: referee.driver.find_element(By.ID, "booklet").is_displayed())
    assert referee.run("return document.querySelector('input[name=game]:checked').value") == game_id
    referee.clicks("#begin")
    referee.until(lambda: referee.run("return document.body.dataset.page") == "table")
    state = referee.until(lambda: (told := referee.asks("/api/table"))["game"] == game_id and told)
    referee.until(lambda: len(referee.asks(f"/api/games/{state['id']}/record.json")["moves"]) == len(puzzle.moves))
    kept = referee.asks(f"/api/games/{state['id']}/record.json")
    assert kept["moves"] == list(puzzle.moves)
    assert {name: sorted(squares) for name, squares in kept["setup"].items()} == {
        name: sorted(squares) for name, squares in puzzle.setup.items()
    }


@pytest.mark.parametrize(
    "game_id",
    ["tetrods", *(pytest.param(name, marks=pytest.mark.soak) for name in ("hepta-solo", "pegs-solo"))],
)
def test_the_camera_confirms_a_booklets_solution(referee: Person, table: Place, game_id: str, tmp_path: Path) -> None:
    """Opened by its code, solved with printed pieces: the page says so as soon as the camera has seen the last one."""
    played, puzzle, host = game(game_id), first(game_id, "easy"), table.host
    referee.goes_to(address_of("", played, puzzle))
    referee.until(lambda: referee.driver.find_element(By.ID, "booklet").is_displayed())
    referee.clicks("#begin")
    referee.until(lambda: referee.run("return document.body.dataset.page") == "table")
    referee.until(lambda: host.state.game is played and len(host.game.moves) == len(puzzle.moves))
    found = solve(host.state.position, UNLIMITED).solutions[0]
    host.do(lambda: host.game.play(found[:-2]))
    rng = np.random.default_rng(5)
    room = friendly_room(rng, mat_field(played.field), (960, 540))
    printed = Table(PrintedKit(tmp_path), rng, played.field, room.style, room.pose)
    for n, move in enumerate(found[-2:]):
        assert host.state.outcome is None
        lying = layout_of(labels_of(played), host.state.position.play(played.read(move)))
        image = printed.photograph(lying, room.light, room.lens)
        reading = read_picture(image, labels_of(played))
        for _ in range(2):
            host.do(lambda image=image, reading=reading: host.game.see(reading, image))
        assert host.game.moves == [*puzzle.moves, *found[: len(found) - 1 + n]]
    told = referee.until(lambda: referee.asks("/api/table")["outcome"])
    assert told["winner"] == "solver"
    referee.until(lambda: referee.text("#verdict-text") == told["text"])


def test_another_game_on_the_same_page_has_no_problem(referee: Person, tmp_path: Path) -> None:
    referee.goes_to(address_of("", game("tetrods"), first("tetrods", "easy")))
    referee.until(lambda: referee.driver.find_element(By.ID, "booklet").is_displayed())
    referee.run("document.querySelector('input[value=\"six-faces\"]').click()")
    referee.until(lambda: not referee.driver.find_element(By.ID, "booklet").is_displayed())
