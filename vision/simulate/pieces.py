"""The kit's pieces, laid on a scene."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.codes import DIRECTIONS, PAWN_OUTPUTS, PIPS
from vision.simulate.layout import Card, Cell, Layout
from vision.simulate.scene import Die, Map, Patch, Scene, box, disc, noise, segment
from vision.simulate.style import Color, Rng, Style, from_another_kit, shade

DIE_SIDE = 0.72
BLUE_PLATE, BLACK_PLATE = 0.12, 0.15  # how thick blockers and tetrods are, and trominoes
THIN = 0.05  # what rises less above the board is part of it
COPPER, BRASS, NICKEL = (0.07, 0.15, 0.36), (0.09, 0.3, 0.42), (0.38, 0.4, 0.4)
# A coin's rim, its middle and its number, by whose token it is.
COINS = {"A": (COPPER, COPPER, "2"), "B": (BRASS, BRASS, "5"), "C": (NICKEL, NICKEL, "1"), "D": (BRASS, NICKEL, "2")}

Chance = Callable[[str], Rng]  # by a piece's name and place: how it lies and how it differs from its like
Maker = Callable[[Rng], Style]  # whose piece it is


@dataclass(frozen=True)
class Row:
    """Where the row of planks lies: the middle line's x, the first plank's south edge, and its slant in degrees."""

    x: float
    y: float
    slant: float


def lay(chance: Chance, scene: Scene, layout: Layout, style: Style, row: Row | None = None) -> None:
    """Puts everything that a layout holds on the scene."""
    for _ in laying(chance, scene, layout, style, row):
        pass


def laying(
    chance: Chance, scene: Scene, layout: Layout, style: Style, row: Row | None = None
) -> Generator[None, None, None]:
    """The same, piece by piece."""
    bare = scene.height.copy() if style.layers else scene.height

    def maker(rng: Rng) -> Style:
        return from_another_kit(rng, style) if layout.motley else style

    match layout.labels.field:
        case "seven":
            yield from _seven(chance, scene, layout, style)
        case "faces":
            for cell, code in layout.cells.items():
                if code != layout.labels.empty:
                    rng = chance(f"{code} {cell}")
                    _die(rng, scene, maker(rng), _near(rng, cell, style, 1.8), code)
                    yield
        case "tiles":
            pawns = layout.visible.get("pawns", {})
            trodden = {("abcdefgh".index(square[0]), int(square[1:]) - 1) for square in pawns.values()}
            for cell, code in layout.cells.items():
                if code != layout.labels.empty:
                    rng = chance(f"{code} {cell}")
                    made = maker(rng)
                    made = replace(made, blank=made.blank and cell not in trodden)
                    _tile(rng, scene, made, _near(rng, cell, style, 0.7), code)
                    yield
            _pawns(chance, scene, maker, pawns)
        case "planks":
            lies = row or random_row(chance("row"), len(layout.visible["planks"]))
            yield from _planks(chance, scene, layout, maker, lies)
    if style.layers:
        _groove(chance("layers"), scene, style, scene.height > bare + THIN)


def _groove(rng: Rng, scene: Scene, style: Style, on: npt.NDArray[np.bool_]) -> None:
    """The fine lines that a printer of solids draws, each a little darker at its rim."""
    turn = float(rng.uniform(0, np.pi))
    rows, columns = np.indices(on.shape)
    along = (columns * np.cos(turn) + rows * np.sin(turn)) / scene.ppu / style.layers
    scene.albedo[on] *= (0.9 + 0.1 * np.sin(2 * np.pi * along[on]))[:, None].astype(np.float32)


def _seven(chance: Chance, scene: Scene, layout: Layout, style: Style) -> Generator[None, None, None]:
    """The pieces of the seven field: what lies first, then what stands."""
    shown = {cell: layout.piece(code) for cell, code in layout.cells.items()}
    for plate in layout.plates:
        black = shown[plate[0]] == "tromino"
        color, thick = (style.black, BLACK_PLATE) if black else (style.blue, BLUE_PLATE)
        _plate(chance(f"plate {sorted(plate)}"), scene, style, plate, color, thick)
        yield
    for n, card in enumerate(layout.cards):
        _card(chance(f"{n} {card}"), scene, style, card, shown, layout.open_holes)
        yield
    if layout.plates:
        for cell in layout.open_holes:
            rng = chance(f"hole {cell}")
            x, y = _near(rng, cell, style, 0.5)
            _open_hole(scene, style, x, y, float(rng.uniform(0.07, 0.23)))
    for cell, piece in shown.items():
        rng = chance(f"{cell}")
        x, y = _near(rng, cell, style, 0.5)
        if piece == "blocker":
            _blocker(rng, scene, style, x, y)
        in_hole = piece == "tetrod+mushroom" and style.tetrod_hole > 0
        if in_hole:
            _open_hole(scene, style, cell[0] + 0.5, cell[1] + 0.5, style.tetrod_hole)
        if piece in ("blocker", "mushroom", "tetrod+mushroom"):
            _mushroom(scene, style, x, y, scene.field.surface + (0.0 if piece == "mushroom" or in_hole else BLUE_PLATE))
        elif piece.endswith("peg"):
            _peg(rng, scene, style, x, y)
        yield


def _blocker(rng: Rng, scene: Scene, style: Style, x: float, y: float) -> None:
    """The plate that a mushroom holds."""
    patch = scene.patch(x, y, 0.8, float(rng.normal(0, style.turn_jitter)))
    outline = box(patch.u, patch.v, 0.46, 0.46, 0.04)
    blue = _shade_of(rng, style.blue)
    patch.raise_(outline, scene.field.surface + BLUE_PLATE, blue, gloss=style.gloss, bevel=0.02)


def _near(rng: Rng, cell: Cell, style: Style, share: float = 1.0) -> tuple[float, float]:
    dx, dy = rng.normal(0, style.place_jitter * share, 2)
    return cell[0] + 0.5 + float(dx), cell[1] + 0.5 + float(dy)


def _shade_of(rng: Rng, color: Color, spread: float = 0.08) -> Color:
    """One piece is never quite as the next."""
    by = float(np.exp(rng.normal(0, spread)))
    return color[0] * by, color[1] * by, color[2] * by


def _mushroom(scene: Scene, style: Style, x: float, y: float, base: float) -> None:
    patch = scene.patch(x, y, 0.3)
    distance = disc(patch.u, patch.v, 0.2)
    inside = np.clip(1 - (patch.u**2 + patch.v**2) / 0.2**2, 0, 1)
    top = base + 0.2 + 0.15 * np.sqrt(inside)
    patch.raise_(distance, top.astype(np.float32), style.mushroom, gloss=0.4 + 0.6 * style.gloss)


def _open_hole(scene: Scene, style: Style, x: float, y: float, radius: float) -> None:
    """A tetrod's hole: the board shows through, and its own hole in the middle."""
    patch = scene.patch(x, y, 0.35)
    wide = disc(patch.u, patch.v, radius)
    patch.paint(wide, style.wood_light, gloss=0.0)
    scene.height[patch.window][wide < 0] = scene.field.surface
    patch.paint(disc(patch.u, patch.v, 0.09), tuple(0.12 * c for c in style.wood_dark))  # type: ignore[arg-type]


def _peg(rng: Rng, scene: Scene, style: Style, x: float, y: float) -> None:
    patch = scene.patch(x, y, 0.2)
    color = _shade_of(rng, style.peg)
    worn = float(rng.uniform(0, 0.35)) if rng.random() < 0.5 else 0.0
    pale = tuple(c + (0.8 - c) * worn for c in color)  # turned tops are often paler than the sides
    shine = 0.4 + 1.6 * style.gloss  # and mirror the lamp
    wide = disc(patch.u, patch.v, float(rng.uniform(0.105, 0.135)))
    patch.raise_(wide, scene.field.surface + 0.5, (pale[0], pale[1], pale[2]), color, shine, 0.02)


def _plate(rng: Rng, scene: Scene, style: Style, cells: tuple[Cell, ...], color: Color, thick: float) -> None:
    """A plate of several cells, 0.03 in from their edges; its cells are joined without a groove."""
    cx, cy = (float(np.mean([cell[k] for cell in cells])) + 0.5 for k in (0, 1))
    dx, dy = rng.normal(0, style.place_jitter * 0.5, 2)
    patch = scene.patch(cx + float(dx), cy + float(dy), 2.4, float(rng.normal(0, style.turn_jitter * 0.3)))
    distance = np.full(np.broadcast_shapes(patch.u.shape, patch.v.shape), 9.0, np.float32)
    for column, row in cells:
        u, v = column + 0.5 - cx, row + 0.5 - cy
        distance = np.minimum(distance, box(patch.u - u, patch.v - v, 0.47, 0.47, 0.05))
        for du, dv in ((1, 0), (0, 1)):
            if (column + du, row + dv) in cells:
                joint = box(patch.u - u - du / 2, patch.v - v - dv / 2, 0.47 + 0.03 * du, 0.47 + 0.03 * dv, 0.02)
                distance = np.minimum(distance, joint)
    tone = _shade_of(rng, color)
    patch.raise_(distance, scene.field.surface + thick, tone, gloss=style.gloss, bevel=0.02)


def _card(
    rng: Rng, scene: Scene, style: Style, card: Card, shown: dict[Cell, str], open_holes: tuple[Cell, ...]
) -> None:
    (column, row), (w, h) = card.at, card.size
    dx, dy = rng.normal(0, style.place_jitter, 2)
    patch = scene.patch(
        column + w / 2 + float(dx),
        row + h / 2 + float(dy),
        1.9,
        float(rng.normal(0, style.turn_jitter * 0.5)),
    )
    outline = box(patch.u, patch.v, w / 2 - 0.02, h / 2 - 0.02, 0.06)
    white, blue = style.card_white, style.card_blue
    ground, ink = (white, blue) if card.face == "b" else (blue, white)
    patch.raise_(
        outline,
        max(patch.ground(outline), scene.field.surface) + 0.02,
        ground,
        style.card_white,
        0.2 * style.gloss,
    )
    for i in range(w):
        for j in range(h):
            u, v = patch.u - (i + 0.5 - w / 2), patch.v - (j + 0.5 - h / 2)
            patch.paint(disc(u, v, style.card_disc), ink)
            if shown[(column + i, row + j)].endswith("peg") or (column + i, row + j) in open_holes:
                patch.paint(disc(u, v, 0.17), tuple(0.35 * c for c in style.wood_dark))  # type: ignore[arg-type]
            if (column + i, row + j) in open_holes and rng.random() < 0.5:  # the board's own hole shows in it
                patch.paint(disc(u, v, 0.17), style.wood_light)
                patch.paint(disc(u, v, 0.09), tuple(0.12 * c for c in style.wood_dark))  # type: ignore[arg-type]


def _face_marks(patch: Patch, style: Style, face: str, side: float, ink: Color, depth: float) -> None:
    if face == "K":
        ring = np.abs(disc(patch.u, patch.v, 0.225 * side)) - style.king_ring * side / 2
        patch.paint(ring, ink)
        patch.paint(disc(patch.u, patch.v, style.king_pip * side), ink)
        return
    for i, j in PIPS[face]:
        u, v = patch.u - i * style.pip_spread * side, patch.v - j * style.pip_spread * side
        radius = style.pip_radius * side
        if style.pip == "square":
            shape = box(u, v, radius * 0.9, radius * 0.9, radius * 0.3)
        elif style.pip == "diamond":
            shape = np.asarray((np.abs(u) + np.abs(v) - 1.3 * radius) * 0.7, np.float32)
        elif style.pip == "hexagon":
            shape = np.maximum(np.abs(v) * 0.866 + np.abs(u) * 0.5, np.abs(u)) - np.float32(0.93 * radius)
        elif style.pip == "star":
            shape = np.hypot(u, v) - radius * (1 + np.float32(0.28) * np.sin(5 * np.arctan2(v, u)))
        else:
            shape = disc(u, v, radius)
        patch.paint(np.asarray(shape, np.float32), ink)
        if depth > 0 and style.pip == "round":
            heights = patch.scene.height[patch.window]
            bowl = np.sqrt(np.clip(1 - (u * u + v * v) / radius**2, 0, 1))
            heights -= (depth * side * bowl).astype(np.float32)


def _die(
    rng: Rng,
    scene: Scene,
    style: Style,
    at: tuple[float, float],
    code: str,
    base: float | None = None,
    turn: float | None = None,
) -> None:
    red = code[0] == "r"
    body = _shade_of(rng, style.die_red if red else style.die_white, 0.04)
    ink = style.pip_on_red if red else style.pip_on_white
    turned = float(rng.normal(0, 1.6 * style.turn_jitter)) if turn is None else turn
    patch = scene.patch(*at, 0.6, turned)
    floor = scene.field.surface if base is None else base
    distance = box(patch.u, patch.v, DIE_SIDE / 2, DIE_SIDE / 2, style.die_round * DIE_SIDE)
    patch.raise_(distance, floor + DIE_SIDE, body, gloss=style.gloss, bevel=0.06 + style.die_round * 0.3)
    _face_marks(patch, style, code[1:], DIE_SIDE, ink, style.pip_depth)
    if code[1] == "K":
        faces = (0, 0, 0, 0)
    else:
        top = int(code[1])
        ring = [n for n in range(1, 7) if n not in (top, 7 - top)]
        a = int(rng.choice(ring))
        b = int(rng.choice([n for n in ring if n not in (a, 7 - a)]))
        faces = (a, 7 - a, b, 7 - b)
    scene.dice.append(Die(at[0], at[1], turned, floor, DIE_SIDE, red, faces))
    scene.die_at[patch.window][distance < 3 / scene.ppu] = len(scene.dice)


def side_faces(style: Style) -> Map:
    """The marks on the side faces of dice: ink per face (0 the King's, then 1 to 6), 48 pixels wide."""
    names = ("K", "1", "2:ne", "3:ne", "4", "5", "6:ns")
    axis = (np.arange(48, dtype=np.float32) + 0.5) / 48 - 0.5
    u, v = np.meshgrid(axis, -axis)
    atlas = np.zeros((7, 48, 48), np.float32)
    for k, name in enumerate(names):
        if name == "K":
            marks = [np.abs(disc(u, v, 0.225)) - style.king_ring / 2, disc(u, v, style.king_pip)]
        else:
            marks = [disc(u - i * style.pip_spread, v - j * style.pip_spread, style.pip_radius) for i, j in PIPS[name]]
        atlas[k] = np.clip(0.5 - np.minimum.reduce(marks) * 48, 0, 1)
    return atlas


def _tile(rng: Rng, scene: Scene, style: Style, at: tuple[float, float], code: str) -> None:
    patch = scene.patch(*at, 0.75, float(rng.normal(0, style.turn_jitter * 0.6)))
    outline = box(patch.u, patch.v, 0.48, 0.48, 0.02)
    name = code.rstrip("~")
    face = {"neutral": style.tile_neutral, "down": style.tile_down}.get(name, style.tile_white)
    patch.raise_(
        outline,
        0.07,
        _shade_of(rng, face, 0.03),
        style.tile_white if name != "down" else face,
        0.3 * style.gloss,
    )
    if name in ("neutral", "down") or style.blank:
        return
    if name.startswith(("start", "finish")):
        size = style.symbol_size
        shape = box(patch.u, patch.v, size, size) if name.endswith("square") else disc(patch.u, patch.v, size * 1.1)
        if name.startswith("start"):
            shape = (np.abs(shape + style.symbol_line / 2) - style.symbol_line / 2).astype(np.float32)
        patch.paint(shape, style.tile_green)
    else:
        for direction in name.split("-"):
            _arrow(patch, style, 90.0 - 45.0 * DIRECTIONS.index(direction))
        if style.arrow_hub > 0:
            patch.paint(disc(patch.u, patch.v, style.arrow_hub), style.tile_ink)
    turn = float(rng.choice([0, 90, 180])) if code.endswith("~") else -90.0
    dot = 0.48 - style.tile_dot_radius - 0.01 - style.tile_dot_inset
    du, dv = dot * float(np.cos(np.radians(turn))), dot * float(np.sin(np.radians(turn)))
    patch.paint(disc(patch.u - du, patch.v - dv, style.tile_dot_radius), style.tile_dot)


# How far an arrow strays, from its tail (0) to its tip (1).
COURSES: dict[str, Callable[[Map], Map]] = {
    "bow": lambda t: 4 * t * (1 - t),
    "hook": lambda t: 0.6 * t * t,
    "wave": lambda t: np.sin(2 * np.float32(np.pi) * t),
    "elbow": lambda t: np.minimum(t / np.float32(0.4), (1 - t) / np.float32(0.6)),
}


def _arrow(patch: Patch, style: Style, angle: float) -> None:
    a = np.radians(angle)
    c, s = float(np.cos(a)), float(np.sin(a))
    along, across = patch.u * c + patch.v * s, -patch.u * s + patch.v * c
    reach, head, half = style.arrow_reach, style.arrow_head, style.arrow_width / 2
    if style.arrow_bend:  # the head goes with its shaft
        across = across - np.float32(style.arrow_bend * reach) * COURSES[style.arrow_course](
            np.clip(along / reach, 0, 1)
        )
    shaft_end = reach - head * (0.8 if style.arrow != "chevron" else 0.2)
    if style.arrow in ("wedge", "tapered"):
        share = np.clip(along / reach, 0, 1)
        width = half * (0.5 + 1.6 * share if style.arrow == "wedge" else 1.7 - 1.2 * share)
        shaft = np.maximum(np.abs(across) - width, np.maximum(style.arrow_start - along, along - shaft_end))
    elif style.arrow == "brush":  # swells and thins as a hand draws it
        width = half * (1 + 0.5 * np.sin(along * 40 * style.arrow_spread + angle))
        shaft = np.maximum(np.abs(across) - width, np.maximum(style.arrow_start - along, along - shaft_end))
    elif style.arrow == "bent":  # as one draws a way around something
        bow = np.float32(1.6 * style.arrow_width) * np.sin(np.clip(along / reach, 0, 1) * np.float32(np.pi))
        shaft = np.maximum(np.abs(across - bow) - half, np.maximum(style.arrow_start - along, along - shaft_end))
    elif style.arrow == "block":  # cut off square, and broad
        shaft = np.maximum(np.abs(across) - 1.4 * half, np.maximum(style.arrow_start - along, along - shaft_end))
    else:
        shaft = segment(along, across, (style.arrow_start, 0.0), (shaft_end, 0.0), half)
    if style.arrow in ("barbed", "chevron"):
        tip, spread = (reach, 0.0), head * (1.2 * style.arrow_spread if style.arrow == "barbed" else 0.75)
        barbs = [segment(along, across, tip, (reach - head, side * spread), half * 0.95) for side in (1, -1)]
        shape = np.minimum(shaft, np.minimum(*barbs))
    elif style.arrow == "club":  # a round end
        shape = np.minimum(shaft, np.hypot(along - reach + head / 2, across) - head * style.arrow_spread)
    elif style.arrow == "dart":  # all head
        into = reach - along
        wide = head * style.arrow_spread * 1.3
        shape = np.maximum(np.abs(across) - into * wide / reach - 0.4 * half, -np.minimum(along, into))
    else:
        into = reach - along
        point = np.maximum(np.abs(across) - into * style.arrow_spread, into - head) * 0.85
        if style.arrow == "outlined":
            point = np.abs(point + 0.6 * half) - 0.6 * half
        if style.arrow == "notched":  # swallow-tailed
            point = np.maximum(point, into - head + 0.5 * (head * style.arrow_spread - np.abs(across)))
        elif style.arrow == "kite":
            wide = head * style.arrow_spread
            point = np.abs(across) / wide + np.abs(into - head * 0.75) / (head * 0.75) - 1
            point *= min(wide, head) * 0.7
        shape = np.minimum(shaft, point)
    patch.paint(np.asarray(shape - style.print_gain, np.float32), style.tile_ink)


def _pawns(chance: Chance, scene: Scene, maker: Maker, pawns: dict[str, str]) -> None:
    if not pawns:
        return
    shape = scene.height.shape
    scene.glass = np.zeros(shape, np.float32)
    scene.glass_tint = np.ones((*shape, 3), np.float32)
    scene.glass_glow = np.ones(shape, np.float32)
    for name, square in pawns.items():
        rng = chance(f"{name} {square}")
        style = maker(rng)
        x = "abcdefgh".index(square[0]) + 0.5 + float(rng.normal(0, style.place_jitter * 1.5))
        y = int(square[1:]) - 0.5 + float(rng.normal(0, style.place_jitter * 1.5))
        patch = scene.patch(x, y, 0.6, float(rng.normal(0, 4)))
        round_ = name.startswith("round")
        distance = disc(patch.u, patch.v, 0.33) if round_ else box(patch.u, patch.v, 0.3, 0.3, 0.03)
        inside = distance < 0
        scene.glass[patch.window][inside] = 0.07 + 0.3
        tint = style.pawn_tint[PAWN_OUTPUTS.index(name.split()[0])]
        clear = tuple(c ** (1.2 - style.pawn_clear) for c in tint)
        scene.glass_tint[patch.window][distance < 3 / scene.ppu] = np.asarray(clear, np.float32)
        scene.glass_glow[patch.window][distance < 3 / scene.ppu] = style.pawn_glow


def random_row(rng: Rng, count: int) -> Row:
    """A row that fits into the area."""
    room = max(0.0, 12.8 - count)
    return Row(float(rng.uniform(1.7, 4.3)), 0.1 + float(rng.uniform(0, 1)) * room, float(rng.normal(0, 1.2)))


def plank_places(chance: Chance, row: Row, numbers: range) -> list[tuple[float, float, float]]:
    """The middle and the turn of each plank from south to north; hands lay them a little unevenly."""
    places = []
    turn = np.radians(row.slant)
    rng = chance("row's evenness")
    spread, gap = float(rng.uniform(0, 0.06)), float(rng.uniform(0, 0.03))
    for n in numbers:
        rng = chance(f"plank {n}")
        along = 0.5 + n * (1.0 + gap)
        shift = float(rng.normal(0, spread))
        x = row.x - along * float(np.sin(turn)) + shift * float(np.cos(turn))
        y = row.y + along * float(np.cos(turn)) + shift * float(np.sin(turn))
        places.append((x, y, row.slant + float(rng.normal(0, 0.5))))
    return places


def _planks(chance: Chance, scene: Scene, layout: Layout, maker: Maker, row: Row) -> Generator[None, None, None]:
    planks = layout.visible["planks"]
    numbers = range(layout.south, layout.south + len(planks))
    layout.visible["places"] = places = plank_places(chance, row, numbers)
    for n, plank, (x, y, turn) in zip(numbers, planks, places, strict=True):
        rng = chance(f"colors {n}")
        style = maker(rng)
        colors = {"R": style.plank_red, "W": style.plank_white, "B": style.plank_blue}
        patch = scene.patch(x, y, 1.75, turn)
        outline = box(patch.u, patch.v, 1.495, 0.495)
        patch.raise_(outline, 0.07, (0.02, 0.02, 0.02), (0.04, 0.04, 0.04), 0.4 * style.gloss)
        for k, color in enumerate(plank["colors"]):
            half = 0.495 - style.plank_border
            patch.paint(box(patch.u - (k - 1), patch.v, half, half), _shade_of(rng, colors[color], 0.03))
        yield
    for n, plank, (x, y, turn) in zip(numbers, planks, places, strict=True):
        c, s = float(np.cos(np.radians(turn))), float(np.sin(np.radians(turn)))
        for k, token in enumerate(plank["tokens"]):
            if token != ".":
                rng = chance(f"{token} {n} {k}")
                dx, dy = (k - 1) + float(rng.normal(0, 0.04)), float(rng.normal(0, 0.04))
                own = token[2:] or plank["colors"][k]
                token_on(rng, scene, maker(rng), (x + dx * c - dy * s, y + dx * s + dy * c), own, token[0], 0.07)
                yield


def token_on(
    rng: Rng, scene: Scene, style: Style, at: tuple[float, float], color: str, letter: str, base: float
) -> None:
    if style.coins:
        _coin(rng, scene, style, at, letter, base)
        return
    body = _shade_of(rng, {"R": style.plank_red, "W": style.plank_white, "B": style.plank_blue}[color], 0.08)
    ink = style.letter_black if color == "W" else style.letter_white
    patch = scene.patch(*at, 0.5, float(rng.uniform(0, 360)))
    outline = disc(patch.u, patch.v, 0.415)
    patch.raise_(outline, base + 0.1, body, body, 1.4 * style.gloss, 0.02)
    patch.paint(np.abs(outline + style.token_rim / 2) - style.token_rim / 2, (0.015, 0.015, 0.015))
    if style.token_ring:
        patch.paint(np.abs(outline + 0.07) - 0.01, ink)
    shape = (patch.v + 0 * patch.u).shape
    glyph = letter_mask(letter, style.letter, min(style.letter_weight / style.letter_size, 0.24))
    span = style.letter_size / 0.72  # the letter's height within its 96-pixel square
    mapx = np.ascontiguousarray(
        np.broadcast_to(
            ((patch.u - style.letter_lean * patch.v) / (span * style.letter_aspect) + 0.5) * 96 - 0.5, shape
        ),
        np.float32,
    )
    mapy = np.ascontiguousarray(np.broadcast_to((0.5 - patch.v / span) * 96 - 0.5, shape), np.float32)
    if style.letter_bend > 0:
        once, twice, *starts = rng.uniform(0.5, 2, 2).tolist() + rng.uniform(0, 7, 2).tolist()
        away = np.float32(96 * style.letter_bend)
        mapx, mapy = (
            mapx + away * np.sin(mapy * np.float32(once / 12) + np.float32(starts[0])),
            mapy + away * np.sin(mapx * np.float32(twice / 12) + np.float32(starts[1])),
        )
    share = cv2.remap(glyph, mapx, mapy, cv2.INTER_LINEAR)[..., None]
    view = scene.albedo[patch.window]
    view += (np.asarray(ink, np.float32) - view) * share


def _coin(rng: Rng, scene: Scene, style: Style, at: tuple[float, float], owner: str, base: float) -> None:
    """A coin for a token: copper, brass, nickel, or nickel with a brass middle; its number stands out of it."""
    rim, middle, number = COINS[owner]
    patch = scene.patch(*at, 0.5, float(rng.uniform(0, 360)))
    outline = disc(patch.u, patch.v, 0.4)
    patch.raise_(outline, base + 0.08, _shade_of(rng, rim, 0.1), rim, 1.5 * style.gloss + 0.3, 0.02)
    patch.paint(disc(patch.u, patch.v, 0.27), _shade_of(rng, middle, 0.1))
    patch.paint(np.abs(outline + 0.03) - 0.01, _shade_of(rng, rim, 0.2))
    glyph = letter_mask(number, "simplex", 0.14)
    mapx, mapy = (np.ascontiguousarray((side / 0.55 + 0.5) * 96, np.float32) for side in (patch.u, -patch.v))
    shape = (patch.v + 0 * patch.u).shape
    mapx, mapy = (np.ascontiguousarray(np.broadcast_to(side, shape)) for side in (mapx, mapy))
    view = scene.albedo[patch.window]
    view *= 1 - 0.45 * cv2.remap(glyph, mapx, mapy, cv2.INTER_LINEAR)[..., None]


HERSHEY = {
    "simplex": cv2.FONT_HERSHEY_SIMPLEX,
    "duplex": cv2.FONT_HERSHEY_DUPLEX,
    "complex": cv2.FONT_HERSHEY_COMPLEX,
    "triplex": cv2.FONT_HERSHEY_TRIPLEX,
}


def letter_mask(letter: str, kind: str, weight: float) -> Map:
    """A letter in a 96-pixel square, 69 pixels high; `weight` is its stroke over its height."""
    thick = max(2, round(weight * 138))
    if kind.startswith("printed"):
        glyph = _printed(letter, kind, weight)
    else:
        glyph = _hershey(letter, HERSHEY[kind], thick) if kind in HERSHEY else _strokes(letter, kind, thick)
    return cv2.resize(glyph, (96, 96), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _printed(letter: str, kind: str, weight: float) -> npt.NDArray[np.uint8]:
    """A letter of a printer's type, which OpenCV has from its fifth version on; before, a plain one."""
    if not hasattr(cv2, "FontFace"):
        return _strokes(letter, "sans", max(2, round(weight * 138)))
    canvas = np.zeros((192, 192), np.uint8)
    if kind.endswith(".ttf"):
        cv2.putText(canvas, letter, (30, 150), (255, 255, 255), _face(kind.removeprefix("printed ")), 120)
        return _fitted(canvas)
    face = cv2.FontFace({"printed italic": "italic", "printed uni": "uni"}.get(kind, "sans"))
    heavy = int(np.clip(weight * 3500, 300, 900))
    cv2.putText(canvas, letter, (30, 150), (255, 255, 255), face, 150, heavy)
    return _fitted(canvas)


@cache
def _face(file: str) -> Any:
    """A typeface; OpenCV mixes them up once they are let go."""
    return cv2.FontFace(file)


def _hershey(letter: str, face: int, thick: int) -> npt.NDArray[np.uint8]:
    canvas = np.zeros((192, 192), np.uint8)
    (w, h), _ = cv2.getTextSize(letter, face, 4.0, 1)
    cv2.putText(canvas, letter, (96 - w // 2, 96 + h // 2), face, 4.0 * 138 / h if h else 4.0, 255, thick, cv2.LINE_AA)
    return _fitted(canvas)


def _fitted(canvas: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """What is drawn on the canvas, 138 pixels high in its middle."""
    columns, rows = np.nonzero(canvas.any(0))[0], np.nonzero(canvas.any(1))[0]
    glyph = canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    wide = max(1, round(glyph.shape[1] * 138 / glyph.shape[0]))
    glyph = np.asarray(cv2.resize(glyph, (wide, 138), interpolation=cv2.INTER_AREA), np.uint8)
    canvas[:] = 0
    left = max(0, 96 - wide // 2)
    canvas[27 : 27 + 138, left : left + wide] = glyph[:, : 192 - left]
    return canvas


def _strokes(letter: str, kind: str, thick: int) -> npt.NDArray[np.uint8]:
    """A letter made of lines and bows: plain, with slabs for feet, with cut corners, or as a broad pen writes."""
    canvas = np.zeros((192, 192), np.uint8)
    thin = max(2, round(thick * 0.45)) if kind == "broad pen" else thick
    lo, hi, r = 27 + thick // 2, 165 - thick // 2, (138 - thick) // 2

    def line(a: tuple[int, int], b: tuple[int, int], width: int) -> None:
        cv2.line(canvas, a, b, 255, width, cv2.LINE_AA)

    def bow(middle: tuple[int, int], wide: int, high: int, first: int, last: int) -> None:
        if kind == "square":
            turns = [a for a in (-90, -45, 0, 45, 90, 135, 180, 225, 270, 315) if first < a < last]
            corners = [first, *turns, last]
            points = [
                (middle[0] + round(wide * np.cos(np.radians(a))), middle[1] + round(high * np.sin(np.radians(a))))
                for a in corners
            ]
            for one, two in pairwise(points):
                line(one, two, thick)
        else:
            cv2.ellipse(canvas, middle, (wide, high), 0, first, last, 255, thick, cv2.LINE_AA)

    feet: list[tuple[int, int]] = []
    if letter == "A":
        line((46, hi), (96, lo), thin)
        line((146, hi), (96, lo), thick)
        line((64, 122), (128, 122), max(2, round(thin * 0.85)))
        feet = [(46, hi), (146, hi)]
    elif letter == "C":
        bow((100, 96), round(r * 0.92), r, 48, 312)
        if kind == "slab":
            x = 100 + round(r * 0.92 * 0.67)
            line((x, lo + r // 8), (x, lo + r // 2), max(2, round(thick * 0.7)))
    else:
        line((56, lo), (56, hi), thick)
        bowls = ((96, r),) if letter == "D" else ((lo + r // 2, r // 2), (hi - r // 2, r // 2))
        for y, half in bowls:
            wide = 82 if letter == "D" else 62
            top, bottom = y - half, y + half
            bend = half if letter == "B" else round(half * 0.8)
            line((56, top), (56 + wide - bend, top), thin)
            line((56, bottom), (56 + wide - bend, bottom), thin)
            bow((56 + wide - bend, y), bend, half, -90, 90)
        feet = [(56, lo), (56, hi)]
    if kind == "stencil":
        canvas[:, 88:104] = 0
    if kind in ("slab", "broad pen"):
        for x, y in feet:
            line((x - round(thick * 1.1), y), (x + round(thick * 0.9), y), max(2, round(thin * 0.7)))
    return canvas


def clutter(rng: Rng, scene: Scene, style: Style, count: int, on_field: bool = False) -> None:
    """Things that are no part of the position: beside the field, or in the way on it."""
    w, h = scene.field.columns, scene.field.rows
    for _ in range(count):
        if on_field:
            x, y = float(rng.uniform(0.3, w - 0.3)), float(rng.uniform(0.3, h - 0.3))
        else:
            angle = float(rng.uniform(0, 2 * np.pi))
            c, s = float(np.cos(angle)), float(np.sin(angle))
            out = float(rng.uniform(1.0, 3.0))
            stretch = min((w / 2 + out) / max(abs(c), 1e-6), (h / 2 + out) / max(abs(s), 1e-6))
            x, y = w / 2 + c * stretch, h / 2 + s * stretch
        kind = str(
            rng.choice(
                ["cup", "stick", "stick", "block", "cards", "coin", "phone"]
                if on_field
                else ["cup", "die", "token", "cards", "phone", "coin", "stick", "block"]
            )
        )
        _thing(rng, scene, style, kind, x, y, on_field)


def _thing(rng: Rng, scene: Scene, style: Style, kind: str, x: float, y: float, on_field: bool) -> None:
    turn = float(rng.uniform(0, 180))
    hue = shade(rng, (0, 360), (0.0, 1.0), (0.08, 0.97))
    base = scene.field.surface if on_field else 0.0
    outside = np.maximum(
        abs(x - scene.field.columns / 2) - scene.field.columns / 2,
        abs(y - scene.field.rows / 2) - scene.field.rows / 2,
    )
    patch = scene.patch(x, y, 2.2, turn)
    shape = np.zeros(0, np.float32)
    if kind == "cup":
        radius = float(rng.uniform(0.6, 1.1))
        if not on_field and outside < radius + 0.1:
            return
        shape = disc(patch.u, patch.v, radius)
        patch.raise_(shape, base + float(rng.uniform(0.6, 1.2)), hue, gloss=0.8, bevel=0.05)
        patch.paint(disc(patch.u, patch.v, radius - 0.12), (0.02, 0.03, 0.06))
    elif kind == "die":
        _die(rng, scene, style, (x, y), str(rng.choice(["w", "r"])) + str(rng.choice(list(PIPS))), 0.0, turn)
    elif kind == "token":
        token_on(rng, scene, style, (x, y), str(rng.choice(list("RWB"))), str(rng.choice(list("ABCD"))), 0.0)
    elif kind == "coin":
        shape = disc(patch.u, patch.v, float(rng.uniform(0.2, 0.35) if not on_field else rng.uniform(0.3, 0.6)))
        top = patch.ground(shape) if on_field else base
        patch.raise_(shape, top + 0.05, (0.08, 0.25, 0.4), gloss=1.0)
    elif kind == "stick":
        half = float(rng.uniform(0.045, 0.17))
        shape = box(patch.u, patch.v, float(rng.uniform(1.0, 2.1)), half, min(half, 0.05))
        if not on_field and outside < 1.2:
            return
        top = patch.ground(shape) if on_field else base
        patch.raise_(shape, top + max(0.1, half), hue, gloss=0.4, bevel=min(half, 0.05))
    else:
        sizes = {"cards": (0.65, 1.0), "phone": (0.9, 1.7), "block": (0.35, 0.5)}
        half_u, half_v = (float(s * rng.uniform(0.8, 1.2)) for s in sizes[kind])
        if not on_field and outside < float(np.hypot(half_u, half_v)) * 0.85:
            return
        shape = box(patch.u, patch.v, half_u, half_v, 0.08)
        thick = {"cards": 0.1, "phone": 0.12, "block": 0.35}[kind]
        top = patch.ground(shape) if on_field else base
        patch.raise_(shape, top + thick, hue if kind != "phone" else (0.02, 0.02, 0.02), gloss=0.3)
        if kind == "cards":
            patch.paint(box(patch.u, patch.v, half_u - 0.08, half_v - 0.08), (0.5, 0.1, 0.03), 0.9)
    if on_field and shape.size:
        scene.blocked[patch.window][shape < 0.02] = 1


def put(rng: Rng, scene: Scene, kind: str, x: float, y: float) -> None:
    """A mug, a phone or a box of cards on the mat or the table."""
    patch = scene.patch(x, y, 2.0, float(rng.uniform(-35, 35)))
    if kind == "mug":
        glaze = ((0.30, 0.16, 0.06), (0.62, 0.66, 0.68), (0.05, 0.09, 0.42), (0.12, 0.30, 0.16))
        color = glaze[int(rng.integers(len(glaze)))]
        handle = np.maximum(np.abs(disc(patch.u - 0.72, patch.v, 0.30)) - 0.08, 0.55 - patch.u)
        patch.raise_(handle.astype(np.float32), 0.62, color, gloss=0.6, bevel=0.08)
        patch.raise_(disc(patch.u, patch.v, 0.74), 0.95, color, gloss=0.6, bevel=0.06)
        coffee = disc(patch.u, patch.v, 0.63)
        patch.paint(coffee, (0.012, 0.028, 0.065), gloss=0.0)
        scene.height[patch.window][coffee < 0] = 0.72
    elif kind == "phone":
        patch.raise_(box(patch.u, patch.v, 0.85, 1.7, 0.2), 0.18, (0.025, 0.025, 0.025), gloss=0.5, bevel=0.05)
        patch.paint(box(patch.u, patch.v, 0.77, 1.62, 0.14), (0.012, 0.010, 0.009), gloss=0.9)
        patch.paint(disc(patch.u, patch.v - 1.5, 0.05), (0.05, 0.03, 0.02))
    else:
        patch.raise_(box(patch.u, patch.v, 0.85, 1.2, 0.04), 0.5, (0.08, 0.10, 0.45), gloss=0.25, bevel=0.03)
        patch.paint(box(patch.u, patch.v, 0.72, 1.07, 0.03), (0.55, 0.70, 0.80))
        patch.paint(box(patch.u, patch.v, 0.62, 0.97, 0.03), (0.10, 0.12, 0.50))
        patch.paint(disc(patch.u, patch.v, 0.36), (0.55, 0.70, 0.80))


def pencil(scene: Scene, x: float, y: float, turn: float) -> None:
    patch = scene.patch(x, y, 2.2, turn)
    body = box(patch.u, patch.v, 1.6, 0.085, 0.02)
    patch.raise_(body, 0.16, (0.03, 0.42, 0.72), (0.02, 0.30, 0.55), 0.3, 0.06)
    patch.paint(np.maximum(body, patch.u + 1.32), (0.22, 0.28, 0.62))
    patch.paint(np.maximum(body, 1.28 - patch.u), (0.38, 0.58, 0.76))
    patch.paint(np.maximum(body, 1.52 - patch.u), (0.03, 0.03, 0.03))


def spots(rng: Rng, scene: Scene) -> None:
    """Uneven color over everything: dust, worn print, reflections of the room."""
    blotch = 1 + float(rng.uniform(0, 0.05)) * noise(
        rng, (scene.height.shape[0], scene.height.shape[1]), (scene.ppu * 1.5, scene.ppu * 1.5), 2
    )
    scene.albedo *= np.clip(blotch, 0.7, 1.3)[..., None]
