"""games, export, verify and settings as a user meets them: real processes on a real data folder."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.store import Store, open_store
from companion.table.kept_looks import look_as_json
from tests.commands.test_rules import complaint, run
from tests.records import position
from tests.referee.looks import look_of

START = {"game": "six-faces", "options": {}, "setup": {}, "moves": []}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A table that is being played at, so the commands run beside it."""
    with open_store(tmp_path / "data") as opened:
        first = opened.new_game({**START, "about": {"white": "Ann", "red": "Bo\nb", "place": "Lyon"}}, "person")
        opened.append(first, "move", {"moves": ["b1-b2"], "by": "camera"}, b"\xff\xd8 one")
        opened.append(first, "verdict", {"verdict": "illegal"}, b"\xff\xd8 two")
        second = opened.new_game({"game": "hepta", "moves": ["#a1"], "about": {"players": ["Cy", "Di"]}}, "person")
        scores = {"first": 3, "second": 2}
        opened.append(second, "over", {"winner": "first", "draw": False, "why": "most-pieces", "scores": scores})
        third = opened.new_game(START, "person")
        opened.append(third, "result", {"winner": None, "why": "agreed", "by": "person"})
        yield opened


def at(store: Store, *arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return run(*arguments, "--data", str(store.file.parent), **more)


def test_games_are_listed(store: Store) -> None:
    lines = at(store, "games").stdout.splitlines()
    assert lines[0].split() == ["id", "game", "begun", "players", "moves", "result"]
    assert "Ann – Bo?b" in lines[1]
    assert lines[1].endswith("unfinished")
    assert "Cy – Di" in lines[2]
    assert lines[2].endswith("Cy wins: nobody can place any more; each piece is a point (Cy: 3, Di: 2)")
    assert lines[3].endswith("A draw: agreed by the players")
    assert "inachevée" in at(store, "games", "--lang", "fr").stdout
    first, second, third = json.loads(at(store, "games", "--json").stdout)
    assert (first["id"], first["game"], first["moves"], first["result"]) == (1, "six-faces", 1, None)
    assert second["result"]["scores"] == {"first": 3, "second": 2}
    assert third["result"] == {"winner": None, "why": "agreed"}


def test_where_nothing_was_played(tmp_path: Path) -> None:
    found = run("games", "--data", str(tmp_path / "none"))
    assert (found.returncode, found.stdout.startswith("no games yet in ")) == (0, True)
    assert str(tmp_path) in found.stdout
    assert run("games", "--json", "--data", str(tmp_path)).stdout == "[]\n"
    assert "no games were kept here" in complaint(run("verify", "--data", str(tmp_path)))
    assert "no such game" in complaint(run("export", "1", "--data", str(tmp_path)))
    assert list(tmp_path.iterdir()) == []  # who only looks leaves nothing behind


def test_an_exported_record_is_judged(store: Store, tmp_path: Path) -> None:
    shown = at(store, "export", "1").stdout
    assert json.loads(run("judge", "-", stdin=shown).stdout)["plies"] == 1
    found = at(store, "export", "1", "-o", str(tmp_path / "new" / "game.json"), "--pictures", str(tmp_path / "seen"))
    assert (found.returncode, found.stdout) == (0, "")
    assert "2 pictures written, 0 were forgotten" in found.stderr
    assert (tmp_path / "new" / "game.json").read_text() == shown
    pictures = {file.name: file.read_bytes() for file in (tmp_path / "seen").iterdir()}
    assert pictures == {"1-2-move.jpg": b"\xff\xd8 one", "1-3-verdict.jpg": b"\xff\xd8 two"}
    store.forget_pictures(0)
    assert "0 pictures written, 2 were forgotten" in at(store, "export", "1", "--pictures", str(tmp_path)).stderr
    for wrong in ("4", "0", "one", "²", "9" * 400):
        assert "no such game" in complaint(at(store, "export", wrong))
    assert "cannot be opened" in complaint(at(store, "export", "1", "-o", str(tmp_path)))


def test_verify_says_where_the_chain_breaks(store: Store) -> None:
    found = at(store, "verify")
    assert (found.returncode, found.stderr) == (0, "")
    assert "is whole: 7 events of 3 games; 2 pictures kept, 0 forgotten" in found.stdout
    store.forget_pictures(0)
    whole = json.loads(at(store, "verify", "--json").stdout)
    assert whole == {"ok": True, "events": 8, "games": 3, "pictures": 0, "forgotten": 2, "findings": []}
    store.close()
    raw = sqlite3.connect(store.file)
    raw.execute("DROP TRIGGER events_stand")
    raw.execute("UPDATE events SET data = replace(data, 'b1-b2', 'c1-c3') WHERE number = 2")
    raw.commit()
    raw.close()
    found = at(store, "verify")
    assert (found.returncode, found.stderr) == (1, "")
    assert found.stdout == "✗ event 2 is not as it was written: the log cannot be trusted from there on\n"
    broken = at(store, "verify", "--json")
    assert broken.returncode == 1
    assert json.loads(broken.stdout)["findings"][0]["event"] == 2


def test_files_that_are_none_of_ours_get_one_line(tmp_path: Path) -> None:
    file = tmp_path / "table.sqlite"
    for content in (b"some notes" * 100, b"SQLite format 3\0" + bytes(100)):
        file.write_bytes(content)
        for command in (["games"], ["export", "1"], ["verify"]):
            assert str(file) in complaint(run(*command, "--data", str(tmp_path)))
        assert file.read_bytes() == content
    file.unlink()
    file.mkdir()
    assert str(file) in complaint(run("games", "--data", str(tmp_path)))
    assert "--table" in complaint(run("games", "--data", str(tmp_path), "--table", "a/b"))


def test_settings_are_shown_written_and_used(tmp_path: Path) -> None:
    env = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "share")}
    file = tmp_path / "config" / "board-companion" / "settings.toml"
    assert run("settings", "--path", env=env).stdout == f"{file}\n"
    shown = run("settings", "--port", "81", env=env).stdout
    assert shown.startswith(f"# {file} (not there yet")
    assert "port = 81  # from the command line" in shown
    assert f'data = "{tmp_path}/share/board-companion"  # default' in shown
    assert str(file) in run("settings", "--write", env=env).stdout
    written = file.read_text()
    assert "already" in complaint(run("settings", "--write", env=env))
    assert file.read_text() == written
    file.write_text(f'lang = "fr"\ndata = "{tmp_path}"\n')
    shown = run("settings", env=env).stdout
    assert shown.startswith(f"# {file}\n")
    assert f'data = "{tmp_path}"  # du fichier' in shown
    assert run("games", env=env).stdout.startswith("aucune partie encore")
    assert run("games", "--lang", "en", env=env).stdout.startswith("no games yet")
    file.write_text("port = 8O00")
    assert str(file) in complaint(run("settings", env=env))
    assert run("moves", "-", stdin=START, env=env).returncode == 0  # what needs no settings goes on


def test_settings_that_cannot_be_written_get_one_line(tmp_path: Path) -> None:
    (tmp_path / "stone").touch()
    assert "cannot be opened" in complaint(run("settings", "--write", env={"XDG_CONFIG_HOME": str(tmp_path / "stone")}))


@pytest.mark.parametrize("command", ["games", "export", "verify", "settings"])
def test_help_has_examples_in_both_languages(command: str) -> None:
    assert f"  companion {command}" in run(command, "--help").stdout
    assert "exemples :" in run(command, "--help", "--lang", "fr").stdout


def test_the_evidence_of_a_verdict_is_exported_and_judged_again(store: Store, tmp_path: Path) -> None:
    wrong: Any = position("six-faces", ["b1-b2"]).visible()
    wrong["rows"][7][7], wrong["rows"][6][7] = ".", "w1"
    event = store.append(1, "verdict", {"verdict": "illegal", "looks": [look_as_json(look_of("six-faces", wrong))]})
    file = tmp_path / "evidence.json"
    record = tmp_path / "record.json"
    assert at(store, "export", "1", "--evidence", str(file)).stdout == ""
    file.unlink()
    assert at(store, "export", "1", "-o", str(record), "--evidence", str(file)).returncode == 0
    assert json.loads(record.read_text())["game"] == json.loads(file.read_text())["record"]["game"]
    assert json.loads(file.read_text())["event"] == event.number
    told = json.loads(run("follow", str(file)).stdout)
    assert (told["verdict"], told["look"], told["event"]) == ("illegal", 1, event.number)


def test_evidence_that_there_is_not(store: Store, tmp_path: Path) -> None:
    file = str(tmp_path / "evidence.json")
    assert "no look" in complaint(at(store, "export", "1", "--evidence", file))
    assert "event" in complaint(at(store, "export", "1", "--evidence", file, "--event", "999"))
    assert "event" in complaint(at(store, "export", "1", "--evidence", file, "--event", "x"))
    (tmp_path / "record.json").write_text(json.dumps(START))
    assert "nothing to follow" in complaint(run("follow", str(tmp_path / "record.json")))
    (tmp_path / "odd.json").write_text(json.dumps({"record": START, "looks": [{"squares": 1}]}))
    assert "--evidence" in complaint(run("follow", str(tmp_path / "odd.json")))
