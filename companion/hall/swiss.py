"""Swiss pairing: players with equal scores meet, nobody meets anybody twice, and the roles stay balanced.

Every possible pair has a cost, and the round with the least total cost is found exactly, as a minimum-weight matching
(rustworkx). The criteria, in order of priority:

1. no forbidden pair plays
2. nobody meets anybody twice
3. nobody has two byes
4. for each player the numbers of games as first and as second differ by at most one
5. opponents have nearly equal scores; the bye goes to the lowest score
6. whoever was first in the last round is second now
7. among equal scores the upper half plays the lower half

Games for three use the same costs, summed over the three pairs at a board. The best seating cannot be found in
reasonable time, so it is a local search: players are swapped between boards as long as that lowers the cost.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

HALF = 2  # scores are counted in half points
MAX_SCORE_GAP = 200  # half points; larger gaps cost the same
MAX_RANK_GAP = 2000  # places; larger gaps cost the same


class Entrant(NamedTuple):
    """A participant as pairing needs him. Entrants are sorted by their standing."""

    id: int
    score: float = 0
    met: frozenset[int] = frozenset()
    had_bye: bool = False
    roles: tuple[int, ...] = ()  # 0: was first, 1: was second, in each game that had roles


class Board(NamedTuple):
    """The players of a board, the first player first. A single player has a bye."""

    players: tuple[int, ...]


class Cost(NamedTuple):
    """The violations of the criteria by a pair, by priority. Costs are added component by component."""

    forbidden: int = 0
    met: int = 0
    second_bye: int = 0
    imbalance: int = 0
    score_gap: int = 0
    same_role: int = 0
    rank_gap: int = 0

    def __add__(self, other: object) -> Cost:
        return Cost(*(a + b for a, b in zip(self, other, strict=True)))  # type: ignore[call-overload]


# The largest value of each component for a single pair.
LARGEST = Cost(1, 1, 1, 2, MAX_SCORE_GAP**2, 2, MAX_RANK_GAP**2)


def pair(entrants: Sequence[Entrant], forbidden: Collection[frozenset[int]] = frozenset()) -> list[Board]:
    """The optimal round: the strongest pair first, the bye last."""
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
    """The cost of each pair, by ranks. The rank after the last entrant stands for the bye."""
    halves, firsts = _score_groups(entrants)
    costs = {
        (one, other): _cost(entrants, one, other, halves, firsts, forbidden)
        for one, other in combinations(range(len(entrants)), 2)
    }
    if len(entrants) % 2:
        lowest = min((round(entrant.score * HALF) for entrant in entrants), default=0)
        for place, entrant in enumerate(entrants):
            score_gap = min(round(entrant.score * HALF) - lowest, MAX_SCORE_GAP) ** 2
            rank_gap = min(len(entrants) - 1 - place, MAX_RANK_GAP) ** 2  # among equals the last gets the bye
            costs[place, len(entrants)] = Cost(second_bye=int(entrant.had_bye), score_gap=score_gap, rank_gap=rank_gap)
    return costs


def total(boards: Sequence[Board], entrants: Sequence[Entrant], forbidden: Collection[frozenset[int]]) -> Cost:
    """The cost of a whole round."""
    costs, places = costs_of(entrants, forbidden), {entrant.id: n for n, entrant in enumerate(entrants)}
    summed = Cost()
    for board in boards:
        here = sorted(places[player] for player in board.players)
        for one, other in combinations(here, 2) if len(here) > 1 else ((here[0], len(entrants)),):
            summed += costs.get((one, other), Cost())
    return summed


def _score_groups(entrants: Sequence[Entrant]) -> tuple[dict[int, int], dict[int, int]]:
    """For each score, in half points: half the size of its score group, and the first rank in it."""
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
    # Between different scores the last of the upper group should meet the first of the lower one.
    rank_gap = abs(other - one - halves[score]) if score == lower else abs(other - firsts[lower])
    imbalance, same_role = _role_cost(a.roles, b.roles)
    return Cost(
        forbidden=int(frozenset((a.id, b.id)) in forbidden),
        met=int(b.id in a.met),
        imbalance=imbalance,
        score_gap=min(abs(score - lower), MAX_SCORE_GAP) ** 2,
        same_role=same_role,
        rank_gap=min(rank_gap, MAX_RANK_GAP) ** 2,
    )


def _role_cost(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, int]:
    """How many of the two get unbalanced roles, and how many the same role as last time, with the better seating."""
    return min(_roles_as_seated(a, b), _roles_as_seated(b, a))


def _roles_as_seated(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, int]:
    imbalance = int(_more_firsts((*first, 0)) > 1) + int(_more_firsts((*second, 1)) < -1)
    return imbalance, int(first[-1:] == (0,)) + int(second[-1:] == (1,))


def _more_firsts(roles: tuple[int, ...]) -> int:
    return len(roles) - 2 * sum(roles)


def _seated(a: Entrant, b: Entrant) -> tuple[int, int]:
    """Who is first: balanced roles come first, then alternating roles; else it is decided by earlier roles and ids."""
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
    """Boards of `size` players. The remainder have a bye."""
    if not entrants:
        return []
    costs, spare = costs_of(entrants, forbidden), len(entrants) % size
    out = sorted(range(len(entrants)), key=lambda n: (entrants[n].had_bye, -n))[:spare]
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
    """The group's seating: whoever was first least often is first."""
    return sorted(group, key=lambda n: (_more_firsts(entrants[n].roles), n))
