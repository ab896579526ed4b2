"""Fills in what a sentence leaves open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from string import Formatter
from typing import Any, NamedTuple

LONGEST = 60  # characters of what the user wrote that are shown to him again


class Blank(NamedTuple):
    name: str
    form: str  # of a number, as Python's format has it; for `!n` the words for one and for several
    kind: str | None  # one of those that Speaker knows


@lru_cache(maxsize=4096)
def _parts(sentence: str) -> tuple[tuple[str, Blank | None], ...]:
    """Its words, each with the blank behind them. A page that lists all moves says one sentence a hundred times."""
    parts = Formatter().parse(sentence)
    return tuple((words, None if name is None else Blank(name, form or "", kind)) for words, name, form, kind in parts)


class Speaker:
    """Fills in a sentence: `{player!t}` is a term of the catalogue, `{ways!l}` a list of them, `{color!c}` a color by
    its letter, `{text!j}` the user's own words, quoted, `{games!n:game|games}` so many of something. A term may have
    blanks of its own."""

    def __init__(self, terms: Mapping[str, str], params: Mapping[str, object]) -> None:
        self.terms, self.params = terms, params

    def fill(self, sentence: str) -> str:
        said = ""
        for words, blank in _parts(sentence):
            said += words
            if blank and blank.kind == "n":
                said += self._counted(self.params[blank.name], *blank.form.split("|"))
            elif blank:
                said += format(self._filled(self.params[blank.name], blank.kind), blank.form)
        return said

    def _counted(self, count: object, one: str, several: str) -> str:
        """Which numbers are followed by the word for one, a language's term says: in French nought is one of them."""
        return f"{count} {one if str(count) in self.terms['singular'].split() else several}"

    def _filled(self, value: Any, kind: str | None) -> Any:
        if kind is None:
            return value
        if kind == "t":
            known = self.terms.get(str(value))
            return str(value) if known is None else self.fill(known)
        if kind == "c":
            return self.terms[f"color.{value}"]
        if kind == "l":
            return ", ".join(self.terms.get(str(one), str(one)) for one in value)
        if kind == "j":
            quoted = json.dumps(value, ensure_ascii=False)
            return quoted if len(quoted) <= LONGEST else quoted[: LONGEST - 1] + "…"
        raise ValueError(f"a blank of an unknown kind: {kind}")
