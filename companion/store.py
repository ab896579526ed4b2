"""The table's log: every event of every game, numbered from 1 without gaps, in a hash chain.

There is one SQLite file for each table. Events are never changed: a mistake is corrected by a later event. An event's
hash is the SHA-256 of `[number, hash before, game, at, kind, data]` as JSON, with the data as the stored text.
Pictures are in a table of their own; the event's data holds the picture's hash under `picture`, so a picture can be
deleted without breaking the chain, and an event records that it was. The chain cannot show that events are missing at
its end: that takes the signed heads (`companion.sealing`).

A failing disk does not stop a game: events that cannot be written wait in memory, `trouble` says why, and the next
append retries. `last` is the number of the last event, `committed` that of the last one on disk; `keeping` is the
public summary of both.

While a store is open, start processes by spawn, not by fork: a forked process would share its lock.
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
from companion.events import (
    Event,
    EventKind,
    GameStarted,
    KeptGame,
    MatchGame,
    PicturesDue,
    PicturesForgotten,
    Shelf,
    fold,
)
from companion.sealing import Head, compare, own_keys
from companion.store_file import connect, connect_to_read, create, file_identity, is_new, lock_file

NAME = "board-companion events 1"
GENESIS = sha256(NAME.encode()).hexdigest()
MAX_WAITING_PICTURES = 500  # pictures that wait in memory for the disk; waiting events are not limited
MAX_PICTURES = 50_000  # pictures in the file
DAY = 86_400
DUE_FOR = 0.9 * DAY  # seconds for which pictures must have been due before they are deleted at a start
FAR = 1e11  # seconds since 1970 that no clock shows
SELECT = "SELECT number, game, at, kind, data, hash FROM events"
# SQLite errors that may pass, with their message codes. Any other error means that the file is damaged.
TRANSIENT_ERRORS = {
    sqlite3.SQLITE_FULL: "store-full",
    sqlite3.SQLITE_BUSY: "store-busy",
    sqlite3.SQLITE_LOCKED: "store-busy",
    sqlite3.SQLITE_READONLY: "store-unwritable",
    sqlite3.SQLITE_CANTOPEN: "store-unwritable",
    sqlite3.SQLITE_PERM: "store-unwritable",
    sqlite3.SQLITE_IOERR: "store-unwritable",
    sqlite3.SQLITE_NOLFS: "store-unwritable",
}
# Errors raised by a damaged file; it may damage SQLite's message too, so that Python cannot decode it.
DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) if sys.platform != "win32" else (errno.ENOSPC, errno.EFBIG)
# The kinds of events that a game's summary is made of.
SUMMARY_KINDS = (
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


class NewEvent(NamedTuple):
    """An event before it is numbered and hashed."""

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
    result: dict[str, Any] | None  # `winner`, `why`, and if the rules ended it `draw`, `scores`; None: unfinished
    about: Any
    match: MatchGame | None = None
    seconds: float = 0.0  # of play, without pauses
    hints: int = 0  # shown in a solitaire
    name: str = ""  # given by a person
    keep: bool = False  # its pictures are never deleted


class Keeping(NamedTuple):
    """Whether all events are on disk, and if not, how many wait in memory and why."""

    waiting: int = 0  # events in memory
    lost: int = 0  # pictures dropped from memory since the store was opened
    trouble: BadInput | None = None

    @property
    def ok(self) -> bool:
        return not self.waiting and self.trouble is None


class Finding(NamedTuple):
    """An event, or its picture, that was changed or is missing."""

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
    """An event as it is stored, with its data as the hashed text."""

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
    """Open the table's log for writing. BadInput if another process has it open, or if it is damaged.

    If the disk cannot be written, the store works in memory and `trouble` says so.
    """
    store = Store(Path(folder) / f"{table}.sqlite")
    store._open_to_write()
    return store


def read_store(folder: str | Path, table: str = "table") -> Store:
    """Open the table's log for reading, also while another process writes it. It is empty if there is no file."""
    store = Store(Path(folder) / f"{table}.sqlite")
    store._open_to_read()
    return store


class Store:
    """It may be used from several threads; a lock lets one in at a time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.trouble: BadInput | None = None
        self.committed = 0
        self._committed_hash = self._last_hash = GENESIS
        self.last = self._games = 0
        self._lock = threading.RLock()
        self._file_lock: int | None = None
        self._connection: sqlite3.Connection | None = None
        self._writing = False  # the connection is open for writing
        self._file_identity: tuple[int, int] | None = None
        self._waiting: list[Sealed] = []
        self._pictures: dict[int, bytes] = {}
        self._transaction_depth = 0  # nested `transaction` blocks
        self._lost = 0  # pictures

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing

    def append(self, game: int, kind: str, data: Mapping[str, Any], picture: bytes | None = None) -> Event:
        """Append an event and return it. It is on disk if `committed` has reached its number."""
        return self.append_all([NewEvent(game, kind, data, picture)])[0]

    def append_all(self, entries: Iterable[NewEvent]) -> list[Event]:
        """Append several events in one transaction."""
        texts = [(entry, _text(entry)) for entry in entries]
        with self._lock:
            rows = [self._sealed(entry, text) for entry, text in texts]
            if not self._transaction_depth:
                self._flush()
        return [row.event() for row in rows]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write everything that is appended in this block in one transaction."""
        with self._lock:
            self._transaction_depth += 1
            try:
                yield
            finally:
                self._transaction_depth -= 1
                if not self._transaction_depth:
                    self._flush()

    def new_game(self, record: dict[str, Any], by: str, match: MatchGame | None = None) -> int:
        """Append the event that begins a game. Returns the game's number."""
        new = GameStarted(record=record, by=by, match=match) if match else GameStarted(record=record, by=by)
        with self._lock:
            return self.append(self._games + 1, EventKind.NEW, new).game

    def retry(self) -> bool:
        """Try to write the waiting events. True if all are on disk."""
        with self._lock:
            self._flush()
            return self.trouble is None

    def forget_pictures(self, days: float) -> int:
        """Delete the pictures that are older than `days`, except those of games marked `keep`. An event lists them.
        Returns their number."""
        return self._delete_pictures(self._pictures_before(_now() - days * DAY))

    def forget_pictures_of(self, game: int) -> int:
        """Delete a game's pictures. Returns their number."""
        with self._lock:
            query = "SELECT number FROM pictures JOIN events USING (number) WHERE game = ? ORDER BY number"
            return self._delete_pictures([number for (number,) in self._query(query, (game,))])

    def forget_due_pictures(self, days: float) -> int:
        """As `forget_pictures`, but at a start, when the clock may be wrong: pictures must have been due at a start on
        an earlier day too, and the clock must not have been set back since. Also enforces `MAX_PICTURES`."""
        with self._lock:
            now, marks = _now(), self.events(kinds=[EventKind.DUE])
            if marks and marks[-1].at > now:  # the clock was wrong then or is wrong now: void all marks
                self.append(0, EventKind.DUE, PicturesDue(before=0.0))
                return 0
            voids = [event.number for event in marks if not event.data.get("before")]
            valid = [event for event in marks if event.number > max(voids, default=0)]
            sure = [event.data["before"] for event in valid if event.at <= now - DUE_FOR]
            count = self._delete_pictures(self._pictures_before(max(sure))) if sure else 0
            if self._pictures_before(now - days * DAY) and not (valid and valid[-1].at > now - DUE_FOR):
                self.append(0, EventKind.DUE, PicturesDue(before=now - days * DAY))
            most = self._query("SELECT number FROM pictures ORDER BY number DESC LIMIT 1 OFFSET ?", (MAX_PICTURES,))
            return count + (self._delete_pictures(self._pictures_before(FAR, most[0][0])) if most else 0)

    def _pictures_before(self, before: float, upto: int = sys.maxsize) -> list[int]:
        """The numbers of the pictures taken before this time, except those of games marked `keep`."""
        grouped: dict[int, list[Event]] = {}
        for event in self.events(kinds=(EventKind.KEEP,)):
            grouped.setdefault(event.game, []).append(event)
        kept = {game for game, events in grouped.items() if fold(events).shelf.keep}
        query = "SELECT number, game FROM pictures JOIN events USING (number) WHERE at <= ? AND number <= ?"
        return [number for number, game in self._query(f"{query} ORDER BY number", (before, upto)) if game not in kept]

    def _delete_pictures(self, old: list[int]) -> int:
        with self._lock:
            if not self._writing or self._connection is None or not old:
                return 0
            self.append(0, EventKind.FORGOTTEN, PicturesForgotten(numbers=old))
            if self.trouble:  # never delete without a log entry on disk
                return 0
            try:
                gone = "DELETE FROM pictures WHERE number IN (SELECT value FROM json_each(?))"
                count = self._connection.execute(gone, (json.dumps(old),)).rowcount
                if count:  # also remove them from free pages (secure_delete) and from the write-ahead log
                    self._connection.executescript("PRAGMA incremental_vacuum")  # `execute` would take one page only
                    self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except DATABASE_ERRORS as error:
                self.trouble = self._database_error(error)
                return 0
            return count

    def close(self) -> None:
        with self._lock:
            if self._waiting:
                self._flush()
            self._disconnect()
            if self._file_lock is not None:
                os.close(self._file_lock)
                self._file_lock = None

    def _sealed(self, entry: NewEvent, text: str) -> Sealed:
        number, at = self.last + 1, _now()
        seal = seal_of(number, self._last_hash, entry.game, at, entry.kind, text)
        row = Sealed(number, entry.game, at, entry.kind, text, seal)
        self.last, self._last_hash, self._games = number, seal, max(self._games, entry.game)
        self._waiting.append(row)
        if entry.picture is not None:
            self._pictures[number] = entry.picture
            if len(self._pictures) > MAX_WAITING_PICTURES:
                del self._pictures[next(iter(self._pictures))]
                self._lost += 1
        return row

    def _flush(self) -> None:
        """Write the waiting events. An error is kept in `trouble`."""
        try:
            if not self._writing:
                self._connect()
            connection = self._connection
            assert connection is not None
            if file_identity(self.file) != self._file_identity:
                raise BadInput(str(self.file), "store-gone")
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._check_end()
                connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", self._waiting)
                connection.executemany("INSERT INTO pictures VALUES (?, ?)", self._pictures.items())
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    with suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")
        except BadInput as trouble:
            self.trouble = trouble
        except OSError as error:
            self.trouble = self._write_error(error)
        except DATABASE_ERRORS as error:
            self.trouble = self._database_error(error)
        else:
            self.trouble = None
            self.committed, self._committed_hash = self.last, self._last_hash
            self._waiting.clear()
            self._pictures.clear()

    def _check_end(self) -> None:
        """Check that the file ends with the event that we wrote last, or with one whose write seemed to fail."""
        number, seal = self._end()
        if (number, seal) == (self.committed, self._committed_hash):
            return
        if not any((row.number, row.hash) == (number, seal) for row in self._waiting):
            raise BadInput(str(self.file), "store-other")
        self.committed, self._committed_hash = number, seal
        self._waiting = [row for row in self._waiting if row.number > number]
        self._pictures = {n: jpeg for n, jpeg in self._pictures.items() if n > number}

    @property
    def end(self) -> tuple[int, str]:
        """The last committed event's number and hash."""
        with self._lock:
            return self.committed, self._committed_hash

    @property
    def keeping(self) -> Keeping:
        with self._lock:
            return Keeping(len(self._waiting), self._lost, self.trouble)

    # --- reading

    @property
    def found(self) -> bool:
        """Whether there is a file to read."""
        return self._connection is not None

    def events(self, game: int | None = None, after: int = 0, kinds: Iterable[str] = ()) -> list[Event]:
        """Events in order: of one game or of all, after a number, of some kinds or of all."""
        wanted = tuple(kinds)
        query = f"{SELECT} WHERE number > ? AND number < ?"
        if game is not None:
            query += " AND game = ?"
        if wanted:
            query += f" AND kind IN ({', '.join('?' * len(wanted))})"
        with self._lock:
            # Waiting events follow those on disk; rows with the same numbers in the file are not ours.
            end = self._waiting[0].number if self._waiting else sys.maxsize
            given = (after, end, *(() if game is None else (game,)), *wanted)
            rows = [Sealed(*row) for row in self._query(query + " ORDER BY number", given)]
            rows += [
                row
                for row in self._waiting
                if row.number > after and game in (None, row.game) and (not wanted or row.kind in wanted)
            ]
        return [row.event() for row in rows]

    def sealed(self, after: int, most: int) -> list[Sealed]:
        """The next committed events as stored, for a copy of the log elsewhere."""
        with self._lock:
            end = min(self.committed, after + most)
            return [
                Sealed(*row)
                for row in self._query(f"{SELECT} WHERE number > ? AND number <= ? ORDER BY number", (after, end))
            ]

    def picture(self, number: int) -> bytes | None:
        """The picture of an event as JPEG; None if it has none, or it was deleted."""
        with self._lock:
            if number in self._pictures:
                return self._pictures[number]
            found = self._query("SELECT CAST(jpeg AS BLOB) FROM pictures WHERE number = ?", (number,))
            return found[0][0] if found else None

    def record(self, game: int) -> dict[str, Any]:
        """A game's record (docs/formats.md). BadInput if there is no such game."""
        return self.game(game).record

    def game(self, game: int) -> KeptGame:
        """A game, folded from its events. BadInput if there is no such game."""
        return fold(self._events_of(game))

    def games(self) -> list[Summary]:
        """Summaries of all games that were not removed."""
        grouped: dict[int, list[Event]] = {}
        with self._lock:
            for event in self.events(kinds=SUMMARY_KINDS):
                grouped.setdefault(event.game, []).append(event)
            last = dict(self._query("SELECT game, max(at) FROM events GROUP BY game"))
            last.update((row.game, row.at) for row in self._waiting)
        listed = [(game, events, _shelf(events)) for game, events in sorted(grouped.items())]
        return [
            _summary(events, shelf, last[game])
            for game, events, shelf in listed
            if events[0].kind == EventKind.NEW and not shelf.removed
        ]

    def verify(self, heads: Iterable[Head] = ()) -> Check:
        """Check the hash chain from the first event, then the pictures, then signed heads. It stops where the chain
        breaks, since nothing after that is proved."""
        with self._lock:
            if self._connection is None:
                return Check(0, 0, 0, 0, [])
            self._query("BEGIN")  # one snapshot for events and pictures
            try:
                return self._verified(self._connection, heads)
            except DATABASE_ERRORS as error:
                raise self._read_error(error) from None
            finally:
                if self._connection.in_transaction:
                    self._query("ROLLBACK")

    def _verified(self, connection: sqlite3.Connection, heads: Iterable[Head]) -> Check:
        if (result := self._query("PRAGMA integrity_check(1)")[0][0]) != "ok":
            raise BadInput(str(self.file), "store-corrupt", error=result)
        findings: list[Finding] = []
        before, count, games = GENESIS, 0, set()
        seals: dict[int, str] = {}
        hashes: dict[int, str] = {}
        forgotten: set[int] = set()
        for row in map(Sealed._make, connection.execute(f"{SELECT} ORDER BY number")):
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
        for number, jpeg in connection.execute("SELECT number, jpeg FROM pictures ORDER BY number"):
            if not isinstance(number, int):  # a damaged page, which integrity_check may overlook
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
        """The number and the hash of the last event in the file."""
        with self._lock:
            return self._end()

    def hash_of(self, number: int) -> str | None:
        with self._lock:
            found = self._query("SELECT hash FROM events WHERE number = ?", (number,))
        return found[0][0] if found else None

    def _events_of(self, game: int) -> list[Event]:
        events = self.events(game)
        if not events or events[0].kind != EventKind.NEW:
            raise BadInput(str(game), "no-game")
        return events

    def _query(self, query: str, given: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, given).fetchall() if self._connection else []
        except DATABASE_ERRORS as error:
            raise self._read_error(error) from None

    def _end(self) -> tuple[int, str]:
        found = self._query("SELECT number, hash FROM events ORDER BY number DESC LIMIT 1")
        return (found[0][0], found[0][1]) if found else (0, GENESIS)

    # --- opening

    def _open_to_write(self) -> None:
        """Open for writing. If that is not possible now, open what is there for reading."""
        try:
            try:
                self._connect()
            except OSError as error:
                self.trouble = self._write_error(error)
            except DATABASE_ERRORS as error:
                self.trouble = self._database_error(error)
                if self.trouble.code not in TRANSIENT_ERRORS.values():
                    raise self.trouble from None
            if not self._writing:
                with suppress(BadInput):
                    self._open_to_read()
            self._load_end()
        except BaseException:
            self.close()
            raise

    def _connect(self) -> None:
        if self._file_lock is None:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file_lock = lock_file(self.file.with_suffix(".lock"), self.file.parent)
        if self.file.is_dir():
            raise BadInput(str(self.file), "store-foreign")
        if is_new(self.file):
            create(self.file)
        connection = connect(self.file)
        self._disconnect()
        self._connection, self._writing, self._file_identity = connection, True, file_identity(self.file)

    def _open_to_read(self) -> None:
        """Open for reading. In a read-only folder SQLite cannot create the shared memory of the write-ahead log; if
        there is no such log, the file is opened as immutable instead."""
        try:
            if is_new(self.file):
                return
            alone = is_new(Path(f"{self.file}-wal"))
        except OSError as error:
            raise BadInput(str(self.file), "cannot-open", error=error.strerror) from None
        for how in ("mode=ro", "mode=ro&immutable=1")[: 1 + alone]:
            try:
                self._connection = connect_to_read(self.file, how)
                return
            except DATABASE_ERRORS as error:
                error_found = self._read_error(error)
        raise error_found

    def _load_end(self) -> None:
        """Load the last event's number and hash, and the number of games, from the file."""
        self.last, self._last_hash = self.committed, self._committed_hash = self._end()
        highest = self._query("SELECT max(CAST(game AS INTEGER)) FROM events")
        self._games = (highest[0][0] or 0) if highest else 0
        if not (isinstance(self.last, int) and isinstance(self._last_hash, str) and isinstance(self._games, int)):
            raise BadInput(str(self.file), "store-corrupt", error="the last event cannot be read")

    def _disconnect(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection, self._writing = None, False

    def _write_error(self, error: OSError) -> BadInput:
        if error.errno in DISK_FULL:
            return BadInput(str(self.file), "store-full")
        return BadInput(str(self.file), "store-unwritable", error=error.strerror or str(error))

    def _database_error(self, error: Exception) -> BadInput:
        if code := TRANSIENT_ERRORS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF):
            return BadInput(str(self.file), code, error=str(error))
        return self._read_error(error)

    def _read_error(self, error: Exception) -> BadInput:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            return BadInput(str(self.file), "store-foreign")
        if code in TRANSIENT_ERRORS:
            return BadInput(str(self.file), "cannot-open", error=str(error))
        return BadInput(str(self.file), "store-corrupt", error=str(error))


SHELF = (EventKind.NAME, EventKind.KEEP, EventKind.REMOVE)


def _shelf(events: list[Event]) -> Shelf:
    """A game's name and marks, even if its other events are malformed."""
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
    except BadInput:  # one malformed game must not hide the others
        given = first.data.get("record")
        record = {**(given if isinstance(given, dict) else {}), "moves": []}
        ended = {"winner": None, "draw": False, "why": "odd"}
    about, moves = record.get("about"), len(record["moves"])
    return Summary(
        *(first.game, record.get("game", ""), first.at, last, moves, ended, about),
        *(match, seconds, hints, shelf.name, shelf.keep),
    )


# --- hashes


def _now() -> float:
    return round(time.time(), 3)


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _text(entry: NewEvent) -> str:
    data = entry.data if entry.picture is None else {**entry.data, "picture": picture_seal(entry.picture)}
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


_ENCODER = json.JSONEncoder(separators=(",", ":"), default=repr)  # one for all: `verify` encodes every event


def seal_of(number: int, before: str, game: int, at: float, kind: str, text: str) -> str:
    # `repr` lets values be hashed that no companion writes, so that they are reported as changed.
    return _hash(_ENCODER.encode([number, before, game, at, kind, text]).encode())


def picture_seal(jpeg: bytes) -> str:
    """The hash of a picture, as it is in the event's data."""
    return _hash(jpeg)


def _hash(data: object) -> str:
    return sha256(data if isinstance(data, bytes) else repr(data).encode()).hexdigest()
