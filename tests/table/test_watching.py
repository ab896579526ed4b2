"""The live referee as a whole: simulated games followed to their end, and everything that can go wrong on the way."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.simulation.player import SimulatedPlayer
from companion.simulation.source import Simulation
from companion.store import open_store, read_store
from companion.table.table import Table
from companion.table.watching import Watching
from tests.commands.test_rules import COMPANION, ROOT, run
from tests.simulation.games import Follow, Followed, begun
from tests.vision.mjpeg import MjpegServer
from vision.cameras import open_camera
from vision.simulate.stage import Stage
from vision.watch import Watch

GAMES = ("hepta", "hepta-solo", "tetrods", "t-for-two", "pegs", "pegs-solo", "six-faces", "plank", "trippples")
MISHAPS = ("half", "slide", "reach", "light", "illegal")
SIZE = (1280, 720)

# What the two hundred games of the soak are: every game and option in turn, in all styles, with and without mishaps.
KINDS: list[tuple[str, dict[str, Any], int]] = [
    ("hepta", {}, 2),
    ("hepta-solo", {}, 2),
    ("tetrods", {}, 2),
    ("t-for-two", {}, 2),
    ("pegs", {}, 2),
    ("pegs-solo", {}, 2),
    ("six-faces", {}, 2),
    ("six-faces", {"handedness": "left"}, 2),
    ("six-faces", {"home": "king", "repetition": True}, 2),
    ("plank", {}, 2),
    ("plank", {}, 3),
    ("plank", {"repetition": True}, 4),
    ("trippples", {}, 2),
    ("trippples", {"wild": True}, 2),
    ("trippples", {"hidden": True}, 2),
    ("trippples", {"layout": "inset"}, 2),
    ("trippples", {"players": 4}, 2),
]
FAMILIES = (None, "kitchen", "club", "study", "attic")


def followed(
    game: str,
    options: dict[str, Any],
    players: int,
    seed: int,
    family: str | None,
    trouble: tuple[str, ...],
    folder: str,
    size: tuple[int, int] = SIZE,
    unseen: bool = False,
) -> Followed:
    cv2.setNumThreads(1)
    how = Simulation(game, seed=seed, family=family, size=size, trouble=trouble)
    return Follow(begun(game, options, seed, players), how, Path(folder), unseen).to_the_end()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_each_kind_is_followed_to_its_end(game: str, tmp_path: Path) -> None:
    found = followed(game, {}, 2, 11, None, ("half", "reach", "illegal"), str(tmp_path), (960, 540))
    assert found.right, (found.truth[-5:], found.record[-5:], found.waits)
    assert not found.waits
    assert found.verdicts["move"] > 5


@pytest.mark.soak
def test_two_hundred_games(tmp_path: Path) -> None:
    """At least 99.5 % followed to the end without a person, and no wrong record."""
    jobs = []
    for n in range(200):
        game, options, players = KINDS[n % len(KINDS)]
        trouble = (MISHAPS, (), (*MISHAPS, "bump", "cover", "lost"))[n // 5 % 3]
        folder = tmp_path / str(n)
        jobs.append((game, options, players, 1000 + n, FAMILIES[n % 5], trouble, str(folder)))
    failed = []
    with ProcessPoolExecutor(2) as pool:
        for job, found in zip(jobs, pool.map(_one, jobs), strict=True):
            print(*job[:6], "right" if found.right else "WRONG", dict(found.verdicts), flush=True)
            if not found.right:
                failed.append((job, found.waits[:2], found.truth[-4:], found.record[-4:]))
    assert len(failed) <= 1, failed


def _one(job: tuple[Any, ...]) -> Followed:
    return followed(*job)


@pytest.mark.soak
def test_two_hundred_games_of_which_not_everything_is_seen(tmp_path: Path) -> None:
    """Hands stay for two or three turns, the camera goes away for ten seconds twice a game, nobody answers anything."""
    jobs = []
    for n in range(200):
        game, options, players = KINDS[n % len(KINDS)]
        trouble = (("half", "reach", "light"), (), ("half", "slide", "illegal"))[n // 5 % 3]
        jobs.append((game, options, players, 3000 + n, FAMILIES[n % 5], trouble, str(tmp_path / str(n)), SIZE, True))
    failed, alarmed, standing = [], [], 0
    with ProcessPoolExecutor(2) as pool:
        for job, found in zip(jobs, pool.map(_one, jobs), strict=True):
            told = "open" if found.is_open else "right" if found.right else "WRONG"
            print(*job[:6], told, found.alarms, dict(found.verdicts), flush=True)
            if not found.right:
                failed.append((job, found.waits[:2], found.truth[-4:], found.record[-4:]))
            alarmed += found.alarms
            standing = max(standing, found.standing)
    assert not alarmed
    assert standing <= 1
    assert len(failed) <= 1, failed


# --- what is lost when the power goes


CHILD = """
import sys
from pathlib import Path
import cv2
cv2.setNumThreads(1)
from tests.simulation.games import Follow, begun
from companion.simulation.source import Simulation
seed, folder = int(sys.argv[1]), Path(sys.argv[2])
follow = Follow(begun("t-for-two", {}, seed), Simulation("t-for-two", seed=seed, size=(640, 480)), folder)
told = 0
print("begun", flush=True)
for _ in follow.play():
    if len(follow.table.moves) > told and follow.store.committed == follow.store.last:
        told = len(follow.table.moves)
        print(*follow.table.moves, flush=True)
"""


def killed_at_random(seed: int, folder: Path) -> tuple[list[str], list[str]]:
    """The moves that a process had acknowledged when it was killed, and those of the record it left behind."""
    chance = random.Random(seed)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(seed), str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(chance.uniform(0.5, 4))
    child.send_signal(signal.SIGKILL)
    lines = child.stdout.read().splitlines()
    child.wait()
    acknowledged = lines[-1].split() if lines else []
    with open_store(folder) as store:
        assert not store.verify().findings
        table = Table(store, 1)
        return acknowledged, table.moves


@pytest.mark.parametrize("seed", range(10))
def test_nothing_acknowledged_is_lost_when_killed(seed: int, tmp_path: Path) -> None:
    acknowledged, kept = killed_at_random(seed, tmp_path)
    assert kept[: len(acknowledged)] == acknowledged
    assert len(kept) <= len(acknowledged) + 1


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 150))
def test_nothing_acknowledged_is_lost_when_killed_often(seed: int, tmp_path: Path) -> None:
    test_nothing_acknowledged_is_lost_when_killed(seed, tmp_path)


def start(*arguments: str, **more: Any) -> subprocess.Popen[str]:
    environment = {**os.environ, "LC_ALL": "C", "XDG_CONFIG_HOME": os.devnull}
    return subprocess.Popen(
        [*COMPANION, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
        **more,
    )


def events_of(process: subprocess.Popen[str], kind: str, count: int) -> list[dict[str, Any]]:
    """Reads events until so many of a kind have come."""
    assert process.stdout is not None
    found = []
    for line in process.stdout:
        event = json.loads(line)
        if event["kind"] == kind:
            found.append(event)
            if len(found) == count:
                return found
    raise AssertionError(f"only {found}; {process.stderr and process.stderr.read()}")


def test_run_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    """The real command: followed, killed, followed on; then looked at with games, export and verify."""
    table = ("--camera", "sim:six-faces,seed=4,pace=4", "--data", str(tmp_path), "--size", "960x540")
    command = ("run", *table, "--json", "--port", "0")
    process = start(*command)
    first = [move for event in events_of(process, "move", 2) for move in event["data"]["moves"]]
    process.kill()
    process.communicate()
    process = start(*command)
    second = [move for event in events_of(process, "move", 1) for move in event["data"]["moves"]]
    # a second copy on the same data refuses while the first runs
    refused = run(*command)
    assert refused.returncode == 2
    assert f"process {process.pid}" in refused.stderr
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=20)
    assert "going on with game 1" in told
    assert "Traceback" not in told
    record = json.loads(run("export", "1", "--data", str(tmp_path)).stdout)
    assert record["moves"][: len(first) + len(second)] == [*first, *second]
    assert json.loads(run("judge", "-", stdin=record).stdout)["ok"]
    assert run("verify", "--data", str(tmp_path)).returncode == 0
    assert "unfinished" in run("games", "--data", str(tmp_path)).stdout


def test_run_says_that_it_cannot_write(tmp_path: Path) -> None:
    """A folder that cannot be: the game is followed all the same, and one line says what to do."""
    (tmp_path / "file").write_text("")
    folder = str(tmp_path / "file" / "games")
    process = start("run", "--camera", "sim:six-faces", "--data", folder, "--json", "--no-web", "--size", "640x480")
    assert process.stderr is not None
    told = [process.stderr.readline() for _ in range(2)]
    process.send_signal(signal.SIGTERM)
    last = process.communicate(timeout=20)[1].splitlines()[-1]
    assert folder in told[1]
    assert "goes on in memory" in told[1]
    assert "--data" in told[1]
    assert "NOT kept" in last  # and nobody says that it was
    assert "kept in" not in last


def test_a_full_disk_does_not_stop_the_game(tmp_path: Path) -> None:
    """With no room for another byte the game goes on in memory, and is kept when there is room again."""
    import resource

    follow = Follow(begun("t-for-two", {}, 2), Simulation("t-for-two", seed=2, size=(640, 480)), tmp_path)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = (tmp_path / "table.sqlite-wal").stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    steps = follow.play()
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        for _ in range(3):
            next(steps)
        assert follow.store.trouble is not None
        assert len(follow.table.moves) == 3
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    next(steps)
    assert follow.store.trouble is None
    follow.store.close()
    assert read_store(tmp_path).record(1)["moves"] == follow.table.moves


# --- a camera that comes and goes


def follow_over_the_network(losses: int, folder: Path) -> tuple[Table, SimulatedPlayer, int]:
    """A game before a network camera that fails again and again, each time in another way: before anything is played,
    and then after every move."""
    how = Simulation("t-for-two", seed=6, size=(640, 480), pace=3.0)
    record = begun("t-for-two", {}, 6)
    stage = Stage(how.plan())
    with open_store(folder) as store:
        table = Table(store, store.new_game(record, "test"))
        player = SimulatedPlayer(lambda name, *what: getattr(stage, name)(*what), table.opened, how)
        picture = stage.frame(time.monotonic())
        with (
            MjpegServer(lambda: picture, rate=15) as server,
            open_camera(server.url, patience=0.6, pauses=(0.2,)) as camera,
        ):
            watching = Watching(table, camera, Watch(how.plan().labels, still_for=0.2))
            faults = ["stall", "half", "garbage", "hang up", "die"] * (losses // 5 + 1)
            lost, until, next_loss = 0, time.monotonic() + 60 + 8 * losses, 0
            player.begin()
            while not table.outcome and time.monotonic() < until:
                now = time.monotonic()
                shown = stage.frame(now)
                picture = picture if shown is None else shown
                watching.step(0.05)
                if server.fault or server._listener is None:
                    if camera.state.code == "lost":  # noticed: it comes back
                        lost += 1
                        server.fault = ""
                        if server._listener is None:
                            server.revive()
                elif lost < losses and len(table.moves) >= next_loss and not stage.busy:
                    next_loss = len(table.moves) + 1
                    fault = faults[lost]
                    if fault == "die":
                        server.die()
                    else:
                        server.fault = fault
                elif not (
                    stage.busy or player.over or camera.state.code != "live" or player.position != table.position
                ):
                    player.act()
        return table, player, lost


def test_a_camera_that_is_lost_loses_no_move(tmp_path: Path) -> None:
    table, player, lost = follow_over_the_network(3, tmp_path)
    assert lost == 3
    assert table.outcome is not None
    assert table.moves == [move for entry in player.log for move in entry.moves]
    states = [event.data["state"] for event in read_store(tmp_path).events(1, kinds=("camera",))]
    assert states.count("lost") >= 3


@pytest.mark.soak
def test_a_camera_that_is_lost_ten_times_loses_no_move(tmp_path: Path) -> None:
    table, player, lost = follow_over_the_network(10, tmp_path)
    assert lost == 10
    assert table.outcome is not None
    assert table.moves == [move for entry in player.log for move in entry.moves]
