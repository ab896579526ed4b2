"""What training prints on blank tiles lies where the tiles are, and says what its label says."""

from __future__ import annotations

import numpy as np

from vision.codes import TILE_KINDS
from vision.light import measure
from vision.patches import CUTS, SIDE, cut_cells
from vision.training.prints import places, print_on
from vision.training.sample import random_sample


def test_prints_what_it_says_on_blank_tiles_only() -> None:
    sample = random_sample(11, "tiles", size=(960, 540), hand=0.0, blank=True)
    pose, cut, count = sample.pose, CUTS["tiles"], 64
    patches = cut_cells(sample.image, pose, measure(sample.image, pose, []), cut)
    rows = [sample.layout.cells[n % 8, n // 8].rstrip("~") for n in range(count)]
    blank = np.array([name not in ("neutral", "down", "empty") for name in rows])
    blank &= [f"{'abcdefgh'[n % 8]}{n // 8 + 1}" not in sample.layout.visible["pawns"].values() for n in range(count)]
    assert blank.sum() > 20
    unknown = np.full(count, -1)
    labels = {"kind": np.zeros(count, int), "arrows": unknown, "dot": unknown, "blank": blank}
    labels |= {
        "where": places(pose.field, pose, pose, cut, cut, SIDE),
        "pixels": np.full(count, pose.cell_pixels),
        "covered": np.zeros((count, 2, SIDE, SIDE), np.uint8),
    }
    before = patches.copy()
    labels["covered"][np.flatnonzero(blank)[0]] = 255  # nothing is printed on what is in the way
    printed = print_on(patches, labels, np.random.default_rng(3))
    changed = (patches != before).any(axis=(1, 2, 3))
    assert not changed[~blank].any()
    assert changed[blank].tolist() == [False] + [True] * (int(blank.sum()) - 1)
    arrows = printed["kind"] == TILE_KINDS.index("arrows")
    assert {bin(int(bits)).count("1") for bits in printed["arrows"][blank & arrows]} == {3}
    assert set(printed["dot"][blank & arrows]) == {0}
    # The ink of all arrows together lies around the middles of the tiles, on the plane of their tops.
    ink = (before[blank & arrows, :3].astype(float) - patches[blank & arrows, :3]).clip(0).mean(axis=(0, 1))
    middle = (np.indices(ink.shape) * ink).sum(axis=(1, 2)) / ink.sum()
    assert np.abs(middle - (SIDE - 1) / 2).max() < 2.5
