"""Opens pictures of any kind: gray, 16-bit, with alpha, huge; and says plainly what cannot be opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import UnreadablePicture
from vision.pose import Image
from vision.simulate.plan import StagePlan

SMALLEST = 64  # pixels a side: less cannot show a field
WARM_UP = 8  # frames
LARGEST_SENT = 4096  # pixels a side that a picture may have which somebody sends us
LARGEST = 2600  # pixels a side: more adds nothing but time


def open_picture(path: Path) -> Image:
    """A picture as 8-bit blue, green, red."""
    if path.is_dir():
        raise UnreadablePicture("picture-folder")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadablePicture("cannot-open", error=error.strerror) from None
    if not data:
        raise UnreadablePicture("picture-empty")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise UnreadablePicture("picture-unknown") from error
    if image is None:
        raise UnreadablePicture("picture-unknown")
    return as_color(np.asarray(image))


def picture_from(source: str, stage: StagePlan | None = None) -> Image:
    """A picture from a file, or one frame of a camera: its number, its path, its address or its simulated stage."""
    from vision.cameras import is_camera, open_camera  # they stand on this module

    if not is_camera(source):
        return open_picture(Path(source))
    with open_camera(source, stage=stage) as camera:
        # A camera needs some frames to find its exposure.
        frame = camera.newest(timeout=0)
        while camera.state.code in ("starting", "live") and (frame is None or frame.number < WARM_UP):
            frame = camera.newest(frame.number if frame else 0, timeout=0.1) or frame
        if frame is None:
            raise UnreadablePicture(camera.state.reason, source=camera.source)
        return frame.image


def as_color(image: npt.NDArray[Any]) -> Image:
    """Any decoded picture as 8-bit color of a size that makes sense."""
    if image.shape[0] < SMALLEST or image.shape[1] < SMALLEST:
        raise UnreadablePicture("picture-small", width=image.shape[1], height=image.shape[0])
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
