"""The SQLite file of a table's log: created atomically, checked when opened, migrated and locked.

The file holds its schema version. A newer version is refused. An older one is migrated step by step: `MIGRATIONS` must
have a step for every version, so that a version number is never raised without its migration.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.errors import BadInput

APPLICATION, VERSION = 0x42436F6D, 1  # "BCom" in the file's header, and the current schema version
# For each version the step to the next one; all run in one transaction. Events are hashed: a step may add columns,
# but must not change number, game, at, kind, data and hash.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], object]] = {}
TIMEOUT = 1.0  # seconds to wait for another program's write lock
MAX_QUICK_CHECK = 32 << 20  # bytes; larger files are not checked when they are opened
SCHEMA = """
CREATE TABLE events (
    number INTEGER PRIMARY KEY, game INTEGER NOT NULL, at REAL NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL
);
CREATE INDEX events_by_game ON events (game);
CREATE TABLE pictures (number INTEGER PRIMARY KEY REFERENCES events, jpeg BLOB NOT NULL);
CREATE TRIGGER events_stay BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER events_stand BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER pictures_stand BEFORE UPDATE ON pictures BEGIN SELECT RAISE(ABORT, 'pictures are never changed'); END;
"""


def connect(file: Path) -> sqlite3.Connection:
    """Open and migrate a log for writing. BadInput if it is not a log, is damaged, or has a newer version."""
    restrict_permissions(file)
    connection = _open_checked(file, "mode=rw")
    try:
        if (result := _quick_check(connection, file)) != "ok":
            raise BadInput(str(file), "store-corrupt", error=result)
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON").fetchall()
        _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(file: Path, how: str) -> sqlite3.Connection:
    """Open a log for reading. One of an older version is copied to a temporary file and migrated there."""
    connection = _open_checked(file, how)
    try:
        if _version(connection) == VERSION:
            return connection
        copy = _connect_raw("")  # a temporary file, deleted when it is closed
        connection.backup(copy)
        _migrate(copy)
    except BaseException:
        connection.close()
        raise
    connection.close()
    return copy


def _migrate(connection: sqlite3.Connection) -> None:
    """Run all migrations that are missing, or none. It always writes, so that a read-only file is noticed here."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for version in range(_version(connection), VERSION):
            MIGRATIONS[version](connection)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")


def _open_checked(file: Path, how: str) -> sqlite3.Connection:
    connection = _connect_raw(f"{file.absolute().as_uri()}?{how}")
    try:
        version = _version(connection)
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION or version < 1:
            raise BadInput(str(file), "store-foreign")
        if version > VERSION:
            raise BadInput(str(file), "store-newer")
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _connect_raw(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=TIMEOUT, isolation_level=None, check_same_thread=False)
    connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")  # report damaged text, do not crash
    return connection


def is_new(file: Path) -> bool:
    """Whether the file is missing or empty."""
    try:
        return file.stat().st_size == 0
    except (FileNotFoundError, NotADirectoryError):
        return True


def _quick_check(connection: sqlite3.Connection, file: Path) -> str:
    """SQLite's quick check, for files that are not too large."""
    return (
        str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        if file.stat().st_size <= MAX_QUICK_CHECK
        else "ok"
    )


def create(file: Path) -> None:
    """Create the file under another name and rename it when it is complete."""
    aside = file.with_suffix(".new")
    aside.unlink(missing_ok=True)
    os.close(os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))  # SQLite's other files get the same mode
    connection = _connect_raw(f"{aside.absolute().as_uri()}?mode=rwc")
    try:
        connection.execute("PRAGMA journal_mode = OFF").fetchall()
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # deleting pictures makes the file smaller
        head = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
        connection.executescript(f"BEGIN; {head} {SCHEMA} COMMIT;")
    finally:
        connection.close()
    aside.replace(file)


def restrict_permissions(file: Path) -> None:
    """Make the files readable by their owner only: old versions created them readable by all users."""
    for name in (file, *(Path(f"{file}{end}") for end in ("-wal", "-shm"))):
        with suppress(OSError):
            if name.stat().st_mode & 0o077:
                name.chmod(name.stat().st_mode & 0o700)


def file_identity(file: Path) -> tuple[int, int] | None:
    """Device and inode, to notice that the file was replaced."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def lock_file(file: Path, folder: Path) -> int:
    """Lock a data file for this process. The operating system releases the lock however the process ends. The lock
    file is never deleted, so that two processes cannot lock different files of the same name."""
    lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(lock)
    except OSError as error:
        holder = os.read(lock, 20).decode("ascii", "replace").strip()
        os.close(lock)
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            raise BadInput(str(folder), "store-in-use", pid=holder or "?") from None
        raise
    with suppress(OSError):  # the process id is only for the error message of others; the disk may be full
        os.ftruncate(lock, os.write(lock, f"{os.getpid()}\n".encode()))
    return lock


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, 1 << 20, os.SEEK_SET)  # beyond the text, which others must be able to read
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
