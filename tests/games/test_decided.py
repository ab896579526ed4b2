"""What decided a game: squares that are there, and points that add up to the score."""

from __future__ import annotations

import json
from random import Random

import pytest

from companion.games import game
from companion.games.match import match
from companion.games.position import AnyPosition, Outcome
from companion.record import read_record, replay
from companion.solvers.playing import sensible_move

TIRED = 40


def played_out(game_id: str, seed: int, options: dict[str, object] | None = None) -> AnyPosition:
    found, chance = game(game_id), Random(seed)
    record = {"game": game_id, "options": options or {}, "setup": found.dealt(chance, options or {})}
    position = read_record(json.dumps(record)).start
    for ply in range(600):
        if position.outcome():
            break
        position = position.play(sensible_move(found, position, chance, tired=ply > TIRED))
    assert position.outcome()
    return position


@pytest.mark.parametrize("game_id", ["hepta", "t-for-two", "pegs"])
def test_the_points_are_counted_out(game_id: str) -> None:
    for seed in range(3):
        position = played_out(game_id, seed)
        sums = dict.fromkeys(position.players, 0.0)
        for part in position.decided():
            assert part.squares
            assert part.side
            sums[part.side] += part.points
        assert sums == position.points()


@pytest.mark.parametrize(
    ("moves", "squares"),
    [
        (["RBW^ R@a0", "WRB^ W@a1", "B@b0", "RWB^ R@a2", "W@c0"], [("a0", "b0", "c0")]),
    ],
)
def test_the_line_that_won_at_plank(moves: list[str], squares: list[tuple[str, ...]]) -> None:
    hand = {"R": 2, "W": 2, "B": 2}
    record = {"game": "plank", "setup": {"players": 2, "hands": {"A": hand, "B": hand}}, "moves": moves}
    played = replay(read_record(json.dumps(record)))
    assert played.illegal is None
    assert played.outcome
    assert played.outcome.winner == "A"
    assert [part.squares for part in played.position.decided()] == squares
    assert {part.side for part in played.position.decided()} == {"A"}


@pytest.mark.parametrize("game_id", ["six-faces", "trippples"])
def test_where_a_race_ended(game_id: str) -> None:
    """On a square of the winner's own; where the King was taken, the last move says it."""
    for seed in range(4):
        position = played_out(game_id, seed)
        outcome, parts = position.outcome(), position.decided()
        assert outcome
        if outcome.why in ("home-reached", "finish"):
            assert [len(part.squares) for part in parts] == [1]
        assert all(part.side == outcome.winner for part in parts)


def test_games_that_say_nothing_are_counted_as_such() -> None:
    assert played_out("hepta-solo", 1).decided() == ()


# --- matches


def won(winner: str | None, scores: dict[str, float]) -> Outcome:
    return Outcome(winner, winner is None, "test", scores)


def test_the_best_of_five_is_over_when_nobody_can_come_up_any_more() -> None:
    five = match(game("six-faces"), ("Ann", "Bob"), 5)
    five = five.after(won("white", {"white": 1, "red": 0})).after(won("red", {"white": 0, "red": 1}))
    assert five.totals() == {"Ann": 2, "Bob": 0}
    assert not five.over
    five = five.after(won("white", {"white": 1, "red": 0}))
    assert five.over
    assert five.winners() == ("Ann",)


def test_points_are_played_to_the_end() -> None:
    pairs = match(game("hepta"), ("Ann", "Bob"), 4).after(won("first", {"first": 7, "second": 0}))
    assert not pairs.after(won("second", {"first": 0, "second": 7})).over


def test_the_first_turn_passes_on_by_the_set_up_where_seats_stay() -> None:
    series = match(game("plank"), ("Ann", "Bob", "Cy"), 3)
    assert [series.setup(n) for n in range(4)] == [{"first": "A"}, {"first": "B"}, {"first": "C"}, {"first": "A"}]
    assert match(game("hepta"), ("Ann", "Bob")).setup(1) == {}


def test_who_sat_otherwise_is_counted_where_he_sat() -> None:
    one = match(game("six-faces"), ("Ann", "Bob"), 3)
    one = one.after(won("white", {"white": 1, "red": 0}), {"white": "Bob", "red": "Ann"})
    assert one.totals() == {"Ann": 0, "Bob": 1}
