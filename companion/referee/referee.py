"""The referee: what was seen becomes the moves that explain it, or the reason why none do.

He keeps in mind every way in which the game may have gone: its lines. A look gives likelihoods, never guesses, and is
compared with all that legal play reaches from these lines: nothing, a turn, part of one, several turns of which some
were not seen. Each costs what the look says against it, and the more the rarer it is that so many turns lie between two
looks, which the looks before tell. Against them all stands the free reading, each square's best code on its own.

- One board clearly explains the look, and all its lines go on alike: that is what happened.
- They go on differently: it stays open until a later look or a person settles which it was.
- Nothing explains it: perhaps the look before was something else than it was taken for. That is gone into too.
- Still nothing, and everything has been looked through: it is illegal. What was not looked through accuses nobody.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from companion.errors import BadInput, MoreThanTheKit, Reason
from companion.games.position import AnyPosition, Seat, Visible
from companion.referee.evidence import LEGAL, MISREAD, LookEvidence, visible_pieces
from companion.referee.explanations import (
    ANOTHER_MOVE,
    CLEAR,
    MOST_LINES,
    NOTHING,
    PACES,
    PLAYED,
    RARER,
    Explanation,
    Kind,
    Line,
    Move,
    Unseen,
    explanations,
    finish_finder,
    one_of_each,
    room_for,
)
from companion.referee.in_hand import InHand
from companion.referee.inquiry import MOST_NODES, Work
from companion.referee.search import Search, has_few_moves, usual_turns
from companion.referee.verdicts import Verdict, VerdictKind
from vision.look import Look

# All of these were chosen by trial on simulated games; costs are natural logarithms.
# How much worse than the free reading everything legal must be before something illegal was done. Between LEGAL and
# this the look does not decide.
ILLEGAL = 3.5
# How much better than all that looks otherwise an explanation must be: twenty times as likely.
LEAD = 3.0
# More than a single square can cost: what costs less is one square that was misread.
ONE_SQUARE = 10.0
# Pieces that went away and came back explain nearly every board of a game in which few moves are possible. Where that
# is rarer than BELIEVED it is not taken for true, where it is rarer than ACCUSED it keeps nobody from being accused.
BELIEVED, ACCUSED = 3.5, 4.0
# So many turns are so rare that the look before may rather have been something else than it was taken for: where few
# moves are possible, pieces may have come back by then.
UNUSUAL = 2.0
# What was made of a look by turns rarer than this may have been none of them.
DOUBTED = 1.0
# How much rarer than others is what contradicts all that was told before: rather it was a cheat, or a hand. More so
# where the looks before had to be something else than they were taken for: that accuses nobody of what follows.
CONTRADICTS, REWRITES = 1.0, 4.0
# A story that is rarer than BELIEVED is believed again when so many looks at which turns were made have borne it out.
BORNE_OUT = 3
# No number of turns is rarer than this when it is held against a square that was misread: some are just made.
RAREST = 4.5
# What is thought of the number of turns between looks at a board that is watched, before there were any.
WATCHED = (1, 1, 1)
# After so many looks, each of which showed one turn, and with nothing in the way since, it is known that every turn is
# seen by itself. Before that nobody is accused of what legal play could lead to by any detour. At a board that is
# watched more is taken for one turn, so that more of them are needed where few moves are possible, and none where
# detours are rare since there are many moves to choose from.
WITNESSED, WITNESSED_OF_FEW, WITNESSED_OF_MANY = 1, 2, 0
# One turn that shows nothing, and the one that is seen.
UNSHOWN = 2
# Looks at which turns may have gone unseen, after which more may have been played than is looked for.
MOST_MISSED = 4
# Positions that are looked at for each look, where several turns may have been made: a quarter of a second. A live
# table goes on with it beside its looks.
PATIENCE = 1200
# Before somebody is accused, so many are looked at for each earlier look at which more turns may have been made.
RECONSIDERED = 20_000
# So many inquiries are gone on with when another look asks the same.
MOST_INQUIRIES = 6
AT_ONCE = 50  # positions, between two looks at the clock
# So many of the last looks may turn out to have been something else than they were taken for.
MOST_BEFORE = 3
# Looks for which moves are not told that may have been otherwise. Then the likeliest is told, and settled later.
MOST_HELD = 3
# What costs more than this may rather be a turn half made after others that went unseen.
ONE_HALF = 3.0
# A square that is hidden more likely than this may be the one that decides.
HIDDEN = 0.5


class _Explained(NamedTuple):
    """What explains a look at a game that went in one of some ways."""

    found: list[Explanation]  # the best first
    search: Search | None = None  # for several turns, if it was asked for
    in_hand: InHand | None = None  # for those with one more that was only begun

    @property
    def is_through(self) -> bool:
        """Whether all has been looked through, as far as it ever will be."""
        return (not self.search or self.search.has_enough) and (not self.in_hand or self.in_hand.gives_up)


class _Before(NamedTuple):
    """The look before, and the lines that it was compared with."""

    lines: tuple[Line, ...]
    evidence: LookEvidence
    unseen: Unseen
    rarity: float  # how rare it is what was made of it
    misread: float  # how much better the best reading of each square, by itself, explains it
    others: Search  # for all that it may have been

    @property
    def is_doubtful(self) -> bool:
        """Whether it may well have been something else than it was taken for."""
        return self.rarity > DOUBTED or self.unseen.turns > 0 or self.misread > MISREAD


class _Untold(NamedTuple):
    """A look that legal play explains, but not so clearly that it is told: the next one may be explained from there."""

    before: _Before
    seconds: float | None  # for how long the board was disturbed by then, since the last one that was known


class Referee:
    """Follows one game. `see` judges a look; persons decide with `play`, `accept_as_seen`, `take_back`, `settle`."""

    def __init__(self, line: Line, patience: int = PATIENCE, watches: bool = True) -> None:
        """`patience`: how many positions are looked at for each look, where several turns may have been made.

        `watches`: the board is watched all the time, so that mostly every turn is seen by itself; else nobody knows how
        many turns lie between two looks before some have been understood.
        """
        self.patience, self.watches = patience, watches
        line = line._replace(paces=WATCHED if watches else (), rarity=0.0, looks=(len(line.moves),), evidence=())
        self.lines = [line]  # how the game may have gone; the first is the one that is told
        self._told = line.texts()  # the moves that have been told: those of the first line, unless it is another since
        self._told_looks = 1  # so many of its looks have been told, the first included
        self._unsettled: LookEvidence | None = None  # looks that did not suffice yet
        self._understood: LookEvidence | None = None  # the last look of which the board was known
        self._befores: tuple[_Before, ...] = ()  # the last looks of which something was made
        self._untold: _Untold | None = None  # the last look that was not told, since the board was known
        self._strange: LookEvidence | None = None  # the last look that nothing explained, since the board was known
        self._adrift = False  # nothing explained a look, and the board has changed since
        self._missed = 0  # looks since then at which a turn may have gone unseen
        self._seconds: float | None = 0.0  # for how long the board was disturbed since then; None: nobody knows
        self._borne_out = BORNE_OUT  # looks that bear out the story since it was hardly to be believed
        self._held = 0  # looks for which moves were not told that may have been otherwise
        self._inquiries: tuple[Search | InHand, ...] = ()  # for the newest looks, as far as they have come
        self._work = Work(0)  # what the newest look asks for

    @property
    def line(self) -> Line:
        return self.lines[0]

    @property
    def position(self) -> AnyPosition:
        return self.line.position

    @property
    def may_go_on(self) -> bool:
        """Whether the game may not be over, though it is by the line that is told."""
        if self._borne_out < BORNE_OUT or any(line.position.outcome() is None for line in self.lines):
            return True
        # A piece that was not seen where it should have come to may have been in somebody's hand.
        return bool(self._understood and self._befores and self._understood.against(self.position.visible()))

    # --- what persons decide

    def play(self, moves: Iterable[Move]) -> None:
        """Moves that a person says were made."""
        self._decided(self.line.then(moves))

    def accept_as_seen(self, seen: Visible, to_move: Seat) -> None:
        """An illegal step was accepted: play goes on from what was seen."""
        self._decided(self.line.reaching(None, self.position.accept_as_seen(seen, to_move)))

    def take_back(self, count: int) -> None:
        self._decided(self.line.before(count))

    def correct(self, verdict: Verdict) -> None:
        """The last turn was taken back or made otherwise, and nobody is asked. As only the looks tell it, those looks
        may still turn out to have been something else."""
        befores, borne_out, line = self._befores, self._borne_out, self.line.before(verdict.back)
        self._decided(line.then(line.game.read(text) for text in verdict.moves))
        self._befores, self._borne_out = befores, borne_out

    def choices(self) -> dict[str, tuple[str, ...]]:
        """Where several lines are open: what they differ in, as a text, and all their moves."""
        lines = [line.texts() for line in self._open()]
        same = alike(lines)
        return {", ".join(line[same:]): line for line in lines} if len(lines) > 1 else {}

    def settle(self, moves: Sequence[str]) -> Verdict:
        """A person says which of the open lines it was, by all its moves."""
        self.lines = [line for line in self.lines if line.texts() == tuple(moves)] or self.lines
        return self._tell()

    def _decided(self, line: Line) -> None:
        self.lines, self._told, self._told_looks = [line], line.texts(), len(line.looks)
        self._unsettled = self._understood = self._strange = self._untold = None
        self._inquiries, self._work = (), Work(0)
        self._held, self._adrift, self._befores, self._borne_out = 0, False, (), BORNE_OUT

    # --- what the camera sees

    def see(self, look: Look, past_hands: bool = False, disturbed: float | None = None) -> Verdict:
        """Judge a look.

        `past_hands`: what seems to be in the way has not moved for so long that it is no hand; what it hides stays
        hidden. `disturbed`: for how many seconds the board was not at rest since the look before, where that is known.
        """
        self._seconds = None if disturbed is None or self._seconds is None else self._seconds + disturbed
        if look.hand and not past_hands:
            self._missed += 1
            return Verdict(VerdictKind.HAND, code="hand")
        unsettled = self._unsettled
        evidence = self._evidence(look)
        self._work = Work(self.patience)
        is_new = unsettled is None or not unsettled.agrees(evidence)
        self._adrift = self._adrift or (self._strange is not None and not self._strange.agrees(evidence))
        verdict = self._judge(evidence)
        self._unsettled = evidence if verdict.kind is VerdictKind.UNSURE else None
        if verdict.kind in (VerdictKind.SAME, VerdictKind.MOVE) or verdict.code == "several":
            # Where several lines are open all of them show this board.
            self._understood, self._missed, self._seconds = evidence, 0, 0.0
            self._strange, self._untold, self._adrift = None, None, False
        elif verdict.code in ("illegal", "missed"):
            self._strange = evidence
        elif verdict.kind is VerdictKind.UNSURE and is_new:
            self._missed += 1
        return verdict

    @property
    def _unseen(self) -> Unseen:
        """What may have gone unseen since the last board that was known."""
        if self._seconds is None:
            return Unseen(self._missed)
        return Unseen(self._missed, room_for(self._seconds), is_timed=True)

    @property
    def is_searching(self) -> bool:
        """Whether the newest look asks for what has not all been looked through."""
        return self._unsettled is not None and bool(self._work.unfinished)

    def think(self, seconds: float) -> bool:
        """Go on looking for what is behind the newest look; True when all has been looked through."""
        until = time.monotonic() + seconds
        while self.is_searching and time.monotonic() < until:
            self._work.think(AT_ONCE)
        return not self.is_searching

    def _evidence(self, look: Look) -> LookEvidence:
        """A look with the looks before it that did not suffice, by what is known of the table."""
        evidence, understood = LookEvidence(look, self.position.can_show), self._understood
        if self._held and not evidence.shows(self.position.visible()):
            self._unsettled = None  # the board was known, only how it came about was not; and it is another one now
        if self._unsettled and self._unsettled.agrees(evidence):
            evidence = self._unsettled.plus(evidence)
            if understood is self._unsettled:  # what the first look misread, all these looks misread together
                understood = evidence
        if understood:
            evidence = evidence.excusing(self.position.visible(), understood)
        if find := finish_finder(self.line.game.inference):
            evidence = evidence.with_pawns_on(find(self.position))
        if evidence.look.labels.has_cards:
            evidence = evidence.overlooking_pegs(self.position.visible())
        if evidence.tells_pieces:
            evidence = evidence.measured_by(visible_pieces(self.position))
            if understood and understood.look is not look:
                evidence = evidence.lying_as_in(understood)
        if understood is not self._understood:
            self._understood = evidence
        return evidence

    def _judge(self, evidence: LookEvidence) -> Verdict:
        further = self._explain_further(evidence)
        explained = self._explained_from(self.lines, evidence, self._unseen)
        found, search, in_hand = explained
        best = found[0]
        short = best.shortfall(evidence)
        cost = best.cost - max(0.0, best.rarity - RAREST)
        leads = min([other.cost for other in found if other.picture != best.picture], default=np.inf) - cost >= LEAD
        wrong = evidence.against(self.position.visible())
        is_through = search is None or search.has_enough
        if self._unseen.is_timed and best.rarity > BELIEVED:
            # More turns than there was time for are told only where there is no story of a piece in somebody's hand.
            is_through = is_through and (in_hand is None or in_hand.gives_up)
        # Where turns go unseen, whatever legal play explains accuses nobody, however rare it is.
        go_unseen = usual_turns(self.lines[:1]) > 1
        is_rare = best.returning and best.rarity > BELIEVED and not go_unseen
        if short <= LEGAL and leads and is_through and not is_rare:
            # A turn that ends where it began shows at no look, however well the board is watched.
            played = [e for e in found if e.kind is Kind.MOVES and e.turns <= UNSHOWN and e.picture == best.picture]
            if best.kind is Kind.BACK and (played or self._may_be_played_on(search)):
                return Verdict(VerdictKind.UNSURE, (), None, "missed", wrong)
            if best.kind is Kind.BACK and self._befores and self._befores[-1].is_doubtful:
                # Nobody took back what was never played.
                instead, is_through = self._explain_instead(self._befores[-1], evidence)
                if instead or not is_through:
                    unsure = Verdict(VerdictKind.UNSURE, (), None, "missed", wrong)
                    return self._accept(instead, evidence, REWRITES) if instead else unsure
            usual = self._less_unusual(best, evidence)
            return self._accept(usual, evidence, CONTRADICTS if usual is best else REWRITES)
        if not self._understood and best.kind is Kind.SAME and short < ONE_SQUARE:
            # The game stands as persons say: a square that reads otherwise from the first look on is looked at with
            # doubt, and does not keep the game from going on.
            self._understood = evidence
            return Verdict(VerdictKind.UNSURE, code="faint", wrong=wrong)
        if short < ONE_SQUARE and leads and self._is_misread(evidence):
            return self._accept(best, evidence)
        if further:
            return self._accept(further, evidence)
        if (search and not search.is_through) or (in_hand and not in_hand.gives_up):
            return Verdict(VerdictKind.UNSURE, code="missed", wrong=wrong)
        if short < ILLEGAL and not is_rare:
            if best.kind in PLAYED and not (self._untold and self._untold.before.evidence.agrees(evidence)):
                self._untold = _Untold(self._before(evidence, best.rarity, best.cost - best.prior), self._seconds)
            hidden = np.any(evidence.look.hidden > HIDDEN)
            return Verdict(VerdictKind.UNSURE, code="hidden" if hidden else "faint", wrong=wrong)
        otherwise, has_reconsidered = self._explain_otherwise(evidence)
        if otherwise:
            return self._accept(otherwise, evidence, REWRITES)
        reason = self._explain_illegal(evidence)
        excused = not self._is_witnessed and (is_rare or self._may_be_legal_play(search))
        believed = short < ILLEGAL and (go_unseen or best.rarity <= ACCUSED)
        excused = excused or (search is not None and search.is_unsettled) or not has_reconsidered
        # However well the board is watched, no look shows a turn that ends where it began.
        excused = excused or any(
            e.kind is Kind.MOVES and e.turns <= UNSHOWN and evidence.shows(e.picture) for e in found
        )
        # Nobody is accused by a story that is hardly to be believed itself.
        excused = excused or self._borne_out < BORNE_OUT
        if excused or believed or self._may_have_missed_too_much(search):
            self._remember(evidence)
            return Verdict(VerdictKind.UNSURE, (), reason, "missed", wrong)
        return Verdict(VerdictKind.ILLEGAL, (), reason, "illegal", wrong)

    def _explained_from(
        self, lines: Sequence[Line], evidence: LookEvidence, unseen: Unseen, most: int = MOST_NODES
    ) -> _Explained:
        """All that explains a look at a game that went as one of these lines.

        `most`: positions that are looked at for it before it is given up.
        """
        found, search, in_hand = explanations(lines, evidence, unseen), None, None
        usual = usual_turns(lines)
        is_open = usual > 1 or ((usual == 0 or unseen.room) and has_few_moves(lines[0].position))
        if is_open or self._falls_short(_best(found), evidence):
            search = self._look_further(lines, evidence, unseen, most)
            found += search.explanations(evidence)
            is_missed = any(map(evidence.is_nowhere, lines[0].position.visible().get("pawns", ())))
            if unseen.turns and (is_missed or _best(found).cost - evidence.free > ONE_HALF):
                in_hand = self._look_for_a_hand(lines[0], evidence, unseen)
                found += in_hand.explanations(evidence)
        if usual_turns(self.lines[:1]) > 1:  # where turns go unseen nobody took back what legal play explains
            legal = [e.picture for e in found if e.kind is Kind.MOVES and e.shortfall(evidence) <= LEGAL]
            found = [e for e in found if e.kind is not Kind.BACK or e.picture not in legal]
        best = _best(found)
        others = [other for other in sorted(found, key=lambda one: one.cost) if other is not best]
        return _Explained([best.with_in_mind(others, evidence), *others], search, in_hand)

    def _falls_short(self, best: Explanation, evidence: LookEvidence) -> bool:
        """Whether one turn at most is not enough to explain a look."""
        if best.kind is Kind.BACK or best.shortfall(evidence) > LEGAL:
            return True
        return best.kind is not Kind.PARTIAL and best.is_broken(evidence)

    def _look_further(self, lines: Sequence[Line], evidence: LookEvidence, unseen: Unseen, most: int) -> Search:
        """Several turns that explain a look; where there was no time for all of them, the next look goes on."""
        known = [one for one in self._inquiries if isinstance(one, Search) and one.is_about(lines, evidence, unseen)]
        search = known[0] if known else Search(lines, evidence, unseen, most=most)
        self._go_on(search)
        return search

    def _look_for_a_hand(self, line: Line, evidence: LookEvidence, unseen: Unseen) -> InHand:
        """Turns that explain a look together with one that is half made."""
        known = [one for one in self._inquiries if isinstance(one, InHand) and one.is_about(line, evidence, unseen)]
        in_hand = known[0] if known else InHand(line, evidence, unseen)
        self._go_on(in_hand)
        return in_hand

    def _go_on(self, inquiry: Search | InHand) -> None:
        if inquiry not in self._inquiries:
            self._inquiries = (*self._inquiries, inquiry)[-MOST_INQUIRIES:]
        self._work.go_on(inquiry)

    @property
    def _is_witnessed(self) -> bool:
        """Whether it is known, and not only taken for granted, that every turn is seen by itself."""
        if self._unseen.is_timed:
            return not self._unseen.room and not self._adrift
        looks = min(len(self.line.evidence), PACES)
        if self._missed or self._adrift or (looks and set(self.line.paces[-looks:]) != {1}):
            return False
        if not self.watches:
            return looks >= WITNESSED
        return looks >= (WITNESSED_OF_FEW if has_few_moves(self.position) else WITNESSED_OF_MANY)

    def _may_be_played_on(self, search: Search | None) -> bool:
        """Whether what looks like a turn taken back may be turns that went unseen: where few moves are possible, and
        something did go unseen since the last board that was understood or before it, that is as likely."""
        few = has_few_moves(self.position)
        return few and bool(self.line.evidence) and not self._is_witnessed and self._may_be_legal_play(search)

    def _may_be_legal_play(self, search: Search | None) -> bool:
        """Whether legal play leads to what is seen by any detour, or may, as far as it was looked through."""
        if search is None or search.is_put_only:
            return False
        search.go_further()
        self._work.go_on(search)
        return search.is_excused or not search.is_through

    def _may_have_missed_too_much(self, search: Search | None) -> bool:
        """Whether more may have been played than was looked through: then nobody is accused."""
        return search is not None and (self._unseen.turns >= MOST_MISSED or self._adrift) and not search.is_put_only

    def _remember(self, evidence: LookEvidence, rarity: float = 0.0, misread: float = 0.0) -> None:
        last = self._befores[-1] if self._befores else None
        if last and last.lines == tuple(self.lines) and last.evidence.agrees(evidence):
            return  # another look at the same board
        self._befores = (*self._befores, self._before(evidence, rarity, misread))[-MOST_BEFORE:]

    def _before(self, evidence: LookEvidence, rarity: float, misread: float) -> _Before:
        others = Search(self.lines, evidence, self._unseen, all_depths=True, most=RECONSIDERED)
        return _Before(tuple(self.lines), evidence, self._unseen, rarity, misread, others)

    def _explain_further(self, evidence: LookEvidence) -> Explanation | None:
        """What clearly explains a look after one that was not told, in a turn or two."""
        untold = self._untold
        if untold is None or untold.before.evidence.agrees(evidence):
            return None
        unseen = NOTHING
        if self._seconds is not None and untold.seconds is not None:
            unseen = Unseen(0, room_for(self._seconds - untold.seconds), is_timed=True)
        found, _ = self._explained_after(untold.before, evidence, unseen)
        best = self._least_rare(found, evidence, untold.before.rarity + ACCUSED)
        rivals = [other.cost for other in found if best and other.picture != best.picture]
        return best if best and min(rivals, default=np.inf) - best.cost >= LEAD else None

    def _less_unusual(self, best: Explanation, evidence: LookEvidence) -> Explanation:
        """What explains a look as well and is less rare, if the one before was something else than it was taken for."""
        if best.kind is not Kind.MOVES or best.rarity < UNUSUAL or not self._befores:
            return best
        before = self._befores[-1]
        rarest = before.rarity + best.rarity - RARER
        found = self._explain_after(before, evidence, rarest)[0] if has_few_moves(self.position) else None
        if not found and before.rarity > BELIEVED:
            found = self._explain_without(before, evidence, rarest)[0]
        return found or best

    def _explain_otherwise(self, evidence: LookEvidence) -> tuple[Explanation | None, bool]:
        """What explains a look if the one before was something else than it was taken for; or, where nothing has
        explained the board for some time, one of those before it. And whether all was looked through, of those that
        may well have been something else."""
        befores, are_through = self._befores[::-1], True
        go_far = self._adrift or any(map(self._doubts, befores))
        for before in befores if go_far else befores[:1]:
            found, is_through = self._explain_instead(before, evidence)
            if found:
                return found, True
            are_through = are_through and (is_through or not self._doubts(before))
        return None, are_through

    def _doubts(self, before: _Before) -> bool:
        """Whether a look may well have been something else than it was taken for. Where nobody knows the time, turns
        that went unseen are no reason for that."""
        return before.is_doubtful and (
            self._unseen.is_timed or before.unseen.looks > 0 or before.rarity > BELIEVED or before.misread > MISREAD
        )

    def _explain_instead(self, before: _Before, evidence: LookEvidence) -> tuple[Explanation | None, bool]:
        """What explains a look if one before it was something else than it was taken for; and whether all has been
        looked through."""
        found, is_through = self._explain_after(before, evidence, before.rarity + ACCUSED)
        if not found and self._doubts(before):
            found, is_also_through = self._explain_without(before, evidence, before.rarity + ACCUSED)
            is_through = is_through and is_also_through
        return found, is_through

    def _explain_without(
        self, before: _Before, evidence: LookEvidence, rarest: float
    ) -> tuple[Explanation | None, bool]:
        """What explains a look if the one before was not what legal play made of it: a cheat that was put back since,
        or a piece in a hand."""
        now = self._unseen
        unseen = Unseen(before.unseen.looks + now.looks, before.unseen.room + now.room + 1, now.is_timed)
        explained = self._explained_from(before.lines, evidence, unseen if now.is_timed else NOTHING, RECONSIDERED)
        if explained.search and not explained.search.has_enough:
            return None, False
        as_before = [e for e in explained.found if e.kind is Kind.SAME and e.shortfall(evidence) <= LEGAL]
        if as_before:
            return as_before[0], True
        return self._least_rare(explained.found, evidence, rarest), explained.is_through

    def _least_rare(self, found: Iterable[Explanation], evidence: LookEvidence, rarest: float) -> Explanation | None:
        """The best of the turns that legal play explains a look by, none rarer than this."""
        legal = [e for e in found if e.kind in PLAYED and e.rarity <= rarest and e.shortfall(evidence) <= LEGAL]
        return min(legal, key=lambda one: one.cost, default=None)

    def _explain_after(self, before: _Before, evidence: LookEvidence, rarest: float) -> tuple[Explanation | None, bool]:
        """What explains a look if the one before was other turns than it was taken for."""
        unseen = self._unseen if self._unseen.is_timed else NOTHING
        found, is_through = self._explained_after(before, evidence, unseen)
        return self._least_rare(found, evidence, rarest), is_through

    def _explained_after(
        self, before: _Before, evidence: LookEvidence, unseen: Unseen
    ) -> tuple[list[Explanation], bool]:
        """All that explains a look after one that was other turns than it was taken for, and whether that is all."""
        others = before.others
        self._work.go_on(others)
        lines = [found.line for found in others.found.values() if found.line.moves != self.line.moves]
        if not lines:
            return [], others.gives_up
        lines = sorted(lines, key=lambda line: line.rarity)[:MOST_LINES]
        explained = self._explained_from(lines, evidence, unseen, RECONSIDERED)
        return explained.found, others.gives_up and explained.is_through

    def _is_misread(self, evidence: LookEvidence) -> bool:
        """Whether the free reading shows more pieces of a kind than there are: then it is wrong somewhere."""
        try:
            self.position.accept_as_seen(evidence.reading, self.position.seats[0])
        except MoreThanTheKit:
            return True
        except BadInput:
            return False
        return False

    # --- what it means

    def _accept(self, best: Explanation, evidence: LookEvidence, doubt: float = CONTRADICTS) -> Verdict:
        """`doubt`: how much rarer it is if it contradicts what was told."""
        wrong = evidence.against(self.position.visible())
        # When all that was told stays and something had gone unseen before it, nothing was taken back.
        if best.kind is Kind.BACK and not self.line.seen() < best.lines[0].seen():
            moves = best.lines[0].texts()[len(self.line.moves) - best.back :]
            code = "otherwise" if moves else "taken-back"
            reason = self._explain_illegal(evidence)
            return Verdict(VerdictKind.ILLEGAL, moves, reason, code, wrong, best.back)
        if best.kind is Kind.PARTIAL:
            if not best.turns and self._unseen.room < UNSHOWN and self._seconds:
                self._seconds = 0.0  # since the board that was known no turn was made, only begun
            return Verdict(VerdictKind.PARTIAL, code="partial", wrong=wrong)
        untold = self.line.texts() != self._told
        least = min(line.rarity for line in best.lines)
        if best.kind is not Kind.SAME or self._unseen.turns:  # there was time to go away and come back
            contradicts = best.lines[0].texts()[: len(self._told)] != self._told
            rarity = least + (doubt if contradicts else 0.0)
            self._remember(evidence, rarity, best.cost - best.prior)
            if best.kind is not Kind.SAME:
                self._borne_out = 0 if rarity > BELIEVED else self._borne_out + 1
        if best.kind is Kind.SAME and not untold and any(line is best.lines[0] for line in self.lines):
            return Verdict(VerdictKind.SAME, code="same")
        were_open = len(self._open())
        self.lines = [line._replace(rarity=line.rarity - least) for line in best.lines]
        # Routes of one turn that no look can tell apart are told now and settled later. Cards that a better look may
        # tell apart, and turns that may have been quite different ones, are not told at once: a better look, or the
        # next turn, may settle it.
        if best.kind is not Kind.MOVE or untold or any(visible_pieces(line.position) for line in self.lines):
            is_open = len(self._open()) > (1 if untold or best.kind is Kind.SAME else were_open)
            if is_open and self._held < MOST_HELD:
                self._held += 1
                return Verdict(
                    VerdictKind.UNSURE, code="several", open=tuple(line.texts() for line in self._open()[1:])
                )
        self._held = 0
        return self._tell()._replace(order_open=best.order_open)

    def _tell(self) -> Verdict:
        """The moves that are new, and how many of those told before they replace."""
        moves, told, same = self.line.texts(), self._told, 0
        while same < min(len(told), len(moves)) and moves[same] == told[same]:
            same += 1
        settled, self._told = len(told) - same, moves
        looks, told_looks = self.line.looks, self._told_looks
        before_last = looks[told_looks - 1] if 0 < told_looks <= len(looks) else same
        self._told_looks = len(looks)
        return Verdict(
            VerdictKind.MOVE,
            moves[same:],
            code="move",
            settled=settled,
            earlier=max(0, before_last - same) if settled else 0,
            open=tuple(line.texts() for line in self._open()[1:]),
        )

    def seen_moves(self, count: int) -> list[str]:
        """Of the last so many moves those that a camera can see."""
        moves, positions = self.line.moves[-count:], self.line.positions[-count - 1 : -1]
        return [str(move) for move, position in zip(moves, positions, strict=True) if move and position.is_seen(move)]

    def _open(self) -> list[Line]:
        """The lines that are as likely as the first, one for each way in which the game may go on."""
        likely = [line for line in self.lines if line.rarity < self.line.rarity + RARER]
        return one_of_each(likely)

    def _explain_illegal(self, evidence: LookEvidence) -> Reason:
        try:
            return self.position.explain_illegal(evidence.reading)
        except BadInput:  # the kit cannot show this
            return Reason("turn", "unexplained", {})


def alike(lines: Sequence[tuple[str, ...]]) -> int:
    """How many moves lines begin with that are the same. Of one that others only add to, the last move is left out, so
    that there is something to say of it."""
    same, most = 0, min(map(len, lines)) - 1
    while same < most and len({line[same] for line in lines}) == 1:
        same += 1
    return same


def _best(found: Sequence[Explanation]) -> Explanation:
    """The best explanation; of two that look alike the rarer one only where the pieces clearly lie so."""
    best = min(found, key=lambda one: one.cost)
    for other in found:
        if other.picture == best.picture and other.piece_cost + CLEAR + ANOTHER_MOVE < best.piece_cost:
            best = other
    return best
