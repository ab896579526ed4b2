"""The pages in a real browser, on the real app: every game begun, played, refused, taken back, ended and seen again."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import web
from companion.games import game, game_ids
from companion.games.trippples import TILES, tile_squares
from companion.messages import catalogue
from companion.record import read_record
from companion.settings import SETTINGS
from companion.table.demo import Demo
from companion.table.starting import record_for
from companion.table.table import STUCK
from tests.referee.looks import look_of
from tests.web.browser import Person, chromium
from tests.web.serving import PLAYER, REFEREE, Place, served
from vision.reading import read_picture
from vision.simulate.style import HELD_OUT
from vision.training.sample import random_sample

PAGES = ("/", "/games", "/new", "/rules", "/rules/hepta", "/setup", "/settings", "/invite", "/wall", "/replay/1")
FAMILIES = ("sounds", "speech", "hint", "leds", "nav", "clock", "yes", "no")  # whose codes are put together elsewhere
WEB = Path(web.__file__).parent
OPTIONS = {name: option.default for name, option in game("trippples").options.items()}


def test_the_computer_plays_a_seat_and_says_what_it_thinks(referee: Person) -> None:
    referee.begins("six-faces")
    referee.finds("#computer li:nth-child(2) select").send_keys("the computer, level 1")
    referee.until(lambda: referee.asks("/api/table")["computer"] == {"red": 1})
    referee.plays("b1-b2", ["b1", "b2"])
    referee.until(lambda: len(referee.moves()) == 2)
    referee.until(lambda: referee.asks("/api/table")["to_move"] == "white")
    referee.clicks("#hint input")
    referee.until(lambda: re.search("as far as it sees|proved", referee.text("#hint .worth")))
    referee.until(lambda: referee.text("#hint p") == referee.asks("/api/table")["hint_told"]["words"])
    squares = referee.asks("/api/table")["hint_squares"]
    assert len(squares) > 1
    referee.until(lambda: referee.all("#board .hint"))
    referee.clicks("#hint input")
    referee.until(lambda: referee.text("#hint .worth") == "")
    assert referee.text("#verdict-title").startswith("The computer played")
    referee.until(lambda: not referee.all("#board .hint"))


def test_a_touched_die_shows_where_it_goes_and_what_it_would_show(referee: Person) -> None:
    referee.begins("six-faces")
    referee.plays("b1-b2", ["b1", "b2"])
    referee.plays("b8-b7", ["b8", "b7"])
    referee.may_move()
    referee.touches("b2")  # its top is now 3
    referee.until(lambda: len(referee.all("#board .chip text")) > 1)
    assert not referee.all(".hand > .choices .move")  # the board says enough
    marked = set("/".join(chip.text for chip in referee.all("#board .chip text")).split("/"))
    tops = {move["top"] for move in referee.asks("/api/moves")["moves"] if move["trace"]["touch"][0] == "b2"}
    assert marked == tops
    referee.touches("h8")
    assert "h8" in referee.finds(".hand .why").text


def test_looking_is_free_and_doing_needs_the_pin(person: Person, table: Place) -> None:
    host = table.host
    host.do(lambda: host.begin(record_for(host.camera, "hepta", {})))
    person.goes_to("/")
    person.may_move()
    person.touches("d4")
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
    referee.until(lambda: referee.moves() == [f"#{there}"])


def test_a_tile_is_placed_by_keys_alone(referee: Person) -> None:
    referee.begins("trippples", deal=False)
    referee.may_move()
    for way in ("N", "E", "SW"):
        referee.run("document.querySelector(`.rose [data-way=${arguments[0]}]`).focus()", way)
        referee.presses(Keys.ENTER)
        assert referee.run("return document.activeElement.dataset.way") == way  # the keys stay where they were
    referee.run("""document.querySelector('#board [data-square="c3"]').focus()""")
    referee.presses(Keys.ENTER)
    referee.until(lambda: referee.moves() == ["N-E-SW@c3"])


def test_what_nobody_saw_is_filled_in_from_the_list(referee: Person, table: Place) -> None:
    host = table.host
    host.do(lambda: host.begin(record_for(host.camera, "pegs", {}, deals=False)))
    moves = [*(f"o{square}" for square in ("a1", "a2", "a3", "b1", "b2", "b3", "c1")), "."]
    host.do(lambda: host.game.play([*moves, "+?", "+?", "+?"]))
    referee.goes_to("/")
    referee.finds("#unsaid button")
    assert not referee.all("#questions .question")  # nobody is asked for it
    referee.clicks(f'#moves .ply[data-ply="{len(moves) + 1}"]')
    card = referee.finds('#unsaid button[data-answer="010011"]')
    assert card.get_attribute("aria-label") == "the card pierced at 2, 5 and 6"
    assert "110010" not in referee.text("#unsaid")
    card.click()
    referee.until(lambda: host.game.moves[len(moves)] == "+010011")


def test_ways_out_of_a_board_that_nothing_explains(referee: Person, table: Place) -> None:
    host = table.host
    host.do(lambda: host.begin(record_for(host.camera, "six-faces", {})))
    host.do(lambda: host.game.play(["b1-b2"]))
    sample = random_sample(1, "dice", hand=0.0, size=(640, 480))
    reading = read_picture(sample.image, sample.layout.labels)
    wrong = json.loads(json.dumps(host.game.position.visible()))
    wrong["rows"][7][7], wrong["rows"][6][7] = ".", "w1"
    look = replace(reading, look=look_of("six-faces", wrong))

    def see() -> None:
        game = host.game
        for _ in range(3):
            game.see(look, sample.image)
        assert game.verdict.kind == "illegal"
        game._unclear_since = time.monotonic() - STUCK - 1
        game.mind()

    host.do(see)
    referee.goes_to("/")
    referee.finds('[data-answer="stands"]')
    assert len(referee.all(".question")) == 1
    referee.clicks('[data-answer="put-back"]')
    referee.until(lambda: referee.run("return document.querySelector('.way-out img')?.naturalWidth > 0"))
    assert "h2" in referee.text(".way-out")
    referee.clicks('[data-answer="agreed"]')
    referee.until(lambda: "h2" not in referee.text(".way-out"))
    drawn = referee.run("return fetch(document.querySelector('.way-out img').src).then((answer) => answer.text())")
    live = referee.run("return fetch('/api/board.svg').then((answer) => answer.text())")
    assert "#7d0016" in live  # what lies otherwise is marked there,
    assert "#7d0016" not in drawn  # but not in what was agreed on
    assert referee.complaints() == []
    told = referee.run("return fetch(document.querySelector('#report').href).then((answer) => answer.json())")
    assert told["looks"][-1]["told"]["verdict"] == "illegal"
    referee.clicks('[data-answer="stands"]')
    referee.until(lambda: len(host.game.moves) == 2)
    referee.sees("#moves", "moves not seen")


def test_the_simulated_table_is_watched(driver: webdriver.Chrome, tmp_path: Path) -> None:
    """A game is refereed before one's eyes: pictures, moves with pictures kept, a mistake caught and marked."""
    with served(tmp_path, demo=Demo(("six-faces",), 3, "trouble=illegal,pace=1.5")) as place:
        person = Person(driver, place)
        person.sits_before(1440, 900)
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
        assert (rule := re.search(r"rule (\d)", said)), said
        assert person.finds("#verdict-text a").get_attribute("href").endswith(f"/rules/six-faces#six-faces.{rule[1]}")
        assert squares
        assert answers == ["Yes", "No"]
        person.until(lambda: person.run("return document.querySelector('#camera').naturalWidth") > 300, "no picture")
        ends = person.run("return document.querySelector('#camera').getBoundingClientRect().bottom")
        assert ends <= 900  # in sight beside the board, with what is illegal and what is asked above it
        person.until(lambda: person.all(".ply.pictured"), "no picture was kept")
        person.clicks(".ply.pictured")
        person.until(lambda: person.run("return document.querySelector('#kept img').naturalWidth") > 100, "none shown")
        assert person.complaints() == []


def test_corners_by_clicking_and_nudging(driver: webdriver.Chrome, tmp_path: Path) -> None:
    with served(tmp_path, "hepta", camera="sim:hepta,seed=2") as place:
        person = Person(driver, place)
        person.goes_to("/setup#board")
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


def test_corners_are_proposed_by_the_boards_lines(driver: webdriver.Chrome, tmp_path: Path) -> None:
    sample = random_sample(4, "dice", HELD_OUT, hand=0.0, size=(1280, 720), markers=False)
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(tmp_path / "table.png"), sample.image)
    for n in range(1000):  # the camera shows each for half a second
        (pictures / f"{n:04}.png").symlink_to(tmp_path / "table.png")
    with served(tmp_path, "six-faces", camera=str(pictures)) as place:
        person = Person(driver, place)
        person.goes_to("/setup#board")
        person.enters(REFEREE)
        person.until(lambda: person.finds("#corners-found").is_displayed(), "no corners were proposed")
        assert "by its lines" in person.text("#corners-found")
        person.clicks("#mirror")
        assert "mirrored" in person.text("#corners-mirrored")
        person.clicks("#mirror")
        assert person.run("return document.querySelector('#corners-mirrored').hidden")
        assert place.host.settings.corners is None
        person.clicks("#keep-corners")
        corners = person.until(lambda: place.host.settings.corners)
        assert np.abs(np.array(corners) - sample.pose.corners).max() < 0.2 * sample.pose.cell_pixels
        person.until(lambda: person.run("return document.querySelector('#corners-found').hidden"))
        assert person.complaints() == []


def test_a_clock_runs_is_stopped_and_changed(referee: Person, table: Place) -> None:
    referee.chooses("six-faces")
    referee.finds("#clock-kind").find_element(By.CSS_SELECTOR, "[value=fischer]").click()
    referee.types("#players input[data-seat=white]", "Ada")
    referee.clicks("#begin")
    referee.until(lambda: "Ada" in referee.text("#seats"))
    referee.until(lambda: "10:00" in referee.text(".clock[data-seat=white]"))
    referee.clicks("#press")
    referee.until(lambda: "9:5" in referee.text(".clock[data-seat=white]"))
    referee.clicks("#clock")
    referee.clicks("#start-stop")
    referee.until(lambda: clock(table)["running"] is None)
    referee.clicks("[data-add='60'][data-seat=red]")
    referee.until(lambda: clock(table)["seats"]["red"]["left"] == 660)
    referee.clicks("[data-add='-10'][data-seat=red]")
    referee.until(lambda: clock(table)["seats"]["red"]["left"] == 650)
    referee.until(lambda: "10:50" in referee.text(".timing .clock[data-seat=red]"))
    referee.clicks("#start-stop")
    referee.until(lambda: clock(table)["running"] == "white")
    referee.finds("#other-clock").find_element(By.CSS_SELECTOR, "[value=byo-yomi]").click()
    referee.types(".timing [data-clock=periods]", "5")
    referee.clicks("#use-clock")
    referee.until(lambda: clock(table)["kind"] == "byo-yomi")
    assert clock(table)["seats"]["red"] == {"left": 600, "periods": 5, "flag": False}
    referee.until(lambda: not referee.all("dialog.timing"), "the dialog stays open")
    referee.clicks("#clock")
    referee.finds("#other-clock").find_element(By.CSS_SELECTOR, "[value=none]").click()
    referee.clicks("#use-clock")
    referee.until(lambda: table.host.state.clock is None)
    referee.until(lambda: not referee.all("dialog.timing"))


def clock(table: Place) -> Any:
    return table.host.state.clock


def test_what_is_taken_back_gives_its_time_back(referee: Person, table: Place) -> None:
    referee.begins("six-faces")
    referee.asks("/api/clock", {"do": "set", "clock": {"kind": "fischer", "main": 600, "more": 30}})
    referee.asks("/api/clock", {"do": "start"})
    time.sleep(1.1)
    referee.plays("b1-b2", ["b1", "b2"])
    assert 628 < clock(table)["seats"]["white"]["left"] < 629
    referee.clicks("#back")
    referee.until(lambda: clock(table)["running"] == "white")
    assert 599 < clock(table)["seats"]["white"]["left"] <= 600


@pytest.mark.parametrize("decided", ["time", "forfeit", "more time"])
def test_a_flag_is_called_and_persons_decide(referee: Person, table: Place, decided: str) -> None:
    referee.begins("six-faces")
    referee.asks("/api/clock", {"do": "set", "clock": {"kind": "move", "more": 1}})
    referee.asks("/api/clock", {"do": "start"})
    referee.sees("[data-flag=white]", "White is out of time.")
    referee.until(lambda: "0:00" in referee.text(".clock[data-seat=white]"))
    assert not table.host.state.outcome
    if decided == "time":
        referee.clicks("[data-flag=white] button")  # Red wins on time
    elif decided == "more time":
        referee.clicks("[data-flag=white] button:last-child")
        referee.until(lambda: not referee.all("[data-flag]"))
        assert clock(table)["seats"]["white"]["left"] > 50
        return
    else:
        ends(referee, decided, "Red")
    referee.says("over")
    outcome = table.host.state.outcome
    assert outcome
    assert (outcome.winner, outcome.why) == ("red", decided)
    assert not referee.all("[data-flag]")


def ends(person: Person, why: str, winner: str) -> None:
    person.clicks("#end")
    person.finds("[name=why]").find_element(By.CSS_SELECTOR, f"[value={why}]").click()
    person.run(
        """const [field, name] = arguments;
        field.selectedIndex = [...field.options].findIndex(({text}) => text === name)""",
        person.finds("[name=winner]"),
        winner,
    )
    person.clicks("#end-so")


@pytest.mark.parametrize(
    ("played", "agreed", "why", "winner"),
    [
        ("hepta", {}, "agreed", None),
        ("plank", {"players": 3}, "resigned", "B"),
        ("trippples", {"players": 4}, "forfeit", "round"),
        ("tetrods", {}, "referee", "solver"),
    ],
)
def test_any_ending_can_be_told(
    referee: Person, table: Place, played: str, agreed: dict[str, Any], why: str, winner: str | None
) -> None:
    referee.begins(played, **agreed)
    referee.until(lambda: referee.run("return document.body.dataset.role") == "referee")
    names = {"B": "Player B", "round": "Round pawn", "solver": "Solver", None: "nobody: a draw"}
    ends(referee, why, names[winner])
    referee.says("over")
    result = table.host.state.record["result"]
    assert result == {"winner": winner, "why": why}
    referee.clicks("#reopen")
    referee.until(lambda: not table.host.state.outcome)


def test_a_freeze_is_announced(referee: Person, table: Place) -> None:
    """Round on a7 points off the frame for who stands on h6, and h6 off the frame for a7."""
    tiles = dict(zip(tile_squares(OPTIONS), TILES, strict=True))
    for square, tile in {"h6": "SW-W-NW", "a7": "NE-E-SE"}.items():
        other = next(name for name, lies in tiles.items() if lies == tile)
        tiles[other], tiles[square] = tiles[square], tile
    for frozen in (True, False):
        made = {"game": "trippples", "options": {"frozen": frozen}, "setup": {"tiles": tiles}, "moves": []}
        start = read_record(json.dumps(made)).start.visible()
        seen = {"rows": start["rows"], "pawns": {"square1": "g5", "round1": "a7"}}
        record = {**made, "moves": [{"stood": seen, "to_move": "square", "note": "set up"}]}
        table.host.do(lambda record=record: table.host.begin(record))
        referee.goes_to("/")
        referee.may_move()
        if frozen:
            referee.clicks("#announce")
        else:
            assert not referee.all("#announce")
        referee.touches("h6")
        referee.says("over")
        outcome = table.host.state.outcome
        assert outcome
        assert (outcome.why, outcome.winner) == (("frozen", "square") if frozen else ("freeze", None))


def test_the_hints_switch_is_the_tables_and_its_lock_the_referees(referee: Person, table: Place) -> None:
    referee.begins("hepta")
    referee.clicks("#hint input")
    referee.until(lambda: table.host.state.hints.on)
    referee.clicks("#hint .lock")
    referee.until(lambda: table.host.state.hints.locked)
    referee.asks("/api/login", {"pin": PLAYER})
    referee.goes_to("/")
    referee.until(lambda: referee.run("return document.body.dataset.role") == "player")
    assert referee.run("return document.querySelector('#hint input').disabled")
    assert referee.run("return document.querySelector('#hint input').checked")
    assert referee.asks("/api/hints", {"on": False})["error"] == "hints-locked"
    referee.asks("/api/login", {"pin": REFEREE})
    assert referee.asks("/api/hints", {"on": False, "locked": False})["hints"] == {"on": False, "locked": False}


def test_nobody_thinks_any_more_when_the_game_is_over(referee: Person, table: Place) -> None:
    referee.begins("six-faces")
    referee.clicks("#hint input")
    referee.until(lambda: referee.text("#hint p"))
    referee.asks("/api/result", {"winner": "red", "why": "resigned"})
    referee.says("over")
    referee.until(lambda: referee.text("#hint p") == "", "something is still thought about")
    referee.goes_to("/")
    referee.says("over")
    assert referee.text("#hint p") == ""
    referee.asks("/api/hints", {"on": False})


def test_settings_are_changed_on_their_page(referee: Person, table: Place) -> None:
    referee.goes_to("/settings")
    referee.until(lambda: referee.all("#settings [name=lang]"))
    assert {field.get_attribute("name") for field in referee.all("#settings [name]")} == set(SETTINGS)
    referee.types("[name=still]", "0.4")
    referee.finds("[name=lang]").find_element(By.CSS_SELECTOR, "[value=fr]").click()
    referee.clicks("#settings .primary")
    referee.sees("#said", "Kept")
    assert (table.host.settings.still, table.host.settings.lang) == (0.4, "fr")
    referee.types("[name=still]", "99")
    referee.clicks("#settings .primary")
    referee.sees("#said", "0.05")
    assert table.host.settings.still == 0.4
    table.host.do(lambda: table.host.use(table.host.settings._replace(still=0.25, lang=None)))


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
    for page in PAGES if theme == "light" else ("/", "/setup"):
        referee.goes_to(page)
        referee.finds("h1")
        time.sleep(0.5)  # for what is fetched
        assert serious(referee) == [], page


def test_axe_finds_nothing_serious_in_what_opens(referee: Person) -> None:
    """The dialogs, a flag that is down, and the rose."""
    referee.begins("trippples", deal=False)
    referee.asks("/api/clock", {"do": "set", "clock": {"kind": "move", "more": 1}})
    referee.asks("/api/clock", {"do": "start"})
    referee.finds("[data-flag]")
    referee.clicks(".rose [data-draw]")
    assert serious(referee) == []
    for opened in ("#clock", "#end"):
        referee.clicks(opened)
        referee.finds("dialog[open] select")
        assert serious(referee) == [], opened
        referee.presses(Keys.ESCAPE)


def serious(person: Person) -> list[Any]:
    person.run((files("axe_core_python") / "axe.min.js").read_text())
    found = person.driver.execute_async_script("axe.run().then(({violations}) => arguments[0](violations))")
    return [
        (one["id"], one["help"], [node["target"] for node in one["nodes"]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


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
    is_light_and_from_here(referee, "#board svg" if page == "/" else "#players input")


def is_light_and_from_here(person: Person, shown: str) -> None:
    """The page that is open, loaded anew until this is shown."""
    person.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    person.driver.refresh()
    person.until(lambda: person.all(shown))
    person.until(lambda: person.run("return [...document.images].every((image) => image.complete)"))
    loaded = person.run(
        """return [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
        .map((entry) => [entry.name, entry.transferSize])"""
    )
    assert all(name.startswith(person.address) for name, _ in loaded)
    assert sum(size for _, size in loaded) <= 150_000, loaded


def test_all_that_the_pages_say_is_in_the_catalogue() -> None:
    written = "".join(file.read_text() for file in (*WEB.glob("static/*.js"), *WEB.glob("templates/*.html")))
    page = set(catalogue("en", "PAGE"))
    assert set(re.findall(r"""(?:\bsay\(|text\[)["']([\w.-]+)["'][\]),]""", written)) <= page
    for code in page:
        part = re.split(r"[.-]", code)[0]  # some are put together: `verdict.${kind}`
        assert f'"{code}"' in written or f"'{code}'" in written or f"`{part}." in written or part in FAMILIES, code


def test_the_pages_know_no_game() -> None:
    """What they show of a game they are told: no script reads a move's text, or does something for one game alone."""
    pages = [file for folder in ("static", "templates") for file in WEB.glob(f"{folder}/**/*") if file.is_file()]
    for file in (*WEB.glob("*.py"), *pages):
        for name in set(game_ids()) - {"plank"}:  # which is a piece, too
            assert f'"{name}"' not in file.read_text(), (file, name)
    read = re.compile(r"\b(move|text|label)\.(match|matchAll|split|test|slice|at|charAt|startsWith|endsWith)\(")
    for file in (
        WEB / "static" / name for name in ("hand.js", "faces.js", "rose.js", "new.js", "table.js", "timing.js")
    ):
        assert not read.search(file.read_text()), file


def test_nothing_is_inline() -> None:
    for file in WEB.glob("templates/*.html"):
        page = file.read_text()
        assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\bsrc=)", page), file
