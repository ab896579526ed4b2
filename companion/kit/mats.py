"""Mats: a field with its markers around it, in one piece or over several pages that are glued together."""

from __future__ import annotations

from math import ceil

from companion.errors import BadInput
from companion.kit.markers import REACH, around_field
from companion.kit.parts import Part, box
from companion.kit.sheets import Box, Format, Page, laid
from companion.messages import say
from vision.fields import FIELDS, Field
from web.drawing.letters import lettered
from web.drawing.sheet import U, View

OVERLAP = 10.0  # millimetres that lie under the next sheet
MARK, ABOVE = 4.0, 1.8  # how long its marks are; above they end below the page's title
MOST_SHEETS = 36
WOOD, LINE, HOLE = "#ead2a6", "#8f6a3c", "#3d2712"
LIGHT, DARK = "#ecd5ab", "#a8713d"
BED, BED_LINE = "#ffffff", "#9a9a9a"  # planks and tiles are told from what lies around them: no ink is best


def mat_field(name: str) -> Field:
    """The field as it is printed: its surface is the mat itself."""
    return next(field for field in FIELDS if field.name == name and field.surface == 0)


def mat(field: Field) -> Part:
    """The whole mat, from the outer corner of the north-west marker's margin."""
    wide, high = field.columns * U, field.rows * U
    drawn = f"{_ground(field)}{around_field(field)}{_names(field)}"
    width, height = wide + 2 * REACH, high + 2 * REACH
    cut = box(0, 0, width, height)
    face = f'<path d="{cut}" fill="#fff"/><g transform="translate({REACH:g} {REACH:g})">{drawn}</g>'
    return Part("mat", width, height, cut, "#ffffff", face)


def _ground(field: Field) -> str:
    view = View(field.columns, field.rows)
    size = f'width="{view.width}" height="{view.height}"'
    across = "".join(f"M0 {n * U}H{view.width}" for n in range(field.rows + 1))
    down = "".join(f"M{n * U} 0V{view.height}" for n in range(field.columns + 1))
    match field.name:
        case "seven":
            holes = "".join(
                f'<circle cx="{x * U + U // 2}" cy="{y * U + U // 2}" r="9"/>'
                for x in range(field.columns)
                for y in range(field.rows)
            )
            return (
                f'<rect {size} fill="{WOOD}"/><path d="{across}{down}" stroke="{LINE}" stroke-width="2.6" '
                f'stroke-linecap="square"/>'
                f'<g fill="{HOLE}">{holes}</g>'
            )
        case "faces":
            dark = "".join(
                "M{} {}h{U}v{U}h-{U}z".format(*(U * k for k in view.cell(x, y)), U=U)
                for x in range(field.columns)
                for y in range(field.rows)
                if (x + y) % 2 == 0  # a1 is dark
            )
            return (
                f'<rect {size} fill="{LIGHT}"/><path d="{dark}" fill="{DARK}"/>'
                f'<rect {size} fill="none" stroke="{HOLE}" stroke-width="3"/>'
            )
        case "tiles":
            return (
                f'<rect {size} fill="{BED}"/><path d="{across}{down}" stroke="{BED_LINE}" stroke-width="2" '
                f'stroke-linecap="square"/>'
            )
    return (  # a free area: only its outline is of use to the players
        f'<rect {size} fill="{BED}"/><rect x="6" y="6" width="{view.width - 12}" height="{view.height - 12}" '
        f'fill="none" stroke="{BED_LINE}" stroke-width="2" stroke-dasharray="10 8"/>'
    )


def _names(field: Field) -> str:
    """Letters and numbers of the squares, between the field and the markers."""
    if field.name == "planks":
        return ""
    high = field.rows * U
    letters = [lettered("abcdefghi"[n], n * U + U / 2, high + 22, 1.3) for n in range(field.columns)]
    numbers = [lettered(str(n + 1), -22, high - n * U - U / 2, 1.3) for n in range(field.rows)]
    return (
        f'<g fill="none" stroke="#555" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(letters + numbers)}</g>"
    )


def mat_pages(whole: Part, wanted: Format, title: str) -> list[Page]:
    """A mat on one page where it fits, else over as few as possible, each overlapping the next."""
    unit = wanted.cell / U
    width, height = whole.width * unit, whole.height * unit
    area = wanted.area
    if width <= area.width and height <= area.height:
        return laid([whole], wanted, title)
    (wide, high), is_wide = min(
        ((_pieces(width, height, wanted.area_of(on_side)), on_side) for on_side in (False, True)),
        key=lambda found: found[0][0] * found[0][1],
    )
    if wide * high > MOST_SHEETS:
        raise BadInput("--cell", "cell-too-large", cell=f"{wanted.cell:g}", paper=wanted.paper)
    return [
        _piece(whole, wanted, title, (column, row), (wide, high), is_wide)
        for row in range(high)
        for column in range(wide)
    ]


def _pieces(width: float, height: float, room: Box) -> tuple[int, int]:
    """How many sheets a mat takes, across and down."""
    return ceil((width - OVERLAP) / (room.width - OVERLAP)), ceil((height - OVERLAP) / (room.height - OVERLAP))


def _piece(
    whole: Part, wanted: Format, title: str, place: tuple[int, int], pieces: tuple[int, int], is_wide: bool
) -> Page:
    """One sheet of a mat. Its right and lower edges, where another follows, lie under that one; the other is cut off
    exactly at its edge and glued on the lines."""
    unit = wanted.cell / U
    size = whole.width * unit, whole.height * unit
    step = [(size[k] - OVERLAP) / pieces[k] for k in (0, 1)]
    start = [place[k] * step[k] for k in (0, 1)]
    span = [step[k] + OVERLAP for k in (0, 1)]
    room = wanted.area_of(is_wide)
    left, top = room.x, room.y
    window = " ".join(f"{value / unit:.4f}" for value in (*start, *span))
    drawn = (
        f'<svg x="{left:.4f}" y="{top:.4f}" width="{span[0]:.4f}" height="{span[1]:.4f}" viewBox="{window}" '
        f'preserveAspectRatio="none" overflow="hidden">{whole.face}</svg>'
    )
    right, bottom = left + span[0], top + span[1]
    followed = [place[k] + 1 < pieces[k] for k in (0, 1)]
    # where the sheet itself is cut, its mark lies inside: outside it would be cut off
    above, before = (-ABOVE if place[1] == 0 else ABOVE), (-MARK if place[0] == 0 else ABOVE)
    lines = f"M{right - OVERLAP:.3f} {top:.3f}v{above}M{right - OVERLAP:.3f} {bottom:.3f}v{MARK}" * followed[0]
    lines += f"M{left:.3f} {bottom - OVERLAP:.3f}h{before}M{right:.3f} {bottom - OVERLAP:.3f}h{MARK}" * followed[1]
    edges = f"M{left:.3f} {top - ABOVE:.3f}V{bottom + MARK:.3f}" * (place[0] > 0)
    edges += f"M{left - MARK:.3f} {top:.3f}H{right + MARK:.3f}" * (place[1] > 0)
    drawn += f'<path d="{lines}" stroke="#c8102e" stroke-width=".25" fill="none"/>' * bool(lines)
    drawn += f'<path d="{edges}" stroke="#222" stroke-width=".15" stroke-dasharray="1.2 1" fill="none"/>' * bool(edges)
    where = {"row": place[1] + 1, "rows": pieces[1], "column": place[0] + 1, "columns": pieces[0]}
    said = [title, say("KIT", "mat.sheet", where, wanted.language)]
    said += [say("KIT", "mat.cut", {}, wanted.language)] if edges else []
    said += [say("KIT", "mat.glue", {}, wanted.language)] if lines else []
    return Page(
        " · ".join(said), drawn, trim=Box(left, top, span[0], span[1]), is_wide=is_wide, at=(start[0], start[1])
    )
