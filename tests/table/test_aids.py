"""The thinker at the table: hints that come by themselves, and the computer as a player."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from companion.errors import BadInput
from companion.games import game
from companion.leds.picture import FROM, ROUTE, TO
from companion.solvers.hint import Hint
from companion.store import open_store
from companion.table.aids import without_secrets
from companion.table.host import Host
from companion.table.starting import record_for
from companion.table.state import TableState
from tests.records import deal, position
from tests.table.test_host import until
from tests.web.serving import settings


def test_hints_follow_the_game(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
        assert (host.state.hint, host.state.analysis) == (None, None)
        host.do(lambda: host.aids.set_hints(True, None, "person"))
        until(lambda: host.state.hint)
        assert host.state.analysis
        assert host.state.hint == host.state.analysis.move
        assert host.state.hint[1] == "1"
        host.do(lambda: host.game.play(["b1-b2"]))
        assert host.state.hint is None or host.state.hint[1] != "1"
        until(lambda: host.state.hint)
        assert host.state.hint[1] in "78"
        host.do(lambda: host.aids.set_hints(False, None, "person"))
        assert (host.state.hint, host.state.analysis) == (None, None)


def test_no_state_hints_at_a_move_of_another_position(tmp_path: Path) -> None:
    """Above all not at the move that was just made, which the lights would show as well."""
    states: list[TableState] = []
    with open_store(tmp_path) as store, Host(store, settings(tmp_path, leds="virtual")) as host:
        host.on_change = states.append
        host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
        host.do(lambda: host.aids.set_hints(True, None, "person"))
        for _ in range(3):
            until(lambda: host.state.hint)
            host.do(lambda: host.game.play([host.state.hint]))
    assert any(state.hint for state in states)
    for state in states:
        if state.hint and state.game:
            assert state.position.why_not(state.game.read(state.hint)) is None
            assert state.analysis
            assert state.analysis.move == state.hint
    after_a_move = [now for before, now in pairwise(states) if len(now.positions) > len(before.positions) > 0]
    assert len(after_a_move) == 3
    for state in after_a_move:
        assert (state.hint, state.analysis) == (None, None)
        assert state.lights
        assert not {TO, FROM, ROUTE} & set(state.lights.lights.values())


def test_when_the_game_is_over_nothing_is_thought_about(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
        host.do(lambda: host.aids.set_hints(True, None, "person"))
        until(lambda: host.state.hint)
        host.do(lambda: host.game.end("red", "resigned"))
        assert (host.state.hint, host.state.analysis) == (None, None)
        assert host.state.hints.on  # for the next game
        host.do(host.aids.hint_once)
        until(lambda: host.aids._thinker.done)
        assert host.state.hint is None


def test_the_referee_locks_the_switch(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
            host.do(lambda: host.aids.set_hints(None, True, "referee"))
            assert host.state.hints == (False, True)
        with Host(store, settings(tmp_path)) as again:
            assert again.aids.hints == (False, True)


def test_one_hint_when_the_button_is_pressed(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
        host.do(host.aids.hint_once)
        until(lambda: host.state.hint)
        host.do(lambda: host.game.play(["b1-b2"]))
        assert host.state.hint is None


def test_the_computer_plays_on_the_page(tmp_path: Path) -> None:
    """Both seats at the first level: the game goes to its end by itself."""
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        setup = deal("trippples", Random(4))
        host.do(lambda: host.begin(record_for(host.camera, "trippples", {}, setup)))
        host.do(lambda: host.aids.set_computer({"round": 1}))
        host.do(lambda: host.game.play([str(next(host.game.position.moves()))]))
        until(lambda: len(host.state.record["moves"]) >= 2)
        moves = store.events(host.state.number, kinds=("move",))
        assert [event.data["by"] for event in moves[:2]] == ["person", "computer"]
        host.do(lambda: host.game.pause(True))
        count = len(host.state.record["moves"])
        host.do(lambda: host.aids.set_computer({"square": 1, "round": 1}))
        assert len(host.state.record["moves"]) == count
        host.do(lambda: host.game.pause(False))
        until(lambda: len(host.state.record["moves"]) > count + 6 or host.state.outcome)
        assert host.state.computer == {"square": 1, "round": 1}


def test_the_computer_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            number = host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
            host.do(lambda: host.aids.set_computer({"red": 2}))
            for wrong in ({"blue": 2}, {"red": 6}):
                with pytest.raises(BadInput, match="computer"):
                    host.do(lambda seats=wrong: host.aids.set_computer(seats))
        with Host(store, settings(tmp_path)) as again:
            again.do(lambda: again.open(number))
            assert again.state.computer == {"red": 2}
            again.do(lambda: again.begin(record_for(again.camera, "six-faces", {})))
            assert again.state.computer == {}


def test_what_lies_face_down_is_not_told() -> None:
    hint = Hint("b2=N-E-SW", 0.5, ("b2=N-E-SW", "g2=N-E-S", "c3"), False)
    there = position("trippples", [], {"hidden": True}, deal("trippples", Random(4)))
    assert without_secrets(hint, game("trippples"), there) == Hint("b2", 0.5, ("b2", "g2", "c3"), False)
    assert without_secrets(Hint("=I", 0.5, ("=I",), False), game("hepta"), position("hepta", [])).move == "=I"
