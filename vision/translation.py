"""A table's own colors in terms of the kit's: green dice are read as if they were white, a yellow peg as a red one.

Colors lie in a space of logarithms in which shade counts less than hue. Each color of the set has its place there, and
what it is to become; any other color moves as the colors near to it do, and what is far from all of them stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

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
OWN_DIFFERS = 0.2
PAWNS_DIFFER, KIT_PAWNS_DIFFER = 0.15, 0.35
TILE_DIFFERS = 0.2  # from tile to tile of one kind
PRINT_SIGNS = 480  # bytes that tell of a square's print, see `vision.letters`
COIN_SIGNS, COINS_DIFFER = 6, 0.12  # how much tokens of one kind do, in the space of colors
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
_UNDER = (_AWAY > 0.1) & (_AWAY < 0.25)
_HOLE, _AROUND = _AWAY < 0.075, (_AWAY > 0.13) & (_AWAY < 0.22)
_OUTER = (_EDGE > 0.28) & (_EDGE < 0.35) & (_AWAY > 0.36)
_RIM = (_AWAY > 0.3) & (_AWAY < 0.4)
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


def tinge_of(patches: Bytes) -> npt.NDArray[np.float32]:
    """How the colors of tiles' middles, where clear pawns stand, differ from those of their borders."""
    under, around = (in_log_space(np.median(patches[:, :3][:, :, where], axis=2)) for where in (_UNDER, _BORDER))
    return np.asarray(under - around, np.float32)


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
        return cls(
            tuple(tints), parts, float(data["usual"]), tuple(pawns), tuple(examples), tuple(owners), tuple(letters)
        )

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

    def of_patches(self, patches: Bytes) -> Bytes:
        """Patches (cell, plane × color, row, column) in the kit's colors. Tiles are read as black on white and
        not by these."""
        if self.parts == "":
            return _moved(patches, self._tables[0])
        out = patches.copy()
        if self.parts == "token":
            around, within = self.kinds(patches[:, -3:], _CORNERS, 1), self.kinds(patches[:, :3], _ON_DISC, 1)
            for way in range(1, self._ways):
                out[around == way] = _moved(patches[around == way], self._plain_tables[way])
            for way in range(1, self._ways):
                mine = np.flatnonzero(within == way)
                out[mine] = np.where(_DISC, _moved(patches[mine], self._tables[way]), out[mine])
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
        seen, known = tinge_of(patches), dict(self.pawns)
        out = np.empty((len(patches), len(names)), np.float32)
        for k, name in enumerate(names):
            looks = [(KIT_PAWNS[name], KIT_PAWNS_DIFFER), *([(known[name], PAWNS_DIFFER)] if name in known else [])]
            fits = [-0.5 * (np.linalg.norm(seen - np.array(look), axis=1) / by) ** 2 - np.log(by) for look, by in looks]
            out[:, k] = np.max(fits, axis=0)  # on a tile of another color a pawn that was shown looks otherwise
        return np.maximum(out, -MOST_SAID)

    def like_marks(self, patches: Bytes) -> npt.NDArray[np.float32]:
        """How much the middle of each tile is of a color that the set prints with, 0 to 1: a finish is no pawn."""
        marks = [tint.color for tint in self.tints if not tint.mostly]
        if not marks:
            return np.zeros(len(patches), np.float32)
        away = distances(np.median(patches[:, :3][:, :, _UNDER], axis=2), marks).min(axis=1)
        return np.asarray(np.exp(-((away / OWN_DIFFERS) ** 2)), np.float32)

    def unlike_set(self, patches: Bytes) -> npt.NDArray[np.float32]:
        """How much the middle of each tile differs from every color of the set, 0 to 1: something clear tinges it."""
        away = distances(np.median(patches[:, :3][:, :, _UNDER], axis=2), [tint.color for tint in self.tints])
        return np.asarray(1 - np.exp(-((away.min(axis=1) / OWN_DIFFERS) ** 2)), np.float32)

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

    def by_owners(self, patches: Bytes, owners: Sequence[str]) -> npt.NDArray[np.float32]:
        """Per token and owner how well it agrees with that owner's, as a logarithm."""
        seen, known = coin_signs_of(patches), dict(self.owners)
        away = np.full((len(patches), len(owners)), NEVER_SEEN, np.float32)
        for k, owner in enumerate(owners):
            if owner in known:
                away[:, k] = np.linalg.norm(seen - np.array(known[owner]), axis=1)
        return np.asarray(np.maximum(-0.5 * (away / COINS_DIFFER) ** 2, -MOST_SAID), np.float32)

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

    def of_planks(self, patches: Bytes) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Per cell how much of what is around the token, and of the token, is like each color of the planks."""
        return self.alike(patches[:, -3:], _CORNERS)[:, 1:], self.alike(patches[:, :3], _ON_DISC)[:, 1:]

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
    logs = np.log(np.asarray(colors, np.float32) + np.float32(VEIL))
    bright = logs.mean(axis=1, keepdims=True)
    return np.asarray(np.concatenate([logs[:, :1] - logs[:, 1:2], logs[:, 2:] - logs[:, 1:2], SHADE * bright], axis=1))


def distances(colors: object, others: object) -> npt.NDArray[np.float32]:
    one, two = (
        in_log_space(np.asarray(colors, np.float32).reshape(-1, 3)),
        in_log_space(np.asarray(others, np.float32).reshape(-1, 3)),
    )
    squared = (one**2).sum(1)[:, None] + (two**2).sum(1)[None] - 2 * one @ two.T
    return np.asarray(np.sqrt(np.maximum(0, squared)), np.float32)
