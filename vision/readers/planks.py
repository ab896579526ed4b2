"""Reads a row of planks with its tokens."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import permutations

import cv2
import numpy as np
import numpy.typing as npt

from vision.codes import COLORS, OWNERS, TOKENS, Labels
from vision.fields import Field, Floats
from vision.ink import black_on_white
from vision.letters import said_by
from vision.light import Lighting
from vision.look import Look, doubts_of, something_in_the_way
from vision.memory import Memory, Parts
from vision.network import sigmoid, softmax
from vision.patches import CUTS, cut_at
from vision.pose import Image, Pose
from vision.readers.deal import assign
from vision.readers.parts import asked, looked_at_again
from vision.readers.row import FOUND, MARGIN, STEP, find_planks

# A square's code is its color, then "." or the token's owner, with the token's own color where it differs.
CODES = tuple(
    color + token
    for color in COLORS
    for token in (".", *(owner if own == color else f"{owner}:{own}" for own in COLORS for owner in OWNERS))
)
OWN_TOKEN = 2.0  # the same of a set that was learned, where the lamp tells little of a token's color
OWN_SQUARE = 8.0  # how many times likelier a token is to lie on a square of its own color
PLAYERS, USUALLY = np.array([2, 3, 4]), np.array([0.5, 0.25, 0.25])  # how many play, how often
MISREAD = 0.01  # the letters that are certain and yet misread
# What lies over the mat: so surely it is hidden throughout, so surely somewhere, and so many points of the map of it.
# In drawn pictures nothing that was no such thing had more than 0.72 throughout; what reached far over had 0.77.
PERHAPS, THROUGHOUT, SURELY, LEAST_POINTS = 0.4, 0.75, 0.9, 12
BORNE_OUT = 0.8  # so hidden must a plank's square be to bear out any piece that seems to lie over the mat
NO_TOKEN = np.eye(4, dtype=np.float32)[0]  # which output for tokens says that there is none
_PLANKS = tuple(permutations(range(3)))
_BARE = np.array([code[1] == "." for code in CODES])

Likely = npt.NDArray[np.float64]


def read(image: Image, pose: Pose, light: Lighting, labels: Labels, memory: Memory) -> Look:
    row = find_planks(image, pose, light, memory)
    places = row.places
    if not len(places):
        return _empty(labels, row.covered)
    turns = np.radians(places[:, 2])
    step = np.stack([np.cos(turns), np.sin(turns), np.zeros(len(places))], axis=1)
    squares_at = (places[:, None, :] + np.array([-1.0, 0.0, 1.0])[None, :, None] * step[:, None, :]).reshape(-1, 3)
    patches = cut_at(image, pose, replace(light, translation=None), CUTS["planks"], squares_at)
    as_seen, known = patches, np.zeros((0, 3))
    learned = light.translation.adapted(patches) if light.translation else None
    if learned:
        known = softmax(learned.of_planks(patches))
        squares_own = _plank_colors(known).argmax(axis=1)
        patches = learned.of_patches(patches, squares_own)

    def cells(which: npt.NDArray[np.intp]) -> Parts:
        some = patches[which]
        logits = asked("planks", some)
        token, letter = (softmax(logits[key]) for key in ("token", "letter"))
        certainty = np.minimum(token.max(axis=1), np.where(token[:, 0] > 0.5, 1.0, letter.max(axis=1)))
        logits = looked_at_again(partial(asked, "planks"), some, logits, certainty)
        if learned:
            printed = asked("planks", black_on_white("planks", as_seen[which]))
            logits |= {
                part: np.mean([logits[part], printed[part]], axis=0, dtype=np.float32) for part in ("token", "letter")
            }
        if learned and learned.letters:
            letters, there = said_by(learned.letters, as_seen[which], OWNERS)
            logits["letter"] = logits["letter"] + letters
            logits["token"] = logits["token"] - there[:, None] * NO_TOKEN
        if learned and learned.owners:
            logits["token"] = logits["token"] - learned.coins_on(as_seen[which])[:, None] * NO_TOKEN
        return dict(logits)

    logits = memory.recall("planks", patches, cells)
    color, token, letter = (softmax(logits[key]) for key in ("color", "token", "letter"))
    hidden = sigmoid(logits["hidden"][:, 0])
    if learned:
        seen = token[:, 0] < 0.5
        if learned.owners:  # coins have no color of their own
            letter, alike = softmax(learned.by_owners(as_seen, OWNERS, seen)), known
        else:
            alike = softmax(learned.of_tokens(as_seen, seen, squares_own))
        color, token = known, _by_own_colors(token, known, alike)
    shown = _that_show_planks(row.heat, color, hidden)
    if not shown.any():
        return _empty(labels, row.covered)
    heat, kept = row.heat[shown], np.repeat(shown, 3)
    color, token, letter, hidden, squares_at = (part[kept] for part in (color, token, letter, hidden, squares_at))
    own, colors = _of_their_squares(color, token), _plank_colors(color)
    likelihood = _likelihood(colors, own if learned else token, letter)
    squares = squares_of_planks(len(heat))
    # One look is read with what is known of play; what many looks tell together must not hear it from each.
    judged = _likelihood(colors, own, _of_those_who_play(token, letter))
    best = _two_tokens_of_a_color(judged)
    sure = np.take_along_axis(np.maximum(judged, likelihood), best[:, None], axis=1)[:, 0]  # what is plain stays so
    there = np.clip(heat * 2, 0, 1)
    counted = min(float(there[0]), 1 - row.beyond)  # all rows are counted from the first
    sure = np.minimum(sure, np.repeat(np.minimum(there, counted), 3))
    codes = [CODES[n] for n in best]
    planks = [
        {
            "colors": "".join(code[0] for code in codes[n : n + 3]),
            "tokens": [code[1:] for code in codes[n : n + 3]],
        }
        for n in range(0, len(codes), 3)
    ]
    covered = np.minimum(row.covered, _hidden_at_most(squares_at, hidden, row.covered.shape, pose.field))
    hand = something_in_the_way(hidden, 3) or _area_covered(covered, float(hidden.max()))
    return Look(
        labels=labels,
        squares=squares,
        codes=CODES,
        likelihood=likelihood,
        hidden=hidden,
        reading={"planks": planks},
        hand=hand,
        doubts=tuple(doubts_of(squares, sure, hidden, hand)),
        places=squares_at,
    )


def _that_show_planks(heat: Floats, color: Floats, hidden: Floats) -> npt.NDArray[np.bool_]:
    """Which of those found are planks. One at an end that is believed in only because it lies in line with the others
    must show three colors: bare mat beside a row is of one. What is hidden need not show anything."""
    differ = np.array([len(set(three)) == 3 for three in color.argmax(axis=1).reshape(-1, 3)])
    plain = (heat >= FOUND) | differ | (hidden.reshape(-1, 3) > 0.5).any(axis=1)
    return np.asarray(np.maximum.accumulate(plain) & np.maximum.accumulate(plain[::-1])[::-1])


def _by_own_colors(token: Likely, around: Likely, alike: Likely) -> Likely:
    """The tokens of a set that was learned: their colors go by how well they agree with each, and by that of their
    squares."""
    whose = alike * (1 + (OWN_TOKEN - 1) * around)
    there = whose / whose.sum(axis=1, keepdims=True) * (1 - token[:, :1])
    return np.concatenate([token[:, :1], there], axis=1)


def _of_their_squares(color: Floats, token: Floats) -> Floats:
    """Tokens lie on squares of their own color, nearly always. That tells which token lies there, not whether one does:
    a white square is no likelier to have a token because white ones would go there."""
    whose = token[:, 1:] * (1 + (OWN_SQUARE - 1) * color)
    there = whose / whose.sum(axis=1, keepdims=True) * (1 - token[:, :1])
    return np.asarray(np.concatenate([token[:, :1], there], axis=1))


def _of_those_who_play(token: Floats, letter: Floats) -> Floats:
    """Two, three or four play, and have the first letters: the more of them are A and B, the less likely is a D."""
    there = 1 - token[:, 0]
    shares = np.cumsum(letter, axis=1)[:, 1:] / PLAYERS
    logs = (there[:, None] * np.log(np.maximum(shares, MISREAD / PLAYERS))).sum(axis=0) + np.log(USUALLY)
    count = softmax(logs.astype(np.float32))
    plays = [float((count / PLAYERS)[n < PLAYERS].sum()) for n in range(len(OWNERS))]
    judged = letter * np.maximum(plays, MISREAD * max(plays))
    return np.asarray(judged / judged.sum(axis=1, keepdims=True))


def _hidden_at_most(squares_at: Floats, hidden: Floats, shape: tuple[int, ...], field: Field) -> Floats:
    """How likely the map of what is hidden may say of each of its points: where a plank's square was looked at more
    closely, no more than that look. Else a token seems to be something that lies over the mat."""
    x = (np.arange(shape[1]) + 0.5) * STEP - MARGIN
    y = field.rows + MARGIN - (np.arange(shape[0]) + 0.5) * STEP
    east, north = x[None, None, :] - squares_at[:, :1, None], y[None, :, None] - squares_at[:, 1:2, None]
    inside = (np.abs(east) < 0.5) & (np.abs(north) < 0.5)
    return np.asarray(np.where(inside, hidden[:, None, None], 1.0).min(axis=0))


def _area_covered(covered: Floats, hidden: float = 0.0) -> bool:
    """Whether something lies over the mat: in one piece, surely somewhere, and not much less so to its rim. Shine and
    the clouds of a printed mat fade out. How `hidden` a plank's square seems bears it out."""
    count, piece = cv2.connectedComponents((covered > PERHAPS).astype(np.uint8), connectivity=8)
    margin = np.ones(covered.shape, bool)
    margin[2:-2, 2:-2] = False  # what is only over the margin around the field does not count
    for n in range(1, count):
        likely = covered[piece == n]
        solid = hidden > BORNE_OUT or (likely.mean() > THROUGHOUT and likely.max() > SURELY)
        if solid and len(likely) >= LEAST_POINTS and not margin[piece == n].all():
            return True
    return False


def squares_of_planks(count: int) -> tuple[str, ...]:
    return tuple(f"{column}{n}" for n in range(count) for column in "abc")


def _empty(labels: Labels, covered: Floats) -> Look:
    nothing = np.zeros((0, len(CODES)))
    return Look(labels, (), CODES, nothing, np.zeros(0), {"planks": []}, _area_covered(covered), (), {})


def _plank_colors(color: Floats) -> Floats:
    """Each plank has all three colors: a square's color is judged together with its neighbors'."""
    logs = np.log(np.maximum(color, 1e-9)).reshape(-1, 3, 3)
    joint = np.stack([sum(logs[:, k, order[k]] for k in range(3)) for order in _PLANKS], axis=1)
    share = softmax(joint.astype(np.float32))
    out = np.zeros_like(logs)
    for n, order in enumerate(_PLANKS):
        for k in range(3):
            out[:, k, order[k]] += share[:, n]
    return np.asarray(out.reshape(-1, 3), dtype=np.float64)


def _two_tokens_of_a_color(likelihood: Floats) -> npt.NDArray[np.intp]:
    """The best code of each square, where each player has but two tokens of a color: doubtful letters are
    dealt so that the whole is likeliest. What is plainly seen stands all the same."""
    best = _likeliest(likelihood)
    for own in COLORS:
        squares = [n for n, code in enumerate(best) if _token_color(CODES[code]) == own]
        if not 1 < len(squares) <= TOKENS * len(OWNERS):
            continue
        letters = np.array([[likelihood[n, _with_owner(int(best[n]), owner)] for owner in OWNERS] for n in squares])
        dealt = assign(-np.log(np.maximum(np.repeat(letters, TOKENS, axis=1), 1e-4)))
        for n, slot, odds in zip(squares, dealt, letters, strict=True):
            if odds[slot // TOKENS] > 0.02 * odds.max():
                best[n] = _with_owner(int(best[n]), OWNERS[slot // TOKENS])
    return best


def _likeliest(likelihood: Floats) -> npt.NDArray[np.intp]:
    """The likeliest code of each square: first whether a token is there, which its letters share among them."""
    has_token = likelihood[:, ~_BARE].sum(axis=1) > likelihood[:, _BARE].sum(axis=1)
    return np.asarray(np.where(has_token[:, None] == _BARE, -1, likelihood).argmax(axis=1))


def _token_color(code: str) -> str | None:
    """The color of the token on a square, if there is one."""
    if code[1] == ".":
        return None
    return code[3] if len(code) > 2 else code[0]


def _with_owner(code: int, owner: str) -> int:
    name = CODES[code]
    return CODES.index(name[0] + owner + name[2:])


def _likelihood(color: Floats, token: Floats, letter: Floats) -> Floats:
    parts = []
    for k in range(3):
        parts.append(color[:, k : k + 1] * token[:, :1])
        parts += [color[:, k : k + 1] * token[:, 1 + own : 2 + own] * letter for own in range(3)]
    return np.concatenate(parts, axis=1)
