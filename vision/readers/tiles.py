"""Reads the tiles of Trippples and the clear pawns on them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.codes import DIRECTIONS, PAWNS, TILE_KINDS, TRIPLES
from vision.fields import Floats
from vision.light import Light
from vision.look import Look, doubts_of, something_in_the_way
from vision.network import run, sigmoid, softmax
from vision.patches import CUTS, SIDE, Patches, against_mat, cut_cells
from vision.pose import Image, Pose
from vision.readers.deal import assign
from vision.readers.parts import rows_of, split, squares_of

OTHERS = TILE_KINDS[1:]
CODES = (*TRIPLES, *(f"{triple}~" for triple in TRIPLES), *OTHERS)
_SHOWN = np.array(
    [[direction in triple.split("-") for direction in DIRECTIONS] for triple in TRIPLES], dtype=np.float64
)
PAWN_DOUBT, LEAST_PAWN = 0.9, 0.05
MOST = {"neutral": 4, "start-square": 1, "start-round": 1, "finish-square": 1, "finish-round": 1}
# How far colours are from the mat's: blue and red against green, and brightness; as natural logarithms.
_MAT_SPREAD, _TILE_SPREAD = np.array([0.014, 0.014, 0.08]), np.array([0.2, 0.2, 0.4])
_DOT_PRIOR = np.array([0.985, 0.005, 0.005, 0.005])  # tiles lie the right way round, nearly always


def read(image: Image, pose: Pose, light: Light, game: str) -> Look:
    patches = cut_cells(image, pose, light, CUTS["tiles"])
    logits = split("tiles", run("tiles", against_mat(patches))[:, :, 0, 0])
    dot = softmax(logits["dot"]) * _DOT_PRIOR
    dot /= dot.sum(axis=1, keepdims=True)
    kind = _bare_mat(softmax(logits["kind"]), patches)
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
        hand=something_in_the_way(hidden, pose.field.columns),
        doubts=(*doubts, *pawn_doubts),
        pawns=pawns,
    )


def _bare_mat(kind: Floats, patches: Patches) -> Floats:
    """The kinds of flat cells, judged anew by the mat's colour: bare mat has its hue to a hair and its
    brightness about, where a grey or brown tile would have them by chance only."""
    inner = slice(SIDE // 5, SIDE - SIDE // 5)
    seen = np.log(np.maximum(patches[:, :3, inner, inner].mean(axis=(2, 3)), 4.0))
    mat = np.log(np.maximum(patches[:, -3:, 0, 0].astype(np.float64), 4.0))
    off = seen - mat
    away = np.stack([off[:, 0] - off[:, 1], off[:, 2] - off[:, 1], off.mean(axis=1)], axis=1)
    # Dark colours are known less well: a level or two is noise, and a veil of glare changes their hue.
    spread = np.sqrt(_MAT_SPREAD**2 + (1.2 / np.exp(mat.min(axis=1, keepdims=True))) ** 2)
    as_mat = -0.5 * np.sum((away / spread) ** 2, axis=1) - np.log(spread).sum(axis=1)
    by_chance = -0.5 * np.sum((away / _TILE_SPREAD) ** 2, axis=1) - np.log(_TILE_SPREAD).sum()
    evidence = np.exp(np.clip(as_mat - by_chance, -2.5, 4))
    judged = kind.copy()
    judged[:, TILE_KINDS.index("empty")] *= evidence
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))


def _all_different(likelihood: Floats) -> npt.NDArray[np.intp]:
    """The best code of each cell. There is one tile of each triple: where two cells claim the same, the cells
    with arrows are dealt the triples so that the whole is likeliest."""
    best = _no_more_than_there_are(likelihood)
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


def _no_more_than_there_are(likelihood: Floats) -> npt.NDArray[np.intp]:
    """The best code of each cell, where the kit has four neutral squares and one of each start and finish."""
    best = likelihood.argmax(axis=1)
    for name, most in MOST.items():
        code = CODES.index(name)
        cells = np.flatnonzero(best == code)
        for cell in cells[np.argsort(-likelihood[cells, code])][most:]:
            best[cell] = np.argsort(-likelihood[cell])[1]
    return np.asarray(best)


def _pawns(share: Floats, squares: tuple[str, ...]) -> tuple[dict[str, str], list[str], dict[str, Floats]]:
    """Where each pawn stands (one of each at most), which of them are doubtful, and all likelihoods.

    Pawns play in pairs: where only one of a pair is seen, the other is looked for with less proof, and
    doubtful in any case.
    """
    places: dict[str, str] = {}
    doubts: list[str] = []
    likelihoods: dict[str, Floats] = {}
    strongest: dict[str, float] = {}
    for k, name in enumerate(PAWNS):
        odds = np.append(share[:, 1 + k] / np.maximum(1 - share[:, 1 + k], 1e-9), 1.0)
        likelihoods[name] = odds / odds.sum()
        at = int(share[:, 1 + k].argmax())
        strongest[name] = float(share[at, 1 + k])
        if strongest[name] > 0.5:
            places[name] = squares[at]
        if strongest[name] > 1 - PAWN_DOUBT and likelihoods[name].max() < PAWN_DOUBT:
            doubts.append(name)
    for one, two in (("square1", "round1"), ("square2", "round2")):
        for name, partner in ((one, two), (two, one)):
            if partner in places and name not in places:
                if strongest[name] > LEAST_PAWN:
                    places[name] = squares[int(likelihoods[name][:-1].argmax())]
                doubts.append(name)
    return places, list(dict.fromkeys(doubts)), likelihoods
