"""The turns behind a look at Plank. Whose tokens must still arrive, and how many turns he has for it, says nearly all:
only where he has more turns than that, one of them goes by way of another square, or comes back."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator
from typing import NamedTuple

from companion.games.plank import COLORS, PLANKS, PlankGame, Turn
from companion.games.position import AnyPosition, Seat
from companion.referee import search
from companion.referee.evidence import Evidence
from companion.referee.goal import Goal, goals, shown
from companion.referee.search import PUT_ONLY, Reached
from companion.referee.turns import candidate_turns

__all__ = ["candidate_turns", "several_turns"]

Codes = dict[str, str]  # by square its color and the token on it
Turns = tuple[Turn, ...]
WAYSIDE = 2  # squares that are tried for a token on its way: it makes no difference which, but for lines of three


def several_turns(
    position: PlankGame, evidence: Evidence, turns: int, thoroughly: bool
) -> Generator[Reached | None, None, bool]:
    if turns == PUT_ONLY:
        yield from search.several_turns(position, evidence, turns, thoroughly)
    elif not thoroughly:  # nothing is left out before
        for goal in goals(position, evidence):
            yield from _Search(goal, position.players).reach(position, turns, ())
    return True


class _Token(NamedTuple):
    """A token that its owner may play: where it lies, or its color while it is in his hand."""

    at: str
    color: str
    is_needed: bool  # where it lies it must not be taken away


class _Time(NamedTuple):
    """What the player to move has left of the turns that are looked for."""

    turns: int
    slack: int  # those of them in which no token of his must arrive


class _Search:
    """Depth first; nobody may have more to do than he has turns."""

    def __init__(self, goal: Goal, players: tuple[Seat, ...]) -> None:
        self.goal, self.players = goal, players
        self.known: dict[Hashable, set[AnyPosition]] = {}
        # The squares on which a player's token must lie in the end, whatever else is not certain.
        owners = {name: {code[1] for code in codes} for name, codes in goal.possible.items()}
        self.owner = {name: min(of) for name, of in owners.items() if len(of) == 1 and of <= set(players)}
        rows = [int(name[1:]) for name in goal.possible]
        self.south, self.north = min(rows), max(rows)

    def reach(self, position: PlankGame, left: int, turns: Turns) -> Iterator[Reached | None]:
        key = (position.future(), left)
        if key in self.known:
            yield from [Reached(end, None) for end in self.known[key]]
            return
        ends: set[AnyPosition] = set()
        self.known[key] = ends
        yield None
        codes = shown(position)
        if not left:
            if not self.goal.wrong(codes):
                ends.add(position)
                yield Reached(position, turns)
            return
        time = self._time(position, codes, left)
        for turn in self._turns(position, codes, time) if time else ():
            for found in self.reach(position.play(turn), left - 1, (*turns, turn)):
                if found:
                    ends.add(found.position)
                yield found

    def _time(self, position: PlankGame, codes: Codes, left: int) -> _Time | None:
        """What time the player to move has; None where somebody's turns do not suffice, or the game is over."""
        if position.to_move is None or self._unlaid(position) > left:
            return None
        first, rest = self.players.index(position.to_move), [0] * len(self.players)
        for n in range(left):
            rest[(first + n) % len(self.players)] += 1
        turns = rest[first]
        for name, owner in self.owner.items():
            if codes.get(name) not in self.goal.possible[name]:
                rest[self.players.index(owner)] -= 1
        return _Time(turns, rest[first]) if min(rest) >= 0 else None

    def _unlaid(self, position: PlankGame) -> int:
        return self.north - self.south + 1 - len(position.row)

    def _turns(self, position: PlankGame, codes: Codes, time: _Time) -> Iterator[Turn]:
        """The turns that leave enough of them for all that must still arrive."""
        tokens = list(self._tokens(position, codes))
        # What is put stays, as long as he has more to put than turns.
        stays = sum(position.hand(position.to_move or "").tokens) >= time.turns
        for plank, end, row in [("", "", None), *self._next_planks(position)]:
            squares = {name: code for name, code in codes.items() if code[1:] == "."}
            if row is not None:
                squares = {f"{column}{row}": f"{color}." for column, color in zip("abc", plank, strict=True)}
            for token in tokens:
                wayside = 0
                for square, code in squares.items():
                    if code[0] != token.color:
                        continue
                    fits = f"{token.color}{position.to_move}" in self.goal.possible[square]
                    arrives = fits and code not in self.goal.possible[square]
                    wayside += not arrives
                    if time.slack - 1 + arrives - token.is_needed < 0:
                        continue
                    if not arrives and (wayside > WAYSIDE or (stays and not fits)):
                        continue
                    turn = Turn(plank, end, token.at, square)
                    if position.why_not(turn) is None:
                        yield turn

    def _tokens(self, position: PlankGame, codes: Codes) -> Iterator[_Token]:
        player = position.to_move or ""
        hand = position.hand(player)
        if any(hand.tokens):
            yield from [_Token(color, color, False) for color, n in zip(COLORS, hand.tokens, strict=True) if n]
            return
        for name, code in codes.items():
            if code[1] == player:
                color = code.partition(":")[2] or code[0]
                yield _Token(name, color, code in self.goal.possible[name] and name in self.owner)

    def _next_planks(self, position: PlankGame) -> Iterator[tuple[str, str, int]]:
        """The planks that lie at the ends in the end, if they do not yet."""
        south, north = position.first_row - 1, position.first_row + len(position.row)
        for end, row in [("v", south)] * (south >= self.south and len(position.row) > 0) + [("^", north)] * (
            north <= self.north
        ):
            seen = [{code[0] for code in self.goal.possible[f"{column}{row}"]} for column in "abc"]
            for plank in PLANKS:
                if all(color in colors for color, colors in zip(plank, seen, strict=True)):
                    yield plank, end, row
