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
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path


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

    def legal(self, state: ctypes.Array[ctypes.c_char]) -> list[int]:
        """The moves of a state."""
        moves = (ctypes.c_uint32 * self.most_moves)()
        return list(moves[: self.moves(ctypes.addressof(state), moves)])


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
