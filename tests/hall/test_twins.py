"""One game at two tables: what one makes is made at the other, taken back there too, and survives a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.table.host import Host
from tests.hall.halls import Hall, served_hall, table_at, wait_until


def moves(host: Host) -> list[str]:
    return list(host.state.record["moves"]) if host.state.record else []


def play(host: Host) -> str:
    move = str(next(host.state.position.moves()))
    host.do(lambda: host.game.play([move]))
    return moves(host)[-1]


def begin(hall: Hall, one: int, other: int, game: str) -> int:
    asked = {"tables": [one, other], "game": game, "players": ["Ann", "Bob"]}
    return int(hall.arbiter().post("/api/twins", asked)["id"])


@pytest.mark.parametrize("game", ["six-faces", "t-for-two", "trippples"])
def test_two_boards_one_game(tmp_path: Path, game: str) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        keys = [hall.desk.add_table("Anne", name) for name in ("Here", "There")]
        begin(hall, keys[0].place, keys[1].place, game)
        with table_at(tmp_path / "one", hall.url, keys[0]) as one:
            with table_at(tmp_path / "two", hall.url, keys[1]) as two:
                wait_until(lambda: one.state.game and two.state.game, "both have begun")
                assert one.state.record["setup"] == two.state.record["setup"]
                mine = [set(host.state.position.seats) - host.aids.far for host in (one, two)]
                assert [len(seats) for seats in mine] == [1, 1]
                assert mine[0] != mine[1]
                for _ in range(6):
                    mover = one if one.state.position.to_move in mine[0] else two
                    play(mover)
                    wait_until(lambda: moves(one) == moves(two), "the move arrives")
                # whoever made a move takes it back: it is taken back at the other table too
                last = one if one.state.positions[-2].to_move in mine[0] else two
                other = two if last is one else one
                last.do(lambda: last.game.take_back(1))
                wait_until(lambda: len(moves(other)) == 5, "taken back there")
                # what somebody here makes in the name of those afar does not stand
                play(other)
                wait_until(lambda: len(moves(other)) == 5, "taken back again")
                play(last)
                wait_until(lambda: moves(one) == moves(two), "made again")
            # away for a while: what happened meanwhile comes when it is back
            if one.state.position.to_move in mine[0]:
                play(one)
            with table_at(tmp_path / "two", hall.url, keys[1]) as two:
                two.do(lambda: two.open(1))
                wait_until(lambda: moves(one) == moves(two), "after a restart")
                two.do(lambda: two.game.end(None, "agreed"))
                wait_until(lambda: one.state.outcome, "the end")
        assert [place.broken for place in hall.desk.tables.live.values()] == [None, None]


def test_two_different_tables_and_a_game_for_two(tmp_path: Path) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        key = hall.desk.add_table("Anne", "Here")
        asked = {"tables": [key.place, key.place], "game": "six-faces", "players": ["Ann", "Bob"]}
        assert hall.arbiter().post("/api/twins", asked, status=422)["error"] == "hall-same-table"
        with pytest.raises(BadInput):
            hall.desk.begin_twin("Anne", {**asked, "tables": [key.place, 99], "options": {}, "clock": None})
