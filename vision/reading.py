"""From a picture to a reading: find the table, measure the light, let the field's reader look."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import cv2
import numpy as np

from vision.codes import Labels
from vision.errors import UnreadablePicture
from vision.fields import Floats, usual_field
from vision.finding import find_field
from vision.lattice import find_lattice, plainly
from vision.light import Lighting, measure, measure_without_markers
from vision.look import Look
from vision.memory import Memory
from vision.picture import within_reason
from vision.pose import (
    Image,
    Lens,
    Marker,
    Pose,
    find_markers,
    places_turned_back,
    pose_from_corners,
    run_backwards,
    turned_back,
)
from vision.readers import READERS
from vision.readers.tiles import UPRIGHT
from vision.translation import Translation

SAME = 1e-2  # pixels: corners that are nearer have not been moved
HOLDS = 0.04  # of a cell, or a pixel: a marker that lies nearer to its place than this has not moved


How = Literal["markers", "corners", "lattice"]


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

    found: How = "markers"  # by what it is known where the field lies: by corners that were given, or by its own lines

    @property
    def corners(self) -> Floats:
        """The playing surface's corners NW, NE, SE, SW in the picture as it was given."""
        corners = self.pose.corners
        if self.mirrored:
            corners = places_turned_back(corners, self.pose.size[0])
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
            "corners_found": self.found,
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
    memory: Memory | None = None,
) -> Reading:
    """Reads one picture; raises UnreadablePicture when there is nothing to read, saying what was seen.

    `corners` are the surface's corners NW, NE, SE, SW for boards without markers (the labels must be given); where
    they run counter-clockwise the picture is mirrored, and turned back;
    `surface` is the height of a board that is not as thick as the kit's; `pose` is that of an earlier picture,
    and holds unless markers are seen elsewhere than it says: with markers hidden it knows more than they do. Without
    one, a picture that is mirrored is turned back, and a field that has no markers is found by its lines.
    `on_field` is asked for the labels where none are given, by the name of the field that the markers tell;
    `learned` for what was learned of the set that a game is played with here. `memory` is of the looks before at the
    same field: what has not changed since is not read again.
    """
    began = time.perf_counter()
    image, scale = within_reason(image)
    memory = memory or Memory()
    memory.begin(pose)
    size, mirrored = (image.shape[1], image.shape[0]), False
    found: How = "markers"
    if corners is not None:
        found = "corners"
        if labels is None:
            raise UnreadablePicture("corners-need-game")
        field = usual_field(labels.field)
        field = field if surface is None else replace(field, surface=surface)
        given = (np.asarray(corners) + 0.5) * scale - 0.5
        mirrored = run_backwards(given)
        if mirrored:
            image, given = turned_back(image), places_turned_back(given, size[0])
        if pose is None or pose.size != size or np.abs(pose.corners - given).max() > SAME:
            pose = pose_from_corners(given, field, size, lens)
        markers: list[Marker] = []
        light = measure_without_markers(image, pose)
    else:
        gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        markers = memory.markers(gray, find_markers) if pose is not None else []
        if pose is None or pose.size != size or not _holds(pose, markers):
            memory.forget()
            known = pose is not None
            try:
                pose, markers, mirrored = find_field(gray, lens)
            except UnreadablePicture as why:
                if known:
                    raise
                pose, markers, found = by_lines(image, labels, lens, why, scale), [], "lattice"
            image = turned_back(image) if mirrored else image
            if surface is not None and pose.field.surface > 0:
                pose = replace(pose, field=replace(pose.field, surface=surface))
        light = memory.light(markers, lambda: measure(image, pose, markers))
    labels = labels or on_field(pose.field.name)
    if labels and labels.field != pose.field.name:
        raise UnreadablePicture("other-field", field=pose.field.name, game=labels.game, other=labels.field)
    if labels:
        light = replace(light, translation=learned(labels.game))
    look = READERS[labels.field](image, pose, light, labels, memory) if labels else None
    ms = 1000 * (time.perf_counter() - began)
    return Reading(pose, tuple(markers), light, look, ms, scale, mirrored, found)


def by_lines(
    image: Image, labels: Labels | None, lens: Lens | None, why: UnreadablePicture, scale: float = 1.0
) -> Pose:
    """The field of a game by its own lines, where it has no markers; `why` they do not tell is what is raised where
    there are markers, or where no lines are found either. Where they leave doubts, that is raised with the corners that
    they make likely, for a person to look at, in the picture before it was made smaller.

    Tiles show which way round they lie; of other fields north is as `find_lattice` says."""
    if labels is None or why.code != "no-markers":
        raise why
    pose = find_lattice(image, usual_field(labels.field), lens)
    if pose is None:
        raise why
    if not plainly(image, pose):
        raise UnreadablePicture("lattice-unsure", corners=((pose.corners + 0.5) / scale - 0.5).tolist())
    if labels.field != "tiles":
        return pose
    turned = [pose_from_corners(np.roll(pose.corners, turn, axis=0), pose.field, pose.size, lens) for turn in range(4)]
    light = measure_without_markers(image, pose)
    looks = [READERS[labels.field](image, one, light, labels, Memory()) for one in turned]
    return turned[int(np.argmax([look.likelihood[:, UPRIGHT].sum() for look in looks]))]


def _holds(pose: Pose, markers: Sequence[Marker]) -> bool:
    """Whether the field's markers that are seen lie where they should; another field's do not count."""
    mine = [marker for marker in markers if marker.id in pose.field.markers]
    moved = [(m.corners - pose.project(pose.field.marker_corners(m.id))).mean(axis=0) for m in mine]
    near = max(1.0, HOLDS * pose.cell_pixels)
    return (bool(mine) or not markers) and all(float(np.linalg.norm(by)) < near for by in moved)
