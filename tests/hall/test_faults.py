"""Whatever is killed or cut, in the end every event is there exactly once, and the standings are those of a calm
day."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from companion.hall import reports
from companion.hall.database import open_database
from companion.hall.desk import Desk
from companion.hall.evidence import verify
from companion.hall.keys import Key
from companion.hall.state import Role
from companion.store import read_store
from tests.hall.halls import ARBITER, ROOT, Postgres, broker, companion, free_port, wait_until

TABLES, ROUNDS = 8, 3
KILLS, SEED = int(os.environ.get("KILLS", "1000")), int(os.environ.get("SEED", "1"))
SMALL = 4096  # bytes of a file where the disk is full
FULL = """CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
$$BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END$$"""
SCRIPT = "from tests.hall.player import main; main()"


class Process:
    """One of the hall's programs, which can be killed and started again."""

    def __init__(self, *command: object) -> None:
        self.command = [str(word) for word in command]
        self.running: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self.running = subprocess.Popen(self.command, cwd=ROOT, stdout=quiet, stderr=quiet)

    def kill(self) -> None:
        if self.running:
            with suppress(ProcessLookupError):
                os.kill(self.running.pid, signal.SIGKILL)
            self.running.wait()

    def again(self) -> None:
        self.kill()
        self.start()

    def mind(self) -> int | None:
        """As systemd does (`Restart=always`): what has ended by itself is started again. With which status it had."""
        ended = self.running.poll() if self.running else None
        if ended is not None:
            self.start()
        return ended


class Proxy:
    """Between tables and hall: while it is cut, nothing goes through, and nobody is told."""

    def __init__(self, port: int) -> None:
        self.to, self.port, self.cut = port, free_port(), False
        self._open: set[socket.socket] = set()
        self._ear = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                mine, _ = self._ear.accept()
                with suppress(OSError):
                    other = socket.create_connection(("127.0.0.1", self.to), 5)
                    other.settimeout(None)  # it was for connecting; an answer may take its time
                    for one, two in ((mine, other), (other, mine)):
                        self._open.add(one)
                        threading.Thread(target=self._pass, args=(one, two), daemon=True).start()
                    continue
                mine.close()

    def _pass(self, one: socket.socket, two: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                while self.cut:
                    time.sleep(0.05)
                two.sendall(data)
        for end in (one, two):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.discard(one)

    def close(self) -> None:
        self.cut = False
        self._ear.close()
        for one in tuple(self._open):
            one.close()


class Event:
    """Eight tables that play a whole Swiss event with two desks, each a process of its own."""

    def __init__(self, folder: Path, url: str, moves: int = 4, pace: float = 0) -> None:
        self.folder, self.url, self.moves, self.pace = folder, url, moves, pace
        self.returns = Counter[str]()  # what ended by itself and was started again
        self.desk = Desk(open_database(url))
        self.desk.do("Anne", "hall", {"name": "Town hall"})
        self.desk.add_person("Anne", "Anne", Role.ARBITER, ARBITER)
        asked = {"name": "Cup", "game": "six-faces", "system": "swiss", "rounds": ROUNDS}
        self.cup = self.desk.do("Anne", "tournament", asked)
        for n in range(2 * TABLES):
            self.desk.enter("Anne", self.cup, [f"Player {n:02}"], "", 2000 - n)
        self.signs = free_port()
        self.broker = Process(*broker(folder, self.signs))
        self.ports = [free_port(), free_port()]
        self.desks = [self._desk(port) for port in self.ports]
        self.proxies = [Proxy(port) for port in self.ports]
        self.tables = [self._table(n, self.desk.add_table("Anne", f"Table {n + 1}")) for n in range(TABLES)]

    def _desk(self, port: int) -> Process:
        command = [sys.executable, "-m", "companion", "hall", "serve", "--database", self.url, "--port", port]
        return Process(*command, "--mqtt", f"mqtt://127.0.0.1:{self.signs}")

    def _table(self, n: int, key: Key) -> Process:
        """The table's port at its desk is that of a proxy."""
        url = f"http://127.0.0.1:{self.proxies[n % 2].port}"
        return Process(sys.executable, "-c", SCRIPT, self.folder / f"table-{n}", url, key, self.moves, self.pace)

    def play(self, trouble: Callable[[int], None], patience: float = 180) -> list[tuple[int, str, float]]:
        """The whole event; `trouble` strikes in each round. The standings."""
        for number in range(ROUNDS):
            self._try(lambda: self.desk.pair("Anne", self.cup))
            self._try(lambda: self.desk.publish("Anne", self.cup))
            trouble(number)
            wait_until(self._is_over, f"round {number + 1}", patience=patience, why=self._open)
        tournament = self.desk.state.tournament(self.cup)
        return [
            (row.rank, self.desk.state.entry_name(tournament, row.entry), row.score)
            for row in self.desk.standings(self.cup)
        ]

    def _open(self) -> str:
        """What a round waits for, table by table."""
        tournament = self.desk.state.tournament(self.cup)
        lines = [f"by themselves ended {dict(self.returns)}"]
        for one in tournament.rounds[-1].pairings:
            if not tournament.score(one, self.desk.tables.reported) and one.place:
                live = self.desk.tables.live.get(one.place)
                told = reports.commands(self.desk.database, one.place, live.commanded if live else 0)
                at = f"event {live.have}, game {live.game}, commands {live.commanded}" if live else "never heard"
                lines.append(f"pairing {one.id} at place {one.place}: {at}, told since {[c.data for c in told]}")
        return "\n".join(lines)

    def mind(self) -> None:
        for kind, processes in (("table", self.tables), ("desk", self.desks), ("broker", [self.broker])):
            self.returns.update(f"{kind} {ended}" for one in processes if (ended := one.mind()) is not None)

    def _is_over(self) -> bool:
        self.mind()
        with suppress(Exception):
            self.desk.catch_up()
            tournament = self.desk.state.tournament(self.cup)
            return all(tournament.score(one, self.desk.tables.reported) for one in tournament.rounds[-1].pairings)
        return False

    def _try(self, doing: Callable[[], object]) -> None:
        """Where the database is away, again."""
        until = time.monotonic() + 60
        while True:
            try:
                doing()
                return
            except Exception:
                tournament = self.desk.state.tournaments.get(self.cup)
                assert time.monotonic() < until, tournament and tournament.rounds
                time.sleep(0.2)

    def waiting(self) -> int:
        """How many events of tables on the second line are not in the hall yet."""
        found = 0
        for n in range(1, TABLES, 2):
            with read_store(self.folder / f"table-{n}") as store:
                events = store.events()
            with self.desk.database.transaction() as transaction:
                kept = transaction.execute("SELECT count(*) FROM events WHERE log = :log", log=events[0].hash)[0][0]
            found += len(events) - kept
        return found

    def check(self) -> None:
        """Every event of every table is in the hall exactly once, under its seal."""
        stores = {}
        for n in range(TABLES):
            with read_store(self.folder / f"table-{n}") as store:
                stores[store.events()[0].hash] = [(e.number, e.hash) for e in store.events()]
        whole = sum(map(len, stores.values()))
        wait_until(lambda: verify(self.desk.database).events >= whole, "all events")
        found = verify(self.desk.database)
        assert found.findings == []
        with self.desk.database.transaction() as transaction:
            rows = transaction.execute("SELECT log, number, hash FROM events ORDER BY log, number")
        kept: dict[str, list[tuple[int, str]]] = {}
        for log, number, seal in rows:
            kept.setdefault(log, []).append((number, seal))
        for log, events in stores.items():
            assert kept[log][: len(events)] == events

    def close(self) -> None:
        for process in (*self.tables, *self.desks, self.broker):
            process.kill()
        for proxy in self.proxies:
            proxy.close()
        self.desk.database.close()


@contextmanager
def event(folder: Path, url: str, moves: int = 4, pace: float = 0) -> Iterator[Event]:
    running = Event(folder, url, moves, pace)
    try:
        yield running
    finally:
        running.close()


# Who has the lower number wins: whatever order things come in, this is how it must end.
def calm(folder: Path) -> list[tuple[int, str, float]]:
    """The same event without processes and without trouble."""
    desk = Desk(open_database(str(folder / "calm.sqlite")))
    cup = desk.do("Anne", "tournament", {"name": "Cup", "game": "six-faces", "system": "swiss", "rounds": ROUNDS})
    for n in range(2 * TABLES):
        desk.enter("Anne", cup, [f"Player {n:02}"], "", 2000 - n)
    tournament = desk.state.tournament(cup)
    for _ in range(ROUNDS):
        desk.pair("Anne", cup)
        desk.do("Anne", "publish", {"tournament": cup})
        for one in tournament.rounds[-1].pairings:
            scores = {str(n): float(n == min(one.entries)) for n in one.entries}
            desk.do("Anne", "result", {"pairing": one.id, "scores": scores, "points": None, "reason": "calm"})
    found = [(row.rank, desk.state.entry_name(tournament, row.entry), row.score) for row in desk.standings(cup)]
    desk.database.close()
    return found


@contextmanager
def full_disk(running: Event, server: Postgres | None) -> Iterator[None]:
    """Nothing more fits into the hall's database: no file of a desk may grow, or PostgreSQL says that it is full."""
    if server:
        with running.desk.database.transaction() as transaction:
            transaction.execute(FULL)
            transaction.execute(
                "CREATE TRIGGER no_room BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION no_room()"
            )
    before = {}
    for pid in [] if server else [desk.running.pid for desk in running.desks if desk.running]:
        before[pid] = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (SMALL, before[pid][1]))
    yield
    assert running.waiting()  # it was felt
    for pid, limits in before.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
    if server:
        with running.desk.database.transaction() as transaction:
            transaction.execute("DROP FUNCTION no_room() CASCADE")


def strike(running: Event, server: Postgres | None, away: float) -> Callable[[int], None]:
    """The hall, the database, the broker and tables are killed, the network is cut, the disk is full."""

    def trouble(number: int) -> None:
        if number == 0:
            running.desks[0].again()
            running.tables[0].again()
            running.tables[3].again()
        elif number == 1:
            if server:
                server.kill()
                server.start()
            running.broker.again()
            running.desks[1].again()
        else:
            running.proxies[0].cut = True
            with full_disk(running, server):
                time.sleep(away / 2)
            time.sleep(away / 2)
            running.proxies[0].cut = False

    return trouble


def test_an_event_on_sqlite_in_all_kinds_of_trouble(tmp_path: Path) -> None:
    with event(tmp_path, str(tmp_path / "hall.sqlite"), pace=0.1) as running:
        assert running.play(strike(running, None, 30)) == calm(tmp_path)
        running.check()


@pytest.mark.parametrize("away", [4, pytest.param(30, marks=pytest.mark.soak)])
def test_an_event_on_postgresql_in_all_kinds_of_trouble(tmp_path: Path, server: Postgres, away: float) -> None:
    with event(tmp_path, server.url, pace=0.1) as running:
        assert running.play(strike(running, server, away)) == calm(tmp_path)
        running.check()


def test_a_desk_waits_for_a_database_that_starts_later(server: Postgres) -> None:
    """Both machines come up after a power cut; nobody is there to start the desk again."""
    server.kill()
    desk = companion("hall", "serve", "--database", server.url, "--port", 0)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            desk.wait(1)  # it would give up before long
        server.start()
        assert desk.stdout
        assert desk.stdout.readline().endswith("/desk\n")
    finally:
        desk.kill()
        desk.communicate()


@pytest.mark.soak
def test_a_thousand_kills(tmp_path: Path, server: Postgres) -> None:
    """At random moments, over all processes: nothing is lost, nothing is doubled. In bursts, which hit what has only
    just been started, and at leisure, which hits games in play."""
    import psycopg

    with psycopg.connect(server.url, autocommit=True) as transaction:
        transaction.execute("CREATE DATABASE thousand")
    chance, kills, returns = Random(SEED), Counter[str](), Counter[str]()
    while kills.total() < KILLS:
        folder = tmp_path / str(kills.total())
        folder.mkdir()
        on_sqlite = chance.random() < 0.5
        url = str(folder / "hall.sqlite") if on_sqlite else server.url.replace("/postgres", "/thousand")
        if not on_sqlite:
            with psycopg.connect(url, autocommit=True) as transaction:
                transaction.execute("DROP SCHEMA public CASCADE")
                transaction.execute("CREATE SCHEMA public")
        with event(folder, url, moves=24, pace=0.2) as running:

            def trouble(number: int, running: Event = running, on_sqlite: bool = on_sqlite) -> None:
                kinds = ["table"] * TABLES + ["desk"] * 2 + ["broker"] + ([] if on_sqlite else ["database"])
                for _ in range(20):
                    time.sleep(chance.random() / 2 if chance.random() < 0.5 else chance.random() * 4)
                    running.mind()
                    kind = chance.choice(kinds)
                    kills[kind] += 1
                    match kind:
                        case "table":
                            chance.choice(running.tables).again()
                        case "desk":
                            chance.choice(running.desks).again()
                        case "broker":
                            running.broker.again()
                        case "database":
                            server.kill()
                            server.start()

            assert running.play(trouble, patience=1800) == calm(folder)
            running.check()
            returns += running.returns
        print(json.dumps({"killed": kills, "ended by themselves": returns}), flush=True)
