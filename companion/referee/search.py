"""Several turns behind one look: all that legal play reaches, looked for from what is seen.

Nothing is played that cannot lead to the goal. Where pieces are put, the new pieces are the moves and only their order
is open: any number of them is looked for. Where pieces move, only those move that are not where they should be, a
few turns deep: that a piece went away and came back is not assumed, since that would explain any illegal step.

A search is a generator, so that a live table can go on with it from look to look: it yields None after each position
that it has looked at, and what it has reached.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from companion.games.position import AnyPosition, Trace
from companion.referee.evidence import Evidence, LookEvidence
from companion.referee.explanations import (
    CLEAR,
    NOTHING,
    Explanation,
    Kind,
    Line,
    Unseen,
    count_turns,
    explanation,
    rarity_of,
)
from companion.referee.goal import Goal, goals, shown
from companion.referee.inquiry import MOST_NODES, Inquiry
from companion.referee.turns import Turn, several_put

# How many turns in which pieces move are looked for, at most; and how many where one may have come back.
MOST_TURNS, MOST_BACK = 6, 4
# How many more are looked for at most where something was in the way, or the camera away: one for each such look.
MOST_MORE = 4
# With more moves than these to choose from, nobody looks for pieces that came back, but where a look that was
# understood is gone into again: then up to so many turns.
FEW_MOVES, MANY_BACK = 24, 3
# Up to so many turns, or as many as usual, pieces that are hardly ever moved are looked for before still more turns.
LIKELY_TURNS = 4
# As many turns as two quick players can make in the time of one; in longer times twice as many as usual.
QUICK = 3
# So many of the last looks tell how many turns are usual.
RECENT = 3
PUT_ONLY = 0  # instead of a number of turns: pieces are only put, in as many turns as it takes


class Reached(NamedTuple):
    """A position that shows what is seen, and moves that lead to it; None: another order of the same moves does too."""

    position: AnyPosition
    moves: Turn | None


class TurnsSearch(Protocol):
    def __call__(
        self, position: AnyPosition, evidence: Evidence, turns: int, thoroughly: bool
    ) -> Generator[Reached | None, None, bool]:
        """All positions that legal play reaches in so many turns (or PUT_ONLY) and that show what is seen.

        Returns whether pieces may have moved: if not, PUT_ONLY has found all there is.

        `thoroughly`: also what is hardly ever so. Pieces that stand where they should may have gone away and come
        back; of cards may show less than could.
        """


@cache
def turns_search(module: str) -> TurnsSearch:
    """`several_turns` of the module that a game names, or the one for all games."""
    return cast(TurnsSearch, getattr(import_module(module), "several_turns", several_turns))


class ReplacedSearch(Protocol):
    def __call__(self, position: AnyPosition, evidence: Evidence, turns: int) -> Iterator[Reached | None]:
        """As `TurnsSearch`, where pieces were replaced by others that look alike: they moved, and nothing shows it."""


@cache
def replaced_search(module: str) -> ReplacedSearch | None:
    """`replaced_turns` of the module that a game names, if pieces can look alike there."""
    return cast("ReplacedSearch | None", getattr(import_module(module), "replaced_turns", None))


def several_turns(
    position: AnyPosition, evidence: Evidence, turns: int, thoroughly: bool
) -> Generator[Reached | None, None, bool]:
    moved = False
    for goal in goals(position, evidence) if turns != PUT_ONLY or not thoroughly else ():
        search = _Search(goal, evidence, thoroughly)
        yield from search.reach(position, turns, (), turns == PUT_ONLY)
        moved = moved or search.moved
    return moved


class _Search:
    """Depth first, remembering what came of the positions that were met."""

    def __init__(self, goal: Goal, evidence: Evidence, back: bool) -> None:
        self.goal, self.evidence, self.back = goal, evidence, back
        self.known: dict[Hashable, set[AnyPosition]] = {}  # what was reached from a position that was met
        self.pawns = frozenset(evidence.look.pawns)
        self.moved = False  # whether a move was met with which a piece moves
        self.open = {name for name, codes in goal.possible.items() if len(codes) > 1}

    def reach(self, position: AnyPosition, left: int, moves: Turn, put_only: bool) -> Iterator[Reached | None]:
        key = (position.future(), left)
        if key in self.known:
            yield from (Reached(end, None) for end in self.known[key])
            return
        ends: set[AnyPosition] = set()
        self.known[key] = ends
        yield None
        shows = shown(position)
        wrong = self.goal.wrong(shows)
        if not wrong and moves and (put_only or not left):
            ends.add(position)
            yield Reached(position, moves)
        goes_on = put_only or left or position.mid_turn
        # One who is in the middle of his turn goes on without another.
        in_time = put_only or self._in_time(shows, wrong, left + position.mid_turn)
        if goes_on and in_time and (wrong or self.open or self.back or position.mid_turn):
            for turn, after in self._turns(position, shows, put_only):
                rest = left - (not put_only and position.is_seen(turn[-1]) and not position.mid_turn)
                for found in self.reach(after, rest, (*moves, *turn), put_only):
                    if found:
                        ends.add(found.position)
                    yield found

    def _in_time(self, shows: dict[str, str], wrong: list[str], left: int) -> bool:
        """Whether so many turns can put right what is wrong: in each of them one piece leaves, and arrives."""
        if len(wrong) <= left:
            return True
        if not self.pawns.isdisjoint(shows):  # a pawn may turn up several tiles in one turn
            return sum([1 for name in wrong if name in self.pawns]) <= left
        leave = sum([1 for name in wrong if name in shows and not self.goal.bare.isdisjoint(self.goal.possible[name])])
        laid = sum([1 for name in wrong if name not in shows])
        return max(leave, len(wrong) - leave - laid, (laid + 2) // 3) <= left

    def _turns(
        self, position: AnyPosition, shows: dict[str, str], put_only: bool
    ) -> Iterator[tuple[Turn, AnyPosition]]:
        """The legal moves that may lead to the goal, each with the position after it."""
        if position.puts_freely:
            for turn in several_put(position, self.evidence):
                after = position
                for move in turn:
                    after = after.play(move)
                yield turn, after
            return
        goal = self.goal
        pawns = {shows[name]: name for name in self.pawns if name in shows}
        for move in position.moves():
            if not position.is_seen(move):
                yield (move,), position.play(move)
                continue
            trace = position.trace(move)
            self.moved = self.moved or bool(trace.start)
            if (put_only and trace.start) or not self._may_lie(trace, shows):
                continue
            name = pawns.get(trace.start[0], trace.start[0]) if trace.start else ""
            stays = bool(name) and not self.back and not position.mid_turn and shows[name] in goal.likely[name]
            if stays and not pawns:
                continue
            after = position.play(move)
            if stays and not after.mid_turn:  # only where its player goes on in the same turn it may be back already
                continue
            changed = trace.laid if trace.start else (*trace.laid, *trace.to)
            if changed and not pawns:
                codes = shown(after)
                if not all(goal.may_become(square, codes[square]) for square in changed):
                    continue
            yield (move,), after

    def _may_lie(self, trace: Trace, shows: dict[str, str]) -> bool:
        """Whether what a move lays, puts or turns up may lie there in the end, as far as its trace tells."""
        if trace.laid:
            return all(square in self.goal.possible for square in trace.laid)
        if trace.start:  # a tile that a pawn turns up is called what it shows
            return all(piece.name in self.goal.possible[square] for square in trace.to for piece in trace.pieces)
        return all(self._may_change(square, shows[square]) for square in trace.to)

    def _may_change(self, square: str, code: str) -> bool:
        codes = self.goal.possible.get(square)
        return codes is not None and codes != {code}


def has_few_moves(position: AnyPosition) -> bool:
    """Whether there is so little to choose from that a piece easily comes back to where it was."""
    return len({position.without_secret(move) for move in position.moves()}) <= FEW_MOVES


def usual_turns(lines: Iterable[Line]) -> int:
    """How many turns there were at most between two of the last looks, as far as it is known."""
    return max([max(line.paces[-RECENT:], default=0) for line in lines if line.rarity < CLEAR], default=0)


class Found(NamedTuple):
    """A line that shows what is seen, of those that go on alike the first that was found."""

    line: Line
    turns: int
    returning: bool  # pieces went away and came back
    ways: int = 1  # in how many ways it was reached; all go on alike


class Search(Inquiry):
    """What legal play may have done since a look that was understood."""

    def __init__(
        self,
        lines: Sequence[Line],
        evidence: LookEvidence,
        unseen: Unseen = NOTHING,
        all_depths: bool = False,
        most: int = MOST_NODES,
    ) -> None:
        """`unseen`: what may have gone unseen since then. `most`: positions that are looked at before it is given up.

        `all_depths`: what explains the look in few turns does not keep from looking for more of them, nor for pieces
        that came back.
        """
        self.lines, self.evidence, self.unseen, self.all_depths = tuple(lines), evidence, unseen, all_depths
        # So many turns have been usual: that fewer explain a look as well means little then.
        self.usual = MOST_BACK if all_depths else usual_turns(lines)
        self.found: dict[Hashable, Found] = {}
        self.is_enough = False  # what was found is less rare than anything that may still be found
        self.is_put_only = False  # no piece can have moved, so that any number of turns has been looked through
        self.is_unsettled = False  # what is left open explains the look, but no line was found that says how
        self.is_excused = False  # legal play explains the look by some detour that nobody would believe
        self._goes_further = False
        self._view = evidence  # the look, as the search at hand takes it
        super().__init__(most)

    def is_about(self, lines: Sequence[Line], evidence: LookEvidence, unseen: Unseen) -> bool:
        """Whether this is the search for what a look at a game that went as these lines asks for."""
        if self.lines != tuple(lines) or self.unseen.turns != unseen.turns:
            return False
        if self.evidence.allowed == evidence.allowed:
            return True
        # What is found for a look that leaves more open holds for one that leaves less, unless it ended the search.
        return evidence.narrows(self.evidence) and self._explained == self._explains(evidence)

    def go_further(self) -> None:
        """From now on look for anything at all that legal play reaches, once nothing else explains the look: pieces may
        go away and come back in any game, in as many turns as are ever looked for."""
        if self.is_through and not self._goes_further:
            self._goes_further, self.is_through = True, False
            self._steps, self.nodes = self._detours(), 0

    @property
    def has_enough(self) -> bool:
        """Whether nothing that is still to be found would change the verdict, or it will not be looked for."""
        return self.gives_up or self.is_enough

    def _run(self) -> Iterator[None]:
        moved = yield from self._depth(PUT_ONLY, False)
        if not moved:
            self.is_put_only = True
            if not self._explained:
                yield from self._depth(PUT_ONLY, True)
            return
        most, sharp = self._most, self.evidence.sharp()
        if sharp.allowed != self.evidence.allowed:
            # What is seen with doubt may be nearly anything: first what explains it well, then what hardly does.
            self._view = sharp
            yield from self._by_depth(most)
            self._view = self.evidence
            most = min(most, LIKELY_TURNS) if self._explained else most
        yield from self._by_depth(most)

    def _by_depth(self, most: int) -> Iterator[None]:
        few = all(has_few_moves(line.position) for line in self.lines)
        most_back = max(MOST_BACK, 1 + self.unseen.room) if few else MANY_BACK if self.all_depths else 0
        if few and not self.usual:  # nobody knows how many turns lie between two looks
            self.usual = MOST_BACK
        enough = max(self.usual, 1 + self.unseen.room) if few else self.usual
        likely, found = min(max(LIKELY_TURNS, self.usual), most), 0
        for turns in range(1, most + 1):
            self.is_enough = bool(found) and turns > found + 1
            yield from self._depth(turns, False)
            # One turn after which all stands as before is looked for where there was time for it.
            least_back = 1 if self.all_depths else 2
            if least_back <= turns <= most_back and (turns <= enough or few or not self._explained):
                yield from self._depth(turns, True)
            if self._explained and not found:
                found = turns
                # More turns may turn out to have been made, so that somebody else is to move. Where there are few moves
                # to choose from, that is likely in any case.
                if few:
                    enough = max(enough, turns) + 1
                elif self.unseen.room:
                    enough = max(enough, min(1 + self.unseen.room, turns + len(self.lines[0].position.seats) - 1))
            if found and turns >= enough:
                return
            if turns == likely and not few:
                # What is hardly ever so in few turns is likelier than what is usual in many.
                yield from self._replaced(likely)
                if self._explained:
                    return

    def _replaced(self, most: int) -> Iterator[None]:
        for turns in range(2, most + 1):
            for position, alike in self._going_on_alike:
                if search := replaced_search(alike[0].game.inference):
                    found = _as_search(search(position, self._view, turns))
                    yield from self._collect(position, alike, turns, False, found)

    @property
    def _most(self) -> int:
        """How many turns are looked for at most: no more than there can have been time for."""
        most = MOST_TURNS + min(self.unseen.turns, MOST_MORE)
        return min(most, QUICK + 2 * self.unseen.room) if self.unseen.is_timed else most

    def _detours(self) -> Iterator[None]:
        most = 1 + self.unseen.room if self.unseen.is_timed else self._most
        for turns in range(2, most + 1):
            for line in self.lines:
                for reached in turns_search(line.game.inference)(line.position, self.evidence, turns, True):
                    if reached and self.evidence.shows(reached.position.visible()):
                        self.is_excused = True
                        return
                    yield

    def _depth(self, turns: int, thoroughly: bool) -> Generator[None, None, bool]:
        moved = False
        for position, alike in self._going_on_alike:
            search = turns_search(alike[0].game.inference)(position, self._view, turns, thoroughly)
            moved = (yield from self._collect(position, alike, turns, thoroughly, search)) or moved
        return moved

    @cached_property
    def _going_on_alike(self) -> list[tuple[AnyPosition, list[Line]]]:
        """The lines from which the same turns are possible, by how they stand."""
        groups: dict[Hashable, tuple[AnyPosition, list[Line]]] = {}
        for line in self.lines:
            position = line.left_open
            groups.setdefault((position.future(), position.outcome() is None), (position, []))[1].append(line)
        return list(groups.values())

    def _collect(
        self,
        position: AnyPosition,
        alike: Sequence[Line],
        depth: int,
        thoroughly: bool,
        search: Generator[Reached | None, None, bool],
    ) -> Generator[None, None, bool]:
        while True:
            try:
                reached = next(search)
            except StopIteration as stop:
                return bool(stop.value)
            if reached is None:
                yield
                continue
            key = (reached.position.future(), depth)
            if key in self.found:
                self.found[key] = self.found[key]._replace(ways=self.found[key].ways + 1)
            if reached.moves is not None:
                made = count_turns(position, reached.moves)
                for line in alike:
                    self.is_unsettled |= (
                        self.evidence.shows(reached.position.visible()) and line.gone_on(reached.moves) is None
                    )
                    self._add(key, line, reached.moves, made, thoroughly and depth > 0)

    def _add(self, key: Hashable, line: Line, moves: Turn, turns: int, returning: bool) -> None:
        """A line that goes on with these moves, unless one is known that goes on alike and is less rare."""
        known = self.found.get(key)
        rarity = line.rarity + rarity_of(turns, line.paces, self.unseen)
        if known and rarity >= known.line.rarity:
            return
        after = line.gone_on(moves)
        if after and all(position.outcome() is None for position in after.positions[len(line.positions) : -1]):
            after = after.seen_after(self.unseen.beyond(turns), rarity, self.evidence)
            self.found[key] = Found(after, turns, returning, known.ways if known else 1)

    @property
    def _explained(self) -> bool:
        return self._explains(self.evidence)

    def _explains(self, evidence: LookEvidence) -> bool:
        """Whether any of what was found explains a look."""
        return any(evidence.shows(found.line.position.visible()) for found in self.found.values())

    def explanations(self, evidence: LookEvidence) -> list[Explanation]:
        """What was found, joined where it looks alike."""
        by_picture: dict[str, list[Found]] = {}
        for found in self.found.values():
            by_picture.setdefault(repr(found.line.position.visible()), []).append(found)
        return [self._joined(alike, evidence) for alike in by_picture.values()]

    def _joined(self, alike: list[Found], evidence: LookEvidence) -> Explanation:
        made = explanation(Kind.MOVES, evidence, [found.line for found in alike])
        first = next(found for found in alike if found.line is made.lines[0])
        return made._replace(order_open=first.ways > 1, turns=first.turns, returning=first.returning)


def _as_search(found: Iterator[Reached | None]) -> Generator[Reached | None, None, bool]:
    yield from found
    return True
