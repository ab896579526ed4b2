"""What is to be told, as lights on squares: pure functions from a moment of a game to colours and blink patterns.

Every kind of light has a colour that also the colour-blind can tell from the others that burn at the same time, and a
blink pattern of its own, by which a matrix of one colour shows the same. Nothing flashes more than 2.5 times a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.position import Outcome, Position
from companion.games.trippples import DIRECTIONS, TILES
from companion.leds.traces import planks_of, trace

if TYPE_CHECKING:
    from companion.referee import Wrong

Cell = tuple[int, int]  # column and row, from the south-west
Size = tuple[int, int]
Color = tuple[int, int, int]


class Light(NamedTuple):
    color: Color  # how long red, green and blue are on, 0..255, before brightness and current budget
    blink: int = 0  # a pattern of the protocol


Picture = Mapping[Cell, Light]

# Of lights that burn at the same time no two have the same pattern.
TURN = Light((18, 18, 14), 4)  # in the middle of the side at which the one to move sits
LAST = Light((255, 90, 0), 0)
FROM = Light((255, 180, 255), 1)  # the piece to take, or the one that is in the hand
CAN = Light((0, 40, 255), 2)  # where it may go
ROUTE = Light((0, 80, 22), 5)  # a hint's way, or the plank to lay
TO = Light((40, 255, 110), 7)  # where a hint ends: all squares of a piece
WRONG = Light((255, 0, 0), 3)  # to be taken away
PUT_BACK = Light((255, 70, 30), 6)  # something else belongs here
WON = Light((40, 255, 110), 2)  # the winner's side
OVER = Light((255, 180, 255), 5)  # nobody won: all sides
BLOCKED = Light((0, 8, 50), 4)  # an arrow that leads nowhere
WINKING = (FROM, WRONG, PUT_BACK)  # these blink in colour too
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
}

PLANK_ROWS = 16  # of a matrix under a row of planks: at most 12 lie there, and one more may be shown at each end
ARROWS = (8, 8)  # of the display that shows a tile
EMPTY = ("", ".", "empty")
SIDES = {1: "", 2: "SN", 3: "SWN", 4: "SWNE"}  # where the seats are, clockwise from the first player's


class Scene(NamedTuple):
    """All that is to be told at one moment. Squares and moves are written as in the game's records."""

    position: Position[Any]
    last: tuple[str, ...] = ()  # the moves of the last turn
    lifted: str | None = None  # the square of the piece that is in a hand, or a piece from beside the board by its name
    hint: str | None = None
    wrong: tuple[Wrong, ...] = ()  # on a row of planks: by the position's numbers
    outcome: Outcome | None = None


def board_size(position: Position[Any]) -> Size:
    """The squares of the game's board, as columns and rows; a row of planks is as long as its usual matrix."""
    rows = position.visible().get("rows")
    return (len(rows[0]), len(rows)) if rows else (3, PLANK_ROWS)


def paint(scene: Scene, size: Size | None = None) -> Picture:
    """The lights of the board. `size` is for a row of planks: that of the matrix it lies on."""
    high = (size or board_size(scene.position))[1]
    if scene.outcome:
        lights = _result(scene, high) | _on(LAST, _shown_of(scene))
    elif scene.wrong:
        lights = _wrong(scene.wrong)
    else:
        lights = _turn(scene, high) | _told(scene)
    if "planks" not in scene.position.visible():
        return {_cell(place): light for place, light in lights.items()}
    bottom = _bottom(scene.position, high, [int(place[1:]) for place in lights if place[0] != "!"])
    cells = {_cell(place, bottom): light for place, light in lights.items()}
    return {cell: light for cell, light in cells.items() if 0 <= cell[1] < high}


# --- by squares; `!column,row` is a place on the matrix rather than a square of the game

Lights = dict[str, Light]


def _on(light: Light, squares: Iterable[str]) -> Lights:
    return dict.fromkeys(squares, light)


def _told(scene: Scene) -> Lights:
    """While the game goes on and nothing is wrong."""
    position, lifted = scene.position, scene.lifted
    hint = trace(scene.hint, position) if scene.hint else None
    if lifted:
        lights = _on(CAN, _ends(position, lifted)) | _on(FROM, [lifted] if lifted[0].islower() else [])
        if hint is None or lifted not in hint.start:
            return lights
    else:
        lights = _on(LAST, _shown_of(scene)) | _on(CAN, _ways(position)) | _on(TURN, trace("a1", position).start)
    if hint:
        lights |= _on(ROUTE, (*hint.route, *hint.laid)) | _on(FROM, hint.start) | _on(TO, hint.to)
    return lights


def _shown_of(scene: Scene) -> list[str]:
    return [square for text in scene.last for square in trace(text).shown]


def _ends(position: Position[Any], piece: str) -> list[str]:
    """Where a piece may go, by legal play: one that stands on this square, or one of this name from beside."""
    found: list[str] = []
    for move in position.moves():
        text = str(move)
        way = trace(text, position)
        named = text.startswith(piece) and not text[len(piece) : len(piece) + 1].isupper()
        if piece in way.start or (piece[0].isupper() and named):
            found += [*way.laid, *way.to]
    return found


def _ways(position: Position[Any]) -> list[str]:
    """Where the pawn to move may go. In other games there is too much to choose from to be shown unasked."""
    if "pawns" not in position.visible():
        return []
    return [square for move in position.moves() for square in trace(str(move), position).to]


def _wrong(wrong: Iterable[Wrong]) -> Lights:
    lights: Lights = {}
    for square, should, seen in wrong:
        if square[1:2].isdigit() or square[1:2] == "-":
            bare = should in EMPTY or (should[1:] == "." and seen not in EMPTY)  # of a plank that lies there
            lights[square] = WRONG if bare else PUT_BACK
        else:  # a pawn: where it stands, and where it belongs
            lights |= _on(WRONG, filter(None, [seen])) | _on(PUT_BACK, filter(None, [should]))
    return lights


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
        if seat in winners or seat[:-1] in winners:
            won |= _on(WON, _side(side, wide, high))
    return won


def _side(side: str, wide: int, high: int, whole: bool = True) -> list[str]:
    """A side of the matrix, or its middle."""
    across, up = (range(wide), range(high)) if whole else (_middle(wide), _middle(high))
    if side in "SN":
        return [f"!{x},{0 if side == 'S' else high - 1}" for x in across]
    return [f"!{0 if side == 'W' else wide - 1},{y}" for y in up]


def _middle(length: int) -> range:
    short = (length + 1) // 4
    return range(short, length - short)


# --- on the matrix


def _cell(place: str, bottom: int = 1) -> Cell:
    if place[0] == "!":
        x, y = place[1:].split(",")
        return int(x), int(y)
    return ord(place[0]) - ord("a"), int(place[1:]) - bottom


def _bottom(position: Position[Any], high: int, pointed: list[int]) -> int:
    """The number of the plank on the matrix's southernmost row.

    The first plank lies in the middle of the matrix. When the row, with room for one more plank at each end, comes to
    the matrix's edge, it is pushed along by as many squares as it takes, on the table as in the lights. On a matrix
    that is too short for it, that part is shown which something is pointed out on.
    """
    south, count = planks_of(position)
    first, last = south - 1, south + count
    bottom = -((high - 1) // 2)
    if last - first >= high and pointed:
        middle = (min(pointed) + max(pointed)) // 2
        return max(first, min(middle - high // 2, last - high + 1))
    return min(max(bottom, last - high + 1), first)


# --- Trippples: the arrows by which one moves, on a display of their own


def _glyph(way: str) -> tuple[Cell, ...]:
    """An arrow from the middle of eight by eight lights outwards; no two of them share a light."""
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
    """The ways open to the one who moves, as arrows; while tiles are placed, the one that a hint is about."""
    position, visible = scene.position, scene.position.visible()
    if scene.outcome or scene.wrong:
        return {}
    if "pawns" not in visible:  # not yet, or never
        tile = (scene.hint or "").partition("@")[0]
        return _tile(dict.fromkeys(tile.split("-"), TO), TO) if tile in TILES else {}
    (start,) = trace("a1", position).start  # of any step: the pawn that moves
    goals = dict.fromkeys(map(_cell, _ways(position)), CAN)
    if scene.hint:
        goals |= {_cell(square): TO for square in trace(scene.hint, position).to}
    x, y = _cell(start)
    ways = {way: goals.get((x + DIRECTIONS[way][0], y + DIRECTIONS[way][1]), BLOCKED) for way in _open_ways(position)}
    return _tile(ways, FROM if scene.hint else CAN)


def _open_ways(position: Position[Any]) -> list[str]:
    """The arrows under the opponents' pawns; all ways where one of them stands on a tile without arrows."""
    visible = position.visible()
    mine = (position.to_move or "").rstrip("12")
    found: set[str] = set(DIRECTIONS) if position.mid_turn else set()
    for pawn, square in visible["pawns"].items():
        if not pawn.startswith(mine):
            tile = visible["rows"][-int(square[1:])][ord(square[0]) - ord("a")].removesuffix("~")
            found |= set(tile.split("-") if tile in TILES else DIRECTIONS)
    return [way for way in DIRECTIONS if way in found]


def _tile(ways: Mapping[str, Light], hub: Light) -> Picture:
    picture = dict.fromkeys(HUB, hub)
    for way, light in ways.items():
        picture |= dict.fromkeys(GLYPHS[way], light)
    return picture
