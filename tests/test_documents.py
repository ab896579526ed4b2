"""The documents are complete, agree with the code, and refer to nothing that is not there."""

from __future__ import annotations

import re
import subprocess
from importlib import import_module
from pathlib import Path
from runpy import run_path

import pytest
from resvg_py import svg_to_bytes

from companion.commands import HOMES
from companion.games import game, game_ids
from companion.settings import SETTINGS
from companion.store import SUMMARY_KINDS
from vision.fields import FIELDS

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    file for folder in (".", "docs", "docs/build", "firmware") for file in sorted((ROOT / folder).glob("*.md"))
]
RULE = r"\b(hepta|tetrods|t-for-two|pegs|six-faces|plank|trippples)\.(\d+)\b"
TEXTS = (".py", ".md", ".toml", ".js", ".html", ".css", ".c", ".h", ".mjs")
# Frames and photographs that lie beside a checkout where there are any; tests and benchmarks use them if so.
SHARED = ("vision/test_reading.py", "vision/test_dice.py", "bench/reading.py", "bench/following.py")


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def tracked() -> list[str]:
    """The project's files, those of a change that is being made too."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    names = listed.stdout.split("\n") if listed.returncode == 0 else [str(f.relative_to(ROOT)) for f in sources()]
    return [name for name in names if name and (ROOT / name).is_file()]


def sources() -> list[Path]:
    """The same without git."""
    rooms = ("companion", "vision", "web", "tests", "firmware", "docs")
    return [file for room in rooms for file in (ROOT / room).rglob("*") if file.suffix in TEXTS]


def anchors(document: Path) -> set[str]:
    """What can be linked to: anchors that are set, and headings as GitHub names them."""
    text = document.read_text("utf-8")
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


# --- nothing refers to what is not there


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text("utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = (document.parent / name).resolve() if name else document
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_every_document_is_on_the_map() -> None:
    linked = set(re.findall(r"\]\(([^)\s#]+)", text_of("README.md")))
    assert {f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md")} <= linked


def test_no_file_names_a_document_that_is_not_there() -> None:
    for name in tracked():
        if not name.endswith(TEXTS) or name == "tests/test_documents.py":
            continue
        text = text_of(name)
        for found in re.findall(r"[\w./-]*\w\.md\b", text):
            places = (ROOT / found, ROOT / name / ".." / found, ROOT / "docs" / found, ROOT / "firmware" / found)
            assert any(place.resolve().exists() for place in places), f"{name} names {found}"
        if not name.endswith(SHARED):
            assert "../shared" not in text, name
            assert '"shared"' not in text, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_paths_in_documents_are_there(document: Path) -> None:
    for path in re.findall(r"`((?:companion|vision|web|tests|firmware|docs)/[\w./-]*)`", document.read_text("utf-8")):
        assert (ROOT / path).exists(), path


# --- drawings


def test_the_drawings_of_the_build_guide_are_drawn_by_their_code() -> None:
    folder = ROOT / "docs" / "build"
    drawn = run_path(str(folder / "drawings.py"))["drawings"]()
    assert {file.name for file in folder.glob("*.svg")} == set(drawn)
    for name, drawing in drawn.items():
        assert (folder / name).read_text("utf-8") == drawing, name
        assert svg_to_bytes(svg_string=drawing, width=300)  # it can be drawn


# --- the rules


def test_every_rule_that_is_cited_can_be_looked_up() -> None:
    there = anchors(ROOT / "docs" / "rules.md")
    cited = {
        f"{rule}.{number}"
        for name in tracked()
        if name.startswith(("companion/", "vision/", "web/", "docs/")) and name.endswith(TEXTS)
        for rule, number in re.findall(RULE, text_of(name))
    }
    assert len(cited) > 25
    assert cited <= there, sorted(cited - there)
    assert {"format", "over", "turn"} <= there


def test_the_rules_of_a_game_are_numbered_without_gaps() -> None:
    numbers: dict[str, list[int]] = {}
    for rule, number in re.findall(rf'<a id="{RULE[2:-2]}"></a>', text_of("docs/rules.md")):
        numbers.setdefault(rule, []).append(int(number))
    assert {rule: len(found) for rule, found in numbers.items()} == {
        "hepta": 7,
        "tetrods": 3,
        "t-for-two": 5,
        "pegs": 7,
        "six-faces": 6,
        "plank": 7,
        "trippples": 10,
    }
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())


def test_every_option_is_in_the_rules_with_its_default() -> None:
    table = text_of("docs/rules.md").split('<a id="options"></a>')[1]
    told: dict[str, dict[str, str]] = {}
    name = ""
    for title, options, values in re.findall(r"^\| ([^|`]*)\| ((?:`\w+`(?:, )?)+) \| ([^|]*) \|", table, re.MULTILINE):
        name = title.strip() or name
        for option in re.findall(r"`(\w+)`", options):
            told.setdefault(name, {})[option] = values
    games = {"6 Faces": "six-faces", "Plank": "plank", "Trippples": "trippples"}
    for title, values in told.items():
        options = game(games[title]).options
        assert set(values) == set(options)
        for option, (default, choices) in options.items():
            usual = {"True": "on", "False": "off"}.get(str(default), str(default))
            assert not choices or values[option].split(",")[0].strip("`") == usual
    assert not [id for id in game_ids() if game(id).options and id not in games.values()]


# --- formats and kit


def option_names(command: str) -> set[str]:
    """The long names of a command's options, but for those that every command has."""
    arguments = import_module(f"companion.commands.{HOMES[command]}").COMMANDS[command].arguments
    return {name for argument in arguments for name in argument.name.split(", ") if name.startswith("--")}


@pytest.mark.parametrize("command", HOMES)
def test_every_command_and_option_is_described(command: str) -> None:
    text = text_of("docs/formats.md")
    told = re.search(rf"^### `companion {command}\b.*?(?=^###? |\Z)", text, re.MULTILINE | re.DOTALL)
    assert told
    settings = {f"--{name.replace('_', '-')}" for name in SETTINGS}
    for name in option_names(command) - (settings if command in ("settings", "leds") else set()):
        assert re.search(rf"{name}\b(?!-)", told[0]), name


def test_every_setting_is_described() -> None:
    table = text_of("docs/formats.md").split('<a id="settings"></a>')[1].split('<a id="log"></a>')[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", table, re.MULTILINE)
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row)] == list(SETTINGS)


def test_every_event_that_makes_a_record_is_described() -> None:
    log = text_of("docs/formats.md").split('<a id="log"></a>')[1].split('<a id="api"></a>')[0]
    assert set(SUMMARY_KINDS) <= set(re.findall(r"^\| `(\w+)` \|", log, re.MULTILINE))


def test_the_markers_are_those_of_the_kit() -> None:
    row = r"^\| `(\w+)`[^|]*\|[^|]*\| (\d+) × (\d+)[^|]*\| ([\d.]+)u? \| ([\d, ]+) \|$"
    rows = re.findall(row, text_of("docs/kit.md"), re.MULTILINE)
    assert [(name, int(wide), int(high), float(up), ids) for name, wide, high, up, ids in rows] == [
        (field.name, field.columns, field.rows, field.surface, ", ".join(map(str, field.markers))) for field in FIELDS
    ]
