"""The output of `companion judge`: whether every move is legal, and the state of the game."""

from typing import TypedDict

from companion.games.position import Scores, Seat, Visible
from companion.messages import say_reason
from companion.record import Record, Stood, replay


class IllegalMove(TypedDict):
    ply: int  # from 0
    move: str
    rule: str
    reason: str


class Judgment(TypedDict):
    ok: bool
    plies: int  # accepted
    illegal: IllegalMove | None
    over: bool
    to_move: Seat | None
    winner: Seat | None
    draw: bool
    scores: Scores
    visible: Visible
    why: str | None  # how it ended
    stood: list[int]  # the plies at which something illegal was accepted


def judge(record: Record, language: str = "en") -> Judgment:
    played = replay(record)
    position, outcome, illegal = played.position, played.outcome, played.illegal
    return {
        "ok": illegal is None,
        "plies": played.plies,
        "illegal": illegal
        and {
            "ply": illegal.ply,
            "move": illegal.move,
            "rule": illegal.reason.rule,
            "reason": say_reason(illegal.reason, language),
        },
        "over": outcome is not None,
        "to_move": None if outcome else position.to_move,
        "winner": outcome.winner if outcome else None,
        "draw": outcome.draw if outcome else False,
        "scores": outcome.scores if outcome else position.points(),
        "visible": position.visible(),
        "why": outcome.why if outcome else None,
        "stood": [n for n, entry in enumerate(record.moves[: played.plies]) if isinstance(entry, Stood)],
    }
