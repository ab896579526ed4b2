"""The pages in a real browser, on the real app: every game begun, played, refused, taken back, ended and seen again."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import cv2
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import web
from companion.games import GAME_IDS
from companion.host import Demo
from tests.web.browser import Person, chromium
from tests.web.serving import PLAYER, REFEREE, Place, served
from vision.cameras import open_camera

PAGES = ("/", "/games", "/new", "/setup", "/settings", "/replay/1")
FAMILIES = ("sounds", "speech", "hint", "leds", "nav", "clock", "yes", "no")  # whose codes are put together elsewhere
WEB = Path(web.__file__).parent


def test_a_touched_die_shows_where_it_goes_and_what_it_would_show(referee: Person) -> None:
    referee.begins("six-faces")
    referee.plays("b1-b2", ["b1", "b2"])
    referee.plays("b8-b7", ["b8", "b7"])
    referee.may_move()
    referee.touches("b2")  # its top is now 3
    referee.until(lambda: len(referee.all(".hand .choices .move")) > 1)
    marked = referee.run("return document.querySelector('#board svg').outerHTML")
    tops = {move["top"] for move in referee.asks("/api/moves")["moves"] if move["squares"][0] == "b2"}
    assert all(f">{top}<" in marked or f"{top}" in marked for top in tops)
    referee.touches("h8")
    assert "h8" in referee.finds(".hand .why").text


def test_looking_is_free_and_doing_needs_the_pin(person: Person, table: Place) -> None:
    host = table.host
    host.do(lambda: host.begin(host.record_for("hepta", {})))
    person.goes_to("/")
    person.may_move()
    person.touches("d4")
    person.clicks('.hand [data-move="#d4"]')
    person.types("#pin-dialog input", "000000")
    person.presses(Keys.ENTER)
    person.until(lambda: person.finds("#pin-dialog .said").text)
    assert person.moves() == []
    person.types("#pin-dialog input", PLAYER)
    person.presses(Keys.ENTER)
    person.until(lambda: person.moves() == ["#d4"])
    person.until(lambda: person.run("return document.body.dataset.role") == "player")


def test_every_move_by_keys_alone(referee: Person) -> None:
    referee.begins("hepta")
    referee.may_move()
    referee.run("document.querySelector('#board .square[tabindex=\"0\"]').focus()")
    here = referee.run("return document.activeElement.dataset.square")
    referee.presses(Keys.ARROW_RIGHT if here[0] == "a" else Keys.ARROW_LEFT)
    there = referee.run("return document.activeElement.dataset.square")
    assert there != here
    assert there[1] == here[1]
    referee.presses(Keys.ENTER)
    referee.finds(f'.hand [data-move="#{there}"]').send_keys(Keys.ENTER)
    referee.until(lambda: referee.moves() == [f"#{there}"])


def test_a_question_is_answered_in_words(referee: Person, table: Place) -> None:
    host = table.host
    host.do(lambda: host.begin(host.record_for("pegs", {}, deals=False)))
    moves = [*(f"o{square}" for square in ("a1", "a2", "a3", "b1", "b2", "b3", "c1")), "."]
    host.at_table(lambda at: at.play([*moves, "+?", "+?", "+?"]))
    referee.goes_to("/")
    referee.finds(".question input")
    asked = len(referee.all(".question"))
    assert asked == 3
    referee.types(".question input", "110010")
    referee.presses(Keys.ENTER)
    referee.until(lambda: len(referee.all(".question")) == asked - 1)


def test_the_simulated_table_is_watched(driver: webdriver.Chrome, tmp_path: Path) -> None:
    """A game is refereed before one's eyes: pictures, moves with pictures kept, a mistake caught and marked."""
    with served(tmp_path, demo=Demo(("six-faces",), 3, "trouble=illegal,pace=1.5")) as place:
        person = Person(driver, place)
        person.goes_to("/")
        said, squares, answers = person.until(
            lambda: person.run(
                """const kind = document.querySelector("#verdict").dataset.kind;
                const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
                return kind === "illegal" && document.querySelector(".question") &&
                  [texts("#verdict-text")[0], texts("#verdict-squares b"), texts(".question button")]"""
            ),
            "no mistake was caught",
        )
        assert re.search(r"six-faces\.\d", said), said
        assert squares
        assert answers == ["Yes", "No"]
        person.until(lambda: person.run("return document.querySelector('#camera').naturalWidth") > 300, "no picture")
        assert person.finds("#camera").is_displayed()
        person.until(lambda: person.all(".ply.pictured"), "no picture was kept")
        person.clicks(".ply.pictured")
        person.until(lambda: person.run("return document.querySelector('#kept img').naturalWidth") > 100, "none shown")
        assert person.complaints() == []


def test_this_devices_camera(tmp_path: Path) -> None:
    """Chromium's camera plays pictures of a board; the companion reads them, and a game begins with what they show."""
    film = tmp_path / "board.mjpeg"
    camera = open_camera("sim:hepta,seed=2", (1280, 720))
    try:
        frame = camera.newest(0, 30.0)
    finally:
        camera.close()
    assert frame
    film.write_bytes(cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() * 20)
    fake = ("ui-for-media-stream", "device-for-media-stream")
    arguments = (*(f"--use-fake-{part}" for part in fake), f"--use-file-for-fake-video-capture={film}")
    with served(tmp_path, "six-faces") as place, chromium(*arguments) as running:
        person = Person(running, place)
        person.goes_to("/setup")
        person.enters(REFEREE)
        person.clicks("#own-start")
        person.until(lambda: re.search("[2-9]", person.text("#own-state")), "no picture was sent")
        assert person.asks("/api/table")["camera"]["source"] == "browser"
        person.until(lambda: person.run("return document.querySelector('#picture').width") == 1280)
        begun = place.browser().post("/api/new", {"game": "hepta", "from_camera": True})
        assert begun["game"] == "hepta"
        person.clicks("#own-start")
        assert person.complaints() == []


def test_corners_by_clicking_and_nudging(driver: webdriver.Chrome, tmp_path: Path) -> None:
    with served(tmp_path, "hepta", camera="sim:hepta,seed=2") as place:
        person = Person(driver, place)
        person.goes_to("/setup")
        person.enters(REFEREE)
        field = person.finds("#corners")
        person.run("arguments[0].scrollIntoView({block: 'center'})", field)
        wide, high = field.size["width"], field.size["height"]
        webdriver.ActionChains(driver).move_to_element_with_offset(field, -wide // 3, -high // 3).click().perform()
        assert person.finds("#glass").is_displayed()
        before = person.run("return document.activeElement.getAttribute('aria-label')")
        person.presses(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        after = person.run("return document.activeElement.getAttribute('aria-label')")
        x, y = (int(number) for number in re.findall(r"\d+", before)[:2])
        assert [int(number) for number in re.findall(r"\d+", after)[:2]] == pytest.approx([x + 1, y + 1], abs=1)
        person.clicks("#keep-corners")
        corners = person.until(lambda: place.host.settings.corners)
        assert person.run("return document.querySelector('#picture').width") == 1280  # the camera's own pixels
        shown = [re.findall(r"\d+", handle.get_attribute("aria-label"))[:2] for handle in person.all(".corner")]
        assert corners == [pytest.approx([int(x), int(y)], abs=1) for x, y in shown]
        assert person.complaints() == []


def test_a_start_is_checked_by_the_camera(driver: webdriver.Chrome, tmp_path: Path) -> None:
    # the simulated player is so slow that nothing lies there yet
    with served(tmp_path, "hepta", camera="sim:hepta,seed=2,pace=0.1") as place:
        person = Person(driver, place)
        person.goes_to("/new")
        person.enters(REFEREE)
        person.until(lambda: person.all("#players input"))
        person.run("document.querySelector('#from-camera').click()")
        person.clicks("#check")
        person.sees("#checked", "All is in its place")
        person.clicks("#begin")
        person.until(lambda: person.all("#board svg"))
        assert person.complaints() == []


def test_a_clock_runs(referee: Person) -> None:
    referee.goes_to("/new")
    referee.until(lambda: referee.all("#players input"))
    referee.run("document.querySelector('input[value=six-faces]').click()")
    referee.finds("#clock-kind").find_element(By.CSS_SELECTOR, "[value=fischer]").click()
    referee.types("#players input[data-seat=white]", "Ada")
    referee.clicks("#begin")
    referee.until(lambda: "Ada" in referee.text("#seats"))
    referee.until(lambda: "10:00" in referee.text(".clock[data-seat=white]"))
    referee.clicks("#press")
    referee.until(lambda: "9:5" in referee.text(".clock[data-seat=white]"))


def test_french(table: Place) -> None:
    with chromium(language="fr") as french:
        person = Person(french, table)
        person.goes_to("/new")
        person.sees("h1", "Nouvelle partie")
        assert person.run("return document.documentElement.lang") == "fr"
        person.clicks("#language")
        person.sees("h1", "New game")
        assert person.complaints() == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(referee: Person, theme: str) -> None:
    referee.begins("six-faces")
    referee.plays_any()
    referee.run("localStorage.setItem('theme', arguments[0])", theme)
    axe = (files("axe_core_python") / "axe.min.js").read_text()
    for page in PAGES if theme == "light" else ("/", "/setup"):
        referee.goes_to(page)
        referee.finds("h1")
        time.sleep(0.5)  # for what is fetched
        referee.run(axe)
        found = referee.driver.execute_async_script("axe.run().then(({violations}) => arguments[0](violations))")
        serious = [
            (one["id"], one["help"], [node["target"] for node in one["nodes"]])
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
        assert serious == [], page


@pytest.mark.parametrize("size", [(360, 740), (800, 1100), (1920, 1080)])
def test_nothing_sticks_out(referee: Person, size: tuple[int, int]) -> None:
    referee.begins("hepta")
    referee.plays_any()
    referee.sits_before(*size)
    for page in PAGES if size[0] < 500 else ("/", "/new"):
        referee.goes_to(page)
        referee.finds("h1")
        time.sleep(0.3)  # for what is fetched
        wide = referee.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], page


@pytest.mark.parametrize("page", ["/", "/new"])
def test_the_first_paint_is_light_and_from_here(referee: Person, page: str) -> None:
    referee.begins("trippples" if page == "/" else "hepta")
    referee.goes_to(page)
    referee.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    referee.driver.refresh()
    referee.until(lambda: referee.all("#board svg" if page == "/" else "#players input"))
    referee.until(lambda: referee.run("return [...document.images].every((image) => image.complete)"))
    loaded = referee.run(
        """return [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
        .map((entry) => [entry.name, entry.transferSize])"""
    )
    assert all(name.startswith(referee.address) for name, _ in loaded)
    assert sum(size for _, size in loaded) <= 150_000, loaded


def test_all_that_the_pages_say_is_in_the_catalogue() -> None:
    written = "".join(file.read_text() for file in (*WEB.glob("static/*.js"), *WEB.glob("templates/*.html")))
    page = set(import_module("companion.messages.en").PAGE)
    assert set(re.findall(r"""(?:\bsay\(|text\[)["']([\w.-]+)["'][\]),]""", written)) <= page
    for code in page:
        part = re.split(r"[.-]", code)[0]  # some are put together: `verdict.${kind}`
        assert f'"{code}"' in written or f"'{code}'" in written or f"`{part}." in written or part in FAMILIES, code


def test_nothing_is_inline() -> None:
    for file in WEB.glob("templates/*.html"):
        page = file.read_text()
        assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\bsrc=)", page), file
