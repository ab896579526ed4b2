"""Illegal layouts for the simulated table: pieces added, moved, removed, turned, of the wrong size.

It knows no rules: it tries changes that are possible on a field, and drops those that legal play can show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from companion.games.position import AnyPosition
from companion.simulation.laying import cell_of, square_of
from vision.codes import COLORS, DIE_FACES, OWNERS, TOKENS, TRIPLES
from vision.simulate.layout import Card, Cell, Layout, neighbors

MAX_BRANCHING = 64  # with more moves two plies are too many to enumerate
TRIES = 20  # random places for a card that does not fit
PLATES = {"tromino": 3, "tetrod": 4}  # with their number of squares
STANDING = ("blocker", "mushroom", "peg")  # pieces of one square
DICE = 9  # of each color


class Cheat(NamedTuple):
    what: str
    layout: Layout
    sure: bool = True  # False: it may be legal, so all legal views must be known


def illegal_layouts(
    position: AnyPosition, layout: Layout, chance: Random, before: set[str]
) -> Iterator[tuple[str, Layout]]:
    """Layouts that no legal play shows from here, each with the name of the cheat, in random order.

    `before`: the keys of earlier views; returning to one of them is taking back, not cheating.
    """
    found = list(CHEATS[layout.labels.field](position, layout, chance))
    chance.shuffle(found)
    legal = legal_views(position) if found else LegalViews(set(), True)
    for what, wrong, sure in found:
        key = key_of(wrong.visible)
        if (sure or legal.complete) and key not in legal.keys and key not in before:
            yield what, wrong


def key_of(seen: Any) -> str:
    """A view as a text, for comparing."""
    pawns = sorted((seen.get("pawns") or {}).items())
    planks = [(plank["colors"], plank["tokens"]) for plank in seen.get("planks", ())]
    return repr((seen.get("rows"), pawns, planks))


class LegalViews(NamedTuple):
    keys: set[str]
    complete: bool  # there are no other views within two turns


def legal_views(position: AnyPosition) -> LegalViews:
    """The views that one or two legal turns can show, as far as they can be enumerated despite hidden information."""
    keys, complete = {key_of(position.visible())}, True
    todo, known = [(position, 2)], {(position, 2)}
    while todo:
        here, plies = todo.pop()
        moves = _distinct_moves(here)
        complete = complete and (plies < 2 or len(moves) <= MAX_BRANCHING)
        for move in moves:
            if here.is_chance(move):
                complete = False
                continue
            after = here.play(move)
            keys.update(map(key_of, (*here.steps(move), after.visible())))
            left = plies - here.is_seen(move)
            if left and (len(moves) <= MAX_BRANCHING or left == plies) and (after, left) not in known:
                known.add((after, left))
                todo.append((after, left))
    return LegalViews(keys, complete)


def _distinct_moves(position: AnyPosition) -> list[Any]:
    """The legal moves without duplicates that differ only in the tile turned up."""
    return list({position.without_secret(move): move for move in position.moves()}.values())


# --- the seven field


def _seven(position: AnyPosition, layout: Layout, chance: Random) -> Iterator[Cheat]:
    free = {cell for cell, code in layout.cells.items() if code == layout.labels.empty}
    yield from _standing_pieces(layout, free, chance)
    yield from _plates(layout, free, chance)
    if layout.labels.has_cards:
        yield from _cards(layout, chance)
    yield from _two_at_once(position, layout, free, chance)


def _standing_pieces(layout: Layout, free: set[Cell], chance: Random) -> Iterator[Cheat]:
    """A piece of one square is removed, or moved."""
    for piece in STANDING:
        there = [cell for cell, code in layout.cells.items() if layout.piece(code) == piece]
        if not there:
            continue
        bare, gone = layout.labels.empty, chance.choice(there)
        yield Cheat(f"{piece} gone", layout.with_cells({gone: bare}))
        if free:
            gone, new = chance.choice(there), chance.choice(sorted(free))
            yield Cheat(f"{piece} moved", layout.with_cells({gone: bare, new: layout.cells[gone]}))


def _plates(layout: Layout, free: set[Cell], chance: Random) -> Iterator[Cheat]:
    """A plate of the wrong size, one that was moved, one whose hole has no mushroom."""
    for piece, size in PLATES.items():
        code = layout.labels.code_of(piece)
        if code is None:
            continue
        for wrong in (size - 1, size + 1):
            if cells := _side_by_side(free, wrong, chance):
                yield Cheat("wrong size", layout.with_cells(dict.fromkeys(cells, code), plates=(*layout.plates, cells)))
        whole = [plate for plate in layout.plates if all(layout.cells[cell] == code for cell in plate)]
        if whole and (cells := _side_by_side(free, size, chance)):
            lifted = chance.choice(whole)
            rest = tuple(plate for plate in layout.plates if plate != lifted)
            codes = {**dict.fromkeys(lifted, layout.labels.empty), **dict.fromkeys(cells, code)}
            yield Cheat(f"{piece} moved", layout.with_cells(codes, plates=(*rest, cells)))
        if f"{piece}+mushroom" in layout.labels.pieces.values() and (cells := _side_by_side(free, size, chance)):
            pierced = layout.with_cells(dict.fromkeys(cells, code), plates=(*layout.plates, cells))
            yield Cheat("hole without mushroom", replace(pierced, open_holes=(*layout.open_holes, cells[0])))


def _cards(layout: Layout, chance: Random) -> Iterator[Cheat]:
    """A card without holes for the pegs under it."""
    pegs = {cell for cell, code in layout.cells.items() if layout.piece(code).endswith("peg")}
    faces = [face for face in "bw" if layout.labels.code_of(f"card {face}")]
    for _ in range(TRIES):
        wide, high = chance.choice([(2, 3), (3, 2)])
        card = Card((chance.randrange(8 - wide), chance.randrange(8 - high)), (wide, high), chance.choice(faces))
        code = layout.labels.code_of(f"card {card.face}")
        if code and pegs.intersection(card.cells):
            yield Cheat(
                "card without holes", layout.with_cells(dict.fromkeys(card.cells, code), cards=(*layout.cards, card))
            )
            return


def _two_at_once(position: AnyPosition, layout: Layout, free: set[Cell], chance: Random) -> Iterator[Cheat]:
    """Two pieces instead of one."""
    traces = [position.trace(move) for move in position.moves()]
    for piece in sorted({trace.pieces[0].kind for trace in traces if trace.pieces and len(trace.to) == 1}):
        code = layout.labels.code_of(piece)
        if code and len(free) > 2:
            two = layout.with_cells(dict.fromkeys(chance.sample(sorted(free), 2), code))
            yield Cheat(f"two {piece}s", two, sure=False)


def _side_by_side(free: set[Cell], size: int, chance: Random) -> tuple[Cell, ...] | None:
    """A random connected set of free squares."""
    for start in chance.sample(sorted(free), len(free)):
        cells = [start]
        while len(cells) < size:
            near = sorted({other for cell in cells for other in neighbors(cell)} & free - set(cells))
            if not near:
                break
            cells.append(chance.choice(near))
        if len(cells) == size:
            return tuple(cells)
    return None


# --- dice, tiles and planks


def _dice(position: AnyPosition, layout: Layout, chance: Random) -> Iterator[Cheat]:
    cells = layout.cells
    free = [cell for cell, code in cells.items() if code == layout.labels.empty]
    dice = [cell for cell, code in cells.items() if code != layout.labels.empty and code[1] != "K"]
    starts = {cell_of(square) for move in position.moves() for square in position.trace(move).start}
    faces = [face for face in DIE_FACES if face != "K"]
    if dice:
        one = chance.choice(dice)
        others = [face for face in faces if face[0] != cells[one][1]]
        yield Cheat("die turned", layout.with_cells({one: cells[one][0] + chance.choice(others)}))
    mine = [cell for cell in dice if cell in starts]
    for _ in range(3):
        if mine and free:
            one, to = chance.choice(mine), chance.choice(free)
            yield Cheat("die astray", layout.with_cells({one: layout.labels.empty, to: cells[one]}))
    for color in "wr":
        if free and sum(code[0] == color for code in cells.values()) < DICE:
            yield Cheat("die too many", layout.with_cells({chance.choice(free): color + chance.choice(faces)}))


def _tiles(position: AnyPosition, layout: Layout, chance: Random) -> Iterator[Cheat]:
    cells = layout.cells
    pawns: dict[str, str] = layout.visible.get("pawns", {})
    standing = {cell_of(square) for square in pawns.values()}
    if bare := [cell for cell, code in cells.items() if code in TRIPLES and cell not in standing]:
        one = chance.choice(bare)
        yield Cheat("tile turned", layout.with_cells({one: cells[one] + "~"}))
        if len(bare) > 1:
            a, b = chance.sample(bare, 2)
            yield Cheat("tiles exchanged", layout.with_cells({a: cells[b], b: cells[a]}))
    starts = {square for move in position.moves() for square in position.trace(move).start}
    free = [cell for cell in cells if cell not in standing]

    def put(pawn: str, cell: Cell) -> Layout:
        return replace(layout, visible={**layout.visible, "pawns": {**pawns, pawn: square_of(cell)}})

    for mover in [pawn for pawn, square in pawns.items() if square in starts]:
        x, y = cell_of(pawns[mover])
        for kind, steps in (("wrong direction", 1), ("too far", 2)):
            near = [cell for cell in free if max(abs(cell[0] - x), abs(cell[1] - y)) == steps]
            for cell in chance.sample(near, min(3, len(near))):
                yield Cheat(kind, put(mover, cell))
    if others := [pawn for pawn, square in pawns.items() if square not in starts]:
        yield Cheat("the other's pawn", put(chance.choice(others), chance.choice(free)))


def _planks(position: AnyPosition, layout: Layout, chance: Random) -> Iterator[Cheat]:
    planks = layout.visible["planks"]
    used = Counter(
        (token[0], token[2:] or color)
        for plank in planks
        for color, token in zip(plank["colors"], plank["tokens"], strict=True)
        if token != "."
    )
    free = [(n, k) for n, plank in enumerate(planks) for k in range(3) if plank["tokens"][k] == "."]
    owners = [seat for seat in position.seats if seat in OWNERS]

    def color(place: tuple[int, int]) -> str:
        return str(planks[place[0]]["colors"][place[1]])

    def has(owner: str, own: str) -> bool:
        return used[owner, own] < TOKENS

    def put(tokens: dict[tuple[int, int], str]) -> Layout:
        new = [{"colors": plank["colors"], "tokens": list(plank["tokens"])} for plank in planks]
        for (n, k), token in tokens.items():
            new[n]["tokens"][k] = token
        return replace(layout, visible={"planks": new})

    me = position.to_move
    for owner in owners:
        fitting = [place for place in free if has(owner, color(place))]
        if owner != me:
            if fitting:
                yield Cheat("out of turn", put({chance.choice(fitting): owner}))
            continue
        for place in chance.sample(free, min(len(free), 4)):
            if left := [own for own in COLORS if own != color(place) and has(owner, own)]:
                yield Cheat("wrong color", put({place: f"{owner}:{chance.choice(left)}"}))
        if pairs := [(a, b) for a in fitting for b in fitting if color(a) < color(b)]:
            yield Cheat("two tokens", put(dict.fromkeys(chance.choice(pairs), owner)))


CHEATS: dict[str, Callable[[AnyPosition, Layout, Random], Iterator[Cheat]]] = {
    "seven": _seven,
    "faces": _dice,
    "tiles": _tiles,
    "planks": _planks,
}
