"""The API over real HTTP: looking, doing, and what its description promises."""

from __future__ import annotations

import gzip
import json
import random
import re
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import cv2
import jsonschema
import numpy as np
import pytest
from flask import Response

from companion.games import game as game_of
from companion.games import game_ids
from companion.solvers.playing import sensible_move
from tests.web.serving import PLAYER, Events, Place, served
from web import answers, inputs
from web.api import ENDPOINTS, JPEG, api_markdown, openapi
from web.pictures import CACHE_TIME, WIDTH
from web.schema import Open, Schema, check, schema_of


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with served(tmp_path_factory.mktemp("data"), "six-faces") as found:
        yield found


def as_promised(told: Any, kind: Any) -> Any:
    """What was answered, if it is of this kind."""
    components: dict[str, Schema] = {}
    schema = schema_of(kind, components) | {"components": {"schemas": components}}
    jsonschema.Draft202012Validator(schema).validate(told)
    return told


def new(place: Place, game: str, **more: Any) -> Any:
    return place.browser().post("/api/new", {"game": game, **more})


# --- playing


@pytest.mark.parametrize("game", game_ids())
def test_a_whole_game_is_played_by_hand(game: str, place: Place) -> None:
    """Every game, from its start to its result; what the page offers is legal, and the game can be replayed."""
    browser, chance = place.browser(PLAYER), random.Random(5)
    state = as_promised(browser.post("/api/new", {"game": game, "players": ["Ann", "Bob"]}), answers.State)
    assert (state["game"], state["over"], state["role"]) == (game, False, "player")
    played = 0
    while not state["over"] and played < 400:
        position = place.host.state.position
        if played % 10 == 0:
            offered = all_moves(as_promised(browser.get("/api/moves"), answers.Moves))
            assert {str(move) for move in position.moves()} <= offered
            assert all(position.why_not(game_of(game).read(text)) is None for text in offered)
            assert b"<svg" in browser.get("/api/board.svg")
        state = browser.post(
            "/api/play", {"moves": [str(sensible_move(game_of(game), position, chance, tired=played > 60))]}
        )
        played += 1
    as_promised(state, answers.State)
    assert state["over"]
    assert state["outcome"]["text"]
    assert browser.get("/api/moves") == {"moves": [], "choices": []}
    told = browser.post("/api/play", {"moves": [state["moves"][-1]["text"]]}, status=409)
    assert (told["error"], told["rule"]) == ("illegal-move", "over")
    kept = as_promised(browser.get(f"/api/games/{state['id']}"), answers.Game)
    assert [ply["move"] for ply in kept["plies"]] == [move["text"] for move in state["moves"]]
    assert kept["result"]["text"]
    record = as_promised(browser.get(f"/api/games/{state['id']}/record.json"), Annotated[answers.Record, Open()])
    record["about"] = {name: value for name, value in record["about"].items() if name != "head"}
    assert record == kept["record"]
    assert b"<svg" in browser.get(f"/api/board.svg?game={state['id']}&ply={played // 2}&flip=1")


def test_an_illegal_move_is_refused_with_its_rule_and_reason(place: Place) -> None:
    new(place, "six-faces")
    browser = place.browser()
    told = browser.post("/api/play", {"moves": ["b1-b3"]}, status=409)
    assert (told["error"], told["rule"]) == ("illegal-move", "six-faces.3")
    assert "must roll exactly" in told["reason"]
    french = browser.ask("POST", "/api/play?lang=fr", {"moves": ["b1-b3"]})[1]["reason"]
    assert french != told["reason"]
    assert browser.post("/api/play", {"moves": ["rubbish"]}, status=422)["rule"] == "format"
    assert browser.get("/api/why?move=b1-b3") == {"legal": False, "rule": "six-faces.3", "reason": told["reason"]}
    assert browser.get("/api/why?move=b1-b2")["legal"] is True
    assert browser.get("/api/table")["moves"] == []


def all_moves(offered: Any) -> set[str]:
    """The texts of all moves that are offered, those with a choice of pieces once for each piece."""
    return {
        move["move"].replace("{}", piece["name"])
        for move in offered["moves"]
        for piece in (offered["choices"][move["choices"]] if "choices" in move else [{"name": ""}])
    }


def test_moves_tell_where_they_happen_and_what_they_take(place: Place) -> None:
    browser = place.browser()
    new(place, "six-faces")
    moves = {move["move"]: move for move in browser.get("/api/moves")["moves"]}
    assert moves["b1-b2"] == {
        "move": "b1-b2",
        "label": "White's 1: b1 → b2, now a 3",
        "trace": {"touch": ["b1", "b2"], "ordered": True, "start": ["b1"], "to": ["b2"], "faces": ["w3:nw"]},
        "top": "3",
    }
    assert moves["d1-d6-e6"]["trace"] == {
        "touch": ["d1", "d6", "e6"],
        "ordered": True,
        "start": ["d1"],
        "route": ["d2", "d3", "d4", "d5", "d6"],
        "turns": ["d6"],
        "to": ["e6"],
        "faces": ["w3:nw", "w1", "w4", "w6:ew", "w3:nw", "w5"],
    }
    assert {move["top"] for move in moves.values()} <= set("123456K")
    hands = {player: {"R": 2, "W": 2, "B": 2} for player in "AB"}
    new(place, "plank", setup={"players": 2, "hands": hands})
    moves = {move["move"]: move for move in browser.get("/api/moves?lang=fr")["moves"]}
    assert moves["RWB^ W@b0"] == {
        "move": "RWB^ W@b0",
        "label": "La planche rouge-blanc-bleu au nord, le jeton blanc de A en b0",
        "trace": {"touch": ["b0"], "ordered": False, "laid": ["a0", "b0", "c0"], "to": ["b0"]},
        "pieces": [
            {"kind": "plank", "name": "RWB", "model": "W", "words": "la planche rouge-blanc-bleu"},
            {"kind": "token", "name": "W", "face": "A", "words": "un jeton blanc"},
        ],
    }


def test_moves_that_differ_in_the_piece_alone_are_told_once(place: Place) -> None:
    """While the frame of Trippples is filled there are 3136 moves, and as many names as tiles and squares."""
    browser = place.browser()
    new(place, "trippples")
    told = browser.get("/api/moves")
    assert len(told["moves"]) == 56
    assert [len(choices) for choices in told["choices"]] == [56]
    assert told["moves"][0] == {
        "move": "{}@b1",
        "label": "{} on b1",
        "trace": {"touch": ["b1"], "ordered": False, "to": ["b1"]},
        "choices": 0,
    }
    assert len(json.dumps(told)) < 12_000
    assert len(gzip.compress(json.dumps(told).encode())) < 2_000  # as it travels
    new(place, "trippples", options={"hidden": True})
    told = browser.get("/api/moves")
    assert sorted(move["move"] for move in told["moves"]) == ["a2={}", "b1={}", "b2={}"]
    assert {move["announced"] for move in told["moves"]} == {"a2={}!", "b1={}!", "b2={}!"}
    new(place, "trippples", options={"hidden": True}, deal=True)  # the pack was laid: nobody is told before he looks
    told = browser.get("/api/moves")
    assert told["choices"] == []
    assert {move["label"] for move in told["moves"]} == {f"The square pawn: a1 → {to}" for to in ("a2", "b1", "b2")}
    assert not any("pieces" in move for move in told["moves"])
    assert all(browser.get(f"/api/why?move={move['move']}")["legal"] for move in told["moves"])


def test_what_nobody_saw_can_be_played_without_a_name(place: Place) -> None:
    new(place, "pegs", deal=False)
    browser = place.browser(PLAYER)
    browser.post(
        "/api/play", {"moves": [*(f"o{square}" for square in ("a1", "a2", "a3", "b1", "b2", "b3", "c1")), "."]}
    )
    told = browser.get("/api/moves")
    assert [move["move"] for move in told["moves"]] == ["+?", "+{}"]
    assert told["moves"][0]["label"] == "Blue draws a card that nobody saw"
    assert told["choices"][told["moves"][1]["choices"]][0]["kind"] == "card"


def test_squares_that_are_no_move_are_explained(place: Place) -> None:
    browser = place.browser()
    new(place, "six-faces")
    told = browser.get("/api/why?squares=b1,b3")
    assert (told["legal"], told["rule"]) == (False, "six-faces.3")
    assert "b1" in told["reason"]
    assert browser.get("/api/why?squares=b8")["rule"] == "turn"
    assert browser.get("/api/why?squares=b1,b2") == {"legal": True, "rule": None, "reason": None}
    new(place, "hepta")
    browser.post("/api/play", {"moves": ["#d4"]})
    told = browser.get("/api/why?squares=d4&lang=fr")
    assert "d4" in told["reason"]
    for squares in ("", "d", "4", "d4;", "x" * 13, ",".join(["d4"] * 300)):
        assert browser.ask("GET", f"/api/why?squares={squares}")[0] == 422


@pytest.mark.parametrize("game", game_ids())
def test_any_squares_can_be_asked_about(game: str, place: Place) -> None:
    new(place, game)
    browser, chance = place.browser(), random.Random(2)
    for _ in range(12):
        squares = [f"{chance.choice('abcghiz')}{chance.choice([-3, 0, 1, 2, 7, 8, 9, 42])}" for _ in range(3)]
        as_promised(browser.get(f"/api/why?squares={','.join(squares[: chance.randint(1, 3)])}"), answers.Why)


def test_texts_travel_packed(place: Place) -> None:
    new(place, "trippples", deal=True)
    browser = place.browser()
    for path in ("/api/board.svg", "/api/catalogue", "/", "/static/table.js"):
        whole = browser.ask("GET", path)[1]
        status, packed, headers = browser.ask("GET", path, headers={"Accept-Encoding": "gzip"}, decode=False)
        assert (status, headers["Content-Encoding"]) == (200, "gzip")
        unpacked = gzip.decompress(packed)
        assert (json.loads(unpacked) if path == "/api/catalogue" else unpacked) == whole
        assert len(packed) < len(unpacked) / 2
    assert browser.ask("GET", "/api/board.svg")[2]["Content-Encoding"] is None


def test_take_back_result_and_open_again(place: Place) -> None:
    new(place, "six-faces")
    player, referee = place.browser(PLAYER, seats=["white", "red"]), place.browser()
    player.post("/api/play", {"moves": ["b1-b2", "b8-b7"]})
    assert [m["text"] for m in player.post("/api/back", {"count": 1})["moves"]] == ["b1-b2"]
    assert player.post("/api/back", {"count": 7}, status=409)["error"] == "nothing-to-take-back"
    state = player.post("/api/result", {"winner": "red", "why": "resigned"})
    assert (state["over"], state["outcome"]["winner"], state["to_move"]) == (True, "red", None)
    assert player.post("/api/reopen", status=403)["error"] == "needs-referee"
    state = referee.post("/api/reopen")
    assert (state["over"], state["to_move"]) == (False, "red")
    assert player.post("/api/result", {"winner": "blue", "why": "resigned"}, status=422)
    assert player.post("/api/result", {"winner": "red", "why": "referee"}, status=403)


def test_a_reader_who_comes_back_finds_all_of_it(place: Place) -> None:
    new(place, "hepta", players=["Ann", "Bob"])
    browser = place.browser()
    told = browser.post("/api/play", {"moves": ["#a1", "#b2"]})
    again = place.browser(None).get("/api/table")
    assert {**told, "role": "viewer"} == again
    assert again["names"]["first"] == "Ann"


def test_what_nobody_saw_is_filled_in(place: Place) -> None:
    new(place, "pegs", deal=False)
    browser = place.browser(PLAYER)
    setting = [f"o{c}{r}" for r in "12" for c in "abcdefg"][:7]
    browser.post("/api/play", {"moves": [*setting, "."]})
    state = browser.post("/api/play", {"moves": ["+?", "+?", "+?"]})
    assert state["questions"] == []  # bookkeeping is not asked for
    asked = [move["unsaid"] for move in state["moves"] if move["unsaid"]]
    assert len(asked) == 3
    assert browser.post("/api/answer", {"id": asked[0]["id"], "answer": "999"}, status=422)
    state = browser.post("/api/answer", {"id": asked[0]["id"], "answer": "000011"})
    assert len([move for move in state["moves"] if move["unsaid"]]) == 2
    assert "+000011" in [move["text"] for move in state["moves"]]
    assert browser.post("/api/answer", {"id": "none", "answer": "yes"}, status=409)["error"] == "no-such-question"


def test_options_setups_and_names_are_checked(place: Place) -> None:
    browser = place.browser()
    before = browser.get("/api/table")["id"]
    for body in (
        {},
        {"game": "chess"},
        {"game": "six-faces", "options": {"handedness": "up"}},
        {"game": "six-faces", "options": []},
        {"game": "hepta-solo", "setup": {"blockers": ["a1"]}},
        {"game": "trippples", "options": {"players": 3}},
        {"game": "hepta", "players": [1]},
        {"game": "hepta", "clock": {"kind": "sand"}},
        {"game": "hepta", "clock": {"kind": "fischer", "main": -1}},
        {"game": "hepta", "more": 1},
        {"game": "plank", "setup": {"players": 9}},
        {"game": "plank", "options": {"repetition": "x"}},
    ):
        told = browser.post("/api/new", body, status=422)
        assert told["reason"], body
    assert browser.post("/api/new", {"game": "hepta", "from_camera": True}, status=404)["error"] == "no-camera"
    assert browser.post("/api/check", {"game": "hepta"}, status=404)["error"] == "no-camera"
    assert browser.get("/api/table")["id"] == before


def test_a_kept_game_is_gone_on_with(place: Place) -> None:
    first = new(place, "t-for-two")["id"]
    place.browser().post("/api/play", {"moves": ["@c3"]})
    new(place, "hepta")
    state = place.browser().post("/api/open", {"id": first})
    assert (state["id"], len(state["moves"])) == (first, 1)
    assert place.browser().post("/api/open", {"id": 10**6}, status=404)["error"] == "no-game"


def test_clocks(place: Place) -> None:
    new(place, "six-faces", clock={"kind": "fischer", "main": 60, "more": 5})
    player = place.browser(PLAYER, seats=["white", "red"])
    assert player.get("/api/table")["clock"]["running"] is None
    state = player.post("/api/play", {"moves": ["b1-b2"]})  # the first move starts the other's clock
    assert state["clock"]["running"] == "red"
    state = player.post("/api/play", {"moves": ["b8-b7"]})
    assert state["clock"]["running"] == "white"
    assert 64 < state["clock"]["seats"]["red"]["left"] <= 65
    assert player.post("/api/clock", {"do": "press"}, status=409)["error"] == "clock-needs-move"
    assert player.post("/api/clock", {"do": "stop"})["clock"]["running"] is None
    assert player.post("/api/clock", {"do": "add", "seat": "red", "seconds": 10}, status=403)
    state = place.browser().post("/api/clock", {"do": "add", "seat": "red", "seconds": 10})
    assert state["clock"]["seats"]["red"]["left"] > 70
    player.post("/api/clock", {"do": "start"})
    assert player.post("/api/pause", {"paused": True})["clock"]["running"] is None
    assert player.post("/api/pause", {"paused": False})["clock"]["running"] == "white"
    state = player.post("/api/result", {"winner": None, "why": "agreed"})
    assert state["clock"]["running"] is None
    new(place, "hepta")
    assert player.post("/api/clock", {"do": "start"}, status=409)["error"] == "no-clock"


def test_hints_are_switched_by_players_unless_the_referee_locks_them(place: Place) -> None:
    new(place, "hepta")
    player, referee = place.browser(PLAYER), place.browser()
    assert player.post("/api/hints", {"on": True})["hints"] == {"on": True, "locked": False}
    assert player.post("/api/hints", {"locked": True}, status=403)["error"] == "needs-referee"
    assert referee.post("/api/hints", {"on": False, "locked": True})["hints"] == {"on": False, "locked": True}
    assert player.post("/api/hints", {"on": True}, status=403)["error"] == "hints-locked"
    assert new(place, "hepta")["hints"]["locked"]  # for the next game too
    assert referee.post("/api/hints", {"locked": False})["hints"] == {"on": False, "locked": False}


def test_the_computer_takes_a_seat_and_plays(place: Place) -> None:
    new(place, "six-faces")
    player = place.browser(PLAYER)
    for wrong in ({"blue": 3}, {"red": 6}, {"red": True}, {"red": [3]}, [], None):
        assert player.post("/api/computer", {"seats": wrong}, status=422)["reason"]
    assert player.post("/api/computer", {"seats": {"red": 2}})["computer"] == {"red": 2}
    player.post("/api/play", {"moves": ["b1-b2"]})
    stream = place.events()
    while len((state := stream.next()[1])["moves"]) < 2:
        pass
    assert state["to_move"] == "white"
    assert player.post("/api/computer", {"seats": {}})["computer"] == {}


def test_a_flag_is_called_and_not_applied(place: Place) -> None:
    new(place, "six-faces", clock={"kind": "move", "more": 1})
    player = place.browser(PLAYER)
    player.post("/api/clock", {"do": "start"})
    stream = place.events()
    while not (state := stream.next()[1])["clock"]["seats"]["white"]["flag"]:
        assert not state["over"]
    assert not state["over"]
    assert player.post("/api/play", {"moves": ["b1-b2"]})["clock"]["seats"]["white"]["flag"]
    stream.close()


# --- the live stream


def test_every_change_comes_with_the_logs_number(place: Place) -> None:
    new(place, "t-for-two")
    stream = place.events()
    number, state = stream.next()
    assert (number, state["moves"]) == (state["event"], [])
    for n, square in enumerate(("c3",), 1):
        told = place.browser().post("/api/play", {"moves": [f"@{square}"]})
        number, state = stream.next()
        assert len(state["moves"]) == n
        assert number == told["event"] == place.host.store.last
    stream.close()


def test_who_was_asleep_catches_up(place: Place) -> None:
    new(place, "hepta")
    stream = place.events()
    last, _ = stream.next()
    stream.close()
    for square in ("a1", "b2", "c3"):
        place.browser().post("/api/play", {"moves": [f"#{square}"]})
    again = place.events(last)
    number, state = again.next()
    assert [move["text"] for move in state["moves"]] == ["#a1", "#b2", "#c3"]
    again.close()
    # who has seen the newest is told nothing until there is something newer
    waiting = place.events(number)
    place.browser().post("/api/play", {"moves": ["#d4"]})
    assert len(waiting.next()[1]["moves"]) == 4
    waiting.close()


def test_a_viewer_who_reads_nothing_does_not_slow_the_table(place: Place) -> None:
    new(place, "hepta")
    asleep = []
    for _ in range(5):
        viewer = socket.create_connection(("127.0.0.1", place.port))
        viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        viewer.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        asleep.append(viewer)
    awake, browser = place.events(), place.browser()
    awake.next()
    for _ in range(120):
        browser.post("/api/play", {"moves": ["#a1"]})
        browser.post("/api/back", {})
    while awake.next()[0] < place.host.store.last:
        pass
    for viewer in asleep:
        viewer.close()
    awake.close()


def test_many_viewers_see_the_same(place: Place) -> None:
    new(place, "hepta")
    viewers = [place.events() for _ in range(60)]
    for viewer in viewers:
        viewer.next()
    place.browser().post("/api/play", {"moves": ["#g7"]})
    for viewer in viewers:
        assert viewer.next()[1]["moves"][-1]["text"] == "#g7"
        viewer.close()


def test_there_is_room_for_so_many_viewers_and_who_leaves_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.clients.MAX_STREAMS", 3)
    with served(tmp_path, "hepta") as place:
        browser = place.browser(None)
        browser.ask("GET", "/api/table")
        threads = threading.active_count()
        viewers = [place.events() for _ in range(3)]
        for viewer in viewers:
            viewer.next()
        assert browser.ask("GET", "/api/events")[0] == 429
        assert threading.active_count() < threads + 3  # they hold no threads
        viewers[0].close()
        until = time.monotonic() + 10
        while browser.ask("HEAD", "/api/events", decode=False)[0] == 429:
            assert time.monotonic() < until
        late = place.events()
        assert late.next()[1]["game"] == "hepta"
        for viewer in (*viewers[1:], late):
            viewer.close()


def test_the_stream_speaks_the_readers_language(place: Place) -> None:
    new(place, "six-faces")
    stream = Events(place.port, "/api/events?lang=fr")
    assert stream.next()[1]["turn_text"] != place.browser().get("/api/table?lang=en")["turn_text"]
    stream.close()


# --- the camera


def jpeg(wide: int = 640, high: int = 480) -> bytes:
    return cv2.imencode(".jpg", np.full((high, wide, 3), 90, np.uint8))[1].tobytes()


def test_a_browser_lends_its_camera(place: Place) -> None:
    new(place, "hepta")
    browser = place.browser()
    assert browser.ask("GET", "/api/camera.jpg")[0] == 404
    assert browser.ask("GET", "/api/camera.mjpg")[0] == 404
    image = {"Content-Type": "image/jpeg"}
    status, told, _ = browser.ask("POST", "/api/camera/frame", jpeg(), image)
    assert (status, as_promised(told, answers.Frame)) == (200, {"number": 1})
    assert browser.ask("POST", "/api/camera/frame", jpeg(), image)[1] == {"number": 2}
    assert browser.get("/api/table")["camera"]["source"] == "browser"
    assert browser.get("/api/camera.jpg?reading=1")[:2] == b"\xff\xd8"
    browser.ask("POST", "/api/camera/frame", jpeg(1600, 900), image)
    time.sleep(CACHE_TIME)
    wide = [width(browser.get(f"/api/camera.jpg{how}")) for how in ("", "?reading=1")]
    assert wide == [1600, WIDTH]  # what is clicked on is the camera's own picture
    connection = HTTPConnection("127.0.0.1", place.port, timeout=10)
    connection.request("GET", "/api/camera.mjpg")
    assert connection.getresponse().read(60).startswith(b"--picture")
    connection.close()
    listed = as_promised(browser.get("/api/cameras"), list[answers.Camera])
    assert [camera["source"] for camera in listed if camera["used"]] == ["browser"]
    corners = [[10, 10], [600, 10], [600, 400], [10, 400]]
    browser.post("/api/camera", {"corners": corners})
    assert place.host.settings.corners == corners
    assert as_promised(browser.get("/api/corners"), answers.Corners) == {
        "corners": corners,
        "set": True,
        "found": "corners",
    }
    browser.post("/api/camera", {"turn": 1})
    assert place.host.settings.corners == [corners[3], *corners[:3]]
    browser.post("/api/camera", {"no_corners": True})
    assert place.host.settings.corners is None
    assert browser.post("/api/camera", {"turn": 1}, status=409)["error"] == "no-corners"
    assert browser.post("/api/camera", {"source": "none"})["camera"]["state"] == "none"


@pytest.mark.parametrize(
    "source", ["/etc/passwd", "../x.mp4", "file:///etc/passwd", "sim:chess", "sim:hepta,record=/etc/passwd", ""]
)
def test_a_page_cannot_open_files(source: str, place: Place) -> None:
    place.browser().post("/api/camera", {"source": source}, status=422)


@pytest.mark.parametrize("body", [b"", b"GIF89a", b"\xff\xd8\xff", jpeg()[:200], jpeg(20, 20)])
def test_what_is_no_picture_is_refused(body: bytes, place: Place) -> None:
    status, told, _ = place.browser().ask("POST", "/api/camera/frame", body, {"Content-Type": "image/jpeg"})
    assert (status, "reason" in told) == (422, True)


def width(picture: bytes) -> int:
    return int(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR).shape[1])


def test_a_small_file_cannot_become_a_huge_picture(place: Place) -> None:
    small = bytearray(jpeg())
    at = small.index(b"\xff\xc0")
    small[at + 5 : at + 9] = b"\xff\xf0\xff\xf0"
    status, told, _ = place.browser().ask("POST", "/api/camera/frame", bytes(small), {"Content-Type": "image/jpeg"})
    assert (status, told["error"] in ("picture-huge", "picture-unknown")) == (422, True)


# --- the description


def test_every_route_is_described_and_every_description_is_a_route(place: Place) -> None:
    rules = {
        (re.sub(r"<(?:[^:>]+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in place.server.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {(path, method) for path, methods in openapi()["paths"].items() for method in methods}
    assert rules == described
    for name in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(openapi())):
        assert name in openapi()["components"]["schemas"]


def test_the_table_says_what_the_functions_take_and_give() -> None:
    for one in ENDPOINTS:
        if one.view is None or not one.path.startswith("/api/"):
            continue
        hints = get_type_hints(one.view, include_extras=True)
        taken = {name: hints.get(name) for name in signature(one.view).parameters}
        body = bytes if one.body == JPEG else None if one.body is inputs.Nothing else one.body
        if one.body is inputs.SettingsChange:
            body = dict[str, str | float]
        told = {"query": one.query, "body": body} | dict.fromkeys(re.findall(r"{(\w+)}", one.path), int)
        assert taken == {name: kind for name, kind in told.items() if kind is not None}, one.path
        assert hints["return"] in (one.answer, Response), one.path


def test_examples_are_what_is_expected() -> None:
    for one in ENDPOINTS:
        if one.example is not None:
            check(one.body, one.example)
        else:
            assert one.method == "GET" or one.body in (inputs.Nothing, JPEG), one.path


def test_the_endpoints_are_listed_for_people() -> None:
    told = api_markdown()
    assert "| `POST /api/play` | player | `moves` | State | Play moves |" in told
    assert "| `GET /api/why` | viewer | `move`?, `squares`? | Why |" in told
    assert len(told.splitlines()) == 2 + sum(one.path.startswith("/api/") for one in ENDPOINTS)


def test_answers_are_as_described(place: Place) -> None:
    new(place, "plank")
    browser = place.browser()
    for path, kind in (
        ("/api/table", answers.State),
        ("/api/moves", answers.Moves),
        ("/api/why?move=x", answers.Why),
        ("/api/games", list[answers.KeptGame]),
        ("/api/catalogue", answers.Catalogue),
        ("/api/catalogue?lang=fr", answers.Catalogue),
        ("/api/settings", list[answers.Setting]),
        ("/api/cameras", list[answers.Camera]),
        ("/api/corners", answers.Corners),
    ):
        as_promised(browser.get(path), kind)
    assert browser.get("/api/openapi.json") == json.loads(json.dumps(openapi()))
    for game in game_ids():
        assert b"<svg" in browser.get(f"/api/board.svg?start={game}")


def test_two_who_play_at_once_do_not_disturb_each_other(place: Place) -> None:
    new(place, "hepta")
    answers: list[int] = []

    def play(square: str) -> None:
        answers.append(place.browser(PLAYER).ask("POST", "/api/play", {"moves": [f"#{square}"]})[0])

    threads = [threading.Thread(target=play, args=(square,)) for square in ("a1", "a1", "b1", "b1")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 200, 409, 409]
