"""The hall's pages in a real browser: the desk, check-in, spectators, print."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from companion.leds.protocol import DONE, REFEREE
from tests.hall.furnished import furnished
from tests.hall.halls import ARBITER, Hall, served_hall, table_at, wait_until
from tests.web.browser import Person, chromium
from tests.web.test_pages import serious


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


LATE_ANSWERS = """const usual = window.fetch;
const held = new Promise((done) => (window.letGo = done));
window.fetch = async (address, ...more) => {
  const answer = await usual(address, ...more);
  if (!String(address).startsWith("/api/hall")) return answer;
  window.asked = true;
  await held;
  setTimeout(() => (window.answered = true), 300);
  return answer;
}"""


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
        # The hall is asked anew, and its answer comes late: what the stream has told meanwhile stays.
        person.run(LATE_ANSWERS)
        hall.desk.do("Anne", "delay", {"seconds": 0})
        wait_until(lambda: person.run("return window.asked"), "asked anew")
        host.do(lambda: host._press(REFEREE))
        wait_until(lambda: "Calls the referee" in text(person, "#tables .trouble"), "the call")
        person.run("window.letGo()")
        wait_until(lambda: person.run("return window.answered"), "the late answer")
        assert "Calls the referee" in text(person, "#tables .trouble")
        host.do(lambda: host._press(DONE))
        assert host.state.paused  # he has yet to come
        person.goes_to(f"/desk/tables/{key.place}")
        press(person, "#answered")
        wait_until(lambda: not host.state.hall.called, "he came")  # type: ignore[union-attr]
        host.do(lambda: host._press(DONE))
        wait_until(lambda: not host.state.paused, "play goes on")
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


PAGES = (
    "/",
    "/wall",
    "/desk",
    "/desk/hall",
    "/desk/log",
    "/desk/tournaments/{cup}",
    "/desk/tournaments/{cup}#players",
    "/desk/tournaments/{cup}#standings",
    "/desk/tournaments/{cup}#crosstable",
    "/desk/tournaments/{cup}#corrections",
    "/desk/tournaments/{cup}#files",
    "/tournaments/{cup}",
    "/desk/tables/{table}",
    "/tables/{table}",
    "/check-in/{cup}",
    "/print/{cup}",
)
PHONE, DESK = (360, 740), (1280, 900)


def looked_at(folder: Path, looks: list[tuple[str, str, tuple[int, int]]]) -> None:
    """Every page, and what opens on it: axe finds nothing serious, nothing sticks out, the console says nothing."""
    with furnished(folder) as (hall, cup), chromium() as driver:
        person = Person(driver, hall)  # type: ignore[arg-type]
        person.asks("/api/login", {"pin": ARBITER})
        found: list[object] = []
        table = next(n for n, live in hall.desk.tables.live.items() if live.verdict)
        for language, theme, size in looks:
            person.sits_before(*size)
            person.speaks(language)
            person.run("localStorage.setItem('theme', arguments[0])", theme)
            for page in (one.format(cup=cup, table=table) for one in PAGES):
                person.goes_to("/api/catalogue")  # another tab of the same page would not be loaded anew
                person.goes_to(page)
                wait_until(lambda: text(person).strip(), page)
                found += [(page, language, theme, size, one) for one in wrong(person)]
            for page, button, shown in (
                ("/desk", "#new-tournament", "dialog[open] .ties"),
                (f"/desk/tournaments/{cup}#round", "[data-enter]", "dialog[open] form"),
                (f"/desk/tournaments/{cup}#standings", "#tab-shown button.link", "dialog[open] table"),
                (f"/desk/tables/{table}", "#show-evidence", "dialog[open] img"),
            ):
                person.goes_to("/api/catalogue")
                person.goes_to(page)
                press(person, button)
                wait_until(lambda shown=shown: person.all(shown), button)  # type: ignore[misc]
                person.run("document.querySelectorAll('dialog[open] details').forEach((one) => (one.open = true))")
                found += [(button, language, theme, size, one) for one in wrong(person)]
        assert found == []
        assert person.complaints() == []


def wrong(person: Person) -> list[object]:
    """What hinders somebody on the page as it is now."""
    out = person.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [*serious(person), *([f"{out} pixels stick out"] if out > 0 else [])]


def test_all_pages_can_be_used_by_everybody(tmp_path: Path) -> None:
    looked_at(tmp_path, [("en", "light", DESK)])


@pytest.mark.soak
def test_all_pages_in_both_languages_and_lights_on_all_screens(tmp_path: Path) -> None:
    looked_at(tmp_path, list(product(("en", "fr"), ("light", "dark"), (PHONE, DESK))))


def test_tie_breaks_are_chosen_and_changed_on_the_page(hall: Hall, person: Person) -> None:
    person.asks("/api/login", {"pin": ARBITER})
    person.goes_to("/desk")
    press(person, "#new-tournament")
    wait_until(lambda: len(person.all("dialog[open] .ties select")) == 7, "the usual six, and one more")
    choose = """const [at, name] = arguments, one = document.querySelectorAll(".ties select")[at];
    one.value = name;
    one.dispatchEvent(new Event("change", {bubbles: true}))"""
    person.run(choose, 0, "wins")  # it changes places with the one that was there
    person.run(choose, 6, "progress")
    for _ in range(2):
        person.run(choose, 1, "")  # what is taken out closes up
    fill(person, {"name": "Ties", "game": "six-faces", "system": "swiss", "rounds": "2"})
    agreed = ["wins", "sonneborn", "direct", "points", "progress"]
    wait_until(lambda: "Who takes part" in text(person), "its page")
    tournament = next(one for one in hall.desk.state.tournaments.values() if one.rules.name == "Ties")
    cup = tournament.id
    assert list(tournament.rules.tie_breaks) == agreed
    for name in ("Mia", "Noé"):
        hall.desk.enter("Anne", cup, [name])
    hall.desk.pair("Anne", cup)
    hall.desk.publish("Anne", cup)
    wait_until(lambda: "Round 1" in text(person), "published")
    press(person, "#tab-standings")
    press(person, "#change-ties")
    wait_until(lambda: person.all("dialog[open] .ties"), "the tie-breaks")
    assert "Matches won at the board." in text(person, "dialog[open] .ties")
    person.run(choose, 0, "buchholz")
    fill(person, {"reason": "as announced"})
    wait_until(lambda: tournament.rules.tie_breaks[0] == "buchholz", "changed")
    wait_until(lambda: "Buchholz" in text(person, "#tab-shown th:nth-child(4)"), "shown")
    person.goes_to("/desk/log")
    wait_until(lambda: "equal scores are ranked by Buchholz" in text(person) and "as announced" in text(person), "log")


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
