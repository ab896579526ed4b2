"""A real server on a free port, and a small browser to ask it."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from companion.settings import SETTINGS, Settings
from companion.store import open_store
from companion.table.demo import Demo
from companion.table.host import Host
from companion.table.starting import record_for
from web.app import create_app
from web.kit import Printer
from web.people import People
from web.serve import Server, listen

PLAYER, REFEREE = "11111111", "22222222"


def settings(folder: Path, **changes: Any) -> Settings:
    usual = {name: setting.check(setting.default) for name, setting in SETTINGS.items()}
    return Settings(**usual)._replace(**{"data": str(folder), "camera": "none", "shared_machine": "yes", **changes})


class Browser:
    """Keeps its cookies; otherwise it sends what it is told."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.set_cookie = ""

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, decode: bool = True
    ) -> tuple[int, Any, http.client.HTTPMessage]:
        sent = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if found := answer.getheader("Set-Cookie"):
            self.set_cookie = found
            for name, morsel in SimpleCookie(found).items():
                self.cookies[name] = morsel.value
        kind = answer.getheader("Content-Type", "")
        return answer.status, json.loads(content) if decode and "json" in kind else content, answer.headers

    def get(self, path: str) -> Any:
        status, told, _ = self.ask("GET", path)
        assert status == 200, told
        return told

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        found, told, _ = self.ask("POST", path, {} if body is None else body)
        assert found == status, told
        return told

    def log_in(self, pin: str = REFEREE) -> Browser:
        self.post("/api/login", {"pin": pin})
        return self


class Events:
    """A viewer of the live stream."""

    def __init__(self, port: int, path: str = "/api/events", last: int | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.connection.request("GET", path, headers={} if last is None else {"Last-Event-ID": str(last)})
        self.answer = self.connection.getresponse()

    def next(self) -> tuple[int, dict[str, Any]]:
        """The next state, with its event's number."""
        number = 0
        while line := self.answer.readline().decode():
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("data: "):
                return number, json.loads(line[6:])
        raise EOFError

    def close(self) -> None:
        if self.connection.sock:
            self.connection.sock.close()
        self.answer.close()


class Place:
    """What is being served."""

    def __init__(self, host: Host, server: Server, port: int) -> None:
        self.host, self.server, self.port = host, server, port

    def browser(self, pin: str | None = REFEREE, seats: list[str] | None = None) -> Browser:
        found = Browser(self.port).log_in(pin) if pin else Browser(self.port)
        if seats is not None:
            found.post("/api/seat", {"seats": seats})
        return found

    def events(self, last: int | None = None) -> Events:
        return Events(self.port, last=last)


@contextmanager
def served(
    folder: Path,
    game: str | None = None,
    demo: Demo | None = None,
    *,
    keeps: bool = False,
    people: People | None = None,
    address: str = "127.0.0.1",
    printer: Printer | None = None,
    **changes: Any,
) -> Iterator[Place]:
    with ExitStack() as stack:
        store = stack.enter_context(open_store(folder))
        # this machine is everybody's, so that tests come in as others do
        host = Host(store, settings(folder, **changes), demo=demo, keeps_settings=keeps)
        if game:
            host.open(store.new_game(record_for(host.camera, game, {}), "person"))
        found: socket.socket = listen("127.0.0.1", 0)
        port = found.getsockname()[1]
        app = create_app(host, people or People(PLAYER, REFEREE), address=address, port=port, printer=printer)
        server = Server(app, found)
        stack.enter_context(host)
        thread = threading.Thread(target=server.run)
        thread.start()
        stack.callback(thread.join)
        stack.callback(server.stop)
        yield Place(host, server, port)
