"""Is the field at rest? Small gray pictures are compared, each with one from the beginning of the rest.

The light is taken out first: what is compared is a picture against the earlier one brightened or darkened, place by
place, as the surroundings were. Then noise is measured, and only what stands out from it counts.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from vision.fields import MARKER_GAP, MARKER_SIDE, Floats
from vision.pose import Image, Pose

CELL = 8  # pixels of a cell in the small picture
WIDTH = 160  # pixels of the small picture while the field is not known
AROUND = 2 * CELL + 1  # pixels over which the light is taken to be even
MARGIN = 0.4  # cells around the markers that are watched too
TALLEST = 0.75  # cells: the tops of dice lean out of the field
SPOT = CELL * CELL // 8  # pixels: less of a change is noise
LEAST, NOISES = 3.0, 5.0  # gray levels, and times the noise: what stands out
NOISE_LIMIT = 4.0  # gray levels: a picture of which half changes by more is another picture, not noise
FLICKER = 0.12  # of the picture's contrast: what may be a lamp's flicker, when it goes on
FLICKER_TIME = 3.0  # seconds
FORGET = 20.0  # seconds until a flicker that has ended is forgotten
FOLLOW = 1.5  # seconds in which a field at rest follows slow changes of light
GAP = 1.0  # seconds without frames after which anything may have happened


class Stillness:
    """Sees frame after frame; `moved` says whether this one differs from the rest before it."""

    def __init__(self, still_for: float) -> None:
        self.still_for = still_for
        self.moved = True
        self._rest: Floats | None = None  # the small picture in which the present rest began
        self._since = self._at = -np.inf
        self._noise = 0.0
        self._tolerance = 0.0
        self._restless: deque[tuple[float, float]] = deque()  # when, and by how many gray levels
        self._window: tuple[slice, slice] | None = None
        self._factor = 1
        self._mask: Image | None = None

    @property
    def since(self) -> float:
        """When the present rest began."""
        return float(self._since)

    def watch_over(self, pose: Pose | None, size: tuple[int, int]) -> None:
        """From now on only the surroundings of this field count; the rest goes on. None: the whole picture."""
        self._rest = None
        width, height = size
        if pose is None:
            self._factor, self._mask = max(1, width // WIDTH), None
            self._window = slice(0, height), slice(0, width)
            return
        outline = _outline(pose) * (width / pose.size[0])
        left, top = np.clip(outline.min(axis=0), 0, [width - 1, height - 1]).astype(int)
        right, bottom = np.clip(outline.max(axis=0) + 1, 1, [width, height]).astype(int)
        self._window = slice(top, bottom), slice(left, right)
        self._factor = f = max(1, round(pose.cell_pixels * width / pose.size[0] / CELL))
        mask = np.zeros(((bottom - top) // f, (right - left) // f), np.uint8)
        cv2.fillConvexPoly(mask, np.round((outline - [left, top]) / f).astype(np.int32), 1)
        self._mask = mask if mask.any() else None

    def see(self, image: Image, at: float) -> bool:
        """Whether the field has been at rest for long enough."""
        if self._window is None:
            self.watch_over(None, (image.shape[1], image.shape[0]))
        small = self._small(image)
        gap = at - self._at
        self._at = at
        if self._rest is None or self._rest.shape != small.shape or gap > GAP:
            # A rest that is only looked at in another way goes on.
            self.moved = gap > GAP
            self._rest = small
            self._since = at if self.moved else self._since
        else:
            self._compare(small, self._rest, at, gap)
        return at - self._since >= self.still_for

    def _small(self, image: Image) -> Floats:
        assert self._window is not None
        gray = cv2.cvtColor(image[self._window], cv2.COLOR_BGR2GRAY)
        f = self._factor
        high, wide = max(1, gray.shape[0] // f), max(1, gray.shape[1] // f)
        # Whole blocks of pixels are averaged many times faster than broken ones.
        return np.asarray(
            cv2.resize(gray[: high * f, : wide * f], (wide, high), interpolation=cv2.INTER_AREA), np.float32
        )

    def _compare(self, small: Floats, rest: Floats, at: float, gap: float) -> None:
        change = _change(small, rest)
        counted = change[self._mask > 0] if self._mask is not None else change.ravel()
        spot = min(SPOT, counted.size)
        largest = float(np.partition(counted, counted.size - spot)[counted.size - spot])
        middle = float(np.median(counted))
        self._tolerance *= float(np.exp(-gap / FORGET))
        self.moved = largest > max(LEAST, NOISES * self._noise, self._tolerance)
        if middle < NOISE_LIMIT:
            self._noise += 0.15 * (middle - self._noise)
        if self.moved:
            self._rest, self._since = small, at
            self._tolerate_flicker(largest, small, at)
            return
        if largest * 1.25 > self._tolerance > LEAST:
            self._tolerance = largest * 1.25  # the flicker goes on
        if at - self._since >= self.still_for:
            self._restless.clear()
            share = min(1.0, gap / FOLLOW)
            self._rest = rest + share * (small - rest)

    def _tolerate_flicker(self, largest: float, small: Floats, at: float) -> None:
        """A lamp's flicker never rests: when all that was seen for a while is slight, it is taken for rest."""
        self._restless.append((at, largest))
        if at - self._restless[0][0] < FLICKER_TIME:
            return
        while at - self._restless[0][0] >= FLICKER_TIME:
            self._restless.popleft()
        level = max(by for _, by in self._restless)
        dark, bright = np.percentile(small[::2, ::2], (5, 95))
        if level < FLICKER * (bright - dark):
            self._tolerance = 1.25 * level
            self._restless.clear()


def _outline(pose: Pose) -> Floats:
    """Around the field, its markers and what stands on it, in pixels."""
    reach = MARKER_GAP + MARKER_SIDE + MARGIN
    w, h = pose.field.columns, pose.field.rows
    corners = [(x, y, z) for z in (0.0, TALLEST) for x in (-reach, w + reach) for y in (-reach, h + reach)]
    hull = cv2.convexHull(pose.project(np.array(corners)).astype(np.float32))
    return np.asarray(hull, dtype=np.float64).reshape(-1, 2)


def _change(now: Floats, then: Floats) -> Floats:
    """By how many gray levels each place changed, beside the change of light around it."""
    around = (AROUND, AROUND)
    light = (cv2.blur(now, around) + 4) / (cv2.blur(then, around) + 4)
    expected = then * np.clip(light, 0.5, 2.0)
    return np.asarray(cv2.blur(cv2.absdiff(now, np.asarray(expected, np.float32)), (3, 3)), np.float32)
