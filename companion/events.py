"""What happens at a table, as its log keeps it, and the one fold that makes a game of its events.

Each kind of event has its own data, a JSON object. The classes here say what is in it; they are not checked when they
are written, and what comes from a file may have been written by another companion: kinds that are not known are passed
over, and data that makes no sense is refused by `fold`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

from companion.errors import BadInput
from companion.games.position import Scores, Seat
from companion.record import FIELDS, MoveEntry, StoodEntry


class EventKind(StrEnum):
    NEW = "new"
    MOVE = "move"
    STOOD = "stood"
    SETTLE = "settle"
    BACK = "back"
    RESULT = "result"
    OVER = "over"
    VERDICT = "verdict"
    QUESTION = "question"
    ANSWER = "answer"
    CAMERA = "camera"
    PAUSE = "pause"
    HINTS = "hints"
    COMPUTER = "computer"
    CLOCK = "clock"
    FLAG = "flag"
    BUTTON = "button"
    DUE = "due"
    FORGOTTEN = "forgotten"
    CALL = "call"
    COMMAND = "command"
    HINT = "hint"
    NAME = "name"
    KEEP = "keep"
    REMOVE = "remove"


# The kinds by which the time of a game goes on or stands.
PLAYING = (
    EventKind.NEW,
    EventKind.MOVE,
    EventKind.STOOD,
    EventKind.BACK,
    EventKind.RESULT,
    EventKind.OVER,
    EventKind.PAUSE,
)


class By(StrEnum):
    """Who is behind an event."""

    CAMERA = "camera"
    COMPUTER = "computer"
    PERSON = "person"
    PLAYER = "player"
    REFEREE = "referee"
    FAR = "far"  # at another table, through the hall


# --- the data of each kind


class MatchGame(TypedDict):
    """Which game of a match this is."""

    first: int | None  # the number of the match's first game; None: it is this one
    number: int  # from 0
    games: int  # that the match has at most
    names: list[str]  # who plays it, in the order of play of the first game


class New(TypedDict):
    record: dict[str, Any]
    by: str
    match: NotRequired[MatchGame]


class Moved(TypedDict):
    """`order_open`: the moves may have been made in another order, which leads to the same. `looks`: what was seen."""

    moves: list[str]
    by: str
    order_open: NotRequired[bool]
    looks: NotRequired[list[dict[str, Any]]]


class AcceptedAsSeen(TypedDict):
    """Something illegal stood."""

    entry: StoodEntry
    by: str


class Settled(TypedDict):
    """A move that was not fully known before: at its place another one is written."""

    at: int
    move: str
    by: str


class TakenBack(TypedDict):
    count: int
    by: str


class EndedByPersons(TypedDict):
    """`why` None: the game is open again."""

    winner: Seat | None
    why: str | None
    by: str


class EndedByRules(TypedDict):
    winner: Seat | None
    draw: bool
    why: str
    scores: Scores


class Judged(TypedDict):
    """A verdict on a look that left the record as it was."""

    verdict: str
    code: str
    moves: list[str]
    reason: dict[str, Any] | None
    squares: list[dict[str, str]]
    on: NotRequired[list[str]]  # where something stands that is no part of the game
    looks: NotRequired[list[dict[str, Any]]]


class Asked(TypedDict):
    id: str
    code: str
    params: dict[str, Any]
    choices: tuple[str, ...]


class Answered(TypedDict):
    id: str
    answer: str
    by: str


class CameraTurned(TypedDict):
    """`state` is one of a camera's, or `bumped`."""

    state: str
    why: str


class Paused(TypedDict):
    paused: bool


class HintsSet(TypedDict):
    on: bool
    locked: bool
    by: str


class ComputerSet(TypedDict):
    seats: dict[Seat, int]
    by: str


class ClockAct(StrEnum):
    SET = "set"
    START = "start"
    STOP = "stop"
    PRESS = "press"
    ADD = "add"
    PAUSE = "pause"
    BACK = "back"


class ClockTurned(TypedDict):
    """`control` None: there is no clock any more. Logs of former days do not say `ply`."""

    do: str
    control: dict[str, Any] | None
    ply: NotRequired[int]
    seats: NotRequired[dict[Seat, dict[str, Any]]]
    running: NotRequired[Seat | None]
    seat: NotRequired[Seat]  # to whom `seconds` were given
    seconds: NotRequired[float]


class FlagFell(TypedDict):
    seat: Seat


class ButtonPressed(TypedDict):
    button: Literal["done", "hint", "referee"]


class PicturesDue(TypedDict):
    """Pictures are old enough to be forgotten, if this day's clock is right."""

    before: float


class PicturesForgotten(TypedDict):
    """By the rule that the settings name; a picture that is gone otherwise was taken away."""

    numbers: list[int]


class HintShown(TypedDict):
    """A solver was shown what to do."""

    move: str


class Named(TypedDict):
    """What the game is called in the list; "": nothing."""

    name: str
    by: str


class Kept(TypedDict):
    """Whether its pictures are kept for ever."""

    keep: bool
    by: str


class Removed(TypedDict):
    """It is shown no more, and its pictures are gone; or it is shown again, without them."""

    removed: bool
    by: str


class Called(TypedDict):
    """Somebody at the table wants the referee, or has been helped."""

    wanted: bool
    by: str


class Commanded(TypedDict):
    """What the hall wanted, by its own number, and why it was refused if it was."""

    number: int
    do: str
    who: str
    refused: str | None
    far: NotRequired[dict[str, Any]]  # what happened at the other table of the game, as the hall told it


# --- as they come out of the log


class Event(NamedTuple):
    number: int
    game: int  # 0: of no game
    at: float  # seconds since 1970
    kind: str
    data: dict[str, Any]
    hash: str


class Ply(NamedTuple):
    """An entry of a record's moves, and the event it came with."""

    entry: MoveEntry
    at: float
    by: str | None  # None: it was in the record that the game began with
    picture: int | None  # the number of the event whose picture shows it


class Spent(NamedTuple):
    """The time that was played, pauses left out."""

    seconds: float = 0.0  # until `since`
    since: float | None = None  # from when it goes on; None: it stands

    def until(self, now: float) -> float:
        return self.seconds + (max(0.0, now - self.since) if self.since is not None else 0.0)

    def go(self, now: float, on: bool) -> Spent:
        if on:
            return self if self.since is not None else Spent(self.seconds, now)
        return Spent(self.until(now))


class Shelf(NamedTuple):
    """How a game is listed."""

    name: str = ""
    keep: bool = False
    removed: bool = False


class KeptGame(NamedTuple):
    """What one game's events add up to."""

    record: dict[str, Any]
    ended: dict[str, Any] | None  # `winner`, `why`, and where the rules ended it `draw`, `scores`
    sources: Sequence[Event]  # of each of the record's moves: the event that it came with
    paused: bool
    hints: HintsSet | None  # as they were switched last
    computer: Mapping[Seat, int]  # the seats that the computer plays, with its level
    clocks: Sequence[ClockTurned]  # whatever happened to the clock, in order
    began: float  # when its first event was kept, in seconds since 1970
    last: float  # and its last
    match: MatchGame | None = None
    given: int = 0  # the moves that were in the record when it began
    hinted: int = 0  # how often a solver was shown what to do
    time: Spent = Spent()
    shelf: Shelf = Shelf()

    def plies(self) -> list[Ply]:
        return [_ply(entry, source) for entry, source in zip(self.record["moves"], self.sources, strict=True)]


def fold(events: Iterable[Event]) -> KeptGame:
    """The game that events make. BadInput names an event that makes no sense."""
    record: dict[str, Any] = {}
    moves: list[MoveEntry] = []
    sources: list[Event] = []
    clocks: list[ClockTurned] = []
    ended: dict[str, Any] | None = None
    paused, hints, computer = False, None, dict[Seat, int]()
    match_game: MatchGame | None = None
    given, hinted, time, shelf = 0, 0, Spent(), Shelf()
    first = event = None
    for event in events:
        data: Any = event.data
        try:
            match event.kind:
                case EventKind.MOVE:
                    moved: Moved = data
                    moves += moved["moves"]
                    sources += [event] * len(moved["moves"])
                case EventKind.NEW:
                    new: New = data
                    record, first = dict(new["record"]), event
                    moves = list(record.get("moves") or ())
                    sources = [event] * len(moves)
                    ended = record.get("result")
                    match_game, given = match_in(new), len(moves)
                case EventKind.STOOD:
                    accepted: AcceptedAsSeen = data
                    moves.append(accepted["entry"])
                    sources.append(event)
                case EventKind.SETTLE:
                    settled: Settled = data
                    moves[settled["at"]] = settled["move"]
                case EventKind.BACK:
                    back: TakenBack = data
                    left = max(0, len(moves) - back["count"])
                    del moves[left:], sources[left:]
                    record.pop("result", None)
                    ended = None
                case EventKind.RESULT:
                    result: EndedByPersons = data
                    record.pop("result", None)
                    ended = None
                    if result["why"] is not None:
                        record["result"] = ended = {"winner": result["winner"], "why": result["why"]}
                case EventKind.OVER:
                    ended = {name: data[name] for name in EndedByRules.__annotations__}
                case EventKind.PAUSE:
                    pause: Paused = data
                    paused = pause["paused"]
                case EventKind.HINTS:
                    hints = data
                case EventKind.COMPUTER:
                    played: ComputerSet = data
                    computer = dict(played["seats"])
                case EventKind.CLOCK:
                    clocks.append(data)
                case EventKind.HINT:
                    hinted += 1
                case EventKind.NAME:
                    shelf = shelf._replace(name=str(data["name"]))
                case EventKind.KEEP:
                    shelf = shelf._replace(keep=bool(data["keep"]))
                case EventKind.REMOVE:
                    shelf = shelf._replace(removed=bool(data["removed"]))
            if event.kind in PLAYING:
                time = time.go(event.at, not paused and not ended)
        except (AttributeError, KeyError, IndexError, TypeError, ValueError):
            raise BadInput("", "store-odd-event", number=event.number) from None
    record["moves"] = moves
    ordered = {**{name: record[name] for name in FIELDS if name in record}, **record}
    began, last = first.at if first else 0.0, event.at if event else 0.0
    return KeptGame(
        ordered, ended, sources, paused, hints, computer, clocks, began, last, match_game, given, hinted, time, shelf
    )


def match_in(data: Mapping[str, Any]) -> MatchGame | None:
    """Which game of a match a `new` event begins, if it says so. ValueError if that makes no sense."""
    told: Any = data.get("match")
    if told is None:
        return None
    first, number, games, names = (told[name] for name in MatchGame.__annotations__)
    if not all(type(n) is int for n in (first or 0, number, games)) or not all(isinstance(name, str) for name in names):
        raise ValueError
    return MatchGame(first=first, number=number, games=games, names=list(names))


def _ply(entry: MoveEntry, source: Event) -> Ply:
    if source.kind == EventKind.NEW:
        return Ply(entry, source.at, None, None)
    return Ply(entry, source.at, source.data.get("by"), source.number if "picture" in source.data else None)
