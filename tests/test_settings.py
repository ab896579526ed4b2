"""The settings: the command line before the file before the defaults, and one clear line for what is wrong."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.commands import HOMES, setting_arguments
from companion.errors import BadInput
from companion.messages import LANGUAGES, help_text, say_bad
from companion.settings import (
    SETTINGS,
    Settings,
    as_toml,
    home,
    language_in_file,
    resolve_settings,
    settings_file,
    settings_for,
    write_settings,
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the settings' file of this test would be."""
    for room in ("places", "settings"):
        monkeypatch.setattr(f"companion.{room}.home", lambda kind: str(tmp_path / kind))
    (tmp_path / "config").mkdir()
    assert settings_file() == str(tmp_path / "config" / "settings.toml")
    return Path(settings_file())


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for argument in setting_arguments(*SETTINGS):
        parser.add_argument(argument.name, **argument.settings)
    return parser.parse_args(words)


def complaint(*words: str) -> str:
    with pytest.raises(BadInput) as bad:
        settings_for(parsed(*words))
    for language in LANGUAGES:
        assert "\n" not in say_bad(bad.value, language)
    return say_bad(bad.value, "en")


def test_the_defaults(file: Path) -> None:
    assert settings_for(parsed()) == Settings(
        data=str(file.parent.parent / "data"),
        table="table",
        camera="0",
        game=None,
        size=(1280, 720),
        still=0.25,
        lens=None,
        corners=None,
        surface=None,
        keep_pictures=30,
        port=8000,
        shared_machine="no",
        leds="OFF",
        leds_kind="AUTO",
        leds_size=None,
        leds_layout="",
        leds_brightness=30.0,
        leds_current=450,
        leds_only="",
        leds_never="",
        lang=None,
    )
    assert settings_for(argparse.Namespace()) == settings_for(parsed())
    assert tuple(SETTINGS) == Settings._fields


def test_the_command_line_goes_before_the_file(file: Path) -> None:
    file.write_text('port = 9000\ncamera = 2\nsurface = 0.5\nkeep_pictures = "all"\nlang = "fr"\ngame = ""\n')
    found = settings_for(parsed("--port", "9001", "--size", "640x480", "--corners", "1,2,3,4,5,6,7,8.5"))
    assert (found.port, found.camera, found.surface, found.keep_pictures) == (9001, "2", 0.5, None)
    assert (found.size, found.lang, found.game) == ((640, 480), "fr", None)
    assert found.corners == [[1, 2], [3, 4], [5, 6], [7, 8.5]]
    held = resolve_settings(parsed("--port", "9001"))
    assert {name: held[name].source for name in ("port", "camera", "table")} == {
        "port": "command-line",
        "camera": "file",
        "table": "default",
    }
    assert settings_for(parsed("--keep-pictures", "0")).keep_pictures == 0
    assert settings_for(parsed("--data", "~/games")).data == str(Path.home() / "games")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("prot = 8000", "prot: no such setting; known are: data, table"),
        ("port = 99999", "port: 99999 is not a whole number from 0 to 65535"),
        ("port = true", "port: true is not"),
        ("port = 80.5", "port: 80.5 is not"),
        ("port = 1979-05-27", "port: "),
        (f"port = 0x{'f' * 5000}", "port: "),
        ("port = [1]", "port: "),
        ("still = nan", "still: NaN is not a number from 0.05 to 10"),
        ('still = "soon"', 'still: "soon" is not a number'),
        ("size = 1280", "size: 1280 is not a picture's size"),
        ('size = "٣٢٠x240"', "size: "),
        ('game = "chess"', 'game: "chess" is not one of hepta'),
        ("game = 3", "game: 3 is not one of"),
        ("game = []", "game: "),
        ('table = "../etc"', "table: "),
        ('corners = "1,2,3"', 'corners: "1,2,3" is not four corners'),
        ("corners = [1, 2]", "corners: "),
        ("keep_pictures = -1", "keep_pictures: -1 is not a number of days"),
        ('keep_pictures = "some"', 'keep_pictures: "some" is not'),
        ('data = "a\\u0000b"', "data: must be a text"),
        ("camera = 1.5", "camera: must be a text"),
        ('lang = "de"', "lang: "),
        ("port = ", "not TOML"),
        ("port = 1\nport = 2", "not TOML"),
        ("port = " + "[" * 5000, "not TOML"),
        ("port = " + "1" * 5000, "not TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_one_line(file: Path, line: str, says: str) -> None:
    file.write_text(line)
    said = complaint()
    assert said.startswith(str(file))
    assert says in said


def test_files_that_cannot_be_read_are_one_line(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")
    assert "UTF-8" in complaint()
    file.unlink()
    file.mkdir()
    assert "cannot be opened" in complaint()


def test_what_is_wrong_on_the_command_line_is_one_line(file: Path) -> None:
    assert complaint("--port", "web").startswith('--port: "web" is not a whole number')
    assert complaint("--keep-pictures", "ever").startswith("--keep-pictures: ")
    assert complaint("--game", "chess").startswith("--game: ")


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(sorted(SETTINGS)),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.dates(),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
        max_leaves=3,
    ),
)
def test_any_value_is_taken_or_refused(file: Path, name: str, value: Any) -> None:
    try:
        settings_for(argparse.Namespace(**{name: value}))
    except BadInput as bad:
        if "\n" in say_bad(bad, "en") + say_bad(bad, "fr"):
            pytest.fail(str(bad))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_written_file_changes_nothing_until_it_is_edited(file: Path, language: str) -> None:
    before = settings_for(parsed())
    file.write_text(as_toml(language))
    assert tomllib.loads(file.read_text()) == {}
    assert settings_for(parsed()) == before
    bare = "\n".join(line.removeprefix("# ") for line in file.read_text().splitlines() if " = " in line)
    file.write_text(bare)  # each # taken away
    assert settings_for(parsed()) == before
    assert {held.source for held in resolve_settings(parsed()).values()} == {"file"}
    for name, setting in SETTINGS.items():
        assert f"# {help_text(setting.help, language)}\n# {name} = " in as_toml(language)


def test_what_is_shown_can_be_used_as_a_file(file: Path) -> None:
    given = parsed("--port", "81", "--surface", "0.2", "--table", "garden", "--keep-pictures", "all", "--camera", "1")
    shown = as_toml("fr", resolve_settings(given))
    assert "port = 81  # de la ligne de commande" in shown
    before = settings_for(given)
    file.write_text(shown)
    assert settings_for(parsed()) == before


def test_the_language_of_the_file(file: Path) -> None:
    assert language_in_file() is None
    for content, language in (('lang = "fr"', "fr"), ('lang = ""', None), ("lang = 3", None), ("lang = ", None)):
        file.write_text(content)
        assert language_in_file() == language


def test_each_system_has_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: path.replace("~", "/home/ann"))
    assert home("data", "linux", {}) == "/home/ann/.local/share/board-companion"
    assert home("config", "linux", {"XDG_CONFIG_HOME": "/etc/ann"}) == "/etc/ann/board-companion"
    assert home("data", "linux", {"XDG_DATA_HOME": ""}) == "/home/ann/.local/share/board-companion"
    assert home("data", "darwin", {}) == "/home/ann/Library/Application Support/Board Companion"
    assert "Board Companion" in home("data", "win32", {"LOCALAPPDATA": r"C:\Users\Ann\AppData\Local"})


def test_the_commands_are_listed_together() -> None:
    assert [name for name, home in HOMES.items() if home == "keeping"] == [
        "games",
        "export",
        "verify",
        "backup",
        "restore",
        "settings",
    ]


def test_settings_are_written_into_the_file_and_the_rest_of_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    write_settings({"still": 0.5, "lang": "fr"})
    file = Path(settings_file())
    file.write_text("# mine\n" + file.read_text() + "# port = 8000\n")
    write_settings({"port": 81, "still": 0.75})
    assert file.read_text() == '# mine\nstill = 0.75\nlang = "fr"\nport = 81\n'
    file.write_text("still = [")
    with pytest.raises(BadInput, match="not-toml"):
        write_settings({"still": 1})


def test_comments_and_texts_of_several_lines_stay_when_settings_are_written(file: Path) -> None:
    before = """\
# mine
still = 0.5  # the table wobbles
leds_never = \'\'\'
/dev/ttyUSB0,
# port = 1
/dev/ttyUSB1\'\'\'  # the printer
# port = 8000
"""
    file.write_text(before)
    write_settings({"still": 0.75, "port": 81, "lang": "fr"})
    after = before.replace("0.5", "0.75").replace("# port = 8000", "port = 81") + 'lang = "fr"\n'
    assert file.read_text() == after
    write_settings({"leds_never": ""})
    assert tomllib.loads(file.read_text()) == {"still": 0.75, "leds_never": "", "port": 81, "lang": "fr"}
    assert "# the table wobbles" in file.read_text()
    assert "# the printer" in file.read_text()
    file.write_bytes(b"\xef\xbb\xbfstill = 0.5\r\nport = 1\r\n")  # as Windows writes it
    write_settings({"port": 81})
    assert file.read_bytes() == b"still = 0.5\r\nport = 81\r\n"
