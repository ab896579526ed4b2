"""Whole games of which not every turn is seen, without pictures: hands stay over the board for two or three turns, the
camera goes away for ten seconds twice a game, and nobody answers anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.position import AnyPosition
from companion.referee import Referee
from companion.referee.explanations import NOTHING, Unseen, rarity_of, room_for
from companion.referee.referee import alike
from companion.simulation.source import Trouble
from tests.records import position
from tests.referee.test_referee import referee, seen, with_codes
from tests.simulation.unpictured import Followed, followed
from tests.table.test_watching import KINDS

TROUBLES: tuple[tuple[Trouble, ...], ...] = (("half", "reach", "light"), (), ("half", "slide", "illegal"))


def game(number: int, folder: Path) -> Followed:
    """One of two hundred games: every game and option in turn."""
    played, options, players = KINDS[number % len(KINDS)]
    return followed(played, options, players, 3000 + number, TROUBLES[number // 5 % 3], folder, unseen=True)


# Hepta, Tetrods, T for Two, Plank, Trippples with wild squares (among cheats) and with four players.
@pytest.mark.parametrize("number", [0, 2, 3, 9, 13, 50])
def test_a_game_of_which_not_everything_is_seen(number: int, tmp_path: Path) -> None:
    found = game(number, tmp_path)
    assert found.right, (found.truth[-5:], found.record[-5:])
    assert not found.alarms
    assert found.standing <= 1
    assert set(found.cheats) <= {"illegal"}


@pytest.mark.soak
@pytest.mark.parametrize("number", range(200))
def test_each_of_two_hundred_games_of_which_not_everything_is_seen(number: int, tmp_path: Path) -> None:
    found = game(number, tmp_path)
    assert found.right, (found.truth[-5:], found.record[-5:])
    assert not found.alarms
    assert found.standing <= 1


def test_as_many_turns_as_there_was_time_for_are_not_rare() -> None:
    assert [room_for(seconds) for seconds in (0.5, 2.2, 4.0, 12.0)] == [0, 0, 1, 5]
    away = Unseen(room=5, is_timed=True)
    paces = (1,) * 12
    assert rarity_of(6, paces, away) < rarity_of(2, paces, Unseen(is_timed=True))
    assert rarity_of(2, paces, Unseen(is_timed=True)) == rarity_of(2, paces, NOTHING)


def test_lines_of_which_one_only_adds_to_the_other_can_be_asked_about() -> None:
    assert alike([("a", "b", "c"), ("a", "b", "d")]) == 2
    assert alike([("a", "b"), ("a", "b", "c")]) == 1  # "b", or "b" and "c"


def lifted(moves: list[str], square: str) -> tuple[Referee, AnyPosition]:
    """A look at 6 Faces after these moves, with a die in somebody's hand."""
    judge, after = referee("six-faces", []), position("six-faces", moves)
    judge.see(seen("six-faces", judge.position), disturbed=0.0)
    assert judge.see(with_codes("six-faces", after, {square: "."}), disturbed=6.0).kind == "partial"
    return judge, after


@pytest.mark.parametrize("square", ["h1", "b2"])
def test_a_die_in_a_hand_after_turns_that_went_unseen(square: str) -> None:
    """Nothing is told before it is put down: neither of a die that stood all the while, nor of one that had moved."""
    judge, after = lifted(["b1-b2", "b8-b7"], square)
    assert not judge.line.moves
    verdict = judge.see(seen("six-faces", after), disturbed=1.5)
    assert (verdict.kind, verdict.moves) == ("move", ("b1-b2", "b8-b7"))


def test_a_short_time_leaves_no_room_for_many_turns() -> None:
    """Four turns would explain it, and two seconds are not enough for them."""
    after = position("six-faces", ["b1-b2", "b8-b7", "h1-h2", "h8-h7"])
    quick, slow = referee("six-faces", []), referee("six-faces", [])
    for judge in (quick, slow):
        judge.see(seen("six-faces", judge.position), disturbed=0.0)
    assert slow.see(seen("six-faces", after), disturbed=8.0).kind == "move"
    assert quick.see(seen("six-faces", after), disturbed=1.5).kind == "illegal"
