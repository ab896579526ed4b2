"""A stored game and its review as the API returns them, in the reader's language. Shared files use the same views."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from companion.analysis import Evaluation, Mistake, evaluate
from companion.errors import BadInput
from companion.events import ClockChanged, KeptGame, MatchGame, Ply
from companion.messages import name_of, say, say_move, term
from companion.record import Record, Replay, Stood, read_record, replay
from companion.summaries import ending, players, seat_names
from web import answers
from web.drawing.graph import Point, graph_svg
from web.move_views import pieces_of
from web.summaries import decided_by


def game_view(number: int, kept: KeptGame, tongue: str) -> answers.Game:
    """BadInput if the record is not valid in this version."""
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
        "match": match_view(kept.match, number),
        "record": cast(answers.Record, record),
        "result": result_view(kept.ended, tongue, given, _solving(kept)),
        "began": kept.began,
        "last": kept.last,
        "plies": _plies(kept, read, played, tongue),
    }


def result_view(
    ended: Mapping[str, Any] | None, tongue: str, names: Mapping[str, str], solving: tuple[float, int] | None
) -> answers.Result | None:
    if not ended:
        return None
    return cast(answers.Result, {**ended, "text": ending(ended, tongue, names, solving)})


def match_view(of: MatchGame | None, number: int) -> answers.InMatch | None:
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
    """A move in words; for an illegal step that stood its note."""
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


def _left(clocks: Iterable[ClockChanged], ply: int, seat: str | None) -> float | None:
    """The mover's remaining time after this ply."""
    left = None
    for turned in clocks:
        if turned.get("ply") == ply and seat in (turned.get("seats") or {}):
            left = turned["seats"][str(seat)].get("main")
    return left


# --- the review


def review_view(
    record: Mapping[str, Any], found: Sequence[Evaluation], told: answers.Game, tongue: str
) -> answers.Review:
    """The evaluations so far as a review."""
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


LONGEST = 600.0  # seconds; longer bars are cut off so that the others stay visible


def _mistake(mistake: Mistake, read: Record, played: Replay, names: Mapping[str, str], tongue: str) -> answers.Mistake:
    position = played.positions[mistake.ply]
    better = read.game.read(mistake.better)
    words = say_move(position.describe(better), tongue)
    alone = read.game.is_solitaire
    code = "review.alone" if alone else f"review.{mistake.threw_away}"
    params = {"player": names.get(mistake.player, mistake.player), "better": words}
    return {
        "ply": mistake.ply + 1,
        "move": mistake.move,
        "player": mistake.player,
        "threw_away": cast(Any, mistake.threw_away),
        "better": mistake.better,
        "better_words": words,
        "squares": list(position.trace(better).touch),
        "goes": bool(position.trace(better).start),
        "exact": mistake.exact,
        "text": say("FINDINGS", code, params, tongue),
    }


def evaluate_game(
    record: Mapping[str, Any], seconds: float, progress: Callable[[int, int], None] = lambda at, of: None
) -> list[Evaluation]:
    """Evaluate a whole game in this process. `progress` is called with each ply and the number of plies."""
    read = read_record(json.dumps(record))
    plies, found = replay(read).plies, []
    for one in evaluate(read, seconds):
        found.append(one)
        if one.ply:
            progress(one.ply, plies)
    return found


def parse_evaluation(data: Any) -> Evaluation:
    """An evaluation from the JSON of the analysis process."""
    ply, side, value, exact, mistake = data
    return Evaluation(ply, side, value, exact, Mistake(*mistake) if mistake else None)


def require_ended(kept: KeptGame) -> None:
    """BadInput if the game has not ended: a review would be a hint."""
    if not kept.ended:
        raise BadInput("", "not-over")
