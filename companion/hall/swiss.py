"""Swiss pairing: whoever did equally well so far plays whoever he has not met, with the roles kept even.

All that is wanted of a round is one cost a pair, and the round with the least sum is found exactly, as a matching in a
graph (rustworkx). The criteria, each of them above all that come after it:

1. a pair that the desk forbids does not play
2. nobody meets anybody twice
3. nobody is left out twice
4. nobody has been first, or second, more than once more often than the other
5. what the players have won so far differs little; the lowest is left out
6. whoever was first the last time is second now
7. within equal scores the upper half plays the lower half

Games for three are seated by the same costs, summed over each three: such a seating is improved by exchanges until
none is left that helps, since to find the very best one is out of reach.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

HALF = 2  # scores are counted in halves
MOST_SCORE = 200  # halves that two players may be apart and still be told from more
MOST_FAR = 2000  # places


class Entrant(NamedTuple):
    """What pairing must know of somebody; entrants come in the order of their standing."""

    id: int
    score: float = 0
    met: frozenset[int] = frozenset()
    left_out: bool = False  # had a bye already
    roles: tuple[int, ...] = ()  # 0: was first, 1: was second, in each game that had roles


class Board(NamedTuple):
    """Who plays whom, who is first coming first; alone: left out of this round."""

    players: tuple[int, ...]


class Cost(NamedTuple):
    """What is wrong with a pair, the worst first. Costs are added up part by part."""

    forbidden: int = 0
    met: int = 0
    left_out: int = 0
    uneven: int = 0
    apart: int = 0
    same_role: int = 0
    unlike: int = 0

    def __add__(self, other: object) -> Cost:
        return Cost(*(a + b for a, b in zip(self, other, strict=True)))  # type: ignore[call-overload]


# How large a part of a single pair's cost can be.
LARGEST = Cost(1, 1, 1, 2, MOST_SCORE**2, 2, MOST_FAR**2)


def pair(entrants: Sequence[Entrant], forbidden: Collection[frozenset[int]] = frozenset()) -> list[Board]:
    """The best round there is: the strongest pair first, whoever is left out last."""
    import rustworkx

    costs = costs_of(entrants, forbidden)
    size = len(entrants) + len(entrants) % 2
    radix = [1 + largest * size // 2 for largest in LARGEST]
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(one, other, -_weighed(cost, radix)) for (one, other), cost in costs.items()])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    chosen = sorted((min(edge), max(edge)) for edge in found)
    boards = [Board(_seated(entrants[one], entrants[other])) for one, other in chosen if other < len(entrants)]
    return boards + [Board((entrants[one].id,)) for one, other in chosen if other >= len(entrants)]


def costs_of(entrants: Sequence[Entrant], forbidden: Collection[frozenset[int]]) -> dict[tuple[int, int], Cost]:
    """By places in the standing; the last place, beyond all, stands for being left out."""
    halves, firsts = _score_groups(entrants)
    costs = {
        (one, other): _cost(entrants, one, other, halves, firsts, forbidden)
        for one, other in combinations(range(len(entrants)), 2)
    }
    if len(entrants) % 2:
        lowest = min((round(entrant.score * HALF) for entrant in entrants), default=0)
        for place, entrant in enumerate(entrants):
            apart = min(round(entrant.score * HALF) - lowest, MOST_SCORE) ** 2
            high = min(len(entrants) - 1 - place, MOST_FAR) ** 2  # of those who are equal the last is left out
            costs[place, len(entrants)] = Cost(left_out=int(entrant.left_out), apart=apart, unlike=high)
    return costs


def total(boards: Sequence[Board], entrants: Sequence[Entrant], forbidden: Collection[frozenset[int]]) -> Cost:
    """What is wrong with a round as a whole."""
    costs, places = costs_of(entrants, forbidden), {entrant.id: n for n, entrant in enumerate(entrants)}
    summed = Cost()
    for board in boards:
        here = sorted(places[player] for player in board.players)
        for one, other in combinations(here, 2) if len(here) > 1 else ((here[0], len(entrants)),):
            summed += costs.get((one, other), Cost())
    return summed


def _score_groups(entrants: Sequence[Entrant]) -> tuple[dict[int, int], dict[int, int]]:
    """For each score, in halves: half the size of its group, and its first place."""
    sizes: dict[int, int] = {}
    firsts: dict[int, int] = {}
    for place, entrant in enumerate(entrants):
        score = round(entrant.score * HALF)
        sizes[score] = sizes.get(score, 0) + 1
        firsts.setdefault(score, place)
    return {score: (size + 1) // 2 for score, size in sizes.items()}, firsts


def _cost(
    entrants: Sequence[Entrant],
    one: int,
    other: int,
    halves: Mapping[int, int],
    firsts: Mapping[int, int],
    forbidden: Collection[frozenset[int]],
) -> Cost:
    a, b = entrants[one], entrants[other]
    score, lower = round(a.score * HALF), round(b.score * HALF)
    # Of different scores the last of the upper group meets the first of the lower one.
    unlike = abs(other - one - halves[score]) if score == lower else abs(other - firsts[lower])
    uneven, same = _role_cost(a.roles, b.roles)
    return Cost(
        forbidden=int(frozenset((a.id, b.id)) in forbidden),
        met=int(b.id in a.met),
        uneven=uneven,
        apart=min(abs(score - lower), MOST_SCORE) ** 2,
        same_role=same,
        unlike=min(unlike, MOST_FAR) ** 2,
    )


def _role_cost(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, int]:
    """How many of the two get uneven roles, and how many the same as last time, if they are seated at their best."""
    return min(_roles_as_seated(a, b), _roles_as_seated(b, a))


def _roles_as_seated(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, int]:
    uneven = int(_more_firsts((*first, 0)) > 1) + int(_more_firsts((*second, 1)) < -1)
    return uneven, int(first[-1:] == (0,)) + int(second[-1:] == (1,))


def _more_firsts(roles: tuple[int, ...]) -> int:
    return len(roles) - 2 * sum(roles)


def _seated(a: Entrant, b: Entrant) -> tuple[int, int]:
    """Who is first: roles stay even, then they change, then whoever stands lower is first every other time."""
    as_is, turned = _roles_as_seated(a.roles, b.roles), _roles_as_seated(b.roles, a.roles)
    if as_is == turned:
        swing = _more_firsts(a.roles) - _more_firsts(b.roles)
        return (b.id, a.id) if swing > 0 or (swing == 0 and a.id % 2 == 0) else (a.id, b.id)
    return (a.id, b.id) if as_is < turned else (b.id, a.id)


def _weighed(cost: Cost, radix: Sequence[int]) -> int:
    weight = 0
    for part, largest in zip(cost, radix, strict=True):
        weight = weight * largest + part
    return weight


# --- more than two at a board


def seat_groups(
    entrants: Sequence[Entrant], size: int, forbidden: Collection[frozenset[int]] = frozenset(), seed: int = 0
) -> list[Board]:
    """Boards of so many; those who are left over, fewer than that, are left out."""
    if not entrants:
        return []
    costs, spare = costs_of(entrants, forbidden), len(entrants) % size
    out = sorted(range(len(entrants)), key=lambda n: (entrants[n].left_out, -n))[:spare]
    order = [n for n in range(len(entrants)) if n not in out]
    groups = [order[n : n + size] for n in range(0, len(order), size)]

    def cost(group: Sequence[int]) -> Cost:
        summed = Cost()
        for one, other in combinations(sorted(group), 2):
            summed += costs[one, other]
        return summed

    chance = Random(seed)
    better = len(groups) > 1
    while better:
        better = False
        for one, other in chance.sample(
            list(combinations(range(len(groups)), 2)), len(groups) * (len(groups) - 1) // 2
        ):
            best = cost(groups[one]) + cost(groups[other])
            for i in range(size):
                for j in range(size):
                    mine, theirs = list(groups[one]), list(groups[other])
                    mine[i], theirs[j] = theirs[j], mine[i]
                    changed = cost(mine) + cost(theirs)
                    if changed < best:
                        groups[one], groups[other], best, better = mine, theirs, changed, True
    boards = [Board(tuple(entrants[n].id for n in _fewest_firsts(entrants, group))) for group in groups]
    return boards + [Board((entrants[n].id,)) for n in sorted(out)]


def _fewest_firsts(entrants: Sequence[Entrant], group: Sequence[int]) -> list[int]:
    """Whoever was first least often is first."""
    return sorted(group, key=lambda n: (_more_firsts(entrants[n].roles), n))
