"""From "paint" to the last LED latched: the AVR firmware on the simulated Uno at 115200 baud, 64 WS2812, beside what
Adalight's bytes alone take on the same wire."""

from __future__ import annotations

import random
import time
from statistics import median

from companion.leds.protocol import DARK, Pixels
from tests.bench.table import Row
from tests.firmware.boards import Board, Host, board

HERTZ = 16_000_000
BAUD = 115_200


def _adalight(pixels: Pixels) -> float:
    count = len(pixels) - 1
    head = b"Ada" + bytes([count >> 8, count & 255, count >> 8 ^ count & 255 ^ 0x55])
    return 10 * len(head + b"".join(bytes(pixel[:3]) for pixel in pixels)) / BAUD


def _shown(uno: Board, host: Host, pixels: Pixels) -> float:
    """Seconds: the host's own, and on the wire and in the chip until the strip has rested 280 µs."""
    host.connection.paint(pixels)
    start = time.perf_counter()
    host.connection.paint(pixels)
    request = host.connection.data_to_send(time.monotonic())
    own = time.perf_counter() - start
    host.port.write(request)
    host.until(lambda: host.connection.settled)
    uno.stats()
    latched, since = map(int, [line for line in uno.lines if line.startswith("colors")][-1].split()[1:3])
    return own + (latched - since) / HERTZ


def _any_colors(chance: random.Random) -> Pixels:
    return tuple((chance.randrange(40), chance.randrange(40), chance.randrange(40), 0) for _ in range(64))


def _game(chance: random.Random) -> Pixels:
    colors = [DARK, DARK, DARK, (0, 30, 45, 0), (60, 40, 0, 0), (60, 0, 0, 3), (20, 20, 20, 0)]
    return tuple(chance.choice(colors) for _ in range(64))


def _move(before: Pixels, chance: random.Random) -> Pixels:
    """The last move's two squares go dark, the new one's two are lit, a hint's square comes or goes."""
    pixels = list(before)
    squares = chance.sample(range(64), 5)
    for square, color in zip(squares, [DARK, DARK, (0, 30, 45, 0), (0, 30, 45, 0), (60, 40, 0, 2)], strict=True):
        pixels[square] = color
    return tuple(pixels)


def rows() -> list[Row]:
    chance = random.Random(1)
    times: dict[str, list[float]] = {"any": [], "game": [], "move": []}
    with board("uno ws2812") as uno:
        host = Host(uno)
        for _ in range(20):
            host.show(((1, 1, 1, 0),) * 63)  # of another size: what follows cannot build on it
            times["any"].append(_shown(uno, host, _any_colors(chance)))
            host.show(((1, 1, 1, 0),) * 63)
            picture = _game(chance)
            times["game"].append(_shown(uno, host, picture))
            for _ in range(5):
                picture = _move(picture, chance)
                times["move"].append(_shown(uno, host, picture))
        assert uno.faults() == []
        host.close()
    theirs = _adalight(((0, 0, 0, 0),) * 64)
    made = []
    for what, key, bar in (
        ("64 LEDs, 64 colors", "any", 1.3),
        ("64 LEDs, a game's colors", "game", 1.3),
        ("a move, 5 LEDs change", "move", 0.3),
    ):
        ours = median(times[key])
        ratio = ours / theirs
        made.append(
            Row(
                what,
                f"{ours * 1e3:.1f} ms (worst {max(times[key]) * 1e3:.1f})",
                "Adalight's bytes",
                f"{theirs * 1e3:.1f} ms",
                ratio,
                f"≤ {bar}",
                ratio <= bar,
            )
        )
    return made
