"""What may explain a look: the position as it stands, every turn that legal play allows from it, turns half made,
several turns at once, and turns taken back. Each has its cost; the best explanation is the cheapest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from math import exp, log
from typing import Any, NamedTuple, Protocol, cast

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Visible
from companion.record import Record, Replay, Stood
from companion.referee.evidence import LookEvidence, Squares, visible_pieces
from companion.referee.turns import turn_finder

Move = Any  # each game has its own


class Kind(StrEnum):
    """What an explanation says has happened."""

    SAME = "same"  # nothing
    MOVE = "move"  # one turn
    PARTIAL = "partial"  # part of a turn
    MOVES = "moves"  # several turns, some of which were not seen one by one
    BACK = "back"  # moves were taken back, and the last turn perhaps made otherwise


PLAYED = (Kind.MOVE, Kind.MOVES)

# All of these were chosen by trial on simulated games; costs are natural logarithms.
# How much rarer than nothing at all each kind is, before anything is seen; turns cost more the rarer their number is.
PRIOR = {Kind.SAME: 0.0, Kind.MOVE: 1.0, Kind.PARTIAL: 2.0, Kind.MOVES: 1.0, Kind.BACK: 4.0}
# How much better than another that looks alike one must be before the other is dropped: twelve times as likely.
CLEAR = 2.5
# The same before the one is told and the other only kept in mind, where they differ in how many turns were made.
RARER = 0.99
# How much rarer such a number of turns may be that is still kept in mind: nothing but later looks tells of it.
KEPT_IN_MIND = 8.0
# What each further move costs between lines that look alike: cards that nothing but their lie tells of need much proof.
ANOTHER_MOVE = 5.0
# Lines that look alike, at most; and of them those that are kept in mind, where they are told apart by how their cards
# lie and where they are not: there each of them is quickly gone on with.
MOST_LINES, MOST_KEPT, MOST_KEPT_ALIKE = 24, 4, 16
# How many looks' worth what is generally known of the number of turns between two looks counts (each further turn is e
# times rarer), and each look at which something was in the way; and of how many looks before that number is kept.
GENERALLY, IN_THE_WAY, PACES = 0.5, 1.0, 12
# For how many seconds hands disturb the board with one turn: coming, moving and going. Who slides a piece or thinks
# with his hand over the board takes longer; nobody is much quicker.
ONE_TURN = 2.0
# How much rarer each further turn is for which there was time.
IN_TIME = 0.35
# How many moves may be taken back at once.
MOST_BACK = 8


class Unseen(NamedTuple):
    """What may have gone unseen since the last board that was known."""

    looks: int = 0  # at which something was in the way, or the board was not understood
    room: int = 0  # how many turns more than one there was time for; only where the board is watched all the time
    is_timed: bool = False  # whether it is known for how long the board was disturbed

    @property
    def turns(self) -> int:
        """How many more turns than usually may have been made."""
        return self.room if self.is_timed else self.looks

    def beyond(self, turns: int) -> int:
        """So many turns, but for those that there was plenty of time for."""
        return max(1, turns - self.room)


NOTHING = Unseen()


def room_for(seconds: float) -> int:
    """How many turns more than one may have been made while the board was disturbed for so long."""
    return max(0, round(seconds / ONE_TURN) - 1)


class Line(NamedTuple):
    """One way in which the game may have gone."""

    game: AnyGame
    moves: tuple[Move | None, ...]  # None: an illegal step that was accepted as seen
    positions: tuple[AnyPosition, ...]  # one more than moves
    twins: tuple[str, ...] = ()  # other ways to write the last move, which no look can ever tell from it
    paces: tuple[int, ...] = ()  # how many turns there were between the last looks, by this line
    rarity: float = 0.0  # how much rarer these numbers of turns are than those of the best line
    looks: tuple[int, ...] = ()  # how many moves had been made at the first look, and at each that showed something new
    evidence: tuple[LookEvidence, ...] = ()  # those looks, but for the first

    @property
    def position(self) -> AnyPosition:
        return self.positions[-1]

    def then(self, moves: Iterable[Move]) -> Line:
        line = self
        for move in moves:
            line = line.reaching(move, line.position.play(move))
        return line

    def reaching(self, move: Move | None, position: AnyPosition) -> Line:
        return self._replace(moves=(*self.moves, move), positions=(*self.positions, position), twins=())

    def seen_after(self, turns: int, rarity: float, evidence: LookEvidence) -> Line:
        """The line at a look so many turns after the one before."""
        paces, looks = (*self.paces, turns)[-PACES:], (*self.looks, len(self.moves))
        return self._replace(paces=paces, rarity=rarity, looks=looks, evidence=(*self.evidence, evidence))

    def with_twin(self, other: Line) -> Line:
        """Two routes of one die may leave it the same: then the one told is as good as the other."""
        if len(self.moves) != len(other.moves) or self.moves[:-1] != other.moves[:-1]:
            return self
        return self._replace(twins=(*self.twins, str(other.moves[-1])))

    def before(self, count: int) -> Line:
        """Without the last so many moves."""
        left = len(self.moves) - count
        looks = tuple([made for made in self.looks if made <= left]) or (left,)
        evidence = self.evidence[: len(looks) - 1]
        return Line(self.game, self.moves[:left], self.positions[: left + 1], (), self.paces, 0.0, looks, evidence)

    def texts(self) -> tuple[str, ...]:
        return tuple("stood" if move is None else str(move) for move in self.moves)

    def seen(self) -> Counter[str]:
        """The moves that a camera can see, in any order."""
        pairs = zip(self.moves, self.positions, strict=False)
        return Counter(str(move) for move, position in pairs if move is not None and position.is_seen(move))

    def pieces_since(self, evidence: LookEvidence) -> tuple[list[Squares], list[Squares]]:
        """What shows of the cards that were laid by this look and after the one before it, and of those before."""
        is_at_look = bool(self.evidence) and self.evidence[-1] is evidence
        made = self.looks[-2] if is_at_look else self.looks[-1] if self.looks else len(self.moves)
        count = len(self.positions[made].lying().cards)
        new = visible_pieces(self.position, count)
        return new, visible_pieces(self.position)[len(new) :]

    @property
    def left_open(self) -> AnyPosition:
        """The position, with what may still turn out to have been something else before it."""
        find = open_finder(self.game.inference)
        return find(self) if find else self.position

    def gone_on(self, moves: Sequence[Move]) -> Line | None:
        """The line with these moves, legal in what is left open; None if nothing before it leaves room for them."""
        go_on = going_on(self.game.inference)
        return go_on(self, moves) if go_on else self.then(moves)


class OpenFinder(Protocol):
    def __call__(self, line: Line) -> AnyPosition:
        """The position at the end of a line, with what may still turn out to have been something else before it."""


class GoingOn(Protocol):
    def __call__(self, line: Line, moves: Sequence[Move]) -> Line | None:
        """A line with moves that are legal in what was left open, and with what that makes of the moves before."""


@cache
def open_finder(module: str) -> OpenFinder | None:
    """`left_open` of the module that a game names, if it has one."""
    return cast("OpenFinder | None", getattr(import_module(module), "left_open", None))


@cache
def going_on(module: str) -> GoingOn | None:
    """`gone_on` of the module that a game names, if it has one."""
    return cast("GoingOn | None", getattr(import_module(module), "gone_on", None))


class FinishFinder(Protocol):
    def __call__(self, position: AnyPosition) -> Mapping[str, str]:
        """By pawn a square on which it is hardly seen."""


@cache
def finish_finder(module: str) -> FinishFinder | None:
    """`finishes` of the module that a game names, if it has one."""
    return cast("FinishFinder | None", getattr(import_module(module), "finishes", None))


def line_of(record: Record, played: Replay) -> Line:
    """The line of a legal record, to go on from."""
    moves = [None if isinstance(entry, Stood) else record.game.read(entry) for entry in record.moves]
    return Line(record.game, tuple(moves), tuple(played.positions))


class Explanation(NamedTuple):
    kind: Kind
    cost: float  # with its prior
    picture: Visible  # what would be seen
    lines: tuple[Line, ...] = ()  # the best first, those as good as it after it
    piece_cost: float = 0.0  # how badly the pieces lie as the first line has them
    back: int = 0  # so many moves are taken back
    prior: float = 0.0  # how much of the cost was there before anything was seen
    turns: int = 1  # that were made; before the one that is half made
    order_open: bool = False  # other moves lead to the same, and the game goes on alike
    returning: bool = False  # pieces went away and came back

    @property
    def rarity(self) -> float:
        """How rare it is that so many turns were made."""
        return self.lines[0].rarity if self.lines else 0.0

    def shortfall(self, evidence: LookEvidence) -> float:
        """How much worse than the free reading it explains what is seen."""
        return self.cost - self.prior - evidence.free

    def with_in_mind(self, others: Iterable[Explanation], evidence: LookEvidence) -> Explanation:
        """With the lines of others that say the same happened in another number of turns."""
        if self.kind not in PLAYED or evidence.tells_pieces:
            return self
        lines = {(line.position.future(), line.paces): line for line in self.lines}
        for other in others:
            for line in other.lines if other.kind in PLAYED and other.picture == self.picture else ():
                if line.rarity < self.rarity + KEPT_IN_MIND:
                    lines.setdefault((line.position.future(), line.paces), line)
        kept = sorted(lines.values(), key=lambda line: line.rarity)
        first = [self.lines[0], *(line for line in kept if line is not self.lines[0])]
        return self._replace(lines=tuple(first[:MOST_KEPT_ALIKE]))

    def is_broken(self, evidence: LookEvidence) -> bool:
        """Whether the pieces, as it has them, do not lie as they are seen to lie."""
        if not evidence.tells_pieces:
            return False
        new, old = self.lines[0].pieces_since(evidence)
        return any(map(evidence.is_broken, new)) or any(map(evidence.is_old_broken, old))


def rarity_of(turns: int, paces: Sequence[int], unseen: Unseen = NOTHING) -> float:
    """How rare so many turns between two looks are, after as many as these between the looks before.

    What is known of short looks tells nothing of a time in which many turns may have been made.
    """
    general = GENERALLY + IN_THE_WAY * (0 if unseen.is_timed else unseen.looks)
    before: Sequence[int] = () if unseen.room else paces
    beyond = unseen.beyond(turns)
    likely = general * (1 - exp(-1)) * exp(1 - beyond) + before.count(beyond)
    return IN_TIME * (turns - beyond) - log(likely / (general + len(before)))


def count_turns(position: AnyPosition, moves: Iterable[Move]) -> int:
    """How many turns begin with these moves."""
    count = 0
    for move in moves:
        count += position.is_seen(move) and not position.mid_turn
        position = position.play(move)
    return count


def explanations(lines: Sequence[Line], evidence: LookEvidence, unseen: Unseen = NOTHING) -> list[Explanation]:
    """All that may explain a look at a game that went as one of these lines by one turn at most, the best first.

    What is rarer is gone into only where the rest falls short.
    """
    found = [explanation(Kind.SAME, evidence, lines), *_turns(evidence, lines, Kind.MOVE, unseen)]
    best = min(found, key=lambda one: one.cost)
    if best.cost - evidence.free > CLEAR or best.is_broken(evidence):
        found += [*_half_turns(evidence, lines), *_taken_back(evidence, lines[0])]
    return sorted(found, key=lambda one: one.cost)


def explanation(kind: Kind, evidence: LookEvidence, alike: Sequence[Line], back: int = 0) -> Explanation:
    """Lines that look alike, the likeliest first, those that are clearly worse left out."""
    picture = alike[0].position.visible()
    pieces, moves = [0.0] * len(alike), [0.0] * len(alike)
    if evidence.tells_pieces:
        pieces = [evidence.cost_as_pieces(*line.pieces_since(evidence)) for line in alike]
        moves = [ANOTHER_MOVE * line.seen().total() for line in alike]
    # Rounded: what the same pieces cost in another order differs by less, and means nothing.
    costs = [round(p + m + line.rarity, 6) for p, m, line in zip(pieces, moves, alike, strict=True)]
    order = sorted(range(len(alike)), key=costs.__getitem__)
    clear, most = (CLEAR, MOST_KEPT) if evidence.tells_pieces else (KEPT_IN_MIND, MOST_KEPT_ALIKE)
    kept = [alike[n] for n in order if costs[n] - costs[order[0]] < clear]
    # What differs in whose turn it is before what differs in nothing that anybody sees.
    first = one_of_each(kept)
    lines = (*first, *(line for line in kept if line not in first))[:most]
    prior = PRIOR[kind] + lines[0].rarity
    return Explanation(kind, prior + evidence.cost(picture), picture, lines, pieces[order[0]], back, prior)


def one_of_each(lines: Iterable[Line]) -> list[Line]:
    """The first line of each way in which the game may stand."""
    first: dict[Hashable, Line] = {}
    for line in lines:
        first.setdefault(line.position.stands(), line)
    return list(first.values())


def _turns(evidence: LookEvidence, lines: Iterable[Line], kind: Kind, unseen: Unseen = NOTHING) -> list[Explanation]:
    """The turns from these lines, joined where they look alike."""
    by_picture: dict[str, list[Line]] = {}
    for line in lines:
        position = line.left_open
        for moves in turn_finder(line.game.inference)(position, evidence):
            gone_on = line.gone_on(moves)
            if gone_on is None:
                continue
            turns = 1 if position.puts_freely else max(1, count_turns(position, moves))
            rarity = line.rarity + rarity_of(turns, line.paces, unseen)
            after = gone_on.seen_after(unseen.beyond(turns), rarity, evidence)
            alike = by_picture.setdefault(repr(after.position.visible()), [])
            same = next((n for n, other in enumerate(alike) if other.position == after.position), None)
            if same is not None:
                alike[same] = alike[same].with_twin(after)
            elif len(alike) < MOST_LINES:
                alike.append(after)
    return [explanation(kind, evidence, alike) for alike in by_picture.values()]


def _half_turns(evidence: LookEvidence, lines: Sequence[Line]) -> list[Explanation]:
    """What hands leave on the board while they make a move."""
    pictures: dict[str, Visible] = {}
    for line in lines:
        for move in line.position.moves():
            pictures.update((repr(picture), picture) for picture in line.position.steps(move))
    prior = PRIOR[Kind.PARTIAL]
    return [Explanation(Kind.PARTIAL, prior + evidence.cost(p), p, prior=prior, turns=0) for p in pictures.values()]


def _taken_back(evidence: LookEvidence, line: Line) -> list[Explanation]:
    """An earlier position, or the last turn made otherwise."""
    found: list[Explanation] = []
    shown = line.position.visible()
    for count in range(1, min(MOST_BACK, len(line.moves)) + 1):
        before = line.before(count)
        picture = before.position.visible()
        if picture != shown:
            if not found:
                found += [e._replace(back=count) for e in _turns(evidence, [before], Kind.BACK)]
            found.append(explanation(Kind.BACK, evidence, [before], count))
            shown = picture
    return found
