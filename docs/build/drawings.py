"""Draws what the build guide shows, in English and French: `python docs/build/drawings.py` writes the SVG files.

Lengths are millimeters. CELL is a square of the board, and so the distance of two LEDs under it; the plans of the
kit take the same.
"""

from __future__ import annotations

from pathlib import Path

CELL = 33.3  # 30 LEDs a metre
HERE = Path(__file__).parent
INK, WIRE = "#333", {"5v": "#c62828", "gnd": "#222", "data": "#1565c0", "button": "#b26a00", "sound": "#6a1b9a"}
WORDS = {
    "en": {
        "section": "Section through the board",
        "top": "printed sheet or veneer, 0.3 mm",
        "diffuser": "opal acrylic, 3 mm: the diffuser",
        "grid": "grid of light walls, 12 mm",
        "led": "LED strip, one LED under each square",
        "base": "base, plywood 4 mm",
        "strip": "The strip under the board, seen from above",
        "first": "first LED: data comes in here",
        "cut": "cut the strip, join with three wires",
        "matrix": "A matrix beside the board",
        "board": "board on its mat",
        "panel": "8×8 matrix",
        "usb": "USB to the computer",
        "wiring": "Wiring of",
        "strip_name": "WS2812 strip",
        "done": "turn done",
        "hint": "hint",
        "referee": "referee",
        "piezo": "piezo",
        "capacitor": "1000 µF between 5 V and GND at the strip",
    },
    "fr": {
        "section": "Coupe du plateau",
        "top": "feuille imprimée ou placage, 0,3 mm",
        "diffuser": "acrylique opale, 3 mm : le diffuseur",
        "grid": "grille de cloisons, 12 mm",
        "led": "ruban de LED, une sous chaque case",
        "base": "fond, contreplaqué 4 mm",
        "strip": "Le ruban sous le plateau, vu de dessus",
        "first": "première LED : les données entrent ici",
        "cut": "couper le ruban, relier par trois fils",
        "matrix": "Une matrice à côté du plateau",
        "board": "plateau sur son tapis",
        "panel": "matrice 8×8",
        "usb": "USB vers l'ordinateur",
        "wiring": "Câblage de",
        "strip_name": "ruban WS2812",
        "done": "coup joué",
        "hint": "indice",
        "referee": "arbitre",
        "piezo": "piézo",
        "capacitor": "1000 µF entre 5 V et GND au ruban",
    },
}
# Pins of the firmware: data, the three buttons, the piezo; whether the signal is to be lifted from 3.3 V.
BOARDS = {
    "uno": ("Arduino Uno / Nano", "5V", "D6", ("D2", "D3", "D4"), "D5", False),
    "pico": ("Raspberry Pi Pico", "VBUS", "GP16", ("GP14", "GP15", "GP13"), "GP12", True),
    "esp32": ("ESP32", "5V / VIN", "13", ("26", "27", "25"), "14", True),
}


def sheet(wide: float, high: float, title: str, parts: list[str]) -> str:
    style = 'font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="13"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" {style}><title>{title}</title>'
    named = text(wide / 2, 26, title, "middle", 'font-size="17" font-weight="bold"')
    return f'{head}<rect width="{wide:g}" height="{high:g}" fill="#fff"/>{named}{"".join(parts)}</svg>\n'


def text(x: float, y: float, said: str, anchor: str = "start", more: str = "", color: str = INK) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{color}" {more}>{said}</text>'


def box(x: float, y: float, wide: float, high: float, fill: str, more: str = "") -> str:
    place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'
    return f'<rect {place} fill="{fill}" stroke="{INK}" stroke-width="1" {more}/>'


def line(points: list[tuple[float, float]], color: str, wide: float = 2.5) -> str:
    told = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{told}" fill="none" stroke="{color}" stroke-width="{wide:g}" stroke-linejoin="round"/>'


def section(words: dict[str, str]) -> str:
    left, cell, parts = 30.0, 90.0, []
    layers = [("top", 6, "#d9c7a7"), ("diffuser", 22, "#eef3f6"), ("grid", 84, "#fff"), ("base", 26, "#c9a878")]
    y = 60.0
    for name, high, fill in layers:
        parts.append(box(left, y, 4 * cell, high, fill))
        parts.append(text(left + 4 * cell + 24, y + high / 2 + 4, words[name]))
        parts.append(line([(left + 4 * cell, y + high / 2), (left + 4 * cell + 20, y + high / 2)], INK, 1))
        if name == "grid":
            parts += [box(left + n * cell - 4, y, 8, high, "#8d6e4b") for n in range(5)]
            for n in range(4):
                x = left + (n + 0.5) * cell
                low = y + high - 9
                cone = f"M{x - 8:g},{low:g} L{x - 38:g},{y:g} H{x + 38:g} L{x + 8:g},{low:g} Z"
                parts.append(f'<path d="{cone}" fill="#ffe9a8" opacity=".7"/>')
                parts.append(box(x - 9, y + high - 10, 18, 7, "#fafafa"))
            parts.append(box(left + 4, y + high - 3, 4 * cell - 8, 3, "#444"))
            parts.append(text(left + 4 * cell + 24, y + high - 2, words["led"]))
        y += high
    parts.append(line([(left, y + 22), (left + cell, y + 22)], INK, 1))
    parts.append(text(left + cell / 2, y + 40, f"{CELL:g} mm", "middle"))
    return sheet(720, y + 60, words["section"], parts)


def strip(words: dict[str, str]) -> str:
    left, top, cell = 60.0, 70.0, 46.0
    parts = [box(left + n % 8 * cell, top + n // 8 * cell, cell, cell, "#f6efe2") for n in range(64)]
    for row in range(8):
        y, ends = top + (7 - row + 0.5) * cell, (left + 0.5 * cell, left + 7.5 * cell)
        parts.append(line([(ends[0] - 12, y), (ends[1] + 12, y)], "#9e9e9e", 11))
        parts += [box(left + (c + 0.5) * cell - 5, y - 5, 10, 10, "#fff") for c in range(8)]
        if row < 7:
            x = ends[1] + 12 if row % 2 == 0 else ends[0] - 12
            parts.append(line([(x, y), (x, y - cell)], WIRE["data"]))
        way = 1 if row % 2 == 0 else -1
        x = left + 4 * cell
        parts.append(f'<path d="M{x - 5 * way:g},{y - 4:g} l{10 * way:g},4 l{-10 * way:g},4 Z" fill="{WIRE["data"]}"/>')
    y = top + 7.5 * cell
    parts.append(line([(16, y + 40), (16, y), (left + 0.5 * cell - 12, y)], WIRE["data"]))
    parts.append(text(26, y + 50, words["first"]))
    parts.append(text(left + 8 * cell + 18, top + 7 * cell, words["cut"]))
    parts.append(
        line([(left + 8 * cell + 14, top + 7 * cell - 4), (left + 7.8 * cell + 2, top + 7 * cell - 4)], INK, 1)
    )
    for n in range(8):
        parts.append(text(left + (n + 0.5) * cell, top - 8, "abcdefgh"[n], "middle"))
        parts.append(text(left + 8 * cell + 6, top + (7 - n + 0.5) * cell + 4, str(n + 1)))
    parts.append(line([(left, top - 26), (left + cell, top - 26)], INK, 1))
    parts.append(text(left + cell + 6, top - 22, f"{CELL:g} mm"))
    return sheet(720, top + 8 * cell + 60, words["strip"], parts)


def matrix(words: dict[str, str]) -> str:
    parts = [box(40, 60, 300, 300, "#efe4cf"), text(190, 380, words["board"], "middle")]
    parts += [line([(40 + n * 37.5, 60), (40 + n * 37.5, 360)], "#c9b48c", 1) for n in range(9)]
    parts += [line([(40, 60 + n * 37.5), (340, 60 + n * 37.5)], "#c9b48c", 1) for n in range(9)]
    parts += [box(400, 130, 150, 150, "#222"), text(475, 300, words["panel"], "middle")]
    for row in range(8):
        for column in range(8):
            lit = (row, column) in ((2, 3), (4, 3))
            color, at = "#ff9800" if lit else "#444", f'cx="{411 + column * 18.3:g}" cy="{141 + row * 18.3:g}"'
            parts.append(f'<circle {at} r="6" fill="{color}"/>')
    parts += [box(600, 180, 80, 50, "#1a7f86"), text(640, 210, "Nano", "middle", color="#fff")]
    parts += [line([(550, 205), (600, 205)], WIRE["data"]), line([(680, 205), (712, 205)], INK)]
    parts.append(text(712, 250, words["usb"], "end"))
    return sheet(720, 400, words["matrix"], parts)


def wiring(kind: str, words: dict[str, str]) -> str:
    name, power, data, buttons, sound, lifted = BOARDS[kind]
    parts = [box(40, 60, 170, 400, "#f4f1ea", 'rx="6"'), text(125, 50, name, "middle", 'font-weight="bold"')]
    parts += [
        box(510, 60, 180, 110, "#f4f1ea", 'rx="6"'),
        text(600, 50, words["strip_name"], "middle", 'font-weight="bold"'),
    ]
    lines = [(90, power, "5v", "5V"), (120, data, "data", "DIN"), (150, "GND", "gnd", "GND")]
    for y, pin, color, there in lines:
        parts.append(line([(210, y), (510, y)], WIRE[color]))
        parts += [text(202, y + 4, pin, "end"), text(518, y + 4, there)]
    parts += [box(430, 112, 50, 16, "#fff"), text(455, 124, "330 Ω", "middle", 'font-size="11"')]
    if lifted:
        parts += [box(290, 104, 100, 32, "#fff"), text(340, 125, "74AHCT125", "middle", 'font-size="12"')]
    parts.append(text(510, 190, words["capacitor"], "middle", 'font-size="12"'))
    for n, (pin, what) in enumerate(zip((*buttons, sound), ("done", "hint", "referee", "piezo"), strict=True)):
        y, color = 240 + 50 * n, WIRE["sound" if what == "piezo" else "button"]
        near, far = (412, 448) if what == "piezo" else (400, 460)
        parts.append(line([(210, y), (near, y)], color))
        parts.append(line([(far, y), (640, y), (640, 440)], WIRE["gnd"]))
        if what == "piezo":
            parts.append(f'<circle cx="430" cy="{y:g}" r="18" fill="#ffe9a8" stroke="{INK}"/>')
        else:
            parts.append(line([(400, y), (452, y - 14)], INK))
            parts.append(f'<circle cx="400" cy="{y:g}" r="3.5"/><circle cx="460" cy="{y:g}" r="3.5"/>')
        parts += [text(202, y + 4, pin, "end"), text(476, y - 8, words[what])]
    parts += [line([(210, 440), (640, 440)], WIRE["gnd"]), text(202, 444, "GND", "end")]
    return sheet(720, 480, f"{words['wiring']} {name}", parts)


def drawings() -> dict[str, str]:
    """Every drawing by its file's name."""
    found = {}
    for language, words in WORDS.items():
        found |= {f"{draw.__name__}-{language}.svg": draw(words) for draw in (section, strip, matrix)}
        found |= {f"wiring-{kind}-{language}.svg": wiring(kind, words) for kind in BOARDS}
    return found


if __name__ == "__main__":
    for name, drawing in drawings().items():
        (HERE / name).write_text(drawing, encoding="utf-8")
