"""The host: one thread that owns the table, with and without a camera."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.store import open_store
from companion.table.clocks import Control
from companion.table.demo import Demo
from companion.table.host import Host
from companion.table.starting import check_start, record_for, unfinished
from tests.web.serving import settings


def until(true: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_without_a_game_there_is_nothing_to_do(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        assert host.state.game is None
        with pytest.raises(BadInput, match="no-table"):
            host.do(lambda: host.game.play(["#a1"]))
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        host.do(lambda: host.game.play(["#a1"]))
        assert host.state.record["moves"] == ["#a1"]


def test_what_was_done_is_in_the_state_at_once(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        for n, square in enumerate(("a1", "b2", "c3"), 1):
            before = host.state
            host.do(lambda move=f"#{square}": host.game.play([move]))
            assert len(host.state.positions) == n + 1
            assert host.state.changes > before.changes
            assert len(before.record["moves"]) == n - 1  # what somebody holds does not change
        with pytest.raises(BadInput, match="illegal"):
            host.do(lambda: host.game.play(["#a1"]))
        assert len(host.state.positions) == 4


def test_games_are_changed_and_gone_on_with(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            first = host.do(lambda: host.begin(record_for(host.camera, "six-faces", {}), Control("fischer", 60, 5)))
            host.do(lambda: host.game.play(["b1-b2"]))
            host.do(lambda: host.game.pause(True))
            second = host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
            assert host.state.number == second
            assert (host.state.clock, host.state.paused) == (None, False)
            host.do(lambda: host.open(first))
            assert host.state.record["moves"] == ["b1-b2"]
            assert host.state.paused
            assert host.state.clock
            assert host.state.clock["running"] is None
            assert host.state.clock["seats"]["red"]["left"] <= 60
        assert unfinished(store, "six-faces") == first
        assert unfinished(store, None) == second
        assert not store.verify().findings
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:  # after a restart
        host.do(lambda: host.open(first))
        assert host.state.paused
        assert host.state.clock


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

    with open_store(tmp_path) as store, Host(store, settings(tmp_path), on_step=told) as host:
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
        host.do(lambda: host.begin(record_for(host.camera, "hepta-solo", {}, {"blockers": BLOCKERS})))
        host.do(lambda: host.camera.use("sim:hepta-solo,seed=2,pace=8"))
        until(lambda: len(host.state.record["moves"]) >= 2)
        assert host.state.camera.state == "live"
        host.do(lambda: host.game.pause(True))
        paused = len(host.state.record["moves"])
        time.sleep(1.0)
        assert len(host.state.record["moves"]) == paused
        host.do(lambda: host.camera.use("none"))
        assert host.state.camera.state == ""
        host.do(lambda: host.game.take_back())
        assert len(host.state.record["moves"]) == paused - 1
        with pytest.raises(BadInput, match="camera-source"):
            host.do(lambda: host.camera.use("/no/such/file"))
        assert host.state.camera.state == ""


def begin_to_play(host: Host) -> None:
    """The simulated player lays the first position on the table."""
    assert host.camera.watching
    assert host.camera.watching.player
    host.do(host.camera.watching.player.begin)


BLOCKERS = ["a1", "b3", "c5", "d7", "e2", "f4", "g6"]


def test_a_game_begins_with_what_the_camera_sees(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(960, 540))) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta-solo", {}, {"blockers": BLOCKERS})))
        host.do(lambda: host.game.pause(True))  # nobody plays
        host.do(lambda: host.camera.use("sim:hepta-solo,seed=2"))
        begin_to_play(host)
        record = record_for(host.camera, "hepta-solo", {}, from_camera=True)
        assert record["setup"]["blockers"] == BLOCKERS


def test_a_start_is_checked_by_the_camera(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(960, 540))) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta-solo", {}, {"blockers": BLOCKERS})))
        with pytest.raises(BadInput, match="no-camera"):
            check_start(host.camera, "hepta", {}, None)
        host.do(lambda: host.game.pause(True))  # nobody plays
        host.do(lambda: host.camera.use("sim:hepta-solo,seed=2"))
        begin_to_play(host)
        assert check_start(host.camera, "hepta-solo", {}, None).missing is None
        start = check_start(host.camera, "hepta", {}, None)  # an empty board
        assert start.missing
        assert [wrong.square for wrong in sorted(start.wrong)] == BLOCKERS
        assert {(wrong.should, wrong.seen) for wrong in start.wrong} == {(".", "#")}


def test_commands_come_between_looks(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(640, 480))) as host:
        host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
        host.do(lambda: host.camera.use("sim:six-faces,pace=0.1"))
        host.do(lambda: host.game.play(["b1-b2"]))
        with pytest.raises(BadInput, match="illegal-move"):
            host.do(lambda: host.game.play(["b1-b9"]))
        assert host.state.record["moves"] == ["b1-b2"]


def test_simulated_hands_do_what_persons_decide(tmp_path: Path) -> None:
    """What is played on the page is then seen on the simulated table, and play goes on from there."""
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(640, 480))) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        host.do(lambda: host.camera.use("sim:hepta,seed=2,pace=6"))
        until(lambda: len(host.state.record["moves"]) >= 1)
        host.do(lambda: host.game.take_back(len(host.game.moves)))
        host.do(lambda: host.game.play(["#d4"]))
        until(lambda: len(host.state.record["moves"]) >= 3)
        assert host.state.record["moves"][0] == "#d4"
        assert not [event for event in store.events(kinds=("verdict",)) if event.data["verdict"] == "illegal"]


def test_what_stands_is_accepted(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        with pytest.raises(BadInput, match="nothing-seen"):
            host.do(lambda: host.game.accept_as_seen("so be it"))


def test_what_is_taken_back_gives_its_time_back(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            game = host.do(lambda: host.begin(record_for(host.camera, "six-faces", {}), Control("fischer", 100, 50)))
            host.do(lambda: host.clock.start())
            host.do(lambda: host.game.play(["b1-b2"]))
            host.do(lambda: host.game.play(["b8-b7"]))
            assert left(host) == {"white": 150, "red": 150}
            host.do(lambda: host.clock.add("red", 7))  # what was given is not lost by it
            host.do(lambda: host.game.take_back())
            assert left(host) == {"white": 150, "red": 107}
            assert running(host) == "red"
            host.do(lambda: host.game.play(["b8-b7"]))
        with Host(store, settings(tmp_path)) as host:  # after a restart
            host.do(lambda: host.open(game))
            assert left(host) == {"white": 150, "red": 157}
            host.do(lambda: host.game.take_back(2))
            assert left(host) == {"white": 100, "red": 107}
            assert running(host) is None
            host.do(lambda: host.clock.start())
            host.do(lambda: host.game.pause(True))
            host.do(lambda: host.game.play(["b1-b2"]))
            host.do(lambda: host.game.pause(False))
            assert running(host) == "red"
            host.do(lambda: host.clock.set(None))
        with Host(store, settings(tmp_path)) as host:
            host.do(lambda: host.open(game))
            assert host.state.clock is None


def test_within_a_turn_nothing_is_given_back(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {}), Control("fischer", 100)))
        host.do(lambda: host.clock.start())
        host.do(lambda: host.game.play(["#a1", "#b2"]))  # the blockers are all one player's
        time.sleep(1.0)
        host.do(lambda: host.game.take_back())
        assert left(host) == {"first": 99, "second": 100}


def left(host: Host) -> dict[str, int]:
    assert host.state.clock
    return {seat: ceil(held["left"]) for seat, held in host.state.clock["seats"].items()}


def running(host: Host) -> object:
    assert host.state.clock
    return host.state.clock["running"]
