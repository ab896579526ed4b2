"""6 Faces: what to play, by alpha-beta in the compiled core. A win or loss that it sees is proved."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import CDLL, Array, c_size_t, c_uint64, create_string_buffer

from companion.games.six_faces import BOARD, DICE, LETTER, Roll, SixFaces
from companion.solvers import compiled, pure
from companion.solvers.compiled import Found, State, deepen
from companion.solvers.hint import Budget, Hint

CODES = {
    "": 0,
    **{die: 1 + n % 24 + 32 * (die[0] == "r") for n, die in enumerate(DICE[:48])},
    "wK": 25,
    "rK": 32 + 25,
}
DIE = 120  # an advantage of this many points is worth a win in three out of four games


def think(position: SixFaces, budget: Budget) -> Iterator[Hint]:
    if position.outcome():
        return
    if compiled.core is None:
        yield from pure.think(position, budget)
        return
    for found in search(compiled.core, position, budget):
        line = tuple(str(roll_of(move)) for move in found.line)
        yield Hint(line[0], found.value(DIE), line, found.exact)


def search(core: CDLL, position: SixFaces, budget: Budget) -> Iterator[Found]:
    before = hashes(core, position)
    yield from deepen(core, "six_faces", state_of(core, position, before), budget)


def hashes(core: CDLL, position: SixFaces) -> Array[c_uint64]:
    """The positions before this one, where repetition counts."""
    core.six_faces_hash.restype = c_uint64
    known = [core.six_faces_hash(_state(core, dice, turn, position, ())) for dice, turn in position.seen[:-1]]
    return (c_uint64 * len(known))(*known)


def state_of(core: CDLL, position: SixFaces, before: Array[c_uint64]) -> State:
    """The position as the core holds it, with the `hashes` before it: whoever keeps the state keeps these too."""
    return _state(core, position.dice, position.turn, position, before)


def _state(
    core: CDLL, dice: tuple[str, ...], turn: str, position: SixFaces, before: Array[c_uint64] | tuple[()]
) -> State:
    core.six_faces_size.restype = c_size_t
    state = create_string_buffer(core.six_faces_size())
    rules, codes = position.rules, bytes(CODES[die] for die in dice)
    left, king = rules.handedness == "left", rules.home == "king"
    side = list(LETTER).index(turn)
    core.six_faces_set(state, codes, side, left, king, rules.repetition, before or None, len(before))
    return state


def roll_of(move: int) -> Roll:
    """A move of the core in the game's own words."""
    start, end, turn = (BOARD.names[move >> shift & 127] for shift in (0, 7, 14))
    return Roll((start, end) if turn == end else (start, turn, end))
