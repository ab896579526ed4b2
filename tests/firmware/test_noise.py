"""A bad line: no wrong picture is ever shown, every picture arrives in the end, and noise alone lights nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.leds.protocol import DARK, Event, Pixel, Pixels, Pressed, Talk, frame
from tests.firmware.boards import Board, CParser, Noise, Parser, PythonParser, board, check_arrival, expected

MINUTE = 115200 // 10 * 60  # bytes
PALETTE: list[Pixel] = [DARK, DARK, (60, 0, 0, 0), (0, 45, 60, 0), (50, 50, 0, 0), (0, 0, 90, 0)]


def pictures(seed: int) -> Iterator[Pixels]:
    """Moves: a few squares change; now and then all do. Always something, and within the limit."""
    chance = random.Random(seed)
    pixels = [DARK] * 64
    while True:
        places = chance.sample(range(64), chance.randrange(1, 5) if chance.random() < 0.98 else 40)
        for place in places:
            pixels[place] = chance.choice([colour for colour in PALETTE if colour != pixels[place]])
        for place in range(64):
            if sum(any(pixel) for pixel in pixels) > 45:
                pixels[place] = DARK
        yield tuple(pixels)


def through_noise(parser: Parser, frames: int, seed: int) -> tuple[int, int]:
    """How many pictures arrived, and how many frames that took."""
    noise, back = Noise(seed), Noise(seed + 1)
    chance = random.Random(seed)
    talk = Talk(lambda: chance.randrange(1, 1 << 32))
    source = pictures(seed)
    dark = bytes(192)
    sent = arrived = 0
    now = 0.0
    possible = {dark}
    while sent < frames or not talk.settled:
        if talk.settled:
            arrived += 1
            pixels = next(source)
            possible = {dark, *list(possible)[-1:], bytes.fromhex(expected(pixels, "ws2812"))}
            talk.paint(pixels)
        now += 0.2
        request = talk.say(now)
        sent += bool(request)
        answer = parser.hear(noise(request))
        assert possible.issuperset(parser.shown), f"a wrong picture after {sent} frames"
        talk.hear(back(answer))
        assert sent < 3 * frames, "nothing arrives"
        if talk.settled and parser.shown:
            assert parser.shown[-1] == bytes.fromhex(expected(talk.shown or (), "ws2812"))
    return arrived, sent


@pytest.mark.parametrize("kind", [CParser, PythonParser])
def test_many_frames_through_noise(kind: type[Parser]) -> None:
    through_noise(kind(), 5000, 1)


@pytest.mark.parametrize("kind", ["uno ws2812", "uno max7219", "pico ws2812"])
def test_frames_through_noise_on_the_machine(kind: str) -> None:
    with board(kind) as running:
        source = pictures(3)
        check_arrival(running, [next(source) for _ in range(500)], Noise(5), patience=0.03)
