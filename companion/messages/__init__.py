"""Everything the companion says to people, in English and French: one catalogue a language, `en` and `fr`.

A catalogue has sections, and a module for each room that speaks; only what is said is imported."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from companion.errors import BadInput, Reason
from companion.games import game, loaded_games

if TYPE_CHECKING:
    from companion.games.game import AnyGame
    from companion.games.position import Phrase
    from companion.referee import Verdict, Wrong
    from companion.store import Keeping
    from companion.table.table import Question

LANGUAGES = ("en", "fr")
SQUARES = 6  # that are named when more are wrong
SPACES = "\u00a0\u202f"  # before French colons and question marks


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The user's language by his environment, English if it is not one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name, ""):
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"


# In which modules of a catalogue its sections stand.
SECTIONS = {
    "REASONS": ("referee",),
    "ENDINGS": ("referee",),
    "VERDICTS": ("referee",),
    "QUESTIONS": ("referee",),
    "BAD": ("errors", "hall"),
    "PAGE": ("page", "hall"),
    "DEEDS": ("hall",),
    "FINDINGS": ("findings",),
    "TERMS": ("terms",),
    "KIT": ("kit",),
    "HELP": ("help",),
}


@cache
def catalogue(language: str, section: str) -> dict[str, str]:
    """A section of a language's catalogue; `ARGPARSE` has only what argparse does not say well itself."""
    found: dict[str, str] = {}
    for module in SECTIONS.get(section, ("help",)):
        found |= getattr(import_module(f"companion.messages.{language}.{module}"), section)
    return found


# Which of a game's own words belong to a section of the catalogues.
_OWN_WORDS = {
    "REASONS": ("reasons",),
    "ENDINGS": ("endings",),
    "BAD": ("bad",),
    "MOVES": ("moves",),
    "NOW": ("now",),
    "TERMS": ("terms", "pieces", "seats", "now"),
}


def _words(language: str, section: str) -> Mapping[str, str]:
    """A section of the catalogue, and what the games that were asked for say in it themselves."""
    games = loaded_games()
    known = _joined.get((language, section))
    if known is None or known[0] is not games:
        found: dict[str, str] = {}
        for played in reversed(games):
            for part in _OWN_WORDS.get(section, ()):
                found |= getattr(played.words[language], part)
        known = games, found if section in ("MOVES", "NOW") else found | catalogue(language, section)
        _joined[language, section] = known
    return known[1]


_joined: dict[tuple[str, str], tuple[object, Mapping[str, str]]] = {}  # and with which games' words


def spaced(text: str, language: str) -> str:
    """With the spaces that French puts before a mark made such that no line begins with the mark."""
    return re.sub(r" (?=[:;?!»%])|(?<=«) ", "\xa0", text) if language == "fr" else text


def say(section: str, code: str, params: Mapping[str, object], language: str) -> str:
    """The sentence for a code; `section` is one of the catalogues' (`REASONS`, `BAD`, `ENDINGS` …)."""
    return _filled(_words(language, section)[code], params, language)


def _filled(sentence: str, params: Mapping[str, object], language: str) -> str:
    from companion.messages.speaker import Speaker  # its module takes longer to load than most commands have to say

    return spaced(Speaker(_words(language, "TERMS"), params).fill(sentence), language)


def say_move(phrase: Phrase, language: str) -> str:
    """A move in words, as `Position.describe` tells it."""
    if phrase.code == "move":
        return str(phrase.params["move"])
    return _fill_move(_words(language, "MOVES")[phrase.code], tuple(phrase.params.items()), language)


@lru_cache(maxsize=4096)
def _fill_move(sentence: str, params: tuple[tuple[str, Hashable], ...], language: str) -> str:
    """Kept, since most moves of a position could be made in the one before it too."""
    return _filled(sentence, dict(params), language)


def say_now(phrase: Phrase, language: str) -> str:
    """What there is to do, as `Position.now` tells it."""
    return say("NOW", phrase.code, phrase.params, language)


def name_of(game_id: str, language: str) -> str:
    """What a game is called; its id if there is no such game any more."""
    try:
        return game(game_id).words[language].name
    except KeyError:
        return game_id


def say_reason(reason: Reason, language: str) -> str:
    return say("REASONS", reason.code, reason.params, language)


def say_bad(bad: BadInput, language: str) -> str:
    """What is wrong with an input, in one line that names the field."""
    params = {name: say_reason(p, language) if isinstance(p, Reason) else p for name, p in bad.params.items()}
    text = say("BAD", bad.code, params, language)
    line = f"{bad.field}: {text}" if bad.field else text
    return "".join(c if c.isprintable() or c in SPACES else c.encode("unicode_escape").decode() for c in line)


def say_keeping(keeping: Keeping, language: str) -> str:
    """Whether what is played is on disk, and if not, why."""
    why = say_bad(keeping.trouble, language) if keeping.trouble else ""
    return say(
        "FINDINGS", "keeping.ok" if keeping.ok else "keeping.waiting", {**keeping._asdict(), "why": why}, language
    )


def say_verdict(verdict: Verdict, language: str, game: AnyGame | None = None) -> str:
    """What the referee says of a look, with what to put right; in words where the game is known."""
    title = "unsure" if verdict.kind == "unsure" else "illegal" if verdict.code == "illegal" else ""
    said = " ".join(filter(None, [title and say("VERDICTS", title, {}, language), say_detail(verdict, language)]))
    if verdict.wrong and verdict.kind in ("illegal", "unsure"):
        squares = "; ".join(_should(wrong, language, game) for wrong in verdict.wrong[:SQUARES])
        more = " …" if len(verdict.wrong) > SQUARES else ""
        said = f"{said} {say('VERDICTS', 'put-right', {'squares': squares + more}, language)}"
    return said


def say_detail(verdict: Verdict, language: str, told: Sequence[str] | None = None) -> str:
    """The same where its kind and the squares are shown beside it; `told`: its moves in words."""
    moves = {"moves": " ".join(verdict.moves) if told is None else "; ".join(told)}
    params = {**moves, "squares": ", ".join(verdict.on)}
    told = "" if verdict.code == "illegal" else say("VERDICTS", verdict.code, params, language)
    reason = f"{say_reason(verdict.reason, language)} ({verdict.reason.rule})." if verdict.reason else ""
    return " ".join(filter(None, [told, reason]))


def say_question(question: Question, language: str, told: Sequence[str] | None = None) -> str:
    """`told`: the moves that it is about, in words, where the answers to choose from are shown beside it."""
    moves = question.params.get("moves", ())
    params = {**question.params, "moves": ", ".join(moves) if told is None else "; ".join(told)}
    said = say("QUESTIONS", question.code, params, language)
    return f"{said} ({' / '.join(question.choices)})" if told is None and question.code in ("which", "route") else said


def _should(wrong: Wrong, language: str, game: AnyGame | None) -> str:
    if game is None:
        return say("VERDICTS", "square", wrong._asdict(), language)
    from companion.messages.seen import say_seen  # which needs this module

    if wrong.square in _words(language, "TERMS"):  # a pawn, with where it belongs and stands
        said = {"square": term(wrong.square, language), "should": wrong.should, "seen": wrong.seen or "–"}
    else:
        should, seen = say_seen(game, wrong.should, language), say_seen(game, wrong.seen, language)
        said = {"square": wrong.square, "should": should, "seen": seen}
    return say("VERDICTS", "square", said, language)


def help_text(code: str, language: str) -> str:
    return catalogue(language, "HELP")[code]


def argparse_words(language: str) -> dict[str, str]:
    """What is said instead of argparse's own English words."""
    return catalogue(language, "ARGPARSE")


def term(word: str, language: str) -> str:
    return _words(language, "TERMS").get(word, word)
