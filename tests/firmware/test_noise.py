"""A bad line: no wrong picture is ever shown, every picture arrives in the end, and noise alone lights nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.leds.protocol import BEAT, DARK, HELLO, SHOWN, Connection, Messages, Pixel, Pixels, Pressed, frame
from tests.firmware.boards import CParser, Host, Noise, Parser, PythonParser, board, check_arrival, expected

MINUTE = 115200 // 10 * 60  # bytes
PALETTE: list[Pixel] = [
    DARK,
    (60, 0, 0, 0),
    (0, 45, 60, 0),
    (50, 50, 0, 0),
    (0, 0, 90, 0),
]  # 64 of any: within the limit


def pictures(seed: int) -> Iterator[Pixels]:
    """Moves: a few squares change; now and then all do. Always something, and within the limit."""
    chance = random.Random(seed)
    pixels = [DARK] * 64
    while True:
        places = chance.sample(range(64), chance.randrange(1, 5) if chance.random() < 0.98 else 40)
        for place in places:
            pixels[place] = chance.choice([color for color in PALETTE if color != pixels[place]])
        yield tuple(pixels)


def through_noise(parser: Parser, frames: int, seed: int) -> int:
    """How many pictures arrived through so many frames."""
    noise, back = Noise(seed), Noise(seed + 1)
    chance = random.Random(seed)
    connection = Connection(lambda: chance.randrange(1, 1 << 32))
    source = pictures(seed)
    dark = before = wanted = bytes(192)
    last = dark  # what the LEDs show
    sent = arrived = 0
    now = 0.0
    while sent < frames or not connection.settled:
        if connection.settled:
            pixels = next(source)
            before, wanted = wanted, b"".join(bytes(pixel[:3]) for pixel in pixels)
            connection.paint(pixels)
        now += 0.2
        request = connection.data_to_send(now)
        sent += bool(request)
        answer = parser.hear(noise(request))
        for last in parser.shown:
            assert last in (wanted, before, dark), f"a wrong picture after {sent} frames"
        connection.receive_data(back(answer))
        if connection.settled:
            assert last == wanted, f"picture {arrived} has not arrived"
            arrived += 1
        assert sent < 2 * frames, "nothing arrives"
    return arrived


def test_100_000_frames_through_noise_to_the_parser_in_c() -> None:
    arrived = through_noise(CParser(), 100_000, 1)
    assert 60_000 < arrived < 90_000  # the rest were spoilt, or their answers


@pytest.mark.parametrize("frames", [10_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_frames_through_noise_to_the_parser_in_python(frames: int) -> None:
    arrived = through_noise(PythonParser(), frames, 2)
    assert 0.6 * frames < arrived < 0.9 * frames


def test_frames_through_worse_noise() -> None:
    """A bit in a hundred: hardly anything gets through, and still nothing wrong."""
    chance = random.Random(9)
    for parser in (CParser(), PythonParser()):
        noise = Noise(7, 100)
        for pixels in (next(pictures(seed)) for seed in range(300)):
            connection = Connection(lambda: chance.randrange(1, 1 << 32))
            connection.paint(pixels)
            for now in range(40):
                connection.receive_data(noise(parser.hear(noise(connection.data_to_send(float(now))))))
                for shown in parser.shown:
                    assert shown in (bytes(192), bytes.fromhex(expected(pixels, "ws2812")))


@pytest.mark.parametrize("kind", [CParser, PythonParser])
def test_a_minute_of_random_bytes_lights_nothing(kind: type[Parser]) -> None:
    chance = random.Random(4)
    parser = kind()
    for piece in range(600):
        alphabet = (chance.randbytes, lambda n: bytes(chance.choices((0, 1, 2, 3, 255), k=n)))[piece % 2]
        for data in (alphabet(MINUTE // 1200), alphabet(MINUTE // 1200)):
            assert parser.hear(data) == b""
            assert parser.shown == []
    assert parser.hear(b"\0" + frame(bytes([HELLO, 1, 0, 7, 0, 0, 0, 1])))  # and it is still there
    for _ in range(60):  # in the middle of a session, too
        parser.hear(chance.randbytes(1000))
    (answer,) = Messages().receive(parser.hear(b"\0" + frame(bytes([BEAT, 2, 0]))))
    assert answer == bytes([SHOWN, 2, 0])


@pytest.mark.parametrize(
    ("kind", "seconds"),
    [
        ("uno ws2812", 10),
        ("pico ws2812", 10),
        pytest.param("pico ws2812", 60, marks=pytest.mark.soak),
        pytest.param("uno ws2812", 60, marks=pytest.mark.soak),
        pytest.param("uno max7219", 60, marks=pytest.mark.soak),
    ],
)
def test_random_bytes_light_nothing_on_the_machine(kind: str, seconds: int) -> None:
    chance = random.Random(6)
    with board(kind) as running:
        host = Host(running)
        running.run(20)
        host.port.reset_input_buffer()
        for _ in range(seconds * 10):
            host.port.write(chance.randbytes(MINUTE // 600))
            running.run(105)
        assert host.port.read(100) == b""
        assert set(running.shown()) == {expected((DARK,), running.leds)}
        assert running.faults() == []
        assert running.stats()["lost"] == 0
        host.show(next(pictures(1)))
        assert running.shown()[-1] == expected(next(pictures(1)), running.leds)
        host.close()


@pytest.mark.parametrize(
    ("kind", "many"),
    [
        ("uno ws2812", 500),
        ("pico ws2812", 250),
        pytest.param("uno max7219", 500, marks=pytest.mark.soak),
        pytest.param("pico max7219", 500, marks=pytest.mark.soak),
        pytest.param("pico ws2812", 5000, marks=pytest.mark.soak),
    ],
)
def test_frames_through_noise_on_the_machine(kind: str, many: int) -> None:
    with board(kind) as running:
        source = pictures(3)
        check_arrival(running, [next(source) for _ in range(many)], Noise(5), patience=0.03)


@pytest.mark.parametrize("kind", [CParser, PythonParser])
def test_presses_through_noise_are_told_once_each(kind: type[Parser]) -> None:
    parser = kind()
    noise = Noise(8, 400)
    sessions = iter(range(1, 1000))
    connection = Connection(lambda: next(sessions))
    now = 0.0
    pressed: list[int] = []

    def a_while(ms: int, down: int) -> None:
        nonlocal now
        now += ms / 1000
        said = parser.tick(ms, down) + parser.hear(noise(connection.data_to_send(now)))
        pressed.extend(event.button for event in connection.receive_data(noise(said)) if isinstance(event, Pressed))

    while connection.board is None:
        a_while(20, 0)
    wanted = []
    for press in range(600):  # the numbers go round twice
        wanted.append(press % 3 % 2)
        a_while(20, 1 << wanted[-1])
        a_while(20, 0)
        while len(pressed) < len(wanted):
            a_while(20, 0)
    for _ in range(50):
        a_while(20, 0)
    assert pressed == wanted
