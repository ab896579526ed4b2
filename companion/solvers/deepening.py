"""Alpha-beta in the compiled core, one depth after the other, for the games that have a contest in `core/GAME.c`."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from math import exp
from types import TracebackType

from companion.solvers import compiled
from companion.solvers.hint import Budget

DEEPEST = 120  # no game of these goes on for longer without being decided, or ever


class Answer(ctypes.Structure):
    """What a search has found, as core/deepening.h has it."""

    _fields_ = (
        ("result", ctypes.c_int32),
        ("exact", ctypes.c_int32),
        ("depth", ctypes.c_int32),
        ("length", ctypes.c_int32),
        ("nodes", ctypes.c_uint64),
        ("line", ctypes.c_uint32 * 96),
    )


class Deepening:
    """A search of the core, to be closed after use; its time runs from here on."""

    def __init__(self, game: str, state: ctypes.Structure, budget: Budget) -> None:
        self._core, self._budget = _bound(), budget  # the budget's flag must live as long as the search
        contest = ctypes.byref(ctypes.c_char.in_dll(self._core, f"{game}_contest"))
        flag = ctypes.byref(budget.stop.flag)
        self._search = self._core.deepening_begin(contest, ctypes.byref(state), flag, budget.seconds, budget.work)
        if not self._search:
            raise MemoryError

    def __enter__(self) -> Deepening:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._core.deepening_end(self._search)

    def from_state(self, state: ctypes.Structure) -> None:
        """Go on from another state, with what was learnt so far."""
        self._core.deepening_from(self._search, ctypes.byref(state))

    def search(self, depth: int) -> tuple[Answer, bool]:
        """What is best if play is foreseen so far, and whether the time sufficed to find out."""
        answer = Answer()
        whole = self._core.deepening_search(self._search, depth, ctypes.byref(answer))
        return answer, bool(whole)


def deepen(game: str, state: ctypes.Structure, budget: Budget) -> Iterator[Answer]:
    """One answer for each depth; the last one may have been cut short. The same ones for the same work."""
    with Deepening(game, state, budget) as deepening:
        for depth in range(1, DEEPEST + 1):
            answer, whole = deepening.search(depth)
            if answer.length:
                yield answer
            if not whole or answer.exact:
                return


def chance(result: float, unit: float) -> float:
    """A guessed lead as a chance to win; so many units make it three to one or so."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, result / unit))))


def _bound() -> ctypes.CDLL:
    core = compiled.core
    assert core is not None
    if not core.deepening_begin.argtypes:
        pointer = ctypes.c_void_p
        core.deepening_begin.restype = pointer
        core.deepening_begin.argtypes = (pointer, pointer, pointer, ctypes.c_double, ctypes.c_uint64)
        core.deepening_end.argtypes = (pointer,)
        core.deepening_from.argtypes = (pointer, pointer)
        core.deepening_search.argtypes = (pointer, ctypes.c_int, pointer)
    return core
