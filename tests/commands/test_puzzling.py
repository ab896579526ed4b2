"""solve and puzzle as a user meets them."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from companion.solvers import compiled
from tests.commands.test_rules import COMPANION, complaint, run

# thirteen mushrooms with one solution, and blockers with several
TETRODS = {
    "game": "tetrods",
    "setup": {"mushrooms": ["a6", "b2", "b3", "b4", "c2", "c4", "c7", "d5", "e1", "e3", "e4", "f6", "g3"]},
}
HEPTA = {"game": "hepta-solo", "setup": {"blockers": ["a1", "c2", "d7", "e1", "e6", "f1", "g5"]}}


def solved(record: dict[str, Any], *arguments: str) -> Any:
    found = run("solve", "-", *arguments, stdin=record)
    assert (found.returncode, found.stderr) == (0, "")
    return json.loads(found.stdout)


def winner(record: dict[str, Any], moves: list[str]) -> Any:
    verdict = json.loads(run("judge", "-", stdin={**record, "moves": [*record.get("moves", []), *moves]}).stdout)
    assert verdict["ok"]
    return verdict["winner"]


@pytest.mark.parametrize("record", [TETRODS, HEPTA, {"game": "pegs-solo"}, {"game": "pegs-solo", "moves": ["oa1"]}])
def test_a_solution_wins_from_any_half_filled_start(record: dict[str, Any]) -> None:
    answer = solved(record)
    assert list(answer) == ["solvable", "solution"]
    assert answer["solvable"] is True
    assert winner(record, answer["solution"]) == "solver"
    half = {**record, "moves": [*record.get("moves", []), *answer["solution"][:8]]}
    again = solved(half)["solution"]
    assert winner(half, again) == "solver"


def test_counting() -> None:
    assert solved(TETRODS, "--count") == {**solved(TETRODS), "solutions": 1, "complete": True}
    several = solved(HEPTA, "--count")
    assert several["solutions"] > 2
    assert several["complete"] is True
    assert solved(HEPTA, "--count", "--limit", "2") == {**several, "solutions": 2, "complete": False}
    just = str(several["solutions"])
    assert solved(HEPTA, "--count", "--limit", just) == several


def test_unsolvable_and_solved() -> None:
    stuck = {**TETRODS, "moves": ["I1a6b6c6d6@a6"]}
    none = {"solvable": False, "solution": None, "solutions": 0, "complete": True}
    assert solved(stuck, "--count") == none
    done = {**TETRODS, "moves": solved(TETRODS)["solution"]}
    assert solved(done, "--count") == {"solvable": True, "solution": [], "solutions": 1, "complete": True}
    given_up = {**TETRODS, "result": {"winner": None, "why": "resigned"}}
    assert solved(given_up)["solvable"] is True


@pytest.mark.parametrize(
    ("arguments", "record", "said"),
    [
        ((), {"game": "hepta"}, "hepta is no solitaire"),
        ((), {"game": "plank", "setup": {}}, "setup.players"),
        ((), {**TETRODS, "moves": ["O1a1a2b1b2@b2", "O1a1a2b1b2@b2"]}, "moves[1]: "),
        ((), {"game": "tetrods"}, "setup.mushrooms"),
        (("--limit", "0"), TETRODS, "--limit"),
        (("--limit", "many"), TETRODS, "--limit"),
        (("--limit", "9" * 30), TETRODS, "--limit"),
        (("--no",), TETRODS, "--no"),
    ],
)
def test_what_cannot_be_solved_is_one_line(arguments: tuple[str, ...], record: dict[str, Any], said: str) -> None:
    assert said in complaint(run("solve", "-", *arguments, stdin=record))


def test_a_file_is_named() -> None:
    assert "nowhere.json" in complaint(run("solve", "nowhere.json"))
    assert "n'est pas un solitaire" in complaint(run("solve", "-", stdin={"game": "hepta"}, lang="fr_FR.UTF-8"))


def interrupted(command: list[str], given: bytes, sign: str) -> str:
    """What a command shows on a terminal until the sign appears; then it is interrupted."""
    ours, theirs = os.openpty()
    shown, until = b"", time.monotonic() + 20
    with subprocess.Popen(
        [*COMPANION, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests may be deaf to it
    ) as process:
        assert process.stdin
        process.stdin.write(given)
        process.stdin.close()
        while sign.encode() not in shown and time.monotonic() < until and process.poll() is None:
            if select.select([ours], [], [], 0.1)[0]:
                shown += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(20) == 130
        finally:
            process.kill()
    os.close(ours)
    os.close(theirs)
    return shown.decode(errors="replace")


def test_counting_without_end_shows_progress_and_can_be_interrupted() -> None:
    assert " % " in interrupted(["solve", "-", "--count"], b'{"game": "pegs-solo"}', " % ")


# --- puzzle


@pytest.mark.parametrize(("game", "level"), [("tetrods", "hard"), ("hepta-solo", "easy"), ("pegs-solo", "medium")])
def test_a_problem_is_a_record_with_one_solution(game: str, level: str) -> None:
    found = run("puzzle", game, "--level", level, "--seed", "4")
    assert (found.returncode, found.stderr) == (0, "")
    record = json.loads(found.stdout)
    assert record["game"] == game
    assert record["about"]["level"] == level
    assert record["about"]["seed"] == 4
    answer = solved(record, "--count")
    assert answer["solutions"] == 1
    assert winner(record, answer["solution"]) == "solver"
    assert run("puzzle", game, "--level", level, "--seed", "4").stdout == found.stdout
    assert run("puzzle", game, "--level", level, "--seed", "5").stdout != found.stdout


def test_many_problems_are_all_different_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "booklet" / "one"
    wanted = 50 if compiled.core else 10  # the pure way takes its time
    found = run("puzzle", "tetrods", "--count", str(wanted), "--seed", "1", "-o", str(folder))
    records = [json.loads(line) for line in found.stdout.splitlines()]
    assert len({tuple(record["setup"]["mushrooms"]) for record in records}) == wanted
    assert [record["about"]["number"] for record in records] == list(range(1, wanted + 1))
    files = sorted(file.name for file in folder.iterdir())
    assert len(files) == 2 * wanted
    assert files[:2] == ["tetrods-medium-1-01.json", "tetrods-medium-1-01.svg"]
    assert json.loads((folder / files[0]).read_text()) == records[0]
    assert (folder / files[1]).read_text().startswith("<svg")
    assert run("puzzle", "tetrods", "--seed", "1").stdout == json.dumps(records[0]) + "\n"


def test_a_problem_can_be_drawn_and_needs_no_seed(tmp_path: Path) -> None:
    file = tmp_path / "problem.json"
    file.write_text(run("puzzle", "pegs", "--level", "easy").stdout)
    assert json.loads(file.read_text())["game"] == "pegs-solo"
    assert run("draw", str(file)).stdout.startswith("<svg")
    assert json.loads(run("puzzle", "hepta").stdout)["game"] == "hepta-solo"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("plank",), "plank is no solitaire"),
        (("tetrods", "--level", "impossible"), "--level"),
        (("tetrods", "--seed", "-1"), "--seed"),
        (("tetrods", "--count", "0"), "--count"),
        (("tetrods", "--count", "100000"), "--count"),
        (("tetrods", "-o", "/dev/null/folder"), "/dev/null/folder"),
        ((), "game"),
    ],
)
def test_problems_that_cannot_be_made(arguments: tuple[str, ...], said: str) -> None:
    assert said.lower() in complaint(run("puzzle", *arguments)).lower()


def test_making_many_shows_progress_and_can_be_interrupted() -> None:
    command = ["puzzle", "tetrods", "--level", "fiendish", "--count", "10000", "--lang", "fr"]
    assert "problèmes sur 10000" in interrupted(command, b"", "problèmes sur 10000")


def test_help_has_examples() -> None:
    for command in ("solve", "puzzle"):
        for language, word in (("en", "example"), ("fr", "exemple")):
            found = run(command, "--help", "--lang", language)
            assert found.returncode == 0
            assert word in found.stdout
