"""The host: one thread that owns the table, with and without a camera."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import ceil
from pathlib import Path

import pytest

from companion.clocks import Control
from companion.games.position import BadInput
from companion.host import Demo, Host, unfinished
from companion.store import open_store
from companion.table import Table
from tests.web.serving import settings


def until(true: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_without_a_game_there_is_nothing_to_do(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        assert host.snapshot.read is None
        with pytest.raises(BadInput, match="no-table"):
            host.at_table(lambda table: table.play(["#a1"]))
        host.do(lambda: host.begin(host.record_for("hepta", {})))
        host.at_table(lambda table: table.play(["#a1"]))
        assert host.snapshot.record["moves"] == ["#a1"]


def test_what_was_done_is_in_the_snapshot_at_once(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(host.record_for("hepta", {})))
        for n, square in enumerate(("a1", "b2", "c3"), 1):
            before = host.snapshot
            host.at_table(partial(Table.play, moves=[f"#{square}"]))
            assert len(host.snapshot.positions) == n + 1
            assert host.snapshot.changes > before.changes
            assert len(before.record["moves"]) == n - 1  # what somebody holds does not change
        with pytest.raises(BadInput, match="illegal"):
            host.at_table(lambda table: table.play(["#a1"]))
        assert len(host.snapshot.positions) == 4


def test_games_are_changed_and_gone_on_with(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            first = host.do(lambda: host.begin(host.record_for("six-faces", {}), Control("fischer", 60, 5)))
            host.at_table(lambda table: table.play(["b1-b2"]))
            host.do(lambda: host.pause(True))
            second = host.do(lambda: host.begin(host.record_for("hepta", {})))
            assert host.snapshot.game == second
            assert (host.snapshot.clock, host.snapshot.paused) == (None, False)
            host.do(lambda: host.open(first))
            assert host.snapshot.record["moves"] == ["b1-b2"]
            assert host.snapshot.paused
            assert host.snapshot.clock
            assert host.snapshot.clock["running"] is None
            assert host.snapshot.clock["seats"]["red"]["left"] <= 60
        assert unfinished(store, "six-faces") == first
        assert unfinished(store, None) == second
        assert not store.verify().findings
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:  # after a restart
        host.do(lambda: host.open(first))
        assert host.snapshot.paused
        assert host.snapshot.clock


def test_a_host_that_is_over_says_so(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            pass
        assert host.over.is_set()
        with pytest.raises(BadInput, match="table-closed"):
            host.do(lambda: None)


def test_what_a_listener_cannot_take_ends_the_thread(tmp_path: Path) -> None:
    def told(host: Host) -> None:
        raise BrokenPipeError

    with open_store(tmp_path) as store, Host(store, settings(tmp_path), told=told) as host:
        assert host.over.wait(10)
        assert isinstance(host.failure, BrokenPipeError)


def test_simulated_games_one_after_another(tmp_path: Path) -> None:
    demo = Demo(("hepta-solo", "tetrods"), 3, "pace=8,size=640x480", most=2)
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path), demo=demo, ends=True) as host:
            assert host.over.wait(120)
        assert host.failure is None
        games = store.games()
        assert [game.game for game in games] == ["hepta-solo", "tetrods"]
        assert all(game.moves for game in games)


def test_cameras_come_and_go(tmp_path: Path) -> None:
    """A game followed by a simulated camera goes on by hand, and before the camera again."""
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(640, 480))) as host:
        host.do(lambda: host.begin(host.record_for("hepta-solo", {}, {"blockers": BLOCKERS})))
        host.do(lambda: host.use_camera("sim:hepta-solo,seed=2,pace=8"))
        until(lambda: len(host.snapshot.record["moves"]) >= 2)
        assert host.snapshot.camera.state == "live"
        host.do(lambda: host.pause(True))
        paused = len(host.snapshot.record["moves"])
        time.sleep(1.0)
        assert len(host.snapshot.record["moves"]) == paused
        host.do(lambda: host.use_camera("none"))
        assert host.snapshot.camera.state == ""
        host.at_table(lambda table: table.take_back())
        assert len(host.snapshot.record["moves"]) == paused - 1
        with pytest.raises(BadInput, match="camera-source"):
            host.do(lambda: host.use_camera("/no/such/file"))
        assert host.snapshot.camera.state == ""


BLOCKERS = ["a1", "b3", "c5", "d7", "e2", "f4", "g6"]


def test_a_game_begins_with_what_the_camera_sees(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(960, 540))) as host:
        host.do(lambda: host.begin(host.record_for("hepta-solo", {}, {"blockers": BLOCKERS})))
        host.do(lambda: host.pause(True))  # nobody plays
        host.do(lambda: host.use_camera("sim:hepta-solo,seed=2"))
        assert host.live
        assert host.live.player
        host.do(host.live.player.begin)
        record = host.record_for("hepta-solo", {}, from_camera=True)
        assert record["setup"]["blockers"] == BLOCKERS


def test_a_start_is_checked_by_the_camera(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(960, 540))) as host:
        host.do(lambda: host.begin(host.record_for("hepta-solo", {}, {"blockers": BLOCKERS})))
        with pytest.raises(BadInput, match="no-camera"):
            host.check_start("hepta", {}, None)
        host.do(lambda: host.pause(True))  # nobody plays
        host.do(lambda: host.use_camera("sim:hepta-solo,seed=2"))
        assert host.live
        assert host.live.player
        host.do(host.live.player.begin)
        assert host.check_start("hepta-solo", {}, None).missing is None
        start = host.check_start("hepta", {}, None)  # an empty board
        assert start.missing
        assert [wrong.square for wrong in sorted(start.wrong)] == BLOCKERS
        assert {(wrong.should, wrong.seen) for wrong in start.wrong} == {(".", "#")}


def test_commands_come_between_looks(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(640, 480))) as host:
        host.do(lambda: host.begin(host.record_for("six-faces", {})))
        host.do(lambda: host.use_camera("sim:six-faces,pace=0.1"))
        host.at_table(lambda table: table.play(["b1-b2"]))
        with pytest.raises(BadInput, match="illegal-move"):
            host.at_table(lambda table: table.play(["b1-b9"]))
        assert host.snapshot.record["moves"] == ["b1-b2"]


def test_simulated_hands_do_what_persons_decide(tmp_path: Path) -> None:
    """What is played on the page is then seen on the simulated table, and play goes on from there."""
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(640, 480))) as host:
        host.do(lambda: host.begin(host.record_for("hepta", {})))
        host.do(lambda: host.use_camera("sim:hepta,seed=2,pace=6"))
        until(lambda: len(host.snapshot.record["moves"]) >= 1)
        host.at_table(lambda table: table.take_back(len(table.moves)))
        host.at_table(lambda table: table.play(["#d4"]))
        until(lambda: len(host.snapshot.record["moves"]) >= 3)
        assert host.snapshot.record["moves"][0] == "#d4"
        assert not [event for event in store.events(kinds=("verdict",)) if event.data["verdict"] == "illegal"]


def test_what_stands_is_accepted(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(host.record_for("hepta", {})))
        with pytest.raises(BadInput, match="nothing-seen"):
            host.do(lambda: host.stand("so be it"))


def test_what_is_taken_back_gives_its_time_back(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            game = host.do(lambda: host.begin(host.record_for("six-faces", {}), Control("fischer", 100, 50)))
            host.do(lambda: host.use_clock("start"))
            host.at_table(lambda table: table.play(["b1-b2"]))
            host.at_table(lambda table: table.play(["b8-b7"]))
            assert left(host) == {"white": 150, "red": 150}
            host.do(lambda: host.use_clock("add", "red", 7))  # what was given is not lost by it
            host.at_table(lambda table: table.take_back())
            assert left(host) == {"white": 150, "red": 107}
            assert running(host) == "red"
            host.at_table(lambda table: table.play(["b8-b7"]))
        with Host(store, settings(tmp_path)) as host:  # after a restart
            host.do(lambda: host.open(game))
            assert left(host) == {"white": 150, "red": 157}
            host.at_table(lambda table: table.take_back(2))
            assert left(host) == {"white": 100, "red": 107}
            assert running(host) is None
            host.do(lambda: host.use_clock("start"))
            host.do(lambda: host.pause(True))
            host.at_table(lambda table: table.play(["b1-b2"]))
            host.do(lambda: host.pause(False))
            assert running(host) == "red"
            host.do(lambda: host.set_clock(None))
        with Host(store, settings(tmp_path)) as host:
            host.do(lambda: host.open(game))
            assert host.snapshot.clock is None


def test_within_a_turn_nothing_is_given_back(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(host.record_for("hepta", {}), Control("fischer", 100)))
        host.do(lambda: host.use_clock("start"))
        host.at_table(lambda table: table.play(["#a1", "#b2"]))  # the blockers are all one player's
        time.sleep(1.0)
        host.at_table(lambda table: table.take_back())
        assert left(host) == {"first": 99, "second": 100}


def left(host: Host) -> dict[str, int]:
    assert host.snapshot.clock
    return {seat: ceil(held["left"]) for seat, held in host.snapshot.clock["seats"].items()}


def running(host: Host) -> object:
    assert host.snapshot.clock
    return host.snapshot.clock["running"]
