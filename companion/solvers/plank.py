"""Plank: what to play. Alpha-beta in the compiled core, which proves wins; with four by teams.

With three each thinks of the two others as allied against him, and what counts is their marks' mean less his own:
a win is worth 1, a loss that marks him two 0, and half of that a draw or a loss that marks him one. Only a win is then
called exact: the others need not be allied.
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

# A move, as core/plank.c has it, and nobody as the winner.
SOUTH, HAND, NO_PLANK, NOBODY = 1 << 15, 48, 7, 255
WON = 19000  # scores beyond are wins
THREAT = 90  # a lead of so many points wins three games out of four or so
ALMOST = 0.98  # what a win is worth that has been seen but not proved


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
    """What a finished game is worth to one of the players: with three by marks, else his side's result."""
    scores = outcome.scores
    if len(scores) != 3:
        return scores[seat]
    others = sum(marks for player, marks in scores.items() if player != seat) / 2
    return 0.5 + (others - scores[seat]) / 3


def state_of(position: PlankGame, drawn: ctypes.Array[ctypes.c_uint64] | None = None) -> PlankState:
    """The position as the core holds it. The state points to the list of draws: the caller keeps it alive."""
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
    """The positions whose next occurrence is a draw, by the core's keys; a 0 ends the list."""
    assert compiled.core is not None
    twice = [moment for moment, times in Counter(position.moments).items() if times >= 2]
    keys = [compiled.core.plank_key(ctypes.byref(_state(row, hands, player))) for row, _, hands, player in twice]
    return (ctypes.c_uint64 * (len(keys) + 1))(*keys, 0) if keys else None


def texts_of(position: PlankGame, moves: list[int]) -> tuple[str, ...]:
    """A series of the core's moves in the game's own words."""
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
