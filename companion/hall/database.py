"""The hall's database: a SQLite file, or PostgreSQL by its URL. The same SQL runs on both.

Why not SQLAlchemy with Alembic: a hall has a handful of narrow tables and simple queries. `ON CONFLICT`, `RETURNING`
and named parameters work alike in both engines, and migrations are numbered steps, as for a table's log. The two
libraries would cost a quarter of a second at every start and thirty megabytes, and their migrations would still have
to be written by hand for both engines. psycopg is loaded only for PostgreSQL.

In SQLite a transaction holds the write lock from its start. A connection that failed is closed, and the next
transaction opens a new one, so that the hall recovers when its database comes back.
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

TIMEOUT = 15.0  # seconds to wait for SQLite's write lock, or for a connection to PostgreSQL
MIGRATION_LOCK = 0x42436F6D  # the PostgreSQL advisory lock that is held while the schema is migrated
CHANNEL = "board_companion_hall"
POSTGRES_SCHEMES = ("postgresql://", "postgres://")
Row = tuple[Any, ...]
Params = Mapping[str, Any]


class Unavailable(BadInput):
    """The database does not answer now. It may do so again soon."""


class Conflict(Exception):
    """A row with this key exists already: another process has inserted it first."""


class Transaction(Protocol):
    def execute(self, query: str, **params: Any) -> list[Row]:
        """Run one statement and return its rows. Parameters are written `:name`."""

    def execute_for_update(self, query: str, **params: Any) -> list[Row]:
        """Run a SELECT that locks its rows until the transaction ends."""

    def execute_many(self, query: str, rows: list[Params]) -> None:
        """Run one statement for each of these rows."""


def open_database(url: str) -> Database:
    """Open a database by URL (`postgresql://…`) or by the path of a SQLite file, which is created if it is missing.
    BadInput says why it cannot be opened."""
    database: Database
    database = Postgres(url) if url.startswith(POSTGRES_SCHEMES) else Sqlite(Path(url.removeprefix("sqlite://")))
    _migrate(database)
    return database


class Database(ABC):
    """A pool of connections. It may be used from any thread: each transaction has a connection of its own."""

    name = ""  # shown to people, so without a password

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Any] = []

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Transaction]:
        """Commit all statements run in it, or none."""

    @contextmanager
    def migration(self) -> Iterator[Transaction]:
        """A transaction in which the schema may be migrated: only one process is in it at a time."""
        with self.transaction() as transaction:
            yield transaction

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Wait for a `notify` of any process, or until this time is over."""

    @abstractmethod
    def notify(self) -> None:
        """Wake all who wait in `wait`. Nothing depends on the notification's arriving."""

    def close(self) -> None:
        with self._lock:
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    def _acquire(self) -> Any:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _release(self, connection: Any) -> None:
        with self._lock:
            self._idle.append(connection)


# --- SQLite


class Sqlite(Database):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file, self.name = file, str(file)
        self._write_lock = threading.Lock()  # threads queue here instead of polling SQLite's own lock
        self._condition = threading.Condition()
        self._notified = 0
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(str(file), "cannot-open", error=error.strerror) from None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, timeout=TIMEOUT, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._write_lock:
            connection = None
            try:
                connection = self._acquire() or self._connect()
                connection.execute("BEGIN IMMEDIATE")
                yield _SqliteTransaction(connection)
                connection.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                raise Conflict(str(error)) from None
            except sqlite3.Error as error:
                if connection:
                    connection.close()
                connection = None
                raise Unavailable(self.name, "hall-database", error=str(error)) from None
            finally:
                if connection:
                    if connection.in_transaction:
                        with suppress(sqlite3.Error):
                            connection.execute("ROLLBACK")
                    self._release(connection)

    def wait(self, seconds: float) -> None:
        with self._condition:
            notified = self._notified
            self._condition.wait_for(lambda: self._notified != notified, seconds)

    def notify(self) -> None:
        with self._condition:
            self._notified += 1
            self._condition.notify_all()


class _SqliteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, query: str, **params: Any) -> list[Row]:
        return self._connection.execute(query, params).fetchall()

    execute_for_update = execute

    def execute_many(self, query: str, rows: list[Params]) -> None:
        self._connection.executemany(query, rows)


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
        self._listener: Any = None

    def _connect(self) -> Any:
        return self._psycopg.connect(self.url, connect_timeout=int(TIMEOUT), application_name="companion hall")

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        errors, connection = self._psycopg, None
        try:
            connection = self._acquire() or self._connect()
            if connection.closed:
                connection = self._connect()
            yield _PostgresTransaction(connection)
            connection.commit()
        except errors.errors.UniqueViolation as error:
            raise Conflict(str(error)) from None
        except errors.Error as error:
            if connection:
                connection.close()
            connection = None
            first_line = str(error).strip().partition("\n")[0]
            raise Unavailable(self.name, "hall-database", error=first_line) from None
        finally:
            if connection:
                with suppress(errors.Error):
                    connection.rollback()  # does nothing after a commit
                self._release(connection)

    @contextmanager
    def migration(self) -> Iterator[Transaction]:
        with self.transaction() as transaction:
            transaction.execute("SELECT pg_advisory_xact_lock(:lock)", lock=MIGRATION_LOCK)
            yield transaction

    def wait(self, seconds: float) -> None:
        try:
            if self._listener is None:
                self._listener = self._psycopg.connect(self.url, connect_timeout=int(TIMEOUT), autocommit=True)
                self._listener.execute(f"LISTEN {CHANNEL}")
            for _ in self._listener.notifies(timeout=seconds, stop_after=1):
                pass
        except self._psycopg.Error:
            if self._listener:
                self._listener.close()
            self._listener = None
            raise Unavailable(self.name, "hall-database", error="") from None

    def notify(self) -> None:
        with suppress(BadInput), self.transaction() as transaction:
            transaction.execute(f"NOTIFY {CHANNEL}")

    def close(self) -> None:
        super().close()
        if self._listener:
            self._listener.close()
            self._listener = None


class _PostgresTransaction:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def execute(self, query: str, **params: Any) -> list[Row]:
        cursor = self._connection.execute(_as_psycopg(query), params or None)
        return cursor.fetchall() if cursor.description else []

    def execute_for_update(self, query: str, **params: Any) -> list[Row]:
        return self.execute(f"{query} FOR UPDATE", **params)

    def execute_many(self, query: str, rows: list[Params]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_as_psycopg(query), rows)


@cache
def _as_psycopg(query: str) -> str:
    """Parameters as psycopg writes them: `:name` becomes `%(name)s`."""
    return re.sub(r":([a-z_]+)\b", r"%(\1)s", query)


# --- migrations


def _migrate(database: Database) -> None:
    """Run all migrations that are missing, or none. A schema newer than ours is refused."""
    with database.migration() as transaction:
        transaction.execute("CREATE TABLE IF NOT EXISTS hall (version INTEGER NOT NULL)")
        rows = transaction.execute("SELECT version FROM hall")
        version = rows[0][0] if rows else 0
        if version > len(MIGRATIONS):
            raise BadInput(database.name, "hall-newer")
        if version == len(MIGRATIONS):
            return
        for step in MIGRATIONS[version:]:
            for statement in filter(str.strip, step.split(";")):
                transaction.execute(statement)
        transaction.execute("DELETE FROM hall")
        transaction.execute("INSERT INTO hall VALUES (:version)", version=len(MIGRATIONS))
