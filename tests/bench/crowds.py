"""The dashboard with a crowd at its door: python -m tests.bench.crowds.

1 000 idle connections, 300 that have sent half a request and 500 that follow the live stream are held, from three
addresses of this machine, while somebody who is signed in asks for pages: how long that takes, what a look costs the
referee beside one without them, and how much memory the table's process holds.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import numpy as np

from tests.bench.table import Row, show
from tests.bench.web import PATHS, Process
from tests.web.serving import REFEREE

IDLE, HALF, WATCHING = 1000, 300, 500
SPAN, ROUNDS = 4.0, 3  # seconds of quiet and of crowd, in turn
PAGE, LOOK, MEMORY = 100.0, 1.10, 350  # milliseconds at the 95th percentile; of a look without them; MB
STREAM = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_SENT = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: "


@contextmanager
def crowd(port: int) -> Iterator[None]:
    held = []
    for address, count, said in (
        ("127.0.0.7", IDLE, b""),
        ("127.0.0.8", HALF, HALF_SENT),
        ("127.0.0.9", WATCHING, STREAM),
    ):
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(address, 0))
            one.sendall(said)
            one.setblocking(False)
            held.append(one)
    try:
        yield
    finally:
        for one in held:
            one.close()


def sign_in(port: int, pin: str) -> str:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", "/api/login", json.dumps({"pin": pin}), {"Content-Type": "application/json"})
    cookie = (connection.getresponse().getheader("Set-Cookie") or "").partition(";")[0]
    connection.close()
    return cookie


def ask_for(port: int, cookie: str, span: float) -> list[float]:
    times, until, n = [], time.monotonic() + span, 0
    while time.monotonic() < until:
        began = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", PATHS[n % len(PATHS)], headers={"Cookie": cookie})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
        connection.close()
        times.append(1000 * (time.perf_counter() - began))
        n += 1
        time.sleep(0.05)
    return times


def memory(pid: int) -> float:
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]) / 1024


def main() -> bool:
    table = Process("serve")
    port = int(table.output.readline())
    cookie = sign_in(port, REFEREE)

    def looks() -> list[float]:
        told: list[float] = json.loads(table.tell())["looks"]
        return told

    time.sleep(3)
    alone: list[float] = []
    busy: list[float] = []
    times: list[float] = []
    most = 0.0
    for _ in range(ROUNDS):
        looks()
        ask_for(port, cookie, SPAN)
        alone += looks()
        with crowd(port):
            time.sleep(1)
            looks()
            times += ask_for(port, cookie, SPAN)
            busy += looks()
            most = max(most, memory(table.running.pid))
        time.sleep(1)
    table.end()
    page, more = float(np.percentile(times, 95)), float(np.median(busy) / np.median(alone))
    before, after = (f"{1000 * float(np.median(some)):.1f} ms" for some in (alone, busy))
    rows = [
        Row("signed in: page, 95 %", f"{page:.1f} ms", "–", "–", page / PAGE, f"≤ {PAGE:g} ms", page <= PAGE),
        Row("a look, with the crowd", after, "without", before, more, f"≤ {LOOK}", more <= LOOK),
        Row("memory", f"{most:.0f} MB", "–", "–", most / MEMORY, f"≤ {MEMORY} MB", most <= MEMORY),
    ]
    return show(f"Crowd: {IDLE} idle, {HALF} half-open, {WATCHING} streaming connections", rows)


if __name__ == "__main__":
    sys.exit(not main())
