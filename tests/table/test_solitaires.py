"""A solitaire as a pastime: its time, hints that are counted, whether it can be solved, and the last good move."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.games.position import AnyPosition
from companion.solvers.cover import solve
from companion.solvers.puzzles import first_problem, problem_of_the_day
from companion.store import open_store
from companion.table.host import Host
from companion.table.state import Solvable
from tests.web.serving import settings

PATIENCE = 60.0


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as running:
        yield running


def until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def spoiling(position: AnyPosition) -> str:
    """A move after which it cannot be solved, though it is not over."""
    for move in position.moves():
        after = position.play(move)
        if not after.outcome() and not solve(after).solutions:
            return str(move)
    raise AssertionError


def test_the_problem_of_the_day_is_the_same_for_everybody() -> None:
    day = date(2026, 11, 18)
    one = problem_of_the_day("tetrods", "easy", day)
    assert one == problem_of_the_day("tetrods", "easy", day)
    told = {name: value for name, value in one["about"].items() if name != "effort"}
    assert told == {"level": "easy", "seed": 20261118, "number": 1, "day": "2026-11-18"}
    assert one["setup"] == first_problem("tetrods", "easy", 20261118)["setup"]
    assert one["setup"] != problem_of_the_day("tetrods", "easy", date(2026, 11, 19))["setup"]
    assert one["setup"] != problem_of_the_day("tetrods", "hard", day)["setup"]


def test_it_is_gone_back_to_the_last_good_move(host: Host) -> None:
    host.do(lambda: host.begin(first_problem("pegs-solo", "easy", 3)))
    given = len(host.state.record["moves"])
    assert given
    with pytest.raises(BadInput):  # the problem itself is not taken back
        host.do(lambda: host.game.take_back(1))
    solution = solve(host.state.position).solutions[0]
    host.do(lambda: host.game.play(solution[:1]))
    bad = spoiling(host.state.position)
    host.do(lambda: host.game.play([bad]))
    after = next(host.state.position.moves())
    host.do(lambda: host.game.play([str(after)]))
    if not host.state.outcome:
        host.do(lambda: host.aids.ask_solvable())
        until(lambda: host.state.solitaire is not None and host.state.solitaire.solvable is Solvable.NO)
    host.do(lambda: host.aids.go_back("player"))
    until(lambda: host.state.solitaire is not None and not host.state.solitaire.goes_back)
    assert host.state.record["moves"][given:] == list(solution[:1])
    assert host.state.solitaire
    assert host.state.solitaire.solvable is Solvable.YES
    assert host.store.events(host.state.number, kinds=("back",))[-1].data == {"count": 2, "by": "player"}


def test_hints_are_counted_and_a_lost_position_has_none(host: Host) -> None:
    host.do(lambda: host.begin(first_problem("hepta-solo", "easy", 3)))
    host.do(lambda: host.aids.hint_once())
    until(lambda: host.state.hint is not None)
    until(lambda: host.state.solitaire is not None and host.state.solitaire.hints == 1)
    bad = spoiling(host.state.position)
    host.do(lambda: host.game.play([bad]))
    host.do(lambda: host.aids.hint_once())
    until(lambda: host.state.analysis is not None and host.state.analysis.exact)
    assert host.state.hint is None
    assert host.state.analysis
    assert host.state.analysis.value == 0
    assert host.state.solitaire
    assert host.state.solitaire.hints == 1
    assert host.store.game(host.state.number or 0).hinted == 1


def test_its_time_stands_in_a_pause_and_when_it_is_left(host: Host) -> None:
    number = host.do(lambda: host.begin(first_problem("tetrods", "easy", 3)))
    assert host.state.solitaire
    assert host.state.solitaire.time.since is not None
    host.do(lambda: host.begin({"game": "six-faces"}))
    assert host.state.solitaire is None
    kept = host.store.game(number)
    assert kept.paused
    assert kept.time.since is None
    host.do(lambda: host.open(number))
    assert not host.state.paused
    solution = solve(host.state.position).solutions[0]
    host.do(lambda: host.game.play(solution))
    assert host.state.outcome
    assert host.state.solitaire
    assert host.state.solitaire.time.since is None
    spent = host.state.solitaire.time.seconds
    assert spent == pytest.approx(host.store.game(number).time.seconds, abs=0.5)
    assert next(one for one in host.store.games() if one.id == number).seconds == pytest.approx(spent, abs=0.5)


def test_games_for_two_have_nothing_to_solve(host: Host) -> None:
    host.do(lambda: host.begin({"game": "six-faces"}))
    for ask in (host.aids.ask_solvable, lambda: host.aids.go_back("player")):
        with pytest.raises(BadInput) as bad:
            host.do(ask)
        assert bad.value.code == "no-solver"
