"""The compiled core: the C sources in `core/`, loaded with ctypes.

`make setup` (pip's editable install) and the wheel build them into one shared library beside this file, as pyproject
says; a C compiler with POSIX clocks (gcc, clang) is all it takes. Where there is none the companion installs and works
all the same: `core` is None, and the solvers go the pure way over `companion.games`. COMPANION_PURE=1 forces that.
After a change in `core/`: `make setup`, or in any environment with setuptools
`python -c 'import setuptools; setuptools.setup()' -q build_ext --inplace`.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from math import exp
from pathlib import Path

from companion.solvers.hint import Budget

State = ctypes.Array[ctypes.c_char]  # a game's state, as the core holds it
WON = 29_000  # scores beyond are proved
DEEPEST = 80  # by then even the longest end game is decided or going round


class Rules(ctypes.Structure):
    """A game's rules as `core.h` has them: only passed around here."""

    _fields_ = (
        ("size", ctypes.c_size_t),
        ("most_moves", ctypes.c_int),
        ("moves", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32))),
        ("play", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32)),
        ("side", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)),
        ("value", ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)),
    )

    @classmethod
    def of(cls, library: ctypes.CDLL, game: str) -> Rules:
        """The rules that `core/GAME.c` exports."""
        return cls.in_dll(library, f"{game}_rules")

    def legal(self, state: State) -> list[int]:
        """The moves of a state."""
        moves = (ctypes.c_uint32 * self.most_moves)()
        return list(moves[: self.moves(ctypes.addressof(state), moves)])


class Found(ctypes.Structure):
    """What a search has found so far, as `core.h` has it."""

    _fields_ = (
        ("score", ctypes.c_int32),
        ("depth", ctypes.c_int32),
        ("length", ctypes.c_int32),
        ("finished", ctypes.c_int32),
        ("nodes", ctypes.c_uint64),
        ("moves", ctypes.c_uint32 * 96),
    )

    @property
    def line(self) -> list[int]:
        return list(self.moves[: self.length])

    @property
    def exact(self) -> bool:
        """A win is proved wherever it is seen, a loss only when every way out has been tried."""
        return self.score > WON or (self.score < -WON and bool(self.finished))

    def value(self, scale: float) -> float:
        """The result to be expected; with an advantage of `scale` it is 0.73."""
        return float(self.score > 0) if self.exact else 1 / (1 + exp(-max(min(self.score / scale, 50), -50)))


def deepen(library: ctypes.CDLL, game: str, state: State, budget: Budget) -> Iterator[Found]:
    """One answer for each step that a game's search goes deeper; the last one may have been cut short."""
    begin, step, end = (getattr(library, f"{game}_{name}") for name in ("open", "deepen", "close"))
    begin.restype, begin.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_uint64)
    number = ctypes.c_uint64
    step.restype, step.argtypes = None, (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, number, ctypes.c_void_p)
    end.restype, end.argtypes = None, (ctypes.c_void_p,)
    found, until = Found(), time.monotonic() + budget.seconds
    search = begin(state, budget.seed)
    if not search:
        raise MemoryError
    try:
        while True:
            if found.length:
                work = max(budget.work - found.nodes, 1) if budget.work else 0
                step(search, ctypes.byref(budget.stop.flag), until - time.monotonic(), work, ctypes.byref(found))
            else:  # the first step takes no time, and an answer is owed
                step(search, None, 1, 0, ctypes.byref(found))
            yield Found.from_buffer_copy(found)
            if not found.finished or abs(found.score) > WON or found.depth >= DEEPEST:
                return
    finally:
        end(search)


def _load() -> ctypes.CDLL | None:
    if os.environ.get("COMPANION_PURE", "") not in ("", "0"):
        return None
    for suffix in EXTENSION_SUFFIXES:
        library = Path(__file__).with_name(f"_core{suffix}")
        if library.exists():
            try:
                found = ctypes.CDLL(str(library))
            except OSError:  # built for another machine
                return None
            found.core_perft.restype = ctypes.c_uint64
            found.core_perft.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
            return found
    return None


core = _load()
