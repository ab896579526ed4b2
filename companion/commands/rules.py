"""The commands that need nothing but the rules: judge, moves, perft."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from companion.commands import Argument, Command
from companion.errors import BadInput
from companion.games.position import perft
from companion.record import Record
from companion.record_files import checked, legal


def _judge(given: argparse.Namespace, language: str) -> int:
    from companion.judge import judge

    def answer(record: Record) -> dict[str, Any]:
        return {**judge(record, language), **({"analysis": _analysed(record, given.seconds)} if given.analyse else {})}

    print(json.dumps(checked(given.record, answer), ensure_ascii=False))
    return 0


def _analysed(record: Record, seconds: str | None) -> list[dict[str, Any]]:
    from companion.analysis import SECONDS, thrown_away
    from companion.commands.thinking import seconds_of

    def told(at: int, of: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{at}/{of}", end="\n" if at == of else "", file=sys.stderr, flush=True)

    return [mistake._asdict() for mistake in thrown_away(record, seconds_of(seconds, SECONDS), told)]


def _moves(given: argparse.Namespace, language: str) -> int:
    played = legal(given.record)
    moves = [] if played.outcome else sorted(map(str, played.position.moves()))
    print(json.dumps(moves, ensure_ascii=False))
    return 0


def _perft(given: argparse.Namespace, language: str) -> int:
    if not given.depth.isascii() or not given.depth.isdigit() or len(given.depth) > 9:
        raise BadInput("--depth", "not-a-depth", value=given.depth)
    depth = int(given.depth)
    played = legal(given.record)
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
    "moves": Command(_moves, (RECORD, AS_JSON)),
    "perft": Command(_perft, (RECORD, Argument("--depth", "depth", {"metavar": "N", "required": True}))),
}
