"""The link to the LEDs: one thread that finds the board, sends it the newest picture, and reads its buttons.

No caller ever waits for it. A board that is disconnected is retried for ever, with a growing interval; the newest
picture is shown when it is back.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from companion.errors import BadInput
from companion.leds.drivers import Adalight, Disconnected, Driver, FirmwareBoard, Virtual
from companion.leds.lighting import pixels_of
from companion.leds.picture import Cell, Light, Size
from companion.leds.ports import CannotOpen, candidate_ports
from companion.leds.protocol import MONO, Pixels, Tones
from companion.leds.wiring import DEFAULT_SIZE, Wiring, parse_wiring, wiring_for
from companion.leds.wled import PREFIX, WledBoard

if TYPE_CHECKING:
    from companion.settings import Settings

AUTO, OFF, VIRTUAL, VIRTUAL_MONO = "AUTO", "OFF", "virtual", "virtual-mono"
POLL_INTERVAL = 0.02  # seconds in the driver before checking for a new picture
MIN_RETRY, MAX_RETRY = 0.1, 1.0  # seconds between attempts; a board that is plugged in again is back within three
# Seconds before a port that did not respond is tried again: opening it may reset whatever is connected there.
SILENT_RETRY = {"named": 5.0, "AUTO": 30.0}
PRESS_BURST, PRESS_INTERVAL = 5, 0.25  # of a button at once, and seconds between those that follow
CLOSE_TIMEOUT = 0.3  # seconds for switching the LEDs off
WHITE = Light((255, 255, 255))
TEST = (Light((255, 0, 0)), Light((0, 255, 0)), Light((0, 0, 255)), WHITE)
TEST_STEP = 1.0  # seconds for each of them


class LedSettings(NamedTuple):
    """The part of the settings that concerns the LEDs."""

    port: str = OFF  # a port, AUTO, OFF or virtual
    kind: str = "AUTO"
    size: Size | None = None
    words: str = ""  # the layout, as `wiring.py` describes it
    brightness: float = 0.3  # 0 to 1
    limit: int = 450  # mA
    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> LedSettings:
        """BadInput if the settings are valid one by one but not together."""
        if settings.leds_kind == "adalight" and settings.leds.upper() == AUTO:
            raise BadInput("leds", "adalight-needs-port")
        if settings.leds_size:
            try:
                parse_wiring(settings.leds_layout, settings.leds_size)
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
    """A comma-separated list of port patterns."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


class State(NamedTuple):
    """The state of the link. `code` is a message code (`FINDINGS`)."""

    code: str = "leds.off"
    params: Mapping[str, object] = {}
    port: str = ""
    name: str = ""  # the board's own name
    mono: bool = False
    since: float = 0.0  # wall-clock time

    @property
    def ready(self) -> bool:
        return self.code in ("leds.ready", "leds.drawn", "leds.too-few")


class Link:
    """Set the lights with `show`; read `state` and `pressed` at any time. `close` switches the LEDs off."""

    def __init__(self, wanted: LedSettings) -> None:
        self.state = State(since=time.time())
        self._presses: SimpleQueue[int] = SimpleQueue()
        self._press_budget: dict[int, float] = {}  # up to when each button has used up its presses
        self._tunes: SimpleQueue[Tones] = SimpleQueue()
        self.shown: Pixels = ()  # what was sent last
        self._wanted = wanted
        self._lights: Mapping[Cell, Light] = {}
        self._layout = wanted.layout(DEFAULT_SIZE)
        self._walk: int | None = None  # the LED that is lit alone
        self._test_until = 0.0
        self._changed = threading.Event()
        self._stopping = threading.Event()
        self._silent: dict[str, tuple[float, object]] = {}  # until when a port is left alone, and which one that was
        self._thread = threading.Thread(target=self._run, name="leds", daemon=True)
        if not wanted.off:
            self._set_state("leds.looking")
            self._thread.start()

    # --- called from other threads; never blocks

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
        """Light only this LED of the wire. None: back to the picture."""
        self._walk, self._test_until = place, 0.0
        self._changed.set()

    def test(self) -> None:
        """Light all LEDs red, green, blue and white for a while."""
        self._walk, self._test_until = None, time.monotonic() + TEST_STEP * len(TEST)
        self._changed.set()

    @property
    def testing(self) -> bool:
        return self._test_until > time.monotonic()

    def pressed(self) -> list[int]:
        """The buttons pressed since the last call."""
        found = []
        while True:
            try:
                found.append(self._presses.get_nowait())
            except Empty:
                return found

    def close(self, timeout: float = CLOSE_TIMEOUT + 1.0) -> None:
        """Switch the LEDs off, and wait at most this long until they are."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    # --- the thread

    def _run(self) -> None:
        wait = MIN_RETRY
        while not self._stopping.is_set():
            driver = self._find_driver()
            if driver is None:
                self._stopping.wait(wait)
                wait = min(2 * wait, MAX_RETRY)
                continue
            wait = MIN_RETRY
            try:
                self._drive(driver)
            except Disconnected:
                self._set_state("leds.lost", port=self.state.port)
            finally:
                driver.close()

    def _drive(self, driver: Driver) -> None:
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
            for button in driver.poll(POLL_INTERVAL):
                self._press(button)
        driver.send(tuple((0, 0, 0, 0) for _ in self.shown))
        until = time.monotonic() + CLOSE_TIMEOUT
        while not driver.settled and time.monotonic() < until:
            driver.poll(POLL_INTERVAL)

    def _press(self, button: int) -> None:
        """Rate limit: a faulty board may report presses faster than anybody can press."""
        now = time.monotonic()
        spent = max(self._press_budget.get(button, 0.0), now - PRESS_BURST * PRESS_INTERVAL) + PRESS_INTERVAL
        if spent <= now:
            self._press_budget[button] = spent
            self._presses.put(button)

    def _pixels(self, driver: Driver) -> Pixels:
        board, wanted, layout = driver.board, self._wanted, self._layout
        assert board is not None
        wire = layout.wire()
        lights: Mapping[Cell, Light] = self._lights
        if (left := self._test_until - time.monotonic()) > 0:
            lights = dict.fromkeys(wire, TEST[max(0, len(TEST) - 1 - int(left / TEST_STEP))])
        else:
            self._test_until = 0.0
        if left <= 0 and self._walk is not None:
            lights = {wire[self._walk]: WHITE} if self._walk < len(wire) else {}
        limit = min(wanted.limit, board.limit)
        pixels = pixels_of(lights, layout, wanted.brightness, limit, board.kind == MONO)
        if len(pixels) > board.most:
            self._set_state("leds.too-few", driver, port=driver.path, have=board.most, need=len(pixels))
            return pixels[: board.most]
        code = "leds.drawn" if isinstance(driver, Virtual) else "leds.ready"
        self._set_state(code, driver, port=driver.path, name=board.name)
        return pixels

    # --- finding the board

    def _find_driver(self) -> Driver | None:
        """An open driver for the board; None if there is no board now, and then `state` says why."""
        wanted = self._wanted
        if wanted.port in (VIRTUAL, VIRTUAL_MONO):
            return self._try_open(Virtual(wanted.port == VIRTUAL_MONO))
        named = wanted.port.upper() != AUTO
        if wanted.port.startswith(PREFIX):
            return self._try_open(WledBoard(wanted.port))
        if named and wanted.kind == "adalight":
            return self._try_open(Adalight(wanted.port, len(self._layout.wire())))
        for path in [wanted.port] if named else candidate_ports(wanted.only, wanted.never):
            if self._stopping.is_set() or self._is_backed_off(path):
                continue
            if driver := self._try_open(FirmwareBoard(path)):
                return driver
            if self.state.code == "leds.mute":
                self._silent[path] = (
                    time.monotonic() + SILENT_RETRY["named" if named else "AUTO"],
                    _device_identity(path),
                )
        if not named and self.state.code in ("leds.mute", "leds.absent"):
            self._set_state("leds.looking")
        return None

    def _try_open(self, driver: Driver) -> Driver | None:
        try:
            driver.open(self._stopping.is_set)
        except CannotOpen as why:
            driver.close()
            if not (why.code == "leds.absent" and self.state.code == "leds.lost"):  # "lost" tells more than "absent"
                self._set_state(why.code, None, **why.params)
            return None
        if driver.board is None:  # we are stopping
            driver.close()
            return None
        return driver

    def _is_backed_off(self, path: str) -> bool:
        """The port did not respond lately, and nothing else was plugged in since."""
        until, which = self._silent.get(path, (0.0, None))
        return time.monotonic() < until and which == _device_identity(path)

    def _set_state(self, code: str, driver: Driver | None = None, **params: object) -> None:
        board = driver.board if driver else None
        state = State(
            code, params, str(params.get("port", "")), board.name if board else "", bool(board and board.kind == MONO)
        )
        if state != self.state._replace(since=0.0):
            self.state = state._replace(since=time.time())


def _device_identity(path: str) -> object:
    """What distinguishes a device from another one that gets the same port name later."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_rdev, found.st_ctime_ns
