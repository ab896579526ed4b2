"""The player at the simulated table: makes moves by himself, by a record or on command, and misbehaves on request.

He tells the stage what to show, and keeps a log of what he really did, to compare a referee with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Literal, NamedTuple, cast

from companion.errors import BadInput
from companion.games.position import AnyPosition, Visible
from companion.labels import labels_of
from companion.messages import language_of, say_reason
from companion.record import Record, Stood
from companion.simulation.cheating import illegal_layouts, key_of
from companion.simulation.laying import layout_of, parts_of, steps_of
from companion.simulation.source import Simulation, Trouble
from companion.solvers.playing import sensible_move
from vision.simulate.layout import Layout
from vision.simulate.stage import BUMPED, FADING, LIGHTS, reaching

LONGEST = 200  # moves of a game that nobody wins
TIRED = 90  # moves after which the players care less, so that games end
THINKING = 1.6  # seconds between two actions, at the usual pace
LOST = 4.0  # seconds without a camera

Tell = Callable[..., None]  # the name of a method of the stage and its arguments, as `Camera.tell`
Kind = Literal[
    "start", "move", "half", "illegal", "back", "stood", "reach", "bump", "light", "cover", "uncover", "lost"
]


class Entry(NamedTuple):
    """One line of the log: what was done at the table, and what can be seen since."""

    step: int  # counts what the player did
    kind: Kind
    what: str  # which bump, which light, what was done wrong
    moves: tuple[str, ...]
    visible: Visible


class SimulatedPlayer:
    """Plays a game on a stage. Each call of `act` does one thing and says how long it takes."""

    def __init__(
        self,
        tell: Tell,
        record: Record,
        simulation: Simulation | None = None,
        script: Iterable[str | Stood] = (),
        position: AnyPosition | None = None,
    ) -> None:
        """`record` is how the game starts; `script` what is to be played, else he plays by himself."""
        self.game = record.game
        self.how = simulation or Simulation(record.game.id)
        self._tell = tell
        self._chance = Random(self.how.seed)
        self._script = list(script)
        self._scripted = bool(self._script)
        self.position: AnyPosition = position or record.start
        self.layout = self._lying(self.position)
        self.log: list[Entry] = []
        self._back_to: Layout | None = None  # where an illegal step is put back to
        self._half: tuple[list[Any], AnyPosition] | None = None  # moves begun but not ended, and the position after
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
    def is_in_the_right(self) -> bool:
        """Whether legal play led to what lies on the table, turns that are only half made included."""
        return self._back_to is None

    @property
    def _count(self) -> int:
        return sum(len(entry.moves) for entry in self.log)

    def begin(self) -> None:
        """Puts the first position on the table."""
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
        """A move on command. Raises BadInput if it is illegal, UnreadableMove if it is none."""
        move = self._legal(text, self.position)
        return self._made([move], self.position.play(move), *self._parts([move]))

    def follow(self, position: AnyPosition) -> None:
        """Persons decided how the game stands: the table is made so, and a record that he played by is given up."""
        self._back_to, self._half = None, None
        self._script.clear()
        self.position, self.layout = position, self._lying(position)
        self._note("stood", "as persons decided")
        self._hand("move", self.layout)

    def _lying(self, position: AnyPosition) -> Layout:
        return layout_of(labels_of(self.game), position)

    def _parts(self, moves: list[Any]) -> list[Layout]:
        return parts_of(self._before_last(moves), moves[-1], self.layout) if moves else []

    def _before_last(self, moves: list[Any]) -> AnyPosition:
        before = self.position
        for move in moves[:-1]:
            before = before.play(move)
        return before

    def _legal(self, text: str, position: AnyPosition) -> Any:
        move = self.game.read(text)
        if reason := position.why_not(move):
            told = say_reason(reason, language_of())
            raise BadInput("", "illegal-move", move=text, rule=reason.rule, reason=told)
        return move

    def _next(self) -> tuple[list[Any] | Stood, AnyPosition]:
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
                move = sensible_move(self.game, here, self._chance, tired=self._count + len(moves) > TIRED)
            moves.append(move)
            here = here.play(move)
        return moves, here

    def _made(self, moves: list[Any], after: AnyPosition, *between: Layout, what: str = "") -> float:
        seen = after.visible() != self.layout.visible
        self.position, self.layout = after, self._lying(after)
        self._note("move", what, tuple(map(str, moves)))
        return self._hand("move", *between, self.layout) if seen or between else 0.0

    def _stood(self, entry: Stood) -> float:
        self.position = self.position.accept_as_seen(entry.seen, entry.to_move)
        self.layout = self._lying(self.position)
        self._note("stood", entry.note)
        return self._hand("move", self.layout)

    # --- trouble

    def misbehave(self, kind: Trouble) -> float:
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
            return self._event("bump", what, BUMPED)
        if kind == "light":
            self._light = self._chance.choice([light for light in LIGHTS if light != self._light])
            return self._event("light", self._light, FADING)
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
        found = next(illegal_layouts(self.position, self.layout, self._chance, before), None)
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
        halves = steps_of(before, moves[-1], self.layout) if moves else []
        if not halves:
            return self._made(moves, after)
        self._half = (moves, after)
        self.layout = self._chance.choice(halves)
        self._note("half")
        return self._hand("move", self.layout)

    def _finish(self) -> float:
        assert self._half is not None
        (moves, after), self._half = self._half, None
        return self._made(moves, after)

    def _slide(self) -> float:
        """A move whose piece is first put somewhere else and then slid to its place, by the same hand."""
        moves, after = self._next()
        if isinstance(moves, Stood) or not moves:
            return self._stood(moves) if isinstance(moves, Stood) else self._made(moves, after)
        before = self._before_last(moves)
        others = [move for move in before.moves() if move != moves[-1] and before.is_seen(move)]
        if not others:
            return self._made(moves, after)
        elsewhere = self._lying(before.play(self._chance.choice(others)))
        return self._made(moves, after, elsewhere, what="slide")

    # --- telling and noting

    def _hand(self, name: str, *arguments: Any, kind: Kind | None = None) -> float:
        """Something that a hand does, and how long it takes."""
        self._tell(name, *arguments)
        if kind:
            self._note(kind, "" if arguments in ((), (None,)) else str(arguments[0]))
        return reaching(len(arguments)) / self.how.pace

    def _event(self, name: Literal["bump", "light"], what: str, seconds: float) -> float:
        """Something that happens without a hand."""
        self._tell(name, what)
        self._note(name, what)
        return seconds / self.how.pace

    def _note(self, kind: Kind, what: str = "", moves: tuple[str, ...] = ()) -> None:
        self.log.append(Entry(len(self.log), kind, what, moves, cast(Visible, dict(self.layout.visible))))
