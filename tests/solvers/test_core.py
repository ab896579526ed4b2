"""The compiled core as a whole: a library of other sources is not used, and all games are searched in one frame."""

from __future__ import annotations

import re
from ctypes import CDLL, Structure, c_int32
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.solvers import compiled, hepta, pegs, plank, six_faces, t_for_two, trippples
from companion.solvers.deepening import Search, chance, deepen, last_answer
from companion.solvers.hint import Budget, Stop
from companion.solvers.structs import MIRRORS, Answer
from tests.solvers.positions import core, dealt, random_game

SOURCES = {path.name: path.read_text() for path in (Path(compiled.__file__).parent / "core").glob("*.[ch]")}


@pytest.fixture(autouse=True)
def _core() -> None:
    core()


# --- the library and its sources


def test_every_struct_that_is_mirrored_is_checked() -> None:
    exported = [name for text in SOURCES.values() for name in re.findall(r"^MIRRORED\(\w+, (\w+)\);", text, re.M)]
    assert sorted(exported) == sorted(MIRRORS)
    assert compiled.complaint(core()) == ""


@pytest.mark.parametrize("name", MIRRORS)
def test_a_library_with_another_struct_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Longer(Structure):
        _fields_ = (("before", MIRRORS[name]), ("one_more", c_int32))

    monkeypatch.setitem(compiled.MIRRORS, name, Longer)
    library, refused = compiled._load()
    assert library is None
    assert re.search(rf"other sources \({name} has \d+ bytes, not \d+\): make setup", refused)


def test_a_library_without_what_is_called_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compiled.FUNCTIONS, "core_of_tomorrow", (None, ()))
    library, refused = compiled._load()
    assert library is None
    assert "core_of_tomorrow" in refused
    assert "size_of_rules" in compiled.complaint(CDLL(None))  # some other library


def test_the_pure_way_can_be_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_PURE", "1")
    assert compiled._load() == (None, "")


# --- the frame


def states() -> dict[str, Any]:
    """A state of each game with something to think about, by the core's name for the game."""
    found: dict[str, Any] = {}
    solvers: dict[str, Any] = {"hepta": hepta, "t_for_two": t_for_two, "plank": plank, "pegs": pegs}
    for game in [*solvers, "six_faces", "trippples"]:
        chance = Random(game)
        options = {"players": 4} if game == "trippples" else {}
        moves = 9 if game == "hepta" else 2  # its blockers are put
        *_, position = random_game(dealt(game.replace("_", "-"), chance, **options), chance, 1 + moves)
        if game == "six_faces":
            found[game] = six_faces.state_of(position, six_faces.hashes(position))  # type: ignore[arg-type]
        else:
            found[game] = {**solvers, "trippples": trippples}[game].state_of(position)
    return found


GAMES = ["hepta", "t_for_two", "plank", "pegs", "six_faces", "trippples"]


@pytest.mark.parametrize("game", GAMES)
def test_one_answer_is_owed_and_no_more(game: str) -> None:
    stop = Stop()
    stop.set()
    for budget in (Budget(9, stop=stop), Budget(-1), Budget(9, work=1)):
        (answer,) = deepen(game, states()[game], budget)
        assert answer.depth == 1
        assert answer.length >= 1


@pytest.mark.parametrize("game", GAMES)
def test_a_search_told_to_stop_between_two_steps_takes_no_other(game: str) -> None:
    stop = Stop()
    with Search(game, states()[game], Budget(9, stop=stop)) as search:
        assert search.deepen()
        stop.set()
        assert search.deepen() is None
        assert search.deepen() is None


@pytest.mark.parametrize("game", GAMES)
def test_steps_go_deeper_one_by_one_until_the_work_is_done(game: str) -> None:
    work = 5000
    answers = list(deepen(game, states()[game], Budget(60, seed=3, work=work)))
    assert [answer.depth for answer in answers] == list(range(1, len(answers) + 1))
    assert all(answer.finished and not answer.exact for answer in answers[:-1])
    assert len(answers) > 3
    assert answers[-1].nodes < 2 * work  # ends of games are nodes and no work


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_search_has_the_last_answer(game: str) -> None:
    budget = Budget(60, seed=3, work=2000)
    *_, last = deepen(game, states()[game], budget)
    assert told(last_answer(game, states()[game], budget)) == told(last)


def told(answer: Answer) -> tuple[float, list[int], int]:
    return answer.score, answer.line, answer.exact


@pytest.mark.parametrize("game", GAMES)
def test_a_search_can_begin_anew(game: str) -> None:
    with Search(game, states()[game], Budget(9)) as search:
        for depth in (1, 2, 3, 1, 2):
            if depth == 1:
                search.restart(states()[game])
            answer = search.deepen()
            assert answer
            assert answer.depth == depth
            assert answer.length


@pytest.mark.parametrize("game", GAMES)
def test_a_depth_that_is_asked_for_is_not_owed(game: str) -> None:
    with Search(game, states()[game], Budget(9)) as search:
        assert search.to(3).finished
    with Search(game, states()[game], Budget(9, work=1)) as search:
        answer = search.to(3)
        assert not answer.finished
        assert not answer.exact
        assert answer.length == 0


def test_the_chance_of_a_lead() -> None:
    assert chance(0, 10) == 0.5
    assert chance(10, 10) == pytest.approx(0.731, abs=1e-3)
    assert chance(1e9, 1) + chance(-1e9, 1) == 1
    assert 0 < chance(-1e9, 1) < 1e-12
