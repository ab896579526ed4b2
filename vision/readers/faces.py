"""Reads the dice of 6 Faces: color, top face and which way its pips lie."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from vision.codes import DIE_COLORS, DIE_FACES, Labels
from vision.fields import Floats
from vision.light import Lighting
from vision.look import Look, doubts_of, something_in_the_way
from vision.memory import Memory, Parts
from vision.network import sigmoid, softmax
from vision.patches import CUTS, cut_cells
from vision.pose import Image, Pose
from vision.readers.parts import Logits, asked, looked_at_again, rows_of, squares_of
from vision.readers.shadows import without_shadows
from vision.readers.sides import without_sides

BODY, WHOSE = 3.0, 8.0  # how much it says, as a logarithm, that all of a cell has the color of dice, of one side's
NO_KING = 0.05  # the odds that a side's King is not on the board, against its being there
SUREST = 0.9999  # that any cell shows something
CODES = (".", *(color + face for color in DIE_COLORS[1:] for face in DIE_FACES))


def read(image: Image, pose: Pose, light: Lighting, labels: Labels, memory: Memory) -> Look:
    patches = cut_cells(image, pose, replace(light, translation=None), CUTS["faces"])
    shares = None
    if light.translation:
        shares = light.translation.shares(patches)
        patches = light.translation.of_patches(patches)

    def cells(which: npt.NDArray[np.intp]) -> Parts:
        some, mine = patches[which], None if shares is None else shares[:, which]
        logits = asked("faces", some)
        color, face = _color(logits, mine), softmax(logits["face"])
        certainty = np.minimum(color.max(axis=1), np.where(color[:, 0] > 0.5, 1.0, face.max(axis=1)))
        logits = looked_at_again(partial(asked, "faces"), some, logits, certainty)
        color, face = _color(logits, mine), softmax(logits["face"])
        likelihood = np.concatenate([color[:, :1], color[:, 1:2] * face, color[:, 2:3] * face], axis=1)
        return {"likelihood": likelihood, "hidden": sigmoid(logits["hidden"][:, 0])}

    seen = memory.recall("faces", patches, cells)
    likelihood = without_sides(seen["likelihood"], patches, pose)
    hidden = without_shadows(seen["hidden"], likelihood[:, 0], patches, pose.field)
    squares = squares_of(pose.field)
    judged = _one_king_a_side(likelihood)
    best = judged.argmax(axis=1)
    sure = judged.max(axis=1)
    hand = something_in_the_way(hidden, pose.field.columns)
    return Look(
        labels=labels,
        squares=squares,
        codes=CODES,
        likelihood=likelihood,
        hidden=hidden,
        reading={"rows": rows_of(pose.field, [CODES[n] for n in best])},
        hand=hand,
        doubts=tuple(doubts_of(squares, sure, hidden, hand)),
    )


def _color(logits: Logits, shares: Floats | None) -> Floats:
    """Whether there is a die, and whose. Of a set that was learned, whose it is goes by how much of the cell has the
    color of either side's dice: they were translated into those of the kit whose pips are as dark or as light."""
    color = softmax(logits["color"])
    if shares is None:
        return color
    whose = softmax(WHOSE * shares[0, :, 1:])
    there = (1 - color[:, :1]) * np.exp(BODY * shares[:, :, 1:].sum(axis=2).min(axis=0))[:, None]
    free = color[:, :1] * np.exp(BODY * shares[:, :, 0].min(axis=0))[:, None]
    return np.asarray(np.concatenate([free, there * whose], axis=1) / (free + there))


def _one_king_a_side(likelihood: Floats) -> Floats:
    """The likelihoods, where each side has one King, and one that is not to be found is rare."""
    judged = likelihood.copy()
    for king in (CODES.index("wK"), CODES.index("rK")):
        share = np.clip(judged[:, king], 0.0, SUREST)
        odds = share / (1 - share)
        here = odds / (odds.sum() + NO_KING)
        judged *= ((1 - here) / np.maximum(1 - judged[:, king], 1 - SUREST))[:, None]
        judged[:, king] = here
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))
