"""Path-traced pictures in the style families and rooms that no network was trained on (python -m
vision.training.traced DIR 9002 50 aside attic veranda). The floors are what the readers reach today; they may only
rise."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.bench.reading import read, traced
from vision.look import doubts_of, something_in_the_way

PICTURES = Path(__file__).parent / "traced"
EXACT, FOUND, FALSE_HANDS = 40, 6, 0  # of 42 without a hand and 6 with one


def test_reads_path_traced_pictures() -> None:
    total: Counter[str] = Counter()
    for game, image, visible, hand in traced(PICTURES):
        total += read(game, image, visible, hand).count
    assert total["boards"] == 42
    assert total["exact"] >= EXACT
    assert total["hands found"] >= FOUND
    assert total["false hands"] <= FALSE_HANDS


@pytest.mark.parametrize(
    ("places", "hand"),
    [
        ({}, False),
        ({24: 0.95, 25: 0.95, 31: 0.9}, False),  # shine: many are doubtful, none is certain
        ({24: 0.98}, False),  # one square alone
        ({24: 0.999}, True),
        ({24: 0.98, 32: 0.6}, True),
        ({24: 0.98, 26: 0.6}, False),  # these do not touch
        ({6: 0.98, 7: 0.6}, False),  # nor do the ends of two rows
        ({16: 0.93, 24: 0.94, 25: 0.92}, True),  # several squares in one piece
        ({16: 0.93, 24: 0.94, 31: 0.86}, False),
        ({16: 0.93, 24: 0.94, 40: 0.92}, False),
    ],
)
def test_a_hand_hides_something_beyond_doubt(places: dict[int, float], hand: bool) -> None:
    hidden = np.zeros(49)
    for square, share in places.items():
        hidden[square] = share
    assert something_in_the_way(hidden, 7) is hand


def test_what_is_plainly_read_is_no_doubt_for_a_shine() -> None:
    sure, hidden = np.array([0.99, 0.99, 0.9, 0.5, 0.99]), np.array([0.8, 0.95, 0.8, 0.0, 0.3])
    assert doubts_of(("a", "b", "c", "d", "e"), sure, hidden, hand=False) == ["b", "c", "d"]
    assert doubts_of(("a", "b", "c", "d", "e"), sure, hidden, hand=True) == ["a", "b", "c", "d"]
