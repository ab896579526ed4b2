"""The request bodies and queries of the hall's API, as types."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from companion.hall.tournament import System
from web.inputs import Clock, GameId, Name, Whole
from web.schema import About, Between, Items, MaxLength

Text = Annotated[str, MaxLength(80)]
Long = Annotated[str, MaxLength(500)]
Points = Annotated[float, Between(0, 1)]
MOST_PLAYERS = 2000


class Login(NamedTuple):
    pin: Annotated[str, MaxLength(80)]


class Named(NamedTuple):
    name: Text


class NewPerson(NamedTuple):
    name: Text
    role: Literal["viewer", "referee", "arbiter"]
    pin: Annotated[str, MaxLength(80)] | None = None


class OfPerson(NamedTuple):
    person: Whole


class OfTable(NamedTuple):
    table: Whole


class OfTournament(NamedTuple):
    tournament: Whole


class NewTournament(NamedTuple):
    name: Text
    game: GameId
    system: System
    rounds: Annotated[int, Between(0, 99)] = 0
    seats: Annotated[int, Between(0, 4)] = 0
    games: Annotated[int, Between(0, 99)] = 0
    options: dict[str, Any] | None = None
    clock: Clock | None = None
    tie_breaks: Annotated[list[Name], Items(0, 10)] | None = None
    late: Points = 0


class BreakingTies(NamedTuple):
    tournament: Whole
    tie_breaks: Annotated[list[Name], Items(1, 10)]
    reason: Long = ""


class Entering(NamedTuple):
    """A player, or two as a team. An unknown name becomes a new player."""

    tournament: Whole
    names: Annotated[list[Text], Items(1, 2)]
    club: Text = ""
    rating: Annotated[float, Between(0, 4000)] | None = None
    here: bool = True


class PlayersFile(NamedTuple):
    tournament: Whole
    text: Annotated[str, MaxLength(500_000), About("CSV: name, club, rating; or a TRF file")]


class Here(NamedTuple):
    tournament: Whole
    entry: Whole
    here: bool


class Withdrawing(NamedTuple):
    tournament: Whole
    entry: Whole
    gone: bool = True


class Forbidding(NamedTuple):
    tournament: Whole
    entries: Annotated[list[Whole], Items(2, 2)]
    forbidden: bool = True


class Pairing(NamedTuple):
    tournament: Whole
    boards: (
        Annotated[
            list[Annotated[list[Whole], Items(1, 4)]],
            Items(1, MOST_PLAYERS),
            About("who plays whom by hand; left out, the computer pairs"),
        ]
        | None
    ) = None


class TwinGame(NamedTuple):
    """One game that two tables play against each other."""

    tables: Annotated[list[Whole], Items(2, 2)]
    game: GameId
    players: Annotated[list[Text], Items(2, 2)]
    options: dict[str, Any] | None = None
    clock: Clock | None = None


class Seating(NamedTuple):
    pairing: Whole
    table: Whole | None = None


class Result(NamedTuple):
    pairing: Whole
    reason: Long
    scores: Annotated[dict[str, Points], About("by entry; left out, what was entered is withdrawn")] | None = None


class Renaming(NamedTuple):
    player: Whole
    name: Text
    reason: Long = ""


class Delay(NamedTuple):
    seconds: Annotated[float, Between(0, 3600)]


class Locking(NamedTuple):
    locked: bool


class ClockWanted(NamedTuple):
    table: Whole
    do: Literal["set", "add", "start", "stop"]
    seat: Name | None = None
    seconds: Annotated[float, Between(-86_400, 86_400)] = 0
    clock: Clock | None = None


class Deciding(NamedTuple):
    """A decision, and where it changes the game, what is to be done at the table."""

    table: Whole
    text: Long
    do: Literal["note", "stand", "back", "end"] = "note"
    winner: Name | None = None
    count: Annotated[int, Between(1, 1000)] = 1  # type: ignore[assignment]  # a tuple has one of its own


class BoardQuery(NamedTuple):
    ply: Whole | None = None
    flip: bool = False


class PictureQuery(NamedTuple):
    log: Annotated[str, MaxLength(64)] = ""
    number: Whole = 0


class ExportQuery(NamedTuple):
    kind: Literal["csv", "json", "trf"] = "csv"


class PaperQuery(NamedTuple):
    what: Literal["pairings", "standings", "crosstable", "slips"] = "pairings"
    paper: Literal["A4", "Letter"] = "A4"
