"""Fixed schedules: round robin by Berger's tables, and knock-out brackets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.errors import BadInput
from companion.hall.swiss import Board


def berger(entries: Sequence[int], number: int) -> list[Board]:
    """One round of a round robin, counted from 0, by Berger's table: everybody is first and second equally often, give
    or take one game. With an odd number one has a bye in each round. A second cycle swaps the roles."""
    size = len(entries) + len(entries) % 2
    if size < 2:
        return [Board((entry,)) for entry in entries]
    cycle, turn = divmod(number, size - 1)
    last = size - 1
    # The last entry keeps its place; the others rotate by half the field.
    step = [(turn * (size // 2) + k) % last for k in range(last)]
    pairs = [(step[0], last) if turn % 2 == 0 else (last, step[0])]
    pairs += [(step[k], step[last - k]) for k in range(1, size // 2)]
    boards: list[Board] = []
    alone: list[Board] = []
    for first, second in pairs:
        if cycle % 2:
            first, second = second, first
        there = tuple(entries[n] for n in (first, second) if n < len(entries))
        (boards if len(there) == 2 else alone).append(Board(there))
    return boards + alone


def berger_rounds(count: int) -> int:
    return count - 1 + count % 2 if count > 1 else 0


def bracket(entries: Sequence[int]) -> list[Board]:
    """The first round of a knock-out. `entries` are sorted by strength: the strongest have the byes, and the two
    strongest can only meet in the final."""
    size = 1
    while size < len(entries):
        size *= 2
    order = [0]
    while len(order) < size:
        order = [place for n in order for place in (n, 2 * len(order) - 1 - n)]
    there = [tuple(entries[n] for n in order[k : k + 2] if n < len(entries)) for k in range(0, size, 2)]
    return [Board(players) for players in there]


def next_bracket(before: Sequence[Board], scores: Sequence[Mapping[int, float]]) -> list[Board]:
    """The next round of a knock-out: winners of neighboring boards meet. BadInput if a board ended in a draw."""
    through = []
    for board, score in zip(before, scores, strict=True):
        best = max(score.get(player, 0) for player in board.players)
        winners = [player for player in board.players if score.get(player, 0) == best]
        if len(winners) > 1:
            raise BadInput("", "hall-undecided")
        through.append(winners[0])
    return [Board(tuple(through[n : n + 2])) for n in range(0, len(through), 2)]
