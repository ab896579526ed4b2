"""Hints for 6 Faces: alpha-beta in the compiled core. Its wins and losses are proved."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import Array, c_char, c_uint64, create_string_buffer
from random import Random

from companion.games.six_faces import BOARD, DICE, LETTER, Roll, SixFaces
from companion.solvers import compiled, pure
from companion.solvers.deepening import deepen, value
from companion.solvers.general import careful, winning
from companion.solvers.hint import Budget, Hint
from companion.solvers.structs import Answer

CODES = {
    "": 0,
    **{die: 1 + n % 24 + 32 * (die[0] == "r") for n, die in enumerate(DICE[:48])},
    "wK": 25,
    "rK": 32 + 25,
}
DIE = 120  # a lead, in points, that wins about three games out of four


def think(position: SixFaces, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    if compiled.core is None:
        yield from pure.think(position, budget)
        return
    for answer in search(position, budget):
        line = tuple(str(roll_of(move)) for move in answer.line)
        yield Hint(line[0], value(answer, DIE), line, bool(answer.exact))


def search(position: SixFaces, budget: Budget) -> Iterator[Answer]:
    """The core's answers at increasing depths."""
    before = hashes(position)
    yield from deepen("six_faces", state_of(position, before), budget)


def hashes(position: SixFaces) -> Array[c_uint64]:
    """The hashes of the earlier positions, for repetition."""
    assert compiled.core
    known = [compiled.core.six_faces_hash(_state(dice, turn, position, ())) for dice, turn in position.moments[:-1]]
    return (c_uint64 * len(known))(*known)


def state_of(position: SixFaces, before: Array[c_uint64]) -> Array[c_char]:
    """The position as a state of the core. It points to `before`, which the caller must keep alive."""
    return _state(position.dice, position.turn, position, before)


def _state(dice: tuple[str, ...], turn: str, position: SixFaces, before: Array[c_uint64] | tuple[()]) -> Array[c_char]:
    core = compiled.core
    assert core
    state = create_string_buffer(compiled.rules_of(core, "six_faces").size)
    rules, codes = position.rules, bytes(CODES[die] for die in dice)
    left, king = rules.handedness == "left", rules.home == "king"
    side = list(LETTER).index(turn)
    core.six_faces_set(state, codes, side, left, king, rules.repetition, before or None, len(before))
    return state


def roll_of(move: int) -> Roll:
    """A move of the core as a move of the game."""
    start, end, turn = (BOARD.names[move >> shift & 127] for shift in (0, 7, 14))
    return Roll((start, end) if turn == end else (start, turn, end))


def sensible(position: SixFaces, chance: Random, tired: bool) -> Roll:
    """As the general `sensible`, but with a preference for captures."""
    moves = list(position.moves())
    won: Roll | None = winning(position, moves)
    if won is not None:
        return won
    chance.shuffle(moves)
    moves.sort(key=lambda move: not position.dice[BOARD.number[move.squares[-1]]] and chance.random() < 0.7)
    best: Roll = careful(position, moves, tired)
    return best
