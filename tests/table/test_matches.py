"""Matches at a table: from game to game, with the standing, by what the log keeps; and rematches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import game
from companion.games.match import match
from companion.matches import first_game, match_before
from companion.shelf import keep_game, name_game, remove_game
from companion.store import open_store
from companion.table.host import Host
from companion.table.starting import again, record_for
from tests.web.serving import settings


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with open_store(tmp_path) as store, Host(store, settings(tmp_path)) as running:
        yield running


def begin(host: Host, game_id: str, names: tuple[str, ...], games: int, setup: dict[str, object] | None = None) -> int:
    played = match(game(game_id), names, games)
    record = record_for(host.camera, game_id, {}, {**(setup or {}), **played.setup(0)}, about={"players": list(names)})
    return host.do(lambda: host.begin(record, match=first_game(played)))


def go_on(host: Host) -> None:
    number = host.state.number
    assert number
    after = again(host.camera, host.store, number)
    host.do(lambda: host.begin_again(after))


def test_a_match_goes_on_with_the_sides_swapped(host: Host) -> None:
    first = begin(host, "six-faces", ("Ann", "Bob"), 3)
    host.do(lambda: host.game.end("white", "resigned"))
    go_on(host)
    assert host.state.record["about"] == {"players": ["Bob", "Ann"]}
    assert host.store.game(host.state.number or 0).match == {
        "first": first,
        "number": 1,
        "games": 3,
        "names": ["Ann", "Bob"],
    }
    assert host.state.match
    assert host.state.match.match.totals() == {"Ann": 1, "Bob": 0}
    host.do(lambda: host.game.end("red", "resigned"))
    assert host.state.match.match.totals() == {"Ann": 2, "Bob": 0}
    assert host.state.match.match.winners() == ("Ann",)
    assert match_before(host.store, first) == match(game("six-faces"), ("Ann", "Bob"), 3)


def test_a_game_of_a_match_that_is_removed_counts_no_more(host: Host) -> None:
    begin(host, "hepta", ("Ann", "Bob"), 2)
    first = host.state.number or 0
    host.do(lambda: host.game.end("first", "resigned"))
    go_on(host)
    remove_game(host.store, first, "referee")
    found = match_before(host.store, host.state.number or 0)
    assert found
    assert found.played == ()


def test_the_first_turn_passes_on_where_seats_stay(host: Host) -> None:
    begin(host, "plank", ("Ann", "Bob", "Cy"), 3, {"players": 3})
    assert host.state.position.to_move == "A"
    for first in ("B", "C"):
        host.do(lambda: host.game.end("A", "resigned"))
        go_on(host)
        assert host.state.position.to_move == first
        assert host.state.record["about"] == {"players": ["Ann", "Bob", "Cy"]}
    assert host.state.match
    assert host.state.match.match.totals() == {"Ann": 0, "Bob": 4, "Cy": 2}


def test_a_rematch_swaps_sides_clock_and_computer(host: Host) -> None:
    record = record_for(host.camera, "six-faces", {"home": "king"}, about={"players": ["Ann", "Rob"], "place": "Lyon"})
    host.do(lambda: host.begin(record))
    host.do(lambda: host.aids.set_computer({"red": 2}))
    host.do(lambda: host.game.end("white", "resigned"))
    go_on(host)
    assert host.state.record["about"] == {"players": ["Rob", "Ann"], "place": "Lyon"}
    assert host.state.record["options"] == {"home": "king"}
    assert host.state.match is None
    assert host.state.computer == {"white": 2}


def test_what_was_dealt_is_dealt_anew_in_a_rematch(host: Host) -> None:
    host.do(lambda: host.begin(record_for(host.camera, "trippples", {}, deals=True)))
    tiles = host.state.record["setup"]["tiles"]
    host.do(lambda: host.game.end(None, "agreed"))
    go_on(host)
    assert host.state.record["setup"]["tiles"] != tiles
    assert sorted(host.state.record["setup"]["tiles"]) == sorted(tiles)


def test_what_is_removed_is_sealed_and_its_pictures_are_gone(host: Host) -> None:
    store = host.store
    number = store.new_game({"game": "hepta", "moves": []}, "person")
    store.append(number, "move", {"moves": ["#d4"], "by": "camera"}, b"jpeg")
    other = store.new_game({"game": "hepta", "moves": []}, "person")
    store.append(other, "move", {"moves": ["#d4"], "by": "camera"}, b"jpeg too")
    name_game(store, other, "  The  final ", "player")
    keep_game(store, other, True, "player")
    remove_game(store, number, "referee")
    listed = store.games()
    assert [(one.id, one.name, one.keep) for one in listed] == [(other, "The final", True)]
    check = store.verify()
    assert (check.findings, check.pictures, check.forgotten) == ([], 1, 1)
    assert store.forget_pictures(-1) == 0  # those of the other are kept for ever
    keep_game(store, other, False, "player")
    assert store.forget_pictures(-1) == 1
    assert store.verify().findings == []
