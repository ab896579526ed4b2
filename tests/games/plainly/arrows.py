"""Trippples: pawns on named squares, tiles as texts, and losing positions found by going over all of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from .common import Plain, beside, picture, squares

BOARD = squares(8, 8)
STEPS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}
TILES = {"-".join(three) for three in combinations(STEPS, 3)}
TEAMS = ("square1", "round1", "square2", "round2")
NEUTRAL = ["d4", "e4", "d5", "e5"]
LAYOUTS: dict[tuple[int, str], tuple[dict[str, str], dict[str, str], list[str]]] = {
    (2, "corner"): ({"square": "a1", "round": "h1"}, {"square": "h8", "round": "a8"}, NEUTRAL),
    (2, "inset"): ({"square": "b2", "round": "g2"}, {"square": "g7", "round": "b7"}, NEUTRAL),
    (2, "centre"): ({"square": "a1", "round": "h1"}, {"square": "e5", "round": "d5"}, ["d4", "e4", "a8", "h8"]),
    (4, "corner"): (
        {"square1": "a1", "round1": "h1", "square2": "h8", "round2": "a8"},
        {"square1": "h8", "round1": "a8", "square2": "a1", "round2": "h1"},
        NEUTRAL,
    ),
    (4, "inset"): (
        {"square1": "b2", "round1": "g2", "square2": "g7", "round2": "b7"},
        {"square1": "g7", "round1": "b7", "square2": "b2", "round2": "g2"},
        NEUTRAL,
    ),
}

# square's pawn, round's pawn, player to move, whether it is his second move
Where = tuple[str, str, str, bool]
Lost = set[tuple[str, str, str, bool, str]]  # the same, and the player who is lost there


class Board:
    """What does not change while pawns move, and the moves it allows."""

    def __init__(self, finishes: dict[str, str], neutral: list[str], enterable: bool) -> None:
        self.finishes, self.neutral, self.enterable = finishes, neutral, enterable
        self.order = tuple(finishes)
        self.losing: dict[str, Lost] = {}  # by the tiles; worked out once for a game and all that is tried from it

    def opponents(self, player: str) -> list[str]:
        return [other for other in self.order if other[0] != player[0]]

    def goals(self, pawns: dict[str, str], player: str, again: bool, tiles: dict[str, str]) -> list[str]:
        """Where the player's pawn may go; `again` after entering a neutral square."""
        ways: set[str] = set()
        for other in self.opponents(player):
            under = tiles.get(pawns[other])  # nothing on starts, finishes and neutral squares
            ways |= set(under.split("-")) if under else set(STEPS)
        if again:
            ways = set(STEPS)
        reached = [beside(pawns[player], *STEPS[way]) for way in ways]
        return [
            goal
            for goal in reached
            if goal in BOARD and goal not in pawns.values() and (self.enterable or goal not in self.neutral)
        ]

    def next_to_move(self, pawns: dict[str, str], player: str, goal: str, tiles: dict[str, str]) -> tuple[str, bool]:
        """Who moves after `player` went to `goal`, and whether it is his second move; "" if nobody can."""
        if goal in self.neutral and self.goals(pawns, player, True, tiles):
            return player, True
        at = self.order.index(player)
        for other in self.order[at + 1 :] + self.order[: at + 1]:
            if self.goals(pawns, other, False, tiles):
                return other, False
        return "", False


def losing_positions(board: Board, tiles: dict[str, str]) -> Lost:
    """All (square's pawn, round's pawn, player to move, second move, player who is lost).

    Won by the rules without indirect and frozen wins: somebody reaches his finish. A position is lost for a player
    if he is to move and every move leads to a lost one, or the other is to move and has a move to a lost one.
    """
    after: dict[Where, list[tuple[str, Where | None]]] = {}
    for square in BOARD:
        for round_ in BOARD:
            if square == round_:
                continue
            pawns = {"square": square, "round": round_}
            for player in board.order:
                for again in (False, True) if pawns[player] in board.neutral else (False,):
                    found: list[tuple[str, Where | None]] = []
                    for goal in board.goals(pawns, player, again, tiles):
                        moved = pawns | {player: goal}
                        if goal == board.finishes[player]:
                            found.append((player, None))
                            continue
                        then, second = board.next_to_move(moved, player, goal, tiles)
                        # a freeze is a draw: nobody wins it and nothing follows
                        follow = (moved["square"], moved["round"], then, second) if then else None
                        found.append(("", follow))
                    after[(square, round_, player, again)] = found
    lost: Lost = set()
    growing = True
    while growing:
        growing = False
        for position, found in after.items():
            if not found:
                continue
            mover = position[2]
            for loser in board.order:
                if (*position, loser) in lost:
                    continue
                bad = [
                    won not in ("", loser) or (follow is not None and (*follow, loser) in lost) for won, follow in found
                ]
                if all(bad) if mover == loser else any(bad):
                    lost.add((*position, loser))
                    growing = True
    return lost


class Trippples(Plain):
    players = ("square", "round")

    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        count = options.get("players", 2)
        starts, finishes, neutral = LAYOUTS[(count, options.get("layout", "corner"))]
        starts, finishes = options.get("starts") or starts, options.get("finishes") or finishes
        neutral = options.get("neutral") or neutral
        self.hidden = options.get("hidden", False)
        order = ("square", "round") if count == 2 else TEAMS
        finishes = {player: finishes[player] for player in order}
        self.board = (Board(finishes, neutral, options.get("wild", False) or self.hidden),)
        self.frozen = options.get("frozen", True)
        self.indirect = options.get("indirect", True) and count == 2 and not self.hidden
        self.pawns = {player: starts[player] for player in order}
        # The frame's special squares; what is the first pawn's start or finish is so called for teams too.
        self.special: dict[str, str] = dict.fromkeys(neutral, "neutral")
        for player in reversed(order):
            self.special[starts[player]] = f"start-{player.rstrip('12')}"
            self.special[finishes[player]] = f"finish-{player.rstrip('12')}"
        self.given: dict[str, str] = dict(setup.get("tiles") or {})
        self.known = "tiles" in setup
        self.tiles: dict[str, str] = {} if self.hidden else dict(self.given)
        self.down = {s for s in BOARD if self.special.get(s, "neutral") == "neutral"} if self.hidden else set()
        self.placing = not self.known and not self.hidden
        self.turn = order[0]
        self.again = False
        self.history: list[Where] = []
        if not self.placing:
            self.begin()

    def begin(self) -> None:
        """The tiles lie; the first player who can move moves."""
        (board,) = self.board
        last = board.order[-1]
        self.turn, _ = board.next_to_move(self.pawns, last, "", self.tiles)
        self.settle(None, False)

    def moves(self) -> set[str]:
        if self.over:
            return set()
        if self.placing:
            empty = [s for s in BOARD if s not in self.special and s not in self.tiles]
            return {f"{tile}@{square}" for tile in TILES - set(self.tiles.values()) for square in empty}
        (board,) = self.board
        found = set()
        for goal in board.goals(self.pawns, self.turn, self.again, self.tiles):
            if goal not in self.down:
                found.add(goal)
            elif goal in board.neutral:
                found.add(f"{goal}=neutral")
            elif self.known:
                found.add(f"{goal}={self.given[goal]}")
            else:
                found |= {f"{goal}={tile}" for tile in TILES - set(self.tiles.values())}
        return found

    def play(self, text: str) -> None:
        (board,) = self.board
        if self.placing:
            tile, square = text.split("@")
            self.tiles[square] = tile
            self.turn = board.order[(board.order.index(self.turn) + 1) % len(board.order)]
            if len(self.tiles) == 56:
                self.placing = False
                self.begin()
            return
        announced = text.endswith("!")
        goal, _, tile = text.rstrip("!").partition("=")
        player = self.turn
        self.pawns[player] = goal
        self.down.discard(goal)
        if tile and tile != "neutral":
            self.tiles[goal] = tile
        if goal == board.finishes[player]:
            self.end(player.rstrip("12"))
            return
        self.turn, self.again = board.next_to_move(self.pawns, player, goal, self.tiles)
        self.settle(player, announced)

    def settle(self, mover: str | None, announced: bool) -> None:
        if not self.turn:
            if announced and self.frozen and mover:
                self.end(mover.rstrip("12"))
            else:
                self.end(None, draw=True)
            return
        if self.indirect:
            self.judge_repetition()

    def judge_repetition(self) -> None:
        now = (self.pawns["square"], self.pawns["round"], self.turn, self.again)
        before = [n for n, position in enumerate(self.history) if position == now]
        self.history.append(now)
        if len(before) < 2:
            return
        (board,) = self.board
        tiles = repr(sorted(self.tiles.items()))
        if tiles not in board.losing:
            board.losing[tiles] = losing_positions(board, self.tiles)
        lost = board.losing[tiles]
        cycle = set(self.history[before[-1] :])
        forced = [player for player in board.order if self.is_forced(player, cycle, lost)]
        if len(forced) == 2:
            self.end(None, draw=True)
        elif len(forced) == 1:
            other = board.opponents(forced[0])[0]
            if (*now, other) not in lost:
                self.end(other)

    def is_forced(self, player: str, cycle: set[Where], lost: Lost) -> bool:
        (board,) = self.board
        ways_out = []
        for square, round_, mover, again in cycle:
            if mover != player:
                continue
            pawns = {"square": square, "round": round_}
            for goal in board.goals(pawns, player, again, self.tiles):
                moved = pawns | {player: goal}
                if goal == board.finishes[player]:
                    ways_out.append(False)
                    continue
                then = (moved["square"], moved["round"], *board.next_to_move(moved, player, goal, self.tiles))
                if then not in cycle:
                    ways_out.append((*then, player) in lost)
        return bool(ways_out) and all(ways_out)

    def visible(self) -> dict[str, Any]:
        codes = {square: "down" if square in self.down else self.special.get(square) for square in BOARD}
        shown = {square: code or self.tiles.get(square, "empty") for square, code in codes.items()}
        seen = picture(8, 8, shown)
        if not self.placing:
            seen["pawns"] = {player if player[-1] in "12" else f"{player}1": at for player, at in self.pawns.items()}
        return seen
