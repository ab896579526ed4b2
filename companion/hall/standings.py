"""Standings: by score, then by the tie-breaks in the agreed order, each with the parts that it adds up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.games.position import Outcome
from companion.hall.tournament import System, Tournament

DEFAULT_TIE_BREAKS = ("direct", "buchholz-cut", "buchholz", "sonneborn", "wins", "points")
Reported = Mapping[int, Mapping[int, Outcome]]


class RoundResult(NamedTuple):
    """What one entry did in one round."""

    round: int
    pairing: int | None
    against: tuple[int, ...]  # empty: a bye, or absent
    score: float | None  # None: still being played
    points: float
    place: int  # the role at the board: 0 is the first player


class Part(NamedTuple):
    """One summand of a tie-break, and the opponent whom it comes from."""

    entry: int | None
    value: float


class TieBreak(NamedTuple):
    name: str
    value: float
    parts: tuple[Part, ...]
    fewest: bool = False  # a lower value is better


class Standing(NamedTuple):
    rank: int
    entry: int
    score: float
    tie_breaks: tuple[TieBreak, ...]
    rounds: tuple[RoundResult, ...]


def standings(tournament: Tournament, reported: Reported, up_to: int | None = None) -> list[Standing]:
    """After all published rounds, or after the first `up_to` of them. Equals share a rank."""
    last = len(tournament.published) if up_to is None else min(up_to, len(tournament.published))
    cards = {n: _round_results(tournament, n, reported, last) for n in tournament.entries}
    scores = {n: _score(tournament, n, card) for n, card in cards.items()}
    field = _Results(cards, scores)
    names = tournament.rules.tie_breaks or DEFAULT_TIE_BREAKS
    fewest_wins = tournament.rules.seats in tournament.rules.played.match.fewest_wins
    rows = []
    for n, card in cards.items():
        tie_breaks = tuple(
            TieBreak(name, *_TIE_BREAKS[name](n, field), fewest=name == "points" and fewest_wins)
            for name in names
            if name != "direct"
        )
        rows.append(Standing(0, n, scores[n], tie_breaks, tuple(card)))
    if "direct" in names:
        rows = _with_direct_encounter(rows, names.index("direct"), field)
    if tournament.rules.system is System.KNOCK_OUT:
        lasted = {n: sum(one.pairing is not None for one in card) for n, card in cards.items()}
        rows.sort(key=lambda row: (-lasted[row.entry], *_sort_key(row), row.entry))
    else:
        rows.sort(key=lambda row: (*_sort_key(row), row.entry))
    return _with_ranks(rows)


def tie_break_names() -> tuple[str, ...]:
    return tuple(_TIE_BREAKS)


class _Results(NamedTuple):
    cards: Mapping[int, list[RoundResult]]
    scores: Mapping[int, float]


def _round_results(tournament: Tournament, entry: int, reported: Reported, last: int) -> list[RoundResult]:
    found = []
    for number, published in enumerate(tournament.published[:last], 1):
        one = next((one for one in published.pairings if entry in one.entries), None)
        if one is None:
            found.append(RoundResult(number, None, (), 0, 0, 0))
            continue
        score = tournament.score(one, reported)
        against = tuple(n for n in one.entries if n != entry)
        won = score.scores.get(entry, 0) if score else None
        points = score.points.get(entry, 0) if score else 0
        found.append(RoundResult(number, one.id, against, won, points, one.entries.index(entry)))
    return found


def _score(tournament: Tournament, entry: int, card: list[RoundResult]) -> float:
    missed = min(tournament.entries[entry].since - 1, len(card))
    return sum(one.score or 0 for one in card) + tournament.rules.late * missed


def _sort_key(row: Standing) -> tuple[float, ...]:
    return -row.score, *(tie_break.value if tie_break.fewest else -tie_break.value for tie_break in row.tie_breaks)


def _with_ranks(rows: list[Standing]) -> list[Standing]:
    ranked: list[Standing] = []
    for n, row in enumerate(rows):
        same = n > 0 and _sort_key(row) == _sort_key(rows[n - 1])
        ranked.append(row._replace(rank=ranked[-1].rank if same else n + 1))
    return ranked


def _with_direct_encounter(rows: list[Standing], place: int, field: _Results) -> list[Standing]:
    """Insert the direct encounter: what those who are still equal scored against each other, if all of them met."""
    by_sort_key: dict[tuple[float, ...], list[int]] = {}
    for row in rows:
        by_sort_key.setdefault(_sort_key(row)[: place + 1], []).append(row.entry)
    won = {
        n: {m: one.score / len(one.against) for one in card if one.score is not None for m in one.against}
        for n, card in field.cards.items()
    }
    found = []
    for row in rows:
        equals = by_sort_key[_sort_key(row)[: place + 1]]
        met = len(equals) > 1 and all(set(equals) - {n} <= set(won[n]) for n in equals)
        parts = tuple(Part(n, won[row.entry][n]) for n in equals if n != row.entry) if met else ()
        direct = TieBreak("direct", sum(part.value for part in parts), parts)
        found.append(row._replace(tie_breaks=(*row.tie_breaks[:place], direct, *row.tie_breaks[place:])))
    return found


# --- the tie-breaks


def _opponents(entry: int, field: _Results) -> list[Part]:
    """The score of each opponent; a bye counts as an opponent with one's own score."""
    parts: list[Part] = []
    for one in field.cards[entry]:
        if one.pairing is not None and not one.against:
            parts.append(Part(None, field.scores[entry]))
        parts += [Part(n, field.scores[n]) for n in one.against]
    return parts


def _buchholz(entry: int, field: _Results) -> tuple[float, tuple[Part, ...]]:
    parts = tuple(_opponents(entry, field))
    return sum(part.value for part in parts), parts


def _buchholz_cut(entry: int, field: _Results) -> tuple[float, tuple[Part, ...]]:
    parts = sorted(_opponents(entry, field), key=lambda part: part.value)[1:]
    return sum(part.value for part in parts), tuple(parts)


def _sonneborn(entry: int, field: _Results) -> tuple[float, tuple[Part, ...]]:
    parts = tuple(Part(n, (one.score or 0) * field.scores[n]) for one in field.cards[entry] for n in one.against)
    return sum(part.value for part in parts), parts


def _wins(entry: int, field: _Results) -> tuple[float, tuple[Part, ...]]:
    parts = tuple(Part(one.against[0], 1) for one in field.cards[entry] if one.against and one.score == 1)
    return len(parts), parts


def _points(entry: int, field: _Results) -> tuple[float, tuple[Part, ...]]:
    parts = tuple(Part(one.against[0], one.points) for one in field.cards[entry] if one.against and one.points)
    return sum(part.value for part in parts), parts


def _progress(entry: int, field: _Results) -> tuple[float, tuple[Part, ...]]:
    summed, parts = 0.0, []
    for one in field.cards[entry]:
        summed += one.score or 0
        parts.append(Part(None, summed))
    return sum(part.value for part in parts), tuple(parts)


_TIE_BREAKS: dict[str, Callable[[int, _Results], tuple[float, tuple[Part, ...]]]] = {
    "direct": lambda entry, field: (0, ()),  # computed afterwards, by `_with_direct_encounter`
    "buchholz": _buchholz,
    "buchholz-cut": _buchholz_cut,
    "sonneborn": _sonneborn,
    "wins": _wins,
    "points": _points,
    "progress": _progress,
}
