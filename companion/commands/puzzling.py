"""The commands for the solitaires: solve, puzzle. The solvers are imported when they run."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from companion.commands import Argument, Command
from companion.commands.rules import AS_JSON, RECORD
from companion.errors import BadInput
from companion.games import game, game_ids, is_game
from companion.games.game import AnyGame
from companion.games.position import AnyPosition
from companion.messages import say
from companion.record import Record
from companion.record_files import require_legal, use_record

if TYPE_CHECKING:
    from companion.solvers.hint import Budget
    from companion.solvers.structs import Tally

T = TypeVar("T")
EXACT = "companion.solvers.cover"  # the solver that finds all solutions
MOST_COUNTED, MOST_PUZZLES, LARGEST_SEED = 10**15, 10_000, 2**32 - 1
QUIET, REFRESH = 1.0, 0.2  # seconds before a search shows its progress, and between updates


def _solve(given: argparse.Namespace, language: str) -> int:
    limit = None if given.limit is None else _whole("--limit", given.limit, 1, MOST_COUNTED)
    position = use_record(given.record, _solitaire)
    from companion.solvers.cover import NO_LIMIT, count, solve

    found = attended(lambda budget, tally: solve(position, budget, tally), language)
    answer: dict[str, Any] = {
        "solvable": bool(found.solutions),
        "solution": list(found.solutions[0]) if found.solutions else None,
    }
    if given.count:
        most = NO_LIMIT - 1 if limit is None else limit
        counted = attended(lambda budget, tally: count(position, most, budget, tally), language, "solve.counted")
        answer.update(solutions=counted.solutions, complete=counted.complete)
    print(json.dumps(answer, ensure_ascii=False))
    return 0


def _solitaire(record: Record) -> AnyPosition:
    if not _is_solvable(record.game):
        choices = ", ".join(game_id for game_id in game_ids() if _is_solvable(game(game_id)))
        raise BadInput("game", "no-solitaire", game=record.game.id, choices=choices)
    return require_legal(record).position


def _is_solvable(played: AnyGame) -> bool:
    return played.is_solitaire and played.solver == EXACT


def _puzzle(given: argparse.Namespace, language: str) -> int:
    from companion.solvers.puzzles import GENERATORS, LEVELS, problem_record, puzzles

    # a game for two has no problems, but its solitaire has
    game_id = game(given.game).solitaire or given.game if is_game(given.game) else ""
    if game_id not in GENERATORS:
        raise BadInput("", "no-solitaire", game=given.game, choices=", ".join(GENERATORS))
    wanted = 1 if given.count is None else _whole("--count", given.count, 1, MOST_PUZZLES)
    seed = _any_seed() if given.seed is None else _whole("--seed", given.seed, 0, LARGEST_SEED)
    if given.level not in LEVELS:
        raise BadInput("--level", "not-one-of", value=given.level, choices=", ".join(LEVELS))
    made = tried = 0
    shown = time.monotonic()
    for puzzle in puzzles(game_id, given.level, seed):
        tried += 1
        if time.monotonic() - shown > REFRESH:
            shown = time.monotonic()
            _progress("puzzle.made", language, made=made, wanted=wanted, tried=tried)
        if puzzle is None:
            continue
        made += 1
        record = problem_record(game_id, puzzle, given.level, seed, made)
        if given.output is not None:
            _keep(Path(given.output), f"{game_id}-{given.level}-{seed}-{made:0{len(str(wanted))}}", record, language)
        _progress()
        print(json.dumps(record, ensure_ascii=False), flush=True)
        if made == wanted:
            break
    return 0


def _any_seed() -> int:
    from secrets import randbelow

    return randbelow(LARGEST_SEED + 1)


def _keep(folder: Path, name: str, record: dict[str, Any], language: str) -> None:
    """Write a problem as a record, and as a picture to print."""
    from companion.record import read_record, replay
    from web.drawing import board_svg

    text = json.dumps(record, ensure_ascii=False)
    read = read_record(text)
    position = replay(read).position
    drawn = board_svg(read.game, position, position.visible(), language=language)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
        (folder / f"{name}.svg").write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise BadInput(str(folder), "cannot-open", error=error.strerror) from None
    except ValueError as error:  # a name with a null character
        raise BadInput(str(folder), "cannot-open", error=str(error)) from None


def attended(search: Callable[[Budget, Tally], T], language: str, code: str = "solve.looked") -> T:
    """Run a search that may take long in a thread, show its progress, and stop it on Ctrl-C."""
    from companion.solvers.cover import UNLIMITED
    from companion.solvers.hint import Stop
    from companion.solvers.structs import Tally

    tally, stop, answers, failures = Tally(), Stop(), list[T](), list[BaseException]()

    def work() -> None:
        try:
            answers.append(search(UNLIMITED._replace(stop=stop), tally))
        except BaseException as failure:
            failures.append(failure)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        worker.join(QUIET)
        while worker.is_alive():
            share = f"{100 * min(tally.done, 1):.3f}"
            _progress(code, language, found=tally.found, nodes=f"{tally.nodes:,}", share=share)
            worker.join(REFRESH)
    finally:
        stop.set()
        worker.join()
        _progress()
    for failure in failures:
        raise failure
    return answers[0]


def _progress(code: str = "", language: str = "en", **params: object) -> None:
    """Show a line of progress on a terminal in place of the last one; without a code clear it."""
    if sys.stderr and sys.stderr.isatty():
        line = say("FINDINGS", code, params, language) if code else ""
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()


def _whole(option: str, text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18 or not least <= int(text) <= most:
        raise BadInput(option, "not-a-whole-number", value=text, least=least, most=most)
    return int(text)


COMMANDS = {
    "solve": Command(
        _solve,
        (
            RECORD,
            Argument("--count", "solve-count", {"action": "store_true"}),
            Argument("--limit", "solve-limit", {"metavar": "N"}),
            AS_JSON,
        ),
    ),
    "puzzle": Command(
        _puzzle,
        (
            Argument("game", "puzzle-game", {"metavar": "GAME"}),
            Argument("--level", "puzzle-level", {"metavar": "LEVEL", "default": "medium"}),
            Argument("--seed", "puzzle-seed", {"metavar": "N"}),
            Argument("--count", "puzzle-count", {"metavar": "K"}),
            Argument("-o, --output", "puzzle-output", {"metavar": "FOLDER"}),
            AS_JSON,
        ),
    ),
}
