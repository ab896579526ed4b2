"""Converts positions to layouts of the simulated table: plates, cards and planks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from companion.games.position import AnyPosition, Card, Visible
from vision.codes import Labels
from vision.simulate import layout as table
from vision.simulate.layout import Cell, Layout, completed


def layout_of(labels: Labels, position: AnyPosition) -> Layout:
    """The layout of a position."""
    lying = position.lying()
    plates = tuple(tuple(map(cell_of, squares)) for squares in lying.plates)
    cards = tuple(map(_card, lying.cards))
    return completed(Layout(labels, _plain(position.visible()), plates, cards, south=position.first_row))


def steps_of(position: AnyPosition, move: Any, layout: Layout) -> list[Layout]:
    """The layouts that may be seen during a move."""
    return [_in_between(position, move, layout, seen) for seen in position.steps(move)]


def parts_of(position: AnyPosition, move: Any, layout: Layout) -> list[Layout]:
    """The layouts during a move when its parts are made in the natural order."""
    return [_in_between(position, move, layout, seen) for seen in position.between(move)]


def cell_of(square: str) -> Cell:
    return ord(square[0]) - ord("a"), int(square[1:]) - 1


def square_of(cell: Cell) -> str:
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def _card(card: Card) -> table.Card:
    columns, rows = zip(*map(cell_of, card.squares), strict=True)
    west, south = min(columns), min(rows)
    return table.Card((west, south), (max(columns) - west + 1, max(rows) - south + 1), card.face)


def _in_between(position: AnyPosition, move: Any, layout: Layout, seen: Visible) -> Layout:
    """A layout during a move; a plank may already have been added in the south."""
    grown = len(seen.get("planks", ())) > len(layout.visible.get("planks", ()))
    laid = [int(square[1:]) for square in position.trace(move).laid] if grown else []
    return completed(replace(layout, visible=_plain(seen), south=min([layout.south, *laid])))


def _plain(seen: Visible) -> table.Visible:
    return cast(table.Visible, seen)
