"""The legal moves for the page, and the reasons why other moves are illegal.

The page never parses a move's text: each move comes with its trace and its pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from flask import Response

from companion.errors import BadInput, UnreadableMove
from companion.games import game as game_of
from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Piece, Trace
from companion.messages import say, say_move, say_reason
from companion.table.table import completed
from web import answers
from web.access import cached, language, table_state
from web.inputs import WhyQuery
from web.move_views import piece_of, sentence, trace_of

BLANK = "{}"  # placeholder in a move's text for the name of a piece to choose
MOST_MEANT = 200  # candidate moves that are tried to explain a refusal


def moves() -> Response:
    return cached(lambda: _moves(language()), "application/json")


def _moves(tongue: str) -> str:
    now = table_state()
    if now.game is None or now.outcome:
        return _written({"moves": [], "choices": []})
    return _offered(now.game.id, now.position, tongue)


@lru_cache(maxsize=16)
def _offered(game_id: str, position: AnyPosition, tongue: str) -> str:
    """Cached, since a table's state changes far more often than its position."""
    return _written(offered_moves(game_of(game_id), position, tongue))


def _written(found: answers.Moves) -> str:
    return json.dumps(found, separators=(",", ":"))


def offered_moves(game: AnyGame, position: AnyPosition, tongue: str) -> answers.Moves:
    """The legal moves. Moves that differ only in the piece taken become one with a list of pieces to choose from."""
    groups: dict[object, _Group] = {}
    pieces = _Pieces(tongue)
    for move in _candidates(position):
        text, trace = str(move), position.trace(move)
        group = groups.get(key := _alike(text, trace))
        if group is None:
            groups[key] = _Group(move, text, trace, list(trace.pieces))
        else:
            group.pieces.append(trace.pieces[0])
    told: list[answers.Move] = []
    choices: dict[tuple[Piece, ...], int] = {}
    for group in groups.values():
        if len(group.pieces) > len(group.trace.pieces):
            place = choices.setdefault(tuple(group.pieces), len(choices))
            told.append(_choice(position, group, place, tongue))
        else:
            told.append(_single(game, position, group, tongue, pieces))
    return {"moves": told, "choices": [[pieces[piece] for piece in some] for some in choices]}


class _Pieces(dict[Piece, answers.Piece]):
    """A cache of pieces in words: hundreds of moves take one of a few pieces."""

    def __init__(self, tongue: str) -> None:
        self._tongue = tongue

    def __missing__(self, piece: Piece) -> answers.Piece:
        told = self[piece] = piece_of(piece, self._tongue)
        return told


def _candidates(position: AnyPosition) -> Iterator[Any]:
    """The moves to offer. A move whose piece nobody sees (a card drawn) is offered both with the piece and without."""
    hidden: list[Any] = []
    unseen: dict[str, Any] = {}
    for move in position.moves():
        if (other := position.as_unseen(move)) is None:
            yield move
        else:
            hidden.append(move)
            unseen[str(other)] = other
    yield from (move for move in unseen.values() if position.why_not(move) is None)
    yield from hidden


class _Group(NamedTuple):
    """A move, and the pieces that it may take instead of its own."""

    move: Any
    text: str
    trace: Trace
    pieces: list[Piece]


def _alike(text: str, trace: Trace) -> object:
    """A key that is equal for moves that differ only in the name of the piece they take."""
    if len(trace.pieces) != 1 or not (name := trace.pieces[0].name):
        return text
    return text.replace(name, BLANK, 1), trace.pieces[0].kind, trace.start, trace.route, trace.laid, trace.to


def _choice(position: AnyPosition, one: _Group, choices: int, tongue: str) -> answers.Move:
    """A group of moves that differ only in the piece, as one move with a placeholder for the piece's name."""
    name = one.trace.pieces[0].name
    phrase = position.describe(one.move)
    blank = {param: BLANK if value == name else value for param, value in phrase.params.items()}
    told = _told(one.text.replace(name, BLANK, 1), say_move(phrase._replace(params=blank), tongue), one.trace)
    told["choices"] = choices
    if announced := position.announced(one.move):
        told["announced"] = str(announced).replace(name, BLANK, 1)
    return told


def _single(game: AnyGame, position: AnyPosition, one: _Group, tongue: str, pieces: _Pieces) -> answers.Move:
    """A single move. A tile that lies face down is not revealed."""
    open_text = position.without_secret(one.move)
    move = one.move if open_text == one.text else game.read(open_text)
    trace = one.trace if move is one.move else position.trace(move)
    told = _told(open_text, say_move(position.describe(move), tongue), trace)
    if trace.pieces:
        told["pieces"] = [pieces[piece] for piece in trace.pieces]
    if trace.top:
        told["top"] = trace.top
    if announced := position.announced(one.move):
        told["announced"] = position.without_secret(announced)
    return told


def _told(text: str, label: str, trace: Trace) -> answers.Move:
    return {"move": text, "label": sentence(label), "trace": trace_of(trace)}


# --- why not


def why(query: WhyQuery) -> answers.Why:
    now = table_state()
    if now.game is None:
        raise BadInput("", "no-table")
    if query.squares:
        return _over() if now.outcome else _why_together(now.position, query.squares)
    if not query.move:
        raise BadInput("move", "not-a-short-text", most=100)
    try:
        reason = now.position.why_not(now.game.read(completed(now.game, now.position, query.move)))
    except UnreadableMove as error:
        reason = error.reason
    if now.outcome and not reason:
        return _over()
    said = say_reason(reason, language()) if reason else None
    return {"legal": reason is None, "rule": reason.rule if reason else None, "reason": said}


def _why_together(position: AnyPosition, squares: tuple[str, ...]) -> answers.Why:
    """Why none of the moves is legal that touching these squares may mean. Reasons about the turn, or that name one of
    these squares, come first."""
    named = re.compile("|".join(rf"\b{re.escape(square)}\b" for square in squares))
    first: answers.Why | None = None
    legal = False
    for reason in map(position.why_not, islice(position.meant_by(squares), MOST_MEANT)):
        if reason is None:
            legal = True
            continue
        found: answers.Why = {"legal": False, "rule": reason.rule, "reason": say_reason(reason, language())}
        if reason.rule == "turn" or named.search(found["reason"] or ""):
            return found
        first = first or found
    return first or {"legal": legal, "rule": None, "reason": None}


def _over() -> answers.Why:
    return {"legal": False, "rule": "over", "reason": say("REASONS", "over", {}, language())}
