"""How fast the simulated table is: python -m tests.bench.stage.

Frames a second on one core at 1280×720, standing still and with a hand over the field, and how long the table
takes to change; beside rendering the whole picture anew.
"""

from __future__ import annotations

import json
import statistics
import time
from random import Random

import cv2

from companion.record import read_record
from companion.simulation.player import SimulatedPlayer
from companion.simulation.source import Simulation
from tests.bench.table import Row, show
from tests.records import deal
from vision.simulate.stage import Stage
from vision.simulate.still import finish

GAMES = ("pegs", "six-faces", "trippples", "plank")  # one a field
RATE = 20  # frames a second of the simulated camera
MOVES = 12


def rows() -> list[Row]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    found = [row for game in GAMES for row in _rows(game)]
    cv2.setNumThreads(before)
    return found


def _rows(game: str) -> list[Row]:
    stage = Stage(Simulation(game, 1).plan())
    began = time.perf_counter()
    finish(stage.still.rendered(stage.still.room.pose))
    whole = time.perf_counter() - began
    start = read_record(json.dumps({"game": game, "setup": deal(game, Random(1))}))
    player = SimulatedPlayer(lambda name, *what: getattr(stage, name)(*what), start, Simulation(game, 1))
    player.begin()
    number = 0

    def frame() -> float:
        nonlocal number
        number += 1
        began = time.perf_counter()
        stage.frame(number / RATE)
        return time.perf_counter() - began

    still = [frame() for _ in range(100)]
    hand: list[float] = []
    changes: list[float] = []
    for _ in range(MOVES):
        player.move()
        took = [frame()]
        while stage.busy:
            took.append(frame())
        hand += took
        changes.append(sum(took) - len(took) * statistics.median(still))

    def speed(what: str, taken: list[float]) -> Row:
        mean = statistics.fmean(taken)
        rate = 1 / mean
        worst = f"{rate:.0f} frames/s, longest {1000 * max(taken):.0f} ms"
        return Row(
            f"{game}, {what}", worst, "whole render", f"{1 / whole:.1f} frames/s", rate * whole, "≥ 15", rate >= 15
        )

    change = statistics.fmean(changes)
    row = Row(
        f"{game}, a change with its hand",
        f"{1000 * change:.0f} ms of work",
        "whole render",
        f"{1000 * whole:.0f} ms",
        change / whole,
        "≤ 600 ms",
        change <= 0.6,
    )
    return [speed("still", still), speed("with a hand", hand), row]


if __name__ == "__main__":
    show("Simulated table", rows())
