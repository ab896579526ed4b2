"""The table at one moment: one immutable value, made by the host and shown to everybody else."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from companion.events import PlayingTime
from companion.games.game import AnyGame
from companion.games.match import Match
from companion.games.position import AnyPosition, Outcome, Seat, Visible
from companion.leds.doctor import Diagnosis
from companion.leds.link import LedSettings
from companion.leds.link import State as LinkState
from companion.leds.picture import Cell, Light
from companion.leds.wiring import Wiring
from companion.referee import Verdict
from companion.sealing import Head
from companion.solvers.hint import Hint
from companion.store import Keeping
from companion.table.clocks import ShownClock
from companion.table.table import NOTHING_NEW, Question
from companion.table.wiring_guide import GuideState
from vision.errors import UnreadablePicture

NO_CAMERA = "none"  # as a source


class CameraState(NamedTuple):
    """How the camera fares."""

    source: str = NO_CAMERA
    state: str = ""  # "" without a camera
    why: str = ""  # it is lost: a code of the message catalogues
    since: float = 0.0  # by the wall's clock
    trouble: UnreadablePicture | None = None  # why a board at rest cannot be read
    mirrored: bool = False  # its pictures are turned back before they are read
    by_lines: bool = False  # the board has no markers, and was found by its lines


class LightsState(NamedTuple):
    """How the LEDs' board fares, and what they are to show."""

    state: LinkState
    lights: Mapping[Cell, Light]
    layout: Wiring
    wanted: LedSettings
    lit: bool = True  # False: somebody switched them off
    walking: int | None = None  # the LED of the wire that is lit alone
    guide: GuideState | None = None  # while it is found out how they are wired
    examined: Diagnosis | LinkState | None = None  # what the last checkup of the board found, or why there was none


class Hints(NamedTuple):
    """Whether hints are wanted, and whether only the referee may say so."""

    on: bool = False
    locked: bool = False


class HallState(NamedTuple):
    """How a table fares in its hall."""

    reached: bool = False  # it answers
    have: int = 0  # up to which event it has the log
    called: bool = False  # the referee is wanted
    waiting: str | None = None  # why the game that the hall wants cannot begin yet: a code of the message catalogues
    refused: bool = False  # the hall takes nothing more of this log
    far: tuple[Seat, ...] = ()  # seats of this game that are played at another table


class InMatch(NamedTuple):
    """The match that a game belongs to, as it stands, and which of its games this is, from 0."""

    match: Match
    number: int


class Solvable(StrEnum):
    """Whether a position can still be solved."""

    ASKED = "asked"  # it is being looked for
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"  # not found out in the time that there was


class SolitaireState(NamedTuple):
    """How a solver fares."""

    time: PlayingTime
    hints: int
    given: int  # moves that belong to the problem
    solvable: Solvable | None = None  # None: nobody asked
    goes_back: bool = False  # the last good move is being looked for


class Reply(NamedTuple):
    """The computer's last move: which of the game's moves it was, and what was thought of it before."""

    ply: int
    move: str
    hint: Hint | None


class TableState(NamedTuple):
    """Nothing in it is ever changed."""

    changes: int  # counts the states
    event: int  # the number of the log's last event
    number: int | None = None  # of the game in the log; None: no game has begun, and there is nothing of what follows
    game: AnyGame | None = None
    record: Mapping[str, Any] = {}
    positions: tuple[AnyPosition, ...] = ()
    outcome: Outcome | None = None
    verdict: Verdict = NOTHING_NEW
    seen: Visible | None = None
    question: Question | None = None  # the one that stands
    unsaid: tuple[Question, ...] = ()  # what nobody saw and anybody may fill in
    camera: CameraState = CameraState()
    keeping: Keeping = Keeping()  # whether what happened is on disk
    head: Head | None = None  # the newest that was signed of the log
    paused: bool = False
    clock: ShownClock | None = None
    lights: LightsState | None = None
    hint: str | None = None  # a move of this very position
    hints: Hints = Hints()
    analysis: Hint | None = None  # what is thought of this position, while hints are on
    computer: Mapping[Seat, int] = {}  # the seats that the computer plays, with its level
    hall: HallState | None = None  # None: the table is alone
    match: InMatch | None = None
    solitaire: SolitaireState | None = None
    reply: Reply | None = None

    @property
    def position(self) -> AnyPosition:
        return self.positions[-1]
