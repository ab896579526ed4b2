"""Tables for pictures of dice, and what lies about on them: everything that is no die, and much that looks like one."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes import PIPS

Floats = NDArray[np.float32]

# By value; a blank cube is no die. The rows of a six run along the first axis.
PIP_LAYOUTS = ((), *(PIPS[face] for face in ("1", "2:ne", "3:ne", "4", "5", "6:ew")))


def noise(rng: np.random.Generator, size: int, cells_x: float, cells_y: float) -> Floats:
    """Smooth noise around 0 with roughly the given number of bumps along each side."""
    coarse = rng.standard_normal((max(2, round(cells_y)), max(2, round(cells_x)))).astype(np.float32)
    smooth: Floats = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    return smooth


def any_color(rng: np.random.Generator, saturation: float = 1.0) -> Floats:
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
        shade = any_color(rng, hues).tolist()
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
    return np.clip(heap * (1 + 0.15 * noise(rng, size, 8, 8))[..., None], 0.005, 1).astype(np.float32)


def draw_table(rng: np.random.Generator, size: int) -> Floats:
    """A square piece of table top, seen from straight above."""
    base = any_color(rng, float(rng.choice([0.2, 0.6, 1.0])))
    other = np.clip(base * rng.uniform(0.4, 1.6) + rng.uniform(-0.1, 0.1, 3), 0, 1).astype(np.float32)
    kinds = ["plain", "wood", "cloth", "weave", "knots", "dots", "checks", "plaid", "print", "stains", "heap"]
    kind = rng.choice(kinds, p=[0.15, 0.18, 0.12, 0.08, 0.1, 0.05, 0.05, 0.04, 0.05, 0.1, 0.08])
    if kind == "heap":
        return _heap(rng, size)
    middle = np.float32(0.5)
    if kind in {"weave", "knots", "dots", "checks", "plaid", "print"}:
        middle, other = np.float32(0), any_color(rng, 0.3 if rng.random() < 0.6 else 1.0)
    mix = 0.1 * noise(rng, size, 4, 4)
    if kind == "wood":
        long, across = rng.uniform(2, 8), rng.uniform(30, 200)
        rings = np.sin(6 * noise(rng, size, rng.uniform(2, 5), rng.uniform(5, 14)) * np.float32(rng.uniform(1, 4)))
        mix = 0.3 * noise(rng, size, long, across) + 0.2 * noise(rng, size, 3 * long, size / 2) + 0.3 * rings
        mix *= np.float32(rng.uniform(0.3, 1))
    elif kind == "cloth":
        grain = rng.uniform(60, size / 1.5)
        mix = np.float32(rng.uniform(0.15, 0.6)) * noise(rng, size, grain, grain) + 0.2 * noise(rng, size, 6, 6)
    elif kind == "weave":
        grain = rng.uniform(60, size / 2.5)
        mix = (noise(rng, size, grain, grain * rng.uniform(0.4, 1)) > rng.uniform(-0.5, 1)).astype(np.float32)
    elif kind == "knots":
        # Loops of yarn of two or more shades, row by row.
        across = int(rng.uniform(30, 220))
        shades = rng.choice(rng.uniform(0, 1, rng.integers(2, 5)), (int(across * rng.uniform(0.5, 1.5)), across))
        loops = cv2.resize(shades.astype(np.float32), (size, size), interpolation=cv2.INTER_NEAREST)
        soft = cv2.GaussianBlur(loops, (0, 0), rng.uniform(0.5, 0.3 * size / across + 0.5))
        mix = soft.astype(np.float32) + np.float32(rng.uniform(0, 0.2)) * noise(rng, size, size / 2, size / 2)
    elif kind == "dots":
        step, fill = rng.uniform(size / 90, size / 12), rng.uniform(0.15, 0.45)
        place = (np.arange(size, dtype=np.float32) / np.float32(step)) % 1 - 0.5
        mix = np.clip((fill - np.hypot(place[:, None], place[None])) * step, 0, 1).astype(np.float32)
    elif kind == "checks":
        steps = np.floor(np.arange(size) / rng.uniform(size / 40, size / 6)).astype(np.float32)
        mix = (steps[:, None] + steps[None]) % 2 + 0.1 * noise(rng, size, 20, 200)
    elif kind == "plaid":
        # Stripes along and across, each way with a width and a step of its own.
        bands = [np.zeros(size, np.float32), np.zeros(size, np.float32)]
        for band in bands:
            for _ in range(rng.integers(1, 4)):
                step, share = rng.uniform(size / 60, size / 8), rng.uniform(0.08, 0.5)
                band += np.float32(rng.uniform(0.2, 0.7)) * (np.arange(size) / step % 1 < share)
        mix = bands[0][:, None] + bands[1][None] * np.float32(rng.choice([0.0, 1.0]))
        mix = mix * (1 + 0.2 * noise(rng, size, size / 3, size / 3))
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
            mix += noise(rng, size, 2**octave, 2**octave) / np.float32(2 ** rng.uniform(1, 3))
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
        any_color(rng, 0.3),
        any_color(rng, 0.3) * np.float32(rng.choice([0.2, 1.0])),
        any_color(rng, 0.2),
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
    plate, mark = any_color(rng, 0.5).tolist(), (any_color(rng, 0.3) * np.float32(0.3)).tolist()
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
            for u, v in PIP_LAYOUTS[int(rng.integers(0, 7))]:
                spot = np.array([x, y]) + (half * wide + u * 0.26 * wide) * along + v * 0.26 * wide * across
                cv2.circle(
                    table, np.round(spot).astype(int).tolist(), max(1, round(wide * 0.085)), ink, -1, cv2.LINE_AA
                )


def _board(rng: np.random.Generator, table: Floats, at: tuple[int, int], side: float) -> None:
    """A board of squares, ruled or not, with holes, pegs, discs or letters: nearly dice, but flat and too many."""
    plates = [any_color(rng, 0.7) for _ in range(rng.integers(1, 4))]
    ink, line = any_color(rng, 0.7), plates[0] * np.float32(rng.uniform(0.2, 0.8))
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
    plate, ink = any_color(rng, 0.5), any_color(rng, 0.5) * np.float32(rng.choice([0.15, 1.0]))
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
    back, ink = any_color(rng), (any_color(rng, 0.3) * np.float32(rng.choice([0.1, 1.0]))).tolist()
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
        body, step = any_color(rng), side * rng.uniform(0.3, 0.7)
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


def draw_clutter(rng: np.random.Generator, table: Floats, side: float) -> None:
    """Flat things on the table, none of them a die; `side` is a die's in pixels."""
    size = table.shape[0]
    for _ in range(rng.integers(1, 10)):
        shade = any_color(rng, float(rng.choice([0.1, 1.0])))
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
            cv2.rectangle(table, (x, y), end, any_color(rng, 0.2).tolist(), -1)
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
                cv2.circle(table, (x, y), max(1, round(radius * part)), any_color(rng, 0.5).tolist(), -1, cv2.LINE_AA)
        else:
            # A plain tile, or a die's likeness without pips.
            box = cv2.boxPoints(((x, y), (side, side * rng.uniform(0.7, 1.3)), rng.uniform(0, 180)))
            cv2.fillConvexPoly(table, box.astype(np.int32), ink, cv2.LINE_AA)
