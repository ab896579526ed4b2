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


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with served(tmp_path_factory.mktemp("table")) as place:
        yield place


@pytest.fixture
def person(driver: webdriver.Chrome, table: Place) -> Iterator[Person]:
    driver.set_window_size(1280, 900)
    person = Person(driver, table)
    yield person
    assert person.complaints() == []


@pytest.fixture
def referee(person: Person) -> Person:
    person.goes_to("/")
    person.enters(REFEREE)
    return person


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_game_on_the_page(referee: Person, game: str) -> None:
    referee.begins(game)
    first = referee.plays_any()
    assert referee.moves() == [first]
    taken = referee.asks("/api/moves")[0] if game == "t-for-two" else None  # the mushroom must be touched next
    if taken:
        referee.plays(taken["move"], taken["squares"])
    played = referee.moves()

    # where something lies now, nothing goes: the page says why, by the rule's number
    square = re.findall(r"[a-i]-?\d+", played[-1])[-1]
    referee.may_move()
    referee.touches(square)
    if game == "pegs-solo":  # a card may go over its peg, but never so far
        referee.touches("g7")
    why = referee.finds(".hand .why").text
    assert square in why, why
    assert game == "pegs-solo" or re.search(r"\([a-z0-9-]+\.\d\)|Red's turn", why), why
    assert referee.moves() == played

    referee.driver.refresh()  # a page that is loaded anew in the middle shows the same
    referee.until(lambda: referee.moves() == played)

    referee.clicks("#back")
    referee.until(lambda: referee.moves() == played[:-1])
    referee.plays_any()

    referee.clicks("#end")
    referee.clicks("dialog.ask button")
    referee.until(lambda: referee.run("return document.querySelector('#verdict').dataset.kind") == "over")
    assert "resigned" in referee.text("#verdict-text")

    number = referee.asks("/api/table")["id"]
    referee.goes_to(f"/replay/{number}")
    referee.until(lambda: referee.all("#board svg"))
    assert len(referee.moves()) == len(played)
    referee.until(lambda: referee.text("#at") == f"{len(played)} / {len(played)}")
    referee.presses(Keys.HOME)
    referee.until(lambda: referee.text("#at") == f"0 / {len(played)}")
    referee.presses(Keys.ARROW_RIGHT)
    referee.until(lambda: referee.text("#at") == f"1 / {len(played)}")


def test_a_game_played_to_its_end(referee: Person) -> None:
    """6 Faces by touching dice: the quickest way to a King."""
    referee.begins("six-faces")
    for _ in range(40):
        moves = referee.asks("/api/moves")
        taking = [m for m in moves if m["squares"][-1] in ("e8", "e1") and m["squares"][0] not in ("e8", "e1")]
        chosen = (taking or sorted(moves, key=lambda m: _away(m["squares"][-1], referee)))[0]
        referee.plays(chosen["move"], chosen["squares"])
        if referee.asks("/api/table")["over"]:
            break
    referee.until(lambda: referee.run("return document.querySelector('#verdict').dataset.kind") == "over")
    assert referee.asks("/api/table")["outcome"]["why"] in ("king-taken", "home-reached")
    assert not referee.all(".hand button")


def test_the_computer_plays_a_seat_and_says_what_it_thinks(referee: Person, table: Place) -> None:
    referee.begins("six-faces")
    referee.finds("#computer li:nth-child(2) select").send_keys("the computer, level 1")
    referee.until(lambda: referee.asks("/api/table")["computer"] == {"red": 1})
    referee.plays("b1-b2", ["b1", "b2"])
    referee.until(lambda: len(referee.moves()) == 2)
    referee.until(lambda: referee.asks("/api/table")["to_move"] == "white")
    host = table.host
    host.do(lambda: host.set_hints(True, None, "referee"))
    referee.until(lambda: "as far as it sees" in referee.text("#computer p") or "proved" in referee.text("#computer p"))
    host.do(lambda: host.set_hints(False, None, "referee"))
    referee.until(lambda: referee.text("#computer p") == "")


def _away(square: str, person: Person) -> int:
    goal = ("e", 8) if person.asks("/api/table")["to_move"] == "white" else ("e", 1)
    return abs(ord(square[0]) - ord(goal[0])) + abs(int(square[1:]) - goal[1])


def test_a_touched_die_shows_where_it_goes_and_what_it_would_show(referee: Person) -> None:
    referee.begins("six-faces")
    referee.plays("b1-b2", ["b1", "b2"])
    referee.plays("b8-b7", ["b8", "b7"])
    referee.may_move()
    referee.touches("b2")  # its top is now 3
    referee.until(lambda: len(referee.all(".hand .choices .move")) > 1)
    marked = referee.run("return document.querySelector('#board svg').outerHTML")
    tops = {move["top"] for move in referee.asks("/api/moves") if move["squares"][0] == "b2"}
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
    # a window of chromium cannot be this small, a page in it can
    for page in PAGES if size[0] < 500 else ("/", "/new"):
        referee.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False},
        )
        referee.goes_to(page)
        referee.finds("h1")
        time.sleep(0.3)  # for what is fetched
        wide = referee.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], page
    referee.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_first_paint_is_light_and_from_here(referee: Person) -> None:
    referee.begins("hepta")
    referee.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    referee.driver.refresh()
    referee.until(lambda: referee.all("#board svg"))
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
