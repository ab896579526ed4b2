"""The computer as an opponent, at five levels."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Seat
from companion.solvers.hint import NEVER, Budget, Stop, think


class Level(NamedTuple):
    seconds: float  # for a move
    error_rate: float  # how often it plays a random move


LEVELS = {1: Level(0.05, 0.4), 2: Level(0.05, 0.2), 3: Level(0.1, 0.07), 4: Level(0.3, 0), 5: Level(1.5, 0)}


def choose(game: AnyGame, position: AnyPosition, level: int, chance: Random, stop: Stop = NEVER) -> str:
    """The computer's move. The game must not be over."""
    seconds, error_rate = LEVELS[level]
    if chance.random() < error_rate:
        return str(chance.choice(list(position.moves())))
    *_, hint = think(game, position, Budget(seconds, chance.getrandbits(32), stop))
    return hint.move


def allied(position: AnyPosition, one: Seat, other: Seat) -> bool:
    """Whether two seats win together."""
    one, other = position.side(one), position.side(other)
    return one == other or (len(position.players) == 4 and position.final_scores(one)[other] == 1)
