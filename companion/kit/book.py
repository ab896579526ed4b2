"""The kit of one game or of all: which sheets it has, in the order in which they are printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from companion.games.game import AnyGame
from companion.games.material import Material
from companion.kit import markers, parts
from companion.kit.camera import camera_page
from companion.kit.mats import mat, mat_field, mat_pages
from companion.kit.parts import Part
from companion.kit.proofs import duplex_pages, proof_page
from companion.kit.rules_cards import example_svg, rules_pages
from companion.kit.sheets import MARGIN, Format, Page, Sheets, Text, laid, laid_out
from companion.kit.standins import standins_page
from companion.kit.typesetting import pdf
from companion.messages import say
from vision import fields
from web.drawing.sheet import U

Progress = Callable[[str], None]  # told of each kind of sheet as it is made
FIELDS = ("seven", "faces", "tiles", "planks")
IN_COLOR = ("seven", "faces")  # the mats of the others are white
SET = (180.0, 76.0)  # millimetres for the picture of the whole set
# Which pieces go on a sheet together, by what they are counted as; the rest stands in for what cannot be printed.
SHEETS = {
    "plates": ("tromino", "blocker"),
    "pierced": ("tetrod",),
    "dice": ("die", "king"),
    "planks": ("plank",),
    "tokens": ("token",),
    "tiles": ("tile",),
    "standins": ("mushroom", "peg", "pawn"),
}
HOLES = {"cap": parts.CAP_HOLE, "peg": parts.CARD_HOLE}


class Kit(NamedTuple):
    pages: list[Page]
    sheets: list[Sheets]

    @property
    def counted(self) -> dict[str, int]:
        """How many of each part there are."""
        total: Counter[str] = Counter()
        for sheets in self.sheets:
            total.update(sheets.counted)
        return dict(total)


def kit_of(games: Sequence[AnyGame], wanted: Format, progress: Progress = lambda _: None) -> Kit:
    """All sheets for these games; what several of them need is there once. What has backs comes last."""
    made: list[Sheets] = []
    for sheets in _sheets(games, wanted):
        progress(_named(sheets, wanted))
        made.append(sheets)
    made.sort(key=lambda sheets: sheets.stock == "duplex")
    return Kit(*_bound(games, made, wanted))


def kit_pdf(games: Sequence[AnyGame], kit: Kit, wanted: Format) -> bytes:
    return pdf(kit.pages, wanted, _title(games, wanted.language))


def _title(games: Sequence[AnyGame], language: str) -> str:
    names = _names(games, language)
    return say("KIT", "cover.title-one" if len(names) == 1 else "cover.title", {"game": names[0]}, language)


def _names(games: Sequence[AnyGame], language: str) -> list[str]:
    """What is in the box: a game and its solitaire are one."""
    solitaires = {game.solitaire for game in games}
    return [game.words[language].name for game in games if game.id not in solitaires]


# --- sheets


def _sheets(games: Sequence[AnyGame], wanted: Format) -> Iterator[Sheets]:
    def titled(code: str) -> str:
        return say("KIT", f"sheets.{code}", {}, wanted.language)

    def needing(wanted_kinds: Iterable[str]) -> tuple[str, ...]:
        return tuple(game.id for game in games if kinds_of[game.id] & set(wanted_kinds))

    material = together(games)
    kinds_of = {game.id: {part.kind for part in together([game])} for game in games}
    yield Sheets("proof", [proof_page(wanted)], "plain")
    yield Sheets("camera", [camera_page([game.field for game in games], wanted)], "plain")
    if rules := [page for game in games for page in rules_pages(game, wanted)]:
        yield Sheets("rules", rules, "plain")
    for field in FIELDS:
        if played := tuple(game.id for game in games if game.field == field):
            title = say("KIT", f"mat.{field}", {}, wanted.language)
            pages = mat_pages(mat(mat_field(field)), wanted, title)
            yield Sheets(f"mat.{field}", pages, "heavy-color" if field in IN_COLOR else "heavy", {"mat": 1}, played)
    if any(part.back for part in material):
        yield Sheets("duplex", duplex_pages(wanted), "duplex")
    for code, kinds in SHEETS.items():
        chosen = sorted((part for part in material if part.kind in kinds), key=lambda part: part.height)
        if chosen:
            backs = titled(f"{code}-backs") if chosen[0].back else ""
            pages = laid(chosen, wanted, titled(code), backs, _how(code, wanted))
            if code == "standins":
                pages.insert(0, standins_page(chosen, wanted))
            stock = "duplex" if chosen[0].back else "card"
            yield Sheets(code, pages, stock, Counter(part.kind for part in chosen), needing(kinds))
    cards = [part for part in material if part.kind == "card"]
    if cards:
        pages = laid(cards, wanted, titled("cards"), titled("cards-backs"), _how("cards", wanted))
        yield Sheets("cards", pages, "duplex", {"card": len(cards)}, needing(["card"]))
    loose = marker_pages(wanted)
    yield Sheets("markers", loose, "card", {"marker": sum(len(page.parts) for page in loose)})
    yield Sheets("charuco", [_charuco(wanted, titled("charuco"))], "heavy")
    yield Sheets("test", [_test(wanted, titled("test"))], "plain")


def _how(code: str, wanted: Format) -> str:
    """How the pieces of a sheet are cut out and put together, in a line."""
    across = {name: f"{2 * radius * wanted.cell / U:.0f}" for name, radius in HOLES.items()}
    return say("KIT", f"how.{code}", across, wanted.language)


def together(games: Iterable[AnyGame]) -> list[Part]:
    """The pieces of all these games: of those that several need, as many as the one that needs most."""
    plates: Counter[Any] = Counter()
    pieces: dict[tuple[str, str], int] = {}
    cards: dict[str, None] = {}
    for game in games:
        held: Material = game.material
        plates |= Counter(held.plates)
        cards |= dict.fromkeys(held.cards)
        for code, number in held.pieces.items():
            pieces[game.field, code] = max(number, pieces.get((game.field, code), 0))
    found = [parts.plate(plate) for plate, number in plates.items() for _ in range(number)]
    found += [parts.part_of(field, code) for (field, code), number in pieces.items() for _ in range(number)]
    return found + [parts.card(holes) for holes in cards]


def marker_pages(wanted: Format) -> list[Page]:
    """Markers to lay around boards that one has already, and which four belong to which."""
    pages = laid(markers.loose_markers(), wanted, say("KIT", "sheets.markers", {}, wanted.language))
    told = [say("KIT", "markers.how", {}, wanted.language)]
    for field in fields.FIELDS:
        code = f"markers.{field.name}{'-wood' if field.surface else ''}"
        numbers = {"first": min(field.markers), "last": max(field.markers)}
        thick = f"{field.surface * wanted.cell:.0f}"
        told.append(say("KIT", code, {**numbers, "thick": thick}, wanted.language))
    area, below = wanted.area, max(one.box.y + one.box.height for one in pages[-1].parts) + 8
    if below + 45 > area.y + area.height:
        pages.append(Page(pages[-1].title))
        below = area.y
    pages[-1].texts.append(Text(area.x, below, area.width, "\n".join(told), 9.5))
    return pages


def _charuco(wanted: Format, title: str) -> Page:
    area = wanted.area_of(is_wide=True)
    width = min(area.width, (area.height - 8) * 9 / 6)
    drawn, height = markers.charuco(width)
    x, y = area.x + (area.width - width) / 2, area.y + (area.height - 8 - height) / 2
    said = say("KIT", "charuco.how", {}, wanted.language)
    text = Text(area.x, area.y + area.height - 4, area.width, said, 8.5, color="#555555")
    return Page(title, f'<g transform="translate({x:.4f} {y:.4f})">{drawn}</g>', [text], is_wide=True)


def _test(wanted: Format, title: str) -> Page:
    """A mat of half the size, which can be checked before the whole one is printed, and markers from large to small."""
    area, whole = wanted.area, mat(mat_field("seven"))
    unit = min(wanted.cell / 200, (area.width - 2) / whole.width, (area.height - 60) / whole.height)
    x = area.x + (area.width - whole.width * unit) / 2
    drawn = f'<g transform="translate({x:.4f} {area.y:.4f}) scale({unit:.6f})">{whole.face}</g>'
    texts = []
    y, left = area.y + whole.height * unit + 14, area.x
    for n, share in enumerate((1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15)):
        side = wanted.cell * 0.9 * share
        if left + side > area.x + area.width:
            break
        drawn += markers.marker_at(40 + n, left, y, side)
        texts.append(Text(left, y + side + 1.5, max(side, 12), f"{side:.1f} mm", 7.5))
        left += max(side, 12) + 5
    half = {"cell": f"{unit * 100:.3g}", "times": f"{wanted.cell / (unit * 100):.2g}"}
    how = say("KIT", "test.how", half, wanted.language)
    texts.append(Text(area.x, y + wanted.cell + 6, area.width, how, 9))
    return Page(title, drawn, texts)


# --- bound together


def _bound(games: Sequence[AnyGame], made: list[Sheets], wanted: Format) -> tuple[list[Page], list[Sheets]]:
    """With a cover that says which pages are what. What has backs begins on an odd page, as printers turn sheets."""
    pages: list[Page] = [Page()]
    rows = []
    for sheets in made:
        if sheets.stock == "duplex" and len(pages) % 2:
            empty = say("KIT", "empty", {}, wanted.language)
            pages.append(Page(texts=[Text(MARGIN, MARGIN, 150, empty, 8.5, color="#777777")]))
        first = len(pages) + 1
        pages += sheets.pages
        rows.append(_row(games, sheets, first, len(pages), wanted))
    is_duplex = any(sheets.stock == "duplex" for sheets in made)
    pages[0] = Page(story=_cover(games, rows, is_duplex, wanted))
    for n, page in enumerate(pages, 1):
        page.number = n if page.title else 0  # stories have their names in large letters
    return pages, made


def _named(sheets: Sheets, wanted: Format) -> str:
    is_mat = sheets.code.startswith("mat.")
    return say("KIT", sheets.code if is_mat else f"sheets.{sheets.code}", {}, wanted.language)


def _row(games: Sequence[AnyGame], sheets: Sheets, first: int, last: int, wanted: Format) -> list[Any]:
    """What a line of the cover's table says; for which games only where the kit is one of several."""
    what, language = _named(sheets, wanted), wanted.language
    counted = {kind: number for kind, number in sheets.counted.items() if kind != "mat"}
    if len(counted) == 1:  # the name says already what they are
        what += f" ({sum(counted.values())})"
    elif counted:
        told = (say("KIT", f"count.{kind}", {"number": number}, language) for kind, number in counted.items())
        what += f" ({', '.join(told)})"
    names = _names([game for game in games if game.id in sheets.needed_by], language)
    return [
        {"strong": f"{first}" if first == last else f"{first}–{last}"},
        what,
        *([", ".join(names)] if len(_names(games, language)) > 1 else []),
        say("KIT", f"stock.{sheets.stock}", {}, language),
    ]


def _cover(games: Sequence[AnyGame], rows: list[list[Any]], is_duplex: bool, wanted: Format) -> list[dict[str, Any]]:
    def told(code: str, **params: object) -> str:
        return say("KIT", code, params, wanted.language)

    language = wanted.language
    shown = [game for game in games if game.id not in {other.solitaire for other in games}]
    drawn = [(example_svg(game, language), game.words[language].name) for game in shown]
    width = 60 if len(drawn) == 1 else min(42.0, 176 / len(drawn) - 4)
    pictures = [{"svg": svg, "text": name, "width": width} for svg, name in drawn if svg]
    columns = {"pages": 0, "what": 9, "for": 7, "stock": 13}
    if len(shown) == 1:
        del columns["for"]
    head = [told(f"cover.{name}") for name in columns]
    steps = told("cover.steps").split("\n")
    if is_duplex:
        steps.insert(1, told("cover.duplex"))
    size = 9.5 if len(rows) < 12 else 8.5
    return [
        {"kind": "title", "text": _title(games, language)},
        {"kind": "lead", "text": told("cover.lead", cell=f"{wanted.cell:g}", paper=wanted.paper)},
        {"kind": "pictures", "pictures": pictures},
        {"kind": "table", "columns": list(columns.values()), "head": head, "rows": rows, "size": size},
        {"kind": "steps", "items": steps},
        {"kind": "heading", "text": told("cover.set")},
        {"kind": "pictures", "pictures": [{"svg": _set(games), "text": "", "width": 0}]},
    ]


def _set(games: Sequence[AnyGame]) -> str:
    """Everything that is in the kit, cut out and laid side by side."""
    mats = [mat(mat_field(field)) for field in FIELDS if any(game.field == field for game in games)]
    return laid_out([mats, *grouped(together(games))], *SET)


def grouped(material: Sequence[Part]) -> list[list[Part]]:
    """Pieces as they go together on sheets."""
    return [[part for part in material if part.kind in kinds] for kinds in (*SHEETS.values(), ("card",))]


def page_pdf(paper: str, language: str, game: AnyGame | None) -> bytes:
    """A game's mat alone, or loose markers of all fields."""
    wanted = Format(paper=paper, language=language)
    if game is None:
        return pdf(marker_pages(wanted), wanted, say("KIT", "sheets.markers", {}, language))
    title = say("KIT", f"mat.{game.field}", {}, language)
    return pdf(mat_pages(mat(mat_field(game.field)), wanted, title), wanted, title)
