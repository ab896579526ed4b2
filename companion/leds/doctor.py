"""How the line to a board is: how long answers take, what is lost on the way, and what the board says of itself."""

from __future__ import annotations

import sys
import threading
import time
from statistics import median
from typing import Any, NamedTuple

from companion import __version__
from companion.errors import BadInput
from companion.leds.drivers import Adalight, Driver, Lost, OwnBoard
from companion.leds.link import AUTO, VIRTUAL, VIRTUAL_MONO, State, Wanted
from companion.leds.ports import CannotOpen, to_try
from companion.leds.protocol import Board, Health, Pixels
from companion.leds.wiring import USUAL
from companion.leds.wled import PREFIX, WledBoard

EXAMINED = 5.0  # seconds for which the line is listened to
SHADE = 6  # of 255: enough to be seen, too little to draw current
LOW, SLOW = 4500, 0.05  # mV under which colors fade; seconds over which answers are slow


class Report(NamedTuple):
    """Of so many seconds of pictures, one after another."""

    pictures: int
    usual: float  # seconds until one was shown: half of them took no longer
    slowest: float
    again: int  # requests that had to be sent once more
    spoilt: int  # frames that came from the board spoilt
    spoilt_there: int | None  # and to it, since it started; None: it does not know
    millivolts: int | None
    hellos: int  # more than one: it was reset, or away
    signal: int | None = None  # of a WLED, per cent

    @property
    def findings(self) -> list[str]:
        """What is not as it should be, as codes of the message catalogues."""
        found = []
        if self.millivolts and self.millivolts < LOW:
            found.append("doctor.low")
        if self.again > self.pictures // 20 + 1 or self.spoilt > self.pictures // 20 + 1:
            found.append("doctor.noisy")
        if self.hellos > 1:
            found.append("doctor.resets")
        if self.usual > SLOW:
            found.append("doctor.slow")
        if self.signal is not None and self.signal < 40:
            found.append("doctor.weak")
        return found or ["doctor.well"]


class Examined(NamedTuple):
    """What is told of a board: with a question to others it goes along whole."""

    port: str
    board: Board
    report: Report

    def log(self) -> dict[str, Any]:
        about = {"companion": __version__, "python": sys.version.split()[0], "platform": sys.platform}
        return about | self.told()

    def told(self) -> dict[str, Any]:
        found = {"port": self.port, "board": self.board._asdict(), **self.report._asdict()}
        return found | {"findings": self.report.findings}

    def findings(self) -> list[tuple[str, dict[str, object]]]:
        """The same in sentences: codes of the message catalogues, and what they speak of."""
        report = self.report
        milliseconds = {"usual": round(1000 * report.usual, 1), "slowest": round(1000 * report.slowest, 1)}
        words = {**report._asdict(), **milliseconds, "name": self.board.name, "resets": report.hellos - 1}
        told: list[tuple[str, dict[str, object]]] = [("doctor.link", words), ("doctor.lost", words)]
        if report.millivolts:
            told.append(("doctor.supply", {"volts": round(report.millivolts / 1000, 2)}))
        return told + [(code, {}) for code in report.findings]


def board_examined(wanted: Wanted, seconds: float = EXAMINED) -> Examined:
    """The board that the settings name, listened to for so long. CannotOpen if there is none, or it goes away."""
    path = port_of(wanted)
    driver: Driver = WledBoard(path) if path.startswith(PREFIX) else OwnBoard(path)
    if wanted.kind == "adalight":
        driver = Adalight(path, len(wanted.layout(USUAL).wire()))
    try:
        driver.open(lambda: False)
        report = examine(driver, seconds)
        assert driver.board is not None
        return Examined(path, driver.board, report)
    except Lost:
        raise CannotOpen("leds.lost", port=path) from None
    finally:
        driver.close()


def port_of(wanted: Wanted) -> str:
    """Where the board is that can be examined; BadInput if none is chosen."""
    ports = [wanted.port] if wanted.port.upper() != AUTO else to_try(wanted.only, wanted.never)
    if wanted.off or not ports or ports[0] in (VIRTUAL, VIRTUAL_MONO):
        raise BadInput("port", "choose-board")
    return ports[0]


class Checkup:
    """The same in a thread of its own. `over`: it has ended; then there is `found`, or `state` says why not."""

    def __init__(self, wanted: Wanted) -> None:
        self.over = False
        self.found: Examined | None = None
        self.state = State("leds.being-checked", {"port": port_of(wanted)}, since=time.time())
        self._wanted = wanted
        threading.Thread(target=self._run, name="doctor", daemon=True).start()

    def _run(self) -> None:
        try:
            self.found = board_examined(self._wanted)
        except CannotOpen as why:
            self.state = State(why.code, why.params, self.state.port, since=time.time())
        except BadInput:  # AUTO, and it was pulled out at this moment
            self.state = State("leds.no-board", since=time.time())
        finally:
            self.over = True


def examine(driver: Driver, seconds: float) -> Report:
    """Let a light run along the wire for so long. The driver is open; Lost if the board goes away."""
    assert driver.board is not None
    count = min(driver.board.most, 64)
    trips: list[float] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        at = len(trips) % count
        driver.send(_one(at, count))
        began = time.monotonic()
        while not driver.settled and time.monotonic() - began < 2.0:
            driver.buttons(0.0)
        trips.append(time.monotonic() - began)
    driver.send(tuple((0, 0, 0, 0) for _ in range(count)))
    health = _health(driver) if isinstance(driver, OwnBoard) else None
    tally, spoilt = (driver.tally, driver.spoilt) if isinstance(driver, OwnBoard) else (None, 0)
    return Report(
        len(trips),
        median(trips),
        max(trips),
        tally.again if tally else 0,
        spoilt,
        health.spoilt if health else None,
        health.millivolts or None if health else None,
        tally.hellos if tally else 1,
        driver.info.get("wifi", {}).get("signal") if isinstance(driver, WledBoard) else None,
    )


def _one(at: int, count: int) -> Pixels:
    return tuple((SHADE, SHADE, SHADE, 0) if place == at else (0, 0, 0, 0) for place in range(count))


def _health(driver: OwnBoard) -> Health | None:
    driver.check()
    until = time.monotonic() + 1.0
    while driver.health is None and time.monotonic() < until:
        driver.buttons(0.02)
    return driver.health
