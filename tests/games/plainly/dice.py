"""6 Faces: a die is a dict of six faces that is rolled face by face."""

from __future__ import annotations

from typing import Any

from .common import Plain, beside, picture, squares

BOARD = squares(9, 8)
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
HOME = {"white": "e1", "red": "e8"}
Die = dict[str, int]


def rolled(die: Die, way: str) -> Die:
    """A quarter turn: the top goes to the side it is rolled to, that side goes under, and so on."""
    back = OPPOSITE[way]
    return die | {way: die["top"], "bottom": die[way], back: die["bottom"], "top": die[back]}


def die_showing(top: int, south: int, handedness: str) -> Die:
    """Roll a known die about until it lies as asked."""
    east = 3 if handedness == "right" else 4
    known = {"top": 1, "bottom": 6, "south": 2, "north": 5, "east": east, "west": 7 - east}
    lying, size = [known], 0
    while size < len(lying):
        size = len(lying)
        for die in list(lying):
            lying += [new for way in STEPS if (new := rolled(die, way)) not in lying]
    (found,) = [die for die in lying if die["top"] == top and die["south"] == south]
    return found


def how_it_lies(die: Die) -> str:
    top = die["top"]
    if top in (2, 3):
        # the pips run through the corner where 1, 2 and 3 meet: between the two of them that are on the sides
        sides = {way for way in STEPS if die[way] in (1, 2, 3)}
        return ":ne" if sides in ({"north", "east"}, {"south", "west"}) else ":nw"
    if top == 6:
        return ":ns" if die["north"] in (2, 5) else ":ew"
    return ""


class SixFaces(Plain):
    players = ("white", "red")

    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.any_home = options.get("home", "any") == "any"
        self.repetition = options.get("repetition", False)
        handedness = options.get("handedness", "right")
        self.owner: dict[str, str] = {}
        self.die: dict[str, Die | None] = {}  # None is a King
        texts = setup.get("dice")
        if texts is None:
            texts = {}
            for n, top in enumerate("5126K6215"):
                texts[f"{chr(97 + n)}1"] = "wK" if top == "K" else f"w{top}/3"
                # Red sees the board from the north: his left is in the east, his 3 faces north
                texts[f"{chr(105 - n)}8"] = "rK" if top == "K" else f"r{top}/4"
        for square, text in texts.items():
            self.owner[square] = "white" if text[0] == "w" else "red"
            self.die[square] = None if text[1] == "K" else die_showing(int(text[1]), int(text[3]), handedness)
        self.turn = setup.get("to_move", "white")
        self.seen: dict[str, int] = {}
        self.settle()

    def routes(self) -> dict[str, tuple[str, list[str]]]:
        """Every move's text, the square it starts from and the ways it rolls."""
        found = {}
        for start, die in self.die.items():
            if self.owner[start] != self.turn:
                continue
            length = die["top"] if die else 1
            for first in STEPS:
                for second in STEPS:
                    if second == OPPOSITE[first]:
                        continue
                    for straight in range(1, length + 1):
                        ways = [first] * straight + [second] * (length - straight)
                        if (second == first) != (straight == length):
                            continue  # a straight roll is taken once, a turn must turn
                        path = [start]
                        for way in ways:
                            path.append(beside(path[-1], *STEPS[way]))
                        if not all(square in BOARD for square in path):
                            continue
                        if any(square in self.die for square in path[1:-1]):
                            continue
                        if self.owner.get(path[-1]) == self.turn:
                            continue
                        turning = "" if straight == length else f"{path[straight]}-"
                        found[f"{start}-{turning}{path[-1]}"] = (start, ways)
        return found

    def moves(self) -> set[str]:
        return set() if self.over else set(self.routes())

    def play(self, text: str) -> None:
        start, ways = self.routes()[text]
        goal = text.split("-")[-1]
        player, other = self.turn, "red" if self.turn == "white" else "white"
        die = self.die.pop(start)
        del self.owner[start]
        king_taken = self.owner.get(goal) == other and self.die[goal] is None
        king_moves = die is None
        for way in ways:
            die = die and rolled(die, way)
        self.die[goal], self.owner[goal] = die, player
        self.turn = other
        if king_taken or (goal == HOME[other] and (self.any_home or king_moves)):
            self.end(player)
            return
        self.settle()

    def settle(self) -> None:
        """What a position that has just come about means."""
        if not self.routes():
            self.end(None, draw=True)
        key = repr((sorted((s, self.owner[s], sorted((d or {}).items())) for s, d in self.die.items()), self.turn))
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.repetition and self.seen[key] == 3:
            self.end(None, draw=True)

    def visible(self) -> dict[str, Any]:
        codes = {}
        for square, die in self.die.items():
            color = self.owner[square][0]
            codes[square] = f"{color}{die['top']}{how_it_lies(die)}" if die else f"{color}K"
        return picture(9, 8, codes)
