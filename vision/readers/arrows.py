"""How the maker of a board's tiles draws arrows, learned from the board itself.

All its tiles are from one press, and no two show the same three arrows. So what the network reads tells about how each
direction's arrow looks here, and that tells of each tile which three it shows: in a few rounds most tiles of a press
that no network has seen are read right, even where it misread many at first.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.codes import DIRECTIONS, TRIPLES
from vision.fields import Floats
from vision.patches import CUTS, SIDE, Patches
from vision.readers.deal import left_by_others

SHOWN = np.array([[direction in triple.split("-") for direction in DIRECTIONS] for triple in TRIPLES], dtype=np.float64)
# What a tile shows is the sum of its arrows and of what is on all tiles.
_PARTS = np.concatenate([SHOWN, np.ones((len(TRIPLES), 1))], axis=1)
FEW = 12  # tiles tell too little of eight directions
SURE = 0.95  # where all are as sure as this, and none shows what another does, there is nothing to learn
# How sure the network must be of how many of them. Of 36 boards of loft two were misread nearly whole, where it was so
# sure of 14 and of 23 in a hundred tiles; of those with more than 28 none was.
KNOWN, LEAST_KNOWN, PERHAPS_NOT = 0.9, 0.28, 0.3
HALF = 0.44  # how far from a tile's middle it is looked at, in cells
MISREAD = 0.02  # of the cells that are certain of their arrows, and yet wrong
LEAST_WHITE = 8.0  # levels
ROUNDS = 3
# How much each pixel says, as they are far from independent. Chosen on pictures of attic, veranda and loft; of the last
# only by how many tiles were misread.
PIXELS_SAY = 0.1
LOOSE, LEAST_SPREAD = 0.3, 0.003  # tiles' worth of holding back, and the least variance of ink
_PLACES = np.abs(np.arange(SIDE // 2) * 2 + 1 - SIDE / 2) < HALF * CUTS["tiles"].ppu


def as_the_others_show(
    triples: Floats, patches: Patches, plain: npt.NDArray[np.bool_]
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """How likely each cell shows each triple, where `plain` ones are tiles with arrows and nothing on them; and which
    cells are doubtful all the same, as the network was sure of too few to learn from: the same error in nearly all of
    them looks like a press of its own."""
    cells, strange = np.flatnonzero(plain), np.zeros(len(plain), bool)
    said = triples[cells]
    best = said.argmax(axis=1)
    if len(cells) < FEW or (said.max(axis=1).min() > SURE and len(set(best.tolist())) == len(best)):
        return triples, strange
    strange[cells] = (said.max(axis=1) > KNOWN).mean() < LEAST_KNOWN
    ink = _ink(patches[cells])
    logs = np.log(np.maximum(said, 1e-12))
    for _ in range(ROUNDS):
        dealt = (1 - MISREAD) * said + MISREAD / len(TRIPLES)
        dealt *= left_by_others(dealt, np.zeros((len(said), 1)))
        dealt /= dealt.sum(axis=1, keepdims=True)
        # Products of large matrices would wake BLAS's other threads, which take longer than the work.
        counts, seen = _PARTS.T @ (dealt.sum(axis=0)[:, None] * _PARTS), (dealt @ _PARTS).T @ ink
        drawn = np.linalg.solve(counts + LOOSE * np.eye(len(counts)), seen)  # how each arrow looks
        off = (ink**2).sum(axis=0) - 2 * (drawn * seen).sum(axis=0) + (drawn * (counts @ drawn)).sum(axis=0)
        spread = off / len(ink) + LEAST_SPREAD
        spread = (spread + spread.mean()) / 2
        fit = ((ink / spread) @ drawn.T) @ _PARTS.T - 0.5 * ((_PARTS @ drawn) ** 2 / spread).sum(axis=1)
        total = logs + PIXELS_SAY * fit
        said = np.exp(total - total.max(axis=1, keepdims=True))
        said /= said.sum(axis=1, keepdims=True)
    if strange.any():
        said = (1 - PERHAPS_NOT) * said + PERHAPS_NOT / len(TRIPLES)
    judged = triples.copy()
    judged[cells] = said
    return judged, strange


def _ink(patches: Patches) -> Floats:
    """How much darker than its tile each place is, a row per tile, in a picture half as fine and a little blurred: no
    tile lies quite straight."""
    count, half = len(patches), SIDE // 2
    fine = patches[:, :3].sum(axis=1, dtype=np.uint16).reshape(count, half, 2, half, 2)
    gray = fine.sum(axis=(2, 4), dtype=np.uint16) / np.float32(12)
    white = np.percentile(gray[:, 2:-2, 2:-2].reshape(count, -1), 85, axis=1)
    ink = np.clip(1 - gray / np.maximum(white, LEAST_WHITE)[:, None, None], -0.2, 1.0)
    ink[:, 1:-1] = (ink[:, :-2] + 2 * ink[:, 1:-1] + ink[:, 2:]) / 4
    ink[:, :, 1:-1] = (ink[:, :, :-2] + 2 * ink[:, :, 1:-1] + ink[:, :, 2:]) / 4
    return np.asarray(ink[:, _PLACES][:, :, _PLACES].reshape(count, -1), np.float64)
