"""Boards as pictures: any position of any game as SVG that looks like the kit on the table.

A drawing has no script, no style sheet and nothing from outside; around the board it is transparent. Every square is
a `<g class="square" data-square="e4">` with its words in `aria-label`, so that a page can make it a button.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from companion.games import game as game_of
from companion.games.pegs import BLOCK_SQUARES, Cover
from companion.games.position import Position, Visible
from companion.games.squares import SEVEN
from companion.messages import term
from web.drawing import faces, planks, seven, tiles
from web.drawing.marks import NONE, Marks, marked, ringed, said
from web.drawing.shapes import coordinates
from web.drawing.sheet import Board, Square, attribute, document, use

__all__ = ["Marks", "board_svg", "move_squares", "touched_squares"]

KINDS = {"seven": seven.board, "faces": faces.board, "tiles": tiles.board}


def board_svg(
    game: str,
    position: Position[Any] | None,
    visible: Visible,
    *,
    marks: Marks = NONE,
    language: str = "en",
    flipped: bool = False,
) -> str:
    """What is visible on the board, as an SVG document.

    The position, where it is known, tells what a picture cannot: which squares are one piece, which card lies on top.
    """
    field = game_of(game).field
    draw = partial(planks.board, named=marks.squares) if field == "planks" else KINDS[field]
    board: Board = draw(game, position, visible, language, flipped)
    squares = [_square(square, board, marks, language) for square in board.squares]
    parts = [board.ground, coordinates(board), *squares, ringed(board, marks)]
    return document(term(f"game.{game}", language), language, board.view, parts, board.shapes)


def _square(square: Square, board: Board, marks: Marks, language: str) -> str:
    x, y = board.view.middle(square.column, square.row)
    label = attribute(", ".join([square.name, square.says, *said(square.name, marks, language)]))
    return (
        f'<g class="square" data-square="{square.name}" tabindex="0" role="button" aria-label={label} '
        f'transform="translate({x} {y})">{square.shows}{marked(square, marks)}{use("hit")}</g>'
    )


def move_squares(game: str, move: str) -> tuple[str, ...]:
    """The squares that a move's text names, in order, each once."""
    row = "(?:0|-?[1-9][0-9]?)" if game == "plank" else "[1-9]"
    return tuple(dict.fromkeys(re.findall(f"[a-i]{row}", move)))


def touched_squares(game: str, move: str) -> tuple[str, ...]:
    """The squares on which a move is seen: those it names, and all six under a card that is named by its corners."""
    named = move_squares(game, move)
    if len(named) == 2 and (block := Cover(*named)) in BLOCK_SQUARES and game.startswith("pegs"):
        return SEVEN.named(BLOCK_SQUARES[block])
    return named
