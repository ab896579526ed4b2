"""How strongly the search plays: against plain Monte-Carlo tree search (plain_uct.c) with the same time a move on the
same compiled rules, and against itself with a quarter of the time.

Openings are made by chance and each is played twice with the roles exchanged (and the same pack in Pegs). What a pair
of games is worth is what the games' own rules say: in Hepta the points of both games are added up (hepta.6), in T for
Two the better leg wins (t-for-two.5); elsewhere each game counts. Pairs are played until a sequential test is clear,
or at most so many.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from math import log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.games.pegs import Pegs
from companion.games.plank import PlankGame
from companion.games.position import Position
from companion.games.six_faces import SixFaces
from companion.games.value import replace
from companion.solvers import compiled, hepta, pegs, plank, six_faces, t_for_two
from companion.solvers.hint import Budget
from tests.bench.table import Row, show
from tests.records import new_record, played
from tests.solvers.positions import think

LONGEST = 200  # moves; a game that goes on is a draw
CLEAR = log(19)  # one error in twenty, either way
FEWEST = 6  # pairs
SUDDEN, ENOUGH = ("plank", "six-faces"), 20_000  # where an opening may be won already, and the work to see it
CORE = Path(compiled.__file__).parent / "core"

Seat = Callable[[Position[Any], int], str]  # with a seed; the text of the move


class Contest(NamedTuple):
    """Who plays what for how long; a search has its time for each move, be it a whole turn or a part of it."""

    game_id: str
    chance_moves: int  # an opening's
    seconds: float  # a move
    bar: float  # the share of the points against the plain search
    most: int  # pairs


CONTESTS = [
    Contest("six-faces", 6, 0.05, 0.75, 120),
    Contest("hepta", 3, 0.05, 0.75, 200),
    Contest("t-for-two", 2, 0.05, 0.75, 120),
    Contest("plank", 2, 0.02, 0.75, 80),
    Contest("pegs", 14, 0.02, 0.5, 200),
]
MORE, A_LITTLE_MORE = 0.1, 0.06  # a share so much above the bar, or above one half, is what the test looks for
LESS_TIME = 4


# --- players


def searching(seconds: float) -> Seat:
    def choose(position: Position[Any], seed: int) -> str:
        *_, hint = think(position, Budget(seconds, seed))
        return hint.move

    return choose


class Plain:
    """The plain search, compiled with the core's own sources."""

    def __init__(self, folder: str) -> None:
        library = Path(folder) / "plain.so"
        sources = [*map(str, sorted(CORE.glob("*.c"))), str(Path(__file__).with_name("plain_uct.c"))]
        flags = ["-std=c11", "-O3", "-fvisibility=hidden", "-shared", "-fPIC"]
        subprocess.run(["cc", *flags, f"-I{CORE}", *sources, "-lm", "-o", str(library)], check=True)
        self.core = ctypes.CDLL(str(library))
        pointer = ctypes.c_void_p
        self.core.uct_move.restype = ctypes.c_uint32
        self.core.uct_move.argtypes = (pointer, pointer, pointer, ctypes.c_double, ctypes.c_uint64, pointer)
        self.rollouts, self.spent = 0, 0.0

    def playing(self, seconds: float) -> Seat:
        def choose(position: Position[Any], seed: int) -> str:
            kind = type(position).__module__.rpartition(".")[2]
            rules, count, shuffle = compiled.rules_of(self.core, kind), ctypes.c_uint64(), None
            if isinstance(position, Pegs):  # it does not peek either
                shuffle, position = ctypes.cast(self.core.pegs_shuffle, ctypes.c_void_p), replace(position, deck=None)
            state = self.state_of(position)
            move = self.core.uct_move(
                ctypes.byref(rules), shuffle, ctypes.byref(state), seconds, seed, ctypes.byref(count)
            )
            self.rollouts += count.value
            self.spent += seconds
            return self.text_of(position, move)

        return choose

    def state_of(self, position: Position[Any]) -> Any:
        if isinstance(position, SixFaces):
            self.before = six_faces.hashes(position)  # the state points to them
            return six_faces.state_of(position, self.before)
        return SOLVERS[type(position).__module__.rpartition(".")[2]].state_of(position)

    def text_of(self, position: Position[Any], move: int) -> str:
        if isinstance(position, SixFaces):
            return str(six_faces.roll_of(move))
        if isinstance(position, PlankGame):
            return plank.texts_of(position, [move])[0]
        return str(SOLVERS[type(position).__module__.rpartition(".")[2]].text_of(move))


SOLVERS: dict[str, Any] = {"hepta": hepta, "t_for_two": t_for_two, "plank": plank, "pegs": pegs}


# --- games


def opening(contest: Contest, seed: int) -> Position[Any]:
    """A start with some moves by chance, that nobody is seen to win; Pegs with its pack."""
    while True:
        chance = Random(seed)
        position = played(new_record((contest.game_id, {}, {"players": 2}), seed)).position
        for _ in range(contest.chance_moves):
            if position.to_move:
                position = position.play(chance.choice(list(position.moves())))
        if contest.game_id not in SUDDEN:
            return position
        if position.to_move and not any(hint.exact for hint in think(position, Budget(9, work=ENOUGH))):
            return position
        seed += 100_000


def game(position: Position[Any], players: tuple[Seat, Seat], seed: int) -> Position[Any]:
    roles = position.players
    for ply in range(LONGEST):
        if position.to_move is None:
            break
        moves = {str(move): move for move in position.moves()}
        text = next(iter(moves)) if len(moves) == 1 else players[roles.index(position.to_move)](position, seed + ply)
        position = position.play(moves[text])
    return position


def pair(contest: Contest, seed: int, us: Seat, them: Seat) -> float:
    """Two games from one opening, the roles exchanged: our share of what there is to win."""
    start = opening(contest, seed)
    mine, yours = game(start, (us, them), 1000 * seed), game(start, (them, us), 1000 * seed)
    first, second = start.players
    if contest.game_id == "hepta":
        lead = mine.points()[first] + yours.points()[second] - mine.points()[second] - yours.points()[first]
        return share(lead)
    if contest.game_id == "t-for-two":
        return share(mine.points()[first] - yours.points()[first])
    return (result(mine, first) + result(yours, second)) / 2


def share(lead: float) -> float:
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


def result(position: Position[Any], player: str) -> float:
    outcome = position.outcome()
    return 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == player)


# --- the test


class Tally(NamedTuple):
    shares: list[float]

    @property
    def mean(self) -> float:
        return sum(self.shares) / len(self.shares)

    def evidence(self, bar: float, more: float) -> float:
        """The logarithm by which a share of `bar + more` explains the pairs better than `bar` does.

        As for normally spread pairs; two made-up ones, lost and won, keep the spread from being nothing.
        """
        spread = [*self.shares, 0.0, 1.0]
        mean = sum(spread) / len(spread)
        variance = sum((share - mean) ** 2 for share in spread) / len(spread)
        return len(self.shares) * more * (self.mean - bar - more / 2) / variance


def tested(contest: Contest, us: Seat, them: Seat, bar: float) -> tuple[Tally, bool]:
    """Pairs until it is clear whether our share is above the bar; whether it is."""
    tally = Tally([])
    for seed in range(contest.most):
        tally.shares.append(pair(contest, seed, us, them))
        evidence = tally.evidence(bar, MORE if bar > 0.5 else A_LITTLE_MORE)
        if len(tally.shares) >= FEWEST and abs(evidence) > CLEAR:
            return tally, evidence > 0
    return tally, False


def rows(only: list[str] | None = None) -> list[Row]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        plain = Plain(folder)
        for contest in CONTESTS:
            if only and contest.game_id not in only:
                continue
            plain.rollouts, plain.spent = 0, 0.0
            began = time.monotonic()
            tally, above = tested(contest, searching(contest.seconds), plain.playing(contest.seconds), contest.bar)
            peer = f"plain UCT, {plain.rollouts / max(plain.spent, 1e-9):,.0f} roll-outs/s"
            found.append(row(contest, tally, above, peer, contest.bar, began))
            began = time.monotonic()
            us, them = searching(contest.seconds), searching(contest.seconds / LESS_TIME)
            tally, above = tested(contest, us, them, 0.5)
            found.append(row(contest, tally, above, f"itself, {LESS_TIME} × less time", 0.5, began))
    return found


def row(contest: Contest, tally: Tally, above: bool, peer: str, bar: float, began: float) -> Row:
    what = f"{contest.game_id}, {1000 * contest.seconds:.0f} ms a move, {len(tally.shares)} pairs"
    took = f"{time.monotonic() - began:.0f} s"
    named = f"≥ {bar:.0%}, clearly" if bar > 0.5 else "> 50 %, clearly"
    ratio = tally.mean / max(1 - tally.mean, 0.01)
    return Row(what, f"{tally.mean:.0%} of the points", peer, took, ratio, named, above)


if __name__ == "__main__":
    sys.exit(not show("Strength", rows(sys.argv[1:])))
