"""Fields without markers are found by their lines. The floors are what is reached today; they may only rise."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.errors import UnreadablePicture
from vision.fields import Floats, usual_field
from vision.frame_buffer import Frame
from vision.lattice import find_lattice, held_lattice, plainly
from vision.pose import Image, pose_from_corners
from vision.reading import read_picture
from vision.simulate.style import HELD_OUT
from vision.training.positions import SETS
from vision.training.sample import Sample, random_sample
from vision.watch import Watch

NEAR = 0.2  # of a cell: how far a corner may be off


def off(corners: Floats, sample: Sample, turns: int = 4) -> float:
    """By how many cells the corner that is furthest off is, whichever side is north."""
    ways = (np.roll(corners, turn, axis=0) - sample.pose.corners for turn in range(turns))
    return float(min(np.linalg.norm(way, axis=1).max() for way in ways)) / sample.pose.cell_pixels


def moved(image: Image, by: tuple[float, float], turn: float = 0.0) -> tuple[Image, Floats]:
    """The picture of a camera that was bumped, and how pixels moved."""
    high, wide = image.shape[:2]
    bump = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, 1.0)
    bump[:, 2] += by
    return np.asarray(cv2.warpAffine(image, bump, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.uint8), bump


@pytest.mark.parametrize(("name", "seed"), [("trominoes", 4), ("mushrooms", 3), ("dice", 4), ("dice", 3), ("tiles", 1)])
def test_finds_boards_without_markers(name: str, seed: int) -> None:
    sample = random_sample(seed, name, HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    found = find_lattice(sample.image, usual_field(SETS[name].field))
    assert found is not None
    assert off(found.corners, sample, 1 if name == "dice" else 4) < NEAR, "of a checkered board north is known, too"


def test_north_is_at_the_top_of_the_picture() -> None:
    sample = random_sample(4, "trominoes", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    found = find_lattice(sample.image, usual_field("seven"))
    assert found is not None
    corners = found.corners
    assert corners[:2, 1].mean() < corners[2:, 1].mean()
    assert corners[0, 0] < corners[1, 0]


def test_tiles_tell_which_way_round_they_lie() -> None:
    sample = random_sample(1, "tiles", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    reading = read_picture(sample.image, SETS["tiles"])
    assert reading.found == "lattice"
    assert off(reading.corners, sample, 1) < NEAR


def test_finds_none_where_there_is_none() -> None:
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 255, (480, 640, 3), np.uint8)
    stripes = np.tile((np.arange(640) // 20 % 2 * 90 + 80).astype(np.uint8)[None, :, None], (480, 1, 3))
    sheet = np.full((480, 640, 3), 200, np.uint8)
    cv2.rectangle(sheet, (150, 90), (480, 400), (40, 40, 60), -1)
    for image in (noise, stripes, sheet, np.zeros((480, 640, 3), np.uint8)):
        for field in ("seven", "faces", "tiles"):
            assert find_lattice(image, usual_field(field)) is None


def test_reads_a_board_that_its_lines_tell() -> None:
    sample = random_sample(4, "dice", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    reading = read_picture(sample.image, SETS["dice"])
    assert reading.look is not None
    assert reading.look.visible() == sample.layout.visible
    assert reading.as_json()["corners_found"] == "lattice"
    with pytest.raises(UnreadablePicture, match="no-markers"):
        read_picture(sample.image)  # of which game?


def test_lines_hold_the_field_exactly() -> None:
    sample = random_sample(4, "trominoes", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    askew = sample.pose.corners + np.random.default_rng(0).uniform(-0.12, 0.12, (4, 2)) * sample.pose.cell_pixels
    about = pose_from_corners(askew, usual_field("seven"), (1280, 720))
    held = held_lattice(sample.image, about)
    assert held is not None
    assert off(held.corners, sample, 1) < 0.1
    elsewhere = pose_from_corners(askew * 0.5, usual_field("seven"), (1280, 720))
    assert held_lattice(sample.image, elsewhere) is None


def test_a_watch_finds_the_board_and_holds_it_when_the_camera_is_bumped() -> None:
    sample = random_sample(4, "trominoes", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    watch, at, readings = Watch(SETS["trominoes"]), 0.0, []
    bumped, bump = moved(sample.image, (46, -31), 4.0)
    for image in [sample.image] * 16 + [bumped] * 10:
        at += 0.25
        seen = watch.see(Frame(image, int(at * 4), at))
        readings += [(seen.reading, image is bumped)] if seen.reading else []
    before = next(reading for reading, late in readings if not late)
    after = next(reading for reading, late in readings if late)
    assert before.found == after.found == "lattice"
    assert off(before.corners, sample) < NEAR
    expected = before.corners @ bump[:, :2].T + bump[:, 2]
    assert np.linalg.norm(after.corners - expected, axis=1).max() < 0.1 * sample.pose.cell_pixels
    assert before.look
    assert after.look
    assert before.look.visible() == after.look.visible()


def test_where_the_lines_leave_doubts_a_person_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = random_sample(4, "dice", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    monkeypatch.setattr("vision.reading.plainly", lambda image, pose: False)
    watch, troubles = Watch(SETS["dice"]), []
    for n in range(20):
        seen = watch.see(Frame(sample.image, n, n / 4))
        assert seen.reading is None
        troubles += [seen.trouble] if seen.trouble else []
    assert troubles[-1].code == "lattice-unsure"
    proposed = np.array(troubles[-1].params["corners"])
    assert off(proposed, sample, 1) < NEAR
    unsure, again = Watch(SETS["dice"], corners=proposed), None
    for n in range(8):
        again = unsure.see(Frame(sample.image, n, n / 4)).reading or again
    assert again is not None, "they are taken once a person says so"


def test_what_misses_its_edges_is_not_plain() -> None:
    sample = random_sample(4, "trominoes", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    found = find_lattice(sample.image, usual_field("seven"))
    assert found is not None
    assert plainly(sample.image, found)
    assert not plainly(sample.image, replace(found, error=0.05 * found.cell_pixels))
    off_by_a_third = pose_from_corners(found.corners + 0.33 * found.cell_pixels, found.field, (1280, 720))
    assert not plainly(sample.image, off_by_a_third)


def test_a_part_of_a_larger_field_is_not_plain() -> None:
    sample = random_sample(71002, "tiles", "club", hand=0.15, size=(640, 480), markers=False)
    part = find_lattice(sample.image, usual_field("seven"))
    assert part is not None, "seven of its eight rows and columns look like a field"
    assert not plainly(sample.image, part)


def test_a_cards_discs_tell_where_the_cells_are() -> None:
    sample = random_sample(3, "cards", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    askew = sample.pose.corners + np.random.default_rng(3).uniform(-0.15, 0.15, (4, 2)) * sample.pose.cell_pixels
    held = held_lattice(sample.image, pose_from_corners(askew, usual_field("seven"), (1280, 720)))
    assert held is not None
    assert off(held.corners, sample, 1) < 0.1
