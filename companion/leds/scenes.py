"""Builds the scene that the lights show, from a game and the referee's verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.position import AnyPosition, Outcome, PlankSeen, Trace, Visible
from companion.leds.picture import EMPTY, Scene, is_square
from companion.referee import Verdict, Wrong


def scene_of(
    positions: Sequence[AnyPosition],
    moves: Sequence[Any],
    verdict: Verdict | None = None,
    seen: Visible | None = None,
    outcome: Outcome | None = None,
    hint: Any = None,
    unkept: bool = False,
) -> Scene:
    """The scene of a game's last position. `moves`: from each position to the next, None for an illegal step that
    stood; `hint`: a move; `unkept`: the moves cannot be saved to disk now."""
    position = positions[-1]
    wrong: tuple[Wrong, ...] = ()
    if verdict and verdict.kind == "illegal":
        wrong = on_planks(position, seen) if seen and "planks" in seen else verdict.wrong
    lifted = _lifted(position, verdict.wrong) if verdict and verdict.kind == "partial" else None
    advice = None if hint is None else position.trace(hint)
    return Scene(position, last_turn(positions, moves), lifted, advice, wrong, outcome or position.outcome(), unkept)


def last_turn(positions: Sequence[AnyPosition], moves: Sequence[Any]) -> tuple[Trace, ...]:
    """The moves of the last turn that changed something visible; nothing before an illegal step that stood."""
    found: list[Trace] = []
    mover = None
    for ply in reversed(range(min(len(moves), len(positions) - 1))):
        position, move = positions[ply], moves[ply]
        if move is None or (found and position.to_move != mover):
            break
        if position.is_seen(move):
            mover = position.to_move
            found.append(position.trace(move))
            if len(position.seats) == 1:
                break
    return tuple(reversed(found))


def _lifted(position: AnyPosition, wrong: Sequence[Wrong]) -> str | None:
    """The square of the piece in a hand, if it is exactly one and the mover's own."""
    gone = []
    for name, should, seen in wrong:
        if not is_square(name):  # a pawn
            gone += [should] if should and not seen else []
        elif seen in (*EMPTY, f"{should[:1]}.") and should not in EMPTY:
            gone.append(_numbered(position, name))
    starts = {square for move in position.moves() for square in position.trace(move).start}
    own = [square for square in gone if square in starts]
    return own[0] if len(own) == 1 else None


def _numbered(position: AnyPosition, square: str) -> str:
    """A square of a look as the position numbers it: a look counts planks from the south end."""
    if "planks" not in position.visible():
        return square
    return f"{square[0]}{int(square[1:]) + position.first_row}"


def on_planks(position: AnyPosition, seen: Visible) -> tuple[Wrong, ...]:
    """The differences between a row of planks and what is seen, also if a plank is missing or one too many."""
    row, there = position.visible()["planks"], seen["planks"]
    south, count = position.first_row, len(row)
    fits = range(min(0, count - len(there)), max(0, count - len(there)) + 1)
    shift = max(fits, key=lambda shift: (_similarity(row, there, shift), -abs(shift)), default=0)
    wrong = []
    for n in range(min(0, shift), max(count, len(there) + shift)):
        should, now = _plank(row, n), _plank(there, n - shift)
        wrong += [
            Wrong(f"{column}{n + south}", should[k], now[k]) for k, column in enumerate("abc") if should[k] != now[k]
        ]
    return tuple(wrong)


def _similarity(row: list[PlankSeen], there: list[PlankSeen], shift: int) -> int:
    """How well the row and what is seen agree, if what is seen is shifted by so many planks."""
    pairs = [(row[n], there[n - shift]) for n in range(len(row)) if 0 <= n - shift < len(there)]
    return sum(10 * (a["colors"] == b["colors"]) + (a["tokens"] == b["tokens"]) for a, b in pairs)


def _plank(row: list[PlankSeen], n: int) -> list[str]:
    if not 0 <= n < len(row):
        return [""] * 3
    return [color + token for color, token in zip(row[n]["colors"], row[n]["tokens"], strict=True)]
