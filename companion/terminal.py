"""Boards drawn as text, and the demonstration in the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from companion.dealing import deal
from companion.games import game
from companion.games.position import Game, Position, Reason, Visible
from companion.judge import judge
from companion.messages import say, say_reason, term
from companion.record import read_record

ARROWS = dict(zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), "↑↗→↘↓↙←↖", strict=True))
PAWN_SIGNS = {"square1": "□", "square2": "■", "round1": "○", "round2": "●"}
TILE_SIGNS = {
    "start-square": "[ ]",
    "start-round": "( )",
    "finish-square": "[×]",
    "finish-round": "(×)",
    "neutral": "░░░",
    "down": "▓▓▓",
    "empty": " · ",
}
LIES = {":ne": "/", ":nw": "\\", ":ns": "‖", ":ew": "="}
PIECE_SIGNS = {
    ".": "·",
    "#": "▣",
    "x": "█",
    "o": "●",
    "@": "◉",
    "b": "b",
    "B": "B",
    "w": "w",
    "W": "W",
}
# Ink by what is shown: chosen to be told apart by the colour-blind too, and always beside a sign of its own.
INK = {
    "#": 33,
    "@": 33,
    "o": 208,
    "b": 39,
    "B": 39,
    "w": 252,
    "W": 252,
    "r": 203,
    "R": 203,
    "□": 214,
    "■": 203,
    "○": 39,
    "●": 78,
}
LONGEST_DEMO = 400  # moves; two who do not try to win may go on for ever


def ink(text: str, color: int | None, colored: bool) -> str:
    return f"\033[38;5;{color}m{text}\033[0m" if colored and color is not None else text


def draw(seen: Visible, colored: bool = False) -> str:
    """What a camera would see, as lines of text."""
    if "planks" in seen:
        return "\n".join(_plank_lines(seen, colored)) or "  –"
    rows = seen["rows"]
    tiles = rows[0][0] in TILE_SIGNS or "-" in rows[0][0]
    pawns = {square: PAWN_SIGNS[pawn] for pawn, square in seen.get("pawns", {}).items()}
    width = 4 if tiles else max(len(cell.partition(":")[0]) for row in rows for cell in row) + 1
    lines = []
    for n, row in enumerate(rows):
        number = len(rows) - n
        cells = []
        for column, code in enumerate(row):
            if tiles:
                sign = TILE_SIGNS.get(code) or "".join(ARROWS[way] for way in code.rstrip("~").split("-"))
                pawn = pawns.get("abcdefgh"[column] + str(number), " ")
                cells.append(sign + ink(pawn, INK.get(pawn), colored))
            else:
                face, colon, lie = code.partition(":")
                sign = PIECE_SIGNS.get(face, face) + LIES.get(colon + lie, "")
                cells.append(ink(sign, INK.get(code[0]), colored) + " " * (width - len(sign)))
        lines.append(f"{number:3}  " + " ".join(cells).rstrip())
    letters = " ".join(letter.ljust(width) for letter in "abcdefghi"[: len(rows[0])])
    return "\n".join([*lines, f"     {' ' if tiles else ''}{letters}".rstrip()])


def _plank_lines(seen: Visible, colored: bool) -> Iterator[str]:
    """Planks from north to south, as they lie on the table: each square its colour and, if any, its token's owner."""
    colors = {"R": 203, "W": 252, "B": 39}
    for plank in reversed(seen["planks"]):
        squares = [
            ink(f"{color} {token if token != '.' else ' ':3}", colors[color], colored)
            for color, token in zip(plank["colors"], plank["tokens"], strict=True)
        ]
        yield "     │ " + "│ ".join(squares) + "│"


def demo(games: tuple[str, ...], seed: int, language: str, colored: bool) -> Iterator[str]:
    """One refereed game of each kind, played at random: the lines to print."""
    yield f"{term('demo.title', language)}  (--seed {seed})"
    for game_id in games:
        chance = Random(f"{seed} {game_id}")
        played = game(game_id)
        setup = deal(game_id, chance)
        moves, refused = _random_game(played, setup, chance)
        verdict = judge(read_record(json.dumps({"game": game_id, "setup": setup, "moves": moves})), language)
        yield ""
        yield ink(f"── {term(f'game.{game_id}', language)} ".ljust(72, "─"), 180, colored)
        yield draw(verdict["visible"], colored)
        last = f", {term('demo.last', language)} {moves[-1]}" if moves else ""
        yield f"  {verdict['plies']} {term('demo.moves', language)}{last}"
        if refused:
            text, reason = refused
            yield f"  {term('demo.refused', language)}: {text} ({reason.rule}): {say_reason(reason, language)}"
        yield f"  {_result(verdict, language)}"


def _random_game(
    played: Game[Any], setup: dict[str, Any], chance: Random
) -> tuple[list[str], tuple[str, Reason] | None]:
    """The moves of a random game, and one that was possible earlier, tried again when it no longer was."""
    options = {name: option.default for name, option in played.options.items()}
    position: Position[Any] = played.start(options, setup)
    moves: list[str] = []
    refused = None
    earlier: list[Any] = []
    while not position.outcome() and len(moves) < LONGEST_DEMO:
        legal = list(position.moves())
        for move in chance.sample(earlier, min(3, len(earlier))):
            if (reason := position.why_not(move)) and (reason.rule != "turn" or not refused):
                refused = (str(move), reason)
        earlier = legal
        move = chance.choice(legal)
        moves.append(str(move))
        position = position.play(move)
    return moves, refused


def _result(verdict: dict[str, Any], language: str) -> str:
    scores = ", ".join(f"{term(player, language)} {score:g}" for player, score in verdict["scores"].items())
    if not verdict["over"]:
        return scores
    why = say("ENDINGS", verdict["why"], {}, language)
    if "solver" in verdict["scores"]:
        return why
    if verdict["winner"]:
        return f"{term(verdict['winner'], language)} {term('demo.wins', language)}: {why} ({scores})"
    return f"{term('demo.draw', language)}: {why} ({scores})" if verdict["draw"] else f"{why} ({scores})"
