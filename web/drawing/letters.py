"""Letters as they are cut into wood and printed on tokens: strokes, so that no machine lacks the font for them.

Drawn around the middle of their line, on the line (y = 0), digits and capitals 14 high.
"""

from __future__ import annotations

_BOWL = "M4.5-4.5a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0"
STROKES = {
    "a": f"{_BOWL}M4.5-9V0",
    "b": f"M-4.5-14V0{_BOWL}",
    "c": "M3.4-7.5a4.5 4.5 0 1 0 0 6",
    "d": f"{_BOWL}M4.5-14V0",
    "e": "M-4.4-4.7H4.5A4.5 4.5 0 1 0 3.2-1.3",
    "f": "M4-13.6C0-15-1-12.5-1-10.5V0M-4-9H3.4",
    "g": f"{_BOWL}M4.5-9V1.5C4.5 6-2.5 6-3.9 3.2",
    "h": "M-4.2-14V0M-4.2-5.2C-4.2-10.4 4.2-10.4 4.2-5.2V0",
    "i": "M0-9V0M0-13v.2",
    "0": "M4.5-7a4.5 7 0 1 1-9 0a4.5 7 0 1 1 9 0",
    "1": "M-3.2-11L.8-14V0",
    "2": "M-4-11C-3-15.2 4.3-15 4.3-10.3C4.3-7-1-4-4.3 0H4.6",
    "3": "M-4-12C-2-15 4-14.6 4-10.7C4-8 1.5-7.4-1-7.4C2-7.4 4.6-6.6 4.6-3.6C4.6 .8-2.6 .9-4.4-2.2",
    "4": "M2.2 0V-14L-5-4.2H5",
    "5": "M4-14H-3.4L-4-7.8C-1-9.8 4.6-9 4.6-4.5C4.6 .6-2.6 1-4.6-1.9",
    "6": "M3.2-14C-2.4-13-4.6-8-4.6-4.6a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 0 0-9.2 0",
    "7": "M-4.4-14H4.4L-1.4 0",
    "8": "M0-7.6a3.7 3.2 0 1 1 .1 0zM0-7.6a4.5 3.8 0 1 0 .1 0z",
    "9": "M-3.2 0C2.4-1 4.6-6 4.6-9.4a4.6 4.6 0 1 0-9.2 0a4.6 4.6 0 0 0 9.2 0",
    "-": "M-3-5.5H3",
    "A": "M-5.5 0L0-14L5.5 0M-3.6-4.8H3.6",
    "B": "M-4.2 0V-14H0C5.2-14 5.2-7.5 0-7.5H-4.2H.6C6.4-7.5 6.4 0 .6 0z",
    "C": "M5-11.2C2-15.6-5.4-14.6-5.4-7S2 1.6 5-2.8",
    "D": "M-4.4-14V0H-.6C7-.2 7-13.8-.6-14z",
}
ADVANCE = 12.5


def lettered(text: str, x: float, y: float, size: float = 1.5) -> str:
    """A text with its middle at a place; color and thickness of stroke are those of what is around it."""
    strokes = []
    for n, letter in enumerate(text):
        dx = (n - (len(text) - 1) / 2) * ADVANCE
        strokes.append(f'<path d="{STROKES[letter]}"' + (f' transform="translate({dx:g})"' if dx else "") + "/>")
    return f'<g transform="translate({x:g} {y + 7 * size:g}) scale({size:g})">{"".join(strokes)}</g>'
