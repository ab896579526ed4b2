"""Finds a field without markers by its lines, and holds on to it when the camera is bumped.

Segments of the picture vote for a plane on which they run in two directions square to each other. In that plane, seen
from above, lines one cell apart and as long as the field are sought in both directions at once. What is found is
brought onto the picture's edges, cell by cell, and believed only if its cells, its border and what lies around it look
like a field's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import UnreadablePicture
from vision.fields import Field, Floats
from vision.patches import map_to_picture
from vision.pose import FOCAL_PRIOR, Image, Lens, Pose, pose_from_corners, solve
from vision.readers.discs import disc_offsets

Map = npt.NDArray[np.float32]

WIDTH = 640  # pixels of the picture in which all is sought
DARKEST = 12.0  # levels that are added to all: below, noise is all there is
# Directions
SOFT, SHORT, LONG = (
    0.8,
    12.0,
    80.0,
)  # pixels: how much noise is blurred; shorter segments are grain, longer count no more
STEEP, STEP, FINEST = 1.0, 0.1, 0.01  # the tangent of the steepest tilt, and the steps in which tilts are tried
SKEW = 8  # degrees by which two directions may miss the right angle: the focal length is only guessed
WIDE, NARROW = 1.2, 0.5  # degrees by which segments of one direction may differ, at first and in the end
VIEWS = 6  # planes that are followed up
# Combs of lines
SHEET, REACH = 200, 1.6  # pixels of the picture's height, seen from above; how far the sheet goes, in heights
SMALLEST, LARGEST = 1 / 26, 1 / 7  # a cell's side over the picture's height
FINER = 1.035  # from one pitch that is tried to the next
ASPECTS = (0.9, 1.0, 1.11)
BETWEEN = (0.3, 0.5, 0.7)  # where between two lines nothing should be
USUAL = 0.4  # of the strength of the edges around: what is half a line
LARGER = 0.35  # a large comb hits upon so many lines by chance less often
COMBS = 3  # of each plane that are followed up
# Edges of cells
REACHES = (0.2, 0.15, 0.12, 0.12)  # cells to either side in which an edge is sought, step by step: discs are near
NEAR = (0.25, 0.15, 0.12)  # the same, where it is known well where they are
ABOUT = (0.4, 0.25, 0.15, 0.12)  # and where a marker or two tell it
LAST_REACH, STILL, MOST_FITS = (
    0.12,
    0.004,
    10,
)  # with what it is fitted again; cells that are no move; how often at most
TAPER = 0.5  # of the reach: what lies further away counts less
FAINT = 0.012  # of the light: a weaker edge is noise
LEAST_EDGES = 0.25  # of all cells' edges that must be seen
HOLED, HOLE_REACH, HOLE_DEPTH = (
    "seven",
    0.2,
    0.08,
)  # a field with holes; where they are sought; how dark they are at least
LEAST_DISCS, DISC_KNOWN = 3, 0.02  # discs that are no chance finds; cells to which each is known
# Evidence
PPU, AROUND = 16, 1.25  # pixels of a cell's side, and cells around the field, where it is judged
SURE = 1.5  # belief at which nothing else is looked for
# Belief, and cells by which edges may miss, where nobody need look whether it is so; and how much lines may go on
# beyond the border, or run beside it, where it is no part of a larger field: up to 0.21 and 0.43 in 41 fields that
# were found; in eight parts of larger ones one of the two was 0.53 at least.
SURE_ENOUGH, EXACT = 1.3, 0.035
GOES_ON, BESIDE = 0.28, 0.48
UNLIKELY = -8.7  # what is believed of a lattice for which nothing speaks
_LINES = {
    "on": 3.0,
    "border": 2.4,
    "least border": 4.7,
    "beyond": -1.1,
    "most beyond": -3.4,
    "outer": -1.7,
    "weakest": 3.3,
}
WEIGHTS = {"seven": {**_LINES, "middles": 2.6}, "faces": _LINES, "tiles": _LINES}
CHECKERED, LEAST_CHECKERED = "faces", 0.4


class View(NamedTuple):
    """A plane on which segments run along both axes, by the homography from the picture to its sheet."""

    score: float
    to_sheet: Floats


class Comb(NamedTuple):
    """A lattice on a sheet: its north-west corner, the sides of its cells and how many there are."""

    score: float
    x: float
    y: float
    pitch_x: float
    pitch_y: float
    columns: int
    rows: int

    def corners(self) -> Floats:
        right, bottom = self.x + self.columns * self.pitch_x, self.y + self.rows * self.pitch_y
        return np.array([[self.x, self.y], [right, self.y], [right, bottom], [self.x, bottom]])


class Small(NamedTuple):
    """A picture as it is searched: made smaller, and its light as a logarithm."""

    colors: Image
    light: Map
    scale: float
    whole: Image


def find_lattice(image: Image, field: Field, lens: Lens | None = None) -> Pose | None:
    """The pose of a field that lies somewhere in the picture, if there is one. Which side is north its lines do not
    tell: it is the side at the top of the picture, except of a checkered board, whose south-west cell is dark."""
    if field.name not in WEIGHTS:  # planks lie where they like, and their mat has no lines but its frame
        return None
    small = _small(image)
    best, most = None, 0.0
    for pose in _candidates(small, field, (image.shape[1], image.shape[0]), lens):
        believed = belief(small, pose)
        if believed > most:
            best, most = pose, believed
        if most > SURE:
            break
    if best is None:
        return None
    best = _settled(small, best, lens)
    if field.name == CHECKERED:
        return _turned(best, 2, lens) if evidence(small, best)["checkered"] < 0 else best
    heights = (best.corners + np.roll(best.corners, -1, axis=0))[:, 1]
    return _turned(best, int(heights.argmin()), lens)


def _settled(small: Small, pose: Pose, lens: Lens | None) -> Pose:
    """The pose fitted again until it moves no more."""
    for _ in range(MOST_FITS):
        again = _fitted(small, pose, lens, (LAST_REACH,))
        if again is None:
            return pose
        moved = float(np.abs(again.corners - pose.corners).max())
        pose = again
        if moved < STILL * pose.cell_pixels:
            break
    return pose


def plainly(image: Image, pose: Pose) -> bool:
    """Whether a field that was found lies there beyond doubt, is no part of a larger one, and is known to a tenth of a
    cell."""
    small = _small(image)
    seen = evidence(small, pose)
    larger = seen["most beyond"] > GOES_ON or seen["outer"] > BESIDE
    return not larger and pose.error < EXACT * pose.cell_pixels and belief(small, pose) > SURE_ENOUGH


def _turned(pose: Pose, quarters: int, lens: Lens | None) -> Pose:
    """The same field with its first corner elsewhere."""
    if not quarters:
        return pose
    other = pose_from_corners(np.roll(pose.corners, -quarters, axis=0), pose.field, pose.size, lens)
    return replace(other, error=pose.error)


def held_lattice(image: Image, pose: Pose, lens: Lens | None = None, reaches: tuple[float, ...] = NEAR) -> Pose | None:
    """A field that lies about so, exactly; None where it does not."""
    if pose.field.name not in WEIGHTS:
        return None
    small = _small(image)
    found = _fitted(small, pose, lens, reaches)
    return found if found is not None and belief(small, found) > 0 else None


def _small(image: Image) -> Small:
    scale = min(1.0, WIDTH / image.shape[1])
    colors = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(colors, (0, 0), SOFT).astype(np.float32)
    return Small(np.asarray(colors, np.uint8), np.asarray(np.log(soft + DARKEST), np.float32), scale, image)


def _candidates(small: Small, field: Field, size: tuple[int, int], lens: Lens | None) -> Iterator[Pose]:
    shapes = {(field.columns, field.rows), (field.rows, field.columns)}
    combs: list[tuple[Comb, View]] = []
    for view in _views(small, size, lens):
        up, across = _lines(_sheet(small.light, view))
        found = sorted((comb for shape in shapes for comb in _combs(up, across, *shape)), reverse=True)
        combs += [(comb, view) for comb in _different(found)]
    combs.sort(key=lambda found: -found[0].score)
    for comb, view in combs:
        corners = cv2.perspectiveTransform(comb.corners().reshape(-1, 1, 2), np.linalg.inv(view.to_sheet))
        pixels = (corners.reshape(4, 2) + 0.5) / small.scale - 0.5
        if (comb.columns, comb.rows) != (field.columns, field.rows):
            pixels = np.roll(pixels, 1, axis=0)
        try:
            pose = solve(field, field.corners, pixels, size, lens)
        except (UnreadablePicture, cv2.error):
            continue
        fitted = _fitted(small, pose, lens, REACHES)
        if fitted is not None:
            yield fitted


# --- the two directions


def _segments(colors: Image) -> Floats:
    """Straight segments, x y x y. Half the size shows more in noise, and what gray hides a single color shows."""
    detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
    half = cv2.resize(colors, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    lines = [np.zeros((0, 4))]
    for size, sized in ((1, colors), (2, half)):
        for channel in cv2.split(cv2.GaussianBlur(sized, (0, 0), SOFT)):
            found = detector.detect(channel)[0]
            if found is not None:
                lines.append((np.asarray(found, np.float64).reshape(-1, 4) + 0.5) * size - 0.5)
    every = np.concatenate(lines)
    return every[_lengths(every) > SHORT]


def _lengths(lines: Floats) -> Floats:
    return np.asarray(np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]))


class _Vote(NamedTuple):
    score: float
    first: int  # the two directions on the plane, in half degrees
    second: int
    a: float  # the slopes of the plane against the picture's
    b: float


# Every direction's partners about square to it, in half degrees, and what missing the right angle costs.
_OFF = np.arange(-2 * SKEW, 2 * SKEW + 1)[:, None]
_OTHER_WAYS = (np.arange(180)[None] + 180 + _OFF) % 360
_SQUARE = 1 - 0.01 * np.abs(_OFF)


class _Poll:
    """Segments that vote for planes."""

    def __init__(self, lines: Floats, matrix: Floats) -> None:
        self._lines, self._matrix = lines.reshape(-1, 1, 2), matrix
        self._weight = np.minimum(_lengths(lines), LONG)

    def from_above(self, a: float, b: float) -> Floats:
        """The homography from the picture to a plane of these slopes, seen from straight above."""
        axis = np.array([a, b, 1.0]) / np.sqrt(a * a + b * b + 1)
        side = np.cross([0.0, 0.0, 1.0], axis)
        turn = cv2.Rodrigues(-side * np.arcsin(np.linalg.norm(side)) / max(float(np.linalg.norm(side)), 1e-9))[0]
        return np.asarray(self._matrix @ turn @ np.linalg.inv(self._matrix), dtype=np.float64)

    def vote(self, a: float, b: float, blur: float) -> _Vote:
        """How much agrees with the best two directions about square to each other."""
        ends = cv2.perspectiveTransform(self._lines, self.from_above(a, b)).reshape(-1, 4)
        angles = np.degrees(np.arctan2(ends[:, 3] - ends[:, 1], ends[:, 2] - ends[:, 0])) % 180
        votes = np.bincount(np.round(2 * angles).astype(int) % 360, self._weight, 360)
        reach = int(6 * blur)
        kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (2 * blur)) ** 2)
        smooth = np.convolve(np.concatenate([votes[-reach:], votes, votes[:reach]]), kernel, "valid")
        one, two = smooth[:180], smooth[_OTHER_WAYS]
        # Stripes on a cloth run one way only: the weaker direction counts.
        both = one * two / np.maximum(one + two, 1e-9) * _SQUARE
        off, at = divmod(int(both.argmax()), 180)
        if both[off, at] <= 0:
            return _Vote(0.0, 0, 180, a, b)
        return _Vote(float(both[off, at]), at, int(_OTHER_WAYS[off, at]), a, b)

    def climb(self, start: _Vote) -> _Vote:
        """The best plane around one."""
        best, step = self.vote(start.a, start.b, NARROW), STEP / 2
        while step > FINEST:
            ways = ((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
            top = max(self.vote(best.a + i * step, best.b + j * step, NARROW) for i, j in ways)
            if top.score > best.score:
                best = top
            else:
                step /= 2
        return best


def _views(small: Small, size: tuple[int, int], lens: Lens | None) -> list[View]:
    """Planes on which the picture's segments run in two directions square to each other."""
    lines = _segments(small.colors)
    if len(lines) < 2:
        return []
    high, wide = small.colors.shape[:2]
    focal = small.scale * lens.scaled_to(size).matrix[0] if lens else FOCAL_PRIOR * wide
    poll = _Poll(lines, np.array([[focal, 0, (wide - 1) / 2], [0, focal, (high - 1) / 2], [0, 0, 1.0]]))
    steps = np.arange(-STEEP, STEEP + STEP / 2, STEP)
    tried = sorted((poll.vote(a, b, WIDE) for a in steps for b in steps if np.hypot(a, b) <= STEEP), reverse=True)
    kept: list[_Vote] = []
    for vote in tried:
        if len(kept) < VIEWS and not any(_alike(vote, other) for other in kept):
            kept.append(vote)
    views: list[View] = []
    for vote in sorted((poll.climb(vote) for vote in kept), reverse=True):
        view = View(vote.score, _to_sheet(vote, poll.from_above(vote.a, vote.b), (wide, high)))
        if all(_differ(view, other, (wide, high)) for other in views):
            views.append(view)
    return views


def _alike(one: _Vote, two: _Vote) -> bool:
    turned = abs(one.first - two.first) % 180
    return min(turned, 180 - turned) < 8 and bool(np.hypot(one.a - two.a, one.b - two.b) < 2.5 * STEP)


def _differ(one: View, two: View, size: tuple[int, int]) -> bool:
    """Whether two views show the middle of the picture differently, by more than a pixel of the sheet."""
    places = np.array([[x, y] for x in (0.25, 0.75) for y in (0.25, 0.75)]) * size
    a, b = (cv2.perspectiveTransform(places.reshape(-1, 1, 2), view.to_sheet).reshape(-1, 2) for view in (one, two))
    return bool(np.abs((a - a[0]) - (b - b[0])).max() > 1.5)


def _to_sheet(vote: _Vote, from_above: Floats, size: tuple[int, int]) -> Floats:
    """From the picture to a sheet with both directions along its axes, the picture's middle as large as there."""
    ways = np.radians(np.array(sorted((vote.first, vote.second), key=lambda way: min(way, 360 - way))) / 2)
    along = np.stack([np.cos(ways), np.sin(ways)])
    square = np.eye(3)
    square[:2, :2] = np.linalg.inv(along * np.sign(np.diag(along)))
    flat = square @ from_above
    middle = np.array(size) / 2
    spot = (middle + np.array([[0, 0], [1, 0], [0, 1]])).reshape(-1, 1, 2)
    at, right, down = cv2.perspectiveTransform(spot, flat).reshape(-1, 2)
    area = abs((right - at)[0] * (down - at)[1] - (right - at)[1] * (down - at)[0])
    scale = SHEET / size[1] / np.sqrt(max(float(area), 1e-12))
    sized = np.diag([scale, scale, 1.0]) @ flat
    low = np.maximum(_seen(sized, size).min(axis=0), at * scale - REACH * SHEET)
    return np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ sized


def _seen(homography: Floats, size: tuple[int, int]) -> Floats:
    """Where places all over a picture come to lie."""
    places = np.array([[x, y] for x in np.linspace(0, size[0], 9) for y in np.linspace(0, size[1], 9)])
    return np.asarray(cv2.perspectiveTransform(places.reshape(-1, 1, 2), homography).reshape(-1, 2))


# --- combs of lines


def _sheet(light: Map, view: View) -> Map:
    far = _seen(view.to_sheet, (light.shape[1], light.shape[0])).max(axis=0)
    wide, high = (int(side) for side in np.clip(far, 8, 2 * REACH * SHEET))
    return np.asarray(cv2.warpPerspective(light, view.to_sheet, (wide, high)), np.float32)


def _lines(sheet: Map) -> tuple[Map, Map]:
    """How much each place looks like part of a line up, and of a line across: 0 to 1."""
    up, across = (np.abs(cv2.Scharr(sheet, cv2.CV_32F, *way)).max(axis=2) / 32 for way in ((1, 0), (0, 1)))
    usual = USUAL * cv2.blur(np.hypot(up, across), (41, 41)) + 0.01
    out = []
    for mine, other in ((up, across), (across, up)):
        straight = np.clip((mine * mine - other * other) / np.maximum(mine * mine + other * other, 1e-9), 0, 1)
        out.append(np.asarray((straight * mine) ** 2 / ((straight * mine) ** 2 + usual**2), np.float32))
    return np.asarray(cv2.dilate(out[0], np.ones((1, 3)))), np.asarray(cv2.dilate(out[1], np.ones((3, 1))))


def _combs(up: Map, across: Map, columns: int, rows: int) -> Iterator[Comb]:
    """Per pitch the best place of a lattice of so many columns and rows."""
    high, wide = up.shape
    sum_up = np.cumsum(np.pad(cv2.blur(up, (2, 1)), ((1, 0), (0, 0))), axis=0)
    sum_across = np.cumsum(np.pad(cv2.blur(across, (1, 2)), ((0, 0), (1, 0))), axis=1)
    pitch = SHEET * SMALLEST
    while pitch < SHEET * LARGEST:
        for aspect in ASPECTS:
            px, py = pitch * float(np.sqrt(aspect)), pitch / float(np.sqrt(aspect))
            nx, ny = int(wide - columns * px - 1), int(high - rows * py - 1)
            if nx < 2 or ny < 2:
                continue
            tall, broad = round(rows * py), round(columns * px)
            lines_up = ((sum_up[tall:] - sum_up[:-tall])[:ny] / tall).astype(np.float32)
            lines_across = ((sum_across[:, broad:] - sum_across[:, :-broad])[:, :nx] / broad).astype(np.float32)
            one, two = _teeth(lines_up.T, px, columns, nx).T, _teeth(lines_across, py, rows, ny)
            score = one * two / (one + two) * np.float32(pitch**LARGER)
            y, x = np.unravel_index(int(score.argmax()), score.shape)
            yield Comb(float(score[y, x]), float(x), float(y), px, py, columns, rows)
        pitch *= FINER


def _teeth(lines: Map, pitch: float, count: int, places: int) -> Map:
    """How much more is seen on the lines of so many cells than between them, by where the first lies; the border
    counts twice."""

    def at(cells: float) -> Map:
        start = round(cells * pitch)
        return lines[start : start + places]

    seen = at(0) + at(count)
    for k in range(count + 1):
        seen += at(k)
    between = np.zeros_like(seen)
    for k in range(count):
        for share in BETWEEN:
            between += at(k + share)
    seen /= count + 3
    between /= count * len(BETWEEN)
    total = np.subtract(seen, between, out=seen)
    return np.asarray(np.maximum(total, np.float32(1e-3), out=total))


def _different(combs: list[Comb]) -> list[Comb]:
    kept: list[Comb] = []
    for comb in combs:
        apart = (abs(comb.x - other.x) + abs(comb.y - other.y) > comb.pitch_x / 2 for other in kept)
        larger = (abs(comb.pitch_x / other.pitch_x - 1) > 0.06 for other in kept)
        if len(kept) < COMBS and all(one or two for one, two in zip(apart, larger, strict=True)):
            kept.append(comb)
    return kept


# --- the edges of the cells


def _fitted(small: Small, pose: Pose, lens: Lens | None, reaches: tuple[float, ...]) -> Pose | None:
    """The pose that brings the cells' edges onto edges of the picture near by; None where too few are seen."""
    field = pose.field
    w, h = field.columns, field.rows
    upright = [(x, y + 0.5, 1, 0) for x in range(w + 1) for y in range(h)]
    level = [(x + 0.5, y, 0, 1) for x in range(w) for y in range(h + 1)]
    middles, across = np.split(np.array(upright + level, dtype=np.float64), 2, axis=1)
    for reach in reaches:
        offsets = np.linspace(-reach, reach, 2 * max(6, round(reach / 0.02)) + 1)
        along = np.linspace(-0.36, 0.36, 7)[None, :, None, None] * across[:, None, None, ::-1]
        places = middles[:, None, None] + along + offsets[None, None, :, None] * across[:, None, None]
        seen = _at(small, pose, places.reshape(-1, 2)).reshape(*places.shape[:3], 3).mean(axis=1)
        steps = cv2.blur(np.abs(np.diff(seen, axis=1)).max(axis=2), (3, 1))
        between = (offsets[:-1] + offsets[1:]) / 2
        steps = steps * np.exp(-0.5 * (between / (TAPER * reach)) ** 2)
        edges, last = np.arange(len(steps)), steps.shape[1] - 1
        at = steps.argmax(axis=1)
        peak = steps[edges, at]
        stands_out = (1.8 if reach > 0.15 else 1.2) * np.median(steps, axis=1)
        clear = (peak > np.maximum(stands_out, FAINT)) & (at > 0) & (at < last)
        if not clear.any():
            return None
        inner = np.clip(at, 1, last - 1)
        before, after = steps[edges, inner - 1], steps[edges, inner + 1]
        bend = np.minimum(before - 2 * peak + after, -1e-6)
        off = between[inner] + 0.5 * (before - after) / bend * (offsets[1] - offsets[0])
        spot, way = middles[clear], across[clear]
        there, aside = _on(pose, spot), _on(pose, spot + 0.05 * way)
        normals = (aside - there) / np.linalg.norm(aside - there, axis=1, keepdims=True)
        targets = _on(pose, spot + off[clear, None] * way)
        marks, seen_at = (
            np.concatenate(parts)
            for parts in zip(_holes(small, pose, max(reach, HOLE_REACH)), _discs(small, pose), strict=True)
        )
        if len(spot) + 2 * len(marks) < LEAST_EDGES * len(clear):
            return None
        spot, targets = np.concatenate([spot, marks, marks]), np.concatenate([targets, seen_at, seen_at])
        normals = np.concatenate([normals, np.tile([1.0, 0.0], (len(marks), 1)), np.tile([0.0, 1.0], (len(marks), 1))])
        world = np.column_stack([spot, np.full(len(spot), field.surface)])
        try:
            pose = solve(field, world, targets, pose.size, lens, pose, normals)
        except (UnreadablePicture, np.linalg.LinAlgError):
            return None
        if not np.isfinite(pose.corners).all():
            return None
    return pose


def _holes(small: Small, pose: Pose, reach: float) -> tuple[Floats, Floats]:
    """Bare cells that have a hole, their middles and where in the picture the holes are: small, dark, and nothing else
    around them."""
    field = pose.field
    middles = np.array([(x + 0.5, y + 0.5) for x in range(field.columns) for y in range(field.rows)])
    if field.name != HOLED:
        return middles[:0], np.zeros((0, 2))
    steps = np.linspace(-reach, reach, 13)
    places = middles[:, None, None] + np.stack(np.meshgrid(steps, steps), axis=2)[None]
    seen = _at(small, pose, places.reshape(-1, 2)).mean(axis=1).reshape(-1, 13, 13)
    soft = np.stack([cv2.blur(one, (3, 3)) for one in seen])
    low = soft.reshape(len(soft), -1)
    y, x = np.unravel_index(low.argmin(axis=1), (13, 13))
    quarter, half, most = np.percentile(low, (25, 50, 75), axis=1)
    deep = half - low.min(axis=1)
    inside = (x > 0) & (x < 12) & (y > 0) & (y < 12)
    bare = inside & (deep > HOLE_DEPTH) & (most - quarter < deep / 2)
    cells, x, y, soft = np.flatnonzero(bare), x[bare], y[bare], soft[bare]
    each, step = np.arange(len(cells)), steps[1] - steps[0]
    offs = []
    for before, after, at in (
        (soft[each, y, x - 1], soft[each, y, x + 1], x),
        (soft[each, y - 1, x], soft[each, y + 1, x], y),
    ):
        bend = np.maximum(before - 2 * soft[each, y, x] + after, 1e-6)
        offs.append(steps[at] + 0.5 * (before - after) / bend * step)
    return middles[cells], _on(pose, middles[cells] + np.stack(offs, axis=1)) if len(cells) else np.zeros((0, 2))


def _discs(small: Small, pose: Pose) -> tuple[Floats, Floats]:
    """Cells on which a card's disc is seen, their middles and where in the picture the discs' middles are: cards lie
    askew, but their discs lie nearer to the cells' middles than their edges to the lines."""
    field = pose.field
    cells = np.array([(x, y) for x in range(field.columns) for y in range(field.rows)])
    if field.name != HOLED:
        return np.zeros((0, 2)), np.zeros((0, 2))
    found = disc_offsets(small.whole, pose, cells)
    seen = found[:, 2] < DISC_KNOWN
    if seen.sum() < LEAST_DISCS:
        return np.zeros((0, 2)), np.zeros((0, 2))
    middles = cells[seen] + 0.5
    return middles, _on(pose, middles + found[seen, :2])


def _on(pose: Pose, xy: Floats) -> Floats:
    """Places of the surface in the picture."""
    return pose.project(np.column_stack([xy, np.full(len(xy), pose.field.surface)]))


def _at(small: Small, pose: Pose, xy: Floats) -> Map:
    """The light at places of the surface."""
    pixels = ((_on(pose, xy) + 0.5) * small.scale - 0.5).astype(np.float32)
    most = 16_384  # pixels that OpenCV fetches at a time
    parts = [pixels[n : n + most] for n in range(0, len(pixels), most)]
    found = [
        cv2.remap(small.light, part[None, :, 0], part[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in parts
    ]
    return np.asarray(np.concatenate([one[0] for one in found]), np.float32)


# --- what speaks for it


def belief(small: Small, pose: Pose) -> float:
    """More than 0: this is the field. It is all the evidence together, weighed as told true fields from others best in
    simulated pictures."""
    seen = evidence(small, pose)
    if pose.field.name == CHECKERED and abs(seen["checkered"]) < LEAST_CHECKERED:
        return UNLIKELY
    return UNLIKELY + sum(weight * seen[name] for name, weight in WEIGHTS[pose.field.name].items())


def evidence(small: Small, pose: Pose) -> dict[str, float]:
    """What speaks for and against a lattice that lies so, seen from above; each from 0 to 1, or -1 to 1. Lines, what is
    between them, the border, lines that go on beyond it or run beside it, the weakest lines, light and dark taking
    turns, and middles of cells that stand out."""
    field = pose.field
    size = (round((field.columns + 2 * AROUND) * PPU), round((field.rows + 2 * AROUND) * PPU))
    sheet = cv2.warpPerspective(
        small.light,
        map_to_picture(pose, field.surface, PPU, AROUND, small.scale),
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    up, across = _lines(np.asarray(sheet, np.float32))
    on, off, border, beyond, outer, weakest = [], [], [], [], [], []
    for lines, count, cells in ((up, field.columns, field.rows), (across.T, field.rows, field.columns)):
        seen = cv2.blur(np.ascontiguousarray(lines), (1, round(0.7 * PPU)))
        along = _pixels(np.arange(-1, cells + 1) + 0.5)
        at = seen[np.ix_(along, _pixels(np.arange(-1.0, count + 2)))].T  # line, cell along it, one more on every side
        mid = np.mean([seen[np.ix_(along, _pixels(np.arange(count) + share))].T for share in BETWEEN], axis=0)
        inside = at[1:-1, 1:-1]
        on.append(inside.mean())
        off.append(mid[:, 1:-1].mean())
        border += [inside[0].mean(), inside[-1].mean()]
        beyond += [at[2:-2, k].mean() - mid[:, k].mean() for k in (0, -1)]
        outer += [at[k, 1:-1].mean() for k in (0, -1)]
        weakest.append(np.sort(inside.mean(axis=1))[:3].mean())
    gray = np.asarray(sheet.mean(axis=2), np.float32)
    found = {
        "on": np.mean(on),
        "off": np.mean(off),
        "border": np.mean(border),
        "least border": np.min(border),
        "beyond": np.mean(beyond),
        "most beyond": np.max(beyond),
        "outer": np.mean(outer),
        "weakest": np.min(weakest),
        "checkered": _checkered(gray, field),
        "middles": _middles(gray, field),
    }
    return {name: float(value) for name, value in found.items()}


def _pixels(cells: Floats) -> npt.NDArray[np.intp]:
    """Places along a sheet by which evidence is told, in its pixels."""
    return np.round((cells + AROUND) * PPU - 0.5).astype(np.intp)


def _checkered(gray: Map, field: Field) -> float:
    """How much light and dark take turns around the crossings, -1 to 1: positive where the south-west cell is dark."""
    w, h, d = field.columns, field.rows, round(0.11 * PPU)
    smooth = cv2.blur(gray, (3, 3))
    xs, ys = _pixels(np.arange(1.0, w)), _pixels(np.arange(1.0, h))
    nw, ne, sw, se = (smooth[np.ix_(ys + y, xs + x)] for x, y in ((-d, -d), (d, -d), (-d, d), (d, d)))
    four = np.stack([nw, ne, sw, se])
    spread = np.abs(four - four.mean(axis=0)).mean(axis=0) + 0.02
    # To the south-west of a crossing lies a dark cell if its column and row, from 1, add up to an even number.
    sign = np.where((np.arange(h - 1, 0, -1)[:, None] + np.arange(1, w)[None]) % 2 == 0, 1, -1)
    return float(np.mean((nw + se - ne - sw) / 4 / spread * sign))


def _middles(gray: Map, field: Field) -> float:
    """How much more the cells' middles stand out from what is around them than places beside do."""
    ring = (cv2.blur(gray, (9, 9)) * 81 - cv2.blur(gray, (5, 5)) * 25) / 56
    stand_out = cv2.dilate(np.abs(cv2.blur(gray, (3, 3)) - ring), np.ones((3, 3)))
    xs, ys = _pixels(np.arange(field.columns) + 0.5), _pixels(np.arange(field.rows) + 0.5)
    here, beside = stand_out[np.ix_(ys, xs)], stand_out[np.ix_(ys, xs + PPU // 4)]
    return float(np.mean(np.clip((here - beside) / 0.1, -1, 1)))
