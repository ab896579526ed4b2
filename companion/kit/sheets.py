"""Pages: what lies where on a sheet of paper, in millimetres from its upper left corner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from companion.errors import BadInput
from companion.kit.parts import CUT, HAIR, Part
from web.drawing.sheet import U

PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "Letter": (215.9, 279.4)}
MARGIN = 8.0  # that printers leave white
HEAD = 6.0  # for a page's title
GAP = 1.0  # between two parts, beyond what bleeds over their edges
LARGEST_SHOWN, OUTLINE = 12.0, 0.1  # in pictures of the whole set: millimetres to a cell, and how thick edges are
SMALLEST, LARGEST, USUAL = 12.0, 100.0, 30.0  # millimetres to a cell


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Format:
    """How the kit is wanted."""

    paper: str = "A4"
    language: str = "en"
    cell: float = USUAL
    bleed: float = 1.0
    scale: tuple[float, float] = (1.0, 1.0)  # by which everything is drawn larger, because the printer shrinks it
    offset: tuple[float, float] = (0.0, 0.0)  # by which backs are shifted, because the printer turns paper over askew

    @property
    def size(self) -> tuple[float, float]:
        """Of the page before it is scaled."""
        width, height = PAPERS[self.paper]
        return width / self.scale[0], height / self.scale[1]

    @property
    def area(self) -> Box:
        return self.area_of(is_wide=False)

    def area_of(self, is_wide: bool) -> Box:
        """Where parts may lie: within what a printer prints, below the page's title."""
        (width, height), (x, y) = self.size, (MARGIN / self.scale[0], MARGIN / self.scale[1])
        if is_wide:
            width, height, x, y = height, width, y, x
        return Box(x, y + HEAD, width - 2 * x, height - 2 * y - HEAD)


@dataclass(frozen=True)
class Text:
    x: float
    y: float
    width: float
    text: str
    size: float = 9.0  # points
    bold: bool = False
    align: str = "left"
    color: str = "#333333"
    turn: float = 0.0


@dataclass(frozen=True)
class Placed:
    """A part on a page, upright or on its side."""

    part: Part
    x: float
    y: float
    turn: int  # in quarters: 1 with its upper edge to the right, -1 to the left
    unit: float  # millimetres to a hundredth of a cell

    @property
    def box(self) -> Box:
        width, height = self.part.width * self.unit, self.part.height * self.unit
        return Box(self.x, self.y, *((height, width) if self.turn else (width, height)))

    def drawn(self, what: str) -> str:
        box = self.box
        x, y = box.x + box.width * (self.turn > 0), box.y + box.height * (self.turn < 0)
        turn = f" rotate({90 * self.turn})" if self.turn else ""
        return f'<g transform="translate({x:.4f} {y:.4f}){turn} scale({self.unit:.6f})">{what}</g>'


@dataclass
class Page:
    title: str = ""
    drawing: str = ""  # SVG in millimetres
    texts: list[Text] = field(default_factory=list)
    story: list[dict[str, Any]] = field(default_factory=list)  # set by the typesetter from top to bottom
    trim: Box | None = None  # what is cut from the sheet; None: the sheet itself
    is_wide: bool = False  # lies on its side
    parts: list[Placed] = field(default_factory=list)
    is_back: bool = False
    at: tuple[float, float] = (0.0, 0.0)  # of a mat over several pages: where this one begins
    number: int = 0  # in the kit, as its cover counts; 0 where pages are not counted


@dataclass(frozen=True)
class Sheets:
    """Pages that belong together: what they are, on what they are printed, and what is on them."""

    code: str
    pages: list[Page]
    stock: str  # on what to print them
    counted: dict[str, int] = field(default_factory=dict)
    needed_by: tuple[str, ...] = ()  # games; none where it is no game that needs them


def laid(parts: Sequence[Part], wanted: Format, title: str, back_title: str = "", how: str = "") -> list[Page]:
    """Parts on as few pages as shelves allow, upright or all turned; where they have backs, each page is followed by
    its own. `how` they are cut and put together stands beside the title."""
    upright, turned = (_shelved(parts, wanted.area, wanted.cell / U, wanted.bleed, turn) for turn in (0, 1))
    if upright is None and turned is None:
        raise BadInput("--cell", "cell-too-large", cell=f"{wanted.cell:g}", paper=wanted.paper)
    shelved = min((found for found in (upright, turned) if found is not None), key=len)
    pages = []
    for n, placed in enumerate(shelved):
        number = f" · {n + 1}/{len(shelved)}" if len(shelved) > 1 else ""
        pages.append(_page(placed, wanted, " · ".join(filter(None, (title + number, how)))))
        backs = [_behind(one, wanted) for one in placed if one.part.back]
        if backs:
            page = _page(backs, wanted, (back_title or title) + number)
            page.is_back = True
            pages.append(page)
    return pages


def laid_out(groups: Sequence[Sequence[Part]], width: float, height: float) -> str:
    """A small picture of parts side by side, each group together, at one scale: as large as so much room allows."""
    for cell in np.arange(LARGEST_SHOWN, 0.5, -0.05):
        placed = _in_rows(groups, width, float(cell) / U)
        box = around(one.box for one in placed)
        if box.height <= height and box.width <= width:
            break
    edge = f'fill="none" stroke="{CUT}" stroke-width="{OUTLINE / placed[0].unit:.3f}"'
    drawn = "".join(one.drawn(f'{one.part.face}<path d="{one.part.cut}" {edge}/>') for one in placed)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.5 -.5 {box.width + 1:.3f} {box.height + 1:.3f}" '
        f'width="{box.width + 1:.3f}mm" height="{box.height + 1:.3f}mm">{drawn}</svg>'
    )


def _in_rows(groups: Sequence[Sequence[Part]], width: float, unit: float) -> list[Placed]:
    """From left to right; what is higher than wide lies on its side, and a group is not parted where a row holds it."""
    placed: list[Placed] = []
    x = y = row = 0.0
    for group in filter(None, groups):
        span = sum(max(part.width, part.height) * unit + GAP for part in group) - GAP
        starts = x > 0 and x + span > width
        for part in group:
            one = Placed(part, x, y, int(part.height > part.width), unit)
            if starts or x + one.box.width > width:
                x, y, row, starts = 0.0, y + row + GAP, 0.0, False
                one = replace(one, x=x, y=y)
            placed.append(one)
            x, row = x + one.box.width + GAP, max(row, one.box.height)
        x += GAP
    return placed


def _shelved(parts: Sequence[Part], area: Box, unit: float, bleed: float, turn: int) -> list[list[Placed]] | None:
    """Parts in rows from left to right, page by page; nothing if one is larger than a page."""
    gap = 2 * bleed + GAP
    pages: list[list[Placed]] = [[]]
    x = y = shelf = 0.0
    for part in parts:
        width, height = part.width * unit, part.height * unit
        if turn:
            width, height = height, width
        if width + 2 * bleed > area.width or height + 2 * bleed > area.height:
            return None
        if x + width + 2 * bleed > area.width:
            x, y, shelf = 0.0, y + shelf + gap, 0.0
        if y + height + 2 * bleed > area.height:
            x = y = shelf = 0.0
            pages.append([])
        pages[-1].append(Placed(part, area.x + bleed + x, area.y + bleed + y, turn, unit))
        x, shelf = x + width + gap, max(shelf, height)
    return pages


def _behind(one: Placed, wanted: Format) -> Placed:
    """The back of a part, where it lies when the sheet is turned over its long edge: what lies on its side then lies on
    the other."""
    assert one.part.back is not None
    box, (dx, dy) = one.box, wanted.offset
    return Placed(one.part.back, wanted.size[0] - box.x - box.width + dx, box.y + dy, -one.turn, one.unit)


def _page(placed: Sequence[Placed], wanted: Format, title: str) -> Page:
    bleed = 2 * wanted.bleed * U / wanted.cell
    grounds, faces, lines = [], [], []
    for one in placed:
        part = one.part
        if bleed:
            look = f'fill="{part.ground}" stroke="{part.ground}" stroke-width="{bleed:g}"'
            grounds.append(one.drawn(f'<path d="{part.cut}" {look} stroke-linejoin="round" fill-rule="evenodd"/>'))
        faces.append(one.drawn(part.face))
        hair = f'fill="none" stroke-width="{HAIR}"'
        folds = f'<path d="{part.score}" {hair} stroke="{part.fold}" stroke-dasharray="4 3"/>' if part.score else ""
        lines.append(one.drawn(f'<path d="{part.cut}" {hair} stroke="{CUT}"/>{folds}'))
    return Page(title, "".join([*grounds, *faces, *lines]), trim=around(one.box for one in placed), parts=list(placed))


def around(boxes: Iterable[Box]) -> Box:
    found = list(boxes)
    x, y = min(box.x for box in found), min(box.y for box in found)
    right, bottom = max(box.x + box.width for box in found), max(box.y + box.height for box in found)
    return Box(x, y, right - x, bottom - y)
