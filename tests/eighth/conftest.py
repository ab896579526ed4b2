"""The eighth game, installed as a stranger would install it: by pip, from its own folder, without a network."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.games.game import Game

PACKAGE = Path(__file__).parent / "five_in_a_row"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that pip has put the package into."""
    folder = tmp_path_factory.mktemp("eighth")
    source, target = folder / "source", folder / "site"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))  # building leaves things behind
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    subprocess.run([sys.executable, "-m", "pip", "install", *offline, "--target", target, source], check=True)
    return target


@pytest.fixture(scope="session")
def beside(installed: Path) -> dict[str, str]:
    """The environment of commands that find the package."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(installed), os.environ.get("PYTHONPATH", "")]))}


@pytest.fixture
def five(installed: Path, beside: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Game[Any]]:
    """The game in this process, and in those that it starts; afterwards it is as if it had never been."""
    monkeypatch.syspath_prepend(installed)
    monkeypatch.setenv("PYTHONPATH", beside["PYTHONPATH"])
    importlib.invalidate_caches()
    games._from_outside.cache_clear()
    yield games.game("five")
    games._loaded.pop("five", None)
    games._from_outside.cache_clear()
    sys.modules.pop("five_in_a_row", None)
