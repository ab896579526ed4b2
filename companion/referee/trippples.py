"""The turns behind a look at Trippples. With an open frame the pawns are all that moves, so that everything legal play
reaches in a few turns can be looked through, pawns that went away and came back included."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from companion.games.squares import Grid, bits
from companion.games.trippples import ALL_WAYS, FRAME, PAWNS, Step, Trippples, neighbors
from companion.referee import search
from companion.referee.evidence import Evidence
from companion.referee.goal import Goal, goals, shown
from companion.referee.search import PUT_ONLY, Reached
from companion.referee.turns import candidate_turns

__all__ = ["candidate_turns", "finishes", "several_turns"]

AT_ONCE = 8  # positions that take about as long as one of another game


def finishes(position: Trippples) -> Mapping[str, str]:
    """By pawn the square that its own mark fills, so that it is hardly seen there: it ends the game."""
    return dict(zip(PAWNS, [FRAME.names[square] for square in position.rules.finishes], strict=False))


def several_turns(
    position: Trippples, evidence: Evidence, turns: int, thoroughly: bool
) -> Generator[Reached | None, None, bool]:
    if turns == PUT_ONLY or position.placing or position.rules.hidden:
        return (yield from search.several_turns(position, evidence, turns, thoroughly))
    goal = next(goals(position, evidence))
    # Of a frame that lies open no tile changes.
    if position.outcome() is None and not [name for name in goal.wrong(shown(position)) if name not in PAWNS]:
        yield from _Paths(position, goal, thoroughly).reach(turns)
    return True


class _Moment(NamedTuple):
    """What decides how the pawns go on."""

    pawns: tuple[int, ...]
    turn: int
    again: bool  # the second move of a turn
    over: bool = False


class _Way(NamedTuple):
    """How a moment came about: the first way to it, and how many there are."""

    before: _Moment | None
    to: int
    ways: int


_Level = dict[_Moment, _Way]  # what can be reached in so many turns


class _Paths:
    """Turn by turn all that can be reached, but for what cannot get to where the pawns are seen in time."""

    def __init__(self, start: Trippples, goal: Goal, back: bool) -> None:
        self.start, self.field, self.back = start, start.field, back
        self.met = 0  # moments that were looked at
        names = PAWNS[: len(start.pawns)]
        self.may = [frozenset([FRAME.number[square] for square in goal.possible[name]]) for name in names]
        self.stays = [frozenset([FRAME.number[square] for square in goal.likely[name]]) for name in names]
        neutral = start.rules.neutral if start.rules.again else 0
        self.away = [_turns_to(squares, neutral, start.rules.grid) for squares in self.may]

    def reach(self, turns: int) -> Iterator[Reached | None]:
        begun = _Moment(self.start.pawns, self.start.turn, self.start.again)
        levels: list[_Level] = [{begun: _Way(None, 0, 1)}]
        if begun.again:  # who is in the middle of his turn goes on without another
            yield from self._go_on(levels[0], {begun: levels[0][begun]}, turns)
        for left in range(turns - 1, -1, -1):
            whole = {moment: way for moment, way in levels[-1].items() if not moment.again}
            levels.append({})
            yield from self._go_on(levels[-1], whole, left)
        for moment, way in levels[-1].items():
            if all(square in may for square, may in zip(moment.pawns, self.may, strict=True)):
                moves = self._moves(levels, moment)
                reached = self.start
                for move in moves:
                    reached = reached.play(move)
                yield Reached(reached, moves)
                if way.ways > 1:
                    yield Reached(reached, None)

    def _go_on(self, level: _Level, moments: _Level, left: int) -> Iterator[None]:
        """All that can be reached from these moments to the end of the turn, when so many turns follow it."""
        waiting = deque(moments.items())
        while waiting:
            moment, way = waiting.popleft()
            self.met += 1
            if not self.met % AT_ONCE:
                yield None
            for then, to in self._then(moment, left):
                if then not in level:
                    level[then] = _Way(moment, to, way.ways)
                    if then.again:
                        waiting.append((then, level[then]))
                else:
                    level[then] = level[then]._replace(ways=level[then].ways + way.ways)

    def _then(self, moment: _Moment, left: int) -> Iterator[tuple[_Moment, int]]:
        """Where the pawn whose turn it is can go, when so many turns follow this one."""
        pawns, turn, again, over = moment
        stays = not self.back and not again and pawns[turn] in self.stays[turn]
        for to in () if over or stays else bits(self.field.reach(pawns, turn, again)):
            after = (*pawns[:turn], to, *pawns[turn + 1 :])
            is_home = to == self.start.rules.finishes[turn]
            follows = None if is_home else self.field.next_turn(after, turn, to)
            then = _Moment(after, *follows) if follows else _Moment(after, turn, False, True)
            if then.over and left:
                continue
            # Who moves once more in his turn may get there without another.
            if sum([away[n] for n, away in zip(after, self.away, strict=True)]) <= left + then.again:
                yield then, to

    def _moves(self, levels: list[_Level], moment: _Moment) -> tuple[Step, ...]:
        """The moves of the first way to a moment of the last level."""
        moves: list[Step] = []
        level = len(levels) - 1
        while (way := levels[level][moment]).before is not None:
            moves.append(Step(FRAME.names[way.to]))
            moment = way.before
            level -= not moment.again
        return tuple(reversed(moves))


@cache
def _turns_to(squares: frozenset[int], neutral: int, grid: Grid) -> Mapping[int, int]:
    """By square how many turns it takes at least to one of these. Who enters a neutral square goes on in his turn."""
    away = dict.fromkeys(squares, 0)
    waiting = deque(squares)
    while waiting:
        square = waiting.popleft()
        turn = 0 if neutral >> square & 1 else 1  # it takes no turn to enter this square
        for before in bits(neighbors(square, ALL_WAYS, grid)):
            if away[square] + turn < away.get(before, len(grid.names)):
                away[before] = away[square] + turn
                (waiting.append if turn else waiting.appendleft)(before)
    return {n: away.get(n, len(grid.names)) for n in range(len(grid.names))}
