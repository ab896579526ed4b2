"""Pegs and its solitaire: cards as little grids of 0 and 1 that are really turned and flipped."""

from __future__ import annotations

from itertools import product
from typing import Any

from .common import Plain, beside, picture, squares

BOARD = squares(7, 7)
Grid = list[str]  # rows from north to south


def quarter_turn(grid: Grid) -> Grid:
    return ["".join(line[n] for line in reversed(grid)) for n in range(len(grid[0]))]


def turned_over(grid: Grid) -> Grid:
    return [line[::-1] for line in grid]


def card_of(grid: Grid, player: str) -> str:
    """The name of the card that shows these holes when it lies with this player's face up."""
    if player == "white":
        grid = turned_over(grid)
    ways = []
    for _ in range(4):
        grid = quarter_turn(grid)
        if len(grid) == 2:
            ways.append("".join(grid))
    return min(ways)


CARDS = sorted(
    {card_of(["".join(p[:3]), "".join(p[3:])], "blue") for p in product("01", repeat=6)} - {"000000"},
)


def blocks() -> dict[str, list[list[str]]]:
    """Where a card can lie: its text, and its squares row by row from the north."""
    found = {}
    for corner in BOARD:
        for wide, high in ((3, 2), (2, 3)):
            far = beside(corner, wide - 1, high - 1)
            if far in BOARD:
                lines = [[beside(corner, e, n) for e in range(wide)] for n in reversed(range(high))]
                found[corner + far] = lines
    return found


BLOCKS = blocks()


def holes_under(block: str, pegs: set[str]) -> Grid:
    return ["".join("1" if square in pegs else "0" for square in line) for line in BLOCKS[block]]


def cells_of(block: str) -> set[str]:
    return {square for line in BLOCKS[block] for square in line}


def codes(pegs: set[str], top: dict[str, str]) -> dict[str, str]:
    seen = dict.fromkeys(pegs, "o")
    for square, player in top.items():
        seen[square] = player[0].upper() if square in pegs else player[0]
    return seen


class Event:
    """A card that comes into a hand or leaves it; `?` where nobody saw it."""

    def __init__(self, kind: str, player: str, card: str) -> None:
        self.kind, self.player, self.card = kind, player, card


def can_be_true(events: list[Event]) -> bool:
    """Whether cards can be named for every `?` so that each card that leaves a hand was in it."""
    known_in = [e.card for e in events if e.kind == "in" and e.card != "?"]
    known_out = [e.card for e in events if e.kind == "out" and e.card != "?"]
    if len(set(known_in)) < len(known_in) or len(set(known_out)) < len(known_out):
        return False

    def candidates(n: int) -> list[int]:
        out, found = events[n], []
        for m, came in enumerate(events[:n]):
            if came.kind != "in" or came.player != out.player:
                continue
            if out.card in ("?", came.card) or (came.card == "?" and out.card not in known_in):
                found.append(m)
        return found

    explained: dict[int, int] = {}  # which leaving uses which coming

    def explain(n: int, tried: set[int]) -> bool:
        for m in candidates(n):
            if m not in tried:
                tried.add(m)
                if m not in explained or explain(explained[m], tried):
                    explained[m] = n
                    return True
        return False

    return all(explain(n, set()) for n, event in enumerate(events) if event.kind == "out")


class Pegs(Plain):
    players = ("blue", "white")

    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.deck: list[str] | None = setup.get("deck")
        self.pegs: set[str] = set()
        self.top: dict[str, str] = {}
        self.events: list[Event] = []
        self.phase = "blue's pegs"
        self.put = 0  # pegs of the one who sets up
        self.peg_due = False
        self.last_turn = False
        self.turn = "blue"

    def hand(self) -> int:
        return sum({"in": 1, "out": -1}[e.kind] for e in self.events if e.player == self.turn)

    def drawn(self) -> int:
        return sum(e.kind == "in" for e in self.events)

    def free(self) -> list[str]:
        return [square for square in BOARD if square not in self.pegs and square not in self.top]

    def can_leave(self, card: str) -> bool:
        return can_be_true([*self.events, Event("out", self.turn, card)])

    def moves(self) -> set[str]:
        """All but the unseen `+?` and `-?`, for which see `unseen`."""
        if self.over:
            return set()
        pegs = {f"o{square}" for square in self.free()}
        if self.phase == "blue's pegs" or self.phase == "peg":
            return pegs
        if self.phase == "white's pegs":
            return pegs | {"."}
        if self.phase == "draw":
            seen = {e.card for e in self.events}
            return {f"+{card}" for card in CARDS if card not in seen}
        leaving = {card for card in CARDS if self.can_leave(card)}
        lay = {block for block in BLOCKS if card_of(holes_under(block, self.pegs), self.turn) in leaving}
        if self.last_turn:
            return lay | {"."}
        return lay | {f"-{card}" for card in leaving}

    def unseen(self) -> set[str]:
        if self.over:
            return set()
        if self.phase == "draw":
            return {"+?"}
        return {"-?"} if self.phase == "cards" and not self.last_turn and self.can_leave("?") else set()

    def play(self, text: str) -> None:
        if self.phase.endswith("pegs"):
            self.set_up(text)
        elif text[0] == "+":
            self.events.append(Event("in", self.turn, text[1:]))
            self.draw_on()
        elif text[0] == "o":
            self.pegs.add(text[1:])
            self.phase, self.peg_due = "cards", False
            if not self.peg_possible():
                self.last_turn = True
        elif text[0] == "-":
            self.events.append(Event("out", self.turn, text[1:]))
            self.begin_turn("white" if self.turn == "blue" else "blue")
        elif text == ".":
            self.finish()
        else:
            card = card_of(holes_under(text, self.pegs), self.turn)
            self.events.append(Event("out", self.turn, card))
            for square in cells_of(text):
                self.top[square] = self.turn
            if not self.last_turn:
                self.draw_on()

    def set_up(self, text: str) -> None:
        if text != ".":
            self.pegs.add(text[1:])
            self.put += 1
        if self.phase == "blue's pegs":
            if self.put == 7:
                self.phase, self.turn, self.put = "white's pegs", "white", 0
        elif text == "." or self.put == 7:
            self.begin_turn("blue")

    def peg_possible(self) -> bool:
        return len(self.pegs) < 41 and bool(self.free())

    def begin_turn(self, player: str) -> None:
        self.turn = player
        if not self.peg_possible():
            self.finish()
            return
        self.peg_due = True
        self.draw_on()

    def draw_on(self) -> None:
        """Draw until there are three, by itself where the pack is known, and go on to what comes next."""
        while self.deck is not None and self.hand() < 3 and self.drawn() < 35:
            self.events.append(Event("in", self.turn, self.deck[self.drawn()]))
        if self.drawn() == 35:
            self.last_turn = True
        elif self.hand() < 3:
            self.phase = "draw"
            return
        self.phase = "peg" if self.peg_due else "cards"

    def finish(self) -> None:
        blue, white = self.scores["blue"], self.scores["white"]
        self.end(None if blue == white else "blue" if blue > white else "white", blue == white)

    @property
    def scores(self) -> dict[str, float]:
        return {player: list(self.top.values()).count(player) for player in self.players}

    def visible(self) -> dict[str, Any]:
        return picture(7, 7, codes(self.pegs, self.top))


class PegsSolo(Plain):
    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.pegs: set[str] = set()
        self.top: dict[str, str] = {}
        self.used: set[str] = set()
        self.turn = "solver"

    def solved(self) -> bool:
        return len(self.pegs) == 41 and set(self.top) == set(BOARD)

    def moves(self) -> set[str]:
        if self.solved():
            return set()
        found = set()
        if len(self.pegs) < 41:
            found |= {f"o{square}" for square in BOARD if square not in self.pegs and square not in self.top}
        if len(self.used) < 11:
            left = set(CARDS) - self.used
            found |= {block for block in BLOCKS if card_of(holes_under(block, self.pegs), "blue") in left}
        return found

    def play(self, text: str) -> None:
        if text[0] == "o" and text not in BLOCKS:
            self.pegs.add(text[1:])
        else:
            self.used.add(card_of(holes_under(text, self.pegs), "blue"))
            for square in cells_of(text):
                self.top[square] = "blue"
        if not self.moves():
            self.end("solver" if self.solved() else None)

    def visible(self) -> dict[str, Any]:
        return picture(7, 7, codes(self.pegs, self.top))
