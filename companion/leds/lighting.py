"""From lights to LEDs: in the order of the wire, as bright as the settings ask for and the current allows."""

from __future__ import annotations

from collections.abc import Mapping

from companion.leds.picture import WINKING, Cell, Color, Light
from companion.leds.protocol import DARK, PATTERNS, Pixel, Pixels, current, within_limit
from companion.leds.wiring import Wiring

MIN_BRIGHTNESS = 1 / 255
MODULE = 64  # LEDs of one MAX7219


def pixels_of(
    lights: Mapping[Cell, Light], layout: Wiring, brightness: float, limit: int, mono: bool = False
) -> Pixels:
    """The pixel of each LED. `brightness` is 0 to 1, `limit` in mA; `mono`: one color, so only blinking tells apart."""
    wire = [lights.get(cell) for cell in layout.wire()]
    if mono:
        return _of_one_color(wire, brightness, limit)
    while True:
        pixels = tuple(dimmed(light, brightness) if light else DARK for light in wire)
        if current(pixels) < limit or brightness < MIN_BRIGHTNESS:
            return within_limit(pixels, limit)  # the board's own formula, exactly
        brightness *= min(0.95, max(0, limit - len(pixels)) / (current(pixels) - len(pixels) + 1))


def dimmed(light: Light, brightness: float) -> Pixel:
    """The light at this brightness. A component that is on stays at least 1, unless the brightness is 0."""
    red, green, blue = (max(1, round(part * brightness)) if part and brightness else 0 for part in light.color)
    return red, green, blue, light.blink if light in WINKING else 0


def _of_one_color(wire: list[Light | None], brightness: float, limit: int) -> Pixels:
    """A MAX7219 has one brightness of sixteen for all LEDs; it is lowered until the current limit holds."""
    level, lit = round(15 * brightness) if brightness else -1, sum(light is not None for light in wire)
    while level >= 0 and mono_current(lit, len(wire), level) > limit:
        level -= 1
    shade = min(255, 16 * level + 15) if level >= 0 else 0
    return tuple((shade, shade, shade, light.blink) if light and shade else DARK for light in wire)


def mono_current(lit: int, count: int, level: int) -> float:
    """The current of matrices of one color in mA, by the protocol's formula."""
    return 8 * -(-count // MODULE) + lit * 5 * (2 * level + 1) / 32


def current_draw(pixels: Pixels, mono: bool = False) -> int:
    """The approximate current of this picture in mA."""
    if not mono:
        return current(pixels)
    lit = [pixel for pixel in pixels if any(pixel[:3])]
    return round(mono_current(len(lit), len(pixels), max((pixel[0] - 15) // 16 for pixel in lit) if lit else 0))


def max_current_draw(count: int, brightness: float, mono: bool = False) -> int:
    """The current of all LEDs in white at this brightness, without a limit."""
    if mono:
        return round(mono_current(count, count, round(15 * brightness)))
    return current((dimmed(Light((255, 255, 255)), brightness),) * count)


def at_step(pixels: Pixels, step: int) -> list[Color]:
    """The colors in one step of the blink patterns, for boards that cannot blink by themselves."""
    return [(r, g, b) if PATTERNS[blink][step % 8] == "#" else (0, 0, 0) for r, g, b, blink in pixels]
