"""One reader per field: from a picture, a pose and the light to a Look."""

from __future__ import annotations

from collections.abc import Callable

from vision.codes import Labels
from vision.light import Lighting
from vision.look import Look
from vision.pose import Image, Pose
from vision.readers import faces, planks, seven, tiles

Reader = Callable[[Image, Pose, Lighting, Labels], Look]

READERS: dict[str, Reader] = {
    "seven": seven.read,
    "faces": faces.read,
    "tiles": tiles.read,
    "planks": planks.read,
}
