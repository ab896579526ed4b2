"""Rules on one sheet a game: the words are the game's own, the boards are drawn from legal play."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from companion.games.game import AnyGame, Rolls
from companion.games.sheet import Example
from companion.kit.sheets import Format, Page
from companion.messages import say
from companion.record import read_record, replay
from vision.codes import PIPS
from web.drawing import Marks, board_svg
from web.drawing.letters import lettered
from web.drawing.sheet import U
from web.rules import cited

# Up to so many characters of rules: points of their type, and millimetres of a board, so that a sheet is enough.
SIZES = ((700, 10.0, 80.0), (1300, 10.0, 66.0), (2200, 9.2, 56.0), (1_000_000, 7.9, 48.0))
ROLLS = 4.2  # millimetres to a square of the tables of rolls: all of them fit side by side
SMALL = 3  # so many of the tables, the smallest ones, lie one below the other
WITH_ROLLS = (7.9, 42.0)  # points and millimetres, as above


def example_svg(game: AnyGame, language: str) -> str:
    """A board of the game as its rules show it; nothing where they show none."""
    sheet = game.sheet(language)
    return drawn(game, sheet.examples[-1], language) if sheet and sheet.examples else ""


def drawn(game: AnyGame, example: Example, language: str) -> str:
    position = replay(read_record(json.dumps(example.record))).position
    marks = Marks(last=example.last, can=example.can, wrong=example.wrong)
    return board_svg(game, position, position.visible(), marks=marks, language=language)


def rules_pages(game: AnyGame, wanted: Format) -> list[Page]:
    language = wanted.language
    words = game.words[language]
    sheet = game.sheet(language)
    if sheet is None:
        return []

    def told(code: str) -> str:
        return say("KIT", code, {}, language)

    length = sum(map(len, sheet.rules.values()))
    size, widest = WITH_ROLLS if game.rolls else next(found for most, *found in SIZES if length <= most)
    numbered = [f"{number.rpartition('.')[2]}. {text}" for number, text in cited(sheet.rules, language).items()]
    pictures = [
        {
            "svg": drawn(game, example, language),
            "text": example.caption,
            "width": min(widest, 172 / len(sheet.examples) - 3),
        }
        for example in sheet.examples
    ]
    story: list[dict[str, Any]] = [
        {"kind": "title", "text": words.name},
        {"kind": "lead", "text": sheet.goal},
        {"kind": "heading", "text": told("rules.pieces")},
        {"kind": "text", "text": sheet.pieces},
        {"kind": "heading", "text": told("rules.turn")},
        {"kind": "steps", "items": list(sheet.turn)},
        {"kind": "heading", "text": told("rules.end")},
        {"kind": "text", "text": sheet.end},
        {"kind": "heading", "text": told("rules.examples")},
        {"kind": "pictures", "pictures": pictures},
    ]
    if game.rolls:
        story.append({"kind": "heading", "text": told("rules.rolls")})
        story.append({"kind": "small", "text": told("rules.rolls.how")})
        tables = game.rolls()
        beside = [tables[:SMALL], *([table] for table in tables[SMALL:])]
        shown = [{"svg": rolls_svg(some), "text": "", "width": max(map(_span, some)) * ROLLS} for some in beside]
        story.append({"kind": "pictures", "pictures": shown})
    story.append({"kind": "heading", "text": told("rules.rules")})
    columns = [[{"kind": "small", "text": one, "size": size} for one in half] for half in _halves(numbered)]
    return [Page(story=[*story, {"kind": "columns", "columns": columns}])]


def _halves(texts: list[str]) -> tuple[list[str], list[str]]:
    """Two columns as equally long as whole texts allow, the left one rather the longer."""
    lengths = [len(text) + 30 for text in texts]  # with what the gap after each takes
    left = min(range(1, len(texts) + 1), key=lambda n: abs(2 * sum(lengths[:n]) - sum(lengths) - 1))
    return texts[:left], texts[left:]


def _span(rolls: Rolls) -> int:
    """How many squares a table is wide."""
    return 2 * max(abs(x) for x, _ in rolls.ends) + 1


def rolls_svg(tables: Sequence[Rolls]) -> str:
    """Tables one below the other, a square apart."""
    wide, high = max(map(_span, tables)) * U, (sum(map(_span, tables)) + len(tables) - 1) * U
    drawn, y = [], 0.0
    for rolls in tables:
        drawn.append(f'<g transform="translate({wide / 2} {y + _span(rolls) * U / 2})">{_rolled(rolls)}</g>')
        y += (_span(rolls) + 1) * U
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -3 {wide + 6} {high + 6}" width="{wide + 6}" '
        f'height="{high + 6}">{"".join(drawn)}</svg>'
    )


def _rolled(rolls: Rolls) -> str:
    """A die amid the squares that it can reach, each with its new top: two where the way matters."""
    reach = max(abs(x) for x, _ in rolls.ends)
    drawn = []
    for (x, y), tops in rolls.ends.items():
        look = "#f3e3c4" if len(tops) == 1 else "#f8f0e0"
        drawn.append(_square(x, y, f'fill="{look}" stroke="#b99a68" stroke-width="2"'))
        below = 0.16 * U if (x, y) == (0, -1) else 0.0  # room for the digit of the face that looks this way
        text = "-".join(map(str, tops))
        strokes = lettered(text, x * U, -y * U + below, 2.6 if len(tops) == 1 else 2.3)
        drawn.append(f'<g fill="none" stroke="#222" stroke-width="2.4" stroke-linecap="round">{strokes}</g>')
    for x, y in {(x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1)} - {(0, 0)}:
        if abs(x) + abs(y) < reach:
            drawn.append(_square(x, y, 'fill="none" stroke="#ddd" stroke-width="2"'))
    drawn.append(_square(0, 0, 'fill="#fff" stroke="#000" stroke-width="5"'))
    drawn += [f'<circle cx="{x * 24}" cy="{-y * 24}" r="10"/>' for x, y in PIPS[rolls.die[1:]]]
    south = lettered(str(rolls.south), 0, 0.69 * U, 1.6)
    drawn.append(f'<g fill="none" stroke="#b3321f" stroke-width="2.6" stroke-linecap="round">{south}</g>')
    return "".join(drawn)


def _square(x: int, y: int, look: str) -> str:
    return f'<rect x="{(x - 0.5) * U}" y="{(-y - 0.5) * U}" width="{U}" height="{U}" {look}/>'
