"""The pure way: a search over `companion.games` itself, for any game, where the compiled core is not there.

A tree grown by bandits (UCT) with random games at its leaves. What is decided in the tree is carried up to its root,
so it is never wrong about what it calls exact. Weak beside the compiled searches: a Python game is slow to play.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import log, sqrt
from random import Random
from typing import Any

from companion.games.position import AnyPosition, Outcome, Seat
from companion.solvers.hint import Budget, Hint

Worth = Callable[[Outcome, Seat], float]  # what an outcome is worth to one of the sides, 0 … 1
Sample = Callable[[Random], AnyPosition]  # the position with what nobody sees filled in by chance
BOLDNESS = 0.7  # how much the tree tries what it knows little of
LONGEST = 120  # moves of a random game; longer ones count as drawn
FIRST = 0.1  # seconds until the first hint; then each time they have doubled


def by_winner(outcome: Outcome, side: Seat) -> float:
    """A win, a draw or a loss."""
    return 0.5 if outcome.winner is None else float(outcome.winner == side)


class _Node:
    """What has been tried after a series of moves. Sums are for the player who chose to come here."""

    __slots__ = ("breadth", "children", "decided", "sum", "visits")

    def __init__(self) -> None:
        self.visits, self.sum = 0, 0.0
        self.children: dict[str, _Node] = {}  # by the text of the move
        self.breadth = 0  # how many moves there are
        self.decided: Outcome | None = None  # how it ends, if all play their best


Path = list[tuple[_Node, Seat | None, Seat | None]]  # each with who chose to come there and who moves there


def think(
    position: AnyPosition,
    budget: Budget,
    worth: Worth = by_winner,
    sample: Sample | None = None,
    name: Callable[[Any], str] = str,
) -> Iterator[Hint]:
    """Hints for any game. Where something is hidden, `sample` fills it in by chance for each round, and `name` gives a
    move a name that tells only what the player knows: the hint's move is that name."""
    if position.outcome():
        return
    if not sample and (move := _win_at_once(position, worth)):
        yield Hint(move, 1, (move,), True)
        return
    tree = _Tree(position, worth, sample, name, Random(budget.seed))
    begun = time.monotonic()
    due, rounds = min(FIRST, budget.seconds), 0
    while tree.root.decided is None:
        tree.grow()
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

    def grow(self) -> None:
        """One round: down the tree, one step beyond it, a random game to its end, and the result back up."""
        position = self.sample(self.random) if self.sample else self.position
        node, outcome, known = self.root, self.root.decided, True
        path: Path = [(node, None, position.side_to_move)]
        while known and outcome is None:
            mover = position.side_to_move
            moves = {self.name(move): move for move in position.moves()}
            node.breadth = len(moves)
            text = self._choose(node, moves, mover)
            known = text in node.children
            node = node.children.setdefault(text, _Node())
            position = position.play(moves[text])
            path.append((node, mover, position.side_to_move))
            outcome = node.decided or position.outcome()
            if outcome and not self.sample:
                node.decided = outcome
                self._carry_up(path)
        end = outcome or self._random_game(position)
        for node, chooser, _ in path:
            node.visits += 1
            node.sum += self.worth(end, chooser) if end and chooser else 0.5

    def _choose(self, node: _Node, moves: dict[str, Any], mover: Seat | None) -> str:
        new = [text for text in moves if text not in node.children]
        if new:
            return self.random.choice(new)
        spread = BOLDNESS * sqrt(log(node.visits + 1))

        def promise(text: str) -> float:
            child = node.children[text]
            if child.decided:
                return -1  # nothing to be learnt there
            return child.sum / child.visits + spread / sqrt(child.visits)

        return max(moves, key=promise)

    def _carry_up(self, path: Path) -> None:
        """A node is decided when one of its moves wins, or all of them are decided."""
        for node, _, mover in path[-2::-1]:
            ends = [child.decided for child in node.children.values() if child.decided]
            assert mover is not None  # there was a move
            best = max(ends, key=lambda end: self.worth(end, mover))
            if self.worth(best, mover) < 1 and len(ends) < node.breadth:
                return
            node.decided = best

    def _random_game(self, position: AnyPosition) -> Outcome | None:
        for _ in range(LONGEST):
            moves = list(position.moves())
            if not moves:
                return position.outcome()
            position = position.play(self.random.choice(moves))
        return None

    def hint(self) -> Hint:
        mover = self.position.side_to_move
        assert mover is not None
        exact = self.root.decided is not None and len(self.position.players) == 2
        line: list[str] = []
        node, who = self.root, mover
        move, child = max(node.children.items(), key=lambda item: self._standing(item[1], who))
        value = self._standing(child, mover)[1]
        position = self.position
        while not self.sample and node.children:  # sampled, the rest of a line may not be playable
            text, node = max(node.children.items(), key=lambda item: self._standing(item[1], who))
            line.append(text)
            position = position.play(next(legal for legal in position.moves() if str(legal) == text))
            who = position.side_to_move or who
        return Hint(move, value, tuple(line) or (move,), exact)

    def _standing(self, node: _Node, chooser: Seat) -> tuple[bool, float, int]:
        """How good a move looks to who chooses it; one tried too little is not trusted."""
        if node.decided:
            return True, self.worth(node.decided, chooser), node.visits
        trusted = node.visits * 4 >= self.root.visits / max(len(self.root.children), 1)
        return trusted, node.sum / node.visits, node.visits
