"""Evidence that a cheat cannot undo: heads that somebody kept, held against a log that was tampered with."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import time
import zipfile
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from companion.errors import BadInput
from companion.sealing import FORMAT, Head, Sealer, kept_heads, read_head, read_heads, to_words
from companion.store import GENESIS, Store, open_store, read_store, seal_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table with two games that ended, a head at each end."""
    with open_store(tmp_path) as store:
        for winner in ("white", "red"):
            play(store, winner)
    return tmp_path


def play(store: Store, winner: str) -> None:
    number = store.new_game({"game": "six-faces"}, "person")
    for n in range(5):
        store.append(number, "move", {"moves": [str(n)], "by": "camera"}, b"jpeg" * 10)
    store.append(number, "result", {"winner": winner, "why": "resigned", "by": "player"})
    Sealer(store).sign()


def tamper(folder: Path, *statements: str) -> None:
    with sqlite3.connect(folder / "table.sqlite") as raw:
        for trigger in ("events_stay", "events_stand"):
            raw.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for statement in statements:
            raw.execute(statement)
    raw.close()


def rewrite(folder: Path, old: str, new: str) -> None:
    """The whole chain written anew, each event sealed to the one before it, as the companion does."""
    with sqlite3.connect(folder / "table.sqlite") as raw:
        raw.execute("DROP TRIGGER IF EXISTS events_stand")
        before = GENESIS
        for number, game, at, kind, data in raw.execute("SELECT number, game, at, kind, data FROM events").fetchall():
            data = data.replace(old, new)
            before = seal_of(number, before, game, at, kind, data)
            raw.execute("UPDATE events SET data = ?, hash = ? WHERE number = ?", (data, before, number))
    raw.close()


def verified(folder: Path, capsys: pytest.CaptureFixture[str], *heads: str) -> tuple[int, list[tuple[int, str]]]:
    given = [part for head in heads for part in ("--head", head)]
    status = main(["verify", "--data", str(folder), "--json", *given])
    told = json.loads(capsys.readouterr().out)
    return status, [(one["event"], one["code"]) for one in told["findings"]]


def kept(folder: Path) -> list[str]:
    """What somebody has copied; the cheat takes the table's own away."""
    heads = [head.text() for head in kept_heads(folder / "table.sqlite")]
    (folder / "table.heads").unlink()
    return heads


def test_a_log_as_it_was_agrees_with_its_heads(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heads = kept(folder)
    assert len(heads) == 2
    assert verified(folder, capsys, *heads) == (0, [])
    assert verified(folder, capsys) == (0, [])


def test_a_missing_end_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(folder, "DELETE FROM pictures WHERE number > 12", "DELETE FROM events WHERE number > 12")
    assert verified(folder, capsys) == (1, [(13, "head.truncated")])  # by the heads beside it
    first, second = kept(folder)
    assert verified(folder, capsys) == (0, [])  # the chain alone cannot know
    assert verified(folder, capsys, second) == (1, [(13, "head.truncated")])
    assert verified(folder, capsys, first) == (0, [])


def test_an_older_copy_is_found(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = tmp_path_factory.mktemp("copy")
    with open_store(folder) as store:
        play(store, "white")
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    with open_store(folder) as store:
        play(store, "red")
    head = kept_heads(folder / "table.sqlite")[-1].text()
    assert verified(copy, capsys, head) == (1, [(22, "head.truncated")])


def test_a_chain_written_anew_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The winner of the second game is flipped, and everything sealed again."""
    heads = kept(folder)
    rewrite(folder, '"winner":"red"', '"winner":"white"')
    assert verified(folder, capsys) == (0, [])
    assert verified(folder, capsys, *heads) == (1, [(8, "head.rewritten")])  # the first game still stands
    assert verified(folder, capsys, heads[1]) == (1, [(1, "head.rewritten")])


def test_a_picture_that_was_taken_away_is_not_called_forgotten(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_store(folder) as store:
        store.forget_pictures(0)
        store.append(1, "verdict", {}, b"another")
        last = store.last
    assert verified(folder, capsys) == (0, [])
    tamper(folder, f"DELETE FROM pictures WHERE number = {last}")
    assert verified(folder, capsys) == (1, [(last, "picture.gone")])


def test_a_head_is_signed_and_nobody_elses(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = kept_heads(folder / "table.sqlite")[-1]
    assert read_head(head.text()) == head
    for forged in (
        head._replace(number=3),
        head._replace(hash="00" * 32),
        head._replace(at=5),
        head._replace(key=bytes(32)),
    ):
        with pytest.raises(BadInput, match="head-unsigned"):
            read_head(forged.text())
    for odd in ("", FORMAT, f"{FORMAT}.a.b.c.d.e", head.text()[:-2], head.text() + ".", "bc-head-9" + head.text()[9:]):
        with pytest.raises(BadInput, match="not-a-head"):
            read_head(odd)
    assert main(["verify", "--data", str(folder), "--head", "nonsense"]) == 2
    assert "signed head" in capsys.readouterr().err


def test_words_can_be_read_aloud_and_tell_heads_apart(folder: Path) -> None:
    heads = kept_heads(folder / "table.sqlite")
    words = {head.words() for head in heads} | {to_words(str(n)) for n in range(1000)}
    assert len(words) == 1002
    assert all(len(word) == 5 for some in words for word in some.split("-"))


def test_the_words_alone_show_that_something_is_gone(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    older = tmp_path_factory.mktemp("older")
    shutil.copytree(folder, older, dirs_exist_ok=True)
    with open_store(folder) as store:
        play(store, "white")
    words = kept_heads(folder / "table.sqlite")[-1].words()
    for written in (words, words.upper(), words.replace("-", " "), f"Seal: {words}"[6:]):
        assert verified(folder, capsys, written) == (0, [])
    assert verified(older, capsys, words) == (1, [(1, "head.unheard")])
    tamper(folder, "DELETE FROM pictures WHERE number > 15", "DELETE FROM events WHERE number > 15")
    assert verified(folder, capsys, words) == (1, [(16, "head.truncated")])
    kept(folder)
    assert verified(folder, capsys, words) == (1, [(1, "head.unheard")])
    assert main(["verify", "--data", str(folder), "--head", "one two three four"]) == 2
    assert "signed head" in capsys.readouterr().err


def test_an_exported_record_carries_the_head(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    assert main(["export", "1", "--data", str(folder), "-o", str(file)]) == 0
    assert read_heads(file.read_text())[0].number == 14
    tamper(folder, "DELETE FROM pictures WHERE number > 2", "DELETE FROM events WHERE number > 2")
    (folder / "table.heads").unlink()
    assert verified(folder, capsys, str(file)) == (1, [(3, "head.truncated")])


def test_keys_and_logs_are_for_their_owner_only(folder: Path) -> None:
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
    assert len((folder / "table.key").read_bytes()) == 32


def test_a_folder_that_cannot_be_written_signs_nothing_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with open_store(tmp_path / "file" / "games") as store:
        store.append(1, "verdict", {})
        assert Sealer(store).sign() is None


def test_a_head_of_another_table_proves_nothing_and_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    with open_store(other) as store:
        play(store, "red")
    head = kept(other)[0]
    assert verified(folder, capsys, head) == (1, [(8, "head.other")])  # after its own first


# --- copies


def test_a_copy_brings_everything_back(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    away = tmp_path_factory.mktemp("away")
    file, again = away / "club.zip", away / "again"
    assert main(["backup", str(file), "--data", str(folder)]) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["restore", str(file), "--data", str(again)]) == 0
    assert "14 events of 2 games and 10 pictures" in capsys.readouterr().out
    assert {name: (again / name).read_bytes() for name in ("table.key", "table.heads")} == {
        name: (folder / name).read_bytes() for name in ("table.key", "table.heads")
    }
    assert read_store(again).events() == read_store(folder).events()
    with open_store(again) as store:  # and one goes on with it
        play(store, "white")
    # a copy that knows less than what is there is not put back
    assert main(["restore", str(file), "--data", str(again)]) == 2
    assert "does not have" in capsys.readouterr().err
    assert read_store(again).verify().events == 21
    assert main(["restore", str(file), "--data", str(folder)]) == 0  # the same is


def test_a_copy_takes_neither_key_nor_heads_away(folder: Path, tmp_path: Path) -> None:
    """One with the same events, and a key and heads of somebody else, or none."""
    mine, heads = (folder / "table.key").read_bytes(), kept_heads(folder / "table.sqlite")
    copy, other = tmp_path / "copy.zip", Head(bytes(32), 3, "00" * 32, 0, bytes(64)).text()
    for more in ({}, {"table.key": b"k" * 32, "table.heads": other.encode() + b"\n"}, {"table.heads": b""}):
        with zipfile.ZipFile(copy, "w") as made:
            made.write(folder / "table.sqlite", "table.sqlite")
            for name, content in more.items():
                made.writestr(name, content)
        assert main(["restore", str(copy), "--data", str(folder)]) == 0
        assert (folder / "table.key").read_bytes() == mine
        assert kept_heads(folder / "table.sqlite") == heads
        assert stat.S_IMODE((folder / "table.heads").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "name", ["/table.sqlite", "../table.sqlite", "x/table.sqlite", "table.sqlite/", "TABLE.SQLITE", "table.sqlite\0x"]
)
def test_a_copy_is_unpacked_by_our_names_only(name: str, folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as made:
        made.writestr(name, (folder / "table.sqlite").read_bytes())
        made.writestr("../../escaped", b"x")
    assert main(["restore", str(tmp_path / "odd.zip"), "--data", str(tmp_path / "a" / "b" / "new")]) in (0, 2)
    assert not list(tmp_path.rglob("escaped"))
    found = {path.name for path in (tmp_path / "a" / "b" / "new").iterdir()}
    assert found <= {"table.sqlite", "table.lock"}


def test_what_is_no_copy_changes_nothing(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    before = (folder / "table.sqlite").read_bytes()
    good = tmp_path / "good.zip"
    assert main(["backup", str(good), "--data", str(folder)]) == 0
    content = good.read_bytes()
    (tmp_path / "odd.zip").write_bytes(b"PK nonsense")
    (tmp_path / "cut.zip").write_bytes(content[: len(content) // 2])
    with zipfile.ZipFile(tmp_path / "lzma.zip", "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("table.sqlite", b"packed as no copy is")
    strange = bytearray((tmp_path / "lzma.zip").read_bytes())
    strange[60:70] = bytes(10)  # its decompressor would complain in its own words
    (tmp_path / "lzma.zip").write_bytes(bytes(strange))
    for name in ("odd.zip", "cut.zip", "lzma.zip", "none.zip"):
        assert main(["restore", str(tmp_path / name), "--data", str(folder)]) == 2, name
    chance = Random(1)
    for _ in range(60):
        changed = bytearray(content)
        for _ in range(chance.randrange(1, 9)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        (tmp_path / "bad.zip").write_bytes(bytes(changed))
        assert main(["restore", str(tmp_path / "bad.zip"), "--data", str(tmp_path / "new")]) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err
    assert (folder / "table.sqlite").read_bytes() == before
    with open_store(folder):
        assert main(["restore", str(good), "--data", str(folder)]) == 2
        assert main(["backup", str(good), "--data", str(folder)]) == 0  # also while it is written


# --- pictures and clocks


def test_a_clock_that_jumps_deletes_no_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wall, jump = time.time, [0.0]
    monkeypatch.setattr(time, "time", lambda: wall() + jump[0])

    def start(days: float) -> int:
        jump[0] = 86_400 * days
        with open_store(tmp_path) as store:
            return store.forget_due_pictures(30)

    with open_store(tmp_path) as store:
        store.append(1, "verdict", {}, b"jpeg")
    assert [start(days) for days in (0, 31, 0, 1, 365, 0, 2)] == [0] * 7
    assert read_store(tmp_path).picture(1) == b"jpeg"
    assert [start(days) for days in (31, 31.1, 31.5)] == [0] * 3  # nobody believes a clock within one day
    assert start(32) == 1
    assert read_store(tmp_path).picture(1) is None
    assert read_store(tmp_path).verify().findings == []


def test_there_are_never_too_many_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.store.MAX_PICTURES", 3)
    with open_store(tmp_path) as store:
        for n in range(6):
            store.append(1, "verdict", {}, bytes([n]))
        assert store.forget_due_pictures(30) == 3
        assert [store.picture(n) for n in range(1, 7)] == [None, None, None, b"\x03", b"\x04", b"\x05"]


def test_the_head_is_a_value() -> None:
    assert Head(bytes(32), 1, "00" * 32, 0, bytes(64)).is_signed() is False
