"""A table that plays by itself what its hall wants: whoever was entered first wins. A program of its own, to be
killed."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path

from companion.errors import BadInput
from companion.table.starting import unfinished
from tests.hall.halls import play_out, table_at


def main() -> None:
    folder, url, key = sys.argv[1:4]
    moves, pace = int(sys.argv[4]), float(sys.argv[5])  # of a game; seconds before each
    with table_at(Path(folder), url, key) as host:
        with suppress(BadInput):
            if (number := unfinished(host.store, None)) is not None:
                host.do(lambda: host.open(number))
        while True:
            time.sleep(0.05)
            state = host.state
            if state.number is None or state.outcome:
                continue
            names = state.record["about"]["players"]
            winner = state.position.seats[names.index(min(names))]
            with suppress(BadInput, StopIteration):
                play_out(host, winner, moves=max(0, moves - len(state.record["moves"])), pace=pace)
