"""Measures a printed proof page in a photograph: does the printer keep the size, and is its ink black enough?

A photograph knows no millimetres, so something in it must. The sheet itself is taken: its edges are cut far more
exactly than printers feed it, they are as long as can be, they have no height that would seem to move when seen aslant,
and nobody has to lay anything beside it. So the page is to be photographed whole, on something darker than paper.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import UnreadablePicture
from vision.pose import Image

Points = npt.NDArray[np.floating[Any]]
DICTIONARY = cv2.aruco.DICT_5X5_100  # not the mats', so that the page is never taken for a field
MODULES = 7
SIDE = 18.0  # of a marker
EDGE = 0.06  # of the sheet's width: how far the outermost markers lie from its edges
GRID = (3, 4)  # markers across and down
FIRST = 60  # the first marker's number; lower ones are on the calibration sheet
SIZES = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "Letter": (215.9, 279.4)}
NUMBERS = {paper: FIRST + n * GRID[0] * GRID[1] for n, paper in enumerate(SIZES)}
# Patches to look at the ink, by their middles as shares of the page, and what they are printed in.
PATCH = 14.0
PATCHES = {
    "black": (0.26, 0.71, "#000000"),
    "red": (0.38, 0.71, "#d2202a"),
    "green": (0.50, 0.71, "#16803c"),
    "blue": (0.62, 0.71, "#2458b0"),
    "white": (0.74, 0.71, "#ffffff"),
}
LEAST_MARKERS = 6
CLEAR, OUTWARD, STEP = 2.0, 0.07, 0.1  # edges are looked for from so near the markers to so much of a side beyond
LOOKS = 240  # along each edge
FINE = 0.25  # pixels between two looks across a marker's side
ALIKE = 0.006  # so far apart at the most are both ways of a print that was only made smaller
WRONG = 0.052  # so far off is only what was printed on another paper
FITTED = 0.985  # a print that is smaller than this both ways was made to fit the page


class Proof(NamedTuple):
    paper: str  # for which the page is made
    sheet: str  # the paper on which it was printed
    scale: tuple[float, float]  # printed length over true length, across and down the page
    black: float  # how bright black is against the paper's white
    colors: dict[str, float]  # how colorful each patch is, 0 to 1

    @property
    def is_fitted(self) -> bool:
        """Whether "fit to page" was on: smaller, and as much so both ways."""
        return max(self.scale) < FITTED and abs(self.scale[0] - self.scale[1]) < ALIKE


def marker_places(paper: str) -> dict[int, tuple[float, float]]:
    """The upper left corner of each marker on the page, in millimetres."""
    width, height = SIZES[paper]
    edge = EDGE * width
    places = {}
    for n in range(GRID[0] * GRID[1]):
        column, row = n % GRID[0], n // GRID[0]
        x = edge + column * (width - 2 * edge - SIDE) / (GRID[0] - 1)
        y = edge + row * (height - 2 * edge - SIDE) / (GRID[1] - 1)
        places[NUMBERS[paper] + n] = (x, y)
    return places


def measure(image: Image) -> Proof:
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    corners, ids, _ = detector.detectMarkers(gray)
    numbers = [] if ids is None else [int(n) for n in np.ravel(ids)]
    found = {
        n: _sharpened(gray, np.reshape(c, (4, 2)).astype(np.float64)) for n, c in zip(numbers, corners, strict=True)
    }
    papers = {paper: found.keys() & marker_places(paper).keys() for paper in SIZES}
    paper = max(papers, key=lambda name: len(papers[name]))
    if len(papers[paper]) < LEAST_MARKERS:
        raise UnreadablePicture("proof-unseen", seen=len(papers[paper]), all=GRID[0] * GRID[1])
    places = marker_places(paper)
    square = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]])
    page = np.concatenate([np.array(places[n]) + square for n in sorted(papers[paper])])
    pixels = np.concatenate([found[n] for n in sorted(papers[paper])]).astype(np.float64)
    seen = _View(page, pixels, image.shape)
    width, height = SIZES[paper]
    west, east = (_edge(gray, seen, paper, side) for side in ("west", "east"))
    north, south = (_edge(gray, seen, paper, side) for side in ("north", "south"))
    # where the sheet's edges lie in the page's own measure: a print that is too small makes the sheet seem too large
    seen_size = width + west + east, height + north + south
    sheet = _sheet(paper, seen_size)
    scale = _scale(sheet, seen_size)
    tones = {name: _tone(image, seen, (x * width, y * height)) for name, (x, y, _) in PATCHES.items()}
    white = np.maximum(tones["white"], 1.0)
    balanced = {name: np.clip(tone / white, 0, 1) for name, tone in tones.items()}
    colorful = {
        name: float((tone.max() - tone.min()) / max(tone.max(), 0.05))
        for name, tone in balanced.items()
        if name not in ("black", "white")
    }
    return Proof(paper, sheet, scale, float(balanced["black"].mean()), colorful)


def _scale(sheet: str, seen_size: tuple[float, float]) -> tuple[float, float]:
    return SIZES[sheet][0] / seen_size[0], SIZES[sheet][1] / seen_size[1]


def _sheet(paper: str, seen_size: tuple[float, float]) -> str:
    """The paper that lies there: another one than the page is made for, where no printer would be so far off in one
    direction alone, and on the other paper both are off alike."""
    own = _scale(paper, seen_size)
    if abs(own[0] - own[1]) > WRONG and max(abs(value - 1) for value in own) > WRONG:
        for other in SIZES:
            across, down = _scale(other, seen_size)
            if abs(across - down) < ALIKE and across < 1 + ALIKE:
                return other
    return paper


def _sharpened(gray: Image, corners: Points) -> Points:
    """A marker's corners to a tenth of a pixel: where the lines through its four sides meet. In small pictures its
    modules are too small for a look at the corners alone."""
    module = float(np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).mean()) / MODULES
    for _ in range(2):
        ends = zip(corners, np.roll(corners, -1, axis=0), strict=True)
        sides = [_side(gray, a, b, max(1.5, 0.85 * module)) for a, b in ends]
        meeting = []
        for (p, along), (q, other) in zip(np.roll(sides, 1, axis=0), sides, strict=True):
            meeting.append(p + along * np.linalg.solve(np.column_stack([along, -other]), q - p)[0])
        corners = np.array(meeting)
    return corners


def _side(gray: Image, a: Points, b: Points, reach: float) -> tuple[Points, Points]:
    """A point of a marker's side and which way it runs: it lies where the picture brightens most on the way out."""
    along = (b - a) / np.linalg.norm(b - a)
    outward = np.array([along[1], -along[0]])  # corners run clockwise
    starts = a + (b - a) * np.linspace(0.1, 0.9, 24)[:, None]
    out = np.arange(-reach, reach + 0.01, FINE)
    x, y = np.moveaxis(starts[:, None] + outward * out[None, :, None], -1, 0).astype(np.float32)
    tones = cv2.remap(gray.astype(np.float32), x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    rise = np.maximum(np.gradient(cv2.GaussianBlur(tones, (0, 0), sigmaX=2, sigmaY=1), axis=1), 0)
    steepest = 1 + rise[:, 1:-1].argmax(axis=1)
    before, here, after = (rise[np.arange(len(rise)), steepest + k] for k in (-1, 0, 1))
    bend = before - 2 * here + after
    between = np.where(bend < 0, 0.5 * (before - after) / np.where(bend < 0, bend, -1), 0)
    edge = starts + outward * (out[steepest] + FINE * np.clip(between, -0.5, 0.5))[:, None]
    way_x, way_y, x0, y0 = np.ravel(cv2.fitLine(edge.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)).astype(float)
    return np.array([x0, y0]), np.array([way_x, way_y])


class _View:
    """From the page's millimetres to the picture's pixels: a plane seen by a lens that may bend lines a little."""

    def __init__(self, page: Points, pixels: Points, shape: tuple[int, ...]) -> None:
        self.middle = np.array([(shape[1] - 1) / 2, (shape[0] - 1) / 2])
        self.reach = float(np.hypot(*self.middle))
        bends = np.linspace(-0.12, 0.12, 25)
        for _ in range(3):
            errors = [self._error(page, pixels, bend) for bend in bends]
            best = int(np.argmin(errors))
            low, high = bends[max(best - 1, 0)], bends[min(best + 1, len(bends) - 1)]
            bends = np.linspace(low, high, 9)
        self.bend = float(bends[4])
        self.plane = _plane(page, self._straight(pixels, self.bend))

    def _straight(self, pixels: Points, bend: float) -> Points:
        out = (pixels - self.middle) / self.reach
        return np.asarray(self.middle + self.reach * out * (1 + bend * (out**2).sum(axis=-1, keepdims=True)))

    def _error(self, page: Points, pixels: Points, bend: float) -> float:
        straight = self._straight(pixels, bend)
        return float(((_through(_plane(page, straight), page) - straight) ** 2).sum())

    def pixels(self, page: Points) -> Points:
        straight = (_through(self.plane, page) - self.middle) / self.reach
        bent = straight.copy()
        for _ in range(6):  # the way back has no formula; it is found in steps
            bent = straight / (1 + self.bend * (bent**2).sum(axis=-1, keepdims=True))
        return np.asarray(self.middle + self.reach * bent)


def _plane(page: Points, pixels: Points) -> Points:
    return np.asarray(cv2.findHomography(page, pixels)[0], np.float64)


def _through(plane: Points, points: Points) -> Points:
    flat = points.reshape(-1, 2)
    mapped = np.column_stack([flat, np.ones(len(flat))]) @ plane.T
    return np.asarray((mapped[:, :2] / mapped[:, 2:]).reshape(points.shape))


def _edge(gray: Image, seen: _View, paper: str, side: str) -> float:
    """How far outside its place an edge of the sheet lies, in the page's millimetres, at the middle of the edge."""
    width, height = SIZES[paper]
    along = np.linspace(0.04, 0.96, LOOKS)
    out = np.arange(CLEAR - EDGE * width, OUTWARD * height, STEP)
    a, o = np.meshgrid(along, out, indexing="ij")
    page = {
        "west": (-o, a * height),
        "east": (width + o, a * height),
        "north": (a * width, -o),
        "south": (a * width, height + o),
    }[side]
    pixels = seen.pixels(np.stack(page, axis=-1)).astype(np.float32)
    tones = cv2.remap(gray.astype(np.float32), pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderValue=-1)
    steps = np.linalg.norm(np.diff(pixels, axis=1), axis=2).mean() / STEP  # pixels to a millimetre
    smooth = cv2.GaussianBlur(tones, (0, 0), sigmaX=max(0.7 / steps / STEP, 1.0), sigmaY=0.5)
    paper_tone = float(np.median(tones[:, : int(4 / STEP)]))
    fall = -np.gradient(smooth, axis=1) / STEP * (1.0 / max(steps, 1e-6))  # brightness lost per pixel
    beyond = cv2.dilate((tones < 0).astype(np.uint8), np.ones((3, 1 + 2 * round(3 / STEP)), np.uint8))
    fall[beyond > 0] = 0  # the picture's own edge is none of the sheet's
    fall[:, :3] = 0
    found = []
    for n in range(LOOKS):
        least = max(0.35 * float(fall[n].max()), 0.02 * paper_tone)
        for k in np.nonzero(fall[n] >= least)[0]:
            if 0 < k < len(out) - 1 and fall[n, k] >= fall[n, k - 1] and fall[n, k] > fall[n, k + 1]:
                before, here, after = fall[n, k - 1 : k + 2]
                found.append((along[n] - 0.5, out[k] + STEP * 0.5 * (before - after) / (before - 2 * here + after)))
                break
    if len(found) < LOOKS // 2:
        raise UnreadablePicture("proof-edges", side=side)
    points = np.array(found)
    kept = points
    line = np.array([0.0, float(np.median(points[:, 1]))])
    for limit in (1.5, 0.8, 0.4, 0.3):
        kept = points[np.abs(points[:, 1] - np.polyval(line, points[:, 0])) < limit]
        if len(kept) < LOOKS // 3:
            raise UnreadablePicture("proof-edges", side=side)
        line = np.polyfit(kept[:, 0], kept[:, 1], 1)
    return float(line[1])


def _tone(image: Image, seen: _View, at: tuple[float, float]) -> Points:
    """The color of a patch: of its inner half, so that no edge counts."""
    offsets = np.linspace(-PATCH / 4, PATCH / 4, 9)
    page = np.stack(np.meshgrid(at[0] + offsets, at[1] + offsets), axis=-1)
    pixels = seen.pixels(page).astype(np.float32)
    tones = cv2.remap(image.astype(np.float32), pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)
    return np.asarray(np.median(tones.reshape(-1, 3), axis=0) ** 2.2 / 255**1.2)
