"""The page in a browser while the referee works: python -m tests.bench.page.

How soon a touch is answered, from the finger's event to the next frame that shows it: where a die may roll, where a
pawn may go, where a piece that is held would lie; and how smoothly a die rolls. A second table with a simulated game
that is refereed all the while runs in the same process as the one that is touched. Of several rounds the best one
counts, and in it the slowest touch: what else this machine does is not the page's doing. Of the rolls the middle one
counts. The browser here draws without a graphics card: what moves is bound by how much is drawn anew for a frame.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from companion.table.demo import Demo
from tests.bench.table import Row, show
from tests.web.browser import Person, chromium
from tests.web.serving import REFEREE, served

TOUCH, FRAMES = 50.0, 50.0  # milliseconds; frames a second
DICE = ("a1", "b1", "c1", "d1", "f1", "g1", "h1", "i1")
TOUCHES = {"six-faces": DICE, "trippples": ("a1",) * 8, "tetrods": ()}  # where something is chosen
ROUNDS = 4

# From the event until the frame is painted that was drawn after it.
ANSWERED = """
const [square, done] = arguments;
const at = performance.now();
document.querySelector(`#board [data-square="${square}"]`).dispatchEvent(new MouseEvent("click", {bubbles: true}));
const told = () => done([performance.now() - at, document.querySelectorAll("#board .over > *").length]);
requestAnimationFrame(() => setTimeout(told));
"""
# The gaps between frames while something moves on the board.
ROLLS = """
const [move, done] = arguments;
const headers = {"Content-Type": "application/json"};
const times = [];
const watch = (now) => {
  if (document.querySelector("#board .moving")) times.push(now);
  else if (times.length) return done(times);
  requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
fetch("/api/play", {method: "POST", headers, body: JSON.stringify({moves: [move]})});
"""
LONG = ("a1-a6", "i8-i3", "d1-d6-e6", "f8-f3-e3")  # five or six squares each


def touched(person: Person, game: str) -> float:
    """The slowest answer of a round, in milliseconds."""
    person.begins(game)
    person.may_move()
    squares = TOUCHES[game]
    if not squares:  # what lies beside the board is taken up, and laid here and there
        person.clicks("#tray button[data-piece]:not(:disabled)")
        moves = person.asks("/api/moves")["moves"]
        squares = tuple(dict.fromkeys(move["trace"]["to"][0] for move in moves))[:8]
    answers = [person.driver.execute_async_script(ANSWERED, square) for square in squares]
    assert any(shown for _, shown in answers)  # touched twice it is let go
    return max(took for took, _ in answers)


def rows() -> list[Row]:
    rounds, rolls = {game: list[float]() for game in TOUCHES}, list[float]()
    with (
        tempfile.TemporaryDirectory() as here,
        tempfile.TemporaryDirectory() as there,
        chromium() as driver,
        served(Path(there), demo=Demo(("hepta",), 3, "pace=2")),  # what is refereed meanwhile
        served(Path(here)) as table,
    ):
        person = Person(driver, table)
        person.sits_before(1280, 900)
        person.asks("/api/login", {"pin": REFEREE})
        for game in TOUCHES:
            rounds[game] = [touched(person, game) for _ in range(ROUNDS)]
        for _ in range(2):
            person.begins("six-faces")
            person.may_move()
            for ply, move in enumerate(LONG):
                times = driver.execute_async_script(ROLLS, move)
                rolls.append(1000 * (len(times) - 1) / (times[-1] - times[0]))
                person.until(lambda n=ply: len(person.moves()) == n + 1)
                person.may_move()
    frames = median(rolls)
    slowest = {game: min(took) for game, took in rounds.items()}
    return [
        *(
            Row(f"a touch answered: {game}", f"{ms:.0f} ms", "", "", ms / TOUCH, f"{TOUCH:.0f} ms", ms <= TOUCH)
            for game, ms in slowest.items()
        ),
        Row(
            "a die rolls", f"{frames:.0f} frames/s", "", "", frames / FRAMES, f"{FRAMES:.0f} frames/s", frames >= FRAMES
        ),
    ]


def main() -> bool:
    return show("The page: touch and motion", rows())


if __name__ == "__main__":
    sys.exit(not main())
