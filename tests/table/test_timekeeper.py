"""The clock of a game: who may hand it over, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.store import open_store
from companion.table.clocks import ClockKind, Control
from companion.table.host import Host
from companion.table.starting import record_for
from tests.web.serving import settings

FISCHER = Control(ClockKind.FISCHER, 60, 5)


def running(host: Host) -> str | None:
    assert host.state.clock
    return host.state.clock["running"]


def test_on_the_page_nobody_hands_the_clock_over_without_a_move(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(record_for(host.camera, "six-faces", {}), FISCHER))
        with pytest.raises(BadInput, match="clock-needs-move"):  # nor before the first move
            host.do(lambda: host.clock.press())
        host.do(lambda: host.clock.start())
        assert running(host) == "white"
        for seat in (None, "red"):
            with pytest.raises(BadInput, match="clock-needs-move"):
                host.do(lambda seat=seat: host.clock.press(seat))
        assert running(host) == "white"
        host.do(lambda: host.game.play(["b1-b2"]))
        assert running(host) == "red"
        host.do(lambda: host.clock.start("white"))  # by mistake
        host.do(lambda: host.clock.press())
        assert running(host) == "red"


def test_before_a_camera_the_clock_is_pressed_before_the_move_is_seen(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, camera="browser")) as host:
        host.do(lambda: host.begin(record_for(host.camera, "six-faces", {}), FISCHER))
        host.do(lambda: host.clock.start())
        host.do(lambda: host.clock.press())
        assert running(host) == "red"
        host.do(lambda: host.game.play(["b1-b2"]))  # as the camera sees it at last
        assert running(host) == "red"


def test_the_clock_of_a_game_that_is_left_stands(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        first = host.do(lambda: host.begin(record_for(host.camera, "six-faces", {}), FISCHER))
        host.do(lambda: host.clock.start())
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        assert store.game(first).clocks[-1]["do"] == "stop"
