"""The commands as a user meets them: real processes, real files, one clear line when something is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.solvers import compiled

COMPANION = [sys.executable, "-m", "companion"]
ROOT = Path(__file__).parents[2]
START = {"game": "six-faces", "moves": []}


def run(*arguments: str, stdin: Any = None, lang: str = "C", **more: Any) -> subprocess.CompletedProcess[str]:
    text = stdin if isinstance(stdin, str | None) else json.dumps(stdin)
    # no settings but the defaults, unless a test has some
    environment = {**os.environ, "LC_ALL": lang, "XDG_CONFIG_HOME": os.devnull, **more.pop("env", {})}
    return subprocess.run(
        [*COMPANION, *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        env=environment,
        timeout=60,
        check=False,
        **more,
    )


def complaint(found: subprocess.CompletedProcess[str]) -> str:
    """The one line on standard error of a command that refused its input."""
    assert found.returncode == 2, found
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert "Traceback" not in found.stderr
    return found.stderr


def test_moves_is_a_sorted_list() -> None:
    moves = json.loads(run("moves", "-", stdin=START).stdout)
    assert len(moves) == 37
    assert moves == sorted(moves)
    over = {**START, "result": {"winner": "red", "why": "resigned"}}
    assert json.loads(run("moves", "-", stdin=over).stdout) == []


def test_perft_is_a_bare_number(tmp_path: Path) -> None:
    file = tmp_path / "start.json"
    file.write_text(json.dumps(START))
    assert [run("perft", str(file), "--depth", str(n)).stdout for n in range(4)] == ["1\n", "37\n", "1293\n", "47873\n"]
    over = {**START, "result": {"winner": None, "why": "agreed"}}
    assert [run("perft", "-", "--depth", str(n), stdin=over).stdout for n in range(2)] == ["1\n", "0\n"]


def test_judge_answers_even_when_a_move_is_illegal() -> None:
    found = run("judge", "-", stdin={**START, "moves": ["b1-b2", "a8-a7"]})
    assert found.returncode == 0
    verdict = json.loads(found.stdout)
    assert list(verdict)[:9] == [
        "ok",
        "plies",
        "illegal",
        "over",
        "to_move",
        "winner",
        "draw",
        "scores",
        "visible",
    ]
    assert verdict["illegal"]["rule"] == "six-faces.3"


def test_french_by_environment_and_by_option() -> None:
    wrong = {**START, "moves": ["a1-a4"]}
    english = json.loads(run("judge", "-", stdin=wrong).stdout)["illegal"]["reason"]
    french = json.loads(run("judge", "-", stdin=wrong, lang="fr_FR.UTF-8").stdout)["illegal"]["reason"]
    assert english.startswith("the 5 on a1")
    assert french.startswith("le 5 en a1")
    assert json.loads(run("judge", "-", "--lang", "fr", stdin=wrong).stdout)["illegal"]["reason"] == french
    assert "Compagnon" in run("--lang=fr", "--help").stdout


@pytest.mark.parametrize("command", [["moves"], ["perft", "--depth", "2"], ["judge"]])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"not json", "not JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"\x89PNG\r\n\x1a\n", "UTF-8"),
        (b'{"game": "chess"}', "game"),
        (b'{"game": "hepta", "moves": 3}', "moves"),
        (b'{"game": "hepta", "extra\\nline": 3}', "extra\\nline"),
        (b'{"game": "hepta-solo", "setup": {"blockers": ["a1"]}}', "setup.blockers"),
    ],
)
def test_bad_records_get_one_line(command: list[str], content: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    line = complaint(run(*command, str(file)))
    assert "bad.json" in line
    assert says in line


def test_bad_files_get_one_line(tmp_path: Path) -> None:
    assert "no such file" in complaint(run("judge", str(tmp_path / "none.json")))
    assert "larger than 16 MB" in complaint(run("judge", "/dev/zero"))
    assert "folder" in complaint(run("judge", str(tmp_path)))
    assert "cannot be opened" in complaint(run("judge", str(tmp_path / ("x" * 300))))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["juge", "x"],
        ["judge"],
        ["perft", "-"],
        ["perft", "-", "--depth", "-1"],
        ["perft", "-", "--depth", "two"],
        ["perft", "-", "--depth", "²"],
        ["perft", "-", "--depth", "5000"],
        ["perft", "-", "--depth", "1" * 5000],
        ["judge", "-", "--lang", "de"],
        ["demo", "--game", "chess"],
    ],
)
def test_bad_usage_gets_one_line(arguments: list[str]) -> None:
    complaint(run(*arguments, stdin=START))


def test_bad_usage_names_the_help_of_its_command() -> None:
    assert complaint(run("judge", stdin=START)).endswith("; see companion judge --help\n")


@pytest.mark.parametrize("command", [["moves"], ["perft", "--depth", "2"]])
def test_an_illegal_move_is_bad_input_for_moves_and_perft(command: list[str]) -> None:
    line = complaint(run(*command, "-", stdin={**START, "moves": ["b1-b2", "b8-b5"]}))
    assert "moves[1]" in line
    assert "six-faces.3" in line


def test_help_has_examples() -> None:
    assert "examples:" in run("--help").stdout
    for command in ("moves", "perft", "judge", "demo"):
        assert "example" in run(command, "--help").stdout


def test_odd_characters_survive() -> None:
    found = run("judge", "-", stdin='{"game": "hepta", "moves": ["\\ud800é\\n"]}')
    assert found.returncode == 0
    assert json.loads(found.stdout)["illegal"]["move"] == "\ud800é\n"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    demo = f"{' '.join(COMPANION)} demo --game hepta-solo --size 640x480 --sim pace=8 --no-web"
    found = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {demo} | head -n 1"], capture_output=True, text=True, timeout=60, check=False
    )
    assert found.stderr == "game 1 begins\n"
    assert found.returncode == 0


def test_an_answer_that_cannot_be_written_gets_one_line() -> None:
    line = f"{' '.join(COMPANION)} moves -"
    for where, says in ((">/dev/full", "cannot be written"), (">&-", "")):
        found = subprocess.run(
            ["bash", "-c", f"{line} {where}"], input=json.dumps(START), capture_output=True, text=True
        )
        assert says in found.stderr
        assert found.stderr.count("\n") == bool(says)


def test_demo_follows_a_game_on_the_simulated_table(tmp_path: Path) -> None:
    short = ("demo", "--game", "hepta-solo", "--seed", "3", "--games", "1", "--size", "640x480", "--sim", "pace=8")
    found = run(*short, "--no-web", "--data", str(tmp_path))
    assert found.returncode == 0, found
    lines = found.stdout.splitlines()
    assert lines[0].startswith("Hepta solitaire 1 · 0 moves · the solver to move")
    assert "no move is left" in lines[-1] or "solved" in lines[-1]
    record = json.loads(run("export", "1", "--data", str(tmp_path)).stdout)
    assert json.loads(run("judge", "-", stdin=record).stdout)["over"]


def test_heavy_packages_are_not_loaded_for_help() -> None:
    every = "[_parser('en', one) for one in (None, *HOMES)]"
    code = f"import sys; from companion.cli import HOMES, _parser; {every}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"cv2", "numpy", "flask", "serial"} & set(loaded)


def test_at_home_nothing_of_the_hall_or_the_kit_is_loaded() -> None:
    """Neither for help nor for a table with its page and its simulated players, as `make demo` has them."""
    parts = "companion.cli, companion.commands.table, companion.simulation.player, companion.table.host, web.serve"
    asked = f"import sys, {parts}, web.app; companion.cli._parser('en', None); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    rooms = {name for name in loaded if name.startswith(("companion.hall", "web.hall", "companion.kit"))}
    assert rooms | {"psycopg", "rustworkx", "paho", "typst", "pikepdf"} & set(loaded) == set()


def test_a_wheel_works_alone(tmp_path: Path) -> None:
    """Built from the tree and unpacked into an empty folder, it needs nothing else of the project."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheels, home = tmp_path / "wheels", tmp_path / "home"
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=300)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(home), str(wheel)], check=True, timeout=300)
    assert sorted(p.name for p in home.iterdir() if (p / "__init__.py").exists()) == ["companion", "vision", "web"]
    code = (
        "import companion, vision, web; print(companion.__file__); from companion.solvers.compiled import core; "
        "print(core is not None); from companion.cli import main; main(['judge', '-'])"
    )
    found = subprocess.run(
        [sys.executable, "-S", "-c", code],
        input=json.dumps({"game": "hepta", "moves": ["#a9"]}),
        env={"PYTHONPATH": str(home), "LC_ALL": "C"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    place, with_core, verdict = found.stdout.splitlines()
    assert place.startswith(str(home))
    assert with_core == str(compiled.core is not None)  # what is compiled here is in the wheel too
    assert json.loads(verdict)["illegal"]["reason"] == "a9 is not on the board"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["new", "trippples", "--setup", "README.md"], "not JSON"),
        (["new", "tetrods"], "setup.mushrooms"),
        (["new", "hepta", "--option", "wild=true"], "no such option"),
        (["new", "hepta", "--option", "wild"], "not an option"),
        (["run", "--camera", "nosuch.mp4", "--game", "hepta"], "is no camera"),
        (["run", "--camera", "sim:chess"], "not one of"),
        (["run", "--camera", "sim:hepta,pace=fast"], "pace"),
        (["run", "--camera", "sim:hepta", "--record", "README.md"], "not JSON"),
        (["follow", "nosuch.json", "x.jpg"], "no such file"),
    ],
)
def test_what_cannot_begin_gets_one_line(arguments: list[str], says: str, tmp_path: Path) -> None:
    data = [] if arguments[0] == "follow" else ["--data", str(tmp_path)]
    web = ["--no-web"] if arguments[0] == "run" else []
    assert says in complaint(run(*arguments, *data, *web, cwd=ROOT))
