"""From pages to a PDF that prints at its true size."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from companion.errors import BadInput
from companion.kit.sheets import PAPERS, Box, Format, Page, Text
from companion.messages import spaced

HERE = Path(__file__).parent
POINTS = 72 / 25.4  # to a millimetre
EDGE = 14.0  # around stories, in millimetres
NUMBER = 8.0  # for a page's number, at the upper right
PLAIN = 216.0  # the widest paper for which stories are set as they are; on wider paper they are enlarged
SPACE = "\u00a0"  # at which no line breaks
MEASURED = re.compile(r"(?<=\d) (?=(?:mm|cm|g|%)(?!\w))")
POINT = re.compile(r"(?<=\d)\.(?=\d+ (?:mm|cm|%)(?!\w))")  # in a measure, not in what is typed at a computer


def pdf(pages: Sequence[Page], wanted: Format, title: str, duplex: str = "Simplex") -> bytes:
    """The pages as a PDF. The same pages give the same bytes."""
    try:
        import pikepdf
        import typst
    except ImportError:
        raise BadInput("", "kit-missing") from None
    data = {
        "title": title,
        "language": wanted.language,
        "pages": _well_set([_page(page, wanted) for page in pages], wanted.language),
    }
    raw = typst.compile(
        HERE / "page.typ",
        root=HERE,
        font_paths=[HERE / "fonts"],
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        format="pdf",
        timestamp=0,
    )
    with pikepdf.open(io.BytesIO(raw)) as document:
        document.Root.ViewerPreferences = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"), Duplex=pikepdf.Name(f"/{duplex}"), PickTrayByPDFSize=True
        )
        for sheet, page in zip(document.pages, pages, strict=True):
            _boxes(sheet, page, wanted)
        finished = io.BytesIO()
        document.save(finished, deterministic_id=True, linearize=False)
    return finished.getvalue()


def _well_set(told: Any, language: str) -> Any:
    """With the apostrophes of print, and no line that begins with a unit or with a mark that French parts from its
    word; and French decimals have a comma. Drawings stay as they are."""
    if isinstance(told, str):
        told = POINT.sub(",", told) if language == "fr" else told
        return spaced(MEASURED.sub(SPACE, told.replace("'", "’")), language)
    if isinstance(told, dict):
        return {key: part if key in ("svg", "drawing") else _well_set(part, language) for key, part in told.items()}
    return [_well_set(part, language) for part in told] if isinstance(told, list) else told


def _page(page: Page, wanted: Format) -> dict[str, Any]:
    width, height = wanted.size[::-1] if page.is_wide else wanted.size
    area = wanted.area_of(page.is_wide)
    texts = list(page.texts)
    if page.title:
        texts.insert(0, Text(area.x, area.y - 5.4, area.width - NUMBER, page.title, 8.5, color="#555555"))
    if page.number:
        at = area.x + area.width - NUMBER
        texts.insert(0, Text(at, area.y - 5.4, NUMBER, str(page.number), 8.5, align="right", color="#555555"))
    drawing = page.drawing and (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.4f} {height:.4f}" width="{width:.4f}mm" '
        f'height="{height:.4f}mm">{page.drawing}</svg>'
    )
    return {
        "width": width,
        "height": height,
        "drawing": drawing,
        "texts": [asdict(text) for text in texts],
        "story": page.story,
        "area": Box(EDGE, EDGE, width - 2 * EDGE, height - 2 * EDGE)._asdict(),
        "enlarged": max(1.0, PAPERS[wanted.paper][0] / PLAIN),
    }


def _boxes(sheet: Any, page: Page, wanted: Format) -> None:
    """Scales what is drawn, and says what is cut off (TrimBox) and how far colors reach (BleedBox)."""
    import pikepdf

    paper = PAPERS[wanted.paper]
    (width, height), (sx, sy) = (paper[::-1], wanted.scale[::-1]) if page.is_wide else (paper, wanted.scale)
    if (sx, sy) != (1.0, 1.0):
        sheet.contents_add(f"q {sx:.6f} 0 0 {sy:.6f} 0 0 cm\n".encode(), prepend=True)
        sheet.contents_add(b"\nQ")
    trim, bleed = page.trim or Box(0, 0, width / sx, height / sy), wanted.bleed if page.trim else 0.0

    def box(x0: float, y0: float, x1: float, y1: float) -> pikepdf.Array:
        found = (max(x0 * sx, 0), max(height - y1 * sy, 0), min(x1 * sx, width), min(height - y0 * sy, height))
        return pikepdf.Array([Decimal(f"{value * POINTS:.4f}") for value in found])

    sheet.MediaBox = box(0, 0, width / sx, height / sy)
    x1, y1 = trim.x + trim.width, trim.y + trim.height
    sheet.TrimBox = box(trim.x, trim.y, x1, y1)
    sheet.BleedBox = box(trim.x - bleed, trim.y - bleed, x1 + bleed, y1 + bleed)
