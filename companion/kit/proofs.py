"""The pages that prove a print: is its size true, is its ink black, do backs lie behind their fronts?"""

from __future__ import annotations

from companion.kit.markers import marker
from companion.kit.sheets import Format, Page, Text
from companion.messages import say
from vision.proof import DICTIONARY, MODULES, PATCH, PATCHES, SIDE, marker_places

RULER = 100.0
REACH, ASIDE = (
    10,
    24.0,
)  # millimetres to either side that the duplex page can tell; how far its scales lie off the middle


def proof_page(wanted: Format) -> Page:
    width, height = wanted.size[0] * wanted.scale[0], wanted.size[1] * wanted.scale[1]
    drawn = [
        f'<g transform="translate({x:.4f} {y:.4f}) scale({SIDE / MODULES:.6f})">{marker(n, DICTIONARY, MODULES)}</g>'
        for n, (x, y) in marker_places(wanted.paper).items()
    ]
    drawn += [_patch(name, width, height) for name in PATCHES]
    across, down = (width / 2 - RULER / 2, height * 0.5), (width * 0.18, height / 2 - RULER / 2)
    drawn += [_ruler(*across, 0), _ruler(*down, 90)]
    # the whole page is scaled, but its markers are measured from the sheet's true corner
    texts = [
        Text(
            width * 0.24,
            height * 0.14,
            width * 0.52,
            say("KIT", "sheets.proof", {}, wanted.language),
            15,
            True,
            "center",
        ),
        Text(
            width * 0.24,
            height * 0.18,
            width * 0.52,
            say("KIT", "proof.how", {}, wanted.language),
            9.5,
            False,
            "center",
        ),
        Text(across[0], across[1] + 2, RULER, say("KIT", "proof.ruler", {}, wanted.language), 8, False, "center"),
    ]
    return Page("", "".join(drawn), texts)


def _patch(name: str, width: float, height: float) -> str:
    x, y, color = PATCHES[name]
    left, top = x * width - PATCH / 2, y * height - PATCH / 2
    return (
        f'<rect x="{left:.3f}" y="{top:.3f}" width="{PATCH}" height="{PATCH}" fill="{color}" stroke="#999" '
        'stroke-width=".15"/>'
    )


def _ruler(x: float, y: float, turn: float) -> str:
    """100 mm between the middles of its first and its last line."""
    lines = "".join(f"M{n} 0v-{6 if n % 10 == 0 else 4 if n % 5 == 0 else 2.5}" for n in range(int(RULER) + 1))
    return (
        f'<g transform="translate({x:.4f} {y:.4f}) rotate({turn:g})"><path d="M0 0H{RULER:g}" stroke="#000" '
        f'stroke-width=".2"/><path d="{lines}" stroke="#000" stroke-width=".2"/></g>'
    )


def duplex_pages(wanted: Format) -> list[Page]:
    """Lines on both sides: held against the light, the back's cross the front's scales at what `--offset` needs. A back
    that is seen too far to the right lies too far to the left on its own page, so across the sign is as it is read;
    down the page nothing is mirrored, so the scale is numbered upward."""
    width, height = wanted.size
    front, back = [], []
    texts: list[Text] = []
    for share in (0.25, 0.75):
        x, y = width / 2, height * share
        scale = "".join(f"M{n} {-ASIDE}v{-_tick(n)}M{-ASIDE} {n}h{-_tick(n)}" for n in range(-REACH, REACH + 1))
        scale += f"M{-REACH} {-ASIDE}h{2 * REACH}M{-ASIDE} {-REACH}v{2 * REACH}"
        front.append(_cross(x, y, f'<path d="{scale}" stroke="#000" stroke-width=".2"/>'))
        dx, dy = wanted.offset
        back.append(_cross(x + dx, y + dy, '<path d="M0 -40V40M-40 0H40" stroke="#c8102e" stroke-width=".3"/>'))
        for n in range(-REACH, REACH + 1, 5):
            label = f"{n:+d}" if n else "0"
            texts.append(Text(x + n - 5, y - ASIDE - 7.5, 10, label, 6.5, align="center"))
            texts.append(Text(x - ASIDE - 15, y - n - 1.2, 9, label, 6.5, align="right"))
    how = Text(
        wanted.area.x,
        height / 2 - 8,
        wanted.area.width,
        say("KIT", "duplex.how", {}, wanted.language),
        10,
        align="center",
    )
    titles = [say("KIT", code, {}, wanted.language) for code in ("sheets.duplex", "sheets.duplex-backs")]
    return [Page(titles[0], "".join(front), [*texts, how]), Page(titles[1], "".join(back), is_back=True)]


def _cross(x: float, y: float, what: str) -> str:
    return f'<g transform="translate({x:.4f} {y:.4f})" fill="none">{what}</g>'


def _tick(n: int) -> float:
    """Half the length of a line of the scale."""
    return 4.0 if n % 5 == 0 else 2.0
