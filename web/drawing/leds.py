"""LEDs as they burn: each as its color looks to the eye, blinking as on the board.

Where nothing can move, a bar under each light shows its blinking: eight steps from left to right, on and off.
"""

from __future__ import annotations

from companion.leds.picture import Color, Size
from companion.leds.protocol import PATTERNS, STEP, Pixels
from companion.leds.wiring import Wiring
from web.drawing.letters import lettered
from web.drawing.sheet import U, attribute

EDGE = 62  # around the LEDs, with letters and numbers on it
MONO = (255, 50, 24)  # what matrices of one color mostly are
EYE = 1 / 2.2  # a light that is on half as long looks more than half as bright


def leds_svg(
    pixels: Pixels,
    layout: Wiring,
    board: Size,
    *,
    brightness: float,
    mono: bool = False,
    still: bool = False,
    title: str = "",
) -> str:
    """All LEDs of a layout as they are sent these pixels; `brightness` is what the eye is used to."""
    wide, high = layout.size
    most = max(1.0, 255 * brightness)
    squares = {(x + layout.a1[0], y + layout.a1[1]) for x in range(board[0]) for y in range(board[1])}
    shown, glows = [], dict[str, str]()
    for cell, (*rgb, blink) in zip(layout.wire(), pixels, strict=True):
        x, y = cell[0] * U + U // 2, (high - 1 - cell[1]) * U + U // 2
        parts = [f'<use href="#{"on" if cell in squares else "off"}-board"/>']
        if any(rgb):
            seen = _hex(MONO) if mono else as_seen((rgb[0], rgb[1], rgb[2]), most)
            glows.setdefault(seen, f"glow{len(glows)}")
            parts.append(_burning(seen, glows[seen], blink, still))
        shown.append(f'<g transform="translate({x} {y})">{"".join(parts)}</g>')
    left, top = -EDGE, -EDGE
    size = f"{left} {top} {wide * U + 2 * EDGE} {high * U + 2 * EDGE}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" role="img" aria-label={attribute(title)}>'
        f"<defs>{SHAPES}{''.join(_glow(color, name) for color, name in glows.items())}</defs>"
        f'<rect x="{left}" y="{top}" width="{wide * U + 2 * EDGE}" height="{high * U + 2 * EDGE}" rx="34" '
        f'fill="#1a1613"/>{_names(layout, board)}{"".join(shown)}</svg>'
    )


SHAPES = (
    '<g id="off-board"><rect x="-46" y="-46" width="92" height="92" rx="12" fill="#221d19"/>'
    '<circle r="9" fill="#332c26"/></g>'
    '<g id="on-board"><rect x="-46" y="-46" width="92" height="92" rx="12" fill="#3a3029"/>'
    '<circle r="9" fill="#52453b"/></g>'
)


def as_seen(rgb: Color, most: float = 255) -> str:
    """A color as the eye has it, where `most` is the brightest it sees."""
    red, green, blue = (round(255 * min(1.0, part / most) ** EYE) for part in rgb)
    return _hex((red, green, blue))


def _hex(rgb: Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _glow(color: str, name: str) -> str:
    return (
        f'<radialGradient id="{name}"><stop offset="0" stop-color="#fff" stop-opacity=".85"/>'
        f'<stop offset=".16" stop-color="{color}"/><stop offset=".55" stop-color="{color}" stop-opacity=".8"/>'
        f'<stop offset="1" stop-color="{color}" stop-opacity=".12"/></radialGradient>'
    )


def _burning(color: str, glow: str, blink: int, still: bool) -> str:
    bar = moving = faint = ""
    if blink and still:
        on = PATTERNS[blink].count("#") / 8
        faint = f' opacity="{0.4 + 0.6 * on:g}"'
        steps = "".join(
            f'<rect x="{-40 + 10 * n}" y="32" width="10" height="9" fill="{"#fff" if on == "#" else "#000"}"/>'
            for n, on in enumerate(PATTERNS[blink])
        )
        bar = f'<g stroke="#000" stroke-width="1.5">{steps}</g>'
    elif blink:
        values = ";".join("1" if on == "#" else "0" for on in PATTERNS[blink])
        moving = (
            f'<animate attributeName="opacity" values="{values}" dur="{8 * STEP:g}s" calcMode="discrete" '
            'repeatCount="indefinite"/>'
        )
    return (
        f'<g{faint}><rect x="-46" y="-46" width="92" height="92" rx="12" fill="{color}" fill-opacity=".38"/>'
        f'<circle r="46" fill="url(#{glow})"/>{moving}</g>{bar}'
    )


def _names(layout: Wiring, board: Size) -> str:
    """Letters and numbers at the board's edges, to find a square by; rows of planks have no fixed numbers."""
    (x0, y0), high = layout.a1, layout.size[1]
    wide, tall = min(board[0], layout.board[0] - x0), min(board[1], layout.board[1] - y0)
    letters = [
        lettered("abcdefghi"[n], (x0 + n) * U + U / 2, high * U + EDGE / 2 - 4, 1.7) for n in range(max(0, wide))
    ]
    if board[0] > 3:
        letters += [
            lettered(str(n + 1), -EDGE / 2 + 2, (high - 1 - y0 - n) * U + U / 2, 1.7) for n in range(max(0, tall))
        ]
    return (
        '<g aria-hidden="true" fill="none" stroke="#cbb9a3" stroke-width="2.4" stroke-linecap="round" '
        f'stroke-linejoin="round">{"".join(letters)}</g>'
    )
