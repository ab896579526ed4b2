"""Backup and restore of a table: its log, its key and its signed heads, in one ZIP that only its owner can read.

A backup is restored only if it passes `verify` and contains all events of the log that it replaces, so that restoring
never loses a game.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from contextlib import closing, suppress
from pathlib import Path

from companion.errors import BadInput
from companion.store import Check, read_store
from companion.store_file import connect_to_read, is_new, lock_file

PARTS = (".sqlite", ".heads", ".key")  # suffixes; the first one is required
MAX_SIZE = 64 << 30  # bytes of a log
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # methods that backups have ever used


def back_up(folder: Path, table: str, to: Path) -> Check:
    """Write a backup, also while another process writes the log. An existing file is replaced when all is written."""
    file = folder / f"{table}.sqlite"
    if is_new(file):
        raise BadInput(str(file), "store-none")
    try:
        with tempfile.TemporaryDirectory(dir=to.parent, prefix=".companion-") as name:
            aside = Path(name)
            with closing(_open_log(file)) as log, closing(sqlite3.connect(aside / "table.sqlite")) as copy:
                log.backup(copy)
            check = _verify(aside)
            packed = aside / "copy"
            with open(packed, "wb", opener=_private) as written:
                with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as made:
                    made.write(aside / "table.sqlite", "table.sqlite")
                    for end in PARTS[1:]:
                        with suppress(FileNotFoundError):
                            made.writestr(f"table{end}", file.with_suffix(end).read_bytes())
                written.flush()
                os.fsync(written.fileno())
            packed.replace(to)
    except OSError as error:
        raise BadInput(str(to), "cannot-open", error=error.strerror or str(error)) from None
    return check


def restore(source: Path, folder: Path, table: str) -> Check:
    """Restore a backup. BadInput if it is damaged, if the table is in use, or if its log has events that the backup
    lacks."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = lock_file(folder / f"{table}.lock", folder)
        try:
            with tempfile.TemporaryDirectory(dir=folder, prefix=".restoring-") as name:
                aside = Path(name)
                _unpack(source, aside)
                check = _verify(aside)
                _require_newer(aside, folder, table)
                _keep_heads_and_key(aside, folder, table)
                for end in ("-wal", "-shm"):
                    Path(f"{folder / table}.sqlite{end}").unlink(missing_ok=True)
                for end in PARTS:
                    with suppress(FileNotFoundError):
                        (aside / f"table{end}").replace(folder / f"{table}{end}")
        finally:
            os.close(lock)
    except OSError as error:
        raise BadInput(str(source), "cannot-open", error=error.strerror or str(error)) from None
    return check


def _open_log(file: Path) -> sqlite3.Connection:
    try:
        return connect_to_read(file, "mode=ro")
    except sqlite3.Error as error:
        raise BadInput(str(file), "cannot-open", error=str(error)) from None


def _unpack(source: Path, aside: Path) -> None:
    try:
        with zipfile.ZipFile(source) as packed:
            names = {f"table{end}" for end in PARTS} & set(packed.namelist())
            members = [packed.getinfo(name) for name in names]
            if "table.sqlite" not in names or any(
                m.file_size > MAX_SIZE or m.compress_type not in COMPRESSIONS for m in members
            ):
                raise BadInput(str(source), "not-a-copy")
            for name in names:  # only known names: other members are ignored
                with packed.open(name) as member, open(aside / name, "wb", opener=_private) as written:
                    shutil.copyfileobj(member, written)
    except (zipfile.BadZipFile, EOFError, ValueError, RuntimeError, zlib.error):  # damaged or encrypted
        raise BadInput(str(source), "not-a-copy") from None


def _verify(folder: Path) -> Check:
    with read_store(folder) as store:
        check = store.verify()
    if check.findings:
        raise BadInput(str(folder), "copy-broken", number=check.findings[0].number)
    return check


def _require_newer(aside: Path, folder: Path, table: str) -> None:
    """BadInput unless the present log is a prefix of the backup."""
    if is_new(folder / f"{table}.sqlite"):
        return
    with read_store(folder, table) as present, read_store(aside) as copy:
        number, seal = present.newest()
        if number and copy.hash_of(number) != seal:
            raise BadInput(str(folder / f"{table}.sqlite"), "restore-newer")


def _keep_heads_and_key(aside: Path, folder: Path, table: str) -> None:
    """Keep the present key, and the heads that it has signed."""
    if (folder / f"{table}.key").exists():
        (aside / "table.key").unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        present = (folder / f"{table}.heads").read_bytes().splitlines(keepends=True)
        with open(aside / "table.heads", "a+b", opener=_private) as heads:
            heads.seek(0)
            known = set(heads.read().splitlines(keepends=True))
            heads.writelines(line for line in present if line not in known)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
