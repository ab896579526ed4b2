"""The thinker: a process of its own that thinks about the newest position asked, beside the live loop.

It is asked and answers by lines of JSON over pipes; who asks never waits. A new question ends the old one within 20 ms;
a thinker that has died is started again with the next question, or with the next look at what it has found.
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

NICE = 10  # the live loop comes first
ATTEMPTS = 3  # at one question: what kills the thinker each time is not thought about for ever


class Thinker:
    """Asks the process and remembers its newest answer. To be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._questions: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._asked: str | None = None  # the question that is being thought about, to be asked again if need be
        self._number = self._attempts = 0
        self._newest: Hint | None = None
        self._done = True
        self._closed = False
        self._writer: threading.Thread | None = None

    def ask(self, record: Mapping[str, Any], seconds: float, seed: int = 0) -> None:
        """Think about a record's position from now on, and about nothing else."""
        with self._lock:
            self._number += 1
            self._attempts, self._newest, self._done = 1, None, False
            self._asked = json.dumps({"number": self._number, "record": record, "seconds": seconds, "seed": seed})
        self._send(self._asked)

    def newest(self) -> Hint | None:
        """The best hint so far for the position last asked; None until there is one, or when nothing can be played."""
        with self._lock:
            process, again = self._process, None
            if not self._done and process and process.poll() is not None and self._questions.empty():
                self._attempts += 1
                self._done = self._attempts > ATTEMPTS
                self._process, again = None, None if self._done else self._asked
        if again:
            self._send(again)
        return self._newest

    @property
    def done(self) -> bool:
        """Whether the newest hint will get no better."""
        return self._done

    def stop(self) -> None:
        """Think about nothing."""
        with self._lock:
            self._number += 1
            self._asked, self._newest, self._done = None, None, True
            running = self._process is not None
        if running:
            self._send(json.dumps({"number": self._number, "record": None}))

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._closed, self._asked, self._done = True, None, True
            process, writer = self._process, self._writer
        self._questions.put(None)
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

    def _send(self, question: str) -> None:
        """Hand a question to the thread that writes: a full pipe or a process that starts must not hold up who asks."""
        with self._lock:
            if self._closed:
                return
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, name="thinker", daemon=True)
                self._writer.start()
        self._questions.put(question)

    def _write(self) -> None:
        while (question := self._questions.get()) is not None:
            if not self._questions.empty():
                continue  # a newer one waits
            for _ in range(2):
                process = self._running()
                assert process.stdin is not None
                try:
                    process.stdin.write(question.encode() + b"\n")
                    process.stdin.flush()
                    break
                except OSError:  # it died: another one takes over
                    process.kill()
                    process.wait()

    def _running(self) -> subprocess.Popen[bytes]:
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
            threading.Thread(target=self._listen, args=(process.stdout,), name="thinker's answers", daemon=True).start()
        return process

    def _listen(self, answers: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):  # closed while it was read, or cut off in mid-line
            for line in answers:
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
    """Reads questions, answers with hints; ends when its asker does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the asker, whose end is this one's
    if hasattr(os, "nice"):
        os.nice(NICE)
    questions: queue.SimpleQueue[tuple[dict[str, Any], Stop] | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(questions,), daemon=True).start()
    while (waiting := questions.get()) is not None:
        asked, stop = waiting
        if asked["record"] is not None and not stop:
            _answer(asked, stop)


def _read(questions: queue.SimpleQueue[tuple[dict[str, Any], Stop] | None]) -> None:
    """Each question ends the one before."""
    stop = Stop()
    for line in sys.stdin.buffer:
        stop.set()
        stop = Stop()
        questions.put((json.loads(line), stop))
    os._exit(0)  # the asker has gone


def _answer(asked: dict[str, Any], stop: Stop) -> None:
    from companion.errors import BadInput
    from companion.record import read_record, replay

    number = asked["number"]
    with contextlib.suppress(BadInput):
        record = read_record(json.dumps(asked["record"]))
        played = replay(record)
        if not played.outcome and not played.illegal:
            for hint in think(record.game, played.position, Budget(asked["seconds"], asked["seed"], stop)):
                if stop:
                    return
                _tell([number, hint])
    _tell([number, None])


def _tell(answer: list[Any]) -> None:
    try:
        print(json.dumps(answer), flush=True)
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()
