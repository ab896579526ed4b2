"""Clocks are values: what is left, at any moment."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInput
from companion.table import clocks
from companion.table.clocks import Control, Left, control_of, new_clock

TWO = ("white", "red")


def left(clock: clocks.Clock, seat: str, now: float) -> float:
    return clocks.left(clock, seat, now).main


def test_per_move() -> None:
    clock = clocks.start(new_clock(Control("move", more=30), TWO), "white", 100)
    assert left(clock, "white", 110) == 20
    assert left(clock, "red", 110) == 30
    clock = clocks.press(clock, 125, "red")
    assert (left(clock, "white", 130), left(clock, "red", 130)) == (30, 25)
    assert clocks.left(clock, "red", 155).flag


def test_fischer_adds_after_the_move() -> None:
    clock = clocks.start(new_clock(Control("fischer", 60, 5), TWO), "white", 0)
    clock = clocks.press(clock, 10, "red")
    assert (left(clock, "white", 10), left(clock, "red", 10)) == (55, 60)
    clock = clocks.press(clock, 70, "white")  # too late: what has fallen gets no more
    assert clocks.left(clock, "red", 70) == Left(0, 0, True)


def test_byo_yomi_keeps_a_period_that_was_not_used_up() -> None:
    clock = clocks.start(new_clock(Control("byo-yomi", 60, 30, 3), TWO), "white", 0)
    assert clocks.left(clock, "white", 59) == Left(1, 3)
    assert clocks.left(clock, "white", 60) == Left(30, 2)
    assert clocks.left(clock, "white", 75) == Left(15, 2)
    assert clocks.left(clock, "white", 95) == Left(25, 1)
    used = clocks.press(clock, 95, "red")
    assert used.seats["white"] == Left(0, 2)  # the first is gone, the second whole again
    again = clocks.start(used, "white", 200)
    assert clocks.left(again, "white", 201) == Left(29, 1)
    assert not clocks.left(again, "white", 259).flag
    assert clocks.left(again, "white", 260).flag
    assert clocks.press(clock, 50, "red").seats["white"] == Left(10, 3)


def test_a_flag_falls_once_and_stays() -> None:
    clock = clocks.start(new_clock(Control("fischer", 10, 5), TWO), "white", 0)
    clock, fallen = clocks.call_flags(clock, 9.9)
    assert fallen == []
    clock, fallen = clocks.call_flags(clock, 10)
    assert fallen == ["white"]
    clock, fallen = clocks.call_flags(clock, 11)
    assert fallen == []
    clock = clocks.press(clock, 12, "red")
    assert clock.seats["white"].flag
    assert clock.running == "red"  # called, not applied
    assert clocks.add(clock, "white", 60, 12).seats["white"] == Left(60, 0, False)


def test_a_pause_costs_nobody_anything() -> None:
    clock = clocks.start(new_clock(Control("fischer", 60), TWO), "red", 0)
    asleep = clocks.sleep(clock, 20)
    assert (asleep.running, left(asleep, "red", 500)) == (None, 40)
    awake = clocks.wake(asleep, 500)
    assert (awake.running, left(awake, "red", 510)) == ("red", 30)
    assert clocks.wake(clocks.stop(awake, 520), 530).running is None


def test_time_given_and_taken() -> None:
    clock = clocks.start(new_clock(Control("fischer", 60), TWO), "white", 0)
    clock = clocks.add(clock, "white", 30, 10)
    assert left(clock, "white", 20) == 70
    assert left(clocks.add(clock, "red", -100, 20), "red", 20) == 0


def test_the_log_keeps_it() -> None:
    clock = clocks.start(new_clock(Control("byo-yomi", 60, 30, 3), TWO), "white", 0)
    kept = clocks.from_data(clocks.as_data(clock, 70))
    assert (kept.running, kept.seats["white"]) == (None, Left(20, 2))
    shown = clocks.shown(clock, 70, 1000)
    assert (shown["running"], shown["seats"]["white"]) == ("white", {"left": 20, "periods": 2, "flag": False})


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        {},
        {"kind": "sand"},
        {"kind": "fischer"},
        {"kind": "fischer", "main": True},
        {"kind": "fischer", "main": "60"},
        {"kind": "fischer", "main": float("inf")},
        {"kind": "move", "more": 0},
        {"kind": "byo-yomi", "main": 60, "more": 30, "periods": 0},
        {"kind": "byo-yomi", "main": 60, "more": 30, "periods": 1.5},
        {"kind": "move", "more": 30, "bonus": 1},
    ],
)
def test_what_is_no_clock(wrong: Any) -> None:
    with pytest.raises(BadInput):
        control_of(wrong)


@given(
    st.sampled_from(["move", "fischer", "byo-yomi"]),
    st.lists(st.tuples(st.sampled_from(["press", "stop", "start", "sleep", "wake"]), st.floats(0, 100)), max_size=20),
)
def test_time_only_goes_from_the_one_who_runs(kind: str, acts: list[tuple[str, float]]) -> None:
    control = control_of({"kind": kind, "main": 60 if kind != "move" else 0, "more": 10})
    clock, now = new_clock(control, TWO), 0.0
    for act, seconds in acts:
        before = {seat: clocks.left(clock, seat, now) for seat in TWO}
        running, now = clock.running, now + seconds
        for seat in TWO:
            after = clocks.left(clock, seat, now)
            assert after.main >= 0
            assert seat == running or after == before[seat]
            assert after.periods <= control.periods
        match act:
            case "press":
                clock = clocks.press(clock, now, "red" if running == "white" else "white")
            case "start":
                clock = clocks.start(clock, "white", now)
            case "stop":
                clock = clocks.stop(clock, now)
            case "sleep":
                clock = clocks.sleep(clock, now)
            case "wake":
                clock = clocks.wake(clock, now)
