"""What a game is stays in its own rooms: nobody else names it, imports it, or reads the text of its moves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.games import game, game_ids

ROOT = Path(__file__).parents[1]
# A game's own rooms: its rules and words, its solver, its reader, its drawing.
OWN_ROOMS = (
    "companion/games/",
    "companion/solvers/",
    "vision/readers/",
    "vision/codes.py",
    "vision/training/",
    "web/drawing/",
)
# Who else may import the module of a game: what is special to its inference.
INFERENCE = "companion/referee/"
CATALOGUES = ("companion/messages/en/", "companion/messages/fr/")
# A plank is also a piece of the kit, and pegs are several pieces: the word, not the game.
PIECES = {("companion/messages/en/terms.py", "plank"), ("companion/messages/en/terms.py", "pegs")}
PIECES |= {(f"companion/kit/{module}.py", "plank") for module in ("book", "cutting", "parts")}
# Regular expressions over names of squares, not over moves.
SQUARES = {"web/inputs.py", "web/static/page.js"}
OF_MOVES = re.compile(
    r"""\[a-[a-z]\][^|]{0,6}(?:\\d|\[[01]-9\])   # a square: [a-h]\d, [a-z][1-9]
      | \[(?:RWB|IL|01|\+-|v^|\^v)\]               # the letters and signs of notations
    """,
    re.VERBOSE,
)


def files(*endings: str) -> Iterator[tuple[str, str]]:
    """The project's files with these endings outside the games' own rooms: path and text."""
    for package in ("companion", "vision", "web"):
        for file in sorted((ROOT / package).rglob("*")):
            path = file.relative_to(ROOT).as_posix()
            if file.suffix in endings and not path.startswith(OWN_ROOMS):
                yield path, file.read_text()


@cache
def own_ids() -> tuple[str, ...]:
    return tuple(id for id in game_ids() if game(id).start.__module__.startswith("companion."))


def texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """The texts of a module, without what is said about the code."""
    said = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node


def test_the_rooms_are_there() -> None:
    assert all((ROOT / room).exists() for room in (*OWN_ROOMS, INFERENCE, *CATALOGUES))
    assert all((ROOT / file).exists() for file in SQUARES)


def test_no_game_is_named_outside_its_rooms() -> None:
    """Neither as a text, nor as the beginning of a code. Sentences may name games: they are for people."""
    found = []
    for path, source in files(".py"):
        for node in texts(ast.parse(source)):
            text = str(node.value)
            if path.startswith(CATALOGUES) and " " in text:
                continue
            if any(text == id or text.startswith(f"{id}.") for id in own_ids()) and (path, text) not in PIECES:
                found.append(f"{path}:{node.lineno} {text}")
    assert found == []


def test_no_page_names_a_game() -> None:
    quoted = re.compile("|".join(rf"""["'`]{re.escape(id)}["'`]""" for id in own_ids()))
    found = [
        f"{path}:{number} {said[0]}"
        for path, source in files(".js", ".html", ".css", ".json")
        for number, line in enumerate(source.splitlines(), 1)
        for said in quoted.finditer(line)
        if (path, said[0][1:-1]) not in PIECES
    ]
    assert found == []


def test_no_game_is_imported_outside_its_rooms() -> None:
    modules = {game(id).start.__module__ for id in own_ids()}
    found = []
    for path, source in files(".py"):
        for node in ast.walk(ast.parse(source)):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            if modules & set(names) and not path.startswith(INFERENCE):
                found.append(f"{path}:{node.lineno}")
    assert found == []


def test_what_is_special_to_a_games_inference_is_its_own() -> None:
    """Of the referee's modules only the one that a game names knows that game."""
    named = {game(id).inference for id in own_ids()}
    for file in sorted((ROOT / INFERENCE).glob("*.py")):
        imported = {
            node.module
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.ImportFrom) and node.module
        }
        if imported & {game(id).start.__module__ for id in own_ids()}:
            assert f"companion.referee.{file.stem}" in named, file


def test_no_regular_expression_reads_moves() -> None:
    found = []
    for path, source in files(".py"):
        found += [
            f"{path}:{node.lineno} {node.value}"
            for node in texts(ast.parse(source))
            if OF_MOVES.search(str(node.value))
        ]
    for path, source in files(".js"):
        found += [
            f"{path}:{n} {line.strip()}" for n, line in enumerate(source.splitlines(), 1) if OF_MOVES.search(line)
        ]
    assert [one for one in found if one.partition(":")[0] not in SQUARES] == []


READING = (
    "startswith",
    "endswith",
    "partition",
    "rpartition",
    "split",
    "rsplit",
    "strip",
    "lstrip",
    "rstrip",
    "replace",
)


def is_move(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "move"


def test_no_move_is_taken_apart() -> None:
    """A move is asked for its trace; its text is for records and for people."""
    found = []
    for path, source in files(".py"):
        for node in ast.walk(ast.parse(source)):
            cut = isinstance(node, ast.Subscript) and is_move(node.value) and not isinstance(node.slice, ast.Name)
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READING
            if cut or (called and is_move(node.func.value)):  # type: ignore[union-attr]
                found.append(f"{path}:{node.lineno}")  # type: ignore[attr-defined]
    assert found == []


@pytest.mark.parametrize(
    "text",
    ["[a-h]\\d", "[a-z][1-9]", "^[+-]([01]{6})$", "([RWB]{3})([v^])", "[a-i]-?\\d+", "([IL])((?:x){3})"],
)
def test_a_regular_expression_over_moves_would_be_seen(text: str) -> None:
    assert OF_MOVES.search(text)
