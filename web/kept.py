"""A game of the log in words: its moves with their times, pictures and clock, and what a review found in it.

What the page shows and what is shared in a file is told here, once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from companion.analysis import Assessed, Thrown, assess
from companion.errors import BadInput
from companion.events import ClockTurned, KeptGame, MatchGame, Ply
from companion.messages import name_of, say, say_move, term
from companion.record import Record, Replay, Stood, read_record, replay
from companion.summaries import ending, players, seat_names
from web import answers
from web.drawing.graph import Point, graph_svg
from web.summaries import decided_by
from web.telling import pieces_of


def told_game(number: int, kept: KeptGame, tongue: str) -> answers.Game:
    """BadInput if it is none that a companion of today plays."""
    record = kept.record
    read = read_record(json.dumps(record))
    played = replay(read)
    names = {seat: term(seat, tongue) for seat in (*played.position.players, *played.position.seats)}
    given = seat_names(record, played.position)
    return {
        "id": number,
        "game": record["game"],
        "name": name_of(record["game"], tongue),
        "title": kept.shelf.name,
        "keep": kept.shelf.keep,
        "players": players(record.get("about"), lambda: record),
        "seats": list(played.position.seats),
        "names": names | given,
        "decided": decided_by(played.position),
        "match": match_told(kept.match, number),
        "record": cast(answers.Record, record),
        "result": result_told(kept.ended, tongue, given, _solving(kept)),
        "began": kept.began,
        "last": kept.last,
        "plies": _plies(kept, read, played, tongue),
    }


def result_told(
    ended: Mapping[str, Any] | None, tongue: str, names: Mapping[str, str], solving: tuple[float, int] | None
) -> answers.Result | None:
    if not ended:
        return None
    return cast(answers.Result, {**ended, "text": ending(ended, tongue, names, solving)})


def match_told(of: MatchGame | None, number: int) -> answers.InMatch | None:
    return {"first": of["first"] or number, "number": of["number"] + 1, "games": of["games"]} if of else None


def _solving(kept: KeptGame) -> tuple[float, int]:
    return kept.time.until(kept.last), kept.hinted


def _plies(kept: KeptGame, read: Record, played: Replay, tongue: str) -> list[answers.KeptPly]:
    told: list[answers.KeptPly] = []
    before = kept.began
    for n, ply in enumerate(kept.plies()):
        seat = played.positions[n].to_move if n < len(played.positions) else None
        spent = round(ply.at - before, 3) if ply.by is not None else None
        told.append(
            {
                "ply": n + 1,
                "move": ply.entry,
                "words": words_of(read, played, n, tongue),
                "pieces": _pieces(read, played, n, tongue),
                "seat": seat,
                "time": ply.at,
                "spent": spent,
                "left": _left(kept.clocks, n + 1, seat),
                "by": ply.by,
                "picture": _picture(ply),
            }
        )
        before = ply.at
    return told


def _picture(ply: Ply) -> str | None:
    return None if ply.picture is None else f"/api/pictures/{ply.picture}.jpg"


def words_of(read: Record, played: Replay, n: int, tongue: str) -> str:
    """A move in words; what stood though it was illegal, by the note that was made."""
    entry = read.moves[n]
    if isinstance(entry, Stood):
        return entry.note or term("stood", tongue)
    if n >= len(played.positions) - 1:
        return entry
    return say_move(played.positions[n].describe(read.game.read(entry)), tongue)


def _pieces(read: Record, played: Replay, n: int, tongue: str) -> list[answers.Piece]:
    entry = read.moves[n]
    if isinstance(entry, Stood) or n >= len(played.positions) - 1:
        return []
    return pieces_of(played.positions[n].trace(read.game.read(entry)), tongue)


def _left(clocks: Iterable[ClockTurned], ply: int, seat: str | None) -> float | None:
    """What the one who moved had left on his clock when the move was made."""
    left = None
    for turned in clocks:
        if turned.get("ply") == ply and seat in (turned.get("seats") or {}):
            left = turned["seats"][str(seat)].get("main")
    return left


# --- the review


def told_review(
    record: Mapping[str, Any], found: Sequence[Assessed], told: answers.Game, tongue: str
) -> answers.Review:
    """What was found so far."""
    read = read_record(json.dumps(record))
    played = replay(read)
    thrown = [one.thrown for one in found if one.thrown]
    points = [Point(one.ply, one.side, one.value) for one in found if one.value is not None]
    times = [(ply["seat"], min(ply["spent"] or 0.0, LONGEST)) for ply in told["plies"]]
    label = say("FINDINGS", "review.graph", {"mistakes": len(thrown)}, tongue)
    mistakes = [one.ply + 1 for one in thrown]
    return {
        "done": len(found),
        "of": len(played.positions),
        "values": [
            {"ply": one.ply, "side": one.side, "value": one.value, "exact": one.exact}
            for one in found
            if one.value is not None
        ],
        "mistakes": [_mistake(one, read, played, told["names"], tongue) for one in thrown],
        "graph": graph_svg(label, played.plies, points, mistakes, times) if len(points) > 1 else None,
    }


LONGEST = 600.0  # seconds: who went away for longer does not make all other bars invisible


def _mistake(thrown: Thrown, read: Record, played: Replay, names: Mapping[str, str], tongue: str) -> answers.Mistake:
    position = played.positions[thrown.ply]
    better = read.game.read(thrown.better)
    words = say_move(position.describe(better), tongue)
    alone = read.game.is_solitaire
    code = "review.alone" if alone else f"review.{thrown.threw_away}"
    params = {"player": names.get(thrown.player, thrown.player), "better": words}
    return {
        "ply": thrown.ply + 1,
        "move": thrown.move,
        "player": thrown.player,
        "threw_away": cast(Any, thrown.threw_away),
        "better": thrown.better,
        "better_words": words,
        "squares": list(position.trace(better).touch),
        "goes": bool(position.trace(better).start),
        "exact": thrown.exact,
        "text": say("FINDINGS", code, params, tongue),
    }


def assessed(
    record: Mapping[str, Any], seconds: float, told: Callable[[int, int], None] = lambda at, of: None
) -> list[Assessed]:
    """All at once, here. `told` hears of each position: its number, and of how many."""
    read = read_record(json.dumps(record))
    plies, found = replay(read).plies, []
    for one in assess(read, seconds):
        found.append(one)
        if one.ply:
            told(one.ply, plies)
    return found


def assessed_from(data: Any) -> Assessed:
    """As the process that thinks tells it."""
    ply, side, value, exact, thrown = data
    return Assessed(ply, side, value, exact, Thrown(*thrown) if thrown else None)


def must_have_ended(kept: KeptGame) -> None:
    """What is reviewed while it is played would be a hint."""
    if not kept.ended:
        raise BadInput("", "not-over")
