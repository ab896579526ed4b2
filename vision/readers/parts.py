"""What the readers of gridded fields share: the network's answer per cell, split into its parts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.codes import OUTPUTS
from vision.fields import Field
from vision.light import Light
from vision.network import run
from vision.patches import CUTS, cut_cells
from vision.pose import Image, Pose

Logits = dict[str, npt.NDArray[np.float32]]


def cell_logits(image: Image, pose: Pose, light: Light) -> Logits:
    """Per part of the output an array of cells × logits; cells from the south-west, row by row."""
    name = pose.field.name
    return split(name, run(name, cut_cells(image, pose, light, CUTS[name]))[:, :, 0, 0])


def split(name: str, logits: npt.NDArray[np.float32]) -> Logits:
    parts: Logits = {}
    start = 0
    for part, size in OUTPUTS[name].items():
        parts[part] = logits[:, start : start + size]
        start += size
    return parts


def squares_of(field: Field) -> tuple[str, ...]:
    return tuple(field.square(column, row) for row in range(field.rows) for column in range(field.columns))


def rows_of(field: Field, codes: list[str]) -> list[list[str]]:
    """Codes of all cells, from the south-west row by row, as rows from north to south."""
    wide = field.columns
    return [codes[row * wide : (row + 1) * wide] for row in reversed(range(field.rows))]
