"""The commands that need only the rules: judge, match, moves, perft."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.commands import Argument, Command
from companion.errors import BadInput
from companion.games.position import perft
from companion.messages import say
from companion.record import Record
from companion.record_files import read_legal, require_legal, use_record

if TYPE_CHECKING:
    from companion.games.match import Match


def _judge(given: argparse.Namespace, language: str) -> int:
    from companion.judge import judge

    def answer(record: Record) -> dict[str, Any]:
        return {**judge(record, language), **({"analysis": _analysed(record, given.seconds)} if given.analyse else {})}

    print(json.dumps(use_record(given.record, answer), ensure_ascii=False))
    return 0


def _analysed(record: Record, seconds: str | None) -> list[dict[str, Any]]:
    from companion.analysis import SECONDS, find_mistakes
    from companion.commands.thinking import seconds_of

    return [mistake._asdict() for mistake in find_mistakes(record, seconds_of(seconds, SECONDS), progress)]


def progress(at: int, of: int) -> None:
    """Show the progress of an analysis on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{at}/{of}", end="\n" if at == of else "", file=sys.stderr, flush=True)


def _match(given: argparse.Namespace, language: str) -> int:
    """Add up the records of a match, in the order of play."""
    from companion.summaries import standing

    games = None if given.games is None else _whole("--games", given.games)
    played: Match | None = None
    for file in given.records:
        more = partial(_with_game, before=played, games=games, records=len(given.records), language=language)
        played = use_record(file, more)
    assert played is not None
    print(json.dumps(_told(played, standing(played, language)), ensure_ascii=False))
    return 0


def _with_game(record: Record, before: Match | None, games: int | None, records: int, language: str) -> Match:
    """The match after one more game. The first game defines it. BadInput if the game does not belong to it."""
    from companion.games.match import match
    from companion.summaries import players_of

    outcome = require_legal(record).outcome
    if outcome is None:
        raise BadInput("", "not-over")
    seats, names = record.start.seats, players_of(record)
    if before is None:
        usual = record.game.match.multiple
        numbered = (say("FINDINGS", "match.player", {"number": n}, language) for n in range(1, len(seats) + 1))
        before = match(record.game, tuple(names or numbered), games or -(-records // usual) * usual)
    if record.game is not before.game:
        raise BadInput("game", "other-game", game=before.game.id, got=record.game.id)
    if names and sorted(names) != sorted(before.names):
        raise BadInput("about", "other-names", names=", ".join(before.names), got=", ".join(names))
    if len(before.played) >= before.games:
        raise BadInput("", "too-many-games", games=before.games)
    return before.after(outcome, dict(zip(seats, names, strict=True)) if names else None)


def _told(played: Match, text: str) -> dict[str, Any]:
    return {
        "game": played.game.id,
        "names": list(played.names),
        "games": played.games,
        "counts": played.game.match.counts,
        "played": [
            {"winner": outcome.winner, "draw": outcome.draw, "seats": dict(seats), "counted": played.counted(n)}
            for n, (outcome, seats) in enumerate(played.played)
        ],
        "totals": played.totals(),
        "over": played.over,
        "winners": list(played.winners()),
        "text": text,
    }


def _whole(option: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 2 or not int(text):
        raise BadInput(option, "not-a-whole-number", value=text, least=1, most=99)
    return int(text)


def _moves(given: argparse.Namespace, language: str) -> int:
    played = read_legal(given.record)
    moves = [] if played.outcome else sorted(map(str, played.position.moves()))
    print(json.dumps(moves, ensure_ascii=False))
    return 0


def _perft(given: argparse.Namespace, language: str) -> int:
    if not given.depth.isascii() or not given.depth.isdigit() or len(given.depth) > 9:
        raise BadInput("--depth", "not-a-depth", value=given.depth)
    depth = int(given.depth)
    played = read_legal(given.record)
    try:
        print(0 if played.outcome and depth else perft(played.position, depth, {}))
    except RecursionError:
        raise BadInput("--depth", "too-deep", value=given.depth) from None
    return 0


RECORD = Argument("record", "record", {"metavar": "RECORD"})
AS_JSON = Argument("--json", "json", {"action": "store_true"})
COMMANDS = {
    "judge": Command(
        _judge,
        (
            RECORD,
            Argument("--analyse", "judge-analyse", {"action": "store_true"}),
            Argument("--seconds", "judge-seconds", {"metavar": "S"}),
            AS_JSON,
        ),
    ),
    "match": Command(
        _match,
        (
            Argument("records", "match-records", {"metavar": "RECORD", "nargs": "+"}),
            Argument("--games", "match-games", {"metavar": "N"}),
            AS_JSON,
        ),
    ),
    "moves": Command(_moves, (RECORD, AS_JSON)),
    "perft": Command(_perft, (RECORD, Argument("--depth", "depth", {"metavar": "N", "required": True}))),
}
