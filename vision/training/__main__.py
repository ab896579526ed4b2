"""Everything from nothing: pictures are drawn, then each field's networks are trained on them."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from vision.training import any_colors, cells, pictures, row

ROUNDS = 300
TRACED = 1500  # pictures; each takes some five seconds of a core
EPOCHS = {"tiles": 14, "planks": 40, "faces": 24, "seven": 24}
ARROWS_EPOCHS = 16

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pictures.write_all(folder, int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)
    if find_spec("bpy"):
        traced = import_module("vision.training.traced")
        traced.write_all(folder, 0, TRACED)
    else:
        print("no path-traced pictures: PyPI's bpy is not installed (it needs Python 3.11)")
    for field, epochs in EPOCHS.items():
        cells.train(field, folder, epochs)
    cells.train("tiles", folder, ARROWS_EPOCHS, further=True, only="arrows")
    row.train(folder, 20)
    for field, epochs in any_colors.EPOCHS.items():  # they go on from the networks just written
        any_colors.draw(field, folder / "any", 0, any_colors.PICTURES)
        any_colors.train(field, folder / "any", epochs)
