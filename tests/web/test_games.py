"""Every game on the page, in a real browser: begun, refused, put right, taken back, loaded anew, played to its natural
end on the drawn board, and seen again."""

from __future__ import annotations

import re
import time
from random import Random
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from companion.record import ENDINGS
from companion.solvers.playing import sensible_move
from tests.records import read
from tests.web.browser import Person
from tests.web.serving import Place

PHONE, DESK = (360, 740), (1280, 900)
TIRED = 40  # moves after which players overlook things, so that the game ends
LAST = 2  # moves that are touched on the board at the end
soak = pytest.mark.soak
GAMES = [
    ("hepta", {}, "en", DESK),
    ("hepta-solo", {}, "fr", PHONE),
    ("tetrods", {}, "en", PHONE),
    ("t-for-two", {}, "fr", DESK),
    ("pegs", {}, "en", DESK),
    ("pegs-solo", {}, "fr", DESK),
    ("six-faces", {}, "fr", PHONE),
    ("plank", {"players": 2}, "en", PHONE),
    pytest.param("plank", {"players": 3}, "fr", DESK, marks=soak),
    ("plank", {"players": 4}, "en", DESK),
    ("trippples", {"deal": False}, "en", DESK),  # with the placing phase
    ("trippples", {"hidden": True}, "en", PHONE),
    pytest.param("trippples", {"wild": True}, "fr", DESK, marks=soak),
    pytest.param("trippples", {"players": 4}, "en", DESK, marks=soak),
]


@pytest.fixture(autouse=True)
def dealt_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What chance deals is the same whenever these tests are run."""
    monkeypatch.setattr("companion.table.opening.Random", lambda: Random(6))


def test_a_plank_still_to_be_laid_stays_drawn_while_it_is_touched(referee: Person, table: Place) -> None:
    referee.begins("plank", players=2)
    referee.plays_any()
    beyond = next(move for move in referee.asks("/api/moves")["moves"] if move["trace"]["touch"][0].endswith("1"))
    referee.may_move()
    drawn = referee.run("return document.querySelector('#board svg').outerHTML")
    referee.touches(beyond["trace"]["touch"][0])
    referee.until(lambda: referee.run("return document.querySelector('#board svg').outerHTML") != drawn)
    for _ in range(5):  # whatever is still being fetched
        referee.until(lambda: len(referee.all("#board .chosen")) == 1)
        time.sleep(0.1)


def test_what_is_held_stays_held_when_the_drawing_changes(referee: Person, table: Place) -> None:
    host = table.host
    referee.begins("six-faces")
    referee.may_move()
    referee.looks_at_board()
    drawn = referee.run("return document.querySelector('#board svg')")
    ActionChains(referee.driver).click_and_hold(referee.square("b1")).move_to_element(referee.square("b2")).perform()
    assert referee.all("#board .lifted")
    host.do(lambda: host.aids.set_hints(True, None, "referee"))
    referee.until(lambda: referee.text("#hint p") and host.state.hint)
    assert referee.all("#board .lifted")
    assert referee.run("return document.querySelector('#board svg') === arguments[0]", drawn)
    ActionChains(referee.driver).release().perform()
    referee.until(lambda: referee.moves() == ["b1-b2"])
    host.do(lambda: host.aids.set_hints(False, None, "referee"))


def test_what_is_held_makes_no_move_in_a_position_that_came_meanwhile(referee: Person, table: Place) -> None:
    host = table.host
    referee.begins("six-faces")
    referee.may_move()
    referee.looks_at_board()
    ActionChains(referee.driver).click_and_hold(referee.square("b1")).move_to_element(referee.square("b2")).perform()
    host.do(lambda: host.game.play(["a1-a6"]))
    referee.may_move()
    referee.until(lambda: referee.moves() == ["a1-a6"])
    ActionChains(referee.driver).release().perform()
    referee.until(lambda: referee.all('#board [data-square="a6"] .stands > *'), "the drawing does not catch up")
    assert not referee.all("#board .lifted")
    assert referee.moves() == ["a1-a6"]
    assert not referee.all(".hand .why")


def test_a_touch_is_answered_though_the_drawing_changes_under_it(referee: Person, table: Place) -> None:
    host = table.host
    referee.begins("hepta")
    referee.may_move()
    referee.looks_at_board()
    drawn = referee.run("return document.querySelector('#board svg')")
    ActionChains(referee.driver).click_and_hold(referee.square("c3")).perform()
    host.do(lambda: host.aids.set_hints(True, None, "referee"))
    referee.until(lambda: host.state.hint and referee.text("#hint p"))
    asked = "return performance.getEntriesByType('resource').some(({name}) => /board.svg.*hint/.test(name))"
    referee.until(lambda: referee.run(asked), "the hint is not drawn")
    assert referee.run("return document.querySelector('#board svg') === arguments[0]", drawn)
    ActionChains(referee.driver).release().perform()
    referee.until(lambda: referee.moves() == ["#c3"], "the touch was lost")
    host.do(lambda: host.aids.set_hints(False, None, "referee"))


def test_a_touch_for_a_position_that_went_under_the_finger_is_none(referee: Person, table: Place) -> None:
    host = table.host
    referee.begins("hepta")
    referee.may_move()
    referee.looks_at_board()
    ActionChains(referee.driver).click_and_hold(referee.square("c3")).perform()
    host.do(lambda: host.game.play(["#d4"]))
    referee.may_move()
    ActionChains(referee.driver).release().perform()
    referee.until(lambda: referee.all('#board [data-square="d4"] .stands > *'), "the drawing does not catch up")
    assert referee.moves() == ["#d4"]
    assert not referee.all("#board .chosen")


def test_a_touch_before_the_moves_are_there_is_answered_then(referee: Person, table: Place) -> None:
    referee.begins("hepta")
    referee.may_move()
    referee.run(
        """const ask = window.fetch, held = new Promise((done) => (window.letGo = done));
        window.fetch = async (path, ...how) => {
          if (String(path).startsWith("/api/moves")) await held;
          return ask(path, ...how);
        }"""
    )
    table.host.do(lambda: table.host.game.play(["#d4"]))
    referee.until(lambda: referee.all('#board [data-square="d4"] .stands > *'))
    referee.touches("c3")
    assert referee.moves() == ["#d4"]
    referee.run("window.letGo()")
    referee.until(lambda: referee.moves() == ["#d4", "#c3"], "the touch was lost")


def test_a_move_is_made_while_the_reason_for_another_is_asked_for(referee: Person) -> None:
    referee.begins("six-faces")
    referee.may_move()
    referee.run(
        """const ask = window.fetch, held = new Promise((done) => (window.letGo = done));
        window.fetch = async (path, ...how) => {
          if (String(path).startsWith("/api/why")) await held;
          return ask(path, ...how);
        }"""
    )
    referee.touches("e5")
    for square in ("b1", "b2"):
        referee.touches(square)
    referee.until(lambda: referee.moves() == ["b1-b2"], "the move was not made")
    referee.may_move()
    referee.run("window.letGo()")
    referee.until(lambda: not referee.all("#hand[data-busy]"))
    assert not referee.all(".hand .why")


def test_a_finger_drags_what_stands_and_what_lies_beside_the_board(referee: Person, table: Place) -> None:
    referee.sits_before(390, 844)
    referee.uses("finger")
    referee.begins("six-faces")
    referee.may_move()
    referee.looks_at_board()
    referee.slides(referee.square("b1"), referee.square("b2"))
    referee.until(lambda: referee.moves() == ["b1-b2"], "the die was not dragged: the page scrolled instead")
    referee.begins("hepta")
    referee.may_move()
    referee.looks_at_board()
    referee.slides(referee.finds("#tray button[data-piece]"), referee.square("c3"))
    referee.until(lambda: referee.moves() == ["#c3"], "the blocker was not dragged")


def test_what_is_dragged_may_be_let_go_where_the_sheet_lies(referee: Person) -> None:
    """On a phone the sheet at the foot goes away while something is held, and must not take the drop."""
    referee.sits_before(390, 600)
    referee.begins("hepta")
    referee.may_move()
    referee.clicks("#tray button[data-piece]")
    under = """const square = document.querySelector('#board [data-square="d1"]').getBoundingClientRect();
        scrollBy({top: square.bottom - innerHeight + 10, behavior: "instant"});
        const {x, y, width, height} = document.querySelector('#board [data-square="d1"]').getBoundingClientRect();
        return [x + width / 2, y + height / 2]"""
    x, y = referee.run(under)
    assert referee.run("return document.elementFromPoint(arguments[0], arguments[1]).closest('#hand') !== null", x, y)
    referee.run(
        """const [x, y] = arguments, button = document.querySelector("#tray button[data-piece]");
        const send = (kind, clientX, clientY) =>
          button.dispatchEvent(new PointerEvent(kind, {bubbles: true, button: 0, pointerId: 7, clientX, clientY}));
        send("pointerdown", 10, 10);
        send("pointermove", x, y);
        send("pointerup", x, y);""",
        x,
        y,
    )
    referee.until(lambda: referee.moves() == ["#d1"], "what was let go on the lowest row is not laid there")


@pytest.mark.parametrize(("game", "agreed", "language", "screen"), GAMES)
def test_a_game_from_its_start_to_its_end(
    referee: Person, table: Place, game: str, agreed: dict[str, Any], language: str, screen: tuple[int, int]
) -> None:
    referee.speaks(language)
    referee.sits_before(*screen)
    referee.begins(game, **agreed)
    assert referee.run("return document.documentElement.lang") == language
    begin(referee, table)
    number = end(referee, table)
    see_again(referee, number)


def begin(person: Person, table: Place) -> None:
    """The first moves; one that is illegal; the page loaded anew; the last move made otherwise."""
    game = table.host.state.game
    assert game
    person.plays_any()
    if game.id == "t-for-two":
        person.plays_any()  # the mushroom itself may be touched next
    played = person.moves()
    refused(person, played[-1])
    assert person.moves() == played

    person.driver.refresh()
    person.until(lambda: person.moves() == played, "the page that was loaded anew shows something else")

    person.clicks("#back")
    person.until(lambda: person.moves() == played[:-1])
    other = person.plays_any(choice=-1)
    made = table.host.state.record["moves"]
    assert person.moves() == made
    assert made[:-1] == played[:-1]
    assert made[-1].startswith(other)  # what lay under a tile is known once it is turned up


def refused(person: Person, last: str) -> None:
    """Where something lies now, nothing goes: the page says why, by the rule's number."""
    game = person.asks("/api/table")["game"]
    square = re.findall(r"[a-i]-?\d+", last)[-1]
    person.may_move()
    offered = person.asks("/api/moves")["moves"]
    person.touches(square)
    # A card may go over its peg, and a pawn goes on where the other cannot move: that is a choice, and no error.
    if game == "pegs-solo" or any(square in move["trace"]["touch"] for move in offered):
        person.until(lambda: len(person.all("#board .chosen")) == 1 and not person.all(".hand .why"))
        return
    why = person.finds(".hand .why").text
    assert square in why, why
    rule = {"en": r"\(rule \d+\)|turn", "fr": r"\(règle \d+\)|tour|jouer"}
    assert re.search(rule[person.run("return document.documentElement.lang")], why), why


def end(person: Person, table: Place) -> int:
    """Most moves are made elsewhere, the page follows; the last ones are touched on its board."""
    host = table.host
    assert host.state.game
    game, position, chance = host.state.game.id, host.state.position, Random(4)
    moves: list[str] = []
    while not position.outcome():
        assert len(moves) < 500
        move = sensible_move(host.state.game, position, chance, tired=len(moves) > TIRED)
        moves.append(str(move))
        position = position.play(move)
    assert len(moves) > LAST
    before = len(host.state.record["moves"])
    host.do(lambda: host.game.play(moves[:-LAST]))
    person.until(lambda: len(person.moves()) == before + len(moves) - LAST, "the page does not follow")
    for text in moves[-LAST:]:
        way = host.state.position.trace(read(game, text))
        person.plays(as_offered(person, text), way.touch)
    said = person.says("over")
    outcome = person.asks("/api/table")["outcome"]
    assert outcome["why"] not in ENDINGS
    assert said == outcome["text"]
    person.until(lambda: not person.all(".hand button"), "something is still offered")
    assert host.state.number
    return host.state.number


def as_offered(person: Person, text: str) -> str:
    """A move as the page knows it: what lies under a tile nobody is told before it is turned up."""
    offered = {move["move"] for move in person.asks("/api/moves")["moves"]}
    bare = text.partition("=")[0]
    return bare if bare in offered else text


def see_again(person: Person, number: int) -> None:
    person.goes_to(f"/replay/{number}")
    person.until(lambda: person.all("#board svg"))
    last = len(person.moves())
    person.until(lambda: person.text("#at") == f"{last} / {last}")
    shown = person.run("return document.querySelector('#board svg').outerHTML")
    person.presses(Keys.HOME)
    person.until(lambda: person.text("#at") == f"0 / {last}")
    person.until(lambda: person.run("return document.querySelector('#board svg').outerHTML") != shown)
    person.presses(Keys.ARROW_RIGHT)
    person.until(lambda: person.text("#at") == f"1 / {last}")
    assert person.text("#outcome")
