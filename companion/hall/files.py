"""Import of players and export of results: CSV, JSON, and TRF, the exchange format of chess pairing programs."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.hall.desk import Desk
from companion.hall.standings import RoundResult
from companion.hall.tournament import Tournament

MOST = 2000  # players in a file
TRF_PLAYER = "001"
HEADS = {"name", "nom", "player", "joueur", "joueuse", "names"}


class NewEntry(NamedTuple):
    names: tuple[str, ...]
    club: str = ""
    rating: float | None = None


def entries_in(text: str, team: int = 1) -> list[NewEntry]:
    """Parse a file of players: TRF, or CSV with name, club and rating (a team's names are joined by &).
    BadInput names the line that cannot be parsed."""
    text = text.lstrip("\ufeff")
    found = _from_trf(text) if re.search(rf"^{TRF_PLAYER} ", text, re.MULTILINE) else _from_csv(text, team)
    if not found:
        raise BadInput("", "hall-nobody-in-file")
    if len(found) > MOST:
        raise BadInput("", "hall-too-many", most=MOST)
    names = [name for one in found for name in one.names]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadInput("", "hall-name-taken", name=twice)
    return found


def _from_csv(text: str, team: int) -> list[NewEntry]:
    sample = text[:2000]
    mark = max(",;\t", key=sample.count)
    found = []
    for number, row in enumerate(csv.reader(io.StringIO(text), delimiter=mark), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and cells[0].lower() in HEADS):
            continue
        names = (
            tuple(" ".join(name.split()) for name in cells[0].split("&")) if team > 1 else (" ".join(cells[0].split()),)
        )
        if len(names) != team or not all(names):
            raise BadInput(f"{number}", "hall-odd-line", line=",".join(cells)[:60])
        found.append(NewEntry(names, cells[1] if len(cells) > 1 else "", _rating(cells, number)))
    return found


def _rating(cells: Sequence[str], number: int) -> float | None:
    if len(cells) < 3 or not cells[2]:
        return None
    try:
        rating = float(cells[2])
    except ValueError:
        rating = -1
    if not 0 <= rating <= 4000:
        raise BadInput(f"{number}", "hall-odd-line", line=",".join(cells)[:60])
    return rating


# --- TRF (TRF16 of FIDE: fixed columns, counted from 1)


class TrfPlayer(NamedTuple):
    number: int  # starting number
    name: str
    rating: float | None
    rounds: list[tuple[int, str, str]]  # opponent (0: nobody), color (w, b or -), result


def _from_trf(text: str) -> list[NewEntry]:
    return [NewEntry((player.name,), "", player.rating) for player in read_trf(text)]


def read_trf(text: str) -> list[TrfPlayer]:
    players = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith(TRF_PLAYER):
            continue
        try:
            rating = line[48:52].strip()
            rounds = [
                (int(part[:4]), part[5], part[7])
                for start in range(91, len(line.rstrip()), 10)
                if (part := line[start : start + 8].ljust(8)).strip()
            ]
            player = TrfPlayer(int(line[4:8]), line[14:47].strip(), float(rating) if rating else None, rounds)
        except (ValueError, IndexError):
            raise BadInput(f"{number}", "hall-odd-line", line=line[:60]) from None
        if not player.name:
            raise BadInput(f"{number}", "hall-odd-line", line=line[:60])
        players.append(player)
    numbers = {player.number for player in players}
    for player in players:
        if any(against and against not in numbers for against, _, _ in player.rounds):
            raise BadInput(f"{player.number}", "hall-odd-line", line=player.name)
    return players


def as_trf(desk: Desk, tournament: Tournament) -> str:
    """The tournament as TRF, which knows only games for two."""
    if tournament.rules.at_board != 2:
        raise BadInput("", "hall-no-trf")
    ratings = desk.strengths()
    order = {n: place for place, n in enumerate(sorted(tournament.entries), 1)}
    rows = sorted(desk.standings(tournament.id), key=lambda row: order[row.entry])
    lines = [
        f"012 {tournament.rules.name}",
        f"062 {len(rows)}",
        f"092 {tournament.rules.system}",
        f"XXR {tournament.length}",
    ]
    for row in rows:
        name = desk.state.entry_name(tournament, row.entry)[:33]
        rating = round(sum(ratings[n] for n in tournament.entries[row.entry].players) / tournament.rules.team)
        head = f"{TRF_PLAYER} {order[row.entry]:4} {'':4} {name:<33} {rating:4} {'':27}{row.score:4.1f} {row.rank:4}"
        lines.append((head.ljust(89) + "".join("  " + _trf_cell(one, order) for one in row.rounds)).rstrip())
    return "\n".join(lines) + "\n"


def _trf_cell(one: RoundResult, order: dict[int, int]) -> str:
    if one.pairing is None:
        return "0000 - Z"
    if not one.against:
        return "0000 - U"
    came = "" if one.score is None else {1: "1", 0.5: "=", 0: "0"}[one.score]
    return f"{order[one.against[0]]:4} {'wb'[one.place]} {came:1}"


def import_trf(desk: Desk, who: str, text: str, tournament: int) -> int:
    """Import players, rounds and results into a tournament that has not begun. Returns the number of players."""
    players = read_trf(text)
    if not players:
        raise BadInput("", "hall-nobody-in-file")
    ids = {}
    for player in players:
        ids[player.number] = desk.enter(who, tournament, [player.name], "", player.rating)
    last = max(len(player.rounds) for player in players)
    for number in range(last):
        boards: list[list[int]] = []
        scores: dict[frozenset[int], dict[int, float]] = {}
        for player in players:
            against, color, came = (*player.rounds[number : number + 1], (0, "-", "Z"))[0]
            if against == 0:
                if came in "UF+H":
                    boards.append([ids[player.number]])
                continue
            pair = frozenset((ids[player.number], ids[against]))
            scores.setdefault(pair, {})[ids[player.number]] = {"1": 1, "=": 0.5, "+": 1, "W": 1, "D": 0.5}.get(came, 0)
            if color == "w" or (color == "-" and player.number < against):
                boards.append([ids[player.number], ids[against]])
        if not boards:
            continue
        desk.pair(who, tournament, boards)
        desk.do(who, "publish", {"tournament": tournament})
        for pairing in desk.state.tournament(tournament).rounds[-1].pairings:
            if not pairing.is_bye:
                won = {str(n): value for n, value in scores[frozenset(pairing.entries)].items()}
                reason = "TRF"
                desk.do(who, "result", {"pairing": pairing.id, "scores": won, "points": None, "reason": reason})
    return len(players)


# --- standings


def as_csv(desk: Desk, tournament: Tournament) -> str:
    rows = desk.standings(tournament.id)
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    names = [tie_break.name for tie_break in rows[0].tie_breaks] if rows else []
    writer.writerow(["rank", "name", "score", *names])
    for row in rows:
        name = desk.state.entry_name(tournament, row.entry)
        safe = f"'{name}" if name[:1] in "=+-@" else name  # or a spreadsheet would run it as a formula
        writer.writerow([row.rank, safe, f"{row.score:g}", *(f"{tie_break.value:g}" for tie_break in row.tie_breaks)])
    return made.getvalue()


def as_json(desk: Desk, tournament: Tournament) -> str:
    names = {n: desk.state.entry_name(tournament, n) for n in tournament.entries}
    told: dict[str, Any] = {
        "name": tournament.rules.name,
        "game": tournament.rules.game,
        "system": tournament.rules.system,
        "closed": tournament.closed,
        "rounds": [
            {
                "number": found.number,
                "pairings": [
                    {
                        "players": [names[n] for n in one.entries],
                        "scores": [score.scores[n] for n in one.entries]
                        if (score := tournament.score(one, desk.tables.reported))
                        else None,
                    }
                    for one in found.pairings
                ],
            }
            for found in tournament.published
        ],
        "standings": [
            {
                "rank": row.rank,
                "name": names[row.entry],
                "score": row.score,
                "tie_breaks": {tie_break.name: tie_break.value for tie_break in row.tie_breaks},
            }
            for row in desk.standings(tournament.id)
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


EXPORTS = {"csv": as_csv, "json": as_json, "trf": as_trf}
