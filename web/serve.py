"""Serving the app by tornado, in our own process next to the table's thread.

Flask answers in a few threads, some of which are kept for who is signed in, some for referees. What only tells the
state in memory is answered in the event loop itself, as long as that takes no time. An answer without end
(`web.access.stream`) is sent from tornado's event loop instead: hundreds of viewers hold no threads, and one who takes
nothing makes nobody wait. Who may be connected is minded by `web.crowd`. All of it is done by tornado's documented
interface: a `TCPServer` whose streams become an `HTTP1ServerConnection` each, with delegates for requests, which write
to their connection, or detach it.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast
from urllib.parse import unquote_to_bytes

from flask import Flask
from tornado.http1connection import HTTP1Connection, HTTP1ConnectionParameters, HTTP1ServerConnection
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import IOStream, StreamClosedError
from tornado.tcpserver import TCPServer

from companion.errors import BadInput
from companion.messages import LANGUAGES, say_bad
from web.access import STREAM, Follow
from web.crowd import SHARE, Crowd, Doing, Guest, Rank, crowd
from web.safety import HEADERS, MOST_JSON, MOST_PICTURE, Refused

# In which Flask answers, by who asks. They share one interpreter with the table's own thread: more of them would make
# it wait, and would answer no faster.
THREADS = {Rank.STRANGER: 6, Rank.SIGNED_IN: 6, Rank.REFEREE: 4}
QUICK = 0.003  # seconds of computing up to which no thread is asked: to wake one, and to be woken by it, takes longer
FORGET = 0.9  # what an answer took counts for less with each that follows
NEARBY = 50  # ports that are tried where any will do
MOST_HEADERS = 16 << 10  # bytes
MORE = 1 << 20  # bytes that are read beyond what is taken, so that somebody can be told that it is too much
HEADERS_IN = 15.0  # seconds in which a request must have come, and for which a connection is kept for the next
BODY_IN, PICTURE_IN = 10.0, 60.0  # seconds in which its body must have come
TAKEN_IN = 20.0  # seconds in which an answer must have been taken
SWEEP = 2.0  # seconds between looks at who takes nothing
BACKLOG = 512
LINE = 32  # connections that wait for room, besides those that there is room for
PATIENCE = 2.0  # seconds that they wait
PICTURES = "/api/camera/frame"
GRACE = 2.0  # seconds that answers have to end when we do


def listen(address: str, port: int) -> socket.socket:
    """A socket to be asked at. BadInput says what hinders it."""
    try:
        family, _, _, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        found = socket.socket(family, socket.SOCK_STREAM)
    except OSError:
        raise BadInput("--host", "no-such-address", address=address) from None
    try:
        if os.name == "posix":  # there it does not let two listen at one port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(place)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise BadInput("--port", "port-in-use", port=port) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise BadInput("--host", "no-such-address", address=address) from None
        raise BadInput("--port", "port-refused", port=port, error=error.strerror) from None
    return found


def listen_nearby(address: str, port: int) -> socket.socket:
    """A socket at this port, or at the next one that is free."""
    for candidate in range(port, min(port + NEARBY, 65_535)):
        try:
            return listen(address, candidate)
        except BadInput as bad:
            if bad.code != "port-in-use":
                raise
    return listen(address, 0)


class Live(Protocol):
    """What sends answers without end, in the server's event loop."""

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None: ...

    def close(self) -> None: ...


class Known(Protocol):
    """Those who are signed in, by the word that their browsers hold."""

    def rank(self, word: str) -> Rank: ...


class Server:
    """The app at a socket. `run` serves until `stop` is called, from any thread or by a signal."""

    def __init__(self, app: Flask, found: socket.socket, certificate: tuple[Path, Path] | None = None) -> None:
        self.app, self.socket, self.certificate = app, found, certificate
        self.interrupted = False
        self.crowd = app.extensions["crowd"] = crowd(app.extensions.get("most_streams"))
        self._stopped = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_serving = asyncio.Event()

    def run(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for name in (signal.SIGINT, signal.SIGTERM):
                signal.signal(name, self._interrupt)
        logging.getLogger("tornado").setLevel(logging.CRITICAL)  # what goes wrong in the app is logged there
        try:
            asyncio.run(self._serve())
        finally:
            self._broadcast.close()

    def stop(self) -> None:
        self._stopped.set()
        self._broadcast.close()
        if self._loop:
            with suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._stop_serving.set)

    def stop_after(self, event: threading.Event) -> None:
        event.wait()
        self.stop()

    def _interrupt(self, *_: object) -> None:
        self.interrupted = True
        self.stop()

    @property
    def _broadcast(self) -> Live:
        return cast(Live, self.app.extensions["broadcast"])

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._broadcast.attach(self._loop)
        answers = Answers(self.app, self.crowd, "https" if self.certificate else "http", self.socket.getsockname()[1])
        entrance = Entrance(answers, self._tls())
        self.socket.setblocking(False)
        entrance.add_socket(self.socket)
        sweeping = self._loop.create_task(answers.sweep())
        if not self._stopped.is_set():
            await self._stop_serving.wait()
        entrance.stop()
        sweeping.cancel()
        await answers.end()
        self._broadcast.attach(None)

    def _tls(self) -> ssl.SSLContext | None:
        if not self.certificate:
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*self.certificate)
        return context


class Entrance(TCPServer):
    """Where connections come in."""

    PARAMETERS = HTTP1ConnectionParameters(
        max_header_size=MOST_HEADERS, header_timeout=HEADERS_IN, max_body_size=MOST_JSON + MORE, body_timeout=BODY_IN
    )

    def __init__(self, answers: Answers, tls: ssl.SSLContext | None) -> None:
        super().__init__(ssl_options=tls)
        self._answers = answers
        self._in_line: Counter[str] = Counter()  # by address

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> Awaitable[None] | None:
        """Room is made at once: a hundred connections are accepted in a row, and each is an open file."""
        guest = Guest(stream, str(address[0]).partition("%")[0], int(address[1]))
        if self._answers.crowd.come(guest):
            self._serve(guest)
            return None
        if self._in_line.total() < LINE and self._in_line[guest.address] < LINE // SHARE:
            self._in_line[guest.address] += 1
            return self._wait(guest)
        self._turn_away(guest)
        return None

    def _serve(self, guest: Guest) -> None:
        guest.stream.set_close_callback(lambda: self._answers.crowd.leave(guest))
        HTTP1ServerConnection(guest.stream, self.PARAMETERS, guest).start_serving(Requests(self._answers, guest))

    def _turn_away(self, guest: Guest) -> None:
        """It is not even read what is wanted."""
        guest.stream.write(NO_ROOM)
        guest.stream.close()

    async def _wait(self, guest: Guest) -> None:
        """While all others are being answered, a few stand in line until one of them is done."""
        until = time.monotonic() + PATIENCE
        try:
            while not (found := self._answers.crowd.come(guest)) and time.monotonic() < until:
                await asyncio.sleep(0.02)
        finally:
            self._in_line[guest.address] -= 1
        if found:
            self._serve(guest)
        else:
            self._turn_away(guest)


class Requests(HTTPServerConnectionDelegate):
    """The requests of one connection, one after another."""

    def __init__(self, answers: Answers, guest: Guest) -> None:
        self._answers, self._guest = answers, guest

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        return Answer(self._answers, self._guest, cast(HTTP1Connection, request_conn))

    def on_close(self, server_conn: object) -> None:
        if self._guest.doing is not Doing.WATCHING:  # a viewer's connection is not the server's any more
            self._answers.crowd.leave(self._guest)


class Answers:
    """Answers requests by the app. Everything but the app itself happens in the event loop."""

    def __init__(self, app: Flask, crowd: Crowd, scheme: str, port: int) -> None:
        self.app, self.crowd = app, crowd
        self.stream_paths: tuple[str, ...] = app.extensions["stream_paths"]
        self.people, self.cookie = cast(Known, app.extensions["people"]), str(app.extensions["cookie"])
        self.threads = {rank: ThreadPoolExecutor(count, f"answer-{rank}") for rank, count in THREADS.items()}
        self.computing = dict.fromkeys(app.extensions["quick_paths"], 0.0)  # seconds, of what tells what is in memory
        self.under_way: set[asyncio.Task[None]] = set()
        self.environ = {
            "SCRIPT_NAME": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": str(port),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": scheme,
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,  # a body is there as a whole, whether its length was told or not
        }

    async def run(self, asked: RequestStartLine, rank: Rank, environ: dict[str, Any]) -> tuple[Response, float]:
        """What the app answers, and how many seconds it has computed."""
        usual = self.computing.get(asked.path) if asked.method == "GET" else None
        if usual is not None and usual < QUICK:
            response, seconds = _run(self.app, environ)
        else:
            loop = asyncio.get_running_loop()
            response, seconds = await loop.run_in_executor(self.threads[rank], _run, self.app, environ)
        if usual is not None:
            self.computing[asked.path] = max(seconds, FORGET * usual)
        return response, seconds

    async def sweep(self) -> None:
        """Who does not take his answer is sent home."""
        while True:
            await asyncio.sleep(SWEEP)
            now = time.monotonic()
            for guest in tuple(self.crowd.guests):
                if guest.sent_at is not None and now - guest.sent_at > TAKEN_IN:
                    guest.stream.close()

    async def end(self) -> None:
        """Answers under way have a moment to end, those without end have none."""
        for guest in self.crowd.watching:
            guest.stream.close()
        if self.under_way:
            await asyncio.wait(self.under_way, timeout=GRACE)
        for task in self.under_way:
            task.cancel()
        for guest in tuple(self.crowd.guests):
            guest.stream.close()
        for threads in self.threads.values():
            threads.shutdown(wait=False, cancel_futures=True)


class Answer(HTTPMessageDelegate):
    """The answer to one request."""

    def __init__(self, answers: Answers, guest: Guest, connection: HTTP1Connection) -> None:
        self._answers, self._guest, self._connection = answers, guest, connection
        self._body: list[bytes] = []
        self._response: Response | None = None

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        assert isinstance(start_line, RequestStartLine)
        self._start_line, self._headers = start_line, headers
        guest, answers = self._guest, self._answers
        guest.rank = answers.people.rank(_cookie(headers.get("Cookie", ""), answers.cookie))
        path = start_line.path.partition("?")[0]
        if path == PICTURES and guest.rank is not Rank.STRANGER:
            self._connection.set_max_body_size(MOST_PICTURE + MORE)
            self._connection.set_body_timeout(PICTURE_IN)
        return self._begin_stream() if start_line.method == "GET" and path in self._answers.stream_paths else None

    def data_received(self, chunk: bytes) -> None:
        self._body.append(chunk)

    def finish(self) -> None:
        """The request is there as a whole; who has sent half of one is still waiting."""
        self._guest.doing = Doing.ASKING
        task = asyncio.get_running_loop().create_task(self._answer())
        self._answers.under_way.add(task)
        task.add_done_callback(self._answers.under_way.discard)

    def on_connection_close(self) -> None:
        self._answers.crowd.leave(self._guest)

    async def _answer(self) -> None:
        response = self._response or await self._ask_app([])
        headers = HTTPHeaders()
        for name, value in response.headers:
            headers.add(name, value)
        guest = self._guest
        guest.sent_at = time.monotonic()
        with suppress(StreamClosedError):
            status = ResponseStartLine("HTTP/1.1", *response.status)
            taken = self._connection.write_headers(status, headers, response.body)
            self._connection.finish()
            await taken
            if ("Connection", "close") in response.headers:
                guest.stream.close()
        guest.sent_at = None
        self._answers.crowd.answered(guest)

    async def _begin_stream(self) -> None:
        """Where the app consents, the connection is a viewer's from now on; it ends with the answer."""
        self._guest.doing = Doing.ASKING
        follows: list[Follow] = []
        self._response = await self._ask_app(follows)
        guest, crowd = self._guest, self._answers.crowd
        if not follows:
            return  # it is refused like any other request
        if not crowd.watch(guest):  # somebody else was faster
            guest.stream.close()
            return
        stream = self._connection.detach()
        if stream.closed():
            crowd.leave(guest)
            return
        head = [f"HTTP/1.1 {self._response.status[0]} {self._response.status[1]}", "Connection: close"]
        head += [f"{name}: {value}" for name, value in self._response.headers if name != "Content-Length"]
        stream.write("\r\n".join([*head, "", ""]).encode("latin-1"))
        leave = follows[0](stream)

        def gone() -> None:
            crowd.leave(guest)
            leave()

        if stream.closed():
            gone()
        else:
            stream.set_close_callback(gone)

    async def _ask_app(self, follows: list[Follow]) -> Response:
        guest, answers = self._guest, self._answers
        if not answers.crowd.may_ask(guest):
            return _busy(self._start_line.path, self._headers)
        environ = self._environ() | {STREAM: follows}
        rank, pace = guest.rank, answers.crowd.pace
        with answers.crowd.asks(guest):
            if rank is Rank.STRANGER:
                others = answers.crowd.asking[rank][guest.address] - 1
                wait = pace.turn(time.monotonic(), others)
                if wait is None:
                    return _busy(self._start_line.path, self._headers)
                if wait:
                    await asyncio.sleep(wait)
            response, seconds = await answers.run(self._start_line, rank, environ)
            if rank is Rank.STRANGER:
                pace.took(seconds)
            return response

    def _environ(self) -> dict[str, Any]:
        """The request as WSGI has it."""
        path, _, query = self._start_line.path.partition("?")
        environ = self._answers.environ | {
            "REQUEST_METHOD": self._start_line.method,
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "REMOTE_ADDR": self._guest.address,
            "REMOTE_PORT": str(self._guest.port),
            "SERVER_PROTOCOL": self._start_line.version,
            "wsgi.input": BytesIO(b"".join(self._body)),
        }
        for name, value in self._headers.items():
            if "_" not in name:  # it would look like another header
                key = name.upper().replace("-", "_")
                environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
        return environ


def _cookie(header: str, name: str) -> str:
    """A cookie of ours, whose value needs no quotes."""
    for part in header.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""


class Response(NamedTuple):
    status: tuple[int, str]
    headers: list[tuple[str, str]]
    body: bytes


NO_ROOM = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def _busy(path: str, headers: HTTPHeaders) -> Response:
    """Quickly said, without the app."""
    preferred = headers.get("Accept-Language", "")[:2].lower()
    reason = say_bad(Refused(503, "busy"), preferred if preferred in LANGUAGES else "en")
    kind, body = "text/plain; charset=utf-8", f"{reason}\n"
    if path.startswith("/api/"):
        kind, body = "application/json", json.dumps({"error": "busy", "reason": reason})
    told = body.encode()
    about = [("Content-Type", kind), ("Content-Length", str(len(told))), ("Retry-After", "5")]
    return Response((503, "Service Unavailable"), [*about, *HEADERS.items()], told)


def _run(app: Flask, environ: dict[str, Any]) -> tuple[Response, float]:
    """What the app answers, and how many seconds it has computed; in one of the threads."""
    began = time.thread_time()
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], error: object = None) -> Callable[[bytes], object]:
        started.append((status, headers))
        return lambda _: None

    parts = app(environ, start_response)
    try:
        body = b"".join(parts)
    finally:
        if hasattr(parts, "close"):
            parts.close()
    status, headers = started[-1]
    code, _, reason = status.partition(" ")
    return Response((int(code), reason), headers, body), time.thread_time() - began
