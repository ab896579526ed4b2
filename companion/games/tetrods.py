"""Tetrods: twelve pierced tetrominoes, thirteen mushrooms, one way to lie."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from companion.games.position import (
    BadInput,
    CannotBeRead,
    Clues,
    Game,
    Player,
    Position,
    Reason,
    Solitaire,
    Visible,
    required,
)
from companion.games.squares import SEVEN, SQUARE, bits, cells_of, turned
from companion.games.value import value

MUSHROOMS = 13

# Each tetrod's squares, the hole first.
TETRODS = {
    "I1": [(0, 0), (1, 0), (2, 0), (3, 0)],  # the end
    "I2": [(1, 0), (0, 0), (2, 0), (3, 0)],  # inner
    "O1": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "T1": [(1, 1), (0, 0), (1, 0), (2, 0)],  # the stem's end
    "T2": [(0, 0), (1, 0), (2, 0), (1, 1)],  # an arm's end
    "T3": [(1, 0), (0, 0), (2, 0), (1, 1)],  # the centre
    "L1": [(1, 0), (0, 0), (0, 1), (0, 2)],  # the foot's end
    "L2": [(0, 0), (1, 0), (0, 1), (0, 2)],  # the corner
    "L3": [(0, 1), (1, 0), (0, 0), (0, 2)],  # the leg's middle
    "L4": [(0, 2), (1, 0), (0, 0), (0, 1)],  # the leg's end
    "S1": [(0, 0), (1, 0), (1, 1), (2, 1)],  # an end
    "S2": [(1, 0), (0, 0), (1, 1), (2, 1)],  # inner
}


@value
class Lay:
    name: str
    cells: tuple[str, ...]
    hole: str

    def __str__(self) -> str:
        return f"{self.name}{''.join(self.cells)}@{self.hole}"


WAYS = {name: turned(points) for name, points in TETRODS.items()}


@cache
def lays_over(hole: int) -> dict[Lay, int]:
    """Every way to lay a tetrod with its hole on this square, with the squares it covers."""
    name_of_hole = SEVEN.names[hole]
    return {
        Lay(name, cells, name_of_hole): squares
        for name, ways in WAYS.items()
        for cells, squares in SEVEN.laid(ways, hole)
    }


def squares_under(lay: Lay) -> int:
    """The squares that a tetrod covers; none if no tetrod lies like this."""
    return lays_over(SEVEN.number[lay.hole]).get(lay, 0)


def read(text: str) -> Lay:
    if found := re.fullmatch(f"([A-Z][1-9])((?:{SQUARE}){{4}})@({SQUARE})", text):
        return Lay(found[1], cells_of(found[2]), found[3])
    raise CannotBeRead(text=text)


def cannot_lie(move: Lay, used: Iterable[str], taken: int, rule: str) -> Reason | None:
    """Why a tetrod cannot be laid among others; mushrooms are the caller's matter."""
    if move.name not in TETRODS:
        return Reason(rule, "no-such-piece", {"piece": move.name})
    if outside := SEVEN.outside([*move.cells, move.hole]):
        return Reason(rule, "outside", {"square": outside})
    if not squares_under(move):
        params = {"piece": move.name, "cells": " ".join(move.cells), "hole": move.hole}
        return Reason(rule, "not-that-tetrod", params)
    if move.name in used:
        return Reason(rule, "used-up", {"piece": move.name})
    if overlap := squares_under(move) & taken:
        return Reason(rule, "overlap", {"square": SEVEN.named(overlap)[0]})
    return None


def picture(mushrooms: int, covered: int) -> Visible:
    return SEVEN.picture(lambda n: ".ox@"[(mushrooms >> n & 1) + 2 * (covered >> n & 1)])


def stood(seen: Visible, laid: frozenset[Lay]) -> tuple[int, int, frozenset[Lay]]:
    """What a picture shows: the mushrooms, the squares covered, and the tetrods that explain them best."""
    cells = SEVEN.seen(seen, {".", "o", "x", "@"}.__contains__)
    mushrooms = sum(1 << n for n, cell in enumerate(cells) if cell in "o@")
    covered = sum(1 << n for n, cell in enumerate(cells) if cell in "x@")
    if mushrooms.bit_count() > MUSHROOMS:
        raise BadInput("stood", "too-many", what="mushrooms", most=MUSHROOMS)
    kept = frozenset(lay for lay in laid if not SEVEN.set_of(lay.cells) & ~covered)
    new = covered & ~SEVEN.set_of(cell for lay in kept for cell in lay.cells)
    if not new:
        return mushrooms, covered, kept
    used = {lay.name for lay in kept}
    fits = [
        lay for hole in bits(new) for lay, squares in lays_over(hole).items() if squares == new and lay.name not in used
    ]
    pierced = [lay for lay in fits if SEVEN.bit[lay.hole] & mushrooms]
    added = (pierced or fits or [Lay("?", SEVEN.named(new), "")])[0]  # `?`: no tetrod has this shape
    return mushrooms, covered, kept | {added}


def may_lie(lay: Lay, may: Mapping[str, frozenset[str]]) -> bool:
    """Whether a look does not rule out that a tetrod lies there."""
    return all(may[cell] & {"x", "@"} for cell in lay.cells)


def no_turn(position: Position[Any], before: frozenset[Lay], after: frozenset[Lay], rule: str) -> Reason:
    """Why one set of tetrods cannot become another in one turn."""
    if gone := before - after:
        return Reason(rule, "taken-away", {"square": min(gone, key=str).cells[0]})
    if not (added := after - before):
        return Reason(rule, "unexplained", {})
    lay = next(iter(added))
    if lay.name == "?":
        return Reason(rule, "not-a-tetrod", {"cells": " ".join(lay.cells)})
    return position.why_not(lay) or Reason(rule, "unexplained", {})


@cache
def _over(mushrooms: int) -> tuple[tuple[Lay, int], ...]:
    """The lays that have a mushroom in the hole and under no other square."""
    return tuple(
        (lay, squares)
        for hole in bits(mushrooms)
        for lay, squares in lays_over(hole).items()
        if squares & mushrooms == 1 << hole
    )


@value
class Tetrods(Solitaire[Lay]):
    mushrooms: int
    laid: frozenset[Lay] = frozenset()
    covered: int = 0

    def moves(self) -> Iterator[Lay]:
        used = {lay.name for lay in self.laid}
        for lay, squares in _over(self.mushrooms):
            if not squares & self.covered and lay.name not in used:
                yield lay

    def why_not(self, move: Lay) -> Reason | None:
        if self.outcome():
            return Reason("over", "over", {})
        if reason := cannot_lie(move, {lay.name for lay in self.laid}, self.covered, "tetrods.2"):
            return reason
        hole = SEVEN.bit[move.hole]
        if not hole & self.mushrooms:
            return Reason("tetrods.2", "hole-without-mushroom", {"square": move.hole})
        if under := squares_under(move) & self.mushrooms & ~hole:
            return Reason("tetrods.2", "mushroom-under-tetrod", {"square": SEVEN.named(under)[0]})
        return None

    def play(self, move: Lay) -> Tetrods:
        return Tetrods(self.mushrooms, self.laid | {move}, self.covered | squares_under(move))

    @property
    def solved(self) -> bool:
        return len(self.laid) == len(TETRODS) and not any(lay.name == "?" for lay in self.laid)

    def visible(self) -> Visible:
        return picture(self.mushrooms, self.covered)

    def plays(self, clues: Clues) -> Iterator[tuple[Lay, ...]]:
        return ((lay,) for lay in self.moves() if may_lie(lay, clues.may))

    def blame(self, seen: Visible) -> Reason:
        mushrooms, _, laid = stood(seen, self.laid)
        if changed := mushrooms ^ self.mushrooms:
            return Reason("tetrods.1", "mushrooms-stay", {"square": SEVEN.named(changed)[0]})
        return no_turn(self, self.laid, laid, "tetrods.2")

    def stand(self, seen: Visible, to_move: Player) -> Tetrods:
        mushrooms, covered, laid = stood(seen, self.laid)
        return Tetrods(mushrooms, laid, covered)


def start(options: Mapping[str, Any], setup: Mapping[str, Any]) -> Tetrods:
    return Tetrods(SEVEN.listed(required(setup, "mushrooms"), "setup.mushrooms", MUSHROOMS))


TETRODS_GAME = Game("tetrods", "seven", ("solver",), start, read, setup=("mushrooms",))
