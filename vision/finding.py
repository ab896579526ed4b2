"""The field in a picture by its markers, mirrored or not, and though most of its markers are hidden or unclear.

Where fewer than three are seen, the others are sought where those tell that they lie, by how they look: a marker of
which one side is covered, or that is too blurred or too small for the detector, agrees with its pattern, or with half
of it, at one place only. Where one is
left alone, or two that are small, the field's own lines have to be where the markers say, and tell it better than
those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from vision.errors import UnreadablePicture
from vision.fields import FIELD_OF_MARKER, MARKER_MARGIN, MARKER_SIDE, Floats
from vision.lattice import ABOUT, held_lattice
from vision.pose import (
    FOCAL_PRIOR,
    Image,
    Lens,
    Marker,
    Pose,
    by_all_corners,
    field_of_markers,
    find_markers,
    pose_from_markers,
    turned_back,
)

ENOUGH = 3  # markers that tell where a field lies to a few hundredths of a cell
MODULE = 5  # pixels of a marker's module as it is compared
ASTRAY, FAR_ASTRAY = 0.7, 1.3  # cells by which a marker may lie elsewhere than two others, or one, say
STEEPEST = 75  # degrees off the vertical: from lower no camera sees markers, but mirrored ones lie as if it did
SMALL = 34  # pixels: two markers whose sides are shorter leave the far side of the field unclear
BESIDE = 0.2  # of a cell: markers that lie further from where the lines say belong elsewhere
AGREES = 0.72  # how much a place is like a marker, as a correlation, to be it
HALF_AGREES = 0.78  # and how much like half of one whose other half is covered: more, as there is less to go by
BLUR = 0.3  # of a module
SIDE = 8 * MODULE  # of a marker with its margin, which is as wide as a module
HALF = SIDE // 2 + MODULE  # of which a half has the middle, too
PARTS = (  # rows and columns of a marker: all of it, or the half on one side
    (slice(0, SIDE), slice(0, SIDE)),
    (slice(0, HALF), slice(0, SIDE)),
    (slice(SIDE - HALF, SIDE), slice(0, SIDE)),
    (slice(0, SIDE), slice(0, HALF)),
    (slice(0, SIDE), slice(SIDE - HALF, SIDE)),
)
PPU = 6 * MODULE / MARKER_SIDE


class Found(NamedTuple):
    """A field in a picture; of one that is mirrored, all is told as in the picture turned back."""

    pose: Pose
    markers: list[Marker]
    mirrored: bool


class Place(NamedTuple):
    x: int
    y: int
    agrees: float


def find_field(gray: Image, lens: Lens | None = None) -> Found:
    """The field that the markers tell, mirrored or not. In a mirrored picture most markers are no markers, and those
    that happen to look like others do not lie as a field's do. Raises UnreadablePicture when there is none."""
    markers = find_markers(gray)
    if _most(markers) >= ENOUGH:
        return Found(*_told_by(markers, gray, lens), False)
    turned = turned_back(gray)
    others = find_markers(turned)
    if _most(others) > _most(markers):
        # Two markers may look like themselves in a mirror; then the picture turned back shows more of them.
        with suppress(UnreadablePicture):
            return Found(*_told_by(others, turned, lens), True)
    try:
        return Found(*_told_by(markers, gray, lens), False)
    except UnreadablePicture as why:
        try:
            return Found(*_told_by(others, turned, lens), True)
        except UnreadablePicture:
            found = _told_by_one(markers, gray, lens)
            if found is not None:
                return Found(*found, False)
            raise why from None


def _most(markers: Sequence[Marker]) -> int:
    """How many markers of one field are seen."""
    return max(Counter(FIELD_OF_MARKER[marker.id] for marker in markers).values(), default=0)


def _told_by(markers: list[Marker], gray: Image, lens: Lens | None) -> tuple[Pose, list[Marker]]:
    pose = pose_from_markers(markers, gray, lens)
    if pose.tilt > STEEPEST:
        raise UnreadablePicture("no-pose")
    mine = field_of_markers(markers)[1]
    if len(mine) >= ENOUGH:
        return pose, markers
    pose, more = _with_unclear(pose, mine, gray, lens, ASTRAY)
    if len(more) >= ENOUGH:
        return pose, more
    if _large(mine):
        return pose, markers
    return _by_lines(pose, mine, gray, lens) or pose, markers


def _told_by_one(markers: list[Marker], gray: Image, lens: Lens | None) -> tuple[Pose, list[Marker]] | None:
    """The field of a marker that is seen alone, if others are found by it, or the field's lines."""
    if len(markers) != 1:
        return None
    best: tuple[Pose, list[Marker]] | None = None
    for pose in _by_square(markers[0], gray, lens):
        found = _with_unclear(pose, markers, gray, lens, FAR_ASTRAY)
        if best is None or len(found[1]) > len(best[1]):
            best = found
    if best is None or len(best[1]) >= ENOUGH:
        return best
    held = _by_lines(*best, gray, lens)
    if held is not None:
        return held, best[1]
    return best if len(best[1]) > 1 and _large(best[1]) else None


def _large(markers: Sequence[Marker]) -> bool:
    return min(cv2.contourArea(one.corners.astype(np.float32)) for one in markers) > SMALL**2


def _by_square(marker: Marker, gray: Image, lens: Lens | None) -> Iterator[Pose]:
    """The poses in which a single marker looks as it does: mostly two, one tilted this way and one that."""
    field, size = FIELD_OF_MARKER[marker.id], (gray.shape[1], gray.shape[0])
    outer = field.marker_corners(marker.id)
    middle, half = outer.mean(axis=0), MARKER_SIDE / 2
    square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    distortion: Floats = np.zeros(5)
    if lens is not None:
        fx, fy, cx, cy = lens.scaled_to(size).matrix
        distortion[: len(lens.distortion)] = lens.distortion
    else:
        fx, fy, cx, cy = FOCAL_PRIOR * size[0], FOCAL_PRIOR * size[0], (size[0] - 1) / 2, (size[1] - 1) / 2
    matrix = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
    turns, moves = cv2.solvePnPGeneric(square, marker.corners, matrix, distortion, flags=cv2.SOLVEPNP_IPPE_SQUARE)[1:3]
    for turn, move in zip(turns, moves, strict=True):
        rvec = np.asarray(turn, np.float64).ravel()
        tvec = np.asarray(move, np.float64).ravel() - cv2.Rodrigues(rvec)[0] @ middle
        start = Pose(field, size, matrix, distortion, rvec, tvec, 0.0)
        try:
            yield by_all_corners(start, [marker], gray, lens)
        except UnreadablePicture:
            continue


def _with_unclear(
    pose: Pose, markers: Sequence[Marker], gray: Image, lens: Lens | None, astray: float
) -> tuple[Pose, list[Marker]]:
    """The pose with those markers too that are found by it, the nearest first, as every one tells more of where the
    others are."""
    found = list(markers)
    missing = [marker for marker in pose.field.markers if marker not in {one.id for one in markers}]
    middle = pose.field.marker_corners(markers[0].id).mean(axis=0)
    missing.sort(key=lambda marker: float(np.linalg.norm(pose.field.marker_corners(marker).mean(axis=0) - middle)))
    for marker in missing:
        seen = _sought(pose, marker, gray, astray if len(found) == len(markers) else min(astray, ASTRAY))
        if seen is None:
            continue
        try:
            pose = pose_from_markers([*found, seen], gray, lens)
        except (UnreadablePicture, cv2.error):
            continue
        found.append(seen)
    return pose, sorted(found, key=lambda one: one.id)


def _sought(pose: Pose, marker: int, gray: Image, astray: float) -> Marker | None:
    """A marker where the pose says that it lies, or near by, if a place looks enough like it."""
    (west, north), (east, south) = pose.field.marker_corners(marker)[[0, 2], :2]
    out = MARKER_MARGIN + astray
    area = np.array([[west - out, north + out], [east + out, north + out], [east + out, south - out]])
    area = np.vstack([area, [west - out, south - out]])
    pixels = pose.project(np.column_stack([area, np.zeros(4)]))
    high, wide = gray.shape
    if not np.isfinite(pixels).all() or (pixels.max(axis=0) < 0).any() or (pixels.min(axis=0) > (wide, high)).any():
        return None
    side = round((MARKER_SIDE + 2 * out) * PPU)
    sheet = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - np.float32(0.5)
    to_sheet = cv2.getPerspectiveTransform(pixels.astype(np.float32), sheet)
    seen = cv2.warpPerspective(gray, to_sheet, (side, side), borderMode=cv2.BORDER_REPLICATE)
    places = [_like(seen, _pattern(marker), rows, columns) for rows, columns in PARTS]
    surest = max(places, key=lambda place: place.agrees - (AGREES if place is places[0] else HALF_AGREES))
    if surest.agrees < (AGREES if surest is places[0] else HALF_AGREES):
        return None
    edges = np.array([[1, 1], [7, 1], [7, 7], [1, 7]]) * float(MODULE) + [surest.x, surest.y] - 0.5
    corners = cv2.perspectiveTransform(edges.reshape(-1, 1, 2), np.linalg.inv(to_sheet)).reshape(4, 2)
    return Marker(marker, np.asarray(corners, np.float64))


def _like(seen: Image, pattern: Image, rows: slice, columns: slice) -> Place:
    """Where a part of a pattern is best seen: the place of all of it, and how much that is like it."""
    agrees = cv2.matchTemplate(seen, np.ascontiguousarray(pattern[rows, columns]), cv2.TM_CCOEFF_NORMED)
    y, x = (int(n) for n in np.unravel_index(int(agrees.argmax()), agrees.shape))
    return Place(x - columns.start, y - rows.start, float(agrees[y, x]))


@cache
def _pattern(marker: int) -> Image:
    """A marker with its margin, as a camera shows it: not quite sharp."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits = np.pad(cv2.aruco.generateImageMarker(dictionary, marker, 6), 1, constant_values=255)
    large = cv2.resize(bits, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.GaussianBlur(large, (0, 0), BLUR * MODULE), np.uint8)


def _by_lines(pose: Pose, markers: Sequence[Marker], gray: Image, lens: Lens | None) -> Pose | None:
    """A field that lies about so by its own lines, if there are such, and the markers lie as these say."""
    held = held_lattice(np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), np.uint8), pose, lens, ABOUT)
    if held is None:
        return None
    off = [held.project(held.field.marker_corners(one.id)) - one.corners for one in markers]
    return held if np.linalg.norm(off, axis=2).max() < BESIDE * held.cell_pixels else None
