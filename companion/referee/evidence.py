"""What looks tell, as costs: how much worse than the best reading each code explains what is seen on each square.

Costs are natural logarithms of how much less likely something is, so the costs of squares that are read independently
add up. Evidence knows neither rules nor whose turn it is, and never changes: more of it is a new value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Protocol, cast

import numpy as np

from companion.games.position import AnyPosition, Visible
from companion.referee.verdicts import Wrong
from vision.fields import Floats
from vision.look import Look

Squares = tuple[str, ...]
Allowed = Mapping[str, frozenset[str]]

# All of these were chosen by trial on simulated games.
# How often a reader is wrong and sure of it. It bounds what one square can cost: -log(1e-4) is 9.2.
CONFIDENTLY_WRONG = 1e-4
# How often a transparent pawn is not seen where it stands.
PAWN_OVERLOOKED = 0.05
# What it costs that a pawn is not seen on its own finish, whose mark it fills: less than elsewhere.
FILLED = 1.2
# After so many looks at a board at rest a pawn that is seen nowhere rather stands there than is in a hand; by how much.
STANDS, IN_HAND = 4, 3.5
# How much worse than the free reading an explanation may be that a verdict is built on. Less than what one misread
# square costs: a square that reads otherwise is never passed over.
LEGAL = 1.5
# A code that costs more than this is ruled out when turns are searched for: it is 150 times less likely than the best.
RULED_OUT = 5.0
# Between two looks, the cost at which a square that both are sure of has changed.
CHANGED = 5.0
# What a row of planks of another length costs: more than two squares that are surely wrong.
OTHER_LENGTH = 20.0
# A square read wrongly before, by at least this cost, was misread and not just read with less certainty.
MISREAD = 0.5
# What costs no more than this in each look is only seen with doubt.
DOUBTFUL = 2.0
# Under a tinted pawn the outline on a start or finish tile reads as a disc. No such square costs more than this.
TINTED = 1.0

# So doubtfully at most, for each look, a peg is overlooked in its card's hole: what reads clearer is gone.
OVERLOOKED = 2.5

# How cards lie. Lengths are in cells of the board.
# How far a card lies off its place, as standard deviations: to the east, to the north, and turned (in radians).
ASKEW = (0.03, 0.03, 0.03)
# How far marks seem to be from where they are, at least and at most; the pieces that are known tell where between.
NOISE = (0.0025, 0.008)
# The known pieces that are misplaced make the noise seem smaller than it is: their median is raised by this.
NOISE_RAISED = 1.2
# How high a whole card may lie on a pile, and how much higher one part of it than another, where it lies on an edge.
PILE, EDGE = 0.08, 0.015
# How much worse than its squares, each for itself, a piece must lie before it cannot be one piece.
BROKEN = 5.0
# What it costs that a hand pushed a card that lay there before.
NUDGED = 4.0
# Two looks are compared mark by mark where so many marks lie so near as this to where they lay: the camera has not
# moved between them.
STILL, LEAST_STILL = 0.006, 4


class Evidence(Protocol):
    """What those who search for the turns behind a look may ask it."""

    @property
    def possible(self) -> Mapping[str, frozenset[str]]:
        """By square, the codes that are not ruled out. Empty for planks, whose row has no fixed place."""

    @property
    def look(self) -> Look: ...

    @property
    def allowed(self) -> tuple[Allowed, Allowed]:
        """By square the codes, and by pawn the squares, that are not ruled out; and those as good as the best."""

    def cost_as_piece(self, squares: Squares) -> float:
        """What it costs that one and the same piece shows on these squares, by how their marks lie."""

    def costs_as_pieces(self, pieces: Sequence[Squares]) -> list[float]:
        """The same of many at one go, which is quicker."""

    def cost_as_old_piece(self, squares: Squares) -> float:
        """The same of a piece that lay there at the look before: it lies as it lay."""

    def is_broken(self, squares: Squares) -> bool:
        """Whether what shows on these squares cannot be one piece."""

    def is_old_broken(self, squares: Squares) -> bool:
        """Whether what shows on these squares cannot be the piece that lay there before."""


def visible_pieces(position: AnyPosition, first: int = 0) -> list[Squares]:
    """The squares that each card shows on, the topmost first. Cards lie askew enough to be told apart by it.

    `first`: only of cards from this one on, in the order in which they were laid.
    """
    pieces: list[Squares] = []
    hidden: set[str] = set()
    for card in reversed(position.lying().cards[first:]):
        if shown := tuple([square for square in card.squares if square not in hidden]):
            pieces.append(shown)
            hidden.update(shown)
    return pieces


class LookEvidence:
    """The evidence of one look, or of several at the same board."""

    def __init__(self, look: Look, can_show: Callable[[str], bool] = lambda code: True) -> None:
        """`can_show`: which codes there are in this game at all."""
        hidden = look.hidden[:, None]
        exists = np.array([can_show(code) for code in look.codes])
        shown = look.likelihood * exists
        shown = shown / np.maximum(shown.sum(axis=1, keepdims=True), 1e-12)
        likely = (1 - hidden) * shown + hidden / max(len(look.codes), 1)
        self.look = look
        self.reading = cast(Visible, look.visible())
        if not exists[look.likelihood.argmax(axis=1)].all():
            self.reading = _picture_of(look, [look.codes[n] for n in shown.argmax(axis=1)])
        self._code_number = {code: n for n, code in enumerate(look.codes)}
        self._log = np.log(_never_sure(likely, likely.max(axis=1, keepdims=True, initial=0)))
        self._pawn_log = {name: np.log(_pawn_likelihood(share)) for name, share in look.pawns.items()}
        self.looks = 1
        self._ruled_out = RULED_OUT  # the cost from which on a code is
        self._noise = NOISE[0]
        self._moved: Floats = np.zeros((0, 2))  # by square how far marks lie from where they lay at the look before
        self._piece_costs: dict[Squares, float] = {}
        self._old_piece_costs: dict[Squares, float] = {}
        self._weigh()

    def _weigh(self) -> None:
        """Costs from likelihoods."""
        best = self._log.max(axis=1, keepdims=True, initial=-np.inf)
        self._read_costs: list[list[float]] = (best - self._log).tolist()  # as read, nothing excused
        self._costs = self._read_costs
        self._read_pawn_costs: dict[str, list[float]] = {
            name: (log.max() - log).tolist() for name, log in self._pawn_log.items()
        }
        self._pawn_costs = self._read_pawn_costs
        # What the free reading costs. It is more than nothing where the kit rules out each square's best code.
        self.free = self.cost(self.reading)

    # --- more evidence

    def plus(self, later: LookEvidence) -> LookEvidence:
        """With a later look at the same board."""
        both = self._copied()
        both.look, both.reading, both.looks = later.look, later.reading, self.looks + later.looks
        both._log = self._log + later._log
        both._pawn_log = {name: log + later._pawn_log[name] for name, log in self._pawn_log.items()}
        both._weigh()
        return both

    def agrees(self, later: LookEvidence) -> bool:
        """Whether no square and no pawn that either is sure of has changed between the two."""
        if self.look.squares != later.look.squares:
            return False
        pawns = zip(self._read_pawn_costs.values(), later._read_pawn_costs.values(), strict=True)
        if any(np.add(then, now).min() > CHANGED for then, now in pawns):
            return False
        together = np.array(self._read_costs) + np.array(later._read_costs)
        return not np.any(together.min(axis=1, initial=np.inf) > CHANGED)

    def excusing(self, known: Visible, before: LookEvidence) -> LookEvidence:
        """Without what was misread `before`, when the board was known, and reads the same again: it is nothing new."""
        first = self._first_of(before)
        if first is None:
            return self
        excused = self._copied()
        excused._costs = [list(costs) for costs in self._read_costs]
        excused._pawn_costs = {name: list(costs) for name, costs in self._read_pawn_costs.items()}
        longer = max(1.0, self.looks / before.looks)
        for n, name in enumerate(before._codes_of(known) or ()):
            code, then, now = self._code_number[name], before._read_costs[n], self._read_costs[first + n]
            if then[code] > 0.0 and now[code] <= DOUBTFUL * self.looks:
                excused._costs[first + n][code] = 0.0
            elif then[code] > MISREAD and now[then.index(0.0)] == 0.0:
                excused._costs[first + n][code] = max(0.0, now[code] - longer * then[code])
        for name, square in known.get("pawns", {}).items():
            k, then, now = self.look.squares.index(square), before._read_pawn_costs[name], self._read_pawn_costs[name]
            if then[-1] == now[-1] == 0.0:  # it was seen nowhere, twice
                excused._pawn_costs[name][k] = max(0.0, now[k] - then[k])
        return excused

    def _first_of(self, before: LookEvidence) -> int | None:
        """From which square on lies what was seen `before`: a row of planks grows at either end. None if it is gone."""
        if self.look.squares == before.look.squares:
            return 0
        then, now = np.array(before._read_costs), np.array(self._read_costs)
        if self.look.field != "planks" or not 0 < len(then) < len(now):
            return None
        return min(range(0, len(now) - len(then) + 1, 3), key=lambda n: _disagreement(then, now[n : n + len(then)]))

    def overlooking_pegs(self, known: Visible) -> LookEvidence:
        """With how well pegs are seen in the holes of cards, told by those that were known before: where they are
        overlooked, others are too."""
        pieces = self.look.labels.pieces
        without = {
            code: bare for code, name in pieces.items() for bare, other in pieces.items() if name == f"{other}+peg"
        }
        numbers = [(self._code_number[peg], self._code_number[bare]) for peg, bare in without.items()]
        overlooked = 0.0
        for n, name in enumerate(self._codes_of(known) or ()):
            if name in without:
                read = self._read_costs[n]
                less = read[self._code_number[name]] - read[self._code_number[without[name]]]
                overlooked = max(overlooked, less if less <= OVERLOOKED * self.looks else 0.0)
        if not overlooked:
            return self
        told = self._copied()
        told._costs = [list(costs) for costs in self._costs]
        for costs in told._costs:
            for peg, bare in numbers:
                costs[peg] = min(costs[peg], max(costs[bare], costs[peg] - overlooked))
        return told

    def with_pawns_on(self, finishes: Mapping[str, str]) -> LookEvidence:
        """With what is known of pawns that are seen nowhere: on its own finish each is easily overlooked, and after a
        while it rather stands there than is in somebody's hand."""
        unseen = [name for name in finishes if self._pawn_costs.get(name, [1.0])[-1] == 0.0]
        if not unseen:
            return self
        told = self._copied()
        told._pawn_costs = {name: list(costs) for name, costs in self._pawn_costs.items()}
        for name in unseen:
            costs, n = told._pawn_costs[name], self.look.squares.index(finishes[name])
            costs[n] = min(costs[n], FILLED * self.looks)
            if self.looks >= STANDS:
                costs[n], costs[-1] = 0.0, IN_HAND
                others = {pawn: at for pawn, at in told.reading["pawns"].items() if pawn != name}
                told.free = told.cost({**told.reading, "pawns": others})
        return told

    def is_nowhere(self, pawn: str) -> bool:
        """Whether a pawn is seen nowhere."""
        return self._read_pawn_costs.get(pawn, [1.0])[-1] == 0.0

    def stands_on(self, pawn: str, square: str) -> bool:
        """Whether a pawn is seen there."""
        return self._read_pawn_costs[pawn][self.look.squares.index(square)] == 0.0

    def with_pawn_anywhere(self, pawn: str) -> LookEvidence:
        """As if a pawn stood somewhere, and nobody knew where: it may have moved from wherever it stood."""
        told = self._copied()
        told._pawn_costs = {**self._pawn_costs, pawn: [*[MISREAD] * len(self.look.squares), OTHER_LENGTH]}
        told.free = told.cost(told.reading) - (OTHER_LENGTH - MISREAD if pawn not in told.reading["pawns"] else 0.0)
        return told

    def with_code(self, square: str, code: str) -> LookEvidence:
        """As if this were seen on a square, and nothing else."""
        told = self._copied()
        at, seen = self.look.squares.index(square), self._code_number[code]
        costs = [0.0 if n == seen else OTHER_LENGTH for n in range(len(self.look.codes))]
        told._costs = [*self._costs[:at], costs, *self._costs[at + 1 :]]
        return told

    def without_plank(self, south: bool) -> LookEvidence:
        """As if the plank at one end of the row had not been laid yet."""
        told, rest = self._copied(), slice(3, None) if south else slice(None, -3)
        told.look = replace(self.look, squares=self.look.squares[:-3])  # they are counted from the south
        told._costs = self._costs[rest]
        told.reading = {"planks": self.reading["planks"][1:] if south else self.reading["planks"][:-1]}
        told.free = told.cost(told.reading)
        return told

    def with_token_anywhere(self, owner: str) -> LookEvidence:
        """As if on any square on which nothing lies a token of this player's might lie as well."""
        told, number = self._copied(), self._code_number
        told._costs = [list(costs) for costs in self._costs]
        for costs in told._costs:
            for code, n in number.items():
                if code[1:] == owner:
                    costs[n] = min(costs[n], costs[number[f"{code[0]}."]])
        return told

    def measured_by(self, pieces: Sequence[Squares]) -> LookEvidence:
        """With how well marks are seen here, told by pieces that were known before: most of them lie as they lay."""
        deviations = []
        for squares in pieces if self.tells_pieces else ():
            at, shifts = self._shifts(squares)
            if len(at) >= 4:
                off = self.look.askew[at, :2].T.ravel()
                east, north = np.split(off - shifts @ np.linalg.lstsq(shifts, off, rcond=None)[0], 2)
                lean = self.look.askew[at, 3:]
                # What lies higher seems to lie further away from the camera: only what lies across that way counts.
                across = (east * lean[:, 1] - north * lean[:, 0]) / np.linalg.norm(lean, axis=1)
                deviations.append(float(np.sqrt(across @ across / (len(at) - 1.5))))
        if len(deviations) < 2:
            return self
        measured = self._copied()
        measured._noise = float(np.clip(NOISE_RAISED * sorted(deviations)[(len(deviations) - 1) // 3], *NOISE))
        return measured

    def lying_as_in(self, before: LookEvidence) -> LookEvidence:
        """With where the marks lay at the look before, if the two can be compared: a card that nobody touches lies
        still, and one that is laid over it lies otherwise."""
        if not (self.tells_pieces and before.tells_pieces) or self.look.squares != before.look.squares:
            return self
        moved = self.look.askew[:, :2] - before.look.askew[:, :2]
        moved[~np.isfinite(self.look.askew[:, 2] + before.look.askew[:, 2])] = np.nan
        far = np.hypot(*moved.T)
        still = far[far < STILL]
        if len(still) < LEAST_STILL:
            return self
        compared = self._copied()
        compared._moved = moved
        # Marks that lie still tell best how well they are seen: half of them seem to move less than 1.67 times that.
        compared._noise = float(np.clip(NOISE_RAISED * np.median(still) / 1.67, *NOISE))
        return compared

    def _copied(self) -> LookEvidence:
        """A copy to be changed, without what was derived from what is going to change."""
        other = copy(self)
        other._piece_costs, other._old_piece_costs = {}, {}
        for derived in ("possible", "allowed", "_marked", "_sums"):
            other.__dict__.pop(derived, None)
        return other

    # --- what squares show

    @cached_property
    def possible(self) -> Mapping[str, frozenset[str]]:
        if self.look.field == "planks":
            return {}
        names = self.look.codes
        return {
            square: frozenset([names[k] for k, cost in enumerate(costs) if cost < self._ruled_out])
            for square, costs in zip(self.look.squares, self._costs, strict=True)
        }

    @cached_property
    def allowed(self) -> tuple[Allowed, Allowed]:
        names, squares = self.look.codes, self.look.squares
        read = [(square, names, costs) for square, costs in zip(squares, self._costs, strict=True)]
        # Last among a pawn's costs is what it costs that the pawn stands nowhere.
        read += [(name, squares, costs[:-1]) for name, costs in self._pawn_costs.items()]
        possible, likely = (
            {
                name: frozenset([c for c, cost in zip(of, costs, strict=True) if cost < limit])
                for name, of, costs in read
            }
            for limit in (self._ruled_out, MISREAD)
        )
        tinted = frozenset([code for code in names if code.startswith(("start", "finish"))])
        for name in self._pawn_costs:
            for square in likely[name] if len(likely[name]) < len(squares) else ():
                possible[square] |= tinted
                likely[square] |= tinted
        return possible, likely

    def sharp(self) -> LookEvidence:
        """The same, but that of each square only those codes are possible which a verdict can be built on."""
        told = self._copied()
        told._ruled_out = min(self._ruled_out, LEGAL + max(0.0, self.free))
        return told

    def narrows(self, other: LookEvidence) -> bool:
        """Whether it rules out all that the other does, and leaves the same pieces without a reason to have moved."""
        (possible, likely), (wider, likely_then) = self.allowed, other.allowed
        return likely == likely_then and all(codes <= wider[name] for name, codes in possible.items())

    def cost(self, picture: Visible) -> float:
        """How much worse than the best reading of each square a picture explains what is seen."""
        cells = self._codes_of(picture)
        if cells is None:
            return OTHER_LENGTH
        number = self._code_number
        total = sum([costs[number[code]] for costs, code in zip(self._costs, cells, strict=True)])
        if "pawns" in picture:
            for name, at in self._pawn_costs.items():
                square = picture["pawns"].get(name)
                n = self.look.squares.index(square) if square else -1
                total += at[n]
                if square and cells[n].startswith(("start", "finish")):
                    total -= max(0.0, self._costs[n][number[cells[n]]] - TINTED)
        return float(total)

    def shows(self, picture: Visible) -> bool:
        """Whether a picture explains what is seen well enough to build a verdict on."""
        return self.cost(picture) - self.free <= LEGAL

    def against(self, picture: Visible) -> tuple[Wrong, ...]:
        """The squares on which what is seen is not what a picture shows."""
        should, seen = self._codes_of(picture), self._codes_of(self.reading)
        if should is None or seen is None:
            return ()
        wrong = [Wrong(s, a, b) for s, a, b in zip(self.look.squares, should, seen, strict=True) if a != b]
        if "pawns" in picture:
            there = self.reading["pawns"]
            places = [Wrong(name, picture["pawns"].get(name, ""), there.get(name, "")) for name in self._pawn_costs]
            wrong += [place for place in places if place.should != place.seen]
        return tuple(wrong)

    def _codes_of(self, picture: Visible) -> list[str] | None:
        """A picture's codes in the order of the look's squares; None for a row of planks of another length."""
        if "planks" not in picture:
            return [code for row in reversed(picture["rows"]) for code in row]
        cells = [c + t for p in picture["planks"] for c, t in zip(p["colors"], p["tokens"], strict=True)]
        return cells if len(cells) == len(self._costs) else None

    # --- how pieces lie

    @property
    def tells_pieces(self) -> bool:
        """Whether the look tells how marks lie, and with it which of them lie on one piece."""
        return len(self.look.askew) > 0

    @cached_property
    def _marked(self) -> list[str]:
        """The squares whose marks are seen."""
        return [s for s, spread in zip(self.look.squares, self.look.askew[:, 2], strict=True) if spread < np.inf]

    def cost_as_piece(self, squares: Squares) -> float:
        """A piece lies askew as a whole: one shift and one turn explain where all its squares' marks lie."""
        return self.costs_as_pieces([squares])[0]

    def costs_as_pieces(self, pieces: Sequence[Squares]) -> list[float]:
        new = [squares for squares in dict.fromkeys(pieces) if squares not in self._piece_costs]
        if new:
            costs = self._as_one_piece_each(new) if self.tells_pieces else [0.0] * len(new)
            self._piece_costs.update(zip(new, costs, strict=True))
        return [self._piece_costs[squares] for squares in pieces]

    def cost_as_old_piece(self, squares: Squares) -> float:
        if squares not in self._old_piece_costs:
            self._old_piece_costs[squares] = self._as_it_lay(squares)
        return self._old_piece_costs[squares]

    def cost_as_pieces(self, pieces: Sequence[Squares], old: Sequence[Squares] = ()) -> float:
        """What it costs that these pieces show, those that lay there before among them, and every other mark is on a
        piece of its own."""
        if not self.tells_pieces:
            return 0.0
        joined = {square for squares in (*pieces, *old) for square in squares}
        alone = [self.cost_as_piece((square,)) for square in self._marked if square not in joined]
        return sum(map(self.cost_as_piece, pieces)) + sum(map(self.cost_as_old_piece, old)) + sum(alone)

    def is_broken(self, squares: Squares) -> bool:
        return self.cost_as_piece(squares) > sum([self.cost_as_piece((square,)) for square in squares]) + BROKEN

    def is_old_broken(self, squares: Squares) -> bool:
        return self.cost_as_old_piece(squares) > sum([self.cost_as_piece((square,)) for square in squares]) + BROKEN

    def _as_it_lay(self, squares: Squares) -> float:
        """A piece that lies where it lay, or that was pushed as a whole."""
        free = self.cost_as_piece(squares)
        at = [n for n in map(self.look.squares.index, squares) if np.isfinite(self.look.askew[n, 2])]
        if not at or not len(self._moved) or np.isnan(self._moved[at]).any():
            return free
        spread = 2 * np.maximum(self.look.askew[at, 2], self._noise) ** 2  # both looks have it
        still = 0.5 * (self._moved[at] ** 2).sum(axis=1) / spread + np.log(2 * np.pi * spread)
        return min(float(still.sum()), free + NUDGED)

    def _shifts(self, squares: Squares) -> tuple[list[int], Floats]:
        """The squares whose marks are seen, and how their marks move with a shift and a turn of the whole piece."""
        at = [self.look.squares.index(square) for square in squares]
        at = [n for n in at if np.isfinite(self.look.askew[n, 2])]
        if not at:
            return [], np.zeros((0, 3))
        places = np.array([(ord(self.look.squares[n][0]), int(self.look.squares[n][1:])) for n in at], dtype=float)
        x, y = (places - places.mean(axis=0)).T
        one, none = np.ones_like(x), np.zeros_like(x)
        return at, np.concatenate([np.column_stack([one, none, -y]), np.column_stack([none, one, x])])

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        """What each square's mark adds to the sums that a piece's cost is made of, nothing where none is seen: how a
        shift east, one north, a turn about a1, its height and where it lies go together, by how well it is seen; and
        how large that doubt is, whether a mark is seen, its column and its row."""
        squares, askew = self.look.squares, self.look.askew
        seen = np.isfinite(askew[:, 2])
        places = np.array([(ord(square[0]) - ord("a"), int(square[1:]) - 1) for square in squares], dtype=float)
        off, lean = np.where(seen[:, None], askew[:, :2], 0.0), np.where(seen[:, None], askew[:, 3:], 0.0)
        one, none = np.ones(len(squares)), np.zeros(len(squares))
        east = np.stack([one, none, -places[:, 1], lean[:, 0], off[:, 0]], axis=1)
        north = np.stack([none, one, places[:, 0], lean[:, 1], off[:, 1]], axis=1)
        moves = np.stack([east, north], axis=1)
        spread = np.maximum(np.where(seen, askew[:, 2], 0.0), self._noise) ** 2
        # A part that lies on another's edge seems to lie further away a bit more than the rest.
        doubt = spread[:, None, None] * np.eye(2) + EDGE**2 * lean[:, :, None] * lean[:, None, :]
        together = np.swapaxes(moves, 1, 2) @ np.linalg.solve(doubt, moves)
        told = [np.linalg.slogdet(2 * np.pi * doubt)[1], one, *places.T]
        return together * seen[:, None, None], np.stack(told, axis=1) * seen[:, None]

    def _as_one_piece_each(self, pieces: Sequence[Squares]) -> list[float]:
        """-log of how likely it is that marks lie like this, if each of these is one piece that lies askew and perhaps
        on a pile: what lies there seems to lie further away, all of it."""
        number = {square: n for n, square in enumerate(self.look.squares)}
        member = np.zeros((len(pieces), len(number)))
        for row, squares in zip(member, pieces, strict=True):
            row[[number[square] for square in squares]] = 1
        together, told = self._sums
        sums = np.tensordot(member, together, 1)
        doubt, count, columns, rows = (member @ told).T
        about_middle = np.tile(np.eye(5) * (*ASKEW, PILE, 1.0), (len(pieces), 1, 1))  # it turns about its middle
        about_middle[:, 0, 2] = ASKEW[2] * rows / np.maximum(count, 1)
        about_middle[:, 1, 2] = -ASKEW[2] * columns / np.maximum(count, 1)
        sums = np.swapaxes(about_middle, 1, 2) @ sums @ about_middle
        free, lies = np.eye(4) + sums[:, :4, :4], sums[:, :4, 4:]
        explained = (np.swapaxes(lies, 1, 2) @ np.linalg.solve(free, lies))[:, 0, 0]
        costs: list[float] = (0.5 * (sums[:, 4, 4] - explained + doubt + np.linalg.slogdet(free)[1])).tolist()
        return costs


def _disagreement(then: Floats, now: Floats) -> float:
    """How little two looks at the same squares may show the same."""
    return float((then + now).min(axis=1).sum())


def _never_sure(likely: Floats, most: Floats) -> Floats:
    """A reader may be wrong however sure it is."""
    return np.asarray(likely * (1 - CONFIDENTLY_WRONG) + CONFIDENTLY_WRONG * most)


def _pawn_likelihood(share: Floats) -> Floats:
    """By square, and last nowhere. A transparent pawn that is seen nowhere may still stand anywhere; one that is seen
    somewhere stands nowhere else."""
    anywhere = share.copy()
    anywhere[:-1] += PAWN_OVERLOOKED * share[-1]
    return _never_sure(anywhere, anywhere.max())


def _picture_of(look: Look, codes: list[str]) -> Visible:
    """A picture with these codes on the look's squares."""
    if look.field == "planks":
        planks = [codes[n : n + 3] for n in range(0, len(codes), 3)]
        return {"planks": [{"colors": "".join(c[0] for c in p), "tokens": [c[1:] for c in p]} for p in planks]}
    columns = len(look.visible()["rows"][0])
    rows = [codes[n : n + columns] for n in range(0, len(codes), columns)]
    return cast(Visible, {**look.visible(), "rows": rows[::-1]})
