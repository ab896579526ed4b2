"""Marks for misplaced pieces: which pieces stand on wrong squares, and where each belongs."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Visible
from companion.leds.picture import EMPTY, is_square
from companion.leds.scenes import on_planks
from companion.referee import Wrong
from web.drawing import Arrow, Marks

Place = tuple[str, ...]  # the squares of one piece


def misplaced(game: AnyGame, position: AnyPosition, seen: Visible | None, wrong: tuple[Wrong, ...]) -> Marks:
    """Marks for the wrong squares, a ghost of each wrong piece, and arrows to where they belong."""
    if seen and "planks" in seen:
        wrong = on_planks(position, seen)
    squares = [one for one in wrong if is_square(one.square)]
    pawns = [one for one in wrong if not is_square(one.square)]
    ghosts = {one.square: one.seen for one in squares if one.seen not in EMPTY}
    ghosts |= {one.seen: one.square for one in pawns if one.seen}
    arrows = [Arrow("wrong", (one.seen, one.should)) for one in pawns if one.seen and one.should]
    arrows += _ways_home(game, squares)
    marked = [one.square for one in squares] + [square for one in pawns for square in one[1:] if square]
    return Marks(wrong=tuple(marked), ghosts=ghosts, arrows=tuple(arrows))


def _ways_home(game: AnyGame, wrong: list[Wrong]) -> Iterable[Arrow]:
    """An arrow from each wrong piece to a square where such a piece is missing: identical pieces first, then others of
    the same kind, the nearest first."""
    came = _places(game, {one.square: one.seen for one in wrong if _kind(game, one.seen) != _kind(game, one.should)})
    gone = _places(game, {one.square: one.should for one in wrong if _kind(game, one.seen) != _kind(game, one.should)})
    pairs = [
        (stands[1] != belongs[1], len(stands[0]) != len(belongs[0]), _far(stands[0], belongs[0]), stands, belongs)
        for stands in came
        for belongs in gone
        if _kind(game, stands[1]) == _kind(game, belongs[1])
    ]
    used: set[Place] = set()
    for *_, (start, _code), (end, _other) in sorted(pairs):
        if start not in used and end not in used and start != end:
            used |= {start, end}
            yield Arrow("wrong", (_middle(start), _middle(end)))


def _kind(game: AnyGame, code: str) -> str:
    """The kind of a piece. Pieces of one kind are interchangeable: dice of one color, a player's tokens, plates."""
    match game.field:
        case "seven":
            return game.pieces.get(code, "bare").partition("+")[0].replace("bare", "")
        case "faces":
            return code[:1].replace(".", "")
        case "planks":
            return code[1:2].replace(".", "")
    return "" if code in EMPTY else code.removesuffix("~")


def _places(game: AnyGame, codes: dict[str, str]) -> list[tuple[Place, str]]:
    """The squares grouped by piece: for pieces of several squares neighboring squares of one kind."""
    left = {square: code for square, code in codes.items() if _kind(game, code)}
    if game.field != "seven":
        return [((square,), code) for square, code in left.items()]
    found = []
    while left:
        square, code = next(iter(left.items()))
        kind, group = _kind(game, code), [square]
        del left[square]
        large = game.pieces[code].partition("+")[0] not in ("mushroom", "peg", "blocker")
        for one in group:
            for other in [other for other in left if large and _kind(game, left[other]) == kind and _touch(one, other)]:
                del left[other]
                group.append(other)
        found.append((tuple(sorted(group)), kind))
    return found


def _at(square: str) -> tuple[int, int]:
    return ord(square[0]), int(square[1:])


def _touch(one: str, other: str) -> bool:
    (x, y), (u, v) = _at(one), _at(other)
    return abs(x - u) + abs(y - v) == 1


def _middle(place: Place) -> str:
    """The square nearest to the middle of a piece."""
    x = sum(_at(square)[0] for square in place) / len(place)
    y = sum(_at(square)[1] for square in place) / len(place)
    return min(place, key=lambda square: (abs(_at(square)[0] - x) + abs(_at(square)[1] - y), square))


def _far(one: Place, other: Place) -> int:
    (x, y), (u, v) = _at(_middle(one)), _at(_middle(other))
    return abs(x - u) + abs(y - v)
