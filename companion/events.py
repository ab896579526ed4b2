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
    CALL = "call"
    COMMAND = "command"


class By(StrEnum):
    """Who is behind an event."""

    CAMERA = "camera"
    COMPUTER = "computer"
    PERSON = "person"
    PLAYER = "player"
    REFEREE = "referee"


# --- the data of each kind


class New(TypedDict):
    record: dict[str, Any]
    by: str


class Moved(TypedDict):
    moves: list[str]
    by: str


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
    button: Literal["done", "hint"]


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
        except (AttributeError, KeyError, IndexError, TypeError, ValueError):
            raise BadInput("", "store-odd-event", number=event.number) from None
    record["moves"] = moves
    ordered = {**{name: record[name] for name in FIELDS if name in record}, **record}
    began, last = first.at if first else 0.0, event.at if event else 0.0
    return KeptGame(ordered, ended, sources, paused, hints, computer, clocks, began, last)


def _ply(entry: MoveEntry, source: Event) -> Ply:
    if source.kind == EventKind.NEW:
        return Ply(entry, source.at, None, None)
    return Ply(entry, source.at, source.data.get("by"), source.number if "picture" in source.data else None)
