"""A table that is killed at any moment: what was acknowledged as kept is there, once, whatever the disk did."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from companion.store import open_store

# Plays by a host with a clock, with pictures beside, and says of each thing that it did whether it is on disk.
PLAYER = """
import json, resource, signal, sys
from pathlib import Path
from companion.store import open_store
from companion.table.clocks import Control
from companion.table.host import Host
from companion.table.starting import record_for
from tests.web.serving import settings

folder, first, fills = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "fills"
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open_store(folder) as store, Host(store, settings(folder)) as host:
    host.do(lambda: host.begin(record_for(host.camera, "six-faces", {}), Control("fischer", 600, 5)))
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    for n in range(first, first + 100_000):
        if fills and n - first == 5:
            size = (folder / "table.sqlite-wal").stat().st_size
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        number = host.do(lambda: host.store.append(host.game.number, "verdict", {"n": n}, b"jpeg" * 2000)).number
        host.do(lambda: host.game.play(["b1-b2"]))
        host.do(lambda: host.game.take_back(1))
        if host.store.safe >= number:
            print(json.dumps({"n": n, "number": number}), flush=True)
"""


def kill(folder: Path, times: int, seed: int) -> int:
    """How many things were acknowledged; each of them is in the log, and nothing is there twice."""
    chance, first, promised = Random(seed), 0, dict[int, int]()
    for turn in range(times):
        fills = "fills" if turn % 10 == 3 else "room"
        command = [sys.executable, "-c", PLAYER, str(folder), str(first), fills]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
            assert process.stdout is not None
            line = process.stdout.readline() if chance.random() < 0.8 else ""  # else while it starts
            time.sleep(chance.uniform(0, 0.3))
            process.send_signal(signal.SIGKILL)
            told = (line + process.stdout.read()).split("\n")[:-1]  # what was cut off was not said
        promised |= {one["n"]: one["number"] for one in map(json.loads, told)}
        with open_store(folder) as store:
            check = store.verify()
            assert check.findings == []
            found = [(event.data["n"], event.number) for event in store.events(kinds=["verdict"])]
            assert check.pictures == len(found)
        assert len({n for n, _ in found}) == len(found)
        assert promised.items() <= dict(found).items()
        first = max((n for n, _ in found), default=first) + 1
    return len(promised)


def test_a_table_is_killed(tmp_path: Path) -> None:
    assert kill(tmp_path, 5, 1) > 3


@pytest.mark.soak
def test_a_table_is_killed_a_thousand_times(tmp_path: Path) -> None:
    assert kill(tmp_path, 1000, int(time.time())) > 1000
