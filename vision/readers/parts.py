"""What the readers of gridded fields share: the network's answer per cell, split into its parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.codes import DIE_FACES, OUTPUTS
from vision.fields import Field, Floats
from vision.network import run
from vision.patches import Patches

CERTAIN = 0.95  # a cell as certain as this needs no second look
MOST_AGAIN = 20  # and no more cells than these get one, lest it take too long
TOGETHER = 1.25  # four looks at one cell tell more than one, but far from four times as much
_QUARTER = {"ne": "nw", "nw": "ne", "ns": "ew", "ew": "ns"}
CROSSWISE = [
    DIE_FACES.index(":".join([face, *(_QUARTER[lie] for lie in way)]))
    for face, *way in (name.split(":") for name in DIE_FACES)
]

Logits = dict[str, npt.NDArray[np.float32]]


def asked(name: str, patches: Patches | npt.NDArray[np.float32]) -> Logits:
    """What a network says of patches."""
    return split(name, run(name, patches)[:, :, 0, 0])


def looked_at_again(
    ask: Callable[[npt.NDArray[Any]], Logits],
    patches: npt.NDArray[Any],
    logits: Logits,
    certainty: Floats,
) -> Logits:
    """The logits, where the least certain cells are read again from the other three sides: what looks the same
    from every side is so, and what does not is left in doubt."""
    unsure = np.flatnonzero(certainty < CERTAIN)
    unsure = unsure[np.argsort(certainty[unsure])][:MOST_AGAIN]
    if not len(unsure):
        return logits
    sides = [np.rot90(patches[unsure], quarters, axes=(2, 3)) for quarters in (1, 2, 3)]
    again = ask(np.ascontiguousarray(np.concatenate(sides)))
    out = {}
    for part, first in logits.items():
        looks = [_turned_back(part, side, 1 + k) for k, side in enumerate(np.split(again[part], 3))]
        out[part] = first.copy()
        out[part][unsure] = (first[unsure] + sum(looks)) * np.float32(TOGETHER / 4)
    return out


def _turned_back(part: str, logits: npt.NDArray[np.float32], quarters: int) -> npt.NDArray[np.float32]:
    """The logits of cells that were turned counter-clockwise before they were read, as if they had not been."""
    if part == "arrows":
        return np.roll(logits, 2 * quarters, axis=1)
    if part == "dot":
        return np.roll(logits, -quarters, axis=1)
    if part == "face" and quarters % 2:
        return logits[:, CROSSWISE]
    return logits


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
