"""Reads the tiles of Trippples and the clear pawns on them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.codes import DIRECTIONS, PAWNS, TILE_KINDS, TRIPLES
from vision.fields import Floats
from vision.light import Light
from vision.look import Look, doubts_of, something_in_the_way
from vision.network import sigmoid, softmax
from vision.pose import Image, Pose
from vision.readers.parts import cell_logits, rows_of, squares_of

OTHERS = TILE_KINDS[1:]
CODES = (*TRIPLES, *(f"{triple}~" for triple in TRIPLES), *OTHERS)
_SHOWN = np.array(
    [[direction in triple.split("-") for direction in DIRECTIONS] for triple in TRIPLES], dtype=np.float64
)
PAWN_DOUBT = 0.9


def read(image: Image, pose: Pose, light: Light, game: str) -> Look:
    logits = cell_logits(image, pose, light)
    kind, dot = softmax(logits["kind"]), softmax(logits["dot"])
    arrows = np.clip(sigmoid(logits["arrows"]), 1e-5, 1 - 1e-5)
    triples = np.exp(np.log(arrows) @ _SHOWN.T + np.log(1 - arrows) @ (1 - _SHOWN.T))
    triples /= triples.sum(axis=1, keepdims=True)
    south = dot[:, :1]
    likelihood = np.concatenate(
        [kind[:, :1] * triples * south, kind[:, :1] * triples * (1 - south), kind[:, 1:]], axis=1
    )
    hidden = sigmoid(logits["hidden"][:, 0])
    squares = squares_of(pose.field)
    best = _all_different(likelihood)
    sure = np.take_along_axis(likelihood, best[:, None], axis=1)[:, 0]
    doubts = doubts_of(squares, sure, hidden)
    places, pawn_doubts, pawns = _pawns(softmax(logits["pawn"]), squares)
    return Look(
        field=pose.field.name,
        game=game,
        squares=squares,
        codes=CODES,
        likelihood=likelihood,
        hidden=hidden,
        reading={"rows": rows_of(pose.field, [CODES[n] for n in best]), "pawns": places},
        hand=something_in_the_way(hidden),
        doubts=(*doubts, *pawn_doubts),
        pawns=pawns,
    )


def _all_different(likelihood: Floats) -> npt.NDArray[np.intp]:
    """The best code of each cell. There is one tile of each triple: where two cells claim the same, the cells
    with arrows are dealt the triples so that the whole is likeliest."""
    best = likelihood.argmax(axis=1)
    count = len(TRIPLES)
    arrowed = np.flatnonzero(best < 2 * count)
    claimed = best[arrowed] % count
    if len(set(claimed.tolist())) == len(claimed) or len(arrowed) > count:
        return np.asarray(best)
    single = np.maximum(likelihood[arrowed, :count], likelihood[arrowed, count : 2 * count])
    dealt = assign(-np.log(np.maximum(single, 1e-9)))
    for cell, triple in zip(arrowed, dealt, strict=True):
        turned = likelihood[cell, count + triple] > likelihood[cell, triple]
        best[cell] = triple + (count if turned else 0)
    return np.asarray(best)


def assign(cost: Floats) -> list[int]:
    """The cheapest way to give each row a column of its own (rows ≤ columns): shortest augmenting paths."""
    rows, columns = cost.shape
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    holder = np.zeros(columns + 1, dtype=np.intp)  # which row (from 1) holds a column
    for row in range(1, rows + 1):
        holder[0] = row
        column = 0
        least = np.full(columns + 1, np.inf)
        came_from = np.zeros(columns + 1, dtype=np.intp)
        used = np.zeros(columns + 1, dtype=bool)
        while holder[column]:
            used[column] = True
            at = holder[column]
            reduced = cost[at - 1] - row_price[at] - column_price[1:]
            better = ~used[1:] & (reduced < least[1:])
            least[1:][better] = reduced[better]
            came_from[1:][better] = column
            column = 1 + int(np.argmin(np.where(used[1:], np.inf, least[1:])))
            step = least[column]
            row_price[holder[used]] += step
            column_price[used] -= step
            least[~used] -= step
        while column:
            previous = came_from[column]
            holder[column] = holder[previous]
            column = int(previous)
    result = [0] * rows
    for column in range(1, columns + 1):
        if holder[column]:
            result[holder[column] - 1] = column - 1
    return result


def _pawns(share: Floats, squares: tuple[str, ...]) -> tuple[dict[str, str], list[str], dict[str, Floats]]:
    """Where each pawn stands (one of each at most), which of them are doubtful, and all likelihoods."""
    places: dict[str, str] = {}
    doubts: list[str] = []
    likelihoods: dict[str, Floats] = {}
    for k, name in enumerate(PAWNS):
        odds = np.append(share[:, 1 + k] / np.maximum(1 - share[:, 1 + k], 1e-9), 1.0)
        likelihoods[name] = odds / odds.sum()
        at = int(share[:, 1 + k].argmax())
        if share[at, 1 + k] > 0.5:
            places[name] = squares[at]
        if share[at, 1 + k] > 1 - PAWN_DOUBT and likelihoods[name].max() < PAWN_DOUBT:
            doubts.append(name)
    return places, doubts, likelihoods
