"""Where a hall keeps things: PostgreSQL by its URL, or a SQLite file; one text of SQL for both.

Why no SQLAlchemy with Alembic: a hall has a handful of narrow tables and asks plain questions of them. `ON CONFLICT`,
`RETURNING` and named parameters are the same in both engines, so one text serves both as it stands, and migrations are
numbered steps as those of a table's log are. The two libraries would cost a quarter of a second at every start and
thirty
megabytes, and their migrations would still have to be written by hand for both. psycopg is loaded only for PostgreSQL.

A transaction is all or nothing, and has the writer's place in SQLite from its beginning on. A connection that failed is
thrown away; the next transaction makes a new one, so that a database that comes back is found again.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from companion.errors import BadInput
from companion.hall.schema import MIGRATIONS

PATIENCE = 15.0  # seconds to wait for whoever writes, or for a server to answer
MIGRATING = 0x42436F6D  # the name of PostgreSQL's lock while the schema is brought up to date
CHANNEL = "board_companion_hall"
POSTGRES = ("postgresql://", "postgres://")
Row = tuple[Any, ...]
Params = Mapping[str, Any]


class Unavailable(BadInput):
    """The database does not take or give anything now; it may do so again soon."""


class Taken(Exception):
    """Somebody else was faster: what was to be put there is there already."""


class Transaction(Protocol):
    def ask(self, query: str, **params: Any) -> list[Row]:
        """What the database answers; the query's parameters are written `:name`."""

    def ask_to_change(self, query: str, **params: Any) -> list[Row]:
        """The same; until the transaction ends nobody else changes these rows."""

    def put(self, query: str, rows: list[Params]) -> None:
        """The same statement for each of these."""


def open_database(url: str) -> Database:
    """By its URL (`postgresql://…`) or as a file of SQLite, made if there is none. BadInput says what hinders it."""
    found: Database = Postgres(url) if url.startswith(POSTGRES) else Sqlite(Path(url.removeprefix("sqlite://")))
    _bring_up_to_date(found)
    return found


class Database(ABC):
    """May be used from any thread: each transaction has a connection of its own."""

    name = ""  # for people; without a password

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._idle: list[Any] = []

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Transaction]:
        """All of what is asked in it, or nothing."""

    @contextmanager
    def migrating(self) -> Iterator[Transaction]:
        """A transaction that nobody else has at the same time."""
        with self.transaction() as asked:
            yield asked

    @abstractmethod
    def waits(self, seconds: float) -> None:
        """Until somebody has woken us by `wake`, or for so long."""

    @abstractmethod
    def wake(self) -> None:
        """Tell all who wait that there is something new. Only a wake-up: nothing depends on its arriving."""

    def close(self) -> None:
        with self._guard:
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    def _take(self) -> Any:
        with self._guard:
            return self._idle.pop() if self._idle else None

    def _give_back(self, connection: Any) -> None:
        with self._guard:
            self._idle.append(connection)


# --- SQLite


class Sqlite(Database):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file, self.name = file, str(file)
        self._writing = threading.Lock()  # ours wait here, not by trying again and again
        self._news = threading.Condition()
        self._told = 0
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(str(file), "cannot-open", error=error.strerror) from None

    def _connected(self) -> sqlite3.Connection:
        disk = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        disk.execute("PRAGMA journal_mode = WAL").fetchall()
        disk.execute("PRAGMA synchronous = FULL")
        return disk

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._writing:
            disk = None
            try:
                disk = self._take() or self._connected()
                disk.execute("BEGIN IMMEDIATE")
                yield _InSqlite(disk)
                disk.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                raise Taken(str(error)) from None
            except sqlite3.Error as error:
                if disk:
                    disk.close()
                disk = None
                raise Unavailable(self.name, "hall-database", error=str(error)) from None
            finally:
                if disk:
                    if disk.in_transaction:
                        with suppress(sqlite3.Error):
                            disk.execute("ROLLBACK")
                    self._give_back(disk)

    def waits(self, seconds: float) -> None:
        with self._news:
            told = self._told
            self._news.wait_for(lambda: self._told != told, seconds)

    def wake(self) -> None:
        with self._news:
            self._told += 1
            self._news.notify_all()


class _InSqlite:
    def __init__(self, disk: sqlite3.Connection) -> None:
        self._disk = disk

    def ask(self, query: str, **params: Any) -> list[Row]:
        return self._disk.execute(query, params).fetchall()

    ask_to_change = ask

    def put(self, query: str, rows: list[Params]) -> None:
        self._disk.executemany(query, rows)


# --- PostgreSQL


class Postgres(Database):
    def __init__(self, url: str) -> None:
        super().__init__()
        try:
            import psycopg
        except ImportError:
            raise BadInput("--database", "hall-no-psycopg") from None
        self._psycopg = psycopg
        self.url, self.name = url, re.sub(r"//[^@/]*@", "//", url)
        self._ear: Any = None

    def _connected(self) -> Any:
        return self._psycopg.connect(self.url, connect_timeout=int(PATIENCE), application_name="companion hall")

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        errors, connection = self._psycopg, None
        try:
            connection = self._take() or self._connected()
            if connection.closed:
                connection = self._connected()
            yield _InPostgres(connection)
            connection.commit()
        except errors.errors.UniqueViolation as error:
            raise Taken(str(error)) from None
        except errors.Error as error:
            if connection:
                connection.close()
            connection = None
            said = str(error).strip().partition("\n")[0]
            raise Unavailable(self.name, "hall-database", error=said) from None
        finally:
            if connection:
                with suppress(errors.Error):
                    connection.rollback()  # after a commit there is nothing left to undo
                self._give_back(connection)

    @contextmanager
    def migrating(self) -> Iterator[Transaction]:
        with self.transaction() as asked:
            asked.ask("SELECT pg_advisory_xact_lock(:lock)", lock=MIGRATING)
            yield asked

    def waits(self, seconds: float) -> None:
        try:
            if self._ear is None:
                self._ear = self._psycopg.connect(self.url, connect_timeout=int(PATIENCE), autocommit=True)
                self._ear.execute(f"LISTEN {CHANNEL}")
            for _ in self._ear.notifies(timeout=seconds, stop_after=1):
                pass
        except self._psycopg.Error:
            if self._ear:
                self._ear.close()
            self._ear = None
            raise Unavailable(self.name, "hall-database", error="") from None

    def wake(self) -> None:
        with suppress(BadInput), self.transaction() as asked:
            asked.ask(f"NOTIFY {CHANNEL}")

    def close(self) -> None:
        super().close()
        if self._ear:
            self._ear.close()
            self._ear = None


class _InPostgres:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def ask(self, query: str, **params: Any) -> list[Row]:
        found = self._connection.execute(_as_psycopg(query), params or None)
        return found.fetchall() if found.description else []

    def ask_to_change(self, query: str, **params: Any) -> list[Row]:
        return self.ask(f"{query} FOR UPDATE", **params)

    def put(self, query: str, rows: list[Params]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_as_psycopg(query), rows)


@cache
def _as_psycopg(query: str) -> str:
    """`:name`, as SQLite has it, is `%(name)s` there."""
    return re.sub(r":([a-z_]+)\b", r"%(\1)s", query)


# --- migrations


def _bring_up_to_date(database: Database) -> None:
    """All steps or none. A hall of a newer companion is refused."""
    with database.migrating() as asked:
        asked.ask("CREATE TABLE IF NOT EXISTS hall (version INTEGER NOT NULL)")
        found = asked.ask("SELECT version FROM hall")
        version = found[0][0] if found else 0
        if version > len(MIGRATIONS):
            raise BadInput(database.name, "hall-newer")
        if version == len(MIGRATIONS):
            return
        for step in MIGRATIONS[version:]:
            for statement in filter(str.strip, step.split(";")):
                asked.ask(statement)
        asked.ask("DELETE FROM hall")
        asked.ask("INSERT INTO hall VALUES (:version)", version=len(MIGRATIONS))
