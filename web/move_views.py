"""Moves, pieces and questions as the API returns them: in words, with pieces and traces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from companion.errors import UnreadableMove
from companion.games.game import AnyGame
from companion.games.position import AnyPosition, Piece, Trace
from companion.messages import say_move, term
from companion.table.table import Question, QuestionCode
from web import answers

MOST_TOLD = 8  # moves of a line


def sentence(text: str) -> str:
    """Capitalize a text, unless it begins with the name of a square."""
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]


def describe_move(position: AnyPosition, move: Any, language: str) -> answers.Told:
    """A move of this position. What lies face down is not revealed."""
    trace = position.trace(move)
    return {
        "move": position.without_secret(move),
        "words": sentence(say_move(position.describe(move), language)),
        "player": position.to_move,
        "pieces": pieces_of(trace, language),
        "trace": trace_of(trace),
    }


def describe_line(game: AnyGame, position: AnyPosition, texts: Iterable[str], language: str) -> list[answers.Told]:
    """A line of moves. It ends at the first move that cannot be played without unknown information."""
    told: list[answers.Told] = []
    for text in texts:
        move = found(game, position, text)
        if move is None or len(told) == MOST_TOLD:
            break
        told.append(describe_move(position, move, language))
        if position.without_secret(move) != str(move):
            break
        position = position.play(move)
    return told


def found(game: AnyGame, position: AnyPosition, text: str) -> Any:
    """The legal move with this text, or one that has this text without hidden information; None if there is none."""
    try:
        move = game.read(text)
    except UnreadableMove:
        return None
    if position.why_not(move) is None:
        return move
    return next((one for one in position.moves() if position.without_secret(one) == text), None)


def pieces_of(trace: Trace, language: str) -> list[answers.Piece]:
    """What is drawn beside a move's words: what it takes, and what it moves."""
    moved = (trace.moved,) if trace.moved else ()
    return [piece_of(piece, language) for piece in (*trace.pieces, *moved)]


def piece_of(piece: Piece, language: str) -> answers.Piece:
    told: answers.Piece = {"kind": piece.kind, "name": piece.name, "words": piece_words(piece, language)}
    if piece.model:
        told["model"] = piece.model
    if piece.face:
        told["face"] = piece.face
    return told


def piece_words(piece: Piece, language: str) -> str:
    """What a player would call it."""
    for code in (f"{piece.kind}.{piece.name}", piece.name if len(piece.name) > 1 else ""):
        if (words := term(code, language)) != code:
            return words
    return term(f"piece.{piece.kind}", language)


def trace_of(trace: Trace) -> answers.Trace:
    where: answers.Trace = {"touch": list(trace.touch), "ordered": bool(trace.start)}
    if trace.start:
        where["start"] = list(trace.start)
    if trace.route:
        where["route"] = list(trace.route)
    if trace.turns:
        where["turns"] = list(trace.turns)
    if trace.laid:
        where["laid"] = list(trace.laid)
    if trace.to:
        where["to"] = list(trace.to)
    if trace.holes:
        where["holes"] = list(trace.holes)
    if trace.faces:
        where["faces"] = list(trace.faces)
    return where


def beside_of(position: AnyPosition, language: str) -> dict[str, list[answers.PiecesLeft]]:
    """The pieces beside the board, with the number of each."""
    return {
        seat: [{**piece_of(piece, language), "count": count} for piece, count in Counter(pieces).items()]
        for seat, pieces in position.beside().items()
    }


# --- questions


def choices_of(
    game: AnyGame, positions: tuple[AnyPosition, ...], asked: Question, language: str
) -> Iterator[answers.Choosing]:
    """The answers to a question, in words and with pieces. None if the answer is free text."""
    if asked.code is QuestionCode.UNSEEN:
        yield from _seen_as(positions[asked.params["at"]], str(asked.params["move"]), language)
        return
    at, lines = asked.params.get("at"), asked.params.get("lines", {})
    for choice in asked.choices:
        line = [] if at is None else describe_line(game, positions[at], lines.get(choice, [choice]), language)
        words = "; ".join(one["words"] for one in line) or term(choice, language)
        yield {"answer": choice, "words": words, "pieces": [piece for one in line for piece in one["pieces"]]}


def question_moves(game: AnyGame, positions: tuple[AnyPosition, ...], asked: Question, language: str) -> list[str]:
    """The moves that a question is about, in words."""
    texts, back = asked.params.get("moves", ()), asked.params.get("count", 0)
    if asked.code is QuestionCode.UNSEEN:
        at, texts = asked.params["at"], (asked.params["move"],)
    else:
        at = len(positions) - 1 - back
    return [one["words"] for one in describe_line(game, positions[max(0, at)], texts, language)]


def _seen_as(position: AnyPosition, unseen: str, language: str) -> Iterator[answers.Choosing]:
    """What a move that nobody saw may have been."""
    for move in position.moves():
        if str(position.as_unseen(move)) == unseen and (pieces := position.trace(move).pieces):
            yield {
                "answer": pieces[0].name,
                "words": piece_words(pieces[0], language),
                "pieces": [piece_of(pieces[0], language)],
            }
