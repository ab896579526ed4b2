"""Serving the app: gunicorn's threads in our own process, next to the table's; waitress where there is no gunicorn."""

from __future__ import annotations

import errno
import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask

from companion.games.position import BadInput

THREADS = 256  # a camera's viewer holds one as long as he looks, and without gunicorn every viewer does
CONNECTIONS = 1000
GRACE = 2  # seconds that answers have to end when we do


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


class Server:
    """The app at a socket. `run` serves until `stop` is called, from any thread or by a signal."""

    def __init__(self, app: Flask, found: socket.socket, certificate: tuple[Path, Path] | None = None) -> None:
        self.app, self.socket, self.certificate = app, found, certificate
        self._stop: Callable[[], None] = lambda: None
        self._stopped = threading.Event()
        self.interrupted = False

    def run(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for name in (signal.SIGINT, signal.SIGTERM):
                signal.signal(name, self._interrupt)
        try:
            self._with_gunicorn()
        except ImportError:
            self._with_waitress()
        finally:
            self.app.extensions["newest"].close()

    def stop(self) -> None:
        self._stopped.set()
        self.app.extensions["newest"].close()
        self._stop()

    def stop_after(self, event: threading.Event) -> None:
        event.wait()
        self.stop()

    def _interrupt(self, *_: object) -> None:
        self.interrupted = True
        self.stop()

    def _with_gunicorn(self) -> None:
        from gunicorn.app.base import BaseApplication
        from gunicorn.glogging import Logger
        from gunicorn.sock import TCP6Socket, TCPSocket
        from gunicorn.workers.gthread import ThreadWorker

        app, certificate = self.app, self.certificate

        class Application(BaseApplication):  # type: ignore[misc]
            def load_config(self) -> None:
                settings: dict[str, Any] = {
                    "threads": THREADS,
                    "worker_connections": CONNECTIONS,
                    "keepalive": 15,
                    "graceful_timeout": GRACE,
                    "loglevel": "critical",  # what goes wrong in the app is logged there
                    "limit_request_line": 4094,
                    "limit_request_fields": 60,
                }
                if certificate:
                    settings |= {"certfile": str(certificate[0]), "keyfile": str(certificate[1])}
                for name, value in settings.items():
                    self.cfg.set(name, value)

            def load(self) -> Flask:
                return app

        class Worker(ThreadWorker):  # type: ignore[misc]
            """In this very process: what the host holds open could not be shared with a fork."""

            def init_signals(self) -> None:
                """They are the server's."""

            def is_parent_alive(self) -> bool:
                return True

            def finish_request(self, *given: Any) -> None:
                """A viewer's connection is left to those who have taken it over."""
                connection = getattr(given[0], "conn", given[0])
                if app.extensions["viewers"].has_taken_over(connection.sock):
                    self.nr_conns -= 1
                else:
                    super().finish_request(*given)

        application = Application()
        logger = Logger(application.cfg)
        kind = TCP6Socket if self.socket.family == socket.AF_INET6 else TCPSocket
        wrapped = kind(self.socket.getsockname(), application.cfg, logger, fd=self.socket.detach())
        worker = Worker(0, os.getppid(), [wrapped], application, 30, application.cfg, logger)

        def stop() -> None:
            worker.alive = False
            with suppress(AttributeError, TypeError):  # it has not begun, and now it will not
                worker.method_queue.defer(lambda: None)

        self._stop = stop
        if self._stopped.is_set():
            worker.alive = False
        worker.init_process()

    def _with_waitress(self) -> None:
        from waitress.server import create_server

        if self.certificate:
            raise BadInput("--https", "no-https")
        server: Any = create_server(
            self.app,
            sockets=[self.socket],
            threads=THREADS,
            connection_limit=CONNECTIONS,
            channel_timeout=120,
            clear_untrusted_proxy_headers=True,
        )

        def stop() -> None:
            server.close()
            server.asyncore.close_all(server._map, True)

        self._stop = stop
        with suppress(OSError):  # its sockets are closed under it
            server.run()
