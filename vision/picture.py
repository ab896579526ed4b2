"""Opens pictures of any kind: grey, 16-bit, with alpha, huge; and says plainly what cannot be opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.pose import Image

SMALLEST = 64  # pixels a side: less cannot show a field
LARGEST = 2600  # pixels a side: more adds nothing but time


class BadPictureError(Exception):
    """A file that is no picture, or one that nothing can be read from."""


def open_picture(path: Path) -> Image:
    """A picture as 8-bit blue, green, red."""
    if path.is_dir():
        raise BadPictureError("is a folder, not a picture")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadPictureError(f"cannot be opened: {error.strerror}") from error
    if not data:
        raise BadPictureError("is an empty file")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise BadPictureError("is not a picture that can be decoded") from error
    if image is None:
        raise BadPictureError("is not a picture that can be decoded")
    return as_colour(np.asarray(image))


def as_colour(image: npt.NDArray[Any]) -> Image:
    """Any decoded picture as 8-bit colour of a size that makes sense."""
    if image.shape[0] < SMALLEST or image.shape[1] < SMALLEST:
        raise BadPictureError(f"is only {image.shape[1]}×{image.shape[0]} pixels: too small to show a field")
    if image.dtype == np.uint16:
        image = (image / 257).astype(np.uint8)
    elif image.dtype != np.uint8:
        image = np.clip(image.astype(np.float64) * (255 if image.max() <= 1 else 1), 0, 255).astype(np.uint8)
    if image.ndim == 2 or image.shape[2] == 1:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    elif image.shape[2] == 4:
        image = cv2.cvtColor(image, cv2.COLOR_BGRA2BGR)
    return np.asarray(image, dtype=np.uint8)


def within_reason(image: Image) -> tuple[Image, float]:
    """A huge picture made smaller, and by how much."""
    scale = LARGEST / max(image.shape[:2])
    if scale >= 1:
        return image, 1.0
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale
