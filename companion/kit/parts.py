"""The pieces of the kit as they are printed and cut. Lengths are hundredths of a cell, as in the drawings."""

from __future__ import annotations

import re
from math import hypot
from typing import NamedTuple

from companion.games.material import Plate
from companion.games.squares import DIRECTIONS
from vision.codes import PIPS
from web.drawing import tiles
from web.drawing.letters import lettered
from web.drawing.planks import INK
from web.drawing.shapes import outline
from web.drawing.sheet import U

BLACK, BLUE, RED, WHITE = "#1b1d20", "#2458b0", "#d2202a", "#ffffff"
PAINTS = {"R": RED, "W": WHITE, "B": BLUE}
PLATES = {"tromino": BLACK, "tetrod": BLUE}
INSET = 3  # from the edges of a plate's cells
TOKEN = 25 / 30 * U  # across: 25 mm where a cell has 30
SIDE = 72  # of a die
FLAP = 15
PIP, STEP = 7.6, 18.5  # a pip's radius, and how far pips lie from the middle of a face
PEG, MUSHROOM, CAP_HOLE, CARD_HOLE = 12, 20, 25, 17  # radii
RIM = 3.5  # of a clear pawn
HAIR = 0.6  # of the lines along which one cuts and folds
CUT, FOLD, FOLD_ON_RED = "#8a8a8a", "#6e6e6e", "#ffb4ae"


class Part(NamedTuple):
    """One thing to be cut out, seen from above, from its upper left corner."""

    kind: str  # what it is counted as
    width: float
    height: float
    cut: str  # a path: its outline and its holes
    ground: str  # the paint that reaches over the edge, so that a knife that slips shows no white
    face: str  # the drawing on it
    score: str = ""  # a path along which it is folded
    fold: str = FOLD  # the color of that line
    back: Part | None = None  # its other side, as it is seen after turning it over


def circle(x: float, y: float, radius: float) -> str:
    """As a path, so that it can be part of an outline."""
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0z"


def box(x: float, y: float, width: float, height: float, corner: float = 0) -> str:
    path = f"M{x:g} {y:g}L{x + width:g} {y:g}L{x + width:g} {y + height:g}L{x:g} {y + height:g}z"
    return rounded(path, corner) if corner else path


def rounded(path: str, radius: float) -> str:
    """Polygons with their corners rounded."""
    loops = []
    for loop in filter(None, path.split("M")):
        points = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", loop)]
        bends = []
        for n, (x, y) in enumerate(points):
            (a, b), (c, d) = points[n - 1], points[(n + 1) % len(points)]
            before, after = hypot(a - x, b - y), hypot(c - x, d - y)
            near = x + (a - x) * radius / before, y + (b - y) * radius / before
            far = x + (c - x) * radius / after, y + (d - y) * radius / after
            bends.append(f"{near[0]:g} {near[1]:g}Q{x:g} {y:g} {far[0]:g} {far[1]:g}")
        loops.append(f"M{'L'.join(bends)}z")
    return "".join(loops)


def plate(shape: Plate) -> Part:
    """Of several cells, as the players lay it with its first row to the south. One with a hole may be flipped, so that
    it has a back."""
    front = _plate_side(shape)
    if shape.hole is None:
        return front
    wide = max(x for x, _ in shape.cells)
    mirrored = [(wide - x, y) for x, y in (*shape.cells, shape.hole)]
    return front._replace(back=_plate_side(shape._replace(cells=tuple(mirrored[:-1]), hole=mirrored[-1])))


def _plate_side(shape: Plate) -> Part:
    columns = 1 + max(x for x, _ in shape.cells)
    rows = 1 + max(y for _, y in shape.cells)
    cut = rounded(outline(((x, rows - 1 - y) for x, y in shape.cells), INSET), 5)
    paint = PLATES[shape.piece]
    if shape.hole is None:
        return Part(shape.piece, columns * U, rows * U, cut, paint, f'<path d="{cut}" fill="{paint}"/>')
    x, y = shape.hole
    cut += circle((x + 0.5) * U, (rows - 0.5 - y) * U, CAP_HOLE)
    face = f'<path d="{cut}" fill="{paint}" fill-rule="evenodd"/>'
    return Part(shape.piece, columns * U, rows * U, cut, paint, face)


def blocker() -> Part:
    cut = box(4, 4, 92, 92, 6)
    middle = f'<circle cx="50" cy="50" r="{MUSHROOM}" fill="none" stroke="#fff" stroke-width=".6" stroke-opacity=".6"/>'
    return Part("blocker", U, U, cut, BLUE, f'<path d="{cut}" fill="{BLUE}"/>{middle}')


def disc(kind: str, radius: float, paint: str) -> Part:
    """What stands in for a mushroom or a peg, glued on a slice of something round."""
    cut = circle(radius, radius, radius)
    return Part(kind, 2 * radius, 2 * radius, cut, paint, f'<path d="{cut}" fill="{paint}"/>')


def card(holes: str) -> Part:
    """Blue's face, with White's on its back: turned over, its holes are mirrored."""
    mirrored = holes[2::-1] + holes[:2:-1]
    return _card_side(holes, "blue")._replace(back=_card_side(mirrored, "white"))


def _card_side(holes: str, face: str) -> Part:
    ground, ink = (WHITE, BLUE) if face == "blue" else (BLUE, WHITE)
    middles = [(U * (n % 3 + 0.5) - 2, U * (n // 3 + 0.5) - 2) for n in range(6)]
    punched = "".join(circle(x, y, CARD_HOLE) for (x, y), hole in zip(middles, holes, strict=True) if hole == "1")
    edge = box(0, 0, 3 * U - 4, 2 * U - 4, 6)
    discs = "".join(circle(x, y, 33) for x, y in middles)
    face_ = (
        f'<path d="{edge}" fill="{ground}"/><path d="{discs}" fill="{ink}"/><path d="{punched}" fill="#fff"/>'
        + "".join(
            f'<path d="M{x - 4} {y}h8M{x} {y - 4}v8" stroke="{CUT}" stroke-width="{HAIR}"/>'
            for (x, y), hole in zip(middles, holes, strict=True)
            if hole == "1"
        )
    )
    return Part("card", 3 * U - 4, 2 * U - 4, edge + punched, ground, face_)


def tile(code: str) -> Part:
    """With a brown back: face down all tiles are alike."""
    cut = box(0, 0, 96, 96, 2)
    ways = code.split("-")
    marks = [*ways, "hub", "dot"] if ways[0] in DIRECTIONS else [code, "dot"]
    ground = "#8d8f92" if code == "neutral" else WHITE
    drawn = "" if code == "neutral" else "".join(tiles.SHAPES[mark] for mark in marks)
    face = f'<path d="{cut}" fill="{ground}"/><g transform="translate(48 48)">{drawn}</g>'
    brown = "#8b5a35"
    back = Part("tile", 96, 96, cut, brown, f'<path d="{cut}" fill="{brown}"/>')
    return Part("tile", 96, 96, cut, ground, face, back=back)


def plank(colors: str) -> Part:
    cut = box(0, 0, 299, 99, 2)
    squares = "".join(
        f'<rect x="{U * n + 2.5}" y="3" width="94" height="93" fill="{PAINTS[color]}"/>'
        for n, color in enumerate(colors)
    )
    return Part("plank", 299, 99, cut, "#0c0c0e", f'<path d="{cut}" fill="#0c0c0e"/>{squares}')


def token(owner: str, color: str) -> Part:
    radius = TOKEN / 2
    cut = circle(radius, radius, radius)
    letter = (
        f'<g fill="none" stroke="{INK[color]}" stroke-width="2.7" stroke-linecap="round" stroke-linejoin="round">'
        f"{lettered(owner, radius, radius, 2.9)}</g>"
    )
    body = f'<path d="{cut}" fill="#0c0c0e"/><path d="{circle(radius, radius, radius - 3)}" fill="{PAINTS[color]}"/>'
    return Part("token", TOKEN, TOKEN, cut, "#0c0c0e", body + letter)


PAWNS = {  # light, and deep at the rim
    "square1": ("#ffb21e", "#b36b00"),
    "square2": ("#ff3b30", "#a3140f"),
    "round1": ("#2f7dff", "#0b469c"),
    "round2": ("#22b455", "#0a6a32"),
}


def pawn(name: str) -> Part:
    """For clear film: through it the arrows are seen, tinted."""
    light, deep = PAWNS[name]
    if name.startswith("square"):
        size, cut, inside = 60.0, box(0, 0, 60, 60, 3), box(RIM, RIM, 60 - 2 * RIM, 60 - 2 * RIM, 2)
    else:
        size, cut, inside = 66.0, circle(33, 33, 33), circle(33, 33, 33 - RIM)
    face = f'<path d="{cut}" fill="{light}"/><path d="{cut}{inside}" fill="{deep}" fill-rule="evenodd"/>'
    return Part("pawn", size, size, cut, deep, face)


# --- dice. A net is a cross: top in the middle of its arms, the south face below it, then the bottom.

Vector = tuple[int, int, int]
# By the place in the cross (column and row): which way the face looks, and where its right and its upper edge point
# once it is folded: x to the east, y to the north, z up.
NET: dict[tuple[int, int], tuple[Vector, Vector, Vector]] = {
    (1, 0): ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    (0, 1): ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    (1, 1): ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    (2, 1): ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    (1, 2): ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    (1, 3): ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
}
# Right-handed: with 1 on top and 2 towards you, 3 is on the right. Opposite faces add to 7.
VALUES: dict[Vector, int] = {(0, 0, 1): 1, (0, -1, 0): 2, (1, 0, 0): 3, (-1, 0, 0): 4, (0, 1, 0): 5, (0, 0, -1): 6}
MEETING = (1, -1, 1)  # the corner where 1, 2 and 3 meet: the diagonals of 2 and 3 run through it
# Which sides of which faces have a flap to glue.
FLAPS = {(1, 0): "we", (1, 2): "we", (1, 3): "wes"}


def die(color: str, is_king: bool) -> Part:
    body, ink, fold = {"w": (WHITE, "#101012", FOLD), "r": (RED, WHITE, FOLD_ON_RED)}[color]
    squares = "".join(box(SIDE * x, SIDE * y, SIDE, SIDE) for x, y in NET)
    flaps = "".join(_flap(SIDE * x, SIDE * y, side) for (x, y), sides in FLAPS.items() for side in sides)
    marks = "".join(_marks(place, ink, is_king) for place in NET)
    cut = _cross()
    # paint runs a little onto the flaps, so that no edge of the die stays white
    under = f'<g fill="{body}" stroke="{body}" stroke-width="5"><path d="{squares}"/></g>'
    face = f'<path d="{flaps}" fill="#fff"/>{under}<path d="{squares}" fill="{body}"/>{marks}'
    return Part("king" if is_king else "die", 3 * SIDE, 4 * SIDE + FLAP, cut, WHITE, face, _folds(), fold)


def _marks(place: tuple[int, int], ink: str, is_king: bool) -> str:
    x, y = SIDE * (place[0] + 0.5), SIDE * (place[1] + 0.5)
    if is_king:
        ring = f'<circle cx="{x}" cy="{y}" r="{0.225 * SIDE}" fill="none" stroke="{ink}" stroke-width="4.4"/>'
        return ring + f'<circle cx="{x}" cy="{y}" r="{PIP}" fill="{ink}"/>'
    pips = "".join(circle(x + STEP * i, y - STEP * j, PIP) for i, j in pips_of(place))
    return f'<path d="{pips}" fill="{ink}"/>'


def pips_of(place: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Where the pips of a face of the net sit, in steps to the right and up."""
    normal, right, up = NET[place]
    value = VALUES[normal]
    if value in (2, 3):
        same = _along(MEETING, right) == _along(MEETING, up)
        return PIPS[f"{value}:{'ne' if same else 'nw'}"]
    if value == 6:  # its lines of three point to the 2 and the 5
        return PIPS["6:ns" if up[1] else "6:ew"]
    return PIPS[str(value)]


def _along(vector: Vector, axis: Vector) -> int:
    return sum(a * b for a, b in zip(vector, axis, strict=True))


def _flap(x: float, y: float, side: str) -> str:
    s, f, slope = SIDE, FLAP, 9
    corners = {
        "w": [(0, 0), (-f, slope), (-f, s - slope), (0, s)],
        "e": [(s, 0), (s + f, slope), (s + f, s - slope), (s, s)],
        "s": [(0, s), (slope, s + f), (s - slope, s + f), (s, s)],
    }[side]
    return f"M{'L'.join(f'{x + dx:g} {y + dy:g}' for dx, dy in corners)}z"


def _cross() -> str:
    """The outline of a net with its flaps, clockwise from the upper left corner of the north face."""
    s, f, slope = SIDE, FLAP, 9
    right = [(2 * s, 0), (2 * s + f, slope), (2 * s + f, s - slope), (2 * s, s), (3 * s, s), (3 * s, 2 * s)]
    for y in (2 * s, 3 * s):
        right += [(2 * s, y), (2 * s + f, y + slope), (2 * s + f, y + s - slope)]
    right += [(2 * s, 4 * s), (2 * s - slope, 4 * s + f)]
    left = [(3 * s - x, y) for x, y in reversed(right)]
    return f"M{'L'.join(f'{x:g} {y:g}' for x, y in [*right, *left])}z"


def _folds() -> str:
    s = SIDE
    return (
        f"M{s} {s}H{2 * s}M{s} {2 * s}H{2 * s}M{s} {3 * s}H{2 * s}M{s} {4 * s}H{2 * s}M{s} 0V{4 * s}M{2 * s} 0V{4 * s}"
    )


def part_of(field: str, code: str) -> Part:
    """The part that a code of a game's material means on its field."""
    match field:
        case "seven":
            return {
                "blocker": blocker(),
                "mushroom": disc("mushroom", MUSHROOM, "#141416"),
                "peg": disc("peg", PEG, RED),
            }[code]
        case "faces":
            return die(code[0], is_king=code.endswith("K"))
        case "planks":
            return token(code[0], code[2]) if ":" in code else plank(code)
        case "tiles":
            return pawn(code) if code in PAWNS else tile(code)
    raise ValueError(f"no pieces are printed for the field {field}")
