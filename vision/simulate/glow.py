"""An LED under the board that shines through it, in a room that is nearly dark."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.pose import Image, Pose
from vision.simulate.style import Rng

PPU = 24  # pixels a cell on the plane that the light is drawn on
MARGIN = 3  # cells around the field


def darkened(rng: Rng, picture: Image, light: float) -> Image:
    """A picture of the table as it looks with so much of its light left, with the noise of a camera that strains."""
    left = picture.astype(np.float32) * light
    return _noisy(rng, left)


def with_led(
    rng: Rng, picture: Image, pose: Pose, at: tuple[float, float], light: float, bright: float, wide: float
) -> Image:
    """The same with one LED lit at a place of the board's surface: `bright` in levels, `wide` its diffuser in cells."""
    columns, rows = pose.field.columns + 2 * MARGIN, pose.field.rows + 2 * MARGIN
    east = (np.arange(columns * PPU) + 0.5) / PPU - at[0] - MARGIN
    north = (np.arange(rows * PPU) + 0.5) / PPU - at[1] - MARGIN
    glow = np.zeros((len(north), len(east)))
    for share, spread in ((1.0, wide), (0.25, 1.0), (0.04, 3.0)):  # the diffuser, and what the wood spreads
        glow += share * np.outer(np.exp(-((north / spread) ** 2) / 2), np.exp(-((east / spread) ** 2) / 2))
    to_plane = np.array([[1 / PPU, 0, -MARGIN], [0, 1 / PPU, -MARGIN], [0, 0, 1]])
    homography = pose.plane_to_picture(pose.field.surface, margin=MARGIN) @ to_plane
    height, width = picture.shape[:2]
    seen = cv2.warpPerspective((bright * glow).astype(np.float32), homography, (width, height))
    color = rng.uniform(0.75, 1.0, 3)
    texture = 0.4 + 0.6 * picture.astype(np.float32) / 255  # it also lights what lies there
    return _noisy(rng, picture.astype(np.float32) * light + (seen[..., None] * color * texture).astype(np.float32))


def _noisy(rng: Rng, light: npt.NDArray[np.float32]) -> Image:
    noise = 2.0 * rng.standard_normal(light.shape[:2], dtype=np.float32)
    return np.clip(light + noise[..., None], 0, 255).astype(np.uint8)
