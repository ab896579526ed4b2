"""A table as a height field: how high everything is, seen from above, with its colors.

Everything on the table (plates, caps, pegs, dice, cards, tokens) is a height over the mat, so one map of
heights and one of colors hold the whole scene, and shadows and parallax come out right for any camera.
Only clear pawns and hands are kept apart: one looks through the former, the latter hover.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.fields import MARKER_MARGIN, MARKER_SIDE, Field
from vision.simulate.style import Color, Rng, Style

Map = npt.NDArray[np.floating[Any]]
Window = tuple[slice, slice]  # rows and columns

REACH = 3.2  # how far around the field the scene goes, in cells
MAT_EDGE = 1.9
MAPS = ("height", "ground", "albedo", "side", "gloss", "blocked", "die_at", "glass", "glass_tint")


@dataclass
class Die:
    x: float
    y: float
    turn: float
    base: float
    side: float
    red: bool
    faces: tuple[int, int, int, int]  # west, east, south, north; 0 is the King's


@dataclass
class Scene:
    """Maps with north up: row 0 is the northmost. `ppu` is the number of map pixels per cell."""

    field: Field
    ppu: float
    west: float  # of the maps' edges, in cells
    north: float
    height: Map
    ground: Map  # the bare table's colors
    albedo: Map
    side: Map  # this and what follows in few bytes: tables are held for long, and three at a time
    gloss: Map
    blocked: npt.NDArray[np.uint8]  # 1 where something that is no part of the position stands
    die_at: npt.NDArray[np.uint8]  # which of the dice, from 1 on
    dice: list[Die] = dataclasses.field(default_factory=list)
    glass: Map | None = None  # height of clear pawns, 0 elsewhere
    glass_tint: Map | None = None
    glass_glow: Map | None = None

    def crop(self, window: Window) -> Scene:
        """The same scene, but only this part of its maps."""
        rows, columns = window
        return dataclasses.replace(
            self,
            west=self.west + columns.start / self.ppu,
            north=self.north - rows.start / self.ppu,
            **{name: map_[window] for name in MAPS if (map_ := getattr(self, name)) is not None},
        )

    def bare_copy(self) -> Scene:
        """A scene on which pieces can be laid without changing this one."""
        laid = ("height", "albedo", "side", "gloss", "die_at")
        return dataclasses.replace(self, dice=list(self.dice), **{name: getattr(self, name).copy() for name in laid})

    def patch(self, x: float, y: float, reach: float, turn: float = 0.0) -> Patch:
        """The part of the maps around a point, with coordinates relative to it, turned by `turn` degrees."""
        column, row = (x - self.west) * self.ppu, (self.north - y) * self.ppu
        r = reach * self.ppu + 2
        high, wide = self.height.shape
        left, right = max(0, int(column - r)), min(wide, int(column + r) + 1)
        top, bottom = max(0, int(row - r)), min(high, int(row + r) + 1)
        u = ((np.arange(left, max(right, left)) + 0.5 - column) / self.ppu)[None, :]
        v = ((row - np.arange(top, max(bottom, top)) - 0.5) / self.ppu)[:, None]
        a = np.radians(turn)
        c, s = float(np.cos(a)), float(np.sin(a))
        window = (slice(top, max(bottom, top)), slice(left, max(right, left)))
        return Patch(self, window, (u * c + v * s).astype(np.float32), (-u * s + v * c).astype(np.float32))


@dataclass
class Patch:
    """A window of the scene with local coordinates u (east) and v (north) before turning."""

    scene: Scene
    window: Window
    u: Map
    v: Map

    def cover(self, distance: Map) -> Map:
        """How much of each map pixel lies inside a shape, given its signed distance."""
        return np.asarray(np.clip(0.5 - distance * self.scene.ppu, 0, 1), dtype=np.float32)

    def paint(self, distance: Map, color: Color | Map, strength: float = 1.0, gloss: float | None = None) -> None:
        """Color inside a shape, without height."""
        share = self.cover(distance)[..., None] * strength
        left, top, w, h = cv2.boundingRect((share > 0).astype(np.uint8))
        part = (slice(top, top + h), slice(left, left + w))  # most shapes are far smaller than their patch
        share = share[part]
        view = self.scene.albedo[self.window][part]
        colors = np.asarray(color, dtype=np.float32)
        view += ((colors if colors.ndim < 3 else colors[part]) - view) * share
        if gloss is not None:
            shine = self.scene.gloss[self.window][part]
            shine += (gloss - shine) * share[..., 0]

    def raise_(
        self,
        distance: Map,
        top: float | Map,
        color: Color | Map,
        side: Color | None = None,
        gloss: float = 0.0,
        bevel: float = 0.0,
    ) -> None:
        """A body with the outline of a shape, up to `top`, its edge rounded by `bevel`."""
        self.paint(distance, color, gloss=gloss)
        edge = color if side is None else side
        inside = distance < 0.5 / self.scene.ppu
        wall = distance < 2.5 / self.scene.ppu
        view = self.scene.side[self.window]
        view[wall] = np.asarray(edge, dtype=np.float32) if np.ndim(edge) == 1 else np.asarray(edge)[wall]
        heights = np.broadcast_to(np.asarray(top, dtype=np.float32), distance.shape).copy()
        if bevel > 0:
            near = np.clip((distance + bevel) / bevel, 0, 1)
            heights -= (bevel * (1 - np.sqrt(1 - near**2 * 0.98))).astype(np.float32)
        view_height = self.scene.height[self.window]
        view_height[inside] = heights[inside]

    def ground(self, distance: Map) -> float:
        """The highest thing under a shape."""
        inside = distance < 0
        return float(self.scene.height[self.window][inside].max()) if inside.any() else 0.0


def box(u: Map, v: Map, half_u: float, half_v: float, corner: float = 0.0) -> Map:
    """Signed distance to a rectangle with rounded corners."""
    du, dv = np.abs(u) - (half_u - corner), np.abs(v) - (half_v - corner)
    outside = np.sqrt(np.maximum(du, 0) ** 2 + np.maximum(dv, 0) ** 2)
    return np.asarray(outside + np.minimum(np.maximum(du, dv), 0) - corner, dtype=np.float32)


def disc(u: Map, v: Map, radius: float) -> Map:
    return np.asarray(np.sqrt(u * u + v * v) - radius, dtype=np.float32)


def segment(u: Map, v: Map, a: tuple[float, float], b: tuple[float, float], half: float) -> Map:
    """Signed distance to a stroke from a to b."""
    bu, bv = b[0] - a[0], b[1] - a[1]
    along = np.clip(((u - a[0]) * bu + (v - a[1]) * bv) / max(bu * bu + bv * bv, 1e-9), 0, 1)
    return np.asarray(np.sqrt((u - a[0] - along * bu) ** 2 + (v - a[1] - along * bv) ** 2) - half, dtype=np.float32)


def noise(rng: Rng, shape: tuple[int, int], cells: tuple[float, float], octaves: int = 3) -> Map:
    """Smooth noise around 0, about ±1; `cells` are the sizes of its coarsest waves in map pixels."""
    total = np.zeros(shape, dtype=np.float32)
    for k in range(octaves):
        size = (max(2, int(shape[1] / cells[1] * 2**k) + 2), max(2, int(shape[0] / cells[0] * 2**k) + 2))
        if size[0] > shape[1] * 2 or size[1] > shape[0] * 2:
            break
        coarse = rng.standard_normal((size[1], size[0])).astype(np.float32)
        total += cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC) / 2**k
    return total


def wood(
    rng: Rng,
    shape: tuple[int, int],
    ppu: float,
    kind: str,
    light: Color,
    dark: Color,
    grain: float,
    angle: float,
) -> Map:
    """A wooden surface: a blend of two colors along a grain."""
    if kind == "plain":
        share = 0.25 + 0.1 * noise(rng, shape, (ppu * 2, ppu * 2))
    elif kind == "flecks":
        share = 0.2 + 0.8 * (noise(rng, shape, (ppu * 0.08, ppu * 0.4), 1) > 1.1) * grain
    elif kind == "strips":  # glued from narrow strips, each of its own tone
        rows = np.arange(shape[0], dtype=np.float32) / ppu / float(rng.uniform(0.12, 0.4))
        tones = rng.uniform(0, 0.9, 257).astype(np.float32)[rows.astype(np.int32) % 257]
        share = 0.1 + 0.7 * grain * tones[:, None] + 0.06 * noise(rng, shape, (ppu * 0.1, ppu * 3.0), 2)
    elif kind == "burl":  # grain that runs in circles
        swirl = noise(rng, shape, (ppu * 1.3, ppu * 1.3), 2)
        share = 0.4 + 0.35 * grain * np.sin(swirl * float(rng.uniform(5, 14))).astype(np.float32)
    else:
        side = int(np.hypot(*shape)) + 4
        stretch = {"straight": 9.0, "rings": 5.0, "wavy": 3.0}[kind]
        fine = noise(rng, (side, side), (ppu * 0.16, ppu * stretch), 3)
        broad = noise(rng, (side, side), (ppu * 1.2, ppu * stretch), 2)
        if kind == "rings":
            rows = np.arange(side, dtype=np.float32)[:, None] / ppu
            fine = np.sin(rows * float(rng.uniform(6, 30)) + 3 * broad).astype(np.float32) + 0.4 * fine
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1.0)
        turned = cv2.warpAffine(0.5 * fine + 0.5 * broad, turn, (side, side), borderMode=cv2.BORDER_REFLECT)
        top, left = (side - shape[0]) // 2, (side - shape[1]) // 2
        share = 0.4 + 0.35 * grain * turned[top : top + shape[0], left : left + shape[1]]
    share = np.clip(share, 0, 1)[..., None].astype(np.float32)
    blend = np.asarray(light, dtype=np.float32) * (1 - share) + np.asarray(dark, dtype=np.float32) * share
    return np.asarray(blend, dtype=np.float32)


def table(rng: Rng, shape: tuple[int, int], ppu: float, style: Style) -> Map:
    base = np.asarray(style.table_color, dtype=np.float32)
    rows, columns = (np.arange(n, dtype=np.float32) / ppu for n in shape)
    if style.table == "boards":
        dark = tuple(float(c) * 0.45 for c in style.table_color)
        kind = str(rng.choice(["straight", "rings", "wavy"]))
        return wood(
            rng,
            shape,
            ppu,
            kind,
            style.table_color,
            (dark[0], dark[1], dark[2]),
            0.9,
            float(rng.uniform(0, 180)),
        )
    if style.table == "planed":  # long boards side by side, along the table's longer side
        along = shape[0] > 1.2 * shape[1]
        lying = (shape[1], shape[0]) if along else shape
        deep = (base[0] * 0.5, base[1] * 0.55, base[2] * 0.62)
        grain = wood(rng, lying, ppu, "straight", style.table_color, deep, 0.75, 0.0)
        across = np.arange(lying[0], dtype=np.float32) / ppu / 2.7 + float(rng.uniform(0, 1))
        tones = rng.normal(1.0, 0.07, 16).astype(np.float32)[across.astype(np.int32) % 16]
        joint = np.clip(np.abs(across % 1 - 0.5) * 2.7 - 1.335, 0, None) / 0.015
        grain = grain * (tones * (1 - 0.6 * np.clip(joint, 0, 1)))[:, None, None]
        return np.ascontiguousarray(grain.transpose(1, 0, 2) if along else grain, np.float32)
    if style.table == "weave":
        pitch = float(rng.uniform(20, 60))
        pattern = np.sin(rows * pitch)[:, None] * np.sin(columns * pitch)[None, :] * 0.15
    elif style.table == "stripes":
        pattern = np.sign(np.sin(rows * 5))[:, None] * np.ones((1, shape[1]), np.float32) * 0.25
    elif style.table == "slabs":  # stone, with light joints
        wide = float(rng.uniform(3.0, 7.0))
        joint = np.minimum(np.abs(rows / wide % 1 - 0.5)[:, None], np.abs(columns / wide % 1 - 0.5)[None, :])
        cloudy = 0.12 * noise(rng, shape, (ppu * 1.5, ppu * 1.5), 3)
        pattern = np.where(joint * wide < 0.06, 0.6, cloudy)
    elif style.table == "speckle":
        pattern = noise(rng, shape, (3, 3), 1) * 0.08
    else:
        pattern = noise(rng, shape, (ppu, ppu), 2) * 0.03
    return np.asarray(base * np.clip(1 + pattern, 0.2, 2)[..., None], dtype=np.float32)


def bare_table(rng: Rng, field_: Field, style: Style, ppu: float, *, mat: bool = True, markers: bool = True) -> Scene:
    """Table, mat, markers and the empty field; a board may lie on the table as it is."""
    shape = (round((field_.rows + 2 * REACH) * ppu), round((field_.columns + 2 * REACH) * ppu))
    ground = table(rng, shape, ppu, style)
    scene = Scene(
        field_,
        ppu,
        west=-REACH,
        north=field_.rows + REACH,
        height=np.zeros(shape, np.float32),
        ground=ground,
        albedo=ground.copy(),
        side=np.zeros((*shape, 3), np.float16),
        gloss=np.full(shape, float(rng.uniform(0, 0.35)), np.float16),
        blocked=np.zeros(shape, np.uint8),
        die_at=np.zeros(shape, np.uint8),
    )
    w, h = field_.columns, field_.rows
    whole = scene.patch(w / 2, h / 2, max(w, h) / 2 + REACH + 1)
    edge = box(whole.u, whole.v, w / 2 + MAT_EDGE, h / 2 + MAT_EDGE, 0.3)
    weave = 1 + style.mat_noise * noise(rng, shape, (ppu * 0.1, ppu * 0.1), 1) * 0.5
    weave += style.mat_noise * 0.5 * noise(rng, shape, (ppu, ppu), 2) * 0.3
    if mat:
        whole.paint(edge, np.asarray(style.mat_color, np.float32) * np.clip(weave, 0.3, 2)[..., None], gloss=0.08)
    if markers:
        _markers(scene)
    if field_.name == "seven":
        _wooden_board(rng, scene, style, whole)
    elif field_.name == "faces":
        _checkered_board(rng, scene, style, whole)
    else:
        _outline(scene, style, whole)
    return scene


def _markers(scene: Scene) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in scene.field.markers:
        corners = scene.field.marker_corners(marker)
        x, y = float(corners[:, 0].mean()), float(corners[:, 1].mean())
        patch = scene.patch(x, y, MARKER_SIDE / 2 + MARKER_MARGIN + 0.05)
        half = MARKER_SIDE / 2
        patch.paint(box(patch.u, patch.v, half + MARKER_MARGIN, half + MARKER_MARGIN), (0.82, 0.82, 0.82), gloss=0.05)
        bits = cv2.aruco.generateImageMarker(dictionary, marker, 6)
        big = cv2.resize(bits, (192, 192), interpolation=cv2.INTER_NEAREST).astype(np.float32) / 255
        mapx = np.broadcast_to((patch.u / MARKER_SIDE + 0.5) * 192 - 0.5, (patch.v.shape[0], patch.u.shape[1]))
        mapy = np.broadcast_to((0.5 - patch.v / MARKER_SIDE) * 192 - 0.5, mapx.shape)
        ink = cv2.remap(
            big,
            np.ascontiguousarray(mapx, np.float32),
            np.ascontiguousarray(mapy, np.float32),
            cv2.INTER_LINEAR,
        )
        patch.paint(box(patch.u, patch.v, half, half), (0.03 + 0.79 * ink)[..., None] * np.ones(3, np.float32))


def _grid(patch: Patch, w: int, h: int, half: float) -> Map:
    """Signed distance to the lines of a grid around the middle of the patch."""
    u, v = patch.u + w / 2, patch.v + h / 2
    du, dv = np.abs(u - np.round(u)), np.abs(v - np.round(v))
    inside = box(patch.u, patch.v, w / 2 + half, h / 2 + half)
    return np.asarray(np.maximum(np.minimum(du, dv) - half, inside), dtype=np.float32)


def _wooden_board(rng: Rng, scene: Scene, style: Style, whole: Patch) -> None:
    w, h, z = scene.field.columns, scene.field.rows, scene.field.surface
    surface = wood(
        rng,
        scene.height.shape,
        scene.ppu,
        style.wood,
        style.wood_light,
        style.wood_dark,
        style.grain,
        style.grain_angle,
    )
    outline = box(whole.u, whole.v, w / 2, h / 2, 0.04)
    side = tuple(0.8 * c for c in style.wood_dark)
    if z > 0:
        whole.raise_(outline, z, surface, (side[0], side[1], side[2]), 0.25 * style.gloss, 0.02)
    else:
        whole.paint(outline, surface, gloss=0.1)
    whole.paint(_grid(whole, w, h, style.line_width / 2), style.wood_dark, style.line_depth)
    dark = tuple(0.45 * c for c in style.wood_dark)
    whole.paint(_grid(whole, w, h, style.line_width / 4), (dark[0], dark[1], dark[2]), style.line_depth)
    for column in range(w):
        for row in range(h):
            patch = scene.patch(column + 0.5, row + 0.5, 0.15)
            hole = disc(patch.u, patch.v, 0.09)
            patch.paint(hole, tuple(0.12 * c for c in style.wood_dark), gloss=0.0)  # type: ignore[arg-type]
            if z > 0:
                scene.height[patch.window][hole < -0.02] = z - 0.15


def _checkered_board(rng: Rng, scene: Scene, style: Style, whole: Patch) -> None:
    w, h, z = scene.field.columns, scene.field.rows, scene.field.surface
    shape = scene.height.shape
    light = wood(rng, shape, scene.ppu, style.wood, style.wood_light, style.wood_dark, style.grain, style.grain_angle)
    deep = tuple(0.5 * c for c in style.check_dark)
    dark = wood(
        rng,
        shape,
        scene.ppu,
        style.wood,
        style.check_dark,
        (deep[0], deep[1], deep[2]),
        style.grain,
        style.grain_angle,
    )
    odd = (np.floor(whole.u + w / 2) + np.floor(whole.v + h / 2)) % 2 == 1  # a1 is dark
    surface = np.where(odd[..., None], light, dark)
    outline = box(whole.u, whole.v, w / 2, h / 2, 0.03)
    if z > 0:
        whole.raise_(outline, z, surface, style.check_dark, 0.3 * style.gloss, 0.02)
    else:
        whole.paint(outline, surface, gloss=0.1)
    if rng.random() < 0.3:
        whole.paint(_grid(whole, w, h, style.line_width / 2), deep, style.line_depth)  # type: ignore[arg-type]


def _outline(scene: Scene, style: Style, whole: Patch) -> None:
    """A printed frame; on the tile mat also a faint grid."""
    w, h = scene.field.columns, scene.field.rows
    ink = 0.02 if sum(style.mat_color) > 0.4 else 0.4
    frame = np.abs(box(whole.u, whole.v, w / 2, h / 2)) - 0.02
    whole.paint(frame, (ink, ink, ink), 0.7 * style.mat_lines)
    if scene.field.name == "tiles":
        whole.paint(_grid(whole, w, h, 0.012), (ink, ink, ink), 0.6 * style.mat_lines)
