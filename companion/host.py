"""Who owns the table: the log, the camera, the game that is played now and its thread.

Everything that changes something happens in that one thread; whoever wants something has it done there by `do`. What
others may look at at any time is `snapshot`, a value that is put in place of the one before when something changed.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, NamedTuple, TypeVar

import numpy as np

from companion import clocks
from companion.adviser import Adviser, as_told, move_told
from companion.clocks import Clock, Control
from companion.commands.pictures import lens_of
from companion.commands.rules import checked
from companion.dealing import deal
from companion.games.position import BadInput, CannotBeRead, Outcome, Position, Reason, Visible
from companion.leds.layouts import USUAL, Layout, laid_out
from companion.leds.link import WHITE, Link, State, Wanted
from companion.leds.picture import Cell, Light, board_size
from companion.leds.protocol import DONE
from companion.leds.scenes import scene_of
from companion.live import Live
from companion.opening import opening
from companion.record import Record, read_record
from companion.referee import Verdict, Wrong
from companion.settings import Settings
from companion.simulated import Player, Simulation
from companion.solvers.hint import Hint
from companion.solvers.levels import LEVELS
from companion.store import Store
from companion.table import Question, Table
from vision.cameras import Camera, open_camera
from vision.handed import HandedCamera
from vision.trouble import CannotRead
from vision.watch import Seen, Watch

T = TypeVar("T")
STEP = 0.02  # seconds for which a frame is waited for while persons may want something
FIRST_LOOK = 15.0  # seconds in which a camera must show the field of a game that begins
GLANCE = 4.0  # the same, where somebody is setting it up and looks again and again
LINGER = 8.0  # seconds for which the end of a demonstration's game is shown
NO_CAMERA, BROWSER = "none", "browser"
DEALT = ("hepta-solo", "tetrods", "plank")  # games that cannot begin without a set-up


class Demo(NamedTuple):
    """Simulated games, one after another."""

    games: tuple[str, ...]
    seed: int
    parts: str = ""  # further parts of the camera's source
    most: int | None = None  # games, then it is over
    goes_on: bool = False  # with a game of the store that is unfinished


class Watched(NamedTuple):
    """How the camera fares."""

    source: str
    state: str  # "" without a camera
    why: str
    since: float  # by the wall's clock
    trouble: CannotRead | None  # why a board at rest cannot be read


class Leds(NamedTuple):
    """The LEDs: how their board fares, and what they are to show."""

    state: State
    lights: Mapping[Cell, Light]
    layout: Layout
    wanted: Wanted
    lit: bool = True  # False: somebody switched them off
    walking: int | None = None  # the LED of the wire that is lit alone


class Hints(NamedTuple):
    """Whether hints are wanted, and whether only the referee may say so."""

    on: bool = False
    locked: bool = False


class Snapshot(NamedTuple):
    """The table at one moment. Nothing in it is ever changed."""

    changes: int
    event: int
    game: int | None = None  # None: no game has begun; then there is nothing of what follows
    record: Mapping[str, Any] = {}
    read: Record | None = None
    positions: tuple[Position[Any], ...] = ()
    outcome: Outcome | None = None
    verdict: Verdict = Verdict("same", code="same")
    seen: Visible | None = None
    questions: tuple[Question, ...] = ()
    camera: Watched = Watched(NO_CAMERA, "", "", 0.0, None)
    trouble: BadInput | None = None  # of the store
    paused: bool = False
    clock: Mapping[str, Any] | None = None
    leds: Leds | None = None
    hint: str | None = None  # a move
    hints: Hints = Hints()
    analysis: Hint | None = None  # what is thought of the position, while hints are on
    computer: Mapping[str, int] = {}  # the seats that the computer plays, with its level

    @property
    def position(self) -> Position[Any]:
        return self.positions[-1]


class Start(NamedTuple):
    """What lies on the table before a game: why it cannot begin so, if it cannot, and what is wrong."""

    missing: BadInput | None
    should: Position[Any] | None  # where the game always begins in the same way
    seen: Visible
    wrong: tuple[Wrong, ...]


class Host:
    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        demo: Demo | None = None,
        ends: bool = False,
        keeps_settings: bool = False,
        told: Callable[[Host], None] = lambda host: None,
    ) -> None:
        """`ends`: it is over with the game; `told` is called in the host's thread after each step."""
        self.store, self.settings, self.demo = store, settings, demo
        self.source, self.keeps_settings = settings.camera, keeps_settings
        self.live: Live | None = None
        self.camera: Camera | HandedCamera | None = None
        kept = store.events(kinds=("hints",))  # who locks them locks them for the next games too
        self.hints = Hints(kept[-1].data["on"], kept[-1].data["locked"]) if kept else Hints()
        self.clock: Clock | None = None
        self.adviser = Adviser()
        self.snapshot = Snapshot(0, store.last)
        self.failure: BaseException | None = None  # what ended the thread
        self.over = threading.Event()
        self.on_change: Callable[[Snapshot], None] = lambda snapshot: None
        self.on_hint: Callable[[], None] = self.hint_once  # somebody at the table wants a hint; in the host's thread
        self.leds = Link(Wanted())
        self._ends, self._told = ends, told
        self._changes = 0  # of what is the host's own
        self._shown: tuple[object, ...] = ()
        self._turn: tuple[int, str | None] = (0, None)
        self._games = 0  # of the demonstration
        self._ended_at: float | None = None
        self._hint: tuple[str, object] | None = None  # and for which moves it was
        self._hint_once: object = None  # the moves after which one was asked for
        self._lit = True
        self._walking: int | None = None
        self._stopping = threading.Event()
        self._commands: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def __enter__(self) -> Host:
        self.leds = Link(Wanted.of(self.settings))
        if self.demo:
            self._next_game()
        elif self.live is None:
            self._use(self.source)
        self._note()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    # --- the thread

    def do(self, command: Callable[[], T]) -> T:
        """Have something done between two looks, and wait for what comes of it."""
        future: Future[T] = Future()
        self._commands.put((command, future))
        while not wait([future], timeout=0.5).done:
            if self.over.is_set():
                raise BadInput("", "table-closed")
        return future.result()

    def at_table(self, command: Callable[[Table], T]) -> T:
        """The same, with the table's game."""
        return self.do(lambda: command(self.table))

    @property
    def table(self) -> Table:
        if self.live is None:
            raise BadInput("", "no-table")
        return self.live.table

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._do_commands()
                if self.live:
                    self.live.step(STEP)
                for button in self.leds.pressed():
                    self._button(button)
                self._mind_the_clock()
                self._advise()
                self._note()
                self._told(self)
                if self._is_done():
                    break
        except BaseException as error:
            self.failure = error
        finally:
            self._let_go()
            self.leds.close()
            self.adviser.close()
            self.over.set()
            self._refuse_commands()

    def _do_commands(self) -> None:
        """What persons want; without a camera that is all there is to wait for."""
        idle = self.camera is None
        while True:
            try:
                command, future = self._commands.get(idle, STEP if idle else None)
            except Empty:
                return
            idle = False
            live, moves = self.live, self.live and list(self.live.table.moves)
            try:
                result = command()
                if live and live is self.live and live.player and live.table.moves != moves:
                    live.player.follow(live.table.position)  # the simulated hands do what persons said was done
                self._mind_the_clock()
                self._note()
            except Exception as error:  # whoever asked is told
                future.set_exception(error)
            else:
                future.set_result(result)

    def _refuse_commands(self) -> None:
        with suppress(Empty):
            while True:
                self._commands.get_nowait()[1].set_exception(BadInput("", "table-closed"))

    def _is_done(self) -> bool:
        if self.live is None or (not self._ends and not self.demo):
            return False
        table, player = self.live.table, self.live.player
        at_rest = self.camera is None or not self.camera.busy
        if not (table.outcome or (player and player.over and at_rest and table.verdict.kind == "same")):
            self._ended_at = None
            return False
        if not self.demo:
            return True
        if self._ended_at is None:
            self._ended_at = time.monotonic()
        if self.demo.most is not None and self._games >= self.demo.most:
            return True
        if self._ends or time.monotonic() - self._ended_at > LINGER:
            self._next_game()
        return False

    def _next_game(self) -> None:
        """The demonstration's next game."""
        assert self.demo is not None
        played = self.demo.games[self._games % len(self.demo.games)]
        seed = self.demo.seed + self._games
        self._games, self._ended_at = self._games + 1, None
        number = unfinished(self.store, played) if self.demo.goes_on else None
        if number is None:
            number = self.store.new_game(dealt(played, seed), "person")
        self.open(number, f"sim:{played},seed={seed}" + (f",{self.demo.parts}" if self.demo.parts else ""))

    # --- which game, which camera

    def open(self, number: int, source: str | None = None) -> None:
        """Go on with a game of the store, before this camera or the one there is."""
        table = Table(self.store, number, self.settings.keep_pictures != 0)
        source = self.source if source is None else source
        if source.startswith("sim:"):  # the table that is simulated is that of this game
            source = re.sub("^sim:[^,]*", f"sim:{table.read.game.id}", source)
            self._let_go()
        if self.camera is None or source != self.source:
            self._use(source)
        self.live = self._before_camera(table)
        events = self.store.events(number, kinds=("clock", "pause"))
        kept = next((event.data for event in reversed(events) if event.kind == "clock"), None)
        self.clock = clocks.from_data(kept) if kept else None
        self.live.paused = next((bool(e.data.get("paused")) for e in reversed(events) if e.kind == "pause"), False)
        self._turn = (len(table.moves), table.position.to_move)
        played = self.store.events(number, kinds=("computer",))
        self.adviser.seats = dict(played[-1].data["seats"]) if played else {}
        self._changes += 1

    def _use(self, source: str) -> None:
        """Change over to another camera; the one there is stays if that makes no sense."""
        camera: Camera | HandedCamera | None = None
        if source == BROWSER:
            camera = HandedCamera()
        elif source != NO_CAMERA:
            try:
                camera = open_camera(source, self.settings.size)
            except CannotRead as error:
                raise BadInput("camera", error.code, **error.params) from None
        self._let_go()
        self.camera, self.source = camera, source

    def _let_go(self) -> None:
        if self.camera:
            self.camera.close()
        self.camera = None

    def _before_camera(self, table: Table) -> Live:
        if self.camera is None:
            table.camera = ("", "")
            return Live(table)
        player = None
        if isinstance(self.camera, Camera) and self.source.startswith("sim:"):
            how = Simulation.parse(self.source)
            script = checked(str(how.record), lambda record: record.moves) if how.record else ()
            player = Player(self.camera.tell, table.read, how, script[len(table.moves) :], table.position)
        return Live(table, self.camera, watch_for(table.read.game.id, self.settings), player)

    # --- what persons want; called in the host's thread by `do`

    def begin(self, record: dict[str, Any], control: Control | None = None) -> int:
        """A new game. Its record comes from `record_for`, which may take its time in another thread."""
        if self.live:
            self._stop_clock()
        number = self.store.new_game(record, "person")
        if control:
            seats = Table(self.store, number).position.seats
            data = clocks.as_data(clocks.new_clock(control, seats), time.monotonic())
            self.store.append(number, "clock", {"do": "set", **data})
        self.open(number)
        return number

    def record_for(
        self,
        played: str,
        options: Mapping[str, Any],
        setup: Mapping[str, Any] | None = None,
        *,
        from_camera: bool = False,
        deals: bool | None = None,
        about: Mapping[str, Any] | None = None,
        south: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """The record of a game before its first move; may be called from any thread."""
        if from_camera:
            return opening(played, options, setup, self.first_look(played), None, about, south)
        if setup is None and self.source.startswith("sim:"):
            return {**dealt(played, Random().randrange(10_000)), "options": dict(options), "about": dict(about or {})}
        if deals is None:
            deals = played in DEALT or (played == "pegs" and self.camera is None)
        if setup is None and deals:
            if played not in DEALT:
                opening(played, options)  # a wrong option is refused before anything is dealt by it
            setup = deal(played, Random(), dict(options))
        return opening(played, options, setup, None, None, about, south)

    def first_look(self, played: str) -> Visible:
        """What lies on the table now; may be called from any thread."""
        if self.camera is None:
            raise BadInput("camera", "no-camera")
        return first_look(self.camera, watch_for(played, self.settings))

    def check_start(self, played: str, options: Mapping[str, Any], setup: Mapping[str, Any] | None) -> Start:
        """Whether a game could begin with what lies on the table now; may be called from any thread."""
        if self.camera is None:
            raise BadInput("camera", "no-camera")
        seen = first_look(self.camera, watch_for(played, self.settings), GLANCE)
        try:
            opening(played, options, setup, seen)
        except BadInput as why:
            missing = why
        else:
            return Start(None, None, seen, ())
        try:  # where a game always begins in the same way, what is wrong can be pointed out
            start = read_record(json.dumps(opening(played, options, setup))).start
        except BadInput:
            return Start(missing, None, seen, ())
        return Start(missing, start, seen, differences(start.visible(), seen))

    def use_camera(self, source: str) -> None:
        if source == self.source and self.camera:
            return
        self._use(source)
        if self.live:
            self.open(self.live.table.game, source)
        self._changes += 1

    def corners(self) -> list[list[float]] | None:
        """Where the field's corners lie in the picture: as they were set, or as they were last seen."""
        if self.settings.corners is not None:
            return self.settings.corners
        read = self.live.read if self.live else None
        return read.reading.corners.tolist() if read and read.reading else None

    def use(self, settings: Settings) -> None:
        """Other settings hold from now on; the camera is looked at anew."""
        wanted = Wanted.of(settings)
        before = Wanted.of(self.settings)
        self.settings = settings
        if wanted._replace(brightness=0) != before._replace(brightness=0):
            self.leds.close(patience=0)
            self.leds, self._walking = Link(wanted), None
        self.leds.dim(wanted.brightness)
        if self.live and not self.source.startswith("sim:"):
            self.live = self._before_camera(self.live.table)
        self._changes += 1

    def pause(self, paused: bool) -> None:
        live, now = self.live, time.monotonic()
        table = self.table
        if live is None or live.paused == paused:
            return
        live.paused = paused
        self.store.append(table.game, "pause", {"paused": paused})
        if self.clock:
            self._keep_clock("pause", clocks.sleep(self.clock, now) if paused else clocks.wake(self.clock, now))
        self._changes += 1

    def stand(self, note: str, to_move: str | None = None, by: str = "referee") -> None:
        """What the camera sees now is accepted, though no legal move led there."""
        table = self.table
        if table.seen is None:
            raise BadInput("", "nothing-seen")
        seats = table.position.seats
        if to_move is not None and to_move not in seats:
            raise BadInput("to_move", "not-one-of", value=to_move, choices=", ".join(seats))
        table.stand(table.seen, to_move or table.next_seat, note, by)

    # --- hints and lights

    def show_hint(self, move: str | None) -> None:
        """Point a move out, on the page and in the lights, until another one is made; None: no longer."""
        table = self.table
        if move is not None:
            try:
                reason: Reason | None = table.position.why_not(table.read.game.read(move))
            except CannotBeRead as error:
                reason = error.reason
            if reason:
                raise BadInput("hint", "legal-hint", move=move, reason=reason)
        self._hint = (move, (table.game, list(table.moves))) if move is not None else None
        self._changes += 1

    def set_hints(self, on: bool | None, locked: bool | None, by: str) -> None:
        """Switch hints on or off, lock the switch or unlock it; what is None stays as it is. A locked switch obeys only
        the referee."""
        held = self.hints
        if by != "referee" and (locked is not None or held.locked):
            raise BadInput("", "hints-locked")
        self.hints = Hints(held.on if on is None else on, held.locked if locked is None else locked)
        self.store.append(self.table.game, "hints", {**self.hints._asdict(), "by": by})
        self._changes += 1

    def hint_once(self) -> None:
        """A hint for this move only, unless hints are locked."""
        if self.live and not self.hints.locked:
            self._hint_once = (self.live.table.game, list(self.live.table.moves))

    def set_computer(self, seats: Mapping[str, int], by: str = "person") -> None:
        """Which seats the computer plays, each at a level. Before a camera its moves are lit, and made by hand."""
        table = self.table
        for seat, level in seats.items():
            if seat not in table.position.seats:
                choices = ", ".join(table.position.seats)
                raise BadInput("computer", "not-one-of", value=seat, choices=choices)
            if level not in LEVELS:
                raise BadInput(f"computer.{seat}", "not-one-of", value=level, choices=", ".join(map(str, LEVELS)))
        self.adviser.seats = dict(seats)
        self.store.append(table.game, "computer", {"seats": dict(seats), "by": by})
        self._changes += 1

    def _advise(self) -> None:
        """Have the position thought about; on a board that is played on the page, make the computer's move."""
        live = self.live
        if live is None:
            return
        table = live.table
        position = None if live.paused or table.outcome else table.position
        wanted = self.hints.on or self._hint_once == (table.game, list(table.moves))
        if self.adviser.mind(position, wanted, lambda: {**table.record, "moves": list(table.moves)}):
            self._changes += 1
        if self.adviser.choice and self.camera is None:
            table.play([self.adviser.choice], by="computer")

    def _pointed_out(self, table: Table) -> tuple[str | None, Hint | None]:
        """The move to be shown, and what is thought of the position: as a person has said, as the computer would play
        here, or as a hint that is wanted."""
        now = (table.game, list(table.moves))
        wanted = self.hints.on or self._hint_once == now
        analysis = as_told(self.adviser.hint) if self.adviser.hint and wanted else None
        if self._hint and self._hint[1] == now:
            return self._hint[0], analysis
        if self.adviser.choice:
            return move_told(self.adviser.choice), analysis
        return analysis.move if analysis else None, analysis

    def light(self, lit: bool) -> None:
        self._lit = lit
        self._changes += 1

    def walk(self, place: int | None) -> None:
        """Light one LED of the wire alone; None: back to the game."""
        leds = self.snapshot.leds
        if leds is None:
            raise BadInput("", "leds-off")
        if place is not None and place >= (count := len(leds.layout.wire())):
            raise BadInput("place", "no-such-led", most=count - 1)
        self._walking = place
        self.leds.walk(place)
        self._changes += 1

    def test_leds(self) -> None:
        if self.leds.state.code == "leds.off":
            raise BadInput("", "leds-off")
        self._walking = None
        self.leds.test()
        self._changes += 1

    def _button(self, button: int) -> None:
        """A button at the board: the turn is done, so it is looked at now and the clock is pressed; or a hint."""
        if self.live is None:
            return
        self.store.append(self.live.table.game, "button", {"button": "done" if button == DONE else "hint"})
        if button != DONE:
            self.on_hint()
            return
        if self.live.watch:
            self.live.watch.again()
        if self.clock and not self.live.table.outcome and not self.live.paused:
            self.use_clock("press")

    # --- the clock

    def set_clock(self, control: Control | None) -> None:
        """Another clock, or none."""
        table = self.table
        self.clock = None
        if control:
            self._keep_clock("set", clocks.new_clock(control, table.position.seats))
        self._changes += 1

    def use_clock(self, what: str, seat: str | None = None, seconds: float = 0.0) -> None:
        """`start`, `stop`, `press`, or `add` seconds to a seat's."""
        table, now = self.table, time.monotonic()
        if self.clock is None:
            raise BadInput("", "no-clock")
        turn = table.position.to_move
        if seat is not None and seat not in self.clock.seats:
            raise BadInput("seat", "not-one-of", value=seat, choices=", ".join(self.clock.seats))
        if what == "stop":
            self._keep_clock(what, clocks.stop(self.clock, now))
        elif what == "add":
            if seat is None:
                raise BadInput("seat", "missing")
            self._keep_clock(what, clocks.add(self.clock, seat, seconds, now))
        elif seat or turn:
            if what == "press" and not seat:
                seats = tuple(self.clock.seats)
                running = self.clock.running or turn
                seat = seats[(seats.index(running) + 1) % len(seats)] if running in seats else None
            chosen = seat or turn
            moved = clocks.press if what == "press" else None
            self._keep_clock(
                what, moved(self.clock, now, chosen) if moved else clocks.start(self.clock, chosen or "", now)
            )

    def _mind_the_clock(self) -> None:
        """The accepted move presses the clock; a flag is called."""
        if self.live is None:
            return
        table, now = self.live.table, time.monotonic()
        turn = (len(table.moves), table.position.to_move)
        before, self._turn = self._turn, turn
        if self.clock is None:
            return
        if table.outcome:
            self._stop_clock()
        elif turn != before and not self.live.paused:
            pressed = self.clock.running == turn[1] and len(table.position.seats) > 1  # by hand, before it was seen
            if turn[0] > before[0] and not pressed and (turn[1] != before[1] or len(table.position.seats) == 1):
                self._keep_clock("press", clocks.press(self.clock, now, turn[1]))
            elif turn[1] != before[1] and self.clock.running and turn[1]:
                self._keep_clock("start", clocks.start(self.clock, turn[1], now))
        self.clock, fallen = clocks.call_flags(self.clock, now)
        for seat in fallen:
            self.store.append(table.game, "flag", {"seat": seat})
            self._changes += 1

    def _stop_clock(self) -> None:
        if self.clock and self.clock.running:
            self._keep_clock("stop", clocks.stop(self.clock, time.monotonic()))

    def _keep_clock(self, what: str, clock: Clock) -> None:
        self.clock = clock
        self.store.append(self.table.game, "clock", {"do": what, **clocks.as_data(clock, time.monotonic())})
        self._changes += 1

    # --- what others may look at

    def _note(self) -> None:
        """Put a new snapshot in place if something has changed."""
        live, trouble = self.live, self.store.trouble
        shown = (
            live,
            live and live.table.changes,
            self._changes,
            self.store.last,
            trouble and trouble.code,
            self.leds.state,
        )
        if shown == self._shown:
            return
        self._shown = shown
        changes = self.snapshot.changes + 1
        if live is None:
            watched = self._watched(None)
            snapshot = Snapshot(changes, self.store.last, camera=watched, trouble=trouble, hints=self.hints)
        else:
            table, now = live.table, time.monotonic()
            hint, analysis = self._pointed_out(table)
            snapshot = Snapshot(
                changes,
                self.store.last,
                table.game,
                {**table.record, "moves": list(table.moves)},
                table.read,
                table.referee.line.positions,
                table.outcome,
                table.verdict,
                table.seen,
                tuple(table.questions.values()),
                self._watched(live.seen),
                trouble,
                live.paused,
                clocks.shown(self.clock, now, time.time()) if self.clock else None,
                hint=hint,
                hints=self.hints,
                analysis=analysis,
                computer=dict(self.adviser.seats),
            )
        self.snapshot = snapshot._replace(leds=self._leds(snapshot))
        self.on_change(self.snapshot)

    def _leds(self, snapshot: Snapshot) -> Leds | None:
        """What the LEDs are to show now; it is handed on to them at once."""
        wanted = Wanted.of(self.settings)
        if wanted.off:
            return None
        layout, lights = wanted.layout(USUAL), dict[Cell, Light]()
        if snapshot.read is not None:
            layout = wanted.layout(board_size(snapshot.position))
            if self._lit and not snapshot.paused:
                moves = snapshot.record["moves"]
                told = scene_of(
                    snapshot.positions, moves, snapshot.verdict, snapshot.seen, snapshot.outcome, snapshot.hint
                )
                lights = laid_out(told, layout)
        self.leds.show(lights, layout)
        if self._walking is not None:
            lights = {layout.wire()[self._walking]: WHITE} if self._walking < len(layout.wire()) else {}
        return Leds(self.leds.state, lights, layout, wanted, self._lit, self._walking)

    def _watched(self, seen: Seen | None) -> Watched:
        if self.camera is None:
            return Watched(NO_CAMERA, "", "", 0.0, None)
        state = self.camera.state
        trouble = seen.trouble if seen and self.live and self.live.trouble else None
        return Watched(
            self.camera.source, state.code, state.reason, time.time() - time.monotonic() + state.since, trouble
        )


def watch_for(played: str, settings: Settings) -> Watch:
    return Watch(
        played,
        corners=None if settings.corners is None else np.array(settings.corners),
        lens=lens_of(settings.lens),
        surface=settings.surface,
        still_for=settings.still,
    )


def differences(should: Visible, seen: Visible) -> tuple[Wrong, ...]:
    """The squares that do not show what they should, on fields that have fixed squares."""
    high = len(should.get("rows", ()))
    return tuple(
        Wrong(f"{'abcdefghi'[column]}{high - n}", right, there)
        for n, (row, rows_seen) in enumerate(zip(should.get("rows", ()), seen.get("rows", ()), strict=False))
        for column, (right, there) in enumerate(zip(row, rows_seen, strict=False))
        if right != there
    )


def first_look(camera: Camera | HandedCamera, watch: Watch, seconds: float = FIRST_LOOK) -> Visible:
    """What lies on the table, with nothing in the way."""
    trouble, number, until = None, 0, time.monotonic() + seconds
    while time.monotonic() < until:
        frame = camera.newest(number, 0.5)
        if frame is None:
            continue
        number = frame.number
        seen = watch.see(frame)
        trouble = seen.trouble or trouble
        if seen.reading and seen.reading.look and not seen.reading.look.hand:
            found: Visible = seen.reading.look.visible()  # type: ignore[assignment]
            return found
    if trouble:
        raise BadInput("camera", trouble.code, **trouble.params)
    raise BadInput("camera", camera.state.reason or "camera-none", source=camera.source)


def dealt(played: str, seed: int) -> dict[str, Any]:
    """A record to begin a simulated game with."""
    setup = deal(played, Random(seed))
    setup.pop("deck", None)  # nobody sees the pack's order
    return {"game": played, "options": {}, "setup": setup, "moves": []}


def unfinished(store: Store, played: str | None) -> int | None:
    """The last game of this kind, or of any, if it has not ended."""
    games = [summary for summary in store.games() if played in (None, summary.game)]
    return games[-1].id if games and games[-1].result is None else None
