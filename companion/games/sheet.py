"""The rules of a game as text to read, from its `sheets` module."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple


class Example(NamedTuple):
    """An example board beside the rules: the last position of a record, with marks."""

    record: Mapping[str, Any]
    caption: str = ""
    last: tuple[str, ...] = ()  # squares that the caption speaks of
    can: tuple[str, ...] = ()  # where something may go
    wrong: tuple[str, ...] = ()  # where something may not be
    arrows: tuple[tuple[str, ...], ...] = ()  # each from a square to a square, by way of those on which it turns


class TourStep(NamedTuple):
    """A step of the tour: a part of the table page, and the text for it."""

    at: Literal["board", "now", "hand"]
    text: str


class RuleSheet(NamedTuple):
    """The rules in one language. `docs/rules.md` has the same rule numbers."""

    goal: str
    pieces: str
    turn: tuple[str, ...]  # a paragraph a step
    end: str
    rules: Mapping[str, str]  # by number, as verdicts cite them: "six-faces.3"
    options: Mapping[str, str] = {}  # what each option changes, by its name
    examples: tuple[Example, ...] = ()
    tour: tuple[TourStep, ...] = ()  # three or four steps; the last asks for a first move


def captioned(shown: tuple[Example, ...], *captions: str) -> tuple[Example, ...]:
    """The examples with captions in one language."""
    return tuple(example._replace(caption=caption) for example, caption in zip(shown, captions, strict=True))
