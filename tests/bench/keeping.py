"""What keeping the log costs, beside a line of text that is written and synced to the same disk."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from companion.store import NewEvent, open_store
from tests.bench.table import Row

PICTURE = Random(1).randbytes(60_000)  # as large as a look at a board, and as little to be compressed
MOVE = {"moves": ["a1-a4-c4"], "by": "camera"}


def times(work: Callable[[], object], count: int) -> list[float]:
    """Milliseconds of each run, sorted."""
    found = []
    for _ in range(count):
        began = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - began))
    return sorted(found)


def rows() -> list[Row]:
    with TemporaryDirectory() as name, open_store(name) as store:
        file = os.open(Path(name) / "lines", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

        def line(more: bytes = b"") -> None:
            os.write(file, json.dumps(MOVE).encode() + more + b"\n")
            os.fsync(file)

        found = []
        for what, picture in (("append an event", None), ("append one with a picture", PICTURE)):
            theirs = median(times(lambda picture=picture: line(picture or b""), 200))
            ours = times(lambda picture=picture: store.append(1, "move", MOVE, picture), 200)
            typical = median(ours)
            shown = f"{typical:.1f} ms, 99 %: {ours[-2]:.1f}"
            ratio = typical / theirs
            found.append(Row(what, shown, "write, fsync", f"{theirs:.1f} ms", ratio, "< 10 ms", typical < 10))
        os.close(file)
        for game in range(2, 102):
            store.append_all(
                [NewEvent(game, "new", {"record": {"game": "six-faces"}})] + [NewEvent(game, "move", MOVE)] * 200
            )
        for what, work in (("games, of 100", store.games), ("verify, 20 500 events", store.verify)):
            typical = median(times(work, 3))
            found.append(Row(what, f"{typical:.0f} ms", "–", "–", 1, "< 1 s", typical < 1000))
    return found
