"""The player at the simulated table: he plays by himself, by a record or on command, and makes trouble on request.

He sends the stage what to show, and logs what he really did, for comparison with the referee's verdicts.
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

MAX_MOVES = 200  # in a game that nobody wins
TIRED = 90  # moves after which the players are less careful, so that games end
THINKING = 1.6  # seconds between two actions, at pace 1
LOST = 4.0  # seconds without a camera

Send = Callable[..., None]  # takes the name of a method of the stage and its arguments, as `Camera.tell`
Kind = Literal[
    "start", "move", "half", "illegal", "back", "stood", "reach", "bump", "light", "cover", "uncover", "lost"
]


class LoggedAction(NamedTuple):
    """An action of the player, and what can be seen after it."""

    step: int  # numbers the actions
    kind: Kind
    what: str  # details: which bump, which light, which cheat
    moves: tuple[str, ...]
    visible: Visible


class SimulatedPlayer:
    """Plays a game on a stage. Each call of `act` does one action and returns how long it takes."""

    def __init__(
        self,
        send: Send,
        record: Record,
        simulation: Simulation | None = None,
        script: Iterable[str | Stood] = (),
        position: AnyPosition | None = None,
    ) -> None:
        """`record`: the start of the game; `script`: the moves to play, without them he plays by himself."""
        self.game = record.game
        self.simulation = simulation or Simulation(record.game.id)
        self._send = send
        self._chance = Random(self.simulation.seed)
        self._script = list(script)
        self._scripted = bool(self._script)
        self.position: AnyPosition = position or record.start
        self.layout = self._lying(self.position)
        self.log: list[LoggedAction] = []
        self._before_cheat: Layout | None = None  # the layout to restore after a cheat
        self._half: tuple[list[Any], AnyPosition] | None = None  # a half-made turn, and the position after it
        self._covered = 0  # actions until a covered marker is uncovered
        self._light = "usual"
        self._due = 0.0

    @property
    def over(self) -> bool:
        """No more moves will be played."""
        if self._before_cheat or self._half:
            return False
        ended = self.position.outcome() is not None or self._count >= MAX_MOVES
        return not self._script if self._scripted else ended

    @property
    def is_legal(self) -> bool:
        """Whether the layout is legal; half-made turns are."""
        return self._before_cheat is None

    @property
    def _count(self) -> int:
        return sum(len(entry.moves) for entry in self.log)

    def begin(self) -> None:
        """Show the first position."""
        self._send("show", self.layout)
        self._record("start")

    def tick(self, now: float) -> None:
        """Do the next action if it is due. Call it as often as you like, with any clock."""
        if not self.log:
            self.begin()
            self._due = now + THINKING / self.simulation.pace
        elif now >= self._due and not self.over:
            seconds = self.act()
            self._due = now + seconds + self._chance.uniform(0.8, 1.3) * THINKING / self.simulation.pace

    def act(self) -> float:
        """Do the next action: undo a cheat, finish a half-made turn, make trouble, or move. Returns its duration."""
        if self._before_cheat:
            return self.put_back()
        if self._half:
            return self._finish()
        if self._covered:
            self._covered -= 1
            if not self._covered:
                return self._hand("cover", None, kind="uncover")
        kinds = [kind for kind in self.simulation.trouble if kind != "cover" or not self._covered]
        if kinds and self._chance.random() < 0.4:
            return self.misbehave(self._chance.choice(kinds))
        return self.move()

    # --- moves

    def move(self) -> float:
        """Make the next visible move, with the invisible ones before it, by the script or by himself."""
        moves, after = self._next()
        if isinstance(moves, Stood):
            return self._stood(moves)
        return self._make(moves, after, *self._parts(moves))

    def play(self, text: str) -> float:
        """Make this move. BadInput if it is illegal, UnreadableMove if the text is not a move."""
        move = self._legal(text, self.position)
        return self._make([move], self.position.play(move), *self._parts([move]))

    def follow(self, position: AnyPosition) -> None:
        """Set up a position that persons decided on. The script is dropped."""
        self._before_cheat, self._half = None, None
        self._script.clear()
        self.position, self.layout = position, self._lying(position)
        self._record("stood", "as persons decided")
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
            text = say_reason(reason, language_of())
            raise BadInput("", "illegal-move", move=text, rule=reason.rule, reason=text)
        return move

    def _next(self) -> tuple[list[Any] | Stood, AnyPosition]:
        """The moves up to the next visible one, and the position after them."""
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

    def _make(self, moves: list[Any], after: AnyPosition, *between: Layout, what: str = "") -> float:
        seen = after.visible() != self.layout.visible
        self.position, self.layout = after, self._lying(after)
        self._record("move", what, tuple(map(str, moves)))
        return self._hand("move", *between, self.layout) if seen or between else 0.0

    def _stood(self, entry: Stood) -> float:
        self.position = self.position.accept_as_seen(entry.seen, entry.to_move)
        self.layout = self._lying(self.position)
        self._record("stood", entry.note)
        return self._hand("move", self.layout)

    # --- trouble

    def misbehave(self, kind: Trouble) -> float:
        """Make one kind of trouble, or a move if that is not possible now."""
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
        self._send("lose", LOST / self.simulation.pace)
        self._record("lost")
        return LOST / self.simulation.pace

    def cheat(self) -> float:
        """Make an illegal layout, to be undone later. Returns 0 if there is none."""
        if self.position.outcome() is not None:
            return 0.0
        before = {key_of(entry.visible) for entry in self.log}
        found = next(illegal_layouts(self.position, self.layout, self._chance, before), None)
        if not found:
            return 0.0
        self._before_cheat, (what, self.layout) = self.layout, found
        self._record("illegal", what)
        return self._hand("move", self.layout)

    def put_back(self) -> float:
        """Restore the layout before the cheat."""
        assert self._before_cheat is not None
        self.layout, self._before_cheat = self._before_cheat, None
        self._record("back")
        return self._hand("move", self.layout)

    def _begin_half(self) -> float:
        """Make the first part of a turn; a whole one in games whose moves have no parts."""
        moves, after = self._next()
        if isinstance(moves, Stood):
            return self._stood(moves)
        before = self._before_last(moves)
        halves = steps_of(before, moves[-1], self.layout) if moves else []
        if not halves:
            return self._make(moves, after)
        self._half = (moves, after)
        self.layout = self._chance.choice(halves)
        self._record("half")
        return self._hand("move", self.layout)

    def _finish(self) -> float:
        assert self._half is not None
        (moves, after), self._half = self._half, None
        return self._make(moves, after)

    def _slide(self) -> float:
        """Make a move whose piece is first put on another square and then slid to its place."""
        moves, after = self._next()
        if isinstance(moves, Stood) or not moves:
            return self._stood(moves) if isinstance(moves, Stood) else self._make(moves, after)
        before = self._before_last(moves)
        others = [move for move in before.moves() if move != moves[-1] and before.is_seen(move)]
        if not others:
            return self._make(moves, after)
        elsewhere = self._lying(before.play(self._chance.choice(others)))
        return self._make(moves, after, elsewhere, what="slide")

    # --- the stage and the log

    def _hand(self, name: str, *arguments: Any, kind: Kind | None = None) -> float:
        """Let a hand do something. Returns how long it takes."""
        self._send(name, *arguments)
        if kind:
            self._record(kind, "" if arguments in ((), (None,)) else str(arguments[0]))
        return reaching(len(arguments)) / self.simulation.pace

    def _event(self, name: Literal["bump", "light"], what: str, seconds: float) -> float:
        """Let something happen without a hand. Returns how long it takes."""
        self._send(name, what)
        self._record(name, what)
        return seconds / self.simulation.pace

    def _record(self, kind: Kind, what: str = "", moves: tuple[str, ...] = ()) -> None:
        self.log.append(LoggedAction(len(self.log), kind, what, moves, cast(Visible, dict(self.layout.visible))))
