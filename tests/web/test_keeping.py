"""Acknowledged means kept: what is not on disk is answered otherwise, and said to everybody who looks."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.store import read_store
from tests.web.serving import served


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """No file here grows by another byte."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size, limits = (folder / "table.sqlite-wal").stat().st_size, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_what_is_not_on_disk_is_answered_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.host.RETRY", 0.05)
    with served(tmp_path, "hepta", leds="virtual") as place:
        browser = place.browser()
        status, told, _ = browser.ask("POST", "/api/pause", {"paused": True})
        assert (status, told["keeping"]["ok"], told["keeping"]["waiting"]) == (200, True, 0)
        with full_disk(tmp_path):
            for n, paused in enumerate((False, True, False), 1):
                status, told, _ = browser.ask("POST", "/api/pause", {"paused": paused})
                assert status == 202
                assert (told["keeping"]["ok"], told["keeping"]["waiting"]) == (False, n)
                assert told["keeping"]["trouble"] in ("store-full", "store-unwritable")
                assert str(n) in told["keeping"]["text"]
            assert "unkept" in [one["kind"] for one in told["leds"]["meanings"]]
            assert read_store(tmp_path).events()[-1].number == told["event"] - 3
            assert browser.get("/api/table")["keeping"]["waiting"] == 3
            shelved, game, _ = browser.ask("POST", f"/api/games/{told['id']}/shelf", {"name": "The final"})
            assert (shelved, game["title"]) == (202, "The final")  # what answers with something else says it too
        viewer = place.events()
        while not (state := viewer.next()[1])["keeping"]["ok"]:
            assert state["keeping"]["waiting"] == 4
        viewer.close()
        assert browser.ask("POST", "/api/pause", {"paused": True})[0] == 200
        kept = [event.data["paused"] for event in read_store(tmp_path).events(kinds=["pause"])]
        assert kept == [True, False, True, False, True]
