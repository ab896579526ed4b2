"""Tetrods: twelve pierced tetrominoes laid over thirteen mushrooms."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from companion.errors import MoreThanTheKit, Reason, UnreadableMove
from companion.games.game import Dealing, Game, Options, Setup, required
from companion.games.material import Material, Plate
from companion.games.opening import ChosenSquares
from companion.games.position import AnyPosition, Lying, Phrase, Piece, Seat, Solitaire, Trace, Visible
from companion.games.squares import SEVEN, SQUARE, bits, cells_of, turned
from companion.games.value import value
from companion.games.words import tetrods as words

if TYPE_CHECKING:
    from random import Random

MUSHROOMS = 13

# Each tetrod's squares, the hole first.
TETRODS = {
    "I1": [(0, 0), (1, 0), (2, 0), (3, 0)],  # the end
    "I2": [(1, 0), (0, 0), (2, 0), (3, 0)],  # inner
    "O1": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "T1": [(1, 1), (0, 0), (1, 0), (2, 0)],  # the stem's end
    "T2": [(0, 0), (1, 0), (2, 0), (1, 1)],  # an arm's end
    "T3": [(1, 0), (0, 0), (2, 0), (1, 1)],  # the center
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
    raise UnreadableMove(text=text)


def why_not_lay(move: Lay, used: Iterable[str], taken: int, rule: str) -> Reason | None:
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


def trace_of(lay: Lay) -> Trace:
    return Trace(to=lay.cells, pieces=(Piece("tetrod", lay.name),), holes=(lay.hole,))


def description_of(lay: Lay) -> Phrase:
    return Phrase("tetrods.lay", {"piece": lay.name, "cells": ", ".join(lay.cells), "hole": lay.hole})


def lays_covering(squares: tuple[str, ...], holes: int) -> Iterator[Lay]:
    """Every way to lay a tetrod over these squares, with its hole on one of `holes`, on a board with nothing on it."""
    return (lay for hole in bits(holes) for lay in lays_over(hole) if set(squares) <= set(lay.cells))


def tetrods_left(laid: frozenset[Lay]) -> tuple[Piece, ...]:
    used = {lay.name for lay in laid}
    return tuple(Piece("tetrod", name) for name in TETRODS if name not in used)


def plates_of(laid: frozenset[Lay]) -> Lying:
    return Lying(plates=tuple(sorted(lay.cells for lay in laid)))


def picture(mushrooms: int, covered: int) -> Visible:
    return SEVEN.picture(lambda n: ".ox@"[(mushrooms >> n & 1) + 2 * (covered >> n & 1)])


def tetrods_seen(seen: Visible, laid: frozenset[Lay]) -> tuple[int, int, frozenset[Lay]]:
    """What a picture shows: the mushrooms, the squares covered, and the tetrods that explain them best, by those that
    lay there before."""
    cells = SEVEN.seen(seen, {".", "o", "x", "@"}.__contains__)
    mushrooms = sum(1 << n for n, cell in enumerate(cells) if cell in "o@")
    covered = sum(1 << n for n, cell in enumerate(cells) if cell in "x@")
    if mushrooms.bit_count() > MUSHROOMS:
        raise MoreThanTheKit("stood", "too-many", what="pieces.mushroom", most=MUSHROOMS)
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


def why_not_one_turn(position: AnyPosition, before: frozenset[Lay], after: frozenset[Lay], rule: str) -> Reason:
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
def _lays_over(mushrooms: int) -> tuple[tuple[Lay, int], ...]:
    """The ways to lay a tetrod that have a mushroom in the hole and under no other square."""
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
        for lay, squares in _lays_over(self.mushrooms):
            if not squares & self.covered and lay.name not in used:
                yield lay

    def why_not(self, move: Lay) -> Reason | None:
        if self.outcome():
            return Reason("over", "over", {})
        if reason := why_not_lay(move, {lay.name for lay in self.laid}, self.covered, "tetrods.2"):
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

    def trace(self, move: Lay) -> Trace:
        return trace_of(move)

    def describe(self, move: Lay) -> Phrase:
        return description_of(move)

    def now(self) -> Phrase:
        return Phrase("tetrods.now", {"left": len(TETRODS) - len(self.laid)})

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Lay]:
        return lays_covering(squares, self.mushrooms)

    def lying(self) -> Lying:
        return plates_of(self.laid)

    def beside(self) -> dict[Seat, tuple[Piece, ...]]:
        return {"solver": tetrods_left(self.laid)}

    def visible(self) -> Visible:
        return picture(self.mushrooms, self.covered)

    def future(self) -> Hashable:
        return self.covered, frozenset([lay.name for lay in self.laid])

    def explain_illegal(self, seen: Visible) -> Reason:
        mushrooms, _, laid = tetrods_seen(seen, self.laid)
        if changed := mushrooms ^ self.mushrooms:
            return Reason("tetrods.1", "mushrooms-stay", {"square": SEVEN.named(changed)[0]})
        return why_not_one_turn(self, self.laid, laid, "tetrods.2")

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> Tetrods:
        mushrooms, covered, laid = tetrods_seen(seen, self.laid)
        return Tetrods(mushrooms, laid, covered)


def start(options: Options, setup: Setup) -> Tetrods:
    return Tetrods(SEVEN.listed(required(setup, "mushrooms"), "setup.mushrooms", MUSHROOMS))


def deal(chance: Random, options: Options, number: int) -> dict[str, Any]:
    return {"mushrooms": sorted(chance.sample(SEVEN.names, MUSHROOMS))}


KIT = {".": "bare", "o": "mushroom", "x": "tetrod", "@": "tetrod+mushroom"}
MATERIAL = Material(
    plates=tuple(Plate("tetrod", name, tuple(points), points[0]) for name, points in TETRODS.items()),
    pieces={"mushroom": MUSHROOMS},
)
TETRODS_GAME = Game(
    "tetrods",
    "seven",
    ("solver",),
    start,
    read,
    words.TETRODS,
    pieces=KIT,
    material=MATERIAL,
    setup=("mushrooms",),
    dealing=Dealing.PROBLEM,
    deal=deal,
    opening=ChosenSquares("mushrooms", "o", MUSHROOMS),
    solver="companion.solvers.cover",
    sheets="companion.games.words.tetrods_rules",
)
