"""What several games add up to: points, legs, marks or games won, as each game's rules say."""

from __future__ import annotations

from typing import Any

from companion.games.position import BadInput, Game, Outcome, Player
from companion.games.value import replace, value

USUAL = {"points": 2, "legs": 2}  # games in a match, where it is not one


@value
class Match:
    """Named people who play a game several times. In team games partners sit across: names in the order of play."""

    game: Game[Any]
    names: tuple[str, ...]
    games: int
    outcomes: tuple[Outcome, ...] = ()

    def seats(self, number: int) -> dict[Player, str]:
        """Who plays what in a game of the match, counted from 0. The first turn passes on from game to game."""
        if self.game.id == "plank":  # letters stay with the players (plank.7)
            return dict(zip("ABCD", self.names, strict=False))
        seats = ("square1", "round1", "square2", "round2") if len(self.names) == 4 else self.game.roles
        passed = number % len(self.names)
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
            for seat, name in self.seats(number).items():
                totals[name] += self._counts(outcome, seat.rstrip("12"))
        return totals

    def _counts(self, outcome: Outcome, role: Player) -> float:
        if self.game.adds_up != "games":
            return outcome.scores[role]
        return 1 if role == outcome.winner else 0.5 if outcome.draw else 0

    def winners(self) -> tuple[str, ...]:
        """Who has won when it is over, partners together; nobody if the best are equal."""
        if not self.over:
            return ()
        totals = self.totals()
        fewest = self.game.id == "plank" and len(self.names) == 3  # marks are bad (plank.6)
        best = (min if fewest else max)(totals.values())
        winners = tuple(name for name in self.names if totals[name] == best)
        teams = [self.names[0::2], self.names[1::2]] if len(self.names) == 4 else [(name,) for name in self.names]
        return winners if winners in teams else ()


def match(game: Game[Any], names: tuple[str, ...], games: int | None = None) -> Match:
    """A match between these people. Where the roles differ (Hepta, T for Two) the number of games is even."""
    usual = USUAL.get(game.adds_up, 1)
    number = usual if games is None else games
    allowed = {"plank": (2, 3, 4), "trippples": (2, 4)}.get(game.id, (len(game.roles),))
    if len(names) not in allowed or len(set(names)) < len(names):
        raise BadInput("names", "wrong-count", count=" / ".join(map(str, allowed)), got=len(set(names)))
    if number < 1 or number % usual:
        raise BadInput("games", "not-a-match", usual=usual, got=number)
    return Match(game, names, number)
