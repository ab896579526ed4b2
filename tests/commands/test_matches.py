"""match, and export as pages and moving pictures: real processes, real files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.store import Store, open_store
from tests.commands.test_rules import complaint, run

HAND = {"R": 2, "W": 2, "B": 2}
PLANK = {"game": "plank", "setup": {"players": 2, "hands": {"A": HAND, "B": HAND}}}
MUSHROOMS = [f"{column}{row}" for column, high in (("a", 8), ("b", 7)) for row in range(1, high)]
WON = ["RBW^ R@a0", "WRB^ W@a1", "B@b0", "RWB^ R@a2", "W@c0"]


def kept(folder: Path, *records: dict[str, Any]) -> list[str]:
    files = []
    for n, record in enumerate(records):
        (folder / f"{n}.json").write_text(json.dumps(record))
        files.append(str(folder / f"{n}.json"))
    return files


def ended(game: str, winner: str | None, *names: str, **more: Any) -> dict[str, Any]:
    about = {"about": {"players": list(names)}} if names else {}
    return {"game": game, **more, "result": {"winner": winner, "why": "resigned"}, **about}


def test_names_say_who_sat_where(tmp_path: Path) -> None:
    files = kept(tmp_path, ended("pegs", "blue", "Ann", "Bob"), ended("pegs", "blue", "Ann", "Bob"))
    told = json.loads(run("match", *files, "--games", "3").stdout)
    assert told["totals"] == {"Ann": 2, "Bob": 0}
    assert (told["over"], told["winners"]) == (True, ["Ann"])  # two of three


def test_without_names_the_sides_are_swapped(tmp_path: Path) -> None:
    files = kept(tmp_path, ended("six-faces", "white"), ended("six-faces", "white"))
    told = json.loads(run("match", *files).stdout)
    assert told["totals"] == {"Player 1": 1, "Player 2": 1}
    assert (told["over"], told["winners"]) == (True, [])
    french = json.loads(run("match", *files, "--lang", "fr").stdout)
    assert french["text"] == "Match nul. Joueur 1\xa0: 1 – Joueur 2\xa0: 1"


def test_marks_of_three(tmp_path: Path) -> None:
    hand = {"R": 2, "W": 1, "B": 1}, {"R": 1, "W": 2, "B": 1}, {"R": 1, "W": 1, "B": 2}
    setup = {"players": 3, "hands": dict(zip("ABC", hand, strict=True))}
    names = ("Ann", "Bob", "Cy")
    files = kept(tmp_path, *(ended("plank", winner, *names, setup=setup) for winner in "AAB"))
    told = json.loads(run("match", *files).stdout)
    assert told["totals"] == {"Ann": 1, "Bob": 4, "Cy": 4}
    assert told["winners"] == ["Ann"]


@pytest.mark.parametrize(
    ("records", "arguments", "said"),
    [
        ([{"game": "hepta"}], [], "not over"),
        ([{"game": "six-faces", "moves": ["a1-a9"]}], [], "illegal"),
        ([ended("six-faces", "white"), ended("pegs", "blue")], [], "six-faces"),
        ([ended("pegs", "blue", "Ann", "Bob"), ended("pegs", "blue", "Ann", "Cy")], [], "Cy"),
        ([ended("pegs", "blue"), ended("pegs", "blue")], ["--games", "1"], "one more"),
        ([ended("pegs", "blue")], ["--games", "0"], "--games"),
        ([ended("hepta", "first")], ["--games", "3"], "multiple of 2"),
        (
            [
                ended(
                    "tetrods",
                    None,
                    setup={"mushrooms": [f"a{n}" for n in range(1, 8)] + [f"b{n}" for n in range(1, 7)]},
                )
            ],
            [],
            "alone",
        ),
    ],
)
def test_what_does_not_add_up_is_said_in_one_line(
    tmp_path: Path, records: list[dict[str, Any]], arguments: list[str], said: str
) -> None:
    assert said in complaint(run("match", *kept(tmp_path, *records), *arguments))


# --- export


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "data") as opened:
        number = opened.new_game({**PLANK, "options": {}, "moves": [], "about": {"players": ["Ann", "Bob"]}}, "person")
        for move in WON:
            opened.append(number, "move", {"moves": [move], "by": "person"})
        opened.append(number, "over", {"winner": "A", "draw": False, "why": "line", "scores": {"A": 1, "B": 0}})
        yield opened


def test_a_game_becomes_a_page_and_a_moving_picture(store: Store, tmp_path: Path) -> None:
    place = ("--data", str(store.file.parent))
    done = run("export", "1", "--html", str(tmp_path / "game.html"), "--gif", str(tmp_path / "game.webp"), *place)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    page = (tmp_path / "game.html").read_text("utf-8")
    assert "Ann – Bob" in page
    assert "Ann wins: red, white and blue in line (Ann: 1, Bob: 0)" in page
    assert 'class="line side0"' in page
    read, film = cv2.imdecodeanimation(np.fromfile(tmp_path / "game.webp", np.uint8))
    assert read
    assert len(film.frames) == len(WON) + 1
    plain = run("export", "1", "--html", str(tmp_path / "plain.html"), "--seconds", "0", "--lang", "fr", *place)
    assert plain.returncode == 0
    assert 'class="line side0"' not in (tmp_path / "plain.html").read_text("utf-8")
    assert '<html lang="fr">' in (tmp_path / "plain.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["1", "--gif", "game.mp4"], ".gif or .webp"),
        (["1", "--html", "{folder}/data"], "cannot be opened"),
        (["2", "--gif", "game.gif"], "there is no such game"),
        (["1", "--html", "game.html", "--seconds", "long"], "long"),
    ],
)
def test_what_cannot_be_shared_is_said_in_one_line(
    store: Store, tmp_path: Path, arguments: list[str], said: str
) -> None:
    given = [argument.format(folder=tmp_path) for argument in arguments]
    told = complaint(run("export", *given, "--data", str(store.file.parent), cwd=tmp_path))
    assert said in told
