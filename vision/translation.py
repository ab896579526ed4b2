"""A table's own colors in terms of the kit's: green dice are read as if they were white, a yellow peg as a red one.

Colors lie in a space of logarithms in which shade counts less than hue. Each color of the set has its place there, and
what it is to become; any other color moves as the colors near to it do, and what is far from all of them stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
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
MOST_WAYS = 4
DRIFT, DRIFTS_WITHIN, ENOUGH = 0.1, 0.3, 40  # how much of the way a color goes; how far off it may be; pixels of it
_FACE = slice(5, 27)  # of a patch: the upper side of a die
_MIDDLE = slice(8, 24)  # of a patch: where the piece on a cell is

Bytes = npt.NDArray[np.uint8]
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


def _mixed(one: Color, two: Color, share: float) -> Floats:
    return (1 - share) * np.array(one) + share * np.array(two)


@dataclass(frozen=True)
class Translation:
    tints: tuple[Tint, ...]
    usual: float = 0.0  # how far from them what was seen was, on the whole, when they were learned
    on_white: bool = False  # clear things are seen better as if they stood on the kit's white

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

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
        return cls(tuple(tints), float(data["usual"]), bool(data["on_white"]))

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
        """Patches (cell, plane × color, row, column) in the kit's colors."""
        if len(self._tables) == 1:
            return _moved(patches, self._tables[0])
        out, ways = patches.copy(), self.ways(patches)
        for way in range(1, len(self._tables)):
            mine = np.flatnonzero(ways == way)
            # Around a die are its sides and the board, in whose shadows nothing is marked.
            found = _moved(patches[mine], self._plain_tables[way])
            found[:, :3, _FACE, _FACE] = _moved(patches[mine, :3, _FACE, _FACE], self._tables[way])
            out[mine] = found
        return out

    def behind_glass(self, patches: Bytes) -> Bytes:
        """Patches in which clear tinted things are to be seen: through them, no color is quite one of the set's. They
        are left as they are, or lit so that the set's brightest ground becomes the kit's, whichever was better."""
        grounds = [tint for tint in self._bodies if tint.meant != tint.color]
        if not grounds or not self.on_white:
            return patches
        ground = max(grounds, key=lambda tint: sum(tint.meant))
        gain = (np.array(ground.meant) + VEIL) / (np.array(ground.color) + VEIL)
        gains = np.tile(gain, patches.shape[1] // 3)[None, :, None, None].astype(np.float32)
        return np.asarray(np.clip((patches + VEIL) * gains - VEIL, 0, 255), np.uint8)

    def of_sheet(self, sheet: Bytes) -> Bytes:
        """A picture, colors last, in the kit's colors."""
        moves = np.take(self._tables[0], _places(*np.moveaxis(sheet, -1, 0)), axis=0)
        return np.asarray(np.clip(sheet + moves, 0, 255), np.uint8)

    def ways(self, patches: Bytes) -> npt.NDArray[np.intp]:
        """Of which kind each cell is, by what its middle is mostly of on the first plane."""
        return np.asarray(self.shares(patches)[0].argmax(axis=1), np.intp)

    def shares(self, patches: Bytes) -> npt.NDArray[np.float32]:
        """Per plane, cell and kind: how much of the cell's middle has the color that cells of that kind mostly have."""
        kinds = np.array([tint.way if tint.mostly else -1 for tint in self.tints])
        count = len(self._tables)
        planes = []
        for first in range(0, patches.shape[1], 3):
            blue, green, red = (patches[:, first + k, _MIDDLE, _MIDDLE] for k in range(3))
            of = kinds[self._nearest[_places(blue, green, red)]].reshape(len(patches), -1)
            planes.append(np.stack([np.mean(of == way, axis=1) for way in range(count)], axis=1))
        return np.asarray(planes, np.float32)

    @cached_property
    def _bodies(self) -> list[Tint]:
        return [tint for tint in self.tints if tint.mostly]

    @cached_property
    def _nearest(self) -> Bytes:
        return np.asarray(distances(_ALL, [tint.color for tint in self.tints]).argmin(axis=1), dtype=np.uint8)

    @cached_property
    def _tables(self) -> list[Moves]:
        """Per kind of cell how far each color moves."""
        ways = range(1 + max((tint.way for tint in self.tints), default=0))
        return [_table([tint for tint in self.tints if tint.way == way] + self._around(way)) for way in ways]

    @cached_property
    def _plain_tables(self) -> list[Moves]:
        """The same where there are no marks."""
        ways = range(len(self._tables))
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


def _table(tints: list[Tint]) -> Moves:
    """How far every color moves: as the tints near to it do."""
    grounds = {tint.color: tint for tint in tints}
    away, moves = [], []
    for tint in tints:
        ground = grounds.get(tint.ground) if tint.ground else None
        far, shift = _along(ground, tint) if ground else _to(tint)
        away.append(far)
        moves.append(shift)
    if not tints:
        return np.zeros((len(_ALL), 3), np.int16)
    far = np.stack(away, axis=1)
    weight = np.exp(
        -0.5 * ((far - far.min(axis=1, keepdims=True)) / NEAR) * ((far + far.min(axis=1, keepdims=True)) / NEAR)
    )
    weight /= weight.sum(axis=1, keepdims=True)
    weight /= 1 + np.exp((far.min(axis=1, keepdims=True) - FAR) / FADES)
    moved = (_ALL + VEIL) * (np.exp(np.einsum("ct,tck->ck", weight, np.stack(moves))) - 1)
    return np.asarray(np.clip(np.round(moved), -255, 255), np.int16)


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
    shift = np.log((meant + VEIL) / (mixed + VEIL))
    moves = np.stack([np.interp(reached, shares[:, 0], shift[:, k]) for k in range(3)], axis=1)
    return ASIDE * np.linalg.norm(in_log_space(_ALL) - at, axis=1), moves


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
