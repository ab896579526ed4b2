"""Who is asked beside the table: has each new position thought about while a hint is wanted, and chooses the moves of
those seats that the computer plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from companion.games.position import Player, Position
from companion.solvers.hint import Hint
from companion.solvers.levels import LEVELS
from companion.solvers.thinker import Thinker

SECONDS = 20.0  # for a position that nobody leaves
THOUGHT_ABOUT = ("game", "options", "setup", "moves")  # of a record


class Adviser:
    """To be minded after each step of the table: what it says is for the position it was last minded with."""

    def __init__(self) -> None:
        self.seats: dict[Player, int] = {}  # those that the computer plays, with its level
        self.hint: Hint | None = None
        self.choice: str | None = None  # the computer's move, when it is its turn and it has made up its mind
        self._thinker = Thinker()
        self._chance = Random()
        self._asked: tuple[Position[Any], int | None] | None = None

    def mind(self, position: Position[Any] | None, wanted: bool, record: Callable[[], Mapping[str, Any]]) -> bool:
        """Have the newest position thought about, if a hint is wanted or it is the computer's turn; None: there is
        nothing to think about. Whether what there is to say has changed."""
        before = (self.hint, self.choice)
        level = self.seats.get(position.to_move or "") if position else None
        asked = (position, level) if position and (wanted or level) else None
        if asked != self._asked:
            self._asked, self.hint, self.choice = asked, None, None
            if asked:
                told = record()
                seconds = LEVELS[level].seconds if level else SECONDS
                self._thinker.ask({name: told[name] for name in THOUGHT_ABOUT if name in told}, seconds)
            else:
                self._thinker.stop()
        elif asked:
            self.hint = self._thinker.newest()
            if level and self.choice is None and self._thinker.done:
                self.choice = self._chosen(asked[0], level)
        return (self.hint, self.choice) != before

    def _chosen(self, position: Position[Any], level: int) -> str | None:
        move = self.hint.move if self.hint else None
        if move is None or self._chance.random() < LEVELS[level].slips:
            moves = list(map(str, position.moves()))
            move = self._chance.choice(moves) if moves else None
        return None if move is None or move.startswith("+") else move  # which card is drawn is nobody's choice

    def close(self) -> None:
        self._thinker.close()


def as_told(hint: Hint) -> Hint:
    """A hint as the players may see it: not what lies under a tile that is still face down."""

    def told(move: str) -> str:
        return move.partition("=")[0] or move

    return hint._replace(move=told(hint.move), line=tuple(map(told, hint.line)))
