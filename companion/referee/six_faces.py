"""The turns behind a look at 6 Faces. One turn is found as in every game; several are looked for die by die."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Mapping
from functools import cache
from operator import contains

from companion.games.position import AnyPosition
from companion.games.six_faces import (
    BOARD,
    DICE,
    HOME,
    TOP,
    Handedness,
    Roll,
    SixFaces,
    face_seen,
    rolled,
    route_of,
    routes,
)
from companion.games.squares import bits
from companion.referee.evidence import Evidence
from companion.referee.goal import Goal, goals
from companion.referee.search import PUT_ONLY, Reached
from companion.referee.turns import candidate_turns

__all__ = ["candidate_turns", "replaced_turns", "several_turns"]

Dice = tuple[str, ...]  # by square; "" where there is none
Rolls = tuple[Roll, ...]
Sides = tuple[int, int]  # the squares on which White's dice stand, and Red's
Standing = tuple[int, str]  # a square, and the die on it
WHITE, RED = 0, 1
# How many dice may have left a square that shows what it should, since another one that looks alike came there; and up
# to how many turns that is looked for.
MOST_STRAYS, STRAY_TURNS = 1, 4
# From how many rolls away it is known where a die can get to; what is further away is taken for one more.
FAR = 5


def several_turns(
    position: SixFaces, evidence: Evidence, turns: int, thoroughly: bool
) -> Generator[Reached | None, None, bool]:
    yield from _reached(position, evidence, turns, thoroughly, 0)
    return True


def replaced_turns(position: SixFaces, evidence: Evidence, turns: int) -> Iterator[Reached | None]:
    """The same where dice left squares that show what they should, since others that look alike came there."""
    if turns <= STRAY_TURNS:
        yield from _reached(position, evidence, turns, False, MOST_STRAYS)


def _reached(position: SixFaces, evidence: Evidence, turns: int, back: bool, strays: int) -> Iterator[Reached | None]:
    if turns not in (PUT_ONLY, 1) and not position.outcome():  # one turn has been looked for
        sides, turn = (position.white, position.red), position.players.index(position.turn)
        search = _Search(position, next(goals(position, evidence)), back)
        yield from search.reach(position.dice, sides, search.lacking(position.dice), turn, turns, (), strays)


class _Search:
    """Depth first over dice that do not stand as they should, by side: none may have more to do than it has turns."""

    def __init__(self, start: SixFaces, goal: Goal, back: bool) -> None:
        self.start, self.back = start, back
        handedness = self.handedness = start.rules.handedness
        # By square what may stand there in the end, and what has no reason to have moved.
        self.may, self.stays = (
            [_showing(by_square[name], handedness) for name in BOARD.names]
            for by_square in (goal.possible, goal.likely)
        )
        # Where a die of this side must arrive unless one stands there that may.
        self.needs = [
            sum([1 << n for n, dice in enumerate(self.may) if all(die[:1] == letter for die in dice)])
            for letter in "wr"
        ]
        self.arrive = self.needs[WHITE] | self.needs[RED]
        # On how many squares a die of this side may stand in the end.
        self.most = [sum([any(die[:1] == letter for die in dice) for dice in self.may]) for letter in "wr"]
        self.known: dict[tuple[Dice, int, int], set[AnyPosition]] = {}

    def lacking(self, dice: Dice) -> int:
        """The squares where a die must arrive and none stands that may."""
        return sum([1 << n for n in bits(self.arrive) if dice[n] not in self.may[n]])

    def reach(
        self, dice: Dice, sides: Sides, lacking: int, turn: int, left: int, rolls: Rolls, strays: int
    ) -> Iterator[Reached | None]:
        key = (dice, left, strays)
        if key in self.known:
            yield from [Reached(end, None) for end in self.known[key]]
            return
        ends: set[AnyPosition] = set()
        self.known[key] = ends
        yield None
        if not left:
            if all(map(contains, self.may, dice)) and not self._returns(rolls) and (reached := self._played(rolls)):
                ends.add(reached)
                yield Reached(reached, rolls)
            return
        mine, occupied = sides[turn], sides[WHITE] | sides[RED]
        for start in bits(mine):
            die = dice[start]
            astray = die in self.stays[start] and not self.back
            if astray and not strays:
                continue
            for roll, passed, end, at, shows in _rolls_of(start, die, self.handedness):
                if passed & occupied or end & mine:
                    continue
                lacks = lacking & ~end | self.arrive & (1 << start | (0 if shows in self.may[at] else end))
                own, other = mine & ~(1 << start) | end, sides[1 - turn] & ~end
                after = (other, own) if turn else (own, other)
                if not self._is_enough(after, lacks, turn, left - 1):
                    continue
                then = list(dice)
                taken, then[start], then[at] = then[at], "", shows
                ended = taken[1:] == "K" or self._reaches_home(shows, at, turn)
                if ended and left > 1:
                    continue
                if not self._in_time(then, after, lacks, turn, left - 1, strays - astray):
                    continue
                further = self.reach(tuple(then), after, lacks, 1 - turn, left - 1, (*rolls, roll), strays - astray)
                for found in further:
                    if found:
                        ends.add(found.position)
                    yield found

    def _is_enough(self, sides: Sides, lacking: int, turn: int, left: int) -> bool:
        """Whether each side has a turn for each of its dice that must still arrive, and for each that it must still
        take, when `left` turns follow `turn`'s."""
        for side, turns in ((turn, left // 2), (1 - turn, (left + 1) // 2)):
            if (lacking & self.needs[side]).bit_count() > turns:
                return False
            if sides[1 - side].bit_count() - self.most[1 - side] > turns:
                return False
        return True

    def _in_time(self, dice: list[str], sides: Sides, lacking: int, turn: int, left: int, strays: int) -> bool:
        """Whether that is enough, as far as these dice have to go."""
        for side, turns in ((turn, left // 2), (1 - turn, (left + 1) // 2)):
            if not (wanted := lacking & self.needs[side]):
                continue
            free = self.back or strays
            movable = [(m, dice[m]) for m in bits(sides[side]) if free or dice[m] not in self.stays[m]]
            for n in bits(wanted):
                away = _rolls_to(n, self.may[n], self.handedness)
                turns -= min([away.get(standing, FAR + 1) for standing in movable], default=FAR + 1)
                if turns < 0:
                    return False
        return True

    def _returns(self, rolls: Rolls) -> bool:
        """Whether a die went away and came back to the square on which it stood."""
        at = {n: n for n, die in enumerate(self.start.dice) if die}  # by where a die stands where it stood
        for roll in rolls:
            start, end = route_of(roll)[:2]
            at[end] = at.pop(start)
        moved = {route_of(roll).start for roll in rolls}
        return not self.back and any(n == came and n in moved for n, came in at.items())

    def _reaches_home(self, die: str, at: int, turn: int) -> bool:
        home = HOME[self.start.players[1 - turn]]
        return at == home and (self.start.rules.home == "any" or die[1] == "K")

    def _played(self, rolls: Rolls) -> SixFaces | None:
        """The position after these rolls; None where the game was over before the last of them."""
        after = self.start
        for roll in rolls:
            if after.outcome():
                return None
            after = after.play(roll)
        return after


@cache
def _showing(codes: frozenset[str], handedness: Handedness) -> frozenset[str]:
    """The dice that show one of these codes; "" for none."""
    dice = [die for die in DICE if face_seen(die, handedness) in codes]
    return frozenset([*dice, *([""] if "." in codes else [])])


@cache
def _rolls_of(start: int, die: str, handedness: Handedness) -> list[tuple[Roll, int, int, int, str]]:
    """The rolls of a die that stands there: the squares it passes, where it ends (as a set, and by number), and how."""
    return [
        (roll, passed, end, end.bit_length() - 1, rolled(die, route_of(roll).legs, handedness))
        for roll, passed, end in routes(start, TOP[die])
    ]


@cache
def _reached_from(handedness: Handedness) -> Mapping[Standing, list[Standing]]:
    """Where a die may have come from with one roll, if nothing was in its way."""
    before: dict[Standing, list[Standing]] = {}
    for start in range(BOARD.size):
        for die in DICE:
            for *_, at, shows in _rolls_of(start, die, handedness):
                before.setdefault((at, shows), []).append((start, die))
    return before


@cache
def _rolls_to(square: int, dice: frozenset[str], handedness: Handedness) -> Mapping[Standing, int]:
    """How many rolls it takes at least until one of these dice stands on a square, if nothing is in the way."""
    before = _reached_from(handedness)
    away = dict.fromkeys([(square, die) for die in dice if die], 0)
    waiting = deque(away)
    while waiting:
        there = waiting.popleft()
        if away[there] < FAR:
            for standing in before.get(there, ()):
                if standing not in away:
                    away[standing] = away[there] + 1
                    waiting.append(standing)
    return away
