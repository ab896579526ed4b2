"""Pictures of pip dice on a table, rendered with exact labels: what the dice reader learns and is tested on.

Everything is drawn at random within wide limits (camera, lamps, table, things lying about, dice of any make),
because the reader must cope with dice and tables nobody has photographed yet. Lengths are in die sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes import PIPS

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]

# By value; a blank cube is no die. The rows of a six run along the first axis.
_LAYOUTS = ((), *(PIPS[face] for face in ("1", "2:ne", "3:ne", "4", "5", "6:ew")))


@dataclass(frozen=True)
class Camera:
    """A pinhole camera: `rotation` takes world directions to the camera's (x right, y down, z forward)."""

    rotation: Floats
    place: Floats
    focal: float
    middle: tuple[float, float]

    def project(self, points: Floats) -> Floats:
        seen = (points - self.place) @ self.rotation.T
        flat: Floats = (seen[:, :2] / seen[:, 2:] * self.focal + self.middle).astype(np.float32)
        return flat

    def rays(self, x: Floats, y: Floats) -> Floats:
        local = np.stack([(x - self.middle[0]) / self.focal, (y - self.middle[1]) / self.focal, np.ones_like(x)], -1)
        local /= np.linalg.norm(local, axis=-1, keepdims=True)
        world: Floats = (local @ self.rotation).astype(np.float32)
        return world


@dataclass(frozen=True)
class Cube:
    """One die as it lies; `values` are the faces +x −x +y −y +z −z of the cube, +z being the top."""

    place: tuple[float, float]
    yaw: float
    values: tuple[int, ...]
    turned: tuple[bool, ...]
    body: Floats
    pips: Floats
    ace: Floats
    pip_radius: float
    ace_radius: float
    spread: float
    stretch: tuple[float, ...]
    six: tuple[float, float]
    sunk: float
    rounding: float
    ball: float
    gloss: float
    sharpness: float
    clear: float
    speckle: float
    grain: tuple[float, ...]
    swirl: tuple[float, ...]
    ring: float
    sheen: tuple[float, ...]
    four_as_ace: bool

    def pip_places(self, face: int) -> Floats:
        value = self.values[face]
        spots = np.array(_LAYOUTS[value], np.float32).reshape(-1, 2) * self.spread * self.stretch[value]
        if value == 6:
            spots = np.array(_LAYOUTS[6], np.float32) * np.array(self.six, np.float32)
        if self.turned[face]:
            # The other diagonal for 2 and 3, the other direction of the rows for 6.
            spots = spots[:, ::-1] if value == 6 else spots * np.array([1, -1], np.float32)
        return spots.astype(np.float32)


@dataclass(frozen=True)
class Label:
    """The upper face of one die: `shown` is the part of it not hidden by other dice or the frame."""

    value: int
    quad: Floats
    pips: Floats
    shown: float


@dataclass
class Scene:
    picture: Picture
    labels: list[Label] = field(default_factory=list)


def _noise(rng: np.random.Generator, size: int, cells_x: float, cells_y: float) -> Floats:
    """Smooth noise around 0 with roughly the given number of bumps along each side."""
    coarse = rng.standard_normal((max(2, round(cells_y)), max(2, round(cells_x)))).astype(np.float32)
    smooth: Floats = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return smooth


def _color(rng: np.random.Generator, saturation: float = 1.0) -> Floats:
    """Any color (BGR, 0–1, linear): a hue with some saturation and brightness."""
    hsv = np.array([[[rng.uniform(0, 360), rng.uniform(0, 1) * saturation, rng.uniform(0.03, 0.95)]]], np.float32)
    bgr: Floats = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    return bgr


def _heap(rng: np.random.Generator, size: int) -> Floats:
    """Things of all sizes lying over each other: any view of a room, with no dice in it."""
    heap = np.full((size, size, 3), 0.3, np.float32)
    hues = float(rng.choice([0.2, 1.0]))
    for wide in np.sort(size * 0.4 * rng.uniform(0.02, 1, int(rng.integers(60, 220))) ** 3)[::-1]:
        x, y = rng.uniform(0, size, 2)
        shade = _color(rng, hues).tolist()
        long = max(1.5, wide * rng.uniform(0.3, 1.2))
        kind = rng.integers(4)
        turn = rng.uniform(0, 180)
        if kind == 0:
            cv2.ellipse(heap, ((x, y), (max(1.5, wide), long), turn), shade, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.ellipse(heap, ((x, y), (max(1.5, wide), long), turn), shade, max(1, int(wide / 8)), cv2.LINE_AA)
        else:
            box = cv2.boxPoints(((x, y), (max(1.5, wide), long), turn if kind == 2 else 0.0))
            cv2.fillConvexPoly(heap, box.astype(np.int32), shade, cv2.LINE_AA)
    return np.clip(heap * (1 + 0.15 * _noise(rng, size, 8, 8))[..., None], 0.005, 1).astype(np.float32)


def _table(rng: np.random.Generator, size: int) -> Floats:
    """A square piece of table top, seen from straight above."""
    base = _color(rng, float(rng.choice([0.2, 0.6, 1.0])))
    other = np.clip(base * rng.uniform(0.4, 1.6) + rng.uniform(-0.1, 0.1, 3), 0, 1).astype(np.float32)
    kinds = ["plain", "wood", "cloth", "weave", "knots", "dots", "checks", "plaid", "print", "stains", "heap"]
    kind = rng.choice(kinds, p=[0.15, 0.18, 0.12, 0.08, 0.1, 0.05, 0.05, 0.04, 0.05, 0.1, 0.08])
    if kind == "heap":
        return _heap(rng, size)
    middle = np.float32(0.5)
    if kind in {"weave", "knots", "dots", "checks", "plaid", "print"}:
        middle, other = np.float32(0), _color(rng, 0.3 if rng.random() < 0.6 else 1.0)
    mix = 0.1 * _noise(rng, size, 4, 4)
    if kind == "wood":
        long, across = rng.uniform(2, 8), rng.uniform(30, 200)
        rings = np.sin(6 * _noise(rng, size, rng.uniform(2, 5), rng.uniform(5, 14)) * np.float32(rng.uniform(1, 4)))
        mix = 0.3 * _noise(rng, size, long, across) + 0.2 * _noise(rng, size, 3 * long, size / 2) + 0.3 * rings
        mix *= np.float32(rng.uniform(0.3, 1))
    elif kind == "cloth":
        grain = rng.uniform(60, size / 1.5)
        mix = np.float32(rng.uniform(0.15, 0.6)) * _noise(rng, size, grain, grain) + 0.2 * _noise(rng, size, 6, 6)
    elif kind == "weave":
        grain = rng.uniform(60, size / 2.5)
        mix = (_noise(rng, size, grain, grain * rng.uniform(0.4, 1)) > rng.uniform(-0.5, 1)).astype(np.float32)
    elif kind == "knots":
        # Loops of yarn of two or more shades, row by row.
        across = int(rng.uniform(30, 220))
        shades = rng.choice(rng.uniform(0, 1, rng.integers(2, 5)), (int(across * rng.uniform(0.5, 1.5)), across))
        loops = cv2.resize(shades.astype(np.float32), (size, size), interpolation=cv2.INTER_NEAREST)
        soft = cv2.GaussianBlur(loops, (0, 0), rng.uniform(0.5, 0.3 * size / across + 0.5))
        mix = soft.astype(np.float32) + np.float32(rng.uniform(0, 0.2)) * _noise(rng, size, size / 2, size / 2)
    elif kind == "dots":
        step, fill = rng.uniform(size / 90, size / 12), rng.uniform(0.15, 0.45)
        place = (np.arange(size, dtype=np.float32) / np.float32(step)) % 1 - 0.5
        mix = np.clip((fill - np.hypot(place[:, None], place[None])) * step, 0, 1).astype(np.float32)
    elif kind == "checks":
        steps = np.floor(np.arange(size) / rng.uniform(size / 40, size / 6)).astype(np.float32)
        mix = (steps[:, None] + steps[None]) % 2 + 0.1 * _noise(rng, size, 20, 200)
    elif kind == "plaid":
        # Stripes along and across, each way with a width and a step of its own.
        bands = [np.zeros(size, np.float32), np.zeros(size, np.float32)]
        for band in bands:
            for _ in range(rng.integers(1, 4)):
                step, share = rng.uniform(size / 60, size / 8), rng.uniform(0.08, 0.5)
                band += np.float32(rng.uniform(0.2, 0.7)) * (np.arange(size) / step % 1 < share)
        mix = bands[0][:, None] + bands[1][None] * np.float32(rng.choice([0.0, 1.0]))
        mix = mix * (1 + 0.2 * _noise(rng, size, size / 3, size / 3))
    elif kind == "print":
        # Flowers, paws, spots of a leopard: groups of blots that come again and again.
        mix = np.zeros((size, size), np.float32)
        blots = [
            (*rng.normal(0, 0.3, 2), rng.uniform(0.05, 0.25), rng.uniform(0.4, 1)) for _ in range(rng.integers(2, 9))
        ]
        step = rng.uniform(size / 40, size / 10)
        for row in range(int(size / step) + 1):
            for column in range(int(size / step) + 1):
                here = (np.array([column + 0.5 * (row % 2), row]) + rng.normal(0, 0.05, 2)) * step
                for x, y, radius, shade in blots:
                    spot = np.round(here + np.array([x, y]) * step).astype(int).tolist()
                    cv2.circle(mix, spot, max(1, round(radius * step)), shade, -1, cv2.LINE_AA)
    elif kind == "stains":
        for octave in range(1, 8):
            mix += _noise(rng, size, 2**octave, 2**octave) / np.float32(2 ** rng.uniform(1, 3))
    amount = np.clip(mix + middle, 0, 1)[..., None]
    return np.ascontiguousarray(np.clip(base * (1 - amount) + other * amount, 0.005, 1), np.float32)


_SIGNS = list("ABCDEHKMORSXaegiko0123456789:.%&;=#*")


def _write(
    rng: np.random.Generator, table: Floats, at: tuple[float, float], height: float, ink: Floats, signs: int
) -> None:
    """A few printed signs, at an angle."""
    side = int(height * (signs + 2))
    if side < 4:
        return
    mask = np.zeros((side, side), np.uint8)
    text = "".join(rng.choice(_SIGNS, signs))
    scale = height / 24
    thick = max(1, round(scale * rng.uniform(1, 4)))
    cv2.putText(mask, text, (int(height * 0.5), side // 2), int(rng.integers(0, 8)), scale, 255, thick, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.choice([0, 90, rng.uniform(0, 360)])), 1)
    mask = np.asarray(cv2.warpAffine(mask, turn, (side, side)), np.uint8)
    x, y = int(at[0]), int(at[1])
    part = table[y : y + side, x : x + side]
    share = mask[: part.shape[0], : part.shape[1], None] / np.float32(255)
    part += (ink - part) * share


def _keys(rng: np.random.Generator, table: Floats, at: tuple[int, int], step: float) -> None:
    """Keys or buttons in rows, with signs on them."""
    plate, key, sign = (
        _color(rng, 0.3),
        _color(rng, 0.3) * np.float32(rng.choice([0.2, 1.0])),
        _color(rng, 0.2),
    )
    columns, rows = int(rng.integers(2, 13)), int(rng.integers(1, 6))
    end = (int(at[0] + columns * step), int(at[1] + rows * step))
    cv2.rectangle(table, at, end, plate.tolist(), -1)
    share = rng.uniform(0.7, 0.95)
    for row in range(rows):
        for column in range(columns):
            x, y = at[0] + (column + 0.25 * row) * step, at[1] + row * step
            cv2.rectangle(
                table,
                (round(x), round(y)),
                (round(x + step * share), round(y + step * share)),
                key.tolist(),
                -1,
            )
            if x >= 0 and y >= 0 and x < table.shape[1] and y < table.shape[0]:
                _write(rng, table, (x, y), step * rng.uniform(0.2, 0.4), sign, int(rng.integers(1, 3)))


def _round_things(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """Buttons with two or four holes, screws, sockets, studs: discs with marks in them."""
    plate, mark = _color(rng, 0.5).tolist(), (_color(rng, 0.3) * np.float32(0.3)).tolist()
    radius, kind, turn = side * rng.uniform(0.2, 0.8), rng.integers(4), rng.uniform(0, math.pi)
    for k in range(rng.integers(1, 7)):
        x, y = at[0] + k * radius * rng.uniform(1.8, 4), at[1] + rng.normal() * radius
        middle = (round(x), round(y))
        cv2.circle(table, middle, max(1, round(radius)), plate, -1, cv2.LINE_AA)
        if kind == 0:
            cv2.circle(table, middle, max(1, round(radius * 0.75)), mark, 1, cv2.LINE_AA)
        holes = 4 if kind == 1 else 2
        for hole in range(holes):
            angle = turn + hole * 2 * math.pi / holes
            spot = (round(x + radius * 0.4 * math.cos(angle)), round(y + radius * 0.4 * math.sin(angle)))
            if kind < 2:
                cv2.circle(table, spot, max(1, round(radius * 0.17)), mark, -1, cv2.LINE_AA)
            elif kind == 2:
                cv2.line(table, middle, spot, mark, max(1, round(radius * 0.2)), cv2.LINE_AA)


def _dominoes(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """Flat stones twice as long as wide, with a bar between two counts of pips."""
    body = rng.uniform(0.6, 0.95) if rng.random() < 0.6 else 0.05
    ink = [0.05] * 3 if body > 0.5 else [0.85] * 3
    for _ in range(rng.integers(1, 4)):
        wide, turn = side * rng.uniform(0.8, 1.6), rng.choice([0, math.pi / 2, rng.uniform(0, math.pi)])
        x, y = at[0] + rng.normal() * side * 2, at[1] + rng.normal() * side * 2
        along = np.array([math.cos(turn), math.sin(turn)])
        across = np.array([-along[1], along[0]])
        box = cv2.boxPoints(((x, y), (2 * wide, wide), math.degrees(turn)))
        cv2.fillConvexPoly(table, box.astype(np.int32), [body] * 3, cv2.LINE_AA)
        ends = [np.round(np.array([x, y]) + k * 0.42 * wide * across).astype(int).tolist() for k in (-1, 1)]
        cv2.line(table, ends[0], ends[1], ink, max(1, round(wide * 0.04)), cv2.LINE_AA)
        for half in (-0.5, 0.5):
            for u, v in _LAYOUTS[int(rng.integers(0, 7))]:
                spot = np.array([x, y]) + (half * wide + u * 0.26 * wide) * along + v * 0.26 * wide * across
                cv2.circle(
                    table, np.round(spot).astype(int).tolist(), max(1, round(wide * 0.085)), ink, -1, cv2.LINE_AA
                )


def _board(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """A board of squares, ruled or not, with holes, pegs, discs or letters: nearly dice, but flat and too many."""
    plates = [_color(rng, 0.7) for _ in range(rng.integers(1, 4))]
    ink, line = _color(rng, 0.7), plates[0] * np.float32(rng.uniform(0.2, 0.8))
    columns, rows = (int(n) for n in rng.integers(3, 4 if rng.random() < 0.3 else 9, 2))
    step = side * (rng.uniform(0.25, 0.45) if rng.random() < 0.25 else rng.uniform(0.5, 1.6))
    radius, turn = step * rng.uniform(0.06, 0.42), float(rng.choice([0.0, rng.uniform(0, math.pi)]))
    along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    lit, ruled = rng.normal(0, 0.3, 2) * radius, rng.random() < 0.7
    pegged, lettered = rng.choice([0.0, 0.5, 1.0]), rng.random() < 0.25
    for column in range(columns):
        for row in range(rows):
            u, v = (column - (columns - 1) / 2) * step, (row - (rows - 1) / 2) * step
            spot = np.array(at) + u * along + v * across
            plate = plates[rng.integers(len(plates))]
            box = cv2.boxPoints((spot.tolist(), (step, step), math.degrees(turn))).astype(np.int32)
            cv2.fillConvexPoly(table, box, plate.tolist(), cv2.LINE_AA)
            if ruled:
                cv2.polylines(table, [box], True, line.tolist(), max(1, round(step * 0.04)), cv2.LINE_AA)
            peg = rng.random() < pegged
            shades = (ink * np.float32(0.6), ink) if peg else (plate * np.float32(0.4), plate * np.float32(0.15))
            for shade, part, off in ((shades[0], 1.0, 0.0), (shades[1], 0.75, 1.0)):
                middle = np.round(spot + off * lit).astype(int).tolist()
                cv2.circle(table, middle, max(1, round(radius * part)), shade.tolist(), -1, cv2.LINE_AA)
            if lettered and peg and (spot > step).all():
                corner = spot - radius * 1.5
                _write(rng, table, (corner[0], corner[1]), radius, plate, 1)


def _code(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """A printed code for cameras: black and white cells in a frame, at any angle."""
    cells = int(rng.choice([4, 5, 6, 7, int(rng.integers(8, 22))]))
    code = np.zeros((cells + 4, cells + 4), np.float32)
    code[[0, -1]] = code[:, [0, -1]] = 1
    code[2:-2, 2:-2] = rng.random((cells, cells)) < 0.5
    black, white = rng.uniform(0.01, 0.15), rng.uniform(0.5, 0.95)
    wide = side * rng.uniform(0.6, 2)
    turn, scale = rng.uniform(0, 2 * math.pi), wide / (cells + 4)
    c, s = scale * math.cos(turn), scale * math.sin(turn)
    move = np.array([[c, -s, at[0]], [s, c, at[1]]], np.float32)
    size = table.shape[1::-1]
    there = cv2.warpAffine(np.ones_like(code), move, size, flags=cv2.INTER_NEAREST)[..., None]
    drawn = cv2.warpAffine(black + (white - black) * code, move, size, flags=cv2.INTER_NEAREST)[..., None]
    table += (drawn - table) * there


def _odd_tiles(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """Flat tiles of a die's size with signs, rings or spots as no die has them."""
    plate, ink = _color(rng, 0.5), _color(rng, 0.5) * np.float32(rng.choice([0.15, 1.0]))
    for k in range(rng.integers(1, 5)):
        wide, turn = side * rng.uniform(0.7, 1.4), rng.uniform(0, 180)
        x, y = at[0] + k * side * rng.uniform(1.2, 2.5), at[1] + rng.normal() * side
        box = cv2.boxPoints(((x, y), (wide, wide * rng.uniform(0.6, 1.2)), turn))
        cv2.fillConvexPoly(table, box.astype(np.int32), plate.tolist(), cv2.LINE_AA)
        kind = rng.integers(3)
        if kind == 0 and x > wide and y > wide:
            _write(rng, table, (x - wide * 0.7, y - wide * 0.7), wide * rng.uniform(0.4, 0.8), ink, 1)
        elif kind == 1:
            for part in rng.uniform(0.15, 0.42, rng.integers(1, 4)):
                cv2.circle(
                    table, (round(x), round(y)), max(2, round(wide * part)), ink.tolist(), max(1, round(wide * 0.05))
                )
        elif kind == 2:
            # Seven or more spots round a ring.
            spots = int(rng.integers(7, 11))
            for spot in range(spots):
                angle = 2 * math.pi * spot / spots + turn
                place = (round(x + 0.34 * wide * math.cos(angle)), round(y + 0.34 * wide * math.sin(angle)))
                cv2.circle(table, place, max(1, round(wide * 0.06)), ink.tolist(), -1, cv2.LINE_AA)


def _ladybirds(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """Round backs with spots on either side of a line, as beetles, buttons of a toy, painted stones."""
    back, ink = _color(rng), (_color(rng, 0.3) * np.float32(rng.choice([0.1, 1.0]))).tolist()
    for _ in range(rng.integers(1, 4)):
        long, turn = side * rng.uniform(0.4, 1.1), rng.uniform(0, 2 * math.pi)
        middle = np.array(at) + rng.normal(0, 1.5, 2) * side
        along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
        cv2.ellipse(table, (middle.tolist(), (long, long * 0.8), math.degrees(turn)), back.tolist(), -1, cv2.LINE_AA)
        head = np.round(middle + 0.5 * long * along).astype(int).tolist()
        cv2.circle(table, head, max(1, round(long * 0.16)), ink, -1, cv2.LINE_AA)
        ends = [np.round(middle + k * 0.48 * long * along).astype(int).tolist() for k in (-1, 1)]
        cv2.line(table, ends[0], ends[1], ink, max(1, round(long * 0.04)), cv2.LINE_AA)
        for _ in range(rng.integers(1, 5)):
            u, v = rng.uniform(-0.35, 0.3), rng.uniform(0.12, 0.3)
            for way in (-1, 1):
                spot = np.round(middle + long * (u * along + way * v * across)).astype(int).tolist()
                cv2.circle(table, spot, max(1, round(long * 0.07)), ink, -1, cv2.LINE_AA)


def _bricks(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """Toy bricks: studs in rows that are of the brick's own color, lit from one side."""
    turn, lit = rng.uniform(0, 2 * math.pi), rng.normal(0, 0.12, 2)
    along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    for k in range(rng.integers(1, 4)):
        body, step = _color(rng), side * rng.uniform(0.3, 0.7)
        columns, rows = (int(n) for n in rng.choice([1, 2, 2, 3, 4], 2))
        middle = np.array(at) + 3 * k * side * along + rng.normal(0, 1, 2) * side
        box = cv2.boxPoints((middle.tolist(), (columns * step, rows * step), math.degrees(turn))).astype(np.int32)
        cv2.fillConvexPoly(table, box, body.tolist(), cv2.LINE_AA)
        for column in range(columns):
            for row in range(rows):
                spot = middle + (column - (columns - 1) / 2) * step * along + (row - (rows - 1) / 2) * step * across
                for shade, off in ((0.5, 1.0), (1.15, 0.0)):
                    place = np.round(spot + off * lit * step).astype(int).tolist()
                    tone = np.clip(body * np.float32(shade), 0, 1).tolist()
                    cv2.circle(table, place, max(1, round(step * 0.3)), tone, -1, cv2.LINE_AA)


def _playing_cards(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """White cards with signs in two or three columns: hearts and diamonds look like pips from afar."""
    ink = [0.05, 0.05, 0.6] if rng.random() < 0.5 else [0.05] * 3
    for k in range(rng.integers(1, 4)):
        wide, turn = side * rng.uniform(1.2, 4), rng.uniform(0, math.pi)
        along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
        middle = np.array(at) + rng.normal(0, 2, 2) * side + k * wide * 0.4 * along
        box = cv2.boxPoints((middle.tolist(), (wide, 1.45 * wide), math.degrees(turn))).astype(np.int32)
        cv2.fillConvexPoly(table, box, [float(rng.uniform(0.7, 0.95))] * 3, cv2.LINE_AA)
        sign = 0.09 * wide
        for row in np.linspace(-0.5, 0.5, int(rng.integers(1, 5))):
            for column in (-0.22, 0.22) if rng.random() < 0.8 else (-0.22, 0.0, 0.22):
                spot = middle + wide * (column * along + row * across)
                if rng.random() < 0.5:
                    rhomb = cv2.boxPoints((spot.tolist(), (1.4 * sign, 1.4 * sign), math.degrees(turn) + 45))
                    cv2.fillConvexPoly(table, rhomb.astype(np.int32), ink, cv2.LINE_AA)
                else:
                    for way in (-1, 1):
                        lobe = np.round(spot + way * 0.4 * sign * along).astype(int).tolist()
                        cv2.circle(table, lobe, max(1, round(0.5 * sign)), ink, -1, cv2.LINE_AA)


# What lies about, and how often.
_CLUTTER = {
    "card": 0.06,
    "writing": 0.06,
    "coin": 0.06,
    "keys": 0.1,
    "dots": 0.07,
    "crumbs": 0.04,
    "cable": 0.04,
    "label": 0.06,
    "ladybirds": 0.04,
    "bricks": 0.04,
    "playing cards": 0.03,
    "tile": 0.06,
    "round things": 0.06,
    "dominoes": 0.05,
    "cup": 0.04,
    "board": 0.09,
    "odd tiles": 0.05,
    "code": 0.05,
}


def _clutter(rng: np.random.Generator, table: Floats, side: float) -> None:
    """Flat things on the table, none of them a die; `side` is a die's in pixels."""
    size = table.shape[0]
    for _ in range(rng.integers(1, 10)):
        shade = _color(rng, float(rng.choice([0.1, 1.0])))
        ink = shade.tolist()
        # The camera sees the middle third of the texture, more of it at low angles.
        x, y = int(rng.uniform(0.25, 0.68) * size), int(rng.uniform(0.25, 0.68) * size)
        kind = rng.choice(list(_CLUTTER), p=list(_CLUTTER.values()))
        if kind == "card":
            long, wide = side * rng.uniform(0.3, 9), side * rng.uniform(0.3, 9)
            box = cv2.boxPoints(((x, y), (long, wide), rng.uniform(0, 180)))
            cv2.fillConvexPoly(table, box.astype(np.int32), ink, cv2.LINE_AA)
        elif kind == "writing":
            _write(rng, table, (x, y), side * rng.uniform(0.3, 2), shade, int(rng.integers(1, 9)))
        elif kind == "coin":
            # A coin, button or bead: a disc, a rim, a light spot.
            radius = side * rng.uniform(0.1, 1.2)
            cv2.circle(table, (x, y), max(1, round(radius)), ink, -1, cv2.LINE_AA)
            cv2.circle(table, (x, y), max(1, round(radius * rng.uniform(0.2, 0.95))), ink[::-1], 2, cv2.LINE_AA)
            spot = (round(x - radius * 0.3), round(y - radius * 0.3))
            cv2.circle(table, spot, max(1, round(radius * 0.2)), (0.9, 0.9, 0.9), -1, cv2.LINE_AA)
        elif kind == "keys":
            _keys(rng, table, (x, y), side * rng.uniform(0.4, 1.3))
        elif kind == "dots":
            # Dots in a grid or loose: like pips, but on no die.
            radius, step, loose = (
                side * rng.uniform(0.05, 0.2),
                side * rng.uniform(0.22, 0.9),
                rng.choice([0, 0.5]),
            )
            for i in range(rng.integers(1, 11)):
                for j in range(rng.integers(1, 6)):
                    at = (x + (i + loose * rng.normal()) * step, y + (j + loose * rng.normal()) * step)
                    cv2.circle(table, (round(at[0]), round(at[1])), max(1, round(radius)), ink, -1, cv2.LINE_AA)
        elif kind == "crumbs":
            for _ in range(rng.integers(2, 30)):
                at = (x + rng.normal() * side * 3, y + rng.normal() * side * 3)
                radius = max(1, round(side * rng.uniform(0.03, 0.15)))
                cv2.circle(table, (round(at[0]), round(at[1])), radius, ink, -1, cv2.LINE_AA)
        elif kind == "cable":
            turns = np.cumsum(rng.normal(0, side, (30, 2)), 0) + np.array([x, y])
            smooth = cv2.GaussianBlur(turns.astype(np.float32), (1, 9), 2).astype(np.int32)
            wide = max(1, round(side * rng.uniform(0.05, 0.5)))
            cv2.polylines(table, [smooth], False, ink, wide, cv2.LINE_AA)
        elif kind == "label":
            # A label: a plate with lines of writing.
            lines, height = int(rng.integers(1, 6)), side * rng.uniform(0.15, 0.6)
            end = (int(x + height * rng.uniform(3, 12)), int(y + height * 1.4 * lines))
            cv2.rectangle(table, (x, y), end, _color(rng, 0.2).tolist(), -1)
            for line in range(lines):
                at = (x, y + (1.4 * line - 2) * height)
                if at[1] > 0:
                    _write(rng, table, at, height, shade, int(rng.integers(2, 12)))
        elif kind == "round things":
            _round_things(rng, table, (x, y), side)
        elif kind == "dominoes":
            _dominoes(rng, table, (x, y), side)
        elif kind == "board":
            _board(rng, table, (x, y), side)
        elif kind == "odd tiles":
            _odd_tiles(rng, table, (x, y), side)
        elif kind == "code":
            _code(rng, table, (x, y), side)
        elif kind == "ladybirds":
            _ladybirds(rng, table, (x, y), side)
        elif kind == "bricks":
            _bricks(rng, table, (x, y), side)
        elif kind == "playing cards":
            _playing_cards(rng, table, (x, y), side)
        elif kind == "cup":
            # A cup or a plate from above.
            radius = side * rng.uniform(0.6, 4)
            for part in sorted(rng.uniform(0.3, 1, 3), reverse=True):
                cv2.circle(table, (x, y), max(1, round(radius * part)), _color(rng, 0.5).tolist(), -1, cv2.LINE_AA)
        else:
            # A plain tile, or a die's likeness without pips.
            box = cv2.boxPoints(((x, y), (side, side * rng.uniform(0.7, 1.3)), rng.uniform(0, 180)))
            cv2.fillConvexPoly(table, box.astype(np.int32), ink, cv2.LINE_AA)


def _grain(rng: np.random.Generator) -> tuple[float, ...]:
    """Bands through a die: how strong, across which way (longer is finer), and how wavering."""
    way = rng.standard_normal(3)
    way *= np.exp(rng.uniform(1.2, 4.2)) / np.linalg.norm(way)
    return (float(rng.uniform(0.05, 0.35)), *way.tolist(), float(rng.uniform(0, 3)))


def _make(rng: np.random.Generator) -> dict[str, object]:
    """What dice of one make have in common."""
    look = rng.choice(["pale", "dark", "any"], p=[0.45, 0.15, 0.4])
    white = np.ones(3, np.float32)
    if look == "pale":
        tint = np.array([rng.uniform(0.7, 1), rng.uniform(0.92, 1), 1], np.float32)
        body = tint * np.float32(rng.uniform(0.55, 0.95))
        pips = _color(rng, float(rng.choice([0.1, 1.0]))) * np.float32(0.25)
    elif look == "dark":
        body = _color(rng) * np.float32(0.12)
        pips = white * np.float32(rng.uniform(0.5, 0.95))
    else:
        body = _color(rng)
        light = float(body @ np.array([0.1, 0.6, 0.3], np.float32))
        pale_pips = light < 0.25 or (light < 0.5 and rng.random() < 0.6)
        pips = white * np.float32(rng.uniform(0.7, 0.98)) if pale_pips else _color(rng, 0.3) * np.float32(0.12)
        if rng.random() < 0.3:
            # Pips of any color that stands out.
            other = _color(rng)
            apart = float(other @ np.array([0.1, 0.6, 0.3], np.float32)) - light
            pips = other if abs(apart) > 0.3 else pips
    ace = np.array([0.05, 0.05, 0.7], np.float32) if rng.random() < 0.15 and look == "pale" else pips
    radius = rng.uniform(0.06, 0.12)
    spread = rng.uniform(max(0.19, radius * 1.9), 0.3)
    # On many dice the two rows of the six stand closer together than the four's, and are longer; pips never touch.
    six = (max(spread, 2.2 * radius), spread)
    if rng.random() < 0.65:
        long = max(rng.uniform(0.22, 0.32), 2.25 * radius)
        six = (long, max(rng.uniform(0.45, 0.85) * long, 1.2 * radius))
    gloss = rng.choice([0.0, rng.uniform(0, 0.9)])
    return {
        "body": body,
        "pips": pips,
        "ace": ace,
        "pip_radius": radius,
        "ace_radius": min(0.26, radius * (rng.uniform(1, 2.5) if rng.random() < 0.25 else 1)),
        "spread": spread,
        "stretch": tuple(rng.uniform(0.88, 1.12, 7).tolist()) if rng.random() < 0.5 else (1.0,) * 7,
        "six": six,
        "sunk": rng.choice([0.0, rng.uniform(0.2, 1.2)]),
        "rounding": rng.uniform(0.02, 0.22),
        "ball": rng.choice([1.0, rng.uniform(0.66, 0.8)]),
        "gloss": gloss,
        "sharpness": float(np.exp(rng.uniform(1.5, 5.5))),
        "clear": rng.uniform(0.2, 0.75) if rng.random() < 0.15 else 0.0,
        "speckle": rng.uniform(0, 0.3) if rng.random() < 0.12 else 0.0,
        "grain": _grain(rng) if rng.random() < 0.15 else (0.0,) * 5,
        # Marble and pearl: two colors stirred together.
        "swirl": (*_grain(rng)[1:], *_color(rng).tolist()) if rng.random() < 0.12 else (0.0,) * 7,
        # Pips that are rings, with the die's own color inside: how wide that is.
        "ring": rng.uniform(0.25, 0.6) if rng.random() < 0.05 else 0.0,
        # What a glossy face mirrors: a wall, a window, the sky.
        "sheen": tuple((gloss * rng.uniform(0, 0.35, 6) * (rng.random(6) < 0.4)).tolist()),
        "four_as_ace": bool(rng.random() < 0.5),
    }


def _throw(rng: np.random.Generator, count: int, reach: float) -> list[Cube]:
    """Dice lying on the table, apart, in a heap side by side, or in a row; never one inside another."""
    makes = [_make(rng) for _ in range(1 if rng.random() < 0.6 else 3)]
    crowd = rng.random() < 0.35
    cubes: list[Cube] = []
    for _ in range(count * 6):
        if len(cubes) == count:
            break
        yaw = rng.uniform(0, 2 * math.pi)
        x, y = rng.uniform(-reach, reach, 2).tolist()
        if crowd and cubes:
            near = cubes[rng.integers(len(cubes))]
            if rng.random() < 0.5:
                yaw, apart = near.yaw, rng.uniform(1.0, 1.1)
                way = near.yaw + int(rng.integers(4)) * math.pi / 2
                slide = float(rng.choice([0.0, rng.uniform(-0.5, 0.5)]))
                x = near.place[0] + apart * math.cos(way) - slide * math.sin(way)
                y = near.place[1] + apart * math.sin(way) + slide * math.cos(way)
            else:
                way, apart = rng.uniform(0, 2 * math.pi), rng.uniform(1.05, 1.8)
                x, y = near.place[0] + apart * math.cos(way), near.place[1] + apart * math.sin(way)
        mine = ((x, y), (0.99, 0.99), math.degrees(yaw))
        if any(cv2.rotatedRectangleIntersection(mine, (c.place, (0.99, 0.99), math.degrees(c.yaw)))[0] for c in cubes):
            continue
        pairs = rng.permutation([1, 2, 3])
        blank = rng.random() < 0.05
        values = [0] * 6 if blank else [v for p in pairs for v in ((p, 7 - p) if rng.random() < 0.5 else (7 - p, p))]
        turned = rng.random(6) < 0.5
        make = makes[rng.integers(len(makes))]
        cubes.append(
            Cube((float(x), float(y)), float(yaw), tuple(map(int, values)), tuple(map(bool, turned)), **make)  # type: ignore[arg-type]
        )
    return cubes


def _aim(rng: np.random.Generator, size: int, side: float) -> Camera:
    """A camera that sees a die in the middle `side` pixels wide, from straight above to very low."""
    tilt = math.radians(rng.choice([rng.uniform(0, 25), rng.uniform(15, 55), rng.uniform(45, 68)], p=[0.4, 0.45, 0.15]))
    # A tilted camera is held upright, one that looks straight down is held any way round.
    roll = rng.uniform(-math.pi, math.pi) if tilt < 0.4 else rng.normal(0, 0.12)
    away = float(np.exp(rng.uniform(math.log(3.8), math.log(50))))
    around = rng.uniform(0, 2 * math.pi)
    back = np.array([math.sin(tilt) * math.cos(around), math.sin(tilt) * math.sin(around), math.cos(tilt)])
    forward = -back
    right = np.array([-math.sin(around), math.cos(around), 0])
    down = np.cross(forward, right)
    turn_right = math.cos(roll) * right + math.sin(roll) * down
    turn_down = -math.sin(roll) * right + math.cos(roll) * down
    rotation = np.stack([turn_right, turn_down, forward]).astype(np.float32)
    return Camera(rotation, (back * away).astype(np.float32), side * away, (size / 2, size / 2))


def _surface(cube: Cube, start: Floats, ways: Floats) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Where rays (in the cube's own axes) meet it: hit or not, distance, place."""
    # Axis by axis: numpy is slow over a last axis of three.
    lines = [(start[k], np.ascontiguousarray(ways[..., k])) for k in range(3)]
    near = np.full(ways.shape[:-1], -np.inf, np.float32)
    far = np.full(ways.shape[:-1], np.inf, np.float32)
    for begin, way in lines:
        way = np.where(np.abs(way) < 1e-7, np.float32(1e-7), way)
        one, two = (np.float32(-0.5) - begin) / way, (np.float32(0.5) - begin) / way
        near = np.maximum(near, np.minimum(one, two))
        far = np.minimum(far, np.maximum(one, two))
    hit = near < far
    on_box = np.nonzero(hit)
    lines = [(begin, way[on_box]) for begin, way in lines]
    along, end = near[on_box], far[on_box]
    gap = np.zeros_like(along)
    for _ in range(9):
        x, y, z = (begin + way * along for begin, way in lines)
        a, b, c = (np.abs(v) - np.float32(0.5 - cube.rounding) for v in (x, y, z))
        outside = np.sqrt(np.maximum(a, 0) ** 2 + np.maximum(b, 0) ** 2 + np.maximum(c, 0) ** 2)
        gap = outside + np.minimum(np.maximum(np.maximum(a, b), c), 0) - np.float32(cube.rounding)
        if cube.ball < 0.9:
            gap = np.maximum(gap, np.sqrt(x * x + y * y + z * z) - np.float32(cube.ball))
        along = along + gap
    hit[on_box] = (gap < 0.015) & (along < end + 0.01)
    reach = np.zeros_like(near)
    reach[on_box] = along
    return hit, reach, start + ways * reach[..., None]


def _faces(cube: Cube, place: Floats, rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Color, normal (cube's axes) and face index (0–5) of places on its surface."""
    q = np.maximum(np.abs(place) - (0.5 - cube.rounding), 1e-6) * np.sign(place)
    normal = q / np.linalg.norm(q, axis=-1, keepdims=True)
    if cube.ball < 0.9:
        distance = np.linalg.norm(place, axis=-1)
        blend = np.clip((distance - cube.ball + 0.02) / 0.02, 0, 1)[..., None]
        normal = normal * (1 - blend) + place / np.maximum(distance, 1e-6)[..., None] * blend
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    axis = np.abs(place).argmax(-1)
    face = axis * 2 + (np.take_along_axis(place, axis[..., None], -1)[..., 0] < 0)
    color = np.broadcast_to(cube.body, place.shape).copy()
    if cube.speckle:
        color *= 1 + cube.speckle * rng.standard_normal((*place.shape[:-1], 1)).astype(np.float32)
    if cube.grain[0]:
        # Wood, marble or swirled resin: bands across the cube that waver from side to side.
        strength, x, y, z, waver = cube.grain
        depth = place @ np.array([x, y, z], np.float32)
        bands = np.sin(depth + waver * np.sin(place[..., 0] * 5 + place[..., 1] * 4 - place[..., 2] * 6))
        color *= (1 + strength * bands)[..., None]
    if any(cube.swirl):
        x, y, z, waver, *other = cube.swirl
        way = np.array([x, y, z], np.float32) / 3
        stirred = np.sin(
            place @ way + (1 + waver) * np.sin(place @ way[[1, 2, 0]] + 3 * np.sin(place @ way[[2, 0, 1]]))
        )
        # Pips stand out from the body as it was chosen: the other color keeps its brightness.
        light = float(cube.body.mean()) / max(float(np.mean(other)), 0.05)
        second = np.clip(np.array(other, np.float32) * np.float32(min(light, 2.0)), 0, 1)
        color += (second - color) * np.clip(0.5 + stirred, 0, 1)[..., None] * np.float32(0.8)
    for index in range(6):
        here = face == index
        if not here.any() or not cube.values[index]:
            continue
        others = [k for k in range(3) if k != index // 2]
        uv = place[here][:, others]
        radius = cube.ace_radius if cube.values[index] == 1 else cube.pip_radius
        special = cube.values[index] == 1 or (cube.four_as_ace and cube.values[index] == 4)
        ink = cube.ace if special else cube.pips
        offset = uv[:, None] - cube.pip_places(index)[None]
        apart = np.linalg.norm(offset, axis=-1)
        which = apart.argmin(-1)
        apart = np.take_along_axis(apart, which[:, None], 1)[:, 0]
        offset = np.take_along_axis(offset, which[:, None, None], 1)[:, 0]
        inside = np.clip((radius - apart) / 0.02 + 0.5, 0, 1)[:, None].astype(np.float32)
        if cube.ring:
            inside *= np.clip((apart - cube.ring * radius) / 0.02 + 0.5, 0, 1)[:, None].astype(np.float32)
        color[here] = color[here] * (1 - inside) + ink * inside
        lean = normal[here]
        lean[:, others] -= cube.sunk * inside * offset / radius
        normal[here] = lean / np.linalg.norm(lean, axis=-1, keepdims=True)
    return color.astype(np.float32), normal.astype(np.float32), face


def _turn(cube: Cube) -> Floats:
    c, s = math.cos(cube.yaw), math.sin(cube.yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)


def _corners(cube: Cube, height: float, half: float = 0.5) -> Floats:
    flat = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32) * np.float32(half)
    return np.asarray(flat @ _turn(cube).T + np.array([*cube.place, height]), np.float32)


@dataclass(frozen=True)
class Lamps:
    """Where light comes from (towards the lamp, strength) and how much comes from everywhere."""

    ways: tuple[tuple[Floats, float], ...]
    ambient: float


def _hang_lamps(rng: np.random.Generator) -> Lamps:
    ways = []
    for strength in (rng.uniform(0.3, 1.0), rng.uniform(0, 0.4)):
        height, around = rng.uniform(0.35, 1.5), rng.uniform(0, 2 * math.pi)
        flat = math.cos(height)
        way = np.array([flat * math.cos(around), flat * math.sin(around), math.sin(height)], np.float32)
        ways.append((way, float(strength)))
    return Lamps(tuple(ways), float(rng.uniform(0.25, 0.7)))


def _table_top(rng: np.random.Generator, camera: Camera, size: int, side: float, tidy: bool) -> Floats:
    """The table as the camera sees it, evenly lit: a texture laid on the plane z = 0."""
    pixels, wide = 640, max(12.0, 1.6 * size / side)
    table = _table(rng, pixels)
    if not tidy and rng.random() < 0.75:
        _clutter(rng, table, pixels / (2 * wide))
    # Mapped through points near the dice: at low angles the texture's own corners can lie behind the camera.
    near = np.array([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], np.float32)
    on_texture = ((near[:, :2] + wide) * (pixels / (2 * wide))).astype(np.float32)
    warp = cv2.getPerspectiveTransform(on_texture, camera.project(near))
    seen = cv2.warpPerspective(table, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, np.float32)


def _fill(mask: Floats, outline: Floats) -> None:
    cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), (1.0,), cv2.LINE_AA, 4)


def _light_on_table(
    rng: np.random.Generator, camera: Camera, cubes: list[Cube], lamps: Lamps, size: int, side: float
) -> Floats:
    """How much light reaches the table at each pixel: shadows of the dice, and of things out of view."""
    light = np.full((size, size), lamps.ambient, np.float32)
    soft = max(0.5, side * rng.uniform(0.02, 0.35))
    for way, strength in lamps.ways:
        mask = np.zeros((size, size), np.float32)
        for cube in cubes:
            fallen = (_corners(cube, 0.92, 0.44) - way / way[2] * 0.92).astype(np.float32)
            both = camera.project(np.concatenate([_corners(cube, 0, 0.44), fallen]))
            _fill(mask, np.asarray(cv2.convexHull(both), np.float32))
        light += (1 - cv2.GaussianBlur(mask, (0, 0), soft)) * np.float32(strength * way[2])
    contact = np.zeros((size, size), np.float32)
    for cube in cubes:
        _fill(contact, camera.project(_corners(cube, 0, 0.46)))
    light -= np.float32(0.35 * lamps.ambient) * cv2.GaussianBlur(contact, (0, 0), max(0.6, side * 0.12))
    light = np.maximum(light, np.float32(0.03))
    if rng.random() < 0.3:
        # The photographer's own shadow, or a window's edge.
        blot = np.clip(_noise(rng, size, 3, 3) * np.float32(rng.uniform(1, 6)), 0, 1)
        light = light * (1 - blot * np.float32(rng.uniform(0.1, 0.6)))
    return light


def _shine_on_table(rng: np.random.Generator, size: int, side: float) -> Floats:
    """A lamp mirrored in the table."""
    x, y = rng.uniform(0, size, 2)
    yy, xx = np.mgrid[:size, :size].astype(np.float32)
    spot = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * (side * rng.uniform(0.5, 3)) ** 2))
    return np.asarray(spot * rng.choice([rng.uniform(0.1, 0.8), rng.uniform(0.8, 3)], p=[0.7, 0.3]), np.float32)[
        ..., None
    ]


def _fall_off(rng: np.random.Generator, size: int) -> Floats:
    """Less light to one side, towards the corners, or behind the edge of a shadow, on table and dice alike."""
    place = np.linspace(-1, 1, size, dtype=np.float32)
    share = np.ones((size, size), np.float32)
    if rng.random() < 0.5:
        x, y = rng.normal(0, 0.3, 2)
        share *= np.clip(1 + x * place[None] + y * place[:, None], 0.25, 2).astype(np.float32)
    if rng.random() < 0.3:
        share *= 1 - np.float32(rng.uniform(0, 0.3)) * (place[None] ** 2 + place[:, None] ** 2)
    if rng.random() < 0.2:
        angle, edge, soft = rng.uniform(0, 2 * math.pi), rng.normal(0, 0.4), rng.uniform(2, 60)
        depth = place[None] * math.cos(angle) + place[:, None] * math.sin(angle) - edge
        share *= 1 - np.float32(rng.uniform(0.2, 0.75)) * np.clip(depth * soft, 0, 1).astype(np.float32)
    return share


def _shallow(rng: np.random.Generator, image: Floats, side: float) -> Floats:
    """A camera near its dice: sharp in a band across the middle, less and less so above and below it."""
    place = np.abs(np.linspace(-1, 1, image.shape[0], dtype=np.float32) - np.float32(rng.normal(0, 0.2)))
    far = np.clip((place - np.float32(rng.uniform(0.1, 0.4))) * np.float32(rng.uniform(1, 4)), 0, 1)[:, None, None]
    blurred = cv2.GaussianBlur(image, (0, 0), side * rng.uniform(0.03, 0.12))
    return np.asarray(image * (1 - far) + blurred * far, np.float32)


def _paint(
    rng: np.random.Generator, canvas: Floats, depth: Floats, camera: Camera, cube: Cube, lamps: Lamps
) -> tuple[slice, slice, NDArray[np.bool_]] | None:
    """Draw a die on a canvas of twice the camera's resolution; answers where its upper face was drawn."""
    outline = camera.project(np.concatenate([_corners(cube, 0), _corners(cube, 1)])) * 2
    limit = np.array(canvas.shape[1::-1])
    x0, y0 = np.clip(np.floor(outline.min(0)).astype(int) - 1, 0, limit)
    x1, y1 = np.clip(np.ceil(outline.max(0)).astype(int) + 2, 0, limit)
    if x0 >= x1 or y0 >= y1:
        return None
    yy, xx = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    ways = camera.rays((xx + 0.5) / 2, (yy + 0.5) / 2)
    turn = _turn(cube)
    start = ((camera.place - np.array([*cube.place, 0.5], np.float32)) @ turn).astype(np.float32)
    hit, distance, place = _surface(cube, start, (ways @ turn).astype(np.float32))
    part, near = canvas[y0:y1, x0:x1], depth[y0:y1, x0:x1]
    hit &= distance < near
    color, local, face = _faces(cube, place[hit], rng)
    normal, eye = local @ turn.T, -ways[hit]
    light = lamps.ambient * (0.75 + 0.25 * normal[:, 2])
    shine = np.zeros_like(light)
    for way, strength in lamps.ways:
        light += strength * np.maximum(normal @ way, 0)
        half = way + eye
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        shine += strength * np.maximum((normal * half).sum(-1), 0) ** cube.sharpness
    lit = color * light[:, None] + (cube.gloss * shine + np.array(cube.sheen, np.float32)[face])[:, None]
    if cube.clear:
        pip = np.abs(color - cube.body).sum(-1, keepdims=True) > 0.15
        through = part[hit] * cube.clear * (0.3 + 0.7 * cube.body)
        lit = np.where(pip, lit, lit * (1 - cube.clear) + through)
    part[hit] = lit
    near[hit] = distance[hit]
    upper = hit.copy()
    upper[hit] = face == 4
    return slice(y0, y1), slice(x0, x1), upper


def _label(camera: Camera, cube: Cube, size: int, drawn: int, left: int) -> Label:
    """The label of a die whose upper face took `drawn` fine pixels, of which `left` were not painted over."""
    quad = camera.project(_corners(cube, 1))
    flat = np.pad(cube.pip_places(4), ((0, 0), (0, 1)), constant_values=1)
    pips = camera.project((flat @ _turn(cube).T + np.array([*cube.place, 0])).astype(np.float32))
    inside = bool(((pips > 2) & (pips < size - 2)).all())
    # Rounded edges take up to a quarter of the face; what is missing beyond that was hidden from the start.
    whole = max(cv2.contourArea(quad) * 4 * 0.75, drawn, 1)
    return Label(cube.values[4], quad, pips, min(1.0, left / whole) if inside else 0.0)


def render(
    rng: np.random.Generator, size: int = 320, side: float | None = None, dice: int | None = None, tidy: bool = False
) -> Scene:
    """A square picture with dice about `side` pixels wide; on a tidy table lies nothing else, in good light."""
    if side is None:
        side = float(np.exp(rng.uniform(math.log(15), math.log(64))))
    if dice is None:
        dice = int(rng.choice([0, 1, 2, 3, 5, 8, 12], p=[0.15, 0.14, 0.17, 0.18, 0.19, 0.09, 0.08]))
    camera, lamps = _aim(rng, size, side), _hang_lamps(rng)
    cubes = _throw(rng, dice, min(size / side * 0.42, 6.0) if dice > 1 else min(1.5, size / side / 3))
    image = _table_top(rng, camera, size, side, tidy)
    image *= _light_on_table(rng, camera, cubes, lamps, size, side)[..., None]
    if rng.random() < 0.3:
        # Grain and weave break a lamp's image up.
        image += _shine_on_table(rng, size, side) * (1 if rng.random() < 0.5 else np.clip(3 * image, 0, 1.5))

    canvas = np.asarray(cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR), np.float32)
    depth = np.full(canvas.shape[:2], np.inf, np.float32)
    owner = np.full(canvas.shape[:2], -1, np.int32)
    drawn = [0] * len(cubes)
    for index, cube in enumerate(cubes):
        before = depth.copy()
        painted = _paint(rng, canvas, depth, camera, cube, lamps)
        owner[depth < before] = -1
        if painted:
            rows, columns, upper = painted
            owner[rows, columns][upper] = index
            drawn[index] = int(upper.sum())
    labels = [
        _label(camera, cube, size, drawn[index], int((owner == index).sum()))
        for index, cube in enumerate(cubes)
        if cube.values[4] and drawn[index]
    ]
    image = np.asarray(cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA), np.float32)
    if rng.random() < 0.2:
        image = _shallow(rng, image, side)
    image *= _fall_off(rng, size)[..., None]
    if not tidy and rng.random() < 0.1:
        # A lamp or a window shines into the lens.
        image += np.float32(rng.uniform(0.02, 0.3)) * np.float32(np.quantile(image, 0.9))
    # Nearly always as a camera exposes; now and then far too dark, or burnt out.
    exposed = rng.choice(
        [rng.uniform(0.35, 1.15), rng.uniform(0.08, 0.35), rng.uniform(1.15, 2.2)],
        p=[1, 0, 0] if tidy else [0.8, 0.08, 0.12],
    )
    bright = exposed / max(float(np.quantile(image, 0.97)), 0.05)
    shown = np.clip(image * bright, 0, 1) ** (1 / rng.uniform(1.4, 2.4)) * 255
    return Scene(np.round(shown).astype(np.uint8), labels)


def spoil(rng: np.random.Generator, picture: Picture, side: float = 36.0) -> Picture:
    """What cameras do to a picture of dice `side` pixels wide: color cast, exposure, blur, noise, JPEG."""
    image: NDArray[Any] = picture.astype(np.float32)
    if rng.random() < 0.8:
        image *= rng.uniform(0.8, 1.2, 3).astype(np.float32) * rng.uniform(0.7, 1.15)
    if rng.random() < 0.5:
        image = 255 * (np.clip(image, 0, 255) / 255) ** rng.uniform(0.7, 1.4)
    if rng.random() < 0.3:
        gray = image @ np.array([0.114, 0.587, 0.299], np.float32)
        image += (gray[..., None] - image) * rng.uniform(-0.4, 1.0)
    if rng.random() < 0.5:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, max(1.0, 0.045 * side)))
    if rng.random() < 0.15:
        # Out of focus: every point becomes a disc.
        across = 2 * max(1, round(side * rng.uniform(0.02, 0.09))) + 1
        disc = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across)), np.float32)
        image = cv2.filter2D(image, -1, disc / disc.sum())
    if rng.random() < 0.22:
        long = max(2, round(side * rng.uniform(0.05, 0.28)))
        kernel = np.zeros((long, long), np.float32)
        cv2.line(kernel, (0, int(rng.integers(long))), (long - 1, int(rng.integers(long))), 1)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    if rng.random() < 0.25:
        image += rng.uniform(0.3, 1.5) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    if rng.random() < 0.5:
        image += rng.standard_normal(image.shape, np.float32) * np.float32(rng.uniform(1, 12))
    result: Picture = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        done, data = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        result = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8) if done else result
    return result
