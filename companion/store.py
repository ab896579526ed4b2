"""The table's log: every event of every game, numbered from 1 without gaps, each sealed to the one before it.

One SQLite file a table. Nothing in it is ever changed: what was wrong is put right by a later event. Each event's
hash is the SHA-256 of `[number, hash before, game, at, kind, data]` as JSON, the data being its stored text, so a
later change shows. Pictures lie beside the events; an event's data holds its picture's own hash under `picture`, and a
picture may be forgotten without breaking the chain: an event says so. What an end that is missing cannot show, signed
heads do (`companion.sealing`).

A disk that fails does not stop a game: what cannot be written waits in memory, `trouble` says why, and the next
append tries again. `last` is the last event's number, `safe` that of the last one that is on disk for good; `keeping`
says it to everybody else.

Processes must be started afresh (spawn), not forked, while a store is open: a fork would share its lock.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.events import Event, EventKind, KeptGame, MatchGame, New, PicturesDue, PicturesForgotten, Shelf, fold
from companion.sealing import Head, compare, own_keys
from companion.store_file import connect, connect_to_read, hold, is_new, make, place

NAME = "board-companion events 1"
GENESIS = sha256(NAME.encode()).hexdigest()
MOST_WAITING = 500  # pictures that wait in memory for a disk; the events themselves wait without end
MOST_PICTURES = 50_000  # that are kept
DAY = 86_400
SURE = 0.9 * DAY  # seconds for which pictures must have been due, before a start believes its clock
FAR = 1e11  # seconds; no clock shows that
SELECT = "SELECT number, game, at, kind, data, hash FROM events"
# What keeps a good file from being written, for now; anything else that SQLite says means that the file is not good.
PASSING = {
    sqlite3.SQLITE_FULL: "store-full",
    sqlite3.SQLITE_BUSY: "store-busy",
    sqlite3.SQLITE_LOCKED: "store-busy",
    sqlite3.SQLITE_READONLY: "store-unwritable",
    sqlite3.SQLITE_CANTOPEN: "store-unwritable",
    sqlite3.SQLITE_PERM: "store-unwritable",
    sqlite3.SQLITE_IOERR: "store-unwritable",
    sqlite3.SQLITE_NOLFS: "store-unwritable",
}
# What comes of a bad file; SQLite's own message may be damaged too, so that Python cannot decode it.
BROKEN = (sqlite3.Error, UnicodeDecodeError)
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) if sys.platform != "win32" else (errno.ENOSPC, errno.EFBIG)
# The kinds that make a record or end a game, and what its summary tells besides.
TELLING = (
    EventKind.NEW,
    EventKind.MOVE,
    EventKind.STOOD,
    EventKind.SETTLE,
    EventKind.BACK,
    EventKind.RESULT,
    EventKind.OVER,
    EventKind.PAUSE,
    EventKind.HINT,
    EventKind.NAME,
    EventKind.KEEP,
    EventKind.REMOVE,
)


class Entry(NamedTuple):
    """What becomes an event."""

    game: int
    kind: str
    data: Mapping[str, Any]
    picture: bytes | None = None


class Summary(NamedTuple):
    id: int
    game: str
    began: float
    last: float
    moves: int
    result: dict[str, Any] | None  # `winner`, `why`, and where the rules ended it `draw`, `scores`; None: unfinished
    about: Any
    match: MatchGame | None = None
    seconds: float = 0.0  # that were played
    hints: int = 0  # that a solver was shown
    name: str = ""  # that it was given in the list
    keep: bool = False  # its pictures are kept for ever


class Keeping(NamedTuple):
    """Whether all that was acknowledged is on disk, and if not, what waits in memory and why."""

    waiting: int = 0  # events
    lost: int = 0  # pictures that found no room in memory either, since the store was opened
    trouble: BadInput | None = None

    @property
    def ok(self) -> bool:
        return not self.waiting and self.trouble is None


class Finding(NamedTuple):
    """What is not as it was written, and where."""

    number: int
    code: str
    params: Mapping[str, object] = {}


class Check(NamedTuple):
    events: int
    games: int
    pictures: int
    forgotten: int
    findings: list[Finding]


class Sealed(NamedTuple):
    """An event as it lies in the file, with its data as the text that is sealed."""

    number: int
    game: int
    at: float
    kind: str
    text: str
    hash: str

    def event(self) -> Event:
        try:
            event = Event(self.number, self.game, self.at, self.kind, json.loads(self.text), self.hash)
            if isinstance(self.game, int) and 0 <= self.at < FAR and isinstance(event.data, dict):
                return event
        except (ValueError, TypeError, RecursionError):
            pass
        raise BadInput("", "store-odd-event", number=self.number)


def open_store(folder: str | Path, table: str = "table") -> Store:
    """The table's log, to write. Refused (BadInput) if another companion has it open, or if it is not to be trusted.

    Where nothing can be written, the store works in memory and `trouble` says so.
    """
    store = Store(Path(folder) / f"{table}.sqlite")
    store._begin()
    return store


def read_store(folder: str | Path, table: str = "table") -> Store:
    """The table's log to read only, also while a companion writes it. Empty where there is none."""
    store = Store(Path(folder) / f"{table}.sqlite")
    store._look()
    return store


class Store:
    """May be used from several threads: one at a time is let in."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.trouble: BadInput | None = None
        self.safe = 0
        self._safe_hash = self._last_hash = GENESIS
        self.last = self._games = 0
        self._guard = threading.RLock()
        self._lock: int | None = None
        self._disk: sqlite3.Connection | None = None
        self._writing = False  # `_disk` is open to write
        self._place: tuple[int, int] | None = None
        self._waiting: list[Sealed] = []
        self._pictures: dict[int, bytes] = {}
        self._together = 0  # how many `together` are under way
        self._lost = 0  # pictures

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing

    def append(self, game: int, kind: str, data: Mapping[str, Any], picture: bytes | None = None) -> Event:
        """The event that this became. It is on disk if `safe` has reached its number."""
        return self.append_all([Entry(game, kind, data, picture)])[0]

    def append_all(self, entries: Iterable[Entry]) -> list[Event]:
        """Several events at once: all of them come to be on disk, or none."""
        told = [(entry, _text(entry)) for entry in entries]
        with self._guard:
            rows = [self._sealed(entry, text) for entry, text in told]
            if not self._together:
                self._flush()
        return [row.event() for row in rows]

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is appended in here comes to be on disk at once, or nothing of it."""
        with self._guard:
            self._together += 1
            try:
                yield
            finally:
                self._together -= 1
                if not self._together:
                    self._flush()

    def new_game(self, record: dict[str, Any], by: str, match: MatchGame | None = None) -> int:
        """The new game's id."""
        new = New(record=record, by=by, match=match) if match else New(record=record, by=by)
        with self._guard:
            return self.append(self._games + 1, EventKind.NEW, new).game

    def retry(self) -> bool:
        """Try to write what waits. True when all is on disk."""
        with self._guard:
            self._flush()
            return self.trouble is None

    def forget_pictures(self, days: float) -> int:
        """Delete the pictures that are older than so many days, but for games that are to be kept; how many there
        were. The log says which."""
        return self._forget(self._old(_now() - days * DAY))

    def forget_pictures_of(self, game: int) -> int:
        """Delete a game's pictures; how many there were."""
        with self._guard:
            asked = "SELECT number FROM pictures JOIN events USING (number) WHERE game = ? ORDER BY number"
            return self._forget([number for (number,) in self._ask(asked, (game,))])

    def tidy_pictures(self, days: float) -> int:
        """As `forget_pictures`, at a start, where the clock may be wrong: what is due must have been due at a start
        some day before too, by a clock that has not been set back since. And there are never more than so many."""
        with self._guard:
            now, said = _now(), self.events(kinds=[EventKind.DUE])
            if said and said[-1].at > now:  # the clock was wrong then, or is now: whatever was due is not
                self.append(0, EventKind.DUE, PicturesDue(before=0.0))
                return 0
            voids = [event.number for event in said if not event.data.get("before")]
            valid = [event for event in said if event.number > max(voids, default=0)]
            sure = [event.data["before"] for event in valid if event.at <= now - SURE]
            count = self._forget(self._old(max(sure))) if sure else 0
            if self._old(now - days * DAY) and not (valid and valid[-1].at > now - SURE):
                self.append(0, EventKind.DUE, PicturesDue(before=now - days * DAY))
            most = self._ask("SELECT number FROM pictures ORDER BY number DESC LIMIT 1 OFFSET ?", (MOST_PICTURES,))
            return count + (self._forget(self._old(FAR, most[0][0])) if most else 0)

    def _old(self, before: float, upto: int = sys.maxsize) -> list[int]:
        """The numbers of pictures that were taken before, but for games that are to be kept."""
        told: dict[int, list[Event]] = {}
        for event in self.events(kinds=(EventKind.KEEP,)):
            told.setdefault(event.game, []).append(event)
        kept = {game for game, events in told.items() if fold(events).shelf.keep}
        asked = "SELECT number, game FROM pictures JOIN events USING (number) WHERE at <= ? AND number <= ?"
        return [number for number, game in self._ask(f"{asked} ORDER BY number", (before, upto)) if game not in kept]

    def _forget(self, old: list[int]) -> int:
        with self._guard:
            if not self._writing or self._disk is None or not old:
                return 0
            self.append(0, EventKind.FORGOTTEN, PicturesForgotten(numbers=old))
            if self.trouble:  # nobody would know why they are gone
                return 0
            try:
                gone = "DELETE FROM pictures WHERE number IN (SELECT value FROM json_each(?))"
                count = self._disk.execute(gone, (json.dumps(old),)).rowcount
                if count:  # really gone: not in free pages (secure_delete), nor in the write-ahead log
                    self._disk.executescript("PRAGMA incremental_vacuum")  # `execute` would take one page only
                    self._disk.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except BROKEN as error:
                self.trouble = self._passing(error)
                return 0
            return count

    def close(self) -> None:
        with self._guard:
            if self._waiting:
                self._flush()
            self._let_go()
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def _sealed(self, entry: Entry, text: str) -> Sealed:
        number, at = self.last + 1, _now()
        seal = seal_of(number, self._last_hash, entry.game, at, entry.kind, text)
        row = Sealed(number, entry.game, at, entry.kind, text, seal)
        self.last, self._last_hash, self._games = number, seal, max(self._games, entry.game)
        self._waiting.append(row)
        if entry.picture is not None:
            self._pictures[number] = entry.picture
            if len(self._pictures) > MOST_WAITING:
                del self._pictures[next(iter(self._pictures))]
                self._lost += 1
        return row

    def _flush(self) -> None:
        """Write what waits; whatever hinders it is kept as `trouble`."""
        try:
            if not self._writing:
                self._open()
            disk = self._disk
            assert disk is not None
            if place(self.file) != self._place:
                raise BadInput(str(self.file), "store-gone")
            try:
                disk.execute("BEGIN IMMEDIATE")
                self._agree()
                disk.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", self._waiting)
                disk.executemany("INSERT INTO pictures VALUES (?, ?)", self._pictures.items())
                disk.execute("COMMIT")
            finally:
                if disk.in_transaction:
                    with suppress(sqlite3.Error):
                        disk.execute("ROLLBACK")
        except BadInput as trouble:
            self.trouble = trouble
        except OSError as error:
            self.trouble = self._hindered(error)
        except BROKEN as error:
            self.trouble = self._passing(error)
        else:
            self.trouble = None
            self.safe, self._safe_hash = self.last, self._last_hash
            self._waiting.clear()
            self._pictures.clear()

    def _agree(self) -> None:
        """The file ends where we think it does, or with an event of ours whose writing seemed to have failed."""
        number, seal = self._end()
        if (number, seal) == (self.safe, self._safe_hash):
            return
        if not any((row.number, row.hash) == (number, seal) for row in self._waiting):
            raise BadInput(str(self.file), "store-other")
        self.safe, self._safe_hash = number, seal
        self._waiting = [row for row in self._waiting if row.number > number]
        self._pictures = {n: jpeg for n, jpeg in self._pictures.items() if n > number}

    @property
    def end(self) -> tuple[int, str]:
        """The last event that is on disk for good, and its hash."""
        with self._guard:
            return self.safe, self._safe_hash

    @property
    def keeping(self) -> Keeping:
        with self._guard:
            return Keeping(len(self._waiting), self._lost, self.trouble)

    # --- reading

    @property
    def found(self) -> bool:
        """There is a file with events to read."""
        return self._disk is not None

    def events(self, game: int | None = None, after: int = 0, kinds: Iterable[str] = ()) -> list[Event]:
        """In order: of one game or of all, with a number above `after`, of some kinds or of any."""
        wanted = tuple(kinds)
        query = f"{SELECT} WHERE number > ? AND number < ?"
        if game is not None:
            query += " AND game = ?"
        if wanted:
            query += f" AND kind IN ({', '.join('?' * len(wanted))})"
        with self._guard:
            # what waits comes after what is on disk; anything there beyond that is not ours
            end = self._waiting[0].number if self._waiting else sys.maxsize
            given = (after, end, *(() if game is None else (game,)), *wanted)
            rows = [Sealed(*row) for row in self._ask(query + " ORDER BY number", given)]
            rows += [
                row
                for row in self._waiting
                if row.number > after and game in (None, row.game) and (not wanted or row.kind in wanted)
            ]
        return [row.event() for row in rows]

    def sealed(self, after: int, most: int) -> list[Sealed]:
        """The next events that are safe on disk, as they were sealed: for whoever keeps them too."""
        with self._guard:
            end = min(self.safe, after + most)
            return [
                Sealed(*row)
                for row in self._ask(f"{SELECT} WHERE number > ? AND number <= ? ORDER BY number", (after, end))
            ]

    def picture(self, number: int) -> bytes | None:
        """The JPEG beside an event, if there is one that was not forgotten."""
        with self._guard:
            if number in self._pictures:
                return self._pictures[number]
            found = self._ask("SELECT CAST(jpeg AS BLOB) FROM pictures WHERE number = ?", (number,))
            return found[0][0] if found else None

    def record(self, game: int) -> dict[str, Any]:
        """A game's record, as docs/formats.md has it. BadInput if there is no such game."""
        return self.game(game).record

    def game(self, game: int) -> KeptGame:
        """What a game's events add up to. BadInput if there is no such game."""
        return fold(self._events_of(game))

    def games(self) -> list[Summary]:
        """Those that were not removed."""
        told: dict[int, list[Event]] = {}
        with self._guard:
            for event in self.events(kinds=TELLING):
                told.setdefault(event.game, []).append(event)
            last = dict(self._ask("SELECT game, max(at) FROM events GROUP BY game"))
            last.update((row.game, row.at) for row in self._waiting)
        listed = [(game, events, _shelf(events)) for game, events in sorted(told.items())]
        return [
            _summary(events, shelf, last[game])
            for game, events, shelf in listed
            if events[0].kind == EventKind.NEW and not shelf.removed
        ]

    def verify(self, heads: Iterable[Head] = ()) -> Check:
        """Go through the chain from the first event on, and through the pictures. It stops where the chain breaks:
        what comes after proves nothing. Heads that somebody kept show what the chain alone cannot."""
        with self._guard:
            if self._disk is None:
                return Check(0, 0, 0, 0, [])
            self._ask("BEGIN")  # the same moment for events and pictures
            try:
                return self._verified(self._disk, heads)
            except BROKEN as error:
                raise self._refused(error) from None
            finally:
                if self._disk.in_transaction:
                    self._ask("ROLLBACK")

    def _verified(self, disk: sqlite3.Connection, heads: Iterable[Head]) -> Check:
        if (said := self._ask("PRAGMA integrity_check(1)")[0][0]) != "ok":
            raise BadInput(str(self.file), "store-corrupt", error=said)
        findings: list[Finding] = []
        before, count, games = GENESIS, 0, set()
        seals: dict[int, str] = {}
        hashes: dict[int, str] = {}
        forgotten: set[int] = set()
        for row in map(Sealed._make, disk.execute(f"{SELECT} ORDER BY number")):
            if row.number != count + 1:
                findings.append(Finding(count + 1, "chain.gap"))
                break
            if row.hash != seal_of(row.number, before, *row[1:5]):
                findings.append(Finding(row.number, "chain.broken"))
                break
            before, count = row.hash, row.number
            games.add(row.game)
            hashes[count] = before
            data = row.event().data
            if seal := data.get("picture"):
                seals[count] = seal
            if row.kind == EventKind.FORGOTTEN:
                forgotten |= {number for number in data.get("numbers", ()) if isinstance(number, int)}
        whole, kept = not findings, set()
        for number, jpeg in disk.execute("SELECT number, jpeg FROM pictures ORDER BY number"):
            if not isinstance(number, int):  # a damaged page, which the check above may overlook
                raise BadInput(str(self.file), "store-corrupt", error="pictures.number")
            if whole or number <= count:
                kept.add(number)
                if not isinstance(jpeg, bytes) or seals.get(number) != _hash(jpeg):
                    findings.append(Finding(number, "picture.changed"))
        missing = seals.keys() - kept
        findings += [Finding(number, "picture.gone") for number in sorted(missing - forgotten)]
        for head, code, since in compare(heads, hashes.get, count, own_keys(self.file)):
            if code != "head.good":
                findings.append(Finding(since, code, {"head": head.number, "at": _day(head.at)}))
        return Check(count, len(games - {0}), len(kept), len(missing & forgotten), findings)

    def newest(self) -> tuple[int, str]:
        """The last event in the file, and its hash."""
        with self._guard:
            return self._end()

    def hash_of(self, number: int) -> str | None:
        with self._guard:
            found = self._ask("SELECT hash FROM events WHERE number = ?", (number,))
        return found[0][0] if found else None

    def _events_of(self, game: int) -> list[Event]:
        events = self.events(game)
        if not events or events[0].kind != EventKind.NEW:
            raise BadInput(str(game), "no-game")
        return events

    def _ask(self, query: str, given: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._disk.execute(query, given).fetchall() if self._disk else []
        except BROKEN as error:
            raise self._refused(error) from None

    def _end(self) -> tuple[int, str]:
        found = self._ask("SELECT number, hash FROM events ORDER BY number DESC LIMIT 1")
        return (found[0][0], found[0][1]) if found else (0, GENESIS)

    # --- opening

    def _begin(self) -> None:
        """Open to write; where that cannot be done now, what is there already is still read."""
        try:
            try:
                self._open()
            except OSError as error:
                self.trouble = self._hindered(error)
            except BROKEN as error:
                self.trouble = self._passing(error)
                if self.trouble.code not in PASSING.values():
                    raise self.trouble from None
            if not self._writing:
                with suppress(BadInput):
                    self._look()
            self._count()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        if self._lock is None:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = hold(self.file.with_suffix(".lock"), self.file.parent)
        if self.file.is_dir():
            raise BadInput(str(self.file), "store-foreign")
        if is_new(self.file):
            make(self.file)
        disk = connect(self.file)
        self._let_go()
        self._disk, self._writing, self._place = disk, True, place(self.file)

    def _look(self) -> None:
        """Open to read. A folder that may not be written lacks the shared memory of the write-ahead log; if there is
        no such log, the file alone says all."""
        try:
            if is_new(self.file):
                return
            alone = is_new(Path(f"{self.file}-wal"))
        except OSError as error:
            raise BadInput(str(self.file), "cannot-open", error=error.strerror) from None
        for how in ("mode=ro", "mode=ro&immutable=1")[: 1 + alone]:
            try:
                self._disk = connect_to_read(self.file, how)
                return
            except BROKEN as error:
                refused = self._refused(error)
        raise refused

    def _count(self) -> None:
        """Go on from the last event in the file."""
        self.last, self._last_hash = self.safe, self._safe_hash = self._end()
        highest = self._ask("SELECT max(CAST(game AS INTEGER)) FROM events")
        self._games = (highest[0][0] or 0) if highest else 0
        if not (isinstance(self.last, int) and isinstance(self._last_hash, str) and isinstance(self._games, int)):
            raise BadInput(str(self.file), "store-corrupt", error="the last event cannot be read")

    def _let_go(self) -> None:
        if self._disk:
            self._disk.close()
        self._disk, self._writing = None, False

    def _hindered(self, error: OSError) -> BadInput:
        if error.errno in FULL:
            return BadInput(str(self.file), "store-full")
        return BadInput(str(self.file), "store-unwritable", error=error.strerror or str(error))

    def _passing(self, error: Exception) -> BadInput:
        if code := PASSING.get(getattr(error, "sqlite_errorcode", 0) & 0xFF):
            return BadInput(str(self.file), code, error=str(error))
        return self._refused(error)

    def _refused(self, error: Exception) -> BadInput:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            return BadInput(str(self.file), "store-foreign")
        if code in PASSING:
            return BadInput(str(self.file), "cannot-open", error=str(error))
        return BadInput(str(self.file), "store-corrupt", error=str(error))


SHELF = (EventKind.NAME, EventKind.KEEP, EventKind.REMOVE)


def _shelf(events: list[Event]) -> Shelf:
    """How a game is listed, whatever else its events say."""
    try:
        return fold(event for event in events if event.kind in SHELF).shelf
    except BadInput:
        return Shelf()


def _summary(events: list[Event], shelf: Shelf, last: float) -> Summary:
    first = events[0]
    match, seconds, hints = None, 0.0, 0
    try:
        kept = fold(events)
        record, ended, match, hints = kept.record, kept.ended, kept.match, kept.hinted
        seconds = round(kept.time.until(last), 3)
    except BadInput:  # one game that makes no sense must not hide the others
        given = first.data.get("record")
        record = {**(given if isinstance(given, dict) else {}), "moves": []}
        ended = {"winner": None, "draw": False, "why": "odd"}
    about, moves = record.get("about"), len(record["moves"])
    return Summary(
        *(first.game, record.get("game", ""), first.at, last, moves, ended, about),
        *(match, seconds, hints, shelf.name, shelf.keep),
    )


# --- seals


def _now() -> float:
    return round(time.time(), 3)


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _text(entry: Entry) -> str:
    data = entry.data if entry.picture is None else {**entry.data, "picture": picture_seal(entry.picture)}
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


_SEALED = json.JSONEncoder(separators=(",", ":"), default=repr)  # made once: there are many to be checked


def seal_of(number: int, before: str, game: int, at: float, kind: str, text: str) -> str:
    # `repr` for what no companion wrote, so that it can be compared too
    return _hash(_SEALED.encode([number, before, game, at, kind, text]).encode())


def picture_seal(jpeg: bytes) -> str:
    """What an event's data holds of its picture."""
    return _hash(jpeg)


def _hash(data: object) -> str:
    return sha256(data if isinstance(data, bytes) else repr(data).encode()).hexdigest()
