"""Which cards each card of Pegs can be, where that is not seen."""

from __future__ import annotations

from companion.referee.pegs.patterns import doubtful_of, one_each


def test_no_two_are_the_same_and_the_first_is_preferred() -> None:
    assert one_each([["a", "b"], ["c"]]) == ["a", "c"]
    assert one_each([["a", "b"], ["a"]]) == ["b", "a"]
    assert one_each([["a", "b"], ["b", "c"], ["a"]]) == ["b", "c", "a"]


def test_too_few_cards_for_all() -> None:
    assert one_each([["a"], ["a"]]) is None
    assert one_each([["a", "b"], ["a", "b"], ["a", "b"]]) is None


def test_what_is_known_of_one_rules_it_out_for_the_others() -> None:
    assert doubtful_of([["a"], ["b", "a"]]) == set()
    assert doubtful_of([["a"], ["b", "a", "c"]]) == {"b"}


def test_two_cards_that_are_two_of_two_leave_none_of_them() -> None:
    assert doubtful_of([["a", "b"], ["b", "a"], ["c", "a", "d"]]) == {"c"}
