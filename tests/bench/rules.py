"""How fast the rules are: 6 Faces beside python-chess, and the commands beside an empty Python."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import chess

from companion.games import game, game_ids
from companion.games.position import Position, perft
from companion.record import read_record
from tests.bench.table import Row
from tests.records import deal

RUNS = 15  # of each command; the median counts


def rows() -> list[Row]:
    return [*perft_rows(), *command_rows()]


def perft_rows() -> list[Row]:
    """Both count the last ply by the number of its moves; neither remembers positions met before."""
    start = read_record('{"game": "six-faces"}').start
    perft(start, 3)
    ours = rate(lambda: perft(start, 4))
    peer = rate(lambda: chess_perft(chess.Board(), 4))
    speeds = [f"{speed:,.0f} nodes/s" for speed in (ours, peer)]
    row = Row("6 Faces perft 4", speeds[0], "python-chess perft 4", speeds[1], ours / peer, "≥ 3", ours >= 3 * peer)
    return [row]


def rate(count: Callable[[], int]) -> float:
    """The best of three, in counted nodes a second."""
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        nodes = count()
        best = max(best, nodes / (time.perf_counter() - began))
    return best


def chess_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += chess_perft(board, depth - 1)
        board.pop()
    return nodes


def command_rows() -> list[Row]:
    empty = seconds([sys.executable, "-c", "pass"])
    companion = str(Path(sys.executable).parent / "companion")

    def row(what: str, took: float, bar: str, met: bool) -> Row:
        return Row(what, f"{1000 * took:.0f} ms", "empty Python", f"{1000 * empty:.0f} ms", took / empty, bar, met)

    took = seconds([companion, "--help"])
    found = [row("companion --help", took, "≤ 150 ms", took <= 0.150)]
    with tempfile.TemporaryDirectory() as folder:
        for game_id in game_ids():
            file, record = Path(folder) / f"{game_id}.json", whole_game(game_id)
            file.write_text(json.dumps(record))
            took = seconds([companion, "judge", str(file)])
            what = f"judge {game_id}, {len(record['moves'])} moves"
            found.append(row(what, took, "≤ +50 ms", took - empty <= 0.050))
    return found


def seconds(command: list[str]) -> float:
    taken = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def whole_game(game_id: str) -> dict[str, Any]:
    """A game played at random to its end; in Trippples one that is decided by an indirect win, the slowest to judge."""
    for seed in range(1000):
        chance = Random(seed)
        record: dict[str, Any] = {"game": game_id, "setup": deal(game_id, chance), "moves": []}
        position: Position[Any] = read_record(json.dumps(record)).start
        while not position.outcome() and len(record["moves"]) < 400:
            move = chance.choice(list(position.moves()))
            record["moves"].append(str(move))
            position = position.play(move)
        outcome = position.outcome()
        if outcome and (game(game_id).id != "trippples" or outcome.why == "indirect"):
            return record
    raise SystemExit(f"no random game of {game_id} came to an end")
