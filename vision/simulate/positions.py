"""Plausible positions of every game, made without the rules: random pieces that keep the kit's guarantees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vision.codes import DIE_FACES, PAWNS, TRIPLES
from vision.simulate.style import Rng

Cell = tuple[int, int]  # column and row, both from 0, from the south-west
Visible = dict[str, Any]


# Odd positions to train with: more dice, pawns and tokens than the kit has (a pawn's name then carries a
# number), and holes in tetrods and cards without the mushroom or peg that belongs in them. Dice, tiles, planks
# and tokens are then a motley lot, each from another kit, so that one picture shows many makers' work.
VARIANTS = {f"{game}, odd": game for game in ("six-faces", "trippples", "plank", "tetrods", "pegs")}


@dataclass(frozen=True)
class Card:
    """A Pegs card on the block whose south-west cell is `at`; cards lie in the order of the list."""

    at: Cell
    size: tuple[int, int]
    face: str  # b or w


@dataclass(frozen=True)
class Layout:
    """What lies on a field: the visible state, and the pieces where that does not tell them."""

    game: str
    visible: Visible
    plates: tuple[tuple[Cell, ...], ...] = ()
    cards: tuple[Card, ...] = ()
    open_holes: tuple[Cell, ...] = ()
    south: int = 0  # the southernmost plank's number: a row keeps its numbers while it grows both ways
    motley: bool = False  # each piece is from another kit


def random_layout(rng: Rng, game: str) -> Layout:
    makers = {
        "hepta": _hepta,
        "hepta-solo": _hepta,
        "tetrods": _tetrods,
        "t-for-two": _tetrods,
        "pegs": _pegs,
        "pegs-solo": _pegs,
        "six-faces": _faces,
        "six-faces, odd": _faces,
        "trippples, odd": _tiles,
        "plank, odd": _planks,
        "tetrods, odd": _tetrods,
        "pegs, odd": _pegs,
        "plank": _planks,
        "trippples": _tiles,
    }
    return makers[game](rng, game)


def layout_of(rng: Rng, game: str, visible: Visible) -> Layout:
    """A layout that shows a given visible state; cells are joined to pieces as well as can be guessed."""
    if "rows" not in visible or game in ("six-faces", "trippples"):
        return Layout(game, visible)
    rows = visible["rows"]
    cells = {(c, len(rows) - 1 - r): code for r, row in enumerate(rows) for c, code in enumerate(row)}
    if game.startswith("pegs"):
        return Layout(game, visible, cards=_guess_cards(cells))
    size = 3 if game.startswith("hepta") else 4
    covered = {cell for cell, code in cells.items() if code in "x@"}
    plates = []
    while covered:
        plate = [min(covered)]
        covered.discard(plate[0])
        while len(plate) < size:
            near = sorted(n for cell in plate for n in _neighbours(cell) if n in covered)
            if not near:
                break
            chosen = near[int(rng.integers(len(near)))]
            plate.append(chosen)
            covered.discard(chosen)
        plates.append(tuple(plate))
    return Layout(game, visible, plates=tuple(plates))


def _guess_cards(cells: dict[Cell, str]) -> tuple[Card, ...]:
    """Whole blocks of one face first; what is left shows as parts of cards that others cover."""
    faces = {cell: code.lower() for cell, code in cells.items() if code.lower() in ("b", "w")}
    below, above = [], []
    left = set(faces)
    for column, row in sorted(faces):
        for size in ((2, 3), (3, 2)):
            block = {(column + i, row + j) for i in range(size[0]) for j in range(size[1])}
            if block <= left and len({faces[cell] for cell in block}) == 1:
                above.append(Card((column, row), size, faces[(column, row)]))
                left -= block
    below = [Card(cell, (1, 1), faces[cell]) for cell in sorted(left)]
    return (*below, *above)


def _neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + 1, cell[1]), (cell[0] - 1, cell[1]), (cell[0], cell[1] + 1), (cell[0], cell[1] - 1)]


def _rows(codes: dict[Cell, str], columns: int, rows: int) -> list[list[str]]:
    return [[codes.get((c, r), ".") for c in range(columns)] for r in reversed(range(rows))]


def _grow(rng: Rng, free: set[Cell], size: int) -> tuple[Cell, ...] | None:
    """A random connected piece on free cells."""
    start = sorted(free)[int(rng.integers(len(free)))]
    piece = [start]
    while len(piece) < size:
        near = sorted({n for cell in piece for n in _neighbours(cell) if n in free and n not in piece})
        if not near:
            return None
        piece.append(near[int(rng.integers(len(near)))])
    return tuple(piece)


def _hepta(rng: Rng, game: str) -> Layout:
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
    return Layout(game, {"rows": _rows(codes, 7, 7)}, plates=tuple(plates))


def _tetrods(rng: Rng, game: str) -> Layout:
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
            if game in VARIANTS and rng.random() < 0.3:
                holes.append(pierced)
            else:
                codes[pierced] = "@"
    loose = 13 - len(plates) if game != "t-for-two" else int(rng.integers(0, 2))
    for _ in range(min(loose, len(free))):
        cell = sorted(free)[int(rng.integers(len(free)))]
        codes[cell] = "o"
        free.discard(cell)
    shown = {"rows": _rows(codes, 7, 7)}
    return Layout(VARIANTS.get(game, game), shown, plates=tuple(plates), open_holes=tuple(holes))


def _pegs(rng: Rng, game: str) -> Layout:
    cells = [(c, r) for c in range(7) for r in range(7)]
    count = int(rng.integers(0, 34))
    pegs = {cells[i] for i in rng.permutation(49)[:count]}
    cards = []
    codes = dict.fromkeys(pegs, "o")
    for _ in range(int(rng.integers(0, 18)) if rng.random() < 0.85 else 0):
        size = (2, 3) if rng.random() < 0.5 else (3, 2)
        at = (int(rng.integers(0, 8 - size[0])), int(rng.integers(0, 8 - size[1])))
        face = "b" if game == "pegs-solo" else str(rng.choice(["b", "w"]))
        cards.append(Card(at, size, face))
        for i in range(size[0]):
            for j in range(size[1]):
                cell = (at[0] + i, at[1] + j)
                codes[cell] = face.upper() if cell in pegs else face
    bare = [cell for cell, code in codes.items() if code in ("b", "w")]
    holes = tuple(cell for cell in bare if game in VARIANTS and rng.random() < 0.1)
    shown = {"rows": _rows(codes, 7, 7)}
    return Layout(VARIANTS.get(game, game), shown, cards=tuple(cards), open_holes=holes)


def _faces(rng: Rng, game: str) -> Layout:
    cells = [(c, r) for c in range(9) for r in range(8)]
    order = [cells[i] for i in rng.permutation(72)]
    if rng.random() < 0.4:  # crowds stand in rows in real games
        order = [(c, r) for r in (0, 7) for c in range(9)] + order
        order = list(dict.fromkeys(order))
        order[:18] = [order[i] for i in rng.permutation(18)]
    crowd = 9 if game == "six-faces" else 25
    codes: dict[Cell, str] = {}
    for colour in "wr":
        kings = [f"{colour}K"] if rng.random() < 0.95 else []
        for die in kings + [colour + str(rng.choice(DIE_FACES[:9])) for _ in range(int(rng.integers(0, crowd)))]:
            codes[order.pop(0)] = die
    return Layout("six-faces", {"rows": _rows(codes, 9, 8)}, motley=game in VARIANTS)


def _tiles(rng: Rng, game: str) -> Layout:
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
    if game in VARIANTS:  # all kinds in about equal numbers, but for the arrows
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
    if rng.random() < 0.9 and game not in VARIANTS:
        places = rng.permutation(64)
        for k, name in enumerate(teams):
            column, row = cells[int(places[k])]
            if codes[(column, row)] != "empty":
                pawns[name] = f"{'abcdefgh'[column]}{row + 1}"
    if game in VARIANTS:
        # A clear pawn is hardest to see on a green tile: half of them stand on one.
        green = [n for n in rng.permutation(64) if codes[cells[n]].startswith(("start", "finish"))][:10]
        for k, place in enumerate([*green, *(n for n in rng.permutation(64) if n not in green)][:20]):
            column, row = cells[int(place)]
            if codes[(column, row)] != "empty":
                pawns[f"{PAWNS[k % 4]} {k}"] = f"{'abcdefgh'[column]}{row + 1}"
    return Layout("trippples", {"rows": _rows(codes, 8, 8), "pawns": pawns}, motley=game in VARIANTS)


def _planks(rng: Rng, game: str) -> Layout:
    models = [m for m in "RWB" for _ in range(4)]
    count = int(rng.integers(0, 13))
    hands = {p: {"R": 2, "W": 2, "B": 2} for p in "ABCD"[: int(rng.integers(2, 5))]}
    density = float(rng.uniform(0.2, 1))
    if game in VARIANTS:
        count = 12 if rng.random() < 0.6 else count
        density, hands = 0.85, {p: {"R": 12, "W": 12, "B": 12} for p in "ABCD"}
    planks = []
    for i in rng.permutation(12)[:count]:
        middle = models[int(i)]
        ends = [c for c in "RWB" if c != middle]
        if rng.random() < 0.5:
            ends.reverse()
        colours = ends[0] + middle + ends[1]
        tokens = []
        for colour in colours:
            own = colour if rng.random() < 0.97 else str(rng.choice(list("RWB")))
            owners = [p for p, hand in hands.items() if hand[own]]
            if owners and rng.random() < density:
                owner = str(rng.choice(owners))
                hands[owner][own] -= 1
                tokens.append(owner if own == colour else f"{owner}:{own}")
            else:
                tokens.append(".")
        planks.append({"colors": colours, "tokens": tokens})
    return Layout("plank", {"planks": planks}, motley=game in VARIANTS)
