"""The log: what was acknowledged is there, whatever happens; what was changed shows; nothing foreign is touched."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import companion.store as store_module
from companion.errors import BadInput
from companion.events import Event, fold
from companion.messages import say_bad
from companion.record import read_record
from companion.store import Finding, NewEvent, Store, open_store, read_store
from companion.store_file import MIGRATIONS, VERSION

ROOT = Path(__file__).parent.parent
START = {"game": "six-faces", "options": {}, "setup": {}, "moves": []}
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits, users and signals")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path) as opened:
        yield opened


def filled(folder: Path, count: int = 8) -> Path:
    """A file with a game, pictures among its events; closed."""
    with open_store(folder) as store:
        game = store.new_game(START, "person")
        for n in range(count - 1):
            store.append(game, "verdict", {"verdict": "same", "n": n}, b"\xff\xd8 picture %d" % n if n % 2 else None)
    return folder / "table.sqlite"


def refusal(folder: Path, code: str) -> BadInput:
    """Opening to write is refused so, and says so in one line that names the file, in both languages."""
    with pytest.raises(BadInput) as bad:
        open_store(folder)
    assert bad.value.code == code
    said = {say_bad(bad.value, language) for language in ("en", "fr")}
    assert len(said) == 2
    assert all(str(folder) in line and "\n" not in line for line in said)
    return bad.value


def child(script: str, *arguments: object, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, **more)


# --- what is written can be read


def test_events_come_back_as_they_were_given(store: Store, tmp_path: Path) -> None:
    data = {"text": "é\ud800\n", "list": [1, 2.5, None, True], "deep": {"z": 1, "a": 2}}
    assert store.new_game(START, "person") == 1
    given = store.append(1, "note", data, b"jpeg")
    assert given.data.pop("picture") == store_module._hash(b"jpeg")
    assert given.data == data
    assert list(given.data["deep"]) == ["z", "a"]
    assert store.committed == given.number == 2
    assert store.new_game(START, "camera") == 2
    store.close()
    with open_store(tmp_path) as again:
        assert [(e.number, e.game, e.kind) for e in again.events()] == [(1, 1, "new"), (2, 1, "note"), (3, 2, "new")]
        assert again.events(after=2) == again.events(game=2)
        assert again.events(kinds=["note"])[0].hash == given.hash
        assert (again.picture(1), again.picture(2), again.committed) == (None, b"jpeg", 3)
        assert again.new_game(START, "person") == 3


def test_several_events_come_at_once_or_not_at_all(store: Store) -> None:
    with pytest.raises(TypeError):
        store.append_all([NewEvent(1, "note", {}), NewEvent(1, "note", {"n": object()})])
    assert [e.number for e in store.append_all([NewEvent(1, "note", {"n": n}) for n in range(5)])] == [1, 2, 3, 4, 5]
    assert store.committed == 5
    assert store.verify().findings == []


def test_events_can_be_neither_changed_nor_deleted(store: Store, tmp_path: Path) -> None:
    store.append(1, "note", {}, b"jpeg")
    raw = sqlite3.connect(tmp_path / "table.sqlite")
    for change in ("UPDATE events SET kind = 'x'", "DELETE FROM events", "UPDATE pictures SET jpeg = 'x'"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            raw.execute(change)
    raw.close()


# --- games and records

MOVES = st.lists(st.text("abc12-", min_size=1, max_size=5), max_size=3)
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("move"), MOVES),
        st.tuples(st.just("stood"), st.text("xyz", max_size=3)),
        st.tuples(st.just("settle"), st.tuples(st.integers(0, 30), st.text("pq", max_size=3))),
        st.tuples(st.just("back"), st.integers(0, 5)),
        st.tuples(st.just("result"), st.sampled_from([None, "agreed", "resigned"])),
        st.tuples(st.just("over"), st.just("king-taken")),
        st.tuples(st.just("camera"), st.none()),
    ),
    max_size=30,
)


@settings(max_examples=300, deadline=None)
@given(EVENTS)
def test_a_fold_is_what_a_plain_list_would_be(drawn: list[tuple[str, Any]]) -> None:
    moves: list[Any] = []
    result = ended = None
    events = [Event(1, 1, 0.0, "new", {"record": START}, "")]
    for kind, value in drawn:
        data: dict[str, Any] = {}
        if kind == "move":
            data, moves = {"moves": value, "by": "camera"}, [*moves, *value]
        elif kind == "stood":
            entry = {"stood": {"rows": []}, "to_move": "white", "note": value}
            data, moves = {"entry": entry, "by": "person"}, [*moves, entry]
        elif kind == "settle":
            if not moves:
                continue
            at = value[0] % len(moves)
            data, moves = {"at": at, "move": value[1]}, [*moves[:at], value[1], *moves[at + 1 :]]
        elif kind == "back":
            data, moves = {"count": value}, [move for n, move in enumerate(moves) if n < len(moves) - value]
            result = ended = None
        elif kind == "result":
            data = {"winner": "white" if value else None, "why": value}
            result = ended = data if value else None
        elif kind == "over":
            data = ended = {"winner": "red", "draw": False, "why": value, "scores": {"red": 1}}
        events.append(Event(len(events) + 1, 1, 0.0, kind, data, ""))
    kept = fold(events)
    assert (kept.record, kept.ended) == ({**START, "moves": moves, **({"result": result} if result else {})}, ended)
    assert [ply.entry for ply in kept.plies()] == moves
    assert START["moves"] == []


def test_a_record_is_read_by_the_rules_and_open_games_are_known(store: Store) -> None:
    first = store.new_game({**START, "about": {"white": "Ann"}}, "person")
    store.append(first, "move", {"moves": ["b1-b2", "b8-b7"], "by": "camera"})
    store.append(first, "back", {"count": 1, "by": "person"})
    store.append(first, "camera", {"code": "lost"})
    second = store.new_game({"game": "hepta", "moves": ["#a1"]}, "person")
    over = {"winner": "first", "draw": False, "why": "most-pieces", "scores": {"first": 3, "second": 2}}
    store.append(second, "over", over)
    store.append(0, "camera", {"code": "lost"})
    one, two = store.games()
    assert (one.id, one.game, one.moves, one.result, one.about) == (1, "six-faces", 1, None, {"white": "Ann"})
    assert (two.id, two.game, two.moves, two.result, two.about) == (2, "hepta", 1, over, None)
    assert one.began <= one.last <= two.began <= two.last
    assert store.record(first) == {**START, "moves": ["b1-b2"], "about": {"white": "Ann"}}
    store.append(first, "result", {"winner": "red", "why": "resigned", "by": "person"})
    store.append(second, "back", {"count": 1, "by": "person"})
    assert [summary.result for summary in store.games()] == [{"winner": "red", "why": "resigned"}, None]
    for game in (first, second):
        assert len(read_record(json.dumps(store.record(game))).moves) == len(store.record(game)["moves"])
    assert list(store.record(first)) == ["game", "options", "setup", "moves", "result", "about"]
    store.append(first, "result", {"winner": None, "why": None})
    assert "result" not in store.record(first)
    for game in (0, 3, -1):
        with pytest.raises(BadInput) as bad:
            store.record(game)
        assert bad.value.code == "no-game"


def test_an_event_that_makes_no_sense_is_named(store: Store) -> None:
    game = store.new_game(START, "person")
    store.append(game, "settle", {"at": 3, "move": "b1-b2"})
    with pytest.raises(BadInput) as bad:
        store.record(game)
    assert (bad.value.code, bad.value.params) == ("store-odd-event", {"number": 2})
    store.new_game(START, "person")
    assert [summary.result and summary.result["why"] for summary in store.games()] == ["odd", None]


# --- the chain


def tamper(file: Path, change: str, *values: object) -> None:
    raw = sqlite3.connect(file)
    raw.execute("PRAGMA synchronous = OFF")
    for trigger in ("events_stay", "events_stand", "pictures_stand"):
        raw.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    assert raw.execute(change, values).rowcount == 1
    raw.commit()
    raw.close()


def found(folder: Path) -> list[Finding]:
    with read_store(folder) as store:
        return store.verify().findings


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("whole"))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_changed_byte_of_any_event_shows(whole: Path, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(whole, folder)
        number = data.draw(st.integers(1, 8))
        column = data.draw(st.sampled_from(["number", "game", "at", "kind", "data", "hash"]))
        raw = sqlite3.connect(folder / "table.sqlite")
        (value,) = raw.execute(f"SELECT {column} FROM events WHERE number = ?", (number,)).fetchone()
        raw.close()
        changed: object
        if isinstance(value, str):
            text = bytearray(value.encode())
            text[data.draw(st.integers(0, len(text) - 1))] ^= data.draw(st.integers(1, 255))
            tamper(
                folder / "table.sqlite", f"UPDATE events SET {column} = CAST(? AS TEXT) WHERE number = ?", text, number
            )
        else:
            changed = value + data.draw(st.sampled_from([1e-3, 1.0, -7.0] if column == "at" else [8, 100, -30]))
            tamper(folder / "table.sqlite", f"UPDATE events SET {column} = ? WHERE number = ?", changed, number)
        first = found(folder)[0]
        assert first.code in ("chain.broken", "chain.gap")
        assert first.number in (number, 1)  # a number below 1 comes before all others


def test_what_is_taken_out_or_put_in_shows(tmp_path: Path) -> None:
    file = filled(tmp_path)
    assert found(tmp_path) == []
    tamper(file, "DELETE FROM pictures WHERE number = 3")
    assert found(tmp_path) == [Finding(3, "picture.gone")]
    tamper(file, "INSERT INTO pictures VALUES (4, 'x')")
    assert found(tmp_path) == [Finding(4, "picture.changed"), Finding(3, "picture.gone")]
    tamper(file, "UPDATE pictures SET jpeg = ? WHERE number = 5", b"another")
    assert Finding(5, "picture.changed") in found(tmp_path)
    tamper(file, "INSERT INTO events VALUES (9, 1, 2.0, 'move', '{}', ?)", "0" * 64)
    assert found(tmp_path)[0] == Finding(9, "chain.broken")
    tamper(file, "DELETE FROM events WHERE number = 2")
    assert found(tmp_path)[0] == Finding(2, "chain.gap")


def test_pictures_can_be_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    jpeg = Random(1).randbytes(300_000)
    store.append(1, "verdict", {}, jpeg)
    store.append(1, "verdict", {}, jpeg[::-1])
    now = time.time()
    monkeypatch.setattr(store_module.time, "time", lambda: now + 3 * 86_400)
    store.append(1, "verdict", {}, b"young")
    assert store.forget_pictures(5) == 0
    assert store.forget_pictures(2) == 2
    assert [store.picture(n) for n in (1, 2, 3)] == [None, None, b"young"]
    check = store.verify()
    assert (check.events, check.pictures, check.forgotten, check.findings) == (
        4,
        1,
        2,
        [],
    )  # that they are gone is kept
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert jpeg[1000:1100] not in left
    assert len(left) < 200_000
    assert store.forget_pictures(0) == 1


# --- what is refused


def test_a_second_copy_is_refused_and_readers_are_not(store: Store, tmp_path: Path) -> None:
    store.new_game(START, "person")
    assert refusal(tmp_path, "store-in-use").params == {"pid": str(os.getpid())}
    script = """
import sys
from companion.errors import BadInput
from companion.store import open_store, read_store
try:
    open_store(sys.argv[1])
except BadInput as bad:
    print(bad.code, bad.params["pid"], len(read_store(sys.argv[1]).games()))
"""
    with child(script, tmp_path) as other:
        assert other.communicate()[0].split() == ["store-in-use", str(os.getpid()), "1"]
    with open_store(tmp_path, "garden") as another:  # one lock a table
        assert another.trouble is None
    store.close()
    open_store(tmp_path).close()


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    file = filled(tmp_path)
    raw = sqlite3.connect(file)
    raw.execute(f"PRAGMA user_version = {VERSION + 1}")
    raw.close()
    before = file.read_bytes()
    refusal(tmp_path, "store-newer")
    with pytest.raises(BadInput, match="store-newer"):
        read_store(tmp_path)
    assert file.read_bytes() == before


# --- files of former companions


def former(folder: Path, version: int) -> Path:
    """A file as the companion of that version wrote it."""
    file = folder / "table.sqlite"
    raw = sqlite3.connect(file)
    raw.executescript((ROOT / f"tests/stores/version-{version}.sql").read_text())
    raw.close()
    return file


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_file_of_every_version_is_gone_on_with(version: int, tmp_path: Path) -> None:
    former(tmp_path, version)
    with read_store(tmp_path) as store:
        assert store.verify()[:4] == (10, 1, 1, 0)
    with open_store(tmp_path) as store:
        kept = store.game(1)
        assert kept.record == {
            **START,
            "moves": ["b1-b2", "b8-b7"],
            "result": {"winner": "red", "why": "resigned"},
            "about": {"players": ["Ann", "Bob"]},
        }
        assert kept.ended == {"winner": "red", "why": "resigned"}
        assert [(ply.entry, ply.by, ply.picture) for ply in kept.plies()] == [
            ("b1-b2", "camera", 3),
            ("b8-b7", "person", None),
        ]
        assert (kept.paused, kept.computer, kept.hints) == (
            True,
            {"red": 2},
            {"on": True, "locked": True, "by": "referee"},
        )
        assert [turned["do"] for turned in kept.clocks] == ["set"]
        assert kept.began < kept.last == store.events()[-1].at
        assert store.picture(3) == b"\xff\xd8 a picture"
        assert store.new_game(START, "person") == 2
        assert store.verify().findings == []


def test_every_former_version_has_its_step() -> None:
    assert sorted(MIGRATIONS) == list(range(1, VERSION))


def version_of(file: Path) -> int:
    raw = sqlite3.connect(file)
    found: int = raw.execute("PRAGMA user_version").fetchone()[0]
    raw.close()
    return found


def steps_to(version: int, monkeypatch: pytest.MonkeyPatch, **steps: Any) -> None:
    """A companion of the future, which writes this version, and its steps by the version that each begins with."""
    monkeypatch.setattr("companion.store_file.VERSION", version)
    monkeypatch.setattr("companion.store_file.MIGRATIONS", {int(name[1:]): step for name, step in steps.items()})


def add_index(disk: sqlite3.Connection) -> None:
    disk.execute("CREATE INDEX events_by_kind ON events (kind)")


def add_table(disk: sqlite3.Connection) -> None:
    disk.execute("CREATE TABLE notes AS SELECT name FROM sqlite_master WHERE name = 'events_by_kind'")


def test_an_older_file_is_brought_up_to_date_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = former(tmp_path, 1)
    before = file.read_bytes()
    steps_to(3, monkeypatch, _1=add_index, _2=add_table)
    with read_store(tmp_path) as store:  # who only looks changes nothing
        assert store._query("SELECT name FROM notes") == [("events_by_kind",)]
        assert store.verify()[:4] == (10, 1, 1, 0)
    assert file.read_bytes() == before
    with open_store(tmp_path) as store:
        assert store._query("SELECT name FROM notes") == [("events_by_kind",)]
        assert store.append(1, "note", {}).number == store.committed == 11
        assert store.verify().findings == []
    assert version_of(file) == 3
    with open_store(tmp_path) as store:  # nothing more is to be done
        assert store.committed == 11


def test_a_file_is_never_called_what_it_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version without the step to it, or a step that fails: all stays as it was."""
    file = former(tmp_path, 1)

    def fails(disk: sqlite3.Connection) -> None:
        disk.execute("CREATE TABLE half (done)")
        raise sqlite3.OperationalError("no")

    for steps, refusal in (({}, KeyError), ({"_1": fails}, BadInput), ({"_1": add_index}, KeyError)):
        steps_to(3, monkeypatch, **steps)
        with pytest.raises(refusal):
            open_store(tmp_path)
        with pytest.raises(refusal):
            read_store(tmp_path)
        assert version_of(file) == 1
    monkeypatch.undo()
    with open_store(tmp_path) as store:
        assert store._query("SELECT name FROM sqlite_master WHERE name IN ('half', 'events_by_kind')") == []


# --- damaged files, and files of others


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda whole: Random(1).randbytes(5000), "store-foreign"),
        (lambda whole: b"Some notes of mine.\n" * 60, "store-foreign"),
        (lambda whole: b"x", "store-foreign"),
        (lambda whole: whole[:300], "store-corrupt"),
        (lambda whole: whole[: len(whole) // 2], "store-corrupt"),
        (lambda whole: whole[:4096], "store-corrupt"),
        (lambda whole: whole[:4096] + bytes(len(whole) - 4096), "store-corrupt"),
        (lambda whole: whole[:5000] + Random(2).randbytes(len(whole) - 5000), "store-corrupt"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_and_left_alone(
    damage: Any, code: str, whole: Path, tmp_path: Path
) -> None:
    file = tmp_path / "table.sqlite"
    file.write_bytes(damage(whole.read_bytes()))
    before = file.read_bytes()
    refusal(tmp_path, code)
    assert file.read_bytes() == before
    file.unlink()
    open_store(tmp_path).close()  # the refused one holds no lock


def test_anothers_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    raw = sqlite3.connect(tmp_path / "table.sqlite")
    raw.execute("CREATE TABLE events (mine)")
    raw.close()
    before = (tmp_path / "table.sqlite").read_bytes()
    refusal(tmp_path, "store-foreign")
    assert (tmp_path / "table.sqlite").read_bytes() == before
    (tmp_path / "table.sqlite").unlink()
    (tmp_path / "table.sqlite").mkdir()
    refusal(tmp_path, "store-foreign")


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    """A companion that was killed at its very first step leaves one."""
    (tmp_path / "table.sqlite").touch()
    assert read_store(tmp_path).games() == []
    with open_store(tmp_path) as store:
        assert store.new_game(START, "person") == store.committed == 1


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_brings_anything_but_a_refusal(whole: Path, data: st.DataObject) -> None:
    damaged = bytearray(whole.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at] = data.draw(st.integers(0, 255))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "table.sqlite").write_bytes(damaged)

        def write() -> None:
            with open_store(folder) as store:
                store.append(1, "note", {})

        def read() -> None:
            with read_store(folder) as store:
                store.games()
                store.record(1)

        for use in (lambda: read_store(folder).verify(), read, write):
            with suppress(BadInput):
                use()


# --- disks that fail


def test_a_folder_that_cannot_be_made_keeps_the_game_in_memory(tmp_path: Path) -> None:
    stone = tmp_path / "stone"
    stone.write_text("in the way")
    with open_store(stone / "data") as store:
        assert store.trouble is not None
        assert store.trouble.code == "store-unwritable"
        assert str(stone) in say_bad(store.trouble, "en")
        game = store.new_game(START, "person")
        store.append(game, "move", {"moves": ["b1-b2"], "by": "camera"}, b"jpeg")
        assert (store.committed, store.retry(), store.picture(2)) == (0, False, b"jpeg")
        assert store.record(game)["moves"] == ["b1-b2"]
        assert [summary.moves for summary in store.games()] == [1]
        stone.unlink()
        assert store.retry()
        assert (store.committed, store.trouble) == (2, None)
        assert store.append(game, "note", {}).number == store.committed == 3
        assert refusal(stone / "data", "store-in-use")
    with open_store(stone / "data") as again:
        assert again.record(game)["moves"] == ["b1-b2"]
        assert (again.picture(2), again.verify().findings) == (b"jpeg", [])


def test_a_file_that_goes_away_is_noticed(store: Store, tmp_path: Path) -> None:
    store.append(1, "note", {})
    (tmp_path / "table.sqlite").rename(tmp_path / "elsewhere")
    (tmp_path / "table.sqlite").mkdir()
    store.append(1, "note", {"n": 2})
    assert store.trouble is not None
    assert store.trouble.code == "store-gone"
    assert (store.committed, len(store.events())) == (1, 2)
    (tmp_path / "table.sqlite").rmdir()
    (tmp_path / "elsewhere").rename(tmp_path / "table.sqlite")
    assert store.retry()
    assert store.verify()[:1] == (2,)


def test_games_that_turn_up_later_are_not_mixed_with_ours(tmp_path: Path) -> None:
    """A folder on a stick that is plugged in after the start."""
    filled(tmp_path / "stick")
    (tmp_path / "data").write_text("in the way")
    with open_store(tmp_path / "data") as store:
        store.new_game(START, "person")
        (tmp_path / "data").unlink()
        (tmp_path / "stick").rename(tmp_path / "data")
        assert not store.retry()
        assert store.trouble is not None
        assert store.trouble.code == "store-other"
        assert [(summary.id, summary.moves) for summary in store.games()] == [(1, 0)]
        assert [event.number for event in store.events()] == [1]
    assert len(read_store(tmp_path / "data").events()) == 8


def test_another_program_that_writes_is_waited_for(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store._connection.execute("PRAGMA busy_timeout = 20")  # type: ignore[union-attr]
    raw = sqlite3.connect(tmp_path / "table.sqlite", isolation_level=None)
    raw.execute("BEGIN IMMEDIATE")
    store.append(1, "note", {})
    assert store.trouble is not None
    assert store.trouble.code == "store-busy"
    raw.execute("ROLLBACK")
    raw.close()
    store.append(1, "note", {})
    assert (store.committed, store.trouble) == (2, None)


def test_a_commit_that_failed_only_seemingly_is_not_repeated(store: Store) -> None:
    """The disk said no, but the event had come through: it is known again by its hash."""
    row = store._sealed(NewEvent(1, "note", {}), "{}")
    store._connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", row)  # type: ignore[union-attr]
    store.append(1, "note", {})
    assert (store.committed, store.trouble) == (2, None)
    assert store.verify().findings == []


FULL = """
import resource, sys
from companion.store import open_store
sizes = [int(size) for size in sys.argv[2:]]
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (sizes[0], hard))
store = open_store(sys.argv[1])
game = store.new_game({"game": "six-faces"}, "person")
for n in range(40):
    store.append(game, "move", {"moves": [str(n)], "by": "camera"}, bytes([n]) * 10_000)
trouble, safe, moves = store.trouble and store.trouble.code, store.committed, len(store.record(game)["moves"])
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
print(trouble, safe, moves, store.retry(), store.committed, store.trouble)
"""


@posix
@pytest.mark.parametrize("room", [0, 5_000, 40_000, 200_000])
def test_a_full_disk_keeps_the_game_in_memory(tmp_path: Path, room: int) -> None:
    with child(FULL, tmp_path, room) as process:
        trouble, safe, moves, *after = process.communicate()[0].split()
    assert trouble in ("store-full", "store-unwritable")
    assert int(safe) < 41
    assert room < 200_000 or int(safe) > 1
    assert moves == "40"
    assert after == ["True", "41", "None"]
    with open_store(tmp_path) as store:
        assert store.record(1)["moves"] == [str(n) for n in range(40)]
        assert store.verify()[2:] == (40, 0, [])


READ_ONLY = """
import os, sys
from companion.messages import catalogue, say_bad, speaker
from companion.store import open_store, read_store
words = [catalogue("en", section) for section in ("BAD", "TERMS")]  # read while everything may be read
if os.geteuid() == 0:  # who may do everything cannot show what happens to those who may not
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
print(len(read_store(sys.argv[1]).events()))
store = open_store(sys.argv[1])
print(store.trouble.code, store.committed)
store.append(1, "move", {"moves": ["b1-b2"], "by": "camera"})
print(store.trouble.code, store.committed, len(store.events()), len(store.record(1)["moves"]))
print(say_bad(store.trouble, "en"))
"""


@posix
@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o644), (0o777, 0o444), (0o555, 0o444)])
def test_a_read_only_folder_or_file_keeps_the_game_in_memory(folder_mode: int, file_mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = filled(folder).read_bytes()
        (folder / "table.lock").unlink()
        (folder / "table.sqlite").chmod(file_mode)
        folder.chmod(folder_mode)
        with child(READ_ONLY, folder) as process:
            lines = process.communicate()[0].splitlines()
        folder.chmod(0o755)
        assert lines[:3] == ["8", "store-unwritable 8", "store-unwritable 8 9 1"]
        assert "memory" in lines[3]
        assert (folder / "table.sqlite").read_bytes() == before


@posix
def test_a_folder_that_may_not_be_entered_gets_one_line() -> None:
    script = READ_ONLY.replace(
        "print(len(read_store(sys.argv[1]).events()))",
        """
try:
    read_store(sys.argv[1])
except Exception as bad:
    print(bad.code)
""",
    )
    with tempfile.TemporaryDirectory() as name:
        filled(Path(name))
        Path(name).chmod(0)
        with child(script, name, stderr=subprocess.PIPE) as process:
            lines = process.communicate()[0].splitlines()
        Path(name).chmod(0o755)
        assert lines == ["cannot-open", "store-unwritable 0"]  # and it knows no game 1 to go on with


# --- killed, and used by many

WRITER = """
import sys
from companion.store import NewEvent, open_store
store = open_store(sys.argv[1])
if not store.games():
    store.new_game({"game": "six-faces"}, "person")
while True:
    store.append(1, "move", {"moves": ["b1-b2"], "by": "camera"}, b"jpeg" * 3000)
    print(store.committed, flush=True)
    last = store.append_all([NewEvent(1, "verdict", {"n": n}) for n in range(3)])[-1]
    if store.trouble is None:
        print(last.number, flush=True)
"""


def killed_at_random(folder: Path, times: int) -> None:
    chance = Random(times)
    for _ in range(times):
        with child(WRITER, folder) as process:
            if chance.random() < 0.7:  # else while it starts
                assert process.stdout is not None
                process.stdout.readline()
            time.sleep(chance.uniform(0, 0.15))
            process.send_signal(signal.SIGKILL)
            acknowledged = process.communicate()[0].split("\n")[:-1]  # what was cut off was not said
        with open_store(folder) as store:
            check = store.verify()
            assert check.findings == []
            assert check.events == store.committed >= max(map(int, acknowledged), default=0)
            moves = len(store.record(1)["moves"]) if store.games() else 0
            assert check.pictures == moves
            # three verdicts follow each move but perhaps the last: what was appended at once is there whole
            verdicts = [event.data["n"] for event in store.events(kinds=["verdict"])]
            assert verdicts == [0, 1, 2] * (len(verdicts) // 3)


@posix
def test_kill_minus_nine_loses_nothing_acknowledged(tmp_path: Path) -> None:
    killed_at_random(tmp_path, 10)
    assert read_store(tmp_path).verify().events > 10


@posix
@pytest.mark.soak
def test_kill_minus_nine_fifty_times(tmp_path: Path) -> None:
    killed_at_random(tmp_path, 50)


def test_readers_see_a_whole_log_while_it_grows(store: Store, tmp_path: Path) -> None:
    """Threads of the same process, and another process (here another connection)."""
    done = threading.Event()
    seen: list[int] = []
    wrong: list[object] = []

    def watch(of: Any) -> None:
        last = 0
        while not done.is_set():
            with of() as reader:
                check = reader.verify()
                events = reader.events(after=last)
                if (
                    check.findings
                    or check.events < last
                    or [e.number for e in events] != list(range(last + 1, last + 1 + len(events)))
                ):
                    wrong.append(check)
                last += len(events)
        seen.append(last)

    class Shared:  # the store itself, which a reader must not close
        def __enter__(self) -> Store:
            return store

        def __exit__(self, *_: object) -> None: ...

    threads = [threading.Thread(target=watch, args=(of,)) for of in (Shared, Shared, lambda: read_store(tmp_path))]
    for thread in threads:
        thread.start()
    for n in range(60):
        store.append(1, "note", {"n": n}, b"jpeg" * 2000 if n % 3 == 0 else None)
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(seen) == 3
    assert max(seen) > 0
    assert store.verify().events == store.committed == 60
