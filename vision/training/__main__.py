"""Everything from nothing: pictures are drawn, then each field's networks are trained on them."""

from __future__ import annotations

import sys
from pathlib import Path

from vision.training import cells, pictures, row

ROUNDS = 300
EPOCHS = {"tiles": 14, "planks": 40, "faces": 24, "seven": 24}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pictures.write_all(folder, int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)
    for field, epochs in EPOCHS.items():
        cells.train(field, folder, epochs)
    row.train(folder, 20)
