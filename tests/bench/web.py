"""The dashboard under load: python -m tests.bench.web.

200 viewers of the live stream and 20 requests a second while the referee works: how long pages take, whether a state
is lost, and by how much the time from a board at rest to its verdict grows. The table, its camera's pictures and the
server are one process, as at a real table. The viewers are another that gives way to it, since real ones have machines
of their own. Quiet and load take turns every few seconds, and each load is compared with the quiet just before and just
after it, so that whatever else this machine does meets both alike.
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
from itertools import cycle, pairwise
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

import cv2
import numpy as np

from tests.bench.table import Row, show

VIEWERS, REQUESTS = 200, 20  # how many look, and how often somebody asks, a second
SPAN, ROUNDS = 3.0, 12  # seconds of quiet and of load, in turn
STILL, HELD = 0.05, 0.16  # seconds in which a board is found at rest, and for which each position lies on the table
PATHS = ("/", "/api/table", "/api/board.svg", "/api/moves")
PAGE, LOOK = 50.0, 1.10  # milliseconds at the 95th percentile; how much longer a look may take


# --- the table


def pictures(played: str = "hepta-solo", count: int = 10) -> tuple[dict[str, Any], list[bytes]]:
    """A game's record before its first move, and pictures of its first positions."""
    from companion.record import read_record
    from companion.simulation.laying import layout_of
    from companion.simulation.source import Simulation
    from companion.solvers.playing import sensible_move
    from companion.table.starting import simulated_record
    from vision.simulate.stage import Stage

    record, chance, plan = simulated_record(played, 3), Random(3), Simulation(played, 3).plan()
    read, stage = read_record(json.dumps(record)), Stage(plan)
    made, position = [], read.start
    for n in range(count):
        stage.show(layout_of(plan.labels, position))
        image = stage.frame(float(n))
        assert image is not None
        made.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
        if position.outcome():
            break
        position = position.play(sensible_move(read.game, position, chance))
    return record, made


def serve() -> None:
    """The table's process: prints its port, and the times of the looks so far whenever it is sent a line."""
    from companion.store import open_store
    from companion.table.camera import BROWSER
    from companion.table.host import Host
    from tests.web.serving import PLAYER, REFEREE, settings
    from vision.browser_camera import BrowserCamera
    from web.app import create_app
    from web.people import People
    from web.serve import Server, listen

    cv2.setNumThreads(1)
    record, shown = pictures()
    with tempfile.TemporaryDirectory() as folder, open_store(folder) as store:
        host = Host(store, settings(Path(folder), camera=BROWSER, keep_pictures=None, still=STILL))
        host.open(store.new_game(record, "bench"))
        found = listen("127.0.0.1", 0)
        server = Server(create_app(host, People(PLAYER, REFEREE)), found)
        print(found.getsockname()[1], flush=True)

        def begin_again() -> None:
            """In the host's thread: between a question and an answer another look may come."""
            if host.game.moves:
                host.game.take_back(len(host.game.moves))

        def feed() -> None:
            camera = host.camera.device
            assert isinstance(camera, BrowserCamera)
            for n, jpeg in enumerate(cycle(shown)):
                if n % len(shown) == 0:
                    host.do(begin_again)
                until = time.monotonic() + HELD
                while time.monotonic() < until:
                    camera.hand(jpeg)
                    time.sleep(0.05)

        def answer() -> None:
            for _ in sys.stdin:
                assert host.camera.watching
                told, host.camera.watching.latency = host.camera.watching.latency, []
                print(json.dumps({"looks": told, "changes": host.state.changes}), flush=True)
            server.stop()

        with host:
            threading.Thread(target=feed, daemon=True).start()
            threading.Thread(target=answer, daemon=True).start()
            server.run()
        os._exit(0)


# --- the viewers


def look_on(port: int) -> None:
    """The viewers' process, all in one thread: joins when it is sent a line, and at the next one leaves and prints by
    how many states it was told too little."""
    os.nice(10)
    for _ in sys.stdin:
        viewers = Viewers(port)
        viewers.start()
        print("there", flush=True)
        last = int(sys.stdin.readline())
        print(viewers.leave(last), flush=True)


class Viewers(threading.Thread):
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

    def leave(self, last: int) -> int:
        """How many states up to this one were not shown to somebody who was there."""
        until = time.monotonic() + 5.0  # in which the last of them must have come to all
        while self.lost(last) and time.monotonic() < until:
            time.sleep(0.1)
        self.over = True
        self.join()
        for key in list(self.chosen.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        return self.lost(last)

    def lost(self, last: int) -> int:
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


def ask_for(port: int, span: float) -> list[float]:
    """So many requests a second, and how long each took."""
    began, times = time.monotonic(), []
    for n in range(int(span * REQUESTS)):
        time.sleep(max(0.0, began + n / REQUESTS - time.monotonic()))
        times.append(ask(port, PATHS[n % len(PATHS)]))
    return times


class Process:
    """A part of this bench that answers lines with lines."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "tests.bench.web", *arguments]
        self.running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.running.stdin
        assert self.running.stdout
        self.input, self.output = self.running.stdin, self.running.stdout

    def tell(self, line: object = "") -> str:
        self.input.write(f"{line}\n")
        self.input.flush()
        return self.output.readline()

    def end(self) -> None:
        self.input.close()
        self.running.wait(20)


def main() -> bool:
    table = Process("serve")
    port = int(table.output.readline())
    viewers = Process("look-on", str(port))

    def looks() -> list[float]:
        told: list[float] = json.loads(table.tell())["looks"]
        return told

    def quiet() -> list[float]:
        time.sleep(0.5)  # what was before has passed
        looks()
        time.sleep(SPAN)
        return looks()

    time.sleep(3)
    alone, busy, times, lost = [quiet()], [], [], 0
    for _ in range(ROUNDS):
        viewers.tell()
        time.sleep(0.5)  # they have all come in
        looks()
        times += ask_for(port, SPAN)
        busy.append(looks())
        with urlopen(f"http://127.0.0.1:{port}/api/table") as answer:
            lost += int(viewers.tell(json.load(answer)["changes"]))
        alone.append(quiet())
    viewers.end()
    table.end()
    page = float(np.percentile(times, 95))
    around = [np.median(before + after) for before, after in pairwise(alone)]
    more = float(np.median([np.median(some) / base for some, base in zip(busy, around, strict=True)]))
    before, after = (1000 * float(np.median(np.concatenate(some))) for some in (alone, busy))
    rows = [
        Row("page answers, 95 %", f"{page:.1f} ms", "–", "–", page / PAGE, f"≤ {PAGE:g} ms", page <= PAGE),
        Row("states lost", str(lost), "–", "–", lost, "0", lost == 0),
        Row(
            "a look, with viewers",
            f"{after:.1f} ms",
            "without",
            f"{before:.1f} ms",
            more,
            f"≤ {LOOK}",
            more <= LOOK,
        ),
    ]
    count = f"{sum(map(len, alone))} + {sum(map(len, busy))} looks"
    return show(f"Dashboard: {VIEWERS} viewers, {REQUESTS} requests a second; {count}", rows)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            serve()
        case ["look-on", port]:
            look_on(int(port))
        case _:
            sys.exit(not main())
