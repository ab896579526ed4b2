"""A table that stands still is noticed, and a game that ends with something unseen ends."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from pathlib import Path

import pytest

from companion.events import fold
from companion.record import read_record, replay
from companion.store import open_store
from companion.table.demo import Demo
from companion.table.host import Host
from companion.table.watchdog import HANGS, STILL, Watchdog
from tests.commands.test_rules import COMPANION
from tests.web.serving import settings


def test_a_loop_that_hangs_is_told_with_its_place(tmp_path: Path) -> None:
    told: list[tuple[str, dict[str, object]]] = []
    goes_on = threading.Event()
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        dog = Watchdog(host, lambda code, params: told.append((code, params)))
        dog.look(time.monotonic())
        assert told == []
        waiting = threading.Thread(target=lambda: host.do(goes_on.wait), daemon=True)
        waiting.start()
        time.sleep(0.2)
        for _ in range(2):  # said once
            dog.look(time.monotonic() + HANGS + 1)
        goes_on.set()
        waiting.join(10)
    assert [code for code, _ in told] == ["stall.loop"]
    assert str(told[0][1]["where"]).startswith(("host.py", "test_watchdog.py"))


def test_a_demonstration_that_stands_still_says_why(tmp_path: Path) -> None:
    told: list[tuple[str, dict[str, object]]] = []
    with open_store(tmp_path) as store:
        host = Host(store, settings(tmp_path), demo=Demo(("hepta",), 1))
        host.state = host.state._replace(number=1)
        dog = Watchdog(host, lambda code, params: told.append((code, params)))
        now = time.monotonic()
        dog.look(now)
        host.stepped = now + STILL + 1
        dog.look(now + STILL + 1)
    assert [code for code, _ in told] == ["stall.demo"]
    assert told[0][1]["moves"] == 0


@pytest.mark.soak
def test_the_demonstration_that_stood_still_for_ever_comes_to_its_end(tmp_path: Path) -> None:
    arguments = ("--game", "pegs", "--seed", "10", "--sim", "pace=8", "--no-web", "--games", "1")
    command = [*COMPANION, "demo", *arguments, "--data", str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert found.returncode == 0
    assert "stood still" not in found.stderr
    with open_store(tmp_path) as store:
        played = replay(read_record(json.dumps(fold(store.events(1)).record)))
    assert played.outcome is not None
    assert played.outcome.why == "most-squares"
