"""The command draw. The drawing code is imported when it runs, the rasterizer only for a PNG."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands import Argument, Command
from companion.commands.rules import RECORD
from companion.errors import BadInput
from companion.games.position import AnyPosition
from companion.record import Record, Stood
from companion.record_files import require_legal, use_record

WIDTH, NARROWEST, WIDEST = 900, 16, 4096


def _draw(given: argparse.Namespace, language: str) -> int:
    kind = _kind(given.output)
    if given.width is not None and kind != "png":
        raise BadInput("--width", "width-for-png")
    width = WIDTH if given.width is None else _whole("--width", given.width, NARROWEST, WIDEST)
    svg = use_record(given.record, lambda record: _drawn(record, given.ply, given.flip, language))
    if given.output in (None, "-"):
        print(svg)
        return 0
    data = svg.encode()
    if kind == "png":
        from resvg_py import svg_to_bytes

        data = svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)  # letters are drawn as strokes
    try:
        Path(given.output).write_bytes(data)
    except OSError as error:
        raise BadInput(given.output, "cannot-open", error=error.strerror) from None
    except ValueError as error:  # a name with a null character
        raise BadInput(given.output, "cannot-open", error=str(error)) from None
    return 0


def _drawn(record: Record, ply: str | None, flipped: bool, language: str) -> str:
    from web.drawing import Marks, board_svg

    played = require_legal(record)
    at = played.plies if ply is None else _whole("--ply", ply, 0, played.plies)
    position = played.positions[at]
    marks = Marks(last=_last_seen(record, played.positions[:at]))
    return board_svg(record.game, position, position.visible(), marks=marks, language=language, flipped=flipped)


def _last_seen(record: Record, before: list[AnyPosition]) -> tuple[str, ...]:
    """The squares of the last visible move; draws, discards and choices are not visible."""
    for ply in reversed(range(len(before))):
        position, entry = before[ply], record.moves[ply]
        if isinstance(entry, Stood):
            return ()
        move = record.game.read(entry)
        if position.is_seen(move):
            return position.trace(move).shown
    return ()


def _kind(output: str | None) -> str:
    if output in (None, "-"):
        return "svg"
    kind = Path(str(output)).suffix.lower().removeprefix(".")
    if kind not in ("svg", "png"):
        raise BadInput("--output", "not-a-picture-name", value=output)
    return kind


def _whole(option: str, text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not least <= int(text) <= most:
        raise BadInput(option, "not-a-number", value=text, least=least, most=most)
    return int(text)


COMMANDS = {
    "draw": Command(
        _draw,
        (
            RECORD,
            Argument("-o, --output", "draw-output", {"metavar": "FILE"}),
            Argument("--ply", "draw-ply", {"metavar": "N"}),
            Argument("--flip", "draw-flip", {"action": "store_true"}),
            Argument("--width", "draw-width", {"metavar": "PIXELS"}),
        ),
    ),
}
