"""Hepta: seven blockers, then the seven I against the seven L. And its solitaire, hepta.7."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.errors import BadInput, MoreThanTheKit, Reason, UnreadableMove
from companion.games.game import Badge, Counting, Dealing, Game, MatchRules, Options, Setup, required, wrong_phase
from companion.games.material import Material, Plate
from companion.games.opening import ChosenSquares
from companion.games.position import (
    AnyPosition,
    Counted,
    Lying,
    Outcome,
    Phrase,
    Piece,
    Position,
    Scores,
    Seat,
    Solitaire,
    Trace,
    Visible,
)
from companion.games.squares import SEVEN, SQUARE, bits, cells_of, turned
from companion.games.value import replace, value
from companion.games.words import hepta as words

if TYPE_CHECKING:
    from random import Random

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
    raise UnreadableMove(text=text)


def read_solo(text: str) -> Lay:
    move = read(text)
    if not isinstance(move, Lay):
        raise UnreadableMove(text=text)
    return move


def why_not_lay(move: Lay, taken: int, rule: str) -> Reason | None:
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


def trace_of(move: Lay) -> Trace:
    return Trace(to=move.cells, pieces=(Piece("tromino", move.shape),))


def pieces_left(shape: str, laid: int) -> tuple[Piece, ...]:
    return (Piece("tromino", shape),) * (PIECES - laid)


def lays_covering(squares: tuple[str, ...], shape: str) -> Iterator[Lay]:
    """Every way to lay a shape over these squares, on a board with nothing on it."""
    return (lay for lay in LAYS[shape] if set(squares) <= set(lay.cells))


def plates_of(pieces: frozenset[Lay]) -> Lying:
    return Lying(plates=tuple(sorted(lay.cells for lay in pieces)))


def pieces_covering(squares: int) -> list[Lay]:
    """The connected groups of covered squares as pieces; a group that is not a tromino has the shape `?`."""
    found = []
    for group in SEVEN.groups(squares):
        cells = SEVEN.named(group)
        found.append(next((lay for s in "IL" if (lay := Lay(s, cells)) in LAYS[s]), Lay("?", cells)))
    return found


class Seen(NamedTuple):
    """What a picture shows, interpreted by the pieces that were there before."""

    blockers: int
    covered: int  # the squares that pieces cover
    kept: frozenset[Lay]  # the pieces still there
    added: list[Lay]


def pieces_seen(seen: Visible, pieces: frozenset[Lay]) -> Seen:
    cells = SEVEN.seen(seen, {".", "#", "x"}.__contains__)
    blockers = sum(1 << n for n, cell in enumerate(cells) if cell == "#")
    covered = sum(1 << n for n, cell in enumerate(cells) if cell == "x")
    if blockers.bit_count() > BLOCKERS:
        raise MoreThanTheKit("stood", "too-many", what="pieces.blocker", most=BLOCKERS)
    kept = frozenset(lay for lay in pieces if not SEVEN.set_of(lay.cells) & ~covered)
    new = covered & ~SEVEN.set_of(cell for lay in kept for cell in lay.cells)
    return Seen(blockers, covered, kept, pieces_covering(new))


def why_not_one_turn(position: AnyPosition, gone: frozenset[Lay], added: list[Lay], rule: str) -> Reason:
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

    to_move: Seat | None = "first"
    blockers: int = 0
    second_has: str = ""  # the shape that the second player chose
    pieces: frozenset[Lay] = frozenset()
    taken: int = 0  # blockers and pieces
    laid: tuple[int, int] = (0, 0)  # by the first and by the second player

    @property
    def mid_turn(self) -> bool:
        return self.to_move == "first" and not self.second_has and self.blockers > 0

    def shape(self, player: Seat) -> str:
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
            return wrong_phase(self.to_move, self.now())
        match move:
            case Blocker(square):
                if SEVEN.outside([square]):
                    return Reason("hepta.1", "outside", {"square": square})
                if self.taken & SEVEN.bit[square]:
                    return Reason("hepta.1", "square-taken", {"square": square})
            case Lay(shape):
                if shape != self.shape(self.to_move):
                    return Reason("turn", "not-your-shape", {"player": self.to_move, "shape": self.shape(self.to_move)})
                return why_not_lay(move, self.taken, "hepta.3")
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

    def _then(self, player: Seat) -> Hepta:
        """It is this player's turn, or the other's if this one is out (hepta.4)."""
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

    def final_scores(self, winner: Seat | None) -> Scores:
        return self.points()

    def visible(self) -> Visible:
        return picture(self.blockers, self.taken)

    @property
    def puts_freely(self) -> bool:
        return self.to_move == "first" and not self.second_has

    def put(self, square: str, code: str) -> Move | None:
        return Blocker(square) if code == "#" and not self.taken & SEVEN.bit[square] else None

    def is_seen(self, move: Move) -> bool:
        return not isinstance(move, Choose)

    def decided(self) -> tuple[Counted, ...]:
        """Each piece is a point for who has its shape (hepta.5)."""
        pieces = sorted(self.pieces, key=str)
        return tuple(
            Counted(lay.cells, player, 1) for player in self.players for lay in pieces if self._owner(lay, "") == player
        )

    def trace(self, move: Move) -> Trace:
        match move:
            case Blocker(square):
                return Trace(to=(square,), pieces=(Piece("blocker"),))
            case Lay():
                return trace_of(move)
        return Trace(pieces=(Piece("tromino", move.shape),))

    def describe(self, move: Move) -> Phrase:
        match move:
            case Blocker(square):
                return Phrase("hepta.blocker", {"square": square})
            case Lay(shape, cells):
                return Phrase("hepta.lay", {"piece": shape, "cells": ", ".join(cells)})
        return Phrase("hepta.choose", {"piece": move.shape})

    def now(self) -> Phrase:
        if self.second_has:
            return Phrase("hepta.lay", {"shape": self.shape(self.to_move) if self.to_move else ""})
        left = BLOCKERS - self.blockers.bit_count()
        return Phrase("hepta.block", {"left": left}) if self.to_move == "first" else Phrase("hepta.choose")

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Move]:
        if self.second_has and self.to_move:
            yield from lays_covering(squares, self.shape(self.to_move))
        elif self.to_move == "first":
            yield from map(Blocker, squares[-1:])

    def lying(self) -> Lying:
        return plates_of(self.pieces)

    def beside(self) -> dict[Seat, tuple[Piece, ...]]:
        if self.second_has:
            return {
                player: pieces_left(self.shape(player), laid)
                for player, laid in zip(self.players, self.laid, strict=True)
            }
        if self.to_move == "first":
            return {"first": (Piece("blocker"),) * (BLOCKERS - self.blockers.bit_count())}
        return {"": tuple(piece for shape in SHAPES for piece in pieces_left(shape, 0))}

    def future(self) -> Hashable:
        return replace(self, pieces=frozenset())

    def explain_illegal(self, seen: Visible) -> Reason:
        blockers, covered, kept, added = pieces_seen(seen, self.pieces)
        if not self.second_has and covered:
            return self.why_not(added[0]) or Reason("hepta.3", "unexplained", {})
        if self.to_move != "first" or self.second_has:
            if changed := blockers ^ self.blockers:
                return Reason("hepta.1", "blockers-stay", {"square": SEVEN.named(changed)[0]})
        elif missing := self.blockers & ~blockers:
            return Reason("hepta.1", "taken-away", {"square": SEVEN.named(missing)[0]})
        return why_not_one_turn(self, self.pieces - kept, added, "hepta.3")

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> Hepta:
        blockers, covered, kept, added = pieces_seen(seen, self.pieces)
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

    def _owner(self, lay: Lay, by: Seat) -> Seat:
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
        return why_not_lay(move, self.taken, "hepta.7")

    def play(self, move: Lay) -> HeptaSolo:
        return HeptaSolo(self.blockers, self.pieces | {move}, self.taken | LAYS[move.shape][move])

    @property
    def solved(self) -> bool:
        return self.taken == SEVEN.all

    def trace(self, move: Lay) -> Trace:
        return trace_of(move)

    def describe(self, move: Lay) -> Phrase:
        return Phrase("hepta.lay", {"piece": move.shape, "cells": ", ".join(move.cells)})

    def now(self) -> Phrase:
        return Phrase("hepta.fill", {"left": sum(map(self._left, "IL"))})

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Lay]:
        for shape in SHAPES:
            yield from lays_covering(squares, shape)

    def lying(self) -> Lying:
        return plates_of(self.pieces)

    def beside(self) -> dict[Seat, tuple[Piece, ...]]:
        return {"solver": tuple(piece for shape in SHAPES for piece in pieces_left(shape, PIECES - self._left(shape)))}

    def visible(self) -> Visible:
        return picture(self.blockers, self.taken)

    def future(self) -> Hashable:
        return self.taken, self._left("I"), self._left("L")

    def explain_illegal(self, seen: Visible) -> Reason:
        blockers, _, kept, added = pieces_seen(seen, self.pieces)
        if changed := blockers ^ self.blockers:
            return Reason("hepta.7", "blockers-stay", {"square": SEVEN.named(changed)[0]})
        return why_not_one_turn(self, self.pieces - kept, added, "hepta.7")

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> HeptaSolo:
        blockers, covered, kept, added = pieces_seen(seen, self.pieces)
        return HeptaSolo(blockers, kept | frozenset(added), blockers | covered)


def start(options: Options, setup: Setup) -> Hepta:
    return Hepta()


def start_solo(options: Options, setup: Setup) -> HeptaSolo:
    blockers = SEVEN.listed(required(setup, "blockers"), "setup.blockers", BLOCKERS)
    return HeptaSolo(blockers, taken=blockers)


def deal_blockers(chance: Random, options: Options, number: int) -> dict[str, Any]:
    return {"blockers": sorted(chance.sample(SEVEN.names, BLOCKERS))}


KIT = {".": "bare", "#": "blocker", "x": "tromino"}
MATERIAL = Material(
    plates=tuple(Plate("tromino", shape, tuple(points)) for shape, points in SHAPES.items() for _ in range(PIECES)),
    pieces={"blocker": BLOCKERS, "mushroom": BLOCKERS},
)
HEPTA = Game(
    "hepta",
    "seven",
    ("first", "second"),
    start,
    read,
    words.HEPTA,
    pieces=KIT,
    material=MATERIAL,
    badges={"first": Badge("#241f1b"), "second": Badge("#fffdf7")},
    match=MatchRules(Counting.POINTS, multiple=2),
    solitaire="hepta-solo",
    solver="companion.solvers.hepta",
    sheets="companion.games.words.hepta_rules",
)
HEPTA_SOLO = Game(
    "hepta-solo",
    "seven",
    ("solver",),
    start_solo,
    read_solo,
    words.HEPTA_SOLO,
    pieces=KIT,
    material=MATERIAL,
    setup=("blockers",),
    dealing=Dealing.PROBLEM,
    deal=deal_blockers,
    opening=ChosenSquares("blockers", "#", BLOCKERS),
    solver="companion.solvers.cover",
    sheets="companion.games.words.hepta_rules",
)
