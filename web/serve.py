"""Serving the app by tornado, in our own process next to the table's thread.

Flask answers in a few threads. An answer without end (`web.access.stream`) is sent from tornado's event loop instead:
hundreds of viewers hold no threads, and one who takes nothing makes nobody wait. All of it is done by tornado's
documented interface: an `HTTPServer` with delegates for requests, which write to their connection, or detach it.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from flask import Flask
from tornado.http1connection import HTTP1Connection
from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    HTTPServerRequest,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import StreamClosedError
from tornado.wsgi import WSGIContainer

from companion.errors import BadInput
from web.access import STREAM, Follow, Streams
from web.safety import MOST_PICTURE

THREADS = 32  # in which Flask answers
NEARBY = 50  # ports that are tried where any will do
MOST_HEADERS = 16 << 10  # bytes
MOST_BODY = MOST_PICTURE + (1 << 20)  # bytes that are read before somebody is told that it is too much
IDLE = 15.0  # seconds for which a connection is kept for the next request
SLOW = 60.0  # seconds in which a body must have come
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
        found.listen(512)
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


class Server:
    """The app at a socket. `run` serves until `stop` is called, from any thread or by a signal."""

    def __init__(self, app: Flask, found: socket.socket, certificate: tuple[Path, Path] | None = None) -> None:
        self.app, self.socket, self.certificate = app, found, certificate
        self.interrupted = False
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
        answers = Answers(self.app)
        server = HTTPServer(
            answers,
            ssl_options=self._tls(),
            max_header_size=MOST_HEADERS,
            max_body_size=MOST_BODY,
            idle_connection_timeout=IDLE,
            body_timeout=SLOW,
        )
        self.socket.setblocking(False)
        server.add_socket(self.socket)
        if not self._stopped.is_set():
            await self._stop_serving.wait()
        server.stop()
        await answers.end()
        with suppress(TimeoutError):
            await asyncio.wait_for(server.close_all_connections(), GRACE)
        self._broadcast.attach(None)

    def _tls(self) -> ssl.SSLContext | None:
        if not self.certificate:
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*self.certificate)
        return context


class Answers(HTTPServerConnectionDelegate):
    """Answers requests by the app. Everything but the app itself happens in the event loop."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.environ = WSGIContainer(app).environ
        self.streams = cast(Streams, app.extensions["streams"])
        self.stream_paths: tuple[str, ...] = app.extensions["stream_paths"]
        self.threads = ThreadPoolExecutor(THREADS, "answer")
        self.under_way: set[asyncio.Task[None]] = set()

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        return Answer(self, request_conn)

    async def end(self) -> None:
        """Answers under way have a moment to end, those without end have none."""
        for stream in tuple(self.streams):
            stream.close()
        if self.under_way:
            await asyncio.wait(self.under_way, timeout=GRACE)
        for task in self.under_way:
            task.cancel()
        self.threads.shutdown(wait=False, cancel_futures=True)


class Answer(HTTPMessageDelegate):
    """The answer to one request."""

    def __init__(self, answers: Answers, connection: HTTPConnection) -> None:
        self._answers, self._connection = answers, cast(HTTP1Connection, connection)
        self._body: list[bytes] = []
        self._response: Response | None = None

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        self._request = HTTPServerRequest(
            connection=self._connection, start_line=cast(RequestStartLine, start_line), headers=headers
        )
        is_stream = self._request.method == "GET" and self._request.path in self._answers.stream_paths
        return self._begin_stream() if is_stream else None

    def data_received(self, chunk: bytes) -> None:
        self._body.append(chunk)

    def finish(self) -> None:
        """The request is there as a whole."""
        task = asyncio.get_running_loop().create_task(self._answer())
        self._answers.under_way.add(task)
        task.add_done_callback(self._answers.under_way.discard)

    async def _answer(self) -> None:
        self._request.body = b"".join(self._body)
        response = self._response or await self._ask_app([])
        headers = HTTPHeaders()
        for name, value in response.headers:
            headers.add(name, value)
        with suppress(StreamClosedError):
            self._connection.write_headers(ResponseStartLine("HTTP/1.1", *response.status), headers, response.body)
            self._connection.finish()

    async def _begin_stream(self) -> None:
        """Where the app consents, the connection is a viewer's from now on; it ends with the answer."""
        follows: list[Follow] = []
        self._response = await self._ask_app(follows)
        if not follows:
            return  # it is refused like any other request
        stream, streams = self._connection.detach(), self._answers.streams
        if stream.closed():
            return
        head = [f"HTTP/1.1 {self._response.status[0]} {self._response.status[1]}", "Connection: close"]
        head += [f"{name}: {value}" for name, value in self._response.headers if name != "Content-Length"]
        stream.write("\r\n".join([*head, "", ""]).encode("latin-1"))
        leave = follows[0](stream)
        streams.add(stream)

        def gone() -> None:
            streams.discard(stream)
            leave()

        if stream.closed():
            gone()
        else:
            stream.set_close_callback(gone)

    async def _ask_app(self, follows: list[Follow]) -> Response:
        try:
            environ = self._answers.environ(self._request)
        except ValueError:  # a port that is no number
            return Response((400, "Bad Request"), [("Content-Length", "0")], b"")
        # the body is there as a whole, whether its length was told or not
        environ |= {"wsgi.input_terminated": True, STREAM: follows}
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._answers.threads, _run, self._answers.app, environ)


class Response(NamedTuple):
    status: tuple[int, str]
    headers: list[tuple[str, str]]
    body: bytes


def _run(app: Flask, environ: dict[str, Any]) -> Response:
    """What the app answers; in one of the threads."""
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
    return Response((int(code), reason), headers, body)
