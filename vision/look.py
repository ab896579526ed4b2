"""A Look: what one picture tells about a field, as likelihoods, never as guesses."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.codes import Labels
from vision.fields import Floats

Visible = dict[str, Any]

DOUBT = 0.87  # a square whose best code is less likely than this is doubtful
HIDDEN = 0.5  # a square that is hidden more likely than this is doubtful
# Where nothing is in the way beyond doubt, a square that is read as surely as this is doubtful only if it is hidden
# more likely than that: shine and shadows that hide nothing make squares seem hidden, one here and one there.
READ, SHINE = 0.97, 0.9
PLAIN = 0.1  # a square that is hidden less likely than this is plainly seen
CORE, NEIGHBOR, ALONE = 0.97, 0.5, 0.997  # how hidden a hand's surest square, one beside it, or a single square must be
SEVERAL, TOGETHER = 3, 0.9  # or so many squares in one piece


@dataclass(frozen=True)
class Look:
    """Per square a likelihood of each code, and how likely it is that something hides it.

    `reading` is the best free reading: each square's best code, within what the kit guarantees.
    """

    labels: Labels
    squares: tuple[str, ...]
    codes: tuple[str, ...]
    likelihood: Floats  # square × code, rows sum to 1
    hidden: Floats  # per square
    reading: Visible
    hand: bool
    doubts: tuple[str, ...]
    pawns: Mapping[str, Floats] = dataclasses.field(default_factory=dict)
    # per pawn the likelihood of each square and, last, of standing nowhere
    places: Floats = dataclasses.field(default_factory=lambda: np.zeros((0, 3)))
    # planks: where each square's middle lies (x, y, turn)
    askew: Floats = dataclasses.field(default_factory=lambda: np.zeros((0, 5)))
    # where there are cards: per square how far its disc lies east and north of the middle, how well that is known, and
    # how much further east and north it would seem to lie if it lay higher by the side of a cell

    @property
    def field(self) -> str:
        return self.labels.field

    @property
    def game(self) -> str:
        return self.labels.game

    def visible(self) -> Visible:
        return self.reading

    def doubtful(self) -> list[str]:
        return list(self.doubts)

    @property
    def covered(self) -> frozenset[str]:
        """The squares that something in the way hides more likely than not."""
        return frozenset(s for s, out in zip(self.squares, self.hidden, strict=True) if self.hand and out > HIDDEN)

    @property
    def plain(self) -> frozenset[str]:
        """The squares that nothing hides."""
        return frozenset(s for s, out in zip(self.squares, self.hidden, strict=True) if out < PLAIN)

    @property
    def confidence(self) -> float:
        """How sure the least sure square is."""
        if not len(self.likelihood):
            return 0.5 if self.hand else 1.0
        sure = self.likelihood.max(axis=1) * (1 - self.hidden)
        return float(np.clip(sure.min(), 0, 1))


def doubts_of(squares: tuple[str, ...], best: Floats, hidden: Floats, hand: bool, doubt: float = DOUBT) -> list[str]:
    """The squares whose best code is not likely enough, or that something may hide."""
    most = np.where((best > READ) & (not hand), SHINE, HIDDEN)
    return [s for s, out in zip(squares, (best < doubt) | (hidden > most), strict=True) if out]


def something_in_the_way(hidden: Floats, columns: int) -> bool:
    """What reaches over the field hides at least one square beyond doubt, and those beside it more likely than not, or
    several squares in one piece nearly so. A lamp's shine makes many squares doubtful and none certain."""
    grid = hidden.reshape(-1, columns)
    if not grid.size:
        return False
    around = np.pad(grid, 1)
    rows, wide = grid.shape
    beside = [
        around[1 + down : 1 + down + rows, 1 + right : 1 + right + wide]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if down or right
    ]
    core = (grid > CORE) & (np.max(beside, axis=0) > NEIGHBOR)
    if core.any() or grid.max() > ALONE:
        return True
    pieces = cv2.connectedComponents((grid > TOGETHER).astype(np.uint8), connectivity=8)[1]
    return bool(np.bincount(pieces.ravel())[1:].max(initial=0) >= SEVERAL)
