"""Watches a field before a camera: waits until it is at rest, reads it once, and notices bumps.

A field without markers is found by its lines, if nobody said where its corners are, and followed by them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from vision.codes import Labels
from vision.errors import UnreadablePicture
from vision.fields import Floats, usual_field
from vision.finding import find_field
from vision.frame_buffer import Frame
from vision.lattice import find_lattice, held_lattice
from vision.memory import Memory
from vision.patches import CUTS, cut_at, cut_cells
from vision.pose import (
    Image,
    Lens,
    Pose,
    find_markers,
    places_turned_back,
    pose_from_corners,
    run_backwards,
    turned_back,
)
from vision.reading import Reading, by_lines, read_picture
from vision.stillness import Stillness
from vision.translation import Translation

BUMP = 0.08  # of a cell: a field that moved by more was bumped, or the camera was
UNMOVED = 0.06  # of a cell
SURE = 0.95  # how sure the least sure square must be to go on learning from a look
TRY_AGAIN = 1.0  # seconds between attempts at a field that is not found
# Seconds without markers until lines are sought, and between attempts: these take long.
LINES_AFTER, LINES_AGAIN = 2.0, 6.0
MARKERS_AGAIN = 10  # looks at a field found by its lines after which markers are sought once more
FLOW_WIDTH = 640  # pixels of the picture in which movement is followed
MAT = 1.4  # times the field's size: where points are followed
LEAST_POINTS = 12
STAYED, AGREE = 0.3, 0.5  # share of the points that must lie where they lay, or must have moved together


class Seen(NamedTuple):
    reading: Reading | None  # of a field that has come to rest
    trouble: UnreadablePicture | None  # why there is none: no field is found, or it cannot be read
    still: bool
    bumped: bool  # camera or board moved since the last reading
    image: Image  # turned back, if the camera mirrors it
    disturbed: float = 0.0  # seconds since the reading before, in which the field was not at rest


class Watch:
    """One field before one camera."""

    def __init__(
        self,
        labels: Labels,
        *,
        corners: Floats | None = None,
        lens: Lens | None = None,
        surface: float | None = None,
        still_for: float = 0.25,
        learned: Translation | None = None,
    ) -> None:
        self.labels, self.lens, self.surface = labels, lens, surface
        self.learned = learned  # of the set that is played with
        # In the picture turned back, once one has been seen.
        self.corners: Floats | None = None if corners is None else np.asarray(corners, dtype=np.float64)
        self._stillness = Stillness(still_for)
        self._last: Reading | None = None
        self._picture: Image | None = None  # the last one that was read, small and gray
        self._memory = Memory()
        self._lines = False  # whether the corners are those that the field's lines tell
        self._doubts: UnreadablePicture | None = None  # that lines which were found left
        self._without = 0.0  # since when no markers are seen, or lines were sought in vain
        self._looks = 0
        self._size = (0, 0)
        self._mirrored = False  # as the markers told when the field was found, or corners that run backwards
        self._found = False  # whether it is known where the field lies now
        self._due = True
        self._tried = -np.inf
        self._as_read: float | None = None  # until when the field lay at rest as it was read

    def again(self) -> None:
        """Read the field at the next chance, although nothing changes."""
        self._due = True

    def agree(self, reading: Reading, image: Image) -> None:
        """What was read is so: a set that was learned is known in this light, too. Never from a look in doubt."""
        look = reading.look
        if self.learned and look and not look.hand and not look.doubts and look.confidence > SURE:
            light, cut = replace(reading.light, translation=None), CUTS[self.labels.field]
            if self.labels.field == "planks":
                patches = cut_at(image, reading.pose, light, cut, look.places)
            else:
                patches = cut_cells(image, reading.pose, light, cut)
            self.learned = self.learned.drifted(patches)

    def see(self, frame: Frame) -> Seen:
        """Take in a frame; the field is read when it has come to rest after a change."""
        at = frame.at
        self._note_size(frame.image)
        trouble = None
        if not self._found and at - self._tried >= TRY_AGAIN:
            first = self._tried == -np.inf  # many a camera's first picture is black
            self._tried = at
            self._due = True
            self._without = at if first else self._without
            trouble = None if (why := self._seek(frame.image, at)) is None or first else why
        image = turned_back(frame.image) if self._mirrored else frame.image
        still = self._stillness.see(image, at)
        self._due = self._due or self._stillness.moved
        if not (still and self._due and (self._found or self._last)):
            if still and not self._due:
                self._as_read = at
            return Seen(None, trouble, still, False, image)
        self._due = False
        try:
            reading, bumped = self._read(image)
        except UnreadablePicture as why:
            self._lose()
            return Seen(None, why, still, False, image)
        disturbed = 0.0 if self._as_read is None else max(0.0, self._stillness.since - self._as_read)
        self._as_read = at
        return Seen(reading, None, still, bumped, image, disturbed)

    def _note_size(self, image: Image) -> None:
        """A camera that now gives another size of picture is another camera."""
        size = (image.shape[1], image.shape[0])
        if size != self._size:
            self._size, self._last, self._picture = size, None, None
            if self.corners is not None and run_backwards(self.corners):
                self._mirrored, self.corners = True, places_turned_back(self.corners, size[0])
            self._lose()

    def _seek(self, image: Image, at: float) -> UnreadablePicture | None:
        """Find the field, whether or not anything moves around it; the answer is why it cannot be found."""
        if self._lines:
            self.corners, self._lines = None, False
        try:
            if self.corners is not None:
                pose = pose_from_corners(self.corners, usual_field(self.labels.field), self._size, self.lens)
            else:
                pose, _, mirrored = find_field(_gray(image), self.lens)
                if mirrored != self._mirrored:
                    self._mirrored, self._last, self._picture = mirrored, None, None
        except UnreadablePicture as why:
            if self._last is not None or at - self._without < LINES_AFTER:
                return self._doubts or why
            self._without = at + LINES_AGAIN - LINES_AFTER
            try:
                pose = by_lines(image, self.labels, self.lens, why)
            except UnreadablePicture as doubts:
                self._doubts = doubts
                return doubts
            self.corners, self._lines = pose.corners, True
        self._doubts = None
        self._look_at(pose)
        return None

    def _lose(self) -> None:
        self._found = False
        self._stillness.watch_over(None, self._size)

    def _look_at(self, pose: Pose) -> None:
        self._found = True
        self._stillness.watch_over(pose, self._size)

    def _read(self, image: Image) -> tuple[Reading, bool]:
        """A reading, and whether the field lies elsewhere in the picture than at the last one."""
        last = self._last
        self._looks += 1
        if self._lines and self._looks % MARKERS_AGAIN == 0 and find_markers(_gray(image)):
            self._last = self._picture = None
            raise UnreadablePicture("no-markers")  # they are there now: the field is sought anew
        if self.corners is not None and last is not None:
            self.corners = self._follow(image, last, self.corners)
        pose = last.pose if last else None
        reading = read_picture(
            image,
            self.labels,
            self.corners,
            self.lens,
            self.surface,
            pose,
            learned=lambda game: self.learned,
            memory=self._memory,
        )
        bare = self.corners is None and not reading.markers
        if reading.mirrored or (bare and last is not None and not self._is_unmoved(image, last)):
            raise UnreadablePicture("no-markers")
        moved = last is not None and _shift(reading.outline, last.outline) > BUMP * _cell(reading)
        if last is None or reading.pose is not last.pose or not self._found:
            self._look_at(reading.pose)
        how = "lattice" if self._lines else reading.found
        self._last = reading = replace(reading, mirrored=self._mirrored, found=how)
        if not bare:
            self._picture = _small_gray(image)
        return reading, moved

    def _is_unmoved(self, image: Image, last: Reading) -> bool:
        """With no marker in sight: whether enough of the field and its mat lies where it lay."""
        before, now = self._flow(image, last)
        stayed = np.linalg.norm(now - before, axis=1) < UNMOVED * _cell(last)
        return bool(stayed.sum() >= max(LEAST_POINTS, STAYED * len(before)))

    def _follow(self, image: Image, last: Reading, corners: Floats) -> Floats:
        """The corners of a field without markers after a bump: they move with most of what lies around them, to where
        its lines are. Where nothing tells how all moved, the lines alone may."""
        before, now = self._flow(image, last)
        if len(before) < LEAST_POINTS:
            return corners
        movement, agree = cv2.findHomography(before, now, cv2.RANSAC, 1.5)
        if movement is None or agree.sum() < max(LEAST_POINTS, AGREE * len(before)):
            return self._found_again(image, last, corners)
        moved = np.asarray(cv2.perspectiveTransform(corners.reshape(-1, 1, 2), movement), np.float64).reshape(4, 2)
        if _shift(moved, corners) < UNMOVED * _cell(last):
            return corners
        try:
            exactly = held_lattice(image, pose_from_corners(moved, last.pose.field, self._size, self.lens), self.lens)
        except UnreadablePicture:
            return corners
        return moved if exactly is None else exactly.corners

    def _found_again(self, image: Image, last: Reading, corners: Floats) -> Floats:
        """The corners by the field's lines; north stays on the side where it was."""
        try:
            pose = pose_from_corners(corners, last.pose.field, self._size, self.lens)
            if held_lattice(image, pose, self.lens) is not None:
                return corners
        except UnreadablePicture:
            return corners
        again = find_lattice(image, last.pose.field, self.lens)
        if again is None:
            return corners
        found = again.corners
        turns = range(0, 4, 1 if last.pose.field.columns == last.pose.field.rows else 2)
        return min((np.roll(found, turn, axis=0) for turn in turns), key=lambda one: _shift(one, corners))

    def _flow(self, image: Image, last: Reading) -> tuple[Floats, Floats]:
        """Points on the field and its mat, where they were at the last reading and where they are now, in pixels."""
        nothing = np.zeros((0, 2)), np.zeros((0, 2))
        before, now = self._picture, _small_gray(image)
        if before is None:
            return nothing
        scale = now.shape[1] / image.shape[1]
        middle = last.outline.mean(axis=0)
        outline = (middle + MAT * (last.outline - middle)) * scale
        mask = np.zeros(before.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255)
        points = cv2.goodFeaturesToTrack(before, 200, 0.01, 5, mask=mask)
        if points is None:
            return nothing
        there, found, _ = cv2.calcOpticalFlowPyrLK(before, now, points, points.copy(), winSize=(21, 21), maxLevel=4)
        followed = found.ravel() > 0
        return points.reshape(-1, 2)[followed] / scale, there.reshape(-1, 2)[followed] / scale


def _gray(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _small_gray(image: Image) -> Image:
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, FLOW_WIDTH / image.shape[1])
    return np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _shift(corners: Floats, before: Floats) -> float:
    """How far the corner that moved most has moved, in pixels."""
    return float(np.linalg.norm(corners - before, axis=1).max())


def _cell(reading: Reading) -> float:
    """A cell's size in pixels of the picture as it was given."""
    return reading.pose.cell_pixels / reading.scale
