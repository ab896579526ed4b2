"""Colors as the color-blind see them, and how far they may be dimmed."""

from __future__ import annotations

import pytest

from companion.leds.eyes import EYES, alike, apart, least_brightness, seen

RED, GREEN, BLUE, WHITE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0)


@pytest.mark.parametrize("eye", EYES)
def test_white_stays_white(eye: str) -> None:
    assert seen(WHITE, eye) == pytest.approx(WHITE, abs=0.001)


def test_each_eye_confuses_what_it_is_known_to() -> None:
    plain = apart(RED, GREEN, "all")
    assert plain == pytest.approx(170.6, abs=1)  # CIE76 of sRGB's red and green
    assert apart(RED, (0.35, 0.25, 0.0), "deutan") < 0.5 * apart(RED, (0.35, 0.25, 0.0), "all")
    assert apart(GREEN, (0.0, 0.9, 0.9), "tritan") < 0.5 * apart(GREEN, (0.0, 0.9, 0.9), "all")


@pytest.mark.parametrize("percent", [3, 5, 10, 30, 60, 100])
def test_everybody_tells_the_lights_apart(percent: int) -> None:
    assert list(alike(percent / 100)) == []


def test_what_is_dimmed_too_far_is_said() -> None:
    assert least_brightness() == 0.03
    assert {one.eye for one in alike(0.01)} >= {"protan", "tritan"}
