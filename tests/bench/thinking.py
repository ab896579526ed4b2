"""How fast we think: 6 Faces beside python-chess, Trippples boards solved, first hints, and how soon a search ends."""

from __future__ import annotations

import statistics
import threading
import time
from random import Random
from typing import Any

import chess

from companion.games import game_ids
from companion.games.position import Position
from companion.games.retrograde import solve
from companion.solvers import compiled
from companion.solvers.hint import Budget, Stop
from companion.solvers.six_faces import search
from companion.solvers.thinker import Thinker
from companion.solvers.trippples import solved
from tests.bench.rules import chess_perft
from tests.bench.table import Row
from tests.solvers.positions import dealt, position_of, think

BOARDS = 50  # of Trippples
SOON, SOLVED, ENDED = 0.200, 0.050, 0.020  # seconds


def rows() -> list[Row]:
    if compiled.core is None:
        raise SystemExit("the compiled core is not built: make compiler setup")
    return [*node_rows(), *solved_rows(), *first_hint_rows(), *ended_rows()]


def node_rows() -> list[Row]:
    """A node of ours is a position that the search has gone to and looked at. python-chess walks its opening by legal
    moves; it counts the last ply by the number of its moves, which is more than three times as fast as to play them.
    In processor's time, so that a busy machine slows both alike."""
    positions: Any = [position_of(mid_game("six-faces", seed, 8)) for seed in (3, 5)]
    ours, theirs = 0.0, 0.0
    for _ in range(3):
        for position in positions:
            begun = time.process_time()
            rates = [a.nodes / (time.process_time() - begun) for a in search(position, Budget(60, work=4_000_000))]
            ours = max(ours, rates[-1])  # up to the last answer; nodes that came after it are told by none
        begun = time.process_time()
        theirs = max(theirs, chess_perft(chess.Board(), 4) / (time.process_time() - begun))
    speeds = [f"{speed:,.0f} nodes/s" for speed in (ours, theirs)]
    peer = "python-chess's legal-move walk"
    return [Row("6 Faces search", speeds[0], peer, speeds[1], ours / theirs, "≥ 10", ours >= 10 * theirs)]


def mid_game(game_id: str, seed: int, moves: int) -> dict[str, Any]:
    """A record of a game played at random for so many moves, one that goes on."""
    for attempt in range(100):
        chance = Random(f"{game_id} {seed} {attempt}")
        record = {**dealt(game_id, chance), "moves": []}
        position: Position[Any] = position_of(record)
        while len(record["moves"]) < moves and not position.outcome():
            move = chance.choice(list(position.moves()))
            record["moves"].append(str(move))
            position = position.play(move)
        if not position.outcome():
            return record
    raise SystemExit(f"no random game of {game_id} lasts {moves} moves")


def solved_rows() -> list[Row]:
    boards: Any = [
        position_of(dealt("trippples", Random(seed), wild=seed % 2 == 1)).field  # type: ignore[attr-defined]
        for seed in range(BOARDS)
    ]
    found = []
    for what, way in (("compiled", solved), ("the pure way", solve)):
        taken = []
        for board in boards:
            begun = time.process_time()
            way(board, True)
            taken.append(time.process_time() - begun)
        worst, ours = max(taken), f"{1000 * statistics.median(taken):.2f} ms, at most {1000 * max(taken):.1f}"
        name = f"Trippples board solved, {what}"
        found.append(Row(name, ours, "the bar", f"{1000 * SOLVED:.0f} ms", worst / SOLVED, "≤ 1", worst <= SOLVED))
    return found


def first_hint_rows() -> list[Row]:
    """From the question to the thinker's first answer, the slowest of some mid-game positions."""
    found, thinker = [], Thinker()
    thinker.submit({"game": "six-faces"}, 1)
    wait(thinker)  # it has started
    for game_id in game_ids():
        taken = []
        for seed in range(5):
            record = mid_game(game_id, seed, 4 if game_id in ("hepta-solo", "tetrods", "pegs-solo") else 12)
            begun = time.perf_counter()
            thinker.submit(record, 1)
            wait(thinker)
            taken.append(time.perf_counter() - begun)
        worst = max(taken)
        ours = f"{1000 * statistics.median(taken):.0f} ms, at most {1000 * worst:.0f}"
        bar = f"{1000 * SOON:.0f} ms"
        found.append(Row(f"first hint, {game_id}", ours, "the bar", bar, worst / SOON, "≤ 1", worst <= SOON))
    thinker.close()
    return found


def wait(thinker: Thinker) -> None:
    until = time.monotonic() + 30
    while thinker.newest() is None and not thinker.done and time.monotonic() < until:
        time.sleep(0.001)


def ended_rows() -> list[Row]:
    """From being told to stop to the end of the search, the slowest of all games."""
    taken = []
    for game_id in game_ids():
        for seed in range(4):
            position, stop, told = position_of(mid_game(game_id, seed, 3)), Stop(), [0.0]

            def tell(stop: Stop = stop, told: list[float] = told) -> None:
                time.sleep(0.1)
                told[0] = time.perf_counter()
                stop.set()

            thread = threading.Thread(target=tell)
            thread.start()
            for _ in think(position, Budget(20, seed, stop)):
                pass
            if stop:
                taken.append(time.perf_counter() - told[0])
            thread.join()
    ours = f"{1000 * statistics.median(taken):.1f} ms, at most {1000 * max(taken):.1f}"
    met = max(taken) <= ENDED
    return [Row("a search told to end", ours, "the bar", f"{1000 * ENDED:.0f} ms", max(taken) / ENDED, "≤ 1", met)]
