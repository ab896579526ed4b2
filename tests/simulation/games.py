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
from companion.referee.evidence import visible_pieces
from companion.simulation.player import SimulatedPlayer
from companion.simulation.source import Simulation
from companion.store import open_store
from companion.table.table import QuestionCode, Table
from tests.records import deal
from tests.simulation.standing import Standing
from vision.simulate.stage import Stage
from vision.watch import Frame, Watch

STILL = 0.2  # seconds, for the watch
# Where not everything is seen: how often hands stay over the board for two or three turns, how often the camera is away
# in a game, and for how many seconds.
STAY, TIMES_AWAY, AWAY = 0.1, 2, 10.0
LOOPS = 20  # steps of the table between two looks
REST = 16  # frames at most that a board at rest is looked at


class Followed(NamedTuple):
    record: list[Any]
    truth: list[str]
    right: bool  # or open
    is_open: bool  # the record says otherwise, and asks about it
    waits: list[str]  # what the player did that the referee could not make out before the next thing was done
    verdicts: Counter[str]
    alarms: list[str]  # what was called illegal and was not
    standing: int  # questions at one moment, at most


class Follow:
    """One game from its start to its end."""

    def __init__(self, record: dict[str, Any], how: Simulation, folder: Path, unseen: bool = False) -> None:
        """`unseen`: hands stay over the board for several turns now and then, and the camera goes away."""
        self.how, self.unseen, self.chance = how, unseen, Random(how.seed)
        self.alarms: list[str] = []
        read = read_record(json.dumps(record))
        plan = how.plan(seats=len(read.start.seats))
        self.stage = Stage(plan)
        self.player = SimulatedPlayer(lambda name, *what: getattr(self.stage, name)(*what), read, how)
        self.store = open_store(folder)
        self.now, self.number = 100.0, 0
        self.table = Table(self.store, self.store.new_game(record, "test"), False, lambda: self.now)
        self.watch = Watch(plan.labels, still_for=STILL)
        self.questions = Standing(self.table)
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
        verdict = self.table.see(seen.reading, image, seen.disturbed)
        self.verdicts[verdict.kind] += 1
        for _ in range(LOOPS):
            self.table.update()
        self.questions.count()
        is_illegal = verdict.kind == self.table.verdict.kind == "illegal"
        if is_illegal and self.player.is_legal and not self.stage.busy:
            self.alarms.append(f"{self.player.log[-1].moves} {self.table.verdict}")
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
        away = {self.chance.randrange(2, 30) for _ in range(TIMES_AWAY)} if self.unseen else set[int]()
        done = 0
        while not self.player.over:
            done += 1
            if done in away:
                self.table.note_camera("lost")
                until = self.now + AWAY
                while not self.player.over and self.now < until:
                    self._act(looks=False)
                self.table.note_camera("live")
            elif self.unseen and self.chance.random() < STAY:
                for _ in range(self.chance.randint(1, 2)):
                    if not self.player.over:
                        self._act(looks=False)
            if self.player.over:
                break
            self._act()
            self.rest()
            yield self.player.log[-1].kind

    def _act(self, looks: bool = True) -> None:
        """One thing that the player does, with a look at his hand."""
        seconds = self.player.act()
        self.now += seconds / 2
        if looks:
            self.look()
        self.now += seconds / 2 + 0.1
        self.stage.frame(self.now)
        while self.stage.busy:
            self.now += 0.2
            if looks:
                self.look()
            else:
                self.stage.frame(self.now)

    def to_the_end(self) -> Followed:
        waits = [
            f"{self.player.log[-1].moves} {self.table.verdict}"
            for kind in self.play()
            if kind == "move" and self.table.position.visible() != self.player.position.visible()
        ]
        self.rest()
        self.stage.cover(None)  # what was laid on a marker may hide the last move
        self.now += 3
        self.rest()
        self.store.close()
        truth = [move for entry in self.player.log for move in entry.moves]
        right = same_game(self.player.position, self.table.position)
        is_open = not right and is_left_open(self.player.position, self.table)
        found = self.verdicts, self.alarms, self.questions.most
        return Followed(self.table.moves, truth, right or is_open, is_open, waits, *found)


def same_game(truth: Position[Any], followed: Position[Any]) -> bool:
    """Whether two positions are the same but for what no look can show.

    Plates leave no seam: which of them two or more make up a shape between them nobody can see, and where it is as many
    of each kind the game goes on alike. A card that others cover wholly may have been another one, or none at all.
    """
    if truth.visible() != followed.visible() or truth.points() != followed.points():
        return False
    for name in ("dice", "row", "tiles"):
        if getattr(truth, name, None) != getattr(followed, name, None):
            return False
    if hasattr(truth, "pieces") or hasattr(truth, "laid"):
        return truth.future() == followed.future()
    return sorted(visible_pieces(truth)) == sorted(visible_pieces(followed))


def is_left_open(truth: Position[Any], table: Table) -> bool:
    """Whether the record says otherwise, but it was in one of the ways that are kept in mind: the table asks about it,
    or nobody can see a difference yet."""
    asks = table.question is not None and table.question.code is QuestionCode.WHICH
    is_in_mind = any(same_game(truth, line.position) for line in table.referee.lines)
    return is_in_mind and (asks or truth.stands() == table.position.stands())


def begun(game: str, options: dict[str, Any], seed: int, players: int = 2) -> dict[str, Any]:
    """A record to begin with; a Pegs pack keeps its secret."""
    setup = deal(game, Random(seed), options, players)
    setup.pop("deck", None)
    return {"game": game, "options": options, "setup": setup, "moves": []}
