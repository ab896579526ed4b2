"""The demonstration: simulated games, one after another."""

from __future__ import annotations

import time

from companion.simulation.source import PREFIX as SIMULATED
from companion.simulation.source import Simulation
from companion.store import Store
from companion.table.starting import begin, simulated_record, unfinished

LINGER = 8.0  # seconds for which the end of a game is shown


class Demo:
    def __init__(
        self,
        games: tuple[str, ...],
        seed: int,
        parts: str = "",
        most: int | None = None,
        goes_on: bool = False,
    ) -> None:
        """`parts`: further parts of the camera's source; `most`: games, then it is over; `goes_on`: with a game of the
        log that is unfinished. Raises BadInput where a part is wrong, before anybody is invited to look."""
        self._games, self._seed, self._parts, self._most, self._goes_on = games, seed, parts, most, goes_on
        for game_id in games:
            Simulation.parse(self._source(game_id, seed))
        self._begun = 0
        self._ended_at: float | None = None

    def next_game(self, store: Store) -> tuple[int, str]:
        """Its number in the log, and the source of the camera that it is played before."""
        game_id, seed = self._games[self._begun % len(self._games)], self._seed + self._begun
        self._begun, self._ended_at = self._begun + 1, None
        number = unfinished(store, game_id) if self._goes_on else None
        if number is None:
            number = begin(store, simulated_record(game_id, seed))
        return number, self._source(game_id, seed)

    def _source(self, game_id: str, seed: int) -> str:
        return ",".join(filter(None, (f"{SIMULATED}{game_id}", f"seed={seed}", self._parts)))

    @property
    def is_at_its_last(self) -> bool:
        """No game comes after the one that is played."""
        return self._most is not None and self._begun >= self._most

    def has_been_shown(self, over: bool) -> bool:
        """Whether the game is over, and its end has been shown for a while."""
        if not over:
            self._ended_at = None
            return False
        self._ended_at = self._ended_at or time.monotonic()
        return time.monotonic() - self._ended_at > LINGER
