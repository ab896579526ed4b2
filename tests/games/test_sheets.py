"""The rules to be read: there in both languages, with the numbers of docs/rules.md, and with boards of legal play."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import game, game_ids
from companion.games.sheet import RuleSheet
from companion.messages import LANGUAGES, say_now
from companion.record import Replay, read_record, replay
from tests.records import VARIANTS, names, new_record, played
from web.drawing import Marks, board_svg

ROOT = Path(__file__).parents[2]
NUMBERED = re.compile(r"[a-z][a-z-]*\.[0-9]+")
DOCUMENTED = set(re.findall(r'<a id="([a-z-]+\.[0-9]+)">', (ROOT / "docs/rules.md").read_text()))
OWN = [game_id for game_id in game_ids() if game(game_id).start.__module__.startswith("companion.")]
Variant = tuple[str, dict[str, Any], dict[str, Any]]
SHEETS = [(game_id, language) for game_id in OWN for language in LANGUAGES]


def sheet_of(game_id: str, language: str) -> RuleSheet:
    found = game(game_id).sheet(language)
    assert found is not None
    return found


def texts(sheet: RuleSheet) -> list[str]:
    told = [sheet.goal, sheet.pieces, *sheet.turn, sheet.end, *sheet.rules.values(), *sheet.options.values()]
    return told + [example.caption for example in sheet.examples] + [step.text for step in sheet.tour]


def shown(record: Any) -> Replay:
    return replay(read_record(json.dumps(record)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_documented_rule_can_be_read_on_the_page_of_its_game(language: str) -> None:
    for number in DOCUMENTED:
        assert number in sheet_of(number.rpartition(".")[0], language).rules, number
    assert {number for game_id in OWN for number in sheet_of(game_id, language).rules} == DOCUMENTED


def test_every_rule_that_the_code_cites_is_documented() -> None:
    cited = {
        node.value
        for file in (ROOT / "companion/games").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and NUMBERED.fullmatch(node.value)
    }
    assert cited
    assert cited <= DOCUMENTED


@pytest.mark.parametrize(("game_id", "language"), SHEETS)
def test_a_sheet_says_everything(game_id: str, language: str) -> None:
    sheet = sheet_of(game_id, language)
    assert all(text and text == " ".join(text.split()) for text in texts(sheet))
    assert set(sheet.options) == set(game(game_id).options)
    assert 3 <= len(sheet.tour) <= 4
    assert sheet.tour[-1].at in ("board", "hand")  # where the first move is made
    assert len(sheet.examples) >= 2


@pytest.mark.parametrize("game_id", OWN)
def test_both_languages_tell_the_same(game_id: str) -> None:
    english, french = (sheet_of(game_id, language) for language in LANGUAGES)
    assert list(english.rules) == list(french.rules)
    assert list(english.options) == list(french.options)
    assert len(english.turn) == len(french.turn)
    assert [step.at for step in english.tour] == [step.at for step in french.tour]
    assert [e._replace(caption="") for e in english.examples] == [e._replace(caption="") for e in french.examples]
    for number, told in english.rules.items():
        squares = re.findall(r"\b[a-i][1-9]\b", told)
        assert sorted(squares) == sorted(re.findall(r"\b[a-i][1-9]\b", french.rules[number])), number
    for here, there in zip(english.examples, french.examples, strict=True):
        squares = re.findall(r"\b[a-i][0-9]\b", here.caption)
        assert sorted(squares) == sorted(re.findall(r"\b[a-i][0-9]\b", there.caption)), here.caption


@pytest.mark.parametrize("game_id", OWN)
def test_the_boards_come_about_by_legal_play_and_can_be_drawn(game_id: str) -> None:
    for example in sheet_of(game_id, "en").examples:
        assert example.record["game"] == game_id
        played = shown(example.record)
        assert played.illegal is None
        position = played.position
        drawn = board_svg(game(game_id), position, position.visible(), marks=Marks(last=example.last, can=example.can))
        pointed_at = {*example.last, *example.can, *example.wrong, *(s for arrow in example.arrows for s in arrow)}
        assert all(f'data-square="{square}"' in drawn for square in pointed_at)


def test_what_the_captions_count_is_so() -> None:
    leg = shown(sheet_of("t-for-two", "en").examples[-1].record)
    assert leg.outcome is not None
    assert leg.outcome.scores["mushrooms"] == 6 + 3 + 3 + 1 + 1 + 1
    hepta = shown(sheet_of("hepta", "en").examples[-1].record)
    assert hepta.outcome is not None
    assert (hepta.outcome.winner, hepta.outcome.scores) == ("second", {"first": 5, "second": 7})
    pegs = shown(sheet_of("pegs", "en").examples[-1].record)
    assert pegs.position.points() == {"blue": 4, "white": 6}
    faces = sheet_of("six-faces", "en").examples
    rolled = shown(faces[1].record).position.visible()["rows"]
    assert rolled[4][2].startswith("w3")
    assert [shown(example.record).outcome.winner for example in faces[2:]] == ["white"]  # type: ignore[union-attr]
    for example in sheet_of("plank", "en").examples[1:]:
        assert shown(example.record).outcome.winner == "A"  # type: ignore[union-attr]
    arrows = sheet_of("trippples", "en").examples
    for example in arrows:
        open_to = shown(example.record).position.ways().values()
        assert sorted(square for square in open_to if square) == sorted(example.can)
    for game_id in ("hepta-solo", "tetrods", "pegs-solo"):
        solved = shown(sheet_of(game_id, "en").examples[-1].record).outcome
        assert solved is not None
        assert solved.why == "solved"


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_what_there_is_to_do_is_told_in_every_phase(variant: Variant) -> None:
    """In words, without notation, until the game is over; also where one random game leads through all its phases."""
    at, chance, told = played(new_record(variant, 3)).position, Random(3), set()
    for _ in range(130):
        moves = [] if at.outcome() else list(at.moves())
        if not moves:
            break
        now = at.now()
        assert now is not None
        told.add(now.code)
        for language in LANGUAGES:
            said = say_now(now, language)
            assert said[0].islower()
            assert not re.search(r"[{}@+=#^>]|\b[a-i][1-9]\b", said), said
        at = at.play(chance.choice(moves))
    assert told <= set(game(variant[0]).words["en"].now)
    if variant[0] == "pegs":
        assert {"pegs.first-pegs", "pegs.first-white", "pegs.peg", "pegs.cards"} <= told
