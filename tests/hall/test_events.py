"""Whole events: tables play what the desk published, and what they report is what stands in the end."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.games.position import Outcome
from companion.hall import reports
from companion.hall.database import open_database
from companion.hall.desk import Desk
from companion.hall.evidence import verify
from companion.hall.files import as_trf, import_trf
from companion.hall.keys import read_key
from companion.hall.standings import standings
from companion.hall.tournament import Tournament, seats_of
from companion.leds.protocol import REFEREE
from companion.table.host import Host
from tests.hall.halls import Asker, Hall, play_out, served_hall, table_at, wait_until


def tables(stack: ExitStack, hall: Hall, folder: Path, count: int) -> dict[int, Host]:
    found = {}
    for n in range(1, count + 1):
        key = hall.desk.add_table("Anne", f"Table {n}")
        found[key.place] = stack.enter_context(table_at(folder / str(n), hall.url, key))
    return found


def assigned(host: Host) -> Any:
    about = host.state.record.get("about") or {}
    return about.get("hall")


def play_round(hall: Hall, cup: int, hosts: dict[int, Host]) -> None:
    """Every table plays its match: whoever was entered first wins."""
    tournament = hall.desk.state.tournament(cup)
    for pairing in tournament.rounds[-1].pairings:
        if pairing.is_bye:
            continue
        assert pairing.place is not None
        host, best = hosts[pairing.place], min(p for n in pairing.entries for p in tournament.entries[n].players)
        for number in range(tournament.rules.match_length):
            wanted = {"pairing": pairing.id, "number": number, "of": tournament.rules.match_length}
            wait_until(lambda host=host, wanted=wanted: assigned(host) == wanted, f"game {wanted}")  # type: ignore[misc]
            names = host.state.record["about"]["players"]
            seat = host.state.position.seats[names.index(hall.desk.state.players[best].name)]
            play_out(host, host.state.position.side(seat), moves=1)
    hall_knows = lambda: all(tournament.score(one, hall.desk.tables.reported) for one in tournament.rounds[-1].pairings)  # noqa: E731
    wait_until(hall_knows, "results")


FORMS = [
    ("six-faces", "swiss", 2, 3),
    ("hepta", "swiss", 2, 2),
    ("t-for-two", "swiss", 2, 1),
    ("pegs", "round-robin", 2, 0),
    ("trippples", "knock-out", 2, 0),
    ("plank", "swiss", 2, 1),
    ("plank", "swiss", 3, 2),
    ("plank", "swiss", 4, 1),
]


@pytest.mark.parametrize(("game", "system", "seats", "rounds"), FORMS)
def test_a_whole_event(tmp_path: Path, game: str, system: str, seats: int, rounds: int) -> None:
    """Any of the games in its form of match, the strongest winning all the time."""
    with ExitStack() as stack:
        hall = stack.enter_context(served_hall(str(tmp_path / "hall.sqlite")))
        arbiter = hall.arbiter()
        hosts = tables(stack, hall, tmp_path, 2)
        asked = {"name": "Cup", "game": game, "system": system, "rounds": rounds, "seats": seats}
        cup = arbiter.post("/api/tournaments", asked)["id"]
        team = 2 if seats == 4 else 1
        for n in range(4 if seats != 3 else 6):
            names = [f"P{n}{'ab'[m] if team > 1 else ''}" for m in range(team)]
            arbiter.post("/api/entries", {"tournament": cup, "names": names})
        tournament = hall.desk.state.tournament(cup)
        for number in range(tournament.length):
            arbiter.post("/api/pair", {"tournament": cup})
            assert [one["number"] for one in Asker(hall.port).get(f"/api/tournaments/{cup}")["rounds"]] == [
                n + 1 for n in range(number)
            ]  # nobody sees what was not published
            arbiter.post("/api/publish", {"tournament": cup})
            play_round(hall, cup, hosts)
        rows = hall.desk.standings(cup)
        if seats == 3:  # who is beaten by whom is a matter of marks there
            assert sum(row.score for row in rows) == tournament.length * 2 * 1.5
        else:
            assert rows[0].entry == min(tournament.entries)
            assert rows[0].score == tournament.length or system == "knock-out"
        found = verify(hall.desk.database)
        assert found.findings == []
        assert found.events == sum(host.store.committed for host in hosts.values())
        arbiter.post("/api/close", {"tournament": cup})
        ratings = hall.desk.ratings()
        if seats != 3:
            assert ratings[min(ratings)].rating > 1500 > ratings[max(ratings)].rating


def test_a_table_that_was_offline_reports_later(database: str, tmp_path: Path) -> None:
    with served_hall(database) as hall:
        arbiter, key = hall.arbiter(), hall.desk.add_table("Anne", "Table 1")
        cup = arbiter.post("/api/tournaments", {"name": "Cup", "game": "six-faces", "system": "swiss"})["id"]
        for name in ("Ann", "Bob"):
            arbiter.post("/api/entries", {"tournament": cup, "names": [name]})
        arbiter.post("/api/pair", {"tournament": cup})
        arbiter.post("/api/publish", {"tournament": cup})
        port = hall.port
        with table_at(tmp_path / "t", hall.url, key) as host:
            wait_until(lambda: assigned(host), "the game")
    with table_at(tmp_path / "t", f"http://127.0.0.1:{port}", key) as host:  # the hall is away
        host.do(lambda: host.open(1))
        play_out(host, host.state.position.seats[0], moves=3)
        assert not host.hall.shown().reached  # type: ignore[union-attr]
        with served_hall(database, port) as hall:
            tournament = hall.desk.state.tournament(cup)
            wait_until(
                lambda: tournament.score(tournament.rounds[0].pairings[0], hall.desk.tables.reported), "the result"
            )
            wait_until(lambda: verify(hall.desk.database).events == host.store.committed, "all events")
            # the desk enters another result: both are shown, and the desk's counts
            pairing = tournament.rounds[0].pairings[0]
            first, second = pairing.entries
            body = {"pairing": pairing.id, "scores": {str(first): 0, str(second): 1}, "reason": "wrong way round"}
            hall.referee().post("/api/result", body)
            told = hall.arbiter().get(f"/api/tournaments/{cup}")
            shown = told["rounds"][0]["pairings"][0]
            assert shown["differs"]
            assert shown["by_table"] == {str(first): 1, str(second): 0}
            assert (shown["by_desk"]["who"], shown["by_desk"]["reason"]) == ("Ray", "wrong way round")
            assert [row["entry"] for row in told["standings"]] == [second, first]
            assert [one["who"] for one in told["corrections"]] == ["Ray"]
            hall.arbiter().post("/api/result", {"pairing": pairing.id, "reason": "it was right"})
            assert hall.desk.standings(cup)[0].entry == first
            kinds = [(deed["kind"], deed["who"]) for deed in hall.referee().get("/api/hall/deeds")]
            assert kinds[-2:] == [("result", "Ray"), ("result", "Anne")]


def test_equals_are_ranked_by_what_they_won_against_each_other_only_if_all_have_met(tmp_path: Path) -> None:
    opened = open_database(str(tmp_path / "hall.sqlite"))
    desk = Desk(opened)
    ties = ["direct", "wins"]
    asked = {"name": "Cup", "game": "six-faces", "system": "swiss", "rounds": 3, "tie_breaks": ties}
    cup = desk.do("Anne", "tournament", asked)
    ann, bob, cem, dora = (desk.enter("Anne", cup, [name]) for name in ("Ann", "Bob", "Cem", "Dora"))
    tournament = desk.state.tournament(cup)

    def played(*boards: tuple[int, int], wins: bool = True) -> dict[int, float]:
        """A round in which the first of each board wins; what everybody has by the direct encounter since."""
        desk.pair("Anne", cup, [list(board) for board in boards])
        desk.publish("Anne", cup)
        for one in tournament.rounds[-1].pairings if wins else ():
            scores = {str(n): float(n == one.entries[0]) for n in one.entries}
            desk.do("Anne", "result", {"pairing": one.id, "scores": scores, "points": None, "reason": "slip"})
        return {row.entry: row.tie_breaks[0].value for row in desk.standings(cup)}

    assert set(played((ann, bob), (cem, dora)).values()) == {0}  # Ann and Cem, Bob and Dora have not met
    assert set(played((bob, cem), (dora, ann)).values()) == {0}  # all have one, but not all have met
    assert set(played((ann, cem), (bob, dora), wins=False).values()) == {0}  # what is not over says nothing
    for one, first in zip(tournament.rounds[-1].pairings, (ann, bob), strict=True):
        scores = {str(n): float(n == first) for n in one.entries}
        desk.do("Anne", "result", {"pairing": one.id, "scores": scores, "points": None, "reason": "slip"})
    rows = desk.standings(cup)
    assert [(row.rank, row.entry, row.tie_breaks[0].value) for row in rows] == [
        (1, ann, 1),
        (2, bob, 0),
        (3, cem, 1),
        (4, dora, 0),
    ]
    opened.close()


def test_marks_that_are_bad_break_ties_the_other_way_round(tmp_path: Path) -> None:
    """Plank at three: of equal scores the one with the fewest marks is first."""
    opened = open_database(str(tmp_path / "hall.sqlite"))
    desk = Desk(opened)
    asked = {"name": "Cup", "game": "plank", "system": "swiss", "seats": 3, "rounds": 2, "tie_breaks": ["points"]}
    cup = desk.do("Anne", "tournament", asked)
    ann, bob, cem = (desk.enter("Anne", cup, [name]) for name in ("Ann", "Bob", "Cem"))
    tournament = desk.state.tournament(cup)
    reported: dict[int, dict[int, Outcome]] = {}
    for marks in ({ann: 1, bob: 2, cem: 3}, {cem: 1, bob: 2, ann: 5}):
        desk.do(
            "Anne",
            "pair",
            {"tournament": cup, "round": len(tournament.rounds) + 1, "boards": [[ann, bob, cem]], "by_hand": True},
        )
        desk.do("Anne", "publish", {"tournament": cup})
        pairing = tournament.rounds[-1].pairings[0]
        seats = {player: seat for seat, player in seats_of(tournament.match_of(pairing), 0).items()}
        scores = {seats[tournament.entries[n].players[0]]: float(marks[n]) for n in marks}
        reported[pairing.id] = {0: Outcome(None, False, "marks", scores)}
    rows = standings(tournament, reported)
    assert [(row.rank, row.entry, row.score, row.tie_breaks[0].value) for row in rows] == [
        (1, bob, 1, 4),
        (1, cem, 1, 4),
        (3, ann, 1, 6),
    ]
    opened.close()


def test_what_a_desk_could_not_tell_any_more_another_tells(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk ended between what it had decided and telling the tables of it."""
    monkeypatch.setattr("companion.hall.desk.PUBLISH_GRACE", 0)
    opened = open_database(database)
    desk = Desk(opened)
    places = [desk.add_table("Anne", name).place for name in ("Here", "There")]
    cup = desk.do("Anne", "tournament", {"name": "Cup", "game": "hepta", "system": "swiss", "rounds": 1})
    for name in ("Ann", "Bob", "Cem", "Dora"):
        desk.enter("Anne", cup, [name])
    desk.pair("Anne", cup)
    desk.do("Anne", "publish", {"tournament": cup})
    desk.do("Anne", "hints", {"locked": True})
    told = {"options": {}, "players": ["Eve", "Finn"], "clock": None}
    twin = desk.do("Anne", "twin", {"tables": places, "game": "six-faces", **told})
    assert [reports.commands(opened, place, 0) for place in places] == [[], []]
    for _ in range(2):  # two desks, one after another; each looks twice
        other = Desk(opened)
        for _ in range(2):
            other.catch_up()
            other.send_pending()
            other.sync_twins()
    kinds = [[one.kind for one in reports.commands(opened, place, 0)] for place in places]
    assert kinds == [["start", "hints", "start"], ["start", "hints"]]
    starts = [json.loads(one.data) for one in reports.commands(opened, places[0], 0) if one.kind == "start"]
    assert [(one.get("number"), one.get("twin")) for one in starts] == [(0, None), (None, twin)]
    opened.close()


def test_commands_reach_a_table_once(tmp_path: Path) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        arbiter, key = hall.arbiter(), hall.desk.add_table("Anne", "Table 1")
        clock = {"kind": "fischer", "main": 300, "more": 5}
        asked = {"name": "Cup", "game": "six-faces", "system": "swiss", "clock": clock}
        cup = arbiter.post("/api/tournaments", asked)["id"]
        for name in ("Ann", "Bob"):
            arbiter.post("/api/entries", {"tournament": cup, "names": [name]})
        arbiter.post("/api/pair", {"tournament": cup})
        arbiter.post("/api/publish", {"tournament": cup})
        with table_at(tmp_path / "t", hall.url, key) as host:
            wait_until(lambda: host.state.clock, "the clock")
            arbiter.post("/api/hints", {"locked": True})
            arbiter.post("/api/clock", {"table": key.place, "do": "add", "seat": "white", "seconds": 60})
            wait_until(lambda: host.state.hints.locked, "the lock")
            wait_until(lambda: round(host.state.clock["seats"]["white"]["left"]) == 360, "the minute")  # type: ignore[index]
            host.do(lambda: host.call_referee(True, "person"))
            card = lambda: arbiter.get("/api/hall")["tables"][0]  # noqa: E731
            wait_until(lambda: "call" in card()["trouble"], "the call")
            arbiter.post("/api/answered", {"table": key.place})
            wait_until(lambda: not host.state.hall.called, "the answer")  # type: ignore[union-attr]
            arbiter.post("/api/decide", {"table": key.place, "text": "a warning"})
            wait_until(lambda: card()["trouble"] == [], "peace")
        with table_at(tmp_path / "t", hall.url, key) as host:  # nothing is done again
            host.do(lambda: host.open(1))
            wait_until(lambda: host.hall.shown().reached, "the hall")  # type: ignore[union-attr]
            assert round(host.state.clock["seats"]["white"]["left"]) == 360  # type: ignore[index]
            assert [event.data["number"] for event in host.store.events(kinds=["command"])] == [1, 2, 3, 4]
            assert len(host.store.games()) == 1
        page = arbiter.get(f"/api/tables/{key.place}")
        assert [one["text"] for one in page["decisions"]] == ["a warning"]


def test_trf_goes_out_and_comes_back(tmp_path: Path) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        desk = hall.desk
        asked = {"name": "Cup", "game": "six-faces", "system": "swiss", "rounds": 3}
        cup = desk.do("Anne", "tournament", asked)
        entries = [desk.enter("Anne", cup, [f"Player {n}"], "", 1500 + n) for n in range(5)]
        for _ in range(3):
            desk.pair("Anne", cup)
            desk.publish("Anne", cup)
            for one in desk.state.tournament(cup).rounds[-1].pairings:
                if not one.is_bye:
                    scores = {str(n): 1 if n == min(one.entries) else 0 for n in one.entries}
                    desk.do("Anne", "result", {"pairing": one.id, "scores": scores, "points": None, "reason": "slip"})
        trf = as_trf(desk, desk.state.tournament(cup))
        line = next(line for line in trf.splitlines() if line.startswith("001    1"))
        assert line[14:47].strip() == "Player 0"
        assert float(line[80:84]) == 3.0
        assert line[91:99].split()[1:] in (["w", "1"], ["b", "1"], ["-", "U"])
        again = desk.do("Anne", "tournament", {**asked, "name": "Again"})
        for entry in entries:
            desk.do(
                "Anne",
                "rename",
                {"player": desk.state.tournament(cup).entries[entry].players[0], "name": f"Old {entry}"},
            )
        assert import_trf(desk, "Anne", trf, again) == 5
        assert [(row.rank, row.score) for row in desk.standings(again)] == [
            (row.rank, row.score) for row in desk.standings(cup)
        ]


def test_keys_are_read_as_they_are_written() -> None:
    assert str(read_key("7-abc-00ff")) == "7-abc-00ff"
    assert read_key("x-abc") is read_key("7") is read_key("") is None


def test_who_joins_late_begins_only_what_is_wanted_now(tmp_path: Path) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        desk, key = hall.desk, hall.desk.add_table("Anne", "Table 1")
        cup = desk.do("Anne", "tournament", {"name": "Cup", "game": "six-faces", "system": "round-robin", "rounds": 2})
        for name in ("Ann", "Bob"):
            desk.enter("Anne", cup, [name])
        for number in range(2):
            desk.pair("Anne", cup)
            desk.publish("Anne", cup)
            if number == 0:
                one = desk.state.tournament(cup).rounds[0].pairings[0]
                scores = {str(n): 0.5 for n in one.entries}
                desk.do("Anne", "result", {"pairing": one.id, "scores": scores, "points": None, "reason": "slip"})
        wanted = desk.state.tournament(cup).rounds[1].pairings[0].id
        with table_at(tmp_path / "t", hall.url, key) as host:
            wait_until(lambda: (assigned(host) or {}).get("pairing") == wanted, "the game of the second round")
            assert len(host.store.games()) == 1
            wait_until(lambda: getattr(desk.tables.live.get(key.place), "commanded", 0) == 2, "both commands")
            assert hall.arbiter().get("/api/hall")["tables"][0]["trouble"] == []


def start_of(hall: Hall, tournament: int) -> Tournament:
    hall.desk.pair("Anne", tournament)
    hall.desk.publish("Anne", tournament)
    return hall.desk.state.tournament(tournament)


def test_plank_at_three_counts_marks_and_the_first_turn_passes_on(tmp_path: Path) -> None:
    """Two marks for whoever sits left of the winner, one for the other; fewest marks win the match."""
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        key = hall.desk.add_table("Anne", "Table 1")
        asked = {"name": "Three", "game": "plank", "system": "swiss", "rounds": 1, "seats": 3, "games": 3}
        cup = hall.desk.do("Anne", "tournament", asked)
        for name in ("Ann", "Bob", "Cat"):
            hall.desk.enter("Anne", cup, [name])
        tournament = start_of(hall, cup)
        (pairing,) = tournament.rounds[0].pairings
        marks, firsts = dict.fromkeys(pairing.entries, 0.0), []
        with table_at(tmp_path / "t", hall.url, key) as host:
            for number in range(3):
                wanted = {"pairing": pairing.id, "number": number, "of": 3}
                wait_until(lambda wanted=wanted: assigned(host) == wanted, f"game {number}")  # type: ignore[misc]
                seated = host.state.record["about"]["players"]
                names = {hall.desk.state.entry_name(tournament, n): n for n in tournament.entries}
                firsts.append(seated[host.state.position.seats.index(host.state.position.to_move)])
                winner = seated.index("Ann")
                play_out(host, host.state.position.seats[winner], moves=1)
                marks[names[seated[(winner + 1) % 3]]] += 2
                marks[names[seated[(winner + 2) % 3]]] += 1
            wait_until(lambda: tournament.score(pairing, hall.desk.tables.reported), "the result")
        assert sorted(firsts) == ["Ann", "Bob", "Cat"]
        score = tournament.score(pairing, hall.desk.tables.reported)
        assert score
        assert dict(score.points) == marks
        order = sorted(pairing.entries, key=lambda n: marks[n])
        assert marks[order[0]] == 0
        assert score.scores[order[0]] == 1
        assert sum(score.scores.values()) == 1.5


def test_plank_at_four_is_won_by_a_team(tmp_path: Path) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        key = hall.desk.add_table("Anne", "Table 1")
        asked = {"name": "Four", "game": "plank", "system": "swiss", "rounds": 1, "seats": 4, "games": 2}
        cup = hall.desk.do("Anne", "tournament", asked)
        for names in (("Ann", "Abe"), ("Bob", "Bea")):
            hall.desk.enter("Anne", cup, names)
        tournament = start_of(hall, cup)
        (pairing,) = tournament.rounds[0].pairings
        firsts = []
        with table_at(tmp_path / "t", hall.url, key) as host:
            for number in range(2):
                wanted = {"pairing": pairing.id, "number": number, "of": 2}
                wait_until(lambda wanted=wanted: assigned(host) == wanted, f"game {number}")  # type: ignore[misc]
                seated = host.state.record["about"]["players"]
                firsts.append(seated[host.state.position.seats.index(host.state.position.to_move)])
                assert {seated[0], seated[2]} in ({"Ann", "Abe"}, {"Bob", "Bea"})  # partners sit across
                abe = host.state.position.seats[seated.index("Abe")]
                play_out(host, host.state.position.side(abe), moves=1)
            wait_until(lambda: tournament.score(pairing, hall.desk.tables.reported), "the result")
        assert len({name[0] for name in firsts}) == 2  # each team begins once
        score = tournament.score(pairing, hall.desk.tables.reported)
        assert score
        assert dict(score.scores) == {min(tournament.entries): 1, max(tournament.entries): 0}


@pytest.mark.parametrize("game", ["hepta", "t-for-two"])
def test_roles_are_swapped_between_the_games_of_a_match(tmp_path: Path, game: str) -> None:
    """Both have both roles, and what counts is what the games add up to."""
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        key = hall.desk.add_table("Anne", "Table 1")
        cup = hall.desk.do("Anne", "tournament", {"name": "Cup", "game": game, "system": "swiss", "rounds": 1})
        for name in ("Ann", "Bob"):
            hall.desk.enter("Anne", cup, [name])
        tournament = start_of(hall, cup)
        (pairing,) = tournament.rounds[0].pairings
        assert tournament.rules.match_length == 2
        seated = []
        with table_at(tmp_path / "t", hall.url, key) as host:
            for number in range(2):
                wanted = {"pairing": pairing.id, "number": number, "of": 2}
                wait_until(lambda wanted=wanted: assigned(host) == wanted, f"game {number}")  # type: ignore[misc]
                seated.append(tuple(host.state.record["about"]["players"]))
                winner = host.state.position.seats[seated[-1].index("Bob")]
                play_out(host, winner, moves=1)
            wait_until(lambda: tournament.score(pairing, hall.desk.tables.reported), "the result")
        assert {names[0] for names in seated} == {"Ann", "Bob"}
        score = tournament.score(pairing, hall.desk.tables.reported)
        assert score
        assert dict(score.scores) == {min(tournament.entries): 0, max(tournament.entries): 1}


def test_results_by_hand_are_checked_and_kept_with_what_was_before(tmp_path: Path) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        arbiter, desk = hall.arbiter(), hall.desk
        cup = arbiter.post("/api/tournaments", {"name": "Cup", "game": "six-faces", "system": "swiss"})["id"]
        entries = [arbiter.post("/api/entries", {"tournament": cup, "names": [name]})["id"] for name in "ABCD"]
        arbiter.post("/api/forbid", {"tournament": cup, "entries": entries[:2]})
        boards = [entries[:2], entries[2:]]
        assert arbiter.post("/api/pair", {"tournament": cup, "boards": boards}, 422)["error"] == "hall-forbidden-pair"
        arbiter.post("/api/pair", {"tournament": cup})
        boards = [[entries[0], entries[3]], [entries[1], entries[2]]]
        arbiter.post("/api/pair", {"tournament": cup, "boards": boards})  # instead of the draft
        tournament = desk.state.tournament(cup)
        assert [list(one.entries) for one in tournament.rounds[-1].pairings] == boards
        assert (len(tournament.rounds), tournament.rounds[0].by_hand) == (1, True)
        arbiter.post("/api/publish", {"tournament": cup})
        one = tournament.rounds[0].pairings[0]
        first, second = map(str, one.entries)
        for odd in ({first: 0.3, second: 0.7}, {first: 1, second: 1}, {first: 1}):
            body = {"pairing": one.id, "scores": odd, "reason": "odd"}
            assert arbiter.post("/api/result", body, 422)["error"] == "hall-odd-result"
        assert arbiter.post("/api/result", {"pairing": one.id, "scores": {first: 1, second: 0}, "reason": " "}, 422)
        arbiter.post("/api/result", {"pairing": one.id, "scores": {first: 1, second: 0}, "reason": "slip"})
        arbiter.post("/api/result", {"pairing": one.id, "scores": {first: 0, second: 1}, "reason": "misread"})
        arbiter.post("/api/result", {"pairing": one.id, "reason": "they still play"})
        arbiter.post("/api/result", {"pairing": one.id, "reason": "again"}, 422)
        told = arbiter.get(f"/api/tournaments/{cup}")
        assert [(c["before"], c["after"], c["who"]) for c in told["corrections"]] == [
            ("–", "1 : 0", "Anne"),
            ("1 : 0", "0 : 1", "Anne"),
            ("0 : 1", "–", "Anne"),
        ]
        assert not told["rounds"][0]["pairings"][0]["done"]
        log = arbiter.get("/api/hall/deeds")
        assert [deed["text"] for deed in log][-2:] == [
            "Cup: A – D 0 : 1. misread",
            "Cup: A – D: the table’s own result counts again. they still play",
        ]
        assert all("secret" not in deed["data"] and "key" not in deed["data"] for deed in log)


def test_the_referee_is_called_from_the_board_before_a_game_too(tmp_path: Path) -> None:
    with served_hall(str(tmp_path / "hall.sqlite")) as hall:
        key = hall.desk.add_table("Anne", "Table 1")
        with table_at(tmp_path / "table", hall.url, key) as host:
            host.do(lambda: host._press(REFEREE))
            wait_until(lambda: (live := hall.desk.tables.live.get(key.place)) and live.called, "the call")
