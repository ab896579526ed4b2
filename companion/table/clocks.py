"""Clocks for two or more: per move, Fischer and byo-yomi. Values only: the time is told, and a flag that falls is
called, never applied."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict

from companion.errors import BadInput
from companion.games.position import Seat

LONGEST = 24 * 3600  # seconds
PERIODS = 99


class ClockKind(StrEnum):
    MOVE = "move"
    FISCHER = "fischer"
    BYO_YOMI = "byo-yomi"


KINDS = tuple(ClockKind)


class Control(NamedTuple):
    """How much time there is. `move`: `more` seconds for each; `fischer`: `main`, and `more` after each move;
    `byo-yomi`: `main`, then `periods` of `more` seconds, of which one is used up only when it has run out."""

    kind: ClockKind
    main: float = 0
    more: float = 0
    periods: int = 0


class Left(NamedTuple):
    """What one seat has left while his clock stands."""

    main: float
    periods: int = 0
    flag: bool = False


class Clock(NamedTuple):
    control: Control
    seats: Mapping[Seat, Left]
    running: Seat | None = None
    since: float = 0.0  # when the running one was started
    asleep: Seat | None = None  # whose clock goes on when a pause is over


def control_of(given: Any) -> Control:
    """As a person asks for it: `{"kind", "main", "more", "periods"}`. BadInput if that makes no sense."""
    if not isinstance(given, dict):
        raise BadInput("clock", "not-an-object")
    for name in given:
        if name not in Control._fields:
            raise BadInput(f"clock.{name}", "unknown-field", choices=", ".join(Control._fields))
    if given.get("kind") not in KINDS:
        raise BadInput("clock.kind", "not-one-of", value=given.get("kind"), choices=", ".join(KINDS))
    kind = ClockKind(given["kind"])
    main = _seconds(given, "main", 0 if kind != ClockKind.FISCHER else 1)
    more = _seconds(given, "more", 1 if kind != ClockKind.FISCHER else 0)
    periods = given.get("periods", 1 if kind == ClockKind.BYO_YOMI else 0)
    if not isinstance(periods, int) or isinstance(periods, bool) or not 0 <= periods <= PERIODS:
        raise BadInput("clock.periods", "not-a-whole-number", value=periods, least=0, most=PERIODS)
    if kind == ClockKind.BYO_YOMI and not periods:
        raise BadInput("clock.periods", "not-a-whole-number", value=periods, least=1, most=PERIODS)
    return Control(kind, main if kind != ClockKind.MOVE else 0, more, periods if kind == ClockKind.BYO_YOMI else 0)


def _seconds(given: Mapping[str, Any], name: str, least: float) -> float:
    value = given.get(name, 0)
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= LONGEST:
        raise BadInput(f"clock.{name}", "not-a-number", value=value, least=least, most=LONGEST)
    return value


def new_clock(control: Control, seats: tuple[Seat, ...]) -> Clock:
    start = Left(control.more if control.kind == ClockKind.MOVE else control.main, control.periods)
    return Clock(control, dict.fromkeys(seats, start))


def left(clock: Clock, seat: Seat, now: float) -> Left:
    """What a seat has left at this moment: his main time, or what is left of the period that runs."""
    held = clock.seats[seat]
    if clock.running != seat:
        return held
    rest, periods = held.main - max(0.0, now - clock.since), held.periods
    while rest <= 0 and periods:
        # the main time is used up, or one period is: the next one runs
        rest, periods = rest + clock.control.more, periods - 1
    return Left(max(0.0, rest), periods, held.flag or rest <= 0)


def start(clock: Clock, seat: Seat, now: float) -> Clock:
    return stop(clock, now)._replace(running=seat, since=now, asleep=None)


def stop(clock: Clock, now: float) -> Clock:
    if clock.running is None:
        return clock._replace(asleep=None)
    return _with(clock, clock.running, left(clock, clock.running, now))._replace(running=None, asleep=None)


def press(clock: Clock, now: float, next_seat: Seat | None) -> Clock:
    """The one who runs has moved: he gets what a move brings him, and the next one's clock goes on."""
    mover, control = clock.running, clock.control
    clock = stop(clock, now)
    if mover is not None:
        held = clock.seats[mover]
        if control.kind == ClockKind.MOVE:
            held = held._replace(main=control.more)
        elif control.kind == ClockKind.FISCHER and not held.flag:
            held = held._replace(main=held.main + control.more)
        elif control.kind == ClockKind.BYO_YOMI and held.periods < control.periods and not held.flag:
            held = Left(0, held.periods + 1)  # the period that ran is whole again
        clock = _with(clock, mover, held)
    return clock if next_seat is None else start(clock, next_seat, now)


def sleep(clock: Clock, now: float) -> Clock:
    """A pause: the clock stands until `wake`."""
    return stop(clock, now)._replace(asleep=clock.running) if clock.running else clock


def wake(clock: Clock, now: float) -> Clock:
    return start(clock, clock.asleep, now) if clock.asleep else clock


def add(clock: Clock, seat: Seat, seconds: float, now: float) -> Clock:
    """A referee gives time, or takes it; with time his flag is up again."""
    held = left(clock, seat, now)
    main = min(max(0.0, held.main + seconds), LONGEST)
    changed = _with(clock, seat, Left(main, held.periods, held.flag and main <= 0))
    return changed._replace(since=now) if clock.running == seat else changed


def call_flags(clock: Clock, now: float) -> tuple[Clock, list[Seat]]:
    """The clock with every flag that has fallen down, and those that fell just now."""
    fallen = [seat for seat, held in clock.seats.items() if not held.flag and left(clock, seat, now).flag]
    for seat in fallen:
        clock = _with(clock, seat, clock.seats[seat]._replace(flag=True))
    return clock, fallen


def _with(clock: Clock, seat: Seat, held: Left) -> Clock:
    return clock._replace(seats={**clock.seats, seat: held})


# --- how the log keeps a clock, and how a page is shown it


class KeptClock(TypedDict):
    control: dict[str, Any]
    seats: dict[Seat, dict[str, Any]]
    running: Seat | None


class ShownLeft(TypedDict):
    left: float
    periods: int
    flag: bool


class ShownClock(TypedDict):
    """As a page counts it down by itself from `at`, a moment of the wall's clock."""

    kind: str
    main: float
    more: float
    periods: int
    running: Seat | None
    at: float
    seats: dict[Seat, ShownLeft]


def as_data(clock: Clock, now: float) -> KeptClock:
    return {
        "control": clock.control._asdict(),
        "seats": {seat: left(clock, seat, now)._asdict() for seat in clock.seats},
        "running": clock.running,
    }


def from_data(data: KeptClock) -> Clock:
    """A clock of the log, standing: whoever goes on with the game starts it."""
    return Clock(Control(**data["control"]), {seat: Left(**held) for seat, held in data["seats"].items()})


def shown(clock: Clock, now: float, wall: float) -> ShownClock:
    seats: dict[Seat, ShownLeft] = {}
    for seat in clock.seats:
        main, periods, flag = left(clock, seat, now)
        seats[seat] = {"left": round(main, 3), "periods": periods, "flag": flag}
    kind, main, more, periods = clock.control
    return {
        "kind": kind,
        "main": main,
        "more": more,
        "periods": periods,
        "running": clock.running,
        "at": round(wall, 3),
        "seats": seats,
    }
