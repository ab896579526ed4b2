"""Drivers for LED boards: our own firmware, Adalight, and a virtual board that is only drawn. WLED is in `wled.py`.

All share one narrow interface. Only the link's thread calls it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Protocol

import serial

from companion.leds.lighting import at_step
from companion.leds.ports import PORT_ERRORS, CannotOpen, open_port
from companion.leds.protocol import (
    COLOR,
    MONO,
    STEP,
    Board,
    Connection,
    Health,
    Pixels,
    Pressed,
    Statistics,
    Tones,
    Welcomed,
)

CONNECT_TIMEOUT = 4.0  # seconds for the first response: opening the port resets a board, and then it boots
SILENCE_TIMEOUT = 4.0  # seconds without a response after which a board counts as disconnected
REFRESH_INTERVAL = 1.0  # seconds; without new data WLED falls back to its own effects
MAGIC = b"Ada"


class Disconnected(Exception):
    """The board does not respond any more, or its port is gone."""


class Driver(Protocol):
    path: str
    board: Board | None  # None before it is open

    @property
    def settled(self) -> bool:
        """The LEDs show the last picture that was sent."""

    def open(self, stopped: Callable[[], bool]) -> None:
        """Connect and read what board it is. CannotOpen if there is none; aborts when `stopped` returns true."""

    def send(self, pixels: Pixels) -> None:
        """Show this picture from now on."""

    def play(self, tones: Tones) -> None:
        """Play these tones if the board has a piezo."""

    def poll(self, timeout: float) -> list[int]:
        """Read and write for at most this time. Returns the buttons pressed; raises Disconnected."""

    def close(self) -> None: ...


class FirmwareBoard:
    """A board with our firmware: it identifies itself, blinks by itself, and has buttons."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.board: Board | None = None
        self._port: serial.Serial | None = None
        self._connection = Connection(lambda: secrets.randbelow(2**32 - 1) + 1)
        self._last_received = 0.0
        self.health: Health | None = None

    def open(self, stopped: Callable[[], bool]) -> None:
        self._port = open_port(self.path)
        until = time.monotonic() + CONNECT_TIMEOUT
        try:
            while self.board is None and not stopped():
                if time.monotonic() > until:
                    raise CannotOpen("leds.mute", port=self.path)
                self._exchange()
        except Disconnected:
            raise CannotOpen("leds.absent", port=self.path) from None

    def send(self, pixels: Pixels) -> None:
        self._connection.paint(pixels)

    @property
    def settled(self) -> bool:
        return self._connection.settled

    def play(self, tones: Tones) -> None:
        self._connection.play(tones)

    def check(self) -> None:
        """Request the board's health. The response appears in `health`, if the board supports it."""
        self._connection.check()

    @property
    def statistics(self) -> Statistics:
        return self._connection.statistics

    @property
    def corrupted(self) -> int:
        return self._connection.corrupted

    def leave(self) -> None:
        """Let a board with MicroPython return to its prompt."""
        self._connection.leave()
        until = time.monotonic() + CONNECT_TIMEOUT
        while (
            not (self._connection.settled and self._connection.seconds_until_send(time.monotonic()) > 0)
            and time.monotonic() < until
        ):
            self._exchange()

    def poll(self, timeout: float) -> list[int]:
        until = time.monotonic() + timeout
        pressed: list[int] = []
        while not pressed:
            pressed += self._exchange()
            now = time.monotonic()
            if now - self._last_received > SILENCE_TIMEOUT:
                raise Disconnected
            if now >= until:
                break
        return pressed

    def _exchange(self) -> list[int]:
        """Write what is due, then read what came, for at most the port's read timeout."""
        assert self._port is not None
        try:
            if data := self._connection.data_to_send(time.monotonic()):
                self._port.write(data)
            received = self._port.read(max(1, self._port.in_waiting))
        except PORT_ERRORS:  # it may be unplugged at any byte
            raise Disconnected from None
        pressed = []
        for event in self._connection.receive_data(received):
            match event:
                case Welcomed(board):
                    self.board = board
                case Pressed(button):
                    pressed.append(button)
                case Health():
                    self.health = event
        if self._connection.board is not None:  # None while it does not respond
            self._last_received = time.monotonic()
        return pressed

    def close(self) -> None:
        _close(self._port)


class Adalight:
    """A board that takes whole pictures and never responds, so it cannot be detected: its port must be configured."""

    def __init__(self, path: str, count: int) -> None:
        self.path = path
        self.board: Board | None = None
        self._count = count
        self._port: serial.Serial | None = None
        self._pixels: Pixels = ()
        self._since = 0.0  # when the blinking began
        self._sent: tuple[float, bytes] = (-REFRESH_INTERVAL, b"")

    def open(self, stopped: Callable[[], bool]) -> None:
        self._port = open_port(self.path)
        self.board = Board(1, COLOR, self._count, 65_535, 0, (0, 0, 0), "Adalight")

    def send(self, pixels: Pixels) -> None:
        if pixels != self._pixels:
            self._pixels, self._since = pixels, time.monotonic()

    def play(self, tones: Tones) -> None:
        """It has no piezo."""

    @property
    def settled(self) -> bool:
        return self._sent[1] == adalight(self._pixels, 0)

    def poll(self, timeout: float) -> list[int]:
        now = time.monotonic()
        data = adalight(self._pixels, int((now - self._since) / STEP))
        try:
            assert self._port is not None
            if data != self._sent[1] or now - self._sent[0] > REFRESH_INTERVAL:
                self._port.write(data)
                self._sent = now, data
            self._port.read(max(1, self._port.in_waiting))  # its output is ignored, but must not fill the buffer
        except PORT_ERRORS:
            raise Disconnected from None
        return []

    def close(self) -> None:
        _close(self._port)


def adalight(pixels: Pixels, step: int) -> bytes:
    """One blink step of a picture in the Adalight protocol."""
    high, low = divmod(max(0, len(pixels) - 1), 256)
    return MAGIC + bytes((high, low, high ^ low ^ 0x55)) + b"".join(map(bytes, at_step(pixels, step)))


class Virtual:
    """A board that exists only as a drawing on the dashboard."""

    def __init__(self, mono: bool = False) -> None:
        self.path = "virtual"
        self.board: Board | None = None
        self.settled = True
        self._mono = mono

    def open(self, stopped: Callable[[], bool]) -> None:
        self.board = Board(1, MONO if self._mono else COLOR, 255, 65_535, 0, (0, 0, 0), "virtual")

    def send(self, pixels: Pixels) -> None:
        pass

    def play(self, tones: Tones) -> None:
        """The page plays sounds of its own."""

    def poll(self, timeout: float) -> list[int]:
        time.sleep(timeout)
        return []

    def close(self) -> None:
        pass


def _close(port: serial.Serial | None) -> None:
    try:
        if port:
            port.close()
    except PORT_ERRORS:
        pass
