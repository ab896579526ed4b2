"""Reads the tiles of Trippples and the clear pawns on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.codes import DIRECTIONS, PAWN_OUTPUTS, TILE_KINDS, TRIPLES, Labels
from vision.fields import Floats
from vision.light import Lighting
from vision.look import Look, doubts_of, something_in_the_way
from vision.memory import Memory, Parts
from vision.network import run, sigmoid, softmax
from vision.patches import CUTS, Patches, against_mat, cut_cells
from vision.pose import Image, Pose
from vision.readers.deal import assign
from vision.readers.parts import Logits, looked_at_again, rows_of, split, squares_of
from vision.readers.plain import NEUTRAL, PLAIN, judged_by_color
from vision.translation import Translation

OTHERS = TILE_KINDS[1:]
CODES = (*TRIPLES, *(f"{triple}~" for triple in TRIPLES), *OTHERS)
UPRIGHT = slice(0, len(TRIPLES))  # codes of tiles whose dot is in the south
_SHOWN = np.array(
    [[direction in triple.split("-") for direction in DIRECTIONS] for triple in TRIPLES], dtype=np.float64
)
DOUBT = 0.9  # chosen on simulated pictures that were not trained on
PAWN_DOUBT, LEAST_PAWN = 0.9, 0.05
MOST = {"neutral": NEUTRAL, "start-square": 1, "start-round": 1, "finish-square": 1, "finish-round": 1}
# What tells that a pawn stands on a tile of a set that was learned: the network on the tile as it is, in the kit's
# colors and lit like the kit's, that there seems to be a symbol, how far its color is from any pawn's, and how unlike
# others it is; last what is said without any of it. Fitted to sets in colors of their own.
PAWN_SIGNS = np.array([0.05, 0.4, 0.32, -3.5, -3.6, 0.7, -1.0])
PAWN_LOOKS, OWN_PAWN = (0.5, 0.3, 0.5), 6.0  # how much each of these and its color say which of the pawns it is
TURNED, USUAL = 0.005, 60  # the share of tiles that lie turned, known as if so many had been seen on other boards
ROUNDS = 8  # after which that share hardly changes
PLAINLY = 3.0  # a code this much likelier than the next, as a logarithm, is not given up


def read(image: Image, pose: Pose, light: Lighting, labels: Labels, memory: Memory) -> Look:
    patches = as_seen = cut_cells(image, pose, replace(light, translation=None), CUTS["tiles"])
    learned = light.translation.adapted(patches) if light.translation else None
    unlike = np.zeros(len(patches), np.float32)
    if learned:
        patches, unlike = learned.of_patches(as_seen), learned.unlike_others(as_seen)

    def cells(which: npt.NDArray[np.intp]) -> Parts:
        compared = against_mat(patches[which])
        logits = split("tiles", run("tiles", compared)[:, :, 0, 0])
        if not learned:
            return dict(looked_at_again("tiles", compared, logits, _certainty(logits)))
        pawn = _own_pawns(learned, as_seen[which], unlike[which], logits)
        under = pawn[:, 0] < 0.5
        if under.any():
            compared[under] = against_mat(learned.through_glass(as_seen[which], under)[under])
            for part, found in split("tiles", run("tiles", compared[under])[:, :, 0, 0]).items():
                logits[part][under] = found
        logits["pawn"] = np.log(np.maximum(pawn, 1e-9)).astype(np.float32)
        return dict(looked_at_again("tiles", compared, logits, _certainty(logits), ("pawn",)))

    logits = memory.recall("tiles", patches, cells)
    pawn = softmax(logits["pawn"])
    kind = judged_by_color(softmax(logits["kind"]), patches, pawn[:, 0])
    if learned:
        kind = _symbols_in_sight(kind, pawn[:, 0])
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
        labels=labels,
        squares=squares,
        codes=CODES,
        likelihood=likelihood,
        hidden=hidden,
        reading={"rows": rows_of(pose.field, [CODES[n] for n in best]), "pawns": places},
        hand=something_in_the_way(hidden, pose.field.columns),
        doubts=(*doubts, *pawn_doubts),
        pawns=pawns,
    )


def _symbols_in_sight(kind: Floats, clear: Floats) -> Floats:
    """The kinds, where there is one of each start and finish: if it is plainly seen elsewhere, what is under a pawn is
    none, however its outline looks."""
    judged = kind.copy()
    for symbol in range(1, 5):
        if (kind[clear > 0.5, symbol] > 0.5).any():
            judged[clear <= 0.5, symbol] *= 0.02
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))


def _own_pawns(learned: Translation, as_seen: Patches, unlike: Floats, logits: Logits) -> Floats:
    """Pawns on tiles of a set that was learned. The network is asked of the tiles as they are seen, in the kit's colors
    and lit like the kit's; that something stands on a tile is told as well by how unlike others of its kind it is, and
    which of the pawns it is by the color that each had."""
    looks = [as_seen, learned.lit(as_seen)]
    asked = [split("tiles", run("tiles", against_mat(look))[:, :, 0, 0])["pawn"] for look in looks]
    said = [np.asarray(part, np.float64) for part in (asked[0], logits["pawn"], asked[1])]
    colors = learned.like_pawns(as_seen, PAWN_OUTPUTS)
    some = [np.clip(np.logaddexp.reduce(part[:, 1:], axis=1) - part[:, 0], -6, 6) for part in said]
    symbols = softmax(logits["kind"])[:, 1:5].sum(axis=1)
    signs = np.stack([*some, symbols, colors.min(axis=1), unlike], axis=1)
    there = sigmoid(np.asarray(signs @ PAWN_SIGNS[:-1] + PAWN_SIGNS[-1], np.float32))
    which = -OWN_PAWN * colors.astype(np.float64)
    for share, part in zip(PAWN_LOOKS, said, strict=True):
        which += share * np.maximum(part[:, 1:] - np.logaddexp.reduce(part[:, 1:], axis=1)[:, None], -6)
    return np.concatenate([1 - there[:, None], there[:, None] * softmax(np.asarray(which, np.float32))], axis=1)


def _triples(logits: Logits) -> Floats:
    """How likely each triple is: the logits of its three directions add up."""
    return softmax((logits["arrows"] @ _SHOWN.T).astype(np.float32))


def _certainty(logits: Logits) -> Floats:
    """How sure each cell's kind is, its pawn, and its arrows if it has any and their dot is in the south."""
    kind, pawn, dot = (softmax(logits[key]) for key in ("kind", "pawn", "dot"))
    arrows = np.where(dot.argmax(axis=1) > 0, 0.0, _triples(logits).max(axis=1))
    return np.asarray(np.min([kind.max(axis=1), pawn.max(axis=1), np.where(kind[:, 0] > 0.5, arrows, 1.0)], axis=0))


def _upright(south: Floats, arrows: Floats) -> Floats:
    """How likely each tile's dot is in the south. Tiles lie the right way round, nearly always; the more of them
    seem not to, the less is it taken for granted of the others."""
    turned = TURNED
    for _ in range(ROUNDS):
        right, wrong = south * (1 - turned), (1 - south) * turned / 3
        upright = right / (right + wrong)
        turned = (float((arrows * (1 - upright)).sum()) + TURNED * USUAL) / (float(arrows.sum()) + USUAL)
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
            others[:, : -len(PLAIN)] = 0  # the last codes are the plain ones
        loss = np.log(likelihood[claims, code]) - np.log(np.maximum(others.max(axis=1), 1e-9))
        for n in np.argsort(-loss)[most:]:
            if name == "neutral" or loss[n] < PLAINLY:
                best[claims[n]] = others[n].argmax()
    return np.asarray(best)


def _pawns(share: Floats, squares: tuple[str, ...]) -> tuple[dict[str, str], list[str], dict[str, Floats]]:
    """Where each pawn stands (one of each at most), which of them are doubtful, and all likelihoods.

    Pawns play in pairs: where only one of a pair is seen, the other is looked for with less proof, or with none if
    that one is certain, and is doubtful in any case.
    """
    places: dict[str, str] = {}
    doubts: list[str] = []
    likelihoods: dict[str, Floats] = {}
    strongest: dict[str, float] = {}
    for k, name in enumerate(PAWN_OUTPUTS):
        odds = np.append(share[:, 1 + k] / np.maximum(1 - share[:, 1 + k], 1e-9), 1.0)
        likelihoods[name] = odds / odds.sum()
        at = int(share[:, 1 + k].argmax())
        strongest[name] = float(share[at, 1 + k])
        if strongest[name] > 0.5:
            places[name] = squares[at]
        if strongest[name] > 1 - PAWN_DOUBT and likelihoods[name].max() < PAWN_DOUBT:
            doubts.append(name)
    for one, two in (("square1", "round1"), ("square2", "round2")):
        pair = np.array([strongest[one], strongest[two]])
        if len({one, two} & places.keys()) == 1 and np.prod(pair / np.maximum(1 - pair, 1e-9)) < 1:
            # A green disc shows like a pawn; where its partner is nowhere, there is none.
            doubts.append(one if places.pop(one, None) else two)
            places.pop(two, None)
        for name, partner in ((one, two), (two, one)):
            if partner in places and name not in places:
                if strongest[name] > LEAST_PAWN or strongest[partner] > PAWN_DOUBT:
                    places[name] = squares[int(likelihoods[name][:-1].argmax())]
                doubts.append(name)
    return places, list(dict.fromkeys(doubts)), likelihoods
