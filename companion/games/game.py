"""What a game is: one declaration, from which everything else takes what it needs.

The referee, the page, the lights, the simulated table and the terminal know no game by name. They ask its `Game`: who
sits where, what is dealt, how it begins with what a camera sees, how a match adds up, which solver thinks for it, and
how all of it is put into words. `docs/adding-a-game.md` walks through a whole one.
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
    """A choice the players agree on before the game. No choices: the game itself checks the value."""

    default: object
    choices: tuple[object, ...] = (False, True)


class Where(StrEnum):
    """Where a record says how many play, under `players`."""

    FIXED = ""
    OPTIONS = "options"
    SETUP = "setup"


class Seating(NamedTuple):
    """Who moves, in the order of play, by how many play."""

    seats: Mapping[int, tuple[Seat, ...]]
    said_in: Where = Where.FIXED

    def number(self, options: Options, setup: Setup) -> int:
        """How many play by what was agreed; the usual number where nothing was."""
        agreed = {Where.OPTIONS: options, Where.SETUP: setup}.get(self.said_in, {}).get("players")
        return agreed if type(agreed) is int and agreed in self.seats else next(iter(self.seats))


class Badge(NamedTuple):
    """How a seat is shown beside its name."""

    color: str  # as CSS writes it
    shape: Literal["round", "square"] = "round"


class Dealing(StrEnum):
    """When chance makes the set-up."""

    NEVER = "never"
    NEEDED = "needed"  # the game cannot begin before something is dealt
    PROBLEM = "problem"  # somebody sets a problem, or lays one out; by chance it can hardly ever be solved
    UNWATCHED = "unwatched"  # hands shuffle; only where no camera watches them the companion deals
    OFFERED = "offered"  # the players may lay it out themselves, or have it dealt


class Counting(StrEnum):
    """What a match counts."""

    GAMES = "games"
    POINTS = "points"
    LEGS = "legs"
    MARKS = "marks"


class MatchRules(NamedTuple):
    """What several games add up to."""

    counts: Counting = Counting.GAMES
    multiple: int = 1  # a match has a multiple of so many games, so that everybody has every role
    seats_stay: bool = False  # who sits where stays; only the first turn passes on
    first_in: str = ""  # the field of the set-up that says whose the first turn is, where seats stay
    fewest_wins: tuple[int, ...] = ()  # with so many players what is counted is bad


class Words(NamedTuple):
    """How a game is put into words in one language.

    Sentences are format strings: `{player!t}` is looked up among the terms, `{color!c}` is a color by its letter,
    `{text!j}` is what a person wrote, quoted.
    """

    name: str
    about: str  # a line for those who choose a game
    seats: Mapping[Seat, str] = {}  # in a sentence: "the mushroom player"
    labels: Mapping[Seat, str] = {}  # beside a name: "Mushrooms"
    now: Mapping[str, str] = {}  # what the player to move must do, by phase
    moves: Mapping[str, str] = {}  # a move, by the code of `Position.describe`
    reasons: Mapping[str, str] = {}  # why a move is refused, by the code of `Reason`
    endings: Mapping[str, str] = {}  # how the game ended, by `Outcome.why`
    options: Mapping[str, str] = {}  # what is agreed before the game
    choices: Mapping[str, str] = {}  # the values of options
    terms: Mapping[str, str] = {}  # all else that sentences mention
    pieces: Mapping[
        str, str
    ] = {}  # the kit's pieces by name, as a player would call them: "the L with a hole in its foot"
    bad: Mapping[str, str] = {}  # what is wrong with a set-up or a record
    deal: str = ""  # the switch by which chance makes the set-up, where that is offered
    announcement: str = ""  # the button of a move with an announcement, where there is one


class Rolls(NamedTuple):
    """Where one die goes from a square, and what it shows on top when it gets there."""

    die: str  # as it is seen before it rolls
    south: int  # the face toward the player
    # by columns to the east and rows to the north: the new top, by way of the column first and by way of the row first
    ends: Mapping[tuple[int, int], tuple[int, ...]]


class Game(NamedTuple, Generic[M]):
    """A game as the rest of the companion meets it."""

    id: str
    field: str  # the field of the kit it is played on: seven, faces, tiles or planks
    players: tuple[Seat, ...]  # all who may be scored
    start: Callable[[Options, Setup], Position[M]]  # with every option of the game, checked
    read: Callable[[str], M]  # text to move; str(move) is the way back. Raises UnreadableMove
    words: Mapping[Language, Words]
    pieces: Mapping[str, str] = {}  # seven field: which of the kit's pieces each code shows
    material: Material = Material()  # what its box holds besides the board
    rolls: Callable[[], tuple[Rolls, ...]] | None = None  # a table for players, where pieces change as they move
    options: Mapping[str, Option] = {}
    setup: tuple[str, ...] = ()  # the set-up's fields
    secret: Mapping[str, str] = {}  # those that nobody knows while it is played, with the option that makes them so
    seating: Seating | None = None  # None: the players, always
    badges: Mapping[Seat, Badge] = {}
    dealing: Dealing = Dealing.NEVER
    deal: "Callable[[Random, Options, int], dict[str, Any]] | None" = None  # a set-up for so many players
    opening: Opening = Opening()  # how the game begins with what a camera sees
    match: MatchRules = MatchRules()
    solitaire: str = ""  # the id of the game for one that goes with it, if it has one
    solver: str = "companion.solvers.general"  # the module that thinks: `think(position, budget)`
    inference: str = "companion.referee.turns"  # the module that finds the turns behind a look
    sheets: str = ""  # the module whose `SHEETS` tell the rules; without one the page shows what the words tell

    @property
    def seats(self) -> Mapping[int, tuple[Seat, ...]]:
        """Who moves, in the order of play, by how many play."""
        return self.seating.seats if self.seating else {len(self.players): self.players}

    @property
    def players_in(self) -> Where:
        """Where a record says how many play."""
        return self.seating.said_in if self.seating else Where.FIXED

    @property
    def is_solitaire(self) -> bool:
        return len(self.players) == 1

    def secrets(self, record: Mapping[str, Any]) -> frozenset[str]:
        """The fields of a record's set-up that are not to be shown before its game is over."""
        agreed = self.agreed(record.get("options") or {})
        hidden = {field for field, option in self.secret.items() if not option or agreed.get(option)}
        return frozenset(hidden & (record.get("setup") or {}).keys())

    def agreed(self, options: Options) -> dict[str, Any]:
        """The options as they hold: those given, the usual ones where nothing was said."""
        return {name: option.default for name, option in self.options.items()} | dict(options)

    def number(self, options: Options, setup: Setup) -> int:
        return self.seating.number(options, setup) if self.seating else len(self.players)

    def sheet(self, language: Language) -> "RuleSheet | None":
        """The rules, to be read; loaded only where somebody reads them."""
        if not self.sheets:
            return None
        told: Mapping[str, Mapping[Language, RuleSheet]] = import_module(self.sheets).SHEETS
        return told[self.id][language]

    def dealt(self, chance: "Random", options: Options, number: int | None = None) -> dict[str, Any]:
        """A set-up by chance; nothing where there is nothing to deal. `number`: how many play, if it is not agreed."""
        agreed = self.agreed(options)
        return self.deal(chance, agreed, number or self.number(agreed, {})) if self.deal else {}


AnyGame = Game[Any]  # where it does not matter which


def wrong_phase(player: Seat | None, now: Phrase) -> Reason:
    """Something else has to be done first."""
    return Reason("turn", "wrong-phase", {"player": player, "now": now.code, **now.params})


def required(setup: Setup, field: str) -> object:
    """A field of the set-up without which the game cannot begin."""
    if field not in setup:
        raise BadInput(f"setup.{field}", "missing")
    return setup[field]
