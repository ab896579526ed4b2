"""What several games add up to: points, legs, marks or games won, as each game's rules say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.games.game import AnyGame, Counting
from companion.games.position import Outcome, Seat, player_of
from companion.games.value import replace, value

MOST_GAMES = 99


class Played(NamedTuple):
    """A game of a match: how it ended, and who sat where."""

    outcome: Outcome
    seats: Mapping[Seat, str]


@value
class Match:
    """Named people who play a game several times. In team games partners sit across: names in the order of play."""

    game: AnyGame
    names: tuple[str, ...]
    games: int
    played: tuple[Played, ...] = ()

    def seats(self, number: int) -> dict[Seat, str]:
        """Who plays what in a game of the match, counted from 0. The first turn passes on from game to game."""
        seats = self.game.seats[len(self.names)]
        passed = 0 if self.game.match.seats_stay else number % len(self.names)
        return dict(zip(seats, self.names[passed:] + self.names[:passed], strict=True))

    def first(self, number: int) -> str:
        """Who has the first turn in a game of the match."""
        return self.names[number % len(self.names)]

    def setup(self, number: int) -> dict[str, Any]:
        """What the set-up of a game of the match must say: whose the first turn is, where seats stay."""
        field, seats = self.game.match.first_in, self.game.seats[len(self.names)]
        return {field: seats[number % len(seats)]} if field and self.game.match.seats_stay else {}

    def after(self, outcome: Outcome, seats: Mapping[Seat, str] | None = None) -> Match:
        """With one game more; `seats` where people sat otherwise than it was their turn to."""
        return replace(self, played=(*self.played, Played(outcome, seats or self.seats(len(self.played)))))

    @property
    def counts_games(self) -> bool:
        """Whether it is won by winning the most games: then it is over as soon as nobody can come up any more."""
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
        """What one game brought everybody."""
        outcome, seats = self.played[number]
        there = self.game.seats[len(self.names)]
        return {name: self._counts(outcome, player_of(seat, there, self.game.players)) for seat, name in seats.items()}

    def _counts(self, outcome: Outcome, player: Seat) -> float:
        if self.game.match.counts is not Counting.GAMES:
            return outcome.scores[player]
        return 1 if player == outcome.winner else 0.5 if outcome.draw else 0

    def _sides(self) -> list[tuple[str, ...]]:
        """Who wins together: with four, those who sit across."""
        return [self.names[0::2], self.names[1::2]] if len(self.names) == 4 else [(name,) for name in self.names]

    def _by_side(self) -> dict[tuple[str, ...], float]:
        totals = self.totals()
        return {side: totals[side[0]] for side in self._sides()}

    def winners(self) -> tuple[str, ...]:
        """Who has won when it is over, partners together; nobody if the best are equal."""
        if not self.over:
            return ()
        totals = self._by_side()
        best = (min if self.fewest_wins else max)(totals.values())
        winners = [side for side, total in totals.items() if total == best]
        return winners[0] if len(winners) == 1 else ()


def match(game: AnyGame, names: tuple[str, ...], games: int | None = None) -> Match:
    """A match between these people. Where the roles differ (Hepta, T for Two) the number of games is even."""
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
