"""The commands that follow a game with a camera: follow."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands import Argument, Command
from companion.commands.pictures import prepare
from companion.commands.rules import RECORD, checked, must_be_legal
from companion.games.position import BadInput
from companion.messages import say_bad, say_verdict

if TYPE_CHECKING:
    from companion.referee import Referee, Verdict


def _follow(given: argparse.Namespace, language: str) -> int:
    prepare()
    from companion.referee import Referee, line_of
    from vision.picture import open_picture
    from vision.reading import read_picture
    from vision.trouble import CannotRead

    record, played = checked(given.record, lambda record: (record, must_be_legal(record)))
    referee = Referee(line_of(record, played))
    status = 0
    for file in given.images:
        try:
            reading = read_picture(open_picture(Path(file)), record.game.id)
        except CannotRead as error:
            print(f"companion: {say_bad(BadInput(file, error.code, **error.params), language)}", file=sys.stderr)
            status = 2
            continue
        assert reading.look is not None  # the game was given
        verdict = referee.see(reading.look)
        told = {"file": file, **as_json(verdict, referee, language)}
        print(json.dumps(told, ensure_ascii=False), flush=True)
    return status


def as_json(verdict: Verdict, referee: Referee, language: str) -> dict[str, Any]:
    """A verdict as `companion follow` answers it: unseen draws and discards are left out."""
    moved = verdict.kind == "move"
    return {
        "verdict": verdict.kind,
        "moves": referee.seen_moves(len(verdict.moves)) if moved else [],
        "reason": say_verdict(verdict, language),
        "rule": verdict.reason.rule if verdict.reason else None,
        "squares": [wrong.square for wrong in verdict.wrong],
    }


COMMANDS = {
    "follow": Command(
        _follow,
        (
            RECORD,
            Argument("images", "follow-images", {"metavar": "IMAGE", "nargs": "+"}),
            Argument("--json", "json", {"action": "store_true"}),
        ),
    )
}
