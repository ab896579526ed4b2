"""The thinker, a real process: asked, asked anew, killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from companion.solvers.thinker import Thinker

START = {"game": "six-faces"}
OTHER = {"game": "six-faces", "moves": ["b1-b2"]}


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    thinker.close()


def wait_until(true: Callable[[], object], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_it_answers_and_gets_better(thinker: Thinker) -> None:
    assert thinker.newest() is None
    thinker.submit(START, 0.5)
    wait_until(thinker.newest)
    first = thinker.newest()
    wait_until(lambda: thinker.done)
    last = thinker.newest()
    assert first
    assert last
    assert len(last.line) >= len(first.line)


def test_the_newest_question_counts(thinker: Thinker) -> None:
    """Asked many times in a row it answers the last one, though each would take a minute."""
    for _ in range(20):
        thinker.submit(START, 60)
        thinker.submit(OTHER, 60)
    wait_until(thinker.newest)
    hint = thinker.newest()
    assert hint
    assert hint.move[1] in "78"  # Red's row: it is his turn
    thinker.submit(START, 0.1)
    assert thinker.newest() is None or thinker.newest().move[1] == "1"  # type: ignore[union-attr]
    wait_until(lambda: thinker.done)


def test_nobody_waits_for_it(thinker: Thinker) -> None:
    thinker.submit(START, 60)
    wait_until(thinker.newest)
    assert thinker.pid
    os.kill(thinker.pid, signal.SIGSTOP)  # it hears nothing any more
    long = {"game": "six-faces", "setup": {}, "moves": [], "about": {"note": "x" * 5000}}
    begun = time.monotonic()
    for _ in range(200):
        thinker.submit(long, 60)
        thinker.newest()
    thinker.stop()
    assert time.monotonic() - begun < 5
    os.kill(thinker.pid, signal.SIGCONT)


def test_killed_it_comes_back(thinker: Thinker) -> None:
    thinker.submit(START, 60)
    wait_until(thinker.newest)
    for _ in range(2):
        killed = thinker.pid
        assert killed
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: thinker.newest() and thinker.pid != killed)  # noqa: B023
        thinker.submit(OTHER, 60)
        wait_until(thinker.newest)


def test_it_leaves_ctrl_c_to_its_asker(thinker: Thinker) -> None:
    thinker.submit(START, 60)
    wait_until(thinker.newest)
    pid = thinker.pid
    assert pid
    os.kill(pid, signal.SIGINT)
    thinker.submit(OTHER, 60)
    wait_until(thinker.newest)
    assert thinker.pid == pid


def test_stopped_it_thinks_of_nothing(thinker: Thinker) -> None:
    thinker.submit(START, 60)
    wait_until(thinker.newest)
    thinker.stop()
    assert thinker.newest() is None
    assert thinker.done
    time.sleep(0.2)
    assert thinker.newest() is None


def test_what_has_no_hint_has_none(thinker: Thinker) -> None:
    over = {**START, "result": {"winner": "red", "why": "resigned"}}
    for record in (over, {"game": "six-faces", "moves": ["a1-a2"]}, {"game": "chess"}):
        thinker.submit(record, 5)
        wait_until(lambda: thinker.done)
        assert thinker.newest() is None


def test_closed_it_is_gone() -> None:
    thinker = Thinker()
    thinker.close()
    thinker = Thinker()
    thinker.submit(START, 60)
    wait_until(lambda: thinker.pid)
    pid = thinker.pid
    assert pid
    thinker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
