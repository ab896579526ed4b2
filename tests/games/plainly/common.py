"""What the plain readings share: squares by name, and a position that is played by changing it."""

from __future__ import annotations

from copy import copy
from typing import Any

Rows = list[list[str]]


def squares(columns: int, rows: int) -> list[str]:
    return [f"{chr(97 + column)}{row + 1}" for column in range(columns) for row in range(rows)]


def beside(square: str, east: int, north: int) -> str:
    """The square so many steps away; a name that no board has if that is outside."""
    return f"{chr(ord(square[0]) + east)}{int(square[1:]) + north}"


def column(square: str) -> int:
    return ord(square[0])


def row(square: str) -> int:
    return int(square[1:])


def picture(columns: int, rows: int, codes: dict[str, str]) -> dict[str, Any]:
    """`visible` of a field: rows from north to south."""
    return {
        "rows": [[codes.get(f"{chr(97 + c)}{r}", ".") for c in range(columns)] for r in range(rows, 0, -1)],
    }


class Plain:
    """A game in progress. `moves` and `play` speak the texts of a record."""

    players: tuple[str, ...] = ("solver",)
    over = False
    winner: str | None = None
    draw = False
    turn: str | None = None

    def moves(self) -> set[str]:
        raise NotImplementedError

    def play(self, text: str) -> None:
        raise NotImplementedError

    def visible(self) -> dict[str, Any]:
        raise NotImplementedError

    @property
    def to_move(self) -> str | None:
        return None if self.over else self.turn

    @property
    def scores(self) -> dict[str, float]:
        """For games without points."""
        if not self.over:
            return dict.fromkeys(self.players, 0)
        if self.draw:
            return dict.fromkeys(self.players, 0.5)
        return {player: int(player == self.winner) for player in self.players}

    def end(self, winner: str | None, draw: bool = False) -> None:
        self.over, self.winner, self.draw = True, winner, draw

    def after(self, text: str) -> Plain:
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict):
                twin.__dict__[name] = {key: copy(inner) for key, inner in value.items()}
            elif isinstance(value, list | set):
                twin.__dict__[name] = copy(value)
        twin.play(text)
        return twin

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        found = self.moves()
        return len(found) if depth == 1 else sum(self.after(text).perft(depth - 1) for text in found)
