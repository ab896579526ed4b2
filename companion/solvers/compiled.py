"""The compiled core: the C sources in `core/`, loaded with ctypes.

`make setup` (pip's editable install) and the wheel build them into one shared library beside this file, as pyproject
says; it only takes a C compiler with POSIX clocks (gcc, clang). Without one everything still works: `core` is None, and
the solvers search in Python over `companion.games`. COMPANION_PURE=1 forces that.

A library that was built from other sources is not used either: the sizes of all shared structs are compared when it is
loaded. There is no warning, since everything works without it; `refused` says why, and the tests fail with it. After a
change in `core/`: `make setup`, or in any environment with setuptools
`python -c 'import setuptools; setuptools.setup()' -q build_ext --inplace`.
"""

from __future__ import annotations

import os
from ctypes import CDLL, Array, Structure, c_char, c_double, c_int, c_size_t, c_uint64, c_void_p, sizeof
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from companion.solvers.structs import MIRRORS, Rules

State = Structure | Array[c_char]  # a game's state in the core; bytes if only the core knows its struct

_search = (c_void_p, c_void_p, c_uint64, c_void_p, c_double, c_uint64)  # game, state, seed, stop, seconds, work
_limits = (c_void_p, c_void_p, c_double, c_uint64)  # tally, stop, seconds, work

# The exported functions: result type and argument types, as in the C sources.
FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "core_perft": (c_uint64, (c_void_p, c_void_p, c_int)),
    "search_open": (c_void_p, _search),
    "search_close": (None, (c_void_p,)),
    "search_deepen": (c_int, (c_void_p, c_void_p)),
    "search_restart": (None, (c_void_p, c_void_p)),
    "search_to": (c_int, (c_void_p, c_int, c_void_p)),
    "search_whole": (c_int, (*_search, c_void_p)),
    "cover_search": (c_int, (c_void_p, c_uint64, c_void_p, *_limits)),
    "cover_count": (c_int, (c_void_p, *_limits)),
    "hepta_look": (None, (c_void_p, c_void_p)),
    "pegs_solo_search": (c_int, (c_void_p, c_void_p, c_uint64, c_void_p, *_limits, c_uint64)),
    "plank_key": (c_uint64, (c_void_p,)),
    "six_faces_hash": (c_uint64, (c_void_p,)),
    "six_faces_set": (None, (c_void_p, c_void_p, c_int, c_int, c_int, c_int, c_void_p, c_int)),
    "t_for_two_look": (c_int, (c_void_p, c_void_p)),
    "trippples_chances": (None, (c_void_p, c_void_p, c_int, c_void_p)),
    "trippples_set": (None, (c_void_p, c_void_p, c_uint64, c_int, c_void_p, c_void_p, c_int, c_int, c_int, c_int)),
    "trippples_solve": (None, (c_void_p, c_void_p, c_void_p)),
}


@cache
def rules_of(library: CDLL, game: str) -> Rules:
    """The rules that `core/GAME.c` exports. A C `Game` begins with its rules, so both have the same address."""
    return Rules.in_dll(library, f"{game}_game")


def complaint(library: CDLL) -> str:
    """Why a library does not match these sources; empty if it does."""
    try:
        sizes = {name: c_size_t.in_dll(library, f"size_of_{name}").value for name in MIRRORS}
        for name in FUNCTIONS:
            getattr(library, name)
    except (ValueError, AttributeError) as missing:
        return f"the compiled core is of other sources ({missing}): make setup"
    here = {name: sizeof(mirror) for name, mirror in MIRRORS.items()}
    other = [f"{name} has {size} bytes, not {here[name]}" for name, size in sizes.items() if size != here[name]]
    return f"the compiled core is of other sources ({', '.join(other)}): make setup" if other else ""


def _load() -> tuple[CDLL | None, str]:
    """The library, and why it was refused, if it was."""
    built = [path for suffix in EXTENSION_SUFFIXES if (path := Path(__file__).with_name(f"_core{suffix}")).exists()]
    if not built or os.environ.get("COMPANION_PURE", "") not in ("", "0"):
        return None, ""
    try:
        library = CDLL(str(built[0]))
    except OSError as error:  # built for another machine
        return None, f"the compiled core cannot be loaded: {error}"
    if why := complaint(library):
        return None, why
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library, ""


core, refused = _load()
