"""Hints for every game: legal, deterministic, ended at once when they must; the computer as an opponent."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import Any

import pytest

from companion.games import game, game_ids
from companion.games.position import Position, Solitaire
from companion.solvers import compiled
from companion.solvers.hint import Budget, Hint, Stop
from companion.solvers.levels import LEVELS, allied, choose
from tests.solvers.positions import HOMES, dealt, position_of, random_game, think


def _thinks(game_id: str) -> bool:
    """Whether there is a solver for this game."""
    position = position_of(dealt(game_id, Random(0)))
    home = "cover" if isinstance(position, Solitaire) else type(position).__module__.rpartition(".")[2]
    return (HOMES / f"{home}.py").exists()


THINKING = [game_id for game_id in game_ids() if _thinks(game_id)]
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((game_id, {}) for game_id in THINKING),
    ("six-faces", {"home": "king", "handedness": "left", "repetition": True}),
    ("trippples", {"wild": True, "layout": "centre"}),
    ("trippples", {"hidden": True}),
    ("trippples", {"players": 4}),
    ("trippples", {"players": 4, "hidden": True}),
]
OF_A_GAME = 2  # positions of a random game that are thought about; in the long run all of them
A_THOUSAND = range(-(-1000 // len(VARIANTS)))  # games, over all variants


def check(position: Position[Any], read: Any, hints: list[Hint]) -> None:
    """At least one hint; each a legal move that is worth something between 0 and 1, and a line that can be played."""
    assert hints
    for hint in hints:
        assert 0 <= hint.value <= 1
        assert position.why_not(read(hint.move)) is None
        assert hint.line[0] == hint.move
    at = position
    for text in hints[-1].line:
        move = read(text)
        assert at.why_not(move) is None, (text, hints[-1])
        at = at.play(move)


def hints_are_legal(
    game_id: str, options: dict[str, Any], games: range, most: int = OF_A_GAME, seconds: float = 0.02
) -> None:
    for seed in games:
        chance = Random(f"{game_id} {options} {seed}")
        positions = random_game(dealt(game_id, chance, **options), chance, 120)
        going = [position for position in positions if not position.outcome()]
        for position in chance.sample(going, min(most, len(going))):
            check(position, game(game_id).read, list(think(position, Budget(seconds, seed))))


@pytest.mark.parametrize(("game_id", "options"), VARIANTS, ids=str)
def test_hints_are_legal(game_id: str, options: dict[str, Any]) -> None:
    hints_are_legal(game_id, options, range(6))


@pytest.mark.soak
@pytest.mark.parametrize(("game_id", "options"), VARIANTS, ids=str)
def test_hints_are_legal_over_a_thousand_games(game_id: str, options: dict[str, Any]) -> None:
    """At every position of them; what is thought of first must be right already."""
    hints_are_legal(game_id, options, A_THOUSAND, 1000, 0.002)


@pytest.mark.parametrize(("game_id", "options"), VARIANTS, ids=str)
def test_hints_of_the_pure_way_are_legal(
    game_id: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "core", None)
    hints_are_legal(game_id, options, range(2))


def test_no_hint_when_the_game_is_over() -> None:
    *_, position = random_game({"game": "six-faces"}, Random(1), 1000)
    assert position.outcome()
    assert list(think(position, Budget(1))) == []
    tiles = dealt("trippples", Random(1))
    *_, ended = random_game(tiles, Random(1), 5000)
    assert ended.outcome()
    assert list(think(ended, Budget(1))) == []


@pytest.mark.parametrize("way", ["compiled", "pure"])
@pytest.mark.parametrize(("game_id", "options"), VARIANTS, ids=str)
def test_a_search_ends_when_it_is_told_to(
    game_id: str, options: dict[str, Any], way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within 20 ms on a quiet machine (tests/bench/thinking.py); on a busy one, long before its time is up."""
    if way == "pure":
        monkeypatch.setattr(compiled, "core", None)
    position = position_of(dealt(game_id, Random(3), **options))
    stop, told = Stop(), 0.0

    def tell() -> None:
        nonlocal told
        time.sleep(0.05)
        told = time.monotonic()
        stop.set()

    threading.Thread(target=tell).start()
    hints = list(think(position, Budget(30, stop=stop)))
    assert hints
    assert stop or hints[-1].exact
    assert not told or time.monotonic() - told < 2


def test_an_answer_is_owed_even_without_time() -> None:
    stop = Stop()
    stop.set()
    for game_id in THINKING:
        assert list(think(position_of(dealt(game_id, Random(2))), Budget(0.001, stop=stop)))


@pytest.mark.parametrize("level", LEVELS)
def test_the_computer_plays_a_legal_move_at_every_level(level: int) -> None:
    chance = Random(level)
    position = position_of(dealt("trippples", chance))
    for _ in range(10):
        if not position.outcome():
            text = choose(game("trippples"), position, level, chance)
            assert text.rstrip("!") in map(str, position.moves())
            position = position.play(game("trippples").read(text))


def test_the_best_level_beats_the_first() -> None:
    """On boards that are solved: whoever errs now and then does not win."""
    points = {1: 0.0, 5: 0.0}
    for seed in range(12):
        chance = Random(seed)
        levels = (1, 5) if seed % 2 else (5, 1)
        position = position_of(dealt("trippples", chance, indirect=False))
        for _ in range(120):
            if position.outcome():
                break
            text = choose(game("trippples"), position, levels[position.players.index(str(position.to_move))], chance)
            position = position.play(game("trippples").read(text))
        outcome = position.outcome()
        for level, player in zip(levels, position.players, strict=True):
            points[level] += outcome.scores[player] if outcome else 0.5
    assert points[5] > points[1] + 3


def test_who_plays_together() -> None:
    teams = position_of(dealt("trippples", Random(1), players=4))
    assert allied(teams, "square1", "square2")
    assert allied(teams, "square", "square2")
    assert not allied(teams, "square1", "round1")
    for seed in range(9):
        planks = position_of(dealt("plank", Random(seed)))
        assert allied(planks, "A", "A")
        assert not allied(planks, "A", "B")
        if len(planks.players) > 2:
            assert allied(planks, "A", "C") == (len(planks.players) == 4)
