"""A simulated table before a simulated camera: hands come and go, things are laid, light changes, frames follow.

Nothing runs by itself: time goes on when a frame is asked for. What is expensive, the still table, is rendered
only where it changes, and while the hand is on its way; hands, shadows, light and noise are laid over it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import cv2
import numpy as np

from vision.pose import Image, Pose
from vision.simulate.hand import Hand, draw_hand, shadow_on
from vision.simulate.layout import Layout, bare_layout
from vision.simulate.plan import StagePlan
from vision.simulate.scene import Map, Window
from vision.simulate.still import Change, Piece, Spot, Still, finish
from vision.simulate.style import Color, linear

COMING, CHANGING, GOING = 0.6, 0.6, 0.6  # seconds
UNSEEN = 0.2  # seconds in which a coming hand is still out of sight
FADING = 1.0
JOLT, BUMPED = 0.4, 1.5
SLICE = 0.018  # seconds of a frame that may go into work ahead
LIGHTS: dict[str, Color] = {
    "usual": (1.0, 1.0, 1.0),
    "dim": (0.36, 0.38, 0.40),
    "bright": (1.4, 1.4, 1.4),
    "warm": (0.60, 0.92, 1.12),
    "cold": (1.22, 1.02, 0.84),
}
SKINS = ((235, 198, 172), (222, 178, 148), (198, 148, 112), (160, 110, 78), (118, 78, 56), (84, 56, 42))
SLEEVES = ((62, 84, 128), (96, 104, 112), (140, 62, 58), (58, 92, 78), (206, 200, 188))
# Where the arms of so many players come from, in degrees: 0 south, 90 east.
SIDES = {1: (0.0,), 2: (0.0, 180.0), 3: (0.0, 270.0, 180.0), 4: (0.0, 270.0, 180.0, 90.0)}

T = TypeVar("T")


class Work(Generic[T]):
    """Work that is done in slices, ahead of when its result is needed."""

    def __init__(self, slices: Generator[None, None, T]) -> None:
        self._slices, self._results = slices, list[T]()

    def advance(self, seconds: float) -> None:
        until = time.perf_counter() + seconds
        try:
            while not self._results and time.perf_counter() < until:
                next(self._slices)
        except StopIteration as done:
            self._results.append(done.value)

    def result(self) -> T:
        if not self._results:
            self._results.append(finish(self._slices))
        return self._results[0]


@dataclass(frozen=True)
class Key:
    """Where the fingertips are at a time."""

    at: float
    place: tuple[float, float, float]


@dataclass
class Reaching:
    """A hand that comes, makes changes one after the other, and goes."""

    steps: list[Layout | int | None]  # a layout to make, or the place of a marker to cover (None: uncover)
    side: float  # where the arm comes from, in degrees: 0 south, 90 east
    begins: float
    pace: float
    done: int = 0
    keys: list[Key] = field(default_factory=list)
    pastes: list[tuple[float, int]] = field(default_factory=list)  # when, which spot of the change being made
    spots: list[Spot] = field(default_factory=list)
    laying: Work[list[Spot]] | None = None  # the table of the next change
    work: Work[list[Change]] | None = None  # and its picture
    carried: list[tuple[float, float, Spot]] = field(default_factory=list)

    @property
    def ends(self) -> float:
        return self.begins + reaching(len(self.steps)) / self.pace

    def begins_change(self, number: int) -> float:
        return self.begins + (COMING + CHANGING * number) / self.pace

    @property
    def is_planned(self) -> float:
        """When it must be known where the hand goes next."""
        return self.begins_change(self.done) if self.done else self.begins + UNSEEN / self.pace


@dataclass
class Bump:
    """A knock: the old picture is moved until the new one is rendered."""

    what: str
    begins: float
    pace: float
    pose: Pose
    move: Map  # how the picture moves
    work: Work[Image]

    @property
    def ends(self) -> float:
        return self.begins + BUMPED / self.pace


def reaching(changes: int) -> float:
    """How long a hand takes that makes so many changes, in seconds at the usual pace."""
    return COMING + CHANGING * max(1, changes) + GOING


Command = tuple[str, tuple[Layout | int | str | None, ...]]


class Stage:
    def __init__(self, plan: StagePlan) -> None:
        self.size, self.pace = plan.size, plan.pace
        self.still = Still(plan)
        self._rng = np.random.default_rng([plan.seed, 2])
        self._layout = bare_layout(plan.labels)
        self._covered: int | None = None
        self._commands: deque[Command] = deque()
        self._act: Reaching | Bump | None = None
        self._now: float | None = None
        self._lost, self._lost_until = 0.0, -1e18
        self._lights = (LIGHTS["usual"], LIGHTS["usual"])  # before and after the fade
        self._faded_from: float | None = -1e18
        self._sides = self._seats(plan.seats)
        self._moves = 0
        self._skins = [int(n) for n in self._rng.permutation(len(SKINS))]
        self._sleeves = [int(n) for n in self._rng.permutation(len(SLEEVES))]
        self._hands = {side: self._hand(n) for n, side in enumerate(self._sides)}
        self._noise = self._speckles()

    def _seats(self, count: int) -> tuple[float, ...]:
        """Where the players sit; along the sides of the long mat, the first one on the camera's."""
        if self.still.field.name == "planks":
            near = 90.0 if self.still.room.pose.eye[0] > self.still.field.columns / 2 else 270.0
            return (near, (near + 180) % 360)[:count]
        return SIDES[min(count, len(SIDES))]

    # --- commands

    def show(self, layout: Layout) -> None:
        """At once, without a hand; what was on its way is dropped."""
        if isinstance(self._act, Bump):
            self.still.picture = self._act.work.result()
        elif isinstance(self._act, Reaching) and self._act.work:
            self._paste(self._act.work.result())
        self._act = None
        self._commands.clear()
        self._layout = layout
        self._paste(finish(self.still.changes(finish(self.still.laying(layout, self._covered)))))

    def _paste(self, changes: list[Change]) -> None:
        for change in changes:
            self.still.paste(change)

    def move(self, *layouts: Layout) -> None:
        """A hand comes, makes each change in turn, and goes."""
        self._commands.append(("reach", layouts))

    def reach(self) -> None:
        """A hand comes over the field and goes, and nothing has changed."""
        self._commands.append(("reach", ()))

    def cover(self, marker: int | None) -> None:
        """A thing is laid on a marker (0–3: NW NE SE SW), or taken away."""
        self._commands.append(("reach", (marker,)))

    def bump(self, what: str) -> None:
        """A knock against the "camera" or the "board"."""
        self._commands.append(("bump", (what,)))

    def light(self, what: str) -> None:
        self._lights = (self._gains(), LIGHTS[what])
        self._faded_from = self._now  # None: from the first frame on

    def lose(self, seconds: float) -> None:
        self._lost = seconds

    @property
    def busy(self) -> bool:
        """Whether a hand or a change is on its way."""
        return bool(self._act or self._commands or self._fading)

    # --- time

    def frame(self, at: float) -> Image | None:
        """The picture at `at` seconds, by any clock that only goes on; None while the camera is lost."""
        now = at if self._now is None else max(at, self._now)
        if self._faded_from is None:
            self._faded_from = now
        self._advance(now)
        self._now = now
        if isinstance(self._act, Reaching) and self._act.laying:
            self._act.laying.advance(SLICE)
        elif self._act and self._act.work:
            self._act.work.advance(SLICE)
        if self._lost > 0:
            self._lost, self._lost_until = 0.0, now + self._lost
        return None if now < self._lost_until else self._drawn(now)

    def _advance(self, now: float) -> None:
        began = now if self._now is None else self._now
        while True:
            if self._act is None:
                if not self._commands:
                    return
                self._act = self._start(*self._commands.popleft(), began)
            if isinstance(self._act, Reaching):
                self._change(self._act, now)
            if now < self._act.ends:
                return
            if isinstance(self._act, Bump):
                self.still.picture = self._act.work.result()
            began, self._act = self._act.ends, None

    def _start(self, kind: str, what: tuple[Layout | int | str | None, ...], at: float) -> Reaching | Bump:
        if kind == "bump":
            moved = self.still.camera_turned if what[0] == "camera" else self.still.board_shifted
            pose, move = moved(self._rng)
            return Bump(str(what[0]), at, self.pace, pose, move, Work(self.still.rendered(pose)))
        side = self._sides[self._moves % len(self._sides)]
        self._moves += 1
        act = Reaching([step for step in what if not isinstance(step, str)], side, at, self.pace)
        self._lay_next(act)
        return act

    # --- what hands do

    def _lay_next(self, act: Reaching) -> None:
        """Begin to lay what comes next."""
        if not act.steps:
            return
        step = act.steps[act.done]
        if isinstance(step, Layout):
            self._layout = step
        else:
            self._covered = step
        act.laying = Work(self.still.laying(self._layout, self._covered))

    def _plan(self, act: Reaching) -> None:
        """The hand's way to where the next change is seen."""
        if act.laying:
            act.spots, act.laying = act.laying.result(), None
            act.work = Work(self.still.changes(act.spots))
        start, length = act.begins_change(act.done), CHANGING / act.pace
        visits = self._visits(act.spots)
        if not act.keys:
            act.keys.append(self._outside(act, visits[0][0], act.begins))
        for n, (at, spots) in enumerate(visits):
            middle = start + length * (n + 0.5) / len(visits)
            hold = 0.12 * length / len(visits)
            act.keys += [Key(middle - hold, at), Key(middle + hold, at)]
            act.pastes += [(middle, spot) for spot in spots]
            for spot in spots:
                self._carry(act, middle, act.spots[spot], len(spots))
        if act.done + 1 >= len(act.steps):
            act.keys.append(self._outside(act, visits[-1][0], act.ends))

    def _visits(self, spots: list[Spot]) -> list[tuple[tuple[float, float, float], list[int]]]:
        """Where the hand goes for a change, and what becomes different there: first what goes, then what comes."""
        low = self.still.field.surface + 0.25
        if not spots:
            w, h = self.still.field.columns, self.still.field.rows
            x, y = (float(self._rng.uniform(0.3, 0.7)) * side for side in (w, h))
            return [((x, y, low + 0.5), [])]
        found = []
        for put in (False, True):
            here = [n for n, spot in enumerate(spots) if spot.put == put]
            if here:
                at = np.mean([spots[n].at for n in here], axis=0)
                tall = max((piece.top for n in here if (piece := spots[n].piece)), default=low) + 0.12
                found.append(((float(at[0]), float(at[1]), tall), here))
        return found

    def _carry(self, act: Reaching, at: float, spot: Spot, together: int) -> None:
        """What the fingers hold: a piece taken is held until one is put, a new one from the beginning."""
        if together > 1 or spot.piece is None:
            return
        if not spot.put:
            act.carried.append((at, act.ends, spot))
        elif act.carried and act.carried[-1][1] > at:
            since, _, taken = act.carried[-1]
            act.carried[-1] = (since, at, taken)
        else:
            since = max((key.at for key in act.keys[:-2]), default=act.begins)
            act.carried.append((since, at, spot))

    def _outside(self, act: Reaching, to: tuple[float, float, float], at: float) -> Key:
        """Where a hand is that is not there yet: on its side of the table, out of sight."""
        a = np.radians(act.side)
        w, h = self.still.field.columns, self.still.field.rows
        away = 5.0 + abs(float(np.sin(a))) * w / 2 + abs(float(np.cos(a))) * h / 2
        x, y = w / 2 + away * float(np.sin(a)), h / 2 - away * float(np.cos(a))
        across = 0.55 * ((to[0] - w / 2) * float(np.cos(a)) + (to[1] - h / 2) * float(np.sin(a)))
        return Key(at, (x + across * float(np.cos(a)), y + across * float(np.sin(a)), to[2] + 1.2))

    def _change(self, act: Reaching, now: float) -> None:
        """Whatever the hand has done until now."""
        while True:
            if act.laying or not act.keys:
                if now < act.is_planned:
                    return
                self._plan(act)
            while act.pastes and act.pastes[0][0] <= now:
                _, spot = act.pastes.pop(0)
                assert act.work is not None
                self.still.paste(act.work.result()[spot])
            if act.pastes or act.done + 1 >= len(act.steps):
                return
            act.done += 1
            self._lay_next(act)

    def _tip(self, act: Reaching, now: float) -> tuple[tuple[float, float, float], float]:
        """Where the fingertips are, and the arm's angle."""
        before = max((k for k, key in enumerate(act.keys) if key.at <= now), default=0)
        one, two = act.keys[before], act.keys[min(before + 1, len(act.keys) - 1)]
        share = float(np.clip((now - one.at) / max(two.at - one.at, 1e-6), 0, 1))
        share = share * share * (3 - 2 * share)
        x, y, z = ((1 - share) * a + share * b for a, b in zip(one.place, two.place, strict=True))
        way = float(np.hypot(two.place[0] - one.place[0], two.place[1] - one.place[1]))
        lift = 0.5 * min(way, 2.0) * share * (1 - share) * 2
        a = np.radians(act.side)
        w, h = self.still.field.columns, self.still.field.rows
        across = (x - w / 2) * float(np.cos(a)) + (y - h / 2) * float(np.sin(a))
        return (x, y, z + lift), act.side - 3.0 * across + 4.0

    # --- what is seen

    def _drawn(self, now: float) -> Image:
        picture = self.still.picture.copy()
        if isinstance(self._act, Bump):
            picture = self._bumped(self._act, now)
        elif self._act and self._act.keys:
            self._draw_hand(picture, self._act, now)
        picture = self._lighted(picture, now)
        return self._speckled(picture, now)

    def _hand(self, seat: int) -> Hand:
        room = self.still.room
        red, green, blue = (linear(c / 255) for c in SKINS[self._skins[seat]])
        cloth = SLEEVES[self._sleeves[seat]]
        sleeve = (linear(cloth[2] / 255), linear(cloth[1] / 255), linear(cloth[0] / 255))
        bare = self._rng.random() < 0.25
        return draw_hand(
            np.random.default_rng(seat),
            float(np.clip(room.pose.cell_pixels, 28, 72)),
            (blue, green, red),
            None if bare else sleeve,
            room.light,
            room.lens,
            self._sides[seat],
            bool(self._rng.random() < 0.3),
        )

    def _draw_hand(self, picture: Image, act: Reaching, now: float) -> None:
        hand, (tip, angle) = self._hands[act.side], self._tip(act, now)
        pose, light = self.still.room.pose, self.still.room.light
        corners = hand.corners(tip, angle)
        carried = [spot for since, until, spot in act.carried if since <= now < until and spot.piece]
        held = [(spot.piece, self._held(spot.piece, spot.at, tip)) for spot in carried if spot.piece]
        whole = sum(light.ambient) + sum(sum(lamp.color) * lamp.power for lamp in light.lamps)
        for lamp in light.lamps:
            share = sum(lamp.color) * lamp.power / whole
            body = corners + np.array([0.0, 0.0, 0.35])
            darken(picture, hand.shadow, pose.project(shadow_on(body, lamp.at, self.still.field.surface)), share)
            for piece, sheet in held:
                fallen = shadow_on(sheet, lamp.at, self.still.field.surface)
                darken(picture, piece.shadow, pose.project(fallen), 0.9 * share)
        for piece, sheet in held:
            overlay(picture, piece.picture, piece.opacity, pose.project(sheet))
        overlay(picture, hand.colors, hand.opacity, pose.project(corners))

    def _held(self, piece: Piece, at: tuple[float, float], tip: tuple[float, float, float]) -> Map:
        """The corners of a piece between the fingers: NW, NE, SE, SW."""
        high, wide = piece.opacity.shape
        x, y = tip[0] - at[0] + piece.west, tip[1] - at[1] + piece.north
        east, south = x + wide / piece.ppu, y - high / piece.ppu
        z = tip[2] - 0.12
        return np.array([(x, y, z), (east, y, z), (east, south, z), (x, south, z)])

    def _bumped(self, act: Bump, now: float) -> Image:
        """The old picture, moved to where the new one will be."""
        since = (now - act.begins) * act.pace / JOLT
        share = 1 - float(np.exp(-3.2 * since)) * float(np.cos(8 * since)) if since < 2 else 1.0
        move = np.eye(3) + (act.move / act.move[2, 2] - np.eye(3)) * share
        old = self.still.picture
        moved = cv2.warpPerspective(old, move, self.size, borderMode=cv2.BORDER_REFLECT_101)
        if act.what == "board":
            outline = cv2.perspectiveTransform(self._outline_before(act)[None], move)[0]
            mask = np.zeros(old.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255, cv2.LINE_AA)
            moved = np.where(mask[..., None] > 127, moved, old)
        if since < 1:
            wide = max(1, round(7 * self.size[0] / 1280 * (1 - since))) | 1
            moved = cv2.blur(moved, (wide, max(1, wide // 2)))
        return np.asarray(moved, np.uint8)

    def _outline_before(self, act: Bump) -> Map:
        after = self.still.mat_outline(act.pose)
        return np.asarray(cv2.perspectiveTransform(after[None], np.linalg.inv(act.move))[0])

    # --- light and noise

    @property
    def _fading(self) -> bool:
        if self._now is None or self._faded_from is None:
            return self._lights[0] != self._lights[1]
        return self._now < self._faded_from + FADING / self.pace

    def _gains(self) -> Color:
        before, after = self._lights
        if self._now is None or self._faded_from is None:
            return before
        share = float(np.clip((self._now - self._faded_from) * self.pace / FADING, 0, 1))
        blue, green, red = (a + (b - a) * share for a, b in zip(before, after, strict=True))
        return blue, green, red

    def _lighted(self, picture: Image, now: float) -> Image:
        gains = self._gains()
        if gains == LIGHTS["usual"]:
            return picture
        ramp = np.linspace(0, 1, 256)
        table = np.empty((1, 256, 3), np.uint8)
        for channel, gain in enumerate(gains):
            bright = ramp * gain ** (1 / 2.2)
            over = np.maximum(bright - 0.88, 0) / 0.12
            bright = np.minimum(bright, 0.88) + 0.12 * np.tanh(over)
            table[0, :, channel] = np.round(np.clip(bright, 0, 1) * 255)
        picture = np.asarray(cv2.LUT(picture, table), np.uint8)
        uneven = 0.12 * abs(gains[1] - 1)  # another lamp lights the table more from one side
        slope = np.linspace(255, 255 * (1 - 2 * uneven), 32)[None, :, None] * np.ones((18, 1, 3))
        mask = cv2.resize(slope.astype(np.uint8), self.size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(picture, mask, scale=1 / 255), np.uint8)

    def _speckles(self) -> tuple[Image, Image]:
        """Noise above and below zero, wider than the picture: every frame takes another part of it."""
        lens, (wide, high) = self.still.room.lens, self.size
        rng = np.random.default_rng([self.still.seed, 3])
        noise = rng.standard_normal((high + 97, wide + 131, 3), dtype=np.float32)
        if lens.noise_grain > 0.3:
            noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.3 + 0.4 * lens.noise_grain), np.float32)
        noise *= lens.noise / float(noise.std())
        np.round(noise, out=noise)
        above = noise.clip(0, 255).astype(np.uint8)
        np.negative(noise, out=noise)
        return above, noise.clip(0, 255).astype(np.uint8)

    def _speckled(self, picture: Image, now: float) -> Image:
        times = 2 if self._gains()[1] < 0.7 else 1  # little light, more noise
        for _ in range(times):
            top, left = int(self._rng.integers(97)), int(self._rng.integers(131))
            part: Window = (slice(top, top + self.size[1]), slice(left, left + self.size[0]))
            cv2.add(picture, self._noise[0][part], dst=picture)
            cv2.subtract(picture, self._noise[1][part], dst=picture)
        return picture


def _warped(image: Image, corners: Map, size: tuple[int, int]) -> tuple[Window, Image] | None:
    """A sheet seen with its corners (NW, NE, SE, SW) at these pixels, and the part of the picture that it takes."""
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0)) + 1
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    right, bottom = min(size[0], int(high[0])), min(size[1], int(high[1]))
    if left >= right or top >= bottom:
        return None
    tall, wide = image.shape[:2]
    flat = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32) - np.float32(0.5)
    there = cv2.getPerspectiveTransform(flat, (corners - [left, top]).astype(np.float32))
    seen = cv2.warpPerspective(image, there, (right - left, bottom - top))
    return (slice(top, bottom), slice(left, right)), np.asarray(seen, np.uint8)


def overlay(picture: Image, colors: Image, opacity: Image, corners: Map) -> None:
    size = (picture.shape[1], picture.shape[0])
    shown, mask = _warped(colors, corners, size), _warped(opacity, corners, size)
    if shown is None or mask is None:
        return
    part = picture[shown[0]]
    behind = cv2.multiply(part, cv2.merge([cv2.bitwise_not(mask[1])] * 3), scale=1 / 255)
    cv2.add(behind, shown[1], dst=part)


def darken(picture: Image, mask: Image, corners: Map, share: float) -> None:
    """A shadow that takes away this share of the light."""
    fallen = _warped(mask, corners, (picture.shape[1], picture.shape[0]))
    if fallen is None:
        return
    left = np.round(255 * (1 - share * np.linspace(0, 1, 256)) ** (1 / 2.2)).astype(np.uint8)
    factor = cv2.LUT(fallen[1], left)
    part = picture[fallen[0]]
    cv2.multiply(part, cv2.merge([factor] * 3), dst=part, scale=1 / 255)
