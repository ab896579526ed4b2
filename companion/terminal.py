"""Boards drawn as text, and the live view of a table in the terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TextIO

from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Lying, Outcome, Seat, Visible
from companion.games.squares import DIRECTIONS
from companion.messages import name_of, say, say_keeping, say_question, say_verdict, term
from companion.summaries import ending, seat_names

if TYPE_CHECKING:
    from companion.table.state import CameraState, TableState

WIDTHS = {"seven": 2, "faces": 3, "tiles": 4}  # characters for a square of each field
ARROWS = dict(zip(DIRECTIONS, "↑↗→↘↓↙←↖", strict=True))
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
PIECE_SIGNS = {
    "bare": "·",
    "blocker": "▣",
    "tromino": "█",
    "mushroom": "●",
    "tetrod": "█",
    "tetrod+mushroom": "◉",
    "peg": "●",
    "card b": "b",
    "card b+peg": "B",
    "card w": "w",
    "card w+peg": "W",
}
NO_PLATES = Lying()
PLATE_SIGNS = "█▓▒░"  # enough shades to draw neighboring plates differently
BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))
LIES = {"": "", "ne": "/", "nw": "\\", "ns": "‖", "ew": "="}  # how the pips of a die lie
# Color-blind people can tell the colors apart too, and every color has a sign of its own.
BLUE, RED, WHITE, ORANGE = 39, 203, 252, 208
PAWN_INKS = {"square1": 214, "square2": RED, "round1": BLUE, "round2": 78}
PIECE_INKS = {
    "blocker": 33,
    "mushroom": ORANGE,
    "tetrod+mushroom": 33,
    "peg": ORANGE,
    "card b": BLUE,
    "card b+peg": BLUE,
    "card w": WHITE,
    "card w+peg": WHITE,
}
DIE_INKS = {"r": RED, "w": WHITE}
PLANK_INKS = {"R": RED, "W": WHITE, "B": BLUE}


def ink(text: str, color: int | None, colored: bool) -> str:
    return f"\033[38;5;{color}m{text}\033[0m" if colored and color is not None else text


def draw(game: AnyGame, seen: Visible, colored: bool = False, lying: Lying = NO_PLATES) -> str:
    """A board as lines of text. `lying`: how the pieces of several squares lie, to draw neighbors in other shades."""
    plates = _plate_signs(lying)
    if "planks" in seen:
        return "\n".join(_plank_lines(seen, colored)) or "  –"
    rows, pawns = seen["rows"], {square: pawn for pawn, square in seen.get("pawns", {}).items()}
    columns, width = "abcdefghi"[: len(rows[0])], WIDTHS[game.field]
    lines = []
    for number, row in zip(range(len(rows), 0, -1), rows, strict=True):
        cells = [
            _cell(game, code, pawns.get(f"{column}{number}"), colored, plates.get(f"{column}{number}", ""))
            for column, code in zip(columns, row, strict=True)
        ]
        lines.append(f"{number:3}  " + " ".join(cells).rstrip())
    shift = " " if game.field == "tiles" else ""  # over the middle of a tile
    letters = " ".join(letter.ljust(width) for letter in columns)
    return "\n".join([*lines, f"     {shift}{letters}".rstrip()])


def _plate_signs(lying: Lying) -> dict[str, str]:
    """A shade for each square of a plate, different from those of its neighbors."""
    signs: dict[str, str] = {}
    for plate in lying.plates:
        around = {f"{chr(ord(square[0]) + x)}{int(square[1:]) + y}" for square in plate for x, y in BESIDE}
        taken = [signs[square] for square in around if square in signs]
        sign = min(PLATE_SIGNS, key=lambda sign: (taken.count(sign), PLATE_SIGNS.index(sign)))
        signs |= dict.fromkeys(plate, sign)
    return signs


def _cell(game: AnyGame, code: str, pawn: str | None, colored: bool, plate: str = "") -> str:
    """A square, padded to the width of its field."""
    if game.field == "tiles":
        tile = TILE_SIGNS.get(code) or "".join(ARROWS[way] for way in code.rstrip("~").split("-"))
        return tile + (ink(PAWN_SIGNS[pawn], PAWN_INKS[pawn], colored) if pawn else " ")
    if game.field == "faces":
        die, _, lie = code.partition(":")
        sign, color = die.replace(".", "·") + LIES[lie], DIE_INKS.get(code[0])
    else:
        sign, color = PIECE_SIGNS[game.pieces[code]], PIECE_INKS.get(game.pieces[code])
        if sign == PLATE_SIGNS[0] and plate:
            return ink(2 * plate, color, colored)
    return ink(sign, color, colored) + " " * (WIDTHS[game.field] - len(sign))


def _plank_lines(seen: Visible, colored: bool) -> Iterator[str]:
    """The planks from north to south: for each square its color and the owner of its token, if any."""
    for plank in reversed(seen["planks"]):
        squares = [
            ink(f"{color} {token if token != '.' else ' ':3}", PLANK_INKS[color], colored)
            for color, token in zip(plank["colors"], plank["tokens"], strict=True)
        ]
        yield "     │ " + "│ ".join(squares) + "│"


class View:
    """The live view of a table: redrawn in a terminal, or one line for each change if the output is not a terminal."""

    def __init__(self, out: TextIO, language: str, colored: bool) -> None:
        self.out, self.language, self.colored = out, language, colored
        self.notes: list[str] = []  # lines that are always shown below the board
        self._seen: TableState | None = None
        self._shown = ""

    def show(self, state: TableState, again: bool = False) -> None:
        """Draw the state if it has changed. `again`: redraw a terminal anyway."""
        if state is self._seen and not again:
            return
        self._seen = state
        terminal = self.out.isatty()
        text = self._drawn(state) if terminal else self._news(state)
        if text != self._shown or (again and terminal):
            self._shown = text
            self.out.write(text)
            self.out.flush()

    def _drawn(self, state: TableState) -> str:
        assert state.game is not None
        lines = [*self.heading(state), self._board(state), *self.standing(state)]
        lines += ["", *self.notes] if self.notes else []
        return "\033[2J\033[H" + "\n".join(lines) + "\n"

    def _board(self, state: TableState) -> str:
        assert state.game is not None
        return draw(state.game, state.position.visible(), self.colored, state.position.lying())

    def _news(self, state: TableState) -> str:
        """The state in one line."""
        head = f"{self._name(state)} {state.number}"
        return " · ".join([head, *(line.strip() for line in self.standing(state))]) + "\n"

    def _name(self, state: TableState) -> str:
        return name_of(state.game.id, self.language) if state.game else ""

    def heading(self, state: TableState) -> list[str]:
        line = f"── {self._name(state)} · {term('live.game', self.language)} {state.number} ".ljust(72, "─")
        return [ink(line, 180, self.colored)]

    def standing(self, state: TableState) -> Iterator[str]:
        """The last move, whose turn it is with the score, trouble, the referee's verdict and question."""
        language, entries = self.language, state.record["moves"]
        last = next((entry for entry in reversed(entries) if isinstance(entry, str)), "")
        moves = term("live.move" if len(entries) == 1 else "live.moves", language)
        yield f"  {len(entries)} {moves}" + (f" · {last}" if last else "")
        names = seat_names(state.record, state.position)
        yield f"  {result(state.outcome, state.position, language, names, solving_of(state))}"
        camera = state.camera
        if camera.state not in ("live", ""):
            yield f"  {term('live.camera', language)}: {self._camera(camera)}"
        if camera.trouble:
            yield f"  {say('BAD', camera.trouble.code, camera.trouble.params, language)}"
        if not state.keeping.ok:
            yield f"  {say_keeping(state.keeping, language)}"
        if state.verdict.kind != "same":
            yield f"  {say_verdict(state.verdict, language, state.game)}"
        if state.question:
            yield f"  ? {say_question(state.question, language)}"

    def _camera(self, camera: CameraState) -> str:
        if camera.why:
            return say("BAD", camera.why, {"source": camera.source}, self.language)
        return term(f"camera.{camera.state}", self.language)


def result(
    outcome: Outcome | None,
    position: AnyPosition,
    language: str,
    names: Mapping[Seat, str] = {},
    solving: tuple[float, int] | None = None,
) -> str:
    """Whose turn it is and the points, or the result."""
    if outcome:
        return ending(outcome._asdict(), language, names, solving)
    points = position.points()
    scores = ", ".join(f"{names.get(player) or term(player, language)} {score:g}" for player, score in points.items())
    turn = say("FINDINGS", "live.turn", {"player": names.get(position.to_move or "", position.to_move)}, language)
    return f"{turn} ({scores})" if any(points.values()) else turn


def solving_of(state: TableState) -> tuple[float, int] | None:
    """The time and the number of hints of a solitaire."""
    return (state.solitaire.time.until(time.time()), state.solitaire.hints) if state.solitaire else None
