"""The dashboard under load: python -m tests.bench.web.

200 viewers of the live stream and 20 requests a second while the referee works: how long pages take, whether a state
is lost, and by how much the time from a board at rest to its verdict grows. The table, its camera's pictures and the
server are one process, as at a real table; the viewers are another.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

import cv2
import numpy as np

from tests.bench.table import Row, show

VIEWERS, REQUESTS = 200, 20  # how many look, and how often somebody asks, a second
SPAN, ROUNDS = 12.0, 3  # seconds of quiet and of load, in turn
HELD = 0.5  # seconds for which each position lies on the table
PATHS = ("/", "/api/table", "/api/board.svg", "/api/moves")
PAGE, LOOK = 50.0, 1.10  # milliseconds at the 95th percentile; how much longer a look may take


# --- the table


def pictures(played: str = "hepta-solo", count: int = 10) -> tuple[dict[str, Any], list[bytes]]:
    """A game's record before its first move, and pictures of its first positions."""
    from companion.host import dealt
    from companion.record import read_record
    from companion.simulation.choosing import sensible
    from companion.simulation.laying import layout_of
    from vision.simulate.stage import Stage

    record, chance = dealt(played, 3), Random(3)
    position, stage = read_record(json.dumps(record)).start, Stage(played, 3, size=(1280, 720))
    made, layout = [], None
    for n in range(count):
        layout = layout_of(played, position, layout)
        stage.show(layout)
        image = stage.frame(float(n))
        assert image is not None
        made.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
        if position.outcome():
            break
        position = position.play(sensible(played, position, chance))
    return record, made


def serve() -> None:
    """The table's process: prints its port, and the times of the looks so far whenever it is sent a line."""
    from companion.host import BROWSER, Host
    from companion.store import open_store
    from tests.web.serving import settings
    from vision.handed import HandedCamera
    from web.app import create_app
    from web.serve import Server, listen

    cv2.setNumThreads(1)
    record, shown = pictures()
    with tempfile.TemporaryDirectory() as folder, open_store(folder) as store:
        host = Host(store, settings(Path(folder), camera=BROWSER, keep_pictures=None))
        host.open(store.new_game(record, "bench"))
        found = listen("127.0.0.1", 0)
        server = Server(create_app(host), found)
        print(found.getsockname()[1], flush=True)

        def feed() -> None:
            camera = host.camera
            assert isinstance(camera, HandedCamera)
            for n, jpeg in enumerate(cycle(shown)):
                if n and n % len(shown) == 0:
                    host.at_table(lambda table: table.take_back(len(table.moves)))
                until = time.monotonic() + HELD
                while time.monotonic() < until:
                    camera.hand(jpeg)
                    time.sleep(0.05)

        def answer() -> None:
            for _ in sys.stdin:
                assert host.live
                told, host.live.latency = host.live.latency, []
                print(json.dumps({"looks": told, "changes": host.snapshot.changes}), flush=True)
            server.stop()

        with host:
            threading.Thread(target=feed, daemon=True).start()
            threading.Thread(target=answer, daemon=True).start()
            server.run()
        os._exit(0)


# --- the viewers


class Viewers(threading.Thread):
    """All in one thread, so that they cost the machine as little as viewers on other machines do."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.chosen = selectors.DefaultSelector()
        self.seen: list[list[int]] = []
        self._rest: list[bytes] = []
        for n in range(VIEWERS):
            viewer = socket.create_connection(("127.0.0.1", port))
            viewer.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            viewer.setblocking(False)
            self.chosen.register(viewer, selectors.EVENT_READ, n)
            self.seen.append([])
            self._rest.append(b"")
        self.over = False

    def run(self) -> None:
        while not self.over:
            for key, _ in self.chosen.select(0.2):
                assert isinstance(key.fileobj, socket.socket)
                *lines, self._rest[key.data] = (self._rest[key.data] + key.fileobj.recv(1 << 16)).split(b"\n")
                for line in lines:
                    if line.startswith(b'data: {"changes":'):
                        self.seen[key.data].append(int(line[17 : line.index(b",")]))

    def leave(self) -> None:
        self.over = True
        self.join()
        for key in list(self.chosen.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()

    def lost(self, last: int) -> int:
        """States up to this one that came while somebody looked, and that he was not shown."""
        return sum(len(set(range(numbers[0], last + 1)) - set(numbers)) if numbers else 1 for numbers in self.seen)


def ask(port: int, path: str) -> float:
    began = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, path
    connection.close()
    return 1000 * (time.perf_counter() - began)


def loaded(port: int, times: list[float]) -> int:
    """So many viewers and requests for a while; how many states were lost."""
    viewers = Viewers(port)
    viewers.start()
    began = time.monotonic()
    for n, path in enumerate(cycle(PATHS)):
        wait = began + n / REQUESTS - time.monotonic()
        if n > SPAN * REQUESTS:
            break
        if wait > 0:
            time.sleep(wait)
        times.append(ask(port, path))
    with urlopen(f"http://127.0.0.1:{port}/api/table") as answer:
        last = json.load(answer)["changes"]
    time.sleep(1.0)  # in which the last of them must have come to all
    viewers.leave()
    return viewers.lost(last)


def main() -> bool:
    table = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.web", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert table.stdin is not None
    assert table.stdout is not None

    def looks() -> list[float]:
        assert table.stdin is not None
        assert table.stdout is not None
        table.stdin.write("\n")
        table.stdin.flush()
        told: list[float] = json.loads(table.stdout.readline())["looks"]
        return told

    port = int(table.stdout.readline())
    time.sleep(3)
    looks()
    quiet: list[float] = []
    busy: list[float] = []
    times: list[float] = []
    lost = 0
    for _ in range(ROUNDS):
        time.sleep(SPAN)
        quiet += looks()
        lost += loaded(port, times)
        busy += looks()
    table.stdin.close()
    table.wait(20)
    page = float(np.percentile(times, 95))
    before, after = (1000 * float(np.median(some)) for some in (quiet, busy))
    rows = [
        Row("page answers, 95 %", f"{page:.1f} ms", "–", "–", page / PAGE, f"≤ {PAGE:g} ms", page <= PAGE),
        Row("states lost", str(lost), "–", "–", lost, "0", lost == 0),
        Row(
            "a look, with viewers",
            f"{after:.1f} ms",
            "without",
            f"{before:.1f} ms",
            after / before,
            f"≤ {LOOK}",
            after <= LOOK * before,
        ),
    ]
    return show(f"Dashboard: {VIEWERS} viewers, {REQUESTS} requests a second; {len(quiet)} + {len(busy)} looks", rows)


if __name__ == "__main__":
    if "serve" in sys.argv:
        serve()
    else:
        sys.exit(not main())
