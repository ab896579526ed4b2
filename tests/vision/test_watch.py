"""A simulated table before the watch: rest, hands, light, bumps, hidden markers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import pytest

from vision.fields import usual_field
from vision.frame_buffer import Frame
from vision.pose import Image, Pose
from vision.simulate import pieces
from vision.simulate.camera import look_at
from vision.simulate.render import random_hand, render
from vision.simulate.scene import bare_table
from vision.simulate.style import random_lens, random_light, random_style
from vision.training.positions import SETS, random_layout
from vision.watch import Seen, Watch

LABELS = SETS["trominoes"]
SIZE = (640, 360)
RATE = 20.0  # frames a second


@dataclass(frozen=True)
class Table:
    image: Image
    pose: Pose
    rows: list[list[str]]


@cache
def table(layout: int = 0, hand: int | None = None, azimuth: float = 10.0, seed: int = 1) -> Table:
    """The same table each time; the layout and the hand, by their seeds, and the camera's place may differ."""
    field = usual_field(LABELS.field)
    pose = look_at(field, SIZE, 60, 25, azimuth, 2, 0.85)
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    light, lens = random_light(rng, (field.columns / 2, field.rows / 2)), random_lens(rng)
    scene = bare_table(rng, field, style, 40)
    laid = random_layout(np.random.default_rng(layout), LABELS.game)
    chance = np.random.default_rng(layout)
    pieces.lay(lambda _: chance, scene, laid, style)
    balls = [] if hand is None else random_hand(np.random.default_rng(hand), scene, style)
    image = render(np.random.default_rng(1), scene, pose, light, style, lens, balls).image
    return Table(image, pose, laid.visible["rows"])


class Eye:
    """Shows pictures to a watch, with a camera's noise, and keeps what it saw."""

    def __init__(self, watch: Watch, noise: float = 4.0) -> None:
        self.watch, self.at, self.count = watch, 100.0, 0
        rng = np.random.default_rng(5)
        self.grains = [rng.normal(0, noise, (SIZE[1], SIZE[0], 3)).astype(np.float32) for _ in range(7)]

    def see(self, pictures: Iterable[Image | np.ndarray]) -> list[Seen]:
        seen = []
        for picture in pictures:
            self.at += 1 / RATE
            self.count += 1
            grain = self.grains[self.count % len(self.grains)][: picture.shape[0], : picture.shape[1]]
            image = np.clip(picture + grain, 0, 255).astype(np.uint8)
            seen.append(self.watch.see(Frame(image, self.count, self.at)))
        return seen

    def stare(self, picture: Image, seconds: float) -> list[Seen]:
        return self.see([picture] * round(RATE * seconds))


def readings(seen: list[Seen]) -> list[Seen]:
    return [one for one in seen if one.reading is not None]


def rows_of(seen: Seen) -> list[list[str]]:
    assert seen.reading is not None
    assert seen.reading.look is not None
    rows: list[list[str]] = seen.reading.look.visible()["rows"]
    return rows


@pytest.fixture
def eye() -> Eye:
    return Eye(Watch(LABELS))


@pytest.mark.parametrize("noise", [0.0, 4.0, 12.0])
def test_a_field_at_rest_is_read_exactly_once(noise: float) -> None:
    seen = Eye(Watch(LABELS), noise).stare(table().image, 3)
    assert len(readings(seen)) == 1
    assert rows_of(readings(seen)[0]) == table().rows
    assert not seen[0].still
    assert seen[-1].still
    assert not any(one.bumped or one.trouble for one in seen)


def test_a_mirrored_camera_is_turned_back(eye: Eye) -> None:
    mirrored = np.ascontiguousarray(table().image[:, ::-1])
    (first,) = readings(eye.stare(mirrored, 3))
    assert first.reading is not None
    assert first.reading.mirrored
    assert rows_of(first) == table().rows
    assert np.abs(first.image.astype(int) - table().image).mean() < 10, "the picture that is handed on is turned back"
    expected = table().pose.corners * [-1, 1] + [SIZE[0] - 1, 0]
    assert np.abs(first.reading.corners - expected).max() < 2, "where they lie in the camera's own picture"
    (other,) = readings(eye.stare(np.ascontiguousarray(table(1).image[:, ::-1]), 2))
    assert rows_of(other) == table(1).rows
    assert not other.bumped
    unmirrored = readings(eye.stare(table(1).image, 4))
    assert unmirrored[-1].reading is not None
    assert not unmirrored[-1].reading.mirrored, "somebody found the camera's switch"
    assert rows_of(unmirrored[-1]) == table(1).rows


def test_corners_that_run_backwards_turn_a_camera_back() -> None:
    mirrored = np.ascontiguousarray(table().image[:, ::-1])
    eye = Eye(Watch(LABELS, corners=table().pose.corners * [-1, 1] + [SIZE[0] - 1, 0]))
    (first,) = readings(eye.stare(mirrored, 3))
    assert first.reading is not None
    assert first.reading.mirrored
    assert rows_of(first) == table().rows
    assert np.abs(first.image.astype(int) - table().image).mean() < 10
    (other,) = readings(eye.stare(np.ascontiguousarray(table(1).image[:, ::-1]), 2))
    assert rows_of(other) == table(1).rows
    assert not other.bumped


def test_nothing_is_read_while_hands_are_over_the_field(eye: Eye) -> None:
    eye.stare(table().image, 1)
    passing = eye.see(table(hand=n % 6 + 3).image for n in range(12))
    assert not any(one.still or one.reading for one in passing)
    after = readings(eye.stare(table().image, 1))
    assert len(after) == 1, "something may have changed, so it is read again"
    assert not after[0].bumped


def test_another_position_is_read_again(eye: Eye) -> None:
    eye.stare(table().image, 1)
    other = readings(eye.stare(table(layout=1).image, 1))
    assert len(other) == 1
    assert rows_of(other[0]) == table(layout=1).rows != table().rows
    assert not other[0].bumped


def test_another_look_may_be_asked_for(eye: Eye) -> None:
    eye.stare(table().image, 1)
    eye.watch.again()
    assert len(readings(eye.stare(table().image, 1))) == 1


def test_light_that_fades_is_no_change(eye: Eye) -> None:
    eye.stare(table().image, 1)
    faded = eye.see(table().image * (1 - 0.5 * n / 60) for n in range(60))
    warmed = eye.see(table().image * (0.5 + n / 120 * np.array([0.0, 0.3, 0.8])) for n in range(60))
    assert len(readings(faded + warmed)) <= 1
    assert sum(one.still for one in faded + warmed) > 100


@pytest.mark.parametrize("strength", [0.03, 0.1, 0.2])
def test_a_lamp_that_flickers_does_not_keep_it_from_reading(strength: float) -> None:
    eye = Eye(Watch(LABELS))
    lines = np.arange(SIZE[1])[:, None, None]
    seen = eye.see(table().image * (1 + strength * np.sin(lines / 75 + 1.3 * n)) for n in range(160))
    assert readings(seen)
    assert len(readings(seen)) <= 4


def test_people_in_the_background_do_not_matter(eye: Eye) -> None:
    outline = table().pose.project(np.concatenate([table().pose.field.marker_corners(m) for m in range(4)]))
    left = int(outline[:, 0].min()) - 25
    assert left > 40

    def with_somebody(n: int) -> Image:
        image = table().image.copy()
        cv2.circle(image, (left // 2, 40 * n % SIZE[1]), left // 2 - 10, (30, 60, 160), -1)
        return image

    seen = eye.see(with_somebody(n) for n in range(60))
    assert len(readings(seen)) == 1
    assert rows_of(readings(seen)[0]) == table().rows
    assert seen[-1].still


def shifted(image: Image, x: float, y: float) -> Image:
    turn = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), 1.0, 1.0)
    turn[:, 2] += (x, y)
    return np.asarray(cv2.warpAffine(image, turn, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_a_bump_is_noticed_once_and_the_new_pose_is_used(eye: Eye) -> None:
    eye.stare(table().image, 1)
    bumped = readings(eye.stare(shifted(table().image, 7, 4), 1))
    assert [one.bumped for one in bumped] == [True]
    assert rows_of(bumped[0]) == table().rows
    later = readings(eye.stare(shifted(table(layout=1).image, 7, 4), 1))
    assert [one.bumped for one in later] == [False]
    assert rows_of(later[0]) == table(layout=1).rows


def test_a_camera_put_on_another_side_is_a_bump_too(eye: Eye) -> None:
    eye.stare(table().image, 1)
    turned = readings(eye.stare(table(azimuth=40).image, 1))
    assert [one.bumped for one in turned] == [True]
    assert rows_of(turned[0]) == table().rows


def covered(image: Image, pose: Pose, markers: Iterable[int]) -> Image:
    image = image.copy()
    for marker in markers:
        outline = pose.project(pose.field.marker_corners(marker))
        middle = outline.mean(axis=0)
        cv2.fillConvexPoly(image, np.round(middle + 1.5 * (outline - middle)).astype(np.int32), (90, 70, 60))
    return image


@pytest.mark.parametrize(("hidden", "layout"), [((0, 1, 2), 1), ((0, 1, 2, 3), 0)])
def test_with_markers_hidden_the_last_pose_is_used(eye: Eye, hidden: tuple[int, ...], layout: int) -> None:
    """One marker where it was is enough, whatever else changed; with none, most of the field must be as it was."""
    first = readings(eye.stare(table().image, 1))[0]
    later = eye.stare(covered(table(layout).image, table().pose, hidden), 1)
    assert not any(one.trouble for one in later)
    [again] = readings(later)
    assert rows_of(again) == table(layout).rows
    assert not again.bumped
    assert first.reading is not None
    assert again.reading is not None
    assert again.reading.pose is first.reading.pose


def test_a_bump_with_all_markers_hidden_is_trouble_until_they_are_seen(eye: Eye) -> None:
    eye.stare(table().image, 1)
    away = eye.stare(shifted(covered(table().image, table().pose, range(4)), 25, 12), 3)
    assert not readings(away)
    troubles = [one.trouble for one in away if one.trouble]
    assert {trouble.code for trouble in troubles} == {"no-markers"}
    assert len(troubles) <= 4, "tried again now and then, not for every frame"
    back = readings(eye.stare(shifted(table().image, 25, 12), 2))
    assert len(back) in (1, 2)
    assert back[0].bumped


def test_a_table_without_markers_is_followed_by_its_corners() -> None:
    bare = covered(table().image, table().pose, range(4))
    eye = Eye(Watch(LABELS, corners=table().pose.corners))
    first = readings(eye.stare(bare, 1))
    assert len(first) == 1
    assert rows_of(first[0]) == table().rows
    bumped = readings(eye.stare(shifted(bare, 9, 5), 1))
    assert [one.bumped for one in bumped] == [True]
    assert rows_of(bumped[0]) == table().rows
    turn = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), 1.0, 1.0)
    true = table().pose.corners @ turn[:, :2].T + turn[:, 2] + (9, 5)
    assert bumped[0].reading is not None
    assert np.abs(bumped[0].reading.corners - true).max() < 2


def test_no_field_is_said_and_a_field_that_comes_is_found(eye: Eye) -> None:
    empty = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    black = eye.stare(0 * empty, 0.2)
    assert not any(one.trouble for one in black), "a camera may begin in the dark"
    nothing = eye.see(np.roll(empty * (n % 2), n, axis=0) for n in range(60))
    assert not any(one.still for one in nothing[1:])
    assert [one.trouble.code for one in nothing if one.trouble] == ["no-markers"] * 3, "once a second"
    assert len(readings(eye.stare(table().image, 2))) == 1


def test_another_size_of_picture_is_met(eye: Eye) -> None:
    eye.stare(table().image, 1)
    small = np.asarray(cv2.resize(table().image, (480, 270), interpolation=cv2.INTER_AREA), np.uint8)
    [again] = readings(eye.stare(small, 1))
    assert not again.bumped
