"""Fits what a 6 Faces piece is worth where it stands: `python -m tests.bench.tuning [SECONDS]` prints the table of
companion/solvers/core/six_faces_worth.h.

The search plays itself, thinking little, from openings made by chance; then a logistic regression asks which pieces on
which squares the winners had. To be done again and again from the table it gave, until that stays as it is.
"""

from __future__ import annotations

import sys
import time
from random import Random

import numpy as np

from companion.games.six_faces import TOP, SixFaces, start
from companion.solvers.hint import Budget
from companion.solvers.six_faces import roll_of, search

WORK = 3000  # nodes a move
QUIET = 500  # positions that are better than this for a side are decided: they teach nothing
Sample = tuple[list[tuple[int, int]], int, float]  # pieces as (feature, sign), whose turn (1 White), White's result


def main(seconds: float) -> None:
    samples: list[Sample] = []
    until, seed = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        samples += played(Random(seed))
        seed += 1
    print(f"/* from {seed} games, {len(samples)} positions */")
    print(table(fitted(samples)))


def played(chance: Random) -> list[Sample]:
    """A game of the search against itself: its positions with its result."""
    position = start({}, {})
    seen: list[tuple[list[tuple[int, int]], int]] = []
    for ply in range(160):
        moves = list(position.moves())
        if position.outcome() or not moves:
            break
        if ply < 6 or chance.random() < 0.03:
            position = position.play(chance.choice(moves))
            continue
        *_, found = search(position, Budget(9, chance.randrange(1 << 30), work=WORK))
        white = 1 if position.turn == "white" else -1
        if found.exact:
            won = (found.score > 0) == (white > 0)
            return [(pieces, turn, float(won)) for pieces, turn in seen]
        if abs(found.score) < QUIET:
            seen.append((features(position), white))
        position = position.play(roll_of(found.line[0]))
    outcome = position.outcome()
    result = 0.5 if outcome is None else outcome.scores["white"]
    return [(pieces, turn, result) for pieces, turn in seen]


def features(position: SixFaces) -> list[tuple[int, int]]:
    found = []
    for n, die in enumerate(position.dice):
        if die:
            kind = 6 if die[1] == "K" else TOP[die] - 1
            column, row = min(n % 9, 8 - n % 9), n // 9 if die[0] == "w" else 7 - n // 9
            found.append((kind * 40 + row * 5 + column, 1 if die[0] == "w" else -1))
    return found


def fitted(samples: list[Sample]) -> np.ndarray:
    """Weights by gradient descent, held near each other: per kind, and per square beside it."""
    known = np.zeros((len(samples), 288), np.float32)  # 280 squares, 7 kinds, the turn
    result = np.array([sample[2] for sample in samples], np.float32)
    for n, (pieces, turn, _) in enumerate(samples):
        for feature, sign in pieces:
            known[n, feature] += sign
            known[n, 280 + feature // 40] += sign
        known[n, 287] = turn
    weights = np.zeros(288, np.float32)
    weights[280:286] = 0.5
    held = np.full(288, 1.5e-3, np.float32)  # squares only as far from their kind as the games show
    held[280:] = 1e-6
    pace, mean, square = 0.02, np.zeros(288, np.float32), np.zeros(288, np.float32)
    for n in range(1, 601):
        guess = 1 / (1 + np.exp(-known @ weights))
        slope = known.T @ (guess - result) / len(samples) + held * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        weights -= pace * (mean / (1 - 0.9**n)) / (np.sqrt(square / (1 - 0.999**n)) + 1e-8)
    return weights


def table(weights: np.ndarray) -> str:
    worth = weights[:280].reshape(7, 8, 5) + weights[280:287].reshape(7, 1, 1)
    worth[6] -= worth[6].mean()  # both have their King
    scale = 100 / worth[:6].mean()
    lines = [
        f"/* a result by chance at {1 * scale:.0f} */",
        f"enum {{ TEMPO = {round(float(weights[287] * scale))} }};",
    ]
    lines.append("static const int16_t STANDS[7][8][5] = {")
    for kind in np.rint(worth * scale).astype(int):
        rows = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in kind)
        lines.append(f"    {{{rows}}},")
    return "\n".join([*lines, "};"])


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 300)
