"""Hepta, Tetrods and T for Two: pieces found by trying every set of squares of the 7×7 board."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

from .common import Plain, beside, column, picture, row, squares

BOARD = squares(7, 7)


def neighbors_in(square: str, cells: tuple[str, ...]) -> list[str]:
    around = [beside(square, *step) for step in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return [other for other in around if other in cells]


def connected(cells: tuple[str, ...]) -> bool:
    reached = {cells[0]}
    for _ in cells:
        reached |= {other for square in reached for other in neighbors_in(square, cells)}
    return len(reached) == len(cells)


def in_line(cells: tuple[str, ...]) -> bool:
    return len({column(c) for c in cells}) == 1 or len({row(c) for c in cells}) == 1


@cache
def connected_sets(size: int) -> tuple[tuple[str, ...], ...]:
    near = [
        cells
        for cells in combinations(BOARD, size)
        if column(cells[-1]) - column(cells[0]) < size  # the names are sorted by column: only to save time
    ]
    return tuple(tuple(sorted(cells)) for cells in near if connected(cells))


@cache
def trominoes() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Every way to lay a piece: its text, its shape and its squares."""
    laid = {}
    for cells in connected_sets(3):
        shape = "I" if in_line(cells) else "L"
        laid[shape + "".join(cells)] = (shape, cells)
    return laid


def tetrod_name(cells: tuple[str, ...], hole: str) -> str:
    degree = {square: len(neighbors_in(square, cells)) for square in cells}
    if in_line(cells):
        return "I1" if degree[hole] == 1 else "I2"
    if set(degree.values()) == {2}:
        return "O1"
    line = [three for three in combinations(cells, 3) if in_line(three) and connected(three)]
    if 3 in degree.values():
        if degree[hole] == 3:
            return "T3"
        return "T2" if hole in line[0] else "T1"
    if not line:
        return "S1" if degree[hole] == 1 else "S2"
    (leg,) = line
    if hole not in leg:
        return "L1"
    if degree[hole] == 1:
        return "L4"
    foot = next(square for square in cells if square not in leg)
    return "L2" if hole in neighbors_in(foot, cells) else "L3"


@cache
def tetrods() -> dict[str, tuple[str, tuple[str, ...], str]]:
    """Every way to lay a tetrod: its text, its name, its squares and its hole."""
    laid = {}
    for cells in connected_sets(4):
        for hole in cells:
            name = tetrod_name(cells, hole)
            laid[f"{name}{''.join(cells)}@{hole}"] = (name, cells, hole)
    return laid


TETRODS = ("I1", "I2", "O1", "T1", "T2", "T3", "L1", "L2", "L3", "L4", "S1", "S2")


class Hepta(Plain):
    players = ("first", "second")

    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.blockers: list[str] = []
        self.shape: dict[str, str] = {}
        self.placed = {"first": 0, "second": 0}
        self.covered: set[str] = set()
        self.turn = "first"

    def placements(self, player: str) -> set[str]:
        if self.placed[player] == 7:
            return set()
        taken = self.covered | set(self.blockers)
        return {
            text
            for text, (shape, cells) in trominoes().items()
            if shape == self.shape[player] and not taken & set(cells)
        }

    def moves(self) -> set[str]:
        if self.over:
            return set()
        if len(self.blockers) < 7:
            return {f"#{square}" for square in BOARD if square not in self.blockers}
        if not self.shape:
            return {"=I", "=L"}
        return self.placements(self.turn)

    def play(self, text: str) -> None:
        if text[0] == "#":
            self.blockers.append(text[1:])
            if len(self.blockers) == 7:
                self.turn = "second"
            return
        if text[0] == "=":
            self.shape = {"second": text[1], "first": "L" if text[1] == "I" else "I"}
            return
        self.covered |= set(trominoes()[text][1])
        self.placed[self.turn] += 1
        other = "first" if self.turn == "second" else "second"
        if self.placements(other):
            self.turn = other
        elif not self.placements(self.turn):
            first, second = self.placed["first"], self.placed["second"]
            self.end(None if first == second else "first" if first > second else "second", first == second)

    @property
    def scores(self) -> dict[str, float]:
        return dict(self.placed)

    def visible(self) -> dict[str, Any]:
        return picture(7, 7, dict.fromkeys(self.covered, "x") | dict.fromkeys(self.blockers, "#"))


class HeptaSolo(Plain):
    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.blockers: list[str] = setup["blockers"]
        self.left = {"I": 7, "L": 7}
        self.covered: set[str] = set()
        self.turn = "solver"

    def moves(self) -> set[str]:
        taken = self.covered | set(self.blockers)
        return {text for text, (shape, cells) in trominoes().items() if self.left[shape] and not taken & set(cells)}

    def play(self, text: str) -> None:
        shape, cells = trominoes()[text]
        self.left[shape] -= 1
        self.covered |= set(cells)
        if not self.moves():
            self.end("solver" if len(self.covered) == 42 else None)

    def visible(self) -> dict[str, Any]:
        return picture(7, 7, dict.fromkeys(self.covered, "x") | dict.fromkeys(self.blockers, "#"))


def mushrooms_and_tetrods(mushrooms: list[str], covered: set[str]) -> dict[str, Any]:
    codes = dict.fromkeys(covered, "x")
    for square in mushrooms:
        codes[square] = "@" if square in covered else "o"
    return picture(7, 7, codes)


class Tetrods(Plain):
    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.mushrooms: list[str] = setup["mushrooms"]
        self.left = set(TETRODS)
        self.covered: set[str] = set()
        self.turn = "solver"
        if not self.moves():
            self.end(None)

    def moves(self) -> set[str]:
        return {
            text
            for text, (name, cells, hole) in tetrods().items()
            if name in self.left
            and not self.covered & set(cells)
            and [square for square in cells if square in self.mushrooms] == [hole]
        }

    def play(self, text: str) -> None:
        name, cells, _ = tetrods()[text]
        self.left.remove(name)
        self.covered |= set(cells)
        if not self.moves():
            self.end(None if self.left else "solver")

    def visible(self) -> dict[str, Any]:
        return mushrooms_and_tetrods(self.mushrooms, self.covered)


class TForTwo(Plain):
    players = ("mushrooms", "tetrods")

    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.mushrooms: list[str] = []
        self.left = set(TETRODS)
        self.covered: set[str] = set()
        self.turn = "mushrooms"

    def moves(self) -> set[str]:
        if self.over:
            return set()
        taken = self.covered | set(self.mushrooms)
        if self.turn == "mushrooms":
            return {f"@{square}" for square in BOARD if square not in taken}
        last = self.mushrooms[-1]
        return {
            text
            for text, (name, cells, hole) in tetrods().items()
            if name in self.left and hole == last and not (taken - {last}) & set(cells)
        }

    def play(self, text: str) -> None:
        if text[0] == "@":
            self.mushrooms.append(text[1:])
            self.turn = "tetrods"
            if not self.moves():
                self.end(None)
            return
        name, cells, _ = tetrods()[text]
        self.left.remove(name)
        self.covered |= set(cells)
        self.turn = "mushrooms"

    @property
    def scores(self) -> dict[str, float]:
        total, waiting = 0, set(self.mushrooms)
        while waiting:
            group, size = {waiting.pop()}, 0
            while size < len(group):
                size = len(group)
                group |= {near for square in group for near in neighbors_in(square, tuple(self.mushrooms))}
            waiting -= group
            total += sum(range(1, size + 1))
        return {"mushrooms": total, "tetrods": 0}

    def visible(self) -> dict[str, Any]:
        return mushrooms_and_tetrods(self.mushrooms, self.covered)
