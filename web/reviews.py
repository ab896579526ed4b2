"""Reviews of games that have ended, computed one at a time in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping
from queue import SimpleQueue
from typing import Any

from companion.analysis import SECONDS, Evaluation
from web.game_views import parse_evaluation
from web.safety import Refused

MAX_CACHED = 64  # reviews
MAX_WAITING = 8  # queued reviews
KEY_FIELDS = ("game", "options", "setup", "moves", "result")  # the fields of a record that a review depends on


class Reviews:
    """A queue and a cache of reviews. It may be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._results: OrderedDict[str, list[Evaluation]] = OrderedDict()
        self._waiting: SimpleQueue[str] = SimpleQueue()
        self._worker: threading.Thread | None = None

    def progress(self, record: Mapping[str, Any]) -> list[Evaluation]:
        """The evaluations of a record so far. The first call starts the review."""
        key = json.dumps({name: record[name] for name in KEY_FIELDS if name in record}, sort_keys=True)
        with self._lock:
            if key not in self._results:
                if self._waiting.qsize() >= MAX_WAITING:
                    raise Refused(429, "busy", seconds=5)
                self._results[key] = []
                self._waiting.put(key)
                while len(self._results) > MAX_CACHED:
                    self._results.popitem(last=False)
            if self._worker is None:
                self._worker = threading.Thread(target=self._run_all, name="reviews", daemon=True)
                self._worker.start()
            return list(self._results[key])

    def _run_all(self) -> None:
        while True:
            self._run(self._waiting.get())

    def _run(self, key: str) -> None:
        question = json.dumps({"record": json.loads(key), "seconds": SECONDS})
        command = [sys.executable, "-m", "companion.analysis"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(question + "\n")
                process.stdin.flush()  # it stays open: the process exits when it is closed
                for line in process.stdout:
                    with self._lock:
                        self._results.setdefault(key, []).append(parse_evaluation(json.loads(line)))
            except (OSError, ValueError):  # the process was killed
                with self._lock:
                    self._results.pop(key, None)
