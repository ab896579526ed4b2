"""companion service: the unit it writes, under a root of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import pytest

from tests.parts import lacking


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


@pytest.mark.parametrize("arguments", [("install", "--user", "nobody-of-that-name"), ("sleep",), ()])
def test_bad_input_is_one_line(arguments: tuple[str, ...]) -> None:
    told = companion(*arguments)
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
