"""What a newcomer meets first: make before anything is installed, a port that is taken, no camera, French help."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from vision.cameras import is_absent
from web.serve import listen_nearby

ROOT = Path(__file__).parents[2]

# --- make, in a copy of the tree's outline, with stand-ins for Python and the compiler

# Makes a .venv and installs into it as the real one does, and writes down what was asked for.
PYTHON = """#!/bin/sh
case "$*" in
  *ensurepip*) [ ! -e "$OUTLINE/no-venv" ] ;;
  *sys.version_info*) [ ! -e "$OUTLINE/old" ] ;;
  "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python && touch .venv/has-pip ;;
  "-m pip --version") [ -e .venv/has-pip ] ;;
  "-m pip install"*)
    echo "$*" >> "$OUTLINE/asked"
    echo "Collecting flask"; echo "Collecting numpy"; echo "Installing collected packages: flask, numpy"
    if [ -e "$OUTLINE/slow" ]; then sleep 30; fi
    if cc -x c -o /dev/null - < /dev/null; then touch companion/solvers/_core.so; fi
    cp "$OUTLINE/companion" .venv/bin/companion ;;
esac
"""
# Like the real one it takes a moment to end: make has heard of Ctrl-C by then.
DEMO = """#!/bin/sh
trap 'sleep 0.3; exit 130' INT
touch "$OUTLINE/runs"
if [ -e "$OUTLINE/slow" ]; then sleep 30; fi
exit 130
"""
TOOLS = ("sh", "make", "printf", "rm", "mkdir", "touch", "ls", "cp", "sleep")


class Outline:
    """As much of a fresh clone as make looks at, on a machine that has nothing but what is put there."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tools = folder / "clone", folder / "tools"
        (self.folder / "companion" / "solvers" / "core").mkdir(parents=True)
        self.tools.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found, tool
            (self.tools / tool).symlink_to(found)
        for file in ("Makefile", "pyproject.toml"):
            shutil.copy(ROOT / file, self.folder)
        self.program("python3", PYTHON)
        (folder / "companion").write_text(DEMO)
        (folder / "companion").chmod(0o755)
        self.environment = {"PATH": str(self.tools), "OUTLINE": str(folder), "LC_ALL": "C"}
        self.notes = folder

    def program(self, name: str, text: str) -> None:
        file = self.tools / name
        file.write_text(text)
        file.chmod(0o755)

    def make(self, *targets: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", *targets], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60
        )

    def interrupt(self, *targets: str, at: str) -> str:
        """What make says when Ctrl-C is pressed as soon as this note is there."""
        note = self.notes / at
        note.unlink(missing_ok=True)
        begun = subprocess.Popen(
            ["make", *targets],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        until = time.monotonic() + 30
        while not note.exists() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.1)
        os.killpg(begun.pid, signal.SIGINT)
        return begun.communicate(timeout=30)[0]

    def asked(self) -> list[str]:
        file = self.notes / "asked"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def outline(tmp_path: Path) -> Outline:
    return Outline(tmp_path)


def test_make_demo_installs_only_what_it_needs_and_shows_that_it_is_working(outline: Outline) -> None:
    outline.program("cc", "#!/bin/sh\n")
    made = outline.make("demo")
    assert made.returncode == 0, made.stderr
    assert made.stdout == "installing into .venv .. unpacking \n"
    assert [line.split()[-1] for line in outline.asked()] == ["."]
    assert outline.make("demo").stdout == ""
    outline.make("setup")
    assert [line.split()[-1] for line in outline.asked()] == [".", ".venv/tools.txt"]


def test_what_is_missing_is_said_in_one_line(outline: Outline) -> None:
    (outline.notes / "no-venv").touch()
    said = outline.make("demo").stdout
    assert said == "Python's venv is not installed (on Debian: apt install python3-venv); then run make again\n"
    (outline.notes / "no-venv").unlink()
    (outline.notes / "old").touch()
    assert outline.make("demo").stdout == "Python 3.11 or newer is needed: make PYTHON=python3.11 demo\n"
    (outline.notes / "old").unlink()
    (compiler,) = outline.make("demo").stdout.splitlines()[1:]
    assert compiler.startswith("no C compiler: ")
    assert outline.make("demo").stdout == ""


def test_a_folder_that_venv_left_half_made_is_made_anew(outline: Outline) -> None:
    """As Debian leaves it where python3-venv is not installed: a python without pip."""
    (outline.folder / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(outline.tools / "python3", outline.folder / ".venv" / "bin" / "python")
    assert outline.make("demo").returncode == 0
    assert len(outline.asked()) == 1


def test_an_installation_that_was_interrupted_is_begun_anew(outline: Outline) -> None:
    (outline.notes / "slow").touch()
    outline.interrupt("demo", at="asked")
    left = outline.folder / ".venv" / "left-behind"
    left.touch()
    (outline.notes / "slow").unlink()
    made = outline.make("demo")
    assert made.returncode == 0, made.stderr
    assert not left.exists()
    assert not (outline.folder / ".venv" / "unfinished").exists()


def test_a_compiler_that_comes_later_is_used(outline: Outline) -> None:
    core = outline.folder / "companion" / "solvers" / "_core.so"
    outline.make("demo")
    assert not core.exists()
    outline.program("cc", "#!/bin/sh\n")
    outline.make("demo")
    assert core.exists()
    assert len(outline.asked()) == 2
    outline.make("demo")
    assert len(outline.asked()) == 2


def test_ctrl_c_ends_make_demo_quietly(outline: Outline) -> None:
    outline.make("demo")
    (outline.notes / "slow").touch()
    assert outline.interrupt("demo", at="runs") == ""


def test_opencv_has_an_upper_bound_and_is_the_current_one() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (opencv,) = (need for need in needed if need.startswith("opencv"))
    assert opencv == "opencv-python-headless>=4.10,<6"


# --- a port that is taken


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which somebody listens; the next one is free."""
    while True:
        with socket.socket() as other, socket.socket() as after:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            try:
                after.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            after.close()
            yield port
            return


def test_the_next_free_port_is_found(taken: int) -> None:
    with listen_nearby("127.0.0.1", taken) as found:
        assert found.getsockname()[1] > taken


def test_the_demo_takes_the_next_free_port_and_run_refuses(taken: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "--lang", "en"]
    refused = subprocess.run(
        [*command, "run", "--camera", "none", "--port", str(taken), "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert refused.returncode == 2
    assert f"port {taken} is in use" in refused.stderr
    running = subprocess.Popen(
        [*command, "demo", "--port", str(taken), "--game", "hepta", "--size", "640x480"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    address = running.stdout.readline()
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert address.startswith("http://127.0.0.1:")
    assert f":{taken}/" not in address
    assert said.startswith(f"port {taken} is taken, probably by another companion: the page is at ")
    assert running.returncode == 130


# --- no camera


def test_a_camera_that_is_not_there_is_said_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for source in ("97", "/dev/null"):  # not there; there, and no camera
        began = time.monotonic()
        assert main(["run", "--game", "hepta", "--camera", source, "--port", "0", "--data", str(tmp_path)]) == 2
        assert time.monotonic() - began < (2 if source == "97" else 10)
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"no camera {source} here" in said
        assert "--camera none" in said


def test_only_a_device_that_is_not_there_is_absent(tmp_path: Path) -> None:
    (tmp_path / "video3").touch()
    if sys.platform == "linux":
        assert is_absent("2", tmp_path)
        assert is_absent("/dev/video97")
    assert not is_absent("3", tmp_path)
    assert not is_absent("none", tmp_path)
    assert not is_absent("http://pi.local/stream", tmp_path)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_names_the_way_without_a_camera(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "--help", "--lang", language])
    said = capsys.readouterr().out
    assert " none: " in said or " none : " in said
    assert "companion run --game hepta --camera none" in said


# --- help


def test_a_demonstration_that_cannot_be_invites_nobody(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--lang", "en", "demo", "--port", "0", "--data", str(tmp_path), "--sim", "pace=30"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == 'companion: sim pace: "30" is not a number from 0.1 to 20\n'


def test_a_game_that_is_not_there_is_refused_in_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "learn", "--game", "chess", "board.jpg"]) == 2
    assert "'chess' is not one of 'hepta'," in capsys.readouterr().err


def test_the_demonstration_tells_its_own_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["demo", "--help", "--lang", "en"])
    said = " ".join(capsys.readouterr().out.split())
    for told in (
        "(default: all in turn, 6 Faces first)",
        "(default: nothing is kept)",
        "the next free one (default: 8000)",
        "drawn on the dashboard (default: virtual)",
        "(default: others each time)",
        "(default: never)",
        "(default: trouble=illegal)",
    ):
        assert told in said
    assert "(default: OFF)" not in said


def test_the_whole_help_is_french(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["hint", "--help"], ["demo", "--help"]):
        with pytest.raises(SystemExit):
            main([*arguments, "--lang", "fr"] if arguments != ["--help"] else ["--lang", "fr", "--help"])
        said = capsys.readouterr().out
        for english in ("usage:", "positional arguments", "options:", "show this help", "show program", "and exit"):
            assert english not in said
        assert said.startswith("usage : companion")
    with pytest.raises(SystemExit):
        main(["--lang", "en", "--help"])
    assert capsys.readouterr().out.startswith("usage: companion")  # and it is not French for ever


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["judge"], "il manque : RECORD"),
        (["judge", "a", "b"], "arguments inconnus : b"),
        (["chess"], "argument COMMAND : 'chess' n'est pas un choix possible (au choix : 'demo', "),
        (["hint", "-", "--seconds"], "argument --seconds : il faut une valeur"),
        (["read"], "il manque : IMAGE"),
        (["demo", "--seed", "x"], "argument --seed : 'x' ne convient pas (int)"),
        (["demo", "--no-web=yes"], "argument --no-web : la valeur 'yes' est de trop"),
    ],
)
def test_wrong_usage_is_said_in_french(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "fr", *arguments]) == 2
    said = capsys.readouterr().err.replace("\xa0", " ")  # before a colon, so that no line begins with one
    assert said.startswith(f"companion: {says}")
