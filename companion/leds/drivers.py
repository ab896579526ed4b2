"""What speaks to LEDs: boards with our firmware, Adalight boards (WLED among them), and one that is only drawn.

All share one narrow interface. Only the link's thread calls it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Protocol

import serial

from companion.leds.lighting import at_step
from companion.leds.ports import TROUBLE, CannotOpen, open_port
from companion.leds.protocol import COLOR, MONO, STEP, Board, Health, Pixels, Pressed, Talk, Tally, Tones, Welcomed

HELLO = 4.0  # seconds in which a board must have answered: opening the port resets it, and then it boots for a while
SILENT = 4.0  # the same, in the middle of it all
AGAIN = 1.0  # seconds after which Adalight boards are told again: WLED goes back to its own play when it hears nothing
MAGIC = b"Ada"


class Lost(Exception):
    """The board has gone."""


class Driver(Protocol):
    path: str
    board: Board | None  # None before it is open

    @property
    def settled(self) -> bool:
        """The LEDs show what was sent last."""

    def open(self, stopped: Callable[[], bool]) -> None:
        """Find out what board it is. CannotOpen if there is none; given up when `stopped`."""

    def send(self, pixels: Pixels) -> None:
        """This is to be shown from now on."""

    def play(self, tones: Tones) -> None:
        """Have these tones heard, where there is a piezo."""

    def buttons(self, patience: float) -> list[int]:
        """Work the line for so long at most, and tell the presses. Lost if the board has gone."""

    def close(self) -> None: ...


class OwnBoard:
    """A board with our firmware: it says who it is, blinks by itself, and tells its buttons."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.board: Board | None = None
        self._port: serial.Serial | None = None
        self._talk = Talk(lambda: secrets.randbelow(2**32 - 1) + 1)
        self._heard = 0.0
        self.health: Health | None = None

    def open(self, stopped: Callable[[], bool]) -> None:
        self._port = open_port(self.path)
        until = time.monotonic() + HELLO
        try:
            while self.board is None and not stopped():
                if time.monotonic() > until:
                    raise CannotOpen("leds.mute", port=self.path)
                self._exchange()
        except Lost:
            raise CannotOpen("leds.absent", port=self.path) from None

    def send(self, pixels: Pixels) -> None:
        self._talk.paint(pixels)

    @property
    def settled(self) -> bool:
        return self._talk.settled

    def play(self, tones: Tones) -> None:
        self._talk.play(tones)

    def check(self) -> None:
        """Ask how it is; `health` tells when it has answered, where it knows."""
        self._talk.check()

    @property
    def tally(self) -> Tally:
        return self._talk.tally

    @property
    def spoilt(self) -> int:
        return self._talk.spoilt

    def leave(self) -> None:
        """A board with MicroPython goes to its prompt."""
        self._talk.leave()
        until = time.monotonic() + HELLO
        while not (self._talk.settled and self._talk.due(time.monotonic()) > 0) and time.monotonic() < until:
            self._exchange()

    def buttons(self, patience: float) -> list[int]:
        until = time.monotonic() + patience
        pressed: list[int] = []
        while not pressed:
            pressed += self._exchange()
            now = time.monotonic()
            if now - self._heard > SILENT:
                raise Lost
            if now >= until:
                break
        return pressed

    def _exchange(self) -> list[int]:
        """Write what is due, take in what came, and wait a little if nothing did."""
        assert self._port is not None
        try:
            if told := self._talk.say(time.monotonic()):
                self._port.write(told)
            came = self._port.read(max(1, self._port.in_waiting))
        except TROUBLE:  # unplugged, at any byte
            raise Lost from None
        pressed = []
        for event in self._talk.hear(came):
            match event:
                case Welcomed(board):
                    self.board = board
                case Pressed(button):
                    pressed.append(button)
                case Health():
                    self.health = event
        if self._talk.board is not None:  # while it answers
            self._heard = time.monotonic()
        return pressed

    def close(self) -> None:
        _close(self._port)


class Adalight:
    """A board that takes whole pictures and answers nothing. It cannot be found by itself; its port must be named."""

    def __init__(self, path: str, count: int) -> None:
        self.path = path
        self.board: Board | None = None
        self._count = count
        self._port: serial.Serial | None = None
        self._pixels: Pixels = ()
        self._since = 0.0  # when the blinking began
        self._sent: tuple[float, bytes] = (-AGAIN, b"")

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

    def buttons(self, patience: float) -> list[int]:
        now = time.monotonic()
        told = adalight(self._pixels, int((now - self._since) / STEP))
        try:
            assert self._port is not None
            if told != self._sent[1] or now - self._sent[0] > AGAIN:
                self._port.write(told)
                self._sent = now, told
            self._port.read(max(1, self._port.in_waiting))  # what it says means nothing, but must not pile up
        except TROUBLE:
            raise Lost from None
        return []

    def close(self) -> None:
        _close(self._port)


def adalight(pixels: Pixels, step: int) -> bytes:
    """One step of a picture as Adalight boards take it."""
    high, low = divmod(max(0, len(pixels) - 1), 256)
    return MAGIC + bytes((high, low, high ^ low ^ 0x55)) + b"".join(map(bytes, at_step(pixels, step)))


class Virtual:
    """LEDs that are only drawn, on the dashboard."""

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
        """The page has sounds of its own."""

    def buttons(self, patience: float) -> list[int]:
        time.sleep(patience)
        return []

    def close(self) -> None:
        pass


def _close(port: serial.Serial | None) -> None:
    try:
        if port:
            port.close()
    except TROUBLE:
        pass
