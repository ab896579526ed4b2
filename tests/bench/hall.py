"""A hall full of tables: python -m tests.bench.hall [TABLES] [SECONDS] [DESKS].

Event players, each with the log of a real game, report a move every five seconds over HTTP, as `companion run --hall`
does; a desk's page follows the stream. How long it takes from a move to the desk, and what the hall's process holds.
With so many tables that one process cannot hold them, several desks share them on PostgreSQL; no bar is set for that.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from companion.events import EventKind
from companion.hall.database import open_database
from companion.hall.desk import Desk
from companion.hall.keys import Key
from companion.hall.state import Role
from companion.hall.swiss import Entrant, pair, total
from companion.hall.uplink import MAX_BACKOFF
from companion.store import GENESIS, seal_of
from companion.table.opening import new_record
from tests.bench.crowds import memory, sign_in
from tests.bench.table import Row, show
from tests.hall.halls import ARBITER, companion, free_port, postgres
from tests.hall.test_pairing import play as play_round

TABLES, EVERY, SPAN = 200, 5.0, 40.0  # seconds between two moves of a table, and for which it is measured
LATE, MEMORY = 300.0, 250  # milliseconds at the 95th percentile; MB
FIELD, PAIRED = 400, 5.0  # players, and seconds for a round
WARM = 6.0  # seconds until all have begun
MANY, DESKS, BRIEFLY = 2000, (1, 4), 20.0  # tables by far too many for one desk; and for how long they play


class Player:
    """A table that plays by itself: it seals its events as a table's log does, and reports each."""

    def __init__(self, key: Key, port: int, chance: Random) -> None:
        from companion.games import game

        self.key, self.port, self.chance = key, port, chance
        self.played = game("six-faces")
        self.record = {**new_record(self.played, {}, None), "moves": []}
        self.position: Any = None
        self.number, self.seal, self.log, self.game = 0, GENESIS, "", 0
        self.refused = 0  # how often the desk had too much to do

    def event(self, kind: str, data: dict[str, Any]) -> list[Any]:
        text, at = json.dumps(data), time.time()
        self.number += 1
        self.seal = seal_of(self.number, self.seal, self.game, at, kind, text)
        self.log = self.log or self.seal
        return [self.number, self.game, at, kind, text, self.seal]

    def next(self) -> list[Any]:
        """The next move, or a new game where the last one is over."""
        move = None if self.position is None or self.position.outcome() else next(iter(self.position.moves()), None)
        if move is None:
            from companion.record import read_record

            self.position, self.game = read_record(json.dumps(self.record)).start, self.game + 1
            return self.event(EventKind.NEW, {"record": self.record, "by": "person"})
        moves = list(self.position.moves())
        move = self.chance.choice(moves)
        self.position = self.position.play(move)
        return self.event(EventKind.MOVE, {"moves": [str(move)], "by": "camera"})

    async def report(self, events: list[list[Any]]) -> None:
        """Until the desk has taken it, as a table does."""
        while not await self._sent(events):
            self.refused += 1
            await asyncio.sleep(MAX_BACKOFF * self.chance.random())

    async def _sent(self, events: list[list[Any]]) -> bool:
        body = json.dumps({"log": self.log, "events": events, "done": 0}).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"POST /api/link/report HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.key}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        answer = await reader.read()
        writer.close()
        assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 503")), answer[:200]
        return answer.startswith(b"HTTP/1.1 200")


async def play(players: list[Player], span: float, sent: dict[tuple[int, int], float]) -> None:
    async def one(player: Player) -> None:
        await asyncio.sleep(player.chance.random() * EVERY)
        until = time.monotonic() + span
        while time.monotonic() < until:
            began = time.monotonic()
            event = player.next()
            sent[player.key.place, player.number] = time.perf_counter()
            await player.report([event])
            await asyncio.sleep(max(0.0, EVERY - (time.monotonic() - began)))

    await asyncio.gather(*map(one, players))


async def follow(port: int, cookie: str, shown: dict[tuple[int, int], float]) -> None:
    """As the desk's page does: each table's newest event, when it came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    writer.write(f"GET /api/hall/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
    while line := await reader.readline():
        if line.startswith(b'data: {"place"'):
            told = json.loads(line[6:])
            shown.setdefault((told["place"], told["event"]), time.perf_counter())


async def measure(ports: list[int], keys: list[Key], span: float) -> tuple[list[float], int, int]:
    """Milliseconds from sending to showing at the first desk, how many moves were never shown, and how often a desk had
    too much to do to take one. Tables that report faster than desks answer send less often."""
    sent: dict[tuple[int, int], float] = {}
    shown: dict[tuple[int, int], float] = {}
    players = [Player(key, ports[n % len(ports)], Random(n)) for n, key in enumerate(keys)]
    following = asyncio.create_task(follow(ports[0], sign_in(ports[0], ARBITER), shown))
    began = time.perf_counter()
    await play(players, span + WARM, sent)
    await asyncio.sleep(3)
    following.cancel()
    counted = {key: at for key, at in sent.items() if WARM < at - began < WARM + span}
    late = [1000 * (shown[key] - at) for key, at in counted.items() if key in shown]
    return late, len(counted) - len(late), sum(player.refused for player in players)


def used(pid: int) -> float:
    """Seconds of processor time that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rows_for(name: str, url: str, tables: int, span: float, desks: int = 1, bars: bool = True) -> list[Row]:
    database = open_database(url)
    desk = Desk(database)
    desk.do("bench", "hall", {"name": "Town hall"})
    desk.add_person("bench", "Anne", Role.ARBITER, ARBITER)
    keys = [desk.add_table("bench", f"Table {n + 1}") for n in range(tables)]
    database.close()
    ports = [free_port() for _ in range(desks)]
    halls = [companion("hall", "serve", "--database", url, "--port", port) for port in ports]
    try:
        for hall in halls:
            assert hall.stdout
            hall.stdout.readline()
        before = sum(used(hall.pid) for hall in halls)
        late, missing, refused = asyncio.run(measure(ports, keys, span))
        spent = sum(used(hall.pid) for hall in halls) - before
        most = max(memory(hall.pid) for hall in halls)
    finally:
        for hall in halls:
            hall.terminate()
            hall.wait()
    at = float(np.percentile(late, 95)) if late else float("inf")
    # What a move costs says where one desk process ends, whatever else the machine does meanwhile.
    each = 1000 * spent / max(1, (len(late) + missing) * (span + WARM) / span)
    middle = f"{float(np.median(late)):.0f} ms" if late else "–"
    if not bars:
        sent = f"of {tables / EVERY:.0f} wanted"
        rate, cores = (len(late) + missing) / span, spent / (span + WARM)
        return [
            Row(f"{name}: move at desk, 95 %", f"{at:.0f} ms", "median", middle, at / LATE, "–", True),
            Row(
                f"{name}: moves a second taken",
                f"{rate:.0f}",
                sent,
                f"{each:.1f} ms each",
                rate * EVERY / tables,
                "–",
                True,
            ),
            Row(f"{name}: not shown in time", str(missing), "of", str(len(late) + missing), 0, "–", True),
            Row(f"{name}: asked to try again", str(refused), "–", "–", 0, "–", True),
            Row(f"{name}: cores in use", f"{cores:.1f}", "memory of each", f"{most:.0f} MB", 0, "–", True),
        ]
    whole = missing == 0 == refused
    return [
        Row(f"{name}: move at desk, 95 %", f"{at:.0f} ms", "median", middle, at / LATE, f"≤ {LATE:g} ms", at <= LATE),
        Row(f"{name}: moves never shown", str(missing), "of", str(len(late) + missing), 0, "0", whole),
        Row(
            f"{name}: the hall's time a move",
            f"{each:.1f} ms",
            "so at most",
            f"{EVERY * 1000 / each:.0f} tables",
            0,
            "–",
            True,
        ),
        Row(f"{name}: memory", f"{most:.0f} MB", "–", "–", most / MEMORY, f"≤ {MEMORY} MB", most <= MEMORY),
    ]


def pairing() -> Row:
    """Nine Swiss rounds of a large field, the slowest of them, in seconds of one core."""
    chance, entrants, slowest, faults = Random(1), {n: Entrant(n) for n in range(FIELD)}, 0.0, 0
    for _ in range(9):
        order = sorted(entrants.values(), key=lambda one: (-one.score, one.id))
        began = time.process_time()
        boards = pair(order)
        slowest = max(slowest, time.process_time() - began)
        cost = total(boards, order, ())
        faults += cost.met + cost.second_bye + cost.imbalance
        play_round(entrants, boards, chance)
    good = slowest <= PAIRED and not faults
    return Row(
        f"{FIELD} players paired", f"{slowest:.2f} s", "faults", str(faults), slowest / PAIRED, f"≤ {PAIRED:g} s", good
    )


def main(tables: int = TABLES, span: float = SPAN) -> bool:
    with tempfile.TemporaryDirectory() as folder, postgres() as server:
        rows = rows_for("SQLite", str(Path(folder) / "hall.sqlite"), tables, span)
        rows += rows_for("PostgreSQL", server.url, tables, span)
    rows.append(pairing())
    met = show(f"Hall: {tables} tables, a move every {EVERY:g} s each", rows)
    return met and too_many()


def too_many(tables: int = MANY, span: float = BRIEFLY, desks: tuple[int, ...] = DESKS) -> bool:
    """Where it breaks, and whether more desks help."""
    rows = []
    for count in desks:
        with postgres() as server:
            rows += rows_for(f"{count} desk{'s' if count > 1 else ''}", server.url, tables, span, count, bars=False)
    return show(f"Hall: {tables} tables on PostgreSQL, a move every {EVERY:g} s each", rows)


if __name__ == "__main__":
    given = tuple(map(int, sys.argv[1:]))
    sys.exit(not (too_many(given[0], given[1], given[2:]) if len(given) > 2 else main(*given)))
