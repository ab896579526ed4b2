"""The rules of a game to be read: what its `sheets` module tells, in each language."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple


class Example(NamedTuple):
    """A board to look at beside the rules: a record as it stands after its last move, and what is pointed out."""

    record: Mapping[str, Any]
    caption: str = ""
    last: tuple[str, ...] = ()  # squares that the caption speaks of
    can: tuple[str, ...] = ()  # where something may go
    wrong: tuple[str, ...] = ()  # where something may not be
    arrows: tuple[tuple[str, ...], ...] = ()  # each from a square to a square, by way of those on which it turns


class TourStep(NamedTuple):
    """A step of the first game: the part of the table page that is pointed at, and what is said there."""

    at: Literal["board", "now", "hand"]
    text: str


class RuleSheet(NamedTuple):
    """The rules in one language, as somebody tells them who plays. `docs/rules.md` has the same numbers."""

    goal: str
    pieces: str
    turn: tuple[str, ...]  # a paragraph a step
    end: str
    rules: Mapping[str, str]  # by number, as verdicts cite them: "six-faces.3"
    options: Mapping[str, str] = {}  # what each option changes, by its name
    examples: tuple[Example, ...] = ()
    tour: tuple[TourStep, ...] = ()  # three or four steps; the last asks for a first move


def captioned(shown: tuple[Example, ...], *captions: str) -> tuple[Example, ...]:
    """The same boards, told in one language."""
    return tuple(example._replace(caption=caption) for example, caption in zip(shown, captions, strict=True))
