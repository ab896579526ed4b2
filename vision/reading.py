"""From a picture to a reading: find the table, measure the light, let the field's reader look."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from vision.fields import FIELD_OF_GAME, GAMES_OF_FIELD, Floats, field_of_game
from vision.light import Light, measure, measure_without_markers
from vision.look import Look
from vision.picture import within_reason
from vision.pose import (
    Image,
    Lens,
    Marker,
    Pose,
    find_markers,
    pose_from_corners,
    pose_from_markers,
)
from vision.readers import READERS
from vision.trouble import CannotRead

HOLDS = 0.04  # of a cell, or a pixel: a marker that lies nearer to its place than this has not moved


@dataclass(frozen=True)
class Reading:
    """What one picture gave. The look is missing where a seven field's game was not said."""

    pose: Pose
    markers: tuple[Marker, ...]
    light: Light
    look: Look | None
    ms: float
    scale: float = 1.0  # by how much a huge picture was made smaller before it was read

    @property
    def corners(self) -> Floats:
        """The playing surface's corners NW, NE, SE, SW in the picture as it was given."""
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
            "ms": round(self.ms, 2),
        }


def read_picture(
    image: Image,
    game: str | None = None,
    corners: Floats | None = None,
    lens: Lens | None = None,
    surface: float | None = None,
    pose: Pose | None = None,
) -> Reading:
    """Reads one picture; raises CannotRead when there is nothing to read, saying what was seen.

    `corners` are the surface's corners NW, NE, SE, SW for boards without markers (the game must be given);
    `surface` is the height of a board that is not as thick as the kit's; `pose` is that of an earlier picture,
    and holds unless markers are seen elsewhere than it says: with markers hidden it knows more than they do.
    """
    began = time.perf_counter()
    image, scale = within_reason(image)
    size = (image.shape[1], image.shape[0])
    if corners is not None:
        if game is None:
            raise CannotRead("corners-need-game")
        field = field_of_game(game)
        field = field if surface is None else replace(field, surface=surface)
        pose = pose_from_corners((np.asarray(corners) + 0.5) * scale - 0.5, field, size, lens)
        markers: list[Marker] = []
        light = measure_without_markers(image, pose)
    else:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        markers = find_markers(grey)
        if pose is None or pose.size != size or not _holds(pose, markers):
            pose = pose_from_markers(markers, grey, lens)
            if surface is not None and pose.field.surface > 0:
                pose = replace(pose, field=replace(pose.field, surface=surface))
        light = measure(image, pose, markers)
    game = _game_of(pose.field.name, game)
    look = READERS[pose.field.name](image, pose, light, game) if game else None
    return Reading(pose, tuple(markers), light, look, 1000 * (time.perf_counter() - began), scale)


def _holds(pose: Pose, markers: Sequence[Marker]) -> bool:
    """Whether the field's markers that are seen lie where they should; another field's do not count."""
    mine = [marker for marker in markers if marker.id in pose.field.markers]
    moved = [(m.corners - pose.project(pose.field.marker_corners(m.id))).mean(axis=0) for m in mine]
    near = max(1.0, HOLDS * pose.cell_pixels)
    return (bool(mine) or not markers) and all(float(np.linalg.norm(by)) < near for by in moved)


def _game_of(field: str, game: str | None) -> str | None:
    """The game that is read: the one given, or the only one that is played on this field."""
    if game is not None and FIELD_OF_GAME[game] != field:
        raise CannotRead("other-field", field=field, game=game, other=FIELD_OF_GAME[game])
    if game is None and len(GAMES_OF_FIELD[field]) == 1:
        return GAMES_OF_FIELD[field][0]
    return game
