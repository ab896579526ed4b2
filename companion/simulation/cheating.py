"""What is against the rules, as a table shows it: pieces too many, moved, gone, turned, of the wrong size."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, cast

from companion.games.position import Position, Visible
from companion.games.trippples import FRAME, PAWNS, TILES
from companion.simulation.laying import cell_of, shown
from vision.simulate.positions import Card, Layout

MANY = 64  # moves from which two plies are too many to look through


def illegal_layouts(
    game_id: str, position: Position[Any], layout: Layout, chance: Random, before: set[str]
) -> Iterator[tuple[str, Layout]]:
    """Tables that no legal play shows from here, each with what was done wrong, in random order.

    `before` are the keys of what was seen earlier: to go back there is no cheating, but taking back.
    """
    field = game_id.removesuffix("-solo")
    makers = {
        "hepta": _wrong_hepta,
        "tetrods": _wrong_tetrods,
        "t-for-two": _wrong_tetrods,
        "pegs": _wrong_pegs,
        "six-faces": _wrong_faces,
        "plank": _wrong_planks,
        "trippples": _wrong_tiles,
    }
    found = list(makers[field](position, layout, chance))
    chance.shuffle(found)
    legal = shown_by_play(position) | before
    yield from ((kind, wrong) for kind, wrong in found if key_of(wrong.visible) not in legal)


def key_of(seen: Any) -> str:
    """What is seen, as a text to compare by."""
    pawns = sorted((seen.get("pawns") or {}).items())
    planks = [(plank["colors"], plank["tokens"]) for plank in seen.get("planks", ())]
    return repr((seen.get("rows"), pawns, planks))


def shown_by_play(position: Position[Any]) -> set[str]:
    """What can be seen within a legal turn or two.

    What Pegs' unseen draws and discards allow is left out: it never takes a peg away.
    """
    found = {key_of(position.visible())}
    todo = [(position, 2)]
    while todo:
        here, plies = todo.pop()
        seen, moves = key_of(here.visible()), _telling(here)
        for move in moves:
            after = here.play(move)
            found.update(map(key_of, (*here.steps(move), after.visible())))
            if str(move) in ("=I", "=L"):
                todo.append((after, plies))
            elif plies > 1 and len(moves) <= MANY and key_of(after.visible()) != seen:
                todo.append((after, plies - 1))
    return found


def _telling(position: Position[Any]) -> list[Any]:
    """The legal moves, without Pegs' unseen ones, and one only for each face-down tile: what it shows is no cheat's."""
    found: dict[str, Any] = {}
    for move in position.moves():
        text = str(move)
        if not text.startswith(("+", "-")):
            found.setdefault(text if text.startswith("=") else text.partition("=")[0], move)
    return list(found.values())


def _cells(layout: Layout) -> dict[tuple[int, int], str]:
    rows = layout.visible["rows"]
    return {(c, len(rows) - 1 - r): code for r, row in enumerate(rows) for c, code in enumerate(row)}


def _with(layout: Layout, codes: dict[tuple[int, int], str], **pieces: Any) -> Layout:
    """The table with other codes on some cells."""
    rows = [list(row) for row in layout.visible["rows"]]
    for (column, row), code in codes.items():
        rows[len(rows) - 1 - row][column] = code
    seen = {**layout.visible, "rows": rows}
    return shown(layout, cast(Visible, seen), **pieces)


def _free_piece(free: set[tuple[int, int]], size: int, chance: Random) -> tuple[tuple[int, int], ...] | None:
    """Free cells side by side, by chance."""
    for start in chance.sample(sorted(free), len(free)):
        piece = [start]
        while len(piece) < size:
            near = sorted(
                {(x + i, y + j) for x, y in piece for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))} & free - set(piece)
            )
            if not near:
                break
            piece.append(chance.choice(near))
        if len(piece) == size:
            return tuple(piece)
    return None


def _wrong_hepta(position: Any, layout: Layout, chance: Random) -> Iterator[tuple[str, Layout]]:
    cells = _cells(layout)
    free = {cell for cell, code in cells.items() if code == "."}
    for size in (2, 4):
        if piece := _free_piece(free, size, chance):
            yield "wrong size", _with(layout, dict.fromkeys(piece, "x"), plates=(*layout.plates, piece))
    blockers = [cell for cell, code in cells.items() if code == "#"]
    if free and len(blockers) == 7:
        gone, new = chance.choice(blockers), chance.choice(sorted(free))
        yield "blocker moved", _with(layout, {gone: ".", new: "#"})
    if len(layout.plates) > 1:
        plate = chance.choice(layout.plates)
        rest = tuple(p for p in layout.plates if p != plate)
        if moved := _free_piece(free, 3, chance):
            codes = {**dict.fromkeys(plate, "."), **dict.fromkeys(moved, "x")}
            yield "piece moved", _with(layout, codes, plates=(*rest, moved))


def _wrong_tetrods(position: Any, layout: Layout, chance: Random) -> Iterator[tuple[str, Layout]]:
    cells = _cells(layout)
    free = {cell for cell, code in cells.items() if code == "."}
    alone = [cell for cell, code in cells.items() if code == "o"]
    if piece := _free_piece(free, 4, chance):
        holes = (*layout.open_holes, piece[0])
        codes = dict.fromkeys(piece, "x")
        yield "hole without mushroom", _with(layout, codes, plates=(*layout.plates, piece), open_holes=holes)
    if piece := _free_piece(free, 3, chance):
        yield "wrong size", _with(layout, dict.fromkeys(piece, "x"), plates=(*layout.plates, piece))
    if layout.game == "t-for-two":
        if len(free) > 2 and len(alone) < 2:
            two = chance.sample(sorted(free), 2)
            yield "two mushrooms", _with(layout, dict.fromkeys(two, "o"))
    elif alone and free:
        yield "mushroom moved", _with(layout, {chance.choice(alone): ".", chance.choice(sorted(free)): "o"})
        yield "mushroom gone", _with(layout, {chance.choice(alone): "."})


def _wrong_pegs(position: Any, layout: Layout, chance: Random) -> Iterator[tuple[str, Layout]]:
    """Pegs never leave the board, and a card of the other player never comes without a peg of his."""
    cells = _cells(layout)
    free = [cell for cell, code in cells.items() if code == "."]
    pegs = [cell for cell, code in cells.items() if code == "o"]
    if len(pegs) > 1:
        yield "peg gone", _with(layout, {chance.choice(pegs): "."})
        if free:
            yield "peg moved", _with(layout, {chance.choice(pegs): ".", chance.choice(free): "o"})
    other = "b" if layout.game == "pegs-solo" or position.to_move == "white" else "w"
    for _ in range(20):
        size = chance.choice([(2, 3), (3, 2)])
        at = (chance.randrange(8 - size[0]), chance.randrange(8 - size[1]))
        block = [(at[0] + i, at[1] + j) for i in range(size[0]) for j in range(size[1])]
        pushed = [cell for cell in block if cells[cell] in "oBW"]
        if pushed:  # a card that has no holes for the pegs: they are pushed out
            codes = dict.fromkeys(block, other)
            yield "card without holes", _with(layout, codes, cards=(*layout.cards, Card(at, size, other)))
            return


def _wrong_faces(position: Any, layout: Layout, chance: Random) -> Iterator[tuple[str, Layout]]:
    cells = _cells(layout)
    free = [cell for cell, code in cells.items() if code == "."]
    dice = [cell for cell, code in cells.items() if code != "." and code[1] != "K"]
    mine = [cell for cell in dice if cells[cell][0] == position.turn[0]]
    faces = ("1", "2:ne", "2:nw", "3:ne", "3:nw", "4", "5", "6:ns", "6:ew")
    if dice:
        one = chance.choice(dice)
        others = [face for face in faces if face[0] != cells[one][1]]
        yield "die turned", _with(layout, {one: cells[one][0] + chance.choice(others)})
    for _ in range(3):
        if mine and free:
            one, to = chance.choice(mine), chance.choice(free)
            yield "die astray", _with(layout, {one: ".", to: cells[one]})
    for side in "wr":
        if free and sum(code[0] == side for code in cells.values()) < 9:
            yield "die too many", _with(layout, {chance.choice(free): side + chance.choice(faces)})


def _wrong_planks(position: Any, layout: Layout, chance: Random) -> Iterator[tuple[str, Layout]]:
    planks = layout.visible["planks"]

    def put(tokens: dict[tuple[int, int], str]) -> Layout:
        new = [{"colors": p["colors"], "tokens": list(p["tokens"])} for p in planks]
        for (n, k), token in tokens.items():
            new[n]["tokens"][k] = token
        return shown(layout, cast(Visible, {"planks": new}))

    free = [(n, k) for n, p in enumerate(planks) for k in range(3) if p["tokens"][k] == "."]
    me = position.to_move or "A"
    hand = dict(zip("RWB", position.hand(me).tokens, strict=True))
    for n, k in chance.sample(free, min(len(free), 4)):
        own = planks[n]["colors"][k]
        left = [color for color in "RWB" if color != own and hand[color]]
        if left:
            yield "wrong colour", put({(n, k): f"{me}:{chance.choice(left)}"})
    for other in position.players:
        theirs = dict(zip("RWB", position.hand(other).tokens, strict=True))
        places = [(n, k) for n, k in free if theirs[planks[n]["colors"][k]]]
        if other != me and places:
            yield "out of turn", put({chance.choice(places): other})
    places = [(n, k) for n, k in free if hand[planks[n]["colors"][k]]]
    pairs = [(a, b) for a in places for b in places if planks[a[0]]["colors"][a[1]] < planks[b[0]]["colors"][b[1]]]
    if pairs:
        yield "two tokens", put(dict.fromkeys(chance.choice(pairs), me))


def _wrong_tiles(position: Any, layout: Layout, chance: Random) -> Iterator[tuple[str, Layout]]:
    cells = _cells(layout)
    tiles = [cell for cell, code in cells.items() if code in TILES]
    pawns: dict[str, str] = layout.visible.get("pawns", {})
    standing = {cell_of(square) for square in pawns.values()}
    if bare := [cell for cell in tiles if cell not in standing]:
        one = chance.choice(bare)
        yield "tile turned", _with(layout, {one: cells[one] + "~"})
        if len(bare) > 1:
            a, b = chance.sample(bare, 2)
            yield "tiles exchanged", _with(layout, {a: cells[b], b: cells[a]})
    if pawns:
        mover = PAWNS[position.turn]
        free = [name for name in FRAME.names if name not in pawns.values()]

        def near(name: str, steps: tuple[int, ...]) -> list[str]:
            x, y = cell_of(pawns[mover])
            return [n for n in free if max(abs(cell_of(n)[0] - x), abs(cell_of(n)[1] - y)) in steps and name != n]

        for kind, steps in (("wrong direction", (1,)), ("too far", (2,))):
            for square in chance.sample(places := near(pawns[mover], steps), min(3, len(places))):
                yield kind, shown(layout, cast(Visible, {**layout.visible, "pawns": {**pawns, mover: square}}))
        other = chance.choice([name for name in pawns if name != mover])
        square = chance.choice(free)
        yield "the other's pawn", shown(layout, cast(Visible, {**layout.visible, "pawns": {**pawns, other: square}}))
