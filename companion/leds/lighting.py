"""Lights as LEDs get them: in the order of the wire, as bright as is wished and as the current allows."""

from __future__ import annotations

from collections.abc import Mapping

from companion.leds.picture import WINKING, Cell, Color, Light
from companion.leds.protocol import DARK, PATTERNS, Pixel, Pixels, current, within_limit
from companion.leds.wiring import Wiring

LEAST = 1 / 255
MODULE = 64  # LEDs of one MAX7219


def pixels_of(
    lights: Mapping[Cell, Light], layout: Wiring, brightness: float, limit: int, mono: bool = False
) -> Pixels:
    """What each LED gets. `brightness` is 0 to 1, `limit` in mA; a matrix of one color tells all by blinking."""
    wire = [lights.get(cell) for cell in layout.wire()]
    if mono:
        return _of_one_color(wire, brightness, limit)
    while True:
        pixels = tuple(dimmed(light, brightness) if light else DARK for light in wire)
        if current(pixels) < limit or brightness < LEAST:
            return within_limit(pixels, limit)  # exactly as the board reckons it
        brightness *= min(0.95, max(0, limit - len(pixels)) / (current(pixels) - len(pixels) + 1))


def dimmed(light: Light, brightness: float) -> Pixel:
    """Nothing that is lit is dimmed away, unless all is."""
    red, green, blue = (max(1, round(part * brightness)) if part and brightness else 0 for part in light.color)
    return red, green, blue, light.blink if light in WINKING else 0


def _of_one_color(wire: list[Light | None], brightness: float, limit: int) -> Pixels:
    """A MAX7219 has sixteen brightnesses, one for all; as in the protocol it must do with the current there is."""
    level, lit = round(15 * brightness) if brightness else -1, sum(light is not None for light in wire)
    while level >= 0 and mono_current(lit, len(wire), level) > limit:
        level -= 1
    shade = min(255, 16 * level + 15) if level >= 0 else 0
    return tuple((shade, shade, shade, light.blink) if light and shade else DARK for light in wire)


def mono_current(lit: int, count: int, level: int) -> float:
    """What matrices of one color draw, in mA, by the protocol's reckoning."""
    return 8 * -(-count // MODULE) + lit * 5 * (2 * level + 1) / 32


def draw(pixels: Pixels, mono: bool = False) -> int:
    """What LEDs with this picture draw, in mA, about."""
    if not mono:
        return current(pixels)
    lit = [pixel for pixel in pixels if any(pixel[:3])]
    return round(mono_current(len(lit), len(pixels), max((pixel[0] - 15) // 16 for pixel in lit) if lit else 0))


def most_draw(count: int, brightness: float, mono: bool = False) -> int:
    """What so many LEDs would draw if nothing held them back: all of them white, at this brightness."""
    if mono:
        return round(mono_current(count, count, round(15 * brightness)))
    return current((dimmed(Light((255, 255, 255)), brightness),) * count)


def at_step(pixels: Pixels, step: int) -> list[Color]:
    """What is lit in one step of the blink patterns, for boards that do not know them."""
    return [(r, g, b) if PATTERNS[blink][step % 8] == "#" else (0, 0, 0) for r, g, b, blink in pixels]
