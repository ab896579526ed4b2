"""Glicko-2 ratings, after Mark Glickman's paper "Example of the Glicko-2 system" (2013).

Written here because the existing libraries rate game by game, while a rating period is a whole tournament. The test is
the paper's example.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178
TAU = 0.5  # how fast volatility may change
CLOSE = 1e-9


class Rating(NamedTuple):
    rating: float = 1500
    deviation: float = 350
    volatility: float = 0.06


class RatedGame(NamedTuple):
    """An opponent as rated before the tournament, and the score against him, from 0 to 1."""

    against: Rating
    score: float


def update_rating(before: Rating, met: Iterable[RatedGame]) -> Rating:
    """The rating after a tournament. Without games only the deviation grows."""
    games = list(met)
    mu, phi = (before.rating - 1500) / SCALE, before.deviation / SCALE
    if not games:
        return before._replace(deviation=min(350, sqrt(phi**2 + before.volatility**2) * SCALE))
    pulls = [(_g(one.against), _expected(mu, one.against), one.score) for one in games]
    variance = 1 / sum(g * g * e * (1 - e) for g, e, _ in pulls)
    pulled = sum(g * (score - e) for g, e, score in pulls)
    volatility = _volatility(phi, before.volatility, variance, variance * pulled)
    wide = sqrt(phi**2 + volatility**2)
    new_phi = 1 / sqrt(1 / wide**2 + 1 / variance)
    return Rating(1500 + SCALE * (mu + new_phi**2 * pulled), SCALE * new_phi, volatility)


def _g(other: Rating) -> float:
    return 1 / sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / pi**2)


def _expected(mu: float, other: Rating) -> float:
    return 1 / (1 + exp(-_g(other) * (mu - (other.rating - 1500) / SCALE)))


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """The paper's step 5, by the Illinois method."""
    start = log(sigma**2)

    def f(x: float) -> float:
        grown = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - start) / TAU**2

    low = start
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        between = low + (low - high) * at_low / (at_high - at_low)
        found = f(between)
        if found * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, found
    return exp(low / 2)
