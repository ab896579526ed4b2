"""Whole games on the simulated table, followed by the real watch, reader, referee and store, as fast as they go.

The stage's clock is stepped by hand: a look with the hand over the board, then as few frames at rest as the watch
needs. What the referee made of it is compared with the player's log of the truth.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.games.position import Position
from companion.record import read_record
from companion.simulation.player import SimulatedPlayer
from companion.simulation.source import Simulation
from companion.store import open_store
from companion.table.table import Table
from tests.records import deal
from vision.simulate.stage import Stage
from vision.watch import Frame, Watch

STILL = 0.2  # seconds, for the watch
REST = 16  # frames at most that a board at rest is looked at


class Followed(NamedTuple):
    record: list[Any]
    truth: list[str]
    right: bool
    waits: list[str]  # what the player did that the referee could not make out before the next thing was done
    verdicts: Counter[str]


class Follow:
    """One game from its start to its end."""

    def __init__(self, record: dict[str, Any], how: Simulation, folder: Path) -> None:
        self.how = how
        read = read_record(json.dumps(record))
        plan = how.plan(seats=len(read.start.seats))
        self.stage = Stage(plan)
        self.player = SimulatedPlayer(lambda name, *what: getattr(self.stage, name)(*what), read, how)
        self.store = open_store(folder)
        self.now, self.number = 100.0, 0
        self.table = Table(self.store, self.store.new_game(record, "test"), False, lambda: self.now)
        self.watch = Watch(plan.labels, still_for=STILL)
        self.verdicts: Counter[str] = Counter()

    def look(self) -> bool:
        """One frame; whether it was read."""
        image = self.stage.frame(self.now)
        if image is None:
            return False
        self.number += 1
        if self.table.wants_look:
            self.watch.again()
        seen = self.watch.see(Frame(image, self.number, self.now))
        if not seen.reading:
            return False
        self.verdicts[self.table.see(seen.reading, image).kind] += 1
        return True

    def rest(self) -> None:
        """Look at the board at rest until nothing more is to be learned."""
        read = False
        for _ in range(REST):
            self.now += STILL / 2 + 0.01
            read = self.look() or read
            if read and not self.table._wants_look:
                return

    def play(self) -> Iterator[str]:
        """Everything the player does, one thing at a time, looked at in between."""
        self.player.begin()
        self.rest()
        while not self.player.over:
            seconds = self.player.act()
            self.now += seconds / 2
            self.look()
            self.now += seconds / 2 + 0.1
            while self.stage.busy:
                self.now += 0.2
                self.look()
            self.rest()
            yield self.player.log[-1].kind

    def to_the_end(self) -> Followed:
        waits = [
            f"{self.player.log[-1].moves} {self.table.verdict}"
            for kind in self.play()
            if kind == "move" and self.table.position.visible() != self.player.position.visible()
        ]
        self.stage.cover(None)  # what was laid on a marker may hide the last move
        self.now += 3
        self.rest()
        self.store.close()
        truth = [move for entry in self.player.log for move in entry.moves]
        right = same_game(self.player.position, self.table.position)
        return Followed(self.table.moves, truth, right, waits, self.verdicts)


def same_game(truth: Position[Any], followed: Position[Any]) -> bool:
    """Whether two positions are the same but for what nobody could see."""
    if truth.visible() != followed.visible() or truth.points() != followed.points():
        return False
    for name in ("dice", "pieces", "laid", "row", "tiles"):
        if getattr(truth, name, None) != getattr(followed, name, None):
            return False
    cards = [sorted(str(placed.block) for placed in getattr(p, "cards", ())) for p in (truth, followed)]
    return cards[0] == cards[1]


def begun(game: str, options: dict[str, Any], seed: int, players: int = 2) -> dict[str, Any]:
    """A record to begin with; a Pegs pack keeps its secret."""
    setup = deal(game, Random(seed), options, players)
    setup.pop("deck", None)
    return {"game": game, "options": options, "setup": setup, "moves": []}
