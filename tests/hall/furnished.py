"""A hall on an ordinary afternoon: two tournaments under way, tables that play, call, wait and are silent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import cv2
import numpy as np

from companion.events import EventKind
from companion.table.host import Host
from tests.hall.halls import Hall, play_out, served_hall, table_at, wait_until

PLAYERS = (
    ("Ana Duarte", "Lyon", 1850),
    ("Björn Ek", "Uppsala", 1790),
    ("Chloé Martin-Lefèvre", "Échecs & Jeux Bordeaux", 1760),
    ("Dmitri Orlov", "", 1700),
    ("Emeka Okafor", "Lagos", 1690),
    ("Fatima Zahra El Amrani", "Casablanca", 1655),
    ("Greta Lind", "Uppsala", 1600),
    ("Hugo Petit", "Lyon", 1540),
    ("Ines Costa", "Porto", 1500),
)
CLOCK = {"kind": "fischer", "main": 900, "more": 10}


@contextmanager
def furnished(folder: Path) -> Iterator[tuple[Hall, int]]:
    """The hall, and the number of its larger tournament."""
    with ExitStack() as stack:
        hall = stack.enter_context(served_hall(str(folder / "hall.sqlite")))
        desk, arbiter = hall.desk, hall.arbiter()
        keys = [desk.add_table("Anne", f"Table {n}") for n in range(1, 7)]
        asked = {"name": "Spring Cup", "game": "six-faces", "system": "swiss", "rounds": 4, "clock": CLOCK}
        cup = arbiter.post("/api/tournaments", asked)["id"]
        for name, club, rating in PLAYERS:
            desk.enter("Anne", cup, [name], club, rating)
        hosts = [
            stack.enter_context(table_at(folder / str(n), hall.url, key)) for n, key in enumerate(keys[:4])
        ]  # the others have not joined
        tournament = desk.state.tournament(cup)
        for number in range(2):
            arbiter.post("/api/pair", {"tournament": cup})
            arbiter.post("/api/publish", {"tournament": cup})
            pairings = [one for one in tournament.rounds[-1].pairings if not one.is_bye]
            for host, pairing in zip(hosts, pairings, strict=True):
                wait_until(lambda host=host, pairing=pairing: _plays(host, pairing.id), "the game")  # type: ignore[misc]
                if number == 0:
                    play_out(host, host.state.position.seats[pairing.id % 2], moves=6)
            if number == 0:
                wait_until(
                    lambda: all(tournament.score(one, desk.tables.reported) for one in tournament.rounds[0].pairings),
                    "end",
                )
        first = tournament.rounds[0].pairings[0]
        scores = dict(zip(map(str, first.entries), (0.5, 0.5), strict=True))
        hall.referee().post(
            "/api/result", {"pairing": first.id, "scores": scores, "reason": "they had agreed on a draw"}
        )
        for n, host in enumerate(hosts):
            for _ in range(4 + 3 * n):
                move = str(next(host.state.position.moves()))
                host.do(lambda move=move, host=host: host.game.play([move]))  # type: ignore[misc]
        hosts[1].do(lambda: hosts[1].call_referee(True, "person"))
        _judge(hosts[2])
        play_out(hosts[3], hosts[3].state.position.seats[0], moves=0)
        hall.referee().post("/api/decide", {"table": keys[0].place, "text": "touched piece must move"})
        teams = {"name": "Plank in teams", "game": "plank", "system": "knock-out", "seats": 4}
        plank = arbiter.post("/api/tournaments", teams)["id"]
        for n in range(0, 8, 2):
            desk.enter("Anne", plank, [PLAYERS[n][0], PLAYERS[n + 1][0]])
        arbiter.post("/api/pair", {"tournament": plank})
        wait_until(lambda: all(host.store.committed <= host.hall.shown().have for host in hosts), "all is told")  # type: ignore[union-attr]
        wait_until(lambda: desk.tables.live[keys[2].place].verdict is not None, "the verdict")
        yield hall, cup


def _plays(host: Host, pairing: int) -> bool:
    about = host.state.record.get("about") or {}
    return bool(about.get("hall", {}).get("pairing") == pairing)


def _judge(host: Host) -> None:
    """An illegal move, with its picture, as a camera would have brought it."""
    picture = cv2.imencode(".jpg", np.full((240, 320, 3), (60, 110, 150), np.uint8))[1].tobytes()
    reason = {"rule": "3", "code": "not-straight", "params": {"from": "a1", "to": "b3"}}
    squares = [{"square": "a1", "should": "w3", "seen": "-"}, {"square": "b3", "should": "-", "seen": "w3"}]
    told = {"verdict": "illegal", "code": "illegal", "moves": [], "reason": reason, "squares": squares}
    host.do(lambda: host.store.append(host.state.number or 0, EventKind.VERDICT, told, picture))
