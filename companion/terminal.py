"""Boards drawn as text, and the live view of a table in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

from companion.games.position import Outcome, Position, Visible
from companion.messages import say, say_bad, say_question, say_verdict, term

if TYPE_CHECKING:
    from companion.live import Live
    from companion.table import Table

ARROWS = dict(zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), "↑↗→↘↓↙←↖", strict=True))
PAWN_SIGNS = {"square1": "□", "square2": "■", "round1": "○", "round2": "●"}
TILE_SIGNS = {
    "start-square": "[ ]",
    "start-round": "( )",
    "finish-square": "[×]",
    "finish-round": "(×)",
    "neutral": "░░░",
    "down": "▓▓▓",
    "empty": " · ",
}
LIES = {":ne": "/", ":nw": "\\", ":ns": "‖", ":ew": "="}
PIECE_SIGNS = {
    ".": "·",
    "#": "▣",
    "x": "█",
    "o": "●",
    "@": "◉",
    "b": "b",
    "B": "B",
    "w": "w",
    "W": "W",
}
# Ink by what is shown: chosen to be told apart by the colour-blind too, and always beside a sign of its own.
INK = {
    "#": 33,
    "@": 33,
    "o": 208,
    "b": 39,
    "B": 39,
    "w": 252,
    "W": 252,
    "r": 203,
    "R": 203,
    "□": 214,
    "■": 203,
    "○": 39,
    "●": 78,
}


def ink(text: str, color: int | None, colored: bool) -> str:
    return f"\033[38;5;{color}m{text}\033[0m" if colored and color is not None else text


def draw(seen: Visible, colored: bool = False) -> str:
    """What a camera would see, as lines of text."""
    if "planks" in seen:
        return "\n".join(_plank_lines(seen, colored)) or "  –"
    rows = seen["rows"]
    tiles = rows[0][0] in TILE_SIGNS or "-" in rows[0][0]
    pawns = {square: PAWN_SIGNS[pawn] for pawn, square in seen.get("pawns", {}).items()}
    width = 4 if tiles else max(len(cell.partition(":")[0]) for row in rows for cell in row) + 1
    lines = []
    for n, row in enumerate(rows):
        number = len(rows) - n
        cells = []
        for column, code in enumerate(row):
            if tiles:
                sign = TILE_SIGNS.get(code) or "".join(ARROWS[way] for way in code.rstrip("~").split("-"))
                pawn = pawns.get("abcdefgh"[column] + str(number), " ")
                cells.append(sign + ink(pawn, INK.get(pawn), colored))
            else:
                face, colon, lie = code.partition(":")
                sign = PIECE_SIGNS.get(face, face) + LIES.get(colon + lie, "")
                cells.append(ink(sign, INK.get(code[0]), colored) + " " * (width - len(sign)))
        lines.append(f"{number:3}  " + " ".join(cells).rstrip())
    letters = " ".join(letter.ljust(width) for letter in "abcdefghi"[: len(rows[0])])
    return "\n".join([*lines, f"     {' ' if tiles else ''}{letters}".rstrip()])


def _plank_lines(seen: Visible, colored: bool) -> Iterator[str]:
    """Planks from north to south, as they lie on the table: each square its colour and, if any, its token's owner."""
    colors = {"R": 203, "W": 252, "B": 39}
    for plank in reversed(seen["planks"]):
        squares = [
            ink(f"{color} {token if token != '.' else ' ':3}", colors[color], colored)
            for color, token in zip(plank["colors"], plank["tokens"], strict=True)
        ]
        yield "     │ " + "│ ".join(squares) + "│"


class View:
    """A table as it stands, drawn anew in a terminal, or told line by line where the output is no terminal."""

    def __init__(self, out: TextIO, language: str, colored: bool) -> None:
        self.out, self.language, self.colored = out, language, colored
        self.notes: list[str] = []  # shown below the table, always
        self._drawn: tuple[object, int] = (None, -1)
        self._told = ""

    def show(self, live: Live) -> None:
        """Draws what has changed since the last time, if anything has."""
        if (live, live.table.changes) == self._drawn:
            return
        self._drawn = (live, live.table.changes)
        if self.out.isatty():
            lines = [*self.heading(live.table), draw(live.table.position.visible(), self.colored), *self.standing(live)]
            lines += ["", *self.notes] if self.notes else []
            self.out.write("\033[2J\033[H" + "\n".join(lines) + "\n")
        elif (line := self._news(live)) != self._told:
            self._told = line
            self.out.write(line + "\n")
        self.out.flush()

    def heading(self, table: Table) -> list[str]:
        name = term(f"game.{table.read.game.id}", self.language)
        return [ink(f"── {name} · {term('live.game', self.language)} {table.game} ".ljust(72, "─"), 180, self.colored)]

    def standing(self, live: Live) -> Iterator[str]:
        """Whose turn it is, the last move, the score, what the referee says, and what he asks."""
        table, language = live.table, self.language
        last = next((str(move) for move in reversed(table.moves) if isinstance(move, str)), "")
        moves = term("live.move" if len(table.moves) == 1 else "live.moves", language)
        yield f"  {len(table.moves)} {moves}" + (f" · {last}" if last else "")
        yield f"  {result(table.outcome, table.position, language)}"
        state, why = table.camera
        if state not in ("live", ""):
            yield f"  {term('live.camera', language)}: {self._camera(live, state, why)}"
        if live.trouble:
            yield f"  {say('BAD', live.trouble, _gaps(live.seen), language)}"
        if table.store.trouble:
            yield f"  {say_bad(table.store.trouble, language)}"
        if table.verdict.kind != "same":
            yield f"  {say_verdict(table.verdict, language)}"
        for question in list(table.questions.values())[-3:]:
            yield f"  ? {say_question(question, language)}"

    def _camera(self, live: Live, state: str, why: str) -> str:
        if why:
            return say("BAD", why, {"source": live.camera.source if live.camera else ""}, self.language)
        return term(f"camera.{state}", self.language)

    def _news(self, live: Live) -> str:
        """The same in one line."""
        name = term(f"game.{live.table.read.game.id}", self.language)
        return " · ".join([f"{name} {live.table.game}", *(line.strip() for line in self.standing(live))])


def _gaps(seen: Any) -> dict[str, Any]:
    """What a sentence on a picture that cannot be read takes."""
    return dict(seen.trouble.params) if seen is not None and seen.trouble else {}


def result(outcome: Outcome | None, position: Position[Any], language: str) -> str:
    """Whose turn it is, or how the game ended, and the points."""
    points = outcome.scores if outcome else position.points()
    scores = ", ".join(f"{term(player, language)} {score:g}" for player, score in points.items())
    if outcome is None:
        turn = say("FINDINGS", "live.turn", {"player": position.to_move}, language)
        return f"{turn} ({scores})" if any(points.values()) else turn
    why = say("ENDINGS", outcome.why, {}, language)
    if "solver" in outcome.scores:
        return why
    if outcome.winner:
        wins = say("FINDINGS", "live.wins", {"player": outcome.winner}, language)
        return f"{wins}: {why} ({scores})"
    return f"{term('live.draw', language)}: {why} ({scores})" if outcome.draw else f"{why} ({scores})"
