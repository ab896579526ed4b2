"""What the desk's deeds add up to: persons, tables, players, tournaments. One method a kind of deed.

Each method first checks, and changes something only when nothing is wrong: a deed that is refused leaves all as it was.
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
from companion.hall.deeds import Deed
from companion.hall.standings import USUAL, tie_break_names
from companion.hall.tournament import ByDesk, Entry, Pairing, Round, Rules, System, Tournament
from companion.record import checked_options
from companion.table.clocks import control_of

MOST_ROUNDS = 99
HALVES, CLOSE = 2, 1e-9  # a result of two is counted in halves
LONGEST = 80  # characters of a name


class Role(StrEnum):
    """Who asks; each may do what those before him may."""

    VIEWER = "viewer"
    REFEREE = "referee"
    ARBITER = "arbiter"

    def may(self, needed: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Person(NamedTuple):
    """Somebody of the desk; his secret is kept as `keys` makes it."""

    id: int
    name: str
    role: Role
    secret: str


class Place(NamedTuple):
    """A table of the hall. `key` is the seal of its key, None when that was revoked."""

    id: int
    name: str
    key: str | None


class Player(NamedTuple):
    id: int
    name: str
    club: str = ""
    rating: float | None = None  # as he brought it along


class Decision(NamedTuple):
    number: int
    at: float
    who: str
    place: int
    text: str


class Twin(NamedTuple):
    """One game that two tables play against each other, each from its own place."""

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
    delay: float = 0  # seconds by which spectators are behind
    hints_locked: bool = False
    last: Deed | None = None
    next_id: int = 1

    def apply(self, deed: Deed) -> int:
        """The id of what came to be, or of what changed."""
        made: int = getattr(self, KINDS[deed.kind])(deed.data, deed)
        self.last = deed
        self.next_id = max(self.next_id, made + 1)
        return made

    # --- the hall

    def _hall(self, data: Mapping[str, Any], deed: Deed) -> int:
        self.name = _name(data)
        return 0

    def _person(self, data: Mapping[str, Any], deed: Deed) -> int:
        name = _name(data)
        if any(person.name == name for person in self.persons.values()):
            raise BadInput("name", "hall-name-taken", name=name)
        made = Person(self.next_id, name, Role(data["role"]), data["secret"])
        self.persons[made.id] = made
        return made.id

    def _person_gone(self, data: Mapping[str, Any], deed: Deed) -> int:
        person = self._one(self.persons, data, "person")
        arbiters = [one for one in self.persons.values() if one.role is Role.ARBITER]
        if person.role is Role.ARBITER and len(arbiters) == 1:
            raise BadInput("", "hall-last-arbiter")
        del self.persons[person.id]
        return 0

    def _table(self, data: Mapping[str, Any], deed: Deed) -> int:
        name = _name(data)
        if any(place.name == name for place in self.places.values()):
            raise BadInput("name", "hall-name-taken", name=name)
        made = Place(self.next_id, name, data["key"])
        self.places[made.id] = made
        return made.id

    def _key(self, data: Mapping[str, Any], deed: Deed) -> int:
        """Another key for a table, or none: the one before is worth nothing any more."""
        place = self._one(self.places, data, "table")
        self.places[place.id] = place._replace(key=data["key"])
        return 0

    def _delay(self, data: Mapping[str, Any], deed: Deed) -> int:
        self.delay = float(data["seconds"])
        return 0

    def _hints(self, data: Mapping[str, Any], deed: Deed) -> int:
        self.hints_locked = bool(data["locked"])
        return 0

    def _decision(self, data: Mapping[str, Any], deed: Deed) -> int:
        place = self._one(self.places, data, "table")
        self.decisions.append(Decision(deed.number, deed.at, deed.who, place.id, data["text"]))
        return 0

    def _twin(self, data: Mapping[str, Any], deed: Deed) -> int:
        one, other = (self._one(self.places, {"table": n}, "table").id for n in data["tables"])
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

    def _player(self, data: Mapping[str, Any], deed: Deed) -> int:
        name = _name(data)
        if any(player.name == name for player in self.players.values()):
            raise BadInput("name", "hall-name-taken", name=name)
        made = Player(self.next_id, name, str(data.get("club") or "")[:LONGEST], data.get("rating"))
        self.players[made.id] = made
        return made.id

    def _rename(self, data: Mapping[str, Any], deed: Deed) -> int:
        player, name = self._one(self.players, data, "player"), _name(data)
        if any(one.name == name and one.id != player.id for one in self.players.values()):
            raise BadInput("name", "hall-name-taken", name=name)
        self.players[player.id] = player._replace(name=name)
        return 0

    # --- tournaments

    def _tournament(self, data: Mapping[str, Any], deed: Deed) -> int:
        made = Tournament(self.next_id, rules_of(data))
        self.tournaments[made.id] = made
        return made.id

    def _break_ties(self, data: Mapping[str, Any], deed: Deed) -> int:
        """Other tie-breaks, or in another order; once somebody plays only with a reason."""
        held = self._open(data)
        if held.published and not str(data["reason"]).strip():
            raise BadInput("reason", "missing")
        held.rules = held.rules._replace(tie_breaks=tie_breaks_of(data["tie_breaks"]))
        return 0

    def _enter(self, data: Mapping[str, Any], deed: Deed) -> int:
        held = self._open(data)
        players = tuple(data["players"])
        if len(players) != held.rules.team or len(set(players)) != len(players):
            raise BadInput("players", "wrong-count", count=held.rules.team, got=len(set(players)))
        for player in players:
            self._one(self.players, {"player": player}, "player")
            if any(player in entry.players for entry in held.entries.values()):
                raise BadInput("players", "hall-entered", name=self.players[player].name)
        started = len(held.rounds) - bool(held.draft)
        if started and held.rules.system is not System.SWISS:
            raise BadInput("", "hall-too-late")
        made = Entry(self.next_id, players, started + 1, here=bool(data.get("here", True)))
        held.entries[made.id] = made
        return made.id

    def _here(self, data: Mapping[str, Any], deed: Deed) -> int:
        """Checked in, or that undone."""
        held = self._open(data)
        self._one(held.entries, data, "entry").here = bool(data["here"])
        return 0

    def _withdraw(self, data: Mapping[str, Any], deed: Deed) -> int:
        """From the next round on; `gone` False: he is back."""
        held = self._open(data)
        entry = self._one(held.entries, data, "entry")
        entry.gone = len(held.published) + 1 if data["gone"] else None
        return 0

    def _forbid(self, data: Mapping[str, Any], deed: Deed) -> int:
        held = self._open(data)
        pair = frozenset(self._one(held.entries, {"entry": n}, "entry").id for n in data["entries"])
        if len(pair) != 2:
            raise BadInput("entries", "wrong-count", count=2, got=len(pair))
        (held.forbidden.add if data["forbidden"] else held.forbidden.discard)(pair)
        return 0

    def _pair(self, data: Mapping[str, Any], deed: Deed) -> int:
        """A round as it is to be; it becomes one when it is published. By hand the draft that waits is replaced."""
        held = self._open(data)
        draft = held.draft if data["by_hand"] else None
        number = draft.number if draft else len(held.rounds) + 1
        if (held.draft and not draft) or data["round"] != number:
            raise BadInput("round", "hall-draft-waits", round=len(held.rounds))
        boards, size = data["boards"], held.rules.at_board
        seen: set[int] = set()
        for board in boards:
            for n in board:
                if not self._one(held.entries, {"entry": n}, "entry").plays_in(number):
                    raise BadInput("boards", "hall-not-there", name=self.entry_name(held, n))
                if n in seen:
                    raise BadInput("boards", "hall-twice-in-round", name=self.entry_name(held, n))
                seen.add(n)
            if len(board) not in (1, size):
                raise BadInput("boards", "wrong-count", count=size, got=len(board))
            for pair in combinations(board, 2) if data["by_hand"] else ():
                if frozenset(pair) in held.forbidden:
                    names = ", ".join(self.entry_name(held, n) for n in pair)
                    raise BadInput("boards", "hall-forbidden-pair", names=names)
        if not boards:
            raise BadInput("boards", "hall-too-few", count=0, needed=size)
        tables = self._tables_for(held)
        pairings = [
            Pairing(self.next_id + n, tuple(board), next(tables, None) if len(board) > 1 else None)
            for n, board in enumerate(boards)
        ]
        if draft:
            held.rounds.pop()
        held.rounds.append(Round(number, pairings, by_hand=data["by_hand"]))
        return pairings[-1].id

    def _tables_for(self, held: Tournament) -> Any:
        """The tables in order, but for those where another tournament still plays."""
        busy = {
            one.place
            for other in self.tournaments.values()
            if other is not held and not other.closed and other.rounds
            for one in other.rounds[-1].pairings
        }
        return (place.id for place in self.places.values() if place.id not in busy)

    def _unpair(self, data: Mapping[str, Any], deed: Deed) -> int:
        held = self._open(data)
        if held.draft is None:
            raise BadInput("", "hall-no-draft")
        held.rounds.pop()
        return 0

    def _seat(self, data: Mapping[str, Any], deed: Deed) -> int:
        """Another table for a pairing."""
        held, pairing = self._pairing(data)
        place = self._one(self.places, data, "table") if data["table"] is not None else None
        there = next(found for found in held.rounds if pairing in found.pairings)
        for other in there.pairings:
            if place and other.place == place.id:
                other.place = pairing.place
        pairing.place = place.id if place else None
        return 0

    def _publish(self, data: Mapping[str, Any], deed: Deed) -> int:
        held = self._open(data)
        if held.draft is None:
            raise BadInput("", "hall-no-draft")
        held.draft.since = deed.at
        held.draft.published = True
        return 0

    def _result(self, data: Mapping[str, Any], deed: Deed) -> int:
        """By hand; `scores` null: what was entered is withdrawn, and the table's own result counts again."""
        held, pairing = self._pairing(data)
        if not str(data["reason"]).strip():
            raise BadInput("reason", "missing")
        reason, scores, points = str(data["reason"]), None, {}
        if data["scores"] is None:
            if not held.entered(pairing):
                raise BadInput("pairing", "hall-nothing-entered")
        else:
            scores, points = (
                {int(n): float(v) for n, v in (data[name] or {}).items()} for name in ("scores", "points")
            )
            if pairing.is_bye or set(scores) != set(pairing.entries) or not set(points) <= set(pairing.entries):
                raise BadInput("scores", "hall-odd-result")
            if not is_result(list(scores.values())):
                raise BadInput("scores", "hall-odd-result")
        entered = ByDesk(scores, points, deed.who, deed.at, reason, deed.number)
        held.by_desk.setdefault(pairing.id, []).append(entered)
        return 0

    def _close(self, data: Mapping[str, Any], deed: Deed) -> int:
        self._open(data).closed = True
        return 0

    # --- looking

    def entry_name(self, held: Tournament, entry: int) -> str:
        return " & ".join(self.players[player].name for player in held.entries[entry].players)

    def tournament(self, number: int) -> Tournament:
        if number not in self.tournaments:
            raise BadInput("tournament", "hall-no-such", value=number)
        return self.tournaments[number]

    def pairing(self, number: int) -> tuple[Tournament, Pairing] | None:
        for held in self.tournaments.values():
            if found := held.pairing(number):
                return held, found
        return None

    def _pairing(self, data: Mapping[str, Any]) -> tuple[Tournament, Pairing]:
        if found := self.pairing(data["pairing"]):
            return found
        raise BadInput("pairing", "hall-no-such", value=data["pairing"])

    def _open(self, data: Mapping[str, Any]) -> Tournament:
        held = self.tournament(data["tournament"])
        if held.closed:
            raise BadInput("", "hall-closed")
        return held

    @staticmethod
    def _one(among: Mapping[int, Any], data: Mapping[str, Any], what: str) -> Any:
        if data[what] not in among:
            raise BadInput(what, "hall-no-such", value=data[what])
        return among[data[what]]


# By the kind of deed: the method that applies it.
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
    """Nobody wins more than there is to win: of two a win, a draw or nothing; of three a share of the others."""
    whole = all(abs(value * HALVES - round(value * HALVES)) < CLOSE for value in scores) or len(scores) > 2
    return whole and all(0 <= value <= 1 for value in scores) and sum(scores) <= len(scores) / 2 + CLOSE


def rules_of(data: Mapping[str, Any]) -> Rules:
    """What was agreed for a tournament, checked."""
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
    if not 0 <= rounds <= MOST_ROUNDS:
        raise BadInput("rounds", "not-a-whole-number", value=rounds, least=0, most=MOST_ROUNDS)
    tie_breaks = tie_breaks_of(data.get("tie_breaks") or USUAL)
    options = data.get("options") or {}
    checked_options(played, options)
    clock = data.get("clock")
    if clock is not None:
        control_of(clock)
    late = data.get("late") or 0
    return Rules(_name(data), played.id, system, rounds, seats, games, options, clock, tie_breaks, late)


def tie_breaks_of(names: Sequence[str]) -> tuple[str, ...]:
    """In their order, each once."""
    for name in names:
        if name not in tie_break_names():
            raise BadInput("tie_breaks", "not-one-of", value=name, choices=", ".join(tie_break_names()))
    if len(set(names)) != len(names):
        raise BadInput("tie_breaks", "hall-tie-break-twice")
    return tuple(names)


def _name(data: Mapping[str, Any]) -> str:
    name = " ".join(str(data["name"]).split())
    if not name or len(name) > LONGEST or not name.isprintable():
        raise BadInput("name", "hall-odd-name", most=LONGEST)
    return name
