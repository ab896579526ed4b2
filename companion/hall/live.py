"""The current state of every table, derived from its reported log: the game in play, its clock, what is wrong there,
and the results of earlier games.

Nothing here is stored: any desk that starts derives the same state from the same events.
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

BATCH = 5000  # events in one query
OFFLINE_AFTER = 25.0  # seconds after a table's last heartbeat
SUPERSEDED = "superseded"  # why a table refused to start a game: a newer start command followed
# By urgency, the most urgent first.
TROUBLES = ("broken", "call", "illegal", "flag", "camera", "refused", "unsure", "question", "offline")


class GameId(NamedTuple):
    log: str
    number: int


class Assigned(NamedTuple):
    """The game of a pairing that a table plays."""

    pairing: int
    number: int


@dataclass
class LiveTable:
    """The current state of one table."""

    place: int
    log: str = ""
    have: int = 0  # the number of its newest event
    last: float = 0  # when that happened
    game: int = 0
    record: dict[str, Any] = field(default_factory=dict)
    parsed: Record | None = None
    positions: list[AnyPosition] = field(default_factory=list)
    times: list[float] = field(default_factory=list)  # when each position was reached
    outcome: Outcome | None = None
    verdict: Event | None = None  # the open verdict: `illegal` or `unsure`
    camera: str = ""
    clock: Mapping[str, Any] | None = None
    clock_at: float = 0
    flags: set[str] = field(default_factory=set)
    questions: dict[str, Event] = field(default_factory=dict)
    called: Event | None = None
    hints: Mapping[str, Any] | None = None
    paused: bool = False
    broken: int | None = None
    commanded: int = 0  # the number of the last command that it has done
    refused: str | None = None  # the code of the refusal, if it refused that command
    changes: int = 0
    _events: list[Event] = field(default_factory=list)  # the events that make the record of the game in play

    @property
    def assigned(self) -> Assigned | None:
        return assigned_to(self.record)

    @property
    def record_changes(self) -> int:
        """How many events have changed the record of the game in play."""
        return len(self._events)

    def trouble(self, last_seen: float) -> list[str]:
        """What the desk should look at, the most urgent first. `last_seen`: when the table's last heartbeat came."""
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
            "offline": time.time() - last_seen > OFFLINE_AFTER,
        }
        return [name for name in TROUBLES if found[name]]

    # --- following

    def apply(self, event: Event) -> None:
        self.have, self.last, self.changes = event.number, event.at, self.changes + 1
        if event.kind in _TABLE_HANDLERS:
            _TABLE_HANDLERS[event.kind](self, event)
            return
        if event.kind == EventKind.NEW:
            self._reset_game(event)
        elif event.game != self.game and event.game:
            return  # it belongs to a game that is no longer in play
        if event.kind in _GAME_HANDLERS:
            _GAME_HANDLERS[event.kind](self, event)

    def _reset_game(self, event: Event) -> None:
        self.game, self._events = event.game, []
        self.verdict, self.questions, self.flags, self.clock, self.paused = None, {}, set(), None, False

    def _refold(self, event: Event) -> None:
        """Fold all events of the game again, as a restart of the table would."""
        self._events.append(event)
        self.verdict, self.questions = None, {}
        with suppress(BadInput):
            kept = fold(self._events)
            self.record = kept.record
            self.parsed = read_record(json.dumps(kept.record))
            played = replay(self.parsed)
            self.positions, self.outcome = played.positions, played.outcome
            self.times = [kept.began, *(ply.at for ply in kept.plies())][: len(self.positions)]

    def _on_move(self, event: Event) -> None:
        """The most frequent event: its moves are played on from the last position, without folding again."""
        moves = event.data.get("moves")
        if self.parsed is None or not self.record or not isinstance(moves, list):
            self._refold(event)
            return
        self._events.append(event)
        self.verdict, self.questions = None, {}
        for text in moves:
            try:
                step = play_entry(self.parsed.game, self.positions[-1], text, len(self.positions) - 1)
            except BadInput:
                return
            if isinstance(step, Illegal):
                return
            self.positions.append(step.position)
            self.times.append(event.at)
            self.record["moves"].append(text)
        self.outcome = self.positions[-1].outcome()

    def _on_verdict(self, event: Event) -> None:
        """A new verdict replaces the questions about earlier looks."""
        self.questions = {}
        self.verdict = event if event.data.get("verdict") in ("illegal", "unsure") else None

    def _on_question(self, event: Event) -> None:
        self.questions[str(event.data.get("id"))] = event

    def _on_answer(self, event: Event) -> None:
        self.questions.pop(str(event.data.get("id")), None)

    def _on_clock(self, event: Event) -> None:
        self.clock, self.clock_at = (event.data if event.data.get("control") else None), event.at
        self.flags = {seat for seat in self.flags if self.clock}

    def _on_flag(self, event: Event) -> None:
        self.flags.add(str(event.data.get("seat")))

    def _on_pause(self, event: Event) -> None:
        self.paused = bool(event.data.get("paused"))

    def _on_camera(self, event: Event) -> None:
        self.camera = str(event.data.get("state"))

    def _on_call(self, event: Event) -> None:
        self.called = event if event.data.get("wanted") else None

    def _on_hints(self, event: Event) -> None:
        self.hints = event.data

    def _on_command(self, event: Event) -> None:
        self.commanded = max(self.commanded, int(event.data.get("number") or 0))
        refused = event.data.get("refused")
        self.refused = None if refused == SUPERSEDED else refused


_TABLE_HANDLERS: dict[str, Callable[[LiveTable, Event], None]] = {
    EventKind.CAMERA: LiveTable._on_camera,
    EventKind.CALL: LiveTable._on_call,
    EventKind.HINTS: LiveTable._on_hints,
    EventKind.COMMAND: LiveTable._on_command,
}
_GAME_HANDLERS: dict[str, Callable[[LiveTable, Event], None]] = {
    EventKind.NEW: LiveTable._refold,
    EventKind.MOVE: LiveTable._on_move,
    EventKind.STOOD: LiveTable._refold,
    EventKind.SETTLE: LiveTable._refold,
    EventKind.BACK: LiveTable._refold,
    EventKind.RESULT: LiveTable._refold,
    EventKind.OVER: LiveTable._refold,
    EventKind.VERDICT: LiveTable._on_verdict,
    EventKind.QUESTION: LiveTable._on_question,
    EventKind.ANSWER: LiveTable._on_answer,
    EventKind.CLOCK: LiveTable._on_clock,
    EventKind.FLAG: LiveTable._on_flag,
    EventKind.PAUSE: LiveTable._on_pause,
}


def assigned_to(record: Mapping[str, Any]) -> Assigned | None:
    about = record.get("about")
    given = about.get("hall") if isinstance(about, dict) else None
    if not isinstance(given, dict):
        return None
    pairing, number = given.get("pairing"), given.get("number")
    return Assigned(pairing, number) if type(pairing) is int and type(number) is int else None


class Tables:
    """The state of all tables of a hall."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.live: dict[int, LiveTable] = {}  # by place
        self.reported: dict[int, dict[int, Outcome]] = {}  # by pairing and game: how it ended
        self.ended: dict[Assigned, float] = {}  # when each game ended
        self.games: dict[Assigned, GameId] = {}  # where each game of a pairing was last played
        self.changed: set[int] = set()  # places that changed since the last `take_changed`
        self._logs: dict[str, LiveTable] = {}
        self._lock = threading.RLock()

    def catch_up(self) -> bool:
        """Read the events that came since the last call. True if there were any."""
        with self._lock:
            with self.database.transaction() as transaction:
                logs = transaction.execute("SELECT log, place, have, broken, began FROM logs ORDER BY began")
            changed_any = False
            for log, place, have, broken, _ in logs:
                live = self._logs.get(log)
                if live is None:
                    live = self._logs[log] = LiveTable(place, log)
                    self.live[place] = live  # a table's newest log is the current one
                if live.broken != broken:
                    live.broken, changed_any = broken, True
                    self.changed.add(place)
                for event in self._events(log, live.have, have):
                    self._apply(live, event)
                    changed_any = True
            return changed_any

    def _events(self, log: str, after: int, have: int) -> Iterator[Event]:
        query = (
            "SELECT number, game, at, kind, data, hash FROM events "
            "WHERE log = :log AND number > :after ORDER BY number LIMIT :most"
        )
        while after < have:
            with self.database.transaction() as transaction:
                rows = transaction.execute(query, log=log, after=after, most=BATCH)
            if not rows:
                return
            for number, game, at, kind, text, seal in rows:
                data = json.loads(text)
                yield Event(number, game, at, kind, data if isinstance(data, dict) else {}, seal)
            after = rows[-1][0]

    def _apply(self, live: LiveTable, event: Event) -> None:
        with suppress(TypeError, ValueError, KeyError, AttributeError, IndexError):  # malformed data
            live.apply(event)
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
        with self._lock:
            found, self.changed = self.changed, set()
            return found
