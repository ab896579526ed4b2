"""The request bodies and queries of the API, as types."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict, cast

from companion.errors import BadInput
from companion.games import game_ids
from companion.games.match import MOST_GAMES
from companion.record import ENDINGS
from companion.settings import SETTINGS
from companion.solvers.levels import LEVELS
from companion.solvers.puzzles import LEVELS as PROBLEM_LEVELS
from companion.table.clocks import KINDS, LONGEST, PERIODS, Control, control_of
from web.drawing.marks import INKS, Arrow
from web.schema import About, Between, CheckedBy, Items, MaxLength, OneOf, check

MOST_MOVES = 200  # in one request
MOST_SQUARES = 200  # that a drawing may mark
MOST_ARROWS = 40
MOST_SETTING = 300  # characters

GameId = Annotated[str, OneOf(game_ids)]
Paper = Annotated[str, OneOf(lambda: ("A4", "A3", "Letter"))]
Ending = Annotated[str, OneOf(lambda: ENDINGS)]
ClockKind = Annotated[str, OneOf(lambda: KINDS)]
Name = Annotated[str, MaxLength(40)]
PersonsName = Annotated[str, MaxLength(60)]
Whole = Annotated[int, Between(0, 999_999_999)]
Level = Annotated[str, OneOf(lambda: tuple(PROBLEM_LEVELS))]


def _squares(value: str) -> tuple[str, ...]:
    """Parse short words separated by commas."""
    found = tuple(part for part in value.split(",") if part)
    if len(found) > MOST_SQUARES or any(len(part) > 12 for part in found):
        raise BadInput("", "no-such-square", square=value[:40])
    return found


def _named_squares(value: str) -> tuple[str, ...]:
    found = _squares(value)
    if not all(re.fullmatch(r"[a-z](?:0|-?[1-9][0-9]?)", square) for square in found) or not found:
        raise BadInput("", "no-such-square", square=value[:40])
    return found


def _arrows(value: str) -> tuple[Arrow, ...]:
    found = []
    for part in value.split(",")[:MOST_ARROWS]:
        kind, label, squares = [*part.split(":"), "", ""][:3]
        if kind not in INKS or len(label) > 2:
            raise BadInput("", "not-one-of", value=part[:40], choices=", ".join(INKS))
        found.append(Arrow(cast(Any, kind), _named_squares(squares.replace(".", ",")), label))
    return tuple(found)


def _corners(value: Any) -> list[list[float]]:
    points = Annotated[list[Annotated[list[Annotated[float, Between(-10_000, 10_000)]], Items(2, 2)]], Items(4, 4)]
    try:
        found: list[list[float]] = check(points, value)
    except BadInput as bad:
        raise BadInput("", "not-corners", text="…") if bad.code == "not-a-list-of" else bad from None
    return found


def _plain(value: Any) -> str | float:
    """A value as in the settings file."""
    if not isinstance(value, str | int | float) or isinstance(value, bool) or len(str(value)) > MOST_SETTING:
        raise BadInput("", "not-a-text")
    return value


Squares = Annotated[tuple[str, ...], CheckedBy(_squares, str)]
Point = Annotated[list[float], Items(2, 2)]


class ClockAsked(TypedDict):
    kind: ClockKind
    main: NotRequired[Annotated[float, Between(0, LONGEST), About("seconds")]]
    more: NotRequired[Annotated[float, Between(0, LONGEST), About("seconds")]]
    periods: NotRequired[Annotated[int, Between(0, PERIODS)]]


Clock = Annotated[Control, CheckedBy(control_of, ClockAsked)]


# --- bodies


class Nothing(NamedTuple):
    pass


class Login(NamedTuple):
    pin: Annotated[str, MaxLength(20)] | None = None
    invitation: Annotated[str, MaxLength(100), About("the word at the end of an invitation's address")] | None = None


class Sit(NamedTuple):
    seats: Annotated[list[Name], Items(0, 8)]


class ShowOut(NamedTuple):
    number: Annotated[int, Between(1, 2**53)]


class ChangePin(NamedTuple):
    role: Literal["player", "referee"]


class Invite(NamedTuple):
    role: Literal["player", "referee", "camera"] = "player"
    seats: Annotated[list[Name], Items(0, 8), About("at which who comes sits down")] | None = None
    uses: Annotated[int, Between(1, 50), About("how many may come with it")] = 1
    minutes: Annotated[float, Between(1, 1440)] = 10.0


class Play(NamedTuple):
    moves: Annotated[list[str], Items(1, MOST_MOVES)]


Back = Annotated[int, Between(1, 100_000), About("otherwise to before the last move that a person made")]


class TakeBack(NamedTuple):
    count: Back | None = None  # type: ignore[assignment]  # a tuple has one of its own


class Answer(NamedTuple):
    id: Annotated[str, MaxLength(60)]
    answer: str


class Call(NamedTuple):
    wanted: bool = True


class Pause(NamedTuple):
    paused: bool


class Computer(NamedTuple):
    seats: Annotated[dict[str, Annotated[int, Between(1, max(LEVELS))]], About("which it plays, each at a level")]


class Result(NamedTuple):
    why: Ending
    winner: Name | None = None


class Stand(NamedTuple):
    note: Annotated[str, MaxLength(500)] = ""
    to_move: Name | None = None


class Start(NamedTuple):
    """The start of a game."""

    game: GameId
    options: dict[str, Any] | None = None
    setup: dict[str, Any] | None = None


class Problem(NamedTuple):
    """A generated problem of a solitaire."""

    level: Level
    day: Annotated[bool, About("the problem of the day, the same for everybody on a date")] = False


class NewGame(NamedTuple):
    game: GameId
    options: dict[str, Any] | None = None
    setup: dict[str, Any] | None = None
    players: Annotated[list[PersonsName], Items(1, 8), About("in the order of play")] | None = None
    clock: Clock | None = None
    from_camera: Annotated[bool, About("begin with what lies before the camera")] = False
    deal: Annotated[bool, About("chance makes the set-up")] | None = None
    computer: (
        Annotated[dict[str, Annotated[int, Between(1, max(LEVELS))]], About("seats that it plays, each at a level")]
        | None
    ) = None
    south: Annotated[dict[str, Any], About("dice whose south face cannot be seen, by square")] | None = None
    games: Annotated[int, Between(1, MOST_GAMES), About("a match of so many; everybody needs a name")] | None = None
    problem: Problem | None = None


class NextGame(NamedTuple):
    players: (
        Annotated[list[PersonsName], Items(1, 8), About("what to call those who have no names, in a match")] | None
    ) = None


class Hints(NamedTuple):
    on: bool | None = None
    locked: bool | None = None
    once: Annotated[bool, About("a hint for this move only")] = False


class Shelve(NamedTuple):
    """Fields that are left out do not change."""

    name: Annotated[str, MaxLength(80), About("what the game is called; empty: nothing")] | None = None
    keep: Annotated[bool, About("its pictures are kept for ever")] | None = None


class ShareQuery(NamedTuple):
    ply: Annotated[Whole, About("after so many moves; without it the last position")] | None = None
    flip: Annotated[bool, About("1: seen from the other side")] = False


class OpenGame(NamedTuple):
    id: Annotated[int, Between(1, 2**53)]


class UseClock(NamedTuple):
    do: Literal["start", "stop", "press", "add", "set"]
    seat: Name | None = None
    seconds: Annotated[float, Between(-86_400, 86_400)] = 0.0
    clock: Clock | None = None


class UseCamera(NamedTuple):
    source: Annotated[str, MaxLength(300)] | None = None
    corners: (
        Annotated[
            list[list[float]],
            CheckedBy(_corners, Annotated[list[Point], Items(4, 4)]),
            About("NW, NE, SE, SW in the picture's pixels"),
        ]
        | None
    ) = None
    no_corners: Annotated[bool, About("look for the markers instead")] | None = None
    turn: Annotated[int, Between(1, 3), About("quarters")] | None = None


class Learn(NamedTuple):
    game: GameId
    position: Annotated[
        Literal["asked", "start", "played"],
        About("what lies there: the pieces as asked for, the start position, or what the game in play has come to"),
    ] = "asked"
    forget: Annotated[bool, About("forget what was learned instead")] = False


class LearnQuery(NamedTuple):
    game: GameId


class UseLeds(NamedTuple):
    do: Literal[
        "on",
        "off",
        "walk",
        "test",
        "stop",
        "dim",
        "limit",
        "use",
        "flash",
        "ask",
        "answer",
        "look",
        "dark",
        "keep",
        "examine",
    ]
    place: Annotated[int, Between(0, 254), About("the LED of the wire")] = 0
    brightness: Annotated[float, Between(0, 100), About("per cent")] = 30.0
    limit: Annotated[int, Between(100, 20_000), About("mA that they may draw")] = 450
    size: Annotated[str, MaxLength(9), About("columns and rows of LEDs, whose wiring is to be found out")] = "8x8"
    square: Annotated[str, MaxLength(9), About("on which the LED burns that is asked for")] = ""
    port: Annotated[str, MaxLength(300)] = "OFF"


# The settings that the page may change; files and folders are not among them.
LEDS = ("leds_kind", "leds_size", "leds_layout", "leds_brightness", "leds_current", "leds_never")
AT_ONCE = ("camera", "size", "still", "surface", "keep_pictures", "shared_machine", "lang", *LEDS)
AT_START = ("game", "table", "port")  # applied at the next start


def _settings(value: Any) -> dict[str, str | float]:
    if not isinstance(value, dict):
        raise BadInput("", "not-an-object")
    changeable = [name for name in SETTINGS if name in (*AT_ONCE, *AT_START)]
    for name in value:
        if name not in changeable:
            raise BadInput(name, "unknown-field", choices=", ".join(changeable))
    found = {}
    for name, written in value.items():
        try:
            if written is not None:
                found[name] = _plain(written)
        except BadInput as bad:
            raise BadInput(name, bad.code, **bad.params) from None
    return found


SettingsChange = Annotated[
    dict[str, str | float],
    CheckedBy(
        _settings,
        {
            "type": "object",
            "properties": {name: {"type": ["string", "number", "null"]} for name in (*AT_ONCE, *AT_START)},
            "additionalProperties": False,
        },
    ),
]

# --- queries


class BoardQuery(NamedTuple):
    ply: Annotated[Whole, About("after so many moves")] | None = None
    game: Annotated[Whole, About("of a game that was kept")] | None = None
    start: Annotated[GameId, About("what a game looks like, after `ply` moves")] | None = None
    flip: Annotated[bool, About("1: seen from the other side")] = False
    can: Annotated[Squares, About("squares to point out, with commas: that may be chosen")] = ()
    last: Annotated[Squares, About("of the last move")] = ()
    wrong: Annotated[Squares, About("that are wrong")] = ()
    hint: Annotated[Squares, About("of a hint")] = ()
    won: Annotated[Squares, About("that decided the game")] = ()
    labels: Annotated[Squares, About("short texts on squares, e4:5,e5:6")] = ()
    arrows: Annotated[
        tuple[Arrow, ...],
        CheckedBy(_arrows, str),
        About("ways over the board, each as kind:label:squares, with commas: hint::a1.a4.c4,why:2:e8.e7"),
    ] = ()
    ways: Annotated[bool, About("1: with the directions that are open, in games that know arrows")] = False


class PieceQuery(NamedTuple):
    kind: Annotated[str, MaxLength(20), About("peg, card, tetrod, plank …")] = ""
    name: Annotated[str, MaxLength(20), About("which one, as moves name it")] = ""
    face: Annotated[str, MaxLength(2), About("the face of a card that is up, b or w; the letter on a token")] = ""


class ExampleQuery(NamedTuple):
    game: GameId
    number: Annotated[int, Between(0, 99), About("from 0")] = 0


class WhyQuery(NamedTuple):
    move: Annotated[str, MaxLength(100), About("a move's text")] = ""
    squares: Annotated[
        tuple[str, ...],
        CheckedBy(_named_squares, str),
        About("or the squares that somebody touched, with commas: the reason why they are no move together"),
    ] = ()


class PictureQuery(NamedTuple):
    reading: Annotated[bool, About("1: with the reading drawn on it")] = False


class CornersQuery(NamedTuple):
    game: Annotated[GameId, About("whose field is sought in the picture, by its lines if it has no markers")] | None = (
        None
    )


class MarkersQuery(NamedTuple):
    paper: Paper = "A4"


class MatQuery(NamedTuple):
    game: GameId
    paper: Paper = "A4"


class LedsQuery(NamedTuple):
    still: Annotated[bool, About("1: without blinking; a bar under a light tells its pattern")] = False
