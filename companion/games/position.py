"""The interface behind which every game's positions stand.

A **position** is an immutable value that knows whose turn it is, what may be played, what that leads to, why something
may not be played, where a move happens on the board, and what a camera would see. Rules only: no clock, no files, no
chance of its own. `Game`, the declaration that makes positions, is in `companion.games.game`.
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
    """What a still picture shows; which keys there are depends on the game's field."""

    rows: list[list[str]]
    pawns: dict[str, str]
    planks: list[PlankSeen]


class Outcome(NamedTuple):
    """How a game ended. `why` is a code of the message catalogues."""

    winner: Seat | None
    draw: bool
    why: str
    scores: Scores


class Counted(NamedTuple):
    """A part of what decided a game: squares that belong together, for whom they count, and how much."""

    squares: tuple[str, ...]
    side: Seat | None = None
    points: float = 0


class Piece(NamedTuple):
    """Something taken from beside the board: what it is in the kit, and which one (`plank` `RBW`, `card` `010011`)."""

    kind: str
    name: str = ""
    model: str = ""  # which one it is, where the name also tells how it lies: a plank either way round
    face: str = ""  # what it shows beyond its name: the face of a card that is up, the letter on a token


class Trace(NamedTuple):
    """Where a move happens: squares by name, each tuple in the order in which hands pass them."""

    start: tuple[str, ...] = ()  # where the piece that moves stood
    route: tuple[str, ...] = ()  # the squares it passes
    turns: tuple[str, ...] = ()  # those of them on which it turns aside
    laid: tuple[str, ...] = ()  # squares that come to lie on the table with this move: a plank's
    to: tuple[str, ...] = ()  # where it ends: every square of the piece
    pieces: tuple[Piece, ...] = ()  # what is taken from beside the board, or turned up on it
    top: str = ""  # what the piece shows on top when it has arrived, where that changes
    holes: tuple[str, ...] = ()  # those of `to` that are seen through the piece
    faces: tuple[str, ...] = ()  # what a camera would see of the piece on each square of its route and at its end
    moved: Piece | None = None  # what goes from `start`, as it showed there: to be drawn beside the move's words

    @property
    def touch(self) -> tuple[str, ...]:
        """The squares that a person touches to make the move: in this order if it has a start, else in any order."""
        return *self.start, *self.turns, *self.to

    @property
    def shown(self) -> tuple[str, ...]:
        """Where one sees afterwards that the move was made."""
        return *self.start, *self.laid, *self.to


class Phrase(NamedTuple):
    """Something in words: a code of the game's own words, with parameters."""

    code: str
    params: Mapping[str, Hashable] = {}


class Card(NamedTuple):
    """A card that lies on the board: its squares, and whose face is up (`b` or `w`)."""

    squares: tuple[str, ...]
    face: str


class Lying(NamedTuple):
    """Pieces of several squares, which a picture alone cannot tell apart."""

    plates: tuple[tuple[str, ...], ...] = ()
    cards: tuple[Card, ...] = ()  # from the lowest to the topmost


class Position(ABC, Generic[M]):
    """One moment of a game. Equal positions have equal futures."""

    __slots__ = ()

    @property
    @abstractmethod
    def players(self) -> tuple[Seat, ...]:
        """Those who are scored."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Those who move, in the order of play."""
        return self.players

    def side(self, seat: Seat) -> Seat:
        """Under which name a seat is scored: that of its team, where several move for one."""
        return player_of(seat, self.seats, self.players)

    @property
    def side_to_move(self) -> Seat | None:
        return self.side(self.to_move) if self.to_move else None

    @property
    @abstractmethod
    def to_move(self) -> Seat | None:
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
    def play(self, move: M) -> "Position[M]":
        """The position after a legal move, forced passes included."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""

    def points(self) -> Scores:
        """The points as they stand; nothing in games without points."""
        return dict.fromkeys(self.players, 0)

    def final_scores(self, winner: Seat | None) -> Scores:
        """The scores if the game ends now, won by `winner` or by nobody."""
        if winner is None:
            return dict.fromkeys(self.players, 0.5 if len(self.players) > 1 else 0)
        return {player: int(player == winner) for player in self.players}

    def scores(self) -> Scores:
        outcome = self.outcome()
        return outcome.scores if outcome else self.points()

    def ended(self, winner: Seat | None, why: str) -> Outcome:
        """The outcome if the game ends now; with several players and no winner it is a draw."""
        return Outcome(winner, winner is None and len(self.players) > 1, why, self.final_scores(winner))

    def decided(self) -> tuple[Counted, ...]:
        """What decided a game that is over, in the order in which it is counted out: the line that won, or each group
        with its points. Nothing where the board alone does not show it."""
        return ()

    # --- where moves happen, and how they are told

    @abstractmethod
    def trace(self, move: M) -> Trace:
        """Where a move of this position happens. What shows nowhere on the board leaves no trace."""

    def describe(self, move: M) -> Phrase:
        """A move of this position in words."""
        return Phrase("move", {"move": str(move)})

    def now(self) -> Phrase | None:
        """What the player to move has to do, by a code of the game's words for `now`; None: only whose turn it is."""
        return None

    def meant_by(self, squares: tuple[str, ...]) -> Iterable[M]:
        """The moves, legal or not, that a person may mean who touches these squares, at least one: so that it can be
        said why not."""
        return ()

    def announced(self, move: M) -> M | None:
        """The same move with an announcement that the rules know; None where there is nothing to announce."""
        return None

    # --- what not everybody sees

    def is_chance(self, move: M) -> bool:
        """Whether chance decides on this move, not the player: which card is drawn."""
        return False

    def as_unseen(self, move: M) -> M | None:
        """The move as it is written where nobody saw what it was; None for moves that everybody sees."""
        return None

    def seen_as(self, move: M, what: str) -> M:
        """A move that nobody saw, now that somebody says what it was."""
        return move

    def without_secret(self, move: M) -> str:
        """The move's text without what its maker cannot know before: what lies under a tile."""
        return str(move)

    # --- what lies on the table

    def lying(self) -> Lying:
        """The pieces of several squares."""
        return Lying()

    def beside(self) -> Mapping[Seat, tuple[Piece, ...]]:
        """What lies beside the board for everybody to see, by whose it is; what anybody may take under ""."""
        return {}

    @property
    def first_row(self) -> int:
        """The number of the southernmost row."""
        return 1

    def ways(self) -> Mapping[str, str | None]:
        """The directions open to the one who moves, each with the square it leads to if he may go there; nothing in
        games that know no arrows."""
        return {}

    def between(self, move: M) -> list[Visible]:
        """What a hand leaves on the board while it makes a move in the natural order."""
        return []

    # --- what a camera sees

    @abstractmethod
    def visible(self) -> Visible:
        """What a still picture of this position shows."""

    def can_show(self, code: str) -> bool:
        """Whether a square can look like this at all in this game, played legally or not."""
        return True

    def steps(self, move: M) -> list[Visible]:
        """What can be seen while hands make this move, between the position before and the one after."""
        return []

    def is_seen(self, move: M) -> bool:
        """Whether a camera can see that this move was made."""
        return True

    def future(self) -> Hashable:
        """What decides how the game goes on: the same for positions that differ only in how they came about."""
        return self

    def stands(self) -> Hashable:
        """What everybody at the table sees of it: the same for positions that differ only in what may come to light
        later, if at all."""
        return self.future()

    @property
    def puts_freely(self) -> bool:
        """Whether pieces of one square are put now in any order, so that hands may put several of them at one go."""
        return False

    def put(self, square: str, code: str) -> M | None:
        """While pieces are put freely: the move that puts what shows as `code` on this square."""
        return None

    @abstractmethod
    def explain_illegal(self, seen: Visible) -> Reason:
        """The rule that hands broke when they made of this position what is seen, and what no legal move shows."""

    @abstractmethod
    def accept_as_seen(self, seen: Visible, to_move: Seat) -> "Position[M]":
        """The position after an illegal step that was accepted: what is seen, explained by what was there as far as
        that is possible.

        Raises BadInput with a field inside `stood` when this cannot be: MoreThanTheKit when there are more pieces of a
        kind than the kit has.
        """


AnyPosition = Position[Any]  # where it does not matter of which game


class Solitaire(Position[M]):
    """A game for one: solved, or over when no move is left."""

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
    """Under whose name a seat is scored: partners, who sit across, share one."""
    return seat if seat in players else players[seats.index(seat) % len(players)]


def perft(position: AnyPosition, depth: int, known: dict[tuple[AnyPosition, int], int] | None = None) -> int:
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
