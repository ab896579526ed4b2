"""The game in play: what the camera sees and what persons decide become events in the log, and the game goes on.

Everything here happens in one thread. `changes` counts up when something changed that others are shown.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, cast

import cv2
import numpy as np

from companion.errors import BadInput, Reason, UnreadableMove
from companion.events import (
    AcceptedAsSeen,
    By,
    CameraChanged,
    EndedByPersons,
    EndedByRules,
    EventKind,
    HintShown,
    MoveCorrected,
    Moved,
    Paused,
    PlayingTime,
    QuestionAnswered,
    QuestionAsked,
    TakenBack,
    VerdictGiven,
)
from companion.games.game import AnyGame
from companion.games.match import Match
from companion.games.position import AnyPosition, Outcome, Seat, Visible
from companion.matches import match_before, seating_in
from companion.record import (
    Ending,
    Illegal,
    MoveEntry,
    Result,
    StoodEntry,
    illegal_move,
    play_entry,
    read_entry,
    read_record,
    read_result,
)
from companion.record_files import require_legal
from companion.referee import Line, Referee, Verdict, VerdictKind, line_of
from companion.referee.referee import alike
from companion.rights import Action, Claim, claim, claim_of_answer
from companion.store import NewEvent, Store
from companion.table.in_the_way import InTheWay
from companion.table.kept_looks import seen_as_json
from vision.pose import Image
from vision.reading import Reading

CORRECTION = 20.0  # seconds in which a player may make his last turn otherwise without being asked
LOOKS = 2  # that must agree before something is called illegal or unsure
BETWEEN_LOOKS = 0.2  # seconds
MOST_LOOKS = 6  # at a board that stays unclear, until something changes
AROUND, WIDE = 0.25, 720  # how much of the field's surroundings is kept, and how many pixels wide
NOTHING_NEW = Verdict(VerdictKind.SAME, code="same")
DOUBTFUL = (VerdictKind.UNSURE, VerdictKind.ILLEGAL)  # verdicts that are looked at again before they are told


STUCK = 8.0  # seconds for which nothing explains the board before ways out are offered
THINKS = 0.03  # seconds of each step for which turns that were not seen are looked for
MOST_KEPT = 3  # looks that are kept with an event
NOT_SEEN = "?"  # the note of what was taken as it stands, because nobody saw how it came about


class QuestionCode(StrEnum):
    STOOD = "stood"
    TAKEN_BACK = "taken-back"
    OTHERWISE = "otherwise"
    WHICH = "which"
    STUCK = "stuck"
    ROUTE = "route"
    UNSEEN = "unseen"


class Question(NamedTuple):
    """What a camera cannot tell. The game goes on meanwhile; at most one stands, about what matters most now."""

    id: str
    code: QuestionCode
    params: dict[str, Any]
    choices: tuple[str, ...]  # empty: any text


class Table:
    def __init__(
        self, store: Store, number: int, keep_pictures: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Goes on with a game of the log, as it stands there. BadInput if it cannot be played."""
        kept = store.game(number)
        self.store, self.number, self.paused = store, number, kept.paused
        self.record = kept.record  # put in place of the one before when it changes, never changed itself
        self.opened = read_record(json.dumps(kept.record))
        self.game, self.result = self.opened.game, self.opened.result
        self.given = kept.given if self.game.is_solitaire else 0  # moves that belong to the problem
        self.hinted, self._time = kept.hinted, kept.time
        self._match, self._seated = match_before(store, number), None
        if self._match:
            self._seated = seating_in(kept.record, self._match)
        self.match_number = kept.match["number"] if kept.match else 0
        self._line = line_of(self.opened, require_legal(self.opened))  # the record's; the referee may know more
        self.referee = Referee(self._line)
        self.changes = 0
        self.keep_pictures, self._clock = keep_pictures, clock
        self.question: Question | None = None
        self.unsaid: dict[str, Question] = {}  # bookkeeping that nobody is asked for, but may fill in
        self._outcome: tuple[AnyPosition, Result | None, Outcome | None] | None = None
        self._moved_at = -CORRECTION
        self._forget_looks()
        self._note_unsaid()

    def _forget_looks(self) -> None:
        self.verdict = self._pending = NOTHING_NEW
        self.seen: Visible | None = None  # what the camera saw last
        self._looks = 0  # that agree with the pending verdict
        self._in_the_way = InTheWay()
        self._looked_at, self._wants_look = -BETWEEN_LOOKS, True
        self._unclear_since: float | None = None  # when something was told first that nothing explains
        self._kept: list[dict[str, Any]] = []  # the looks since the last event
        self._disturbed: float | None = 0.0  # for how many seconds the board was, since the last look that was kept

    @property
    def position(self) -> AnyPosition:
        return self.referee.position

    @property
    def positions(self) -> tuple[AnyPosition, ...]:
        return self.referee.line.positions

    @property
    def moves(self) -> list[MoveEntry]:
        moves: list[MoveEntry] = self.record["moves"]
        return moves

    @property
    def outcome(self) -> Outcome | None:
        position, result = self.position, self.result
        if self._outcome is None or self._outcome[0] is not position or self._outcome[1] is not result:
            outcome = position.ended(result.winner, result.why) if result else position.outcome()
            self._outcome = position, result, outcome
        return self._outcome[2]

    @property
    def match(self) -> Match | None:
        """The match that this game belongs to, as it stands now."""
        return self._match.after(self.outcome, self._seated) if self._match and self.outcome else self._match

    @property
    def time(self) -> PlayingTime:
        """The time that was played, by the wall's clock."""
        return self._time.switch(time.time(), not self.paused and not self.outcome)

    @property
    def next_seat(self) -> Seat:
        """Whose turn it is after the one who is to move."""
        seats = self.position.seats
        turn = seats.index(self.position.to_move) if self.position.to_move in seats else -1
        return seats[(turn + 1) % len(seats)]

    # --- what the camera sees

    @property
    def wants_look(self) -> bool:
        """Whether another look at a board at rest would help; asked once for each look."""
        if not self._wants_look or self._clock() - self._looked_at < BETWEEN_LOOKS:
            return False
        self._wants_look = False
        return True

    def look_anew(self) -> None:
        """Another camera looks from now on: what was seen before counts no more, but for what was made of it."""
        self.referee = Referee(self._line)
        self._forget_looks()
        self.question = None
        self._note_unsaid()
        self.changes += 1

    def update(self) -> None:
        """What is done beside the looks: the search for unseen turns goes on, and ways out are offered in time."""
        if self.referee.is_searching and self.referee.think(THINKS):
            self._looks, self._wants_look = min(self._looks, MOST_LOOKS - 1), True
        since, asked = self._unclear_since, self.question
        offered = asked is not None and asked.code not in (QuestionCode.STOOD, QuestionCode.WHICH)
        if since is not None and not offered and self._clock() - since > STUCK and not self.outcome:
            self._ask(QuestionCode.STUCK, {"seen": self.seen}, ("stands", "put-back", "agreed"))
            self.changes += 1

    def see(self, reading: Reading, image: Image, disturbed: float | None = None) -> Verdict:
        """Judge a look at a board at rest. `disturbed`: for how many seconds it was not, since the look before."""
        assert reading.look is not None
        if self.outcome:
            return self._see_ended(reading, image, disturbed)
        stands = self._in_the_way.see(reading.look)
        self._looked_at = self._clock()
        past_hands = self._in_the_way.is_no_hand
        verdict = self.referee.see(reading.look, past_hands, disturbed)
        if stands and verdict.kind is VerdictKind.SAME:
            verdict = Verdict(VerdictKind.HAND, code="stands", on=stands)
        self.seen = cast(Visible, reading.look.visible())
        self._disturbed = None if disturbed is None or self._disturbed is None else self._disturbed + disturbed
        if verdict.kind not in ("same", "hand") or self.verdict.kind != "same":
            self._keep(seen_as_json(reading.look, past_hands, self._disturbed))
        if verdict.kind != "hand":
            self._disturbed = 0.0
        picture = self._picture(reading, image) if verdict.kind not in ("same", "hand") else None
        if verdict.kind == "move":
            self._follow_referee(picture, order_open=verdict.order_open)
        elif verdict.kind == "illegal" and verdict.moves and self._clock() - self._moved_at < CORRECTION:
            # the last turn, put right by the same player before the other has moved
            self.referee.correct(verdict)
            self._follow_referee(picture)
        else:
            self._tell(verdict, picture)
        return verdict

    def _see_ended(self, reading: Reading, image: Image, disturbed: float | None) -> Verdict:
        """A look at a game that is over. Where the looks left open whether it is, and this one shows that play went on,
        it never ended; what else is done with the pieces concerns nobody any more."""
        if not self.result and self.referee.may_go_on:
            assert reading.look is not None
            verdict = self.referee.see(reading.look, disturbed=disturbed)
            if verdict.kind is VerdictKind.MOVE:
                self._follow_referee(self._picture(reading, image), order_open=verdict.order_open)
        return self.verdict

    def note_hint(self, move: str) -> None:
        """A solver was shown what to do."""
        self.hinted += 1
        self.store.append(self.number, EventKind.HINT, HintShown(move=move))
        self.changes += 1

    def note_camera(self, state: str, why: str = "") -> None:
        """The camera came or went, or was bumped."""
        self.store.append(self.number, EventKind.CAMERA, CameraChanged(state=state, why=why))

    def _follow_referee(self, picture: bytes | None, by: str = By.CAMERA, order_open: bool = False) -> None:
        """The record becomes what the referee knows now: new moves, some perhaps in place of what was told before."""
        before, now = self._line.texts(), self.referee.line.texts()
        self._line, same = self.referee.line, 0
        while same < min(len(before), len(now)) and before[same] == now[same]:
            same += 1
        back, moves = len(before) - same, now[same:]
        happened = [NewEvent(self.number, EventKind.BACK, TakenBack(count=back, by=by))] if back else []
        if moves:
            moved = Moved(moves=list(moves), by=by)
            if order_open:
                moved["order_open"] = True
            happened.append(NewEvent(self.number, EventKind.MOVE, self._with_looks(moved), picture))
        self.store.append_all(happened)
        self.record = {**self.record, "moves": [*self.moves[:same], *moves]}
        self._moved_at = self._clock()
        self._note_unsaid()
        if moves and (twins := self.referee.line.twins):
            at = len(self.moves) - 1
            route = Question(f"{QuestionCode.ROUTE}-{at}", QuestionCode.ROUTE, {"at": at}, (moves[-1], *twins))
            self.unsaid[route.id] = route
        self._ask_which()
        self._say(Verdict(VerdictKind.MOVE, tuple(moves), code="move"))
        self._end_by_rules()

    def _tell(self, verdict: Verdict, picture: bytes | None) -> None:
        """A verdict that leaves the record as it is. What is wrong or unclear is looked at again before it is told."""
        doubtful = verdict.kind in DOUBTFUL
        self._looks = self._looks + 1 if _alike(verdict, self._pending) else 1
        self._pending = verdict
        self._wants_look = (doubtful and self._looks < MOST_LOOKS) or self._in_the_way.is_open
        if _alike(verdict, self.verdict) or (doubtful and self._looks < LOOKS):
            return
        if doubtful or self.verdict.kind in DOUBTFUL:
            self.store.append(self.number, EventKind.VERDICT, self._with_looks(_judged(verdict)), picture)
        since = self._unclear_since
        self._say(verdict)
        if doubtful:
            self._unclear_since = self._clock() if since is None else since
            if self.question and self.question.code is QuestionCode.STUCK:
                return
        self._ask_which()
        if verdict.kind == "illegal":
            code = QuestionCode(verdict.code) if verdict.back else QuestionCode.STOOD
            self._ask(code, {"moves": list(verdict.moves), "count": verdict.back, "seen": self.seen}, ("yes", "no"))

    def _say(self, verdict: Verdict) -> None:
        self.verdict = self._pending = verdict
        self._looks, self._unclear_since = 0, None
        self.changes += 1

    def _with_looks(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """An event's data, with the looks that it was made of."""
        kept, self._kept = self._kept, []
        return {**data, "looks": kept} if kept else dict(data)

    def _keep(self, seen: dict[str, Any]) -> None:
        """The newest looks, the first of them with the time for which the board was disturbed before it."""
        kept = [*self._kept, seen]
        if len(kept) > MOST_KEPT:
            times = [look["disturbed"] for look in kept[:2]]
            kept[1] = {**kept[1], "disturbed": None if None in times else sum(times)}
        self._kept = kept[-MOST_KEPT:]

    def _picture(self, reading: Reading, image: Image) -> bytes | None:
        """The field and its nearest surroundings, not the room."""
        if not self.keep_pictures:
            return None
        corners = reading.outline
        middle = corners.mean(axis=0)
        around = middle + (1 + AROUND) * (corners - middle)
        (left, top), (right, bottom) = np.floor(around.min(axis=0)).astype(int), np.ceil(around.max(axis=0)).astype(int)
        part: Image = image[max(0, top) : max(1, bottom), max(0, left) : max(1, right)]
        if part.shape[1] > WIDE:
            high = round(part.shape[0] * WIDE / part.shape[1])
            part = np.asarray(cv2.resize(part, (WIDE, high), interpolation=cv2.INTER_AREA), np.uint8)
        return cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()

    # --- what persons want, as rights know it

    def claim_to_play(self, moves: Sequence[str]) -> Claim:
        """For everybody who makes one of these moves."""
        return claim(Action.PLAY, *self._movers_of(self._line, moves))

    def claim_to_take_back(self, count: int) -> Claim:
        """Who takes back a move that ended the game opens it again, which concerns all; what persons decided is theirs
        no more."""
        if self.result:
            return claim(Action.REOPEN)
        return claim(Action.TAKE_BACK, *(self.position.seats if self.outcome else self._movers(count)))

    def claim_to_end(self, winner: Seat | None, why: str) -> Claim:
        losers = [seat for seat in self.position.seats if winner not in (seat, self.position.side(seat))]
        if self.outcome:  # it has ended already
            return claim(Action.END)
        match why:
            case Ending.RESIGNED:
                return claim(Action.RESIGN, *losers)
            case Ending.TIME:
                return claim(Action.CALL_TIME, *losers)
            case Ending.AGREED:
                return claim(Action.AGREE)
        return claim(Action.END)

    def claim_to_answer(self, question: str, answer: str) -> Claim:
        asked = self._asked(question)
        return claim_of_answer(asked.code, answer, self._concerned(asked))

    def _concerned(self, asked: Question) -> set[Seat | None]:
        """Whose moves an answer decides."""
        params, line = asked.params, self._line
        match asked.code:
            case _ if self.outcome:
                return set(self.position.seats)
            case QuestionCode.ROUTE | QuestionCode.UNSEEN:
                return {line.positions[params["at"]].to_move}
            case QuestionCode.WHICH:
                return self._differing(list(self.referee.choices().values()))
        before = line.before(params.get("count", 0))
        return {*self._movers(params.get("count", 0)), *self._movers_of(before, params.get("moves", ()))}

    def _differing(self, lines: Sequence[tuple[str, ...]]) -> set[Seat | None]:
        """Who made the moves in which these lines differ."""
        found, told = set[Seat | None](), self._line.texts()
        for line in lines:
            same = 0
            while same < min(len(line), len(told)) and line[same] == told[same]:
                same += 1
            known = self._line.before(len(self._line.moves) - same)
            seats = [*(position.to_move for position in known.positions[:-1]), *self._movers_of(known, line[same:])]
            found |= {seats[n] for n in range(len(line)) if any(other[n : n + 1] != line[n : n + 1] for other in lines)}
        return found

    def _movers_of(self, line: Line, moves: Sequence[str]) -> list[Seat | None]:
        """Who would make these moves; of those that are refused when they are played, nobody asks."""
        movers = []
        for text in moves:
            movers.append(line.positions[-1].to_move)
            try:
                line = self._played(line, [completed(self.game, line.positions[-1], text)])
            except BadInput:
                break
        return movers

    def _movers(self, count: int) -> list[Seat | None]:
        """Who made the last moves."""
        return [position.to_move for position in self._line.positions[:-1][-count:]] if count else []

    # --- what persons decide

    def play(self, moves: Sequence[str], by: str = By.PERSON) -> None:
        """Moves that a person says were made. BadInput if one is illegal."""
        if self.result and moves:
            raise illegal_move(Illegal(len(self.moves), moves[0], Reason("over", "over", {})))
        line, texts = self._line, list[str]()
        for text in moves:
            texts.append(completed(self.game, line.positions[-1], text))
            line = self._played(line, texts[-1:])
        self._go_on(line, [*self.moves, *texts], self.result, EventKind.MOVE, Moved(moves=texts, by=by))

    def take_back(self, count: int = 1, by: str = By.PERSON) -> None:
        if not 0 < count <= len(self.moves) - self.given:
            raise BadInput("count", "nothing-to-take-back", most=len(self.moves) - self.given)
        line = self._line.before(count)
        self._go_on(line, self.moves[:-count], None, EventKind.BACK, TakenBack(count=count, by=by))

    def accept_as_seen(self, note: str = "", to_move: Seat | None = None, by: str = By.REFEREE) -> None:
        """What the camera sees now is accepted, though no legal move led there."""
        if self.seen is None:
            raise BadInput("", "nothing-seen")
        if to_move is not None and to_move not in self.position.seats:
            raise BadInput("to_move", "not-one-of", value=to_move, choices=", ".join(self.position.seats))
        self._accept(self.seen, to_move or self.next_seat, note, by)

    def end(self, winner: Seat | None, why: str, by: str = By.PERSON) -> None:
        """The players or a referee end the game."""
        result = read_result({"winner": winner, "why": why}, self.position.players)
        self._go_on(self._line, self.moves, result, EventKind.RESULT, EndedByPersons(winner=winner, why=why, by=by))

    def open_again(self, by: str = By.PERSON) -> None:
        self._go_on(self._line, self.moves, None, EventKind.RESULT, EndedByPersons(winner=None, why=None, by=by))

    def pause(self, paused: bool) -> None:
        """Nothing is looked at meanwhile, and the clock stands."""
        if paused != self.paused:
            self.paused = paused
            self._time = self.time
            self.store.append(self.number, EventKind.PAUSE, Paused(paused=paused))
            self.changes += 1

    def answer(self, question: str, answer: str, by: str = By.PERSON) -> None:
        asked = self._asked(question)
        if asked.choices and answer not in asked.choices:
            raise BadInput(question, "not-one-of", value=answer, choices=", ".join(asked.choices))
        self._act_on(asked, answer, by)  # refused, it has not been answered
        self.store.append(self.number, EventKind.ANSWER, QuestionAnswered(id=question, answer=answer, by=by))
        if self.question and self.question.id == question:
            self.question = None
        self.changes += 1

    def _act_on(self, asked: Question, answer: str, by: str) -> None:
        params = asked.params
        match asked.code:
            case QuestionCode.WHICH:
                self.referee.settle(self.referee.choices()[answer])
                self._follow_referee(None, by)
            case QuestionCode.ROUTE:
                self._settle(params["at"], answer, by)
            case QuestionCode.UNSEEN:
                self._settle(params["at"], self._seen_as(params["at"], answer), by)
            case QuestionCode.STOOD if answer == "yes":
                self._accept(params["seen"], self.next_seat, "", by)
            case QuestionCode.STUCK if answer == "stands":
                self._accept(self.seen or params["seen"], self.next_seat, NOT_SEEN, by)
            case QuestionCode.TAKEN_BACK | QuestionCode.OTHERWISE if answer == "yes":
                self.take_back(params["count"], by)
                if params["moves"]:
                    self.play(params["moves"], by)

    def _seen_as(self, at: int, what: str) -> str:
        """A move that nobody saw, now that somebody says what it was."""
        try:
            return str(self._line.positions[at].seen_as(self._line.moves[at], what))
        except UnreadableMove as error:
            raise illegal_move(Illegal(at, what, error.reason)) from None

    def _settle(self, at: int, move: str, by: str) -> None:
        """One move of the record was another one. What came after it must still be legal."""
        if move == self.moves[at]:
            return
        moves = [*self.moves[:at], move, *self.moves[at + 1 :]]
        line = self._played(self._line.before(len(self.moves) - at), moves[at:])
        self._go_on(line, moves, self.result, EventKind.SETTLE, MoveCorrected(at=at, move=move, by=by))

    def _accept(self, seen: Visible, to_move: Seat, note: str, by: str) -> None:
        entry: StoodEntry = {"stood": seen, "to_move": to_move, "note": note}
        line = self._played(self._line, [entry])
        self._go_on(line, [*self.moves, entry], self.result, EventKind.STOOD, AcceptedAsSeen(entry=entry, by=by))

    def _played(self, line: Line, entries: Sequence[MoveEntry]) -> Line:
        """A line with these entries added. BadInput if one is illegal."""
        moves, positions = list(line.moves), list(line.positions)
        for entry in entries:
            ply = len(moves)
            read = read_entry(entry, f"moves[{ply}]", self.opened.start)
            step = play_entry(self.game, positions[-1], read, ply)
            if isinstance(step, Illegal):
                raise illegal_move(step)
            moves.append(step.move)
            positions.append(step.position)
        return Line(self.game, tuple(moves), tuple(positions))

    def _go_on(
        self, line: Line, moves: list[MoveEntry], result: Result | None, kind: EventKind, data: Mapping[str, Any]
    ) -> None:
        """The game stands so from now on, as persons decided: what the rules allow, and only then is it logged."""
        self._line, self.result = line, result
        self.record = {name: value for name, value in self.record.items() if name != "result"} | {"moves": moves}
        if result:
            self.record["result"] = {"winner": result.winner, "why": result.why}
        self.referee = Referee(line)
        self.store.append(self.number, kind, data)
        self.question = None
        self._note_unsaid()
        self._moved_at = -CORRECTION
        self._say(NOTHING_NEW)
        self._wants_look = True
        self._end_by_rules()

    def _end_by_rules(self) -> None:
        self._time = self.time  # which stands when the game is over
        if self.outcome and not self.result:
            winner, draw, why, scores = self.outcome
            self.store.append(
                self.number, EventKind.OVER, EndedByRules(winner=winner, draw=draw, why=why, scores=scores)
            )

    # --- questions

    def _ask(self, code: QuestionCode, params: dict[str, Any], choices: tuple[str, ...]) -> None:
        """What matters most now, instead of what was asked before."""
        self.question = Question(f"{code}-{self.store.last}", code, params, choices)
        asked = QuestionAsked(id=self.question.id, code=code, params=params, choices=choices)
        self.store.append(self.number, EventKind.QUESTION, asked)

    def _ask_which(self) -> None:
        """Where the looks leave open how the game goes on, and only as long as they do."""
        choices, asked = tuple(self.referee.choices()), self.question
        if not choices:
            self.question = None
        elif asked is None or asked.code is not QuestionCode.WHICH or asked.choices != choices:
            lines = list(self.referee.choices().values())
            at = alike(lines)
            told = {choice: list(line[at:]) for choice, line in zip(choices, lines, strict=True)}
            self._ask(QuestionCode.WHICH, {"at": at, "lines": told}, choices)

    def _asked(self, id: str) -> Question:
        """What is asked, or may be filled in, under this name."""
        asked = self.question if self.question and self.question.id == id else self.unsaid.get(id)
        if asked is None:
            raise BadInput(id, "no-such-question")
        return asked

    def _note_unsaid(self) -> None:
        """What was done while nobody could see what it was."""
        self.unsaid = {}
        for at, (move, position) in enumerate(zip(self._line.moves, self._line.positions, strict=False)):
            if move is not None and position.as_unseen(move) == move:
                id = f"{QuestionCode.UNSEEN}-{at}"
                params = {"at": at, "move": str(move), "player": position.to_move}
                self.unsaid[id] = Question(id, QuestionCode.UNSEEN, params, ())


def completed(game: AnyGame, position: AnyPosition, text: str) -> str:
    """A move as it is, though its maker cannot know all of it before: what lies under a tile that is turned up."""
    if not game.secret:
        return text
    try:
        known = position.without_secret(game.read(text))
    except UnreadableMove:
        return text
    meant = []
    for move in position.moves():
        meant += [one for one in (move, position.announced(move)) if one and position.without_secret(one) == known]
    return str(meant[0]) if len(meant) == 1 else text


def _alike(one: Verdict, other: Verdict) -> bool:
    return (one.kind, one.code, one.wrong, one.moves, one.on) == (
        *(other.kind, other.code, other.wrong),
        *(other.moves, other.on),
    )


def _judged(verdict: Verdict) -> VerdictGiven:
    """A verdict as the log keeps it."""
    return {
        "verdict": verdict.kind,
        "code": verdict.code,
        "moves": list(verdict.moves),
        "reason": verdict.reason and {**verdict.reason._asdict(), "params": dict(verdict.reason.params)},
        "squares": [wrong._asdict() for wrong in verdict.wrong],
        "on": list(verdict.on),
    }
