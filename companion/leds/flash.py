"""Flashing our firmware: identify what is at a port, decide whether it may be overwritten, and write the program.

Printers, milling machines and other people's programs are recognized by their output and left alone.
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
from companion.leds.drivers import FirmwareBoard
from companion.leds.images import FIRMWARE, PYTHON, avr_program, python_program
from companion.leds.link import State
from companion.leds.ports import PORT_ERRORS, CannotOpen, open_port
from companion.leds.protocol import LEAVES, MONO, Board, Connection, Welcomed
from companion.leds.stk500 import Progress, program

BOOT_TIMEOUT = 2.5  # seconds in which a board that was reset may begin to talk, before we send anything
RESPONSE_TIMEOUT = 2.0  # seconds for its response
COPY_TIMEOUT = 90.0  # seconds for copying files with mpremote
# The output of machines that must be left alone: Marlin, Repetier, Prusa, Klipper, Grbl, Smoothie, GPS, modems.
OTHER_MACHINES = re.compile(
    rb"Marlin|FIRMWARE_NAME|PROTOCOL_VERSION|Repetier|Prusa|RepRap|Klipper|Smoothie|Grbl|\[VER:|echo:|^start\r?$"
    rb"|^ok\b|^error:\d|T:\d+\.\d|^\$G[PNL][A-Z]{3},|^AT\b|^\+C[A-Z]+:",
    re.MULTILINE,
)
PROMPT = re.compile(rb"MicroPython v[^\r\n]*|>>> $", re.MULTILINE)
QUESTION = b"\r\x03\x03\x02M115\r\n"  # MicroPython shows its prompt, a printer its firmware
DRIVES = ("/media/*/RPI-RP2", "/media/*/RP2350", "/run/media/*/RPI-RP2", "/run/media/*/RP2350", "/Volumes/RPI-RP2")
PICO_WAITING = ("2e8a", ("0003", "000f"))  # USB vendor and product ids of a Pico in its boot loader


class Identified(NamedTuple):
    kind: Literal["ours", "micropython", "talks", "silent"]
    said: str = ""
    board: Board | None = None


def identify(path: str) -> Identified:
    """Identify what is at a port. CannotOpen for a machine that must be left alone."""
    port = open_port(path)
    try:
        return _identify(port, path)
    except PORT_ERRORS:
        raise CannotOpen("leds.absent", port=path) from None
    finally:
        port.close()


def _identify(port: serial.Serial, path: str) -> Identified:
    talk, buffer = Connection(lambda: 1 + int.from_bytes(os.urandom(3), "big")), b""
    began = time.monotonic()
    asked = False
    while (now := time.monotonic()) < began + BOOT_TIMEOUT + 2 * RESPONSE_TIMEOUT:
        received = port.read(max(1, port.in_waiting))
        buffer += received
        for event in talk.receive_data(received):
            if isinstance(event, Welcomed):
                return Identified("ours", event.board.name, event.board)
        if match := OTHER_MACHINES.search(buffer):
            raise CannotOpen("leds.machine", port=path, said=_line(buffer, match.start()))
        if prompt := PROMPT.search(buffer):
            return Identified("micropython", _line(buffer, prompt.start()))
        if b"\x81" in buffer or (now > began + BOOT_TIMEOUT and not asked):  # the first byte of a welcome
            port.write(talk.data_to_send(now))
        if now > began + BOOT_TIMEOUT + RESPONSE_TIMEOUT and not asked:
            port.write(QUESTION)
            asked = True
    words = _text(buffer)
    return Identified("talks", words) if words else Identified("silent")


def _line(buffer: bytes, at: int) -> str:
    start = max(buffer.rfind(b"\n", 0, at), buffer.rfind(b"\0", 0, at)) + 1
    return buffer[start:].splitlines()[0].decode("ascii", "replace").strip()[:60]


def _text(buffer: bytes) -> str:
    """The first readable text in the output; empty if it is noise."""
    found = re.search(rb"[\x20-\x7e]{4,}", buffer)
    return found[0].decode()[:60].strip() if found else ""


class Flashed(NamedTuple):
    board: Board
    fresh: bool  # False: it had this program already


def flash(
    path: str,
    mono: bool | None = None,
    limit: int | None = None,
    *,
    anyway: bool = False,
    progress: Progress = lambda part: None,
) -> Flashed:
    """Put our newest program on the board at a port. CannotOpen says why not; an interrupted attempt can be repeated.

    `mono`: for a MAX7219; `limit` in mA. None: as the board has it now, else for WS2812 powered by USB. `anyway`:
    overwrite another program that the board runs.
    """
    found = identify(path)
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
    return Flashed(_connected_board(path), fresh=True)


def _connected_board(path: str) -> Board:
    driver = FirmwareBoard(path)
    try:
        driver.open(lambda: False)
    finally:
        driver.close()
    assert driver.board is not None
    return driver.board


def _to_prompt(path: str, board: Board) -> None:
    """Stop our program on a board with MicroPython: while it runs, the board has no prompt."""
    if not board.extras & LEAVES:
        raise CannotOpen("leds.hold-hint", port=path)
    driver = FirmwareBoard(path)
    try:
        driver.open(lambda: False)
        driver.leave()
    finally:
        driver.close()


def _copy(path: str, files: dict[str, bytes], progress: Progress) -> None:
    """Copy files with mpremote, verify their hashes on the board, and reset it."""
    with TemporaryDirectory() as folder:
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        for step, name in enumerate(PYTHON):  # main.py comes last, so that half a copy never starts
            _mpremote(path, "fs", "cp", str(Path(folder, name)), f":{name}")
            hashes = _mpremote(path, "fs", "sha256sum", f":{name}")
            if hashlib.sha256(files[name]).hexdigest() not in hashes:
                raise CannotOpen("leds.not-written", port=path, at=name)
            progress((step + 1) / len(PYTHON))
        _mpremote(path, "reset")


def _mpremote(path: str, *words: str) -> str:
    command = [sys.executable, "-m", "mpremote", "connect", path, *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COPY_TIMEOUT, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise CannotOpen("leds.cut", port=path) from None
    if done.returncode:
        raise CannotOpen("leds.cut", port=path)
    return done.stdout


def waiting_pico() -> str | None:
    """The drive of a Pico that waits in its boot loader, without MicroPython; "" if it is seen only on the USB bus."""
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
    """Flashing in a thread of its own. `state` tells the progress, `over` that it has ended."""

    def __init__(self, port: str) -> None:
        self.over = False
        self.failed = False
        self._port = port
        self.state = self._at(0.0)
        threading.Thread(target=self._run, name="flash", daemon=True).start()

    def _at(self, part: float) -> State:
        firmware = ".".join(map(str, FIRMWARE))
        hashes = {"port": self._port, "firmware": firmware, "percent": round(100 * part)}
        return State("leds.being-flashed", hashes, self._port, since=time.time())

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
