"""Putting our program on a board: what is at a port, whether that may be touched, and the way onto it.

A printer, a milling machine or anybody's own program is known by what it says, and left alone.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

import serial

from companion.errors import BadInput
from companion.leds.drivers import OwnBoard
from companion.leds.images import FIRMWARE, PYTHON, avr_program, python_program
from companion.leds.link import State
from companion.leds.ports import TROUBLE, CannotOpen, open_port
from companion.leds.protocol import LEAVES, MONO, Board, Talk, Welcomed
from companion.leds.stk500 import Progress, program

LISTENS = 2.5  # seconds for a board that was reset to begin to speak, before it is spoken to
ANSWERS = 2.0  # seconds for what it says then
COPIES = 90.0  # seconds for MicroPython's files
# What machines say that are no business of ours: Marlin, Repetier, Prusa, Klipper, Grbl, Smoothie, GPS, modems.
MACHINES = re.compile(
    rb"Marlin|FIRMWARE_NAME|PROTOCOL_VERSION|Repetier|Prusa|RepRap|Klipper|Smoothie|Grbl|\[VER:|echo:|^start\r?$"
    rb"|^ok\b|^error:\d|T:\d+\.\d|^\$G[PNL][A-Z]{3},|^AT\b|^\+C[A-Z]+:",
    re.MULTILINE,
)
PROMPT = re.compile(rb"MicroPython v[^\r\n]*|>>> $", re.MULTILINE)
QUESTION = b"\r\x03\x03\x02M115\r\n"  # MicroPython comes to its prompt, a printer tells what it is
DRIVES = ("/media/*/RPI-RP2", "/media/*/RP2350", "/run/media/*/RPI-RP2", "/run/media/*/RP2350", "/Volumes/RPI-RP2")
PICO_WAITING = ("2e8a", ("0003", "000f"))  # a Pico's own boot loader at USB: vendor and products


class Found(NamedTuple):
    kind: Literal["ours", "micropython", "talks", "silent"]
    said: str = ""
    board: Board | None = None


def look_at(path: str) -> Found:
    """What is at a port. CannotOpen for a machine that is to be left alone."""
    port = open_port(path)
    try:
        return _conversation(port, path)
    except TROUBLE:
        raise CannotOpen("leds.absent", port=path) from None
    finally:
        port.close()


def _conversation(port: serial.Serial, path: str) -> Found:
    talk, came = Talk(lambda: 1 + int.from_bytes(os.urandom(3), "big")), b""
    began = time.monotonic()
    asked = False
    while (now := time.monotonic()) < began + LISTENS + 2 * ANSWERS:
        heard = port.read(max(1, port.in_waiting))
        came += heard
        for event in talk.hear(heard):
            if isinstance(event, Welcomed):
                return Found("ours", event.board.name, event.board)
        if said := MACHINES.search(came):
            raise CannotOpen("leds.machine", port=path, said=_line(came, said.start()))
        if prompt := PROMPT.search(came):
            return Found("micropython", _line(came, prompt.start()))
        if b"\x81" in came or (now > began + LISTENS and not asked):  # as a welcome begins
            port.write(talk.say(now))
        if now > began + LISTENS + ANSWERS and not asked:
            port.write(QUESTION)
            asked = True
    words = _text(came)
    return Found("talks", words) if words else Found("silent")


def _line(came: bytes, at: int) -> str:
    start = max(came.rfind(b"\n", 0, at), came.rfind(b"\0", 0, at)) + 1
    return came[start:].splitlines()[0].decode("ascii", "replace").strip()[:60]


def _text(came: bytes) -> str:
    """The first line in it that somebody could have meant; noise has none."""
    found = re.search(rb"[\x20-\x7e]{4,}", came)
    return found[0].decode()[:60].strip() if found else ""


class Flashed(NamedTuple):
    board: Board
    fresh: bool  # False: it ran this program already


def flash(
    path: str,
    mono: bool | None = None,
    limit: int | None = None,
    *,
    anyway: bool = False,
    progress: Progress = lambda part: None,
) -> Flashed:
    """Our newest program on the board at a port. CannotOpen says why not; an attempt that was cut off can be repeated.

    `mono`: for a MAX7219; `limit` in mA. None: as the board has it, else for WS2812 that are fed by USB. `anyway`: also
    over another program that the board runs.
    """
    found = look_at(path)
    if found.kind == "talks" and not anyway:
        raise CannotOpen("leds.talks", port=path, said=found.said)
    had = found.board
    if mono is None:
        mono = had is not None and had.kind == MONO
    if limit is None:
        limit = had.limit if had else 450
    if had and had.firmware == FIRMWARE and (had.kind == MONO, had.limit) == (mono, limit):
        return Flashed(had, fresh=False)
    if found.kind == "micropython" or (had and not had.name.startswith("AVR")):
        if had:
            _to_prompt(path, had)
        _copy(path, python_program(mono, limit), progress)
    else:
        program(path, avr_program(mono, limit), progress)
    return Flashed(_greeted(path), fresh=True)


def _greeted(path: str) -> Board:
    driver = OwnBoard(path)
    try:
        driver.open(lambda: False)
    finally:
        driver.close()
    assert driver.board is not None
    return driver.board


def _to_prompt(path: str, board: Board) -> None:
    """A board with MicroPython hears nothing but the companion while it runs; it is asked to stop."""
    if not board.extras & LEAVES:
        raise CannotOpen("leds.hold-hint", port=path)
    driver = OwnBoard(path)
    try:
        driver.open(lambda: False)
        driver.leave()
    finally:
        driver.close()


def _copy(path: str, files: dict[str, bytes], progress: Progress) -> None:
    """By mpremote, which reads a board's hashes of the files afterwards; then the board starts anew."""
    with TemporaryDirectory() as folder:
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        for step, name in enumerate(PYTHON):  # what starts comes last: half of it starts nothing
            _mpremote(path, "fs", "cp", str(Path(folder, name)), f":{name}")
            told = _mpremote(path, "fs", "sha256sum", f":{name}")
            if hashlib.sha256(files[name]).hexdigest() not in told:
                raise CannotOpen("leds.not-written", port=path, at=name)
            progress((step + 1) / len(PYTHON))
        _mpremote(path, "reset")


def _mpremote(path: str, *words: str) -> str:
    command = [sys.executable, "-m", "mpremote", "connect", path, *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COPIES, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise CannotOpen("leds.cut", port=path) from None
    if done.returncode:
        raise CannotOpen("leds.cut", port=path)
    return done.stdout


def waiting_pico() -> str | None:
    """The drive of a Pico without MicroPython that waits to be given one; "" where only the bus knows of it."""
    drives = [drive for pattern in DRIVES for drive in sorted(glob.glob(pattern))]
    if drives:
        return drives[0]
    vendor, products = PICO_WAITING
    for device in Path("/sys/bus/usb/devices").glob("*"):
        try:
            ids = [(device / name).read_text().strip() for name in ("idVendor", "idProduct")]
        except OSError:
            continue
        if ids[0] == vendor and ids[1] in products:
            return ""
    return None


class Flashing:
    """The same in a thread of its own. `state` tells how it goes, `over` that it has ended."""

    def __init__(self, port: str) -> None:
        self.over = False
        self.failed = False
        self._port = port
        self.state = self._at(0.0)
        threading.Thread(target=self._run, name="flash", daemon=True).start()

    def _at(self, part: float) -> State:
        firmware = ".".join(map(str, FIRMWARE))
        told = {"port": self._port, "firmware": firmware, "percent": round(100 * part)}
        return State("leds.being-flashed", told, self._port, since=time.time())

    def _progress(self, part: float) -> None:
        if round(20 * part) != round(
            20 * int(str(self.state.params["percent"])) / 100
        ):  # not more often than it is seen
            self.state = self._at(part)

    def _run(self) -> None:
        try:
            flash(self._port, progress=self._progress)
        except CannotOpen as why:
            self.state, self.failed = State(why.code, why.params, self._port, since=time.time()), True
        except BadInput as bad:
            self.state, self.failed = State("leds.spoilt-image", bad.params, self._port, since=time.time()), True
        finally:
            self.over = True
