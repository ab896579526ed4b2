"""A hall on a free port, its database, and tables that play by themselves."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from companion.commands.hall import _fingerprint
from companion.hall.database import open_database
from companion.hall.desk import Desk
from companion.hall.keys import Key
from companion.hall.state import Role
from companion.hall.uplink import Uplink
from companion.kit.hall_papers import papers_pdf
from companion.store import open_store
from companion.table.host import Host
from tests.parts import lacking
from tests.web.serving import settings
from web.hall.app import create_hall_app
from web.serve import Server, listen

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds; the machine may be busy
ARBITER, REFEREE = "arbiter-pin", "referee-pin"


def wait_until(
    condition: Callable[[], object], what: str = "", patience: float = PATIENCE, why: Callable[[], str] = str
) -> None:
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until, f"waited in vain: {what}\n{why()}"
        time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Asker:
    """A browser, or a table, that asks the hall."""

    def __init__(self, port: int, key: str = "") -> None:
        self.port, self.key, self.cookie = port, key, ""

    def ask(self, method: str, path: str, body: Any = None, kind: str = "application/json") -> tuple[int, Any]:
        headers = {"Content-Type": kind} if body is not None else {}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        if self.cookie:
            headers["Cookie"] = self.cookie
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, sent, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if found := answer.getheader("Set-Cookie"):
            self.cookie = found.partition(";")[0]
        is_json = "json" in answer.getheader("Content-Type", "")
        return answer.status, json.loads(content) if is_json else content

    def get(self, path: str) -> Any:
        status, told = self.ask("GET", path)
        assert status == 200, told
        return told

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        found, told = self.ask("POST", path, {} if body is None else body)
        assert found == status, told
        return told

    def log_in(self, pin: str) -> Asker:
        self.post("/api/login", {"pin": pin})
        return self


class Hall:
    """What is served, in this process."""

    def __init__(self, desk: Desk, port: int, scheme: str = "http") -> None:
        self.desk, self.port = desk, port
        self.url = f"{scheme}://127.0.0.1:{port}"

    def arbiter(self) -> Asker:
        return Asker(self.port).log_in(ARBITER)

    def referee(self) -> Asker:
        return Asker(self.port).log_in(REFEREE)


@contextmanager
def served_hall(url: str, port: int = 0, certificate: tuple[Path, Path] | None = None) -> Iterator[Hall]:
    with ExitStack() as stack:
        database = open_database(url)
        stack.callback(database.close)
        desk = Desk(database)
        desk.catch_up()
        if not desk.state.persons:
            desk.do("test", "hall", {"name": "Town hall"})
            desk.add_person("test", "Anne", Role.ARBITER, ARBITER)
            desk.add_person("test", "Ray", Role.REFEREE, REFEREE)
        found = listen("127.0.0.1", port)
        print_of = _fingerprint(certificate) if certificate else ""
        app = create_hall_app(
            desk, port=found.getsockname()[1], secure=bool(certificate), fingerprint=print_of, printer=papers_pdf
        )
        server = Server(app, found, certificate)
        thread = threading.Thread(target=server.run)
        thread.start()
        stack.callback(thread.join)
        stack.callback(server.stop)
        yield Hall(desk, found.getsockname()[1], "https" if certificate else "http")


@contextmanager
def table_at(folder: Path, url: str, key: Key | str, **changes: Any) -> Iterator[Host]:
    """A table without a camera that is in a hall."""
    with open_store(folder) as store:
        host = Host(store, settings(folder, **changes))
        with Uplink(host, url, str(key)) as host.hall, host:
            yield host


def play_out(host: Host, winner: str | None = None, moves: int = 2, pace: float = 0) -> None:
    """A few moves, and one of the players gives up, or they agree on a draw."""
    for _ in range(moves):
        time.sleep(pace)
        position = host.state.position
        move = str(next(position.moves()))
        host.do(lambda move=move: host.game.play([move]))  # type: ignore[misc]
    why = "resigned" if winner else "agreed"
    host.do(lambda: host.game.end(winner, why))


# --- PostgreSQL from Debian's packages


class Postgres:
    """A server of our own on loopback, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._command: list[str] = []
        self.url = f"postgresql://hall@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        command = [_binary("postgres"), "-D", str(self.folder), "-p", str(self.port), "-h", "127.0.0.1", "-k", ""]
        command += ["-c", "fsync=on", "-c", "max_connections=120"]
        self._command = command
        self._run()
        wait_until(self._answers, "PostgreSQL")

    def _run(self) -> None:
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(self._command, stdout=quiet, stderr=quiet, **_as_nobody())

    def _answers(self) -> bool:
        import psycopg

        assert self.process
        if self.process.poll() is not None:  # the memory of one that was killed was not yet free
            self._run()
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    def kill(self) -> None:
        """At once, with all that it started."""
        assert self.process
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        for pid in (str(self.process.pid), *children):
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:  # nothing in it is needed any more
                self.kill()


def _binary(name: str) -> str:
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / name).exists():
            return str(folder / name)
    found = shutil.which(name)
    if not found:
        lacking("postgresql is not installed: the hall is tested with SQLite only")
    return found


def _as_nobody() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    return {"user": "postgres"} if os.geteuid() == 0 else {}


@contextmanager
def postgres() -> Iterator[Postgres]:
    initdb = _binary("initdb")
    with tempfile.TemporaryDirectory(prefix="hall-postgres-") as made:
        folder = Path(made) / "data"
        folder.mkdir()
        if os.geteuid() == 0:
            for path in (Path(made), folder):
                shutil.chown(path, "postgres")
        subprocess.run([initdb, "-D", folder, "-U", "hall", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
            check=True, stdout=subprocess.DEVNULL, **_as_nobody())  # fmt: skip
        server = Postgres(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


# --- processes of their own


def broker(folder: Path, port: int) -> list[str]:
    """The command of a mosquitto of our own."""
    found = shutil.which("mosquitto") or next(iter(map(str, Path("/usr/sbin").glob("mosquitto"))), None)
    if not found:
        lacking("mosquitto is not installed: presence is not tested")
    file = folder / "mosquitto.conf"
    file.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    return [found, "-c", str(file)]


def companion(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "companion", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, **more)
