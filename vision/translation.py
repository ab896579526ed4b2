"""A table's own colors in terms of the kit's: green dice are read as if they were white, a yellow peg as a red one.

Colors lie in a space of logarithms in which shade counts less than hue. Each color of the set has its place there, and
what it is to become; any other color moves as the colors near to it do, and what is far from all of them stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.codes import COLORS
from vision.fields import Floats

BITS = 5  # of each of blue, green and red that count in the tables
VEIL = 30.0  # levels: darker colors differ in noise only
SHADE = 0.6  # how much a difference of brightness counts, against one of hue
NEAR, FAR = 0.12, 1.2  # within how far a color moves with a color of the set, and from where on it stays
ASIDE = 0.6  # how much it counts to be beside the way from a color to that of the marks on it
FADES = 0.05
BETWEEN = 16  # steps on that way
STRONGER = 1.3
CLEAR = 0.4  # a color of the board as near as this to one of a piece is taken for the piece's, on its cells
UNLIKE = 0.3  # marks this far from what cells of another kind are of tell of which kind a cell is
ALONE = 3  # so few cells are no measure
NEVER_SEEN = 0.6  # how far the color of a pawn that was not seen counts to be
SAME = 0.06  # how far the same thing may differ from square to square
EXAMPLES_SAY, MOST_SAID = 6.0, 6.0  # how much examples say, as a logarithm
# How pawns tinge a pale tile, blue and red against green and the brightness: the kit's, and how far others may differ.
KIT_PAWNS = {
    "square1": (-0.5, 0.2, -0.2),
    "square2": (0.0, 0.55, -0.25),
    "round1": (0.35, -0.2, -0.25),
    "round2": (-0.4, -0.4, -0.2),
}
PAWNS_DIFFER, KIT_PAWNS_DIFFER = 0.15, 0.35
GROUND, INKED = 0.3, 0.15  # of the middle of a tile, what has the least of ink and what has the most
TINGED_LEAST, USUAL_TINGES = 0.02, (0.06, 0.03, 0.04)  # how far these differ from tile to tile, along ink and aside
# From how many times as far on that speaks for a pawn, and how much. In 24 pictures of six sets tiles with arrows
# differed by up to 5.4, and those with a pawn on them by 7.5 at least.
TINGED, TINGE_SAYS, LEAST_SAID, MOST_TINGED = 6.3, 1.0, -4.0, 8.0
PLAIN_DIFFERS = 2.0  # times as far on other tiles, which are not all alike
TILE_DIFFERS = 0.2  # from tile to tile of one kind
DOT_SIGNS = 37  # numbers that tell a tile's edge with a dot, see `vision.dots`
PRINT_SIGNS = 480  # bytes that tell of a square's print, see `vision.letters`
UNKNOWN = (128.0, 128.0, 128.0)
SQUARES_DIFFER, ROUNDS, FEW_PLANKS = 0.15, 4, 2  # how far squares of one color do; planks that do not tell of the light
_ORDERS = np.array(list(permutations(range(len(COLORS)))))
# How far tokens of one color do, and at least; what that says at most; so few do not tell of the lamp.
DISCS_DIFFER, DISCS_ALIKE, DISCS_SAY, FEW_TOKENS = 0.13, 0.05, 12.0, 3
COIN_ON_ITS_LIKE = 0.1  # how far a coin is from a square of its own color
# How much paler coins may be than they were, how often they are compared before their tint is known, and what it counts
# that light hardly ever changes so much.
PALER, SHIFTS, UNUSUAL = (0.55, 0.65, 0.75, 0.87, 1.0, 1.15, 1.3), 2, 0.02
METAL = np.array([1.0, 1.0, 0.25] * 2)  # how much hue and brightness of a coin's middle and rim tell of its metal
COIN_SIGNS, COINS_SAY, COINS_DIFFER = 6, 10.0, 0.08  # how much tokens of one kind do, in the space of colors
STEP, MOST_OFF = 0.05, 0.5  # of a color in another light, as logarithms: how finely it is told, how far it may be off
MOST_WAYS = 4
PARTS = ("", "face", "tile", "token")
DRIFT, DRIFTS_WITHIN, ENOUGH = 0.1, 0.3, 40  # how much of the way a color goes; how far off it may be; pixels of it
_SIDE = 32  # of a patch, in pixels
_FACE = slice(5, 27)  # of a patch: the upper side of a die
_MIDDLE = slice(8, 24)  # of a patch: where the piece on a cell is
_AXIS = (np.arange(_SIDE) + 0.5) / _SIDE - 0.5
_AWAY = np.hypot(_AXIS[:, None], _AXIS[None])
_EDGE = np.maximum(np.abs(_AXIS)[:, None], np.abs(_AXIS)[None])
# By which part of a patch the kind of a cell is told: of a die its middle, of a tile its border, where arrows and pawns
# hardly reach, and of a plank the token's disc and what is around that.
_INNER = _EDGE < 0.25
_BORDER = (_EDGE > 0.32) & (_EDGE < 0.43)
_DISC, _ON_DISC = _AWAY < 0.44, _AWAY < 0.32
_SPOT = _AWAY < 0.2
_UNDER, _BESIDE_PRINT = (_AWAY > 0.06) & (_AWAY < 0.25), (_EDGE > 0.365) & (_EDGE < 0.44)
_HOLE, _AROUND = _AWAY < 0.075, (_AWAY > 0.13) & (_AWAY < 0.22)
_OUTER = (_EDGE > 0.28) & (_EDGE < 0.35) & (_AWAY > 0.36)
_RIM = (_AWAY > 0.3) & (_AWAY < 0.4)
_BODY = (_AWAY > 0.26) & (_AWAY < 0.35)  # of a token, where hardly any letter reaches
_CORNERS = (_AWAY > 0.46) & (_EDGE < 0.46)

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Moves = npt.NDArray[np.int16]
Color = tuple[float, float, float]  # blue, green, red


@dataclass(frozen=True)
class Tint:
    """A color of the set and what it is to become: blue, green, red where paper is at `light.WHITE`. `way` tells
    which kind of cell it belongs to, where one color may mean two things."""

    color: Color
    meant: Color
    way: int = 0
    mostly: bool = True  # a cell of this kind is mostly of this color
    ground: Color | None = None  # the color that marks of this one are on: what is blurred lies between the two


def _color(levels: Iterable[float]) -> Color:
    blue, green, red = (round(float(level), 1) for level in levels)
    if not all(0 <= level <= 255 for level in (blue, green, red)):
        raise ValueError
    return blue, green, red


def color_of(logs: Floats) -> Color:
    """The color of which these are the logarithms of blue, green and red."""
    return _color(np.clip(np.exp(logs) - VEIL, 0, 255))


def _seen(patches: Bytes) -> npt.NDArray[np.uint8]:
    """Some pixels of the middles of cells."""
    return patches[:, :3, _MIDDLE, _MIDDLE][:, :, ::2, ::2].transpose(0, 2, 3, 1).reshape(-1, 3)


def signs_of(patches: Bytes) -> npt.NDArray[np.float32]:
    """What cells of a board with holes are told apart by: the colors of their middle, of what is around it and of
    their corners, on the board and above it."""
    parts = []
    for plane, where in ((0, _HOLE), (0, _AROUND), (0, _OUTER), (-1, _HOLE), (-1, _AROUND)):
        first = plane % (patches.shape[1] // 3) * 3
        parts.append(in_log_space(np.median(patches[:, first : first + 3][:, :, where], axis=2)))
    return np.concatenate(parts, axis=1)


def coin_signs_of(patches: Bytes) -> npt.NDArray[np.float32]:
    """What coins are told apart by: the colors of their middle and of their rim."""
    parts = [in_log_space(np.median(patches[:, :3][:, :, where], axis=2)) for where in (_SPOT, _RIM)]
    return np.concatenate(parts, axis=1)


def token_and_square(patches: Bytes) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The colors of squares of planks and of the tokens on them, as logarithms."""
    square = np.median(patches[:, -3:][:, :, _CORNERS], axis=2)
    token = np.median(patches[:, :3][:, :, _BODY], axis=2)
    return np.log(square + np.float32(VEIL)), np.log(token + np.float32(VEIL))


def coins_apart(signs: Floats, others: Floats) -> npt.NDArray[np.float32]:
    """How far coins are from others by their metals: how bright they are is the lamp's."""
    return np.asarray(np.linalg.norm((signs - others) * METAL, axis=-1), np.float32)


def _mixed(one: Color, two: Color, share: float) -> Floats:
    return (1 - share) * np.array(one) + share * np.array(two)


@dataclass(frozen=True)
class Translation:
    tints: tuple[Tint, ...]
    parts: str = ""  # what of a cell is of one kind: "" any pixel by itself, or "face", "tile", "token"
    usual: float = 0.0  # how far from them what was seen was, on the whole, when they were learned
    pawns: tuple[tuple[str, tuple[float, ...]], ...] = ()  # how clear things tinge what is under them
    examples: tuple[tuple[str, tuple[float, ...]], ...] = ()  # cells and what lay on them, as they were seen
    owners: tuple[tuple[str, tuple[float, ...]], ...] = ()  # whose token looks how, where it is not a letter that tells
    letters: tuple[
        tuple[str, str, float], ...
    ] = ()  # squares that were shown: owners or ".", their print, its strength
    squares: tuple[Color, ...] = ()  # of planks, in the order of their ways
    discs: tuple[
        tuple[int, tuple[float, ...]], ...
    ] = ()  # by ways, how tokens differ from squares of their own color, as logarithms of blue, green and red
    dots: tuple[float, ...] = ()  # by which the side of a tile's dot is known, see `vision.dots`

    def as_json(self) -> dict[str, Any]:
        kept = asdict(self)
        kept["tinges"] = kept.pop("pawns")  # under another name than what was kept of them before
        return kept

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Translation:
        """Raises KeyError, TypeError or ValueError where it is none."""
        tints = [
            Tint(
                _color(tint["color"]),
                _color(tint["meant"]),
                int(tint["way"]),
                bool(tint["mostly"]),
                None if tint["ground"] is None else _color(tint["ground"]),
            )
            for tint in data["tints"]
        ]
        if not tints or not all(0 <= tint.way <= MOST_WAYS for tint in tints):
            raise ValueError
        parts = str(data["parts"])
        if parts not in PARTS:
            raise ValueError
        pawns = [(str(name), tuple(float(part) for part in seen)) for name, seen in data.get("tinges", ())]
        if not all(len(seen) == len(KIT_PAWNS["square1"]) for _, seen in pawns):
            raise ValueError
        examples = [(str(code), tuple(float(part) for part in seen)) for code, seen in data["examples"]]
        if len({len(seen) for _, seen in examples}) > 1 or not np.isfinite([seen for _, seen in examples]).all():
            raise ValueError
        owners = [(str(owner), tuple(float(part) for part in seen)) for owner, seen in data.get("owners", ())]
        if not all(len(seen) == COIN_SIGNS for _, seen in owners) or not np.isfinite([s for _, s in owners]).all():
            raise ValueError
        letters = [(str(owner), str(text), float(strong)) for owner, text, strong in data.get("letters", ())]
        if not all(len(bytes.fromhex(text)) == PRINT_SIGNS and np.isfinite(by) for _, text, by in letters):
            raise ValueError
        dots = tuple(float(weight) for weight in data.get("dots", ()))
        if len(dots) not in (0, DOT_SIGNS) or not np.isfinite(dots).all():
            raise ValueError
        discs = [(int(way), tuple(float(part) for part in by)) for way, by in data.get("discs", ())]
        if not all(len(by) == 3 for _, by in discs) or not np.isfinite([by for _, by in discs]).all():
            raise ValueError
        squares = tuple(_color(color) for color in data.get("squares", ()))
        if len(squares) not in (0, len(COLORS)):
            raise ValueError
        known = tuple(pawns), tuple(examples), tuple(owners), tuple(letters), squares, tuple(discs), dots
        return cls(tuple(tints), parts, float(data["usual"]), *known)

    def strangeness(self, patches: Bytes) -> float:
        """How far what is seen is from the set's colors, on the whole."""
        return float(distances(_seen(patches), [tint.color for tint in self.tints]).min(axis=1).mean())

    def drifted(self, patches: Bytes) -> Translation:
        """The colors moved a little towards what is seen of each now, as the light of a room changes in an evening."""
        seen = _seen(patches)
        away = distances(seen, [tint.color for tint in self.tints])
        nearest, near = away.argmin(axis=1), away.min(axis=1) < DRIFTS_WITHIN
        moved = {}
        for k, tint in enumerate(self.tints):
            mine = seen[(nearest == k) & near]
            if tint.mostly and len(mine) >= ENOUGH:
                moved[tint.color] = _color(_mixed(tint.color, _color(np.median(mine, axis=0)), DRIFT))
        tints = [
            replace(
                tint,
                color=moved.get(tint.color, tint.color),
                meant=moved.get(tint.color, tint.color) if tint.meant == tint.color else tint.meant,
                ground=moved.get(tint.ground, tint.ground) if tint.ground else None,
            )
            for tint in self.tints
        ]
        return replace(self, tints=tuple(tints))

    def of_patches(self, patches: Bytes, colors: npt.NDArray[np.intp] | None = None) -> Bytes:
        """Patches (cell, plane × color, row, column) in the kit's colors. Tiles are read as black on white and
        not by these. Of planks `colors` is which color each cell has."""
        if self.parts == "":
            return _moved(patches, self._tables[0])
        out = patches.copy()
        if self.parts == "token":
            around = self.of_planks(patches).argmax(axis=1) if colors is None else colors
            for way in range(1, self._ways):  # tokens lie on squares of their own color
                mine = patches[around == way - 1]
                plain = _moved(mine, self._plain_tables[way])
                out[around == way - 1] = np.where(_DISC, _moved(mine, self._tables[way]), plain)
            return out
        inner = self.kinds(patches[:, :3], _INNER)
        for way in range(1, len(self._tables)):
            mine = np.flatnonzero(inner == way)
            # Around a die are its sides and the board, in whose shadows nothing is marked.
            found = _moved(patches[mine], self._plain_tables[way])
            found[:, :3, _FACE, _FACE] = _moved(patches[mine, :3, _FACE, _FACE], self._tables[way])
            out[mine] = found
        return out

    def adapted(self, patches: Bytes) -> Translation:
        """The same colors as the light of this picture shows them: those of each kind are shifted by as much as cells
        of that kind differ from them now. In steps, lest tables be made anew for every look."""
        plane, where, least = (patches[:, -3:], _CORNERS, 1) if self.parts == "token" else (patches[:, :3], _BORDER, 0)
        told = self._told_by[_places(*(plane[:, k][:, where] for k in range(3)))]
        kinds = self.kinds(plane, where, least)
        steps: dict[int, tuple[float, ...]] = {}
        for way in range(self._ways):
            mine = kinds == way
            own = [n for n, tint in enumerate(self._telling) if tint.mostly and tint.way == way]
            by = told[mine]
            seen = plane[mine][:, :, where].transpose(0, 2, 1)[np.isin(by, own)]
            if int(mine.sum()) < ALONE or len(seen) < ENOUGH:
                continue
            usual = np.array([tint.color for tint in self._telling])[by[np.isin(by, own)]]
            off = np.median(np.log((seen + VEIL) / (usual + VEIL)), axis=0)
            if float(np.abs(off).max()) < MOST_OFF:
                steps[way] = tuple(float(step) for step in np.round(off / STEP))
        return _shifted(self, tuple(sorted(steps.items())))

    def by_pawns(self, patches: Bytes, names: Sequence[str]) -> npt.NDArray[np.float32]:
        """Per cell and pawn how well what is seen through the glass agrees with this pawn, as a logarithm: with how it
        looked when it was shown, or else with the kit's of its name."""
        seen, known = self.tinges(patches), dict(self.pawns)
        out = np.empty((len(patches), len(names)), np.float32)
        for k, name in enumerate(names):
            looks = [(KIT_PAWNS[name], KIT_PAWNS_DIFFER), *([(known[name], PAWNS_DIFFER)] if name in known else [])]
            fits = [-0.5 * (np.linalg.norm(seen - np.array(look), axis=1) / by) ** 2 - np.log(by) for look, by in looks]
            out[:, k] = np.max(fits, axis=0)  # on a tile of another color a pawn that was shown looks otherwise
        return np.maximum(out, -MOST_SAID)

    def tinges(self, patches: Bytes) -> npt.NDArray[np.float32]:
        """How the ground in the middle of each tile, where clear pawns stand, differs from its border, in the space of
        colors."""
        return _in_space(self._shades(patches)[0])

    def tinged(self, patches: Bytes, arrows: Floats, symbols: Floats) -> npt.NDArray[np.float32]:
        """What the colors in the middle of each tile say of a clear pawn there, as a logarithm: how much more those of
        ground and ink differ from what they are on most tiles with arrows, of which hardly any has a pawn. `arrows` and
        `symbols` is how likely each tile has them: what is not printed on shows no ink, and a finish is more or less
        filled with it."""
        axes = np.linalg.svd(self._ways_to_inks[:1])[2]  # along the ink and aside
        shades = [seen @ axes.T for seen in self._shades(patches)]
        usual, spread = np.zeros((2, 3)), np.array([USUAL_TINGES, (np.inf,) * 3])
        if (plainly := arrows > 0.9).sum() > ALONE:
            usual = np.array([np.median(seen[plainly], axis=0) for seen in shades])
            off = [np.abs(seen[plainly] - own) for seen, own in zip(shades, usual, strict=True)]
            spread = np.hypot(1.48 * np.median(off, axis=1), TINGED_LEAST)
        ground, inked = ((seen - own) / by for seen, own, by in zip(shades, usual, spread, strict=True))
        ways = (self._ways_to_inks @ axes.T) / spread[0]
        shares = np.maximum(ground @ ways.T / (ways**2).sum(axis=1), 0)
        plain = np.linalg.norm(ground[:, None] - shares[:, :, None] * ways, axis=2).min(axis=1)
        plain = np.where(symbols > 0.5, plain, np.linalg.norm(ground, axis=1)) / PLAIN_DIFFERS
        away = np.where(arrows > 0.5, np.linalg.norm(np.concatenate([ground, inked], axis=1), axis=1), plain)
        return np.asarray(np.clip(TINGE_SAYS * (away - TINGED), LEAST_SAID, MOST_TINGED), np.float32)

    @cached_property
    def _ways_to_inks(self) -> npt.NDArray[np.float32]:
        """From what tiles are printed on to each of their inks, the arrows' first, as logarithms."""
        mine = [tint for tint in self.tints if tint.way == 1]
        body = [tint.color for tint in mine if tint.mostly][:1]
        inks = [tint.color for tint in mine if not tint.mostly]
        if not body or not inks:
            return np.full((1, 3), -1.0, np.float32)
        return np.asarray(np.log(np.array(inks) + VEIL) - np.log(np.array(body) + VEIL), np.float32)

    def _shades(self, patches: Bytes) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The logarithms of what has the least ink, and the most, in the middle of each tile, against its border."""
        logs = np.log(patches[:, :3].astype(np.float32) + np.float32(VEIL))
        off = logs[:, :, _UNDER] - np.median(logs[:, :, _BESIDE_PRINT], axis=2)[:, :, None]
        order = np.argsort(np.einsum("ncp,c->np", off, self._ways_to_inks[0]), axis=1)[:, None]
        count = off.shape[2]
        parts = order[:, :, : round(GROUND * count)], order[:, :, count - round(INKED * count) :]
        ground, inked = (np.take_along_axis(off, part, axis=2).mean(axis=2) for part in parts)
        return ground, inked

    def by_example(self, patches: Bytes, codes: Sequence[str]) -> npt.NDArray[np.float64]:
        """Per cell and code how well it agrees with the cells that were seen with this on them, as a logarithm: 0 for
        the best. What was never seen agrees as well as what agrees middling."""
        out = np.zeros((len(patches), len(codes)))
        if not self.examples:
            return out
        seen, known = signs_of(patches), np.array([signs for _, signs in self.examples])
        of = np.array([code for code, _ in self.examples])
        spread = np.sqrt(np.mean([np.var(known[of == code], axis=0) for code in set(of)], axis=0) + SAME**2)
        away = (((seen[:, None] - known[None]) / spread) ** 2).mean(axis=2)
        least = away.min(axis=1)
        for k, code in enumerate(codes):
            mine = away[:, of == code].min(axis=1) if (of == code).any() else np.median(away, axis=1)
            out[:, k] = -EXAMPLES_SAY * (mine - least) / (1 + least)
        return np.maximum(out, -MOST_SAID)

    def coins_on(self, patches: Bytes) -> npt.NDArray[np.float32]:
        """Per cell how much more like the nearest owner's coin it is than like a bare square, which is all of one
        color, as a logarithm."""
        seen, square = coin_signs_of(patches), _in_space(token_and_square(patches)[0])
        away = np.min([np.linalg.norm(seen - np.array(look), axis=1) for _, look in self.owners], axis=0)
        bare = np.linalg.norm(seen - np.concatenate([square, square], axis=1), axis=1)
        there = (
            bare - away / 2 - COIN_ON_ITS_LIKE
        )  # in another light coins differ from those shown, but not bare squares
        return np.asarray(np.clip(COINS_SAY * there, -MOST_SAID, MOST_SAID), np.float32)

    def by_owners(self, patches: Bytes, owners: Sequence[str], there: Mask) -> npt.NDArray[np.float32]:
        """Per token and owner how well it agrees with that owner's, as a logarithm. `there` is which cells have one: a
        lamp that shines on coins makes all of them paler and of another tint, by as much as brings them nearest to
        those that were shown."""
        seen, fewest = coin_signs_of(patches), np.inf
        best = np.zeros((len(patches), len(self.owners)), np.float32)
        for pale in PALER if there.sum() > FEW_TOKENS else (1.0,):
            looks = np.array([look for _, look in self.owners]) * np.where(METAL == 1, pale, 1.0)
            shown = seen
            for _ in range(SHIFTS if there.sum() > FEW_TOKENS else 0):
                like = coins_apart(shown[there][:, None], looks).argmin(axis=1)
                shown = shown - np.median(shown[there] - looks[like], axis=0)
            away = coins_apart(shown[:, None], looks) / pale
            misses = float(away[there].min(axis=1).mean()) + UNUSUAL * abs(float(np.log(pale))) if there.any() else 0.0
            if misses < fewest:
                fewest, best = misses, away
        out = np.full((len(patches), len(owners)), NEVER_SEEN, np.float32)
        out[:, [owners.index(owner) for owner, _ in self.owners]] = best
        return np.asarray(np.maximum(-0.5 * (out / COINS_DIFFER) ** 2, -MOST_SAID), np.float32)

    def of_sheet(self, sheet: Bytes) -> Bytes:
        """A picture, colors last, in the kit's colors."""
        moves = np.take(self._sheet_table, _places(*np.moveaxis(sheet, -1, 0)), axis=0)
        return np.asarray(np.clip(sheet + moves, 0, 255), np.uint8)

    def kinds(self, plane: Bytes, where: Mask, least: int = 0) -> npt.NDArray[np.intp]:
        """Of which kind each cell is, by what most of a part of it is like."""
        return np.asarray(least + self.alike(plane, where)[:, least:].argmax(axis=1), np.intp)

    def alike(self, plane: Bytes, where: Mask) -> npt.NDArray[np.float32]:
        """Per cell and kind: how much of a part of the cell is more like what cells of that kind are mostly of than
        like what those of any other are."""
        kinds = np.array([tint.way for tint in self._telling])
        of = kinds[self._told_by[_places(*(plane[:, k][:, where] for k in range(3)))]]
        return np.stack([np.mean(of == way, axis=1, dtype=np.float32) for way in range(self._ways)], axis=1)

    def of_tiles(self, patches: Bytes) -> npt.NDArray[np.float32]:
        """How well each cell's border agrees with print, neutral tiles, tiles face down, and with the mat around the
        field, as a logarithm. What was never seen agrees with what nothing else is like."""
        seen = np.median(patches[:, :3][:, :, _BORDER], axis=2)
        away = np.full((len(patches), 4), NEVER_SEEN, np.float32)
        for k, way in enumerate((1, 2, 3)):
            own = [tint.color for tint in self._bodies if tint.way == way]
            if own:
                away[:, k] = distances(seen, own).min(axis=1)
        away[:, 3] = np.diag(distances(seen, patches[:, -3:, 0, 0]))
        return np.asarray(np.maximum(-0.5 * (away / TILE_DIFFERS) ** 2, -MOST_SAID), np.float32)

    def of_planks(self, patches: Bytes) -> npt.NDArray[np.float32]:
        """Per cell how well what is around its token agrees with each color of the planks, as a logarithm. Three cells
        make a plank, which has each color once: what is the same in all three is the light's. What most planks look
        like shows how colors differ in this light."""
        squares = token_and_square(patches)[0].reshape(-1, len(COLORS), 3)
        seen = squares - squares.mean(axis=1, keepdims=True)
        colors = self._square_colors - self._square_colors.mean(axis=0)
        for _ in range(ROUNDS):
            away = np.linalg.norm(_in_space(seen[:, :, None] - colors), axis=3)
            orders = np.array([[away[:, k, color] for k, color in enumerate(order)] for order in _ORDERS])
            best = _ORDERS[(orders**2).sum(axis=1).argmin(axis=0)]
            if len(best) > FEW_PLANKS:
                colors = np.array([np.median(seen[best == color], axis=0) for color in range(len(COLORS))])
        return np.asarray(np.maximum(-0.5 * (away.reshape(-1, 3) / SQUARES_DIFFER) ** 2, -DISCS_SAY), np.float32)

    @cached_property
    def _square_colors(self) -> npt.NDArray[np.float32]:
        """The logarithms of the colors of planks."""
        own = self.squares
        if not own:  # learned before these were kept
            ways = range(1, 1 + len(COLORS))
            own = tuple(next((tint.color for tint in self._bodies if tint.way == way), UNKNOWN) for way in ways)
        return np.asarray(np.log(np.array(own) + VEIL), np.float32)

    def of_tokens(self, patches: Bytes, there: Mask, own: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        """Per cell how well its token, if it has one, agrees with each color of the planks, as a logarithm: tokens
        differ from squares of their color as they did when they were shown. Nearly all lie on squares of their own
        color, so what most of them differ by besides is the lamp's, which shines on them otherwise. `there` is which
        cells have one, `own` which color each cell has."""
        square, token = token_and_square(patches)
        colors = self._square_colors.copy()
        for k in set(own.tolist()):
            colors[k] = np.median(square[own == k], axis=0)
        known = dict(self.discs)
        usual = np.mean(list(known.values()), axis=0) if known else np.zeros(3)
        by = np.array([known.get(1 + k, usual) for k in range(len(COLORS))])
        off = (token - square + colors[own])[:, None] - (colors + by)  # cell, color, channel
        each, spread = np.arange(len(off)), DISCS_DIFFER
        if many := there.sum() > FEW_TOKENS:
            off -= np.median(off[each, own][there], axis=0)
        away = np.linalg.norm(_in_space(off), axis=2)
        if many:
            spread = max(DISCS_ALIKE, float(np.median(away[each, own][there])))
        return np.asarray(np.maximum(-0.5 * (away / spread) ** 2, -DISCS_SAY), np.float32)

    def shares(self, patches: Bytes) -> npt.NDArray[np.float32]:
        """Per plane, cell and kind: how much of the cell's middle has the color that cells of that kind mostly have."""
        kinds = np.array([tint.way if tint.mostly else -1 for tint in self.tints])
        count = self._ways
        planes = []
        for first in range(0, patches.shape[1], 3):
            blue, green, red = (patches[:, first + k, _MIDDLE, _MIDDLE] for k in range(3))
            of = kinds[self._nearest[_places(blue, green, red)]].reshape(len(patches), -1)
            planes.append(np.stack([np.mean(of == way, axis=1) for way in range(count)], axis=1))
        return np.asarray(planes, np.float32)

    @cached_property
    def _ways(self) -> int:
        return 1 + max((tint.way for tint in self.tints), default=0)

    @cached_property
    def _bodies(self) -> list[Tint]:
        return [tint for tint in self.tints if tint.mostly]

    @cached_property
    def _nearest(self) -> Bytes:
        return np.asarray(distances(_ALL, [tint.color for tint in self.tints]).argmin(axis=1), dtype=np.uint8)

    @cached_property
    def _telling(self) -> list[Tint]:
        """The colors that tell of which kind a cell is: what it is mostly of, and marks unlike any other kind's."""
        own = self._bodies
        others = {way: [tint.color for tint in own if tint.way != way] for way in range(1 + MOST_WAYS)}
        marks = [tint for tint in self.tints if not tint.mostly and others[tint.way]]
        return own + [tint for tint in marks if float(distances(tint.color, others[tint.way]).min()) > UNLIKE]

    @cached_property
    def _told_by(self) -> Bytes:
        return np.asarray(distances(_ALL, [tint.color for tint in self._telling]).argmin(axis=1), dtype=np.uint8)

    @cached_property
    def _sheet_table(self) -> Moves:
        """How far colors move where no cells are known yet."""
        return self._tables[0] if self.parts == "" else _table(self._bodies)

    @cached_property
    def _tables(self) -> list[Moves]:
        """Per kind of cell how far each color moves."""
        return [_table(self._kind(way) + self._around(way)) for way in range(self._ways)]

    def _kind(self, way: int) -> list[Tint]:
        return [tint for tint in self.tints if tint.way == way]

    @cached_property
    def _plain_tables(self) -> list[Moves]:
        """The same where there are no marks."""
        ways = range(self._ways)
        bodies = [[tint for tint in self._bodies if tint.way == way] for way in ways]
        return [
            _table(mine + [t for t in self.tints if t.way == 0 and way]) for way, mine in zip(ways, bodies, strict=True)
        ]

    def _around(self, way: int) -> list[Tint]:
        """The colors of the board around a piece, but for those that are too much like the piece's own."""
        own = [tint.color for tint in self.tints if tint.way == way]
        if not way or not own:
            return []
        board = [tint for tint in self.tints if tint.way == 0]
        return [tint for tint in board if float(distances(tint.color, own).min()) > CLEAR]


@lru_cache(maxsize=8)
def _shifted(learned: Translation, steps: tuple[tuple[int, tuple[float, ...]], ...]) -> Translation:
    """A translation whose colors are shifted, per kind by so many steps of blue, green and red."""
    by = {way: STEP * np.array(step) for way, step in steps if any(step)}
    if not by:
        return learned

    def moved(color: Color, way: int) -> Color:
        return _color(np.clip((np.array(color) + VEIL) * np.exp(by.get(way, 0.0)) - VEIL, 0, 255))

    tints = [
        replace(
            tint,
            color=moved(tint.color, tint.way),
            meant=moved(tint.color, tint.way) if tint.meant == tint.color else tint.meant,
            ground=moved(tint.ground, tint.way) if tint.ground else None,
        )
        for tint in learned.tints
    ]
    return replace(learned, tints=tuple(tints))


def _table(tints: list[Tint]) -> Moves:
    """How far every color moves: as the tints near to it do."""
    if not tints:
        return np.zeros((len(_ALL), 3), np.int16)
    far, moves = _away_and_moves(tints)
    weight = np.exp(
        -0.5 * ((far - far.min(axis=1, keepdims=True)) / NEAR) * ((far + far.min(axis=1, keepdims=True)) / NEAR)
    )
    weight /= weight.sum(axis=1, keepdims=True)
    weight /= 1 + np.exp((far.min(axis=1, keepdims=True) - FAR) / FADES)
    moved = (_ALL + VEIL) * (np.exp(np.einsum("ct,tck->ck", weight, moves)) - 1)
    return np.asarray(np.clip(np.round(moved), -255, 255), np.int16)


def _away_and_moves(tints: list[Tint]) -> tuple[Floats, Floats]:
    """How far all colors are from each tint, and how they move with it."""
    grounds = {tint.color: tint for tint in tints}
    away, moves = [], []
    for tint in tints:
        ground = grounds.get(tint.ground) if tint.ground else None
        far, shift = _along(ground, tint) if ground else _to(tint)
        away.append(far)
        moves.append(shift)
    return np.stack(away, axis=1), np.stack(moves)


def _to(tint: Tint) -> tuple[Floats, Floats]:
    """How far all colors are from this one, and how it moves."""
    shift = np.log((np.array(tint.meant) + VEIL) / (np.array(tint.color) + VEIL))
    return distances(_ALL, tint.color)[:, 0], np.broadcast_to(shift, _ALL.shape)


def _along(ground: Tint, tint: Tint) -> tuple[Floats, Floats]:
    """How far all colors are from those between a ground and the marks on it, and how they shift: as far as they are on
    the way from one to the other. Fine marks cover a pixel in part only, and so they are strengthened."""
    shares = np.linspace(0, 1, BETWEEN + 1)[:, None]
    mixed = (1 - shares) * np.array(ground.color) + shares * np.array(tint.color)
    strong = np.minimum(1, STRONGER * shares)
    meant = (1 - strong) * np.array(ground.meant) + strong * np.array(tint.meant)
    places = in_log_space(mixed)
    axis = (places[-1] - places[0]) / max(float(np.sum((places[-1] - places[0]) ** 2)), 1e-6)
    on_axis = np.maximum.accumulate((places - places[0]) @ axis)
    reached = np.interp((in_log_space(_ALL) - places[0]) @ axis, on_axis, shares[:, 0])
    at = np.stack([np.interp(reached, shares[:, 0], places[:, k]) for k in range(3)], axis=1)
    before, after = np.log(mixed + VEIL), np.log(meant + VEIL)
    on_line = np.stack([np.interp(reached, shares[:, 0], before[:, k]) for k in range(3)], axis=1)
    target = np.stack([np.interp(reached, shares[:, 0], after[:, k]) for k in range(3)], axis=1)
    return ASIDE * np.linalg.norm(in_log_space(_ALL) - at, axis=1), target - on_line


def _moved(patches: Bytes, table: Moves) -> Bytes:
    out = np.empty_like(patches)
    for first in range(0, patches.shape[1], 3):
        plane = patches[:, first : first + 3]
        moves = np.take(table, _places(plane[:, 0], plane[:, 1], plane[:, 2]), axis=0)
        out[:, first : first + 3] = np.clip(plane + np.moveaxis(moves, -1, 1), 0, 255)
    return out


def _all_colors() -> npt.NDArray[np.float32]:
    levels = (np.arange(1 << BITS, dtype=np.float32) + 0.5) * (256 >> BITS) - 0.5
    blue, green, red = np.meshgrid(levels, levels, levels, indexing="ij")
    return np.stack([blue.ravel(), green.ravel(), red.ravel()], axis=1)


_ALL = _all_colors()


def _places(blue: Bytes, green: Bytes, red: Bytes) -> npt.NDArray[np.int32]:
    """Where in the tables each pixel's color stands."""
    down = 8 - BITS
    high = ((blue >> down).astype(np.int32) << (2 * BITS)) | ((green >> down).astype(np.int32) << BITS)
    return np.asarray(high | (red >> down), dtype=np.int32)


def in_log_space(colors: Floats) -> npt.NDArray[np.float32]:
    return _in_space(np.log(np.asarray(colors, np.float32) + np.float32(VEIL)))


def _in_space(logs: Floats) -> npt.NDArray[np.float32]:
    """Logarithms of blue, green and red, last: hue, and brightness, which counts less."""
    green = logs[..., 1:2]
    parts = logs[..., :1] - green, logs[..., 2:] - green, SHADE * logs.mean(axis=-1, keepdims=True)
    return np.asarray(np.concatenate(parts, axis=-1), np.float32)


def distances(colors: object, others: object) -> npt.NDArray[np.float32]:
    one, two = (
        in_log_space(np.asarray(colors, np.float32).reshape(-1, 3)),
        in_log_space(np.asarray(others, np.float32).reshape(-1, 3)),
    )
    squared = (one**2).sum(1)[:, None] + (two**2).sum(1)[None] - 2 * one @ two.T
    return np.asarray(np.sqrt(np.maximum(0, squared)), np.float32)
