"""The kit's four fields and their markers, in cells: x east, y north from the south-west corner, z up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]

MARKER_SIDE = 0.9
MARKER_MARGIN = 0.15
MARKER_GAP = 0.5  # from the field's corner to the marker's nearest corner, along both axes
BOARD_HEIGHT = 0.3

COLUMNS = "abcdefghi"


@dataclass(frozen=True)
class Field:
    """One field: its cells, the height of its surface and the marker ids NW, NE, SE, SW."""

    name: str
    columns: int
    rows: int
    surface: float
    markers: tuple[int, int, int, int]

    @property
    def corners(self) -> Floats:
        """The playing surface's corners NW, NE, SE, SW."""
        w, h, z = float(self.columns), float(self.rows), self.surface
        return np.array([[0, h, z], [w, h, z], [w, 0, z], [0, 0, z]], dtype=np.float64)

    def marker_corners(self, marker: int) -> Floats:
        """A marker's four black corners in the order that the detector gives them: NW, NE, SE, SW."""
        near, far = MARKER_GAP, MARKER_GAP + MARKER_SIDE
        place = self.markers.index(marker)
        west, east = (-far, -near) if place in (0, 3) else (self.columns + near, self.columns + far)
        south, north = (-far, -near) if place in (2, 3) else (self.rows + near, self.rows + far)
        return np.array([[west, north, 0], [east, north, 0], [east, south, 0], [west, south, 0]], dtype=np.float64)

    def square(self, column: int, row: int) -> str:
        """The name of a square; the row counts from the south, from 0."""
        return f"{COLUMNS[column]}{row + 1}"


FIELDS = (
    Field("seven", 7, 7, BOARD_HEIGHT, (0, 1, 2, 3)),
    Field("seven", 7, 7, 0.0, (16, 17, 18, 19)),
    Field("faces", 9, 8, BOARD_HEIGHT, (4, 5, 6, 7)),
    Field("faces", 9, 8, 0.0, (20, 21, 22, 23)),
    Field("tiles", 8, 8, 0.0, (8, 9, 10, 11)),
    Field("planks", 6, 13, 0.0, (12, 13, 14, 15)),
)
FIELD_OF_MARKER = {marker: field for field in FIELDS for marker in field.markers}


def usual_field(name: str) -> Field:
    """The field of this name as it mostly is: the wooden board where there is one."""
    return next(field for field in FIELDS if field.name == name)
