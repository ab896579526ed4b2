"""How well and how fast games are followed: python -m tests.bench.following [FOLDER].

Labelled sequences, per game (FOLDER, by default the shared frames beside this checkout); then the real command on a
simulated table: from a board at rest to the verdict, and the memory of all its processes over an hour of the table's
time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.labels import labels_of
from companion.record import read_record, replay
from companion.referee import Referee, line_of
from companion.store import open_store
from tests.bench.table import Row, show
from vision.picture import open_picture
from vision.reading import read_picture

SEQUENCES = Path(__file__).parents[3] / "shared" / "frames" / "dev-seq"
PACE, HOUR = 10, 3600.0  # how many times faster than people the simulated players are; seconds of their time
LATENCY, MEMORY = 150.0, 300.0  # milliseconds, megabytes


def count(label: dict[str, Any], folder: Path) -> Counter[str]:
    """One sequence, followed picture by picture up to its illegal step."""
    record = read_record(json.dumps(label["record"]))
    referee = Referee(line_of(record, replay(record)), watches=False)
    counted: Counter[str] = Counter()
    carried: list[list[list[str]]] = []
    illegal = label["illegal_at"]
    for n, frame in enumerate(label["frames"][: (illegal or len(label["frames"]) - 1) + 1]):
        reading = read_picture(open_picture(folder / frame["file"]), labels_of(record.game))
        assert reading.look is not None
        verdict = referee.see(reading.look)
        if n == 0:
            counted["alarm"] += verdict.kind == "illegal"
        elif n == illegal:
            counted["illegal"] += 1
            counted["caught"] += verdict.kind in label.get("accept", ["illegal"])
        else:
            counted["steps"] += 1
            carried.append(label["played"][n - 1])
            if verdict.kind == "move":
                moves = Counter(referee.seen_moves(len(verdict.moves)))
                wanted: list[list[str]] = [[]]
                for alternatives in carried:
                    wanted = [before + one for before in wanted for one in alternatives]
                right = any(moves == Counter(one) for one in wanted)
                counted["right" if right else "wrong"] += len(carried) if right else 1
                carried = [] if right else carried
            else:
                counted["alarm" if verdict.kind == "illegal" else "unsure"] += 1
    return counted


def sequences(folder: Path) -> list[Row]:
    if not (folder / "labels.json").exists():
        print(f"\nno sequences in {folder}: left out")
        return []
    per: dict[str, Counter[str]] = {}
    for label in json.loads((folder / "labels.json").read_text()):
        per.setdefault(label["game"], Counter()).update(count(label, folder))
    rows = []
    for game, c in per.items():
        met = c["right"] >= 0.99 * c["steps"] and not c["wrong"] and not c["alarm"] and c["caught"] == c["illegal"]
        told = f"{c['right']}/{c['steps']} moves, {c['wrong']} wrong, {c['unsure']} unsure"
        alarms = f"{c['caught']}/{c['illegal']} illegal caught, {c['alarm']} false alarms"
        share = c["right"] / max(c["steps"], 1)
        rows.append(Row(game, told, "", alarms, share, "≥ 0.99, none wrong, all caught", met))
    return rows


def memory(process: int) -> float:
    """Megabytes that a process and its children hold for themselves (shared pages count by their share)."""
    total = 0.0
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True, check=False).stdout.split()
    for pid in (process, *map(int, found)):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    return total


def running(hour: float = HOUR) -> list[Row]:
    """The real command, game after game of one kind (each needs its own room), for an hour of its players' time."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "companion",
            "demo",
            "--data",
            folder,
            "--sim",
            f"pace={PACE}",
            "--json",
            "--game",
            "six-faces",
            "--port",
            "0",
        ]
        process = subprocess.Popen(
            [*command, "--seed", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ
        )
        held = []
        until = time.monotonic() + hour / PACE
        try:
            while time.monotonic() < until and process.poll() is None:
                time.sleep(2)
                held.append(memory(process.pid))
            ran = process.poll() is None
        finally:
            process.terminate()
            process.wait(20)
        with open_store(Path(folder)) as store:
            moves = len(store.events(kinds=("move",)))
    third = len(held) // 3
    early, late, most = float(np.median(held[third // 2 : third])), float(np.median(held[-third:])), max(held)
    flat = late < 1.1 * early
    return [
        Row(
            "memory, with the simulated camera",
            f"{most:.0f} MB at most",
            "",
            "",
            most,
            f"≤ {MEMORY:.0f} MB",
            most <= MEMORY,
        ),
        Row("memory over the hour", f"{late:.0f} MB", "early", f"{early:.0f} MB", late / early, "≤ 1.1", flat),
        Row("moves followed meanwhile", f"{moves}", "", "", moves, "it ran on", ran and moves > 0),
    ]


def latency() -> list[Row]:
    """From a board at rest to the verdict: reading, judging and storing, in one thread."""
    from companion.simulation.source import Simulation
    from tests.simulation.games import Follow, begun

    rows = []
    for game in ("hepta", "tetrods", "t-for-two", "pegs", "six-faces", "plank", "trippples"):
        took: list[float] = []
        with tempfile.TemporaryDirectory() as folder:
            follow = Follow(begun(game, {}, 3), Simulation(game, seed=3, size=(1280, 720)), Path(folder))
            see = follow.watch.see

            def timed(frame: Any, see: Any = see, follow: Any = follow, took: list[float] = took) -> Any:
                began = time.perf_counter()
                seen = see(frame)
                if seen.reading:
                    follow.table.see(seen.reading, seen.image)
                    took.append(1000 * (time.perf_counter() - began))
                    return seen._replace(reading=None)
                return seen

            follow.watch.see = timed  # type: ignore[method-assign]
            for _ in zip(range(25), follow.play(), strict=False):
                pass
            follow.store.close()
        middle = float(np.median(took))
        slow = float(np.percentile(took, 95))
        rows.append(
            Row(
                f"{game}: at rest → verdict",
                f"{middle:.0f} ms",
                "95 %",
                f"{slow:.0f} ms",
                middle,
                f"≤ {LATENCY:.0f} ms",
                middle <= LATENCY,
            )
        )
    return rows


def main(folder: Path = SEQUENCES, hour: float = HOUR) -> bool:
    cv2.setNumThreads(1)
    met = show("Following labelled sequences", sequences(folder))
    met = show("From a board at rest to the verdict, 1280×720, one core", latency()) and met
    return show("companion demo over an hour of its players' time", running(hour)) and met


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(not main(Path(given[0]) if given else SEQUENCES, float(given[1]) if len(given) > 1 else HOUR))
