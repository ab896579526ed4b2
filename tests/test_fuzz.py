"""Every parser that meets strangers' bytes: whatever it is given, it takes it or refuses it cleanly."""

from __future__ import annotations

import json
import socket
import time
import zipfile
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.backup import back_up, restore
from companion.commands.table import follow_evidence
from companion.errors import BadInput
from companion.leds.protocol import Connection, frame
from companion.record import read_record, replay
from companion.sealing import Sealer, kept_heads, read_heads
from companion.settings import resolve_settings
from companion.store import open_store
from companion.table.kept_looks import look_as_json
from tests.records import new_record
from tests.referee.looks import discs_of, look_of
from tests.web.serving import served

Try = Callable[[bytes], object]


def mangled(chance: Random, good: bytes) -> bytes:
    """With some of it changed, cut off, doubled, moved, or blown up."""
    made = bytearray(good)
    for _ in range(chance.randrange(1, 10)):
        at, length = chance.randrange(len(made) + 1), chance.choice([1, 1, 2, 4, 30, 300])
        match chance.randrange(6):
            case 0:
                made[at : at + length] = chance.randbytes(length)
            case 1:
                del made[at : at + length]
            case 2:
                made[at:at] = made[at : at + length] * chance.choice([1, 2, 50])
            case 3:
                made[at : at + 1] = chance.choice(
                    [b"[" * 5000, b'"', b"\0", b"-1e999", b"\xff\xfe", b"\r\n\r\n", b"{}"]
                )
            case 4:
                made[at : at + length] = bytes(length)
            case _:
                made[at : at + 1] = str(chance.choice([0, -1, 2**31, 2**63, 10**40])).encode()
    return bytes(made)


def for_a_while(seconds: float, good: list[bytes], attempt: Try) -> tuple[int, int]:
    """How many were tried, and how many of them refused; anything but a refusal goes through to the test."""
    chance, tried, refused, until = Random(time.time_ns()), 0, 0, time.monotonic() + seconds
    while time.monotonic() < until:
        given, tried = mangled(chance, chance.choice(good)), tried + 1
        try:
            attempt(given)
        except BadInput:
            refused += 1
        except BaseException:
            print(given[:2000])  # to be tried again
            raise
    return tried, refused


# --- what is read, by its name: good examples, and who reads them


def records(folder: Path) -> tuple[list[bytes], Try]:
    golden = (Path(__file__).parent / "games" / "golden.jsonl").read_bytes().splitlines()
    given = [json.dumps(json.loads(line).get("record", json.loads(line))).encode() for line in golden]
    return given, lambda text: replay(read_record(text.decode("utf-8", "replace")))


def heads(folder: Path) -> tuple[list[bytes], Try]:
    with open_store(folder) as store:
        store.append(1, "verdict", {})
        Sealer(store).sign()
    text = (folder / "table.heads").read_bytes()

    def attempt(given: bytes) -> None:
        (folder / "table.heads").write_bytes(given)
        kept_heads(folder / "table.sqlite")
        read_heads(given.decode("utf-8", "replace"))

    return [text, b'{"about": {"head": "' + text.strip() + b'"}}'], attempt


def copies(folder: Path) -> tuple[list[bytes], Try]:
    with open_store(folder / "from") as store:
        store.append(1, "verdict", {}, b"jpeg" * 50)
    back_up(folder / "from", "table", folder / "copy.zip")
    with zipfile.ZipFile(folder / "plain.zip", "w", zipfile.ZIP_STORED) as plain:
        plain.write(folder / "from" / "table.sqlite", "table.sqlite")

    def attempt(given: bytes) -> None:
        (folder / "given.zip").write_bytes(given)
        restore(folder / "given.zip", folder / "to", "table")

    return [(folder / name).read_bytes() for name in ("copy.zip", "plain.zip")], attempt


def logs(folder: Path) -> tuple[list[bytes], Try]:
    with open_store(folder) as store:
        store.new_game({"game": "six-faces"}, "person")
        store.append(1, "move", {"moves": ["b1-b2"], "by": "camera"}, b"jpeg" * 50)
    good = (folder / "table.sqlite").read_bytes()

    def attempt(given: bytes) -> None:
        for old in folder.glob("table.sqlite*"):
            old.unlink()
        (folder / "table.sqlite").write_bytes(given)
        with open_store(folder) as store:
            store.verify()
            store.games()

    return [good], attempt


def settings(folder: Path) -> tuple[list[bytes], Try]:
    from argparse import Namespace

    file = folder / "settings.toml"

    def attempt(given: bytes) -> None:
        file.write_bytes(given)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("companion.settings.settings_file", lambda: str(file))
            resolve_settings(Namespace())

    return [b'port = 9000\ncamera = "rtsp://u:p@cam/1"\ngame = ""\nstill = 0.5\nleds_size = "8x8"\n'], attempt


def serial(folder: Path) -> tuple[list[bytes], Try]:
    def attempt(given: bytes) -> None:
        connection = Connection(lambda: 7)
        connection.data_to_send(0.0)
        for n in range(0, len(given), 7):
            connection.receive_data(given[n : n + 7])

    chance = Random(1)
    frames = b"".join(frame(bytes([kind]) + chance.randbytes(chance.randrange(40))) for kind in range(64))
    return [frames, bytes(range(256))], attempt


def evidence(folder: Path) -> tuple[list[bytes], Try]:
    """Files that `companion follow` judges again; what it tells of them is not looked at."""

    def kept(record: dict[str, Any]) -> bytes:
        begun, rng = read_record(json.dumps(record)), np.random.default_rng(1)
        askew = discs_of([], rng) if begun.game.id == "pegs" else None
        looks = [look_of(begun.game.id, begun.start.visible(), rng, askew=askew, hidden=out) for out in ((), ("b1",))]
        return json.dumps({"record": record, "looks": [look_as_json(look) for look in looks]}).encode()

    def attempt(given: bytes) -> None:
        (folder / "evidence.json").write_bytes(given)
        with redirect_stdout(StringIO()):
            follow_evidence(str(folder / "evidence.json"), "en")

    records = [new_record((game, {}, {}), 1) for game in ("six-faces", "t-for-two", "trippples", "pegs", "plank")]
    return [kept(record) for record in records], attempt


READ = {made.__name__: made for made in (records, heads, copies, logs, settings, serial, evidence)}


@pytest.mark.parametrize("name", READ)
def test_strange_bytes_for_a_moment(name: str, tmp_path: Path) -> None:
    good, attempt = READ[name](tmp_path)
    tried, refused = for_a_while(0.7, good, attempt)
    assert tried > 3
    assert refused > 0 or name in ("heads", "serial")


@pytest.mark.soak
@pytest.mark.parametrize("name", READ)
def test_strange_bytes_for_ten_minutes(name: str, tmp_path: Path) -> None:
    good, attempt = READ[name](tmp_path)
    tried, refused = for_a_while(600, good, attempt)
    print(f"{name}: {tried} tried, {refused} refused")
    assert tried > 1000


# --- HTTP

REQUESTS = [
    b"GET /api/table HTTP/1.1\r\nHost: localhost\r\nCookie: a=b\r\n\r\n",
    b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
    b'{"pin":"12345"}',
    b"POST /api/play HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    b"GET /api/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 7\r\n\r\n",
    b"GET /api/board.svg?ply=1&can=a1,b2&labels=a1:x HTTP/1.1\r\nHost: localhost\r\nAccept-Language: fr\r\n\r\n",
]


def ask_strangely(folder: Path, seconds: float) -> int:
    with served(folder, "hepta") as place:
        person = place.browser()  # signed in before strangers try PINs

        def attempt(given: bytes) -> None:
            with socket.create_connection(("127.0.0.1", place.port), timeout=10) as asking:
                try:
                    asking.sendall(given)
                    asking.shutdown(socket.SHUT_WR)
                    told = asking.recv(64)
                except OSError:  # it hung up on us, as it may
                    return
            status = told.split(b" ")[1:2]
            assert not told or status[0] in (b"503", b"100") or status[0][:1] in b"1234", told

        tried, _ = for_a_while(seconds, REQUESTS, attempt)
        assert person.get("/api/table")["game"] == "hepta"
        assert not place.host.over.is_set()
    return tried


def test_strange_requests_for_a_moment(tmp_path: Path) -> None:
    assert ask_strangely(tmp_path, 1.5) > 10


@pytest.mark.soak
def test_strange_requests_for_ten_minutes(tmp_path: Path) -> None:
    tried = ask_strangely(tmp_path, 600)
    print(f"HTTP: {tried} tried")
    assert tried > 1000
