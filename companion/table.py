"""One table: what the camera sees and what persons decide become events in the store, and the game goes on.

Everything here happens in one thread. Whoever wants to know how the game stands asks for `record`, `position`,
`verdict` and `questions`; `changes` counts up when one of them changed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import cv2
import numpy as np

from companion.games.position import BadInput, Outcome, Player, Position, Reason, Visible
from companion.record import Illegal, illegal_move, read_record, replay
from companion.referee import Referee, Verdict, line_of
from companion.store import Entry, Store
from vision.pose import Image
from vision.reading import Reading

CORRECTION = 20.0  # seconds in which a player may make his last turn otherwise without being asked
LOOKS = 2  # that must agree before something is called illegal or unsure
NO_HAND = 5  # looks in a row at a board at rest after which what is in the way is no hand
BETWEEN_LOOKS = 0.2  # seconds
MOST_LOOKS = 6  # at a board that stays unclear, until something changes
AROUND, WIDE = 0.25, 720  # how much of the field's surroundings is kept, and how many pixels wide


class Question(NamedTuple):
    """What a camera cannot tell. The game goes on meanwhile."""

    id: str
    code: str  # stood, taken-back, otherwise, which, route, unseen
    params: dict[str, Any]
    choices: tuple[str, ...]  # empty: any text


class Table:
    def __init__(
        self, store: Store, game: int, keep_pictures: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Goes on with a game of the store, as it stands there."""
        self.store, self.game = store, game
        self.verdict = Verdict("same", code="same")
        self.questions: dict[str, Question] = {}
        self.changes = 0
        self.camera = ("", "")  # its state, and why
        self.keep_pictures, self._clock = keep_pictures, clock
        self._pending, self._looks, self._wants_look = self.verdict, 0, True
        self._hands, self._looked_at = 0, -BETWEEN_LOOKS  # looks in a row with something in the way; the last look
        self._seen: Visible = {}
        self._moved_at = -CORRECTION
        self._take(store.record(game))

    def _take(self, record: dict[str, Any]) -> None:
        read = read_record(json.dumps(record))
        played = replay(read)
        if played.illegal:
            raise illegal_move(played.illegal)
        self.record, self.read = record, read
        self.referee = Referee(line_of(read, played))
        self.questions = {}
        self._ask_for_unseen()

    @property
    def position(self) -> Position[Any]:
        return self.referee.position

    @property
    def moves(self) -> list[Any]:
        moves: list[Any] = self.record["moves"]
        return moves

    @property
    def outcome(self) -> Outcome | None:
        result = self.read.result
        return self.position.ended(result.winner, result.why) if result else self.position.outcome()

    @property
    def seen(self) -> Visible | None:
        """What the camera saw last, if it has seen anything yet."""
        return self._seen or None

    @property
    def next_seat(self) -> Player:
        """Whose turn it is after the one who is to move."""
        seats = self.position.seats
        turn = seats.index(self.position.to_move) if self.position.to_move in seats else -1
        return seats[(turn + 1) % len(seats)]

    @property
    def wants_look(self) -> bool:
        """Whether another look at a board at rest would help; asked once for each look."""
        if not self._wants_look or self._clock() - self._looked_at < BETWEEN_LOOKS:
            return False
        self._wants_look = False
        return True

    # --- what the camera sees

    def see(self, reading: Reading, image: Image) -> Verdict:
        """Judge a look at a board at rest."""
        assert reading.look is not None
        if self.outcome:
            return self.verdict
        self._hands = self._hands + 1 if reading.look.hand else 0
        self._looked_at = self._clock()
        verdict = self.referee.see(reading.look, past_hands=self._hands >= NO_HAND)
        self._seen = cast(Visible, reading.look.visible())
        picture = self._picture(reading, image) if verdict.kind not in ("same", "hand") else None
        if verdict.kind == "move":
            self._moved(verdict.moves, verdict.settled, picture)
        elif verdict.kind == "illegal" and verdict.moves and self._clock() - self._moved_at < CORRECTION:
            # the last turn, put right by the same player before the other has moved
            self.referee.take_back(verdict.back)
            self.referee.play(self.read.game.read(text) for text in verdict.moves)
            self._moved(verdict.moves, verdict.back, picture)
        else:
            self._told(verdict, picture)
        return verdict

    def _moved(self, moves: Sequence[str], instead_of: int, picture: bytes | None) -> None:
        back = [Entry(self.game, "back", {"count": instead_of, "by": "camera"})] if instead_of else []
        self.store.append_all([*back, Entry(self.game, "move", {"moves": list(moves), "by": "camera"}, picture)])
        self.moves[len(self.moves) - instead_of :] = moves
        self._moved_at = self._clock()
        self.questions = {}
        if choices := self.referee.choices():
            self._ask("which", {"moves": list(moves)}, tuple(choices))
        elif twins := self.referee.line.twins:
            self._ask("route", {"at": len(self.moves) - 1, "moves": list(moves)}, (moves[-1], *twins))
        self._ask_for_unseen()
        self._say(Verdict("move", tuple(moves), code="move"))
        self._end_by_rules()

    def _told(self, verdict: Verdict, picture: bytes | None) -> None:
        """A verdict that leaves the record as it is. What is wrong or unclear is looked at again before it is told."""
        doubtful = verdict.kind in ("unsure", "illegal")
        self._looks = self._looks + 1 if _alike(verdict, self._pending) else 1
        self._pending = verdict
        self._wants_look = (doubtful and self._looks < MOST_LOOKS) or 0 < self._hands < NO_HAND
        if _alike(verdict, self.verdict) or (doubtful and self._looks < LOOKS):
            return
        if doubtful or self.verdict.kind in ("unsure", "illegal"):
            self.store.append(self.game, "verdict", verdict_data(verdict), picture)
        self.questions = {
            id: asked for id, asked in self.questions.items() if asked.code in ("which", "route", "unseen")
        }
        self._say(verdict)
        if verdict.kind == "illegal":
            code = verdict.code if verdict.back else "stood"
            self._ask(code, {"moves": list(verdict.moves), "count": verdict.back, "seen": self._seen}, ("yes", "no"))

    def _say(self, verdict: Verdict) -> None:
        self.verdict = self._pending = verdict
        self._looks = 0
        self.changes += 1

    def camera_is(self, state: str, why: str = "") -> None:
        """The camera came or went."""
        if (state, why) != self.camera:
            self.camera = (state, why)
            self.store.append(self.game, "camera", {"state": state, "why": why})
            self.changes += 1

    def bumped(self) -> None:
        self.store.append(self.game, "camera", {"state": "bumped", "why": ""})

    def _picture(self, reading: Reading, image: Image) -> bytes | None:
        """The field and its nearest surroundings, not the room."""
        if not self.keep_pictures:
            return None
        corners = reading.corners
        middle = corners.mean(axis=0)
        around = middle + (1 + AROUND) * (corners - middle)
        (left, top), (right, bottom) = np.floor(around.min(axis=0)).astype(int), np.ceil(around.max(axis=0)).astype(int)
        part: Image = image[max(0, top) : max(1, bottom), max(0, left) : max(1, right)]
        if part.shape[1] > WIDE:
            high = round(part.shape[0] * WIDE / part.shape[1])
            part = np.asarray(cv2.resize(part, (WIDE, high), interpolation=cv2.INTER_AREA), np.uint8)
        return cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()

    # --- what persons decide

    def play(self, moves: Sequence[str], by: str = "person") -> None:
        """Moves that a person says were made. BadInput if one is illegal."""
        if self.read.result and moves:
            raise illegal_move(Illegal(len(self.moves), moves[0], Reason("over", "over", {})))
        self._change({"moves": [*self.moves, *moves]}, "move", {"moves": list(moves), "by": by})

    def take_back(self, count: int = 1, by: str = "person") -> None:
        if not 0 < count <= len(self.moves):
            raise BadInput("count", "nothing-to-take-back", most=len(self.moves))
        self._change({"moves": self.moves[:-count], "result": None}, "back", {"count": count, "by": by})

    def stand(self, seen: Visible, to_move: Player, note: str = "", by: str = "person") -> None:
        """What lies on the table is accepted, though no legal move led there."""
        entry = {"stood": seen, "to_move": to_move, "note": note}
        self._change({"moves": [*self.moves, entry]}, "stood", {"entry": entry, "by": by})

    def end(self, winner: Player | None, why: str, by: str = "person") -> None:
        """The players or a referee end the game."""
        result = {"winner": winner, "why": why}
        self._change({"result": result}, "result", {**result, "by": by})

    def open_again(self, by: str = "person") -> None:
        self._change({"result": None}, "result", {"winner": None, "why": None, "by": by})

    def answer(self, question: str, answer: str, by: str = "person") -> None:
        if (asked := self.questions.get(question)) is None:
            raise BadInput(question, "no-such-question")
        if asked.choices and answer not in asked.choices:
            raise BadInput(question, "not-one-of", value=answer, choices=", ".join(asked.choices))
        self._act_on(asked, answer, by)  # refused, it has not been answered
        self.store.append(self.game, "answer", {"id": question, "answer": answer, "by": by})
        self.questions.pop(question, None)
        self.changes += 1

    def _act_on(self, asked: Question, answer: str, by: str) -> None:
        if asked.code == "which":
            told = self.referee.settle(self.referee.choices()[answer])
            self._moved(told.moves, told.settled, None)
        elif asked.code in ("unseen", "route"):
            at, move = asked.params["at"], asked.params.get("sign", "") + answer
            if move == self.moves[at]:
                return
            self._change(
                {"moves": [*self.moves[:at], move, *self.moves[at + 1 :]]}, "settle", {"at": at, "move": move, "by": by}
            )
        elif answer == "yes" and asked.code == "stood":
            self.stand(asked.params["seen"], self.next_seat, by=by)
        elif answer == "yes":
            self.take_back(asked.params["count"], by)
            if asked.params["moves"]:
                self.play(asked.params["moves"], by)

    def _change(self, changes: dict[str, Any], kind: str, data: dict[str, Any]) -> None:
        """Goes over to another record if the rules allow it, and only then says so in the log."""
        record = {name: value for name, value in {**self.record, **changes}.items() if value is not None}
        self._take(record)
        self.store.append(self.game, kind, data)
        self._moved_at = -CORRECTION
        self._say(Verdict("same", code="same"))
        self._wants_look = True
        self._end_by_rules()

    def _end_by_rules(self) -> None:
        if self.outcome and not self.read.result:
            winner, draw, why, scores = self.outcome
            self.store.append(self.game, "over", {"winner": winner, "draw": draw, "why": why, "scores": scores})

    # --- questions

    def _ask(self, code: str, params: dict[str, Any], choices: tuple[str, ...]) -> None:
        question = Question(f"{code}-{self.store.last}", code, params, choices)
        self.questions[question.id] = question
        self.store.append(self.game, "question", question._asdict())

    def _ask_for_unseen(self) -> None:
        """Cards that were drawn or discarded while nobody could see them; asked for, never waited for."""
        for at, move in enumerate(self.moves):
            if move in ("+?", "-?"):
                id = f"unseen-{at}"
                player = self.referee.line.positions[at].to_move
                self.questions[id] = Question(id, "unseen", {"at": at, "sign": move[0], "player": player}, ())


def _alike(one: Verdict, other: Verdict) -> bool:
    return (one.kind, one.code, one.wrong, one.moves) == (other.kind, other.code, other.wrong, other.moves)


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """A verdict as the log keeps it."""
    return {
        "verdict": verdict.kind,
        "code": verdict.code,
        "moves": list(verdict.moves),
        "reason": verdict.reason and {**verdict.reason._asdict(), "params": dict(verdict.reason.params)},
        "squares": [wrong._asdict() for wrong in verdict.wrong],
    }
