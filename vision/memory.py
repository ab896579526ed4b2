"""What the looks before saw of a field: a square whose pixels have not changed since need not be read again.

A square counts as unchanged only where it is the same to within the picture's noise, block of pixels by block of
pixels, as when it was read; what it was then stays the measure, so that nothing can creep. Another light changes all
squares, and all are read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.light import Lighting
from vision.pose import Image, Marker, Pose

Parts = dict[str, npt.NDArray[Any]]  # what was read, one row per square
Blocks = npt.NDArray[np.uint8]

BLOCK = 4  # pixels of a patch's side that are averaged before they are compared
AFRESH = 10  # looks after which all is read once more
LEAST, NOISES = 4, 5.0  # levels, and times the noise, by which a block may differ
SHIFTED = 1.5  # levels by which the mean of a square may differ
LOUD = 3.0  # levels of noise in a block: then nothing can be told apart from it
MARKER = 24  # pixels of a side to which a marker's surroundings are made smaller


class _Kept(NamedTuple):
    blocks: Blocks  # square, block: as they were when they were read
    parts: Parts


class Memory:
    """Of one field before one camera. A new one knows nothing, so that all is read."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._markers: tuple[list[Marker], list[tuple[slice, slice]], Blocks] | None = None
        self._light: tuple[list[Marker], Lighting] | None = None
        self._pose: Pose | None = None
        self._looks = 0
        self.read = 0  # squares that were read at the last look

    def begin(self, pose: Pose | None) -> None:
        """Another look; every now and then all is forgotten, and always when the camera stands elsewhere."""
        self._looks, self.read = (self._looks + 1) % AFRESH, 0
        if self._looks == 0 or pose is not self._pose:
            self.forget()
            self._pose = pose

    def forget(self) -> None:
        """All is read anew."""
        self._kept, self._markers, self._light = {}, None, None

    def recall(self, name: str, patches: npt.NDArray[np.uint8], read: Callable[[npt.NDArray[np.intp]], Parts]) -> Parts:
        """What `read` makes of the patches, asked for those only that have changed since it was asked."""
        blocks = _blocks(patches)
        kept = self._kept.get(name)
        everything = np.arange(len(patches))
        if kept is None or kept.blocks.shape != blocks.shape:
            which = everything
        else:
            which = np.flatnonzero(_changed(blocks, kept.blocks))
        self.read += len(which)
        if kept is None or len(which) == len(everything):
            found = read(everything)
        elif not len(which):
            return kept.parts
        else:
            blocks_then, found = kept.blocks.copy(), {part: rows.copy() for part, rows in kept.parts.items()}
            for part, rows in read(which).items():
                found[part][which] = rows
            blocks_then[which] = blocks[which]
            blocks = blocks_then
        self._kept[name] = _Kept(blocks, found)
        return found

    def light(self, markers: list[Marker], measure: Callable[[], Lighting]) -> Lighting:
        """The light on the markers: on those that look as they did it is the same."""
        if self._light is None or self._light[0] is not markers:
            self._light = markers, measure()
        return self._light[1]

    def markers(self, gray: Image, find: Callable[[Image], list[Marker]]) -> list[Marker]:
        """The markers, sought only where those of before do not look as they did."""
        if self._markers is not None:
            markers, windows, then = self._markers
            now = _cut(gray, windows)
            if then.shape == now.shape and not _changed(now, then).any():
                return markers
        markers = find(gray)
        self._markers = None
        if markers:
            windows = [_around(marker) for marker in markers]
            self._markers = markers, windows, _cut(gray, windows)
        return markers


def _blocks(patches: npt.NDArray[np.uint8]) -> Blocks:
    count, channels, high, wide = patches.shape
    flat = np.ascontiguousarray(patches).reshape(count * channels * high, wide)
    small = cv2.resize(flat, (wide // BLOCK, len(flat) // BLOCK), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8).reshape(count, -1)


def _changed(now: Blocks, then: Blocks) -> npt.NDArray[np.bool_]:
    """Which rows differ by more than noise; all, where the noise cannot be told from a change."""
    off = cv2.subtract(now, then, dtype=cv2.CV_16S)
    size = np.abs(off)
    noise = 1.48 * float(np.median(size))
    mean = off.mean(axis=1)
    if noise > LOUD or abs(float(np.median(mean))) > SHIFTED / 2:
        return np.ones(len(now), dtype=bool)
    return np.asarray((size.max(axis=1) > max(LEAST, NOISES * noise)) | (np.abs(mean) > SHIFTED))


def _around(marker: Marker) -> tuple[slice, slice]:
    low = np.floor(marker.corners.min(axis=0)).astype(int)
    high = np.ceil(marker.corners.max(axis=0)).astype(int)
    edge = (high - low) // 6
    (left, top), (right, bottom) = np.maximum(low - edge, 0), high + edge
    return slice(top, bottom), slice(left, right)


def _cut(gray: Image, windows: list[tuple[slice, slice]]) -> Blocks:
    small = [cv2.resize(gray[window], (MARKER, MARKER), interpolation=cv2.INTER_AREA).ravel() for window in windows]
    return np.asarray(np.stack(small), np.uint8)
