"""companion service: the unit it writes, under a root of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from configparser import RawConfigParser
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from companion.store import open_store
from tests.parts import lacking
from tests.web.serving import Browser
from web.serve import listen


def companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "service", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_it_is_installed_and_removed(tmp_path: Path) -> None:
    data = tmp_path / "games 100%"
    told = companion("install", "--root", str(tmp_path), "--data", str(data), "--game", "hepta", "--leds", "AUTO")
    assert (told.returncode, told.stderr) == (0, "")
    unit = tmp_path / "etc/systemd/system/board-companion.service"
    read = RawConfigParser(strict=False)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(unit.read_text())
    service = read["Service"]
    assert service["ExecStart"].startswith(f"{sys.executable} -m companion run --host 0.0.0.0 --data ")
    assert service["ExecStart"].endswith("--game hepta --leds AUTO")
    assert "100%%" in service["ExecStart"]
    assert (service["Restart"], service["ProtectSystem"]) == ("always", "strict")
    link = tmp_path / "etc/systemd/system/multi-user.target.wants/board-companion.service"
    assert str(link.readlink()) == "/etc/systemd/system/board-companion.service"
    again = companion("install", "--root", str(tmp_path))
    assert again.returncode == 0
    gone = companion("remove", "--root", str(tmp_path))
    assert gone.returncode == 0
    assert not unit.exists()
    assert not link.is_symlink()
    twice = companion("remove", "--root", str(tmp_path), "--lang", "en")
    assert (twice.returncode, twice.stderr.count("\n")) == (2, 1)


def test_a_table_of_a_hall_starts_by_itself(tmp_path: Path) -> None:
    """Its key lies in a file that only its user reads, not in the unit."""
    data, key = tmp_path / "games", "3-w2kfh8q7d5m4x9t6r3b7n2pc"
    hall = ("--root", str(tmp_path), "--data", str(data), "--hall", "http://192.168.1.20:8100", "--key")
    told = companion("install", *hall, key)
    assert (told.returncode, told.stderr) == (0, "")
    unit = (tmp_path / "etc/systemd/system/board-companion.service").read_text()
    file = tmp_path / data.relative_to("/") / "hall.key"
    assert f"--hall http://192.168.1.20:8100 --key {data}/hall.key" in unit
    assert key not in unit
    assert (file.read_text(), file.stat().st_mode & 0o777) == (f"{key}\n", 0o600)
    assert companion("install", *hall, str(file)).returncode == 0  # a file that holds it will do, also this one
    assert file.read_text() == f"{key}\n"
    for odd in ((*hall, "no key"), hall[:-1]):
        refused = companion("install", *odd)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_systemd_understands_it(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        lacking("not installed: systemd; its service is not verified")
    unit = tmp_path / "board-companion.service"
    unit.write_text(companion("install", "--print").stdout)
    checked = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert "board-companion" not in checked.stderr, checked.stderr


# A machine of its own for systemd, which is process 1 there: what it runs is all in the folder of units.
BOOT = """
set -e
mount -t tmpfs tmpfs /run
export container=other SYSTEMD_UNIT_PATH="$1"
exec "$2" --system --unit=multi-user.target --log-target=null --show-status=no
"""
SYSTEMD = Path("/lib/systemd/systemd")
SEEN = "TTYPath", "StandardError", "StandardOutput"  # on a screen, in a journal: neither is there


@contextmanager
def booted(units: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Until the power is cut."""
    command = ["unshare", "--pid", "--fork", "--mount", "--mount-proc", "--kill-child", "sh", "-c", BOOT, "boot"]
    with subprocess.Popen([*command, str(units), str(SYSTEMD)], stderr=subprocess.DEVNULL) as machine:
        try:
            yield machine
        finally:
            machine.kill()


def played(port: int, at_least: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """Which game the page shows, and how many moves it has, when there are so many."""
    until = time.monotonic() + 180
    while True:
        with suppress(OSError, AssertionError):
            state = Browser(port).get("/api/table")
            if (found := (state["id"] or 0, len(state["moves"]))) >= at_least:
                return found
        assert time.monotonic() < until
        time.sleep(0.2)


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="systemd runs on Linux")
def test_a_running_systemd_keeps_the_table_alive(tmp_path: Path) -> None:
    """Started at power-on, started again when it dies, gone on with after a power cut, stopped when asked."""
    if (
        not SYSTEMD.exists()
        or os.getuid()
        or subprocess.run(["unshare", "--pid", "--fork", "--mount", "true"]).returncode
    ):
        lacking("systemd, or a machine of its own for it (root, unshare), is not here")
    with closing(listen("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    units, data = tmp_path / "units", tmp_path / "data"
    units.mkdir()
    data.mkdir()
    options = ("--data", str(data), "--game", "trippples", "--camera", "sim:trippples,pace=4", "--port", str(port))
    unit = companion("install", *options, "--print").stdout
    kept = [line for line in unit.splitlines() if line.partition("=")[0] not in SEEN]
    # the data lie in the system's folder for what is temporary, of which this unit wants one of its own
    (units / "board-companion.service").write_text("\n".join(kept).replace("PrivateTmp=yes", ""))
    for name in ("basic", "sysinit", "shutdown", "network-online", "time-sync"):
        (units / f"{name}.target").write_text(f"[Unit]\nDescription={name}\n")
    (units / "multi-user.target").write_text("[Unit]\nWants=board-companion.service\n")
    with booted(units) as machine:
        first = played(port, (1, 2))
        (one,) = (int(pid) for pid in children(children(machine.pid)[0]))
        os.kill(one, signal.SIGKILL)
        second = played(port, (first[0], first[1] + 1))
        assert second[0] == first[0]
    with booted(units) as machine:
        third = played(port, (second[0], second[1] + 1))
        assert third[0] == first[0]
        (one,) = children(machine.pid)
        entered = ["nsenter", "--target", str(one), "--pid", "--mount"]
        asked = [*entered, "systemctl", "show", "-P", "NRestarts", "board-companion"]
        assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip() == "0"
        subprocess.run([*entered, "systemctl", "stop", "board-companion"], check=True, timeout=60)
        assert children(one) == []
    with open_store(data) as store:
        assert store.verify().findings == []


def children(pid: int) -> list[int]:
    return [int(found) for found in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("arguments", [("install", "--user", "nobody-of-that-name"), ("sleep",), ()])
def test_bad_input_is_one_line(arguments: tuple[str, ...]) -> None:
    told = companion(*arguments)
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
