"""How the player at the simulated table chooses his moves."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from companion.games.position import Position
from companion.games.six_faces import BOARD
from companion.games.trippples import FRAME
from companion.solvers.trippples import solve


def sensible(game_id: str, position: Position[Any], chance: Random) -> Any:
    """A legal move by chance, but a winning one where there is one, and such that games come to an end."""
    moves = list(position.moves())
    here: Any = position
    if game_id == "trippples" and not here.placing:
        return _way_home(here, moves, chance)
    if game_id in ("six-faces", "plank"):
        me = position.to_move
        for move in moves:
            outcome = position.play(move).outcome()
            if outcome and outcome.winner == me:
                return move
    if game_id == "six-faces":
        enemy = "r" if here.turn == "white" else "w"
        takes = [move for move in moves if here.dice[BOARD.number[move.squares[-1]]][:1] == enemy]
        if takes and chance.random() < 0.7:
            return chance.choice(takes)
    if game_id.startswith("pegs"):
        covers = [move for move in moves if re.fullmatch("[a-g][1-7][a-g][1-7]", str(move))]
        if covers and chance.random() < (0.75 if game_id == "pegs" else 0.25):
            return chance.choice(covers)
        pegs = [move for move in moves if str(move).startswith("o")]
        if pegs and chance.random() < 0.9:
            return chance.choice(pegs)
    return chance.choice(moves)


def _way_home(position: Any, moves: list[Any], chance: Random) -> Any:
    """By exact analysis where the frame lies open before two; else mostly towards the finish."""
    turn = position.turn
    if len(position.pawns) == 2 and "down" not in position.tiles:
        solution = solve(position.field)
        worth = {}
        for move in moves:
            after = position.play(move)
            if after.why:
                worth[move] = (
                    1000 if after.winner == position.players[turn & 1] else 0 if after.winner is None else -1000
                )
                continue
            found = solution.decided((after.pawns, after.turn, after.again))
            worth[move] = 0 if not found else (500 - found.moves) * (1 if found.winner == turn else -1)
        best = max(worth.values())
        if best != 0:
            return chance.choice([move for move in moves if worth[move] == best])
        moves = [move for move in moves if worth[move] == 0]
    x, y = position.rules.finishes[turn] % 8, position.rules.finishes[turn] // 8

    def away(move: Any) -> int:
        at: int = FRAME.number[move.to]
        return int(max(abs(at % 8 - x), abs(at // 8 - y)))

    nearest = [move for move in moves if away(move) == min(map(away, moves))]
    return chance.choice(nearest if chance.random() < 0.7 else moves)
