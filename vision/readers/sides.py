"""Sides of dice that pass for dice on the empty squares before them.

Seen aslant, a die's side stands in the picture where the top of a die on the square before it would. But a die covers
its square's wood: where that looks as on the bare squares, no die stands on it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.fields import Floats
from vision.patches import DARK, SIDE, Patches
from vision.pose import Pose

DIE = 0.72  # the side of a die, in cells
MIDDLE = slice(SIDE * 9 // 32, SIDE * 23 // 32)  # of a square, on its own plane: what a die on it hides for certain
EMPTY = 0.95  # how surely squares must be bare to tell how bare ones look
FEW = 4  # of them tell nothing
# How far a square's color may be from theirs, in their spread, and how uneven it may be against them. Of 225 dice with
# another behind them none was so near in both (2.8 and 2.4 the nearest), of 15 sides that passed for dice 11 were.
LIKE_THEM, AS_EVEN = 2.2, 1.9
LEAST_SPREAD = 0.05
BARE = 0.97  # how surely a square is bare then
# How much lower the odds of a die are on a square before another than the network says, which sees a part of the die
# behind. In 540 drawn pictures that leaned by 28° and more, 14 of such squares were taken for dice by less than 0.8,
# and 13 of them were bare; of 1 143 by more than 0.99 two were.
DIE_ODDS = 0.15


def without_sides(likelihood: Floats, patches: Patches, pose: Pose) -> Floats:
    """The likelihoods (bare first), where what stands before a die seen aslant was looked at again."""
    occupied = likelihood[:, 0] < 0.5
    before = _before_others(occupied, pose)
    if not before.any():
        return likelihood
    found = likelihood.copy()
    found[before, 1:] *= DIE_ODDS
    found[before] /= found[before].sum(axis=1, keepdims=True)
    cells = np.arange(len(likelihood))
    dark = (cells % pose.field.columns + cells // pose.field.columns) % 2
    for color in (0, 1):
        bare = np.flatnonzero((likelihood[:, 0] > EMPTY) & (dark == color))
        asked = np.flatnonzero(before & (dark == color))
        if len(bare) < FEW or not len(asked):
            continue
        seen, uneven = _wood(patches[np.concatenate([bare, asked])])
        usual = np.median(seen[: len(bare)], axis=0)
        spread = np.maximum(1.48 * np.median(np.abs(seen[: len(bare)] - usual), axis=0), LEAST_SPREAD)
        off = (np.abs(seen[len(bare) :] - usual) / spread).max(axis=1)
        even = uneven[len(bare) :] < AS_EVEN * np.median(uneven[: len(bare)])
        passed = asked[(off < LIKE_THEM) & even]
        found[passed, 1:] *= (1 - BARE) / np.maximum(found[passed, 1:].sum(axis=1, keepdims=True), 1e-9)
        found[passed, 0] = BARE
    return found


def _before_others(occupied: npt.NDArray[np.bool_], pose: Pose) -> npt.NDArray[np.bool_]:
    """The squares on which a die seems to stand, with another behind it whose side would show there."""
    cells = np.flatnonzero(occupied)
    middles = np.stack([cells % pose.field.columns, cells // pose.field.columns], axis=1) + 0.5
    away = middles - pose.eye[:2]
    distance = np.maximum(np.linalg.norm(away, axis=1), 1e-6)
    side = DIE * distance / (pose.eye[2] - pose.field.surface)  # how far a side reaches towards the camera
    apart = middles[None] - middles[:, None]
    behind = (np.einsum("nmk,nk->nm", apart, away / distance[:, None]) > 0.6) & (np.abs(apart).max(axis=2) == 1)
    found = np.zeros(len(occupied), bool)
    found[cells[behind.any(axis=1) & (side > 1 - DIE)]] = True
    return found


def _wood(patches: Patches) -> tuple[Floats, Floats]:
    """The colors of squares, as logarithms, and how uneven they are."""
    logs = np.log(np.maximum(patches[:, 3:6, MIDDLE, MIDDLE].astype(np.float32), DARK))
    flat = logs.reshape(len(patches), 3, -1)
    return np.median(flat, axis=2), flat.mean(axis=1).std(axis=1)
