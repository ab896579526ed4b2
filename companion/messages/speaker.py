"""Fills in what a sentence leaves open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from string import Formatter
from typing import Any

LONGEST = 60  # characters of what the user wrote that are shown to him again


class Speaker(Formatter):
    """Fills in a sentence: `{player!t}` is a term of the catalogue, `{ways!l}` a list of them, `{color!c}` a color by
    its letter, `{text!j}` the user's own words, quoted. A term may have blanks of its own."""

    def __init__(self, terms: Mapping[str, str], params: Mapping[str, object]) -> None:
        self.terms, self.params = terms, params

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion == "t":
            known = self.terms.get(str(value))
            return str(value) if known is None else self.vformat(known, (), self.params)
        if conversion == "c":
            return self.terms[f"color.{value}"]
        if conversion == "l":
            return ", ".join(self.terms.get(str(one), str(one)) for one in value)
        if conversion == "j":
            quoted = json.dumps(value, ensure_ascii=False)
            return quoted if len(quoted) <= LONGEST else quoted[: LONGEST - 1] + "…"
        return super().convert_field(value, conversion)
