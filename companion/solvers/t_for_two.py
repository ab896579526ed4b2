"""Hints for one leg of T for Two: alpha-beta on the mushrooms' points in the compiled core, exact towards the end.

A leg has points and no winner. Its `value` is the chance that the mushroom player's score beats that of the return leg,
which is assumed to be between equal players: PAR points, plus or minus SPREAD.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.position import Outcome, Seat
from companion.games.squares import SEVEN
from companion.games.t_for_two import TForTwo
from companion.games.tetrods import TETRODS
from companion.solvers import compiled, pure
from companion.solvers.deepening import chance, deepen
from companion.solvers.hint import Budget, Hint
from companion.solvers.structs import TForTwoState

NAMES = list(TETRODS)
LAY = 1 << 30  # the encoding of moves in core/t_for_two.c
POINT = 100  # one point in the core's scores
PAR, SPREAD = 18, 3  # legs in self-play end with about 18 points; also in core/t_for_two.c


def think(position: TForTwo, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    if compiled.core is None:
        yield from pure.think(position, budget, worth)
        return
    for answer in deepen("t_for_two", state_of(position), budget):
        line = tuple(map(text_of, answer.line))
        points = (answer.score if position.to_move == "mushrooms" else -answer.score) / POINT
        yield Hint(line[0], _for(position.to_move, points), line, bool(answer.exact))


def worth(outcome: Outcome, seat: Seat) -> float:
    """The value of a finished leg for a seat."""
    return _for(seat, outcome.scores["mushrooms"])


def _for(seat: Seat | None, points: float) -> float:
    value = chance(points - PAR, SPREAD)
    return value if seat == "mushrooms" else 1 - value


def state_of(position: TForTwo) -> TForTwoState:
    """The position as a state of the core."""
    used = {lay.name for lay in position.laid}
    return TForTwoState(
        position.mushrooms,
        position.covered,
        position.last,
        sum(1 << n for n, name in enumerate(NAMES) if name in used),
        position.to_move == "tetrods",
        position.to_move is None,
    )


def text_of(move: int) -> str:
    """The notation of a move of the core."""
    if not move & LAY:
        return f"@{SEVEN.names[move]}"
    cells = sorted(SEVEN.names[move >> shift & 63] for shift in (0, 6, 12, 18))
    return f"{NAMES[move >> 24 & 15]}{''.join(cells)}@{SEVEN.names[move >> 18 & 63]}"
