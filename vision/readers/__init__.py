"""One reader per field: from a picture, a pose and the light to a Look."""

from __future__ import annotations

from collections.abc import Callable

from vision.codes import Labels
from vision.fields import usual_field
from vision.light import Lighting
from vision.look import Look
from vision.memory import Memory
from vision.pose import Image, Pose
from vision.readers import faces, planks, seven, tiles
from vision.readers.parts import squares_of

Reader = Callable[[Image, Pose, Lighting, Labels, Memory], Look]

READERS: dict[str, Reader] = {
    "seven": seven.read,
    "faces": faces.read,
    "tiles": tiles.read,
    "planks": planks.read,
}
CODES = {"faces": faces.CODES, "tiles": tiles.CODES, "planks": planks.CODES}


def codes_of(labels: Labels) -> tuple[str, ...]:
    """All that a square of this game's field may show."""
    return CODES.get(labels.field) or tuple(labels.pieces)


def names_of(labels: Labels, count: int) -> tuple[str, ...]:
    """The squares of this game's field, of which planks have as many as were laid."""
    if labels.field == "planks":
        return planks.squares_of_planks(count // 3)
    return squares_of(usual_field(labels.field))
