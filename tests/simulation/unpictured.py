"""Whole games on a table that nobody draws: the simulated player plays and misbehaves, and what a reader would say of
the board at rest goes straight to the table. A game takes a second, and what goes wrong is the referee's doing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np

from companion.record import read_record
from companion.simulation.laying import square_of
from companion.simulation.player import LoggedAction, SimulatedPlayer
from companion.simulation.source import Simulation, Trouble
from companion.store import open_store
from companion.table.table import Table
from tests.referee.looks import discs_of, look_of
from tests.simulation.games import AWAY, STAY, TIMES_AWAY, begun, is_left_open, same_game
from tests.simulation.standing import Standing
from vision.simulate.stage import reaching

DOUBT = 0.004  # what a look gives to other codes than the true one
BETWEEN = 0.25  # seconds between two looks at a board at rest
MOST_LOOKS = 10
LOOPS = 20  # steps of the table between two looks


class Followed(NamedTuple):
    right: bool  # or open
    is_open: bool  # the record says otherwise, and asks about it
    alarms: list[str]  # what was called illegal and was not
    cheats: Counter[str]  # the verdicts on illegal steps that were seen by themselves
    asked: int  # questions
    standing: int  # of them at one moment, at most
    truth: list[str]
    record: list[Any]
    verdicts: Counter[str]


class Unpictured:
    """One game from its start to its end."""

    def __init__(self, record: dict[str, Any], how: Simulation, folder: Path, unseen: bool) -> None:
        """`unseen`: hands stay over the board for several turns now and then, and the camera goes away."""
        self.how, self.unseen, self.chance, self.rng = how, unseen, Random(how.seed), np.random.default_rng(how.seed)
        read = read_record(json.dumps(record))
        self.player = SimulatedPlayer(lambda name, *what: None, read, how)
        self.store = open_store(folder)
        self.now, self.disturbed = 100.0, 0.0
        self.table = Table(self.store, self.store.new_game(record, "test"), False, lambda: self.now)
        self.verdicts, self.cheats = Counter[str](), Counter[str]()
        self.alarms: list[str] = []
        self.questions = Standing(self.table)

    def look(self) -> None:
        layout, last = self.player.layout, self.player.log[-1]
        askew = None
        if layout.labels.has_cards:
            blocks = [square_of(card.cells[0]) + square_of(card.cells[-1]) for card in layout.cards]
            askew = discs_of(blocks, self.rng)
        look = look_of(self.how.game, layout.visible, self.rng, DOUBT, askew=askew)
        reading = cast(Any, SimpleNamespace(look=look))
        verdict = self.table.see(reading, cast(Any, None), self.disturbed)
        self.disturbed = 0.0
        for _ in range(LOOPS):
            self.table.update()
        self.questions.count()
        self.verdicts[verdict.kind] += 1
        self._note(verdict, last)

    def _note(self, verdict: Any, last: LoggedAction) -> None:
        told = self.table.verdict
        if verdict.kind == told.kind == "illegal" and self.player.is_legal:
            self.alarms.append(f"#{last.step} {last.kind} {last.moves} {told.code} {told.wrong[:3]}")

    def rest(self, alone: bool = True) -> None:
        """Look at the board at rest until nothing more is to be learned."""
        for _ in range(MOST_LOOKS):
            self.now += BETWEEN
            self.look()
            if not self.table._wants_look:
                break
        if self.player.log[-1].kind == "illegal" and alone:
            self.cheats[self.table.verdict.kind] += 1

    def to_the_end(self) -> Followed:
        self.player.begin()
        self.rest()
        away = {self.chance.randrange(2, 30) for _ in range(TIMES_AWAY)} if self.unseen else set[int]()
        done = 0
        while not self.player.over:
            done, alone = done + 1, True
            if done in away:
                self.table.note_camera("lost")
                until, alone = self.now + AWAY, False
                while not self.player.over and self.now < until:
                    self._act()
                self.table.note_camera("live")
            elif self.unseen and self.chance.random() < STAY:
                alone = False
                for _ in range(self.chance.randint(1, 2)):
                    if not self.player.over:
                        self._act()
            if not self.player.over:
                self._act()
            self.rest(alone)
        self.questions.count()
        self.store.close()
        truth = [move for entry in self.player.log for move in entry.moves]
        right = same_game(self.player.position, self.table.position)
        is_open = not right and is_left_open(self.player.position, self.table)
        asked = len(self.questions.asked), self.questions.most
        found = self.alarms, self.cheats, *asked
        return Followed(right or is_open, is_open, *found, truth, self.table.moves, self.verdicts)

    def _act(self) -> None:
        """One thing that the player does, with nobody looking."""
        seconds = self.player.act() or reaching(1)
        self.now += seconds + 0.1
        self.disturbed += seconds + 0.1


def followed(
    game: str,
    options: dict[str, Any],
    players: int,
    seed: int,
    trouble: tuple[Trouble, ...],
    folder: Path,
    unseen: bool,
) -> Followed:
    how = Simulation(game, seed=seed, trouble=trouble)
    return Unpictured(begun(game, options, seed, players), how, folder, unseen).to_the_end()
