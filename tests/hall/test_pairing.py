"""Pairings are the best there are: brute force says so where it can, and the rules hold in a thousand events."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from companion.errors import BadInput
from companion.hall.ratings import RatedGame, Rating, update_rating
from companion.hall.schedules import berger, berger_rounds, bracket, next_bracket
from companion.hall.swiss import Board, Cost, Entrant, costs_of, pair, seat_groups, total

EVENTS = 1000
BRUTE = 8  # entrants up to which every round is compared with all rounds there are; ten now and then


def all_rounds(places: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    if not places:
        yield []
        return
    first = places[0]
    for other in places[1:]:
        rest = tuple(n for n in places[1:] if n != other)
        for more in all_rounds(rest):
            yield [(first, other), *more]


def best_cost(entrants: list[Entrant], forbidden: set[frozenset[int]]) -> Cost:
    costs = costs_of(entrants, forbidden)
    size = len(entrants) + len(entrants) % 2
    found = None
    for pairs in all_rounds(tuple(range(size))):
        parts = [costs[edge] for edge in pairs]
        summed = Cost(*(sum(column) for column in zip(*parts, strict=True)))
        found = summed if found is None or summed < found else found
    assert found is not None
    return found


def play(entrants: dict[int, Entrant], boards: list[Board], chance: Random) -> None:
    for board in boards:
        if len(board.players) == 1:
            one = entrants[board.players[0]]
            entrants[one.id] = one._replace(score=one.score + 1, had_bye=True)
            continue
        first, second = (entrants[n] for n in board.players)
        won = chance.choice((0, 0.5, 1))
        entrants[first.id] = first._replace(
            score=first.score + won, met=first.met | {second.id}, roles=(*first.roles, 0)
        )
        entrants[second.id] = second._replace(
            score=second.score + 1 - won, met=second.met | {first.id}, roles=(*second.roles, 1)
        )


def uneven(entrant: Entrant) -> int:
    return abs(len(entrant.roles) - 2 * sum(entrant.roles))


@pytest.mark.parametrize("part", range(4))
def test_a_thousand_random_events(part: int) -> None:
    """Late entries, withdrawals, forbidden pairs: wherever brute force finds a round without a fault, ours has none;
    and ours is the best of all."""
    for seed in range(part * EVENTS // 4, (part + 1) * EVENTS // 4):
        chance = Random(seed)
        count = 10 if seed % 100 == 0 else chance.randrange(2, BRUTE + 1)
        entrants = {n: Entrant(n) for n in range(count)}
        there = set(entrants)
        forbidden = {frozenset(chance.sample(range(count), 2)) for _ in range(chance.randrange(3))}
        for number in range(chance.randrange(1, 6)):
            if number and chance.random() < 0.2 and len(entrants) < BRUTE:
                late = len(entrants)
                entrants[late] = Entrant(late)
                there.add(late)
            if number and chance.random() < 0.2 and len(there) > 2:
                there.remove(chance.choice(sorted(there)))
            order = sorted((entrants[n] for n in there), key=lambda one: (-one.score, one.id))
            boards = pair(order, forbidden)
            assert sorted(n for board in boards for n in board.players) == sorted(there)
            cost = total(boards, order, forbidden)
            assert cost == best_cost(order, forbidden), (seed, number)
            before = {n: uneven(entrants[n]) for n in there}
            play(entrants, boards, chance)
            if not cost.imbalance:
                assert all(uneven(entrants[n]) <= max(1, before[n]) for n in there), (seed, number)


def test_a_large_field_is_paired_without_a_fault() -> None:
    chance, entrants = Random(1), {n: Entrant(n) for n in range(75)}
    for _ in range(9):
        order = sorted(entrants.values(), key=lambda one: (-one.score, one.id))
        boards = pair(order)
        cost = total(boards, order, ())
        assert (cost.met, cost.second_bye, cost.imbalance) == (0, 0, 0)
        play(entrants, boards, chance)
    assert sum(one.had_bye for one in entrants.values()) == 9


@pytest.mark.parametrize("count", range(1, 21))
def test_berger_has_everybody_meet_once_with_even_roles(count: int) -> None:
    met: set[frozenset[int]] = set()
    firsts = dict.fromkeys(range(count), 0)
    for number in range(berger_rounds(count)):
        boards = berger(range(count), number)
        assert sorted(n for board in boards for n in board.players) == list(range(count))
        for board in boards:
            if len(board.players) == 2:
                assert frozenset(board.players) not in met
                met.add(frozenset(board.players))
                firsts[board.players[0]] += 1
                firsts[board.players[1]] -= 1
    assert len(met) == count * (count - 1) // 2
    assert all(abs(more) <= 1 for more in firsts.values())


def test_berger_is_the_published_table() -> None:
    assert [[board.players for board in berger(range(1, 7), n)] for n in range(3)] == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
    ]


def test_the_strongest_meet_last() -> None:
    boards = bracket(range(1, 7))
    assert [board.players for board in boards] == [(1,), (4, 5), (2,), (3, 6)]
    while len(boards) > 1:
        boards = next_bracket(boards, [{n: 1 / n for n in board.players} for board in boards])
    assert boards[0].players == (1, 2)
    with pytest.raises(BadInput, match="hall-undecided"):
        next_bracket(boards, [{1: 0.5, 2: 0.5}])


def test_threes_meet_others_each_round() -> None:
    entrants = {n: Entrant(n) for n in range(14)}
    for number in range(3):
        order = sorted(entrants.values(), key=lambda one: (-one.score, one.id))
        boards = seat_groups(order, 3, seed=number)
        assert sorted(len(board.players) for board in boards) == [1, 1, 3, 3, 3, 3]
        for board in boards:
            for n in board.players:
                assert not entrants[n].met & set(board.players)
                assert len(board.players) > 1 or not entrants[n].had_bye
        for board in boards:
            for n in board.players:
                others = frozenset(board.players) - {n}
                alone = len(board.players) == 1
                entrants[n] = entrants[n]._replace(met=entrants[n].met | others, had_bye=entrants[n].had_bye or alone)


def test_ratings_are_those_of_the_paper() -> None:
    """Mark Glickman, Example of the Glicko-2 system: 1464.06, 151.52, 0.05999."""
    met = [RatedGame(Rating(1400, 30), 1), RatedGame(Rating(1550, 100), 0), RatedGame(Rating(1700, 300), 0)]
    found = update_rating(Rating(1500, 200, 0.06), met)
    assert (round(found.rating, 1), round(found.deviation, 2)) == (1464.1, 151.52)
    assert round(found.volatility, 5) == 0.06
    assert update_rating(Rating(1500, 200), []).deviation > 200
