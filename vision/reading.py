"""From a picture to a reading: find the table, measure the light, let the field's reader look."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from vision.codes import Labels
from vision.errors import UnreadablePicture
from vision.fields import Floats, usual_field
from vision.light import Lighting, measure, measure_without_markers
from vision.look import Look
from vision.picture import within_reason
from vision.pose import (
    Image,
    Lens,
    Marker,
    Pose,
    find_field,
    find_markers,
    pose_from_corners,
    turned_back,
)
from vision.readers import READERS
from vision.translation import Translation

HOLDS = 0.04  # of a cell, or a pixel: a marker that lies nearer to its place than this has not moved


@dataclass(frozen=True)
class Reading:
    """What one picture gave. The look is missing where the game was not said and the field has several."""

    pose: Pose
    markers: tuple[Marker, ...]
    light: Lighting
    look: Look | None
    ms: float
    scale: float = 1.0  # by how much a huge picture was made smaller before it was read
    mirrored: bool = (
        False  # the picture was turned back before it was read; the pose is that of the picture turned back
    )

    @property
    def corners(self) -> Floats:
        """The playing surface's corners NW, NE, SE, SW in the picture as it was given."""
        corners = self.pose.corners
        if self.mirrored:
            corners[:, 0] = self.pose.size[0] - 1 - corners[:, 0]
        return np.asarray((corners + 0.5) / self.scale - 0.5)

    @property
    def outline(self) -> Floats:
        """The same in the picture turned back, if it is mirrored."""
        return np.asarray((self.pose.corners + 0.5) / self.scale - 0.5)

    def as_json(self) -> dict[str, Any]:
        """The answer of `companion read`, but for the file's name."""
        look = self.look
        return {
            "field": self.pose.field.name,
            "game": look.game if look else None,
            "visible": look.visible() if look else None,
            "confidence": round(look.confidence, 4) if look else 0.0,
            "doubtful": look.doubtful() if look else [],
            "hand": look.hand if look else False,
            "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in self.corners],
            "mirrored": self.mirrored,
            "ms": round(self.ms, 2),
        }


def read_picture(
    image: Image,
    labels: Labels | None = None,
    corners: Floats | None = None,
    lens: Lens | None = None,
    surface: float | None = None,
    pose: Pose | None = None,
    *,
    on_field: Callable[[str], Labels | None] = lambda field: None,
    learned: Callable[[str], Translation | None] = lambda game: None,
) -> Reading:
    """Reads one picture; raises UnreadablePicture when there is nothing to read, saying what was seen.

    `corners` are the surface's corners NW, NE, SE, SW for boards without markers (the labels must be given);
    `surface` is the height of a board that is not as thick as the kit's; `pose` is that of an earlier picture,
    and holds unless markers are seen elsewhere than it says: with markers hidden it knows more than they do. Without
    one, a picture that is mirrored is turned back.
    `on_field` is asked for the labels where none are given, by the name of the field that the markers tell;
    `learned` for what was learned of the set that a game is played with here.
    """
    began = time.perf_counter()
    image, scale = within_reason(image)
    size, mirrored = (image.shape[1], image.shape[0]), False
    if corners is not None:
        if labels is None:
            raise UnreadablePicture("corners-need-game")
        field = usual_field(labels.field)
        field = field if surface is None else replace(field, surface=surface)
        pose = pose_from_corners((np.asarray(corners) + 0.5) * scale - 0.5, field, size, lens)
        markers: list[Marker] = []
        light = measure_without_markers(image, pose)
    else:
        gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        markers = find_markers(gray) if pose is not None else []
        if pose is None or pose.size != size or not _holds(pose, markers):
            pose, markers, mirrored = find_field(gray, lens)
            image = turned_back(image) if mirrored else image
            if surface is not None and pose.field.surface > 0:
                pose = replace(pose, field=replace(pose.field, surface=surface))
        light = measure(image, pose, markers)
    labels = labels or on_field(pose.field.name)
    if labels and labels.field != pose.field.name:
        raise UnreadablePicture("other-field", field=pose.field.name, game=labels.game, other=labels.field)
    if labels:
        light = replace(light, translation=learned(labels.game))
    look = READERS[labels.field](image, pose, light, labels) if labels else None
    return Reading(pose, tuple(markers), light, look, 1000 * (time.perf_counter() - began), scale, mirrored)


def _holds(pose: Pose, markers: Sequence[Marker]) -> bool:
    """Whether the field's markers that are seen lie where they should; another field's do not count."""
    mine = [marker for marker in markers if marker.id in pose.field.markers]
    moved = [(m.corners - pose.project(pose.field.marker_corners(m.id))).mean(axis=0) for m in mine]
    near = max(1.0, HOLDS * pose.cell_pixels)
    return (bool(mine) or not markers) and all(float(np.linalg.norm(by)) < near for by in moved)
