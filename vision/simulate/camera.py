"""Cameras that look at a field from any side of the table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.fields import Field, Floats
from vision.pose import Pose
from vision.simulate.style import Rng

SIZES = ((1280, 720), (1280, 720), (1280, 720), (640, 480), (1920, 1080))


def look_at(
    field: Field,
    size: tuple[int, int],
    hfov: float,
    tilt: float,
    azimuth: float,
    roll: float,
    fill: float,
    k1: float = 0.0,
) -> Pose:
    """A camera that sees the whole field with its markers; `fill` is how much of the picture they take.

    `azimuth` 0 stands on the first player's side (south), degrees counter-clockwise seen from above.
    """
    width, height = size
    focal = width / 2 / np.tan(np.radians(hfov / 2))
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    t, a, r = (np.radians(angle) for angle in (tilt, azimuth, roll))
    outward = np.array([np.sin(t) * np.sin(a), -np.sin(t) * np.cos(a), np.cos(t)])  # from the field to the camera
    forward = -outward
    right = np.array([np.cos(a), np.sin(a), 0.0])
    down = np.cross(forward, right)
    right, down = right * np.cos(r) + down * np.sin(r), down * np.cos(r) - right * np.sin(r)
    rotation: Floats = np.stack([right, down, forward])
    rvec: Floats = np.asarray(np.ravel(cv2.Rodrigues(rotation)[0]), dtype=np.float64)
    middle = np.array([field.columns / 2, field.rows / 2, 0.0])
    outer = np.concatenate([field.marker_corners(marker) for marker in field.markers])
    distance = 30.0
    for _ in range(12):
        tvec = -rotation @ (middle + outward * distance)
        pose = Pose(field, size, matrix, np.array([k1, 0, 0, 0, 0]), rvec, tvec, 0.0)
        pixels = pose.project(outer)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        offset = (low + high) / 2 - [(width - 1) / 2, (height - 1) / 2]
        middle = middle + (right * offset[0] + down * offset[1]) * distance / focal * [1, 1, 0]
        share = max((high[0] - low[0]) / width, (high[1] - low[1]) / height)
        distance *= share / fill
    return pose


def random_pose(rng: Rng, field: Field, size: tuple[int, int] | None = None, least_tilt: float = 0.0) -> Pose:
    size = size or SIZES[int(rng.integers(len(SIZES)))]
    side = float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 12))
    if field.name == "planks":
        side = float(rng.choice([90, 270, 90, 270, 0])) + float(rng.normal(0, 12))
    return look_at(
        field,
        size,
        hfov=float(rng.uniform(48, 78)),
        tilt=float(rng.uniform(least_tilt, 41)),
        azimuth=side,
        roll=float(rng.normal(0, 5)),
        fill=float(rng.uniform(0.62, 0.97)),
        k1=float(rng.normal(0, 0.03)),
    )
