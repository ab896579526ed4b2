"""Reads the 7×7 field, whichever of the kit's pieces a game has on it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from vision.codes import SEVEN_STATES, Labels
from vision.fields import Floats
from vision.light import Lighting
from vision.look import Look, doubts_of, something_in_the_way
from vision.memory import Memory, Parts
from vision.network import sigmoid, softmax
from vision.patches import CUTS, cut_cells
from vision.pose import Image, Pose
from vision.readers.discs import disc_offsets
from vision.readers.parts import asked, looked_at_again, rows_of, squares_of
from vision.readers.plates import Plates

DOUBT = 0.93  # chosen on simulated pictures that were not trained on
FILLED = 1.6  # open holes are at least five times rarer in play than in the pictures trained on (a logarithm)


def read(image: Image, pose: Pose, light: Lighting, labels: Labels, memory: Memory) -> Look:
    patches = cut_cells(image, pose, replace(light, translation=None), CUTS["seven"])
    codes = tuple(labels.pieces)
    known = np.zeros((len(patches), len(codes)), np.float32)
    if light.translation:
        known += light.translation.by_example(patches, codes)
        patches = light.translation.of_patches(patches)
    # Only what the game has on the field competes: of the kit's other pieces none can lie there.
    states = [SEVEN_STATES.index(piece) for piece in labels.pieces.values()]

    def cells(which: npt.NDArray[np.intp]) -> Parts:
        some = patches[which]
        logits = asked("seven", some)
        sure = softmax(as_played(logits["state"])[:, states]).max(axis=1)
        logits = looked_at_again(partial(asked, "seven"), some, logits, sure)
        found: Parts = {"likelihood": softmax(as_played(logits["state"])[:, states] + known[which])}
        found["hidden"] = sigmoid(logits["hidden"][:, 0])
        if labels.has_cards:
            pieces = [SEVEN_STATES[states[n]] for n in found["likelihood"].argmax(axis=1)]
            found["askew"] = _askew(image, pose, which, pieces)
        return found

    seen = memory.recall("seven", patches, cells)
    likelihood, hidden = seen["likelihood"], seen["hidden"]
    squares = squares_of(pose.field)
    best = likelihood.argmax(axis=1)
    sure: Floats = np.take_along_axis(likelihood, best[:, None], axis=1)[:, 0]
    hand = something_in_the_way(hidden, pose.field.columns)
    pieces = list(labels.pieces.values())
    if {"tetrod", "tetrod+mushroom"} <= set(pieces) and not hand:
        plates = Plates(pieces.index("tetrod"), pieces.index("tetrod+mushroom"), pose.field.columns)
        best, sure = plates.settled(likelihood, best)
    return Look(
        labels=labels,
        squares=squares,
        codes=codes,
        likelihood=likelihood,
        hidden=hidden,
        reading={"rows": rows_of(pose.field, [codes[n] for n in best])},
        hand=hand,
        doubts=tuple(doubts_of(squares, sure, hidden, hand, DOUBT)),
        askew=seen.get("askew", np.zeros((0, 5))),
    )


def _askew(image: Image, pose: Pose, cells: npt.NDArray[np.intp], pieces: list[str]) -> Floats:
    """How the cards lie, by the discs of all cells that cards cover."""
    covered = np.flatnonzero([piece.startswith("card") for piece in pieces])
    askew = np.tile([0.0, 0.0, np.inf, 0.0, 0.0], (len(pieces), 1))
    wide = pose.field.columns
    askew[covered] = disc_offsets(image, pose, np.column_stack([cells[covered] % wide, cells[covered] // wide]))
    return askew


def as_played(logits: Floats) -> Floats:
    """The same logits where a covered cell's hole is filled as often as in play; all else keeps its share."""
    out = logits.copy()
    for plain in ("tetrod", "card b", "card w"):
        filled = "tetrod+mushroom" if plain == "tetrod" else f"{plain}+peg"
        pair = [SEVEN_STATES.index(plain), SEVEN_STATES.index(filled)]
        whole = np.logaddexp(*logits[:, pair].T)
        out[:, pair[1]] += FILLED
        out[:, pair] += (whole - np.logaddexp(*out[:, pair].T))[:, None]
    return out
