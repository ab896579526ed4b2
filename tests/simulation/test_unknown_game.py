"""A game from outside at the simulated table: unheard of there, it is played, cheated at and followed all the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion import games
from companion.games import game
from companion.labels import labels_of
from companion.simulation.cheating import illegal_layouts
from companion.simulation.laying import layout_of
from companion.simulation.source import Simulation, stage_of
from companion.solvers.hint import Budget, think
from companion.solvers.playing import sensible_move
from tests.simulation.four import FOUR, Four, Put
from tests.simulation.games import Follow
from vision.cameras import open_camera


@pytest.fixture(autouse=True)
def _four(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if another package had brought it along."""
    monkeypatch.setattr(games, "_from_outside", lambda: {"four": "tests.simulation.four:FOUR"})
    monkeypatch.setattr(games, "_loaded", dict(games._loaded))
    assert game("four") is FOUR


def played(*squares: str) -> Four:
    position = Four()
    for square in squares:
        position = position.play(Put(square))
    return position


def test_it_is_followed_to_its_end(tmp_path: Path) -> None:
    how = Simulation("four", 3, size=(960, 540), trouble=("illegal", "reach", "slide"))
    record = {"game": "four", "options": {}, "setup": {}, "moves": []}
    found = Follow(record, how, tmp_path).to_the_end()
    assert found.right, (found.truth[-5:], found.record[-5:], found.waits)
    assert not found.waits
    assert found.record == found.truth
    assert found.verdicts["move"] > 6
    assert found.verdicts["illegal"] > 0


def test_who_plays_wins_if_he_can_and_lets_nobody_win() -> None:
    won = played("a1", "g7", "b1", "g6", "c1", "e5")
    lost = played("a1", "g7", "b1", "g4", "c1")
    for seed in range(5):
        assert sensible_move(FOUR, won, Random(seed)) == Put("d1")
        assert sensible_move(FOUR, lost, Random(seed)) == Put("d1")
    assert {sensible_move(FOUR, lost, Random(seed), tired=True) for seed in range(9)} != {Put("d1")}


def test_it_is_thought_about() -> None:
    *_, hint = think(FOUR, played("a1", "g7", "b1", "g6", "c1", "e5"), Budget(1))
    assert (hint.move, hint.value, hint.exact) == ("d1", 1, True)
    hints = list(think(FOUR, Four(), Budget(0.2)))
    assert Four().why_not(Put(hints[-1].move)) is None


def test_cheats_are_found_by_the_pieces() -> None:
    position = played("a1", "g7", "b4", "g5")
    layout = layout_of(labels_of(FOUR), position)
    kinds = {what for what, _ in illegal_layouts(position, layout, Random(2), set())}
    assert kinds == {"mushroom gone", "mushroom moved", "blocker gone", "blocker moved", "two mushrooms"}


def test_a_camera_shows_it_from_another_process() -> None:
    source = "sim:four,seed=2,size=320x240"
    with open_camera(source, stage=stage_of(source)) as camera:
        camera.tell("show", layout_of(labels_of(FOUR), played("a1", "g7")))
        frame = camera.newest(timeout=30)
        assert frame is not None
        assert frame.image.shape == (240, 320, 3)
