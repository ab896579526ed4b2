"""The referee: what was seen becomes the move that explains it, or the reason why none does.

A look gives likelihoods, never guesses. The position that stands, every turn that legal play allows from it, and
turns half made compete to explain the look; against them all stands the free reading, each square's best code on
its own. A clear winner is the verdict. What a picture cannot decide stays open: the referee then follows several
lines of play that look alike, until a later look or a person settles which it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from companion.games.position import BadInput, Player, Position, Reason, Visible
from companion.record import Record, Replay, Stood
from vision.fields import Floats
from vision.look import Look

Move = Any

# Costs are natural logarithms: how much less likely than the best reading. Priors say how much rarer.
SILENT = 1e-4  # how often a reader is wrong and sure of it; no square costs more than this
PRIOR = {"same": 0.0, "move": 1.0, "partial": 2.0, "moves": 4.0, "back": 4.0}
LEGAL, ILLEGAL = 1.5, 3.5  # how much worse than the free reading an explanation may be, and when none is one
LEAD = 3.0  # over all that looks otherwise, which a verdict needs
CLEAR = 2.5  # the same between what looks alike
ANOTHER = 5.0  # what each move more costs between lines that look alike
NOISE = (0.0025, 0.008)  # cells by which marks seem to be elsewhere than they are, at least and at most
PILE, LIFT = 0.08, 0.015  # cells by which a piece may lie high, and one part of it higher than another
ASKEW = (0.03, 0.03, 0.03)  # how far pieces lie askew: east, north (cells) and turned (radians)
OVERLOOKED = 0.05  # how often a clear pawn is not seen where it stands
PLAUSIBLE = 5.0  # a code that costs more is ruled out when turns are looked for
OTHER_ROW = 20.0  # a row of planks of another length
BEAM, OPEN, BACK = 24, 24, 8  # first turns gone on from; lines kept open; positions that may be gone back to
ONE_SQUARE = 10.0  # more than a single square can cost
DEEPEST, BEYOND = 4, 12.0  # turns that are looked for at once; how much worse than the best one may be gone on from


class Wrong(NamedTuple):
    """A square that is not as it should be."""

    square: str
    should: str
    seen: str


class Verdict(NamedTuple):
    kind: str  # same, move, partial, illegal, unsure, hand
    moves: tuple[str, ...] = ()  # new ones, unseen draws and discards included
    reason: Reason | None = None  # why illegal
    code: str = ""  # why unsure, or what else there is to say; a code of the message catalogues
    wrong: tuple[Wrong, ...] = ()  # what to put right
    back: int = 0  # so many moves were taken back before `moves` were made: to be agreed by a person
    settled: int = 0  # so many of the moves told before are replaced by `moves`: the camera knows better now
    open: tuple[tuple[str, ...], ...] = ()  # other moves that explain the looks as well


class Line(NamedTuple):
    """One way in which the game may have gone."""

    moves: tuple[Move | None, ...]  # None: an illegal step that stood
    positions: tuple[Position[Any], ...]  # one more than moves
    twins: tuple[str, ...] = ()  # other ways to write the last move, which no look can ever tell from it

    @property
    def position(self) -> Position[Any]:
        return self.positions[-1]

    def then(self, moves: Iterable[Move]) -> Line:
        line = self
        for move in moves:
            line = Line((*line.moves, move), (*line.positions, line.position.play(move)))
        return line

    def with_twin(self, other: Line) -> Line:
        """Two routes of one die may leave it the same: then the one told is as good as the other."""
        if len(self.moves) != len(other.moves) or self.moves[:-1] != other.moves[:-1]:
            return self
        return self._replace(twins=(*self.twins, str(other.moves[-1])))

    def before(self, count: int) -> Line:
        left = len(self.moves) - count
        return Line(self.moves[:left], self.positions[: left + 1])

    def texts(self) -> tuple[str, ...]:
        return tuple("stood" if move is None else str(move) for move in self.moves)

    def seen(self) -> Counter[str]:
        """The moves that a camera can see, in any order."""
        pairs = zip(self.moves, self.positions, strict=False)
        return Counter(str(move) for move, position in pairs if move is not None and position.is_seen(move))


def line_of(record: Record, played: Replay) -> Line:
    """The line of a legal record, to go on from."""
    moves = [None if isinstance(entry, Stood) else record.game.read(entry) for entry in record.moves]
    return Line(tuple(moves), tuple(played.positions))


class Sight:
    """The evidence of one look, or of several at the same board: what each code costs on each square."""

    def __init__(self, look: Look, can_show: Callable[[str], bool] = lambda code: True) -> None:
        """`can_show`: which codes there are in this game at all."""
        hidden = look.hidden[:, None]
        possible = np.array([can_show(code) for code in look.codes])
        shown = look.likelihood * possible
        shown = shown / np.maximum(shown.sum(axis=1, keepdims=True), 1e-12)
        likely = (1 - hidden) * shown + hidden / max(len(look.codes), 1)
        self.look = look
        self.reading = cast(Visible, look.visible())
        if not possible[look.likelihood.argmax(axis=1)].all():
            self.reading = _picture_of(look, [look.codes[n] for n in shown.argmax(axis=1)])
        self.codes = {code: n for n, code in enumerate(look.codes)}
        self.log = np.log(likely * (1 - SILENT) + SILENT * likely.max(axis=1, keepdims=True, initial=0))
        self.pawns = {name: np.log(_perhaps_overlooked(share)) for name, share in look.pawns.items()}
        self._wholes: dict[tuple[str, ...], float] = {}
        self.noise = NOISE[0]
        self._count()

    def _count(self) -> None:
        best = self.log.max(axis=1, keepdims=True, initial=-np.inf)
        self.plain: list[list[float]] = (best - self.log).tolist()
        self.costs = [list(costs) for costs in self.plain]
        self.plain_pawns: dict[str, list[float]] = {
            name: (log.max() - log).tolist() for name, log in self.pawns.items()
        }
        self.pawn_costs = {name: list(costs) for name, costs in self.plain_pawns.items()}
        self.free = self.cost(self.reading)

    def add(self, other: Sight) -> None:
        """More evidence of the same board."""
        self.look, self.reading, self._wholes = other.look, other.reading, {}
        self.log = self.log + other.log
        self.pawns = {name: log + other.pawns[name] for name, log in self.pawns.items()}
        self._count()

    def agrees(self, other: Sight) -> bool:
        """Whether no square that either is sure of has changed between the two."""
        if self.look.squares != other.look.squares:
            return False
        together = np.array(self.plain) + np.array(other.plain)
        return not np.any(together.min(axis=1, initial=np.inf) > 2 * CLEAR)

    def excuse(self, known: Visible, before: Sight) -> None:
        """A square that was misread when its code was known, and reads the same again, tells nothing new."""
        if self.look.squares != before.look.squares:
            return
        for n, name in enumerate(self._cells(known) or ()):
            code = self.codes[name]
            if before.plain[n][code] > 0.5 and self.plain[n][before.plain[n].index(0.0)] == 0.0:
                self.costs[n][code] = max(0.0, self.plain[n][code] - before.plain[n][code])
        for name, square in known.get("pawns", {}).items():
            k, then, now = self.look.squares.index(square), before.plain_pawns[name], self.plain_pawns[name]
            if then[-1] == now[-1] == 0.0:
                self.pawn_costs[name][k] = max(0.0, now[k] - then[k])

    @cached_property
    def may(self) -> Mapping[str, frozenset[str]]:
        if self.look.field == "planks":
            return {}
        names = self.look.codes
        return {
            square: frozenset(names[k] for k, cost in enumerate(costs) if cost < PLAUSIBLE)
            for square, costs in zip(self.look.squares, self.costs, strict=True)
        }

    def whole(self, squares: tuple[str, ...]) -> float:
        """A piece lies askew as a whole: one shift and one turn explain where all its squares' marks lie."""
        if squares not in self._wholes:
            self._wholes[squares] = self._one_piece(squares) if len(self.look.askew) else 0.0
        return self._wholes[squares]

    def arrangement(self, wholes: list[tuple[str, ...]]) -> float:
        """What it costs if the pieces that show are these, and every other mark is on a piece of its own."""
        if not len(self.look.askew):
            return 0.0
        joined = {square for squares in wholes for square in squares}
        alone = [
            (s,) for s, (_, _, spread, _, _) in zip(self.look.squares, self.look.askew, strict=True) if spread < np.inf
        ]
        return sum(map(self.whole, wholes)) + sum(self.whole(one) for one in alone if one[0] not in joined)

    def _shifts(self, squares: tuple[str, ...]) -> tuple[list[int], Floats]:
        """The squares whose marks are seen, and how their marks move with a shift and a turn of the whole piece."""
        at = [self.look.squares.index(square) for square in squares]
        at = [n for n in at if np.isfinite(self.look.askew[n, 2])]
        if not at:
            return [], np.zeros((0, 3))
        places = np.array([(ord(self.look.squares[n][0]), int(self.look.squares[n][1:])) for n in at], dtype=float)
        x, y = (places - places.mean(axis=0)).T
        one, none = np.ones_like(x), np.zeros_like(x)
        return at, np.concatenate([np.column_stack([one, none, -y]), np.column_stack([none, one, x])])

    def learn_noise(self, wholes: list[tuple[str, ...]]) -> None:
        """How well marks are seen here, by pieces that were known before; most of them lie as they lay."""
        rests = []
        for squares in wholes if len(self.look.askew) else ():
            at, shifts = self._shifts(squares)
            if len(at) >= 4:
                off = self.look.askew[at, :2].T.ravel()
                east, north = np.split(off - shifts @ np.linalg.lstsq(shifts, off, rcond=None)[0], 2)
                lean = self.look.askew[at, 3:]
                # across the way in which what lies higher seems to be moved
                rest = (east * lean[:, 1] - north * lean[:, 0]) / np.linalg.norm(lean, axis=1)
                rests.append(float(np.sqrt(rest @ rest / (len(at) - 1.5))))
        if len(rests) > 1:
            self.noise = float(np.clip(1.2 * sorted(rests)[(len(rests) - 1) // 2], *NOISE))
            self._wholes.clear()

    def breaks(self, wholes: list[tuple[str, ...]]) -> bool:
        """Whether one of these pieces does not lie as one."""
        return any(self.whole(squares) > sum(self.whole((s,)) for s in squares) + ANOTHER for squares in wholes)

    def _one_piece(self, squares: tuple[str, ...]) -> float:
        at, shifts = self._shifts(squares)
        if not at:
            return 0.0
        off = self.look.askew[at, :2].T.ravel()
        spread = np.tile(np.maximum(self.look.askew[at, 2], self.noise) ** 2, 2)
        covariance = np.diag(spread) + shifts @ np.diag(ASKEW) ** 2 @ shifts.T
        # what lies on a pile seems to lie further away, all of it, and a part that lies on another's edge a bit more
        lean = self.look.askew[at, 3:].T.ravel()
        lifts = np.diag(np.full(len(at), LIFT**2)) + PILE**2
        covariance += np.outer(lean, lean) * np.tile(lifts, (2, 2))
        return float(0.5 * off @ np.linalg.solve(covariance, off) + 0.5 * np.linalg.slogdet(2 * np.pi * covariance)[1])

    def _cells(self, picture: Visible) -> list[str] | None:
        """A picture's codes in the order of the look's squares; None for a row of planks of another length."""
        if "planks" not in picture:
            return [code for row in reversed(picture["rows"]) for code in row]
        cells = [c + t for p in picture["planks"] for c, t in zip(p["colors"], p["tokens"], strict=True)]
        return cells if len(cells) == len(self.costs) else None

    def cost(self, picture: Visible) -> float:
        """How much worse than the best reading of each square a picture explains what is seen."""
        cells = self._cells(picture)
        if cells is None:
            return OTHER_ROW
        codes = self.codes
        total = sum([costs[codes[code]] for costs, code in zip(self.costs, cells, strict=True)])
        if "pawns" in picture:
            for name, at in self.pawn_costs.items():
                square = picture["pawns"].get(name)
                n = self.look.squares.index(square) if square else -1
                total += at[n]
                if square and cells[n].startswith(("start", "finish")):  # a tinted pawn makes an outline a disc
                    total -= max(0.0, self.costs[n][codes[cells[n]]] - 1.0)
        return float(total)

    def against(self, picture: Visible) -> tuple[Wrong, ...]:
        """The squares on which what is seen is not what a picture shows."""
        seen, should, now = self.reading, self._cells(picture), self._cells(self.reading)
        if should is None or now is None:
            return ()
        wrong = [Wrong(s, a, b) for s, a, b in zip(self.look.squares, should, now, strict=True) if a != b]
        if "pawns" in picture:
            places = [(name, picture["pawns"].get(name, ""), seen["pawns"].get(name, "")) for name in self.pawn_costs]
            wrong += [Wrong(*place) for place in places if place[1] != place[2]]
        return tuple(wrong)


def _perhaps_overlooked(share: Floats) -> Floats:
    """A clear pawn that is nowhere to be seen may stand anywhere all the same; one that is seen elsewhere may not."""
    anywhere = share.copy()
    anywhere[:-1] += OVERLOOKED * share[-1]
    return np.asarray(anywhere * (1 - SILENT) + SILENT * anywhere.max())


def _picture_of(look: Look, codes: list[str]) -> Visible:
    """A picture with these codes on the look's squares."""
    if look.field == "planks":
        planks = [codes[n : n + 3] for n in range(0, len(codes), 3)]
        return {"planks": [{"colors": "".join(c[0] for c in p), "tokens": [c[1:] for c in p]} for p in planks]}
    wide = len(look.visible()["rows"][0])
    rows = [codes[n : n + wide] for n in range(0, len(codes), wide)]
    return cast(Visible, {**look.visible(), "rows": rows[::-1]})


class Explained(NamedTuple):
    kind: str  # a key of PRIOR
    cost: float  # with its prior
    picture: Visible
    lines: tuple[Line, ...] = ()  # the best first, those as good as it after it
    askew: float = 0.0  # how badly the pieces lie as the first line has them
    back: int = 0


class Referee:
    """Follows one game. `see` judges a look; persons decide with `play`, `stand`, `take_back` and `settle`."""

    def __init__(self, line: Line) -> None:
        self.lines = [line]
        self.told = len(line.moves)  # so many moves of the first line have been told
        self._doubt: Sight | None = None  # evidence that did not suffice yet
        self._known: Sight | None = None  # the last look that was understood
        self._missed = 0  # looks since then at which a turn may have gone unseen

    @property
    def line(self) -> Line:
        return self.lines[0]

    @property
    def position(self) -> Position[Any]:
        return self.line.position

    # --- what persons decide

    def play(self, moves: Iterable[Move]) -> None:
        """Moves that a person says were made."""
        self._decided(self.line.then(moves))

    def stand(self, seen: Visible, to_move: Player) -> None:
        """An illegal step stood: play goes on from what was seen."""
        moves, positions, _ = self.line
        self._decided(Line((*moves, None), (*positions, self.position.stand(seen, to_move))))

    def take_back(self, count: int) -> None:
        self._decided(self.line.before(count))

    def choices(self) -> dict[str, tuple[str, ...]]:
        """Where several lines are open: what they differ in, as a text, and all their moves."""
        lines = [line.texts() for line in self.lines]
        same = 0
        while all(len(line) > same and line[same] == lines[0][same] for line in lines):
            same += 1
        return {", ".join(line[same:]): line for line in lines} if len(lines) > 1 else {}

    def settle(self, moves: Sequence[str]) -> Verdict:
        """A person says which of the open lines it was, by all its moves."""
        before = self.line
        self.lines = [line for line in self.lines if line.texts() == tuple(moves)] or self.lines
        return self._tell(before)

    def _decided(self, line: Line) -> None:
        self.lines, self.told = [line], len(line.moves)
        self._doubt = self._known = None

    # --- what the camera sees

    def see(self, look: Look, past_hands: bool = False) -> Verdict:
        """Judge a look. `past_hands`: what seems to be in the way has not moved for so long that it is no hand; what
        it hides stays hidden."""
        if look.hand and not past_hands:
            self._missed += 1
            return Verdict("hand", code="hand")
        sight = Sight(look, self.position.can_show)
        if self._doubt and self._doubt.agrees(sight):
            self._doubt.add(sight)
            sight = self._doubt
        if self._known:
            sight.excuse(self.position.visible(), self._known)
        sight.learn_noise(self.position.wholes())
        verdict = self._judge(sight)
        self._doubt = sight if verdict.kind == "unsure" else None
        if verdict.kind in ("same", "move"):
            self._known, self._missed = sight, 0
        elif verdict.kind == "unsure":
            self._missed += 1
        return verdict

    def _judge(self, sight: Sight) -> Verdict:
        found = self._explanations(sight)
        best = self._lying_better(found)
        rivals = [other.cost for other in found if other.picture != best.picture]
        short = best.cost - PRIOR[best.kind] - sight.free  # of the free reading
        lead = min(rivals, default=np.inf) - best.cost
        if short <= LEGAL and lead >= LEAD:
            return self._accept(best, sight)
        wrong = sight.against(self.position.visible())
        if not self._known and best.kind == "same" and short < ONE_SQUARE:
            # The game stands as persons say: a square that reads otherwise from the first look on is looked at with
            # doubt, and does not keep the game from going on.
            self._known = sight
            return Verdict("unsure", code="faint", wrong=wrong)
        if short < ONE_SQUARE and lead >= LEAD and self._misread(sight):
            return self._accept(best, sight)
        if short >= ILLEGAL and self._missed >= DEEPEST:
            return Verdict("unsure", code="missed", wrong=wrong)
        if short >= ILLEGAL:
            return Verdict("illegal", (), self._blame(sight), "illegal", wrong)
        return Verdict("unsure", code="hidden" if np.any(sight.look.hidden > 0.5) else "faint", wrong=wrong)

    def _misread(self, sight: Sight) -> bool:
        """Whether there are more pieces of a kind in the free reading than in the kit: then it is wrong somewhere."""
        try:
            self.position.stand(sight.reading, self.position.seats[0])
        except BadInput as bad:
            return bad.code in ("too-many", "too-many-tokens", "too-many-planks", "too-many-dice", "tile-twice")
        return False

    def _lying_better(self, found: list[Explained]) -> Explained:
        """The best explanation; of two that look alike the rarer one only where the pieces clearly lie so."""
        best = found[0]
        for other in found[1:]:
            if other.picture == best.picture and other.askew + CLEAR + ANOTHER < best.askew:
                best = other
        return best

    def _explanations(self, sight: Sight) -> list[Explained]:
        """All that may explain a look, the best first. What is rarer is gone into only where the rest falls short."""
        found = [self._explained("same", sight, self.lines), *self._turns(sight, self.lines, "move")]
        best = min(found, key=lambda explained: explained.cost)
        if best.cost - sight.free > CLEAR or sight.breaks(best.lines[0].position.wholes()):
            found += [*self._half_turns(sight), *self._several_turns(sight, found), *self._gone_back(sight)]
        return sorted(found, key=lambda explained: explained.cost)

    def _turns(self, sight: Sight, lines: Iterable[Line], kind: str) -> list[Explained]:
        """The turns from these lines, joined where they look alike."""
        joined: dict[str, list[Line]] = {}
        for line in lines:
            for moves in line.position.plays(sight):
                after = line.then(moves)
                alike = joined.setdefault(repr(after.position.visible()), [])
                same = next((n for n, other in enumerate(alike) if other.position == after.position), None)
                if same is not None:
                    alike[same] = alike[same].with_twin(after)
                elif len(alike) < OPEN:
                    alike.append(after)
        return [self._explained(kind, sight, alike) for alike in joined.values()]

    def _explained(self, kind: str, sight: Sight, alike: Sequence[Line], back: int = 0) -> Explained:
        """Lines that look alike, those whose pieces lie as they are seen to lie first, the others left out."""
        picture = alike[0].position.visible()
        askew = [sight.arrangement(line.position.wholes()) for line in alike]
        costs = [cost + ANOTHER * line.seen().total() for cost, line in zip(askew, alike, strict=True)]
        order = sorted(range(len(alike)), key=costs.__getitem__)
        lines = tuple(alike[n] for n in order if costs[n] - costs[order[0]] < CLEAR)
        return Explained(kind, PRIOR[kind] + sight.cost(picture), picture, lines, askew[order[0]], back)

    def _several_turns(self, sight: Sight, found: list[Explained]) -> list[Explained]:
        """A turn was missed, or more of them: go on from the turns that explain part of what is seen."""
        limit, last = found[0].cost + PRIOR["move"], [e for e in found if e.kind == "move"]
        several: list[Explained] = []
        for _ in range(min(max(self._missed, 1), DEEPEST - 1)):
            first = sorted((e for e in last if e.cost <= limit), key=lambda e: e.cost)[:BEAM]
            last = self._turns(sight, [line for e in first for line in e.lines], "moves")
            several += last
            limit = min((e.cost for e in last), default=limit) + BEYOND
            if any(e.cost - PRIOR["moves"] - sight.free <= LEGAL for e in last):
                break
        return several

    def _half_turns(self, sight: Sight) -> list[Explained]:
        pictures: dict[str, Visible] = {}
        for line in self.lines:
            for move in line.position.moves():
                pictures.update((repr(picture), picture) for picture in line.position.steps(move))
        return [Explained("partial", PRIOR["partial"] + sight.cost(p), p) for p in pictures.values()]

    def _gone_back(self, sight: Sight) -> list[Explained]:
        """An earlier position, or the last turn made otherwise."""
        found: list[Explained] = []
        shown = self.position.visible()
        for count in range(1, min(BACK, len(self.line.moves)) + 1):
            before = self.line.before(count)
            picture = before.position.visible()
            if picture != shown:
                if not found:
                    found += [e._replace(back=count) for e in self._turns(sight, [before], "back")]
                found.append(self._explained("back", sight, [before], count))
                shown = picture
        return found

    # --- what it means

    def _accept(self, best: Explained, sight: Sight) -> Verdict:
        wrong = sight.against(self.position.visible())
        if best.kind == "back" and not self.line.seen() < best.lines[0].seen():
            moves = best.lines[0].texts()[len(self.line.moves) - best.back :]
            code = "otherwise" if moves else "taken-back"
            return Verdict("illegal", moves, self._blame(sight), code, wrong, best.back)
        if best.kind == "partial":
            return Verdict("partial", code="partial", wrong=wrong)
        before, untold = self.line, len(self.line.moves) > self.told
        if best.kind == "same" and not untold:
            return Verdict("same", code="same")
        self.lines = sorted(best.lines, key=lambda line: len(line.moves))
        # Routes of one turn that no look can tell apart are told now and settled later; pieces that a better look may
        # tell apart, and two turns that may have been quite different ones, are not.
        # When all that was told stays and something had gone unseen before it, nothing was taken back.
        if best.kind != "move" or untold or any(line.position.wholes() for line in self.lines):
            seen = [line.seen() for line in self.lines]
            if any(moves != seen[0] for moves in seen):
                return Verdict("unsure", code="several", open=self._open())
        return self._tell(before)

    def _tell(self, before: Line) -> Verdict:
        """The moves that are new, and how many of those told before they replace."""
        moves = self.line.texts()
        same = 0
        while same < min(self.told, len(moves)) and moves[same] == before.texts()[same]:
            same += 1
        settled, self.told = self.told - same, len(moves)
        return Verdict("move", moves[same:], code="move", settled=settled, open=self._open())

    def seen_moves(self, count: int) -> list[str]:
        """Of the last so many moves those that a camera can see."""
        moves, positions = self.line.moves[-count:], self.line.positions[-count - 1 : -1]
        return [str(move) for move, position in zip(moves, positions, strict=True) if move and position.is_seen(move)]

    def _open(self) -> tuple[tuple[str, ...], ...]:
        return tuple(line.texts() for line in self.lines[1:])

    def _blame(self, sight: Sight) -> Reason:
        try:
            return self.position.blame(sight.reading)
        except BadInput:  # the kit cannot show this
            return Reason("turn", "unexplained", {})
