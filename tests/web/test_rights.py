"""What a cheat might try by another door, over real HTTP: each door asks the same table of rights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rights import Who
from companion.table.clocks import Clock
from companion.table.table import Question, QuestionCode
from tests.web.serving import PLAYER, Browser, Place, served

CAMERA = Who(camera=True)
JPEG = cv2.imencode(".jpg", np.full((120, 160, 3), 90, np.uint8))[1].tobytes()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with served(tmp_path, "six-faces") as found:
        yield found


@pytest.fixture
def white(place: Place) -> Browser:
    return place.browser(PLAYER, seats=["white"])


@pytest.fixture
def red(place: Place) -> Browser:
    return place.browser(PLAYER, seats=["red"])


def test_a_player_plays_for_his_own_seat_only(place: Place, white: Browser, red: Browser) -> None:
    assert red.post("/api/play", {"moves": ["b1-b2"]}, status=403)["error"] == "needs-seat"
    assert white.post("/api/play", {"moves": ["b1-b2", "b8-b7"]}, status=403)["error"] == "needs-seat"
    white.post("/api/play", {"moves": ["b1-b2"]})
    assert white.post("/api/play", {"moves": ["b8-b7"]}, status=403)["error"] == "needs-seat"
    assert red.post("/api/back", {"count": 1}, status=403)["error"] == "needs-seat"
    third = place.browser(PLAYER)
    for path, body in (("play", {"moves": ["b8-b7"]}), ("pause", {"paused": True}), ("hints", {"on": True})):
        assert third.post(f"/api/{path}", body, status=403)["error"] == "needs-seat"
    red.post("/api/play", {"moves": ["b8-b7"]})


def test_nobody_stops_his_own_clock_while_another_waits(place: Place, white: Browser, red: Browser) -> None:
    """By whatever door: with seconds left, a cheat would think for as long as he likes."""
    referee = place.browser()
    referee.post("/api/clock", {"do": "set", "clock": {"kind": "fischer", "main": 60, "more": 5}})
    white.post("/api/play", {"moves": ["b1-b2"]})
    for path, body in (("pause", {"paused": True}), ("clock", {"do": "stop"})):
        assert red.post(f"/api/{path}", body, status=403)["error"] == "own-clock"
        assert red.get("/api/table")["clock"]["running"] == "red"
        white.post(f"/api/{path}", body)  # who waits may give him the time
        assert red.get("/api/table")["clock"]["running"] is None
        red.post("/api/pause", {"paused": False})
        red.post("/api/clock", {"do": "start"})
    red.post("/api/logout")  # and he does not get up to do it either
    third = place.browser(PLAYER)
    assert third.post("/api/clock", {"do": "stop"}, status=403)["error"] == "own-clock"
    assert third.post("/api/pause", {"paused": True}, status=403)["error"] == "own-clock"
    assert referee.post("/api/pause", {"paused": True})["paused"]


def test_a_seat_has_one_player(place: Place, white: Browser) -> None:
    other = place.browser(PLAYER)
    assert other.post("/api/seat", {"seats": ["white"]}, status=409)["error"] == "seat-taken"
    assert other.get("/api/me")["free"] == ["red"]
    assert other.post("/api/seat", {"seats": ["blue"]}, status=422)["error"] == "not-one-of"
    white.post("/api/logout")
    assert other.post("/api/seat", {"seats": ["white", "red"]})["seats"] == ["red", "white"]
    assert place.browser(None).post("/api/seat", {"seats": []}, status=401)["error"] == "needs-pin"


def test_nobody_resigns_for_another(white: Browser, red: Browser, place: Place) -> None:
    white.post("/api/play", {"moves": ["b1-b2"]})
    assert white.post("/api/result", {"winner": "white", "why": "resigned"}, status=403)["error"] == "needs-seat"
    assert white.post("/api/result", {"winner": None, "why": "agreed"}, status=403)["error"] == "needs-seat"
    for why in ("time", "forfeit", "referee"):
        told = white.post("/api/result", {"winner": "white", "why": why}, status=403)
        assert told["error"] == "needs-referee", why
    unseated = place.browser(PLAYER)
    assert unseated.post("/api/result", {"winner": "white", "why": "resigned"}, status=403)["error"] == "needs-seat"
    assert red.post("/api/result", {"winner": "white", "why": "resigned"})["outcome"]["winner"] == "white"


def test_a_running_game_is_not_put_aside_by_one_player(white: Browser, red: Browser, place: Place) -> None:
    white.post("/api/play", {"moves": ["b1-b2"]})
    number = white.get("/api/table")["id"]
    for browser in (white, red, place.browser(PLAYER)):
        assert browser.post("/api/new", {"game": "hepta"}, status=403)["error"] == "needs-seat"
        assert browser.post("/api/open", {"id": number}, status=403)["error"] == "needs-seat"
    assert white.get("/api/table")["id"] == number
    red.post("/api/result", {"winner": "white", "why": "resigned"})
    assert white.post("/api/new", {"game": "hepta"})["id"] == number + 1


def test_what_has_ended_is_opened_by_the_referee_only(white: Browser, red: Browser, place: Place) -> None:
    """Who takes back his last move would undo that he has resigned; who calls a flag, that he has lost."""
    number = white.get("/api/table")["id"]
    place.browser().post("/api/clock", {"do": "set", "clock": {"kind": "fischer", "main": 600, "more": 5}})
    white.post("/api/play", {"moves": ["b1-b2"]})
    white.post("/api/result", {"winner": "red", "why": "resigned"})
    place.host.do(lambda: setattr(place.host.clock, "clock", fallen(place.host.clock.clock, "red")))
    assert white.post("/api/result", {"winner": "white", "why": "time"}, status=403)["error"] == "needs-referee"
    for browser in (white, red, place.browser(PLAYER)):
        assert browser.post("/api/back", {"count": 1}, status=403)["error"] == "needs-referee"
        assert browser.post("/api/back", {}, status=403)["error"] == "needs-referee"
        browser.post("/api/open", {"id": number})  # it is opened to be looked at
        assert browser.get("/api/table")["outcome"]["winner"] == "red"
    assert place.browser().post("/api/back", {"count": 1})["outcome"] is None


def fallen(clock: Clock | None, seat: str) -> Clock:
    assert clock
    return clock._replace(seats={**clock.seats, seat: clock.seats[seat]._replace(flag=True)})


def test_a_move_that_ended_the_game_is_taken_back_by_all(place: Place) -> None:
    moves = ["d1-d3-h3", "f8-f3-e3", "i1-i5-h5", "g8-f8-f7", "f1-f7", "d8-d4-f4", "g1-g2-h2", "e8-e7", "f7-e7"]
    assert place.browser().post("/api/play", {"moves": moves})["outcome"]["winner"] == "white"
    both = place.browser(PLAYER)
    assert both.post("/api/back", {"count": 2})["outcome"] is None  # nobody has sat down: it is everybody's
    both.post("/api/play", {"moves": moves[-2:]})
    white, red = (place.browser(PLAYER, seats=[seat]) for seat in ("white", "red"))
    for browser, count in ((white, 1), (red, 2), (white, 2)):
        assert browser.post("/api/back", {"count": count}, status=403)["error"] == "needs-seat"
    assert place.browser().post("/api/back", {"count": 1})["outcome"] is None


def test_locked_hints_stay_locked_by_every_path(white: Browser, red: Browser, place: Place) -> None:
    referee = place.browser()
    referee.post("/api/hints", {"on": False, "locked": True})
    for seats in ({"white": 5}, {"red": 5}, {"white": 5, "red": 5}):
        assert white.post("/api/computer", {"seats": seats}, status=403)["error"] == "hints-locked"
    assert white.post("/api/hints", {"on": True}, status=403)["error"] == "hints-locked"
    place.host.do(lambda: place.host._press(2))  # the hint's button at the board
    state = white.get("/api/table")
    assert (state["hint"], state["analysis"], state["computer"]) == (None, None, {})
    assert place.host.aids._once is None
    # nor does another game open them, be it begun with the computer now, or when they were not locked yet
    helped = {"game": "six-faces", "computer": {"white": 5}}
    assert white.post("/api/new", helped, status=403)["error"] == "hints-locked"
    referee.post("/api/hints", {"locked": False})
    assert red.post("/api/computer", {"seats": {"white": 5}}, status=403)["error"] == "needs-seat"
    assert white.post("/api/computer", {"seats": {"white": 1}})["computer"] == {"white": 1}
    old = white.post("/api/new", helped | {"game": "hepta", "computer": {"second": 1}})["id"]
    referee.post("/api/new", {"game": "hepta"})
    referee.post("/api/hints", {"on": False, "locked": True})
    assert white.post("/api/open", {"id": old}, status=403)["error"] == "hints-locked"
    assert referee.post("/api/open", {"id": old})["computer"] == {"second": 1}
    assert white.post("/api/new", {"game": "six-faces"})["computer"] == {}


def test_what_a_question_decides_needs_the_right_of_it(white: Browser, place: Place) -> None:
    """An illegal move stands if the referee says so, whichever way he is asked."""
    table, host = place.host.game, place.host
    seen = table.position.visible()
    asked = Question("stood-1", QuestionCode.STOOD, {"moves": [], "count": 0, "seen": seen}, ("yes", "no"))
    host.do(lambda: setattr(table, "question", asked))
    told = white.post("/api/answer", {"id": asked.id, "answer": "yes"}, status=403)
    assert told["error"] == "needs-referee"
    assert table.moves == []
    white.post("/api/answer", {"id": asked.id, "answer": "no"})
    host.do(lambda: setattr(table, "question", asked))
    place.browser().post("/api/answer", {"id": asked.id, "answer": "yes"})
    assert len(table.moves) == 1


def test_a_question_is_answered_by_whom_it_is_about(white: Browser, red: Browser, place: Place) -> None:
    """Which of several moves it was is told by who made it, not by who made the one before."""
    table, host = place.host.game, place.host
    white.post("/api/play", {"moves": ["b1-b2"]})
    start = table.referee.line
    lines = [start.then([table.game.read(text)]) for text in ("b8-b7", "c8-c7")]

    def ask() -> str:
        table.referee.lines = lines
        table._ask_which()
        assert table.question
        return table.question.id

    asked = host.do(ask)
    assert white.post("/api/answer", {"id": asked, "answer": "c8-c7"}, status=403)["error"] == "needs-seat"
    red.post("/api/answer", {"id": asked, "answer": "c8-c7"})
    assert table.moves == ["b1-b2", "c8-c7"]
    # what is made otherwise is the business of all whose moves it takes back or makes
    for params, refused in (
        ({"count": 1, "moves": ["b8-b7"]}, [white]),
        ({"count": 2, "moves": ["c1-c2"]}, [white, red]),
        ({"count": 1, "moves": ["b8-b7", "c1-c2"]}, [white, red]),
    ):
        other = Question("otherwise-1", QuestionCode.OTHERWISE, {**params, "seen": None}, ("yes", "no"))
        host.do(lambda other=other: setattr(table, "question", other))  # type: ignore[misc]
        for browser in refused:
            assert browser.post("/api/answer", {"id": other.id, "answer": "yes"}, status=403)["error"] == "needs-seat"
    stuck = Question("stuck-1", QuestionCode.STUCK, {"seen": None}, ("stands", "put-back", "agreed"))
    host.do(lambda: setattr(table, "question", stuck))
    assert white.post("/api/answer", {"id": stuck.id, "answer": "stands"}, status=403)["error"] == "needs-referee"
    white.post("/api/answer", {"id": stuck.id, "answer": "put-back"})


def test_the_camera_is_the_referees(white: Browser, place: Place) -> None:
    """A player who sends pictures changes nothing; a phone that the referee made the camera does."""
    told = white.ask("POST", "/api/camera/frame", JPEG, {"Content-Type": "image/jpeg"})
    assert (told[0], told[1]["error"]) == (403, "needs-referee")
    assert place.host.camera.source == "none"
    phone = place.browser(None)
    word = place.server.app.extensions["people"].invite(CAMERA, 1, 60.0)
    phone.post("/api/login", {"invitation": word})
    assert phone.ask("POST", "/api/camera/frame", JPEG, {"Content-Type": "image/jpeg"})[1] == {"number": 1}
    assert place.host.camera.source == "browser"
    assert phone.post("/api/play", {"moves": ["b1-b2"]}, status=401)["error"] == "needs-pin"


@pytest.mark.parametrize(("game", "options", "field"), [("pegs", {}, "deck"), ("trippples", {"hidden": True}, "tiles")])
def test_what_nobody_may_know_is_not_to_be_had_while_it_is_played(
    game: str, options: dict[str, object], field: str, place: Place
) -> None:
    referee, player = place.browser(), place.browser(PLAYER)
    viewer, store = place.browser(None), place.host.store
    number = referee.post("/api/new", {"game": game, "options": options, "deal": True})["id"]
    secret = referee.get(f"/api/games/{number}")["record"]["setup"][field]
    place.host.do(lambda: store.append(number, "verdict", {"verdict": "unsure", "looks": [{"codes": []}]}))

    def is_told(path: str, browser: Browser) -> bool:
        status, told, _ = browser.ask("GET", f"/api/games/{number}/{path}")
        assert (status, told.get("error")) in ((200, None), (403, "secret-running"))
        return status == 200

    for _ in range(2):  # while it is played; and when another was begun instead, to be gone on with later
        for browser in (viewer, player):
            assert field not in browser.get(f"/api/games/{number}")["record"]["setup"]
            assert not any(is_told(path, browser) for path in ("record.json", "evidence.json"))
        assert referee.get(f"/api/games/{number}/record.json")["setup"][field] == secret
        assert is_told("evidence.json", referee)
        player.post("/api/new", {"game": "hepta"})
    player.post("/api/open", {"id": number})
    assert f'"{field}"' not in json.dumps(viewer.get("/api/table"))
    shared = viewer.ask("GET", f"/api/games/{number}/shared.html")[1].decode()
    assert f'"{field}"' not in shared
    assert json.dumps(secret)[1:30] not in shared
    referee.post("/api/result", {"winner": None, "why": "agreed"})
    assert viewer.get(f"/api/games/{number}/record.json")["setup"][field] == secret
    assert is_told("evidence.json", viewer)


def test_what_lies_under_a_tile_is_not_told_before_it_is_turned_up(place: Place) -> None:
    referee, viewer = place.browser(), place.browser(None)
    referee.post("/api/new", {"game": "trippples", "options": {"hidden": True}, "deal": True})
    offered = viewer.get("/api/moves")["moves"]
    assert offered
    assert not any("=" in text for one in offered for text in (one["move"], one.get("announced", "")))
    to = offered[0]["move"]
    told = {text: viewer.get(f"/api/why?move={to}{text}") for text in ("", "=N-E-S", "=N-S-W", "=NE-SE-SW")}
    assert len({str(answer) for answer in told.values()}) == 1  # no guess is told from another
    moves = referee.post("/api/play", {"moves": [to]})["moves"]
    assert moves[0]["text"].startswith(f"{to}=")


def test_settings_show_no_secrets(place: Place) -> None:
    for source in ("rtsp://u:pa/ss@cam.local:554/live?password=secret&x=1", "http://u@cam.local/token-abc/v.mjpg#key"):
        place.host.camera.connection = place.host.camera.connection._replace(source=source)
        for browser in (place.browser(None), place.browser(PLAYER)):
            shown = {one["name"]: one["value"] for one in browser.get("/api/settings")}
            assert shown["camera"] == ""
            assert shown["data"] == ""
        shown = {one["name"]: one["value"] for one in place.browser().get("/api/settings")}
        assert "cam.local" in shown["camera"]
        assert not any(word in shown["camera"] for word in ("pa", "ss@", "secret", "token", "key", "u:", "u@"))
    place.host.camera.connection = place.host.camera.connection._replace(source="none")
