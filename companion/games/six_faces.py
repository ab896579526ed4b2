"""6 Faces: eight dice and a King a side; a die rolls as many squares as its top face shows."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from itertools import pairwise, product
from typing import Any, Literal, NamedTuple

from companion.errors import BadInput, MoreThanTheKit, Reason, UnreadableMove
from companion.games.game import Badge, Game, Option, Options, Rolls, Setup
from companion.games.material import Material
from companion.games.opening import Hidden, Opening
from companion.games.position import Counted, Outcome, Phrase, Piece, Position, Seat, Trace, Visible
from companion.games.squares import SQUARE, Grid, squares_showing
from companion.games.value import replace, value
from companion.games.words import six_faces as words

BOARD = Grid(9, 8)
HOME = {"white": BOARD.number["e1"], "red": BOARD.number["e8"]}  # where the Kings begin, in every set-up (six-faces.6)
Handedness = Literal["right", "left"]
LETTER = {"white": "w", "red": "r"}
DICE_A_SIDE = 8


# --- dice. A die is written `w5/3`: White's, 5 on top, 3 to the south. A King is `wK`, and always alike.

_AXIS = {1: (1, 0, 0), 2: (0, 1, 0), 3: (0, 0, 1), 4: (0, 0, -1), 5: (0, -1, 0), 6: (-1, 0, 0)}
_FACE = {axis: face for face, axis in _AXIS.items()}


def east_face(top: int, south: int, handedness: Handedness) -> int:
    """The face to the east: right-handed, 1 on top and 2 to the south put the 3 there (six-faces.2)."""
    (a, b, c), (d, e, f) = _AXIS[top], _AXIS[south]
    right = _FACE[(b * f - c * e, c * d - a * f, a * e - b * d)]
    return right if handedness == "right" else 7 - right


def rolled_once(die: str, way: str, handedness: Handedness) -> str:
    if die[1] == "K":
        return die
    top, south = int(die[1]), int(die[3])
    east = east_face(top, south, handedness)
    top, south = {"N": (south, 7 - top), "S": (7 - south, top), "E": (7 - east, south), "W": (east, south)}[way]
    return f"{die[0]}{top}/{south}"


DICE = [f"{c}{t}/{s}" for c in "wr" for t in range(1, 7) for s in range(1, 7) if s not in (t, 7 - t)]
DICE += ["wK", "rK"]
TOP = {die: 1 if die[1] == "K" else int(die[1]) for die in DICE}  # also: how far it must roll
Legs = tuple[tuple[str, int], ...]  # a way and a number of squares, once or twice


@cache
def _rolls(handedness: Handedness) -> dict[str, dict[str, str]]:
    """What each die becomes when it rolls one square each way."""
    return {way: {die: rolled_once(die, way, handedness) for die in DICE} for way in "NESW"}


def rolled(die: str, legs: Legs, handedness: Handedness) -> str:
    rolls = _rolls(handedness)
    for way, squares in legs:
        roll = rolls[way]
        for _ in range(squares % 4):
            die = roll[die]
    return die


def _faces(die: str, legs: Legs, handedness: Handedness) -> tuple[str, ...]:
    """What a camera would see of a die after each square it rolls."""
    seen = []
    for way, squares in legs:
        for _ in range(squares):
            die = _rolls(handedness)[way][die]
            seen.append(face_seen(die, handedness))
    return tuple(seen)


@cache
def face_seen(die: str, handedness: Handedness) -> str:
    """The die as a camera sees it: the top, and for 2, 3 and 6 which way the pips lie.

    The diagonals of 2 and 3 run through the corner where 1, 2 and 3 meet; the lines of 6 point to the 2 and the 5.
    """
    if die[1] not in "236":
        return die[:2]
    top, south = int(die[1]), int(die[3])
    east = east_face(top, south, handedness)
    at = {south: "s", 7 - south: "n", east: "e", 7 - east: "w"}
    if top == 6:
        return die[:2] + (":ns" if at[2] in "ns" else ":ew")
    corner = {at[1], at[5 - top]}  # the other one of 2 and 3
    return die[:2] + (":ne" if corner in ({"n", "e"}, {"s", "w"}) else ":nw")


# --- routes


@value
class Roll:
    """The squares that name a route: where it starts, where it turns, where it ends."""

    squares: tuple[str, ...]

    def __str__(self) -> str:
        return "-".join(self.squares)


class Route(NamedTuple):
    start: int
    end: int
    path: tuple[int, ...]  # the squares between, turning square included
    passed: int  # the same as a set
    legs: Legs


WAYS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
ASIDE = {"N": "EW", "S": "EW", "E": "NS", "W": "NS"}


@cache
def route_of(move: Roll) -> Route:
    """The route of a move whose legs run along rows and columns of the board."""
    legs: list[tuple[str, int]] = []
    path: list[int] = []
    for a, b in pairwise(move.squares):
        at, end = BOARD.number[a], BOARD.number[b]
        step, way = _step(at, end)
        legs.append((way, abs(end - at) // abs(step)))
        path += range(at, end, step)
    start, end = BOARD.number[move.squares[0]], BOARD.number[move.squares[-1]]
    return Route(start, end, tuple(path[1:]), sum(1 << n for n in set(path[1:])), tuple(legs))


def _step(a: int, b: int) -> tuple[int, str]:
    """From one square towards another in the same row or column."""
    if a // 9 == b // 9:
        return (1, "E") if b > a else (-1, "W")
    return (9, "N") if b > a else (-9, "S")


@cache
def _ray(start: int, way: str) -> list[tuple[int, int]]:
    """The squares one way from here to the edge, each with the set of all from here to it."""
    (dx, dy), x, y = WAYS[way], start % 9, start // 9
    ray, passed = [], 0
    while (n := BOARD.at(x := x + dx, y := y + dy)) is not None:
        passed |= 1 << n
        ray.append((n, passed))
    return ray


@cache
def routes(start: int, distance: int) -> list[tuple[Roll, int, int]]:
    """Every route of this length on an empty board: the move, the squares passed, and the last square, as sets."""
    found, here = [], BOARD.names[start]
    for way in WAYS:
        for first, (turn, passed) in enumerate(_ray(start, way)[:distance], 1):
            if first == distance:
                found.append((Roll((here, BOARD.names[turn])), passed ^ 1 << turn, 1 << turn))
                continue
            for aside in ASIDE[way]:
                ray, rest = _ray(turn, aside), distance - first
                if len(ray) >= rest:
                    end, then = ray[rest - 1]
                    roll = Roll((here, BOARD.names[turn], BOARD.names[end]))
                    found.append((roll, passed | then ^ 1 << end, 1 << end))
    return found


def read(text: str) -> Roll:
    if not re.fullmatch(f"{SQUARE}(?:-{SQUARE})+", text):
        raise UnreadableMove(text=text)
    return Roll(tuple(text.split("-")))


# --- the game


class Rules(NamedTuple):
    handedness: Handedness = "right"
    home: Literal["any", "king"] = "any"
    repetition: bool = False


Moment = tuple[tuple[str, ...], Seat]  # the dice by square, and whose turn it is


@value
class SixFaces(Position[Roll]):
    players = ("white", "red")

    dice: tuple[str, ...]  # by square; "" where there is none
    white: int  # the squares that White's dice stand on
    red: int
    turn: Seat = "white"
    rules: Rules = Rules()
    winner: Seat | None = None
    why: str = ""  # how it ended, except by having no move
    moments: tuple[Moment, ...] = ()  # so far, where repetition counts

    @property
    def to_move(self) -> Seat | None:
        return None if self.outcome() else self.turn

    def moves(self) -> Iterator[Roll]:
        if self.why:
            return
        dice, mine, occupied = self.dice, self._mine, self.white | self.red
        for start in range(BOARD.size):
            if mine >> start & 1:
                for roll, passed, end in routes(start, TOP[dice[start]]):
                    if not passed & occupied and not end & mine:
                        yield roll

    def count(self) -> int:
        if self.why:
            return 0
        dice, mine, occupied = self.dice, self._mine, self.white | self.red
        total, left = 0, mine
        while left:
            low = left & -left
            left ^= low
            start = low.bit_length() - 1
            for _, passed, end in routes(start, TOP[dice[start]]):
                if not passed & occupied and not end & mine:
                    total += 1
        return total

    @property
    def _mine(self) -> int:
        return self.white if self.turn == "white" else self.red

    def why_not(self, move: Roll) -> Reason | None:
        if self.outcome():
            return Reason("over", "over", {})
        rule, squares = "six-faces.3", move.squares
        start, end, told = squares[0], squares[-1], " → ".join(squares)
        die = "" if BOARD.outside([start]) else self.dice[BOARD.number[start]]
        if die and die[0] != LETTER[self.turn]:
            return Reason("turn", "not-your-die", {"square": start, "player": self.turn})
        if outside := BOARD.outside(squares):
            return Reason(rule, "outside", {"square": outside})
        if not die:
            return Reason(rule, "no-die", {"square": start})
        for a, b in pairwise(squares):
            if (a[0] == b[0]) == (a[1] == b[1]):
                return Reason(rule, "not-straight", {"from": a, "to": b})
        route = route_of(move)
        ways = [way for way, _ in route.legs]
        if any(b not in (a, *ASIDE[a]) for a, b in pairwise(ways)):
            return Reason(rule, "went-back", {"move": told})
        if sum(a != b for a, b in pairwise(ways)) > 1:
            return Reason(rule, "turned-twice", {"move": told})
        distance = sum(squares for _, squares in route.legs)
        if distance != TOP[die]:
            params = {"die": die[1], "square": start, "must": TOP[die], "move": told, "is": distance}
            codes = {"K": "king-distance", "1": "one-square"}
            return Reason(rule, codes.get(die[1], "wrong-distance"), params)
        if route.passed & (self.white | self.red):
            blocked = next(n for n in route.path if self.dice[n])
            return Reason(rule, "blocked", {"square": BOARD.names[blocked], "move": told})
        if self._mine >> route.end & 1:
            return Reason(rule, "own-piece", {"square": end})
        if any(a == b for a, b in pairwise(ways)):
            return Reason("six-faces.6", "turn-straight-on", {"square": squares[1], "move": f"{start}-{end}"})
        return None

    def play(self, move: Roll) -> SixFaces:
        start, end, _, _, legs = route_of(move)
        dice = list(self.dice)
        taken, die = dice[end], rolled(dice[start], legs, self.rules.handedness)
        dice[start], dice[end] = "", die
        gone, arrived = ~(1 << start), 1 << end
        if self.turn == "white":
            white, red, other = self.white & gone | arrived, self.red & ~arrived, "red"
        else:
            white, red, other = self.white & ~arrived, self.red & gone | arrived, "white"
        winner, why = None, ""
        if taken and taken[1] == "K":
            winner, why = self.turn, "king-taken"
        elif end == HOME[other] and (self.rules.home == "any" or die[1] == "K"):
            winner, why = self.turn, "home-reached"
        after = SixFaces(tuple(dice), white, red, other, self.rules, winner, why, self.moments)
        return after._remembered() if self.rules.repetition and not why else after

    def _remembered(self) -> SixFaces:
        now = (self.dice, self.turn)
        why = "repetition" if self.moments.count(now) >= 2 else ""
        return replace(self, moments=(*self.moments, now), why=why)

    def outcome(self) -> Outcome | None:
        if self.why:
            return self.ended(self.winner, self.why)
        return None if any(self.moves()) else self.ended(None, "no-move")

    def decided(self) -> tuple[Counted, ...]:
        """The King's home square, or the square on which the King was taken, which is that of the last move."""
        if self.winner is None or self.why != "home-reached":
            return ()
        other = "red" if self.winner == "white" else "white"
        return (Counted((BOARD.names[HOME[other]],), self.winner),)

    def trace(self, move: Roll) -> Trace:
        start, _, path, _, legs = route_of(move)
        die = self.dice[start]
        return Trace(
            start=(move.squares[0],),
            route=tuple([BOARD.names[n] for n in path]),
            turns=move.squares[1:-1],
            to=(move.squares[-1],),
            top=rolled(die, legs, self.rules.handedness)[1:2] if die else "",
            faces=_faces(die, legs, self.rules.handedness) if die else (),
            moved=Piece("die", face_seen(die, self.rules.handedness)) if die else None,
        )

    def describe(self, move: Roll) -> Phrase:
        start, end = route_of(move)[:2]
        die, taken = self.dice[start], self.dice[end]
        params = {
            "player": self.turn,
            "die": die[1:2],
            "route": " → ".join(move.squares),
            "top": self.trace(move).top,
            "taken": "King" if taken[1:2] == "K" else taken[1:2],
        }
        return Phrase(f"six-faces.{'king' if die[1:2] == 'K' else 'roll'}{'-takes' if taken else ''}", params)

    def now(self) -> Phrase:
        return Phrase("six-faces.now")

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Roll]:
        inside = [BOARD.number[square] for square in squares if square in BOARD.number]
        if len(inside) > 1 and inside[0] != inside[-1]:
            yield from _straight_or_aside(inside[0], inside[-1])
        elif len(inside) == 1:  # a die that is not his, or none at all
            beside = (n for n in (inside[0] + 9, inside[0] - 9) if 0 <= n < BOARD.size)
            yield from (Roll((squares[0], BOARD.names[n])) for n in beside)

    def visible(self) -> Visible:
        return self._picture(())

    def _picture(self, lifted: tuple[int, ...]) -> Visible:
        def cell(n: int) -> str:
            return face_seen(self.dice[n], self.rules.handedness) if self.dice[n] and n not in lifted else "."

        return BOARD.picture(cell)

    def steps(self, move: Roll) -> list[Visible]:
        """A die lifted before it is set down; one that is taken may leave the board before or after."""
        start, end = route_of(move)[:2]
        lifts: list[tuple[int, ...]] = [(start,), (end,), (start, end)] if self.dice[end] else [(start,)]
        return [self._picture(lifted) for lifted in lifts]

    def future(self) -> Hashable:
        return replace(self, moments=())

    def stands(self) -> Hashable:
        seen = tuple([die and face_seen(die, self.rules.handedness) for die in self.dice])
        return replace(self, dice=seen, moments=())  # what a die has on its hidden faces comes to light as it rolls on

    def explain_illegal(self, seen: Visible) -> Reason:
        was, now = (BOARD.seen(picture, lambda code: True) for picture in (self.visible(), seen))
        changed = [n for n in range(BOARD.size) if was[n] != now[n]]
        left = [n for n in changed if now[n] == "."]
        came = [n for n in changed if now[n] != "."]
        rule = "six-faces.3"
        if not came and left:
            return Reason(rule, "taken-away", {"square": BOARD.names[left[0]]})
        if len(came) != 1 or len(left) > 1:
            return Reason(rule, "one-die", {})
        if not left:
            turned = was[came[0]][0] == now[came[0]][0]  # a die of the same color stood there
            return Reason(rule, "die-turned" if turned else "not-rolled-there", {"square": BOARD.names[came[0]]})
        reasons = [self.why_not(roll) for roll in _straight_or_aside(left[0], came[0])]
        if None in reasons:
            return Reason(rule, "wrong-top", {"square": BOARD.names[came[0]], "top": now[came[0]][1]})
        return reasons[0] or Reason(rule, "unexplained", {})

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> SixFaces:
        handedness = self.rules.handedness
        by_face: dict[str, list[str]] = {".": [""]}
        for die in DICE:
            by_face.setdefault(face_seen(die, handedness), []).append(die)
        cells = BOARD.seen(seen, by_face.__contains__)
        was = [face_seen(die, handedness) if die else "." for die in self.dice]
        lifted = [n for n, cell in enumerate(cells) if self.dice[n] and cell != was[n]]
        dice = [
            self.dice[n] if cell == was[n] else self._die_that_came(n, by_face[cell], lifted)
            for n, cell in enumerate(cells)
        ]
        kings = {side: dice.count(LETTER[side] + "K") for side in self.players}
        for side in self.players:
            count = sum(die[:1] == LETTER[side] for die in dice) - kings[side]
            if kings[side] > 1 or count > DICE_A_SIDE:
                raise MoreThanTheKit("stood", "too-many-dice", player=side)
        after = _position(dice, to_move, self.rules)
        gone = [side for side in self.players if not kings[side]]
        if gone:
            winner = None if len(gone) == 2 else "white" if gone == ["red"] else "red"
            return replace(after, winner=winner, why="king-taken")
        return after

    def _die_that_came(self, at: int, dice: list[str], lifted: list[int]) -> str:
        """Which of the dice with this appearance it is: one that rolled from a square now empty, or one put there."""
        for start in lifted:
            for roll in _straight_or_aside(start, at):
                die = rolled(self.dice[start], route_of(roll).legs, self.rules.handedness)
                if die in dice:
                    return die
        return next((self.dice[n] for n in lifted if self.dice[n] in dice), dice[0])


def _straight_or_aside(start: int, end: int) -> list[Roll]:
    """The ways from one square to another with one turn at most."""
    a, b = BOARD.names[start], BOARD.names[end]
    if a[0] == b[0] or a[1] == b[1]:
        return [Roll((a, b))]
    return [Roll((a, b[0] + a[1], b)), Roll((a, a[0] + b[1], b))]


def _position(dice: list[str], turn: Seat, rules: Rules) -> SixFaces:
    white, red = (sum(1 << n for n, die in enumerate(dice) if die[:1] == letter) for letter in "wr")
    return SixFaces(tuple(dice), white, red, turn, rules)


def _opening() -> list[str]:
    dice = [""] * BOARD.size
    for x, top in enumerate("5126K6215"):  # a palindrome: the same from either side
        dice[x] = "wK" if top == "K" else f"w{top}/3"
        dice[BOARD.size - 9 + x] = "rK" if top == "K" else f"r{top}/4"  # the 3 looks north, at Red
    return dice


def start(options: Options, setup: Setup) -> SixFaces:
    to_move = setup.get("to_move", "white")
    if to_move not in ("white", "red"):
        raise BadInput("setup.to_move", "not-one-of", value=to_move, choices="white, red")
    dice = _dice_given(setup["dice"]) if "dice" in setup else _opening()
    position = _position(dice, to_move, Rules(**options))
    return position._remembered() if position.rules.repetition else position


def _dice_given(given: object) -> list[str]:
    if not isinstance(given, dict):
        raise BadInput("setup.dice", "not-an-object")
    dice = [""] * BOARD.size
    for square, die in given.items():
        field = f"setup.dice.{square}"
        if square not in BOARD.number:
            raise BadInput("setup.dice", "no-such-square", square=square)
        if not isinstance(die, str) or die not in TOP:
            faces = isinstance(die, str) and re.fullmatch("[wr][1-6]/[1-6]", die)
            raise BadInput(field, "impossible-die" if faces else "no-such-die", die=die)
        dice[BOARD.number[square]] = die
    for side, letter in LETTER.items():
        if dice.count(letter + "K") != 1:
            raise BadInput("setup.dice", "one-king", player=side, got=dice.count(letter + "K"))
        if sum(die[:1] == letter for die in dice) - 1 > DICE_A_SIDE:
            raise BadInput("setup.dice", "too-many-dice", player=side)
    return dice


class DiceAsTheyLie(Opening):
    """The opening needs no input; in other setups a person must enter the south faces, which a camera cannot see."""

    def from_look(
        self, options: Options, setup: Setup, seen: Visible, told: Mapping[str, str]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        handedness: Handedness = options.get("handedness", "right")
        if "dice" in setup or seen == _position(_opening(), "white", Rules(handedness)).visible():
            return dict(options), dict(setup)
        dice = {}
        for code in sorted({code for row in seen["rows"] for code in row if code != "."}):
            die = code.partition(":")[0]
            for square in squares_showing(seen, code):
                if die[1] != "K" and square not in told:
                    raise BadInput("--south", "hidden-face", square=square, die=die)
                dice[square] = die if die[1] == "K" else f"{die}/{told[square]}"
        return dict(options), {**setup, "dice": dict(sorted(dice.items()))}

    def hidden(self, should: Visible, seen: Visible, options: Options) -> tuple[Hidden, ...]:
        handedness: Handedness = options.get("handedness", "right")
        opening = _opening()
        found = []
        for code in sorted({code for row in seen["rows"] for code in row if code != "." and code[1] != "K"}):
            top, expected = int(code[1]), squares_showing(should, code)
            sides = [face for face in range(1, 7) if face not in (top, 7 - top)]
            south = tuple(face for face in sides if face_seen(f"{code[0]}{top}/{face}", handedness) == code)
            for square in squares_showing(seen, code):
                usual = int(opening[BOARD.number[square]][3]) if square in expected else None
                found.append(Hidden(square, code[:2], south, usual))
        return tuple(found)


def roll_tables() -> tuple[Rolls, ...]:
    """For each top: every square that the die can reach on an empty board, and its top there."""
    found = []
    for top in range(1, 7):
        south = 3 if top not in (3, 4) else 2
        die = f"w{top}/{south}"
        ends = {}
        for dx, dy in product(range(-top, top + 1), repeat=2):
            if abs(dx) + abs(dy) == top:
                column, row = ("N" if dy > 0 else "S", abs(dy)), ("E" if dx > 0 else "W", abs(dx))
                tops = (TOP[rolled(die, legs, "right")] for legs in ((column, row), (row, column)))
                ends[dx, dy] = tuple(dict.fromkeys(tops))
        found.append(Rolls(face_seen(die, "right"), south, ends))
    return tuple(found)


SIX_FACES = Game(
    "six-faces",
    "faces",
    ("white", "red"),
    start,
    read,
    words.SIX_FACES,
    rolls=roll_tables,
    material=Material(pieces={"w": DICE_A_SIDE, "wK": 1, "r": DICE_A_SIDE, "rK": 1}),
    options={
        "handedness": Option("right", ("right", "left")),
        "home": Option("any", ("any", "king")),
        "repetition": Option(False),
    },
    setup=("dice", "to_move"),
    badges={"white": Badge("#fffdf7"), "red": Badge("#b3321f")},
    opening=DiceAsTheyLie(),
    solver="companion.solvers.six_faces",
    inference="companion.referee.six_faces",
    sheets="companion.games.words.six_faces_rules",
)
