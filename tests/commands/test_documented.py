"""Every command in the documents does what they say: quick ones are run, others are at least understood."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import cv2
import pytest

from companion.cli import _parser
from companion.commands import HOMES
from companion.errors import BadInput
from companion.games import game, game_ids
from companion.kit.proofs import proof_page
from companion.kit.sheets import Format
from companion.kit.typesetting import pdf
from companion.sealing import Sealer
from companion.store import open_store
from companion.table.kept_looks import evidence_of, look_as_json
from tests.bench.strange import start_picture
from tests.kit.printed import rendered
from tests.kit.test_proof import photograph
from tests.records import position
from tests.referee.looks import look_of
from tests.test_documents import option_names
from vision.calibrate import save
from vision.pose import Lens
from vision.training.sample import random_sample

ROOT = Path(__file__).parents[2]
ELSEWHERE = "adding-a-game.md"  # its commands need the eighth game, and are run with that one's tests
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted(file for file in (ROOT / "docs").glob("*.md") if file.name != ELSEWHERE),
    *sorted((ROOT / "docs" / "build").glob("*.md")),
]
# These run until somebody ends them, or need a camera, a board or an evening.
ONLY_UNDERSTOOD = re.compile(
    r"companion (run|demo|play|hall serve|leds (ports|test|walk|flash|layout|doctor)|check \d|calibrate sheet-)"
    r"|\S*(pytest|ruff|mypy|python|make) "
)
# What these print depends on the moment.
PRINTS_OTHERWISE = re.compile(r"companion (hint|games)\b")
STARTED = (["run", "--game", "hepta", "--camera", "none"], ["demo", "--game", "hepta", "--size", "640x480"])


class Documented(NamedTuple):
    document: str
    line: str
    printed: str = ""

    def __str__(self) -> str:
        return f"{self.document}: {self.line.partition('#')[0].strip()[:60]}"

    @property
    def command(self) -> str:
        """As it would be typed with the companion at hand."""
        return self.line.replace(".venv/bin/companion", "companion")


def blocks(kind: str, document: Path) -> list[str]:
    found = re.findall(rf"^ *```{kind}\n(.*?)^ *```$", document.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [dedent(block) for block in found]


def documented() -> Iterator[Documented]:
    for document in DOCUMENTS:
        name = str(document.relative_to(ROOT))
        for block in blocks("sh", document):
            yield from (Documented(name, line) for line in block.splitlines() if line.strip())
        for block in blocks("console", document):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                line, _, printed = part.partition("\n")
                yield Documented(name, line, printed.strip())


ALL = list(documented())
RUN = [told for told in ALL if not ONLY_UNDERSTOOD.match(told.command)]
UNDERSTOOD = [told for told in ALL if ONLY_UNDERSTOOD.match(told.command)]


def test_there_are_commands_of_every_kind() -> None:
    assert len(RUN) > 20
    named = {name for told in ALL for name in re.findall(r"(?:^|\| )companion (\w+)", told.command)}
    assert named == set(HOMES)


# --- those that are run


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as somebody has it who tries the commands: two records, some pictures, a game that was kept."""
    home = tmp_path_factory.mktemp("home")
    moves = ["g1-g3", "g8-g6"]
    (home / "game.json").write_text(json.dumps({"game": "six-faces", "moves": [*moves, "a1-a4"]}) + "\n")
    (home / "start.json").write_text(json.dumps({"game": "six-faces", "moves": moves}) + "\n")
    for name, winner, players in (("first", "white", ["Ann", "Bob"]), ("return", "red", ["Bob", "Ann"])):
        ended = {"result": {"winner": winner, "why": "resigned"}, "about": {"players": players}}
        (home / f"{name}.json").write_text(json.dumps({"game": "six-faces", "moves": moves, **ended}) + "\n")
    table = random_sample(3, "trominoes", hand=0.0, size=(1280, 720))
    look = random_sample(1, "dice", hand=0.0, size=(640, 480))
    for name, sample in {"table": table, "look-1": look, "look-2": look}.items():
        cv2.imwrite(str(home / f"{name}.jpg"), sample.image)
    cv2.imwrite(str(home / "start.jpg"), start_picture(3))
    wanted = Format()
    (home / "proof.pdf").write_bytes(pdf([proof_page(wanted)], wanted, "proof"))
    cv2.imwrite(str(home / "photo.jpg"), photograph(rendered(home / "proof.pdf", 1, 1)[0], 15, 5, 1))
    save(Lens((1000.0, 1000.0, 640.0, 360.0), (0.0,) * 5, (1280, 720)), home / "lens.json")
    with open_store(home / ".local" / "share" / "board-companion") as store:
        number = store.new_game({"game": "six-faces", "options": {}, "setup": {}, "moves": []}, "person")
        seen = look_as_json(look_of("six-faces", position("six-faces", moves).visible()))  # type: ignore[arg-type]
        moved = {"moves": moves, "by": "camera", "looks": [seen]}
        store.append(number, "move", moved, (home / "look-1.jpg").read_bytes())
        Sealer(store).sign()
        (home / "evidence.json").write_text(json.dumps(evidence_of(store, number)))
    shim = home / ".venv" / "bin" / "companion"
    shim.parent.mkdir(parents=True)
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m companion "$@"\n')
    shim.chmod(0o755)
    return home


def surroundings(home: Path) -> dict[str, str]:
    path = f"{home / '.venv' / 'bin'}:{os.environ['PATH']}"
    return {"HOME": str(home), "PATH": path, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize("told", RUN, ids=str)
def test_a_command_runs_as_shown(told: Documented, home: Path) -> None:
    done = subprocess.run(
        told.line, shell=True, cwd=home, env=surroundings(home), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    if told.printed and not PRINTS_OTHERWISE.search(told.command):
        shown = ".*".join(re.escape(part) for part in told.printed.split("…"))
        assert re.match(shown, done.stdout, re.DOTALL), done.stdout


def test_run_and_demo_start_and_end(home: Path) -> None:
    """Side by side: each takes its time to begin."""
    shim = str(home / ".venv" / "bin" / "companion")
    running = [
        subprocess.Popen(
            [shim, *command, "--port", "0"],
            cwd=home,
            env=surroundings(home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for command in STARTED
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
    for process in running:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in said


# --- those that are understood


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize(
    "told", UNDERSTOOD, ids=lambda told: f"{told.document}: {told.line.split('#')[0].strip()[:60]}"
)
def test_a_command_is_understood(told: Documented) -> None:
    program, *arguments = shlex.split(told.command, comments=True)
    if program == "companion":
        _parser("en", arguments[0]).parse_args(arguments)
    elif program == "make":
        assert set(arguments) <= targets()
    else:
        assert (Path(sys.executable).parent / Path(program).name).exists()
        for argument in arguments:
            if "/" in argument:
                assert (ROOT / argument).exists()
        if arguments[0] == "-m":
            assert find_spec(arguments[1])


@pytest.mark.parametrize("document", [*DOCUMENTS, ROOT / "CHANGELOG.md"], ids=lambda file: file.name)
def test_commands_named_in_passing_are_there(document: Path) -> None:
    prose = re.sub(r"^ *```.*?^ *```$", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for program, rest in re.findall(r"`(?:\.venv/bin/)?(companion|make)(?: ([^`]*))?`", prose):
        words = rest.split()
        if program == "make":
            assert set(words) <= targets(), rest
        elif words and not words[0].startswith("--") and words[0] != "COMMAND":
            assert words[0] in HOMES, rest
            named = set(re.findall(r"--[a-z][a-z-]*", rest))
            assert named <= option_names(words[0]), rest


def test_what_is_misspelled_would_be_noticed() -> None:
    with pytest.raises(BadInput):
        _parser("en", "run").parse_args(["run", "--gmae", "hepta"])
    assert "--gmae" not in option_names("run")


# --- programs and records


def test_the_program_that_plays_runs(home: Path) -> None:
    (program,) = blocks("python", ROOT / "docs" / "using.md")
    assert "'first':" in printed_by(program, home)


def test_the_program_that_checks_a_log_runs(home: Path) -> None:
    (program,) = blocks("python", ROOT / "docs" / "formats.md")
    log = home / ".local" / "share" / "board-companion" / "table.sqlite"
    assert printed_by(program, home, str(log)) == "nothing was changed\n"


def printed_by(program: str, home: Path, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(
        command, cwd=home, env=surroundings(home), stdout=subprocess.PIPE, text=True, check=True, timeout=60
    ).stdout


def test_moves_in_the_documents_can_be_read() -> None:
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| (`[^|]+`) \| [^|]+ \|$", text, re.MULTILINE)
    moves = {name: re.findall(r"`([^`]+)`", texts) for name, texts in rows if name in game_ids()}
    assert len(moves) == len(game_ids())
    for name, texts in moves.items():
        for text in texts:
            assert str(game(name).read(text)) == text


def test_records_in_the_documents_are_records() -> None:
    from companion.record import read_record, replay

    found = [block for document in DOCUMENTS for block in blocks("json", document)]
    assert found
    for record in found:
        assert replay(read_record(record)).illegal is None
