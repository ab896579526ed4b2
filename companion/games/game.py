"""`Game`: the declaration of a game, from which everything else takes what it needs.

The referee, the page, the lights, the simulated table and the terminal know no game by name. A `Game` declares seats,
dealing, how it begins in front of a camera, how a match is scored, its solver, and its words.
`docs/adding-a-game.md` walks through a whole one.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

from companion.errors import BadInput, Reason
from companion.games.material import Material
from companion.games.opening import Opening
from companion.games.opening import Options as Options  # every game needs these two
from companion.games.opening import Setup as Setup
from companion.games.position import Phrase, Position, Seat

if TYPE_CHECKING:
    from random import Random

    from companion.games.sheet import RuleSheet

M = TypeVar("M")
Language = str


class Option(NamedTuple):
    """A variant that the players agree on before the game. Without choices the game itself checks the value."""

    default: object
    choices: tuple[object, ...] = (False, True)


class Where(StrEnum):
    """The part of a record with the number of players, as its field `players`."""

    FIXED = ""
    OPTIONS = "options"
    SETUP = "setup"


class Seating(NamedTuple):
    """The seats in the order of play, by the number of players."""

    seats: Mapping[int, tuple[Seat, ...]]
    said_in: Where = Where.FIXED

    def number(self, options: Options, setup: Setup) -> int:
        """The number of players that was agreed; else the default, which is the first."""
        agreed = {Where.OPTIONS: options, Where.SETUP: setup}.get(self.said_in, {}).get("players")
        return agreed if type(agreed) is int and agreed in self.seats else next(iter(self.seats))


class Badge(NamedTuple):
    """The sign beside a seat's name."""

    color: str  # in CSS
    shape: Literal["round", "square"] = "round"


class Dealing(StrEnum):
    """When the companion makes a random setup."""

    NEVER = "never"
    NEEDED = "needed"  # always
    PROBLEM = "problem"  # never: the setup is a problem, since a random one can hardly ever be solved
    UNWATCHED = "unwatched"  # without a camera; otherwise the players shuffle
    OFFERED = "offered"  # if the players want it; they may also lay it out themselves


class Counting(StrEnum):
    """What is counted in a match."""

    GAMES = "games"
    POINTS = "points"
    LEGS = "legs"
    MARKS = "marks"


class MatchRules(NamedTuple):
    """How a match of several games is scored."""

    counts: Counting = Counting.GAMES
    multiple: int = 1  # the number of games is a multiple of this, so that everybody has every role
    seats_stay: bool = False  # players keep their seats, and only the first turn rotates
    first_in: str = ""  # if seats stay: the setup field with the seat of the first turn
    fewest_wins: tuple[int, ...] = ()  # with these numbers of players the lowest total wins


class Words(NamedTuple):
    """The texts of a game in one language.

    Sentences are format strings: `{player!t}` is looked up among the terms, `{color!c}` is a color by its letter,
    `{text!j}` is what a person wrote, quoted.
    """

    name: str
    about: str  # one line for the list of games
    seats: Mapping[Seat, str] = {}  # in a sentence: "the mushroom player"
    labels: Mapping[Seat, str] = {}  # beside a name: "Mushrooms"
    now: Mapping[str, str] = {}  # what the player to move must do, by phase
    moves: Mapping[str, str] = {}  # a move, by the code of `Position.describe`
    reasons: Mapping[str, str] = {}  # why a move is illegal, by the code of `Reason`
    endings: Mapping[str, str] = {}  # how the game ended, by `Outcome.why`
    options: Mapping[str, str] = {}  # the labels of options
    choices: Mapping[str, str] = {}  # the labels of option values
    terms: Mapping[str, str] = {}  # other terms in sentences
    pieces: Mapping[
        str, str
    ] = {}  # the kit's pieces by name, as a player would call them: "the L with a hole in its foot"
    bad: Mapping[str, str] = {}  # errors in a setup or a record
    deal: str = ""  # the label of the switch for a random setup, if that is offered
    announcement: str = ""  # the label of the button for a move with an announcement, if there is one


class Rolls(NamedTuple):
    """The squares that a die can reach, and its top there."""

    die: str  # its code before it rolls
    south: int  # the face toward the player
    # by columns to the east and rows to the north: the new top, for the column first and for the row first
    ends: Mapping[tuple[int, int], tuple[int, ...]]


class Game(NamedTuple, Generic[M]):
    """The declaration of a game."""

    id: str
    field: str  # of the kit: seven, faces, tiles or planks
    players: tuple[Seat, ...]  # the players or teams that are scored
    start: Callable[[Options, Setup], Position[M]]  # the first position; the options are validated and complete
    read: Callable[[str], M]  # parses a move, the inverse of str(move); raises UnreadableMove
    words: Mapping[Language, Words]
    pieces: Mapping[str, str] = {}  # on the field seven: the kit's piece for each code
    material: Material = Material()  # the contents of its box besides the board
    rolls: Callable[[], tuple[Rolls, ...]] | None = None  # a table of rolls to print for the players
    options: Mapping[str, Option] = {}
    setup: tuple[str, ...] = ()  # the fields of the setup
    secret: Mapping[str, str] = {}  # setup fields that stay hidden during the game, with the option that hides them
    seating: Seating | None = None  # None: one seat for each of the players
    badges: Mapping[Seat, Badge] = {}
    dealing: Dealing = Dealing.NEVER
    deal: "Callable[[Random, Options, int], dict[str, Any]] | None" = None  # makes a random setup, by number of players
    opening: Opening = Opening()  # how the game begins in front of a camera
    match: MatchRules = MatchRules()
    solitaire: str = ""  # the id of the solitaire that belongs to it
    solver: str = "companion.solvers.general"  # the module with `think(position, budget)`
    inference: str = "companion.referee.turns"  # the module that infers turns from looks
    sheets: str = ""  # the module with `SHEETS`, the rules to read; without it the page shows the other words

    @property
    def seats(self) -> Mapping[int, tuple[Seat, ...]]:
        """The seats in the order of play, by the number of players."""
        return self.seating.seats if self.seating else {len(self.players): self.players}

    @property
    def players_in(self) -> Where:
        """The part of a record with the number of players."""
        return self.seating.said_in if self.seating else Where.FIXED

    @property
    def is_solitaire(self) -> bool:
        return len(self.players) == 1

    def secrets(self, record: Mapping[str, Any]) -> frozenset[str]:
        """The setup fields of a record that must not be shown before the game is over."""
        agreed = self.agreed(record.get("options") or {})
        hidden = {field for field, option in self.secret.items() if not option or agreed.get(option)}
        return frozenset(hidden & (record.get("setup") or {}).keys())

    def agreed(self, options: Options) -> dict[str, Any]:
        """The options with defaults filled in."""
        return {name: option.default for name, option in self.options.items()} | dict(options)

    def number(self, options: Options, setup: Setup) -> int:
        return self.seating.number(options, setup) if self.seating else len(self.players)

    def sheet(self, language: Language) -> "RuleSheet | None":
        """The rules to read, imported only when they are needed."""
        if not self.sheets:
            return None
        told: Mapping[str, Mapping[Language, RuleSheet]] = import_module(self.sheets).SHEETS
        return told[self.id][language]

    def dealt(self, chance: "Random", options: Options, number: int | None = None) -> dict[str, Any]:
        """A random setup; empty if the game has none. `number`: of players, if the options do not say it."""
        agreed = self.agreed(options)
        return self.deal(chance, agreed, number or self.number(agreed, {})) if self.deal else {}


AnyGame = Game[Any]


def wrong_phase(player: Seat | None, now: Phrase) -> Reason:
    """The reason for a move that is not possible in this phase."""
    return Reason("turn", "wrong-phase", {"player": player, "now": now.code, **now.params})


def required(setup: Setup, field: str) -> object:
    """A required field of the setup. BadInput if it is missing."""
    if field not in setup:
        raise BadInput(f"setup.{field}", "missing")
    return setup[field]
