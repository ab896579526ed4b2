"""The desk: deeds are checked, kept and applied here, in the order in which all desks of a hall agree on."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import BadInput
from companion.hall import deeds, reports
from companion.hall.database import Database, Taken, Unavailable
from companion.hall.keys import Key, is_pin, key_seal, new_pin, new_secret, pin_seal
from companion.hall.live import Tables
from companion.hall.ratings import Met, Rating, rated
from companion.hall.standings import Standing, standings
from companion.hall.state import Person, Place, Role, State
from companion.hall.swiss import Board
from companion.hall.tournament import Pairing, Tournament, seats_of
from companion.hall.twins import Follow, start_of, wanted_of

SYSTEM = "companion"  # who did what nobody decided
TELLING = 3.0  # seconds for which the desk that published a round has the word alone


class Desk:
    """One process's view of the hall. May be used from any thread."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.tables = Tables(database)
        self._guard = threading.RLock()
        self._state = State()
        self._stale = False
        self._far: dict[tuple[int, int], Follow] = {}  # what the tables of a twin game were told last
        self._begun: dict[int, list[dict[str, Any]]] = {}  # by place: the games that it was told to begin
        self._hints_told: tuple[bool, int] | None = None  # locked or not, and how many tables know

    @property
    def state(self) -> State:
        return self._state

    def catch_up(self) -> bool:
        """Take what other desks have done and what tables have reported; whether there was anything."""
        with self._guard:
            if self._stale:
                self._state, self._stale = State(), False
            last = self._state.last
            found = deeds.read(self.database, last.number if last else 0)
            for deed in found:
                self._state.apply(deed)
        moved = self.tables.catch_up()
        return bool(found) or moved

    def do(self, who: str, kind: str, data: Mapping[str, Any]) -> int:
        """Have something done: checked against all that was done before, kept, applied. The id of what came to be."""
        with self._guard:
            while True:
                self.catch_up()
                deed = deeds.next_deed(self._state.last, who, kind, dict(data))
                try:
                    with self.database.transaction() as asked:
                        deeds.write(asked, deed)
                        self._stale = True  # until it is kept for sure
                        made = self._state.apply(deed)
                except Taken:
                    self._stale = False  # another desk was faster: nothing was applied
                    continue
                except Unavailable:
                    raise
                except BadInput:
                    self._stale = False  # it was refused before anything changed
                    raise
                self._stale = False
                break
        self.database.wake()
        return made

    # --- persons

    def add_person(self, who: str, name: str, role: Role, pin: str | None = None) -> str:
        """A person of the desk; the PIN, which is shown this once."""
        pin = pin or new_pin()
        if self.person_of(pin):
            raise BadInput("pin", "hall-pin-taken")
        self.do(who, "person", {"name": name, "role": role, "secret": pin_seal(pin)})
        return pin

    def person_of(self, pin: str) -> Person | None:
        return next((person for person in self._state.persons.values() if is_pin(pin, person.secret)), None)

    # --- tables

    def add_table(self, who: str, name: str) -> Key:
        secret = new_secret()
        with self._guard:
            place = self.do(who, "table", {"name": name, "key": key_seal(secret)})
            self._tell_hints(who)
        return Key(place, secret)

    def new_key(self, who: str, place: int) -> Key:
        secret = new_secret()
        self.do(who, "key", {"table": place, "key": key_seal(secret)})
        return Key(place, secret)

    def revoke(self, who: str, place: int) -> None:
        self.do(who, "key", {"table": place, "key": None})

    def place_of(self, key: Key) -> Place | None:
        """Whose key it is; None if it is nobody's, or was revoked."""
        place = self._state.places.get(key.place)
        if place is None:  # another desk may have made it just now
            self.catch_up()
            place = self._state.places.get(key.place)
        return place if place and place.key is not None and key_seal(key.secret) == place.key else None

    def command(self, who: str, place: int, kind: str, data: Mapping[str, Any]) -> int:
        number = reports.command(self.database, place, who, kind, json.dumps(data))
        self.database.wake()
        return number

    def _has_begun(self, place: int, **asked: object) -> bool:
        """Whether a table was told to begin this game, by any desk, ever."""

        def is_told() -> bool:
            return any(all(data.get(k) == v for k, v in asked.items()) for data in self._begun.get(place, ()))

        if not is_told():
            self._begun[place] = reports.commanded(self.database, place, "start")
        return is_told()

    def lock_hints(self, who: str, locked: bool) -> None:
        """For the whole hall, and for tables that join later."""
        with self._guard:
            self.do(who, "hints", {"locked": locked})
            self._tell_hints(who)

    def _tell_hints(self, who: str) -> None:
        """Each table is told whether hints are locked, unless that is what it was told last."""
        holds = self._state.hints_locked, len(self._state.places)
        if self._hints_told == holds:
            return
        told = reports.last_commanded(self.database, "hints")
        for place in list(self._state.places):
            if told.get(place, {}).get("locked", False) != self._state.hints_locked:
                self.command(who, place, "hints", {"locked": self._state.hints_locked})
        self._hints_told = holds

    # --- players

    def enter(
        self,
        who: str,
        tournament: int,
        names: Sequence[str],
        club: str = "",
        rating: float | None = None,
        here: bool = True,
    ) -> int:
        """Have somebody take part, or two as a team; whoever is not known yet is written down as a player."""
        with self._guard:
            self.catch_up()
            held = self._state.tournament(tournament)
            if len(names) != held.rules.team:
                raise BadInput("names", "wrong-count", count=held.rules.team, got=len(names))
            known = {player.name: player.id for player in self._state.players.values()}
            plain = [" ".join(name.split()) for name in names]
            players = [
                known[name] if name in known else self.do(who, "player", {"name": name, "club": club, "rating": rating})
                for name in plain
            ]
            return self.do(who, "enter", {"tournament": tournament, "players": players, "here": here})

    # --- rounds

    def seat(self, who: str, pairing: int, table: int | None) -> None:
        """Another table for a pairing; where it is published already, the game is begun there."""
        with self._guard:
            self.do(who, "seat", {"pairing": pairing, "table": table})
            found = self._state.pairing(pairing)
            if found and table is not None and found[0].published and found[1] in found[0].published[-1].pairings:
                self.send_game(who, *found)

    def pair(self, who: str, tournament: int, boards: list[list[int]] | None = None) -> list[Board]:
        """Pair the next round, or have it or its draft as a person wants it; it waits for being published."""
        with self._guard:
            self.catch_up()
            held = self._state.tournament(tournament)
            if boards is None:
                found = held.next_boards(self.tables.reported, self.strengths())
            else:
                held.may_pair(self.tables.reported, by_hand=True)
                found = [Board(tuple(board)) for board in boards]
            drawn = [list(board.players) for board in found]
            data = {
                "tournament": tournament,
                "round": held.draft.number if held.draft else len(held.rounds) + 1,
                "boards": drawn,
                "by_hand": boards is not None,
            }
            self.do(who, "pair", data)
            return found

    def publish(self, who: str, tournament: int) -> None:
        """The desk has approved the round: everybody sees it, and the tables are told who plays there."""
        self.do(who, "publish", {"tournament": tournament})
        held = self._state.tournament(tournament)
        for pairing in held.rounds[-1].pairings:
            self.send_game(who, held, pairing)

    def _next_game(self, held: Tournament, pairing: Pairing) -> int | None:
        """Which game of a pairing is next, from 0; None: there is none, or no table for it."""
        if pairing.is_bye or pairing.place is None:
            return None
        known = self.tables.reported.get(pairing.id, {})
        return next((n for n in range(held.rules.match_length) if n not in known), None)

    def send_game(self, who: str, held: Tournament, pairing: Pairing) -> None:
        """Have a table begin the game of its pairing that is next."""
        number = self._next_game(held, pairing)
        if number is None or pairing.place is None:
            return
        seats = seats_of(held.match_of(pairing), number)
        first = held.match_of(pairing).first(number)
        data = {
            "game": held.rules.game,
            "options": dict(held.rules.options),
            "players": [self._state.players[n].name for n in seats.values()],
            "count": held.rules.seats,
            "first": next(seat for seat, n in seats.items() if str(n) == first),
            "pairing": pairing.id,
            "number": number,
            "of": held.rules.match_length,
            "clock": held.rules.clock,
        }
        self.command(who, pairing.place, "start", data)

    def go_on(self) -> None:
        """Have tables begin what they were not told to begin yet: the next game of a match, and whatever a desk was
        about to tell them when it ended; and have all of them know whether hints are locked. Two desks may both do so:
        a table begins a game once, however often it is told."""
        with self._guard:
            self._send_games()
            self._tell_hints(SYSTEM)

    def _send_games(self) -> None:
        for held in list(self._state.tournaments.values()):
            if held.closed or not held.published:
                continue
            new = abs(time.time() - held.published[-1].since) < TELLING
            for pairing in held.published[-1].pairings:
                number = self._next_game(held, pairing)
                if number is None or pairing.place is None or held.entered(pairing) or (new and number == 0):
                    continue
                if not self._has_begun(pairing.place, pairing=pairing.id, number=number):
                    self.send_game(SYSTEM, held, pairing)

    # --- one game at two tables

    def begin_twin(self, who: str, data: Mapping[str, Any]) -> int:
        """Two tables play one game against each other; the second begins as soon as the first has."""
        with self._guard:
            number = self.do(who, "twin", data)
            twin = self._state.twins[number]
            self.command(who, twin.places[0], "start", start_of(twin, 0))
        return number

    def tell_twins(self) -> None:
        """Tell each table of a twin game what the other has done. Two desks may both do so: it is done once."""
        with self._guard:
            self._tell_twins()

    def _tell_twins(self) -> None:
        for twin in self._state.twins.values():
            for at, told in enumerate(wanted_of(twin, [self.tables.live.get(place) for place in twin.places])):
                key = twin.id, at
                if told is None:
                    self._far.pop(key, None)
                elif self._far.get(key) != told:
                    self._far[key] = told
                    # A start that was told before would take the place of a newer one that a table has yet to hear of.
                    if told.kind == "start" and self._has_begun(twin.places[at], twin=twin.id):
                        continue
                    self.command(SYSTEM, twin.places[at], told.kind, json.loads(told.data))

    # --- standings and ratings

    def standings(self, tournament: int, up_to: int | None = None) -> list[Standing]:
        with self._guard:
            return standings(self._state.tournament(tournament), self.tables.reported, up_to)

    def strengths(self) -> dict[int, float]:
        return {n: rating.rating for n, rating in self.ratings().items()}

    def ratings(self) -> dict[int, Rating]:
        """Of all players, over all events that are closed, one after another."""
        with self._guard:
            found = {n: Rating(player.rating or 1500) for n, player in self._state.players.items()}
            for held in self._state.tournaments.values():
                if held.closed:
                    found |= self._after(held, found)
            return found

    def _after(self, held: Tournament, before: Mapping[int, Rating]) -> dict[int, Rating]:
        met: dict[int, list[Met]] = {n: [] for entry in held.entries.values() for n in entry.players}
        for pairing in (one for found in held.published for one in found.pairings if not one.is_bye):
            score = held.score(pairing, self.tables.reported)
            for mine in pairing.entries if score else ():
                for theirs in pairing.entries:
                    if theirs != mine and score:
                        won = (1 + score.scores[mine] - score.scores[theirs]) / 2
                        for one in held.entries[mine].players:
                            met[one] += [Met(before[other], won) for other in held.entries[theirs].players]
        return {n: rated(before[n], games) for n, games in met.items()}
