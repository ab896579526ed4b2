"""Looks without pictures: what a reader would say of a visible state, with as much doubt as wanted."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.games import game as game_of
from companion.labels import labels_of
from vision.codes import PAWN_OUTPUTS
from vision.fields import usual_field
from vision.look import Look
from vision.readers import codes_of
from vision.readers.parts import squares_of


def look_of(
    game: str,
    visible: dict[str, Any],
    rng: np.random.Generator | None = None,
    doubt: float = 0.001,
    hidden: tuple[str, ...] = (),
    hand: bool = False,
    askew: np.ndarray | None = None,
) -> Look:
    """A look that gives the true code of each square all but `doubt`, which others share at random."""
    rng = rng or np.random.default_rng(0)
    labels = labels_of(game_of(game))
    codes = codes_of(labels)
    if "planks" in visible:
        squares = tuple(f"{c}{n}" for n in range(len(visible["planks"])) for c in "abc")
        cells = [c + t for p in visible["planks"] for c, t in zip(p["colors"], p["tokens"], strict=True)]
    else:
        squares = squares_of(usual_field(labels.field))
        cells = [code for row in reversed(visible["rows"]) for code in row]
    share = rng.random((len(cells), len(codes)))
    share *= doubt / np.maximum(share.sum(axis=1, keepdims=True), 1e-9)
    share[np.arange(len(cells)), [codes.index(code) for code in cells]] += 1 - doubt
    out = np.array([float(square in hidden) for square in squares])
    pawns = {}
    if "pawns" in visible:
        for name in PAWN_OUTPUTS:
            at = np.full(len(squares) + 1, doubt / len(squares))
            place = visible["pawns"].get(name)
            at[squares.index(place) if place else -1] += 1 - doubt
            pawns[name] = at / at.sum()
    reading = {"pawns": {}, **visible} if game == "trippples" else visible
    return Look(
        labels,
        squares,
        codes,
        share,
        out,
        reading,
        hand,
        hidden,
        pawns,
        askew=np.zeros((0, 5)) if askew is None else askew,
    )


def discs_of(blocks: list[str], rng: np.random.Generator, spread: float = 0.0015, hand: int = 0) -> np.ndarray:
    """How the discs of Pegs cards, laid on these blocks in turn, lie when each lies askew in its own way.

    `hand`: whose laid them; each lays them otherwise.
    """
    squares = squares_of(usual_field("seven"))
    askew = np.tile([0.0, 0.0, np.inf, 0.2, -0.3], (len(squares), 1))
    for n, block in enumerate(blocks):
        own = np.random.default_rng([*map(ord, block), n, *([hand] if hand else [])])
        east, north, turn = own.normal(0, 0.02, 3)
        low, high = block[:2], block[2:]
        middle = ((ord(low[0]) + ord(high[0])) / 2, (int(low[1]) + int(high[1])) / 2)
        for k, square in enumerate(squares):
            x, y = ord(square[0]) - middle[0], int(square[1]) - middle[1]
            if ord(low[0]) <= ord(square[0]) <= ord(high[0]) and int(low[1]) <= int(square[1]) <= int(high[1]):
                off = rng.normal(0, spread, 2)
                askew[k] = (east - turn * y + off[0], north + turn * x + off[1], 0.0025, 0.2, -0.3)
    return askew
