"""What each source of pictures brought to training: python -m tests.bench.ablation NAME WEIGHTS.

Measures the networks in the folder WEIGHTS on pictures of the families and rooms kept aside, and keeps the row in
ablation.json, from which `make bench-vision` makes a table. How networks are trained with and without path-traced
pictures: `vision.training.cells.train(…, traced=False)`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import cv2

from tests.bench.reading import Labelled, read, simulated, traced
from vision import network
from vision.simulate.style import ASIDE

KEPT = Path(__file__).parent / "ablation.json"
TRACED = Path(__file__).parents[1] / "vision" / "traced"
EACH = 6  # simulated pictures of each game and family


def counted(pictures: Iterable[Labelled]) -> Counter[str]:
    total: Counter[str] = Counter()
    for picture in pictures:
        total.update(read(*picture).count)
    return total


def kept() -> dict[str, dict[str, dict[str, int]]]:
    """By the networks' name and the source, what was counted."""
    return json.loads(KEPT.read_text()) if KEPT.exists() else {}  # type: ignore[no-any-return]


def main(name: str, weights: Path) -> None:
    cv2.setNumThreads(1)
    network.WEIGHTS = weights
    found = {"path-traced": counted(traced(TRACED))}
    found["simulated"] = counted(picture for family in ASIDE for picture in simulated(EACH, family))
    KEPT.write_text(json.dumps({**kept(), name: found}, indent=1) + "\n")
    for source, count in found.items():
        print(name, source, dict(count))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
