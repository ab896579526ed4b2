"""Reads the 7×7 field for Hepta, Tetrods, T for Two and Pegs."""

from __future__ import annotations

import numpy as np

from vision.codes import SEVEN_CODES, SEVEN_STATES
from vision.light import Light
from vision.look import Look, doubts_of, something_in_the_way
from vision.network import sigmoid, softmax
from vision.pose import Image, Pose
from vision.readers.parts import cell_logits, rows_of, squares_of


def read(image: Image, pose: Pose, light: Light, game: str) -> Look:
    logits = cell_logits(image, pose, light)
    table = SEVEN_CODES[game]
    codes = tuple(table)
    likelihood = softmax(logits["state"][:, [SEVEN_STATES.index(state) for state in table.values()]])
    hidden = sigmoid(logits["hidden"][:, 0])
    squares = squares_of(pose.field)
    best = likelihood.argmax(axis=1)
    sure = np.take_along_axis(likelihood, best[:, None], axis=1)[:, 0]
    return Look(
        field=pose.field.name,
        game=game,
        squares=squares,
        codes=codes,
        likelihood=likelihood,
        hidden=hidden,
        reading={"rows": rows_of(pose.field, [codes[n] for n in best])},
        hand=something_in_the_way(hidden, pose.field.columns),
        doubts=tuple(doubts_of(squares, sure, hidden)),
    )
