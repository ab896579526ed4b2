"""Players from files and results into files: CSV, JSON, and TRF, the text that chess pairing programs exchange."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.hall.desk import Desk
from companion.hall.standings import Played
from companion.hall.tournament import Tournament

MOST = 2000  # players in a file
TRF_PLAYER = "001"
HEADS = {"name", "nom", "player", "joueur", "joueuse", "names"}


class NewEntry(NamedTuple):
    names: tuple[str, ...]
    club: str = ""
    rating: float | None = None


def entries_in(text: str, team: int = 1) -> list[NewEntry]:
    """Who takes part by a file: CSV lines of name, club, rating (of a team both names, with & between them), or TRF.
    BadInput names the line that makes no sense; then nobody was entered."""
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
    rounds: list[tuple[int, str, str]]  # against whom (0: nobody), as what (w, b or -), and what came of it


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


def as_trf(desk: Desk, held: Tournament) -> str:
    """The tournament for other pairing programs. Games for more than two have no such form."""
    if held.rules.at_board != 2:
        raise BadInput("", "hall-no-trf")
    ratings = desk.strengths()
    order = {n: place for place, n in enumerate(sorted(held.entries), 1)}
    rows = sorted(desk.standings(held.id), key=lambda row: order[row.entry])
    lines = [
        f"012 {held.rules.name}",
        f"062 {len(rows)}",
        f"092 {held.rules.system}",
        f"XXR {held.length}",
    ]
    for row in rows:
        name = desk.state.entry_name(held, row.entry)[:33]
        rating = round(sum(ratings[n] for n in held.entries[row.entry].players) / held.rules.team)
        head = f"{TRF_PLAYER} {order[row.entry]:4} {'':4} {name:<33} {rating:4} {'':27}{row.score:4.1f} {row.rank:4}"
        lines.append((head.ljust(89) + "".join("  " + _trf_cell(one, order) for one in row.rounds)).rstrip())
    return "\n".join(lines) + "\n"


def _trf_cell(one: Played, order: dict[int, int]) -> str:
    if one.pairing is None:
        return "0000 - Z"
    if not one.against:
        return "0000 - U"
    came = "" if one.score is None else {1: "1", 0.5: "=", 0: "0"}[one.score]
    return f"{order[one.against[0]]:4} {'wb'[one.place]} {came:1}"


def import_trf(desk: Desk, who: str, text: str, tournament: int) -> int:
    """A whole tournament with its rounds and results, into one that has not begun. How many take part."""
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


def as_csv(desk: Desk, held: Tournament) -> str:
    rows = desk.standings(held.id)
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    names = [broken.name for broken in rows[0].tie_breaks] if rows else []
    writer.writerow(["rank", "name", "score", *names])
    for row in rows:
        name = desk.state.entry_name(held, row.entry)
        safe = f"'{name}" if name[:1] in "=+-@" else name  # no spreadsheet takes a name for a formula
        writer.writerow([row.rank, safe, f"{row.score:g}", *(f"{broken.value:g}" for broken in row.tie_breaks)])
    return made.getvalue()


def as_json(desk: Desk, held: Tournament) -> str:
    names = {n: desk.state.entry_name(held, n) for n in held.entries}
    told: dict[str, Any] = {
        "name": held.rules.name,
        "game": held.rules.game,
        "system": held.rules.system,
        "closed": held.closed,
        "rounds": [
            {
                "number": found.number,
                "pairings": [
                    {
                        "players": [names[n] for n in one.entries],
                        "scores": [score.scores[n] for n in one.entries]
                        if (score := held.score(one, desk.tables.reported))
                        else None,
                    }
                    for one in found.pairings
                ],
            }
            for found in held.published
        ],
        "standings": [
            {
                "rank": row.rank,
                "name": names[row.entry],
                "score": row.score,
                "tie_breaks": {broken.name: broken.value for broken in row.tie_breaks},
            }
            for row in desk.standings(held.id)
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


EXPORTS = {"csv": as_csv, "json": as_json, "trf": as_trf}
