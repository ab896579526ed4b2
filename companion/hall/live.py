"""The tables as they stand, followed from their logs: the game in play, its trouble, its clock, and what was played
before.

Nothing here is kept anywhere: it all follows from the events, so any desk that starts anew comes to the same.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.events import Event, EventKind, fold
from companion.games.position import AnyPosition, Outcome
from companion.hall.database import Database
from companion.record import Illegal, Record, play_entry, read_record, replay

BATCH = 5000  # events that are read at once
ONLINE = 25.0  # seconds after the last sign of life
SUPERSEDED = "superseded"  # why a table did not begin a game: another one was wanted since
# The worst first.
TROUBLES = ("broken", "call", "illegal", "flag", "camera", "refused", "unsure", "question", "offline")


class GameId(NamedTuple):
    log: str
    number: int


class Assigned(NamedTuple):
    """Which game of which pairing a table plays."""

    pairing: int
    number: int


@dataclass
class Live:
    """A table now."""

    place: int
    log: str = ""
    have: int = 0
    last: float = 0  # when its newest event happened
    game: int = 0
    record: dict[str, Any] = field(default_factory=dict)
    read: Record | None = None
    positions: list[AnyPosition] = field(default_factory=list)
    times: list[float] = field(default_factory=list)  # when each of them came about
    outcome: Outcome | None = None
    verdict: Event | None = None  # the newest one that left the game as it was
    camera: str = ""
    clock: Mapping[str, Any] | None = None
    clock_at: float = 0
    flags: set[str] = field(default_factory=set)
    questions: dict[str, Event] = field(default_factory=dict)
    called: Event | None = None
    hints: Mapping[str, Any] | None = None
    paused: bool = False
    broken: int | None = None
    commanded: int = 0  # up to which command it has done what was wanted
    refused: str | None = None  # why not the last one
    changes: int = 0
    _events: list[Event] = field(default_factory=list)  # of the game in play, those that make its record

    @property
    def assigned(self) -> Assigned | None:
        return assigned_to(self.record)

    @property
    def record_changes(self) -> int:
        """How often the record of the game in play was made or changed."""
        return len(self._events)

    def trouble(self, heard: float) -> list[str]:
        """What the desk should look at, the worst first. `heard`: when the table gave a sign of life last."""
        judged = self.verdict.data.get("verdict") if self.verdict else ""
        found = {
            "broken": self.broken is not None,
            "call": self.called is not None,
            "illegal": judged == "illegal",
            "flag": bool(self.flags),
            "camera": self.camera in ("lost", "bumped"),
            "refused": self.refused is not None,
            "unsure": judged == "unsure",
            "question": bool(self.questions),
            "offline": time.time() - heard > ONLINE,
        }
        return [name for name in TROUBLES if found[name]]

    # --- following

    def take(self, event: Event) -> None:
        self.have, self.last, self.changes = event.number, event.at, self.changes + 1
        if event.kind in _OF_TABLE:
            _OF_TABLE[event.kind](self, event)
            return
        if event.kind == EventKind.NEW:
            self._begin(event)
        elif event.game != self.game and event.game:
            return  # of a game that was left
        if event.kind in _OF_GAME:
            _OF_GAME[event.kind](self, event)

    def _begin(self, event: Event) -> None:
        self.game, self._events = event.game, []
        self.verdict, self.questions, self.flags, self.clock, self.paused = None, {}, set(), None, False

    def _make(self, event: Event) -> None:
        """An event that changes the record: all of it is folded anew, as a restart of the table would."""
        self._events.append(event)
        self.verdict, self.questions = None, {}
        with suppress(BadInput):
            kept = fold(self._events)
            self.record = kept.record
            self.read = read_record(json.dumps(kept.record))
            played = replay(self.read)
            self.positions, self.outcome = played.positions, played.outcome
            self.times = [kept.began, *(ply.at for ply in kept.plies())][: len(self.positions)]

    def _move(self, event: Event) -> None:
        """What happens most: the moves are played on where they can be."""
        moves = event.data.get("moves")
        if self.read is None or not self.record or not isinstance(moves, list):
            self._make(event)
            return
        self._events.append(event)
        self.verdict, self.questions = None, {}
        for text in moves:
            try:
                step = play_entry(self.read.game, self.positions[-1], text, len(self.positions) - 1)
            except BadInput:
                return
            if isinstance(step, Illegal):
                return
            self.positions.append(step.position)
            self.times.append(event.at)
            self.record["moves"].append(text)
        self.outcome = self.positions[-1].outcome()

    def _judge(self, event: Event) -> None:
        """What was asked about an earlier look is asked no more."""
        self.questions = {}
        self.verdict = event if event.data.get("verdict") in ("illegal", "unsure") else None

    def _ask(self, event: Event) -> None:
        self.questions[str(event.data.get("id"))] = event

    def _answer(self, event: Event) -> None:
        self.questions.pop(str(event.data.get("id")), None)

    def _turn_clock(self, event: Event) -> None:
        self.clock, self.clock_at = (event.data if event.data.get("control") else None), event.at
        self.flags = {seat for seat in self.flags if self.clock}

    def _flag(self, event: Event) -> None:
        self.flags.add(str(event.data.get("seat")))

    def _pause(self, event: Event) -> None:
        self.paused = bool(event.data.get("paused"))

    def _turn_camera(self, event: Event) -> None:
        self.camera = str(event.data.get("state"))

    def _call(self, event: Event) -> None:
        self.called = event if event.data.get("wanted") else None

    def _switch_hints(self, event: Event) -> None:
        self.hints = event.data

    def _command(self, event: Event) -> None:
        self.commanded = max(self.commanded, int(event.data.get("number") or 0))
        refused = event.data.get("refused")
        self.refused = None if refused == SUPERSEDED else refused


_OF_TABLE: dict[str, Callable[[Live, Event], None]] = {
    EventKind.CAMERA: Live._turn_camera,
    EventKind.CALL: Live._call,
    EventKind.HINTS: Live._switch_hints,
    EventKind.COMMAND: Live._command,
}
_OF_GAME: dict[str, Callable[[Live, Event], None]] = {
    EventKind.NEW: Live._make,
    EventKind.MOVE: Live._move,
    EventKind.STOOD: Live._make,
    EventKind.SETTLE: Live._make,
    EventKind.BACK: Live._make,
    EventKind.RESULT: Live._make,
    EventKind.OVER: Live._make,
    EventKind.VERDICT: Live._judge,
    EventKind.QUESTION: Live._ask,
    EventKind.ANSWER: Live._answer,
    EventKind.CLOCK: Live._turn_clock,
    EventKind.FLAG: Live._flag,
    EventKind.PAUSE: Live._pause,
}


def assigned_to(record: Mapping[str, Any]) -> Assigned | None:
    about = record.get("about")
    given = about.get("hall") if isinstance(about, dict) else None
    if not isinstance(given, dict):
        return None
    pairing, number = given.get("pairing"), given.get("number")
    return Assigned(pairing, number) if type(pairing) is int and type(number) is int else None


class Tables:
    """All tables of a hall. `reported`: by pairing and game, how it ended where it was played."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.live: dict[int, Live] = {}  # by place
        self.reported: dict[int, dict[int, Outcome]] = {}
        self.ended: dict[Assigned, float] = {}  # when
        self.games: dict[Assigned, GameId] = {}  # where each game of a pairing was played last
        self.changed: set[int] = set()  # places, since somebody asked last
        self._logs: dict[str, Live] = {}
        self._guard = threading.RLock()

    def catch_up(self) -> bool:
        """Follow whatever has come since; whether there was anything."""
        with self._guard:
            with self.database.transaction() as asked:
                logs = asked.ask("SELECT log, place, have, broken, began FROM logs ORDER BY began")
            moved = False
            for log, place, have, broken, _ in logs:
                live = self._logs.get(log)
                if live is None:
                    live = self._logs[log] = Live(place, log)
                    self.live[place] = live  # the newest log is the table's
                if live.broken != broken:
                    live.broken, moved = broken, True
                    self.changed.add(place)
                for event in self._events(log, live.have, have):
                    self._take(live, event)
                    moved = True
            return moved

    def _events(self, log: str, after: int, have: int) -> Iterator[Event]:
        query = (
            "SELECT number, game, at, kind, data, hash FROM events "
            "WHERE log = :log AND number > :after ORDER BY number LIMIT :most"
        )
        while after < have:
            with self.database.transaction() as asked:
                rows = asked.ask(query, log=log, after=after, most=BATCH)
            if not rows:
                return
            for number, game, at, kind, text, seal in rows:
                data = json.loads(text)
                yield Event(number, game, at, kind, data if isinstance(data, dict) else {}, seal)
            after = rows[-1][0]

    def _take(self, live: Live, event: Event) -> None:
        with suppress(TypeError, ValueError, KeyError, AttributeError, IndexError):  # data that makes no sense
            live.take(event)
        live.have = event.number
        self.changed.add(live.place)
        played = live.assigned
        if played is None or event.game != live.game:
            return
        results = self.reported.setdefault(played.pairing, {})
        if live.outcome is not None:
            if played.number not in results:
                self.ended[played] = event.at
            results[played.number] = live.outcome
            self.games[played] = GameId(live.log, live.game)
        else:
            results.pop(played.number, None)
            self.games[played] = GameId(live.log, live.game)

    def take_changed(self) -> set[int]:
        with self._guard:
            found, self.changed = self.changed, set()
            return found
