"""Diagnosis of the connection to a board: latency, lost requests, corrupted frames, and what the board reports."""

from __future__ import annotations

import sys
import threading
import time
from statistics import median
from typing import Any, NamedTuple

from companion import __version__
from companion.errors import BadInput
from companion.leds.drivers import Adalight, Disconnected, Driver, FirmwareBoard
from companion.leds.link import AUTO, VIRTUAL, VIRTUAL_MONO, LedSettings, State
from companion.leds.ports import CannotOpen, candidate_ports
from companion.leds.protocol import Board, Health, Pixels
from companion.leds.wiring import DEFAULT_SIZE
from companion.leds.wled import PREFIX, WledBoard

DURATION = 5.0  # seconds of measuring
DIM = 6  # of 255: visible, and draws hardly any current
LOW, SLOW = 4500, 0.05  # mV below which colors fade; seconds above which responses are slow


class Report(NamedTuple):
    """What was measured while pictures were sent one after another. The field names are part of the JSON output."""

    pictures: int
    usual: float  # median seconds until a picture was shown
    slowest: float
    again: int  # requests that were retried
    spoilt: int  # corrupted frames from the board
    spoilt_there: int | None  # corrupted frames to the board since it started; None: unknown
    millivolts: int | None
    hellos: int  # more than one: the board was reset or disconnected
    signal: int | None = None  # Wi-Fi signal of a WLED, per cent

    @property
    def findings(self) -> list[str]:
        """The problems that were found, as message codes."""
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


class Diagnosis(NamedTuple):
    """A board and its report, complete enough for a bug report."""

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
        """The report as message codes with their parameters."""
        report = self.report
        milliseconds = {"usual": round(1000 * report.usual, 1), "slowest": round(1000 * report.slowest, 1)}
        words = {**report._asdict(), **milliseconds, "name": self.board.name, "resets": report.hellos - 1}
        told: list[tuple[str, dict[str, object]]] = [("doctor.link", words), ("doctor.lost", words)]
        if report.millivolts:
            told.append(("doctor.supply", {"volts": round(report.millivolts / 1000, 2)}))
        return told + [(code, {}) for code in report.findings]


def diagnose(wanted: LedSettings, seconds: float = DURATION) -> Diagnosis:
    """Measure the board that the settings name. CannotOpen if there is none, or it is disconnected."""
    path = port_of(wanted)
    driver: Driver = WledBoard(path) if path.startswith(PREFIX) else FirmwareBoard(path)
    if wanted.kind == "adalight":
        driver = Adalight(path, len(wanted.layout(DEFAULT_SIZE).wire()))
    try:
        driver.open(lambda: False)
        report = measure(driver, seconds)
        assert driver.board is not None
        return Diagnosis(path, driver.board, report)
    except Disconnected:
        raise CannotOpen("leds.lost", port=path) from None
    finally:
        driver.close()


def port_of(wanted: LedSettings) -> str:
    """The port of the board to diagnose. BadInput if none is configured."""
    ports = [wanted.port] if wanted.port.upper() != AUTO else candidate_ports(wanted.only, wanted.never)
    if wanted.off or not ports or ports[0] in (VIRTUAL, VIRTUAL_MONO):
        raise BadInput("port", "choose-board")
    return ports[0]


class Checkup:
    """A diagnosis in a thread of its own. When it is `over`, either `found` is set or `state` says why not."""

    def __init__(self, wanted: LedSettings) -> None:
        self.over = False
        self.found: Diagnosis | None = None
        self.state = State("leds.being-checked", {"port": port_of(wanted)}, since=time.time())
        self._wanted = wanted
        threading.Thread(target=self._run, name="doctor", daemon=True).start()

    def _run(self) -> None:
        try:
            self.found = diagnose(self._wanted)
        except CannotOpen as why:
            self.state = State(why.code, why.params, self.state.port, since=time.time())
        except BadInput:  # with AUTO: it was unplugged at this moment
            self.state = State("leds.no-board", since=time.time())
        finally:
            self.over = True


def measure(driver: Driver, seconds: float) -> Report:
    """Move a light along the wire for this time and measure the responses. The driver must be open."""
    assert driver.board is not None
    count = min(driver.board.most, 64)
    trips: list[float] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        at = len(trips) % count
        driver.send(_single_lit(at, count))
        began = time.monotonic()
        while not driver.settled and time.monotonic() - began < 2.0:
            driver.poll(0.0)
        trips.append(time.monotonic() - began)
    driver.send(tuple((0, 0, 0, 0) for _ in range(count)))
    health = _health(driver) if isinstance(driver, FirmwareBoard) else None
    statistics, spoilt = (driver.statistics, driver.corrupted) if isinstance(driver, FirmwareBoard) else (None, 0)
    return Report(
        len(trips),
        median(trips),
        max(trips),
        statistics.retries if statistics else 0,
        spoilt,
        health.corrupted if health else None,
        health.millivolts or None if health else None,
        statistics.hellos if statistics else 1,
        driver.info.get("wifi", {}).get("signal") if isinstance(driver, WledBoard) else None,
    )


def _single_lit(at: int, count: int) -> Pixels:
    return tuple((DIM, DIM, DIM, 0) if place == at else (0, 0, 0, 0) for place in range(count))


def _health(driver: FirmwareBoard) -> Health | None:
    driver.check()
    until = time.monotonic() + 1.0
    while driver.health is None and time.monotonic() < until:
        driver.poll(0.02)
    return driver.health
