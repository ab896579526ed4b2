"""Matches: what several games add up to."""

import pytest

from companion.errors import BadInput
from companion.games import game
from companion.games.match import match
from companion.games.position import Outcome


def outcome(winner: str | None, **scores: float) -> Outcome:
    return Outcome(winner, winner is None, "test", scores)


def test_hepta_points_over_an_even_number_of_games() -> None:
    both = match(game("hepta"), ("Ann", "Bob"))
    assert both.games == 2
    assert both.seats(0) == {"first": "Ann", "second": "Bob"}
    assert both.seats(1) == {"first": "Bob", "second": "Ann"}
    both = both.after(outcome("first", first=6, second=4))
    assert both.winners() == ()
    both = both.after(outcome("second", first=3, second=5))
    assert both.over
    assert both.totals() == {"Ann": 11, "Bob": 7}
    assert both.winners() == ("Ann",)
    with pytest.raises(BadInput) as bad:
        match(game("hepta"), ("Ann", "Bob"), games=3)
    assert bad.value.field == "games"


def test_t_for_two_counts_the_score_as_mushroom_player() -> None:
    legs = match(game("t-for-two"), ("Ann", "Bob"))
    legs = legs.after(Outcome(None, False, "leg-over", {"mushrooms": 22, "tetrods": 0}))
    legs = legs.after(Outcome(None, False, "leg-over", {"mushrooms": 19, "tetrods": 0}))
    assert legs.totals() == {"Ann": 22, "Bob": 19}
    assert legs.winners() == ("Ann",)


def test_plank_marks_fewest_win_and_the_first_turn_passes_on() -> None:
    three = match(game("plank"), ("Ann", "Bob", "Cy"), games=3)
    assert [three.first(n) for n in range(3)] == ["Ann", "Bob", "Cy"]
    assert three.seats(1) == {"A": "Ann", "B": "Bob", "C": "Cy"}
    three = three.after(outcome("A", A=0, B=2, C=1)).after(outcome("A", A=0, B=2, C=1))
    three = three.after(outcome("B", A=1, B=0, C=2))
    assert three.totals() == {"Ann": 1, "Bob": 4, "Cy": 4}
    assert three.winners() == ("Ann",)


def test_teams_win_together() -> None:
    four = match(game("plank"), ("Ann", "Bob", "Cy", "Di")).after(outcome("C", A=1, B=0, C=1, D=0))
    assert four.winners() == ("Ann", "Cy")
    teams = match(game("trippples"), ("Ann", "Bob", "Cy", "Di"), games=2)
    assert teams.seats(1) == {"square1": "Bob", "round1": "Cy", "square2": "Di", "round2": "Ann"}
    teams = teams.after(outcome("square", square=1, round=0)).after(outcome("round", square=0, round=1))
    assert teams.totals() == {"Ann": 2, "Bob": 0, "Cy": 2, "Di": 0}


def test_pegs_counts_games_not_squares() -> None:
    two = match(game("pegs"), ("Ann", "Bob"), games=2)
    two = two.after(outcome("blue", blue=30, white=10)).after(outcome("blue", blue=21, white=20))
    assert two.totals() == {"Ann": 1, "Bob": 1}
    assert two.winners() == ()


@pytest.mark.parametrize("names", [("Ann",), ("Ann", "Ann"), ("Ann", "Bob", "Cy")])
def test_wrong_number_of_people(names: tuple[str, ...]) -> None:
    with pytest.raises(BadInput):
        match(game("six-faces"), names)
