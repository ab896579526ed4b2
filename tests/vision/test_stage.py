"""The simulated table: what is laid is what can be read, and nothing else moves."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.errors import UnreadablePicture
from vision.pose import Image, find_markers
from vision.reading import Reading, read_picture
from vision.simulate.layout import Layout
from vision.simulate.plan import StagePlan
from vision.simulate.stage import CHANGING, COMING, Stage, reaching
from vision.training.positions import SETS

SMALL, SMALLEST = (640, 480), (320, 240)
DICE, TROMINOES, PLANKS = SETS["dice"], SETS["trominoes"], SETS["planks"]


def dice(**squares: str) -> Layout:
    rows = [["."] * 9 for _ in range(8)]
    for square, die in squares.items():
        rows[8 - int(square[1])]["abcdefghi".index(square[0])] = die
    return Layout(DICE, {"rows": rows})


START = dice(a1="w5", b1="w1", e1="wK", e8="rK", c8="r2:ne", h5="r6:ns")
ROLLED = dice(a5="w3:nw", b1="w1", e1="wK", e8="rK", c8="r2:ne", h5="r6:ns")


@pytest.fixture(scope="module")
def first() -> Stage:
    made = Stage(StagePlan(DICE, seed=1, size=SMALL))
    made.show(START)
    return made


@pytest.fixture
def stage(first: Stage) -> Stage:
    """A table of one's own: copying one is quicker than building it."""
    return deepcopy(first)


def frames(stage: Stage, since: float, seconds: float, step: float = 0.05) -> Iterator[tuple[float, Image]]:
    for at in np.arange(since, since + seconds, step):
        image = stage.frame(float(at))
        if image is not None:
            yield float(at), image


def still(stage: Stage, since: float) -> tuple[float, Image]:
    """The first frame after everything has come to rest, and its time."""
    for n in range(1000):
        image = stage.frame(since + 0.1 * n)
        if not stage.busy and image is not None:
            return since + 0.1 * n, image
    raise AssertionError("the stage never comes to rest")


def quiet(stage: Stage, since: float) -> Image:
    """The picture without its noise: many frames taken together."""
    shots = [image for _, image in frames(stage, since, 1.2)]
    return np.asarray(np.mean(shots, axis=0).round(), np.uint8)


def rows_seen(image: Image) -> list[list[str]]:
    look = read_picture(image, DICE).look
    assert look is not None
    assert not look.hand
    rows: list[list[str]] = look.visible()["rows"]
    return rows


def pose_of(image: Image) -> Reading:
    return read_picture(image, DICE)


def test_what_is_shown_can_be_read(stage: Stage) -> None:
    image = stage.frame(0.0)
    assert image is not None
    assert image.shape == (480, 640, 3)
    assert rows_seen(image) == START.visible["rows"]


def test_a_hand_makes_the_change(stage: Stage) -> None:
    before, after = (dice(e1="wK", e8="rK", **die) for die in ({"d4": "w2:ne"}, {"e5": "w4"}))
    stage.show(before)
    stage.frame(0.0)
    stage.move(after)
    assert stage.busy
    hands = 0
    for at, image in frames(stage, 0.0, reaching(1)):
        if COMING <= at <= COMING + CHANGING:
            try:
                look = read_picture(image, DICE).look
                hands += look is not None and look.hand
            except UnreadablePicture:
                hands += 1  # the arm lies over too many markers
    assert hands >= CHANGING / 0.05
    _, image = still(stage, reaching(1))
    assert rows_seen(image) == after.visible["rows"]


def test_changes_of_one_hand_come_one_after_the_other(stage: Stage) -> None:
    lifted = dice(b1="w1", e1="wK", e8="rK", c8="r2:ne", h5="r6:ns")
    stage.frame(0.0)
    stage.move(lifted, ROLLED)
    stage.move(START)
    assert stage.frame(reaching(2) - 0.01) is not None
    assert stage.busy
    _, image = still(stage, reaching(2))
    assert rows_seen(image) == START.visible["rows"]


def test_nothing_else_moves_when_one_piece_does(stage: Stage) -> None:
    before = quiet(stage, 0.0)
    stage.move(ROLLED)
    at, image = still(stage, 1.5)
    after = quiet(stage, at)
    around = [[-1.3, -1.3, 0.3], [2.3, -1.3, 0.3], [2.3, 6.6, 0.3], [-1.3, 6.6, 0.3]]
    corners = pose_of(image).pose.project(np.array(around))
    far = np.ones(before.shape[:2], np.uint8)
    cv2.fillConvexPoly(far, np.round(corners).astype(np.int32), 0)
    off = cv2.absdiff(before, after).max(axis=2)
    assert off[far == 0].max() > 60
    assert off[far > 0].max() <= 3


def test_a_change_is_rendered_as_the_whole_would_be() -> None:
    """What was changed bit by bit looks as if it had been laid at once."""
    by_hand, at_once = (Stage(StagePlan(DICE, seed=4, size=SMALL)) for _ in range(2))
    by_hand.show(START)
    by_hand.show(ROLLED)
    at_once.show(ROLLED)
    assert int(cv2.absdiff(quiet(by_hand, 0.0), quiet(at_once, 0.0)).max()) <= 2


def test_the_same_seed_gives_the_same_frames() -> None:
    def film(seed: int) -> list[Image]:
        stage = Stage(StagePlan(TROMINOES, seed=seed, size=SMALLEST))
        stage.reach()
        stage.light("warm")
        return [image for _, image in frames(stage, 5.0, 2.0, 0.25)]

    assert all(np.array_equal(a, b) for a, b in zip(film(3), film(3), strict=True))
    assert not np.array_equal(film(3)[0], film(5)[0])


@pytest.mark.parametrize("what", ["camera", "board"])
def test_a_bump_moves_the_field_and_it_is_read_all_the_same(stage: Stage, what: str) -> None:
    before = quiet(stage, 0.0)
    stage.bump(what)
    at, image = still(stage, 1.2)
    moved = np.abs(pose_of(before).corners - pose_of(image).corners).max()
    assert 2 < moved < 60
    assert rows_seen(image) == START.visible["rows"]
    corner = cv2.absdiff(before, quiet(stage, at))[:40, :40]
    assert (corner.mean() < 1.5) == (what == "board")  # the table itself has not moved
    stage.move(ROLLED)
    assert rows_seen(still(stage, at + 1.2)[1]) == ROLLED.visible["rows"]


def test_many_bumps_do_not_push_the_field_out_of_sight(stage: Stage) -> None:
    at, image = 0.0, stage.frame(0.0)
    for n in range(10):
        stage.bump(("camera", "board")[n % 2])
        at, image = still(stage, at)
    assert image is not None
    assert rows_seen(image) == START.visible["rows"]
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    assert len(find_markers(gray)) == 4


@pytest.mark.parametrize(
    ("what", "channels"), [("dim", (-1, -1, -1)), ("bright", (1, 1, 1)), ("warm", (-1, 0, 1)), ("cold", (1, 0, -1))]
)
def test_light_fades_and_the_field_is_read_all_the_same(stage: Stage, what: str, channels: tuple[int, ...]) -> None:
    usual = quiet(stage, 0.0).mean(axis=(0, 1))
    stage.light(what)
    assert stage.busy
    half = stage.frame(1.65)
    at, image = still(stage, 1.7)
    assert half is not None
    now, between = image.mean(axis=(0, 1)), half.mean(axis=(0, 1))
    for channel, way in enumerate(channels):
        if way:
            assert way * (now[channel] - usual[channel]) > 3
            assert way * (now[channel] - between[channel]) > 1
    assert rows_seen(image) == START.visible["rows"]
    stage.light("usual")
    assert np.abs(still(stage, at)[1].mean(axis=(0, 1)) - usual).max() < 1


@pytest.mark.parametrize("marker", range(4))
def test_a_covered_marker_is_not_seen(stage: Stage, marker: int) -> None:
    stage.frame(0.0)
    stage.cover(marker)
    at, image = still(stage, 0.0)
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    assert {found.id for found in find_markers(gray)} == {4, 5, 6, 7} - {4 + marker}
    assert rows_seen(image) == START.visible["rows"]
    stage.cover(None)
    _, image = still(stage, at)
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    assert len(find_markers(gray)) == 4


def test_a_lost_camera_gives_no_frames_and_comes_back(stage: Stage) -> None:
    assert stage.frame(10.0) is not None
    stage.lose(3.0)
    assert stage.frame(10.1) is None
    assert stage.frame(13.0) is None
    assert stage.frame(13.2) is not None


def test_a_hand_that_only_reaches_changes_nothing(stage: Stage) -> None:
    before = quiet(stage, 0.0)
    stage.reach()
    during = stage.frame(1.2 + COMING + CHANGING / 2)
    assert during is not None
    assert cv2.absdiff(before, during).max() > 60
    at, _ = still(stage, 2.2)
    assert cv2.absdiff(before, quiet(stage, at)).max() <= 3


def test_who_hurries_is_ready_sooner(stage: Stage) -> None:
    stage.frame(0.0)
    stage.pace = 3.0
    stage.move(ROLLED)
    assert stage.frame(reaching(1) / 3 + 0.01) is not None
    assert not stage.busy


def test_showing_drops_what_was_on_its_way(stage: Stage) -> None:
    stage.frame(0.0)
    stage.move(ROLLED)
    stage.move(START, ROLLED)
    stage.frame(1.0)
    stage.show(START)
    assert not stage.busy
    image = stage.frame(1.1)
    assert image is not None
    assert rows_seen(image) == START.visible["rows"]


def test_a_row_of_planks_is_pushed_along_and_stays_in_its_area() -> None:
    planks = [{"colors": ("RWB", "WBR", "BRW")[n % 3], "tokens": [".", ".", "."]} for n in range(12)]
    stage = Stage(StagePlan(PLANKS, seed=2, size=(960, 540)))
    row = Layout(PLANKS, {"planks": []})
    at = 0.0
    for south, count in ((0, 1), (0, 5), (-7, 12)):
        row = replace(row, visible={"planks": planks[:count]}, south=south)
        stage.show(row)
        image = stage.frame(at)
        assert image is not None
        look = read_picture(image, PLANKS).look
        assert look is not None
        assert look.visible() == row.visible
        assert look.places[:, 1].min() > 0
        assert look.places[:, 1].max() < 13
        at += 1


def test_any_family_can_be_asked_for() -> None:
    plan = StagePlan(TROMINOES, seed=6, size=SMALLEST)
    one, other = (Stage(each).frame(0.0) for each in (replace(plan, family="attic"), plan))
    assert one is not None
    assert other is not None
    assert cv2.absdiff(one, other).mean() > 5
