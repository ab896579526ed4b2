"""What several games add up to: points, legs, marks or games won, as each game's rules say."""

from __future__ import annotations

from companion.errors import BadInput
from companion.games.game import AnyGame, Counting
from companion.games.position import Outcome, Seat, player_of
from companion.games.value import replace, value


@value
class Match:
    """Named people who play a game several times. In team games partners sit across: names in the order of play."""

    game: AnyGame
    names: tuple[str, ...]
    games: int
    outcomes: tuple[Outcome, ...] = ()

    def seats(self, number: int) -> dict[Seat, str]:
        """Who plays what in a game of the match, counted from 0. The first turn passes on from game to game."""
        seats = self.game.seats[len(self.names)]
        passed = 0 if self.game.match.seats_stay else number % len(self.names)
        return dict(zip(seats, self.names[passed:] + self.names[:passed], strict=True))

    def first(self, number: int) -> str:
        """Who has the first turn in a game of the match."""
        return self.names[number % len(self.names)]

    def after(self, outcome: Outcome) -> Match:
        return replace(self, outcomes=(*self.outcomes, outcome))

    @property
    def over(self) -> bool:
        return len(self.outcomes) >= self.games

    def totals(self) -> dict[str, float]:
        totals: dict[str, float] = dict.fromkeys(self.names, 0)
        for number, outcome in enumerate(self.outcomes):
            seated = self.seats(number)
            for seat, name in seated.items():
                totals[name] += self._counts(outcome, player_of(seat, tuple(seated), self.game.players))
        return totals

    def _counts(self, outcome: Outcome, player: Seat) -> float:
        if self.game.match.counts is not Counting.GAMES:
            return outcome.scores[player]
        return 1 if player == outcome.winner else 0.5 if outcome.draw else 0

    def winners(self) -> tuple[str, ...]:
        """Who has won when it is over, partners together; nobody if the best are equal."""
        if not self.over:
            return ()
        totals = self.totals()
        fewest = len(self.names) in self.game.match.fewest_wins
        best = (min if fewest else max)(totals.values())
        winners = tuple(name for name in self.names if totals[name] == best)
        teams = [self.names[0::2], self.names[1::2]] if len(self.names) == 4 else [(name,) for name in self.names]
        return winners if winners in teams else ()


def match(game: AnyGame, names: tuple[str, ...], games: int | None = None) -> Match:
    """A match between these people. Where the roles differ (Hepta, T for Two) the number of games is even."""
    usual = game.match.multiple
    number = usual if games is None else games
    allowed = tuple(game.seats)
    if len(names) not in allowed or len(set(names)) < len(names):
        raise BadInput("names", "wrong-count", count=" / ".join(map(str, allowed)), got=len(set(names)))
    if number < 1 or number % usual:
        raise BadInput("games", "not-a-match", usual=usual, got=number)
    return Match(game, names, number)
