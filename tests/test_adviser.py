"""The thinker at the table: hints that come by themselves, and the computer as a player."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.adviser import as_told
from companion.dealing import deal
from companion.games.position import BadInput
from companion.host import Host
from companion.solvers.hint import Hint
from companion.store import open_store
from tests.web.serving import settings
from tests.web.test_host import until


def test_hints_follow_the_game(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(host.record_for("six-faces", {})))
        assert (host.snapshot.hint, host.snapshot.analysis) == (None, None)
        host.do(lambda: host.set_hints(True, None, "person"))
        until(lambda: host.snapshot.hint)
        assert host.snapshot.analysis
        assert host.snapshot.hint == host.snapshot.analysis.move
        assert host.snapshot.hint[1] == "1"
        host.at_table(lambda table: table.play(["b1-b2"]))
        assert host.snapshot.hint is None or host.snapshot.hint[1] != "1"
        until(lambda: host.snapshot.hint)
        assert host.snapshot.hint[1] in "78"
        host.do(lambda: host.set_hints(False, None, "person"))
        assert (host.snapshot.hint, host.snapshot.analysis) == (None, None)


def test_the_referee_locks_the_switch(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            host.do(lambda: host.begin(host.record_for("six-faces", {})))
            with pytest.raises(BadInput, match="hints-locked"):
                host.do(lambda: host.set_hints(None, True, "person"))
            host.do(lambda: host.set_hints(None, True, "referee"))
            with pytest.raises(BadInput, match="hints-locked"):
                host.do(lambda: host.set_hints(True, None, "person"))
            host.do(host.hint_once)
            assert host.snapshot.hints == (False, True)
        with Host(store, settings(tmp_path)) as again:
            assert again.hints == (False, True)


def test_one_hint_when_the_button_is_pressed(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        host.do(lambda: host.begin(host.record_for("six-faces", {})))
        host.do(lambda: host.on_hint())
        until(lambda: host.snapshot.hint)
        host.at_table(lambda table: table.play(["b1-b2"]))
        assert host.snapshot.hint is None


def test_the_computer_plays_on_the_page(tmp_path: Path) -> None:
    """Both seats at the first level: the game goes to its end by itself."""
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        setup = deal("trippples", Random(4))
        host.do(lambda: host.begin(host.record_for("trippples", {}, setup)))
        host.do(lambda: host.set_computer({"round": 1}))
        host.at_table(lambda table: table.play([str(next(table.position.moves()))]))
        until(lambda: len(host.snapshot.record["moves"]) >= 2)
        moves = store.events(host.snapshot.game, kinds=("move",))
        assert [event.data["by"] for event in moves[:2]] == ["person", "computer"]
        host.do(lambda: host.pause(True))
        count = len(host.snapshot.record["moves"])
        host.do(lambda: host.set_computer({"square": 1, "round": 1}))
        assert len(host.snapshot.record["moves"]) == count
        host.do(lambda: host.pause(False))
        until(lambda: len(host.snapshot.record["moves"]) > count + 6 or host.snapshot.outcome)
        assert host.snapshot.computer == {"square": 1, "round": 1}


def test_the_computer_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        with Host(store, settings(tmp_path)) as host:
            number = host.do(lambda: host.begin(host.record_for("six-faces", {})))
            host.do(lambda: host.set_computer({"red": 2}))
            for wrong in ({"blue": 2}, {"red": 6}):
                with pytest.raises(BadInput, match="computer"):
                    host.do(lambda seats=wrong: host.set_computer(seats))
        with Host(store, settings(tmp_path)) as again:
            again.do(lambda: again.open(number))
            assert again.snapshot.computer == {"red": 2}
            again.do(lambda: again.begin(again.record_for("six-faces", {})))
            assert again.snapshot.computer == {}


def test_what_lies_face_down_is_not_told() -> None:
    hint = Hint("b2=N-E-SW", 0.5, ("b2=N-E-SW", "g2=N-E-S", "c3"), False)
    assert as_told(hint) == Hint("b2", 0.5, ("b2", "g2", "c3"), False)
    assert as_told(Hint("=I", 0.5, ("=I",), False)).move == "=I"
