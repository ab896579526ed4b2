"""Reads the tiles of Trippples and the clear pawns on them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from vision import dots
from vision.codes import PAWN_OUTPUTS, TILE_KINDS, TRIPLES, Labels
from vision.fields import Floats
from vision.ink import black_on_white
from vision.light import Lighting
from vision.look import Look, doubts_of, something_in_the_way
from vision.memory import Memory, Parts
from vision.network import sigmoid, softmax
from vision.patches import CUTS, Patches, against_mat, cut_cells
from vision.pose import Image, Pose
from vision.readers.arrows import SHOWN, as_the_others_show
from vision.readers.deal import assign, left_by_others
from vision.readers.parts import Logits, asked, looked_at_again, rows_of, squares_of
from vision.readers.plain import NEUTRAL, PLAIN, judged_by_color, judged_by_others
from vision.translation import Translation

OTHERS = TILE_KINDS[1:]
CODES = (*TRIPLES, *(f"{triple}~" for triple in TRIPLES), *OTHERS)
UPRIGHT = slice(0, len(TRIPLES))  # codes of tiles whose dot is in the south
DOUBT = 0.9  # chosen on simulated pictures that were not trained on
PAWN_DOUBT, LEAST_ODDS = 0.9, 1e-9
SHAPES = ([0, 1], [2, 3])  # which of the pawns are of one shape
TEAMS = (0.1, 0.55, 0.35)  # how often none, one pawn of each shape, and two of each are there
UNSEEN = 0.005  # how much rarer a pawn is that is there and not seen at all
MIDDLE = np.array([27, 28, 35, 36])  # d4, e4, d5 and e5, where the neutral squares are
IN_THE_MIDDLE = 0.75  # unless something else was agreed, which is rarer than that
NEUTRAL_SHARE = NEUTRAL / 64  # of all squares
NEVER = 1e-6  # no cell is less likely anything than that
MOST = {"neutral": NEUTRAL, "start-square": 1, "start-round": 1, "finish-square": 1, "finish-round": 1}
TURNED, USUAL = 0.005, 60  # the share of tiles that lie turned, known as if so many had been seen on other boards
CLEAR_DOT, MANY_CLEAR = 0.9, 0.5  # so surely is a dot seen that can be made out, and so many are on a good picture
ROUNDS = 8  # after which that share hardly changes
MISREAD = 0.02  # of the cells that are certain of their arrows, and yet wrong
NO_MATTER = 1e-4  # odds that change no count
SUREST = 0.999  # that any cell shows something
ARROWS, SYMBOLS = 0, range(1, 5)  # of the kinds
PLAIN_TILE = 0.9  # so surely has it arrows, and no pawn stands on it
NO_ARROWS = 1e-3  # so unlikely are arrows where none are looked at more closely
# How much surer arrows are than their network says, which learned from pictures that were harder to read. Chosen on
# 60 drawn and 13 path-traced pictures of attic and veranda; in loft, too, hardly any is misread without a doubt.
ARROWS_SURER = np.float32(1.6)
NOT_HIS = 8.0  # how much less likely a pawn is another than the one for which it was dealt, at most
PAIRS = ([1, 2], [3, 4])  # of the outputs for pawns, those of one shape
PLAYS_FIRST = (0, 2)  # the pawns of two who play
PLAINLY = 3.0  # a code this much likelier than the next, as a logarithm, is not given up


def read(image: Image, pose: Pose, light: Lighting, labels: Labels, memory: Memory) -> Look:
    patches = cut_cells(image, pose, replace(light, translation=None), CUTS["tiles"])
    learned = light.translation.adapted(patches) if light.translation else None

    def cells(which: npt.NDArray[np.intp]) -> Parts:
        if learned:
            return _of_any_colors(patches[which])
        compared = against_mat(patches[which])
        logits = _of_the_kit(compared)
        return dict(looked_at_again(_of_the_kit, compared, logits, _certainty(logits)))

    logits = memory.recall("tiles", patches, cells)
    if learned:
        logits = _told_by_colors(learned, patches, logits)
    pawn = softmax(_dealt(logits["pawn"]) if learned else logits["pawn"])
    if learned:
        kind = _symbols_in_sight(judged_by_others(softmax(logits["kind"]), patches, pawn[:, 0]), pawn[:, 0])
    else:
        kind = judged_by_color(softmax(logits["kind"]), patches, pawn[:, 0])
    triples = _triples(logits)
    strange = np.zeros(len(triples), bool)
    if not learned:
        plain = (kind[:, ARROWS] > PLAIN_TILE) & (pawn[:, 0] > PLAIN_TILE)
        triples, strange = as_the_others_show(triples, patches, plain)
    south = _upright(softmax(logits["dot"]), kind[:, :1])
    likelihood = np.concatenate(
        [kind[:, :1] * triples * south, kind[:, :1] * triples * (1 - south), kind[:, 1:]], axis=1
    )
    hidden = sigmoid(logits["hidden"][:, 0])
    squares = squares_of(pose.field)
    # One look is read with what the kit has one of; what many looks tell together must not hear it from each.
    judged = _each_triple_once(_within_the_kit(likelihood))
    best = _all_different(judged)
    sure = np.take_along_axis(judged, best[:, None], axis=1)[:, 0]
    sure[_claimed_too_often(judged) | strange] = 0.0  # one of them is misread, and it need not be the faintest
    hand = something_in_the_way(hidden, pose.field.columns)
    doubts = doubts_of(squares, sure, hidden, hand, DOUBT)
    places, pawn_doubts, pawns = _pawns(pawn, squares)
    return Look(
        labels=labels,
        squares=squares,
        codes=CODES,
        likelihood=likelihood,
        hidden=hidden,
        reading={"rows": rows_of(pose.field, [CODES[n] for n in best]), "pawns": places},
        hand=hand,
        doubts=(*doubts, *pawn_doubts),
        pawns=pawns,
    )


def _of_the_kit(compared: npt.NDArray[Any]) -> Logits:
    """What the networks tell: one of tiles as a whole, and of what may be arrows one that saw more ways of drawing them
    than any maker has."""
    logits = asked("tiles", compared)
    maybe = np.flatnonzero(softmax(logits["kind"])[:, ARROWS] > NO_ARROWS)
    if len(maybe):
        clear = softmax(logits["pawn"][maybe])[:, :1].astype(np.float32)
        surer = 1 + (ARROWS_SURER - 1) * clear  # what shows through a pawn is not
        logits["arrows"][maybe] = surer * asked("arrows", compared[maybe])["arrows"]
    return logits


def _symbols_in_sight(kind: Floats, clear: Floats) -> Floats:
    """The kinds, where there is one of each start and finish: if it is plainly seen elsewhere, what is under a pawn is
    none, however its outline looks."""
    judged = kind.copy()
    for symbol in range(1, 5):
        if (kind[clear > 0.5, symbol] > 0.5).any():
            judged[clear <= 0.5, symbol] *= 0.02
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))


def _of_any_colors(as_seen: Patches) -> Parts:
    """What the network tells that knows no colors."""
    seen = black_on_white("tiles", as_seen)
    logits = asked("tiles-any", seen)
    return dict(looked_at_again(partial(asked, "tiles-any"), seen, logits, _certainty(logits)))


def _told_by_colors(learned: Translation, as_seen: Patches, logits: Parts) -> Parts:
    """The same with what the colors of the set tell over the whole board: which plain tiles are neutral, which lie
    face down, where pawns stand and whose each is."""
    kinds = [[ARROWS, *SYMBOLS], [PLAIN[0]], [PLAIN[1]], [PLAIN[2]]]
    told = learned.of_tiles(as_seen)
    kind = logits["kind"].copy()
    kind[:, PLAIN[:2]] = np.logaddexp(*kind[:, PLAIN[:2]].T)[:, None] - np.float32(np.log(2))  # color tells which
    for k, group in enumerate(kinds):
        kind[:, group] += told[:, k : k + 1]
    pawn, shown = logits["pawn"].copy(), softmax(kind)
    pawn[:, 0] -= learned.tinged(as_seen, shown[:, ARROWS], shown[:, SYMBOLS].sum(axis=1))
    whose = learned.by_pawns(as_seen, PAWN_OUTPUTS)
    for pair in PAIRS:
        whole, odds = np.logaddexp(*pawn[:, pair].T), whose[:, [n - 1 for n in pair]]
        pawn[:, pair] = whole[:, None] + odds - np.logaddexp(*odds.T)[:, None]
    dot = logits["dot"] + dots.said_by(learned.dots, as_seen) if learned.dots else logits["dot"]
    return {**logits, "kind": kind, "pawn": pawn, "dot": dot}


def _dealt(pawns: Floats) -> npt.NDArray[np.float32]:
    """Pawns of sets that were learned: two or four play, a square one and a round one for each team, and are dealt to
    the squares so that the whole is likeliest. In those squares they are what they were dealt for."""
    out = np.asarray(pawns, np.float32).copy()
    odds = out[:, 1:] - out[:, :1]
    likeliest = np.argsort(-odds.max(axis=1))[: 2 * len(PAWN_OUTPUTS)]
    deals = []
    for names in (np.array(PLAYS_FIRST), np.arange(len(PAWN_OUTPUTS))):
        given = odds[np.ix_(likeliest, names)].T
        deal = assign(-given)
        deals.append((given[:, deal], likeliest[deal], names))
    given, cells, names = max(deals, key=lambda deal: float(np.trace(deal[0])))
    own = np.diag(given)
    for n, cell in enumerate(cells):
        whole = np.logaddexp.reduce(out[cell, 1:])
        out[cell, 1:] = whole - NOT_HIS
        # As another one it would have to change places with that one.
        out[cell, 1 + names] = whole - np.clip(own[n] + own - given[n] - given[:, n], 0, NOT_HIS)
    return out


def _triples(logits: Logits) -> Floats:
    """How likely each triple is: the logits of its three directions add up."""
    return softmax((logits["arrows"] @ SHOWN.T).astype(np.float32))


def _certainty(logits: Logits) -> Floats:
    """How sure each cell's kind is, its pawn, and its arrows if it has any and their dot is in the south."""
    kind, pawn, dot = (softmax(logits[key]) for key in ("kind", "pawn", "dot"))
    arrows = np.where(dot.argmax(axis=1) > 0, 0.0, _triples(logits).max(axis=1))
    return np.asarray(np.min([kind.max(axis=1), pawn.max(axis=1), np.where(kind[:, 0] > 0.5, arrows, 1.0)], axis=0))


def _upright(dots: Floats, arrows: Floats) -> Floats:
    """How likely each tile's dot is in the south. Tiles lie the right way round, nearly always; the more of them
    seem not to, the less is it taken for granted of the others. Where most dots cannot be made out, what looks like one
    tells little."""
    clear = float((arrows[:, 0] * (dots.max(axis=1) > CLEAR_DOT)).sum() / max(float(arrows.sum()), 1.0))
    told = (dots[:, :1] / np.maximum((1 - dots[:, :1]) / 3, NEVER)) ** min(1.0, clear / MANY_CLEAR)
    turned = TURNED
    for _ in range(ROUNDS):
        right, wrong = told * (1 - turned), turned
        upright = right / (right + wrong)
        turned = (float((arrows * (1 - upright)).sum()) + TURNED * USUAL) / (float(arrows.sum()) + USUAL)
    return np.asarray(upright)


def _within_the_kit(likelihood: Floats) -> Floats:
    """The likelihoods, where the kit has four neutral squares and one of each start and finish: the more surely they
    lie elsewhere, the less likely is one here."""
    judged = likelihood.copy()
    for name, most in MOST.items():
        code = CODES.index(name)
        share = np.clip(judged[:, code] / judged.sum(axis=1), 0.0, SUREST)
        judged[:, code] *= _room_left(share / (1 - share), most)
    return _neutral_in_the_middle(likelihood, np.asarray(judged / judged.sum(axis=1, keepdims=True)))


def _neutral_in_the_middle(likelihood: Floats, judged: Floats) -> Floats:
    """The judged likelihoods, where the four neutral squares mostly lie in the middle, face up or face down. How likely
    that is, all cells tell together."""
    neutral, down = CODES.index("neutral"), CODES.index("down")
    share = likelihood / likelihood.sum(axis=1, keepdims=True)
    there = np.maximum(share[MIDDLE][:, [neutral, down]].sum(axis=1), NEVER)
    others = np.maximum(1 - np.delete(share[:, neutral], MIDDLE), NEVER)
    told = np.log(there / (NEUTRAL_SHARE + share[:, down].mean())).sum()
    told += np.log(others / (1 - NEUTRAL_SHARE)).sum()
    likely = 1 / (1 + np.exp(-(told + np.log(IN_THE_MIDDLE / (1 - IN_THE_MIDDLE)))))
    usual = judged.copy()
    usual[:, neutral] *= NEVER
    usual[MIDDLE] = NEVER / len(CODES)
    for code in (neutral, down):
        usual[MIDDLE, code] = np.maximum(share[MIDDLE, code], NEVER)
    usual /= usual.sum(axis=1, keepdims=True)
    return np.asarray(likely * usual + (1 - likely) * judged)


def _room_left(odds: Floats, most: int) -> Floats:
    """Per cell how likely fewer than `most` of the others are something of which there are no more, each with its own
    odds."""
    if most == 1:
        return np.asarray(1 / (1 + odds.sum() - odds))
    # How many ways there are to choose 0, 1, … of the cells before each, and of those after it, where that may matter.
    some = np.flatnonzero(odds > NO_MATTER)
    before, after = np.zeros((2, len(some) + 1, most + 1))
    before[0, 0] = after[-1, 0] = 1.0
    for n, one in enumerate(odds[some]):
        before[n + 1] = before[n]
        before[n + 1, 1:] += before[n, :-1] * one
    for n in range(len(some) - 1, -1, -1):
        after[n] = after[n + 1]
        after[n, 1:] += after[n + 1, :-1] * odds[some[n]]
    room = np.full(len(odds), before[-1, :-1].sum() / before[-1].sum())
    ways = [(before[:-1, : k + 1] * after[1:, k::-1]).sum(axis=1) for k in range(most + 1)]
    room[some] = sum(ways[:-1]) / sum(ways)
    return room


def _each_triple_once(likelihood: Floats) -> Floats:
    """The likelihoods, where no two tiles show the same triple: what other cells claim is hardly this one's."""
    count = len(TRIPLES)
    own = likelihood[:, :count] + likelihood[:, count : 2 * count]
    own = (1 - MISREAD) * own + MISREAD / count
    left = left_by_others(own, np.maximum(1 - own.sum(axis=1, keepdims=True), 0.0))
    judged = likelihood.copy()
    judged[:, : 2 * count] *= np.tile(left, 2)
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

    There are none, or those of the first team, or all four, each on its own square. So what looks a little like a pawn
    is none where its partner leaves hardly a trace: a green disc, for example.
    """
    odds = share[:, 1:] / np.maximum(1 - share[:, 1:], LEAST_ODDS)
    teams = np.array(TEAMS)
    where = []
    for shape in SHAPES:
        own = share[:, 1:][:, shape]
        against = own / np.maximum(1 - own.sum(axis=1, keepdims=True), LEAST_ODDS)
        where.append([_of_a_shape(against, team) for team in range(3)])
    for by_team in where:
        teams *= [weight for weight, _ in by_team]
    teams /= teams.sum()
    places: dict[str, str] = {}
    doubts: list[str] = []
    for shape, by_team in zip(SHAPES, where, strict=True):
        stands = sum(likely * at for likely, (_, at) in zip(teams, by_team, strict=True))
        for name, at in zip(np.array(PAWN_OUTPUTS)[shape].tolist(), np.transpose(stands), strict=True):
            somewhere = float(at.sum())
            if somewhere > 0.5:
                places[name] = squares[int(at.argmax())]
            if (float(at.max()) if somewhere > 0.5 else 1 - somewhere) < PAWN_DOUBT:
                doubts.append(name)
    sums = odds.sum(axis=0) + 1
    likelihoods = {name: np.append(odds[:, k], 1.0) / sums[k] for k, name in enumerate(PAWN_OUTPUTS)}
    return places, doubts, likelihoods


def _of_a_shape(odds: Floats, teams: int) -> tuple[float, Floats]:
    """How well a number of teams agrees with what is seen of the pawns of one shape, and how likely each team's stands
    on each square then. `odds` has a column for each team. A pawn that is there may go unseen."""
    first, second = odds.T
    at = np.zeros_like(odds)
    if teams == 0:
        return 1.0, at
    if teams == 1:
        weight = float(first.sum()) + UNSEEN
        at[:, 0] = first / weight
        return weight, at
    apart = np.outer(first, second)
    np.fill_diagonal(apart, 0.0)
    at[:, 0] = apart.sum(axis=1) + UNSEEN * first
    at[:, 1] = apart.sum(axis=0) + UNSEEN * second
    weight = float(apart.sum() + UNSEEN * odds.sum()) + UNSEEN**2
    return weight, at / weight
