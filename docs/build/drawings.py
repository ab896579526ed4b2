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
        "windows": "board with its windows, plywood 4 mm",
        "grid": "grid of light walls, 12 mm",
        "led": "LED strip, one LED under each square",
        "base": "base, plywood 4 mm",
        "cell": f"{CELL:g} mm",
        "lifter": "74AHCT125: pin 14 to 5 V, pins 1 and 7 to GND",
        "strip": "The strip under the board, seen from above",
        "first": "first LED: data comes in here",
        "cut": "cut the strip, join with three wires",
        "matrix": "A matrix beside the board",
        "board": "board on its mat",
        "panel": "8×8 matrix",
        "usb": "USB to the computer",
        "uno": "Wiring an Arduino Uno or Nano",
        "pico": "Wiring a Raspberry Pi Pico",
        "esp32": "Wiring an ESP32",
        "strip_name": "WS2812 strip",
        "done": "turn done",
        "hint": "hint",
        "referee": "referee",
        "piezo": "piezo",
        "capacitor": "1000 µF, right at the strip",
        "walls": "A light wall, and how two of them cross",
        "rows": "along the rows: notches from above",
        "columns": "along the columns: notches from below",
        "supply": "A supply of its own for the strip",
        "source": "supply 5 V, 4 A",
        "fuse": "fuse 4 A",
        "both": "fed at both ends",
        "usb_board": "microcontroller on USB",
        "no_5v": "its 5 V stays free",
    },
    "fr": {
        "section": "Coupe du plateau",
        "top": "feuille imprimée ou placage, 0,3 mm",
        "diffuser": "acrylique opale, 3 mm : le diffuseur",
        "windows": "plateau avec ses fenêtres, contreplaqué 4 mm",
        "grid": "grille de cloisons, 12 mm",
        "led": "ruban de LED, une sous chaque case",
        "base": "fond, contreplaqué 4 mm",
        "cell": f"{CELL:g} mm".replace(".", ","),
        "lifter": "74AHCT125 : broche 14 au 5 V, broches 1 et 7 à GND",
        "strip": "Le ruban sous le plateau, vu de dessus",
        "first": "première LED : les données entrent ici",
        "cut": "couper le ruban, relier par trois fils",
        "matrix": "Une matrice à côté du plateau",
        "board": "plateau sur son tapis",
        "panel": "matrice 8×8",
        "usb": "USB vers l'ordinateur",
        "uno": "Câblage d'un Arduino Uno ou Nano",
        "pico": "Câblage d'un Raspberry Pi Pico",
        "esp32": "Câblage d'un ESP32",
        "strip_name": "ruban WS2812",
        "done": "coup joué",
        "hint": "indice",
        "referee": "arbitre",
        "piezo": "piézo",
        "capacitor": "1000 µF, tout près du ruban",
        "walls": "Une cloison, et comment deux se croisent",
        "rows": "le long des rangées : encoches par le haut",
        "columns": "le long des colonnes : encoches par le bas",
        "supply": "Une alimentation pour le ruban",
        "source": "alimentation 5 V, 4 A",
        "fuse": "fusible 4 A",
        "both": "alimenté aux deux bouts",
        "usb_board": "microcontrôleur sur USB",
        "no_5v": "son 5 V reste libre",
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
    layers = [("top", 8, "#d9c7a7"), ("diffuser", 22, "#eef3f6"), ("windows", 26, "#c9a878")]
    layers += [("grid", 84, "#fff"), ("base", 26, "#c9a878")]
    y = 60.0
    for name, high, fill in layers:
        parts.append(box(left, y, 4 * cell, high, fill))
        parts.append(text(left + 4 * cell + 24, y + high / 2 + 4, words[name]))
        parts.append(line([(left + 4 * cell, y + high / 2), (left + 4 * cell + 20, y + high / 2)], INK, 1))
        if name == "windows":
            parts += [box(left + (n + 0.15) * cell, y, 0.7 * cell, high, "#fff3cc") for n in range(4)]
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
    parts.append(text(left + cell / 2, y + 40, words["cell"], "middle"))
    return sheet(760, y + 60, words["section"], parts)


def strip(words: dict[str, str]) -> str:
    left, top, cell = 60.0, 70.0, 46.0
    parts = [box(left + n % 8 * cell, top + n // 8 * cell, cell, cell, "#f6efe2") for n in range(64)]
    for row in range(8):
        y, ends = top + (7 - row + 0.5) * cell, (left + 0.5 * cell, left + 7.5 * cell)
        parts.append(line([(ends[0] - 12, y), (ends[1] + 12, y)], "#9e9e9e", 11))
        parts += [box(left + (c + 0.5) * cell - 5, y - 5, 10, 10, "#fff") for c in range(8)]
        if row < 7:
            x = ends[1] + 7 if row % 2 == 0 else ends[0] - 7
            for aside, wire in ((-4, "5v"), (0, "data"), (4, "gnd")):
                parts.append(line([(x + aside, y), (x + aside, y - cell)], WIRE[wire], 2))
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
    parts.append(text(left + cell + 6, top - 22, words["cell"]))
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
    lines = [(90, data, "data", "DIN"), (120, power, "5v", "5V"), (150, "GND", "gnd", "GND")]
    for y, pin, color, there in lines:
        parts.append(line([(210, y), (510, y)], WIRE[color]))
        parts += [text(202, y + 4, pin, "end"), text(518, y + 4, there)]
    parts += [box(430, 82, 50, 16, "#fff"), text(455, 94, "330 Ω", "middle", 'font-size="11"')]
    if lifted:
        parts += [box(285, 74, 110, 32, "#fff"), text(340, 95, "74AHCT125", "middle", 'font-size="12"')]
        parts += [text(289, 95, "2", more='font-size="10"'), text(391, 95, "3", "end", 'font-size="10"')]
        parts.append(text(222, 198, words["lifter"], "start", 'font-size="12"'))
    parts += [*capacitor(470, 120, 150), text(500, 172, words["capacitor"], "end", 'font-size="12"')]
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
    return sheet(720, 480, words[kind], parts)


def capacitor(x: float, top: float, low: float) -> list[str]:
    """Between two wires, its positive end on the upper one."""
    middle = (top + low) / 2
    dots = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{INK}"/>' for y in (top, low))
    plates = (
        line([(x - 11, middle - 3), (x + 11, middle - 3)], INK),
        line([(x - 11, middle + 4), (x + 11, middle + 4)], INK),
    )
    leads = line([(x, top), (x, middle - 3)], INK, 1.5), line([(x, middle + 4), (x, low)], INK, 1.5)
    return [*leads, *plates, dots, text(x - 18, middle - 5, "+", "middle", 'font-size="12"')]


def walls(words: dict[str, str]) -> str:
    """Two walls of the kit's plan, with their measures."""
    left, scale, squares = 40.0, 1.9, 8
    cell, high, wood = CELL * scale, 12 * scale * 2, 4 * scale * 2  # higher and thicker than true, to be seen
    long, parts = squares * cell + 4 * wood, []
    for top, name, from_above in ((110.0, "rows", True), (230.0, "columns", False)):
        edge, inner = (top, top + high / 2) if from_above else (top + high, top + high / 2)
        points = [(left, edge)]
        for n in range(squares + 1):
            x = left + 2 * wood + n * cell - wood / 2
            points += [(x, edge), (x, inner), (x + wood, inner), (x + wood, edge)]
        other = top + high if from_above else top
        points += [(left + long, edge), (left + long, other), (left, other)]
        told = " ".join(f"{x:g},{y:g}" for x, y in points)
        parts.append(f'<polygon points="{told}" fill="#d9b98a" stroke="{INK}" stroke-width="1.2"/>')
        parts.append(text(left, top - 12 if from_above else top + high + 20, words[name]))
    first = left + 2 * wood
    parts.append(line([(first, 176), (first + cell, 176)], INK, 1))
    parts.append(text(first + cell / 2, 192, words["cell"], "middle"))
    notch = first + 3 * cell
    parts += [line([(notch, 110 + high / 2 + 4), (notch, 176)], INK, 1), text(notch + 6, 186, "4 × 6 mm")]
    end = left + long
    parts += [line([(end + 8, 110), (end + 8, 110 + high)], INK, 1), text(end + 14, 110 + high / 2 + 4, "12 mm")]
    return sheet(720, 320, words["walls"], parts)


def supply(words: dict[str, str]) -> str:
    """Build B: the strip has its own 5 V, the microcontroller gives data and shares its ground."""
    parts = [box(30, 70, 150, 110, "#f4f1ea", 'rx="6"'), text(105, 60, words["source"], "middle", 'font-weight="bold"')]
    parts += [box(30, 250, 150, 110, "#f4f1ea", 'rx="6"')]
    parts += [
        text(105, 240, words["usb_board"], "middle", 'font-weight="bold"'),
        text(105, 378, words["no_5v"], "middle"),
    ]
    parts += [box(430, 70, 260, 110, "#f4f1ea", 'rx="6"')]
    parts.append(text(560, 60, words["strip_name"], "middle", 'font-weight="bold"'))
    parts += [line([(180, 95), (430, 95)], WIRE["5v"]), line([(180, 155), (430, 155)], WIRE["gnd"])]
    parts += [box(200, 87, 60, 16, "#fff"), text(230, 82, words["fuse"], "middle", 'font-size="12"')]
    parts += [text(172, 99, "5 V", "end"), text(172, 159, "GND", "end"), text(438, 99, "5V"), text(438, 129, "DIN")]
    parts += [text(438, 159, "GND"), *capacitor(350, 95, 155)]
    parts.append(text(424, 84, words["capacitor"], "end", 'font-size="11"'))
    parts.append(line([(180, 290), (415, 290), (415, 125), (430, 125)], WIRE["data"]))
    parts += [box(270, 282, 50, 16, "#fff"), text(295, 294, "330 Ω", "middle", 'font-size="11"')]
    parts.append(text(172, 294, "DATA", "end"))
    parts += [line([(180, 335), (214, 335), (214, 155)], WIRE["gnd"]), text(172, 339, "GND", "end")]
    parts.append(f'<circle cx="214" cy="155" r="4" fill="{INK}"/>')
    for y, wire, tap, way in ((95, "5v", 282, 200), (155, "gnd", 296, 212)):  # behind the fuse
        parts.append(line([(tap, y), (tap, way), (706, way), (706, y), (690, y)], WIRE[wire], 1.6))
        parts.append(f'<circle cx="{tap}" cy="{y}" r="3" fill="{WIRE[wire]}"/>')
    parts.append(text(560, 234, words["both"], "middle"))
    return sheet(740, 400, words["supply"], parts)


def drawings() -> dict[str, str]:
    """Every drawing by its file's name."""
    found = {}
    for language, words in WORDS.items():
        found |= {f"{draw.__name__}-{language}.svg": draw(words) for draw in (section, strip, walls, supply, matrix)}
        found |= {f"wiring-{kind}-{language}.svg": wiring(kind, words) for kind in BOARDS}
    return found


if __name__ == "__main__":
    for name, drawing in drawings().items():
        (HERE / name).write_text(drawing, encoding="utf-8")
