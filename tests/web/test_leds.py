"""The lights on the dashboard: what the API tells of them, who may change what, and what one sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.leds.picture import CAN, FROM, PUT_BACK, TURN, WRONG, Light
from companion.leds.protocol import DONE, HINT
from companion.leds.protocol import REFEREE as CALL
from companion.leds.wiring import parse_wiring
from companion.store import open_store
from companion.table.clocks import Control
from companion.table.host import Host
from companion.table.starting import record_for
from tests.firmware.boards import board
from tests.leds.board import Brain, Plugged, until
from tests.referee.looks import look_of
from tests.web.browser import Person, chromium
from tests.web.serving import PLAYER, REFEREE, Browser, Place, served, settings
from tests.web.test_api import as_promised
from vision.browser_camera import BrowserCamera
from vision.reading import read_picture
from vision.simulate.glow import darkened, with_led
from vision.training.sample import random_sample
from web.answers import LedColors, LedPort, State
from web.drawing.leds import as_seen


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with served(tmp_path, "six-faces", leds="virtual") as found:
        until(lambda: found.host.state.lights and found.host.state.lights.state.ready)
        yield found


def test_the_state_tells_what_burns(place: Place) -> None:
    browser = place.browser(PLAYER)
    browser.post("/api/play", {"moves": ["b1-b2"]})
    leds = as_promised(browser.get("/api/table"), State)["leds"]
    assert (leds["state"], leds["columns"], leds["rows"], leds["kind"]) == ("drawn", 9, 8, "color")
    told = {meaning["kind"]: meaning for meaning in leds["meanings"]}
    assert told["last"]["squares"] == ["b1", "b2"]
    assert told["last"]["text"] == "last move"
    lit = {tuple(leds["wire"][n]) for n, pixel in enumerate(leds["pixels"]) if pixel[:3] == [76, 27, 0]}
    assert lit == {(1, 0), (1, 1)}
    assert leds["mA"] <= leds["limit"] == 450
    drawn = browser.get("/api/leds.svg").decode()
    assert as_seen((76, 27, 0), 255 * 0.3) in drawn
    assert "<animate" not in browser.get("/api/leds.svg?still=1").decode()


def test_the_preview_is_the_same_picture(place: Place) -> None:
    place.browser(PLAYER).post("/api/play", {"moves": ["b1-b2", "b8-b7"]})
    record = json.dumps(place.host.state.record)
    command = [sys.executable, "-m", "companion", "leds", "preview", "-", "--lang", "en"]
    environment = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent"}
    drawn = subprocess.run(command, input=record, capture_output=True, text=True, check=True, env=environment).stdout
    assert place.browser(None).get("/api/leds.svg?still=1&lang=en").decode() == drawn.rstrip("\n")


def test_settings_that_do_not_go_together_are_refused(place: Place) -> None:
    referee = place.browser()
    referee.post("/api/settings", {"leds_layout": "8x8 + 2x2 at=9:0"})
    referee.post("/api/settings", {"leds_layout": "+ 2x2 at=9:0"}, status=200)
    told = referee.post("/api/settings", {"leds_size": "16x8"}, status=422)
    assert told["error"] == "panels-overlap"
    assert place.host.settings.leds_size is None
    referee.post("/api/settings", {"leds_kind": "adalight"})
    assert referee.post("/api/leds", {"do": "use", "port": "AUTO"}, status=422)["error"] == "adalight-needs-port"
    assert place.host.state.lights


def test_a_hint_is_lit_until_a_move_is_made(place: Place) -> None:
    host, browser = place.host, place.browser(PLAYER)
    host.do(host.aids.hint_once)
    until(lambda: host.state.hint, 30)
    state = as_promised(browser.get("/api/table"), State)
    kinds = {meaning["kind"]: meaning["squares"] for meaning in state["leds"]["meanings"]}
    assert (kinds["from"], kinds["to"]) == ([state["hint"][:2]], [state["hint"][-2:]])
    assert "<animate" in browser.get("/api/leds.svg").decode()
    told = browser.post("/api/play", {"moves": [state["hint"]]})
    assert told["hint"] is None
    assert not {"from", "to"} & {meaning["kind"] for meaning in told["leds"]["meanings"]}


def test_who_may_do_what(place: Place) -> None:
    viewer, player, referee = place.browser(None), place.browser(PLAYER), place.browser(REFEREE)
    viewer.post("/api/leds", {"do": "off"}, status=401)
    assert viewer.ask("GET", "/api/leds/ports")[0] == 401
    for setting_up in ("walk", "test", "stop", "dim", "use"):
        player.post("/api/leds", {"do": setting_up}, status=403)
    assert player.post("/api/leds", {"do": "off"})["leds"]["meanings"] == []
    assert player.post("/api/leds", {"do": "on"})["leds"]["lit"]
    assert referee.post("/api/leds", {"do": "dim", "brightness": 70})["leds"]["brightness"] == 70
    ports = as_promised(referee.get("/api/leds/ports"), list[LedPort])
    assert {"AUTO", "OFF", "virtual"} <= {port["port"] for port in ports}
    assert [port["port"] for port in ports if port["used"]] == ["virtual"]


def test_walking_lights_one(place: Place) -> None:
    referee = place.browser()
    leds = referee.post("/api/leds", {"do": "walk", "place": 5})["leds"]
    assert leds["walking"] == 5
    assert [n for n, pixel in enumerate(leds["pixels"]) if any(pixel)] == [5]
    until(lambda: [n for n, pixel in enumerate(place.host.lights.link.shown) if any(pixel)] == [5])
    assert referee.post("/api/leds", {"do": "walk", "place": 99}, status=422)["error"] == "no-such-led"
    assert referee.post("/api/leds", {"do": "stop"})["leds"]["walking"] is None
    referee.post("/api/leds", {"do": "test"})
    until(lambda: len(set(place.host.lights.link.shown)) == 1)
    assert "#fe0000" in referee.get("/api/leds.svg").decode()  # as red as it is bright


@pytest.mark.parametrize("port", ["/etc/passwd", "/dev/null", "../x", "", "COM99"])
def test_a_page_cannot_open_files(port: str, place: Place) -> None:
    assert place.browser().post("/api/leds", {"do": "use", "port": port}, status=422)["error"] == "no-such-port"


def test_lights_off_and_on_again(place: Place) -> None:
    referee = place.browser()
    assert referee.post("/api/leds", {"do": "use", "port": "OFF"})["leds"] is None
    assert referee.ask("GET", "/api/leds.svg")[0] == 404
    assert referee.post("/api/leds", {"do": "walk"}, status=404)["error"] == "leds-off"
    assert referee.post("/api/leds", {"do": "use", "port": "virtual-mono"})["leds"]
    until(lambda: referee.get("/api/table")["leds"]["kind"] == "mono")
    referee.post("/api/settings", {"leds_layout": "8x8 nw + arrows"})
    assert referee.get("/api/table")["leds"]["columns"] == 17
    told = referee.post("/api/settings", {"leds_layout": "8x8 upside-down"}, status=422)
    assert told["error"] == "no-such-layout-word"


# --- a board that is there


def test_what_hands_do_is_lit_on_the_board(tmp_path: Path) -> None:
    """Looks at a table, by the real referee: a die lifted, put where it may not go, put back."""
    sample = random_sample(3, "trominoes", "kitchen", hand=0.0, size=(640, 480))
    image, reading = sample.image, read_picture(sample.image, sample.layout.labels)
    names = [f"{'abcdefghi'[n % 9]}{n // 9 + 1}" for n in range(72)]

    def lit(light: Light) -> set[str]:
        color = tuple(max(1, round(0.3 * part)) if part else 0 for part in light.color)
        return {names[n] for n, pixel in enumerate(board.brain.leds) if pixel[:3] == color}

    with (
        Plugged(tmp_path / "led", brain=Brain(most=72)) as board,
        served(tmp_path / "data", "six-faces", leds=str(tmp_path / "led")) as place,
    ):

        def see(visible: Any) -> None:
            look = look_of("six-faces", visible)
            for _ in range(2):
                place.host.do(lambda: place.host.game.see(replace(reading, look=look), image))

        start = place.host.state.position
        see(start.visible())
        half = start.steps(next(move for move in start.moves() if str(move) == "b1-b2"))[0]
        see(half)
        assert place.host.state.verdict.kind == "partial"
        until(lambda: lit(FROM) == {"b1"})
        until(lambda: lit(CAN) == {str(move)[-2:] for move in start.moves() if str(move).startswith("b1")})
        rows = [list(row) for row in half["rows"]]
        rows[3][1] = "w1"  # b5, much too far
        see({"rows": rows})
        assert place.host.state.verdict.kind == "illegal"
        until(lambda: (lit(WRONG), lit(PUT_BACK)) == ({"b5"}, {"b1"}))
        assert not lit(CAN)
        see(start.visible())
        until(lambda: not lit(WRONG) | lit(PUT_BACK))
        until(lambda: lit(TURN) == {"c1", "d1", "e1", "f1", "g1"})


def test_buttons_press_the_clock_ask_for_hints_and_are_logged(tmp_path: Path) -> None:
    with Plugged(tmp_path / "led") as board, open_store(tmp_path) as store:
        with Host(store, settings(tmp_path, leds=str(tmp_path / "led"), camera="browser")) as host:
            host.do(lambda: host.begin(record_for(host.camera, "six-faces", {}), Control("fischer", 60, 5)))
            until(lambda: host.state.lights and host.state.lights.state.ready)
            host.do(lambda: host.clock.start())
            assert running(host) == "white"
            board.press(HINT)
            until(lambda: host.state.hint, 30)
            board.press(DONE)
            until(lambda: running(host) == "red")
            left = host.state.clock and host.state.clock["seats"]["red"]["left"]
            host.do(lambda: host.game.play(["b1-b2"]))  # seen after the button: not pressed a second time
            time.sleep(0.1)
            assert running(host) == "red"
            assert host.state.clock
            assert host.state.clock["seats"]["red"]["left"] <= (left or 0)
            board.press(CALL)
            until(lambda: host.state.paused)  # for whom the game waits
            board.press(DONE)
            until(lambda: not host.state.paused)
        events = [event.data for event in store.events(kinds=("button",))]
        assert events == [{"button": "hint"}, {"button": "done"}, {"button": "referee"}, {"button": "done"}]


def test_a_board_that_floods_presses_keeps_nobody_waiting(tmp_path: Path) -> None:
    with Plugged(tmp_path / "led") as board, open_store(tmp_path) as store:
        with Host(store, settings(tmp_path, leds=str(tmp_path / "led"), camera="browser")) as host:
            host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
            until(lambda: host.state.lights and host.state.lights.state.ready)
            flooding = threading.Event()

            def flood() -> None:
                while not flooding.is_set():
                    board.press(DONE)
                    time.sleep(0.002)

            hand = threading.Thread(target=flood, daemon=True)
            hand.start()
            time.sleep(3)
            began = time.monotonic()
            host.do(lambda: host.game.play(["b1-b2"]))
            assert time.monotonic() - began < 2
            flooding.set()
            hand.join()
        assert 1 <= len(store.events(kinds=("button",))) < 60


def running(host: Host) -> str | None:
    return host.state.clock["running"] if host.state.clock else None


def test_a_board_that_is_pulled_out_is_said_on_the_page(tmp_path: Path) -> None:
    with served(tmp_path / "data", "hepta", leds=str(tmp_path / "led")) as place:
        browser = place.browser(None)
        with Plugged(tmp_path / "led"):
            until(lambda: browser.get("/api/table")["leds"]["state"] == "ready")
        until(lambda: browser.get("/api/table")["leds"]["state"] == "lost")
        assert "is it still plugged in" in browser.get("/api/table")["leds"]["text"]


def test_the_page_puts_the_firmware_on_a_board(tmp_path: Path) -> None:
    with board("loader optiboot", realtime=True) as fresh, served(tmp_path, "hepta", leds=fresh.port) as place:
        referee = place.browser(REFEREE)
        place.browser(PLAYER).post("/api/leds", {"do": "flash"}, status=403)
        assert referee.post("/api/leds", {"do": "flash"})["leds"]["state"] == "being-flashed"
        until(lambda: referee.get("/api/table")["leds"]["state"] == "ready", 60)
        referee.post("/api/leds", {"do": "use", "port": "virtual"})
        assert referee.post("/api/leds", {"do": "flash"}, status=422)["error"] == "choose-board"


# --- guided set-up and checkup


def burning(board: Plugged) -> list[int]:
    return [n for n, pixel in enumerate(board.brain.leds) if any(pixel[:3])]


def test_questions_find_the_wiring_of_a_board(tmp_path: Path) -> None:
    wire = parse_wiring("8x8 ne columns serpentine").wire()
    with (
        Plugged(tmp_path / "led") as board,
        served(tmp_path / "data", "trippples", leds=str(tmp_path / "led")) as place,
    ):
        referee = place.browser()
        until(lambda: referee.get("/api/table")["leds"]["state"] == "ready")
        place.browser(PLAYER).post("/api/leds", {"do": "ask"}, status=403)
        assert referee.post("/api/leds", {"do": "keep"}, status=409)["error"] == "no-layout-yet"
        assert referee.post("/api/leds", {"do": "answer", "square": "a1"}, status=409)["error"] == "nothing-asked"
        assert referee.post("/api/leds", {"do": "ask", "size": "0x8"}, status=422)["error"] == "not-a-matrix"
        told = as_promised(referee.post("/api/leds", {"do": "ask", "size": "8x8"}), State)["leds"]
        assert referee.post("/api/leds", {"do": "answer", "square": "d4"}, status=422)["error"] == "led-not-there"
        while told["guide"]["step"] == "asking":
            until(lambda lit=told["walking"]: burning(board) == [lit])
            x, y = wire[told["walking"]]
            told = referee.post("/api/leds", {"do": "answer", "square": f"{'abcdefgh'[x]}{y + 1}"})["leds"]
        assert (told["guide"]["step"], told["guide"]["words"]) == ("found", "8x8 ne columns serpentine")
        assert referee.post("/api/leds", {"do": "keep"})["leds"]["wire"] == [list(cell) for cell in wire]
        assert place.host.settings.leds_layout == "8x8 ne columns serpentine"


def test_the_table_s_camera_finds_the_wiring(tmp_path: Path) -> None:
    """Pictures as a phone sends them, of the LEDs that the board at the port has lit."""
    sample, rng = random_sample(1, "tiles", "kitchen", hand=0.0, size=(640, 480)), np.random.default_rng(1)
    wire, over = parse_wiring("2x2 se + 2x2 nw serpentine at=2:0").wire(), threading.Event()
    with (
        Plugged(tmp_path / "led") as board,
        served(tmp_path / "data", "trippples", leds=str(tmp_path / "led"), camera="browser") as place,
    ):
        referee, light = place.browser(), [1.0]

        def film() -> None:
            while not over.is_set():
                picture = darkened(rng, sample.image, light[0])
                if lit := burning(board):
                    x, y = wire[lit[0]]
                    picture = with_led(rng, sample.image, sample.pose, (x + 0.5, y + 0.5), light[0], 200, 0.2)
                camera = place.host.camera.device
                assert isinstance(camera, BrowserCamera)
                camera.hand(cv2.imencode(".jpg", picture)[1].tobytes())

        filming = threading.Thread(target=film, daemon=True)
        filming.start()
        try:
            until(lambda: referee.get("/api/table")["leds"]["state"] == "ready")
            referee.post("/api/leds", {"do": "look", "size": "4x2"})
            until(lambda: referee.get("/api/table")["leds"]["guide"]["step"] == "dark", 30)
            light[0] = 0.05
            referee.post("/api/leds", {"do": "dark"})
            until(lambda: referee.get("/api/table")["leds"]["guide"]["step"] not in ("dark", "looking"), 120)
            told = referee.get("/api/table")["leds"]["guide"]
            assert told["step"] == "found", told["text"]
            assert referee.post("/api/leds", {"do": "keep"})["leds"]["wire"] == [list(cell) for cell in wire]
        finally:
            over.set()
            filming.join()


def test_no_camera_no_board_no_guide(place: Place) -> None:
    referee = place.browser()
    assert referee.post("/api/leds", {"do": "look"}, status=404)["error"] == "no-camera"
    assert referee.post("/api/leds", {"do": "examine"}, status=422)["error"] == "choose-board"
    assert referee.ask("GET", "/api/leds/log.json")[0] == 404
    referee.post("/api/leds", {"do": "use", "port": "OFF"})
    assert referee.post("/api/leds", {"do": "ask"}, status=409)["error"] == "leds-not-ready"


def test_colors_are_shown_as_everybody_sees_them(place: Place) -> None:
    referee = place.browser()
    told = as_promised(referee.get("/api/leds/colors"), LedColors)
    assert not any(eye["alike"] for eye in told["eyes"])
    assert "everybody can tell" in told["text"]
    referee.post("/api/leds", {"do": "dim", "brightness": 1})
    told = referee.get("/api/leds/colors")
    assert any(eye["alike"] for eye in told["eyes"])
    assert f"from {told['least']} % on" in told["text"]


# --- the pages


def test_the_wiring_is_asked_and_the_line_checked_on_the_page(tmp_path: Path) -> None:
    wire = parse_wiring("8x8 nw serpentine").wire()
    with (
        Plugged(tmp_path / "led") as board,
        served(tmp_path / "data", "trippples", leds=str(tmp_path / "led")) as place,
        chromium(language="fr") as driver,
    ):
        person = Person(driver, place)
        person.goes_to("/setup#lights")
        person.enters()
        person.sees("#led-state", "prêtes")
        person.clicks("#guide-ask")
        person.finds("#guide-squares")
        while person.finds("#guide-text").get_attribute("data-step") != "found":
            lights = place.host.state.lights
            assert lights
            assert lights.walking is not None
            at = lights.walking
            until(lambda at=at: burning(board) == [at])
            x, y = wire[at]
            person.clicks(f"#guide-squares button[value='{'abcdefgh'[x]}{y + 1}']")
            person.until(lambda at=at: f"{at})" not in person.text("#guide-text"))
        person.clicks("#guide-keep")
        until(lambda: place.host.settings.leds_layout == "8x8 nw serpentine")
        until(lambda: (lights := place.host.state.lights) and lights.state.ready)
        person.clicks("#led-examine")
        person.sees("#led-findings", "Paper board")
        person.finds("#led-log")
        log = person.asks("/api/leds/log.json")
        assert (log["board"]["name"], log["port"]) == ("paper board", str(tmp_path / "led"))
        assert log["pictures"] > 10
        until(lambda: (lights := place.host.state.lights) and lights.state.ready)
        assert person.complaints() == []


def test_the_lights_on_the_pages(place: Place) -> None:
    with chromium() as driver:
        person = Person(driver, place)
        person.goes_to("/")
        person.enters()
        person.until(lambda: person.run("return document.querySelector('#lights img').naturalWidth > 0"))
        assert person.finds("#lights img").is_displayed()
        person.plays("b1-b2", ["b1", "b2"])
        person.until(lambda: "Last move: b1 b2" in person.run("return document.querySelector('#lights img').alt"))
        person.sees("#lights .meanings", "Last move")
        person.clicks("#leds input")
        person.until(lambda: person.text("#lights .meanings") == "")
        assert place.host.state.lights
        assert place.host.state.lights.lights == {}
        person.clicks("#leds input")
        person.sees("#lights .meanings", "Last move")

        person.goes_to("/setup#lights")
        person.sees("#led-state", "drawn here only")
        person.clicks("#led-walk")
        person.sees("#led-at", "LED 0 (of 0 to 71): column 0, row 0")
        person.clicks("#led-next")
        person.sees("#led-at", "LED 1 (of 0 to 71): column 1, row 0")
        person.clicks("#led-before")
        person.clicks("#led-before")
        person.sees("#led-at", "LED 71")
        person.clicks("#led-stop")
        person.until(lambda: person.text("#led-at") == "")
        person.run(
            """const slider = document.querySelector("#led-brightness");
            slider.value = 55; slider.dispatchEvent(new Event("change"));"""
        )
        until(lambda: place.host.settings.leds_brightness == 55)
        person.run(
            """const port = document.querySelector("#led-port");
            port.value = "OFF"; port.dispatchEvent(new Event("change"));"""
        )
        person.sees("#led-state", "No lights are in use")
        assert person.complaints() == []


def test_the_demonstration_shows_its_lights(tmp_path: Path) -> None:
    """As it is started by anybody: nothing is plugged in, and the page shows lights."""
    command = [sys.executable, "-m", "companion", "demo", "--port", "0", "--game", "hepta", "--seed", "2"]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as demo:
        try:
            assert demo.stdout
            browser = Browser(int(demo.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1]))
            until(lambda: browser.get("/api/table")["leds"]["state"] == "drawn", 30)
            until(lambda: browser.get("/api/table")["leds"]["meanings"], 30)
            assert b"radialGradient" in browser.get("/api/leds.svg")
        finally:
            demo.terminate()
