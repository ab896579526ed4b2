"""A table that is killed at any moment: what was acknowledged as kept is there, once, whatever the disk did."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion.store import open_store

# Plays over HTTP with a clock, with pictures beside, and tells of each thing that it did: whether the answer was 200,
# which says that it is on disk, or 202, which says that it is not yet.
PLAYER = """
import json, resource, signal, sys
from pathlib import Path
from tests.web.serving import served

folder, first, fills = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "fills"
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with served(folder, "six-faces") as place:
    browser, store = place.browser(), place.host.store

    def done(path, body):
        status, told, _ = browser.ask("POST", path, body)
        assert status in (200, 202), told
        return status

    done("/api/clock", {"do": "set", "clock": {"kind": "fischer", "main": 600, "more": 5}})
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    for n in range(first, first + 100_000):
        if fills and n - first == 3:
            size = (folder / "table.sqlite-wal").stat().st_size
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        seen = place.host.do(lambda: store.append(place.host.game.number, "verdict", {"n": n}, b"jpeg" * 2000))
        done("/api/play", {"moves": ["b1-b2"]})
        status = done("/api/clock", {"do": "add", "seat": "red", "seconds": n / 1000})
        print(json.dumps({"n": n, "kept": status == 200, "picture": store.committed >= seen.number}), flush=True)
        done("/api/back", {"count": 1})
"""


class Told(NamedTuple):
    """What the killed ones said before."""

    kept: frozenset[int]  # by the number that each thing had
    waiting: frozenset[int]


def kill(folder: Path, times: int, seed: int) -> Told:
    """What was acknowledged is in the log, once, with its picture; what waited for a full disk may be gone."""
    chance, first, kept, waiting = Random(seed), 0, set[int](), set[int]()
    for turn in range(times):
        fills = turn % 10 == 3
        command = [sys.executable, "-c", PLAYER, str(folder), str(first), "fills" if fills else "room"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
            assert process.stdout is not None
            line = process.stdout.readline() if chance.random() < 0.8 else ""  # else while it starts
            while fills and line and '"kept": true' in line.splitlines()[-1]:
                line += process.stdout.readline()
            time.sleep(chance.uniform(0, 0.3))
            process.send_signal(signal.SIGKILL)
            lines = (line + process.stdout.read()).split("\n")[:-1]  # what was cut off was not said
        told = list(map(json.loads, lines))
        kept |= {one["n"] for one in told if one["kept"]}
        waiting |= {one["n"] for one in told if not one["kept"]}
        with open_store(folder) as store:
            check = store.verify()
            assert check.findings == []
            pictures = [event.data["n"] for event in store.events(kinds=["verdict"])]
            added = [
                round(1000 * event.data["seconds"])
                for event in store.events(kinds=["clock"])
                if event.data["do"] == "add"
            ]
            assert check.pictures == len(pictures)
        for found in (pictures, added):
            assert len(set(found)) == len(found)
            assert kept <= set(found)
        assert {one["n"] for one in told if one["picture"]} <= set(pictures)
        first = max([*pictures, *added, *kept, *waiting], default=first) + 1
    return Told(frozenset(kept), frozenset(waiting))


def test_a_table_is_killed(tmp_path: Path) -> None:
    told = kill(tmp_path, 5, 1)
    assert len(told.kept) > 3
    assert told.waiting


@pytest.mark.soak
def test_tables_are_killed_a_thousand_times(tmp_path: Path) -> None:
    """A hundred times each: to look through a log after each kill takes longer the longer it is."""
    for n in range(10):
        told = kill(tmp_path / str(n), 100, time.time_ns())
        print(f"{n + 1} of 10: {len(told.kept)} acknowledged as kept, {len(told.waiting)} as waiting")
        assert len(told.kept) > 100
        assert len(told.waiting) > 10
