"""Stored games in words: the players, the result, the match."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import BadInput
from companion.games.match import Match
from companion.games.position import AnyPosition, Seat, Solitaire
from companion.messages import say, term
from companion.record import ENDINGS, Record, read_record

MATES = " & "  # between the names of partners


def players(about: Any, record: Callable[[], Mapping[str, Any]]) -> list[str]:
    """The players by a record's `about`: a list or an object `players`, or a name for each seat."""
    return _named(about, lambda: read_record(json.dumps({**record(), "moves": []})).start.seats)


def players_of(record: Record) -> list[str]:
    """The players of a parsed record."""
    return _named(record.about, lambda: record.start.seats)


def _named(about: Any, seats: Callable[[], tuple[Seat, ...]]) -> list[str]:
    about = about if isinstance(about, dict) else {}
    given = about.get("players")
    if given is None and about:
        try:
            given = [about[seat] for seat in seats() if seat in about]
        except BadInput:  # what no companion of today plays
            return []
    names = given.values() if isinstance(given, dict) else given if isinstance(given, list) else [given]
    return [name for name in names if isinstance(name, str)]


def seat_names(record: Mapping[str, Any], position: AnyPosition) -> dict[Seat, str]:
    """The names of seats, and of sides whose seats all have names: those of partners are joined."""
    given = players(record.get("about"), lambda: record)
    seats = {seat: name for seat, name in zip(position.seats, given, strict=False) if name}
    named = dict(seats)
    for side in position.players:
        mates = [seat for seat in position.seats if position.side(seat) == side]
        if side not in seats and mates and all(seat in seats for seat in mates):
            named[side] = MATES.join(seats[seat] for seat in mates)
    return named


def scored_names(record: Mapping[str, Any]) -> dict[Seat, str]:
    """The names of the players or teams that a record scores, if it has names."""
    if not record.get("about"):
        return {}
    try:
        return seat_names(record, read_record(json.dumps({**record, "moves": [], "result": None})).start)
    except BadInput:  # what no companion of today plays
        return {}


def ending(
    ended: Mapping[str, Any],
    language: str,
    names: Mapping[Seat, str] = {},
    solving: tuple[float, int] | None = None,
) -> str:
    """The result of a game: winner, reason and score. `solving`: the seconds and the hints of a solitaire."""
    try:
        why = say("ENDINGS", ended["why"], {}, language)
    except KeyError:  # what no companion of today says
        why = str(ended["why"])
    winner = ended["winner"]
    scores = ended.get("scores") or {}
    if winner in Solitaire.players or set(scores) == set(Solitaire.players):
        return _solved(solving, language) if winner else _capital(f"{term('solo.unsolved', language)}{why}")
    drawn = ended.get("draw", ended["why"] in ENDINGS)  # if people end a game without a winner it is a draw
    won = names.get(winner, winner)
    code = "live.win" if MATES in str(won) else "live.wins"
    head = say("FINDINGS", code, {"player": won}, language) if winner else term("live.draw", language) if drawn else ""
    head += term("colon", language) if head else ""
    named = {names.get(player) or term(player, language): score for player, score in scores.items()}
    told = ", ".join(_scored(named, language))
    return _capital(f"{head}{why}" + (f" ({told})" if told else ""))


def standing(played: Match, language: str) -> str:
    """The score of a match, or its result."""
    totals = played.totals()
    score = " – ".join(_scored({name: totals[name] for name in played.names}, language))
    if not played.over:
        return score
    winners = played.winners()
    params = {"player": MATES.join(winners), "score": score}
    code = "match.drawn" if not winners else "match.won-together" if len(winners) > 1 else "match.won"
    return say("FINDINGS", code, params, language)


def _scored(scores: Mapping[str, float], language: str) -> list[str]:
    """Each name with its score: "Ann: 1½"."""
    return [f"{name}{term('colon', language)}{_points(score)}" for name, score in scores.items()]


def _points(score: float) -> str:
    return "½" if score == 0.5 else f"{score:g}".replace(".5", "½")


def _solved(solving: tuple[float, int] | None, language: str) -> str:
    if solving is None:
        return _capital(say("ENDINGS", "solved", {}, language))
    seconds, hints = solving
    told = say("FINDINGS", "solo.solved", {"time": duration(seconds)}, language)
    if hints:
        told += f", {say('FINDINGS', 'solo.hints', {'count': hints}, language)}"
    return told


def duration(seconds: float) -> str:
    """A time as on a clock: 3:12, 1:03:12."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
