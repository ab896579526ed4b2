"""6 Faces: what to play, by alpha-beta in the compiled core. A win or loss that it sees is proved."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from math import exp
from typing import Any

from companion.games.six_faces import BOARD, DICE, LETTER, Roll, SixFaces
from companion.solvers import compiled, pure
from companion.solvers.hint import Budget, Hint

CODES = {
    "": 0,
    **{die: 1 + n % 24 + 32 * (die[0] == "r") for n, die in enumerate(DICE[:48])},
    "wK": 25,
    "rK": 32 + 25,
}
WON = 29000  # scores above are wins, as in core/six_faces.c
DIE = 100  # what a die is worth
DEEPEST = 60  # by then even the longest end game is decided or going round


class Found(ctypes.Structure):
    """What a search has found so far, as core/six_faces.c has it."""

    _fields_ = (
        ("score", ctypes.c_int32),
        ("depth", ctypes.c_int32),
        ("length", ctypes.c_int32),
        ("finished", ctypes.c_int32),
        ("nodes", ctypes.c_uint64),
        ("line", ctypes.c_uint32 * 96),
    )


State = ctypes.Array[ctypes.c_char]


def think(position: SixFaces, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    if compiled.core is None:
        yield from pure.think(position, budget)
        return
    for found in search(position, budget):
        exact = found.score > WON or (found.score < -WON and bool(found.finished))
        line = tuple(str(roll_of(move)) for move in found.line[: found.length])
        value = float(found.score > 0) if exact else 1 / (1 + exp(-found.score / (1.2 * DIE)))
        yield Hint(line[0], value, line, exact)


def search(position: SixFaces, budget: Budget) -> Iterator[Found]:
    """One answer for each step that the compiled search goes deeper; the last one may have been cut short."""
    core = _bound()
    before = [_hash(core, dice, turn, position) for dice, turn in position.seen[:-1]]
    seen = (ctypes.c_uint64 * len(before))(*before)
    state = state_of(core, position, seen)
    found = Found()
    until = time.monotonic() + budget.seconds
    handle = core.six_faces_open(state, budget.seed)
    if not handle:
        raise MemoryError
    try:
        while True:
            work = max(budget.work - found.nodes, 1) if budget.work else 0
            core.six_faces_deepen(
                handle, ctypes.byref(budget.stop.flag), until - time.monotonic(), work, ctypes.byref(found)
            )
            yield Found.from_buffer_copy(found)
            if not found.finished or abs(found.score) > WON or found.depth >= DEEPEST:
                return
    finally:
        core.six_faces_close(handle)


def state_of(core: ctypes.CDLL, position: SixFaces, before: Any = None) -> State:
    """The position as the core holds it. The hashes `before` are kept alive by who has them."""
    return _state(core, position.dice, position.turn, position, before)


def _state(core: ctypes.CDLL, dice: tuple[str, ...], turn: str, position: SixFaces, before: Any) -> State:
    state = ctypes.create_string_buffer(core.six_faces_size())
    rules = position.rules
    core.six_faces_set(
        state,
        bytes(CODES[die] for die in dice),
        list(LETTER).index(turn),
        rules.handedness == "left",
        rules.home == "king",
        rules.repetition,
        before,
        0 if before is None else len(before),
    )
    return state


def _hash(core: ctypes.CDLL, dice: tuple[str, ...], turn: str, position: SixFaces) -> int:
    found: int = core.six_faces_hash(_state(core, dice, turn, position, None))
    return found


def roll_of(move: int) -> Roll:
    """A move of the core in the game's own words."""
    start, end, turn = (BOARD.names[move >> shift & 127] for shift in (0, 7, 14))
    return Roll((start, end) if turn == end else (start, turn, end))


def _bound() -> ctypes.CDLL:
    core = compiled.core
    assert core is not None
    if not core.six_faces_open.argtypes:
        core.six_faces_size.restype = ctypes.c_size_t
        core.six_faces_hash.restype = ctypes.c_uint64
        core.six_faces_open.restype = ctypes.c_void_p
        core.six_faces_open.argtypes = (ctypes.c_void_p, ctypes.c_uint64)
        core.six_faces_close.argtypes = (ctypes.c_void_p,)
        core.six_faces_deepen.argtypes = (
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_double,
            ctypes.c_uint64,
            ctypes.c_void_p,
        )
    return core
