"""The catalog for the pages: games with their seats and options, clocks, endings, and the pages' texts."""

from __future__ import annotations

from functools import cache

from companion.games import game, game_ids
from companion.games.game import AnyGame, MatchRules
from companion.games.squares import DIRECTIONS
from companion.messages import LANGUAGES, say, spaced, term
from companion.messages import catalogue as sentences
from companion.record import ENDINGS
from companion.solvers.puzzles import GENERATORS, LEVELS
from companion.table.clocks import KINDS
from web import answers
from web.access import language
from web.drawing.pieces import KINDS as DRAWN

CLOCK_FIELDS = {
    "move": {"more": 60},
    "fischer": {"main": 600, "more": 5},
    "byo-yomi": {"main": 600, "more": 30, "periods": 3},
}


@cache
def page_texts(tongue: str) -> dict[str, str]:
    return {code: spaced(text, tongue) for code, text in sentences(tongue, "PAGE").items()}


def catalogue() -> answers.Catalogue:
    tongue = language()
    return {
        "language": tongue,
        "languages": list(LANGUAGES),
        "texts": {**page_texts(tongue), **{f"way.{way}": term(f"way.{way}", tongue) for way in DIRECTIONS}},
        "games": [_game(game(game_id), tongue) for game_id in game_ids()],
        "clocks": [_clock(kind, tongue) for kind in KINDS],
        "drawn": list(DRAWN),
        "endings": [{"why": why, "label": say("ENDINGS", why, {}, tongue)} for why in ENDINGS],
    }


def _game(found: AnyGame, tongue: str) -> answers.GameOffered:
    words = found.words[tongue]
    return {
        "id": found.id,
        "name": words.name,
        "about": spaced(words.about, tongue),
        "field": found.field,
        "roles": list(found.players),
        "players": list(found.seats),
        "seats": {str(number): list(seats) for number, seats in found.seats.items()},
        "players_in": found.players_in,
        "labels": dict(words.labels),
        "badges": {seat: {"color": badge.color, "shape": badge.shape} for seat, badge in found.badges.items()},
        "dealing": found.dealing,
        "deal_label": spaced(words.deal, tongue),
        "announcement": spaced(words.announcement, tongue),
        "tour": _tour(found, tongue),
        "setup": list(found.setup),
        "options": [
            {
                "name": name,
                "label": spaced(words.options.get(name, name), tongue),
                "default": option.default,
                "choices": [{"value": value, "label": choice_label(found, value, tongue)} for value in option.choices],
            }
            for name, option in found.options.items()
        ],
        "match": None if found.is_solitaire else _match(found.match),
        "levels": [
            {"value": level, "label": term(f"level.{level}", tongue)} for level in LEVELS if found.id in GENERATORS
        ],
    }


def _match(rules: MatchRules) -> answers.MatchOffered:
    """Even numbers of games if the roles swap in each pair; else odd ones, so that somebody wins."""
    usual = [2, 4, 6] if rules.multiple == 2 else [3, 5, 7]
    return {
        "counts": rules.counts,
        "multiple": rules.multiple,
        "fewest_wins": list(rules.fewest_wins),
        "seats_stay": rules.seats_stay,
        "usual": usual,
    }


def _tour(found: AnyGame, tongue: str) -> list[answers.TourStep]:
    """The steps of the tour; a default tour for a game without a sheet."""
    sheet = found.sheet(tongue)
    if sheet and sheet.tour:
        return [{"at": step.at, "text": spaced(step.text, tongue)} for step in sheet.tour]
    texts = page_texts(tongue)
    return [
        {"at": "board", "text": spaced(found.words[tongue].about, tongue)},
        {"at": "now", "text": texts["tour.now"]},
        {"at": "board", "text": texts["tour.move"]},
    ]


def choice_label(found: AnyGame, value: object, tongue: str) -> str:
    """A value of an option in words."""
    if isinstance(value, bool):
        return term("yes" if value else "no", tongue)
    return found.words[tongue].choices.get(value, value) if isinstance(value, str) else str(value)


def _clock(kind: str, tongue: str) -> answers.ClockOffered:
    return {
        "kind": kind,
        "label": term(f"clock.{kind}", tongue),
        "fields": [
            {"name": name, "label": term(f"clock.{name}", tongue), "default": default}
            for name, default in CLOCK_FIELDS[kind].items()
        ],
    }
