"""Hints for Trippples. Two pawns on open tiles: the board is solved by retrograde analysis. Teams: alpha-beta in the
compiled core. While tiles are placed or lie face down: Monte Carlo over random boards, never using the hidden tiles.

Wins and losses by the finish, or by an announced freeze, are exact. Draws ignore most indirect wins (trippples.8),
which depend on the whole game: only those within the next two moves are seen.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator
from ctypes import Array, c_char, create_string_buffer
from functools import lru_cache
from math import sqrt
from random import Random
from typing import NamedTuple

from companion.games.position import Position
from companion.games.retrograde import Solution, number, solve
from companion.games.squares import bits
from companion.games.trippples import FRAME, TILES, Field, Moment, Move, Place, Step, Trippples, arrows_on, read
from companion.games.value import replace
from companion.solvers import compiled, pure
from companion.solvers.deepening import chance, deepen, last_answer, value
from companion.solvers.hint import Budget, Hint

STEPS = 30.0  # a lead, in points (three steps), that wins about three games out of four
SAMPLE_BUDGET = Budget(1, work=400)  # for one sampled board
FIRST_HINT = 0.05  # seconds until the first hint from sampled boards; the intervals then double


def think(position: Trippples, budget: Budget) -> Iterator[Hint]:
    if position.why:
        return
    if freeze := _freeze(position):
        yield Hint(str(freeze), 1, (str(freeze),), True)
    elif position.placing:
        yield from _placing(position, budget)
    elif "down" in position.tiles:
        yield from _with_hidden_tiles(position, budget)
    elif len(position.pawns) == 2:
        yield _solved(position)
    else:
        yield from _for_teams(position, budget)


def _freeze(position: Trippples) -> Step | None:
    """An announced move after which nobody can move: it wins at once."""
    if position.placing or not position.rules.frozen:
        return None
    for move in position.moves():
        if isinstance(move, Step) and not move.shows:
            announced = replace(move, frozen=True)
            if position.play(announced).why == "frozen":
                return announced
    return None


# --- two pawns, all tiles open: solved


class _Choice(NamedTuple):
    """A move and its result. Better choices compare greater."""

    standing: tuple[int, int, float]  # 1, 0, -1 for won, drawn, lost; how soon or late; how likely the opponent errs
    to: int
    then: Moment | None  # None: the game ends


def _solved(position: Trippples) -> Hint:
    field = position.field
    board = _board(field, position.rules.frozen)
    choices = [_with_repetition(position, choice) for choice in board.choices(_moment(position))]
    best = max(choices, key=lambda choice: choice.standing)
    line, then = [FRAME.names[best.to]], best.then
    while then and best.standing[0]:
        step = max(board.choices(then), key=lambda choice: choice.standing)
        if not step.standing[0]:  # an indirect win decides, which the solved board does not know
            break
        freezes = step.then is None and step.to != field.rules.finishes[then[1]]
        line.append(FRAME.names[step.to] + ("!" if freezes and field.rules.frozen else ""))
        then = step.then
    return Hint(line[0], (best.standing[0] + 1) / 2, tuple(_until_end(position, line)), True)


def _until_end(position: Trippples, line: list[str]) -> Iterator[str]:
    """A line up to the end of the game, which may come earlier by an indirect win."""
    for text in line:
        yield text
        position = position.play(read(text))
        if position.why:
            return


def _moment(position: Trippples) -> Moment:
    return position.pawns, position.turn, position.again


def _after(field: Field, moment: Moment) -> Iterator[tuple[int, Moment | None]]:
    """The moves of a moment by square, each with the next moment; None if the game ends."""
    pawns, turn, again = moment
    for to in bits(field.reach(pawns, turn, again)):
        after = (*pawns[:turn], to, *pawns[turn + 1 :])
        then = None if to == field.rules.finishes[turn] else field.next_turn(after, turn, to)
        yield to, (after, *then) if then else None


class _Board:
    """A solved board, with the chances of winning drawn moments against an imperfect opponent."""

    def __init__(self, field: Field, freezing: bool) -> None:
        self.field, self.freezing = field, freezing
        self.solution = solved(field, freezing)
        self.chances: dict[int, array[float]] = {}

    def choices(self, moment: Moment) -> list[_Choice]:
        finish, turn = self.field.rules.finishes[moment[1]], moment[1]
        found = []
        for to, then in _after(self.field, moment):
            if then is None:
                found.append(_Choice((int(to == finish or self.freezing), 0, 0.0), to, None))
            elif decided := self.solution.decided(then):
                mine = decided.winner == turn
                found.append(_Choice((1, -decided.moves, 0.0) if mine else (-1, decided.moves, 0.0), to, then))
            else:
                found.append(_Choice((0, 0, self._chance(then, turn)), to, then))
        return found

    def _chance(self, moment: Moment, turn: int) -> float:
        """The chance that a drawn moment is won by the player who has just moved."""
        core = compiled.core
        if core is None:
            return self._share_of_errors(moment, turn)
        if turn not in self.chances:
            state = _state(self.field, moment, self.freezing)
            winner = array("b", self.solution.winner).tobytes()
            chances = create_string_buffer(4 * len(winner))
            core.trippples_chances(state, winner, turn, chances)
            self.chances[turn] = array("f", chances.raw)
        return self.chances[turn][number(moment, FRAME.size)]

    def _share_of_errors(self, moment: Moment, turn: int) -> float:
        """The share of the opponent's replies that lose."""
        if moment[1] == turn:
            return 0.0
        answers = list(_after(self.field, moment))
        return sum(then is not None and self.solution.loses(then, 1 - turn) for _, then in answers) / len(answers)


_board = lru_cache(maxsize=8)(_Board)


def _with_repetition(position: Trippples, choice: _Choice) -> _Choice:
    """Correct a drawn choice by the history: a repetition may win or lose, now or with the next move."""
    if choice.standing[0] or choice.then not in position.moments:
        return choice
    after = position.play(Step(FRAME.names[choice.to]))
    if after.winner:
        return choice._replace(standing=(1 if after.winner == position.players[position.turn] else -1, 0, 0.0))
    other = position.players[1 - position.turn]
    if after.turn != position.turn and any(after.play(move).winner == other for move in after.moves()):
        return choice._replace(standing=(-1, 0, 0.0))
    return choice


def solved(field: Field, freezing: bool) -> Solution:
    """The board's solution, by the compiled core if it is available."""
    core = compiled.core
    if core is None:
        return solve(field, freezing)
    moments = FRAME.size * FRAME.size * 4
    winner, moves = create_string_buffer(moments), create_string_buffer(2 * moments)
    core.trippples_solve(_state(field, (field.rules.starts, 0, False), freezing), winner, moves)
    return Solution(field, array("b", winner.raw), array("H", moves.raw))


def _state(field: Field, moment: Moment, freezing: bool) -> Array[c_char]:
    (pawns, turn, again), rules, core = moment, field.rules, compiled.core
    assert core
    state = create_string_buffer(compiled.rules_of(core, "trippples").size)
    arrows, squares, finishes = bytes(field.arrows), bytes(pawns), bytes(rules.finishes)
    core.trippples_set(state, arrows, rules.neutral, len(pawns), squares, finishes, turn, again, rules.again, freezing)
    return state


def state_of(position: Trippples) -> Array[c_char]:
    """A position on a full frame as a state of the core."""
    return _state(position.field, _moment(position), position.rules.frozen)


# --- teams


def _for_teams(position: Trippples, budget: Budget) -> Iterator[Hint]:
    if compiled.core is None:
        yield from pure.think(position, budget)
        return
    for answer in deepen("trippples", state_of(position), budget):
        line = tuple(FRAME.names[move] for move in answer.line)
        yield Hint(line[0], value(answer, STEPS), line, bool(answer.exact))


def _quick_evaluation(field: Field, moment: Moment) -> float:
    """The value of a team board for the side to move, by a very short search."""
    return chance(
        last_answer("trippples_glance", _state(field, moment, field.rules.frozen), SAMPLE_BUDGET).score, STEPS
    )


# --- boards with unknown tiles: Monte Carlo sampling


class _Statistics:
    """The samples of a choice."""

    __slots__ = ("count", "sum")

    def __init__(self) -> None:
        self.count, self.sum = 0, 0.0

    @property
    def mean(self) -> float:
        return self.sum / self.count

    @property
    def lower_bound(self) -> float:
        """A lower confidence bound of the mean."""
        return self.mean - 0.5 / sqrt(self.count)


def _sampled(
    budget: Budget, one_board: Callable[[Random], None], hint: Callable[[], Hint], most: float = float("inf")
) -> Iterator[Hint]:
    """Sample boards until the budget is spent, with hints in between."""
    chance, begun, boards = Random(budget.seed), time.monotonic(), 0
    due = min(FIRST_HINT, budget.seconds)
    while boards < most:
        one_board(chance)
        boards += 1
        spent = time.monotonic() - begun
        if budget.stop or spent >= budget.seconds or boards == budget.work:
            break
        if spent >= due:
            yield hint()
            due *= 2
    yield hint()


def _evaluator(field: Field, pawns: int, side: int) -> Callable[[Moment], float]:
    """A function that values the moments of a known board for a side: solved for two pawns, searched for four."""
    if pawns == 4:

        def searched(moment: Moment) -> float:
            worth = _quick_evaluation(field, moment)
            return worth if moment[1] & 1 == side else 1 - worth

        return searched
    solution = solved(field, False)

    def as_solved(moment: Moment) -> float:
        decided = solution.decided(moment)
        return 0.5 if decided is None else float(decided.winner == side)

    return as_solved


def _placing(position: Trippples, budget: Budget) -> Iterator[Hint]:
    """Fill the frame at random, again and again; the board's value counts for each tile on its square."""
    teams = len(position.pawns) == 4
    if teams and compiled.core is None:
        yield from pure.think(position, budget)
        return
    empty = [n for n, tile in enumerate(position.tiles) if tile == "empty"]
    used = set(position.tiles)
    unused = [tile for tile in TILES if tile not in used]
    side = position.turn & 1
    statistics: dict[Place, _Statistics] = {}

    def one_board(chance: Random) -> None:
        laid = chance.sample(unused, len(unused))
        tiles = list(position.tiles)
        for square, tile in zip(empty, laid, strict=True):
            tiles[square] = tile
        field = Field(position.rules, arrows_on.__wrapped__(tuple(tiles)))
        then = field.next_turn(position.pawns, -1, position.rules.starts[0])
        worth = _evaluator(field, len(position.pawns), side)((position.pawns, *then)) if then else 0.5
        for square, tile in zip(empty, laid, strict=True):
            place = statistics.setdefault(Place(tile, FRAME.names[square]), _Statistics())
            place.count += 1
            place.sum += worth

    def hint() -> Hint:
        move, best = max(statistics.items(), key=lambda item: (item[1].lower_bound, str(item[0])))
        return Hint(str(move), best.mean, (str(move),), len(empty) == 1 and not teams)

    yield from _sampled(budget, one_board, hint, 1 if len(empty) == 1 else float("inf"))


def _with_hidden_tiles(position: Trippples, budget: Budget) -> Iterator[Hint]:
    """Deal the hidden tiles at random; those in the record are never used."""
    moves: dict[int, Move] = {}  # by target square: the tile there is not known before the move
    for move in position.moves():
        if isinstance(move, Step):
            moves.setdefault(FRAME.number[move.to], move)
    side, finish = position.turn & 1, position.rules.finishes[position.turn]
    if finish in moves:
        yield Hint(str(moves[finish]), 1, (str(moves[finish]),), True)
        return
    if len(position.pawns) == 4 and compiled.core is None:
        yield from _as_moves(
            pure.think(position, budget, sample=lambda chance: deal_hidden(position, chance), name=_square), moves
        )
        return
    statistics = {square: _Statistics() for square in moves}

    def one_board(chance: Random) -> None:
        field = Field(position.rules, arrows_on.__wrapped__(_reveal(position, chance)))
        worth = _evaluator(field, len(position.pawns), side)
        for to, then in _after(field, _moment(position)):
            statistics[to].count += 1
            statistics[to].sum += worth(then) if then else 0.5

    def hint() -> Hint:
        square = max(statistics, key=lambda square: (statistics[square].mean, -square))
        return Hint(str(moves[square]), statistics[square].mean, (str(moves[square]),), False)

    yield from _sampled(budget, one_board, hint)


def _reveal(position: Trippples, chance: Random) -> tuple[str, ...]:
    """The tiles with those that lie face down dealt at random from the unseen ones."""
    seen = set(position.tiles)
    unseen = chance.sample(rest := [tile for tile in TILES if tile not in seen], len(rest))
    return tuple(
        ("neutral" if position.rules.neutral >> n & 1 else unseen.pop()) if tile == "down" else tile
        for n, tile in enumerate(position.tiles)
    )


def deal_hidden(position: Trippples, chance: Random) -> Position[Move]:
    """The position with its hidden tiles dealt at random."""
    return replace(position, rules=position.rules._replace(under=_reveal(position, chance)))


def _square(move: Move) -> str:
    return move.to if isinstance(move, Step) else str(move)


def _as_moves(hints: Iterator[Hint], moves: dict[int, Move]) -> Iterator[Hint]:
    """Hints whose move is only a square, as hints with legal moves."""
    for hint in hints:
        text = str(moves[FRAME.number[hint.move]])
        yield hint._replace(move=text, line=(text,))


# --- moves for simulated players


def sensible(position: Trippples, chance: Random, tired: bool) -> Move:
    """By exact analysis for two pawns on open tiles, else mostly towards the finish."""
    moves = list(position.moves())
    if position.placing:
        return chance.choice(moves)
    if len(position.pawns) == 2 and "down" not in position.tiles:
        worth = {move: _worth(position, move) for move in moves}
        best = max(worth.values())
        if best > 0 or (best < 0 and not tired):
            return chance.choice([move for move in moves if worth[move] == best])
        moves = moves if tired else [move for move in moves if worth[move] == 0]
    finish = position.rules.finishes[position.turn]

    def away(move: Move) -> int:
        at = FRAME.number[move.to] if isinstance(move, Step) else finish
        return max(abs(at % 8 - finish % 8), abs(at // 8 - finish // 8))

    nearest = [move for move in moves if away(move) == min(map(away, moves))]
    return chance.choice(nearest if chance.random() < 0.7 else moves)


def _worth(position: Trippples, move: Move) -> int:
    """The value of a move for the player who makes it: sooner wins and later losses are better."""
    after = position.play(move)
    if after.why:
        mine = after.winner == position.players[position.turn & 1]
        return 1000 if mine else -1000 if after.winner else 0
    found = solve(position.field).decided((after.pawns, after.turn, after.again))
    return 0 if not found else (500 - found.moves) * (1 if found.winner == position.turn else -1)
