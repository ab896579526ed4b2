"""Reviews of games that have ended, each made by a process of its own while others play: one at a time."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping
from queue import SimpleQueue
from typing import Any

from companion.analysis import SECONDS, Assessed
from web.kept import assessed_from
from web.safety import Refused

KEPT = 64  # reviews that are remembered
MOST_WAITING = 8
THOUGHT_ABOUT = ("game", "options", "setup", "moves", "result")  # of a record


class Reviews:
    """To be used from any thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._found: OrderedDict[str, list[Assessed]] = OrderedDict()
        self._waiting: SimpleQueue[str] = SimpleQueue()
        self._worker: threading.Thread | None = None

    def found(self, record: Mapping[str, Any]) -> list[Assessed]:
        """What is known of a record's positions so far. Who asks first has it begun."""
        asked = json.dumps({name: record[name] for name in THOUGHT_ABOUT if name in record}, sort_keys=True)
        with self._guard:
            if asked not in self._found:
                if self._waiting.qsize() >= MOST_WAITING:
                    raise Refused(429, "busy", seconds=5)
                self._found[asked] = []
                self._waiting.put(asked)
                while len(self._found) > KEPT:
                    self._found.popitem(last=False)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="reviews", daemon=True)
                self._worker.start()
            return list(self._found[asked])

    def _work(self) -> None:
        while True:
            self._make(self._waiting.get())

    def _make(self, asked: str) -> None:
        question = json.dumps({"record": json.loads(asked), "seconds": SECONDS})
        command = [sys.executable, "-m", "companion.analysis"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(question + "\n")
                process.stdin.flush()  # and it stays open: the process ends when we do
                for line in process.stdout:
                    with self._guard:
                        self._found.setdefault(asked, []).append(assessed_from(json.loads(line)))
            except (OSError, ValueError):  # it was ended from outside
                with self._guard:
                    self._found.pop(asked, None)
