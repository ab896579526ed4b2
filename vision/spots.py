"""One lit LED in a dark picture: where it is, and which place of a plane that is."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.pose import Image, Pose

SOFT = 2.0  # pixels over which noise is evened out
SURE = 8.0  # how many times the noise a light must stand out
LEAST = 6.0  # and by how many levels of 255


def find_spot(dark: Image, lit: Image) -> tuple[float, float] | None:
    """The middle of what is lit in one picture and not in the other, in pixels; None if nothing is for certain."""
    more = lit.astype(np.float32).max(axis=2) - dark.astype(np.float32).max(axis=2)
    more = cv2.GaussianBlur(more, (0, 0), SOFT)
    more -= np.median(more)  # a camera that has opened its eye meanwhile lights everything
    noise = 1.4826 * float(np.median(np.abs(more)))
    _, peak, _, (x, y) = cv2.minMaxLoc(more)
    if peak < max(LEAST, SURE * noise):
        return None
    bright = (more > 0.6 * peak).astype(np.uint8)  # not the glow around it, which spreads over its neighbors
    _, parts = cv2.connectedComponents(bright)
    weights: npt.NDArray[np.float64] = np.where(parts == parts[y, x], more, 0).astype(np.float64)
    total = weights.sum()
    ys, xs = np.indices(weights.shape)
    return float((weights * xs).sum() / total), float((weights * ys).sum() / total)


def on_plane(pose: Pose, pixel: tuple[float, float], height: float) -> tuple[float, float]:
    """Where a pixel lies on the plane at this height, in cells from the field's south-west corner."""
    point = np.array([[pixel]], dtype=np.float64)
    straight = cv2.undistortPoints(point, pose.matrix, pose.distortion, P=pose.matrix)[0, 0]
    x, y, w = np.linalg.solve(pose.plane(height), np.array([straight[0], straight[1], 1.0]))
    return float(x / w), float(y / w)
