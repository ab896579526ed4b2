"""Plank: a row of planks by their number, tokens by the name of their square."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from .common import Plain

COLORS = "RWB"


class Plank(Plain):
    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.repetition = options.get("repetition", False)
        self.players = tuple("ABCD"[: setup["players"]])
        self.planks: dict[int, str] = {}
        self.token: dict[str, tuple[str, str]] = {}  # on which square stands whose token of which color
        self.hand = {
            player: {color: setup["hands"][player].get(color, 0) for color in COLORS} for player in self.players
        }
        self.tokens = {player: dict.fromkeys(COLORS, 2) for player in self.players}
        self.turn = setup.get("first", "A")
        self.seen: dict[str, int] = {}
        self.settle()

    def ends(self) -> dict[str, int]:
        if not self.planks:
            return {"^": 0}
        return {"^": max(self.planks) + 1, "v": min(self.planks) - 1}

    def squares(self, planks: dict[int, str]) -> dict[str, str]:
        return {f"{letter}{n}": plank[i] for n, plank in planks.items() for i, letter in enumerate("abc")}

    def token_moves(self, player: str, squares: dict[str, str]) -> set[str]:
        """Ways to put or move a token onto one of these squares."""
        free = {square: color for square, color in squares.items() if square not in self.token}
        if any(self.tokens[player].values()):
            return {f"{color}@{square}" for square, color in free.items() if self.tokens[player][color]}
        mine = {square: color for square, (owner, color) in self.token.items() if owner == player}
        return {f"{start}>{goal}" for start in mine for goal in free if mine[start] == free[goal]}

    def moves_of(self, player: str) -> set[str]:
        found = self.token_moves(player, self.squares(self.planks))
        for west, middle, east in permutations(COLORS):
            if not self.hand[player][middle]:
                continue
            colors = west + middle + east
            for end, number in self.ends().items():
                new = self.squares({number: colors})
                found |= {f"{colors}{end} {text}" for text in self.token_moves(player, new)}
        return found

    def moves(self) -> set[str]:
        return set() if self.over else self.moves_of(self.turn)

    def play(self, text: str) -> None:
        player = self.turn
        if " " in text:
            plank, text = text.split()
            self.planks[self.ends()[plank[3]]] = plank[:3]
            self.hand[player][plank[1]] -= 1
        if "@" in text:
            color, goal = text.split("@")
            self.tokens[player][color] -= 1
            self.token[goal] = (player, color)
        else:
            start, goal = text.split(">")
            self.token[goal] = self.token.pop(start)
        if self.has_line(player):
            self.end(player)
            return
        self.turn = self.next_after(player)
        self.settle()

    def next_after(self, player: str) -> str:
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def has_line(self, player: str) -> bool:
        lines = [[f"{letter}{n}" for letter in "abc"] for n in self.planks]
        lines += [[f"{letter}{n + i}" for i in range(3)] for letter in "abc" for n in self.planks]
        wanted = {(player, color) for color in COLORS}
        return any({self.token.get(square) for square in line} == wanted for line in lines)

    def settle(self) -> None:
        if not any(self.moves_of(player) for player in self.players):
            self.end(None, draw=True)
            return
        while not self.moves_of(self.turn):
            self.turn = self.next_after(self.turn)
        key = repr((sorted(self.planks.items()), sorted(self.token.items()), self.hand, self.tokens, self.turn))
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.repetition and self.seen[key] == 3:
            self.end(None, draw=True)

    @property
    def scores(self) -> dict[str, float]:
        if not self.over or len(self.players) == 2:
            return super().scores
        if len(self.players) == 3:
            marks = dict.fromkeys(self.players, 0 if self.draw else 1)
            if self.winner:
                marks[self.winner], marks[self.next_after(self.winner)] = 0, 2
            return dict(marks)
        if self.draw:
            return dict.fromkeys(self.players, 0.5)
        team = "AC" if self.winner in ("A", "C") else "BD"
        return {player: int(player in team) for player in self.players}

    def visible(self) -> dict[str, Any]:
        return {
            "planks": [
                {"colors": plank, "tokens": [self.token.get(f"{letter}{n}", ".")[0] for letter in "abc"]}
                for n, plank in sorted(self.planks.items())
            ]
        }
