"""What a look asks of the board: which codes each square may show in the end, and which pieces have surely not moved.

A goal is what the search for several turns works towards. It names squares as the position does: the squares of a row
of planks, which has no fixed place, are named by where the known planks lie in the row that is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from companion.games.position import AnyPosition
from companion.games.squares import codes_by_square
from companion.referee.evidence import Evidence

Codes = frozenset[str]
STANDING = ("blocker", "mushroom", "peg")  # the kit's pieces of one square that something may be laid over


class Goal(NamedTuple):
    """By square the codes that it may show, by pawn the squares on which it may stand."""

    possible: Mapping[str, Codes]
    # Those that are as good as the best: what shows one of them has no reason to have moved.
    likely: Mapping[str, Codes]
    bare: Codes  # what a square shows on which nothing lies
    covered: Mapping[str, Codes]  # by code what may show when more pieces are laid over it, itself included

    def wrong(self, shown: Mapping[str, str]) -> list[str]:
        """The squares and pawns that are not as they must be in the end."""
        get = shown.get
        return [name for name, codes in self.possible.items() if get(name) not in codes]

    def may_become(self, name: str, code: str) -> bool:
        """Whether what shows here now can be as it must be once more pieces are laid."""
        codes = self.possible.get(name)
        return codes is not None and (code in codes or not codes.isdisjoint(self.covered[code]))


def goals(position: AnyPosition, evidence: Evidence) -> Iterator[Goal]:
    """What a look asks of a game that stands like this; one for each way to place a row of planks."""
    labels, names = evidence.look.labels, evidence.look.codes
    covered = _covered(labels.field, tuple(labels.pieces.items()), names)
    possible, likely = evidence.allowed
    if absent := evidence.look.pawns.keys() - position.visible().get("pawns", {}).keys():
        possible = {name: codes for name, codes in possible.items() if name not in absent}
    if labels.field != "planks":
        yield Goal(possible, likely, frozenset([labels.empty]), covered)
        return
    bare = frozenset([code for code in names if code.endswith(".")])
    seen, known = len(possible) // 3, len(position.visible()["planks"])
    for added_south in range(seen - known + 1 if known else seen):
        first = position.first_row - added_south
        moved = [
            {f"{square[0]}{int(square[1:]) + first}": codes for square, codes in each.items()}
            for each in (possible, likely)
        ]
        yield Goal(moved[0], moved[1], bare, covered)


def shown(position: AnyPosition) -> dict[str, str]:
    """What a position shows, by square, and where its pawns stand."""
    visible = position.visible()
    if "planks" not in visible:
        codes = codes_by_square(visible)
        codes.update(visible.get("pawns", {}))
        return codes
    first = position.first_row
    return {
        f"{column}{n + first}": color + token
        for n, plank in enumerate(visible["planks"])
        for column, color, token in zip("abc", plank["colors"], plank["tokens"], strict=True)
    }


@cache
def _covered(field: str, pieces: tuple[tuple[str, str], ...], codes: tuple[str, ...]) -> Mapping[str, Codes]:
    """By code what may show when pieces are laid over it. Only the kit says that: no game is asked.

    A piece that stands (a mushroom, a peg) shows through what is laid over it; a card hides the card under it.
    """
    if field == "planks":  # a token is put on a square of its plank's color
        return {code: frozenset([c for c in codes if c[0] == code[0]] if code[1:] == "." else [code]) for code in codes}
    if field == "tiles":  # an empty square gets a tile, one that lies face down is turned up
        return {code: frozenset(codes if code in ("empty", "down") else [code]) for code in codes}
    if field != "seven":
        return {code: frozenset(codes) for code in codes}

    def may_cover(below: str, above: str) -> bool:
        (old_flat, old_standing), (flat, standing) = _parts(below), _parts(above)
        is_card = old_flat.startswith("card") and flat.startswith("card")
        return (not old_flat or old_flat == flat or is_card) and (old_standing == standing or below == "bare")

    return {code: frozenset([other for other, above in pieces if may_cover(piece, above)]) for code, piece in pieces}


def _parts(piece: str) -> tuple[str, str]:
    """What lies flat, and what stands on it or through it."""
    if piece in STANDING or piece == "bare":
        return "", piece.removeprefix("bare")
    flat, _, standing = piece.partition("+")
    return flat, standing
