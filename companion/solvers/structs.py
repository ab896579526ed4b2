"""The structs that Python shares with the compiled core.

MIRRORS maps the names under which `core/` exports the sizes of structs (`MIRRORED` in core.h) to the classes here;
`compiled` compares the sizes when it loads the core.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Array,
    Structure,
    c_double,
    c_int,
    c_int8,
    c_int32,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)


class Rules(Structure):
    """A game's rules (core.h)."""

    _fields_ = (
        ("size", c_size_t),
        ("most_moves", c_int),
        ("moves", CFUNCTYPE(c_int, c_void_p, POINTER(c_uint32))),
        ("play", CFUNCTYPE(None, c_void_p, c_uint32)),
        ("side", CFUNCTYPE(c_int, c_void_p)),
        ("value", CFUNCTYPE(c_double, c_void_p)),
    )
    size: int
    most_moves: int


class Answer(Structure):
    """The result of a search so far (search.h)."""

    _fields_ = (
        ("score", c_double),
        ("nodes", c_uint64),
        ("exact", c_int32),
        ("finished", c_int32),
        ("depth", c_int32),
        ("length", c_int32),
        ("moves", c_uint32 * 96),
    )
    score: float  # for the side to move
    nodes: int
    exact: int  # the score is proved
    finished: int  # this depth was searched completely
    depth: int
    length: int
    moves: Array[c_uint32]

    @property
    def line(self) -> list[int]:
        return self.moves[: self.length]


class Tally(Structure):
    """The progress of a search for solutions, updated while it runs (cover.h)."""

    _fields_ = (("found", c_uint64), ("nodes", c_uint64), ("done", c_double))
    found: int
    nodes: int
    done: float  # the share of the search tree that has been searched, 0 to 1


class CoverProblem(Structure):
    """An exact cover to be searched (cover.c)."""

    _fields_ = (
        ("must", c_uint64),
        ("bare", c_uint64),
        ("left", c_int32 * 2),
        ("size", c_int32),
        ("options", c_int32),
        ("option", POINTER(c_uint64)),
    )


class CoverSolution(Structure):
    """A solution of a cover by its options' numbers, ended by -1 (cover.c)."""

    _fields_ = (("option", c_int32 * 24),)
    option: Array[c_int32]


class PegsStart(Structure):
    """Where a search for solutions of Pegs solitaire starts (pegs_solo.c)."""

    _fields_ = (("pegs", c_uint64), ("covered", c_uint64), ("cards", c_uint64), ("left", c_int32))


class PegsCards(Structure):
    """The geometry of the cards (pegs_solo.c)."""

    _fields_ = (("square", c_int8 * 6 * 60), ("card", c_int8 * 64))


class HeptaState(Structure):
    _fields_ = (
        ("taken", c_uint64),
        ("phase", c_uint8),
        ("side", c_uint8),
        ("second_has", c_uint8),
        ("laid", c_uint8 * 2),
    )


class TForTwoState(Structure):
    _fields_ = (
        ("mushrooms", c_uint64),
        ("covered", c_uint64),
        ("last", c_uint64),
        ("used", c_uint16),
        ("side", c_uint8),
        ("over", c_uint8),
    )


class PlankState(Structure):
    _fields_ = (
        ("color", c_uint64 * 3),
        ("own", c_uint64 * 3 * 4),
        ("drawn", c_void_p),
        ("planks", c_uint8 * 3 * 4),
        ("tokens", c_uint8 * 3 * 4),
        ("players", c_uint8),
        ("length", c_uint8),
        ("to_move", c_uint8),
        ("over", c_uint8),
        ("winner", c_uint8),
        ("me", c_uint8),
    )


class PegsState(Structure):
    _fields_ = (
        ("pegs", c_uint64),
        ("turned", c_uint64),
        ("own", c_uint64 * 2),
        ("hand", c_uint64 * 2),
        ("unseen", c_uint64),
        ("phase", c_uint8),
        ("side", c_uint8),
        ("pack", c_uint8),
        ("known", c_uint8),
        ("deck", c_uint8 * 35),
        ("length", c_uint8 * 2),
        ("history", c_uint8 * 80 * 2),
    )


MIRRORS: dict[str, type[Structure]] = {
    "rules": Rules,
    "answer": Answer,
    "tally": Tally,
    "cover_problem": CoverProblem,
    "cover_solution": CoverSolution,
    "pegs_start": PegsStart,
    "pegs_cards": PegsCards,
    "hepta": HeptaState,
    "t_for_two": TForTwoState,
    "plank": PlankState,
    "pegs": PegsState,
}
