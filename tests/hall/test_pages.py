"""The hall's pages in a real browser: the desk, check-in, spectators, print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hall.halls import ARBITER, Hall, served_hall, table_at, wait_until
from tests.web.browser import Person, chromium


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with served_hall(str(tmp_path_factory.mktemp("hall") / "hall.sqlite")) as running:
        yield running


@pytest.fixture
def person(hall: Hall) -> Iterator[Person]:
    with chromium() as driver:
        found = Person(driver, hall)  # type: ignore[arg-type]
        found.sits_before(1280, 900)
        yield found
        assert [said for said in found.complaints() if "401" not in said] == []


def text(person: Person, selector: str = "#shown") -> str:
    return str(person.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector))


def press(person: Person, selector: str) -> None:
    wait_until(lambda: person.run("return !!document.querySelector(arguments[0])", selector), selector)
    person.run("document.querySelector(arguments[0]).click()", selector)


def test_an_event_at_the_desk(hall: Hall, person: Person, tmp_path: Path) -> None:
    key = hall.desk.add_table("Anne", "Table 1")
    cup = hall.desk.do("Anne", "tournament", {"name": "Cup", "game": "six-faces", "system": "swiss", "rounds": 1})
    for name in ("Ann", "Bob"):
        hall.desk.enter("Anne", cup, [name], here=False)
    person.goes_to("/desk")
    wait_until(lambda: "for the desk" in text(person), "nobody is let in")
    person.run(
        "return fetch('/api/login', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({pin: arguments[0]})}).then(a => a.status)",
        ARBITER,
    )
    # check-in, with undo
    person.goes_to(f"/check-in/{cup}")
    wait_until(lambda: "0 of 2" in text(person), "check-in")
    for _ in range(2):
        press(person, ".here[aria-pressed=false]")
        press(person, ".here[aria-pressed=true]")
        wait_until(lambda: "0 of 2" in text(person), "undone")
    press(person, ".here[aria-pressed=false]")
    wait_until(lambda: "1 of 2" in text(person), "one is here")
    press(person, ".here[aria-pressed=false]")
    wait_until(lambda: "2 of 2" in text(person), "both are here")
    # a round: a draft, then published
    person.goes_to(f"/desk/tournaments/{cup}")
    press(person, "#pair")
    wait_until(lambda: "not published" in text(person), "the draft")
    press(person, "#publish")
    wait_until(lambda: "not published" not in text(person), "published")
    with table_at(tmp_path / "table", hall.url, key) as host:
        wait_until(lambda: host.state.game, "the game")
        person.goes_to("/desk")
        wait_until(lambda: "Ann" in text(person, "#tables"), "the table's card")
        move = str(next(host.state.position.moves()))
        host.do(lambda: host.game.play([move]))
        host.do(lambda: host.call_referee(True, "person"))
        wait_until(lambda: "calls the referee" in text(person, "#tables .trouble"), "the call")
        person.goes_to(f"/desk/tables/{key.place}")
        press(person, "main button.primary")
        wait_until(lambda: not host.state.hall.called, "he came")  # type: ignore[union-attr]
        # spectators see the board and the pairing
        person.goes_to("/")
        wait_until(lambda: "Round 1" in text(person) and "Ann" in text(person), "the round")
        person.goes_to("/wall")
        wait_until(lambda: "Table 1" in text(person), "the wall")
        host.do(lambda: host.game.end("white", "resigned"))
        person.goes_to(f"/print/{cup}")
        wait_until(lambda: "Standings" in text(person) and "____" in text(person), "paper")
    person.speaks("fr")
    person.goes_to("/")
    wait_until(lambda: "Classement" in text(person), "in French")
