"""The end of a game and what comes after it, in a real browser: matches, solitaires, the review, shared files, the
list of games."""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
import requests

from companion.solvers.cover import solve
from companion.solvers.playing import sensible_move
from companion.table.host import Host
from companion.table.starting import record_for
from tests.web.browser import Person
from tests.web.serving import PLAYER, REFEREE, Place
from tests.web.test_pages import serious

PHONE, DESK, WALL = (390, 844), (1440, 900), (1920, 1080)
PATIENCE = 300.0  # seconds for a file of a long game, on a busy machine
soak = pytest.mark.soak


def moves_to_the_end(host: Host, seed: int = 4) -> list[str]:
    assert host.state.game
    position, chance, moves = host.state.position, Random(seed), list[str]()
    while not position.outcome():
        move = sensible_move(host.state.game, position, chance, tired=len(moves) > 40)
        moves.append(str(move))
        position = position.play(move)
    return moves


def finish(host: Host, seed: int = 4) -> int:
    moves = moves_to_the_end(host, seed)
    host.do(lambda: host.game.play(moves))
    assert host.state.number
    return host.state.number


def finished(host: Host, game: str, seed: int = 4, **agreed: Any) -> int:
    record = record_for(host.camera, game, agreed.pop("options", {}), agreed.pop("setup", None), **agreed)
    host.do(lambda: host.begin(record))
    return finish(host, seed)


def nothing_sticks_out(person: Person) -> bool:
    wide, there = person.run("return [document.documentElement.scrollWidth, innerWidth]")
    return bool(wide <= there)


# --- matches


def test_a_match_leads_from_game_to_game_with_its_standing(referee: Person, table: Place) -> None:
    host = table.host
    referee.chooses("hepta")
    for name, field in zip(("Ann", "Bob"), referee.all("#players input"), strict=True):
        field.send_keys(name)
    referee.run("document.querySelector('#match').selectedIndex = 1")
    referee.clicks("#begin")
    referee.sees("#match", "Game 1 of 2")
    finish(host)
    first = host.state.outcome
    assert first
    referee.sees("#ending h2", "Ann wins" if first.winner == "first" else "Bob wins" if first.winner else "A draw")
    # counted out before the eyes: piece by piece, until the score is the outcome's
    referee.until(lambda: referee.all("#board .counted"))
    referee.until(lambda: referee.run("return document.querySelector('#ending').dataset.counted"))
    counted = referee.run("return [...document.querySelectorAll('.score-board b')].map((b) => Number(b.textContent))")
    assert counted == [first.scores["first"], first.scores["second"]]
    referee.until(lambda: len(referee.all("#board .mark.won")) == 1)
    referee.sits_before(*PHONE)
    referee.clicks("#next-game")
    referee.sees("#match", "Game 2 of 2")
    assert referee.run("return scrollY") == 0  # the board is in sight
    assert host.state.record["about"] == {"players": ["Bob", "Ann"]}
    finish(host, 7)
    second = host.state.outcome
    assert second
    totals = {"Ann": first.scores["first"] + second.scores["second"]}
    totals["Bob"] = first.scores["second"] + second.scores["first"]
    referee.sees("#ending .standing", f"Ann: {totals['Ann']:g} – Bob: {totals['Bob']:g}")
    told = referee.asks("/api/table")["match"]
    assert told["over"]
    assert told["totals"] == [totals["Ann"], totals["Bob"]]
    referee.sees("#ending", "Another match")
    assert referee.asks("/api/next", {})["error"] == "match-over"
    referee.goes_to("/wall")
    referee.until(lambda: referee.all("#board .mark.won"))
    referee.sees("#standing", f"Ann: {totals['Ann']:g} – Bob: {totals['Bob']:g}")


def test_a_leg_and_its_return_leg_add_up_without_a_match(referee: Person, table: Place) -> None:
    host = table.host
    referee.begins("t-for-two")
    finish(host)
    first = host.state.outcome
    assert first
    referee.sees("#next-game", "The return leg")
    referee.sees("#ending", "The return leg decides.")
    referee.clicks("#next-game")
    referee.sees("#match", "Game 2 of 2")
    assert host.state.record["about"] == {"players": ["Player 2", "Player 1"]}
    finish(host, 7)
    second = host.state.outcome
    assert second
    mine, theirs = first.scores["mushrooms"], second.scores["mushrooms"]
    referee.sees("#ending .standing", f"Player 1: {mine:g} – Player 2: {theirs:g}")
    assert "decides" not in referee.text("#ending")
    assert referee.asks("/api/next", {})["error"] == "match-over"


def test_the_line_that_won_is_marked_and_the_rematch_passes_the_first_turn_on(referee: Person, table: Place) -> None:
    referee.begins("plank", players=2)
    finish(table.host)
    position = table.host.state.position
    (line, *_) = position.decided()
    marked = referee.until(lambda: referee.all("#board .mark.won"))[0].get_attribute("data-squares").split()
    assert sorted(marked) == sorted({square for part in position.decided() for square in part.squares})
    assert set(line.squares) <= set(marked)
    first = position.seats[0]
    referee.sees("#next-game", "the first turn passes on")
    referee.clicks("#next-game")
    referee.until(lambda: referee.asks("/api/table")["to_move"] not in (None, first))


# --- solitaires


def test_the_problem_of_the_day_from_a_hint_to_its_solution(referee: Person, table: Place) -> None:
    host = table.host
    referee.chooses("tetrods")
    referee.run("document.querySelector('#problem').value = 'day-easy'")
    referee.clicks("#begin")
    referee.sees(".timer", "0:")
    today = referee.asks("/api/table")["solitaire"]
    assert today["day"] == time.strftime("%Y-%m-%d")
    assert today["level"] == "easy"
    referee.clicks("#solo-hint")
    referee.until(lambda: referee.all("#board .mark.hint"))
    referee.sees("#solving", "1 hint")
    referee.sees("#solving .solo-hint", referee.asks("/api/table")["hint_told"]["words"])
    referee.until(lambda: len(referee.all("#tray .advised")) == 1)  # which of the twelve it is
    solution = solve(host.state.position).solutions[0]
    host.do(lambda: host.game.play(solution[:1]))
    position = host.state.position
    spoils = next(
        move
        for move in position.moves()
        if not position.play(move).outcome() and not solve(position.play(move)).solutions
    )
    host.do(lambda: host.game.play([str(spoils)]))
    referee.until(lambda: len(referee.asks("/api/table")["moves"]) == 2)
    referee.until(lambda: referee.clicks("#solo-can") or True)
    referee.sees("#solving", "This can no longer be solved.")
    assert referee.finds("#solving").size["height"] < 300  # told in its place, and no more
    referee.until(lambda: referee.clicks("#solo-back") or True)
    referee.until(lambda: len(referee.asks("/api/table")["moves"]) == 1)
    referee.sees("#solving", "this can still be solved")
    host.do(lambda: host.game.play(solve(host.state.position).solutions[0]))
    referee.until(lambda: re.fullmatch(r"Solved in \d+:\d\d, 1 hint", referee.text("#ending h2")))
    assert serious(referee) == []
    referee.goes_to("/games")
    referee.until(lambda: referee.all("#games li"))
    referee.run(
        "document.querySelector('#which').value = 'solved';"
        "document.querySelector('#finder').dispatchEvent(new Event('input'))"
    )
    referee.sees("#games", "Solved in")


def test_stuck_is_no_end_but_an_offer(referee: Person, table: Place) -> None:
    host = table.host
    referee.chooses("hepta-solo")
    referee.run("document.querySelector('#problem').value = 'new-medium'")
    referee.clicks("#begin")
    referee.finds("#solo-hint")
    finish(host)
    if host.state.outcome and host.state.outcome.winner:  # as good as never
        return
    referee.sees("#ending h2", "Not solved")
    referee.clicks("#end-last-good")
    referee.until(lambda: not referee.asks("/api/table")["over"])
    referee.sees("#solving", "this can still be solved")


# --- the review


@pytest.fixture(scope="module")
def six_faces(table: Place) -> int:
    return finished(table.host, "six-faces", about={"players": ["Ann", "Bob"]})


def reviewed(person: Person, number: int) -> dict[str, Any]:
    person.goes_to(f"/replay/{number}")
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found: dict[str, Any] = person.asks(f"/api/games/{number}/review")
        if found["done"] == found["of"]:
            person.until(
                lambda: not person.finds("#review").find_elements("css selector", "progress")[0].is_displayed()
            )
            return found
        time.sleep(0.3)
    raise AssertionError("the review takes too long")


def test_mistakes_are_marked_and_the_better_move_is_drawn(referee: Person, six_faces: int) -> None:
    found = reviewed(referee, six_faces)
    assert found["values"][0]["ply"] == 0
    assert {one["side"] for one in found["values"]} == {"white"}
    mistake = found["mistakes"][0]
    assert len(referee.all("#ticks .tick")) == len(found["mistakes"]) == len(referee.all("#mistakes button"))
    referee.clicks("#mistakes button")
    referee.until(lambda: referee.text("#at").startswith(f"{mistake['ply']} /"))
    ringed = referee.until(lambda: referee.all("#board .mark.hint"))[0].get_attribute("data-squares").split()
    assert sorted(ringed) == sorted(set(mistake["squares"]))
    assert mistake["better_words"] in referee.text("#remark")
    referee.clicks("#better")
    referee.until(lambda: not referee.all("#board .mark.hint"))
    referee.until(lambda: referee.all("#graph svg .line"))
    assert "Ann: " in referee.text("#times")
    assert serious(referee) == []
    referee.sits_before(*PHONE)
    assert nothing_sticks_out(referee)


@pytest.fixture(scope="module")
def plank(table: Place) -> int:
    """A short one, on a field that grows."""
    host, hand = table.host, {"R": 2, "W": 2, "B": 2}
    moves = ["RBW^ R@a0", "WRB^ W@a1", "B@b0", "RWB^ R@a2", "W@c0"]
    setup = {"players": 2, "hands": {"A": hand, "B": hand}}
    host.do(lambda: host.begin({"game": "plank", "setup": setup, "about": {"players": ["<i>Ann", "Bob & Co"]}}))
    host.do(lambda: host.game.play(moves))
    assert host.state.number
    return host.state.number


def test_what_is_shared_is_whole(referee: Person, table: Place, plank: int, tmp_path: Path) -> None:
    reviewed(referee, plank)
    looker, plies = table.browser(None), len(table.host.store.record(plank)["moves"])

    def shared(kind: str) -> bytes:
        status, content, headers = looker.ask("GET", f"/api/games/{plank}/shared.{kind}", decode=False)
        assert status == 200
        assert headers["Content-Disposition"] == f'attachment; filename="plank-{plank}.{kind}"'
        return bytes(content)

    page = tmp_path / "game.html"
    page.write_bytes(shared("html"))
    assert not re.search(rb"""(?:src|href)=["'](?!#)|url\((?!#)|@import|fetch\(""", page.read_bytes())
    assert len(page.read_bytes()) < 400_000
    referee.driver.get(page.as_uri())
    referee.until(lambda: referee.text("#at") == f"{plies} / {plies}")
    assert referee.text(".title") == "<i>Ann – Bob & Co"
    (won,) = referee.all("#board .mark.won")
    assert won.get_attribute("data-squares") == "a0 b0 c0"
    assert referee.all("figure svg .line")
    referee.clicks("#back")
    assert referee.text("#at") == f"{plies - 1} / {plies}"
    assert not referee.all("#board .mark.won")
    assert len(referee.all("#board .square")) == 9
    assert serious(referee) == []

    content = shared("gif")
    assert len(content) < 300_000
    done, film = cv2.imdecodeanimation(np.frombuffer(content, np.uint8))
    assert done
    assert len(film.frames) == plies + 1
    still = cv2.imdecode(np.frombuffer(shared("png"), np.uint8), cv2.IMREAD_COLOR)
    assert still is not None
    assert still.shape[1] == 900
    high = film.frames[-1].shape[0]
    small = cv2.resize(still, (480, round(480 * still.shape[0] / still.shape[1])), interpolation=cv2.INTER_AREA)
    # the last frame, laid over all before it, is what the still shows
    top = (high - small.shape[0]) // 2
    last = film.frames[-1][top : top + small.shape[0], :, :3]
    assert np.abs(small.astype(int) - last).mean() < 6


def test_an_unfinished_game_is_not_reviewed(table: Place) -> None:
    host, looker = table.host, table.browser(None)
    host.do(lambda: host.begin({"game": "six-faces"}))
    status, told, _ = looker.ask("GET", f"/api/games/{host.state.number}/review")
    assert (status, told["error"]) == (409, "not-over")


# --- the list


def test_games_are_found_named_kept_and_deleted(referee: Person, table: Place, six_faces: int) -> None:
    host = table.host
    other = finished(host, "hepta", about={"players": ["Zoé", "Bob"]})
    host.do(lambda: host.begin({"game": "plank", "setup": record_for(host.camera, "plank", {})["setup"]}))
    referee.goes_to(f"/replay/{other}")
    referee.sees("#name", "Hepta · Zoé – Bob")
    referee.types("#title", "The final of Lyon")
    referee.clicks("#rename button")
    referee.sees("#name", "The final of Lyon")
    referee.clicks("#keep")
    referee.until(lambda: next(one for one in host.store.games() if one.id == other).keep)
    referee.goes_to("/games")
    referee.until(lambda: referee.all("#games li"))
    for asked in ("zoe", "final lyon"):
        referee.types("#search", asked)
        referee.until(lambda: len(referee.all("#games li")) == 1)
        referee.sees("#games", "The final of Lyon")
    referee.types("#search", "nobody of that name")
    referee.sees("#found", "No game fits")
    assert serious(referee) == []
    referee.sits_before(*PHONE)
    assert nothing_sticks_out(referee)
    referee.sits_before(*DESK)
    referee.goes_to(f"/replay/{other}")
    referee.sees("#name", "The final of Lyon")
    referee.clicks("#remove")
    referee.clicks("dialog[open] .primary")
    referee.until(lambda: referee.run("return document.body.dataset.page") == "games")
    assert other not in {one.id for one in host.store.games()}
    assert six_faces in {one.id for one in host.store.games()}
    assert host.store.verify().findings == []
    assert table.browser(None).ask("GET", f"/api/games/{other}")[0] == 404


def test_only_the_referee_deletes_and_never_the_game_in_play(table: Place) -> None:
    host = table.host
    number = finished(host, "hepta")
    player = table.browser(PLAYER)
    assert player.ask("POST", f"/api/games/{number}/remove", {})[0] == 403
    status, told, _ = table.browser(REFEREE).ask("POST", f"/api/games/{number}/remove", {})
    assert (status, told["error"]) == (409, "game-in-play")
    assert player.ask("POST", "/api/games/999/shelf", {"keep": True})[0] == 404


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"game": "hepta", "games": 2}, "wrong-count"),
        ({"game": "hepta", "games": 2, "players": ["Ann", "Ann"]}, "names-alike"),
        ({"game": "hepta", "games": 3, "players": ["Ann", "Bob"]}, "not-a-match"),
        ({"game": "tetrods", "games": 3, "players": ["Ann"]}, "no-match"),
        ({"game": "hepta", "problem": {"level": "easy"}}, "no-solitaire"),
        ({"game": "tetrods", "problem": {"level": "absurd"}}, "not-one-of"),
    ],
)
def test_what_makes_no_match_or_problem_is_refused(table: Place, body: dict[str, Any], error: str) -> None:
    status, told, _ = table.browser().ask("POST", "/api/new", body)
    assert (status, told["error"]) == (422, error)


# --- every game, size, theme and language

ENDED = [
    ("hepta", {}),
    ("t-for-two", {}),
    ("pegs", {}),
    ("six-faces", {}),
    ("plank", {"setup": {"players": 3}}),
    ("trippples", {"deals": True}),
    ("hepta-solo", {}),
    ("tetrods", {}),
    ("pegs-solo", {}),
]


@soak
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("screen", [PHONE, DESK, WALL])
def test_ends_and_reviews_on_every_screen(
    referee: Person, table: Place, screen: tuple[int, int], language: str, theme: str
) -> None:
    referee.speaks(language)
    referee.run("localStorage.setItem('theme', arguments[0])", theme)
    referee.sits_before(*screen)
    for game, agreed in ENDED:
        number = finished(table.host, game, **dict(agreed))
        referee.goes_to("/")
        said = referee.until(lambda: referee.finds("#ending h2").text)
        assert said[0] == said[0].upper()
        assert nothing_sticks_out(referee), game
        assert serious(referee) == [], game
        reviewed(referee, number)
        assert referee.text("#outcome")[0].isupper()
        for mistake in referee.all("#mistakes button")[:1]:
            mistake.click()
            assert referee.until(lambda: referee.text("#remark"))[0].isupper()
        assert nothing_sticks_out(referee), game
        assert serious(referee) == [], game
    referee.goes_to("/games")
    referee.until(lambda: referee.all("#games li"))
    assert nothing_sticks_out(referee)
    assert serious(referee) == []


@soak
@pytest.mark.parametrize(("game", "agreed"), ENDED)
def test_every_game_is_shared(table: Place, game: str, agreed: dict[str, Any]) -> None:
    number = finished(table.host, game, **dict(agreed))
    address = f"http://127.0.0.1:{table.port}/api/games/{number}/shared"
    positions = len(table.host.store.record(number)["moves"]) + 1
    for kind in ("gif", "webp"):
        content = requests.get(f"{address}.{kind}", timeout=PATIENCE).content
        done, film = cv2.imdecodeanimation(np.frombuffer(content, np.uint8))
        assert done
        assert len(film.frames) == positions
    page = requests.get(f"{address}.html", timeout=PATIENCE).text
    assert page.count("data-ply=") >= positions - 1
