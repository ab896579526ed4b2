"""The file of a table's log: one SQLite file, made whole, opened with care, brought up to date, and locked.

A file says of itself which version it is. One of a newer companion is refused. One of an older companion is brought up
to date step by step by `MIGRATIONS`: each step makes the next version of its own, and none is ever left out, so that no
file is called what it is not.
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

APPLICATION, VERSION = 0x42436F6D, 1  # "BCom" in the file's header, and what this companion writes
# By the version that a step begins with: what makes the next one of it, within one transaction. Events are sealed:
# a step may add to them, and must leave number, game, at, kind, data and hash as they are.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], object]] = {}
PATIENCE = 1.0  # seconds to wait for another program that is writing into the file
MOST_CHECKED = 32 << 20  # bytes of a file that are looked through each time it is opened
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
    """A file of ours, to write, up to date. BadInput if it is another's, damaged, or made by a newer companion."""
    keep_private(file)
    disk = _of_ours(file, "mode=rw")
    try:
        if (said := _glance(disk, file)) != "ok":
            raise BadInput(str(file), "store-corrupt", error=said)
        disk.execute("PRAGMA journal_mode = WAL").fetchall()
        disk.execute("PRAGMA synchronous = FULL")
        disk.execute("PRAGMA secure_delete = ON").fetchall()
        _bring_up_to_date(disk)
    except BaseException:
        disk.close()
        raise
    return disk


def connect_to_read(file: Path, how: str) -> sqlite3.Connection:
    """A file of ours as it is; an older one is copied aside and brought up to date there."""
    disk = _of_ours(file, how)
    try:
        if _version(disk) == VERSION:
            return disk
        copy = _raw("")  # in a file that goes when it is closed
        disk.backup(copy)
        _bring_up_to_date(copy)
    except BaseException:
        disk.close()
        raise
    disk.close()
    return copy


def _bring_up_to_date(disk: sqlite3.Connection) -> None:
    """All steps or none. A file that may only be read says so here, whether there is anything to do or not."""
    disk.execute("BEGIN IMMEDIATE")
    try:
        for version in range(_version(disk), VERSION):
            MIGRATIONS[version](disk)
        disk.execute(f"PRAGMA user_version = {VERSION}")
        disk.execute("COMMIT")
    finally:
        if disk.in_transaction:
            with suppress(sqlite3.Error):
                disk.execute("ROLLBACK")


def _of_ours(file: Path, how: str) -> sqlite3.Connection:
    disk = _raw(f"{file.absolute().as_uri()}?{how}")
    try:
        version = _version(disk)
        if disk.execute("PRAGMA application_id").fetchone()[0] != APPLICATION or version < 1:
            raise BadInput(str(file), "store-foreign")
        if version > VERSION:
            raise BadInput(str(file), "store-newer")
    except BaseException:
        disk.close()
        raise
    return disk


def _version(disk: sqlite3.Connection) -> int:
    return int(disk.execute("PRAGMA user_version").fetchone()[0])


def _raw(address: str) -> sqlite3.Connection:
    disk = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    disk.text_factory = lambda text: text.decode("utf-8", "surrogateescape")  # damage is to be found, not to end us
    return disk


def is_new(file: Path) -> bool:
    """There is nothing that could be read or lost."""
    try:
        return file.stat().st_size == 0
    except (FileNotFoundError, NotADirectoryError):
        return True


def _glance(disk: sqlite3.Connection, file: Path) -> str:
    """What SQLite says of a file that is not too large to look through."""
    return str(disk.execute("PRAGMA quick_check(1)").fetchone()[0]) if file.stat().st_size <= MOST_CHECKED else "ok"


def make(file: Path) -> None:
    """Made aside and put in its place when it is complete: whatever happens meanwhile, no half-made file is found."""
    aside = file.with_suffix(".new")
    aside.unlink(missing_ok=True)
    os.close(os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))  # SQLite's other files take after it
    disk = _raw(f"{aside.absolute().as_uri()}?mode=rwc")
    try:
        disk.execute("PRAGMA journal_mode = OFF").fetchall()
        disk.execute("PRAGMA auto_vacuum = INCREMENTAL")  # forgotten pictures give their room back
        head = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
        disk.executescript(f"BEGIN; {head} {SCHEMA} COMMIT;")
    finally:
        disk.close()
    aside.replace(file)


def keep_private(file: Path) -> None:
    """What former companions left open to all users of the machine is its owner's alone from now on."""
    for name in (file, *(Path(f"{file}{end}") for end in ("-wal", "-shm"))):
        with suppress(OSError):
            if name.stat().st_mode & 0o077:
                name.chmod(name.stat().st_mode & 0o700)


def place(file: Path) -> tuple[int, int] | None:
    """Which file lies under this name."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def hold(file: Path, folder: Path) -> int:
    """Lock a data file for this process; the operating system lets go of it however the process ends. The lock file
    stays, so that two can never hold locks of the same name."""
    lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(lock)
    except OSError as error:
        holder = os.read(lock, 20).decode("ascii", "replace").strip()
        os.close(lock)
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            raise BadInput(str(folder), "store-in-use", pid=holder or "?") from None
        raise
    with suppress(OSError):  # it tells others who we are; on a full disk they will see the lock all the same
        os.ftruncate(lock, os.write(lock, f"{os.getpid()}\n".encode()))
    return lock


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, 1 << 20, os.SEEK_SET)  # past the text, which others are to read
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
