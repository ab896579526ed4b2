"""Matches of several games, which count points, legs, marks or games won."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.games.game import AnyGame, Counting
from companion.games.position import Outcome, Seat, player_of
from companion.games.value import replace, value

MOST_GAMES = 99


class Played(NamedTuple):
    """A game of a match: its outcome, and the player in each seat."""

    outcome: Outcome
    seats: Mapping[Seat, str]


@value
class Match:
    """People who play a game several times. `names` are in the order of play, so partners sit across."""

    game: AnyGame
    names: tuple[str, ...]
    games: int
    played: tuple[Played, ...] = ()

    def seats(self, number: int) -> dict[Seat, str]:
        """The player in each seat, in the game with this number from 0. The first turn rotates."""
        seats = self.game.seats[len(self.names)]
        passed = 0 if self.game.match.seats_stay else number % len(self.names)
        return dict(zip(seats, self.names[passed:] + self.names[:passed], strict=True))

    def first(self, number: int) -> str:
        """The player with the first turn in a game of the match."""
        return self.names[number % len(self.names)]

    def setup(self, number: int) -> dict[str, Any]:
        """The setup fields that a game of the match needs: if seats stay, the seat of the first turn."""
        field, seats = self.game.match.first_in, self.game.seats[len(self.names)]
        return {field: seats[number % len(seats)]} if field and self.game.match.seats_stay else {}

    def after(self, outcome: Outcome, seats: Mapping[Seat, str] | None = None) -> Match:
        """The match after one more game. `seats`: if people sat differently than planned."""
        return replace(self, played=(*self.played, Played(outcome, seats or self.seats(len(self.played)))))

    @property
    def counts_games(self) -> bool:
        """Whether games won are counted: then it is over as soon as nobody can catch up."""
        counts = self.game.match.counts
        return counts is Counting.GAMES or (counts is Counting.MARKS and not self.fewest_wins)

    @property
    def fewest_wins(self) -> bool:
        return len(self.names) in self.game.match.fewest_wins

    @property
    def over(self) -> bool:
        left = self.games - len(self.played)
        if left <= 0 or not self.counts_games:
            return left <= 0
        best, second, *_ = sorted((total for total in self._by_side().values()), reverse=True)
        return best > second + left

    def totals(self) -> dict[str, float]:
        totals: dict[str, float] = dict.fromkeys(self.names, 0)
        for number in range(len(self.played)):
            for name, count in self.counted(number).items():
                totals[name] += count
        return totals

    def counted(self, number: int) -> dict[str, float]:
        """What each player scored in one game."""
        outcome, seats = self.played[number]
        there = self.game.seats[len(self.names)]
        return {name: self._counts(outcome, player_of(seat, there, self.game.players)) for seat, name in seats.items()}

    def _counts(self, outcome: Outcome, player: Seat) -> float:
        if self.game.match.counts is not Counting.GAMES:
            return outcome.scores[player]
        return 1 if player == outcome.winner else 0.5 if outcome.draw else 0

    def _sides(self) -> list[tuple[str, ...]]:
        """The sides: with four players those who sit across play together."""
        return [self.names[0::2], self.names[1::2]] if len(self.names) == 4 else [(name,) for name in self.names]

    def _by_side(self) -> dict[tuple[str, ...], float]:
        totals = self.totals()
        return {side: totals[side[0]] for side in self._sides()}

    def winners(self) -> tuple[str, ...]:
        """The winners of a match that is over, partners together; empty for a tie."""
        if not self.over:
            return ()
        totals = self._by_side()
        best = (min if self.fewest_wins else max)(totals.values())
        winners = [side for side, total in totals.items() if total == best]
        return winners[0] if len(winners) == 1 else ()


def match(game: AnyGame, names: tuple[str, ...], games: int | None = None) -> Match:
    """A match between these people. The number of games is even if the roles differ (Hepta, T for Two)."""
    usual = game.match.multiple
    number = usual if games is None else games
    allowed = tuple(number for number in game.seats if number > 1)
    if not allowed:
        raise BadInput("match", "no-match", game=game.id)
    if len(names) not in allowed:
        raise BadInput("names", "wrong-count", count=" / ".join(map(str, allowed)), got=len(names))
    if len(set(names)) < len(names) or not all(names):
        raise BadInput("names", "names-alike")
    if not 1 <= number <= MOST_GAMES or number % usual:
        raise BadInput("games", "not-a-match", usual=usual, got=number)
    return Match(game, names, number)
