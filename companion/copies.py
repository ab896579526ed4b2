"""A copy of a table to put away, and putting it back: the log as it is at one moment, with its key and its heads.

A copy is one file, a ZIP, for its owner only. What is put back must be whole, and must know everything that lies in
the place already: nothing that was played is ever lost by it.
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
from companion.store_file import connect_to_read, hold, is_new

PARTS = (".sqlite", ".heads", ".key")  # by what their names end in; the first must be there
MOST = 64 << 30  # bytes of a log
KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of packing: those that a copy was ever written in


def back_up(folder: Path, table: str, to: Path) -> Check:
    """Also while a companion writes the log. What there was before under this name is replaced when all is written."""
    file = folder / f"{table}.sqlite"
    if is_new(file):
        raise BadInput(str(file), "store-none")
    try:
        with tempfile.TemporaryDirectory(dir=to.parent, prefix=".companion-") as name:
            aside = Path(name)
            with closing(_opened(file)) as there, closing(sqlite3.connect(aside / "table.sqlite")) as copy:
                there.backup(copy)
            check = _checked(aside)
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
    """Refused if the copy is not whole, if somebody uses the place, or if there is something that the copy lacks."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = hold(folder / f"{table}.lock", folder)
        try:
            with tempfile.TemporaryDirectory(dir=folder, prefix=".restoring-") as name:
                aside = Path(name)
                _unpack(source, aside)
                check = _checked(aside)
                _must_know(aside, folder, table)
                _keep_signed(aside, folder, table)
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


def _opened(file: Path) -> sqlite3.Connection:
    try:
        return connect_to_read(file, "mode=ro")
    except sqlite3.Error as error:
        raise BadInput(str(file), "cannot-open", error=str(error)) from None


def _unpack(source: Path, aside: Path) -> None:
    try:
        with zipfile.ZipFile(source) as packed:
            names = {f"table{end}" for end in PARTS} & set(packed.namelist())
            members = [packed.getinfo(name) for name in names]
            if "table.sqlite" not in names or any(m.file_size > MOST or m.compress_type not in KINDS for m in members):
                raise BadInput(str(source), "not-a-copy")
            for name in names:  # by our own names: what else is in there is left alone
                with packed.open(name) as member, open(aside / name, "wb", opener=_private) as written:
                    shutil.copyfileobj(member, written)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError, zlib.error):
        raise BadInput(str(source), "not-a-copy") from None


def _checked(folder: Path) -> Check:
    with read_store(folder) as store:
        check = store.verify()
    if check.findings:
        raise BadInput(str(folder), "copy-broken", number=check.findings[0].number)
    return check


def _must_know(aside: Path, folder: Path, table: str) -> None:
    """Whatever lies there already is the beginning of the copy."""
    if is_new(folder / f"{table}.sqlite"):
        return
    with read_store(folder, table) as there, read_store(aside) as copy:
        number, seal = there.newest()
        if number and copy.hash_of(number) != seal:
            raise BadInput(str(folder / f"{table}.sqlite"), "restore-newer")


def _keep_signed(aside: Path, folder: Path, table: str) -> None:
    """Heads that were signed here stay, and so does the key by which that was done."""
    if (folder / f"{table}.key").exists():
        (aside / "table.key").unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        there = (folder / f"{table}.heads").read_bytes().splitlines(keepends=True)
        with open(aside / "table.heads", "a+b", opener=_private) as heads:
            heads.seek(0)
            known = set(heads.read().splitlines(keepends=True))
            heads.writelines(line for line in there if line not in known)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
