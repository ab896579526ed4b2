"""What a hall prints: pairings to hang up, standings, the crosstable, and result slips to cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from companion.kit.booklets import qr_code
from companion.kit.parts import CUT
from companion.kit.sheets import Format, Page, Text
from companion.kit.typesetting import EDGE, pdf
from companion.messages import say
from web.hall.answers import HeadTold, PairingTold, TournamentTold

LINES = 34  # of a table on a page
SLIPS = 4  # on a page
CODE = 24.0  # the side of a head's QR code, in millimetres
INK, LINE = "#222222", f'fill="none" stroke="{CUT}" stroke-width="0.2"'
Heads = Mapping[int, HeadTold]  # by the table's number


def papers_pdf(what: str, told: TournamentTold, heads: Heads, paper: str, language: str) -> bytes:
    """`what`: pairings, standings, crosstable or slips."""
    wanted = Format(paper=paper, language=language)
    pages = list(_PAPERS[what](told, heads, wanted))
    return pdf(pages, wanted, f"{told['name']}: {_say(f'hall.{what}', language)}")


def _say(code: str, language: str, **params: object) -> str:
    return say("KIT", code, params, language)


def _round(told: TournamentTold, language: str) -> str:
    return _say("hall.round", language, number=told["rounds"][-1]["number"]) if told["rounds"] else ""


def _pages(
    told: TournamentTold,
    what: str,
    head: Sequence[str],
    rows: Sequence[Sequence[Any]],
    columns: list[int],
    wanted: Format,
) -> Iterator[Page]:
    language = wanted.language
    lead = ", ".join(filter(None, (told["game_name"], told["system_text"], _round(told, language))))
    parts = [rows[n : n + LINES] for n in range(0, len(rows), LINES)] or [()]
    for number, part in enumerate(parts, 1):
        of = f" · {number}/{len(parts)}" if len(parts) > 1 else ""
        table = {"kind": "table", "columns": columns, "head": list(head), "rows": [list(row) for row in part]}
        title = {"kind": "title", "text": told["name"]}
        yield Page(story=[title, {"kind": "lead", "text": f"{_say(f'hall.{what}', language)} · {lead}{of}"}, table])


def _pairings(told: TournamentTold, heads: Heads, wanted: Format) -> Iterator[Page]:
    language = wanted.language
    head = [_say(f"hall.{name}", language) for name in ("table", "players", "result")]
    rows = []
    for one in told["rounds"][-1]["pairings"] if told["rounds"] else ():
        names = " – ".join(side["name"] for side in one["sides"])
        rows.append([{"strong": one["table"]}, names, _say("hall.bye", language) if one["bye"] else _result(one)])
    yield from _pages(told, "pairings", head, rows, [0, 1, 0], wanted)


def _result(one: PairingTold) -> str:
    return " : ".join(_number(side["score"]) for side in one["sides"]) if one["done"] else ""


def _number(value: float | None) -> str:
    if value is None:
        return ""
    whole, rest = divmod(value, 1)
    return f"{int(whole) or ''}½" if rest == 0.5 else f"{value:g}" if round(value, 2) == value else f"{value:.2f}"


def _standings(told: TournamentTold, heads: Heads, wanted: Format) -> Iterator[Page]:
    rows = told["standings"]
    breaks = [one["label"] for one in rows[0]["tie_breaks"]] if rows else []
    head = ["", _say("hall.players", wanted.language), _say("hall.score", wanted.language), *breaks]
    lines = [
        [
            str(row["rank"]),
            f"{row['name']} ({row['club']})" if row["club"] else row["name"],
            {"strong": _number(row["score"])},
            *(_number(one["value"]) for one in row["tie_breaks"]),
        ]
        for row in rows
    ]
    yield from _pages(told, "standings", head, lines, [0, 1, *[0] * (1 + len(breaks))], wanted)


def _crosstable(told: TournamentTold, heads: Heads, wanted: Format) -> Iterator[Page]:
    rows = told["standings"]
    count = len(rows[0]["rounds"]) if rows else 0
    head = ["", _say("hall.players", wanted.language), *(str(n + 1) for n in range(count))]
    head.append(_say("hall.score", wanted.language))
    lines = [
        [
            str(place),
            row["name"],
            *(f"{one['text']} {_number(one['score'])}".strip() for one in row["rounds"]),
            {"strong": _number(row["score"])},
        ]
        for place, row in enumerate(rows, 1)
    ]
    yield from _pages(told, "crosstable", head, lines, [0, 1, *[0] * (count + 1)], wanted)


# --- slips


def _slips(told: TournamentTold, heads: Heads, wanted: Format) -> Iterator[Page]:
    """To be cut along the lines; each has what its table signed last of its log, as words and as a QR code."""
    width, height = wanted.size
    playing = [one for one in told["rounds"][-1]["pairings"] if not one["bye"]] if told["rounds"] else []
    each = height / SLIPS
    for part in (playing[n : n + SLIPS] for n in range(0, len(playing), SLIPS)):
        page = Page()
        for n, one in enumerate(part):
            if n:
                page.drawing += f'<path d="M0 {n * each:.2f}H{width:.2f}" {LINE} stroke-dasharray="2 1.5"/>'
            head = heads.get(one["place"]) if one["place"] is not None else None
            _slip(page, told, one, head, n * each, wanted)
        yield page
    if not playing:
        yield Page(story=[{"kind": "lead", "text": _say("hall.no-round", wanted.language)}])


def _slip(
    page: Page, told: TournamentTold, one: PairingTold, head: HeadTold | None, top: float, wanted: Format
) -> None:
    language, right = wanted.language, wanted.size[0] - EDGE
    wide = right - EDGE - CODE - 6
    title = f"{told['name']} · {_round(told, language)}"
    page.texts += [
        Text(EDGE, top + 8, wide, title, 9.5, color="#555555"),
        Text(right - CODE - 30, top + 7, CODE + 30, one["table"], 15, bold=True, align="right", color=INK),
    ]
    y = top + 17
    for side in one["sides"]:
        score = _number(side["score"]) if one["done"] else ""
        page.drawing += f'<rect x="{EDGE:.2f}" y="{y:.2f}" width="13" height="8.5" rx="1.2" {LINE}/>'
        page.drawing += f'<path d="M{EDGE + wide * 0.55:.2f} {y + 8:.2f}H{EDGE + wide:.2f}" {LINE}/>'
        page.texts += [
            Text(EDGE, y + 2.2, 13, score, 12, bold=True, align="center", color=INK),
            Text(EDGE + 16, y + 2.4, wide * 0.55 - 18, side["name"], 11.5, color=INK),
            Text(EDGE + wide * 0.55, y + 8.6, wide * 0.45, _say("hall.signed", language), 6.5, color="#777777"),
        ]
        y += 13.5 if len(one["sides"]) < 4 else 11
    if head:
        page.drawing += qr_code(head["text"], right - CODE, top + 17, CODE)
        page.texts += [
            Text(EDGE, top + 60.5, wide, _say("hall.head", language, number=head["number"]), 7.5, color="#555555"),
            Text(EDGE, top + 64, wide, head["words"], 9.5, bold=True, color=INK),
        ]
    page.drawing += f'<path d="M{right - 70:.2f} {top + 67:.2f}H{right:.2f}" {LINE}/>'
    page.texts.append(Text(right - 70, top + 67.6, 70, _say("hall.words-after", language), 6.5, color="#777777"))


_PAPERS: dict[str, Callable[[TournamentTold, Heads, Format], Iterator[Page]]] = {
    "pairings": _pairings,
    "standings": _standings,
    "crosstable": _crosstable,
    "slips": _slips,
}
