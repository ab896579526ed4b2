"""`Position`: the interface of every game's positions.

A position is an immutable value that knows whose turn it is, the legal moves and their results, why a move is illegal,
where a move happens on the board, and what a camera would see. It is pure: no clock, no files, no random numbers.
`Game`, the declaration that creates positions, is in `companion.games.game`.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar

from companion.errors import Reason

Seat = str  # a player by the name under which he moves or is scored: "white", "A", "square1"
Scores = dict[Seat, float]
M = TypeVar("M")


class PlankSeen(TypedDict):
    colors: str
    tokens: list[str]


class Visible(TypedDict, total=False):
    """What a still picture shows. The keys depend on the game's field."""

    rows: list[list[str]]
    pawns: dict[str, str]
    planks: list[PlankSeen]


class Outcome(NamedTuple):
    """How a game ended. `why` is a message code."""

    winner: Seat | None
    draw: bool
    why: str
    scores: Scores


class Counted(NamedTuple):
    """A part of what decided a game: a group of squares, the side that it counts for, and its points."""

    squares: tuple[str, ...]
    side: Seat | None = None
    points: float = 0


class Piece(NamedTuple):
    """A piece from beside the board: its kind in the kit, and which one it is (`plank` `RBW`, `card` `010011`)."""

    kind: str
    name: str = ""
    model: str = ""  # which one it is, if the name also tells its orientation: a plank either way round
    face: str = ""  # what it shows besides its name: the upper face of a card, the letter on a token


class Trace(NamedTuple):
    """Where a move happens: squares by name, each tuple in the order in which a hand passes them."""

    start: tuple[str, ...] = ()  # the square of the piece that moves
    route: tuple[str, ...] = ()  # the squares that it passes
    turns: tuple[str, ...] = ()  # the squares of the route on which it changes direction
    laid: tuple[str, ...] = ()  # squares that the move adds to the board: those of a plank
    to: tuple[str, ...] = ()  # the target: all squares of the piece
    pieces: tuple[Piece, ...] = ()  # pieces taken from beside the board, or turned up on it
    top: str = ""  # the top of the piece after the move, if it changes
    holes: tuple[str, ...] = ()  # squares of `to` that are visible through the piece
    faces: tuple[str, ...] = ()  # the codes that a camera would see on each square of the route and at the end
    moved: Piece | None = None  # the piece on `start`, to be drawn beside the move

    @property
    def touch(self) -> tuple[str, ...]:
        """The squares to touch to make the move on the page: in this order if it has a start, else in any order."""
        return *self.start, *self.turns, *self.to

    @property
    def shown(self) -> tuple[str, ...]:
        """The squares on which the move is visible afterwards."""
        return *self.start, *self.laid, *self.to


class Phrase(NamedTuple):
    """A text: a code of the game's words, with parameters."""

    code: str
    params: Mapping[str, Hashable] = {}


class Card(NamedTuple):
    """A card on the board: its squares, and the upper face (`b` or `w`)."""

    squares: tuple[str, ...]
    face: str


class Lying(NamedTuple):
    """The pieces of several squares, whose borders `visible` does not show."""

    plates: tuple[tuple[str, ...], ...] = ()
    cards: tuple[Card, ...] = ()  # from the lowest to the topmost


class Position(ABC, Generic[M]):
    """One moment of a game. Equal positions have equal futures."""

    __slots__ = ()

    @property
    @abstractmethod
    def players(self) -> tuple[Seat, ...]:
        """The players or teams that are scored."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of play."""
        return self.players

    def side(self, seat: Seat) -> Seat:
        """The player or team that a seat scores for."""
        return player_of(seat, self.seats, self.players)

    @property
    def side_to_move(self) -> Seat | None:
        return self.side(self.to_move) if self.to_move else None

    @property
    @abstractmethod
    def to_move(self) -> Seat | None:
        """The seat whose turn it is; None if the game is over."""

    @property
    def mid_turn(self) -> bool:
        """Whether the player to move has made a part of his turn already."""
        return False

    @abstractmethod
    def moves(self) -> Iterator[M]:
        """The legal moves, generated lazily; none if the game is over."""

    def count(self) -> int:
        return sum(1 for _ in self.moves())

    @abstractmethod
    def why_not(self, move: M) -> Reason | None:
        """The first rule that a move breaks; None if it is legal."""

    @abstractmethod
    def play(self, move: M) -> "Position[M]":
        """The position after a legal move and after any forced passes."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game goes on."""

    def points(self) -> Scores:
        """The points so far; zeros in games without points."""
        return dict.fromkeys(self.players, 0)

    def final_scores(self, winner: Seat | None) -> Scores:
        """The scores if the game ends now with this winner, or without one."""
        if winner is None:
            return dict.fromkeys(self.players, 0.5 if len(self.players) > 1 else 0)
        return {player: int(player == winner) for player in self.players}

    def scores(self) -> Scores:
        outcome = self.outcome()
        return outcome.scores if outcome else self.points()

    def ended(self, winner: Seat | None, why: str) -> Outcome:
        """The outcome if the game ends now; without a winner it is a draw, except in a solitaire."""
        return Outcome(winner, winner is None and len(self.players) > 1, why, self.final_scores(winner))

    def decided(self) -> tuple[Counted, ...]:
        """What decided a game that is over: the winning line, or each group with its points, in the order of counting.
        Empty if the board does not show it."""
        return ()

    # --- where moves happen, and their words

    @abstractmethod
    def trace(self, move: M) -> Trace:
        """Where a move of this position happens; empty if it is not visible on the board."""

    def describe(self, move: M) -> Phrase:
        """A move of this position in words."""
        return Phrase("move", {"move": str(move)})

    def now(self) -> Phrase | None:
        """What the player to move has to do, by a code of `Words.now`; None: the page only says whose turn it is."""
        return None

    def meant_by(self, squares: tuple[str, ...]) -> Iterable[M]:
        """The moves, legal or not, that touching these squares may mean, to explain why they are illegal. At least
        one."""
        return ()

    def announced(self, move: M) -> M | None:
        """The move with an announcement, if the rules have one; else None."""
        return None

    # --- hidden information

    def is_chance(self, move: M) -> bool:
        """Whether the move is random, such as which card is drawn."""
        return False

    def as_unseen(self, move: M) -> M | None:
        """The notation of the move if nobody saw which one it was; None for moves that everybody sees."""
        return None

    def seen_as(self, move: M, what: str) -> M:
        """A move that nobody saw, with what somebody says it was."""
        return move

    def without_secret(self, move: M) -> str:
        """The move's text without what the player cannot know before, such as the hidden side of a tile."""
        return str(move)

    # --- the pieces on the table

    def lying(self) -> Lying:
        """The pieces of several squares."""
        return Lying()

    def beside(self) -> Mapping[Seat, tuple[Piece, ...]]:
        """The visible pieces beside the board, by owner; those that anybody may take under ""."""
        return {}

    @property
    def first_row(self) -> int:
        """The number of the southernmost row."""
        return 1

    def ways(self) -> Mapping[str, str | None]:
        """The directions open to the piece that moves, each with its target square, or None if that is not legal. Empty
        in games without arrows."""
        return {}

    def between(self, move: M) -> list[Visible]:
        """The views during a move whose parts are made in the natural order."""
        return []

    # --- what a camera sees

    @abstractmethod
    def visible(self) -> Visible:
        """The view of this position in a still picture."""

    def can_show(self, code: str) -> bool:
        """Whether a square can look like this in this game, legally or not."""
        return True

    def steps(self, move: M) -> list[Visible]:
        """The views that may be seen during this move, between the positions before and after it."""
        return []

    def is_seen(self, move: M) -> bool:
        """Whether a camera can see that this move was made."""
        return True

    def future(self) -> Hashable:
        """A key that is equal for positions with the same future, whatever their history."""
        return self

    def stands(self) -> Hashable:
        """A key that is equal for positions that look the same to everybody at the table: they may differ in hidden
        information."""
        return self.future()

    @property
    def puts_freely(self) -> bool:
        """Whether pieces of one square may now be put in any order, so that one look may show several new ones."""
        return False

    def put(self, square: str, code: str) -> M | None:
        """While `puts_freely`: the move that puts the piece with this code on a square."""
        return None

    @abstractmethod
    def explain_illegal(self, seen: Visible) -> Reason:
        """The rule that was broken if this position was changed to what is seen, which no legal move shows."""

    @abstractmethod
    def accept_as_seen(self, seen: Visible, to_move: Seat) -> "Position[M]":
        """The position after an illegal step that was accepted: what is seen, with hidden information taken from this
        position as far as possible.

        Raises BadInput with a field inside `stood` if that is not a possible position, and MoreThanTheKit if there are
        more pieces of a kind than the kit has.
        """


AnyPosition = Position[Any]


class Solitaire(Position[M]):
    """A game for one player. It ends when it is solved or no move is left."""

    __slots__ = ()
    players = ("solver",)

    @property
    def to_move(self) -> Seat | None:
        return None if self.outcome() else "solver"

    @property
    @abstractmethod
    def solved(self) -> bool: ...

    def outcome(self) -> Outcome | None:
        if self.solved:
            return self.ended("solver", "solved")
        return None if any(self.moves()) else self.ended(None, "stuck")


def player_of(seat: Seat, seats: tuple[Seat, ...], players: tuple[Seat, ...]) -> Seat:
    """The player or team that a seat scores for: partners sit across."""
    return seat if seat in players else players[seats.index(seat) % len(players)]


def perft(position: AnyPosition, depth: int, known: dict[tuple[AnyPosition, int], int] | None = None) -> int:
    """The number of move sequences of exactly `depth` moves. `known`: a transposition table."""
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
