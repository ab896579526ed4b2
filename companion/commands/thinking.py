"""The commands that use the solvers: hint, play."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from companion.commands import Argument, Command
from companion.commands.rules import AS_JSON, RECORD
from companion.errors import BadInput, Reason, UnreadableMove
from companion.games import game_ids
from companion.games.position import AnyPosition, Outcome, Seat
from companion.messages import say, say_reason, term
from companion.record import checked_options, read_record, replay
from companion.record_files import require_legal, use_record

SECONDS, LONGEST = 1.0, 3600.0  # for a hint
DIFFICULTY = {1: "easy", 2: "easy", 3: "medium", 4: "hard", 5: "fiendish"}  # of a problem, by level
# what may be typed besides moves, in both languages
WORDS = {
    "undo": "undo",
    "annuler": "undo",
    "hint": "hint",
    "indice": "hint",
    "moves": "moves",
    "coups": "moves",
    "resign": "resign",
    "abandonner": "resign",
    "quit": "quit",
    "quitter": "quit",
    "help": "help",
    "aide": "help",
}


def _hint(given: argparse.Namespace, language: str) -> int:
    from companion.solvers.hint import Budget, think

    budget = Budget(seconds_of(given.seconds, SECONDS))
    record, played = use_record(given.record, lambda record: (record, require_legal(record)))
    answer: dict[str, Any] = {"move": None, "value": None, "line": [], "exact": True}
    if not played.outcome:
        for hint in think(record.game, played.position, budget):
            answer = hint._asdict()
    print(json.dumps(answer, ensure_ascii=False))
    return 0


def seconds_of(text: str | None, default: float) -> float:
    if text is None:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= LONGEST:
        raise BadInput("--seconds", "not-seconds", value=text, most=round(LONGEST))
    return seconds


# --- playing against the computer


def _play(given: argparse.Namespace, language: str) -> int:
    from companion.solvers.levels import LEVELS

    if given.level not in map(str, LEVELS):
        raise BadInput("--level", "not-one-of", value=given.level, choices=", ".join(map(str, LEVELS)))
    if given.game not in game_ids():
        raise BadInput("game", "not-one-of", value=given.game, choices=", ".join(game_ids()))
    chance = Random(_seed(given.seed))
    contest = Contest(_begun(given, chance), given.role, int(given.level), chance, language)
    if given.output:
        _keep(contest.record, given.output)  # BadInput before the game if the file cannot be written
    try:
        contest.run()
    except KeyboardInterrupt:
        print()
    finally:
        if given.output:
            _keep(contest.record, given.output)
    return 0


def _begun(given: argparse.Namespace, chance: Random) -> dict[str, Any]:
    """The record of a new game, with a random deal."""
    from companion.commands.table import options_of
    from companion.games import game
    from companion.games.game import Dealing, Where
    from companion.table.opening import new_record

    options, played = options_of(given.option), game(given.game)
    chosen = played.players_in is Where.SETUP
    numbers = [str(number) for number in played.seats] if chosen else ["2"]
    if given.players not in numbers:
        raise BadInput("--players", "not-one-of", value=given.players, choices=", ".join(numbers))
    if played.dealing is Dealing.PROBLEM:  # a random deal could hardly ever be solved
        from companion.solvers.puzzles import GENERATORS, puzzles

        checked_options(played, options)
        if given.game in GENERATORS:
            puzzle = next(filter(None, puzzles(given.game, DIFFICULTY[int(given.level)], chance.getrandbits(32))))
            return {"game": given.game, "options": options, "setup": puzzle.setup, "moves": list(puzzle.moves)}
    setup = {"players": int(given.players)} if chosen else {}
    return new_record(played, options, setup, deals=True, chance=chance)


def _seed(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise BadInput("--seed", "not-a-depth", value=text)
    return int(text)


def _keep(record: dict[str, Any], output: str) -> None:
    try:
        Path(output).write_text(json.dumps(record, ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        raise BadInput(output, "cannot-open", error=error.strerror) from None
    except ValueError as error:  # a name with a null character
        raise BadInput(output, "cannot-open", error=str(error)) from None


class Contest:
    """A game against the computer in the terminal."""

    def __init__(self, record: dict[str, Any], role: str | None, level: int, chance: Random, language: str) -> None:
        self.record, self.level, self.chance, self.language = record, level, chance, language
        read = read_record(json.dumps(record))
        self.game = read.game
        self.positions: list[AnyPosition] = [replay(read).position]
        self.given = len(record["moves"])  # the moves that a problem starts with
        self.role = role or read.start.players[0]
        self.seats = _seats(read.start, self.role)
        self.colored = sys.stdout.isatty()

    @property
    def position(self) -> AnyPosition:
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        result = self.record.get("result")
        return self.position.ended(result["winner"], result["why"]) if result else self.position.outcome()

    def run(self) -> None:
        from companion.solvers.levels import choose

        self._help()
        self._show()
        while not self.outcome:
            if self.position.to_move in self.seats:
                if not self._asked():
                    return
            else:
                mover, text = self.position.to_move, choose(self.game, self.position, self.level, self.chance)
                self._played(text)
                self._say("play.computer", player=mover, move=text)
                self._show()

    def _asked(self) -> bool:
        """Handle one line of input. False at the end of the input, or if the person quits."""
        print(f"{term(str(self.position.to_move), self.language)}> ", end="", flush=True)
        line = sys.stdin.readline()
        text = line.strip()
        match WORDS.get(text.lower(), "move" if text else ""):
            case "quit":
                return False
            case "undo":
                self._take_back()
            case "hint":
                self._hinted()
            case "moves":
                print("  ".join(self._possible()))
            case "resign":
                self._resign()
            case "help":
                self._help()
            case "move":
                self._move(text)
        return bool(line)

    def _possible(self) -> list[str]:
        """The legal moves, without revealing tiles that lie face down."""
        return sorted({self.position.without_secret(move) for move in self.position.moves()})

    def _move(self, text: str) -> None:
        meant = [move for move in self.position.moves() if self.position.without_secret(move) == text]
        if len(meant) == 1:
            text = str(meant[0])
        try:
            reason: Reason | None = self.position.why_not(self.game.read(text))
        except UnreadableMove as error:
            reason = error.reason
        if reason:
            print(say_reason(reason, self.language))
            self._say("play.examples", moves="  ".join(self._possible()[:5]))
            return
        self._played(text)
        self._show()

    def _played(self, text: str) -> None:
        self.positions.append(self.position.play(self.game.read(text)))
        self.record["moves"].append(text)

    def _take_back(self) -> None:
        """Take back to the person's last move."""
        own = [n for n, position in enumerate(self.positions[:-1]) if position.to_move in self.seats]
        if not own:
            self._say("play.nothing-to-undo")
            return
        del self.positions[own[-1] + 1 :], self.record["moves"][self.given + own[-1] :]
        self._show()

    def _hinted(self) -> None:
        from companion.solvers.hint import Budget, think

        *_, hint = think(self.game, self.position, Budget(SECONDS, self.chance.getrandbits(32)))
        move, *line = (self.position.without_secret(self.game.read(text)) for text in (hint.move, *hint.line[:8]))
        sure = term("play.exact" if hint.exact else "play.searched", self.language)
        self._say("play.hint", move=move, percent=round(100 * hint.value), sure=sure, line=" ".join(line))

    def _resign(self) -> None:
        from companion.solvers.levels import allied

        others = [player for player in self.position.players if not allied(self.position, player, self.role)]
        winner = others[0] if len(others) in (1, 2) and len(self.position.players) != 3 else None
        self.record["result"] = {"winner": winner and self.position.side(winner), "why": "resigned"}
        self._show()

    def _help(self) -> None:
        if len(self.position.players) == 1:
            self._say("play.alone")
        else:
            self._say("play.help", player=self.role, level=self.level)

    def _show(self) -> None:
        from companion.terminal import draw, result

        print(draw(self.game, self.position.visible(), self.colored, self.position.lying()))
        print(f"  {result(self.outcome, self.position, self.language)}")

    def _say(self, code: str, **params: Any) -> None:
        print(say("FINDINGS", code, params, self.language))


def _seats(position: AnyPosition, role: Seat) -> tuple[Seat, ...]:
    """The seats that the person plays: his own, or those of his team."""
    seats = tuple(seat for seat in position.seats if role in (seat, position.side(seat)))
    if not seats:
        raise BadInput("--as", "not-one-of", value=role, choices=", ".join(position.players))
    return seats


COMMANDS = {
    "hint": Command(_hint, (RECORD, Argument("--seconds", "hint-seconds", {"metavar": "S"}), AS_JSON)),
    "play": Command(
        _play,
        (
            Argument("game", "new-game", {"metavar": "GAME"}),
            Argument("--level", "play-level", {"metavar": "1-5", "default": "3"}),
            Argument("--as", "play-as", {"metavar": "ROLE", "dest": "role"}),
            Argument("--option", "new-option", {"metavar": "NAME=VALUE", "action": "append"}),
            Argument("--players", "play-players", {"metavar": "N", "default": "2"}),
            Argument("--seed", "play-seed", {"metavar": "N"}),
            Argument("-o, --output", "play-output", {"metavar": "FILE"}),
        ),
    ),
}
