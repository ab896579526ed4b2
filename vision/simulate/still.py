"""The still table before a simulated camera: rendered once, then only where something has changed.

Work is done in slices (generators), so that whoever shows the table can spread it over frames.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TypeVar
from zlib import crc32

import cv2
import numpy as np

from vision.fields import Field, usual_field
from vision.pose import Image, Pose
from vision.simulate import pieces
from vision.simulate.camera import look_at, random_pose
from vision.simulate.layout import Layout
from vision.simulate.pieces import Row
from vision.simulate.plan import StagePlan
from vision.simulate.render import busy, exposed, lit, rays_of
from vision.simulate.scene import MAT_EDGE, REACH, Map, Scene, Window, bare_table, box
from vision.simulate.style import (
    FAMILIES,
    Illumination,
    Lamp,
    Lens,
    Rng,
    Style,
    linear,
    random_lens,
    random_light,
    random_style,
    warmth,
)

SOFT = 6  # pixels around a window that the lens's softness reaches
BLOCK = 8  # map pixels: how finely changes are told apart
STRIPE = 60  # rows of a picture that are rendered in one slice
TOPS = {"seven": 0.85, "faces": 1.05, "tiles": 0.6, "planks": 0.6}  # how high things stand whose shadows count
TRIES = 12  # knocks of which the gentlest is taken
THINGS = ("mug", "phone", "box")
MATS = ((0.16, 0.34, 0.29), (0.17, 0.24, 0.38), (0.36, 0.35, 0.34), (0.42, 0.17, 0.19))

T = TypeVar("T")


@dataclass(frozen=True)
class Piece:
    """What a hand carries: a cut-out of the table seen from above, its north-west corner, and its height."""

    picture: Image
    opacity: Image
    shadow: Image
    west: float
    north: float
    ppu: float
    top: float

    @property
    def middle(self) -> tuple[float, float]:
        high, wide = self.opacity.shape
        return self.west + wide / 2 / self.ppu, self.north - high / 2 / self.ppu


@dataclass(frozen=True)
class Spot:
    """A place where the table has become different: the part of the maps, its middle, what came or went."""

    place: Window
    at: tuple[float, float]
    put: bool  # something has come; else something has gone
    piece: Piece | None


@dataclass(frozen=True)
class Change:
    """A part of the picture that has become different."""

    window: Window
    image: Image


@dataclass(frozen=True)
class Room:
    """What a table looks like, and from where it is seen."""

    style: Style
    light: Illumination
    lens: Lens
    pose: Pose


def friendly_room(rng: Rng, field: Field, size: tuple[int, int]) -> Room:
    """A wooden table in good light, seen from the first player's seat; the long mat from its side."""

    def bgr(red: float, green: float, blue: float) -> tuple[float, float, float]:
        return linear(blue), linear(green), linear(red)

    def one(*choices: tuple[float, float, float]) -> tuple[float, float, float]:
        return bgr(*choices[int(rng.integers(len(choices)))])

    some = random_style(rng, str(rng.choice(FAMILIES)))
    style = replace(
        some,
        table="planed",
        table_color=one((0.66, 0.47, 0.31), (0.58, 0.39, 0.25), (0.72, 0.55, 0.38)),
        # a mat as brown or gray as a tile would hide it
        mat_color=one(*MATS[: 2 if field.name == "tiles" else 4]),
        mat_noise=0.05,
        mat_lines=0.8,
        wood=str(rng.choice(["straight", "wavy"])),
        wood_light=bgr(0.88, 0.74, 0.55),
        wood_dark=bgr(0.62, 0.46, 0.30),
        grain=float(rng.uniform(0.25, 0.45)),
        line_width=0.03,
        line_depth=0.7,
        check_dark=bgr(0.42, 0.27, 0.17),
        black=bgr(0.15, 0.15, 0.16),
        mushroom=bgr(0.10, 0.10, 0.10),
        blue=bgr(0.15, 0.33, 0.68),
        peg=bgr(0.80, 0.16, 0.14),
        gloss=0.12,
        sheen=0.08,
        pip="round",
        die_white=bgr(0.93, 0.91, 0.85),
        die_red=bgr(0.76, 0.13, 0.13),
        pip_on_white=bgr(0.08, 0.08, 0.09),
        tile_white=bgr(0.93, 0.92, 0.88),
        tile_ink=bgr(0.10, 0.10, 0.12),
        arrow=str(rng.choice(["straight", "barbed"])),
        arrow_width=0.075,
        arrow_head=0.16,
        arrow_reach=0.41,
        pawn_clear=0.6,
        tile_down=bgr(0.48, 0.33, 0.20),
        plank_red=bgr(0.80, 0.13, 0.13),
        plank_white=bgr(0.94, 0.93, 0.90),
        plank_blue=bgr(0.16, 0.30, 0.68),
        plank_border=0.02,
        letter="sans",
        letter_size=0.46,
        letter_weight=0.075,
        letter_aspect=1.0,
        letter_lean=0.0,
        place_jitter=0.014,
        turn_jitter=1.2,
    )
    middle = (field.columns / 2, field.rows / 2)
    turn = float(rng.choice([-1, 1])) * float(rng.uniform(0.9, 1.4))
    away = float(rng.uniform(5.5, 7.0))
    lamp = Lamp(
        (middle[0] + away * float(np.sin(turn)), middle[1] + away * float(np.cos(turn)), float(rng.uniform(10.5, 12))),
        0.62,
        warmth(float(rng.uniform(4300, 5600))),
        2.0,
    )
    level, tint = 0.36, warmth(6300)
    light = Illumination((level * tint[0], level * tint[1], level * tint[2]), (lamp,))
    lens = Lens(
        exposure=1.18,
        white_balance=(1.09, 1.0, 0.97),
        gamma=1.0,
        contrast=0.18,
        saturation=1.04,
        vignette=0.12,
        blur=0.7,
        motion=0.0,
        motion_angle=0.0,
        noise=1.7,
        noise_grain=0.4,
        sharpen=0.25,
        quality=95,
    )
    side = float(rng.choice([90, 270])) if field.name == "planks" else 0.0
    pose = look_at(
        field,
        size,
        hfov=float(rng.uniform(50, 60)),
        tilt=float(rng.uniform(16, 28)),
        azimuth=side + float(rng.uniform(-5, 5)),
        roll=float(rng.uniform(-1, 1)),
        fill=float(rng.uniform(0.86, 0.91)),
        k1=float(rng.normal(0, 0.01)),
    )
    return Room(style, light, lens, pose)


def room_of_family(rng: Rng, field: Field, size: tuple[int, int], family: str) -> Room:
    """Any table of a family, as readers meet them in training; still pictures are not blurred by motion."""
    style = random_style(rng, family)
    pose = random_pose(rng, field, size)
    light = random_light(rng, (field.columns / 2, field.rows / 2))
    return Room(style, light, replace(random_lens(rng), motion=0.0), pose)


class Still:
    """The table as it stands. `picture` is what the camera sees of it, before noise."""

    def __init__(self, plan: StagePlan) -> None:
        self.seed, family, size = plan.seed, plan.family, plan.size
        rng = np.random.default_rng([self.seed, 1])
        self.field = usual_field(plan.labels.field)
        self.room = room_of_family(rng, self.field, size, family) if family else friendly_room(rng, self.field, size)
        ppu = _halved(self.field, float(np.clip(self.room.pose.cell_pixels * 0.95, 32, 64)))
        self._bare = bare_table(rng, self.field, self.room.style, ppu)
        if family is None:
            self._beside(rng)
        around = (self._bare.albedo == self._bare.ground).all(axis=2)
        pieces.spots(rng, self._bare)
        self._bare.ground[around] = self._bare.albedo[around]  # the table goes on beyond the scene as it is within
        self._row = Row(float(rng.uniform(2.8, 3.2)), float(rng.uniform(5.5, 6.5)), float(rng.normal(0, 0.5)))
        self._span = (0.0, TOPS[self.field.name])
        self._scene = self._bare
        self._moved: tuple[Map, Map] | None = None  # how the mat was pushed, until that is rendered
        high, wide = self._bare.height.shape
        self._shining = self._lit((slice(0, high), slice(0, wide)))
        _even_edges(self._shining, int(ppu))
        self.picture = finish(self.rendered(self.room.pose))

    def _beside(self, rng: Rng) -> None:
        """A mug and a pencil on the table, well away from field and markers."""
        w, h = self.field.columns, self.field.rows
        self._bare.gloss[self._bare.gloss == self._bare.gloss[0, 0]] = 0.0  # the table around shows no lamps either
        if self.field.name == "planks":
            pieces.pencil(self._bare, -2.5, h * float(rng.uniform(0.3, 0.6)), float(rng.uniform(70, 110)))
            return
        west = rng.random() < 0.5
        pieces.put(rng, self._bare, "mug", -2.35 if west else w + 2.35, h * float(rng.uniform(0.55, 0.8)))
        pieces.pencil(
            self._bare, w + 2.5 if west else -2.5, h * float(rng.uniform(0.3, 0.6)), float(rng.uniform(65, 115))
        )

    # --- light and rays

    def _chance(self, name: str) -> Rng:
        return np.random.default_rng([self.seed, crc32(name.encode())])

    @property
    def _reach(self) -> float:
        """How far a change can throw its shadow, in cells."""
        middle = (self.field.columns / 2, self.field.rows / 2)
        leans = [
            (np.hypot(lamp.at[0] - middle[0], lamp.at[1] - middle[1]) + 4 + lamp.size) / lamp.at[2]
            for lamp in self.room.light.lamps
        ]
        return 0.25 + self._span[1] * float(max(leans))

    def _lit(self, window: Window) -> Map:
        """The light on a part of the scene; soft lamps are sampled always in the same way."""
        grow = 2 * int((self._reach + 0.6) * self._scene.ppu / 2)
        high, wide = self._scene.height.shape
        top, left = max(0, window[0].start - grow) & ~1, max(0, window[1].start - grow) & ~1
        bottom, right = ((stop + grow + 1) & ~1 for stop in (window[0].stop, window[1].stop))
        around = (slice(top, min(high, bottom)), slice(left, min(wide, right)))
        light = lit(np.random.default_rng(self.seed), self._scene.crop(around), self.room.light, span=self._span)
        return light[
            window[0].start - top : window[0].stop - top,
            window[1].start - left : window[1].stop - left,
        ]

    def _seen(self, window: Window) -> Image:
        """A part of the picture, as the camera sees the scene that now lies there."""
        room, (wide, high) = self.room, self.room.pose.size
        top, left = max(0, window[0].start - SOFT), max(0, window[1].start - SOFT)
        around = (slice(top, min(high, window[0].stop + SOFT)), slice(left, min(wide, window[1].stop + SOFT)))
        color, _ = busy(self._scene, rays_of(room.pose, around), room.pose, room.light, room.style, self._shining)
        seen = exposed(color, room.lens, room.pose.size, around)
        inner = seen[window[0].start - top : window[0].stop - top, window[1].start - left : window[1].stop - left]
        return np.asarray(np.clip(inner + 0.5, 0, 255), np.uint8)

    def rendered(self, pose: Pose) -> Generator[None, None, Image]:
        """The whole picture from a pose, which becomes the table's."""
        if self._moved is not None:
            self._ground_stays(*self._moved)
            self._moved = None
            yield
        self.room = replace(self.room, pose=pose)
        wide, high = pose.size
        stripes = []
        for top in range(0, high, STRIPE):
            stripes.append(self._seen((slice(top, min(high, top + STRIPE)), slice(0, wide))))
            yield
        return np.concatenate(stripes)

    # --- changes

    def laying(self, layout: Layout, covered: int | None = None) -> Generator[None, None, list[Spot]]:
        """Lays this on the table; `covered` is the place of a hidden marker. The picture is rendered later."""
        before, scene = self._scene, self._bare.bare_copy()
        row = self._pushed(layout) if layout.labels.field == "planks" else self._row
        yield from pieces.laying(
            self._chance, scene, replace(layout, visible=dict(layout.visible)), self.room.style, row
        )
        if covered is not None:
            self._put_on_marker(scene, covered)
        yield
        self._scene, self._row = scene, row
        spots = [self._spot(before, scene, place) for place in self._boxes(before, scene)]
        return sorted(spots, key=lambda spot: spot.put)

    def _spot(self, before: Scene, scene: Scene, place: Window) -> Spot:
        rows, columns = place
        new, old = scene.height[place], before.height[place]
        higher = float(np.maximum(new - old, 0).sum()) + _glass(scene, before, place)
        lower = float(np.maximum(old - new, 0).sum()) + _glass(before, scene, place)
        put = higher >= lower
        x = scene.west + (columns.start + columns.stop) / 2 / scene.ppu
        y = scene.north - (rows.start + rows.stop) / 2 / scene.ppu
        piece = self._cut(scene if put else before, before if put else scene, place)
        return Spot(place, piece.middle if piece else (x, y), put, piece)

    def changes(self, spots: list[Spot]) -> Generator[None, None, list[Change]]:
        """The picture's parts at these spots, in their order."""
        found = []
        for spot in spots:
            self._shining[spot.place] = self._lit(spot.place)
            yield
            window = self._window(spot.place)
            stripes = []
            for top in range(window[0].start, window[0].stop, STRIPE * 3):
                stripes.append(self._seen((slice(top, min(window[0].stop, top + STRIPE * 3)), window[1])))
                yield
            found.append(Change(window, np.concatenate(stripes)))
        return found

    def _put_on_marker(self, scene: Scene, place: int) -> None:
        corners = self.field.marker_corners(self.field.markers[place])
        rng = self._chance(f"cover {place}")
        kind = THINGS[int(rng.integers(len(THINGS)))]
        out = 0.18 * np.sign(corners[:, :2].mean(axis=0) - [self.field.columns / 2, self.field.rows / 2])
        x, y = corners[:, :2].mean(axis=0) + (out if kind == "mug" else 2.5 * out)
        pieces.put(rng, scene, kind, float(x), float(y))

    def _pushed(self, layout: Layout) -> Row:
        """The row where it lies, or pushed along so that it stays inside its area."""
        row, pitch = self._row, 1.03
        low = row.y + layout.south * pitch
        high = row.y + (layout.south + len(layout.visible["planks"])) * pitch
        room = self.field.rows - 0.15
        if low < 0.15:
            return replace(row, y=row.y + min(0.15 - low + 1.5, max(0.15 - low, room - high)))
        if high > room:
            return replace(row, y=row.y - min(high - room + 1.5, max(high - room, low - 0.15)))
        return row

    def _boxes(self, before: Scene, after: Scene) -> list[Window]:
        """The parts of the maps in which two scenes look different, with the reach of their shadows."""
        off = cv2.cvtColor(cv2.absdiff(before.albedo, after.albedo), cv2.COLOR_BGR2GRAY)
        off = cv2.max(off, cv2.absdiff(before.height, after.height))
        for map_ in ("glass", "glass_tint"):
            a, b = getattr(before, map_), getattr(after, map_)
            if a is not None or b is not None:
                usual = 0.0 if map_ == "glass" else 1.0
                one, two = (np.full(b.shape, usual, np.float32) if m is None else m for m in (a, b))
                differs = cv2.absdiff(one, two)
                off = cv2.max(off, differs if differs.ndim == 2 else cv2.cvtColor(differs, cv2.COLOR_BGR2GRAY))
        high, wide = off.shape
        coarse = cv2.resize(
            (off > 1e-4).astype(np.float32), (-(-wide // BLOCK), -(-high // BLOCK)), interpolation=cv2.INTER_AREA
        )
        mask = (coarse > 0).astype(np.uint8)
        reach = round(self._reach * after.ppu / BLOCK)
        grown = cv2.dilate(mask, np.ones((3, 3), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(grown)
        boxes = []
        for left, top, w, h, _ in stats[1:count]:
            rows = slice(max(0, int(top - reach)) * BLOCK, min(high, int(top + h + reach) * BLOCK))
            columns = slice(max(0, int(left - reach)) * BLOCK, min(wide, int(left + w + reach) * BLOCK))
            boxes.append((rows, columns))
        return self._apart(boxes)

    def _apart(self, boxes: list[Window]) -> list[Window]:
        """Boxes whose windows in the picture overlap become one."""
        for n, one in enumerate(boxes):
            for m in range(n + 1, len(boxes)):
                other = boxes[m]
                if _overlap(self._window(one), self._window(other)):
                    both = (_union(one[0], other[0]), _union(one[1], other[1]))
                    return self._apart([both, *(b for k, b in enumerate(boxes) if k not in (n, m))])
        return boxes

    def _window(self, place: Window) -> Window:
        """The part of the picture in which a part of the maps can be seen."""
        scene = self._scene
        xs = [scene.west + column / scene.ppu for column in (place[1].start, place[1].stop)]
        ys = [scene.north - row / scene.ppu for row in (place[0].start, place[0].stop)]
        corners = np.array([[x, y, z] for x in xs for y in ys for z in (0.0, self._span[1] + 0.1)])
        pixels = self.room.pose.project(corners)
        wide, high = self.room.pose.size
        (left, top), (right, bottom) = pixels.min(axis=0) - 2, pixels.max(axis=0) + 3
        rows = slice(int(np.clip(top, 0, high - 2)), int(np.clip(bottom, 2, high)))
        return rows, slice(int(np.clip(left, 0, wide - 2)), int(np.clip(right, 2, wide)))

    def _cut(self, has: Scene, lacks: Scene, place: Window) -> Piece | None:
        """The piece that one scene has and another lacks, cut out as it looks from above."""
        height = has.height[place]
        there = (height - lacks.height[place] > 0.015).astype(np.float32)
        glass = has.glass[place] if has.glass is not None else None
        albedo = has.albedo[place]
        if glass is not None and has.glass_tint is not None and not there.any():
            other = lacks.glass[place] if lacks.glass is not None else np.zeros_like(glass)
            there = ((glass > 0) & (other == 0)).astype(np.float32)
            albedo = has.glass_tint[place] * np.float32(0.55)
            height = glass
        rows, columns = np.nonzero(there)
        if not rows.size or np.ptp(rows) * np.ptp(columns) > (3.4 * has.ppu) ** 2:
            return None
        edge = round(0.15 * has.ppu)  # room for a soft edge
        top, left = max(0, int(rows.min()) - edge), max(0, int(columns.min()) - edge)
        inner = (slice(top, int(rows.max()) + edge + 1), slice(left, int(columns.max()) + edge + 1))
        light = np.asarray(self.room.light.ambient, np.float32) + sum(
            np.asarray(lamp.color, np.float32) * lamp.power * 0.9 for lamp in self.room.light.lamps
        )
        color = np.asarray(albedo[inner] * light, np.float32)
        plain = replace(self.room.lens, vignette=0.0, sharpen=0.0)
        picture = exposed(color, plain, color.shape[1::-1], (slice(0, color.shape[0]), slice(0, color.shape[1])))
        clear = 0.75 if glass is not None and height is glass else 1.0
        opacity = cv2.GaussianBlur(cv2.erode(there[inner], np.ones((3, 3), np.uint8)), (0, 0), 0.7) * clear
        shadow = cv2.GaussianBlur(opacity, (0, 0), 0.06 * has.ppu)
        north = has.north - (place[0].start + top) / has.ppu
        west = has.west + (place[1].start + left) / has.ppu
        return Piece(
            np.clip(picture * opacity[..., None], 0, 255).astype(np.uint8),
            (255 * opacity).astype(np.uint8),
            (255 * shadow).astype(np.uint8),
            west,
            north,
            has.ppu,
            float(height[inner].max()),
        )

    def paste(self, change: Change) -> None:
        self.picture[change.window] = change.image

    # --- bumps

    def camera_turned(self, rng: Rng) -> tuple[Pose, Map]:
        """The pose after a knock against the camera, and how the picture moves: a turn of the camera alone."""
        pose = self.room.pose
        cell = pose.cell_pixels / float(pose.matrix[0, 0])
        tries = []
        for _ in range(TRIES):
            by = rng.uniform(0.1, 1.0, 2) * rng.choice([-1, 1], 2) * cell
            turn = cv2.Rodrigues(np.array([by[0], by[1], float(rng.normal(0, 0.012))]))[0]
            rvec = np.asarray(np.ravel(cv2.Rodrigues(turn @ pose.rotation)[0]), np.float64)
            moved = replace(pose, rvec=rvec, tvec=turn @ pose.tvec)
            tries.append((moved, np.asarray(pose.matrix @ turn @ np.linalg.inv(pose.matrix))))
        return min(tries, key=lambda tried: self._out_of_sight(tried[0]))

    def board_shifted(self, rng: Rng) -> tuple[Pose, Map]:
        """The pose after the mat was pushed on the table, and how its plane moves in the picture."""
        pose, (w, h) = self.room.pose, (self.field.columns, self.field.rows)
        middle = np.array([w / 2, h / 2, 0.0])
        tries = []
        for _ in range(TRIES):
            by = rng.uniform(0.12, 0.3, 2) * rng.choice([-1, 1], 2)
            angle = float(np.radians(rng.uniform(0.6, 1.8) * rng.choice([-1, 1])))
            c, s = float(np.cos(angle)), float(np.sin(angle))
            turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            shift = middle - turn @ middle + [by[0], by[1], 0.0]
            rvec = np.asarray(np.ravel(cv2.Rodrigues(pose.rotation @ turn)[0]), np.float64)
            tries.append((replace(pose, rvec=rvec, tvec=pose.rotation @ shift + pose.tvec), (turn, shift)))
        moved, self._moved = min(tries, key=lambda tried: self._out_of_sight(tried[0]))
        plane = np.linalg.inv(pose.plane_to_picture(0.0, 1.5))
        return moved, np.asarray(moved.plane_to_picture(0.0, 1.5) @ plane)

    def _out_of_sight(self, pose: Pose) -> float:
        """How far the markers reach over the picture's edge, in pixels: many bumps must not push them out."""
        corners = np.concatenate([self.field.marker_corners(marker) for marker in self.field.markers])
        pixels, edge = pose.project(corners), 0.015 * pose.size[0]
        over = np.maximum(edge - pixels, pixels - (np.array(pose.size) - edge))
        return float(max(0.0, over.max()))

    def _ground_stays(self, turn: Map, shift: Map) -> None:
        """The table's own grain where it was, under a mat that has moved on it."""
        scene = self._bare
        to_map = np.array(
            [[scene.ppu, 0, -scene.west * scene.ppu], [0, -scene.ppu, scene.north * scene.ppu], [0, 0, 1]]
        )
        move = np.array([[turn[0, 0], turn[0, 1], shift[0]], [turn[1, 0], turn[1, 1], shift[1]], [0, 0, 1]])
        affine = (to_map @ move @ np.linalg.inv(to_map))[:2]
        ground = cv2.warpAffine(
            scene.ground,
            affine,
            scene.height.shape[::-1],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REFLECT_101,
        )
        w, h = self.field.columns, self.field.rows
        whole = scene.patch(w / 2, h / 2, max(scene.height.shape) / scene.ppu)
        mat = np.clip(0.5 - box(whole.u, whole.v, w / 2 + MAT_EDGE, h / 2 + MAT_EDGE, 0.3) * scene.ppu, 0, 1)
        for each in {id(s): s for s in (self._bare, self._scene)}.values():
            bare = ((1 - mat) * (each.height == 0))[..., None]
            each.albedo += (ground - each.albedo) * bare
            each.ground = np.asarray(ground, np.float32)

    def mat_outline(self, pose: Pose) -> Map:
        """The mat's corners in the picture."""
        w, h, m = self.field.columns, self.field.rows, MAT_EDGE
        return pose.project(np.array([[-m, h + m, 0], [w + m, h + m, 0], [w + m, -m, 0], [-m, -m, 0]]))


def _halved(field: Field, ppu: float) -> float:
    """A fineness at which the maps' sides are even: light is found at half of it, for parts as for the whole."""
    sides = (field.columns + 2 * REACH, field.rows + 2 * REACH)
    return next(p for n in range(10000) if not any(round(side * (p := ppu - 0.01 * n)) % 2 for side in sides))


def _even_edges(light: Map, wide: int) -> None:
    """The table around the scene is lit as its edges are: no single shadow must run on there for ever."""
    gap = np.ones((1, 3 * wide), np.uint8)
    for strip in (light[:1], light[-1:], light[:, :1].transpose(1, 0, 2), light[:, -1:].transpose(1, 0, 2)):
        closed = cv2.morphologyEx(np.ascontiguousarray(strip), cv2.MORPH_CLOSE, gap, borderType=cv2.BORDER_REPLICATE)
        strip[:] = cv2.blur(closed, (wide, 1), borderType=cv2.BORDER_REPLICATE)


def _glass(has: Scene, lacks: Scene, place: Window) -> float:
    """How much clear plastic one scene has that another lacks."""
    if has.glass is None:
        return 0.0
    other = 0.0 if lacks.glass is None else lacks.glass[place]
    return float(np.maximum(has.glass[place] - other, 0).sum())


def _overlap(a: Window, b: Window) -> bool:
    return all(one.start < two.stop and two.start < one.stop for one, two in zip(a, b, strict=True))


def _union(a: slice, b: slice) -> slice:
    return slice(min(a.start, b.start), max(a.stop, b.stop))


def finish(work: Generator[None, None, T]) -> T:
    """All slices of a piece of work at once."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: T = done.value
            return result
