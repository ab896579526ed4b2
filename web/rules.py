"""The rules page: the text of a game's sheet, with example boards drawn from records."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from flask import Response, abort

from companion.games import game, game_ids, is_game
from companion.games.game import AnyGame
from companion.record import read_record, replay
from web.access import language
from web.catalogue import choice_label, page_texts
from web.drawing import Arrow, Marks, board_svg
from web.inputs import ExampleQuery

GENERAL = ("turn", "over", "format")  # rules that every game has


class RuleText(NamedTuple):
    id: str  # as verdicts and records cite it
    name: str
    text: str


class OptionText(NamedTuple):
    name: str
    about: str
    choices: list[str]  # the default first


def rules_view(game_id: str | None, tongue: str) -> dict[str, object]:
    """The template's variables: the list of games, or the rules of one."""
    if game_id is not None and not is_game(game_id):
        abort(404)
    return _rules(game_id, tongue) if game_id else {"games": _offered(tongue)}


def _offered(tongue: str) -> list[tuple[str, str, str]]:
    words = [(game_id, game(game_id).words[tongue]) for game_id in game_ids()]
    return [(game_id, one.name, one.about) for game_id, one in words]


def _rules(game_id: str, tongue: str) -> dict[str, object]:
    """The variables for one game. Without a sheet the page shows the game's other words."""
    found = game(game_id)
    words, sheet = found.words[tongue], found.sheet(tongue)
    return {
        "game": game_id,
        "words": words,
        "sheet": sheet,
        "options": [_option(found, name, tongue) for name in found.options],
        "now": [*words.now.values()] if sheet is None else [],
        "endings": [*words.endings.values()] if sheet is None else [],
        "rules": _numbered(sheet.rules if sheet else {}, tongue),
    }


def _numbered(rules: Mapping[str, str], tongue: str) -> list[RuleText]:
    """Each rule by its number."""
    texts = page_texts(tongue)
    names = _names(rules, tongue) | {rule: texts[f"rules.name.{rule}"] for rule in GENERAL}
    said = cited(rules, tongue) | {rule: texts[f"rules.{rule}"] for rule in GENERAL}
    return [RuleText(rule, name[0].upper() + name[1:], said[rule]) for rule, name in names.items()]


def cited(rules: Mapping[str, str], tongue: str) -> dict[str, str]:
    """The text of each rule, with references to other rules replaced by their names."""
    names = _names(rules, tongue)
    own = re.compile("|".join(rf"\b{re.escape(rule)}\b" for rule in sorted(rules, key=len, reverse=True)) or "$^")
    return {rule: own.sub(lambda found: names[found[0]], text) for rule, text in rules.items()}


def _names(rules: Mapping[str, str], tongue: str) -> dict[str, str]:
    name = page_texts(tongue)["rules.name"]
    return {rule: name.format(number=rule.rpartition(".")[2]) for rule in rules}


def _option(found: AnyGame, name: str, tongue: str) -> OptionText:
    words, option, sheet = found.words[tongue], found.options[name], found.sheet(tongue)
    about = sheet.options.get(name, "") if sheet else ""
    chosen = sorted(option.choices, key=lambda value: value != option.default)
    return OptionText(words.options.get(name, name), about, [choice_label(found, value, tongue) for value in chosen])


def example(query: ExampleQuery) -> Response:
    drawn = _drawn(query.game, query.number, language())
    return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


@lru_cache(maxsize=128)
def _drawn(game_id: str, number: int, tongue: str) -> str:
    found = game(game_id)
    sheet = found.sheet(tongue)
    if sheet is None or number >= len(sheet.examples):
        abort(404)
    shown = sheet.examples[number]
    position = replay(read_record(json.dumps(shown.record))).position
    arrows = tuple(Arrow("last", squares) for squares in shown.arrows)
    marks = Marks(last=shown.last, can=shown.can, wrong=shown.wrong, arrows=arrows)
    return board_svg(found, position, position.visible(), marks=marks, language=tongue)
