"""What `companion judge --analyse` adds: the moves that threw away a won or a drawn position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Seat
from companion.record import Record, Stood, replay
from companion.solvers.hint import Budget, Hint, think
from companion.solvers.levels import allied

Result = Literal["loss", "draw", "win"]
RESULTS: tuple[Result, ...] = ("loss", "draw", "win")  # by `_standing`
SECONDS = 0.2  # for each position, unless told otherwise
LIKELY = 0.8  # a search that expects more calls it won; less than the rest to 1, lost


class Thrown(NamedTuple):
    """A move after which the player's result is worse than it was."""

    ply: int
    move: str
    player: Seat
    threw_away: Result  # the better one that he had
    value: float  # before, for the player
    after: float
    better: str
    exact: bool  # proved; else by search


def thrown_away(record: Record, seconds: float, told: Callable[[int, int], None] = lambda at, of: None) -> list[Thrown]:
    """The mistakes of a record, as far as it is legal. `told` hears of each position: its number, and of how many."""
    played = replay(record)
    found = []
    before = _thought(record.game, played.positions[0], seconds)
    for ply, position in enumerate(played.positions[:-1]):
        told(ply + 1, played.plies)
        entry, after = record.moves[ply], played.positions[ply + 1]
        then = _thought(record.game, after, seconds)
        value = _value_to(position.to_move, after, then)
        if before and value and not isinstance(entry, Stood) and entry != before.move and position.to_move:
            was, now = _standing(before.value, before.exact), _standing(*value)
            if now < was:
                lost, exact = RESULTS[was], before.exact and value[1]
                found.append(Thrown(ply, entry, position.to_move, lost, before.value, value[0], before.move, exact))
        before = then
    return found


def _thought(game: AnyGame, position: AnyPosition, seconds: float) -> Hint | None:
    hint = None
    for better in think(game, position, Budget(seconds)):
        hint = better
    return hint


def _value_to(player: Seat | None, position: AnyPosition, hint: Hint | None) -> tuple[float, bool] | None:
    """What a position is worth to one who may not be to move, and whether that is sure; None if it is not known."""
    mover = position.to_move
    if player is None:
        return None
    if outcome := position.outcome():
        if outcome.winner is None:
            return (0.5, True) if outcome.draw else (0.0, True) if len(position.players) == 1 else None
        return float(allied(position, outcome.winner, player)), True
    if hint is None or mover is None:
        return None
    if allied(position, mover, player):
        return hint.value, hint.exact
    if len(position.players) == 3:  # what is not his need not be mine
        return (0.0, True) if hint.exact and hint.value == 1 else None
    return 1 - hint.value, hint.exact


def _standing(value: float, exact: bool) -> int:
    """0 lost, 1 drawn or open, 2 won."""
    sure = 1.0 if exact else LIKELY
    return 2 if value >= sure else 0 if value <= 1 - sure else 1
