"""Debian's chromium before the real app: what a person does on the pages, and what he then sees."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Literal

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.parts import lacking
from tests.web.serving import REFEREE, Place

PATIENCE = 20.0  # seconds; the machine may be busy
RESTS = 0.35  # seconds
Hand = Literal["mouse", "finger", "keys"]


@contextmanager
def chromium(*arguments: str, language: str = "en") -> Iterator[webdriver.Chrome]:
    """A browser of our own."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (browser and driver):
        lacking("chromium and chromium-driver are not installed: the pages are not tested")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--window-size=1280,900",
        f"--lang={language}",
        *arguments,
    ):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options, webdriver.ChromeService(driver))
    try:
        yield running
    finally:
        running.quit()


def tray_button(piece: dict[str, Any]) -> str:
    return f'#tray button[data-piece="{piece["kind"]} {piece.get("model", piece["name"])}"]'


class Person:
    """Somebody before the page."""

    def __init__(self, driver: webdriver.Chrome, place: Place) -> None:
        self.driver, self.address = driver, f"http://127.0.0.1:{place.port}"
        self.uses("mouse")
        driver.get(self.address + "/api/catalogue")
        driver.delete_all_cookies()
        self.run("localStorage.clear()")

    def sits_before(self, wide: int, high: int) -> None:
        """A screen of this size; a window of chromium cannot be as small as a phone, a page in it can."""
        size = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def speaks(self, language: str) -> None:
        """What was chosen in this browser before."""
        self.driver.add_cookie({"name": "lang", "value": language})

    def goes_to(self, path: str) -> None:
        self.driver.get(self.address + path)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def asks(self, path: str, body: Any = None) -> Any:
        """What the server answers to this browser."""
        return self.driver.execute_async_script(
            """const [path, body, done] = arguments;
            const headers = {"Content-Type": "application/json"};
            const asked = fetch(path, body ? {method: "POST", headers, body: JSON.stringify(body)} : {});
            asked.then((answer) => answer.json()).then(done)""",
            path,
            body,
        )

    def until(self, what: Callable[[], Any], why: str = "") -> Any:
        return WebDriverWait(self.driver, PATIENCE, 0.05, [Exception]).until(lambda _: what(), why)

    def finds(self, selector: str) -> WebElement:
        """What can be seen there."""

        def seen() -> WebElement | None:
            return next((one for one in self.all(selector) if one.is_displayed()), None)

        found: WebElement = self.until(seen, f"nothing to see: {selector}")
        return found

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def sees(self, selector: str, text: str) -> None:
        self.until(lambda: text in self.text(selector), f"{text!r} is not in {selector}")

    def text(self, selector: str) -> str:
        told: str = self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        return told

    def uses(self, hand: Hand) -> None:
        """With what squares and buttons are touched from now on."""
        self.hand: Hand = hand
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": hand == "finger"})

    def clicks(self, selector: str) -> None:
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", self.finds(selector))
        press = {"mouse": WebElement.click, "finger": self.taps, "keys": self.enters_on}[self.hand]
        self.until(lambda: (press(self.finds(selector)), True)[1], f"cannot click {selector}")

    def taps(self, what: WebElement) -> None:
        """A finger, as the browser is told of fingers."""
        x, y, is_free = self.run(
            """const {x, y, width, height} = arguments[0].getBoundingClientRect(), at = [x + width / 2, y + height / 2];
            const under = document.elementFromPoint(...at);
            return [...at, under !== null && (arguments[0].contains(under) || under.contains(arguments[0]))]""",
            what,
        )
        assert is_free, "something lies over it"
        self.finger("touchStart", x, y)
        self.finger("touchEnd")

    def slides(self, from_what: WebElement, *over: WebElement, until: Callable[[], bool] | None = None) -> bool:
        """A finger that does not let go on its way, or only where `until` says so; else it comes back to where it was.
        It rests before and after: chromium takes touches that follow one another too fast for one gesture."""
        time.sleep(RESTS)
        middle = """const {x, y, width, height} = arguments[0].getBoundingClientRect();
            return [x + width / 2, y + height / 2]"""
        stops = [self.run(middle, what) for what in (from_what, *over)]
        self.finger("touchStart", *stops[0])
        is_there, at = until is None, tuple(stops[0])
        for (x, y), (u, v) in pairwise(stops if is_there else [*stops, stops[0]]):
            for step in range(1, 9):
                at = x + (u - x) * step / 8, y + (v - y) * step / 8
                self.finger("touchMove", *at)
            if until and until():
                is_there = True
                break
        time.sleep(RESTS)  # who lets go while the finger flies throws: his next touch only stops what he has thrown
        self.finger("touchMove", *at)
        self.finger("touchEnd")
        time.sleep(RESTS)
        return is_there

    def finger(self, kind: str, *at: float) -> None:
        points = [dict(zip("xy", at, strict=True))] if at else []
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def enters_on(self, what: WebElement) -> None:
        self.run("arguments[0].focus()", what)
        self.presses(Keys.ENTER)

    def walks_to(self, square: str) -> None:
        """From the square on which the tab key stops, by arrows, to another."""
        self.run("document.querySelector('#board .square[tabindex=\"0\"]').focus()")
        for _ in range(40):
            here, dx, dy = self.run(
                """const middle = (square) => {
                  const {x, y, width, height} = square.getBoundingClientRect();
                  return [x + width / 2, y + height / 2];
                };
                const there = document.querySelector(`#board [data-square="${arguments[0]}"]`);
                const here = document.activeElement;
                const [[x, y], [u, v]] = [middle(here), middle(there)];
                return [here.dataset.square, u - x, v - y]""",
                square,
            )
            if here == square:
                return
            right, down = (Keys.ARROW_LEFT, Keys.ARROW_RIGHT)[dx > 0], (Keys.ARROW_UP, Keys.ARROW_DOWN)[dy > 0]
            self.presses(right if abs(dx) > abs(dy) else down)
        raise AssertionError(f"{square} cannot be reached by arrows")

    def types(self, selector: str, text: str) -> None:
        field = self.finds(selector)
        field.clear()
        field.send_keys(text)

    def presses(self, *keys: str) -> None:
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def enters(self, pin: str = REFEREE) -> None:
        self.until(lambda: self.run("return document.body.dataset.role"), "the page does not know who looks")
        self.clicks("#role")
        self.types("#pin-dialog input", pin)
        self.presses(Keys.ENTER)
        self.until(lambda: self.run("return document.body.dataset.role") != "viewer", "the PIN is refused")

    # --- at the table

    def chooses(self, game: str, **agreed: Any) -> None:
        """On the page of new games, what is to be played and what was agreed; `deal`: it is laid out by chance."""
        self.goes_to("/new")
        self.until(lambda: self.run("return document.querySelector('#players input') !== null"))
        self.run("document.querySelector(`input[value='${arguments[0]}']`).click()", game)
        for name, value in agreed.items():
            special = {"deal": "#deal"} | ({"players": "#how-many"} if self.all("#how-many") else {})
            field = self.finds(special.get(name, f'[data-option="{name}"]'))
            self.run("arguments[0].scrollIntoView({block: 'center'})", field)
            if isinstance(value, bool):
                if field.is_selected() != value:
                    field.click()
            else:
                self.run(
                    """const [field, value] = arguments;
                    field.selectedIndex = [...field.options].findIndex(({text}) => text === value);
                    field.dispatchEvent(new Event("change"))""",
                    field,
                    str(value),
                )

    def begins(self, game: str, **agreed: Any) -> None:
        self.chooses(game, **agreed)
        self.clicks("#begin")
        self.until(lambda: self.run("return document.body.dataset.page") == "table" and self.all("#board svg"))

    def touches(self, square: str) -> None:
        if self.hand == "keys":
            self.walks_to(square)
            self.presses(Keys.ENTER)
            return
        if self.hand == "finger":
            self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", self.square(square))
            self.taps(self.square(square))
            return
        self.until(
            lambda: self.run(
                """const square = document.querySelector(`#board [data-square="${arguments[0]}"]`);
                square.dispatchEvent(new MouseEvent("click", {bubbles: true})); return true""",
                square,
            ),
            f"{square} is not drawn",
        )

    def moves(self) -> list[str]:
        """The notation of the moves, which stands on their second line."""
        told: list[str] = self.run(
            """return [...document.querySelectorAll('#moves .ply')]
            .map((ply) => (ply.querySelector('.notation') ?? ply.querySelector('span')).textContent)"""
        )
        return told

    def may_move(self) -> int:
        """Waits until the moves of the position that is shown are there; how many were made."""

        def there() -> bool:
            at = self.run("return document.querySelector('#hand').dataset.at")
            return bool(self.all(".all-moves")) and at == str(len(self.moves()))

        self.until(there, "no moves are offered")
        return len(self.moves())

    def plays(self, move: str, squares: Sequence[str]) -> None:
        """Makes a move by touch alone: takes up its piece, turns it, touches its squares, and chooses where more than
        one move fits."""
        before, offered = self.may_move(), self.offered(move)
        if picked := self.picks(offered["pieces"]):
            self.turns_to(picked["name"])
        for way in re.split("[@=]", move)[0 if "@" in move else 1].split("-") if self.all(".rose") else ():
            self.clicks(f'.rose [data-way="{way}"]')
        for square in self.ways_to_touch(offered["trace"], squares, bool(picked)):
            if self.is_made(before):
                break
            self.touches(square)
            if picked and len(offered["trace"]["to"]) > 1:
                self.turns_ghost(move, square, before)
        if not self.is_made(before):
            self.chooses_move(move)
        self.until(lambda: self.is_made(before), f"{move} was not played")

    def drags(self, move: str) -> None:
        """The same by dragging: a piece from its square, or from the tray; a mouse turns it over the board by keys, a
        finger beside it."""
        before, offered = self.may_move(), self.offered(move)
        trace = offered["trace"]
        if start := trace.get("start"):
            if offered["pieces"]:  # a plank, onto which something is moved
                self.picks(offered["pieces"])
                self.turns_to(offered["pieces"][0]["name"])
            self.drag(self.square(start[0]), [*trace.get("turns", ()), trace["to"][-1]])
        elif trace.get("to") and (picked := self.picks(offered["pieces"])):
            self.turns_to(picked["name"])
            if self.hand == "mouse" or len(trace["to"]) == 1:
                self.drag(self.finds(tray_button(picked)), [self.turns_over(move, trace["to"])])
            else:
                self.slides_as(move, picked, trace["to"])
        elif trace.get("to") and not self.all(".rose"):
            self.touches(trace["to"][-1])
        else:
            self.plays(move, trace["touch"])
        if not self.is_made(before):
            self.chooses_move(move)
        self.until(lambda: self.is_made(before), f"{move} was not played")

    def square(self, name: str) -> WebElement:
        return self.finds(f'#board [data-square="{name}"]')

    def looks_at_board(self) -> None:
        """The tray is right under it."""
        self.run("document.querySelector('#board').scrollIntoView({block: 'start', behavior: 'instant'})")

    def drag(self, from_what: WebElement, squares: Sequence[str]) -> None:
        self.looks_at_board()
        if self.hand == "finger":
            self.slides(from_what, *map(self.square, squares))
            return
        drag = webdriver.ActionChains(self.driver, duration=60).click_and_hold(from_what)
        for square in squares:
            drag.move_to_element(self.square(square))
        drag.release().perform()

    def slides_as(self, move: str, picked: dict[str, Any], squares: Sequence[str]) -> None:
        """Drags a piece of several squares over the board by a finger, and turns it beside the board until it fits."""
        for button in (None, *["#turn-piece"] * 3, "#flip-piece", *["#turn-piece"] * 3):
            if button and self.all(button):
                self.clicks(button)
            self.looks_at_board()
            over = [self.square(square) for square in squares]
            if self.slides(self.finds(tray_button(picked)), *over, until=lambda: self.shows_ghost(move)):
                return
        raise AssertionError(f"no ghost shows {move}")

    def shows_ghost(self, move: str) -> bool:
        return bool(self.run("return document.querySelector('#board .shade')?.dataset.move === arguments[0]", move))

    def turns_over(self, move: str, squares: Sequence[str]) -> str:
        """Holds a piece over squares and turns it by keys until its ghost is this move: the square it is over."""
        if len(squares) == 1:
            return squares[0]
        self.looks_at_board()
        for square in squares:
            webdriver.ActionChains(self.driver, duration=30).move_to_element(self.square(square)).perform()
            for key in "rrrrfrrrr":
                if self.shows_ghost(move):
                    return square
                self.presses(key)
        raise AssertionError(f"no ghost shows {move}")

    def offered(self, move: str) -> dict[str, Any]:
        """What the server tells of a move: its squares and pieces."""
        told = self.asks("/api/moves")
        for one in told["moves"]:
            pieces = told["choices"][one["choices"]] if "choices" in one else []
            for piece in pieces:
                if one["move"].replace("{}", piece["name"]) == move:
                    return {**one, "pieces": [] if piece["kind"] == "tile" else [piece]}
            if move in (one["move"], one.get("announced")):
                return {"pieces": [], **one}
        raise AssertionError(f"{move} is not offered")

    def picks(self, pieces: list[dict[str, Any]]) -> dict[str, Any] | None:
        """Takes up the first of these, if it lies beside the board."""
        button = tray_button(pieces[0]) if pieces else ""
        if not button or not self.all(button):
            return None
        self.until(lambda: self.finds(button).is_enabled())
        self.clicks(button)
        self.until(lambda: self.all(f'{button}[aria-pressed="true"]'), f"{button} is not taken up")
        return pieces[0]

    def turns_to(self, name: str) -> None:
        for _ in range(3):
            if self.run("return document.querySelector('#tray [aria-pressed=true]')?.dataset.name ?? ''") == name:
                return
            self.clicks("#turn-piece")
        raise AssertionError(f"it cannot be turned to {name}")

    @staticmethod
    def ways_to_touch(trace: dict[str, Any], squares: Sequence[str], is_held: bool) -> Sequence[str]:
        """A large piece that is held is put with its hole, or a corner, on a square; others are touched together."""
        if is_held and len(trace.get("to", ())) > 1:
            holes: list[str] = trace.get("holes", [])
            return (holes if len(holes) == 1 else trace["to"])[:1]
        return squares

    def turns_ghost(self, move: str, square: str, before: int) -> None:
        """Touches again what was laid down by the way, until it lies as it should."""
        for _ in range(40):
            if self.is_made(before) or self.run(
                "return document.querySelector('.hand .primary')?.dataset.move === arguments[0]", move
            ):
                break
            self.touches(square)
        if not self.is_made(before):
            self.clicks(f'.hand .primary[data-move="{move}"]')

    def is_made(self, before: int) -> bool:
        """Whether a move was made, once the page has done what it is doing."""
        self.until(lambda: not self.all("#hand[data-busy]"), "the page is busy for ever")
        return len(self.moves()) > before

    def chooses_move(self, move: str) -> None:
        button = f'.hand > .choices [data-move="{move}"]'
        if not self.run("return document.querySelector(arguments[0]) !== null", button):
            self.clicks(".all-moves summary")  # too many fit: among all in words
            self.types(".all-moves input", move)
            button = f'.all-moves [data-move="{move}"]'
        self.clicks(button)

    def plays_any(self, choice: int = 0) -> str:
        """One of the moves that are offered."""
        offered = self.asks("/api/moves")
        chosen = offered["moves"][choice]
        move: str = chosen["move"]
        if "choices" in chosen:
            move = move.replace("{}", offered["choices"][chosen["choices"]][0]["name"])
        self.plays(move, chosen["trace"]["touch"])
        return move

    def says(self, kind: str) -> str:
        """Waits for a verdict of this kind: what it says."""
        self.until(lambda: self.run("return document.querySelector('#verdict').dataset.kind") == kind, f"not {kind}")
        return self.text("#verdict-text")

    def complaints(self) -> list[str]:
        """What the browser has to say against the page, but for answers that refuse something."""
        told = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        return [message for message in told if "Failed to load resource" not in message]

    def console(self) -> list[str]:
        """Everything that the browser has to say, but for the icon that it looks for where a test asks the API."""
        told = [entry["message"] for entry in self.driver.get_log("browser")]
        return [message for message in told if "favicon.ico" not in message]
