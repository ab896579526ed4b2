"""The events of a table's log, and `fold`, which makes a game of its events.

Each kind of event has data of its own, a JSON object; the TypedDicts here describe it. Data is not validated when it is
written. A file may come from another version: unknown kinds are ignored, and malformed data is refused by `fold`.
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


# The kinds of events that start or stop the playing time of a game.
TIMED_KINDS = (
    EventKind.NEW,
    EventKind.MOVE,
    EventKind.STOOD,
    EventKind.BACK,
    EventKind.RESULT,
    EventKind.OVER,
    EventKind.PAUSE,
)


class By(StrEnum):
    """Who caused an event."""

    CAMERA = "camera"
    COMPUTER = "computer"
    PERSON = "person"
    PLAYER = "player"
    REFEREE = "referee"
    FAR = "far"  # at another table, through the hall


# --- the data of each kind


class MatchGame(TypedDict):
    """The place of a game in its match."""

    first: int | None  # the number of the match's first game; None: this one
    number: int  # which game of the match, from 0
    games: int  # the match has at most so many
    names: list[str]  # the players, in the order of play of the first game


class GameStarted(TypedDict):
    record: dict[str, Any]
    by: str
    match: NotRequired[MatchGame]


class Moved(TypedDict):
    """`order_open`: another order of the moves leads to the same position. `looks`: the evidence."""

    moves: list[str]
    by: str
    order_open: NotRequired[bool]
    looks: NotRequired[list[dict[str, Any]]]


class AcceptedAsSeen(TypedDict):
    """An illegal step that stood."""

    entry: StoodEntry
    by: str


class MoveCorrected(TypedDict):
    """Replaces a move that was not fully known when it was written."""

    at: int
    move: str
    by: str


class TakenBack(TypedDict):
    count: int
    by: str


class EndedByPersons(TypedDict):
    """`why` None: the game was opened again."""

    winner: Seat | None
    why: str | None
    by: str


class EndedByRules(TypedDict):
    winner: Seat | None
    draw: bool
    why: str
    scores: Scores


class VerdictGiven(TypedDict):
    """A verdict that did not change the record."""

    verdict: str
    code: str
    moves: list[str]
    reason: dict[str, Any] | None
    squares: list[dict[str, str]]
    on: NotRequired[list[str]]  # squares with something that does not belong to the game
    looks: NotRequired[list[dict[str, Any]]]


class QuestionAsked(TypedDict):
    id: str
    code: str
    params: dict[str, Any]
    choices: tuple[str, ...]


class QuestionAnswered(TypedDict):
    id: str
    answer: str
    by: str


class CameraChanged(TypedDict):
    """`state`: a state of the camera, or `bumped`."""

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


class ClockAction(StrEnum):
    SET = "set"
    START = "start"
    STOP = "stop"
    PRESS = "press"
    ADD = "add"
    PAUSE = "pause"
    BACK = "back"


class ClockChanged(TypedDict):
    """`control` None: the clock was removed. Old logs have no `ply`."""

    do: str
    control: dict[str, Any] | None
    ply: NotRequired[int]
    seats: NotRequired[dict[Seat, dict[str, Any]]]
    running: NotRequired[Seat | None]
    seat: NotRequired[Seat]  # the seat that got `seconds`
    seconds: NotRequired[float]


class FlagFell(TypedDict):
    seat: Seat


class ButtonPressed(TypedDict):
    button: Literal["done", "hint", "referee"]


class PicturesDue(TypedDict):
    """Pictures taken before this time are old enough to be deleted, if today's clock is right."""

    before: float


class PicturesForgotten(TypedDict):
    """Pictures deleted after their time. One that is missing without such an event was removed by somebody."""

    numbers: list[int]


class HintShown(TypedDict):
    """A hint was shown in a solitaire."""

    move: str


class GameNamed(TypedDict):
    """The game's name in lists; "": none."""

    name: str
    by: str


class PicturesKept(TypedDict):
    """Whether the game's pictures are kept for ever."""

    keep: bool
    by: str


class GameRemoved(TypedDict):
    """The game is hidden and its pictures are deleted; or it is shown again, without them."""

    removed: bool
    by: str


class RefereeCalled(TypedDict):
    """Somebody at the table called the referee, or does not need him any more."""

    wanted: bool
    by: str


class CommandExecuted(TypedDict):
    """A command of the hall was executed, or refused with this code."""

    number: int
    do: str
    who: str
    refused: str | None
    far: NotRequired[dict[str, Any]]  # what happened at the other table of a twin game


# --- events as read from the log


class Event(NamedTuple):
    number: int
    game: int  # 0: of no game
    at: float  # seconds since 1970
    kind: str
    data: dict[str, Any]
    hash: str


class Ply(NamedTuple):
    """An entry of a record's moves, with time, author and picture of its event."""

    entry: MoveEntry
    at: float
    by: str | None  # None: it was part of the record with which the game began
    picture: int | None  # the number of the event whose picture shows it


class PlayingTime(NamedTuple):
    """A stopwatch for the playing time, which pauses do not count for."""

    seconds: float = 0.0  # up to `since`
    since: float | None = None  # running since then; None: stopped

    def until(self, now: float) -> float:
        return self.seconds + (max(0.0, now - self.since) if self.since is not None else 0.0)

    def switch(self, now: float, on: bool) -> PlayingTime:
        if on:
            return self if self.since is not None else PlayingTime(self.seconds, now)
        return PlayingTime(self.until(now))


class Shelf(NamedTuple):
    """How a game appears in lists."""

    name: str = ""
    keep: bool = False
    removed: bool = False


class KeptGame(NamedTuple):
    """A game, folded from its events."""

    record: dict[str, Any]
    ended: dict[str, Any] | None  # `winner`, `why`, and if the rules ended it `draw`, `scores`
    sources: Sequence[Event]  # for each of the record's moves its event
    paused: bool
    hints: HintsSet | None  # the last setting
    computer: Mapping[Seat, int]  # the seats that the computer plays, with its levels
    clocks: Sequence[ClockChanged]  # all changes of the clock, in order
    began: float  # the time of its first event, in seconds since 1970
    last: float  # the time of its last event
    match: MatchGame | None = None
    given: int = 0  # how many moves were in the record when the game began
    hinted: int = 0  # how many hints were shown in a solitaire
    time: PlayingTime = PlayingTime()
    shelf: Shelf = Shelf()

    def plies(self) -> list[Ply]:
        return [_ply(entry, source) for entry, source in zip(self.record["moves"], self.sources, strict=True)]


def fold(events: Iterable[Event]) -> KeptGame:
    """Fold events into a game. BadInput names a malformed event."""
    record: dict[str, Any] = {}
    moves: list[MoveEntry] = []
    sources: list[Event] = []
    clocks: list[ClockChanged] = []
    ended: dict[str, Any] | None = None
    paused, hints, computer = False, None, dict[Seat, int]()
    match_game: MatchGame | None = None
    given, hinted, time, shelf = 0, 0, PlayingTime(), Shelf()
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
                    new: GameStarted = data
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
                    settled: MoveCorrected = data
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
            if event.kind in TIMED_KINDS:
                time = time.switch(event.at, not paused and not ended)
        except (AttributeError, KeyError, IndexError, TypeError, ValueError):
            raise BadInput("", "store-odd-event", number=event.number) from None
    record["moves"] = moves
    ordered = {**{name: record[name] for name in FIELDS if name in record}, **record}
    began, last = first.at if first else 0.0, event.at if event else 0.0
    return KeptGame(
        ordered, ended, sources, paused, hints, computer, clocks, began, last, match_game, given, hinted, time, shelf
    )


def match_in(data: Mapping[str, Any]) -> MatchGame | None:
    """The match data of a `new` event, if it has any. ValueError if it is malformed."""
    found: Any = data.get("match")
    if found is None:
        return None
    first, number, games, names = (found[name] for name in MatchGame.__annotations__)
    if not all(type(n) is int for n in (first or 0, number, games)) or not all(isinstance(name, str) for name in names):
        raise ValueError
    return MatchGame(first=first, number=number, games=games, names=list(names))


def _ply(entry: MoveEntry, source: Event) -> Ply:
    if source.kind == EventKind.NEW:
        return Ply(entry, source.at, None, None)
    return Ply(entry, source.at, source.data.get("by"), source.number if "picture" in source.data else None)
