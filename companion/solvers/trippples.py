"""Trippples solved: every moment of a full frame with two pawns, by going backwards from the finishes.

Indirect and frozen wins are left out, a freeze is a draw, and so is play without end (trippples.8).
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import NamedTuple

from companion.games.squares import bits
from companion.games.trippples import ALL_WAYS, Field, Moment, neighbours


class Decided(NamedTuple):
    winner: int  # 0 the square pawn, 1 the round one
    moves: int  # until the end, if both play their best


class Solution(NamedTuple):
    """The moments that are won and lost. All others are draws."""

    field: Field
    decided: dict[Moment, Decided]

    def loses(self, moment: Moment, player: int) -> bool:
        return moment in self.decided and self.decided[moment].winner != player


@lru_cache(maxsize=8)
def solve(field: Field) -> Solution:
    """Every moment that can be won or lost, with its distance from the end."""
    leads_to, open_moves = _backwards(field)
    decided: dict[Moment, Decided] = {}
    queue: deque[Moment] = deque()
    for moment in leads_to.pop(None, ()):  # somebody stands before his finish
        if moment not in decided:
            decided[moment] = Decided(moment[1], 1)
            queue.append(moment)
    while queue:
        moment = queue.popleft()
        winner, moves = decided[moment]
        for before in leads_to.get(moment, ()):
            if before in decided:
                continue
            if before[1] != winner:  # only a player whose every move loses has lost
                open_moves[before] -= 1
                if open_moves[before]:
                    continue
            decided[before] = Decided(winner, moves + 1)
            queue.append(before)
    return Solution(field, decided)


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


def _backwards(field: Field) -> tuple[dict[Moment | None, list[Moment]], dict[Moment, int]]:
    """For each moment the moments that lead to it, and for each the number of its moves; None is a win."""
    rules, arrows, size = field.rules, field.arrows, field.rules.grid.size
    entered = ((1 << size) - 1) & ~(0 if rules.again else rules.neutral)
    squares = list(bits(entered))
    near = {(n, ways): neighbours(n, ways, rules.grid) & entered for n in squares for ways in {*arrows, ALL_WAYS}}
    again = rules.neutral if rules.again else 0
    goes: tuple[dict[tuple[int, int], int], ...] = ({}, {})
    for a in squares:
        for b in squares:
            if a != b:
                goes[0][a, b] = near[a, arrows[b]] & ~(1 << b)
                goes[1][a, b] = near[b, arrows[a]] & ~(1 << a)
    leads_to: dict[Moment | None, list[Moment]] = {}
    open_moves: dict[Moment, int] = {}
    for pawns in goes[0]:
        a, b = pawns
        if a == rules.finishes[0] or b == rules.finishes[1]:
            continue
        moments = [((pawns, turn, False), goes[turn][pawns]) for turn in (0, 1)]
        if again:
            for turn, square in enumerate(pawns):
                if again >> square & 1:
                    moments.append(((pawns, turn, True), near[square, ALL_WAYS] & ~(1 << pawns[1 - turn])))
        for moment, reach in moments:
            turn, count = moment[1], 0
            while reach:
                low = reach & -reach
                reach ^= low
                to = low.bit_length() - 1
                count += 1
                if to == rules.finishes[turn]:
                    leads_to.setdefault(None, []).append(moment)
                    continue
                after = (to, b) if turn == 0 else (a, to)
                if again & low and near[to, ALL_WAYS] & ~(1 << pawns[1 - turn]):
                    then: Moment = (after, turn, True)
                elif goes[1 - turn][after]:
                    then = (after, 1 - turn, False)
                elif goes[turn][after]:
                    then = (after, turn, False)
                else:
                    continue  # a freeze, a draw for both
                leads_to.setdefault(then, []).append(moment)
            open_moves[moment] = count
    return leads_to, open_moves
