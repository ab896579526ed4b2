"""The lights on the squares: pure functions from a scene of a game to colors and blink patterns.

Color-blind people too can tell the color of each kind of light from the others shown at the same time. Each kind also
has a blink pattern of its own, for matrices of one color. Nothing flashes more than 2.5 times a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from companion.games.position import AnyPosition, Outcome, Piece, Trace
from companion.games.squares import DIRECTIONS

if TYPE_CHECKING:
    from companion.referee import Wrong

Cell = tuple[int, int]  # column and row, from the south-west
Size = tuple[int, int]
Color = tuple[int, int, int]


class Light(NamedTuple):
    color: Color  # the PWM values of red, green and blue, 0 to 255, at full brightness
    blink: int = 0  # the protocol's number of the blink pattern


Picture = Mapping[Cell, Light]

# Lights that are shown at the same time have different blink patterns.
TURN = Light((80, 70, 90), 4)  # the middle of the mover's side of the board
LAST = Light((255, 90, 0), 0)  # the last turn
FROM = Light((255, 180, 255), 1)  # the piece to take, or the one in the hand
CAN = Light((0, 40, 255), 2)  # where that piece may go
ROUTE = Light((0, 80, 22), 5)  # the squares that a hint's move passes, or the plank to lay
TO = Light((40, 255, 110), 7)  # where a hint's move ends: all squares of the piece
WRONG = Light((255, 0, 0), 3)  # a piece to take away
PUT_BACK = Light((255, 70, 30), 6)  # another piece belongs here
WON = Light((40, 255, 110), 2)  # the winner's side
OVER = Light((255, 180, 255), 5)  # all sides: nobody won
BLOCKED = Light((0, 8, 50), 4)  # an arrow along which nobody can move
UNKEPT = Light((120, 40, 160), 6)  # the corners: the moves are not saved to disk
WINKING = (FROM, WRONG, PUT_BACK, UNKEPT)  # these blink in color too
KINDS = {
    "turn": TURN,
    "last": LAST,
    "from": FROM,
    "can": CAN,
    "route": ROUTE,
    "to": TO,
    "wrong": WRONG,
    "put-back": PUT_BACK,
    "won": WON,
    "over": OVER,
    "blocked": BLOCKED,
    "unkept": UNKEPT,
}

PLANK_ROWS = 16  # rows of the matrix under a row of planks: at most 12 planks, and room for one more at each end
ARROWS = (8, 8)  # the size of the display that shows a tile's arrows
EMPTY = ("", ".", "empty")
SIDES = {1: "", 2: "SN", 3: "SWN", 4: "SWNE"}  # the sides at which the seats are, clockwise from the first player's


class Scene(NamedTuple):
    """All that the lights show at one moment. Squares are named as in records."""

    position: AnyPosition
    last: tuple[Trace, ...] = ()  # the moves of the last turn
    lifted: str | Piece | None = None  # the piece in a hand: the square it stood on, or a piece from beside the board
    hint: Trace | None = None
    wrong: tuple[Wrong, ...] = ()  # on a row of planks: numbered as in the position
    outcome: Outcome | None = None
    unkept: bool = False  # the moves cannot be saved to disk now


def board_size(position: AnyPosition) -> Size:
    """Columns and rows of the game's board; for a row of planks those of the default matrix."""
    rows = position.visible().get("rows")
    return (len(rows[0]), len(rows)) if rows else (3, PLANK_ROWS)


def paint(scene: Scene, size: Size | None = None) -> Picture:
    """The lights of the board. `size`: of the matrix, for a row of planks."""
    high = (size or board_size(scene.position))[1]
    if scene.outcome:
        lights = _result(scene, high) | _on(LAST, _last(scene))
    elif scene.wrong:
        lights = _wrong(scene.wrong)
    else:
        lights = _turn(scene, high) | _in_play(scene)
    if scene.unkept and not scene.wrong:  # correcting the board is more urgent
        lights |= _on(UNKEPT, _corners(board_size(scene.position)[0], high))
    if "planks" not in scene.position.visible():
        return {_cell(place, scene.position.first_row): light for place, light in lights.items()}
    bottom = _bottom(scene.position, high, [int(place[1:]) for place in lights if isinstance(place, str)])
    cells = {_cell(place, bottom): light for place, light in lights.items()}
    return {cell: light for cell, light in cells.items() if 0 <= cell[1] < high}


# --- by squares

Place = str | Cell  # a square of the game, or a cell of the matrix
Lights = dict[Place, Light]


def _on(light: Light, places: Iterable[Place]) -> Lights:
    return dict.fromkeys(places, light)


def _in_play(scene: Scene) -> Lights:
    """The lights while the game goes on and nothing is wrong."""
    position, lifted, hint = scene.position, scene.lifted, scene.hint
    if lifted:
        lights = _on(CAN, _ends(position, lifted)) | _on(FROM, () if isinstance(lifted, Piece) else (lifted,))
        if hint is None or lifted not in hint.start:
            return lights
    else:
        lights = _on(LAST, _last(scene)) | _arrow_ways(position)
    if hint:
        lights |= _on(ROUTE, (*hint.route, *hint.laid)) | _on(FROM, hint.start) | _on(TO, hint.to)
    return lights


def _last(scene: Scene) -> list[str]:
    """The squares of the last turn. Of a pawn's move only the end: the tile it leaves looks as before."""
    if "pawns" in scene.position.visible():
        return [square for way in scene.last for square in way.to]
    # Of a long turn only the last move and the small pieces: all its cards would light half the board.
    before = (way.shown for way in scene.last[:-1] if len(way.shown) == 1)
    return [square for shown in (*before, *(way.shown for way in scene.last[-1:])) for square in shown]


def _ends(position: AnyPosition, lifted: str | Piece) -> list[str]:
    """The squares to which a piece may legally go: the one on this square, or this one from beside the board."""
    ways = [position.trace(move) for move in position.moves()]
    if isinstance(lifted, Piece):
        ways = [way for way in ways if lifted in way.pieces[:1]]  # the first piece of a move: a plank, then its token
    else:
        ways = [way for way in ways if lifted in way.start]
    return [square for way in ways for square in (*way.laid, *way.to)]


def _arrow_ways(position: AnyPosition) -> Lights:
    """The pawn to move and where it may go. Nothing in games without arrows: they have too many moves to show."""
    ways = position.ways()
    if not ways:
        return {}
    pawn = position.trace(next(position.moves())).start  # every move is the same pawn's
    return _on(CAN, filter(None, ways.values())) | _on(TURN, pawn)


def _wrong(wrong: Iterable[Wrong]) -> Lights:
    lights: Lights = {}
    for name, should, seen in wrong:
        if is_square(name):
            bare = should in EMPTY or (
                should[1:] == "." and seen not in EMPTY
            )  # the square of a plank, without a token
            lights[name] = WRONG if bare else PUT_BACK
        else:  # a pawn: where it stands, and where it belongs
            lights |= _on(WRONG, filter(None, [seen])) | _on(PUT_BACK, filter(None, [should]))
    return lights


def is_square(name: str) -> bool:
    """Whether this is the name of a square, not of a pawn or a piece."""
    return name[1:].removeprefix("-").isdecimal()


# --- whose turn, and who won: at the sides


def _turn(scene: Scene, high: int) -> Lights:
    position = scene.position
    if position.to_move not in position.seats:
        return {}
    side = SIDES[len(position.seats)][position.seats.index(position.to_move) :][:1]
    return _on(TURN, _side(side, board_size(position)[0], high, whole=False)) if side else {}


def _result(scene: Scene, high: int) -> Lights:
    position, outcome = scene.position, scene.outcome
    assert outcome is not None
    wide, seats = board_size(position)[0], position.seats
    if outcome.winner is None or len(seats) == 1:
        everywhere = [place for side in "SWNE" for place in _side(side, wide, high)]
        return _on(WON if outcome.winner else OVER, everywhere)
    winners = {outcome.winner}
    if len(position.players) == 4:  # his partner scores like him
        winners = {player for player, score in outcome.scores.items() if score == outcome.scores[outcome.winner]}
    won: Lights = {}
    for seat, side in zip(seats, SIDES[len(seats)], strict=True):
        if {seat, position.side(seat)} & winners:
            won |= _on(WON, _side(side, wide, high))
    return won


def _side(side: str, wide: int, high: int, whole: bool = True) -> list[Place]:
    """A side of the matrix, or its middle."""
    across, up = (range(wide), range(high)) if whole else (_middle(wide), _middle(high))
    if side in "SN":
        return [(x, 0 if side == "S" else high - 1) for x in across]
    return [(0 if side == "W" else wide - 1, y) for y in up]


def _corners(wide: int, high: int) -> list[Place]:
    return [(x, y) for x in (0, wide - 1) for y in (0, high - 1)]


def _middle(length: int) -> range:
    short = (length + 1) // 4
    return range(short, length - short)


# --- on the matrix


def _cell(place: Place, bottom: int = 1) -> Cell:
    """The cell of a place. `bottom`: the number of the matrix's southernmost row."""
    return (ord(place[0]) - ord("a"), int(place[1:]) - bottom) if isinstance(place, str) else place


def _bottom(position: AnyPosition, high: int, pointed: list[int]) -> int:
    """The number of the plank on the matrix's southernmost row.

    The first plank lies in the middle of the matrix. When the row, with room for one more plank at each end, reaches
    the edge of the matrix, it is shifted as far as needed, on the table as in the lights. On a matrix that is too
    short, the part of the row that has lights is shown.
    """
    south = position.first_row
    first, last = south - 1, south + len(position.visible()["planks"])
    bottom = -((high - 1) // 2)
    if last - first >= high and pointed:
        middle = (min(pointed) + max(pointed)) // 2
        return max(first, min(middle - high // 2, last - high + 1))
    return min(max(bottom, last - high + 1), first)


# --- the arrows by which one moves, on a display of their own


def _glyph(way: str) -> tuple[Cell, ...]:
    """The cells of an arrow that points outwards on an 8×8 display. The eight arrows do not overlap."""
    dx, dy = DIRECTIONS[way]
    if dx and dy:
        x, y = (7, 0)[dx < 0], (7, 0)[dy < 0]  # the tip
        shaft = [(x - 2 * dx, y - 2 * dy), (x - dx, y - dy), (x, y)]
        return *shaft, (x - dx, y), (x - 2 * dx, y), (x, y - dy), (x, y - 2 * dy)
    cells = []
    for n in (1, 2, 3):
        wide = (3, 4) if n != 2 else (2, 3, 4, 5)
        for k in wide:
            along = 4 + n if dx + dy > 0 else 3 - n
            cells.append((along, k) if dx else (k, along))
    return tuple(cells)


GLYPHS = {way: _glyph(way) for way in DIRECTIONS}
HUB = ((3, 3), (4, 3), (3, 4), (4, 4))


def arrows(scene: Scene) -> Picture:
    """The arrows along which the player to move may go; while tiles are placed, those of a hint's tile."""
    if scene.outcome or scene.wrong:
        return {}
    hint, ways = scene.hint, scene.position.ways()
    if not ways:  # not yet, or never
        tiles = [piece.name.split("-") for piece in hint.pieces if piece.kind == "tile"] if hint else []
        return next((_tile(dict.fromkeys(tile, TO), TO) for tile in tiles if GLYPHS.keys() >= set(tile)), {})
    aims = hint.to if hint else ()
    lights = {way: TO if to in aims else CAN if to else BLOCKED for way, to in ways.items()}
    return _tile(lights, FROM if hint else CAN)


def _tile(ways: Mapping[str, Light], hub: Light) -> Picture:
    picture = dict.fromkeys(HUB, hub)
    for way, light in ways.items():
        picture |= dict.fromkeys(GLYPHS[way], light)
    return picture
