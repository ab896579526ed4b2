"""Who stands where, and why: the score, then the tie-breaks in the order that was agreed, each with what it is made
of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.games.position import Outcome
from companion.hall.tournament import System, Tournament

USUAL = ("direct", "buchholz-cut", "buchholz", "sonneborn", "wins", "points")
Reported = Mapping[int, Mapping[int, Outcome]]


class Played(NamedTuple):
    """One round of an entry."""

    round: int
    pairing: int | None
    against: tuple[int, ...]  # nobody: left out, or not there
    score: float | None  # None: it is not over
    points: float
    place: int  # among those at the board: 0 is first


class Part(NamedTuple):
    """Something that a tie-break adds up: whose, and how much."""

    entry: int | None
    value: float


class TieBreak(NamedTuple):
    name: str
    value: float
    parts: tuple[Part, ...]
    fewest: bool = False  # is best


class Standing(NamedTuple):
    rank: int
    entry: int
    score: float
    tie_breaks: tuple[TieBreak, ...]
    rounds: tuple[Played, ...]


def standings(tournament: Tournament, reported: Reported, up_to: int | None = None) -> list[Standing]:
    """After all published rounds, or after so many of them. Equals share a rank."""
    last = len(tournament.published) if up_to is None else min(up_to, len(tournament.published))
    cards = {n: _card(tournament, n, reported, last) for n in tournament.entries}
    scores = {n: _score(tournament, n, card) for n, card in cards.items()}
    field = _Field(cards, scores)
    names = tournament.rules.tie_breaks or USUAL
    bad = tournament.rules.seats in tournament.rules.played.match.fewest_wins  # what the games count there
    rows = []
    for n, card in cards.items():
        broken = tuple(
            TieBreak(name, *_TIE_BREAKS[name](n, field), fewest=name == "points" and bad)
            for name in names
            if name != "direct"
        )
        rows.append(Standing(0, n, scores[n], broken, tuple(card)))
    if "direct" in names:
        rows = _with_direct(rows, names.index("direct"), field)
    if tournament.rules.system is System.KNOCK_OUT:
        lasted = {n: sum(one.pairing is not None for one in card) for n, card in cards.items()}
        rows.sort(key=lambda row: (-lasted[row.entry], *_key(row), row.entry))
    else:
        rows.sort(key=lambda row: (*_key(row), row.entry))
    return _ranked(rows)


def tie_break_names() -> tuple[str, ...]:
    return tuple(_TIE_BREAKS)


class _Field(NamedTuple):
    cards: Mapping[int, list[Played]]
    scores: Mapping[int, float]


def _card(tournament: Tournament, entry: int, reported: Reported, last: int) -> list[Played]:
    found = []
    for number in range(1, last + 1):
        held = tournament.published[number - 1]
        one = next((one for one in held.pairings if entry in one.entries), None)
        if one is None:
            found.append(Played(number, None, (), 0, 0, 0))
            continue
        score = tournament.score(one, reported)
        against = tuple(n for n in one.entries if n != entry)
        won = score.scores.get(entry, 0) if score else None
        points = score.points.get(entry, 0) if score else 0
        found.append(Played(number, one.id, against, won, points, one.entries.index(entry)))
    return found


def _score(tournament: Tournament, entry: int, card: list[Played]) -> float:
    missed = min(tournament.entries[entry].since - 1, len(card))
    return sum(one.score or 0 for one in card) + tournament.rules.late * missed


def _key(row: Standing) -> tuple[float, ...]:
    return -row.score, *(broken.value if broken.fewest else -broken.value for broken in row.tie_breaks)


def _ranked(rows: list[Standing]) -> list[Standing]:
    ranked: list[Standing] = []
    for n, row in enumerate(rows):
        same = n > 0 and _key(row) == _key(rows[n - 1])
        ranked.append(row._replace(rank=ranked[-1].rank if same else n + 1))
    return ranked


def _with_direct(rows: list[Standing], place: int, field: _Field) -> list[Standing]:
    """What those who are still equal won against each other, where all of them have met."""
    by_key: dict[tuple[float, ...], list[int]] = {}
    for row in rows:
        by_key.setdefault(_key(row)[: place + 1], []).append(row.entry)
    won = {
        n: {m: one.score / len(one.against) for one in card if one.score is not None for m in one.against}
        for n, card in field.cards.items()
    }
    found = []
    for row in rows:
        equals = by_key[_key(row)[: place + 1]]
        met = len(equals) > 1 and all(set(equals) - {n} <= set(won[n]) for n in equals)
        parts = tuple(Part(n, won[row.entry][n]) for n in equals if n != row.entry) if met else ()
        direct = TieBreak("direct", sum(part.value for part in parts), parts)
        found.append(row._replace(tie_breaks=(*row.tie_breaks[:place], direct, *row.tie_breaks[place:])))
    return found


# --- the tie-breaks


def _opponents(entry: int, field: _Field) -> list[Part]:
    """What each opponent has won in all; who was left out is counted as if he had met himself."""
    parts: list[Part] = []
    for one in field.cards[entry]:
        if one.pairing is not None and not one.against:
            parts.append(Part(None, field.scores[entry]))
        parts += [Part(n, field.scores[n]) for n in one.against]
    return parts


def _buchholz(entry: int, field: _Field) -> tuple[float, tuple[Part, ...]]:
    parts = tuple(_opponents(entry, field))
    return sum(part.value for part in parts), parts


def _buchholz_cut(entry: int, field: _Field) -> tuple[float, tuple[Part, ...]]:
    parts = sorted(_opponents(entry, field), key=lambda part: part.value)[1:]
    return sum(part.value for part in parts), tuple(parts)


def _sonneborn(entry: int, field: _Field) -> tuple[float, tuple[Part, ...]]:
    parts = tuple(Part(n, (one.score or 0) * field.scores[n]) for one in field.cards[entry] for n in one.against)
    return sum(part.value for part in parts), parts


def _wins(entry: int, field: _Field) -> tuple[float, tuple[Part, ...]]:
    parts = tuple(Part(one.against[0], 1) for one in field.cards[entry] if one.against and one.score == 1)
    return len(parts), parts


def _points(entry: int, field: _Field) -> tuple[float, tuple[Part, ...]]:
    parts = tuple(Part(one.against[0], one.points) for one in field.cards[entry] if one.against and one.points)
    return sum(part.value for part in parts), parts


def _progress(entry: int, field: _Field) -> tuple[float, tuple[Part, ...]]:
    summed, parts = 0.0, []
    for one in field.cards[entry]:
        summed += one.score or 0
        parts.append(Part(None, summed))
    return sum(part.value for part in parts), tuple(parts)


_TIE_BREAKS: dict[str, Callable[[int, _Field], tuple[float, tuple[Part, ...]]]] = {
    "direct": lambda entry, field: (0, ()),  # it depends on who is equal: see `_with_direct`
    "buchholz": _buchholz,
    "buchholz-cut": _buchholz_cut,
    "sonneborn": _sonneborn,
    "wins": _wins,
    "points": _points,
    "progress": _progress,
}
