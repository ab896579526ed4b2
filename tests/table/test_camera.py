"""Which camera the table has: changed over as a whole or not at all, opened once, and safe to ask from any thread."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadInput
from companion.store import open_store
from companion.table import camera as camera_module
from companion.table.camera import TableCamera
from companion.table.host import Host
from companion.table.starting import check_start, record_for
from tests.table.test_host import until
from tests.web.serving import settings


@pytest.mark.parametrize(
    "source", ["sim:hepta,pace=fast", "sim:hepta,record=/no/such/file", "sim:chess", "/no/such/file", "gopher://x"]
)
def test_a_refused_source_changes_nothing(source: str, tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, camera="browser")) as host:
        if source != "sim:chess":  # while a game is played, it is this one that is simulated
            host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        before = (host.camera.connection, host.camera.watching)
        with pytest.raises(BadInput):
            host.do(lambda: host.camera.use(source))
        assert (host.camera.connection, host.camera.watching) == before
        assert host.state.camera.source == "browser"


def test_refused_settings_change_nothing(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, camera="browser")) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        before = (host.settings, host.camera.watching and host.camera.watching.watch)
        for wrong in ({"lens": "/no/such/file"}, {"leds": "AUTO", "leds_kind": "adalight"}):
            with pytest.raises(BadInput):
                host.do(lambda wrong=wrong: host.use(host.settings._replace(still=0.5, **wrong)))
        assert (host.settings, host.camera.watching and host.camera.watching.watch) == before


def test_a_camera_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    real = camera_module.open_camera

    def counted(source: str, size: tuple[int, int], **stage: Any) -> Any:
        opened.append(source)
        return real(source, size, **stage)

    monkeypatch.setattr(camera_module, "open_camera", counted)
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(640, 480))) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        host.do(lambda: host.camera.use("sim:six-faces,seed=2"))
        assert opened == ["sim:hepta,seed=2"]  # what is simulated is the game that is played
        host.do(lambda: host.use(host.settings._replace(still=0.5)))
        assert len(opened) == 1
        host.do(lambda: host.use(host.settings._replace(size=(320, 240))))
        assert opened == ["sim:hepta,seed=2"] * 2


def test_the_simulated_player_plays_what_is_recorded_of_this_game(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text('{"game": "hepta", "moves": ["#a1"]}')
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, size=(640, 480))) as host:
        host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
        with pytest.raises(BadInput, match="game: not-one-of"):
            host.do(lambda: host.camera.use(f"sim:six-faces,record={record}"))
        assert host.camera.device is None


def test_another_camera_looks_anew(tmp_path: Path) -> None:
    """What the former camera called illegal is no longer said, nor asked about."""
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, camera="browser")) as host:
        host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
        host.do(lambda: host.game.play(["#a1"]))
        table = host.game
        host.do(lambda: setattr(table, "seen", table.positions[0].visible()))
        host.do(lambda: host.camera.use("none"))
        assert host.game is table
        assert (table.seen, table.verdict.kind, table.question) == (None, "same", None)
        assert host.state.record["moves"] == ["#a1"]
        with pytest.raises(BadInput, match="nothing-seen"):
            host.do(lambda: host.game.accept_as_seen())


def test_a_camera_that_goes_while_somebody_looks_is_said_to_be_gone(tmp_path: Path) -> None:
    """The first look is taken in another thread than the one that changes the camera."""
    with TableCamera(settings(tmp_path, camera="browser")) as camera:
        refused: list[BadInput] = []

        def look() -> None:
            try:
                check_start(camera, "hepta", {}, None)
            except BadInput as bad:
                refused.append(bad)

        looking = threading.Thread(target=look)
        looking.start()
        time.sleep(0.2)
        began = time.monotonic()
        camera.use("none")
        looking.join(timeout=10)
        assert [bad.code for bad in refused] == ["no-camera"]
        assert time.monotonic() - began < 2


def test_a_camera_without_a_game_leaves_the_machine_in_peace(tmp_path: Path) -> None:
    steps: list[Host] = []
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, camera="browser"), on_step=steps.append) as host:
        until(lambda: host.state.camera.state == "starting")
        before = len(steps)
        time.sleep(0.5)
        assert len(steps) - before < 60
