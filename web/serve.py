"""The HTTP server: the Flask app in tornado, in the same process as the table's thread.

Flask runs in a few threads, with pools of their own for signed-in clients and for referees. Requests that only
serialize state in memory run in the event loop itself, as long as they are fast. Streams (`web.access.stream`) are sent
from the event loop too: hundreds of viewers hold no threads, and a slow one delays nobody. `web.clients` limits the
connections. Only tornado's documented interface is used: a `TCPServer` whose streams become `HTTP1ServerConnection`s
with delegates for requests, which write to their connection or detach it.
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
from web.clients import SHARE, Activity, Client, Clients, Priority, open_clients
from web.safety import HEADERS, MAX_JSON, MAX_PICTURE, Refused

# Threads for Flask, by priority. They share one interpreter with the table's thread: more of them would only slow it.
THREADS = {Priority.STRANGER: 6, Priority.SIGNED_IN: 6, Priority.REFEREE: 4}
INLINE_LIMIT = 0.003  # seconds; faster requests run in the event loop, since switching to a thread takes longer
DECAY = 0.9  # by which a measured time counts less with each later request
PORTS_TRIED = 50  # when any free port will do
MAX_HEADERS = 16 << 10  # bytes
BODY_MARGIN = 1 << 20  # bytes read beyond the allowed size, so that the client gets an error instead of a reset
HEADERS_TIMEOUT = 15.0  # seconds for a request's headers, and for keep-alive
BODY_TIMEOUT, PICTURE_TIMEOUT = 10.0, 60.0  # seconds for a request's body
SEND_TIMEOUT = 20.0  # seconds in which a client must receive a response
SWEEP_INTERVAL = 2.0  # seconds between checks of that
BACKLOG = 512
QUEUE_LENGTH = 32  # connections that wait in a queue when all places are taken
QUEUE_TIMEOUT = 2.0  # seconds in that queue
PICTURES = "/api/camera/frame"
SHUTDOWN_TIMEOUT = 2.0  # seconds for requests in flight when the server stops


def listen(address: str, port: int) -> socket.socket:
    """Open a listening socket. BadInput says why it cannot be opened."""
    try:
        family, _, _, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError:
        raise BadInput("--host", "no-such-address", address=address) from None
    try:
        if os.name == "posix":  # on Windows this option would let two processes listen at one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise BadInput("--port", "port-in-use", port=port) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise BadInput("--host", "no-such-address", address=address) from None
        raise BadInput("--port", "port-refused", port=port, error=error.strerror) from None
    return listener


def listen_nearby(address: str, port: int) -> socket.socket:
    """Open a listening socket at this port, or at the next free one."""
    for candidate in range(port, min(port + PORTS_TRIED, 65_535)):
        try:
            return listen(address, candidate)
        except BadInput as bad:
            if bad.code != "port-in-use":
                raise
    return listen(address, 0)


class Broadcaster(Protocol):
    """Sends streams in the server's event loop."""

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None: ...

    def close(self) -> None: ...


class Sessions(Protocol):
    """The sessions, by the tokens of the browsers."""

    def priority(self, token: str) -> Priority: ...


class Server:
    """Serves the app at a socket. `run` returns after `stop` was called, from any thread or by a signal."""

    def __init__(self, app: Flask, listener: socket.socket, certificate: tuple[Path, Path] | None = None) -> None:
        self.app, self.socket, self.certificate = app, listener, certificate
        self.interrupted = False
        self.clients = app.extensions["clients"] = open_clients(app.extensions.get("most_streams"))
        self._stopped = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_serving = asyncio.Event()

    def run(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for name in (signal.SIGINT, signal.SIGTERM):
                signal.signal(name, self._interrupt)
        logging.getLogger("tornado").setLevel(logging.CRITICAL)  # the app logs its own errors
        try:
            asyncio.run(self._serve())
        finally:
            self._broadcast.close()

    def stop(self) -> None:
        self._stopped.set()
        self._broadcast.close()
        if self._loop:
            with suppress(RuntimeError):  # the loop has ended already
                self._loop.call_soon_threadsafe(self._stop_serving.set)

    def stop_after(self, event: threading.Event) -> None:
        event.wait()
        self.stop()

    def _interrupt(self, *_: object) -> None:
        self.interrupted = True
        self.stop()

    @property
    def _broadcast(self) -> Broadcaster:
        return cast(Broadcaster, self.app.extensions["broadcast"])

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._broadcast.attach(self._loop)
        dispatcher = Dispatcher(
            self.app, self.clients, "https" if self.certificate else "http", self.socket.getsockname()[1]
        )
        http_server = HttpServer(dispatcher, self._tls())
        self.socket.setblocking(False)
        http_server.add_socket(self.socket)
        sweeping = self._loop.create_task(dispatcher.sweep())
        if not self._stopped.is_set():
            await self._stop_serving.wait()
        http_server.stop()
        sweeping.cancel()
        await dispatcher.shut_down()
        self._broadcast.attach(None)

    def _tls(self) -> ssl.SSLContext | None:
        if not self.certificate:
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*self.certificate)
        return context


class HttpServer(TCPServer):
    """Accepts connections."""

    PARAMETERS = HTTP1ConnectionParameters(
        max_header_size=MAX_HEADERS,
        header_timeout=HEADERS_TIMEOUT,
        max_body_size=MAX_JSON + BODY_MARGIN,
        body_timeout=BODY_TIMEOUT,
    )

    def __init__(self, dispatcher: Dispatcher, tls: ssl.SSLContext | None) -> None:
        super().__init__(ssl_options=tls)
        self._dispatcher = dispatcher
        self._queued: Counter[str] = Counter()  # by address

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> Awaitable[None] | None:
        """Admit a client at once, since a hundred connections may be accepted in a row and each is an open file."""
        client = Client(stream, str(address[0]).partition("%")[0], int(address[1]))
        if self._dispatcher.clients.admit(client):
            self._serve(client)
            return None
        if self._queued.total() < QUEUE_LENGTH and self._queued[client.address] < QUEUE_LENGTH // SHARE:
            self._queued[client.address] += 1
            return self._wait_in_queue(client)
        self._reject(client)
        return None

    def _serve(self, client: Client) -> None:
        client.stream.set_close_callback(lambda: self._dispatcher.clients.remove(client))
        HTTP1ServerConnection(client.stream, self.PARAMETERS, client).start_serving(
            ConnectionDelegate(self._dispatcher, client)
        )

    def _reject(self, client: Client) -> None:
        """Respond with 503 without reading the request."""
        client.stream.write(NO_ROOM)
        client.stream.close()

    async def _wait_in_queue(self, client: Client) -> None:
        """Wait until a place is free; a few connections may do so."""
        until = time.monotonic() + QUEUE_TIMEOUT
        try:
            while not (listener := self._dispatcher.clients.admit(client)) and time.monotonic() < until:
                await asyncio.sleep(0.02)
        finally:
            self._queued[client.address] -= 1
        if listener:
            self._serve(client)
        else:
            self._reject(client)


class ConnectionDelegate(HTTPServerConnectionDelegate):
    """The requests of one connection, one after another."""

    def __init__(self, dispatcher: Dispatcher, client: Client) -> None:
        self._dispatcher, self._client = dispatcher, client

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        return RequestHandler(self._dispatcher, self._client, cast(HTTP1Connection, request_conn))

    def on_close(self, server_conn: object) -> None:
        if self._client.activity is not Activity.STREAMING:  # a stream's connection is detached from the server
            self._dispatcher.clients.remove(self._client)


class Dispatcher:
    """Runs requests in the app. Everything but the app itself happens in the event loop."""

    def __init__(self, app: Flask, clients: Clients, scheme: str, port: int) -> None:
        self.app, self.clients = app, clients
        self.stream_paths: tuple[str, ...] = app.extensions["stream_paths"]
        self.people, self.cookie = cast(Sessions, app.extensions["people"]), str(app.extensions["cookie"])
        self.threads = {
            priority: ThreadPoolExecutor(count, f"answer-{priority}") for priority, count in THREADS.items()
        }
        self.computing = dict.fromkeys(app.extensions["quick_paths"], 0.0)  # by path: average seconds of computing
        self.in_flight: set[asyncio.Task[None]] = set()
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
            "wsgi.input_terminated": True,  # the body is complete, also without a Content-Length
        }

    async def run(
        self, start_line: RequestStartLine, priority: Priority, environ: dict[str, Any]
    ) -> tuple[Response, float]:
        """The app's response, and the seconds that it has computed."""
        average = self.computing.get(start_line.path) if start_line.method == "GET" else None
        if average is not None and average < INLINE_LIMIT:
            response, seconds = _run(self.app, environ)
        else:
            loop = asyncio.get_running_loop()
            response, seconds = await loop.run_in_executor(self.threads[priority], _run, self.app, environ)
        if average is not None:
            self.computing[start_line.path] = max(seconds, DECAY * average)
        return response, seconds

    async def sweep(self) -> None:
        """Close the connections of clients that do not receive their response."""
        while True:
            await asyncio.sleep(SWEEP_INTERVAL)
            now = time.monotonic()
            for client in tuple(self.clients.connected):
                if client.sent_at is not None and now - client.sent_at > SEND_TIMEOUT:
                    client.stream.close()

    async def shut_down(self) -> None:
        """Close all streams at once, and other connections after a short time for requests in flight."""
        for client in self.clients.streaming:
            client.stream.close()
        if self.in_flight:
            await asyncio.wait(self.in_flight, timeout=SHUTDOWN_TIMEOUT)
        for task in self.in_flight:
            task.cancel()
        for client in tuple(self.clients.connected):
            client.stream.close()
        for threads in self.threads.values():
            threads.shutdown(wait=False, cancel_futures=True)


class RequestHandler(HTTPMessageDelegate):
    """Handles one request."""

    def __init__(self, dispatcher: Dispatcher, client: Client, connection: HTTP1Connection) -> None:
        self._dispatcher, self._client, self._connection = dispatcher, client, connection
        self._body: list[bytes] = []
        self._response: Response | None = None

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        assert isinstance(start_line, RequestStartLine)
        self._start_line, self._headers = start_line, headers
        client, dispatcher = self._client, self._dispatcher
        client.priority = dispatcher.people.priority(_cookie(headers.get("Cookie", ""), dispatcher.cookie))
        path = start_line.path.partition("?")[0]
        if path == PICTURES and client.priority is not Priority.STRANGER:
            self._connection.set_max_body_size(MAX_PICTURE + BODY_MARGIN)
            self._connection.set_body_timeout(PICTURE_TIMEOUT)
        return self._begin_stream() if start_line.method == "GET" and path in self._dispatcher.stream_paths else None

    def data_received(self, chunk: bytes) -> None:
        self._body.append(chunk)

    def finish(self) -> None:
        """The request is complete. Until then the client counts as idle."""
        self._client.activity = Activity.REQUESTING
        task = asyncio.get_running_loop().create_task(self._answer())
        self._dispatcher.in_flight.add(task)
        task.add_done_callback(self._dispatcher.in_flight.discard)

    def on_connection_close(self) -> None:
        self._dispatcher.clients.remove(self._client)

    async def _answer(self) -> None:
        response = self._response or await self._run_app([])
        headers = HTTPHeaders()
        for name, value in response.headers:
            headers.add(name, value)
        client = self._client
        client.sent_at = time.monotonic()
        with suppress(StreamClosedError):
            status = ResponseStartLine("HTTP/1.1", *response.status)
            sent = self._connection.write_headers(status, headers, response.body)
            self._connection.finish()
            await sent
            if ("Connection", "close") in response.headers:
                client.stream.close()
        client.sent_at = None
        self._dispatcher.clients.finished(client)

    async def _begin_stream(self) -> None:
        """Turn the connection into a stream, if the app agrees. It is closed when the stream ends."""
        self._client.activity = Activity.REQUESTING
        followers: list[Follow] = []
        self._response = await self._run_app(followers)
        client, clients = self._client, self._dispatcher.clients
        if not followers:
            return  # refused: `_answer` sends the response
        if not clients.start_stream(client):  # somebody else was faster
            client.stream.close()
            return
        stream = self._connection.detach()
        if stream.closed():
            clients.remove(client)
            return
        head = [f"HTTP/1.1 {self._response.status[0]} {self._response.status[1]}", "Connection: close"]
        head += [f"{name}: {value}" for name, value in self._response.headers if name != "Content-Length"]
        stream.write("\r\n".join([*head, "", ""]).encode("latin-1"))
        leave = followers[0](stream)

        def on_close() -> None:
            clients.remove(client)
            leave()

        if stream.closed():
            on_close()
        else:
            stream.set_close_callback(on_close)

    async def _run_app(self, followers: list[Follow]) -> Response:
        client, dispatcher = self._client, self._dispatcher
        if not dispatcher.clients.may_request(client):
            return _busy(self._start_line.path, self._headers)
        environ = self._environ() | {STREAM: followers}
        priority, limiter = client.priority, dispatcher.clients.limiter
        with dispatcher.clients.request(client):
            if priority is Priority.STRANGER:
                others = dispatcher.clients.requesting[priority][client.address] - 1
                wait = limiter.delay(time.monotonic(), others)
                if wait is None:
                    return _busy(self._start_line.path, self._headers)
                if wait:
                    await asyncio.sleep(wait)
            response, seconds = await dispatcher.run(self._start_line, priority, environ)
            if priority is Priority.STRANGER:
                limiter.record(seconds)
            return response

    def _environ(self) -> dict[str, Any]:
        """The WSGI environment of the request."""
        path, _, query = self._start_line.path.partition("?")
        environ = self._dispatcher.environ | {
            "REQUEST_METHOD": self._start_line.method,
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "REMOTE_ADDR": self._client.address,
            "REMOTE_PORT": str(self._client.port),
            "SERVER_PROTOCOL": self._start_line.version,
            "wsgi.input": BytesIO(b"".join(self._body)),
        }
        for name, value in self._headers.items():
            if "_" not in name:  # in WSGI it would be the same as a header with `-`
                key = name.upper().replace("-", "_")
                environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
        return environ


def _cookie(header: str, name: str) -> str:
    """The value of one of our cookies, which are never quoted."""
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
    """The response to a request that is refused without running the app."""
    preferred = headers.get("Accept-Language", "")[:2].lower()
    reason = say_bad(Refused(503, "busy"), preferred if preferred in LANGUAGES else "en")
    kind, body = "text/plain; charset=utf-8", f"{reason}\n"
    if path.startswith("/api/"):
        kind, body = "application/json", json.dumps({"error": "busy", "reason": reason})
    content = body.encode()
    about = [("Content-Type", kind), ("Content-Length", str(len(content))), ("Retry-After", "5")]
    return Response((503, "Service Unavailable"), [*about, *HEADERS.items()], content)


def _run(app: Flask, environ: dict[str, Any]) -> tuple[Response, float]:
    """Run the app: its response, and the seconds that it has computed in this thread."""
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
