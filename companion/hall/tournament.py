"""A tournament: entries, rounds, pairings and results. `state.py` changes these values as it folds the desk's log."""

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

CONCEDED = (Ending.RESIGNED, Ending.TIME, Ending.FORFEIT)
TEAM = 4  # players at a board who play in two teams


class System(StrEnum):
    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    KNOCK_OUT = "knock-out"


class Rules(NamedTuple):
    """What is agreed before the first round."""

    name: str
    game: str
    system: System
    rounds: int  # 0: as many as the system needs
    seats: int = 2  # players at a board
    games: int = 0  # in a match; 0: as many as the game's rules say
    options: Mapping[str, Any] = {}
    clock: Mapping[str, Any] | None = None
    tie_breaks: tuple[str, ...] = ()
    late: float = 0  # points for each round that a late entry missed

    @property
    def played(self) -> AnyGame:
        return game(self.game)

    @property
    def match_length(self) -> int:
        return self.games or self.played.match.multiple

    @property
    def team(self) -> int:
        """Players in one entry."""
        return 2 if self.seats == TEAM else 1

    @property
    def at_board(self) -> int:
        """Entries at a board."""
        return self.seats // self.team

    @property
    def has_roles(self) -> bool:
        """Whether pairing must balance who plays first. It need not if every match gives everybody every role."""
        return self.match_length % self.at_board != 0


@dataclass
class Entry:
    """A participant: one player, or two as a team."""

    id: int
    players: tuple[int, ...]
    since: int  # the first round, from 1
    here: bool = True
    gone: int | None = None  # withdrawn from this round on

    def plays_in(self, number: int) -> bool:
        return self.here and self.since <= number and (self.gone is None or number < self.gone)


@dataclass
class Pairing:
    id: int
    entries: tuple[int, ...]  # a single entry has a bye
    place: int | None = None  # the table's id

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


class DeskResult(NamedTuple):
    """A result that a person entered. The newest counts; earlier ones are kept. Without scores it withdraws what was
    entered, and the table's own result counts again."""

    scores: Mapping[int, float] | None
    points: Mapping[int, float]
    who: str
    at: float
    reason: str
    entry: int


class Score(NamedTuple):
    """The result of a pairing: each entry's score, from 0 to 1, and its game points."""

    scores: Mapping[int, float]
    points: Mapping[int, float]


@dataclass
class Tournament:
    id: int
    rules: Rules
    entries: dict[int, Entry] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    forbidden: set[frozenset[int]] = field(default_factory=set)
    by_desk: dict[int, list[DeskResult]] = field(default_factory=dict)  # by pairing, the newest last
    closed: bool = False

    @property
    def published(self) -> list[Round]:
        return [found for found in self.rounds if found.published]

    @property
    def draft(self) -> Round | None:
        return self.rounds[-1] if self.rounds and not self.rounds[-1].published else None

    @property
    def length(self) -> int:
        """The number of rounds."""
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
        """The match of a pairing. Its names are the players' ids as text."""
        entries = [self.entries[n].players for n in pairing.entries]
        names = tuple(str(player) for across in zip(*entries, strict=True) for player in across)
        return Match(self.rules.played, names, self.rules.match_length)

    # --- results

    def score(self, pairing: Pairing, reported: Mapping[int, Mapping[int, Outcome]]) -> Score | None:
        """The result that counts: the desk's, else the table's. None if the match is not over."""
        if pairing.is_bye:
            return Score({pairing.entries[0]: 1}, {})
        if (entered := self.entered(pairing)) and entered.scores is not None:
            return Score(entered.scores, entered.points)
        return self.table_score(pairing, reported.get(pairing.id, {}))

    def entered(self, pairing: Pairing) -> DeskResult | None:
        """The result that the desk entered, unless there is none or it was withdrawn."""
        found = self.by_desk.get(pairing.id)
        return found[-1] if found and found[-1].scores is not None else None

    def table_score(self, pairing: Pairing, outcomes: Mapping[int, Outcome]) -> Score | None:
        """The result by the table's own games, once all of them are over."""
        length = self.rules.match_length
        if any(number not in outcomes for number in range(length)):
            return None
        played = self.match_of(pairing)
        for number in range(length):
            played = played.after(outcomes[number])
        totals = played.totals()
        points = {n: sum(totals[str(p)] for p in self.entries[n].players) / self.rules.team for n in pairing.entries}
        fewest = len(played.names) in self.rules.played.match.fewest_wins
        return Score(self._conceded_scores(pairing, played) or scores_of(points, fewest), points)

    def _conceded_scores(self, pairing: Pairing, played: Match) -> dict[int, float] | None:
        """Whoever concedes a game has lost the match, whatever points he has. None if nobody conceded, or both did
        equally often."""
        won = dict.fromkeys(pairing.entries, 0.0)
        for outcome, seats in played.played:
            if outcome.why not in CONCEDED or outcome.winner is None or self.rules.at_board != 2:
                continue
            winners = {name for seat, name in seats.items() if _side(seat, seats, played) == outcome.winner}
            for n in pairing.entries:
                won[n] += str(self.entries[n].players[0]) in winners
        return None if len(set(won.values())) == 1 else scores_of(won)

    # --- pairing

    def require_pairable(self, reported: Mapping[int, Mapping[int, Outcome]], by_hand: bool = False) -> None:
        """BadInput says why the next round cannot be paired now. `by_hand`: a draft may be replaced."""
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
        """The boards of the next round. `strength`: by player; it decides the order as long as scores are equal."""
        self.require_pairable(reported)
        number = len(self.rounds) + 1
        order = sorted(self.entries, key=lambda n: (-self._strength(n, strength), n))
        there = [n for n in order if self.entries[n].plays_in(number)]
        if self.rules.system is System.ROUND_ROBIN:
            boards = schedules.berger(sorted(self.entries), number - 1)
            return [left for board in boards if (left := self._without_withdrawn(board, number)).players]
        if self.rules.system is System.KNOCK_OUT:
            if not self.rounds:
                self._require_enough(there)
                return schedules.bracket(there)
            last = self.rounds[-1]
            found = [self.score(one, reported) for one in last.pairings]
            return schedules.next_bracket(
                [Board(one.entries) for one in last.pairings], [score.scores if score else {} for score in found]
            )
        self._require_enough(there)
        entrants = self.entrants(reported, order)
        playing = [entrant for entrant in entrants if entrant.id in there]
        if self.rules.at_board == 2:
            return swiss.pair(playing, self.forbidden)
        return swiss.seat_groups(playing, self.rules.at_board, self.forbidden, seed=number)

    def entrants(self, reported: Mapping[int, Mapping[int, Outcome]], order: list[int]) -> list[Entrant]:
        """All entries as the pairing needs them, the best first."""
        scores = dict.fromkeys(order, 0.0)
        met: dict[int, set[int]] = {n: set() for n in order}
        roles: dict[int, list[int]] = {n: [] for n in order}
        had_bye = set()
        for n in order:
            scores[n] += self.rules.late * (self.entries[n].since - 1)
        for one in (one for found in self.rounds for one in found.pairings):
            score = self.score(one, reported)
            for place, n in enumerate(one.entries):
                scores[n] += score.scores.get(n, 0) if score else 0
                met[n] |= set(one.entries) - {n}
                if one.is_bye:
                    had_bye.add(n)
                elif self.rules.has_roles:
                    roles[n].append(min(place, 1))
        found = [Entrant(n, scores[n], frozenset(met[n]), n in had_bye, tuple(roles[n])) for n in order]
        return sorted(found, key=lambda entrant: -entrant.score)  # a stable sort: equals keep their order

    def _strength(self, entry: int, strength: Mapping[int, float]) -> float:
        return sum(strength.get(player, 0) for player in self.entries[entry].players)

    def _require_enough(self, there: list[int]) -> None:
        if len(there) < self.rules.at_board:
            raise BadInput("", "hall-too-few", count=len(there), needed=self.rules.at_board)

    def _without_withdrawn(self, board: Board, number: int) -> Board:
        """In a round robin the opponent of an entry that has withdrawn gets a bye."""
        return Board(tuple(n for n in board.players if self.entries[n].plays_in(number)))


def _side(seat: Seat, seats: Mapping[Seat, str], played: Match) -> Seat:
    """The player or team that a seat scores for."""
    return player_of(seat, tuple(seats), played.game.players)


def scores_of(points: Mapping[int, float], fewest_wins: bool = False) -> dict[int, float]:
    """Scores from 0 to 1: the share of the others who have fewer points; equals count one half."""
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
    """The player's id in each seat, in one game of a match."""
    return {seat: int(name) for seat, name in played.seats(number).items()}
