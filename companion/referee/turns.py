"""The turns that may be behind a look, for games that need nothing special: what all of them share.

A turn is what hands may have done since a position: mostly one move, several where they are made at one go or where
some of them cannot be seen. A game for which this does not do names a module of its own in `Game.inference`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from companion.games.position import AnyPosition
from companion.games.squares import codes_by_square
from companion.referee.evidence import Evidence

Turn = tuple[Any, ...]  # moves, of whichever game


class TurnFinder(Protocol):
    def __call__(self, position: AnyPosition, evidence: Evidence) -> Iterator[Turn]:
        """All turns from a position that lead to a picture which the evidence allows; others may be among them."""


@cache
def turn_finder(module: str) -> TurnFinder:
    """`candidate_turns` of the module that a game names."""
    return cast(TurnFinder, import_module(module).candidate_turns)


def candidate_turns(position: AnyPosition, evidence: Evidence) -> Iterator[Turn]:
    if position.puts_freely:
        yield from several_put(position, evidence)
        return
    unchanged: frozenset[str] | None = None
    for move in position.moves():
        if not position.is_seen(move):  # it shows in the move that follows
            yield from ((move, *turn) for turn in candidate_turns(position.play(move), evidence))
            continue
        if unchanged is None:  # the first move tells whether pieces of several squares are laid now
            unchanged = _surely_unchanged(position, evidence) if len(position.trace(move).to) > 1 else frozenset()
        if not unchanged or _may_lie(position.trace(move).to, unchanged):
            yield (move,)


def several_put(position: AnyPosition, evidence: Evidence) -> Iterator[Turn]:
    """Pieces put at one go: all that are surely there, and one more that may be; or one of which it is not sure what
    it is."""
    shows = codes_by_square(position.visible())
    sure: list[Any] = []
    perhaps: list[Any] = []
    unclear: list[Any] = []
    for square, codes in sorted(evidence.possible.items()):
        moves = [move for code in sorted(codes) if (move := position.put(square, code)) is not None]
        (unclear if len(moves) > 1 else perhaps if shows[square] in codes else sure).extend(moves)
    after = _played(position, sure)
    if after is None:  # more than can be put: at least one of them is misread
        unclear += sure
    else:
        if sure:
            yield tuple(sure)
        yield from ((*sure, move) for move in perhaps if after.puts_freely and after.why_not(move) is None)
    yield from ((move,) for move in unclear)


def _played(position: AnyPosition, moves: list[Any]) -> AnyPosition | None:
    """The position after these moves; None if one of them is illegal."""
    for move in moves:
        if position.why_not(move):
            return None
        position = position.play(move)
    return position


def _surely_unchanged(position: AnyPosition, evidence: Evidence) -> frozenset[str]:
    """The squares on which nothing but what they showed before is possible."""
    if not evidence.possible:
        return frozenset()
    shows = codes_by_square(position.visible())
    return frozenset([square for square, codes in evidence.possible.items() if codes == {shows[square]}])


def _may_lie(squares: tuple[str, ...], unchanged: frozenset[str]) -> bool:
    """Whether a piece of several squares may have been laid there: it stays, and shows on all of them. A piece of one
    square may be gone again when the camera looks, so every move with one is possible."""
    return len(squares) < 2 or unchanged.isdisjoint(squares)
