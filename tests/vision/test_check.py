"""The table check: each fault of a picture is found and its advice can be told."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.messages import LANGUAGES, say
from vision.calibrate import calibrate, load, save, sheet
from vision.check import check
from vision.errors import UnreadablePicture
from vision.fields import usual_field
from vision.simulate.camera import look_at
from vision.simulate.render import render
from vision.simulate.scene import bare_table
from vision.simulate.style import Illumination, Lamp, random_lens, random_style


@pytest.fixture(scope="module")
def good() -> np.ndarray:
    """An empty table in good light, taken by a good camera."""
    rng = np.random.default_rng(0)
    style, field = random_style(rng), usual_field("seven")
    pose = look_at(field, (960, 720), 60, 20, 5, 0, 0.9)
    light = Illumination((0.3, 0.3, 0.3), (Lamp((0, 9, 14), 0.5, (1, 1, 1), 3.0),))
    lens = replace(random_lens(rng), exposure=1.0, blur=0.5, motion=0.0, noise=1.0, sharpen=0.0, quality=90)
    return render(rng, bare_table(rng, field, style, 50), pose, light, style, lens).image


def codes(image: np.ndarray) -> set[str]:
    return {finding.code for finding in check(image)}


def test_every_finding_has_a_sentence(good: np.ndarray) -> None:
    for finding in check(good):
        for language in LANGUAGES:
            assert say("FINDINGS", finding.code, finding.params, language)


def test_faults_are_found(good: np.ndarray) -> None:
    assert "light.dark" in codes((good * 0.12).astype(np.uint8))
    assert "sharpness.blurred" in codes(cv2.GaussianBlur(good, (0, 0), 2.6))
    assert "sharpness.good" in codes(good)
    assert codes(np.zeros((480, 640, 3), np.uint8)) == {"no-markers"}


def test_a_mirrored_picture_is_checked_all_the_same(good: np.ndarray) -> None:
    mirrored = codes(np.ascontiguousarray(good[:, ::-1]))
    assert mirrored == codes(good) | {"mirror.turned"}
    for language in LANGUAGES:
        assert say("FINDINGS", "mirror.turned", {}, language)


def test_a_camera_is_calibrated_from_pictures_of_the_sheet(tmp_path) -> None:
    flat = cv2.cvtColor(sheet(60), cv2.COLOR_GRAY2BGR)
    high, wide = flat.shape[:2]
    focal, size = 700.0, (960, 720)
    matrix = np.array([[focal, 0, 479.5], [0, focal, 359.5], [0, 0, 1]])
    pictures = []
    for turn in ((0.4, 0.0, 0.1), (-0.4, 0.3, 0.0), (0.0, -0.5, 0.3), (0.3, 0.4, -0.2)):
        rotation = cv2.Rodrigues(np.array(turn))[0]
        # The sheet, one unit to a pixel, its middle straight ahead of the camera.
        middle = rotation @ np.array([wide / 2, high / 2, 0])
        plane = np.stack([rotation[:, 0], rotation[:, 1], np.array([0, 0, 620.0]) - middle], axis=1)
        pictures.append(cv2.warpPerspective(flat, matrix @ plane, size, borderValue=(120, 120, 120)))
    lens, error, used = calibrate(pictures)
    assert used == 4
    assert error < 0.5
    assert lens.matrix[0] == pytest.approx(focal, rel=0.03)
    save(lens, tmp_path / "lens.json")
    assert load(tmp_path / "lens.json") == lens


def test_too_few_pictures_of_the_sheet() -> None:
    with pytest.raises(UnreadablePicture, match="sheet-unseen"):
        calibrate([np.zeros((480, 640, 3), np.uint8)])
