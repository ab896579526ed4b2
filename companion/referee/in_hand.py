"""A turn that is half made after turns that went unseen: a piece is in somebody's hand, and perhaps the one that it is
to take, a plank has no token yet, or a tile was turned up and no pawn is on it.

The board does not show the piece, so it is taken to stand where it stood, or where it can have gone to with the turn
before, and a pawn or a token anywhere; a plank without a token is taken to be laid last, the tile to be turned last.
What legal play leads there, and lets that turn be made next, explains the look. Nothing is told of it: the look after
it shows how the turn ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from companion.games.position import AnyPosition
from companion.referee.evidence import LookEvidence
from companion.referee.explanations import PRIOR, Explanation, Kind, Line, Unseen, rarity_of
from companion.referee.goal import shown
from companion.referee.inquiry import Inquiry
from companion.referee.search import Reached, turns_search
from companion.referee.turns import turn_finder

# How many turns are looked for before the one that is half made: a pawn is missed, a die may be any that moved.
MOST_TURNS, MOST_WITH_PAWNS = 5, 6
DOWN = "down"  # what a tile shows that lies face down
PATIENCE = 1000  # positions that are looked at for each piece that may be in a hand


class _Lifted(NamedTuple):
    """What may be in a hand."""

    evidence: LookEvidence  # the look as it would be if the turn were not begun
    is_begun: Callable[[AnyPosition], bool]  # whether this turn can be what is begun


class InHand(Inquiry):
    """Turns that went unseen, as many as there was time for, and one that was begun after them."""

    def __init__(self, line: Line, evidence: LookEvidence, unseen: Unseen) -> None:
        self.line, self.evidence, self.unseen = line, evidence, unseen
        self._turns = 0  # how many were made, at least; 0: none were found
        super().__init__()

    def is_about(self, line: Line, evidence: LookEvidence, unseen: Unseen) -> bool:
        if self.line != line or self.unseen.turns != unseen.turns:
            return False
        return self.evidence.allowed == evidence.allowed or (not self._turns and evidence.narrows(self.evidence))

    def explanations(self, evidence: LookEvidence) -> list[Explanation]:
        """What was found, by all that was seen of this board."""
        if not self._turns:
            return []
        picture, line, turns = self.line.position.visible(), self.line, self._turns
        prior = PRIOR[Kind.PARTIAL] + line.rarity + rarity_of(turns, line.paces, self.unseen)
        return [Explanation(Kind.PARTIAL, prior + evidence.free, picture, prior=prior, turns=turns)]

    def _run(self) -> Iterator[None]:
        pawns = self.line.position.visible().get("pawns")
        most = min(MOST_WITH_PAWNS if pawns else MOST_TURNS, self.unseen.turns)
        for turns in range(1, most + 1):
            for lifted in _lifted(self.line.position, self.evidence, turns):
                for _, reached in zip(
                    range(PATIENCE), _reached(self.line, lifted.evidence.sharp(), turns), strict=False
                ):
                    yield
                    if reached and lifted.is_begun(reached.position):
                        self._turns = turns
                        return


def _lifted(position: AnyPosition, evidence: LookEvidence, turns: int) -> Iterator[_Lifted]:
    """All that may be in a hand after so many turns, or be half laid."""
    if evidence.look.field == "planks":
        yield from _planks_and_tokens(position, evidence, turns)
        return
    if pawns := position.visible().get("pawns"):
        yield from _pawns_and_tiles(position, list(pawns), evidence)
        return
    shows, bare = shown(position), frozenset([evidence.look.labels.empty])
    seen = evidence.sharp().possible
    left = {square for square, code in shows.items() if code not in bare and seen.get(square) == bare}
    lifted = {(square, shows[square]) for square in left}
    lifted |= {
        (trace.to[0], shown(position.play(move))[trace.to[0]])
        for move in position.moves()
        if (trace := position.trace(move)).start and trace.start[0] in left and seen[trace.to[0]] == bare
    }
    for pieces in [*((piece,) for piece in sorted(lifted)), *combinations(sorted(lifted), 2)]:
        told = evidence
        for square, code in pieces:
            told = told.with_code(square, code)
        yield _Lifted(told, _move_over(frozenset(square for square, _ in pieces), evidence))


def _move_over(lifted: frozenset[str], evidence: LookEvidence) -> Callable[[AnyPosition], bool]:
    """Whether what stood on these squares is what the next turn moves, or takes, or both."""

    def is_begun(position: AnyPosition) -> bool:
        traces = [(move, position.trace(move)) for move in position.moves()]
        over = [move for move, trace in traces if lifted <= {*trace.start, *trace.to}]
        return any(evidence.shows(picture) for move in over for picture in position.steps(move))

    return is_begun


def _mover(pawn: str) -> Callable[[AnyPosition], bool]:
    """Whether this pawn is what the next turn may move."""

    def is_begun(position: AnyPosition) -> bool:
        square = position.visible()["pawns"][pawn]
        return any(position.trace(move).start == (square,) for move in position.moves())

    return is_begun


def _pawns_and_tiles(position: AnyPosition, pawns: list[str], evidence: LookEvidence) -> Iterator[_Lifted]:
    """A pawn that was taken up; a tile that was turned up before the pawn came, or not yet though it is there."""
    nowhere = [name for name in pawns if evidence.is_nowhere(name)]
    yield from [_Lifted(evidence.with_pawn_anywhere(name), _mover(name)) for name in nowhere]
    shows = shown(position)
    for square in [name for name in evidence.look.squares if shows[name] == DOWN]:
        if DOWN in evidence.possible[square]:
            came = [name for name in pawns if evidence.stands_on(name, square)]
            yield from [_Lifted(evidence.with_pawn_anywhere(name), _turner(square, evidence)) for name in came]
            continue
        unturned = evidence.with_code(square, DOWN)
        yield _Lifted(unturned, _turner(square, evidence))
        yield from [_Lifted(unturned.with_pawn_anywhere(name), _turner(square, evidence)) for name in nowhere]


def _turner(square: str, evidence: LookEvidence) -> Callable[[AnyPosition], bool]:
    """Whether the next turn may turn up this tile as it is seen."""
    codes = evidence.possible[square]

    def is_begun(position: AnyPosition) -> bool:
        to_it = [move for move in position.moves() if position.trace(move).to == (square,)]
        fitting = [m for m in to_it if DOWN in codes or codes & {piece.name for piece in position.trace(m).pieces}]
        return any(evidence.shows(picture) for move in fitting for picture in position.steps(move))

    return is_begun


def _planks_and_tokens(position: AnyPosition, evidence: LookEvidence, turns: int) -> Iterator[_Lifted]:
    """A plank that has no token yet, a token that was taken up, or both."""
    seats = position.seats
    owner = seats[(seats.index(position.to_move) + turns) % len(seats)] if position.to_move in seats else ""

    def is_begun(after: AnyPosition) -> bool:
        half = {repr(picture): picture for move in after.moves() for picture in after.steps(move)}
        return any(map(evidence.shows, half.values()))

    rows = [evidence]
    if len(evidence.reading["planks"]) > 1:
        rows += [evidence.without_plank(south) for south in (False, True)]
    for row in rows:
        if row is not evidence:
            yield _Lifted(row, is_begun)
        yield _Lifted(row.with_token_anywhere(owner), is_begun)


def _reached(line: Line, evidence: LookEvidence, turns: int) -> Iterator[Reached | None]:
    """The positions after so many turns that show what is seen; None for each that was looked at."""
    if turns > 1:
        yield from turns_search(line.game.inference)(line.position, evidence, turns, False)
        return
    for turn in turn_finder(line.game.inference)(line.position, evidence):
        end = line.then(turn).position
        yield Reached(end, turn) if evidence.shows(end.visible()) else None
