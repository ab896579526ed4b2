"""Positions as things on a simulated table: which plates, cards and planks lie there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

from companion.games.position import Position, Visible
from vision.simulate.positions import Card, Layout


def layout_of(game_id: str, position: Position[Any], before: Layout | None = None) -> Layout:
    """What lies on the table in a position. Cards keep the order in which they came, as `before` has it."""
    here: Any = position
    seen = cast("dict[str, Any]", position.visible())
    if game_id.startswith("hepta"):
        return Layout(game_id, seen, plates=_plates(here.pieces))
    if game_id in ("tetrods", "t-for-two"):
        return Layout(game_id, seen, plates=_plates(here.laid))
    if game_id.startswith("pegs"):
        cards = [_card(placed) for placed in here.cards]
        if game_id == "pegs-solo":  # a set: those that lay there already come first
            known = list(before.cards) if before else []
            cards = [c for c in known if c in cards] + sorted((c for c in cards if c not in known), key=str)
        return Layout(game_id, seen, cards=tuple(cards))
    if game_id == "plank":
        return Layout(game_id, seen, south=here.south)
    return Layout(game_id, seen)


def cell_of(square: str) -> tuple[int, int]:
    return ord(square[0]) - ord("a"), int(square[1:]) - 1


def _plates(lays: Iterable[Any]) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(sorted(tuple(cell_of(cell) for cell in lay.cells) for lay in lays))


def _card(placed: Any) -> Card:
    (x, y), (east, north) = cell_of(placed.block.south_west), cell_of(placed.block.north_east)
    return Card((x, y), (east - x + 1, north - y + 1), "w" if placed.owner == "white" else "b")


def shown(layout: Layout, seen: Visible, **pieces: Any) -> Layout:
    """The same table, but for what is seen and these pieces."""
    return replace(layout, visible=cast("dict[str, Any]", seen), **pieces)


def half_made(game_id: str, position: Position[Any], move: Any, layout: Layout) -> list[Layout]:
    """What can be seen while hands make a move."""
    found = []
    for seen in position.steps(move):
        south = layout.south
        if game_id == "plank" and move.end == "v" and len(seen["planks"]) > len(layout.visible["planks"]):
            south -= 1
        found.append(shown(layout, seen, south=south))
    return found


def parts_of(game_id: str, position: Position[Any], move: Any, layout: Layout) -> list[Layout]:
    """What a hand leaves in between when it makes a move in its natural order: a plank before its token, a
    face-down tile turned up before the pawn."""
    halves = half_made(game_id, position, move, layout)
    if game_id == "plank" and move.plank:
        return halves[:1]
    if game_id == "trippples" and "=" in str(move):
        return halves[1:2]
    return []
