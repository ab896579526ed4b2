"""Watches over a table from another thread: says so when its loop hangs, or when nothing goes on in a demonstration."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.table.host import Host

HANGS = 15.0  # seconds in which the loop must have come round
STILL = 90.0  # seconds in which something must have happened in a demonstration
EVERY = 1.0  # seconds between two looks


class Watchdog(threading.Thread):
    """`on_stall(code, params)` is told once of each standstill, by a code of the message catalogues' findings."""

    def __init__(self, host: Host, on_stall: Callable[[str, dict[str, object]], None]) -> None:
        super().__init__(name="watchdog", daemon=True)
        self._host, self._on_stall = host, on_stall
        self._seen: object = None
        self._moved = time.monotonic()
        self._said = ""

    def run(self) -> None:
        while not self._host.over.wait(EVERY):
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        state = self._host.state
        going_on = (state.number, len(state.record.get("moves", ())), state.verdict, state.camera.state, state.paused)
        if going_on != self._seen or self._host.demo is None:
            self._seen, self._moved = going_on, now
        code, params = "", dict[str, object]()
        if now - self._host.stepped > HANGS:
            code, params = "stall.loop", {"seconds": round(now - self._host.stepped), "where": self._where()}
        elif now - self._moved > STILL and not state.paused and not state.outcome:
            params = {"seconds": round(now - self._moved), "moves": going_on[1], "why": state.verdict.code}
            code = "stall.demo"
        if code and code != self._said:
            self._on_stall(code, params)
        self._said = code

    def _where(self) -> str:
        """The place in our own code at which the loop is."""
        frame = sys._current_frames().get(self._host.thread.ident or 0)
        while frame and "companion" not in Path(frame.f_code.co_filename).parts:
            frame = frame.f_back
        return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}" if frame else "?"
