"""UCT in pure Python over the rules in `companion.games`, for any game; used without the compiled core.

Playouts are random. Proved results are propagated to the root, so that `exact` is always right. It is much weaker than
the compiled searches, since Python plays games slowly.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import log, sqrt
from random import Random
from typing import Any

from companion.games.position import AnyPosition, Outcome, Seat
from companion.solvers.hint import Budget, Hint

Worth = Callable[[Outcome, Seat], float]  # the value of an outcome for a side, 0 … 1
Sample = Callable[[Random], AnyPosition]  # the position with hidden information filled in at random
EXPLORATION = 0.7  # the weight of exploration in UCT
MAX_PLAYOUT = 120  # moves; longer playouts count as draws
FIRST_HINT = 0.1  # seconds until the first hint; the intervals then double


def by_winner(outcome: Outcome, side: Seat) -> float:
    """A win, a draw or a loss."""
    return 0.5 if outcome.winner is None else float(outcome.winner == side)


class _Node:
    """A node of the tree. Its sum is from the view of the player who moved to it."""

    __slots__ = ("children", "move_count", "proved", "sum", "visits")

    def __init__(self) -> None:
        self.visits, self.sum = 0, 0.0
        self.children: dict[str, _Node] = {}  # by the text of the move
        self.move_count = 0  # of legal moves
        self.proved: Outcome | None = None  # the outcome with best play, if it is proved


Path = list[tuple[_Node, Seat | None, Seat | None]]  # nodes, each with who moved to it and who is to move there


def think(
    position: AnyPosition,
    budget: Budget,
    worth: Worth = by_winner,
    sample: Sample | None = None,
    name: Callable[[Any], str] = str,
) -> Iterator[Hint]:
    """Hints for any game. With hidden information `sample` fills it in for each iteration, and `name` maps a move to
    a text that reveals only what the player knows; that text is the hint's move."""
    if position.outcome():
        return
    if not sample and (move := _win_at_once(position, worth)):
        yield Hint(move, 1, (move,), True)
        return
    tree = _Tree(position, worth, sample, name, Random(budget.seed))
    begun = time.monotonic()
    due, rounds = min(FIRST_HINT, budget.seconds), 0
    while tree.root.proved is None:
        tree.iterate()
        rounds += 1
        spent = time.monotonic() - begun
        if budget.stop or spent >= budget.seconds or rounds == budget.work:
            break
        if spent >= due:
            yield tree.hint()
            due *= 2
    yield tree.hint()


def _win_at_once(position: AnyPosition, worth: Worth) -> str | None:
    for move in position.moves():
        outcome = position.play(move).outcome()
        if outcome and position.side_to_move and worth(outcome, position.side_to_move) >= 1:
            return str(move)
    return None


class _Tree:
    def __init__(
        self, position: AnyPosition, worth: Worth, sample: Sample | None, name: Callable[[Any], str], random: Random
    ) -> None:
        self.position, self.worth, self.sample, self.name, self.random = position, worth, sample, name, random
        self.root = _Node()

    def iterate(self) -> None:
        """One iteration: selection, expansion, playout and backpropagation."""
        position = self.sample(self.random) if self.sample else self.position
        node, outcome, known = self.root, self.root.proved, True
        path: Path = [(node, None, position.side_to_move)]
        while known and outcome is None:
            mover = position.side_to_move
            moves = {self.name(move): move for move in position.moves()}
            node.move_count = len(moves)
            text = self._choose(node, moves, mover)
            known = text in node.children
            node = node.children.setdefault(text, _Node())
            position = position.play(moves[text])
            path.append((node, mover, position.side_to_move))
            outcome = node.proved or position.outcome()
            if outcome and not self.sample:
                node.proved = outcome
                self._propagate_proof(path)
        end = outcome or self._playout(position)
        for node, chooser, _ in path:
            node.visits += 1
            node.sum += self.worth(end, chooser) if end and chooser else 0.5

    def _choose(self, node: _Node, moves: dict[str, Any], mover: Seat | None) -> str:
        new = [text for text in moves if text not in node.children]
        if new:
            return self.random.choice(new)
        spread = EXPLORATION * sqrt(log(node.visits + 1))

        def upper_bound(text: str) -> float:
            child = node.children[text]
            if child.proved:
                return -1  # already proved
            return child.sum / child.visits + spread / sqrt(child.visits)

        return max(moves, key=upper_bound)

    def _propagate_proof(self, path: Path) -> None:
        """A node is proved when one of its moves wins, or all of them are proved."""
        for node, _, mover in path[-2::-1]:
            ends = [child.proved for child in node.children.values() if child.proved]
            assert mover is not None  # there was a move
            best = max(ends, key=lambda end: self.worth(end, mover))
            if self.worth(best, mover) < 1 and len(ends) < node.move_count:
                return
            node.proved = best

    def _playout(self, position: AnyPosition) -> Outcome | None:
        for _ in range(MAX_PLAYOUT):
            moves = list(position.moves())
            if not moves:
                return position.outcome()
            position = position.play(self.random.choice(moves))
        return None

    def hint(self) -> Hint:
        mover = self.position.side_to_move
        assert mover is not None
        exact = self.root.proved is not None and len(self.position.players) == 2
        line: list[str] = []
        node, who = self.root, mover
        move, child = max(node.children.items(), key=lambda item: self._rank(item[1], who))
        value = self._rank(child, mover)[1]
        position = self.position
        while not self.sample and node.children:  # with samples the rest of a line may be illegal
            text, node = max(node.children.items(), key=lambda item: self._rank(item[1], who))
            line.append(text)
            position = position.play(next(legal for legal in position.moves() if str(legal) == text))
            who = position.side_to_move or who
        return Hint(move, value, tuple(line) or (move,), exact)

    def _rank(self, node: _Node, chooser: Seat) -> tuple[bool, float, int]:
        """The sort key of a move for the player who chooses it; moves with few visits come last."""
        if node.proved:
            return True, self.worth(node.proved, chooser), node.visits
        trusted = node.visits * 4 >= self.root.visits / max(len(self.root.children), 1)
        return trusted, node.sum / node.visits, node.visits
