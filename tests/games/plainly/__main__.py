"""Count the sequences of `tests/games/perft.json` again by the plain reading: `python -m tests.games.plainly`.

Takes some minutes. What the file has as its last number where it costs too much is only reported as left out.
"""

from __future__ import annotations

import json
from pathlib import Path

from . import plainly

AFFORDABLE = 200_000
counted = json.loads((Path(__file__).parents[1] / "perft.json").read_text("utf-8"))
for entry in counted:
    start = plainly(entry["record"])
    for depth, number in enumerate(entry["perft"], 1):
        if number > AFFORDABLE:
            print(f"{entry['about']}, depth {depth}: {number} left out")
        elif (found := start.perft(depth)) != number:
            print(f"{entry['about']}, depth {depth}: {number} in the file, {found} counted")
