"""The thinker: a process that computes hints for the newest position, beside the table's loop.

Requests and responses are lines of JSON over pipes; the caller never waits. A new request cancels the old one within
20 ms. A process that has died is restarted by the next request, or by the next call of `newest`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import IO, Any

from companion.solvers.hint import Budget, Hint, Stop, think

NICE = 10  # the table's loop has priority
ATTEMPTS = 3  # for one request, in case it makes the process crash each time


class Thinker:
    """The client side: sends requests and keeps the newest hint. It may be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._requests: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._request: str | None = None  # the current request, to send again if the process dies
        self._number = self._attempts = 0
        self._newest: Hint | None = None
        self._done = True
        self._closed = False
        self._writer: threading.Thread | None = None

    def submit(self, record: Mapping[str, Any], seconds: float, seed: int = 0) -> None:
        """Compute hints for a record's position, instead of the last one."""
        with self._lock:
            self._number += 1
            self._attempts, self._newest, self._done = 1, None, False
            self._request = json.dumps({"number": self._number, "record": record, "seconds": seconds, "seed": seed})
        self._send(self._request)

    def newest(self) -> Hint | None:
        """The best hint so far for the last request; None if there is none yet, or the game is over."""
        with self._lock:
            process, again = self._process, None
            if not self._done and process and process.poll() is not None and self._requests.empty():
                self._attempts += 1
                self._done = self._attempts > ATTEMPTS
                self._process, again = None, None if self._done else self._request
        if again:
            self._send(again)
        return self._newest

    @property
    def done(self) -> bool:
        """Whether the newest hint is final."""
        return self._done

    def stop(self) -> None:
        """Cancel the last request."""
        with self._lock:
            self._number += 1
            self._request, self._newest, self._done = None, None, True
            running = self._process is not None
        if running:
            self._send(json.dumps({"number": self._number, "record": None}))

    def close(self) -> None:
        """End the process and its threads."""
        with self._lock:
            self._closed, self._request, self._done = True, None, True
            process, writer = self._process, self._writer
        self._requests.put(None)
        if writer:
            writer.join(timeout=2)
        if process:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    with contextlib.suppress(OSError):
                        pipe.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def _send(self, request: str) -> None:
        """Queue a request for the writer thread: a full pipe or a starting process must not block the caller."""
        with self._lock:
            if self._closed:
                return
            if self._writer is None:
                self._writer = threading.Thread(target=self._write_requests, name="thinker", daemon=True)
                self._writer.start()
        self._requests.put(request)

    def _write_requests(self) -> None:
        while (request := self._requests.get()) is not None:
            if not self._requests.empty():
                continue  # a newer request waits
            for _ in range(2):
                process = self._ensure_process()
                assert process.stdin is not None
                try:
                    process.stdin.write(request.encode() + b"\n")
                    process.stdin.flush()
                    break
                except OSError:  # the process died: start another one
                    process.kill()
                    process.wait()

    def _ensure_process(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is None or process.poll() is not None:
            process = subprocess.Popen(
                [sys.executable, "-m", "companion.solvers.thinker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            assert process.stdout is not None
            with self._lock:
                self._process = process
            threading.Thread(
                target=self._read_responses, args=(process.stdout,), name="thinker's answers", daemon=True
            ).start()
        return process

    def _read_responses(self, responses: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):  # the pipe was closed, or the last line is incomplete
            for line in responses:
                number, hint = json.loads(line)
                with self._lock:
                    if number != self._number:
                        continue
                    if hint is None:
                        self._done = True
                    else:
                        self._newest = Hint(hint[0], hint[1], tuple(hint[2]), hint[3])


# --- the process


def main() -> None:
    """Read requests and respond with hints; exits when the parent process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent process, and this one with it
    if hasattr(os, "nice"):
        os.nice(NICE)
    requests: queue.SimpleQueue[tuple[dict[str, Any], Stop] | None] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    while (waiting := requests.get()) is not None:
        request, stop = waiting
        if request["record"] is not None and not stop:
            _handle(request, stop)


def _read_requests(requests: queue.SimpleQueue[tuple[dict[str, Any], Stop] | None]) -> None:
    """Queue the requests; each cancels the one before."""
    stop = Stop()
    for line in sys.stdin.buffer:
        stop.set()
        stop = Stop()
        requests.put((json.loads(line), stop))
    os._exit(0)  # the parent process has ended


def _handle(request: dict[str, Any], stop: Stop) -> None:
    from companion.errors import BadInput
    from companion.record import read_record, replay

    number = request["number"]
    with contextlib.suppress(BadInput):
        record = read_record(json.dumps(request["record"]))
        played = replay(record)
        if not played.outcome and not played.illegal:
            for hint in think(record.game, played.position, Budget(request["seconds"], request["seed"], stop)):
                if stop:
                    return
                _respond([number, hint])
    _respond([number, None])


def _respond(response: list[Any]) -> None:
    try:
        print(json.dumps(response), flush=True)
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()
