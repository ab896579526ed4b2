"""Colors as the color-blind see them, and how far they may be dimmed."""

from __future__ import annotations

import pytest

from companion.leds.color_vision import VISIONS, as_perceived, confusable_pairs, difference, least_brightness

RED, GREEN, BLUE, WHITE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0)


@pytest.mark.parametrize("eye", VISIONS)
def test_white_stays_white(eye: str) -> None:
    assert as_perceived(WHITE, eye) == pytest.approx(WHITE, abs=0.001)


def test_each_eye_confuses_what_it_is_known_to() -> None:
    plain = difference(RED, GREEN, "all")
    assert plain == pytest.approx(170.6, abs=1)  # CIE76 of sRGB's red and green
    assert difference(RED, (0.35, 0.25, 0.0), "deutan") < 0.5 * difference(RED, (0.35, 0.25, 0.0), "all")
    assert difference(GREEN, (0.0, 0.9, 0.9), "tritan") < 0.5 * difference(GREEN, (0.0, 0.9, 0.9), "all")


@pytest.mark.parametrize("percent", [3, 5, 10, 30, 60, 100])
def test_everybody_tells_the_lights_apart(percent: int) -> None:
    assert list(confusable_pairs(percent / 100)) == []


def test_what_is_dimmed_too_far_is_said() -> None:
    assert least_brightness() == 0.03
    assert {one.vision for one in confusable_pairs(0.01)} >= {"protan", "tritan"}
