"""Booklets of problems for one: numbered, from easy to hard, solutions at the end, folded from larger sheets."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

import segno

from companion.games.game import AnyGame
from companion.kit.book import grouped, together
from companion.kit.sheets import PAPERS, Format, Page, Text, laid_out
from companion.kit.typesetting import pdf
from companion.messages import say, term
from companion.record import read_record, replay
from companion.solvers.cover import solve
from companion.solvers.hint import Budget
from companion.solvers.puzzles import Puzzle
from web.drawing import board_svg

EDGE = 10.0  # around a page's content, in millimetres
ON_A_PAGE, SOLUTIONS = 2, 12
CODE = 30.0  # the side of a QR code


class Problem(NamedTuple):
    number: int
    puzzle: Puzzle
    level: str
    board: str  # drawn
    solved: str  # drawn
    address: str  # that opens it on the table's page


def address_of(base: str, game: AnyGame, puzzle: Puzzle) -> str:
    """Where the table's page begins this problem: the set-up's squares, and what lies already."""
    parts = [f"game={game.id}", *(f"setup.{name}={','.join(squares)}" for name, squares in puzzle.setup.items())]
    if puzzle.moves:
        parts.append(f"moves={quote(','.join(puzzle.moves), safe=',')}")
    return f"{base}/new?{'&'.join(parts)}"


def problem_of(
    number: int, game: AnyGame, puzzle: Puzzle, level: str, base: str, language: str, budget: Budget
) -> Problem:
    record = {"game": game.id, "setup": puzzle.setup, "moves": list(puzzle.moves)}
    position = replay(read_record(json.dumps(record))).position
    found = solve(position, budget).solutions[0]
    solved = replay(read_record(json.dumps({**record, "moves": [*puzzle.moves, *found]}))).position
    drawn, after = (board_svg(game, one, one.visible(), language=language) for one in (position, solved))
    return Problem(number, puzzle, level, drawn, after, address_of(base, game, puzzle))


def booklet_pages(game: AnyGame, problems: Sequence[Problem], wanted: Format) -> list[Page]:
    """In the order in which they are read, each half a sheet."""
    return [
        _cover(game, problems, wanted),
        _pieces(game, wanted),
        *(_problems(part, wanted) for part in _parts(problems, ON_A_PAGE)),
        *(_solutions(part, wanted) for part in _parts(problems, SOLUTIONS)),
    ]


def _parts(problems: Sequence[Problem], size: int) -> Iterator[Sequence[Problem]]:
    return (problems[n : n + size] for n in range(0, len(problems), size))


def _half(wanted: Format) -> tuple[float, float]:
    """A page of the booklet: half a sheet that lies on its side."""
    width, height = PAPERS[wanted.paper]
    return height / 2, width


def _cover(game: AnyGame, problems: Sequence[Problem], wanted: Format) -> Page:
    def told(code: str, **params: object) -> str:
        return say("KIT", code, params, wanted.language)

    width, height = _half(wanted)
    inner = width - 2 * EDGE
    name = game.words[wanted.language].name
    levels = list(dict.fromkeys(term(f"level.{problem.level}", wanted.language) for problem in problems))
    side = min(inner, height - 105)
    table = problems[0].address.partition("/new?")[0]  # who reads it knows why a code finds nothing one day
    return Page(
        drawing=_picture(problems[0].board, (width - side) / 2, 48, side),
        texts=[
            Text(EDGE, 16, inner, told("booklet.title", game=name, number=len(problems)), 20, True, "center"),
            Text(EDGE, 34, inner, ", ".join(levels), 12, False, "center"),
            Text(EDGE, height - 48, inner, told("booklet.lead"), 10, False, "center"),
            Text(EDGE, height - 23, inner, told("booklet.codes", address=table), 8, False, "center", "#777777"),
            Text(EDGE, height - 18, inner, told("booklet.fold"), 8, False, "center", "#777777"),
        ],
    )


def _pieces(game: AnyGame, wanted: Format) -> Page:
    """Everything that the problems are solved with."""
    width, height = _half(wanted)
    inner = width - 2 * EDGE
    material = [part for part in together([game]) if part.kind != "card" or part.cut.count("M") > 1]  # no spare card
    counted = Counter(part.kind for part in material)
    listed = (say("KIT", f"count.{kind}", {"number": n}, wanted.language) for kind, n in counted.items())
    shown = laid_out(grouped(material), inner, height - 60)
    across = float(re.findall(r'width="([\d.]+)mm"', shown)[0])
    return Page(
        drawing=shown.replace("<svg ", f'<svg x="{(width - across) / 2:.3f}" y="36" ', 1).replace('mm"', '"'),
        texts=[
            Text(EDGE, 16, inner, say("KIT", "booklet.pieces", {}, wanted.language), 14, True, "center"),
            Text(EDGE, 25, inner, ", ".join(listed), 10, False, "center"),
        ],
    )


def _problems(problems: Sequence[Problem], wanted: Format) -> Page:
    width, height = _half(wanted)
    room = (height - 2 * EDGE) / ON_A_PAGE
    side = min(room - 8, width - 2 * EDGE - CODE - 6)
    drawn, texts = [], []
    for n, problem in enumerate(problems):
        y = EDGE + n * room
        drawn.append(_picture(problem.board, EDGE, y, side))
        x = EDGE + side + 6
        said = say("KIT", "booklet.effort", {"effort": problem.puzzle.effort}, wanted.language)
        texts += [
            Text(x, y + 3, CODE, str(problem.number), 22, True),
            Text(x, y + 14, CODE, term(f"level.{problem.level}", wanted.language), 9.5),
            Text(x, y + 19, CODE, said, 8, color="#777777"),
        ]
        drawn.append(qr_code(problem.address, x, y + side - CODE - 3, CODE))
    return Page(drawing="".join(drawn), texts=texts)


def _solutions(problems: Sequence[Problem], wanted: Format) -> Page:
    width, _ = _half(wanted)
    columns = 3
    room = (width - 2 * EDGE) / columns
    drawn, texts = (
        [],
        [Text(EDGE, EDGE, width - 2 * EDGE, say("KIT", "booklet.solutions", {}, wanted.language), 12, True)],
    )
    for n, problem in enumerate(problems):
        x, y = EDGE + n % columns * room, EDGE + 9 + n // columns * (room + 3)
        drawn.append(_picture(problem.solved, x + 7, y, room - 9))
        texts.append(Text(x - 1, y + 1, 7, str(problem.number), 9, True, "right"))  # close to its own picture
    return Page(drawing="".join(drawn), texts=texts)


def _picture(svg: str, x: float, y: float, side: float) -> str:
    """A drawing of its own at a place of the page."""
    return svg.replace("<svg ", f'<svg x="{x:.3f}" y="{y:.3f}" width="{side:.3f}" height="{side:.3f}" ', 1)


def qr_code(address: str, x: float, y: float, side: float) -> str:
    """With its white border within the side."""
    code = segno.make(address, error="m", micro=False, boost_error=False)
    out = io.StringIO()
    border = 2
    modules = code.symbol_size(border=border)[0]
    for row, bits in enumerate(code.matrix):
        for column, bit in enumerate(bits):
            if bit:
                out.write(f"M{column + border} {row + border}h1v1h-1z")
    return (
        f'<g transform="translate({x:.3f} {y:.3f}) scale({side / modules:.5f})"><rect width="{modules}" '
        f'height="{modules}" fill="#fff"/><path d="{out.getvalue()}" shape-rendering="crispEdges"/></g>'
    )


def imposed(pages: Sequence[Page], wanted: Format) -> list[Page]:
    """Two pages side by side on each side of each sheet, so that the pile folded in its middle reads in order."""
    pages = [*pages, *(Page() for _ in range(-len(pages) % 4))]
    width, _ = _half(wanted)
    sides = []
    for n in range(len(pages) // 4):
        first, last = 2 * n, len(pages) - 1 - 2 * n
        sides += [_spread(pages[last], pages[first], width), _spread(pages[first + 1], pages[last - 1], width)]
    return sides


def _spread(left: Page, right: Page, width: float) -> Page:
    drawn = left.drawing + (f'<g transform="translate({width:.4f} 0)">{right.drawing}</g>' if right.drawing else "")
    moved = [Text(**{**vars(text), "x": text.x + width}) for text in right.texts]
    return Page(drawing=drawn, texts=[*left.texts, *moved], is_wide=True)


def booklet_pdf(game: AnyGame, problems: Sequence[Problem], wanted: Format) -> tuple[bytes, int]:
    """The booklet, and how many sides of paper it takes."""
    sides = imposed(booklet_pages(game, problems, wanted), wanted)
    said = {"game": game.words[wanted.language].name, "number": len(problems)}
    title = say("KIT", "booklet.title", said, wanted.language)
    return pdf(sides, wanted, title, "DuplexFlipShortEdge"), len(sides)
