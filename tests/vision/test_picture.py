"""Pictures of every kind are opened or refused in one clear sentence."""

from __future__ import annotations

import contextlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import UnreadablePicture
from vision.picture import open_picture


@pytest.fixture
def scene() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 255, (240, 320, 3)).astype(np.uint8)


def test_gray_alpha_and_16_bit_become_color(tmp_path: Path, scene: np.ndarray) -> None:
    kinds = {
        "gray": cv2.cvtColor(scene, cv2.COLOR_BGR2GRAY),
        "alpha": cv2.cvtColor(scene, cv2.COLOR_BGR2BGRA),
        "deep": scene.astype(np.uint16) * 257,
        "plain": scene,
    }
    for name, image in kinds.items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), image)
        opened = open_picture(tmp_path / f"{name}.png")
        assert opened.shape == scene.shape
        assert opened.dtype == np.uint8
    assert np.array_equal(open_picture(tmp_path / "deep.png"), scene)


def test_bad_files_are_named_for_what_they_are(tmp_path: Path, scene: np.ndarray) -> None:
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "text.png").write_text("this is no picture")
    cv2.imwrite(str(tmp_path / "dot.png"), scene[:1, :1])
    for name, complaint in (
        ("empty.png", "picture-empty"),
        ("text.png", "picture-unknown"),
        ("dot.png", "picture-small.*1"),
        ("missing.png", "cannot-open"),
        (".", "picture-folder"),
    ):
        with pytest.raises(UnreadablePicture, match=complaint):
            open_picture(tmp_path / name)


def test_a_picture_cut_off_in_the_middle_is_opened_or_refused(tmp_path: Path, scene: np.ndarray) -> None:
    whole = cv2.imencode(".jpg", scene)[1].tobytes()
    (tmp_path / "half.jpg").write_bytes(whole[: len(whole) // 2])
    with contextlib.suppress(UnreadablePicture):
        assert open_picture(tmp_path / "half.jpg").shape == scene.shape
