"""A camera finds how LEDs are wired: any layout, under any board, from any side, in a room that is not quite dark."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from companion.errors import BadInput
from companion.leds.survey import format_wiring
from companion.leds.wiring import Wiring, parse_wiring
from companion.table.survey import survey
from vision.errors import UnreadablePicture
from vision.fields import FIELDS
from vision.pose import Image, Pose, find_markers, pose_from_markers
from vision.simulate.glow import darkened, with_led
from vision.training.sample import random_sample

SIZE = (640, 480)


@cache
def table(field: str, number: int) -> tuple[Image, Pose]:
    """A picture of a table in daylight, and where its camera is found to be."""
    kind = {"seven": "trominoes", "faces": "dice", "tiles": "tiles"}[field]
    for seed in range(number, number + 20):
        sample = random_sample(seed, kind, "kitchen", hand=0.0, size=SIZE)
        try:
            gray = sample.image.max(axis=2)
            return sample.image, pose_from_markers(find_markers(gray), gray)
        except UnreadablePicture:
            continue
    raise AssertionError(field)


def random_layout(chance: random.Random) -> tuple[str, str]:
    """A field, and words for LEDs under it."""
    field, columns, rows = chance.choice((("tiles", 8, 8), ("seven", 7, 7), ("faces", 9, 8)))
    how = [chance.choice(("sw", "se", "nw", "ne")), chance.choice(("rows", "columns"))]
    how.append(chance.choice(("plain", "serpentine")))
    kind = chance.random()
    if kind < 0.6:
        return field, f"{columns}x{rows} {' '.join(how)}"
    if kind < 0.85:  # two panels side by side, each wound in its own way
        cut = chance.randrange(2, columns - 1)
        other = [chance.choice(("sw", "se", "nw", "ne")), chance.choice(("plain", "serpentine"))]
        return field, f"{cut}x{rows} {' '.join(how)} + {columns - cut}x{rows} {' '.join(other)} at={cut}:0"
    strips = [f"1x{rows} columns {chance.choice(('sw', 'nw'))} at={x}:0" for x in range(3)]  # strips, then a panel
    return field, " + ".join([*strips, f"{columns - 3}x{rows} {' '.join(how)} at=3:0"])


def found(chance: random.Random, field: str, wanted: Wiring, unseen: int | None = None) -> Wiring:
    picture, pose = table(field, chance.randrange(5))
    rng = np.random.default_rng(chance.randrange(1 << 30))
    light, bright, wide = chance.uniform(0.02, 0.35), chance.uniform(60, 400), chance.uniform(0.1, 0.28)
    wire, burns = wanted.wire(), [-1]

    def lights(place: int | None) -> None:
        burns[0] = -1 if place is None else place

    def look() -> Image:
        if burns[0] < 0 or burns[0] == unseen:
            return darkened(rng, picture, light)
        x, y = wire[burns[0]]
        at = x + 0.5 + chance.gauss(0, 0.06), y + 0.5 + chance.gauss(0, 0.06)  # soldered by hand
        return with_led(rng, picture, pose, at, light, bright, wide)

    return survey(len(wire), lights, look, pose)


def check(seed: int) -> None:
    chance = random.Random(seed)
    field, words = random_layout(chance)
    wanted = parse_wiring(words)
    told = format_wiring(found(chance, field, wanted))
    assert parse_wiring(told).wire() == wanted.wire(), (words, told)


@pytest.mark.parametrize("seed", range(3))
def test_a_layout_is_found(seed: int) -> None:
    check(seed)


@pytest.mark.soak
def test_a_hundred_layouts_are_found() -> None:
    for seed in range(100, 200):
        check(seed)


def test_an_led_that_does_not_burn_is_filled_in() -> None:
    wanted = parse_wiring("8x8 ne columns serpentine")
    assert found(random.Random(4), "tiles", wanted, unseen=20).wire() == wanted.wire()


def test_nothing_seen_is_said() -> None:
    picture, pose = table("tiles", 0)
    with pytest.raises(BadInput, match="too-few-leds-seen"):
        survey(64, lambda place: None, lambda: picture, pose)


def test_every_field_of_the_kit_has_its_size() -> None:
    assert {(field.columns, field.rows) for field in FIELDS} >= {(7, 7), (9, 8), (8, 8)}
