"""Looks that read only what has changed must see what whole looks see."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from vision.memory import AFRESH, Memory
from vision.pose import Image, Pose
from vision.reading import Reading, read_picture
from vision.training.positions import SETS
from vision.training.sample import Sample, random_sample

TOLERANCE = 0.2  # of a likelihood: no more than two noisy pictures of one unsure square differ
ALL = ("trominoes", "cards", "dice", "tiles", "planks")


def noisy(image: Image, seed: int, level: float = 2.0) -> Image:
    noise = np.random.default_rng(seed).normal(0, level, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def with_spot(sample: Sample, square: tuple[float, float], color: tuple[int, int, int]) -> Image:
    """Something the size of a mushroom lies on a square."""
    image = sample.image.copy()
    at = sample.pose.project(np.array([[*square, sample.pose.field.surface]]))[0]
    cv2.circle(image, np.round(at).astype(int).tolist(), round(0.2 * sample.pose.cell_pixels), color, -1, cv2.LINE_AA)
    return image


def looks(sample: Sample, name: str) -> Iterator[tuple[Image, str]]:
    """Pictures of a table where now and then something is put down or taken away."""
    one, two = with_spot(sample, (2.5, 2.5), (20, 20, 20)), with_spot(sample, (3.5, 4.5), (40, 30, 190))
    for n, image in enumerate((sample.image, one, one, two, sample.image, two, one, sample.image)):
        yield noisy(image, n), name


@pytest.mark.parametrize("name", ALL)
def test_reads_what_a_whole_look_reads(name: str) -> None:
    sample, labels, memory = random_sample(7, name, hand=0.0, size=(960, 540)), SETS[name], Memory()
    pose = read_picture(sample.image, labels).pose
    squares = []
    for image, _ in looks(sample, name):
        quick = read_picture(image, labels, pose=pose, memory=memory)
        whole = read_picture(image, labels, pose=pose)
        squares.append(memory.read)
        assert quick.look is not None
        assert whole.look is not None
        assert quick.look.visible() == whole.look.visible()
        assert quick.look.hand == whole.look.hand
        assert np.abs(quick.look.likelihood - whole.look.likelihood).max() < TOLERANCE
        assert np.abs(quick.look.hidden - whole.look.hidden).max() < TOLERANCE
    assert max(squares[1:]) < squares[0] / 2, "only what changed is read"


def test_another_light_has_all_read_again() -> None:
    sample, memory = random_sample(7, "trominoes", hand=0.0, size=(960, 540)), Memory()
    first = _look(sample.image, memory, None)
    assert _look(sample.image, memory, first.pose).look
    assert memory.read == 49
    assert _look(noisy(sample.image, 1), memory, first.pose).look
    assert memory.read == 0
    darker = np.clip(sample.image * 0.8, 0, 255).astype(np.uint8)
    _look(darker, memory, first.pose)
    # The markers tell the light, so that the squares look as they did; what the light does not explain is read.
    whole = _look(darker, Memory(), first.pose)
    quick = _look(darker, memory, first.pose)
    assert whole.look
    assert quick.look
    assert whole.look.visible() == quick.look.visible()
    shade = sample.image.copy()
    shade[:, : shade.shape[1] // 2] = (shade[:, : shade.shape[1] // 2] * 0.7).astype(np.uint8)
    _look(shade, memory, first.pose)
    assert memory.read > 10, "a shadow over half of the field"


def test_all_is_read_again_every_now_and_then_and_after_a_bump() -> None:
    sample, memory = random_sample(7, "trominoes", hand=0.0, size=(960, 540)), Memory()
    pose = _look(sample.image, Memory(), None).pose
    read = []
    for n in range(AFRESH + 2):
        _look(noisy(sample.image, n), memory, pose)
        read.append(memory.read)
    assert read.count(49) == 2
    moved = cv2.warpAffine(
        sample.image, np.array([[1.0, 0, 6], [0, 1, 4]]), (960, 540), borderMode=cv2.BORDER_REPLICATE
    )
    found = _look(np.asarray(moved, np.uint8), memory, pose)
    assert found.pose is not pose
    assert memory.read == 49
    assert found.look
    assert found.look.visible() == sample.layout.visible


def _look(image: Image, memory: Memory, pose: Pose | None) -> Reading:
    return read_picture(image, SETS["trominoes"], pose=pose, memory=memory)
