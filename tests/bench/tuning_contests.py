"""Fits what a guess of Hepta and T for Two goes by: `python -m tests.bench.tuning_contests hepta|t_for_two [SECONDS]`
prints the table of weights for companion/solvers/core/hepta.c or t_for_two.c.

The search plays itself, thinking little, with some moves by chance; then for every stage of the game least squares asks
what came of the features that core/GAME.c looks at, its neighbors counting too. To be done again from the table it
gave, until that stays as it is.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np

from companion.games.hepta import Blocker, Hepta, start
from companion.games.position import Position
from companion.games.squares import SEVEN
from companion.games.t_for_two import TForTwo
from companion.solvers import compiled, hepta, t_for_two
from companion.solvers.deepening import deepen
from companion.solvers.hint import Budget

WORK = 3000  # nodes a move
BY_CHANCE = 0.08  # of the moves
STAGES = 13


class Sample(NamedTuple):
    table: int  # which of the tables
    stage: int
    features: list[int]
    came: float  # what came of it


def main(game: str, seconds: float) -> None:
    tables, wide, unit = {"hepta": (1, 0.8, 1000), "t_for_two": (2, 1.2, 100)}[game]
    play = {"hepta": hepta_game, "t_for_two": t_for_two_game}[game]
    samples: list[Sample] = []
    until, seed = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        samples += play(Random(seed))
        seed += 1
    print(f"/* from {seed} games, {len(samples)} positions; ends {np.mean([s.came for s in samples]):.2f} more */")
    for n in range(tables):
        rows = fitted([sample for sample in samples if sample.table == n], wide)
        print("{\n" + "".join(f"    {{{', '.join(f'{unit * w:.0f}' for w in row)}}},\n" for row in rows) + "},")


def played(
    position: Position[Any], solver: Any, game: str, chance: Random, see: Callable[[Any], None]
) -> Position[Any]:
    """A game of the search against itself to its end; each position is shown to `see`."""
    while position.to_move:
        see(position)
        moves = {str(move): move for move in position.moves()}
        text = chance.choice(list(moves))
        if chance.random() > BY_CHANCE:
            *_, answer = deepen(game, solver.state_of(position), Budget(9, work=WORK))
            text = solver.text_of(answer.line[0])
        position = position.play(moves[text])
    return position


def looked(game: str, state: ctypes.Structure, count: int) -> list[int]:
    assert compiled.core is not None
    features = (ctypes.c_int32 * count)()
    getattr(compiled.core, f"{game}_look")(ctypes.byref(state), features)
    return list(features)


def hepta_game(chance: Random) -> list[Sample]:
    position = start({}, {})
    for square in chance.sample(SEVEN.names, 7):
        position = position.play(Blocker(square))
    position = position.play(chance.choice(list(position.moves())))
    seen: list[tuple[list[int], Hepta]] = []
    end = played(position, hepta, "hepta", chance, lambda at: seen.append((looked("hepta", hepta.state_of(at), 6), at)))

    def lead(at: Position[Any]) -> float:  # of him who has I
        points = at.points()
        return (points["second"] - points["first"]) * (1 if position.second_has == "I" else -1)

    return [Sample(0, min(sum(at.laid), STAGES - 1), features, lead(end) - lead(at)) for features, at in seen]


def t_for_two_game(chance: Random) -> list[Sample]:
    position = TForTwo()
    for _ in range(chance.randint(1, 3)):
        position = position.play(chance.choice(list(position.moves())))
    seen: list[tuple[list[int], TForTwo]] = []
    end = played(
        position,
        t_for_two,
        "t_for_two",
        chance,
        lambda at: seen.append((looked("t_for_two", t_for_two.state_of(at), 7), at)),
    )
    points = end.points()["mushrooms"]
    return [
        Sample(int(at.to_move == "tetrods"), 12 - len(at.laid), features, points - at.points()["mushrooms"])
        for features, at in seen
    ]


def fitted(samples: list[Sample], wide: float) -> list[np.ndarray]:
    """The weights for every stage; neighboring stages count by how near they are, and weights are held small."""
    stage = np.array([sample.stage for sample in samples])
    known = np.array([sample.features for sample in samples], float)
    came = np.array([sample.came for sample in samples], float)
    held = np.diag([1.0] * (known.shape[1] - 1) + [0.0])
    rows = []
    for n in range(STAGES):
        near = np.exp(-(((stage - n) / wide) ** 2) / 2)
        weighed = known * near[:, None]
        rows.append(np.linalg.solve(weighed.T @ known + 0.002 * near.sum() * held, weighed.T @ came))
    return rows


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 120)
