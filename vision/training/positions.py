"""Plausible positions of everything in the kit, made without the rules: random pieces that keep its guarantees.

They are asked for by the name of a set of pieces, for example "dice". The odd ones, "dice, odd", are to train with:
more dice, pawns and tokens than the kit has (a pawn's name then carries a number), and holes in tetrods and cards
without the mushroom or peg that belongs in them. Dice, tiles, planks and tokens are then each from another kit, so that
one picture shows many makers' work.
"""

from __future__ import annotations

from collections.abc import Callable

from vision.codes import DIE_FACES, PAWN_OUTPUTS, TRIPLES, Labels
from vision.simulate.layout import Card, Cell, Layout, neighbors
from vision.simulate.style import Rng

_TROMINOES = {".": "bare", "#": "blocker", "x": "tromino"}
_TETRODS = {".": "bare", "o": "mushroom", "x": "tetrod", "@": "tetrod+mushroom"}
_CARDS = {".": "bare", "o": "peg", "b": "card b", "w": "card w", "B": "card b+peg", "W": "card w+peg"}
SETS = {
    labels.game: labels
    for labels in (
        Labels("trominoes", "seven", _TROMINOES),
        Labels("mushrooms", "seven", _TETRODS),
        Labels("single mushrooms", "seven", _TETRODS),  # at most one stands free
        Labels("cards", "seven", _CARDS),
        Labels("blue cards", "seven", _CARDS),
        Labels("dice", "faces"),
        Labels("tiles", "tiles"),
        Labels("planks", "planks"),
    )
}
ODD = ", odd"


def random_layout(rng: Rng, name: str) -> Layout:
    """A layout of a set of pieces, by its name."""
    labels = labels_of(name)
    return _MAKERS[labels.game](rng, labels, name.endswith(ODD))


def labels_of(name: str) -> Labels:
    return SETS[name.removesuffix(ODD)]


def _rows(codes: dict[Cell, str], columns: int, rows: int) -> list[list[str]]:
    return [[codes.get((c, r), ".") for c in range(columns)] for r in reversed(range(rows))]


def _grow(rng: Rng, free: set[Cell], size: int) -> tuple[Cell, ...] | None:
    """A random connected piece on free cells."""
    start = sorted(free)[int(rng.integers(len(free)))]
    piece = [start]
    while len(piece) < size:
        near = sorted({n for cell in piece for n in neighbors(cell) if n in free and n not in piece})
        if not near:
            return None
        piece.append(near[int(rng.integers(len(near)))])
    return tuple(piece)


def _trominoes(rng: Rng, labels: Labels, odd: bool) -> Layout:
    free = {(c, r) for c in range(7) for r in range(7)}
    codes: dict[Cell, str] = {}
    for _ in range(7 if rng.random() < 0.9 else int(rng.integers(0, 7))):
        cell = sorted(free)[int(rng.integers(len(free)))]
        codes[cell] = "#"
        free.discard(cell)
    plates: list[tuple[Cell, ...]] = []
    for _ in range(int(rng.integers(0, 40))):
        plate = _grow(rng, free, 3) if len(plates) < 14 and len(free) > 2 else None
        if plate:
            plates.append(plate)
            free -= set(plate)
            codes.update(dict.fromkeys(plate, "x"))
    return Layout(labels, {"rows": _rows(codes, 7, 7)}, plates=tuple(plates))


def _tetrods(rng: Rng, labels: Labels, odd: bool) -> Layout:
    free = {(c, r) for c in range(7) for r in range(7)}
    codes: dict[Cell, str] = {}
    holes: list[Cell] = []
    plates: list[tuple[Cell, ...]] = []
    for _ in range(int(rng.integers(0, 40))):
        plate = _grow(rng, free, 4) if len(plates) < 12 and len(free) > 3 else None
        if plate:
            plates.append(plate)
            free -= set(plate)
            codes.update(dict.fromkeys(plate, "x"))
            pierced = plate[int(rng.integers(4))]
            if odd and rng.random() < 0.3:
                holes.append(pierced)
            else:
                codes[pierced] = "@"
    loose = 13 - len(plates) if labels.game != "single mushrooms" else int(rng.integers(0, 2))
    for _ in range(min(loose, len(free))):
        cell = sorted(free)[int(rng.integers(len(free)))]
        codes[cell] = "o"
        free.discard(cell)
    shown = {"rows": _rows(codes, 7, 7)}
    return Layout(labels, shown, plates=tuple(plates), open_holes=tuple(holes))


def _cards(rng: Rng, labels: Labels, odd: bool) -> Layout:
    cells = [(c, r) for c in range(7) for r in range(7)]
    count = int(rng.integers(0, 34))
    pegs = {cells[i] for i in rng.permutation(49)[:count]}
    cards = []
    codes = dict.fromkeys(pegs, "o")
    for _ in range(int(rng.integers(0, 18)) if rng.random() < 0.85 else 0):
        size = (2, 3) if rng.random() < 0.5 else (3, 2)
        at = (int(rng.integers(0, 8 - size[0])), int(rng.integers(0, 8 - size[1])))
        face = "b" if labels.game == "blue cards" else str(rng.choice(["b", "w"]))
        cards.append(Card(at, size, face))
        for i in range(size[0]):
            for j in range(size[1]):
                cell = (at[0] + i, at[1] + j)
                codes[cell] = face.upper() if cell in pegs else face
    bare = [cell for cell, code in codes.items() if code in ("b", "w")]
    holes = tuple(cell for cell in bare if odd and rng.random() < 0.1)
    shown = {"rows": _rows(codes, 7, 7)}
    return Layout(labels, shown, cards=tuple(cards), open_holes=holes)


def _faces(rng: Rng, labels: Labels, odd: bool) -> Layout:
    cells = [(c, r) for c in range(9) for r in range(8)]
    order = [cells[i] for i in rng.permutation(72)]
    if rng.random() < 0.4:  # crowds stand in rows in real games
        order = [(c, r) for r in (0, 7) for c in range(9)] + order
        order = list(dict.fromkeys(order))
        order[:18] = [order[i] for i in rng.permutation(18)]
    crowd = 25 if odd else 9
    codes: dict[Cell, str] = {}
    for color in "wr":
        kings = [f"{color}K"] if rng.random() < 0.95 else []
        for die in kings + [color + str(rng.choice(DIE_FACES[:9])) for _ in range(int(rng.integers(0, crowd)))]:
            codes[order.pop(0)] = die
    return Layout(labels, {"rows": _rows(codes, 9, 8)}, motley=odd)


def _tiles(rng: Rng, labels: Labels, odd: bool) -> Layout:
    layout = str(rng.choice(["corner", "inset", "random"]))
    cells = [(c, r) for c in range(8) for r in range(8)]
    if layout == "random":
        special = [cells[i] for i in rng.permutation(64)[:8]]
    else:
        near, far = (0, 7) if layout == "corner" else (1, 6)
        special = [(near, near), (far, near), (far, far), (near, far), (3, 3), (4, 3), (3, 4), (4, 4)]
    names = ["start-square", "start-round", "finish-square", "finish-round"] + ["neutral"] * 4
    codes = dict(zip(special, names, strict=True))
    rest = [cell for cell in cells if cell not in codes]
    tiles = [TRIPLES[i] for i in rng.permutation(56)]
    if rng.random() < 0.25:
        # Hidden tiles: the neutral squares lie face down too.
        shown = rng.random()
        codes = {c: ("down" if t == "neutral" and rng.random() > shown else t) for c, t in codes.items()}
        tiles = [t if rng.random() < shown else "down" for t in tiles]
    elif rng.random() < 0.4:
        gaps = rng.random()
        tiles = [t if rng.random() < gaps else "empty" for t in tiles]
    if odd:  # all kinds in about equal numbers, but for the arrows
        kinds = [*names[:5], "down", "empty", "empty"]
        codes = {c: str(rng.choice(kinds)) for c in cells if rng.random() < 0.4}
        rest = [cell for cell in cells if cell not in codes]
        tiles = [TRIPLES[int(i)] for i in rng.integers(0, 56, len(rest))]
    codes.update(dict(zip(rest, tiles, strict=True)))
    if rng.random() < 0.15:
        for cell in rest:
            if "-" in codes[cell] and rng.random() < 0.2:
                codes[cell] += "~"
    pawns: dict[str, str] = {}
    teams = ["square1", "round1"] + (["square2", "round2"] if rng.random() < 0.4 else [])
    if rng.random() < 0.9 and not odd:
        tiled = [cells[int(n)] for n in rng.permutation(64) if codes[cells[int(n)]] != "empty"]
        for name, (column, row) in zip(teams, tiled, strict=False):
            pawns[name] = f"{'abcdefgh'[column]}{row + 1}"
    if odd:
        # A clear pawn is hardest to see on a green tile: half of them stand on one.
        green = [n for n in rng.permutation(64) if codes[cells[n]].startswith(("start", "finish"))][:10]
        for k, place in enumerate([*green, *(n for n in rng.permutation(64) if n not in green)][:20]):
            column, row = cells[int(place)]
            if codes[(column, row)] != "empty":
                pawns[f"{PAWN_OUTPUTS[k % 4]} {k}"] = f"{'abcdefgh'[column]}{row + 1}"
    return Layout(labels, {"rows": _rows(codes, 8, 8), "pawns": pawns}, motley=odd)


def _planks(rng: Rng, labels: Labels, odd: bool) -> Layout:
    models = [m for m in "RWB" for _ in range(4)]
    count = int(rng.integers(0, 13))
    hands = {p: {"R": 2, "W": 2, "B": 2} for p in "ABCD"[: int(rng.integers(2, 5))]}
    density = float(rng.uniform(0.2, 1))
    if odd:
        count = 12 if rng.random() < 0.6 else count
        density, hands = 0.85, {p: {"R": 12, "W": 12, "B": 12} for p in "ABCD"}
    planks = []
    for i in rng.permutation(12)[:count]:
        middle = models[int(i)]
        ends = [c for c in "RWB" if c != middle]
        if rng.random() < 0.5:
            ends.reverse()
        colors = ends[0] + middle + ends[1]
        tokens = []
        for color in colors:
            own = color if rng.random() < 0.97 else str(rng.choice(list("RWB")))
            owners = [p for p, hand in hands.items() if hand[own]]
            if owners and rng.random() < density:
                owner = str(rng.choice(owners))
                hands[owner][own] -= 1
                tokens.append(owner if own == color else f"{owner}:{own}")
            else:
                tokens.append(".")
        planks.append({"colors": colors, "tokens": tokens})
    return Layout(labels, {"planks": planks}, motley=odd)


_MAKERS: dict[str, Callable[[Rng, Labels, bool], Layout]] = {
    "trominoes": _trominoes,
    "mushrooms": _tetrods,
    "single mushrooms": _tetrods,
    "cards": _cards,
    "blue cards": _cards,
    "dice": _faces,
    "tiles": _tiles,
    "planks": _planks,
}
