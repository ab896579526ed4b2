"""The link to the LEDs: one thread that finds the board, keeps it lit with the newest picture, and hears its buttons.

Nobody ever waits for it. A board that goes away is looked for again, at first at once and then less and less often,
for ever; what is to be shown meanwhile is shown when it is back.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from companion.errors import BadInput
from companion.leds.drivers import Adalight, Driver, Lost, OwnBoard, Virtual
from companion.leds.lighting import pixels_of
from companion.leds.picture import Cell, Light, Size
from companion.leds.ports import CannotOpen, to_try
from companion.leds.protocol import MONO, Pixels, Tones
from companion.leds.wiring import USUAL, Wiring, read_wiring, wiring_for
from companion.leds.wled import PREFIX, WledBoard

if TYPE_CHECKING:
    from companion.settings import Settings

AUTO, OFF, VIRTUAL, VIRTUAL_MONO = "AUTO", "OFF", "virtual", "virtual-mono"
TURNS = 0.02  # seconds of work on the line before it is looked whether something else is to be shown
FIRST, SLOWEST = 0.1, 1.0  # seconds between two attempts; a board that is plugged in again is back within three
# Seconds for which a port is left alone that did not answer: looking at it may have reset whatever is there.
MUTE = {"named": 5.0, "AUTO": 30.0}
PRESSES, BETWEEN_PRESSES = 5, 0.25  # of a button at once, and seconds between those that follow
FAREWELL = 0.3  # seconds for going dark
WHITE = Light((255, 255, 255))
TEST = (Light((255, 0, 0)), Light((0, 255, 0)), Light((0, 0, 255)), WHITE)
TESTED = 1.0  # seconds for each of them


class Wanted(NamedTuple):
    """What the settings say of the LEDs."""

    port: str = OFF  # a port, AUTO, OFF or virtual
    kind: str = "AUTO"
    size: Size | None = None
    words: str = ""  # the layout's
    brightness: float = 0.3  # 0 to 1
    limit: int = 450  # mA
    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> Wanted:
        """BadInput if the settings, each right by itself, do not go together."""
        if settings.leds_kind == "adalight" and settings.leds.upper() == AUTO:
            raise BadInput("leds", "adalight-needs-port")
        if settings.leds_size:
            try:
                read_wiring(settings.leds_layout, settings.leds_size)
            except BadInput as bad:
                raise BadInput("leds_layout", bad.code, **bad.params) from None
        return cls(
            settings.leds,
            settings.leds_kind,
            settings.leds_size,
            settings.leds_layout,
            settings.leds_brightness / 100,
            settings.leds_current,
            patterns(settings.leds_only),
            patterns(settings.leds_never),
        )

    @property
    def off(self) -> bool:
        return self.port.upper() == OFF or not self.port

    def layout(self, board: Size) -> Wiring:
        return wiring_for(self.size, self.words, board)


def patterns(text: str) -> tuple[str, ...]:
    """The ports of a list in the settings."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


class State(NamedTuple):
    """How the link fares. `code` is of the message catalogues' findings."""

    code: str = "leds.off"
    params: Mapping[str, object] = {}
    port: str = ""  # at which the board is
    name: str = ""  # what it calls itself
    mono: bool = False
    since: float = 0.0  # by the wall's clock

    @property
    def ready(self) -> bool:
        return self.code in ("leds.ready", "leds.drawn", "leds.too-few")


class Link:
    """Give it lights with `show`; read `state` and `pressed` at any time. `close` leaves the LEDs dark."""

    def __init__(self, wanted: Wanted) -> None:
        self.state = State(since=time.time())
        self._presses: SimpleQueue[int] = SimpleQueue()
        self._presses_paid: dict[int, float] = {}  # up to when each button has used up its presses
        self._tunes: SimpleQueue[Tones] = SimpleQueue()
        self.shown: Pixels = ()  # what was sent last
        self._wanted = wanted
        self._lights: Mapping[Cell, Light] = {}
        self._layout = wanted.layout(USUAL)
        self._walk: int | None = None  # the LED that is lit alone
        self._test_until = 0.0
        self._changed = threading.Event()
        self._stopping = threading.Event()
        self._mute: dict[str, tuple[float, object]] = {}  # until when a port is left alone, and which one that was
        self._thread = threading.Thread(target=self._run, name="leds", daemon=True)
        if not wanted.off:
            self._say("leds.looking")
            self._thread.start()

    # --- for everybody; never waits

    def show(self, lights: Mapping[Cell, Light], layout: Wiring) -> None:
        self._lights, self._layout = lights, layout
        self._changed.set()

    def play(self, tones: Tones) -> None:
        """Tones for the board's piezo, where it has one."""
        self._tunes.put(tones)

    def dim(self, brightness: float) -> None:
        self._wanted = self._wanted._replace(brightness=brightness)
        self._changed.set()

    def walk(self, place: int | None) -> None:
        """Light one LED of the wire alone; None: what is to be shown again."""
        self._walk, self._test_until = place, 0.0
        self._changed.set()

    def test(self) -> None:
        """All LEDs red, green, blue and white for a while."""
        self._walk, self._test_until = None, time.monotonic() + TESTED * len(TEST)
        self._changed.set()

    @property
    def testing(self) -> bool:
        return self._test_until > time.monotonic()

    def pressed(self) -> list[int]:
        """The buttons that were pressed since this was asked last."""
        found = []
        while True:
            try:
                found.append(self._presses.get_nowait())
            except Empty:
                return found

    def close(self, patience: float = FAREWELL + 1.0) -> None:
        """The LEDs go dark; with no patience, in a while."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    # --- the thread

    def _run(self) -> None:
        wait = FIRST
        while not self._stopping.is_set():
            driver = self._found()
            if driver is None:
                self._stopping.wait(wait)
                wait = min(2 * wait, SLOWEST)
                continue
            wait = FIRST
            try:
                self._serve(driver)
            except Lost:
                self._say("leds.lost", port=self.state.port)
            finally:
                driver.close()

    def _serve(self, driver: Driver) -> None:
        sent: Pixels | None = None
        while not self._stopping.is_set():
            if sent is None or self._changed.is_set() or self._test_until:
                self._changed.clear()
                pixels = self._pixels(driver)
                if pixels != sent:
                    driver.send(pixels)
                    self.shown = sent = pixels
            while not self._tunes.empty():
                driver.play(self._tunes.get())
            for button in driver.buttons(TURNS):
                self._press(button)
        driver.send(tuple((0, 0, 0, 0) for _ in self.shown))
        until = time.monotonic() + FAREWELL
        while not driver.settled and time.monotonic() < until:
            driver.buttons(TURNS)

    def _press(self, button: int) -> None:
        """However fast a board says so, nobody presses a button more often than this for long."""
        now = time.monotonic()
        paid = max(self._presses_paid.get(button, 0.0), now - PRESSES * BETWEEN_PRESSES) + BETWEEN_PRESSES
        if paid <= now:
            self._presses_paid[button] = paid
            self._presses.put(button)

    def _pixels(self, driver: Driver) -> Pixels:
        board, wanted, layout = driver.board, self._wanted, self._layout
        assert board is not None
        wire = layout.wire()
        lights: Mapping[Cell, Light] = self._lights
        if (left := self._test_until - time.monotonic()) > 0:
            lights = dict.fromkeys(wire, TEST[max(0, len(TEST) - 1 - int(left / TESTED))])
        else:
            self._test_until = 0.0
        if left <= 0 and self._walk is not None:
            lights = {wire[self._walk]: WHITE} if self._walk < len(wire) else {}
        limit = min(wanted.limit, board.limit)
        pixels = pixels_of(lights, layout, wanted.brightness, limit, board.kind == MONO)
        if len(pixels) > board.most:
            self._say("leds.too-few", driver, port=driver.path, have=board.most, need=len(pixels))
            return pixels[: board.most]
        code = "leds.drawn" if isinstance(driver, Virtual) else "leds.ready"
        self._say(code, driver, port=driver.path, name=board.name)
        return pixels

    # --- finding the board

    def _found(self) -> Driver | None:
        """A board that is open and knows us; None if there is none now, and why is said."""
        wanted = self._wanted
        if wanted.port in (VIRTUAL, VIRTUAL_MONO):
            return self._opened(Virtual(wanted.port == VIRTUAL_MONO))
        named = wanted.port.upper() != AUTO
        if wanted.port.startswith(PREFIX):
            return self._opened(WledBoard(wanted.port))
        if named and wanted.kind == "adalight":
            return self._opened(Adalight(wanted.port, len(self._layout.wire())))
        for path in [wanted.port] if named else to_try(wanted.only, wanted.never):
            if self._stopping.is_set() or self._left_alone(path):
                continue
            if driver := self._opened(OwnBoard(path)):
                return driver
            if self.state.code == "leds.mute":
                self._mute[path] = time.monotonic() + MUTE["named" if named else "AUTO"], _which(path)
        if not named and self.state.code in ("leds.mute", "leds.absent"):
            self._say("leds.looking")
        return None

    def _opened(self, driver: Driver) -> Driver | None:
        try:
            driver.open(self._stopping.is_set)
        except CannotOpen as why:
            driver.close()
            if not (why.code == "leds.absent" and self.state.code == "leds.lost"):  # it was there: that says more
                self._say(why.code, None, **why.params)
            return None
        if driver.board is None:  # it is to stop
            driver.close()
            return None
        return driver

    def _left_alone(self, path: str) -> bool:
        """A port that did not answer, unless something else is plugged in there by now."""
        until, which = self._mute.get(path, (0.0, None))
        return time.monotonic() < until and which == _which(path)

    def _say(self, code: str, driver: Driver | None = None, **params: object) -> None:
        board = driver.board if driver else None
        told = State(
            code, params, str(params.get("port", "")), board.name if board else "", bool(board and board.kind == MONO)
        )
        if told != self.state._replace(since=0.0):
            self.state = told._replace(since=time.time())


def _which(path: str) -> object:
    """What tells a port from one of the same name that is plugged in later."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_rdev, found.st_ctime_ns
