"""The clock of the game in play: the accepted move presses it, a flag is called, what was taken back gives its time
back.

Whatever happens to the clock is logged, so that it stands as it stood when the game is gone on with later.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

from companion.errors import BadInput
from companion.events import ClockAction, ClockChanged, EventKind, FlagFell
from companion.games.position import Seat
from companion.table import clocks
from companion.table.clocks import Clock, Control, KeptClock, ShownClock
from companion.table.table import Table


class Timekeeper:
    """Everything here happens in the host's thread. `changes` counts up when there is something new to show."""

    def __init__(self, table: Table, is_watched: Callable[[], bool]) -> None:
        """`is_watched`: whether a camera sees the moves, which then come later than they are made."""
        self.clock: Clock | None = None
        self.changes = 0
        self._table, self._is_watched = table, is_watched
        self._turn, self._paused = (len(table.moves), table.position.to_move), table.paused
        self._began: dict[int, Clock] = {}  # by how many moves had been made when a turn began: what everybody had
        for turned in table.store.game(table.number).clocks:
            self._take(turned, clocks.from_data(cast(KeptClock, turned)) if turned["control"] else None)

    @property
    def control(self) -> Control | None:
        """How much time there is, if there is a clock."""
        return self.clock.control if self.clock else None

    @property
    def running(self) -> Seat | None:
        """Whose time it is that goes by."""
        return self.clock.running if self.clock else None

    # --- what persons want

    def set(self, control: Control | None) -> None:
        """Another clock, or none."""
        if control:
            self._keep(ClockAction.SET, clocks.new_clock(control, self._table.position.seats))
        else:
            self._log({"do": ClockAction.SET, "control": None}, None)

    def start(self, seat: Seat | None = None) -> None:
        """Of the one to move, unless another seat is named."""
        clock = self._there(seat)
        if chosen := seat or self._table.position.to_move:
            self._keep(ClockAction.START, clocks.start(clock, chosen, time.monotonic()))

    def stop(self) -> None:
        self._keep(ClockAction.STOP, clocks.stop(self._there(), time.monotonic()))

    def press(self, seat: Seat | None = None) -> None:
        """The turn is done, and the next seat's clock goes on, or that of the seat that is named.

        Before a camera, which sees a move later than it is made, anybody whose clock runs may press it. Where moves
        are made on the page each of them presses the clock, and nobody hands it over without one.
        """
        clock, turn = self._there(seat), self._table.position.to_move
        running, seats = clock.running or turn, tuple(clock.seats)
        if not self._is_watched() and running == turn:
            raise BadInput("", "clock-needs-move")
        following = seats[(seats.index(running) + 1) % len(seats)] if running in seats else None
        chosen = (seat or following or turn) if self._is_watched() else turn
        if chosen:
            self._keep(ClockAction.PRESS, clocks.press(clock, time.monotonic(), chosen))

    def add(self, seat: Seat | None, seconds: float) -> None:
        """A referee gives a seat time, or takes it."""
        clock = self._there(seat)
        if seat is None:
            raise BadInput("seat", "missing")
        given = clocks.add(clock, seat, seconds, time.monotonic())
        self._keep(ClockAction.ADD, given, {"seat": seat, "seconds": seconds})

    def _there(self, seat: Seat | None = None) -> Clock:
        if self.clock is None:
            raise BadInput("", "no-clock")
        if seat is not None and seat not in self.clock.seats:
            raise BadInput("seat", "not-one-of", value=seat, choices=", ".join(self.clock.seats))
        return self.clock

    # --- what happens at the table

    def update(self) -> None:
        """Look whether the game was paused or ended, whether a move was accepted or taken back, and whether a flag has
        fallen."""
        table, now = self._table, time.monotonic()
        turn, before = (len(table.moves), table.position.to_move), self._turn
        paused, was_paused = table.paused, self._paused
        self._turn, self._paused = turn, paused
        if self.clock is None:
            return
        if paused != was_paused:
            self._keep(ClockAction.PAUSE, clocks.sleep(self.clock, now) if paused else clocks.wake(self.clock, now))
        if table.outcome:
            self.stop_running()
        elif turn[0] < before[0]:
            self._give_back(turn[0], turn[1], now)
        elif turn[1] is not None and turn != before:
            self._pass_on(before, turn[0], turn[1], now)
        self.clock, fallen = clocks.call_flags(self.clock, now)
        for seat in fallen:
            table.store.append(table.number, EventKind.FLAG, FlagFell(seat=seat))
            self.changes += 1

    def stop_running(self) -> None:
        """The game is over, or left for another one."""
        if self.clock and self.clock.running:
            self.stop()

    def shown(self) -> ShownClock | None:
        return clocks.shown(self.clock, time.monotonic(), time.time()) if self.clock else None

    def _pass_on(self, before: tuple[int, Seat | None], ply: int, turn: Seat, now: float) -> None:
        """It is somebody's turn, or still is after another move."""
        assert self.clock is not None
        moved, another = ply > before[0], turn != before[1]
        if self._paused:
            self.clock = self.clock._replace(asleep=self.clock.asleep and turn)
        elif moved and another and self.clock.running == turn:  # pressed by hand, before the move was seen
            self._began_turn(ply, self.clock)
        elif moved and (another or len(self._table.position.seats) == 1):
            self._keep(ClockAction.PRESS, clocks.press(self.clock, now, turn))
        elif another and self.clock.running:
            self._keep(ClockAction.START, clocks.start(self.clock, turn, now))

    def _give_back(self, ply: int, turn: Seat | None, now: float) -> None:
        """Moves were taken back: everybody has what he had when that turn began."""
        assert self.clock is not None
        if not self._began or ply >= max(self._began):
            return  # it is still the same turn
        ran = self.clock.running or self.clock.asleep
        turns = [n for n in self._began if n <= ply]
        held = self._began[max(turns)] if turns else clocks.stop(self.clock, now)
        held = held._replace(running=None, asleep=turn if ran and self._paused else None)
        self._keep(ClockAction.BACK, clocks.start(held, turn, now) if ran and turn and not self._paused else held)

    # --- the log

    def _keep(self, act: ClockAction, clock: Clock, more: dict[str, object] | None = None) -> None:
        kept = clocks.as_data(clock, time.monotonic())
        self._log(cast(ClockChanged, {"do": act, "ply": len(self._table.moves), **kept, **(more or {})}), clock)

    def _log(self, turned: ClockChanged, clock: Clock | None) -> None:
        self._take(turned, clock)
        self._table.store.append(self._table.number, EventKind.CLOCK, turned)
        self.changes += 1

    def _take(self, turned: ClockChanged, clock: Clock | None) -> None:
        """The clock becomes this one, now or when the log is read again."""
        self.clock, act = clock, turned["do"]
        if act == ClockAction.SET:
            self._began = {}
        elif act == ClockAction.ADD and "seat" in turned:  # what was given is not lost by taking back
            seat, seconds = turned["seat"], turned["seconds"]
            self._began = {n: clocks.add(held, seat, seconds, 0) for n, held in self._began.items()}
        if clock and "ply" in turned and act in (ClockAction.SET, ClockAction.PRESS, ClockAction.BACK):
            self._began_turn(turned["ply"], clock)

    def _began_turn(self, ply: int, clock: Clock) -> None:
        self._began = {n: held for n, held in self._began.items() if n < ply}
        self._began[ply] = clocks.from_data(clocks.as_data(clock, clock.since))
