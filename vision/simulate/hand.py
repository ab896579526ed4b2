"""A forearm with its hand, seen from above: drawn once, then laid over the picture wherever it reaches.

The hand pinches: its thumb and forefinger meet at the origin, the arm runs to the south. It is modelled as a
height field of rounded limbs that melt into each other, lit by the table's lamps, and shown as a sheet that
rises from the fingertips towards the elbow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from vision.pose import Image
from vision.simulate.render import exposed
from vision.simulate.scene import Map, noise
from vision.simulate.style import Color, Illumination, Lens, Rng

WEST, EAST, SOUTH, NORTH = -1.9, 2.5, -17.0, 0.6  # the sheet's edges, in cells from the fingertips
SLOPE = 0.13  # how much it rises per cell towards the elbow
NAIL = np.array([1.25, 1.15, 1.12], np.float32)  # how much lighter than the skin a nail is
CUFF = -6.3  # where a long sleeve ends

Joint = tuple[float, float, float, float]  # x, y, height, radius

FINGERS: tuple[tuple[Joint, ...], ...] = (
    ((0.20, -2.10, 0.62, 0.29), (0.10, -1.05, 0.80, 0.235), (0.04, -0.45, 0.50, 0.20), (0.00, -0.08, 0.16, 0.165)),
    ((0.68, -2.02, 0.66, 0.30), (0.66, -0.92, 0.78, 0.240), (0.58, -0.44, 0.38, 0.20), (0.48, -0.28, 0.10, 0.170)),
    ((1.12, -2.14, 0.60, 0.28), (1.16, -1.16, 0.68, 0.225), (1.08, -0.74, 0.32, 0.19), (0.98, -0.66, 0.08, 0.165)),
    ((1.50, -2.42, 0.48, 0.25), (1.60, -1.66, 0.52, 0.195), (1.54, -1.32, 0.24, 0.17), (1.44, -1.22, 0.06, 0.145)),
)
THUMB: tuple[Joint, ...] = (
    (-0.20, -3.35, 0.35, 0.46),
    (-0.68, -2.25, 0.28, 0.33),
    (-0.66, -1.15, 0.28, 0.235),
    (-0.22, -0.30, 0.12, 0.180),
)
BACK: tuple[tuple[Joint, Joint], ...] = (
    ((0.18, -4.25, 0.45, 0.48), (0.20, -2.10, 0.60, 0.31)),
    ((0.42, -4.25, 0.50, 0.48), (0.68, -2.02, 0.62, 0.32)),
    ((0.68, -4.25, 0.48, 0.48), (1.12, -2.14, 0.56, 0.30)),
    ((0.86, -4.25, 0.42, 0.46), (1.50, -2.42, 0.42, 0.27)),
    ((0.06, -4.10, 0.34, 0.46), (-0.40, -2.80, 0.30, 0.36)),
)
ARM: tuple[tuple[Joint, Joint], ...] = (
    ((0.14, -4.20, 0.42, 0.46), (-0.16, -8.5, 0.45, 0.64)),
    ((0.86, -4.20, 0.42, 0.46), (1.12, -8.5, 0.45, 0.62)),
    ((0.50, -4.20, 0.46, 0.50), (0.48, -8.5, 0.55, 0.78)),
    ((-0.16, -8.5, 0.45, 0.64), (-0.30, -18.0, 0.45, 0.70)),
    ((1.12, -8.5, 0.45, 0.62), (1.30, -18.0, 0.45, 0.68)),
    ((0.48, -8.5, 0.55, 0.78), (0.50, -18.0, 0.60, 0.90)),
)


@dataclass(frozen=True)
class Hand:
    """Its picture with opacity, and the mask of its shadow; `ppu` pixels a cell, north up."""

    ppu: float
    colors: Image  # BGR, already multiplied by the opacity
    opacity: Image
    shadow: Image
    mirrored: bool

    def corners(self, tip: tuple[float, float, float], angle: float) -> Map:
        """Where the sheet's corners are in the world: NW, NE, SE, SW; at angle 0 the arm comes from the south."""
        a = np.radians(angle)
        c, s = float(np.cos(a)), float(np.sin(a))
        west, east = (-EAST, -WEST) if self.mirrored else (WEST, EAST)
        places = [(west, NORTH), (east, NORTH), (east, SOUTH), (west, SOUTH)]
        return np.array([(tip[0] + x * c - y * s, tip[1] + x * s + y * c, tip[2] - SLOPE * y) for x, y in places])


def _limb(height: Map, edge: Map, x: Map, y: Map, a: Joint, b: Joint, melt: float) -> None:
    """Adds a tapered rounded limb; where it meets others the surface runs smoothly from one to the other."""
    (ax, ay, az, ar), (bx, by, bz, br) = a, b
    reach = max(ar, br) + 0.5
    columns = np.flatnonzero((x[0] > min(ax, bx) - reach) & (x[0] < max(ax, bx) + reach))
    rows = np.flatnonzero((y[:, 0] > min(ay, by) - reach) & (y[:, 0] < max(ay, by) + reach))
    if not len(columns) or not len(rows):
        return
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    u, v = x[:, window[1]] - ax, y[window[0]] - ay
    along = np.clip((u * (bx - ax) + v * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
    away = np.sqrt((u - along * (bx - ax)) ** 2 + (v - along * (by - ay)) ** 2)
    radius = ar + along * (br - ar)
    beyond = np.maximum(away - radius, 0)
    dome = az + along * (bz - az) + np.sqrt(np.maximum(radius**2 - away**2, 0)) - 7 * beyond
    old = height[window]
    more = np.maximum(melt - np.abs(old - dome), 0) / melt
    height[window] = np.maximum(old, dome) + more * more * melt * 0.25
    edge[window] = np.minimum(edge[window], away - radius)


def _model(ppu: float, sleeved: bool) -> tuple[Map, Map, Map, Map, Map]:
    """Coordinates, height and signed distance of the whole, and how much of each point is sleeve."""
    x = ((np.arange(round((EAST - WEST) * ppu)) + 0.5) / ppu + WEST).astype(np.float32)[None, :]
    y = (NORTH - (np.arange(round((NORTH - SOUTH) * ppu)) + 0.5) / ppu).astype(np.float32)[:, None]
    shape = (y.shape[0], x.shape[1])
    height, edge = np.full(shape, -3.0, np.float32), np.full(shape, 9.0, np.float32)
    for a, b in ARM:
        _limb(height, edge, x, y, a, b, 0.5)
    for a, b in BACK:
        _limb(height, edge, x, y, a, b, 0.34)
    for chain in (THUMB, *reversed(FINGERS)):
        for a, b in pairwise(chain):
            _limb(height, edge, x, y, a, b, 0.12)
    sleeve = np.zeros(shape, np.float32)
    if sleeved:
        cloth_height, cloth_edge = np.full(shape, -3.0, np.float32), np.full(shape, 9.0, np.float32)
        wide = [tuple((p[0], p[1], p[2] + 0.05, p[3] + 0.16) for p in limb) for limb in ARM]
        for a, b in wide:
            _limb(cloth_height, cloth_edge, x, y, a, b, 0.5)
        rim = CUFF + 0.12 * np.cos(1.3 * (x - 0.5)) - 0.1
        cloth_edge = np.maximum(cloth_edge, y - rim)
        sleeve = np.clip(0.5 - cloth_edge * ppu, 0, 1).astype(np.float32)
        hem = 0.05 * np.exp(-(((y - rim + 0.35) / 0.05) ** 2))  # the seam of the cuff
        height = np.where(cloth_edge < 0, np.maximum(cloth_height, height) - hem, height)
        edge = np.minimum(edge, cloth_edge)
    return x, y, height.astype(np.float32), edge, sleeve


def _spots(x: Map, y: Map, places: list[tuple[float, float]], wide: float) -> Map:
    total = np.zeros((y.shape[0], x.shape[1]), np.float32)
    for px, py in places:
        total += np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * wide * wide))
    return total


def _nail(x: Map, y: Map, joint: Joint, tip: Joint, ppu: float) -> Map:
    """The share of a fingernail, on the back of the last limb."""
    along = np.array([tip[0] - joint[0], tip[1] - joint[1]])
    along = along / np.linalg.norm(along)
    cx, cy = joint[0] + (tip[0] - joint[0]) * 0.78, joint[1] + (tip[1] - joint[1]) * 0.78
    u = (x - cx) * along[0] + (y - cy) * along[1]
    v = -(x - cx) * along[1] + (y - cy) * along[0]
    inside = np.sqrt((u / 0.15) ** 2 + (v / 0.105) ** 2) - 1
    return np.asarray(np.clip(0.5 - inside * 0.1 * ppu, 0, 1), np.float32)


def draw_hand(
    rng: Rng,
    ppu: float,
    skin: Color,
    sleeve: Color | None,
    light: Illumination,
    lens: Lens,
    angle: float,
    mirrored: bool,
) -> Hand:
    """A hand whose arm comes in at this angle (0: from the south), lit from where the lamps are."""
    x, y, height, edge, cloth = _model(ppu, sleeve is not None)
    opacity = np.clip(0.5 - edge * ppu, 0, 1).astype(np.float32)
    color = _complexion(rng, x, y, ppu, skin)
    relief = _wrinkled(x, y, height)
    if sleeve is not None:
        folds = noise(rng, height.shape, (ppu * 0.5, ppu * 2.2), 2)
        relief = relief + cloth * 0.05 * cv2.GaussianBlur(folds, (0, 0), 0.06 * ppu)
        weave = 1 + 0.06 * noise(rng, height.shape, (3, 3), 1)
        color += (np.asarray(sleeve, np.float32) * weave[..., None] - color) * cloth[..., None]
    relief = _smoothed(relief, y, edge, cloth, ppu)
    gloss = (1 - cloth) * opacity * 0.10 / max(float(np.mean(skin)), 0.08)
    color *= _light_on(relief, cloth, gloss, ppu, light, angle, mirrored)
    plain = replace(lens, vignette=0.0, sharpen=0.0)
    high, wide = height.shape
    seen = exposed(color, plain, (wide, high), (slice(0, high), slice(0, wide)))
    opacity = np.asarray(cv2.GaussianBlur(opacity, (0, 0), 0.8), np.float32)
    picture = np.clip(seen * opacity[..., None], 0, 255).astype(np.uint8)
    images = [picture, (255 * opacity).astype(np.uint8), _shadow(opacity, y, ppu)]
    if mirrored:
        images = [np.ascontiguousarray(image[:, ::-1]) for image in images]
    return Hand(ppu, images[0], images[1], images[2], mirrored)


def _complexion(rng: Rng, x: Map, y: Map, ppu: float, skin: Color) -> Map:
    """The color of bare skin: redder at knuckles and tips, with nails."""
    shape = (y.shape[0], x.shape[1])
    knuckles = _spots(x, y, [(j[0], j[1]) for chain in FINGERS for j in chain[:2]], 0.2)
    tips = _spots(x, y, [(chain[3][0], chain[3][1]) for chain in (*FINGERS, THUMB)], 0.22)
    red = np.clip(0.5 * knuckles + 0.6 * tips + 0.25 * noise(rng, shape, (ppu * 0.5, ppu * 0.5), 3), -0.6, 1.2)
    tone = np.asarray(skin, np.float32) * (1 + 0.05 * noise(rng, shape, (ppu * 0.12, ppu * 0.12), 2))[..., None]
    color = tone * (1 + red[..., None] * np.array([-0.20, -0.15, 0.02], np.float32))
    for chain in (FINGERS[0], THUMB):
        nail = _nail(x, y, chain[2], chain[3], ppu)[..., None] * 0.6
        color = color * (1 - nail) + np.minimum(tone * NAIL + 0.06, 0.9) * nail
    return np.asarray(color, np.float32)


def _wrinkled(x: Map, y: Map, height: Map) -> Map:
    """The hand's height with the folds of skin over its middle joints, and the tendons of its back."""
    relief = height
    for px, py, _, r in (chain[1] for chain in FINGERS):
        fold = np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * (0.6 * r) ** 2)) * np.cos((y - py) * 55)
        relief = relief + 0.005 * fold
    tendons = sum(
        np.exp(-(((x - (0.45 + (c[0][0] - 0.45) * (y + 4.2) / 2.1)) / 0.07) ** 2)) for c in FINGERS
    ) * np.clip(1 - np.abs(y + 2.9) / 0.9, 0, 1)
    return relief + 0.025 * np.asarray(tendons, np.float32)


def _smoothed(relief: Map, y: Map, edge: Map, cloth: Map, ppu: float) -> Map:
    relief = np.asarray(cv2.GaussianBlur(relief.astype(np.float32), (0, 0), 0.022 * ppu), np.float32)
    round_arm = cv2.GaussianBlur(np.maximum(relief, -0.2), (0, 0), 0.16 * ppu)  # no seams along the forearm
    share = np.clip((-3.6 - y) / 0.8, 0, 1) * np.clip(-edge / 0.3, 0, 1) * (1 - cloth)
    return np.asarray(relief + (round_arm - relief) * share, np.float32)


def _light_on(
    relief: Map, cloth: Map, gloss: Map, ppu: float, light: Illumination, angle: float, mirrored: bool
) -> Map:
    """The light that each point sends on, in three colors."""
    dx = cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=3, scale=ppu / 8)
    dy = -cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=3, scale=ppu / 8)
    steep = np.clip(np.sqrt(dx * dx + dy * dy) / 3.2, 1, None)  # the silhouette's edge is not a cliff
    dx, dy = dx / steep, dy / steep
    long = 1 / np.sqrt(dx * dx + dy * dy + 1)
    broad = cv2.GaussianBlur(np.maximum(relief, -0.4), (0, 0), 0.3 * ppu)
    hollow = np.clip(1 - 0.75 * np.maximum(broad - np.maximum(relief, -0.4), 0), 0.45, 1)
    a = np.radians(angle)
    c, s = float(np.cos(a)), float(np.sin(a))
    total = (0.45 + 0.55 * long * hollow)[..., None] * np.asarray(light.ambient, np.float32) * 1.25
    bleed = np.array([0.10, 0.16, 0.30], np.float32)  # light that goes in and comes out red
    for lamp in light.lamps:
        away = np.array([lamp.at[0] - 4, lamp.at[1] - 4, lamp.at[2]])
        away = away / np.linalg.norm(away)
        lx, ly, lz = float(away[0] * c + away[1] * s), float(-away[0] * s + away[1] * c), float(away[2])
        if mirrored:
            lx = -lx
        facing = (-dx * lx - dy * ly + lz) * long
        wrap = np.clip((facing[..., None] + bleed) / (1 + bleed), 0, 1)
        share = np.where(cloth[..., None] > 0.5, np.clip(facing, 0, 1)[..., None], wrap)
        share *= (0.35 + 0.65 * hollow)[..., None]
        total += share * np.asarray(lamp.color, np.float32) * lamp.power
        half = np.array([lx, ly, lz + 1.0])
        half = (half / np.linalg.norm(half)).astype(np.float32)
        shine = np.clip((-dx * half[0] - dy * half[1] + half[2]) * long, 0, 1) ** 24
        total += (shine * gloss * lamp.power)[..., None]
    return np.asarray(total, np.float32)


def _shadow(opacity: Map, y: Map, ppu: float) -> Image:
    """Softer towards the elbow, which is higher."""
    near = cv2.GaussianBlur(opacity, (0, 0), 0.10 * ppu)
    far = cv2.GaussianBlur(opacity, (0, 0), 0.32 * ppu)
    blend = np.clip((-y - 0.3) / 4.0, 0, 1)
    return np.asarray(255 * (near * (1 - blend) + far * blend), np.uint8)


def shadow_on(points: Map, lamp: tuple[float, float, float], height: float) -> Map:
    """Where the shadows of points fall on the plane of that height."""
    at = np.asarray(lamp)
    part = (at[2] - height) / np.maximum(at[2] - points[:, 2], 0.5)
    fallen = at + (points - at) * part[:, None]
    return np.asarray(fallen)
