"""Kept games in words: who played, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import BadInput
from companion.games.position import Solitaire
from companion.messages import say, term
from companion.record import ENDINGS, read_record


def players(about: Any, record: Callable[[], Mapping[str, Any]]) -> list[str]:
    """Who played, as `about` has it: a list or table of `players`, or a name for each seat."""
    about = about if isinstance(about, dict) else {}
    given = about.get("players")
    if given is None and about:
        try:
            seats = read_record(json.dumps({**record(), "moves": []})).start.seats
        except BadInput:  # what no companion of today plays
            return []
        given = [about[seat] for seat in seats if seat in about]
    names = given.values() if isinstance(given, dict) else given if isinstance(given, list) else [given]
    return [name for name in names if isinstance(name, str)]


def ending(ended: Mapping[str, Any], language: str) -> str:
    try:
        why = say("ENDINGS", ended["why"], {}, language)
    except KeyError:  # what no companion of today says
        why = str(ended["why"])
    scores = ", ".join(f"{term(player, language)} {score:g}" for player, score in (ended.get("scores") or {}).items())
    winner = ended["winner"]
    drawn = ended.get("draw", ended["why"] in ENDINGS)  # what people ended without a winner is a draw
    if winner in Solitaire.players:
        return _capital(why)
    head = f"{say('FINDINGS', 'live.wins', {'player': winner}, language)}: " if winner else ""
    if drawn and not winner:
        head = f"{term('live.draw', language)}: "
    return _capital(f"{head}{why}" + (f" ({scores})" if scores else ""))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
