"""Everything the companion says to people, in English and French. One catalogue a language, `en.toml` and `fr.toml`."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from companion.games.position import BadInput, Reason

LANGUAGES = ("en", "fr")
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


@cache
def _catalogue(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text("utf-8"))


def say(section: str, code: str, params: Mapping[str, object], language: str) -> str:
    """The sentence for a code; `section` is `reasons`, `bad`, `endings` or `terms`."""
    catalogue = _catalogue(language)
    return _Speaker(catalogue["terms"]).vformat(catalogue[section][code], (), params)


def say_reason(reason: Reason, language: str) -> str:
    return say("reasons", reason.code, reason.params, language)


def say_bad(bad: BadInput, language: str) -> str:
    """What is wrong with an input, in one line that names the field."""
    text = say("bad", bad.code, bad.params, language)
    line = f"{bad.field}: {text}" if bad.field else text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def help_text(code: str, language: str) -> str:
    return _catalogue(language)["help"][code]


def term(word: str, language: str) -> str:
    return _catalogue(language)["terms"].get(word, word)
