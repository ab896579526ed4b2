"""The host of a table: one thread in which everything happens, and one state that it shows to everybody else.

Whoever wants something has it done in that thread by `do`, by the part that it concerns:

    host.do(lambda: host.game.play(["b1-b2"]))

- `host.state`: the table as it stands now (`TableState`), from any thread; `on_change` is told of each new one.
- `host.do(command)`: have a command done between two looks, and wait for what comes of it.
- `host.do_as(who, claim, command)`: the same for somebody who needs the right to it (`companion.rights`).
- `host.begin(record, control)`: a new game; `starting.record_for(host.camera, …)` makes its record.
- `host.open(number)`: go on with a game of the log.
- `host.use(settings)`: other settings hold from now on.
- `host.game`, the game in play (`Table`): `play`, `take_back`, `answer`, `end`, `open_again`, `accept_as_seen`,
  `pause`.
- `host.clock`, its clock (`Timekeeper`): `set`, `start`, `stop`, `press`, `add`.
- `host.camera` (`TableCamera`): `use`; from any thread `connection`, `source`, `device`, `reading`, `corners`,
  `first_look`.
- `host.aids` (`Aids`): `set_hints`, `hint_once`, `set_computer`.
- `host.lights` (`Lights`): `switch`, `walk`, `test`; from any thread `link`.
- `host.hall`: the table's place in a hall, if it has one; `call_referee`.
- `host.store`, `host.settings`, `host.keeps_settings`: the log, the settings that hold, and whether changes are kept.
- `host.stepped`, `host.thread`: when it was last seen at work, for those who watch over it.
- `host.over`, `host.failure`: set when the thread has ended, and what ended it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Literal, Protocol, TypeVar

from companion.errors import BadInput
from companion.events import ButtonPressed, By, EventKind, MatchGame, RefereeCalled
from companion.games.position import Seat
from companion.leds.link import LedSettings
from companion.leds.protocol import DONE, HINT, REFEREE
from companion.record import read_record
from companion.rights import Action, Claim, Role, Situation, Who, claim, may, require
from companion.sealing import Sealer
from companion.settings import Settings
from companion.store import Store
from companion.table.aids import Aids, check_computer
from companion.table.camera import TableCamera
from companion.table.clocks import Control
from companion.table.demo import Demo
from companion.table.lights import Lights
from companion.table.starting import Again, begin
from companion.table.state import HallState, InMatch, TableState
from companion.table.table import Table
from companion.table.timekeeper import Timekeeper

T = TypeVar("T")
BUTTONS: dict[int, Literal["done", "hint", "referee"]] = {DONE: "done", HINT: "hint", REFEREE: "referee"}


class Hall(Protocol):
    """A hall that the table is in, beside its loop, which never waits for it."""

    def shown(self) -> HallState: ...

    def look(self) -> None:
        """There may be something new in the log."""


STEP = 0.02  # seconds for which a frame, or else a command, is waited for
RETRY = 5.0  # seconds between attempts to write to a disk that failed


class Host:
    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        demo: Demo | None = None,
        ends: bool = False,
        keeps_settings: bool = False,
        on_step: Callable[[Host], None] = lambda host: None,
    ) -> None:
        """`ends`: it is over with the game; `on_step` is called in the host's thread after each step."""
        self.store, self.settings, self.keeps_settings = store, settings, keeps_settings
        self.lights = Lights(LedSettings.of(settings))
        self.camera = TableCamera(settings)
        self.aids = Aids(store)
        self.sealer = Sealer(store)
        self._sealed: object = None  # the result that was signed last
        self.demo = demo
        self.hall: Hall | None = None
        self.state = TableState(0, store.last)
        self.on_change: Callable[[TableState], None] = lambda state: None
        self.failure: BaseException | None = None
        self.taken: Callable[[], frozenset[Seat]] = frozenset  # the seats at which somebody sits who is signed in
        self.over = threading.Event()
        self.stepped = time.monotonic()  # when the thread was last seen at work
        self._table: Table | None = None
        self._clock: Timekeeper | None = None
        self._ends, self._on_step = ends, on_step
        self._shown: object = None  # what the newest state was made of
        self._retried = time.monotonic()
        self._stopping = threading.Event()
        self._commands: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self.thread = threading.Thread(target=self._run, name="table", daemon=True)

    def __enter__(self) -> Host:
        if self.demo:
            self.open(*self.demo.next_game(self.store))
        self.camera.start()
        self.lights.start()
        self._publish()
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self.thread.is_alive():
            self.thread.join()

    # --- the thread

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self.stepped = time.monotonic()
                self._do_commands()
                self.camera.step(STEP)
                for button in dict.fromkeys(self.lights.link.pressed()):  # those of one step are one
                    self._press(button)
                self.lights.update()
                self._update_clock()
                self.aids.update(self.is_watched)
                self._keep_safe()
                self._seal()
                self._publish()
                if self.hall:
                    self.hall.look()
                self._on_step(self)
                if not self._goes_on():
                    break
        except BaseException as error:
            self.failure = error
        finally:
            self._leave()
            self.camera.close()
            self.lights.close()
            self.aids.close()
            self.sealer.sign()
            self.over.set()
            self._refuse_commands()

    def do(self, command: Callable[[], T]) -> T:
        """Have something done between two looks, and wait for what comes of it."""
        future: Future[T] = Future()
        self._commands.put((command, future))
        while not wait([future], timeout=0.5).done:
            if self.over.is_set():
                raise BadInput("", "table-closed")
        return future.result()

    def do_as(self, who: Who, wanted: Callable[[], Claim], command: Callable[[], T]) -> T:
        """The same for somebody, if he may as the table then stands."""

        def rightly() -> T:
            require(who, wanted(), self.situation())
            return command()

        return self.do(rightly)

    def situation(self) -> Situation:
        """What rights depend on. Exact in the host's thread; in others as it was a moment ago."""
        table, clock = self._table, self._clock and self._clock.clock
        if table is None:
            return Situation(locked=self.aids.hints.locked)
        return Situation(
            tuple(table.position.seats),
            running=bool(table.moves) and not table.outcome,
            to_move=table.position.to_move,
            clock=(clock and clock.running) or table.position.to_move,
            flags=frozenset(seat for seat, held in clock.seats.items() if held.flag) if clock else frozenset(),
            computer={**self.aids.seats, **dict.fromkeys(self.aids.far, 0)},  # nobody here plays for those afar
            taken=self.taken(),
            locked=self.aids.hints.locked,
        )

    def _do_commands(self) -> None:
        """What persons want; where no camera is watched that is all there is to wait for."""
        waits = self.camera.watching is None
        while True:
            try:
                command, future = self._commands.get(waits, STEP if waits else None)
            except Empty:
                return
            waits = False
            table, record = self._table, self._table and self._table.record
            try:
                result = command()
                if table and table is self._table and table.record is not record:
                    self.camera.follow(table.position)
                self._update_clock()
                self._publish()
            except Exception as error:  # whoever asked is told
                future.set_exception(error)
            else:
                future.set_result(result)

    def _refuse_commands(self) -> None:
        with suppress(Empty):
            while True:
                self._commands.get_nowait()[1].set_exception(BadInput("", "table-closed"))

    def _update_clock(self) -> None:
        if self._clock:
            self._clock.update()

    def _press(self, button: int) -> None:
        """A button at the board: the turn is done, so it is looked at now and the clock is pressed; or a hint; or the
        referee is called, for whom the game waits until somebody goes on, by the first button again."""
        table = self._table
        if button == REFEREE and self.hall:
            self.call_referee(True, By.PERSON)
        if table is None or button not in BUTTONS:
            return
        self.store.append(table.number, EventKind.BUTTON, ButtonPressed(button=BUTTONS[button]))
        at_board = Who(Role.PLAYER, frozenset(table.position.seats))
        may_pause = not table.outcome and may(at_board, claim(Action.PAUSE), self.situation())
        if button == REFEREE:
            if may_pause:
                self.lights.call()
                table.pause(True)
            return
        if button == DONE and table.paused:
            if may_pause and not (self.hall and self.hall.shown().called):  # he has yet to come
                table.pause(False)
            return
        if button == HINT:
            if may(at_board, claim(Action.ASK_HINT), self.situation()):
                self.aids.hint_once()
            return
        self.camera.look_again()
        now = self.situation()
        if not table.outcome and may(at_board, claim(Action.PRESS_CLOCK, now.clock), now):
            with suppress(BadInput):  # there is no clock, or a move must come first
                self.clock.press()

    def _keep_safe(self) -> None:
        """What a disk refused is written as soon as it can be."""
        if self.store.trouble and time.monotonic() - self._retried > RETRY:
            self._retried = time.monotonic()
            self.store.retry()

    def _seal(self) -> None:
        """The log's head is signed at every result, and now and then."""
        ended = self._table and self._table.outcome and (self._table.number, self._table.outcome)
        if ended and ended != self._sealed and self.store.keeping.ok:
            self._sealed = ended
            self.sealer.sign()
        self.sealer.sign_if_due()

    def _goes_on(self) -> bool:
        """Whether there is more to do. Where a demonstration's game has ended, the next one begins."""
        table, watching = self._table, self.camera.watching
        if table is None or not (self._ends or self.demo):
            return True
        played_out = watching is not None and watching.played_out and table.verdict.kind in ("same", "move")
        if played_out and watching and not table.outcome:
            watching.tell_unseen()
        over = table.outcome is not None or played_out
        if self.demo is None:
            return not over
        shown = self.demo.has_been_shown(over)
        if over and not self.demo.is_at_its_last and (shown or self._ends):
            self.open(*self.demo.next_game(self.store))
            return True
        return not (over and self.demo.is_at_its_last)

    # --- which game

    @property
    def game(self) -> Table:
        """The game in play. BadInput if there is none."""
        if self._table is None:
            raise BadInput("", "no-table")
        return self._table

    @property
    def clock(self) -> Timekeeper:
        if self._clock is None:
            raise BadInput("", "no-table")
        return self._clock

    @property
    def is_watched(self) -> bool:
        """Whether a camera sees the moves, which are then made by hand."""
        return self.camera.device is not None

    def begin(
        self,
        record: Mapping[str, Any],
        control: Control | None = None,
        computer: Mapping[Seat, int] | None = None,
        match: MatchGame | None = None,
    ) -> int:
        """A new game, with a clock if one is wanted, and with the computer at these seats; its number in the log."""
        if computer:
            check_computer(computer, read_record(json.dumps({"moves": [], **record})).start.seats)
        number = begin(self.store, record, match=match)
        self.open(number)
        if control:
            self.clock.set(control)
        if computer:
            self.aids.set_computer(computer)
        return number

    def begin_again(self, after: Again) -> int:
        """The game that follows the one in play: with the same clock, and the computer where it sits now."""
        control, computer = self.clock.control, self.aids.seats
        moved = {after.seats[seat]: level for seat, level in computer.items()}
        return self.begin(after.record, control, moved, after.match)

    def open(self, number: int, source: str | None = None) -> None:
        """Go on with a game of the log, before this camera or the one there is. What is refused changes nothing."""
        if self._table and self._table.number == number and source is None:
            return
        table = Table(self.store, number, self.settings.keep_pictures != 0)
        self.camera.watch(table, source)
        self._leave()
        if table.game.is_solitaire and not table.outcome:
            table.pause(False)
        self._table, self._clock = table, Timekeeper(table, lambda: self.is_watched)
        self.aids.turn_to(table)

    def call_referee(self, wanted: bool, by: str) -> None:
        """Somebody at the table wants the hall's referee, or needs him no more."""
        if self.hall is None:
            raise BadInput("", "no-hall")
        if wanted != self.hall.shown().called:
            self.store.append(
                self._table.number if self._table else 0, EventKind.CALL, RefereeCalled(wanted=wanted, by=by)
            )

    def _leave(self) -> None:
        """The game in play is left for a while: nobody's time runs meanwhile."""
        if self._clock:
            self._clock.stop_running()
        if self._table and self._table.game.is_solitaire and not self._table.outcome:
            self._table.pause(True)

    def use(self, settings: Settings) -> None:
        """Other settings hold from now on. What is refused changes nothing."""
        wanted = LedSettings.of(settings)
        self.camera.use_settings(settings)
        self.lights.use(wanted)
        self.settings = settings
        if self._table:
            self._table.keep_pictures = settings.keep_pictures != 0

    # --- what others are shown

    def _publish(self) -> None:
        """Put a new state in place if something has changed."""
        table, keeping = self._table, self.store.keeping
        parts = (self.camera.changes, self.lights.changes, self.aids.changes, self._clock and self._clock.changes)
        hall = self.hall.shown() if self.hall else None
        kept = (*keeping[:2], keeping.trouble and keeping.trouble.code)
        shown = (hall, table, table and table.changes, parts, self.store.last, kept, self.sealer.head)
        if shown == self._shown:
            return
        self._shown = shown
        state = TableState(
            self.state.changes + 1,
            self.store.last,
            camera=self.camera.state(),
            keeping=keeping,
            head=self.sealer.head,
            hints=self.aids.hints,
            hall=hall,
        )
        if table:
            state = self._with_game(state, table)
        self.state = self.lights.show(state)
        self.on_change(self.state)

    def _with_game(self, state: TableState, table: Table) -> TableState:
        hint, analysis = (None, None) if table.outcome else self.aids.told(table.game, table.position)
        return state._replace(
            number=table.number,
            game=table.game,
            record=table.record,
            positions=table.positions,
            outcome=table.outcome,
            verdict=table.verdict,
            seen=table.seen,
            question=table.question,
            unsaid=tuple(table.unsaid.values()),
            paused=table.paused,
            clock=self.clock.shown(),
            hint=hint,
            analysis=analysis,
            computer=self.aids.seats,
            match=InMatch(table.match, table.match_number) if table.match else None,
            solitaire=self.aids.solitaire(table) if table.game.is_solitaire else None,
            reply=self.aids.reply,
        )
