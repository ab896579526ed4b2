"""The one interface behind which all games stand.

A **game** makes positions; a **position** is an immutable value that knows whose turn it is, what may be played,
what that leads to, why something may not be played, and what a camera would see. Rules only: no clock, no files,
no chance of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypedDict, TypeVar

Player = str
Scores = dict[Player, float]


class Clues(Protocol):
    """What a look tells those who search for the moves behind it."""

    @property
    def may(self) -> Mapping[str, frozenset[str]]:
        """Per square the codes that are not ruled out; empty for planks, whose row has no fixed place."""

    def whole(self, squares: tuple[str, ...]) -> float:
        """How badly what shows on these squares lies as one piece would: a cost, as a logarithm."""


M = TypeVar("M")


class PlankSeen(TypedDict):
    colors: str
    tokens: list[str]


class Visible(TypedDict, total=False):
    """What a still picture shows; which keys there are depends on the game's field."""

    rows: list[list[str]]
    pawns: dict[str, str]
    planks: list[PlankSeen]


class Reason(NamedTuple):
    """Why a move is refused: the rule's number, and a code with parameters for the message catalogues."""

    rule: str
    code: str
    params: Mapping[str, object]


class Outcome(NamedTuple):
    """How a game ended. `why` is a code of the message catalogues."""

    winner: Player | None
    draw: bool
    why: str
    scores: Scores


class CannotBeRead(Exception):
    """Text that is no move of this game."""

    def __init__(self, code: str = "unreadable", **params: object) -> None:
        super().__init__(code)
        self.reason = Reason("format", code, params)


class BadInput(Exception):
    """A set-up, option, record or file that cannot be; `field` says where, the code says what."""

    def __init__(self, field: str, code: str, /, **params: object) -> None:
        super().__init__(f"{field}: {code}")
        self.field, self.code, self.params = field, code, params


class Option(NamedTuple):
    """A choice the players agree on before the game. No choices: the game itself checks the value."""

    default: object
    choices: tuple[object, ...] = (False, True)


class Position(ABC, Generic[M]):
    """One moment of a game. Equal positions have equal futures."""

    __slots__ = ()

    @property
    @abstractmethod
    def players(self) -> tuple[Player, ...]:
        """Those who are scored."""

    @property
    def seats(self) -> tuple[Player, ...]:
        """Those who move, in the order of play."""
        return self.players

    @property
    @abstractmethod
    def to_move(self) -> Player | None:
        """Whose turn it is; None when the game is over."""

    @property
    def mid_turn(self) -> bool:
        """True when the player to move has made part of his turn already."""
        return False

    @abstractmethod
    def moves(self) -> Iterator[M]:
        """The legal moves, found as they are asked for; none when the game is over."""

    def count(self) -> int:
        return sum(1 for _ in self.moves())

    @abstractmethod
    def why_not(self, move: M) -> Reason | None:
        """None if the move is legal, else the first rule that it breaks."""

    @abstractmethod
    def play(self, move: M) -> Position[M]:
        """The position after a legal move, forced passes included."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""

    def points(self) -> Scores:
        """The points as they stand; nothing in games without points."""
        return dict.fromkeys(self.players, 0)

    def final_scores(self, winner: Player | None) -> Scores:
        """The scores if the game ends now, won by `winner` or by nobody."""
        if winner is None:
            return dict.fromkeys(self.players, 0.5 if len(self.players) > 1 else 0)
        return {player: int(player == winner) for player in self.players}

    def scores(self) -> Scores:
        outcome = self.outcome()
        return outcome.scores if outcome else self.points()

    def ended(self, winner: Player | None, why: str) -> Outcome:
        """The outcome if the game ends now; with several players and no winner it is a draw."""
        return Outcome(winner, winner is None and len(self.players) > 1, why, self.final_scores(winner))

    @abstractmethod
    def visible(self) -> Visible:
        """What a still picture of this position shows."""

    def can_show(self, code: str) -> bool:
        """Whether a square can look like this at all in this game, played legally or not."""
        return True

    def steps(self, move: M) -> list[Visible]:
        """What can be seen while hands make this move, between the position before and the one after."""
        return []

    def plays(self, clues: Clues) -> Iterator[tuple[M, ...]]:
        """What hands may have done since this position: at least all that leads to a picture the clues allow.

        Mostly one move; several where they are made at one go, or where some of them cannot be seen.
        """
        return ((move,) for move in self.moves())

    def is_seen(self, move: M) -> bool:
        """Whether a camera can see that this move was made."""
        return True

    def wholes(self) -> list[tuple[str, ...]]:
        """The squares that one and the same piece shows on, where pieces lie askew enough to be told apart by it."""
        return []

    @abstractmethod
    def blame(self, seen: Visible) -> Reason:
        """The rule that is broken if hands made this, which no legal move shows, of the position."""

    @abstractmethod
    def stand(self, seen: Visible, to_move: Player) -> Position[M]:
        """The position after an illegal step that stood: what is seen, as far as possible explained by what was.

        Raises BadInput with a field inside `stood` when the kit cannot show this.
        """


class Solitaire(Position[M]):
    """A game for one: solved, or over when no move is left."""

    __slots__ = ()
    players = ("solver",)

    @property
    def to_move(self) -> Player | None:
        return None if self.outcome() else "solver"

    @property
    @abstractmethod
    def solved(self) -> bool: ...

    def outcome(self) -> Outcome | None:
        if self.solved:
            return self.ended("solver", "solved")
        return None if any(self.moves()) else self.ended(None, "stuck")


class Game(NamedTuple, Generic[M]):
    """A game as the rest of the companion meets it: its name, its options, its start, its way of writing moves."""

    id: str
    field: str  # the field of the kit it is played on
    roles: tuple[Player, ...]  # all who may be scored
    start: Callable[[Mapping[str, Any], Mapping[str, Any]], Position[M]]  # from checked options and the set-up
    read: Callable[[str], M]  # text to move; str(move) is the way back
    options: Mapping[str, Option] = {}
    setup: tuple[str, ...] = ()  # the set-up's fields
    adds_up: str = "games"  # what a match counts: games won, points, legs or marks


def perft(position: Position[Any], depth: int, known: dict[Any, int] | None = None) -> int:
    """The number of move sequences of exactly `depth` moves; `known` remembers positions met by another order."""
    if depth == 0:
        return 1
    if depth == 1:
        return position.count()
    if known is None:
        return sum(perft(position.play(move), depth - 1) for move in position.moves())
    key = (position, depth)
    if key not in known:
        known[key] = sum(perft(position.play(move), depth - 1, known) for move in position.moves())
    return known[key]


def required(setup: Mapping[str, Any], field: str) -> Any:
    if field not in setup:
        raise BadInput(f"setup.{field}", "missing")
    return setup[field]
