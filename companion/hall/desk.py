"""The desk: it checks every decision, appends it to the desk's log and applies it to the state.

Several desks may share a database. The log gives all of them the same order.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import BadInput
from companion.hall import desk_log, reports
from companion.hall.database import Conflict, Database, Unavailable
from companion.hall.keys import Key, hash_key, hash_pin, matches_pin, new_pin, new_secret
from companion.hall.live import Tables
from companion.hall.ratings import RatedGame, Rating, update_rating
from companion.hall.standings import Standing, standings
from companion.hall.state import Person, Place, Role, State
from companion.hall.swiss import Board
from companion.hall.tournament import Pairing, Tournament, seats_of
from companion.hall.twins import TwinCommand, pending_commands, start_command

SYSTEM = "companion"  # the author of commands that no person gave
PUBLISH_GRACE = 3.0  # seconds for which only the desk that published a round starts its games


class Desk:
    """One process's view of the hall. It may be used from any thread."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.tables = Tables(database)
        self._lock = threading.RLock()
        self._state = State()
        self._stale = False
        self._sent_to_twins: dict[tuple[int, int], TwinCommand] = {}  # by twin and table: the last command sent
        self._start_commands: dict[int, list[dict[str, Any]]] = {}  # by place: the `start` commands sent so far
        self._hints_sent: tuple[bool, int] | None = None  # the lock that was sent, and to how many tables

    @property
    def state(self) -> State:
        return self._state

    def catch_up(self) -> bool:
        """Read what other desks decided and what tables reported. True if there was anything new."""
        with self._lock:
            if self._stale:
                self._state, self._stale = State(), False
            last = self._state.last
            entries = desk_log.read(self.database, last.number if last else 0)
            for entry in entries:
                self._state.apply(entry)
        reported = self.tables.catch_up()
        return bool(entries) or reported

    def do(self, who: str, kind: str, data: Mapping[str, Any]) -> int:
        """Check a decision against the newest state, append it to the log and apply it. Returns the id of what it
        created."""
        with self._lock:
            while True:
                self.catch_up()
                entry = desk_log.next_entry(self._state.last, who, kind, dict(data))
                try:
                    with self.database.transaction() as transaction:
                        desk_log.append(transaction, entry)
                        self._stale = True  # if the commit fails, the state holds what the log does not
                        created = self._state.apply(entry)
                except Conflict:
                    self._stale = False  # another desk was faster: nothing was applied
                    continue
                except Unavailable:
                    raise
                except BadInput:
                    self._stale = False  # it was refused before anything changed
                    raise
                self._stale = False
                break
        self.database.notify()
        return created

    # --- persons

    def add_person(self, who: str, name: str, role: Role, pin: str | None = None) -> str:
        """Add a person of the desk. Returns the PIN, which is not stored and is shown only now."""
        pin = pin or new_pin()
        if self.person_of(pin):
            raise BadInput("pin", "hall-pin-taken")
        self.do(who, "person", {"name": name, "role": role, "secret": hash_pin(pin)})
        return pin

    def person_of(self, pin: str) -> Person | None:
        return next((person for person in self._state.persons.values() if matches_pin(pin, person.secret)), None)

    # --- tables

    def add_table(self, who: str, name: str) -> Key:
        secret = new_secret()
        with self._lock:
            place = self.do(who, "table", {"name": name, "key": hash_key(secret)})
            self._send_hints_lock(who)
        return Key(place, secret)

    def new_key(self, who: str, place: int) -> Key:
        secret = new_secret()
        self.do(who, "key", {"table": place, "key": hash_key(secret)})
        return Key(place, secret)

    def revoke(self, who: str, place: int) -> None:
        self.do(who, "key", {"table": place, "key": None})

    def place_of(self, key: Key) -> Place | None:
        """The table that this key belongs to. None if the key is unknown or revoked."""
        place = self._state.places.get(key.place)
        if place is None:  # another desk may have added it just now
            self.catch_up()
            place = self._state.places.get(key.place)
        return place if place and place.key is not None and hash_key(key.secret) == place.key else None

    def command(self, who: str, place: int, kind: str, data: Mapping[str, Any]) -> int:
        number = reports.command(self.database, place, who, kind, json.dumps(data))
        self.database.notify()
        return number

    def _was_started(self, place: int, **values: object) -> bool:
        """Whether any desk has ever sent this table a `start` command with these values."""

        def is_sent() -> bool:
            sent = self._start_commands.get(place, ())
            return any(all(data.get(name) == value for name, value in values.items()) for data in sent)

        if not is_sent():
            self._start_commands[place] = reports.sent_commands(self.database, place, "start")
        return is_sent()

    def lock_hints(self, who: str, locked: bool) -> None:
        """For the whole hall, and for tables that join later."""
        with self._lock:
            self.do(who, "hints", {"locked": locked})
            self._send_hints_lock(who)

    def _send_hints_lock(self, who: str) -> None:
        """Tell each table whether hints are locked, unless its last command said so already."""
        current = self._state.hints_locked, len(self._state.places)
        if self._hints_sent == current:
            return
        sent = reports.last_sent_commands(self.database, "hints")
        for place in list(self._state.places):
            if sent.get(place, {}).get("locked", False) != self._state.hints_locked:
                self.command(who, place, "hints", {"locked": self._state.hints_locked})
        self._hints_sent = current

    # --- players

    def enter(
        self,
        who: str,
        tournament_id: int,
        names: Sequence[str],
        club: str = "",
        rating: float | None = None,
        here: bool = True,
    ) -> int:
        """Enter a player, or two as a team. A name that is not known yet becomes a new player."""
        with self._lock:
            self.catch_up()
            tournament = self._state.tournament(tournament_id)
            if len(names) != tournament.rules.team:
                raise BadInput("names", "wrong-count", count=tournament.rules.team, got=len(names))
            known = {player.name: player.id for player in self._state.players.values()}
            plain = [" ".join(name.split()) for name in names]
            players = [
                known[name] if name in known else self.do(who, "player", {"name": name, "club": club, "rating": rating})
                for name in plain
            ]
            return self.do(who, "enter", {"tournament": tournament_id, "players": players, "here": here})

    # --- rounds

    def seat(self, who: str, pairing: int, table: int | None) -> None:
        """Move a pairing to another table. If the round is published, its game starts there."""
        with self._lock:
            self.do(who, "seat", {"pairing": pairing, "table": table})
            found = self._state.pairing(pairing)
            if found and table is not None and found[0].published and found[1] in found[0].published[-1].pairings:
                self.start_game(who, *found)

    def pair(self, who: str, tournament_id: int, boards: list[list[int]] | None = None) -> list[Board]:
        """Draft the next round. `boards`: who plays whom, as a person wants it; it may replace a draft."""
        with self._lock:
            self.catch_up()
            tournament = self._state.tournament(tournament_id)
            if boards is None:
                found = tournament.next_boards(self.tables.reported, self.strengths())
            else:
                tournament.require_pairable(self.tables.reported, by_hand=True)
                found = [Board(tuple(board)) for board in boards]
            drawn = [list(board.players) for board in found]
            data = {
                "tournament": tournament_id,
                "round": tournament.draft.number if tournament.draft else len(tournament.rounds) + 1,
                "boards": drawn,
                "by_hand": boards is not None,
            }
            self.do(who, "pair", data)
            return found

    def publish(self, who: str, tournament_id: int) -> None:
        """Make the draft public, and start its games at the tables."""
        self.do(who, "publish", {"tournament": tournament_id})
        tournament = self._state.tournament(tournament_id)
        for pairing in tournament.rounds[-1].pairings:
            self.start_game(who, tournament, pairing)

    def _next_game(self, tournament: Tournament, pairing: Pairing) -> int | None:
        """The number of the pairing's next game, from 0. None if all are played, or it has no table."""
        if pairing.is_bye or pairing.place is None:
            return None
        known = self.tables.reported.get(pairing.id, {})
        return next((n for n in range(tournament.rules.match_length) if n not in known), None)

    def start_game(self, who: str, tournament: Tournament, pairing: Pairing) -> None:
        """Send the pairing's table the command to start its next game."""
        number = self._next_game(tournament, pairing)
        if number is None or pairing.place is None:
            return
        seats = seats_of(tournament.match_of(pairing), number)
        first = tournament.match_of(pairing).first(number)
        data = {
            "game": tournament.rules.game,
            "options": dict(tournament.rules.options),
            "players": [self._state.players[n].name for n in seats.values()],
            "count": tournament.rules.seats,
            "first": next(seat for seat, n in seats.items() if str(n) == first),
            "pairing": pairing.id,
            "number": number,
            "of": tournament.rules.match_length,
            "clock": tournament.rules.clock,
        }
        self.command(who, pairing.place, "start", data)

    def send_pending(self) -> None:
        """Send the commands that are due: the next games of matches, the hints' lock, and whatever a desk could not
        send before it was stopped. Two desks may send the same command: a table starts a game only once."""
        with self._lock:
            self._start_games()
            self._send_hints_lock(SYSTEM)

    def _start_games(self) -> None:
        for tournament in list(self._state.tournaments.values()):
            if tournament.closed or not tournament.published:
                continue
            new = abs(time.time() - tournament.published[-1].since) < PUBLISH_GRACE
            for pairing in tournament.published[-1].pairings:
                number = self._next_game(tournament, pairing)
                if number is None or pairing.place is None or tournament.entered(pairing) or (new and number == 0):
                    continue
                if not self._was_started(pairing.place, pairing=pairing.id, number=number):
                    self.start_game(SYSTEM, tournament, pairing)

    # --- one game at two tables

    def begin_twin(self, who: str, data: Mapping[str, Any]) -> int:
        """Two tables play one game against each other. The second starts when the first has reported its start."""
        with self._lock:
            number = self.do(who, "twin", data)
            twin = self._state.twins[number]
            self.command(who, twin.places[0], "start", start_command(twin, 0))
        return number

    def sync_twins(self) -> None:
        """Send each table of a twin game what happened at the other. Two desks may send the same: it counts once."""
        with self._lock:
            self._sync_twins()

    def _sync_twins(self) -> None:
        for twin in self._state.twins.values():
            tables = [self.tables.live.get(place) for place in twin.places]
            for side, pending in enumerate(pending_commands(twin, tables)):
                key = twin.id, side
                if pending is None:
                    self._sent_to_twins.pop(key, None)
                elif self._sent_to_twins.get(key) != pending:
                    self._sent_to_twins[key] = pending
                    # Sent again, an old start would supersede a newer one that the table has not received yet.
                    if pending.kind == "start" and self._was_started(twin.places[side], twin=twin.id):
                        continue
                    self.command(SYSTEM, twin.places[side], pending.kind, json.loads(pending.data))

    # --- standings and ratings

    def standings(self, tournament_id: int, up_to: int | None = None) -> list[Standing]:
        with self._lock:
            return standings(self._state.tournament(tournament_id), self.tables.reported, up_to)

    def strengths(self) -> dict[int, float]:
        return {n: rating.rating for n, rating in self.ratings().items()}

    def ratings(self) -> dict[int, Rating]:
        """The ratings of all players after all closed tournaments, rated one after another."""
        with self._lock:
            found = {n: Rating(player.rating or 1500) for n, player in self._state.players.items()}
            for tournament in self._state.tournaments.values():
                if tournament.closed:
                    found |= self._rated_after(tournament, found)
            return found

    def _rated_after(self, tournament: Tournament, before: Mapping[int, Rating]) -> dict[int, Rating]:
        met: dict[int, list[RatedGame]] = {n: [] for entry in tournament.entries.values() for n in entry.players}
        for pairing in (one for found in tournament.published for one in found.pairings if not one.is_bye):
            score = tournament.score(pairing, self.tables.reported)
            for mine in pairing.entries if score else ():
                for theirs in pairing.entries:
                    if theirs != mine and score:
                        won = (1 + score.scores[mine] - score.scores[theirs]) / 2
                        for one in tournament.entries[mine].players:
                            met[one] += [RatedGame(before[other], won) for other in tournament.entries[theirs].players]
        return {n: update_rating(before[n], games) for n, games in met.items()}
