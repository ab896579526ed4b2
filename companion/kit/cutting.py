"""Plans for laser cutters: what is cut, engraved and scored is told by the color of its lines.

Cuts are black (the last to be done), engraved lines and areas blue, scored lines red. With a kerf, outlines are drawn
so much larger and holes so much smaller that the part itself comes out true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import manifold3d
import numpy as np

from companion.games.game import AnyGame
from companion.kit.book import together
from companion.kit.mats import mat_field
from companion.kit.parts import Part, box, circle
from web.drawing.sheet import U

CUT, ENGRAVE, SCORE = "#000000", "#0000ff", "#ff0000"
LINE = 0.1  # millimetres
RULER = 100.0
SHEET = 600.0  # the longest row of parts, in millimetres
GAP = 3.0
EDGE = 46.0  # of wood around the squares of a board, in hundredths of a cell
DIFFUSER, STEM = 35.0, 9.0  # radii of the holes over an LED and for a mushroom's or a peg's stem
WALL, WOOD = 12.0, 4.0  # millimetres: how high the walls between two LEDs are, and how thick their wood is
STROKES = 24  # of which a quarter of a circle is made


def plans(games: Sequence[AnyGame], cell: float, kerf: float, pitch: float) -> Iterator[tuple[str, str]]:
    """Every plan by its file's name: boards, boards over LEDs, and the pieces that are flat."""
    fields = list(dict.fromkeys(game.field for game in games))
    for name in fields:
        if name in ("seven", "faces", "tiles"):
            yield f"board-{name}.svg", _plan([_board(name, False)], cell, kerf)
            yield f"board-{name}-leds.svg", _plan([_board(name, True)], pitch, kerf)
            yield f"walls-{name}-leds.svg", _plan(_walls(name, pitch), pitch, kerf)
    for kind, chosen in _flat(games).items():
        yield f"{kind}.svg", _plan(chosen, cell, kerf)


def _flat(games: Sequence[AnyGame]) -> dict[str, list[Part]]:
    found: dict[str, list[Part]] = {}
    for part in together(games):
        if part.kind in ("tromino", "tetrod", "blocker", "tile", "plank", "token", "card"):
            found.setdefault(f"{part.kind}s" if part.kind != "tromino" else "trominoes", []).append(_engraved(part))
    return found


def _engraved(part: Part) -> Part:
    """Only lines: what a laser burns. Paints are left to the brush. A mushroom's stem goes through a blocker."""
    cut = part.cut + (circle(part.width / 2, part.height / 2, STEM) if part.kind == "blocker" else "")
    return part._replace(face=_lines(part), ground="", cut=cut)


def _lines(part: Part) -> str:
    if part.kind == "tile":  # its arrows, start or finish
        drawn = part.face.partition('<g transform="translate(48 48)">')[2].removesuffix("</g>")
        return f'<g transform="translate(48 48)">{_in_blue(drawn)}</g>'
    if part.kind == "token":
        return _in_blue("<g" + part.face.partition("<g")[2])
    if part.kind == "plank":
        return "".join(f'<path d="{box(U * n + 2.5, 3, 94, 93)}" fill="none" stroke="{ENGRAVE}"/>' for n in range(3))
    return ""


def _in_blue(markup: str) -> str:
    return re.sub(r'(fill|stroke)="#[0-9a-fA-F]{3,6}"', rf'\1="{ENGRAVE}"', markup)


def _board(name: str, over_leds: bool) -> Part:
    """A board with its squares engraved; the 7×7 one has holes for stems. Over LEDs each square has a round window."""
    field = mat_field(name)
    wide, high = field.columns * U, field.rows * U
    cut = box(0, 0, wide + 2 * EDGE, high + 2 * EDGE, 12)
    radius = DIFFUSER if over_leds else STEM if name == "seven" else 0
    if radius:
        cut += "".join(
            circle(EDGE + (x + 0.5) * U, EDGE + (y + 0.5) * U, radius)
            for x in range(field.columns)
            for y in range(field.rows)
        )
    lines = "".join(f"M{EDGE} {EDGE + n * U}h{wide}" for n in range(field.rows + 1))
    lines += "".join(f"M{EDGE + n * U} {EDGE}v{high}" for n in range(field.columns + 1))
    face = f'<path d="{lines}" fill="none" stroke="{ENGRAVE}"/>'
    if name == "faces":
        dark = "".join(
            box(EDGE + x * U, EDGE + (field.rows - 1 - y) * U, U, U)
            for x in range(field.columns)
            for y in range(field.rows)
            if (x + y) % 2 == 0
        )
        face += f'<path d="{dark}" fill="{ENGRAVE}" fill-opacity=".3"/>'
    return Part("board", wide + 2 * EDGE, high + 2 * EDGE, cut, "", face)


def _walls(name: str, pitch: float) -> list[Part]:
    """The grid that keeps the light of a square to itself: walls that are put into one another where they cross, those
    along the rows notched from above, those along the columns from below."""
    field = mat_field(name)
    high, thick = WALL * U / pitch, WOOD * U / pitch
    return [
        _wall(across, high, thick, from_above)
        for across, along, from_above in ((field.columns, field.rows, True), (field.rows, field.columns, False))
        for _ in range(along + 1)
    ]


def _wall(squares: int, high: float, thick: float, from_above: bool) -> Part:
    """A wall past so many squares, with a notch at each end of each of them."""
    edge, deep = 2 * thick, high / 2
    wide = squares * U + 2 * edge
    notched = [(0.0, 0.0)]
    for n in range(squares + 1):
        left = edge + n * U - thick / 2
        notched += [(left, 0.0), (left, deep), (left + thick, deep), (left + thick, 0.0)]
    notched.append((wide, 0.0))
    outline = [*notched, (wide, high), (0.0, high)]
    turned = outline if from_above else [(x, high - y) for x, y in reversed(outline)]
    path = "L".join(f"{x:g} {y:g}" for x, y in turned)
    return Part("wall", wide, high, f"M{path}z", "", "")


def _plan(chosen: Sequence[Part], cell: float, kerf: float) -> str:
    """Parts in rows, with a line of 100 mm beside them to check the cutter's scale."""
    unit = cell / U
    x = y = shelf = widest = 0.0
    drawn = []
    for part in chosen:
        width, height = part.width * unit, part.height * unit
        if x and x + width > SHEET:
            x, y, shelf = 0.0, y + shelf + GAP + kerf, 0.0
        at = f"translate({x + GAP:.4f} {y + GAP:.4f})"
        scaled = f'<g transform="{at} scale({unit:.6f})" stroke-width="{LINE / unit:.4f}">'
        score = f'<path d="{part.score}" fill="none" stroke="{SCORE}"/>' if part.score else ""
        drawn.append(f"{scaled}{part.face}{score}</g>")
        drawn.append(f'<path transform="{at}" d="{kerfed(part.cut, unit, kerf)}" fill="none" stroke="{CUT}"/>')
        x, shelf, widest = x + width + GAP + kerf, max(shelf, height), max(widest, x + width)
    width, height = max(widest, RULER) + 2 * GAP, y + shelf + 2 * GAP + 8
    ruler = f'<path d="M{GAP} {height - 7:.4f}v4m0 -2h{RULER:g}m0 -2v4" fill="none" stroke="{SCORE}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.3f}mm" height="{height:.3f}mm" '
        f'viewBox="0 0 {width:.3f} {height:.3f}" stroke-width="{LINE}">\n{chr(10).join([*drawn, ruler])}\n</svg>\n'
    )


def kerfed(path: str, unit: float, kerf: float) -> str:
    """A path in millimetres, moved outward by half the width of the cut: holes become smaller by it."""
    section = manifold3d.CrossSection([loop * unit for loop in polygons(path)], manifold3d.FillRule.EvenOdd)
    if kerf:
        section = section.offset(kerf / 2, manifold3d.JoinType.Round, 2.0, 4 * STROKES)
    loops = ("L".join(f"{x:.4f} {y:.4f}" for x, y in loop) for loop in section.to_polygons())
    return "".join(f"M{loop}z" for loop in loops)


def polygons(path: str) -> list[np.ndarray]:
    """The loops of a path of ours (M, L, Q, a half circles, z) as points."""
    loops = []
    for loop in filter(None, path.split("M")):
        points: list[tuple[float, float]] = []
        for command, text in re.findall(r"([LQa]?)([^LQaz]+)", loop):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]
            if command == "Q":
                points += _bend(points[-1], *zip(numbers[0::2], numbers[1::2], strict=True))
            elif command == "a":
                points += _half_circle(points[-1], numbers[0], numbers[5])
            else:
                points.append((numbers[0], numbers[1]))
        loops.append(np.array(points))
    return loops


def _bend(start: tuple[float, float], by: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    steps = [n / 6 for n in range(1, 7)]
    return [
        tuple((1 - t) ** 2 * start[k] + 2 * t * (1 - t) * by[k] + t * t * end[k] for k in (0, 1))  # type: ignore[misc]
        for t in steps
    ]


def _half_circle(start: tuple[float, float], radius: float, across: float) -> list[tuple[float, float]]:
    """From one end of a diameter to the other, counter-clockwise on paper as arcs with sweep 0 run."""
    angles = np.linspace(0, np.pi, 2 * STROKES + 1)[1:]
    middle, way = start[0] + across / 2, 1 if across > 0 else -1
    return [(middle - way * radius * float(np.cos(a)), start[1] + way * radius * float(np.sin(a))) for a in angles]


def write(folder: Path, games: Sequence[AnyGame], cell: float, kerf: float, pitch: float) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for name, plan in plans(games, cell, kerf, pitch):
        (folder / name).write_text(plan, encoding="utf-8")
        names.append(name)
    return names
