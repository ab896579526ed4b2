"""Everything the companion says to people, in English and French: one catalogue a language, `en` and `fr`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib import import_module
from string import Formatter
from typing import TYPE_CHECKING, Any

from companion.games.position import BadInput, Reason

if TYPE_CHECKING:
    from companion.referee import Verdict, Wrong
    from companion.table import Question

LANGUAGES = ("en", "fr")
SQUARES = 6  # that are named when more are wrong
LONGEST = 60  # characters of what the user wrote that are shown to him again


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The user's language by his environment, English if it is not one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name, ""):
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"


class _Speaker(Formatter):
    """Fills in a sentence: `{player!t}` is a term of the catalogue, `{color!c}` a colour by its letter,
    `{text!j}` the user's own words, quoted."""

    def __init__(self, terms: Mapping[str, str]) -> None:
        self.terms = terms

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion == "t":
            return self.terms.get(str(value), str(value))
        if conversion == "c":
            return self.terms[f"color.{value}"]
        if conversion == "j":
            quoted = json.dumps(value, ensure_ascii=False)
            return quoted if len(quoted) <= LONGEST else quoted[: LONGEST - 1] + "…"
        return super().convert_field(value, conversion)


def _catalogue(language: str, section: str) -> dict[str, str]:
    found: dict[str, str] = getattr(import_module(f"companion.messages.{language}"), section)
    return found


def say(section: str, code: str, params: Mapping[str, object], language: str) -> str:
    """The sentence for a code; `section` is `REASONS`, `BAD` or `ENDINGS`."""
    return _Speaker(_catalogue(language, "TERMS")).vformat(_catalogue(language, section)[code], (), params)


def say_reason(reason: Reason, language: str) -> str:
    return say("REASONS", reason.code, reason.params, language)


def say_bad(bad: BadInput, language: str) -> str:
    """What is wrong with an input, in one line that names the field."""
    params = {name: say_reason(p, language) if isinstance(p, Reason) else p for name, p in bad.params.items()}
    text = say("BAD", bad.code, params, language)
    line = f"{bad.field}: {text}" if bad.field else text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def say_verdict(verdict: Verdict, language: str) -> str:
    """What the referee says of a look, with what to put right."""
    said = say("VERDICTS", verdict.code, {"moves": " ".join(verdict.moves)}, language)
    if verdict.reason:
        said = f"{said} {say_reason(verdict.reason, language)} ({verdict.reason.rule})."
    if verdict.wrong and verdict.kind in ("illegal", "unsure"):
        squares = ", ".join(_should(wrong, language) for wrong in verdict.wrong[:SQUARES])
        more = " …" if len(verdict.wrong) > SQUARES else ""
        said = f"{said} {say('VERDICTS', 'put-right', {'squares': squares + more}, language)}"
    return said


def say_question(question: Question, language: str) -> str:
    params = {**question.params, "moves": ", ".join(question.params.get("moves", ()))}
    said = say("QUESTIONS", question.code, params, language)
    return f"{said} ({' / '.join(question.choices)})" if question.code in ("which", "route") else said


def _should(wrong: Wrong, language: str) -> str:
    return say("VERDICTS", "square", wrong._asdict(), language)


def help_text(code: str, language: str) -> str:
    return _catalogue(language, "HELP")[code]


def term(word: str, language: str) -> str:
    return _catalogue(language, "TERMS").get(word, word)
