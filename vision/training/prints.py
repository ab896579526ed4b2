"""What makers print on the tiles of Trippples, made up anew whenever a blank tile is met in training.

Nobody knows how arrows will be drawn that were not seen yet, and a picture for every way of drawing them would take
too long. So tiles are drawn, or path-traced, without their print, and get another one each time: shafts that are
straight, bent, broken, hollow or missing; heads that are full, open, notched, round or many; dots and symbols. Ink
darkens what it lies on, so the light, the shadows and the noise of the picture stay, and what is in the way hides it.
"""

from __future__ import annotations

import colorsys
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.codes import DIRECTIONS, TILE_KINDS, TRIPLES
from vision.fields import Field
from vision.patches import Cut, map_to_picture
from vision.pose import Pose
from vision.simulate.style import Rng

Array = npt.NDArray[Any]

ARROWS, SYMBOLS = 0, range(1, 5)  # of the kinds of tiles
FINE = 4  # prints are drawn so many times finer than patches, and then averaged
SYMBOL, FRAME, HAND = 0.1, 0.08, 0.25  # shares: symbols of all prints, with a line around, drawn by hand
HOLLOW = 0.12  # of the arrows are outlines only
STEPS = np.linspace(0, 1, 14)
HALF = 0.48  # of a tile's side
KEYS = ("blank", "where", "pixels", "covered")  # what is known of each cell to print on it


def places(field: Field, pose: Pose, shaken: Pose, cut: Cut, true: Cut, side: int) -> Array:
    """Where each tile's top lies in the patches of its cell, one affine map (cells east and north of the middle to
    pixels) per plane; the patches were cut by a pose and by heights that err."""
    top = pose.plane_to_picture(field.surface + true.heights[0], 0.0)
    margin = max(0.0, (side / cut.ppu - 1) / 2) + 2 / cut.ppu
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]])
    known = np.concatenate([corners, np.ones((4, 1))], axis=1)
    found = np.empty((field.rows * field.columns, len(cut.heights), 2, 3), np.float32)
    for k, above in enumerate(cut.heights):
        to_sheet = np.linalg.inv(map_to_picture(shaken, field.surface + above, cut.ppu, margin, 1.0)) @ top
        for row in range(field.rows):
            y = round((field.rows - row - 0.5 + margin) * cut.ppu - side / 2)
            for column in range(field.columns):
                x = round((column + 0.5 + margin) * cut.ppu - side / 2)
                here = corners + np.array([column + 0.5, row + 0.5])
                seen = cv2.perspectiveTransform(here[None], to_sheet)[0] - np.array([x, y])
                found[row * field.columns + column, k] = np.linalg.lstsq(known, seen, rcond=None)[0].T
    return found


def print_on(patches: Array, labels: dict[str, Array], rng: Rng) -> dict[str, Array]:
    """Prints on all blank tiles of a batch, in place; the labels that come of it."""
    printed = {key: values.copy() for key, values in labels.items() if key not in KEYS}
    for n in np.flatnonzero(labels["blank"]):
        hidden = bool(printed["kind"][n] < 0)
        kind = int(rng.choice(SYMBOLS)) if rng.random() < SYMBOL else ARROWS
        triple = TRIPLES[int(rng.integers(len(TRIPLES)))].split("-")
        sheet = _Sheet(patches.shape[-1], labels["where"][n], rng)
        if kind == ARROWS:
            _arrows(sheet, triple, rng)
        else:
            _symbol(sheet, TILE_KINDS[kind], rng)
        _dot(sheet, rng)
        sheet.onto(patches[n], labels["covered"][n], float(labels["pixels"][n]))
        if not hidden:
            printed["kind"][n] = kind
            printed["arrows"][n] = sum(1 << DIRECTIONS.index(d) for d in triple) if kind == ARROWS else -1
            printed["dot"][n] = 0 if kind == ARROWS else -1
    return printed


class _Sheet:
    """Inks on one tile, each as how much of every pixel it covers."""

    def __init__(self, side: int, where: Array, rng: Rng) -> None:
        self.side, self.where, self.rng = side, where.astype(np.float64), rng
        slip, turn = rng.normal(0, 0.008, 2), rng.normal(0, 0.02)  # nothing is printed quite in the middle
        c, s = np.cos(turn), np.sin(turn)
        print_to_tile = np.array([[c, -s, slip[0]], [s, c, slip[1]], [0, 0, 1]])
        self.to_fine = np.array([[FINE, 0, (FINE - 1) / 2], [0, FINE, (FINE - 1) / 2]]) @ (
            np.concatenate([self.where[0], [[0, 0, 1]]]) @ print_to_tile
        )
        self.inks: list[tuple[Array, Array]] = []

    def empty(self) -> Array:
        return np.zeros((self.side * FINE, self.side * FINE), np.uint8)

    def fill(self, canvas: Array, outline: Array, value: int = 255) -> None:
        pixels = outline @ self.to_fine[:, :2].T + self.to_fine[:, 2]
        cv2.fillPoly(canvas, [np.round(pixels * 16).astype(np.int32)], value, shift=4)

    def ink(self, canvas: Array, color: Array) -> None:
        small = cv2.resize(canvas, (self.side, self.side), interpolation=cv2.INTER_AREA)
        self.inks.append((small.astype(np.float32) / 255, color.astype(np.float32)))

    def onto(self, patch: Array, covered: Array, pixels: float) -> None:
        """`pixels` is how large a cell was in the picture: the smaller, the less sharp."""
        first = np.concatenate([self.where[0], [[0, 0, 1]]])
        blur = float(self.rng.uniform(0.25, 1.3)) * 30 / pixels
        along, turn = float(self.rng.uniform(1, 3)) if self.rng.random() < 0.3 else 1.0, self.rng.random() < 0.5
        spread = (blur * along, blur) if turn else (blur, blur * along)
        halo = float(self.rng.uniform(0.3, 1.5)) if self.rng.random() < 0.25 else 0.0
        for plane, seen in enumerate(covered):
            moved = (np.concatenate([self.where[plane], [[0, 0, 1]]]) @ np.linalg.inv(first))[:2]
            shown = slice(3 * plane, 3 * plane + 3)
            left: Array = np.ones((self.side, self.side, 3), np.float32)
            for share, color in self.inks:
                there = share if plane == 0 else cv2.warpAffine(share, moved, (self.side, self.side))
                left *= 1 - there[..., None] * (1 - color)
            left = cv2.GaussianBlur(left, (0, 0), spread[0], sigmaY=spread[1])
            if halo:
                left = left + halo * (left - cv2.GaussianBlur(left, (0, 0), 1.2))
            left = np.clip(left, 0.03, 1.3).transpose(2, 0, 1)
            bare = 1 - seen.astype(np.float32) / 255
            patch[shown] = np.clip(patch[shown] * (1 - bare * (1 - left)), 0, 255)


def _color(rng: Rng, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]) -> Array:
    """What is left of blue, green and red."""
    r, g, b = colorsys.hsv_to_rgb(rng.uniform(*hue) % 360 / 360, rng.uniform(*saturation), rng.uniform(*value))
    return np.array([b, g, r])


def _arrows(sheet: _Sheet, triple: list[str], rng: Rng) -> None:
    ink = _color(rng, (0, 360), (0, 0.3), (0.1, 0.45))
    if rng.random() < 0.2:
        ink = _color(rng, (0, 360), (0.2, 0.8), (0.2, 0.6))
    canvas, maker = sheet.empty(), _Maker(rng)
    for direction in triple:
        maker.draw(sheet, canvas, np.radians(90.0 - 45.0 * DIRECTIONS.index(direction)))
    if maker.hollow:
        thick = max(1, round(FINE * 30 * maker.line))
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * thick + 1, 2 * thick + 1))
        canvas = cv2.subtract(canvas, cv2.erode(canvas, disc))
    if maker.hub:
        sheet.fill(canvas, _round(np.zeros(2), maker.hub, maker.hub_corners, float(rng.uniform(0, 6.3))))
        if rng.random() < 0.25:
            sheet.fill(canvas, _round(np.zeros(2), maker.hub * 0.6, maker.hub_corners, 0.0), 0)
    if rng.random() < FRAME:
        inset, line = float(rng.uniform(0.36, 0.46)), float(rng.uniform(0.006, 0.02))
        frame = sheet.empty()
        sheet.fill(frame, _box(inset))
        sheet.fill(frame, _box(inset - line), 0)
        canvas = cv2.max(canvas, frame)
    sheet.ink(canvas, ink)


class _Maker:
    """One way of drawing arrows."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.reach = float(rng.uniform(0.29, 0.47))
        self.start = float(rng.uniform(0, 0.13)) if rng.random() < 0.4 else 0.0
        self.width = float(rng.uniform(0.025, 0.13))
        self.ends = np.exp(rng.normal(0, 0.45, 2)) if rng.random() < 0.4 else np.ones(2)  # thicker here than there
        self.swell = float(rng.uniform(-0.4, 0.6)) if rng.random() < 0.2 else 0.0
        self.shaft = str(rng.choice(["full"] * 11 + ["dashed", "dotted", "double", "none"]))
        self.head = str(
            rng.choice(["point"] * 5 + ["barbs"] * 4 + ["notched", "kite", "round", "many", "half", "open"])
        )
        self.long = float(rng.uniform(0.08, 0.24))
        self.wide = max(float(rng.uniform(0.3, 1.0)) * self.long, 0.75 * self.width)
        if self.shaft == "none":  # then the head must say it all
            self.head, self.long = str(rng.choice(["point", "barbs", "notched", "many"])), float(rng.uniform(0.14, 0.3))
        self.line = float(rng.uniform(0.012, 0.03))
        self.hollow = bool(self.shaft == "full" and self.head in ("point", "kite", "notched") and rng.random() < HOLLOW)
        if self.hollow:
            self.width = max(self.width, 3.5 * self.line)
        self.hub = float(rng.uniform(0.03, 0.13)) if rng.random() < 0.4 else 0.0
        self.hub_corners = int(rng.choice([4, 6, 24, 24, 24]))
        self.bend = float(rng.uniform(0.04, 0.34)) if rng.random() < 0.6 else 0.0
        self.sides_alike = bool(rng.random() < 0.6)  # all arrows bend the same way
        self.course = str(rng.choice(["bow", "hook", "wave", "elbow", "steps", "any"]))
        self.bent_at = float(rng.uniform(0.25, 0.7))
        self.bows = rng.normal(0, 1, 3) / np.array([1, 1.6, 2.5])
        self.follows = bool(rng.random() < 0.7)  # the head points where the shaft goes, or straight outwards
        self.wobble = float(rng.uniform(0.003, 0.012)) if rng.random() < HAND else 0.0
        self.careless = float(rng.uniform(0.01, 0.07)) if self.wobble else 0.0

    def draw(self, sheet: _Sheet, canvas: Array, angle: float) -> None:
        rng = self.rng
        turned = angle + rng.normal(0, self.careless)
        reach = self.reach * (1 + rng.normal(0, self.careless))
        side = 1.0 if self.sides_alike else float(rng.choice([-1, 1]))
        path = self._path(reach, side)
        ahead = path[-1] - path[-4] if self.follows else np.array([1.0, 0.0])
        ahead = ahead / max(float(np.hypot(*ahead)), 1e-6)
        c, s = np.cos(turned), np.sin(turned)
        spin = np.array([[c, s], [-s, c]])  # of rows

        def fill(outline: Array) -> None:
            sheet.fill(canvas, outline @ spin)

        self._shaft(path, fill)
        self._head(path[-1], ahead, fill)

    def _path(self, reach: float, side: float) -> Array:
        t = STEPS
        stray = {
            "bow": 4 * t * (1 - t),
            "hook": 0.6 * t * t,
            "wave": np.sin(2 * np.pi * t),
            "elbow": np.minimum(t / self.bent_at, (1 - t) / (1 - self.bent_at)),
            "steps": np.clip((t - self.bent_at) * 12, 0, 1) - t,
            "any": sum(b * np.sin(np.pi * (k + 1) * t) for k, b in enumerate(self.bows)),
        }[self.course]
        across = side * self.bend * reach * stray + self.wobble * np.cumsum(self.rng.normal(0, 0.6, len(t)))
        return np.stack([self.start + (reach - self.start) * t, across - across[0]], axis=1)

    def _shaft(self, path: Array, fill: Any) -> None:
        if self.shaft == "none":
            return
        # The head hides the shaft's end; an open one lets it run through.
        short = {"barbs": 0.1, "half": 0.1, "many": 0.1, "round": 0.5}.get(self.head, 0.8) * self.long
        length = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
        until = max(length[-1] - short, 0.3 * length[-1])
        along = np.linspace(0, until, len(path))
        line = np.stack([np.interp(along, length, path[:, k]) for k in (0, 1)], axis=1)
        share = along / until
        half = 0.5 * self.width * (self.ends[0] + (self.ends[1] - self.ends[0]) * share)
        half = np.clip(half * (1 + self.swell * np.sin(np.pi * share)), 0.009, 0.11)
        if self.shaft == "dotted":
            for at in np.arange(0, until, 2.2 * self.width + 0.02):
                fill(_round(np.array([np.interp(at, along, line[:, k]) for k in (0, 1)]), 0.6 * self.width + 0.008, 10))
        elif self.shaft == "dashed":
            for first in range(0, len(line) - 2, 4):
                fill(_ribbon(line[first : first + 3], half[first : first + 3]))
        elif self.shaft == "double":
            ways = np.gradient(line, axis=0)
            ways = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / np.maximum(np.hypot(*ways.T), 1e-6)[:, None]
            for apart in (-1, 1):
                fill(_ribbon(line + apart * (half[:, None] + 0.008) * ways, np.full(len(line), self.line)))
        else:
            fill(_ribbon(line, half))

    def _head(self, tip: Array, ahead: Array, fill: Any) -> None:
        left = np.array([-ahead[1], ahead[0]])
        back, out = tip - ahead * self.long, left * self.wide
        thick = np.full(2, max(0.42 * self.width, 0.011))
        if self.head == "round":
            fill(_round(tip - ahead * self.long / 2, max(0.45 * self.long, 0.7 * self.width), 16))
        elif self.head == "kite":
            middle = tip - ahead * 0.55 * self.long
            fill(np.array([tip, middle + out, back, middle - out]))
        elif self.head == "notched":
            fill(np.array([tip, back + out, tip - ahead * 0.55 * self.long, back - out]))
        elif self.head == "open":
            for a, b in ((tip, back + out), (tip, back - out), (back + out, back - out)):
                fill(_ribbon(np.array([a, b]), np.full(2, 0.013)))
        elif self.head in ("barbs", "many", "half"):
            for n in range(2 if self.head == "many" else 1):
                at = -ahead * 0.5 * self.long * n
                for side in (1,) if self.head == "half" else (1, -1):
                    fill(_ribbon(np.array([tip + at, back + at + side * out]), thick))
        else:
            fill(np.array([tip, back + out, back - out]))


def _symbol(sheet: _Sheet, name: str, rng: Rng) -> None:
    size, line = float(rng.uniform(0.2, 0.4)), float(rng.uniform(0.03, 0.11))
    corners = 4 if name.endswith("square") else 28

    def shape(by: float) -> Array:
        return _box(by) if corners == 4 else _round(np.zeros(2), by * 1.1, corners)

    canvas = sheet.empty()
    sheet.fill(canvas, shape(size))
    if name.startswith("start"):
        sheet.fill(canvas, shape(max(size - line, 0.05)), 0)
    sheet.ink(canvas, _color(rng, (92, 170), (0.4, 1.0), (0.25, 0.85)))


def _dot(sheet: _Sheet, rng: Rng) -> None:
    radius = float(rng.uniform(0.024, 0.072))
    away = HALF - radius - 0.01 - float(rng.uniform(0, 0.05))
    at = np.array([rng.normal(0, 0.01), -away])
    canvas = sheet.empty()
    sheet.fill(canvas, _round(at, radius, int(rng.choice([4, 3, 20, 20, 20, 20])), float(rng.uniform(0, 6.3))))
    sheet.ink(canvas, _color(rng, (-15, 14), (0.55, 1.0), (0.5, 0.98)))


def _box(half: float) -> Array:
    return np.array([[-half, -half], [half, -half], [half, half], [-half, half]])


def _round(middle: Array, radius: float, corners: int, turn: float = 0.0) -> Array:
    angles = turn + 2 * np.pi * np.arange(corners) / corners
    return np.asarray(middle + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))


def _ribbon(line: Array, half: Array) -> Array:
    """The outline of a stroke along a line, of a width that changes."""
    ways = np.gradient(line, axis=0)
    across = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / np.maximum(np.hypot(*ways.T), 1e-9)[:, None]
    return np.concatenate([line + across * half[:, None], (line - across * half[:, None])[::-1]])
