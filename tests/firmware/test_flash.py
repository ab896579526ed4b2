"""`companion leds flash`: real boot loaders in simavr, real MicroPython, and what is left alone."""

from __future__ import annotations

import hashlib
import os
import random
import threading
import time
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from companion.errors import BadInput
from companion.leds import images
from companion.leds.drivers import FirmwareBoard
from companion.leds.flash import flash, identify
from companion.leds.images import FIRMWARE, avr_program, image, parse_intel_hex, python_program
from companion.leds.ports import CannotOpen
from companion.leds.protocol import COLOR, MONO
from companion.leds.protocol import Board as About
from companion.leds.stk500 import program
from tests.firmware.boards import FIRMWARE as SOURCES
from tests.firmware.boards import board, built


def hello(path: str) -> About:
    driver = FirmwareBoard(path)
    try:
        driver.open(lambda: False)
        assert driver.board
        return driver.board
    finally:
        driver.close()


# --- what comes with the companion


def test_the_images_are_what_the_sources_give() -> None:
    """Byte for byte: `make -C firmware/avr images` builds them."""
    for name in ("ws2812.hex", "max7219.hex"):
        assert image(name) == (built() / name).read_bytes(), name
    for name in images.PYTHON:
        assert image(f"{name}.txt") == (SOURCES / "micropython" / name).read_bytes(), name


def test_a_spoilt_image_is_not_flashed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Spoilt:
        def hexdigest(self) -> str:
            return hashlib.sha256(b"something else").hexdigest()

    monkeypatch.setattr(images, "sha256", lambda data: Spoilt())
    with pytest.raises(BadInput, match="spoilt-image"):
        image("ws2812.hex")


def test_a_limit_is_written_into_the_program() -> None:
    plain = parse_intel_hex(image("ws2812.hex"))
    other = avr_program(False, 2000)
    assert len(plain) == len(other)
    assert [at for at in range(len(plain)) if plain[at] != other[at]] == [plain.index(b"limit=") + n for n in (6, 7)]
    main = python_program(True, 2000)["main.py"]
    assert b"\nLIMIT = 2000 " in main
    assert b"\nKIND = MONO " in main


# --- boot loaders


@pytest.mark.parametrize("loader", ["optiboot", "atmegaboot"])
def test_a_new_board_gets_the_firmware(loader: str) -> None:
    parts: list[float] = []
    with board(f"loader {loader}", realtime=True) as running:
        told = flash(running.port, limit=900, progress=parts.append)
        assert told.fresh
        assert told.board[1:6] == (COLOR, 128, 900, 3, FIRMWARE)
        assert parts == sorted(parts)
        assert parts[-1] == 1
        assert not flash(running.port).fresh  # it runs the newest: it is left alone
        assert flash(running.port, mono=True).board.kind == MONO


def cut_off(loader: str, times: int, seed: int) -> None:
    """Power fails at any byte; the next attempt mends what is on the chip then."""
    chance = random.Random(seed)
    code = avr_program(False, 450)
    with board(f"loader {loader}", realtime=True) as running:
        for _ in range(times):
            running.tell(f"cut {chance.randrange(40, len(code))}")
            while not [line for line in running.lines if line.startswith("dead")]:  # a busy machine may miss the loader
                with pytest.raises(CannotOpen) as cut:
                    program(running.port, code)
                assert cut.value.code in ("leds.cut", "leds.no-loader")
            running.lines.clear()
            running.tell("power")
        program(running.port, code)
        assert hello(running.port).firmware == FIRMWARE


def test_a_flash_that_was_cut_off_can_be_repeated() -> None:
    cut_off("optiboot", 3, 1)


@pytest.mark.soak
@pytest.mark.parametrize("loader", ["optiboot", "atmegaboot"])
def test_twenty_power_cuts(loader: str) -> None:
    cut_off(loader, 20, 2)


def test_half_a_program_stands_still() -> None:
    with board("loader optiboot", realtime=True) as running:
        running.tell("cut 4000")
        with pytest.raises(CannotOpen):
            program(running.port, avr_program(False, 450))
        running.wait_for("dead")
        running.tell("power")
        with pytest.raises(CannotOpen, match=r"leds\.mute"):
            hello(running.port)
        assert not [line for line in running.lines if line.startswith(("colors", "fault", "status"))]


# --- MicroPython


def test_a_board_with_micropython_gets_the_firmware_and_later_a_newer_one() -> None:
    with board("pico prompt", realtime=True) as running:
        assert identify(running.port).kind == "micropython"  # it greets only who was there when it started
        told = flash(running.port, limit=700)
        assert (told.fresh, told.board.firmware, told.board.limit, told.board.kind) == (True, FIRMWARE, 700, COLOR)
        assert not flash(running.port).fresh
        again = flash(running.port, mono=True)  # it runs ours, and is asked to stop for it
        assert (again.fresh, again.board.kind, again.board.limit) == (True, MONO, 700)


# --- what is left alone


@contextmanager
def machine(
    *, greets: bytes = b"", answers: bytes = b"", replies: Mapping[bytes, bytes] = {}
) -> Iterator[tuple[str, bytearray]]:
    """Something at a port that is none of ours: its path, and all that it is told."""
    master, slave = os.openpty()
    tty.setraw(slave)
    path, heard, over = os.ttyname(slave), bytearray(), threading.Event()

    def live() -> None:
        time.sleep(0.3)
        os.write(master, greets)
        while not over.is_set():
            came = os.read(master, 256)
            heard.extend(came)
            os.write(master, replies.get(came, answers if b"\n" in came else b""))

    thread = threading.Thread(target=live, daemon=True)
    thread.start()
    try:
        yield path, heard
    finally:
        over.set()
        os.write(slave, b"\n")
        thread.join(5)
        os.close(slave)
        os.close(master)


@pytest.mark.parametrize(
    ("greets", "said"),
    [
        (b"start\r\necho:Marlin 2.1.2\r\n", "start"),
        (b"\r\nGrbl 1.1h ['$' for help]\r\n", "Grbl 1.1h ['$' for help]"),
        (b"$GPGGA,123519,4807.038,N\r\n", "$GPGGA,123519,4807.038,N"),
    ],
)
def test_a_printer_is_known_by_its_greeting_and_told_nothing(greets: bytes, said: str) -> None:
    with machine(greets=greets) as (path, heard):
        with pytest.raises(CannotOpen) as why:
            flash(path, anyway=True)
        assert (why.value.code, why.value.params["said"]) == ("leds.machine", said)
        assert not heard


def test_a_printer_that_does_not_greet_is_asked_what_it_is() -> None:
    with machine(answers=b"FIRMWARE_NAME:Marlin 2.1 SOURCE_CODE_URL:x\r\nok\r\n") as (path, heard):
        with pytest.raises(CannotOpen) as why:
            flash(path, anyway=True)
        assert why.value.code == "leds.machine"
        assert b"d\x00\x80" not in heard  # no page was written


def test_somebodys_own_program_is_not_written_over_unasked() -> None:
    with machine(greets=b"Temperature: 21 degrees\r\n") as (path, heard):
        with pytest.raises(CannotOpen) as why:
            flash(path)
        assert (why.value.code, why.value.params["said"]) == ("leds.talks", "Temperature: 21 degrees")
        assert b"0 " not in heard  # the boot loader was not called


def test_a_chip_of_another_kind_is_left_alone() -> None:
    """A printer's ATmega1284P has a boot loader of the same kind."""
    replies = {b"0 ": b"\x14\x10", b"u ": b"\x14\x1e\x97\x05\x10"}
    with machine(replies=replies) as (path, heard):
        with pytest.raises(CannotOpen) as why:
            program(path, avr_program(False, 450))
        assert (why.value.code, why.value.params["chip"]) == ("leds.other-chip", "1e9705")
        assert set(bytes(heard).split()) == {b"0", b"u"}
