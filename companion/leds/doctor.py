"""How the line to a board is: how long answers take, what is lost on the way, and what the board says of itself."""

from __future__ import annotations

import time
from statistics import median
from typing import NamedTuple

from companion.leds.drivers import Driver, OwnBoard
from companion.leds.protocol import Health, Pixels
from companion.leds.wled import WledBoard

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
