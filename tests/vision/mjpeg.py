"""A network camera on loopback that can fail in every way that real ones do."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self

import cv2

from vision.pose import Image

HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\n\r\n"


class MjpegServer:
    """Serves what `picture` gives, as Motion JPEG. `fault` may be set at any time:

    `stall` in the middle of a picture, `half` of each picture only, `garbage` instead of pictures, `hang up`
    before each picture; `""` is well. `die` and `revive` take it off the network and back, on the same port.
    """

    def __init__(self, picture: Callable[[], Image], rate: float = 25.0) -> None:
        self.picture, self.rate, self.fault = picture, rate, ""
        self.port = 0
        self._listener: socket.socket | None = None
        self._talking: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/stream"

    def revive(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen()
        self.port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def die(self) -> None:
        if self._listener is not None:
            for talking in (self._listener, *self._talking):
                with suppress(OSError):
                    talking.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits in it
                talking.close()
            self._listener = None

    def __enter__(self) -> Self:
        self.revive()
        return self

    def __exit__(self, *_: object) -> None:
        self.die()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                talking = listener.accept()[0]
            except OSError:
                return
            self._talking.add(talking)
            threading.Thread(target=self._talk, args=(talking,), daemon=True).start()

    def _talk(self, talking: socket.socket) -> None:
        try:
            talking.recv(4096)
            talking.sendall(HEAD)
            while self.fault != "hang up":
                self._send(talking, cv2.imencode(".jpg", self.picture())[1].tobytes())
                time.sleep(1 / self.rate)
        except OSError:
            pass
        finally:
            self._talking.discard(talking)
            talking.close()

    def _send(self, talking: socket.socket, picture: bytes) -> None:
        fault = self.fault
        head = b"--picture\r\nContent-Type: image/jpeg\r\n"
        if fault != "half":  # a camera that breaks off pictures does not know how long they are
            head += b"Content-Length: %d\r\n" % len(picture)
        if fault == "garbage":
            picture = os.urandom(len(picture))
        elif fault in ("half", "stall"):
            picture = picture[: len(picture) // 2]
        talking.sendall(head + b"\r\n" + picture)
        while fault == "stall" and self.fault == "stall":
            time.sleep(0.01)
            if talking.fileno() < 0:
                raise OSError
        talking.sendall(b"\r\n")
