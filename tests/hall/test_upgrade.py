"""A hall and a table of a former companion, in the middle of a round: the new one goes on where they were."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.hall import reports
from companion.hall.database import Database, open_database
from companion.hall.desk import Desk
from companion.hall.evidence import verify
from companion.hall.schema import MIGRATIONS
from tests.hall.halls import ROOT, play_out, served_hall, table_at, wait_until

# Made by a companion before tables' signed heads were kept (version 1 of the schema): two tables in the first of two
# rounds; the first game is over, the second has three moves, and its table calls the referee.
HALL, TABLE = (ROOT / f"tests/stores/hall-1{part}.sql" for part in ("", "-table"))
KEY = "4-mf3jrnqdyfkbjchzg7wwemjk"  # of the second table
STANDINGS = [(1, "Ann", 1), (2, "Cem", 0), (3, "Bob", 0), (3, "Dora", 0)]


def laid(url: str) -> None:
    """The former hall, as it lay in a file or in PostgreSQL."""
    if "://" not in url:
        raw = sqlite3.connect(url)
        raw.executescript(HALL.read_text())
        raw.close()
        return
    import psycopg

    kept = [line for line in HALL.read_text().splitlines() if line not in ("BEGIN TRANSACTION;", "COMMIT;")]
    with psycopg.connect(url) as transaction:
        transaction.execute("\n".join(kept))  # type: ignore[arg-type]


def standings(desk: Desk) -> list[tuple[int, str, float]]:
    tournament = next(iter(desk.state.tournaments.values()))
    return [
        (row.rank, desk.state.entry_name(tournament, row.entry), row.score) for row in desk.standings(tournament.id)
    ]


def version(database: Database) -> int:
    with database.transaction() as transaction:
        return int(transaction.execute("SELECT version FROM hall")[0][0])


def test_a_former_hall_goes_on_in_the_middle_of_a_round(database: str, tmp_path: Path) -> None:
    laid(database)
    raw = sqlite3.connect(tmp_path / "table.sqlite")
    raw.executescript(TABLE.read_text())
    raw.close()
    with served_hall(database) as hall:
        assert version(hall.desk.database) == len(MIGRATIONS)
        assert standings(hall.desk) == STANDINGS
        before = verify(hall.desk.database)
        assert (before.logs, before.events, before.findings) == (2, 13, [])
        tournament = next(iter(hall.desk.state.tournaments.values()))
        place = int(KEY.partition("-")[0])
        assert hall.desk.tables.live[place].trouble(0)[0] == "call"
        with table_at(tmp_path, hall.url, KEY) as host:  # the former table's log, under its old key
            host.do(lambda: host.open(1))
            assert len(host.state.record["moves"]) == 3
            play_out(host, host.state.position.seats[0], moves=2)
            wait_until(
                lambda: all(tournament.score(one, hall.desk.tables.reported) for one in tournament.rounds[0].pairings),
                "end",
            )
            hall.arbiter().post("/api/answered", {"table": place})
            wait_until(lambda: not host.state.hall.called, "answered")  # type: ignore[union-attr]
            host.sealer.sign()
            wait_until(lambda: reports.heads(hall.desk.database, host.store.events()[0].hash), "the signed head")
            hall.arbiter().post("/api/pair", {"tournament": tournament.id})
            hall.arbiter().post("/api/publish", {"tournament": tournament.id})
            wait_until(lambda: host.state.number == 2, "the second round")
        found = verify(hall.desk.database)
        assert found.findings == []
        assert found.events > before.events
        assert found.heads > 0


def test_two_desks_that_are_started_at_once_bring_it_up_to_date_once(database: str) -> None:
    laid(database)
    opened = [open_database(database) for _ in range(2)]
    assert [version(one) for one in opened] == [len(MIGRATIONS)] * 2
    for one in opened:
        one.close()


def test_a_step_that_fails_leaves_the_hall_as_it_was(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    laid(database)
    broken = (*MIGRATIONS, "CREATE TABLE more (a BIGINT); CREATE TABLE deeds (a BIGINT)")
    monkeypatch.setattr("companion.hall.database.MIGRATIONS", broken)
    with pytest.raises(BadInput, match="hall-database"):
        open_database(database)
    monkeypatch.setattr("companion.hall.database.MIGRATIONS", MIGRATIONS)
    again = open_database(database)
    desk = Desk(again)
    desk.catch_up()
    assert standings(desk) == STANDINGS
    again.close()


def test_a_hall_of_a_newer_companion_is_refused(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    open_database(database).close()
    monkeypatch.setattr("companion.hall.database.MIGRATIONS", MIGRATIONS[:1])
    with pytest.raises(BadInput, match="hall-newer"):
        open_database(database)
