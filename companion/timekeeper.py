"""Who minds a game's clock: the accepted move presses it, a flag is called, what was taken back gives the time back.

Whatever happens to the clock is told to the log, so that who goes on with the game later finds it as it was.
"""

from __future__ import annotations

import time
from typing import Any

from companion import clocks
from companion.clocks import Clock, Control
from companion.games.position import BadInput
from companion.store import Store
from companion.table import Table


class Timekeeper:
    """Everything here happens in the host's thread. `changes` counts up when there is something new to show."""

    def __init__(self, store: Store, table: Table) -> None:
        self.clock: Clock | None = None
        self.changes = 0
        self._store, self.table = store, table
        self._turn = (len(table.moves), table.position.to_move)
        self._began: dict[int, Clock] = {}  # by how many moves had been made when a turn began: what everybody had
        for event in store.events(table.game, kinds=("clock",)):
            self._take(event.data["do"], event.data, clocks.from_data(event.data) if event.data["control"] else None)

    def set(self, control: Control | None) -> None:
        """Another clock, or none."""
        if control is None:
            self._take("set", {}, None)
            self._store.append(self.table.game, "clock", {"do": "set", "control": None})
            self.changes += 1
        else:
            self._keep("set", clocks.new_clock(control, self.table.position.seats))

    def use(self, what: str, seat: str | None = None, seconds: float = 0.0) -> None:
        """`start`, `stop`, `press`, or `add` seconds to a seat's."""
        now, turn = time.monotonic(), self.table.position.to_move
        if self.clock is None:
            raise BadInput("", "no-clock")
        seats = tuple(self.clock.seats)
        if seat is not None and seat not in seats:
            raise BadInput("seat", "not-one-of", value=seat, choices=", ".join(seats))
        if what == "stop":
            self._keep(what, clocks.stop(self.clock, now))
        elif what == "add":
            if seat is None:
                raise BadInput("seat", "missing")
            self._keep(what, clocks.add(self.clock, seat, seconds, now), seat=seat, seconds=seconds)
        elif what == "press":
            running = self.clock.running or turn
            following = seats[(seats.index(running) + 1) % len(seats)] if running in seats else None
            if chosen := seat or following or turn:
                self._keep(what, clocks.press(self.clock, now, chosen))
        elif chosen := seat or turn:
            self._keep(what, clocks.start(self.clock, chosen, now))

    def pause(self, paused: bool) -> None:
        if self.clock:
            now = time.monotonic()
            self._keep("pause", clocks.sleep(self.clock, now) if paused else clocks.wake(self.clock, now))

    def stop(self) -> None:
        if self.clock and self.clock.running:
            self._keep("stop", clocks.stop(self.clock, time.monotonic()))

    def mind(self, paused: bool) -> None:
        """Look whether a move was accepted or taken back, and whether a flag has fallen."""
        table, now = self.table, time.monotonic()
        turn = (len(table.moves), table.position.to_move)
        before, self._turn = self._turn, turn
        if self.clock is None:
            return
        if table.outcome:
            self.stop()
        elif turn[0] < before[0]:
            self._give_back(turn[0], turn[1], paused, now)
        elif turn[1] is not None and turn != before:
            if paused:
                self.clock = self.clock._replace(asleep=self.clock.asleep and turn[1])
            elif turn[0] > before[0] and self.clock.running == turn[1] != before[1]:
                self._take("press", {"ply": turn[0]}, self.clock)  # by hand, before the move was seen
            elif turn[0] > before[0] and (turn[1] != before[1] or len(table.position.seats) == 1):
                self._keep("press", clocks.press(self.clock, now, turn[1]))
            elif turn[1] != before[1] and self.clock.running:
                self._keep("start", clocks.start(self.clock, turn[1], now))
        self.clock, fallen = clocks.call_flags(self.clock, now)
        for seat in fallen:
            self._store.append(table.game, "flag", {"seat": seat})
            self.changes += 1

    def _give_back(self, ply: int, turn: str | None, paused: bool, now: float) -> None:
        """Moves were taken back: everybody has what he had when that turn began."""
        assert self.clock is not None
        if not self._began or ply >= max(self._began):
            return  # it is still the same turn
        ran = self.clock.running or self.clock.asleep
        turns = [n for n in self._began if n <= ply]
        held = self._began[max(turns)] if turns else clocks.stop(self.clock, now)
        held = held._replace(running=None, asleep=turn if ran and paused else None)
        self._keep("back", clocks.start(held, turn, now) if ran and turn and not paused else held)

    def _keep(self, what: str, clock: Clock, **more: Any) -> None:
        data = {"do": what, "ply": len(self.table.moves), **clocks.as_data(clock, time.monotonic()), **more}
        self._take(what, data, clock)
        self._store.append(self.table.game, "clock", data)
        self.changes += 1

    def _take(self, what: str, data: dict[str, Any], clock: Clock | None) -> None:
        self.clock, ply = clock, data.get("ply")  # a log of former days does not say it
        if what == "set":
            self._began = {}
        elif what == "add" and "seat" in data:  # what was given is not lost by taking back
            self._began = {n: clocks.add(held, data["seat"], data["seconds"], 0) for n, held in self._began.items()}
        if clock and ply is not None and what in ("set", "press", "back"):
            self._began = {n: held for n, held in self._began.items() if n < ply}
            self._began[ply] = clocks.from_data(clocks.as_data(clock, clock.since))
