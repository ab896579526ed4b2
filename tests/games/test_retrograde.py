"""Trippples solved, against a plain fixed point over every moment of small frames."""

from itertools import permutations, product
from random import Random

import pytest

from companion.games.retrograde import forced, solve
from companion.games.squares import Grid, bits
from companion.games.trippples import ALL_WAYS, TILES, Field, Moment, Rules


def small_field(seed: int, columns: int, rows: int, wild: bool) -> Field:
    chance, grid = Random(seed), Grid(columns, rows)
    arrows = [chance.choice(list(TILES.values())) for _ in range(grid.size)]
    start, finish = (0, columns - 1), (grid.size - 1, grid.size - columns)
    neutral = grid.size // 2
    for square in (*start, *finish, neutral):
        arrows[square] = ALL_WAYS
    rules = Rules(start, finish, 1 << neutral, wild=wild, grid=grid)
    return Field(rules, tuple(arrows))


def children(field: Field, moment: Moment, freezing: bool = False) -> list[tuple[Moment | None, int | None]]:
    """What each move leads to: a moment, or None with the winner, or None and None for a freeze that nobody wins."""
    pawns, turn, again = moment
    found: list[tuple[Moment | None, int | None]] = []
    for to in bits(field.reach(pawns, turn, again)):
        after = (to, pawns[1]) if turn == 0 else (pawns[0], to)
        if to == field.rules.finishes[turn]:
            found.append((None, turn))
        else:
            then = field.next_turn(after, turn, to)
            found.append(((after, *then), None) if then else (None, turn if freezing else None))
    return found


def plainly(field: Field, freezing: bool) -> dict[Moment, tuple[int, int]]:
    """Who wins each moment, and in how many moves: looked at again and again until nothing changes."""
    rules, size = field.rules, field.rules.grid.size
    closed = set() if rules.again else set(bits(rules.neutral))
    squares = [n for n in range(size) if n not in closed]
    moments: list[Moment] = [
        ((a, b), turn, again)
        for a in squares
        for b in squares
        for turn in (0, 1)
        for again in (False, True)
        if a != b and a != rules.finishes[0] and b != rules.finishes[1]
        if not again or (rules.again and rules.neutral >> (a, b)[turn] & 1)
    ]
    won: dict[Moment, tuple[int, int]] = {}
    for moves in range(1, len(moments) + 1):
        new = {}
        for moment in moments:
            if moment in won:
                continue
            ends = [
                (w, 0) if w is not None else won.get(m) if m else None for m, w in children(field, moment, freezing)
            ]
            mine = [end for end in ends if end and end[0] == moment[1]]
            if any(moves == end[1] + 1 for end in mine) or (ends and all(ends) and not mine):
                new[moment] = (moment[1] if mine else 1 - moment[1], moves)
        if not new and moves > 2:
            break
        won |= new
    return won


@pytest.mark.parametrize("freezing", [False, True])
@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_exact_on_small_frames(seed: int, wild: bool, freezing: bool) -> None:
    columns, rows = [(3, 3), (4, 3), (3, 4), (4, 4)][seed % 4]
    field = small_field(seed, columns, rows, wild)
    solution, plain = solve(field, freezing), plainly(field, freezing)
    for a, b in permutations(range(field.rules.grid.size), 2):
        for turn, again in product((0, 1), (False, True)):
            moment = ((a, b), turn, again)
            assert solution.decided(moment) == plain.get(moment), moment
    assert len(plain) > 10


def test_forced_needs_a_way_out_and_all_of_them_losing() -> None:
    found = {True: 0, False: 0}
    for seed in range(40):
        field = small_field(seed, 4, 4, False)
        solution = solve(field)
        chance = Random(seed)
        moment: Moment | None = (field.rules.starts, 0, False)
        cycle = set()
        for _ in range(6):
            if moment is None:
                break
            cycle.add(moment)
            moment = chance.choice(children(field, moment) or [(None, None)])[0]
        for turn in (0, 1):
            outs = [
                end
                for at in cycle
                if at[1] == turn
                for end in children(field, at)
                if end[0] is None or end[0] not in cycle
            ]
            lost = [m is not None and solution.loses(m, turn) for m, _ in outs]
            assert forced(solution, frozenset(cycle), turn) == (bool(lost) and all(lost))
            found[bool(lost) and all(lost)] += 1
    assert found[True] > 3
    assert found[False] > 3
