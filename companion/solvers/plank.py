"""Hints for Plank: alpha-beta in the compiled core, which proves wins; four players play in teams.

With three players the search assumes that the other two cooperate. The value depends on the mean of their marks minus
the player's own: 1 for a win, 0 for a loss with two marks, 0.5 for a draw or a loss with one mark. Only wins are exact
then, since the others need not cooperate.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator

from companion.games.plank import COLORS, COLUMNS, PLANKS, Owned, Plank, PlankGame
from companion.games.position import Outcome, Seat
from companion.solvers import compiled, pure
from companion.solvers.deepening import chance, deepen
from companion.solvers.hint import Budget, Hint
from companion.solvers.structs import Answer, PlankState

# The encoding of moves in core/plank.c, and of no winner.
SOUTH, HAND, NO_PLANK, NOBODY = 1 << 15, 48, 7, 255
WON = 19000  # higher scores are wins
THREAT = 90  # a lead, in points, that wins about three games out of four
ALMOST = 0.98  # the value of a win that is not proved


def think(position: PlankGame, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    if compiled.core is None:
        yield from pure.think(position, budget, worth)
        return
    drawn = _drawn(position)
    for answer in deepen("plank", state_of(position, drawn), budget):
        line = texts_of(position, answer.line)
        exact = bool(answer.exact) and (len(position.players) != 3 or answer.score > WON)
        yield Hint(line[0], _value(answer), line, exact)


def _value(answer: Answer) -> float:
    if abs(answer.score) > WON:
        sure = 1.0 if answer.exact else ALMOST
        return sure if answer.score > 0 else 1 - sure
    return 0.5 if answer.exact else chance(answer.score, THREAT)


def worth(outcome: Outcome, seat: Seat) -> float:
    """The value of a finished game for a player: with three players by the marks, else his side's result."""
    scores = outcome.scores
    if len(scores) != 3:
        return scores[seat]
    others = sum(marks for player, marks in scores.items() if player != seat) / 2
    return 0.5 + (others - scores[seat]) / 3


def state_of(position: PlankGame, drawn: ctypes.Array[ctypes.c_uint64] | None = None) -> PlankState:
    """The position as a state of the core. It points to `drawn`, which the caller must keep alive."""
    state = _state(position.row, position.hands, position.to_move or "A")
    state.over = position.to_move is None
    state.winner = "ABCD".index(position.winner) if position.winner else NOBODY
    state.drawn = ctypes.cast(drawn, ctypes.c_void_p) if drawn else None
    return state


def _state(row: tuple[Plank, ...], hands: tuple[Owned, ...], to_move: Seat) -> PlankState:
    state = PlankState(players=len(hands), length=len(row), to_move="ABCD".index(to_move), me="ABCD".index(to_move))
    state.winner = NOBODY
    for n, plank in enumerate(row):
        for column, (color, token) in enumerate(zip(plank.colors, plank.tokens, strict=True)):
            square = 1 << 3 * n + column
            state.color[COLORS.index(color)] |= square
            if token:
                state.own["ABCD".index(token[0])][COLORS.index(token[1])] |= square
    for n, hand in enumerate(hands):
        state.planks[n][:], state.tokens[n][:] = hand.planks, hand.tokens
    return state


def _drawn(position: PlankGame) -> ctypes.Array[ctypes.c_uint64] | None:
    """The keys of the positions whose next repetition is a draw, terminated by 0."""
    assert compiled.core is not None
    twice = [moment for moment, times in Counter(position.moments).items() if times >= 2]
    keys = [compiled.core.plank_key(ctypes.byref(_state(row, hands, player))) for row, _, hands, player in twice]
    return (ctypes.c_uint64 * (len(keys) + 1))(*keys, 0) if keys else None


def texts_of(position: PlankGame, moves: list[int]) -> tuple[str, ...]:
    """The notation of a line of the core's moves."""
    texts, south = [], position.south
    for move in moves:
        kind, source = move >> 12 & 7, move >> 6 & 63
        token = f"{COLORS[source - HAND]}@" if source >= HAND else f"{_square(source, south)}>"
        south -= bool(move & SOUTH)
        plank = "" if kind == NO_PLANK else f"{PLANKS[kind]}{'v' if move & SOUTH else '^'} "
        texts.append(f"{plank}{token}{_square(move & 63, south)}")
    return tuple(texts)


def _square(number: int, south: int) -> str:
    return f"{COLUMNS[number % 3]}{number // 3 + south}"
