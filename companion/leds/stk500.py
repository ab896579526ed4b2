"""The STK500 version 1 protocol of the Arduino Uno's and Nano's boot loader, as far as programming needs it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import serial

from companion.leds.ports import PORT_ERRORS, CannotOpen, open_port

SPEEDS = (115_200, 57_600)  # baud: of an Uno or a new Nano, and of an old Nano
CHIPS = {b"\x1e\x95\x0f": "ATmega328P", b"\x1e\x95\x14": "ATmega328", b"\x1e\x95\x16": "ATmega328PB"}
PAGE = 128  # bytes
MAX_PROGRAM = 0x7000  # bytes: what the longest boot loader leaves free
HALT = bytes((0xFF, 0xCF))  # an instruction that jumps to itself
SYNC, SIGNATURE, ENTER, LEAVE, ADDRESS, WRITE, READ = 0x30, 0x75, 0x50, 0x51, 0x55, 0x64, 0x74
END, IN_SYNC, OK = 0x20, 0x14, 0x10
RESPONSE_TIMEOUT = 1.0  # seconds
SYNC_TIMEOUT = 2.0  # seconds in which a board that was reset must respond
Progress = Callable[[float], None]  # takes the part that is done, 0 to 1


class NoResponse(Exception):
    """The boot loader does not respond, or not as the protocol says."""


class Loader:
    def __init__(self, port: serial.Serial) -> None:
        self._port = port

    def sync(self) -> None:
        """Reset the board, and send SYNC until its boot loader responds."""
        try:  # opening the port does not reset every board
            self._port.dtr = self._port.rts = False
            time.sleep(0.05)
            self._port.dtr = self._port.rts = True
        except PORT_ERRORS:  # a port without these lines
            pass
        until = time.monotonic() + SYNC_TIMEOUT
        while time.monotonic() < until:
            self._port.reset_input_buffer()
            self._port.write(bytes((SYNC, END)))
            if self._read(2, 0.1) == bytes((IN_SYNC, OK)) and not self._read(64, 0.05):  # and nothing else
                return
        raise NoResponse

    def chip(self) -> bytes:
        return self._command(SIGNATURE, answer=3)

    def enter(self) -> None:
        self._command(ENTER)

    def leave(self) -> None:
        """Leave programming mode; the program starts."""
        self._command(LEAVE)

    def write(self, at: int, page: bytes) -> None:
        self._seek(at)
        self._command(WRITE, 0, len(page), ord("F"), *page)

    def read(self, at: int, size: int) -> bytes:
        self._seek(at)
        return self._command(READ, 0, size, ord("F"), answer=size)

    def _seek(self, at: int) -> None:
        self._command(ADDRESS, at // 2 & 255, at // 2 >> 8)

    def _command(self, *request: int, answer: int = 0) -> bytes:
        self._port.write(bytes((*request, END)))
        response = self._read(answer + 2, RESPONSE_TIMEOUT)
        if len(response) != answer + 2 or response[0] != IN_SYNC or response[-1] != OK:
            raise NoResponse
        return response[1:-1]

    def _read(self, count: int, timeout: float) -> bytes:
        response, until = b"", time.monotonic() + timeout
        while len(response) < count and time.monotonic() < until:
            response += self._port.read(count - len(response))
        return response


@contextmanager
def boot_loader(path: str) -> Iterator[tuple[Loader, str]]:
    """The boot loader of the board at a port, and its chip. CannotOpen if there is none, or the chip is unknown."""
    for speed in SPEEDS:
        port = open_port(path, speed)
        try:
            loader = Loader(port)
            try:
                loader.sync()
                chip = loader.chip()
            except NoResponse:
                continue
            if chip not in CHIPS:
                raise CannotOpen("leds.other-chip", port=path, chip=chip.hex())
            yield loader, CHIPS[chip]
            return
        except PORT_ERRORS:
            raise CannotOpen("leds.cut", port=path) from None
        finally:
            port.close()
    raise CannotOpen("leds.no-loader", port=path)


def program(path: str, code: bytes, progress: Progress = lambda part: None) -> str:
    """Write and verify a program, and return the chip's name. CannotOpen says what went wrong; it can be repeated.

    The first page, where execution starts, halts the chip until all other pages are verified: half a program never
    runs.
    """
    if len(code) > MAX_PROGRAM:
        raise ValueError(f"{len(code)} bytes are too many")
    pages = {at: code[at : at + PAGE].ljust(PAGE, b"\xff") for at in range(0, len(code), PAGE)}
    order = [at for at in pages if at] + [0]
    steps, done = 2 * len(order), 0
    with boot_loader(path) as (loader, chip):
        try:
            loader.enter()
            loader.write(0, HALT.ljust(PAGE, b"\xff"))
            for part in (order[:-1], order[-1:]):
                for at in part:
                    loader.write(at, pages[at])
                    progress((done := done + 1) / steps)
                for at in part:
                    if loader.read(at, PAGE) != pages[at]:
                        raise CannotOpen("leds.not-written", port=path, at=at)
                    progress((done := done + 1) / steps)
            loader.leave()
        except NoResponse:
            raise CannotOpen("leds.cut", port=path) from None
    return chip
