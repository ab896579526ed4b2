"""Hepta: seven blockers, then the seven I against the seven L. And its solitaire, hepta.7."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from companion.games.position import (
    BadInput,
    CannotBeRead,
    Clues,
    Game,
    Outcome,
    Player,
    Position,
    Reason,
    Scores,
    Solitaire,
    Visible,
    required,
)
from companion.games.squares import SEVEN, SQUARE, bits, cells_of, turned
from companion.games.value import replace, value

T = TypeVar("T")
BLOCKERS = 7
PIECES = 7  # of each shape


@value
class Blocker:
    square: str

    def __str__(self) -> str:
        return f"#{self.square}"


@value
class Choose:
    shape: str

    def __str__(self) -> str:
        return f"={self.shape}"


@value
class Lay:
    shape: str
    cells: tuple[str, ...]

    def __str__(self) -> str:
        return self.shape + "".join(self.cells)


Move = Blocker | Choose | Lay

SHAPES = {"I": [(0, 0), (1, 0), (2, 0)], "L": [(0, 0), (1, 0), (0, 1)]}
WAYS = {shape: turned(points) for shape, points in SHAPES.items()}
LAYS = {
    shape: {Lay(shape, cells): squares for n in range(SEVEN.size) for cells, squares in SEVEN.laid(ways, n)}
    for shape, ways in WAYS.items()
}


def read(text: str) -> Move:
    if found := re.fullmatch(f"#({SQUARE})", text):
        return Blocker(found[1])
    if text in ("=I", "=L"):
        return Choose(text[1])
    if found := re.fullmatch(f"([IL])((?:{SQUARE}){{3}})", text):
        return Lay(found[1], cells_of(found[2]))
    raise CannotBeRead(text=text)


def read_solo(text: str) -> Lay:
    move = read(text)
    if not isinstance(move, Lay):
        raise CannotBeRead(text=text)
    return move


def cannot_lie(move: Lay, taken: int, rule: str) -> Reason | None:
    """Why a piece cannot be laid on a board of which these squares are taken."""
    if outside := SEVEN.outside(move.cells):
        return Reason(rule, "outside", {"square": outside})
    if move not in LAYS[move.shape]:
        return Reason(rule, "not-that-shape", {"piece": move.shape, "cells": " ".join(move.cells)})
    if overlap := LAYS[move.shape][move] & taken:
        return Reason(rule, "overlap", {"square": SEVEN.named(overlap)[0]})
    return None


def room(shape: str, taken: int) -> Iterator[Lay]:
    """Where a piece of this shape can lie."""
    return (lay for lay, squares in LAYS[shape].items() if not squares & taken)


def picture(blockers: int, taken: int) -> Visible:
    return SEVEN.picture(lambda n: "#" if blockers >> n & 1 else "x" if taken >> n & 1 else ".")


def plates(covered: int) -> list[Lay]:
    """Covered squares as pieces, plate by plate; what is no tromino is a plate of shape `?`."""
    found = []
    for plate in SEVEN.groups(covered):
        cells = SEVEN.named(plate)
        found.append(next((lay for s in "IL" if (lay := Lay(s, cells)) in LAYS[s]), Lay("?", cells)))
    return found


def stood(seen: Visible, pieces: frozenset[Lay]) -> tuple[int, int, frozenset[Lay], list[Lay]]:
    """What a picture shows: the blockers, the squares that pieces cover, the pieces still there, the new ones."""
    cells = SEVEN.seen(seen, {".", "#", "x"}.__contains__)
    blockers = sum(1 << n for n, cell in enumerate(cells) if cell == "#")
    covered = sum(1 << n for n, cell in enumerate(cells) if cell == "x")
    if blockers.bit_count() > BLOCKERS:
        raise BadInput("stood", "too-many", what="blockers", most=BLOCKERS)
    kept = frozenset(lay for lay in pieces if not SEVEN.set_of(lay.cells) & ~covered)
    new = covered & ~SEVEN.set_of(cell for lay in kept for cell in lay.cells)
    return blockers, covered, kept, plates(new)


def put_at_once(
    may: Mapping[str, frozenset[str]], code: str, taken: int, piece: Callable[[str], T]
) -> Iterator[tuple[list[T], list[T]]]:
    """Pieces of one kind put on free squares at one go: all that are surely there, then one more that may be."""
    free = [square for square, codes in may.items() if code in codes and not taken & SEVEN.bit[square]]
    sure = [piece(square) for square in sorted(free) if len(may[square]) == 1]
    if sure:
        yield sure, []
    yield from ((sure, [piece(square)]) for square in sorted(free) if len(may[square]) > 1)


def no_turn(position: Position[Any], gone: frozenset[Lay], added: list[Lay], rule: str) -> Reason:
    """Why these pieces cannot have been laid, and taken away, in one turn."""
    if gone:
        return Reason(rule, "taken-away", {"square": min(gone, key=str).cells[0]})
    if len(added) != 1:
        return Reason(rule, "one-piece" if added else "unexplained", {})
    if added[0].shape == "?":
        return Reason(rule, "not-a-tromino", {"cells": " ".join(added[0].cells)})
    return position.why_not(added[0]) or Reason(rule, "unexplained", {})


@value
class Hepta(Position[Move]):
    players = ("first", "second")

    to_move: Player | None = "first"
    blockers: int = 0
    second_has: str = ""  # the shape that the second player chose
    pieces: frozenset[Lay] = frozenset()
    taken: int = 0  # blockers and pieces
    laid: tuple[int, int] = (0, 0)  # by the first and by the second player

    @property
    def mid_turn(self) -> bool:
        return self.to_move == "first" and not self.second_has and self.blockers > 0

    def shape(self, player: Player) -> str:
        return self.second_has if player == "second" else "L" if self.second_has == "I" else "I"

    def moves(self) -> Iterator[Move]:
        if self.to_move is None:
            return
        if self.second_has:
            yield from room(self.shape(self.to_move), self.taken)
        elif self.to_move == "first":
            yield from (Blocker(SEVEN.names[n]) for n in bits(SEVEN.all & ~self.taken))
        else:
            yield from (Choose("I"), Choose("L"))

    def why_not(self, move: Move) -> Reason | None:
        if self.to_move is None:
            return Reason("over", "over", {})
        expected = Lay if self.second_has else Blocker if self.to_move == "first" else Choose
        if not isinstance(move, expected):
            now = {Lay: "hepta.lay", Blocker: "hepta.block", Choose: "hepta.choose"}[expected]
            return Reason("turn", "wrong-phase", {"player": self.to_move, "now": now})
        match move:
            case Blocker(square):
                if SEVEN.outside([square]):
                    return Reason("hepta.1", "outside", {"square": square})
                if self.taken & SEVEN.bit[square]:
                    return Reason("hepta.1", "square-taken", {"square": square})
            case Lay(shape):
                if shape != self.shape(self.to_move):
                    return Reason("turn", "not-your-shape", {"player": self.to_move, "shape": self.shape(self.to_move)})
                return cannot_lie(move, self.taken, "hepta.3")
        return None

    def play(self, move: Move) -> Hepta:
        match move:
            case Blocker(square):
                blockers = self.blockers | SEVEN.bit[square]
                turn = "second" if blockers.bit_count() == BLOCKERS else "first"
                return replace(self, to_move=turn, blockers=blockers, taken=blockers)
            case Choose(shape):
                return replace(self, second_has=shape)._then("second")
            case Lay(shape):
                first, second = self.laid
                after = replace(
                    self,
                    pieces=self.pieces | {move},
                    taken=self.taken | LAYS[shape][move],
                    laid=(first + 1, second) if self.to_move == "first" else (first, second + 1),
                )
                return after._then("second" if self.to_move == "first" else "first")

    def _then(self, player: Player) -> Hepta:
        """Give the turn to this player, or to the other if he is out (hepta.4)."""
        for turn in (player, "second" if player == "first" else "first"):
            if self.laid[turn == "second"] < PIECES and any(room(self.shape(turn), self.taken)):
                return replace(self, to_move=turn)
        return replace(self, to_move=None)

    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        first, second = self.laid
        return self.ended(None if first == second else "first" if first > second else "second", "most-pieces")

    def points(self) -> Scores:
        return {"first": self.laid[0], "second": self.laid[1]}

    def final_scores(self, winner: Player | None) -> Scores:
        return self.points()

    def visible(self) -> Visible:
        return picture(self.blockers, self.taken)

    def plays(self, clues: Clues) -> Iterator[tuple[Move, ...]]:
        """Blockers are put several at a time; the choice of I or L shows in the piece that is laid next."""
        if self.second_has or self.to_move is None:
            yield from ((move,) for move in self.moves())
        elif self.to_move == "first":
            yield from ((*sure, *rest) for sure, rest in put_at_once(clues.may, "#", self.taken, Blocker))
        else:
            for shape in (Choose("I"), Choose("L")):
                yield from ((shape, lay) for lay in self.play(shape).moves())

    def is_seen(self, move: Move) -> bool:
        return not isinstance(move, Choose)

    def blame(self, seen: Visible) -> Reason:
        blockers, covered, kept, added = stood(seen, self.pieces)
        if not self.second_has and covered:
            return self.why_not(added[0]) or Reason("hepta.3", "unexplained", {})
        if self.to_move != "first" or self.second_has:
            if changed := blockers ^ self.blockers:
                return Reason("hepta.1", "blockers-stay", {"square": SEVEN.named(changed)[0]})
        elif missing := self.blockers & ~blockers:
            return Reason("hepta.1", "taken-away", {"square": SEVEN.named(missing)[0]})
        return no_turn(self, self.pieces - kept, added, "hepta.3")

    def stand(self, seen: Visible, to_move: Player) -> Hepta:
        blockers, covered, kept, added = stood(seen, self.pieces)
        if not self.second_has:
            if covered:
                raise BadInput("stood", "pieces-too-soon")
            turn = "second" if blockers.bit_count() == BLOCKERS else to_move
            return Hepta(to_move=turn, blockers=blockers, taken=blockers)
        count = dict(zip(self.players, self.laid, strict=True))
        by = self.to_move or to_move
        for lay in self.pieces - kept:
            count[self._owner(lay, by)] -= 1
        for lay in added:
            count[self._owner(lay, by)] += 1
        laid = min(max(count["first"], 0), PIECES), min(max(count["second"], 0), PIECES)
        pieces = kept | frozenset(added)
        return replace(self, blockers=blockers, pieces=pieces, taken=blockers | covered, laid=laid)._then(to_move)

    def _owner(self, lay: Lay, by: Player) -> Player:
        return next((player for player in self.players if self.shape(player) == lay.shape), by)


@value
class HeptaSolo(Solitaire[Lay]):
    blockers: int
    pieces: frozenset[Lay] = frozenset()
    taken: int = 0

    def _left(self, shape: str) -> int:
        return PIECES - sum(piece.shape == shape for piece in self.pieces)

    def moves(self) -> Iterator[Lay]:
        for shape in SHAPES:
            if self._left(shape) > 0:
                yield from room(shape, self.taken)

    def why_not(self, move: Lay) -> Reason | None:
        if self.outcome():
            return Reason("over", "over", {})
        if self._left(move.shape) <= 0 and not SEVEN.outside(move.cells):
            return Reason("hepta.7", "used-up", {"piece": move.shape})
        return cannot_lie(move, self.taken, "hepta.7")

    def play(self, move: Lay) -> HeptaSolo:
        return HeptaSolo(self.blockers, self.pieces | {move}, self.taken | LAYS[move.shape][move])

    @property
    def solved(self) -> bool:
        return self.taken == SEVEN.all

    def visible(self) -> Visible:
        return picture(self.blockers, self.taken)

    def blame(self, seen: Visible) -> Reason:
        blockers, _, kept, added = stood(seen, self.pieces)
        if changed := blockers ^ self.blockers:
            return Reason("hepta.7", "blockers-stay", {"square": SEVEN.named(changed)[0]})
        return no_turn(self, self.pieces - kept, added, "hepta.7")

    def stand(self, seen: Visible, to_move: Player) -> HeptaSolo:
        blockers, covered, kept, added = stood(seen, self.pieces)
        return HeptaSolo(blockers, kept | frozenset(added), blockers | covered)


def start(options: Mapping[str, Any], setup: Mapping[str, Any]) -> Hepta:
    return Hepta()


def start_solo(options: Mapping[str, Any], setup: Mapping[str, Any]) -> HeptaSolo:
    blockers = SEVEN.listed(required(setup, "blockers"), "setup.blockers", BLOCKERS)
    return HeptaSolo(blockers, taken=blockers)


HEPTA = Game("hepta", "seven", ("first", "second"), start, read, adds_up="points")
HEPTA_SOLO = Game("hepta-solo", "seven", ("solver",), start_solo, read_solo, setup=("blockers",))
