"""Retrograde analysis of Trippples: who wins at every moment of a full frame with two pawns.

The rules need it: a repetition is an indirect win when the other can leave the cycle only to lose (trippples.8). There
indirect wins themselves are left out, play without end is a draw, and so is a freeze. The solver needs it too; for a
player who may announce a freeze, a freeze is a win.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games.squares import bits
from companion.games.trippples import ALL_WAYS, Field, Moment, neighbors


class Decided(NamedTuple):
    winner: int  # 0 the square pawn, 1 the round one
    moves: int  # until the end, if both play their best


class Solution(NamedTuple):
    """The won and lost moments, by number. All others are draws."""

    field: Field
    winner: Sequence[int]  # -1 where nobody wins
    moves: Sequence[int]

    def decided(self, moment: Moment) -> Decided | None:
        n = number(moment, self.field.rules.grid.size)
        return None if self.winner[n] < 0 else Decided(self.winner[n], self.moves[n])

    def loses(self, moment: Moment, player: int) -> bool:
        return self.winner[number(moment, self.field.rules.grid.size)] == 1 - player


def number(moment: Moment, size: int) -> int:
    (a, b), turn, again = moment
    return (a * size + b) * 4 + turn + 2 * again


@lru_cache(maxsize=8)
def solve(field: Field, freezing: bool = False) -> Solution:
    """Every moment that can be won or lost, with its distance from the end, nearest to the end first.

    With `freezing`, a move after which no pawn can move wins.
    """
    size, back = field.rules.grid.size, _Back(field)
    winner, moves, open_moves = [-1] * (size * size * 4), [0] * (size * size * 4), [0] * (size * size * 4)
    decided = back.one_before_the_end()
    if freezing:
        decided = list(dict.fromkeys(decided + back.one_before_a_freeze()))
    for n in decided:
        winner[n], moves[n] = n & 1, 1
    for n in decided:  # grows as it goes
        who, more = winner[n], moves[n] + 1
        for before in back.from_where(n):
            if winner[before] >= 0:
                continue
            if before & 1 != who:  # only a player whose every move loses has lost
                open_moves[before] = (open_moves[before] or back.reach(before).bit_count()) - 1
                if open_moves[before]:
                    continue
            winner[before], moves[before] = who, more
            decided.append(before)
    return Solution(field, winner, moves)


def forced(solution: Solution, cycle: frozenset[Moment], turn: int) -> bool:
    """Whether every move of a player that leads out of a cycle loses, and there is at least one such move."""
    field, leaves = solution.field, False
    for pawns, mover, again in cycle:
        if mover != turn:
            continue
        for to in bits(field.reach(pawns, turn, again)):
            if to == field.rules.finishes[turn]:
                return False
            after = (to, pawns[1]) if turn == 0 else (pawns[0], to)
            then = field.next_turn(after, turn, to)
            moment = then and (after, *then)
            if moment in cycle:
                continue
            if moment is None or not solution.loses(moment, turn):
                return False
            leaves = True
    return leaves


class _Back:
    """Backward steps on a field. Moments are numbered."""

    def __init__(self, field: Field) -> None:
        rules = field.rules
        self.arrows, self.finishes, self.size = field.arrows, rules.finishes, rules.grid.size
        self.again = rules.neutral if rules.again else 0  # squares that give a second move
        self.entered = ((1 << self.size) - 1) & ~(0 if rules.again else rules.neutral)
        self.grid = rules.grid
        self.back = [_turned(ways) for ways in field.arrows]  # the reversed arrows of each square

    def _near(self, square: int, ways: int) -> int:
        return neighbors(square, ways, self.grid) & self.entered

    def reach(self, number: int) -> int:
        """Where the player to move can go."""
        pair, turn = number >> 2, number & 1
        a, b = divmod(pair, self.size)
        pawn, other = (b, a) if turn else (a, b)
        return self._near(pawn, ALL_WAYS if number & 2 else self.arrows[other]) & ~(1 << other)

    def one_before_the_end(self) -> list[int]:
        """The moments in which the player to move stands before his finish."""
        return [
            before
            for turn, finish in enumerate(self.finishes)
            for other in bits(self.entered & ~(1 << finish))
            if other != self.finishes[1 - turn]
            for before in self._came_from(finish, other, turn)
        ]

    def one_before_a_freeze(self) -> list[int]:
        """The moments in which the player to move can end all movement."""
        squares = list(bits(self.entered))
        stuck = [
            {other for other in squares if not self._near(pawn, self.arrows[other]) & ~(1 << other)}
            for pawn in range(self.size)
        ]
        found = []
        for pawn in squares:
            for other in stuck[pawn] - {pawn}:
                if pawn in stuck[other]:
                    found += self._frozen_by(pawn, other, 0) + self._frozen_by(pawn, other, 1)
        return found

    def _frozen_by(self, pawn: int, other: int, turn: int) -> list[int]:
        """The moments before a pawn came here and nobody could move any more."""
        if pawn == self.finishes[turn] or other == self.finishes[1 - turn]:
            return []
        pair = other * self.size + pawn if turn else pawn * self.size + other
        return self._came_from(pawn, other, turn) if self._then(pair, pawn, other, turn) < 0 else []

    def from_where(self, number: int) -> list[int]:
        """The moments that lead to this one by a move."""
        a, b = divmod(number >> 2, self.size)
        if not self.again:  # the other has moved; or the same, if the other could not
            mine, his = ((b, a), (a, b)) if number & 1 else ((a, b), (b, a))
            found = self._came_from(*his, 1 - (number & 1))
            return found if self.reach(number ^ 1) else found + self._came_from(*mine, number & 1)
        found = []
        for turn, pawn, other in ((0, a, b), (1, b, a)):
            if self._then(number >> 2, pawn, other, turn) == number:
                found += self._came_from(pawn, other, turn)
        return found

    def _then(self, pair: int, pawn: int, other: int, turn: int) -> int:
        """The moment after a pawn has come to where it stands, or -1 if nobody can move."""
        if self.again >> pawn & 1 and self._near(pawn, ALL_WAYS) & ~(1 << other):
            return pair * 4 + 2 + turn
        for then in (pair * 4 + 1 - turn, pair * 4 + turn):
            if self.reach(then):
                return then
        return -1

    def _came_from(self, pawn: int, other: int, turn: int) -> list[int]:
        """The moments before a pawn came here, by the arrows under the other or as a second move."""
        closed = ~(1 << other | 1 << self.finishes[turn])
        step, base = (4, 4 * self.size * other + 1) if turn else (4 * self.size, 4 * other)
        found, left = [], self._near(pawn, self.back[other]) & closed
        while left:
            low = left & -left
            left ^= low
            found.append((low.bit_length() - 1) * step + base)
        if self.again:
            second = self._near(pawn, ALL_WAYS) & self.again & closed
            found += [n * step + base + 2 for n in bits(second)]
        return found


def _turned(ways: int) -> int:
    """The opposite directions."""
    return (ways << 4 | ways >> 4) & ALL_WAYS
