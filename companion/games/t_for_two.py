"""T for Two: one plants mushrooms, the other lays tetrods over them. One leg of the match."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from companion.errors import Reason
from companion.games import tetrods
from companion.games.game import Badge, Counting, Game, MatchRules, Options, Setup, wrong_phase
from companion.games.position import Counted, Lying, Outcome, Phrase, Piece, Position, Scores, Seat, Trace, Visible
from companion.games.squares import SEVEN, SQUARE, bits
from companion.games.tetrods import MUSHROOMS, Lay, lays_over, squares_under, why_not_lay
from companion.games.value import replace, value
from companion.games.words import tetrods as words


@value
class Plant:
    square: str

    def __str__(self) -> str:
        return f"@{self.square}"


Move = Plant | Lay


def read(text: str) -> Move:
    if found := re.fullmatch(f"@({SQUARE})", text):
        return Plant(found[1])
    return tetrods.read(text)


@value
class TForTwo(Position[Move]):
    players = ("mushrooms", "tetrods")

    to_move: Seat | None = "mushrooms"
    mushrooms: int = 0
    last: int = 0  # the mushroom planted last; more than one only where several were accepted as seen
    laid: frozenset[Lay] = frozenset()
    covered: int = 0

    def moves(self) -> Iterator[Move]:
        if self.to_move == "mushrooms" and self.mushrooms.bit_count() < MUSHROOMS:
            free = SEVEN.all & ~self.mushrooms & ~self.covered
            yield from (Plant(SEVEN.names[n]) for n in bits(free))
        elif self.to_move == "tetrods":
            yield from self._lays()

    def _lays(self) -> Iterator[Lay]:
        used = {lay.name for lay in self.laid}
        for n in bits(self.last):
            taken = (self.covered | self.mushrooms) & ~(1 << n)
            for lay, squares in lays_over(n).items():
                if not squares & taken and lay.name not in used:
                    yield lay

    def why_not(self, move: Move) -> Reason | None:
        if self.to_move is None:
            return Reason("over", "over", {})
        if isinstance(move, Plant) != (self.to_move == "mushrooms"):
            return wrong_phase(self.to_move, self.now())
        if isinstance(move, Plant):
            if SEVEN.outside([move.square]):
                return Reason("t-for-two.1", "outside", {"square": move.square})
            if SEVEN.bit[move.square] & self.mushrooms:
                return Reason("t-for-two.1", "square-taken", {"square": move.square})
            if SEVEN.bit[move.square] & self.covered:
                return Reason("t-for-two.1", "covered", {"square": move.square})
            return None
        if reason := why_not_lay(move, {lay.name for lay in self.laid}, self.covered, "t-for-two.2"):
            return reason
        hole = SEVEN.bit[move.hole]
        if not hole & self.last:
            params = {"square": move.hole, "last": SEVEN.named(self.last)[0]}
            return Reason("t-for-two.2", "hole-not-on-last", params)
        if under := squares_under(move) & self.mushrooms & ~hole:
            return Reason("t-for-two.2", "mushroom-under-tetrod", {"square": SEVEN.named(under)[0]})
        return None

    def play(self, move: Move) -> TForTwo:
        if isinstance(move, Plant):
            last = SEVEN.bit[move.square]
            return replace(self, to_move="tetrods", mushrooms=self.mushrooms | last, last=last)._or_over()
        return TForTwo(
            "mushrooms", self.mushrooms, 0, self.laid | {move}, self.covered | squares_under(move)
        )._or_over()

    def _or_over(self) -> TForTwo:
        """The leg is over when no tetrod that is left can be laid over the last mushroom (t-for-two.3)."""
        return self if any(self.moves()) else replace(self, to_move=None)

    def outcome(self) -> Outcome | None:
        # One leg has scores and no winner: the match is decided by both.
        return None if self.to_move else Outcome(None, False, "leg-over", self.points())

    def points(self) -> Scores:
        """A group of n mushrooms side by side is worth 1 + 2 + … + n (t-for-two.4)."""
        sizes = (group.bit_count() for group in SEVEN.groups(self.mushrooms))
        return {"mushrooms": sum(n * (n + 1) // 2 for n in sizes), "tetrods": 0}

    def decided(self) -> tuple[Counted, ...]:
        groups = sorted(SEVEN.groups(self.mushrooms), key=int.bit_count)
        sizes = ((group, group.bit_count()) for group in groups)
        return tuple(Counted(SEVEN.named(group), "mushrooms", n * (n + 1) // 2) for group, n in sizes)

    def final_scores(self, winner: Seat | None) -> Scores:
        return self.points()

    def trace(self, move: Move) -> Trace:
        if isinstance(move, Plant):
            return Trace(to=(move.square,), pieces=(Piece("mushroom"),))
        return tetrods.trace_of(move)

    def describe(self, move: Move) -> Phrase:
        if isinstance(move, Plant):
            return Phrase("t-for-two.plant", {"square": move.square})
        return tetrods.description_of(move)

    def now(self) -> Phrase:
        return Phrase("t-for-two.plant" if self.to_move == "mushrooms" else "t-for-two.lay")

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Move]:
        if self.to_move == "mushrooms":
            yield from map(Plant, squares[-1:])
        else:
            yield from tetrods.lays_covering(squares, self.last)

    def lying(self) -> Lying:
        return tetrods.plates_of(self.laid)

    def beside(self) -> dict[Seat, tuple[Piece, ...]]:
        mushrooms = (Piece("mushroom"),) * (MUSHROOMS - self.mushrooms.bit_count())
        return {"mushrooms": mushrooms, "tetrods": tetrods.tetrods_left(self.laid)}

    def visible(self) -> Visible:
        return tetrods.picture(self.mushrooms, self.covered)

    def future(self) -> Hashable:
        return replace(self, laid=frozenset()), frozenset([lay.name for lay in self.laid])

    def explain_illegal(self, seen: Visible) -> Reason:
        mushrooms, _, laid = tetrods.tetrods_seen(seen, self.laid)
        if gone := self.mushrooms & ~mushrooms:
            return Reason("t-for-two.1", "taken-away", {"square": SEVEN.named(gone)[0]})
        new = SEVEN.named(mushrooms & ~self.mushrooms)
        if len(new) > 1:
            return Reason("t-for-two.1", "one-mushroom", {})
        if laid != self.laid:
            return tetrods.why_not_one_turn(self, self.laid, laid, "t-for-two.2")
        return (self.why_not(Plant(new[0])) if new else None) or Reason("t-for-two.3", "unexplained", {})

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> TForTwo:
        mushrooms, covered, laid = tetrods.tetrods_seen(seen, self.laid)
        if to_move == "mushrooms":
            return TForTwo("mushrooms", mushrooms, 0, laid, covered)._or_over()
        new = mushrooms & ~covered & ~self.mushrooms
        last = new or self.last & mushrooms & ~covered or mushrooms & ~covered
        return TForTwo("tetrods", mushrooms, last, laid, covered)._or_over()


def start(options: Options, setup: Setup) -> TForTwo:
    return TForTwo()


T_FOR_TWO = Game(
    "t-for-two",
    "seven",
    ("mushrooms", "tetrods"),
    start,
    read,
    words.T_FOR_TWO,
    pieces=tetrods.KIT,
    material=tetrods.MATERIAL,
    badges={"mushrooms": Badge("#241f1b"), "tetrods": Badge("#2462a8")},
    match=MatchRules(Counting.LEGS, multiple=2),
    solver="companion.solvers.t_for_two",
    sheets="companion.games.words.tetrods_rules",
)
