"""Parses the camera source of a simulated table: sim:GAME,seed=3,trouble=illegal+bump,record=FILE,pace=2."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from companion.errors import BadInput
from companion.games import game, game_ids, is_game
from companion.labels import labels_of
from companion.record import Stood
from companion.record_files import use_record
from vision.cameras import SIZE
from vision.simulate.plan import StagePlan
from vision.simulate.style import FAMILIES, HELD_OUT

PREFIX = "sim:"
Trouble = Literal["illegal", "half", "slide", "reach", "bump", "light", "cover", "lost"]
TROUBLES: tuple[Trouble, ...] = get_args(Trouble)


class Simulation(NamedTuple):
    game: str
    seed: int = 0
    family: str | None = None
    size: tuple[int, int] | None = None  # None: the size that is set for cameras
    trouble: tuple[Trouble, ...] = ()
    record: Path | None = None
    pace: float = 1.0

    @classmethod
    def parse(cls, source: str) -> Simulation:
        """BadInput names the part that is wrong."""
        played, *parts = source.removeprefix(PREFIX).split(",")
        if not source.startswith(PREFIX) or not is_game(played):
            raise BadInput("sim", "not-one-of", value=played, choices=", ".join(game_ids()))
        readers: dict[str, Callable[[str], Any]] = {
            "seed": _seed,
            "family": _family,
            "size": _size,
            "trouble": _trouble,
            "record": Path,
            "pace": _pace,
        }
        given: dict[str, Any] = {}
        for part in parts:
            name, sign, text = part.partition("=")
            if name not in readers or not sign or not text:
                raise BadInput("sim", "no-such-part", part=part, choices=", ".join(readers))
            if name in given:
                raise BadInput(f"sim {name}", "key-twice")
            given[name] = readers[name](text)
        return cls(played, **given)

    def plan(self, size: tuple[int, int] = SIZE, seats: int | None = None) -> StagePlan:
        """The plan of the stage. `seats`: the number of players, if it is not the default."""
        played = game(self.game)
        seats = seats or played.number(played.agreed({}), {})
        return StagePlan(labels_of(played), seats, self.seed, self.family, self.size or size, self.pace)

    def script(self) -> tuple[str | Stood, ...]:
        """The moves of the source's record; empty if the players play by themselves."""
        if self.record is None:
            return ()
        file = str(self.record)
        record = use_record(file, lambda found: found)
        if record.game.id != self.game:
            raise BadInput(f"{file}: game", "not-one-of", value=record.game.id, choices=self.game)
        return tuple(record.moves)


def stage_of(source: str, size: tuple[int, int] = SIZE, seats: int | None = None) -> StagePlan | None:
    """The plan of the stage for a simulated source; None for other sources."""
    return Simulation.parse(source).plan(size, seats) if source.startswith(PREFIX) else None


def _seed(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise BadInput("sim seed", "not-a-number-between", value=text, least=0, most=999999999)
    return int(text)


def _family(text: str) -> str:
    if text not in (*FAMILIES, HELD_OUT):
        raise BadInput("sim family", "not-one-of", value=text, choices=", ".join((*FAMILIES, HELD_OUT)))
    return text


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch("([0-9]{3,4})x([0-9]{3,4})", text)
    if not found or not 320 <= int(found[1]) <= 3840 or not 240 <= int(found[2]) <= 2160:
        raise BadInput("sim size", "not-a-size", value=text)
    return int(found[1]), int(found[2])


def _trouble(text: str) -> tuple[Trouble, ...]:
    known = {str(kind): kind for kind in TROUBLES}
    for kind in text.split("+"):
        if kind not in known:
            raise BadInput("sim trouble", "not-one-of", value=kind, choices=", ".join(TROUBLES))
    return tuple(known[kind] for kind in text.split("+"))


def _pace(text: str) -> float:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) or not 0.1 <= float(text) <= 20:
        raise BadInput("sim pace", "not-a-number-between", value=text, least=0.1, most=20)
    return float(text)
