"""Who may not, cannot: keys of other tables, roles, wrong PINs; and nothing that is sent brings the hall down."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall.database import Sqlite, Unavailable
from companion.hall.live import OFFLINE_AFTER
from companion.hall.reports import receive
from companion.store import Sealed, open_store
from tests.hall.halls import Asker, Hall, served_hall, table_at, wait_until

START = {"game": "six-faces", "options": {}, "setup": {}, "moves": []}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with served_hall(str(tmp_path_factory.mktemp("hall") / "hall.sqlite")) as running:
        yield running


def events(folder: Path, count: int = 3) -> list[Sealed]:
    with open_store(folder) as store:
        store.new_game(START, "person")
        for n in range(count - 1):
            store.append(1, "note", {"n": n, "from": str(folder)})
        return store.sealed(0, 100)


def report(log: list[Sealed], done: int = 0) -> dict[str, object]:
    return {"log": log[0].hash, "events": [list(event) for event in log], "done": done}


def test_a_key_writes_its_own_table_only(hall: Hall, tmp_path: Path) -> None:
    desk = hall.desk
    one, two = (Asker(hall.port, str(desk.add_table("Anne", name))) for name in ("One", "Two"))
    log = events(tmp_path / "one")
    assert one.post("/api/link/report", report(log[:2]))["have"] == 2
    assert two.post("/api/link/report", report(log), status=403)["error"] == "hall-not-its-log"
    assert Asker(hall.port).post("/api/link/report", report(log), status=401)["error"] == "hall-wrong-key"
    # replayed: dropped; altered: refused, and shown
    assert one.post("/api/link/report", report(log[:2]))["have"] == 2
    altered = log[2]._replace(text=json.dumps({"n": "otherwise"}))
    assert one.post("/api/link/report", report([log[0], log[1], altered]))["refused"] == 3
    assert [found["number"] for found in hall.referee().get("/api/hall")["refusals"]] == [3]
    # a key gives no command and is no person
    one.post("/api/clock", {"table": 1, "do": "stop"}, status=401)
    one.post("/api/hints", {"locked": True}, status=401)
    key = next(place.id for place in desk.state.places.values() if place.name == "Two")
    desk.revoke("Anne", key)
    two.post("/api/link/report", report(events(tmp_path / "two")), status=401)


def test_roles_and_wrong_pins(hall: Hall) -> None:
    referee = hall.referee()
    assert referee.post("/api/pair", {"tournament": 1}, status=403)["error"] == "hall-needs-arbiter"
    Asker(hall.port).post("/api/result", {"pairing": 1, "reason": "x"}, status=401)
    assert Asker(hall.port).get("/api/hall")["persons"] == []
    for _ in range(5):
        Asker(hall.port).post("/api/login", {"pin": "wrong!"}, status=401)
    status, told = Asker(hall.port).ask("POST", "/api/login", {"pin": "wrong!"})
    assert (status, told["error"]) == (429, "pin-locked")
    hall.desk.do("Anne", "person", {"name": "Gone", "role": "referee", "secret": "0:0"})
    gone = next(person.id for person in hall.desk.state.persons.values() if person.name == "Gone")
    hall.desk.do("Anne", "person-gone", {"person": gone})
    assert gone not in hall.desk.state.persons


def test_spectators_are_late_and_see_nothing_personal(tmp_path: Path) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        desk, key = hall.desk, hall.desk.add_table("Anne", "Table 1")
        cup = desk.do("Anne", "tournament", {"name": "Cup", "game": "six-faces", "system": "swiss", "rounds": 1})
        for name in ("Ann", "Bob"):
            desk.enter("Anne", cup, [name])
        desk.pair("Anne", cup)
        desk.publish("Anne", cup)
        desk.do("Anne", "delay", {"seconds": 3600})
        with table_at(tmp_path / "t", hall.url, key) as host:
            wait_until(lambda: host.state.game, "the game")
            move = str(next(host.state.position.moves()))
            host.do(lambda: host.game.play([move]))
            host.do(lambda: host.game.end("white", "resigned"))
            wait_until(
                lambda: desk.tables.reported.get(desk.state.tournament(cup).rounds[0].pairings[0].id), "the result"
            )
            told = Asker(hall.port).get(f"/api/tournaments/{cup}")
            assert not told["rounds"][0]["pairings"][0]["done"]
            assert [row["score"] for row in told["standings"]] == [0, 0]
            assert Asker(hall.port).get("/api/hall")["tables"][0]["moves"] == 0
            assert hall.referee().get("/api/hall")["tables"][0]["moves"] == 1
            desk.do("Anne", "delay", {"seconds": 0})
            assert Asker(hall.port).get(f"/api/tournaments/{cup}")["rounds"][0]["pairings"][0]["done"]
    assert OFFLINE_AFTER > 20


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """The database says that it is full: nothing is acknowledged, and all is there when there is room again."""
    database = Sqlite(tmp_path / "full.sqlite")
    database.close()
    with served_hall(str(tmp_path / "full.sqlite")) as hall:
        key = hall.desk.add_table("Anne", "Table 1")
        full = hall.desk.database
        assert isinstance(full, Sqlite)
        with full.transaction() as transaction:
            pages = transaction.execute("PRAGMA page_count")[0][0]
        usual = full._connect

        def cramped() -> sqlite3.Connection:
            disk = usual()
            disk.execute(f"PRAGMA max_page_count = {pages}")
            return disk

        full.close()
        full._connect = cramped  # type: ignore[method-assign]
        log = events(tmp_path / "log", 60)
        with pytest.raises(Unavailable):
            receive(full, key.place, log[0].hash, log)
        status, told = Asker(hall.port, str(key)).ask("POST", "/api/link/report", report(log))
        assert (status, told["error"]) == (503, "hall-database")
        full.close()
        full._connect = usual  # type: ignore[method-assign]
        full.close()
        assert Asker(hall.port, str(key)).post("/api/link/report", report(log))["have"] == 60
