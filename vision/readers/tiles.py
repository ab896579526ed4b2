"""Reads the tiles of Trippples and the clear pawns on them."""

from __future__ import annotations

from dataclasses import dataclass

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
from vision.readers.parts import Logits, looked_at_again, rows_of, split, squares_of

OTHERS = TILE_KINDS[1:]
CODES = (*TRIPLES, *(f"{triple}~" for triple in TRIPLES), *OTHERS)
_SHOWN = np.array(
    [[direction in triple.split("-") for direction in DIRECTIONS] for triple in TRIPLES], dtype=np.float64
)
DOUBT = 0.9  # chosen on simulated pictures that were not trained on
PAWN_DOUBT, LEAST_PAWN = 0.9, 0.05
MOST = {"neutral": 4, "start-square": 1, "start-round": 1, "finish-square": 1, "finish-round": 1}
PLAIN = np.array([TILE_KINDS.index(name) for name in ("neutral", "down", "empty")])
PLAINLY = 3.0  # a code this much likelier than the next, as a logarithm, is not given up
ENOUGH = 5  # cells of bare mat
COLOUR_SAYS = 0.65  # what colour tells the network has seen in part
_ALIKE = np.array([0.04, 0.04, 0.12])  # how far the hues and the brightness of cells of one kind differ
_NUDGE = 1.5  # how much others may say about a cell


@dataclass(frozen=True)
class Colours:
    """The colours of the cells' middles and of the mat, as natural logarithms: blue and red against green, the
    brightness, and how bright the darkest colour is, in levels."""

    hue: Floats
    bright: Floats
    level: Floats
    mat_hue: Floats
    mat_bright: Floats
    mat_level: Floats


def read(image: Image, pose: Pose, light: Light, game: str) -> Look:
    patches = cut_cells(image, pose, light, CUTS["tiles"])
    compared = against_mat(patches)
    logits = split("tiles", run("tiles", compared)[:, :, 0, 0])
    logits = looked_at_again("tiles", compared, logits, _certainty(logits))
    pawn = softmax(logits["pawn"])
    colours = _colours(patches)
    kind = _by_colour(softmax(logits["kind"]), colours, pawn[:, 0])
    kind = _four_are_neutral(_as_others_alike(kind, colours, pawn[:, 0]))
    triples = _triples(logits)
    south = _upright(softmax(logits["dot"])[:, :1], kind[:, :1])
    likelihood = np.concatenate(
        [kind[:, :1] * triples * south, kind[:, :1] * triples * (1 - south), kind[:, 1:]], axis=1
    )
    hidden = sigmoid(logits["hidden"][:, 0])
    squares = squares_of(pose.field)
    best = _all_different(likelihood)
    sure = np.take_along_axis(likelihood, best[:, None], axis=1)[:, 0]
    sure[_claimed_too_often(likelihood)] = 0.0  # one of them is misread, and it need not be the faintest
    doubts = doubts_of(squares, sure, hidden, DOUBT)
    places, pawn_doubts, pawns = _pawns(pawn, squares)
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


def _triples(logits: Logits) -> Floats:
    """How likely each triple is: the logits of its three directions add up."""
    return softmax((logits["arrows"] @ _SHOWN.T).astype(np.float32))


def _certainty(logits: Logits) -> Floats:
    """How sure each cell's kind is, its pawn, and its arrows if it has any and their dot is in the south."""
    kind, pawn, dot = (softmax(logits[key]) for key in ("kind", "pawn", "dot"))
    arrows = np.where(dot.argmax(axis=1) > 0, 0.0, _triples(logits).max(axis=1))
    return np.asarray(np.min([kind.max(axis=1), pawn.max(axis=1), np.where(kind[:, 0] > 0.5, arrows, 1.0)], axis=0))


def _colours(patches: Patches) -> Colours:
    inner = slice(SIDE // 5, SIDE - SIDE // 5)
    parts: list[Floats] = []
    for bgr in (patches[:, :3, inner, inner].mean(axis=(2, 3)), patches[:, -3:, 0, 0].astype(np.float64)):
        logs = np.log(np.maximum(bgr, 4.0))
        bright = logs.mean(axis=1, keepdims=True)
        parts += [logs[:, [0, 2]] - logs[:, 1:2], bright, np.exp(logs.min(axis=1, keepdims=True))]
    return Colours(*parts)


def _by_colour(kind: Floats, colours: Colours, clear: Floats) -> Floats:
    """The kinds of plain cells, judged by their colour as well: bare mat has the mat's hue to a hair and its
    brightness about, a neutral tile is grey, one that lies face down brown. Where enough bare mat is seen
    between the tiles, that tells how near to the mat's colour it is in this picture."""
    # Dark colours are known less well: a level or two is noise, and a veil of glare changes their hue.
    near_mat, near = (np.sqrt(0.006**2 + (2.0 / level) ** 2) for level in (colours.mat_level, colours.level))
    hue, bright = colours.hue, colours.bright
    off = np.concatenate([hue - colours.mat_hue, bright - colours.mat_bright], axis=1)
    neutral = _fit(hue, 0.0, np.hypot(0.06, near)) + _fit(bright, np.log(90), 0.4)
    down = _fit(hue[:, :1], -0.4, np.hypot(0.35, near)) + _fit(hue[:, 1:], 0.42, np.hypot(0.17, near))
    down += _fit(bright, np.log(60), 0.5)
    usual, spread = np.array([0.0, 0.0, 0.03]), np.concatenate([near_mat, near_mat, np.hypot(0.06, near_mat)], axis=1)
    judged = _with_fits(kind, neutral, down, _fit(off, usual, spread), clear)
    bare = off[(judged[:, PLAIN[2]] > 0.8) & (clear > 0.9)]
    if len(bare) < ENOUGH:
        return judged
    usual = np.median(bare, axis=0)
    spread = np.array([0.009, 0.009, 0.04]) + 2.2 * np.median(np.abs(bare - usual), axis=0)
    return _with_fits(kind, neutral, down, _fit(off, usual, spread), clear)


def _with_fits(kind: Floats, neutral: Floats, down: Floats, empty: Floats, clear: Floats) -> Floats:
    """The kinds where the plain ones share what they have together as their colours fit; what stands under a
    pawn has not its own colour."""
    fits = np.concatenate([neutral, down, empty], axis=1)
    share = kind[:, PLAIN].sum(axis=1, keepdims=True)
    plain = kind[:, PLAIN] * np.exp(np.maximum(COLOUR_SAYS * (fits - fits.max(axis=1, keepdims=True)), -5))
    plain *= share / np.maximum(plain.sum(axis=1, keepdims=True), 1e-12)
    judged = kind.copy()
    judged[:, PLAIN] += clear[:, None] * (plain - judged[:, PLAIN])
    return judged


def _fit(seen: Floats, usual: Floats | float, spread: Floats | float) -> Floats:
    """The logarithm of how well measurements, one row per cell, agree with what is usual."""
    wide = np.broadcast_to(spread, seen.shape)
    return np.asarray((-0.5 * ((seen - usual) / wide) ** 2 - np.log(wide)).sum(axis=1, keepdims=True))


def _as_others_alike(kind: Floats, colours: Colours, clear: Floats) -> Floats:
    """The kinds of plain cells, where cells of one colour are most likely of one kind: a cell that could be
    two things is what the others like it are. No cell that is sure of itself changes its mind."""
    share = kind[:, PLAIN].sum(axis=1)
    cells = np.flatnonzero((share > 0.5) & (clear > 0.5))
    look = np.concatenate([colours.hue, colours.bright], axis=1)[cells]
    apart = (look[:, None] - look[None]) / _ALIKE
    weight = np.exp(-0.5 * np.sum(apart * apart, axis=2))
    np.fill_diagonal(weight, 0)
    logs = np.log(np.maximum(kind[np.ix_(cells, PLAIN)] / share[cells, None], 1e-4))
    others = weight @ logs / (1 + weight.sum(axis=1, keepdims=True))
    nudge = np.clip(others - others.mean(axis=1, keepdims=True), -_NUDGE, _NUDGE)
    judged = kind.copy()
    judged[np.ix_(cells, PLAIN)] = softmax((logs + nudge).astype(np.float32)) * share[cells, None]
    return judged


def _four_are_neutral(kind: Floats) -> Floats:
    """The kinds, where there are always four neutral squares, face up or down. Four plain tiles and no more are
    hardly ever the last ones that lie face down; and as long as there seem to be fewer, what may be one is."""
    neutral, down = PLAIN[:2]
    judged = kind.copy()
    cells = kind[:, neutral] + kind[:, down] > 0.5
    if int(cells.sum()) == MOST["neutral"]:
        judged[cells, down] *= 0.05
    for _ in range(7):
        judged /= judged.sum(axis=1, keepdims=True)
        if float(judged[:, [neutral, down]].sum()) > MOST["neutral"] - 0.5:
            break
        judged[:, neutral] *= 3
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))


def _upright(south: Floats, arrows: Floats) -> Floats:
    """How likely each tile's dot is in the south. Tiles lie the right way round, nearly always; the more of them
    plainly do not, the less is it taken for granted of the others."""
    turned = 0.005
    for _ in range(2):
        right, wrong = south * (1 - turned), (1 - south) * turned / 3
        upright = right / (right + wrong)
        plainly = (arrows > 0.9) & (upright < 0.1)
        turned = (float(plainly.sum()) + 0.3) / (float(arrows.sum()) + 40)
    return np.asarray(upright)


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


def _claimed_too_often(likelihood: Floats) -> npt.NDArray[np.bool_]:
    """The cells whose code, taken alone, is claimed by more cells than the kit has of it."""
    best, count = likelihood.argmax(axis=1), len(TRIPLES)
    claimed = np.where(best < 2 * count, best % count, best)
    most = np.full(len(CODES), len(best))
    most[:count] = 1
    for name, number in MOST.items():
        most[CODES.index(name)] = number
    return np.asarray(np.bincount(claimed, minlength=len(CODES))[claimed] > most[claimed])


def _no_more_than_there_are(likelihood: Floats) -> npt.NDArray[np.intp]:
    """The best code of each cell, where the kit has four neutral squares and one of each start and finish: of too
    many, those give way that have something else nearly as likely. A plain tile can only be another plain one,
    and a start or finish that is plainly seen stands all the same."""
    best = likelihood.argmax(axis=1)
    for name, most in MOST.items():
        code = CODES.index(name)
        claims = np.flatnonzero(best == code)
        others = likelihood[claims].copy()
        others[:, code] = 0
        if name == "neutral":
            others[:, : -len(PLAIN)] = 0
        loss = np.log(likelihood[claims, code]) - np.log(np.maximum(others.max(axis=1), 1e-9))
        for n in np.argsort(-loss)[most:]:
            if name == "neutral" or loss[n] < PLAINLY:
                best[claims[n]] = others[n].argmax()
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
