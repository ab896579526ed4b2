"""The responses of the hall's API, as types."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from companion.hall.state import Role
from web.schema import About


class RoleHeld(TypedDict):
    role: Role
    name: str


class Reported(TypedDict):
    have: Annotated[int, About("up to which event the hall has the log")]
    refused: Annotated[int | None, About("from which event on it was refused: its seal does not follow")]
    wanted: Annotated[list[int], About("events whose pictures are asked for")]
    commands: list[Wanted]


class Wanted(TypedDict):
    number: int
    who: str
    kind: str
    data: dict[str, Any]


class Done(TypedDict):
    id: Annotated[int, About("of what came to be")]


class KeyMade(TypedDict):
    table: int
    key: str
    line: Annotated[str, About("to be pasted at the table")]
    code: Annotated[str, About("the same as a QR code, SVG")]


class PinMade(TypedDict):
    pin: str


class Left(TypedDict):
    """What a seat had left when its clock was last heard of."""

    left: float
    periods: int
    flag: bool


class Clock(TypedDict):
    at: float
    more: Annotated[float, About("seconds of a period")]
    running: str | None
    seats: dict[str, Left]


class Card(TypedDict):
    """A table as the desk sees it."""

    place: int
    name: str
    joined: bool
    revoked: bool
    online: bool
    trouble: Annotated[list[str], About("what is to be looked at, the worst first")]
    trouble_text: str
    game: str | None
    game_name: str
    players: list[str]
    turn: str | None
    turn_text: str
    moves: int
    last_move: str
    over: bool
    clock: Clock | None
    event: Annotated[int, About("the number of its newest event")]
    log: str
    pairing: int | None
    round: int | None
    match: Annotated[str, About("which game of the match")]
    refused: str | None
    waits: Annotated[int, About("commands that it has not done yet")]


class TableGame(TypedDict):
    id: int
    log: str
    event: int
    at: float
    kind: str
    text: str
    picture: bool


class Decision(TypedDict):
    at: float
    who: str
    text: str


class HeadTold(TypedDict):
    number: int
    at: float
    words: str
    text: str
    code: Annotated[str, About("the text as a QR code, SVG")]


class TablePage(TypedDict):
    card: Card
    happened: list[TableGame]
    decisions: list[Decision]
    head: Annotated[HeadTold | None, About("what the table signed last of its log")]


class Evidence(TypedDict):
    """A verdict with all that it rests on."""

    log: str
    event: int
    at: float
    text: str
    rule: str | None
    rule_text: str
    squares: list[dict[str, str]]
    before: Annotated[str | None, About("the picture of the last accepted move, by its address")]
    after: str | None
    seals: list[dict[str, Any]]
    sealed: bool


class EntryTold(TypedDict):
    id: int
    name: str
    players: list[int]
    clubs: list[str]
    since: int
    here: bool
    gone: bool
    rating: float


class Side(TypedDict):
    entry: int
    name: str
    score: float | None


class PairingTold(TypedDict):
    id: int
    place: int | None
    table: str
    sides: list[Side]
    bye: bool
    done: bool
    by_desk: dict[str, Any] | None
    by_table: dict[str, float] | None
    differs: bool
    games: Annotated[str, About("how many games of the match are over")]


class RoundTold(TypedDict):
    number: int
    published: bool
    by_hand: bool
    pairings: list[PairingTold]


class TieBreakTold(TypedDict):
    name: str
    label: str
    value: float
    made_of: str


class Cell(TypedDict):
    """A round of a player in the crosstable."""

    text: str
    against: str
    score: float | None


class StandingTold(TypedDict):
    rank: int
    entry: int
    name: str
    club: str
    score: float
    tie_breaks: list[TieBreakTold]
    rounds: Annotated[list[Cell], About("the crosstable: opponents by their line in the standings")]


class Explained(TypedDict):
    name: str
    label: str
    text: str


class Correction(TypedDict):
    """A result that the desk entered, and what counted before."""

    pairing: int
    round: int
    name: str
    who: str
    at: float
    reason: str
    before: str
    after: str


class TournamentTold(TypedDict):
    id: int
    name: str
    game: str
    game_name: str
    system: str
    system_text: str
    seats: int
    team: int
    length: int
    closed: bool
    entries: list[EntryTold]
    forbidden: list[list[int]]
    rounds: list[RoundTold]
    standings: list[StandingTold]
    tie_breaks: list[Explained]
    corrections: list[Correction]


class Hall(TypedDict):
    name: str
    role: Role
    who: str
    tournaments: list[dict[str, Any]]
    tables: list[Card]
    delay: float
    hints_locked: bool
    tie_breaks: Annotated[list[Explained], About("all there are; the usual ones first, in their usual order")]
    usual_tie_breaks: list[str]
    trouble: str | None
    fingerprint: Annotated[str, About("of the hall’s certificate; empty without HTTPS")]
    persons: list[dict[str, Any]]
    players: list[dict[str, Any]]
    refusals: list[dict[str, Any]]


class Verified(TypedDict):
    ok: bool
    logs: int
    events: int
    deeds: int
    heads: Annotated[int, About("that tables signed of their logs")]
    findings: list[str]


class LogEntryTold(TypedDict):
    """Something that the desk did."""

    number: int
    at: float
    who: str
    kind: str
    text: str
    data: dict[str, Any]
    seal: str


class Imported(TypedDict):
    count: int
