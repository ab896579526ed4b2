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
from companion.games.position import Outcome, Player
from companion.solvers import compiled, pure
from companion.solvers.deepening import Answer, chance, deepen
from companion.solvers.hint import Budget, Hint

# A move and a result, as core/plank.c has them.
SOUTH, HAND, NO_PLANK, NOBODY = 1 << 15, 48, 7, 255
WON, THREAT = 19000, 90


class State(ctypes.Structure):
    _fields_ = (
        ("color", ctypes.c_uint64 * 3),
        ("own", ctypes.c_uint64 * 3 * 4),
        ("drawn", ctypes.c_void_p),
        ("planks", ctypes.c_uint8 * 3 * 4),
        ("tokens", ctypes.c_uint8 * 3 * 4),
        ("players", ctypes.c_uint8),
        ("length", ctypes.c_uint8),
        ("to_move", ctypes.c_uint8),
        ("over", ctypes.c_uint8),
        ("winner", ctypes.c_uint8),
        ("me", ctypes.c_uint8),
    )


def think(position: PlankGame, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    if compiled.core is None:
        yield from pure.think(position, budget, worth)
        return
    drawn = _drawn(position)
    for answer in deepen("plank", state_of(position, drawn), budget):
        line = texts_of(position, answer.line[: answer.length])
        exact = bool(answer.exact) and (len(position.players) != 3 or answer.result > WON)
        yield Hint(line[0], _value(answer), line, exact)


def _value(answer: Answer) -> float:
    if abs(answer.result) > WON:
        return float(answer.result > 0) if answer.exact else 0.98 if answer.result > 0 else 0.02
    return 0.5 if answer.exact else chance(answer.result, THREAT)


def worth(outcome: Outcome, seat: Player) -> float:
    """What a finished game is worth to one of the players: with three by marks, else his side's result."""
    scores = outcome.scores
    if len(scores) != 3:
        return scores[seat]
    others = sum(marks for player, marks in scores.items() if player != seat) / 2
    return 0.5 + (others - scores[seat]) / 3


def state_of(position: PlankGame, drawn: ctypes.Array[ctypes.c_uint64] | None = None) -> State:
    """The position as the core holds it. The list of draws is kept alive by who has it."""
    state = _state(position.row, position.hands, position.to_move or "A")
    state.over = position.to_move is None
    state.winner = "ABCD".index(position.winner) if position.winner else NOBODY
    state.drawn = ctypes.cast(drawn, ctypes.c_void_p) if drawn else None
    return state


def _state(row: tuple[Plank, ...], hands: tuple[Owned, ...], to_move: Player) -> State:
    state = State(players=len(hands), length=len(row), to_move="ABCD".index(to_move), me="ABCD".index(to_move))
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
    key = compiled.core.plank_key
    key.restype = ctypes.c_uint64
    twice = [seen for seen, times in Counter(position.seen).items() if times >= 2]
    keys = [key(ctypes.byref(_state(row, hands, player))) for row, _, hands, player in twice]
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
