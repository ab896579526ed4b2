"""Which game is played: checked before anything is written, and what lies in the log keeps no one from playing."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.errors import BadInput
from companion.games import game_ids
from companion.record import read_record
from companion.store import Store, open_store
from companion.table.host import Host
from companion.table.starting import begin, record_for, simulated_record, unfinished
from tests.commands.test_rules import run
from tests.records import deal
from tests.table.test_watching import start
from tests.web.serving import PLAYER, served, settings

# Tiles for the corners' layout, where the game is laid out otherwise.
UNPLAYABLE: dict[str, Any] = {
    "game": "trippples",
    "options": {"layout": "inset"},
    "setup": deal("trippples", Random(1)),
    "moves": [],
}


def test_what_cannot_be_played_is_not_written(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as host:
        for wrong in (
            UNPLAYABLE,
            {"game": "hepta", "moves": ["#a9"]},
            {"game": "hepta", "moves": ["#a1", "#a1"]},
            {"game": "hepta", "result": {"winner": "nobody", "why": "agreed"}},
        ):
            with pytest.raises(BadInput):
                host.do(lambda record=wrong: host.begin(record))
        assert store.last == 0
        assert host.state.game is None


@pytest.mark.parametrize("game", game_ids())
def test_a_simulated_game_can_be_played(game: str) -> None:
    record = simulated_record(game, 3, about={"players": ["Ann", "Bob"]})
    assert any(read_record(json.dumps(record)).start.moves())
    assert record["about"] == {"players": ["Ann", "Bob"]}


@pytest.mark.parametrize("options", [{"layout": "inset"}, {"layout": "centre"}, {"players": 4}, {"hidden": True}])
def test_tiles_are_dealt_for_what_was_agreed(options: dict[str, Any]) -> None:
    assert any(read_record(json.dumps(simulated_record("trippples", 3, options))).start.moves())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A log in which a former companion wrote a game that cannot be played."""
    with open_store(tmp_path) as store:
        store.new_game(UNPLAYABLE, "person")
    return store


def test_an_unplayable_game_of_the_log_is_left_alone(store: Store, tmp_path: Path) -> None:
    with open_store(tmp_path) as again:
        told: list[tuple[int, str]] = []
        assert unfinished(again, "trippples", lambda number, why: told.append((number, why.field))) is None
        assert told == [(1, "setup.tiles.b2")]
        number = begin(again, simulated_record("trippples", 3))
        assert unfinished(again, "trippples") == number == 2
        with Host(again, settings(tmp_path)) as host:
            host.do(lambda: host.open(2))
            with pytest.raises(BadInput):
                host.do(lambda: host.open(1))
            assert host.state.number == 2


def test_run_begins_another_game_where_the_last_one_cannot_be_played(store: Store, tmp_path: Path) -> None:
    table = ("--camera", "sim:trippples,seed=2", "--option", "layout=inset", "--players", "Ann,Bob")
    process = start("run", *table, "--no-web", "--json", "--data", str(tmp_path), "--size", "640x480")
    assert process.stderr is not None
    told = [process.stderr.readline() for _ in range(2)]
    process.terminate()
    process.communicate(timeout=20)
    assert "game 1 cannot be gone on with" in told[0]
    assert told[1] == "game 2 begins\n"
    record = json.loads(run("export", "2", "--data", str(tmp_path)).stdout)
    assert (record["options"], record["about"]) == ({"layout": "inset"}, {"players": ["Ann", "Bob"]})
    assert any(json.loads(run("moves", "-", stdin=record).stdout))


def test_the_page_begins_only_what_can_be_played(tmp_path: Path) -> None:
    with served(tmp_path, "trippples", camera="sim:trippples,seed=2", size=(640, 480)) as place:
        player = place.browser(PLAYER)
        before = place.host.store.events(kinds=("new",))
        body = {"game": "trippples", "options": {"layout": "inset"}, "setup": UNPLAYABLE["setup"]}
        assert player.post("/api/new", body, status=422)["reason"]
        assert place.host.store.events(kinds=("new",)) == before
        state = player.post(
            "/api/new", {"game": "trippples", "options": {"layout": "inset"}, "players": ["Ann", "Bob"]}
        )
        assert (state["options"], state["players"]) == ({"layout": "inset"}, ["Ann", "Bob"])
        assert place.host.state.positions[0].to_move


def test_players_and_options_are_kept_before_a_simulated_camera(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        host = Host(store, settings(tmp_path, camera="sim:plank"))
        record = record_for(
            host.camera, "plank", {"repetition": True}, {"players": 3}, about={"players": ["A", "B", "C"]}
        )
        assert record["setup"]["players"] == 3
        assert (record["options"], record["about"]["players"]) == ({"repetition": True}, ["A", "B", "C"])
