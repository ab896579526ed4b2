"""The boot loader of Arduino Uno and Nano, by the protocol STK500 version 1: as much as writing a program takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import serial

from companion.leds.ports import TROUBLE, CannotOpen, open_port

SPEEDS = (115_200, 57_600)  # of an Uno or a new Nano, and of an old Nano
CHIPS = {b"\x1e\x95\x0f": "ATmega328P", b"\x1e\x95\x14": "ATmega328", b"\x1e\x95\x16": "ATmega328PB"}
PAGE = 128  # bytes
ROOM = 0x7000  # bytes before the longest boot loader
STANDS_STILL = bytes((0xFF, 0xCF))  # a jump to itself
SYNC, SIGNATURE, ENTER, LEAVE, ADDRESS, WRITE, READ = 0x30, 0x75, 0x50, 0x51, 0x55, 0x64, 0x74
END, IN_SYNC, OK = 0x20, 0x14, 0x10
ANSWER = 1.0  # seconds for one
AWAKE = 2.0  # seconds in which a board that was reset must have answered
Progress = Callable[[float], None]  # the part that is done, 0 to 1


class NoAnswer(Exception):
    """The boot loader is silent, or says something else."""


class Loader:
    def __init__(self, port: serial.Serial) -> None:
        self._port = port

    def wake(self) -> None:
        """Reset the board, and ask until its boot loader answers."""
        try:  # where opening the port does not do it
            self._port.dtr = self._port.rts = False
            time.sleep(0.05)
            self._port.dtr = self._port.rts = True
        except TROUBLE:  # a port without such lines
            pass
        until = time.monotonic() + AWAKE
        while time.monotonic() < until:
            self._port.reset_input_buffer()
            self._port.write(bytes((SYNC, END)))
            if self._read(2, 0.1) == bytes((IN_SYNC, OK)) and not self._read(64, 0.05):  # and nothing of its own
                return
        raise NoAnswer

    def chip(self) -> bytes:
        return self._ask(SIGNATURE, answer=3)

    def enter(self) -> None:
        self._ask(ENTER)

    def leave(self) -> None:
        """The program starts."""
        self._ask(LEAVE)

    def write(self, at: int, page: bytes) -> None:
        self._seek(at)
        self._ask(WRITE, 0, len(page), ord("F"), *page)

    def read(self, at: int, size: int) -> bytes:
        self._seek(at)
        return self._ask(READ, 0, size, ord("F"), answer=size)

    def _seek(self, at: int) -> None:
        self._ask(ADDRESS, at // 2 & 255, at // 2 >> 8)

    def _ask(self, *told: int, answer: int = 0) -> bytes:
        self._port.write(bytes((*told, END)))
        came = self._read(answer + 2, ANSWER)
        if len(came) != answer + 2 or came[0] != IN_SYNC or came[-1] != OK:
            raise NoAnswer
        return came[1:-1]

    def _read(self, many: int, patience: float) -> bytes:
        came, until = b"", time.monotonic() + patience
        while len(came) < many and time.monotonic() < until:
            came += self._port.read(many - len(came))
        return came


@contextmanager
def boot_loader(path: str) -> Iterator[tuple[Loader, str]]:
    """The boot loader of the board at a port, and its chip. CannotOpen if there is none, or not of a chip of ours."""
    for speed in SPEEDS:
        port = open_port(path, speed)
        try:
            loader = Loader(port)
            try:
                loader.wake()
                chip = loader.chip()
            except NoAnswer:
                continue
            if chip not in CHIPS:
                raise CannotOpen("leds.other-chip", port=path, chip=chip.hex())
            yield loader, CHIPS[chip]
            return
        except TROUBLE:
            raise CannotOpen("leds.cut", port=path) from None
        finally:
            port.close()
    raise CannotOpen("leds.no-loader", port=path)


def program(path: str, code: bytes, progress: Progress = lambda part: None) -> str:
    """Write a program and read it again; the chip's name. CannotOpen says what went wrong: then it can be repeated.

    The first page, at which the chip begins, holds it still until all the others are right: half a program never runs.
    """
    if len(code) > ROOM:
        raise ValueError(f"{len(code)} bytes are too many")
    pages = {at: code[at : at + PAGE].ljust(PAGE, b"\xff") for at in range(0, len(code), PAGE)}
    order = [at for at in pages if at] + [0]
    steps, done = 2 * len(order), 0
    with boot_loader(path) as (loader, chip):
        try:
            loader.enter()
            loader.write(0, STANDS_STILL.ljust(PAGE, b"\xff"))
            for part in (order[:-1], order[-1:]):
                for at in part:
                    loader.write(at, pages[at])
                    progress((done := done + 1) / steps)
                for at in part:
                    if loader.read(at, PAGE) != pages[at]:
                        raise CannotOpen("leds.not-written", port=path, at=at)
                    progress((done := done + 1) / steps)
            loader.leave()
        except NoAnswer:
            raise CannotOpen("leds.cut", port=path) from None
    return chip
