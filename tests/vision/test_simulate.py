"""The picture generator: same seed, same picture; every game; visible states go in and out unchanged."""

from __future__ import annotations

import numpy as np
import pytest

from vision.fields import FIELD_OF_GAME
from vision.simulate.positions import layout_of, random_layout
from vision.simulate.sample import random_sample, surface_blocked
from vision.simulate.style import FAMILIES, HELD_OUT, from_another_kit, random_style

GAMES = sorted(FIELD_OF_GAME)


def test_the_same_seed_gives_the_same_picture() -> None:
    one, two = (random_sample(7, "hepta", size=(320, 240)) for _ in range(2))
    assert np.array_equal(one.image, two.image)
    assert not np.array_equal(one.image, random_sample(8, "hepta", size=(320, 240)).image)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_drawn(game: str) -> None:
    sample = random_sample(3, game, size=(320, 240), hand=0.0)
    assert sample.image.shape == (240, 320, 3)
    assert sample.image.std() > 5
    assert not sample.hand


@pytest.mark.parametrize("game", GAMES)
def test_positions_keep_what_the_kit_guarantees(game: str) -> None:
    for seed in range(30):
        visible = random_layout(np.random.default_rng(seed), game).visible
        codes = [code for row in visible.get("rows", []) for code in row]
        if game == "six-faces":
            assert codes.count("wK") <= 1
            assert codes.count("rK") <= 1
            assert sum(code[0] == "w" for code in codes) <= 9
        elif game == "trippples":
            triples = [code.rstrip("~") for code in codes if "-" in code]
            assert len(triples) == len(set(triples))
        elif game.startswith("hepta"):
            assert codes.count("#") <= 7
            assert codes.count("x") % 3 == 0
        elif game == "tetrods":
            assert codes.count("x") == 3 * codes.count("@")
        elif game == "plank":
            assert len(visible["planks"]) <= 12
            assert all(sorted(plank["colors"]) == ["B", "R", "W"] for plank in visible["planks"])


@pytest.mark.parametrize("game", ["hepta", "tetrods", "pegs"])
def test_pieces_are_found_for_a_visible_state(game: str) -> None:
    """A simulated table is given only what is visible: every covered cell must get a piece."""
    rng = np.random.default_rng(5)
    visible = random_layout(rng, game).visible
    layout = layout_of(rng, game, visible)
    covered = {(c, 6 - r) for r, row in enumerate(visible["rows"]) for c, code in enumerate(row) if code in "x@bwBW"}
    cells = {cell for plate in layout.plates for cell in plate}
    for card in layout.cards:
        cells |= {(card.at[0] + i, card.at[1] + j) for i in range(card.size[0]) for j in range(card.size[1])}
    assert cells == covered


def test_a_hand_hides_part_of_the_field() -> None:
    for seed in range(6):
        assert surface_blocked(random_sample(seed, "pegs", size=(320, 240), hand=1.0)) > 0


def test_one_family_is_kept_out_of_training() -> None:
    assert HELD_OUT not in FAMILIES
    usual = {random_style(np.random.default_rng(seed)).wood for seed in range(40)}
    assert random_style(np.random.default_rng(0), HELD_OUT).wood not in usual


def test_the_pieces_of_odd_positions_are_from_many_kits() -> None:
    rng = np.random.default_rng(4)
    for game in ("trippples", "plank", "six-faces"):
        assert random_layout(rng, f"{game}, odd").motley
        assert not random_layout(rng, game).motley
    style = random_style(rng)
    others = [from_another_kit(rng, style) for _ in range(12)]
    assert len({other.arrow for other in others}) > 2
    assert {other.family for other in others} == {style.family}
    assert {other.turn_jitter for other in others} == {style.turn_jitter}


def test_odd_positions_go_beyond_the_kit() -> None:
    """Readers must tell an open hole from a mushroom or a peg, which legal play never shows."""
    layouts = [random_layout(np.random.default_rng(seed), "tetrods, odd") for seed in range(20)]
    assert any(layout.open_holes for layout in layouts)
    for layout in layouts:
        rows = layout.visible["rows"]
        assert layout.game == "tetrods"
        assert all(rows[6 - row][column] == "x" for column, row in layout.open_holes)
