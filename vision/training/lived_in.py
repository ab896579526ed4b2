"""What photographs show and a plainly drawn table lacks: woven, wooden and shiny mats, squares each cut from another
board, strong grain, wide holes, worn print; and cameras that get colors, edges and compression wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points

import numpy as np
import numpy.typing as npt

from vision.fields import MARKER_MARGIN, MARKER_SIDE, Field, Floats
from vision.simulate.pieces import COURSES
from vision.simulate.scene import MAT_EDGE, Map, Scene, box, noise, wood
from vision.simulate.style import ASIDE, Color, Illumination, Lens, Rng, Style, shade

TYPEFACES = ("Roboto", "SourceS", "Fredoka", "Intuitive")


def worn(rng: Rng, style: Style) -> Style:
    """The same maker's pieces after some years, or from a shop: plastic shines, a tetrod's hole is wide. Letters,
    arrows and pips of the families kept aside stay their own."""
    changed = replace(
        style,
        gloss=float(rng.uniform(0, 1)) ** 0.8 * float(rng.choice([1.0, 1.0, 2.0, 4.0])),
        tetrod_hole=float(rng.uniform(0.205, 0.29)) if rng.random() < 0.75 else 0.0,
        token_ring=bool(rng.random() < 0.3),
        tile_ink=_darkened(rng, style.tile_ink),
        blue=shade(rng, (200, 248), (0.4, 1.0), (0.25, 0.95)),
        mushroom=_darkened(rng, style.mushroom),
        wear=worn,
    )
    if style.family in ASIDE:
        return changed
    press = rng.spawn(1)[0]  # what is printed must not change what else lies on the table
    if press.random() < 0.6:
        changed = _otherwise_printed(press, changed)
    return replace(
        changed,
        letter=style.letter if rng.random() < 0.35 else _type(rng),
        letter_bend=float(rng.uniform(0, 0.05)) if rng.random() < 0.4 else 0.0,
        arrow=style.arrow if rng.random() < 0.65 else str(rng.choice(["brush", "club", "dart"])),
        pip=style.pip if rng.random() < 0.85 else "hexagon",
        plank_red=_darkened(rng, style.plank_red),
        plank_blue=_darkened(rng, style.plank_blue),
        die_red=_darkened(rng, style.die_red),
    )


def _otherwise_printed(rng: Rng, style: Style) -> Style:
    """The same tiles from another press: arrows of other proportions, mostly drawn in a curve, in more or less ink,
    which may be gray or colored, on tinted card."""

    def between(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    return replace(
        style,
        arrow_width=between(0.025, 0.14),
        arrow_head=between(0.08, 0.24),
        arrow_spread=between(0.35, 1.0),
        arrow_reach=between(0.29, 0.48),
        arrow_bend=between(0.06, 0.38) * float(rng.choice([-1, 1])) if rng.random() < 0.7 else 0.0,
        arrow_course=str(rng.choice(sorted(COURSES))),
        print_gain=between(-0.006, 0.018),
        tile_ink=style.tile_ink if rng.random() < 0.6 else shade(rng, (0, 360), (0.0, 0.6), (0.25, 0.55)),
        tile_white=style.tile_white if rng.random() < 0.6 else shade(rng, (0, 360), (0.05, 0.3), (0.75, 0.97)),
    )


@cache
def _typefaces() -> tuple[str, ...]:
    """The printers' types of the packages that training installs (OFL and Apache 2.0), none ships with the project."""
    files: dict[str, str] = {}
    for entry in entry_points(group="fonts_ttf"):
        found = entry.load()
        files.update(found if isinstance(found, dict) else {entry.name: found})
    return tuple(files[name] for name in sorted(files) if name.startswith(TYPEFACES) and "Thin" not in name)


def _type(rng: Rng) -> str:
    faces = _typefaces()
    if faces and rng.random() < 0.7:
        return f"printed {faces[int(rng.integers(len(faces)))]}"
    return str(rng.choice(["printed", "printed italic"]))


def mirrored(rng: Rng, light: Illumination, field: Field, eye: Floats) -> Illumination:
    """The same light, where every other time a lamp hangs so that what shines on the field mirrors it to the camera."""
    if rng.random() < 0.5:
        return light
    spot = np.array([rng.uniform(0, field.columns), rng.uniform(0, field.rows), field.surface])
    away = spot - eye
    by = float(rng.uniform(6, 16)) / float(eye[2] - field.surface)
    at = (float(spot[0] + by * away[0]), float(spot[1] + by * away[1]), float(field.surface - by * away[2]))
    first, *others = light.lamps
    lamp = replace(first, at=at, power=float(rng.uniform(0.5, 1.0)), size=float(rng.choice([0.4, 1.0, 2.0, 4.0])))
    return replace(light, lamps=(lamp, *others))


def _darkened(rng: Rng, color: Color) -> Color:
    by = float(rng.uniform(0.4, 1))
    return color[0] * by, color[1] * by, color[2] * by


def furnish(rng: Rng, scene: Scene) -> None:
    """Gives the mat, the board and what is printed the unevenness of real ones, before pieces are laid."""
    field, shape, ppu = scene.field, scene.height.shape, scene.ppu
    middle = scene.patch(field.columns / 2, field.rows / 2, max(shape) / ppu)
    edge = box(middle.u, middle.v, field.columns / 2 + MAT_EDGE, field.rows / 2 + MAT_EDGE, 0.3)
    board = box(middle.u, middle.v, field.columns / 2, field.rows / 2)
    mat = edge < 0
    if field.name in ("seven", "faces"):
        mat &= board > 0
        if rng.random() < 0.7:
            _grain(rng, scene, board < 0)
        if rng.random() < (0.6 if field.name == "faces" else 0.3):
            _each_square_its_own(rng, scene)
        if rng.random() < 0.4:  # varnished
            scene.gloss[board < 0] = float(rng.uniform(0.1, 0.8))
    half = MARKER_SIDE / 2 + MARKER_MARGIN
    for marker in field.markers:
        x, y = field.marker_corners(marker)[:, :2].mean(axis=0)
        patch = scene.patch(float(x), float(y), half + 0.1)
        mat[patch.window] &= box(patch.u, patch.v, half, half) > 0
    if rng.random() < 0.75:
        scene.albedo[mat] = np.clip(scene.albedo[mat] * _cloth(rng, shape, ppu)[mat], 0, 0.95)
    if rng.random() < 0.5:  # rubber, oilcloth, a varnished plate
        scene.gloss[mat] = float(rng.uniform(0.1, 0.9))
    scene.albedo *= np.clip(1 + float(rng.uniform(0, 0.05)) * noise(rng, shape, (2, 2), 1), 0.6, 1.4)[..., None]


def _cloth(rng: Rng, shape: tuple[int, ...], ppu: float) -> Map:
    """What a mat's one color is multiplied with: threads of two colors, wood, felt, stone."""
    size = (shape[0], shape[1])
    kind = str(rng.choice(["weave", "coarse", "wood", "felt", "stone"]))
    rows, columns = (np.arange(n, dtype=np.float32)[:, None] / ppu for n in size)
    if kind in ("weave", "coarse"):
        pitch = float(rng.uniform(30, 90) if kind == "weave" else rng.uniform(12, 30))
        along, across = noise(rng, size, (2, ppu * 0.8), 1), noise(rng, size, (ppu * 0.8, 2), 1)
        over = np.sin(rows * pitch) * np.sin(columns.T * pitch + np.pi * (np.floor(rows * pitch / np.pi) % 2))
        deep = float(rng.uniform(0.1, 0.5))
        value = 1 + deep * (0.6 * over + 0.5 * np.where(over > 0, along, across))
        tint = np.exp(rng.normal(0, 0.35, 3) * float(rng.random() < 0.5))  # the other thread's color
        share = np.clip(0.5 + 0.5 * over + 0.3 * along, 0, 1)[..., None]
        return np.asarray(np.clip(value, 0.15, 2.2)[..., None] * (1 - share + share * tint), np.float32)
    if kind == "wood":
        light: Color = (1.0, 1.0, 1.0)
        by = float(rng.uniform(0.35, 0.8))
        grain = str(rng.choice(["straight", "rings", "wavy"]))
        return wood(
            rng, size, ppu, grain, light, (by, by, by), float(rng.uniform(0.5, 1.2)), float(rng.uniform(0, 180))
        )
    spread, coarse = (float(rng.uniform(0.05, 0.2)), 0.12) if kind == "felt" else (float(rng.uniform(0.1, 0.35)), 0.7)
    value = 1 + spread * noise(rng, size, (ppu * coarse, ppu * coarse), 3)
    return np.asarray(np.clip(value, 0.2, 2)[..., None] * np.ones(3, np.float32), np.float32)


def _grain(rng: Rng, scene: Scene, where: npt.NDArray[np.bool_]) -> None:
    by = float(rng.uniform(0.4, 0.9))
    dark = (by * by, by, by ** float(rng.uniform(0.6, 1)))
    kind, angle = str(rng.choice(["straight", "rings", "wavy"])), float(rng.choice([0.0, 90.0, rng.uniform(0, 180)]))
    shape = (scene.height.shape[0], scene.height.shape[1])
    lines = wood(rng, shape, scene.ppu, kind, (1.0, 1.0, 1.0), dark, float(rng.uniform(0.6, 1.6)), angle)
    scene.albedo[where] *= lines[where]


def _each_square_its_own(rng: Rng, scene: Scene) -> None:
    spread = float(rng.uniform(0.03, 0.3))
    for column in range(scene.field.columns):
        for row in range(scene.field.rows):
            patch = scene.patch(column + 0.5, row + 0.5, 0.5)
            inside = box(patch.u, patch.v, 0.5, 0.5) < 0
            tone = np.exp(rng.normal(0, spread) + rng.normal(0, spread * 0.35, 3))
            view = scene.albedo[patch.window]
            view[inside] = np.clip(view[inside] * tone.astype(np.float32), 0, 0.95)


def careless(rng: Rng, lens: Lens) -> Lens:
    """The same camera, set worse: a white balance for another lamp, halos around edges, few bytes a picture."""
    gains = np.exp(rng.normal(0, 0.13, 2))
    motion = lens.motion * float(rng.uniform(1, 1.6))
    return replace(
        lens,
        white_balance=(float(gains[0]), 1.0, float(gains[1])),
        sharpen=float(rng.uniform(0.4, 1.6)) if rng.random() < 0.4 else lens.sharpen,
        quality=int(rng.integers(28, 60)) if rng.random() < 0.3 else lens.quality,
        contrast=float(rng.uniform(0.0, 0.7)),
        motion=motion,
    )
