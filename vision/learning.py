"""Learns a table's set from one picture of a position that is known.

The colors of each kind of square are measured where the kit's pieces have theirs: body and marks. Then the reader is
asked which of them it had better take for the kit's; what it reads well already stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision import dots
from vision.codes import COLORS, DIE_COLORS, DIRECTIONS, PIPS, TILE_KINDS, TRIPLES, Labels
from vision.fields import Floats
from vision.letters import Letters, shown_by
from vision.light import Lighting
from vision.look import Look, Visible
from vision.memory import Memory
from vision.patches import CUTS, SIDE, Patches, cut_at, cut_cells, mat_color
from vision.pose import Image, Pose
from vision.readers import READERS
from vision.translation import (
    Color,
    Tint,
    Translation,
    coin_signs_of,
    coins_apart,
    color_of,
    distances,
    in_log_space,
    signs_of,
    token_and_square,
)

# The kit's colors: blue, green, red where paper is at light.WHITE.
WHITE, BLACK, RED, BLUE = (160.0, 170.0, 175.0), (26.0, 26.0, 26.0), (32.0, 30.0, 150.0), (120.0, 52.0, 26.0)
GREEN, GRAY, BROWN = (50.0, 110.0, 35.0), (105.0, 105.0, 105.0), (40.0, 60.0, 85.0)


class Kind(NamedTuple):
    """What squares of one kind are mostly of in the kit, and what is on that: a spot in the middle, or marks."""

    body: Color | None = None  # None: as it is
    marks: Color | None = None
    reach: float = 0.32  # in cells from the middle
    spot: bool = False
    way: int = 0


KINDS: dict[str, dict[str, Kind]] = {
    "seven": {
        "bare": Kind(reach=0.45),
        "tromino": Kind(BLACK),
        "tetrod": Kind(BLUE),
        "blocker": Kind(BLUE, BLACK, 0.42, spot=True),
        "tetrod+mushroom": Kind(BLUE, BLACK, 0.45, spot=True),
        "mushroom": Kind(None, BLACK, spot=True),
        "peg": Kind(None, RED, spot=True),
        "card b": Kind(WHITE, BLUE, 0.48, spot=True),
        "card w": Kind(BLUE, WHITE, 0.48, spot=True),
        "card b+peg": Kind(None, RED, spot=True),
        "card w+peg": Kind(None, RED, spot=True),
    },
    "faces": {".": Kind(), "w": Kind(WHITE, BLACK, way=1), "r": Kind(RED, WHITE, way=2)},
    "tiles": {
        "arrows": Kind(WHITE, BLACK, 0.36, way=1),
        "symbol": Kind(WHITE, GREEN, 0.45, way=1),
        "neutral": Kind(GRAY, way=2),
        "down": Kind(BROWN, way=3),
        "empty": Kind(),
    },
    "planks": {
        "R": Kind(RED, reach=0.4, way=1),
        "W": Kind(WHITE, reach=0.4, way=2),
        "B": Kind(BLUE, reach=0.4, way=3),
        "RR": Kind(RED, WHITE, way=1),
        "WW": Kind(WHITE, BLACK, way=2),
        "BB": Kind(BLUE, WHITE, way=3),
    },
}
PARTS = {"faces": "face", "tiles": "tile", "planks": "token"}  # what of a cell is of one kind
RIM, SPOT = 0.1, 0.1  # in cells: how wide the edge of a square is, and how far the middle of a spot reaches
MARKED, FEW = 0.3, 0.015  # how far marks differ from what they are on, and of how much of it there must be any
MARKS_TELL_NOTHING = ("faces", "planks")  # fields on which marks are the same whatever color they are on
ON_THE_MAT = ("tiles", "planks")  # fields between whose pieces the mat is seen
ALIKE = 0.12  # colors nearer than this are one
WORTH = 2.0  # by how much the reader must be surer, as a logarithm, for a color to be taken for another
LEAST_LIKELY = 1e-3
OWN_LOOK = 0.8  # of the tokens that must be most like others of their player, to be told apart by their look
PLAINLY = 0.97  # how sure the reader must be that something else lies on a square than is told
OTHER_LIGHT = ((0.0, 0.0, 0.0), (0.12, 0.08, 0.1), (-0.08, -0.12, -0.12))  # logarithms of blue, green and red
PIP, PIP_RADIUS, SHAFT = 0.187, 0.05, 0.03  # in cells: how far pips are from the middle, and where marks surely are

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Lesson:
    """A picture in which it is known what lies where."""

    image: Image
    pose: Pose
    light: Lighting
    labels: Labels
    visible: Visible

    def read(self, translation: Translation | None, shift: tuple[float, float, float] = (0, 0, 0)) -> Look:
        light = replace(self.light, translation=translation, level=self.light.level + np.array(shift))
        return READERS[self.labels.field](self.image, self.pose, light, self.labels, Memory())

    def codes(self) -> list[str]:
        """What lies on each square, in the order of a look."""
        if "planks" in self.visible:
            planks = self.visible["planks"]
            return [color + token for p in planks for color, token in zip(p["colors"], p["tokens"], strict=True)]
        return [code for row in reversed(self.visible["rows"]) for code in row]

    def kinds(self) -> list[str]:
        """Of which kind each square is; a kind that nothing is known of counts as none."""
        if self.labels.field == "seven":
            return [self.labels.pieces[code] for code in self.codes()]
        if self.labels.field == "faces":
            return [code[0] for code in self.codes()]
        if self.labels.field == "tiles":
            taken = set(self.visible.get("pawns", {}).values())
            squares = [self.pose.field.square(n % 8, n // 8) for n in range(64)]
            symbols = [code.startswith(("start", "finish")) for code in self.codes()]
            shown = [code if code in TILE_KINDS else "arrows" for code in self.codes()]
            shown = ["symbol" if symbol else kind for symbol, kind in zip(symbols, shown, strict=True)]
            return ["pawn" if square in taken else kind for square, kind in zip(squares, shown, strict=True)]
        return [code[0] + (code[0] if len(code) == 2 and code[1] != "." else "") + code[2:] for code in self.codes()]

    def patches(self, look: Look) -> Patches | None:
        """The squares as they are seen; None where it is not known where they lie."""
        light, cut = replace(self.light, translation=None), CUTS[self.labels.field]
        if self.labels.field != "planks":
            return cut_cells(self.image, self.pose, light, cut)
        if len(look.squares) != len(self.codes()):
            return None
        return cut_at(self.image, self.pose, light, cut, look.places)

    def right(self, translation: Translation | None) -> int:
        """How many squares are read as they are."""
        look, codes = self.read(translation), self.codes()
        if len(look.squares) != len(codes):
            return 0
        found = replace(self, visible=look.visible()).codes()
        return sum(one == other for one, other in zip(codes, found, strict=True))

    def otherwise(self, translation: Translation | None) -> tuple[str, ...]:
        """The squares on which plainly something else lies than is told. What the squares themselves have taught does
        not count: each is read by what the others tell."""
        reads = [self.read(part) for part in _halves(translation)]
        codes = self.codes()
        if len(reads[0].squares) != len(codes):
            return ("?",) * abs(len(reads[0].squares) - len(codes)) if len(reads[0].squares) else ("?",)
        found = []
        for n, (square, code) in enumerate(zip(reads[0].squares, codes, strict=True)):
            look = reads[n % 2 % len(reads)]
            best = int(look.likelihood[n].argmax())
            if look.codes[best] != code and look.likelihood[n, best] > PLAINLY and look.hidden[n] < 0.5:
                found.append(square)
        return tuple(found)

    def worth(self, translation: Translation | None) -> float:
        """How likely the reader takes what lies there to be, as a logarithm, in this light and others: 0 at best."""
        return sum(self._likely(self.read(translation, shift)) for shift in OTHER_LIGHT) / len(OTHER_LIGHT)

    def _likely(self, look: Look) -> float:
        codes, lost = self.codes(), float(np.log(LEAST_LIKELY))
        if len(look.squares) != len(codes):
            return lost * (2 * len(codes) + abs(len(look.squares) - len(codes)))
        place = {code: n for n, code in enumerate(look.codes)}
        likely = look.likelihood[np.arange(len(codes)), [place[code] for code in codes]]
        total = float(np.log(np.maximum(likely, LEAST_LIKELY)).sum())
        total += float(np.log(np.maximum(1 - look.hidden, LEAST_LIKELY)).sum())
        for name, square in self.visible.get("pawns", {}).items():
            odds = look.pawns.get(name)
            at = look.squares.index(square)
            total += lost if odds is None else float(np.log(max(float(odds[at]), LEAST_LIKELY)))
        return total


def learn(lesson: Lesson) -> Translation | None:
    """The translation by which the reader sees best what lies there; None where it sees that as well without one."""
    look = lesson.read(None)
    patches = lesson.patches(look)
    if patches is None:
        return None
    plain = lesson.worth(None)
    owners = _owners(patches, lesson.codes()) if lesson.labels.field == "planks" else ()
    seen, kinds = zip(*_tints(patches, lesson, but_tokens=bool(owners)), strict=True)
    tints = _marked_alike(seen) if lesson.labels.field in MARKS_TELL_NOTHING else seen
    standing = lesson.visible.get("pawns", {}).items()
    best = Translation(tints, PARTS.get(lesson.labels.field, ""), owners=owners)
    if standing:
        tinges = best.tinges(patches)
        pawns = [(name, tuple(float(part) for part in tinges[look.squares.index(square)])) for name, square in standing]
        best = replace(best, pawns=tuple(pawns))
    if lesson.labels.field == "seven":
        signs = [tuple(round(float(part), 3) for part in cell) for cell in signs_of(patches)]
        best = replace(best, examples=tuple(zip(lesson.codes(), signs, strict=True)))
    worth = lesson.worth(best)
    for kind in dict.fromkeys(kinds):
        stays = [replace(t, meant=t.color) if k == kind else t for t, k in zip(best.tints, kinds, strict=True)]
        trial = replace(best, tints=tuple(stays))
        if trial != best and (found := lesson.worth(trial)) >= worth:
            best, worth = trial, found
    if worth <= plain + WORTH:
        return None
    if best.parts == PARTS["planks"]:
        squares, discs = _planks(patches, lesson.codes())
        best = replace(best, squares=squares, discs=() if owners else discs)
    best = replace(best, usual=best.strangeness(patches), letters=_letters(patches, lesson.codes(), best))
    return replace(best, dots=dots.shown_by(patches, lesson.codes())) if best.parts == PARTS["tiles"] else best


def _letters(patches: Patches, codes: list[str], learned: Translation) -> Letters:
    """The print of all squares of planks, where letters tell whose a token is. They come in after colors have been
    chosen, as each is most like itself."""
    if learned.parts != PARTS["planks"] or learned.owners:
        return ()
    return shown_by(patches, [code[1] for code in codes])


def _owners(patches: Patches, codes: list[str]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """How each player's tokens look, where that tells them apart whatever square they lie on: coins, or one color for
    each. Tokens of the kit are of their squares' colors, and only their letters tell whose they are."""
    signs: dict[str, list[Floats]] = {}
    for seen, code in zip(coin_signs_of(patches), codes, strict=True):
        if code[1] != ".":
            signs.setdefault(code[1], []).append(seen)
    if len(signs) < 2 or min(len(some) for some in signs.values()) < 2:
        return ()
    middles = {owner: np.median(some, axis=0) for owner, some in signs.items()}
    right = []
    for owner, some in signs.items():
        for n, one in enumerate(some):  # it is not compared with itself
            others = {**middles, owner: np.median(some[:n] + some[n + 1 :], axis=0)}
            right.append(min(others, key=lambda name: float(coins_apart(one, others[name]))) == owner)
    if np.mean(right) < OWN_LOOK:
        return ()
    return tuple((owner, tuple(round(float(part), 3) for part in middle)) for owner, middle in sorted(middles.items()))


def _planks(patches: Patches, codes: list[str]) -> tuple[tuple[Color, ...], tuple[tuple[int, Color], ...]]:
    """The colors of squares, each plank has one of each, and by their ways how tokens differ from the squares on which
    they lie."""
    square, token = token_and_square(patches)
    colors, found = [], []
    for way, color in enumerate(COLORS, 1):
        of_it = np.array([code[0] == color for code in codes])
        colors.append(color_of(np.median(square[of_it], axis=0)))
        mine = np.array([code[0] == color and code[1] != "." and len(code) == 2 for code in codes])
        if mine.any():
            blue, green, red = (round(float(part), 3) for part in np.median((token - square)[mine], axis=0))
            found.append((way, (blue, green, red)))
    return tuple(colors), tuple(found)


def _halves(translation: Translation | None) -> list[Translation | None]:
    """What the odd squares have taught, by which the even ones are read, and the other way round."""
    if translation is None or not (translation.examples or translation.letters):
        return [translation]
    examples, letters = translation.examples, translation.letters
    return [replace(translation, examples=examples[n::2], letters=letters[n::2]) for n in (1, 0)]


def _tints(patches: Patches, lesson: Lesson, but_tokens: bool) -> Iterator[tuple[Tint, str]]:
    """The set's colors, each once, what it is in the kit, and on which kind of square it was found. Squares with a
    token do not count where tokens are not of their squares' colors."""
    field = lesson.labels.field
    seen: list[Tint] = []
    kinds, codes, ppu = np.array(lesson.kinds()), np.array(lesson.codes()), CUTS[field].ppu
    if field in ON_THE_MAT:
        blue, green, red = (float(level) for level in mat_color(lesson.image, lesson.pose, lesson.light))
        seen.append(Tint((blue, green, red), (blue, green, red)))
        yield seen[0], "mat"
    for name, kind in KINDS[field].items():
        mine = patches[kinds == name]
        if not len(mine) or (but_tokens and len(name) > 1):
            continue
        ground = None
        marks = np.array([_where_marks_are(code, ppu) for code in codes[kinds == name]])
        paper = next((t.color for t in seen if t.way == kind.way and t.mostly), None) if kind.marks == GREEN else None
        found = list(_colors(mine, kind, marks, ppu, paper))
        for color, mostly in found:
            meant = (kind.body if mostly else kind.marks) or color
            alike = [t for t in seen if t.way == kind.way and distances(color, t.color)[0, 0] < ALIKE]
            if not alike:
                seen.append(Tint(color, meant, kind.way, mostly, None if mostly or kind.spot else ground))
                yield seen[-1], name
            if mostly:
                ground = alike[0].color if alike else color


def _marked_alike(tints: tuple[Tint, ...]) -> tuple[Tint, ...]:
    """Whose a piece is goes by its color; its marks are read by the kit's that are as dark or as light against it."""
    found = list(tints)
    for way in {tint.way for tint in tints if tint.way}:
        marks = [tint for tint in tints if tint.way == way and tint.ground]
        if not marks:
            continue
        light = sum(marks[0].color) > sum(marks[0].ground or ())
        body, ink = (BLUE if way == 3 else RED, WHITE) if light else (WHITE, BLACK)
        for n, tint in enumerate(tints):
            if tint.way == way:
                found[n] = replace(tint, meant=body if tint.mostly else ink)
    return tuple(found)


def _colors(patches: Patches, kind: Kind, marks: Mask, ppu: float, known: Color | None) -> Iterator[tuple[Color, bool]]:
    """The colors of squares of one kind, and whether each is what they are mostly of. `marks` is where the marks of
    each square should be, as far as that is known; `known` is what the marks are on, where that was seen on other
    squares."""
    axis = np.abs(np.arange(SIDE) + 0.5 - SIDE / 2) / ppu
    away = np.hypot(axis[:, None], axis[None])
    edge = np.maximum(axis[:, None], axis[None])
    if kind.spot:
        if kind.body:
            yield _middle(_pixels(patches, (away > kind.reach - RIM) & (edge < kind.reach), 0)), True
        yield _middle(_pixels(patches, away < SPOT, -1 if kind.marks != BLUE and kind.marks != WHITE else 0)), False
        return
    pixels = _pixels(patches, edge < kind.reach, 0)
    if kind.body is None:
        for shade in _shades(pixels, 2):
            yield shade, True
        return
    body = known or _middle(pixels)
    yield body, True
    if kind.marks:
        where = marks & (edge < kind.reach)
        pixels = patches[:, :3].transpose(0, 2, 3, 1)[where]
        far = distances(pixels, body)[:, 0]
        marked = far > MARKED
        if marked.mean() > FEW:
            yield _middle(pixels[marked & (far >= np.median(far[marked]))]), False


def _where_marks_are(code: str, ppu: float) -> Mask:
    """The part of a square in which its marks are: the pips of a die, the shafts of arrows; else anywhere."""
    axis = (np.arange(SIDE) + 0.5 - SIDE / 2) / ppu
    x, y = axis[None, :], -axis[:, None]
    if (face := code[1:]) in PIPS and code[0] in DIE_COLORS:
        return np.asarray(np.any([np.hypot(x - PIP * i, y - PIP * j) < PIP_RADIUS for i, j in PIPS[face]], axis=0))
    if code[1:] == "K":
        return np.asarray(np.hypot(x, y) < PIP_RADIUS)
    if (triple := code.rstrip("~")) in TRIPLES:
        turns = [np.radians(90 - 45 * DIRECTIONS.index(name)) for name in triple.split("-")]
        ways = [(np.cos(turn), np.sin(turn)) for turn in turns]
        shafts = [(abs(x * s - y * c) < SHAFT) & (x * c + y * s > SHAFT) & (x * c + y * s < 0.3) for c, s in ways]
        return np.asarray(np.any(shafts, axis=0))
    return np.ones((SIDE, SIDE), bool)


def _pixels(patches: Patches, where: Floats, plane: int) -> Floats:
    planes = patches.reshape(len(patches), -1, 3, SIDE, SIDE)[:, plane]
    return np.asarray(planes[:, :, where].transpose(0, 2, 1).reshape(-1, 3))


def _middle(pixels: Floats) -> Color:
    blue, green, red = (float(level) for level in np.median(pixels, axis=0))
    return blue, green, red


def _shades(pixels: Floats, count: int) -> list[Color]:
    ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    some = pixels[:: max(1, len(pixels) // 4000)]
    cv2.setRNGSeed(1)
    labels = np.zeros((len(some), 1), np.int32)
    of = np.ravel(cv2.kmeans(in_log_space(some), count, labels, ends, 3, cv2.KMEANS_PP_CENTERS)[1])
    return [_middle(some[of == k]) for k in range(count) if (of == k).any()]
