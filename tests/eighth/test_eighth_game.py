"""A game is one declaration: an eighth one, from a package of its own, does all that the kit's games do.

Nothing but its one module knows of it. It is installed by pip, and then judged, drawn, listed, hinted at, played in the
terminal, lit, followed by a camera and played on the page.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from companion import games
from companion.games.game import Game
from companion.games.position import Position
from companion.judge import judge
from companion.messages import LANGUAGES, say_move, say_reason
from companion.record import read_record, replay
from companion.terminal import draw
from tests.commands.test_rules import COMPANION, complaint, run
from tests.web.browser import Person, chromium
from tests.web.serving import REFEREE, served

ROOT = Path(__file__).parents[2]
MODULE = Path(__file__).parent / "five_in_a_row" / "five_in_a_row.py"
PUT = ["a1", "e5", "b2", "a7", "c3", "b7", "d4", "c7", "g1", "e1", "g3", "f3"]  # then all mushrooms stand
MOVED = ["g1-g2", "d7", "g2-e7", "e5-e4"]
WON = [*PUT, *MOVED, "e7-e5"]


def record(moves: list[str]) -> dict[str, Any]:
    return {"game": "five", "moves": moves}


def judged(moves: list[str], beside: dict[str, str], lang: str = "C") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("judge", "-", stdin=record(moves), env=beside, lang=lang).stdout)
    return found


def at(moves: list[str]) -> Position[Any]:
    return replay(read_record(json.dumps(record(moves)))).position


# --- one module, and nothing else


def test_it_is_one_short_module() -> None:
    assert len(MODULE.read_text().splitlines()) <= 200
    assert {file.name for file in MODULE.parent.iterdir()} - {"__pycache__"} == {"five_in_a_row.py", "pyproject.toml"}
    for file in (*ROOT.glob("companion/**/*.py"), *ROOT.glob("vision/**/*.py"), *ROOT.glob("web/**/*.[pj]*")):
        if file.suffix in (".py", ".js"):
            assert "five_in_a_row" not in file.read_text() or file.name == "__init__.py", file  # named as an example


def test_without_its_package_there_is_no_such_game() -> None:
    assert "five" in complaint(run("judge", "-", stdin=record([])))


# --- the rules


def test_judge_knows_its_rules(beside: dict[str, str]) -> None:
    going_on = judged(PUT, beside)
    assert (going_on["ok"], going_on["over"], going_on["to_move"]) == (True, False, "mushrooms")
    assert going_on["visible"]["rows"][6] == ["o", ".", ".", ".", "#", ".", "o"]
    over = judged(WON, beside)
    assert (over["over"], over["winner"], over["why"]) == (True, "mushrooms", "five.row")
    assert over["scores"] == {"mushrooms": 1, "blockers": 0}


@pytest.mark.parametrize(
    ("moves", "rule", "english", "french"),
    [
        (["a1", "a1"], "five.1", "a1 is not free", "a1 n'est pas libre"),
        (["a8"], "five.1", "a8 is not on the board", "a8 est hors du plateau"),
        (
            [*PUT, "f7"],
            "five.2",
            "the mushroom player must now move a piece, as in c3-d5",
            "le joueur des champignons doit maintenant déplacer une pièce, comme c3-d5",
        ),
        ([*PUT, "e5-f7"], "five.2", "no piece of yours stands on e5", "aucune de vos pièces n'est en e5"),
        ([*WON, "a2"], "over", "the game is over", "la partie est finie"),
    ],
)
def test_judge_says_why_not(moves: list[str], rule: str, english: str, french: str, beside: dict[str, str]) -> None:
    for lang, said in (("C", english), ("fr_FR.UTF-8", french)):
        illegal = judged(moves, beside, lang)["illegal"]
        assert (illegal["ply"], illegal["rule"], illegal["reason"]) == (len(moves) - 1, rule, said)


def test_random_games_hold_together(five: Game[Any]) -> None:
    """Whatever is played: moves can be read back, put into words and explained, and every game ends."""
    for seed in range(8):
        chance, position, moves = Random(seed), at([]), list[str]()
        while position.to_move:
            legal = list(position.moves())
            move = chance.choice(legal)
            assert five.read(str(move)) == move
            assert position.why_not(move) is None
            after = position.play(move)
            assert [*position.steps(move), after.visible()].count(position.visible()) == 0
            assert set(position.trace(move).shown) == different(position, after)
            for language in LANGUAGES:
                assert str(move)[-2:] in say_move(position.describe(move), language)
            stranger = after.visible()["rows"]
            stranger[chance.randrange(7)][chance.randrange(7)] = chance.choice(".o#")
            reason = position.explain_illegal({"rows": stranger})
            assert say_reason(reason, "fr")
            stood = position.accept_as_seen({"rows": stranger}, "blockers")
            assert stood.visible() == {"rows": stranger}
            assert stood.to_move in ("blockers", None)
            moves.append(str(move))
            position = after
        assert len(moves) <= 50
        assert judge(read_record(json.dumps(record(moves))))["over"]


def different(before: Position[Any], after: Position[Any]) -> set[str]:
    pairs = zip(before.visible()["rows"], after.visible()["rows"], strict=True)
    return {f"{'abcdefg'[x]}{7 - n}" for n, (a, b) in enumerate(pairs) for x in range(7) if a[x] != b[x]}


# --- shown


def test_help_lists_it(beside: dict[str, str]) -> None:
    assert re.search(r"games: hepta, [^:]*, five\n", run("--help", env=beside).stdout)
    assert "five" not in run("--help").stdout
    assert "five" in complaint(run("new", "chess", env=beside))


def test_it_is_drawn(tmp_path: Path, beside: dict[str, str]) -> None:
    svg = run("draw", "-", stdin=record(WON), env=beside).stdout
    drawing = ElementTree.fromstring(svg)
    assert drawing.attrib["aria-label"] == "Five in a Row"
    labels = re.findall('data-square="([a-g][1-7])"[^>]*aria-label="([^"]*)"', svg)
    said = {square: label.removeprefix(f"{square}, ") for square, label in labels}
    assert (said["a1"], said["a7"], said["g7"]) == ("mushroom", "blocker", "empty")
    assert re.findall('data-squares="([^"]*)"', svg) == ["e5 e7"]
    french = run("draw", "-", stdin=record(PUT), env=beside, lang="fr_FR.UTF-8").stdout
    assert "Cinq de suite" in french
    assert "champignon" in french
    picture = tmp_path / "five.png"
    assert run("draw", "-", "-o", str(picture), stdin=record(WON), env=beside).returncode == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_it_is_drawn_as_text(five: Game[Any]) -> None:
    drawn = draw(five, at(PUT).visible()).splitlines()
    assert drawn[-2:] == ["  1  ●  ·  ·  ·  ▣  ·  ●", "     a  b  c  d  e  f  g"]


def test_it_is_lit(tmp_path: Path, beside: dict[str, str]) -> None:
    file, picture = tmp_path / "five.json", tmp_path / "lights.svg"
    file.write_text(json.dumps(record([*PUT, *MOVED])))

    def lit(*arguments: str) -> list[str]:
        found = run("leds", "preview", str(file), "-o", str(picture), *arguments, env=beside)
        assert (found.returncode, found.stderr) == (0, "")
        return found.stdout.splitlines()

    told = lit("--hint", "e7-e5")
    assert "hint: here: e5" in told
    assert "take this: e7" in told
    assert "last move: e4 e5" in lit()
    lifted = next(line for line in lit("--lifted", "e7") if line.startswith("may go here: "))
    assert set(lifted.split(": ")[1].split()) == {str(move)[-2:] for move in moves_from("e7", beside)}
    assert picture.read_text().startswith("<svg")


def moves_from(square: str, beside: dict[str, str]) -> list[str]:
    told = json.loads(run("moves", "-", stdin=record([*PUT, *MOVED]), env=beside).stdout)
    return [move for move in told if move.startswith(f"{square}-")]


# --- thought about


def test_it_is_hinted_at_by_the_general_search(beside: dict[str, str]) -> None:
    win = json.loads(run("hint", "-", "--seconds", "1", stdin=record([*PUT, *MOVED]), env=beside).stdout)
    assert win["move"] in ("e7-e5", "g3-e5")
    assert (win["value"], win["exact"]) == (1, True)
    first = json.loads(run("hint", "-", "--seconds", "0.3", stdin=record([]), env=beside).stdout)
    assert re.fullmatch("[a-g][1-7]", first["move"])
    assert judged([first["move"]], beside)["ok"]


def test_it_is_played_in_the_terminal(tmp_path: Path, beside: dict[str, str]) -> None:
    file = tmp_path / "game.json"
    typed = "d4\nd4\nhint\nresign\n"
    shown = run("play", "five", "--level", "1", "--seed", "5", "-o", str(file), stdin=typed, env=beside)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "the blocker player (computer): " in shown.stdout
    assert "d4 is not free" in shown.stdout
    kept = json.loads(file.read_text())
    assert kept["moves"][0] == "d4"
    assert kept["result"] == {"winner": "blockers", "why": "resigned"}


# --- followed by a camera, and played on the page


def test_a_camera_follows_it_to_its_end(tmp_path: Path, beside: dict[str, str]) -> None:
    """What somebody plays on the simulated table is read, refereed and kept, move by move."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps(record(WON)))
    table = ["--camera", f"sim:five,seed=3,pace=6,record={script}", "--size", "960x540", "--data", str(tmp_path)]
    found = follow(["run", "--game", "five", *table, "--no-web", "--json"], beside)
    assert found[-1]["kind"] == "over"
    assert found[-1]["data"]["winner"] == "mushrooms"
    kept = json.loads(run("export", "1", "--data", str(tmp_path), env=beside).stdout)
    assert kept["moves"] == WON


@pytest.mark.soak
def test_a_demonstration_plays_it_to_its_end(tmp_path: Path, beside: dict[str, str]) -> None:
    """The simulated players think for themselves, and one of them cheats now and then."""
    demo = ["demo", "--game", "five", "--games", "1", "--seed", "2", "--sim", "pace=20", "--size", "640x480"]
    follow([*demo, "--data", str(tmp_path), "--no-web", "--json"], beside)
    kept = json.loads(run("export", "1", "--data", str(tmp_path), env=beside).stdout)
    assert judged(kept["moves"], beside)["over"]


def follow(command: list[str], beside: dict[str, str]) -> list[dict[str, Any]]:
    """The events of a command that ends with its game."""
    environment = {**os.environ, "LC_ALL": "C", "XDG_CONFIG_HOME": os.devnull, **beside}
    found = subprocess.run(
        [*COMPANION, *command], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert found.returncode == 0, found.stderr
    return [json.loads(line) for line in found.stdout.splitlines()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_played_on_the_page_by_touch(five: Game[Any], tmp_path: Path, language: str) -> None:
    with chromium(language=language) as driver, served(tmp_path) as table:
        person = Person(driver, table)
        person.sits_before(1280, 900)
        person.asks("/api/login", {"pin": REFEREE})
        person.speaks(language)
        person.begins("five")
        for ply, text in enumerate(WON):
            if ply == 1:  # where something stands nothing can be put: it is said why
                person.may_move()
                person.touches("a1")
                assert {"en": "(rule 1)", "fr": "(règle 1)"}[language] in person.finds(".hand .why").text
            person.plays(text, at(WON[:ply]).trace(five.read(text)).touch)
        assert {"en": "five in a row", "fr": "cinq de suite"}[language] in person.says("over")
        assert person.moves() == WON
        assert person.asks("/api/table")["outcome"]["winner"] == "mushrooms"
        person.goes_to("/rules/five")  # it has no sheet: what its words tell is told
        person.sees("h1", five.words[language].name)
        person.sees("article", five.words[language].endings["five.row"])
        person.until(lambda: person.run("return [...document.images].every((image) => image.naturalWidth > 0)"))
        assert person.complaints() == []
    assert "five" in games.game_ids()


def test_the_package_is_gone_where_it_is_not_installed() -> None:
    assert "five" not in games.game_ids()


# --- the document that walks through it


def test_the_document_shows_the_module_as_it_is() -> None:
    document = (ROOT / "docs" / "adding-a-game.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", document, re.S)
    assert lines("".join(blocks)) == lines(MODULE.read_text())
    (project,) = re.findall(r"```toml\n(.*?)```", document, re.S)
    assert project == (MODULE.parent / "pyproject.toml").read_text()


def lines(code: str) -> list[str]:
    """Without the empty ones, which a page sets as it likes."""
    return [line for line in code.splitlines() if line]


def test_what_the_document_shows_is_what_is_said(beside: dict[str, str], tmp_path: Path) -> None:
    """The sessions of the document, command by command."""
    document = (ROOT / "docs" / "adding-a-game.md").read_text()
    (tmp_path / "game.json").write_text(re.findall(r"```json\n(.*?)```", document, re.S)[0])
    for session in re.findall(r"```console\n(.*?)```", document, re.S):
        for command, said in re.findall(r"\$ companion (.*)\n((?:(?!\$ ).*\n)*)", session):
            found = run(*command.split(), env=beside, cwd=tmp_path)
            assert found.returncode == 0, command
            for line in filter(None, said.splitlines()):
                assert re.search(re.escape(line).replace("…", ".*"), found.stdout), (command, line, found.stdout)


def test_it_is_typed(installed: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(MODULE)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
