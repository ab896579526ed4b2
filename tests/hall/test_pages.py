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
    person.asks("/api/login", {"pin": ARBITER})
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
        wait_until(lambda: "Calls the referee" in text(person, "#tables .trouble"), "the call")
        person.goes_to(f"/desk/tables/{key.place}")
        press(person, "#answered")
        wait_until(lambda: not host.state.hall.called, "he came")  # type: ignore[union-attr]
        # spectators see the board and the pairing
        person.goes_to("/")
        wait_until(lambda: "Round 1" in text(person) and "Ann" in text(person), "the round")
        person.goes_to("/wall")
        wait_until(lambda: "Table 1" in text(person), "the wall")
        host.do(lambda: host.game.end("white", "resigned"))
        person.goes_to(f"/print/{cup}")
        wait_until(lambda: "Standings" in text(person) and "Crosstable" in text(person), "paper")
    person.speaks("fr")
    person.goes_to("/")
    wait_until(lambda: "Classement" in text(person), "in French")


def fill(person: Person, values: dict[str, str], within: str = "dialog[open]") -> None:
    """The fields of a form by their names, and send it."""
    script = """const [values, within] = arguments;
    const form = document.querySelector(`${within} form`);
    for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
    form.requestSubmit();"""
    person.run(script, values, within)


def test_what_an_organizer_does_by_hand(hall: Hall, person: Person) -> None:
    """Players from a file, a draft changed, results entered and corrected; all of it is in the log."""
    person.asks("/api/login", {"pin": ARBITER})
    person.goes_to("/desk")
    press(person, "#new-tournament")
    wait_until(lambda: person.all("dialog[open] [name=name]"), "the form")
    fill(person, {"name": "Hands", "game": "six-faces", "system": "swiss", "rounds": "3"})
    wait_until(lambda: "Who takes part" in text(person), "its page, at the players")
    fill(person, {"text": "Ida, Lyon, 1700\nJon;;\nKim\nLou"}, "#from-file")
    wait_until(lambda: "makes no sense" in text(person, "#told") or "Lou" in text(person), "read or refused")
    if "Lou" not in text(person):  # the mark of the first line counts for all
        fill(person, {"text": "Ida, Lyon, 1700\nJon\nKim\nLou"}, "#from-file")
    wait_until(lambda: "Lou" in text(person), "the players")
    press(person, "#pair")
    press(person, "#change")
    wait_until(lambda: len(person.all("dialog[open] .boards select")) == 4, "four places")
    order = person.run("return [...document.querySelectorAll('.boards select')].map((one) => one.value)")
    swapped = [order[0], order[2], order[1], order[3]]
    person.run(
        "document.querySelectorAll('.boards select').forEach((one, n) => (one.value = arguments[0][n]))", swapped
    )
    person.run("document.querySelector('.boards').dispatchEvent(new Event('change', {bubbles: true}))")
    press(person, "#save-boards")
    wait_until(lambda: "Paired by hand" in text(person), "the draft as it was wanted")
    press(person, "#publish")
    press(person, "[data-enter]")
    fill(person, {"scores": "1 0", "reason": "read from the slip"})
    wait_until(lambda: "1 : 0" in text(person), "the result")
    press(person, "[data-enter]")
    fill(person, {"scores": "0.5 0.5", "reason": "they had agreed on a draw"})
    wait_until(lambda: "½ : ½" in text(person), "the correction")
    press(person, "#tab-corrections")
    wait_until(lambda: "they had agreed on a draw" in text(person) and "1 : 0" in text(person), "both, with reason")
    # somebody withdraws, after a question
    press(person, "#tab-players")
    person.run(
        "[...document.querySelectorAll('#tab-shown button')].find((one) => one.textContent === 'withdraw').click()"
    )
    press(person, "dialog[open] button.primary")
    wait_until(lambda: "withdrawn" in text(person), "gone")
    # standings say what they are made of; paper comes as a PDF
    press(person, "#tab-standings")
    press(person, "#tab-shown button.link")
    wait_until(lambda: "Made of" in text(person, "dialog[open]"), "why")
    person.run("document.querySelector('dialog[open]').close()")
    press(person, "#tab-files")
    links = person.run(
        "return [...document.querySelectorAll('#tab-shown a[href*=\"paper.pdf\"]')].map((one) => one.href)"
    )
    assert len(links) == 4
    for link in links:
        begins = "fetch(arguments[0]).then((a) => a.text()).then((t) => arguments[1](t.slice(0, 5)))"
        assert person.driver.execute_async_script(begins, link) == "%PDF-"
    # all of it is in the log
    person.goes_to("/desk/log")
    wait_until(lambda: "Hands: round 1 is paired by hand" in text(person), "the log")
    assert "½ : ½. they had agreed on a draw" in text(person)
    press(person, "#verify")
    wait_until(lambda: "nothing was changed" in text(person, "#verified"), "the seals")
    # keys for several tables at once
    person.goes_to("/desk/hall")
    wait_until(lambda: person.all("[name=count]"), "set-up")
    person.run(
        "const form = document.querySelector('[name=count]').form; form.elements.count.value = 2; form.requestSubmit()"
    )
    wait_until(lambda: len(person.all("dialog[open] .key")) == 2, "two keys")
