"""What tests ask of a picture drawn at random."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pose import Pose
from vision.simulate.scene import Map
from vision.training.sample import Sample


def surface_blocked(sample: Sample) -> float:
    """How much of the playing surface is hidden, 0 to 1."""
    return surface_share(sample.pose, sample.blocked)


def surface_share(pose: Pose, blocked: Map) -> float:
    outline = np.zeros(blocked.shape, np.uint8)
    cv2.fillConvexPoly(outline, np.round(pose.corners).astype(np.int32), 1)
    return float(blocked[outline > 0].mean()) if outline.any() else 0.0
