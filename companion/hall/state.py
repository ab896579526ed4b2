"""The state of the hall as a fold over the desk's log: persons, tables, players, tournaments.

There is one method for each kind of log entry. It checks everything before it changes anything, so that a refused
entry leaves the state as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.games import game, game_ids, is_game
from companion.games.match import match
from companion.hall.desk_log import LogEntry
from companion.hall.standings import DEFAULT_TIE_BREAKS, tie_break_names
from companion.hall.tournament import DeskResult, Entry, Pairing, Round, Rules, System, Tournament
from companion.record import checked_options
from companion.table.clocks import control_of

MAX_ROUNDS = 99
HALVES, TOLERANCE = 2, 1e-9  # between two players results are multiples of one half
MAX_NAME = 80  # characters


class Role(StrEnum):
    """What a person may do, from least to most: each role includes those before it."""

    VIEWER = "viewer"
    REFEREE = "referee"
    ARBITER = "arbiter"

    def may(self, needed: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Person(NamedTuple):
    """Somebody who works at the desk. `secret` is the hash of his PIN."""

    id: int
    name: str
    role: Role
    secret: str


class Place(NamedTuple):
    """A table of the hall. `key` is the hash of its key's secret, None if the key was revoked."""

    id: int
    name: str
    key: str | None


class Player(NamedTuple):
    id: int
    name: str
    club: str = ""
    rating: float | None = None  # the rating that he was entered with


class Decision(NamedTuple):
    number: int
    at: float
    who: str
    place: int
    text: str


class Twin(NamedTuple):
    """One game that two tables play against each other."""

    id: int
    places: tuple[int, int]  # the first has the first seat
    data: Mapping[str, Any]  # game, options, players, clock


@dataclass
class State:
    name: str = ""
    persons: dict[int, Person] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
    players: dict[int, Player] = field(default_factory=dict)
    tournaments: dict[int, Tournament] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    twins: dict[int, Twin] = field(default_factory=dict)
    delay: float = 0  # seconds by which spectators see play later
    hints_locked: bool = False
    last: LogEntry | None = None
    next_id: int = 1

    def apply(self, log_entry: LogEntry) -> int:
        """Returns the id of what the entry created, or 0."""
        created: int = getattr(self, KINDS[log_entry.kind])(log_entry.data, log_entry)
        self.last = log_entry
        self.next_id = max(self.next_id, created + 1)
        return created

    # --- the hall

    def _hall(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        self.name = _name(data)
        return 0

    def _person(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        name = _name(data)
        if any(person.name == name for person in self.persons.values()):
            raise BadInput("name", "hall-name-taken", name=name)
        made = Person(self.next_id, name, Role(data["role"]), data["secret"])
        self.persons[made.id] = made
        return made.id

    def _person_gone(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        person = self._lookup(self.persons, data, "person")
        arbiters = [one for one in self.persons.values() if one.role is Role.ARBITER]
        if person.role is Role.ARBITER and len(arbiters) == 1:
            raise BadInput("", "hall-last-arbiter")
        del self.persons[person.id]
        return 0

    def _table(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        name = _name(data)
        if any(place.name == name for place in self.places.values()):
            raise BadInput("name", "hall-name-taken", name=name)
        made = Place(self.next_id, name, data["key"])
        self.places[made.id] = made
        return made.id

    def _key(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        """Replace a table's key, or revoke it (None)."""
        place = self._lookup(self.places, data, "table")
        self.places[place.id] = place._replace(key=data["key"])
        return 0

    def _delay(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        self.delay = float(data["seconds"])
        return 0

    def _hints(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        self.hints_locked = bool(data["locked"])
        return 0

    def _decision(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        place = self._lookup(self.places, data, "table")
        self.decisions.append(Decision(log_entry.number, log_entry.at, log_entry.who, place.id, data["text"]))
        return 0

    def _twin(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        one, other = (self._lookup(self.places, {"table": n}, "table").id for n in data["tables"])
        if one == other:
            raise BadInput("tables", "hall-same-table")
        if not is_game(data["game"]) or 2 not in game(data["game"]).seats:
            raise BadInput("game", "hall-not-for-two", value=data["game"])
        checked_options(game(data["game"]), data["options"])
        if data["clock"] is not None:
            control_of(data["clock"])
        made = Twin(self.next_id, (one, other), data)
        self.twins[made.id] = made
        return made.id

    # --- players

    def _player(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        name = _name(data)
        if any(player.name == name for player in self.players.values()):
            raise BadInput("name", "hall-name-taken", name=name)
        made = Player(self.next_id, name, str(data.get("club") or "")[:MAX_NAME], data.get("rating"))
        self.players[made.id] = made
        return made.id

    def _rename(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        player, name = self._lookup(self.players, data, "player"), _name(data)
        if any(one.name == name and one.id != player.id for one in self.players.values()):
            raise BadInput("name", "hall-name-taken", name=name)
        self.players[player.id] = player._replace(name=name)
        return 0

    # --- tournaments

    def _tournament(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        made = Tournament(self.next_id, rules_of(data))
        self.tournaments[made.id] = made
        return made.id

    def _break_ties(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        """Change the tie-breaks or their order. Once a round is published this needs a reason."""
        tournament = self._open_tournament(data)
        if tournament.published and not str(data["reason"]).strip():
            raise BadInput("reason", "missing")
        tournament.rules = tournament.rules._replace(tie_breaks=tie_breaks_of(data["tie_breaks"]))
        return 0

    def _enter(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        tournament = self._open_tournament(data)
        players = tuple(data["players"])
        if len(players) != tournament.rules.team or len(set(players)) != len(players):
            raise BadInput("players", "wrong-count", count=tournament.rules.team, got=len(set(players)))
        for player in players:
            self._lookup(self.players, {"player": player}, "player")
            if any(player in entry.players for entry in tournament.entries.values()):
                raise BadInput("players", "hall-entered", name=self.players[player].name)
        started = len(tournament.rounds) - bool(tournament.draft)
        if started and tournament.rules.system is not System.SWISS:
            raise BadInput("", "hall-too-late")
        made = Entry(self.next_id, players, started + 1, here=bool(data.get("here", True)))
        tournament.entries[made.id] = made
        return made.id

    def _here(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        """Check an entry in, or undo it."""
        tournament = self._open_tournament(data)
        self._lookup(tournament.entries, data, "entry").here = bool(data["here"])
        return 0

    def _withdraw(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        """Withdraw an entry from the next round on, or bring it back (`gone` false)."""
        tournament = self._open_tournament(data)
        entry = self._lookup(tournament.entries, data, "entry")
        entry.gone = len(tournament.published) + 1 if data["gone"] else None
        return 0

    def _forbid(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        tournament = self._open_tournament(data)
        pair = frozenset(self._lookup(tournament.entries, {"entry": n}, "entry").id for n in data["entries"])
        if len(pair) != 2:
            raise BadInput("entries", "wrong-count", count=2, got=len(pair))
        (tournament.forbidden.add if data["forbidden"] else tournament.forbidden.discard)(pair)
        return 0

    def _pair(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        """Add the draft of a round. One that was paired by hand replaces the draft that is there."""
        tournament = self._open_tournament(data)
        draft = tournament.draft if data["by_hand"] else None
        number = draft.number if draft else len(tournament.rounds) + 1
        if (tournament.draft and not draft) or data["round"] != number:
            raise BadInput("round", "hall-draft-waits", round=len(tournament.rounds))
        boards, size = data["boards"], tournament.rules.at_board
        seen: set[int] = set()
        for board in boards:
            for n in board:
                if not self._lookup(tournament.entries, {"entry": n}, "entry").plays_in(number):
                    raise BadInput("boards", "hall-not-there", name=self.entry_name(tournament, n))
                if n in seen:
                    raise BadInput("boards", "hall-twice-in-round", name=self.entry_name(tournament, n))
                seen.add(n)
            if len(board) not in (1, size):
                raise BadInput("boards", "wrong-count", count=size, got=len(board))
            for pair in combinations(board, 2) if data["by_hand"] else ():
                if frozenset(pair) in tournament.forbidden:
                    names = ", ".join(self.entry_name(tournament, n) for n in pair)
                    raise BadInput("boards", "hall-forbidden-pair", names=names)
        if not boards:
            raise BadInput("boards", "hall-too-few", count=0, needed=size)
        tables = self._tables_for(tournament)
        pairings = [
            Pairing(self.next_id + n, tuple(board), next(tables, None) if len(board) > 1 else None)
            for n, board in enumerate(boards)
        ]
        if draft:
            tournament.rounds.pop()
        tournament.rounds.append(Round(number, pairings, by_hand=data["by_hand"]))
        return pairings[-1].id

    def _tables_for(self, tournament: Tournament) -> Any:
        """The tables in order, without those that another tournament still uses."""
        busy = {
            one.place
            for other in self.tournaments.values()
            if other is not tournament and not other.closed and other.rounds
            for one in other.rounds[-1].pairings
        }
        return (place.id for place in self.places.values() if place.id not in busy)

    def _unpair(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        tournament = self._open_tournament(data)
        if tournament.draft is None:
            raise BadInput("", "hall-no-draft")
        tournament.rounds.pop()
        return 0

    def _seat(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        """Give a pairing another table. If a pairing of the same round has it, the two swap tables."""
        tournament, pairing = self._pairing(data)
        place = self._lookup(self.places, data, "table") if data["table"] is not None else None
        there = next(found for found in tournament.rounds if pairing in found.pairings)
        for other in there.pairings:
            if place and other.place == place.id:
                other.place = pairing.place
        pairing.place = place.id if place else None
        return 0

    def _publish(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        tournament = self._open_tournament(data)
        if tournament.draft is None:
            raise BadInput("", "hall-no-draft")
        tournament.draft.since = log_entry.at
        tournament.draft.published = True
        return 0

    def _result(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        """A result entered by hand. `scores` null withdraws it, so that the table's own result counts again."""
        tournament, pairing = self._pairing(data)
        if not str(data["reason"]).strip():
            raise BadInput("reason", "missing")
        reason, scores, points = str(data["reason"]), None, {}
        if data["scores"] is None:
            if not tournament.entered(pairing):
                raise BadInput("pairing", "hall-nothing-entered")
        else:
            scores, points = (
                {int(n): float(v) for n, v in (data[name] or {}).items()} for name in ("scores", "points")
            )
            if pairing.is_bye or set(scores) != set(pairing.entries) or not set(points) <= set(pairing.entries):
                raise BadInput("scores", "hall-odd-result")
            if not is_result(list(scores.values())):
                raise BadInput("scores", "hall-odd-result")
        entered = DeskResult(scores, points, log_entry.who, log_entry.at, reason, log_entry.number)
        tournament.by_desk.setdefault(pairing.id, []).append(entered)
        return 0

    def _close(self, data: Mapping[str, Any], log_entry: LogEntry) -> int:
        self._open_tournament(data).closed = True
        return 0

    # --- looking

    def entry_name(self, tournament: Tournament, entry: int) -> str:
        return " & ".join(self.players[player].name for player in tournament.entries[entry].players)

    def tournament(self, number: int) -> Tournament:
        if number not in self.tournaments:
            raise BadInput("tournament", "hall-no-such", value=number)
        return self.tournaments[number]

    def pairing(self, number: int) -> tuple[Tournament, Pairing] | None:
        for tournament in self.tournaments.values():
            if found := tournament.pairing(number):
                return tournament, found
        return None

    def _pairing(self, data: Mapping[str, Any]) -> tuple[Tournament, Pairing]:
        if found := self.pairing(data["pairing"]):
            return found
        raise BadInput("pairing", "hall-no-such", value=data["pairing"])

    def _open_tournament(self, data: Mapping[str, Any]) -> Tournament:
        tournament = self.tournament(data["tournament"])
        if tournament.closed:
            raise BadInput("", "hall-closed")
        return tournament

    @staticmethod
    def _lookup(among: Mapping[int, Any], data: Mapping[str, Any], what: str) -> Any:
        if data[what] not in among:
            raise BadInput(what, "hall-no-such", value=data[what])
        return among[data[what]]


# For each kind of log entry the method that applies it.
KINDS = {
    "hall": "_hall",
    "person": "_person",
    "person-gone": "_person_gone",
    "table": "_table",
    "key": "_key",
    "delay": "_delay",
    "hints": "_hints",
    "decision": "_decision",
    "twin": "_twin",
    "player": "_player",
    "rename": "_rename",
    "tournament": "_tournament",
    "tie-breaks": "_break_ties",
    "enter": "_enter",
    "here": "_here",
    "withdraw": "_withdraw",
    "forbid": "_forbid",
    "pair": "_pair",
    "unpair": "_unpair",
    "seat": "_seat",
    "publish": "_publish",
    "result": "_result",
    "close": "_close",
}


def is_result(scores: Sequence[float]) -> bool:
    """Whether these scores of one board are possible: between two players 0, ½ or 1 each, among three the share of
    opponents beaten; and not more in all than there is to win."""
    whole = all(abs(value * HALVES - round(value * HALVES)) < TOLERANCE for value in scores) or len(scores) > 2
    return whole and all(0 <= value <= 1 for value in scores) and sum(scores) <= len(scores) / 2 + TOLERANCE


def rules_of(data: Mapping[str, Any]) -> Rules:
    """The validated rules of a tournament."""
    if not is_game(data["game"]):
        raise BadInput("game", "not-one-of", value=data["game"], choices=", ".join(game_ids()))
    played = game(data["game"])
    seats = data.get("seats") or next(iter(played.seats))
    if seats not in played.seats or seats < 2:
        raise BadInput(
            "seats", "not-one-of", value=seats, choices=", ".join(str(n) for n in played.seats if n > 1) or "–"
        )
    system = System(data["system"])
    if seats == 3 and system is not System.SWISS:
        raise BadInput("system", "hall-three-are-swiss")
    games, rounds = data.get("games") or 0, data.get("rounds") or 0
    match(played, tuple(map(str, range(seats))), games or None)
    if not 0 <= rounds <= MAX_ROUNDS:
        raise BadInput("rounds", "not-a-whole-number", value=rounds, least=0, most=MAX_ROUNDS)
    tie_breaks = tie_breaks_of(data.get("tie_breaks") or DEFAULT_TIE_BREAKS)
    options = data.get("options") or {}
    checked_options(played, options)
    clock = data.get("clock")
    if clock is not None:
        control_of(clock)
    late = data.get("late") or 0
    return Rules(_name(data), played.id, system, rounds, seats, games, options, clock, tie_breaks, late)


def tie_breaks_of(names: Sequence[str]) -> tuple[str, ...]:
    """The tie-breaks in this order. BadInput if one is unknown or there twice."""
    for name in names:
        if name not in tie_break_names():
            raise BadInput("tie_breaks", "not-one-of", value=name, choices=", ".join(tie_break_names()))
    if len(set(names)) != len(names):
        raise BadInput("tie_breaks", "hall-tie-break-twice")
    return tuple(names)


def _name(data: Mapping[str, Any]) -> str:
    name = " ".join(str(data["name"]).split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise BadInput("name", "hall-odd-name", most=MAX_NAME)
    return name
