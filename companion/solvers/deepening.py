"""Iterative deepening in the compiled core, the same for every game (core/search.h)."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref
from math import exp
from types import TracebackType

from companion.solvers import compiled
from companion.solvers.compiled import State, rules_of
from companion.solvers.hint import Budget
from companion.solvers.structs import Answer


class Search:
    """A search, to be closed after use. Its time starts when it is created."""

    def __init__(self, game: str, state: State, budget: Budget) -> None:
        assert compiled.core
        self._core, self._budget = compiled.core, budget  # the budget's flag must live as long as the search
        self._search = self._core.search_open(
            byref(rules_of(self._core, game)),
            byref(state),
            budget.seed,
            byref(budget.stop.flag),
            budget.seconds,
            budget.work,
        )
        if not self._search:
            raise MemoryError

    def __enter__(self) -> Search:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._core.search_close(self._search)

    def deepen(self) -> Answer | None:
        """Search one step deeper. None: the search has ended. The first step always has an answer."""
        answer = Answer()
        return answer if self._core.search_deepen(self._search, byref(answer)) else None

    def restart(self, state: State) -> None:
        """Start again from another state, with the same tables and limits."""
        self._core.search_restart(self._search, byref(state))

    def to(self, depth: int) -> Answer:
        """Search directly to a depth. If a limit is reached the answer is not `finished`, and may have no line."""
        answer = Answer()
        self._core.search_to(self._search, depth, byref(answer))
        return answer


def deepen(game: str, state: State, budget: Budget) -> Iterator[Answer]:
    """The answer at each depth; the last one may be unfinished. With a limit of work they are reproducible."""
    with Search(game, state, budget) as search:
        while answer := search.deepen():
            yield answer


def last_answer(game: str, state: State, budget: Budget) -> Answer:
    """The last answer of `deepen`, in one call of the core."""
    core, answer = compiled.core, Answer()
    assert core
    flag = byref(budget.stop.flag)
    if not core.search_whole(
        byref(rules_of(core, game)), byref(state), budget.seed, flag, budget.seconds, budget.work, byref(answer)
    ):
        raise MemoryError
    return answer


def chance(lead: float, unit: float) -> float:
    """The expected result with a lead, by a logistic function: a lead of one unit wins about 73 of 100 games."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, lead / unit))))


def value(answer: Answer, unit: float) -> float:
    """The expected result by an answer, in games where a score above 0 is a lead."""
    if answer.exact:
        return 1.0 if answer.score > 0 else 0.5 if answer.score == 0 else 0.0
    return chance(answer.score, unit)
