"""The page that says what can stand in for pieces that no printer makes: pegs, mushrooms and clear pawns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.kit.parts import MUSHROOM, PAWNS, PEG, RED, Part
from companion.kit.sheets import Format, Page
from companion.messages import say

PEG_WIDE = 30.0  # that a peg's stand-in may be across at the most, in hundredths of a cell
SHOWN = 34.0  # how wide a picture is, in millimetres


class StandIn(NamedTuple):
    """What is cut out is glued on top of something; lengths in hundredths of a cell."""

    across: float
    high: float
    low: float  # how high it is at the least
    body: str
    top: str
    is_clear: bool = False


STAND_INS = {
    "mushroom": StandIn(2 * MUSHROOM, 35, 17, "#3a342e", "#141416"),
    "peg": StandIn(2 * PEG, 50, 20, "#c8403a", RED),
    "pawn": StandIn(60, 30, 10, "#e4f1fa", PAWNS["square1"][0], is_clear=True),
}


def standins_page(chosen: Sequence[Part], wanted: Format) -> Page:
    def told(code: str) -> str:
        return say("KIT", code, sizes, wanted.language)

    def millimetres(units: float) -> str:
        return f"{units * wanted.cell / 100:.0f}"

    sizes = {kind: millimetres(one.across) for kind, one in STAND_INS.items()}
    sizes |= {f"{kind}_high": millimetres(one.high) for kind, one in STAND_INS.items()}
    sizes |= {f"{kind}_low": millimetres(one.low) for kind, one in STAND_INS.items()}
    sizes["peg_wide"] = millimetres(PEG_WIDE)
    number = Counter(part.kind for part in chosen)
    story: list[dict[str, Any]] = [{"kind": "title", "text": told("sheets.standins")}]
    story += [{"kind": "lead", "text": told("standins.lead")}]
    for kind, one in STAND_INS.items():
        if number[kind]:
            how = [{"kind": "list", "items": told(f"standins.{kind}.how").split("\n")}]
            picture = {"svg": from_the_side(one), "text": told("standins.side"), "width": SHOWN}
            story.append({"kind": "heading", "text": f"{told(f'standins.{kind}')} ({number[kind]})"})
            side = [{"kind": "pictures", "pictures": [picture]}]
            story.append({"kind": "beside", "width": SHOWN, "left": how, "right": side})
    story.append({"kind": "small", "text": told("standins.scale")})
    return Page(story=story)


def from_the_side(one: StandIn) -> str:
    """A stand-in as it stands on the mat."""
    wide, paper, ground = 100.0, 2.5, 58.0
    left, top = (wide - one.across) / 2, ground - one.high
    edge = 'stroke="#444" stroke-width="0.8"' if one.is_clear else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {ground + 4:g}">'
        f'<path d="M4 {ground:g}H{wide - 4:g}" stroke="#999" stroke-width="1.2"/>'
        f'<rect x="{left:g}" y="{top:g}" width="{one.across:g}" height="{one.high:g}" fill="{one.body}" {edge}/>'
        f'<rect x="{left:g}" y="{top - paper:g}" width="{one.across:g}" height="{paper:g}" fill="{one.top}"/></svg>'
    )
