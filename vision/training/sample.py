"""One random picture of a field with its exact labels: what tests and training are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.fields import FIELDS, usual_field
from vision.pose import Image, Pose
from vision.simulate import pieces
from vision.simulate.camera import random_pose
from vision.simulate.layout import Layout
from vision.simulate.render import random_hand, render
from vision.simulate.scene import Map, bare_table
from vision.simulate.style import ASIDE, LAMPLIT, lamplight, random_lens, random_light, random_style
from vision.training.lived_in import careless, furnish, mirrored, worn
from vision.training.positions import labels_of, random_layout


@dataclass(frozen=True)
class Sample:
    image: Image
    pose: Pose
    layout: Layout
    hand: bool
    blocked: Map  # per pixel, 1 where something in the way hides the table
    blank: bool = False  # tiles on which no pawn stands have no print yet


def random_sample(
    seed: int,
    name: str,
    family: str | None = None,
    hand: float = 0.2,
    size: tuple[int, int] | None = None,
    lived_in: bool = False,
    markers: bool = True,
    least_tilt: float = 0.0,
    blank: bool = False,
) -> Sample:
    """A position of a set of pieces by its name. The same seed gives the same picture; `hand` is the probability that
    something is in the way; `lived_in` makes table, pieces and camera as uneven as those of photographs. Without
    `markers` a board lies on the table as it is, every second time. The camera leans by `least_tilt` degrees at
    least. Of `blank` tiles the print is left out."""
    rng = np.random.default_rng(seed)
    style = random_style(rng, family)
    if lived_in:
        style = worn(rng, style)
    style = replace(style, blank=blank)
    field = usual_field(labels_of(name).field)
    if field.surface > 0 and rng.random() < 0.12:
        field = next(f for f in FIELDS if f.name == field.name and f.surface == 0)
    pose = random_pose(rng, field, size, least_tilt)
    lit = lamplight if style.family == LAMPLIT else random_light
    light = lit(rng, (field.columns / 2, field.rows / 2))
    lens = careless(rng, random_lens(rng)) if lived_in else random_lens(rng)
    if lived_in and style.family not in ASIDE:
        light = mirrored(rng, light, field, pose.eye)
    mat = markers or field.name in ("tiles", "planks") or seed % 2 == 0
    ppu = float(np.clip(pose.cell_pixels * 1.1, 36, 72))
    scene = bare_table(rng, field, style, ppu, mat=mat, markers=markers)
    if lived_in:
        furnish(rng, scene)
    layout = random_layout(rng, name)
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
    return Sample(picture.image, pose, layout, in_the_way, picture.blocked, blank)
