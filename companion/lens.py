"""Loads the camera's lens calibration, as `companion calibrate` wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import BadInput

if TYPE_CHECKING:
    from vision.pose import Lens


def lens_of(file: str | None) -> Lens | None:
    """The calibration in a file; None without a file. OpenCV is loaded only if it is needed."""
    if not file:
        return None
    from vision.calibrate import load
    from vision.errors import UnreadablePicture

    try:
        return load(Path(file))
    except UnreadablePicture as error:
        raise BadInput(file, error.code, **error.params) from None
