"""A board in Python at the other end of a pseudo-terminal, which pyserial takes for a serial port.

It can be plugged in, pulled out at any byte, held by somebody else, be mute, talk nonsense, and start anew.
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.leds.protocol import (
    BEAT,
    COLOR,
    DARK,
    DELTA,
    HELLO,
    NO_SESSION,
    NONSENSE,
    OTHER_BASE,
    PICTURE,
    PRESS,
    REFUSED,
    SHOWN,
    WELCOME,
    Messages,
    Pixel,
    frame,
)

NAME = b"paper board"


class Brain:
    """What a board thinks: a message in, answers out."""

    def __init__(self, most: int = 64, kind: int = COLOR, limit: int = 450) -> None:
        self.most, self.kind, self.limit = most, kind, limit
        self.session = b"\0\0\0\0"
        self.leds: list[Pixel] = []
        self.pictures: list[tuple[Pixel, ...]] = []  # all that were ever shown
        self._last: tuple[int, bytes] = (0, b"")
        self._picture = 0
        self.waiting: list[int] = []  # presses
        self.press_number = 0
        self.heard = 0

    def welcome(self, number: int = 0) -> bytes:
        about = bytes((1, self.kind, self.most)) + self.limit.to_bytes(2, "little") + bytes((2, 1, 0, 0)) + NAME
        return bytes((WELCOME, number)) + self.session + about

    def answer(self, message: bytes) -> bytes:
        kind, number, heard = message[:3]
        if kind == HELLO:
            if message[3:7] != self.session:
                self.session, self._picture, self.heard, self.press_number = message[3:7], 0, 0, 0
                self.leds = []
            answer = self.welcome(number)
        elif self.session == b"\0\0\0\0":
            return bytes((REFUSED, number, NO_SESSION))
        elif number == self._last[0]:
            return self._last[1]
        else:
            self.heard = heard
            answer = self._done(kind, number, message[3:])
        self._last = number, answer
        return answer

    def _done(self, kind: int, number: int, rest: bytes) -> bytes:
        if kind == BEAT:
            return bytes((SHOWN, number, self._picture))
        if kind == DELTA and rest[0] != self._picture:
            return bytes((REFUSED, number, OTHER_BASE))
        count = rest[0] if kind == PICTURE else len(self.leds)
        leds = [DARK] * count if kind == PICTURE else list(self.leds)
        if kind not in (PICTURE, DELTA) or count > self.most or not drawn(leds, rest[1:]):
            return bytes((REFUSED, number, NONSENSE))
        self.leds, self._picture = leds, number
        self.pictures.append(tuple(leds))
        return bytes((SHOWN, number, number))


def drawn(leds: list[Pixel], strokes: bytes) -> bool:
    """Draws strokes into a picture; False if they make no sense."""
    wide = (len(leds) + 7) // 8
    at = 0
    while at < len(strokes):
        first = strokes[at]
        at += 1
        blink = first & 7
        if first >> 6 == 0:
            n, rgb = (first & 7) + 1, strokes[at : at + 3]
            places, blink, at = strokes[at + 3 : at + 3 + n], first >> 3 & 7, at + 3 + n
            for place in places:
                leds[place] = (rgb[0], rgb[1], rgb[2], blink)
        elif first >> 6 == 1:
            n = (first & 63) + 1
            for place in strokes[at : at + n]:
                leds[place] = DARK
            at += n
        elif first >> 6 == 2:
            rgb, mapped = strokes[at : at + 3], int.from_bytes(strokes[at + 3 : at + 3 + wide], "little")
            at += 3 + wide
            for place in range(len(leds)):
                if mapped >> place & 1:
                    leds[place] = (rgb[0], rgb[1], rgb[2], blink)
        elif first & 8:
            mapped, at = int.from_bytes(strokes[at : at + wide], "little"), at + wide
            for place in range(len(leds)):
                if mapped >> place & 1:
                    leds[place] = (*leds[place][:3], blink)
        else:
            for place in range(len(leds)):
                r, g, b = strokes[at : at + 3]
                leds[place], at = (r, g, b, blink), at + 3
    return at == len(strokes)


class Plugged:
    """A board that is plugged in at `path`, until it is pulled out."""

    def __init__(
        self,
        path: Path,
        *,
        brain: Brain | None = None,
        boot: float = 0.0,
        mute: bool = False,
        noise: Random | None = None,
        cut_after: int | None = None,
    ) -> None:
        """`boot`: seconds until it hears anything; `cut_after`: so many bytes, then it is pulled out."""
        self.path, self.brain = path, brain or Brain()
        self._boot, self._mute, self._noise, self._cut = boot, mute, noise, cut_after
        self._bytes = 0
        self._master, slave = os.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)
        path.unlink(missing_ok=True)
        path.symlink_to(name)
        self.gone = threading.Event()
        self._pull = threading.Event()
        self._restart = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def pull(self) -> None:
        self._pull.set()
        self._thread.join()

    def restart(self) -> None:
        """As by its reset button."""
        self._restart.set()

    def press(self, button: int) -> None:
        self.brain.waiting.append(button)

    def __enter__(self) -> Plugged:
        return self

    def __exit__(self, *_: object) -> None:
        self.pull()

    def _run(self) -> None:
        messages, started, told = Messages(), time.monotonic(), False
        pressed_at = 0.0
        try:
            while not self._pull.is_set():
                if self._restart.is_set():
                    self._restart.clear()
                    self.brain = Brain(self.brain.most, self.brain.kind, self.brain.limit)
                    messages, started, told = Messages(), time.monotonic(), False
                ready = select.select([self._master], [], [], 0.005)[0]
                came = self._read() if ready else b""
                if self._noise and self._noise.random() < 0.03:
                    self._write(self._noise.randbytes(self._noise.randrange(1, 40)))
                if self._mute or time.monotonic() - started < self._boot:
                    continue
                if not told and self._boot:
                    self._write(frame(self.brain.welcome()))
                told = True
                for message in messages.receive(came):
                    self._write(frame(self.brain.answer(message)))
                pressed_at = self._tell_presses(pressed_at)
        except EOFError:
            pass
        finally:
            self.path.unlink(missing_ok=True)
            os.close(self._master)
            self.gone.set()

    def _tell_presses(self, last: float) -> float:
        brain = self.brain
        if brain.press_number and brain.heard == brain.press_number and brain.waiting:
            brain.waiting.pop(0)
            brain.press_number = 0 if not brain.waiting else brain.press_number
            last = 0.0
            if brain.waiting:
                brain.press_number = brain.press_number % 255 + 1
        if brain.waiting and brain.session != b"\0\0\0\0" and time.monotonic() - last > 0.1:
            brain.press_number = brain.press_number or brain.heard % 255 + 1
            self._write(frame(bytes((PRESS, brain.press_number, brain.waiting[0]))))
            return time.monotonic()
        return last

    def _read(self) -> bytes:
        try:
            came = os.read(self._master, 4096)
        except OSError:  # nobody has the port open
            time.sleep(0.005)
            return b""
        self._count(len(came))
        return came

    def _write(self, data: bytes) -> None:
        left = None if self._cut is None else self._cut - self._bytes
        try:
            os.write(self._master, data if left is None else data[: max(0, left)])
        except OSError:
            return
        self._count(len(data))

    def _count(self, more: int) -> None:
        self._bytes += more
        if self._cut is not None and self._bytes >= self._cut:
            raise EOFError


def until(true: Callable[[], object], seconds: float = 10.0) -> float:
    """Waits for it; how long that took."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds
        time.sleep(0.01)
    return time.monotonic() - began
