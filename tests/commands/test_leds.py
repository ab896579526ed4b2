"""companion leds: what it prints, draws and refuses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.leds.survey import Questions
from companion.leds.wiring import parse_wiring
from tests.leds.board import Brain, Plugged

HANDS = {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}
RECORD = {"game": "six-faces", "moves": ["b1-b2", "b8-b7", "c1-c3"]}


def companion(*arguments: str, input: str | None = None, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(home or "/nonexistent"), "LC_ALL": "C"}
    command = [sys.executable, "-m", "companion", "leds", *arguments]
    return subprocess.run(command, input=input, capture_output=True, text=True, timeout=60, env=environment)


@pytest.fixture
def record(tmp_path: Path) -> str:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(RECORD))
    return str(file)


def test_a_preview_shows_the_lights_where_they_are(record: str, tmp_path: Path) -> None:
    file = tmp_path / "lights.png"
    told = companion("preview", record, "-o", str(file), "--hint", "d8-d4-f4")
    assert (told.returncode, told.stderr) == (0, "")
    assert "hint: here: f4" in told.stdout
    assert "last move: c1 c3" in told.stdout
    image = cv2.imread(str(file))
    assert image is not None
    high, wide = image.shape[:2]
    cell = wide / (9 + 2 * 0.62)

    def at(square: str) -> np.ndarray:
        x, y = (0.62 + ord(square[0]) - ord("a") + 0.3) * cell, high - (0.62 + int(square[1]) - 0.7) * cell
        return image[int(y), int(x)][::-1].astype(int)  # beside the LED's middle, red first

    red, green, blue = at("c3")
    assert red > 180 > green > blue  # amber
    red, green, blue = at("f4")
    assert green > 180 > red
    assert at("h2").max() < 90  # dark


def test_the_same_in_one_color_and_as_svg(record: str, tmp_path: Path) -> None:
    told = companion("preview", record, "--mono", "--hint", "d8-d4-f4", "--layout", "9x8 ne serpentine")
    assert told.returncode == 0
    assert told.stdout.startswith("<svg")
    assert "take this: d8" in told.stdout
    again = companion("preview", "-", input=json.dumps(RECORD))
    assert again.stdout.startswith("<svg")


def test_what_is_lifted_is_a_square_or_a_piece_by_its_name() -> None:
    blocked = ["#a1", "#b2", "#c3", "#d4", "#e5", "#f6", "#g7", "=I"]
    hepta = json.dumps({"game": "hepta", "moves": blocked})
    plank = json.dumps({"game": "plank", "setup": {"players": 2, "hands": HANDS}, "moves": ["RBW^ B@b0"]})

    def may_go(record: str, lifted: str) -> set[str]:
        told = companion("preview", "-", "--lifted", lifted, input=record)
        assert (told.returncode, told.stderr) == (0, "")
        found = re.search('may go here: ([^;"]*)', told.stdout)
        return set(found[1].split()) if found else set()

    assert len(may_go(hepta, "I")) == 42  # three free squares in a row run over each of them
    assert may_go(hepta, "L") == may_go(hepta, "nonsense") == may_go(hepta, "a²") == set()
    assert may_go(json.dumps({"game": "six-faces"}), "c1") >= {"c3"}
    assert len(may_go(plank, "WRB")) == 6  # at either end


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["preview"], "RECORD: name the record"),
        (["preview", "{record}", "-o", "x.gif"], "neither a .svg nor a .png"),
        (["preview", "{record}", "--hint", "a1-a2"], "--hint:"),
        (["preview", "{record}", "--hint", "hello"], "--hint:"),
        (["preview", "{record}", "--ply", "9"], "--ply:"),
        (["preview", "{record}", "--layout", "round"], "says nothing about a layout"),
        (["preview", "{record}", "--size", "99x99"], "not a matrix's size"),
        (["preview", "{record}", "--brightness", "200"], "not a number from 0 to 100"),
        (["preview", "/nonexistent.json"], "there is no such file"),
        (["test", "--kind", "adalight"], "does not say who it is"),
        (["walk", "--seconds", "never"], "--seconds:"),
        (["shine"], "is not one of"),
    ],
)
def test_what_makes_no_sense_is_one_line(arguments: list[str], said: str, record: str) -> None:
    told = companion(*(argument.format(record=record) for argument in arguments))
    assert told.returncode == 2
    assert said in told.stderr
    assert told.stderr.count("\n") == 1


def test_ports_says_what_answers(tmp_path: Path) -> None:
    with Plugged(tmp_path / "led", brain=Brain(most=72), boot=0.2):
        told = companion("ports", "--only", f"{tmp_path}/led", "--json")
        (found,) = [port for port in json.loads(told.stdout) if port["port"] == str(tmp_path / "led")]
        assert (found["board"]["most"], found["board"]["name"]) == (72, "paper board")
        plain = companion("ports", "--only", f"{tmp_path}/led", "--lang", "fr")
        assert "paper board, programme 1.0.0\xa0: 72 LED" in plain.stdout


def test_test_and_walk_light_the_board(tmp_path: Path) -> None:
    with Plugged(tmp_path / "led") as board:
        told = companion("test", "--port", str(tmp_path / "led"))
        assert (told.returncode, told.stderr) == (0, "")
        whole = {picture[0][:3] for picture in board.brain.pictures if len({pixel[:3] for pixel in picture}) == 1}
        assert len(whole) >= 5  # red, green, blue, white, dark
        board.brain.pictures.clear()
        told = companion("walk", "--port", str(tmp_path / "led"), "--size", "2x3", "--seconds", "0.1")
        assert told.returncode == 0
        assert "LED 3: column 1, row 1 (b2)" in told.stdout
        walked = [[n for n, pixel in enumerate(picture) if any(pixel[:3])] for picture in board.brain.pictures]
        assert [[n] for n in range(6)] == [lit for lit in walked if lit]


def test_no_board_is_said(tmp_path: Path) -> None:
    told = companion("test", "--port", str(tmp_path / "nothing"), "--lang", "en")
    assert told.returncode == 2
    assert f"there is no {tmp_path}/nothing" in told.stderr
    assert told.stderr.count("\n") == 1


def test_the_settings_file_says_where_the_lights_are(tmp_path: Path, record: str) -> None:
    (tmp_path / "board-companion").mkdir()
    (tmp_path / "board-companion" / "settings.toml").write_text('leds_layout = "12x10"\nleds_brightness = 80\n')
    told = companion("preview", record, home=tmp_path)
    assert told.stdout.count("translate(") > 120


def test_questions_find_the_layout(tmp_path: Path) -> None:
    questions, wire = Questions((3, 4)), parse_wiring("3x4 ne columns serpentine").wire()
    said = ["3x4", "z9", "what"]  # the last two make no sense: asked again
    asked = []
    while questions.found is None:
        asked.append(questions.place)
        x, y = wire[questions.place]
        said.append(f"{chr(97 + x)}{y + 1}")
        questions.answer((x, y))
    with Plugged(tmp_path / "led") as board:
        told = companion("layout", "--port", str(tmp_path / "led"), input="\n".join(said) + "\n", home=tmp_path)
        assert (told.returncode, told.stderr) == (0, "")
        lit = [[n for n, pixel in enumerate(picture) if any(pixel[:3])] for picture in board.brain.pictures]
        assert asked[-1:] in lit
        none = companion("layout", "--port", str(tmp_path / "led"), input="3x4\n", home=tmp_path)
        assert (none.returncode, none.stderr) == (2, "companion: nobody answers\n")
    assert 'leds_layout = "3x4 ne columns serpentine"' in (tmp_path / "board-companion/settings.toml").read_text()


def test_the_doctor_tells_how_the_line_is(tmp_path: Path) -> None:
    with Plugged(tmp_path / "led"):
        told = companion(
            "doctor", "--port", str(tmp_path / "led"), "--seconds", "0.5", "-o", str(tmp_path / "log.json")
        )
    assert (told.returncode, told.stderr) == (0, "")
    log = json.loads((tmp_path / "log.json").read_text())
    assert log["pictures"] >= 3
    assert (log["hellos"], log["again"], log["board"]["name"]) == (1, 0, "paper board")
    assert f"paper board: {log['pictures']} pictures" in told.stdout
    gone = companion("doctor", "--port", str(tmp_path / "led"))
    assert (gone.returncode, gone.stderr.count("\n")) == (2, 1)
