"""The picture generator: same seed, same picture; every set of pieces; visible states go in and out unchanged."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.samples import surface_blocked
from vision.fields import usual_field
from vision.pose import find_markers
from vision.simulate.camera import random_pose
from vision.simulate.layout import Card, bare_layout, completed
from vision.simulate.pieces import COURSES
from vision.simulate.style import ASIDE, FAMILIES, from_another_kit, random_style
from vision.training.lived_in import worn
from vision.training.positions import SETS, random_layout
from vision.training.sample import random_sample


def test_the_same_seed_gives_the_same_picture() -> None:
    one, two = (random_sample(7, "trominoes", size=(320, 240)) for _ in range(2))
    assert np.array_equal(one.image, two.image)
    assert not np.array_equal(one.image, random_sample(8, "trominoes", size=(320, 240)).image)


@pytest.mark.parametrize("pieces", SETS)
def test_every_set_can_be_drawn(pieces: str) -> None:
    sample = random_sample(3, pieces, size=(320, 240), hand=0.0)
    assert sample.image.shape == (240, 320, 3)
    assert sample.image.std() > 5
    assert not sample.hand


@pytest.mark.parametrize("pieces", SETS)
def test_positions_keep_what_the_kit_guarantees(pieces: str) -> None:
    for seed in range(30):
        visible = random_layout(np.random.default_rng(seed), pieces).visible
        codes = [code for row in visible.get("rows", []) for code in row]
        if pieces == "dice":
            assert codes.count("wK") <= 1
            assert codes.count("rK") <= 1
            assert sum(code[0] == "w" for code in codes) <= 9
        elif pieces == "tiles":
            triples = [code.rstrip("~") for code in codes if "-" in code]
            assert len(triples) == len(set(triples))
        elif pieces == "trominoes":
            assert codes.count("#") <= 7
            assert codes.count("x") % 3 == 0
        elif pieces == "mushrooms":
            assert codes.count("x") == 3 * codes.count("@")
        elif pieces == "planks":
            assert len(visible["planks"]) <= 12
            assert all(sorted(plank["colors"]) == ["B", "R", "W"] for plank in visible["planks"])


@pytest.mark.parametrize("pieces", ["trominoes", "mushrooms", "cards"])
def test_pieces_are_found_for_a_visible_state(pieces: str) -> None:
    """A game need not say which plates and cards lie there: every covered square gets one all the same."""
    layout = random_layout(np.random.default_rng(5), pieces)
    found = completed(replace(layout, plates=(), cards=()))
    covered = {cell for cell, code in layout.cells.items() if code in "x@bwBW"}
    cells = {cell for plate in found.plates for cell in plate} | {cell for card in found.cards for cell in card.cells}
    assert cells == covered
    assert completed(layout) == layout


def test_a_piece_that_does_not_show_does_not_lie_there() -> None:
    table = bare_layout(SETS["cards"])
    low, high = Card((0, 0), (2, 3), "b"), Card((1, 0), (2, 3), "w")
    codes = {**dict.fromkeys(low.cells, "b"), **dict.fromkeys(high.cells, "w")}
    both = table.with_cells(codes, cards=(low, high))
    assert completed(both) == both
    gone = both.with_cells(dict.fromkeys(high.cells, "."))
    assert completed(gone).cards == tuple(Card((0, row), (1, 1), "b") for row in range(3))


def test_a_hand_hides_part_of_the_field() -> None:
    for seed in range(6):
        assert surface_blocked(random_sample(seed, "cards", size=(320, 240), hand=1.0)) > 0


def test_two_families_are_kept_out_of_training() -> None:
    assert not set(ASIDE) & set(FAMILIES)
    usual = [random_style(np.random.default_rng(seed)) for seed in range(60)]
    for name in ("table", "wood", "pip", "arrow", "letter"):
        aside = {getattr(random_style(np.random.default_rng(0), family), name) for family in ASIDE}
        assert len(aside) == len(ASIDE)
        assert not aside & {getattr(style, name) for style in usual}


def test_arrows_of_many_presses_are_drawn_but_not_in_families_kept_aside() -> None:
    steps = np.linspace(0, 1, 21, dtype=np.float32)
    for course in COURSES.values():
        strayed = course(steps)
        assert strayed[0] == 0
        assert 0.3 < np.abs(strayed).max() < 1.01
    rng = np.random.default_rng(5)
    plain = [random_style(rng, family) for family in ASIDE]
    assert all(worn(rng, style).arrow_bend == 0 == worn(rng, style).print_gain for style in plain)
    assert {worn(rng, random_style(rng)).arrow_course for _ in range(60)} == set(COURSES)


def test_a_camera_can_be_asked_to_lean() -> None:
    leans = [random_pose(np.random.default_rng(n), usual_field("faces"), (640, 480), 24.0).tilt for n in range(8)]
    assert min(leans) >= 23.9


def test_a_lived_in_table_shows_the_same_position() -> None:
    plain, worn = (
        random_sample(12, "dice", "kitchen", hand=0.0, size=(640, 480), lived_in=way) for way in (False, True)
    )
    assert len(find_markers(cv2.cvtColor(worn.image, cv2.COLOR_BGR2GRAY))) == 4
    assert cv2.absdiff(plain.image, worn.image).mean() > 5
    again = random_sample(12, "dice", "kitchen", hand=0.0, size=(640, 480), lived_in=True)
    assert np.array_equal(worn.image, again.image)


def test_the_pieces_of_odd_positions_are_from_many_kits() -> None:
    rng = np.random.default_rng(4)
    for pieces in ("tiles", "planks", "dice"):
        assert random_layout(rng, f"{pieces}, odd").motley
        assert not random_layout(rng, pieces).motley
    style = random_style(rng)
    others = [from_another_kit(rng, style) for _ in range(12)]
    assert len({other.arrow for other in others}) > 2
    assert {other.family for other in others} == {style.family}
    assert {other.turn_jitter for other in others} == {style.turn_jitter}


def test_odd_positions_go_beyond_the_kit() -> None:
    """Readers must tell an open hole from a mushroom or a peg, which legal play never shows."""
    layouts = [random_layout(np.random.default_rng(seed), "mushrooms, odd") for seed in range(20)]
    assert any(layout.open_holes for layout in layouts)
    for layout in layouts:
        rows = layout.visible["rows"]
        assert layout.labels == SETS["mushrooms"]
        assert all(rows[6 - row][column] == "x" for column, row in layout.open_holes)
