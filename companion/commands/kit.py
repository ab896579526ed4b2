"""The commands kit and booklet. The typesetting packages are imported when they run; BadInput if they are missing."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.checks import T, number, whole_number
from companion.commands import Argument, Command
from companion.errors import BadInput
from companion.games import game, game_ids
from companion.games.game import AnyGame
from companion.messages import say, term

if TYPE_CHECKING:
    from companion.kit.sheets import Format

ALL = "all"
MOST_BLEED, MOST_OFFSET = 5.0, 20.0  # millimeters
LEAST_SCALE, MOST_SCALE = 0.8, 1.25
MOST_KERF, LEAST_PITCH, PITCH, MOST_PITCH = 1.0, 10.0, 100 / 3, 60.0  # 30 LEDs to a meter
MOST_PROBLEMS, PORT = 400, 8000


def _kit(given: argparse.Namespace, language: str) -> int:
    if given.proof is not None:
        return _prove(given, language)
    if given.game is None:
        raise BadInput("", "kit-of-what", choices=", ".join((ALL, *game_ids())))
    if not _is_wanted(given):
        raise BadInput("", "kit-where")
    print(json.dumps(_made(given, _format(given, language)), ensure_ascii=False))
    return 0


def _is_wanted(given: argparse.Namespace) -> bool:
    """Whether any output is wanted. BadInput for options of cut plans without a cut plan."""
    for option, value in (("--kerf", given.kerf), ("--leds", given.leds)):
        if value is not None and given.svg is None:
            raise BadInput(option, "kit-only-plans")
    return any(to is not None for to in (given.output, given.svg, given.stl))


def _made(given: argparse.Namespace, wanted: Format) -> dict[str, Any]:
    """Write all outputs, the PDF last, so that an existing PDF survives if anything else fails."""
    games = _games(given.game)
    kerf = 0.0 if given.kerf is None else _number("--kerf", given.kerf, 0, MOST_KERF)
    pitch = PITCH if given.leds is None else _number("--leds", given.leds, LEAST_PITCH, MOST_PITCH)
    answer: dict[str, Any] = {}
    if given.output is not None:
        _try(Path(given.output))
        from companion.kit.book import kit_of, kit_pdf

        kit = kit_of(games, wanted, _progress)
        data = kit_pdf(games, kit, wanted)
        _progress("")
        answer |= {"file": given.output, "pages": len(kit.pages), "parts": kit.counted}
    if given.svg is not None:
        with _needed(given.svg):
            from companion.kit import cutting

            answer["svg"] = cutting.write(Path(given.svg), games, wanted.cell, kerf, pitch)
    if given.stl is not None:
        with _needed(given.stl):
            from companion.kit import solids

            answer["stl"] = solids.write(Path(given.stl), games, wanted.cell)
    if given.output is not None:
        write(Path(given.output), data)
    return answer


@contextmanager
def _needed(folder: str) -> Iterator[None]:
    """Write a folder of files with a package that may be missing."""
    try:
        with _written(Path(folder)):
            yield
    except ImportError:
        raise BadInput("", "kit-missing") from None


def _booklet(given: argparse.Namespace, language: str) -> int:
    from itertools import islice

    from companion.kit.booklets import Problem, booklet_pdf, problem_of
    from companion.solvers.cover import UNLIMITED
    from companion.solvers.puzzles import GENERATORS, LEVELS, puzzles

    if given.game not in GENERATORS:
        raise BadInput("", "no-solitaire", game=given.game, choices=", ".join(GENERATORS))
    levels = list(LEVELS) if given.level == ALL else given.level.split(",")
    if any(level not in LEVELS for level in levels):
        raise BadInput("--level", "not-one-of", value=given.level, choices=", ".join((ALL, *LEVELS)))
    wished = _checked("--count", given.count, whole_number(1, MOST_PROBLEMS))
    seed = _checked("--seed", given.seed, whole_number(0, 999_999))
    if given.output is None:
        raise BadInput("", "kit-where")
    _try(Path(given.output))
    base = _address(given.address)
    wanted = _format(given, language)
    played, problems = game(given.game), list[Problem]()
    for n, level in enumerate(levels):  # from easy to hard, as many of each
        share = wished * (n + 1) // len(levels) - wished * n // len(levels)
        made = islice((puzzle for puzzle in puzzles(given.game, level, seed) if puzzle), share)
        found = []
        for puzzle in made:
            found.append(puzzle)
            _progress(say("FINDINGS", "booklet.made", {"made": len(problems) + len(found), "wanted": wished}, language))
        for puzzle in sorted(found, key=lambda one: one.effort):
            problems.append(problem_of(len(problems) + 1, played, puzzle, level, base, language, UNLIMITED))
    data, pages = booklet_pdf(played, problems, wanted)
    _progress("")
    write(Path(given.output), data)
    print(json.dumps({"file": given.output, "pages": pages, "problems": len(problems), "address": base}))
    return 0


def _address(text: str | None) -> str:
    """The address of the table's page: as given, else this machine's address in its network."""
    if text is None:
        from web.certificate import own_addresses

        return f"http://{next(iter(own_addresses()), '127.0.0.1')}:{PORT}"
    if not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]_-]+", text.rstrip("/")) or len(text) > 80:
        raise BadInput("--address", "not-an-address", value=text)
    return text.rstrip("/")


def _games(name: str) -> list[AnyGame]:
    if name != ALL and name not in game_ids():
        raise BadInput("", "not-one-of", value=name, choices=", ".join((ALL, *game_ids())))
    return [game(id) for id in game_ids()] if name == ALL else [game(name)]


def _format(given: argparse.Namespace, language: str) -> Format:
    from companion.kit.sheets import LARGEST, PAPERS, SMALLEST, USUAL, Format

    papers = {name.lower(): name for name in PAPERS}
    if given.paper.lower() not in papers:
        raise BadInput("--paper", "not-one-of", value=given.paper, choices=", ".join(PAPERS))
    return Format(
        paper=papers[given.paper.lower()],
        language=language,
        cell=USUAL if vars(given).get("cell") is None else _number("--cell", given.cell, SMALLEST, LARGEST),
        bleed=1.0 if vars(given).get("bleed") is None else _number("--bleed", given.bleed, 0, MOST_BLEED),
        scale=(1.0, 1.0)
        if vars(given).get("scale") is None
        else _pair("--scale", given.scale, LEAST_SCALE, MOST_SCALE),
        offset=(0.0, 0.0)
        if vars(given).get("offset") is None
        else _pair("--offset", given.offset, -MOST_OFFSET, MOST_OFFSET),
    )


def _prove(given: argparse.Namespace, language: str) -> int:
    """Measure the printer by a photograph of the proof page, and write the kit with the correction."""
    from dataclasses import replace

    from companion.commands.pictures import prepare

    prepare()
    from vision.errors import UnreadablePicture
    from vision.picture import open_picture
    from vision.proof import measure

    is_wanted, photo = _is_wanted(given), Path(given.proof)
    try:
        proof = measure(open_picture(photo))
    except UnreadablePicture as error:
        raise BadInput(str(photo), error.code, **error.params) from None
    given.paper = proof.sheet
    wanted = _format(given, language)
    corrected = tuple(round(before / found, 4) for before, found in zip(wanted.scale, proof.scale, strict=True))
    answer: dict[str, Any] = {
        "photo": given.proof,
        "paper": proof.paper,
        "sheet": proof.sheet,
        "scale_x": round(proof.scale[0], 4),
        "scale_y": round(proof.scale[1], 4),
        "fitted": proof.is_fitted,
        "corrected": list(corrected),
        "black": round(proof.black, 3),
        "colors": {name: round(value, 3) for name, value in proof.colors.items()},
        "advice": _advice(proof, corrected, given.output, language),
    }
    if is_wanted:
        if given.game is None:
            given.game = ALL
        for value in corrected:
            _number("--scale", str(value), LEAST_SCALE, MOST_SCALE)
        answer |= _made(given, replace(wanted, scale=(corrected[0], corrected[1])))
    print(json.dumps(answer, ensure_ascii=False))
    return 0


TRUE, PALE, DULL = 0.002, 0.35, 0.3


def _advice(proof: Any, corrected: tuple[float, ...], output: str | None, language: str) -> list[str]:
    point = "," if language == "fr" else "."
    x, y = (f"{100 * value:.1f}".replace(".", point) for value in proof.scale)
    code = "proof.good"
    if any(abs(value - 1) > TRUE for value in proof.scale):
        code = f"proof.{'fitted' if proof.is_fitted else 'off'}{'-mended' if output else ''}"
    params = {"x": x, "y": y, "sx": corrected[0], "sy": corrected[1], "file": output}
    said = [say("KIT", code, params, language)]
    if proof.sheet != proof.paper:
        said.insert(0, say("KIT", "proof.sheet", {"paper": proof.paper, "sheet": proof.sheet}, language))
    if proof.black > PALE:
        said.append(say("KIT", "proof.pale", {"black": round(100 * (1 - proof.black))}, language))
    if weak := [name for name, value in proof.colors.items() if value < DULL]:
        colors = ", ".join(term(f"ink.{name}", language) for name in weak)
        said.append(say("KIT", "proof.dull", {"colors": colors}, language))
    return said


# --- what they share


def write(file: Path, data: bytes) -> None:
    with _written(file):
        file.write_bytes(data)


def _try(file: Path) -> None:
    """BadInput if the file cannot be written, before the work is done."""
    with _written(file):
        is_new = not file.exists()
        file.open("ab").close()
        if is_new:
            file.unlink()


@contextmanager
def _written(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(str(file), "cannot-open", error=error.strerror) from None
    except ValueError as error:  # a name with a null character
        raise BadInput(str(file), "cannot-open", error=str(error)) from None


def _progress(line: str) -> None:
    """Show a line of progress on a terminal in place of the last one; an empty text clears it."""
    if sys.stderr and sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()


def _number(option: str, text: str, least: float, most: float) -> float:
    return _checked(option, text, number(least, most))


def _checked(option: str, text: str, check: Callable[[Any], T]) -> T:
    try:
        return check(text)
    except BadInput as bad:
        raise BadInput(option, bad.code, **bad.params) from None


def _pair(option: str, text: str, least: float, most: float) -> tuple[float, float]:
    """Parse two numbers separated by a comma; a single number counts for both."""
    x, comma, y = text.partition(",")
    return _number(option, x, least, most), _number(option, y if comma else x, least, most)


COMMANDS = {
    "kit": Command(
        _kit,
        (
            Argument("game", "kit-game", {"metavar": "GAME", "nargs": "?"}),
            Argument("-o, --output", "kit-output", {"metavar": "FILE.pdf"}),
            Argument("--paper", "kit-paper", {"metavar": "PAPER", "default": "A4"}),
            Argument("--cell", "kit-cell", {"metavar": "MM"}),
            Argument("--bleed", "kit-bleed", {"metavar": "MM"}),
            Argument("--scale", "kit-scale", {"metavar": "X,Y"}),
            Argument("--offset", "kit-offset", {"metavar": "X,Y"}),
            Argument("--proof", "kit-proof", {"metavar": "PHOTO"}),
            Argument("--svg", "kit-svg", {"metavar": "DIR"}),
            Argument("--stl", "kit-stl", {"metavar": "DIR"}),
            Argument("--kerf", "kit-kerf", {"metavar": "MM"}),
            Argument("--leds", "kit-leds", {"metavar": "MM"}),
        ),
    ),
    "booklet": Command(
        _booklet,
        (
            Argument("game", "puzzle-game", {"metavar": "GAME"}),
            Argument("--level", "booklet-level", {"metavar": "LEVEL", "default": ALL}),
            Argument("--count", "booklet-count", {"metavar": "K", "default": "48"}),
            Argument("--seed", "booklet-seed", {"metavar": "N", "default": "1"}),
            Argument("-o, --output", "kit-output", {"metavar": "FILE.pdf"}),
            Argument("--paper", "kit-paper", {"metavar": "PAPER", "default": "A4"}),
            Argument("--address", "booklet-address", {"metavar": "URL"}),
        ),
    ),
}
