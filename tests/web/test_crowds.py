"""Crowds at the door: idle, slow and greedy connections cost neither the table nor those who look on honestly."""

from __future__ import annotations

import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tornado.http1connection import HTTP1ConnectionParameters

from tests.commands.test_rules import COMPANION
from tests.web.serving import PLAYER, Browser, Place, served
from web.clients import (
    BURST,
    MAX_DELAY,
    MAX_PER_ADDRESS,
    STRANGERS_SHARE,
    Activity,
    Client,
    Clients,
    Priority,
    RateLimiter,
    open_clients,
)
from web.serve import BODY_TIMEOUT, HEADERS_TIMEOUT, HttpServer

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: "
STREAM = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def held(port: int, count: int, said: bytes = b"", address: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """So many connections from an address of this machine, each having said the same."""
    found: list[socket.socket] = []
    try:
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(address, 0))
            one.sendall(said)
            found.append(one)
            if said.startswith(STREAM[:15]):
                assert one.recv(12) == b"HTTP/1.1 200"
        yield found
    finally:
        for one in found:
            one.close()


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A place with little room."""
    monkeypatch.setattr("web.clients.MAX_CLIENTS", 60)
    monkeypatch.setattr("web.clients.MAX_STREAMS", 20)
    with served(tmp_path, "hepta") as found:
        yield found


@pytest.mark.parametrize(
    "said", [b"", HALF, b"POST /api/play HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"]
)
def test_idle_and_half_requests_keep_nobody_out(said: bytes, small: Place) -> None:
    browser = small.browser(PLAYER)
    with held(small.port, 200, said, "127.0.0.9"):
        for _ in range(5):
            assert browser.get("/api/table")["role"] == "player"
            assert small.browser(None).get("/api/table")["role"] == "viewer"
        assert browser.post("/api/pause", {"paused": True})["paused"]
        assert len(small.server.clients.connected) <= 60
    assert not small.host.over.is_set()


GET = b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/play HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("said", "more"),
    [
        (b"", b""),
        (HALF, b"x"),  # one more byte now and then is no request either
        (GET + b"\r\n", b""),  # answered, and then idle
        (POST + b"Content-Length: 99\r\n\r\n{", b" "),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhe", b""),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"\x16\x03\x01", b"\x00"),  # half of a greeting in TLS
    ],
)
def test_who_does_not_go_on_is_sent_home(
    said: bytes, more: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = HttpServer.PARAMETERS
    short = HTTP1ConnectionParameters(
        max_header_size=usual.max_header_size,
        header_timeout=0.4,
        max_body_size=usual.max_body_size,
        body_timeout=0.4,
    )
    assert (usual.header_timeout, usual.body_timeout) == (HEADERS_TIMEOUT, BODY_TIMEOUT)
    monkeypatch.setattr(HttpServer, "PARAMETERS", short)
    with served(tmp_path) as place, held(place.port, 1, said) as (one,):
        one.settimeout(0.1)
        until = time.monotonic() + 20
        while True:
            assert time.monotonic() < until
            try:
                one.sendall(more)
                if not one.recv(1 << 16):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        wait_until = time.monotonic() + 5
        while place.server.clients.connected and time.monotonic() < wait_until:
            time.sleep(0.02)
        assert not place.server.clients.connected


def test_one_address_does_not_take_all_the_seats(small: Place) -> None:
    with held(small.port, 20, STREAM, "127.0.0.9") as greedy, held(small.port, 3, STREAM, "127.0.0.8"):
        gone = 0
        for one in greedy[:3]:  # those who have looked on longest make room
            while one.recv(1 << 16):
                pass
            gone += 1
        assert gone == 3


def test_over_the_limit_there_is_a_plain_page_that_polls(small: Place) -> None:
    with held(small.port, 20, STREAM):
        late = small.browser(None)
        status, told, headers = late.ask("GET", "/api/events")
        assert (status, told["error"]) == (429, "too-many-viewers")
        assert int(headers["Retry-After"]) > 0
        page = late.ask("GET", "/")[1].decode()
        assert 'http-equiv="refresh"' in page
        assert "<script" not in page
        assert 'data-square="a1"' in page
        # whoever is signed in has the whole page, and a seat
        assert "table.js" in small.browser().ask("GET", "/")[1].decode()
        with held(small.port, 1, STREAM.replace(b"\r\n\r\n", b"\r\n" + cookie(small.browser()) + b"\r\n")):
            pass


def test_a_player_with_many_browsers_keeps_nobody_out(small: Place) -> None:
    """He is signed in, and goes for nobody who is not; but neither all connections nor all seats are his."""
    referee, other, greedy = small.browser(), small.browser(PLAYER), small.browser(PLAYER)
    idle = STREAM.replace(b"/api/events", b"/api/me").replace(b"\r\n\r\n", b"\r\n" + cookie(greedy) + b"\r\n")
    streams = [STREAM.replace(b"\r\n\r\n", b"\r\n" + cookie(one) + b"\r\n") for one in (greedy, other, referee)]
    with held(small.port, 20, streams[0], "127.0.0.9") as streaming, held(small.port, 60, idle, "127.0.0.9"):
        assert all(one.get("/api/me")["role"] != "viewer" for one in (referee, other) for _ in range(3))
        assert small.browser(None).get("/api/table")["role"] == "viewer"
        assert small.browser(None).ask("GET", "/api/events")[0] == 429
        with held(small.port, 1, streams[1], "127.0.0.8"), held(small.port, 1, streams[2], "127.0.0.9"):
            for one in streaming[:2]:
                while one.recv(1 << 16):
                    pass


def test_a_player_who_asks_without_end_is_refused_and_the_referee_is_heard(small: Place) -> None:
    referee, greedy, room = small.browser(), small.browser(PLAYER), small.server.clients
    room.requesting[Priority.SIGNED_IN]["127.0.0.1"] = room.max_requests
    assert greedy.ask("GET", "/api/table")[0] == 503
    assert referee.get("/api/table")["role"] == "referee"
    assert small.browser(None).get("/api/table")["role"] == "viewer"
    room.requesting[Priority.SIGNED_IN].clear()
    assert greedy.get("/api/table")["role"] == "player"


def test_files_that_take_long_hold_up_nobody_else(small: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for one holds a thread: there would soon be none left for those who only look."""
    made, asked = threading.Event(), threading.Semaphore(0)

    def slowly(_: object) -> bytes:
        asked.release()
        made.wait(20)
        return b"GIF89a"

    monkeypatch.setattr("web.sharing.make_in_process", slowly)
    number = small.browser(None).get("/api/table")["id"]
    told: list[int] = []
    requesting = [
        threading.Thread(
            target=lambda: told.append(small.browser(None).ask("GET", f"/api/games/{number}/shared.gif")[0])
        )
        for _ in range(40)
    ]
    for one in requesting:
        one.start()
    assert all(asked.acquire(timeout=20) for _ in range(3))
    until = time.monotonic() + 20
    while small.server.clients.requesting[Priority.STRANGER].total() > 3:  # the others are refused
        assert time.monotonic() < until
        time.sleep(0.01)
    for _ in range(5):
        assert small.browser(None).get("/api/table")["role"] == "viewer"
    made.set()
    for one in requesting:
        one.join(20)
    assert told.count(200) >= 3
    assert set(told) <= {200, 429, 503}


def cookie(browser: Browser) -> bytes:
    (name, value), *_ = browser.cookies.items()
    return f"Cookie: {name}={value}\r\n".encode()


def test_requests_that_pile_up_are_refused_quickly_and_who_is_signed_in_is_heard(
    small: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.server.clients.max_requests = 0
    status, told, headers = small.browser(None).ask("GET", "/api/table", headers={"Accept-Language": "fr"})
    assert (status, told["error"], headers["Retry-After"]) == (503, "busy", "5")
    assert headers["Content-Security-Policy"]
    small.server.clients.max_requests = 10
    browser = small.browser()
    small.server.clients.max_requests = 0
    assert browser.get("/api/table")["role"] == "referee"


def test_who_takes_nothing_is_sent_home(small: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serve.SEND_TIMEOUT", 0.2)
    monkeypatch.setattr("web.serve.SWEEP_INTERVAL", 0.1)
    greedy = socket.socket()
    greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    greedy.connect(("127.0.0.1", small.port))
    greedy.sendall(b"GET /api/catalogue HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
    until = time.monotonic() + 20
    while any(client.sent_at for client in small.server.clients.connected) or not small.server.clients.connected:
        assert time.monotonic() < until
        if not small.server.clients.connected:
            break
        time.sleep(0.05)
    greedy.close()


@pytest.mark.parametrize("header", ["SCRIPT_NAME: /x", "Script-Name: /x", "X_Forwarded_For: 1.2.3.4", "PATH_INFO: /y"])
def test_headers_that_look_like_ours_are_headers_only(header: str, small: Place) -> None:
    with held(small.port, 1, f"GET /api/table HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n".encode()) as (one,):
        assert one.recv(12) == b"HTTP/1.1 200"


# --- the numbers


def test_strangers_together_take_a_part_of_the_time() -> None:
    """Ten addresses flood, with all that they are let; another one comes now and then, and has his answer."""
    now, busy, refused, waits = 1000.0, 0.0, 0, list[float]()
    limiter, under_way = RateLimiter(), dict.fromkeys(range(10), 0)
    ends: list[tuple[float, int]] = []
    assert limiter.delay(now) == 0  # nobody is there: at once
    limiter.record(0.01)
    for step in range(20_000):
        now += 0.001
        for one in [one for one in ends if one[0] <= now]:
            ends.remove(one)
            under_way[one[1]] -= 1
        wait = limiter.delay(now, under_way[step % 10])
        if wait is None:
            refused += 1
        else:
            limiter.record(0.01)
            busy += 0.01
            under_way[step % 10] += 1
            ends.append((now + wait + 0.01, step % 10))
        if step % 1000 == 999:
            honest = limiter.delay(now)
            assert honest is not None
            limiter.record(0.01)
            waits.append(honest)
    assert busy <= STRANGERS_SHARE * (20 + BURST + MAX_DELAY)
    assert refused > 10_000
    assert max(waits) < 0.75 * MAX_DELAY
    assert limiter.delay(now + 60) == 0  # and it is forgotten


def test_a_flood_of_requests_is_refused_before_who_is_signed_in_waits(small: Place) -> None:
    browser = small.browser(PLAYER)
    small.server.clients.limiter.due = time.monotonic() + 3600
    status, told, headers = small.browser(None).ask("GET", "/api/table")
    assert (status, told["error"], headers["Retry-After"]) == (503, "busy", "5")
    for _ in range(3):
        assert browser.get("/api/table")["role"] == "player"
    small.server.clients.limiter.due = 0.0
    assert small.browser(None).get("/api/table")["role"] == "viewer"
    assert small.server.clients.limiter.due > 0


class Stub:
    def close(self) -> None:
        self.closed = True


def client(address: str, **more: object) -> Client:
    return Client(Stub(), address, 1, **more)  # type: ignore[arg-type]


def test_the_greediest_address_makes_room() -> None:
    room = Clients(max_clients=4)
    greedy = [client("a") for _ in range(3)]
    other = client("b")
    assert all(map(room.admit, [other, *greedy]))
    late = client("c")
    assert room.admit(late)
    assert list(room.connected) == [other, *greedy[1:], late]
    for one in room.connected:
        one.activity = Activity.REQUESTING
    assert not room.admit(client("d"))  # nobody waits idly
    other.activity, other.priority = Activity.IDLE, Priority.SIGNED_IN
    assert not room.admit(client("d"))  # who is signed in does not have to go
    many = Clients(max_clients=MAX_PER_ADDRESS)
    assert all(many.admit(client("a", priority=Priority.SIGNED_IN)) for _ in range(MAX_PER_ADDRESS))
    assert many.admit(client("b"))  # unless he has a crowd of his own
    for one in many.connected:
        one.priority = Priority.REFEREE
    assert not many.admit(client("c"))


def test_the_room_is_as_large_as_the_system_allows() -> None:
    """Files that may be open are raised where they may be, and read where they may not."""
    script = """
import resource, sys
from web.clients import open_clients
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
room = open_clients()
print(room.max_clients, room.max_streams, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""
    for soft, hard in ((256, 256), (256, 4096), (1024, 1024)):
        command = [sys.executable, "-c", script, str(soft), str(hard)]
        told = subprocess.run(command, capture_output=True, text=True, check=True)
        most, streams, files = map(int, told.stdout.split())
        assert files == hard
        assert 16 <= streams < most < files - 64
    assert open_clients().max_clients > 100


@pytest.mark.parametrize("files", [256, pytest.param(1024, marks=pytest.mark.soak)])
def test_a_table_of_few_files_outlives_a_crowd(files: int, tmp_path: Path) -> None:
    """The whole companion, held to as few files as systems give: 130 idle connections ended it once, and 768 where it
    may have 1 024. More come than there are files; the game goes on, its page too, and it ends when it is asked to."""
    limited = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "limited", *COMPANION]
    command = [*limited, "demo", "--game", "t-for-two", "--port", "0", "--sim", "pace=20", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        assert table.stderr is not None
        port = int(table.stdout.readline().rpartition(":")[2].strip("/\n"))
        here = Browser(port)
        with ExitStack() as crowds:
            crowds.enter_context(held(port, files, b"", "127.0.0.9"))
            crowds.enter_context(held(port, 40, GET + b"\r\n", "127.0.0.7"))
            here.ask("GET", "/")  # who sits at the machine is let in as the referee
            table.send_signal(signal.SIGSTOP)
            try:
                crowds.enter_context(held(port, files // 2, HALF, "127.0.0.8"))
            finally:
                table.send_signal(signal.SIGCONT)  # and they come in all at once
            before = played(here)
            until = time.monotonic() + 120
            while played(here) == before:
                assert time.monotonic() < until
                assert table.poll() is None
            fds = len(list(Path(f"/proc/{table.pid}/fd").iterdir()))
            assert fds < files
        assert here.get("/api/table")["role"] == "referee"
        table.terminate()
        assert table.wait(60) == 130  # as interrupted
        assert "open files" not in table.stderr.read()


def played(browser: Browser) -> tuple[int, int]:
    """Which game is played, and how far."""
    state = browser.get("/api/table")
    return state["id"], len(state["moves"])


@pytest.mark.soak
def test_a_thousand_connections_at_full_size(tmp_path: Path) -> None:
    """768 idle ones ended the process once, where 1 024 files may be open; here it may be 1 024 too."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with served(tmp_path, "hepta") as place:
        browser = place.browser()
        with (
            held(place.port, 1000, b"", "127.0.0.9"),
            held(place.port, 300, HALF, "127.0.0.8"),
            held(place.port, 500, STREAM, "127.0.0.7"),
        ):
            for _ in range(50):
                began = time.monotonic()
                assert browser.get("/api/table")["role"] == "referee"
                assert time.monotonic() - began < 2.0
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] == limits[1]
