"""The API over real HTTP: looking, doing, and what its description promises."""

from __future__ import annotations

import json
import random
import re
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import jsonschema
import numpy as np
import pytest

from companion.games import GAME_IDS
from companion.simulation.choosing import sensible
from tests.web.serving import PLAYER, Events, Place, served
from vision.handed import decoded
from web.live import FRESH, WIDE

OPENAPI = json.loads(files("web").joinpath("openapi.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with served(tmp_path_factory.mktemp("data"), "six-faces") as found:
        yield found


def as_promised(told: Any, schema: str) -> Any:
    found = {"$ref": f"#/components/schemas/{schema}", "components": OPENAPI["components"]}
    jsonschema.Draft202012Validator(found).validate(told)
    return told


def new(place: Place, game: str, **more: Any) -> Any:
    return place.browser().post("/api/new", {"game": game, **more})


# --- playing


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_whole_game_is_played_by_hand(game: str, place: Place) -> None:
    """Every game, from its start to its result; what the page offers is legal, and the game can be replayed."""
    browser, chance = place.browser(PLAYER), random.Random(5)
    state = as_promised(browser.post("/api/new", {"game": game, "players": ["Ann", "Bob"]}), "State")
    assert (state["game"], state["over"], state["role"]) == (game, False, "player")
    played = 0
    while not state["over"] and played < 400:
        position = place.host.snapshot.position
        if played % 10 == 0:
            offered = as_promised(browser.get("/api/moves"), "Moves")
            assert {str(move) for move in position.moves() if position.is_seen(move)} <= {o["move"] for o in offered}
            assert b"<svg" in browser.get("/api/board.svg")
        state = browser.post("/api/play", {"moves": [str(sensible(game, position, chance, tired=played > 60))]})
        played += 1
    as_promised(state, "State")
    assert state["over"]
    assert state["outcome"]["text"]
    assert browser.get("/api/moves") == []
    told = browser.post("/api/play", {"moves": [state["moves"][-1]["text"]]}, status=409)
    assert (told["error"], told["rule"]) == ("illegal-move", "over")
    kept = as_promised(browser.get(f"/api/games/{state['id']}"), "Game")
    assert [ply["move"] for ply in kept["plies"]] == [move["text"] for move in state["moves"]]
    assert kept["result"]["text"]
    assert as_promised(browser.get(f"/api/games/{state['id']}/record.json"), "Record") == kept["record"]
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


def test_moves_say_what_the_die_would_show(place: Place) -> None:
    new(place, "six-faces")
    tops = {move["move"]: move["top"] for move in place.browser().get("/api/moves")}
    assert tops["b1-b2"] in "123456"
    assert set(tops.values()) <= set("123456K")


def test_take_back_result_and_open_again(place: Place) -> None:
    new(place, "six-faces")
    player, referee = place.browser(PLAYER), place.browser()
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


def test_questions_are_answered(place: Place) -> None:
    new(place, "pegs", deal=False)
    browser = place.browser(PLAYER)
    setting = [f"o{c}{r}" for r in "12" for c in "abcdefg"][:7]
    browser.post("/api/play", {"moves": [*setting, "."]})
    state = browser.post("/api/play", {"moves": ["+?", "+?", "+?"]})
    asked = [question for question in state["questions"] if question["code"] == "unseen"]
    assert len(asked) == 3
    assert browser.post("/api/answer", {"id": asked[0]["id"], "answer": "999"}, status=422)
    state = browser.post("/api/answer", {"id": asked[0]["id"], "answer": "000011"})
    assert len(state["questions"]) == 2
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
    player = place.browser(PLAYER)
    assert player.get("/api/table")["clock"]["running"] is None
    state = player.post("/api/play", {"moves": ["b1-b2"]})  # the first move starts the other's clock
    assert state["clock"]["running"] == "red"
    state = player.post("/api/play", {"moves": ["b8-b7"]})
    assert state["clock"]["running"] == "white"
    assert 64 < state["clock"]["seats"]["red"]["left"] <= 65
    assert player.post("/api/clock", {"do": "press"})["clock"]["running"] == "red"
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
    assert (status, as_promised(told, "Frame")) == (200, {"number": 1})
    assert browser.ask("POST", "/api/camera/frame", jpeg(), image)[1] == {"number": 2}
    assert browser.get("/api/table")["camera"]["source"] == "browser"
    assert browser.get("/api/camera.jpg?reading=1")[:2] == b"\xff\xd8"
    browser.ask("POST", "/api/camera/frame", jpeg(1600, 900), image)
    time.sleep(FRESH)
    wide = [decoded(browser.get(f"/api/camera.jpg{how}")).shape[1] for how in ("", "?reading=1")]
    assert wide == [1600, WIDE]  # what is clicked on is the camera's own picture
    connection = HTTPConnection("127.0.0.1", place.port, timeout=10)
    connection.request("GET", "/api/camera.mjpg")
    assert connection.getresponse().read(60).startswith(b"--picture")
    connection.close()
    listed = as_promised(browser.get("/api/cameras"), "Cameras")
    assert [camera["source"] for camera in listed if camera["used"]] == ["browser"]
    corners = [[10, 10], [600, 10], [600, 400], [10, 400]]
    browser.post("/api/camera", {"corners": corners})
    assert place.host.settings.corners == corners
    assert as_promised(browser.get("/api/corners"), "Corners") == {"corners": corners, "set": True}
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


def test_a_small_file_cannot_become_a_huge_picture(place: Place) -> None:
    small = bytearray(jpeg())
    at = small.index(b"\xff\xc0")
    small[at + 5 : at + 9] = b"\xff\xf0\xff\xf0"
    status, told, _ = place.browser().ask("POST", "/api/camera/frame", bytes(small), {"Content-Type": "image/jpeg"})
    assert (status, told["error"]) == (422, "picture-huge")


# --- the description


def test_every_route_is_described_and_every_description_is_a_route(place: Place) -> None:
    rules = {
        (re.sub(r"<(?:[^:>]+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in place.server.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {(path, method) for path, methods in OPENAPI["paths"].items() for method in methods}
    assert rules == described
    for name in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(OPENAPI)):
        assert name in OPENAPI["components"]["schemas"]


def test_answers_are_as_described(place: Place) -> None:
    new(place, "plank")
    browser = place.browser()
    for path, schema in (
        ("/api/table", "State"),
        ("/api/moves", "Moves"),
        ("/api/why?move=x", "Why"),
        ("/api/games", "Games"),
        ("/api/catalogue", "Catalogue"),
        ("/api/catalogue?lang=fr", "Catalogue"),
        ("/api/settings", "Settings"),
        ("/api/cameras", "Cameras"),
        ("/api/corners", "Corners"),
    ):
        as_promised(browser.get(path), schema)
    assert browser.get("/api/openapi.json") == OPENAPI
    for game in GAME_IDS:
        assert b"<svg" in browser.get(f"/api/board.svg?start={game}")


def anything(chance: random.Random, deep: int = 0) -> Any:
    """A JSON value that nobody expects."""
    plain = [None, True, False, 0, -1, 10**30, 1.5, -1e308, "", "a1", "\ud800", "é\0", "x" * 300, "b1-b2", "../../etc"]
    kind = chance.random()
    if deep > 2 or kind < 0.7:
        return chance.choice(plain)
    if kind < 0.85:
        return [anything(chance, deep + 1) for _ in range(chance.randrange(4))]
    return {str(chance.choice(plain)): anything(chance, deep + 1) for _ in range(chance.randrange(4))}


def nearly(chance: random.Random, schema: dict[str, Any]) -> Any:
    """What a schema describes, with something wrong now and then."""
    if "$ref" in schema:
        schema = OPENAPI["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if chance.random() < 0.15:
        return anything(chance)
    if "anyOf" in schema:
        return nearly(chance, chance.choice(schema["anyOf"]))
    if "enum" in schema:
        return chance.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return {name: nearly(chance, field) for name, field in fields.items() if chance.random() < 0.8}
        case "array":
            return [nearly(chance, schema.get("items", {})) for _ in range(chance.randrange(5))]
        case "string":
            return chance.choice(["", "a1", "none", "white", "#a1", "sim:hepta", "b1-b2", "yes"])
        case "integer" | "number":
            return chance.choice([0, 1, 2, -5, 3.5, 10**12])
        case "boolean":
            return chance.random() < 0.5
    return anything(chance)


def fuzz(place: Place, seed: int, count: int) -> None:
    """Whatever is asked, the answer is one that is described, and never our own failure."""
    chance = random.Random(seed)
    browser = place.browser()
    asked = [
        (p, m) for p, methods in OPENAPI["paths"].items() for m in methods if p not in STREAMS and p.startswith("/api")
    ]
    for _ in range(count):
        path, method = chance.choice(asked)
        if path == "/api/logout":
            continue
        described = OPENAPI["paths"][path][method]
        where = re.sub(r"\{\w+\}", lambda _: str(chance.choice([0, 1, 2, 10**8, -1, 10**30])), path)
        for parameter in described["parameters"]:
            if parameter["in"] == "query" and chance.random() < 0.5:
                value = chance.choice(
                    ["1", "a1", "%00", "%F0%9F%8E%B2", "fr", "-1", "9" * 40, "a1,b2:3,:,,", "%ED%A0%80"]
                )
                where += f"{'&' if '?' in where else '?'}{parameter['name']}={value}"
        body = None
        if method == "post":
            kind, content = next(iter(described["requestBody"]["content"].items()))
            body = nearly(chance, content["schema"])
            if isinstance(body, dict) and body.get("from_camera"):
                body["from_camera"] = False  # it would wait for a picture
            if isinstance(body, dict) and str(body.get("source")).startswith(("sim:", "0", "1", "2")):
                body["source"] = "none"
            if kind == "image/jpeg" or chance.random() < 0.05:
                body = chance.choice([b"", b"{", b"[" * 500, b"\xff\xd8\xff", jpeg(), b"nonsense", b'{"a":1,"a":2}'])
            headers = {"Content-Type": chance.choice([kind] * 8 + ["text/plain", ""])}
            status, told, _ = browser.ask("POST", where, body, headers)
        else:
            status, told, _ = browser.ask("GET", where)
        assert status < 500, (where, body, told)
        allowed = {*described["responses"], "404"}
        assert str(status) in allowed, (where, method, status, told, body)
        if status >= 400:
            jsonschema.validate(told, {**OPENAPI["components"]["schemas"]["Error"]})
        elif "application/json" in described["responses"]["200"].get("content", {}):
            schema = described["responses"]["200"]["content"]["application/json"]["schema"]
            if "$ref" in schema:
                as_promised(told, schema["$ref"].rsplit("/", 1)[1])


STREAMS = ("/api/events", "/api/camera.mjpg")


def test_nothing_that_is_sent_breaks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("companion.host.GLANCE", 0.01)
    with served(tmp_path, "six-faces") as place:
        fuzz(place, 1, 500)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_nothing_that_is_sent_breaks_it_ever(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("companion.host.GLANCE", 0.01)
    with served(tmp_path, "six-faces") as place:
        fuzz(place, seed, 3000)


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
