"""How the player at the simulated table chooses his moves."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from companion.games.position import Position
from companion.games.six_faces import BOARD
from companion.games.trippples import FRAME
from companion.solvers.retrograde import solve

LOOKED_AT = 40  # moves of which it is asked whether they let the next player win


def sensible(game_id: str, position: Position[Any], chance: Random, tired: bool = False) -> Any:
    """A legal move by chance, but a winning one where there is one, and such that games come to an end.

    Who is tired overlooks that a move lets the other win.
    """
    moves = list(position.moves())
    here: Any = position
    if game_id == "trippples" and not here.placing:
        return _way_home(here, moves, chance, tired)
    if game_id in ("six-faces", "plank"):
        for move in moves:
            if _wins(position, move):
                return move
        chance.shuffle(moves)
        if game_id == "six-faces":  # rather take something than not
            moves.sort(key=lambda move: not here.dice[BOARD.number[move.squares[-1]]] and chance.random() < 0.7)
        careful = (move for move in moves[:LOOKED_AT] if tired or not _lets_win(position.play(move)))
        return next(careful, moves[0])
    if game_id.startswith("pegs"):
        covers = [move for move in moves if re.fullmatch("[a-g][1-7][a-g][1-7]", str(move))]
        gaining = [move for move in covers if position.play(move).visible() != position.visible()]
        moves = [move for move in moves if move not in covers or move in gaining] or moves
        covers = gaining
        if covers and chance.random() < (0.75 if game_id == "pegs" else 0.25):
            return chance.choice(covers)
        pegs = [move for move in moves if str(move).startswith("o")]
        if pegs and chance.random() < 0.9:
            return chance.choice(pegs)
    return chance.choice(moves)


def _wins(position: Position[Any], move: Any) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner is not None


def _lets_win(position: Position[Any]) -> bool:
    return any(_wins(position, move) for move in position.moves())


def _way_home(position: Any, moves: list[Any], chance: Random, tired: bool) -> Any:
    """By exact analysis where the frame lies open before two; else mostly towards the finish."""
    turn = position.turn
    if len(position.pawns) == 2 and "down" not in position.tiles:
        solution = solve(position.field)
        worth = {}
        for move in moves:
            after = position.play(move)
            if after.why:
                mine = after.winner == position.players[turn & 1]
                worth[move] = 1000 if mine else -1000 if after.winner else 0
                continue
            found = solution.decided((after.pawns, after.turn, after.again))
            worth[move] = 0 if not found else (500 - found.moves) * (1 if found.winner == turn else -1)
        best = max(worth.values())
        if best > 0 or (best < 0 and not tired):
            return chance.choice([move for move in moves if worth[move] == best])
        moves = moves if tired else [move for move in moves if worth[move] == 0]
    x, y = position.rules.finishes[turn] % 8, position.rules.finishes[turn] // 8

    def away(move: Any) -> int:
        at: int = FRAME.number[move.to]
        return int(max(abs(at % 8 - x), abs(at // 8 - y)))

    nearest = [move for move in moves if away(move) == min(map(away, moves))]
    return chance.choice(nearest if chance.random() < 0.7 else moves)
