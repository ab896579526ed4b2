"""The markers by which a camera finds a field, and the sheet that tells what its lens does: drawn as paths."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from companion.kit.parts import Part, box
from vision.calibrate import SQUARES, sheet
from vision.fields import FIELDS, MARKER_GAP, MARKER_MARGIN, MARKER_SIDE, Field
from web.drawing.letters import lettered
from web.drawing.shapes import outline
from web.drawing.sheet import U

INK = "#000000"
MODULES = 6
PITCH = 20  # pixels to a square of the ChArUco sheet: its markers' modules are two of them
CORNERS = ("nw", "ne", "se", "sw")
REACH = (MARKER_GAP + MARKER_SIDE + MARKER_MARGIN) * U  # from the field's corner to the end of a marker's margin


@cache
def marker(number: int, dictionary: int = cv2.aruco.DICT_4X4_50, modules: int = MODULES) -> str:
    """A marker of one unit to a module, without its white margin."""
    bits = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(dictionary), number, modules)
    return _shape(np.asarray(bits) == 0)


def _shape(is_black: np.ndarray) -> str:
    """Black pixels as one path: no seam between two of them can show."""
    rows, columns = np.nonzero(is_black)
    path = outline(((int(x), int(y)) for x, y in zip(columns, rows, strict=True)), 0)
    return f'<path d="{path}" transform="scale({1 / U:g})" fill="{INK}" fill-rule="evenodd"/>'


def marker_at(number: int, x: float, y: float, side: float) -> str:
    return f'<g transform="translate({x:.4f} {y:.4f}) scale({side / MODULES:.6f})">{marker(number)}</g>'


def around_field(field: Field) -> str:
    """The four markers of a field, in hundredths of a cell from its upper left corner."""
    drawn = []
    for number in field.markers:
        corners = field.marker_corners(number)
        west, north = float(corners[0, 0]), float(corners[0, 1])
        drawn.append(marker_at(number, west * U, (field.rows - north) * U, MARKER_SIDE * U))
    return "".join(drawn)


def loose(number: int, place: int) -> Part:
    """A marker on a card of its own. The corner with the angle is laid on the board's corner: then the marker lies as
    far off as it should."""
    side, margin = MARKER_SIDE * U, MARKER_MARGIN * U
    west, north = place in (0, 3), place in (0, 1)
    x, y = (margin if west else REACH - margin - side), (margin if north else REACH - margin - side)
    corner_x, corner_y = (REACH if west else 0.0), (REACH if north else 0.0)
    inward_x, inward_y = (-1 if west else 1), (-1 if north else 1)
    angle = (
        f'<path d="M{corner_x + 30 * inward_x:g} {corner_y:g}H{corner_x:g}V{corner_y + 30 * inward_y:g}" fill="none" '
        f'stroke="#c8102e" stroke-width="2.4"/>'
        f'<path d="M{corner_x:g} {corner_y:g}l{12 * inward_x} 0l{-12 * inward_x} {12 * inward_y}z" fill="#c8102e"/>'
    )
    middle = lettered(str(number), corner_x + 48 * inward_x, corner_y + 24 * inward_y, 0.9)
    angle += f'<g fill="none" stroke="#777" stroke-width="2" stroke-linecap="round">{middle}</g>'
    face = f'<path d="{box(0, 0, REACH, REACH)}" fill="#fff"/>{marker_at(number, x, y, side)}{angle}'
    return Part("marker", REACH, REACH, box(0, 0, REACH, REACH), "#ffffff", face)


def loose_markers() -> list[Part]:
    return [loose(number, place) for field in FIELDS for place, number in enumerate(field.markers)]


def charuco(width: float) -> tuple[str, float]:
    """The sheet for `companion calibrate`, so wide, and how high it is."""
    picture = sheet(PITCH)
    edge = PITCH // 2
    board = picture[edge:-edge, edge:-edge]
    scale = width / (SQUARES[0] * PITCH)
    return f'<g transform="scale({scale:.6f})">{_shape(board < 128)}</g>', SQUARES[1] * PITCH * scale
