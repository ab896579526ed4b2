"""Writes simulated pictures with labels to train on: python -m vision.training.pictures DIR ROUNDS [PIECES…]."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.fields import FIELD_OF_MARKER
from vision.pose import Image, Pose
from vision.training.sample import Sample, random_sample

# A round of pictures; the hardest to read come most often.
ROUND = (
    *("tiles, odd", "tiles, odd", "tiles, odd", "tiles"),
    *("planks, odd", "planks, odd", "planks, odd", "planks"),
    *("dice, odd", "dice, odd", "dice"),
    *("trominoes", "mushrooms, odd", "cards", "cards, odd"),
)
TRACED = 500_000  # the numbers of path-traced pictures begin here
ASLANT = 24.0  # degrees: from here on a die shows a side face in front of the next square
SIZES = ((640, 480), (960, 540), (800, 600), (960, 540), (1280, 720))


def write(folder: Path, seed: int, sample: Sample, quality: int = 97) -> None:
    pose, labels = sample.pose, sample.layout.labels
    name = f"{labels.field}-{seed:06d}"
    label = {
        "set": labels.game,
        "pieces": labels.pieces,
        "visible": sample.layout.visible,
        "hand": sample.hand,
        "blank": sample.blank,
        "marker": pose.field.markers[0],
        "size": pose.size,
        "matrix": pose.matrix.tolist(),
        "distortion": pose.distortion.tolist(),
        "rvec": pose.rvec.tolist(),
        "tvec": pose.tvec.tolist(),
    }
    cv2.imwrite(str(folder / f"{name}.jpg"), sample.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if sample.hand:
        small = cv2.resize(sample.blocked, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{name}.png"), np.round(small * 255).astype(np.uint8))
    (folder / f"{name}.json").write_text(json.dumps(label))


def load(path: Path) -> tuple[Image, Pose, dict[str, Any], Image]:
    """A picture, its exact pose, its label, and where something is in the way (255)."""
    label = json.loads(path.read_text())
    image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), dtype=np.uint8)
    matrix, distortion, rvec, tvec = (
        np.array(label[key], dtype=np.float64) for key in ("matrix", "distortion", "rvec", "tvec")
    )
    pose = Pose(
        FIELD_OF_MARKER[label["marker"]],
        (image.shape[1], image.shape[0]),
        matrix,
        distortion,
        rvec,
        tvec,
        0.0,
    )
    blocked = np.zeros(image.shape[:2], np.uint8)
    if label["hand"]:
        mask = np.asarray(cv2.imread(str(path.with_suffix(".png")), cv2.IMREAD_GRAYSCALE))
        blocked = np.asarray(cv2.resize(mask, image.shape[1::-1], interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    return image, pose, label, blocked


def write_all(folder: Path, rounds: int, names: tuple[str, ...] = ROUND, first: int = 0) -> None:
    """Rounds of pictures; of three rounds two show tables that are lived in. Half of the tiles are blank, to be printed
    on in training."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + rounds):
        for k, name in enumerate(names):
            number = seed * 16 + k
            size = SIZES[(seed + k) % len(SIZES)]
            least = ASLANT if name.startswith("dice") and seed % 2 else 0.0
            blank = name.startswith("tiles") and k % 2 == 1
            sample = random_sample(
                number, name, hand=0.35, size=size, lived_in=seed % 3 > 0, least_tilt=least, blank=blank
            )
            write(folder, number, sample)


if __name__ == "__main__":
    write_all(Path(sys.argv[1]), int(sys.argv[2]), tuple(sys.argv[3:]) or ROUND)
