"""Is this table good to read? Lighting, glare, sharpness, size, markers, tilt: a finding each, with advice.

A finding is a code with numbers, so that it can be told in any language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.codes import Labels
from vision.errors import UnreadablePicture
from vision.finding import find_field
from vision.light import Lighting, measure
from vision.patches import CUTS, cut_cells
from vision.pose import Image, Marker, Pose, turned_back
from vision.reading import by_lines
from vision.translation import Translation

DARK, BRIGHT, UNEVEN, HAZY = 60.0, 252.0, 3.0, 0.4
GLARE = 0.02
BLURRED = 0.085  # of a cell: the width of an edge
LEAST_PIXELS, MOST_TILT = 24, 42
OTHER_LIGHT = (1.8, 0.1)  # times as far from the colors that were learned as then, and by how much more at least


@dataclass(frozen=True)
class Finding:
    """One thing that was checked: whether it is good, and a code with numbers for its sentence."""

    good: bool
    code: str
    params: Mapping[str, object]


def check(image: Image, sets: Sequence[tuple[str, Translation]] = (), labels: Labels | None = None) -> list[Finding]:
    """All findings on one picture, the markers first. Without markers the lines of a game's field must tell where it
    lies, or nothing else can be told. `sets` are those that were learned, each with its field."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    mirrored = False
    try:
        pose, markers, mirrored = find_field(gray)
    except UnreadablePicture as error:
        try:
            pose, markers = by_lines(image, labels, None, error), []
        except UnreadablePicture as doubts:
            return [Finding(False, doubts.code, doubts.params)]
    if mirrored:
        image, gray = turned_back(image), turned_back(gray)
    mine = [marker for marker in markers if marker.id in pose.field.markers]
    light = measure(image, pose, mine)
    return [
        _markers(pose, mine) if mine else Finding(True, "lattice.found", {"field": pose.field.name}),
        *([Finding(True, "mirror.turned", {})] if mirrored else []),
        _light(pose, light),
        _glare(image, pose, light),
        *([_sharpness(gray, pose, mine)] if mine else []),
        _size(pose),
        _tilt(pose),
        *_set(image, pose, light, [learned for field, learned in sets if field == pose.field.name]),
    ]


def _markers(pose: Pose, mine: list[Marker]) -> Finding:
    code = "markers.all" if len(mine) == 4 else "markers.some"
    return Finding(len(mine) == 4, code, {"seen": len(mine), "field": pose.field.name})


def _light(pose: Pose, light: Lighting) -> Finding:
    white = float(np.exp(light.level).mean())
    slope = np.hypot(float(light.slope_x.mean()) * pose.field.columns, float(light.slope_y.mean()) * pose.field.rows)
    ratio = float(np.exp(slope))
    if white < DARK:
        return Finding(False, "light.dark", {"white": round(white)})
    if white > BRIGHT:
        return Finding(False, "light.bright", {"white": round(white)})
    if ratio > UNEVEN:
        return Finding(False, "light.uneven", {"ratio": round(ratio, 1)})
    if light.black > HAZY:
        return Finding(False, "light.hazy", {"black": round(100 * light.black)})
    return Finding(True, "light.good", {"white": round(white)})


def _glare(image: Image, pose: Pose, light: Lighting) -> Finding:
    """The share of the field that is brighter than paper can be."""
    outline = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(outline, np.round(pose.corners).astype(np.int32), 255)
    limit = np.minimum(np.exp(light.level) * 1.25, 250.0)
    shining = (image[outline > 0] > limit).all(axis=1)
    share = float(np.mean(shining)) if np.size(shining) else 0.0
    code = "glare.seen" if share > GLARE else "glare.none"
    return Finding(share <= GLARE, code, {"share": round(100 * share, 1)})


def _sharpness(gray: Image, pose: Pose, mine: list[Marker]) -> Finding:
    """How many pixels the step from a marker's white margin to its black takes."""
    widths = []
    for marker in mine:
        corners = pose.field.marker_corners(marker.id)
        for k in range(4):
            a, b = corners[k], corners[(k + 1) % 4]
            out = np.array([b[1] - a[1], a[0] - b[0], 0.0]) / np.linalg.norm(b - a) * -1
            for share in (0.3, 0.5, 0.7):
                start = a + (b - a) * share
                line = np.stack([start + out * t for t in np.linspace(-0.1, 0.1, 41)])
                pixels = pose.project(line).astype(np.float32)
                profile = cv2.remap(gray, pixels[None, :, 0], pixels[None, :, 1], cv2.INTER_LINEAR)[0].astype(
                    np.float64
                )
                contrast = float(profile.max() - profile.min())
                if contrast > 20:
                    step = float(np.abs(np.diff(cv2.GaussianBlur(profile, (1, 3), 0).ravel())).max())
                    length = float(np.linalg.norm(pixels[-1] - pixels[0]))
                    widths.append(contrast / max(step, 1e-3) * length / 40)
    width = float(np.median(widths)) if widths else 0.0
    good = width < max(2.5, BLURRED * pose.cell_pixels)
    return Finding(good, "sharpness.good" if good else "sharpness.blurred", {"width": round(width, 1)})


def _size(pose: Pose) -> Finding:
    pixels = round(pose.cell_pixels)
    code = "size.good" if pixels >= LEAST_PIXELS else "size.small"
    return Finding(pixels >= LEAST_PIXELS, code, {"pixels": pixels, "least": LEAST_PIXELS})


def _tilt(pose: Pose) -> Finding:
    tilt = round(pose.tilt)
    code = "tilt.good" if tilt <= MOST_TILT else "tilt.steep"
    return Finding(tilt <= MOST_TILT, code, {"tilt": tilt, "most": MOST_TILT})


def _set(image: Image, pose: Pose, light: Lighting, sets: list[Translation]) -> list[Finding]:
    """Whether the colors that were learned are still those that are seen."""
    if not sets:
        return []
    patches = cut_cells(image, pose, light, CUTS[pose.field.name])
    times, more = OTHER_LIGHT
    known = any(learned.strangeness(patches) < max(times * learned.usual, learned.usual + more) for learned in sets)
    return [Finding(known, "set.known" if known else "set.changed", {})]
