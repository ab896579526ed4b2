"""One random picture of a game with its exact labels: what tests and training are made of."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.fields import FIELDS, field_of_game
from vision.pose import Image, Pose
from vision.simulate import pieces
from vision.simulate.camera import random_pose
from vision.simulate.positions import VARIANTS, Layout, random_layout
from vision.simulate.render import random_hand, render
from vision.simulate.scene import Map, bare_table
from vision.simulate.style import random_lens, random_light, random_style


@dataclass(frozen=True)
class Sample:
    image: Image
    pose: Pose
    layout: Layout
    hand: bool
    blocked: Map  # per pixel, 1 where something in the way hides the table


def random_sample(
    seed: int, game: str, family: str | None = None, hand: float = 0.2, size: tuple[int, int] | None = None
) -> Sample:
    """The same seed gives the same picture; `hand` is the probability that something is in the way."""
    rng = np.random.default_rng(seed)
    style = random_style(rng, family)
    field = field_of_game(VARIANTS.get(game, game))
    if field.surface > 0 and rng.random() < 0.12:
        field = next(f for f in FIELDS if f.name == field.name and f.surface == 0)
    pose = random_pose(rng, field, size)
    light = random_light(rng, (field.columns / 2, field.rows / 2))
    lens = random_lens(rng)
    scene = bare_table(rng, field, style, float(np.clip(pose.cell_pixels * 1.1, 36, 72)))
    layout = random_layout(rng, game)
    pieces.lay(lambda _: rng, scene, layout, style)
    pieces.clutter(rng, scene, style, int(rng.integers(0, 7)))
    balls = []
    in_the_way = bool(rng.random() < hand)
    if in_the_way and rng.random() < 0.3:
        pieces.clutter(rng, scene, style, 3 if layout.motley else 1, on_field=True)
    elif in_the_way:
        balls = random_hand(rng, scene, style, pose.eye)
    pieces.spots(rng, scene)
    picture = render(rng, scene, pose, light, style, lens, balls)
    return Sample(picture.image, pose, layout, in_the_way, picture.blocked)


def surface_blocked(sample: Sample) -> float:
    """How much of the playing surface is hidden, 0 to 1."""
    outline = np.zeros(sample.blocked.shape, np.uint8)
    cv2.fillConvexPoly(outline, np.round(sample.pose.corners).astype(np.int32), 1)
    return float(sample.blocked[outline > 0].mean()) if outline.any() else 0.0
