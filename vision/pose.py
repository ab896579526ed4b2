"""Where the camera stands: from the markers around a field, or from the four corners of its surface.

The focal length is not known beforehand. It is found together with the pose by a damped Gauss-Newton over
(rotation, translation, focal length, k1), held by weak priors of what webcams are like, so that two markers
are enough and nothing runs away when the camera looks straight down and the focal length cannot be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import UnreadablePicture
from vision.fields import FIELD_OF_MARKER, MARKER_SIDE, Field, Floats

Image = npt.NDArray[np.uint8]

# Markers are first sought on a picture of the first width, then of the second; refinement sees all pixels.
DETECTION_WIDTH, FULL_WIDTH = 640, 1280
# With fewer than so many found, a picture no wider than this is doubled: bits of two or three pixels get lost.
FEW, SMALL_WIDTH = 3, 960
FOCAL_PRIOR, FOCAL_SPREAD = 0.88, 0.25  # focal length over picture width, and the spread of its logarithm
K1_SPREAD = 0.05
PIXEL_NOISE, LINE_NOISE = 0.35, 3.0  # of a marker's corners, and of lines on wood among pieces
NO_GAIN = 1e-2  # of the squared misses, in units of the noise: less is not worth another step
FIRST_STEPS, LATER_STEPS = 12, 30
SETTLED = 0.7  # pixels: when a better pose moves the field's corners by less, it is good enough


@dataclass(frozen=True)
class Lens:
    """A calibrated camera: focal lengths and middle in pixels, distortion k1 k2 p1 p2 k3, picture size."""

    matrix: tuple[float, float, float, float]  # fx, fy, cx, cy
    distortion: tuple[float, ...]
    size: tuple[int, int]

    def scaled_to(self, size: tuple[int, int]) -> Lens:
        sx, sy = size[0] / self.size[0], size[1] / self.size[1]
        fx, fy, cx, cy = self.matrix
        matrix = (fx * sx, fy * sy, (cx + 0.5) * sx - 0.5, (cy + 0.5) * sy - 0.5)
        return replace(self, matrix=matrix, size=size)


@dataclass(frozen=True, eq=False)
class Pose:
    """A camera before a field; the world is as in fields.py, pixels count from the first one's middle. A pose is only
    ever the same as itself, so that what follows from it can be kept."""

    field: Field
    size: tuple[int, int]
    matrix: Floats
    distortion: Floats
    rvec: Floats
    tvec: Floats
    error: float  # root mean square of what the markers' corners miss, in pixels

    @property
    def rotation(self) -> Floats:
        return np.asarray(cv2.Rodrigues(self.rvec)[0], dtype=np.float64)

    @property
    def eye(self) -> Floats:
        """Where the camera is, in the world."""
        return -self.rotation.T @ self.tvec

    @property
    def tilt(self) -> float:
        """Degrees between the line of sight and the vertical."""
        return float(np.degrees(np.arccos(np.clip(-self.rotation[2, 2], -1, 1))))

    @property
    def cell_pixels(self) -> float:
        """The size of a cell in pixels: the square root of its area in the middle of the field."""
        x, y, z = self.field.columns / 2, self.field.rows / 2, self.field.surface
        square = np.array([[x - 0.5, y - 0.5, z], [x + 0.5, y - 0.5, z], [x + 0.5, y + 0.5, z], [x - 0.5, y + 0.5, z]])
        return float(np.sqrt(cv2.contourArea(self.project(square).astype(np.float32))))

    @property
    def corners(self) -> Floats:
        return self.project(self.field.corners)

    def project(self, points: Floats) -> Floats:
        """World points to pixels, with lens distortion."""
        flat = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 1, 3)
        pixels = cv2.projectPoints(flat, self.rvec, self.tvec, self.matrix, self.distortion)[0]
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def plane(self, height: float) -> Floats:
        """The homography from the plane z = height (x, y, 1) to pixels of an undistorted picture."""
        rotation = self.rotation
        columns = [rotation[:, 0], rotation[:, 1], rotation[:, 2] * height + self.tvec]
        return np.asarray(self.matrix @ np.stack(columns, axis=1), dtype=np.float64)

    @lru_cache(maxsize=16)  # noqa: B019 - a camera stands still, and few poses are in use
    def plane_to_picture(self, height: float, margin: float = 0.0) -> Floats:
        """The homography from the plane z = height that best fits the distorted picture over the field."""
        w, h = self.field.columns, self.field.rows
        xs, ys = np.meshgrid(np.linspace(-margin, w + margin, 5), np.linspace(-margin, h + margin, 5))
        points = np.stack([xs.ravel(), ys.ravel(), np.full(xs.size, height)], axis=1)
        found = cv2.findHomography(points[:, :2].astype(np.float32), self.project(points).astype(np.float32), 0)[0]
        return np.asarray(found, dtype=np.float64)


@dataclass(frozen=True)
class Marker:
    """A marker in the picture: its id and its black square's corners NW, NE, SE, SW in pixels."""

    id: int
    corners: Floats


def _detector(windows: tuple[int, int, int]) -> cv2.aruco.ArucoDetector:
    """A detector that tries these sizes of threshold windows: the least, the largest, the step."""
    parameters = cv2.aruco.DetectorParameters()
    least, largest, step = windows
    parameters.adaptiveThreshWinSizeMin = least
    parameters.adaptiveThreshWinSizeMax = largest
    parameters.adaptiveThreshWinSizeStep = step
    parameters.minMarkerPerimeterRate = 0.05
    parameters.errorCorrectionRate = 0.6
    # On a dark mat the white margin's own edge is a square too, and so near to the marker's that the
    # detector would take both for one and keep the wrong one.
    parameters.minMarkerDistanceRate = 0.03
    # White that is too bright spills over the black beside it: a bit is what its innermost pixels are.
    parameters.perspectiveRemovePixelPerCell, parameters.perspectiveRemoveIgnoredMarginPerCell = 8, 0.25
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


_QUICK, _THOROUGH = _detector((13, 13, 4)), _detector((5, 29, 12))
_REFINEMENT = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.01)


def _detect(detector: cv2.aruco.ArucoDetector, gray: Image, scale: float) -> list[Marker]:
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sized = gray if scale == 1 else cv2.resize(gray, None, fx=scale, fy=scale, interpolation=how)
    corners, ids, _ = detector.detectMarkers(sized)
    found: dict[int, Floats] = {}
    for quad, marker in zip(corners, [] if ids is None else np.ravel(ids), strict=True):
        points = (np.asarray(quad, dtype=np.float64).reshape(4, 2) + 0.5) / scale - 0.5
        known = int(marker) in FIELD_OF_MARKER
        if known and (int(marker) not in found or _area(points) > _area(found[int(marker)])):
            found[int(marker)] = points
    return [Marker(marker, points) for marker, points in sorted(found.items())]


def _area(points: Floats) -> float:
    return float(cv2.contourArea(points.astype(np.float32)))


def find_markers(gray: Image) -> list[Marker]:
    """All markers of the kit in a gray picture; a quick look at a smaller picture finds most of them."""
    bright = _brightened(gray)
    markers = _detect(_QUICK, bright, min(1.0, DETECTION_WIDTH / gray.shape[1]))
    if len(markers) < 4:
        full = _detect(_THOROUGH, bright, min(1.0, FULL_WIDTH / gray.shape[1]))
        markers = full if len(full) > len(markers) else markers
    if len(markers) < FEW and gray.shape[1] <= SMALL_WIDTH:
        markers = max(markers, _detect(_QUICK, bright, 2.0), key=len)
    if len(markers) < 2:
        markers = max(markers, *_sought_in_noise(gray), key=len)
    if not markers:
        return []
    refined = []
    for marker in markers:
        side = np.sqrt(_area(marker.corners))
        window = int(np.clip(side * 0.06, 2, 6))
        points = marker.corners.astype(np.float32).reshape(-1, 1, 2)
        cv2.cornerSubPix(gray, points, (window, window), (-1, -1), _REFINEMENT)
        corners = points.reshape(4, 2).astype(np.float64)
        moved = np.abs(corners - marker.corners).max()
        refined.append(Marker(marker.id, corners if moved <= 1.5 * window + 1 else marker.corners))
    return refined


def turned_back(image: Image) -> Image:
    """A mirrored picture as it would be without the mirror."""
    return np.ascontiguousarray(image[:, ::-1])


def _sought_in_noise(gray: Image) -> Iterator[list[Marker]]:
    """Small markers in a dark and noisy picture: seen better softened, with every pixel there is, and doubled."""
    soft = np.asarray(cv2.GaussianBlur(gray, (0, 0), 1.0), dtype=np.uint8)
    yield _detect(_THOROUGH, soft, 1.0)
    if gray.shape[1] <= FULL_WIDTH:
        yield _detect(_THOROUGH, soft, 2.0)


def _brightened(gray: Image) -> Image:
    """A dark picture made bright: the detector's threshold counts gray levels, and there are few at night."""
    brightest = float(np.percentile(gray[::8, ::8], 99))
    if brightest > 110:
        return gray
    return np.asarray(cv2.convertScaleAbs(gray, alpha=220 / max(brightest, 8.0)), dtype=np.uint8)


def field_of_markers(markers: Sequence[Marker]) -> tuple[Field, list[Marker]]:
    """The field to which most of the markers belong, and those of its markers that are seen."""
    groups: dict[Field, list[Marker]] = {}
    for marker in markers:
        groups.setdefault(FIELD_OF_MARKER[marker.id], []).append(marker)
    if not groups:
        raise UnreadablePicture("no-markers")
    ranked = sorted(groups.items(), key=lambda item: -len(item[1]))
    field, mine = ranked[0]
    ids = ", ".join(str(marker.id) for marker in sorted(markers, key=lambda marker: marker.id))
    if len(mine) < 2 and len(ranked) > 1:
        raise UnreadablePicture("stray-markers", count=len(markers), ids=ids)
    if len(mine) < 2:
        raise UnreadablePicture("one-marker", field=field.name, ids=ids)
    if len(ranked) > 1 and len(ranked[1][1]) == len(mine):
        raise UnreadablePicture("two-fields", field=field.name, other=ranked[1][0].name, ids=ids)
    return field, mine


def pose_from_markers(markers: Sequence[Marker], gray: Image, lens: Lens | None = None) -> Pose:
    """The pose from the markers of one field; raises UnreadablePicture when they do not tell."""
    size = (gray.shape[1], gray.shape[0])
    field, mine = field_of_markers(markers)
    world = np.concatenate([field.marker_corners(marker.id) for marker in mine])
    pixels = np.concatenate([marker.corners for marker in mine])
    pose = by_all_corners(solve(field, world, pixels, size, lens), mine, gray, lens)
    if pose.error > 0.02 * max(size):
        raise UnreadablePicture("markers-astray", field=field.name)
    return pose


def by_all_corners(pose: Pose, markers: Sequence[Marker], gray: Image, lens: Lens | None) -> Pose:
    """A pose that the markers tell about, made exact by all corners of their patterns."""
    for _ in range(2):
        world, pixels = _all_corners(gray, pose, markers)
        if len(world) < 6 * len(markers):
            break
        before, pose = pose, solve(pose.field, world, pixels, pose.size, lens, pose)
        if np.abs(pose.corners - before.corners).max() < SETTLED:
            break
    return pose


@cache
def _bit_corners(marker: int) -> Floats:
    """Where a marker has corners, outside and in: offsets from its north-west corner, east and south."""
    bits = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), marker, 6) > 0
    corners = [(0.0, 0.0), (MARKER_SIDE, 0.0), (0.0, MARKER_SIDE), (MARKER_SIDE, MARKER_SIDE)]
    for row in range(1, 6):
        for column in range(1, 6):
            four = bits[row - 1 : row + 1, column - 1 : column + 1]
            crossing = four[0, 0] == four[1, 1] and four[0, 1] == four[1, 0] and four[0, 0] != four[0, 1]
            if four.sum() in (1, 3) or crossing:
                corners.append((column * MARKER_SIDE / 6, row * MARKER_SIDE / 6))
    return np.array(corners, dtype=np.float64)


def _all_corners(gray: Image, pose: Pose, markers: Sequence[Marker]) -> tuple[Floats, Floats]:
    """All corners of the markers' patterns, world and pixels, sought where the pose expects them. With two
    markers only, four corners each leave the far side of the field uncertain by a fifth of a cell; the
    patterns have four times as many."""
    world, pixels = [], []
    for marker in markers:
        outer = pose.field.marker_corners(marker.id)
        offsets = _bit_corners(marker.id)
        points = np.stack([outer[0, 0] + offsets[:, 0], outer[0, 1] - offsets[:, 1], np.zeros(len(offsets))], axis=1)
        expected = pose.project(points).astype(np.float32).reshape(-1, 1, 2)
        module = np.sqrt(_area(marker.corners)) / 6
        window = int(module * 0.45)
        if window < 1 or expected.min() < 8 or (expected.reshape(-1, 2).max(axis=0) > np.array(pose.size) - 9).any():
            continue
        found: Floats = expected.copy()
        cv2.cornerSubPix(gray, found, (window, window), (-1, -1), _REFINEMENT)
        near = np.linalg.norm((found - expected).reshape(-1, 2), axis=1) < 0.3 * module
        world.append(points[near])
        pixels.append(found.reshape(-1, 2)[near].astype(np.float64))
    if not world:
        return np.zeros((0, 3)), np.zeros((0, 2))
    return np.concatenate(world), np.concatenate(pixels)


def pose_from_corners(corners: Floats, field: Field, size: tuple[int, int], lens: Lens | None = None) -> Pose:
    """The pose from the four corners of the playing surface, NW NE SE SW, in pixels."""
    pixels = np.asarray(corners, dtype=np.float64).reshape(4, 2)
    if not cv2.isContourConvex(pixels.astype(np.float32)) or _area(pixels) < 100:
        raise UnreadablePicture("corners-no-outline")
    return solve(field, field.corners, pixels, size, lens)


def run_backwards(corners: Floats) -> bool:
    """Whether corners NW, NE, SE, SW run counter-clockwise in the picture, as only a mirrored one shows them."""
    x, y = np.asarray(corners, dtype=np.float64).reshape(4, 2).T
    return bool(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0)


def places_turned_back(places: Floats, width: int) -> Floats:
    """Places of a mirrored picture in the picture turned back, and the other way round."""
    return np.asarray(np.asarray(places) * [-1.0, 1.0] + [width - 1.0, 0.0])


def _focal_from_homography(homography: Floats, width: int) -> float:
    """The focal length that makes the two axes of the plane square to each other and equally long."""
    h = homography / np.linalg.norm(homography)
    # (h1 . h2) and (h1 . h1 - h2 . h2) must vanish after division of the first two rows by the focal length.
    a = np.array([h[0, 0] * h[0, 1] + h[1, 0] * h[1, 1], h[0, 0] ** 2 + h[1, 0] ** 2 - h[0, 1] ** 2 - h[1, 1] ** 2])
    b = np.array([h[2, 0] * h[2, 1], h[2, 0] ** 2 - h[2, 1] ** 2])
    weight = float(b @ b)
    squared = -float(a @ b) / weight if weight > 0 else -1.0
    usual = FOCAL_PRIOR * width
    if np.hypot(h[2, 0], h[2, 1]) * usual < 0.03 * np.hypot(h[0, 0], h[1, 0]):
        return usual  # seen from straight above: the perspective is too weak to tell
    return float(np.clip(np.sqrt(squared), 0.5 * usual, 1.8 * usual)) if squared > 0 else usual


def solve(
    field: Field,
    world: Floats,
    pixels: Floats,
    size: tuple[int, int],
    lens: Lens | None,
    start: Pose | None = None,
    across: Floats | None = None,
) -> Pose:
    """The pose that brings the world's points to these pixels; where `across` gives a direction for each, only what
    they miss in that direction counts."""
    width, height = size
    centre = np.array([(width - 1) / 2, (height - 1) / 2])
    distortion: Floats = np.zeros(5)
    if start is not None:
        matrix, distortion = start.matrix.copy(), start.distortion.copy()
    elif lens is not None:
        fx, fy, cx, cy = lens.scaled_to(size).matrix
        matrix = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
        distortion[: len(lens.distortion)] = lens.distortion
    else:
        homography = cv2.findHomography(world[:, :2], pixels - centre, 0)[0]
        if homography is None:
            raise UnreadablePicture("no-pose")
        focal = _focal_from_homography(np.asarray(homography), width)
        matrix = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
    if start is not None:
        rvec, tvec = start.rvec, start.tvec
    else:
        solved, turned, moved = cv2.solvePnP(world, pixels, matrix, distortion, flags=cv2.SOLVEPNP_ITERATIVE)
        if not solved:
            raise UnreadablePicture("no-pose")
        rvec, tvec = np.asarray(turned, dtype=np.float64), np.asarray(moved, dtype=np.float64)
    state = np.concatenate([np.ravel(rvec), np.ravel(tvec), [np.log(matrix[0, 0] / width), distortion[0]]])
    steps = LATER_STEPS if start is not None else FIRST_STEPS
    state = _refine(state, world, pixels, size, None if lens is None else (matrix, distortion), steps, across)
    if lens is None:
        matrix[0, 0] = matrix[1, 1] = np.exp(state[6]) * width
        distortion[0] = state[7]
    projected = cv2.projectPoints(world, state[:3], state[3:6], matrix, distortion)[0].reshape(-1, 2)
    off = projected - pixels if across is None else ((projected - pixels) * across).sum(axis=1, keepdims=True)
    error = float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
    pose = Pose(field, size, matrix, distortion, state[:3].copy(), state[3:6].copy(), error)
    if pose.eye[2] <= field.surface:
        raise UnreadablePicture("no-pose")
    return pose


def _refine(
    state: Floats,
    world: Floats,
    pixels: Floats,
    size: tuple[int, int],
    known: tuple[Floats, Floats] | None,
    steps: int,
    across: Floats | None,
) -> Floats:
    """Damped Gauss-Newton with Huber weights; the lens is kept when it is known."""
    width, height = size
    unit = (PIXEL_NOISE if across is None else LINE_NOISE) * max(1.0, width / 1280)
    free = 6 if known is not None else 8

    def residuals(s: Floats) -> tuple[Floats, Floats]:
        if known is not None:
            matrix, distortion = known
        else:
            focal = np.exp(s[6]) * width
            matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
            distortion = np.array([s[7], 0, 0, 0, 0])
        projected, jacobian = cv2.projectPoints(world, s[:3], s[3:6], matrix, distortion)[:2]
        miss = (np.asarray(projected).reshape(-1, 2) - pixels).ravel() / unit
        # Steps of the translation are taken as sideways shares of the distance and as its logarithm: seen
        # from above, focal length and distance then trade along a straight line.
        shift = jacobian[:, 3:6]
        moves = np.stack([shift[:, 0] * s[5], shift[:, 1] * s[5], shift @ s[3:6]], axis=1)
        columns = [jacobian[:, :3], moves]
        if known is None:
            columns += [(jacobian[:, 6] + jacobian[:, 7])[:, None] * matrix[0, 0], jacobian[:, 10][:, None]]
        slope = np.concatenate(columns, axis=1) / unit
        if across is not None:
            miss = (miss.reshape(-1, 2) * across).sum(axis=1)
            slope = (slope.reshape(len(miss), 2, -1) * across[:, :, None]).sum(axis=1)
        weight = np.sqrt(np.minimum(1.0, 4.0 / np.maximum(np.abs(miss), 1e-9)))
        miss, slope = miss * weight, slope * weight[:, None]
        if known is None:
            priors = np.array([(s[6] - np.log(FOCAL_PRIOR)) / FOCAL_SPREAD, s[7] / K1_SPREAD])
            prior_slope = np.zeros((2, 8))
            prior_slope[0, 6], prior_slope[1, 7] = 1 / FOCAL_SPREAD, 1 / K1_SPREAD
            miss, slope = np.concatenate([miss, priors]), np.concatenate([slope, prior_slope])
        return np.asarray(miss, dtype=np.float64), np.asarray(slope, dtype=np.float64)

    damping, (miss, slope) = 1e-3, residuals(state)
    for _ in range(steps):
        normal = slope.T @ slope
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), slope.T @ miss)
        trial = state.copy()
        trial[:3] -= step[:3]
        trial[3:6] = (state[3:6] - np.append(step[3:5], 0) * state[5]) * np.exp(-np.clip(step[5], -1, 1))
        trial[6:free] -= step[6:]
        new_miss, new_slope = residuals(trial)
        if new_miss @ new_miss < miss @ miss:
            gain = miss @ miss - new_miss @ new_miss
            state, miss, slope, damping = trial, new_miss, new_slope, max(damping / 10, 1e-7)
            if gain < NO_GAIN:
                break
        else:
            damping *= 8
            if damping > 1e6:
                break
    return state
