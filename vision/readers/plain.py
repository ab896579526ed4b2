"""Tells plain cells of the tile field apart: neutral tiles, tiles face down, and bare mat.

They have no print, so it is their colors that tell, against the mat's and against one another's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.codes import TILE_KINDS
from vision.fields import Floats
from vision.network import softmax
from vision.patches import SIDE, Patches

NEUTRAL = 4  # neutral squares in the kit
PLAIN = np.array([TILE_KINDS.index(name) for name in ("neutral", "down", "empty")])
ENOUGH = 5  # cells of bare mat, of tiles face down, or with arrows
# How blue and red against green tiles with arrows may be, which are white or a little yellow: what is beyond that is
# the lamp's color, which the markers did not tell, and then a gray tile's color is known less well.
WHITEST, YELLOWEST = np.array([0.0, -0.01]), np.array([-0.16, 0.06])
GRAY, GRAY_BY_LAMP = 0.06, 0.08
USUALLY = np.array([0.75, 0.25])  # how often tiles are placed, and how often they lie there from the beginning
MISREAD = 0.02  # of the squares that are certain, and yet misread
AGAINST_RULES = 0.005  # how likely what may not be there is, against what may
LAST_HIDDEN = 0.01  # how often four tiles face down are the neutral ones, and no others are left
COLOR_SAYS = 0.65  # what color tells the network has seen in part
_ALIKE = np.array([0.04, 0.04, 0.12])  # how far the hues and the brightness of cells of one kind differ
TOO_MANY_SAY, MOST_SAID = 2.0, 4.0  # each cell more like a fifth neutral one says so much against it, as a logarithm
_NUDGE = 1.5  # how much others may say about a cell


@dataclass(frozen=True)
class Colors:
    """The colors of the cells' middles and of the mat, as natural logarithms: blue and red against green, the
    brightness, and how bright the darkest color is, in levels."""

    hue: Floats
    bright: Floats
    level: Floats
    mat_hue: Floats
    mat_bright: Floats
    mat_level: Floats
    arrowed: Floats  # the hue of the white of each cell's middle


def judged_by_color(kind: Floats, patches: Patches, clear: Floats) -> Floats:
    """The kinds of all cells, likelihoods that the network gave, with what colors tell of the plain ones; `clear`
    is how likely no pawn stands on each."""
    colors = _colors(patches)
    judged = _placed_or_hidden(_as_others_alike(_by_color(kind, colors, clear), colors, clear))
    return _four_are_neutral(_no_more_than_four_alike(judged, colors, clear))


def judged_by_others(kind: Floats, patches: Patches, clear: Floats) -> Floats:
    """The same for a set of any colors: only what others like them are tells of the plain ones."""
    return _four_are_neutral(_as_others_alike(kind, _colors(patches), clear))


def _colors(patches: Patches) -> Colors:
    inner = slice(SIDE // 5, SIDE - SIDE // 5)
    parts: list[Floats] = []
    for bgr in (patches[:, :3, inner, inner].mean(axis=(2, 3)), patches[:, -3:, 0, 0].astype(np.float64)):
        logs = np.log(np.maximum(bgr, 4.0))
        bright = logs.mean(axis=1, keepdims=True)
        parts += [logs[:, [0, 2]] - logs[:, 1:2], bright, np.exp(logs.min(axis=1, keepdims=True))]
    face = patches[:, :3, inner, inner][:, :, ::3, ::3].reshape(len(patches), 3, -1)
    white = np.log(np.maximum(np.percentile(face, 80, axis=2), 4.0))
    parts.append(white[:, [0, 2]] - white[:, 1:2])
    return Colors(*parts)


def _by_color(kind: Floats, colors: Colors, clear: Floats) -> Floats:
    """The kinds of plain cells, judged by their color as well: bare mat has the mat's hue to a hair and its
    brightness about, a neutral tile is gray, one that lies face down brown. Where enough bare mat is seen
    between the tiles, that tells how near to the mat's color it is in this picture."""
    # Dark colors are known less well: a level or two is noise, and a veil of glare changes their hue.
    near_mat, near = (np.sqrt(0.006**2 + (2.0 / level) ** 2) for level in (colors.mat_level, colors.level))
    hue, bright = colors.hue, colors.bright
    off = np.concatenate([hue - colors.mat_hue, bright - colors.mat_bright], axis=1)
    gray, about = _gray(kind, colors)
    neutral = _fit(hue, gray, np.hypot(about, near)) + _fit(bright, np.log(90), 0.4)
    down = _brown(kind, colors, clear, near)
    usual, spread = np.array([0.0, 0.0, 0.03]), np.concatenate([near_mat, near_mat, np.hypot(0.06, near_mat)], axis=1)
    judged = _with_fits(kind, neutral, down, _fit(off, usual, spread), clear)
    bare = off[(judged[:, PLAIN[2]] > 0.8) & (clear > 0.9)]
    if len(bare) < ENOUGH:
        return judged
    usual = np.median(bare, axis=0)
    spread = np.array([0.009, 0.009, 0.04]) + 2.2 * np.median(np.abs(bare - usual), axis=0)
    return _with_fits(kind, neutral, down, _fit(off, usual, spread), clear)


def _brown(kind: Floats, colors: Colors, clear: Floats, near: Floats) -> Floats:
    """How well each cell's color fits that of a tile face down. All have one: where enough are plainly seen, theirs."""
    look = np.concatenate([colors.hue, colors.bright], axis=1)
    plainly = look[(kind[:, PLAIN[1]] > 0.9) & (clear > 0.9)]
    if len(plainly) >= ENOUGH:
        usual = np.median(plainly, axis=0)
        return _fit(look, usual, np.array([0.05, 0.05, 0.15]) + 2.2 * np.median(np.abs(plainly - usual), axis=0))
    usual, spread = np.array([-0.4, 0.42]), np.hypot(np.array([0.35, 0.17]), near)
    return _fit(colors.hue, usual, spread) + _fit(colors.bright, np.log(60), 0.5)


def _gray(kind: Floats, colors: Colors) -> tuple[Floats, float]:
    """How blue and red against green a gray tile looks, and how far it may be from that."""
    arrows = kind[:, 0] > 0.9
    if arrows.sum() < ENOUGH:
        return np.zeros(2), GRAY
    white = np.median(colors.arrowed[arrows], axis=0)
    lamp = white - np.clip(white, np.minimum(WHITEST, YELLOWEST), np.maximum(WHITEST, YELLOWEST))
    return lamp, GRAY_BY_LAMP if lamp.any() else GRAY


def _with_fits(kind: Floats, neutral: Floats, down: Floats, empty: Floats, clear: Floats) -> Floats:
    """The kinds where the plain ones share what they have together as their colors fit; what stands under a
    pawn has not its own color."""
    fits = np.concatenate([neutral, down, empty], axis=1)
    share = kind[:, PLAIN].sum(axis=1, keepdims=True)
    plain = kind[:, PLAIN] * np.exp(np.maximum(COLOR_SAYS * (fits - fits.max(axis=1, keepdims=True)), -5))
    plain *= share / np.maximum(plain.sum(axis=1, keepdims=True), 1e-12)
    judged = kind.copy()
    judged[:, PLAIN] += clear[:, None] * (plain - judged[:, PLAIN])
    return judged


def _fit(seen: Floats, usual: Floats | float, spread: Floats | float) -> Floats:
    """The logarithm of how well measurements, one row per cell, agree with what is usual."""
    wide = np.broadcast_to(spread, seen.shape)
    return np.asarray((-0.5 * ((seen - usual) / wide) ** 2 - np.log(wide)).sum(axis=1, keepdims=True))


def _placed_or_hidden(kind: Floats) -> Floats:
    """The kinds, where tiles either are placed face up one by one, or all lie there from the beginning, some of them
    face down: where one lies face down no square is bare, and where one is bare none lies face down."""
    _, down, empty = PLAIN
    none = np.log(np.maximum(1 - kind[:, [down, empty]], MISREAD)).sum(axis=0)
    placed, hidden = softmax((none + np.log(USUALLY)).astype(np.float32))
    judged = kind.copy()
    judged[:, down] *= hidden + AGAINST_RULES * placed
    judged[:, empty] *= placed + AGAINST_RULES * hidden
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))


def _as_others_alike(kind: Floats, colors: Colors, clear: Floats) -> Floats:
    """The kinds of plain cells, where cells of one color are most likely of one kind: a cell that could be
    two things is what the others like it are. No cell that is sure of itself changes its mind."""
    share = kind[:, PLAIN].sum(axis=1)
    cells = np.flatnonzero((share > 0.5) & (clear > 0.5))
    look = np.concatenate([colors.hue, colors.bright], axis=1)[cells]
    apart = (look[:, None] - look[None]) / _ALIKE
    weight = np.exp(-0.5 * np.sum(apart * apart, axis=2))
    np.fill_diagonal(weight, 0)
    logs = np.log(np.maximum(kind[np.ix_(cells, PLAIN)] / share[cells, None], 1e-4))
    others = weight @ logs / (1 + weight.sum(axis=1, keepdims=True))
    nudge = np.clip(others - others.mean(axis=1, keepdims=True), -_NUDGE, _NUDGE)
    judged = kind.copy()
    judged[np.ix_(cells, PLAIN)] = softmax((logs + nudge).astype(np.float32)) * share[cells, None]
    return judged


def _no_more_than_four_alike(kind: Floats, colors: Colors, clear: Floats) -> Floats:
    """The kinds, where what looks like five others or more that are neutral or lie face down is not neutral."""
    neutral, down = PLAIN[:2]
    either = (kind[:, neutral] + kind[:, down]) * clear
    look = np.concatenate([colors.hue, colors.bright], axis=1)
    apart = (look[:, None] - look[None]) / _ALIKE
    weight = np.exp(-0.5 * np.sum(apart * apart, axis=2))
    np.fill_diagonal(weight, 0)
    alike = weight @ either
    judged = kind.copy()
    judged[:, neutral] *= np.exp(-TOO_MANY_SAY * np.clip(alike - NEUTRAL, 0, MOST_SAID) * clear)
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))


def _four_are_neutral(kind: Floats) -> Floats:
    """The kinds, where there are always four neutral squares, face up or down. Four plain tiles and no more are
    hardly ever the last ones that lie face down; and as long as there seem to be fewer, what may be one is."""
    neutral, down = PLAIN[:2]
    judged = kind.copy()
    cells = kind[:, neutral] + kind[:, down] > 0.5
    if int(cells.sum()) == NEUTRAL:
        judged[cells, down] *= LAST_HIDDEN
    for _ in range(7):
        judged /= judged.sum(axis=1, keepdims=True)
        if float(judged[:, [neutral, down]].sum()) > NEUTRAL - 0.5:
            break
        judged[:, neutral] *= 3
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))
