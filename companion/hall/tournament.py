"""A tournament: who takes part, who plays whom in which round, and what came of it. Values that the hall's fold
changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.games import game
from companion.games.game import AnyGame
from companion.games.match import Match
from companion.games.position import Outcome, Seat, player_of
from companion.hall import schedules, swiss
from companion.hall.swiss import Board, Entrant
from companion.record import Ending

GIVEN_UP = (Ending.RESIGNED, Ending.TIME, Ending.FORFEIT)
TEAM = 4  # so many play for two teams, partners across


class System(StrEnum):
    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    KNOCK_OUT = "knock-out"


class Rules(NamedTuple):
    """What was agreed before the first round."""

    name: str
    game: str
    system: System
    rounds: int  # 0: as many as it takes
    seats: int = 2  # how many play at a board
    games: int = 0  # of a match; 0: as many as its rules want
    options: Mapping[str, Any] = {}
    clock: Mapping[str, Any] | None = None
    tie_breaks: tuple[str, ...] = ()
    late: float = 0  # points for each round that somebody missed who came late

    @property
    def played(self) -> AnyGame:
        return game(self.game)

    @property
    def match_length(self) -> int:
        return self.games or self.played.match.multiple

    @property
    def team(self) -> int:
        """How many make one entry."""
        return 2 if self.seats == TEAM else 1

    @property
    def at_board(self) -> int:
        """How many entries meet at a board."""
        return self.seats // self.team

    @property
    def has_roles(self) -> bool:
        """Whether it matters over the rounds who is first: where a match has everybody in every role it does not."""
        return self.match_length % self.at_board != 0


@dataclass
class Entry:
    """Who takes part: a player, or two as a team."""

    id: int
    players: tuple[int, ...]
    since: int  # the round, from 1
    here: bool = True
    gone: int | None = None  # withdrawn from this round on

    def plays_in(self, number: int) -> bool:
        return self.here and self.since <= number and (self.gone is None or number < self.gone)


@dataclass
class Pairing:
    id: int
    entries: tuple[int, ...]  # one alone is left out
    place: int | None = None  # the table

    @property
    def is_bye(self) -> bool:
        return len(self.entries) == 1


@dataclass
class Round:
    number: int
    pairings: list[Pairing]
    published: bool = False
    by_hand: bool = False
    since: float = 0  # when it was published


class ByDesk(NamedTuple):
    """A result that a person entered; each later one stands for the ones before, which are kept. No scores: what was
    entered is withdrawn, and the table's own result counts again."""

    scores: Mapping[int, float] | None
    points: Mapping[int, float]
    who: str
    at: float
    reason: str
    deed: int


class Score(NamedTuple):
    """What came of a pairing: for each entry what it won, from 0 to 1, and what the games themselves counted."""

    scores: Mapping[int, float]
    points: Mapping[int, float]


@dataclass
class Tournament:
    id: int
    rules: Rules
    entries: dict[int, Entry] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    forbidden: set[frozenset[int]] = field(default_factory=set)
    by_desk: dict[int, list[ByDesk]] = field(default_factory=dict)  # of each pairing, the newest last
    closed: bool = False

    @property
    def published(self) -> list[Round]:
        return [found for found in self.rounds if found.published]

    @property
    def draft(self) -> Round | None:
        return self.rounds[-1] if self.rounds and not self.rounds[-1].published else None

    @property
    def length(self) -> int:
        """How many rounds there are."""
        count = sum(entry.gone is None for entry in self.entries.values())
        if self.rules.system is System.ROUND_ROBIN:
            return schedules.berger_rounds(len(self.entries)) * max(1, self.rules.rounds)
        if self.rules.system is System.KNOCK_OUT:
            first = len(self.rounds[0].pairings) * 2 if self.rounds else count
            return max(0, first - 1).bit_length()
        return self.rules.rounds or max(1, (count - 1).bit_length() + 1)

    def pairing(self, number: int) -> Pairing | None:
        return next((one for found in self.rounds for one in found.pairings if one.id == number), None)

    def match_of(self, pairing: Pairing) -> Match:
        """Who plays what in each game: names are the numbers of the players."""
        entries = [self.entries[n].players for n in pairing.entries]
        names = tuple(str(player) for across in zip(*entries, strict=True) for player in across)
        return Match(self.rules.played, names, self.rules.match_length)

    # --- results

    def score(self, pairing: Pairing, reported: Mapping[int, Mapping[int, Outcome]]) -> Score | None:
        """What counts: what the desk entered last, else what the table reported; None: it is not over."""
        if pairing.is_bye:
            return Score({pairing.entries[0]: 1}, {})
        if (entered := self.entered(pairing)) and entered.scores is not None:
            return Score(entered.scores, entered.points)
        return self.table_score(pairing, reported.get(pairing.id, {}))

    def entered(self, pairing: Pairing) -> ByDesk | None:
        """The desk's result, if there is one that counts."""
        found = self.by_desk.get(pairing.id)
        return found[-1] if found and found[-1].scores is not None else None

    def table_score(self, pairing: Pairing, outcomes: Mapping[int, Outcome]) -> Score | None:
        """What the table's games add up to, once the last one is over."""
        length = self.rules.match_length
        if any(number not in outcomes for number in range(length)):
            return None
        played = self.match_of(pairing)
        for number in range(length):
            played = played.after(outcomes[number])
        totals = played.totals()
        points = {n: sum(totals[str(p)] for p in self.entries[n].players) / self.rules.team for n in pairing.entries}
        fewest = len(played.names) in self.rules.played.match.fewest_wins
        return Score(self._given_up(pairing, played) or scores_of(points, fewest), points)

    def _given_up(self, pairing: Pairing, played: Match) -> dict[int, float] | None:
        """Where points are counted, who gives a game up has lost the match, whatever he had by then; None if nobody
        did, or both did as often."""
        won = dict.fromkeys(pairing.entries, 0.0)
        for outcome, seats in played.played:
            if outcome.why not in GIVEN_UP or outcome.winner is None or self.rules.at_board != 2:
                continue
            winners = {name for seat, name in seats.items() if _side(seat, seats, played) == outcome.winner}
            for n in pairing.entries:
                won[n] += str(self.entries[n].players[0]) in winners
        return None if len(set(won.values())) == 1 else scores_of(won)

    # --- pairing

    def may_pair(self, reported: Mapping[int, Mapping[int, Outcome]], by_hand: bool = False) -> None:
        """BadInput says why the next round cannot be paired now. By hand a draft can be changed."""
        if self.closed:
            raise BadInput("", "hall-closed")
        if self.draft:
            if by_hand:
                return
            raise BadInput("", "hall-draft-waits", round=self.draft.number)
        if self.rounds:
            missing = [one.id for one in self.rounds[-1].pairings if self.score(one, reported) is None]
            if missing:
                raise BadInput("", "hall-results-missing", count=len(missing), round=self.rounds[-1].number)
        if len(self.rounds) >= self.length:
            raise BadInput("", "hall-last-round", round=len(self.rounds))

    def next_boards(self, reported: Mapping[int, Mapping[int, Outcome]], strength: Mapping[int, float]) -> list[Board]:
        """Who plays whom in the next round. `strength`: of each player, for the order before anything is played."""
        self.may_pair(reported)
        number = len(self.rounds) + 1
        order = sorted(self.entries, key=lambda n: (-self._strength(n, strength), n))
        there = [n for n in order if self.entries[n].plays_in(number)]
        if self.rules.system is System.ROUND_ROBIN:
            boards = schedules.berger(sorted(self.entries), number - 1)
            return [left for board in boards if (left := self._without_the_gone(board, number)).players]
        if self.rules.system is System.KNOCK_OUT:
            if not self.rounds:
                self._enough(there)
                return schedules.bracket(there)
            last = self.rounds[-1]
            found = [self.score(one, reported) for one in last.pairings]
            return schedules.next_bracket(
                [Board(one.entries) for one in last.pairings], [score.scores if score else {} for score in found]
            )
        self._enough(there)
        entrants = self.entrants(reported, order)
        playing = [entrant for entrant in entrants if entrant.id in there]
        if self.rules.at_board == 2:
            return swiss.pair(playing, self.forbidden)
        return swiss.seat_groups(playing, self.rules.at_board, self.forbidden, seed=number)

    def entrants(self, reported: Mapping[int, Mapping[int, Outcome]], order: list[int]) -> list[Entrant]:
        """All who take part as pairing sees them, the best first."""
        scores = dict.fromkeys(order, 0.0)
        met: dict[int, set[int]] = {n: set() for n in order}
        roles: dict[int, list[int]] = {n: [] for n in order}
        left_out = set()
        for n in order:
            scores[n] += self.rules.late * (self.entries[n].since - 1)
        for one in (one for found in self.rounds for one in found.pairings):
            score = self.score(one, reported)
            for place, n in enumerate(one.entries):
                scores[n] += score.scores.get(n, 0) if score else 0
                met[n] |= set(one.entries) - {n}
                if one.is_bye:
                    left_out.add(n)
                elif self.rules.has_roles:
                    roles[n].append(min(place, 1))
        found = [Entrant(n, scores[n], frozenset(met[n]), n in left_out, tuple(roles[n])) for n in order]
        return sorted(found, key=lambda entrant: -entrant.score)  # the order stays among equals

    def _strength(self, entry: int, strength: Mapping[int, float]) -> float:
        return sum(strength.get(player, 0) for player in self.entries[entry].players)

    def _enough(self, there: list[int]) -> None:
        if len(there) < self.rules.at_board:
            raise BadInput("", "hall-too-few", count=len(there), needed=self.rules.at_board)

    def _without_the_gone(self, board: Board, number: int) -> Board:
        """In a round robin whoever was to play somebody who has gone is left out."""
        return Board(tuple(n for n in board.players if self.entries[n].plays_in(number)))


def _side(seat: Seat, seats: Mapping[Seat, str], played: Match) -> Seat:
    """Under which name a seat is scored."""
    return player_of(seat, tuple(seats), played.game.players)


def scores_of(points: Mapping[int, float], fewest_wins: bool = False) -> dict[int, float]:
    """What each has won, from 0 to 1: the share of the others that he is better than, half of those he equals."""
    sign = -1 if fewest_wins else 1
    others = max(1, len(points) - 1)
    return {
        n: sum(
            1.0 if sign * mine > sign * theirs else 0.5 if mine == theirs else 0.0
            for m, theirs in points.items()
            if m != n
        )
        / others
        for n, mine in points.items()
    }


def seats_of(played: Match, number: int) -> dict[Seat, int]:
    """Which player has which seat in a game of a match."""
    return {seat: int(name) for seat, name in played.seats(number).items()}
