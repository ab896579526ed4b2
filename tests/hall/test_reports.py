"""What tables report is kept once, in order, under its seals; what does not follow is refused and shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.hall import reports
from companion.hall.database import Database, open_database
from companion.hall.evidence import verify
from companion.hall.reports import Acknowledged, receive
from companion.sealing import Sealer
from companion.store import Sealed, open_store

START = {"game": "six-faces", "options": {}, "setup": {}, "moves": []}


@pytest.fixture
def opened(database: str) -> Iterator[Database]:
    found = open_database(database)
    yield found
    found.close()


def log_of(folder: Path, count: int = 6) -> list[Sealed]:
    with open_store(folder) as store:
        store.new_game(START, "person")
        for n in range(count - 1):
            store.append(1, "note", {"n": n, "half": n / 3, "é": "ü"})
        return store.sealed(0, 1000)


def test_each_event_is_kept_once_and_gaps_are_asked_for(opened: Database, tmp_path: Path) -> None:
    events = log_of(tmp_path / "one")
    log = events[0].hash
    assert receive(opened, 1, log, []) == Acknowledged(0)
    assert receive(opened, 1, log, events[2:4]) == Acknowledged(0)
    assert receive(opened, 1, log, events[:3]) == Acknowledged(3)
    assert receive(opened, 1, log, events[1:3]) == Acknowledged(3)
    assert receive(opened, 1, log, events[4:]) == Acknowledged(3)
    assert receive(opened, 1, log, events[1:5]) == Acknowledged(5)
    assert receive(opened, 1, log, events) == Acknowledged(6)
    with opened.transaction() as transaction:
        rows = transaction.execute("SELECT number, game, at, kind, data, hash FROM events ORDER BY number")
    assert [Sealed(*row) for row in rows] == events
    found = verify(opened)
    assert (found.logs, found.events, found.findings) == (1, 6, [])


def test_what_was_changed_forged_or_anothers_is_refused(opened: Database, tmp_path: Path) -> None:
    events = log_of(tmp_path / "one")
    log = events[0].hash
    receive(opened, 1, log, events[:3])
    with pytest.raises(BadInput, match="hall-not-its-log"):
        receive(opened, 2, log, events[3:])
    forged = events[3]._replace(text=json.dumps({"n": 99}))
    assert receive(opened, 1, log, [forged]) == Acknowledged(3, 4)
    assert receive(opened, 1, log, events[3:]) == Acknowledged(3, 4)  # from then on nothing of it is taken
    assert [(one.number, one.place, one.why) for one in reports.refusals(opened)] == [(4, 1, "seal")]
    assert [one.code for one in verify(opened).findings] == ["hall.refused"]


def test_another_story_of_what_is_kept_is_refused(opened: Database, tmp_path: Path) -> None:
    events = log_of(tmp_path / "one")
    log = events[0].hash
    receive(opened, 1, log, events)
    other = events[1]._replace(hash="0" * 64)
    assert receive(opened, 1, log, [other]) == Acknowledged(6, 2)
    assert reports.refusals(opened)[0].why == "otherwise"


def test_a_change_in_the_database_shows(opened: Database, tmp_path: Path) -> None:
    events = log_of(tmp_path / "one")
    receive(opened, 1, events[0].hash, events)
    with opened.transaction() as transaction:
        transaction.execute("UPDATE events SET data = '{}' WHERE number = 4")
    assert [(one.number, one.code) for one in verify(opened).findings] == [(4, "chain.broken")]


@pytest.mark.parametrize("odd", [0, -1, True, "4", None, 1 << 60])
def test_reports_that_make_no_sense_are_refused(opened: Database, tmp_path: Path, odd: object) -> None:
    events = log_of(tmp_path / "one", 2)
    with pytest.raises(BadInput, match="hall-odd-report"):
        receive(opened, 1, events[0].hash, [events[0]._replace(number=odd)])  # type: ignore[arg-type]


def test_commands_have_numbers_of_their_own_table(opened: Database) -> None:
    assert [reports.command(opened, place, "Ann", "hints", "{}") for place in (1, 2, 1)] == [1, 1, 2]
    assert [one.number for one in reports.commands(opened, 1, 1)] == [2]
    assert reports.newest_commands(opened) == {1: 2, 2: 1}


def test_a_hall_of_a_newer_companion_is_refused(database: str) -> None:
    opened = open_database(database)
    with opened.transaction() as transaction:
        transaction.execute("UPDATE hall SET version = 99")
    opened.close()
    with pytest.raises(BadInput, match="hall-newer"):
        open_database(database)


def test_what_tables_signed_is_held_against_their_logs(opened: Database, tmp_path: Path) -> None:
    heads = []
    with open_store(tmp_path / "one") as store:
        store.new_game(START, "person")
        sealer = Sealer(store)
        for n in range(4):
            store.append(1, "note", {"n": n})
            heads.append(sealer.sign())
        events = store.sealed(0, 1000)
    first, *_, last = (head for head in heads if head)
    log = events[0].hash
    receive(opened, 1, log, events[:4])
    reports.store_head(opened, 1, log, first.text())
    for place, text in ((2, first.text()), (1, last.text()), (1, first.text()[:-3] + "AAA"), (1, "")):
        with pytest.raises(BadInput):  # another table, ahead of its events, forged, nothing
            reports.store_head(opened, place, log, text)
    receive(opened, 1, log, events)
    reports.store_head(opened, 1, log, last.text())
    reports.store_head(opened, 1, log, last.text())
    assert reports.heads(opened, log) == [first, last]
    found = verify(opened, [last])
    assert (found.heads, found.findings) == (2, [])
    with opened.transaction() as transaction:  # somebody takes the end away, and makes it look whole
        transaction.execute("DELETE FROM events WHERE number > 3")
        transaction.execute("UPDATE logs SET have = 3, seal = :seal", seal=events[2].hash)
    assert [(one.number, one.code) for one in verify(opened).findings] == [(last.number, "hall.head.truncated")]
    with opened.transaction() as transaction:  # and what was signed: a slip of paper still tells
        transaction.execute("DELETE FROM heads WHERE number > 3")
    assert verify(opened).findings == []
    assert [one.code for one in verify(opened, [last]).findings] == ["hall.head.truncated"]
    with open_store(tmp_path / "other") as store:
        store.new_game(START, "person")
        other = Sealer(store).sign()
    assert other
    assert [one.code for one in verify(opened, [other]).findings] == ["hall.head.nobody"]
