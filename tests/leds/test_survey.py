"""Layouts from places and from answers."""

from __future__ import annotations

import random

import pytest

from companion.errors import BadInput
from companion.leds.survey import Questions, fit_wiring, format_wiring, windings, wiring_from_points
from companion.leds.wiring import parse_wiring


@pytest.mark.parametrize("size", [(8, 8), (7, 7), (9, 8), (3, 16), (1, 8), (16, 16)])
def test_a_few_questions_are_enough(size: tuple[int, int]) -> None:
    for panel, wire in windings(size):
        questions = Questions(size)
        while questions.found is None:
            questions.answer(wire[questions.place])
        assert questions.found.wire() == list(wire), panel
        assert len(questions.asked) <= 3


def test_an_answer_that_cannot_be_is_asked_again() -> None:
    questions = Questions((8, 8))
    with pytest.raises(BadInput, match="led-not-there"):
        questions.answer((3, 3))
    assert questions.asked == []


@pytest.mark.parametrize(
    "words",
    [
        "8x8 nw serpentine",
        "8x8 sw + 1x8 columns at=8:0",
        "4x4 ne columns + 4x4 sw at=4:0 + 8x4 se serpentine at=0:4",
        "7x7 se columns serpentine",
    ],
)
def test_places_and_words_are_the_same(words: str) -> None:
    wire = parse_wiring(words).wire()
    assert parse_wiring(format_wiring(fit_wiring(wire))).wire() == wire


def test_what_makes_no_panels_is_said() -> None:
    cells = [(x, y) for x in range(8) for y in range(8)]
    random.Random(1).shuffle(cells)
    with pytest.raises(BadInput, match="no-layout-fits"):
        fit_wiring(cells)
    with pytest.raises(BadInput, match="leds-in-one-place"):
        fit_wiring([(0, 0), (1, 0), (0, 0)])


def test_a_matrix_larger_than_the_board_knows_where_a1_is() -> None:
    points = [(x - 0.5, y - 0.5) for y in range(9) for x in range(9)]  # one more all around a board of 7 by 7
    layout = wiring_from_points(points)
    assert format_wiring(layout) == "9x9 sw a1=1:1"


def test_a_small_matrix_beside_the_board_counts_for_itself() -> None:
    wire = parse_wiring("8x8 nw serpentine").wire()
    turned = [(10 + 0.25 * x - 0.05 * y, 2 + 0.25 * y + 0.05 * x) for x, y in wire]
    assert format_wiring(wiring_from_points(turned)) == "8x8 nw serpentine"
