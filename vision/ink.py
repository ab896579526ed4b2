"""What is printed on pieces, whatever its colors: as black on white.

A letter on a token and the arrows on a tile are one ink on one ground. The ground's color is taken where no ink is, and
how far each pixel is on the way from there to the ink becomes a gray; what lies beside that way, a tile's dot or a
clear pawn, becomes red. Networks that read such patches need to know nothing of a set's colors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.patches import SIDE, Patches, against_mat

VEIL = 30.0  # levels: darker colors differ in noise only
PAPER, REACH = 170.0, 140.0  # how bright the ground becomes, and how much darker the ink
FAINT = 0.4  # a logarithm: marks that differ less from their ground are not strengthened any further
INK = 92  # percentile of what is printed on: so far from the ground the ink is
MOST = 1.4  # times as far from the ground as the ink

_AXIS = (np.arange(SIDE) + 0.5) / SIDE - 0.5
_AWAY = np.hypot(_AXIS[:, None], _AXIS[None])
_EDGE = np.maximum(np.abs(_AXIS)[:, None], np.abs(_AXIS)[None])


@dataclass(frozen=True)
class _Print:
    ground: npt.NDArray[np.bool_]  # where hardly any ink is
    marks: npt.NDArray[np.bool_]  # and where it is


_PRINTS = {
    "planks": _Print((_AWAY > 0.29) & (_AWAY < 0.39), _AWAY < 0.33),
    "tiles": _Print((_EDGE > 0.365) & (_EDGE < 0.44), _EDGE < 0.36),
}


def black_on_white(field: str, patches: Patches | npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The patches of a field as a network reads them that was trained on sets of any color."""
    where = _PRINTS[field]
    out = against_mat(patches) if field == "tiles" else np.asarray(patches, np.float32).copy()
    planes = 2
    logs = np.log(patches[:, : 3 * planes].astype(np.float32) + np.float32(VEIL))
    logs = logs.reshape(len(patches), planes, 3, SIDE, SIDE)
    ground = np.median(logs[:, 0][:, :, where.ground], axis=2)
    off = logs - ground[:, None, :, None, None]
    marks = off[:, 0][:, :, where.marks]
    _, ways = np.linalg.eigh(np.einsum("ncp,ndp->ncd", marks, marks))
    way = ways[:, :, -1]
    way *= np.where(np.einsum("nc,ncp->n", way, marks) < 0, -1, 1)[:, None]
    far = np.percentile(np.einsum("nc,ncp->np", way, marks), INK, axis=1)
    far = np.maximum(far, FAINT)[:, None, None, None].astype(np.float32)
    along = np.einsum("nc,npcyx->npyx", way, off)
    beside = np.linalg.norm(off - along[:, :, None] * way[:, None, :, None, None], axis=2)
    gray = PAPER - REACH * np.clip(along / far, -MOST, MOST)
    other = np.minimum(gray, PAPER - REACH * np.clip(beside / far, 0, MOST))
    out[:, : 3 * planes] = np.stack([other, other, gray], axis=2).reshape(len(patches), 3 * planes, SIDE, SIDE)
    return np.clip(out, 0, 255, out=out)
