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

from vision.training.dice_tables import PIP_LAYOUTS, Floats, any_color, draw_clutter, draw_table, noise

Picture = NDArray[np.uint8]


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
        spots = np.array(PIP_LAYOUTS[value], np.float32).reshape(-1, 2) * self.spread * self.stretch[value]
        if value == 6:
            spots = np.array(PIP_LAYOUTS[6], np.float32) * np.array(self.six, np.float32)
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
        pips = any_color(rng, float(rng.choice([0.1, 1.0]))) * np.float32(0.25)
    elif look == "dark":
        body = any_color(rng) * np.float32(0.12)
        pips = white * np.float32(rng.uniform(0.5, 0.95))
    else:
        body = any_color(rng)
        light = float(body @ np.array([0.1, 0.6, 0.3], np.float32))
        pale_pips = light < 0.25 or (light < 0.5 and rng.random() < 0.6)
        pips = white * np.float32(rng.uniform(0.7, 0.98)) if pale_pips else any_color(rng, 0.3) * np.float32(0.12)
        if rng.random() < 0.3:
            # Pips of any color that stands out.
            other = any_color(rng)
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
        "swirl": (*_grain(rng)[1:], *any_color(rng).tolist()) if rng.random() < 0.12 else (0.0,) * 7,
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
    table = draw_table(rng, pixels)
    if not tidy and rng.random() < 0.75:
        draw_clutter(rng, table, pixels / (2 * wide))
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
        blot = np.clip(noise(rng, size, 3, 3) * np.float32(rng.uniform(1, 6)), 0, 1)
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
