"""Boards for the tests: the AVR firmware as machine code in simavr, the MicroPython firmware in MicroPython, each
behind a pseudo-terminal that pyserial opens like any port; and the two parsers alone, for millions of bytes."""

from __future__ import annotations

import ctypes
import fcntl
import importlib.util
import os
import pty
import random
import shutil
import subprocess
import time
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Condition, Thread
from typing import Any
from uuid import uuid4

import serial

from companion.leds.protocol import DARK, SOUND, STATUS, VITALS, Connection, Event, Pixels
from tests.parts import lacking

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent / "firmware"
BUILD = HERE / "build"
LOADERS = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
BOARDS = ("uno ws2812", "uno max7219", "pico ws2812", "pico max7219")
EXTRAS = SOUND | STATUS | VITALS  # of the AVR firmware
PATIENCE = 30.0  # seconds; the machine may be busy


def needed(*programs: str) -> None:
    """The programs that a test cannot do without."""
    missing = [program for program in programs if not shutil.which(program)]
    if "node" in programs and not (HERE / "node_modules" / "@micropython").exists():
        missing.append("MicroPython for node (make parts)")
    if missing:
        lacking(f"not installed: {', '.join(missing)}; the LED firmware is not tested")


def _run(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def built() -> Path:
    """The folder with the AVR firmwares and the Uno that runs them."""
    needed("avr-gcc", "simavr", "gcc", "make")
    BUILD.mkdir(exist_ok=True)
    with open(BUILD / "lock", "w") as lock:  # tests run side by side, in several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        _run("make", "-C", FIRMWARE / "avr", f"OUT={BUILD}")
        uno = BUILD / "uno"
        if not uno.exists() or uno.stat().st_mtime < (HERE / "uno.c").stat().st_mtime:
            _run("gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", uno, HERE / "uno.c", "-lsimavr")
    return BUILD


@cache
def boot_loader(name: str) -> Path:
    """The boot loader of an Uno ("optiboot") or of an old Nano ("atmegaboot"), as Debian's arduino-core-avr has them.

    Its optiboot.hex has grown by 20 bytes more than the chip has room for; without its greeting by the LED it fits.
    """
    if not LOADERS.exists():
        lacking("not installed: arduino-core-avr; flashing is not tested")
    if name == "atmegaboot":
        return LOADERS / "atmega" / "ATmegaBOOT_168_atmega328.hex"
    elf, made = built() / f"optiboot-{os.getpid()}.elf", built() / f"optiboot-{os.getpid()}.hex"
    flags = ("-Os", "-fno-split-wide-types", "-mrelax", "-mmcu=atmega328p", "-DF_CPU=16000000L", "-DBAUD_RATE=115200")
    link = ("-DLED_START_FLASHES=0", "-Wl,--section-start=.text=0x7e00", "-nostartfiles", "-nostdlib")
    _run("avr-gcc", *flags, *link, "-o", elf, LOADERS / "optiboot" / "optiboot.c")
    _run("avr-objcopy", "-j", ".text", "-O", "ihex", elf, made)
    return made


class Board:
    """A running board: where its port is, what its LEDs have shown, its buttons and its clock."""

    def __init__(self, kind: str, realtime: bool = False, arguments: Sequence[str] = ()) -> None:
        self.kind = kind
        chip, self.leds = kind.split()
        options = ["--realtime"] * realtime + list(arguments)
        self._master = self._slave = -1
        if chip == "loader":
            command = [str(built() / "uno"), "--loader", str(boot_loader(self.leds)), *options]
        elif chip == "uno":
            command = [str(built() / "uno"), str(built() / f"{self.leds}.hex"), *options]
        else:
            needed("node", "npm")
            self._master, self._slave = pty.openpty()  # the slave stays open: a Pico does not mind who comes and goes
            tty.setraw(self._slave)
            kind_number = {"ws2812": "1", "max7219": "2", "prompt": "0"}[self.leds]
            options += ["--prompt"] * (self.leds == "prompt")
            command = ["node", str(HERE / "pico.mjs"), kind_number, str(self._master), *options]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            pass_fds=[self._master] if self._master >= 0 else [],
        )
        self.lines: list[str] = []
        self._heard = Condition()
        Thread(target=self._listen, daemon=True).start()
        port = self.wait_for("port")
        self.port = port.split()[1] if self._slave < 0 else os.ttyname(self._slave)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._heard:
                self.lines.append(line.rstrip("\n"))
                self._heard.notify_all()

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait_for(self, word: str, after: int = 0) -> str:
        def found() -> str | None:
            return next((line for line in self.lines[after:] if line.startswith(word)), None)

        with self._heard:
            assert self._heard.wait_for(found, PATIENCE), f"the board said no {word!r}: {self.lines[-5:]}"
            line = found()
            assert line is not None
            return line

    def ask(self, line: str, word: str) -> str:
        before = len(self.lines)
        self.tell(line)
        return self.wait_for(word, before)

    def run(self, ms: int) -> None:
        """Let so much of the board's own time go by."""
        self.ask(f"run {ms}", "ran")

    def stats(self) -> dict[str, int]:
        words = self.ask("stats", "stats").split()[1:]
        return {name: int(value) for name, value in zip(words[::2], words[1::2], strict=True)}

    def press(self, button: int) -> None:
        self.tell(f"down {button}")
        self.run(30)
        self.tell(f"up {button}")
        self.run(30)

    def shown(self) -> list[str]:
        """All that the LEDs have shown until now, in `expected`'s words."""
        self.stats()
        return [line.split()[3].split("/")[-1] for line in self.lines if line.startswith(("colors", "rows"))]

    def status(self) -> int:
        """Whether the status light burns."""
        self.stats()
        return int([line for line in self.lines if line.startswith("status")][-1].split()[2])

    def faults(self) -> list[str]:
        self.stats()
        return [line for line in self.lines if line.startswith("fault")]

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for end in (self._master, self._slave):
            if end >= 0:
                os.close(end)


@contextmanager
def board(kind: str, realtime: bool = False, arguments: Sequence[str] = ()) -> Iterator[Board]:
    running = Board(kind, realtime, arguments)
    try:
        yield running
    finally:
        running.close()


def expected(pixels: Pixels, leds: str) -> str:
    """What 64 LEDs of a kind show of a picture when it has just arrived."""
    if leds == "ws2812":
        return b"".join(bytes(pixel[:3]) for pixel in pixels).ljust(192, b"\0").hex()
    bits = "".join("1" if any(pixel[:3]) else "0" for pixel in pixels).ljust(128, "0")
    return int(bits, 2).to_bytes(16, "big").hex()


class Noise:
    """A bad line: one bit in a thousand is flipped, one byte in a thousand lost and one in a thousand doubled."""

    def __init__(self, seed: int, every: int = 1000) -> None:
        self._chance = random.Random(seed)
        self._every = every
        self._until = [self._gap() for _ in range(3)]  # bits, bytes, bytes until the next accident

    def _gap(self) -> int:
        return int(self._chance.expovariate(1 / self._every))

    def __call__(self, data: bytes) -> bytes:
        worse = bytearray(data)
        for kind, length in enumerate((8 * len(data), len(data), len(data))):
            at = self._until[kind]
            while at < length:
                self._harm(worse, kind, at)
                at += 1 + self._gap()
            self._until[kind] = at - length
        return bytes(worse)

    def _harm(self, data: bytearray, kind: int, at: int) -> None:
        if kind == 0:
            data[at // 8] ^= 1 << at % 8
        elif at < len(data):
            data[at : at + 1] = data[at : at + 1] * (2 if kind == 1 else 0)


def clear(data: bytes) -> bytes:
    return data


class Host:
    """The host's end, over pyserial."""

    def __init__(self, running: Board, noise: Callable[[bytes], bytes] = clear, patience: float = 0.5) -> None:
        self.connection = Connection(lambda: random.randrange(1, 1 << 32), patience)
        self.events: list[Event] = []
        self._noise = noise
        self.port = serial.Serial(running.port, 115200, timeout=0.005, exclusive=True)

    def step(self) -> None:
        self.port.write(self._noise(self.connection.data_to_send(time.monotonic())))
        self.events += self.connection.receive_data(self._noise(self.port.read(max(1, self.port.in_waiting))))

    def until(self, true: Callable[[], Any]) -> None:
        end = time.monotonic() + PATIENCE
        while not true():
            self.step()
            assert time.monotonic() < end, f"nothing comes: {self.events[-3:]}"

    def show(self, pixels: Pixels) -> None:
        self.connection.paint(pixels)
        self.until(lambda: self.connection.settled)

    def close(self) -> None:
        self.port.close()


def check_arrival(
    running: Board, pictures: Sequence[Pixels], noise: Callable[[bytes], bytes] = clear, patience: float = 0.5
) -> None:
    """Each picture arrives exactly, in order, and the LEDs never show anything else. The pictures keep within the
    current limit; a picture equal to the one before it is not sent again."""
    host = Host(running, noise, patience)
    seen = len(running.shown())
    dark = expected((DARK,), running.leds)
    for number, pixels in enumerate(pictures):
        host.show(pixels)
        fresh = running.shown()[seen:]
        seen += len(fresh)
        whole = expected(pixels, running.leds)
        if not number or pixels != pictures[number - 1]:
            assert fresh, f"picture {number} was not shown"
            assert fresh[-1] == whole, f"picture {number} is wrong"
        before = expected(pictures[number - 1], running.leds) if number else dark
        assert set(fresh) <= {whole, before, dark}, f"picture {number}: something else was shown on the way"
    assert running.faults() == []
    host.close()


# the parsers alone


class CParser:
    """protocol.c, built for this computer; undefined behavior ends the test."""

    def __init__(self, kind: int = 1) -> None:
        needed("gcc")
        BUILD.mkdir(exist_ok=True)
        library = BUILD / f"parser-{uuid4()}.so"  # of its own: it is all global variables
        sources = (HERE / "parser.c", FIRMWARE / "avr" / "protocol.c")
        strict = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-Wall", "-Wextra", "-Werror")
        shared = ("-std=gnu11", "-O2", "-shared", "-fPIC", f"-DKIND={kind}", f"-I{FIRMWARE / 'avr'}")
        _run("gcc", *shared, *strict, "-o", library, *sources)
        self._c = ctypes.CDLL(str(library))
        library.unlink()
        self._answers = ctypes.create_string_buffer(65536)
        self._pictures = ctypes.c_int.in_dll(self._c, "pictures")
        self._shown = (ctypes.c_char * (16 * 384)).in_dll(self._c, "shown")
        self.shown: list[bytes] = []
        self.tick(1, 0)

    def hear(self, data: bytes) -> bytes:
        return self._said(self._c.feed(data, len(data), self._answers))

    def tick(self, ms: int, down: int) -> bytes:
        return self._said(self._c.wait_ms(ms, down, self._answers))

    def greet(self) -> bytes:
        """What it says when it starts: the version that it would speak, among others."""
        return self._said(self._c.greeting(self._answers))

    @property
    def pitch(self) -> int:
        return ctypes.c_uint8.in_dll(self._c, "pitch").value

    def _said(self, length: int) -> bytes:
        raw = ctypes.string_at(ctypes.addressof(self._shown), 384 * self._pictures.value)
        self.shown = [raw[at : at + 192] for at in range(0, len(raw), 384)]
        return ctypes.string_at(self._answers, length)


class PythonParser:
    """MicroPython's protocol.py, in CPython."""

    def __init__(self, kind: int = 1) -> None:
        spec = importlib.util.spec_from_file_location("board_protocol", FIRMWARE / "micropython" / "protocol.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self._said = bytearray()
        self.shown: list[bytes] = []
        self._board = module.Board(kind, 128, 450, 3, "AVR WS2812", self._show, self._said.extend, EXTRAS)
        self._board.start()
        self._said.clear()

    @property
    def pitch(self) -> int:
        return int(self._board.pitch)

    def _show(self) -> None:
        self.shown.append(bytes(channel for place in range(64) for channel in self._board.color(place)))

    def _answers(self) -> bytes:
        said = bytes(self._said)
        self._said.clear()
        return said

    def greet(self) -> bytes:
        """What it says when it starts: the version that it would speak, among others."""
        self._board.start()
        return self._answers()

    def hear(self, data: bytes) -> bytes:
        self.shown = []
        self._board.hear(data)
        return self._answers()

    def tick(self, ms: int, down: int) -> bytes:
        self.shown = []
        for _ in range(ms):
            self._board.tick(1, down)
        return self._answers()


Parser = CParser | PythonParser
