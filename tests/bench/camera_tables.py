"""How many camera tables two cores hold: python -m tests.bench.camera_tables [TABLES].

A game is filmed beforehand at five pictures a second. Then so many tables watch that film at once, each the real
command with page, referee and log, in a hall that began their games. What counts is processor time, of the table and
of the process that reads its camera: that says how many tables fit, whatever else the machine does meanwhile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import cv2

from companion.events import EventKind
from companion.hall.database import open_database
from companion.hall.desk import Desk
from companion.hall.keys import Key
from companion.hall.state import Role
from companion.labels import labels_of
from companion.record import read_record
from companion.simulation.player import SimulatedPlayer
from companion.simulation.source import Simulation
from companion.store import read_store
from tests.bench.table import Row, show
from tests.hall.halls import ARBITER, ROOT, companion, free_port, wait_until
from vision.camera_reader import HOLD_RATE
from vision.reading import read_picture
from vision.simulate.stage import Stage

TABLES, CORES, RATE = 8, 2, 5  # pictures a second
GAME, SIZE = "six-faces", (1280, 720)
MOVES, EVERY, BEFORE = 10, 4.0, 25.0  # how many, seconds for each, and before the first
PATIENCE = 120.0  # seconds for a table that was slow to start
SCRIPT = "from tests.bench.camera_tables import watched; watched()"


class Film(NamedTuple):
    file: Path
    moves: list[str]
    last: cv2.typing.MatLike  # a picture at rest
    seconds: float


def film(folder: Path) -> Film:
    """A game as a camera saw it: hands, dice, a board at rest."""
    how = Simulation(GAME, 3, size=SIZE)
    stage = Stage(how.plan())
    player = SimulatedPlayer(lambda name, *what: getattr(stage, name)(*what), read_record(f'{{"game": "{GAME}"}}'), how)
    player.begin()
    file = folder / "game.avi"
    out = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    count = 0

    def pictures(seconds: float) -> None:
        nonlocal count
        for _ in range(round(seconds * RATE)):
            count += 1
            out.write(stage.frame(count / RATE))

    pictures(BEFORE)
    for _ in range(MOVES):
        player.move()
        pictures(EVERY)
    last = stage.frame((count + 1) / RATE)
    out.release()
    return Film(file, [move for entry in player.log for move in entry.moves], last, count / RATE)


# --- a table, in a process of its own


def watched() -> None:
    """The real command; when it has ended it tells what each look cost."""
    from companion.cli import main
    from vision.watch import Watch

    see, marks = Watch.see, []

    def counted(watch: Watch, frame: object) -> object:
        found = see(watch, frame)  # type: ignore[arg-type]
        marks.append((time.monotonic(), _spent(), found.reading is not None))
        return found

    Watch.see = counted  # type: ignore[assignment,method-assign]
    try:
        main(sys.argv[1:])
    finally:
        begun = next((n for n, mark in enumerate(marks) if mark[2]), 0)  # from the first reading on
        (first, before, _), (last, after, _) = marks[begun], marks[-1]
        told = {
            "looks": len(marks) - begun - 1,
            "seconds": last - first,
            "spent": after - before,
            "readings": sum(mark[2] for mark in marks[begun:]),
            "memory": _memory(),
        }
        print(json.dumps(told), file=sys.stderr, flush=True)


def _spent() -> float:
    """Seconds of processor time of this process and of those that it started."""
    own = sum(os.times()[:4])
    for pid in _children():
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        own += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own


def _memory() -> float:
    """MB that are its own or its share of what several have."""
    pids = [os.getpid(), *_children()]
    texts = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids]
    return sum(int(text.split("\nPss:")[1].split()[0]) for text in texts) / 1024


def _children() -> list[int]:
    tasks = Path("/proc/self/task").glob("*/children")
    return [int(pid) for task in tasks for pid in task.read_text().split()]


# --- all of them


def measured(folder: Path, filmed: Film, tables: int) -> list[dict[str, float]]:
    url = str(folder / "hall.sqlite")
    database = open_database(url)
    desk = Desk(database)
    desk.do("bench", "hall", {"name": "Town hall"})
    desk.add_person("bench", "Anne", Role.ARBITER, ARBITER)
    keys = [desk.add_table("bench", f"Table {n + 1}") for n in range(tables)]
    cup = desk.do("bench", "tournament", {"name": "Cup", "game": GAME, "system": "round-robin"})
    for n in range(2 * tables):
        desk.enter("bench", cup, [f"Player {n}"])
    desk.pair("bench", cup)
    desk.publish("bench", cup)
    database.close()
    port = free_port()
    hall = companion("hall", "serve", "--database", url, "--port", port)
    try:
        assert hall.stdout
        hall.stdout.readline()
        running = [_table(folder / str(n), filmed, f"http://127.0.0.1:{port}", key) for n, key in enumerate(keys)]
        time.sleep(filmed.seconds)
        # A busy machine takes its time to start them: each has seen the film only when its own log says so.
        for n in range(tables):
            wait_until(lambda n=n: _has_seen_all(folder / str(n)), f"table {n + 1} at the film's end", PATIENCE)  # type: ignore[misc]
        return [_told(process) for process in running]
    finally:
        hall.terminate()
        hall.wait()


def _has_seen_all(folder: Path) -> bool:
    with read_store(folder) as store:
        return any(event.data["state"] == "ended" for event in store.events(kinds=(EventKind.CAMERA,)))


def _table(folder: Path, filmed: Film, url: str, key: Key) -> subprocess.Popen[str]:
    run = ["run", "--camera", filmed.file, "--data", folder, "--hall", url, "--key", key, "--port", 0]
    command = [sys.executable, "-c", SCRIPT, *map(str, run)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=ROOT, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE, text=True)


def _told(process: subprocess.Popen[str]) -> dict[str, float]:
    """What a table tells of itself when it ends."""
    process.terminate()
    said = process.communicate(timeout=120)[1].strip().splitlines()
    assert "".join(said[-1:]).startswith("{"), said
    found: dict[str, float] = json.loads(said[-1])
    return found


def reading_ms(filmed: Film) -> float:
    """Milliseconds of one core for one picture that is read, not only watched."""
    cv2.setNumThreads(1)
    labels = labels_of(read_record(f'{{"game": "{GAME}"}}').game)
    read_picture(filmed.last, labels)
    began, count = time.process_time(), 20
    for _ in range(count):
        read_picture(filmed.last, labels)
    return 1000 * (time.process_time() - began) / count


def main(tables: int = TABLES) -> bool:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        filmed = film(folder)
        told = measured(folder, filmed, tables)
        logs = []
        for n in range(tables):
            with read_store(folder / str(n)) as store:
                logs.append(store.game(1).record["moves"] if store.found else [])
        read = reading_ms(filmed)
    right = sum(moves == filmed.moves for moves in logs)
    each = 1000 * sum(one["spent"] for one in told) / sum(one["looks"] for one in told)
    # A picture that stays is looked at again: at each table there are more looks than pictures.
    hold, if_read = (CORES * 1000 / ms for ms in (each * HOLD_RATE, each * HOLD_RATE + read * RATE))
    memory = max(one["memory"] for one in told)
    slowest = min(one["looks"] / one["seconds"] for one in told)
    bar = f"≥ {TABLES}"
    rows = [
        Row("a look", f"{each:.1f} ms", "so they hold", f"{hold:.0f} tables", hold / TABLES, bar, hold >= TABLES),
        Row("if each picture is read", f"+ {read:.1f} ms", "they hold", f"{if_read:.0f} tables", 0, "–", True),
        Row("memory of a table", f"{memory:.0f} MB", "all of them", f"{memory * tables:.0f} MB", 0, "–", True),
        Row("games followed to the letter", str(right), "of", str(tables), right / tables, "all", right == tables),
        Row("looks a second, slowest table", f"{slowest:.1f}", "–", "–", slowest / RATE, f"≥ {RATE}", slowest >= RATE),
    ]
    return show(f"{tables} camera tables on this machine, {RATE} pictures a second; for {CORES} cores", rows)


if __name__ == "__main__":
    sys.exit(not main(*map(int, sys.argv[1:])))
