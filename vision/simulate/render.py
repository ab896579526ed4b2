"""From a scene to a picture: shadows and light on the height field, rays through the camera, hands, the lens.

The rays are followed from the highest thing downwards, so that nearer things hide farther ones by themselves.
`Rays` depend on the camera alone and can be kept while the camera stands still, as can the lit scene while
nothing on the table moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.pose import Image, Pose
from vision.simulate.pieces import side_faces
from vision.simulate.scene import REACH, Map, Scene, Window
from vision.simulate.style import Color, Illumination, Lens, Rng, Style

STEP = 0.035  # how finely rays are followed, in cells of height
TALL_STEP = 0.08


@dataclass(frozen=True)
class Ball:
    """A part of a hand or an arm."""

    at: tuple[float, float, float]
    radius: float
    color: Color


@dataclass(frozen=True)
class Rays:
    """Per pixel: where its ray meets the mat, and how it leans per unit of height."""

    x: Map
    y: Map
    lean_x: Map
    lean_y: Map


def rays_of(pose: Pose, window: Window = (slice(None), slice(None))) -> Rays:
    """The rays of a part of the picture; the lens's distortion is found on a coarse grid."""
    width, height = pose.size
    nx, ny = 33, 25
    xs, ys = np.linspace(0, width - 1, nx), np.linspace(0, height - 1, ny)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 1, 2)
    plain = cv2.undistortPoints(grid, pose.matrix, pose.distortion).reshape(ny, nx, 2).astype(np.float32)
    mx, my = np.meshgrid(
        np.linspace(0, nx - 1, width, dtype=np.float32)[window[1]],
        np.linspace(0, ny - 1, height, dtype=np.float32)[window[0]],
    )
    # remap of a linear ramp is exact between grid points, which resize is not
    u = cv2.remap(plain[..., 0], mx, my, cv2.INTER_LINEAR)
    v = cv2.remap(plain[..., 1], mx, my, cv2.INTER_LINEAR)
    r = pose.rotation.T.astype(np.float32)
    dx, dy, dz = (r[k, 0] * u + r[k, 1] * v + r[k, 2] for k in range(3))
    eye = pose.eye.astype(np.float32)
    dz = np.minimum(dz, -0.05)
    lean_x, lean_y = dx / dz, dy / dz
    return Rays(eye[0] - eye[2] * lean_x, eye[1] - eye[2] * lean_y, lean_x, lean_y)


def busy_window(pose: Pose) -> Window:
    """The part of the picture in which the scene can be seen; the rest is bare table."""
    w, h, m = pose.field.columns, pose.field.rows, REACH - 0.3
    box = [[x, y, z] for x in (-m, w + m) for y in (-m, h + m) for z in (0.0, 1.0)]
    pixels = pose.project(np.array(box))
    (left, top), (right, bottom) = np.floor(pixels.min(axis=0)), np.ceil(pixels.max(axis=0)) + 1
    wide, high = pose.size
    return slice(max(0, int(top)), min(high, int(bottom))), slice(max(0, int(left)), min(wide, int(right)))


def _normals(height: Map, ppu: float) -> Map:
    dx = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3, scale=ppu / 8)
    dy = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3, scale=ppu / 8)
    normal = np.stack([-dx, dy, np.ones_like(dx)], axis=-1)
    return np.asarray(normal / np.linalg.norm(normal, axis=-1, keepdims=True), dtype=np.float32)


def _shadow(
    height: Map, ppu: float, corner: tuple[float, float], lamp: tuple[float, float, float], span: tuple[float, float]
) -> Map:
    """Where a point of light does not reach; points slide towards the lamp by affine maps."""
    lowest, highest = span
    lx, ly = (lamp[0] - corner[0]) * ppu - 0.5, (corner[1] - lamp[1]) * ppu - 0.5
    furthest = min(0.5, (highest - max(lowest, 0.0)) / (lamp[2] - max(lowest, 0.0)) + 1e-3)
    shade = np.zeros_like(height)
    for t in furthest * (np.arange(1, 13, dtype=np.float64) / 12) ** 1.6:
        slide = np.array([[1 - t, 0, t * lx], [0, 1 - t, t * ly]])
        other = cv2.warpAffine(
            height,
            slide,
            height.shape[::-1],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        excess = other - ((1 - t) * height + np.float32(t * lamp[2]))
        np.maximum(shade, np.clip(excess * 25, 0, 1), out=shade)
    return shade


def _ball_shadow(
    scene: Scene, balls: Sequence[Ball], lamp: tuple[float, float, float], scale: float, size: float
) -> Map:
    """The shadow of hovering things on the playing surface."""
    high, wide = scene.height.shape
    shape = (round(high * scale), round(wide * scale))
    mask = np.zeros(shape, np.uint8)
    mean_height = 0.0
    for ball in balls:
        z = scene.field.surface
        t = (ball.at[2] - z) / max(lamp[2] - z, ball.at[2] - z + 0.5)
        grow = 1 / (1 - t)
        x = lamp[0] + (ball.at[0] - lamp[0]) * grow
        y = lamp[1] + (ball.at[1] - lamp[1]) * grow
        centre = ((x - scene.west) * scene.ppu * scale, (scene.north - y) * scene.ppu * scale)
        cv2.circle(
            mask,
            (round(centre[0]), round(centre[1])),
            max(1, round(ball.radius * grow * scene.ppu * scale)),
            255,
            -1,
        )
        mean_height += (ball.at[2] - z) / len(balls)
    blur = 0.3 + size * mean_height / max(lamp[2], 1) * scene.ppu * scale * 0.5
    return cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) / 255


def lit(
    rng: Rng, scene: Scene, light: Illumination, balls: Sequence[Ball] = (), span: tuple[float, float] | None = None
) -> Map:
    """How much light, per color, falls on each point of the scene.

    `span` are the lowest and the highest point of the whole, where only a part of it is lit.
    """
    ppu, scale = scene.ppu, 0.5
    small: Map = np.asarray(
        cv2.resize(scene.height, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.float32
    )
    span = span or (float(small.min()), float(small.max()))
    normal = _normals(scene.height, ppu)
    rows, columns = scene.height.shape
    x = ((np.arange(columns, dtype=np.float32) + 0.5) / ppu + scene.west)[None, :]
    y = (scene.north - (np.arange(rows, dtype=np.float32) + 0.5) / ppu)[:, None]
    broad = cv2.GaussianBlur(small, (0, 0), 0.25 * ppu * scale)
    hollow = np.clip(1 - 0.9 * np.maximum(broad - small, 0), 0.3, 1)
    ambient = cv2.resize(hollow, (columns, rows), interpolation=cv2.INTER_LINEAR) * (0.75 + 0.25 * normal[..., 2])
    total = ambient[..., None] * np.asarray(light.ambient, np.float32)
    middle = (scene.field.columns / 2, scene.field.rows / 2)
    for lamp in light.lamps:
        samples = 1 if lamp.size < 0.5 else 5
        shade = np.zeros_like(small)
        for k in range(samples):
            turn = 2 * np.pi * (k + float(rng.random())) / samples
            out = lamp.size * (0.35 + 0.6 * (k % 2)) if samples > 1 else 0.0
            at = (lamp.at[0] + out * float(np.cos(turn)), lamp.at[1] + out * float(np.sin(turn)), lamp.at[2])
            shade += _shadow(small, ppu * scale, (scene.west, scene.north), at, span) / samples
        shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), 0.6 + 0.02 * lamp.size * ppu * scale), np.float32)
        if balls:
            shade = np.maximum(shade, _ball_shadow(scene, balls, lamp.at, scale, lamp.size))
        shade = np.asarray(cv2.resize(shade, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)
        tx, ty, tz = lamp.at[0] - x, lamp.at[1] - y, np.float32(lamp.at[2])
        square = tx * tx + ty * ty + tz * tz
        distance = np.sqrt(square)
        facing = np.maximum((normal[..., 0] * tx + normal[..., 1] * ty + normal[..., 2] * tz) / distance, 0)
        usual = (lamp.at[0] - middle[0]) ** 2 + (lamp.at[1] - middle[1]) ** 2 + lamp.at[2] ** 2
        strength = lamp.power * facing * (usual / square) * (1 - shade)
        total += strength[..., None] * np.asarray(lamp.color, np.float32)
    return np.asarray(total, np.float32)


def _march(height: Map, scene: Scene, rays: Rays, levels: Sequence[float], floor: bool) -> tuple[Map, Map]:
    """Where the rays first meet a height field: the height there, and 1 where they met it at all."""
    ppu = np.float32(scene.ppu)
    ax, ay = (rays.x - np.float32(scene.west)) * ppu - 0.5, (np.float32(scene.north) - rays.y) * ppu - 0.5
    bx, by = rays.lean_x * ppu, -rays.lean_y * ppu
    hit_z = np.zeros_like(rays.x)
    done = np.zeros(rays.x.shape, np.bool_)
    gap_before, z_before = np.full_like(rays.x, 1e3), levels[0] + 1e-3
    for z in levels:
        sample = cv2.remap(
            height,
            ax + bx * np.float32(z),
            ay + by * np.float32(z),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        gap = np.float32(z) - sample
        new = (gap <= 0) & ~done
        if new.any():
            part = gap_before[new] / np.maximum(gap_before[new] - gap[new], 1e-6)
            hit_z[new] = z_before + (z - z_before) * np.minimum(part, 1)
            done |= new
        gap_before, z_before = gap, z
    met = done.astype(np.float32)
    if floor:
        hit_z[~done] = levels[-1]
    return hit_z, met


def _levels(scene: Scene, top: float) -> list[float]:
    surface = scene.field.surface
    busy = min(top, surface + 0.75)
    levels = list(np.arange(top, busy + 1e-6, -TALL_STEP))
    levels += list(np.arange(busy, surface, -STEP))
    if surface > 0:
        levels += list(np.arange(surface, 0, -0.06))
    return [float(z) for z in (*levels, surface, 0.0) if z >= 0] if top > 0 else [0.0]


@dataclass(frozen=True)
class Picture:
    """A picture and, per pixel, whether something in the way hides the field there."""

    image: Image
    blocked: Map


def render(
    rng: Rng,
    scene: Scene,
    pose: Pose,
    light: Illumination,
    style: Style,
    lens: Lens,
    balls: Sequence[Ball] = (),
) -> Picture:
    shining = lit(rng, scene, light, balls)
    color = _bare(scene, rays_of(pose), shining)
    blocked = np.zeros(color.shape[:2], np.float32)
    window = busy_window(pose)
    color[window], blocked[window] = busy(scene, rays_of(pose, window), pose, light, style, shining)
    if balls:
        _balls(pose, balls, light, color, blocked)
    return Picture(develop(rng, color, lens), blocked)


def _bare(scene: Scene, rays: Rays, shining: Map) -> Map:
    """The table around the scene, at half the fineness: nobody reads it."""
    ppu = np.float32(scene.ppu)
    mx, my = (rays.x[::2, ::2] - np.float32(scene.west)) * ppu, (np.float32(scene.north) - rays.y[::2, ::2]) * ppu
    ground = cv2.remap(scene.ground, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    shine = cv2.remap(shining, mx, my, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    shine = cv2.blur(shine, (25, 25))  # no streaks from the shadows at the scene's edge
    return np.asarray(cv2.resize(ground * shine, rays.x.shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _met(scene: Scene, rays: Rays, top: float) -> Window:
    """The part of the maps that these rays can meet up to a height."""
    high, wide = scene.height.shape
    x = [rays.x + rays.lean_x * np.float32(z) for z in (0, top)]
    y = [rays.y + rays.lean_y * np.float32(z) for z in (0, top)]
    left, right = ((edge - scene.west) * scene.ppu for edge in (min(map(np.min, x)), max(map(np.max, x))))
    upper, lower = ((scene.north - edge) * scene.ppu for edge in (max(map(np.max, y)), min(map(np.min, y))))
    rows = slice(int(np.clip(upper - 4, 0, high - 1)), int(np.clip(lower + 5, 1, high)))
    return rows, slice(int(np.clip(left - 4, 0, wide - 1)), int(np.clip(right + 5, 1, wide)))


def busy(scene: Scene, rays: Rays, pose: Pose, light: Illumination, style: Style, shining: Map) -> tuple[Map, Map]:
    """The scene itself, ray by ray; and where things in the way are."""
    top = float(scene.height.max()) + 0.01
    part = _met(scene, rays, max(top, 0.4))
    whole, whole_shining = scene, shining
    scene, shining = scene.crop(part), shining[part]
    z, _ = _march(scene.height, scene, rays, sorted(set(_levels(scene, top)), reverse=True), floor=True)
    ppu = np.float32(scene.ppu)
    wx, wy = rays.x + rays.lean_x * z, rays.y + rays.lean_y * z
    mx, my = (wx - np.float32(scene.west)) * ppu - 0.5, (np.float32(scene.north) - wy) * ppu - 0.5

    def look(map_: npt.ArrayLike, how: int = cv2.INTER_LINEAR) -> Map:
        values = np.asarray(map_, np.float32)
        return np.asarray(cv2.remap(values, mx, my, how, borderMode=cv2.BORDER_REPLICATE), np.float32)

    peak: Map = np.asarray(cv2.dilate(scene.height, np.ones((3, 3), np.uint8)), np.float32)
    wall = np.clip((look(peak) - z - 0.03) * 30, 0, 1)[..., None]
    albedo = look(scene.albedo) * (1 - wall) + look(scene.side, cv2.INTER_NEAREST) * wall
    if scene.dice:
        _side_pips(
            scene,
            style,
            look(scene.die_at, cv2.INTER_NEAREST),
            wx,
            wy,
            z,
            wall[..., 0],
            albedo,
        )
    color = albedo * look(shining)
    color += _glare(style.sheen, light, pose, look(scene.gloss), look(_normals(scene.height, scene.ppu)), wx, wy, z)
    if scene.glass is not None and scene.glass_tint is not None:
        _glass(scene, rays, color, light)
    blocked = look(scene.blocked)
    mx, my = mx + part[1].start, my + part[0].start
    outside = (mx < 0) | (my < 0) | (mx > whole.height.shape[1] - 1) | (my > whole.height.shape[0] - 1)
    if outside.any():
        ground = cv2.remap(whole.ground, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        shine = cv2.remap(whole_shining, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        color[outside] = (ground * shine)[outside]
    return color, blocked


def _side_pips(scene: Scene, style: Style, which: Map, x: Map, y: Map, z: Map, wall: Map, albedo: Map) -> None:
    rows, columns = np.nonzero((which > 0.5) & (wall > 0.3))
    if not rows.size:
        return
    index = which[rows, columns].astype(np.int32) - 1
    data = np.array([[d.x, d.y, np.radians(d.turn), d.base, d.side, d.red] for d in scene.dice], np.float32)[index]
    faces = np.array([d.faces for d in scene.dice], np.int32)[index]
    px, py = x[rows, columns] - data[:, 0], y[rows, columns] - data[:, 1]
    c, s = np.cos(data[:, 2]), np.sin(data[:, 2])
    u, v = px * c + py * s, -px * s + py * c
    across = np.abs(u) > np.abs(v)
    face = np.where(across, np.where(u < 0, faces[:, 0], faces[:, 1]), np.where(v < 0, faces[:, 2], faces[:, 3]))
    along = np.where(across, v, u) / data[:, 4]
    up = (z[rows, columns] - data[:, 3]) / data[:, 4] - 0.5
    i = np.clip((along + 0.5) * 48, 0, 47).astype(np.int32)
    j = np.clip((0.5 - up) * 48, 0, 47).astype(np.int32)
    share = side_faces(style)[face, j, i][:, None]
    ink = np.where(
        data[:, 5:6] > 0.5,
        np.asarray(style.pip_on_red, np.float32),
        np.asarray(style.pip_on_white, np.float32),
    )
    albedo[rows, columns] += (ink - albedo[rows, columns]) * share


def _glare(sheen: float, light: Illumination, pose: Pose, gloss: Map, normal: Map, x: Map, y: Map, z: Map) -> Map:
    """Lamps mirrored by shiny surfaces; small lamps give sharp lights."""
    eye = pose.eye.astype(np.float32)
    ex, ey, ez = eye[0] - x, eye[1] - y, eye[2] - z
    far = 1 / np.sqrt(ex * ex + ey * ey + ez * ez)
    nx, ny, nz = normal[..., 0], normal[..., 1], normal[..., 2]
    total = np.zeros((*x.shape, 3), np.float32)
    for lamp in light.lamps:
        lx, ly, lz = np.float32(lamp.at[0]) - x, np.float32(lamp.at[1]) - y, np.float32(lamp.at[2]) - z
        near = 1 / np.sqrt(lx * lx + ly * ly + lz * lz)
        hx, hy, hz = ex * far + lx * near, ey * far + ly * near, ez * far + lz * near
        facing = (hx * nx + hy * ny + hz * nz) / np.sqrt(hx * hx + hy * hy + hz * hz)
        sharp = np.float32(sheen * 400 / (1 + lamp.size * 0.5))
        strength = np.exp(sharp * (np.minimum(facing, 1) - 1)) * gloss * np.float32(0.5 * lamp.power)
        for channel in range(3):
            total[..., channel] += strength * np.float32(lamp.color[channel])
    return total


def _glass(scene: Scene, rays: Rays, color: Map, light: Illumination) -> None:
    """Clear pawns: what lies behind is tinted, the more the longer the ray's way; edges catch light."""
    assert scene.glass is not None
    assert scene.glass_tint is not None
    assert scene.glass_glow is not None
    levels = [float(z) for z in np.arange(0.38, 0.07, -0.025)]
    z, met = _march(scene.glass, scene, rays, levels, floor=False)
    rows, columns = np.nonzero(met > 0)
    if not rows.size:
        return
    x = rays.x[rows, columns] + rays.lean_x[rows, columns] * z[rows, columns]
    y = rays.y[rows, columns] + rays.lean_y[rows, columns] * z[rows, columns]
    i = np.clip(((x - scene.west) * scene.ppu).astype(np.int32), 0, scene.height.shape[1] - 1)
    j = np.clip(((scene.north - y) * scene.ppu).astype(np.int32), 0, scene.height.shape[0] - 1)
    depth = np.clip((z[rows, columns] - 0.07) / 0.3, 0.1, 1.0)[:, None]
    side = (z[rows, columns] < 0.34)[:, None]
    tint = scene.glass_tint[j, i]
    power = sum(sum(lamp.color) / 3 * lamp.power for lamp in light.lamps) + sum(light.ambient) / 3
    seen = color[rows, columns] * tint ** (0.4 + 0.6 * depth)
    body = tint * np.float32(power) * np.where(side, 0.22, 0.1) * scene.glass_glow[j, i][:, None]
    color[rows, columns] = seen * np.where(side, 0.75, 0.9) + body + np.where(side, 0.0, 0.02 * power)


def _balls(pose: Pose, balls: Sequence[Ball], light: Illumination, color: Map, blocked: Map) -> None:
    """Draws hovering balls, the nearest last; together they make arms, hands and sticks."""
    rotation = pose.rotation
    lamp = light.lamps[0]
    focal = float(pose.matrix[0, 0])
    high, wide = blocked.shape
    depth_map = np.full(blocked.shape, 1e9, np.float32)
    for ball in balls:
        at = np.asarray(ball.at)
        depth = float((rotation @ at + pose.tvec)[2])
        if depth < 1:
            continue
        px, py = pose.project(at[None])[0]
        radius = ball.radius * focal / depth
        left, right = max(0, int(px - radius)), min(wide, int(px + radius) + 2)
        top, bottom = max(0, int(py - radius)), min(high, int(py + radius) + 2)
        if left >= right or top >= bottom:
            continue
        u = ((np.arange(left, right) - px) / radius)[None, :]
        v = ((np.arange(top, bottom) - py) / radius)[:, None]
        inside = 1 - u * u - v * v
        bulge = np.sqrt(np.maximum(inside, 0))
        near = (depth - ball.radius * bulge).astype(np.float32)
        window = (slice(top, bottom), slice(left, right))
        show = (inside > 0) & (near < depth_map[window])
        if not show.any():
            continue
        depth_map[window][show] = near[show]
        normal = np.stack([u + 0 * v, v + 0 * u, -bulge], axis=-1) @ rotation
        to_lamp = np.asarray(lamp.at) - at
        to_lamp /= np.linalg.norm(to_lamp)
        facing = np.clip(normal @ to_lamp, 0, 1)[..., None] * lamp.power
        shine = np.asarray(ball.color) * (facing * np.asarray(lamp.color) + np.asarray(light.ambient))
        color[window][show] = shine[show].astype(np.float32)
        blocked[window][show] = 1


def exposed(color: Map, lens: Lens, size: tuple[int, int], window: Window) -> Map:
    """What the lens makes of the light in a part of a picture of that size: 0 to 255, not yet noisy."""
    wide, high = size
    if lens.vignette > 0:
        x, y = np.linspace(-1, 1, wide, dtype=np.float32), np.linspace(-1, 1, high, dtype=np.float32)
        out = x[None, window[1]] ** 2 + y[window[0], None] ** 2
        color = color * (1 - lens.vignette * out / 2)[..., None]
    color = color * (np.asarray(lens.white_balance, np.float32) * np.float32(lens.exposure))
    gray = cv2.cvtColor(color, cv2.COLOR_BGR2GRAY)[..., None]
    color = np.clip(gray + (color - gray) * np.float32(lens.saturation), 0, 1)
    # A table instead of a power for every pixel: gamma and an S-curve.
    ramp = np.linspace(0, 1, 4096, dtype=np.float32) ** (lens.gamma / 2.2)
    ramp = ramp * (1 - lens.contrast) + lens.contrast * (ramp * ramp * (3 - 2 * ramp))
    image = (ramp * 255)[(color * 4095).astype(np.int32)]
    blur = lens.blur * wide / 1280
    image = cv2.GaussianBlur(image, (0, 0), max(blur, 0.25))
    if lens.motion > 0:
        image = cv2.filter2D(image, -1, _motion(lens.motion * wide / 1280, lens.motion_angle))
    if lens.sharpen > 0:
        image = image + lens.sharpen * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    return np.asarray(image, np.float32)


def develop(rng: Rng, color: Map, lens: Lens) -> Image:
    """What the camera makes of the light."""
    high, wide = color.shape[:2]
    image = exposed(color, lens, (wide, high), (slice(0, high), slice(0, wide)))
    speckle = np.empty(image.shape, np.float32)
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    cv2.randn(speckle, np.zeros(1), np.full(1, lens.noise))
    if lens.noise_grain > 0.3:
        speckle = cv2.GaussianBlur(speckle, (0, 0), 0.4 + 0.6 * lens.noise_grain) * (1.4 + 1.5 * lens.noise_grain)
    eight_bit = np.clip(image + speckle, 0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", eight_bit, [cv2.IMWRITE_JPEG_QUALITY, lens.quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def _motion(length: float, angle: float) -> Map:
    size = int(np.ceil(length)) | 1
    size = max(3, size + 2)
    kernel = np.zeros((size * 4, size * 4), np.float32)
    c, s = float(np.cos(np.radians(angle))) * length * 2, float(np.sin(np.radians(angle))) * length * 2
    middle = size * 2
    cv2.line(kernel, (round(middle - c), round(middle - s)), (round(middle + c), round(middle + s)), 1.0, 3)
    small = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum(), np.float32)


def random_hand(rng: Rng, scene: Scene, style: Style, eye: npt.NDArray[np.floating[Any]] | None = None) -> list[Ball]:
    """An arm that reaches over the field from a side, bare or sleeved, or a long stick.

    What hovers over the field seen from above may hide nothing of it seen aslant: with the camera's place
    given, its tip is before the field as seen from there.
    """
    w, h = scene.field.columns, scene.field.rows
    target = np.array([rng.uniform(0.3, w - 0.3), rng.uniform(0.3, h - 0.3), scene.field.surface])
    rise = float(rng.uniform(0.35, 1.3))
    target += (np.array([0.0, 0.0, 1.0]) if eye is None else (eye - target) / (eye[2] - target[2])) * rise
    angle = float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.cos(angle), np.sin(angle), float(rng.uniform(0.05, 0.22))])
    side = np.array([-way[1], way[0], 0.0])
    balls: list[Ball] = []

    def limb(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], ra: float, rb: float, color: Color) -> None:
        count = max(2, int(np.linalg.norm(b - a) / (0.22 * min(ra, rb) + 0.02)))
        for t in np.linspace(0, 1, min(count, 150)):
            p = a + (b - a) * t
            balls.append(Ball((float(p[0]), float(p[1]), float(p[2])), float(ra + (rb - ra) * t), color))

    kind = rng.random()
    if kind < 0.25:  # a stick, thin or stout, straight through the air
        thick = float(np.exp(rng.uniform(np.log(0.05), np.log(0.22))))
        limb(target, target + way * 14, thick * float(rng.uniform(0.5, 1.0)), thick, style.sleeve)
        return balls
    if kind < 0.35:  # a sleeve without a hand
        limb(target, target + way * 14, float(rng.uniform(0.45, 0.7)), float(rng.uniform(0.6, 1.0)), style.sleeve)
        return balls
    size = float(rng.uniform(0.75, 1.25))
    palm = target + way * 1.5 * size
    wrist = palm + way * 1.0 * size
    bend = float(rng.uniform(0, 1))
    for k in range(-2, 2):
        root = palm - way * 0.4 * size + side * (k + 0.5) * 0.38 * size
        reach = float(rng.uniform(0.7, 1.2)) * size * (1 - 0.55 * bend)
        tip = root - way * reach + side * (k + 0.5) * 0.1 * size
        tip[2] = target[2] - 0.1 * bend
        limb(root, tip, 0.22 * size, 0.17 * size, style.skin)
    thumb_side = 1 if rng.random() < 0.5 else -1
    thumb = palm + side * 0.75 * size * thumb_side
    limb(thumb, thumb - way * 0.7 * size, 0.24 * size, 0.18 * size, style.skin)
    limb(palm - side * 0.45 * size, palm + side * 0.45 * size, 0.5 * size, 0.5 * size, style.skin)
    limb(palm, wrist, 0.55 * size, 0.42 * size, style.skin)
    cuff = float(rng.uniform(0.2, 4.0))
    limb(wrist, wrist + way * cuff, 0.42 * size, 0.52 * size, style.skin)
    limb(wrist + way * cuff, wrist + way * (cuff + 14), 0.62 * size, 0.9 * size, style.sleeve)
    return balls
