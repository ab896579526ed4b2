"""Boards as pictures: any position of any game as SVG that looks like the kit on the table.

A drawing has no script, no style sheet and nothing from outside; around the board it is transparent. Every square is
a `<g class="square" data-square="e4">` with its words in `aria-label`, so that a page can make it a button.
"""

from __future__ import annotations

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Visible
from web.drawing import faces, planks, seven, tiles
from web.drawing.marks import NONE, Arrow, Marks, marked, open_ways, pointed, ringed, said
from web.drawing.pieces import piece_svg
from web.drawing.shapes import coordinates
from web.drawing.sheet import Board, Square, attribute, document, use

__all__ = ["Arrow", "Marks", "board_svg", "piece_svg"]


def board_svg(
    game: AnyGame,
    position: AnyPosition | None,
    visible: Visible,
    *,
    marks: Marks = NONE,
    language: str = "en",
    flipped: bool = False,
) -> str:
    """What is visible on the board, as an SVG document.

    The position, where it is known, tells what a picture cannot: which squares are one piece, which card lies on top.
    """
    board = _board(game, position, visible, marks, language, flipped)
    squares = [_square(game, square, board, marks, language) for square in board.squares]
    parts = [board.ground, coordinates(board), *squares, _ways(position, board, marks), ringed(board, marks)]
    parts.append(pointed(board, marks))
    return document(game.words[language].name, language, board.view, parts, board.shapes)


def _board(
    game: AnyGame, position: AnyPosition | None, visible: Visible, marks: Marks, language: str, flipped: bool
) -> Board:
    """Laid out as the game's field looks."""
    match game.field:
        case "seven":
            return seven.board(game, position, visible, language, flipped)
        case "faces":
            return faces.board(visible, language, flipped)
        case "tiles":
            return tiles.board(visible, language, flipped)
        case "planks":
            return planks.board(visible, position.first_row if position else 0, language, flipped, marks.squares)
    raise ValueError(f"no field looks like {game.field}")


def _ways(position: AnyPosition | None, board: Board, marks: Marks) -> str:
    """The directions that are open, as the lights in the board show them."""
    ways = position.ways() if position and marks.ways and position.to_move else {}
    move = next(iter(position.moves()), None) if position and ways else None
    start = position.trace(move).start if position and move is not None else ()
    return open_ways(board, ways, start[0]) if start else ""


def _ghost(game: AnyGame, code: str, flipped: bool) -> str:
    """What is seen where it should not be."""
    if code in tiles.PAWNS:
        return use(code)
    match game.field:
        case "seven":
            return seven.lone(game.pieces[code]) if code in game.pieces else ""
        case "faces":
            return faces.die(code)
        case "tiles":
            return tiles.tile(code, flipped)
    return planks.lone(code) if code else ""


def _square(game: AnyGame, square: Square, board: Board, marks: Marks, language: str) -> str:
    x, y = board.view.middle(square.column, square.row)
    label = attribute(", ".join([square.name, square.says, *said(square.name, marks, language)]))
    ghost = _ghost(game, marks.ghosts.get(square.name, ""), board.view.flipped) if square.name in marks.ghosts else ""
    ghost = ghost and f'<g class="ghost" opacity=".62">{ghost}</g>'
    free = ' data-free=""' if square.free else ""
    return (
        f'<g class="square" data-square="{square.name}"{free} tabindex="0" role="button" aria-label={label} '
        f'transform="translate({x} {y})"><g class="stands">{square.shows}</g>'
        f"{ghost}{marked(square, marks)}{use('hit')}</g>"
    )
