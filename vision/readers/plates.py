"""What the tetrods of a reading must be: plates of four cells, each on the one mushroom that stands in its hole.

Shine turns a blue plate as pale as wood, and then the mushroom in it seems to stand on the bare board. But no three
cells of a plate can lie alone: of all readings that can be, the likeliest is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.fields import Floats

CELLS = 4  # of a tetrod
# How much a correction may cost, as a logarithm: of what cannot be, and of what should not be. What is read beyond all
# doubt stays: hands lay things there that no kit has.
IMPOSSIBLE, UNUSUAL = 7.0, 4.0
PLAINLY = 3.0  # so much likelier than the next must a correction be, and no less likely than what was first read
TOGETHER = {2: 12, 3: 9, 4: 8}  # how many of the cheapest corrections are tried, so many together
RARE = 0.02  # how much rarer boards are that cannot be
LEAST = 1e-6
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Plates:
    """Which of a game's codes are cells of a plate, and which of these are holes with a mushroom."""

    plate: int
    hole: int
    columns: int

    def faults(self, codes: Codes) -> tuple[int, int]:
        """How many plates lie there that cannot be, and how many holes are open or are too many."""
        covered = ((codes == self.plate) | (codes == self.hole)).astype(np.uint8).reshape(-1, self.columns)
        _, group = cv2.connectedComponents(covered, connectivity=4)
        sizes = np.bincount(group.ravel())[1:]
        holes = np.bincount(group.ravel()[codes == self.hole], minlength=len(sizes) + 1)[1:]
        return int(np.count_nonzero(sizes % CELLS)), int(np.abs(sizes // CELLS - holes).sum())

    def settled(self, likelihood: Floats, best: Codes) -> tuple[Codes, Floats]:
        """The likeliest codes that can be, and how sure each is."""
        sure = np.take_along_axis(likelihood, best[:, None], axis=1)[:, 0].copy()
        before = self.faults(best)
        if before != (0, 0):
            ranked = sorted(self._corrections(likelihood, best, before), key=lambda one: one[0])
            if ranked:
                cost, changes = ranked[0]
                cells = list(changes)
                next_cost = next((c for c, other in ranked if other.keys() != changes.keys()), np.inf)
                if cost < (IMPOSSIBLE if before[0] else UNUSUAL):
                    best = best.copy()
                    best[cells] = list(changes.values())
                    sure[cells] = 1.0 if cost < PLAINLY < next_cost - cost else 0.0
                elif before[0]:
                    sure[cells] = 0.0  # something is misread, and this the likeliest
        return best, self._weighed(likelihood, best, sure)

    def _corrections(
        self, likelihood: Floats, best: Codes, before: tuple[int, int]
    ) -> Iterator[tuple[float, dict[int, int]]]:
        """What one to four cells may be instead so that all is as it must be, with its cost."""
        logs = np.log(np.maximum(likelihood, LEAST))
        cost = logs[np.arange(len(best)), best][:, None] - logs
        cost[np.arange(len(best)), best] = np.inf
        order = np.argsort(cost, axis=None)
        single = [(int(n) // cost.shape[1], int(n) % cost.shape[1]) for n in order if np.isfinite(cost.flat[n])]
        dear = IMPOSSIBLE + PLAINLY  # what costs more is neither believed nor speaks against what is
        several = [
            some
            for count, most in TOGETHER.items()
            for some in combinations(single[:most], count)
            if len(dict(some)) == count and sum(cost[one] for one in some) < dear
        ]
        for some in [*((one,) for one in single), *several]:
            codes = best.copy()
            for cell, code in some:
                codes[cell] = code
            if self.faults(codes) == (0, 0):
                yield float(sum(cost[one] for one in some)), dict(some)

    def _weighed(self, likelihood: Floats, best: Codes, sure: Floats) -> Floats:
        """How sure each cell is where what could not lie there counts for little."""
        if self.faults(best) != (0, 0):
            return sure
        for cell in np.flatnonzero((sure < 1 - RARE) & (sure > 0)):
            rivals = 0.0
            for code in np.flatnonzero(np.arange(likelihood.shape[1]) != best[cell]):
                codes = best.copy()
                codes[cell] = code
                rivals += likelihood[cell, code] * (RARE if self.faults(codes) != (0, 0) else 1.0)
            sure[cell] = sure[cell] / (sure[cell] + rivals)
        return sure
