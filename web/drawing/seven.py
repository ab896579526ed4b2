"""The wooden 7×7 board and all that can lie on it: `Game.pieces` says which pieces of the kit a game's codes show."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Card, Lying, Visible
from companion.games.squares import SEVEN, bits
from companion.messages import term
from web.drawing import marks, shapes
from web.drawing.shapes import engraved, plate, shadow, slab
from web.drawing.sheet import Board, Square, U, View, use

# How plates of several squares look: top, side, upper edge.
PLATES = {
    "tromino": ("url(#§ebony)", "#08090a", "#666a71"),
    "tetrod": ("url(#§enamel)", "#163a75", "#8db3ea"),
}
FACES = {"blue": ("#f8f6ef", "#2b62b8", "#c9c4b5"), "white": ("#2b62b8", "#f8f6ef", "#85abe8")}  # ground, disc, edge
CARDS = {"card b": "blue", "card w": "white"}  # the face that is up


def _card(columns: int, rows: int, face: str) -> str:
    """A card around its middle, as it lies on so many columns and rows."""
    ground, disc, edge = FACES[face]
    width, height = columns * U - 4, rows * U - 4
    discs = "".join(
        f'<circle cx="{(x - (columns - 1) / 2) * U:g}" cy="{(y - (rows - 1) / 2) * U:g}" r="33"/>'
        for y in range(rows)
        for x in range(columns)
    )
    box = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width}" height="{height}" rx="11"'
    return (
        f'<g fill="#000">{shadow(-width / 2, -height / 2, width, height, 11, 1.15)}'
        f'<rect {box} fill="{ground}" stroke="{edge}" stroke-width="1.5"/><g fill="{disc}">{discs}</g></g>'
    )


def _patch(face: str) -> str:
    """One square of a card of which no more is known."""
    ground, disc, _ = FACES[face]
    return f'<g fill="{ground}"><rect x="-50" y="-50" width="100" height="100"/><circle r="33" fill="{disc}"/></g>'


SHAPES = {
    **shapes.SHAPES,
    **marks.SHAPES,
    **{f"{face}-{way}": _card(*size, face) for face in FACES for way, size in {"h": (3, 2), "v": (2, 3)}.items()},
    **{f"{face}-one": _patch(face) for face in FACES},
    "ebony": '<linearGradient x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#383b40"/>'
    '<stop offset="1" stop-color="#1b1d20"/></linearGradient>',
    "enamel": '<linearGradient x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#4d86dc"/>'
    '<stop offset="1" stop-color="#2458a8"/></linearGradient>',
    "blocker": f'<g fill="#000">{shadow(-46, -46, 92, 92, 9)}<rect x="-46" y="-46" width="92" height="92" rx="9" '
    'fill="#163a75"/><rect x="-46" y="-46" width="90" height="90" rx="9" fill="#8fb5ee"/>'
    '<rect x="-44.5" y="-44.5" width="89" height="89" rx="8" fill="url(#§enamel)"/></g>',
    # the hole of a tetrod, wide enough for a mushroom's cap: wood in the plate's shadow
    "wide-hole": '<g stroke="none"><circle r="26" fill="#7fa9e6" cx=".8" cy="1"/><circle r="25" fill="#5b3f22"/>'
    '<path d="M-21.6 12.6a25 25 0 0 0 43.2 0a26 22 0 0 1-43.2 0" fill="#c39a68"/></g>',
    "paint": '<radialGradient cx=".38" cy=".34" r=".72"><stop offset="0" stop-color="#ff8d7c"/>'
    '<stop offset=".45" stop-color="#dd2b20"/><stop offset="1" stop-color="#96100c"/></radialGradient>',
    # a cylinder seen from above: its shadow falls away from the light, its top has a turned edge
    "peg": '<g stroke="none"><path d="M-7.5 9.5L8.5 25.5A12 12 0 0 0 25.5 8.5L9.5-7.5z" fill-opacity=".2"/>'
    '<circle r="13.5" fill="#3b0a06" fill-opacity=".45"/><circle r="12" fill="#a3130e"/>'
    '<circle r="11" cx="-.5" cy="-.7" fill="url(#§paint)"/><circle r="7.6" cx="-.5" cy="-.7" fill="none" '
    'stroke="#fff" stroke-opacity=".28" stroke-width="1.2"/></g>',
    "punched": '<g stroke="none"><circle r="18" fill="#fff" fill-opacity=".55" cx=".6" cy=".9"/>'
    '<circle r="17" fill="#4b331b"/><path d="M-14.7 8.5a17 17 0 0 0 29.4 0a18 15 0 0 1-29.4 0" fill="#b98f5c"/></g>',
}
# What stands on a square, from the lowest to the topmost. Of a piece of several squares only what is seen through it.
STANDS = {
    "bare": ("hole",),
    "blocker": ("blocker", "mushroom"),
    "mushroom": ("mushroom",),
    "peg": ("peg",),
    "tetrod+mushroom": ("wide-hole", "mushroom"),
    "card b+peg": ("punched", "peg"),
    "card w+peg": ("punched", "peg"),
}


def board(game: AnyGame, position: AnyPosition | None, visible: Visible, language: str, flipped: bool) -> Board:
    view = View(SEVEN.columns, SEVEN.rows, flipped)
    shown = [game.pieces[cell] for row in reversed(visible["rows"]) for cell in row]
    lies = [piece.partition("+")[0] for piece in shown]  # what lies there, whatever stands in it
    lying = position.lying() if position else Lying()
    ground = [slab(view, "#e9d0a4", "#b58a53", "#b07f45"), engraved(view, "#9c7443", "#fff2d4")]
    ground += [*_plates(lying, lies, view), *_cards(lying, lies, view)]
    squares = [
        Square(name, n % 7, n // 7, standing(shown[n]), term(f"piece.{shown[n]}", language), shown[n] == "bare")
        for n, name in enumerate(SEVEN.names)
    ]
    return Board(view, "".join(ground), squares, SHAPES, [str(n + 1) for n in range(7)], "#7a5426")


def lone(piece: str) -> str:
    """What lies and stands on one square, of which no more is known."""
    lies = piece.partition("+")[0]
    if lies in PLATES:
        square = plate(((0, 0),), *PLATES[lies])
        return f'<g transform="translate({-U // 2} {-U // 2})">{square}</g>{standing(piece)}'
    return (use(f"{CARDS[lies]}-one") if lies in CARDS else "") + standing(piece)


def standing(piece: str) -> str:
    return "".join(use(shape) for shape in STANDS.get(piece, ()))


def _plates(lying: Lying, lies: list[str], view: View) -> Iterator[str]:
    """Pieces as they were laid; what no piece explains is one plate as far as it hangs together."""
    for kind, look in PLATES.items():
        left = sum(1 << n for n, piece in enumerate(lies) if piece == kind)
        plates = []
        for squares in map(SEVEN.set_of, lying.plates):
            if not squares & ~left:
                plates.append(squares)
                left &= ~squares
        for squares in sorted([*plates, *SEVEN.groups(left)]):
            yield plate(tuple(view.cell(n % 7, n // 7) for n in bits(squares)), *look)


def _cards(lying: Lying, lies: list[str], view: View) -> Iterator[str]:
    """Cards in their layers; a square that shows something else than they do is patched."""
    covered = sum(1 << n for n, piece in enumerate(lies) if piece in CARDS)
    shown = [""] * SEVEN.size
    for card in lying.cards:
        squares = SEVEN.set_of(card.squares)
        if not squares & ~covered:
            face = CARDS[f"card {card.face}"]
            for n in bits(squares):
                shown[n] = face
            yield _laid(card, face, view)
    for n, piece in enumerate(lies):
        face = CARDS.get(piece, "")
        if face != shown[n]:
            yield use(f"{face}-one", *view.middle(n % 7, n // 7))


def _laid(card: Card, face: str, view: View) -> str:
    corners = sorted(SEVEN.number[square] for square in card.squares)
    (x0, y0), (x1, y1) = (view.middle(n % 7, n // 7) for n in (corners[0], corners[-1]))
    return use(f"{face}-{'h' if abs(x1 - x0) > abs(y1 - y0) else 'v'}", (x0 + x1) / 2, (y0 + y1) / 2)
