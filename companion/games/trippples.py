"""Trippples: you move by the arrows under your opponent's pawn."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.errors import BadInput, MoreThanTheKit, Reason, UnreadableMove
from companion.games.game import Badge, Dealing, Game, Option, Options, Seating, Setup, Where, wrong_phase
from companion.games.material import Material
from companion.games.opening import Opening, Start
from companion.games.position import Counted, Outcome, Phrase, Piece, Position, Seat, Trace, Visible
from companion.games.squares import DIRECTIONS, SQUARE, Grid, bits, squares_showing
from companion.games.value import replace, value
from companion.games.words import trippples as words

if TYPE_CHECKING:
    from random import Random

FRAME = Grid(8, 8)
ALL_WAYS = 0xFF
# The 56 tiles by name; a set of directions is held in an int, north its lowest bit.
TILES = {
    "-".join(triple): sum(1 << list(DIRECTIONS).index(way) for way in triple) for triple in combinations(DIRECTIONS, 3)
}
PAWNS = ("square1", "round1", "square2", "round2")  # in the order of play
SPECIAL = ("start-square", "start-round", "finish-square", "finish-round", "neutral")


# --- moves


@value
class Place:
    tile: str
    square: str

    def __str__(self) -> str:
        return f"{self.tile}@{self.square}"


@value
class Step:
    to: str
    shows: str = ""  # what a face-down tile turned out to be
    frozen: bool = False  # announced that no pawn will be able to move

    def __str__(self) -> str:
        return self.to + (f"={self.shows}" if self.shows else "") + ("!" if self.frozen else "")


Move = Place | Step


def read(text: str) -> Move:
    if found := re.fullmatch(f"([A-Z-]+)@({SQUARE})", text):
        return Place(_tile(found[1], text), found[2])
    if found := re.fullmatch(f"({SQUARE})(?:=([A-Za-z-]+))?(!?)", text):
        shows = found[2] if found[2] in (None, "neutral") else _tile(found[2], text)
        return Step(found[1], shows or "", bool(found[3]))
    raise UnreadableMove(text=text)


def _tile(name: str, text: str) -> str:
    if name in TILES:
        return name
    ways = set(name.split("-"))
    if len(ways) == 3 and ways <= set(DIRECTIONS):
        raise UnreadableMove("tile-clockwise", tile="-".join(way for way in DIRECTIONS if way in ways))
    raise UnreadableMove(text=text)


# --- the frame and what was agreed


@cache
def neighbors(square: int, ways: int, grid: Grid = FRAME) -> int:
    """The squares one step away in these directions, as a set."""
    found = 0
    for n, bit in _steps(square, grid):
        if ways >> n & 1:
            found |= bit
    return found


@cache
def _steps(square: int, grid: Grid) -> list[tuple[int, int]]:
    """The directions that stay in the frame, each with the square it leads to."""
    x, y = square % grid.columns, square // grid.columns
    found = [(n, grid.at(x + dx, y + dy)) for n, (dx, dy) in enumerate(DIRECTIONS.values())]
    return [(n, 1 << to) for n, to in found if to is not None]


class Rules(NamedTuple):
    """What was agreed before the game. Squares by number; pawns in the order of play."""

    starts: tuple[int, ...]
    finishes: tuple[int, ...]
    neutral: int  # the neutral squares, as a set
    wild: bool = False
    hidden: bool = False
    indirect: bool = True
    frozen: bool = True
    under: tuple[str, ...] | None = None  # hidden: what lies under the face-down tiles, where it is known
    grid: Grid = FRAME

    @property
    def again(self) -> bool:
        """Whether a neutral square may be entered and gives a second move (trippples.7, trippples.9)."""
        return self.wild or self.hidden


@lru_cache(maxsize=4096)
def arrows_on(tiles: tuple[str, ...]) -> tuple[int, ...]:
    """The directions by square; all of them where there are no arrows."""
    return tuple(TILES.get(tile.rstrip("~"), ALL_WAYS) for tile in tiles)


class Field(NamedTuple):
    """A full frame as the pawns meet it: all that decides where they can go."""

    rules: Rules
    arrows: tuple[int, ...]  # see arrows_on

    def reach(self, pawns: tuple[int, ...], turn: int, again: bool) -> int:
        """Where the pawn whose turn it is can go, as a set of squares (trippples.3, .4, .10)."""
        ways = ALL_WAYS if again else 0
        occupied = 0
        for n, square in enumerate(pawns):
            occupied |= 1 << square
            if (n ^ turn) & 1:  # an opponent: square and round pawns alternate
                ways |= self.arrows[square]
        closed = occupied if self.rules.again else occupied | self.rules.neutral
        return neighbors(pawns[turn], ways, self.rules.grid) & ~closed

    def next_turn(self, pawns: tuple[int, ...], turn: int, entered: int) -> tuple[int, bool] | None:
        """Who moves after `turn` entered a square, and whether it is a second move; None when nobody can."""
        if self.rules.again and self.rules.neutral >> entered & 1 and self.reach(pawns, turn, True):
            return turn, True
        for n in range(1, len(pawns) + 1):
            then = (turn + n) % len(pawns)
            if self.reach(pawns, then, False):
                return then, False
        return None


Moment = tuple[tuple[int, ...], int, bool]  # the pawns' squares, whose turn, whether it is a second move


# --- the game


@value
class Trippples(Position[Move]):
    players = ("square", "round")

    rules: Rules
    tiles: tuple[str, ...]  # by square, as they can be seen
    pawns: tuple[int, ...]
    turn: int = 0
    again: bool = False
    winner: Seat | None = None
    why: str = ""
    moments: tuple[Moment, ...] = ()  # since the frame was full, where the indirect win counts

    @property
    def seats(self) -> tuple[Seat, ...]:
        return PAWNS if len(self.pawns) == 4 else self.players

    @property
    def to_move(self) -> Seat | None:
        return None if self.why else self.seats[self.turn]

    @property
    def mid_turn(self) -> bool:
        return self.again and not self.why

    @property
    def placing(self) -> bool:
        return "empty" in self.tiles

    @property
    def field(self) -> Field:
        return Field(self.rules, arrows_on(self.tiles))

    def _unused(self) -> list[str]:
        used = {tile.rstrip("~") for tile in self.tiles}
        return [tile for tile in TILES if tile not in used]

    def moves(self) -> Iterator[Move]:
        if self.why:
            return
        if self.placing:
            empty = [FRAME.names[n] for n, tile in enumerate(self.tiles) if tile == "empty"]
            yield from (Place(tile, square) for tile in self._unused() for square in empty)
            return
        for n in bits(self.field.reach(self.pawns, self.turn, self.again)):
            yield from (Step(FRAME.names[n], shows) for shows in self._may_show(n))

    def count(self) -> int:
        if self.placing and not self.why:
            return self.tiles.count("empty") * len(self._unused())
        return Position.count(self)

    def _may_show(self, square: int) -> list[str]:
        """What a pawn that enters a square may turn up; nothing if the square lies open."""
        if self.tiles[square] != "down":
            return [""]
        if self.rules.neutral >> square & 1:
            return ["neutral"]
        return [self.rules.under[square]] if self.rules.under else self._unused()

    def why_not(self, move: Move) -> Reason | None:
        if self.why:
            return Reason("over", "over", {})
        if isinstance(move, Place) != self.placing:
            return wrong_phase(self.to_move, self.now())
        return self._why_not_place(move) if isinstance(move, Place) else self._why_not_step(move)

    def _why_not_place(self, move: Place) -> Reason | None:
        if FRAME.outside([move.square]):
            return Reason("trippples.2", "outside", {"square": move.square})
        tile = self.tiles[FRAME.number[move.square]]
        if tile != "empty":
            return Reason("trippples.2", "square-has-tile", {"square": move.square, "tile": tile})
        if move.tile not in self._unused():
            return Reason("trippples.2", "used-up", {"piece": move.tile})
        return None

    def _why_not_step(self, move: Step) -> Reason | None:
        pawn = self.pawns[self.turn]
        x, y = ord(move.to[0]) - ord("a") - pawn % 8, int(move.to[1:]) - 1 - pawn // 8
        way = next((name for name, step in DIRECTIONS.items() if step == (x, y)), None)
        if way is None:
            return Reason("trippples.3", "not-a-neighbor", {"from": FRAME.names[pawn], "square": move.to})
        ways = self._open_ways()
        if way not in ways:
            params = {"way": f"way.{way}", "square": move.to, "open": [f"way.{one}" for one in ways]}
            return Reason("trippples.3", "no-such-arrow", params)
        if FRAME.outside([move.to]):
            return Reason("trippples.4", "outside", {"square": move.to})
        to = FRAME.number[move.to]
        if to in self.pawns:
            return Reason("trippples.4", "square-taken", {"square": move.to})
        if self.rules.neutral >> to & 1 and not self.rules.again:
            return Reason("trippples.4", "neutral", {"square": move.to})
        if move.shows not in (may := self._may_show(to)):
            return self._why_not_shown(move, may)
        return None

    def _open_ways(self) -> list[str]:
        arrows = self.field.arrows
        ways = ALL_WAYS if self.again else 0
        for n, square in enumerate(self.pawns):
            ways |= arrows[square] if (n ^ self.turn) & 1 else 0
        return [name for n, name in enumerate(DIRECTIONS) if ways >> n & 1]

    def _why_not_shown(self, move: Step, may: list[str]) -> Reason:
        if may == [""]:
            return Reason("trippples.9", "lies-open", {"square": move.to})
        if not move.shows:
            return Reason("trippples.9", "turn-it-up", {"square": move.to})
        if len(may) == 1:
            return Reason("trippples.9", "shows-other", {"square": move.to, "tile": may[0]})
        if move.shows == "neutral":
            return Reason("trippples.9", "not-neutral", {"square": move.to})
        return Reason("trippples.9", "used-up", {"piece": move.shows})

    def play(self, move: Move) -> Trippples:
        tiles = list(self.tiles)
        if isinstance(move, Place):
            tiles[FRAME.number[move.square]] = move.tile
            after = replace(self, tiles=tuple(tiles), turn=(self.turn + 1) % len(self.pawns))
            return after if after.placing else replace(after, turn=0)._begun()
        to = FRAME.number[move.to]
        if move.shows:
            tiles[to] = move.shows
        pawns = (*self.pawns[: self.turn], to, *self.pawns[self.turn + 1 :])
        after = replace(self, tiles=tuple(tiles), pawns=pawns, again=False)
        me = self.players[self.turn & 1]
        if to == self.rules.finishes[self.turn]:
            return replace(after, winner=me, why="finish")
        then = after.field.next_turn(pawns, self.turn, to)
        if then is None:
            announced = move.frozen and self.rules.frozen
            return replace(after, winner=me if announced else None, why="frozen" if announced else "freeze")
        return replace(after, turn=then[0], again=then[1])._repeated()

    def _begun(self) -> Trippples:
        """The frame is full: the player whose turn it is begins, or the first after him who can move."""
        then = self.field.next_turn(self.pawns, self.turn - 1, self.rules.starts[0])
        return replace(self, turn=then[0])._repeated() if then else replace(self, why="freeze")

    def _repeated(self) -> Trippples:
        """The indirect win is judged when a moment comes for the third time, and each time after (trippples.8)."""
        if not self.rules.indirect or self.rules.hidden or len(self.pawns) == 4:
            return self
        now = (self.pawns, self.turn, self.again)
        after = replace(self, moments=(*self.moments, now))
        if after.moments.count(now) < 3:
            return after
        last = len(self.moments) - 1 - self.moments[::-1].index(now)
        from companion.games.retrograde import forced, solve  # only here: few games need it

        solution = solve(self.field)
        stuck = [turn for turn in (0, 1) if forced(solution, frozenset(self.moments[last:]), turn)]
        if len(stuck) == 2:
            return replace(after, why="both-forced")
        if stuck and not solution.loses(now, 1 - stuck[0]):
            return replace(after, winner=self.players[1 - stuck[0]], why="indirect")
        return after

    def outcome(self) -> Outcome | None:
        return self.ended(self.winner, self.why) if self.why else None

    def decided(self) -> tuple[Counted, ...]:
        """The pawn that is home; where nobody can move, or has to go back and forth, all pawns."""
        pawns = enumerate(self.pawns)
        home = [n for n, square in pawns if self.why == "finish" and square == self.rules.finishes[n]]
        shown = [n for n in home if self.players[n & 1] == self.winner] or range(len(self.pawns))
        return tuple(Counted((self.rules.grid.names[self.pawns[n]],), self.winner) for n in shown) if self.why else ()

    # --- where a move happens

    def trace(self, move: Move) -> Trace:
        if isinstance(move, Place):
            return Trace(to=(move.square,), pieces=(Piece("tile", move.tile),))
        turned_up = (Piece("tile", move.shows),) if move.shows else ()
        start, pawn = FRAME.names[self.pawns[self.turn]], Piece("pawn", PAWNS[self.turn])
        return Trace(start=(start,), to=(move.to,), pieces=turned_up, moved=pawn)

    def describe(self, move: Move) -> Phrase:
        if isinstance(move, Place):
            return Phrase("trippples.place", {"tile": move.tile, "square": move.square})
        code = f"trippples.{'turn-up' if move.shows else 'step'}{'-frozen' if move.frozen else ''}"
        pawn, at = self.seats[self.turn], FRAME.names[self.pawns[self.turn]]
        return Phrase(code, {"pawn": pawn, "from": at, "to": move.to, "tile": move.shows})

    def now(self) -> Phrase:
        if self.placing:
            return Phrase("trippples.put-tile", {"left": self.tiles.count("empty")})
        if self.again:
            return Phrase("trippples.once-more")
        return Phrase("trippples.any-way" if len(self.ways()) == len(DIRECTIONS) else "trippples.by-arrows")

    def meant_by(self, squares: tuple[str, ...]) -> Iterator[Move]:
        to = squares[-1]
        if self.placing:
            yield from (Place(tile, to) for tile in self._unused()[:1])
        elif to in FRAME.number:
            yield from (Step(to, shows) for shows in self._may_show(FRAME.number[to])[:1])
        else:
            yield Step(to)

    def announced(self, move: Move) -> Move | None:
        """A freeze (trippples.8)."""
        return replace(move, frozen=True) if isinstance(move, Step) and self.rules.frozen else None

    def without_secret(self, move: Move) -> str:
        return str(replace(move, shows="")) if isinstance(move, Step) else str(move)

    def ways(self) -> Mapping[str, str | None]:
        if self.placing or self.why:
            return {}
        goals = set(bits(self.field.reach(self.pawns, self.turn, self.again)))
        x, y = self.pawns[self.turn] % 8, self.pawns[self.turn] // 8
        steps = {way: FRAME.at(x + DIRECTIONS[way][0], y + DIRECTIONS[way][1]) for way in self._open_ways()}
        return {way: FRAME.names[to] if to in goals and to is not None else None for way, to in steps.items()}

    def between(self, move: Move) -> list[Visible]:
        """A face-down tile is turned up before the pawn is put on it."""
        return self.steps(move)[1:2] if isinstance(move, Step) and move.shows else []

    # --- what can be seen

    def visible(self) -> Visible:
        return self._picture(self.tiles, dict(zip(PAWNS, self.pawns, strict=False)))

    def _picture(self, tiles: tuple[str, ...], pawns: Mapping[str, int]) -> Visible:
        seen = FRAME.picture(tiles.__getitem__)
        if not self.placing:
            seen["pawns"] = {pawn: FRAME.names[square] for pawn, square in pawns.items()}
        return seen

    def can_show(self, code: str) -> bool:
        return (code != "down" or self.rules.hidden) and (code != "empty" or self.placing)

    def steps(self, move: Move) -> list[Visible]:
        """A pawn in the hand; a face-down tile turned up before or after the pawn is put on it."""
        if isinstance(move, Place):
            return []
        pawns, mover = dict(zip(PAWNS, self.pawns, strict=False)), PAWNS[self.turn]
        lifted = {pawn: square for pawn, square in pawns.items() if pawn != mover}
        half = [self._picture(self.tiles, lifted)]
        if move.shows:
            to = FRAME.number[move.to]
            tiles = (*self.tiles[:to], move.shows, *self.tiles[to + 1 :])
            half += [self._picture(tiles, pawns), self._picture(tiles, lifted)]
            half.append(self._picture(self.tiles, {**pawns, mover: to}))
        return half

    @property
    def puts_freely(self) -> bool:
        """While the frame is filled, tiles may be put in any order."""
        return self.placing and not self.why

    def put(self, square: str, code: str) -> Move | None:
        place = Place(code, square)
        return place if code in TILES and self._why_not_place(place) is None else None

    def future(self) -> Hashable:
        return replace(self, moments=())

    def explain_illegal(self, seen: Visible) -> Reason:
        tiles = FRAME.seen(seen, lambda code: True)
        changed = [n for n, tile in enumerate(tiles) if tile != self.tiles[n]]
        if self.placing:
            new = [n for n in changed if self.tiles[n] == "empty" and tiles[n].rstrip("~") in TILES]
            if len(new) == len(changed) == 1:
                place = Place(tiles[new[0]].rstrip("~"), FRAME.names[new[0]])
                return self.why_not(place) or Reason("trippples.2", "tile-turned", {"square": place.square})
            return _tile_moved(changed, tiles)
        pawns, was = seen.get("pawns", {}), dict(zip(PAWNS, (FRAME.names[n] for n in self.pawns), strict=False))
        moved = [pawn for pawn in was if pawns.get(pawn) != was[pawn]]
        if len(moved) > 1:
            return Reason("trippples.3", "one-pawn", {})
        if not moved:
            return _tile_moved(changed, tiles)
        if moved[0] != PAWNS[self.turn]:
            pawn = self.seats[PAWNS.index(moved[0])]
            return Reason("turn", "not-your-pawn", {"pawn": pawn, "player": self.to_move})
        if moved[0] not in pawns:
            return Reason("trippples.3", "taken-away", {"square": was[moved[0]]})
        to = pawns[moved[0]]
        shows = tiles[FRAME.number[to]] if self.tiles[FRAME.number[to]] == "down" else ""
        return self.why_not(Step(to, "" if shows == "down" else shows)) or Reason("trippples.3", "unexplained", {})

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> Trippples:
        def known(code: str) -> bool:
            return code.removesuffix("~") in TILES or code in (*SPECIAL, "down", "empty")

        tiles = FRAME.seen(seen, known)
        triples = [tile.rstrip("~") for tile in tiles if tile.rstrip("~") in TILES]
        if twice := next((tile for tile in triples if triples.count(tile) > 1), None):
            raise MoreThanTheKit("stood", "tile-twice", tile=twice)
        names = PAWNS[: len(self.pawns)]
        squares = self.pawns
        if "empty" not in tiles:
            given = seen.get("pawns")
            if not isinstance(given, dict) or sorted(given) != sorted(names):
                raise BadInput("stood.pawns", "not-the-pawns", pawns=", ".join(names))
            squares = tuple(FRAME.number[FRAME.one(given[pawn], f"stood.pawns.{pawn}")] for pawn in names)
            if len(set(squares)) < len(squares):
                raise BadInput("stood.pawns", "pawns-together")
        after = Trippples(self.rules, tuple(tiles), squares, self.seats.index(to_move))
        if after.placing:
            return after
        for n, at in enumerate(squares):
            if at == self.rules.finishes[n]:
                return replace(after, winner=self.players[n & 1], why="finish")
        return after._begun()


def _tile_moved(changed: list[int], tiles: list[str]) -> Reason:
    """Why a turn cannot have changed the tiles on these squares."""
    if not changed:
        return Reason("trippples.2", "unexplained", {})
    turned = tiles[changed[0]].endswith("~")
    return Reason("trippples.2", "tile-turned" if turned else "tiles-stay", {"square": FRAME.names[changed[0]]})


LAYOUTS = {  # starts and finishes of square1 and round1; the neutral squares
    "corner": (("a1", "h1"), ("h8", "a8"), ("d4", "e4", "d5", "e5")),
    "inset": (("b2", "g2"), ("g7", "b7"), ("d4", "e4", "d5", "e5")),
    "centre": (("a1", "h1"), ("e5", "d5"), ("d4", "e4", "a8", "h8")),
}


def start(options: Options, setup: Setup) -> Trippples:
    rules, special = _rules_agreed(options)
    hidden, given = rules.hidden, setup.get("tiles")
    tiles = ["down" if hidden else "empty"] * FRAME.size
    if given is not None:
        under = _tiles_given(given, special)
        if hidden:
            rules = rules._replace(under=tuple(under))
        else:
            tiles = under
    for square, code in special.items():
        tiles[square] = "down" if hidden and code == "neutral" else code
    position = Trippples(rules, tuple(tiles), rules.starts)
    return position if position.placing else position._begun()


def _rules_agreed(options: Options) -> tuple[Rules, dict[int, str]]:
    """The rules from the options, and the codes of the eight squares without arrows."""
    teams, layout = options["players"] == 4, options["layout"]
    if teams and layout == "centre":
        raise BadInput("options.layout", "centre-for-two")
    pawns = PAWNS if teams else ("square", "round")
    starts: tuple[str, ...]
    finishes: tuple[str, ...]
    neutral: tuple[str, ...]
    starts, finishes, neutral = LAYOUTS[layout]
    if teams:  # team-mates start in opposite corners, each one's finish is the partner's start
        starts, finishes = (*starts, *finishes), (*finishes, *starts)
    starts = _squares(options, "starts", pawns, starts)
    finishes = _squares(options, "finishes", pawns, finishes)
    if options["neutral"] is not None:
        neutral = FRAME.named(FRAME.listed(options["neutral"], "options.neutral", 4))
    special = dict.fromkeys((FRAME.number[name] for name in neutral), "neutral")
    for names, kind in ((finishes, "finish"), (starts, "start")):
        for n, name in reversed(list(enumerate(names))):  # the first pawns' tiles lie there, where they share
            if name in neutral:
                raise BadInput("options.neutral", "square-twice", square=name)
            if not (teams and n > 1 and FRAME.number[name] in special):
                special[FRAME.number[name]] = f"{kind}-{('square', 'round')[n & 1]}"
    if len(special) != FRAME.size - len(TILES):
        raise BadInput("options", "not-eight-special", got=len(special))
    rules = Rules(
        tuple(FRAME.number[name] for name in starts),
        tuple(FRAME.number[name] for name in finishes),
        FRAME.set_of(neutral),
        options["wild"],
        options["hidden"],
        options["indirect"],
        options["frozen"],
    )
    return rules, special


def tile_squares(options: Options) -> list[str]:
    """The 56 squares that tiles go on under these options."""
    special = _rules_agreed(options)[1]
    return [name for n, name in enumerate(FRAME.names) if n not in special]


def _squares(options: Options, name: str, pawns: tuple[str, ...], default: tuple[str, ...]) -> tuple[str, ...]:
    given, field = options[name], f"options.{name}"
    if given is None:
        return default
    if not isinstance(given, dict) or sorted(given) != sorted(pawns):
        raise BadInput(field, "not-the-pawns", pawns=", ".join(pawns))
    squares = tuple(FRAME.one(given[pawn], f"{field}.{pawn}") for pawn in pawns)
    if twice := next((square for square in squares if squares.count(square) > 1), None):
        raise BadInput(field, "square-twice", square=twice)
    return squares


def _tiles_given(given: object, special: dict[int, str]) -> list[str]:
    if not isinstance(given, dict):
        raise BadInput("setup.tiles", "not-an-object")
    tiles = ["empty"] * FRAME.size
    for square, tile in given.items():
        field = f"setup.tiles.{square}"
        if square not in FRAME.number:
            raise BadInput("setup.tiles", "no-such-square", square=square)
        if FRAME.number[square] in special:
            raise BadInput(field, "special-square", square=square, tile=special[FRAME.number[square]])
        if not isinstance(tile, str) or tile not in TILES:
            raise BadInput(field, "no-such-tile", tile=tile)
        if tile in tiles:
            raise BadInput(field, "tile-twice", tile=tile)
        tiles[FRAME.number[square]] = tile
    if len(given) != len(TILES):
        raise BadInput("setup.tiles", "wrong-count", count=len(TILES), got=len(given))
    return tiles


def deal(chance: Random, options: Options, number: int) -> dict[str, Any]:
    """A random setup of all 56 tiles, instead of placing them in turn."""
    free = tile_squares(options)
    return {"tiles": dict(zip(free, chance.sample(list(TILES), len(free)), strict=True))}


class TilesAsTheyLie(Opening):
    """Tiles, starts, finishes and neutral squares as they lie; with hidden or no tiles only the latter."""

    def from_look(
        self, options: Options, setup: Setup, seen: Visible, told: Mapping[str, str]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        options, setup = dict(options), dict(setup)
        places = {code: squares_showing(seen, code) for code in SPECIAL}
        single = all(len(places[code]) == 1 for code in SPECIAL if code != "neutral")
        if single and options.get("players", 2) == 2:
            for kind, name in (("start", "starts"), ("finish", "finishes")):
                options.setdefault(name, {pawn: places[f"{kind}-{pawn}"][0] for pawn in ("square", "round")})
            if len(places["neutral"]) == 4:
                options.setdefault("neutral", places["neutral"])
        arrows = {square: tile for tile in TILES for square in squares_showing(seen, tile)}
        if len(arrows) == len(TILES):
            setup.setdefault("tiles", dict(sorted(arrows.items())))
        return options, setup

    def should_be(self, start: Start, options: Options, setup: Setup, seen: Visible) -> Visible:
        should = super().should_be(start, options, setup, seen)
        if sum(len(squares_showing(seen, tile)) for tile in TILES) > len(TILES) // 2:
            return start(options, {"tiles": _every_tile(should, seen)}).visible()
        return should


def _every_tile(frame: Visible, seen: Visible) -> dict[str, str]:
    """Every tile once: on its square if that is right, the others on free squares."""
    placed: dict[str, str] = {}
    lies = {square: tile for tile in TILES for code in (tile, f"{tile}~") for square in squares_showing(seen, code)}
    room = squares_showing(frame, "empty")
    for square in room:
        if square in lies and lies[square] not in placed.values():
            placed[square] = lies[square]
    left = (tile for tile in TILES if tile not in placed.values())
    return {square: placed.get(square) or next(left) for square in room}


MATERIAL = Material(pieces=dict.fromkeys((*TILES, *SPECIAL), 1) | {"neutral": 4} | dict.fromkeys(PAWNS, 1))
TRIPPPLES = Game(
    "trippples",
    "tiles",
    ("square", "round"),
    start,
    read,
    words.TRIPPPLES,
    material=MATERIAL,
    options={
        "players": Option(2, (2, 4)),
        "layout": Option("corner", tuple(LAYOUTS)),
        "starts": Option(None, ()),
        "finishes": Option(None, ()),
        "neutral": Option(None, ()),
        "wild": Option(False),
        "hidden": Option(False),
        "indirect": Option(True),
        "frozen": Option(True),
    },
    setup=("tiles",),
    secret={"tiles": "hidden"},
    inference="companion.referee.trippples",
    seating=Seating({2: ("square", "round"), 4: PAWNS}, Where.OPTIONS),
    badges={
        "square": Badge("#ffb21e", "square"),
        "round": Badge("#3f8cff"),
        "square1": Badge("#ffb21e", "square"),
        "round1": Badge("#3f8cff"),
        "square2": Badge("#ff5a4d", "square"),
        "round2": Badge("#33c46a"),
    },
    dealing=Dealing.OFFERED,
    deal=deal,
    opening=TilesAsTheyLie(),
    solver="companion.solvers.trippples",
    sheets="companion.games.words.trippples_rules",
)
