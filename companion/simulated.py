"""Who plays at the simulated table: a player who makes moves by himself, by a record or on command, and who can
misbehave on request. He tells the stage what to show and keeps a log of the truth, to compare a referee with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import numpy as np

from companion.commands.rules import checked
from companion.games import GAME_IDS
from companion.games.position import BadInput, Position, Visible
from companion.messages import language_of, say_reason
from companion.record import Record, Stood
from companion.simulation.cheating import illegal_layouts, key_of
from companion.simulation.choosing import sensible
from companion.simulation.laying import half_made, layout_of, parts_of, shown
from vision.simulate import positions
from vision.simulate.positions import Layout
from vision.simulate.stage import BUMPED, FADING, LIGHTS, reaching
from vision.simulate.style import FAMILIES, HELD_OUT

TROUBLES = ("illegal", "half", "slide", "reach", "bump", "light", "cover", "lost")
LONGEST = 200  # moves of a game that nobody wins
TIRED = 90  # moves after which the players care less, so that games end
THINKING = 1.6  # seconds between two actions, at the usual pace
LOST = 4.0  # seconds without a camera

Tell = Callable[..., None]  # the name of a method of the stage and its arguments, as `Camera.tell`


# --- what is asked for


class Simulation(NamedTuple):
    """A simulated table as a camera's source says it: sim:GAME,seed=3,trouble=illegal+bump,record=FILE,pace=2."""

    game: str
    seed: int = 0
    family: str | None = None
    size: tuple[int, int] = (1280, 720)
    trouble: tuple[str, ...] = ()
    record: Path | None = None
    pace: float = 1.0

    @classmethod
    def parse(cls, source: str) -> Simulation:
        """Raises BadInput that names the part."""
        game, *parts = source.removeprefix("sim:").split(",")
        if not source.startswith("sim:") or game not in GAME_IDS:
            raise BadInput("sim", "not-one-of", value=game, choices=", ".join(GAME_IDS))
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
        return cls(game, **given)


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


def _trouble(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split("+"))
    if wrong := next((kind for kind in kinds if kind not in TROUBLES), None):
        raise BadInput("sim trouble", "not-one-of", value=wrong, choices=", ".join(TROUBLES))
    return kinds


def _pace(text: str) -> float:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) or not 0.1 <= float(text) <= 20:
        raise BadInput("sim pace", "not-a-number-between", value=text, least=0.1, most=20)
    return float(text)


# --- the player


class Entry(NamedTuple):
    """One line of the truth: what was done at the table, and what can be seen since."""

    step: int  # counts what the player did
    kind: str  # start, move, half, illegal, back, stood, reach, bump, light, cover, uncover, lost
    what: str  # which bump, which light, what was done wrong
    moves: tuple[str, ...]
    visible: Visible


class Player:
    """Plays a game on a stage. Each call of `act` does one thing and says how long it takes."""

    def __init__(
        self,
        tell: Tell,
        record: Record,
        simulation: Simulation | None = None,
        script: Iterable[str | Stood] = (),
        position: Position[Any] | None = None,
    ) -> None:
        """`record` is how the game starts; `script` what is to be played, else he plays by himself."""
        self.game = record.game
        self.how = simulation or Simulation(record.game.id)
        self._tell = tell
        self._chance = Random(self.how.seed)
        self._script = list(script)
        self._scripted = bool(self._script)
        self.position: Position[Any] = position or record.start
        self.layout = layout_of(self.game.id, self.position)
        self.log: list[Entry] = []
        self._back_to: Layout | None = None  # where an illegal step is put back to
        self._half: Any = None  # a move whose first part has been made
        self._covered = 0  # actions until a covered marker is freed again
        self._light = "usual"
        self._due = 0.0

    @property
    def over(self) -> bool:
        """Nothing more will be played."""
        if self._back_to or self._half:
            return False
        ended = self.position.outcome() is not None or self._count >= LONGEST
        return not self._script if self._scripted else ended

    @property
    def _count(self) -> int:
        return sum(len(entry.moves) for entry in self.log)

    def begin(self) -> None:
        """Puts the first position on the table."""
        if self.how.pace != 1:
            self._tell("hurry", self.how.pace)
        self._tell("show", self.layout)
        self._note("start")

    def tick(self, now: float) -> None:
        """Does the next thing when it is time; call it as often as you like, with the stage's clock or any other."""
        if not self.log:
            self.begin()
            self._due = now + THINKING / self.how.pace
        elif now >= self._due and not self.over:
            seconds = self.act()
            self._due = now + seconds + self._chance.uniform(0.8, 1.3) * THINKING / self.how.pace

    def act(self) -> float:
        """Does the next thing: puts back what is wrong, ends what is half made, misbehaves, or makes a move."""
        if self._back_to:
            return self.put_back()
        if self._half:
            return self._finish()
        if self._covered:
            self._covered -= 1
            if not self._covered:
                return self._hand("cover", None, kind="uncover")
        kinds = [kind for kind in self.how.trouble if kind != "cover" or not self._covered]
        if kinds and self._chance.random() < 0.4:
            return self.misbehave(self._chance.choice(kinds))
        return self.move()

    # --- moves

    def move(self) -> float:
        """One move that can be seen, with the unseen ones before it, by the script or as he likes."""
        moves, after = self._next()
        if isinstance(moves, Stood):
            return self._stood(moves)
        return self._made(moves, after, *self._parts(moves))

    def play(self, text: str) -> float:
        """A move on command. Raises BadInput if it is illegal, CannotBeRead if it is none."""
        move = self._legal(text, self.position)
        return self._made([move], self.position.play(move), *self._parts([move]))

    def follow(self, position: Position[Any]) -> None:
        """Persons decided how the game stands: the table is made so, and he plays on from there by himself."""
        self._back_to, self._half = None, None
        self._script.clear()
        self.position, self.layout = position, layout_of(self.game.id, position, self.layout)
        self._note("stood", "as persons decided")
        self._hand("move", self.layout)

    def _parts(self, moves: list[Any]) -> list[Layout]:
        return parts_of(self.game.id, self._before_last(moves), moves[-1], self.layout) if moves else []

    def _before_last(self, moves: list[Any]) -> Position[Any]:
        before = self.position
        for move in moves[:-1]:
            before = before.play(move)
        return before

    def _legal(self, text: str, position: Position[Any]) -> Any:
        move = self.game.read(text)
        if reason := position.why_not(move):
            told = say_reason(reason, language_of())
            raise BadInput("", "illegal-move", move=text, rule=reason.rule, reason=told)
        return move

    def _next(self) -> tuple[list[Any] | Stood, Position[Any]]:
        """The moves up to the next one that can be seen, and the position after them."""
        moves: list[Any] = []
        here, seen = self.position, self.position.visible()
        while here.outcome() is None and here.visible() == seen:
            if self._scripted:
                if not self._script:
                    break
                if isinstance(entry := self._script[0], Stood):
                    if not moves:
                        self._script.pop(0)
                        return entry, here
                    break
                move = self._legal(entry, here)
                self._script.pop(0)
            else:
                move = sensible(self.game.id, here, self._chance, tired=self._count + len(moves) > TIRED)
            moves.append(move)
            here = here.play(move)
        return moves, here

    def _made(self, moves: list[Any], after: Position[Any], *between: Layout, what: str = "") -> float:
        seen = after.visible() != self.layout.visible
        self.position, self.layout = after, layout_of(self.game.id, after, self.layout)
        self._note("move", what, tuple(map(str, moves)))
        return self._hand("move", *between, self.layout) if seen or between else 0.0

    def _stood(self, entry: Stood) -> float:
        self.position = self.position.stand(entry.seen, entry.to_move)
        seen = cast("dict[str, Any]", entry.seen)
        guessed = positions.layout_of(np.random.default_rng(0), self.game.id, seen)
        self.layout = shown(guessed, entry.seen, south=getattr(self.position, "south", 0))
        self._note("stood", entry.note)
        return self._hand("move", self.layout)

    # --- trouble

    def misbehave(self, kind: str) -> float:
        """One kind of trouble; where it cannot be made here, a move."""
        if kind == "illegal":
            return self.cheat() or self.move()
        if kind == "half":
            return self._begin_half()
        if kind == "slide":
            return self._slide()
        if kind == "reach":
            return self._hand("reach", kind="reach")
        if kind == "bump":
            what = self._chance.choice(("camera", "board"))
            return self._thing("bump", what, BUMPED)
        if kind == "light":
            self._light = self._chance.choice([light for light in LIGHTS if light != self._light])
            return self._thing("light", self._light, FADING)
        if kind == "cover":
            self._covered = 3
            return self._hand("cover", self._chance.randrange(4), kind="cover")
        self._tell("lose", LOST / self.how.pace)
        self._note("lost")
        return LOST / self.how.pace

    def cheat(self) -> float:
        """Something that no legal play shows, to be put back; 0 if there is nothing of the kind here."""
        if self.position.outcome() is not None:
            return 0.0
        before = {key_of(entry.visible) for entry in self.log}
        found = next(illegal_layouts(self.game.id, self.position, self.layout, self._chance, before), None)
        if not found:
            return 0.0
        self._back_to, (what, self.layout) = self.layout, found
        self._note("illegal", what)
        return self._hand("move", self.layout)

    def put_back(self) -> float:
        """The table as it was before the illegal step."""
        assert self._back_to is not None
        self.layout, self._back_to = self._back_to, None
        self._note("back")
        return self._hand("move", self.layout)

    def _begin_half(self) -> float:
        """The first part of a turn, then a pause; games whose moves have no parts get a whole one."""
        moves, after = self._next()
        if isinstance(moves, Stood):
            return self._stood(moves)
        before = self._before_last(moves)
        halves = half_made(self.game.id, before, moves[-1], self.layout) if moves else []
        if not halves:
            return self._made(moves, after)
        self._half = (moves, after)
        self.layout = self._chance.choice(halves)
        self._note("half")
        return self._hand("move", self.layout)

    def _finish(self) -> float:
        (moves, after), self._half = self._half, None
        return self._made(moves, after)

    def _slide(self) -> float:
        """A move whose piece is first put somewhere else and then slid to its place, by the same hand."""
        moves, after = self._next()
        if isinstance(moves, Stood) or not moves:
            return self._stood(moves) if isinstance(moves, Stood) else self._made(moves, after)
        before = self._before_last(moves)
        others = [move for move in before.moves() if move != moves[-1] and not str(move).startswith(("+", "-"))]
        if not others:
            return self._made(moves, after)
        elsewhere = layout_of(self.game.id, before.play(self._chance.choice(others)), self.layout)
        return self._made(moves, after, elsewhere, what="slide")

    # --- telling and noting

    def _hand(self, name: str, *arguments: Any, kind: str = "") -> float:
        self._tell(name, *arguments)
        if kind:
            self._note(kind, "" if arguments in ((), (None,)) else str(arguments[0]))
        return reaching(len(arguments)) / self.how.pace

    def _thing(self, name: str, what: str, seconds: float) -> float:
        self._tell(name, what)
        self._note(name, what)
        return seconds / self.how.pace

    def _note(self, kind: str, what: str = "", moves: tuple[str, ...] = ()) -> None:
        self.log.append(Entry(len(self.log), kind, what, moves, cast(Visible, dict(self.layout.visible))))


def seated(tell: Tell, simulation: Simulation, start: Record) -> Player:
    """Who plays at this table: by himself from `start`, or what the simulation's record file says."""
    if simulation.record is None:
        return Player(tell, start, simulation)
    file = str(simulation.record)
    record = checked(file, lambda found: found)
    if record.game.id != simulation.game:
        raise BadInput(f"{file}: game", "not-one-of", value=record.game.id, choices=simulation.game)
    return Player(tell, record, simulation, record.moves)
